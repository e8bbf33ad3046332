"""Coverage of the sources: counts, the map of what rests on what, and what is wrong as printed.

Pure functions of registers and records; how a statement's status is decided is told in
`theorycheck.sources.standing`.
"""

from __future__ import annotations

import graphlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec import to_builtins

from theorycheck.claims.model import ENCODES
from theorycheck.entries.report import entry_to_json
from theorycheck.sources.register import FALSE_GRADES, GRADES, Register, Statement
from theorycheck.sources.standing import (
    CLAUSE_COUNTS,
    STATUSES,
    ClaimStanding,
    Records,
    StatementStatus,
    counted_as,
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


def coverage(registers: Sequence[Register], records: Records) -> dict[str, Any]:
    """Counts per source and in total, numbers adding up; JSON-serialisable.

    ``{"sources": {NAME: {"statements": n, STATUS: n, ..., "clauses": {"total": n, "proved": n,
    "checked": n, "supported": n, "refuted": n, "open": n}}}, "total": {...}}`` over all STATUSES, and
    beside them ``"proxy"``, ``{"sources": {NAME: {STATUS: n}}, "total": {...}}``: how many of the
    counts above rest on proxies only.

    Raises:
        ValueError: as `statuses`.
    """
    found = list(statuses(registers, records).values())
    names = [register.source.name for register in registers]
    return {
        "sources": {n: _row([s for s in found if s.source == n]) for n in names},
        "total": _row(found),
        "proxy": {
            "sources": {n: _proxies([s for s in found if s.source == n]) for n in names},
            "total": _proxies(found),
        },
    }


def _row(found: Sequence[StatementStatus]) -> dict[str, Any]:
    clauses = [counted_as(c.status) for s in found for c in s.clauses]
    return {
        "statements": len(found),
        **{status: sum(s.status == status for s in found) for status in STATUSES},
        "clauses": {"total": len(clauses), **{k: clauses.count(k) for k in CLAUSE_COUNTS}},
    }


def _proxies(found: Sequence[StatementStatus]) -> dict[str, int]:
    return {k: sum(s.status == k and s.proxy for s in found) for k in STATUSES[:6]}


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


def errata(registers: Sequence[Register], records: Records) -> list[dict[str, Any]]:
    """Everything that is wrong as printed, the gravest first; JSON-serialisable.

    One entry for every statement with a grade or a refutation: what the register says (``grade``,
    ``note``), what the evidence says (``status``, ``as_printed``, ``readings``, ``corrected``, each
    claim with its verdict and reproduction), the ``counterexample`` found, the statements ``above``
    it with their footing, and ``engine``: whether a verdict reached here has ``confirmed`` the
    grade, ``contradicted`` it, is ``not judged``, or found what the register does not list
    (``unlisted``).
    """
    found = statuses(registers, records)
    entries: list[dict[str, Any]] = []
    for register in registers:
        graph = theory_graph(register, found)
        footing = {node.id: node.footing for node in graph.nodes}
        for s in register.statements:
            if s.grade is None and found[s.id].status != "refuted":
                continue
            above = [e.conclusion for e in graph.edges if e.premise == s.id]
            entries.append(
                _erratum(s, found[s.id], records)
                | {"above": [{"id": id, "footing": footing[id]} for id in above]}
            )
    return sorted(entries, key=lambda e: GRADES.index(e["grade"]) if e["grade"] else 0)


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


# What an erratum repeats of a claim's record.
_SHOWN = (
    "role",
    "encodes",
    "title",
    "says",
    "corrects",
    "verdict",
    "rung",
    "resolution",
    "tightness",
    "reason",
    "closed_form",
    "counterexample",
    "reproduce",
)


def _erratum(s: Statement, status: StatementStatus, records: Records) -> dict[str, Any]:
    def shown(evidence: Iterable[ClaimStanding]) -> list[dict[str, Any]]:
        plain = ((e.claim, entry_to_json(records[e.claim])) for e in evidence)
        return [{"claim": claim} | {k: entry[k] for k in _SHOWN} for claim, entry in plain]

    failing = [e for e in status.counted if e.status == "refuted"]
    # The plainest refutation first: of the statement as printed and as a whole.
    failing.sort(key=lambda e: (e.role == "reading", ENCODES.index(e.encodes), e.claim))
    found = [records[e.claim].counterexample for e in failing]
    return {
        "id": s.id,
        "source": status.source,
        "labels": list(s.labels),
        "title": s.title,
        "role": s.role,
        "one_line": s.one_line,
        "grade": s.grade,
        "note": s.note,
        "status": status.status,
        "partial": status.partial,
        "engine": _engine(s, status, records),
        "as_printed": shown(e for e in status.counted if e.role != "reading"),
        "readings": shown(e for e in status.counted if e.role == "reading"),
        "corrected": shown(e for e in status.beside if e.role == "corrected"),
        "counterexample": next((to_builtins(c) for c in found if c is not None), None),
    }


def _engine(s: Statement, status: StatementStatus, records: Records) -> str:
    if s.grade is None:
        return "unlisted"
    if status.status == "refuted" and s.grade != "vacuous at simulable sizes":
        return "confirmed"
    if s.grade in FALSE_GRADES and status.status in ("proved", "verified", "supported"):
        return "contradicted"
    if s.grade == "vacuous at simulable sizes":
        reasons = (records[e.claim].reason for e in status.counted)
        if any(reason.startswith("vacuous") for reason in reasons):
            return "confirmed"
    return "not judged"
