"""One surface, four arithmetics: every documented name, and the same values everywhere."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import array_api_compat.numpy as xp
import array_api_strict
import mpmath
import numpy as np
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from theorycheck import arrays
from theorycheck.arrays import (
    BallNamespace,
    FloatNamespace,
    IntervalNamespace,
    NotRational,
    RationalNamespace,
    enclose,
)

FLOATS = [FloatNamespace(xp), FloatNamespace(xp, "float32"), FloatNamespace(array_api_strict)]
EXACT = [
    IntervalNamespace(xp),
    IntervalNamespace(array_api_strict),
    BallNamespace(80),
    RationalNamespace(),
]
every_exact = pytest.mark.parametrize("ns", EXACT, ids=repr)


def _documented() -> list[str]:
    table = arrays.__doc__.split("same meaning in all of them:")[1].split("Rules.")[0]
    lines = [line for line in table.splitlines() if line.strip()]
    words = re.findall(r"[a-z_0-9]+", " ".join(line[10:].split("(plain")[0] for line in lines))
    return [w for w in words if hasattr(FloatNamespace, w) or hasattr(xp, w)]


def test_documented_names_exist_everywhere() -> None:
    names = _documented()
    assert len(names) > 80
    for ns in (*FLOATS, *EXACT):
        for name in names:
            try:
                assert getattr(ns, name) is not None
            except NotRational:
                assert ns.kind == "rational" and name in ("pi", "e")


THIRD = Fraction(1, 3)
A = [[1, 2, 3], [4, 5, 7]]

CASES: list[tuple[str, Any, Any]] = [
    ("asarray", lambda ns: ns.asarray([THIRD, 2, fmpq(1, 7), True]), [THIRD, 2, Fraction(1, 7), 1]),
    ("asarray of arrays", lambda ns: ns.asarray([ns.rational(1, 3), ns.asarray(2)]), [THIRD, 2]),
    ("number", lambda ns: ns.number(ns.arange(3)), [0, 1, 2]),
    ("number of a mask", lambda ns: ns.number(ns.arange(3) > 1), [0, 0, 1]),
    ("full", lambda ns: ns.full((2,), THIRD), [THIRD, THIRD]),
    ("eye", lambda ns: ns.eye(2, 3), [1, 0, 0, 0, 1, 0]),
    ("linspace", lambda ns: ns.linspace(0, 1, 4), [0, THIRD, 2 * THIRD, 1]),
    ("one_hot", lambda ns: ns.one_hot(ns.indices([1, 0]), 2), [0, 1, 1, 0]),
    ("arithmetic", lambda ns: (3 - ns.asarray(A)) * 2 / 5 + ns.asarray(A) / 4,
     [Fraction(2 * (3 - v), 5) + Fraction(v, 4) for v in (1, 2, 3, 4, 5, 7)]),
    ("matmul", lambda ns: ns.asarray(A) @ ns.matrix_transpose(ns.asarray(A)), [14, 35, 35, 90]),
    ("batched matmul", lambda ns: ns.stack([ns.asarray(A)] * 2) @ ns.asarray([1, 1, 0]), [3, 9] * 2),
    ("vector matmul", lambda ns: ns.asarray([1, 2]) @ ns.asarray(A), [9, 12, 17]),
    ("vecdot", lambda ns: ns.vecdot(ns.asarray(A), ns.asarray([1, 0, 2])), [7, 18]),
    ("outer", lambda ns: ns.outer(ns.asarray([1, 2]), ns.asarray([3, 4])), [3, 4, 6, 8]),
    ("tensordot", lambda ns: ns.tensordot(ns.asarray(A), ns.asarray(A), ((0,), (0,)))[0, :],
     [17, 22, 31]),
    ("tensordot 1", lambda ns: ns.tensordot(ns.asarray(A), ns.asarray([1, 1, 1]), 1), [6, 16]),
    ("einsum trace-like", lambda ns: ns.einsum("ij,ij->", ns.asarray(A), ns.asarray(A)), [104]),
    ("einsum batch", lambda ns: ns.einsum("bi,bj->bij", ns.asarray(A), ns.asarray(A))[1, 0, :],
     [16, 20, 28]),
    ("einsum sum", lambda ns: ns.einsum("ij->j", ns.asarray(A)), [5, 7, 10]),
    ("einsum lonely", lambda ns: ns.einsum("ij,k->j", ns.asarray(A), ns.asarray([1, 2])),
     [15, 21, 30]),
    ("sum", lambda ns: ns.sum(ns.asarray(A), axis=0), [5, 7, 10]),
    ("sum of both axes", lambda ns: ns.sum(ns.asarray(A), axis=(0, 1)), [22]),
    ("sum kept", lambda ns: ns.sum(ns.asarray(A), axis=1, keepdims=True), [6, 16]),
    ("mean", lambda ns: ns.mean(ns.asarray(A), axis=1), [2, Fraction(16, 3)]),
    ("prod", lambda ns: ns.prod(ns.asarray(A), axis=1), [6, 140]),
    ("prod all", lambda ns: ns.prod(ns.asarray(A)), [840]),
    ("cumulative_sum", lambda ns: ns.cumulative_sum(ns.asarray(A), axis=1), [1, 3, 6, 4, 9, 16]),
    ("norm", lambda ns: ns.norm(ns.asarray([[3, 4], [6, 8]]), axis=1), [5, 10]),
    ("trace", lambda ns: ns.trace(ns.asarray([[1, 2], [3, 4]])), [5]),
    ("diag", lambda ns: ns.diag(ns.asarray([1, 2])), [1, 0, 0, 2]),
    ("diagonal", lambda ns: ns.diagonal(ns.asarray(A)), [1, 5]),
    ("tril", lambda ns: ns.tril(ns.asarray(A)), [1, 0, 0, 4, 5, 0]),
    ("triu", lambda ns: ns.triu(ns.asarray(A), k=1), [0, 2, 3, 0, 0, 7]),
    ("wht", lambda ns: ns.wht(ns.asarray([1, 2, 3, 5])), [11, -3, -5, 1]),
    ("wht axis", lambda ns: ns.wht(ns.asarray(A), axis=0), [5, 7, 10, -3, -3, -4]),
    ("dft", lambda ns: ns.concat(list(ns.dft(ns.asarray([1, 2, 3, 5])))),
     [11, -2, -3, -2, 0, 3, 0, -3]),
    ("cos_2pi", lambda ns: ns.cos_2pi(ns.indices([0, 1, 2, 3, 7, -1]), 6),
     [1, Fraction(1, 2), Fraction(-1, 2), -1, Fraction(1, 2), Fraction(1, 2)]),
    ("sin_2pi", lambda ns: ns.sin_2pi(ns.arange(4), 4), [0, 1, 0, -1]),
    ("pow", lambda ns: ns.asarray([2, -3]) ** 3, [8, -27]),
    ("negative pow", lambda ns: ns.pow(ns.asarray([2, -3]), -2), [Fraction(1, 4), Fraction(1, 9)]),
    ("pow 0", lambda ns: ns.pow(ns.asarray([2, 0]), 0), [1, 1]),
    ("pow by array", lambda ns: ns.pow(ns.rational(1, 2), ns.arange(4)),
     [1, Fraction(1, 2), Fraction(1, 4), Fraction(1, 8)]),
    ("power", lambda ns: ns.power(ns.asarray([4, 9]), 3, 2), [8, 27]),
    ("third power", lambda ns: ns.power(ns.asarray([8, 27]), 2, 3), [4, 9]),
    ("sqrt", lambda ns: ns.sqrt(ns.asarray([4, Fraction(1, 9)])), [2, THIRD]),
    ("abs", lambda ns: abs(ns.asarray([-1, 2])), [1, 2]),
    ("sign", lambda ns: ns.sign(ns.asarray([-5, 0, THIRD])), [-1, 0, 1]),
    ("floor", lambda ns: ns.floor(ns.asarray([Fraction(-1, 2), 2, Fraction(7, 3)])), [-1, 2, 2]),
    ("relu", lambda ns: ns.relu(ns.asarray([-1, 2])), [0, 2]),
    ("maximum", lambda ns: ns.maximum(ns.asarray([1, 5]), 3), [3, 5]),
    ("minimum", lambda ns: ns.minimum(ns.asarray([1, 5]), THIRD), [THIRD, THIRD]),
    ("max", lambda ns: ns.max(ns.asarray(A), axis=0), [4, 5, 7]),
    ("min", lambda ns: ns.min(ns.asarray(A), axis=1), [1, 4]),
    ("sort", lambda ns: ns.sort(ns.asarray([3, 1, 2])), [1, 2, 3]),
    ("argsort", lambda ns: ns.number(ns.argsort(ns.asarray([3, 1, 2]))), [1, 2, 0]),
    ("argmax", lambda ns: ns.number(ns.argmax(ns.asarray(A), axis=1)), [2, 2]),
    ("where", lambda ns: ns.where(ns.asarray([1, 2]) > 1, THIRD, ns.asarray([7, 8])), [7, THIRD]),
    ("reshape", lambda ns: ns.reshape(ns.asarray(A), (3, 2))[:, 1], [2, 4, 7]),
    ("broadcast", lambda ns: ns.broadcast_to(ns.asarray([1, 2]), (2, 2)), [1, 2, 1, 2]),
    ("expand and squeeze", lambda ns: ns.squeeze(ns.expand_dims(ns.asarray([1, 2]), axis=0), axis=0),
     [1, 2]),
    ("permute_dims", lambda ns: ns.permute_dims(ns.asarray(A), (1, 0))[0, :], [1, 4]),
    ("moveaxis", lambda ns: ns.moveaxis(ns.asarray([A]), 0, -1)[0, :, 0], [1, 2, 3]),
    ("flip", lambda ns: ns.flip(ns.asarray([1, 2, 3])), [3, 2, 1]),
    ("roll", lambda ns: ns.roll(ns.asarray([1, 2, 3]), 1, axis=0), [3, 1, 2]),
    ("repeat", lambda ns: ns.repeat(ns.asarray([1, 2]), 2, axis=0), [1, 1, 2, 2]),
    ("concat", lambda ns: ns.concat([ns.asarray([1]), ns.asarray([THIRD])]), [1, THIRD]),
    ("stack", lambda ns: ns.stack([ns.asarray([1, 2]), ns.asarray([3, 4])], axis=1), [1, 3, 2, 4]),
    ("take", lambda ns: ns.take(ns.asarray([5, 6, 7]), ns.indices([2, 0]), axis=0), [7, 5]),
    ("take_along_axis", lambda ns: ns.take_along_axis(ns.asarray(A), ns.indices([[2], [0]]), axis=1),
     [3, 4]),
    ("gather", lambda ns: ns.asarray(A)[ns.indices([1, 0]), ns.indices([2, 1])], [7, 2]),
    ("slices", lambda ns: ns.asarray(A)[::-1, 1:][0, :], [5, 7]),
    ("rows", lambda ns: ns.stack([ns.sum(ns.asarray(A)[i, :]) for i in range(2)]), [6, 16]),
    ("solve", lambda ns: ns.solve(ns.asarray([[2, 1], [1, 3]]), ns.asarray([1, 2])),
     [Fraction(1, 5), Fraction(3, 5)]),
    ("inv", lambda ns: ns.inv(ns.asarray([[2, 0], [0, 4]])), [Fraction(1, 2), 0, 0, Fraction(1, 4)]),
    ("det", lambda ns: ns.det(ns.asarray([[2, 1], [1, 3]])), [5]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "program", "expected"), CASES, ids=[c[0] for c in CASES])
def test_same_values_in_every_arithmetic(name: str, program: Any, expected: list[Any]) -> None:
    for ns in EXACT:
        with ns.working():
            found = enclose(program(ns))
        assert len(found) == len(expected), ns
        for e, want in zip(found, expected, strict=True):
            value = fmpq(Fraction(want).numerator, Fraction(want).denominator)
            assert e.contains(value), (ns, name)
            assert e.rad < fmpq(1, 10**12), (ns, name)
            assert ns.kind != "rational" or e.exact
    for ns in FLOATS:
        values = np.asarray(program(ns), dtype=float).reshape(-1)
        assert np.allclose(values, [float(v) for v in expected], atol=1e-5), ns


def test_floats_keep_their_dtype() -> None:
    ns = FLOATS[1]
    for made in (ns.cos(ns.arange(3)), ns.rational(1, 3) * ns.ones(2), ns.pi * ns.ones(1),
                 ns.mean(ns.ones((2, 2))), ns.number(ns.arange(2)) / 3, ns.cos_2pi(ns.arange(3), 5),
                 ns.sqrt(ns.asarray([2])), ns.power(ns.asarray([2]), 1, 3)):  # fmt: skip
        assert made.dtype == np.float32


@every_exact
def test_indices_stay_plain_integers(ns: Any) -> None:
    for made in (ns.arange(2, 8, 2), ns.indices([[1, 2]]), ns.sum(ns.arange(4)), ns.max(ns.arange(3)),
                 ns.reshape(ns.arange(4), (2, 2)), ns.stack([ns.arange(2), ns.arange(2)]),
                 ns.argmax(ns.asarray([1, 2]))):  # fmt: skip
        assert ns.xp.isdtype(made.dtype, "integral")
    assert enclose(ns.sum(ns.arange(5)))[0].lo == 10


@every_exact
def test_iteration_and_length(ns: Any) -> None:
    x = ns.asarray(A)
    assert [enclose(ns.sum(row))[0].lo for row in x] == [6, 14 + 2]
    assert len(x) == 2 and x.ndim == 2 and x.size == 6 and x.T.shape == (3, 2)
    with pytest.raises(TypeError):
        len(ns.asarray(1))


@every_exact
@given(st.lists(st.integers(-(2**40), 2**40), min_size=1, max_size=5), st.integers(1, 30))
def test_whole_numbers_stay_exact(ns: Any, values: list[int], shift: int) -> None:
    """Sums, products and halvings of integers keep radius 0, so that equality can be decided."""
    x = ns.asarray(values) / 2**shift
    total = ns.sum(x)
    found = enclose(total)[0]
    assert found.exact
    assert found.lo == fmpq(sum(values), 2**shift)
    assert bool(total * 2**shift == sum(values))
    assert enclose(x * 8 - ns.reshape(x, x.shape) * 8)[0].lo == 0


def test_exactness_ends_where_floats_end() -> None:
    """2^53 + 1 is no double: the enclosure must widen rather than round silently."""
    ns = EXACT[0]
    big = ns.asarray(2**53)
    pair = ns.asarray([2**53, 1])
    for made in (big + 1, ns.sum(pair), ns.asarray(2**53 + 1), ns.vecdot(pair, ns.ones(2)),
                 pair @ ns.ones((2, 1)), ns.asarray(2**27 + 1) ** 2 + 2**60):  # fmt: skip
        assert not enclose(made)[0].exact
    assert enclose(big + 1)[0].contains(2**53 + 1)
    extreme = ns.asarray(np.array([-(2**63), 5]))
    assert enclose(ns.sum(extreme))[0].contains(5 - 2**63)
    assert not enclose(ns.sum(extreme))[0].exact
    assert enclose(ns.asarray(2**27 + 1) ** 2)[0].contains((2**27 + 1) ** 2)


def test_transcendental_functions_against_mpmath() -> None:
    points = [Fraction(k, 7) for k in range(-20, 21)]
    for name in ("exp", "expm1", "sin", "cos", "tan", "tanh", "sinh", "cosh", "erf"):
        for ns in (EXACT[0], EXACT[2]):
            found = enclose(getattr(ns, name)(ns.asarray(points)))
            with mpmath.workdps(60):
                for e, q in zip(found, points, strict=True):
                    truth = getattr(mpmath, name)(mpmath.mpf(q.numerator) / q.denominator)
                    low = mpmath.mpf(int(e.lo.p)) / int(e.lo.q) - mpmath.mpf(10) ** -50
                    high = mpmath.mpf(int(e.hi.p)) / int(e.hi.q) + mpmath.mpf(10) ** -50
                    assert low <= truth <= high


def test_softmax_and_friends() -> None:
    x = [1000, 999, 0]
    for ns in (*EXACT[:3], *FLOATS):
        with ns.working():
            p = ns.softmax(ns.asarray(x))
            total, top = ns.sum(p), ns.logsumexp(ns.asarray(x))
        if ns.kind == "float":
            assert abs(float(total) - 1) < 1e-5
            assert abs(float(top) - 1000.3132616875) < 1e-3
        else:
            assert enclose(total)[0].contains(1)
            assert abs(enclose(top)[0].mid - fmpq(10003132616875, 10**10)) < fmpq(1, 10**9)


def test_balls_restore_the_global_precision() -> None:
    from flint import ctx

    before = ctx.prec
    ns = BallNamespace(300)
    with ns.working():
        third = ns.asarray(1) / 3
    assert ctx.prec == before
    assert enclose(third)[0].rad < fmpq(1, 2**290)
    assert enclose(ns.exp(third) * third)[0].rad < fmpq(1, 2**280)  # also outside of working()
    assert ctx.prec == before


def test_more_bits_give_smaller_balls() -> None:
    widths = [enclose(BallNamespace(b).sqrt(BallNamespace(b).asarray(2)))[0].rad for b in (60, 120)]
    assert widths[1] < widths[0] / 2**50
