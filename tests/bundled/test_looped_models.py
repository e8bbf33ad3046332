"""Shared models of looped transformers and in-context regression: arithmetics against each other, the gradient
against differences, and the rounding floor that must not refute a true bound."""

import importlib
from fractions import Fraction

import array_api_compat.numpy as numpy_api
import array_api_strict
import numpy as np
import pytest

from theorycheck.arrays import BallNamespace, FloatNamespace, IntervalNamespace, RationalNamespace
from theorycheck.arrays.streams import Stream
from theorycheck.library.loading import Library, bundled, load_source

LIBRARY = Library(bundled())


def model(source, name):
    load_source(LIBRARY, bundled() / source)
    return importlib.import_module(f"{LIBRARY.package}.{source}.{name}")


@pytest.fixture(scope="module")
def looped():
    return model("looped_transformers", "_models")


def fraction(value):
    return Fraction(int(value.p), int(value.q))


def prompt(ns, n=4, d=2, T=3):
    rng = Stream(0, "test", "judge", "prompt", {}, 0)
    data = {"X": (2, n, d), "y": (2, n), "q0": (2, d), "alpha": (2,), "eta": (2, T)}
    return {name: ns.asarray(rng.rational(shape, 3)) for name, shape in data.items()}, T


NAMESPACES = {
    "numpy": FloatNamespace(numpy_api),
    "strict": FloatNamespace(array_api_strict),
}


@pytest.mark.parametrize("name", NAMESPACES)
def test_floats_of_both_libraries_come_near_the_rationals(looped, name):
    exact_ns, ns = RationalNamespace(), NAMESPACES[name]
    given, T = prompt(exact_ns)
    exact = exact_ns.enclose(looped.looped_transformer(exact_ns, **given, T=T))
    given, T = prompt(ns)
    floats = np.asarray(looped.looped_transformer(ns, **given, T=T)).reshape(-1)
    for enclosure, value in zip(exact, floats, strict=True):
        middle = float(Fraction(int(enclosure.lo.p), int(enclosure.lo.q)))
        assert value == pytest.approx(middle, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(
    "ns", [BallNamespace(128), IntervalNamespace(numpy_api)], ids=["ball", "interval"]
)
def test_enclosures_hold_the_rational_value(looped, ns):
    exact_ns = RationalNamespace()
    given, T = prompt(exact_ns)
    exact = exact_ns.enclose(looped.looped_transformer(exact_ns, **given, T=T))
    with ns.working():
        given, T = prompt(ns)
        held = ns.enclose(looped.looped_transformer(ns, **given, T=T))
    assert all(h.contains(e) for h, e in zip(held, exact, strict=True))


def test_the_descent_step_is_the_gradient(looped):
    """theta_1 - theta_0 = -eta grad l(theta_0), the gradient by exact central differences."""
    ns = RationalNamespace()
    given, _ = prompt(ns, T=1)
    X, y, theta, eta = given["X"], given["y"], given["q0"], given["eta"]
    moved = looped.gradient_descent(ns, X, y, theta, eta, 1)

    def loss(t):
        residual = y - ns.matmul(X, ns.expand_dims(t, axis=-1))[:, :, 0]
        return ns.sum(residual**2, axis=-1) / 2

    for j in range(2):
        step = ns.eye(2)[j]
        slope = (loss(theta + step) - loss(theta - step)) / 2
        assert ns.enclose(moved[:, j] - theta[:, j]) == ns.enclose(-eta[:, 0] * slope)


def test_the_rounding_floor_never_refutes_the_error_bound(looped):
    """At T = 200 and kappa = 2 the bound exp(-T/(2 kappa)) = 2e-22 lies below float64's rounding floor: the interval
    must reach across it, where a plain float comparison would call a violation; rationals decide."""
    T = 200

    def error(ns):
        X = ns.asarray([[[1, 1], [1, -1], [1, 0], [1, 0]]])
        theta = ns.asarray([[Fraction(3, 5), Fraction(4, 5)]])
        y = ns.matmul(X, ns.expand_dims(theta, axis=-1))[:, :, 0]
        eta = ns.asarray([[Fraction(1, 4)] * T])
        zero, alpha = ns.asarray([[0, 0]]), ns.asarray([1])
        out = looped.looped_transformer(ns, X, y, zero, alpha, eta, T)
        return ns.enclose(ns.abs(ns.sum(out * theta, axis=-1) - alpha))[0]

    bound = Fraction(2, 10**22)
    floats = error(IntervalNamespace(numpy_api))
    assert fraction(floats.lo) <= bound < fraction(floats.hi)
    exact = error(RationalNamespace())
    assert 0 < fraction(exact.hi) < bound


def test_the_attention_network_in_both_libraries():
    attention = model("in_context_learning", "_attention")
    rng = Stream(0, "test", "judge", "attention", {}, 0)
    shapes = {"x": (2, 3, 2), "y": (2, 3), "q": (2, 2), "PV": (3, 3), "KQ": (3, 3)}
    data = {name: rng.rational(shape, 3) for name, shape in shapes.items()}
    found = []
    for ns in (*NAMESPACES.values(), IntervalNamespace(numpy_api)):
        x, y, q, PV, KQ = (ns.asarray(data[k]) for k in shapes)
        out = attention.prediction(ns, attention.embedding(ns, x, y, q), PV, KQ, 3)
        found.append([float(v) for v in np.asarray(getattr(out, "mid", out))])
    assert found[0] == pytest.approx(found[1], rel=1e-9)
    assert found[0] == pytest.approx(found[2], rel=1e-9)
