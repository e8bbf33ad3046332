"""Enclosures must hold the truth: random programs, wide inputs, misleading recurrences."""

from __future__ import annotations

import contextlib
import itertools
import math
from fractions import Fraction
from typing import Any

import array_api_compat.numpy as xp
import array_api_strict
import mpmath
import numpy as np
import pytest
import scipy.special
from flint import fmpq
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from programs import Program, contains, flat, programs, reference, run, shrink_radii

from theorycheck.arrays import (
    BallNamespace,
    FloatNamespace,
    IntervalArray,
    IntervalNamespace,
    NotFinite,
    RationalNamespace,
    UndecidedBranch,
    enclose,
)

INTERVALS = [IntervalNamespace(xp), IntervalNamespace(array_api_strict)]
NS = INTERVALS[0]


def _holds(ns: Any, program: Program) -> bool:
    with ns.working():
        found = run(ns, program)
    try:
        enclosures = enclose(found)
    except NotFinite:
        return True  # refused, not wrong
    return all(contains(e, t) for e, t in zip(enclosures, flat(reference(program)), strict=True))


@settings(max_examples=150, deadline=None)
@given(programs())
def test_intervals_hold_the_truth(program: Program) -> None:
    assert _holds(NS, program)


@settings(max_examples=60, deadline=None)
@given(programs(), st.sampled_from([24, 53, 130]))
def test_balls_hold_the_truth(program: Program, bits: int) -> None:
    assert _holds(BallNamespace(bits), program)


@settings(max_examples=40, deadline=None)
@given(programs(real=False))
def test_rationals_are_the_truth(program: Program) -> None:
    with RationalNamespace().working():
        exact = enclose(run(RationalNamespace(), program))
    assert all(e.exact for e in exact)
    assert all(contains(e, t) for e, t in zip(exact, flat(reference(program)), strict=True))
    intervals = enclose(run(NS, program))
    assert all(i.contains(e) for i, e in zip(intervals, exact, strict=True))


@settings(max_examples=25, deadline=None)
@given(programs())
def test_array_libraries_agree(program: Program) -> None:
    """NumPy and array_api_strict give the same midpoints and radii: nothing NumPy-only is called."""
    assume(all(name != "erf" for name, _, _ in program.steps))  # array_api_strict has no erf
    with NS.working():
        one, other = (run(ns, program) for ns in INTERVALS)
        plain, strict = (run(FloatNamespace(x), program) for x in (xp, array_api_strict))
    assert np.array_equal(one.mid, np.asarray(other.mid), equal_nan=True)
    assert np.array_equal(one.rad, np.asarray(other.rad), equal_nan=True)
    assert np.array_equal(plain, np.asarray(strict), equal_nan=True)


@settings(max_examples=60, deadline=None)
@given(programs())
def test_floats_lie_near_the_intervals(program: Program) -> None:
    """The midpoint is an ordinary float64 evaluation, so plain floats are within a few radii."""
    with NS.working(), np.errstate(all="ignore"):
        found, plain = run(NS, program), run(FloatNamespace(xp), program)
    fine = np.isfinite(found.mid) & np.isfinite(found.rad)
    gap = np.abs(found.mid - plain)[fine]
    assert np.all(gap <= 4 * found.rad[fine] + 1e-300)


def test_a_radius_that_is_too_small_is_caught() -> None:
    """The containment check has teeth: planted radii of a hundredth miss the truth."""
    program = Program(
        ((Fraction(1, 3), Fraction(2, 7), Fraction(-1, 9)),) * 2,
        (*(("matvec", k + 1, 0) for k in range(6)), ("exp", 7, 0), ("dot", 8, 3)),
    )
    found = run(NS, program)
    truth = flat(reference(program))
    assert all(contains(e, t) for e, t in zip(enclose(found), truth, strict=True))
    planted = enclose(shrink_radii(found, 0.01))
    assert not all(contains(e, t) for e, t in zip(planted, truth, strict=True))


