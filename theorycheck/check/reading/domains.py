"""Domains in words of mathematics: ``x > 0``, ``n in N, x in R``, ``0 < x < 1``, ``A in PD(2)``.

They become declarations of the canonical form (``x in (0, oo)``), hypotheses, and arrays of
coordinates. Text to text; the ends are read by `theorycheck.check.domain`.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from theorycheck.check.reading.choices import Choices
from theorycheck.check.reading.long import Long, Peaks, long_vector
from theorycheck.check.reading.names import BRACKETS, Names, is_function
from theorycheck.check.reading.parser import parse
from theorycheck.check.reading.tokens import Lexer
from theorycheck.check.reading.tree import Binary, Chain, Minus, Name, Node, Number, text_of
from theorycheck.check.reading.vectors import Array, determinant, total, vector
from theorycheck.check.reading.words import Traces, Words, matrix
from theorycheck.check.refusal import InputError, nearest

FORMS = "0..60, [0, 1], (0, oo), primes(2..100), {1, 2, 5}, N, Z, R, R^3 or an inequality"

_SETS: Mapping[str, tuple[str, str]] = {
    "R": ("(-oo, oo)", ""),
    "Z": ("-oo..oo", ""),
    "N0": ("0..oo", ""),
    "N_0": ("0..oo", ""),
    "N": ("1..oo", "N begins with 1; write N0 for 0, 1, 2, ..."),
    "reals": ("(-oo, oo)", ""),
    "integers": ("-oo..oo", ""),
    "primes": ("primes(2..oo)", ""),
    "R+": ("(0, oo)", "R+ is read without 0"),
    "R_+": ("(0, oo)", "R_+ is read without 0"),
    "R>0": ("(0, oo)", ""),
    "R_{>0}": ("(0, oo)", ""),
    "R_{+}": ("(0, oo)", "without 0"),
    "naturals": ("1..oo", "the naturals begin with 1"),
    "Q": ("(-oo, oo)", "Q is read as R"),
}
_PRINTED = (
    (r"\\text\s*\{([^{}]*)\}", r" \1 "),
    (r"∈|\\in(?![A-Za-z])", " in "),
    (r"\\(?:mathbb|mathbf|Bbb)\s*\{?([RNZQ])\}?", r"\1"),
    (r"ℝ", "R"),
    (r"ℕ", "N"),
    (r"ℤ", "Z"),
    (r"ℚ", "Q"),
    (r"∞|\\infty\b", "oo"),
    (r"\\(?:ldots|dots)\b|…", ".."),
    (r"\\[,;:! ]|\\q?quad\b", " "),
    (r"\\([{}])", r"\1"),
    (r"\binf(?:inity)?\b", "oo"),
    (r"→|\\(?:to|rightarrow)(?![A-Za-z])|->", " to "),
    (r"\b(natural|odd|even|prime|real|integer|positive|nonnegative) numbers?\b", r"\1"),
)
_WHOLE = re.compile(r"[ijklmnMNK](_\w+)?\Z", re.ASCII)
_KINDS = ("integer", "real", "odd", "even", "prime", "positive", "nonnegative", "natural")
_COUNTED = re.compile(
    r"(\w+)\s*=\s*(\d+)\s*,\s*(\d+)\s*,\s*(?:\d+\s*,\s*)?\.\.\.?(?:\s*,\s*([\w+-]+))?", re.ASCII
)
_GROWING = re.compile(r"([A-Za-z]\w*)\s+to\s+oo\Z", re.ASCII)
_SIZES = r"(\d+)\s*(?:(?:x|×|\\times)\s*(\d+)\s*)?"
_DIMENSION = re.compile(
    rf"(\w+|[\[(].*[\])])\s*(?:\^|\*\*)\s*(?:\{{\s*{_SIZES}\}}|{_SIZES})\Z", re.ASCII
)
_LONG = re.compile(
    r"(\w+|[\[(].*[\])])\s*(?:\^|\*\*)\s*(?:\{\s*([A-Za-z]\w*)\s*\}|([A-Za-z]\w*))\Z", re.ASCII
)
_SIDE = r"([A-Za-z]\w*?|[1-9]\d*)"
_OF_ANY_SIZE = re.compile(
    rf"R\s*(?:\^|\*\*)\s*[({{]\s*(?=[^)}}]*[A-Za-z]\w*\s*(?:\s|×|\\times)|\d+\s*(?:x|×|\\times)\s*[A-Za-z]){_SIDE}"
    rf"(?:\s+x\s+|\s*(?:×|\\times)\s*){_SIDE}\s*[)}}]\Z",
    re.ASCII,
)
_LONG_MATRICES = re.compile(r"(PD|PSD|Sym)\s*\(\s*([A-Za-z]\w*)\s*\)\Z", re.ASCII)
_EIGENVALUES: Mapping[str, str] = {"PD": "(0, oo)", "PSD": "[0, oo)", "Sym": "(-oo, oo)"}
_LONG_SIMPLEX = re.compile(r"simplex\s*\(\s*([A-Za-z]\w*)\s*\)\Z", re.ASCII)
_MEMBERS = re.compile(r"(.*[\w\])}]\S*)\s+for\s+(?:all\s+)?(\S.*)\Z", re.DOTALL)
_STRUCTURED = ("PD", "PSD", "Sym", "simplex")
_MATRICES = re.compile(rf"({'|'.join(_STRUCTURED)})\s*\(\s*(\d+)\s*\)\Z")
MAX_SIZE = 8


@dataclass(frozen=True)
class ReadFamily:
    """``name[index]`` in ``spec`` for every index from ``low`` to ``high``."""

    name: str
    spec: str
    low: str
    high: str


@dataclass
class ReadDomains:
    """What the phrases declare, in order."""

    declarations: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    where: list[str] = field(default_factory=list)
    arrays: dict[str, Array | Long | Words] = field(default_factory=dict)
    families: list[ReadFamily] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    peaks: Peaks = field(default_factory=Peaks)
    traces: Traces = field(default_factory=Traces)
    columns: list[str] = field(default_factory=list)

    def declare(self, names: Sequence[str], spec: str) -> None:
        self.declarations.append(f"{', '.join(names)} in {spec}")
        self.names += names


def read_domains(texts: Sequence[str]) -> ReadDomains:
    """Read ``--for`` options in order.

    Raises:
        InputError: one line that names the part.
    """
    found = ReadDomains()
    for text in texts:
        for piece in split_at(printed(text), ";"):
            if indices := for_every_index(piece, found.names):
                _members_of_families(indices, piece, found)
            else:
                _piece(piece, found)
    if any(isinstance(a, Words) for a in found.arrays.values()):
        _as_columns(found)
    return found


def _as_columns(found: ReadDomains) -> None:
    """Beside matrices n x m, ``x in R^n`` is a matrix of one column."""
    for family in [f for f in found.families if f.name in found.columns]:
        found.families.remove(family)
        found.arrays[family.name] = matrix(family.name, family.high, "1", found.traces)


@dataclass(frozen=True)
class Indices:
    """``statement`` for every integer ``index`` from ``low`` to ``high``."""

    statement: str
    index: str
    low: str
    high: str


def for_every_index(text: str, known: Sequence[str]) -> Indices | None:
    """``y[i+1] == y[i]/2 for i in 0..oo``; None where no such range stands behind.

    Raises:
        InputError: where it is no range of one new name.
    """
    match = _MEMBERS.match(printed(text))
    if match is None:
        return None
    inner = ReadDomains(names=list(known))
    _piece(re.sub(r"\A(\w+)\s*=(?!=)", r"\1 in ", match[2]), inner)
    ranges = [d.partition(" in ") for d in inner.declarations]
    index, _, spec = ranges[0] if len(ranges) == 1 else ("", "", "")
    if ".." not in spec or inner.where or not index.isidentifier():
        raise InputError(f"{text[:60]!r}: write the range of the index as in for j in 1..n")
    low, high = spec.split("..", 1)
    return Indices(match[1], index, low.strip(), high.strip())


def _members_of_families(indices: Indices, text: str, found: ReadDomains) -> None:
    """``f[j], g[j] > 0 for j in 1..n``, or with the indices as 1 <= j <= n."""
    how = f"--for {text[:60]!r}: write f[j] > 0 for j in 1..n"
    index, members = indices.index, indices.statement
    bare = re.sub(rf"\b(\w+?)\s*(?:\[\s*{index}\s*\]|_{index}\b)", r"\1", members)
    read = ReadDomains(names=list(found.names))
    _piece(bare, read)
    if bare == members or read.where or read.arrays:
        raise InputError(f"{how}; what is no range stands in --where")
    for declaration in read.declarations:
        names, _, spec = declaration.partition(" in ")
        for name in names.split(", "):
            _family(ReadFamily(name, spec, indices.low, indices.high), found)
    found.notes += read.notes


def _family(family: ReadFamily, found: ReadDomains) -> None:
    if family.name in BRACKETS or family.name in {f.name for f in found.families}:
        raise InputError(f"--for {family.name}[j]: take another name")
    found.families.append(family)
    if family.low == "1":
        found.arrays[family.name] = long_vector(family.name, family.high, found.peaks)


def printed(text: str) -> str:
    """Signs of sets as the letters that stand for them."""
    for pattern, instead in _PRINTED:
        text = re.sub(pattern, instead, text)
    return text.strip().strip("$").strip()


def split_at(text: str, sign: str) -> list[str]:
    """Split at a sign outside of brackets."""
    parts, depth, start = [], 0, 0
    for i, char in enumerate(text):
        depth += (char in "([{") - (char in ")]}")
        if char == sign and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    parts.append(text[start:])
    return [p.strip() for p in parts if p.strip()]


def _counted(match: re.Match[str]) -> str:
    """``n = 1, 2, ...`` and ``k = 0, 1, ..., n`` as ranges; steps other than 1 stay as they are."""
    name, first, second, end = match.groups()
    return f"{name} in {first}..{end or 'oo'}" if int(second) == int(first) + 1 else match[0]


def _piece(text: str, found: ReadDomains) -> None:
    waiting: list[str] = []
    counted = _COUNTED.sub(_counted, text)
    for chunk in (c for part in split_at(counted, ",") for c in re.split(r"\band\b", part)):
        chunk = chunk.strip()
        if not chunk:
            continue
        member = re.match(r"(.*?)(?:^|\s)in(?:\s+|(?=[\[({]))(.*)\Z", chunk, re.DOTALL)
        if member:
            _members([*waiting, member[1].strip()], member[2].strip(), text, found)
            waiting = []
        elif growing := _GROWING.match(chunk):
            spec = "1..oo" if _WHOLE.match(growing[1]) else "(0, oo)"
            found.declare([*map(_name, waiting), growing[1]], spec)
            found.notes.append(f"{growing[1]} to oo is read as {growing[1]} in {spec}")
            waiting = []
        elif _is_phrase(chunk):
            _phrase(chunk, waiting, text, found)
            waiting = []
        else:
            waiting.append(chunk)
    if waiting:
        raise InputError(f'--for {text[:60]!r}: write "NAME in DOMAIN", DOMAIN one of {FORMS}')


def _is_phrase(chunk: str) -> bool:
    return bool(re.search(r"[<>=≤≥≠⩽⩾]|\\(?:le|ge|ne|lt|gt)", chunk)) or (
        chunk.split()[0] in _KINDS or chunk.split()[-1] in _KINDS
    )


# ---------------------------------------------------------------- x in ...


def _members(raw: Sequence[str], spec: str, text: str, found: ReadDomains) -> None:
    kinds, names = [], []
    for word in raw:
        *before, name = word.split() or [""]
        if any(k not in _KINDS for k in before):
            raise InputError(f"--for {text[:60]!r}: {word!r} cannot be a name")
        kinds += before
        names.append(_name(name))
    if spec in _SETS:
        canonical, note = _SETS[spec]
        found.declare(names, canonical)
        found.notes += [note] if note else []
    elif match := re.fullmatch(r"\[\s*([A-Za-z]\w*|[1-9]\d*)\s*\]", spec, re.ASCII):
        found.declare(names, f"1..{match[1]}")
        found.notes.append(f"[{match[1]}] is 1..{match[1]}")
    elif _of_any_length(names, spec, found):
        pass
    elif match := _MATRICES.match(spec):
        for name in names:
            _structured(name, match[1], _size(match[2]), found)
    elif (match := _DIMENSION.match(spec)) and ".." not in spec:
        given = [s for s in match.groups()[1:] if s]
        rows, columns = _size(given[0]), _size(given[1]) if len(given) > 1 else 0
        for name in names:
            _array(name, _entries(match[1]), rows, columns, found)
    else:
        if head := re.match(r"([A-Za-z]\w*)\s*(?:\(|\Z)", spec, re.ASCII):
            _known_set(head[1], names, spec)
        found.declare(names, spec)
    for kind in kinds:
        found.where += [w for name in names if (w := _fact(kind, name))]


def _of_any_length(names: Sequence[str], spec: str, found: ReadDomains) -> bool:
    """Vectors, weights and symmetric matrices with a name for their size; whether it is one of these."""
    if match := _OF_ANY_SIZE.match(spec):
        for name in names:
            found.arrays[name] = matrix(name, match[1], match[2], found.traces)
    elif (match := _LONG.match(spec)) and ".." not in spec:
        for name in names:
            _family(ReadFamily(name, _entries(match[1]), "1", match[2] or match[3]), found)
            found.columns += [name] if match[1] == "R" else []
    elif match := _LONG_SIMPLEX.match(spec):
        for name in names:
            _family(ReadFamily(name, "(0, 1]", "1", match[1]), found)
            found.where.append(f"sum({name}) == 1")
    elif match := _LONG_MATRICES.match(spec):
        for name in names:
            _family(ReadFamily(name, _EIGENVALUES[match[1]], "1", match[2]), found)
            found.arrays[name] = long_vector(name, match[2], found.peaks, matrix=True)
            found.notes.append(f"{name} is symmetric; {name}[i] is its i-th eigenvalue")
    return match is not None


def _known_set(word: str, names: Sequence[str], spec: str) -> None:
    """Raises InputError where a domain begins with a word that is none."""
    if word != "primes":
        near = nearest(word, ("primes", *_STRUCTURED, *_SETS))
        raise InputError(
            f"--for {', '.join(names)}: {spec[:60]!r} is not a domain{near}; write {FORMS}"
        )


def _name(word: str) -> str:
    """Greek letters and subscripts as they stand in canonical names."""
    if word.isascii() and "\\" not in word and "{" not in word:
        return "lam" if word == "lambda" else word
    tokens = Lexer(word, "--for").cut()
    return tokens[0].text if [t.kind for t in tokens] == ["name", "end"] else word


def _size(text: str) -> int:
    size = int(text) if len(text) < 4 else MAX_SIZE + 1
    if not 1 <= size <= MAX_SIZE:
        raise InputError(f"--for: vectors of 1 to {MAX_SIZE} coordinates are read, not {text}")
    return size


def _entries(spec: str) -> str:
    return _SETS[spec][0] if spec in _SETS else spec


def _array(name: str, spec: str, rows: int, columns: int, found: ReadDomains) -> None:
    if not columns:
        entries = [Name(f"{name}_{i}") for i in range(1, rows + 1)]
        found.arrays[name] = vector(entries)
    else:
        entries = [
            Name(f"{name}_{i}{j}") for i in range(1, rows + 1) for j in range(1, columns + 1)
        ]
        found.arrays[name] = Array(
            [entries[k : k + columns] for k in range(0, len(entries), columns)], True
        )
    found.declare([e.text for e in entries], spec)
    found.notes.append(f"{name} = ({', '.join(e.text for e in entries)})")


def _structured(name: str, kind: str, size: int, found: ReadDomains) -> None:
    if kind == "simplex":
        _simplex(name, size, found)
        return
    if kind != "Sym" and size > 3:
        raise InputError(f"--for {name}: {kind}(n) is read for n up to 3")
    entry = {
        (i, j): Name(f"{name}_{min(i, j)}{max(i, j)}")
        for i in range(1, size + 1)
        for j in range(1, size + 1)
    }
    rows = [[entry[i, j] for j in range(1, size + 1)] for i in range(1, size + 1)]
    found.arrays[name] = Array(rows, True)
    upper = [entry[i, j].text for i in range(1, size + 1) for j in range(i, size + 1)]
    diagonal = {entry[i, i].text for i in range(1, size + 1)} if kind != "Sym" else set()
    side = "(0, oo)" if kind == "PD" else "[0, oo)"
    for text in upper:
        found.declare([text], side if text in diagonal else "(-oo, oo)")
    # Sylvester: all leading minors > 0; semidefinite: all principal minors >= 0.
    sets = _minors(size, kind)
    sign = ">" if kind == "PD" else ">="
    for chosen in sets:
        minor = determinant([[rows[i][j] for j in chosen] for i in chosen])
        found.where.append(f"{text_of(minor)} {sign} 0")
    found.notes.append(f"{name} is symmetric with the entries {', '.join(upper)}")


def _minors(size: int, kind: str) -> list[tuple[int, ...]]:
    if kind == "Sym":
        return []
    if kind == "PD":
        return [tuple(range(k)) for k in range(2, size + 1)]
    subsets = [tuple(i for i in range(size) if mask >> i & 1) for mask in range(1 << size)]
    return [s for s in subsets if len(s) > 1]


def _simplex(name: str, size: int, found: ReadDomains) -> None:
    """Positive weights of sum 1; the last one is what the others leave."""
    free: list[Node] = [Name(f"{name}_{i}") for i in range(1, size)]
    for i, weight in enumerate(free):
        left = " - ".join(["1", *(text_of(w) for w in free[:i])])
        found.declare([text_of(weight)], f"(0, {left})")
    last: Node = Binary("-", Number("1"), total(free)) if free else Number("1")
    found.arrays[name] = vector([*free, last])
    found.notes.append(f"{name} = ({', '.join(text_of(w) for w in [*free, last])}), all > 0")


# ---------------------------------------------------------------- x > 0


def _phrase(chunk: str, waiting: Sequence[str], text: str, found: ReadDomains) -> None:
    words = chunk.split()
    kinds = [w for w in words if w in _KINDS]
    rest = " ".join(w for w in words if w not in _KINDS)
    if not re.search(r"[<>=≤≥≠⩽⩾]|\\(?:le|ge|ne|lt|gt)", rest):
        names = [_name(w) for w in (*waiting, *rest.split())]
        _kinds_only(names, kinds, found)
        return
    lexer = Lexer(rest, "--for")
    tokens = lexer.cut()
    typed = frozenset(
        t.text
        for t, after in itertools.pairwise(tokens)
        if t.kind == "name"
        and not t.symbol
        and t.text not in found.arrays
        and not (after.text == "(" and is_function(t.text))
    )
    declared = Names(typed | frozenset(found.names), vectors=found.arrays)
    node, _ = parse(rest, "--for", tokens, declared, lexer.latex, Choices())
    new = [_name(w) for w in waiting]
    if not isinstance(node, Chain):
        raise InputError(f'--for {text[:60]!r}: write "NAME in DOMAIN", DOMAIN one of {FORMS}')
    names = [p.text for p in node.parts if isinstance(p, Name) and p.text not in found.names]
    names = [n for n in names if n not in ("oo", "pi")]
    if not names or "!=" in node.ops:
        for name in names:
            found.declare([name], "-oo..oo" if _is_whole(name, kinds, node) else "(-oo, oo)")
        found.where.append(text_of(node))
        return
    if "==" in node.ops:
        raise InputError(f"--for {text[:60]!r}: a name is not set equal; write its value instead")
    _ranges(node, names, new, kinds, found)
    _facts(kinds, [*new, *names], found)


def _kinds_only(names: Sequence[str], kinds: Sequence[str], found: ReadDomains) -> None:
    whole = {"integer", "odd", "even", "natural"} & set(kinds)
    for name in names:
        if name not in found.names:
            low = {"positive": "1", "nonnegative": "0", "natural": "1"}
            start = next((low[k] for k in kinds if k in low), "-oo")
            spec = f"{start}..oo" if whole else ("(-oo, oo)" if start == "-oo" else "(0, oo)")
            if "nonnegative" in kinds and not whole:
                spec = "[0, oo)"
            found.declare([name], "primes(2..oo)" if "prime" in kinds else spec)
    _facts([k for k in kinds if k != "prime"], names, found)


def _facts(kinds: Sequence[str], names: Sequence[str], found: ReadDomains) -> None:
    found.where += [w for k in kinds for n in names if (w := _fact(k, n))]


def _fact(kind: str, name: str) -> str:
    return {
        "odd": f"Mod({name}, 2) == 1",
        "even": f"Mod({name}, 2) == 0",
        "prime": f"isprime({name})",
    }.get(kind, "")


def _is_whole(name: str, kinds: Sequence[str], chain: Chain) -> bool:
    if "real" in kinds:
        return False
    if {"integer", "odd", "even", "prime", "natural"} & set(kinds):
        return True
    decimal = any(isinstance(p, Number) and not p.text.isdigit() for p in chain.parts)
    return bool(_WHOLE.match(name)) and not decimal


def _ranges(
    chain: Chain,
    names: Sequence[str],
    more: Sequence[str],
    kinds: Sequence[str],
    found: ReadDomains,
) -> None:
    """``0 < x <= y < 1``: x between 0 and 1, then y between x and 1."""
    parts, ops = list(chain.parts), list(chain.ops)
    if all(op in (">", ">=") for op in ops):
        parts.reverse()
        ops = ["<" if op == ">" else "<=" for op in reversed(ops)]
    if not all(op in ("<", "<=") for op in ops):
        raise InputError(f"--for {text_of(chain)[:60]!r}: the signs of a chain point one way")
    for k, part in enumerate(parts):
        if not (isinstance(part, Name) and part.text in names):
            continue
        low, low_open = (parts[k - 1], ops[k - 1] == "<") if k else (None, True)
        later = [j for j in range(k + 1, len(parts)) if not _is_new(parts[j], names)]
        high = parts[later[0]] if later else None
        high_open = "<" in ops[k : later[0]] if later else True
        new = [*more, part.text] if len(names) == 1 else [part.text]
        whole = _is_whole(part.text, kinds, chain)
        spec = (_integers if whole else _reals)(low, low_open, high, high_open)
        found.declare(new, spec)
        if whole and not {"integer", "odd", "even", "prime"} & set(kinds):
            found.notes.append(f"{', '.join(new)}: integers; for reals add the word real")


def _is_new(part: Node, names: Sequence[str]) -> bool:
    return isinstance(part, Name) and part.text in names


def _reals(low: Node | None, low_open: bool, high: Node | None, high_open: bool) -> str:
    ends = ("-oo" if low is None else text_of(low), "oo" if high is None else text_of(high))
    return f"{'(' if low_open else '['}{ends[0]}, {ends[1]}{')' if high_open else ']'}"


def _integers(low: Node | None, low_open: bool, high: Node | None, high_open: bool) -> str:
    start = "-oo" if low is None else _shifted(low, low_open, 1)
    end = "oo" if high is None else _shifted(high, high_open, -1)
    return f"{start}..{end}"


def _shifted(end: Node, is_open: bool, step: int) -> str:
    if not is_open or end == Name("oo") or end == Minus(Name("oo")):
        return text_of(end)
    if isinstance(end, Number) and end.text.isdigit():
        return str(int(end.text) + step)
    return text_of(Binary("+" if step > 0 else "-", end, Number("1")))


def named(texts: Sequence[str]) -> Iterator[str]:
    """The names that the phrases declare, arrays among them."""
    found = read_domains(texts)
    yield from found.names
    yield from found.arrays
    yield from (f.name for f in found.families if f.name not in found.arrays)


__all__ = [
    "FORMS",
    "Indices",
    "ReadDomains",
    "ReadFamily",
    "for_every_index",
    "named",
    "printed",
    "read_domains",
    "split_at",
]
