r"""Lemma B.40: the gradient of a nice neuron of the XOR clusters across its own axis.

Setting. Means +-sqrt(d) D_1 with label 1 and +-sqrt(d) D_3 with label -1, weights 1/4, covariance sigma_B^2 I; a
weight with |w|^2 = d sigma_w^2, alpha = <w, D_1>/sigma_w >= 6/5 z_0, beta = <w, D_3>/sigma_w, |beta| <= sqrt 2
sigma_B; bias z_0 sqrt(d) sigma_w, z_0 = sqrt(tau log log d) sigma_B.

Statement. By the mixture's formula (`simplified_gradient`) G is (-sqrt d (Phi(t_3) - Phi(t_4)) + sigma_B S beta/sqrt
d)/4 along D_3, t_3, t_4 = (+-beta - z_0)/sigma_B, S = phi(t_1) + phi(t_2) - phi(t_3) - phi(t_4) with t_1, t_2 =
(+-alpha - z_0)/sigma_B. Printed: every unit direction orthogonal to D_1 gets at most sigma_B C (log d)^(-0.018 tau)
for large d. At beta = sigma_B = tau = 1 and L = z_0, so that E = e^(L^2) is log d: Phi(1 - L) - Phi(-1 - L) is an
integral of the density over a span of 2, at least 2 e^(-L^2 - 1)/sqrt(2 pi), and |S| beta/sqrt d <= 1; |G| is at
least (2 e^(E/2)/(e sqrt(2 pi) E) - 1)/4 along D_3, above every C for E >= 40 C, and the printed power of log d is at
most 1.

In coordinates: given the cluster, <x, D> = <mu, D> + sigma_B (c g + rho h) for g = <w, z>/|w|, h independent and
standard normal, c = <w, D>/|w|, and the gate is <w, mu>/(sigma_w sqrt d) + sigma_B g > z_0. So each component of G is
a mean over g and h, for D_1, D_3 and any unit D orthogonal to both.

Reference: lines 6812-6826. What else the lemma says of D_1 is not affected.
"""

from __future__ import annotations

from theorycheck import claim, formula, formula_leg, rivals_of, typed

# E = log d
LEAST = "(2*exp(E/2)/(exp(1)*sqrt(2*pi)*E) - 1)/4"
LARGE = ["C in [1, oo)", "E in [40*C, oo)"]

printed = formula(
    "gradfeat-xor-orthogonal",
    states="gradfeat-xor-emergence",
    title="Directions orthogonal to the own axis, as printed",
    expect="fail",
    covers="orthogonal",
    reads={"O": "C", "w": "E", "D_perp": "E", "d": "E"},
    says=f"{LEAST} <= C*E**(-9/500)",
    over=LARGE,
)

SPAN = formula_leg(
    "density over the span",
    typed("exp(-(x - L)**2/2) >= exp(-L**2 - 1)", over=["L in [0, oo)", "x in [-1, 1]"]),
)
SMALL = formula_leg(
    "second term",
    typed("abs(p + q - r - t) <= 1", over=[f"{v} in [0, 1/sqrt(2*pi)]" for v in "pqrt"]),
)
GROWS = formula_leg("above every constant", typed(f"{LEAST} > C", over=LARGE))
POWER = formula_leg("the printed power", typed("E**(-9/500) <= 1", over="E in [1, oo)"))

grows = claim(
    "gradfeat-xor-orthogonal-grows",
    states="gradfeat-xor-emergence",
    title="The gradient along the other axis grows with the dimension",
    says=r"At $\langle w,D_3\rangle=\sigma_w$, $\sigma_B=\tau=1$, $|\langle G,D_3\rangle|\ge"
    r"\frac14\big(\frac{2\sqrt d}{e\sqrt{2\pi}\log d}-1\big)$, above every constant.",
    role="corrected",
    corrects="gradfeat-xor-orthogonal",
    legs=[SPAN, SMALL, GROWS, POWER],
    rivals=[
        *rivals_of(SPAN, {"e^(-L^2/2 - 1)": "exp(-(x - L)**2/2) >= exp(-L**2/2 - 1)"}),
        *rivals_of(SMALL, {"1/2": "abs(p + q - r - t) <= 1/2"}),
        *rivals_of(
            GROWS, {"sqrt(log d) for sqrt d": "(2*sqrt(E)/(exp(1)*sqrt(2*pi)*E) - 1)/4 > C"}
        ),
        *rivals_of(POWER, {"log d below 1": {"over": "E in (0, oo)"}}),
    ],
)

