"""Judge: a pure function of the kept observations.

Rows are built from observations and closed form, relations decide on rows, and a claim's verdict is
put together from its legs, rivals, mutants and hypotheses. Nothing is run here, so a co-author
without the machine can judge again, at another level or with another closed form.

Error budget (VERDICTS, 4): a random claim gets alpha/4096 of the run's alpha, whatever other claims
run; inside, one half goes to the points of the grid in equal parts (rivals' own points included, since
a rival wrongly called refuted is a false verdict too), an eighth to confirming (for a law in equal parts
to its sweep), a quarter to the simpler points tried after a fail, which are found adaptively: the k-th
gets 1/(k(k+1)) of it. The eighth that is kept for diagnosis is not touched: a diagnosis reads these sets.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

import sympy
from flint import ctx, fmpq
from sympy.core.operations import LatticeOp

from theorycheck import balls, diagnosis, memo, stats
from theorycheck.claims import PROFILES, Claim, Leg, Variant, apply, rival_leg
from theorycheck.domain import Exact, as_json, point_key, to_text
from theorycheck.enclosure import Enclosure
from theorycheck.exact import Surd
from theorycheck.mutants import Equivalence, Mutant, equivalence, mutants
from theorycheck.observation import FIGURE, Observation, Value
from theorycheck.relations.base import (
    RUNGS,
    Decision,
    Expected,
    Goal,
    Relation,
    Row,
    as_float,
    weakest,
)

SLOTS = 4096
"""Fixed number of claims that a run's alpha is divided among; a library may hold as many."""

GRID_SHARE, ADAPTIVE_SHARE, CONFIRM_SHARE = 0.5, 0.25, 0.125

GOALS = {
    "smoke": Goal(sampled=5e-2),
    "standard": Goal(sampled=1e-2),
    "deep": Goal(sampled=2e-3),
    "paper": Goal(sampled=2e-3),
}
"""Target resolutions by profile. A smoke run is a first look at about 1e4 samples a point, standard
at a few 1e5; exact rungs are asked for 1e-9 everywhere (the median that the project promises)."""

CERTIFIED_BITS = 256


@dataclass(frozen=True)
class Slots:
    """The error probability of each sampled set of a claim."""

    alpha: float
    units: int

    @property
    def point(self) -> float:
        return self.alpha / SLOTS * GRID_SHARE / max(1, self.units)

    def confirm(self, points: int) -> float:
        """Of each of the ``points`` that are observed again."""
        return self.alpha / SLOTS * CONFIRM_SHARE / points

    def adaptive(self, k: int) -> float:
        """Of the k-th point, k = 1, 2, ..., that was chosen after looking at others."""
        return self.alpha / SLOTS * ADAPTIVE_SHARE / (k * (k + 1))

    @property
    def spent(self) -> float:
        return self.alpha / SLOTS if self.units else 0.0


def slots(claim: Claim, profile: str, alpha: float) -> Slots:
    """Counts the sampled units of a claim under a profile: its legs' points and its rivals' own."""
    units = sum(len(claim.points(profile, lg)) for lg in claim.legs if lg.arithmetic == "samples")
    for rival in claim.rivals:
        lg = rival_leg(claim, rival)
        if lg.arithmetic == "samples" and own_data(rival.changes, rival.at):
            units += len(rival_points(claim, rival.name, profile))
    for h in claim.assumes:
        lg = claim.legs[0] if h.leg is None else claim.leg(h.leg)
        units += len(h.without) if lg.arithmetic == "samples" else 0
    return Slots(alpha, units)


def confirming_points(
    claim: Claim, leg: Leg, point: Mapping[str, Exact], profile: str
) -> list[dict[str, Exact]]:
    """Where a fail at ``point`` is observed again: a law is refuted by its sweep, not by one point."""
    return [dict(point)] if claim.relation_of(leg).pointwise else claim.points(profile, leg)


def own_data(changes: Mapping[str, Any], at: object) -> bool:
    """Whether a rival needs observations of its own (another program, data or other points)."""
    return at is not None or bool({"simulation", "reference", "instances"} & set(changes))


def rival_points(claim: Claim, name: str, profile: str) -> list[dict[str, Exact]]:
    """Points at which a rival is observed: its own, else the smoke points of its leg."""
    rival = next(r for r in claim.rivals if r.name == name)
    if rival.at is not None:
        return [dict(p) for p in rival.at]
    return claim.points(PROFILES[0], rival_leg(claim, rival))


# ---------------------------------------------------------------- closed forms at points


class Form:
    """A closed form evaluated at rows; compiled once, values remembered."""

    def __init__(self, expression: Any) -> None:
        self.expression = expression
        self._known: dict[Any, list[Any]] = {}
        self._text: str | None = None

    @property
    def text(self) -> str:
        """The expression with everything that it depends on; "" for a function, which has no text."""
        if self._text is None:
            plain = isinstance(self.expression, sympy.Basic | sympy.MatrixBase | int | Fraction)
            self._text = expression_text(self.expression) if plain else ""
        return self._text

    def expected(self, values: Mapping[str, Any]) -> list[Expected]:
        """The closed form's components, remembered between runs."""

        def make() -> list[Any]:
            return [_expected(e).to_json() for e in self.at(values)]

        if not self.text:
            return [_expected(e) for e in self.at(values)]
        found = memo.remembered("closed form", (self.text, inputs_text(values)), make)
        return [Expected.from_json(e) for e in found]

    def at(self, values: Mapping[str, Any]) -> list[Any]:
        """`theorycheck.balls` evaluations, one a component."""
        key = tuple((k, v if not isinstance(v, Enclosure) else (v.lo, v.hi))
                    for k, v in sorted(values.items()))  # fmt: skip
        if key not in self._known:
            self._known[key] = self._evaluate(values)
        return self._known[key]

    def bound(self, values: Mapping[str, Any]) -> Any:
        """The expression with tuple parameters (spectra) and callables filled in."""
        expr = self.expression
        if callable(expr) and not isinstance(expr, sympy.Basic | sympy.MatrixBase):
            return sympy.sympify(expr(**{k: _sympy(v) for k, v in values.items()
                                         if not isinstance(v, Enclosure)}))  # fmt: skip
        if isinstance(expr, int | Fraction):
            return _sympy(expr)
        lists = {k: v for k, v in values.items() if isinstance(v, tuple)}
        if lists:
            expr = _fill(expr, lists, {k: v for k, v in values.items() if k not in lists})
        return expr

    def _evaluate(self, values: Mapping[str, Any]) -> list[Any]:
        try:
            expr = self.bound(values)
        except IndexError as error:
            return [balls.Evaluated(None, None, "undefined", str(error))]
        given = _numbers(values)
        entries = list(expr) if isinstance(expr, sympy.MatrixBase) else [expr]
        return [
            balls.evaluate(e, {k: given[k] for k in map(str, e.free_symbols) if k in given},
                           prec=CERTIFIED_BITS)
            for e in entries
        ]  # fmt: skip


