"""What is known of each statement of the sources, from the latest verdict of each claim.

Pure functions of registers and records. *Records* are the entries of a report's ``claims``, keyed
by claim id, one for every claim of the library, each the latest at the claim's present content; a
claim that has not been run has a record whose verdict is ``not run``.

How a statement's status is decided (DESIGN 6):

* Only ``as_printed`` and ``reading`` claims count (for a statement that is itself derived, also its
  ``derived`` claims, since nothing of it is printed).
* ``refuted`` if an as_printed claim fails, or if there are readings and all of them fail. A reading
  that fails beside one that does not drops out, and the statement is judged by what stands.
* Otherwise the weakest of the claims that count: ``verified`` (proved, exhaustive, certified) above
  ``supported`` (computed, sampled, fitted, searched) above ``inconclusive`` above ``open`` (error,
  skipped, not run, no claim).
* ``out_of_reach`` if the register gives a reason and no claim that counts has reached a verdict.
* A statement whose status rests on parts, special cases or proxies only keeps it and is sub-counted
  as ``partial`` (and as ``proxy`` if on proxies only).
"""

from __future__ import annotations

import graphlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec import to_builtins

from theorycheck.claims.model import ENCODES, ROLES
from theorycheck.entries.report import Entry, entry_to_json
from theorycheck.relations.base import RUNGS, VERIFIED, weakest
from theorycheck.sources.register import FALSE_GRADES, GRADES, Register, Statement

STATUSES = ("verified", "supported", "refuted", "inconclusive", "open", "out_of_reach")
FOOTINGS = ("sound", "unaffected", "with correction", "open")

Record = Entry
Records = Mapping[str, Record]

# From the strongest to the weakest; a refutation is decided before these are compared.
_STRENGTH = ("verified", "supported", "inconclusive", "open")
# Rungs that speak for the whole domain, so that nothing below the statement matters any more.
_WHOLE_DOMAIN = frozenset({"proved", "exhaustive"})


@dataclass(frozen=True)
class Evidence:
    """One claim about a statement, and what its verdict amounts to (one of STATUSES)."""

    claim: str
    role: str
    encodes: str
    verdict: str
    rung: str | None
    status: str


@dataclass(frozen=True)
class StatementStatus:
    """The status of one statement and where it comes from.

    ``decided_by`` are the claims that fixed the status (the failing ones, or the weakest),
    ``counted`` all claims that count, ``refuted_readings`` the readings that fail, ``beside`` the
    claims that are shown but do not count (corrected, derived, beyond_scope, variant). ``rung`` is
    the weakest among the claims that stand, None unless the status is verified or supported.
    """

    id: str
    source: str
    status: str
    decided_by: tuple[str, ...] = ()
    partial: bool = False
    proxy: bool = False
    rung: str | None = None
    counted: tuple[Evidence, ...] = ()
    refuted_readings: tuple[str, ...] = ()
    beside: tuple[Evidence, ...] = ()


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


def statuses(registers: Iterable[Register], records: Records) -> dict[str, StatementStatus]:
    """The status of every statement of the registers, keyed by id, in their order.

    Raises:
        ValueError: a record with an unknown role, encoding or rung.
    """
    about: dict[str, list[Evidence]] = {}
    for claim in sorted(records):
        evidence = _evidence(claim, records[claim])
        for id in dict.fromkeys(records[claim].states):
            about.setdefault(id, []).append(evidence)
    return {
        s.id: _decide(s, register.source.name, about.get(s.id, ()))
        for register in registers
        for s in register.statements
    }


def coverage(registers: Sequence[Register], records: Records) -> dict[str, Any]:
    """Counts per source and in total, numbers adding up; JSON-serialisable.

    ``{"sources": {NAME: {"statements": n, STATUS: n, ...}}, "total": {...}}`` over all STATUSES,
    and beside them ``"partial"`` and ``"proxy"``, each of the form ``{"sources": {NAME: {STATUS:
    n}}, "total": {...}}``: how many of the counts above rest on parts, special cases or proxies
    only, and how many of those on proxies only.

    Raises:
        ValueError: as `statuses`.
    """
    found = list(statuses(registers, records).values())
    names = [register.source.name for register in registers]
    decided = STATUSES[:4]
    return {
        **_table(found, names, STATUSES, count_all=True),
        "partial": _table([s for s in found if s.partial], names, decided),
        "proxy": _table([s for s in found if s.proxy], names, decided),
    }


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


