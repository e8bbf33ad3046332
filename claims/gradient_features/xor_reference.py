r"""Lemma B.41 and Theorem B.42: the XOR clusters' reference network, and what it costs.

Setting. As in `xor_activation`; s = sqrt(tau~ log d) sigma_B <= sqrt(c_0 d), z = s/sigma_B, g* has the four neurons
y_(j)/s relu(<D_j, x> - 2 s).

Statements. (1) Printed: hinge <= 3 d^-tau~ + 4 d^(1 - 0.9 tau~)/z for d large. At c_0 = 1/16, sigma_B = 1 and the
largest tau~ = d/(16 log d), z = sqrt(d)/4, d^-tau~ = e^(-z^2) and d = 16 z^2; the own two neurons lose E (g - z)_+/z
at the least, which is above the bound for every z >= 6. (2) For s <= sqrt(d)/4 the loss is at most 4 phi(z)/z^3: the
own neuron and two foreign ones, of mean 0, lose at most E (g - z)_+/z each (the opposite neuron of the same label only
helps). (3) Width: (r B_a1 B_x1 sqrt(B_b/B_G))^4 at B_F = (1/s, 2/s, 2 s), s = c sqrt d, B_G = sqrt(d)/5 is free of d.

Reference: lines 6882-6906. The order is: d large, then every tau~ up to its limit at that d.
"""

from __future__ import annotations

from fractions import Fraction

from theorycheck import (
    at_most,
    claim,
    formula,
    formula_leg,
    instances,
    rivals_of,
    typed,
    variant,
)

from ._beside import beside
from ._network import dot, hinge, output, relu

SHORTFALL = "(exp(-z**2/2)/sqrt(2*pi) - z*erfc(z/sqrt(2))/2)/z"

printed = formula(
    "gradfeat-xor-hinge",
    states="gradfeat-xor-gstar",
    title="Printed hinge loss of the XOR reference network",
    expect="fail",
    covers="hinge-printed",
    reads={"c0": "z", "tau_tilde": "z", "sigma_B": "z", "d": "z"},
    says=f"{SHORTFALL} <= 3*exp(-z**2) + 64*z*exp(-9*z**2/10)",
    over="z in [6, oo)",
)

LOSES = formula_leg(
    "mean shortfall",
    typed(f"{SHORTFALL} > exp(-z**2/2)/(sqrt(2*pi)*z*(z**2 + 3))", over="z in (0, oo)"),
)
ABOVE = formula_leg(
    "against the printed bound",
    typed(
        "1/(sqrt(2*pi)*z*(z**2 + 3)) > 3*exp(-z**2/2) + 64*z*exp(-2*z**2/5)", over="z in [6, oo)"
    ),
)

every_d = claim(
    "gradfeat-xor-hinge-refuted",
    states="gradfeat-xor-gstar",
    title="The printed loss is passed at every large dimension",
    says=r"With $c_0=\frac1{16}$, $\sigma_B=1$ and the largest $\tilde\tau$, the loss is above the printed bound "
    r"for every "
    r"$d\ge576$.",
    role="corrected",
    corrects="gradfeat-xor-hinge",
    legs=[LOSES, ABOVE],
    rivals=[
        *rivals_of(LOSES, {"z^2 + 2": f"{SHORTFALL} > exp(-z**2/2)/(sqrt(2*pi)*z*(z**2 + 2))"}),
        *rivals_of(ABOVE, {"from z = 4 on": {"over": "z in [4, oo)"}}),
    ],
)

# in units of s: own mean m >= 4, noise h = g/z
OWN = formula_leg(
    "own neuron",
    typed("Max(0, 1 - relu(m + h - 2)) <= Max(0, -h - 1)", over=["m in [4, oo)", "h in R"]),
)
FOREIGN = formula_leg(
    "foreign neuron",
    typed("relu(h - 2) <= Max(0, h - 1)", over="h in R"),
)
TERMS = formula_leg(
    "hinge of a sum",
    typed(
        "Max(0, 1 - (a + h) + (b + c)) <= Max(0, 1 - a) + b + c",
        over=["a in [0, oo)", "h in [0, oo)", "b in [0, oo)", "c in [0, oo)"],
    ),
)
EACH = formula_leg(
    "three of them",
    typed(f"3*{SHORTFALL} < 4*exp(-z**2/2)/(sqrt(2*pi)*z**3)", over="z in (0, oo)"),
)


