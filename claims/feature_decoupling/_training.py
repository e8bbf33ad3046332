"""Trainings of the source's network on its data, by stochastic gradient descent in floats.

x = M z + xi with columns of a Hadamard matrix; each arm gets the same codes, noises and masks at a step, drawn from
the training's number and the step alone. Negatives are shared by the positives of a batch.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

ARMS = ("masks", "none", "same", "independent")
"""Complementary masks, no mask, one mask on both views, two independent masks."""


@dataclass(frozen=True)
class Regime:
    """Sizes and rates, the factor of the first growth, the start of the bias and its cap."""

    d: int
    d1: int
    m: int
    q: float
    noise: float  # sigma^2
    start: float  # |w_i(0)|, in the mean
    K: int
    N: int
    eta: float
    decay: float
    steps: int
    factor: float = 10.0  # of every squared norm by T1
    bias: float = 0.7  # rho in b = sqrt(2 rho log d/d) |w|
    kappa: float = 0.02
    cap: float = 0.6
    tau: float = 1.0


FAST = Regime(16, 256, 32, 0.05, 0.15, 0.05, 256, 128, 0.3, 0.002, 900)


def dictionary(d, d1):
    """The first d columns of Sylvester's Hadamard matrix, of length 1. Shape (d1, d)."""
    rows, columns = np.arange(d1)[:, None], np.arange(d)[None, :]
    odd = np.bitwise_count(rows & columns) % 2
    return ((1 - 2.0 * odd) / np.sqrt(d1)).astype(np.float32)


def samples(stream, M, q, noise, count):
    """Codes and x = M z + xi. Shapes (count, d) and (count, d1)."""
    d1, d = M.shape
    u = stream.random((count, d), dtype=np.float32)
    z = (u < q / 2).astype(np.float32) - (u > 1 - q / 2).astype(np.float32)
    xi = stream.standard_normal((count, d1), dtype=np.float32)
    return z, z @ M.T + np.float32(np.sqrt(noise)) * xi


def views(arm, x, stream):
    """Two views of each row."""
    if arm == "none":
        return x, x
    kept = stream.integers(0, 2, x.shape, dtype=np.int8).astype(np.float32)
    other = 1 - kept
    if arm == "same":
        other = kept
    if arm == "independent":
        other = stream.integers(0, 2, x.shape, dtype=np.int8).astype(np.float32)
    return 2 * kept * x, 2 * other * x


def unit(u, b):
    """The symmetrised unit, its slope in u and in b, for either sign of b."""
    above, below = (u > b).astype(np.float32), (-u > b).astype(np.float32)
    return above * (u - b) - below * (-u - b), above + below, below - above


def gradients(W, b, first, second, negatives, tau):
    """Mean gradients of the loss (2.2) in W and b, its second argument held fixed, and its mean. Three results."""
    f, gate, in_bias = unit(first @ W.T, b)
    positive, negative = unit(second @ W.T, b)[0], unit(negatives @ W.T, b)[0]
    S = np.concatenate([np.sum(f * positive, axis=1, keepdims=True), f @ negative.T], axis=1) / tau
    top = S.max(axis=1, keepdims=True)
    weights = np.exp(S - top)
    total = weights.sum(axis=1, keepdims=True)
    loss = tau * np.mean(np.log(total) + top - S[:, :1])
    weights /= total
    outer = weights[:, 1:] @ negative - (1 - weights[:, :1]) * positive
    return (outer * gate).T @ first / len(f), np.mean(outer * in_bias, axis=0), loss


def first_weights(regime, seed):
    """W(0), N(0, start^2/d1 I) for each neuron. Shape (m, d1)."""
    stream = np.random.default_rng((seed, 0))
    scale = np.float32(regime.start / np.sqrt(regime.d1))
    return scale * stream.standard_normal((regime.m, regime.d1), dtype=np.float32)


@dataclass
class Arm:
    """An arm's network, its norms at the start, and whether its bias was set."""

    W: np.ndarray
    b: np.ndarray
    norms: np.ndarray
    biased: bool = False
    loss: float = 0.0


def norms(W):
    return np.sqrt(np.sum(W * W, axis=1))


def scheduled(arm, before, regime):
    """The manual bias: set at T1, then raised by the larger of kappa eta/d and the norm's growth, up to the cap."""
    after = norms(arm.W)
    if arm.biased:
        rate = np.maximum(regime.kappa * regime.eta / regime.d, after / before - 1)
        arm.b = np.where(arm.b <= regime.cap, arm.b * (1 + rate), arm.b).astype(np.float32)
    elif np.all(after**2 >= regime.factor * arm.norms**2):
        arm.biased = True
        arm.b = (np.sqrt(2 * regime.bias * np.log(regime.d) / regime.d) * after).astype(np.float32)


def trained(regime, seed, arms=ARMS, bias="schedule"):
    """Networks after all steps by name of the arm, ``bias``: schedule, trained or none."""
    M = dictionary(regime.d, regime.d1)
    W0 = first_weights(regime, seed)
    nets = {arm: Arm(W0.copy(), np.zeros(regime.m, np.float32), norms(W0)) for arm in arms}
    for t in range(regime.steps):
        stream = np.random.default_rng((seed, 1, t))
        x = samples(stream, M, regime.q, regime.noise, regime.K)[1]
        negatives = samples(stream, M, regime.q, regime.noise, regime.N)[1]
        for name, net in nets.items():
            first, second = views(name, x, np.random.default_rng((seed, 2, t)))
            slope, in_bias, net.loss = gradients(net.W, net.b, first, second, negatives, regime.tau)
            before = norms(net.W)
            net.W = net.W - np.float32(regime.eta) * (slope + np.float32(regime.decay) * net.W)
            if bias == "trained":
                net.b = net.b - np.float32(regime.eta) * in_bias
            if bias == "schedule":
                scheduled(net, before, regime)
    return nets


def coordinates(regime, W):
    """Products with the columns of M. Shape (m, d)."""
    return W @ dictionary(regime.d, regime.d1)


def sparse_share(regime, W):
    """Share of the energy of all neurons in the span of M."""
    return float(np.sum(coordinates(regime, W) ** 2) / np.sum(W**2))


def peaks(regime, W):
    """The largest share of a neuron's squared norm on one column. Shape (m,)."""
    return np.max(coordinates(regime, W) ** 2, axis=1) / np.sum(W**2, axis=1)
