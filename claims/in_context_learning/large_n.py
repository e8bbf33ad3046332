"""The implications after Theorems 5.4.2 and 5.4.3: pretraining prompts so long that N lam_i is large against tr D.

Setting. As in `behavior_regression`, lam_r > 0 for the loss and lam_R > 0 for the gap of two ranks: the source
repeats no condition for the gap, which needs the smallest direction that the larger model keeps.

Statements. With everything else fixed, v_i = 1/((1 + 1/N) lam_i + tr D/N) tends to 1/lam_i, and the loss, a rational
function of 1/N that is regular at 0, to its value there: |xi|_D^2 + ((r+1) |s|_D^2 + r |xi|_D^2 + r sigma^2)/M, at
a distance of at most C/N. The gap tends to (R - r)/M (|s|_D^2 + sigma^2). In the limit more directions cover more
and cost more.

Reference: section 5.4.2 (Shi, Wei, Xu, Liang, ICML 2024), printed as approximations.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_most,
    claim,
    equals,
    formula_leg,
    hypothesis,
    identity_for_all,
    leg,
    rivals_of,
    typed,
    variant,
)

from ._attention import evaluation_loss, padded, root_of
from ._conditions import (
    admitted,
    both_entries,
    inside,
    keeps_all_variance,
    keeps_the_next,
    keeps_variance,
)
from .behavior_gap import TWO_RANKS
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
    network_loss,
    point,
    r,
    sigma,
    trace,
    z,
)

signal = sp.Sum(z[i] ** 2 * lam[i], (i, 1, r))
uncovered = sp.Sum(z[i] ** 2 * lam[i], (i, r + 1, d))
limit = uncovered + ((r + 1) * signal + r * uncovered + r * sigma**2) / M


def loss_at_infinity(ns, Q, c, lam, z, M, r, sigma):
    """The loss of the network at 1/N = 0, where v_i = 1/lam_i; 0 where lam_i = 0 and no v_i matters. Shape (B,)."""
    losses = []
    for b in range(Q.shape[0]):
        v = ns.asarray([Fraction(1) / x if n < r and x else 0 for n, x in enumerate(lam)])
        U = c[b] * ns.matmul(Q[b] * v, ns.matrix_transpose(Q[b]))
        w = ns.matmul(Q[b], ns.asarray(list(z)))
        losses.append(
            evaluation_loss(ns, root_of(ns, lam, Q[b]), w, ns.asarray(sigma), U, 1 / c[b], M)
        )
    return ns.stack(losses)


def in_the_limit(ns, s, t, z, sigma, c, M, r):
    """The same as a function of spectrum, eigenbasis, task, noise and length. Shape ()."""
    return by_moments(ns, s, t, z, sigma, 1 / s[:r] ** 2, c, M)


def stated(ns, s, t, z, sigma, c, M, r):
    mass = z**2 * s**2
    kept, left = ns.sum(mass[:r]), ns.sum(mass[r:])
    return left + ((r + 1) * kept + r * left + r * sigma**2) / M


def anything_but_n(d):
    return {name: shape for name, shape in anything(d, 0).items() if name != "v"}


def for_all_of_them(d, r):
    return identity_for_all(in_the_limit, stated, anything_but_n(d), r=r)


WITHOUT_N = {s: DOMAIN[s] for s in (lam, z, d, M, r, sigma)}


def limits(spectra, ranks, lengths, task=(1, HALF, -1)):
    return [
        {lam: s, z: task[: len(s)], d: len(s), M: m, r: rank, sigma: HALF}
        for s in spectra
        for rank in ranks
        if rank <= len(s)
        for m in lengths
    ]


limit_value = claim(
    "icl-behavior-regression-limit",
    lhs=r"\lim_{N\to\infty}\mathcal{L}(r)",
    tex=r"\|\xi\|_D^2+\frac1M\big((r+1)\,\|s\|_D^2+r\,\|\xi\|_D^2+r\,\sigma^2\big)",
    states="icl-behavior-regression-approx",
    title="The limit of the loss for long pretraining prompts",
    says=r"As $N$ grows the loss tends to $\|\xi\|_D^2+((r+1)\|s\|_D^2+r\|\xi\|_D^2+r\sigma^2)/M$, "
    r"$\lambda_r>0$: its value at $1/N=0$.",
    covers="loss-limit",
    reads={"Lambda": "lam Q", "w": "z Q"},
    domain=WITHOUT_N,
    where=[both_entries, r <= d, keeps_variance],
    grid={
        "smoke": limits([(4, 1), (9, 4, 1)], (0, 1, 2), (1, 5)),
        "standard": limits([(4, 1, 1)], (1, 3), (2, 16)),
    },
    closed_form=limit,
    relation=equals(),
    legs=[
        leg("network at 1/N = 0", loss_at_infinity, arithmetic="rational", instances=ROTATIONS),
        leg(
            "moments of one example", for_all_of_them, arithmetic="proof", over="Lambda M w sigma N"
        ),
    ],
    rivals=[
        variant("r for r + 1", closed_form=limit - signal / M),
        variant("noise once", closed_form=limit - (r - 1) * sigma**2 / M),
        variant("uncovered signal counted once", closed_form=limit - r * uncovered / M),
    ],
    assumes=[
        hypothesis(
            "lambda_r > 0",
            leg="network at 1/N = 0",
            without=[{lam: (4, 0), z: (1, HALF), d: 2, M: 5, r: 2, sigma: HALF}],
        ),
    ],
)


# ---- how fast


def distance_times_n(ns, Q, c, lam, z, N, M, r, sigma):
    """N |L - lim L|. Shape (B,)."""
    far = loss_at_infinity(ns, Q, c, lam, z, M, r, sigma)
    return N * ns.abs(network_loss(ns, Q, c, lam, z, N, M, r, sigma) - far)


def explicit_constant():
    """An explicit constant for the O(1/N): each v lam differs from 1 by at most t_i / N, t_i = 1 + tr D / lam_i, so
    the variance terms change by at most 2 t_i/N of their limit and the bias by (t_i/N)^2."""
    t = 1 + trace / lam[i]
    energy = sp.Sum(z[i] ** 2 * lam[i], (i, 1, d)) + sigma**2
    variance = 2 * sp.Sum(t * (energy + z[i] ** 2 * lam[i]), (i, 1, r)) / M
    squared = sp.Sum(z[i] ** 2 * lam[i] * t**2, (i, 1, r)) / N
    return variance + squared


RATE = explicit_constant()


def constant_of_the_rate(lam, d, r, M, z, sigma):
    """`explicit_constant` at N = 1, which bounds it at every N."""


LARGE = {
    "smoke": [point((4, 1), (1, HALF), n, 1, 1, HALF) for n in (1, 10, 10**9)],
    "standard": [
        point((4, 1), (1, HALF), n, 1, rank, HALF)
        for rank in (1, 2)
        for n in (1, 10, 100, 10**4, 10**9)
    ],
}
approximation = claim(
    "icl-behavior-regression-approx",
    lhs=r"N\,\big|\mathcal{L}-\lim_{N\to\infty}\mathcal{L}\big|",
    tex=r"\frac1N\sum_{i=1}^{r}\Big(1+\frac{\operatorname{tr}D}{\lambda_i}\Big)^2\lambda_iz_i^2+\frac2M\sum_{i=1}^{r}\Big(1+\frac{\operatorname{tr}D}{\lambda_i}\Big)\big(\sigma^2+\lambda_iz_i^2+\|w\|_D^2\big)",
    title="The large-N approximation has error $O(1/N)$",
    says=r"$N|L-\lim L|$ is at most $\frac2M\sum t_i(\|z\|_D^2+\sigma^2+z_i^2\lambda_i)+\sum "
    r"z_i^2\lambda_it_i^2/N$, $t_i=1+\operatorname{tr}D/\lambda_i$.",
    covers="loss-rate",
    reads={"Lambda": "lam Q", "w": "z Q"},
    domain=DOMAIN,
    where=[both_entries, r <= d, keeps_variance],
    grid=LARGE,
    closed_form=RATE,
    relation=at_most(),
    legs=[
        leg(
            "cubature",
            distance_times_n,
            arithmetic="rational",
            instances=ROTATIONS,
            gives="C",
            chosen_by=constant_of_the_rate,
        )
    ],
    rivals=[
        variant("error O(1/N^2)", closed_form=RATE / N),
        variant("a fifth of it, at a large N", closed_form=RATE / 5, at=LARGE["smoke"][-1:]),
    ],
)


# ---- the gap of two ranks


def gap_at_infinity(ns, Q, c, lam, z, M, r, R, sigma):
    larger = loss_at_infinity(ns, Q, c, lam, z, M, R, sigma)
    return larger - loss_at_infinity(ns, Q, c, lam, z, M, r, sigma)


def gap_in_the_limit(ns, s, t, z, sigma, c, M, r, R):
    task = padded(ns, z, s.shape[0])
    return in_the_limit(ns, s, t, task, sigma, c, M, R) - in_the_limit(
        ns, s, t, task, sigma, c, M, r
    )


def gap_stated(ns, s, t, z, sigma, c, M, r, R):
    return (R - r) * (ns.sum(z**2 * s[:r] ** 2) + sigma**2) / M


def gap_for_all(d, r, R):
    return identity_for_all(
        gap_in_the_limit, gap_stated, {**anything_but_n(d), "z": (r,)}, r=r, R=R
    )


gap_form = (R - r) / M * (signal + sigma**2)
GAPS = [
    {lam: s, z: task, d: len(s), M: m, r: rank, R: top, sigma: noise}
    for s, task, m, rank, top, noise in (
        ((4, 1), (1, 0), 3, 1, 2, HALF),
        ((4, 0), (1, 0), 3, 1, 2, HALF),
        ((9, 4, 1), (2, -1, 0), 2, 2, 3, 2),
        ((9, 4, 1), (1, 0, 0), 2, 1, 3, HALF),
        ((9, 4, 0), (1, 0, 0), 2, 1, 2, HALF),
    )
]
VARIANCE = keeps_all_variance
gap_limit = claim(
    "icl-gap-limit",
    lhs=r"\lim_{N\to\infty}\big(\mathcal{L}(R)-\mathcal{L}(r)\big)",
    tex=r"\frac{R-r}M\big(\|s\|_D^2+\sigma^2\big)",
    states="icl-behavior-regression-approx",
    title="The limit of the gap of two ranks",
    says=r"As $N$ grows the gap of ranks $r\le R$ on a task inside $r$ tends to "
    r"$\frac{R-r}M(\|s\|_D^2+\sigma^2)$, $\lambda_R>0$.",
    covers="gap-limit",
    reads={"Lambda": "lam Q", "s": "z", "r_prime": "R"},
    domain={s: TWO_RANKS[s] for s in (lam, z, d, M, r, R, sigma)},
    where=[both_entries, inside, r <= R, d >= R, VARIANCE],
    grid={"smoke": admitted(GAPS, VARIANCE)},
    closed_form=gap_form,
    relation=equals(),
    legs=[
        leg("networks at 1/N = 0", gap_at_infinity, arithmetic="rational", instances=ROTATIONS),
        leg("moments of one example", gap_for_all, arithmetic="proof", over="Lambda M s sigma N"),
    ],
    rivals=[
        variant("without the noise", closed_form=gap_form.subs(sigma, 0)),
        variant("R for R - r", closed_form=gap_form * R / (R - r)),
    ],
    assumes=[
        hypothesis(
            "lambda_R > 0",
            leg="networks at 1/N = 0",
            without=[{lam: (4, 0), z: (1, 0), d: 2, M: 3, r: 1, R: 2, sigma: HALF}],
        ),
    ],
)

# ---- one direction more: S and X the signal inside and beyond r, q = z_{r+1}^2 lam_{r+1} moves from one to the other,
# u is sigma^2

S, X, q, u = sp.symbols("S X q u", nonnegative=True)


def length_term(more, own=1):
    """M times the 1/M term at rank r + ``more``, more = 0 or 1, the signal inside counted r + ``own`` times."""
    return (r + more + own) * (S + more * q) + (r + more) * (X - more * q) + (r + more) * u


def terms_of_the_network(ns, Q, c, lam, z, M, r, sigma):
    """The 1/M term of the loss at rank r + 1 and 1/N = 0, from its values at M and 2 M. Shape (B,)."""
    at_m, at_2m = (loss_at_infinity(ns, Q, c, lam, z, k, r + 1, sigma) for k in (M, 2 * M))
    mass = [Fraction(x) ** 2 * y for x, y in zip(z, lam, strict=True)]
    parts = {"S": sum(mass[:r]), "X": sum(mass[r:]), "q": mass[r], "u": Fraction(sigma) ** 2}
    same = ns.ones(at_m.shape)
    return {"value": 2 * (at_m - at_2m), **{n: part * same for n, part in parts.items()}}


NEXT = keeps_the_next
BEYOND = {lam: (4, 0), z: (1, HALF), d: 2, M: 1, r: 1, sigma: HALF}
OPPOSED = formula_leg(
    "both terms",
    typed(
        f"X - q <= X and ({length_term(1)})/M >= ({length_term(0)})/M",
        over=[
            "r in 0..oo",
            "M in 1..oo",
            "S in [0, oo)",
            "X in [0, oo)",
            "q in [0, X]",
            "u in [0, oo)",
        ],
    ),
)
STRICTLY = f"({length_term(1)})/M > ({length_term(0)})/M"
opposed = claim(
    "icl-approximation-tradeoff",
    lhs=r"\frac1M\text{-term at rank }r+1",
    tex=r"\frac1M\big((r+2)(S+q)+(r+1)(X-q)+(r+1)\,u\big)",
    states="icl-rank-tradeoff",
    title="In the limit one term falls in the rank and the other rises",
    says=r"As $N\to\infty$, from rank $r$ to $r+1$ the uncovered signal $\|\xi\|_D^2$ does not grow and the $1/M$ term "
    "does not fall, for every spectrum, task and noise level.",
    role="derived",
    covers="two-terms-opposed",
    reads={"d": "X", "Lambda": "S X q", "z": "S X q", "sigma": "u"},
    domain=WITHOUT_N,
    where=[both_entries, r < d, NEXT],
    grid={
        "smoke": admitted([*limits([(4, 1)], (0, 1), (1, 3)), BEYOND], NEXT),
        "standard": limits([(9, 4, 1), (4, 1, 1)], (1, 2), (2,)),
    },
    closed_form=length_term(1) / M,
    relation=equals(),
    legs=[
        leg(
            "networks at 1/N = 0",
            terms_of_the_network,
            arithmetic="rational",
            instances=ROTATIONS,
            observed=[S, X, q, u],
            required=False,
        ),
        OPPOSED,
    ],
    rivals=[
        variant("the term at rank r", closed_form=length_term(0) / M),
        *rivals_of(
            OPPOSED,
            {
                "signal counted r times": f"({length_term(1, own=0)})/M > ({length_term(0, own=0)})/M",
                "strictly": STRICTLY,
                "the sum rises": f"X - q + ({length_term(1)})/M >= X + ({length_term(0)})/M",
            },
        ),
    ],
    assumes=[
        hypothesis("lambda_{r+1} > 0", leg="networks at 1/N = 0", without=[BEYOND]),
    ],
)
