"""Theorem 7.2(2): two thresholds out of order inside one distribution (derived).

Setting. z_R = (z_1, z_2) has the values (0,0), (1,1), (1,2), (1,0) with probabilities .69, .15, .15, .01; logistic
loss, |phi| = B, x = B^2, k >= 2. A pair that differs in z_1 only has probability p_1 = .0138, one that differs in z_2
only p_2 = .051.

Statements. Printed: a feature of larger p_i is encoded from a smaller norm on. False within this law: z_1 is encoded by
every optimum at every norm, z_2 by none as long as e^(2x) <= 107/31, that is x <= .6194.

Proof. z_1: if (0,0) and (1,0) had the same code v, -v in its place for (1,0) would change the loss by twice .01 times
.69 (ell(2x) - ell(0)) and, for each of (1,1), (1,2) with code u, s = <u, v>, .15 (ell(x + s) - ell(x - s)), which is at
most .15 (ell(0) - ell(2x)). z_2: the bound of `heavy_atom` from the collapsed code, whose dual matrix is positive
semidefinite there, and by which codes of two light atoms with x - G_ab = g lose 2 p_a p_b (ell(g) - ell(0) + g/2) > 0
besides, ell' (0) = -1/2.

Reference: derived from Theorem 7.2(2) = F.2(2), lines 1989-1993 and 9505-9543.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_least,
    at_most,
    choices,
    claim,
    equals,
    formula_leg,
    hypothesis,
    instances,
    leg,
    reaching,
    reals,
    rivals_of,
    typed,
    variant,
)

from ._views import code_loss, logistic
from .heavy_atom import dual_matrix

x, g = sp.symbols("x g", positive=True)
pair = sp.Symbol("pair")

VALUES = ((0, 0), (1, 1), (1, 2), (1, 0))
MASSES = (Fraction(69, 100), Fraction(15, 100), Fraction(15, 100), Fraction(1, 100))
LIGHT = {"(1,1) (1,2)": (1, 2), "(1,1) (1,0)": (1, 3), "(1,2) (1,0)": (2, 3)}
"""The pairs that differ in z_2 only."""
HEAVIEST = sp.Rational(MASSES[0])
OPPOSITE = ((1, 0), (-1, 0), (-1, 0), (-1, 0))
"""The collapsed code: the heavy atom opposite to all light ones."""
ORTHOGONAL = ((1, 0), (0, 1), (0, 1), (0, 1))


def telling_apart(ns, x, g, pair, codes=OPPOSITE):
    """By how much every code with x - G_ab = g for this pair is above the collapsed code's loss, at least. Shape ()."""
    units = ns.asarray([[list(code) for code in codes]])
    a, b = LIGHT[pair]
    g = ns.asarray(g)
    beyond_tangent = logistic(ns, g) - logistic(ns, 0 * g) + g / 2
    masses = ns.asarray(list(MASSES))
    return 2 * masses[a] * masses[b] * beyond_tangent + below_codes(ns, units, x)[0]


def below_codes(ns, units, x):
    """By how much another code can be below these, at most: the trace N x times the least eigenvalue of Lambda. units
    (B, N, k), shape (B,)."""
    law, x = ns.asarray([list(MASSES)] * units.shape[0]), ns.asarray(x)
    return len(MASSES) * x * -ns.relu(-ns.eigvalsh(dual_matrix(ns, law, x, units))[:, 0])


def turned_codes(rng):
    """The collapsed code with the codes of (1,1) and (1,2) turned by one angle to either side, of rational sine."""
    t = Fraction(1, int(rng.integers(3, 12)))
    c, s = (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)
    return {"units": [[1, 0], [-c, s], [-c, -s], [-1, 0]]}


def loss_of(ns, units, x):
    """Shape (B,)."""
    law = ns.asarray([list(MASSES)] * units.shape[0])
    return code_loss(ns, law, ns.sqrt(ns.asarray(x)) * units, logistic)


def bound_from_codes(ns, units, x, g, pair):
    """What no code is below, from these. Shape (B,)."""
    return loss_of(ns, units, x) + below_codes(ns, units, x)


def pair_apart(ns, units, x, g, pair, times=1):
    """What the turned codes lose against the collapsed one, less what (1,1) and (1,2) at their gap have to. Shape
    (B,)."""
    gap = ns.asarray(x) * (1 - ns.sum(units[:, 1] * units[:, 2], axis=1))
    beyond_tangent = logistic(ns, gap) - logistic(ns, 0 * gap) + gap / 2
    lost = loss_of(ns, units, x) - collapsed_loss(ns, units, x, g, pair)
    return lost - times * 2 * ns.rational(15, 100) ** 2 * beyond_tangent


