"""From simulation to verdict: what passes, and above all what must not.

Each planted lie (a wrong constant, exponent, sign, hypothesis) has to turn a pass into something else;
a simulation that misbehaves ends its own claim in an error that says why.
"""

import math
from fractions import Fraction

import pytest
import sympy as sp

from theorycheck import (
    at_most,
    attained,
    bounded,
    certificate,
    claim,
    counts,
    equals,
    hypothesis,
    instances,
    integers,
    leg,
    maximises,
    mean,
    minimises,
    probability,
    search,
    sqrt,
    variant,
)
from theorycheck.engine.execute import execute
from theorycheck.entries.parts import Resolution
from theorycheck.evidence.observation import Observation
from theorycheck.evidence.proof import Proof
from theorycheck.judge import judge
from theorycheck.plan.plan import make_plan, simpler_points
from theorycheck.plan.settings import Settings

n, k = sp.symbols("n k", integer=True, positive=True)


def verdict(c, profile="smoke", **settings):
    return execute(c, Settings(profile, **settings)).judgement


def make(form, simulation, *, grid=range(1, 6), **parts):
    legs = parts.pop("legs", None) or [leg("value", simulation, **parts.pop("leg", {}))]
    return claim(
        "c",
        domain={n: integers(1)},
        grid={"smoke": {n: grid}},
        closed_form=form,
        legs=legs,
        **parts,
    )


# ---- exact values


def triangle(n):
    return sum(range(n + 1))


def test_an_exact_truth_passes_with_resolution_zero():
    j = verdict(make(n * (n + 1) / 2, triangle))
    assert (j.verdict, j.rung, j.resolution.value) == ("pass", "certified", 0.0)
    assert j.mutants.made == j.mutants.refuted > 10


LIES = {
    "constant": n * (n + 1) / 2 + 1,
    "tiny constant": n * (n + 1) / 2 * (1 + sp.Rational(1, 10**15)),
    "factor": n * (n + 1),
    "exponent": n**2 * (n + 1) / 2,
    "sign": -n * (n + 1) / 2,
    "shift": n * (n - 1) / 2,
    "argument": (n + 1) * (n + 2) / 2,
}


@pytest.mark.parametrize("name", LIES)
def test_planted_lies_fail_with_a_confirmed_counterexample(name):
    j = verdict(make(LIES[name], triangle))
    assert j.verdict == "fail"
    assert j.counterexample.confirmed is True
    assert j.counterexample.lhs != j.counterexample.rhs


def test_the_counterexample_is_shrunk():
    j = verdict(make(n * (n + 1) / 2 + sp.floor(n / 3), triangle, grid=[9, 12]))
    assert j.counterexample.point == {"n": 3}
    assert j.counterexample.worst.point["n"] in (9, 12)


def test_a_division_by_zero_at_a_grid_point_is_an_undefined_counterexample():
    j = verdict(make(n * (n + 1) / 2 * (n - 3) / (n - 3 + 0 * n) + 0 / n, triangle))
    assert j.verdict == "pass"  # SymPy cancels it before it is a claim
    j = verdict(make(sp.Integer(1) / (n - 3), lambda n: Fraction(1, n - 3) if n != 3 else 0))
    assert (j.verdict, j.counterexample.kind) == ("fail", "undefined")
    assert j.counterexample.point == {"n": 3}


def test_surds_are_proved_equal_not_merely_close():
    j = verdict(make(sp.sqrt(8 * n) / 3, lambda n: sqrt(2 * n) * Fraction(2, 3)))
    assert (j.verdict, j.resolution.value) == ("pass", 0.0)
    lie = verdict(
        make(sp.sqrt(8 * n) / 3 + sp.Rational(1, 10**40), lambda n: sqrt(2 * n) * Fraction(2, 3))
    )
    assert lie.verdict == "fail"


# ---- what a claim of several closed forms states


