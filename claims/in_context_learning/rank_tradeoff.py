"""After Theorem 5.4.2: what one more direction changes, and where the best rank lies (derived).

Setting. As in `behavior_regression`: L(r) is the evaluation loss of the rank-r optimum on a fixed task with
eigenbasis coordinates z; A = lam_{r+1} v_{r+1}.

Statements. L(r+1) - L(r) is the variance A^2 (|z|_D^2 + sigma^2 + z_{r+1}^2 lam_{r+1})/M that is added, less the
bias that is removed. L(R) - L(r) is (V + W sigma^2)/M + B with V, W >= 0 that do not depend on M and sigma, so it
falls in M and rises in sigma: the sets of best ranks move up with M and down with sigma. L need not be U-shaped in
r.

Reference: derived from Theorem 5.4.2 (Shi, Wei, Xu, Liang, ICML 2024).
"""

from __future__ import annotations

import itertools
from fractions import Fraction

import sympy as sp

from theorycheck import (
    claim,
    counts,
    equals,
    formula_leg,
    identity_for_all,
    leg,
    rivals_of,
    typed,
    variant,
)

from ._attention import covariance, evaluation_loss, root_of
from ._conditions import both_entries
from ._words import ONCE
from .behavior_gap import TWO_RANKS, gap
from .behavior_regression import (
    DOMAIN,
    HALF,
    ROTATIONS,
    M,
    N,
    R,
    anything,
    by_moments,
    d,
    i,
    lam,
    point,
    r,
    sigma,
    trace,
    z,
)
from .every_size_behavior import increment as increment_every_size
from .every_size_behavior import variance_only
from .rank_r_optimum import kept

A = N * lam[r + 1] / ((N + 1) * lam[r + 1] + trace)
energy = sp.Sum(z[i] ** 2 * lam[i], (i, 1, d)) + sigma**2
bias = z[r + 1] ** 2 * lam[r + 1]
increment = A**2 * (energy + bias) / M + bias * ((A - 1) ** 2 - 1)


def next_rank(ns, Q, c, lam, z, N, M, r, sigma):
    """L(r + 1) - L(r) on the same nodes. Shape (B,)."""
    return gap(ns, Q, c, lam, z, N, M, r, r + 1, sigma)


def one_more(ns, s, t, z, sigma, v, c, M):
    larger = by_moments(ns, s, t, z, sigma, v, c, M)
    return larger - by_moments(ns, s, t, z, sigma, v[:-1], c, M)


def variance_less_bias(ns, s, t, z, sigma, v, c, M):
    lam, last = s**2, v.shape[0] - 1
    A, own = lam[last] * v[last], z[last] ** 2 * lam[last]
    energy = ns.sum(z**2 * lam) + sigma**2
    return A**2 * (energy + own) / M + own * ((A - 1) ** 2 - 1)


def for_all_of_them(d, r):
    return identity_for_all(one_more, variance_less_bias, anything(d, r + 1))


TRADE = {
    "smoke": [
        point((4, 1), (1, HALF), 7, 1, 0, HALF),
        point((4, 1), (1, -2), 7, 1, 1, HALF),
        point((9, Fraction(1, 4)), (0, 1), 4, 1, 1, 0),
        point((4,), (2,), 3, 2, 0, 1),
        point((9, 4, 1), (1, -1, 2), 5, 1, 1, HALF),
    ],
    "standard": [
        point((4,), (2,), 3, 3, 0, 1),
        *(
            point((4, 1), task, n, m, rank, noise)
            for task in ((1, HALF), (1, -2))
            for n in (3, 20)
            for m in (1, 2)
            for rank in (0, 1)
            for noise in (0, 1)
        ),
    ],
}

