"""Random streams: a pure function of the key, and exact where exactness is promised."""

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
    IntervalNamespace,
    RationalNamespace,
    enclose,
)
from theorycheck.arrays.streams import SEED, Stream, canonical, stream_key

SPACES = [FloatNamespace(xp), IntervalNamespace(xp), BallNamespace(64), RationalNamespace()]
KEY: tuple[Any, ...] = (1, "claim", "judge", "leg", {"d": 3, "k": Fraction(1, 2)}, 0)


def _stream(ns: Any = None, **changed: Any) -> Stream:
    names = ("seed", "claim_id", "purpose", "leg", "point", "block")
    return Stream(**{**dict(zip(names, KEY, strict=True)), **changed}, ns=ns)


def test_the_key_never_changes() -> None:
    """A changed encoding would silently redraw every recorded run."""
    assert f"{stream_key(*KEY):032x}" == "b6c8b35329f39a6550067d415bf35778"


@pytest.mark.parametrize(
    "changed",
    [{"seed": 2}, {"claim_id": "claimj"}, {"purpose": "search"}, {"leg": "leg/x"}, {"block": 1},
     {"point": {"d": 3}}, {"point": {"d": 3, "k": Fraction(1, 3)}},
     {"point": {"k": 3, "d": Fraction(1, 2)}}, {"point": {"d": 3, "k": "1/2"}}],
)  # fmt: skip
def test_every_part_of_the_key_matters(changed: dict[str, Any]) -> None:
    one, other = _stream().integers(0, 2**62, 4), _stream(**changed).integers(0, 2**62, 4)
    assert not np.array_equal(one, other)


def test_equal_keys_give_equal_draws() -> None:
    """Whatever the order of keys, the kind of an exact number, or what else is drawn."""
    first = _stream().normal(5)
    _stream(block=1).normal(1000)
    again = _stream(point={"k": fmpq(1, 2), "d": Fraction(3)}).normal(5)
    assert np.array_equal(first, again)


def test_blocks_are_independent_of_how_many_are_drawn() -> None:
    alone = _stream(block=7).integers(0, 100, 50)
    in_order = [_stream(block=b).integers(0, 100, 50) for b in range(8)][7]
    assert np.array_equal(alone, in_order)


exact_values = st.recursive(
    st.integers() | st.fractions() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3).map(tuple),
    max_leaves=6,
)


def _normal(value: Any) -> Any:
    if isinstance(value, tuple):
        return ("list", *map(_normal, value))
    return ("text", value) if isinstance(value, str) else Fraction(value)


@given(exact_values, exact_values)
def test_the_encoding_is_unambiguous(a: Any, b: Any) -> None:
    assert (canonical(a) == canonical(b)) == (_normal(a) == _normal(b))


def test_keys_refuse_floats_and_strangers() -> None:
    with pytest.raises(FloatLiteral):
        _stream(point={"k": 0.5})
    with pytest.raises(TypeError, match="key"):
        _stream(point={"k": object()})


@pytest.mark.parametrize(
    "draw",
    [
        lambda s: s.normal((2, 3)),
        lambda s: s.uniform((4,)),
        lambda s: s.uniform((4,), -1, 1),
        lambda s: s.signs((5,)),
        lambda s: s.rational((3,), 6),
        lambda s: s.orthogonal_rational(3),
        lambda s: s.positive_definite_rational([1, Fraction(1, 2), 3]),
    ],
)
def test_same_draws_in_every_arithmetic(draw: Any) -> None:
    """The exact numbers of a stream without a namespace are what all namespaces enclose."""
    exact = draw(_stream())
    flat = [Fraction(v) for v in np.asarray(exact).reshape(-1).tolist()]
    for ns in SPACES:
        found = draw(_stream(ns))
        assert tuple(found.shape) == np.asarray(exact).shape
        if ns.kind == "float":
            assert np.allclose(found.reshape(-1), [float(v) for v in flat], rtol=1e-15, atol=1e-15)
            continue
        for e, v in zip(enclose(found), flat, strict=True):
            assert e.contains(v)
    strict = draw(_stream(FloatNamespace(array_api_strict)))
    assert np.array_equal(np.asarray(strict), draw(_stream(SPACES[0])))


@pytest.mark.parametrize("ns", SPACES, ids=repr)
def test_integers_are_plain(ns: Any) -> None:
    for draw in (
        lambda s: s.integers(0, 5, 9),
        lambda s: s.choice([1, 2], 9),
        lambda s: s.permutation(9),
        lambda s: s.bernoulli(Fraction(1, 3), 9),
    ):
        made = draw(_stream(ns))
        assert made.dtype == np.int64
        assert np.array_equal(made, draw(_stream()))


