"""The clauses of a source: what each of its statements asserts, beside its register.

``clauses.toml`` lies beside ``statements.toml`` and is read only where clauses are asked for. Everything in
it is our own words; ``lines`` says where the source has it::

    [[statement]]
    id = "fourier-max-margin"          # an id of the register
    lines = "1423-1430"                # of the text that was read
    confused_with = [{ says = "...", truth = "false: ..." }]

    [[statement.hypothesis]]
    id = "odd"
    says = "p is odd"
    printed = true                     # false: needed, and not printed

    [[statement.clause]]
    id = "attained"                    # unique within the statement
    says = "..."
    tex = "..."
    prefix = ["forall k in integers >= 1", "exists theta in networks"]
    body = "margin == gamma_star"
    kind = "optimality"                # one of KINDS
    status = "holds"                   # one of STATUSES
    provable = true                    # judged by reading
    lines = "1427"                     # absent: those of the statement
    evidence = "..."                   # what would convince a sceptic of this prefix
    lies_hide = "..."                  # where a wrong version looks right on small grids
    as_printed = "..."                 # what the source prints, where this differs
    note = "..."
    out_of_reach = "..."               # absent, or why no machine of ours can check it
    tried = "typed at k = 2: ..."      # absent, or of a provable clause that is decided below a proof: what was
                                       # typed and what the prover said, or why nothing can be typed

    [[statement.clause]]
    id = "rate"
    says = "..."
    tex = "..."
    prefix = ["forall k in integers >= 1"]
    body = "margin - gamma_star == O(1/T)"
    kind = "order"
    status = "holds"
    provable = false
    waits = "a law over larger d"      # absent, or what a clause that stays open waits for; not beside out_of_reach

The prefix is read by `theorycheck.claims.clauses`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from theorycheck.claims.clauses import (
    FALSE,
    FALSE_HERE,
    Clause,
    PrefixError,
    StatementHypothesis,
    parse_prefix,
)
from theorycheck.sources.entries import RegisterError, TableReader, read_toml

FILE_NAME = "clauses.toml"
KINDS = (
    "equality",
    "upper bound",
    "lower bound",
    "order",
    "high probability",
    "experiment",
    "law",
    "existence",
    "optimality",
    "limit",
    "impossibility",
    "definition",
    "uniqueness",
    "algorithm",
)
HOLDS = "holds"
STATUSES = (HOLDS, FALSE, FALSE_HERE, "unclear", "vacuous at reachable sizes")


@dataclass(frozen=True)
class Confusion:
    """A sentence that is easily taken for the statement, and what is true of it."""

    says: str
    truth: str


@dataclass(frozen=True)
class Asserted:
    """What one statement asserts."""

    id: str
    lines: str
    hypotheses: tuple[StatementHypothesis, ...]
    clauses: tuple[Clause, ...]
    confused_with: tuple[Confusion, ...] = ()

    def by_id(self) -> dict[str, Clause]:
        return {c.id: c for c in self.clauses}


def clauses_of(folder: Path) -> Mapping[str, Asserted]:
    """What the statements of a source folder assert, by statement id; empty where it has no clauses.

    Read once for each state of the file. Raises RegisterError with a line for each problem.
    """
    file = folder / FILE_NAME
    try:
        seen = file.stat()
    except OSError:
        return {}
    return _read(file, seen.st_mtime_ns, seen.st_size)


@lru_cache(maxsize=64)
def _read(file: Path, _changed: int, _size: int) -> Mapping[str, Asserted]:
    where = "/".join(file.parts[-2:])
    return clauses_from_table(read_toml(file, where), where=where)


def clauses_from_table(table: Mapping[str, Any], *, where: str = FILE_NAME) -> dict[str, Asserted]:
    """Check a parsed file; ``where`` names it in the problems. Raises RegisterError."""
    problems: list[str] = []
    top = TableReader(table, where, problems)
    top.only("statement")
    found: dict[str, Asserted] = {}
    for n, row in enumerate(top.tables("statement"), start=1):
        asserted = _statement(row, n, where, problems)
        if asserted.id in found:
            problems.append(f"{where}: statement {asserted.id!r} occurs twice; ids are unique")
        found[asserted.id] = asserted
    if problems:
        raise RegisterError(problems)
    return found


def check_against(
    asserted: Mapping[str, Asserted], statements: Sequence[str], where: str = FILE_NAME
) -> None:
    """Clauses belong to statements of the register. Raises RegisterError."""
    strangers = [id for id in asserted if id not in statements]
    if strangers:
        raise RegisterError(
            [f"{where}: statement {id!r} is not in statements.toml" for id in strangers]
        )


def _statement(row: Mapping[str, Any], n: int, where: str, problems: list[str]) -> Asserted:
    id = row.get("id")
    label = f"{where}: statement {id if isinstance(id, str) else n!r}"
    entry = TableReader(row, label, problems)
    entry.only("id", "lines", "hypothesis", "clause", "confused_with")
    name, lines = entry.text("id"), entry.text("lines")
    hypotheses = [_hypothesis(h, label, problems) for h in entry.tables("hypothesis")]
    clauses = [_clause(c, name, lines, label, problems) for c in entry.tables("clause")]
    for what, ids in (
        ("clause", [c.id for c in clauses]),
        ("hypothesis", [h.id for h in hypotheses]),
    ):
        for twice in sorted({i for i in ids if ids.count(i) > 1}):
            entry.bad(f"{what} {twice!r} occurs twice; ids are unique within a statement")
    confusions = [
        _confusion(c, f"{label}: confused_with {k}", problems)
        for k, c in enumerate(entry.tables("confused_with"), start=1)
    ]
    return Asserted(name, lines, tuple(hypotheses), tuple(clauses), tuple(confusions))


def _hypothesis(row: Mapping[str, Any], label: str, problems: list[str]) -> StatementHypothesis:
    entry = TableReader(row, f"{label}: hypothesis {row.get('id')!r}", problems)
    entry.only("id", "says", "printed")
    return StatementHypothesis(entry.text("id"), entry.text("says"), entry.flag("printed"))


def _confusion(row: Mapping[str, Any], label: str, problems: list[str]) -> Confusion:
    entry = TableReader(row, label, problems)
    entry.only("says", "truth")
    return Confusion(entry.text("says"), entry.text("truth", required=False))


def _clause(
    row: Mapping[str, Any], statement: str, lines: str, label: str, problems: list[str]
) -> Clause:
    entry = TableReader(row, f"{label}: clause {row.get('id')!r}", problems)
    entry.only(
        "id",
        "says",
        "tex",
        "prefix",
        "body",
        "kind",
        "status",
        "provable",
        "lines",
        "evidence",
        "lies_hide",
        "note",
        "as_printed",
        "out_of_reach",
        "waits",
        "tried",
    )
    try:
        prefix = parse_prefix(entry.texts("prefix", required=False))
    except PrefixError as error:
        entry.bad(str(error))
        prefix = ()
    out_of_reach = entry.text("out_of_reach", required=False)
    waits = entry.text("waits", required=False)
    if out_of_reach and waits:
        entry.bad(
            "out_of_reach and waits: what nothing can reach waits for nothing; keep one of them"
        )
    provable = entry.flag("provable")
    tried = entry.text("tried", required=False)
    if tried and not provable:
        entry.bad("tried: the clause is not marked provable; mark it, or drop the line")
    return Clause(
        statement=statement,
        id=entry.text("id"),
        says=entry.text("says"),
        tex=entry.text("tex"),
        prefix=prefix,
        body=entry.text("body"),
        kind=entry.choice("kind", KINDS) or "",
        status=entry.choice("status", STATUSES) or "",
        provable=provable,
        lines=entry.text("lines", required=False) or lines,
        evidence=entry.text("evidence", required=False),
        lies_hide=entry.text("lies_hide", required=False),
        note=entry.text("note", required=False),
        as_printed=entry.text("as_printed", required=False),
        out_of_reach=out_of_reach,
        waits=waits,
        tried=tried,
    )
