r"""Lemma 3.17 = Lemma B.34: the hinge loss of the mixture's reference network.

Setting. x ~ N(mu_j, sigma_j^2 I) with weight p_j, label y_(j), D_j = mu_j/|mu_j|, S = sigma_B+ = max(sigma_j, B_mu2),
s = sqrt(tau log d) S, z = s/S = sqrt(tau log d), 8 <= tau <= d; |mu_j| >= C (s + 1/sqrt d), C being the constant
hidden in B_mu1 >= Omega(1/d + S sqrt(tau log d/d)); cosines in [-1, theta], theta <= S/B_mu2 sqrt(tau log d/d). g* =
sum_j y_(j)/s relu(<D_j, x> - 2 s).

Statements. (1) Printed: hinge <= 3 d^-tau + 4 d^(1 - 0.9 tau)/sqrt(tau log d), with C = 4 in the proof. False there:
two opposite clusters of opposite labels at |mu| = 4 (s + 1/sqrt d) lose about phi(z)/z^3, and e^(-z^2/2) is
d^(-tau/2). (2) For C >= 4 the loss is at most r phi(z)/z^3: 1 - y g* is at most 1 - a + sum b_l with the own neuron's
a >= (2 s + sigma_j g)/s and (at most r - 1) foreign ones, whose mean is at most s; each of the r terms is at most E
(sigma_j g - s)_+/s <= phi(z)/z^3. (3) The step Pr[N(0,1) <= -sqrt(tau log d)] <= d^-tau is where the root is lost.
(4) What the own neuron loses, E (g - (C - 3) z)_+/z, is below the printed bound from C = 3 + sqrt 2 on.

Reference: lines 972, 6613-6690.
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

# what the own neuron loses: with |mu| = C (s + 1/sqrt d) it is E (g - y)_+/z, the opposite one only adds to it
Z = "sqrt(tau*log(d))"
Y = f"((C - 3)*{Z} + C/(sigma*sqrt(d)))"
OWN_LOSS = f"(exp(-{Y}**2/2)/sqrt(2*pi) - {Y}*erfc({Y}/sqrt(2))/2)/{Z}"

AT_FOUR = typed(
    f"{OWN_LOSS} <= 3*d**(-tau) + 4*d**(1 - 9*tau/10)/{Z}",
    over=["C in {4}", "d in 2..oo", "tau in [8, d]", "sigma in (0, oo)"],
    where=[f"4*(1/d + sigma*{Z}/sqrt(d)) <= sigma", f"4*(1/d + sigma*{Z}/sqrt(d)) <= d"],
)
printed = claim(
    "gradfeat-mixture-hinge",
    states="gradfeat-mog-opt",
    title="Printed hinge loss of the mixture's reference network",
    says=AT_FOUR.says,
    expect="fail",
    covers="hinge-printed",
    reads={"mixture": "d sigma"},
    legs=[formula_leg("proof", AT_FOUR, gives="C")],
)

TERMS = formula_leg(
    "hinge of a sum",
    typed(
        "Max(0, 1 - a + Sum(b[j], (j, 1, r))) <= Max(0, 1 - a) + Sum(b[j], (j, 1, r))",
        over=["r in 1..oo", "a in R", "b[j] in [0, oo) for j in 1..r"],
    ),
)
# in units of s: own mean at least 4, foreign at most 1, noise h = sigma_j g/s
OWN = formula_leg(
    "own neuron",
    typed("Max(0, 1 - relu(m + h - 2)) <= Max(0, -h - 1)", over=["m in [4, oo)", "h in R"]),
)
FOREIGN = formula_leg(
    "foreign neuron",
    typed("relu(c + h - 2) <= Max(0, h - 1)", over=["c in (-oo, 1]", "h in R"]),
)
ONE = formula_leg(
    "mean of each",
    typed(
        "exp(-z**2/2)/sqrt(2*pi) - z*erfc(z/sqrt(2))/2 < exp(-z**2/2)/(sqrt(2*pi)*z**2)",
        over="z in (0, oo)",
    ),
)
WIDEST = formula_leg(
    "largest for the widest cluster",
    typed("exp(-w**2/2)/w**3 <= exp(-z**2/2)/z**3", over=["z in (0, oo)", "w in [z, oo)"]),
)
POWER = formula_leg(
    "as a power of d",
    typed(
        "exp(-tau*log(d)/2)/sqrt(tau*log(d))**3 == d**(-tau/2)/(tau*log(d))**(3/2)",
        over=["d in 2..oo", "tau in [8, oo)"],
    ),
)


DIRECTIONS = [(1, 0), (-1, 0), (0, 1)]


def clusters(rng):
    """Labels of three clusters, s, means of length at least 4 s along the directions, and noise of the plane."""
    s = abs(rng.rational((), 3)) + Fraction(1, 4)
    return {
        "labels": [int(v) for v in rng.signs((3,))],
        "s": s,
        "lengths": [s * (4 + abs(v)) for v in rng.rational((3,), 3)],
        "noise": [3 * s * v for v in rng.rational((2,), 3)],
    }


def against(rng):
    """Opposite labels at the least distance, noise along the first direction."""
    return {
        "labels": [1, -1, 1],
        "s": Fraction(1),
        "lengths": [Fraction(4)] * 3,
        "noise": [Fraction(-7, 2), Fraction(0)],
    }


def hinge_losses(labels, s, lengths, noise, share=1):
    """The hinge loss of g* at mu_j + noise, for each j. Length 3."""
    a = [Fraction(y) / s for y in labels]
    found = []
    for y, direction, size in zip(labels, DIRECTIONS, lengths, strict=True):
        x = [share * size * v + e for v, e in zip(direction, noise, strict=True)]
        found.append(hinge(y * output(x, a, DIRECTIONS, [2 * s] * 3)))
    return found


def shortfalls(labels, s, lengths, noise):
    """max(0, -h_j - 1) + sum_(l != j) max(0, h_l - 1), h_l = <D_l, noise>/s, for each j. Length 3."""
    h = [dot(direction, noise) / s for direction in DIRECTIONS]
    return [
        relu(-h[j] - 1) + sum((relu(v - 1) for i, v in enumerate(h) if i != j), Fraction(0))
        for j in range(3)
    ]


def own_alone(labels, s, lengths, noise):
    h = [dot(direction, noise) / s for direction in DIRECTIONS]
    return [relu(-v - 1) for v in h]


def points(name, draw, count):
    """A leg that runs the reference network at the clusters' points."""
    return beside(
        name,
        hinge_losses,
        r"\mathrm{hinge}(y_{(j)}g^*(\mu_j+\xi))",
        r"(-h_j-1)_++\sum_l(h_l-1)_+",
        reference=shortfalls,
        instances=instances(draw, "labels s lengths noise", smoke=count, standard=4 * count),
    )


