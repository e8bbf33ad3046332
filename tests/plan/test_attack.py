"""The engine's own points: what they find that a grid lets pass, what they may not refute, and that nothing
but domain, leg and profile chooses them."""

from fractions import Fraction

import pytest
import sympy as sp

from theorycheck import (
    at_most,
    attained,
    certificate,
    claim,
    equals,
    hypothesis,
    instances,
    integers,
    leg,
    maximises,
    odd_integers,
    primes,
    probability,
    reals,
    scales_as,
    search,
    variant,
)
from theorycheck.engine.execute import execute
from theorycheck.evidence.cached import CachedOnly, InMemory
from theorycheck.numbers.structured import spectra, vectors
from theorycheck.plan.attack import FAR, REQUIRED, attacked, far, required
from theorycheck.plan.keys import Purpose
from theorycheck.plan.plan import make_plan
from theorycheck.plan.settings import Settings

n, p, k = sp.symbols("n p k", integer=True, positive=True)
x = sp.symbols("x", real=True)
SMOKE = Settings("smoke", 3)


def made(simulation, domain, grid, form, relation=None, **parts):
    options = {key: parts.pop(key) for key in ("where", "mutate", "legs") if key in parts}
    legs = options.pop("legs", None) or [leg("value", simulation, **parts)]
    return claim("planted", domain=domain, grid={"smoke": grid}, closed_form=form,
                 relation=relation or equals(), legs=legs, **{"mutate": False, **options})  # fmt: skip


def judged(c, settings=SMOKE):
    return execute(c, settings, figures=False).judgement


def units_mod(p):
    """Number of residues with an inverse mod p."""
    return sum(sp.gcd(a, p) == 1 for a in range(1, p))


def test_primes_widened_to_odd_integers_fall_at_nine():
    """The grid 3, 5, 7 cannot tell them apart."""
    right = made(units_mod, {p: primes(3)}, {p: [3, 5, 7]}, p - 1)
    wide = made(units_mod, {p: odd_integers(3)}, {p: [3, 5, 7]}, p - 1)
    assert judged(right).verdict == "pass"
    found = judged(wide)
    assert found.verdict == "fail"
    assert found.counterexample.point == {"p": 9}
    assert found.counterexample.confirmed is True


def triangle(k, p):
    return min(k, p)


def test_a_dropped_condition_falls_at_the_smallest_members():
    grid = [{k: 2, p: 3}, {k: 3, p: 5}]
    domain = {k: integers(1), p: integers(1)}
    assert judged(made(triangle, domain, grid, k, where=k <= p)).verdict == "pass"
    found = judged(made(triangle, domain, grid, k))
    assert (found.verdict, found.counterexample.point) == ("fail", {"k": 2, "p": 1})


def least_common_multiple(p, k):
    return sp.lcm(p, k)


@pytest.mark.parametrize("apart", [True, False])
def test_two_parameters_that_only_differ_on_the_grid_are_made_equal(apart):
    """Small equal primes are excluded, and the grid compares different ones."""
    different = sp.Ne(p, k) if apart else True
    where = sp.And(p + k >= 12, different)
    grid = [{p: 5, k: 11}, {p: 11, k: 13}]
    c = made(least_common_multiple, {p: primes(), k: primes()}, grid, p * k, where=where)
    assert judged(c).verdict == ("pass" if apart else "fail")
    tied = [
        chosen
        for chosen in required(c, c.legs[0], "smoke")
        if "rest as in" in chosen.why and " = " in chosen.why
    ]
    assert [(chosen.point, chosen.why) for chosen in tied] == (
        [] if apart else [({"p": 11, "k": 11}, "p = k, the rest as in the grid")]
    )


def test_a_size_is_not_made_equal_to_what_is_no_size():
    """Spectra of d entries cannot be had at d = 1/2, and nobody is asked."""
    d, lam = sp.symbols("d lam", integer=True)
    domain = {lam: spectra(d), d: integers(1), x: reals(0)}
    grid = [{lam: (2, 1), d: 2, x: Fraction(1, 2)}]
    c = made(lambda lam, d, x: x * len(lam), domain, grid, d * x)
    tried = [one.point["d"] for one in required(c, c.legs[0], "deep")]
    assert tried and all(isinstance(size, int) for size in tried)


def test_a_minimal_grid_buys_no_rest():
    wrong = made(lambda n: 2 if n == 1 else n, {n: integers(1)}, {n: [2]}, n)
    assert judged(wrong).counterexample.point == {"n": 1}


def excess(n, k, x):
    return max(Fraction(x), 0) + n - k


