"""After Theorems 5.4.2, 5.4.3: rank against noise, large N, and how the two theorems fit together.

Setting. As in `behavior_regression`: L(r) is the evaluation loss of the rank-r optimum on a fixed task with
eigenbasis coordinates z.

Statements. Adding a direction changes the loss by variance minus bias (derived); averaged over tasks w ~ N(0, I),
with M = N and no noise, L(r) is twice the pretraining loss (derived); the gap of two ranks vanishes without
pretraining noise and without input and label noise, and not for sigma = 0 alone (section 5.7); for N -> infinity the
loss tends to |xi|_D^2 + ((r+1) |s|_D^2 + r |xi|_D^2 + r sigma^2) / M (printed as an approximation); flipped labels
(derived).

Reference: sections 5.4.2, 5.7 (Shi, Wei, Xu, Liang, ICML 2024).
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import at_most, claim, equals, figure, integers, leg, reals, spectra, variant
from theorycheck.blocks.gaussian_rules import FIFTH, THIRD, product_rule

from ._attention import block, covariance, embedding, gaussian, prediction, root_of
from ._conditions import both_entries, entries, noiseless
from ._pictures import flip_curves
from .behavior_regression import (
    DOMAIN,
    ROTATIONS,
    M,
    N,
    R,
    d,
    gap,
    i,
    lam,
    network_loss,
    point,
    r,
    sigma,
    trace,
    z,
)
from .rank_r_optimum import kept

HALF = Fraction(1, 2)
OF_LAMBDA = {"Lambda": "lam d Q"}
A = N * lam[r + 1] / ((N + 1) * lam[r + 1] + trace)
energy = sp.Sum(z[i] ** 2 * lam[i], (i, 1, d)) + sigma**2
bias = z[r + 1] ** 2 * lam[r + 1]
increment = A**2 * (energy + bias) / M + bias * ((A - 1) ** 2 - 1)


def next_rank(ns, Q, c, lam, z, N, M, r, sigma):
    """L(r + 1) - L(r) on the same nodes. Shape (B,)."""
    return gap(ns, Q, c, lam, z, N, M, r, r + 1, sigma)


TRADE = {
    "smoke": [point((4, 1), (1, HALF), 7, 1, 0, HALF), point((4, 1), (1, -2), 7, 1, 1, HALF),
              point((9, Fraction(1, 4)), (0, 1), 4, 1, 1, 0), point((4,), (2,), 3, 2, 0, 1)],
    "standard": [
        point((4,), (2,), 3, 3, 0, 1),
        *(point((4, 1), task, n, m, rank, noise) for task in ((1, HALF), (1, -2)) for n in (3, 20)
          for m in (1, 2) for rank in (0, 1) for noise in (0, 1)),
    ],
}  # fmt: skip

rank_tradeoff = claim(
    "icl-rank-tradeoff",
    title="Exact effect of adding one direction",
    says="L(r+1) - L(r) = A^2 (|z|_D^2 + sigma^2 + z_{r+1}^2 lam_{r+1})/M + z_{r+1}^2 lam_{r+1} ((A-1)^2 - 1) with "
    "A = lam_{r+1} v_{r+1}.",
    role="derived",
    covers="increment",
    reads=OF_LAMBDA,
    domain=DOMAIN,
    where=[both_entries, r < d],
    grid=TRADE,
    closed_form=increment,
    relation=equals(),
    legs=[leg("cubature of both networks", next_rank, arithmetic="rational", instances=ROTATIONS)],
    rivals=[
        variant("variance only", closed_form=A**2 * (energy + bias) / M),
        variant("independent of sigma", closed_form=increment.subs(sigma, 0)),
    ],
)


# ---- the mean over tasks


def mean_over_tasks(ns, Q, c, lam, N, r):
    """E_w L(r) at M = N, sigma = 0: L is quadratic in z without mixed terms, so unit tasks add up. Shape (B,)."""
    d = len(lam)
    units = [tuple(int(n == t) for n in range(d)) for t in range(d)]
    total = network_loss(ns, Q, c, lam, units[0], N, N, r, 0)
    for unit in units[1:]:
        total = total + network_loss(ns, Q, c, lam, unit, N, N, r, 0)
    return total


def mean_form(shift=1, factor=1):
    return factor * (trace - sp.Sum(N * lam[i] ** 2 / ((N + shift) * lam[i] + trace), (i, 1, r)))


SPECTRA = {
    lam: spectra(d, squares=True, nonzero=True),
    d: integers(1),
    N: integers(1),
    r: integers(0),
}
consistency = claim(
    "icl-pretrain-test-consistency",
    title="The two theorems agree in the mean",
    says="E_w L(r) = tr D - sum_{i<=r} N lam_i^2 / ((N+1) lam_i + tr D) at M = N, sigma = 0: twice the "
    "pretraining loss.",
    role="derived",
    covers="mean-over-tasks",
    reads=OF_LAMBDA,
    domain=SPECTRA,
    where=[entries, r <= d],
    grid={"smoke": [{lam: (4,), d: 1, N: 2, r: 1}, {lam: (4, 1), d: 2, N: 1, r: 1}, {lam: (4, 1), d: 2, N: 1, r: 2},
                    {lam: (4, 1), d: 2, N: 1, r: 0}],
          "standard": [{lam: (4,), d: 1, N: 3, r: 1},
                       *({lam: (4, 1), d: 2, N: n, r: k} for n in (1, 2) for k in (0, 1, 2))]},
    closed_form=mean_form(),
    relation=equals(),
    legs=[leg("unit tasks", mean_over_tasks, arithmetic="rational", instances=ROTATIONS)],
    rivals=[
        variant("factor 1/2", closed_form=mean_form(factor=HALF)),
        variant("N for N + 1", closed_form=mean_form(0)),
    ],
)  # fmt: skip


# ---- where the gap vanishes


def without_pretraining_noise(ns, Q, c, lam, z, N, M, r, R, sigma):
    """The gap of two ranks; where lam_{r+1..R} = 0 the optimum does not use these directions."""
    return gap(ns, Q, c, lam, z, N, M, r, R, sigma)


GAPLESS = [point((4, 0), (1, 0), 3, 1, 1, 1) | {R: 2}, point((4, 1), (0, 0), 3, 1, 1, 0) | {R: 2}]
noise_sources = claim(
    "icl-noise-sources",
    title="When the robustness gap vanishes",
    says="The loss gap of two ranks is 0 when lam vanishes beyond r, and when the task and the label noise vanish.",
    domain={**DOMAIN, R: integers(0)},
    # R is the larger rank: at R < r the gap does not vanish.
    where=[noiseless, r <= R],
    grid={"smoke": GAPLESS, "standard": [*GAPLESS, point((4, 0), (2, 0), 5, 2, 1, 1) | {R: 2}]},
    closed_form=sp.Integer(0),

    relation=equals(),
    legs=[leg("cubature", without_pretraining_noise, arithmetic="rational", instances=ROTATIONS, unit=1)],
    rivals=[
        variant("no label noise alone removes it", simulation=without_pretraining_noise,
                at=[point((4, 1), (1, 0), 3, 1, 1, 0) | {R: 2}]),
    ],
)  # fmt: skip


# ---- large N

limit = sp.Sum(z[i] ** 2 * lam[i], (i, r + 1, d)) + (
    (r + 1) * sp.Sum(z[i] ** 2 * lam[i], (i, 1, r)) + r * sp.Sum(z[i] ** 2 * lam[i], (i, r + 1, d)) + r * sigma**2
) / M  # fmt: skip


def distance_times_n(ns, Q, c, lam, z, N, M, r, sigma):
    """N |L - limit|, the limit taken from the network at N = 10^30 (rationals lose nothing). Shape (B,)."""
    far = network_loss(ns, Q, c, lam, z, 10**30, M, r, sigma)
    return N * ns.abs(network_loss(ns, Q, c, lam, z, N, M, r, sigma) - far)


def explicit_constant(power=1):
    """An explicit constant for the O(1/N): each v lam differs from 1 by at most t_i / N, t_i = 1 + tr D / lam_i, so
    the variance terms change by at most 2 t_i/N of their limit and the bias by (t_i/N)^2."""
    t = 1 + trace / lam[i]
    variance = 2 * sp.Sum(t * (energy + z[i] ** 2 * lam[i]), (i, 1, r)) / M
    squared = sp.Sum(z[i] ** 2 * lam[i] * t**2, (i, 1, r)) / N
    return (variance + squared) * N ** (1 - power)


def constant_of_the_rate(lam, d, r, M, z, sigma):
    """`explicit_constant` at N = 1, which bounds it at every N."""


LARGE = {
    "smoke": [point((4, 1), (1, HALF), n, 1, 1, HALF) for n in (1, 10, 1000)],
    "standard": [
        point((4, 1), (1, HALF), n, 1, rank, HALF)
        for rank in (1, 2)
        for n in (1, 10, 100, 10**4, 10**6)
    ],
}
approximation = claim(
    "icl-behavior-regression-approx",
    title="The large-N approximation has error O(1/N)",
    says="N |L - lim L| is at most 2/M sum t_i (|z|_D^2 + sigma^2 + z_i^2 lam_i) + sum z_i^2 lam_i t_i^2 / N, "
    "t_i = 1 + tr D/lam_i.",
    covers="loss-rate",
    reads={**OF_LAMBDA, "w": "z Q"},
    domain=DOMAIN,
    where=[both_entries, r <= d],
    grid=LARGE,
    closed_form=explicit_constant(),
    relation=at_most(),
    legs=[leg("cubature", distance_times_n, arithmetic="rational", instances=ROTATIONS, gives="C",
              chosen_by=constant_of_the_rate)],
    rivals=[variant("error O(1/N^2)", closed_form=explicit_constant(power=2))],
)  # fmt: skip

limit_value = claim(
    "icl-behavior-regression-limit",
    states="icl-behavior-regression-approx",
    title="The limit of the loss for long pretraining prompts",
    says="As N grows the loss tends to |xi|_D^2 + ((r+1)|s|_D^2 + r|xi|_D^2 + r sigma^2)/M; seen at N = 10^30 "
    "to 1e-28.",
    encodes="part",
    domain=DOMAIN,
    where=[both_entries, r <= d],
    grid={"smoke": [point((4, 1), (1, HALF), 10**30, 1, rank, HALF) for rank in (0, 1, 2)]},
    closed_form=limit,
    relation=equals(),
    legs=[leg("cubature", network_loss, arithmetic="rational", instances=ROTATIONS, relation=at_most(),
              closed_form=limit * (1 + sp.Rational(1, 10**28)))],
    rivals=[variant("r for r + 1", closed_form=limit - sp.Sum(z[i] ** 2 * lam[i], (i, 1, r)) / M)],
)  # fmt: skip


# ---- flipped labels

f = sp.symbols("f", nonnegative=True)
beta = 1 - 2 * f
v = N / ((N + 1) * lam[i] + trace)


def flip_form(second=2 - beta**2, slope=beta):
    bias = sp.Sum(z[i] ** 2 * lam[i] * (slope * lam[i] * v - 1) ** 2, (i, 1, r)) + sp.Sum(
        z[i] ** 2 * lam[i], (i, r + 1, d)
    )
    spread = sp.Sum(z[i] ** 2 * lam[i], (i, 1, d)) * sp.Sum(v**2 * lam[i] ** 2, (i, 1, r))
    return bias + (spread + second * sp.Sum(z[i] ** 2 * v**2 * lam[i] ** 3, (i, 1, r))) / M


def flipped_loss(ns, Q, c, lam, z, N, M, r, f):
    """Loss of the network when every prompt label is flipped with probability f, by exact cubature over x, x_q
    and enumeration of the flips. Shape (B,)."""
    d = len(lam)
    flips = [(1, 1 - Fraction(f)), (-1, Fraction(f))]
    nodes, weights = product_rule([FIFTH] * (M * d) + [flips] * M + [THIRD] * d)
    nodes, weights = ns.asarray(nodes), ns.asarray(weights)
    each = []
    for b in range(Q.shape[0]):
        root, w = root_of(ns, lam, Q[b]), ns.matmul(Q[b], ns.asarray(list(z)))
        x = gaussian(ns, ns.reshape(nodes[:, : M * d], (-1, M, d)), root)
        query = gaussian(ns, nodes[:, M * d + M :], root)
        y = ns.matmul(x, w) * nodes[:, M * d : M * d + M]
        zero = ns.zeros((d,))
        PV = block(ns, ns.zeros((d, d)), zero, 1 / c[b])
        KQ = block(ns, c[b] * covariance(ns, kept(lam, N, r), Q[b]), zero, c[b] * 0)
        guess = prediction(ns, embedding(ns, x, y, query), PV, KQ, M)
        each.append(ns.sum(weights * (guess - ns.matmul(query, w)) ** 2))
    return ns.stack(each)


def flip_points(ranks, fractions, spectrum=(4, 1), task=(1, Fraction(4, 5)), n=10, m=1):
    base = {lam: spectrum, z: task, d: len(spectrum), N: n, M: m}
    return [{**base, r: rank, f: share} for rank in ranks for share in fractions]


FLIPS = [0, Fraction(1, 4), HALF, Fraction(3, 4), 1]
label_flip = claim(
    "icl-exp-synthetic-label-flip",
    title="Flip curve of the linear model",
    says="With labels flipped independently with probability f the evaluation loss is the stated formula with "
    "beta = 1 - 2f; at f = 1 a larger rank follows the flipped labels more.",
    role="derived",
    covers="flip-formula",
    reads=OF_LAMBDA,
    domain={**{s: DOMAIN[s] for s in (lam, z, d, N, M, r)}, f: reals(0, 1)},
    where=[both_entries, r <= d],
    grid={"smoke": [*flip_points([1, 2], [Fraction(1, 4)]), *flip_points([2], [1]),
                    *flip_points([1], [HALF], (4,), (1,), 3, 2)],
          "standard": [*flip_points([0, 1, 2], FLIPS), *flip_points([1], FLIPS, (4,), (1,), 3, 3)]},
    closed_form=flip_form(),
    relation=equals(),
    legs=[leg("cubature and enumeration", flipped_loss, arithmetic="rational", instances=ROTATIONS)],
    rivals=[
        variant("1 for 2 - beta^2", closed_form=flip_form(second=1)),
        variant("1 - f for beta", closed_form=flip_form(second=2 - (1 - f) ** 2, slope=1 - f)),
    ],
    figures=[
        figure(
            "Label-flip curves of the two models",
            flip_curves,
            caption="The synthetic counterpart of Figures 5.1 and 5.2. Left: the network of rank r on drawn "
            "prompts; the larger the rank, the more it follows flipped labels. Right: parity networks of "
            "2 (nu + 1) heads on one task; they cannot see a flip of all labels.",
        )
    ],
    plot=f,
)  # fmt: skip