LAW = "g, h ~ N(0, 1)"
PLACES = ["(al - z)/s", "(-al - z)/s", "(be - z)/s", "(-be - z)/s"]
DENSITIES = [f"exp(-({place})**2/2)/sqrt(2*pi)" for place in PLACES]
SPREAD = "({} + {} - {} - {})".format(*DENSITIES)


def component(means, cosine):
    """<G, D> of a direction with <mu_l, D> in ``means`` and <w, D>/|w| in ``cosine``."""
    one, two, three, four = (
        f"E[({mean} + s*({cosine}*g + rho*h))*Piecewise((1, {inner} + s*g > z), (0, True))]"
        for mean, inner in zip(means, ["al", "-al", "be", "-be"], strict=True)
    )
    return f"({one} + {two} - {three} - {four})/4"


def along(name, means, cosine, value):
    """A component of G as a mean over both Gaussians, and its closed form."""
    return formula_leg(
        name,
        typed(
            f"{component(means, cosine)} == {value}",
            over=[
                "d in 1..oo",
                "al, be, c, rho in R",
                "s in (0, oo)",
                "z in [0, oo)",
                LAW,
            ],
        ),
    )


ROOT = "sqrt(d)"
ON_ONE = f"({ROOT}*(Phi({PLACES[0]}) - Phi({PLACES[1]})) + {{factor}}s*{SPREAD}*al/{ROOT})/4"
ON_THREE = f"(-{ROOT}*(Phi({PLACES[2]}) - Phi({PLACES[3]})) + s*{SPREAD}*be/{ROOT})/4"
MEANS_ONE, MEANS_THREE = [ROOT, f"-{ROOT}", "0", "0"], ["0", "0", ROOT, f"-{ROOT}"]
FIRST = along("along D_1", MEANS_ONE, f"al/{ROOT}", ON_ONE.format(factor=""))
SECOND = along("along D_3", MEANS_THREE, f"be/{ROOT}", ON_THREE)
OTHERS = along("along the rest of w", ["0"] * 4, "c", f"s*{SPREAD}*c/4")
DOUBLED = f"{component(MEANS_ONE, f'al/{ROOT}')} == {ON_ONE.format(factor='2*')}"
WRONG_SIGN = f"{component(MEANS_THREE, f'be/{ROOT}')} == -{ON_THREE}"

HALVED = f"{component(['0'] * 4, 'c')} == s*{SPREAD}*c/8"
# few points, at which what is wrong shows
AT_ONE = [
    *("d in {1}", "al in {1}", "be in {3}", "c in {1}", "rho in {1}", "s in (0, oo)", "z in {2}"),
    LAW,
]

closed = claim(
    "gradfeat-xor-gradient-components",
    states="gradfeat-xor-emergence",
    title="Components of the gradient of the XOR clusters",
    says=r"$G_{D_1}=\frac14\big(\sqrt d(\Phi(t_1)-\Phi(t_2))+\sigma_BS\alpha/\sqrt d\big)$, "
    r"$G_{D_3}=\frac14\big(-\sqrt d(\Phi(t_3)-\Phi(t_4))+\sigma_BS\beta/\sqrt d\big)$, and "
    r"$\frac14\sigma_BSc$ along a direction orthogonal to both of which $w$ has the part $c\|w\|$.",
    covers="closed-form",
    reads={"w": "al be c rho", "tau": "z", "sigma_B": "s"},
    legs=[FIRST, SECOND, OTHERS],
    rivals=[
        *rivals_of(FIRST, {"twice the density": {"says": DOUBLED, "over": AT_ONE}}),
        *rivals_of(SECOND, {"the other sign": {"says": WRONG_SIGN, "over": AT_ONE}}),
        *rivals_of(OTHERS, {"half the cosine": {"says": HALVED, "over": AT_ONE}}),
    ],
)
