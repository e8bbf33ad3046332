"""``report.html``: one file that needs no network, for people.

What is shown is put together here as plain data; the page itself is ``templates/report.html``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from markupsafe import Markup

from theorycheck.entries.report import Entry, Report
from theorycheck.record.bare import bare_record
from theorycheck.record.files import write_text
from theorycheck.record.runs import earlier
from theorycheck.reports import (
    doubtful,
    errata,
    graph,
    mathematics,
    paper_order,
    references,
    words,
)
from theorycheck.reports.claim_view import Beside, ClaimView, claim_view, readable, rest_of
from theorycheck.reports.clause_words import clause_words, lines_words, statement_words, status_word
from theorycheck.reports.compact import shared_styles, without_namespaces
from theorycheck.reports.compare import RunDifference, compare
from theorycheck.reports.latest_coverage import registers_beside
from theorycheck.reports.paper_order import SourceGroup
from theorycheck.reports.present import Presentation, claims_of_report, presentations
from theorycheck.sources.coverage import Node, TheoryGraph, theory_graph
from theorycheck.sources.plain import plain
from theorycheck.sources.standing import STATUSES, StatementStatus, statuses

if TYPE_CHECKING:
    from jinja2 import Environment, Template

    from theorycheck.library.loading import Loaded
    from theorycheck.sources.register import Register, Statement

LONG_NUMBER = 28
"""Letters of a value that is shown as it stands: fifteen digits and an exponent fit."""

MOST_NEW = 8
"""Claims that only one of two runs has are listed up to so many: runs of different selections are not
alike."""


def write(report: Report, folder: Path, items: Sequence[Loaded] | None = None) -> Path:
    """``report.html`` in a run's folder. ``items``: its claims where they are loaded already."""
    write_text(folder / "report.html", render(report, folder, items))
    return folder / "report.html"


def render(report: Report, folder: Path, items: Sequence[Loaded] | None = None) -> str:
    """The page of a run. ``items``: its claims where they are loaded already."""
    return without_namespaces(_template().render(context(report, folder, items)))


def context(
    report: Report, folder: Path, items: Sequence[Loaded] | None = None
) -> Mapping[str, object]:
    """Everything that the page shows, as plain data."""
    known = claims_of_report(report, items)
    shown, styles = _sharing_styles(presentations(report, folder, list(known.values())))
    registers = registers_beside(known.values())
    records = _records(report, registers, items or list(known.values()))
    found = statuses(registers, records)
    groups = paper_order.by_source(report.claims, registers)
    beside = Beside(
        {s.id: (s, r) for r in registers for s in r.statements},
        found,
        {e.id: e for g in groups for e in g.entries},
    )
    views = {e.id: claim_view(e, shown[e.id], beside) for g in groups for e in g.entries}
    before = earlier(folder, report)
    entries = list(views.values())
    return {
        "run": report.run,
        "summary": report.summary,
        "headline": paper_order.overall(report, registers, found),
        "claims": entries,
        "ids": set(views),
        "standings": [
            (w, sum(e["stands"] == w for e in entries), words.STANDING_WORDS[w])
            for w in words.STANDINGS
        ],
        "groups": _groups(groups, views),
        "failing": any(paper_order.repairs(report.claims)),
        "surprises": [e for e in entries if e["unexpected"]],
        "least_sharp": [views[e.id] for e in doubtful.least_sharp(report.claims)],
        "loosest": [views[e.id] for e in doubtful.loosest(report.claims)],
        "before": None if before is None else before.run.id,
        "changes": [] if before is None else _changes(compare(before, report)),
        "maps": [_map(r, records) for r in registers],
        "errata": errata.sections(registers, records),
        "formulas": {id: p.mathml for id, p in shown.items()},
        "choices": _choices(entries),
        "statuses": STATUSES,
        "footings": graph.FOOTING_WORDS,
        "rung_words": words.RUNG_WORDS,
        "font_face": mathematics.font_face(),
        "figure_styles": styles,
    }


def _sharing_styles(shown: Mapping[str, Presentation]) -> tuple[dict[str, Presentation], str]:
    """The presentations with the styles of all of their pictures said once, and the rules of those."""
    pictures, rules = shared_styles(
        [svg for p in shown.values() for svg in (p.svg, *(f.svg for f in p.declared))]
    )
    ahead = iter(pictures)
    return {
        id: replace(p, svg=next(ahead), declared=[replace(f, svg=next(ahead)) for f in p.declared])
        for id, p in shown.items()
    }, rules


