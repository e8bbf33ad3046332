"""Matrices of every size as words in letters: traces, forms and Gaussian means that know of no size.

A `Matrix` is a polynomial in letters that do not commute, a `Number` a polynomial in scalars, traces of words and
forms a^T W b. A letter stands for any matrix of fitting sizes, so that two equal results agree at every size. Known
are only these laws: tr(A B) = tr(B A), tr(A) = tr(A^T), a^T W b = b^T W^T a; letters made by `spectral` are symmetric
and commute (they are diagonal, or functions of one symmetric matrix) and may be inverted; those of `IDEMPOTENT` are
projections K K = K, of which those of `DISJOINT` have product 0; Q^T Q = 1 for those of `ORTHONORMAL`. Those of
`NARROW` may have fewer columns than rows, so that B^T B is an identity of its own size, whose trace is no tr(1). Of
spectral letters only those of `INVERTIBLE` have no eigenvalue 0.

`mean` is Isserlis' rule: the mean of a product of forms in a centred Gaussian vector is the sum over all ways to pair
its places, x x^T replaced by the covariance. Of a vector that is none of `GAUSSIAN` the covariance alone is known: a
mean of more than two places is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from theorycheck import Proof

IDEMPOTENT = frozenset("KP")
DISJOINT = frozenset("KP")
ORTHONORMAL = frozenset("QB")
NARROW = frozenset("B")
INVERTIBLE = frozenset("CRT")
GAUSSIAN = frozenset("xqw")

ONCE = {"smoke": [{}]}
"""The grid of a proof that no parameter of its claim enters: it is made once, whatever else the claim tries."""

Element = Any
"""Of a word: a letter, or the powers of spectral letters that stand together."""
Word = tuple[Element, ...]


def _order(items: Sequence[Any]) -> tuple[Any, ...]:
    return tuple(sorted(items, key=repr))


def _merged(first: Mapping[str, int], second: Mapping[str, int]) -> dict[str, int] | None:
    """The product of spectral letters, None where it is 0."""
    powers = {k: first.get(k, 0) + second.get(k, 0) for k in {*first, *second}}
    powers = {k: min(n, 1) if k in IDEMPOTENT else n for k, n in powers.items() if n}
    return None if powers.keys() >= DISJOINT else powers


def _product(*words: Word) -> Word | None:
    """The words one after the other, reduced; None where that is 0."""
    stack: list[Element] = []
    one: Word = ()  # what is left where all cancels
    for element in (e for word in words for e in word):
        if _is_identity(element):
            one = (element,)
        elif stack and isinstance(element, tuple) and isinstance(stack[-1], tuple):
            powers = _merged(dict(stack.pop()), dict(element))
            if powers is None:
                return None
            if powers:
                stack.append(_order(list(powers.items())))
        elif stack and stack[-1] == f"{element}'" and element in ORTHONORMAL:
            stack.pop()
            one = (f"1 {element}",) if element in NARROW else one
        else:
            stack.append(element)
    if not stack:
        return one
    return tuple(stack) if len(stack) == sum(map(len, words)) else _product(tuple(stack))


def _is_identity(element: Element) -> bool:
    """Of the columns of a letter of `NARROW`."""
    return isinstance(element, str) and element.startswith("1 ")


def _transposed(word: Word) -> Word:
    return tuple(
        e if isinstance(e, tuple) or _is_identity(e) else e[:-1] if e.endswith("'") else f"{e}'"
        for e in reversed(word)
    )


def _turned(word: Word | None) -> Word | None:
    """The word inside a trace, what meets at its ends reduced as well."""
    while word is not None and len(word) > 1:
        turned = _product(word[-1:], word[:-1])
        if turned is not None and len(turned) == len(word):
            return word
        word = turned
    return word


def _least(words: Sequence[Any]) -> Any:
    return min(words, key=repr)


class Number:
    """A polynomial in commuting atoms: scalars, traces and forms."""

    def __init__(self, terms: Mapping[tuple[Any, ...], Fraction]) -> None:
        self.terms = {m: c for m, c in terms.items() if c}

    def __add__(self, other: Any) -> Number:
        terms = dict(self.terms)
        for m, c in number(other).terms.items():
            terms[m] = terms.get(m, Fraction(0)) + c
        return Number(terms)

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, Matrix | Vector):
            return other * self
        terms: dict[tuple[Any, ...], Fraction] = {}
        for m, c in self.terms.items():
            for n, e in number(other).terms.items():
                powers = dict(m)
                for atom, k in n:
                    powers[atom] = powers.get(atom, 0) + k
                key = _order([(a, k) for a, k in powers.items() if k])
                terms[key] = terms.get(key, Fraction(0)) + c * e
        return Number(terms)

    def __pow__(self, power: int) -> Number:
        if power >= 0:
            return number(1) if power == 0 else self * self ** (power - 1)
        ((m, c),) = self.terms.items()
        return Number({tuple((a, k * power) for a, k in m): c**power})

    def __neg__(self) -> Number:
        return self * -1

    def __sub__(self, other: Any) -> Number:
        return self + -number(other)

    def __rsub__(self, other: Any) -> Number:
        return -self + other

    def __truediv__(self, other: Any) -> Number:
        return self * number(other) ** -1

    __radd__, __rmul__ = __add__, __mul__

    def atoms(self) -> set[Any]:
        return {a for m in self.terms for a, _ in m}

    def replaced(self, moment: Callable[[Any, int], Number | None]) -> Number:
        """Each power of an atom by ``moment(atom, power)`` where that is something."""
        total = number(0)
        for m, c in self.terms.items():
            product = number(c)
            for atom, power in m:
                found = moment(atom, power)
                product = product * (
                    Number({((atom, power),): Fraction(1)}) if found is None else found
                )
            total = total + product
        return total


def number(value: Any) -> Number:
    return value if isinstance(value, Number) else Number({(): Fraction(value)})


def scalar(name: str) -> Number:
    return Number({((name, 1),): Fraction(1)})


class Matrix:
    """A polynomial in words, its coefficients `Number`."""

    def __init__(self, terms: Mapping[Word, Number]) -> None:
        self.terms = {w: c for w, c in terms.items() if c.terms}

    def __add__(self, other: Any) -> Matrix:
        terms = dict(self.terms)
        for w, c in matrix(other).terms.items():
            terms[w] = terms.get(w, number(0)) + c
        return Matrix(terms)

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, Vector):
            return Vector({name: self * m for name, m in other.parts.items()})
        terms: dict[Word, Number] = {}
        for w, c in self.terms.items():
            for v, e in matrix(other).terms.items():
                word = _product(w, v)
                if word is not None:
                    terms[word] = terms.get(word, number(0)) + c * e
        return Matrix(terms)

    def __rmul__(self, other: Any) -> Matrix:
        return self * other

    def __pow__(self, power: int) -> Matrix:
        if power >= 0:
            return ONE if power == 0 else self * self ** (power - 1)
        ((word, c),) = self.terms.items()
        ((letters),) = word
        if singular := {k for k, _ in letters} - INVERTIBLE:
            raise ValueError(f"{sorted(singular)} may have an eigenvalue 0")
        return Matrix({(tuple((k, n * power) for k, n in letters),): c**power})

    def __neg__(self) -> Matrix:
        return self * -1

    def __sub__(self, other: Any) -> Matrix:
        return self + -matrix(other)

    def __truediv__(self, other: Any) -> Matrix:
        return self * number(other) ** -1

    __radd__ = __add__

    @property
    def T(self) -> Matrix:
        return Matrix({_transposed(w): c for w, c in self.terms.items()})

    def trace(self) -> Number:
        total = number(0)
        for w, c in self.terms.items():
            word = _turned(w)
            if word is not None:
                turns = [word[k:] + word[:k] for k in range(max(len(word), 1))]
                atom = ("tr", _least([*turns, *map(_transposed, turns)]))
                total = total + c * Number({((atom, 1),): Fraction(1)})
        return total

    def form(self, a: str, b: str) -> Number:
        """a^T M b for two vectors by name."""
        total = number(0)
        for w, c in self.terms.items():
            atom = ("form", *_least([(a, w, b), (b, _transposed(w), a)]))
            total = total + c * Number({((atom, 1),): Fraction(1)})
        return total

    def letters(self) -> set[str]:
        return {e.rstrip("'") for w in self.terms for e in w if isinstance(e, str)}


def matrix(value: Any) -> Matrix:
    return value if isinstance(value, Matrix) else Matrix({(): number(value)})


def letter(name: str) -> Matrix:
    """Any matrix of fitting sizes."""
    return Matrix({(name,): number(1)})


def spectral(name: str) -> Matrix:
    """A symmetric matrix that commutes with all others that are made so."""
    return Matrix({(((name, 1),),): number(1)})


ONE = matrix(1)


class Vector:
    """A sum of matrices times vectors with names."""

    def __init__(self, parts: Mapping[str, Matrix]) -> None:
        self.parts = dict(parts)

    def __add__(self, other: Vector) -> Vector:
        names = {*self.parts, *other.parts}
        return Vector({n: self.parts.get(n, ONE * 0) + other.parts.get(n, ONE * 0) for n in names})

    def __mul__(self, other: Any) -> Vector:
        return Vector({n: m * number(other) for n, m in self.parts.items()})

    __rmul__ = __mul__


def vector(name: str) -> Vector:
    return Vector({name: ONE})


def dot(a: Vector, b: Vector) -> Number:
    total = number(0)
    for name, m in a.parts.items():
        for other, n in b.parts.items():
            total = total + (m.T * n).form(name, other)
    return total


def opened(of: Number, *columns: str) -> Number:
    """With letters for columns: a trace of .. a b^T .. is a product of forms in the vectors a and b."""

    def moment(atom: Any, power: int) -> Number | None:
        word = atom[1] if isinstance(atom, tuple) and atom[0] == "tr" else ()
        places = [k for k, e in enumerate(word) if e in columns]
        if not places:
            return None
        product, turned = number(1), word[places[0] :] + word[: places[0]]
        while turned:  # a column, the row beside it, and what lies before the next column
            row, inner = turned[1].rstrip("'"), turned[2:]
            ends = [k for k, e in enumerate(inner) if e in columns] or [len(inner)]
            after = inner[ends[0]] if ends[0] < len(inner) else word[places[0]]
            product = product * Matrix({inner[: ends[0]]: number(1)}).form(row, after)
            turned = inner[ends[0] :]
        return product**power

    return of.replaced(moment)


# ---- means


def _has(atom: Any, name: str) -> bool:
    return isinstance(atom, tuple) and atom[0] == "form" and name in (atom[1], atom[3])


def mean(of: Number, name: str, covariance: Matrix) -> Number:
    """E over the centred vector ``name``, Gaussian or of degree 2."""
    total = number(0)
    for m, c in of.terms.items():
        forms = [atom[1:] for atom, power in m for _ in range(power) if _has(atom, name)]
        if name not in GAUSSIAN and sum((f[0], f[2]).count(name) for f in forms) > 2:
            raise ValueError(f"of {name} no moments beyond the covariance are known")
        rest = Number({tuple(p for p in m if not _has(p[0], name)): c})
        total = total + rest * _paired(forms, name, covariance)
    return total


def _paired(forms: list[Any], name: str, covariance: Matrix) -> Number:
    first = next((f for f in forms if name in (f[0], f[2])), None)
    if first is None:
        product = number(1)
        for a, w, b in forms:
            product = product * Matrix({w: number(1)}).form(a, b)
        return product
    others = list(forms)
    others.remove(first)
    a, w, b = first if first[0] == name else (first[2], _transposed(first[1]), first[0])
    here = Matrix({w: number(1)})
    total = number(0)
    if b == name:
        total = (here * covariance).trace() * _paired(others, name, covariance)
    for k, (c, v, e) in enumerate(others):
        rest = others[:k] + others[k + 1 :]
        for far, word in [(e, v)] * (c == name) + [(c, _transposed(v))] * (e == name):
            joined = here.T * covariance * Matrix({word: number(1)})
            for term, weight in joined.terms.items():
                total = total + weight * _paired([(b, term, far), *rest], name, covariance)
    return total


def normal(name: str, variance: Number) -> Callable[[Any, int], Number | None]:
    """The moments of a centred normal scalar, for `Number.replaced`."""

    def moment(atom: Any, power: int) -> Number | None:
        if atom != name:
            return None
        odd = Fraction(1)
        for k in range(1, power, 2):
            odd *= k
        return number(0) if power % 2 else variance ** (power // 2) * odd

    return moment


# ---- proofs


def evaluated(of: Number, values: Mapping[str, Any]) -> Fraction:
    """The number at matrices (a spectral letter by its diagonal), vectors and scalars."""
    total = Fraction(0)
    for m, c in of.terms.items():
        for atom, power in m:
            c *= _value(atom, values) ** power
        total += c
    return total


def _value(atom: Any, values: Mapping[str, Any]) -> Fraction:
    if isinstance(atom, str):
        return Fraction(values[atom])
    d = values["d"]
    if atom[0] == "form":
        image = _applied(atom[2], list(values[atom[3]]), values)
        return sum((x * y for x, y in zip(values[atom[1]], image, strict=True)), Fraction(0))
    units = [[Fraction(n == k) for n in range(d)] for k in range(d)]
    return sum((_applied(atom[1], unit, values)[k] for k, unit in enumerate(units)), Fraction(0))


def _applied(word: Word, v: list[Any], values: Mapping[str, Any]) -> list[Any]:
    for element in reversed(word):
        if isinstance(element, tuple):
            for name, power in element:
                v = [Fraction(x) ** power * y for x, y in zip(values[name], v, strict=True)]
        else:
            rows = values[element.rstrip("'")]
            rows = list(zip(*rows, strict=True)) if element.endswith("'") else rows
            v = [sum((x * y for x, y in zip(row, v, strict=True)), Fraction(0)) for row in rows]
    return v


def _names(of: Number) -> Iterator[tuple[str, str]]:
    """Kind and name of everything in it."""
    for atom in of.atoms():
        if isinstance(atom, str):
            yield "scalar", atom
            continue
        if atom[0] == "form":
            yield from (("vector", atom[1]), ("vector", atom[3]))
        for element in atom[1] if atom[0] == "tr" else atom[2]:
            if isinstance(element, str):
                yield "letter", element.rstrip("'")
            else:
                yield from (("spectral", name) for name, _ in element)


PROJECTED = {"K": (1, 0, 0), "P": (0, 1, 0)}


def example(of: Number, start: int, d: int = 3) -> dict[str, Any]:
    """Small values for all that is in it, K and P different coordinates."""
    values: dict[str, Any] = {"d": d}
    for place, (kind, name) in enumerate(sorted(set(_names(of))), start=start):
        line = [Fraction((place + 3 * k) % 7 + 1, 2) for k in range(d)]
        values[name] = {
            "scalar": Fraction(place, 3),
            "vector": line,
            "spectral": list(PROJECTED.get(name, line)),
            "letter": [[x + (n * k) % 3 for n, x in enumerate(line)] for k in range(d)],
        }[kind]
    return values


def same(left: Number, right: Number) -> Proof:
    """Whether two numbers are the same polynomials in traces, forms and scalars."""
    difference = left - right
    if not difference.terms:
        any_matrix = sorted({name for kind, name in _names(left) if kind == "letter"})
        shown = {"terms": len(left.terms), "atoms": len(left.atoms()), "letters": any_matrix}
        return Proof(True, "the same polynomials in traces and forms, at every size", shown)
    tried = (
        (at, evaluated(difference, at)) for at in (example(difference, n) for n in range(2, 9))
    )
    at, gap = next(((at, gap) for at, gap in tried if gap), ({}, Fraction(0)))
    where = {k: str(v) for k, v in at.items()} | {"difference": str(gap)} if gap else None
    return Proof(False, "different polynomials in traces and forms", {}, where)


def all_of(*proofs: Proof) -> Proof:
    """One proof of several parts: the first that fails, if one does."""
    failed = next((p for p in proofs if not p.holds), None)
    if failed is not None:
        return failed
    shown = {f"part {n}": dict(p.witness) for n, p in enumerate(proofs)}
    return Proof(True, proofs[0].method, shown)


def every(name: str, proof: Proof) -> Proof:
    """The proof, if it is one for every matrix of this name: if the two sides have it as a letter of its own. A
    spectral letter in its place would stand for those that commute with the rest."""
    if not proof.holds or name in proof.witness["letters"]:
        return proof
    return Proof(False, "shown for less than every matrix", {}, {"no letter": name})
