"""Formula claims: proved for their whole domain, or said to be only searched; false ones fall."""

from dataclasses import replace

import pytest
import sympy as sp

from theorycheck import claim, formula, formula_leg, integers, leg, typed, variant
from theorycheck.claims.functions import ClaimError
from theorycheck.engine.execute import Settings, execute
from theorycheck.entries.parts import Resolution
from theorycheck.evidence.proof import Proof
from theorycheck.evidence.workbench import problem_of, prove
from theorycheck.library.loading import load_file


@pytest.fixture(autouse=True)
def _nothing_remembered():
    """A statement is judged once a process; tests change what judges it."""
    prove.cache_clear()
    yield
    prove.cache_clear()


GAUSS = {"says": "Sum(k, (k, 1, n)) == n*(n + 1)/2", "over": "n in 1..oo"}


def judged(claim):
    return execute(claim, Settings("smoke")).judgement


def test_an_identity_is_proved_and_its_rivals_fall():
    wrong = {"n^2": "Sum(k, (k, 1, n)) == n**2", "from zero": {"says": "Sum(k, (k, 1, n)) == 0"}}
    found = judged(formula("gauss", **GAUSS, rivals=wrong))
    assert (found.verdict, found.rung, found.proved) == ("pass", "proved", True)
    assert [r.refuted for r in found.rivals] == [True, True]
    assert found.resolution == Resolution(kind="relative", value=0.0)


def test_a_true_rival_blocks_the_pass():
    found = judged(formula("gauss", **GAUSS, rivals={"true too": "Sum(k, (k, 1, n)) >= n"}))
    assert found.verdict == "inconclusive" and "survivor: true too" in found.reason


def test_a_false_statement_fails_with_its_point_and_both_sides():
    found = judged(formula("false", says="n**2 > n", over="n in 1..oo", rivals={"r": "n < 0"}))
    assert found.verdict == "fail"
    assert found.counterexample.point == {"n": "1"}
    assert (found.counterexample.lhs, found.counterexample.rhs) == ("1", "1")


FAR = ("K >= 1000000",)


@pytest.mark.parametrize(
    ("says", "over", "held"),
    [
        ("n <= K", "K in [1, oo); n in 1..oo", False),
        ("n <= 5*K", "K in [1, oo); n in 1..1000", None),  # false at K = 1, and true from 200 on
        ("n <= K", "K in [1, 2]; n in 1..oo", None),
    ],
)
def test_one_value_that_fails_leaves_the_others(says, over, held):
    """What a clause chooses is asked for at the far end too: one small constant refuted *there is a constant*."""
    statement = replace(typed(says, over=over), far=FAR)
    found = prove(statement)
    assert not found.holds
    if held is None:
        assert found.counterexample is None and "where K >= 1000000: another may do" in found.method
        assert prove(typed(says, over=over)).counterexample is not None
    else:
        assert found.counterexample is not None and found.witness["far"] == list(FAR)


def test_a_finite_domain_is_checked_completely():
    found = judged(
        formula("few", says="isprime(n**2 + n + 41)", over="n in 0..39", rivals={"r": "n < 39"})
    )
    assert (found.verdict, found.rung) == ("pass", "exhaustive")


def test_what_is_only_searched_is_not_called_proved(monkeypatch):
    """Whatever the provers can do, a verdict of the search alone keeps its rung."""
    from theorycheck.evidence import workbench

    def searched(problem, **_):
        return workbench_verdict(problem)

    def workbench_verdict(problem):
        from theorycheck.check.verdict import HOLDS, SEARCHED, Verdict

        return Verdict(problem.statement, problem.scope(), HOLDS, SEARCHED, covered="300 points")

    monkeypatch.setattr(workbench, "check", searched)
    assert prove(typed(**GAUSS)) == Proof(
        True,
        "no counterexample found: 300 points",
        {"statement": GAUSS["says"], "scope": "n in 1..oo", "covered": "300 points", "how": ""},
        rung="searched",
    )
    claim = formula("gauss", **GAUSS)
    found = judged(claim)
    assert (found.verdict, found.rung, found.proved) == ("pass", "searched", False)
    assert found.resolution is None


def test_an_empty_domain_is_no_pass():
    found = judged(
        formula("empty", says="n >= 1", over="n in 1..9", where="n < 0", rivals={"r": "n < 0"})
    )
    assert found.verdict == "inconclusive" and "no point satisfies --where" in found.reason


