"""The parity task and the columns of the bit networks for every number of features.

Setting. As in `parity_mean_feature` and `parity_projection`: signs s, t of the two features of the task have
probabilities 1/4 + gamma, 1/4, 1/4, 1/4 - gamma, every other feature f is a fair sign of its own, y = s t. Column b of
a bit network on d = 2^nu2 features is the sign of bit b, b < nu_j, and one column is constant.

Statements. (1) E[y s] = E[y t] = 2 gamma, E[y f] = 0 and P(y = 1) = 1/2. (2) Over all codes of nu2 bits the inner
product of two columns is a product over the bits: each bit's factor is the sum over its two values of what the columns
make of it. Of two different columns one has a bit of its own, with the factor -1 + 1 = 0; a column with itself has only
factors 2. So the columns are orthogonal, of squared length d, and over sqrt(d) they are B with B^T B = 1 and P = B B^T.
Then P B = B: no head, whose diagonal is a column, sees Xi - P Xi. As Xi has covariance 1/M, E|P Xi|^2 = tr(P)/M, and
tr(P) = tr(B^T B) is the number of columns, nu_j + 1. (3) A head covers at most one pattern of each pair of features.

Reference: proof of Theorem 5.5.1, Theorem 5.5.2 (Shi, Wei, Xu, Liang, ICML 2024).
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import sympy as sp

from theorycheck import (
    Proof,
    claim,
    equals,
    formula_leg,
    integers,
    leg,
    rivals_of,
    typed,
    variant,
)

from ._parity import bit
from ._words import (
    ONCE,
    ONE,
    Matrix,
    Number,
    all_of,
    dot,
    letter,
    mean,
    number,
    same,
    scalar,
    vector,
)
from .every_size_prediction import equal
from .parity_cover import covered
from .parity_projection import on_its_own_features, projected_energy

gamma, M = scalar("gamma"), scalar("M")


# ---- the task


def expected(of, tilt=1):
    """E of a function of the task's two signs and another feature, whose mean is 0."""
    quarter = number(Fraction(1, 4))
    law = {
        (1, 1): quarter + gamma,
        (1, -1): quarter,
        (-1, 1): quarter,
        (-1, -1): quarter - gamma * tilt,
    }
    total = number(0)
    for (s, t), weight in law.items():
        total = total + weight * of(s, t, scalar("f"))
    return total.replaced(lambda atom, power: number(1 - power % 2) if atom == "f" else None)


def every_feature(of, of_task, of_others):
    """E of a function of phi_c, s and t for c = i, j and any other: what is said of every c."""
    return all_of(
        same(expected(lambda s, t, f: of(number(s), s, t)), of_task),
        same(expected(lambda s, t, f: of(number(t), s, t)), of_task),
        same(expected(lambda s, t, f: of(f, s, t)), of_others),
    )


def moments(stated=2, others=0):
    """E[y phi_c]."""
    return every_feature(lambda feature, s, t: feature * (s * t), gamma * stated, number(others))


def four_gamma():
    return moments(stated=4)


def other_features_alike():
    return moments(others=gamma * 2)


def features(stated=2):
    """E[phi_c]: only the features outside of the task are fair signs."""
    return every_feature(lambda feature, s, t: feature, gamma * stated, number(0))


def all_fair():
    return features(stated=0)


def balanced(tilt=1):
    """P(y = 1)."""
    return same(expected(lambda s, t, f: number(int(s * t == 1)), tilt), number(Fraction(1, 2)))


def tilted():
    return balanced(tilt=2)


task_every_size = claim(
    "icl-parity-mean-feature-every-size",
    lhs=r"\mathbb{E}[y\,\phi_c]",
    tex=r"2\gamma\,\mathbf{1}[c\in\{i,j\}]",
    states="icl-parity-mean-feature",
    title="Mean attention feature of a parity task, for every number of features",
    says=r"For every $d$, task and $\gamma$, $\mathbb{E}[y \phi_c]$ is $2 \gamma$ for the two features of the task and "
    r"0 for every other, as is $\mathbb{E}\phi_c$, and $\Pr(y = 1) = 1/2$.",
    role="reading",
    covers="moments balanced-labels",
    legs=[
        leg("moments", moments, arithmetic="proof", over="d i j c gamma", covers="moments"),
        leg("features", features, arithmetic="proof", over="d i j c gamma", covers="moments"),
        leg("labels", balanced, arithmetic="proof", over="d gamma", covers="balanced-labels"),
    ],
    rivals=[
        variant("4 gamma", simulation=four_gamma, leg="moments"),
        variant("2 gamma for every feature", simulation=other_features_alike, leg="moments"),
        variant("fair signs", simulation=all_fair, leg="features"),
        variant("(-1, -1) with 1/4 - 2 gamma", simulation=tilted, leg="labels"),
    ],
)