# ---- wide intervals: every number inside must be mapped inside -------------------------------------

middles = st.floats(-50, 50) | st.sampled_from([0.0, 1.0, -1.0, 1e-8, -1e-300, 700.0, -745.0, 1e5])
radii = st.floats(0, 40) | st.sampled_from([0.0, 1e-300, 1e-17, 1e-9, 1.0, 700.0])
places = st.floats(-1, 1) | st.sampled_from([-1.0, 0.0, 1.0])

UNARY = {
    "exp": mpmath.exp, "expm1": mpmath.expm1, "log": mpmath.log, "log1p": mpmath.log1p,
    "sin": mpmath.sin, "cos": mpmath.cos, "tan": mpmath.tan, "tanh": mpmath.tanh,
    "sinh": mpmath.sinh, "cosh": mpmath.cosh, "erf": mpmath.erf, "sqrt": mpmath.sqrt,
    "square": lambda v: v * v, "abs": abs, "relu": lambda v: max(v, mpmath.mpf(0)),
    "sigmoid": lambda v: 1 / (1 + mpmath.exp(-v)), "softplus": lambda v: mpmath.log1p(mpmath.exp(v)),
}  # fmt: skip


def _interval(mid: float, rad: float) -> IntervalArray:
    return IntervalArray(NS, np.asarray([mid]), np.asarray([rad]))


def _inside(mid: float, rad: float, place: float) -> mpmath.mpf:
    return mpmath.mpf(mid) + mpmath.mpf(rad) * mpmath.mpf(place)


@settings(max_examples=60, deadline=None)
@pytest.mark.parametrize("name", UNARY)
@given(mid=middles, rad=radii, place=places)
def test_functions_of_wide_intervals(name: str, mid: float, rad: float, place: float) -> None:
    if name in ("log", "sqrt"):
        mid = abs(mid)
    with mpmath.workdps(220):
        inner = _inside(mid, rad, place)
        with NS.working():
            found = getattr(NS, name)(_interval(mid, rad))
        try:
            enclosure = enclose(found)[0]
        except NotFinite:
            assert _may_refuse(name, mid, rad)
            return
        assert contains(enclosure, UNARY[name](inner))


@pytest.mark.parametrize("name", UNARY)
def test_functions_on_a_sweep_of_intervals(name: str) -> None:
    """Every midpoint of a mesh with every radius, at five places: no luck needed."""
    mids, rads, places = (
        np.linspace(-6, 6, 41),
        [0.01, 0.1, 0.3, 0.7, 1.5, 4.0],
        [-1, -0.5, 0, 0.5, 1],
    )
    m, r = (a.reshape(-1) for a in np.meshgrid(mids, rads))
    with NS.working():
        found = getattr(NS, name)(IntervalArray(NS, m, r))
    fine = np.isfinite(np.asarray(found.rad))
    assert fine.sum() >= 20
    m, r, found = m[fine], r[fine], found[fine]
    with mpmath.workdps(40):
        for a, b, e in zip(m, r, enclose(found), strict=True):
            low = mpmath.mpf(int(e.lo.p)) / int(e.lo.q) - mpmath.mpf(10) ** -30
            high = mpmath.mpf(int(e.hi.p)) / int(e.hi.q) + mpmath.mpf(10) ** -30
            for place in places:
                assert low <= UNARY[name](_inside(a, b, place)) <= high


def test_division_on_a_sweep_of_intervals() -> None:
    """Corners of numerator and divisor, exactly; refused exactly where the divisor holds 0."""
    values, rads = np.linspace(-2, 2, 9), [0.0, 0.1, 0.45, 0.9, 1.9]
    for a, ra in itertools.product([-1.0, 0.0, 3.0], [0.0, 0.5, 2.0]):
        for b, rb in itertools.product(values, rads):
            with NS.working():
                quotient = _interval(a, ra) / _interval(b, rb)
            if abs(b) <= rb:
                assert not np.isfinite(np.asarray(quotient.rad)).any()
                continue
            e = enclose(quotient)[0]
            for s, t in itertools.product([-1, 1], [-1, 1]):
                top, bottom = Fraction(a) + s * Fraction(ra), Fraction(b) + t * Fraction(rb)
                assert e.contains(top / bottom)