def test_a_claim_is_as_sharp_as_its_least_sharply_seen_closed_form():
    """The other leg is sharper than it, of another closed form or of the same one."""
    legs = [
        leg("exact", triangle),
        leg("root", lambda ns, n: ns.sqrt(n) * 1, arithmetic="ball", closed_form=sp.sqrt(n)),
    ]
    j = verdict(make(n * (n + 1) / 2, None, grid=[2, 3], legs=legs))
    stated = {e.name: e.resolution.value for e in j.legs}
    assert j.verdict == "pass" and stated["exact"] == 0 < stated["root"]
    assert j.resolution.value == stated["root"]
    legs[1] = leg("again", lambda ns, n: ns.sqrt(n * n * (n + 1) ** 2) / 2, arithmetic="ball")
    assert verdict(make(n * (n + 1) / 2, None, grid=[2, 3], legs=legs)).resolution.value == 0


def test_tightness_of_a_claim_is_that_of_its_slackest_bound():
    legs = [
        leg("attained", lambda n: n),
        leg("slack", lambda n: n, closed_form=4 * n),
        leg("same bound, farther", lambda n: Fraction(n, 2)),
    ]
    j = verdict(make(n, None, relation=at_most(), legs=legs))
    assert j.tightness.value == 0.25
    assert verdict(make(n, None, relation=at_most(), legs=legs[::2])).tightness.value == 1.0


def test_mutants_are_made_of_every_closed_form_and_of_every_entry():
    column = sp.Matrix([n**2, n + 1])
    legs = [
        leg("both", lambda n: [n * n, n + 1], closed_form=column),
        leg("alone", lambda n: 2 * n, closed_form=2 * n),
    ]
    j = verdict(make(None, None, legs=legs))
    alone = verdict(make(2 * n, lambda n: 2 * n)).mutants.made
    assert j.verdict == "pass" and j.mutants.made == j.mutants.refuted > alone + 20
    j = verdict(make(None, None, grid=[1], legs=legs))
    assert j.verdict == "inconclusive"
    names = [s.name for s in j.mutants.survivors]
    assert any(name.startswith("both, component 0: ") for name in names)
    assert any(name.startswith("alone: ") for name in names)


