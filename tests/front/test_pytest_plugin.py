"""The plugin as its users run it: a pytest of its own on files of claims."""

import re

import pytest

pytest_plugins = ["pytester"]

CLAIMS = """
import sympy as sp
from theorycheck import claim, integers

n = sp.symbols("n", integer=True, positive=True)
GRID = {"smoke": {n: [1, 2, 3, 4]}}


@claim("squares", domain={n: integers(1)}, grid=GRID, closed_form=n**2)
def odd_sums(n):
    return sum(range(1, 2 * n, 2))


@claim("wrong-squares", domain={n: integers(1)}, grid=GRID, closed_form=n**2 + sp.floor(n / 3))
def other_sums(n):
    return sum(range(1, 2 * n, 2))


@claim("known-false", domain={n: integers(1)}, grid=GRID, closed_form=n**3, expect="fail")
def more_sums(n):
    return sum(range(1, 2 * n, 2))
"""


@pytest.fixture
def claims(pytester):
    pytester.makepyfile(mine=CLAIMS)
    return pytester


def run(pytester, *options):
    return pytester.runpytest_subprocess("--theorycheck", "-p", "no:xdist", *options, "mine.py")


def test_claims_are_items_and_expectations_decide(claims):
    result = run(claims, "-v")
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(["*mine.py::squares PASSED*", "*mine.py::wrong-squares FAILED*"])


def test_a_failure_shows_the_counterexample_and_no_traceback_of_the_engine(claims):
    text = run(claims).stdout.str()
    assert "n=3: measured 9, claimed 10" in text
    assert "theorycheck run mine.py -k wrong-squares" in text
    assert not re.search(r"theorycheck/\w+\.py:\d+", text)


def test_selection_by_keyword_and_last_failed(claims):
    run(claims, "-k", "known").assert_outcomes(passed=1, deselected=2)
    run(claims)
    run(claims, "--lf").assert_outcomes(failed=1)


def test_junit_names_the_claims(claims):
    run(claims, "--junitxml=out.xml")
    assert 'name="wrong-squares"' in (claims.path / "out.xml").read_text()


def test_without_the_option_nothing_is_collected(claims):
    claims.runpytest_subprocess("-p", "no:xdist", "mine.py").assert_outcomes()


def test_a_malformed_file_is_a_collection_error_in_one_line(pytester):
    pytester.makepyfile(mine="from theorycheck import claim\nclaim('x', legs=[])\n")
    result = run(pytester)
    result.assert_outcomes(errors=1)
    assert "claim x: has no leg" in result.stdout.str()


def test_the_fixture_judges_one_claim_inside_a_test(pytester):
    pytester.makepyfile(mine=CLAIMS)
    pytester.makepyfile(
        test_mine="""
        import pytest
        from mine import odd_sums, other_sums
        from theorycheck.testing import ClaimFailed

        def test_true(assert_claim):
            assert assert_claim(odd_sums).rung == "certified"

        def test_false(assert_claim):
            with pytest.raises(ClaimFailed, match="claimed"):
                assert_claim(other_sums)
            assert assert_claim(other_sums, verdict="fail")
        """
    )
    pytester.runpytest_subprocess("-p", "no:xdist", "test_mine.py").assert_outcomes(passed=2)
