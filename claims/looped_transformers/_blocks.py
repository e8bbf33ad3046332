"""Arrays of matrices whose sizes are names: what a program does for all n and d at once.

An axis is cut into parts (n and 1, d and 1), and a block is a polynomial in products of matrices that are letters:
number x scalars x words. Letters do not commute; a word without rows and columns is a scalar, which does, and equals
its transpose. Two arrays with the same blocks are equal whatever the letters stand for, and however large n, d >= 1
are. Rules of a setting (V^T V = I) are words that may be put for others.

Read are the functions that the models of the source use, with a batch axis of length 1; everything else raises
`Unformed`. The step from t loops to t + 1 is a program with one loop, from any state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from theorycheck import Proof, identity_for_all


class Unformed(Exception):
    """What has no form of blocks."""


@dataclass(frozen=True)
class Size:
    """A sum of sizes that are names, or 1, in order: what an axis is cut into."""

    parts: tuple[str, ...]

    def __add__(self, other: int) -> Size:
        return Size((*self.parts, *["1"] * other))

    def __sub__(self, other: int) -> Size:
        if other != 1 or self.parts[-1:] != ("1",):
            raise Unformed(f"{self} less {other}")
        return Size(self.parts[:-1])

    def __pow__(self, power: int) -> Size:
        return self

    def __lt__(self, other: int) -> bool:
        """Sizes are at least 1."""
        return False

    def __rfloordiv__(self, room: int) -> int:
        """How many such things have room: a batch of one has, whatever the size."""
        return room

    def __index__(self) -> int:
        raise Unformed("a loop over a size that is a name")


Word = tuple[str, ...]
Term = tuple[tuple[Word, ...], Word]


class Letters:
    """What the letters are: ``shapes`` name -> (rows, columns), scalars 1 by 1; a trailing ' transposes. ``rules`` word
    -> word, each shorter or with letters that no rule begins with; ``symmetric`` letters are their own transposes."""

    def __init__(
        self,
        shapes: Mapping[str, tuple[str, str]],
        rules: Mapping[Word, Word] | None = None,
        symmetric: str = "",
    ) -> None:
        self.shapes, self.rules, self.symmetric = shapes, dict(rules or {}), symmetric.split()

    def size(self, letter: str) -> tuple[str, str]:
        rows, columns = self.shapes[letter.rstrip("'")]
        return (columns, rows) if letter.endswith("'") else (rows, columns)

    def transposed(self, word: Word) -> Word:
        return tuple(self._turned(a) for a in reversed(word))

    def _turned(self, letter: str) -> str:
        if letter in self.symmetric:
            return letter
        return letter[:-1] if letter.endswith("'") else f"{letter}'"

    def reduced(self, word: Word) -> Word:
        """The word with rules applied while one can be."""
        for at in range(len(word)):
            for old, new in self.rules.items():
                if word[at : at + len(old)] == old:
                    return self.reduced((*word[:at], *new, *word[at + len(old) :]))
        return word

    def product(self, left: Term, right: Term) -> Term:
        """The term, cut where a word is a column times a row: what is 1 by 1 between is a scalar."""
        word = self.reduced((*left[1], *right[1]))
        scalars, open_words, piece = [*left[0], *right[0]], [], []
        for letter in word:
            piece.append(letter)
            if self.size(letter)[1] == "1":
                open_words.append(tuple(piece))
                piece = []
        if piece:
            open_words.append(tuple(piece))
        kept: list[str] = []
        for one in open_words:
            if self.size(one[0])[0] == "1" and self.size(one[-1])[1] == "1":
                scalars.append(min(one, self.transposed(one)))
            else:
                kept += one
        return self.cancelled(scalars), tuple(kept)

    def cancelled(self, scalars: Iterable[Word]) -> tuple[Word, ...]:
        """Without what is divided away: ("/", a) is one over the scalar a."""
        left = sorted(scalars)
        for one in [w for w in left if w[0] == "/"]:
            if one[1:] in left:
                left.remove(one)
                left.remove(one[1:])
        return tuple(left)


Block = dict[Term, Fraction]
ONE: Term = ((), ())


def added(a: Block, b: Block, sign: int = 1) -> Block:
    total = {t: a.get(t, Fraction(0)) + sign * b.get(t, Fraction(0)) for t in {*a, *b}}
    return {t: x for t, x in total.items() if x}


@dataclass(frozen=True, eq=False)
class Blocks:
    """An array (1, rows, columns), (1, length) as a column, or (1,): ``axes`` after the batch."""

    letters: Letters
    axes: tuple[tuple[str, ...], ...]
    blocks: Mapping[tuple[int, int], Block]

    @property
    def shape(self) -> tuple[Any, ...]:
        return (1, *(1 if a == ("1",) else Size(a) for a in self.axes))

    @property
    def rows(self) -> tuple[str, ...]:
        return self.axes[0] if self.axes else ("1",)

    @property
    def columns(self) -> tuple[str, ...]:
        return self.axes[1] if len(self.axes) > 1 else ("1",)

    def at(self, i: int, j: int) -> Block:
        return self.blocks.get((i, j), {})

    def like(self, blocks: Mapping[tuple[int, int], Block], axes: Any = None) -> Blocks:
        return Blocks(self.letters, self.axes if axes is None else axes, blocks)

    def __neg__(self) -> Blocks:
        return self * -1

    def __add__(self, other: Any) -> Blocks:
        return self._sum(other, 1)

    def __sub__(self, other: Any) -> Blocks:
        return self._sum(other, -1)

    def _sum(self, other: Any, sign: int) -> Blocks:
        if not isinstance(other, Blocks) or other.axes != self.axes:
            raise Unformed("a sum of arrays of different shapes")
        places = {*self.blocks, *other.blocks}
        return self.like({p: added(self.at(*p), other.at(*p), sign) for p in places})

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, int | Fraction):
            scaled = {
                p: {t: other * x for t, x in b.items() if other} for p, b in self.blocks.items()
            }
            return self.like(scaled)
        for one, two in ((self, other), (other, self)):
            if isinstance(one, Mask):
                return one.on(two)
            if all(axis == ("1",) for axis in one.axes) and len(one.axes) <= len(two.axes):
                return two.like({p: one.times(one.at(0, 0), b) for p, b in two.blocks.items()})
        if len(self.axes) == 1 and self.axes == other.axes:
            return Entrywise(self, other)
        raise Unformed("an entrywise product")

    def __rmul__(self, other: Any) -> Any:
        return self * other

    def __pow__(self, power: int) -> Any:
        if power != 2:
            raise Unformed("an entrywise power")
        return self * self

    def __truediv__(self, other: Any) -> Blocks:
        """By a number, or by a scalar that is a letter, and not 0."""
        if isinstance(other, int | Fraction):
            return self * Fraction(1, other)
        terms = other.at(0, 0)
        if (
            len(terms) != 1
            or len(next(iter(terms))[0]) != 1
            or any(a != ("1",) for a in other.axes)
        ):
            raise Unformed("a quotient by more than a letter")
        ((scalars, _), number) = next(iter(terms.items()))
        inverse = {(((("/", *scalars[0])),), ()): 1 / number}
        return other.like({(0, 0): inverse}) * self

    def times(self, left: Block, right: Block) -> Block:
        total: Block = {}
        for a, x in left.items():
            for b, y in right.items():
                total = added(total, {self.letters.product(a, b): x * y})
        return total

    def __getitem__(self, key: Any) -> Blocks:
        """Parts of the axes: ``:``, a part by the sizes before it, or all before it."""
        picks = [_picked(axis, k) for axis, k in zip(self.axes, key[1:], strict=True)]
        axes = [
            tuple(axis[p] for p in parts)
            for axis, (parts, dropped) in zip(self.axes, picks, strict=True)
            if not dropped
        ]
        kept = [parts for parts, _ in picks] + [[0]] * (2 - len(picks))
        blocks = {
            (i, j): self.at(a, b) for i, a in enumerate(kept[0]) for j, b in enumerate(kept[1])
        }
        if len(self.axes) == 2 and picks[0][1] and not picks[1][1]:  # a row becomes a column
            blocks = {(j, i): turned(self.letters, b) for (i, j), b in blocks.items()}
        return self.like(blocks, tuple(axes))


def turned(letters: Letters, block: Block) -> Block:
    return {(s, letters.transposed(w)): x for (s, w), x in block.items()}


def _picked(axis: tuple[str, ...], key: Any) -> tuple[list[int], bool]:
    """The parts that an index picks, and whether the axis goes."""
    if key == slice(None):
        return list(range(len(axis))), False
    if isinstance(key, slice) and key.stop is not None and key.start is None:
        stop = key.stop.parts if isinstance(key.stop, Size) else ("1",) * key.stop
        if axis[: len(stop)] == stop:
            return list(range(len(stop))), False
    first = key.start if isinstance(key, slice) else key
    if isinstance(first, int) and first >= 0:
        before: tuple[str, ...] = ("1",) * first
    else:
        before = first.parts if isinstance(first, Size) else axis[:-1] if first == -1 else ("",)
    place = len(before)
    if axis[:place] == before and axis[place : place + 1] == ("1",):
        whole = isinstance(key, slice)
        return list(range(place, len(axis))) if whole else [place], not whole
    raise Unformed(f"part {key} of an axis {axis}")


@dataclass(frozen=True)
class Entrywise:
    """The entrywise product of two columns, of which the sum is a scalar."""

    left: Blocks
    right: Blocks

    def total(self) -> Blocks:
        pairs = [
            self.left.times(turned(self.left.letters, self.left.at(i, 0)), self.right.at(i, 0))
            for i in range(len(self.left.rows))
        ]
        found: Block = {}
        for block in pairs:
            found = added(found, block)
        return self.left.like({(0, 0): found}, ())


@dataclass(frozen=True)
class Places:
    """0, 1, .. of an axis, along rows (0) or columns (1)."""

    parts: tuple[str, ...]
    along: int | None = None

    def __getitem__(self, key: Any) -> Places:
        return Places(self.parts, 0 if key[1] is None else 1)

    def _marks(self, test: Callable[[int], bool]) -> Marks:
        axes = (self.parts, None) if self.along == 0 else (None, self.parts)
        return Marks(axes, {k: "all" for k in range(len(self.parts)) if test(k)})

    def __eq__(self, other: Any) -> Any:
        if isinstance(other, Places):
            if self.parts != other.parts or (self.along, other.along) != (0, 1):
                raise Unformed("places that are not rows and columns of one square")
            same = {(k, k): "all" if p == "1" else "same" for k, p in enumerate(self.parts)}
            return Marks((self.parts, other.parts), same)
        place = self._part_at(other)
        return self._marks(lambda k: k == place)

    __hash__ = None  # type: ignore[assignment]

    def __lt__(self, other: Size) -> Marks:
        place = self._part_at(other)
        return self._marks(lambda k: k < place)

    def __gt__(self, other: Any) -> Marks:
        raise Unformed("a triangle")

    __ge__ = __le__ = __gt__

    def _part_at(self, size: Any) -> int:
        """The part of length 1 that begins after so many places."""
        before = size.parts if isinstance(size, Size) else None
        if before is None or self.parts[: len(before)] != before or self.parts[len(before)] != "1":
            raise Unformed(f"place {size} of an axis {self.parts}")
        return len(before)


@dataclass(frozen=True)
class Marks:
    """Where a condition holds: in ``all`` of a block, or where row and column are the ``same``."""

    axes: tuple[Any, Any]
    found: Mapping[Any, str]

    def __and__(self, other: Marks) -> Marks:
        rows, columns = (a or b for a, b in zip(self.axes, other.axes, strict=True))
        places = [(i, j) for i in range(len(rows)) for j in range(len(columns))]
        both = {p: [self.mark(p), other.mark(p)] for p in places}
        return Marks(
            (rows, columns),
            {p: "same" if "same" in two else "all" for p, two in both.items() if None not in two},
        )

    def mark(self, place: tuple[int, int]) -> str | None:
        rows, columns = self.axes
        if rows is None or columns is None:
            return self.found.get(place[1] if rows is None else place[0])
        return self.found.get(place)


class BlockNamespace:
    """The functions of arrays that the models of the source use."""

    xp = None

    def __init__(self, letters: Letters) -> None:
        self.letters = letters

    def __getattr__(self, name: str) -> Any:
        raise Unformed(f"ns.{name}")

    def letter(self, name: str, shape: tuple[str, ...]) -> Blocks:
        """The letter as an array of this shape after the batch; of a number of scalars each its own letter."""
        if shape and shape[0].isdigit():
            scalars = {
                (k, 0): {(((f"{name}{k}",),), ()): Fraction(1)} for k in range(int(shape[0]))
            }
            return Blocks(self.letters, (("1",) * int(shape[0]),), scalars)
        if not shape:
            return Blocks(self.letters, (), {(0, 0): {(((name,),), ()): Fraction(1)}})
        axes = tuple((part,) for part in shape)
        return Blocks(self.letters, axes, {(0, 0): {((), (name,)): Fraction(1)}})

    def expand_dims(self, a: Blocks, axis: int) -> Blocks:
        if len(a.axes) == 2:
            raise Unformed("an array of more axes")
        if axis == -1 or not a.axes:
            return a.like(a.blocks, (*a.axes, ("1",)))
        row = {(j, i): turned(self.letters, b) for (i, j), b in a.blocks.items()}
        return a.like(row, (("1",), *a.axes))

    def reshape(self, a: Blocks, shape: tuple[int, ...]) -> Blocks:
        if any(axis != ("1",) for axis in a.axes) or set(shape[1:]) != {1}:
            raise Unformed("a reshaped array")
        return a.like(a.blocks, (("1",),) * (len(shape) - 1))

    def concat(self, parts: list[Blocks], axis: int) -> Blocks:
        place = axis - 1 if axis > 0 else len(parts[0].axes) - 1
        blocks, before = {}, 0
        for a in parts:
            for (i, j), b in a.blocks.items():
                blocks[(i + before, j) if place == 0 else (i, j + before)] = b
            before += len(a.axes[place])
        axes = list(parts[0].axes)
        axes[place] = tuple(p for a in parts for p in a.axes[place])
        return parts[0].like(blocks, tuple(axes))

    def matrix_transpose(self, a: Blocks) -> Blocks:
        blocks = {(j, i): turned(self.letters, a.at(i, j)) for i, j in a.blocks}
        return a.like(blocks, a.axes[::-1])

    def matmul(self, a: Blocks, b: Blocks) -> Blocks:
        if a.columns != b.rows or len(b.axes) != 2:
            raise Unformed("a product of matrices that do not fit")
        found: dict[tuple[int, int], Block] = {}
        for i in range(len(a.rows)):
            for j in range(len(b.columns)):
                total: Block = {}
                for k in range(len(b.rows)):
                    total = added(total, a.times(a.at(i, k), b.at(k, j)))
                found[i, j] = total
        return a.like(found, (a.rows, b.columns))

    def sum(self, a: Entrywise, axis: int) -> Blocks:
        if not isinstance(a, Entrywise):
            raise Unformed("a sum of entries")
        return a.total()

    def arange(self, size: Size) -> Places:
        return Places(size.parts)

    def eye(self, size: Size) -> Blocks:
        at = Places(size.parts)
        return self.number(at[:, None] == at[None, :])

    def rational(self, above: int, below: int) -> Fraction:
        return Fraction(above, below)

    def number(self, marks: Marks) -> Mask:
        """1 where the condition holds, 0 elsewhere."""
        return Mask(self.letters, marks)


class Mask(Blocks):
    """Ones where a condition holds. As a matrix it may hold identities and single ones, as a mask blocks of ones."""

    def __init__(self, letters: Letters, marks: Marks) -> None:
        super().__init__(letters, marks.axes, {})
        object.__setattr__(self, "marks", marks)

    marks: Marks

    def at(self, i: int, j: int) -> Block:
        mark, single = self.marks.mark((i, j)), (self.rows[i], self.columns[j]) == ("1", "1")
        if mark == "all" and not single:
            raise Unformed("a matrix of ones in a product")
        return {ONE: Fraction(1)} if mark else {}

    def on(self, other: Blocks) -> Blocks:
        if other.axes != self.axes or "same" in self.marks.found.values():
            raise Unformed("a mask that keeps a diagonal")
        return other.like({p: other.at(*p) for p in other.blocks if self.marks.mark(p)})


# ---- equality for all sizes

ONCE = {"smoke": [{}]}
"""The grid of a proof that no parameter of its claim enters: it is made once, whatever else the claim tries."""

Shapes = Mapping[str, tuple[str, ...]]
"""Name -> shape after the batch: sizes that are names, or a number of scalars."""

SMALL = ({"n": 1, "d": 1}, {"n": 2, "d": 1}, {"n": 2, "d": 2})
"""Sizes at which the programs are run on indeterminates too, which know nothing of blocks."""


@dataclass(frozen=True)
class Setting:
    """What is known of the letters (`Letters`), and an ``example`` of it: shapes of free numbers, and the function that
    makes the fields of them."""

    rules: Mapping[Word, Word]
    symmetric: str
    example: tuple[Mapping[str, tuple[int, ...]], Callable[..., Mapping[str, Any]]]


@dataclass(frozen=True)
class _On:
    """A program on the example of a setting."""

    program: Callable[..., Any]
    make: Callable[..., Mapping[str, Any]]

    def __call__(self, ns: Any, **free: Any) -> Any:
        return self.program(ns, **self.make(ns, **free))


def same_for_all_sizes(
    program: Callable[..., Any],
    reference: Callable[..., Any],
    fields: Shapes,
    setting: Setting | None = None,
) -> Proof:
    """That both programs give the same array for all n, d >= 1 and all values of the fields, of those that the setting
    has. A difference is looked for at small sizes, or at the example. Raises ValueError where these contradict."""
    found = _in_blocks(program, reference, fields, setting)
    for one, two, shapes in _concrete(program, reference, fields, setting):
        concrete = identity_for_all(one, two, shapes)
        if found.holds and not concrete.holds:
            raise ValueError(f"equal in blocks, and not at {shapes}")
        if concrete.counterexample is not None:
            return concrete
    return found


def _concrete(
    program: Callable[..., Any],
    reference: Callable[..., Any],
    fields: Shapes,
    setting: Setting | None,
) -> Iterator[tuple[Callable[..., Any], Callable[..., Any], dict[str, tuple[int, ...]]]]:
    if setting is not None:
        shapes, make = setting.example
        yield _On(program, make), _On(reference, make), dict(shapes)
        return
    for size in SMALL:
        at = {f: (1, *(size.get(p) or int(p) for p in shape)) for f, shape in fields.items()}
        yield program, reference, at


def _in_blocks(
    program: Callable[..., Any],
    reference: Callable[..., Any],
    fields: Shapes,
    setting: Setting | None,
) -> Proof:
    """Whether both have the same blocks."""
    sizes = {f: (*shape, "1", "1")[:2] for f, shape in fields.items()}
    rules = (setting.rules, setting.symmetric) if setting else ({}, "")
    ns = BlockNamespace(Letters(sizes, *rules))
    given = {name: ns.letter(name, shape) for name, shape in fields.items()}
    try:
        left, right = (run(ns, **given) for run in (program, reference))
    except Unformed as error:
        return Proof(False, f"no form of blocks: {error}", {})
    if left.axes != right.axes:
        return Proof(False, f"axes {left.axes} and {right.axes}", {})
    places = [(i, j) for i in range(len(left.rows)) for j in range(len(left.columns))]
    if any(left.at(*p) != right.at(*p) for p in places):
        return Proof(False, "different blocks", {})
    return Proof(
        True,
        "both sides have the same blocks, as polynomials in matrices of any size",
        {"axes": [list(a) for a in left.axes], "terms": sum(len(left.at(*p)) for p in places)},
    )
