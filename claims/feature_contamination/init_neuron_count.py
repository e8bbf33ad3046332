"""Definitions A.4, A.5 and Lemma A.7: how many neurons start in N_y.

Setting. k is in N_y when sign(a_k) = y and y sum_core mu_j w_kj + sum_bg mu_j w_kj >= c0 sqrt(d0/d), c0 one fixed
number; w_kj ~ N(0, 1/d) and the signs are independent; S = sum mu_j^2.

Statements. (1) The sign condition keeps N_1 and N_-1 apart. (2) (x, y) is positive for neuron k when sign(a_k) = y:
then, and only then, does a larger output of the neuron raise the margin y h. (3) |N_y| is binomial with m trials and
p = Q(c0 sqrt(d0/S))/2. (4) P[|N_y| < p m/2] <= exp(-m p^2/2): Lemma D.4 at the least integer k >= p m/2, as k - 1 <
p m/2.

Reference: lines 428-445 and 467-481. The constants are Theta(1) in the text.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_most,
    choices,
    claim,
    equals,
    formula_leg,
    instances,
    integers,
    leg,
    probability,
    reals,
    typed,
    variant,
)

from ._network import dot, drawn_network

m, d0 = sp.symbols("m d0", integer=True, positive=True)
c0, mu, p = sp.symbols("c0 mu p", positive=True)
y = sp.Symbol("y", integer=True)


# ---- the definitions


def weights_and_means(rng, m, d0):
    W, s = drawn_network(rng, m, d0, 2)
    return {
        "W": W,
        "s": s,
        "mu": [Fraction(int(rng.integers(1, 9)), 8) for _ in range(d0)],
        "core": d0 // 2,
    }


def class_sum(w, mu, core, label):
    """y sum_core mu_j w_j + sum_bg mu_j w_j."""
    return label * dot(w[:core], mu[:core]) + dot(w[core:], mu[core:])


def members(W, s, mu, core, label, signed=True):
    """N_y with the threshold 1/4."""
    return {
        k
        for k, (w, sign) in enumerate(zip(W, s, strict=True))
        if class_sum(w, mu, core, label) >= Fraction(1, 4) and (sign == label or not signed)
    }


def common(W, s, mu, core, m, d0):
    """How many neurons are in N_1 and in N_-1. Shape ()."""
    return len(members(W, s, mu, core, 1) & members(W, s, mu, core, -1))


def common_without_sign(W, s, mu, core, m, d0):
    return len(members(W, s, mu, core, 1, signed=False) & members(W, s, mu, core, -1, signed=False))


def bright(rng, m, d0):
    """Large background weights: both class sums are large."""
    found = weights_and_means(rng, m, d0)
    return found | {"W": [[Fraction(0)] * found["core"] + [Fraction(3)] * (d0 - found["core"])] * m}


FIELDS = "W s mu core"
NETWORKS = instances(weights_and_means, FIELDS, smoke=4, standard=20)
SIZES = {
    "domain": {m: integers(1), d0: integers(2)},
    "grid": {"smoke": {m: [2, 5], d0: [2, 4]}, "standard": {m: [8, 20], d0: [3, 6]}},
}

disjoint = claim(
    "contamination-init-neuron-sets",
    lhs=r"|\mathcal N_1\cap\mathcal N_{-1}|",
    tex="0",
    states="contamination-init-neuron-count",
    title="No neuron is in both sets",
    says="For all weights, signs and means no neuron is in $N_1$ and in $N_{-1}$.",
    role="reading",
    covers="definition-A4",
    reads={"t": "W s"},
    closed_form=sp.Integer(0),
    relation=equals(),
    legs=[leg("membership", common, instances=NETWORKS, unit=1)],
    rivals=[
        variant(
            "without the sign condition",
            simulation=common_without_sign,
            instances=instances(bright, FIELDS, smoke=1),
        ),
        variant("one for each network", closed_form=sp.Integer(1)),
    ],
    mutate=False,
    **SIZES,
)


def raises_margin(W, s, mu, core, m, d0):
    """For each label and neuron, 1 where y h grows by raising the neuron's output, else 0. Shape (2, m)."""
    outputs = [max(dot(w, [Fraction(1)] * d0), Fraction(0)) for w in W]

    def margin(label, k=None):
        raised = [u + (i == k) for i, u in enumerate(outputs)]
        return label * sum(sign * u for sign, u in zip(s, raised, strict=True)) / m

    return [[int(margin(label, k) > margin(label)) for k in range(m)] for label in (1, -1)]


