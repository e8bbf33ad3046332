"""What each quantifier of a clause was paid with, once a claim is judged.

A clause is worth the weakest of its payments. Its status is one of STATUSES:

* ``proved``: a proof or a complete enumeration for every name (what is given or chosen is then a witness)
* ``checked``: points, instances, certificates, all on certified rungs
* ``supported``: as checked, the weakest leg computed, sampled, fitted or searched
* ``argued``: a bound stands for a for-all whose lemma is not named or not proved, or that nothing of the
  model moves; or formulas do that do not have the name, and no program that was run speaks of the clause; or
  the claim is a proxy: what leads from it to the clause is its author's argument. Beside such a program formulas
  without the name are worth what the program is, unless its closed form stands in one of them: that text and
  program speak of the same thing is seen nowhere else. So it is with steps of which some are proved of a program
  and others as formulas, or that are formulas of which none has all of the names
* ``open``: a name is left open, or no instance varies what it is read off, or the claim has no verdict
* ``asymptotic``: "for large d" was paid with finite sizes only, or a constant left unstated
* ``refuted``: a failing point refutes it, its choices and chances being paid for in the negated prefix
* ``inconclusive``: the claim is, or the witness failed

"Exhausted" speaks of the domain of the claim: it pays for a range of the register that is the same finite
set, and is points for any other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy
from msgspec.structs import replace

from theorycheck.claims.clauses import Clause
from theorycheck.claims.covering import Payer, legs_for, payers, refutes
from theorycheck.claims.formula import TypedStatement
from theorycheck.claims.functions import named_arguments
from theorycheck.claims.legs import Leg
from theorycheck.claims.model import Claim
from theorycheck.claims.pays import Theorem
from theorycheck.claims.ranges import (
    exhausts,
    hole,
    left_out,
    left_out_of_all,
    readable_domains,
    typed_domains,
)
from theorycheck.entries.parts import AttackEntry, ClauseEntry, Payment
from theorycheck.entries.rungs import VERIFIED, weakest
from theorycheck.judge.choosing import hidden_names, unseen_choice
from theorycheck.judge.standing import is_side, stands_in
from theorycheck.numbers.domain import to_text
from theorycheck.plan.profiles import instance_count

STATUSES = (
    "proved",
    "checked",
    "supported",
    "argued",
    "asymptotic",
    "inconclusive",
    "open",
    "refuted",
)
BY = (
    "proof",
    "exhaustion",
    "witness",
    "certificate",
    "points",
    "instances",
    "sampling",
    "search",
    "argued",
    "open",
)
"""Kinds of payment; ``witness``: what is given for a "there is", worth what the clause's others are."""

_WHOLE = frozenset({"proof", "exhaustion", "witness"})
_FINITE = frozenset({"points", "instances", "witness", "exhaustion"})


@dataclass(frozen=True)
class LegOutcome:
    """What a leg came to: its rung, its verdict, how many samples it drew; of a certificate, what of the
    model moves it, "" where nothing does, None where that was not seen; how many of its instances are
    different, and which of their fields never are; how a certificate broke down on a changed model."""

    rung: str | None
    verdict: str
    samples: int = 0
    moved_by: str | None = None
    different: int | None = None
    flat: tuple[str, ...] = ()
    breakdown: str = ""


@dataclass(frozen=True)
class ClaimOutcome:
    """What payments are read off: the claim's verdict, its legs by name, how far it was attacked."""

    verdict: str
    legs: Mapping[str, LegOutcome]
    attack: AttackEntry | None = None


def clause_entries(claim: Claim, judged: ClaimOutcome, profile: str) -> tuple[ClauseEntry, ...]:
    """One entry for each clause that the claim covers, in its order."""
    return tuple(_entry(claim, clause, judged, profile) for clause in claim.clauses)


def _entry(claim: Claim, clause: Clause, judged: ClaimOutcome, profile: str) -> ClauseEntry:
    legs = legs_for(claim, clause)
    paid = tuple(_payment(claim, clause, p, judged, profile) for p in payers(claim, clause))
    status = _status(claim, clause, legs, paid, judged)
    granted = tuple(replace(p, by="certificate") if p.lemma else p for p in paid)
    once_proved = _status(claim, clause, legs, granted, judged)
    return ClauseEntry(
        id=clause.key,
        status=status,
        payments=paid,
        once_proved=once_proved if once_proved != status else "",
    )


