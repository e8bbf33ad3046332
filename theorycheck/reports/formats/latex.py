"""LaTeX for a paper's supplement: a table of verdicts and an appendix, statement by statement.

``latex/report.tex`` compiles as it stands with any LaTeX that has amsmath, longtable and graphicx;
``table.tex`` and ``appendix.tex`` are the parts to input elsewhere, ``figures/`` holds PDFs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from theorycheck.entries.report import Entry, Report
from theorycheck.record.files import write_text
from theorycheck.reports.curve import Curve, FigureData, PlotPoints
from theorycheck.reports.present import Presentation, claims_of_report, presentations
from theorycheck.reports.typeset import latex_escape as tex
from theorycheck.reports.words import (
    RUNG_WORDS,
    grounds,
    place,
    resolution_words,
    sharpness,
    standing,
    stands,
)

if TYPE_CHECKING:
    from theorycheck.library.loading import Loaded

DOCUMENT = r"""\documentclass[11pt]{article}
\usepackage[margin=2.5cm]{geometry}
\usepackage{amsmath,amssymb,longtable,graphicx}
\setlength{\emergencystretch}{3em}
\begin{document}
\input{table}
\appendix
\input{appendix}
\end{document}
"""


def write(report: Report, folder: Path, items: Sequence[Loaded] | None = None) -> Path:
    """Writes ``latex/`` in a run's folder; returns the file that compiles."""
    shown = presentations(report, folder, items)
    out = folder / "latex"
    for entry in report.claims:
        drawn = shown[entry.id].figure
        if drawn is not None:
            _figure(out, entry.id, drawn)
        for index, declared in enumerate(shown[entry.id].declared):
            _declared(out, f"{entry.id}-{index + 1}", declared)
    known = claims_of_report(report, items)
    titles = _titles(known.values())
    write_text(out / "table.tex", table(report, titles))
    write_text(out / "appendix.tex", appendix(report, shown, titles))
    write_text(out / "report.tex", DOCUMENT)
    return out / "report.tex"


def _titles(items: Any) -> dict[str, str]:
    from theorycheck.reports.latest_coverage import registers_beside

    return {r.source.name: r.source.title for r in registers_beside(items)}


def _figure(out: Path, claim_id: str, drawn: Mapping[str, Any]) -> None:
    from theorycheck.reports import figure

    file = out / "figures" / f"{claim_id}.pdf"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(figure.pdf(figure_of(drawn)))


def _declared(out: Path, name: str, declared: Mapping[str, Any]) -> None:
    from theorycheck.reports import panels

    if declared["panels"]:
        file = out / "figures" / f"{name}.pdf"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(panels.pdf(declared["panels"]))


def figure_of(drawn: Mapping[str, Any]) -> FigureData:
    """`FigureData` from its JSON."""
    plain = dict(drawn)
    for name, kind in (("curves", Curve), ("rivals", Curve), ("points", PlotPoints),
                       ("rival_points", PlotPoints), ("ratios", PlotPoints)):  # fmt: skip
        plain[name] = [kind(**item) for item in plain[name]]
    return FigureData(**plain)


def table(report: Report, titles: Mapping[str, str]) -> str:
    """One row a claim, by source."""
    run, counts = report.run, report.summary
    lines = [
        rf"\section*{{Verdicts of run \texttt{{{tex(run.id)}}}}}",
        f"Profile {tex(run.profile)}, seed {run.seed}, error budget "
        rf"${_scientific(run.alpha)}$. Of {counts.claims} claims {counts.passed} pass, "
        f"{counts.fail} fail, {counts.inconclusive} are inconclusive, {counts.error} in "
        f"error and {counts.skipped} were skipped.",
        r"\begin{longtable}{@{}p{0.45\textwidth}p{0.27\textwidth}p{0.22\textwidth}@{}}",
        r"\hline claim & verdict & sharpness \\ \hline \endhead \hline \endfoot",
    ]
    for source in dict.fromkeys(e.source for e in report.claims):
        name = tex(titles.get(source, source))
        lines.append(rf"\multicolumn{{3}}{{@{{}}p{{\textwidth}}@{{}}}}{{\emph{{{name}}}}} \\")
        lines += [
            rf"{tex(e.title)} & {tex(standing(e))} & {tex(sharpness(e))} \\"
            for e in report.claims
            if e.source == source
        ]
    return "\n".join([*lines, r"\end{longtable}", ""])


