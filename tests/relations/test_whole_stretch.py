"""Sweeps that mislead a look at their ends: what oscillates, jumps or drifts in the middle settles
nowhere, a sweep that ends inside a crossover refutes nothing, and small sizes cost a true law nothing."""

import math
from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq

from theorycheck.numbers.enclosure import Enclosure
from theorycheck.relations.base import Expected, Row, TargetResolutions
from theorycheck.relations.bounds import at_least, at_most
from theorycheck.relations.constants import up_to_constant
from theorycheck.relations.convergence import converges_to, decays_as
from theorycheck.relations.equality import equals
from theorycheck.relations.scaling import scales_as

TARGETS = TargetResolutions()
SIZES = [2**k for k in range(3, 23)]


def exact(x):
    q = Fraction(x)
    return fmpq(q.numerator, q.denominator)


def rows(f, law, sizes=SIZES, relative=0.0, seed=None):
    """Intervals of relative half-width ``relative`` around values that are off by a part of it."""
    rng = None if seed is None else np.random.default_rng(seed)
    made = []
    for n in sizes:
        value = Fraction(f(n))
        if rng is not None:
            value *= 1 + Fraction(float(rng.uniform(-relative, relative)))
        wide = Fraction(relative) * abs(value)
        target = exact(law(n))
        made.append(
            Row(
                {"n": n},
                Enclosure(exact(value - wide), exact(value + wide)),
                Expected("ok", Enclosure(target, target)),
                "sampled" if relative else "certified",
                samples=100 if relative else 0,
            )
        )
    return made


def factors(name, size, sizes=SIZES):
    """By how much a sequence of this kind is off at each size."""
    m = len(sizes)
    return {
        "period 2": [size if i % 2 else 1 for i in range(m)],
        "period 3": [size if i % 3 == 1 else 1 for i in range(m)],
        "period 4": [size if i % 4 == 1 else 1 for i in range(m)],
        "four in the middle": [size if i in (6, 9, 11, 14) else 1 for i in range(m)],
        "four at the start": [size if i < 4 else 1 for i in range(m)],
        "four early ones": [size if i in (1, 3, 4, 6) else 1 for i in range(m)],
        "one in the middle": [size if i == 10 else 1 for i in range(m)],
        "one early": [size if i == 2 else 1 for i in range(m)],
        "the last one": [size if i == m - 1 else 1 for i in range(m)],
        "a step": [size if i >= 8 else 1 for i in range(m)],
        "a step down": [1 if i >= 8 else size for i in range(m)],
        "a drift in the middle": [size ** min(1, max(0, (i - 7) / 5)) for i in range(m)],
        "a wave": [math.exp(math.log(size) / 2 * math.sin(2.3 * math.log(n))) for n in sizes],
    }[name]


KINDS = ("period 2", "period 3", "period 4", "four in the middle", "four at the start",
         "four early ones", "one in the middle", "one early", "the last one", "a step",
         "a step down", "a drift in the middle", "a wave")  # fmt: skip


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("size", [2, 100])
@pytest.mark.parametrize("relative", [0.0, 0.01])
def test_what_jumps_or_oscillates_never_passes(name, size, relative):
    off = dict(zip(SIZES, factors(name, size), strict=True))
    grows = rows(lambda n: n * off[n], lambda n: n, relative=relative, seed=1)
    falls = rows(
        lambda n: Fraction(1, n) * Fraction(off[n]),
        lambda n: Fraction(1, n),
        relative=relative,
        seed=2,
    )
    assert scales_as("n").decide(grows, TARGETS).verdict != "pass"
    assert decays_as("n").decide(falls, TARGETS).verdict != "pass"
    constant = up_to_constant(equals(), in_="n")
    assert constant.decide(grows, TARGETS).verdict == "inconclusive"
    for limit in (off[SIZES[-1]], 1):
        values = rows(lambda n: off[n], lambda n, limit=limit: limit, relative=relative, seed=3)
        d = converges_to("n").decide(values, TARGETS)
        assert d.verdict == "inconclusive" and not d.extra.get("elsewhere", False), d.reason
        assert "not steady" in d.reason or "still moving" in d.reason


def test_the_reason_names_where_it_jumps():
    off = dict(zip(SIZES, factors("one in the middle", 100), strict=True))
    d = scales_as("n").decide(rows(lambda n: n * off[n], lambda n: n), TARGETS)
    assert "not steady; between n=8192 and n=16384" in d.reason or (
        "not steady; between n=4096 and n=8192" in d.reason
    )
    assert d.would_decide.startswith("sizes between these")


def test_a_law_that_turns_into_another_is_refuted():
    """n, then n**1.3 from the middle on, which is the law that may be true: of the later sizes."""
    turn = SIZES[10]
    rising = rows(lambda n: n * max(1.0, n / turn) ** 0.3, lambda n: n)
    assert scales_as("n").decide(rising, TARGETS).verdict == "fail"
    d = scales_as("n").decide(
        rows(lambda n: n * max(1.0, n / turn) ** 0.3, lambda n: n**1.3), TARGETS
    )
    assert d.verdict != "fail" and (d.verdict != "pass" or "from" in d.extra)


@pytest.mark.parametrize("first", range(8))
@pytest.mark.parametrize(
    "f",
    [
        lambda n: Fraction(1, n * n),
        lambda n: Fraction(1, n * n + 1),
        lambda n: Fraction(1, n * n) + Fraction(1, n**3),
        lambda n: Fraction(n + 10, n**3),
        lambda n: Fraction(n * n + 100, n**4),
    ],
)
def test_small_sizes_do_not_cost_a_true_law_its_pass(f, first):
    """n**-2 on 1 .. 4096, on 2 .. 4096, and so on: corrections are large at the small sizes only."""
    sizes = [2**k for k in range(first, 13)]
    d = scales_as("n").decide(rows(f, lambda n: Fraction(1, n * n), sizes), TARGETS)
    assert d.verdict == "pass", d.reason
    limit = rows(lambda n: f(n) * n * n, lambda n: 1, sizes)
    assert converges_to("n").decide(limit, TARGETS).verdict == "pass"


