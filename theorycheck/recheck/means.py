"""Expectations and probabilities at a point, for the sweep: counted over finite laws, in balls over normal ones.

Of a continuous name, the line is cut where a comparison, a `Max`, an absolute value turns; between, the term is smooth.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise, product
from typing import Any

from flint import acb, arb, fmpq, fmpz

from theorycheck.recheck.cases import branches
from theorycheck.recheck.evaluate import Holomorphic, Point, integrated
from theorycheck.recheck.functions import (
    NotTold,
    NoValue,
    OutOfReach,
    Value,
    ball,
    power,
    sign,
    whole,
)
from theorycheck.recheck.points import linear_root
from theorycheck.recheck.scope import NamedLaw
from theorycheck.recheck.tree import Tree, number

FINITE = ("Bernoulli", "Rademacher", "Bin")
_SPLIT = ("Max", "max", "Min", "min", "abs", "Abs", "relu", "sign")
FAR = 19
"""Standard deviations up to which a normal law is integrated: beyond are less than 2**-250."""


def evaluator(laws: tuple[NamedLaw, ...]) -> Callable[[Tree, Point], Value]:
    """What evaluates `E[...]`, `P[...]`, `Var[...]` and `Cov[...]` of names with these laws."""

    def mean(e: Tree, point: Point) -> Value:
        if e.text == "P":
            body = Tree("pieces", (number(1), e.args[0], number(0), Tree("true")))
            return expected(body, laws, point)
        if e.text == "E":
            return expected(e.args[0], laws, point)
        x, y = e.args[0], e.args[-1]
        both = expected(Tree("mul", (x, y)), laws, point)
        return both - expected(x, laws, point) * expected(y, laws, point)

    return mean


def expected(body: Tree, laws: tuple[NamedLaw, ...], point: Point) -> Value:
    """The mean of a term. Raises OutOfReach where it is none that is read."""
    used = [law for law in laws if law.name in body.names()]
    finite = [law for law in used if law.kind in FINITE]
    rest = tuple(law for law in used if law.kind not in FINITE)
    tables = [_table(law, point) for law in finite]
    total: Value = fmpq(0)
    for row in product(*tables):
        weight: Value = fmpq(1)
        here = point
        for law, (value, chance) in zip(finite, row, strict=True):
            here, weight = here.having(law.name, value), _times(weight, chance)
        if isinstance(weight, fmpq) and weight == 0:
            continue
        total = _plus(total, _times(weight, _continuous(body, rest, here)))
    return total


def _table(law: NamedLaw, point: Point) -> list[tuple[fmpq, Value]]:
    """Values and their chances."""
    if law.kind == "Rademacher":
        return [(fmpq(1), fmpq(1, 2)), (fmpq(-1), fmpq(1, 2))]
    p = point.term(law.given[-1])
    n = 1 if law.kind == "Bernoulli" else whole(point.term(law.given[0]))
    if n is None or n > 60:
        raise OutOfReach("a binomial law of many trials")
    q = fmpq(1) - p if isinstance(p, fmpq) else 1 - p
    if sign(q) < 0 or sign(p) < 0:
        raise NoValue
    return [
        (
            fmpq(k),
            _times(fmpq(fmpz.bin_uiui(n, k)), _times(power(p, fmpq(k)), power(q, fmpq(n - k)))),
        )
        for k in range(n + 1)
    ]


def _continuous(body: Tree, laws: tuple[NamedLaw, ...], point: Point) -> Value:
    laws = tuple(law for law in laws if law.name in body.names())
    if not laws:
        return point.term(body)
    smooth = [law for law in laws if law.kind == "N" and _degree(body, law.name) is not None]
    if smooth:
        law = smooth[0]
        rest = tuple(other for other in laws if other is not law)
        return _by_moments(body, law, rest, point)
    if len(laws) > 1:
        raise OutOfReach("several names of which the term is no polynomial")
    return _integrated(body, laws[0], point)


def _degree(e: Tree, name: str) -> int | None:
    """The degree of a term that is a polynomial in a name, as it is written; None where it is none."""
    if name not in e.names():
        return 0
    parts = [_degree(a, name) for a in e.args]
    match e.op:
        case "name":
            return 1
        case "neg":
            return parts[0]
        case "add":
            return None if None in parts else max(p for p in parts if p is not None)
        case "mul":
            return None if None in parts else sum(p for p in parts if p is not None)
        case "div":
            return parts[0] if name not in e.args[1].names() else None
        case "pow" if e.args[1].op == "num" and parts[0] is not None:
            n = whole(e.args[1].value)
            return parts[0] * n if n is not None and 0 <= n <= 8 else None
    return None


def _normal(law: NamedLaw, point: Point) -> tuple[Value, Value]:
    mean, variance = (point.term(g) for g in law.given)
    if sign(variance) < 0:
        raise NoValue
    return mean, variance


def _by_moments(body: Tree, law: NamedLaw, rest: tuple[NamedLaw, ...], point: Point) -> Value:
    """The mean over a normal name in which the term is a polynomial: exact on as many nodes as moments."""
    degree = _degree(body, law.name) or 0
    mean, variance = _normal(law, point)
    nodes = [fmpq(k) for k in range(-(degree // 2), degree - degree // 2 + 1)]
    total: Value = fmpq(0)
    for i, x in enumerate(nodes):
        weight = _weight(nodes, i, mean, variance)
        total = _plus(total, _times(weight, _continuous(body, rest, point.having(law.name, x))))
    return total


def lagrange(nodes: list[fmpq], i: int) -> list[fmpq]:
    """The coefficients of the polynomial that is 1 at a node and 0 at the others."""
    coefficients = [fmpq(1)]
    for j, x in enumerate(nodes):
        if j != i:
            scale = 1 / (nodes[i] - x)
            lower = [-x * scale * c for c in coefficients] + [fmpq(0)]
            upper = [fmpq(0)] + [scale * c for c in coefficients]
            coefficients = [a + b for a, b in zip(lower, upper, strict=True)]
    return coefficients


def _weight(nodes: list[fmpq], i: int, mean: Value, variance: Value) -> Value:
    """The mean of the polynomial of Lagrange that belongs to a node."""
    coefficients = lagrange(nodes, i)
    moments: list[Value] = [fmpq(1), mean]
    for k in range(2, len(coefficients)):
        moments.append(
            _plus(
                _times(mean, moments[k - 1]), _times(fmpq(k - 1), _times(variance, moments[k - 2]))
            )
        )
    total: Value = fmpq(0)
    for c, m in zip(coefficients, moments, strict=False):
        total = _plus(total, _times(c, m))
    return total


def _integrated(body: Tree, law: NamedLaw, point: Point) -> Value:
    if law.kind != "N":
        raise OutOfReach(f"a mean over {law.kind}")
    mean, variance = _normal(law, point)
    if sign(variance) == 0:
        return point.having(law.name, mean).term(body)
    wide = ball(variance).sqrt()
    for way in (-1, 1):
        last = fmpq(*_dyadic(ball(mean) + way * FAR * wide))
        size = abs(ball(point.having(law.name, last).term(body)))
        if not size < arb(2) ** 12 * (1 + abs(ball(last))) ** 4:
            raise OutOfReach("a mean of what grows")
    low, high = (ball(mean) + way * FAR * wide for way in (-1, 1))
    turns = sorted(_turns(body, law.name, point), key=lambda x: float(ball(x)))
    ends = [low, *(ball(t) for t in turns if ball(t) > low and ball(t) < high), high]
    total = arb(0)
    for a, b in pairwise(ends):
        if not b - a > arb(2) ** -60:
            continue
        middle = fmpq(*_dyadic((a + b) / 2))
        smooth = chosen(body, point.having(law.name, middle))
        total += _piece(smooth, law.name, a, b, ball(mean), ball(variance), point)
    size = max(abs(total).upper(), abs(ball(mean)).upper() + wide.upper(), arb(1), key=float)
    return total + arb(0, size * arb(2) ** -225)


def _piece(e: Tree, name: str, a: arb, b: arb, mean: arb, variance: arb, point: Point) -> arb:
    f = Holomorphic(name, point)
    front = 1 / (2 * arb.pi() * variance).sqrt()

    def integrand(z: acb) -> acb:
        return f.term(e, z) * (-((z - mean) ** 2) / (2 * variance)).exp() * front

    if e.op == "num" or name not in e.names():
        root = (2 * variance).sqrt()
        share = (((b - mean) / root).erf() - ((a - mean) / root).erf()) / 2
        return ball(point.term(e)) * share
    found = integrated(integrand, a, b)
    if not found.is_finite():
        raise OutOfReach("a mean that does not come out")
    result: arb = found.real
    return result


def _dyadic(x: arb) -> tuple[Any, Any]:
    mantissa, exponent = x.mid().man_exp()
    value = fmpq(mantissa) * fmpq(2) ** int(exponent)
    return value.p, value.q


def _turns(e: Tree, name: str, point: Point) -> list[Value]:
    """Where the cases of a term turn, each at one value of a name. Raises OutOfReach where one is not linear."""
    found: list[Value] = []
    seen: set[Tree] = set()
    for _, known in branches(Tree("cmp", (e, number(0)), ">=")):
        for c in known:
            if c in seen or name not in c.names():
                continue
            seen.add(c)
            root = linear_root(c, name, point)
            if root is None:
                raise OutOfReach("a case that turns where no linear equation says")
            found.append(root)
    return found


def chosen(e: Tree, point: Point) -> Tree:
    """The term with the case that a point has in the place of each case."""
    if e.op == "pieces":
        for value, condition in zip(e.args[::2], e.args[1::2], strict=True):
            if point.holds(condition):
                return chosen(value, point)
        raise NoValue
    if e.op == "call" and e.text in _SPLIT:
        x = e.args[0]
        match e.text:
            case "abs" | "Abs":
                return chosen(x if sign(point.term(x)) >= 0 else Tree("neg", (x,)), point)
            case "relu":
                return chosen(x, point) if sign(point.term(x)) > 0 else number(0)
            case "sign":
                return number(sign(point.term(x)))
        value = point.term(e)
        for a in e.args:
            if _same(point.term(a), value):
                return chosen(a, point)
        raise NotTold
    if not e.args or e.op in ("sum", "product", "integral"):
        return e
    return Tree(e.op, tuple(chosen(a, point) for a in e.args), e.text, e.value)


def _same(a: Value, b: Value) -> bool:
    if isinstance(a, fmpq) and isinstance(b, fmpq):
        return bool(a == b)
    return bool(ball(a).overlaps(ball(b)))


def _times(a: Value, b: Value) -> Value:
    return a * b if isinstance(a, fmpq) and isinstance(b, fmpq) else ball(a) * ball(b)


def _plus(a: Value, b: Value) -> Value:
    return a + b if isinstance(a, fmpq) and isinstance(b, fmpq) else ball(a) + ball(b)


def written_out(e: Tree, laws: tuple[NamedLaw, ...]) -> Tree:
    """A statement in which each mean is written without random names: finite laws by their values, normal ones by
    their moments, where the term is a polynomial. Raises OutOfReach for any other mean."""
    if e.op != "mean":
        return Tree(e.op, tuple(written_out(a, laws) for a in e.args), e.text, e.value)
    if e.text == "E":
        return _written(e.args[0], laws)
    if e.text == "P":
        raise OutOfReach("a probability")
    x, y = e.args[0], e.args[-1]
    apart = Tree("mul", (_written(x, laws), _written(y, laws)))
    return Tree("add", (_written(Tree("mul", (x, y)), laws), Tree("neg", (apart,))))


def _written(body: Tree, laws: tuple[NamedLaw, ...]) -> Tree:
    law = next((law for law in laws if law.name in body.names()), None)
    if law is None:
        return body
    total = number(0)
    for value, weight in _values(body, law):
        inner = _written(body.put({law.name: number(value)}), laws)
        total = Tree("add", (total, Tree("mul", (weight, inner))))
    return total


def _values(body: Tree, law: NamedLaw) -> list[tuple[fmpq, Tree]]:
    """Values of a name with weights that give the mean of a term."""
    if law.kind == "Rademacher":
        return [(fmpq(k), number(fmpq(1, 2))) for k in (1, -1)]
    if law.kind == "Bernoulli":
        p = law.given[0]
        return [(fmpq(1), p), (fmpq(0), Tree("add", (number(1), Tree("neg", (p,)))))]
    degree = _degree(body, law.name) if law.kind == "N" else None
    if degree is None or degree > 8:
        raise OutOfReach(f"a mean over {law.kind}")
    mean, variance = law.given
    moments = [number(1), mean]
    for k in range(2, degree + 1):
        spread = Tree("mul", (Tree("mul", (number(k - 1), variance)), moments[k - 2]))
        moments.append(Tree("add", (Tree("mul", (mean, moments[k - 1])), spread)))
    found = []
    nodes = [fmpq(k) for k in range(degree + 1)]
    for i, x in enumerate(nodes):
        weight = number(0)
        for c, moment in zip(lagrange(nodes, i), moments, strict=False):
            weight = Tree("add", (weight, Tree("mul", (number(c), moment))))
        found.append((x, weight))
    return found