def _status(
    claim: Claim, clause: Clause, legs: Sequence[Leg], paid: Sequence[Payment], judged: ClaimOutcome
) -> str:
    if judged.verdict == "fail":
        failed = {name for name, seen in judged.legs.items() if seen.verdict == "fail"}
        if not failed & {lg.name for lg in legs}:
            return "open"
        return "refuted" if refutes(claim, clause) else "inconclusive"
    if judged.verdict != "pass":
        return "inconclusive" if judged.verdict == "inconclusive" else "open"
    ways = {p.by for p in paid}
    if "open" in ways:
        return "open"
    rung = weakest([r for lg in legs if lg.required and (r := _rung(judged, lg)) is not None])
    if _is_asymptotic(clause, paid, rung):
        return "asymptotic"
    if "argued" in ways or claim.encodes == "proxy":
        return "argued"
    if ways <= _WHOLE and rung in ("proved", "exhaustive"):
        return "proved"
    sharp = rung in VERIFIED and not ways & {"sampling", "search"}
    if any(p.free and p.by == "points" for p in paid):
        programs = _programs_beside(claim, clause, judged)
        sharp = sharp and any(_rung(judged, lg) in VERIFIED for lg in programs)
    return "checked" if sharp else "supported"


def _is_asymptotic(clause: Clause, paid: Sequence[Payment], rung: str | None) -> bool:
    """Sizes from some size on were seen at finitely many; a law that was fitted speaks of the trend."""
    by = {p.name: p.by for p in paid}
    late = [q for q in clause.prefix if q.kind == "eventually" and by[q.name] in _FINITE]
    return bool(late) and rung != "fitted"


def _payment(
    claim: Claim, clause: Clause, payer: Payer, judged: ClaimOutcome, profile: str
) -> Payment:
    q = payer.quantifier
    by, detail = _PAYS[payer.how](claim, payer, judged, profile)
    if q.kind == "const" and payer.how == "gives" and _trivial(claim, clause, payer):
        by, detail = "open", "it may depend on everything before it, which asserts nothing"
    if payer.how == "gives" and (hidden := hidden_names(claim, clause, payer.legs)):
        by, detail = "open", f"its value has {', '.join(hidden)}, which its chooser does not take"
    if q.kind == "exists" and by == "proof" and claim.expect == "pass":
        # The leg holds for all of a name and constructs none: that the clause follows is not what it proves.
        by, detail = "argued", f"{detail}: for every {q.name}, and no leg gives one"
    free = by == "proof" and payer.how == "over" and all(map(_is_typed, payer.legs))
    if free:
        by, detail = _without_the_name(claim, clause, payer, judged, f"{detail}, free of {q.name}")
    elif by == "proof" and payer.how in ("over", "typed") and _in_steps(claim, clause):
        by, detail = _joined(claim, clause, judged, detail)
    awaited = _awaited(claim, payer, judged) if by == "argued" else ""
    return Payment(name=q.name, by=by, detail=detail, lemma=awaited, free=free)


def _is_typed(leg: Leg) -> bool:
    return isinstance(leg.simulation, TypedStatement)


def _without_the_name(
    claim: Claim, clause: Clause, payer: Payer, judged: ClaimOutcome, detail: str
) -> tuple[str, str]:
    """What proved formulas pay for a name that they do not have."""
    beside = _programs_beside(claim, clause, judged)
    if not beside:  # nothing but the author's text ties them to what the clause is about
        return "argued", detail
    held_to = [
        claim.form_of(lg) for lg in beside if lg.reference is None and not lg.arithmetic.proves
    ]  # what a procedure is compared with, or a proof proves, is no closed form of the claim
    if any(_is_told(form) and stands_in(form, payer.legs) for form in held_to):
        return "proof", detail
    return "points", f"{detail}, beside {', '.join(lg.name for lg in beside)}"


def _in_steps(claim: Claim, clause: Clause) -> bool:
    """Whether some steps are proved of a program and others as formulas, or in formulas of which none has all of the
    names: that one goes on where another ends is the author's argument, and no leg is about both."""
    needed = [lg for lg in legs_for(claim, clause) if lg.required and lg.arithmetic.proves]
    if not any(map(_is_typed, needed)):
        return False
    paid = [p.legs for p in payers(claim, clause) if p.how in ("over", "typed")]
    whole = [lg for lg in needed if all(lg in legs for legs in paid)]
    return not (all(map(_is_typed, needed)) and whole)


