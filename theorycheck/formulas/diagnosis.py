"""What is wrong with a refuted closed form, where the deviation follows a law.

`diagnose` looks at recorded rows only and proposes; `confirm` judges the proposal on rows that did not
suggest it, and is what counts. Hypotheses are tried from the simplest on:

1. measured / closed form is a constant, or measured - closed form is;
2. the ratio is C * p**a for one parameter, or the closed form with one of its automatic mutants in
   place (n for n - 1, an exponent off by a half, a lost term) meets every row;
3. powers of several parameters, exponentials, factorials, logarithms, pairs of them;
4. measured - closed form is C * p**a.

All laws of the first level on which one fits are kept: the best named is the diagnosis, the others are
its ``alternatives``. A law needs more points than unknowns. Exponents and constants are intervals
(`theorycheck.formulas.laws`), named only above the chance level of the grammar (`theorycheck.formulas.grammar`).

One-sided relations have no law to correct; `growth` says how the violation behaves.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import sympy
from flint import arb

from theorycheck import balls
from theorycheck.formulas.laws import BITS, Feature, Law, features_of, fit, spread
from theorycheck.formulas.mutants import mutants
from theorycheck.numbers.domain import Exact, point_key
from theorycheck.numbers.enclosure import Enclosure

Values = Mapping[str, Any]


@dataclass(frozen=True)
class Diagnosis:
    """A proposed correction.

    ``kind``: ratio, additive, argument (a mutant of the closed form) or growth (one-sided).
    ``text``: one line for people. ``corrected``: the corrected closed form, None where a part of the
    law has no name. ``used`` / ``held_out``: indices of the rows that suggested and that tested it.
    ``agrees``: whether the held-out rows do, None without such rows. ``hypotheses``: laws and mutants
    tried; ``candidates``: size of the grammar that names were sought in. ``caution``: what the points
    cannot tell, such as a power from an exponential where a parameter took two values only.
    """

    kind: str
    text: str
    law: Law | None
    corrected: Any
    used: tuple[int, ...]
    held_out: tuple[int, ...]
    agrees: bool | None
    alternatives: tuple[str, ...]
    hypotheses: int
    candidates: int
    mutant: str | None = None
    caution: str = ""


@dataclass(frozen=True)
class DiagnosisCheck:
    """Verdict on a diagnosis: ``agrees`` None where the rows could not tell."""

    agrees: bool | None
    points: int
    reason: str


def diagnose(
    points: Sequence[Mapping[str, Exact]],
    measured: Sequence[Enclosure],
    expected: Sequence[Enclosure],
    parameters: Sequence[str],
    *,
    form: Any = None,
    integer: Sequence[str] = (),
    inputs: Sequence[Values] | None = None,
    held_out: Sequence[int] | None = None,
) -> Diagnosis | None:
    """The simplest law of the deviation that the rows allow; None where none was found, or where
    no row deviates.

    ``points``, ``measured``, ``expected``: one entry a row; ``parameters``: names that laws may use,
    ``integer`` those that take integers only. ``form``: the closed form, for its mutants and for the
    corrected form; ``inputs`` what it is evaluated at (default: the points). ``held_out``: rows kept
    for the test (default: `theorycheck.formulas.laws.spread`).
    """
    if all(m.intersects(e) for m, e in zip(measured, expected, strict=True)):
        return None
    rows = _Rows(points, measured, expected, inputs or points)
    kept = list(spread(len(points)) if held_out is None else held_out)
    used = [i for i in range(len(points)) if i not in set(kept)]
    fitted = rows.only(used)
    symbols = _symbols(form, parameters)
    tried = 0
    for level in _levels(fitted, parameters, integer, form):
        found: list[Diagnosis] = []
        for proposal in level:
            tried += 1
            if proposal is None:
                continue
            full = replace(
                _complete(proposal, form, symbols), used=tuple(used), held_out=tuple(kept)
            )
            tested = confirm(full, *rows.only(kept).columns) if kept else None
            if tested is None or tested.agrees is not False:
                agrees = None if tested is None else tested.agrees
                found.append(replace(full, agrees=agrees, caution=_caution(full, fitted)))
        if found:
            found.sort(key=_preference)
            others = tuple(dict.fromkeys(d.text for d in found[1:] if d.text != found[0].text))
            return replace(found[0], alternatives=others, hypotheses=tried)
    return None


def confirm(
    diagnosis: Diagnosis,
    points: Sequence[Mapping[str, Exact]],
    measured: Sequence[Enclosure],
    expected: Sequence[Enclosure],
    inputs: Sequence[Values] | None = None,
) -> DiagnosisCheck:
    """Whether rows that did not suggest the diagnosis agree with it.

    They agree when every one of them meets the corrected value and at least one excludes the printed
    one: data that both fit say nothing.
    """
    telling = 0
    for i, (point, m, e) in enumerate(zip(points, measured, expected, strict=True)):
        corrected = _corrected_value(diagnosis, point, e, (inputs or points)[i])
        if corrected is None:
            return DiagnosisCheck(None, i, f"the corrected form has no value at {point_key(point)}")
        if not m.intersects(corrected):
            return DiagnosisCheck(
                False, i + 1, f"the corrected form is refuted at {point_key(point)}"
            )
        telling += not m.intersects(e)
    if not points:
        return DiagnosisCheck(None, 0, "no rows to test it on")
    if not telling:
        return DiagnosisCheck(None, len(points), "the printed form fits these rows as well")
    return DiagnosisCheck(True, len(points), f"the corrected form fits {len(points)} rows")


def growth(
    points: Sequence[Mapping[str, Exact]],
    measured: Sequence[Enclosure],
    expected: Sequence[Enclosure],
    parameters: Sequence[str],
    *,
    sign: int = 1,
    integer: Sequence[str] = (),
) -> Diagnosis | None:
    """How far a one-sided bound is passed over the points, and by what law where there is one.

    ``sign`` 1 for at_most, -1 for at_least. None where no row passes the bound or the bound is 0.
    """
    over = [
        i
        for i, (m, e) in enumerate(zip(measured, expected, strict=True))
        if (m.lo > e.hi if sign > 0 else m.hi < e.lo) and not e.contains(0) and not m.contains(0)
    ]
    if not over:
        return None
    rows = _Rows(points, measured, expected, points).only(over)
    ratios = rows.ratios()
    law, tried = None, 0
    if ratios is not None:
        for features in features_of(rows.points, parameters, integer):
            tried += 1
            law = fit(rows.points, ratios, features) if len(over) > 1 else None
            if law is not None:
                break
    sizes = [float(arb(m.mid / e.mid)) for m, e in zip(rows.measured, rows.expected, strict=True)]
    first, last = 0, len(over) - 1
    span = f"{sizes[first]:.3g} at {point_key(rows.points[first])}"
    if last > first:
        span += f" to {sizes[last]:.3g} at {point_key(rows.points[last])}"
    text = f"measured / bound = {law.text()}" if law else f"measured / bound from {span}"
    if law is None and last > first:
        text += _slope_text(rows, parameters, sizes)
    return Diagnosis(
        "growth", text, law, None, tuple(over), (), None, (span,) if law else (), tried, 0
    )


def _slope_text(rows: _Rows, parameters: Sequence[str], sizes: Sequence[float]) -> str:
    """`` , about n**0.5 over the sweep`` where a single parameter moves."""
    moving = [n for n in parameters if len({p.get(n) for p in rows.points}) > 1]
    if len(moving) != 1:
        return ""
    low, high = rows.points[0].get(moving[0]), rows.points[-1].get(moving[0])
    if not isinstance(low, int | Fraction) or not isinstance(high, int | Fraction):
        return ""
    if min(low, high) <= 0 or low == high or min(sizes[0], sizes[-1]) <= 0:
        return ""
    slope = math.log(sizes[-1] / sizes[0]) / math.log(high / low)
    return f", about {moving[0]}**{slope:.2g} between the ends"


# ---------------------------------------------------------------- hypotheses


@dataclass(frozen=True)
class _Rows:
    points: Sequence[Mapping[str, Exact]]
    measured: Sequence[Enclosure]
    expected: Sequence[Enclosure]
    inputs: Sequence[Values]

    def only(self, indices: Sequence[int]) -> _Rows:
        return _Rows(*([c[i] for i in indices] for c in self.columns))

    @property
    def columns(self) -> tuple[Any, Any, Any, Any]:
        return self.points, self.measured, self.expected, self.inputs

    def ratios(self) -> list[Enclosure] | None:
        """measured / expected, None where one of them may vanish."""
        if any(v.contains(0) for v in (*self.measured, *self.expected)):
            return None
        return [_quotient(m, e) for m, e in zip(self.measured, self.expected, strict=True)]

    def differences(self) -> list[Enclosure]:
        return [
            Enclosure(m.lo - e.hi, m.hi - e.lo)
            for m, e in zip(self.measured, self.expected, strict=True)
        ]


def _quotient(m: Enclosure, e: Enclosure) -> Enclosure:
    ends = [a / b for a in (m.lo, m.hi) for b in (e.lo, e.hi)]
    return Enclosure(min(ends), max(ends))


def _levels(
    rows: _Rows, parameters: Sequence[str], integer: Sequence[str], form: Any
) -> Iterator[Iterator[Diagnosis | None]]:
    """Hypotheses from the simplest on; those of one level compete with one another."""
    sets = features_of(rows.points, parameters, integer)
    simple = [s for s in sets if len(s) == 1 and s[0].kind == "power"]
    rest = [s for s in sets if s and s not in simple]
    ratios, differences = rows.ratios(), rows.differences()
    yield itertools.chain(_ratios(rows, ratios, [[]]), iter([_additive(rows, differences, [])]))
    yield itertools.chain(_ratios(rows, ratios, simple), _mutants(rows, parameters, integer, form))
    for features in rest:
        yield _ratios(rows, ratios, [features])
    for features in simple:
        yield iter([_additive(rows, differences, features)])


def _ratios(
    rows: _Rows, ratios: Sequence[Enclosure] | None, sets: Sequence[Sequence[Feature]]
) -> Iterator[Diagnosis | None]:
    for features in sets if ratios is not None else ():
        yield _ratio(rows, ratios or (), features)


def _ratio(
    rows: _Rows, ratios: Sequence[Enclosure], features: Sequence[Feature]
) -> Diagnosis | None:
    law = fit(rows.points, ratios, features)
    if law is None or law.trivial or (len(rows.points) == 1 and not law.named):
        return None
    return _proposal("ratio", f"measured / closed form = {law.text()}", law)


def _additive(
    rows: _Rows, differences: Sequence[Enclosure], features: Sequence[Feature]
) -> Diagnosis | None:
    if any(d.contains(0) for d in differences):
        return None
    law = fit(rows.points, differences, features)
    if law is None or (len(rows.points) == 1 and not law.named):
        return None
    return _proposal("additive", f"measured - closed form = {law.text()}", law)


def _mutants(rows: _Rows, parameters: Sequence[str], integer: Sequence[str], form: Any) -> Any:
    """Mutants of the form that meet every row."""
    if not isinstance(form, sympy.Expr):
        return
    for mutant in mutants(form, parameters=parameters, integer=integer, nudges=[], cap=10**6):
        values = (_value(mutant.form, at) for at in rows.inputs)
        fits = all(
            v is not None and v.intersects(m) for v, m in zip(values, rows.measured, strict=True)
        )
        yield (
            replace(
                _proposal(
                    "argument", f"measured = closed form changed in one place: {mutant.name}", None
                ),
                corrected=mutant.form,
                mutant=mutant.name,
            )
            if fits
            else None
        )


def _proposal(kind: str, text: str, law: Law | None) -> Diagnosis:
    named = [] if law is None else [law.constant, *law.exponents]
    return Diagnosis(kind, text, law, None, (), (), None, (), 0, sum(n.tried for n in named))


def _complete(d: Diagnosis, form: Any, symbols: Mapping[str, Any]) -> Diagnosis:
    if d.law is None or not isinstance(form, sympy.Expr):
        return d
    factor = d.law.expression(symbols)
    if factor is None:
        return d
    return replace(d, corrected=form * factor if d.kind == "ratio" else form + factor)


def _caution(d: Diagnosis, rows: _Rows) -> str:
    if d.law is None:
        return ""
    few = {name: len({p[name] for p in rows.points}) for f in d.law.features for name in f.names}
    two = [name for name, count in few.items() if count == 2]
    unknowns = 1 + len(d.law.features)
    parts = [f"only two values of {' and of '.join(two)}: other laws fit as well"] if two else []
    if len(rows.points) < unknowns + 2:
        parts.append(f"{len(rows.points)} points for {unknowns} unknowns")
    return "; ".join(parts)


def _preference(d: Diagnosis) -> tuple[Any, ...]:
    """Confirmed before untested, named before unnamed, ratios before readings before additions."""
    named = d.law is None or d.law.named
    return (d.agrees is not True, not named, ("ratio", "argument", "additive").index(d.kind))


def _symbols(form: Any, parameters: Sequence[str]) -> dict[str, sympy.Symbol]:
    own = {s.name: s for s in getattr(form, "free_symbols", ()) if isinstance(s, sympy.Symbol)}
    return {n: own.get(n, sympy.Symbol(n, positive=True)) for n in parameters}


def _corrected_value(
    d: Diagnosis, point: Mapping[str, Exact], expected: Enclosure, inputs: Values
) -> Enclosure | None:
    if d.law is None:
        return _value(d.corrected, inputs)
    law = d.law.at(point)
    if law is None:
        return None
    if d.kind == "additive":
        return Enclosure(expected.lo + law.lo, expected.hi + law.hi)
    ends = [a * b for a in (law.lo, law.hi) for b in (expected.lo, expected.hi)]
    return Enclosure(min(ends), max(ends))


def _value(form: Any, inputs: Values) -> Enclosure | None:
    """The form's value as an enclosure, None where it has none or asks for data that is no number."""
    names = {str(s) for s in form.free_symbols}
    given = {
        k: v.to_ball() if isinstance(v, Enclosure) else v
        for k, v in inputs.items()
        if k in names and not isinstance(v, str | tuple)
    }
    if set(given) != names:
        return None
    found = balls.evaluate(form, given, prec=BITS)
    if found.exact is not None:
        return Enclosure(found.exact, found.exact)
    return None if found.ball is None else Enclosure.from_ball(found.ball)


__all__ = ["Diagnosis", "DiagnosisCheck", "confirm", "diagnose", "growth"]
