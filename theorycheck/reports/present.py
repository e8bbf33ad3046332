"""How a claim is shown: its formula, quantifiers and figure, kept between runs.

Typesetting and drawing take longer than judging from kept evidence, so what they made is kept in the
evidence store under a digest of everything that it depends on: the claim's content, its kept observations,
the run's profile and level, the versions of the libraries, and the rooms of theorycheck that draw.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from theorycheck.claims.figures import Figure, PanelData
from theorycheck.claims.model import Claim
from theorycheck.entries.parts import Counterexample
from theorycheck.entries.report import Entry, Report
from theorycheck.evidence.environment import digest_of, engine_digest, environment
from theorycheck.evidence.store import Store, StoredKind, default_path, open_store
from theorycheck.library.listing import select_cached
from theorycheck.library.loading import Loaded
from theorycheck.numbers.domain import to_text
from theorycheck.plan.keys import Purpose
from theorycheck.plan.settings import Settings
from theorycheck.reports.figure_data import FigureData

if TYPE_CHECKING:  # what is cached is shown without the numerical libraries
    from theorycheck.evidence.observation import Observation

DRAWN_BY = (
    "entries",
    "numbers",
    "balls",
    "stats",
    "arrays",
    "arithmetics",
    "relations",
    "blocks",
    "claims",
    "formulas",
    "check",
    "sources",
    "plan",
    "evidence",
    "judge",
    "engine",
    "library",
    "record",
    "reports",
)
"""Rooms that a presentation may depend on: `reports` and all below it."""


@dataclass(frozen=True)
class DeclaredFigure:
    """A figure that a claim declares, drawn ``at`` a point; ``svg`` is empty, with the reason in
    ``caption``, where it is missing."""

    name: str
    at: str
    caption: str
    panels: tuple[PanelData, ...] = ()
    svg: str = ""


@dataclass
class Presentation:
    """What is shown of a claim beside its entry in the report.

    ``says``: the assertion as HTML, empty where it is a formula and stands in ``mathml``; ``clauses``:
    those that it covers as MathML by key. ``figure``: what it shows, ``note`` its caption; ``table``:
    case, measured and claimed value, where a handful of values needs no figure. ``declared``: the
    figures that the claim declares.
    """

    mathml: list[str] = field(default_factory=list)
    says: str = ""
    clauses: dict[str, str] = field(default_factory=dict)
    latex: list[str] = field(default_factory=list)
    assertion: str = ""
    quantifiers: list[str] = field(default_factory=list)
    condition: str = ""
    setting: str = ""
    notes: str = ""
    legs: dict[str, str] = field(default_factory=dict)
    rivals: dict[str, str] = field(default_factory=dict)
    figure: FigureData | None = None
    svg: str = ""
    table: list[list[str]] = field(default_factory=list)
    note: str = ""
    declared: list[DeclaredFigure] = field(default_factory=list)


def presentations(
    report: Report, folder: Path, items: Sequence[Loaded] | None = None
) -> dict[str, Presentation]:
    """The presentation of every claim of a report, by id.

    A claim that is gone, or whose content is no longer that of the run, is shown by what the report
    says alone, with a note.
    """
    with kept() as store:
        return _presentations(report, folder, claims_of_report(report, items), store)


def _presentations(
    report: Report, folder: Path, known: Mapping[str, Loaded], store: Store
) -> dict[str, Presentation]:
    settings = Settings.of_run(report.run)
    shown = {}
    for entry in report.claims:
        item = known.get(entry.id)
        if item is None or item.content != entry.content:
            what = (
                "is not in the library any more" if item is None else "has changed since this run"
            )
            shown[entry.id] = Presentation(
                assertion=_recorded_form(entry), note=f"The claim {what}."
            )
        else:
            file = folder / "observations" / f"{item.id}.json"
            data = file.read_bytes() if file.is_file() else b"[]"
            shown[entry.id] = cached(item, entry, settings, data, store)
    return shown


def _recorded_form(entry: Entry) -> str:
    """The closed form as the report has it, where the claim itself cannot be shown."""
    return f"closed form: {entry.closed_form}" if entry.closed_form else ""


def claims_of_report(report: Report, items: Sequence[Loaded] | None = None) -> dict[str, Loaded]:
    """The claims that a report speaks of, as they are now: those given, the others from the installed
    libraries. Claims that are nowhere are left out."""
    wanted = {e.id: e.source for e in report.claims}
    given = {i.id: i for i in items or () if i.id in wanted}
    sources = {source for id, source in wanted.items() if id not in given} - {"draft"}
    installed = select_cached((), sources=sorted(sources)) if sources else []
    return {i.id: i for i in installed if i.id in wanted} | given


def present(
    claim: Claim,
    observations: Sequence[Observation],
    *,
    profile: str,
    alpha: float,
    counterexample: Counterexample | None = None,
) -> Presentation:
    """Typesets and draws a claim; nothing is kept."""
    from theorycheck.reports import curve, figure, mathematics, statement, typeset

    numeric = typeset.shown_legs(claim)
    asserted = _asserted(claim)
    out = Presentation(
        mathml=_distinct(typeset.mathml(claim, lg) for lg in numeric)
        + [mathematics.mathml(formula, block=True, alternative=claim.says) for formula in asserted],
        says="" if asserted else mathematics.html(claim.says),
        clauses={c.key: mathematics.html(f"${c.tex}$") for c in claim.clauses if c.tex},
        latex=_distinct(typeset.latex(claim, lg) for lg in numeric) + asserted,
        assertion=statement.assertion(claim),
        quantifiers=[statement.quantified(n, d) for n, d in claim.domain.items()],
        condition=statement.condition_text(claim.where),
        setting=claim.setting,
        notes=claim.notes,
        legs={lg.name: statement.leg_text(claim, lg) for lg in claim.legs},
        rivals={r.name: ", ".join(r.changes) or "points" for r in claim.rivals},
    )
    drawn = curve.figure_data(
        claim, observations, profile=profile, alpha=alpha, counterexample=counterexample
    )
    if drawn is not None and drawn.table:
        out.table, out.note = drawn.table, drawn.note
    elif drawn is not None:
        out.figure, out.svg = drawn, figure.svg(drawn, f"figure-{claim.id}")
        out.note = f"{figure.described(drawn)} {drawn.note}".strip()
    out.declared = [
        _declared(claim, shown, seen)
        for shown in claim.figures
        for seen in observations
        if seen.purpose is Purpose.FIGURE and seen.leg == shown.name
    ]
    return out


def _asserted(claim: Claim) -> list[str]:
    """The statement of a claim that is one as typed: what it says is a formula and no sentence."""
    from theorycheck.claims.formula import TypedStatement
    from theorycheck.reports import typed

    stated = (lg.simulation for lg in claim.legs if isinstance(lg.simulation, TypedStatement))
    return next((typed.lines_of(s) for s in stated if s.says == claim.says), [])


def _declared(claim: Claim, shown: Figure, seen: Observation) -> DeclaredFigure:
    from theorycheck.reports import panels

    at = ", ".join(f"{name} = {to_text(value)}" for name, value in seen.point.items())
    if seen.status != "ok":
        return DeclaredFigure(shown.name, at, f"It could not be made: {seen.message}")
    data = seen.detail.panels or ()
    drawn = panels.svg(data, shown.name, f"figure-{claim.id}-{shown.name}")
    return DeclaredFigure(shown.name, at, shown.caption, data, drawn)


def _distinct(texts: Iterable[str | None]) -> list[str]:
    return list(dict.fromkeys(t for t in texts if t))


def kept() -> AbstractContextManager[Store]:
    """The store that presentations are kept in, none where runs keep none. What is wrong with its file only
    costs the time of drawing again: the run has said it where it matters."""
    path = default_path()
    return open_store(path if path.exists() else None, lambda message: None)


def cached(
    item: Loaded, entry: Entry, settings: Settings, data: bytes, store: Store
) -> Presentation:
    """The presentation of a claim, from the store where it is there. ``data``: its file of observations;
    of the settings the profile and alpha count."""
    context = _context(item, entry, settings, data)
    found = store.made(context, StoredKind.PRESENTATION)
    if found is not None:
        return msgspec.convert(found, Presentation)
    try:
        from theorycheck.record.observations import observations_from

        made = present(
            item.claim,
            observations_from(data.decode()),
            profile=settings.profile,
            alpha=settings.alpha,
            counterexample=entry.counterexample,
        )
    except Exception as error:  # noqa: BLE001 - what cannot be drawn must not cost the run its report
        return Presentation(
            assertion=_recorded_form(entry),
            note=f"It cannot be shown in full: {type(error).__name__}: {error}",
        )
    store.keep_made(context, StoredKind.PRESENTATION, msgspec.to_builtins(made))
    return made


def _context(item: Loaded, entry: Entry, settings: Settings, observations: bytes) -> bytes:
    """Digest of all that a presentation depends on."""
    parts = [item.id, item.content, settings.profile, repr(settings.alpha), engine_digest(DRAWN_BY)]
    parts += [f"{name} {value}" for name, value in environment("cpu").items()]
    marked = msgspec.json.encode(entry.counterexample)
    return digest_of(*(p.encode() for p in parts), marked, observations, size=16)
