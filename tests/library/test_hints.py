"""Simulations that cost nothing are named, and change no verdict."""

import math
from fractions import Fraction

import pytest
import sympy as sp

from theorycheck import bounded, claim, instances, integers, leg, mean
from theorycheck.cli import call
from theorycheck.engine.execute import execute
from theorycheck.library.hints import hints
from theorycheck.plan.settings import Settings

n = sp.Symbol("n", integer=True, positive=True)


def retyped(n):
    """n(n+1)/2, typed a second time."""
    return n * (n + 1) // 2


def with_a_name(n):
    half = Fraction(n, 2)
    return half * (n + 1)


def with_a_branch(n):
    if n % 2:
        return n * ((n + 1) // 2)
    return (n // 2) * (n + 1)


def through_a_helper(n):
    return 1 * retyped(n)


def through_math(n):
    return math.comb(n + 1, 2)


def in_balls(ns, n):
    return ns.sqrt(ns.rational(1, 4)) * n * (n + 1) + 0 * ns.pi


def summed(n):
    return sum(range(n + 1))


def looped(n):
    total = 0
    for v in range(n + 1):
        total += v
    return total


def through_a_working_helper(n):
    return looped(n) + 0


def counted(n):
    return len([1 for a in range(n + 1) for b in range(a)])


def made(simulation, **options):
    return claim(
        "c",
        domain={n: integers(1)},
        grid={"smoke": {n: [1, 2, 3]}},
        closed_form=n * (n + 1) / 2,
        legs=[leg("value", simulation, **options)],
    )


@pytest.mark.parametrize(
    "simulation",
    [retyped, with_a_name, with_a_branch, through_a_helper, through_math, in_balls,
     lambda n: n * (n + 1) // 2],
)  # fmt: skip
def test_plain_arithmetic_is_named(simulation):
    assert "typed again" in hints(made(simulation))["value"]


@pytest.mark.parametrize("simulation", [summed, looped, through_a_working_helper, counted])
def test_work_is_not(simulation):
    assert hints(made(simulation)) == {}


def test_data_and_procedures_are_compared_with_something():
    def drawn(n, x):
        return x * n

    with_data = made(
        drawn, instances=instances(lambda rng, n: {"x": 1}, "x", smoke=2), reference=drawn
    )
    assert hints(with_data) == {}
    sampled = made(lambda rng, size, n: rng.uniform(size), statistic=mean(bounded(0, 1)))
    assert hints(sampled) == {}


def test_a_hint_never_changes_a_verdict():
    given, worked = (execute(made(f), Settings("smoke", 0)).judgement for f in (retyped, summed))
    assert (given.verdict, given.resolution) == (worked.verdict, worked.resolution)


DRAFT = """import sympy as sp
from theorycheck import claim, integers
n = sp.Symbol("n", integer=True, positive=True)

@claim("typed", domain={n: integers(1)}, grid={"smoke": {n: [1, 2, 3]}}, closed_form=n**2)
def square(n):
    '''The square.'''
    return n * n
"""


def test_check_show_and_the_report_say_it(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "draft.py").write_text(DRAFT, encoding="utf-8")
    assert call(["check", "draft.py"]) == 0
    assert "hint, leg value: plain arithmetic" in capsys.readouterr().out
    assert call(["run", "draft.py", "--profile", "smoke", "--out", "out"]) == 0
    assert '"hint": "plain arithmetic' in (tmp_path / "out" / "report.json").read_text("utf-8")
    assert "plain arithmetic on the parameters" in (tmp_path / "out" / "report.html").read_text(
        "utf-8"
    )
