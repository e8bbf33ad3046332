"""Figures: the right kind, values that are the claim's and the observations', no colour that stays."""

from __future__ import annotations

import copy
import json
import re
from fractions import Fraction
from xml.etree import ElementTree as ET

import msgspec
import pytest
import sympy as sp

from theorycheck import (
    at_most,
    claim,
    converges_to,
    integers,
    leg,
    scales_as,
    up_to_constant,
    variant,
)
from theorycheck.entries.parts import Counterexample
from theorycheck.library.selecting import select
from theorycheck.notebook import try_claim
from theorycheck.record.observations import observations_of
from theorycheck.reports import curve, figure
from theorycheck.reports.figure_data import FigureData

ALPHA = 1e-6
a = sp.symbols("a")


@pytest.fixture(scope="module")
def drawn(done):
    """Figure data of every claim of the run, by id."""
    claims = {i.claim.id: i.claim for i in select([str(done.folder.parent.parent / "library")])}
    entries = {e.id: e for e in done.report.claims}
    found = {}
    for id, made in claims.items():
        seen = observations_of(done.folder, id)
        found[id] = curve.figure_data(
            made,
            seen,
            profile="smoke",
            alpha=ALPHA,
            counterexample=entries[id].counterexample,
        )
    return found


def test_kinds(drawn):
    assert drawn["toy-sum"].kind == "curve"
    assert drawn["toy-descent"].kind == "cases" and drawn["toy-descent"].table
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
    (item,) = [
        i for i in select([str(done.folder.parent.parent / "library")]) if i.claim.id == "toy-mean"
    ]
    seen = observations_of(done.folder, "toy-mean")
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


def test_a_counterexample_beside_the_curves_is_marked_and_said():
    """A shrunk counterexample may lie off the grid, on a curve that is not drawn."""
    points = [{n: size, c: 2} for size in (1, 2, 3)]
    made = claim(
        "off-grid",
        domain={n: integers(1), c: integers(1)},
        grid={"smoke": points},
        closed_form=n * c + 1,
        legs=[leg("product", lambda n, c: n * c)],
    )
    seen = try_claim(made).outcome.observations

    def marked(found):
        data = curve.figure_data(made, seen, profile="smoke", alpha=ALPHA, counterexample=found)
        return data.marked, data.note

    said = "The counterexample is at c = 1."
    assert marked(Counterexample(point={"n": 1, "c": 1}, lhs="1", rhs="2")) == ([[1.0, 1.0]], said)
    assert marked(Counterexample(point={"n": 9, "c": 2}, lhs="18", rhs="19")) == ([[9.0, 18.0]], "")
    assert marked(Counterexample(point={"n": 2, "c": 2}, lhs="4", rhs="5")) == ([[2.0, 4.0]], "")
    assert marked(Counterexample(point={"n": 2, "c": 2}, lhs="undefined", rhs="5")) == ([], "")


def test_data_survive_json(drawn):
    for data in drawn.values():
        if data is not None:
            written = json.loads(json.dumps(msgspec.to_builtins(data)))
            assert msgspec.convert(written, FigureData) == data


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
    assert "Thinner lines and crosses are rivals: a quarter." in desc.text


def test_svg_has_no_colour_of_its_own(svg):
    colours = set(figure._COLOUR.findall(svg))
    assert not colours
    assert "var(--measured)" in svg
    assert "currentColor" in svg


def test_figures_are_small(drawn):
    for id, data in drawn.items():
        if data is not None:
            assert len(figure.svg(data, id)) < 15_000, id


def test_names_in_svg_are_set_apart_and_used(svg):
    root = ET.fromstring(svg)
    ids = [e.get("id") for e in root.iter() if e.get("id")]
    assert len(ids) == len(set(ids))
    assert len({i[:9] for i in ids}) == 1
    for id in ids:
        assert svg.count(id) > 1


def test_the_same_data_give_the_same_bytes(drawn, svg):
    assert figure.svg(drawn["toy-power-sum"], "figure-toy <&>") == svg
    assert figure.pdf(drawn["toy-sum"]) == figure.pdf(drawn["toy-sum"])
    assert figure.pdf(drawn["toy-sum"]).startswith(b"%PDF")


def test_rivals_far_away_do_not_squash_the_figure(drawn):
    data = copy.deepcopy(drawn["toy-mean"])
    data.rivals[0].y = [1e9 * y for y in data.rivals[0].y]
    low, high = figure._limits(data)
    assert low + 1 >= 0
    assert high < 2


# ---------------------------------------------------------------- laws and limits

n, c = sp.symbols("n c", positive=True)
SIZES = {"smoke": {n: [2**i for i in range(2, 11)]}}


def squares(n):
    return sum(i * i for i in range(1, n + 1))