def test_a_pass_that_rests_on_later_sizes_says_from_where():
    d = scales_as("n").decide(rows(lambda n: n * n + 10**5, lambda n: n * n, SIZES), TARGETS)
    assert d.verdict == "pass" and d.extra["from"].startswith("n=")


@pytest.mark.parametrize("last", range(11, 23))
@pytest.mark.parametrize("relative", [0.0, 0.01])
def test_a_sweep_that_ends_inside_a_crossover_refutes_nothing(last, relative):
    sizes = [2**k for k in range(4, last + 1)]
    for law in (lambda n: n, lambda n: n * n):
        made = rows(lambda n: Fraction(n * n, n + 10**4), law, sizes, relative, seed=last)
        d = scales_as("n").decide(made, TARGETS)
        if law(2) == 2:
            assert d.verdict == "inconclusive", d.reason
        else:
            assert d.verdict != "pass"


def test_a_crossover_is_named_and_another_power_is_none():
    sizes = [2**k for k in range(4, 13)]
    d = scales_as("n").decide(
        rows(lambda n: Fraction(n * n, n + 10**4), lambda n: n, sizes), TARGETS
    )
    assert "crossover" in d.reason and d.would_decide == "larger n"
    for f in (lambda n: n * n, lambda n: n**1.5):
        assert scales_as("n").decide(rows(f, lambda n: n, sizes), TARGETS).verdict == "fail"


def test_a_crossover_that_the_sweep_leaves_behind_passes():
    sizes = [2**k for k in range(4, 29)]
    d = scales_as("n").decide(
        rows(lambda n: Fraction(n * n, n + 10**4), lambda n: n, sizes), TARGETS
    )
    assert d.verdict == "pass" and "from" in d.extra


@pytest.mark.parametrize("first", [2, 4, 6, 10])
@pytest.mark.parametrize("last", [14, 17, 20, 25, 30, 40])
@pytest.mark.parametrize("q", [0.25, 0.5, 1, "log log"])
@pytest.mark.parametrize("sign", [1, -1])
def test_slow_factors_pass_only_where_they_are_named(first, last, q, sign):
    """n log log n for n, and n (log n)**q: named as not resolved, or not passed."""
    if last - first < 5:
        return

    def slow(n):
        return math.log(math.log(n)) if q == "log log" else math.log(n) ** q

    made = rows(lambda n: n * slow(n) ** sign, lambda n: n, [2**k for k in range(first, last)])
    d = scales_as("n").decide(made, TARGETS)
    if d.verdict == "pass":
        named = d.extra["unresolved"]
        assert ("log log" if q == "log log" else f"(log n)**({'+' if sign > 0 else '-'}") in named
        assert "not resolved: log" in d.reason
    d = up_to_constant(equals(), in_="n").decide(made, TARGETS)
    assert d.verdict != "pass" or "log" in d.extra["unresolved"]


@pytest.mark.parametrize("inner", [at_most(), at_least()])
def test_a_bound_up_to_a_constant_follows_its_records(inner):
    """A bounded wave is within a constant of the law; a constant that keeps rising is not."""
    sign = 1 if inner.name == "at_most" else -1
    relation = up_to_constant(inner, in_="n")
    wave = dict(zip(SIZES, factors("period 2", 2.0), strict=True))
    assert relation.decide(rows(lambda n: n * wave[n], lambda n: n), TARGETS).verdict == "pass"
    for name in ("a step", "a drift in the middle", "the last one"):
        off = dict(zip(SIZES, factors(name, 4.0), strict=True))
        made = rows(lambda n, off=off: n * off[n] ** sign, lambda n: n)
        assert relation.decide(made, TARGETS).verdict == "inconclusive"
        other = rows(lambda n, off=off: n * off[n] ** -sign, lambda n: n)
        assert relation.decide(other, TARGETS).verdict == "pass"


def test_a_limit_that_is_met_in_smaller_and_smaller_swings_passes():
    """Partial sums of 1 - 1/2 + 1/3 - ..., at sizes of either parity."""
    sizes = [math.ceil(4 * 1.5**k) for k in range(16)]

    def partial(n):
        return sum(Fraction((-1) ** (k + 1), k) for k in range(1, n + 1))

    d = converges_to("n").decide(rows(partial, lambda n: math.log(2), sizes), TARGETS)
    assert d.verdict == "pass", d.reason
    low, high = d.extra["limit"]
    assert low <= math.log(2) <= high


def test_a_rate_that_rises_in_the_middle_is_vacuous():
    def rate(n):
        return Fraction(4 if n == SIZES[14] else 1, n)

    d = decays_as("n").decide(rows(rate, rate), TARGETS)
    assert d.verdict == "inconclusive" and d.reason.startswith("vacuous")


def test_every_size_of_a_long_sweep_is_looked_at():
    sizes = range(2, 3000)
    d = scales_as("n").decide(rows(lambda n: n, lambda n: n, sizes), TARGETS)
    assert d.verdict == "pass"
    d = scales_as("n").decide(
        rows(lambda n: n * (3 if n == 1777 else 1), lambda n: n, sizes), TARGETS
    )
    assert d.verdict == "inconclusive" and "n=177" in d.reason