@given(st.integers(0, 10**6), st.integers(1, 6))
def test_products_of_wide_matrices(seed: int, n: int) -> None:
    """Matrices chosen inside wide interval matrices, corners included, multiplied exactly."""
    rng = np.random.default_rng(seed)
    exact = RationalNamespace()
    pairs = []
    for shape in ((2, n), (n, 2)):
        mid, rad = rng.integers(-4, 5, shape) / 4, rng.integers(0, 5, shape) / 4
        place = rng.choice([-1, -0.5, 0, 1], shape)
        pairs.append((IntervalArray(NS, mid, rad), exact.from_float64(mid + rad * place)))
    (x, p), (y, q) = pairs
    for got, want in (
        (x @ y, p @ q),
        (x @ NS.from_float64(y.mid), p @ exact.from_float64(y.mid)),
        (NS.from_float64(x.mid) @ y, exact.from_float64(x.mid) @ q),
    ):
        assert all(e.contains(w) for e, w in zip(enclose(got), enclose(want), strict=True))


@given(st.integers(0, 10**6), st.integers(1, 9))
def test_sums_of_wide_intervals(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    mid, rad = rng.integers(-4, 5, n) / 4, rng.integers(0, 5, n) / 4
    x = IntervalArray(NS, mid, rad)
    exact = RationalNamespace()
    for place in (-1.0, 1.0, rng.choice([-1, -0.5, 0, 1], n)):
        p = exact.from_float64(mid + rad * place)
        for name, how in (("sum", {}), ("mean", {}), ("prod", {}), ("cumulative_sum", {"axis": 0}),
                          ("max", {}), ("min", {})):  # fmt: skip
            got, want = (getattr(ns, name)(v, **how) for ns, v in ((NS, x), (exact, p)))
            assert all(e.contains(w) for e, w in zip(enclose(got), enclose(want), strict=True))


def test_ties_at_zero_are_not_guessed() -> None:
    """[-1, 0] before an exact 0: either may come first, and the end 0 is not rounded outwards."""
    x = IntervalArray(NS, np.array([-0.5, 0.0]), np.array([0.5, 0.0]))
    for decide, y in ((NS.argmax, x), (NS.argmin, -x), (NS.argsort, -x)):
        with pytest.raises(UndecidedBranch):
            decide(y)


def test_tables_and_constants() -> None:
    """Cosines and sines from a table, pi and e: the intervals hold the balls."""
    fine = BallNamespace(300)
    for period in (3, 5, 7, 12, 97):
        for name in ("cos_2pi", "sin_2pi"):
            got, want = (
                getattr(ns, name)(ns.arange(-period, 2 * period), period) for ns in (NS, fine)
            )
            assert all(e.contains(w) for e, w in zip(enclose(got), enclose(want), strict=True))
            assert max(e.rad for e in enclose(got)) < fmpq(1, 2**52)
    for name in ("pi", "e"):
        assert enclose(getattr(NS, name))[0].contains(enclose(getattr(fine, name))[0])


@given(st.integers(0, 10**6))
def test_order_of_wide_intervals(seed: int) -> None:
    """Extremes, sorted values, and decided places, for numbers chosen inside."""
    rng = np.random.default_rng(seed)
    mid, rad = rng.integers(-8, 9, 5) / 4, rng.integers(0, 4, 5) / 8
    x = IntervalArray(NS, mid, rad)
    for _ in range(4):
        chosen = mid + rad * rng.choice([-1, -0.5, 0, 0.5, 1], 5)
        for got, want in (
            (NS.max(x), chosen.max()),
            (NS.min(x), chosen.min()),
            (NS.sort(x), np.sort(chosen)),
        ):
            want_flat = np.atleast_1d(want)
            assert all(
                e.contains(Fraction(w)) for e, w in zip(enclose(got), want_flat, strict=True)
            )
        for decide, truth in (
            (NS.argmax, np.argmax),
            (NS.argmin, np.argmin),
            (NS.argsort, lambda v: np.argsort(v, stable=True)),
        ):
            with contextlib.suppress(UndecidedBranch):
                assert np.array_equal(decide(x), truth(chosen))
        other = rng.integers(-8, 9) / 4
        for compare in ("__lt__", "__le__", "__gt__", "__ge__", "__eq__", "__ne__"):
            with contextlib.suppress(UndecidedBranch):
                decided = getattr(x, compare)(NS.from_float64(other))
                assert np.array_equal(decided, getattr(chosen, compare)(other))


def _may_refuse(name: str, mid: float, rad: float) -> bool:
    """Where an interval function may answer 'undefined' or overflow."""
    high = abs(mid) + rad
    if name in ("log", "sqrt"):
        return mid - rad <= 1e-200
    if name == "log1p":
        return mid - rad <= -1 + 1e-12
    if name == "tan":
        return abs(math.cos(mid)) <= rad + 1e-9
    return name in ("exp", "expm1", "sinh", "cosh", "softplus") and high > 300


@settings(max_examples=150, deadline=None)
@given(middles, radii, places, middles, radii, places, st.sampled_from("+-*/mM"))
def test_operations_on_wide_intervals(
    a: float, ra: float, s: float, b: float, rb: float, t: float, op: str
) -> None:
    with mpmath.workdps(220), NS.working():
        x, y = _interval(a, ra), _interval(b, rb)
        u, v = _inside(a, ra, s), _inside(b, rb, t)
        if op == "/":
            found = x / y
            if abs(b) <= rb:
                with pytest.raises(NotFinite):
                    enclose(found)
                return
        else:
            made = {
                "+": (x + y, u + v),
                "-": (x - y, u - v),
                "*": (x * y, u * v),
                "m": (NS.minimum(x, y), min(u, v)),
                "M": (NS.maximum(x, y), max(u, v)),
            }
            found = made[op][0]
        try:
            enclosure = enclose(found)[0]
        except NotFinite:
            assert op == "/" and abs(b) < 1e-200
            return
        assert contains(enclosure, u / v if op == "/" else made[op][1])


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 300), st.sampled_from([1e-3, 1.0, 1e6]))
def test_sums_and_products_of_matrices(seed: int, n: int, scale: float) -> None:
    """Sums, running sums and matrix products against exact rationals of the same doubles."""
    rng = np.random.default_rng(seed)
    a = rng.standard_normal((2, n)) * scale ** rng.standard_normal((2, n))
    b = rng.standard_normal((n, 2))
    exact = RationalNamespace()
    x, y = NS.from_float64(a), NS.from_float64(b)
    p, q = exact.from_float64(a), exact.from_float64(b)
    third = NS.rational(1, 3)
    cases = [
        (NS.sum(x), exact.sum(p)),
        (NS.sum(x, axis=1), exact.sum(p, axis=1)),
        (NS.cumulative_sum(x, axis=1), exact.cumulative_sum(p, axis=1)),
        (x @ y, p @ q),
        ((x * third) @ y, (p / 3) @ q),
        ((x * third) @ (y * third), (p / 3) @ (q / 3)),
        (NS.mean(x, axis=0), exact.mean(p, axis=0)),
        (NS.einsum("ij,jk->ki", x, y), exact.einsum("ij,jk->ki", p, q)),
    ]
    for got, want in cases:
        pairs = zip(enclose(got), enclose(want), strict=True)
        assert all(e.contains(w) for e, w in pairs)


