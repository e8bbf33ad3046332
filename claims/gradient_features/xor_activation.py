r"""Lemma B.39: when a nice neuron of the XOR clusters fires.

Setting. Means of length sqrt d along +-D_1 (label 1) and +-D_3 (label -1), covariance sigma_B^2 I, 1 <= sigma_B <=
sqrt(d)/L with L = sqrt(tau log log d); bias L sqrt d sigma_w sigma_B. A nice neuron has <w, D_1> >= (6/5) L sigma_B
sigma_w, |<w, D_3>| <= sqrt 2 sigma_B sigma_w and |w| <= c sqrt d sigma_w, c hidden in a Theta.

Statements. On its own cluster it fires with probability Phi(L/(5 c)) at the least. (1) Printed: at least 1 -
e^(-L^2/50), which is (log d)^(-tau/50). At the upper end of sigma_B the first condition alone forces c >= 6/5, and w
along D_1 attains it: 1 - Phi(L/6) is too large for every L >= 20. (2) With c = 1 it holds. (3) Printed: on other
clusters it fires with probability at most C e^(-L^2/2). At <w, D_3> = sqrt 2 sigma_B sigma_w and |w| = sqrt d sigma_w
it fires with probability Q(y), y = L - sqrt 2, and e^(-y^2/2) = e^(-L^2/2) e^(sqrt 2 L - 1): with Q(y) > y/(y^2 + 1)
times the density, C e^(-L^2/2) is passed by every L >= max(C, 4).

Reference: lines 6786-6815; Definition B.29 for the set.
"""

from __future__ import annotations

from theorycheck import claim, formula, formula_leg, rivals_of, typed

ALL = {"d": "L", "tau": "L", "sigma_B": "L"}

own = formula(
    "gradfeat-xor-own-activation",
    states="gradfeat-xor-activation",
    title="A nice neuron on its own cluster, as printed",
    expect="fail",
    covers="own",
    reads={**ALL, "w": "L", "j": "L", "x": "L"},
    says="erfc(L/(6*sqrt(2)))/2 <= exp(-L**2/50)",
    over="L in [20, oo)",
)

own_short = formula(
    "gradfeat-xor-own-activation-short",
    states="gradfeat-xor-activation",
    title=r"A nice neuron with $\|w\|\le\sqrt d\,\sigma_w$ on its own cluster",
    role="corrected",
    corrects="gradfeat-xor-own-activation",
    says="erfc(L/(5*sqrt(2)))/2 <= exp(-L**2/50)",
    over="L in (0, oo)",
    rivals={"exponent tau/40": "erfc(L/(5*sqrt(2)))/2 <= exp(-L**2/40)"},
)

MILLS = formula_leg(
    "tail from below",
    typed("erfc(y/sqrt(2))/2 > y*exp(-y**2/2)/(sqrt(2*pi)*(y**2 + 1))", over="y in (0, oo)"),
)
SHIFT = formula_leg(
    "shifted by sqrt 2",
    typed("exp(-(L - sqrt(2))**2/2) == exp(-L**2/2)*exp(sqrt(2)*L - 1)", over="L in R"),
)
GROWS = formula_leg(
    "the factor grows",
    typed(
        "(L - sqrt(2))*exp(sqrt(2)*L - 1)/(sqrt(2*pi)*((L - sqrt(2))**2 + 1)) > L",
        over="L in [4, oo)",
    ),
)

others = formula(
    "gradfeat-xor-other-activation",
    states="gradfeat-xor-activation",
    title="A nice neuron on other clusters, as printed",
    expect="fail",
    covers="others",
    reads={"d": "L", "w": "L", "x": "L"},
    says="erfc((L - sqrt(2))/sqrt(2))/2 <= C*exp(-L**2/2)",
    over=["C in [4, oo)", "L in [C, oo)"],
)

others_grow = claim(
    "gradfeat-xor-other-activation-grows",
    states="gradfeat-xor-activation",
    title="No constant bounds a nice neuron on other clusters",
    says=r"$Q(L-\sqrt2)\,e^{L^2/2}>L$ for every $L\ge4$, so that no constant serves all large $d$.",
    role="corrected",
    corrects="gradfeat-xor-other-activation",
    legs=[MILLS, SHIFT, GROWS],
    rivals=[
        *rivals_of(MILLS, {"without the 1": "erfc(y/sqrt(2))/2 > exp(-y**2/2)/(sqrt(2*pi)*y)"}),
        *rivals_of(
            SHIFT, {"exponent 2 L": "exp(-(L - sqrt(2))**2/2) == exp(-L**2/2)*exp(2*L - 1)"}
        ),
        *rivals_of(
            GROWS,
            {
                "without the exponential": "(L - sqrt(2))/(sqrt(2*pi)*((L - sqrt(2))**2 + 1)) > L",
            },
        ),
    ],
)
