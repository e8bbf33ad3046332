"""Counter-based random streams, keyed by what they are for.

A stream is a pure function of its key: seed, claim, purpose, leg, exact parameter values and block. Equal
keys give equal draws, whatever the device, batch, worker or order; a new point or another claim shifts
nothing. Draws are made on the host by NumPy's Philox generator (Salmon et al., SC 2011) and then moved.
Within a stream, draws depend on the order of calls: a block is always drawn whole. NumPy may change how
it makes normal draws from the same bits between its versions (NEP 19), so a run records the version.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat

from theorycheck.arrays.leaves import exact_number
from theorycheck.arrays.work import spend_doubles

Shape = int | tuple[int, ...]

SEED = 1 << 31
"""What one integer that may seed a generator counts for; also the range from which it may."""

_UNIFORM_BITS = 53  # uniform draws are k / 2^53, the spacing that NumPy's generators use too


def canonical(value: Any) -> bytes:
    """Unambiguous bytes of an exact value: typed, length-prefixed, and independent of dict order.

    Takes int, Fraction, str, None, and sequences and mappings of these. Equal rationals encode
    equally (Fraction(2, 1) and 2). Raises FloatLiteral for floats, TypeError for other types.
    """
    if value is None:
        return b"N"
    if isinstance(value, str):
        text = value.encode()
        return b"S%d:" % len(text) + text
    if isinstance(value, Mapping):
        pairs = sorted((canonical(k), canonical(v)) for k, v in value.items())
        return b"M%d:" % len(pairs) + b"".join(k + v for k, v in pairs)
    if isinstance(value, list | tuple):
        return b"L%d:" % len(value) + b"".join(canonical(v) for v in value)
    number = exact_number(value)
    if number is None:
        raise TypeError(f"{value!r:.60} of type {type(value).__name__} cannot key a random stream")
    q = Fraction(number)
    return b"Q%d/%d;" % (q.numerator, q.denominator)


def stream_key(
    seed: int, claim_id: str, purpose: str, leg: str, point: Mapping[str, Any], block: int
) -> int:
    """The 128-bit Philox key of a stream."""
    encoded = canonical(["theorycheck stream 1", seed, claim_id, purpose, leg, point, block])
    return int.from_bytes(hashlib.blake2b(encoded, digest_size=16).digest(), "big")


@dataclass
class Stream:
    """Random draws for one block of one leg at one point.

    ``ns``: the namespace whose arrays are returned; without one, draws are host arrays of exact
    numbers (int64, or objects holding Fractions). ``shape`` arguments are ints or tuples.

    ``drawn`` counts the numbers that were drawn, so that code which asks for a stream and takes its
    randomness elsewhere is found. One integer of a range of 2^31 or more may seed a generator of the
    caller's own and counts as `SEED`.
    """

    seed: int
    claim_id: str
    purpose: str
    leg: str
    point: Mapping[str, Any]
    block: int
    ns: Any = None
    drawn: int = field(default=0, init=False)
    _generator: np.random.Generator = field(init=False, repr=False)

    def __post_init__(self) -> None:
        key = stream_key(self.seed, self.claim_id, self.purpose, self.leg, self.point, self.block)
        self._generator = np.random.Generator(np.random.Philox(key=key))

    # ---- continuous -------------------------------------------------------------------------------

    def normal(self, shape: Shape = ()) -> Any:
        """Standard normal draws: the doubles that the generator makes, taken as exact dyadics."""
        return self._doubles(self._generator.standard_normal(self._shape(shape)))

    def uniform(self, shape: Shape = (), low: Any = 0, high: Any = 1) -> Any:
        """Uniform on the grid low + (high - low) k / 2^53, 0 <= k < 2^53; exact ends."""
        a, b = _exact(low), _exact(high)
        steps = self._generator.integers(0, 1 << _UNIFORM_BITS, size=self._shape(shape))
        unit = self._doubles(steps * 2.0**-_UNIFORM_BITS)  # exact: k has at most 53 bits
        if a == 0 and b == 1:
            return unit
        if self.ns is None:
            return a + (b - a) * unit
        return self.ns.asarray(a) + self.ns.asarray(b - a) * unit

    def sphere(self, shape: Shape) -> Any:
        """Points uniform on the unit sphere of the last axis of ``shape``; needs a namespace."""
        if self.ns is None:
            raise TypeError("points on a sphere are irrational: give the stream a namespace")
        x = self.normal(_shape(shape))
        return x / self.ns.expand_dims(self.ns.norm(x, axis=-1), axis=-1)

    # ---- discrete ---------------------------------------------------------------------------------

    def integers(self, low: int, high: int, shape: Shape = ()) -> Any:
        """Plain integers low <= k < high: an index array of the namespace."""
        worth = SEED if high - low >= SEED else 1
        return self._plain(self._generator.integers(low, high, size=self._shape(shape, worth)))

    def signs(self, shape: Shape = ()) -> Any:
        """Independent fair signs, as numbers -1 and 1."""
        drawn = 2 * self._generator.integers(0, 2, size=self._shape(shape)) - 1
        return drawn if self.ns is None else self.ns.asarray(drawn)

    def bernoulli(self, probability: Any, shape: Shape = ()) -> Any:
        """Plain integers, 1 with the exact rational probability, else 0."""
        p = _exact(probability)
        if not 0 <= p <= 1:
            raise ValueError(f"{p} is not a probability")
        return self.choice([1 - p, p], shape)

    def choice(self, weights: Sequence[Any], shape: Shape = ()) -> Any:
        """Plain indices drawn with probabilities proportional to exact non-negative weights.

        The probabilities are met exactly when the weights' common denominator fits 62 bits; raises
        ValueError otherwise.
        """
        exact = [_exact(w) for w in weights]
        if not exact or min(exact) < 0 or not sum(exact):
            raise ValueError("weights must be non-negative with a positive sum")
        common = math.lcm(*(w.denominator for w in exact))
        steps = np.cumsum([int(w * common) for w in exact], dtype=object)
        if steps[-1] >= 1 << 62:
            raise ValueError("the weights' common denominator exceeds 62 bits")
        drawn = self._generator.integers(0, int(steps[-1]), size=self._shape(shape))
        found = np.searchsorted(steps.astype(np.int64), drawn, side="right")
        return self._plain(np.asarray(found, dtype=np.int64))

    def permutation(self, count: int, shape: Shape = ()) -> Any:
        """Independent uniform permutations of range(count), in a new last axis. Plain integers."""
        lead = self._shape(shape, count)
        table = np.broadcast_to(np.arange(count, dtype=np.int64), (*lead, count)).copy()
        return self._plain(self._generator.permuted(table, axis=-1))

    def order(self, count: int) -> np.ndarray[Any, Any]:
        """The order in which ``count`` recorded values are read: a uniform permutation of range(count)
        on the host, keyed by claim, leg and point alone, so that it is one for judging and confirming,
        for all blocks and under every seed.
        """
        self.drawn += count
        key = stream_key(0, self.claim_id, "order", self.leg, self.point, 0)
        return np.random.Generator(np.random.Philox(key=key)).permutation(count)

    # ---- exact instances --------------------------------------------------------------------------

    def rational(self, shape: Shape = (), height: int = 10) -> Any:
        """Small random rationals p / q, |p| <= height, 1 <= q <= height."""
        if height < 1:
            raise ValueError(f"height must be at least 1, got {height}")
        size = self._shape(shape)
        p = self._generator.integers(-height, height + 1, size=size)
        q = self._generator.integers(1, height + 1, size=size)
        return self._exacts(_fractions(np.asarray(p), np.asarray(q)))

    def orthogonal_rational(self, dimension: int, height: int = 5) -> Any:
        """Random rational orthogonal matrix Q (d, d): Cayley transform (I - A)(I + A)^-1 of a random
        skew-symmetric A, with the columns' signs drawn besides, so that det Q = -1 occurs too.
        """
        return self._exacts(self._cayley(dimension, height))

    def positive_definite_rational(self, spectrum: Sequence[Any], height: int = 5) -> Any:
        """Q diag(spectrum) Q^T, exactly, for a random rational orthogonal Q."""
        values = np.array([_exact(v) for v in spectrum], dtype=object)
        q = self._cayley(len(values), height)
        return self._exacts((q * values) @ q.T)

    def _cayley(self, d: int, height: int) -> np.ndarray[Any, Any]:
        p = self._generator.integers(-height, height + 1, size=self._shape((d, d)))
        q = self._generator.integers(1, height + 1, size=(d, d))
        a = fmpq_mat(d, d)
        for i in range(d):
            for j in range(i):
                a[i, j] = fmpq(int(p[i, j]), int(q[i, j]))
                a[j, i] = -a[i, j]
        one = fmpq_mat(d, d)
        for i in range(d):
            one[i, i] = 1
        rotation = (one - a) * (one + a).inv()  # I + A is never singular: A has imaginary spectrum
        flips = 2 * self._generator.integers(0, 2, size=d) - 1
        out = np.empty((d, d), dtype=object)
        for i in range(d):
            for j in range(d):
                value = rotation[i, j] * int(flips[j])
                out[i, j] = Fraction(int(value.p), int(value.q))
        return out

    def _shape(self, shape: Shape, worth: int = 1) -> tuple[int, ...]:
        """The shape as a tuple, its numbers counted as drawn."""
        size = _shape(shape)
        self.drawn += math.prod(size) * worth
        spend_doubles(math.prod(size) * worth)
        return size

    # ---- to the namespace -------------------------------------------------------------------------

    def _doubles(self, drawn: Any) -> Any:
        host = np.asarray(drawn, dtype=np.float64)
        if self.ns is not None:
            return self.ns.from_float64(host)
        out = np.empty(host.shape, dtype=object)
        for at in np.ndindex(host.shape):
            out[at] = Fraction(float(host[at]))
        return out

    def _plain(self, drawn: Any) -> Any:
        return drawn if self.ns is None else self.ns.indices(np.asarray(drawn))

    def _exacts(self, drawn: np.ndarray[Any, Any]) -> Any:
        return drawn if self.ns is None else self.ns.asarray(drawn)


def _shape(shape: Shape) -> tuple[int, ...]:
    return (shape,) if isinstance(shape, int) else tuple(shape)


def _exact(value: Any) -> Fraction:
    number = exact_number(value)
    if number is None:
        raise TypeError(f"{value!r:.60} is not an exact number")
    return Fraction(number)


def _fractions(p: np.ndarray[Any, Any], q: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    out = np.empty(p.shape, dtype=object)
    for at in np.ndindex(p.shape):
        out[at] = Fraction(int(p[at]), int(q[at]))
    return out