def test_long_inner_products_are_blocked() -> None:
    rng = np.random.default_rng(7)
    a, b = rng.standard_normal((1, 20_000)), rng.standard_normal((20_000, 1))
    exact = RationalNamespace()
    truth = enclose(exact.from_float64(a) @ exact.from_float64(b))[0]
    found = enclose(NS.from_float64(a) @ NS.from_float64(b))[0]
    assert found.contains(truth)
    assert float(Fraction(int(found.rad.p), int(found.rad.q))) < 2e-8  # gamma_20000 gives 3e-8


def test_extreme_sizes_do_not_escape() -> None:
    """Underflow inside a radius: tiny, huge and mixed operands."""
    values = [5e-324, 1e-310, 2.3e-308, 1e-160, 1e-155, 1.0, 1e155, 1e160, 1e300]
    x = NS.from_float64(np.array(values))
    exact = RationalNamespace().from_float64(np.array(values))
    with NS.working():
        for got, want in [
            (x * x, exact * exact),
            (x[:, None] * x, exact[:, None] * exact),
            (x + x[::-1], exact + exact[::-1]),
        ]:
            flat_got, want_list = NS.reshape(got, (-1,)), enclose(want)
            for k, w in enumerate(want_list):
                try:
                    assert enclose(flat_got[k : k + 1])[0].contains(w)
                except NotFinite:
                    assert w.hi > 10**307
        outer = x[:, None] @ x[None, :]
    want = enclose(exact[:, None] * exact)
    for k, at in enumerate(np.ndindex(outer.shape)):
        try:
            assert enclose(outer[at])[0].contains(want[k])
        except NotFinite:
            assert want[k].hi > 10**307