@pytest.mark.parametrize(
    ("domain", "verdict"), [(reals(), "fail"), (reals(0), "pass"), (reals(-5), "fail")]
)
def test_of_a_real_that_may_be_negative_some_negative_number_is_tried(domain, verdict):
    """Among several parameters the special values of the others come first."""
    grid = [{n: 6, k: 1, x: 1}, {n: 9, k: 2, x: 2}, {n: 12, k: 4, x: 0}]
    c = made(excess, {n: integers(2), k: integers(1), x: domain}, grid, x + n - k, where=k <= n)
    assert judged(c).verdict == verdict
    lowest = min(chosen.point["x"] for chosen in required(c, c.legs[0], "smoke"))
    assert (lowest < 0) == (verdict == "fail")


def inverse(x):
    if x == 0:
        raise ZeroDivisionError("nothing to invert")
    return 1 / Fraction(x)


@pytest.mark.parametrize(
    ("simulation", "form", "words"),
    [
        (inverse, 1 / x, "ZeroDivisionError: nothing to invert"),
        (lambda x: 0 if x == 0 else 1 / Fraction(x), 1 / x, "the closed form is undefined there"),
    ],
)
def test_a_required_point_that_cannot_be_computed_blocks_the_pass(simulation, form, words):
    grid = {x: [1, Fraction(1, 3)]}
    found = judged(made(simulation, {x: reals(0)}, grid, form))
    assert found.verdict == "inconclusive"
    assert found.reason.startswith("not computable at x=0 (value: ")
    assert words in found.reason and found.reason.endswith("exclude it or mend it")
    assert found.attack.not_reached
    excluded = judged(made(simulation, {x: reals(0, low_open=True)}, grid, form))
    assert excluded.verdict == "pass"


def turned(ns, x):
    return ns.sqrt(ns.number(2)) * ns.cos(x)


@pytest.mark.parametrize(("low_open", "verdict"), [(False, "inconclusive"), (True, "pass")])
def test_a_strict_bound_that_may_be_met_at_a_required_point_blocks_the_pass(low_open, verdict):
    """sqrt(2) cos(x) < sqrt(2) is false at x = 0 alone, where two enclosures of one irrational number overlap."""
    domain = {x: reals(0, 1, low_open=low_open)}
    bound = {"relation": at_most(strict=True), "arithmetic": "ball"}
    found = judged(made(turned, domain, {x: [Fraction(1, 2), 1]}, sp.sqrt(2), **bound))
    assert found.verdict == verdict
    if low_open:
        return
    assert found.reason.startswith("undecided at x=0 (value: ball: the bound may be ")
    touching = {**bound, "relation": at_most()}
    assert (
        judged(made(turned, domain, {x: [Fraction(1, 2), 1]}, sp.sqrt(2), **touching)).verdict
        == "pass"
    )


def test_a_leg_speaks_only_of_what_its_own_condition_admits():
    def odd_only(n):
        return n if n % 2 else n + 1

    grid = {n: [1, 3, 5]}
    wide = made(None, {n: integers(1)}, grid, n, legs=[leg("odd", odd_only)])
    narrow = made(
        None, {n: integers(1)}, grid, n, legs=[leg("odd", odd_only, where=sp.Eq(n % 2, 1))]
    )
    assert judged(wide).verdict == "fail"
    assert judged(narrow).verdict == "pass"
    assert all(u.point["n"] % 2 for u in make_plan(narrow, SMOKE).attack)


def test_what_a_failing_point_does_not_refute_is_left_alone():
    law = made(lambda n: n, {n: integers(1)}, {n: [2**j for j in range(3, 12)]}, n, scales_as(n))
    assert make_plan(law, SMOKE).attack == ()
    optimum = made(
        None,
        {n: integers(1)},
        {n: [2, 3]},
        n,
        maximises(),
        legs=[attained(lambda n: n), certificate(lambda n: n), search(lambda n: n - 1)],
    )
    assert [attacked(optimum, lg) for lg in optimum.legs] == [True, True, False]
    outside = leg("l", lambda n: n, arithmetic="external", model="a GPU", error=0)
    assert not attacked(made(None, {n: integers(1)}, {n: [2]}, n, legs=[outside]), outside)


