"""What a claim's figure shows, as plain data: curves, measured points with intervals, rivals.

Everything comes from the claim and its kept observations; nothing is run. Which figure suits is read
off the claim:

- ``curve``: the closed form depends on numeric parameters only and one of them was varied. It is
  drawn against that parameter (the claim's ``plot``, else the one with most values), one series for
  each setting of the others, rivals' closed forms as the curves they would have been;
  Below it, measured over closed form, where the eye could not tell them apart on the curve: for
  sampled values, for slight refutations, and for laws, whose implied constant it is;
- ``pairs``: the closed form also depends on drawn or measured quantities, or the other side is a
  procedure: measured values against expected ones, equality being the diagonal;
- ``along``: the same, against the parameter that the claim names (``plot``): measured and claimed value
  of every case, so that a decay is seen where the theorem speaks of it;
- ``cases``: no picture but a table, where no parameter makes an axis, or of a handful of values.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy

from theorycheck import balls
from theorycheck.claims.legs import Leg
from theorycheck.claims.model import Claim, rival_leg
from theorycheck.entries.parts import Counterexample
from theorycheck.evidence.observation import Observation
from theorycheck.formulas.closed_form import Form
from theorycheck.judge import rows_of
from theorycheck.judge.counterexamples import shown
from theorycheck.numbers.domain import Exact, to_text
from theorycheck.plan.keys import Purpose
from theorycheck.plan.owners import own_data
from theorycheck.plan.plan import error_budget
from theorycheck.plan.settings import Settings
from theorycheck.relations.base import Row, as_float
from theorycheck.reports.figure import axis_text
from theorycheck.reports.figure_data import Curve, FigureData, PlotPoints
from theorycheck.reports.statement import measured_text

CURVE_POINTS = 48
"""Points of a curve: at the width of a figure their distance is ten pixels."""

CURVE_BITS = 64
"""Precision of a curve's values; a pixel needs ten bits, cancellation may take the rest."""

MOST_SERIES, MOST_RIVALS, MOST_POINTS = 4, 4, 240
"""What a figure of a phone's width can hold and still be read; what is left out is said."""

HANDFUL, FEW = 12, 4
"""Values of an equality, and of a bound, up to so many are a table, which is no taller than a picture: a
scatter of so few on a diagonal shows less. So do many values that fall on a few places of it."""


def figure_data(
    claim: Claim,
    observations: Sequence[Observation],
    *,
    profile: str,
    alpha: float,
    counterexample: Counterexample | None = None,
) -> FigureData | None:
    """The figure of a claim; None where there is nothing that a figure would show.

    ``alpha`` is the run's: intervals of sampled legs are those that the judge used.
    """
    chosen = _leg_to_show(claim, observations)
    if chosen is None:
        return None
    lg, rows = chosen, _rows(claim, chosen, observations, profile, alpha)
    if not rows:
        return None
    axis = _axis(claim, lg, rows)
    form = claim.form_of(lg)
    scalar = isinstance(form, sympy.Expr) and lg.reference is None
    data: FigureData | None
    if scalar and axis is not None and _free(form) <= _numeric(claim):
        data = _curve_figure(claim, lg, rows, axis, observations, profile, alpha)
    elif _all_gaps(lg, observations):
        return None
    else:
        data = _along_figure(claim, lg, rows) or _pairs_figure(claim, lg, rows)
        few = FEW if claim.relation_of(lg).one_sided else HANDFUL
        cells = _distinct_cells(rows)
        scarce = len(cells) <= few or len({(left, right) for _, left, right in cells}) <= FEW
        if data is None or (data.kind == "pairs" and scarce):
            data = _cases_figure(claim, rows, counterexample)
    if data is None:
        return None
    numeric = [leg.name for leg in claim.legs if not leg.arithmetic.proves]
    if len(numeric) > 1:
        data.note = f"The leg shown is {lg.name}, one of {len(numeric)}. {data.note}".strip()
    _mark(data, claim.plot if data.kind == "along" else axis, counterexample)
    _scales(data, axis in swept(claim, lg))
    return data


