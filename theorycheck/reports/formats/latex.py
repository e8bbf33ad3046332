r"""LaTeX for a paper and its supplement: tables of statements and of claims, and an appendix.

``latex/report.tex`` compiles as it stands with any LaTeX that has amsmath, longtable and graphicx;
``table.tex``, ``statements.tex`` and ``appendix.tex`` are the parts to input elsewhere, ``figures/`` holds
PDFs. With ``\input{verdicts}`` in its preamble a paper says ``\tcverdict{id}`` (the verdict in words) or
``\tcbadge{id}`` (in a coloured box) of a statement or a claim by its id in the register.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from theorycheck.entries.report import Entry, Report
from theorycheck.record.bare import bare_record
from theorycheck.record.files import write_text
from theorycheck.reports import paper_order, references
from theorycheck.reports.clause_words import statement_words, status_word
from theorycheck.reports.latest_coverage import registers_beside
from theorycheck.reports.paper_order import SourceGroup
from theorycheck.reports.present import Presentation, claims_of_report, presentations
from theorycheck.reports.typeset import latex_escape as tex
from theorycheck.reports.typeset import latex_text
from theorycheck.reports.words import (
    RUNG_WORDS,
    brief,
    grounds,
    resolution_words,
    rounded,
    sharpness,
    standing,
    stands,
)
from theorycheck.sources.register import Register
from theorycheck.sources.standing import StatementStatus, statuses

if TYPE_CHECKING:
    from theorycheck.library.loading import Loaded

DOCUMENT = r"""\documentclass[11pt]{article}
\usepackage[margin=2.5cm]{geometry}
\usepackage{amsmath,amssymb,bm,longtable,array,graphicx,xcolor}
\setlength{\emergencystretch}{6em}
\input{verdicts}
\begin{document}
\input{statements}
\input{table}
\appendix
\input{appendix}
\end{document}
"""

MACROS = r"""% Verdicts of run @RUN@. Needs xcolor. Ids are those of the register's statements and of the claims.
\providecommand\tcverdict[1]{\ifcsname tc@v@#1\endcsname\csname tc@v@#1\endcsname\else
  \PackageWarning{theorycheck}{no verdict of #1}not checked\fi}
\providecommand\tcbadge[1]{\ifcsname tc@c@#1\endcsname\begingroup\setlength{\fboxsep}{1.5pt}%
  \fcolorbox{\csname tc@c@#1\endcsname}{white}{\textcolor{\csname tc@c@#1\endcsname}{%
  \sffamily\scriptsize\tcverdict{#1}}}\endgroup\else\tcverdict{#1}\fi}
"""

_COLOURS = {
    "proved": "green!45!black",
    "checked": "green!45!black",
    "supported": "green!45!black",
    "partial": "green!45!black",
    "refuted": "red!65!black",
    "inconclusive": "orange!60!black",
    "error": "violet",
}


TABLE_COLUMNS = r"@{}p{0.5\linewidth}p{0.2\linewidth}p{0.2\linewidth}@{}"
"""Case, measured and claimed value: a case may have many parameters, the numbers are rounded."""


def write(report: Report, folder: Path, items: Sequence[Loaded] | None = None) -> Path:
    """Writes ``latex/`` in a run's folder; returns the file that compiles."""
    known = list(claims_of_report(report, items).values())
    shown = presentations(report, folder, known)
    out = folder / "latex"
    for entry in report.claims:
        write_figures(out, entry.id, shown[entry.id])
    registers = registers_beside(known)
    records = {e.id: e for e in report.claims} | {
        i.id: bare_record(i) for i in known if i.id not in {e.id for e in report.claims}
    }
    found = statuses(registers, records)
    groups = paper_order.by_source(report.claims, registers)
    headline = paper_order.overall(report, registers, found)
    write_text(out / "verdicts.tex", macros(report, found))
    write_text(out / "statements.tex", statement_table(registers, found))
    write_text(out / "table.tex", table(report, groups, headline))
    write_text(out / "appendix.tex", appendix(groups, shown))
    write_text(out / "report.tex", DOCUMENT)
    return out / "report.tex"


def macros(report: Report, found: Mapping[str, StatementStatus]) -> str:
    """Definitions of the verdicts by id of a claim or a statement; a statement wins over a claim of the
    same id, since it is what a paper speaks of."""
    said = {e.id: (standing(e), stands(e)) for e in report.claims}
    said |= {id: (statement_words(s), status_word(s.status)) for id, s in found.items()}
    lines = [MACROS.replace("@RUN@", report.run.id)]
    for id, (words, status) in said.items():
        lines.append(rf"\expandafter\def\csname tc@v@{id}\endcsname{{{tex(words)}}}")
        colour = _COLOURS.get(status, "gray")
        lines.append(rf"\expandafter\def\csname tc@c@{id}\endcsname{{{colour}}}")
    return "\n".join([*lines, ""])


def statement_table(registers: Sequence[Register], found: Mapping[str, StatementStatus]) -> str:
    """One row a statement of each source, in its order: number, title, what is known of it."""
    lines: list[str] = []
    for register in registers:
        lines += [
            rf"\section*{{Statements of {latex_text(register.source.title)}}}",
            rf"\noindent {tex(references.in_full(register.source))}",
            r"\begin{longtable}{@{}>{\raggedright}p{0.24\textwidth}>{\raggedright}p{0.42\textwidth}"
            r">{\raggedright\arraybackslash}p{0.26\textwidth}@{}}",
            r"\hline statement & & verdict \\ \hline \endhead \hline \endfoot",
        ]
        lines += [
            rf"{tex(', '.join(s.labels) or 'unnumbered')} & {latex_text(s.title)} & "
            rf"{tex(statement_words(found[s.id]))} \\"
            for s in register.statements
        ]
        lines += [r"\end{longtable}", ""]
    return "\n".join(lines)


def write_figures(out: Path, claim_id: str, shown: Presentation) -> None:
    """The figures that a claim's paragraph asks for, as PDFs in ``figures/`` of a folder."""
    from theorycheck.reports import figure, panels

    drawn = {}
    if shown.figure is not None:
        drawn[claim_id] = figure.pdf(shown.figure)
    for index, declared in enumerate(shown.declared):
        if declared.panels:
            drawn[f"{claim_id}-{index + 1}"] = panels.pdf(declared.panels)
    for name, data in drawn.items():
        file = out / "figures" / f"{name}.pdf"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)


def table(report: Report, groups: Sequence[SourceGroup], headline: str) -> str:
    """One row a claim, by source in the order of its paper."""
    run = report.run
    lines = [
        rf"\section*{{{tex(headline)}}}",
        rf"Run \texttt{{{_breakable(run.id)}}}, profile {tex(run.profile)}, seed {run.seed}; the "
        "probability that any verdict resting on random samples is false is at most "
        rf"${_scientific(run.alpha)}$. {report.summary.claims} claims, "
        f"{report.summary.as_expected} with the verdict that was expected.",
        r"\begin{longtable}{@{}>{\raggedright}p{0.17\textwidth}>{\raggedright}p{0.35\textwidth}"
        r">{\raggedright}p{0.2\textwidth}>{\raggedright\arraybackslash}p{0.18\textwidth}@{}}",
        r"\hline statement & claim & verdict & sharpness \\ \hline \endhead \hline \endfoot",
    ]
    for group in groups:
        lines.append(
            rf"\multicolumn{{4}}{{@{{}}p{{\textwidth}}@{{}}}}{{\emph{{{latex_text(group.title)}}}}} \\"
        )
        lines += [
            rf"{tex(_labels(e, group))} & {latex_text(e.title)} & {tex(standing(e))} & "
            rf"{tex(sharpness(e))} \\"
            for e in group.entries
        ]
    return "\n".join([*lines, r"\end{longtable}", ""])


def _labels(entry: Entry, group: SourceGroup) -> str:
    """The numbers of the statements that a claim speaks of, as the paper has them."""
    known = {} if group.register is None else group.register.by_id()
    return ", ".join(label for s in entry.states if s in known for label in known[s].labels)


def _scientific(value: float) -> str:
    mantissa, exponent = f"{value:.3e}".split("e")
    digits = f"{float(mantissa):g}"
    times = "" if digits == "1" else rf"{digits} \cdot "
    return f"{times}10^{{{int(exponent)}}}"


def appendix(groups: Sequence[SourceGroup], shown: Mapping[str, Presentation]) -> str:
    """A section a source and a paragraph a claim, with its figure."""
    lines: list[str] = []
    for group in groups:
        lines += [rf"\section{{{latex_text(group.title)}}}", ""]
        for entry in group.entries:
            lines += paragraph(entry, shown[entry.id], _labels(entry, group))
    return "\n".join(lines)


def paragraph(entry: Entry, shown: Presentation, labels: str = "") -> list[str]:
    """What is known of one claim, as LaTeX lines; ``labels``: the numbers of its statements."""
    numbered = f"{tex(labels)}: " if labels else ""
    lines = [rf"\subsection*{{{numbered}{latex_text(entry.title)}}}"]
    if entry.says and (shown.says or not shown.latex):
        lines.append(_breaking(latex_text(entry.says)))
    for formula in shown.latex:
        lines += [
            r"\[",
            rf"\resizebox{{\ifdim\width>\linewidth\linewidth\else\width\fi}}{{!}}"
            rf"{{$\displaystyle {formula}$}}",
            r"\]",
        ]
    if not shown.latex and shown.assertion not in ("", entry.says):
        lines.append(rf"\begin{{quote}}\texttt{{{_breaking(tex(shown.assertion))}}}\end{{quote}}")
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
    if shown.table:
        rows = [" & ".join(tex(rounded(cell)) for cell in row) + r" \\" for row in shown.table]
        lines += [
            r"\begin{center}\small",
            rf"\begin{{tabular}}{{{TABLE_COLUMNS}}}",
            r"case & measured & claimed \\ \hline",
            *rows,
            r"\end{tabular}",
        ]
        lines += [rf"\par {tex(shown.note)}"] if shown.note else []
        lines += [r"\end{center}", ""]
    if shown.figure is not None:
        lines += [
            r"\begin{center}",
            rf"\includegraphics[width=0.62\textwidth]{{figures/{entry.id}}}",
            rf"\par\small {latex_text(entry.title)}. {tex(shown.note)}",
            r"\end{center}",
            "",
        ]
    return lines + _declared_figures(entry, shown)


def _declared_figures(entry: Entry, shown: Presentation) -> list[str]:
    lines: list[str] = []
    for index, declared in enumerate(shown.declared):
        if not declared.panels:
            lines += [tex(f"{declared.name}: {declared.caption}"), ""]
            continue
        place = f" ({declared.at})" if declared.at else ""
        caption = f"{declared.name}{place}. {declared.caption}"
        width = 0.5 if len(declared.panels) == 1 else 0.9
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
    if stands(entry) in ("proved", "checked", "supported"):
        words += f", {RUNG_WORDS[grounds(entry)]}. {resolution_words(entry)}"
    else:
        words += f". {entry.reason}." if entry.reason else "."
    if entry.counterexample:
        words += f" Counterexample: {brief(entry.counterexample)}."
    return tex(words.strip())


def _breaking(text: str) -> str:
    """A typed formula in running text may be broken behind its signs of multiplication and division."""
    return re.sub(r"(?<=\w|\))([*/])(?=[\w(])", r"\1\\allowbreak{}", text)


def _breakable(command: str) -> str:
    """A command may be broken behind a hyphen of a name, and not inside of the two of an option."""
    return re.sub(r"(?<=\w)-(?=\w)", r"-\\allowbreak{}", tex(command)).replace("--", "-{}-")
