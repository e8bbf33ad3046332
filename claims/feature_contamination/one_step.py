"""Lemmas B.6, B.7, B.8: one step of population gradient descent on the class means.

Setting. As in `feature_projections`; E+ and E- are the means of <w_k, x> over the own class y = sign(a_k) and the
other one, before and after w <- (1 - eta lambda) w - eta grad; gyc, gyb, gnc, gnb are g of own (y) and other (n)
class on core (c) and background (b).

Statements. B.6: E+ grows by eta (gyc + gnc + gyb - gnb) beyond the decay, which is eta S/(2 m) once the neuron is on
for its own class and off for the other. Its proof's step gnc >= gnb is false for trained neurons: w = (1, .., 1),
fair 0/1 features. B.7: by at most eta (2 Sc + Sb)/(2 m) <= eta d0/m; a neuron on for both classes has eta Sc/m. B.8:
a member at the threshold stays when lambda E+ is at most its drive.

Reference: Lemmas B.6-B.8, lines 672-800.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_least,
    at_most,
    claim,
    formula,
    instances,
    integers,
    leg,
    reals,
    variant,
)

from ._network import dot, drawn_laws, mean_slopes, means, population
from .feature_projections import own_and_other
from .gradient_projection import FIELDS, SMALL, any_network, d_bg, d_core, lit_on_both, m

eta, lam = sp.symbols("eta lam", nonnegative=True)


def class_mean(w, values, weights, d_core, label):
    """E[<w, x> | y], over the enumerated class."""
    return sum(
        (e.chance * dot(w, e.x) for e in population(values, weights, d_core, (label,))), Fraction(0)
    )


def stepped(W, s, values, weights, d_core, eta, lam):
    """The weights after one step of gradient descent on the population loss with decay."""
    slopes = mean_slopes(W, s, values, weights, d_core)
    return [
        [
            (1 - Fraction(eta) * Fraction(lam)) * v - Fraction(eta) * g
            for v, g in zip(w, row, strict=True)
        ]
        for w, row in zip(W, slopes, strict=True)
    ]


def growth(W, s, values, weights, d_core, eta, lam, own):
    """E(after) - (1 - eta lambda) E(before), over the own class (``own`` = 1) or the other (-1). Shape (m,)."""
    after = stepped(W, s, values, weights, d_core, eta, lam)
    keep = 1 - Fraction(eta) * Fraction(lam)
    return [
        class_mean(new, values, weights, d_core, own * y)
        - keep * class_mean(old, values, weights, d_core, own * y)
        for new, old, y in zip(after, W, s, strict=True)
    ]


def parts(W, s, values, weights, d_core):
    """(gyc, gnc, gyb, gnb) of each neuron."""
    own_core, other_core = own_and_other(W, s, values, weights, d_core, slice(0, d_core))
    own_bg, other_bg = own_and_other(W, s, values, weights, d_core, slice(d_core, None))
    return list(zip(own_core, other_core, own_bg, other_bg, strict=True))


def own_growth(W, s, values, weights, m, d_core, d_bg, eta, lam):
    """Growth of E+ in one step. Shape (m,)."""
    return growth(W, s, values, weights, d_core, eta, lam, 1)


def other_fall(W, s, values, weights, m, d_core, d_bg, eta, lam):
    """Fall of E- in one step. Shape (m,)."""
    return [-value for value in growth(W, s, values, weights, d_core, eta, lam, -1)]


def four_terms(W, s, values, weights, m, d_core, d_bg, eta, lam):
    """eta (gyc + gnc + gyb - gnb). Shape (m,)."""
    return [
        Fraction(eta) * (yc + nc + yb - nb)
        for yc, nc, yb, nb in parts(W, s, values, weights, d_core)
    ]


def own_core_only(W, s, values, weights, m, d_core, d_bg, eta, lam):
    return [Fraction(eta) * yc for yc, _, _, _ in parts(W, s, values, weights, d_core)]


def plus_other_background(W, s, values, weights, m, d_core, d_bg, eta, lam):
    return [
        Fraction(eta) * (yc + nc + yb + nb)
        for yc, nc, yb, nb in parts(W, s, values, weights, d_core)
    ]


def own_growth_without_decay(W, s, values, weights, m, d_core, d_bg, eta, lam):
    """E+(after) - (1 + eta lambda) E+(before): the sign of the decay reversed."""
    after = stepped(W, s, values, weights, d_core, eta, lam)
    grow = 1 + Fraction(eta) * Fraction(lam)
    return [
        class_mean(new, values, weights, d_core, y)
        - grow * class_mean(old, values, weights, d_core, y)
        for new, old, y in zip(after, W, s, strict=True)
    ]


def a_network(rng, m, d_core, d_bg, eta, lam):
    return any_network(rng, m, d_core, d_bg)


def on_for_both(rng, m, d_core, d_bg, eta, lam):
    return lit_on_both(rng, m, d_core, d_bg)


def one_sided(rng, m, d_core, d_bg, eta, lam):
    """Half of the neurons of either sign, each on for its own class and off for the other, unequal laws."""
    values, weights = drawn_laws(rng, d_core + d_bg)
    values = [[v + Fraction(1, 16) for v in row] for row in values]
    signs = [(-1) ** k for k in range(m)]
    # |<core part, z>| >= 1/128 with z >= 1/16, the background moves it by less than 1/800.
    W = [
        [Fraction(y * int(rng.integers(4, 9)), 32 * d_core) for _ in range(d_core)]
        + [Fraction(int(rng.integers(-8, 9)), 6400 * (d_core + d_bg)) for _ in range(d_bg)]
        for y in signs
    ]
    return {
        "W": W,
        "s": signs,
        "values": [[min(v, Fraction(1)) for v in row] for row in values],
        "weights": weights,
    }


NETWORKS = instances(a_network, FIELDS, smoke=2, standard=8)
ON_FOR_BOTH = instances(on_for_both, FIELDS, smoke=1)
ONE_SIDED = instances(one_sided, FIELDS, smoke=2, standard=6)
BASE = {m: 1, d_core: 1, d_bg: 1, eta: Fraction(1, 2), lam: Fraction(1, 3)}
ONE = [BASE]
SIZES = {
    "domain": {
        m: integers(1),
        d_core: integers(1),
        d_bg: integers(1),
        eta: reals(0),
        lam: reals(0),
    },
    "reads": {"t": "W s"},
    "grid": {
        "smoke": [
            BASE,
            BASE | {m: 2, d_core: 2},
            BASE | {m: 3, d_core: 2, d_bg: 2, eta: Fraction(1, 10)},
        ],
        "standard": [BASE | {m: 2, d_core: i, d_bg: j} for i in (1, 3) for j in (1, 2)],
    },
}

increment = claim(
    "contamination-positive-correlation-increment",
    lhs=r"E_k^+(t+1)-(1-\lambda\eta)E_k^+(t)",
    tex=r"\eta\,(g_{y,\mathrm{core}}+g_{-y,\mathrm{core}}+g_{y,\mathrm{bg}}-g_{-y,\mathrm{bg}})",
    states="contamination-positive-correlation-lower",
    title="Growth of the own-class mean in one step",
    says=r"For every neuron with $\mathrm{sign}(a_k) = y$, $E^+$ grows by "
    r"$\eta(g_{y,\mathrm{core}} + g_{-y,\mathrm{core}} + g_{y,\mathrm{bg}} - g_{-y,\mathrm{bg}})$ "
    "beyond the decay.",
    role="reading",
    covers="increment-identity",
    legs=[
        leg(
            "one step",
            own_growth,
            reference=four_terms,
            instances=NETWORKS,
            inside="k",
            unit=1,
            where=SMALL,
        )
    ],
    rivals=[
        variant("gyc alone", reference=own_core_only, instances=ON_FOR_BOTH, at=ONE),
        variant("plus gnb", reference=plus_other_background, instances=ON_FOR_BOTH, at=ONE),
        variant(
            "decay of the other sign",
            simulation=own_growth_without_decay,
            instances=ON_FOR_BOTH,
            at=ONE,
        ),
    ],
    **SIZES,
)


def half_of_all(W, s, values, weights, m, d_core, d_bg, eta, lam):
    """eta S/(2 m). Shape (m,)."""
    mu = means(values, weights)
    return [Fraction(eta) * dot(mu, mu) / (2 * m)] * m


def half_of_core(W, s, values, weights, m, d_core, d_bg, eta, lam):
    mu = means(values, weights)[:d_core]
    return [Fraction(eta) * dot(mu, mu) / (2 * m)] * m


def all_of_core(W, s, values, weights, m, d_core, d_bg, eta, lam):
    """eta Sc/m. Shape (m,)."""
    mu = means(values, weights)[:d_core]
    return [Fraction(eta) * dot(mu, mu) / m] * m


late = claim(
    "contamination-positive-correlation-late",
    lhs=r"E_k^+(t+1)-(1-\lambda\eta)E_k^+(t)",
    tex=r"\tfrac{\eta S}{2m}",
    states="contamination-positive-correlation-lower",
    title="Growth of an asymmetric neuron",
    says=r"A neuron that is on for its own class and off for the other grows by $\eta S/(2m)$, "
    "before saturation.",
    role="reading",
    covers="late-increment",
    legs=[
        leg(
            "one step",
            own_growth,
            reference=half_of_all,
            instances=ONE_SIDED,
            inside="k",
            unit=1,
            where=SMALL,
        )
    ],
    rivals=[
        variant("Sc for S", reference=half_of_core),
        variant(
            "on for both", simulation=own_growth, instances=ON_FOR_BOTH, at=[BASE | {d_core: 2}]
        ),
        variant("decay of the other sign", simulation=own_growth_without_decay),
    ],
    **SIZES,
)


def fair_bits(rng, m, d_core, d_bg):
    """w = (1, .., 1), fair features in {0, 1}."""
    size = d_core + d_bg
    return {
        "W": [[Fraction(1)] * size] * m,
        "s": [1] * m,
        "values": [[Fraction(0), Fraction(1)]] * size,
        "weights": [[Fraction(1, 2)] * 2] * size,
    }


def other_class_gap(W, s, values, weights, m, d_core, d_bg):
    """E[1{active} (sum_core - sum_bg) mu_j z_j | other class], without the hinge, as for small h. Shape (m,)."""
    mu = means(values, weights)
    signed = [mean if j < d_core else -mean for j, mean in enumerate(mu)]
    return [
        sum(
            (
                e.chance * dot(signed, e.z)
                for e in population(values, weights, d_core, (-y,))
                if dot(w, e.x) >= 0
            ),
            Fraction(0),
        )
        for w, y in zip(W, s, strict=True)
    ]


displayed = claim(
    "contamination-positive-correlation-step",
    lhs=r"2m\,(g_{k,-y,\mathrm{core}}-g_{k,-y,\mathrm{bg}})",
    tex="0",
    states="contamination-positive-correlation-lower",
    title="A step of the proof on trained neurons",
    says="For every neuron with a positive own-class mean, g of the other class is at least as large on the "
    "core as on the background.",
    role="reading",
    expect="fail",
    covers="displayed-step-b",
    reads={"t": "W s"},
    domain={m: integers(1), d_core: integers(1), d_bg: integers(1)},
    grid={"smoke": [{m: 1, d_core: 2, d_bg: 1}, {m: 1, d_core: 8, d_bg: 3}]},
    closed_form=sp.Integer(0),
    relation=at_least(),
    legs=[
        leg(
            "enumeration",
            other_class_gap,
            inside="k",
            unit=1,
            where=d_core + d_bg <= 12,
            instances=instances(fair_bits, FIELDS, smoke=1),
        )
    ],
)


def share(W, s, values, weights, m, d_core, d_bg, eta, lam):
    """2 m/(2 Sc + Sb) times the growth of E+ over eta. Shape (m,)."""
    mu = means(values, weights)
    scale = 2 * dot(mu[:d_core], mu[:d_core]) + dot(mu[d_core:], mu[d_core:])
    return [
        2 * m * g / (Fraction(eta) * scale)
        for g in own_growth(W, s, values, weights, m, d_core, d_bg, eta, lam)
    ]


def per_feature(W, s, values, weights, m, d_core, d_bg, eta, lam):
    """m/d0 times the growth of E+ over eta. Shape (m,)."""
    found = own_growth(W, s, values, weights, m, d_core, d_bg, eta, lam)
    return [m * g / (Fraction(eta) * (d_core + d_bg)) for g in found]


def one():
    """C = 1: (2 Sc + Sb)/2 <= d0, as mu_j <= 1."""
    return 1


def all_ones(rng, m, d_core, d_bg, eta, lam):
    """Features that are nearly always 1, on for both classes."""
    found = lit_on_both(rng, m, d_core, d_bg)
    return found | {"weights": [[Fraction(1, 1000), Fraction(999, 1000)]] * (d_core + d_bg)}


def full(rng, m, d_core, d_bg, eta, lam):
    """A network, one of three on for both classes with features near 1: where the bound is nearly reached."""
    draw = all_ones if int(rng.integers(0, 3)) == 0 else a_network
    return draw(rng, m, d_core, d_bg, eta, lam)


FULL = instances(full, FIELDS, smoke=2, standard=8)
POSITIVE_STEP = {
    **SIZES,
    "domain": {**SIZES["domain"], eta: reals(0, low_open=True)},
    "reads": {**SIZES["reads"], "y": "s"},
}

upper = claim(
    "contamination-positive-correlation-upper",
    lhs=r"\tfrac m\eta\big(E_k^+(t+1)-(1-\lambda\eta)E_k^+(t)\big)",
    title="The own-class mean grows at most linearly",
    says=r"For every neuron the growth of $E^+$ is at most $\eta(2S_{\mathrm{core}} + "
    r"S_{\mathrm{bg}})/(2m)$, and so at most $\eta d_0/m$.",
    covers="explicit-upper growth-upper",
    relation=at_most(),
    legs=[
        leg(
            "explicit",
            share,
            instances=NETWORKS,
            inside="k",
            closed_form=sp.Integer(1),
            covers="explicit-upper",
            where=SMALL,
            lhs=r"\tfrac{2m}{\eta(2S_c+S_b)}\big(E_k^+(t+1)-(1-\lambda\eta)E_k^+(t)\big)",
        ),
        leg(
            "per feature",
            per_feature,
            instances=FULL,
            inside="k",
            closed_form=sp.Integer(1),
            gives="C",
            chosen_by=one,
            covers="growth-upper",
            where=SMALL,
            lhs=r"\tfrac m{\eta d_0}\big(E_k^+(t+1)-(1-\lambda\eta)E_k^+(t)\big)",
        ),
    ],
    rivals=[
        variant(
            "eta S/(4 m)",
            leg="explicit",
            closed_form=sp.Rational(1, 3),
            instances=ON_FOR_BOTH,
            at=ONE,
        ),
        variant(
            "a quarter of eta d0/m",
            leg="per feature",
            closed_form=sp.Rational(1, 4),
            at=ONE,
            instances=instances(all_ones, FIELDS, smoke=1),
        ),
    ],
    mutate=False,
    **POSITIVE_STEP,
)

sharp = claim(
    "contamination-positive-correlation-sharp",
    lhs=r"E_k^+(t+1)-(1-\lambda\eta)E_k^+(t)",
    tex=r"\tfrac{\eta S_c}m",
    states="contamination-positive-correlation-upper",
    title="Growth of a neuron that is on for both classes",
    says=r"A neuron that is on for both classes grows by $\eta S_{\mathrm{core}}/m$ before "
    "saturation.",
    role="reading",
    covers="sharp-value",
    legs=[
        leg(
            "one step",
            own_growth,
            reference=all_of_core,
            instances=ON_FOR_BOTH,
            inside="k",
            unit=1,
            where=SMALL,
        )
    ],
    rivals=[
        variant("eta Sc/(2 m)", reference=half_of_core),
        variant(
            "for asymmetric neurons",
            simulation=own_growth,
            instances=instances(one_sided, FIELDS, smoke=1),
            at=[BASE | {m: 2, d_core: 2}],
        ),
    ],
    **SIZES,
)

threshold = formula(
    "contamination-neuron-set-threshold",
    states="contamination-neuron-set-monotone",
    title="A member at the threshold stays",
    says="(1 - eta*lam)*c + eta*drive >= c",
    over=["eta in [0, oo)", "lam in [0, oo)", "c in (0, oo)", "drive in [0, oo)"],
    where="lam*c <= drive",
    role="reading",
    encodes="part",
    covers="threshold-drift",
    reads={"lambda": "lam", "c0": "c"},
    left={"d0": "that the drive is at least Sc/(4 m) (1 - o(1)) is the lower bound of Lemma B.3"},
    rivals={
        "for every decay": {"where": "lam*c <= 2*drive"},
        "decay of the other sign needs nothing": "(1 - eta*lam)*c >= c",
    },
)
