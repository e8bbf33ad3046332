"""One-sided claims are sampled until their rivals have fallen, or the budget ends; and say what it takes."""

import sympy as sp

from theorycheck import (
    at_least,
    at_most,
    claim,
    equals,
    holds_with_probability,
    integers,
    probability,
    variant,
)
from theorycheck.engine.execute import execute
from theorycheck.evidence.cached import InMemory
from theorycheck.plan.settings import LOOKS, Settings

n = sp.symbols("n", integer=True, positive=True)


def coins(ns, rng, size, n):
    """1 with probability 1/(n + 1)."""
    return rng.uniform((size,)) < ns.rational(1, n + 1)


def about(form, relation, *rivals, grid=(1, 4), **options):
    return claim("bound", domain={n: integers(1)}, grid={"smoke": {n: list(grid)}}, relation=relation,
                 closed_form=form, statistic=probability(), mutate=False, **options,
                 rivals=[variant(str(r), closed_form=r) for r in rivals])(coins)  # fmt: skip


def judged(*args, **parts):
    return execute(about(*args, **parts), Settings("smoke")).judgement


def test_a_bound_goes_on_until_its_rivals_have_fallen():
    for relation in (at_most(), holds_with_probability()):
        found = judged(2 / (n + 1), relation, sp.Rational(19, 20) / (n + 1))
        assert found.verdict == "pass", found.reason
        assert found.rivals[0].refuted
        assert found.samples < 2 * LOOKS["smoke"].samples


def test_so_does_one_from_below():
    found = judged(1 / (2 * (n + 1)), at_least(), sp.Rational(21, 20) / (n + 1))
    assert found.verdict == "pass" and found.rivals[0].refuted


def test_without_rivals_a_bound_stops_as_before():
    done = execute(about(2 / (n + 1), at_most()), Settings("smoke"))
    assert {o.samples for o in done.observations} == {1024}


def test_a_rival_that_falls_at_one_point_costs_the_others_little():
    """At n = 1 the rival is true with nothing to spare and never decided; at n = 4 it falls soon."""
    rival = sp.Rational(1, 2) / n**2
    found = judged(2 / (n + 1), at_most(), rival)
    assert found.verdict == "pass"
    assert found.samples < LOOKS["smoke"].samples / 10


def test_a_true_rival_survives_when_the_budget_ends():
    found = judged(2 / (n + 1), at_most(), 1 / (n + 1), budget={"smoke": 20_000})
    assert found.verdict == "inconclusive"
    assert found.reason.startswith("survivor")
    assert "budget=" in found.would_decide
    assert found.samples <= 2 * 25_600  # a block and a quarter beyond the budget at each point


def test_cached_evidence_gives_the_same_verdict():
    c = about(2 / (n + 1), at_most(), sp.Rational(19, 20) / (n + 1))
    kept = InMemory()
    first = execute(c, Settings("smoke"), kept)
    again = execute(c, Settings("smoke"), kept)
    assert again.fresh == 0
    assert (again.judgement.verdict, again.judgement.rivals) == ("pass", first.judgement.rivals)


# --- what would decide ---------------------------------------------------------------------------


def test_the_hint_names_numbers_that_would_do():
    short = judged(1 / (n + 1), equals(), grid=[4], budget={"smoke": 9_000})
    assert short.verdict == "inconclusive"
    text = short.would_decide
    budget = int(text.split("budget={'smoke': ")[1].split("}")[0])
    target = float(text.split("target=")[1].split(",")[0])
    assert judged(1 / (n + 1), equals(), grid=[4], budget={"smoke": budget}).verdict == "pass"
    looser = judged(1 / (n + 1), equals(), grid=[4], budget={"smoke": 9_000}, target=target)
    assert looser.verdict == "pass"


def test_all_that_there_is_passes_at_the_resolution_reached():
    found = judged(
        1 / (n + 1), equals(), 2 / (n + 1), grid=[4], budget={"smoke": 3_000}, target="reached"
    )
    assert found.verdict == "pass"
    assert 0.05 < found.resolution.value < 0.5
    near = judged(1 / (n + 1), equals(), sp.Rational(21, 20) / (n + 1), grid=[4],
                  budget={"smoke": 3_000}, target="reached")  # fmt: skip
    assert (near.verdict, near.reason.split(":")[0]) == ("inconclusive", "survivor")
    lie = judged(2 / (n + 1), equals(), grid=[4], budget={"smoke": 3_000}, target="reached")
    assert lie.verdict == "fail"
