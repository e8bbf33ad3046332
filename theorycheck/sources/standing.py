"""The status of every statement of the sources, from the latest verdict of each claim.

*Records* are the entries of a report's ``claims``, keyed by claim id, one for every claim of the library,
each the latest at the claim's present content; a claim that has not been run has the verdict ``not run``.

How a statement's status is decided (DESIGN 6, VERDICTS 13):

* Only ``as_printed`` and ``reading`` claims decide (for a statement that is itself derived, also its
  ``derived`` claims, since nothing of it is printed). ``refuted`` if an as_printed claim fails, or if there
  are readings and all of them fail; a claim that names clauses fails where one of them is refuted, so that
  a witness that failed refutes nothing.
* If some readings fail and others do not, the statement depends on the reading: ``partial``.
* Otherwise by its weakest clause, each clause by the strongest claim that covers it (of these roles, and
  ``corrected`` and ``derived`` ones, since the clause's own words are what they are held to): ``proved``,
  ``verified`` (the weakest paid by certified points or instances), ``supported``; ``partial`` where some
  clause is not checked and something else is; ``asymptotic`` where what is left can be decided by no
  finite data; else ``inconclusive`` or ``open``.
* A claim that passes and names no clause makes its statement ``partial`` at best: nobody has said what of
  the statement it speaks of. Where the register lists no clauses for a statement, it is one clause, and
  the author's ``encodes`` says whether the claim is about the whole of it.
* ``out_of_reach`` if the register gives a reason and no claim that decides has reached a verdict; so is a
  clause that it gives one for, or whose statement it does, while no claim covers it. It leaves its statement
  ``partial``.
* A clause that an as_printed claim refutes and a corrected one proves is refuted: the proof is of the repair.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from theorycheck.claims.clauses import Clause
from theorycheck.claims.model import ENCODES, ROLES
from theorycheck.entries.parts import ClauseEntry
from theorycheck.entries.report import Entry
from theorycheck.entries.rungs import RUNGS, VERIFIED, weakest
from theorycheck.sources.register import Register, Statement

STATUSES = (
    "proved",
    "verified",
    "supported",
    "refuted",
    "partial",
    "inconclusive",
    "open",
    "asymptotic",
    "out_of_reach",
)
CLAUSE_COUNTS = (
    "proved",
    "checked",
    "supported",
    "refuted",
    "argued",
    "asymptotic",
    "out_of_reach",
    "open",
)
"""What clauses are counted as; inconclusive ones count as open."""

PROOF_STATES = ("proved", "refuted", "tried", "not_tried", "open")
"""What becomes of a clause that is marked provable."""
BELOW_A_PROOF = frozenset({"checked", "supported", "argued"})

Records = Mapping[str, Entry]

# From the strongest to the weakest, of clauses; a refutation is decided before these are compared.
_CLAUSE_STRENGTH = (
    "proved",
    "checked",
    "supported",
    "argued",
    "asymptotic",
    "inconclusive",
    "open",
)
_RESOLVED = ("proved", "checked", "supported")
_STATEMENT = {"proved": "proved", "checked": "verified", "supported": "supported"}
_COVERING = frozenset({"as_printed", "reading", "corrected", "derived"})
# Rungs that speak for the whole domain, so that nothing below the statement matters any more.
_WHOLE_DOMAIN = frozenset({"proved", "exhaustive"})


@dataclass(frozen=True)
class ClaimStanding:
    """One claim about a statement, and what its verdict amounts to: verified, supported, refuted,
    inconclusive or open."""

    claim: str
    role: str
    encodes: str
    verdict: str
    rung: str | None
    status: str
    clauses: tuple[ClauseEntry, ...] = ()

    @property
    def refuted(self) -> bool:
        """Whether it refutes: a claim that names clauses does where one of them is refuted."""
        if self.status == "refuted" and self.clauses:
            return any(c.status == "refuted" for c in self.clauses)
        return self.status == "refuted"


@dataclass(frozen=True)
class ClauseStatus:
    """What is known of a clause: its status (`theorycheck.judge.payments`), and by which claims."""

    clause: Clause
    status: str
    by: tuple[str, ...] = ()
    entry: ClauseEntry | None = None


@dataclass(frozen=True)
class StatementStatus:
    """The status of one statement and where it comes from.

    ``decided_by`` are the claims that fixed the status (the failing ones, or the weakest),
    ``counted`` all claims that decide, ``refuted_readings`` the readings that fail, ``beside`` the
    claims that are shown but do not decide (corrected, derived, beyond_scope, variant). ``rung`` is
    the weakest among the claims that stand, None where they do not settle it. ``partial``: it is, or it
    was refuted by a part; ``proxy``: it rests on proxies only. ``clauses``: those of the register.
    """

    id: str
    source: str
    status: str
    decided_by: tuple[str, ...] = ()
    partial: bool = False
    proxy: bool = False
    rung: str | None = None
    counted: tuple[ClaimStanding, ...] = ()
    refuted_readings: tuple[str, ...] = ()
    beside: tuple[ClaimStanding, ...] = ()
    clauses: tuple[ClauseStatus, ...] = ()

    @property
    def checked(self) -> int:
        """How many of the clauses are proved, checked or supported."""
        return sum(c.status in _RESOLVED for c in self.clauses)


def statuses(registers: Iterable[Register], records: Records) -> dict[str, StatementStatus]:
    """The status of every statement of the registers, keyed by id, in their order.

    Raises:
        ValueError: a record with an unknown role, encoding or rung.
        RegisterError: clauses that cannot be read.
    """
    about: dict[str, list[ClaimStanding]] = {}
    for claim in sorted(records):
        evidence = _evidence(claim, records[claim], records)
        for id in dict.fromkeys(records[claim].states):
            about.setdefault(id, []).append(evidence)
    return {
        s.id: _decide(s, register, about.get(s.id, ()))
        for register in registers
        for s in register.statements
    }


def counted_as(status: str) -> str:
    """The count of `CLAUSE_COUNTS` that a clause's status falls under."""
    return status if status in CLAUSE_COUNTS else "open"