rank_tradeoff = claim(
    "icl-rank-tradeoff",
    lhs=r"\mathcal{L}(r+1)-\mathcal{L}(r)",
    tex=r"\big((1-v_{r+1})^2-1\big)\lambda_{r+1}z_{r+1}^2"
    r"+\frac{v_{r+1}^2}M\big(\sigma^2+\|w\|_D^2+\lambda_{r+1}z_{r+1}^2\big),"
    r"\quad v_i=\frac{N\lambda_i}{(N+1)\lambda_i+\operatorname{tr}D}",
    title="Exact effect of adding one direction",
    says=r"$L(r+1) - L(r) = A^2 (|z|_D^2 + \sigma^2 + z_{r+1}^2 \lambda_{r+1})/M + z_{r+1}^2 "
    r"\lambda_{r+1} ((A-1)^2 - 1)$ with $A = \lambda_{r+1} v_{r+1}$.",
    role="derived",
    covers="increment",
    reads={"Lambda": "lam Q"},
    domain=DOMAIN,
    where=[both_entries, r < d],
    grid=TRADE,
    closed_form=increment,
    relation=equals(),
    legs=[
        leg("cubature of both networks", next_rank, arithmetic="rational", instances=ROTATIONS),
        leg(
            "moments of one example", for_all_of_them, arithmetic="proof", over="Lambda N M z sigma"
        ),
    ],
    rivals=[
        variant("variance only", closed_form=A**2 * (energy + bias) / M),
        variant("independent of sigma", closed_form=increment.subs(sigma, 0)),
    ],
)

# What further directions P change is (V + W sigma^2)/M + B with V, W >= 0 (`increment` as traces and forms); sigma^2 is
# s before and u after. Of two ranks the larger, best beside the smaller, stays so; and better, better.
V, W, B, K, s, u = sp.symbols("V W B K s u")


def change(length, noise):
    return (V + W * noise) / length + B


def gap_by_moments(ns, Q, c, lam, z, N, M, r, R, sigma):
    """L(R) - L(r) by the moments of one example. Shape (B,)."""
    gaps = []
    for b in range(Q.shape[0]):
        task = root_of(ns, lam, Q[b]), ns.matmul(Q[b], ns.asarray(list(z))), ns.asarray(sigma)
        larger, smaller = (
            evaluation_loss(ns, *task, c[b] * covariance(ns, kept(lam, N, rank), Q[b]), 1 / c[b], M)
            for rank in (R, r)
        )
        gaps.append(larger - smaller)
    return ns.stack(gaps)


def change_and_its_parts(ns, Q, c, lam, z, N, M, r, R, sigma, of=gap):
    """L(R) - L(r) after, on prompts of K = M examples, and its parts, read off the same networks at one and two
    examples without noise and with noise of variance 1. V and W are told by their sizes: that neither is negative is
    what the order of ranks rests on. Shape (B,)."""
    given = (ns, Q, c, lam, z, N)
    clean, longer, loud = (of(*given, m, r, R, noise) for m, noise in ((1, 0), (2, 0), (1, 1)))
    own = 2 * (clean - longer)
    value = of(*given, M, r, R, sigma)
    known = {"K": ns.asarray(M) + 0 * value, "u": ns.asarray(sigma) ** 2 + 0 * value}
    sizes = {"V": ns.abs(own), "W": ns.abs(loud - clean)}
    return {"value": value, **sizes, "B": clean - own, **known}


def change_by_moments(ns, Q, c, lam, z, N, M, r, R, sigma):
    return change_and_its_parts(ns, Q, c, lam, z, N, M, r, R, sigma, of=gap_by_moments)


def exchanged(ns, Q, c, lam, z, N, M, r, R, sigma):
    """L(r) - L(R): its parts are not positive. Shape (B,)."""
    return change_and_its_parts(ns, Q, c, lam, z, N, M, r, R, sigma, of=backwards)


def backwards(*given):
    return -gap(*given)


TWO_PROMPTS = [
    "V, W in [0, oo)",
    "s in [0, oo)",
    "u in [0, s]",
    "B in R",
    "M in 1..oo",
    "K in M..oo",
]
ORDER = formula_leg(
    "best beside a smaller rank",
    typed(f"{change(K, u)} <= 0", over=TWO_PROMPTS, where=f"{change(M, s)} <= 0"),
    over="d Lambda N z",
)
STRICT = formula_leg(
    "better than a smaller rank",
    typed(f"{change(K, u)} < 0", over=TWO_PROMPTS, where=f"{change(M, s)} < 0"),
    over="d Lambda N z",
)


HELD = {
    "closed_form": change(K, u),
    "arithmetic": "rational",
    "instances": ROTATIONS,
    "observed": [V, W, B, K, u],
    "required": False,
    "lhs": r"\mathcal{L}(R)-\mathcal{L}(r)",
    "tex": r"\frac{V+Wu}K+B",
}