def far_apart(ns, units, x, g, pair):
    """A thousand times as much."""
    return pair_apart(ns, units, x, g, pair, times=1000)


def loss_as_bound(ns, units, x, g, pair):
    return loss_of(ns, units, x)


def collapsed_loss(ns, units, x, g, pair):
    """The loss of the collapsed code. Shape (B,)."""
    return loss_of(ns, ns.asarray([[list(code) for code in OPPOSITE]] * units.shape[0]), x)


def from_orthogonal(ns, x, g, pair):
    """From another code, whose loss is not the least."""
    return telling_apart(ns, x, g, pair, codes=ORTHOGONAL)


def collisions(x, g, pair):
    """p_1 and p_2, over the pairs of values, and the probability of the listed pairs. Shape (3,)."""
    found = []
    for i in (0, 1):
        other = 1 - i
        found.append(
            sum(
                p * q
                for v, p in zip(VALUES, MASSES, strict=True)
                for w, q in zip(VALUES, MASSES, strict=True)
                if v[i] != w[i] and v[other] == w[other]
            )
        )
    return [*found, sum(2 * MASSES[a] * MASSES[b] for a, b in LIGHT.values())]


def some_codes(rng):
    """Unit vectors: one for (0,0) and (1,0), and those of (1,1) and (1,2)."""
    return {"units": [rng.orthogonal_rational(3)[0] for _ in range(3)]}


def turning_back(ns, units, x, g, pair):
    """The loss with the opposite code for (1,0), less that with the code of (0,0). units (B, 3, k), shape (B,)."""
    blind = ns.concat([units, units[:, :1]], axis=1)
    told = ns.concat([units, -units[:, :1]], axis=1)
    law, B = ns.asarray([list(MASSES)]), ns.sqrt(ns.asarray(x))
    return code_loss(ns, law, B * told, logistic) - code_loss(ns, law, B * blind, logistic)


def turning_others_back(ns, units, x, g, pair):
    """The same for (1,1) and the code of (1,2), which is no gain at small norms."""
    blind = ns.concat([units[:, :2], units[:, 1:2], units[:, 2:]], axis=1)
    told = ns.concat([units[:, :2], -units[:, 1:2], units[:, 2:]], axis=1)
    law, B = ns.asarray([list(MASSES)]), ns.sqrt(ns.asarray(x))
    return code_loss(ns, law, B * told, logistic) - code_loss(ns, law, B * blind, logistic)


DOMAIN = {
    x: reals(0, low_open=True),
    g: reals(0, low_open=True),
    pair: choices(*LIGHT),
}
SMALL = [
    {x: a, g: b, pair: which}
    for a, b in ((Fraction(61, 100), Fraction(1, 10)), (Fraction(1, 4), Fraction(1, 2)))
    for which in LIGHT
]

printed = claim(
    "contrastive-one-law",
    lhs=r"\min_{x-G_{ab}=g}\mathrm{loss}-\min\mathrm{loss}",
    tex="0",
    states="contrastive-encoding-threshold",
    title="The order of two thresholds inside one law",
    says=r"As $p_2 > p_1$, some optimum tells two values apart that differ in $z_2$ only at every norm at which $z_1$ "
    "is encoded.",
    expect="fail",
    covers="monotone-minimal",
    domain=DOMAIN,
    where=sp.Le(g, 2 * x),
    grid={"smoke": SMALL},
    closed_form=sp.Integer(0),
    relation=at_most(),
    legs=[leg("bound from the collapsed code", telling_apart, inside="law i j")],
)

# A change of one light code of inner product s with v, over its mass; and of the heavy one.
LIGHT_ONE = formula_leg(
    "a light value loses at most",
    typed(
        "log(1 + exp(-(x + s))) - log(1 + exp(-(x - s))) <= log(2) - log(1 + exp(-2*x))",
        over=["x in (0, oo)", "s in [-x, x]"],
    ),
    over="law",
)
HEAVY = formula_leg(
    "the heavy value outweighs two",
    typed(
        "0.69*(log(1 + exp(-2*x)) - log(2)) + 0.15*(log(2) - log(1 + exp(-2*x)))"
        " + 0.15*(log(2) - log(1 + exp(-2*x))) < 0",
        over="x in (0, oo)",
    ),
)

# mu of `heavy_atom`, by which Lambda is positive semidefinite, where the words say so
UP_TO_THRESHOLD = formula_leg(
    "mu up to the threshold",
    typed("(1 - 0.69)/2 - 0.69/(1 + exp(2*x)) <= 0", over="x in (0, log(107/31)/2]"),
)

