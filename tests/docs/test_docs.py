"""The site of the documentation builds without a warning, asks no other server for anything, and its generated
parts are current."""

import importlib.util
import itertools
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.fixture(scope="module")
def generate():
    """The script that fills in the generated parts, as a module."""
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The built site; a warning is an error."""
    folder = tmp_path_factory.mktemp("site")
    build = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    done = subprocess.run(build, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def hooks():
    """What sets the mathematics of the site, as a module."""
    spec = importlib.util.spec_from_file_location("hooks", ROOT / "docs" / "hooks.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_page_is_in_the_site_and_none_asks_another_server(site):
    pages = {p.relative_to(ROOT / "docs").with_suffix("") for p in PAGES[1:]}
    for page in pages:
        text = site.joinpath(f"{page}.html").read_text(encoding="utf-8")
        assert not re.search(r"<(?:script|img|link)[^>]*(?:src|href)=.https?://", text), page
    assert not list(site.rglob("*.py"))


def test_mathematics_is_set_and_code_keeps_its_dollars(hooks):
    text = "Of $a_1^2$ and $b_2$:\n\n$$x\n\\le y$$\n\n`$c$`\n\n```\n$ theorycheck $d$\n```\n\nfor $ 5 or 6 $"
    words = hooks.on_page_markdown(text)
    assert "`$c$`" in words and "$ theorycheck $d$" in words and "for $ 5 or 6 $" in words
    assert words.count("xFORMULAx") == 3
    page = hooks.on_page_content(words)
    assert page.count("<math") == 3 and page.count('display="block"') == 1
    assert "@font-face" in page and "xFORMULAx" not in page
    assert hooks.on_page_content(hooks.on_page_markdown("none")) == "none"


def test_a_formula_that_cannot_be_set_stops_the_build(hooks):
    with pytest.raises(ValueError, match="def"):
        hooks.on_page_markdown(r"so $\def x$")


def test_the_site_shows_formulas_and_no_dollars(site):
    for page in ("explanation", "tutorial"):
        text = (site / f"{page}.html").read_text(encoding="utf-8")
        assert "<math" in text
        prose = re.sub(r"(?s)<(pre|code|style|math)\b.*?</\1>", "", text)
        assert "$" not in prose.partition('role="main"')[2]


def test_search_knows_the_words_of_every_page(site):
    script = (site / "search" / "index.js").read_text(encoding="utf-8")
    index = json.loads(script.removeprefix("window.searchIndex = ").removesuffix(";\n"))
    found = {entry["location"].partition("#")[0] for entry in index["docs"]}
    assert found == {
        p.relative_to(ROOT / "docs").with_suffix(".html").as_posix() for p in PAGES[1:]
    }
    assert not any("FORMULA" in entry["text"] for entry in index["docs"])
    words = re.split(
        index["config"]["separator"], "recorded_samples and examples/coupon_collector.py"
    )
    assert {"recorded", "samples", "coupon", "collector"} <= set(words)


def test_every_relation_has_its_page(site):
    import theorycheck

    text = "".join(p.read_text() for p in (ROOT / "docs" / "relations").glob("*.md"))
    for name in theorycheck._HOMES["theorycheck.relations"].split():
        assert re.search(rf"^`{name}\(.*\)`|and `{name}\(\)`", text, re.MULTILINE), name


def test_generated_parts_are_current(generate):
    stale = [p.name for p, text in generate.pages().items() if p.read_text("utf-8") != text]
    assert not stale, "run `python docs/generate.py`"


def test_the_sources_page_counts_as_coverage_does(generate):
    """The rows of the table add up, and every statement of every register is listed once."""
    lines = generate.sources().splitlines()
    table = [line.split("|")[2:-1] for line in lines[2:] if line.count("|") == 12]
    counts = [[int(cell) for cell in row] for row in table]
    assert all(row[0] == sum(row[1:]) for row in counts)
    assert [sum(column) for column in zip(*counts[:-1], strict=True)] == counts[-1]
    listed = sum(line.startswith("| ") and line.count(" | ") == 2 for line in lines)
    assert listed - len(counts) + 1 == counts[-1][0]


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("as n**(-1/4) and n**2", r"as n\*\*(-1/4) and n\*\*2"),
        ("``n**2 * log(n)`` and a * b", r"``n**2 * log(n)`` and a \* b"),
        ("*fail*: here", "*fail*: here"),
        ("Let it be:\n- one\n- two", "Let it be:\n\n- one\n- two"),
        ("- one\n- two", "- one\n- two"),
        ("So::\n\n    a = 1\n\n    b = 2\n\nand", "So:\n\n```toml\na = 1\n\nb = 2\n```\n\nand"),
        ("So::\n\n    f(x)", "So:\n\n```python\nf(x)\n```"),
        ("== ==\na  b|c\n   d\n== ==", "| name | what it is |\n|---|---|\n| a | b\\|c d |"),
        ("So\n\n    R = a^{b}\n\nholds.", "So\n\n$$R = a^{b}$$\n\nholds."),
    ],
)
def test_docstrings_become_markdown(generate, text, made):
    assert generate.markdown(text) == made


REFERENCE = sorted((ROOT / "docs" / "reference").glob("*.md"))
NOT_DOCUMENTED_THERE = {
    # relations have a page each, namespaces are one page, and errors are named where they are raised
    "BallNamespace", "FloatNamespace", "RationalNamespace", "select", "to_host", "between", "Claim",
    "ClaimError", "DomainError", "Leg", "UserError", "rival_of", "rivals_of", "sharpened", "exactly",
    "nowhere", "reaching",
}  # fmt: skip


def test_every_public_name_is_in_the_reference():
    import theorycheck

    text = "".join(p.read_text(encoding="utf-8") for p in REFERENCE)
    relations = set(theorycheck._HOMES["theorycheck.relations"].split())
    named = {n for n in theorycheck.__all__ if re.search(rf"(?m)^### {n}$", text)}
    assert set(theorycheck.__all__) - named - relations == NOT_DOCUMENTED_THERE


def test_every_option_of_a_leg_and_every_draw_is_in_the_reference():
    import inspect

    from theorycheck import leg
    from theorycheck.arrays.streams import Stream

    claims = (ROOT / "docs" / "reference" / "claims.md").read_text(encoding="utf-8")
    section = claims.partition("### leg\n")[2].partition("\n### ")[0]
    options = [n for n in inspect.signature(leg).parameters if n not in ("name", "simulation")]
    said = section.partition("\n\n")[2].partition("\n\n")[2]  # below the signature
    assert [n for n in options if n != "pays" and not re.search(rf"``{n}\b", said)] == []
    draws = (ROOT / "docs" / "reference" / "rng.md").read_text(encoding="utf-8")
    public = [n for n, f in vars(Stream).items() if inspect.isfunction(f) and n[0] != "_"]
    assert [n for n in public if f"#### {n}\n" not in draws] == []


def test_looks_are_those_of_the_engine():
    from theorycheck.plan.settings import LOOKS

    page = (ROOT / "docs" / "reference" / "statistics.md").read_text(encoding="utf-8")
    for profile, look in LOOKS.items():
        row = next(
            line for line in page.splitlines() if line.startswith("| ") and f"`{profile}`" in line
        )
        assert f"{look.samples:,}" in row and f"1/{round(1 / look.target)}" in row


def test_a_public_name_without_a_docstring_is_refused(generate, tmp_path, monkeypatch):
    (tmp_path / "bare_names.py").write_text("def bare(): ...\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ValueError, match="bare_names:bare has no docstring"):
        generate.part("api bare_names:bare")
    (tmp_path / "bare_class.py").write_text("class Bare:\n    def bare(self): ...\n")
    with pytest.raises(ValueError, match=r"bare_class:Bare\.bare has no docstring"):
        generate.part("functions bare_class:Bare")


def test_an_unknown_marker_is_refused(generate):
    with pytest.raises(ValueError, match="no generated part"):
        generate.part("poetry")


def test_every_tag_of_the_site_is_one_of_html(site):
    """What is written as <w, x> in a title is no tag; headings skip no level."""
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        body = re.sub(r"(?s)<(script|style)\b.*?</\1>", "", text)
        assert not re.findall(r"<[a-z]\w*,", body), page.name
        levels = [int(n) for n in re.findall(r"<h([1-6])[ >]", body.partition('role="main"')[2])]
        assert all(b <= a + 1 for a, b in itertools.pairwise(levels)), page.name


def test_what_scrolls_is_reached_by_the_keyboard(site):
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert not re.search(r"<(?:pre|table)(?! tabindex)[ >]", text), page.name
