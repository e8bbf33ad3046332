"""Maps, errata and coverage tables."""

from __future__ import annotations

import dataclasses
import json
from xml.etree import ElementTree as ET

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from small_entries import edited

from theorycheck.claims.clauses import Clause, parse_prefix
from theorycheck.entries.parts import ClauseEntry, Payment
from theorycheck.library.selecting import select
from theorycheck.reports import errata, graph
from theorycheck.reports.latest_coverage import latest_records, registers_beside
from theorycheck.sources.coverage import theory_graph
from theorycheck.sources.register import register_from_table
from theorycheck.sources.standing import ClauseStatus, statuses

SVG = "{http://www.w3.org/2000/svg}"


def register(uses):
    """A register of statements s0.. where each rests on the given earlier ones."""
    rows = [
        {"id": f"s{i}", "labels": [f"Lemma {i}"], "title": f"Statement number {i}", "role": "main",
         "kind": "identity", "one_line": "x", "uses": [f"s{u}" for u in below]}
        for i, below in enumerate(uses)
    ]  # fmt: skip
    citation = {"type": "misc", "key": "k", "author": "A", "title": "T", "year": "2024"}
    source = {"name": "toy", "title": "Toy", "authors": ["A"], "edition": "e", "text": "t",
              "citation": [citation]}  # fmt: skip
    return register_from_table({"source": source, "statement": rows})


@st.composite
def dags(draw):
    n = draw(st.integers(1, 24))
    return [
        draw(st.lists(st.integers(0, i - 1), max_size=3, unique=True)) if i else []
        for i in range(n)
    ]


@given(dags())
def test_every_statement_stands_above_what_it_rests_on(uses):
    r = register(uses)
    drawn = theory_graph(r, statuses([r], {}))
    rows = graph.layers(drawn)
    level = {id: i for i, row in enumerate(rows) for id in row}
    assert sorted(level) == sorted(n.id for n in drawn.nodes)
    assert all(level[e.premise] < level[e.conclusion] for e in drawn.edges)


@given(dags())
def test_boxes_do_not_overlap_and_lie_in_the_picture(uses):
    r = register(uses)
    found = statuses([r], {})
    root = ET.fromstring(graph.svg(theory_graph(r, found), found, {}))
    width, height = map(float, root.get("viewBox").split()[2:])
    boxes = [
        tuple(float(b.get(k)) for k in ("x", "y", "width", "height"))
        for b in root.iter(f"{SVG}rect")
    ]
    assert len(boxes) == len(uses)
    for x, y, w, h in boxes:
        assert x >= 0
        assert y >= 0
        assert x + w <= width
        assert y + h <= height
    for i, (x, y, w, h) in enumerate(boxes):
        for a, b, c, d in boxes[:i]:
            assert x >= a + c or a >= x + w or y >= b + d or b >= y + h
    assert len(list(root.iter(f"{SVG}path"))) == sum(map(len, uses))


def test_texts_of_the_map_are_escaped():
    r = register([[]])
    found = statuses([r], {})
    drawn = theory_graph(r, found)
    odd = type(drawn)(
        "<toy>", tuple(type(n)(**{**vars(n), "title": "a < b & c"}) for n in drawn.nodes), ()
    )
    root = ET.fromstring(graph.svg(odd, found, {"s0": '#"x"'}))
    assert root.find(f"{SVG}a").get("href") == '#"x"'
    assert "a < b & c" in root.find(f".//{SVG}title").text


def test_a_box_tells_its_clauses_and_what_paid_for_their_names():
    r = register([[]])
    found = statuses([r], {})
    prefix = parse_prefix(["forall k in integers >= 1"])
    clause = Clause("s0", "rate", "says", "tex", prefix, "b", "order", "holds", True, lines="1")
    paid = Payment(name="k", by="points", detail="k: 2 to 9, 3 points")
    entry = ClauseEntry(id=clause.key, status="checked", payments=(paid,))
    known = ClauseStatus(clause, "checked", entry=entry)
    told = {"s0": dataclasses.replace(found["s0"], clauses=(known,))}
    root = ET.fromstring(graph.svg(theory_graph(r, found), told, {}))
    first, *rest = root.find(f".//{SVG}title").text.split("\n")
    assert "Statement number 0" in first
    assert rest == [
        "rate: checked at 3 points",
        "  for all k in integers >= 1: points, k: 2 to 9, 3 points",
    ]


