"""Registers: what a source states, one row a statement.

A source is a folder of claims with a ``statements.toml`` beside them. The register says what the
source prints (in our own words), what each statement rests on, and what is known to be wrong with
it as printed; claims then encode its statements by id. A register holds no verdict. Line breaks
inside texts are read as spaces.

::

    [source]
    name = "fourier_circuits"          # the folder's name
    title = "..."
    authors = ["..."]
    edition = "..."                    # which edition was read
    text = "..."                       # how its text was obtained (machine-read, ...)

    [[source.citation]]                # BibTeX fields; the first is the text that was read
    type = "phdthesis"
    key = "..."
    author = "..."
    title = "..."
    year = "2024"

    [[statement]]
    id = "fourier-max-margin"          # unique among all sources
    labels = ["Theorem 4.9 (i)"]       # as printed; empty if the source gives none
    title = "..."
    role = "main"                      # one of ROLES
    kind = "optimality"                # one of KINDS
    one_line = "..."
    uses = ["fourier-certificate"]     # ids of this register that its proof rests on
    uses_corrected = ["fourier-certificate"]  # those of `uses` whose corrected form the proof needs
    survives = "with correction"       # one of SURVIVES, for a statement above a wrong one
    out_of_reach = "..."               # absent, or why no machine of ours can check it

    [[statement]]
    id = "fourier-certificate"
    labels = []
    title = "..."
    role = "supporting"
    kind = "bound"
    one_line = "..."
    uses = []
    grade = "misprint"                 # absent if right as printed; else one of GRADES
    note = "..."                       # with a grade: what is wrong and the corrected form
    compared = "..."                   # absent, or with which published version this was compared
    pages = "ICLR 2022, pages 5, 37"   # absent, or where it stands in an edition that has page numbers
"""

from __future__ import annotations

import graphlib
import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from theorycheck.claims.clauses import Clause
from theorycheck.sources.clauses import Asserted, clauses_of
from theorycheck.sources.entries import RegisterError as RegisterError
from theorycheck.sources.entries import TableReader, read_toml

FILE_NAME = "statements.toml"
ROLES = ("main", "supporting", "folklore", "algorithm", "experiment", "derived")
KINDS = (
    "identity",
    "bound",
    "lower-bound",
    "optimality",
    "scaling",
    "convergence-rate",
    "high-probability",
    "separation",
    "construction",
    "complexity",
    "empirical",
)
# The first three say that the printed sentence is not true (or says nothing) where one can look.
GRADES = (
    "false as stated",
    "false at a hidden constant",
    "vacuous at simulable sizes",
    "misprint",
    "proof gap",
    "underspecified",
)
FALSE_GRADES = frozenset({"false as stated", "false at a hidden constant"})
SURVIVES = ("unaffected", "with correction", "open")

_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", re.ASCII | re.IGNORECASE)
_NAME = re.compile(r"[a-z][a-z0-9_]*", re.ASCII)


@dataclass(frozen=True)
class Citation:
    """A BibTeX entry: ``type`` and ``key`` as in ``@type{key, ...}``, the rest in ``fields``."""

    type: str
    key: str
    fields: Mapping[str, str]


@dataclass(frozen=True)
class Source:
    """Where the statements of a register come from, and which edition was read."""

    name: str
    title: str
    authors: tuple[str, ...]
    edition: str
    text: str
    citations: tuple[Citation, ...]


@dataclass(frozen=True)
class Statement:
    """One numbered statement of a source (or one derived beside it), keyed by its id.

    ``grade`` is None when the statement is right as printed as far as is known; ``note`` says what
    is wrong otherwise and how the corrected form reads. ``uses_corrected`` is the part of ``uses``
    that is needed in corrected form; ``survives`` says what becomes of the statement when something
    that it rests on is wrong. ``out_of_reach`` is None, or the reason why it cannot be checked.
    ``compared`` names the published version that the transcribed text was compared with, "" if none;
    ``pages`` an edition and its pages, "" where the text that was read has none.
    """

    id: str
    labels: tuple[str, ...]
    title: str
    role: str
    kind: str
    one_line: str
    uses: tuple[str, ...] = ()
    grade: str | None = None
    note: str = ""
    uses_corrected: tuple[str, ...] = ()
    survives: str | None = None
    out_of_reach: str | None = None
    compared: str = ""
    pages: str = ""


