"""Lemmas B.3, B.4, B.5: gradients along the mu-weighted sums of core and background features.

Setting. As in `gradient_projection`; g_(k,y,S) = (1/m) E[1{y h <= 1} 1{label y} 1{active} sum_S mu_j z_j], Sc and Sb
the sums of mu_j^2 over the core and the background; y = sign(a_k).

Statements. Minus the population gradient is (1) y (g_(k,y,core) + g_(k,-y,core)) along sum_core mu_j m_j, (2)
g_(k,y,bg) - g_(k,-y,bg) along sum_bg mu_j m_j, without a factor y. (3) g_(k,y,S) <= sum_S mu_j^2/(2 m) for every
neuron and label, so that y times (1) lies in [0, Sc/m]; both ends are reached.

Reference: Definition B.2, Lemmas B.3-B.5, lines 571-670. The indicator is that of the loss; for batches an error of
O(d0)/poly(d) is missing from Equation (21).
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
    leg,
    rivals_of,
    typed,
    variant,
)

from ._network import dot, mean_slopes, means, output, population
from .gradient_projection import (
    DRAWN,
    FIELDS,
    LIT,
    SETTING,
    SIZES,
    SMALL,
    TWO,
    m,
)

S = sp.Symbol("S", positive=True)


def along(W, s, values, weights, d_core, part):
    """Minus the population gradient along sum mu_j m_j of a slice of the features. Shape (m,)."""
    mu = means(values, weights)[part]
    return [-dot(row[part], mu) for row in mean_slopes(W, s, values, weights, d_core)]


def g(W, s, values, weights, d_core, part, labels, hinge=True):
    """g_(k, y, S) with y one of ``labels`` for each neuron. Shape (m,)."""
    mu = means(values, weights)[part]
    total = [Fraction(0)] * len(W)
    for e in population(values, weights, d_core):
        if hinge and e.y * output(W, s, e.x) > 1:
            continue
        for k, (w, label) in enumerate(zip(W, labels, strict=True)):
            if label == e.y and dot(w, e.x) >= 0:
                total[k] += e.chance * dot(mu, e.z[part]) / len(W)
    return total


def own_and_other(W, s, values, weights, d_core, part, hinge=True):
    return (
        g(W, s, values, weights, d_core, part, s, hinge),
        g(W, s, values, weights, d_core, part, [-label for label in s], hinge),
    )


def along_core(W, s, values, weights, m, d_core, d_bg):
    """Along the core sum. Shape (m,)."""
    return along(W, s, values, weights, d_core, slice(0, d_core))


def along_background(W, s, values, weights, m, d_core, d_bg):
    """Along the background sum. Shape (m,)."""
    return along(W, s, values, weights, d_core, slice(d_core, None))


def core_sum(W, s, values, weights, m, d_core, d_bg):
    """y (g_own + g_other). Shape (m,)."""
    own, other = own_and_other(W, s, values, weights, d_core, slice(0, d_core))
    return [y * (a + b) for y, a, b in zip(s, own, other, strict=True)]


def core_difference(W, s, values, weights, m, d_core, d_bg):
    own, other = own_and_other(W, s, values, weights, d_core, slice(0, d_core))
    return [y * (a - b) for y, a, b in zip(s, own, other, strict=True)]


def core_without_sign(W, s, values, weights, m, d_core, d_bg):
    return [
        y * value
        for y, value in zip(s, core_sum(W, s, values, weights, m, d_core, d_bg), strict=True)
    ]


def background_difference(W, s, values, weights, m, d_core, d_bg):
    """g_own - g_other. Shape (m,)."""
    own, other = own_and_other(W, s, values, weights, d_core, slice(d_core, None))
    return [a - b for a, b in zip(own, other, strict=True)]


def background_with_sign(W, s, values, weights, m, d_core, d_bg):
    found = background_difference(W, s, values, weights, m, d_core, d_bg)
    return [y * value for y, value in zip(s, found, strict=True)]


def background_sum(W, s, values, weights, m, d_core, d_bg):
    own, other = own_and_other(W, s, values, weights, d_core, slice(d_core, None))
    return [a + b for a, b in zip(own, other, strict=True)]


def negative(rng, m, d_core, d_bg):
    """Neurons of sign -1, active on both classes."""
    size = d_core + d_bg
    return {
        "W": [[Fraction(1, 80)] * d_core + [Fraction(1, 10)] * d_bg] * m,
        "s": [-1] * m,
        "values": [[Fraction(1, 2), Fraction(1)]] * size,
        "weights": [[Fraction(2, 3), Fraction(1, 3)]] * size,
    }


def asymmetric(rng, m, d_core, d_bg):
    """Neurons of sign -1, active on class -1 only."""
    return negative(rng, m, d_core, d_bg) | {
        "W": [[Fraction(-1, 10)] * d_core + [Fraction(1, 100)] * d_bg] * m
    }


NEGATIVE = instances(negative, FIELDS, smoke=1)
ASYMMETRIC = instances(asymmetric, FIELDS, smoke=1)
# y is the neuron's sign: an instance has it, the enumeration over k does not.
SIGNED = {"domain": SETTING["domain"], "reads": {**SETTING["reads"], "y": "s"}}

core_identity = claim(
    "contamination-core-gradient",
    tex=r"y\,(g_{k,y,\mathrm{core}}+g_{k,-y,\mathrm{core}})",
    title="Gradient along the core sum",
    says=r"For every neuron with $\mathrm{sign}(a_k) = y$ minus the population gradient along "
    r"$\sum_{\mathrm{core}} \mu_j m_j$ is $y(g_{\mathrm{own}} + g_{\mathrm{other}})$.",
    covers="projection-identity",
    legs=[
        leg(
            "difference quotients",
            along_core,
            reference=core_sum,
            instances=DRAWN,
            inside="k",
            unit=1,
            where=SMALL,
        )
    ],
    rivals=[
        variant("a minus between them", reference=core_difference, instances=LIT, at=TWO),
        variant("without y", reference=core_without_sign, instances=NEGATIVE, at=TWO),
    ],
    **SIGNED,
    lhs=r"-\langle\nabla_{w_k}\mathbb E\,\ell,\textstyle\sum_{\mathrm{core}}\mu_jm_j\rangle",
    **SIZES,
)

background_identity = claim(
    "contamination-bg-gradient",
    tex=r"g_{k,y,\mathrm{bg}}-g_{k,-y,\mathrm{bg}}",
    title="Gradient along the background sum",
    says=r"For every neuron with $\mathrm{sign}(a_k) = y$ minus the population gradient along "
    r"$\sum_{\mathrm{bg}} \mu_j m_j$ is $g_{\mathrm{own}} - g_{\mathrm{other}}$.",
    covers="projection-identity",
    legs=[
        leg(
            "difference quotients",
            along_background,
            reference=background_difference,
            instances=DRAWN,
            inside="k",
            unit=1,
            where=SMALL,
        )
    ],
    rivals=[
        variant("a factor y", reference=background_with_sign, instances=ASYMMETRIC, at=TWO),
        variant("a plus between them", reference=background_sum, instances=LIT, at=TWO),
    ],
    **SIGNED,
    lhs=r"-\langle\nabla_{w_k}\mathbb E\,\ell,\textstyle\sum_{\mathrm{bg}}\mu_jm_j\rangle",
    **SIZES,
)


def both_labels(W, s, values, weights, d_core, part):
    """g_(k,y,S) for both labels, of shape (2, m), beside S."""
    mu = means(values, weights)[part]
    return {
        "value": list(own_and_other(W, s, values, weights, d_core, part)),
        "S": dot(mu, mu),
    }


def on_core(W, s, values, weights, m, d_core, d_bg):
    """g of the core."""
    return both_labels(W, s, values, weights, d_core, slice(0, d_core))


def on_background(W, s, values, weights, m, d_core, d_bg):
    """g of the background."""
    return both_labels(W, s, values, weights, d_core, slice(d_core, None))


def projected(W, s, values, weights, m, d_core, d_bg):
    """y <-grad, sum_core mu_j m_j>, of shape (m,), beside Sc."""
    mu = means(values, weights)[:d_core]
    found = along_core(W, s, values, weights, m, d_core, d_bg)
    return {"value": [y * value for y, value in zip(s, found, strict=True)], "S": dot(mu, mu)}


def switched_off(rng, m, d_core, d_bg):
    """w = 0 on the core and negative on the background: inactive on both classes."""
    return negative(rng, m, d_core, d_bg) | {
        "W": [[Fraction(0)] * d_core + [Fraction(-1, 10)] * d_bg] * m
    }


OFF = instances(switched_off, FIELDS, smoke=1)


# ---- for all laws and neurons: p_i the chances of the examples of a class, I_i the neuron's activity and the hinge's
# indicator, X_i = sum_S mu_j z_j, of mean S

EXAMPLES = ["n in 1..oo", "p[i] in (0, 1] for i in 1..n", "I[i] in [0, 1] for i in 1..n"]
HALF = S / (2 * m)
ACTIVE, ALL = "Sum(p[i]*I[i]*X[i], (i, 1, n))", "Sum(p[i]*X[i], (i, 1, n))"


def proofs(says, wrong, over, names="a"):
    """Legs that an active part is at least 0 and at most the whole, and ``says`` of the active shares ``names``; and
    their rivals."""
    part = formula_leg(
        "active examples",
        typed(
            f"0 <= {ACTIVE} and {ACTIVE} <= {ALL}",
            over=[*EXAMPLES, "X[i] >= 0 for i in 1..n"],
            where="Sum(p[i], (i, 1, n)) == 1",
        ),
        over=over,
    )
    shares = [f"{names} in [0, 1]", "S in (0, oo)", "m in 1..oo"]
    whole = formula_leg("with the chance of a class", typed(says, over=shares), over=over)
    return [part, whole], [
        *rivals_of(
            part,
            {
                "half of them": f"{ACTIVE} <= {ALL}/2",
                "counted twice": {
                    "over": [
                        *EXAMPLES[:2],
                        "I[i] in [0, 2] for i in 1..n",
                        "X[i] in [0, 1] for i in 1..n",
                    ]
                },
            },
        ),
        *rivals_of(whole, {"half of the bound": wrong}),
    ]


def bound(id, states, part_name, simulation, tex, names):
    legs, rivals = proofs(f"a*S/2/m <= {HALF}", f"a*S/2/m <= {HALF / 2}", names)
    return claim(
        id,
        lhs=rf"g_{{k,y,\mathrm{{{part_name}}}}}",
        tex=rf"\frac{{{tex}}}{{2m}}",
        states=states,
        title=f"Explicit upper bound of g on {part_name}",
        says=rf"For every neuron and label $g_{{k,y,\mathrm{{{part_name}}}}}$ is at most "
        rf"$\sum_{{\mathrm{{{part_name}}}}} \mu_j^2/(2m)$.",
        role="reading",
        covers="own-upper-explicit",
        closed_form=HALF,
        relation=at_most(),
        legs=[
            *legs,
            leg(
                "population",
                simulation,
                observed=["S"],
                instances=DRAWN,
                where=SMALL,
                required=False,
            ),
        ],
        rivals=[
            *rivals,
            variant(
                "half of it",
                leg="population",
                closed_form=HALF / 2,
                instances=LIT,
                at=TWO,
            ),
        ],
        mutate=False,
        domain=SETTING["domain"],
        reads=SETTING["reads"],
        **SIZES,
    )


core_bound = bound(
    "contamination-core-gradient-upper",
    "contamination-core-gradient",
    "core",
    on_core,
    "S_c",
    "y k t",
)
background_bound = bound(
    "contamination-bg-gradient-upper",
    "contamination-bg-gradient",
    "bg",
    on_background,
    "S_b",
    "k t",
)

SHARE = r"-y\,\langle\nabla_{w_k}\mathbb E\,\ell,\textstyle\sum_{\mathrm{core}}\mu_jm_j\rangle"
RANGE_LEGS, RANGE_RIVALS = proofs(
    f"0 <= (a + b)*S/2/m and (a + b)*S/2/m <= {S / m}", f"(a + b)*S/2/m <= {HALF}", "k t", "a, b"
)

all_neurons = claim(
    "contamination-core-gradient-all",
    title="Range of the core projection over all neurons",
    says=r"For every neuron with $\mathrm{sign}(a_k) = y$, $y$ times minus the gradient along the "
    r"core sum lies between 0 and $S_{\mathrm{core}}/m$; neurons that are off on both classes and "
    "on for both reach the ends.",
    covers="explicit-range",
    domain=SETTING["domain"],
    reads=SETTING["reads"],
    legs=[
        *RANGE_LEGS,
        leg(
            "from below",
            projected,
            observed=["S"],
            instances=DRAWN,
            where=SMALL,
            relation=at_least(),
            closed_form=0 * S,
            unit=1,
            required=False,
            lhs=SHARE,
        ),
        leg(
            "from above",
            projected,
            observed=["S"],
            instances=DRAWN,
            where=SMALL,
            relation=at_most(),
            closed_form=S / m,
            required=False,
            lhs=SHARE,
            tex=r"\frac{S_c}m",
        ),
    ],
    rivals=[
        *RANGE_RIVALS,
        variant(
            "half of it, Sc/(2 m)",
            leg="from above",
            closed_form=HALF,
            instances=LIT,
            at=TWO,
        ),
        variant(
            "a positive lower bound",
            leg="from below",
            closed_form=S / (100 * m),
            instances=OFF,
            at=TWO,
        ),
    ],
    mutate=False,
    **SIZES,
)
