"""What kind of reason an inconclusive verdict has reaches the report as a value, not as the first word of a text."""

from fractions import Fraction

import sympy as sp

from theorycheck import claim, decays_as, equals, integers, leg, mean, sub_gaussian
from theorycheck.engine.execute import execute
from theorycheck.entries.parts import Cause
from theorycheck.plan.settings import Settings

n = sp.Symbol("n", integer=True, positive=True)
SIZES = {"smoke": {n: [1, 2, 4, 8, 16, 32, 64, 128]}}


def test_a_rate_that_does_not_fall_makes_a_decay_vacuous():
    made = claim("grows", domain={n: integers(1)}, grid=SIZES, closed_form=n,
                 relation=decays_as(n), legs=[leg("value", lambda n: 2 * n)])  # fmt: skip
    found = execute(made, Settings("smoke")).judgement
    assert (found.verdict, found.cause) == ("inconclusive", Cause.VACUOUS), found.reason
    assert not found.reason.startswith("vacuous")  # the leg is named first


def test_samples_that_do_not_reach_are_a_matter_of_the_budget():
    made = claim(
        "noisy", domain={n: integers(1)}, grid={"smoke": {n: [1]}}, closed_form=n,
        relation=equals(),
        legs=[leg("value", lambda rng, size, n: n + rng.normal((size,)), block=64,
                  statistic=mean(sub_gaussian(1)), budget={"smoke": 64},
                  target=Fraction(1, 2))],
    )  # fmt: skip
    found = execute(made, Settings("smoke")).judgement
    assert (found.verdict, found.cause) == ("inconclusive", Cause.BUDGET), found.reason
    assert "budget={'smoke':" in found.would_decide


def test_a_pass_has_no_cause():
    made = claim("doubles", domain={n: integers(1)}, grid=SIZES, closed_form=2 * n,
                 relation=equals(), legs=[leg("value", lambda n: 2 * n)])  # fmt: skip
    found = execute(made, Settings("smoke")).judgement
    assert (found.verdict, found.cause) == ("pass", None)