def of_one_sign(W, s, mu, core, m, d0):
    return [[int(sign == label) for sign in s] for label in (1, -1)]


def by_activation(W, s, mu, core, m, d0):
    return [[int(dot(w, [Fraction(1)] * d0) >= 0) for w in W]] * 2


positive = claim(
    "contamination-init-positive-examples",
    lhs=r"[\text{positive}]",
    tex=r"[\operatorname{sign}(a_k)=y]",
    states="contamination-init-neuron-count",
    title="Positive examples of a neuron",
    says=r"Raising the output of neuron $k$ raises $y\,h$ exactly when $\mathrm{sign}(a_k) = y$, "
    "whatever $w_k$ is.",
    role="reading",
    covers="definition-A5",
    reads={"x": "W", "y": "s"},
    relation=equals(),
    legs=[
        leg(
            "raised outputs",
            raises_margin,
            reference=of_one_sign,
            instances=NETWORKS,
            inside="k",
            unit=1,
        )
    ],
    rivals=[
        variant(
            "decided by the activation",
            reference=by_activation,
            instances=instances(bright, FIELDS, smoke=1),
        )
    ],
    **SIZES,
)


# ---- how many there are


def count(ns, rng, size, m, y, c0, mu, variance=None):
    """|N_y(0)| for three features of mean mu, two of them core, in R^12. Shape (size,)."""
    means = ns.asarray([Fraction(mu) * int(y), Fraction(mu) * int(y), Fraction(mu)])
    sums = ns.sum(rng.normal((size, m, 3)) * means, axis=2) * ns.sqrt(
        variance or ns.rational(1, 12)
    )
    own = rng.signs((size, m)) == ns.asarray(y)
    winning = own & (sums >= ns.asarray(c0) / 2)  # sqrt(d0/d) = 1/2
    return ns.sum(ns.where(winning, ns.asarray(1), ns.asarray(0)), axis=1)


def none(ns, rng, size, m, y, c0, mu):
    return count(ns, rng, size, m, y, c0, mu) < ns.rational(1, 2)


def exactly_one(ns, rng, size, m, y, c0, mu):
    found = count(ns, rng, size, m, y, c0, mu)
    return (found > ns.rational(1, 2)) & (found < ns.rational(3, 2))


def none_by_features(ns, rng, size, m, y, c0, mu):
    """With variance 1/d0."""
    return count(ns, rng, size, m, y, c0, mu, ns.rational(1, 3)) < ns.rational(1, 2)


REACHED = sp.erfc(c0 / (mu * sp.sqrt(2))) / 2
MEMBER = REACHED / 2

binomial = claim(
    "contamination-init-neuron-count-law",
    states="contamination-init-neuron-count",
    title="The number of winning neurons is binomial",
    says=r"For three features of mean $\mu$ in $\mathbb{R}^{12}$, $|N_y(0)|$ is 0 or 1 with the "
    r"binomial probabilities at $p = Q(c_0/\mu)/2$.",
    role="reading",
    encodes="part",
    covers="binomial-law",
    reads={"laws": "mu"},
    domain={
        m: integers(1),
        y: choices(1, -1),
        c0: reals(0, 1, low_open=True),
        mu: reals(Fraction(1, 4), 1),
    },
    where=m <= 12,
    grid={
        "smoke": [{m: 5, y: -1, c0: Fraction(1, 4), mu: Fraction(1, 3)}],
        "standard": [
            {m: 4, y: 1, c0: Fraction(1, 4), mu: Fraction(2, 3)},
            {m: 8, y: -1, c0: Fraction(1, 4), mu: Fraction(1, 3)},
        ],
    },
    legs=[
        leg(
            "none",
            none,
            statistic=probability(),
            closed_form=(1 - MEMBER) ** m + 0 * y,
            tex=r"(1-p)^m",
            lhs=r"\Pr[\mathcal N_y^{(0)}=\varnothing]",
        ),
        leg(
            "one",
            exactly_one,
            statistic=probability(),
            closed_form=m * MEMBER * (1 - MEMBER) ** (m - 1) + 0 * y,
            tex=r"mp(1-p)^{m-1}",
            lhs=r"\Pr[|\mathcal N_y^{(0)}|=1]",
            target=Fraction(1, 10),
        ),
    ],
    rivals=[
        variant("without the coin", leg="none", closed_form=(1 - REACHED) ** m),
        variant("Q(2 c0)", leg="none", closed_form=(1 - sp.erfc(sp.sqrt(2) * c0) / 4) ** m),
        variant("variance 1/d0", leg="none", simulation=none_by_features),
    ],
)