def test_permutations() -> None:
    table = _stream().permutation(6, (50,))
    assert np.array_equal(np.sort(table, axis=-1), np.tile(np.arange(6), (50, 1)))
    assert len({tuple(row) for row in table.tolist()}) > 30


def test_choice_meets_its_weights() -> None:
    """Within six standard deviations of the exact probabilities; zero weights never drawn."""
    n, weights = 40_000, [Fraction(1, 2), 0, Fraction(1, 3), Fraction(1, 6)]
    counts = np.bincount(_stream().choice(weights, n), minlength=4)
    for count, p in zip(counts, map(float, weights), strict=True):
        assert abs(count - n * p) <= 6 * (n * p * (1 - p)) ** 0.5


def test_moments() -> None:
    n = 40_000
    ns = SPACES[0]
    z, u, s = _stream(ns).normal(n), _stream(ns).uniform(n, -1, 1), _stream(ns).signs(n)
    for x, variance in ((z, 1.0), (u, 1 / 3), (s, 1.0)):
        assert abs(np.mean(x)) <= 6 * (variance / n) ** 0.5
        assert abs(np.mean(x * x) - variance) <= 6 * (3 / n) ** 0.5
    assert u.min() >= -1 and u.max() < 1


@given(st.integers(0, 10**9), st.integers(1, 5))
def test_orthogonal_matrices_are_orthogonal(seed: int, d: int) -> None:
    q = _stream(seed=seed).orthogonal_rational(d)
    assert np.array_equal(q @ q.T, np.eye(d, dtype=int))


def test_orthogonal_matrices_have_both_determinants() -> None:
    ns = RationalNamespace()
    dets = {
        int(enclose(ns.det(_stream(ns, block=b).orthogonal_rational(3)))[0].lo.p) for b in range(20)
    }
    assert dets == {-1, 1}


def test_positive_definite_matrices_have_their_spectrum() -> None:
    """Characteristic polynomial at each eigenvalue, exactly."""
    ns, spectrum = RationalNamespace(), [Fraction(1, 2), 2, 7]
    s = _stream(ns).positive_definite_rational(spectrum)
    assert bool(np.all(s == s.mT))
    for value in spectrum:
        assert enclose(ns.det(s - ns.eye(3) * value))[0].lo == 0
    assert enclose(ns.trace(s))[0].lo == fmpq(19, 2)


def test_sphere_points_have_norm_one() -> None:
    for ns in (IntervalNamespace(xp), BallNamespace(80)):
        x = _stream(ns).sphere((4, 3))
        assert all(e.contains(1) for e in enclose(ns.sum(ns.square(x), axis=-1)))


def test_bad_arguments() -> None:
    for bad in (
        lambda s: s.choice([]),
        lambda s: s.choice([0, 0]),
        lambda s: s.choice([-1, 2]),
        lambda s: s.bernoulli(Fraction(3, 2)),
        lambda s: s.rational((2,), 0),
        lambda s: s.choice([Fraction(1, 2**70), 1]),
    ):
        with pytest.raises(ValueError):
            bad(_stream())
    with pytest.raises(FloatLiteral):
        _stream().uniform((2,), 0.5, 1)
    with pytest.raises(TypeError, match="namespace"):
        _stream().sphere((2, 2))


def test_draws_are_counted() -> None:
    rng = _stream(SPACES[0])
    assert rng.drawn == 0
    rng.normal((3, 4))
    rng.uniform(5, 0, 2)
    rng.signs(())
    assert rng.drawn == 18
    rng.choice([1, 2], (2,))
    rng.bernoulli(Fraction(1, 3), 7)
    rng.permutation(4, (2,))
    rng.sphere((2, 3))
    assert rng.drawn == 18 + 2 + 7 + 8 + 6
    rng.normal((0, 5))
    assert rng.drawn == 41


def test_one_integer_that_may_seed_a_generator_counts_for_many_draws() -> None:
    rng = _stream()
    rng.integers(0, 1 << 31)
    assert rng.drawn == SEED
    small = _stream()
    small.integers(0, 1 << 30)
    assert small.drawn == 1


def test_the_order_of_recorded_values_is_one_for_all_purposes_and_seeds() -> None:
    def order(**changed: Any) -> list[int]:
        found: list[int] = _stream(**changed).order(100).tolist()
        return found

    assert sorted(order()) == list(range(100)) != order()
    assert order() == order(seed=5) == order(purpose="confirm") == order(block=3)
    changes: list[dict[str, Any]] = [{}, {"point": {"d": 4}}, {"claim_id": "d"}, {"leg": "m"}]
    assert len({tuple(order(**changed)) for changed in changes}) == 4
