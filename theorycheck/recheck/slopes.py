"""Signs by the derivative in one name: what is at least 0 at an end, or in the limit there, and does not fall from it.

The name moves and the others stand still: hypotheses that speak of it are left out, and no other range may depend
on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from flint import fmpq

from theorycheck.recheck.normal import (
    CTX,
    GENS,
    ONE,
    Atom,
    Finer,
    Normal,
    NotNormal,
    Poly,
    PolyQuotient,
    constant,
)
from theorycheck.recheck.scope import Range, Scope
from theorycheck.recheck.signs import Signed, coefficients, know
from theorycheck.recheck.sweep import sweep
from theorycheck.recheck.tree import Tree, name, number

DEEPEST = 4
"""Derivatives of derivatives: each has more terms than the one before, and a polynomial of degree 4 is done. Like the
two below it bounds work alone: beyond it nothing is proved, and nothing else changes."""
FINE = 60
"""Parts of exponents up to which anything is differentiated: finer ones have degrees in the thousands."""
LONGEST = 24
"""Monomials of what is differentiated."""
REFINED = 4
"""Times that the parts of exponents are made finer, as a derivative asks for it: once a prime factor of FINE."""
LOOKED_AT, GLANCE = 24, 0.05
"""Points, and seconds' worth of steps, for a look at whether a goal is plausible: what is false at one of them is not
tried, what is true at all has still to be proved."""

Prove = Callable[[Tree, tuple[Range, ...], tuple[Tree, ...], int], bool]
"""Whether a comparison is proved over ranges under hypotheses; the number is how deep in derivatives."""

_WAVES = ("erfc", "sin", "cos")
_SMOOTH = ("name", "const", "root", "power", "log", *_WAVES)


def derivative(normal: Normal, p: Poly, of: str) -> PolyQuotient:
    """The derivative of a polynomial in a name. Raises NotNormal where an indeterminate has none that is known."""
    result = constant(0)
    for place, degree in enumerate(p.degrees()):
        if degree <= 0:
            continue
        inner = _of_atom(normal, normal.atoms[place], of)
        if inner.num != 0:
            result = result + PolyQuotient(p.derivative(place), ONE) * inner
    return normal.reduced(result)


def of_quotient(normal: Normal, q: PolyQuotient, of: str) -> PolyQuotient:
    """The derivative of a quotient in a name."""
    up, down = derivative(normal, q.num, of), derivative(normal, q.den, of)
    below = PolyQuotient(ONE, q.den)
    return normal.reduced((up - down * PolyQuotient(q.num, q.den)) * below)


def _of_atom(normal: Normal, atom: Atom, of: str) -> PolyQuotient:
    itself = PolyQuotient(normal.gen(atom), ONE)
    share = constant(fmpq(1, normal.parts))
    if atom.kind == "name":
        return constant(int(atom.key == of))
    if atom.kind not in _SMOOTH:
        if atom.node is None or of in atom.node.names():
            raise NotNormal("a function without a derivative")
        return constant(0)
    if of not in normal.all_names(atom):
        return constant(0)
    if atom.kind in ("root", "log"):
        assert atom.base is not None
        normal.require(atom.base.num, "!=")
        change = of_quotient(normal, atom.base, of)
        if atom.kind == "log":
            return change * atom.base.inverse()
        return change * itself.power(1 - normal.parts) * share
    if atom.kind == "power":
        assert atom.exponent is not None
        if atom.base is None:
            return itself * of_quotient(normal, atom.exponent, of) * share
        log = normal.logarithm(atom.base)
        return itself * of_quotient(normal, normal.reduced(atom.exponent * log), of) * share
    x = atom.arguments[0]
    change = of_quotient(normal, x, of)
    if atom.kind == "erfc":
        pi = normal.atom("const", "pi", node=Tree("const", text="pi"))
        root = normal.raised(pi, constant(fmpq(-1, 2)))
        return constant(-2) * root * normal.exponential(normal.reduced(-(x * x))) * change
    cos, sin = (normal.atom(k, atom.key, arguments=(x,)) for k in ("cos", "sin"))
    return (cos if atom.kind == "sin" else -sin) * change


def as_tree(normal: Normal, p: Poly) -> Tree:
    """A polynomial as a term. Raises NotNormal where an indeterminate has no text."""
    if len(p) > LONGEST:
        raise NotNormal("too long for a term")
    total = number(0)
    for powers, c in p.to_dict().items():
        term = number(c)
        for place, degree in enumerate(powers):
            if degree:
                factor = _atom_tree(normal, normal.atoms[place], int(degree))
                term = Tree("mul", (term, factor))
        total = Tree("add", (total, term))
    return total


def _atom_tree(normal: Normal, atom: Atom, degree: int) -> Tree:
    """A power of an indeterminate."""
    share = number(fmpq(degree, normal.parts))
    match atom.kind:
        case "name":
            whole = name(atom.key)
        case "root" if atom.base is not None:
            return Tree("pow", (quotient_tree(normal, atom.base), share))
        case "power" if atom.exponent is not None:
            exponent = Tree("mul", (share, quotient_tree(normal, atom.exponent)))
            if atom.base is None:
                return Tree("call", (exponent,), "exp")
            return Tree("pow", (quotient_tree(normal, atom.base), exponent))
        case "log" if atom.base is not None:
            whole = Tree("call", (quotient_tree(normal, atom.base),), "log")
        case kind if kind in _WAVES:
            whole = Tree("call", (quotient_tree(normal, atom.arguments[0]),), kind)
        case _ if atom.node is not None:
            whole = atom.node
        case _:
            raise NotNormal("an indeterminate without a term")
    return Tree("pow", (whole, number(degree))) if degree > 1 else whole


def quotient_tree(normal: Normal, q: PolyQuotient) -> Tree:
    """A quotient as a term."""
    num = as_tree(normal, q.num)
    return num if q.den == 1 else Tree("div", (num, as_tree(normal, q.den)))


def by_slope(
    p: Poly,
    signs: Signed,
    known: tuple[Tree, ...],
    *,
    strict: bool,
    prove: Prove,
    depth: int,
) -> bool:
    """Whether a polynomial in the indeterminates is proved to be >= 0, or > 0."""
    if depth >= DEEPEST or len(p) > LONGEST or signs.normal.parts > FINE:
        return False
    term = as_tree(signs.normal, _bare(signs, p))
    names = term.names()
    told = names.union(*(k.names() for k in known))
    ranges = tuple(r for r in signs.ranges if r.name in told or _used(r.name, signs.ranges))
    for r in reversed(ranges):
        if r.name in names and not _used(r.name, ranges) and r.kind in ("real", "integer"):
            kept = tuple(k for k in known if r.name not in k.names())
            if _moved(r, ranges, kept, signs.normal.parts, prove, depth, term, strict):
                return True
    return False


def _moved(
    r: Range,
    ranges: tuple[Range, ...],
    kept: tuple[Tree, ...],
    parts: int,
    prove: Prove,
    depth: int,
    term: Tree,
    strict: bool,
) -> bool:
    for _ in range(REFINED):
        try:
            return _Moving(r, ranges, kept, parts, prove, depth).shown(term, strict)
        except Finer as problem:
            parts = problem.size
            if parts > FINE:
                break
        except NotNormal:
            break
    return False


def halves(
    ranges: tuple[Range, ...], used: frozenset[str]
) -> Iterator[list[tuple[tuple[Range, ...], dict[str, Tree]]]]:
    """Ways to take a region apart: a real name at 0, an integer at its first value; each part with what is put."""
    integers = frozenset(r.name for r in ranges if r.kind == "integer")
    for i, r in enumerate(ranges):
        if r.name not in used or r.low is None or r.high is None:
            continue
        before, after = ranges[:i], ranges[i + 1 :]
        if r.kind == "real" and _below(r.low) and _below(Tree("neg", (r.high,))):
            up = replace(r, low=number(0), low_open=False)
            down = replace(r, high=number(0), high_open=False)
            yield [((*before, up, *after), {}), ((*before, down, *after), {})]
        elif r.kind == "integer" and _whole(r.low, integers):
            rest = replace(r, low=Tree("add", (r.low, number(1))))
            yield [_at(ranges, i, r.low), ((*before, rest, *after), {})]


def _at(
    ranges: tuple[Range, ...], i: int, value: Tree
) -> tuple[tuple[Range, ...], dict[str, Tree]]:
    """A region where a name has a value."""
    put = {ranges[i].name: value}
    after = tuple(
        replace(a, low=a.low and a.low.put(put), high=a.high and a.high.put(put))
        for a in ranges[i + 1 :]
    )
    return (*ranges[:i], *after), put


def ends_apart(
    ranges: tuple[Range, ...], base: frozenset[str], exponent: frozenset[str]
) -> Iterator[list[tuple[tuple[Range, ...], dict[str, Tree]]]]:
    """Ways to take a region apart: a real name of the first kind at an end that belongs to its range, an integer of the
    second at 0, where its range begins."""
    for i, r in enumerate(ranges):
        if r.low is None or r.high is None:
            continue
        before, after = ranges[:i], ranges[i + 1 :]
        if r.kind == "real" and r.name in base:
            if not r.high_open and not _endless(r.high):
                open_ = replace(r, high_open=True)
                yield [_at(ranges, i, r.high), ((*before, open_, *after), {})]
            if not r.low_open and not _endless(r.low):
                open_ = replace(r, low_open=True)
                yield [_at(ranges, i, r.low), ((*before, open_, *after), {})]
        if r.kind == "integer" and r.name in exponent and r.low == number(0):
            yield [_at(ranges, i, r.low), ((*before, replace(r, low=number(1)), *after), {})]


def _endless(e: Tree) -> bool:
    return any(n.op == "const" and n.text == "oo" for n in e.walk())


def _whole(e: Tree, integers: frozenset[str]) -> bool:
    """Whether a term is an integer, as it is written."""
    if e.op == "num":
        return e.value is not None and e.value.q == 1
    if e.op == "name":
        return e.text in integers
    return e.op in ("add", "mul", "neg") and all(_whole(a, integers) for a in e.args)


def _below(e: Tree) -> bool:
    """Whether an end is a number below 0, or -oo."""
    turns = 0
    while e.op == "neg":
        e, turns = e.args[0], turns + 1
    if e.op == "const" and e.text == "oo":
        return turns % 2 == 1
    if e.op != "num" or e.value is None:
        return False
    return bool(e.value < 0 if turns % 2 == 0 else e.value > 0)


def _used(of: str, ranges: tuple[Range, ...]) -> bool:
    ends = [e for r in ranges for e in (r.low, r.high, *r.values) if e is not None]
    return any(of in e.names() for e in ends)


def _bare(signs: Signed, p: Poly) -> Poly:
    """Without factors that are proved to have a sign."""
    lead, parts = p.factor()
    result = CTX.constant(1 if lead > 0 else -1)
    for factor, times in parts:
        if signs.positive(factor):
            continue
        if signs.positive(-factor):
            result *= (-1) ** int(times)
        else:
            result *= factor ** int(times)
    return result


class _Moving:
    """One name moves over its range."""

    def __init__(
        self,
        moving: Range,
        ranges: tuple[Range, ...],
        known: tuple[Tree, ...],
        parts: int,
        prove: Prove,
        depth: int,
    ) -> None:
        self.moving, self.known, self.prove, self.depth = moving, known, prove, depth
        self.others = tuple(r for r in ranges if r is not moving)
        inside = replace(moving, kind="real", low_open=True, high_open=True)
        self.inside = tuple(inside if r is moving else r for r in ranges)
        self.closed = tuple(replace(r, kind="real") if r is moving else r for r in ranges)
        self.parts = parts

    def signs(self, ranges: tuple[Range, ...]) -> Signed:
        """Signs over these ranges, with the hypotheses that stand still."""
        found = Signed(ranges, self.parts)
        for fact in self.known:
            know(fact, found)
        return found

    def shown(self, term: Tree, strict: bool) -> bool:
        # has values all along the way, the ends that belong to it among them
        self.signs(self.closed).normal.quotient(term)
        here = self.signs(self.inside)
        q = here.normal.quotient(term)
        for f in self.scaled(q, here):
            slope = of_quotient(here.normal, f, self.moving.name)
            value = quotient_tree(here.normal, f)
            turned = _bare(here, slope.num * slope.den) if slope.num != 0 else slope.num
            goal = as_tree(here.normal, turned)
            for way in (1, -1):
                if self.rises(goal, way, value, strict, here):
                    return True
            if self.bent(slope, value, strict, here):
                return True
        return False

    def bent(self, slope: PolyQuotient, value: Tree, strict: bool, here: Signed) -> bool:
        """Whether f is concave, and at least 0 at both ends."""
        r = self.moving
        if r.low is None or r.high is None or _endless(r.low) or _endless(r.high):
            return False
        second = of_quotient(here.normal, slope, r.name)
        bend = as_tree(
            here.normal, _bare(here, second.num * second.den) if second.num else second.num
        )
        goals = [(Tree("cmp", (bend, number(0)), "<" if strict else "<="), self.inside)]
        for end, open_ in ((r.low, r.low_open), (r.high, r.high_open)):
            sign = ">" if strict and not open_ else ">="
            goals.append((Tree("cmp", (value.put({r.name: end}), number(0)), sign), self.others))
        return all(self.plausible(*g) for g in goals) and all(
            self.prove(g, ranges, self.known, self.depth + 1) for g, ranges in goals
        )

    def scaled(self, q: PolyQuotient, here: Signed) -> Iterator[PolyQuotient]:
        """The same sign: as it is, and divided by what stands before a logarithm, an erfc, or by an exponential."""
        p = q.num * q.den
        moving = [
            (place, a)
            for place, a in enumerate(list(here.normal.atoms))
            if p.degrees()[place] > 0 and self.moving.name in here.normal.all_names(a)
        ]
        for place, a in moving:
            if a.kind in ("log", "erfc") and p.degrees()[place] == 1:
                front = coefficients(p, place)[1]
                for way in (1, -1):
                    if not front.is_constant() and here.positive(way * front):
                        yield here.normal.reduced(PolyQuotient(way * p, front))
        yield PolyQuotient(p, ONE)
        for place, a in moving:
            if a.kind == "power":
                yield PolyQuotient(p, GENS[place] ** int(p.degrees()[place]))

    def rises(self, goal: Tree, way: int, value: Tree, strict: bool, here: Signed) -> bool:
        """Whether f is monotone, away from an end at which it is at least 0."""
        from_low = way > 0
        end = self.moving.low if from_low else self.moving.high
        open_ = self.moving.low_open if from_low else self.moving.high_open
        if end is None:
            return False
        infinite = _endless(end)
        slope = Tree("cmp", (goal, number(0)), ">=" if from_low else "<=")
        if not self.plausible(slope, self.inside):
            return False
        start = self.limit(value, here) if infinite and not from_low else None
        if infinite and start is None:
            return False
        start = start if start is not None else value.put({self.moving.name: end})
        at_end = Tree("cmp", (start, number(0)), ">=")
        if not self.plausible(at_end, self.others):
            return False
        further = self.depth + 1
        if not strict:
            return self.prove(at_end, self.others, self.known, further) and self.prove(
                slope, self.inside, self.known, further
            )
        above = Tree("cmp", at_end.args, ">")
        if self.plausible(above, self.others) and self.prove(
            above, self.others, self.known, further
        ):
            return self.prove(slope, self.inside, self.known, further)
        if not (open_ or infinite):
            return False
        steep = Tree("cmp", slope.args, ">" if from_low else "<")
        return self.prove(at_end, self.others, self.known, further) and self.prove(
            steep, self.inside, self.known, further
        )

    def plausible(self, goal: Tree, ranges: tuple[Range, ...]) -> bool:
        """Whether no point that is looked at says no."""
        scope = Scope(ranges, where=self.known)
        return sweep(goal, scope, tries=LOOKED_AT, seconds=GLANCE).false is None

    # limits at infinity

    def limit(self, value: Tree, here: Signed) -> Tree | None:
        """The limit at oo as a term in the other names, None where none is found."""
        q = here.normal.quotient(value)
        found = self._dying(q, here)
        return found if found is not None else self._inverted(value)

    def _inverted(self, value: Tree) -> Tree | None:
        """With 1/t in the place of the name, at t = 0."""
        t = Range("1/x", "real", number(0), number(1), low_open=True)
        near = self.signs((*self.others, t))
        put = value.put({self.moving.name: Tree("div", (number(1), name("1/x")))})
        try:
            q = near.normal.quotient(put)
            return quotient_tree(near.normal, q).put({"1/x": number(0)})
        except NotNormal:
            return None

    def _dying(self, q: PolyQuotient, here: Signed) -> Tree | None:
        """What is left where all other terms fall like an exponential."""
        normal, of = here.normal, self.moving.name
        if len(q.den) != 1:
            return None
        below = next(iter(q.den.to_dict()))
        left: dict[tuple[int, ...], fmpq] = {}
        for powers, c in q.num.to_dict().items():
            exponent, dead, moves = constant(0), False, False
            for place, (up, down) in enumerate(zip(powers, below, strict=True)):
                if up == down == 0 or of not in normal.all_names(normal.atoms[place]):
                    continue
                a, moves = normal.atoms[place], True
                if a.kind == "power" and a.base is None and a.exponent is not None:
                    exponent = exponent + a.exponent * constant(
                        fmpq(int(up) - int(down), normal.parts)
                    )
                elif a.kind == "erfc" and not down:
                    dead = dead or self._leading(a.arguments[0], here) > 0
                elif down if a.kind in ("sin", "cos") else not self._itself(a, normal):
                    return None
            if not moves:
                left[powers] = c
                continue
            exponent = normal.reduced(exponent)
            way = self._leading(exponent, here) if exponent.num != 0 else 0
            if not (way < 0 or (dead and exponent.num == 0)):
                return None
        return (
            quotient_tree(normal, PolyQuotient(CTX.from_dict(left), q.den)) if left else number(0)
        )

    def _itself(self, a: Atom, normal: Normal) -> bool:
        """The moving name, or a root of it."""
        if a.kind == "name":
            return a.key == self.moving.name
        inner = normal.alone(a.base) if a.kind == "root" and a.base is not None else None
        return inner is not None and inner.kind == "name" and inner.key == self.moving.name

    def _leading(self, q: PolyQuotient, here: Signed) -> int:
        """The sign of a polynomial in the moving name at oo, where it grows; 0 where this is not known."""
        normal, of = here.normal, self.moving.name
        if any(
            d > 0 and of in normal.all_names(normal.atoms[i]) for i, d in enumerate(q.den.degrees())
        ):
            return 0
        places = [
            i
            for i, d in enumerate(q.num.degrees())
            if d > 0 and of in normal.all_names(normal.atoms[i])
        ]
        if len(places) != 1 or not self._itself(normal.atoms[places[0]], normal):
            return 0
        parts = coefficients(q.num, places[0])
        first = parts[max(parts)] * q.den
        return 1 if here.positive(first) else -1 if here.positive(-first) else 0


def by_logarithm(p: Poly, signs: Signed) -> Tree | None:
    """For p of two terms with different signs, what is >= 0 (> 0) where p is: the logarithm of their quotient."""
    terms = list(p.to_dict().items())
    if len(terms) != 2 or (terms[0][1] > 0) == (terms[1][1] > 0):
        return None
    up, down = sorted(terms, key=lambda t: -t[1])
    num, den = (CTX.from_dict({powers: abs(c)}) for powers, c in (up, down))
    if not (signs.positive(num) and signs.positive(den)):
        return None
    q = signs.normal.logarithm(PolyQuotient(num, den))
    return quotient_tree(signs.normal, signs.normal.reduced(q))
