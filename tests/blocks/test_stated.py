"""What is said of drawn matrices: each predicate against eigenvalues and ranks that are known."""

from fractions import Fraction

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from theorycheck.arrays.streams import Stream
from theorycheck.blocks.rational_matrices import matmul, rational_rows
from theorycheck.blocks.stated import (
    frobenius_at_most,
    full_rank,
    norm_at_most,
    orthonormal_rows,
    rank_at_most,
    semidefinite,
    trace_at_most,
)

values = st.lists(st.fractions(-2, 2, max_denominator=4), min_size=1, max_size=4)


def rotated(spectrum, seed):
    """Q diag(spectrum) Q^T, exactly."""
    d = len(spectrum)
    rng = Stream(seed, "blocks", "judge", "instance", {}, 0)
    Q = rational_rows(rng.orthogonal_rational(d))
    scaled = [[q * s for q, s in zip(row, spectrum, strict=True)] for row in Q]
    return matmul(scaled, [list(c) for c in zip(*Q, strict=True)])


@given(values, st.integers(0, 20))
def test_eigenvalues_decide(spectrum, seed):
    H = rotated(spectrum, seed)
    largest = max(map(abs, spectrum))
    assert semidefinite("H")(H=H) == (min(spectrum) >= 0)
    assert norm_at_most("H")(H=H) == (largest <= 1)
    assert norm_at_most("H", "b")(H=H, b=largest)
    assert not norm_at_most("H", largest - Fraction(1, 10**9))(H=H)
    assert trace_at_most("H", "r")(H=H, r=sum(spectrum))
    assert not trace_at_most("H", sum(spectrum) - Fraction(1, 10**9))(H=H)
    rank = sum(s != 0 for s in spectrum)
    assert rank_at_most("H", rank)(H=H) and not rank_at_most("H", rank - 1)(H=H)
    assert full_rank("H")(H=H) == (rank == len(spectrum))
    squares = sum(s * s for s in spectrum)
    assert frobenius_at_most("H", 2)(H=H) == (squares <= 4)


def test_rows_of_a_wide_matrix():
    c, s = Fraction(3, 5), Fraction(4, 5)
    assert orthonormal_rows("W")(W=[[c, s, 0], [-s, c, 0]])
    assert not orthonormal_rows("W")(W=[[1, 0, 0], [1, 0, 0]])
    assert not orthonormal_rows("W")(W=[[2, 0]])
    assert norm_at_most("W")(W=[[c, s, 0]]) and not norm_at_most("W")(W=[[1, 1, 0]])
    assert full_rank("M")(M=[[1, 2, 3]]) and not full_rank("M")(M=[[0, 0]])


def test_an_asymmetric_matrix_is_not_semidefinite():
    assert not semidefinite("H")(H=[[1, 1], [0, 1]])
    assert not semidefinite("H")(H=[[0, 1], [1, 1]])  # a pivot of 0 in a row that is not 0


@pytest.mark.parametrize(("bound", "asked"), [("r", ["H", "r"]), (3, ["H"])])
def test_a_predicate_asks_for_its_field_and_its_bound(bound, asked):
    import inspect

    predicate = trace_at_most("H", bound)
    assert list(inspect.signature(predicate).parameters) == asked
    assert predicate.__name__ == f"the trace of H is at most {bound}"


def test_a_bound_may_be_an_expression():
    s, T = sp.symbols("s T")
    assert frobenius_at_most("E", s / T)(E=[[Fraction(1, 2)]], s=1, T=2)
    assert not frobenius_at_most("E", s / T)(E=[[Fraction(1, 2)]], s=1, T=3)
