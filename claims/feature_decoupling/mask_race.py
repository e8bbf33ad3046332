r"""The race of a coordinate against its bias with the loss that masks bring, and logits to first order in the weights.

Setting of (1). A singleton w = alpha M_1 of a flat dictionary, noise below the gate, which is open exactly where z_1 !=
0, uniform logits; a mean step is alpha <- alpha + eta (P - lambda alpha), b <- b (1 + eta k), k = kappa/d, P = E 1{z_1
!= 0} (<w, x++> - b sign z_1) <M_1, x+> over codes and masks, and nothing along the other columns
(`decoupling-mask-error`).

Statements. (1) P = G alpha - q b, G = q (1 - (1 + (d - 1) q)/d1): <M_1, x+> = z_1 - s, <M_1, x++> = z_1 + s, given the
code s has mean 0 and mean square |z|^2/d1. So alpha/b -> rho + (alpha/b - rho) g at a step, rho = q/(G - lambda - k), g
= (1 + eta (G - lambda))/(1 + eta k), which is above 1 for G > lambda + k: the border of survival is rho.

(2) Without biases the logits of weights sqrt(S) U are S c_x/tau, c those of U. Where their range R = S (max c - min
c)/tau is at most 1, the largest distance of the n softmax weights from 1/n is between (1 - 1/e) R/(2 n) and (e - 1)
R/n: of first order in S, 1/tau and 1/n. A weight that is largest is 1/n at least, the least is e^-R of it.

Reference: lines 617-619 and 968-991.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import sympy as sp
from flint import arb, ctx

from theorycheck import (
    at_least,
    at_most,
    claim,
    formula_leg,
    instances,
    leg,
    rivals_of,
    typed,
    variant,
)

from ._dictionary import ONE_POINT, codes, dot, flat_columns
from ._gaussian import BITS, number

d, d1 = sp.symbols("d d1", integer=True, positive=True)
alpha, b, q, lam, eta, k = sp.symbols("alpha b q lam eta k", positive=True)
GAIN = q * (1 - (1 + (d - 1) * q) / d1)
NEXT = (alpha * (1 + eta * (GAIN - lam)) - eta * q * b) / (b * (1 + eta * k))


def mean_pull(alpha, b, d, d1, q, opposite=True):
    """E 1{z_1 != 0} (<w, x++> - b sign z_1) <M_1, x+> over all codes and masks. Shape ()."""
    columns, total = flat_columns(d, d1), Fraction(0)
    for z, p in codes(d, q):
        if not z[0]:
            continue
        # columns and x are scaled by sqrt(d1), so that products are by d1
        parts = [columns[0][i] * sum(z[j] * columns[j][i] for j in range(d)) for i in range(d1)]
        for D in product((0, 1), repeat=d1):
            first = Fraction(sum(2 * e * v for e, v in zip(D, parts, strict=True)), d1)
            second = Fraction(sum(parts) * 2, d1) - first if opposite else first
            total += p * (alpha * second - b * z[0]) * first / 2**d1
    return total


def ratio_after(alpha, b, d, d1, q, lam, eta, k, opposite=True):
    """alpha/b after a mean step. Shape ()."""
    pull = mean_pull(alpha, b, d, d1, q, opposite)
    return (alpha + eta * (pull - lam * alpha)) / (b * (1 + eta * k))


def one_mask(alpha, b, d, d1, q, lam, eta, k):
    return ratio_after(alpha, b, d, d1, q, lam, eta, k, opposite=False)


def a_race(rng):
    """Rates below a gain that is q/4 at least."""
    q, d = Fraction(1, int(rng.integers(2, 6))), int(rng.integers(1, 4))
    return {
        "alpha": Fraction(int(rng.integers(3, 9)), 2),
        "b": Fraction(int(rng.integers(2, 9)), 7),
        "d": d,
        "d1": 4 if d > 2 else 4 * int(rng.integers(1, 3)),
        "q": q,
        "lam": q / int(rng.integers(9, 40)),
        "eta": Fraction(1, int(rng.integers(1, 5))),
        "k": q / int(rng.integers(11, 40)),
    }


FIELDS = "alpha b d d1 q lam eta k"
SIZES = ["d in 1..oo", "d1 in d..oo", "q in (0, 1]", "lam in (0, oo)", "k in (0, oo)"]
MASKS = formula_leg(
    "over masks",
    typed(
        "E[(alpha*(z + m*(2*D - 1)) - b*z)*(z - m*(2*D - 1))] == alpha*(z**2 - m**2) - b*z**2",
        over=["alpha in R", "b in R", "z in R", "m in R", "D ~ Bernoulli(1/2)"],
    ),
    over="d d1 q",
)
# the mean of |z|^2 given z_1 != 0
PULL = formula_leg(
    "over codes",
    typed(
        f"q*(alpha*(1 - (1 + (d - 1)*E[(R*B)**2])/d1) - b) == ({GAIN})*alpha - q*b",
        over=[
            "alpha in R",
            "b in R",
            "q in [0, 1]",
            "d in 1..oo",
            "d1 in d..oo",
            "R ~ Rademacher",
            "B ~ Bernoulli(q)",
        ],
    ),
)
STEP = formula_leg(
    "a step",
    typed(
        f"(alpha + eta*(({GAIN})*alpha - q*b - lam*alpha))/(b*(1 + eta*k)) == {NEXT}",
        over=[*SIZES, "alpha > 0", "b > 0", "eta > 0"],
    ),
)
# x is alpha/b
FIXED = formula_leg(
    "distance to the border",
    typed(
        "(x*(1 + eta*(G - lam)) - eta*q)/(1 + eta*k) - q/(G - lam - k)"
        " == (x - q/(G - lam - k))*(1 + eta*(G - lam))/(1 + eta*k)",
        over=["q > 0", "lam > 0", "k > 0", "eta > 0", "x > 0", "G in (lam + k, oo)"],
    ),
    over="d d1",
)
GROWS = formula_leg(
    "border",
    typed(
        "(1 + eta*(G - lam))/(1 + eta*k) > 1",
        over=["lam > 0", "k > 0", "eta > 0", "G in (lam + k, oo)"],
    ),
    over="d d1 q",
)

race = claim(
    "decoupling-mask-race",
    lhs=r"\frac{\alpha_{t+1}}{b_{t+1}}",
    tex=r"\frac{\alpha_t(1+\eta(G-\lambda))-\eta qb_t}{b_t(1+\eta k)}",
    states="decoupling-bias-race",
    title="The border of survival with masks",
    says=r"With flat masks the border of $\alpha/b$ is $\rho=\frac q{q(1-(1+(d-1)q)/d_1)-\lambda-\kappa/d}$: a mean "
    r"step multiplies the distance to it by $g>1$.",
    role="derived",
    covers="mask-correction",
    closed_form=NEXT,
    **ONE_POINT,
    legs=[
        leg(
            "all codes and masks",
            ratio_after,
            required=False,
            instances=instances(a_race, FIELDS, smoke=4, standard=10),
        ),
        MASKS,
        PULL,
        STEP,
        FIXED,
        GROWS,
    ],
    rivals=[
        variant(
            "no loss",
            closed_form=(alpha * (1 + eta * (q - lam)) - eta * q * b) / (b * (1 + eta * k)),
            leg="all codes and masks",
        ),
        variant("one mask on both views", simulation=one_mask, leg="all codes and masks"),
        *rivals_of(
            MASKS,
            {
                "a gain": "E[(alpha*(z + m*(2*D - 1)) - b*z)*(z - m*(2*D - 1))] == "
                "alpha*(z**2 + m**2) - b*z**2"
            },
        ),
        *rivals_of(PULL, {"d q": f"q*(alpha*(1 - d*E[(R*B)**2]/d1) - b) == ({GAIN})*alpha - q*b"}),
        *rivals_of(
            STEP,
            {"the bias stays": f"(alpha + eta*(({GAIN})*alpha - q*b - lam*alpha))/b == {NEXT}"},
        ),
        *rivals_of(
            FIXED,
            {
                "of q/(G - lam)": "(x*(1 + eta*(G - lam)) - eta*q)/(1 + eta*k) - q/(G - lam)"
                " == (x - q/(G - lam))*(1 + eta*(G - lam))/(1 + eta*k)"
            },
        ),
        *rivals_of(GROWS, {"above 1 + eta": "(1 + eta*(G - lam))/(1 + eta*k) > 1 + eta"}),
    ],
)


def logits_of(U, x, batch, S, tau):
    """<f(x), f(y)>/tau over the batch for weights sqrt(S) U without biases."""
    with ctx.workprec(BITS):
        size = number(S).sqrt()

        def f(y):
            return [size * number(dot(u, y)) for u in U]

        return [
            sum((a * c for a, c in zip(f(x), f(y), strict=True)), arb(0)) / number(tau)
            for y in batch
        ]


def farthest(U, x, batch, S, tau):
    """The largest distance of a softmax weight from 1/n. Shape ()."""
    with ctx.workprec(BITS):
        values = [a.exp() for a in logits_of(U, x, batch, S, tau)]
        far = [abs(v / sum(values, arb(0)) - arb(1) / len(values)) for v in values]
        largest = far[0]
        for f in far[1:]:
            largest = largest.max(f)
        return largest


def first_order(U, x, batch, S, tau):
    """S/(tau n) times the range of <f(x), f(y)> at S = tau = 1."""
    products = [sum(dot(u, x) * dot(u, y) for u in U) for y in batch]
    return number(Fraction(S) / Fraction(tau) / len(batch) * (max(products) - min(products)))


def from_above(U, x, batch, S, tau):
    """(e - 1) times that. Shape ()."""
    with ctx.workprec(BITS):
        return (arb(1).exp() - 1) * first_order(U, x, batch, S, tau)


def from_below(U, x, batch, S, tau):
    """(1 - 1/e)/2 times that. Shape ()."""
    with ctx.workprec(BITS):
        return (1 - arb(-1).exp()) / 2 * first_order(U, x, batch, S, tau)


def second_order(U, x, batch, S, tau):
    """S^2 in place of S. Shape ()."""
    return from_above(U, x, batch, Fraction(S) ** 2, tau)


def by_root(U, x, batch, S, tau):
    with ctx.workprec(BITS):
        return from_below(U, x, batch, S, tau) / number(S).sqrt()


def a_batch(rng):
    """Integer weights and views with a range of 1 at most after scaling, S over three powers of ten."""
    n = int(rng.integers(2, 7))
    U = [[Fraction(int(rng.integers(-3, 4))) for _ in range(3)] for _ in range(2)]
    U[0][0] = Fraction(2)
    x = [Fraction(1), Fraction(0), Fraction(0)]
    batch = [[Fraction(int(rng.integers(-2, 3))) for _ in range(3)] for _ in range(n)]
    batch[0], batch[1] = (
        [Fraction(2), Fraction(0), Fraction(1)],
        [Fraction(-2), Fraction(1), Fraction(0)],
    )
    products = [sum(dot(u, x) * dot(u, y) for u in U) for y in batch]
    tau = Fraction(int(rng.integers(1, 5)), 2)
    S = tau / (max(products) - min(products)) / 10 ** int(rng.integers(1, 4))
    return {"U": U, "x": x, "batch": batch, "S": S, "tau": tau}


BATCHES = instances(a_batch, "U x batch S tau", smoke=4, standard=10)
NAMES = "S tau B_size"
SCALE = formula_leg(
    "a logit",
    typed(
        "(sqrt(S)*u)*(sqrt(S)*v)/tau == S*(u*v)/tau", over=["S > 0", "tau > 0", "u in R", "v in R"]
    ),
    over="B_size",
)
# s is the mean of e^(a_k - a_i) over the other n - 1 logits
ABOVE = formula_leg(
    "weight, from above",
    typed("1/(1 + (n - 1)*s) <= y/n", over=["n in 2..oo", "y in [1, oo)", "s in [1/y, oo)"]),
    over=NAMES,
)
UNDER = formula_leg(
    "weight, from below",
    typed(
        "1/n - 1/(1 + (n - 1)*s) <= (y - 1)/n", over=["n in 2..oo", "y in [1, oo)", "s in (0, y]"]
    ),
    over=NAMES,
)
CONVEX = formula_leg("from above", typed("exp(R) - 1 <= (E - 1)*R", over="R in [0, 1]"), over=NAMES)
# m is the largest weight, e^-R of it the least
BELOW = formula_leg(
    "largest and least",
    typed(
        "(m - 1/n) + (1/n - m*exp(-R)) >= (1 - exp(-R))/n",
        over=["n in 1..oo", "R in [0, oo)", "m in [1/n, oo)"],
    ),
    over=NAMES,
)
CONCAVE = formula_leg(
    "from below", typed("1 - exp(-R) >= (1 - exp(-1))*R", over="R in [0, 1]"), over=NAMES
)

first = claim(
    "decoupling-logits-first-order",
    lhs=r"\max_s|\ell'_s-\tfrac1n|",
    states="decoupling-logits-init",
    title="Softmax weights to first order",
    says=r"For weights $\sqrt SU$ without biases and logits of range $R=\frac S\tau\rho_U\le1$: "
    r"$\frac{1-1/e}2\frac Rn\le\max_s|\ell'_s-\frac1n|\le(e-1)\frac Rn$.",
    role="derived",
    covers="first-order",
    reads={"B_size": "batch"},
    **ONE_POINT,
    legs=[
        leg(
            "a network, from above",
            farthest,
            reference=from_above,
            relation=at_most(),
            required=False,
            tex=r"(e-1)\tfrac{S\rho_U}{\tau n}",
            instances=BATCHES,
        ),
        leg(
            "a network, from below",
            farthest,
            reference=from_below,
            relation=at_least(),
            required=False,
            tex=r"\tfrac{1-1/e}2\tfrac{S\rho_U}{\tau n}",
            instances=BATCHES,
        ),
        SCALE,
        ABOVE,
        UNDER,
        CONVEX,
        BELOW,
        CONCAVE,
    ],
    rivals=[
        variant("of second order", reference=second_order, leg="a network, from above"),
        variant("of order 1/2", reference=by_root, leg="a network, from below"),
        *rivals_of(SCALE, {"S^2": "(sqrt(S)*u)*(sqrt(S)*v)/tau == S**2*(u*v)/tau"}),
        *rivals_of(ABOVE, {"half of y": "1/(1 + (n - 1)*s) <= y/(2*n)"}),
        *rivals_of(UNDER, {"half": "1/n - 1/(1 + (n - 1)*s) <= (y - 1)/(2*n)"}),
        *rivals_of(CONVEX, {"R itself": "exp(R) - 1 <= R"}),
        *rivals_of(BELOW, {"twice": "(m - 1/n) + (1/n - m*exp(-R)) >= 2*(1 - exp(-R))/n"}),
        *rivals_of(CONCAVE, {"R from below": "1 - exp(-R) >= R"}),
    ],
)
