"""What must be refused: float literals, undecided branches, NaN, misfits, irrational rationals."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import array_api_compat.numpy as xp
import array_api_strict
import numpy as np
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from theorycheck.arrays import (
    BallNamespace,
    FloatLiteral,
    FloatNamespace,
    IntervalArray,
    IntervalNamespace,
    NotFinite,
    NotRational,
    NotSupported,
    RationalNamespace,
    UndecidedBranch,
    enclose,
)

EXACT = [
    IntervalNamespace(xp),
    IntervalNamespace(array_api_strict),
    BallNamespace(80),
    RationalNamespace(),
]
ROUNDED = EXACT[:3]
every_exact = pytest.mark.parametrize("ns", EXACT, ids=repr)
every_rounded = pytest.mark.parametrize("ns", ROUNDED, ids=repr)


# ---- float literals -------------------------------------------------------------------------------


@every_exact
@pytest.mark.parametrize(
    "leak",
    [
        lambda ns, x: x * 0.1,
        lambda ns, x: 0.1 * x,
        lambda ns, x: x + 0.5,
        lambda ns, x: 1.0 - x,
        lambda ns, x: x / 2.0,
        lambda ns, x: 2.0 / x,
        lambda ns, x: x**0.5,
        lambda ns, x: x > 0.0,
        lambda ns, x: x == 1.0,
        lambda ns, x: ns.asarray(0.1),
        lambda ns, x: ns.asarray([1, [2, 0.5]][1]),
        lambda ns, x: ns.full((2,), 0.25),
        lambda ns, x: ns.where(ns.asarray([1, 2]) > 1, x, 0.5),
        lambda ns, x: ns.maximum(x, 0.0),
        lambda ns, x: np.ones(2) * x,
        lambda ns, x: x @ np.ones(2),
        lambda ns, x: np.float64(0.1) * x,
        lambda ns, x: np.float32(0.5) + x,
        lambda ns, x: x + np.ones(2, dtype=np.float32),
    ],
)
def test_float_literals_are_refused(ns: Any, leak: Any) -> None:
    with pytest.raises(FloatLiteral):
        leak(ns, ns.asarray([1, 2]))


def test_the_message_says_what_to_write() -> None:
    for ns in EXACT:
        with pytest.raises(TypeError) as caught:
            _ = ns.asarray(1) * 0.1
        assert str(caught.value) == "float 0.1 in an exact leg: write ns.rational(1, 10)"
    with pytest.raises(FloatLiteral, match=r"ns\.rational\(1, 3\)"):
        _ = EXACT[0].asarray(1) * (1 / 3)


@given(st.floats(allow_nan=True, allow_infinity=True))
def test_every_float_is_refused(value: float) -> None:
    for ns in EXACT:
        with pytest.raises(FloatLiteral):
            ns.asarray(value)
    with pytest.raises(FloatLiteral):
        FloatNamespace(xp).asarray(value)


def test_integer_division_that_leaks_floats_is_caught() -> None:
    for ns in (EXACT[0], *EXACT[2:]):
        index = ns.arange(3)
        with pytest.raises(FloatLiteral):
            _ = ns.asarray([1, 2, 3]) * (index / 2)


# ---- undecided branches ---------------------------------------------------------------------------


def _blurred(ns: Any) -> Any:
    """[1, sqrt(2)^2 - 2, 3]: the middle entry is 0, but no rounded arithmetic can know."""
    root = ns.sqrt(ns.asarray(2))
    return ns.stack([ns.asarray(1), root * root - 2, ns.asarray(3)])


@every_rounded
@pytest.mark.parametrize(
    ("op", "compare"),
    [
        ("<", lambda ns, x: x < 0),
        ("<=", lambda ns, x: x <= 0),
        (">", lambda ns, x: x > 0),
        (">=", lambda ns, x: x >= 0),
        ("==", lambda ns, x: x == 0),
        ("!=", lambda ns, x: x != 0),
        ("sign", lambda ns, x: ns.sign(x)),
        ("floor", lambda ns, x: ns.floor(x)),
        ("argmin", lambda ns, x: ns.argmin(ns.abs(x) * ns.asarray([0, 1, 1]))),
        ("argmax", lambda ns, x: ns.argmax(-ns.abs(x) * ns.asarray([0, 1, 1]))),
        ("argsort", lambda ns, x: ns.argsort(x * ns.asarray([0, 1, 1]))),
    ],
)
def test_overlapping_enclosures_are_never_decided(ns: Any, op: str, compare: Any) -> None:
    with pytest.raises(UndecidedBranch) as caught:
        compare(ns, _blurred(ns))
    assert "undecided" in str(caught.value)
    if op not in ("argmin", "argmax", "argsort"):
        assert caught.value.index == (1,)


@every_rounded
def test_one_undecided_entry_spoils_the_mask(ns: Any) -> None:
    """No silent False for the undecided entry beside decided ones."""
    x = _blurred(ns)
    assert np.asarray(x[ns.indices([0, 2])] > 0).tolist() == [True, True]
    with pytest.raises(UndecidedBranch):
        ns.where(x > 0, 1, 0)


def test_an_interval_around_zero_is_not_zero() -> None:
    """The midpoint is 0 exactly; the number need not be."""
    ns = EXACT[0]
    x = IntervalArray(ns, np.zeros(2), np.array([0.0, 1e-30]))
    assert enclose(ns.sign(x[:1]))[0].lo == 0
    for compare in (lambda: ns.sign(x), lambda: x == 0, lambda: x >= 0, lambda: ns.floor(x)):
        with pytest.raises(UndecidedBranch) as caught:
            compare()
        assert caught.value.index == (1,)


@every_rounded
def test_nan_is_never_decided(ns: Any) -> None:
    with ns.working():
        x = ns.sqrt(ns.asarray([-1, 4]))
    for compare in (lambda: x > 0, lambda: x <= 0, lambda: x == x, lambda: x != x,
                    lambda: ns.argmax(x), lambda: ns.sign(x)):  # fmt: skip
        with pytest.raises((UndecidedBranch, NotFinite)):
            compare()


@every_exact
def test_decided_comparisons(ns: Any) -> None:
    x = ns.asarray([1, 2, 3])
    assert np.asarray(x < 2).tolist() == [True, False, False]
    assert np.asarray(x <= 2).tolist() == [True, True, False]
    assert np.asarray(x == 2).tolist() == [False, True, False]
    assert np.asarray(x != 2).tolist() == [True, False, True]
    assert np.asarray(ns.asarray(2) > x).tolist() == [True, False, False]
    assert np.asarray(ns.rational(5, 2) >= x).tolist() == [True, True, False]


@every_exact
def test_exact_ties_take_the_first(ns: Any) -> None:
    x = ns.asarray([2, 5, 5, 1, 1])
    assert int(ns.argmax(x)) == 1
    assert int(ns.argmin(x)) == 3
    assert np.asarray(ns.argsort(x)).tolist() == [3, 4, 0, 1, 2]
    table = ns.asarray([[1, 2], [4, 3]])
    assert np.asarray(ns.argmax(table, axis=0)).tolist() == [1, 1]
    assert np.asarray(ns.argmax(table, axis=1)).tolist() == [1, 0]


@every_exact
def test_arrays_have_no_truth_value_and_are_no_floats(ns: Any) -> None:
    x = ns.asarray(1)
    for use in (bool, float):
        with pytest.raises(TypeError):
            use(x)
    with pytest.raises(TypeError):
        hash(x)


# ---- not finite -----------------------------------------------------------------------------------


@every_exact
@pytest.mark.parametrize(
    "make",
    [
        lambda ns: 1 / ns.asarray([1, 0]),
        lambda ns: ns.asarray(0) / ns.asarray(0),
        lambda ns: ns.sqrt(ns.asarray([4, -1])),
        lambda ns: ns.pow(ns.asarray(0), -1),
        lambda ns: (
            ns.tanh(ns.asarray(1) / ns.asarray(0)) if ns.kind != "rational" else 1 / ns.zeros(1)
        ),
        lambda ns: ns.relu(ns.asarray(1) / ns.asarray(0)),
        lambda ns: ns.from_float64([float("nan")]),
        lambda ns: ns.from_float64([float("inf")]),
    ],
)
def test_undefined_values_are_refused(ns: Any, make: Any) -> None:
    with pytest.raises(NotFinite), ns.working():
        enclose(make(ns))


@every_rounded
def test_logarithms_outside_their_domain(ns: Any) -> None:
    for bad in (
        lambda: ns.log(ns.asarray(0)),
        lambda: ns.log(ns.asarray(-1)),
        lambda: ns.log1p(ns.asarray(-1)),
        lambda: ns.log1p(ns.asarray(-2)),
    ):
        with pytest.raises(NotFinite), ns.working():
            enclose(bad())


def test_overflow_is_refused() -> None:
    ns = EXACT[0]
    with pytest.raises(NotFinite), ns.working():
        enclose(ns.exp(ns.asarray(1000)))
    with pytest.raises(NotFinite):
        ns.asarray(10**400)
    big = ns.asarray(10**300)
    with pytest.raises(NotFinite), ns.working():
        enclose(big * big)


# ---- rationals ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    ["exp", "expm1", "log", "log1p", "sin", "cos", "tan", "tanh", "sinh", "cosh", "erf", "softmax",
     "logsumexp", "sigmoid", "softplus"],
)  # fmt: skip
def test_irrational_functions_name_themselves(name: str) -> None:
    ns = RationalNamespace()
    with pytest.raises(NotRational, match=f"{name}.*balls"):
        getattr(ns, name)(ns.asarray([1, 2]))


def test_roots_of_rationals() -> None:
    ns = RationalNamespace()
    assert enclose(ns.sqrt(ns.asarray([Fraction(9, 4), 0])))[0].lo == fmpq(3, 2)
    assert enclose(ns.power(ns.rational(27, 8), -2, 3))[0].lo == fmpq(4, 9)
    assert enclose(ns.norm(ns.asarray([3, 4])))[0].lo == 5
    for bad in (lambda: ns.sqrt(ns.asarray(2)), lambda: ns.power(ns.asarray(4), 1, 3)):
        with pytest.raises(NotRational):
            bad()
    for name in ("pi", "e"):
        with pytest.raises(NotRational, match=name):
            getattr(ns, name)
    with pytest.raises(NotRational):
        ns.cos_2pi(ns.arange(5), 5)
    with pytest.raises(NotRational):
        ns.eigvalsh(ns.eye(2))


# ---- misfits --------------------------------------------------------------------------------------


@every_exact
@pytest.mark.parametrize(
    "misfit",
    [
        lambda ns: ns.asarray([1, 2]) + ns.asarray([1, 2, 3]),
        lambda ns: ns.asarray([[1, 2], [3]]),
        lambda ns: ns.asarray([1, 2]) @ ns.asarray([1, 2, 3]),
        lambda ns: ns.matmul(ns.ones((2, 3)), ns.ones((2, 3))),
        lambda ns: ns.reshape(ns.ones(6), (4, 2)),
        lambda ns: ns.stack([ns.ones(2), ns.ones(3)]),
        lambda ns: ns.stack([]),
        lambda ns: ns.einsum("ij,jk->ik", ns.ones((2, 3)), ns.ones((2, 3))),
        lambda ns: ns.einsum("ij,jk", ns.ones((2, 3)), ns.ones((3, 2))),
        lambda ns: ns.einsum("ii->i", ns.ones((2, 2))),
        lambda ns: ns.einsum("ij->k", ns.ones((2, 2))),
        lambda ns: ns.wht(ns.ones(3)),
        lambda ns: ns.solve(ns.ones((2, 3)), ns.ones(2)),
        lambda ns: ns.sum(ns.ones(2), axis=1),
        lambda ns: ns.pow(ns.ones(2), ns.indices([1, -1])),
        lambda ns: ns.cos_2pi(ns.arange(3), 0),
    ],
)
def test_misfits_raise_value_errors(ns: Any, misfit: Any) -> None:
    with pytest.raises(ValueError):
        misfit(ns)


@every_exact
def test_unknown_functions_and_operands(ns: Any) -> None:
    with pytest.raises(NotSupported, match="surface"):
        ns.digamma(ns.ones(2))
    for other in ("1", None, [1, 2], 1j):
        with pytest.raises(TypeError):
            _ = ns.ones(2) + other
    with pytest.raises(TypeError):
        ns.pow(ns.ones(2), Fraction(1, 2))
    with pytest.raises(TypeError):
        ns.asarray("1")


def test_arithmetics_do_not_mix() -> None:
    with pytest.raises(TypeError):
        _ = BallNamespace(60).ones(2) + RationalNamespace().ones(2)
    with pytest.raises(TypeError):
        _ = EXACT[0].ones(2) + RationalNamespace().ones(2)
    with pytest.raises(TypeError, match="no enclosure"):
        enclose(np.ones(2))


def test_singular_matrices() -> None:
    for ns in EXACT:
        with pytest.raises(ZeroDivisionError):
            ns.solve(ns.asarray([[1, 2], [2, 4]]), ns.asarray([1, 1]))


def test_a_precision_that_is_none() -> None:
    with pytest.raises(ValueError):
        BallNamespace(1)
