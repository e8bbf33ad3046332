r"""Mathematics on the site: ``$...$`` and ``$$...$$`` of a page become MathML when the site is built, as in
reports, with the font that comes with them. Nothing is fetched and no script runs.

MkDocs calls `on_page_markdown` before and `on_page_content` after Markdown, which would read ``_`` and ``*``
of a formula as emphasis: between the two a formula is a word. Code keeps its dollars.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from theorycheck.reports.mathematics import font_face, mathml

_CODE_OR_FORMULA = re.compile(
    r"^```.*?^```|^    [^\n]*$|(?P<ticks>`+)[^`].*?(?P=ticks)"
    r"|\$\$(?P<block>.+?)\$\$|(?<![\\$\w])\$(?=\S)(?P<inline>[^$\n]*?\S)\$(?![\d$])",
    re.DOTALL | re.MULTILINE,
)
_LOOK = 'math{font-family:"Theorycheck Math",math;font-size:1.1em}'
_formulas: list[str] = []


def on_page_markdown(markdown: str, **_: Any) -> str:
    """The page with a word in the place of each formula. Raises MathematicsError for one that cannot be set."""
    _formulas.clear()
    return _CODE_OR_FORMULA.sub(_stashed, markdown)


def _stashed(found: re.Match[str]) -> str:
    latex = found["block"] or found["inline"]
    if latex is None:
        return found[0]
    _formulas.append(mathml(" ".join(latex.split()), block=found["block"] is not None))
    return f"xFORMULAx{len(_formulas) - 1}x"


def on_page_content(html: str, **_: Any) -> str:
    """The page with its formulas, and with the font if it has any."""
    if not _formulas:
        return html
    return f"<style>{font_face()}{_LOOK}</style>\n" + re.sub(
        r"xFORMULAx(\d+)x", lambda m: _formulas[int(m[1])], html
    )


_REACHED = re.compile(r"<(pre|table)(?=[ >])")


def on_post_page(output: str, **_: Any) -> str:
    """Code and tables that may scroll are reached by the keyboard; the footer is a landmark."""
    output = _REACHED.sub(r'<\1 tabindex="0"', output).replace('<div role="contentinfo">', "<div>")
    return output.replace("<footer>", '<footer role="contentinfo">').replace(
        '<div class="rst-versions" role="note"', '<div class="rst-versions" role="navigation"'
    )


def on_post_build(config: Any, **_: Any) -> None:
    """The search plugin's index as a script, which a page that was opened as a file may load."""
    folder = Path(config["site_dir"]) / "search"
    index = (folder / "search_index.json").read_text(encoding="utf-8")
    (folder / "index.js").write_text(f"window.searchIndex = {index};\n", encoding="utf-8")
    for unused in ("search_index.json", "worker.js"):
        (folder / unused).unlink()
