r"""Definitions 3.7, 3.11 and B.57: feature sets grow, sup-norm cones have one side.

Setting. A weight hits (D, gamma, B_G) if its gradient G, of length n and inner product t with D, has |t| > (1 -
gamma) n and n >= B_G; q is the probability of that.

Statements. (1) What hits at (gamma, B_G) hits at every gamma' >= gamma, B_G' <= B_G, and q >= p gives q >= p' for p'
<= p: S grows. (2) OPT is a minimum over a class that grows with r, B_F and S (a neuron of weight 0 is allowed), so it
does not increase. (3) The sup-norm cone of D = e_1 with gamma = 1 has e_1 and not -e_1, whose distance is 2.

Reference: lines 871-895, 7319-7331.
"""

from __future__ import annotations

import sympy as sp

from theorycheck import claim, formula_leg, leg, rivals_of, typed, variant

# h = |<G, D>|, n = |G|, gamma + e the wider aperture, q the probability of a hit
HIT = formula_leg(
    "a hit stays one",
    typed(
        "h > (1 - gamma - e)*n",
        over=["gamma in (0, 1)", "e in [0, oo)", "n in [0, oo)", "h in R"],
        where="h > (1 - gamma)*n",
    ),
    over="parameters",
)
LONG = formula_leg(
    "as long",
    typed("n >= BG2", over=["n, BG, BG2 in R"], where=["BG2 <= BG", "BG <= n"]),
    over="parameters",
)
OFTEN = formula_leg(
    "as likely",
    typed("q >= p2", over=["q, p, p2 in [0, 1]"], where=["p2 <= p", "p <= q"]),
    over="parameters",
)

monotone = claim(
    "gradfeat-feature-set-monotone",
    states="gradfeat-feature-set",
    title="The feature set grows with its parameters",
    says=r"$S_{p,\gamma,B_G}\subseteq S_{p',\gamma',B_G'}$ for $p'\le p$, $\gamma'\ge\gamma$, $B_G'\le B_G$.",
    covers="monotone",
    legs=[HIT, LONG, OFTEN],
    rivals=[
        *rivals_of(
            HIT,
            {
                "a smaller cone": {
                    "over": ["gamma in (0, 1)", "e in [-1, 0]", "n in [0, oo)", "h in R"]
                },
            },
        ),
        *rivals_of(LONG, {"a larger norm": {"where": ["BG2 >= BG", "BG <= n"]}}),
        *rivals_of(OFTEN, {"a larger probability": {"where": ["p2 >= p", "p <= q"]}}),
    ],
)


def e_one():
    """w = D = e_1 in the plane, gamma = 1."""
    return (1, 0)


def in_cone(w, direction):
    """| w/|w| - D |_oo < 1 for w on an axis."""
    length = sum(abs(v) for v in w)
    return max(abs(v / length - u) for v, u in zip(w, direction, strict=True)) < 1


def both_signs():
    """Whether w and -w are in the cone of D. Shape (2,)."""
    w = e_one()
    return [int(in_cone(w, (1, 0))), int(in_cone(tuple(-v for v in w), (1, 0)))]


def other_direction():
    """The same for D = -e_1."""
    w = e_one()
    return [int(in_cone(w, (-1, 0))), int(in_cone(tuple(-v for v in w), (-1, 0)))]


one_side = claim(
    "gradfeat-sup-cone-one-side",
    lhs=r"\big([w\in C],\ [-w\in C]\big)",
    tex="(1,\\ 0)",
    states="gradfeat-feature-set",
    title="Sup-norm cones are not symmetric",
    says=r"There are $w$, $D$ and $\gamma_\infty$ with $w$ in the sup-norm cone of $D$ and $-w$ outside.",
    covers="sup-norm-cone-not-symmetric",
    closed_form=sp.Matrix([1, 0]),
    legs=[leg("e_1", both_signs, gives="w D gamma_inf", chosen_by=e_one)],
    rivals=[
        variant("both inside", closed_form=sp.Matrix([1, 1])),
        variant("D = -e_1", simulation=other_direction),
    ],
)

# the least of a set with more members is not larger; x in the smaller set, m its least value, M the larger set's
SMALLEST = formula_leg(
    "minimum of a larger class",
    typed("Min(m, extra) <= m", over=["m in R", "extra in R"]),
    over="r B_F S",
)
ADDED = formula_leg(
    "a neuron of weight 0",
    typed(
        "g + 0*relu(u - b) == g and 0 <= Ba1", over=["g in R", "u in R", "b in R", "Ba1 in (0, oo)"]
    ),
    over="r B_F S",
)

opt = claim(
    "gradfeat-opt-monotone",
    states="gradfeat-feature-set",
    title="OPT does not increase when the class grows",
    says=r"$\mathrm{OPT}_{r',B',S'}\le\mathrm{OPT}_{r,B,S}$ for $r'\ge r$, $B'\ge B$, $S\subseteq S'$, "
    r"$S\ne\emptyset$.",
    covers="opt-monotone",
    legs=[SMALLEST, ADDED],
    rivals=[
        *rivals_of(SMALLEST, {"strictly": "Min(m, extra) < m"}),
        *rivals_of(ADDED, {"a neuron of weight 1": "g + relu(u - b) == g"}),
    ],
)