def test_overflow_on_the_way_is_not_finite() -> None:
    """1e308 + 1e308 - 1e308 - 1e308: some orders of summation overflow, none may claim a radius."""
    x = NS.from_float64(np.array([[1e308, 1e308, -1e308, -1e308]]))
    with NS.working():
        for made in (NS.sum(x), x @ NS.ones((4, 1)), NS.cumulative_sum(x, axis=1)[:, 1:2]):
            wide = not np.isfinite(made.mid).all()
            assert not wide or not np.isfinite(made.rad).any()
            if wide:
                with pytest.raises(UndecidedBranch):
                    _ = made > 5


def test_norms_of_blurred_vectors() -> None:
    """The radius passes through the root, also where the sum of squares may be 0."""
    for ns in (NS, BallNamespace(24), BallNamespace(60)):
        third = ns.asarray([Fraction(1, 3), Fraction(1, 4)]) * ns.rational(3, 5)
        assert enclose(ns.norm(third))[0].contains(Fraction(1, 4))  # 3/5 * 5/12
        root = ns.sqrt(ns.asarray([2, 3]))
        zero = enclose(ns.norm(root * root - ns.asarray([2, 3])))[0]
        assert zero.contains(0) and zero.hi > 0


# ---- misleaders -----------------------------------------------------------------------------------


def _muller(ns: Any, steps: int) -> Any:
    x, y = ns.asarray(4), ns.rational(17, 4)
    for _ in range(steps):
        x, y = y, 108 - (815 - 1500 / x) / y
    return y


def _rump(ns: Any) -> Any:
    a, b = ns.asarray(77617), ns.asarray(33096)
    a2, b2 = a * a, b * b
    b4 = b2 * b2
    return (
        ns.rational(1335, 4) * b4 * b2
        + a2 * (11 * a2 * b2 - b4 * b2 - 121 * b4 - 2)
        + ns.rational(11, 2) * b4 * b4
        + a / (2 * b)
    )


def _logistic(ns: Any, steps: int) -> Any:
    x = ns.rational(1, 3)
    for _ in range(steps):
        x = ns.rational(39, 10) * x * (1 - x)
    return x


def test_muller_recurrence() -> None:
    """The true limit is 5; floating point converges to 100 and looks settled."""
    assert abs(float(_muller(FloatNamespace(xp), 60)) - 100) < 1e-9
    exact = enclose(_muller(RationalNamespace(), 60))[0]
    assert abs(exact.lo - 5) < fmpq(1, 1000)
    with NS.working():
        found = _muller(NS, 60)
        with contextlib.suppress(NotFinite):  # refused is as good as wide
            assert enclose(found)[0].contains(exact)
    ball = enclose(_muller(BallNamespace(400), 60))[0]
    assert ball.contains(exact) and ball.rad < fmpq(1, 10**9)


