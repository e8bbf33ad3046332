r"""Lemma B.33: the gradient of a nice neuron of a Gaussian mixture.

Setting. As in `mixture_activation`, e = d^-tau, C_b >= 2 sqrt 2 c; A = B_mu1 sqrt d <= |mu_l| <= M =
B_mu2 sqrt d, deviations at most S. G = sum_l p_l y_l (mu_l Phi(t_l) + sigma_l phi(t_l) w/|w|), t_l = (<w, mu_l> -
b)/(sigma_l |w|) (`simplified_gradient`).

Statements, both with constants 1 and for every mixture. (1) <G, y_j D_j> >= p_j A (1 - e) - M e - S d^(-0.9 tau). (2) G
has a part orthogonal to D_j of length at most M e + S d^(-0.9 tau).

Proof. |t_l| >= h with e^(-h^2/2) <= e, so that Phi(t_j) >= 1 - e, Phi(t_l) <= e for the others, and all phi(t_l) <= e.
Along D_j cluster j gives at least p_j (A (1 - e) - S e) and any other at least -p_l (M e + S e); across it cluster j
gives at most p_j S e and any other at most p_l (M e + S e). The p_l add up to 1, and e <= d^(-0.9 tau).

The programs take w = sqrt d e_1, c = sigma_w = S = 1: any other nice weight is a rotation of one.

Reference: lines 6549-6590.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_least,
    at_most,
    claim,
    formula_leg,
    instances,
    integers,
    leg,
    reals,
    rivals_of,
    typed,
    variant,
)

from .mixture_activation import OTHER, OWN, POWER, TAIL

d = sp.symbols("d", integer=True, positive=True)
tau = sp.symbols("tau", positive=True)
FIELDS = "share across y p s"


def worst(rng, d):
    """Inner products at their limits, deviations 1, and a rare cluster of its own: two clusters of opposite labels."""
    rest = [0] * (d - 2)
    return {
        "share": [Fraction(3, 2), Fraction(1, 2)],
        "across": [[0, *rest], [int(rng.integers(10, 40)), *rest]],
        "y": [1, -1],
        "p": [Fraction(1, 20), Fraction(19, 20)],
        "s": [1, 1],
    }


def drawn(rng, d):
    """Three clusters; <w, mu_l>/b in share, the rest of mu_l in across."""
    sizes = [int(v) for v in rng.integers(1, 6, (3,))]
    return {
        "share": [
            Fraction(3, 2) + abs(rng.rational((), 3)),
            *(Fraction(1, 2) - abs(v) for v in rng.rational((2,), 3)),
        ],
        "across": rng.rational((3, d - 1), 5),
        "y": [int(v) for v in rng.signs((3,))],
        "p": [Fraction(v, sum(sizes)) for v in sizes],
        "s": [Fraction(int(v), 4) for v in rng.integers(1, 5, (3,))],
    }


def means(ns, share, across, d, tau):
    """mu_l, first along w. Shape (B, r, d)."""
    scale = ns.sqrt(8 * ns.asarray(tau) * ns.log(ns.asarray(d)))
    return ns.concat([(share * scale)[..., None], across + 0 * scale], axis=-1), scale


def gradient(ns, share, across, y, p, s, d, tau):
    """G. Shape (B, d)."""
    mu, scale = means(ns, share, across, d, tau)
    t = (share - 1) * scale / s
    below = (1 + ns.erf(t / ns.sqrt(ns.asarray(2)))) / 2
    density = ns.exp(-t * t / 2) / ns.sqrt(2 * ns.pi)
    weight = p * y
    own = ns.sum((weight * below)[..., None] * mu, axis=1)
    first = ns.sum(weight * s * density, axis=1)
    return ns.concat([(own[:, 0] + first)[:, None], own[:, 1:]], axis=1)


def along(ns, share, across, y, p, s, d, tau):
    """<G, y_1 D_1>. Shape (B,)."""
    mu = means(ns, share, across, d, tau)[0][:, 0, :]
    inner = ns.sum(gradient(ns, share, across, y, p, s, d, tau) * mu, axis=1)
    return y[:, 0] * inner / ns.norm(mu, axis=1)


def orthogonal(ns, share, across, y, p, s, d, tau):
    """The squared length of G off D_1. Shape (B,)."""
    mu = means(ns, share, across, d, tau)[0][:, 0, :]
    g = gradient(ns, share, across, y, p, s, d, tau)
    on = ns.sum(g * mu, axis=1) / ns.sum(mu * mu, axis=1)
    off = g - on[:, None] * mu
    return ns.sum(off * off, axis=1)


def sizes(ns, share, across, d, tau, power=1):
    """A, M and e to a power. Shapes (B,), (B,), ()."""
    lengths = ns.norm(means(ns, share, across, d, tau)[0], axis=-1)
    e = ns.exp(-power * ns.asarray(tau) * ns.log(ns.asarray(d)))
    return ns.min(lengths, axis=1), ns.max(lengths, axis=1), e


def least_along(ns, share, across, y, p, s, d, tau, power=1):
    """p_1 A (1 - e) - M e - d^(-0.9 tau). Shape (B,)."""
    a, m, e = sizes(ns, share, across, d, tau, power)
    return p[:, 0] * a * (1 - e) - m * e - ns.exp(ns.rational(9, 10) * ns.log(e))


def most_across(ns, share, across, y, p, s, d, tau, power=1):
    """(M e + d^(-0.9 tau))^2. Shape (B,)."""
    _, m, e = sizes(ns, share, across, d, tau, power)
    bound = m * e + ns.exp(ns.rational(9, 10) * ns.log(e))
    return bound * bound


def least_along_squared(ns, share, across, y, p, s, d, tau):
    return least_along(ns, share, across, y, p, s, d, tau, power=2)


def most_across_squared(ns, share, across, y, p, s, d, tau):
    return most_across(ns, share, across, y, p, s, d, tau, power=2)


def above_the_bias(rng, d):
    """Another cluster with <w, mu_l> = b."""
    return worst(rng, d) | {"share": [Fraction(3, 2), Fraction(1)]}


def one():
    """The constant of all orders."""
    return 1


# per unit of the weight p_l
E = ["e in (0, 1)", "S in (0, oo)"]
OWN_CLUSTER = typed(
    "m*F + v >= A*(1 - e) - S*e",
    over=[*E, "A in (0, oo)", "m in [A, oo)", "F in [1 - e, 1]", "v in [-S*e, S*e]"],
)
OTHERS = typed(
    "abs(u + v) <= M*e + S*e", over=[*E, "M in (0, oo)", "u in [-M*e, M*e]", "v in [-S*e, S*e]"]
)
DENSITY = typed("exp(-t**2/2)/sqrt(2*pi) <= exp(-h**2/2)", over=["h in [0, oo)", "t in [h, oo)"])
POWERS = typed(
    "sqrt(d)*d**(-tau) == d**(-(tau - 1/2)) and d**(-tau) <= d**(-9*tau/10)",
    over=["d in 2..oo", "tau in [8, oo)"],
)


def steps(over):
    """The steps of the proof, for the constant 1."""
    texts = {
        "own distance": OWN,
        "other distance": OTHER,
        "tail": TAIL,
        "tail as a power of d": POWER,
        "density": DENSITY,
        "own cluster": OWN_CLUSTER,
        "another cluster": OTHERS,
        "powers": POWERS,
    }
    return [
        formula_leg(name, text, over=over, gives="O", chosen_by=one) for name, text in texts.items()
    ]


def wrong_steps(over):
    """What is wrong in place of the last three."""
    *_, own, others, powers = steps(over)
    return [
        *rivals_of(own, {"without the density": "m*F + v >= A*(1 - e)"}),
        *rivals_of(others, {"one term": "abs(u + v) <= M*e"}),
        *rivals_of(
            powers,
            {"d^-tau for both": "sqrt(d)*d**(-tau) == d**(-tau) and d**(-tau) <= d**(-9*tau/10)"},
        ),
    ]


def mixtures(name, program, lhs, tex, reference, draw, count, **options):
    return leg(
        name,
        program,
        lhs=lhs,
        tex=tex,
        unit=1,
        arithmetic="ball",
        reference=reference,
        instances=instances(draw, FIELDS, smoke=count, standard=3 * count),
        where=d <= 6,
        gives="O",
        chosen_by=one,
        **options,
    )


DOMAIN = {d: integers(2), tau: reals(8)}
GRID = {
    "smoke": [{d: 2, tau: 8}, {d: 3, tau: 9}],
    "standard": [{d: 4, tau: 8}, {d: 6, tau: Fraction(17, 2)}],
}
LOWER = (
    r"\langle G,y_jD_j\rangle",
    r"p_jB_{\mu1}\sqrt d(1-d^{-\tau})"
    r"-B_{\mu2}d^{-(\tau-1/2)}-\sigma_{B+}d^{-0.9\tau}",
)
UPPER = (r"\|P_{D_j^\perp}G\|^2", r"\big(B_{\mu2}d^{-(\tau-1/2)}+\sigma_{B+}d^{-0.9\tau}\big)^2")

emergence = claim(
    "gradfeat-mixture-emergence-along",
    states="gradfeat-mog-emergence",
    title="The gradient of a nice neuron along its mean",
    says=r"$\langle G,y_jD_j\rangle\ge p_jB_{\mu1}\sqrt d(1-d^{-\tau})-B_{\mu2}d^{-(\tau-1/2)}-\sigma_{B+}d^{-0.9\tau}$"
    r" for every mixture, $j$ and nice $w$, $C_b$ large enough read as $C_b\ge2\sqrt2c$.",
    role="reading",
    covers="along",
    domain=DOMAIN,
    grid=GRID,
    relation=at_least(),
    legs=[
        *steps("mixture j w"),
        mixtures("worst clusters", along, *LOWER, least_along, worst, 1),
        mixtures("drawn clusters", along, *LOWER, least_along, drawn, 3),
    ],
    rivals=[
        variant("d^(-2 tau)", reference=least_along_squared, leg="worst clusters"),
        variant(
            "another cluster at b",
            instances=instances(above_the_bias, FIELDS, smoke=1),
            leg="worst clusters",
        ),
        *wrong_steps("mixture j w"),
    ],
)

across_it = claim(
    "gradfeat-mixture-emergence-orthogonal",
    states="gradfeat-mog-emergence",
    title="The gradient of a nice neuron off its mean",
    says=r"$|\langle G,D_\perp\rangle|\le B_{\mu2}d^{-(\tau-1/2)}+\sigma_{B+}d^{-0.9\tau}$ for every mixture, nice "
    r"$w$ and every unit $D_\perp\perp D_j$: the part of $G$ off $D_j$ is at most so long. $C_b\ge2\sqrt2c$.",
    role="reading",
    covers="orthogonal",
    domain=DOMAIN,
    grid=GRID,
    relation=at_most(),
    legs=[
        *steps("w D_perp"),
        mixtures("worst clusters", orthogonal, *UPPER, most_across, worst, 1, inside="D_perp"),
        mixtures("drawn clusters", orthogonal, *UPPER, most_across, drawn, 3, inside="D_perp"),
    ],
    rivals=[
        variant("d^(-2 tau)", reference=most_across_squared, leg="worst clusters"),
        variant(
            "another cluster at b",
            instances=instances(above_the_bias, FIELDS, smoke=1),
            leg="worst clusters",
        ),
        *wrong_steps("w D_perp"),
    ],
)
