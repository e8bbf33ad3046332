"""When sampling at a point ends: a pure function of the state of its confidence sequence."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from theorycheck import stats
from theorycheck.claims.statistic import Statistic
from theorycheck.formulas import memo
from theorycheck.formulas.closed_form import Form, Inputs
from theorycheck.numbers.domain import Exact
from theorycheck.numbers.enclosure import Enclosure
from theorycheck.relations.base import Expected, Relation, Row, TargetResolutions


def confidence_set(statistic: Statistic, state: stats.MeanState, level: float) -> Enclosure:
    """The set at error probability ``level``, from the sequence's state; cached between
    runs. Raises AssumptionBroken where the data contradict what was declared of them."""

    def make() -> Any:
        return statistic.interval(state, level).to_json()

    key = (statistic.text(), repr(level), json.dumps(state.to_json()))
    return Enclosure.from_json(memo.cached("interval", key, make))


def scale_of(unit: Any, inputs: Inputs) -> Fraction | None:
    """Value of a leg's declared unit at ``inputs``: what deviations are measured by. 1 where it has no
    positive value, None where none is declared."""
    if unit is None:
        return None
    enclosure = Form(unit).expected(inputs)[0].enclosure
    if enclosure is None or enclosure.hi <= 0:
        return Fraction(1)
    return Fraction(int(enclosure.hi.p), int(enclosure.hi.q))


@dataclass(frozen=True)
class StopRule:
    """Whether a sampled unit is decided: its set excludes the closed form, or is as sharp as asked for.

    ``level``: error probability of the set; ``key``: canonical text of the unit, by which answers are
    cached: its stream is fixed, so that the number of samples says what has been seen.
    """

    key: str
    point: Mapping[str, Exact]
    statistic: Statistic
    relation: Relation
    form: Form | None
    unit: Any
    rung: str
    level: float
    target: TargetResolutions
    _asked: dict[str, list[Expected]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def __call__(self, state: stats.MeanState) -> bool:
        key = (self.key, str(state.n), repr(self.level), repr(self.target))
        return bool(memo.cached("enough", key, lambda: self._decided(state)))

    def _decided(self, state: stats.MeanState) -> bool:
        try:
            measured = confidence_set(self.statistic, state, self.level)
        except stats.AssumptionBroken:  # more samples cannot mend it; the judge says so
            return True
        rows = [
            Row(
                point=self.point,
                measured=measured,
                expected=expected,
                rung=self.rung,
                unit=scale_of(self.unit, self.point),
                samples=1,
                inputs=self.point,
            )
            for expected in self._expected()
        ]
        return self.relation.decide(rows, self.target).verdict in ("pass", "fail")

    def _expected(self) -> list[Expected]:
        """What the closed form says at the point: nothing where there is none."""
        if "expected" not in self._asked:
            found = [] if self.form is None else self.form.expected(self.point)
            if len(found) > 1:
                reason = f"closed form has {len(found)} components, the simulation 1"
                found = [Expected("undecided", None, reason)]
            self._asked["expected"] = found
        return self._asked["expected"]
