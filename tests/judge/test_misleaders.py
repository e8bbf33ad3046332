"""Programs whose floats agree with one another and are wrong: none of them may make a lie pass or refute
a truth, whatever arithmetic the simulation runs in.

Every case names the truth, and the lie that float64 believes in.
"""

from fractions import Fraction

import array_api_compat.numpy as xp
import pytest
import sympy as sp

from theorycheck import at_most, claim, integers, leg
from theorycheck.arrays import FloatNamespace
from theorycheck.engine.execute import execute
from theorycheck.plan.settings import Settings

n = sp.Symbol("n", integer=True, positive=True)
ARITHMETICS = ("rational", "ball", "interval")


def judged(form, simulation, arithmetic, at, **parts):
    c = claim("misleader", domain={n: integers(at)}, grid={"smoke": {n: [at]}}, closed_form=form,
              legs=[leg("value", simulation, arithmetic=arithmetic)], mutate=False, **parts)  # fmt: skip
    return execute(c, Settings("smoke", 0)).judgement


def floats(simulation, at):
    return Fraction(float(simulation(FloatNamespace(xp), at)))


def muller(ns, n):
    """x_{i+1} = 108 - (815 - 1500/x_{i-1}) / x_i from 4 and 17/4: tends to 5, in floats to 100."""
    x, y = ns.asarray(4), ns.rational(17, 4)
    for _ in range(n):
        x, y = y, 108 - (815 - 1500 / x) / y
    return y


def rump(ns, n):
    """Rump's polynomial at (77617, 33096), n copies of it: -54767/66192 each, in floats about 1e21."""
    a, b = ns.asarray(77617), ns.asarray(33096)
    a2, b2 = a * a, b * b
    b4 = b2 * b2
    value = (
        ns.rational(1335, 4) * b4 * b2
        + a2 * (11 * a2 * b2 - b4 * b2 - 121 * b4 - 2)
        + ns.rational(11, 2) * b4 * b4
        + a / (2 * b)
    )
    return value * n


def chaotic(ns, n):
    """n steps of x -> 4 x (1 - x) from 1/3: sin(2**n asin(sqrt(1/3)))**2."""
    x = ns.rational(1, 3)
    for _ in range(n):
        x = 4 * x * (1 - x)
    return x


def tenths(ns, n):
    """n tenths, added one by one: 1 for n = 10, in floats 0.9999999999999999."""
    total = ns.asarray(0)
    for _ in range(n):
        total = total + ns.rational(1, 10)
    return total


def reaches_one(ns, n):
    """1 if n tenths reach 1: they do for n = 10, in floats they do not."""
    total = tenths(ns, n)
    return ns.where(total >= 1, ns.asarray(1), ns.asarray(0))


def falling(ns, n):
    """1 + 2**-n - 1, the size of an error that contracts: in floats 0 from n = 53 on."""
    half = ns.asarray(1)
    for _ in range(n):
        half = half / 2
    return (1 + half) - 1


CASES = {
    "Muller's recurrence": (
        muller, 60, (5 ** (n + 2) + 3 ** (n + 2)) / (5 ** (n + 1) + sp.Integer(3) ** (n + 1)), 100,
        1e-9,
    ),
    "Rump's polynomial": (rump, 1, -sp.Rational(54767, 66192) * n, None, None),
    "a chaotic iteration": (
        chaotic, 150, sp.sin(2**n * sp.asin(sp.sqrt(sp.Rational(1, 3)))) ** 2, None, None,
    ),
    "a sum of tenths": (tenths, 10, n / 10, None, None),
    "a branch that floats miss": (reaches_one, 10, sp.Integer(1), 0, 0),
    "an error below the rounding floor": (falling, 200, 2 ** (-n), 0, 0),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_floats_believe_the_lie(name):
    """Otherwise the cases would show nothing."""
    simulation, at, truth, lie, near = CASES[name]
    found = floats(simulation, at)
    if lie is not None:
        assert abs(found - lie) <= near
    exact = Fraction(str(sp.N(truth.subs(n, at), 30)))
    assert abs(found - exact) > 2**-60 * max(1, abs(exact)) or found == 0 != exact


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("arithmetic", ARITHMETICS)
def test_the_truth_is_never_refuted(name, arithmetic):
    simulation, at, truth, _, _ = CASES[name]
    if name == "a chaotic iteration" and arithmetic == "rational":
        at = 12  # the numerator doubles its length with every step
    j = judged(truth, simulation, arithmetic, at)
    assert j.verdict != "fail", j.reason
    if arithmetic == "rational":
        assert j.verdict == "pass", j.reason


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("arithmetic", ARITHMETICS)
def test_what_floats_believe_is_no_false_pass(name, arithmetic):
    simulation, at, _, lie, _ = CASES[name]
    if name == "a chaotic iteration" and arithmetic == "rational":
        at = 12
    believed = floats(simulation, at) if lie is None else Fraction(lie)
    j = judged(
        sp.Rational(believed.numerator, believed.denominator) + 0 * n, simulation, arithmetic, at
    )
    if j.verdict == "pass":  # an unresolved lie: nearer to the truth than the stated resolution
        truth = Fraction(str(sp.N(CASES[name][2].subs(n, at), 40)))
        size = 1 if j.resolution.kind == "absolute" else abs(believed)
        assert abs(believed - truth) <= Fraction(j.resolution.value) * size
        assert j.resolution.value < 1e-12
    if arithmetic == "rational":
        assert j.verdict == "fail"


@pytest.mark.parametrize(
    "name", ["Muller's recurrence", "Rump's polynomial", "a chaotic iteration"]
)
def test_balls_decide_what_floats_cannot(name):
    simulation, at, truth, _, _ = CASES[name]
    assert judged(truth, simulation, "ball", at).verdict == "pass"
    assert judged(truth * (1 + sp.Rational(1, 10**12)), simulation, "ball", at).verdict == "fail"


@pytest.mark.parametrize("arithmetic", ARITHMETICS)
def test_a_bound_below_the_rounding_floor_is_not_violated_by_rounding(arithmetic):
    """|error| <= 2**-n at n = 200 is attained; floats of its program cannot see anything below 2**-53."""
    assert judged(2 ** (-n), falling, arithmetic, 200, relation=at_most()).verdict != "fail"
    j = judged(2 ** (-n) / 4, falling, arithmetic, 200, relation=at_most())
    assert j.verdict == ("inconclusive" if arithmetic == "interval" else "fail")


@pytest.mark.parametrize("arithmetic", ARITHMETICS)
def test_the_literal_one_tenth_is_no_tenth(arithmetic):
    j = judged(n / 10, lambda ns, n: ns.asarray(n) * 0.1, arithmetic, 1)
    assert j.verdict == "error" and "0.1" in j.reason