# ---- the columns


def factor(first, second):
    """Of one bit: the sum over its two values, a column that has the bit giving its sign and another 1."""
    return sum((bit(0, c) if first else 1) * (bit(0, c) if second else 1) for c in (0, 1))


def orthogonal(constants=1):
    """Two different columns share no bit, and not both have none: some bit is in one of them alone. ``constants``: how
    many columns have no bit."""
    kinds = ["bit", "another bit", *["constant"] * constants]
    pairs = [(a, b) for n, a in enumerate(kinds) for b in kinds[n + 1 :]]
    for a, b in pairs:
        bits = {a, b} - {"constant"}  # those that decide; each other bit's factor is 2
        factors = [factor(name == a, name == b) for name in sorted(bits)]
        if 0 not in factors:
            return Proof(False, "columns are not orthogonal", {}, {"columns": [a, b]})
    own = {factor(True, True), factor(False, False)}
    if own != {2}:
        return Proof(False, "columns of another length", {}, {"factors": sorted(own)})
    return Proof(
        True,
        "products over the bits, at every number of them",
        {"pairs": len(pairs), "own": sorted(own)},
    )


def two_constants():
    return orthogonal(constants=2)


def fixed(basis="B"):
    """P B = B and B^T P = B^T for P = B B^T: diag(V_n) (Xi - P Xi) = 0. B^T B = 1 is known of the letter B alone."""
    B = letter(basis)
    return all_of(equal(B * B.T * B, B), equal(B.T * (B * B.T), B.T))


def any_columns():
    return fixed("A")


def energy(independent=1, signs=1):
    """E|P Xi|^2 and E|Xi - P Xi|^2, Xi the mean of M independent vectors of ``signs`` times fair signs. Xi is not
    Gaussian: its covariance alone is used."""
    B, Xi = letter("B"), vector("Xi")
    P, columns = B * B.T, (B.T * B).trace()

    def mean_square(of: Matrix) -> Number:
        return mean(dot(of * Xi, of * Xi), "Xi", ONE * M**-independent * signs**2)

    return all_of(
        same(mean_square(P), columns / M), same(mean_square(ONE - P), (ONE.trace() - columns) / M)
    )


def one_draw():
    return energy(independent=0)


def twice_the_signs():
    return energy(signs=2)


nu1, nu2, length = sp.symbols("nu1 nu2 M", integer=True, nonnegative=True)
QUOTIENT = (nu1 + 1) / (nu2 + 1)


def energies(nu1, nu2, M):
    """E|P_1 Xi|^2 over E|P_2 Xi|^2, both on 2^nu2 features, over all signs. Shape ()."""
    return projected_energy(nu1, nu2, M) / projected_energy(nu2, nu2, M)


def small_on_its_own(nu1, nu2, M):
    return on_its_own_features(nu1, nu2, M) / projected_energy(nu2, nu2, M)


RATIO = formula_leg(
    "quotient",
    typed(
        f"((nu1 + 1)/M)/((nu2 + 1)/M) == {QUOTIENT}",
        over=["nu2 in 0..oo", "nu1 in 0..nu2", "M in 1..oo"],
    ),
    covers="ratio icl-parity-behavior/noise-energy-ratio",
)
columns_every_size = claim(
    "icl-parity-columns-every-size",
    lhs=r"\mathbb{E}\,\|P\Xi\|^2",
    tex=r"\frac{\nu_j+1}M",
    states=["icl-parity-projection-ratio", "icl-parity-behavior"],
    title="The columns of the bit networks, for every number of bits",
    says=r"For all $\nu_j\le\nu_2$ the columns of half of $D_j$ are orthogonal, no head sees $\Xi-P\Xi$, and "
    r"$\mathbb{E}\|P\Xi\|^2=(\nu_j+1)/M$, in the ratio $(\nu_1+1)/(\nu_2+1)$ for the two models.",
    role="reading",
    covers="orthogonal-half energy ratio icl-parity-behavior/noise-energy-ratio projection-loses-nothing",
    domain={nu1: integers(0), nu2: integers(0), length: integers(1)},
    where=nu1 <= nu2,
    grid={
        "smoke": [
            {nu1: 0, nu2: 1, length: 2},
            {nu1: 1, nu2: 2, length: 2},
            {nu1: 1, nu2: 3, length: 1},
            {nu1: 2, nu2: 3, length: 1},
        ],
        "standard": [{nu1: 0, nu2: 1, length: 4}, {nu1: 0, nu2: 3, length: 1}],
    },
    legs=[
        leg("columns", orthogonal, arithmetic="proof", over="nu_j nu1 nu2", grid=ONCE),
        leg(
            "heads",
            fixed,
            arithmetic="proof",
            over="z Xi",
            covers="projection-loses-nothing",
            grid=ONCE,
        ),
        leg(
            "energy",
            energy,
            arithmetic="proof",
            over="M Xi",
            covers="energy ratio icl-parity-behavior/noise-energy-ratio",
            grid=ONCE,
        ),
        leg(
            "every sign",
            energies,
            closed_form=QUOTIENT,
            relation=equals(),
            required=False,
            covers="ratio icl-parity-behavior/noise-energy-ratio",
            where=2**nu2 * length <= 8,
            lhs=r"\mathbb{E}\,\|P_1\Xi\|^2/\mathbb{E}\,\|P_2\Xi\|^2",
            tex=r"\frac{\nu_1+1}{\nu_2+1}",
        ),
        RATIO,
    ],
    rivals=[
        variant("two constant columns", simulation=two_constants, leg="columns"),
        variant("columns that are not orthogonal", simulation=any_columns, leg="heads"),
        variant("one sign vector for the mean of M", simulation=one_draw, leg="energy"),
        variant("signs of size 2", simulation=twice_the_signs, leg="energy"),
        variant("nu1 over nu2 + 1", closed_form=nu1 / (nu2 + 1), leg="every sign"),
        variant("features", closed_form=2 ** (nu1 - nu2), leg="every sign"),
        variant("the small one on its own features", simulation=small_on_its_own, leg="every sign"),
        *rivals_of(RATIO, {"nu1/nu2": "((nu1 + 1)/M)/((nu2 + 1)/M) == nu1/(nu2 + 1)"}),
    ],
)