def _joined(claim: Claim, clause: Clause, judged: ClaimOutcome, detail: str) -> tuple[str, str]:
    """What such steps pay: a proof where a program that is run from end to end is held to a side of one of the
    formulas, points where it is held to something else."""
    runs = [lg for lg in _programs_beside(claim, clause, judged) if not lg.arithmetic.proves]
    if not runs:
        return "argued", f"{detail}: steps that nothing runs from end to end"
    typed = [lg for lg in legs_for(claim, clause) if _is_typed(lg)]
    forms = ((lg, claim.form_of(lg)) for lg in runs if lg.reference is None)
    held = [lg.name for lg, form in forms if _is_told(form) and is_side(form, typed)]
    if held:
        return "proof", f"{detail}, run from end to end in {', '.join(held)}"
    return "points", f"{detail}, beside {', '.join(lg.name for lg in runs)}"


def _programs_beside(claim: Claim, clause: Clause, judged: ClaimOutcome) -> list[Leg]:
    """The programs that speak of the clause, needed or not, that were run and agree."""
    programs = [lg for lg in legs_for(claim, clause) if not _is_typed(lg)]
    return [p for p in programs if p.name in judged.legs and judged.legs[p.name].verdict == "pass"]


def _is_told(form: Any) -> bool:
    """Whether a closed form has a name, and is more than that name: it then says something that can be met again."""
    return isinstance(form, sympy.Expr) and not form.is_Symbol and bool(form.free_symbols)


def _trivial(claim: Claim, clause: Clause, payer: Payer) -> bool:
    """A constant that is chosen from every name of the clause holds for anything: nothing varies after it."""
    others = [p.name for p in clause.prefix if p.kind != "const"]
    choosers = [lg.pays.chosen_by for lg in payer.legs if lg.pays.chosen_by is not None]
    return bool(others) and any(
        all({n, *claim.reads.get(n, ())} & set(named_arguments(c)) for n in others)
        for c in choosers
    )


def _left(claim: Claim, payer: Payer, judged: ClaimOutcome, profile: str) -> tuple[str, str]:
    return "open", claim.left[payer.quantifier.name]


def _over(claim: Claim, payer: Payer, judged: ClaimOutcome, profile: str) -> tuple[str, str]:
    proofs = [lg for lg in payer.legs if lg.arithmetic.proves]
    rungs = [_rung(judged, lg) for lg in proofs]
    rests = [_lemma(claim, lg, judged) for lg in proofs if lg.pays.lemma]
    if unmet := [why for met, why in rests if not met]:
        return "argued", unmet[0]
    by = "".join(sorted({f", {why}" for _, why in rests}))
    if "proved" in rungs:
        return "proof", _legs_text(payer) + by
    if "exhaustive" in rungs:
        return "exhaustion", _legs_text(payer) + by
    if "certified" in rungs:  # a proof at each point: for all of these, at the sizes of the points
        return "proof", f"{_legs_text(payer)}{by}, at each point"
    found = [_bound(claim, lg, judged) for lg in payer.legs if not lg.arithmetic.proves]
    return next(
        (f for f in found if f[0] == "certificate"),
        found[0] if found else ("argued", f"{_legs_text(payer)}: not proved"),
    )


def _bound(claim: Claim, leg: Leg, judged: ClaimOutcome) -> tuple[str, str]:
    """What a certificate pays: it is one where changes of the model move it, and its lemma is a theorem whose
    hypotheses are met, or proved."""
    if _unmoved(leg, judged):
        broken = judged.legs[leg.name].breakdown
        why = f"; it breaks down, {broken}" if broken else ""
        return "argued", f"{leg.name}: no bound of its own that a change of the model moves{why}"
    if not leg.pays.lemma:
        return "argued", f"{leg.name}; no lemma is named that makes it a bound"
    met, why = _lemma(claim, leg, judged)
    return ("certificate" if met else "argued"), f"{leg.name}, {why}"


