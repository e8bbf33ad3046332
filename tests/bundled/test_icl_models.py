"""Shared models of in-context learning: exact expectations, the network, the parity heads; figures of the library."""

import importlib
import itertools
import json
from fractions import Fraction
from math import comb

import array_api_compat.numpy as numpy_api
import array_api_strict
import numpy as np
import pytest

from theorycheck.arrays import BallNamespace, FloatNamespace, IntervalNamespace, RationalNamespace
from theorycheck.arrays.streams import Stream
from theorycheck.evidence.cached import Nothing
from theorycheck.evidence.observe import ObservationContext, observe
from theorycheck.library.loading import Library, bundled, load_all, load_source
from theorycheck.plan.plan import make_plan
from theorycheck.plan.settings import Settings
from theorycheck.reports import panels

LIBRARY = Library(bundled())
EXACT = RationalNamespace()


def model(name):
    load_source(LIBRARY, bundled() / "in_context_learning")
    return importlib.import_module(f"{LIBRARY.package}.in_context_learning.{name}")


def rng(purpose="test"):
    return Stream(0, "test", "judge", purpose, {}, 0)


def rational(array):
    return Fraction(int(array.data[()].p), int(array.data[()].q))


# ---- exact expectations


# ---- the network


def weights_and_prompt(ns, d=2, n=3):
    shapes = {"x": (2, n, d), "y": (2, n), "q": (2, d), "PV": (d + 1, d + 1), "KQ": (d + 1, d + 1)}
    drawn = rng()
    return [ns.asarray(drawn.rational(shape, 3)) for shape in shapes.values()]


def test_prediction_is_the_softmax_free_attention_written_out():
    """sum_i over tokens of (PV e_i)_last (e_i^T KQ e_q) / rho, plus the query's own label slot (0)."""
    attention = model("_attention")
    x, y, q, PV, KQ = weights_and_prompt(EXACT)
    found = attention.prediction(EXACT, attention.embedding(EXACT, x, y, q), PV, KQ, 3)
    entries = [
        np.array([[Fraction(int(v.p), int(v.q)) for v in np.ravel(a.data)]]).reshape(a.shape)
        for a in (x, y, q, PV, KQ)
    ]
    x, y, q, PV, KQ = entries
    for b in range(2):
        tokens = [[*x[b, i], y[b, i]] for i in range(3)] + [[*q[b], Fraction(0)]]
        query = np.array(tokens[-1])
        total = sum((PV[-1] @ np.array(t)) * (np.array(t) @ KQ @ query) for t in tokens) / 3
        assert rational(found[b]) == total


NAMESPACES = {
    "numpy": FloatNamespace(numpy_api),
    "strict": FloatNamespace(array_api_strict),
}


@pytest.mark.parametrize("name", NAMESPACES)
def test_floats_come_near_the_rationals_and_enclosures_hold_them(name):
    attention = model("_attention")

    def loss(ns):
        Lam = ns.asarray([[4, 1], [1, 2]])
        U = ns.asarray([[1, Fraction(1, 3)], [Fraction(-1, 2), 1]])
        return attention.quadratic_loss(ns, Lam, 5, U, ns.asarray(Fraction(2, 7)))

    exact = rational(loss(EXACT))
    assert float(loss(NAMESPACES[name])) == pytest.approx(float(exact), rel=1e-12)
    for ns in (BallNamespace(128), IntervalNamespace(numpy_api)):
        with ns.working():
            (held,) = ns.enclose(loss(ns))
        assert Fraction(int(held.lo.p), int(held.lo.q)) <= exact
        assert exact <= Fraction(int(held.hi.p), int(held.hi.q))


@pytest.mark.parametrize("N", [1, 2, 3])
def test_moments_of_one_example_give_the_loss_of_any_prompt(N):
    """The route for long prompts agrees with the whole cubature where that is possible, exactly."""
    loss, attention = model("loss_quadratic_form"), model("_attention")
    U, u, a, b = (EXACT.asarray(v) for v in ([[2]], Fraction(1, 3), [Fraction(1, 2)], [3]))
    long = attention.pretraining_loss(EXACT, EXACT.asarray([[2]]), U, u, a, b, N)
    whole = loss.network_loss(EXACT, (4,), N, U, u, a, b, free=True)
    assert rational(long) == rational(whole)


