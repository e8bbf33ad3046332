"""Declared figures: kept with the evidence, drawn in every format, and of no say in a verdict."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from xml.etree import ElementTree as ET

import msgspec
import numpy as np
import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from theorycheck import ClaimError, claim, figure, integers, panel, series, variant
from theorycheck.claims.figures import MOST_NUMBERS, FigureError, plain, point_of
from theorycheck.claims.functions import PROFILES
from theorycheck.engine.execute import execute
from theorycheck.evidence.cached import CachedOnly, CacheMiss, InMemory
from theorycheck.evidence.detail import Detail
from theorycheck.evidence.observation import Observation
from theorycheck.judge import judge
from theorycheck.notebook import result_html, try_claim
from theorycheck.plan.keys import CLAIM, Purpose
from theorycheck.plan.plan import make_plan
from theorycheck.plan.settings import Settings
from theorycheck.reports import panels
from theorycheck.reports.formats.latex import paragraph
from theorycheck.reports.present import present
from theorycheck.testing import judged

n = sp.Symbol("n", integer=True, positive=True)


FIGURE = Purpose.FIGURE


def squares(ns, rng, n):
    xs = ns.arange(n)
    noisy = xs * xs + rng.normal((n,)) / 100
    curve = panel(
        "squares",
        x="n",
        y="n^2",
        lines=[series("law", xs, xs * xs)],
        marks=[series("seen", xs, noisy)],
    )
    return [curve, panel("table", x="column", y="row", heat=xs[:, None] * (xs[None, :] - 1))]


def sums(*figures, wrong=0):
    @claim(
        "sums",
        domain={n: integers(1)},
        grid={"smoke": {n: [1, 2, 5]}},
        closed_form=n * (n + 1) / 2 + wrong,
        rivals=[variant("n^2", closed_form=n**2)],
        figures=figures,
    )
    def added(n):
        return sum(range(n + 1))

    return added


def drawn_at(size):
    return figure("squares", squares, at={"smoke": {n: size}}, caption="Squares of n.")


def shown(seen):
    return [o for o in seen if o.purpose == FIGURE]


def test_a_figure_is_kept_as_data_and_survives_json():
    outcome = execute(sums(drawn_at(4)), Settings("smoke"))
    (seen,) = shown(outcome.observations)
    curve, table = seen.detail.panels
    assert curve.lines[0].y == (0, 1, 4, 9)
    assert table.heat[2] == (-2, 0, 2, 4)
    again = Observation.from_json(json.loads(json.dumps(seen.to_json())))
    assert again.to_json() == seen.to_json()


def test_the_same_seed_draws_the_same_and_another_does_not():
    one, two, other = (
        shown(execute(sums(drawn_at(4)), Settings("smoke", seed)).observations)[0].detail
        for seed in (0, 0, 1)
    )
    assert one == two
    assert one.panels[0].marks != other.panels[0].marks


def broken(n):
    raise RuntimeError("no such spectrum")


@pytest.mark.parametrize("wrong", [0, 1])
def test_a_figure_that_breaks_changes_no_verdict_and_says_why(wrong):
    bare = execute(sums(wrong=wrong), Settings("smoke"))
    ill = execute(
        sums(figure("lost", broken, at={"smoke": {n: 1}}), wrong=wrong), Settings("smoke")
    )
    assert ill.judgement.verdict == bare.judgement.verdict == ("fail" if wrong else "pass")
    assert ill.judgement.samples == bare.judgement.samples
    assert ill.judgement.points == bare.judgement.points
    made = sums(figure("lost", broken, at={"smoke": {n: 1}}))
    page = present(made, ill.observations, profile="smoke", alpha=1e-6)
    assert page.declared[0].svg == ""
    assert "no such spectrum" in page.declared[0].caption


@given(values=st.lists(st.floats(), max_size=4), status=st.sampled_from(["ok", "error"]))
def test_judging_never_looks_at_figures(values, status):
    """Whatever is written into a figure's observation, the verdict is that of the others."""
    made = sums()
    seen = execute(made, Settings("smoke")).observations
    planted = Observation("value", CLAIM, FIGURE, {"n": 3}, "exact", status, "planted", samples=7,
                          detail=Detail(panels=values))  # fmt: skip
    plan = make_plan(made, Settings("smoke"))
    assert judge(plan, [*seen, planted]) == judge(plan, seen)


def test_a_cached_figure_is_not_made_again():
    kept = InMemory()
    settings = Settings("smoke")
    made = sums(drawn_at(4))
    first = execute(made, settings, kept)
    second = execute(made, settings, CachedOnly(kept))
    assert second.fresh == 0
    assert shown(second.observations) == shown(first.observations)
    without = {key: seen for key, seen in kept.held.items() if seen.purpose != FIGURE}
    with pytest.raises(CacheMiss):
        execute(made, settings, CachedOnly(InMemory(held=without)))


def test_a_verdict_alone_is_had_without_figures():
    made = sums(figure("lost", broken, at={"smoke": {n: 1}}))
    assert shown(execute(made, Settings("smoke"), figures=False).observations) == []
    assert judged(made).verdict == "pass"