def few(m, p):
    """P[Bin(m, p) < p m/2], exactly: terms over the common denominator, each from the one before. Shape ()."""
    hit, every = Fraction(p).as_integer_ratio()
    total, term, end = 0, (every - hit) ** m, half_and_square(Fraction(p))[0] * m
    for j in range(m + 1):
        if j >= end:
            break
        total += term
        term = term * (m - j) * hit // ((j + 1) * (every - hit))
    return Fraction(total, every**m)


def half_and_square(p):
    """q = p/2 and the rate p^2/2."""
    return p / 2, p**2 / 2


SHARE, RATE = half_and_square(p)

linear = claim(
    "contamination-init-neuron-count-linear",
    lhs=r"\Pr[|\mathcal N_y^{(0)}|<pm/2]",
    tex=r"e^{-mp^2/2}",
    states="contamination-init-neuron-count",
    title="A constant fraction of the neurons starts in $N_y$",
    says="For every $m$ and $p$, a binomial number is below $pm/2$ with probability at most "
    r"$\exp(-mp^2/2)$.",
    role="reading",
    covers="linear-size",
    domain={m: integers(1), p: reals(0, Fraction(1, 2), low_open=True)},
    grid={
        "smoke": {m: [1, 5, 40], p: [Fraction(1, 10), Fraction(3, 10), Fraction(1, 2)]},
        "standard": {m: [2, 20, 200], p: [Fraction(1, 20), Fraction(1, 5), Fraction(1, 2)]},
    },
    closed_form=sp.exp(-m * RATE),
    relation=at_most(),
    legs=[
        leg(
            "exact tails",
            few,
            gives="q Omega",
            chosen_by=half_and_square,
            inside="y W_0 a",
            where=m <= 1500,
        )
    ],
    rivals=[
        variant(
            "exponent 2 m p^2",
            closed_form=sp.exp(-2 * m * p**2),
            at=[{m: 1000, p: Fraction(3, 10)}],
        ),
        variant("exponent m p/2", closed_form=sp.exp(-m * p / 2)),
    ],
)

least = claim(
    "contamination-init-neuron-count-exponent",
    states="contamination-init-neuron-count",
    title="Lemma D.4 at half of the mean",
    says=r"For the least integer $k \ge pm/2$ the exponent of Lemma D.4 is at least $mp^2/2$, and "
    r"$k \le pm + 1$.",
    role="reading",
    covers="linear-size",
    legs=[
        formula_leg(
            "exponent",
            typed(
                f"2*m*(p - (k - 1)/m)**2 >= m*({RATE})",
                over=["m in 1..oo", "p in (0, 1]", "k in 1..oo"],
                where=f"k - 1 < ({SHARE})*m",
            ),
            over="y W_0 a",
            gives="q Omega",
            chosen_by=half_and_square,
        ),
        formula_leg(
            "hypothesis",
            typed(
                "k <= p*m + 1",
                over=["m in 1..oo", "p in (0, 1]", "k in 1..oo"],
                where=f"k - 1 < ({SHARE})*m",
            ),
            over="y W_0 a",
        ),
    ],
    rivals=[
        variant(
            "m p^2",
            leg="exponent",
            simulation=typed(
                "2*m*(p - (k - 1)/m)**2 >= m*p**2",
                over=["m in 1..oo", "p in (0, 1]", "k in 1..oo"],
                where=f"k - 1 < ({SHARE})*m",
            ),
        ),
        variant(
            "k <= p m",
            leg="hypothesis",
            simulation=typed(
                "k <= p*m",
                over=["m in 1..oo", "p in (0, 1]", "k in 1..oo"],
                where=f"k - 1 < ({SHARE})*m",
            ),
        ),
    ],
)
