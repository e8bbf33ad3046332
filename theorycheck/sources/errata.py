"""What is wrong as printed in the sources, as values: what a register says of it and what the evidence says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from theorycheck.claims.model import ENCODES
from theorycheck.entries.parts import Cause, Counterexample
from theorycheck.entries.report import Entry
from theorycheck.sources.coverage import theory_graph
from theorycheck.sources.register import FALSE_GRADES, GRADES, Register, Statement
from theorycheck.sources.standing import ClaimStanding, Records, StatementStatus, statuses


@dataclass(frozen=True)
class Above:
    """A statement that rests on a wrong one, and what becomes of it (`theorycheck.sources.coverage.Node`)."""

    statement: Statement
    footing: str


@dataclass(frozen=True)
class Erratum:
    """A statement with a grade or a refutation.

    ``as_printed``, ``readings``, ``corrected``: the records of its claims by role; ``counterexample``: of
    the plainest refutation. ``above``: what rests on it. ``engine``: whether a verdict reached here has
    ``confirmed`` the grade, ``contradicted`` it, is ``not judged``, or found what the register does not
    list (``unlisted``).
    """

    statement: Statement
    status: StatementStatus
    engine: str
    as_printed: tuple[Entry, ...]
    readings: tuple[Entry, ...]
    corrected: tuple[Entry, ...]
    counterexample: Counterexample | None
    above: tuple[Above, ...]

    @property
    def decided(self) -> bool:
        """Whether a run of ours found it wrong, in one reading at least."""
        return self.engine in ("confirmed", "unlisted") or self.counterexample is not None


def errata(registers: Sequence[Register], records: Records) -> list[Erratum]:
    """Everything that is wrong as printed, the gravest first.

    Raises:
        ValueError: as `statuses`.
    """
    found = statuses(registers, records)
    entries: list[Erratum] = []
    for register in registers:
        graph, known = theory_graph(register, found), register.by_id()
        footing = {node.id: node.footing for node in graph.nodes}
        for s in register.statements:
            if s.grade is None and found[s.id].status != "refuted":
                continue
            resting = (e.conclusion for e in graph.edges if e.premise == s.id)
            above = tuple(Above(known[id], footing[id]) for id in resting)
            entries.append(_erratum(s, found[s.id], records, above))
    return sorted(entries, key=lambda e: GRADES.index(e.statement.grade or GRADES[0]))


def _erratum(
    s: Statement, status: StatementStatus, records: Records, above: tuple[Above, ...]
) -> Erratum:
    def entries(
        evidence: Iterable[ClaimStanding], wanted: Callable[[str], bool]
    ) -> tuple[Entry, ...]:
        return tuple(records[e.claim] for e in evidence if wanted(e.role))

    failing = [e for e in status.counted if e.status == "refuted"]
    # The plainest refutation first: of the statement as printed and as a whole.
    failing.sort(key=lambda e: (e.role == "reading", ENCODES.index(e.encodes), e.claim))
    found = [records[e.claim].counterexample for e in failing]
    return Erratum(
        statement=s,
        status=status,
        engine=_engine(s, status, records),
        as_printed=entries(status.counted, lambda role: role != "reading"),
        readings=entries(status.counted, lambda role: role == "reading"),
        corrected=entries(status.beside, lambda role: role == "corrected"),
        counterexample=next((c for c in found if c is not None), None),
        above=above,
    )


def _engine(s: Statement, status: StatementStatus, records: Records) -> str:
    if s.grade is None:
        return "unlisted"
    if status.status == "refuted" and s.grade != "vacuous at simulable sizes":
        return "confirmed"
    if s.grade in FALSE_GRADES and status.status in ("proved", "verified", "supported"):
        return "contradicted"
    met_nowhere = any(records[e.claim].cause is Cause.VACUOUS for e in status.counted)
    if s.grade == "vacuous at simulable sizes" and met_nowhere:
        return "confirmed"
    return "not judged"
