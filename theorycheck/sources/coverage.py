"""Coverage of the sources: counts, and the map of what rests on what.

Pure functions of registers and records; how a statement's status is decided is told in
`theorycheck.sources.standing`.
"""

from __future__ import annotations

import graphlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from msgspec import Struct

from theorycheck.sources.register import FALSE_GRADES, Register, Statement
from theorycheck.sources.standing import (
    CLAUSE_COUNTS,
    PROOF_STATES,
    STATUSES,
    Records,
    StatementStatus,
    counted_as,
    proof_state,
    statuses,
)

FOOTINGS = ("sound", "unaffected", "with correction", "open")


@dataclass(frozen=True)
class Node:
    """A statement in the map of a theory.

    ``footing`` says what becomes of it if something that it rests on is wrong: ``sound`` (nothing
    below is wrong), ``unaffected``, ``with correction``, ``open``.
    """

    id: str
    label: str
    title: str
    role: str
    grade: str | None
    status: str
    partial: bool
    footing: str


@dataclass(frozen=True)
class Edge:
    """``conclusion`` rests on ``premise``, in its ``printed`` or its ``corrected`` form.

    ``wrong`` says that the premise is wrong as printed, by its grade or by a verdict.
    """

    premise: str
    conclusion: str
    form: str
    wrong: bool


@dataclass(frozen=True)
class TheoryGraph:
    """The statements of one source and what rests on what."""

    source: str
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]


class ClauseCounts(Struct, frozen=True, kw_only=True):
    """How many clauses there are, and how many are counted as each of `CLAUSE_COUNTS`."""

    total: int
    proved: int
    checked: int
    supported: int
    refuted: int
    argued: int
    asymptotic: int
    out_of_reach: int
    open: int


class StatementCounts(Struct, frozen=True, kw_only=True):
    """How many statements there are and how many have each of `STATUSES`, numbers adding up."""

    statements: int
    proved: int
    verified: int
    supported: int
    refuted: int
    partial: int
    inconclusive: int
    open: int
    asymptotic: int
    out_of_reach: int
    clauses: ClauseCounts


class ProxyCounts(Struct, frozen=True, kw_only=True):
    """How many of the statements rest on proxies only, by source and status."""

    sources: Mapping[str, Mapping[str, int]]
    total: Mapping[str, int]


class ProofCount(Struct, frozen=True, kw_only=True):
    """What became of the clauses that are marked provable, numbers adding up: ``tried`` and ``not_tried`` are
    those decided below a proof, ``open`` those that nothing decides."""

    total: int
    proved: int
    refuted: int
    tried: int
    not_tried: int
    open: int


class ProofCounts(Struct, frozen=True, kw_only=True):
    """The clauses that are marked provable, by source and in total."""

    sources: Mapping[str, ProofCount]
    total: ProofCount


class CoverageCounts(Struct, frozen=True, kw_only=True):
    """Counts by source and in total, as ``coverage --json`` gives them."""

    sources: Mapping[str, StatementCounts]
    total: StatementCounts
    proxy: ProxyCounts
    provable: ProofCounts


def coverage(registers: Sequence[Register], records: Records) -> CoverageCounts:
    """Counts per source and in total.

    Raises:
        ValueError: as `statuses`.
    """
    found = list(statuses(registers, records).values())
    names = [register.source.name for register in registers]
    return CoverageCounts(
        sources={n: _row([s for s in found if s.source == n]) for n in names},
        total=_row(found),
        proxy=ProxyCounts(
            sources={n: _proxies([s for s in found if s.source == n]) for n in names},
            total=_proxies(found),
        ),
        provable=ProofCounts(
            sources={n: _provable([s for s in found if s.source == n]) for n in names},
            total=_provable(found),
        ),
    )


def _row(found: Sequence[StatementStatus]) -> StatementCounts:
    clauses = [counted_as(c.status) for s in found for c in s.clauses]
    return StatementCounts(
        statements=len(found),
        clauses=ClauseCounts(
            total=len(clauses), **{name: clauses.count(name) for name in CLAUSE_COUNTS}
        ),
        **{status: sum(s.status == status for s in found) for status in STATUSES},
    )


def _proxies(found: Sequence[StatementStatus]) -> dict[str, int]:
    return {k: sum(s.status == k and s.proxy for s in found) for k in STATUSES[:6]}


def _provable(found: Sequence[StatementStatus]) -> ProofCount:
    clauses = [c for s in found for c in s.clauses if c.clause.provable]
    became = [proof_state(c) for c in clauses]
    return ProofCount(total=len(became), **{state: became.count(state) for state in PROOF_STATES})


def unregistered(registers: Iterable[Register], records: Records) -> list[tuple[str, str]]:
    """Pairs (claim id, statement id) of claims that state something that no register lists."""
    known = {s.id for register in registers for s in register.statements}
    return [(c, id) for c in sorted(records) for id in records[c].states if id not in known]


def theory_graph(register: Register, statuses: Mapping[str, StatementStatus]) -> TheoryGraph:
    """What rests on what in one source, and what becomes of statements above wrong ones.

    A premise is wrong if its grade says false, or if it is refuted. A statement above one stands
    ``unaffected`` where its own evidence settles its whole domain or the register says so;
    ``with correction`` where the register says so, or names the corrected form of each wrong
    premise as the one that is used; else it is ``open``. A correction of a wrong premise that fails
    its own check corrects nothing: what leans on it is open.
    """
    known = register.by_id()
    footing: dict[str, str] = {}
    premises_first = graphlib.TopologicalSorter({s.id: s.uses for s in register.statements})
    for id in premises_first.static_order():
        footing[id] = _footing(known[id], known, statuses, footing)
    nodes = tuple(
        Node(
            s.id,
            s.labels[0] if s.labels else "",
            s.title,
            s.role,
            s.grade,
            statuses[s.id].status,
            statuses[s.id].partial,
            footing[s.id],
        )
        for s in register.statements
    )
    edges = tuple(
        Edge(u, s.id, _form(s, u), _is_wrong(known[u], statuses))
        for s in register.statements
        for u in s.uses
    )
    return TheoryGraph(register.source.name, nodes, edges)


def _form(s: Statement, use: str) -> str:
    return "corrected" if use in s.uses_corrected else "printed"


def _is_wrong(s: Statement, statuses: Mapping[str, StatementStatus]) -> bool:
    return s.grade in FALSE_GRADES or statuses[s.id].status == "refuted"


def _stands_alone(status: StatementStatus) -> bool:
    """Its own evidence settles the whole statement, whatever its printed proof rests on."""
    return status.status == "proved"


def _footing(
    s: Statement,
    known: Mapping[str, Statement],
    statuses: Mapping[str, StatementStatus],
    footing: Mapping[str, str],
) -> str:
    wrong = [u for u in s.uses if _is_wrong(known[u], statuses)]
    shaken = {footing[u] for u in s.uses}
    if not wrong and not shaken & {"with correction", "open"} and s.survives is None:
        return "sound"
    if _stands_alone(statuses[s.id]) or s.survives == "unaffected":
        return "unaffected"
    corrections = [e for u in wrong for e in statuses[u].beside if e.role == "corrected"]
    if any(e.status == "refuted" for e in corrections):
        return "open"
    if s.survives is not None:
        return s.survives
    needs_printed = any(_form(s, u) == "printed" for u in wrong)
    return "open" if needs_printed or "open" in shaken else "with correction"
