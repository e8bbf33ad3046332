r"""Linear training without augmentation: growth of the modes, shares, times, and the size of dense representations.

Setting. No bias, uniform logits 1/(N + 1): r = 1 - 1/(N + 1). Sigma = q M M^T + s2 I.

Statements. (1) A step adds eta (E (1 - 1/(N + 1)) <w, x> x - E sum_s <w, x_s> x/(N + 1) - lambda w) in the mean, and
negatives are independent of x: sparse modes multiply by 1 + eta (r (q + s2) - lambda), dense ones by 1 + eta (r s2 -
lambda). (2) With e^u the dense factor and e^(u (1 + rho)) the sparse one, R = e^(u t): the sparse share of mean
energies d : d1 - d at the start is 1/(1 + (d1/d - 1) R^(-2 rho)). (3) The dense norm has grown by R after log R/log(1
+ eta (r s2 - lambda)) steps. (4) For orthogonal w_i of equal length beside the columns, S the sum of their squares,
f(x) is N(0, v I), v = s2 S/m: E |f|^2 = s2 S, and <f, f'> has standard deviation s2 S/sqrt m. (5) The overview has
|f(x)|^2 >= c tau log d once S reaches tau log d; its mean is C_xi sqrt(log d)/d tau log d, less than c/2 times that
for all large d.

Reference: Theorem 3.2 and A.5, lines 208-214 and 411-421; Lemma F.2, lines 1766-1786; Lemma F.3, line 1788.
"""

from __future__ import annotations

from theorycheck import claim, formula_leg, rivals_of, typed

NOISE = ["N in 1..oo", "s > 0", "g, h ~ N(0, s**2)"]
SPARSE = formula_leg("sparse mode", typed(
    "(1 - 1/(N + 1))*E[(R*B + g)**2] - N/(N + 1)*E[(R*B + g)*(S*C + h)] == (1 - 1/(N + 1))*(q + s**2)",
    over=["q in [0, 1]", "R, S ~ Rademacher", "B, C ~ Bernoulli(q)", *NOISE]), over="W_t eta lambda batch")  # fmt: skip
DENSE = formula_leg("dense mode", typed(
    "(1 - 1/(N + 1))*E[g**2] - N/(N + 1)*E[g*h] == (1 - 1/(N + 1))*s**2", over=NOISE),
        over="W_t eta lambda batch")  # fmt: skip
# the products with other modes of x have mean 0
OTHERS = formula_leg("other modes", typed("E[g*h] == 0", over=NOISE), over="W_t eta lambda batch")

growth = claim(
    "decoupling-noaug-growth",
    states="decoupling-noaug-dense",
    title="Growth of the modes without augmentation",
    says=r"$\mathbb E[W']=W(I+\eta(r\Sigma-\lambda I))$ at uniform logits, $r=1-\frac1{N+1}$.",
    role="derived",
    covers="mean-growth",
    legs=[SPARSE, DENSE, OTHERS],
    rivals=[
        *rivals_of(SPARSE, {"r = 1": "(1 - 1/(N + 1))*E[(R*B + g)**2] - N/(N + 1)*E[(R*B + g)*(S*C + h)] == q + s**2"}),
        *rivals_of(DENSE, {"the masked rate": "(1 - 1/(N + 1))*E[g**2] - N/(N + 1)*E[g*h] == 0"}),
        *rivals_of(OTHERS, {"the mode itself": "E[g*g] == 0"}),
    ],
)  # fmt: skip

SHARE = formula_leg("shares", typed(
    "d*exp(2*t*u*(1 + rho))/(d*exp(2*t*u*(1 + rho)) + (D - d)*exp(2*t*u)) == 1/(1 + (D/d - 1)*exp(t*u)**(-2*rho))",
    over=["u > 0", "rho > 0", "t > 0 real", "d > 0 real", "D in (d, oo)"]),
        over="R d1 q sigma2 lambda eta")  # fmt: skip
# e^u and e^(u (1 + rho)) are the two factors: rho is the quotient of the logarithms less 1
QUOTIENT = formula_leg("exponent", typed("v/u - 1 == (v - u)/u and exp(u*(1 + (v/u - 1))) == exp(v)",
                                         over=["u > 0", "v in (u, oo)"]),
                                             over="R d1 d q sigma2 lambda eta")  # fmt: skip

