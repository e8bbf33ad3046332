"""Shared models of contrastive learning: one enumeration against another, counts against brute force, projections."""

import importlib
import itertools
from fractions import Fraction

import array_api_compat.numpy as numpy_api
import numpy as np
import pytest

from theorycheck.arrays import FloatNamespace, RationalNamespace
from theorycheck.arrays.streams import Stream
from theorycheck.library.loading import Library, bundled, load_source

LIBRARY = Library(bundled())


def model(name):
    load_source(LIBRARY, bundled() / "contrastive_tradeoff")
    return importlib.import_module(f"{LIBRARY.package}.contrastive_tradeoff.{name}")


def stream(ns=None, block=0):
    return Stream(0, "test", "judge", "tradeoff", {}, block, ns)


def test_loss_of_codes_is_the_loss_of_views_that_do_not_see_z_u():
    views, ns, rng = model("_views"), RationalNamespace(), stream()
    p = ns.asarray([[Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)]])
    q = ns.asarray([[Fraction(1, 4), Fraction(3, 4)]])
    codes = ns.asarray(rng.rational((1, 3, 2), 5))
    phi = ns.stack([codes, codes], axis=2)

    def cube(ns, t):
        return t**3

    full = views.contrastive_loss(ns, p, q, phi, cube)
    assert full[0] == views.code_loss(ns, p, codes, cube)[0]


def test_loss_of_views_is_that_of_every_tuple():
    views, ns, rng = model("_views"), RationalNamespace(), stream(block=1)
    p, q = [Fraction(2, 3), Fraction(1, 3)], [Fraction(1, 5), Fraction(4, 5)]
    phi = rng.rational((2, 2, 3), 4)
    expected = 0
    for a, u, v, b, w in itertools.product(range(2), repeat=5):
        gap = sum(x * (y - z) for x, y, z in zip(phi[a][u], phi[a][v], phi[b][w], strict=True))
        expected += p[a] * q[u] * q[v] * p[b] * q[w] * gap**2
    found = views.contrastive_loss(
        ns, ns.asarray([p]), ns.asarray([q]), ns.asarray(phi)[None], lambda ns, t: t**2
    )
    assert found[0] == ns.asarray(expected)


@pytest.mark.parametrize("dimension", [1, 2, 3])
def test_cells_are_the_sign_patterns_that_a_fine_search_finds(dimension):
    labels, rng = model("random_labels"), np.random.default_rng(dimension)
    for count in (1, 2, 4):
        codes = rng.integers(-4, 5, (count, dimension))
        codes[np.all(codes == 0, axis=1)] = 1
        directions = rng.normal(size=(200_000, dimension))
        seen = {tuple(row) for row in np.sign(directions @ codes.T).astype(int)}
        assert labels.labellings([[Fraction(int(x)) for x in row] for row in codes]) == len(seen)


def test_repeated_and_opposite_codes_add_no_cells():
    labels = model("random_labels")
    square = [[Fraction(x) for x in row] for row in labels.CODES[2]]
    assert labels.labellings(square) == 4
    assert labels.labellings([[Fraction(0), Fraction(0)]]) == 0


def test_projection_lands_in_the_class_and_leaves_its_members():
    training, ns = model("training"), FloatNamespace(numpy_api, "float64")
    W = ns.from_float64(np.random.default_rng(0).normal(size=(20, 5, 5)) * 2)
    kept = np.asarray(training.projected(ns, W, 2))
    sigma = np.linalg.svd(kept, compute_uv=False)
    assert np.all(sigma <= 1 + 1e-12) and np.all((sigma**2).sum(axis=1) <= 2 + 1e-6)
    small = ns.from_float64(np.asarray(W) / 20)
    assert np.allclose(np.asarray(training.projected(ns, small, 2)), np.asarray(small), atol=1e-8)


def test_pairs_of_one_task_share_its_private_features_only():
    training, ns = model("training"), FloatNamespace(numpy_api, "float64")
    x, y = (np.asarray(part) for part in training.pairs(ns, stream(ns), 3, 1, 2, 4))
    assert np.array_equal(x[..., :-1], y[..., :-1])
    assert np.all(np.count_nonzero(x[..., 1:-1], axis=-1) == 1)
    assert not np.any(x[..., -1] == y[..., -1])
