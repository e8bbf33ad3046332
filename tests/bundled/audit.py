"""Every equality of the library changed a little, and judged again on the observations of a run.

``python tests/bundled/audit.py RUN`` (a folder with `report.json` and `observations/`) prints the
counts and whatever went the wrong way; nothing is simulated. A leg's closed form, or where the other
side is a procedure, its values, is

- multiplied by 1 + 10 rho and 1 - 10 rho, with rho the leg's stated resolution: must be refuted;
- multiplied by 1 + rho/10 and 1 - rho/10: must not be (one sign may, where the evidence is closed on
  one side, see `theorycheck.calibration.acceptance`);
- where it is exact, multiplied by 1 + 1e-3, its sign turned, an exponent in it raised by one half: must
  turn to fail or inconclusive.

An optimum is refuted by one side when it is claimed too small and by the other when too large; its sides
are judged together. A bound is multiplied by a little less than its tightness (must be refuted) and by
a little more than its slack (must not be).
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import sympy
from flint import fmpq

from theorycheck.claims.legs import Leg
from theorycheck.claims.model import Claim
from theorycheck.entries.parts import LegEntry, Tightness
from theorycheck.entries.report import Entry, RunHead
from theorycheck.formulas.closed_form import Form
from theorycheck.judge import rows_of, subject
from theorycheck.library.loading import Loaded, load_all
from theorycheck.numbers.enclosure import Enclosure
from theorycheck.plan.plan import make_plan
from theorycheck.plan.settings import Settings
from theorycheck.record.observations import observations_of
from theorycheck.record.runs import read_report
from theorycheck.relations.base import Expected, Row, TargetResolutions

EQUALITIES, OPTIMA = ("equals", "counts"), ("maximises", "minimises")
BOUNDS = ("at_most", "at_least", "holds_with_probability")
BEYOND, BELOW, COARSE = Fraction(10), Fraction(1, 10), Fraction(1, 1000)
CLOSE = Fraction(1, 10**6)
"""How near to its tightness a bound is multiplied."""


@dataclass
class Audit:
    """Counts of what was tried, and a line for each change that the evidence got wrong."""

    tried: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    one_sided: list[str] = field(default_factory=list)

    def note(self, what: str, right: bool, line: str) -> None:
        self.tried[what] += 1
        if not right:
            self.wrong.append(f"{line}: {what}")


@dataclass(frozen=True)
class Look:
    """One leg's evidence, which can be judged against another closed form."""

    claim: Claim
    leg: Leg
    rows: Sequence[Row]
    remade: Callable[[Any], Sequence[Row]]
    targets: TargetResolutions

    @property
    def form(self) -> Any:
        """The closed form as an expression, None where the other side is code."""
        form = None if self.leg.reference is not None else self.claim.form_of(self.leg)
        return form if isinstance(form, sympy.Basic | sympy.MatrixBase) else None

    def verdict(self, rows: Sequence[Row]) -> str:
        return self.claim.relation_of(self.leg).decide(rows, self.targets).verdict

    def with_form(self, change: Callable[[Any], Any]) -> str:
        """The verdict with another closed form."""
        matrix = isinstance(self.form, sympy.MatrixBase)
        changed = self.form.applyfunc(change) if matrix else change(self.form)
        return self.verdict(self.remade(changed))

    def moved(self, r: Fraction, *, times: bool = False) -> str:
        """The verdict with the other side off by r, of itself (``times``: always, where it is positive)
        or of its unit."""
        if not times and self.leg.unit is None and self.form is not None:
            return self.with_form(lambda e: e * (1 + sympy.Rational(r.numerator, r.denominator)))
        share = fmpq(r.numerator, r.denominator)
        rows = []
        for row in self.rows:
            if times and row.target.lo <= 0:  # a multiple of it would be no smaller bound
                low, high = row.target.lo, row.target.hi
            elif times or row.unit is None:
                low, high = row.target.lo * (1 + share), row.target.hi * (1 + share)
            else:
                shift = share * row.scale
                low, high = row.target.lo + shift, row.target.hi + shift
            target = Expected("ok", Enclosure(min(low, high), max(low, high)))
            rows.append(replace(row, expected=target, same=False))
        return self.verdict(rows)


