"""Enclosed eigenvalues by rotations: multiple, zero and close ones, and what may not be trusted."""

from fractions import Fraction

import pytest
from flint import arb, arb_mat, ctx, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from theorycheck.arrays import jacobi

numbers = st.fractions(-9, 9, max_denominator=7)


def householder(v):
    """I - 2 v v^T / |v|^2, exact."""
    length = sum(x * x for x in v)
    return [[int(i == j) - 2 * x * y / length for j, y in enumerate(v)] for i, x in enumerate(v)]


def turned(spectrum, v):
    """H diag(spectrum) H, exact rationals."""
    h, n = householder(v), len(v)
    return [
        [sum(h[i][k] * spectrum[k] * h[k][j] for k in range(n)) for j in range(n)] for i in range(n)
    ]


def balls(rows):
    return arb_mat(
        [[arb(fmpq(x.numerator, x.denominator)) for x in map(Fraction, row)] for row in rows]
    )


@settings(max_examples=60, deadline=None)
@given(
    st.integers(1, 5).flatmap(
        lambda n: st.tuples(
            st.lists(numbers, min_size=n, max_size=n), st.lists(numbers, min_size=n, max_size=n)
        )
    ),
    st.sampled_from([64, 128, 300]),
)
def test_the_spectrum_is_enclosed_and_closely(parts, bits):
    spectrum, v = parts
    if not any(v):
        v[0] = Fraction(1)
    with ctx.workprec(bits):
        found = jacobi.eigenvalues(balls(turned(spectrum, v)))
        for value, ball in zip(sorted(spectrum), found, strict=True):
            assert ball.contains(fmpq(value.numerator, value.denominator))
            assert ball.rad() < arb(2) ** (20 - bits)


@pytest.mark.parametrize(
    "spectrum", [(7, 7, 2), (5, 5, 5), (0, 0, 1), (3,), (1, 1 + Fraction(1, 10**30))]
)
def test_multiple_and_close_eigenvalues(spectrum):
    with ctx.workprec(128):
        found = jacobi.eigenvalues(
            balls(turned(spectrum, [Fraction(i + 1) for i in range(len(spectrum))]))
        )
        assert all(
            b.contains(fmpq(Fraction(s).numerator, Fraction(s).denominator))
            for s, b in zip(sorted(spectrum), found, strict=True)
        )


def test_wide_entries_give_wide_enclosures():
    wide = arb_mat([[arb(1, 0.25), arb(0, 0.25)], [arb(0, 0.25), arb(3, 0.25)]])
    low, high = jacobi.eigenvalues(wide)
    assert low.contains(arb("0.75")) and high.contains(arb("3.25"))
    assert not low.overlaps(high)


def test_a_wrong_spectrum_is_excluded():
    with ctx.workprec(128):
        found = jacobi.eigenvalues(
            balls(turned((7, 7, 2), [Fraction(1), Fraction(2), Fraction(3)]))
        )
        assert not found[0].contains(arb(2) + arb(2) ** -90)
        assert not found[2].contains(arb(7) - arb(2) ** -90)
