"""``report.html``: one file that needs no network, for people.

What is shown is put together here as plain data; the page itself is ``templates/report.html``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import asdict

from theorycheck.entries.parts import DiagnosisEntry, LegEntry
from theorycheck.entries.report import Entry, Report
from theorycheck.record.files import write_text
from theorycheck.record.runs import earlier
from theorycheck.reports import errata, graph, words
from theorycheck.reports.compare import RunDifference, compare
from theorycheck.reports.latest_coverage import bare_record, registers_beside
from theorycheck.reports.present import Presentation, claims_of_report, presentations
from theorycheck.sources.coverage import Node, theory_graph
from theorycheck.sources.standing import STATUSES, statuses

if TYPE_CHECKING:
    from jinja2 import Environment, Template

    from theorycheck.library.loading import Loaded
    from theorycheck.sources.register import Register, Statement

LEAST_SHARP = 8
"""Passes listed as the least sharp: those that a reader should doubt first."""

SHARP = 1e-9
"""Equalities known to this are not worth doubting for want of sharpness: the target of all evidence
that is not sampled or searched."""

LOOSE = 0.5
"""Bounds to which the evidence comes nearer than half are left out of the list of the loosest."""

_SHOWN_APART = ("constant", "trends")
"""What a relation says of a leg that `implied_constant` words."""


def write(report: Report, folder: Path, items: Sequence[Loaded] | None = None) -> Path:
    """``report.html`` in a run's folder. ``items``: its claims where they are loaded already."""
    write_text(folder / "report.html", render(report, folder, items))
    return folder / "report.html"


def render(report: Report, folder: Path, items: Sequence[Loaded] | None = None) -> str:
    """The page of a run. ``items``: its claims where they are loaded already."""
    return _template().render(context(report, folder, items))


def context(report: Report, folder: Path, items: Sequence[Loaded] | None = None) -> dict[str, Any]:
    """Everything that the page shows, as plain data."""
    known = claims_of_report(report, items)
    shown = presentations(report, folder, list(known.values()))
    registers = registers_beside(known.values())
    statements = {s.id: (s, r) for r in registers for s in r.statements}
    entries = [_claim(e, shown[e.id], statements) for e in report.claims]
    before = earlier(folder, report)
    records = _records(report, registers, items or list(known.values()))
    return {
        "run": report.run,
        "summary": report.summary,
        "claims": entries,
        "ids": {e["id"] for e in entries},
        "standings": [(w, sum(e["stands"] == w for e in entries)) for w in words.STANDINGS],
        "by_source": _by_source(entries, registers),
        "surprises": [e for e in entries if e["unexpected"]],
        "refuted": _refuted(entries, registers),
        "least_sharp": least_sharp(report.claims),
        "loosest": loosest(report.claims),
        "before": None if before is None else before.run.id,
        "changes": [] if before is None else _changes(compare(before, report)),
        "maps": [_map(r, records) for r in registers],
        "errata": errata.sections(registers, records),
        "formulas": {id: p.mathml for id, p in shown.items()},
        "choices": _choices(entries),
        "statuses": STATUSES,
        "footings": graph.FOOTING_WORDS,
        "rung_words": words.RUNG_WORDS,
    }


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


def _claim(
    entry: Entry, shown: Presentation, statements: Mapping[str, tuple[Statement, Register]]
) -> dict[str, Any]:
    stated = [statements[s] for s in entry.states if s in statements]
    labels = [", ".join(s.labels) or "unnumbered" for s, _ in stated]
    text = " ".join([entry.id, entry.title, entry.says, entry.source, *labels])
    return {
        **asdict(entry),
        "stands": words.stands(entry),
        "standing": words.standing(entry),
        "sharpness": words.sharpness(entry),
        "resolution_words": words.resolution_words(entry),
        "rung_words": words.RUNG_WORDS.get(words.grounds(entry), ""),
        "unexpected": words.unexpected(entry),
        "shown": shown,
        "labels": labels,
        "stated": [
            {"label": label, "title": s.title, "one_line": s.one_line, "grade": s.grade,
             "note": s.note, "source": r.source.title, "edition": r.source.edition}
            for label, (s, r) in zip(labels, stated, strict=True)
        ],
        "legs": [_leg(leg, shown.legs.get(leg.name, "")) for leg in entry.legs],
        "constants": [c for leg in entry.legs if (c := implied_constant(leg))],
        "survivors": entry.mutants.survivors,
        "search": text.lower(),
        "duration": words.duration(entry.seconds),
        "counted": words.count(entry.samples),
    }  # fmt: skip


def _leg(leg: LegEntry, text: str) -> dict[str, Any]:
    further = {k: v for k, v in leg.further.items() if k not in _SHOWN_APART and v is not None}
    hint = f"hint: {leg.hint}" if leg.hint else ""
    parts = (text, leg.statistic, leg.reason, hint, readable(further))
    return {
        **asdict(leg),
        "rung": leg.rung or "",
        "text": "; ".join(part for part in parts if part),
        "sharpness": words.sharpness(leg),
    }


def implied_constant(leg: LegEntry) -> str:
    """What an up-to-constant law says of its constant over the sweep; empty for other legs."""
    found = leg.further.get("constant")
    if not isinstance(found, list | tuple) or len(found) != 2:
        return ""
    trends = "; ".join(map(str, leg.further.get("trends") or ()))
    said = f"between {found[0]:.3g} and {found[1]:.3g} over the sweep"
    return f"{said}, {trends}" if trends else said