def test_a_statement_without_a_number_is_not_called_by_its_key():
    r = register([[]])
    found = statuses([r], {})
    drawn = theory_graph(r, found)
    bare = replace_label(drawn, "")
    root = ET.fromstring(graph.svg(bare, found, {}))
    labels = [t.text for t in root.iter(f"{SVG}text") if t.get("class") == "label"]
    assert labels == ["unnumbered"]
    assert graph.describe(bare.nodes[0], found["s0"]).startswith("unnumbered: Statement number 0")


def replace_label(drawn, label):
    nodes = tuple(dataclasses.replace(n, label=label) for n in drawn.nodes)
    return dataclasses.replace(drawn, nodes=nodes)


@pytest.fixture(scope="module")
def toy(done):
    items = select([str(done.folder.parent.parent / "library")])
    records = {e.id: e for e in done.report.claims}
    return registers_beside(items), records


def test_errata_list_what_is_wrong_and_nothing_else(toy):
    (section,) = errata.sections(*toy)
    (entry,) = section.entries
    assert entry.id == "toy-power-sum"
    assert entry.engine == "confirmed"
    assert section.statements == 6
    json.dumps(msgspec.to_builtins(section))


def test_errata_say_what_survives_first(toy):
    (section,) = errata.sections(*toy)
    said = section.entries[0].survives
    assert said[0].startswith("The corrected statement (Sum of squares, corrected) is checked at")
    assert any("Theorem 3" in s and "survives with the correction" in s for s in said)
    assert "Corollary 4 rests on it, and is open." in said
    text = errata.markdown([section])
    assert text.index("**What survives.**") < text.index("**As printed**")
    assert text.index("**As printed**") < text.index("**What is wrong.**")
    assert "n=1: measured 1, claimed 1/3" in text
    assert "theorycheck run toy-power-sum" in text
    assert "machine-read" in text


def test_a_correction_that_is_not_checked_is_not_said_to_survive(toy):
    registers, records = toy
    for verdict in ("fail", "inconclusive", "error", "not run"):
        changed = replace(records["toy-power-sum-corrected"], verdict=verdict, rung="certified")
        (section,) = errata.sections(registers, {**records, "toy-power-sum-corrected": changed})
        said = " ".join(section.entries[0].survives)
        assert "The corrected statement" not in said


def test_an_unrun_library_says_that_no_check_has_decided(toy):
    registers, records = toy
    bare = {k: replace(r, verdict="not run") for k, r in records.items()}
    (section,) = errata.sections(registers, bare)
    assert section.entries[0].engine == "not judged"
    assert "no check made here has decided it yet" in errata.markdown([section])
    assert "not run yet" in errata.markdown([section])


def test_what_a_run_decided_comes_first_and_alone_unless_asked(toy):
    registers, records = toy
    graded = [
        replace_statement(s, grade="misprint", note="a sign") if s.id == "toy-sum" else s
        for s in registers[0].statements
    ]
    (section,) = errata.sections(
        [dataclasses.replace(registers[0], statements=tuple(graded))], records
    )
    assert [(e.id, e.decided) for e in section.entries] == [
        ("toy-power-sum", True),
        ("toy-sum", False),
    ]
    (kept,) = errata.only_decided([section])
    assert [e.id for e in kept.entries] == ["toy-power-sum"] and kept.noted == 1
    assert "1 more noted by a reader only: `--unconfirmed`" in errata.markdown([kept])


def replace_statement(statement, **changes):
    return dataclasses.replace(statement, **changes)


