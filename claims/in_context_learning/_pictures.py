"""Curves of the two in-context models on drawn prompts, for the report."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from theorycheck import panel, series

from ._attention import block, covariance, embedding, gaussian, prediction, root_of
from ._parity import bit_network
from .rank_r_optimum import kept

SPECTRUM = (2, 1, Fraction(1, 2), Fraction(1, 4))
TASK = (1, Fraction(4, 5), Fraction(3, 5), Fraction(3, 5))
N, M, RANKS = 100, 16, (1, 2, 4)
"""Spectrum, task in the eigenbasis, lengths of the prompts in pretraining and evaluation, ranks."""

PROMPTS = 4_000
STEPS = 10
LONG, SIGNED, GAMMA = 48, 1_000, Fraction(1, 5)
"""Of the parity model: length of a prompt, prompts, strength of the signal."""

Labels = Callable[[Any, Any, Fraction], Any]
"""(ns, rng, share) -> factor of every clean label and what is added to it, both (PROMPTS, M)."""


def loss_curves(ns: Any, rng: Any, labels: Labels, top: int) -> list[Any]:
    """Mean squared error of the rank-r networks against a level in [0, top]; a series for each rank. All ranks
    and levels see the same inputs."""
    d = len(SPECTRUM)
    Q = ns.eye(d)
    root, w = root_of(ns, SPECTRUM, Q), ns.asarray(list(TASK))
    x = gaussian(ns, rng.normal((PROMPTS, M, d)), root)
    query = gaussian(ns, rng.normal((PROMPTS, d)), root)
    levels = [Fraction(top * step, STEPS) for step in range(STEPS + 1)]
    losses: dict[int, list[float]] = {rank: [] for rank in RANKS}
    zero = ns.zeros((d,))
    PV = block(ns, ns.zeros((d, d)), zero, ns.asarray(1))
    for level in levels:
        factor, added = labels(ns, rng, level)
        E = embedding(ns, x, ns.matmul(x, w) * factor + added, query)
        for rank, kept_losses in losses.items():
            KQ = block(ns, covariance(ns, kept(SPECTRUM, N, rank), Q), zero, ns.asarray(0))
            error = prediction(ns, E, PV, KQ, M) - ns.matmul(query, w)
            kept_losses.append(float(ns.mean(error**2)))
    at = [float(level) for level in levels]
    return [series(f"rank {rank}", at, found) for rank, found in losses.items()]


def rank_curves(ns: Any, rng: Any) -> Any:
    """Evaluation loss against the standard deviation of the label noise."""

    def noisy(ns: Any, rng: Any, level: Fraction) -> Any:
        return ns.asarray(1), ns.asarray(level) * rng.normal((PROMPTS, M))

    lines = loss_curves(ns, rng, noisy, 4)
    return panel(f"linear model, M = {M}, N = {N}", x="sigma", y="evaluation loss", lines=lines)


def flip_curves(ns: Any, rng: Any) -> list[Any]:
    """Loss of the linear model and accuracy of the parity networks against the share of flipped labels."""

    def flipped(ns: Any, rng: Any, share: Fraction) -> Any:
        return flips(ns, rng, share, (PROMPTS, M)), ns.asarray(0)

    lines = loss_curves(ns, rng, flipped, 1)
    return [
        panel(
            f"linear model, M = {M}", x="share of flipped labels", y="evaluation loss", lines=lines
        ),
        panel(
            f"parity networks, M = {LONG}",
            x="share of flipped labels",
            y="accuracy",
            lines=[parity_curve(ns, rng, nu) for nu in (1, 3)],
        ),
    ]


def flips(ns: Any, rng: Any, share: Fraction, shape: tuple[int, int]) -> Any:
    """-1 with probability ``share``, else 1."""
    drawn = rng.choice([share, 1 - share], shape)
    return 2 * ns.number(drawn == 1) - 1


def parity_curve(ns: Any, rng: Any, nu: int) -> Any:
    """Accuracy on the task of the first two of 2^nu features against the share of flipped labels."""
    d = 2**nu
    heads = bit_network(nu, d)
    gain = ns.asarray([head.a for head in heads])
    diagonals = ns.asarray([[head.v[c][c] for c in range(d)] for head in heads])
    weights = [Fraction(1, 4) + GAMMA, Fraction(1, 4), Fraction(1, 4), Fraction(1, 4) - GAMMA]
    first, second = (ns.asarray(s) for s in ([1, 1, -1, -1], [1, -1, 1, -1]))

    def features(shape: tuple[int, ...]) -> Any:
        pair = rng.choice(weights, shape)
        rest = rng.signs((*shape, d - 2)) if d > 2 else ns.zeros((*shape, 0))
        own = [ns.expand_dims(ns.take(s, pair, axis=0), axis=-1) for s in (first, second)]
        return ns.concat([*own, rest], axis=-1)

    shares, accuracy = [Fraction(s, STEPS) for s in range(STEPS + 1)], []
    for share in shares:
        phi, query = features((SIGNED, LONG)), features((SIGNED,))
        clean = phi[:, :, 0] * phi[:, :, 1]
        mean = ns.mean(
            phi * ns.expand_dims(clean * flips(ns, rng, share, (SIGNED, LONG)), axis=-1), axis=1
        )
        inner = ns.matmul(mean * query, ns.matrix_transpose(diagonals))
        output = ns.matmul(ns.maximum(inner, 0 * inner), gain)
        side = output * query[:, 0] * query[:, 1]
        undecided = ns.number(side == 0) * ns.rational(1, 2)
        accuracy.append(float(ns.mean(ns.number(side > 0) + undecided)))
    return series(f"{len(heads)} heads, {d} features", [float(s) for s in shares], accuracy)
