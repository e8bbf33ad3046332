"""What stands for ``ns`` and exact numbers in a script gives what theorycheck's own namespaces give."""

import inspect
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from theorycheck.arrays import BallNamespace, FloatNamespace, enclose
from theorycheck.reports import shim

PROGRAMS = {
    "functions": lambda ns: ns.stack(
        [getattr(ns, f)(ns.asarray([1, 2, 5]) / ns.number([8, 8, 8]))
         for f in ("sqrt", "exp", "log", "sin", "cos", "tan", "tanh", "sinh", "cosh", "expm1")]
    ),
    "further functions": lambda ns: ns.stack(
        [ns.log1p(ns.asarray([2, 3])), ns.erf(ns.asarray([1, 2])) if hasattr(ns, "prec") or
         isinstance(ns, shim.ExactNamespace) else ns.asarray([1, 2])]
    ),
    "powers": lambda ns: ns.stack(
        [ns.power(ns.asarray([2, 3]), 3, 2), ns.square(ns.asarray([2, 3])),
         ns.pow(ns.asarray([2, 3]), 3)]
    ),
    "angles": lambda ns: ns.stack(
        [ns.cos_2pi(ns.indices([0, 1, 9]), 7), ns.sin_2pi(ns.indices([0, 1, 9]), 7)]
    ),
    "sums": lambda ns: ns.stack(
        [ns.norm(ns.asarray([3, 5])), ns.vecdot(ns.asarray([1, 2]), ns.asarray([4, 7])),
         ns.sum(ns.relu(ns.asarray([-3, 2])) + ns.ones((2,)) + ns.zeros((2,)))]
    ),
    "spectra": lambda ns: ns.stack(
        [f(ns.asarray([[[2, 1], [1, 3]], [[5, 2], [2, 1]]])) for f in (ns.svdvals, ns.eigvalsh)]
    ),
    "matrices": lambda ns: ns.stack(
        [f(ns.asarray([[[2, 1], [1, 3]], [[5, 2], [2, 1]]])) for f in (ns.trace, ns.det)]
    ),
    "soft": lambda ns: ns.softplus(ns.asarray([-9, 0, 2])),
    "constants": lambda ns: ns.pi * ns.rational(1, 3) * ns.asarray([1, 2]),
}  # fmt: skip


@pytest.mark.parametrize("name", [n for n in PROGRAMS if n != "further functions"])
def test_doubles_are_those_of_the_floating_point_namespace(name):
    theirs = FloatNamespace(np)
    with theirs.working():
        expected = np.asarray(PROGRAMS[name](theirs))
    # A few operations on doubles of order one: 64 units in the last place are ample.
    np.testing.assert_allclose(PROGRAMS[name](shim.DoubleNamespace()), expected, rtol=64 * 2.0**-53)


@pytest.mark.parametrize("name", PROGRAMS)
def test_exact_numbers_lie_in_the_balls(name):
    theirs = BallNamespace(200)
    with theirs.working():
        expected = enclose(PROGRAMS[name](theirs))
    with mpmath.workdps(30):
        found = np.ravel(PROGRAMS[name](shim.ExactNamespace()))
        assert len(found) == len(expected)
        for number, enclosure in zip(found, expected, strict=True):
            middle = shim.as_mpf(Fraction(int(enclosure.mid.p), int(enclosure.mid.q)))
            # Of 30 digits a few operations may cost three.
            assert abs(number - middle) <= mpmath.mpf(10) ** -27 * max(1, abs(middle))


def test_a_number_that_is_exact_stays_exact():
    with mpmath.workdps(30):
        assert shim.as_mpf(Fraction(1, 3)) == mpmath.mpf(1) / 3 != mpmath.mpf(1 / 3)
        assert shim.as_mpf("1/3") == mpmath.mpf(1) / 3
        assert list(shim.array(["1/4", 2])) == [mpmath.mpf("0.25"), 2]


def test_draws_are_those_of_their_seed_and_their_law():
    drawn = shim.RandomNumbers(seed=0)
    assert np.array_equal(drawn.normal((3,)), shim.RandomNumbers(seed=0).normal((3,)))
    assert set(drawn.signs((100,))) == {-1.0, 1.0}
    assert set(drawn.bernoulli(Fraction(1, 2), (100,))) == {0, 1}
    assert set(drawn.integers(2, 5, (100,))) == {2, 3, 4}
    values = drawn.uniform((100,), Fraction(1, 2), 3)
    assert ((values >= 0.5) & (values < 3)).all()


def test_the_shim_needs_numpy_and_mpmath_alone():
    assert "theorycheck" not in inspect.getsource(shim).split('"""', 2)[2]