def audit(run: Path, items: Sequence[Loaded] | None = None) -> Audit:
    """Audit of all passing claims of a run of the library, or of ``items``."""
    report = read_report(run)
    known = {item.claim.id: item.claim for item in (load_all() if items is None else items)}
    out = Audit()
    for entry in report.claims:
        if entry.verdict != "pass":
            continue
        optima: dict[str, list[tuple[Look, LegEntry]]] = {}
        for look, leg in _looks(known[entry.id], entry, run, report.run):
            where = f"{entry.id}, {leg.name}"
            name = look.claim.relation_of(look.leg).name
            if leg.verdict != "pass":
                continue
            if name in OPTIMA:
                optima.setdefault(subject(look.claim, look.leg), []).append((look, leg))
            elif name in EQUALITIES:
                _equality(look, leg, where, out)
            elif name in BOUNDS:
                _bound(look, leg, where, out)
        for looks in optima.values():
            if any(leg.required for _, leg in looks):
                _optimum(looks, entry.id, out)
    return out


def _looks(claim: Claim, entry: Entry, run: Path, head: RunHead) -> Iterator[tuple[Look, LegEntry]]:
    plan = make_plan(claim, Settings.of_run(head))
    share, targets = plan.budget.point, plan.target
    seen = observations_of(run, claim.id)
    for lg in claim.legs:
        own = [o for o in seen if o.leg == lg.name and o.purpose == "judge" and not o.variant]
        if lg.arithmetic.proves or not own:
            continue

        def remade(form: Any, lg: Leg = lg, own: Sequence[Any] = own) -> list[Row]:
            compiled = None if form is None else Form(form)
            return [r for o in own for r in rows_of(lg, o, compiled, share)]

        stated = next(x for x in entry.legs if x.name == lg.name)
        yield Look(claim, lg, remade(claim.form_of(lg)), remade, targets), stated


def _equality(look: Look, leg: LegEntry, where: str, out: Audit) -> None:
    if leg.resolution is None:
        out.note("a resolution is stated", False, where)
        return
    rho = Fraction(leg.resolution.value)
    if rho == 0:
        _exact(look, where, out)
        return
    for sign in (1, -1):
        verdict = look.moved(sign * BEYOND * rho)
        out.note("equality off by 10 rho, refuted", verdict == "fail", where)
    below = BELOW * _uniform(leg)
    if below == 0:  # at some point the evidence is exact: no uniform factor is small enough
        return
    fallen = [look.moved(sign * below) == "fail" for sign in (1, -1)]
    out.note("equality off by rho/10, not refuted", not all(fallen), where)
    if any(fallen):
        out.one_sided.append(where)


def _uniform(leg: LegEntry) -> Fraction:
    """What a factor common to all points may be without being seen: the resolution speaks of the worst
    point, and others are often seen more sharply."""
    stated = leg.further.get("uniform_factor")
    if stated is None:
        return Fraction(leg.resolution.value)
    return Fraction(stated["value"])


def _exact(look: Look, where: str, out: Audit) -> None:
    zero = all(row.target.lo == row.target.hi == 0 for row in look.rows)
    if not zero or look.leg.unit is not None:
        for sign in (1, -1):
            out.note("exact, off by 1e-3", look.moved(sign * COARSE) != "pass", where)
    if look.form is None:
        return
    if not zero:
        out.note("exact, sign turned", look.with_form(lambda e: -e) != "pass", where)
    for power in sorted(look.form.atoms(sympy.Pow), key=str):
        if not (power.base.free_symbols and power.exp.is_number):
            continue
        other = power.base ** (power.exp + sympy.Rational(1, 2))
        verdict = look.with_form(lambda e, p=power, q=other: e.xreplace({p: q}))
        out.note("exact, an exponent raised by 1/2", verdict != "pass", f"{where} ({power})")


