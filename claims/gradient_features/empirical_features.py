r"""Lemma B.19: which features survive an empirical first step.

Setting. |G~ - G| <= e < B_G <= |G|; c = 1 - gamma = cos theta, q = e/B_G = sin a.

Statements. (1) The direction turns by at most a, so the cone widens to 1 - cos(theta + a) <= gamma + q where theta +
a <= pi/2, that is c >= q: c sqrt(1 - q^2) - q sqrt(1 - c^2) >= c - q. Beyond, c < q and the bound gamma + q passes 1.
The norm falls by at most e. (2) A joint failure rho of the deviation costs sqrt(rho) twice: by Markov's inequality
the failure over w is above sqrt(rho) for at most sqrt(rho) of the samples, so p - sqrt(rho) is left (printed as a
union bound).

Reference: lines 6014-6075.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from theorycheck import at_most, claim, formula_leg, instances, rivals_of, typed, variant

from ._beside import beside
from ._network import dot, length, simplified, with_length

CONE = formula_leg(
    "cone",
    typed("c*sqrt(1 - q**2) - q*sqrt(1 - c**2) >= c - q", over=["c in (0, 1)", "q in [0, c]"]),
    over="gamma e G G_tilde",
)
BEYOND = formula_leg(
    "beyond a right angle",
    typed("1 <= (1 - c) + q", over=["c in (0, 1)", "q in [c, 1)"]),
    over="gamma e G G_tilde",
)
NORM = formula_leg(
    "norm",
    typed(
        "sqrt(g**2 + 2*t + h**2) >= B - e",
        over=["B in (0, oo)", "e in [0, B)", "g in [B, oo)", "h in [0, e]", "t in [-g*h, g*h]"],
    ),
    over="gamma e G G_tilde",
)


def two_gradients(rng):
    """Gradients of rational length, another one near each, and unit vectors. Rows of R^3."""
    found = [g for g in (with_length(rng, 3) for _ in range(4)) if any(g)]
    moves = [with_length(rng, 3) for _ in found]
    near = [
        [p + q * Fraction(1, 3) * length(g) / (1 + length(e)) for p, q in zip(g, e, strict=True)]
        for g, e in zip(found, moves, strict=True)
    ]
    return {"G": found, "G_tilde": near, "D": [with_length(rng, 3) for _ in found]}


def turned_away(rng):
    """G at the border of a cone, turned away from D by the largest angle of the error."""
    return {
        "G": [[Fraction(7, 25), Fraction(24, 25)]],
        "G_tilde": [[Fraction(7, 25) - Fraction(24, 125), Fraction(24, 25) + Fraction(7, 125)]],
        "D": [[1, 0]],
    }


def rest(G, G_tilde, D, share=1):
    """(<G~, D>/|G~|)^2 for unit D less the square of the least cosine allowed, where G is at the border of its cone:
    1 - gamma = |cos(G, D)|, B_G = |G| and e = |G~ - G|; 0 where none is asked for. One number a row."""
    found = []
    for g, h, d in zip(G, G_tilde, D, strict=True):
        moved = [q - p for p, q in zip(g, h, strict=True)]
        allowed = abs(dot(g, d)) / length(g) / (length(d) or 1) - share * length(moved) / length(g)
        square = dot(h, d) ** 2 / (dot(d, d) or 1)
        found.append(square - max(allowed, Fraction(0)) ** 2 * dot(h, h))
    return found


def narrower(G, G_tilde, D):
    """The same where the cone widens by half of e/B_G."""
    return rest(G, G_tilde, D, Fraction(1, 2))


def outside(G, G_tilde, D):
    """How far G~ is outside of the widened cone, and below the length |G| - e, by squares. Shape (rows, 2)."""
    cones = [max(-v, Fraction(0)) for v in rest(G, G_tilde, D)]
    return [[v, w] for v, w in zip(cones, too_short(G, G_tilde), strict=True)]


def outside_of_narrower(G, G_tilde, D):
    cones = [max(-v, Fraction(0)) for v in narrower(G, G_tilde, D)]
    return [[v, w] for v, w in zip(cones, too_short(G, G_tilde), strict=True)]


def too_short(G, G_tilde):
    found = []
    for g, h in zip(G, G_tilde, strict=True):
        least = length(g) - length([q - p for p, q in zip(g, h, strict=True)])
        found.append(max(least**2 - dot(h, h), Fraction(0)) if least > 0 else Fraction(0))
    return found


def inside(G, G_tilde, D):
    """Nothing outside. Shape (rows, 2)."""
    return [[0, 0] for _ in G]


def beside_cones(name, draw, count):
    return beside(
        name,
        outside,
        r"\big((c-q)^2\|\tilde G\|^2-\langle\tilde G,D\rangle^2,\ (\|G\|-e)^2-\|\tilde G\|^2\big)_+",
        "0",
        reference=inside,
        instances=instances(draw, "G G_tilde D", smoke=count, standard=4 * count),
    )


inclusion = claim(
    "gradfeat-empirical-inclusion",
    states="gradfeat-good-network-empirical",
    title="Cones and norms of empirical features",
    says=r"$\|\tilde G-G\|\le e<B_G\le\|G\|$ widens a cone to $\gamma+e/B_G$ at most and lowers the norm to "
    r"$B_G-e$ at most.",
    covers="inclusion",
    legs=[
        CONE,
        BEYOND,
        NORM,
        beside_cones("drawn gradients", two_gradients, 6),
        beside_cones("turned away", turned_away, 1),
    ],
    rivals=[
        variant("half of the widening", simulation=outside_of_narrower, leg="turned away"),
        *rivals_of(CONE, {"e/(2 B_G)": "c*sqrt(1 - q**2) - q*sqrt(1 - c**2) >= c - q/2"}),
        *rivals_of(BEYOND, {"below it too": {"over": ["c in (0, 1)", "q in [0, 1)"]}}),
        *rivals_of(NORM, {"e/2": "sqrt(g**2 + 2*t + h**2) >= B - e/2"}),
    ],
)

# f = P_w[failure] given the samples, E f <= rho
MARKOV = formula_leg(
    "Markov",
    typed(
        "Piecewise((1, f > sqrt(rho)), (0, True)) <= f/sqrt(rho)",
        over=["rho in (0, 1]", "f in [0, 1]"],
    ),
    over="law Z",
)
LEVEL = formula_leg(
    "level", typed("rho/sqrt(rho) == sqrt(rho)", over="rho in (0, 1]"), over="law Z"
)


def law_and_weights(rng):
    """A law of three labelled points and some weights of the plane."""
    return {
        "xs": rng.rational((3, 2), 4),
        "ys": [int(v) for v in rng.signs((3,))],
        "ws": rng.rational((5, 2), 4),
        "e": abs(rng.rational((), 3)) + Fraction(1, 4),
    }


def failures(xs, ys, ws, e):
    """For each sample of 4 draws the share of the weights whose empirical gradient is off by more than e."""
    true = [simplified(xs, ys, w, 0) for w in ws]
    found = []
    for sample in product(range(len(xs)), repeat=4):
        sx, sy = [xs[i] for i in sample], [ys[i] for i in sample]
        near = [simplified(sx, sy, w, 0) for w in ws]
        gaps = [[q - p for p, q in zip(g, h, strict=True)] for g, h in zip(true, near, strict=True)]
        found.append(Fraction(sum(dot(v, v) > e**2 for v in gaps), len(ws)))
    return found


def bad_samples(xs, ys, ws, e):
    """The square of the share of samples with a failure above sqrt(rho), rho the joint failure. Shape ()."""
    found = failures(xs, ys, ws, e)
    rho = sum(found, Fraction(0)) / len(found)
    return Fraction(sum(f**2 > rho for f in found), len(found)) ** 2


def joint_failure(xs, ys, ws, e):
    """rho. Shape ()."""
    found = failures(xs, ys, ws, e)
    return sum(found, Fraction(0)) / len(found)


def its_square(xs, ys, ws, e):
    return joint_failure(xs, ys, ws, e) ** 2


fubini = claim(
    "gradfeat-empirical-fubini",
    states="gradfeat-good-network-empirical",
    title="From a joint failure to one for most samples",
    says=r"If $\Pr_{w,Z}[\|\tilde G-G\|>e]\le\rho$, then $\Pr_w[\|\tilde G-G\|>e]\le\sqrt\rho$ for all but "
    r"$\sqrt\rho$ of the samples.",
    covers="fubini",
    relation=at_most(),
    legs=[
        MARKOV,
        LEVEL,
        beside(
            "all samples",
            bad_samples,
            r"\Pr_Z\big[\Pr_w[\|\tilde G-G\|>e]>\sqrt\rho\big]^2",
            r"\rho",
            reference=joint_failure,
            instances=instances(law_and_weights, "xs ys ws e", smoke=5, standard=10),
        ),
    ],
    rivals=[
        variant("a share of rho", reference=its_square, leg="all samples"),
        *rivals_of(MARKOV, {"f/2": "Piecewise((1, f > sqrt(rho)), (0, True)) <= f/(2*sqrt(rho))"}),
        *rivals_of(LEVEL, {"rho": "rho/sqrt(rho) == rho"}),
    ],
)