@dataclass(frozen=True)
class Register:
    """A source and its statements, in the file's order. ``folder``: where its clauses lie, which are read
    when they are first asked for; ``asserted``: the clauses themselves, where there is no folder."""

    source: Source
    statements: tuple[Statement, ...]
    folder: Path | None = None
    asserted: Mapping[str, Asserted] = field(default_factory=dict)

    def clauses_of(self, statement: str) -> tuple[Clause, ...]:
        """What a statement asserts, in the file's order; empty where the source has no clauses for it.
        Raises RegisterError."""
        known = self.asserted if self.folder is None else clauses_of(self.folder)
        return known[statement].clauses if statement in known else ()

    def lines_of(self, statement: str) -> str:
        """Where the text that was read has a statement; "" where the source has no clauses for it.
        Raises RegisterError."""
        known = self.asserted if self.folder is None else clauses_of(self.folder)
        return known[statement].lines if statement in known else ""

    def by_id(self) -> dict[str, Statement]:
        """The statements keyed by id, in order."""
        return {s.id: s for s in self.statements}


def load_register(path: Path) -> Register:
    """Read and check one ``statements.toml`` (or the folder that holds it).

    Raises:
        RegisterError: with one line for each problem: the file, the entry, what to write instead.
    """
    file = path / FILE_NAME if path.is_dir() else path
    where = "/".join(file.parts[-2:])
    table = read_toml(file, where)
    return replace(register_from_table(table, where=where), folder=file.parent)


def register_from_table(table: Mapping[str, Any], *, where: str = FILE_NAME) -> Register:
    """Check a parsed register; ``where`` names it in the problems.

    Raises:
        RegisterError: with one line for each problem.
    """
    problems: list[str] = []
    top = TableReader(table, where, problems)
    top.only("source", "statement")
    source = _source(top.table("source"), where, problems)
    rows = top.tables("statement")
    if not rows and not problems:
        problems.append(f"{where}: has no statement; add a [[statement]] table")
    statements = tuple(_statement(row, n, where, problems) for n, row in enumerate(rows, start=1))
    _check_ids(statements, where, problems)
    if problems:
        raise RegisterError(problems)
    return Register(source, statements)


def registers_digest(folder: Path) -> str:
    """Of the registers of a source: every TOML file of its folder, which entries and pages quote."""
    digest = hashlib.blake2b(digest_size=16)
    for file in sorted(folder.glob("*.toml")):
        digest.update(f"{file.name}\0".encode() + file.read_bytes() + b"\0")
    return digest.hexdigest()


def load_registers(folders: Iterable[Path]) -> tuple[Register, ...]:
    """The registers of several source folders, sorted by source name; ids are unique among them.

    A folder without a ``statements.toml`` is passed over (drafts need no register).

    Raises:
        RegisterError: with one line for each problem in any of them.
    """
    problems: list[str] = []
    registers: list[Register] = []
    owner: dict[str, str] = {}
    for folder in sorted(folders):
        if not (folder / FILE_NAME).is_file():
            continue
        try:
            register = load_register(folder)
        except RegisterError as error:
            problems.extend(error.problems)
            continue
        where = f"{folder.name}/{FILE_NAME}"
        if register.source.name != folder.name:
            problems.append(
                f"{where}: source name is {register.source.name!r}; "
                f"write the folder's name, {folder.name!r}"
            )
        for s in register.statements:
            if s.id in owner:
                problems.append(
                    f"{where}: statement {s.id!r}: the id is taken by {owner[s.id]}; choose another"
                )
            owner.setdefault(s.id, folder.name)
        registers.append(register)
    if problems:
        raise RegisterError(problems)
    return tuple(sorted(registers, key=lambda r: r.source.name))