def proof_state(found: ClauseStatus) -> str:
    """Which of `PROOF_STATES` a clause that is marked provable has: formulas that were typed and proved, and leave a
    name out, are a proof that was tried."""
    if found.status in BELOW_A_PROOF:
        return "tried" if found.clause.tried or any(typed_names(found.entry)) else "not_tried"
    return found.status if found.status in ("proved", "refuted") else "open"


def typed_names(entry: ClauseEntry | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of a clause's prefix that its proved formulas have, and those that they leave out."""
    paid = entry.payments if entry is not None else ()
    had = tuple(p.name for p in paid if p.by == "proof" and not p.free)
    return had, tuple(p.name for p in paid if p.free)


def _evidence(claim: str, record: Entry, records: Records) -> ClaimStanding:
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
    clauses = tuple(_with_lemmas(c, records) for c in record.clauses)
    return ClaimStanding(claim, role, encodes, verdict, rung, status, clauses)


def _with_lemmas(entry: ClauseEntry, records: Records) -> ClauseEntry:
    """The clause as it stands by what is known of the claims that its certificates name as lemmas."""
    awaited = {p.lemma for p in entry.payments if p.lemma}
    if not awaited or not all(_is_proved(records.get(id)) for id in awaited):
        return entry
    paid = tuple(replace(p, by="certificate") if p.lemma else p for p in entry.payments)
    return replace(entry, status=entry.once_proved or entry.status, payments=paid)


def _is_proved(record: Entry | None) -> bool:
    return record is not None and record.verdict == "pass" and record.proved


def _decide(s: Statement, register: Register, about: Sequence[ClaimStanding]) -> StatementStatus:
    printed_roles = ("as_printed", "derived") if s.role == "derived" else ("as_printed",)
    printed = [e for e in about if e.role in printed_roles]
    readings = [e for e in about if e.role == "reading"]
    counted = printed + readings
    wrong_readings = [e for e in readings if e.refuted]
    failing = [e for e in printed if e.refuted]
    if readings and len(wrong_readings) == len(readings):
        failing += wrong_readings
    standing = [e for e in counted if not e.refuted]
    clauses = tuple(_clause(c, about, failing, s.out_of_reach) for c in register.clauses_of(s.id))
    if failing:
        status, deciding = "refuted", failing
    elif s.out_of_reach and all(e.status == "open" for e in counted):
        status, deciding = "out_of_reach", []
    elif clauses:
        status, deciding = _by_clauses(clauses, standing, about)
    else:
        status, deciding = _as_one(standing)
    if wrong_readings and not failing and status in ("proved", "verified", "supported"):
        status = "partial"  # it depends on the reading
    settled = status in ("proved", "verified", "supported", "partial")
    basis = failing or standing
    # Clauses may be settled by corrected and derived claims alone, while none that decides has been run.
    rungs = [e.rung for e in standing or deciding if e.rung is not None]
    return StatementStatus(
        id=s.id,
        source=register.source.name,
        status=status,
        decided_by=tuple(dict.fromkeys(e.claim for e in deciding)),
        partial=status == "partial"
        or (bool(failing) and all(e.encodes != "whole" for e in failing)),
        proxy=status not in ("open", "out_of_reach", "asymptotic")
        and bool(basis)
        and all(e.encodes == "proxy" for e in basis),
        rung=weakest(rungs) if settled and rungs else None,
        counted=tuple(counted),
        refuted_readings=tuple(e.claim for e in wrong_readings),
        beside=tuple(e for e in about if e not in counted),
        clauses=clauses,
    )


def _clause(
    clause: Clause,
    about: Sequence[ClaimStanding],
    failing: Sequence[ClaimStanding],
    out_of_reach: str | None,
) -> ClauseStatus:
    """The strongest of the claims that cover it. One that proves it beside one that refutes it is an
    alarm, and decides nothing, unless it is the repair; so do readings of one clause that disagree."""
    seen = [(e, c) for e in about if e.role in _COVERING for c in e.clauses if c.id == clause.key]
    wrong = [e for e, c in seen if c.status == "refuted" and (e in failing or e.role == "reading")]
    right = [(e, c) for e, c in seen if c.status != "refuted"]
    best = _strongest(c.status for _, c in right)
    if wrong:
        against = _strongest(c.status for e, c in right if e.role != "corrected")
        readings = best in _RESOLVED and all(e.role == "reading" for e in wrong)
        status = "inconclusive" if against == "proved" or readings else "refuted"
        return ClauseStatus(clause, status, tuple(e.claim for e in wrong))
    if not right and (clause.out_of_reach or out_of_reach):
        return ClauseStatus(clause, "out_of_reach")
    by = [(e, c) for e, c in right if c.status == best]
    return ClauseStatus(clause, best, tuple(e.claim for e, _ in by), by[0][1] if by else None)


def _strongest(found: Iterable[str]) -> str:
    return min(found, key=_CLAUSE_STRENGTH.index, default="open")


def _by_clauses(
    clauses: Sequence[ClauseStatus],
    standing: Sequence[ClaimStanding],
    about: Sequence[ClaimStanding],
) -> tuple[str, list[ClaimStanding]]:
    """The weakest clause; ``partial`` where some are checked and others are not."""
    claims = {e.claim: e for e in about}
    weakest_first = sorted(clauses, key=lambda c: -_CLAUSE_STRENGTH.index(_shown(c)))
    left = [c for c in clauses if c.status not in _RESOLVED]
    if not left:
        worst = weakest_first[0].status
        deciding = [claims[id] for c in clauses if c.status == worst for id in c.by]
        return _STATEMENT[worst], deciding
    passed = [e for e in standing if e.verdict == "pass"]
    if len(left) < len(clauses) or any(c.status == "argued" for c in clauses):
        return "partial", passed or [claims[id] for c in clauses for id in c.by]
    tried = [c for c in left if c.by]
    if (
        tried
        and all(c.status == "asymptotic" for c in tried)
        and all(c.clause.asymptotic for c in left)
    ):
        return "asymptotic", [claims[id] for c in tried for id in c.by]
    if passed:
        return "partial", passed
    undecided = [e for e in standing if e.status == "inconclusive"]
    return ("inconclusive", undecided) if undecided else ("open", [])


def _shown(c: ClauseStatus) -> str:
    return c.status if c.status in _CLAUSE_STRENGTH else "open"


def _as_one(standing: Sequence[ClaimStanding]) -> tuple[str, list[ClaimStanding]]:
    """The weakest of the claims, for a statement whose register lists no clauses."""
    if not standing:
        return "open", []
    order = ("verified", "supported", "inconclusive", "refuted", "open")
    status = max((e.status for e in standing), key=order.index)
    deciding = [e for e in standing if e.status == status]
    if status in ("verified", "supported"):
        if all(e.encodes != "whole" for e in standing):
            return "partial", deciding
        if all(e.rung in _WHOLE_DOMAIN for e in standing):
            return "proved", deciding
    return ("inconclusive" if status == "refuted" else status), deciding