def test_profiles_choose_the_point():
    large = figure("f", squares, at={"standard": {n: 5}, "paper": {n: 9}})
    assert [point_of(large, p, PROFILES) for p in PROFILES] == [None, {"n": 5}, {"n": 5}, {"n": 9}]
    assert shown(execute(sums(large), Settings("smoke")).observations) == []


def test_every_format_draws_it():
    made = sums(drawn_at(4))
    result = try_claim(made)
    page = present(made, result.outcome.observations, profile="smoke", alpha=1e-6)
    (declared,) = page.declared
    root = ET.fromstring(declared.svg)
    assert root.get("role") == "img"
    assert "heat map of 4 by 4" in declared.svg
    assert "var(--curve)" in declared.svg
    assert "var(--verdict)" not in declared.svg  # its colours stand for no verdict
    assert panels.pdf(declared.panels).startswith(b"%PDF")
    assert "Squares of n." in result_html(made, result.outcome, result.settings)


def test_drawing_twice_gives_the_same_bytes():
    (seen,) = shown(execute(sums(drawn_at(3)), Settings("smoke")).observations)
    data = seen.detail.panels
    assert panels.svg(data, "t", "k") == panels.svg(data, "t", "k")
    assert panels.pdf(data) == panels.pdf(data)


@pytest.mark.parametrize(
    ("given_panel", "why"),
    [
        (panel("p", x="", y=""), "either lines and marks or a heat map"),
        (panel("p", x="", y="", heat=[[1]], lines=[series("s", [1], [1])]), "either lines"),
        (panel("p", x="", y="", heat=[[1, 2], [3]]), "rectangle"),
        (panel("p", x="", y="", lines=[series("s", [1], [1], low=[0])]), "one end of a band"),
        (
            panel("p", x="", y="", lines=[series("s", [1], [1], low=[0], high=[1, 2])]),
            "band of 1 and 2",
        ),
        (
            panel("p", x="", y="", log_y=True, lines=[series("s", [1], [1], low=[0], high=[2])]),
            "band to 0",
        ),
        (panel("p", x="", y="", lines=[series("s", [1, 2], [1])]), "2 x and 1 y"),
        (panel("p", x="", y="", lines=[series("s", [], [])]), "0 x and 0 y"),
        (panel("p", x="", y="", lines=[series("s", [1], [float("nan")])]), "not finite"),
        (panel("p", x="", y="", log_y=True, lines=[series("s", [1], [0])]), "logarithmic axis"),
        (panel("p", x="", y="", heat=np.zeros((100, 100))), f"at most {MOST_NUMBERS}"),
        ([], "returns one to"),
        (["a panel"], "returns one to"),
    ],
)
def test_what_cannot_be_drawn_is_refused_with_its_reason(given_panel, why):
    with pytest.raises(FigureError, match=why):
        plain(given_panel, np.asarray)


def test_declarations_that_cannot_work_are_refused():
    with pytest.raises(ClaimError, match=r"made by figure\(\.\.\.\)"):
        sums(squares)
    with pytest.raises(ClaimError, match="names profile 'tiny'"):
        sums(figure("f", squares, at={"tiny": {n: 1}}))
    with pytest.raises(ClaimError, match="under smoke misses n"):
        sums(figure("f", squares))
    with pytest.raises(ClaimError, match="the same name"):
        sums(drawn_at(1), drawn_at(2))


def test_a_claim_in_error_has_no_figures():
    def breaks(n):
        raise ZeroDivisionError

    made = sums(drawn_at(2))
    ill = replace(made, legs=(replace(made.legs[0], simulation=breaks),))
    outcome = execute(ill, Settings("smoke"))
    assert outcome.judgement.verdict == "error"
    assert shown(outcome.observations) == []


def test_latex_shows_the_figure_or_why_it_is_missing():
    made = sums(drawn_at(3), figure("lost", broken, at={"smoke": {n: 1}}))
    result = try_claim(made)
    page = present(made, result.outcome.observations, profile="smoke", alpha=1e-6)
    text = "\n".join(paragraph(result.entry, page))
    assert "figures/sums-1" in text
    assert "figures/sums-2" not in text
    assert "no such spectrum" in text


def test_a_mean_of_runs_has_its_band_and_a_heat_map_its_bar():
    runs = series("mean", [0, 1], [1.0, 2.0], low=[0.5, 1.5], high=[1.5, 3.0])
    (banded,) = plain(panel("p", x="t", y="v", lines=[runs]), np.asarray)
    (line,) = banded.lines
    assert (line.low, line.high) == ((0.5, 1.5), (1.5, 3.0))
    drawn = panels.svg([banded], "p", "banded")
    assert f"fill-opacity:{panels.BAND}" in drawn
    bare = msgspec.structs.replace(
        banded, lines=(msgspec.structs.replace(line, low=None, high=None),)
    )
    assert "fill-opacity" not in panels.svg([bare], "p", "bare")
    (table,) = plain(panel("q", x="c", y="r", heat=[[0.0, -3.0], [1.5, 0.75]]), np.asarray)
    texts = re.findall(r">(-?[0-9.]+)</text>", panels.svg([table], "q", "table"))
    assert {"-2", "0", "2"} <= set(texts)