def test_rump_polynomial() -> None:
    """The value is -54767/66192; float64 gives about 1e21 or any other nonsense."""
    exact = enclose(_rump(RationalNamespace()))[0]
    assert exact.lo == fmpq(-54767, 66192)
    found = enclose(_rump(NS))[0]
    assert found.contains(exact) and found.rad > 1  # says that it does not know
    ball = enclose(_rump(BallNamespace(200)))[0]
    assert ball.contains(exact) and ball.rad < fmpq(1, 10**9)


def test_chaos_widens_the_radius() -> None:
    with NS.working():
        early, late = _logistic(NS, 10), _logistic(NS, 120)
    assert float(early.rad) < 1e-9
    assert not (float(late.rad) < 0.1)
    assert enclose(_logistic(BallNamespace(600), 120))[0].rad < fmpq(1, 10**9)


def test_chaos_leaves_comparisons_undecided() -> None:
    with NS.working(), pytest.raises(UndecidedBranch):
        _ = _logistic(NS, 120) > NS.rational(1, 2)


# ---- linear algebra -------------------------------------------------------------------------------


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 6))
def test_verified_solutions(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = rng.integers(-9, 10, (2, n, n)), rng.integers(-9, 10, (2, n, 2))
    exact = RationalNamespace()
    try:
        want = enclose(exact.solve(exact.asarray(a), exact.asarray(b)))
    except ZeroDivisionError:
        with pytest.raises(ZeroDivisionError):
            NS.solve(NS.asarray(a), NS.asarray(b))
        return
    for ns in (NS, BallNamespace(100)):
        got = enclose(ns.solve(ns.asarray(a), ns.asarray(b)))
        assert all(e.contains(w) for e, w in zip(got, want, strict=True))
        inverse = enclose(ns.inv(ns.asarray(a)))
        truth = enclose(exact.inv(exact.asarray(a)))
        assert all(e.contains(w) for e, w in zip(inverse, truth, strict=True))
        dets = zip(
            enclose(ns.det(ns.asarray(a))), enclose(exact.det(exact.asarray(a))), strict=True
        )
        assert all(e.contains(w) for e, w in dets)


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(-5, 5), min_size=1, max_size=6), st.integers(0, 10**6))
def test_eigenvalues_of_a_known_spectrum(spectrum: list[int], seed: int) -> None:
    """Q diag(spectrum) Q^T with rational orthogonal Q; repeated eigenvalues included."""
    from theorycheck.arrays.streams import Stream

    matrix = Stream(seed, "c", "test", "leg", {}, 0).positive_definite_rational(spectrum)
    for ns in (NS, BallNamespace(200)):
        found = enclose(ns.eigvalsh(ns.asarray(matrix)))
        for e, value in zip(found, sorted(spectrum), strict=True):
            assert e.contains(value)
            assert e.rad < fmpq(1, 10**9)


def test_singular_values() -> None:
    a = [[3, 0], [0, 4], [0, 0]]
    for ns in (NS, BallNamespace(100)):
        found = enclose(ns.svdvals(ns.asarray(a)))
        assert found[0].contains(4) and found[1].contains(3)


class _Sloppy:
    """A library whose inverses are off by a thousandth, and whose eigenvectors are too long by one.

    Its eigenvalues fit its eigenvectors, so that only the check of Q^T Q can notice.
    """

    def __init__(self) -> None:
        self.linalg = self

    def __getattr__(self, name: str) -> Any:
        return getattr(xp, name)

    def inv(self, a: Any) -> Any:
        return xp.linalg.inv(a) * (1 + 1e-3)

    def eigh(self, a: Any) -> tuple[Any, Any]:
        values, vectors = xp.linalg.eigh(a)
        return values * (1 + 2.0**-10) ** 2, vectors * (1 + 2.0**-10)


