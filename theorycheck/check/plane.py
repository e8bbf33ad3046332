"""Inequalities in several real names.

Polynomials (after removing Abs, Min, Max and roots): an open cell decomposition for non-strict
inequalities, signs of coefficients on an orthant for others. Anything else by one name at a time: where
the derivative in that name changes sign on one curve only, the least value lies on the curve, or at an
end, and a statement with one name less remains.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import sympy as sp

from theorycheck.check import algebra, places
from theorycheck.check.domain import Domains, Value, Variable
from theorycheck.check.forms import conditions, evaluated
from theorycheck.check.judge import FAILS, HOLDS, UNDEFINED, Judge
from theorycheck.check.method import Argument, Method, Task
from theorycheck.check.region import Found, Region, symbols_of
from theorycheck.check.text import Comparison, Formula
from theorycheck.check.tidying import tidy

_SWITCHES = (sp.Abs, sp.Min, sp.Max)
_MAX_SWITCHES = 5


def cells(task: Task) -> Argument | None:
    """Non-strict polynomial inequalities, by one sample in each open cell.

    The samples stand for a dense subset of the region; both sides are continuous, so a non-strict
    inequality extends to the closure. The region must be the closure of its interior: convex with an
    interior point where all its walls are linear, and open where no wall belongs to it; other regions
    are only searched. A failing sample refutes strict ones too.

    Takes order comparisons of rational functions and roots of names, on regions of real names with
    rational walls. Gives up on anything else, and where no sample lies in the
    region. Raises Found with a sample that fails.
    """
    c, region = task.comparison, task.region
    if c.op in ("==", "!=") or any(v.symbol.is_integer for v in region.variables):
        return None
    names = [v.name for v in region.variables]
    walls = _walls(region)
    if walls is None:
        return None
    full = _is_open(region) or all(_is_linear(w, region) for w in walls)
    f = _without_roots(evaluated(c.lhs) - evaluated(c.rhs), region)
    if f is None:
        return None
    difference, powers = f
    polynomials = list(_sign_polynomials(difference, names))
    polynomials += [p for w in walls for p in _substituted_wall(w, names, powers)]
    judge = Judge(Domains(region.variables), c, ())
    seen = 0
    for sample in algebra.open_cells(polynomials, names, task.clock.out, lambda s: True):
        point: dict[str, Value] = {
            n: _plain(Fraction(v) ** powers.get(n, 1)) for n, v in sample.items()
        }
        if any(powers.get(n, 1) > 1 and v < 0 for n, v in sample.items()):
            continue
        if not judge.contains(point) or not _meets(region.hypotheses, point, judge):
            continue
        seen += 1
        status = judge.at(point).status
        if status in (FAILS, UNDEFINED):
            raise Found([point])
        if status != HOLDS:
            return None
    if seen and full and c.op in ("<=", ">="):
        walls_text = ", ".join(str(p) for p in polynomials)
        return Argument(
            "an open cell decomposition, exact at one sample each",
            (f"{seen} cells of the region between the zeros of {walls_text}",),
        )
    return None


def _meets(hypotheses: Sequence[Formula], point: dict[str, Value], judge: Judge) -> bool:
    return all(judge.truth(h, point).status == HOLDS for h in hypotheses)


def _walls(region: Region) -> list[Any] | None:
    """The rational functions whose signs describe the region; None if it is not of that kind."""
    walls = []
    for v in region.variables:
        if v.kind != "real":
            return None
        walls += [v.symbol - e for e in (v.low, v.high) if e is not None and not e.is_infinite]
    for h in region.hypotheses:
        if not isinstance(h, Comparison) or h.op in ("==", "!="):
            return None
        walls.append(evaluated(h.lhs) - evaluated(h.rhs))
    symbols = [v.symbol for v in region.variables]
    kept = []
    for wall in walls:
        expanded = sp.expand(evaluated(wall))
        if not expanded.is_rational_function(*symbols):
            return None
        kept.append(expanded)
    return kept


def _is_linear(wall: Any, region: Region) -> bool:
    symbols = [v.symbol for v in region.variables]
    if not wall.is_polynomial(*symbols):
        return False
    polynomial = sp.Poly(wall, *symbols)
    return polynomial.total_degree() <= 1 and all(k.is_Rational for k in polynomial.coeffs())


def _is_open(region: Region) -> bool:
    """Whether every wall is left out: an open set is part of the closure of its interior."""
    ends = [(v.low, v.low_open) for v in region.variables]
    ends += [(v.high, v.high_open) for v in region.variables]
    strict = all(e is None or e.is_infinite or is_open for e, is_open in ends)
    return strict and all(isinstance(h, Comparison) and h.op in "<>" for h in region.hypotheses)


def _without_roots(f: Any, region: Region) -> tuple[Any, dict[str, int]] | None:
    """x = u**q for names x >= 0 of which fractional powers occur; u keeps the name x."""
    powers: dict[str, int] = {}
    for node in f.atoms(sp.Pow):
        base, exponent = node.args
        if exponent.is_Rational and exponent.q > 1 and base.free_symbols:
            for factor in sp.Mul.make_args(base):
                inner = factor.as_base_exp()[0]
                if inner.is_Number and inner > 0:
                    continue
                if not (inner.is_Symbol and inner.is_nonnegative):
                    return None
                powers[inner.name] = int(sp.ilcm(powers.get(inner.name, 1), exponent.q))
    symbols = {v.name: v.symbol for v in region.variables}
    mapping = {symbols[n]: symbols[n] ** q for n, q in powers.items()}
    changed = f.xreplace(mapping)
    return (sp.powdenest(changed) if mapping else changed), powers


def _substituted_wall(wall: Any, names: Sequence[str], powers: dict[str, int]) -> Iterator[Any]:
    mapping = {s: s ** powers[s.name] for s in wall.free_symbols if s.name in powers}
    yield from _both(wall.xreplace(mapping), names)


def _sign_polynomials(f: Any, names: Sequence[str]) -> Iterator[Any]:
    """Numerators and denominators that decide the sign of f, for every way the switches can stand."""
    for switch in sp.postorder_traversal(f):
        if isinstance(switch, _SWITCHES):
            args = switch.args
            options = [args[0], -args[0]] if isinstance(switch, sp.Abs) else list(args)
            pairs = (
                [(args[0], 0)] if isinstance(switch, sp.Abs) else itertools.combinations(args, 2)
            )
            for a, b in pairs:
                if not (a - b).has(*_SWITCHES):
                    yield from _both(a - b, names)
            if len(f.atoms(*_SWITCHES)) > _MAX_SWITCHES:
                raise algebra.PolynomialTooLarge
            for option in options:
                yield from _sign_polynomials(f.xreplace({switch: option}), names)
            return
    yield from _both(f, names)


def _both(f: Any, names: Sequence[str]) -> Iterator[Any]:
    ratio = algebra.to_ratio(f, names)
    yield ratio.numerator
    yield ratio.denominator


def orthant(task: Task) -> Argument | None:
    """Signs of the coefficients after moving the region onto {t >= 0}; decides strict ones too.

    Takes all comparisons but ``==`` of rational functions and roots of names; hypotheses are not used.
    Promises that each factor has coefficients of one sign. Gives up where one has not.
    """
    c, region = task.comparison, task.region
    f = _without_roots(evaluated(c.lhs) - evaluated(c.rhs), region)
    if f is None or f[0].has(*_SWITCHES):
        return None
    difference, powers = f
    names = [v.name for v in region.variables]
    ratio = algebra.to_ratio(difference, names)
    strict = True
    for signs in itertools.product(*(_halves(v) for v in region.variables)):
        substitution, positive = _onto_orthant(region.variables, signs, powers)
        above, below = (
            _factored_sign(p, substitution, positive) for p in (ratio.numerator, ratio.denominator)
        )
        if above is None or below is None or below == 0:
            return None
        product = above * below
        here = (product > 0) - (product < 0)
        wanted = {"<": -1, "<=": -1, ">": 1, ">=": 1}.get(c.op)
        if c.op == "!=":
            wanted = here
        if wanted is None or (here != wanted and not (here == 0 and c.op in ("<=", ">="))):
            return None
        strict &= abs(above) == 2
    if c.op in ("<", ">", "!=") and not strict:
        return None
    return Argument(
        "signs of coefficients on an orthant",
        (
            f"lhs - rhs = ({ratio.numerator})/({ratio.denominator}), each factor of which is an even "
            "power or has coefficients of one sign after each name is put as its end plus t >= 0",
        ),
    )


def _halves(v: Variable) -> tuple[int, ...]:
    whole = v.low is not None and v.low == -sp.oo and v.high == sp.oo
    return (1, -1) if whole else (1,)


def _onto_orthant(
    variables: Sequence[Variable], signs: Sequence[int], powers: dict[str, int]
) -> tuple[dict[str, algebra.Ratio], frozenset[str]]:
    """Each name as a ratio in names >= 0, and those of them that are > 0 on the region."""
    names = [v.name for v in variables]
    ring = algebra.context(names)
    substitution: dict[str, algebra.Ratio] = {}
    positive = set()
    for v, sign, t in zip(variables, signs, ring.gens(), strict=True):
        q = powers.get(v.name, 1)
        low, high = v.low, v.high
        one = ring.constant(1)
        if low is None or high is None or v.kind == "set":
            raise algebra.NotRationalExpression(v.name)
        if low.is_infinite and high.is_infinite:
            substitution[v.name] = algebra.Ratio(t * sign, one)
            continue
        if v.low_open if not low.is_infinite else v.high_open:
            positive.add(v.name)
        if q > 1 and low != 0:
            raise algebra.NotRationalExpression(v.name)
        if high.is_infinite:
            start = _earlier(low, names, substitution, ring)
            substitution[v.name] = _add(start, algebra.Ratio(t, one))
        elif low.is_infinite:
            start = _earlier(high, names, substitution, ring)
            substitution[v.name] = _add(start, algebra.Ratio(-t, one))
        else:
            if q > 1:
                raise algebra.NotRationalExpression(v.name)
            # low + (high - low) * t/(1 + t): t = 0 is the lower end, the upper end is the limit.
            a = _earlier(low, names, substitution, ring)
            b = _earlier(high, names, substitution, ring)
            width = _add(b, algebra.Ratio(-a.numerator, a.denominator))
            step = algebra.Ratio(width.numerator * t, width.denominator * (1 + t))
            substitution[v.name] = _add(a, step)
            if not v.high_open:
                positive.discard(v.name)
                positive.add(f"!{v.name}")
    return substitution, frozenset(positive)


def _add(a: algebra.Ratio, b: algebra.Ratio) -> algebra.Ratio:
    return algebra.Ratio(
        a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator
    )


def _earlier(
    end: Any, names: Sequence[str], substitution: dict[str, algebra.Ratio], ring: Any
) -> algebra.Ratio:
    ratio = algebra.to_ratio(end, names)
    if not ratio.denominator.is_constant():
        raise algebra.NotRationalExpression(str(end))
    if ratio.numerator == 0:
        return algebra.Ratio(ratio.numerator, ring.constant(1))
    full = {
        n: substitution.get(n, algebra.Ratio(ring.constant(0), ring.constant(1))) for n in names
    }
    bottom = ring.constant(1)
    for n, d in zip(names, ratio.numerator.degrees(), strict=True):
        bottom *= full[n].denominator ** int(d)
    return algebra.Ratio(algebra.substitute(ratio.numerator, full), bottom * ratio.denominator)


def _factored_sign(
    polynomial: Any, substitution: dict[str, algebra.Ratio], positive: frozenset[str]
) -> int | None:
    if polynomial == 0:
        return 0
    coefficient, parts = polynomial.factor()
    total = 2 if coefficient > 0 else -2
    closed = any(n.startswith("!") for n in positive)
    for part, power in parts:
        sign = algebra.coefficient_signs(part, substitution, positive)
        if sign is None and power % 2 == 0:
            sign = 1
        elif sign is None:
            return None
        elif closed and abs(sign) == 2:
            sign //= 2  # at the closed upper end t is infinite: positivity there is not shown
        sign = abs(sign) if power % 2 == 0 else sign
        size = min(abs(total), abs(sign))
        total = size * (1 if (total > 0) == (sign > 0) else -1) if sign else 0
        if total == 0:
            return 0
    return total


def by_one_name(task: Task) -> Argument | None:
    """The least value of the difference in one name lies on a curve, or at an end.

    Takes order comparisons with a real name that no range and no hypothesis depends on. Promises that
    the difference (or the logarithm of the quotient of positive sides) is defined and differentiable,
    that its derivative changes sign on one curve at most, and the statement there, as lemmas. Gives up
    at depth 5, and where one of these is not proved.
    """
    if task.comparison.op not in ("<", "<=", ">", ">=") or task.depth > 4:
        return None
    for form in _forms(task):
        for v in reversed(task.region.variables):
            if v.kind != "real" or v.symbol.is_integer:
                continue
            if task.clock.out():
                return None
            known = len(task.used)
            simple = places.equivalent(sp.diff(form[0], v.symbol), task)
            if _least_in(form, v, task, simple):
                told = [f"{form[0]} {form[1]} 0 is what is proved"]
                if simple is not None:
                    told.append(f"its derivative in {v.name} has the sign of {simple}")
                return Argument(
                    f"least value in {v.name} by the sign of the derivative", tuple(told)
                )
            task.forget(known)
    return None


def _forms(task: Task) -> Iterator[tuple[Any, str]]:
    """(f, op) with f op 0 equivalent to the comparison, op one of > and >=."""
    c = task.comparison
    lhs, rhs = evaluated(c.lhs), evaluated(c.rhs)
    if c.op in ("<", "<="):
        lhs, rhs = rhs, lhs
    op = ">" if c.op in ("<", ">") else ">="
    if (lhs - rhs).has(*_SWITCHES, sp.floor, sp.sign, sp.Mod, sp.Sum, sp.Product):
        return
    grows = all(_has_exponents(s) for s in (lhs, rhs)) or (lhs - rhs).has(sp.gamma)
    towers = grows and not (lhs - rhs).has(sp.log)
    if not towers:
        yield lhs - rhs, op
    if task.depth <= 1 and all(task.lemma(Comparison(">", s, sp.Integer(0))) for s in (lhs, rhs)):
        logs = [sp.expand_log(sp.log(s), deep=True) for s in (lhs, rhs)]
        yield logs[0] - logs[1], op
    if towers:
        yield lhs - rhs, op


def _has_exponents(side: Any) -> bool:
    return side.has(sp.exp) or any(p.exp.free_symbols for p in side.atoms(sp.Pow))


def _least_in(form: tuple[Any, str], v: Variable, task: Task, simple: Any | None) -> bool:
    """``simple`` is an expression with the sign of the derivative, where one is known."""
    f, op = form
    region = task.region
    x = v.symbol
    others = tuple(w for w in region.variables if w.name != v.name)
    if any(x in e.free_symbols for w in others for e in (w.low, w.high) if e is not None):
        return False
    if any(x in symbols_of(h) for h in region.hypotheses):
        return False
    if not _continuous(f, task):
        return False
    slope = sp.diff(f, x)
    split: tuple[int, Any | None] | None = None
    if simple is not None:
        split = _sign_in(simple, v, task)
    if split is None and slope.count_ops() < 150:
        split = _curve(slope, v, task, solve=False)
    if split is None:
        derivative = tidy(slope)
        if derivative == 0:
            return False
        split = _sign_in(derivative, v, task)
    if split is None:
        return False
    sign, curve = split
    smaller = Region(others, region.hypotheses)
    if curve is not None:
        if sign < 0:
            return False
        at = f.subs(x, curve)
        return _holds(at, op, smaller, task)
    end = v.low if sign > 0 else v.high
    is_open = v.low_open if sign > 0 else v.high_open
    if end is None or end.is_infinite:
        return False
    at = f.subs(x, end)
    if at.has(sp.nan, sp.zoo, sp.oo):
        return False
    if _holds(at, op, smaller, task):
        return True
    # At an open end the value is not attained: where the slope is nowhere 0, f is larger inside.
    rises = Comparison(">" if sign > 0 else "<", slope, sp.Integer(0))
    return is_open and op == ">" and _holds(at, ">=", smaller, task) and task.lemma(rises)


def _continuous(f: Any, task: Task) -> bool:
    """Whether f is defined, hence continuous, and differentiable on the whole region but for ends:
    monotone pieces need that. Of powers with names in the exponent, the base has to be positive."""
    bases = {p.base for p in f.atoms(sp.Pow) if p.exp.free_symbols and not p.exp.is_integer}
    positive = (
        b.is_positive or task.lemma(Comparison(">", b, sp.Integer(0)), deeper=2) for b in bases
    )
    return all(positive) and all(task.shown(c, deeper=2) for c in conditions(f))


def by_factors(task: Task) -> Argument | None:
    """The sign of a product from those of its factors, each a lemma of its own.

    Takes order comparisons whose difference is, as SymPy factors it, a product. Gives up where the
    sign of a factor is not proved.
    """
    c = task.comparison
    wanted = {"<=": -1, "<": -1, ">=": 1, ">": 1}.get(c.op)
    f = tidy(evaluated(c.lhs) - evaluated(c.rhs))
    if wanted is None or not f.is_Mul or f.has(*_SWITCHES):
        return None
    strict = c.op in ("<", ">")
    total = 1
    for factor in f.args:
        base, exponent = factor.as_base_exp()
        if exponent.is_Integer and int(exponent) % 2 == 0:
            if strict and not task.lemma(Comparison("!=", base, sp.Integer(0))):
                return None
            continue
        sign = _definite(factor, task, strict=strict)
        if sign is None:
            return None
        total *= sign
    return Argument("signs of the factors", (f"lhs - rhs = {f}",)) if total == wanted else None


def _holds(at: Any, op: str, region: Region, task: Task) -> bool:
    value = sp.expand(tidy(at)) if at.count_ops() < 120 else at
    if value == 0 or sp.expand_log(value, force=False) == 0:
        return op == ">="
    return task.lemma(Comparison(op, value, sp.Integer(0)), region)


def _sign_in(g: Any, v: Variable, task: Task) -> tuple[int, Any | None] | None:
    """The sign of g on the region, and the curve x = r(others) across which it changes from minus
    to plus (times that sign); None if it is more complicated."""
    total, curve = 1, None
    for factor in sp.Mul.make_args(g):
        base, exponent = factor.as_base_exp()
        if exponent.is_Integer and int(exponent) % 2 == 0:
            continue
        sign = _definite(factor, task)
        if sign is not None:
            total *= sign
            continue
        if not exponent.is_Integer:
            return None
        found = _curve(base, v, task)
        if found is None or curve is not None:
            return None
        slope, curve = found
        total *= slope
    return total, curve


def _definite(factor: Any, task: Task, *, strict: bool = False) -> int | None:
    if factor.is_positive if strict else factor.is_nonnegative:
        return 1
    if factor.is_negative if strict else factor.is_nonpositive:
        return -1
    for sign, op in ((1, ">"), (-1, "<")) if strict else ((1, ">="), (-1, "<=")):
        if task.lemma(Comparison(op, factor, sp.Integer(0))):
            return sign
    return None


def _curve(f: Any, v: Variable, task: Task, *, solve: bool = True) -> tuple[int, Any] | None:
    """(slope, r) if f is monotone in x with that slope and its zero is x = r, within the range."""
    x = v.symbol
    others = [w.symbol for w in task.region.variables if w.name != v.name]
    candidates: list[Any] = [e for e in (v.low, v.high) if e is not None and not e.is_infinite]
    candidates += [sp.Integer(0), sp.Integer(1), *others, *(1 - o for o in others)]
    candidates += [1 / o for o in others] + [-o for o in others]
    zeros = [r for r in candidates if _vanishes(f, x, r)]
    if not zeros and solve:
        try:
            zeros = [r for r in sp.solve(f, x) if not r.has(sp.I) and _vanishes(f, x, r)]
        except (NotImplementedError, ValueError, TypeError):
            return None
    for r in zeros:
        if not _within(r, v, task):
            continue
        slope = _definite(tidy(sp.diff(f, x)), task)
        if slope is not None:
            return slope, r
    return None


def _vanishes(f: Any, x: Any, r: Any) -> bool:
    value = f.subs(x, r)
    if value.has(sp.nan, sp.zoo, sp.oo):
        return False
    return bool(value == 0 or (value.count_ops() < 60 and sp.expand(tidy(value)) == 0))


def _within(r: Any, v: Variable, task: Task) -> bool:
    """The curve stays in the closed range of x, for all values of the other names."""
    region = task.region
    others = Region(tuple(w for w in region.variables if w.name != v.name), region.hypotheses)
    zero = sp.Integer(0)
    for difference, end, is_open in (
        (r - v.low, v.low, v.low_open),
        (v.high - r, v.high, v.high_open),
    ):
        if end.is_infinite or (difference == 0 and not is_open):
            continue
        op = ">" if is_open else ">="
        if not task.lemma(Comparison(op, difference, zero), others):
            return False
    return True


def _plain(value: Fraction) -> Value:
    return int(value) if value.denominator == 1 else value


ORTHANT = Method("signs of coefficients", 0.3, lambda t: not t.is_line, orthant)
CELLS = Method("open cells", 0.4, lambda t: not t.is_line, cells)
FACTORS = Method("signs of factors", 0.3, lambda t: not t.is_line and t.depth > 0, by_factors)
ONE_NAME = Method("one name at a time", 0.7, lambda t: not t.is_line, by_one_name)