def nearly_one(n):
    return Fraction(n + 1, n)


def tried(relation, form, simulation, **parts):
    made = claim("a-law", domain={n: integers(1)}, grid=SIZES, closed_form=form, relation=relation,
                 legs=[leg("measured", simulation)], mutate=False, **parts)  # fmt: skip
    found = try_claim(made)
    data = curve.figure_data(made, found.outcome.observations, profile="smoke", alpha=ALPHA)
    return found, data


def test_a_law_is_drawn_through_the_last_point_on_log_axes():
    rivals = [variant("n^2", closed_form=n**2)]
    found, data = tried(scales_as(n), n**3, squares, rivals=rivals)
    assert found.verdict == "pass"
    assert data.log_x
    assert data.log_y
    for drawn in (data.curves[0], data.rivals[0]):
        assert drawn.y[-1] == pytest.approx(squares(1024))
    assert data.rivals[0].y[0] > 10 * data.curves[0].y[0]
    assert "constant is set at the last point" in data.note


def test_a_law_s_implied_constants_are_drawn():
    _, data = tried(scales_as(n), n**3, squares)
    (ratios,) = data.ratios
    assert ratios.low == pytest.approx([squares(int(x)) / x**3 for x in ratios.x])
    assert data.ratio_label == "implied C"
    assert data.ratio_line is None


def test_sampled_points_are_also_shown_against_the_closed_form(drawn):
    (ratios,) = drawn["toy-mean"].ratios
    assert drawn["toy-mean"].ratio_line == 1.0
    for low, high in zip(ratios.low, ratios.high, strict=True):
        assert 0.9 < low < 1 < high < 1.1


def test_exact_passes_need_no_such_panel(drawn):
    assert drawn["toy-sum"].ratios == []
    assert drawn["toy-bound"].ratios == []


def test_implied_constants_are_said():
    from theorycheck.reports.claim_view import implied_constant

    found, _ = tried(up_to_constant(at_most(), in_=n), n**3, squares)
    (said,) = [implied_constant(lg) for lg in found.entry.legs]
    assert re.match(r"between 0\.33\d and 0\.46\d over the sweep", said)


def test_a_limit_is_a_level_line_along_the_sweep():
    _, data = tried(converges_to(n), sp.Integer(1), nearly_one)
    assert data.x_label == "n"
    assert set(data.curves[0].y) == {1.0}
    assert data.points[0].low[0] == 1.25


def test_a_parameter_that_never_moves_alone_makes_no_curve():
    points = [{n: 2, c: 3}, {n: 4, c: 5}, {n: 8, c: 7}]
    made = claim(
        "apart",
        domain={n: integers(1), c: integers(1)},
        grid={"smoke": points},
        closed_form=n * c,
        legs=[leg("product", lambda n, c: n * c)],
    )
    found = try_claim(made)
    data = curve.figure_data(made, found.outcome.observations, profile="smoke", alpha=ALPHA)
    assert data.kind == "cases" and len(data.table) == 3


def flat(values, form, simulation, **parts):
    made = claim("flat", domain={n: integers(1)}, grid={"smoke": {n: values}}, closed_form=form,
                 legs=[leg("value", simulation)], **parts)  # fmt: skip
    found = try_claim(made)
    return curve.figure_data(
        made,
        found.outcome.observations,
        profile="smoke",
        alpha=ALPHA,
        counterexample=found.entry.counterexample,
    )


def test_a_handful_of_values_is_a_table_in_the_order_of_numbers():
    few = flat([10, 9, 2], sp.Integer(4), lambda n: 4)
    assert few.table == [["n=2", "4", "4"], ["n=9", "4", "4"], ["n=10", "4", "4"]]
    assert few.note == ""
    bound = flat([1, 2, 3], sp.Integer(5), lambda n: 4, relation=at_most())
    assert bound.table[0] == ["n=1", "4", "5"]


def test_a_table_of_many_values_says_how_many_there_are_and_keeps_both_ends():
    many = flat([*range(1, 31)], sp.Integer(4), lambda n: 4)
    assert len(many.table) == curve.HANDFUL
    assert many.table[0][0] == "n=1" and many.table[-1][0] == "n=30"
    assert many.note == f"The table has {curve.HANDFUL} of 30 values."


