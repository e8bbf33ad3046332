"""Theorem 5.4.3 and section 5.7: what a larger rank adds on a task inside the first r directions.

Setting. As in `behavior_regression`, with xi = 0: z vanishes beyond r, and two ranks r <= r' keep leading
eigenvectors of one basis.

Statement. The larger rank r' has a loss that is larger by
  1/M (sum s_i^2 lam_i + sigma^2) sum_{r<i<=r'} (N lam_i / ((N+1) lam_i + tr D))^2.
So the gap is never negative, is proportional to 1/M, and is 0 exactly if no added direction has variance or if
|s|_D = 0 and sigma = 0. Section 5.7 calls pretraining noise what xi covers; read so it is false that the gap vanishes
without it (xi = 0 is the hypothesis of Theorem 5.4.3). Read as the variance of the added directions it is true.

Reference: Theorem 5.4.3, section 5.7 (Shi, Wei, Xu, Liang, ICML 2024). The proof has D^2 where D^3 is meant.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    claim,
    equals,
    formula_leg,
    identity_for_all,
    instances,
    integers,
    leg,
    rivals_of,
    typed,
    variant,
)

from ._attention import padded
from ._conditions import both_entries, inside
from ._words import ONCE
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
    total,
    trace,
)
from .every_size_behavior import gap_formula, gap_without_noise
from .rank_r_optimum import kept, rotation


def gap(ns, Q, c, lam, z, N, M, r, R, sigma):
    """Loss at rank R minus loss at rank r, on the same nodes. Shape (B,)."""
    larger = network_loss(ns, Q, c, lam, z, N, M, R, sigma)
    return larger - network_loss(ns, Q, c, lam, z, N, M, r, sigma)


energy, length = sp.symbols("energy length", nonnegative=True)


def task_norms(rng, lam, z, d):
    """A rotation, and |s|_D^2 and |s|^2 of the task."""
    squares = [Fraction(x) ** 2 for x in z]
    return {
        **rotation(rng, d),
        "energy": sum(s * Fraction(x) for s, x in zip(squares, lam, strict=True)),
        "length": sum(squares),
    }


def gap_form(power=2, noise=sigma**2, n=N + 1, task=energy):
    factor = (N * lam[i] / (n * lam[i] + trace)) ** power
    return (task + noise) * total(factor, r + 1, R) / M


# ---- for every spectrum, task, noise and length


def difference(ns, s, t, z, sigma, v, c, M, r):
    """Loss with all of v kept minus loss with the first r kept, z inside the first r. Shape ()."""
    task = padded(ns, z, s.shape[0])
    larger = by_moments(ns, s, t, task, sigma, v, c, M)
    return larger - by_moments(ns, s, t, task, sigma, v[:r], c, M)


def added(ns, s, t, z, sigma, v, c, M, r):
    lam = s**2
    spread = ns.sum((lam[: v.shape[0]] * v)[r:] ** 2)
    return (ns.sum(z**2 * lam[:r]) + sigma**2) * spread / M


def for_all_of_them(d, r, R):
    return identity_for_all(difference, added, {**anything(d, R), "z": (r,)}, r=r)


def with_mass_beyond(d, r, R):
    return identity_for_all(difference, added, {**anything(d, R), "z": (r + 1,)}, r=r)


GAPS = {
    "smoke": [
        point((4, 1), (1, 0), 7, 1, 1, HALF) | {R: 2},
        point((9, Fraction(1, 4)), (2, 0), 4, 1, 1, 0) | {R: 2},
        point((4,), (0,), 3, 2, 0, Fraction(4, 5)) | {R: 1},
        point((4, 1), (0, 0), 5, 1, 0, HALF) | {R: 2},
        point((4, 1, Fraction(1, 4)), (1, 0, 0), 5, 1, 1, HALF) | {R: 3},
        point((4, 1, 0), (1, 0, 0), 5, 1, 1, HALF) | {R: 3},
    ],
    "standard": [
        point(
            (4, 1, Fraction(1, 4)),
            (*task, *[0] * (3 - len(task))),
            12,
            1,
            len(task),
            Fraction(4, 5),
        )
        | {R: top}
        for task in ((), (1,), (1, -2))
        for top in range(len(task), 4)
    ],
}
TWO_RANKS = {**DOMAIN, R: integers(0)}
NAMES = {"Lambda": "lam Q", "s": "z", "r_prime": "R"}

behavior_special = claim(
    "icl-behavior-regression-special",
    lhs=r"\mathcal{L}(R)-\mathcal{L}(r)",
    tex=r"\frac1M\big(\|s\|_D^2+\sigma^2\big)\sum_{i=r+1}^{R}\Big(\frac{N\lambda_i}{(N+1)\lambda_i+\operatorname{tr}D}\Big)^2",
    title="Exact loss gap of two ranks",
    says="On a task supported on the first $r$ directions, rank $R>r$ has a larger loss than rank $r$ "
    r"by exactly $\frac1M(\|s\|_D^2+\sigma^2)\sum_{r<i\le "
    r"R}(N\lambda_i/((N+1)\lambda_i+\operatorname{tr}D))^2$.",
    covers="gap-formula",
    reads=NAMES,
    domain=TWO_RANKS,
    where=[both_entries, inside, r <= R, d >= R],
    grid=GAPS,
    closed_form=gap_form(),
    relation=equals(),
    legs=[
        leg(
            "cubature of both networks",
            gap,
            arithmetic="rational",
            instances=instances(task_norms, "Q c energy length", smoke=1, standard=1),
        ),
        leg(
            "moments of one example", for_all_of_them, arithmetic="proof", over="Lambda N M s sigma"
        ),
    ],
    rivals=[
        variant("first power", closed_form=gap_form(power=1)),
        variant("noise dropped", closed_form=gap_form(noise=0)),
        variant("N for N + 1", closed_form=gap_form(n=N)),
        variant("Euclidean |s|", closed_form=gap_form(task=length)),
        variant(
            "the implication (R - r)/M taken as exact",
            closed_form=(energy + sigma**2) * (R - r) / M,
        ),
        variant(
            "task beyond r",
            leg="cubature of both networks",
            at=[point((4, 1), (1, 1), 7, 1, 1, HALF) | {R: 2}],
        ),
        variant(
            "task beyond r, for all",
            simulation=with_mass_beyond,
            leg="moments of one example",
            at=[point((4, 1), (1, 0), 7, 1, 1, HALF) | {R: 2}],
        ),
    ],
)


# ---- what follows: l the largest added eigenvalue, t = tr D, e = |s|_D^2 + sigma^2, P the other added squares as a
# multiple of the first, so that nothing is left of them where l is 0

e, l, t, P = sp.symbols("e l t P", nonnegative=True)


def told(n=N + 1, power=2, others=P):
    """The gap in these."""
    return e / M * ((N * l / (n * l + t)) ** power * (1 + others))


def gap_and_its_parts(ns, Q, c, lam, z, N, M, r, R, sigma):
    """The gap of both networks, and what it is told in: l is 0 where nothing is added, P is read off the weights, 0
    where l is. Shape (B,)."""
    value = gap(ns, Q, c, lam, z, N, M, r, R, sigma)
    squares = [(x * v) ** 2 for x, v in zip(lam, kept(lam, N, R), strict=True)][r:R]
    energy = sum(Fraction(x) ** 2 * y for x, y in zip(z, lam, strict=True))
    parts = {
        "e": energy + Fraction(sigma) ** 2,
        "l": lam[r] if squares else 0,
        "t": sum(lam),
        "P": sum(squares[1:]) / squares[0] if any(squares[:1]) else 0,
    }
    return {"value": value, **{n: ns.asarray(x) + 0 * value for n, x in parts.items()}}


SIZES = ["N in 1..oo", "M in 1..oo", "t in (0, oo)", "P in [0, oo)"]
READ = {"d": "t P", "Lambda": "l t", "s": "e", "sigma": "e", "r": "l P", "r_prime": "P"}

NOISY = formula_leg(
    "positive", typed(f"{told()} > 0", over=[*SIZES, "l in (0, t]", "e in (0, oo)"])
)
QUIET = formula_leg(
    "zero",
    typed(
        "0/M*((N*l/((N + 1)*l + t))**2*(1 + P)) == 0 and e/M*((N*0/((N + 1)*0 + t))**2*(1 + P)) == 0",
        over=[*SIZES, "l in [0, t]", "e in [0, oo)"],
    ),
)
never_better = claim(
    "icl-gap-positive",
    states=["icl-noise-sources", "icl-behavior-regression-special"],
    title="The larger rank is never better, and worse where there is noise of both kinds",
    says=r"The gap is positive where some added direction has variance and $|s|_D$ or $\sigma$ is "
    "not 0; elsewhere it is 0.",
    role="derived",
    covers="both-needed gap-vanishes-iff larger-never-better",
    reads=READ,
    domain=TWO_RANKS,
    where=[both_entries, inside, r <= R, d >= R],
    grid=GAPS,
    relation=equals(),
    legs=[
        leg(
            "gap",
            gap_formula,
            arithmetic="proof",
            over="d Lambda N M r r_prime s sigma",
            grid=ONCE,
        ),
        leg(
            "both networks",
            gap_and_its_parts,
            closed_form=told(),
            arithmetic="rational",
            instances=ROTATIONS,
            observed=[e, l, t, P],
            lhs=r"\mathcal{L}(R)-\mathcal{L}(r)",
            tex=r"\frac{\|s\|_D^2+\sigma^2}M\Big(\frac{N\lambda_{r+1}}{(N+1)\lambda_{r+1}+\operatorname{tr}D}\Big)^2"
            r"(1+P),\quad P=\sum_{i=r+2}^{R}\Big(\frac{v_i\lambda_i}{v_{r+1}\lambda_{r+1}}\Big)^2",
            required=False,
        ),
        NOISY,
        QUIET,
    ],
    rivals=[
        variant("noise dropped", simulation=gap_without_noise, leg="gap"),
        variant("first power", closed_form=told(power=1), leg="both networks"),
        variant("N for N + 1", closed_form=told(n=N), leg="both networks"),
        variant("direction r + 1 alone", closed_form=told(others=0), leg="both networks"),
        variant(
            "1/M^2",
            closed_form=told() / M,
            leg="both networks",
            at=[point((4,), (0,), 3, 2, 0, HALF) | {R: 1}],
        ),
        *rivals_of(
            NOISY,
            {
                "without variance": {"over": [*SIZES, "l in [0, t]", "e in (0, oo)"]},
                "without a task or noise": {"over": [*SIZES, "l in (0, t]", "e in [0, oo)"]},
            },
        ),
        *rivals_of(
            QUIET,
            {
                "half of the variance": "e/M*((N*l/2/((N + 1)*l/2 + t))**2*(1 + P)) == 0",
            },
        ),
    ],
)