corrected = claim(
    "gradfeat-mixture-hinge-corrected",
    states="gradfeat-mog-opt",
    title="Hinge loss of the mixture's reference network",
    says=r"For separation constants $C\ge4$, $\mathbb E\,\mathrm{hinge}(yg^*)\le r\,d^{-\tau/2}/(\sqrt{2\pi}"
    r"(\tau\log d)^{3/2})$.",
    role="corrected",
    corrects="gradfeat-mixture-hinge",
    covers="hinge-corrected",
    reads={"mixture": "m h"},
    relation=at_most(),
    legs=[
        TERMS,
        OWN,
        FOREIGN,
        ONE,
        WIDEST,
        POWER,
        points("drawn noise", clusters, 8),
        points("against", against, 1),
    ],
    rivals=[
        variant("the own neuron alone", reference=own_alone, leg="against"),
        *rivals_of(
            TERMS,
            {
                "b of either sign": {
                    "over": ["r in 1..oo", "a in R", "b[j] in R for j in 1..r"],
                }
            },
        ),
        *rivals_of(OWN, {"constant 3": {"over": ["m in [3, oo)", "h in R"]}}),
        *rivals_of(FOREIGN, {"means up to 2 s": {"over": ["c in (-oo, 2]", "h in R"]}}),
        *rivals_of(
            ONE,
            {
                "1/z^4": "exp(-z**2/2)/sqrt(2*pi) - z*erfc(z/sqrt(2))/2 < exp(-z**2/2)/(sqrt(2*pi)*z**4)"
            },
        ),
        *rivals_of(WIDEST, {"wider clusters": {"over": ["z in (0, oo)", "w in (0, oo)"]}}),
        *rivals_of(
            POWER,
            {"d^-tau": "exp(-tau*log(d)/2)/sqrt(tau*log(d))**3 == d**(-tau)/(tau*log(d))**(3/2)"},
        ),
    ],
)

