"""What a verdict is about, in a line for each clause: what paid for each of its names, what is left alone.

attained: for all k in integers >= 1: 14 points, attacked to k = 9; there is theta: constructed (network)
uniqueness: not checked
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from theorycheck.claims.clauses import Clause
from theorycheck.claims.model import Claim
from theorycheck.entries.parts import ClauseEntry, Payment
from theorycheck.sources.clauses import Asserted

_NAMED = frozenset({"proof", "exhaustion", "certificate", "sampling", "search", "argued", "open"})
"""Payments whose kind is said before the detail; points, instances and witnesses say it themselves."""


def about(
    claim: Claim, entries: Sequence[ClauseEntry], asserted: Mapping[str, Asserted]
) -> tuple[str, ...]:
    """One line for each clause of the statements that the claim encodes: those that it covers, in its order,
    then the others. Empty where the register lists none."""
    known = {c.key: c for c in claim.clauses}
    several = len(claim.states) > 1
    lines = [_line(known[e.id], e, several) for e in entries if e.id in known]
    for state in claim.states:
        others = asserted[state].clauses if state in asserted else ()
        lines += [f"{_called(c, several)}: not checked" for c in others if c.key not in known]
    return tuple(lines)


def _line(clause: Clause, entry: ClauseEntry, several: bool) -> str:
    """``not-exceeded (argued): for all k in ...: 14 points; for all theta in ...: argued, ...``"""
    said = {q.name: q.text() for q in clause.prefix}
    paid = "; ".join(f"{said.get(p.name, p.name)}: {paid_words(p)}" for p in entry.payments)
    head = f"{_called(clause, several)} ({entry.status})"
    return f"{head}: {paid}" if paid else head


def paid_words(paid: Payment) -> str:
    """``14 points, attacked to k = 9``, ``certificate, neuron, by Parseval``, ``constructed (network)``."""
    if paid.by not in _NAMED and paid.detail:
        return paid.detail.replace(" of them", " instances", 1)
    return paid.by + (f", {paid.detail}" if paid.detail else "")


def _called(clause: Clause, several: bool) -> str:
    return clause.key if several else clause.id
