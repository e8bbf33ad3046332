r"""Lemmas A.30 and A.31: typical neurons for an incoherent dictionary.

Setting. q = M^T w, w ~ N(0, sigma_w^2 I_d), unit columns with inner products of at most mu/sqrt(d), D mu/sqrt(d) <=
1/16; n = D - k background patterns. The eigenvalues l of the Gram matrix of any set of columns lie in [15/16, 17/16]
(Gershgorin), and |q_S|^2 is sigma_w^2 sum l_j g_j^2 with independent standard g_j, sum l_j = |S|.

Statements. (1) E |q_S|^2 = sigma_w^2 |S|, the trace, for any unit columns; the proof prints the squared Frobenius
norm. (2) By E e^(s l g^2) = (1 - 2 s l)^(-1/2) at s = 1/6 and s = -1/2, |q_S|^2 is off by more than half of |S| with
probability at most 2 e^(-3|S|/100); |w|^2, all l = 1 and d >= D - k, likewise. (3) So the two norm bounds of m
neurons fail with probability at most 4 m x^2, x = e^(-3n/200), which is at most 2 m x where it is below 1: c = 3/200.
(4) The maximum needs no independence.

Reference: Lemma A.30, lines 4402-4430; Lemma A.31, lines 4434-4440.
"""

from __future__ import annotations

from theorycheck import claim, formula, formula_leg, rivals_of, typed

from .typical_neuron import joined, maximum

SQUARE = typed("E[exp(s*g**2)] == 1/sqrt(1 - 2*s)", over=["s in (-oo, 1/2)", "g ~ N(0, 1)"])
LARGEST = typed("1/sqrt(1 - 2*(1/6)*l) <= 1/sqrt(1 - (1/3)*(17/16))", over="l in [15/16, 17/16]")
SMALLEST = typed("1/sqrt(1 + 2*(1/2)*l) <= 1/sqrt(1 + 15/16)", over="l in [15/16, 17/16]")
UPPER = typed(
    "(1/sqrt(1 - (1/3)*(17/16)))**n*exp(-(1/6)*(3*n/2)) <= exp(-3*n/100)", over="n in 1..oo"
)
LOWER = typed("(1/sqrt(1 + 15/16))**n*exp((1/2)*(n/2)) <= exp(-3*n/100)", over="n in 1..oo")
ALL = typed("Min(1, 4*m*x**2) <= 2*m*x", over=["m in 1..oo", "x in [0, 1]"])


def norms(over):
    """|w|^2 and the background norm within half of their means, but for 2 m exp(-c (D - k))."""
    square = formula_leg("one square", SQUARE, over=over)
    largest = formula_leg("largest eigenvalue", LARGEST, over=over)
    smallest = formula_leg("smallest eigenvalue", SMALLEST, over=over)
    upper = formula_leg("above 3n/2", UPPER, over=over, gives="c")
    lower = formula_leg("below n/2", LOWER, over=over)
    every = formula_leg("four tails", ALL, over=over)
    rate = "(1/sqrt(1 - (1/3)*(17/16)))**n*exp(-(1/6)*(3*n/2)) <= exp(-n/20)"
    wrong = [
        *rivals_of(square, {"variance 2": "E[exp(s*g**2)] == 1/sqrt(1 - s)"}),
        *rivals_of(largest, {"coherent": {"over": "l in [1/2, 3/2]"}}),
        *rivals_of(smallest, {"coherent, below": {"over": "l in [1/2, 3/2]"}}),
        *rivals_of(upper, {"rate 1/20": rate}),
        *rivals_of(
            lower, {"below 3n/4": "(1/sqrt(1 + 15/16))**n*exp((1/2)*(3*n/4)) <= exp(-3*n/100)"}
        ),
        *rivals_of(every, {"the whole rate": "Min(1, 4*m*x**2) <= 2*m*x**2"}),
    ]
    return [square, largest, smallest, upper, lower, every], wrong


one = claim(
    "structured-general-typical-neuron",
    states="structured-general-init",
    title="One neuron is typical, incoherent dictionary",
    says=r"For $D\mu/\sqrt d\le\frac1{16}$, with probability at least $1-\delta-2e^{-c(D-k)}$, $c=\frac3{200}$, "
    r"$\|w\|^2$ and "
    r"$\sum_{l\notin A}q_l^2$ are within half of their means and $\max_l|q_l|\le\sigma_w\sqrt{2\ln(D/\delta)}$.",
    covers="joint",
    **joined(maximum("M delta w"), norms("M delta w")),
)

many = claim(
    "structured-general-typical-neurons",
    states="structured-general-init-all",
    title="All neurons are typical, incoherent dictionary",
    says=r"With probability at least $1-\delta-2me^{-c(D-k)}$, $c=\frac3{200}$, all $m$ neurons have the "
    r"bounds, with "
    r"$\sqrt{2\ln(Dm/\delta)}$ for the maximum.",
    covers="weights",
    **joined(maximum("M m delta initialisation"), norms("M m delta initialisation")),
)

centre = formula(
    "structured-general-init-centre",
    states="structured-general-init",
    title="Mean of the squared norm of the pattern components",
    # q_l = c w_1 + r w_2 for a unit column with component c along w_1 and r across; S grows by one column
    says="sw**2*S + (c**2*E[(sw*g)**2] + 2*c*r*E[(sw*g)*(sw*h)] + r**2*E[(sw*h)**2]) == sw**2*(S + 1)",
    over=["sw > 0", "S in 0..oo", "c in [-1, 1]", "r in [-1, 1]", "g ~ N(0, 1)", "h ~ N(0, 1)"],
    where="c**2 + r**2 == 1",
    covers="centre",
    reads={"M": "c r"},
    rivals={"columns of any length": {"where": "c**2 + r**2 <= 2"}},
)
