"""Clauses and statements in words for people: never more than what was paid for."""

from __future__ import annotations

import re
from collections.abc import Sequence

from theorycheck.claims.clauses import Clause
from theorycheck.claims.covering import legs_for, payers
from theorycheck.claims.model import Claim
from theorycheck.entries.parts import ClauseEntry, Payment
from theorycheck.sources.plain import plain
from theorycheck.sources.register import Statement
from theorycheck.sources.standing import (
    BELOW_A_PROOF,
    ClauseStatus,
    StatementStatus,
    typed_names,
)

_BARE = {
    "argued": "argued: the lemma that makes the certificate a bound is not named",
    "asymptotic": "asymptotic: no finite data decide it",
    "inconclusive": "undecided",
    "open": "not checked",
    "out_of_reach": "out of reach",
    "refuted": "false as printed",
}
_UNSETTLED = frozenset({"open", "argued", "asymptotic", "inconclusive"})
_COUNTED = {
    "points": re.compile(r"\b(\d+ points?)\b"),
    "instances": re.compile(r"\b(\d+) of them\b"),
}
_PLANNED = {
    "left": "left open",
    "over": "certificate or proof",
    "gives": "constructed",
    "inside": "all of them inside the program",
    "draws": "sampled",
    "typed": "the prover",
    "parameter": "points of the grid",
    "field": "instances",
}


def lines_words(lines: str) -> str:
    """``lines 1182-1186``, ``line 1427``: where the source has it; what is no number is said as it stands."""
    if not lines[:1].isdigit():
        return lines
    return f"line {lines}" if lines.isdigit() else f"lines {lines}"


def in_short(statement: Statement, lines: str) -> str:
    """A statement in our words, said to be ours, with the lines where the source has its own."""
    where = f"; the source: {lines_words(lines)}" if lines else ""
    return f"(our words{where}) {plain(statement.one_line)}"


def _ours(clause: Clause) -> str:
    return f"{lines_words(clause.lines)}; ours"


def as_printed_words(clause: Clause) -> str:
    """What the print has where it differs from the clause, with its lines; "" where nothing is noted."""
    if not clause.as_printed:
        return ""
    return f"as printed ({lines_words(clause.lines)}): {plain(clause.as_printed)}"


def statement_words(status: StatementStatus) -> str:
    """``partial: 3 of 5 clauses (certified)``; a statement that is verified at points is *checked*."""
    word = status_word(status.status)
    if status.status == "refuted":
        word = "refuted in part" if status.partial else "refuted"
    elif status.status == "partial" and status.refuted_readings:
        word = "partial: depends on the reading"
    elif status.status == "partial" and status.clauses:
        word = f"partial: {status.checked} of {len(status.clauses)} clauses"
    return word + (f" ({status.rung})" if status.rung else "")


def status_word(status: str) -> str:
    """The word for a statement's status: *verified* at points is *checked*."""
    return "checked" if status == "verified" else status.replace("_", " ")


def clause_words(status: str, entry: ClauseEntry | None) -> str:
    """``checked at 14 points``, ``supported by sampling``, ``not checked``."""
    paid = entry.payments if entry is not None else ()
    ways = {p.by for p in paid}
    if status == "proved":
        return "checked completely" if "exhaustion" in ways and "proof" not in ways else "proved"
    if status == "checked":
        return "checked" + _at(paid)
    if status == "supported":
        how = [w for w in ("sampling", "search") if w in ways]
        return f"supported by {how[0]}" if how else "supported" + _at(paid)
    if status == "open" and "open" in ways:
        names = ", ".join(p.name for p in paid if p.by == "open")
        return f"not checked for all {names}"
    if status == "argued" and any(p.free for p in paid if p.by == "argued"):
        return "argued: proved formulas, and a derivation from them in the claim's text"
    if status == "argued" and ways and "argued" not in ways:
        return "argued: what leads from the claim to the clause is its author's argument"
    return _BARE[status]


def _at(paid: tuple[Payment, ...]) -> str:
    """The weakest payment of a name: instances below points below certificates."""
    for by in ("instances", "points"):
        details = [p.detail for p in paid if p.by == by]
        number = _COUNTED[by].search(details[0]) if details else None
        if number is not None:
            return f" on {number[1]} instances" if by == "instances" else f" at {number[1]}"
    return ""