def test_moments_of_one_example_in_two_dimensions():
    loss, attention, ns = model("loss_quadratic_form"), model("_attention"), NAMESPACES["numpy"]
    drawn = rng("two")
    U, a, b = (ns.asarray(drawn.rational(s, 2)) for s in ((2, 2), (2,), (2,)))
    u = ns.asarray(Fraction(3, 4))
    long = attention.pretraining_loss(ns, ns.asarray([[2, 0], [0, 1]]), U, u, a, b, 1)
    whole = loss.network_loss(ns, (4, 1), 1, U, u, a, b, free=True)
    assert float(long) == pytest.approx(float(whole), rel=1e-12)


@pytest.mark.parametrize("M", [1, 2])
@pytest.mark.parametrize("rank", [0, 1, 2])
def test_moments_of_one_example_give_the_evaluation_loss_of_any_prompt(M, rank):
    """Against the network at every node of the whole prompt, in a turned basis, with noise and a scale c < 0."""
    behaviour, attention = model("behavior_regression"), model("_attention")
    Q = EXACT.asarray([[Fraction(3, 5), Fraction(-4, 5)], [Fraction(4, 5), Fraction(3, 5)]])
    c, noise, task = EXACT.asarray(Fraction(-3, 2)), Fraction(2, 3), (1, -2)
    whole = behaviour.squared_error(EXACT, Q, c, (4, 1), task, 7, M, rank, noise, M)
    U = c * attention.covariance(EXACT, behaviour.kept((4, 1), 7, rank), Q)
    w = EXACT.matmul(Q, EXACT.asarray(list(task)))
    root = attention.root_of(EXACT, (4, 1), Q)
    short = attention.evaluation_loss(EXACT, root, w, EXACT.asarray(noise), U, 1 / c, M)
    assert rational(short) == rational(whole)


# ---- parity heads


def test_bit_networks_have_the_hamming_distance_as_margin_by_two_routes():
    parity, behaviour = model("_parity"), model("parity_behavior")
    heads = parity.bit_network(2, 4)
    for i, j in itertools.combinations(range(4), 2):
        for s, t in itertools.product((-1, 1), repeat=2):
            phi = [1] * 4
            phi[i], phi[j] = s, t
            margin = s * t * parity.output(heads, i, j, phi)
            signal = behaviour.signal(i, j, s, t, 2, Fraction(1, 10))
            assert margin == s * t * behaviour.output(heads, signal, Fraction(1, 10))
            assert margin == (i ^ j).bit_count()


def test_exact_tails_add_up():
    noise = model("chernoff")
    assert noise.chernoff_tail(10, Fraction(1, 2), 0) == 1
    assert noise.chernoff_tail(10, Fraction(1, 2), 1) == Fraction(2, 2**10)
    for n in (1, 2, 7, 10):
        assert noise.mean_sign_tail(n, Fraction(1, 10**6)) == 1 - Fraction(
            comb(n, n // 2) if n % 2 == 0 else 0, 2**n
        )


# ---- figures


DRAWN = [
    pytest.param(item.claim, drawn, id=f"{item.claim.id}: {drawn.name}")
    for item in load_all(sources=["fourier_circuits", "in_context_learning", "looped_transformers"])
    for drawn in item.claim.figures
    if "smoke" in drawn.at
]


def test_every_experiment_has_its_figure():
    assert len(DRAWN) >= 6


@pytest.mark.parametrize(("claim", "drawn"), DRAWN)
def test_figures_of_the_library_draw_and_stay_small(claim, drawn):
    plan = make_plan(claim, Settings("smoke"))
    (unit,) = (u for u in plan.figures if u.figure is drawn)
    seen = observe(unit, ObservationContext.of(plan), Nothing())
    assert seen.status == "ok", seen.message
    assert len(json.dumps(seen.to_json())) < 60_000
    shown = panels.svg(seen.detail.panels, drawn.name, "test")
    assert 1_000 < len(shown) < 80_000