def readable(data: Any) -> str:
    """Nested plain data in one line: ``constants: low 0.8, high 1.1; flat: yes``."""
    if isinstance(data, Mapping):
        return "; ".join(f"{str(k).replace('_', ' ')}: {readable(v)}" for k, v in data.items())
    if isinstance(data, list | tuple):
        return ", ".join(readable(v) for v in data)
    if isinstance(data, bool):
        return "yes" if data else "no"
    if isinstance(data, float):
        return f"{data:.6g}"
    return "" if data is None else str(data)


def _rest(diagnosis: DiagnosisEntry) -> dict[str, Any]:
    """What a diagnosis says beside its text and the corrected form."""
    said = ("text", "corrected")
    fields = asdict(diagnosis).items()
    return {k: v for k, v in fields if k not in said and v not in (None, "", ())}


def _by_source(
    entries: Sequence[Mapping[str, Any]], registers: Sequence[Register]
) -> list[dict[str, Any]]:
    titles = {r.source.name: r.source.title for r in registers}
    rows = []
    for source in dict.fromkeys(e["source"] for e in entries):
        own = [e for e in entries if e["source"] == source]
        counts = [(w, sum(e["stands"] == w for e in own)) for w in words.STANDINGS]
        rows.append(
            {"name": source, "title": titles.get(source, source), "claims": len(own),
             "counts": [(w, n) for w, n in counts if n]}
        )  # fmt: skip
    return rows


def _refuted(
    entries: Sequence[Mapping[str, Any]], registers: Sequence[Register]
) -> list[tuple[str, list[Mapping[str, Any]]]]:
    """Refuted claims by source, with the source's title."""
    titles = {r.source.name: r.source.title for r in registers}
    by_source: dict[str, list[Mapping[str, Any]]] = {}
    for e in entries:
        if e["stands"] == "refuted":
            by_source.setdefault(titles.get(e["source"], e["source"]), []).append(e)
    return list(by_source.items())


def least_sharp(entries: Sequence[Entry]) -> list[dict[str, Any]]:
    """Passes by the size of what they could not have seen, the bluntest first; sharp ones left out."""
    blunt = [
        (e.resolution.value, e) for e in entries
        if e.verdict == "pass" and e.resolution and e.resolution.value > SHARP
    ]  # fmt: skip
    blunt.sort(key=lambda pair: -pair[0])
    return [_listed(e) for _, e in blunt[:LEAST_SHARP]]


def loosest(entries: Sequence[Entry]) -> list[dict[str, Any]]:
    """Bounds that passed with the most room left, the loosest first."""
    far = [
        (tau.value, e)
        for e in entries
        if e.verdict == "pass"
        and not e.resolution
        and (tau := e.tightness)
        and tau.kind != "absolute"
        and tau.value is not None
        and tau.value < LOOSE
    ]
    far.sort(key=lambda pair: pair[0])
    return [_listed(e) for _, e in far[:LEAST_SHARP]]


def _listed(e: Entry) -> dict[str, Any]:
    return {"id": e.id, "title": e.title, "sharpness": words.sharpness(e),
            "standing": words.standing(e), "stands": words.stands(e)}  # fmt: skip


def _changes(changes: Sequence[RunDifference]) -> list[dict[str, Any]]:
    return [{"id": c.id, "what": c.text(), "worse": c.worse} for c in changes if c.notable]


def _map(register: Register, records: Mapping[str, Entry]) -> dict[str, Any]:
    found = statuses([register], records)
    drawn = theory_graph(register, found)
    judged = {i for i, r in records.items() if r.verdict != "not run"}
    links = {}
    for id, status in found.items():
        about = [*status.decided_by, *(e.claim for e in (*status.counted, *status.beside))]
        target = next((c for c in about if c in judged), None)
        if target is not None:
            links[id] = f"#{target}"
    below: dict[str, list[Any]] = {n.id: [] for n in drawn.nodes}
    titles = {n.id: n.label or n.id for n in drawn.nodes}
    for e in drawn.edges:
        below[e.conclusion].append({"label": titles[e.premise], "form": e.form, "wrong": e.wrong})
    return {
        "source": register.source.name,
        "title": register.source.title,
        "svg": graph.svg(drawn, found, links),
        "rows": [_map_row(n, found[n.id], links, below[n.id]) for n in drawn.nodes],
        "counts": [(s, k) for s in STATUSES if (k := sum(n.status == s for n in drawn.nodes))],
        "shaken": [
            {"words": graph.describe(n, found[n.id]), "footing": n.footing, "link": links.get(n.id)}
            for n in drawn.nodes
            if n.footing != "sound"
        ],
    }


def _map_row(
    node: Node, status: Any, links: Mapping[str, str], below: Sequence[Any]
) -> dict[str, Any]:
    return {
        "id": node.id,
        "words": graph.describe(node, status),
        "status": node.status,
        "link": links.get(node.id),
        "below": list(below),
    }


def _choices(entries: Sequence[Mapping[str, Any]]) -> list[tuple[str, str, list[str]]]:
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
        rest=_rest,
        heading=errata.heading,
        reading_note=errata.reading_note,
    )
    return made


@cache
def _template() -> Template:
    return environment().get_template("report.html")