@pytest.mark.parametrize(
    ("parts", "why"),
    [
        ({"mutate": False}, "mutate=False"),
        ({"relation": at_most()}, "one-sided"),
        ({"legs": [leg("r", triangle, reference=lambda n: n * (n + 1) // 2)]}, "procedure"),
    ],
)
def test_a_pass_without_mutants_says_why(parts, why):
    j = verdict(make(None if "legs" in parts else n * (n + 1) / 2, triangle, **parts))
    assert (j.verdict, j.mutants.made) == ("pass", 0)
    assert why in j.mutants.none


def test_a_fail_without_a_diagnosis_says_why():
    j = verdict(make(n * (n + 1) / 2, lambda n: triangle(n) + n % 3))
    assert (j.verdict, j.diagnosis) == ("fail", None)
    assert "no law meets all of" in j.undiagnosed
    j = verdict(make(None, None, legs=[leg("r", triangle, reference=lambda n: n)]))
    assert "procedure" in j.undiagnosed
    assert verdict(make(n * (n + 1), triangle)).undiagnosed == ""


# ---- rivals, mutants, hypotheses


def test_a_surviving_rival_makes_a_pass_inconclusive():
    j = verdict(
        make(n**2, lambda n: n * n, grid=[1, 2], rivals=[variant("3n - 2", closed_form=3 * n - 2)])
    )
    assert j.verdict == "inconclusive"
    assert "survivor: 3n - 2" in j.reason


def test_a_mutant_that_the_grid_cannot_see_is_a_survivor():
    j = verdict(make(n**2, lambda n: n * n, grid=[1]))
    assert j.verdict == "inconclusive"
    assert "mutant" in j.reason
    assert j.mutants.survivors


def test_equal_mutants_are_left_out():
    c = claim(
        "c",
        domain={n: integers(1), k: integers(1)},
        grid={"smoke": {n: [2, 3, 7], k: [1, 4, 5]}},
        closed_form=n * k,
        legs=[leg("value", lambda n, k: n * k)],
    )
    j = verdict(c)
    assert j.verdict == "pass"
    assert not j.mutants.survivors


def test_a_slip_that_changes_nothing_is_noted_and_blocks_no_pass():
    """Central binomials: C(n-1, floor) and C(n-1, ceiling) are the same, which no normal form shows."""

    def widest(n):
        row = [1]
        for _ in range(n - 1):
            row = [a + b for a, b in zip([0, *row], [*row, 0], strict=True)]
        return max(row)

    found = verdict(make(sp.binomial(n - 1, sp.floor((n - 1) / 2)), widest, grid=range(1, 12)))
    assert found.verdict == "pass"
    assert found.mutants.survivors == ()
    assert any("floor -> ceiling" in name for name in found.mutants.alike)


def test_rival_programs_get_data_of_their_own():
    good = variant("drops one", simulation=lambda n: sum(range(n)))
    bad = variant("adds in another order", simulation=lambda n: sum(range(n, 0, -1)))
    assert verdict(make(n * (n + 1) / 2, triangle, rivals=[good])).verdict == "pass"
    assert verdict(make(n * (n + 1) / 2, triangle, rivals=[good, bad])).verdict == "inconclusive"


def test_hypotheses_are_reported_and_never_block():
    needed = hypothesis("n >= 1", without=[{n: -2}])
    idle = hypothesis("n <= 5", without=[{n: 9}])
    j = verdict(make(n * (n + 1) / 2, triangle, assumes=[needed, idle]))
    assert j.verdict == "pass"
    assert [h.needed for h in j.hypotheses] == ["needed", "not seen to be needed"]
    assert "n=-2" in j.hypotheses[0].witness


# ---- simulations that misbehave


def loops(ns, n):
    return ns.asarray(n) / (ns.asarray(n) - n)


@pytest.mark.parametrize(
    ("simulation", "words"),
    [
        (lambda n: 1 / 0, "ZeroDivisionError"),
        (lambda n: 0.5, "floats belong in an external leg"),
        (lambda n: "three", "returned str"),
        (lambda n: None, "returned NoneType"),
        (lambda n: [], "returned"),
        (lambda n: {"value": 1, "other": 2}, "declared are value"),
    ],
)
def test_misbehaving_exact_simulations_are_errors(simulation, words):
    j = verdict(make(n, simulation))
    assert j.verdict == "error"
    assert words in j.reason
    assert "n=1" in j.reason


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_nan_and_infinity_are_errors(value):
    options = {"arithmetic": "external", "model": "floats", "error": Fraction(1, 10**9)}
    assert verdict(make(n, lambda n: value, leg=options)).verdict == "error"
    assert verdict(make(n, loops)).verdict == "error"
    assert verdict(make(n, loops, leg={"arithmetic": "interval"})).verdict == "error"


def test_components_must_match():
    c = make(sp.Matrix([n, n, n]), lambda n: [n, n])
    assert verdict(c).verdict == "inconclusive"
    assert "components" in verdict(c).reason


def literal(ns, n):
    return ns.asarray(n) * 0.1


@pytest.mark.parametrize("arithmetic", ["ball", "rational", "interval"])
def test_the_literal_one_tenth_is_refused(arithmetic):
    j = verdict(make(n / 10, literal, leg={"arithmetic": arithmetic}))
    assert j.verdict == "error"
    assert "0.1" in j.reason


def test_an_undecided_branch_is_never_guessed():
    def branches(ns, n):
        one = ns.cos(ns.asarray(n)) ** 2 + ns.sin(ns.asarray(n)) ** 2
        return ns.where(one > 1, one, 2 * one)

    j = verdict(make(sp.Integer(2), branches))
    assert j.verdict == "error"
    assert "undecided" in j.reason


# ---- array programs in every arithmetic


def cosines(ns, n):
    return (
        ns.sum(ns.cos_2pi(ns.arange(n) * ns.rational(1, 1) / n) ** 2)
        if False
        else ns.cos(ns.pi / n)
    )


@pytest.mark.parametrize(("arithmetic", "rung"), [("ball", "certified"), ("interval", "computed")])
def test_array_programs_pass_and_lies_beyond_the_resolution_fail(arithmetic, rung):
    options = {"leg": {"arithmetic": arithmetic}, "grid": [3, 5, 7], "where": n >= 3}
    j = verdict(make(sp.cos(sp.pi / n), cosines, **options))
    assert (j.verdict, j.rung) == ("pass", rung)
    r = j.resolution.value
    assert 0 < r < 1e-9
    beyond, below = sp.Rational(10 * r), sp.Rational(r / 10)
    assert verdict(make(sp.cos(sp.pi / n) * (1 + beyond), cosines, **options)).verdict == "fail"
    assert verdict(make(sp.cos(sp.pi / n) * (1 + below), cosines, **options)).verdict != "fail"


# ---- sampling


def coins(ns, rng, size, n):
    return rng.uniform((size,), 0, 1) < ns.rational(1, 2)


def sampled(form, simulation=coins, **parts):
    return make(
        form, simulation, grid=[1, 2], leg={"statistic": probability()}, mutate=False, **parts
    )


def test_a_sampled_truth_passes_and_says_how_sharply():
    j = verdict(sampled(sp.Rational(1, 2), rivals=[variant("0.6", closed_form=sp.Rational(3, 5))]))
    assert (j.verdict, j.rung) == ("pass", "sampled")
    assert 0 < j.resolution.value <= 0.05
    assert j.samples > 1000
    assert 0 < j.alpha_spent <= 1e-6 / 4096


def test_a_sampled_lie_fails_and_is_confirmed_on_a_fresh_stream():
    j = verdict(sampled(sp.Rational(3, 5)))
    assert j.verdict == "fail"
    assert j.counterexample.confirmed is True


def test_a_sampled_lie_below_the_resolution_is_never_called_true():
    j = verdict(sampled(sp.Rational(1, 2) * (1 + sp.Rational(1, 100)), rivals=[]))
    assert j.verdict in ("pass", "inconclusive", "fail")
    if j.verdict == "pass":
        assert j.resolution.value >= 0.01


def test_values_outside_the_declared_range_are_an_error():
    def wild(ns, rng, size, n):
        return rng.normal((size,)) * 10

    c = make(
        sp.Integer(0),
        wild,
        grid=[1],
        leg={"statistic": mean(bounded(-1, 1)), "unit": 1},
        mutate=False,
    )
    j = verdict(c)
    assert j.verdict == "error"


def test_a_sampled_leg_of_the_wrong_shape_is_an_error():
    def short(ns, rng, size, n):
        return rng.uniform((size - 1,), 0, 1)

    c = make(
        sp.Rational(1, 2), short, grid=[1], leg={"statistic": mean(bounded(0, 1))}, mutate=False
    )
    assert "asked for" in verdict(c).reason


def test_same_seed_same_numbers_other_seed_other_numbers():
    c = sampled(sp.Rational(1, 2))
    first, again = (execute(c, Settings("smoke")).observations for _ in range(2))
    assert [o.state for o in first] == [o.state for o in again]
    other = execute(c, Settings("smoke", seed=1)).observations
    assert [o.state for o in first] != [o.state for o in other]


def test_a_point_more_shifts_nothing():
    few = execute(sampled(sp.Rational(1, 2)), Settings("smoke")).observations
    more = make(
        sp.Rational(1, 2), coins, grid=[2, 1, 3], leg={"statistic": probability()}, mutate=False
    )
    states = {str(o.point): o.state for o in execute(more, Settings("smoke")).observations}
    # alpha is shared by three points instead of two, so sampling may stop later, on the same draws
    for o in few:
        longer = states[str(o.point)]
        assert longer.n >= o.state.n
        assert longer.records[: len(o.state.records)] == o.state.records


# ---- optima


def sizes(n):
    return [*range(n), n]


def best(n):
    return sizes(n)[-1]


def bound(n):
    return max(sizes(n))


def test_an_optimum_is_closed_from_both_sides():
    c = make(n, None, relation=maximises(), legs=[attained(best), certificate(bound)])
    j = verdict(c)
    assert (j.verdict, j.rung) == ("pass", "certified")
    assert j.legs[1].moved_by == "sizes"


@pytest.mark.parametrize("at", [1, 2])
def test_a_certificate_may_come_to_the_same_at_some_points_whatever_the_model(at):
    """Where there is one size, say; the order of the grid decides nothing."""

    def degenerate(n):
        return n if n == at else max(sizes(n))

    for points in ([1, 2, 3], [3, 2, 1]):
        legs = [attained(best), certificate(degenerate)]
        c = make(n, None, relation=maximises(), legs=legs, grid=points)
        assert verdict(c).legs[1].moved_by == "sizes", points


def test_a_certificate_that_runs_no_model_is_none():
    """The closed form typed again, and the construction's own program."""
    for cap in (lambda n: n, best):
        legs = [attained(best), certificate(cap)]
        j = verdict(make(n, None, relation=maximises(), legs=legs))
        assert (j.verdict, j.rung, j.legs[1].moved_by) == ("pass", "searched", "")


def test_a_bound_that_nothing_meets_is_no_optimum():
    c = make(n, None, relation=maximises(), legs=[certificate(best)], mutate=False)
    assert (verdict(c).verdict, verdict(c).reason[:15]) == ("inconclusive", "no construction")


def test_a_rival_construction_that_is_better_is_not_refuted():
    """Where it is feasible it refutes the claim: one that says the wrong side of an optimum is found by it."""

    def one_less(n):
        return max(sizes(n)) - 1

    rivals = [variant("the last but one", simulation=one_less, leg="attained")]
    legs = [attained(best), certificate(lambda n: max(sizes(n)))]
    right = verdict(make(n, None, relation=maximises(), legs=legs, rivals=rivals))
    wrong = verdict(make(n, None, relation=minimises(), legs=legs, rivals=rivals))
    assert right.verdict == "pass" and right.rivals[0].refuted
    assert (wrong.verdict, wrong.reason) == ("inconclusive", "survivor: the last but one")
    assert "better than the claimed optimum" in wrong.rivals[0].by


def test_without_a_certificate_an_optimum_is_only_searched():
    c = make(n, None, relation=maximises(), legs=[attained(best)], mutate=False)
    assert verdict(c).rung == "searched"


@pytest.mark.parametrize(
    ("attains", "caps", "expected"),
    [
        (lambda n: n + 1, bound, "fail"),
        (lambda n: n - Fraction(1, 2), bound, "inconclusive"),
        (best, lambda n: n - Fraction(1, 2), "fail"),
        (best, lambda n: n + 1, "inconclusive"),
    ],
)
def test_broken_optima(attains, caps, expected):
    c = make(n, None, relation=maximises(), legs=[attained(attains), certificate(caps)])
    assert verdict(c).verdict == expected


def test_a_search_that_finds_more_refutes_and_one_that_finds_less_does_not():
    legs = [attained(best), certificate(bound)]
    more = search(
        lambda n: float(n) + 1, arithmetic="external", model="floats", error=Fraction(1, 10**9)
    )
    less = search(
        lambda n: float(n) - 1, arithmetic="external", model="floats", error=Fraction(1, 10**9)
    )
    assert verdict(make(n, None, relation=maximises(), legs=[*legs, more])).verdict == "fail"
    assert verdict(make(n, None, relation=maximises(), legs=[*legs, less])).verdict == "pass"


# ---- bounds, counts, proofs, domains


def test_bounds_report_tightness():
    j = verdict(make(2**n, lambda n: n + 1, relation=at_most()))
    assert j.verdict == "pass"
    assert j.tightness.value == 1.0
    assert verdict(make(2**n, lambda n: n + 2, relation=at_most())).verdict == "fail"


def test_counts_wants_integers():
    assert verdict(make(n, lambda n: n, relation=counts())).verdict == "pass"
    assert verdict(make(n, lambda n: n + 1, relation=counts())).verdict == "fail"


def test_a_finite_domain_that_is_covered_is_exhaustive():
    c = claim(
        "c",
        domain={n: integers(1, 4)},
        grid={"smoke": {n: range(1, 5)}},
        closed_form=n**2,
        legs=[leg("value", lambda n: n * n)],
    )
    assert verdict(c).rung == "exhaustive"
    part = claim(
        "c",
        domain={n: integers(1, 9)},
        grid={"smoke": {n: range(1, 5)}},
        closed_form=n**2,
        legs=[leg("value", lambda n: n * n)],
    )
    assert verdict(part).rung == "certified"


def test_a_claim_without_parameters_has_one_point():
    c = claim("c", closed_form=sp.Integer(6), legs=[leg("value", lambda: 6)])
    assert verdict(c).rung == "exhaustive"
    rounded = claim(
        "c",
        closed_form=sp.Integer(6),
        legs=[leg("value", lambda ns: ns.asarray(6), arithmetic="interval")],
    )
    assert verdict(rounded).rung == "computed"


@pytest.mark.parametrize(
    ("proof", "expected", "rung"),
    [
        (Proof(True, "normal form", {"difference": "0"}), "pass", "proved"),
        (Proof(False, "not settled", {}), "inconclusive", "proved"),
        (Proof(False, "found", {}, {"n": 3}), "fail", "proved"),
    ],
)
def test_proofs(proof, expected, rung):
    c = claim(
        "c",
        domain={},
        grid={"smoke": [{}]},
        relation=equals(),
        legs=[leg("proof", lambda: proof, arithmetic="proof")],
    )
    j = verdict(c)
    assert (j.verdict, j.rung) == (expected, rung)
    assert j.proved is (expected == "pass")


# ---- instances and references


def draw(rng, n):
    return {"x": rng.rational((n,), 9)}


def sorted_sum(x):
    return sum(sorted(Fraction(v) for v in x))


def plain_sum(x):
    return sum(Fraction(v) for v in x)


def test_procedure_against_procedure():
    legs = [leg("exact", plain_sum, reference=sorted_sum, instances=instances(draw, "x", smoke=5))]
    assert verdict(make(None, None, legs=legs)).verdict == "pass"
    legs = [leg("exact", plain_sum, reference=lambda x: sorted_sum(x) + 1,
                instances=instances(draw, "x", smoke=5))]  # fmt: skip
    assert verdict(make(None, None, legs=legs)).verdict == "fail"


# ---- judging is a pure function of what was kept


def test_judging_again_from_json_gives_the_same():
    c = sampled(sp.Rational(1, 2), rivals=[variant("0.6", closed_form=sp.Rational(3, 5))])
    outcome = execute(c, Settings("smoke"))
    kept = [Observation.from_json(o.to_json()) for o in outcome.observations]
    again = judge(make_plan(c, Settings("smoke")), kept)
    assert again.resolution == outcome.judgement.resolution
    assert again.rivals == outcome.judgement.rivals
    assert again.verdict == "pass"


def test_a_smaller_alpha_never_sharpens():
    c = sampled(sp.Rational(1, 2))
    kept = execute(c, Settings("smoke")).observations
    wide = judge(make_plan(c, Settings("smoke", alpha=1e-12)), kept).legs[0].resolution.value
    narrow = judge(make_plan(c, Settings("smoke", alpha=1e-2)), kept).legs[0].resolution.value
    assert narrow < wide


def test_simpler_points_stay_inside_and_below():
    c = claim("c", domain={n: integers(2), k: integers(1)}, where=k <= n, grid={"smoke": {n: [6], k: [3]}},
              closed_form=n + k, legs=[leg("v", lambda n, k: n + k)])  # fmt: skip
    points = simpler_points(c, c.legs[0], {"n": 6, "k": 3})
    assert points[0] == {"n": 2, "k": 1}
    assert all(p["k"] <= p["n"] <= 6 and p["k"] <= 3 for p in points)
    assert {"n": 6, "k": 3} not in points


def test_a_counterexample_stays_where_its_leg_speaks():
    """False at n = 6 and larger multiples of 3; n = 3, of which the leg does not speak, is not shown for it."""
    wrong = leg("v", lambda n: n + (n % 3 == 0), where=sp.Gt(n, 4))
    c = claim(
        "c", domain={n: integers(1)}, grid={"smoke": {n: [5, 9]}}, closed_form=n, legs=[wrong]
    )
    assert [p["n"] for p in simpler_points(c, c.legs[0], {"n": 9})] == [5, 6, 7, 8]
    found = verdict(c)
    assert (found.verdict, found.counterexample.point) == ("fail", {"n": 6})


# ---- diagnosis


def ratio_claim(form):
    m = sp.symbols("m", integer=True, positive=True)
    return claim(
        "law",
        domain={n: integers(1), m: integers(1)},
        grid={"smoke": {n: [1, 2, 3, 5], m: [3, 5, 7, 11]}},
        closed_form=form(n, m),
        legs=[leg("value", lambda ns, n, m: ns.asarray(n) ** 2 / m)],
    )


@pytest.mark.parametrize(
    ("form", "words", "corrected"),
    [
        (
            lambda a, b: a**2 / b * sp.pi / sp.sqrt(2) / sp.sqrt(b),
            "sqrt(2)/pi * m**(1/2)",
            "n**2/m",
        ),
        (lambda a, b: 2 * a**2 / b, "1/2", "n**2/m"),
        (lambda a, b: a**2 / b - 1, "measured - closed form = 1", "n**2/m"),
        (lambda a, b: (a - 1) ** 2 / b, "n - 1", "n**2/m"),
    ],
)
def test_a_fail_is_diagnosed_and_the_corrected_form_tested(form, words, corrected):
    j = verdict(ratio_claim(form))
    assert j.verdict == "fail"
    assert words in j.diagnosis.text
    assert j.diagnosis.corrected == corrected
    assert j.diagnosis.agrees is True
    assert j.diagnosis.tested_on > 0


def test_a_law_of_few_points_is_tested_on_the_other_legs():
    few = leg("few", triangle, grid={"smoke": {n: [2, 3]}})
    more = leg(
        "more", lambda ns, n: ns.sqrt(n * n * (n + 1) ** 2) / 2, grid={"smoke": {n: [4, 5, 6]}}
    )
    alone = verdict(make(n * (n + 1), None, legs=[few])).diagnosis
    assert (alone.text[-5:], alone.agrees) == ("= 1/2", None)
    both = verdict(make(n * (n + 1), None, legs=[few, more])).diagnosis
    assert (both.agrees, both.tested_on) == (True, 3)
    other = leg("other", lambda n: 3 * n, grid={"smoke": {n: [4, 5, 6]}})
    j = verdict(make(n * (n + 1), None, legs=[few, other]))
    assert j.verdict == "fail" and (j.diagnosis is None or j.diagnosis.agrees is not True)


def test_a_fail_without_a_law_has_no_diagnosis():
    odd = [0, 3, 1, 4, 1, 5, 9, 2, 6, 5]
    j = verdict(make(n**2, lambda n: n * n + Fraction(odd[n], 77), grid=range(1, 10)))
    assert j.verdict == "fail"
    assert j.diagnosis is None or j.diagnosis.agrees is not True


def test_a_kept_counterexample_is_tried_where_the_grid_finds_nothing():
    c = make(n**2, lambda n: n * n + (n == 17))
    assert verdict(c).verdict == "pass"
    found = execute(c, Settings("smoke"), suspects=[{"n": 17}]).judgement
    assert found.verdict == "fail"
    assert found.counterexample.point == {"n": 17}
    assert (
        execute(c, Settings("smoke"), suspects=[{"n": 16}, {"n": -3}]).judgement.verdict == "pass"
    )


# ---- confirming what one instance shows


def rarely_large(rng):
    return {"draw": int(rng.integers(0, 1000))}


def test_one_instance_refutes_though_a_fresh_draw_would_not():
    """One draw in a hundred is above the bound: what is confirmed is that the same instance fails again."""
    drawn = leg(
        "drawn",
        lambda draw: draw,
        relation=at_most(),
        closed_form=988 + n,
        instances=instances(rarely_large, "draw", smoke=400),
    )
    found = verdict(make(n, None, relation=at_most(), legs=[drawn], grid=[1]))
    assert found.verdict == "fail" and found.counterexample.confirmed


def test_code_that_does_not_repeat_itself_confirms_nothing():
    calls = []

    def moody(n):
        calls.append(n)
        return n + (len(calls) == 1)

    found = verdict(make(n, moody, grid=[1]))
    assert found.verdict == "inconclusive" and "discordant" in found.reason
    assert found.would_decide == "code that repeats itself"


# ---- the worst row and the worst leg


def twice(n):
    return 2 * n


def test_one_exact_leg_of_two_does_not_make_a_claim_exact():
    external = leg(
        "recorded", twice, arithmetic="external", model="a table", error=Fraction(1, 10**12)
    )
    c = claim("two-legs", domain={n: integers(1)}, grid={"smoke": {n: [1, 2, 5]}}, closed_form=2 * n,
              legs=[leg("exact", twice), external], mutate=False)  # fmt: skip
    j = verdict(c)
    assert j.verdict == "pass"
    assert j.resolution.value == pytest.approx(1e-12)
    assert j.uniform_factor.value == 0


def test_a_point_that_is_seen_bluntly_is_what_a_claim_states():
    """The mean of a bit with probability n/(n + 1): at n = 1 a deviation of 1% is not seen as sharply."""

    def bit(rng, ns, size, n):
        return rng.uniform((size,)) < ns.rational(n, n + 1)

    c = claim("bits", domain={n: integers(1)}, grid={"smoke": {n: [1, 1000]}}, closed_form=n / (n + 1),
              legs=[leg("value", bit, statistic=probability())], mutate=False)  # fmt: skip
    j = verdict(c)
    assert j.verdict == "pass"
    assert 0.01 < j.resolution.value <= 0.05
    assert j.uniform_factor.value < j.resolution.value


@pytest.mark.parametrize(("unit", "found"), [(None, "fail"), (1000, "pass")])
def test_a_declared_error_is_relative_to_the_unit(unit, found):
    """n + 10, to a hundredth: of itself, or of a unit of 1000."""
    off = leg("recorded", lambda n: n + 10, arithmetic="external", model="a table",
              error=Fraction(1, 100), unit=unit)  # fmt: skip
    c = claim("unit", domain={n: integers(1)}, grid={"smoke": {n: [1, 2]}}, closed_form=n, legs=[off],
              mutate=False)  # fmt: skip
    j = verdict(c)
    if (
        unit is not None
    ):  # seen to 0.02 of the unit, which is not as sharp as exact rungs are asked for
        assert j.legs[0].resolution == Resolution(kind="absolute", value=pytest.approx(0.02))
    assert j.verdict == found, j.reason


def test_shrinking_stays_where_both_sides_have_values():
    """At n = 2 the closed form has a pole, which is no simpler counterexample of a value."""
    c = claim("pole", domain={n: integers(2)}, grid={"smoke": {n: [5, 6, 7]}}, closed_form=1 / (n - 2),
              legs=[leg("value", lambda n: Fraction(1, 2 * n - 1))], mutate=False)  # fmt: skip
    j = verdict(c)
    assert (j.verdict, j.counterexample.kind) == ("fail", "value")
    assert j.counterexample.point == {"n": 3} and j.counterexample.rhs == "1"
