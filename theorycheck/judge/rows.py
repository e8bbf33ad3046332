"""Rows: what was seen of a leg, instance by instance and component by component, beside what its
closed form or reference says, and the rung that this reaches."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction

import sympy
from flint import fmpq

from theorycheck import balls, stats
from theorycheck.claims.legs import Leg
from theorycheck.evidence.observation import Observation, Value
from theorycheck.formulas import memo
from theorycheck.formulas.closed_form import Form, Inputs, as_sympy, ball_inputs, inputs_text
from theorycheck.numbers.domain import point_key
from theorycheck.numbers.enclosure import Enclosure
from theorycheck.numbers.surd import Surd
from theorycheck.plan.stopping import confidence_set, scale_of
from theorycheck.relations.base import Expected, Row


def rows_of(leg: Leg, observation: Observation, form: Form | None, alpha: float) -> list[Row]:
    """One row for every instance and component of an observation."""
    rung = leg.rung
    rows = []
    references = observation.references
    gap = bool(observation.detail.gap)
    for i, values in enumerate(measured_values(leg, observation, alpha)):
        inputs = _inputs(observation, i)
        unit = scale_of(leg.unit, inputs)
        if gap:
            zero = Expected("ok", Value.of(0).enclosure)
            expected: Sequence[Expected] = [zero] * len(values)
            unit = observation.units[i]
        elif references:
            others = references[i]
            expected = [Expected("ok", v.enclosure) for v in others]
            if unit is None and len(others) > 1:  # components near 0 take the scale of the largest
                unit = _largest(others)
        elif form is None:
            expected = []
        else:
            evaluated = form.expected(inputs)
            if len(evaluated) not in (1, len(values)):
                return [_shape_row(observation, i, len(values), len(evaluated), rung)]
            expected = evaluated * (len(values) if len(evaluated) == 1 else 1)
        for j, (value, target) in enumerate(zip(values, expected, strict=False)):
            surd = _surd(value, target)
            same = (
                surd is not None
                and form is not None
                and not references
                and _same(surd, form, inputs, j)
            )
            rows.append(
                Row(
                    point=observation.point,
                    measured=value.enclosure,
                    expected=target,
                    rung=rung,
                    instance=i if leg.instances is not None else None,
                    component=j,
                    unit=unit,
                    same=same,
                    samples=observation.samples,
                    inputs=inputs,
                )
            )
    return rows


def _inputs(observation: Observation, instance: int) -> Inputs:
    """What a closed form is evaluated at: parameters, the instance's scalars, observed quantities."""
    scalars = observation.scalars[instance] if observation.scalars else {}
    further = observation.observed[instance] if observation.observed else {}
    return {**observation.point, **scalars, **{k: v.enclosure for k, v in further.items()}}


def measured_values(leg: Leg, observation: Observation, alpha: float) -> list[Sequence[Value]]:
    """Values by instance; a sampled leg's confidence set is computed at level alpha, an external
    leg's values are widened by the error that was declared for them."""
    if leg.error:
        return [
            [_widened(v, leg.error, scale_of(leg.unit, _inputs(observation, i))) for v in values]
            for i, values in enumerate(observation.values)
        ]
    if leg.statistic is None or observation.state is None:
        return list(observation.values)
    try:
        found = confidence_set(leg.statistic, observation.state, alpha)
    except stats.AssumptionBroken as error:
        raise stats.AssumptionBroken(f"{place_of(observation)}: {error}") from error
    return [[Value(found)]]


def _widened(value: Value, error: Fraction, unit: Fraction | None) -> Value:
    """The value with the declared error, which is relative to the unit where the leg has one."""
    e = value.enclosure
    size = max(abs(e.lo), abs(e.hi)) if unit is None else fmpq(unit.numerator, unit.denominator)
    reach = fmpq(error.numerator, error.denominator) * size
    return Value(Enclosure(e.lo - reach, e.hi + reach))


def _shape_row(o: Observation, i: int, measured: int, closed: int, rung: str) -> Row:
    reason = f"closed form has {closed} components, the simulation {measured}"
    return Row(o.point, Value.of(0).enclosure, Expected("undecided", None, reason), rung, i)


def _largest(values: Sequence[Value]) -> Fraction | None:
    top = max(max(abs(v.enclosure.lo), abs(v.enclosure.hi)) for v in values)
    return Fraction(int(top.p), int(top.q)) if top > 0 else None


def _surd(value: Value, target: Expected) -> Surd | None:
    """The measured number where only a zero test tells whether the closed form is the same: a surd, or a
    rational inside of the ball of a form that is not seen to be one, such as sqrt(16)/3."""
    if value.surd is not None or target.enclosure is None or target.enclosure.exact:
        return value.surd
    e = value.enclosure
    if not e.exact or not target.enclosure.contains(e.lo):
        return None
    return Surd(Fraction(int(e.lo.p), int(e.lo.q)))


def _same(surd: Surd, form: Form, inputs: Inputs, component: int) -> bool:
    """Whether the surd is proved to be the closed form's value (zero test of algebraic numbers)."""
    if not form.text:
        return _proved_same(surd, form, inputs, component)
    key = (repr(surd), form.text, inputs_text(inputs), str(component))
    return bool(memo.cached("same", key, lambda: _proved_same(surd, form, inputs, component)))


def _proved_same(surd: Surd, form: Form, inputs: Inputs, component: int) -> bool:
    expr = form.bound(inputs)
    if isinstance(expr, sympy.MatrixBase):
        expr = list(expr)[component]
    number = as_sympy(surd.coefficient) * sympy.sqrt(surd.radicand)
    given = ball_inputs(inputs)
    free = {str(s) for s in expr.free_symbols}
    return bool(balls.sign(expr - number, {k: given[k] for k in free}) == 0)


def text_of_rows(leg: Leg, rows: Sequence[Row]) -> str:
    """All that a leg's rows hold; equal texts for equal rows only."""
    return json.dumps(
        [
            leg.name,
            [
                (
                    inputs_text(r.inputs),
                    r.measured.to_json(),
                    r.expected.to_json(),
                    r.rung,
                    str(r.unit),
                    point_key(r.point),
                    r.samples,
                )
                for r in rows
            ],
        ]
    )


def place_of(observation: Observation) -> str:
    """Where an observation was made, for a message."""
    return f"at {point_key(observation.point) or 'its only point'}"