def test_an_entry_of_a_machine_read_text_says_so_until_it_is_compared(toy):
    registers, records = toy
    (section,) = errata.sections(registers, records)
    assert "(false as stated, as transcribed)" in errata.heading(section.entries[0])
    compared = [dataclasses.replace(s, compared="arXiv v2") for s in registers[0].statements]
    source = dataclasses.replace(registers[0], statements=tuple(compared))
    (section,) = errata.sections([source], records)
    assert "transcribed" not in errata.heading(section.entries[0])
    left_out = [
        dataclasses.replace(s, grade=s.grade and "underspecified") for s in registers[0].statements
    ]
    source = dataclasses.replace(registers[0], statements=tuple(left_out))
    assert not errata.sections([source], records)[0].entries[0].transcribed


def test_the_overview_says_how_many_statements_are_open(toy):
    registers, records = toy
    bare = {k: replace(r, verdict="not run", clauses=()) for k, r in records.items()}
    (section,) = errata.sections(registers, bare)
    assert section.open == section.statements - 1  # one is out of reach
    assert f"{section.open} " in errata.reading_note(section) and "open" in errata.reading_note(
        section
    )


def test_nothing_wrong_is_said_too():
    assert "Nothing that is wrong as printed is known." in errata.markdown([])


def test_latest_records_take_the_newest_verdict_at_the_present_content(done):
    items = select([str(done.folder.parent.parent / "library")])
    records = latest_records(items, done.folder.parent)
    assert records["toy-power-sum"].verdict == "fail"
    assert records["toy-power-sum"].content


def test_verdicts_of_other_content_do_not_count(done):
    import dataclasses

    items = [
        dataclasses.replace(i, content="edited since")
        for i in select([str(done.folder.parent.parent / "library")])
    ]
    records = latest_records(items, done.folder.parent)
    assert {r.verdict for r in records.values()} == {"not run"}


def test_a_run_that_skipped_a_claim_says_nothing_of_it(done, tmp_path):
    from theorycheck.record.files import write_report

    items = select([str(done.folder.parent.parent / "library")])
    for name, verdict in (("20240101-000000-a", "pass"), ("20240102-000000-b", "skipped")):
        judged = {"verdict": verdict, "rung": "certified"}
        report = edited(done.report, lambda e, judged=judged: judged)
        write_report(tmp_path / name / "report.json", report)
    assert {r.verdict for r in latest_records(items, tmp_path).values()} == {"pass"}


@given(dags())
def test_edges_go_between_the_boxes(uses):
    """Upright stretches of an edge lie in no box's inside."""
    import re

    r = register(uses)
    found = statuses([r], {})
    root = ET.fromstring(graph.svg(theory_graph(r, found), found, {}))
    boxes = [(int(b.get("x")), int(b.get("y"))) for b in root.iter(f"{SVG}rect")]
    for path in root.iter(f"{SVG}path"):
        for x, _, v in re.findall(r" (\d+) (\d+)V(\d+)", path.get("d")):
            for bx, by in boxes:
                assert not (bx < int(x) < bx + graph.BOX_WIDTH and by == int(v))


def test_a_footing_is_not_taken_for_a_status(done):
    """A verified statement whose footing is open keeps its colour."""
    page = (done.folder / "report.html").read_text(encoding="utf-8")
    assert 'class="node verified on-open"' in page
    assert 'class="node verified open"' not in page


@pytest.mark.parametrize(
    ("footing", "mark"),
    [
        ("sound", ""),
        ("unaffected", "unaffected"),
        ("with correction", "survives"),
        ("open", "open"),
    ],
)
def test_each_state_above_something_wrong_has_its_own_mark(footing, mark):
    drawn = graph._mark(footing, 10, 10)
    assert (f'class="footing {mark}"' in drawn) if mark else drawn == ""


def test_a_corrected_claim_that_has_not_run_shows_no_form(toy):
    registers, records = toy
    bare = {k: replace(r, closed_form=None, verdict="not run") for k, r in records.items()}
    text = errata.markdown(errata.sections(registers, bare))
    assert "not run yet" in text and "None" not in text