DIRECTIONS, LABELS = [(1, 0), (-1, 0), (0, 1), (0, -1)], [1, 1, -1, -1]


def cluster_noise(rng):
    """s, sqrt d of at least 4 s, and noise of the plane."""
    s = abs(rng.rational((), 3)) + Fraction(1, 4)
    return {
        "s": s,
        "root": s * (4 + abs(rng.rational((), 3))),
        "noise": [3 * s * v for v in rng.rational((2,), 3)],
    }


def against(rng):
    """The least distance, and noise along the first direction and across it."""
    return {"s": Fraction(1), "root": Fraction(4), "noise": [Fraction(-7, 2), Fraction(3)]}


def hinge_losses(s, root, noise):
    """The hinge loss of g* at the four means of length sqrt d plus noise. Length 4."""
    a, found = [y / s for y in LABELS], []
    for y, direction in zip(LABELS, DIRECTIONS, strict=True):
        x = [root * v + e for v, e in zip(direction, noise, strict=True)]
        found.append(hinge(y * output(x, a, DIRECTIONS, [2 * s] * 4)))
    return found


def shortfalls(s, root, noise):
    """max(0, -h_j - 1) and max(0, h_l - 1) of the two neurons of the other label, h_l = <D_l, noise>/s. Length 4."""
    h = [dot(direction, noise) / s for direction in DIRECTIONS]
    return [
        relu(-h[j] - 1)
        + sum((relu(h[i] - 1) for i in range(4) if LABELS[i] != LABELS[j]), Fraction(0))
        for j in range(4)
    ]


def own_alone(s, root, noise):
    return [relu(-dot(direction, noise) / s - 1) for direction in DIRECTIONS]


def points(name, draw, count):
    """A leg that runs the reference network at the clusters' points."""
    return beside(
        name,
        hinge_losses,
        r"\mathrm{hinge}(y_{(j)}g^*(\mu_j+\xi))",
        r"(-h_j-1)_++\sum_l(h_l-1)_+",
        reference=shortfalls,
        instances=instances(draw, "s root noise", smoke=count, standard=4 * count),
    )


corrected = claim(
    "gradfeat-xor-hinge-corrected",
    states="gradfeat-xor-gstar",
    title="Hinge loss of the XOR reference network",
    says=r"For $s=\sqrt{\tilde\tau\log d}\,\sigma_B\le\sqrt d/4$ the hinge loss is at most $4\varphi(z)/z^3$, "
    r"$z=\sqrt{\tilde\tau\log d}$.",
    role="derived",
    covers="hinge-corrected",
    reads={"tau_tilde": "z"},
    relation=at_most(),
    legs=[
        OWN,
        FOREIGN,
        TERMS,
        EACH,
        points("drawn noise", cluster_noise, 8),
        points("against", against, 1),
    ],
    rivals=[
        variant("the own neuron alone", reference=own_alone, leg="against"),
        *rivals_of(OWN, {"means of 3 s": {"over": ["m in [3, oo)", "h in R"]}}),
        *rivals_of(FOREIGN, {"offset 0": "relu(h) <= Max(0, h - 1)"}),
        *rivals_of(
            TERMS, {"one foreign neuron": "Max(0, 1 - (a + h) + (b + c)) <= Max(0, 1 - a) + b"}
        ),
        *rivals_of(EACH, {"2 in place of 4": f"3*{SHORTFALL} < 2*exp(-z**2/2)/(sqrt(2*pi)*z**3)"}),
    ],
)

S = "(c*sqrt(d))"
TERM = f"(4*(1/{S})*((1 + sigma)*sqrt(d))*sqrt(2*{S}/(sqrt(d)/5)))**4"
width = formula(
    "gradfeat-xor-width",
    states="gradfeat-xor-main",
    title="The first width term is free of the dimension",
    covers="m-algebra",
    reads={"sigma_B": "sigma"},
    says=f"{TERM} == 25600*(1 + sigma)**4/c**2",
    over=["c in (0, 1/4]", "sigma in (0, oo)", "d in (0, oo)"],
    rivals={
        "1/c^4": f"{TERM} == 25600*(1 + sigma)**4/c**4",
        "without (1 + sigma)^4": f"{TERM} == 25600/c**2",
    },
)