def test_verification_does_not_trust_the_library() -> None:
    sloppy, exact = IntervalNamespace(_Sloppy()), RationalNamespace()
    a, b = [[4, 1, 0], [1, 3, 1], [0, 1, 2]], [1, 2, 3]
    want = enclose(exact.solve(exact.asarray(a), exact.asarray(b)))
    got = enclose(sloppy.solve(sloppy.asarray(a), sloppy.asarray(b)))
    assert all(e.contains(w) for e, w in zip(got, want, strict=True))
    truth = enclose(BallNamespace(200).eigvalsh(BallNamespace(200).asarray(a)))
    found = enclose(sloppy.eigvalsh(sloppy.asarray(a)))
    assert all(e.contains(t) for e, t in zip(found, truth, strict=True))


@given(st.integers(0, 10**6), st.integers(1, 4))
def test_linear_algebra_of_wide_matrices(seed: int, n: int) -> None:
    """Systems and spectra of matrices chosen at the corners of an interval matrix."""
    rng = np.random.default_rng(seed)
    a = 8 * np.eye(n) + rng.integers(-8, 9, (n, n)) / 8
    a, rad = a + a.T, np.full((n, n), 1 / 16)
    b = rng.integers(-8, 9, (n, 1)) / 2
    corner = np.triu(rng.choice([-1, 1], (n, n)))
    chosen = a + rad * (corner + np.triu(corner, 1).T)
    exact, fine = RationalNamespace(), BallNamespace(200)
    x, y = IntervalArray(NS, a, rad), IntervalArray(NS, b, np.full((n, 1), 0.25))
    place = 0.25 * rng.choice([-1, 1], (n, 1))
    want = enclose(exact.solve(exact.from_float64(chosen), exact.from_float64(b + place)))
    assert all(e.contains(w) for e, w in zip(enclose(NS.solve(x, y)), want, strict=True))
    truth = enclose(fine.eigvalsh(fine.from_float64(chosen)))
    assert all(e.contains(t) for e, t in zip(enclose(NS.eigvalsh(x)), truth, strict=True))
    det = enclose(exact.det(exact.from_float64(chosen)))[0]
    assert enclose(NS.det(x))[0].contains(det)


def test_eigenvalues_refuse_what_is_not_symmetric() -> None:
    for ns in (NS, BallNamespace(100)):
        with pytest.raises(ValueError, match="not symmetric"):
            ns.eigvalsh(ns.asarray([[1, 2], [3, 4]]))
        with pytest.raises(ValueError, match="square"):
            ns.eigvalsh(ns.asarray([[1, 2, 3], [3, 4, 5]]))


# ---- the error model itself -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "low", "high", "ulps"),
    [("exp", -700, 700, 4), ("expm1", -30, 30, 4), ("log", 1e-300, 1e300, 4), ("log1p", -0.999, 50, 4),
     ("sin", -1e5, 1e5, 4), ("cos", -1e5, 1e5, 4), ("tan", -100, 100, 4), ("tanh", -20, 20, 4),
     ("sinh", -700, 700, 4), ("cosh", -700, 700, 4), ("erf", -6, 6, 8), ("sqrt", 0, 1e9, 0.5)],
)  # fmt: skip
def test_elementary_functions_keep_to_the_model(
    name: str, low: float, high: float, ulps: float
) -> None:
    """The assumed ulps, measured on this machine's NumPy and SciPy: sizes and near the ends."""
    rng = np.random.default_rng(1)
    x = rng.uniform(low, high, 1500)
    x = np.concatenate([x, x * 10.0 ** -rng.uniform(0, 12, x.size)])
    function = scipy.special.erf if name == "erf" else getattr(np, name)
    with mpmath.workdps(50):
        for point, value in zip(x.tolist(), function(x).tolist(), strict=True):
            truth = getattr(mpmath, name)(mpmath.mpf(point))
            assert abs(mpmath.mpf(value) - truth) <= ulps * mpmath.mpf(math.ulp(value))