def _optimum(looks: Sequence[tuple[Look, LegEntry]], where: str, out: Audit) -> None:
    """Both sides of an optimum together: a feasible point refutes a smaller one, a certificate a larger
    one (of a maximum). Without a certificate a larger one is not refuted; it must not pass."""
    legs = [leg for _, leg in looks if leg.required]
    stated = {
        side: min(Fraction(leg.resolution.value) for leg in legs if leg.side == side)
        for side in {leg.side for leg in legs}
    }
    rho = sum(stated.values())
    searched = not {"attained", "certificate"} <= set(stated)
    if rho == 0:
        rho = COARSE / BEYOND
    below = BELOW * sum(
        min(_uniform(leg) for leg in legs if leg.side == side)
        for side in {leg.side for leg in legs}
    )
    verdicts = {}
    for r in (BEYOND * rho, -BEYOND * rho, below, -below):
        verdicts[r] = {look.moved(r) for look, leg in looks if leg.required}
    beyond = [verdicts[BEYOND * rho], verdicts[-BEYOND * rho]]
    if searched:
        right = "fail" in beyond[0] | beyond[1] and all(v != {"pass"} for v in beyond)
        out.note("searched optimum off by 10 rho, not passed", right, where)
    else:
        for found in beyond:
            out.note("optimum off by 10 rho, refuted", "fail" in found, where)
    if below > 0:
        kept = ["fail" not in verdicts[below], "fail" not in verdicts[-below]]
        out.note("optimum off by rho/10, not refuted", any(kept), where)
        if not all(kept):
            out.one_sided.append(where)


def _bound(look: Look, leg: LegEntry, where: str, out: Audit) -> None:
    tightness = leg.tightness
    upper = look.claim.relation_of(look.leg).sign > 0
    if tightness.kind == "absolute":
        _shifted(look, tightness, upper, where, out)
        return
    tau = Fraction(tightness.value)

    def scaled(kappa: Fraction) -> str:
        return look.moved((kappa if upper else 1 / kappa) - 1, times=True)

    if tau > 0:
        out.note("bound beyond its tightness, refuted", scaled(tau * (1 - CLOSE)) == "fail", where)
    if tightness.slack_from is not None:
        # A bound above what is measured as 0 may be scaled by any positive number, not by 0.
        slack = Fraction(tightness.slack_from) * (1 + CLOSE) or CLOSE
        out.note("bound within its slack, kept", scaled(slack) == "pass", where)


def _shifted(look: Look, tightness: Tightness, upper: bool, where: str, out: Audit) -> None:
    """A bound that is nowhere positive, moved by absolute amounts."""
    far = Fraction(tightness.value)
    known = Fraction(tightness.slack_from)
    for distance, wanted in ((far + CLOSE, "fail"), (known * (1 - CLOSE), "pass")):
        shift = fmpq(distance.numerator, distance.denominator) * (-1 if upper else 1)
        rows = []
        for row in look.rows:
            unit = row.scale if row.unit is not None else fmpq(1)
            ends = row.target.lo + shift * unit, row.target.hi + shift * unit
            rows.append(replace(row, expected=Expected("ok", Enclosure(*ends)), same=False))
        out.note(f"bound shifted, {wanted}", look.verdict(rows) == wanted, where)


def main(folder: str) -> int:
    """Prints the audit of a run; 1 where something went the wrong way."""
    found = audit(Path(folder))
    for what, count in sorted(found.tried.items()):
        print(f"{count:5} {what}")
    print(f"{len(found.one_sided):5} of them closed on one side")
    print(f"{len(found.wrong):5} wrong")
    for line in found.wrong:
        print(f"      {line}")
    return bool(found.wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
