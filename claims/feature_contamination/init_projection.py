"""Lemma A.6: the mu-weighted sum of initial weights is Gaussian, and its tail.

Setting. w ~ N(0, I_d/d), m_j orthonormal in R^d, S a set of features with means mu_j and signs y_j; s^2 = sum_S mu_j^2.

Statements. (1) sum_S y_j mu_j <w, m_j> is linear in w, hence Gaussian, of variance |sum_S y_j mu_j m_j|^2/d = s^2/d.
(2) Its probability to reach delta/sqrt(d) is erfc(delta/(s sqrt 2))/2, between Lemma D.3's bounds at delta/s.

Reference: Lemma A.6, lines 451-465.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import at_least, claim, formula, instances, integers, leg, variant

d, members = sp.symbols("d members", integer=True, positive=True)


def weighted(rng, d, members):
    """An orthonormal basis of R^d, whose first ``members`` vectors are S, with signs and unequal means."""
    return {
        "M": rng.orthogonal_rational(d),
        "y": [int(rng.signs()) for _ in range(members)],
        "mu": [Fraction(int(rng.integers(1, 9)), 8) for _ in range(members)],
    }


def variance(M, y, mu, d, members):
    """Sum of the squared coefficients of the linear form, each with variance 1/d. Shape ()."""
    form = [
        sum(sign * mean * M[j][i] for j, (sign, mean) in enumerate(zip(y, mu, strict=True)))
        for i in range(d)
    ]
    return sum(c * c for c in form) / Fraction(d)


def stated(M, y, mu, d, members):
    return sum(mean * mean for mean in mu) / Fraction(d)


def of_means(M, y, mu, d, members):
    return sum(mu) / Fraction(d)


def half_stated(M, y, mu, d, members):
    return stated(M, y, mu, d, members) / 2


def by_features(M, y, mu, d, members):
    return sum(mean * mean for mean in mu) / Fraction(members)


def dictionaries(rng, d, members):
    """Eight of those that draws are made with. One is along the axes where all d (d - 1)/2 >= 6 entries of the skew
    matrix are 0, each with probability 1/11, or turn by right angles, so rarely that eight never are."""
    return {"Ms": [weighted(rng, d, members)["M"] for _ in range(8)]}


def coordinate_axes(rng, d, members):
    return {"Ms": [[[Fraction(int(i == j)) for j in range(d)] for i in range(d)]] * 8}


def entries_of_a_row(Ms):
    """The most entries other than 0 of a row of a dictionary. Shape ()."""
    return max(sum(x != 0 for x in row) for M in Ms for row in M)


law = claim(
    "contamination-init-projection-law",
    lhs=r"\operatorname{Var}\textstyle\sum_{j\in S}y_j\mu_j\langle w,m_j\rangle",
    tex=r"\tfrac1d\textstyle\sum_{j\in S}\mu_j^2",
    states="contamination-init-projection-tail",
    title="Variance of the weighted sum of initial weights",
    says="For every set of orthonormal features, signs and means the linear form has variance "
    r"$\sum_j \mu_j^2/d$.",
    covers="gaussian-law",
    reads={"S": "members mu", "y_j": "y"},
    domain={d: integers(1), members: integers(1)},
    where=members <= d,
    grid={
        "smoke": [{d: 2, members: 1}, {d: 4, members: 3}],
        "standard": [{d: 3, members: 3}, {d: 6, members: 4}, {d: 8, members: 2}],
    },
    legs=[
        leg(
            "coefficients",
            variance,
            reference=stated,
            where=d <= 12,
            inside="k",
            instances=instances(weighted, "M y mu", smoke=3, standard=10),
        ),
        leg(
            "turned dictionaries",
            entries_of_a_row,
            relation=at_least(),
            closed_form=sp.Integer(2),
            required=False,
            instances=instances(dictionaries, "Ms", smoke=1),
            where=(d >= 4) & (d <= 12),
            grid={"smoke": [{d: 4, members: 3}]},
            lhs=r"\max\|m_j\|_0",
            tex="2",
        ),
    ],
    rivals=[
        variant(
            "along the axes",
            leg="turned dictionaries",
            instances=instances(coordinate_axes, "Ms", smoke=1),
        ),
        variant("the sum of the means", leg="coefficients", reference=of_means),
        variant("half of it", leg="coefficients", reference=half_stated),
        variant("1/d0 for 1/d", leg="coefficients", reference=by_features, at=[{d: 4, members: 3}]),
    ],
)

TAIL = "erfc(delta/(s*sqrt(2)))/2"
GAUSS = "exp(-delta**2/(2*s**2))/sqrt(2*pi)"

lower = formula(
    "contamination-init-projection-lower",
    states="contamination-init-projection-tail",
    title="Lower bound on the tail of the weighted sum",
    says=f"delta*s/(delta**2 + s**2)*{GAUSS} < {TAIL}",
    over=["delta in (0, oo)", "s in (0, oo)"],
    covers="lower",
    reads={"S": "s", "y_j": "s"},
    rivals={
        "delta^2 in the denominator": f"delta*s/delta**2*{GAUSS} < {TAIL}",
        "1 for s^2": f"delta*s/(delta**2 + 1)*{GAUSS} < {TAIL}",
    },
)

upper = formula(
    "contamination-init-projection-upper",
    states="contamination-init-projection-tail",
    title="Upper bound on the tail of the weighted sum",
    says=f"{TAIL} < s/delta*{GAUSS}",
    over=["delta in (0, oo)", "s in (0, oo)"],
    covers="upper",
    reads={"S": "s", "y_j": "s"},
    rivals={
        "1/delta": f"{TAIL} < 1/delta*{GAUSS}",
        "the two-sided tail": f"2*{TAIL} < s/delta*{GAUSS}",
    },
)