def _lemma(claim: Claim, leg: Leg, judged: ClaimOutcome) -> tuple[bool, str]:
    """Whether the lemma of a leg is a theorem whose hypotheses are met, or proved; in words."""
    lemma = leg.pays.lemma
    if isinstance(lemma, Theorem):
        if lemma.unmet:
            asked = ", ".join(lemma.unmet)
            return False, f"by {lemma.name}: nothing says how its hypotheses ({asked}) are met"
        return True, f"by {lemma.text()}"
    proof = _proof_leg(claim, leg)
    if proof is None:
        return False, f"by claim {lemma} once that is proved"
    if _rung(judged, proof) == "proved":
        return True, f"by {lemma}, proved"
    return False, f"by {lemma}, which is not proved"


def _proof_leg(claim: Claim, leg: Leg) -> Leg | None:
    """The proof leg of the claim that a leg names as its lemma."""
    named = (lg for lg in claim.legs if lg.arithmetic.proves and lg.name == leg.pays.lemma)
    return next(named, None)


def _unmoved(leg: Leg, judged: ClaimOutcome) -> bool:
    seen = judged.legs.get(leg.name)
    return seen is not None and seen.moved_by == ""


def _awaited(claim: Claim, payer: Payer, judged: ClaimOutcome) -> str:
    """The claim whose proof would make a certificate of what is argued, "" where there is none."""
    for lg in payer.legs:
        lemma = lg.pays.lemma
        free = isinstance(lemma, str) and bool(lemma) and _proof_leg(claim, lg) is None
        if free and not lg.arithmetic.proves and not _unmoved(lg, judged):
            return str(lemma)
    return ""


def _gives(claim: Claim, payer: Payer, judged: ClaimOutcome, profile: str) -> tuple[str, str]:
    how = "at this constant" if payer.quantifier.kind == "const" else "constructed"
    named = any(isinstance(lg.pays.lemma, Theorem) for lg in payer.legs)
    if payer.quantifier.kind == "exists" and claim.expect == "pass" and not named:
        unseen = unseen_choice(claim, payer.legs)
        if unseen:
            return "argued", f"{_legs_text(payer)}: {unseen}"
    for lemma in (lg.pays.lemma for lg in payer.legs):
        if isinstance(lemma, Theorem) and lemma.unmet:
            asked = ", ".join(lemma.unmet)
            return "argued", f"by {lemma.name}: nothing says how its hypotheses ({asked}) are met"
        if isinstance(lemma, Theorem):
            how = f"by {lemma.text()}"
    return "witness", f"{how} ({_legs_text(payer)})"


def _inside(claim: Claim, payer: Payer, judged: ClaimOutcome, profile: str) -> tuple[str, str]:
    return "exhaustion", f"all of them at each point ({_legs_text(payer)})"


def _draws(claim: Claim, payer: Payer, judged: ClaimOutcome, profile: str) -> tuple[str, str]:
    drawn = sum(judged.legs[lg.name].samples for lg in payer.legs if lg.name in judged.legs)
    return "sampling", f"{drawn} draws ({_legs_text(payer)})"


def _typed(claim: Claim, payer: Payer, judged: ClaimOutcome, profile: str) -> tuple[str, str]:
    """A proof pays for the whole of its own domain: several that divide a name among them must leave nothing
    between, and where the name is the clause's they must reach as far as the clause."""
    for name in payer.names:
        domains = typed_domains(payer.legs, name)
        between = hole(domains)
        if between:
            return "points", f"{_legs_text(payer)} leave {name} in {between} out"
        q = payer.quantifier
        readable = readable_domains(payer.legs, name)
        beyond = left_out_of_all(readable, q.range) if payer.names == (q.name,) else ""
        if beyond:
            return "points", f"{_legs_text(payer)}; the clause has {name} = {beyond} too"
    rungs = {_rung(judged, lg) for lg in payer.legs}
    if rungs <= {"proved"}:
        return "proof", _legs_text(payer)
    if rungs <= {"proved", "exhaustive"}:
        return "exhaustion", f"every point, exactly ({_legs_text(payer)})"
    return "search", "searched, not proved"


