r"""Definition 3.5: the simplified gradient of a Gaussian mixture.

Setting. G(w, b) = E[y x 1{<w, x> > b}]; x ~ N(mu_l, s_l^2 I) with probability p_l and label y_l; a_l = <w, mu_l>, n =
|w| > 0, t_l = (a_l - b)/(s_l n).

Statement. G = sum_l p_l y_l (mu_l Phi(t_l) + s_l phi(t_l) w/|w|): given l, x = mu_l + s_l g w/|w| + (a part
orthogonal to w, independent of the indicator and of mean 0), the indicator is g > -t_l, P[g > -t] = Phi(t) and E[g
1{g > -t}] = phi(t).

Reference: lines 863-865, 5974-5976.
"""

from __future__ import annotations

from theorycheck import claim, formula_leg, rivals_of, typed

EVERY = "p y mu w b"
# v = s_l |w| > 0: <w, x> = a + v g is above b exactly if g > -t
EVENT = formula_leg(
    "event",
    typed(
        "a + v*g - b == v*(g - (-(a - b)/v))", over=["a in R", "b in R", "g in R", "v in (0, oo)"]
    ),
    over=f"{EVERY} s",
)
MASS = formula_leg(
    "probability",
    typed("Integral(exp(-x**2/2)/sqrt(2*pi), (x, -t, oo)) == Phi(t)", over="t in R"),
    over=f"{EVERY} s",
)
MEAN = formula_leg(
    "truncated mean",
    typed(
        "Integral(x*exp(-x**2/2)/sqrt(2*pi), (x, -t, oo)) == exp(-t**2/2)/sqrt(2*pi)", over="t in R"
    ),
    over=f"{EVERY} s",
)

mixture = claim(
    "gradfeat-simplified-gradient-mixture",
    states="gradfeat-simplified-gradient",
    title="The simplified gradient of a Gaussian mixture",
    says=r"$G(w,b)=\sum_lp_ly_l\big(\mu_l\Phi(t_l)+s_l\varphi(t_l)\tfrac w{\|w\|}\big)$, $t_l=\frac{\langle "
    r"w,\mu_l\rangle-b}{s_l"
    r"\|w\|}$, for all $w\ne0$ and $b$.",
    covers="mixture-form",
    legs=[EVENT, MASS, MEAN],
    rivals=[
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