def test_a_leg_that_is_not_needed_refutes_and_does_not_block():
    """As on the grid: what shows the claim false decides, what cannot be computed is another's business."""
    wrong, broken = (
        made(None, {n: integers(1)}, {n: [2, 3]}, n, legs=[leg("needed", lambda n: n), spare])
        for spare in (
            leg("spare", lambda n: n if n > 1 else 0, required=False),
            leg("spare", lambda n: n if n > 1 else n // 0, required=False),
        )
    )
    assert judged(wrong).verdict == "fail"
    assert judged(wrong).counterexample.point == {"n": 1}
    found = judged(broken)
    assert found.verdict == "pass" and found.attack.not_reached


def normalised(n, v):
    size = sum(abs(Fraction(t)) for t in v)
    return 1 if size == 0 else sum(abs(Fraction(t)) / size for t in v) + (len(set(v)) == 1)


def test_special_instances_are_tried_and_met_again():
    """Random vectors have no equal entries; the domain of the field knows vectors that do."""
    legs = [leg("value", normalised, instances=instances({"v": vectors(n)}, smoke=3))]
    wrong = made(None, {n: integers(3)}, {n: [3]}, sp.Integer(1) + 0 * n, legs=legs)
    found = judged(wrong)
    assert found.verdict == "fail"
    assert found.counterexample.confirmed is True


def coin(rng, ns, size, n):
    return rng.uniform((size,)) < (ns.rational(1, 2) if n > 1 else ns.rational(9, 10))


def test_sampled_legs_are_attacked_inside_their_share_of_alpha():
    wrong = made(
        coin,
        {n: integers(1)},
        {n: [2, 3]},
        sp.Rational(1, 2) + 0 * n,
        statistic=probability(),
        block=256,
    )
    plan = make_plan(wrong, SMOKE)
    assert plan.attack and {u.level for u in plan.attack} == {plan.budget.attack}
    grid = sum(u.level for u in plan.units)
    whole = (
        grid
        + sum(u.level for u in (*plan.attack, *(u for ladder in plan.far for u in ladder)))
        + plan.budget.confirm(1)
    )
    assert whole < plan.budget.spent
    assert judged(wrong).counterexample.point == {"n": 1}


def test_beside_several_open_ends_the_points_are_small():
    """With every real at the millionth beside its open end the whole point would be far, and none required."""
    x, y = sp.symbols("x y", positive=True)
    domain = {x: reals(0, low_open=True), y: reals(0, low_open=True)}
    where = (x <= y, x * y <= 1)
    c = made(lambda x, y: x + y, domain, [{x: Fraction(1, 3), y: 1}], x + y, where=where)
    points = [chosen.point for chosen in required(c, c.legs[0], "smoke")]
    assert {"x": 1, "y": 1} in points and len(points) >= 3
    wrong = made(
        lambda x, y: x + y,
        domain,
        [{x: Fraction(1, 3), y: 1}],
        x + y + (x - y) * (x - Fraction(1, 3)),
        where=where,
    )
    assert judged(wrong).verdict == "fail"


def test_points_depend_on_domain_leg_and_profile_alone():
    c = made(triangle, {k: integers(1), p: odd_integers(3)}, [{k: 2, p: 9}], k, where=k <= p)
    for profile in REQUIRED:
        first, again = (required(c, c.legs[0], profile) for _ in range(2))
        assert first == again and len(first) <= REQUIRED[profile]
        out = [chosen for ladder in far(c, c.legs[0], profile) for chosen in ladder]
        assert len(out) <= FAR[profile]
        assert all(c.admits(chosen.point) for chosen in (*first, *out))
    assert len({u.key for u in make_plan(c, Settings("deep")).attack}) >= 4


def test_far_points_refute_and_never_block():
    """False beyond 25, where the grid ends at 10."""
    bound = made(lambda n: n if n < 26 else n + 1, {n: integers(1)}, {n: [3, 10]}, n, at_most())
    assert judged(bound).verdict == "pass"
    for profile in ("standard", "deep", "paper"):
        found = judged(bound, Settings(profile, 3))
        assert found.verdict == "fail" and found.counterexample.worst.point["n"] > 25

    def breaks(n):
        if n > 10:
            raise MemoryError("too large")
        return n

    large = judged(made(breaks, {n: integers(1)}, {n: [3, 10]}, n), Settings("standard", 3))
    assert large.verdict == "pass"
    assert large.attack.far and any("too large" in line for line in large.attack.not_reached)


def test_far_points_go_beyond_a_grid_that_goes_far():
    """False beyond 8000, where the grid ends at 1000 times the smallest member."""
    bound = made(lambda n: n + (n > 8000), {n: integers(1)}, {n: [1, 1000]}, n, at_most())
    found = judged(bound, Settings("standard", 3))
    assert found.verdict == "fail" and found.counterexample.worst.point["n"] > 8000


def test_a_ladder_ends_where_it_is_not_reached():
    """More than a hundred thousand steps for n = 40: the next of that ladder, 1000, is not tried."""
    asked = []

    def slow(n, p):
        asked.append((n, p))
        return n + sum(0 for _ in range(6000 * n))

    c = made(slow, {n: integers(1), p: integers(1)}, {n: [2, 3], p: [1, 2]}, n)
    found = judged(c, Settings("standard", 3))
    assert found.verdict == "pass" and found.attack.not_reached
    assert max(n for n, _ in asked) == 40
    assert max(p for _, p in asked) >= 1000  # the other ladder goes on


def test_what_is_special_stands_alone():
    """A border that cannot be computed does not keep the next special value from being tried."""

    def slow_below(x, k):
        if x < Fraction(1, 1000):
            raise MemoryError("too small")
        return x + k * (x > Fraction(999, 1000))

    both = {x: reals(0, 1, low_open=True, high_open=True), k: integers(1)}
    c = made(slow_below, both, [{x: Fraction(1, 3), k: 2}], x)
    assert all(len(ladder) == 1 for ladder in far(c, c.legs[0], "standard")[:4])
    assert judged(c, Settings("standard", 3)).verdict == "fail"


def test_far_points_hold_what_is_special_and_too_large_to_be_required():
    """15 is the first odd number that is no prime power; the grid ends at 9."""
    c = made(lambda p: p, {p: odd_integers(3)}, {p: [3, 5, 9]}, p)
    assert all(chosen.point["p"] < 15 for chosen in required(c, c.legs[0], "standard"))
    assert far(c, c.legs[0], "standard")[0][0].point == {"p": 15}
    assert not far(c, c.legs[0], "smoke")


def test_the_attack_is_evidence_that_is_kept():
    c = made(
        triangle, {k: integers(1), p: integers(2)}, [{k: 2, p: 3}], k, where=k <= p, mutate=True
    )
    kept = InMemory()
    first = execute(c, SMOKE, kept)
    again = execute(c, SMOKE, CachedOnly(kept))
    assert again.fresh == 0 and again.judgement == first.judgement
    seen = [o for o in first.observations if o.purpose is Purpose.ATTACK]
    assert len(seen) == first.judgement.attack.required > 0
    assert first.judgement.points == 1  # the grid's; the attack is counted apart


def test_a_claim_that_its_grid_refutes_is_not_attacked():
    wrong = made(lambda n: n, {n: integers(1)}, {n: [2]}, 2 * n, legs=None)
    found = judged(wrong)
    assert found.verdict == "fail" and found.attack is None
    assert variant("v", closed_form=n)  # rivals are not attacked either: they are to fall


# ---- what lies inside the domain decides


def only_odd(n):
    return n if n % 2 else 2 * n


def test_a_needed_hypothesis_inside_the_domain_is_a_counterexample():
    """Verified, and "needed", side by side: the witness lies where the claim speaks."""

    def needs_odd(domain, **parts):
        return claim("odd", domain=domain, grid={"smoke": {n: [1, 3, 5, 7]}}, closed_form=n,
                     legs=[leg("value", only_odd, **parts)], mutate=False,
                     assumes=[hypothesis("odd", without={n: [40]})])  # fmt: skip

    inside = judged(needs_odd({n: integers(1)}))
    assert inside.verdict == "fail" and inside.counterexample.confirmed is True
    outside = judged(needs_odd({n: odd_integers(1)}))
    assert outside.verdict == "pass"
    assert outside.hypotheses[0].needed == "needed"


def test_a_rival_that_changes_points_alone_refutes_from_inside():
    def late(n):
        return n if n < 30 else n + 1

    def with_rival(domain):
        return claim("late", domain=domain, grid={"smoke": {n: [1, 2, 3]}}, closed_form=n,
                     legs=[leg("value", late)], mutate=False,
                     rivals=[variant("large n", at={n: [30]})])  # fmt: skip

    found = judged(with_rival({n: integers(1)}))
    assert (found.verdict, found.counterexample.worst.point) == ("fail", {"n": 30})
    outside = judged(with_rival({n: integers(1, 29)}))
    assert outside.verdict == "pass" and outside.rivals[0].refuted


def test_a_border_that_no_rational_meets_is_approached_from_inside():
    """y exp(x) <= 5/2 at x = 1: y up to 0.9197; what is false from 9/10 on is not seen at a half."""
    x, y = sp.symbols("x y", positive=True)
    domain = {x: reals(0, low_open=True), y: reals(0, low_open=True)}

    def short(x, y):
        return 1 if y <= Fraction(9, 10) or x != 1 else 2

    wide, right = (
        made(short, domain, [{x: 1, y: Fraction(1, 2)}], 1 + 0 * x, where=y * sp.exp(x) <= reach)
        for reach in (sp.Rational(5, 2), sp.Rational(12, 5))
    )
    assert judged(right).verdict == "pass"
    found = judged(wide)
    assert found.verdict == "fail"
    assert Fraction(9, 10) < Fraction(found.counterexample.point["y"]) < Fraction(92, 100)