def _evidence(claim: str, record: Record) -> Evidence:
    role, encodes = record.role, record.encodes
    verdict, rung = record.verdict, record.rung
    for value, allowed, what in ((role, ROLES, "role"), (encodes, ENCODES, "encodes")):
        if value not in allowed:
            raise ValueError(f"claim {claim}: {what} is {value!r}; expected one of {allowed}")
    if verdict == "pass":
        if rung not in RUNGS:
            raise ValueError(f"claim {claim}: a pass on rung {rung!r}; expected one of {RUNGS}")
        status = "verified" if rung in VERIFIED else "supported"
    elif verdict in ("fail", "inconclusive"):
        status = "refuted" if verdict == "fail" else "inconclusive"
    else:  # in error, skipped, not run
        status = "open"
    return Evidence(claim, role, encodes, verdict, rung, status)


def _decide(s: Statement, source: str, about: Sequence[Evidence]) -> StatementStatus:
    printed_roles = ("as_printed", "derived") if s.role == "derived" else ("as_printed",)
    printed = [e for e in about if e.role in printed_roles]
    readings = [e for e in about if e.role == "reading"]
    counted = printed + readings
    beside = tuple(e for e in about if e not in counted)
    wrong_readings = [e for e in readings if e.status == "refuted"]
    failing = [e for e in printed if e.status == "refuted"]
    if readings and len(wrong_readings) == len(readings):
        failing += wrong_readings
    standing = [e for e in counted if e.status != "refuted"]
    rung = None
    if failing:
        status, deciding = "refuted", failing
    elif not counted:
        status, deciding = "open", []
    else:
        status = max((e.status for e in standing), key=_STRENGTH.index)
        deciding = [e for e in standing if e.status == status]
        if status in ("verified", "supported"):
            rung = weakest([e.rung for e in standing if e.rung is not None])
    if s.out_of_reach and all(e.status == "open" for e in counted):
        status, deciding = "out_of_reach", []
    has_verdict = status not in ("open", "out_of_reach")
    basis = failing or standing
    return StatementStatus(
        id=s.id,
        source=source,
        status=status,
        decided_by=tuple(e.claim for e in deciding),
        partial=has_verdict and all(e.encodes != "whole" for e in basis),
        proxy=has_verdict and all(e.encodes == "proxy" for e in basis),
        rung=rung,
        counted=tuple(counted),
        refuted_readings=tuple(e.claim for e in wrong_readings),
        beside=beside,
    )


def _table(
    found: Sequence[StatementStatus],
    names: Sequence[str],
    shown: Sequence[str],
    *,
    count_all: bool = False,
) -> dict[str, Any]:
    def row(rows: Sequence[StatementStatus]) -> dict[str, int]:
        counts = {status: sum(s.status == status for s in rows) for status in shown}
        return {"statements": len(rows), **counts} if count_all else counts

    by_source = {name: row([s for s in found if s.source == name]) for name in names}
    return {"sources": by_source, "total": row(found)}


def _form(s: Statement, use: str) -> str:
    return "corrected" if use in s.uses_corrected else "printed"


def _is_wrong(s: Statement, statuses: Mapping[str, StatementStatus]) -> bool:
    return s.grade in FALSE_GRADES or statuses[s.id].status == "refuted"


def _stands_alone(status: StatementStatus) -> bool:
    """Its own evidence settles the whole statement, whatever its printed proof rests on."""
    return status.status == "verified" and not status.partial and status.rung in _WHOLE_DOMAIN


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
    def shown(evidence: Iterable[Evidence]) -> list[dict[str, Any]]:
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
    if s.grade in FALSE_GRADES and status.status in ("verified", "supported"):
        return "contradicted"
    if s.grade == "vacuous at simulable sizes":
        reasons = (records[e.claim].reason for e in status.counted)
        if any(reason.startswith("vacuous") for reason in reasons):
            return "confirmed"
    return "not judged"
