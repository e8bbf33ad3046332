"""Figures: the right kind, values that are the claim's and the observations', no colour that stays."""

from __future__ import annotations

import json
from xml.etree import ElementTree as ET

import pytest

from theorycheck import record
from theorycheck.reports import curve, figure
from theorycheck.reports.formats.latex import figure_of
from theorycheck.run import select

ALPHA = 1e-6


@pytest.fixture(scope="module")
def drawn(done):
    """Figure data of every claim of the run, by id."""
    claims = {i.claim.id: i.claim for i in select([str(done.folder.parent.parent / "library")])}
    entries = {e["id"]: e for e in done.report["claims"]}
    found = {}
    for id, claim in claims.items():
        seen = record.read_observations(done.folder / "observations", id)
        found[id] = curve.figure_data(
            claim, seen, profile="smoke", alpha=ALPHA,
            counterexample=entries[id]["counterexample"],
        )  # fmt: skip
    return found


def test_kinds(drawn):
    assert drawn["toy-sum"].kind == "curve"
    assert drawn["toy-descent"].kind == "pairs"
    assert drawn["toy-broken"] is None


def test_a_curve_is_the_closed_form(drawn):
    closed = drawn["toy-sum"].curves[0]
    assert closed.y == [n * (n + 1) / 2 for n in closed.x]
    assert set(closed.x) <= set(range(1, 22))
    assert {1, 2, 3, 5, 8, 13, 21} <= set(closed.x)


def test_points_are_the_measurements(drawn):
    points = drawn["toy-power-sum"].points[0]
    assert points.x == [1, 2, 3, 5, 8, 13, 21]
    assert points.low == points.high == [sum(i * i for i in range(int(n) + 1)) for n in points.x]


def test_rivals_are_the_curves_they_would_have_been(drawn):
    rival = drawn["toy-power-sum-corrected"].rivals[0]
    assert rival.name == "leading term"
    assert rival.y == pytest.approx([n**3 / 3 for n in rival.x])


def test_a_rival_with_a_program_of_its_own_is_drawn_as_measured(drawn):
    (rival,) = drawn["toy-sum"].rival_points
    assert rival.name == "one more term"
    assert rival.low == [sum(range(int(n) + 2)) for n in rival.x]


def test_sampled_points_have_intervals_that_hold_the_mean(drawn):
    points = drawn["toy-mean"].points[0]
    for q, low, high in zip(points.x, points.low, points.high, strict=True):
        assert low < high
        assert low <= q / 2 <= high


def test_intervals_are_those_of_the_run_s_level(done):
    """At a looser level the same observations give narrower intervals."""
    (item,) = [i for i in select([str(done.folder.parent.parent / "library")])
               if i.claim.id == "toy-mean"]  # fmt: skip
    seen = record.read_observations(done.folder / "observations", "toy-mean")
    strict, loose = (
        curve.figure_data(item.claim, seen, profile="smoke", alpha=a) for a in (1e-6, 0.5)
    )
    for i in range(4):
        wide = strict.points[0].high[i] - strict.points[0].low[i]
        assert loose.points[0].high[i] - loose.points[0].low[i] < wide


def test_other_parameters_are_series(drawn):
    data = drawn["toy-bound"]
    assert [c.name for c in data.curves] == ["m = 1", "m = 2", "m = 3"]
    assert data.x_label == "n"
    assert "m = 2" in data.note


def test_a_power_law_gets_log_axes_and_a_straight_line_does_not(drawn):
    assert drawn["toy-power-sum-corrected"].log_x
    assert drawn["toy-power-sum-corrected"].log_y
    assert not drawn["toy-mean"].log_x
    assert not drawn["toy-mean"].log_y


def test_an_exponential_is_logarithmic_upwards_only(drawn):
    assert drawn["toy-bound"].log_y
    assert not drawn["toy-bound"].log_x


def test_the_counterexample_is_marked(drawn):
    assert drawn["toy-power-sum"].marked == [[1.0, 1.0]]
    assert drawn["toy-sum"].marked == []


def test_data_survive_json(drawn):
    for data in drawn.values():
        if data is not None:
            assert figure_of(json.loads(json.dumps(data.to_json()))) == data


@pytest.fixture(scope="module")
def svg(drawn):
    return figure.svg(drawn["toy-power-sum"], "figure-toy <&>")


def test_svg_is_well_formed_and_named(svg):
    root = ET.fromstring(svg)
    title = root.find("{http://www.w3.org/2000/svg}title")
    desc = root.find("{http://www.w3.org/2000/svg}desc")
    assert root.get("role") == "img"
    assert root.get("aria-labelledby") == f"{title.get('id')} {desc.get('id')}"
    assert title.text == "Sum of squares, as printed"
    assert "rivals: a quarter" in desc.text


def test_svg_has_no_colour_of_its_own(svg):
    colours = set(figure._COLOUR.findall(svg))
    assert not colours
    assert "var(--verdict)" in svg
    assert "currentColor" in svg


def test_names_in_svg_are_set_apart_and_used(svg):
    root = ET.fromstring(svg)
    ids = [e.get("id") for e in root.iter() if e.get("id")]
    assert len(ids) == len(set(ids))
    assert all(i.startswith("figure-toy-") for i in ids)
    for id in ids:
        assert svg.count(id) > 1


def test_the_same_data_give_the_same_bytes(drawn, svg):
    assert figure.svg(drawn["toy-power-sum"], "figure-toy <&>") == svg
    assert figure.pdf(drawn["toy-sum"]) == figure.pdf(drawn["toy-sum"])
    assert figure.pdf(drawn["toy-sum"]).startswith(b"%PDF")


def test_rivals_far_away_do_not_squash_the_figure(drawn):
    data = figure_of(drawn["toy-mean"].to_json())
    data.rivals[0].y = [1e9 * y for y in data.rivals[0].y]
    low, high = figure._limits(data)
    assert low + 1 >= 0
    assert high < 2
