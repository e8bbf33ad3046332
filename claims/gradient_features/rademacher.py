r"""Lemma B.78: the Rademacher complexity of a frozen layer's read-outs.

Setting. Features relu(w_j x - b_j) on a sample of n, read-outs with |a| <= B_a; the complexity is B_a E |sum_i s_i
f(x_i)|/n, at most B_a sqrt(E |f(x)|^2/n) by Jensen's inequality.

Statements. (1) Printed: at most B_a sqrt((|W|_F^2 B_x^2 + |b|^2)/n) for every law and bias. At n = 1, x = (1, 0), w =
e_1, b = -1 it is 2 B_a, above sqrt 2 B_a. (2) relu(u - b)^2 <= (u - b)^2 = u^2 + b^2 - 2 u b, whose last term has
mean 0 for centred x: right then. (3) relu(u - b)^2 <= u^2 for b >= 0: right then, for every law. (4) relu(u - b)^2 <=
2 u^2 + 2 b^2 always: right with a factor 2 inside the root.

Reference: lines 7742-7744.
"""

from __future__ import annotations

from theorycheck import claim, formula, formula_leg, rivals_of, typed

# one point, one feature with w = e_1: the complexity is exactly B_a relu(x - b)
printed = formula(
    "gradfeat-rademacher-printed",
    states="gradfeat-rademacher",
    title="Printed complexity of the last layer",
    expect="fail",
    covers="printed",
    reads={"W": "x", "law": "x", "n": "n"},
    says="B*relu(x - b)/n <= B*sqrt((x**2 + b**2)/n)",
    over=["x in {1}", "b in {-1}", "n in {1}", "B in (0, oo)"],
)

ALWAYS = "W b law"
# E |s_1 f_1 + ... + s_n f_n|^2 = sum |f_i|^2 for independent signs; m2 = E |f(x)|^2
ROOT = typed("B/n*sqrt(n*m2) == B*sqrt(m2/n)", over=["B in (0, oo)", "n in 1..oo", "m2 in [0, oo)"])
WRONG_ROOT = {"rate 1/n": "B/n*sqrt(n*m2) == B*sqrt(m2)/n"}
JENSEN = formula_leg("mean square", ROOT, over=ALWAYS)
SQUARE = formula_leg(
    "square", typed("relu(u - b)**2 <= u**2 + b**2 - 2*u*b", over=["u in R", "b in R"]), over=ALWAYS
)
POSITIVE = formula_leg(
    "square, b >= 0", typed("relu(u - b)**2 <= u**2", over=["u in R", "b in [0, oo)"]), over="W law"
)
TWICE = formula_leg(
    "square, any b",
    typed("relu(u - b)**2 <= 2*u**2 + 2*b**2", over=["u in R", "b in R"]),
    over="W law n",
)

centred = claim(
    "gradfeat-rademacher-centred",
    states="gradfeat-rademacher",
    title="Complexity of the last layer for centred inputs",
    says=r"$\mathfrak R_n\le\sqrt{B_{a2}^2(\|W\|_F^2B_x^2+\|b\|^2)/n}$ where $\mathbb E[x]=0$.",
    role="corrected",
    corrects="gradfeat-rademacher-printed",
    covers="centred",
    legs=[JENSEN, SQUARE],
    rivals=[
        *rivals_of(JENSEN, WRONG_ROOT),
        *rivals_of(SQUARE, {"without the mixed term": "relu(u - b)**2 <= u**2 + b**2"}),
    ],
)

positive = claim(
    "gradfeat-rademacher-positive",
    states="gradfeat-rademacher",
    title="Complexity of the last layer for biases of one sign",
    says=r"The printed bound holds for every law where all biases are at least 0.",
    role="derived",
    covers="nonneg-bias",
    legs=[JENSEN, POSITIVE],
    rivals=[
        *rivals_of(JENSEN, WRONG_ROOT),
        *rivals_of(POSITIVE, {"biases of either sign": {"over": ["u in R", "b in R"]}}),
    ],
)

corrected = claim(
    "gradfeat-rademacher-corrected",
    states="gradfeat-rademacher",
    title="Complexity of the last layer for every law",
    says=r"$\mathfrak R_n\le\sqrt{2B_{a2}^2(\|W\|_F^2B_x^2+\|b\|^2)/n}$ for every law and bias.",
    role="corrected",
    corrects="gradfeat-rademacher-printed",
    covers="corrected",
    legs=[JENSEN, TWICE],
    rivals=[
        *rivals_of(JENSEN, WRONG_ROOT),
        *rivals_of(TWICE, {"3/2": "relu(u - b)**2 <= 3*u**2/2 + 3*b**2/2"}),
    ],
)