step = formula(
    "gradfeat-mixture-tail-step",
    states="gradfeat-mog-opt",
    title="Gaussian tail at $\\sqrt{\\tau\\log d}$ as printed",
    expect="fail",
    covers="chernoff-step",
    says="erfc(sqrt(tau*log(d)/2))/2 <= d**(-tau)",
    over=["d in 2..oo", "tau in [8, oo)"],
    where="d >= 16*tau*log(d)",
)

TAIL = formula_leg("Gaussian tail", typed("erfc(u)/2 <= exp(-u**2)/2", over="u in [0, oo)"))
AT = formula_leg(
    "at the root",
    typed("exp(-sqrt(tau*log(d)/2)**2) == d**(-tau/2)", over=["d in 2..oo", "tau in [8, oo)"]),
)

tail = claim(
    "gradfeat-mixture-tail-corrected",
    states="gradfeat-mog-opt",
    title=r"Gaussian tail at $\sqrt{\tau\log d}$",
    says=r"$\Pr[g\le-\sqrt{\tau\log d}]\le\frac12d^{-\tau/2}$.",
    role="corrected",
    corrects="gradfeat-mixture-tail-step",
    legs=[TAIL, AT],
    rivals=[
        *rivals_of(TAIL, {"a quarter": "erfc(u)/2 <= exp(-u**2)/4"}),
        *rivals_of(AT, {"d^-tau": "exp(-sqrt(tau*log(d)/2)**2) == d**(-tau)"}),
    ],
)

LOSS = "(exp(-y**2/2)/sqrt(2*pi) - y*erfc(y/sqrt(2))/2)/z"
FAR = formula_leg(
    "own neuron, far",
    typed(f"{LOSS} < exp(-y**2/2)/(sqrt(2*pi)*y**2*z)", over=["y in (0, oo)", "z in (0, oo)"]),
)
SQUARED = formula_leg(
    "at y = sqrt 2 z",
    typed(
        "exp(-y**2/2)/(sqrt(2*pi)*y**2*z) <= 3*exp(-z**2)",
        over=["z in [2, oo)", "y in [sqrt(2)*z, oo)"],
        steps=["exp(-y**2/2) <= exp(-z**2)", "1/(sqrt(2*pi)*y**2*z) <= 3"],
    ),
)

far = claim(
    "gradfeat-mixture-own-loss-far",
    states="gradfeat-mog-opt",
    title="What the own neuron loses at larger separation",
    says=r"For separation constants $C\ge3+\sqrt2$ the own neuron loses at most $3d^{-\tau}$: $\frac1z\mathbb "
    r"E(g-y)_+\le3e^{-z^2}$ at $y\ge(C-3)z$, $z=\sqrt{\tau\log d}\ge2$.",
    role="derived",
    legs=[FAR, SQUARED],
    rivals=[
        *rivals_of(FAR, {"y^3": f"{LOSS} < exp(-y**2/2)/(sqrt(2*pi)*y**4*z)"}),
        *rivals_of(
            SQUARED,
            {"from y = z on": {"over": ["z in [2, oo)", "y in [z, oo)"], "steps": []}},
        ),
    ],
)

MEMBER = formula_leg(
    "bounds of the class",
    typed(
        "Sum(1/s**2, (j, 1, r)) == r/s**2 and sqrt(r/s**2) == sqrt(r)/s and abs(y/s) == 1/s "
        "and sqrt(tau*log(d))*sigma/(tau*log(d)*sigma**2) == 1/(sqrt(tau*log(d))*sigma)",
        over=["r in 1..oo", "s, sigma in (0, oo)", "y in {-1, 1}", "tau in [8, oo)", "d in 2..oo"],
    ),
)

member = claim(
    "gradfeat-mixture-reference-class",
    states="gradfeat-mog-opt",
    title="The class of the mixture's reference network",
    says=r"$|a_j|=\frac1s$, $\|a\|_2=\frac{\sqrt r}s$, $b_j=2s$: $g^*$ is in the class with "
    r"$B_F=(\frac1s,\frac{\sqrt r}s,2s)$ if the $(D_j,+1)$ are in $S$, as Lemma B.30 has it.",
    role="reading",
    covers="class",
    reads={"mixture": "r y s"},
    legs=[MEMBER],
    rivals=rivals_of(
        MEMBER,
        {
            "norm r/s": {
                "says": "sqrt(Sum(1/s**2, (j, 1, r))) == r/s",
                "over": ["r in 1..oo", "s in (0, oo)"],
            }
        },
    ),
)
