r"""Definition E.4 with its signs corrected, and the split of the loss in section 4.

Setting. r = (1 - l_p) h(x++) - sum_s l_s h(x_s), h = psi + phi (`soft_threshold`), g the gate 1{|<w, x+>| >= b}, x+ =
2 D x; <x+, M_j> = z_j + <M_j, (2 D - I) M z> + <M_j, 2 D xi> for orthonormal columns.

Statements. (1) E r g <x+, M_j> is the sum of Psi, Phi (psi resp. phi in place of h, against z_j) and of E1, E2 (r
against the second and the third part), sample by sample. (2) Along a direction beside the columns z_j is not there:
E1 + E2 alone. (3) The loss -tau log(e^(S_p/tau)/sum_x e^(S_x/tau)) is -S_p + tau log sum_x e^(S_x/tau), the sum with
the positive in it.

Reference: lines 1200-1220 and 250-256; the definition prints r with a plus.
"""

from __future__ import annotations

from theorycheck import claim, formula_leg, rivals_of, typed

# k F and k H stand for the sums of l_s psi and l_s phi over the negatives
PARTS = formula_leg("residual", typed(
    "(1 - l)*(f + h) - k*(F + H) == ((1 - l)*f - k*F) + ((1 - l)*h - k*H)",
    over=[f"{x} in R" for x in ("l", "k", "f", "h", "F", "H")]), over="i j W b tau")  # fmt: skip
# P and R are its two parts
TERMS = formula_leg("a sample", typed(
    "(P + R)*g*(z + a + e) == P*g*z + R*g*z + (P + R)*g*a + (P + R)*g*e",
    over=[f"{x} in R" for x in ("P", "R", "g", "z", "a", "e")]), over="i j W b tau")  # fmt: skip

four = claim(
    "decoupling-four-terms",
    states="decoupling-gradient-expansion",
    title="The gradient along a column in four terms",
    says=r"$-\langle\nabla_{w_i}L,M_j\rangle=\Psi+\Phi+\mathcal E_1+\mathcal E_2$ with "
    r"$r=(1-\ell'_p)h(x^{++})-\sum_s\ell'_s"
    r"h(x_{n,s})$.",
    role="corrected",
    covers="four-terms",
    legs=[PARTS, TERMS],
    rivals=[
        *rivals_of(PARTS, {"a plus before the negatives":
            "(1 - l)*(f + h) - k*(F + H) == ((1 - l)*f + k*F) + ((1 - l)*h + k*H)"}),
        *rivals_of(TERMS, {"without Phi": "(P + R)*g*(z + a + e) == P*g*z + (P + R)*g*a + (P + R)*g*e"}),
    ],
)  # fmt: skip

BESIDE = formula_leg("a sample", typed("r*g*(0 + a + b) == r*g*a + r*g*b", over=["r in R", "g in R", "a in R",
    "b in R"]),
                     over="j")  # fmt: skip

dense = claim(
    "decoupling-dense-terms",
    states="decoupling-gradient-expansion",
    title="The gradient beside the columns",
    says=r"$-\langle\nabla_{w_i}L,M_j^\perp\rangle=\mathcal E_1+\mathcal E_2$.",
    covers="dense-direction",
    legs=[BESIDE],
    rivals=rivals_of(BESIDE, {"E1 alone": "r*g*(0 + a + b) == r*g*a"}),
)  # fmt: skip

# R is the sum over the negatives
SPLIT = formula_leg("loss", typed(
    "-tau*log(exp(p/tau)/(exp(p/tau) + R)) == -p + tau*log(exp(p/tau) + R)", over=["tau > 0", "p in R", "R > 0"]),
    over="Sim")  # fmt: skip

split = claim(
    "decoupling-loss-split",
    title="Alignment and uniformity",
    says=r"$\mathcal L=-\mathrm{Sim}(x_p,x_p')+\tau\log\sum_{x\in\mathfrak B}e^{\mathrm{Sim}(x_p,x)/\tau}$.",
    covers="split",
    legs=[SPLIT],
    rivals=rivals_of(SPLIT, {
        "without the positive": "-tau*log(exp(p/tau)/(exp(p/tau) + R)) == -p + tau*log(R)",
        "without tau": "-tau*log(exp(p/tau)/(exp(p/tau) + R)) == -p + log(exp(p/tau) + R)",
    }),
)  # fmt: skip

LEAST = formula_leg("never negative", typed(
    "-tau*log(e/(e + R)) >= 0", over=["tau > 0", "e > 0", "R in [0, oo)"]), over="s d q N")  # fmt: skip
FLAT = formula_leg("at an empty code", typed(
    "-tau*log(1/(N + 1)) == tau*log(N + 1)", over=["tau > 0", "N in 1..oo"]), over="s d q")  # fmt: skip
# y is the mean loss over the other codes
MEAN = formula_leg("mean", typed(
    "(1 - q)**d*(-tau*log(1/(N + 1))) + (1 - (1 - q)**d)*y >= tau*(1 - q)**d*log(N + 1)",
    over=["q in [0, 1]", "d in 1..oo", "N in 1..oo", "tau > 0", "y >= 0"]), over="s")  # fmt: skip

floor = claim(
    "decoupling-loss-floor",
    states="decoupling-optimality",
    title="Empty codes keep the loss up",
    says=r"$\tilde L\ge\tau(1-q)^d\log(N+1)$ for every logit scale: at $z_p=0$ all logits are equal.",
    role="derived",
    covers="floor",
    legs=[LEAST, FLAT, MEAN],
    rivals=[
        *rivals_of(LEAST, {"above tau/9": "-tau*log(e/(e + R)) >= tau/9"}),
        *rivals_of(FLAT, {"log N": "-tau*log(1/(N + 1)) == tau*log(N)"}),
        *rivals_of(MEAN, {"for every code":
            "(1 - q)**d*(-tau*log(1/(N + 1))) + (1 - (1 - q)**d)*y >= tau*log(N + 1)"}),
    ],
)  # fmt: skip
