"""report.html as text: whole, escaped, linked, self-contained. (A browser looks at it elsewhere.)"""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import grimp
import pytest
import small_entries
from msgspec.structs import replace
from small_entries import edited

from theorycheck.entries.report import Report
from theorycheck.evidence.store import default_path
from theorycheck.library.selecting import select
from theorycheck.record import runs
from theorycheck.reports import present, words
from theorycheck.reports.formats import html

VOID = {"meta", "link", "br", "input", "rect", "path", "circle", "use", "col", "img", "hr"}


class Parsed(HTMLParser):
    """Ids, links, tags that do not close, and the text of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.outside: list[str] = []
        self.open: list[str] = []
        self.bad: list[str] = []
        self.words: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if "id" in given:
            self.ids.append(given["id"])
        if tag == "a":
            self.links.append(given["href"])
        for name in ("src", "href", "action"):
            value = given.get(name) or ""
            if not value.startswith(("#", "?", "data:", "")) or value.startswith(("http", "//")):
                self.outside.append(value)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        if not self.open or self.open[-1] != tag:
            self.bad.append(tag)
        else:
            self.open.pop()

    def handle_data(self, data):
        self.words.append(data)


@pytest.fixture(scope="module")
def page(done):
    return (done.folder / "report.html").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def parsed(page):
    return Parsed(page)


def test_tags_close(parsed):
    assert parsed.bad == []
    assert parsed.open == []


def test_ids_are_unique_and_every_inner_link_leads_somewhere(parsed):
    assert len(parsed.ids) == len(set(parsed.ids))
    inner = {link[1:] for link in parsed.links if link.startswith("#")}
    assert inner <= set(parsed.ids)


def test_needs_no_network(page, parsed):
    assert parsed.outside == []
    links = set(re.findall(r"https?://[^\s\"'<)]+", page))
    assert all("www.w3.org" in link for link in links)
    assert "@import" not in page
    assert "fetch(" not in page


def test_every_claim_has_its_deep_link_and_its_statement(done, parsed):
    text = " ".join(parsed.words)
    for entry in done.report.claims:
        assert entry.id in parsed.ids
        assert entry.title in text
        assert entry.reproduce in text


def test_text_of_sources_is_escaped(page, parsed):
    assert "<of>" not in page
    assert "Sums and means <of> small things" in " ".join(parsed.words)


def test_formulas_are_mathml_with_text_beside(page):
    assert page.count("<math ") >= 5
    assert "<mfrac>" in page
    assert 'alttext="measured = n**3/3"' in page


def test_colours_follow_the_verdict_not_the_expectation(page):
    """The statement that is false as printed was expected to fail, and is red all the same."""
    article = re.search(r'<article class="([^"]*)" id="toy-power-sum"', page)
    assert "refuted" in article[1]
    article = re.search(r'<article class="([^"]*)" id="toy-broken"', page)
    assert "error" in article[1]


def test_counterexample_rivals_and_mutants_are_there(parsed):
    text = re.sub(r"\s+", " ", " ".join(parsed.words))
    assert "Counterexample" in text
    assert "of 52 refuted by the same evidence" in text
    assert "a third" in text
    assert "n=1: measured 3 , claimed 1" in text


def test_what_is_not_as_expected_is_said_first(parsed):
    text = re.sub(r"\s+", " ", " ".join(parsed.words))
    assert text.index("Not as expected") < text.index("Sources")
    assert "the claim's own code" in text


def test_what_fails_stands_beside_what_survives(page, parsed):
    text = re.sub(r"\s+", " ", " ".join(parsed.words))
    assert "1 statement fails as printed, and a corrected form of it holds" in text
    failing = re.search(r'<article class="[^"]*" id="toy-power-sum".*?</article>', page, re.DOTALL)[
        0
    ]
    assert "What survives" in failing and 'href="#toy-power-sum-corrected"' in failing
    mended = re.search(r'<article[^>]* id="toy-power-sum-corrected".*?</article>', page, re.DOTALL)[
        0
    ]
    assert 'Corrects <a href="#toy-power-sum">' in mended
    assert page.index(' id="toy-power-sum"') < page.index(' id="toy-power-sum-corrected"')


def test_claims_stand_under_their_source_with_authors_and_edition(page):
    heading = page.index('id="source--toy"')
    assert heading < page.index(' id="toy-sum"')
    assert "A. Author, B. Author. Read: first edition." in page


def test_the_key_stands_at_the_top_and_the_font_in_the_page(page):
    top = page[: page.index('id="claims"')]
    for word, meaning in words.STANDING_WORDS.items():
        if word in ("proved", "checked", "supported", "refuted"):
            assert f'<span class="word">{word}</span>' in top and meaning in top
    assert page.count("@font-face") == 1 and "Theorycheck Math" in page


def test_a_long_value_is_rounded_and_opens_to_the_whole():
    ball = "[0.1250000000000000000000000000 +/- 3e-30]"
    made = str(html.number(ball))
    assert "<summary><code>0.125</code></summary>" in made and ball.replace("+", "+") in made
    assert str(html.number("1/3")) == "<code>1/3</code>"
    assert "<b>" not in str(html.number("<b>"))


def test_map_has_a_box_a_statement_and_says_what_stands(page):
    assert page.count('class="node ') == 6
    assert "survives with the correction" in page
    assert "rests on something wrong; open" in page
    assert 'class="edge wrong corrected"' in page


def test_the_map_s_data_hold_every_statement_and_edge(page):
    data = json.loads(re.search(r'class="mapdata">(.*?)</script>', page, re.DOTALL)[1])
    assert set(data["nodes"]) == {"toy-sum", "toy-power-sum", "toy-mean", "toy-bound", "toy-descent",
                                  "toy-open"}  # fmt: skip
    assert {
        "premise": "toy-power-sum",
        "conclusion": "toy-mean",
        "form": "corrected",
        "wrong": True,
    } in data["edges"]
    for id in data["nodes"]:
        assert page.count(f'data-id="{id}"') == 1 and f'id="note--{id}"' in page
        assert f'data-focus="{id}"' in page


def test_text_of_a_register_cannot_leave_the_map_s_data():
    made = html.environment().from_string("{{ d|tojson }}").render(d={"t": "</script><b>"})
    assert "</script>" not in made


def test_errata_come_with_edition_and_what_survives(parsed):
    text = re.sub(r"\s+", " ", " ".join(parsed.words))
    assert "Read: first edition. Text: machine-read" in text
    assert "The corrected statement (Sum of squares, corrected) is checked at" in text
    assert text.index("What survives.") < text.index("What is wrong.")


def test_a_second_rendering_draws_nothing(done, page, monkeypatch):
    def refuse(*args, **kwargs):
        raise AssertionError("drawn again")

    monkeypatch.setattr("theorycheck.reports.present.present", refuse)
    items = select([str(done.folder.parent.parent / "library")])
    assert html.render(runs.read_report(done.folder), done.folder, items) == page


def test_a_damaged_memory_is_drawn_again(done, page):
    for suffix in ("", "-wal", "-shm"):
        default_path().with_name(default_path().name + suffix).write_bytes(b"no database" * 100)
    items = select([str(done.folder.parent.parent / "library")])
    assert html.render(runs.read_report(done.folder), done.folder, items) == page


def test_presentations_depend_on_every_room_that_they_are_made_in():
    graph = grimp.build_graph("theorycheck")
    makers = {"theorycheck.reports.present"}
    makers |= graph.find_upstream_modules("theorycheck.reports.present")
    assert {m.split(".")[1] for m in makers if "." in m} <= set(present.DRAWN_BY)


def test_a_presentation_of_other_rooms_is_drawn_again(done, page, monkeypatch):
    items = select([str(done.folder.parent.parent / "library")])
    drawn = []
    draw = present.present
    monkeypatch.setattr(
        present, "present", lambda c, *a, **k: drawn.append(c.id) or draw(c, *a, **k)
    )
    monkeypatch.setattr(present, "engine_digest", lambda rooms: "edited")
    assert html.render(runs.read_report(done.folder), done.folder, items) == page
    assert "toy-sum" in drawn


def test_what_cannot_be_drawn_is_said_and_costs_only_its_own_figure(done, monkeypatch, tmp_path):
    from theorycheck.reports import curve

    draw = curve.figure_data

    def breaks(claim, *args, **kwargs):
        if claim.id == "toy-sum":
            raise ArithmeticError("no such curve")
        return draw(claim, *args, **kwargs)

    monkeypatch.setenv("THEORYCHECK_STORE", str(tmp_path / "store.sqlite"))
    monkeypatch.setattr(curve, "figure_data", breaks)
    items = select([str(done.folder.parent.parent / "library")])
    rendered = html.render(done.report, done.folder, items)
    assert "It cannot be shown in full: ArithmeticError: no such curve" in rendered
    assert rendered.count('class="figure"') == 4


def test_a_claim_that_is_gone_is_said_to_be(done):
    items = [
        i for i in select([str(done.folder.parent.parent / "library")]) if i.claim.id == "toy-sum"
    ]
    report = edited(done.report, lambda e: {"source": "draft"})
    rendered = html.render(report, done.folder, items)
    assert "is not in the library any more" in rendered
    assert rendered.count('class="figure"') == 1


def test_a_changed_claim_shows_no_figure_of_old_data(done):
    items = select([str(done.folder.parent.parent / "library")])
    report = edited(done.report, lambda e: {"content": "other"})
    rendered = html.render(report, done.folder, items)
    assert "has changed since this run" in rendered
    assert 'class="figure"' not in rendered


def test_a_report_of_nothing_still_renders(done, tmp_path):
    empty = Report.of(done.report.run, [])
    parsed = Parsed(html.render(empty, tmp_path, []))
    assert parsed.bad == []
    assert "0 claims" in " ".join(parsed.words)


def test_an_unfinished_entry_renders(done, tmp_path):
    """Entries of skipped claims have neither rung nor legs."""
    skipped = small_entries.entry(verdict="skipped", reason="skipped: no GPU")
    assert "no GPU" in html.render(Report.of(done.report.run, [skipped]), tmp_path, [])


def test_the_last_run_is_compared_with(done, tmp_path):
    from shutil import copytree

    copytree(done.folder, tmp_path / "20230101-000000-smoke-0001")
    copytree(done.folder, tmp_path / "20240101-000000-smoke-0001")
    better = {"verdict": "pass", "rung": "certified"}
    before = edited(
        runs.read_report(tmp_path / "20230101-000000-smoke-0001"),
        lambda e: better if e.id == "toy-broken" else {},
    )
    head = replace(before.run, started="2023-01-01T00:00:00+00:00", id="20230101-000000-smoke-0001")
    from theorycheck.record.files import write_report

    write_report(tmp_path / "20230101-000000-smoke-0001" / "report.json", replace(before, run=head))
    items = select([str(done.folder.parent.parent / "library")])
    rendered = html.render(done.report, tmp_path / "20240101-000000-smoke-0001", items)
    assert "Since 20230101-000000-smoke-0001" in rendered
    assert re.search(r"worse</strong> <a href=\"#toy-broken\">", rendered)


def entry(id, verdict="pass", resolution=None, tau=None, kind="relative", rung="certified"):
    return small_entries.entry(
        id,
        title=id,
        verdict=verdict,
        rung=rung,
        resolution=None if resolution is None else {"kind": "relative", "value": resolution},
        tightness=None if tau is None else {"kind": kind, "value": tau},
    )


def test_the_least_sharp_are_those_worth_doubting():
    from theorycheck.reports import doubtful

    entries = [entry("exact", resolution=0.0), entry("balls", resolution=1e-30),
               entry("blunt", resolution=0.05), entry("blunter", resolution=0.1),
               entry("failed", "fail", resolution=0.5), entry("attained", tau=1.0),
               entry("loose", tau=0.01), entry("unseen", tau=0.0), entry("no bound", tau=None),
               entry("absolute", tau=0.3, kind="absolute"), entry("proof", tau=0.0, rung="proved")]  # fmt: skip
    assert [e.id for e in doubtful.least_sharp(entries)] == ["blunter", "blunt"]
    assert [e.id for e in doubtful.loosest(entries)] == ["unseen", "loose"]