inside_one_law = claim(
    "contrastive-one-law-corrected",
    lhs=r"\min_{x-G_{ab}=g}\mathrm{loss}-\min\mathrm{loss}",
    tex="0",
    states="contrastive-encoding-threshold",
    title="One law in which the rarer difference is encoded first",
    says=r"$p_1 = 0.0138 < p_2 = 0.051$, and for $e^{2x} \le 107/31$ every code that tells two values apart which "
    "differ in $z_2$ only has a larger loss than the collapsed one, whereas $z_1$ is encoded by every optimum of every "
    "norm.",
    role="corrected",
    corrects="contrastive-one-law",
    covers="monotone-minimal",
    domain=DOMAIN,
    where=sp.Le(g, 2 * x) & sp.Le((1 - HEAVIEST) * sp.exp(2 * x), 3 * HEAVIEST - 1),
    grid={
        "smoke": SMALL,
        "standard": {x: [Fraction(1, 10), Fraction(3, 5)], g: [Fraction(1, 20)], pair: [*LIGHT]},
    },
    closed_form=sp.Integer(0),
    relation=at_least(strict=True),
    legs=[
        leg("bound from the collapsed code", telling_apart, inside="law i j"),
        leg(
            "p_1 and p_2",
            collisions,
            relation=equals(),
            required=False,
            closed_form=sp.Matrix([sp.Rational(138, 10000), *[sp.Rational(51, 1000)] * 2]),
            lhs=r"(p_1,\ p_2,\ \sum2p_ap_b)",
            tex=r"(\tfrac{138}{10^4},\ \tfrac{51}{10^3},\ \tfrac{51}{10^3})",
            grid={"smoke": SMALL[:1]},
        ),
        leg(
            "another code for (1,0)",
            turning_back,
            relation=at_most(strict=True),
            unit=1,
            lhs=r"\mathrm{loss}(-v)-\mathrm{loss}(v)",
            instances=instances(some_codes, "units", smoke=4, standard=12),
        ),
        leg(
            "bounds from turned codes",
            bound_from_codes,
            reference=collapsed_loss,
            relation=at_most(),
            required=False,
            lhs=r"L(G)+N\,x\,\min(0,\lambda_{\min}(\Lambda))",
            tex=r"\mathrm{loss}(\text{collapsed})",
            instances=instances(turned_codes, "units", smoke=2, standard=6),
        ),
        leg(
            "turned codes lose it",
            pair_apart,
            required=False,
            unit=1,
            lhs=r"\mathrm{loss}-\min\mathrm{loss}-2p_ap_b(\ell(g)-\ell(0)+\tfrac g2)",
            instances=instances(turned_codes, "units", smoke=2, standard=6),
        ),
        LIGHT_ONE,
        HEAVY,
        UP_TO_THRESHOLD,
    ],
    assumes=[
        hypothesis(
            r"$e^{2x} \le 107/31$",
            leg="bound from the collapsed code",
            # the condition ends at x = .619421
            without=[{x: Fraction(63, 100), g: Fraction(1, 50), pair: which} for which in LIGHT]
            + [{x: Fraction(6195, 10000), g: Fraction(1, 1000), pair: which} for which in LIGHT],
        )
    ],
    rivals=[
        variant(
            "from orthogonal codes", simulation=from_orthogonal, leg="bound from the collapsed code"
        ),
        variant(
            "p_1 and p_2 exchanged",
            closed_form=sp.Matrix(
                [sp.Rational(51, 1000), sp.Rational(138, 10000), sp.Rational(51, 1000)]
            ),
            leg="p_1 and p_2",
        ),
        variant(
            "one pair less",
            closed_form=sp.Matrix(
                [sp.Rational(138, 10000), sp.Rational(51, 1000), sp.Rational(48, 1000)]
            ),
            leg="p_1 and p_2",
        ),
        variant("of a light value", simulation=turning_others_back, leg="another code for (1,0)"),
        variant("a thousand times as much", simulation=far_apart, leg="turned codes lose it"),
        variant("their loss as a bound", simulation=loss_as_bound, leg="bounds from turned codes"),
        *reaching(LIGHT_ONE, "x > 100 and s == -x"),
        *reaching(HEAVY, "x > 100"),
        *reaching(UP_TO_THRESHOLD, "x == log(107/31)/2"),
        *rivals_of(UP_TO_THRESHOLD, {"up to .62": {"over": "x in (0, 62/100]"}}),
        *rivals_of(
            LIGHT_ONE,
            {
                "half": "log(1 + exp(-(x + s))) - log(1 + exp(-(x - s))) <= (log(2) - log(1 + exp(-2*x)))/2"
            },
        ),
        *rivals_of(
            HEAVY,
            {
                "masses .4 and .3": "0.4*(log(1 + exp(-2*x)) - log(2)) + 0.3*(log(2) - log(1 + exp(-2*x)))"
                " + 0.3*(log(2) - log(1 + exp(-2*x))) < 0"
            },
        ),
    ],
)