def _records(
    report: Report, registers: Sequence[Register], items: Sequence[Loaded]
) -> dict[str, Entry]:
    """Records of this run alone: a claim that it did not judge is open in it."""
    records = {i.id: bare_record(i) for i in items}
    known = {s.id for r in registers for s in r.statements}
    for entry in report.claims:
        if set(entry.states) & known:
            records[entry.id] = entry
    return {k: r for k, r in records.items() if set(r.states) & known}


@dataclass(frozen=True)
class RepairRow:
    """A claim that fails as printed, with those that correct it."""

    claim: ClaimView
    corrected: tuple[ClaimView, ...]


@dataclass(frozen=True)
class GroupRow:
    """A source with its claims. ``counts``: (standing, how many), those that occur."""

    name: str
    title: str
    full: str
    text: str
    links: Sequence[references.Link]
    claims: Sequence[ClaimView]
    counts: Sequence[tuple[str, int]]
    failing: Sequence[RepairRow]


def _groups(groups: Sequence[SourceGroup], views: Mapping[str, ClaimView]) -> list[GroupRow]:
    rows = []
    for group in groups:
        own = [views[e.id] for e in group.entries]
        counts = [(w, sum(e["stands"] == w for e in own)) for w in words.STANDINGS]
        source = None if group.register is None else group.register.source
        rows.append(
            GroupRow(
                name=group.name,
                title=group.title,
                full="" if source is None else references.in_full(source),
                text="" if source is None else source.text,
                links=[] if source is None else references.links(source),
                claims=own,
                counts=[(w, n) for w, n in counts if n],
                failing=[
                    RepairRow(views[r.failed.id], tuple(views[c.id] for c in r.corrected))
                    for r in paper_order.repairs(group.entries)
                ],
            )
        )
    return rows


@dataclass(frozen=True)
class ChangeRow:
    """What differs from the run before, of one claim or ("" for ``id``) of several."""

    id: str
    what: str
    worse: Sequence[str] = ()


def _changes(changes: Sequence[RunDifference]) -> list[ChangeRow]:
    """What differs from the run before; claims that only one run has are counted where they are many."""
    notable = [c for c in changes if c.notable]
    alone = [c for c in notable if c.before is None or c.after is None]
    folded = alone if len(alone) > MOST_NEW else []
    listed = [ChangeRow(c.id, c.text(), c.worse) for c in notable if c not in folded]
    if folded:
        new = sum(c.before is None for c in folded)
        what = f"{new} claims are new, {len(folded) - new} are not in this run"
        listed.append(ChangeRow("", what))
    return listed


@dataclass(frozen=True)
class PremiseRow:
    """What a statement rests on, in which form, and whether that is wrong as printed."""

    label: str
    form: str
    wrong: bool


@dataclass(frozen=True)
class MapRow:
    """A statement of a map as a line of text. ``one_line``: in our words; ``lines``: where the source has its
    own; ``clauses``: what is known of each."""

    id: str
    label: str
    title: str
    one_line: str
    lines: str
    clauses: Sequence[str]
    grade: str | None
    said: str
    footing: str
    words: str
    status: str
    link: str | None
    below: Sequence[PremiseRow]


@dataclass(frozen=True)
class ShakenRow:
    """A statement above something wrong."""

    words: str
    footing: str
    link: str | None


@dataclass(frozen=True)
class MapView:
    """The map of a source: drawn, as lines, and as ``data`` for the page's script. ``counts``: (status, how
    many), those that occur."""

    source: str
    title: str
    svg: str
    rows: Sequence[MapRow]
    data: Mapping[str, object]
    counts: Sequence[tuple[str, int]]
    shaken: Sequence[ShakenRow]