def _distinct_cells(rows: Sequence[Row]) -> list[list[str]]:
    """Case, measured and claimed value of the rows that have both, in the order of their points."""
    defined = sorted((r for r in rows if r.defined), key=_place_of)
    cells = [(_case_name(r), shown(r.measured, 12), shown(r.target, 12)) for r in defined]
    return [list(c) for c in dict.fromkeys(cells)]


def _cases_figure(
    claim: Claim, rows: Sequence[Row], counterexample: Counterexample | None
) -> FigureData | None:
    """A table of at most `HANDFUL` cases, evenly over those that there are; the counterexample is first."""
    cells = _distinct_cells(rows)
    found = []
    if counterexample is not None and counterexample.rhs:
        name = _case_of(counterexample.point, counterexample.instance)
        cells = [c for c in cells if c[0] != name]
        found = [[f"{name} (counterexample)", counterexample.lhs, counterexample.rhs]]
    kept = _spread(cells, HANDFUL - len(found))
    if not kept and not found:
        return None
    data = FigureData("cases", claim.title, "", "value", table=[*found, *kept])
    if len(kept) < len(cells):
        data.note = f"The table has {len(kept) + len(found)} of {len(cells) + len(found)} values."
    return data


def _place_of(row: Row) -> tuple[tuple[Fraction, ...], int]:
    """Where a row stands among others: by its parameters as numbers, not by their names as text."""
    return tuple(_number(v) for v in row.point.values()), row.instance or 0


def _leg_to_show(claim: Claim, observations: Sequence[Observation]) -> Leg | None:
    """The first leg with numbers and an expression, else the first with numbers."""
    seen = {o.leg for o in observations if o.purpose == "judge" and not o.variant}
    legs = [lg for lg in claim.legs if lg.name in seen and not lg.arithmetic.proves]
    with_form = [lg for lg in legs if lg.reference is None and claim.form_of(lg) is not None]
    return next(iter(with_form or legs), None)


def _rows(
    claim: Claim,
    lg: Leg,
    observations: Iterable[Observation],
    profile: str,
    alpha: float,
    variant: str = "",
) -> list[Row]:
    level = error_budget(claim, Settings(profile, alpha=alpha)).point
    form = claim.form_of(lg)
    compiled = None if form is None else Form(form)
    return [
        row
        for o in observations
        if (o.leg, o.purpose, o.variant, o.status) == (lg.name, Purpose.JUDGE, variant, "ok")
        for row in rows_of(lg, o, compiled, level)
    ]


def _all_gaps(lg: Leg, observations: Iterable[Observation]) -> bool:
    """Whether only differences of two procedures were kept, so that their values are unknown."""
    kept = [o for o in observations if o.leg == lg.name and o.purpose == "judge" and not o.variant]
    return bool(kept) and all(o.detail.gap for o in kept)


def _free(form: Any) -> set[str]:
    return {str(s) for s in form.free_symbols}


def _numeric(claim: Claim) -> set[str]:
    return {name for name, d in claim.domain.items() if d.numeric}


def _axis(claim: Claim, lg: Leg, rows: Sequence[Row]) -> str | None:
    """Parameter on the horizontal axis: ``plot``, else one of the closed form's. Of several, the one
    that takes most values while the others stay; one that never does makes no curve."""
    form = claim.form_of(lg)
    free = _free(form) if isinstance(form, sympy.Basic) else _numeric(claim)
    longest = {
        n: max(len({r.point[n] for r in g}) for g in _by_setting(rows, n).values())
        for n in claim.domain
        if n in _numeric(claim) and any(n in r.point for r in rows)
    }
    for name in (claim.plot, *swept(claim, lg)):
        if name is not None and longest.get(name, 0) > 1:
            return name
    varied = [n for n in claim.domain if n in free and longest.get(n, 0) > 1]
    return max(varied, key=lambda n: longest[n], default=None)


