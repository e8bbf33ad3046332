"""A counterexample refutes a clause where it lies among what the clause speaks of."""

from fractions import Fraction

import pytest
import sympy as sp

from theorycheck import at_most, claim, formula, integers, leg, reals
from theorycheck.claims.clauses import Clause, parse_prefix
from theorycheck.claims.covering import bind
from theorycheck.engine.execute import execute
from theorycheck.judge.beyond import conditions, outside
from theorycheck.plan.settings import Settings

r = sp.Symbol("r", integer=True, positive=True)
gamma = sp.Symbol("gamma", positive=True)


def bound(made, *prefix):
    clause = Clause("s", "c", "says", "tex", parse_prefix(prefix), "b", "order", "holds", True)
    return bind(made, {"s": {"c": clause}})


def verdict(made):
    return execute(made, Settings("smoke")).judgement


def typed_for(over, prefix, **parts):
    """False below 3/sqrt(r) and nowhere else."""
    made = formula(
        "c", states="s", covers="c", says="gamma*sqrt(r) >= 3", over=over, expect="fail", **parts
    )
    return bound(made, *prefix)


RANGES = ["forall r, gamma in r >= 37, gamma in (3/sqrt r,1/2)"]


@pytest.mark.parametrize(
    "prefix",
    [
        RANGES,
        ["forall r in integers >= 37", "forall gamma in (3/sqrt(r), 1/2), open at both ends"],
        ["forall r in integers >= 37", "forall gamma in [1/2, 1) as printed"],
    ],
)
def test_a_counterexample_outside_of_an_end_refutes_nothing(prefix):
    found = verdict(typed_for(["r in 37..oo", "gamma in (0, 1/2)"], prefix))
    assert found.verdict == "inconclusive"
    assert "refutes nothing of the clause" in found.reason
    assert [c.status for c in found.clauses] == ["inconclusive"]


def test_one_inside_refutes():
    prefix = ["forall r in integers >= 37", "forall gamma in (2/sqrt(r), 1/2)"]
    found = verdict(typed_for(["r in 37..oo", "gamma in (2/sqrt(r), 1/2)"], prefix))
    assert (found.verdict, [c.status for c in found.clauses]) == ("fail", ["refuted"])


def test_what_is_read_off_other_names_is_not_held_to_the_clause():
    prefix = ["forall s, gamma in s >= 37, gamma in (3/sqrt(s), 1/2)"]
    found = verdict(typed_for(["r in 37..oo", "gamma in (0, 1/2)"], prefix, reads={"s": "r"}))
    assert found.verdict == "fail"


def scaled(r, gamma):
    return r * gamma**2


def run_for(*prefix):
    """r gamma^2 <= 9, which fails at the last point, and at simpler ones beside it."""
    made = claim(
        "c",
        states="s",
        covers="c",
        domain={r: integers(1), gamma: reals(0, low_open=True)},
        grid={"smoke": [{r: 40, gamma: Fraction(1, 3)}, {r: 60, gamma: Fraction(2, 5)}]},
        closed_form=sp.Integer(9),
        relation=at_most(),
        legs=[leg("value", scaled)],
        expect="fail",
    )
    return verdict(bound(made, *prefix))


def test_points_are_held_to_expressions_too():
    found = run_for("forall r in integers >= 1", "forall gamma in (0, 3/sqrt(r)]")
    assert found.verdict == "inconclusive"
    assert "gamma = 2/5, r = 60, where s/c has gamma <= 3/sqrt(r)" in found.reason


def test_a_simpler_counterexample_stays_inside():
    found = run_for("forall r in integers >= 38", "forall gamma in (3/sqrt(r), 1/2)")
    assert found.verdict == "fail"
    assert Fraction(found.counterexample.point["gamma"]) < Fraction(1, 2)
    assert int(found.counterexample.point["r"]) >= 38


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("(3/sqrt r,1/2)", ("g > 3/sqrt(r)", "g < 1/2")),
        ("1 <= r < d, g in (0,1/2)", ("1 <= r", "r < d", "g > 0", "g < 1/2")),
        ("integers > r/d^2 + r (no condition)", ("g > r/d**2 + r",)),
        ("0..r-1", ("g >= 0", "g <= r-1")),
        ("[0, infinity)", ("g >= 0",)),
        ("positive integers, r <= d", ("g > 0", "r <= d")),
        # what may be wider than it looks, or is no condition, is not read
        ("(0, 1/2), or 1/d", ()),
        ("(0,1) as printed, (0,O(1/k^3)) by the proof", ()),
        ("g < g'; all pairs", ()),
        ("g -> 0", ()),
        ("|g| <= r", ()),
        ("{1,..,r-1}", ()),
        ("every minimiser", ()),
    ],
)
def test_what_is_read_of_a_range(text, said):
    assert conditions(text, "g", ("r", "d", "g")) == said


def test_names_without_a_value_exclude_nothing():
    found = typed_for(["r in 37..oo", "gamma in (0, 1/2)"], RANGES)
    assert outside(found, found.legs[0], {"gamma": "1/3"}) == ""
    assert outside(found, found.legs[0], {"gamma": "1/3", "r": "pi"}) == ""
    assert "gamma > 3/sqrt(r)" in outside(found, found.legs[0], {"gamma": "1/3", "r": "37"})
