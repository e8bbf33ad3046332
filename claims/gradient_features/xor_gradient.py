r"""Lemma B.40: the gradient of a nice neuron of the XOR clusters across its own axis.

Setting. Means +-sqrt(d) D_1 with label 1 and +-sqrt(d) D_3 with label -1, weights 1/4, covariance sigma_B^2 I; a weight
with |w|^2 = d sigma_w^2, alpha = <w, D_1>/sigma_w >= 6/5 z_0, beta = <w, D_3>/sigma_w, |beta| <= sqrt 2 sigma_B; bias
z_0 sqrt(d) sigma_w, z_0 = sqrt(tau log log d) sigma_B.

Statement. By the mixture's formula (`simplified_gradient`) G is (-sqrt d (Phi(t_3) - Phi(t_4)) + sigma_B S beta/sqrt
d)/4 along D_3, t_3, t_4 = (+-beta - z_0)/sigma_B, S = phi(t_1) + phi(t_2) - phi(t_3) - phi(t_4) with t_1, t_2 =
(+-alpha - z_0)/sigma_B. Printed: every unit direction orthogonal to D_1 gets at most sigma_B C (log d)^(-0.018 tau) for
large d. At beta = sigma_B = tau = 1 and L = z_0, so that E = e^(L^2) is log d: Phi(1 - L) - Phi(-1 - L) is an integral
of the density over a span of 2, at least 2 e^(-L^2 - 1)/sqrt(2 pi), and |S| beta/sqrt d <= 1; |G| is at least (2
e^(E/2)/(e sqrt(2 pi) E) - 1)/4 along D_3, above every C for E >= 40 C, and the printed power of log d is at most 1.

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
