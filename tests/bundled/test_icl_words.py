"""Matrices of every size as words: what is said to be equal is equal at drawn matrices, and nothing more is."""

import importlib
import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from theorycheck.library.loading import Library, bundled, load_source

LIBRARY = Library(bundled())
D = 3
NODES = [(-np.sqrt(3), 1 / 6), (0.0, 2 / 3), (np.sqrt(3), 1 / 6)]
"""Gauss-Hermite quadrature: exact for polynomials of degree 5 in a standard normal."""


@pytest.fixture(scope="module")
def words():
    load_source(LIBRARY, bundled() / "in_context_learning")
    return importlib.import_module(f"{LIBRARY.package}.in_context_learning._words")


def drawn(seed):
    """Letters and vectors of small integers; K and P different coordinates, Q orthonormal."""
    rng = np.random.default_rng(seed)
    values = {name: rng.integers(-3, 4, (D, D)).tolist() for name in "AB"}
    values |= {name: rng.integers(-3, 4, D).tolist() for name in ("x", "y", "L", "V")}
    turned = np.eye(D, dtype=int)[rng.permutation(D)] * rng.choice([-1, 1], D)
    return values | {"K": [1, 0, 0], "P": [0, 1, 0], "Q": turned.tolist(), "d": D}


def factor(words, values, name):
    """The letter and its matrix; B is left to the orthonormal letters of the module."""
    plain = name.rstrip("'")
    spectral = plain in "LVKP"
    symbol = words.spectral(plain) if spectral else words.letter(plain)
    number = np.array(values[plain], dtype=float)
    number = np.diag(number) if spectral else number
    return (symbol.T, number.T) if name.endswith("'") else (symbol, number)


PRODUCTS = st.lists(
    st.sampled_from(["A", "A'", "L", "V", "K", "P", "Q", "Q'"]), min_size=1, max_size=6
)


@given(PRODUCTS, PRODUCTS, st.integers(0, 2**16))
@settings(max_examples=60, deadline=None)
def test_traces_and_forms_are_those_of_the_matrices(words, first, second, seed):
    values = drawn(seed)
    total, matrix = words.ONE * 0, np.zeros((D, D))
    for names, weight in ((first, 2), (second, -1)):
        product, number = words.ONE, np.eye(D)
        for symbol, value in (factor(words, values, name) for name in names):
            product, number = product * symbol, number @ value
        total, matrix = total + product * weight, matrix + weight * number
    x, y = np.array(values["x"]), np.array(values["y"])
    assert float(words.evaluated(total.trace(), values)) == pytest.approx(np.trace(matrix))
    assert float(words.evaluated(total.form("x", "y"), values)) == pytest.approx(x @ matrix @ y)
    assert words.same(total.trace(), total.T.trace()).holds
    assert words.same(total.form("x", "y"), total.T.form("y", "x")).holds


@given(st.integers(0, 2**16))
@settings(max_examples=20, deadline=None)
def test_gaussian_means_are_those_of_quadrature(words, seed):
    """A form in x alone, squared forms and a form with another vector."""
    values, A = drawn(seed), words.letter("A")
    x, y = words.vector("x"), words.vector("y")
    quadratic, linear = words.dot(x, A * x), words.dot(y, A * x)
    found = words.mean(quadratic**2 + quadratic * linear**2 + linear, "x", words.spectral("V") ** 2)
    a, other = np.array(values["A"], dtype=float), np.array(values["y"], dtype=float)
    root = np.diag(np.array(values["V"], dtype=float))
    expected = 0.0
    for nodes in itertools.product(NODES, repeat=D):
        z, weight = root @ [n for n, _ in nodes], np.prod([w for _, w in nodes])
        q, line = z @ a @ z, other @ a @ z
        expected += weight * (q**2 + q * line**2 + line)
    assert float(words.evaluated(found, values)) == pytest.approx(expected)


def test_what_is_not_equal_at_every_size_is_not_said_to_be(words):
    A, L = words.letter("A"), words.spectral("L")
    for left, right in [
        (A * L, L * A),
        (A * A.T, A.T * A),
        (A * A, A),
        (words.letter("Q") * words.letter("Q").T, words.ONE),
        (words.spectral("L") ** 2, words.spectral("L")),
    ]:
        found = words.same((left * A * L).trace(), (right * A * L).trace())
        assert not found.holds
        assert found.counterexample


def test_laws_of_projections_and_orthonormal_columns(words):
    K, P, Q = words.spectral("K"), words.spectral("P"), words.letter("Q")
    assert words.same((K * K).trace(), K.trace()).holds
    assert not (K * P).trace().terms
    assert words.same((Q.T * Q).trace(), words.ONE.trace()).holds
