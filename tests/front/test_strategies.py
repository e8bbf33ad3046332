"""Strategies: every draw is admitted, structures have the structure, joint conditions reject nothing."""

from fractions import Fraction

import pytest
import sympy as sp
from hypothesis import HealthCheck, find, given, settings
from hypothesis import strategies as st

from theorycheck import claim, integers, leg, reals
from theorycheck.check.text import InputError
from theorycheck.evidence.store import default_path, open_store
from theorycheck.numbers.domain import DomainError
from theorycheck.strategies import (
    covariances,
    domain,
    label_distributions,
    orthonormal_frames,
    points,
    sparse_sign_vectors,
    unit_vectors,
)
from theorycheck.testing import ClaimFailed, assert_at

n, k = sp.symbols("n k", integer=True, positive=True)
x = sp.symbols("x", real=True)

joint = claim("joint", domain={n: integers(1), k: integers(1)}, where=sp.And(k <= n, sp.Eq(n % 7, 0)),
              grid={"smoke": {n: [7], k: [1]}}, closed_form=n + k, legs=[leg("v", lambda n, k: n + k)])  # fmt: skip
mixed = claim(
    "mixed",
    domain={n: integers(2), x: reals(0, 1, low_open=True)},
    grid={"smoke": {n: [2], x: [Fraction(1, 2)]}},
    closed_form=n * x,
    legs=[leg("v", lambda n, x: n * x)],
)


@settings(suppress_health_check=[], max_examples=200)
@given(points(joint))
def test_joint_conditions_reject_nothing(point):
    assert joint.admits(point)


def test_points_shrink_to_the_simplest_admitted_one():
    assert find(points(joint), lambda p: p["k"] > 3) == {"n": 7, "k": 4}


@given(points(mixed))
def test_real_parameters_are_exact_and_inside(point):
    assert mixed.admits(point)
    assert isinstance(point["x"], Fraction | int)


def test_a_condition_that_admits_nothing_nearby_is_said():
    far = claim("far", domain={n: integers(1)}, where=n > 500, grid={"smoke": {n: [501]}},
                closed_form=n, legs=[leg("v", lambda n: n)])  # fmt: skip
    with pytest.raises(DomainError, match="no admitted point"):
        points(far)


@given(domain("n in 2..60", "k in 1..n", "t in (0, 1/n]"))
def test_text_domains_follow_earlier_names(point):
    assert 2 <= point["n"] <= 60
    assert 1 <= point["k"] <= point["n"]
    assert 0 < point["t"] <= Fraction(1, point["n"])


@given(domain("p in primes(3..50)", "s in {1, 2, 5}"))
def test_text_primes_and_sets(point):
    assert sp.isprime(point["p"])
    assert point["s"] in (1, 2, 5)


@pytest.mark.parametrize("text", ["n", "n in", "n in 5", "oo in 0..3", "n in 0..m"])
def test_bad_text_is_refused(text):
    with pytest.raises(InputError):
        domain(text)


def dot(u, v):
    return sum((a * b for a, b in zip(u, v, strict=True)), Fraction(0))


@given(st.integers(1, 5).flatmap(unit_vectors))
def test_unit_vectors(u):
    assert dot(u, u) == 1


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(1, 4).flatmap(orthonormal_frames))
def test_frames_are_orthonormal(Q):
    columns = list(zip(*Q, strict=True))
    assert all(dot(a, b) == (i == j) for i, a in enumerate(columns) for j, b in enumerate(columns))


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(covariances([3, 1, Fraction(1, 2)]))
def test_covariances_have_the_spectrum(S):
    assert [list(row) for row in zip(*S, strict=True)] == S
    characteristic = sp.Matrix(S).charpoly().as_expr()
    lam = sp.Symbol("lambda")
    expected = (lam - 3) * (lam - 1) * (lam - sp.Rational(1, 2))
    assert sp.expand(characteristic - expected) == 0


@given(label_distributions(4), sparse_sign_vectors(6, 2))
def test_distributions_and_sparse_vectors(p, v):
    assert sum(p) == 1
    assert min(p) >= 0
    assert sorted(map(abs, v)) == [0, 0, 0, 0, 1, 1]


def test_a_point_found_by_hypothesis_is_tried_first_by_the_engine(tmp_path, monkeypatch):
    monkeypatch.setenv("THEORYCHECK_STORE", str(tmp_path / "evidence.sqlite"))
    wrong = n**2 + sp.Max(0, n - 7)
    c = claim(
        "squares",
        domain={n: integers(1)},
        grid={"smoke": {n: [1, 2]}},
        closed_form=wrong,
        legs=[leg("value", lambda n: n**2)],
    )

    @settings(max_examples=60, derandomize=True, database=None)
    @given(points(c))
    def holds(point):
        assert_at(c, point)

    with pytest.raises(ClaimFailed, match="n=8: measured 64, claimed 65"):
        holds()
    with open_store(default_path()) as store:
        assert store.counterexamples("squares")[0] == {"n": 8}
