"""Rational matrices: the spectrum is the one asked for, exactly."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from theorycheck.arrays.streams import Stream
from theorycheck.blocks.rational_matrices import (
    apply,
    column,
    matmul,
    unit_vector,
    with_spectrum,
)

spectra = st.lists(st.fractions(0, 9, max_denominator=7), min_size=1, max_size=3)


def stream(seed):
    return Stream(seed, "blocks", "judge", "instance", {}, 0)


@given(spectra, st.integers(0, 50))
def test_the_gram_matrix_has_the_spectrum_asked_for(spectrum, seed):
    X, V = with_spectrum(stream(seed), spectrum)
    gram = matmul([list(c) for c in zip(*X, strict=True)], X)
    for i, value in enumerate(spectrum):
        v = column(V, i)
        assert apply(gram, v) == [Fraction(value) * x for x in v]
        assert sum(x * x for x in v) == 1


@given(st.integers(1, 4), st.integers(0, 50))
def test_unit_vectors_have_norm_one(d, seed):
    assert sum(x * x for x in unit_vector(stream(seed), d)) == 1