def _parameter(claim: Claim, payer: Payer, judged: ClaimOutcome, profile: str) -> tuple[str, str]:
    q, legs = payer.quantifier, [lg for lg in payer.legs if lg.required]
    narrower = [text for n in payer.names if (text := left_out(claim.domain[n], q.range))]
    rungs = [_rung(judged, lg) for lg in legs]
    values = "; ".join(_values(claim, n, legs, profile) for n in payer.names)
    if q.kind == "exists":
        return "witness", values
    tried_all = rungs and all(r in ("exhaustive", "proved") for r in rungs)
    if tried_all and len(payer.names) == 1 and exhausts(claim.domain[payer.names[0]], q.range):
        return "exhaustion", values
    values += _attacked(claim, payer.names, legs, judged, profile)
    if narrower:
        values += f"; the clause has {narrower[0]} too"
    return "points", values


def _attacked(
    claim: Claim, names: Sequence[str], legs: Sequence[Leg], judged: ClaimOutcome, profile: str
) -> str:
    """``, attacked to k = 9``: how far the engine's own points went, where that is beyond what was tried."""
    reached = {} if judged.attack is None else judged.attack.reached
    ends = []
    for name in names:
        values = [p[name] for lg in legs for p in claim.points(profile, lg) if name in p]
        numbers = [v for v in values if isinstance(v, int | Fraction)]
        if name in reached and numbers and Fraction(reached[name]) > max(numbers):
            ends.append(f"{name} = {reached[name]}")
    if ends:
        return f", attacked to {', '.join(ends)}"
    return ", attacked" if set(names) & set(reached) else ""


def _field(claim: Claim, payer: Payer, judged: ClaimOutcome, profile: str) -> tuple[str, str]:
    if payer.quantifier.kind == "exists":
        return "witness", f"drawn ({_legs_text(payer)})"
    counts = [
        instance_count(lg.instances, profile) * len(claim.points(profile, lg))
        for lg in payer.legs
        if lg.instances is not None
    ]
    if payer.quantifier.kind == "prob":
        return "sampling", f"{sum(counts)} instances"
    if judged.verdict != "fail" and _never_varied(claim, payer, judged):
        fields = ", ".join(payer.names)
        return (
            "open",
            f"{fields}: 0, the same or of equal entries in every instance, and so not varied",
        )
    told = [judged.legs[lg.name].different for lg in payer.legs if lg.name in judged.legs]
    different, drawn = sum(n for n in told if n is not None), sum(counts)
    alike = all(n is not None for n in told) and different < drawn
    return "instances", f"{drawn} of them" + (f", {different} different" if told and alike else "")


def _never_varied(claim: Claim, payer: Payer, judged: ClaimOutcome) -> bool:
    """Whether all that a name is read off is flat in every leg that pays for it, and no parameter is part of it."""
    told = [judged.legs[lg.name].flat for lg in payer.legs if lg.name in judged.legs]
    outside = set(payer.names) & set(claim.domain)
    return bool(told) and not outside and all(set(payer.names) <= set(flat) for flat in told)


_PAYS = {
    "left": _left,
    "over": _over,
    "gives": _gives,
    "inside": _inside,
    "draws": _draws,
    "typed": _typed,
    "parameter": _parameter,
    "field": _field,
}


def _values(claim: Claim, name: str, legs: Sequence[Leg], profile: str) -> str:
    """``k: 2 to 5, 14 points`` over the legs that try the parameter."""
    points = [p for lg in legs for p in claim.points(profile, lg) if name in p]
    tried = list(dict.fromkeys(p[name] for p in points))
    number = len({tuple(sorted((k, to_text(v)) for k, v in p.items())) for p in points})
    plural = "s" * (number != 1)
    if not tried:
        return f"{name}: no point"
    if any(isinstance(v, str | tuple) for v in tried):
        return f"{name}: {len(tried)} value{'s' * (len(tried) != 1)}, {number} point{plural}"
    ordered = sorted(tried)
    ends = (
        to_text(ordered[0])
        if len(ordered) == 1
        else (f"{to_text(ordered[0])} to {to_text(ordered[-1])}")
    )
    return f"{name}: {ends}, {number} point{plural}"


def _rung(judged: ClaimOutcome, leg: Leg) -> str | None:
    seen = judged.legs.get(leg.name)
    return None if seen is None else seen.rung


def _legs_text(payer: Payer) -> str:
    return ", ".join(lg.name for lg in payer.legs)
