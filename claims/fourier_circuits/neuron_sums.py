"""Lemma C.5, Definition 4.6, section 4.3.3: sums over the neurons of a network, of any width.

Setting. psi_{h,x} are the outputs of neuron h (row) at the pairs x of an input and a label, N of them, for each
of m neurons; v_x = q(a) (1[c = s] - tau(a)[c]) are the coefficients of E_q g'; J the largest mean of one unit
neuron, e_h >= 0 what the direction of neuron h stays below it; n_h = |theta_h|^nu, of sum at most 1 in the unit
ball.

Statements. E_q g' of the sum of the neurons is the sum of their own. Neuron h contributes n_h (J - e_h) (it is
homogeneous of degree nu), so no network exceeds J and one neuron has J: the maxima agree. A neuron with n_h e_h
= a d leaves at least a d missing, so that a maximiser has no such neuron. Best neurons with sum alpha^nu = 1
have J. In the norm L_{2,b} m equal best neurons of unit norm have alpha = m^{-1/b} each, and m^{1 - nu/b} J.

Reference: Lemma C.5, Definition 4.6 (arXiv 2402.09469), after Morwani et al. 2024; programs:
`class_weighted_order`, `neuron_combination`.
"""

from __future__ import annotations

from theorycheck import claim, exactly, formula_leg, rivals_of, sharpened, typed

splits = formula_leg(
    "sum over neurons",
    typed(
        "dot(Psi^T*o, v) == dot(o, Psi*v)",
        over=["m in 1..oo", "N in 1..oo", "Psi in R^(m x N)", "o in R^m", "v in R^N"],
    ),
    lhs=r"\mathbb{E}_q\,g'(\theta)",
    tex=r"\sum_h\mathbb{E}_q\,\psi'(\theta_h)",
)
splitting = claim(
    "fourier-class-weighted-neurons",
    states="fourier-class-weighted-order",
    title="The mean of a network of any width is that of its neurons",
    says="For any number of neurons, inputs and labels, any outputs of the neurons and any coefficients the mean of "
    "the sum of the outputs is the sum of the means.",
    role="derived",
    covers="splits-over-neurons",
    reads={"q": "v", "tau": "v", "theta": "Psi o"},
    legs=[splits],
    rivals=[
        *exactly(splits),
        *rivals_of(splits, {"a norm for the sum": "dot(Psi^T*o, v) == norm(Psi*v)*norm(o)"}),
    ],
)

NORMS = ["J in [0, oo)", "n[h] in [0, 1] for h in 1..m", "e[h] in [0, oo) for h in 1..m"]
none_above = formula_leg(
    "no network above",
    typed(
        "Sum(n[h]*(J - e[h]), (h, 1, m)) <= J",
        over=["m in 1..oo", *NORMS],
        where="Sum(n[h], (h, 1, m)) <= 1",
    ),
    covers="families-are-optimal maxima-equal",
    lhs=r"\mathbb{E}_q\,g'(\theta)",
    tex=r"J^*",
)
one_apart = formula_leg(
    "one neuron apart",
    typed(
        "Sum(n[h]*(J - e[h]), (h, 1, m)) + a*(J - d) <= J - a*d",
        over=["m in 0..oo", "a in [0, 1]", "d in [0, oo)", *NORMS],
        where="Sum(n[h], (h, 1, m)) + a <= 1",
    ),
    covers="support-of-optimal-networks",
    lhs=r"\mathbb{E}_q\,g'(\theta)",
    tex=r"J^*-\|\theta_h\|^\nu\,(J^*-J_h)",
)
best_ones = formula_leg(
    "best neurons",
    typed(
        "Sum(alpha[h]**nu*J, (h, 1, m)) == J",
        over=["m in 1..oo", "nu in 2..oo", "J in (0, oo)", "alpha[h] in [0, 1] for h in 1..m"],
        where="Sum(alpha[h]**nu, (h, 1, m)) == 1",
    ),
    covers="families-are-optimal",
    lhs=r"\mathbb{E}_q\,g'(\theta)",
    tex=r"J^*",
)
equal_ones = formula_leg(
    "equal neurons",
    typed(
        "Sum((m**(-1/b))**nu*J, (h, 1, m)) == m**(1 - nu/b)*J and Sum((m**(-1/b))**b, (h, 1, m)) == 1",
        over=["m in 2..oo", "nu in 2..oo", "b in (0, oo)", "J in (0, oo)"],
    ),
    covers="other-exponents",
    lhs=r"\mathbb{E}_q\,g'(\theta)",
    tex=r"m^{1-\nu/b}J^*",
)
every_width = claim(
    "fourier-neuron-combination-every-width",
    states="fourier-neuron-combination",
    title="From the best neuron to the best network, of any width",
    says=r"In the unit ball no network has more than $J^*$; a neuron whose direction is not optimal is missed by "
    r"$\|\theta_h\|^\nu$ times what its direction lacks; best neurons with $\sum\alpha^\nu=1$ have $J^*$, and $m$ "
    r"equal ones in $L_{2,b}$ have $m^{1-\nu/b}J^*$.",
    role="derived",
    covers="families-are-optimal maxima-equal support-of-optimal-networks other-exponents",
    reads={"q": "J e", "tau": "J e", "theta": "n e", "theta_star": "J", "h": "a d"},
    legs=[none_above, one_apart, best_ones, equal_ones],
    rivals=[
        *sharpened(none_above, one_apart),
        *exactly(best_ones, equal_ones),
        *rivals_of(none_above, {"strictly": "Sum(n[h]*(J - e[h]), (h, 1, m)) < J"}),
        *rivals_of(
            one_apart,
            {"twice what it lacks": "Sum(n[h]*(J - e[h]), (h, 1, m)) + a*(J - d) <= J - 2*a*d"},
        ),
        *rivals_of(best_ones, {"exponent nu + 1": "Sum(alpha[h]**(nu + 1)*J, (h, 1, m)) == J"}),
        *rivals_of(
            equal_ones,
            {
                "exponent 1 - (nu - 1)/b": "Sum((m**(-1/b))**nu*J, (h, 1, m)) == m**(1 - (nu - 1)/b)*J"
                " and Sum((m**(-1/b))**b, (h, 1, m)) == 1"
            },
        ),
    ],
)
