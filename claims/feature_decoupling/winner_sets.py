r"""Definition B.1: the sets of winners, and the comparator that they define (Definition E.10).

Setting. X = log d/d |M M^T w|^2 > 0 and c1 > c2 > 0; i is in M_j if alpha_j^2 >= c2 X, a sure winner of j if
alpha_j^2 >= c1 X and alpha_k^2 <= c2 X for every other column k.

Statements. (1) A sure winner of j is in M_j, and of no other column a sure winner: c1 X <= alpha_k^2 <= c2 X cannot
be. (2) Hence theta* has at most one column a neuron, and with n_j sure winners of j, each of length kappa
sqrt(tau)/n_j, its squared norm is kappa^2 tau sum_j 1/n_j. (3) Rows of W(0) are independent: |M_j| is a sum of m
independent coins of one chance p, with E s^|M_j| = (1 - p + p s)^m, the binomial law's.

Reference: lines 427-437 and 1674-1684. A neuron with M M^T w = 0 would be in every set.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb, prod

import sympy as sp

from theorycheck import (
    claim,
    formula_leg,
    instances,
    integers,
    leg,
    rivals_of,
    typed,
    variant,
)

from ._dictionary import ONE_POINT
from ._gaussian import nodes


def winners(rows, share, c1, c2):
    """By column the potential and the sure winners: ``share`` stands for log d/d, rows are the coordinates of M^T w."""
    potential, sure = [set() for _ in rows[0]], [set() for _ in rows[0]]
    for i, row in enumerate(rows):
        X = share * sum(a * a for a in row)
        for j, a in enumerate(row):
            if a * a >= c2 * X:
                potential[j].add(i)
            if a * a >= c1 * X and all(e * e <= c2 * X for k, e in enumerate(row) if k != j):
                sure[j].add(i)
    return potential, sure


def exceptions(rows, share, c1, c2):
    """How many sure winners are not potential ones, and how often one is another column's too. Shape (2,)."""
    potential, sure = winners(rows, share, c1, c2)
    twice = sum(1 for i in range(len(rows)) if sum(i in s for s in sure) > 1)
    return [sum(len(s - p) for p, s in zip(potential, sure, strict=True)), twice]


def borders_exchanged(rows, share, c1, c2):
    return exceptions(rows, share, c2, c1)


def no_exception(rows, share, c1, c2):
    return [0, 0]


def some_rows(rng):
    c2 = Fraction(int(rng.integers(2, 9)), 4)
    return {
        "rows": [
            [Fraction(int(rng.integers(-4, 5))) for _ in range(3)] + [Fraction(1)]
            for _ in range(12)
        ],
        "share": Fraction(1, int(rng.integers(4, 9))),
        "c1": 2 * c2,
        "c2": c2,
    }


def law_of_the_count(m, j, share, c2):
    """P[|M_j| = k] for k = 0 to m, all rows of independent three-valued coordinates. Shape (m + 1,)."""
    out = [Fraction(0)] * (m + 1)
    for rows in product(list(nodes(2, 1)), repeat=m):
        chance = prod((p for _, p in rows), start=Fraction(1))
        held = [[a + 1 for a in row] for row, _ in rows]
        out[len(winners(held, share, c2, c2)[0][j])] += chance
    return out


def binomial_law(m, j, share, c2):
    """Binomial, its chance that of one row. Shape (m + 1,)."""
    p = law_of_the_count(1, j, share, c2)[1]
    return [comb(m, k) * p**k * (1 - p) ** (m - k) for k in range(m + 1)]


def of_a_fair_coin(m, j, share, c2):
    return [Fraction(comb(m, k), 2**m) for k in range(m + 1)]


def some_neurons(rng):
    found = {
        "m": int(rng.integers(2, 4)),
        "j": int(rng.integers(0, 2)),
        "share": Fraction(1, 3),
        "c2": Fraction(int(rng.integers(2, 8)), 4),
    }
    return {
        **found,
        "s": Fraction(int(rng.integers(1, 9)), 9),
        "p": law_of_the_count(**{**found, "m": 1})[1],
    }


def mean_power(m, j, share, c2, s):
    """E s^|M_j|. Shape ()."""
    return sum((s**k * p for k, p in enumerate(law_of_the_count(m, j, share, c2))), Fraction(0))


ORDER = ["c2 > 0", "c1 in (c2, oo)", "X > 0"]
# a and e are alpha_j^2 and alpha_k^2 of one row
SUBSET = formula_leg("subset", typed("a >= c2*X", over=[*ORDER, "a in [c1*X, oo)"]))
DISJOINT = formula_leg(
    "disjoint",
    typed("e < c1*X and e < a", over=[*ORDER, "a in [c1*X, oo)", "e in [0, c2*X]"]),
)

