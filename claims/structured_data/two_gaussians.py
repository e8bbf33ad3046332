r"""Appendix A.8.1: two Gaussians as a member of the general family.

Setting. D = k = 1, M = v with |v| = 1, y = 1 where the pattern is on; x = pattern v + zeta, zeta ~ N(0, sigma^2 I).

Statements. (1) Given y the input is v/2 + y v/2 + zeta: pattern = (1 + y)/2. (2) With balanced classes the likelihood
of y = 1 exceeds that of -1 where <v, x> > 1/2, the coordinates off v having one law, and that rule errs with
probability Q(1/(2 sigma)) (derived).

Reference: the example of lines 4281-4283.
"""

from __future__ import annotations

from fractions import Fraction

from flint import acb, arb, ctx

from theorycheck import claim, formula, formula_leg, instances, leg, rivals_of, typed, variant

from ._balls import BITS, ONE_POINT, number


def least_error(s):
    """Half of the integral of the smaller of the two densities along v, which meet at 1/2. Shape ()."""
    with ctx.workprec(BITS):
        scale = number(s)

        def density(centre):
            return lambda x, _analytic: (
                (-(((x - centre) / scale) ** 2) / 2).exp() / (scale * (2 * arb.pi()).sqrt())
            )

        half, reach = number(Fraction(1, 2)), 30 * scale
        low = acb.integral(density(1), half - reach, half).real
        high = acb.integral(density(0), half, half + reach).real
        return (low + high) / 2 + arb(0, 1e-90)


def stated_error(s, distance=Fraction(1, 2)):
    """Q(1/(2 sigma)). Shape ()."""
    with ctx.workprec(BITS):
        return (number(distance) / number(s) / arb(2).sqrt()).erfc() / 2


def at_the_whole_distance(s):
    return stated_error(s, distance=1)


def a_noise(rng):
    return {"s": Fraction(int(rng.integers(1, 20)), 8)}


mixture = formula(
    "structured-two-gaussians-mixture",
    states="structured-general-two-gaussians",
    title="The input given the label",
    says="(1 + y)/2*v + z == v/2 + y*v/2 + z",
    over=["y in {-1, 1}", "v in R", "z in R"],
    covers="mixture",
    reads={"prob_phit": "y"},
    rivals={
        "means -v and v": "(1 + y)/2*v + z == y*v + z",
        "centred": "(1 + y)/2*v + z == y*v/2 + z",
    },
)

SHARE = "1/2"
"""Of y = 1: balanced classes, here and in the error."""
DENSITIES = f"{SHARE}*exp(-(x - 1)**2/(2*s**2)) - (1 - {SHARE})*exp(-x**2/(2*s**2))"
"""Of the two labels along v, up to a common factor."""
ABOVE = formula_leg(
    "from 1/2 on", typed(f"{DENSITIES} >= 0", over=["x in [1/2, oo)", "s > 0"]), over="sig_zeta"
)
BELOW = formula_leg(
    "up to 1/2", typed(f"{DENSITIES} <= 0", over=["x in (-oo, 1/2]", "s > 0"]), over="sig_zeta"
)
ERROR = formula_leg(
    "error",
    typed(
        f"(1 - {SHARE})*P[s*g > 1/2] + {SHARE}*P[1 + s*g <= 1/2] == Q(1/(2*s))",
        over=["s > 0", "g ~ N(0, 1)"],
    ),
    over="sig_zeta",
)

bayes = claim(
    "structured-two-gaussians-bayes",
    lhs=r"\tfrac12\int\min(p_1,p_{-1})",
    tex=r"Q\Big(\frac1{2\sigma_\zeta}\Big)",
    states="structured-general-two-gaussians",
    title="Bayes error of two Gaussians",
    says=r"With balanced classes the best rule is $\langle v,x\rangle>\frac12$, and errs with probability "
    r"$Q(1/(2\sigma_\zeta))$.",
    role="derived",
    covers="bayes",
    **ONE_POINT,
    legs=[
        leg(
            "integrated",
            least_error,
            reference=stated_error,
            required=False,
            instances=instances(a_noise, "s", smoke=3, standard=6),
        ),
        ABOVE,
        BELOW,
        ERROR,
    ],
    rivals=[
        variant("at the whole distance", reference=at_the_whole_distance, leg="integrated"),
        *rivals_of(ABOVE, {"from 0 on": {"over": ["x in [0, oo)", "s > 0"]}}),
        *rivals_of(BELOW, {"up to 1": {"over": ["x in (-oo, 1]", "s > 0"]}}),
        *rivals_of(
            ERROR,
            {"Q(1/sigma)": f"(1 - {SHARE})*P[s*g > 1/2] + {SHARE}*P[1 + s*g <= 1/2] == Q(1/s)"},
        ),
    ],
)
