"""Lemma 6.2: the optimum under a bound on the number of features.

Setting. L(w) = E ell(sum_j w_j z_j) under ||w||_0 <= B, z_j in [0, 1] for j in R; no bound on the size of w.

Statements. (1) Printed: for every subset of R of size B some minimiser of L is positive there and 0 elsewhere.
Such a w has margin m > 0 almost surely, and ell(2m) < ell(m) for every m > 0: 2w is better, so that w is no
minimiser. (2) The infimum is 0 and not attained: ell > 0, and L(c e_1) <= (1 - e^{-c})/c < 1/c, for ell(m) <=
e^{-m}. (3) Exchange: moving the weight w_j of an environmental coordinate to a free invariant one, by its size,
lowers L. With z_j = +-u, u uniform like the other's coordinate, the margin m + |w_j| u replaces m + |w_j| u or m -
|w_j| u, the second with positive probability.

Reference: Lemma 6.2 and E.7, lines 1807 and 9230-9236.
"""

from __future__ import annotations

from theorycheck import claim, formula_leg, typed, variant

POSITIVE = "m in (0, oo)"
ANY = "m in (-oo, oo)"

printed = claim(
    "nuclear-rank-optimum",
    states="nuclear-erm-rank-support",
    title="A minimiser on every subset",
    says="Some w, positive on the subset and 0 elsewhere, is not improved by 2w at any margin.",
    expect="fail",
    covers="optimum-on-any-subset",
    legs=[
        formula_leg(
            "doubling",
            typed("log(1 + exp(-m)) <= log(1 + exp(-2*m))", over=POSITIVE),
            over="r d gamma B_rank R_rank w_star",
        )
    ],
)

no_minimiser = claim(
    "nuclear-no-minimiser",
    states="nuclear-erm-rank-support",
    title="The infimum 0 is not attained",
    says=r"$L(w) > 0$ for every $w$, and $L(c\,e_1) < 1/c$ for every $c > 0$.",
    role="corrected",
    corrects="nuclear-rank-optimum",
    covers="no-minimiser",
    legs=[
        formula_leg("positive", typed("log(1 + exp(-m)) > 0", over=ANY), over="B_rank w"),
        formula_leg("doubling", typed("log(1 + exp(-2*m)) < log(1 + exp(-m))", over=POSITIVE)),
        formula_leg("below e^-m", typed("log(1 + exp(-m)) <= exp(-m)", over=ANY)),
        formula_leg("its mean", typed("Integral(exp(-c*z), (z, 0, 1)) < 1/c", over="c in (0, oo)")),
    ],
    rivals=[
        variant("attained from 1/10 on", leg="positive",
                simulation=typed("log(1 + exp(-m)) > 1/10", over=ANY)),
        variant("doubling at every margin", leg="doubling",
                simulation=typed("log(1 + exp(-2*m)) < log(1 + exp(-m))", over=ANY)),
        variant("half of e^-m", leg="below e^-m",
                simulation=typed("log(1 + exp(-m)) <= exp(-m)/2", over=ANY)),
        variant("1/(2c)", leg="its mean",
                simulation=typed("Integral(exp(-c*z), (z, 0, 1)) < 1/(2*c)", over="c in (0, oo)")),
    ],
)  # fmt: skip

exchange = claim(
    "nuclear-exchange",
    states="nuclear-erm-rank-support",
    title="Exchanging an environmental coordinate",
    says=r"$\ell(m + s) < \ell(m - s)$ for every real $m$ and $s = |w_j| u > 0$.",
    covers="exchange",
    reads={"w": "m s"},
    legs=[
        formula_leg("misled", typed("log(1 + exp(-(m + s))) < log(1 + exp(-(m - s)))",
                                    over=[ANY, "s in (0, oo)"]), over="j k"),
    ],
    rivals=[
        variant("by half", leg="misled", simulation=typed(
            "log(1 + exp(-(m + s))) < log(1 + exp(-(m - s)))/2", over=[ANY, "s in (0, oo)"])),
        variant("weights of either sign", leg="misled", simulation=typed(
            "log(1 + exp(-(m + s))) < log(1 + exp(-(m - s)))", over=[ANY, "s in (-oo, oo)"])),
    ],
)  # fmt: skip