def _scientific(value: float) -> str:
    mantissa, exponent = f"{value:.3e}".split("e")
    digits = f"{float(mantissa):g}"
    times = "" if digits == "1" else rf"{digits} \cdot "
    return f"{times}10^{{{int(exponent)}}}"


def appendix(report: Report, shown: Mapping[str, Presentation], titles: Mapping[str, str]) -> str:
    """A section a source and a paragraph a claim, with its figure."""
    lines: list[str] = []
    for source in dict.fromkeys(e.source for e in report.claims):
        lines += [rf"\section{{{tex(titles.get(source, source))}}}", ""]
        for entry in report.claims:
            if entry.source == source:
                lines += paragraph(entry, shown[entry.id])
    return "\n".join(lines)


def paragraph(entry: Entry, shown: Presentation) -> list[str]:
    """What is known of one claim, as LaTeX lines."""
    lines = [rf"\subsection*{{{tex(entry.title)}}}"]
    if entry.says:
        lines.append(tex(entry.says))
    for formula in shown.latex:
        lines += [r"\[", rf"\resizebox{{\ifdim\width>\linewidth\linewidth\else\width\fi}}{{!}}"
                  rf"{{$\displaystyle {formula}$}}", r"\]"]  # fmt: skip
    if not shown.latex and shown.assertion:
        lines.append(rf"\begin{{quote}}\texttt{{{tex(shown.assertion)}}}\end{{quote}}")
    quantified = "; ".join(shown.quantifiers) or entry.domain
    where = f", where {shown.condition}" if shown.condition else ""
    lines += [f"Domain: {tex(quantified + where)}. Tested: {tex(entry.tested)}.", ""]
    lines += [verdict_sentence(entry), ""]
    if entry.rivals:
        refuted = [r.name for r in entry.rivals if r.refuted]
        lines += [
            f"Refuted rivals ({len(refuted)} of {len(entry.rivals)}): "
            f"{tex('; '.join(refuted)) or 'none'}.",
            "",
        ]
    command = _breakable(entry.reproduce)
    lines += [rf"{{\noindent\raggedright\texttt{{{command}}}\par}}", ""]
    if shown.figure is not None:
        note = f" {tex(shown.note)}" if shown.note else ""
        lines += [
            r"\begin{center}",
            rf"\includegraphics[width=0.62\textwidth]{{figures/{entry.id}}}",
            rf"\par\small {tex(entry.title)}: closed form (lines) and measurements (marks).{note}",
            r"\end{center}",
            "",
        ]
    for index, declared in enumerate(shown.declared):
        if not declared["panels"]:
            lines += [tex(f"{declared['name']}: {declared['caption']}"), ""]
            continue
        place = f" ({declared['at']})" if declared["at"] else ""
        caption = f"{declared['name']}{place}. {declared['caption']}"
        width = 0.5 if len(declared["panels"]) == 1 else 0.9
        lines += [
            r"\begin{center}",
            rf"\includegraphics[width={width}\textwidth]{{figures/{entry.id}-{index + 1}}}",
            rf"\par\small {tex(caption)}",
            r"\end{center}",
            "",
        ]
    return lines


def verdict_sentence(entry: Entry) -> str:
    """Verdict, rung in words, sharpness, and the counterexample of a fail."""
    words = f"Verdict: {standing(entry)}"
    if stands(entry) in ("verified", "supported"):
        words += f", {RUNG_WORDS[grounds(entry)]}. {resolution_words(entry)}"
    else:
        words += f". {entry.reason}." if entry.reason else "."
    if entry.counterexample:
        words += f" Counterexample: {place(entry.counterexample)}."
    return tex(words.strip())


def _breakable(command: str) -> str:
    return tex(command).replace("--", "-{}-")
