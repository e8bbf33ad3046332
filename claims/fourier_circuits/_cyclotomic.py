"""Exact networks of cosines: arithmetic in the cyclotomic field Q(e^{2 pi i / N}).

2 cos(2 pi e / N) = x^e + x^-e with x = e^{2 pi i / N}. Numbers are integer polynomials in x modulo
x^N - 1 (shape (.., N)); reduced modulo the cyclotomic polynomial they have coordinates in the basis
1, x, .., x^{phi(N)-1}, which is linearly independent over Q: a number is rational exactly if all of
its coordinates but the first vanish.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np
from flint import fmpz_poly

from theorycheck import Surd, sqrt

from ._network import Neuron, all_inputs, labels

LARGEST = 2**62
"""Coefficients are int64; a sum that could pass this is refused before it is made."""

BLOCK = 200_000
"""Coefficients at work at a time: the work space stays inside a processor's cache."""


class IrrationalError(ArithmeticError):
    """A number of the field that was used as a rational one."""


@cache
def reduction(N: int) -> np.ndarray:
    """Row j: coordinates of x^j in the basis 1, x, .., x^{phi(N)-1}. Integers, shape (N, phi(N))."""
    modulus = fmpz_poly.cyclotomic(N)
    rows = np.zeros((N, modulus.degree()), dtype=np.int64)
    for j in range(N):
        rest = fmpz_poly([0] * j + [1]) % modulus
        rows[j, : rest.degree() + 1] = [int(c) for c in rest.coeffs()]
    return rows


def coordinates(numbers: np.ndarray) -> np.ndarray:
    """From polynomials modulo x^N - 1, shape (.., N), to coordinates, shape (.., phi(N))."""
    table = reduction(numbers.shape[-1])
    size = np.abs(numbers).astype(np.float64).sum(axis=-1).max(initial=0)  # int64 could wrap here
    if size * float(np.abs(table).max()) > LARGEST:
        raise OverflowError("coefficients leave 62 bits")
    return numbers @ table


def rationals(numbers: np.ndarray) -> np.ndarray:
    """The integers that the numbers are, shape (..). Raises IrrationalError where one is none."""
    found = coordinates(numbers)
    if np.any(found[..., 1:]):
        raise IrrationalError("not all of the values are rational")
    return found[..., 0]


def times_cosine(numbers: np.ndarray, exponents: np.ndarray) -> np.ndarray:
    """numbers * (x^e + x^-e), e by the leading axes of ``numbers``. Shape (.., N)."""
    N = numbers.shape[-1]
    shifts = (
        np.arange(N) - np.arange(N)[:, None]
    ) % N  # row e: where the coefficients of x^e n lie
    start = N * np.arange(exponents.size).reshape(exponents.shape)[..., None]
    flat = np.broadcast_to(numbers, (*exponents.shape, N)).reshape(-1)
    return flat[shifts[exponents % N] + start] + flat[shifts[-exponents % N] + start]


def doubled_outputs(design: list[Neuron], k: int, p: int, turn: int = 4) -> np.ndarray:
    """2^{k+1} f(a)[c] of a network of unscaled cosines over all inputs. Shape (p**k, p, p*turn)."""
    N, m = p * turn, len(design)
    if 2 * m * (2 * k) ** k > LARGEST:
        raise OverflowError("coefficients leave 62 bits")
    grid = all_inputs(k, p)
    step = turn * np.array([n.frequency for n in design])
    shift = p * np.array([n.phases for n in design])
    out = p * np.array([n.out for n in design])
    one = np.zeros(N, dtype=np.int64)
    one[0] = 1
    total = np.empty((len(grid), p, N), dtype=np.int64)
    for rows in np.array_split(np.arange(len(grid)), -(-len(grid) * m * N // BLOCK)):
        powers = np.broadcast_to(one, (len(rows), m, N))
        turns = [grid[rows, i][:, None] * step + shift[:, i] for i in range(k)]
        for _ in range(k):
            powers = sum(times_cosine(powers, t) for t in turns)
        for c in range(p):
            at = np.broadcast_to(step * c + out, powers.shape[:-1])
            total[rows, c] = times_cosine(powers, at).sum(axis=1)
    return total


def output_values(design: list[Neuron], k: int, p: int, turn: int = 4) -> np.ndarray:
    """2^{k+1} f(a)[s + d] as exact integers, shape (p**k, p), d along the last axis.

    Raises IrrationalError where a value of the network is irrational.
    """
    values = rationals(doubled_outputs(design, k, p, turn))
    at = (labels(k, p)[:, None] + np.arange(p)) % p
    return np.take_along_axis(values, at, axis=1)


def norm_power(design: list[Neuron], k: int, p: int, turn: int = 4) -> Surd:
    """sum_h |theta_h|^{k+1} with unscaled cosines, exactly."""
    N, x = p * turn, np.arange(p)
    one = np.zeros((p, N), dtype=np.int64)
    one[:, 0] = 1
    total = Surd(Fraction(0))
    for neuron in design:
        squares = np.zeros(N, dtype=np.int64)
        for phase in (*neuron.phases, neuron.out):
            turns = turn * neuron.frequency * x + p * phase
            squares += times_cosine(times_cosine(one, turns), turns).sum(axis=0)
        total = total + sqrt(Fraction(int(rationals(squares)), 4)) ** (k + 1)
    return total


def normalised_margins(design: list[Neuron], k: int, p: int, turn: int = 4) -> list[Surd]:
    """Smallest and largest normalised margin over all inputs and wrong labels, exactly."""
    values = output_values(design, k, p, turn)
    gaps = values[:, :1] - values[:, 1:]
    norm = norm_power(design, k, p, turn)
    return [Surd(Fraction(int(g), 2 ** (k + 1))) / norm for g in (gaps.min(), gaps.max())]