@pytest.mark.parametrize(("places", "kind"), [(2, "cases"), (curve.FEW + 1, "pairs")])
def test_many_values_on_a_few_places_of_the_diagonal_are_a_table(places, kind):
    made = claim(
        "places",
        domain={n: integers(1)},
        grid={"smoke": {n: range(1, 31)}},
        legs=[leg("value", lambda n: n % places, reference=lambda n: n - places * (n // places))],
    )
    found = try_claim(made)
    data = curve.figure_data(made, found.outcome.observations, profile="smoke", alpha=ALPHA)
    assert data.kind == kind


def test_a_setting_is_named_by_its_symbols():
    nu2 = sp.symbols("nu2")
    made = claim(
        "named",
        domain={n: integers(1), nu2: integers(1)},
        grid={"smoke": {n: [1, 2, 3], nu2: [1, 2]}},
        closed_form=n * nu2,
        legs=[leg("product", lambda n, nu2: n * nu2)],
    )
    found = try_claim(made)
    data = curve.figure_data(made, found.outcome.observations, profile="smoke", alpha=ALPHA)
    assert [c.name for c in data.curves] == ["\u03bd_2 = 1", "\u03bd_2 = 2"]


def test_the_counterexample_is_the_first_row_of_a_table():
    drawn = flat([*range(1, 31)], sp.Integer(4), lambda n: 4 if n < 3 else 5, expect="fail")
    assert drawn.table[0] == ["n=3 (counterexample)", "5", "4"]
    assert [row[0] for row in drawn.table].count("n=3") == 0


def along(values, **parts):
    """A bound whose closed form has a drawn factor, so that no curve can be drawn."""
    made = claim("along", domain={n: integers(1)}, grid={"smoke": {n: values}}, closed_form=a / 2**n,
                 relation=at_most(), legs=[leg("value", parts.pop("simulation"), arithmetic="rational",
                 observed=[a])], **parts)  # fmt: skip
    found = try_claim(made)
    return curve.figure_data(
        made,
        found.outcome.observations,
        profile="smoke",
        alpha=ALPHA,
        counterexample=found.entry.counterexample,
    )


def halved(ns, n):
    return {"value": ns.asarray(Fraction(1, 3**n)), "a": ns.asarray(1)}


def test_a_bound_that_decays_is_shown_along_its_parameter_in_logarithms():
    drawn = along([1, 2, 4, 8], simulation=halved, plot=n)
    assert drawn.kind == "along" and drawn.x_label == "n" and drawn.log_y
    assert drawn.points[0].x == [1, 2, 4, 8]
    assert drawn.claimed == [[1, 0.5], [2, 0.25], [4, 0.0625], [8, 2**-8]]
    assert figure.described(drawn).startswith("The dashes are what is claimed along n,")
    assert 'class="figure"' in figure.svg(drawn, "along")


def test_a_measured_zero_does_not_take_the_logarithm_away():
    def nothing(ns):
        return {"value": ns.asarray(0), "a": ns.asarray(1)}

    drawn = along([1, 2, 4, 8], simulation=nothing, plot=n)
    assert drawn.log_y and drawn.note == "4 measured values are 0."


def test_without_a_parameter_to_draw_along_many_bounds_are_over_the_claimed_ones():
    drawn = along([*range(1, 9)], simulation=halved)
    assert drawn.kind == "pairs"


def test_the_counterexample_of_a_procedure_is_ringed_over_what_it_is_held_to():
    data = curve.FigureData("pairs", "", "", "")
    curve._mark(data, None, Counterexample(point={"n": 1}, lhs="[0.5 +/- 1e-9]", rhs="1/4"))
    assert data.marked == [[0.25, 0.5]]
    assert "The ring is the counterexample." in figure.described(data)


@pytest.mark.parametrize(
    ("values", "texts"),
    [
        ([0.0, 0.5, 1.0], ["0", "0.5", "1"]),
        ([1e-9, 1e-3], ["1e-9", "0.001"]),
        ([1.00000001, 1.00000002], ["1.00000001", "1.00000002"]),
        ([100000.0, 1e7, 1e12], ["100000", "1e7", "1e12"]),
    ],
)
def test_ticks_differ_and_read_as_numbers(values, texts):
    assert figure.tick_texts(values) == texts


def test_zeros_have_an_axis_of_ones():
    x = [1.0, 2.0]
    drawn = curve.FigureData(
        "curve",
        "",
        "n",
        "",
        [curve.Curve("", x, [0, 0])],
        [curve.PlotPoints("", x, [0, 0], [0, 0])],
    )
    low, high = figure._limits(drawn)
    assert low <= -0.05 and high >= 0.05


def test_one_value_everywhere_is_shown_case_by_case():
    made = claim(
        "flat",
        domain={n: integers(1)},
        grid={"smoke": {n: [1, 2, 3]}},
        closed_form=sp.Integer(4),
        legs=[leg("four", lambda n: 4)],
    )
    found = try_claim(made)
    data = curve.figure_data(made, found.outcome.observations, profile="smoke", alpha=ALPHA)
    assert data.kind == "cases"
    assert [row[0] for row in data.table] == ["n=1", "n=2", "n=3"]
