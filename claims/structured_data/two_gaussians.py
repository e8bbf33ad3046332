r"""Appendix A.8.1: two Gaussians as a member of the general family.

Setting. D = k = 1, M = v with |v| = 1, y = 1 where the pattern is on; x = pattern v + zeta, zeta ~ N(0, sigma^2 I).

Statements. (1) Given y the input is v/2 + y v/2 + zeta: pattern = (1 + y)/2. (2) With balanced classes the likelihood
of y = 1 exceeds that of -1 where <v, x> > 1/2, the coordinates off v having one law, and that rule errs with
probability Q(1/(2 sigma)) (derived). With a share w of y = 1 it does from t = 1/2 + sigma^2 log((1 - w)/w) on, and errs
with probability w Q((1 - t)/sigma) + (1 - w) Q(t/sigma).

Reference: the example of lines 4281-4283.
"""

from __future__ import annotations

from fractions import Fraction

from flint import acb, arb, ctx

from theorycheck import (
    choices,
    claim,
    formula,
    formula_leg,
    instances,
    leg,
    reals,
    rivals_of,
    typed,
    variant,
)

from ._balls import BITS, ONE_POINT, number


def meeting(s, w):
    """Where w times the one density is 1 - w times the other. Shape ()."""
    return number(Fraction(1, 2)) + number(s) ** 2 * number((1 - w) / w).log()


def least_error(s, w):
    """Integral of the smaller of w p_1 and (1 - w) p_-1 along v. Shape ()."""
    with ctx.workprec(BITS):
        scale, at = number(s), meeting(s, w)

        def density(centre):
            return lambda x, _analytic: (
                (-(((x - centre) / scale) ** 2) / 2).exp() / (scale * (2 * arb.pi()).sqrt())
            )

        reach = 30 * scale
        low = acb.integral(density(1), at.min(arb(1)) - reach, at).real
        high = acb.integral(density(0), at, at.max(arb(0)) + reach).real
        return number(w) * low + number(1 - w) * high + arb(0, 1e-90)


def error_from(at, s, w):
    """That of the rule <v, x> > ``at``: w Q((1 - at)/sigma) + (1 - w) Q(at/sigma). Shape ()."""
    root = number(s) * arb(2).sqrt()
    return (number(w) * ((1 - at) / root).erfc() + number(1 - w) * (at / root).erfc()) / 2


def stated_error(s, w):
    with ctx.workprec(BITS):
        return error_from(meeting(s, w), s, w)


def error_from_half(s, w):
    """The rule of balanced classes, whatever their share: Q(1/(2 sigma))."""
    with ctx.workprec(BITS):
        return error_from(number(Fraction(1, 2)), s, w)


def at_the_whole_distance(s, w):
    """Of equal densities twice as far apart."""
    with ctx.workprec(BITS):
        return error_from(number(Fraction(1, 2)), Fraction(s) / 2, w)


def a_mixture(rng):
    """A noise and a share of y = 1."""
    return {
        "s": Fraction(int(rng.integers(1, 20)), 8),
        "w": Fraction(int(rng.integers(1, 10)), 10),
    }


def a_balanced_mixture(rng):
    return {**a_mixture(rng), "w": Fraction(1, 2)}


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

FIELDS = {"s": reals(0, low_open=True), "w": reals(0, 1, low_open=True, high_open=True)}
BALANCED = {**FIELDS, "w": choices(Fraction(1, 2))}
SHARE = "w in (0, 1)"
"""Of y = 1."""
MEETING = "1/2 + s**2*log((1 - w)/w)"
DENSITIES = "w*exp(-(x - 1)**2/(2*s**2)) - (1 - w)*exp(-x**2/(2*s**2))"
"""Of the two labels along v, up to a common factor."""
ABOVE = formula_leg(
    "from t on",
    typed(f"{DENSITIES} >= 0", over=["s > 0", SHARE, f"x in [{MEETING}, oo)"]),
    over="sig_zeta",
)
BELOW = formula_leg(
    "up to t",
    typed(f"{DENSITIES} <= 0", over=["s > 0", SHARE, f"x in (-oo, {MEETING}]"]),
    over="sig_zeta",
)
WRONG = f"(1 - w)*P[s*g > {MEETING}] + w*P[1 + s*g <= {MEETING}]"
ERROR = formula_leg(
    "error, balanced",
    typed(f"{WRONG} == Q(1/(2*s))", over=["s > 0", "w in {1/2}", "g ~ N(0, 1)"]),
    over="sig_zeta",
)

bayes = claim(
    "structured-two-gaussians-bayes",
    lhs=r"\int\min\big(w\,p_1,(1-w)\,p_{-1}\big)",
    tex=r"w\,Q\Big(\frac{1-t}{\sigma_\zeta}\Big)+(1-w)\,Q\Big(\frac t{\sigma_\zeta}\Big),\ "
    r"t=\tfrac12+\sigma_\zeta^2\log\tfrac{1-w}w",
    states="structured-general-two-gaussians",
    title="Bayes error of two Gaussians",
    says=r"With balanced classes the best rule is $\langle v,x\rangle>\frac12$, and errs with probability "
    r"$Q(1/(2\sigma_\zeta))$; with a share $w$ of $y=1$ it is $\langle v,x\rangle>\frac12+\sigma_\zeta^2"
    r"\log\frac{1-w}w$.",
    role="derived",
    covers="bayes",
    reads={"sig_zeta": "s"},
    **ONE_POINT,
    legs=[
        leg(
            "integrated",
            least_error,
            reference=stated_error,
            required=False,
            instances=instances(a_mixture, FIELDS, smoke=4, standard=8),
        ),
        leg(
            "integrated, balanced",
            least_error,
            reference=error_from_half,
            required=False,
            instances=instances(a_balanced_mixture, BALANCED, smoke=3, standard=6),
            lhs=r"\tfrac12\int\min(p_1,p_{-1})",
            tex=r"Q\Big(\frac1{2\sigma_\zeta}\Big)",
        ),
        ABOVE,
        BELOW,
        ERROR,
    ],
    rivals=[
        variant(
            "at the whole distance", reference=at_the_whole_distance, leg="integrated, balanced"
        ),
        variant("as if balanced", reference=error_from_half, leg="integrated"),
        *rivals_of(ABOVE, {"from 1/2 on": {"over": ["s > 0", SHARE, "x in [1/2, oo)"]}}),
        *rivals_of(BELOW, {"up to 1/2": {"over": ["s > 0", SHARE, "x in (-oo, 1/2]"]}}),
        *rivals_of(
            ERROR,
            {
                "Q(1/sigma)": f"{WRONG} == Q(1/s)",
                "any share": {"over": ["s > 0", SHARE, "g ~ N(0, 1)"]},
            },
        ),
    ],
)
