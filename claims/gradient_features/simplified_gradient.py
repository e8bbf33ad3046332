r"""Definition 3.5: the simplified gradient of a Gaussian mixture.

Setting. G(w, b) = E[y x 1{<w, x> > b}]; x ~ N(mu_l, s_l^2 I) with probability p_l and label y_l; a_l = <w, mu_l>, n =
|w| > 0, t_l = (a_l - b)/(s_l n).

Statement. G = sum_l p_l y_l (mu_l Phi(t_l) + s_l phi(t_l) w/|w|): given l, x = mu_l + s_l g w/|w| + (a part
orthogonal to w, independent of the indicator and of mean 0), the indicator is g > -t_l, P[g > -t] = Phi(t) and E[g
1{g > -t}] = phi(t).

Reference: lines 863-865, 5974-5976.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    claim,
    formula_leg,
    mean,
    reals,
    rivals_of,
    typed,
    variance_at_most,
    variant,
)

from ._beside import beside

bias = sp.symbols("bias", real=True)
# clusters (p, y, mu, s) of the plane, w = (6/5, 8/5) of length 2
CLUSTERS = [(Fraction(1, 3), 1, (2, 1), 1), (Fraction(2, 3), -1, (-1, Fraction(1, 2)), 2)]
WEIGHT = (Fraction(6, 5), Fraction(8, 5))


def first_entry(ns, rng, size, bias):
    """y x_1 1{<w, x> > b} of draws from the mixture. Shape (size,)."""
    which, noise = rng.uniform((size,)) < ns.asarray(CLUSTERS[0][0]), rng.normal((size, 2))
    x = []
    for j in (0, 1):
        one, two = (ns.asarray(c[2][j]) + c[3] * noise[:, j] for c in CLUSTERS)
        x.append(ns.where(which, one, two))
    y = ns.where(which, 1, -1)
    above = ns.asarray(WEIGHT[0]) * x[0] + ns.asarray(WEIGHT[1]) * x[1] > ns.asarray(bias)
    return ns.where(above, y * x[0], 0 * x[0])


def first_entry_formula(density=1):
    """The first entry of the mixture's formula."""
    total = sp.Integer(0)
    for p, y, mu, s in CLUSTERS:
        along = sum(sp.Rational(u) * sp.Rational(v) for u, v in zip(WEIGHT, mu, strict=True))
        t = (along - bias) / (2 * s)
        below = 1 - sp.erfc(t / sp.sqrt(2)) / 2
        phi = sp.exp(-(t**2) / 2) / sp.sqrt(2 * sp.pi)
        total += sp.Rational(p) * y * (mu[0] * below + density * s * sp.Rational(3, 5) * phi)
    return total


# one cluster, one coordinate: <x, e> = mu + s (c g + rho h), c = <w, e>/|w|, h independent of g;
# al = <w, mu_l>, v = |w|
LAW = "g, h ~ N(0, 1)"
ONE_CLUSTER = "E[(mu + s*(c*g + rho*h))*Piecewise((1, al + s*v*g > b), (0, True))]"
VALUE = "mu*Phi((al - b)/(s*v)) + s*c*exp(-((al - b)/(s*v))**2/2)/sqrt(2*pi)"
CLUSTER = formula_leg(
    "one cluster",
    typed(
        f"{ONE_CLUSTER} == {VALUE}",
        over=["mu, al, b, c, rho in R", "s in (0, oo)", "v in (0, oo)", LAW],
    ),
)
AT_ONE = [*(f"{name} in {{1}}" for name in ("mu", "al", "c", "rho")), "b in {2}"]
# F, D: Phi and phi at t_l
SUM = "Sum(p[l]*y[l]*(mu[l]*F[l] + s[l]*c*D[l]), (l, 1, r))"
PARTS = "Sum(p[l]*y[l]*mu[l]*F[l], (l, 1, r)) + c*Sum(p[l]*y[l]*s[l]*D[l], (l, 1, r))"
CLUSTERED = formula_leg(
    "all clusters",
    typed(
        f"{SUM} == {PARTS}",
        over=["r in 1..oo", "p[l], y[l], mu[l], s[l], F[l], D[l] in R for l in 1..r", "c in R"],
    ),
)
# v = s_l |w| > 0: <w, x> = a + v g is above b exactly if g > -t
EVENT = formula_leg(
    "event",
    typed(
        "a + v*g - b == v*(g - (-(a - b)/v))", over=["a in R", "b in R", "g in R", "v in (0, oo)"]
    ),
)
MASS = formula_leg(
    "probability",
    typed("Integral(exp(-x**2/2)/sqrt(2*pi), (x, -t, oo)) == Phi(t)", over="t in R"),
)
MEAN = formula_leg(
    "truncated mean",
    typed(
        "Integral(x*exp(-x**2/2)/sqrt(2*pi), (x, -t, oo)) == exp(-t**2/2)/sqrt(2*pi)", over="t in R"
    ),
)

mixture = claim(
    "gradfeat-simplified-gradient-mixture",
    states="gradfeat-simplified-gradient",
    title="The simplified gradient of a Gaussian mixture",
    says=r"$G(w,b)=\sum_lp_ly_l\big(\mu_l\Phi(t_l)+s_l\varphi(t_l)\tfrac w{\|w\|}\big)$, $t_l=\frac{\langle "
    r"w,\mu_l\rangle-b}{s_l"
    r"\|w\|}$, for all $w\ne0$ and $b$.",
    covers="mixture-form",
    reads={"p": "r p", "y": "r y", "mu": "mu al", "w": "c v al"},
    domain={bias: reals()},
    grid={"smoke": {bias: [0]}, "standard": {bias: [Fraction(1, 2)]}},
    closed_form=first_entry_formula(),
    legs=[
        CLUSTER,
        CLUSTERED,
        EVENT,
        MASS,
        MEAN,
        beside(
            "draws",
            first_entry,
            "G_1(w,b)",
            r"\sum_lp_ly_l\big(\mu_{l1}\Phi(t_l)+s_l\varphi(t_l)\tfrac{w_1}{\|w\|}\big)",
            statistic=mean(variance_at_most(6)),
            target=Fraction(1, 5),
            where=sp.And(bias >= 0, bias <= 1),
        ),
    ],
    rivals=[
        variant("without the density", closed_form=first_entry_formula(0), leg="draws"),
        *rivals_of(
            CLUSTER,
            {
                "half of the density": {
                    "says": f"{ONE_CLUSTER} == {VALUE.replace('s*c*', 's*c/2*')}",
                    "over": [*AT_ONE, "s in (0, oo)", "v in (0, oo)", LAW],
                }
            },
        ),
        *rivals_of(CLUSTERED, {"the other sign": f"{SUM} == {PARTS.replace('+ c*', '- c*')}"}),
        *rivals_of(EVENT, {"g > t": "a + v*g - b == v*(g - (a - b)/v)"}),
        *rivals_of(MASS, {"from t on": "Integral(exp(-x**2/2)/sqrt(2*pi), (x, t, oo)) == Phi(t)"}),
        *rivals_of(
            MEAN,
            {
                "t phi(t)": "Integral(x*exp(-x**2/2)/sqrt(2*pi), (x, -t, oo)) == t*exp(-t**2/2)/sqrt(2*pi)",
            },
        ),
    ],
)
