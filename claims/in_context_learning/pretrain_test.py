"""How Theorems 5.4.1 and 5.4.2 fit together (derived).

Statement. Averaged over tasks w ~ N(0, I), at M = N and without label noise, the evaluation loss of the rank-r
optimum is tr D - sum_{i<=r} N lam_i^2 / ((N+1) lam_i + tr D): twice its pretraining loss. The loss is quadratic in the
coordinates of w without mixed terms, so that the unit tasks of the eigenbasis add up.

Reference: derived from Theorems 5.4.1, 5.4.2 (Shi, Wei, Xu, Liang, ICML 2024).
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import claim, equals, identity_for_all, integers, leg, spectra, variant

from ._conditions import entries
from .behavior_regression import ROTATIONS, N, by_moments, d, i, lam, network_loss, r, trace


def mean_over_tasks(ns, Q, c, lam, N, r):
    """E_w L(r) at M = N, sigma = 0. Shape (B,)."""
    d = len(lam)
    units = [tuple(int(n == t) for n in range(d)) for t in range(d)]
    total = network_loss(ns, Q, c, lam, units[0], N, N, r, 0)
    for unit in units[1:]:
        total = total + network_loss(ns, Q, c, lam, unit, N, N, r, 0)
    return total


def mean_form(shift=1, factor=1):
    return factor * (trace - sp.Sum(N * lam[i] ** 2 / ((N + shift) * lam[i] + trace), (i, 1, r)))


def units_by_moments(ns, s, t, c, N, r):
    """The same by the moments of one example. Shape ()."""
    d, lam = s.shape[0], s**2
    v = N / ((N + 1) * lam[:r] + ns.sum(lam))
    return sum(by_moments(ns, s, t, one, N * 0, v, c, N) for one in ns.eye(d))


def stated(ns, s, t, c, N, r, shift=1):
    lam = s**2
    return ns.sum(lam) - ns.sum(N * lam[:r] ** 2 / ((N + shift) * lam[:r] + ns.sum(lam)))


def for_all_of_them(d, r, shift=1):
    fields = {"s": (d,), "t": (), "c": (), "N": ()}
    return identity_for_all(
        units_by_moments, lambda ns, **given: stated(ns, **given, shift=shift), fields, r=r
    )


def shifted(d, r):
    return for_all_of_them(d, r, shift=0)


SPECTRA = {
    lam: spectra(d, squares=True, nonzero=True),
    d: integers(1),
    N: integers(1),
    r: integers(0),
}
consistency = claim(
    "icl-pretrain-test-consistency",
    lhs=r"\mathbb{E}_w\,\mathcal{L}(r)",
    tex=r"\operatorname{tr}D-\sum_{i=1}^{r}\frac{N\lambda_i^2}{(N+1)\lambda_i+\operatorname{tr}D}",
    title="The two theorems agree in the mean",
    says=r"$\mathbb{E}_w\,L(r)=\operatorname{tr}D-\sum_{i\le "
    r"r}N\lambda_i^2/((N+1)\lambda_i+\operatorname{tr}D)$ at $M=N$, $\sigma=0$: twice the "
    "pretraining loss.",
    role="derived",
    covers="mean-over-tasks",
    reads={"Lambda": "lam Q"},
    domain=SPECTRA,
    where=[entries, r <= d],
    grid={
        "smoke": [
            {lam: (4,), d: 1, N: 2, r: 1},
            {lam: (4, 1), d: 2, N: 1, r: 1},
            {lam: (4, 1), d: 2, N: 1, r: 2},
            {lam: (4, 1), d: 2, N: 1, r: 0},
        ],
        "standard": [
            {lam: (4,), d: 1, N: 3, r: 1},
            *({lam: (4, 1), d: 2, N: n, r: k} for n in (1, 2) for k in (0, 1, 2)),
        ],
    },
    closed_form=mean_form(),
    relation=equals(),
    legs=[
        leg("unit tasks", mean_over_tasks, arithmetic="rational", instances=ROTATIONS),
        leg("moments of one example", for_all_of_them, arithmetic="proof", over="Lambda N"),
    ],
    rivals=[
        variant("factor 1/2", closed_form=mean_form(factor=Fraction(1, 2))),
        variant("factor 2", closed_form=mean_form(factor=2)),
        variant("N for N + 1", closed_form=mean_form(0)),
        variant("N for N + 1, for all", simulation=shifted, leg="moments of one example"),
    ],
)