def waiting_words(clause: Clause, status: str) -> str:
    """``waits for a law over larger d``, of a clause that is not settled; "" where nothing is said."""
    return f"waits for {clause.waits}" if clause.waits and status in _UNSETTLED else ""


def proof_words(found: ClauseStatus) -> str:
    """``proof tried: the sum over m has no closed form that the provers find``, of a provable clause that is
    decided below a proof, ``proved in part: formulas with k; w stands in none``, or ``no proof was tried``; "" of
    others, unless an open one says what was tried."""
    clause = found.clause
    if not clause.provable or found.status not in BELOW_A_PROOF | _UNSETTLED:
        return ""
    if clause.tried:
        return f"proof tried: {clause.tried}"
    if found.status not in BELOW_A_PROOF:
        return ""
    had, left_out = typed_names(found.entry)
    if not had and not left_out:
        return "no proof was tried"
    formulas = "formulas" + (f" with {', '.join(had)}" if had else "")
    rest = f"; {', '.join(left_out)} stand{'s' * (len(left_out) == 1)} in none" if left_out else ""
    return f"proved in part: {formulas}{rest}"


def clause_lines(found: ClauseStatus) -> list[str]:
    """The clause, what is known of it, what came of its proof or what it waits for, and what paid for each of
    its names."""
    clause, entry = found.clause, found.entry
    by = f" ({', '.join(found.by)})" if found.by else ""
    lines = [
        f"{clause.id}: {clause_words(found.status, entry)}{by}",
        f"  ({_ours(clause)}) {plain(clause.says)}",
    ]
    printed = as_printed_words(clause)
    if printed:
        lines.append(f"  {printed}")
    if found.status == "out_of_reach" and clause.out_of_reach:
        lines.append(f"  {clause.out_of_reach}")
    said = (proof_words(found), waiting_words(clause, found.status))
    lines += [f"  {words}" for words in said if words]
    if entry is not None:
        lines += [f"  {payment_words(clause, p)}" for p in entry.payments]
    return lines


def payment_words(clause: Clause, paid: Payment) -> str:
    """``for all k in integers >= 1: points, k: 2 to 5, 4 points``."""
    quantifier = next((q.text() for q in clause.prefix if q.name == paid.name), paid.name)
    return f"{quantifier}: {paid.by}" + (f", {paid.detail}" if paid.detail else "")


def covered_lines(claim: Claim) -> list[str]:
    """The clauses that a claim covers and what is to pay for each name, before anything is run."""
    lines = []
    for clause in claim.clauses:
        lines.append(f"{clause.id} ({_ours(clause)}): {plain(clause.says)}")
        printed = as_printed_words(clause)
        if printed:
            lines.append(f"  {printed}")
        for payer in payers(claim, clause):
            how = _PLANNED[payer.how]
            if payer.how == "left":
                how += f": {claim.left[payer.quantifier.name]}"
            elif payer.how not in ("parameter", "field"):
                how += f" ({', '.join(lg.name for lg in payer.legs)})"
            lines.append(f"  {payer.quantifier.text()}: {how}")
        lines.append(f"  {clause.body}")
        planned = _planned_proof(claim, clause)
        if planned:
            lines.append(f"  {planned}")
    return lines


def left_lines(claim: Claim, stated: Sequence[Clause]) -> list[str]:
    """The clauses of a claim's statements (``stated``) that it leaves alone, one line each."""
    covered = {c.key for c in claim.clauses}
    lines = []
    for other in stated:
        if other.key not in covered:
            waiting = waiting_words(other, "open")
            left = f"{other.key} ({lines_words(other.lines)}): not checked by this claim"
            lines.append(left + (f"; {waiting}" if waiting else ""))
    return lines


def _planned_proof(claim: Claim, clause: Clause) -> str:
    """What a claim without a proof leg for a provable clause says of its proof; other claims may have one."""
    if not clause.provable or any(lg.arithmetic.proves for lg in legs_for(claim, clause)):
        return ""
    return (
        f"proof tried: {clause.tried}"
        if clause.tried
        else "marked provable; this claim types no proof"
    )