def expression_text(expr: Any) -> str:
    """An expression with the assumptions on its symbols; the same text in every process.

    SymPy keeps the arguments of sums, products and the like in an order that hashes decide, and
    hashes of strings differ from process to process.
    """
    if isinstance(expr, sympy.MatrixBase):
        return f"{expr.shape}[{', '.join(map(expression_text, expr))}]"
    return _basic_text(expr) if isinstance(expr, sympy.Basic) else repr(expr)


@lru_cache(maxsize=1 << 14)
def _basic_text(expr: sympy.Basic) -> str:
    if not expr.args:
        return str(sympy.srepr(expr))
    parts = [expression_text(a) for a in expr.args]
    unordered = isinstance(expr, sympy.Add | LatticeOp) or (
        isinstance(expr, sympy.Mul) and expr.is_commutative
    )
    return f"{type(expr).__name__}({', '.join(sorted(parts) if unordered else parts)})"


def inputs_text(values: Mapping[str, Any]) -> str:
    """What a closed form is evaluated at, as text; equal texts for equal inputs only."""
    return json.dumps(
        {
            k: v.to_json() if isinstance(v, Enclosure) else [isinstance(v, str), to_text(v)]
            for k, v in sorted(values.items())
        }
    )


def _sympy(value: Any) -> Any:
    if isinstance(value, Fraction):
        return sympy.Rational(value.numerator, value.denominator)
    if isinstance(value, tuple):
        return tuple(_sympy(v) for v in value)
    return sympy.Integer(value) if isinstance(value, int) else value


def _numbers(values: Mapping[str, Any]) -> dict[str, Any]:
    """Inputs as the evaluator takes them; measured ones as balls wide enough to lose nothing."""
    saved = ctx.prec
    try:
        ctx.prec = CERTIFIED_BITS + 64
        return {
            k: v.to_ball() if isinstance(v, Enclosure) else v
            for k, v in values.items()
            if not isinstance(v, str | tuple)
        }
    finally:
        ctx.prec = saved


def _fill(expr: Any, lists: Mapping[str, Any], numbers: Mapping[str, Any]) -> Any:
    """Fill indexed symbols such as lam[i], i = 1.., from tuples, and expand the sums over them."""
    scalars = {
        s: _sympy(numbers[s.name])
        for s in expr.free_symbols
        if isinstance(s, sympy.Symbol) and isinstance(numbers.get(s.name), int | Fraction)
    }
    expanded = _expand_sums(expr.xreplace(scalars))
    entries = {}
    for item in expanded.atoms(sympy.Indexed):
        values, index = lists[str(item.base)], item.indices[0]
        if not (index.is_Integer and 1 <= int(index) <= len(values)):
            raise IndexError(f"{item} lies outside of the {len(values)} given values")
        entries[item] = _sympy(values[int(index) - 1])
    return expanded.xreplace(entries)


def _put(expr: Any, index: Any, value: Any) -> Any:
    """Replace a free index; where an inner sum binds the same letter it is another one."""
    if expr == index:
        return value
    if index not in expr.free_symbols:
        return expr
    if isinstance(expr, sympy.Sum | sympy.Product) and index in expr.variables:
        limits = [(v, *(_put(end, index, value) for end in ends)) for v, *ends in expr.limits]
        return expr.func(expr.function, *limits)
    return expr.func(*(_put(a, index, value) for a in expr.args))


def _expand_sums(expr: Any) -> Any:
    """Sums and products over indexed symbols, with their bounds filled in, term by term."""
    if not expr.has(sympy.Indexed):
        return expr
    if isinstance(expr, sympy.Sum | sympy.Product):
        index, low, high = expr.limits[0]
        if len(expr.limits) > 1 or not (low.is_Integer and high.is_Integer):
            raise IndexError(f"{expr} has no integer bounds here")
        count = range(int(low), int(high) + 1)
        terms = [_expand_sums(_put(expr.function, index, sympy.Integer(v))) for v in count]
        return sympy.Add(*terms) if isinstance(expr, sympy.Sum) else sympy.Mul(*terms)
    if not expr.args or isinstance(expr, sympy.Indexed):
        return expr
    return expr.func(*(_expand_sums(a) for a in expr.args))


def _expected(evaluated: Any) -> Expected:
    if evaluated.exact is not None:
        return Expected("ok", Enclosure(evaluated.exact, evaluated.exact))
    if evaluated.ball is not None:
        return Expected("ok", Enclosure.from_ball(evaluated.ball))
    return Expected(evaluated.status, None, evaluated.reason)


# ---------------------------------------------------------------- rows


def rung_of(leg: Leg) -> str:
    """The rung that a leg's arithmetic reaches; `exhaustive` and `proved` are given by the judge."""
    if leg.side == "search":
        return "searched"
    return {
        "exact": "certified",
        "rational": "certified",
        "ball": "certified",
        "interval": "computed",
        "external": "searched",
        "samples": "sampled",
        "proof": "certified",
    }[leg.arithmetic]