def _map(register: Register, records: Mapping[str, Entry]) -> MapView:
    found = statuses([register], records)
    drawn = theory_graph(register, found)
    judged = {i for i, r in records.items() if r.verdict != "not run"}
    links = {}
    for id, status in found.items():
        about = [*status.decided_by, *(e.claim for e in (*status.counted, *status.beside))]
        target = next((c for c in about if c in judged), None)
        if target is not None:
            links[id] = f"#{target}"
    known = register.by_id()
    below: dict[str, list[PremiseRow]] = {n.id: [] for n in drawn.nodes}
    titles = {n.id: n.label or plain(n.title) for n in drawn.nodes}
    for e in drawn.edges:
        below[e.conclusion].append(PremiseRow(titles[e.premise], e.form, e.wrong))
    return MapView(
        source=register.source.name,
        title=register.source.title,
        svg=graph.svg(drawn, found, links),
        rows=[
            _map_row(n, found[n.id], known[n.id], register.lines_of(n.id), links, below[n.id])
            for n in drawn.nodes
        ],
        data=_map_data(drawn, found),
        counts=[(s, k) for s in STATUSES if (k := sum(n.status == s for n in drawn.nodes))],
        shaken=[
            ShakenRow(graph.describe(n, found[n.id]), n.footing, links.get(n.id))
            for n in drawn.nodes
            if n.footing != "sound"
        ],
    )


def _map_row(
    node: Node,
    status: StatementStatus,
    statement: Statement,
    lines: str,
    links: Mapping[str, str],
    below: Sequence[PremiseRow],
) -> MapRow:
    return MapRow(
        id=node.id,
        label=graph.label_of(node),
        title=node.title,
        one_line=statement.one_line,
        lines=lines_words(lines),
        clauses=[f"{c.clause.id}: {clause_words(c.status, c.entry)}" for c in status.clauses],
        grade=node.grade,
        said=statement_words(status),
        footing="" if node.footing == "sound" else graph.FOOTING_WORDS[node.footing],
        words=graph.describe(node, status),
        status=node.status,
        link=links.get(node.id),
        below=below,
    )


def _map_data(drawn: TheoryGraph, found: Mapping[str, StatementStatus]) -> Mapping[str, object]:
    """What the page's script needs to lay a part of the map out anew."""
    return {
        "source": drawn.source,
        "nodes": {
            n.id: {
                "label": graph.label_of(n),
                "title": plain(n.title),
                "status": n.status,
                "part": n.partial,
                "words": graph.describe(n, found[n.id]),
            }
            for n in drawn.nodes
        },
        "edges": [
            {"premise": e.premise, "conclusion": e.conclusion, "form": e.form, "wrong": e.wrong}
            for e in drawn.edges
        ],
    }


def _choices(entries: Sequence[ClaimView]) -> list[tuple[str, str, list[str]]]:
    """The filters: (field, name for people, values in their usual order)."""

    def present(field: str) -> list[str]:
        return sorted({str(e[field]) for e in entries if e.get(field)})

    standings = [w for w in words.STANDINGS if any(e["stands"] == w for e in entries)]
    return [
        ("stands", "Verdict", standings),
        ("source", "Source", present("source")),
        ("kind", "Kind", present("kind")),
        ("role", "Role", present("role")),
        ("rung", "Rung", [r for r in words.RUNG_WORDS if r in present("rung")]),
    ]


@cache
def environment() -> Environment:
    """Templates and the filters that they use."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    made = Environment(
        loader=PackageLoader("theorycheck.reports", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(
        spaced=lambda s: str(s).replace("_", " "),
        duration=words.duration,
        place=words.place,
        brief=words.brief,
        at=words.point_words,
        readable=readable,
        rest=rest_of,
        math=lambda text: Markup(mathematics.html(str(text))),
        plain=plain,
        number=number,
        told_apart=words.told_apart,
        rounded=words.rounded,
        signs=signs,
        status=status_word,
        heading=errata.heading,
        reading_note=errata.reading_note,
    )
    return made


def number(text: str) -> Markup:
    """A value as it stands where it is short; a long one rounded, with its exact form behind a click."""
    short = words.rounded(text)
    if short == text and len(text) <= LONG_NUMBER:
        return Markup("<code>{}</code>").format(text)
    shown = short if len(short) <= LONG_NUMBER else short[: LONG_NUMBER - 1] + "\u2026"
    return Markup(
        '<details class="raw"><summary><code>{}</code></summary><code>{}</code></details>'
    ).format(shown, text)


_SIGNS = {">=": "\u2265", "<=": "\u2264", "!=": "\u2260", "oo": "\u221e", "->": "\u2192"}
_WRITTEN = re.compile(r">=|<=|!=|->|\boo\b")


def signs(text: str) -> str:
    """A condition as people write it by hand: ``k \u2265 2``."""
    return _WRITTEN.sub(lambda found: _SIGNS[found[0]], str(text))


@cache
def _template() -> Template:
    return environment().get_template("report.html")
