"""Lemma A.3 and Equation (7): the population gradient along a feature.

Setting. Finite independent laws of the z_j on [0, 1], y a fair sign, ReLU network of any weights off the kinks; the
gradient of the population loss is taken by difference quotients of the loss at every example.

Statements. Printed: <grad_k, m_j> = -a_k E[y 1{..} 1{active} z_j] for every j. False for every core j, where <x, m_j> =
y z_j and the label cancels: -a_k E[1{y h <= 1} 1{active} z_j]. Right for background j. Hence Equation (7), for
background j and sign(a_k) = y: minus the gradient is 1/m times the difference of the own-class and other-class
means of 1{y h <= 1} 1{active} z_j; before saturation that is positive for every j once mu_j - (1 - P+) > P-. That P+
> P- is not enough: a neuron may be active on its own class only where z_j = 0 (two core features or more).

Reference: Lemma A.3, lines 418-426; Equation (7), lines 167-171, without decay and with the indicator that it omits.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import at_least, claim, instances, integers, leg, variant

from ._network import (
    dot,
    drawn_laws,
    drawn_network,
    mean_slopes,
    means,
    on_a_kink,
    output,
    population,
)

m = sp.symbols("m", integer=True, positive=True)
d_core, d_bg = sp.symbols("d_core d_bg", integer=True, nonnegative=True)


def off_the_kinks(rng, m, d_core, d_bg, size):
    """A network and laws whose whole population is off the kinks."""
    while True:
        W, s = drawn_network(rng, m, d_core + d_bg, size)
        values, weights = drawn_laws(rng, d_core + d_bg)
        if not any(on_a_kink(W, s, e.x, e.y) for e in population(values, weights, d_core)):
            return {"W": W, "s": s, "values": values, "weights": weights}


def any_network(rng, m, d_core, d_bg):
    """Weights of either sign, with saturated examples now and then."""
    return off_the_kinks(rng, m, d_core, d_bg, 4)


def half_saturated(rng, m, d_core, d_bg):
    """s_k = 1 and w_k = (-1/2, .., 4, ..): every neuron is active on both classes, class 1 is saturated where its
    background is 1, class -1 never."""
    size = d_core + d_bg
    W = [[Fraction(-1, 2)] * d_core + [Fraction(4)] * d_bg] * m
    return {
        "W": W,
        "s": [1] * m,
        "values": [[Fraction(1, 4), Fraction(1)]] * size,
        "weights": [[Fraction(2, 3), Fraction(1, 3)]] * size,
    }


def lit_on_both(rng, m, d_core, d_bg):
    """All weights a tenth, the core ones smaller: active on both classes before saturation."""
    size = d_core + d_bg
    W = [[Fraction(1, 80)] * d_core + [Fraction(1, 10)] * d_bg] * m
    return {
        "W": W,
        "s": [1] * m,
        "values": [[Fraction(1, 2), Fraction(1)]] * size,
        "weights": [[Fraction(2, 3), Fraction(1, 3)]] * size,
    }


def core(W, s, values, weights, m, d_core, d_bg):
    """The population gradient on the core features. Shape (m, d_core)."""
    return [row[:d_core] for row in mean_slopes(W, s, values, weights, d_core)]


def background(W, s, values, weights, m, d_core, d_bg):
    """The same on the background. Shape (m, d_bg)."""
    return [row[d_core:] for row in mean_slopes(W, s, values, weights, d_core)]


def stated(W, s, values, weights, d_core, *, features, label, hinge=True):
    """-a_k E[(y) 1{y h <= 1} 1{active} z_j] for the features of a slice."""
    total = [[Fraction(0) for _ in w[features]] for w in W]
    for e in population(values, weights, d_core):
        if hinge and e.y * output(W, s, e.x) > 1:
            continue
        for row, sign, w in zip(total, s, W, strict=True):
            if dot(w, e.x) >= 0:
                for j, z in enumerate(e.z[features]):
                    row[j] -= Fraction(sign, len(W)) * e.chance * (e.y if label else 1) * z
    return total


def core_without_label(W, s, values, weights, m, d_core, d_bg):
    """-a_k E[1{y h <= 1} 1{active} z_j]. Shape (m, d_core)."""
    return stated(W, s, values, weights, d_core, features=slice(0, d_core), label=False)


def core_with_label(W, s, values, weights, m, d_core, d_bg):
    return stated(W, s, values, weights, d_core, features=slice(0, d_core), label=True)


def core_without_hinge(W, s, values, weights, m, d_core, d_bg):
    return stated(
        W, s, values, weights, d_core, features=slice(0, d_core), label=False, hinge=False
    )


def background_with_label(W, s, values, weights, m, d_core, d_bg):
    """-a_k E[y 1{y h <= 1} 1{active} z_j]. Shape (m, d_bg)."""
    return stated(W, s, values, weights, d_core, features=slice(d_core, None), label=True)


def background_without_label(W, s, values, weights, m, d_core, d_bg):
    return stated(W, s, values, weights, d_core, features=slice(d_core, None), label=False)


def background_without_hinge(W, s, values, weights, m, d_core, d_bg):
    return stated(
        W, s, values, weights, d_core, features=slice(d_core, None), label=True, hinge=False
    )


FIELDS = "W s values weights"
DRAWN = instances(any_network, FIELDS, smoke=3, standard=12)
SATURATED = instances(half_saturated, FIELDS, smoke=1)
LIT = instances(lit_on_both, FIELDS, smoke=1)
TWO = [{m: 1, d_core: 1, d_bg: 1}]
SETTING = {
    "lhs": r"\langle\nabla_{w_k}\mathbb E\,\ell,m_j\rangle",
    "domain": {m: integers(1), d_core: integers(1), d_bg: integers(1)},
    "reads": {"t": "W s"},
}
# 2^(d_core + d_bg + 1) examples
SMALL = (d_core + d_bg <= 7) & (m <= 8)
SIZES = {
    "grid": {
        "smoke": [*TWO, {m: 2, d_core: 2, d_bg: 1}, {m: 3, d_core: 2, d_bg: 2}],
        "standard": {m: [1, 4], d_core: [1, 3], d_bg: [1, 2]},
    },
}

printed = claim(
    "contamination-gradient-projection-printed",
    tex=r"-a_k\,\mathbb E[y\,\mathbf 1_{y\,h\le1}\mathbf 1_{\langle w_k,x\rangle\ge0}z_j]",
    states="contamination-gradient-projection",
    title="Projection on a core feature as printed",
    says=r"Also on core features the population gradient is $-a_k\,\mathbb{E}[y\,\mathbf{1}_{y\,h "
    r"\le 1}\mathbf{1}_{\langle w_k, x\rangle \ge 0}\,z_j]$.",
    expect="fail",
    covers="printed-formula",
    grid={"smoke": TWO},
    legs=[leg("core", core, reference=core_with_label, instances=LIT, inside="k j")],
    **SETTING,
)

core_formula = claim(
    "contamination-gradient-projection-core",
    tex=r"-a_k\,\mathbb E[\mathbf 1_{y\,h\le1}\mathbf 1_{\langle w_k,x\rangle\ge0}z_j]",
    states="contamination-gradient-projection",
    title="Projection on a core feature",
    says="For every neuron and core feature the population gradient is "
    r"$-a_k\,\mathbb{E}[\mathbf{1}_{y\,h \le 1}\mathbf{1}_{\langle w_k, x\rangle \ge 0}\,z_j]$.",
    role="corrected",
    corrects="contamination-gradient-projection-printed",
    covers="core-formula",
    legs=[
        leg(
            "core",
            core,
            reference=core_without_label,
            instances=DRAWN,
            inside="k j",
            unit=1,
            where=SMALL,
        )
    ],
    rivals=[
        variant("with the label", reference=core_with_label, instances=LIT, at=TWO),
        variant("without the hinge", reference=core_without_hinge, instances=SATURATED, at=TWO),
    ],
    **SETTING,
    **SIZES,
)

bg_formula = claim(
    "contamination-gradient-projection-background",
    tex=r"-a_k\,\mathbb E[y\,\mathbf 1_{y\,h\le1}\mathbf 1_{\langle w_k,x\rangle\ge0}z_j]",
    states="contamination-gradient-projection",
    title="Projection on a background feature",
    says="For every neuron and background feature the population gradient is "
    r"$-a_k\,\mathbb{E}[y\,\mathbf{1}_{y\,h \le 1}\mathbf{1}_{\langle w_k, x\rangle \ge "
    r"0}\,z_j]$.",
    role="corrected",
    corrects="contamination-gradient-projection-printed",
    covers="bg-formula",
    legs=[
        leg(
            "background",
            background,
            reference=background_with_label,
            instances=DRAWN,
            inside="k j",
            unit=1,
            where=SMALL,
        )
    ],
    rivals=[
        variant("without the label", reference=background_without_label, instances=LIT, at=TWO),
        variant(
            "without the hinge", reference=background_without_hinge, instances=SATURATED, at=TWO
        ),
    ],
    **SETTING,
    **SIZES,
)


def downhill(W, s, values, weights, m, d_core, d_bg):
    """Minus the population gradient on the background. Shape (m, d_bg)."""
    return [[-g for g in row] for row in background(W, s, values, weights, m, d_core, d_bg)]


def class_means(W, s, values, weights, d_core, sign, hinge=True):
    """Own-class and sign times other-class mean of 1{y h <= 1} 1{active} z_j, over 2 m. Shape (m, d_bg)."""
    total = [[Fraction(0) for _ in w[d_core:]] for w in W]
    for e in population(values, weights, d_core):
        if hinge and e.y * output(W, s, e.x) > 1:
            continue
        for row, own, w in zip(total, s, W, strict=True):
            if dot(w, e.x) >= 0:
                for j, z in enumerate(e.z[d_core:]):
                    row[j] += (1 if own == e.y else sign) * e.chance * z / len(W)
    return total


def difference(W, s, values, weights, m, d_core, d_bg):
    return class_means(W, s, values, weights, d_core, -1)


def total(W, s, values, weights, m, d_core, d_bg):
    return class_means(W, s, values, weights, d_core, 1)


def difference_without_hinge(W, s, values, weights, m, d_core, d_bg):
    return class_means(W, s, values, weights, d_core, -1, hinge=False)


asymmetry = claim(
    "contamination-bg-gradient-asymmetry",
    tex=r"\tfrac1m\mathbb E[(\mathbf 1_{y=s_k}-\mathbf 1_{y=-s_k})\mathbf 1_{y\,h\le1}"
    r"\mathbf 1_{\langle w_k,x\rangle\ge0}z_j]",
    states="contamination-bg-gradient-sign",
    title="The background gradient is the class asymmetry of the activation",
    says="For every neuron and background feature minus the population gradient is $1/m$ times "
    r"the own-class less the other-class part of $\mathbb{E}[\mathbf{1}_{y\,h \le "
    r"1}\mathbf{1}_{\langle w_k, x\rangle \ge 0}\,z_j]$.",
    role="reading",
    covers="proportional-to-asymmetry",
    legs=[
        leg(
            "difference quotients",
            downhill,
            reference=difference,
            instances=DRAWN,
            inside="k j",
            unit=1,
            lhs=r"-\langle\nabla_{w_k}\mathbb E\,\ell,m_j\rangle",
            where=SMALL,
        )
    ],
    rivals=[
        variant("the sum of the classes", reference=total, instances=LIT, at=TWO),
        variant(
            "without the hinge, as printed",
            reference=difference_without_hinge,
            instances=SATURATED,
            at=TWO,
        ),
    ],
    **SETTING,
    **SIZES,
)


def small_network(rng, m, d_core, d_bg):
    """Weights so small that |h| < 1 on all examples."""
    drawn = off_the_kinks(rng, m, d_core, d_bg, 3)
    return drawn | {"W": [[w / (4 * (d_core + d_bg)) for w in row] for row in drawn["W"]]}


def dark_background(rng, m, d_core, d_bg):
    """Active on the other class, whose background is 1, and off its own: a large P- and no P+."""
    size = d_core + d_bg
    return {
        "W": [[Fraction(-1, 8)] * d_core + [Fraction(1, 100)] * d_bg] * m,
        "s": [1] * m,
        "values": [[Fraction(1, 2), Fraction(1)]] * size,
        "weights": [[Fraction(1, 2)] * 2] * size,
    }


def lit_without_the_first(rng, m, d_core, d_bg):
    """P+ = 2/5 and P- = 1/5, and of the examples with the first background feature only those of the other class are
    active: minus the gradient on it is below 0. Two core features or more."""
    fair = [Fraction(1, 2)] * 2
    signs = [1 - 2 * (k % 2) for k in range(m)]
    row = [Fraction(0)] * (d_core + d_bg)
    row[0], row[d_core - 1], row[d_core] = Fraction(1, 8), Fraction(-3, 8), Fraction(-9, 40)
    values = [[Fraction(9, 10), Fraction(1)]] * d_core + [[Fraction(0), Fraction(1)]] * d_bg
    weights = [fair] * (d_core + d_bg)
    values[d_core - 1], weights[d_core - 1] = values[d_core], [Fraction(4, 5), Fraction(1, 5)]
    W = [[s * v for v in row[:d_core]] + row[d_core:] for s in signs]
    return {"W": W, "s": signs, "values": values, "weights": weights}


def scaled_gradient(W, s, values, weights, m, d_core, d_bg):
    """2 m times minus the gradient on the background, less the least that it can be. Shape (m, d_bg)."""
    return surplus(W, s, values, weights, d_core, 1)


def without_own_class(W, s, values, weights, m, d_core, d_bg):
    """Less mu_j only, as if no other-class example were active."""
    return surplus(W, s, values, weights, d_core, 0)


def where_asymmetric(W, s, values, weights, m, d_core, d_bg):
    """2 m times minus the gradient where P+ > P-, else 0."""
    found = downhill(W, s, values, weights, m, d_core, d_bg)
    active = [activities(w, values, weights, d_core) for w in W]
    return [
        [2 * m * g if one[own] > one[-own] else Fraction(0) for g in row]
        for row, own, one in zip(found, s, active, strict=True)
    ]


def activities(w, values, weights, d_core):
    """The probability of <w, x> >= 0 given each label."""
    return {
        y: sum(
            (e.chance for e in population(values, weights, d_core, (y,)) if dot(w, e.x) >= 0),
            Fraction(0),
        )
        for y in (1, -1)
    }


def surplus(W, s, values, weights, d_core, other):
    mu = means(values, weights)[d_core:]
    found = downhill(W, s, values, weights, len(W), d_core, len(mu))
    result = []
    for row, own, w in zip(found, s, W, strict=True):
        active = activities(w, values, weights, d_core)
        least = [mean - (1 - active[own]) - other * active[-own] for mean in mu]
        result.append([2 * len(W) * g - low for g, low in zip(row, least, strict=True)])
    return result


positive = claim(
    "contamination-bg-gradient-positive",
    tex=r"0",
    states="contamination-bg-gradient-sign",
    title="Asymmetric activation pushes every background weight up",
    says="Before saturation $2m$ times minus the gradient on every background feature is at "
    r"least $\mu_j - (1 - P^+) - P^-$.",
    role="reading",
    encodes="part",
    covers="positive-after-asymmetry",
    reads={"t": "W s"},
    left={"K": "that a constant fraction of the neurons is asymmetric by then is Theorem 4.1"},
    domain=SETTING["domain"],
    closed_form=sp.Integer(0),
    relation=at_least(),
    legs=[
        leg(
            "difference quotients",
            scaled_gradient,
            instances=instances(small_network, FIELDS, smoke=3, standard=12),
            inside="k j",
            unit=1,
            where=SMALL,
            lhs=r"-2m\langle\nabla_{w_k}\mathbb E\,\ell,m_j\rangle-(\mu_j-(1-P^+_k)-P^-_k)",
        ),
        # P+ > P- with a gradient that pushes down: what is left of the hypothesis has to fail here.
        leg(
            "not where the neuron is on",
            scaled_gradient,
            instances=instances(lit_without_the_first, FIELDS, smoke=1),
            unit=1,
            where=SMALL & (d_core >= 2),
            required=False,
            grid={"smoke": [{m: 1, d_core: 2, d_bg: 1}, {m: 2, d_core: 3, d_bg: 2}]},
            lhs=r"-2m\langle\nabla_{w_k}\mathbb E\,\ell,m_j\rangle-(\mu_j-(1-P^+_k)-P^-_k)",
        ),
    ],
    rivals=[
        variant(
            "without P-",
            leg="difference quotients",
            simulation=without_own_class,
            at=TWO,
            instances=instances(dark_background, FIELDS, smoke=1),
        ),
        variant(
            "wherever P+ > P-",
            leg="not where the neuron is on",
            simulation=where_asymmetric,
        ),
        variant("by 1/2 more", leg="difference quotients", closed_form=sp.Rational(1, 2)),
    ],
    mutate=False,
    **SIZES,
)