def rows_of(leg: Leg, observation: Observation, form: Form | None, alpha: float) -> list[Row]:
    """One row for every instance and component of an observation."""
    rung = rung_of(leg)
    rows = []
    references = observation.detail.get("references")
    gap = bool(observation.detail.get("gap"))
    for i, values in enumerate(measured_values(leg, observation, alpha)):
        scalars = observation.scalars[i] if observation.scalars else {}
        further = observation.observed[i] if observation.observed else {}
        inputs = {
            **observation.point,
            **scalars,
            **{k: v.enclosure for k, v in further.items()},
        }
        unit = _unit(leg, inputs)
        if gap:
            zero = Expected("ok", Value.of(0).enclosure)
            expected: Sequence[Expected] = [zero] * len(values)
            unit = observation.units[i]
        elif references is not None:
            others = [Value.from_json(v) for v in references[i]]
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
            same = (
                value.surd is not None
                and form is not None
                and references is None
                and _same(value.surd, form, inputs, j)
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


def measured_values(leg: Leg, observation: Observation, alpha: float) -> list[Sequence[Value]]:
    """Values by instance; a sampled leg's confidence set is computed at level alpha, an external
    leg's values are widened by the error that was declared for them."""
    if leg.error:
        return [[_widened(v, leg.error) for v in values] for values in observation.values]
    if leg.arithmetic != "samples" or leg.statistic is None:
        return list(observation.values)
    statistic, data = leg.statistic, dict(observation.state or {})

    def make() -> Any:
        try:
            return statistic.interval(stats.State.from_json(data), alpha).to_json()
        except stats.AssumptionBroken as error:
            raise stats.AssumptionBroken(f"{_place(observation)}: {error}") from error

    key = (statistic.text(), repr(alpha), json.dumps(data))
    return [[Value(Enclosure.from_json(memo.remembered("interval", key, make)))]]


def _widened(value: Value, error: Fraction) -> Value:
    e = value.enclosure
    reach = fmpq(error.numerator, error.denominator) * max(abs(e.lo), abs(e.hi), key=abs)
    return Value(Enclosure(e.lo - reach, e.hi + reach))


def _shape_row(o: Observation, i: int, measured: int, closed: int, rung: str) -> Row:
    reason = f"closed form has {closed} components, the simulation {measured}"
    return Row(o.point, Value.of(0).enclosure, Expected("undecided", None, reason), rung, i)


def _unit(leg: Leg, inputs: Mapping[str, Any]) -> Fraction | None:
    if leg.unit is None:
        return None
    enclosure = Form(leg.unit).expected(inputs)[0].enclosure
    if enclosure is None or enclosure.hi <= 0:
        return Fraction(1)
    return Fraction(int(enclosure.hi.p), int(enclosure.hi.q))


def _largest(values: Sequence[Value]) -> Fraction | None:
    top = max(max(abs(v.enclosure.lo), abs(v.enclosure.hi)) for v in values)
    return Fraction(int(top.p), int(top.q)) if top > 0 else None


def _same(surd: Surd, form: Form, inputs: Mapping[str, Any], component: int) -> bool:
    """Whether the surd is proved to be the closed form's value (zero test of algebraic numbers)."""
    if not form.text:
        return _proved_same(surd, form, inputs, component)
    key = (repr(surd), form.text, inputs_text(inputs), str(component))
    return bool(memo.remembered("same", key, lambda: _proved_same(surd, form, inputs, component)))


def _proved_same(surd: Surd, form: Form, inputs: Mapping[str, Any], component: int) -> bool:
    expr = form.bound(inputs)
    if isinstance(expr, sympy.MatrixBase):
        expr = list(expr)[component]
    number = _sympy(surd.coefficient) * sympy.sqrt(surd.radicand)
    given = _numbers(inputs)
    free = {str(s) for s in expr.free_symbols}
    return bool(balls.sign(expr - number, {k: given[k] for k in free}) == 0)


# ---------------------------------------------------------------- verdicts


@dataclass
class Judgement:
    """Everything that the evidence says of a claim. Field names as in the report's contract."""

    verdict: str
    reason: str = ""
    would_decide: str = ""
    rung: str | None = None
    proved: bool = False
    resolution: dict[str, Any] | None = None
    tightness: dict[str, Any] | None = None
    legs: list[dict[str, Any]] = field(default_factory=list)
    rivals: list[dict[str, Any]] = field(default_factory=list)
    mutants: dict[str, Any] = field(
        default_factory=lambda: {"made": 0, "refuted": 0, "survivors": []}
    )
    hypotheses: list[dict[str, Any]] = field(default_factory=list)
    counterexample: dict[str, Any] | None = None
    diagnosis: dict[str, Any] | None = None
    undiagnosed: str = ""
    """Why a fail has no diagnosis."""
    points: int = 0
    samples: int = 0
    alpha_spent: float = 0.0
    failing: tuple[str, Row] | None = None


Evidence = Mapping[tuple[str, str, str], Sequence[Observation]]
"""Observations by (purpose, leg name, variant name)."""


def by_unit(observations: Iterable[Observation]) -> dict[tuple[str, str, str], list[Observation]]:
    grouped: dict[tuple[str, str, str], list[Observation]] = {}
    for o in observations:
        grouped.setdefault((o.purpose, o.leg, o.variant), []).append(o)
    return grouped


def judge(
    claim: Claim,
    observations: Iterable[Observation],
    *,
    alpha: float,
    profile: str,
    diagnosing: bool = True,
) -> Judgement:
    """The verdict of a claim on its observations at the run's level alpha.

    Without ``diagnosing`` a fail is left without its law, where more is to be observed of it first.
    """
    kept = [o for o in observations if o.purpose != FIGURE]
    share = slots(claim, profile, alpha)
    judged = [o for o in kept if o.purpose == "judge" and not o.variant]
    out = Judgement(
        "pass",
        points=len({point_key(o.point) for o in judged}),
        samples=sum(o.samples for o in kept),
        alpha_spent=share.spent,
    )
    broken = next((o for o in kept if o.status == "error"), None)
    if broken is not None:
        return replace(out, verdict="error", reason=f"{_place(broken)}: {broken.message}")
    try:
        return _judged(claim, kept, share, profile, diagnosing, replace(out, legs=[]))
    except stats.AssumptionBroken as error:
        return replace(out, verdict="error", reason=str(error))


def _place(observation: Observation) -> str:
    return f"at {point_key(observation.point) or 'its only point'}"


def _judged(
    claim: Claim,
    kept: Sequence[Observation],
    share: Slots,
    profile: str,
    diagnosing: bool,
    out: Judgement,
) -> Judgement:
    evidence = by_unit(kept)
    goal = sharpened(claim, GOALS[profile], profile)
    decisions: list[tuple[Leg, Decision, list[Row]]] = []
    for lg in claim.legs:
        seen = [
            *evidence.get(("judge", lg.name, ""), []),
            *evidence.get(("suspect", lg.name, ""), []),
        ]
        if not seen:
            out.verdict, out.reason = "inconclusive", f"time: leg {lg.name!r} was not observed"
            return out
        decision, rows = decide_leg(claim, lg, seen, share.point, goal)
        decisions.append((lg, decision, rows))
        out.legs.append(_leg_entry(claim, lg, decision, seen, profile))
    _combine(claim, decisions, out)
    if out.verdict == "fail":
        _confirm(claim, evidence, share, goal, profile, out)
        if diagnosing:
            _diagnose(claim, evidence, share, out)
        return out
    if out.verdict == "pass":
        _rivals(claim, evidence, share, goal, out)
        _mutants(claim, decisions, goal, out)
        _hypotheses(claim, evidence, share, goal, out)
    return out


def sharpened(claim: Claim, goal: Goal, profile: str) -> Goal:
    """The target resolution of sampled equalities: at most half the distance to the nearest rival."""
    nearest = memo.remembered(
        "nearest rival", (claim.id, profile), lambda: _nearest_rival(claim, profile)
    )
    return replace(goal, sampled=min([goal.sampled, *nearest]))


def _nearest_rival(claim: Claim, profile: str) -> list[float]:
    """Half the distance to each rival formula of a sampled equality, where it is farthest."""
    found = []
    sampled = [
        lg for lg in claim.legs if lg.arithmetic == "samples" and claim.form_of(lg) is not None
    ]
    for lg in sampled:
        if claim.relation_of(lg).one_sided:
            continue
        for rival in claim.rivals:
            form = rival.changes.get("closed_form")
            if form is None or own_data(rival.changes, rival.at) or rival_leg(claim, rival) != lg:
                continue
            distances = [_distance(claim.form_of(lg), form, p) for p in claim.points(profile, lg)]
            apart = max((d for d in distances if d is not None), default=0.0)
            if apart > 0:
                found.append(apart / 2)
    return found


def _distance(form: Any, rival: Any, point: Mapping[str, Exact]) -> float | None:
    """Relative distance of two closed forms at a point, None where one has no value."""
    try:
        mine, other = Form(form).at(point)[0], Form(rival).at(point)[0]
    except (KeyError, balls.UnsupportedExpression):  # a quantity that only an instance gives
        return None
    a, b = _expected(mine).enclosure, _expected(other).enclosure
    if a is None or b is None or a.lo <= 0 <= a.hi:
        return None
    return abs(as_float((b.mid - a.mid) / a.mid))


def decide_leg(
    claim: Claim,
    leg: Leg,
    observations: Sequence[Observation],
    alpha: float,
    goal: Goal,
    *,
    form: Any = None,
    rival: bool = False,
    relation: Relation | None = None,
) -> tuple[Decision, list[Row]]:
    """The decision of one leg (of a rival: ``fail`` means refuted) on its observations."""
    if leg.arithmetic == "proof":
        return _proof_decision(observations), []
    expression = claim.form_of(leg) if form is None else form
    compiled = None if expression is None else Form(expression)
    rows = [r for o in observations for r in rows_of(leg, o, compiled, alpha)]
    used = relation or claim.relation_of(leg)
    decision = used.rival_falls(rows, goal) if rival else used.decide(rows, goal)
    return decision, rows


def _proof_decision(observations: Sequence[Observation]) -> Decision:
    for i, o in enumerate(observations):
        if o.detail.get("counterexample") is not None:
            return Decision("fail", str(o.detail["method"]), decisive=i)
        if not o.detail.get("holds"):
            return Decision("inconclusive", "no certificate: " + str(o.detail.get("method", "")))
    return Decision("pass", resolution={"kind": "relative", "value": 0.0})


def _leg_entry(
    claim: Claim, leg: Leg, decision: Decision, seen: Sequence[Observation], profile: str
) -> dict[str, Any]:
    entry = {
        "name": leg.name,
        "rung": _leg_rung(claim, leg, profile),
        "verdict": decision.verdict,
        "reason": decision.reason,
        "resolution": decision.resolution,
        "tightness": decision.tightness,
        "arithmetic": leg.arithmetic,
        "side": leg.side,
        "required": leg.required,
        "points": len(seen),
        "samples": sum(o.samples for o in seen),
        **decision.extra,
    }
    if leg.arithmetic == "external":
        entry["model"] = f"{leg.model}; declared error {leg.error}"
    elif leg.model:
        entry["model"] = leg.model
    if leg.statistic is not None:
        entry["statistic"] = leg.statistic.text()
    if leg.arithmetic == "proof":
        entry["proof"] = [dict(o.detail) for o in seen]
    return entry


def _leg_rung(claim: Claim, leg: Leg, profile: str) -> str:
    """`exhaustive` where an exact leg saw every point of a finite domain; `proved` for a proof that
    has no free parameter left to try."""
    base = rung_of(leg)
    points = claim.points(profile, leg)
    if leg.arithmetic == "proof" and points == [{}]:
        return "proved"
    relation = claim.relation_of(leg)
    if getattr(relation, "rung", None) is not None:
        return str(relation.rung)  # type: ignore[attr-defined]
    if base != "certified" or leg.instances is not None:
        return base
    if claim.domain and all(d.finite for d in claim.domain.values()):
        every = {point_key(p) for p in _all_points(claim)}
        if every <= {point_key(p) for p in points}:
            return "exhaustive"
    return base


def _all_points(claim: Claim) -> list[dict[str, Exact]]:
    from theorycheck.domain import product_points

    columns = {name: list(d.members()) for name, d in claim.domain.items()}
    return [p for p in product_points(columns) if claim.admits(p)]


def _combine(
    claim: Claim, decisions: list[tuple[Leg, Decision, list[Row]]], out: Judgement
) -> None:
    """A refutation by any leg refutes; otherwise the legs that the assertion needs decide."""
    for lg, decision, rows in decisions:
        if decision.verdict == "fail":
            out.verdict = "fail"
            out.reason = f"{lg.name}: {decision.reason}"
            out.rung = _leg_rung_of(out, lg)
            if rows and decision.decisive is not None:
                row = rows[decision.decisive]
                out.failing = (lg.name, row)
                out.counterexample = counterexample(lg, row, decision.kind)
            else:
                out.counterexample = _proof_counterexample(decision, out, lg)
            return
    needed = [(lg, d) for lg, d, _ in decisions if lg.required]
    out.rung = weakest([_leg_rung_of(out, lg) for lg, _ in needed])
    for lg, d in needed:
        if d.verdict != "pass":
            out.verdict, out.reason = "inconclusive", f"{lg.name}: {d.reason}"
            out.would_decide = d.would_decide
            break
    out.proved = out.rung == "proved" and out.verdict == "pass"
    sides = {lg.side for lg, _ in needed}
    if "attained" in sides and "certificate" not in sides:
        out.rung = weakest([out.rung, "searched"])
    out.resolution = _resolution(claim, needed)
    out.tightness = _tightness(claim, needed)


def _leg_rung_of(out: Judgement, leg: Leg) -> str:
    return next(str(e["rung"]) for e in out.legs if e["name"] == leg.name)


def subject(claim: Claim, leg: Leg) -> str:
    """What a leg speaks of. Legs of one closed form sharpen one another, those of different ones do
    not: a claim is as sharp as the least sharply seen of its closed forms."""
    if leg.reference is not None:
        return f"procedure {leg.reference.__module__}.{leg.reference.__qualname__}"
    return Form(claim.form_of(leg)).text or f"leg {leg.name}"


def _resolution(claim: Claim, needed: Sequence[tuple[Leg, Decision]]) -> dict[str, Any] | None:
    """Of each closed form the sharpest leg's, for an optimum the sum of its two sides; then the
    least sharp."""
    subjects: dict[str, dict[str, dict[str, Any]]] = {}
    for lg, d in needed:
        if d.resolution is None:
            continue
        sides = subjects.setdefault(subject(claim, lg), {})
        side = lg.side if lg.side in ("attained", "certificate") else "value"
        if side not in sides or d.resolution["value"] < sides[side]["value"]:
            sides[side] = d.resolution
    found = []
    for sides in subjects.values():
        if {"attained", "certificate"} <= set(sides):
            both = [sides["attained"], sides["certificate"]]
            found.append({"kind": both[0]["kind"], "value": both[0]["value"] + both[1]["value"]})
        else:
            found.append(min(sides.values(), key=lambda r: float(r["value"])))
    return max(found, key=lambda r: float(r["value"]), default=None)


def _tightness(claim: Claim, needed: Sequence[tuple[Leg, Decision]]) -> dict[str, Any] | None:
    """Of each bound the leg's that comes nearest to it, then the farthest; of those with a relative
    tightness where there are any."""
    subjects: dict[str, list[dict[str, Any]]] = {}
    for lg, d in needed:
        if d.tightness is not None:
            subjects.setdefault(subject(claim, lg), []).append(d.tightness)
    relative, absolute = [], []
    for found in subjects.values():
        multiples = [t for t in found if t["kind"] == "relative"]
        if multiples:
            relative.append(max(multiples, key=lambda t: float(t["value"])))
        else:
            absolute.append(min(found, key=lambda t: float(t["value"])))
    if relative:
        return min(relative, key=lambda t: float(t["value"]))
    return max(absolute, key=lambda t: float(t["value"]), default=None)


def counterexample(leg: Leg, row: Row, kind: str) -> dict[str, Any]:
    """Both sides at the failing point, to the digits that show the difference."""
    digits = 12
    lhs = shown(row.measured, digits)
    rhs = "undefined" if row.expected.enclosure is None else shown(row.expected.enclosure, digits)
    if row.expected.enclosure is not None:
        while lhs == rhs and digits < 60:
            digits += 12
            lhs, rhs = shown(row.measured, digits), shown(row.expected.enclosure, digits)
    return {
        "point": as_json(row.point),
        "instance": row.instance,
        "component": row.component,
        "leg": leg.name,
        "kind": kind,
        "lhs": lhs,
        "rhs": rhs,
        "confirmed": None,
    }


def _proof_counterexample(decision: Decision, out: Judgement, leg: Leg) -> dict[str, Any]:
    entry = next(e for e in out.legs if e["name"] == leg.name)
    found = [p["counterexample"] for p in entry.get("proof", []) if p["counterexample"] is not None]
    return {"point": {}, "leg": leg.name, "kind": "value", "confirmed": True,
            "lhs": decision.reason, "rhs": "", "witness": found[0] if found else None}  # fmt: skip


def shown(e: Enclosure, digits: int) -> str:
    """``3/320``, ``0.0785674201319`` or ``[0.48, 0.52]``: never more digits than are known."""
    if e.exact:
        text = str(e.lo)
        return text if len(text) <= 40 else balls.to_decimal(e.lo, digits)
    size = max(abs(e.lo), abs(e.hi))
    if e.hi - e.lo > size / 1000:  # a confidence interval rather than a number
        return f"[{as_float(e.lo):.4g}, {as_float(e.hi):.4g}]"
    return balls.enclosure_str(e.to_ball(), digits)


def _confirm(
    claim: Claim, evidence: Evidence, share: Slots, goal: Goal, profile: str, out: Judgement
) -> None:
    """A fail of a random leg must reject again on a stream of its own, else it is discordant."""
    if out.failing is None or out.counterexample is None:
        return
    name, row = out.failing
    leg = claim.leg(name)
    again = evidence.get(("confirm", name, ""), [])
    if not again:
        return
    level = share.confirm(len(confirming_points(claim, leg, row.point, profile)))
    decision, _ = decide_leg(claim, leg, again, level, goal)
    out.counterexample["confirmed"] = decision.verdict == "fail"
    if decision.verdict != "fail":
        out.verdict, out.reason = "inconclusive", "discordant: not rejected again on a fresh stream"
        out.would_decide = "a larger budget of samples"
        return
    smaller = [
        decide_leg(claim, leg, [o], level, goal) for o, level in _simpler(leg, evidence, share)
    ]
    failing = [(d, r) for d, r in smaller if d.verdict == "fail" and d.decisive is not None]
    out.counterexample["worst"] = {k: out.counterexample[k] for k in ("point", "lhs", "rhs")}
    if failing:
        d, r = failing[0]
        simplest = counterexample(leg, r[d.decisive or 0], d.kind)
        for key in ("point", "instance", "component", "lhs", "rhs"):
            out.counterexample[key] = simplest[key]


def _simpler(leg: Leg, evidence: Evidence, share: Slots) -> list[tuple[Observation, float]]:
    """Simpler points tried after a fail, with their levels. Where the leg's assumption on its tails
    breaks there, the point says nothing; the fail stands by the grid."""
    found = []
    for k, seen in enumerate(evidence.get(("shrink", leg.name, ""), []), 1):
        level = share.adaptive(k)
        try:
            measured_values(leg, seen, level)
        except stats.AssumptionBroken:
            continue
        found.append((seen, level))
    return found


def _diagnose(claim: Claim, evidence: Evidence, share: Slots, out: Judgement) -> None:
    """The law of the deviation, where it follows one: fitted on some of the rows, tested on the rest."""
    if out.verdict != "fail":
        return
    if out.failing is None:
        out.undiagnosed = "it was found by a proof, which has one counterexample and no deviations"
        return
    leg = claim.leg(out.failing[0])
    form, relation = claim.form_of(leg), claim.relation_of(leg)
    if leg.reference is not None:
        out.undiagnosed = "the other side is a procedure, which no law corrects"
        return
    if not isinstance(form, sympy.Expr):
        out.undiagnosed = "laws are sought for a closed form that is one expression"
        return
    if not relation.pointwise:
        out.undiagnosed = f"{relation.name} speaks of all points together"
        return
    seen = [(o, share.point) for o in evidence.get(("judge", leg.name, ""), [])]
    seen += _simpler(leg, evidence, share)
    compiled = Form(form)
    rows = [r for o, level in seen for r in rows_of(leg, o, compiled, level) if r.defined]
    beside = _rows_beside(claim, leg, evidence, share)
    key = (
        compiled.text, relation.text("l", "r"), _rows_text(leg, rows), _rows_text(leg, beside),
    )  # fmt: skip
    out.diagnosis = memo.remembered(
        "diagnosis", key, lambda: _law(claim, form, relation, rows, beside)
    )
    if out.diagnosis is None:
        out.undiagnosed = (
            f"no law meets {'all of the ' if len(rows) > 1 else ''}{len(rows)} row"
            f"{'s' if len(rows) > 1 else ''}: constants, powers, exponentials, "
            "factorials, logarithms, pairs of them, and mutants of the closed form were tried"
        )


def _rows_beside(claim: Claim, leg: Leg, evidence: Evidence, share: Slots) -> list[Row]:
    """What the other legs of the same closed form measured: data that did not suggest the law."""
    rows = []
    for lg in claim.legs:
        relation = claim.relation_of(lg)
        if (
            lg.name == leg.name
            or lg.arithmetic == "proof"
            or lg.side == "search"
            or relation.one_sided
            or not relation.pointwise
            or subject(claim, lg) != subject(claim, leg)
        ):
            continue
        form = Form(claim.form_of(lg))
        for o in evidence.get(("judge", lg.name, ""), []):
            rows += [r for r in rows_of(lg, o, form, share.point) if r.defined]
    return rows


def _law(
    claim: Claim, form: Any, relation: Relation, rows: Sequence[Row], beside: Sequence[Row]
) -> dict[str, Any] | None:
    """The diagnosis of failing rows as the report holds it, tested on those beside them where no row
    could be held out."""
    numeric = [n for n, d in claim.domain.items() if d.numeric]
    whole = [n for n in numeric if claim.domain[n].kind in ("integers", "primes")]
    columns = (
        [r.point for r in rows],
        [r.measured for r in rows],
        [r.target for r in rows],
        numeric,
    )
    if relation.one_sided:
        sign = 1 if relation.text("l", "r").find("<=") >= 0 else -1
        found = diagnosis.growth(*columns, sign=sign, integer=whole)
    else:
        inputs = [r.inputs for r in rows]
        found = diagnosis.diagnose(*columns, form=form, integer=whole, inputs=inputs)
    if found is None:
        return None
    tested_on = len(found.held_out)
    if found.agrees is None and found.kind != "growth" and beside:
        tested = diagnosis.confirm(
            found,
            [r.point for r in beside],
            [r.measured for r in beside],
            [r.target for r in beside],
            [r.inputs for r in beside],
        )
        if tested.agrees is False and relation.name == "equals":
            return None  # an optimum's other side may fall short, which says nothing of the law
        if tested.agrees:
            found, tested_on = replace(found, agrees=True), tested.points
    return {
        "kind": found.kind,
        "text": found.text,
        "corrected": None if found.corrected is None else str(found.corrected),
        "agrees": found.agrees,
        "tested_on": tested_on,
        "alternatives": list(found.alternatives),
        "hypotheses": found.hypotheses,
        "candidates": found.candidates,
        "caution": found.caution,
    }


def _rivals(claim: Claim, evidence: Evidence, share: Slots, goal: Goal, out: Judgement) -> None:
    for rival in claim.rivals:
        entry = {"name": rival.name, "refuted": False, "by": "not observed"}
        for leg, variant in _witnesses(claim, rival):
            seen = evidence.get(("judge", leg.name, variant), [])
            if not seen:
                continue
            decision, rows = _rival_decision(claim, rival, leg, seen, share, goal)
            if decision.verdict == "fail":
                entry |= {"refuted": True, "by": _by(decision, rows)}
                break
            entry["by"] = decision.reason or "survives where tried"
        out.rivals.append(entry)
    alive = [str(r["name"]) for r in out.rivals if not r["refuted"]]
    if alive:
        out.verdict, out.reason = "inconclusive", "survivor: " + ", ".join(alive)
        out.would_decide = "points or samples that tell the rival from the claim"


def _witnesses(claim: Claim, rival: Variant) -> list[tuple[Leg, str]]:
    """Legs whose observations may refute a rival: its own data, else every leg that it speaks of."""
    first = rival_leg(claim, rival)
    if own_data(rival.changes, rival.at):
        return [(first, rival.name)]
    if rival.leg is not None or first.closed_form is not None:
        return [(first, "")]
    return [(lg, "") for lg in claim.legs if lg.closed_form is None and lg.arithmetic != "proof"]


def _rival_decision(
    claim: Claim, rival: Variant, leg: Leg, seen: Sequence[Observation], share: Slots, goal: Goal
) -> tuple[Decision, list[Row]]:
    """``fail`` means refuted. A rival program is asked whether it does what the claim says, a rival
    formula whether the claim's own observations allow it."""
    form = rival.changes.get("closed_form")
    _, changed = apply(claim, replace(rival, leg=leg.name))
    relation = rival.changes.get("relation") or claim.relation_of(changed)
    return decide_leg(
        claim,
        changed,
        seen,
        share.point,
        goal,
        form=form,
        # Laws with a free constant never fail; what refutes a rival law is its own question.
        rival=form is None or not relation.pointwise,
        relation=relation,
    )


def _by(decision: Decision, rows: Sequence[Row]) -> str:
    if decision.decisive is None or not rows:
        return decision.reason
    row = rows[decision.decisive]
    place = point_key(row.point) or "the only point"
    right = "undefined" if row.expected.enclosure is None else shown(row.expected.enclosure, 6)
    return f"{place}: {shown(row.measured, 6)} against {right}"


@dataclass(frozen=True)
class _Target:
    """A closed form, or a component of one, that mutants are made of, and the rows that judge them."""

    label: str
    form: sympy.Expr
    legs: list[tuple[Leg, list[Row]]]


def _mutants(
    claim: Claim, decisions: list[tuple[Leg, Decision, list[Row]]], goal: Goal, out: Judgement
) -> None:
    """Automatic mutants of the claim's closed forms, on the rows that are already there."""
    targets = _targets(claim, decisions) if claim.mutate else []
    if not targets:
        out.mutants["none"] = _why_none(claim)
        return
    tables = [_mutants_of(claim, target, goal) for target in targets]
    out.mutants = {
        key: sum((t[key] for t in tables), [] if key == "survivors" else 0) for key in tables[0]
    }
    survivors = out.mutants["survivors"]
    if survivors and out.verdict == "pass":
        out.verdict = "inconclusive"
        out.reason = "survivor: mutant " + "; ".join(s["name"] for s in survivors[:3])
        out.would_decide = "points or samples that tell the mutant from the claim"


def _targets(claim: Claim, decisions: list[tuple[Leg, Decision, list[Row]]]) -> list[_Target]:
    """Every closed form of an equality or optimum, matrices entry by entry, with its legs."""
    legs: dict[tuple[str, int], list[tuple[Leg, list[Row]]]] = {}
    forms: dict[tuple[str, int], tuple[str, sympy.Expr]] = {}
    for lg, _, rows in decisions:
        form = claim.form_of(lg)
        if not rows or lg.reference is not None or claim.relation_of(lg).one_sided:
            continue
        if isinstance(form, sympy.MatrixBase):
            parts = [(f"{lg.name}, component {i}", e) for i, e in enumerate(form)]
        elif isinstance(form, sympy.Expr):
            parts = [(lg.name, form)]
        else:
            continue
        for index, (label, part) in enumerate(parts):
            own = rows if len(parts) == 1 else [r for r in rows if r.component == index]
            if own:
                key = (Form(form).text, index)
                legs.setdefault(key, []).append((lg, own))
                forms.setdefault(key, (label, part))
    several = len(forms) > 1
    return [
        _Target(label if several else "", form, legs[key])
        for key, (label, form) in forms.items()
        if any(lg.required for lg, _ in legs[key])
    ]


def _why_none(claim: Claim) -> str:
    """Why no mutants were made of a claim, for the report."""
    if not claim.mutate:
        return "switched off by the author (mutate=False)"
    used = [lg for lg in claim.legs if not claim.relation_of(lg).one_sided]
    if not used:
        return "one-sided: its tightness says how near a smaller bound comes"
    if all(lg.arithmetic == "proof" for lg in used):
        return "a proof by program has no closed form"
    if all(lg.reference is not None or lg.arithmetic == "proof" for lg in used):
        return "the other side is a procedure: its rivals are programs"
    return "the closed form is a function of the data, not an expression"


def _mutants_of(claim: Claim, target: _Target, goal: Goal) -> dict[str, Any]:
    form, legs = target.form, target.legs
    numeric = [n for n, d in claim.domain.items() if d.numeric]
    whole = [n for n in numeric if claim.domain[n].kind in ("integers", "primes")]
    sharpness = max(goal.of(rows[0].rung) for _, rows in legs)

    def table() -> dict[str, Any]:
        made = mutants(
            form,
            parameters=numeric,
            integer=whole,
            nudges=[Fraction(sharpness).limit_denominator(10**12)],
        )
        refuted, below, alive = 0, 0, []
        for mutant in made:
            if any(_mutant_falls(claim, lg, rows, mutant, goal) for lg, rows in legs):
                refuted += 1
                continue
            if all(_below_target(rows, mutant, goal) for _, rows in legs):
                below += 1
                continue
            same = _compare(claim, form, mutant.form, numeric)
            if same.answer == "equal":
                continue
            name = f"{target.label}: {mutant.name}" if target.label else mutant.name
            alive.append({"name": name, "why": _why_alive(same)})
        return {
            "made": refuted + len(alive),
            "refuted": refuted,
            "survivors": alive,
            "below_resolution": below,
        }

    rows_text = (_rows_text(lg, rows) for lg, rows in legs)
    key = (Form(form).text, target.label, repr(goal), *rows_text)
    found: dict[str, Any] = memo.remembered("mutants", key, table)
    return found


def _below_target(rows: Sequence[Row], mutant: Mutant, goal: Goal) -> bool:
    """Whether a mutant moves the closed form, at every tried point, by less than the look was asked to
    see, but does move it: a survivor below the resolution is none (VERDICTS, "Around them")."""
    form, moved = Form(mutant.form), False
    for row in rows:
        evaluated = form.at(row.inputs)
        other = _expected(evaluated[0]).enclosure if len(evaluated) == 1 else None
        if other is None or row.expected.enclosure is None:
            return False
        shift = abs((other.mid - row.target.mid) / row.scale)
        if as_float(shift) > goal.of(row.rung):
            return False
        moved = moved or not other.intersects(row.target)
    return moved


def _rows_text(leg: Leg, rows: Sequence[Row]) -> str:
    """All of the rows that a mutant is judged by."""
    return json.dumps([leg.name, [
        (inputs_text(r.inputs), r.measured.to_json(), r.expected.to_json(), r.rung, str(r.unit),
         point_key(r.point), r.samples)
        for r in rows
    ]])  # fmt: skip


def _compare(claim: Claim, form: Any, mutant: Any, numeric: Sequence[str]) -> Equivalence:
    """Whether a surviving mutant is another function on the domain. Where a parameter is no number,
    only the claim's own points can tell."""
    grid = list({point_key(p): p for name in claim.grid for p in claim.points(name)}.values())
    if len(numeric) == len(claim.domain):
        return equivalence(form, mutant, dict(claim.domain), claim.where, points=grid)
    for point in grid:
        apart = _distance(form, mutant, point)
        if apart:
            return Equivalence("different", point, f"apart by {apart:.2g}")
    return Equivalence("unknown", None, "agree at every point of the grid")


def _why_alive(same: Any) -> str:
    if same.answer == "different":
        return f"differs at {point_key(same.witness)}, which was not tried"
    return "equivalence unknown"


def _mutant_falls(claim: Claim, leg: Leg, rows: Sequence[Row], mutant: Mutant, goal: Goal) -> bool:
    """Point by point for relations that fail as soon as one row does, else all rows together."""
    form, relation = Form(mutant.form), claim.relation_of(leg)
    changed = []
    for row in rows:
        evaluated = form.at(row.inputs)
        if len(evaluated) != 1:
            return False
        changed.append(replace(row, expected=_expected(evaluated[0]), same=False))
        if relation.pointwise and relation.decide(changed[-1:], goal).verdict == "fail":
            return True
    return not relation.pointwise and relation.decide(changed, goal).verdict == "fail"


def _hypotheses(claim: Claim, evidence: Evidence, share: Slots, goal: Goal, out: Judgement) -> None:
    """Dropped hypotheses: needed (with a witness) or not seen to be needed. Never blocks a pass."""
    for h in claim.assumes:
        leg = claim.legs[0] if h.leg is None else claim.leg(h.leg)
        seen = evidence.get(("judge", leg.name, f"without {h.name}"), [])
        if not seen:
            continue
        changed = replace(
            leg,
            simulation=h.simulation or leg.simulation,
            instances=h.instances or leg.instances,
        )
        decision, rows = decide_leg(claim, changed, seen, share.point, goal, rival=True)
        needed = decision.verdict == "fail"
        out.hypotheses.append(
            {
                "name": h.name,
                "needed": "needed" if needed else "not seen to be needed",
                "witness": _by(decision, rows) if needed else None,
            }
        )


def tested_text(claim: Claim, profile: str) -> str:
    """What of the domain was tried, in one line."""
    points = claim.points(profile)
    if not claim.domain:
        return "the only case"
    parts = []
    for name in claim.domain:
        tried = dict.fromkeys(p[name] for p in points if name in p)
        if not any(isinstance(value, str | tuple) for value in tried):
            tried = dict.fromkeys(sorted(tried))
        values = [to_text(value) for value in tried]
        few = (
            ", ".join(values) if len(values) <= 8 else f"{', '.join(values[:3])}, ..., {values[-1]}"
        )
        parts.append(f"{name} in {{{few}}}")
    return f"{len(points)} point{'' if len(points) == 1 else 's'}: " + "; ".join(parts)


def domain_text(claim: Claim) -> str:
    """The domain as the theorem quantifies it."""
    parts = [f"{name}: {d.text()}" for name, d in claim.domain.items()]
    condition = claim.where
    if isinstance(condition, sympy.Basic):
        parts.append(f"where {condition}")
    return "; ".join(parts) or "a single case"


__all__ = ["RUNGS", "Judgement", "judge"]