share = claim(
    "decoupling-sparse-share",
    states="decoupling-noaug-dense",
    title="The sparse share as dense norms grow",
    says=r"While logits are uniform the share of mean energies is $\big(1+(\frac{d_1}d-1)R^{-2\rho}\big)^{-1}$.",
    role="derived",
    covers="sf-law",
    legs=[SHARE, QUOTIENT],
    rivals=[
        *rivals_of(SHARE, {"R^-rho":
            "d*exp(2*t*u*(1 + rho))/(d*exp(2*t*u*(1 + rho)) + (D - d)*exp(2*t*u))"
            " == 1/(1 + (D/d - 1)*exp(t*u)**(-rho))"}),
        *rivals_of(QUOTIENT, {"v/u": "v/u - 1 == (v - u)/u and exp(u*(1 + v/u)) == exp(v)"}),
    ],
)  # fmt: skip

TIME = formula_leg(
    "time", typed("exp(u)**(log(R)/u) == R", over=["u > 0", "R in (1, oo)"]), over="lambda"
)

time = claim(
    "decoupling-growth-time",
    states="decoupling-noaug-norm",
    title="Time of growth without augmentation",
    says=r"Dense norms have grown by $R$ after $\log R/\log(1+\eta(r\sigma_\xi^2-\lambda))$ steps.",
    role="derived",
    covers="growth-time",
    legs=[TIME],
    rivals=rivals_of(TIME, {"log R/(e^u - 1)": "exp(u)**(log(R)/(exp(u) - 1)) == R"}),
)  # fmt: skip

# v is s2 S/m
SIZE = formula_leg(
    "size", typed("m*E[g**2] == m*v", over=["m in 1..oo", "v > 0", "g ~ N(0, v)"]), over="W x"
)
SPREAD = formula_leg(
    "spread",
    typed("m*E[g**2*h**2] == (m*v)**2/m", over=["m in 1..oo", "v > 0", "g, h ~ N(0, v)"]),
    over="W x",
)
ENTRIES = formula_leg(
    "entries",
    typed("s2*(S/m) == s2*S/m and s2*0 == 0", over=["s2 > 0", "S > 0", "m in 1..oo"]),
    over="W x",
)

law = claim(
    "decoupling-dense-law",
    states="decoupling-noaug-dense-loss",
    title="Representations of dense features",
    says=r"For orthogonal $w_i$ of equal length beside the columns, $S=\sum\|w_i\|^2$: $f(x)\sim "
    r"N(0,\frac{\sigma_\xi^2S}mI)$, "
    r"$\mathbb E\|f\|^2=\sigma_\xi^2S$, and $\langle f,f'\rangle$ has deviation $\sigma_\xi^2S/\sqrt m$.",
    covers="gaussian-law",
    legs=[SIZE, SPREAD, ENTRIES],
    rivals=[
        *rivals_of(SIZE, {"v": "m*E[g**2] == v"}),
        *rivals_of(SPREAD, {"m v": "m*E[g**2*h**2] == (m*v)**2"}),
        *rivals_of(ENTRIES, {"all of S": "s2*(S/m) == s2*S and s2*0 == 0"}),
    ],
)  # fmt: skip

SMALL = "C*sqrt(L)*exp(-L) {} c/2"
LARGE = ["C > 0", "c in (0, C]", "L in (1 + 2*log(2*C/c), oo)"]
FAILS = formula_leg("half of it", typed(SMALL.format(">="), over=LARGE), over="W x d")
ROOT = formula_leg("root", typed("sqrt(L)*exp(-L) <= exp(-L/2)", over="L > 0"), over="W x d")
THERE = formula_leg("large d", typed("C*exp(-L/2) < c/2", over=LARGE), over="W x d")

overview = claim(
    "decoupling-overview-size",
    states="decoupling-noaug-dense",
    title="Self-similarity in the overview",
    says=r"$\|f(x)\|^2\ge c\,\tau\log d$ with high probability where $\sum\|w_i\|^2=\tau\log d$, dense: "
    r"half of it in the mean.",
    covers="overview-size",
    expect="fail",
    legs=[FAILS],
)

mean_size = claim(
    "decoupling-overview-mean",
    states="decoupling-noaug-dense",
    title="Mean self-similarity of dense features",
    says=r"There $\mathbb E\|f(x)\|^2=C_\xi\frac{\sqrt{\log d}}d\,\tau\log d<\frac c2\tau\log d$ for all "
    r"$d$ with $\log d>1+2\log"
    r"\frac{2C_\xi}c$.",
    role="corrected",
    corrects="decoupling-overview-size",
    covers="overview-size",
    legs=[ROOT, THERE],
    rivals=[
        *rivals_of(ROOT, {"e^(-L)": "sqrt(L)*exp(-L) <= exp(-L)"}),
        *rivals_of(THERE, {"from log(C/c)": {"over": ["C > 0", "c in (0, C]", "L in (log(C/c), oo)"]}}),
    ],
)  # fmt: skip