# ---------------------------------------------------------------- curves


def _curve_figure(
    claim: Claim,
    lg: Leg,
    rows: Sequence[Row],
    axis: str,
    observations: Sequence[Observation],
    profile: str,
    alpha: float,
) -> FigureData:
    groups = _by_setting(rows, axis)
    varying = _varying(groups)
    shown = _spread(list(groups), MOST_SERIES)
    data = FigureData("curve", claim.title, axis, measured_text(claim, lg))
    if len(shown) < len(groups):
        data.note = f"{len(shown)} of {len(groups)} settings of the other parameters are drawn."
    factor = _Constant(up_to_constant(claim, lg))
    for setting in shown:
        members = groups[setting]
        name = ", ".join(f"{axis_text(k)} = {to_text(v)}" for k, v in setting if k in varying)
        x_values = sorted({_number(r.point[axis]) for r in members})
        data.points.append(_points(name, members, axis))
        data.settings.append({k: to_text(v) for k, v in setting})
        curve = _curve(claim, claim.form_of(lg), axis, dict(setting), x_values, name)
        data.curves.append(factor.fit(curve, data.points[-1]))
        data.ratios.append(_ratios(name, members, axis))
    _panel(data, claim, lg, rows)
    first = shown[len(shown) // 2]
    where = dict(first)
    x_values = sorted({_number(r.point[axis]) for r in groups[first]})
    beside = data.points[shown.index(first)]
    for rival in claim.rivals:
        if rival_leg(claim, rival).name != lg.name:
            continue
        form = rival.changes.get("closed_form")
        if isinstance(form, sympy.Expr) and not own_data(rival):
            if len(data.rivals) < MOST_RIVALS and _free(form) <= _numeric(claim):
                curve = _curve(claim, form, axis, where, x_values, rival.name)
                data.rivals.append(factor.fit(curve, beside))
        elif own_data(rival) and len(data.rival_points) < MOST_RIVALS:
            seen = _rows(claim, lg, observations, profile, alpha, rival.name)
            near = [r for r in seen if axis in r.point and _setting(r, axis) in (first, ())]
            if near:
                data.rival_points.append(_points(rival.name, near, axis))
    data.rivals = [c for c in data.rivals if c.x]
    if len(groups) > 1 and (data.rivals or data.rival_points):
        at = ", ".join(f"{k} = {to_text(v)}" for k, v in first if k in varying)
        data.note = f"{data.note} Rivals are drawn at {at}.".strip()
    if factor.wanted:
        data.note = f"{data.note} The law's constant is set at the last point.".strip()
    return data


LAWS = frozenset({"scales_as", "decays_as", "up_to_constant"})
"""Relations whose closed form has a constant that is not stated."""


def up_to_constant(claim: Claim, lg: Leg) -> bool:
    """Whether the closed form is a law whose constant is not stated."""
    return claim.relation_of(lg).name in LAWS


def swept(claim: Claim, lg: Leg) -> tuple[str, ...]:
    """Parameters along which the relation itself looks: those that a law or a limit is in."""
    relation = claim.relation_of(lg)
    named = getattr(getattr(relation, "scales", relation), "in_", ())
    return (named,) if isinstance(named, str) else tuple(named)


@dataclass
class _Constant:
    """Sets a law's unstated constant so that its curve meets the measurement at the last point."""

    wanted: bool

    def fit(self, curve: Curve, points: PlotPoints) -> Curve:
        if not self.wanted or not curve.x or not points.x:
            return curve
        last = max(range(len(points.x)), key=lambda i: points.x[i])
        near = min(range(len(curve.x)), key=lambda i: abs(curve.x[i] - points.x[last]))
        if curve.y[near] == 0:
            return curve
        factor = (points.low[last] + points.high[last]) / 2 / curve.y[near]
        return Curve(curve.name, curve.x, [factor * y for y in curve.y], curve.dotted)


Setting = tuple[tuple[str, Exact], ...]


def _setting(row: Row, axis: str) -> Setting:
    return tuple((k, v) for k, v in sorted(row.point.items()) if k != axis)


def _by_setting(rows: Sequence[Row], axis: str) -> dict[Setting, list[Row]]:
    groups: dict[Setting, list[Row]] = {}
    for row in rows:
        if axis in row.point:
            groups.setdefault(_setting(row, axis), []).append(row)
    most = max((len({r.point[axis] for r in g}) for g in groups.values()), default=0)
    long = {k: g for k, g in groups.items() if len({r.point[axis] for r in g}) * 2 > most}
    return long or groups


def _varying(groups: Mapping[Setting, Any]) -> set[str]:
    values: dict[str, set[Exact]] = {}
    for setting in groups:
        for name, value in setting:
            values.setdefault(name, set()).add(value)
    return {name for name, seen in values.items() if len(seen) > 1}


def _spread(items: list[Any], most: int) -> list[Any]:
    """At most so many items, evenly over the list and with both ends."""
    if len(items) <= most:
        return items
    return [items[round(i * (len(items) - 1) / (most - 1))] for i in range(most)]


def _number(value: Exact) -> Fraction:
    return Fraction(value) if isinstance(value, int | Fraction) else Fraction(0)


def _points(name: str, rows: Sequence[Row], axis: str) -> PlotPoints:
    """Rows as points; equal ones once, and evenly thinned where there are too many."""
    triples = {
        (float(_number(r.point[axis])), as_float(r.measured.lo), as_float(r.measured.hi))
        for r in rows
    }
    kept = _spread(sorted(t for t in triples if all(map(math.isfinite, t))), MOST_POINTS)
    return PlotPoints(name, [t[0] for t in kept], [t[1] for t in kept], [t[2] for t in kept])


SLIGHT = 0.5
"""A largest deviation below a half is hard to see on a curve that spans decades."""


def _ratios(name: str, rows: Sequence[Row], axis: str) -> PlotPoints:
    """Measured over closed form, where that is not zero."""
    triples = set()
    for row in rows:
        if row.defined and not row.target.lo <= 0 <= row.target.hi:
            ends = sorted(
                as_float(end / row.target.mid) for end in (row.measured.lo, row.measured.hi)
            )
            triples.add((float(_number(row.point[axis])), ends[0], ends[1]))
    kept = _spread(sorted(t for t in triples if all(map(math.isfinite, t))), MOST_POINTS)
    return PlotPoints(name, [t[0] for t in kept], [t[1] for t in kept], [t[2] for t in kept])


def _panel(data: FigureData, claim: Claim, lg: Leg, rows: Sequence[Row]) -> None:
    """Keeps the ratios where they show what the curve does not; names them."""
    law = up_to_constant(claim, lg)
    ends = [v for p in data.ratios for v in (*p.low, *p.high)]
    off = [abs((a + b) / 2 - 1) for p in data.ratios for a, b in zip(p.low, p.high, strict=True)]
    slight = bool(off) and 0 < max(off) <= SLIGHT and not claim.relation_of(lg).one_sided
    if len(ends) < 4 or not (law or any(r.samples for r in rows) or slight):
        data.ratios = []
        return
    data.ratios = [p for p in data.ratios if p.x]
    data.ratio_label = "implied C" if law else "measured / form"
    data.ratio_line = None if law else 1.0


def _curve(
    claim: Claim,
    form: Any,
    axis: str,
    setting: Mapping[str, Exact],
    tried: Sequence[Fraction],
    name: str,
) -> Curve:
    """The closed form between the smallest and the largest tried value, where it has a value."""
    bound = Form(form).bound(dict(setting))
    x, y = [], []
    for value in _between(claim, axis, tried):
        evaluated = _evaluate(bound, {**setting, axis: _whole(value)})
        if evaluated is not None:
            x.append(float(value))
            y.append(evaluated)
    return Curve(name, x, y, dotted=claim.domain[axis].kind in ("integers", "primes", "choices"))


def _evaluate(expression: Any, values: Mapping[str, Any]) -> float | None:
    names = {str(s) for s in expression.free_symbols}
    if not names <= set(values):
        return None
    found = balls.evaluate(expression, {n: values[n] for n in names}, prec=CURVE_BITS)
    if found.exact is not None:
        number = as_float(found.exact)
    elif found.ball is not None:
        number = float(found.ball.mid())
    else:
        return None
    return number if math.isfinite(number) else None


def _whole(value: Fraction) -> int | Fraction:
    return int(value) if value.denominator == 1 else value


def _between(claim: Claim, axis: str, tried: Sequence[Fraction]) -> list[Fraction]:
    """Members of the axis' domain from the smallest tried value to the largest, evenly thinned
    (on a log scale where they span a factor of ten), the tried values among them."""
    if not tried:
        return []
    low, high, domain = tried[0], tried[-1], claim.domain[axis]
    logs = low > 0 and high >= 10 * low
    if domain.kind == "choices":
        return list(tried)
    steps = [Fraction(i, CURVE_POINTS - 1) for i in range(CURVE_POINTS)]
    if logs:
        ratio = float(high / low)
        wanted = [low * Fraction(ratio ** float(t)).limit_denominator(10**6) for t in steps]
    else:
        wanted = [low + (high - low) * t for t in steps]
    if domain.kind in ("integers", "primes"):
        wanted = [Fraction(math.floor(w)) for w in wanted]
        wanted = [w for w in wanted if int(w) in domain]
    inside = {w for w in wanted if low <= w <= high}
    return sorted(inside | set(tried))


# ---------------------------------------------------------------- other kinds


def _pairs_figure(claim: Claim, lg: Leg, rows: Sequence[Row]) -> FigureData | None:
    lg_rows = [r for r in rows if r.defined]
    triples = {
        (as_float(r.target.mid), as_float(r.measured.lo), as_float(r.measured.hi)) for r in lg_rows
    }
    kept = _spread(sorted(t for t in triples if all(map(math.isfinite, t))), MOST_POINTS)
    ends = [t[0] for t in kept[:1] + kept[-1:]]
    if len(set(ends)) < 2:
        return None  # nothing to see along the diagonal
    one_sided = claim.relation_of(lg).one_sided
    right = "reference" if lg.reference is not None else "closed form"
    data = FigureData("pairs", claim.title, right, measured_text(claim, lg))
    data.points = [PlotPoints("", [t[0] for t in kept], [t[1] for t in kept], [t[2] for t in kept])]
    data.curves = [Curve("the bound" if one_sided else "equality", ends, list(ends))]
    if len(kept) < len(triples):
        data.note = f"{len(kept)} of {len(triples)} values are drawn."
    return data


def _along_figure(claim: Claim, lg: Leg, rows: Sequence[Row]) -> FigureData | None:
    """Measured and claimed values against the parameter that the claim is drawn along; None where it names
    none, or has one value of it only."""
    axis = claim.plot
    kept = [r for r in rows if r.defined and axis is not None and axis in r.point]
    if axis is None or axis not in _numeric(claim) or len({r.point[axis] for r in kept}) < 2:
        return None
    data = FigureData("along", claim.title, axis, measured_text(claim, lg))
    data.points = [_points("", kept, axis)]
    pairs = {(float(_number(r.point[axis])), as_float(r.target.mid)) for r in kept}
    data.claimed = [list(t) for t in sorted(t for t in pairs if all(map(math.isfinite, t)))]
    return data


def _case_name(row: Row) -> str:
    return _case_of({k: to_text(v) for k, v in row.point.items()}, row.instance)


def _case_of(point: Mapping[str, Any], instance: int | None) -> str:
    parts = [f"{k}={v}" for k, v in point.items()]
    if instance is not None:
        parts.append(f"instance {instance}")
    return ", ".join(parts) or "the only case"


def _mark(data: FigureData, axis: str | None, counterexample: Counterexample | None) -> None:
    """Marks the counterexample in a picture: its measured value over what it is held to, or along the
    parameter; beside the curves where its setting is none of theirs, which is said."""
    if counterexample is None or data.table:
        return
    measured, claimed = map(_first_number, (counterexample.lhs, counterexample.rhs))
    if measured is None:
        return
    if data.kind == "pairs":
        data.marked += [] if claimed is None else [[claimed, measured]]
        return
    point = {k: str(v) for k, v in counterexample.point.items()}
    if axis not in point:
        return
    at, rest = float(Fraction(point[axis])), {k: v for k, v in point.items() if k != axis}
    near = [
        [x, (low + high) / 2]
        for points, setting in zip(data.points, data.settings, strict=False)
        for x, low, high in zip(points.x, points.low, points.high, strict=True)
        if x == at and setting == rest
    ]
    data.marked += sorted(near, key=lambda m: abs(m[1] - measured))[:1] or [[at, measured]]
    if data.kind == "curve" and rest not in data.settings:
        where = ", ".join(f"{k} = {v}" for k, v in rest.items())
        data.note = f"{data.note} The counterexample is at {where}.".strip()


def _first_number(text: str) -> float | None:
    found = _FIRST_NUMBER.search(text)
    return None if found is None else float(Fraction(found[0]))


_FIRST_NUMBER = re.compile(r"-?\d+(?:/\d+|(?:\.\d+)?(?:e[+-]?\d+)?)")


# ---------------------------------------------------------------- scales


def _scales(data: FigureData, sweep: bool) -> None:
    """Log axes where the values call for them.

    Sizes of a sweep are in geometric progression and are shown so. Else the vertical axis is
    logarithmic where positive values span a factor of eight; the horizontal one where the span is four
    or more and log-log straightens the law at least as well as semi-log.
    """
    if data.table:
        return
    values = [v for p in data.points for v in (*p.low, *p.high)]
    values += [v for c in data.curves for v in c.y] + [y for _, y in data.claimed]
    xs = [v for p in data.points for v in p.x] + [v for c in data.curves for v in c.x]
    data.log_x = sweep and min(xs, default=0) > 0 and max(xs) >= 10 * min(xs)
    if data.kind == "along":
        _decay(data, values)
        return
    if not values or min(values) <= 0:
        return
    if data.kind == "pairs":
        data.log_x = data.log_y = min(xs) > 0 and max(values) >= 30 * min(values)
        return
    data.log_y = max(values) >= 8 * min(values)
    if data.log_x or not data.log_y or min(xs) <= 0 or max(xs) < 4 * min(xs):
        return
    longest = max(data.curves, key=lambda c: len(c.x), default=None)
    if longest is None or len(longest.x) < 3 or min(longest.y) <= 0:
        return
    y = [math.log(v) for v in longest.y]
    data.log_x = _bend([math.log(v) for v in longest.x], y) <= _bend(longest.x, y)


def _decay(data: FigureData, values: Sequence[float]) -> None:
    """A logarithmic height where what is claimed spans a factor of eight; measured zeros are then counted."""
    claimed = [y for _, y in data.claimed]
    if min(values) < 0 or min(claimed) <= 0 or max(claimed) < 8 * min(claimed):
        return
    data.log_y = True
    zeros = sum(low <= 0 for p in data.points for low in p.low)
    if zeros:
        data.note = (
            f"{data.note} {zeros} measured value{'s are' if zeros > 1 else ' is'} 0.".strip()
        )


def _bend(x: Sequence[float], y: Sequence[float]) -> float:
    """Sum of squared distances of y from its best straight line in x."""
    n = len(x)
    mx, my = sum(x) / n, sum(y) / n
    sxx = sum((a - mx) ** 2 for a in x)
    sxy = sum((a - mx) * (b - my) for a, b in zip(x, y, strict=True))
    slope = sxy / sxx if sxx else 0.0
    return sum((b - my - slope * (a - mx)) ** 2 for a, b in zip(x, y, strict=True))
