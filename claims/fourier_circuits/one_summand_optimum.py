"""Lemma 4.10 at k = 1: the best neuron of one summand, for every modulus.

Setting. k = 1; u, w are vectors on Z_p with the sums U, W; the wrong labels of input a have the mean
(W - w_a)/(p - 1) under uniform class weights, so J(u, w) = p^-1 sum_a u_a (w_a - (W - w_a)/(p - 1)).

Statements. J(u, u) = 1/(2(p-1)) = gamma* at every u of sum 0 and squared norm 1/2, whatever its frequencies. At
any u, w of squared norm 1 together the value falls short of that by a sum of squares, of (u_a - U/p) - (w_a - W/p),
U and W, over 2(p-1): none has more, and those that have it are the ones above.

Reference: Lemma 4.10, Theorem 4.9 (arXiv 2402.09469); program: `one_summand`.
"""

from __future__ import annotations

from theorycheck import claim, exactly, formula_leg, rivals_of, typed

VALUE = "Sum(u[a]*(u[a] - (Sum(u[x], (x, 1, p)) - u[a])/(p - 1)), (a, 1, p))/p"
sum_zero = formula_leg(
    "sum-zero vectors",
    typed(
        f"{VALUE} == 2*factorial(1)/(4*(p - 1))",
        over=["p in 2..oo", "u[a] in R for a in 1..p"],
        where=["Sum(u[a], (a, 1, p)) == 0", "Sum(u[a]**2, (a, 1, p)) == 1/2"],
    ),
    lhs=r"J(v,v)",
    tex=r"\frac1{2\,(p-1)}",
)
ANY = "Sum(u[a]*(w[a] - (W - w[a])/(p - 1)), (a, 1, p))/p"
MISSING = "(Sum((u[a] - U/p - w[a] + W/p)**2, (a, 1, p)) + (U**2 + W**2)/p)/(2*(p - 1))"
short = formula_leg(
    "any vectors",
    typed(
        f"{ANY} == 1/(2*(p - 1)) - {MISSING}",
        over=["p in 2..oo", "U, W in R", "u[a], w[a] in R for a in 1..p"],
        where=[
            "Sum(u[a], (a, 1, p)) == U",
            "Sum(w[a], (a, 1, p)) == W",
            "Sum(u[a]**2, (a, 1, p)) + Sum(w[a]**2, (a, 1, p)) == 1",
        ],
    ),
    lhs=r"J(u,w)",
    tex=r"\frac{1-\sum_a(u_a-\bar u-w_a+\bar w)^2-(U^2+W^2)/p}{2\,(p-1)}",
)
one_summand = claim(
    "fourier-single-neuron-one-summand",
    states="fourier-single-neuron",
    title="One summand: the maximum and all that have it, for every modulus",
    says=r"At $k=1$ and every $p$ each sum-zero $v$ of squared norm $1/2$ has $J(v,v)=\gamma^*$, and any other "
    "unit neuron falls short of it by a sum of squares that does not vanish.",
    role="derived",
    covers="fourier-single-neuron/k-equal-1",
    legs=[sum_zero, short],
    rivals=[
        *exactly(sum_zero, short),
        *rivals_of(sum_zero, {"p for p - 1": f"{VALUE} == 2*factorial(1)/(4*p)"}),
        *rivals_of(short, {"half of it missing": f"{ANY} == 1/(2*(p - 1)) - {MISSING}/2"}),
    ],
)