# ---- heads of one network


def sign_patterns(most=1):
    """A diagonal head covers (z, w) on features i and j if these are the signs of its two entries: at most ``most`` of
    four, and one exactly if neither entry is 0."""
    for x in (-1, 0, 1):
        for v in (-1, 0, 1):
            met = sum(x * z > 0 and v * w > 0 for z in (-1, 1) for w in (-1, 1))
            if met > most or (met == 1) != (x != 0 and v != 0):
                return Proof(False, "patterns of a pair", {}, {"signs": [x, v], "covered": met})
    return Proof(True, "all signs of the two entries that a pair of features sees", {})


def none_of_them():
    return sign_patterns(most=0)


d, m = sp.symbols("d m", integer=True, nonnegative=True)


def patterns(of=d - m):
    """Covered by a head with so many entries that are not 0."""
    return of * (of - 1) / 2


def most_with_zeros(d, m, **how):
    """The most patterns that a head with m zeros covers, over all signs of its other entries. Shape ()."""
    rows = (row for row in product((-1, 0, 1), repeat=d) if row.count(0) == m)
    return max(covered(row, **how) for row in rows)


def most_ordered(d, m):
    return most_with_zeros(d, m, ordered=True)


# m entries are 0: then fewer, which at d = 1 would be wrong.
PAIRS = formula_leg(
    "pairs of features",
    typed(
        f"Sum(d - i, (i, 1, d)) == d*(d - 1)/2 and {patterns()} < d*(d - 1)/2",
        over=["d in 2..oo", "m in 1..d"],
    ),
    over="head",
)
per_head_every_size = claim(
    "icl-parity-patterns-per-head-every-size",
    lhs=r"\max\#\text{covered}",
    tex=r"\frac{d(d-1)}2",
    states="icl-parity-neuron-count",
    title="Patterns that one head covers, for every number of features",
    says=r"For every $d$ one head covers at most $d(d-1)/2$ patterns, one for each pair of features $i<j$, and so many "
    "exactly if all its diagonal entries are nonzero.",
    role="derived",
    covers="patterns-per-head",
    domain={d: integers(2), m: integers(0)},
    where=m <= d,
    grid={"smoke": {d: [2, 3, 5], m: [0, 1, 2, 3]}, "standard": {d: [4, 6], m: [0, 1, 3, 4]}},
    legs=[
        leg("one pair", sign_patterns, arithmetic="proof", over="head", grid=ONCE),
        leg(
            "all heads",
            most_with_zeros,
            closed_form=patterns(),
            relation=equals(),
            required=False,
            where=d <= 7,
            lhs=r"\max\#\text{covered}",
            tex=r"\frac{(d-m)(d-m-1)}2",
        ),
        PAIRS,
    ],
    rivals=[
        variant("whatever its zeros", closed_form=patterns(d), leg="all heads"),
        variant("pairs with themselves", closed_form=patterns(d - m + 1), leg="all heads"),
        variant("ordered pairs of features", simulation=most_ordered, leg="all heads"),
        variant("none", simulation=none_of_them, leg="one pair"),
        *rivals_of(
            PAIRS,
            {
                "ordered pairs": "Sum(d - i, (i, 1, d)) == d*(d - 1)",
                "one feature": {"over": ["d in 1..oo", "m in 1..d"]},
            },
        ),
    ],
)