def _source(table: Mapping[str, Any], where: str, problems: list[str]) -> Source:
    if not table:
        return Source("", "", (), "", "", ())  # the missing table is already among the problems
    entry = TableReader(table, f"{where}: source", problems)
    entry.only("name", "title", "authors", "edition", "text", "citation")
    name = entry.text("name")
    if name.strip() and not _NAME.fullmatch(name):
        entry.bad(f"name is {name!r}; write the folder's name: small letters, digits, underscores")
    authors = entry.texts("authors")
    if "authors" in table and not authors:
        entry.bad('authors is empty; write authors = ["First Last", ...]')
    cited = tuple(
        _citation(row, f"{where}: source: citation {n}", problems)
        for n, row in enumerate(entry.tables("citation"), start=1)
    )
    if not cited:
        entry.bad("has no citation; add a [[source.citation]] table with type, key, title, year")
    return Source(
        name, entry.text("title"), authors, entry.text("edition"), entry.text("text"), cited
    )


def _citation(table: Mapping[str, Any], label: str, problems: list[str]) -> Citation:
    entry = TableReader(table, label, problems)
    for required in ("author", "title", "year"):
        entry.text(required)
    kind, key = entry.text("type"), entry.text("key")
    fields = {k: entry.text(k) for k in table if k not in ("type", "key")}
    return Citation(kind, key, fields)


def _statement(table: Mapping[str, Any], n: int, where: str, problems: list[str]) -> Statement:
    id = table.get("id")
    entry = TableReader(table, f"{where}: statement {id if isinstance(id, str) else n!r}", problems)
    entry.only(*Statement.__dataclass_fields__)
    s = Statement(
        id=entry.text("id"),
        labels=entry.texts("labels"),
        title=entry.text("title"),
        role=entry.choice("role", ROLES) or "",
        kind=entry.choice("kind", KINDS) or "",
        one_line=entry.text("one_line"),
        uses=entry.texts("uses", required=False),
        grade=entry.choice("grade", GRADES, required=False),
        note=entry.text("note", required=False),
        uses_corrected=entry.texts("uses_corrected", required=False),
        survives=entry.choice("survives", SURVIVES, required=False),
        out_of_reach=entry.text("out_of_reach", required=False) or None,
        compared=entry.text("compared", required=False),
        pages=entry.text("pages", required=False),
    )
    if s.id.strip() and not _ID.fullmatch(s.id):
        entry.bad(f"id is {s.id!r}; write letters and digits joined by single hyphens")
    if s.grade and not s.note:
        entry.bad("has a grade and no note; say what is wrong as printed and the corrected form")
    if s.grade and s.role == "derived":
        entry.bad(
            "is derived and has a grade; a grade is for what a source prints: drop one of them"
        )
    for use in s.uses_corrected:
        if use not in s.uses:
            entry.bad(f"uses_corrected names {use!r}, which is not in uses; add it there first")
    return s


def _check_ids(statements: Sequence[Statement], where: str, problems: list[str]) -> None:
    """Uniqueness, known uses, no cycle, and marks that have something below them to speak of."""
    known = {s.id: s for s in statements}
    for id in sorted({s.id for s in statements if s.id}):
        if sum(s.id == id for s in statements) > 1:
            problems.append(f"{where}: statement {id!r}: the id occurs twice; ids are unique")
    for s in statements:
        entry = f"{where}: statement {s.id}"
        for use in s.uses:
            if use not in known:
                problems.append(
                    f"{entry}: uses names {use!r}, which is no statement of this register"
                )
        for use in s.uses_corrected:
            if use in known and known[use].grade is None:
                problems.append(
                    f"{entry}: uses_corrected names {use!r}, which has no grade: "
                    "grade it, or drop it here"
                )
    graph = {s.id: [u for u in s.uses if u in known] for s in statements}
    try:
        order = list(graphlib.TopologicalSorter(graph).static_order())
    except graphlib.CycleError as error:
        problems.append(f"{where}: uses run in a circle: {' <- '.join(error.args[1])}; break it")
        return
    above_graded: set[str] = set()
    for id in order:
        if any(known[u].grade or u in above_graded for u in graph[id]):
            above_graded.add(id)
        elif known[id].survives:
            problems.append(
                f"{where}: statement {id}: has survives, but nothing that it rests on is graded; "
                "drop it, or name the wrong statement in uses"
            )