def changes_of(spectrum, task, n, m, rank, top, noise):
    return point(spectrum, task, n, m, rank, noise) | {R: top}


best_rank = claim(
    "icl-best-rank-monotone",
    states="icl-rank-tradeoff",
    title=r"The best rank rises with $M$ and falls with $\sigma$",
    says=r"For every spectrum, task and $N$ the least and the largest best rank rise weakly with $M$ and fall weakly "
    r"with $\sigma$.",
    role="derived",
    covers="best-rank-monotone",
    reads={"M_prime": "K", "sigma": "s", "sigma_prime": "u"},
    domain=TWO_RANKS,
    where=[both_entries, r <= R, d >= R],
    grid={
        "smoke": [
            changes_of((4,), (2,), 3, 3, 0, 1, HALF),
            changes_of((4,), (1,), 2, 2, 0, 1, 2),
            changes_of((4, 1), (1, -2), 7, 9, 1, 2, 2),
            changes_of((4, 1), (0, 1), 2, 4, 0, 2, Fraction(1, 3)),
        ],
        "standard": [changes_of((9, Fraction(1, 4)), (-1, 2), 4, 20, 0, 2, 3)],
    },
    relation=equals(),
    legs=[
        leg(
            "change",
            increment_every_size,
            arithmetic="proof",
            over="d Lambda N z M sigma",
            grid=ONCE,
        ),
        leg("both networks", change_and_its_parts, where=sp.And(d <= 1, M <= 3), **HELD),
        leg("moments of one example", change_by_moments, where=d <= 2, **HELD),
        ORDER,
        STRICT,
    ],
    rivals=[
        variant("variance only", simulation=variance_only, leg="change"),
        variant("no bias", closed_form=change(K, u) - B, leg="both networks"),
        variant("sigma for its square", closed_form=change(K, sp.sqrt(u)), leg="both networks"),
        variant("1/K^2", closed_form=change(K**2, u), leg="both networks"),
        variant("the smaller rank less the larger", simulation=exchanged, leg="both networks"),
        *rivals_of(
            ORDER,
            {
                "every best rank": f"{change(K, u)} < 0",
                "more noise": {
                    "over": [*TWO_PROMPTS[:2], "u in [s, oo)", *TWO_PROMPTS[3:]],
                },
            },
        ),
        *rivals_of(
            STRICT,
            {
                "shorter prompts": {
                    "says": f"{change(M, u)} < 0",
                    "where": f"{change(K, s)} < 0",
                }
            },
        ),
    ],
)


def turns(ns):
    """How often L(r), r = 0 .. 3, changes its direction at lam = (4, 2, 1), z = (1, 0, 3), N = 1000, M = 16, sigma = 1.
    Shape ()."""
    return changes(ns, (1, 0, 3))


def turns_of_another_task(ns):
    return changes(ns, (1, 0, 0))


def changes(ns, task):
    spectrum, one = (4, 2, 1), ns.eye(3)
    root, w, unit = root_of(ns, spectrum, one), ns.asarray(list(task)), ns.asarray(1)
    losses = [
        evaluation_loss(ns, root, w, unit, one * ns.asarray(kept(spectrum, 1000, rank)), unit, 16)
        for rank in range(4)
    ]
    down = [bool(b < a) for a, b in itertools.pairwise(losses)]
    return ns.asarray(sum(a != b for a, b in itertools.pairwise(down)))


no_u = claim(
    "icl-rank-tradeoff-shape",
    lhs=r"\#\{\text{turns of }r\mapsto\mathcal{L}(r)\}",
    states="icl-rank-tradeoff",
    title="The loss need not be U-shaped in the rank",
    says=r"At $\lambda= (4, 2, 1)$, $z = (1, 0, 3)$, $N = 1000$, $M = 16$, $\sigma= 1$ the loss falls, "
    "rises and falls again.",
    role="derived",
    covers="u-shaped",
    domain={},
    grid={"smoke": [{}]},
    closed_form=sp.Integer(2),
    relation=counts(),
    legs=[leg("moments of one example", turns, gives="Lambda N M z sigma")],
    rivals=[
        variant("U-shaped", closed_form=sp.Integer(1)),
        variant("z = (1, 0, 0)", simulation=turns_of_another_task),
    ],
)