def test_a_typed_leg_stands_beside_others():
    leg = formula_leg("proof", typed(**GAUSS))
    assert leg.arithmetic.proves
    with pytest.raises(TypeError, match="is data"):
        leg.simulation()


def test_a_typed_leg_is_proved_whatever_points_the_others_try():
    n = sp.Symbol("n", integer=True, positive=True)

    def summed(n):
        return sum(range(n + 1))

    def at_each_point(n):
        return Proof(summed(n) >= 0, "looked at", {})

    found = judged(
        claim(
            "beside",
            domain={n: integers(1)},
            grid={"smoke": {n: [1, 2, 5]}},
            closed_form=n * (n + 1) / 2,
            legs=[
                leg("sums", summed),
                formula_leg("typed", typed(**GAUSS)),
                leg("one by one", at_each_point, arithmetic="proof"),
            ],
            rivals=[
                variant("a square", closed_form=n**2),
                variant("n^2", leg="typed", simulation=typed("n == n**2", over="n in 1..oo")),
                variant(
                    "negative",
                    leg="one by one",
                    simulation=lambda n: Proof(False, "no", {}, {"n": n}),
                ),
            ],
        )
    )
    assert found.verdict == "pass"
    rungs = {entry.name: entry.rung for entry in found.legs}
    assert rungs == {"sums": "certified", "typed": "proved", "one by one": "certified"}


@pytest.mark.parametrize(
    ("parts", "line"),
    [
        ({"says": 3}, "says is text"),
        ({"says": "n > 0", "over": ["n in 1..oo", 4]}, "over is text"),
        ({"says": "n > 0", "seconds": 0}, "seconds is a positive number"),
        ({"says": "n > 0", "rivals": {"r": "n > 0"}}, "is the claim itself"),
        ({"says": "n > 0", "rivals": {"r": {"domain": "n in 1..9"}}}, "some of says, over, where"),
    ],
)
def test_bad_parts_end_in_one_line(parts, line):
    with pytest.raises(ClaimError, match=line) as error:
        formula("bad", **{"over": "n in 1..oo"} | parts)
    assert "\n" not in str(error.value)


def test_slips_in_the_text_are_told_when_the_file_is_loaded(tmp_path):
    with pytest.raises(ClaimError, match="m"):
        problem_of(typed("m > 0", over="n in 1..oo"))
    file = tmp_path / "slip.py"
    file.write_text(
        "from theorycheck import formula\n"
        "a = formula('slip', says='n + > 0', over='n in 1..oo', rivals={'r': 'n < 0'})\n"
    )
    with pytest.raises(ClaimError, match=r"slip\.py: claim slip: "):
        load_file(file)


def test_a_claim_takes_substitutions_and_steps_and_does_not_hold_by_a_wrong_one():
    parts = {"says": "erfc(sqrt(r)) <= exp(-r)", "over": "r in (0, oo)", "let": {"u": "sqrt(r)"}}
    wrong = {"half": "erfc(sqrt(r)) <= exp(-r)/2"}
    found = judged(formula("root", **parts, steps="erfc(u) <= exp(-u**2)", rivals=wrong))
    assert (found.verdict, found.rung) == ("pass", "proved")
    found = judged(formula("root", **parts, steps=["erfc(u) <= exp(-u**2)/2"], rivals=wrong))
    assert found.verdict == "inconclusive" and "the step erfc(u)" in found.reason
    with pytest.raises(ClaimError, match="let maps a new name"):
        typed("x > 0", over="x in (0, 1)", let=["u = x"])


def test_the_load_of_the_machine_is_not_in_the_verdict(monkeypatch):
    """A wall clock that runs twelve times as fast as the processor's, as beside much other work."""
    from time import monotonic

    from theorycheck.check import limits, run

    for module in (limits, run):
        monkeypatch.setattr(module, "monotonic", lambda: 12 * monotonic())
    left = "2*factorial(k)/((p - 1)*p**k)*(p/(2*(k + 1)))**((k + 1)/2)"
    right = "2*factorial(k)/((2*k + 2)**((k + 1)/2)*(p - 1)*p**((k - 1)/2))"
    hard = typed(says=f"{left} == {right}", over="k in 1..oo; p in 3..oo", seconds=20.0)
    assert prove(hard).rung == "proved"