relations = claim(
    "decoupling-winner-relations",
    lhs=r"\Big(\sum_j|\mathcal M^\star_j\setminus\mathcal M_j|,\ "
    r"\#\{i\in\mathcal M^\star_j\cap\mathcal M^\star_{j'}\}\Big)",
    tex="(0,0)",
    states=["decoupling-winner-sets", "decoupling-optimal-learner"],
    title="Sure winners",
    says=r"$\mathcal M_j^\star\subseteq\mathcal M_j$ and $\mathcal M_j^\star\cap\mathcal "
    r"M_{j'}^\star=\emptyset$ for $j\ne j'$: "
    r"$\theta^\star_i$ is well defined.",
    covers=["decoupling-winner-sets/disjoint-subset", "decoupling-optimal-learner/well-defined"],
    reads={"W_0": "a e X", "j": "a", "j_prime": "e"},
    **ONE_POINT,
    legs=[
        leg(
            "sets",
            exceptions,
            reference=no_exception,
            required=False,
            unit=1,
            instances=instances(some_rows, "rows share c1 c2", smoke=6, standard=12),
        ),
        SUBSET,
        DISJOINT,
    ],
    rivals=[
        variant("c1 and c2 exchanged", simulation=borders_exchanged, leg="sets"),
        *rivals_of(
            SUBSET,
            {"c1 below c2": {"over": ["c2 > 0", "c1 in (0, c2)", "X > 0", "a in [c1*X, oo)"]}},
        ),
        *rivals_of(
            DISJOINT,
            {
                "c1 = c2": {
                    "over": [
                        "c2 > 0",
                        "c1 in [c2, oo)",
                        "X > 0",
                        "a in [c1*X, oo)",
                        "e in [0, c2*X]",
                    ]
                },
                "nothing in the span": {
                    "over": [
                        "c2 > 0",
                        "c1 in (c2, oo)",
                        "X >= 0",
                        "a in [c1*X, oo)",
                        "e in [0, c2*X]",
                    ]
                },
            },
        ),
    ],
)

d = sp.Symbol("d", integer=True, positive=True)


def squared_norm(sizes, kappa, root, d):
    """Sum over the sure winners of |kappa sqrt(tau)/n_j M_j|^2, neuron by neuron; root is sqrt(tau). Shape ()."""
    return sum(((kappa * root / n) ** 2 for n in sizes for _ in range(n)), Fraction(0))


kappa, tau, v, neurons = sp.symbols("kappa tau v neurons", positive=True)
BY_COLUMNS = kappa**2 * tau * v


def draw(rng, d):
    sizes = [int(rng.integers(1, 6)) for _ in range(d)]
    root = Fraction(int(rng.integers(1, 9)), 3)
    return {
        "sizes": sizes,
        "kappa": Fraction(int(rng.integers(1, 9)), 2),
        "root": root,
        "tau": root**2,
        "v": sum((Fraction(1, n) for n in sizes), Fraction(0)),
        "neurons": sum(sizes),
    }


# v is the sum of 1/n_j with the column of n
COLUMN = formula_leg(
    "a column",
    typed(
        f"{BY_COLUMNS} == kappa**2*tau*(v - 1/n) + n*(kappa*sqrt(tau)/n)**2",
        over=["n in 1..oo", "v in [1/n, oo)", "kappa > 0", "tau > 0"],
    ),
    over="sets",
)

norm = claim(
    "decoupling-comparator-norm",
    lhs=r"\|\theta^\star\|_F^2",
    tex=r"\kappa^2\tau\sum_j1/|\mathcal M_j^\star|",
    states="decoupling-optimal-learner",
    title="Norm of the comparator",
    says=r"$\|\theta^\star\|_F^2=\kappa^2\tau\sum_j1/|\mathcal M_j^\star|$.",
    covers="comparator-norm",
    domain={d: integers(1)},
    grid={"smoke": {d: [1, 3]}, "standard": {d: [1, 2, 8]}},
    closed_form=BY_COLUMNS,
    legs=[
        leg(
            "neurons",
            squared_norm,
            required=False,
            instances=instances(draw, "sizes kappa root tau v neurons", smoke=3, standard=6),
        ),
        COLUMN,
    ],
    rivals=[
        variant("length kappa sqrt(tau)", closed_form=kappa**2 * tau * neurons, leg="neurons"),
        *rivals_of(
            COLUMN,
            {"1/n^2": "kappa**2*tau*v == kappa**2*tau*(v - 1/n**2) + n*(kappa*sqrt(tau)/n)**2"},
        ),
    ],
)

m = sp.Symbol("m", integer=True, positive=True)
p, s = sp.symbols("p s", nonnegative=True)
OF_COINS = (1 - p + p * s) ** m
ROWS = instances(some_neurons, "m j share c2 s p", smoke=2, standard=4)
COINS = formula_leg(
    "one row more",
    typed(
        f"{OF_COINS} == (1 - p + p*s)**(m - 1)*E[1 + (s - 1)*B]",
        over=["p in (0, 1)", "s in (0, 1]", "m in 1..oo", "B ~ Bernoulli(p)"],
    ),
    over="W_0 d j",
)

count = claim(
    "decoupling-winner-count",
    lhs=r"\Pr[|\mathcal M_j|=k]",
    tex=r"\tbinom mkp^k(1-p)^{m-k}",
    states="decoupling-winner-sets",
    title="Number of potential winners",
    says=r"$|\mathcal M_j|$ is $\mathrm{Bin}(m,p)$, $p$ the chance of one row: $\mathbb E\,s^{|\mathcal "
    r"M_j|}=(1-p+ps)^m$.",
    covers="count-law",
    **ONE_POINT,
    legs=[
        leg("all rows", law_of_the_count, reference=binomial_law, required=False, instances=ROWS),
        leg(
            "generating function",
            mean_power,
            closed_form=OF_COINS,
            required=False,
            instances=ROWS,
            lhs=r"\mathbb E\,s^{|\mathcal M_j|}",
            tex="(1-p+ps)^m",
        ),
        COINS,
    ],
    rivals=[
        variant("fair coins", reference=of_a_fair_coin, leg="all rows"),
        *rivals_of(
            COINS,
            {
                "a Poisson law": "exp(m*p*(s - 1)) == exp((m - 1)*p*(s - 1))*E[1 + (s - 1)*B]",
            },
        ),
        variant(
            "of Poisson variables", closed_form=sp.exp(m * p * (s - 1)), leg="generating function"
        ),
    ],
)