def test_a_leg_of_many_points_is_proved_once(monkeypatch):
    from theorycheck.evidence import workbench

    judge, asked = workbench.check, []

    def counted(problem, **how):
        asked.append(problem.statement)
        return judge(problem, **how)

    monkeypatch.setattr(workbench, "check", counted)
    for _ in range(3):
        assert prove(typed(**GAUSS)).rung == "proved"
    assert asked == [GAUSS["says"]]


OVER = {"over": "0 <= x < 1"}


@pytest.mark.parametrize(
    "says",
    [
        "x < 2 or x > x + 1",  # a false equation beside a true one, say
        "x > x + 1 or x < 2",
        "x >= 0 and (x < 2 or x**2 == 7)",
    ],
)
def test_a_part_of_an_or_that_nothing_needs_settles_nothing(says):
    found = prove(typed(says, **OVER))
    assert not found.holds and found.counterexample is None
    assert found.method.startswith("proved without ") and "each part" in found.method
    assert (
        judged(formula("hidden", says=says, **OVER, rivals={"r": "x < 0"})).verdict
        == "inconclusive"
    )


@pytest.mark.parametrize(
    "says",
    [
        "x < 1/2 or x >= 1/2",
        "x >= 0 and (x < 1/2 or x >= 1/2)",
        "x < 1/2 implies x < 2/3",  # its premise is no such part, and may be idle:
        "x < 1/2 implies x < 2",
    ],
)
def test_parts_that_are_needed_and_premises_are_left_alone(says):
    assert prove(typed(says, **OVER)).holds


def test_a_witness_names_the_laws_that_its_statement_speaks_of():
    """Without them nobody can check it again: they were in no part of the witness."""
    found = prove(typed("E[g**2] == s**2", over=["s > 0", "g ~ N(0,  s**2)"]))
    assert found.holds and found.witness["laws"] == ["g ~ N(0, s**2)"]
    assert "laws" not in prove(typed("x**2 >= 0", over="x in R")).witness


def test_an_or_among_hypotheses_stands_in_brackets_in_the_scope():
    found = prove(typed("x**2 >= 1", over="x in R, y in R", where=["x > 1 or x < -1", "y > 0"]))
    assert found.holds and found.witness["scope"].endswith("where (x > 1 or x < -1) and y > 0")


@pytest.mark.parametrize(
    ("says", "over", "reached"),
    [
        ("(1 - 1/n)**T <= exp(-T/n)", ["n in 1..oo", "T in 1..oo"], 0.99),
        ("(1 - 1/n)**T <= 21/20*exp(-T/n)", ["n in 2..oo", "T in 1..oo"], 0.0),
        ("n**2 >= n", "n in 1..oo", 0.99),
        ("n**2 > n - 1", "n in 1..oo", 0.0),
        ("implies(x > 2, x**2 > 4)", "x in (-oo, oo)", 0.99),
        ("1 <= n and n <= n**2", "n in 1..oo", 0.99),
        ("n == 1 or n >= 2", "n in 1..oo", 0.0),  # of either part another may hold
        ("x**2 >= 0", "x in (-oo, oo)", 0.0),  # there are no shares of 0
        ("implies(x > 2, x + 1 == 1 + x)", "x in (-oo, oo)", None),
        ("n**2 != n + 1", "n in 1..oo", None),
        (GAUSS["says"], GAUSS["over"], None),
    ],
)
def test_a_proved_bound_says_whether_a_hundredth_less_would_have_been_false(says, over, reached):
    found = prove(typed(says, over=over))
    assert found.holds and found.rung == "proved" and found.reached == reached
    shown = [word for word in found.witness if "sharper" in word]
    assert len(shown) == (reached == 0.99)


def test_a_bound_is_as_tight_as_was_seen_and_never_exact():
    tight = judged(formula("b", says="n**2 >= n", over="n in 1..oo", rivals={"r": "n < 0"}))
    loose = judged(formula("b", says="n**2 > n - 1", over="n in 1..oo", rivals={"r": "n < 0"}))
    assert tight.resolution is None and loose.resolution is None
    assert (tight.tightness.value, loose.tightness.value) == (0.99, 0.0)
