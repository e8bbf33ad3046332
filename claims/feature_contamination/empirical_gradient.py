"""Lemmas A.2 and C.2: the gradient of a batch against that of the population.

Setting. Z_i = (g_i - E g)/N for the gradients g_i of N independent examples, S their sum; networks of any weights
off the kinks, finite laws on [0, 1], so that |x|^2 <= d0. Gradients are difference quotients of the loss.

Statements. (1) |Z_i| <= 2 sqrt(d0)/(m N). (2) E|S|^2 <= 4 d0/(m^2 N), by the exact law of every coordinate of S. Both
for the linear network, too, and proved for all: |x|^2 <= d0 and |g| <= |x|/m, a gradient is off its mean by |g| + |E
g| at most, and the mean of N has 1/N of the variance of one, at most E|g|^2. (3) Printed: P[|S| >= delta] <= (d + 1)
exp(-3 m^2 N^2 delta^2/(24 d0 + 4 sqrt(d0) delta m N)), which is Lemma D.2 with the variance of one summand. False: one
background feature z = 1 and m = 1, where S is the mean of N signs. (4) With N delta^2 for N^2 delta^2 and without the N
below it is Lemma D.2 with (1) and (2).

Reference: Lemmas A.2 and C.2, lines 386-416 and 1018-1022.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

import sympy as sp

from theorycheck import (
    at_most,
    claim,
    equals,
    formula_leg,
    instances,
    integers,
    leg,
    reals,
    rivals_of,
    typed,
    variant,
)

from ._laws import law_of_sum
from ._network import (
    Activation,
    drawn_laws,
    drawn_network,
    identity,
    on_a_kink,
    population,
    relu,
    slopes,
)

m, d, N = sp.symbols("m d N", integer=True, positive=True)
d_core, d_bg = sp.symbols("d_core d_bg", integer=True, nonnegative=True)
delta = sp.symbols("delta", nonnegative=True)


def networks(rng, m, d_core, d_bg, N):
    """A network and laws whose population is off the kinks of both activations."""
    while True:
        W, s = drawn_network(rng, m, d_core + d_bg, 4)
        values, weights = drawn_laws(rng, d_core + d_bg)
        support = list(population(values, weights, d_core))
        if not any(on_a_kink(W, s, e.x, e.y, act) for e in support for act in (relu, identity)):
            return {"W": W, "s": s, "values": values, "weights": weights}


def rare_class(rng, m, d_core, d_bg, N):
    """Always active on class -1, rarely on class 1: its examples are far from the mean gradient."""
    size = d_core + d_bg
    return {
        "W": [[Fraction(-1)] * d_core + [Fraction(1, 2 * d_bg)] * d_bg] * m,
        "s": [1] * m,
        "values": [[Fraction(1, 8), Fraction(1)]] * size,
        "weights": [[Fraction(1, 6), Fraction(5, 6)]] * size,
    }


def lit(rng, m, d_core, d_bg, N):
    """Active on both classes, before saturation."""
    size = d_core + d_bg
    return {
        "W": [[Fraction(1, 80)] * d_core + [Fraction(1, 10)] * d_bg] * m,
        "s": [1] * m,
        "values": [[Fraction(1, 2), Fraction(1)]] * size,
        "weights": [[Fraction(1, 10), Fraction(9, 10)]] * size,
    }


def summands(W, s, values, weights, d_core, N, act: Activation = relu):
    """(chance, Z) for every example, Z of shape (m, d0)."""
    found = [(e.chance, slopes(W, s, e.x, e.y, act)) for e in population(values, weights, d_core)]
    rows, columns = range(len(W)), range(len(W[0]))
    mean = [[sum(p * g[k][j] for p, g in found) for j in columns] for k in rows]
    return [(p, [[(g[k][j] - mean[k][j]) / N for j in columns] for k in rows]) for p, g in found]


def largest(W, s, values, weights, m, d_core, d_bg, N):
    """|Z|^2 for every example and neuron. Shape (examples, m)."""
    return [
        [sum(z * z for z in row) for row in Z]
        for _, Z in summands(W, s, values, weights, d_core, N)
    ]


def largest_linear(W, s, values, weights, m, d_core, d_bg, N):
    """The same for the linear network."""
    return [
        [sum(z * z for z in row) for row in Z]
        for _, Z in summands(W, s, values, weights, d_core, N, identity)
    ]


def second_moment(W, s, values, weights, d_core, N, act: Activation = relu):
    """E|S|^2 of each neuron, from the law of every coordinate of S."""
    found = summands(W, s, values, weights, d_core, N, act)
    result = []
    for k in range(len(W)):
        total = Fraction(0)
        for j in range(len(W[0])):
            law = [(Z[k][j], p) for p, Z in found]
            total += sum((p * value**2 for value, p in law_of_sum([law] * N).items()), Fraction(0))
        result.append(total)
    return result


def spread(W, s, values, weights, m, d_core, d_bg, N):
    """E|S|^2. Shape (m,)."""
    return second_moment(W, s, values, weights, d_core, N)


def spread_linear(W, s, values, weights, m, d_core, d_bg, N):
    """E|S|^2 for the linear network. Shape (m,)."""
    return second_moment(W, s, values, weights, d_core, N, identity)


FIELDS = "W s values weights"
DRAWN = instances(networks, FIELDS, smoke=2, standard=6)
RARE = instances(rare_class, FIELDS, smoke=1)
LIT = instances(lit, FIELDS, smoke=1)
SIZES = {
    "domain": {m: integers(1), d_core: integers(1), d_bg: integers(1), N: integers(1)},
    "reads": {"t": "W s"},
    "grid": {
        "smoke": [{m: 1, d_core: 1, d_bg: 1, N: 1}, {m: 2, d_core: 2, d_bg: 1, N: 3}],
        "standard": [{m: 2, d_core: 1, d_bg: 2, N: 4}, {m: 3, d_core: 2, d_bg: 2, N: 2}],
    },
    "relation": at_most(),
    "mutate": False,
}
# Sums of N examples have at most (3 2^(d0+1) N) values a coordinate with these laws
SMALL = (d_core + d_bg <= 4) & (m <= 3) & (N <= 5)
LARGER = (d_core + d_bg <= 4) & (m <= 3) & (N <= 10)
NORM = 4 * (d_core + d_bg) / (m * N) ** 2
SPREAD = 4 * (d_core + d_bg) / (m**2 * N)
CROWDED = [{m: 1, d_core: 1, d_bg: 5, N: 1}]
BATCH = [{m: 1, d_core: 1, d_bg: 2, N: 8}]

# ---- for all networks and laws: |g| <= |x|/m and |x|^2 <= d0

NETWORKS = ["N in 1..oo", "m in 1..oo", "d_core in 1..oo", "d_bg in 1..oo"]
SUMMAND = "((a + b)*sqrt(d_core + d_bg)/m/N)**2"
OF_ONE = "a*(d_core + d_bg)/m**2"
SQUARES = "Sum(p[i]*g[i]**2, (i, 1, n))"
AROUND = "Sum(p[i]*(g[i] - Sum(p[j]*g[j], (j, 1, n)))**2, (i, 1, n))"


def by_norm(over):
    """Legs that two gradients are at most 2 sqrt(d0)/m apart, and their rivals."""
    of_x = formula_leg(
        "|x|", typed("norm(x)**2 <= d", over=["d in 1..oo", "x in [-1, 1]^d"]), over=over
    )
    apart = formula_leg(
        "two gradients",
        typed("norm(g - h) <= norm(g) + norm(h)", over=["n in 1..oo", "g, h in R^n"]),
        over=over,
    )
    summand = formula_leg(
        "of a summand",
        typed(f"{SUMMAND} <= {NORM}", over=[*NETWORKS, "a in [0, 1]", "b in [0, 1]"]),
        over=over,
    )
    return [of_x, apart, summand], [
        *rivals_of(of_x, {"half of it": "norm(x)**2 <= d/2"}),
        *rivals_of(apart, {"of one gradient": "norm(g - h) <= norm(g)"}),
        *rivals_of(summand, {"a quarter": f"{SUMMAND} <= ({NORM})/4"}),
    ]


def by_squares(over):
    """Legs that a mean of N gradients has a variance of d0/(m^2 N) or less, and their rivals."""
    around = formula_leg(
        "around the mean",
        typed(
            f"{AROUND} <= {SQUARES}",
            over=["n in 1..oo", "p[i] in (0, 1] for i in 1..n", "g[i] in R for i in 1..n"],
            where="Sum(p[i], (i, 1, n)) == 1",
        ),
        over=over,
    )
    mean = formula_leg(
        "of N examples",
        typed(f"{OF_ONE}/N <= {SPREAD}", over=[*NETWORKS, "a in [0, 1]"]),
        over=over,
    )
    return [around, mean], [
        *rivals_of(around, {"half of the squares": f"{AROUND} <= {SQUARES}/2"}),
        *rivals_of(mean, {"an eighth": f"{OF_ONE}/N <= ({SPREAD})/8"}),
    ]


NORM_LEGS, NORM_RIVALS = by_norm("sample k t")
SPREAD_LEGS, SPREAD_RIVALS = by_squares("k t")
LINEAR_LEGS, LINEAR_RIVALS = by_norm("k t")

norm = claim(
    "contamination-empirical-gradient-norm",
    lhs=r"\|Z_i\|^2",
    tex=r"\frac{4d_0}{m^2N^2}",
    states="contamination-empirical-gradient",
    title="Norm of a summand",
    says=r"For every example, neuron and network $\|Z_i\|$ is at most $2\sqrt{d_0}/(mN)$.",
    covers="summand-norm",
    closed_form=NORM,
    legs=[
        *NORM_LEGS,
        leg("all examples", largest, instances=DRAWN, where=SMALL, required=False),
    ],
    rivals=[
        *NORM_RIVALS,
        variant(
            "sqrt(d0)/(m N)", leg="all examples", closed_form=NORM / 4, instances=RARE, at=CROWDED
        ),
        variant(
            "2/(m N)",
            leg="all examples",
            closed_form=NORM / (d_core + d_bg),
            instances=RARE,
            at=CROWDED,
        ),
    ],
    **SIZES,
)

variance = claim(
    "contamination-empirical-gradient-variance",
    lhs=r"\mathbb E\|S\|^2",
    tex=r"\frac{4d_0}{m^2N}",
    states="contamination-empirical-gradient",
    title="Variance of the batch gradient",
    says=r"For every neuron, network and batch size $\mathbb{E}\|S\|^2$ is at most $4d_0/(m^2N)$.",
    covers="variance",
    closed_form=SPREAD,
    legs=[
        *SPREAD_LEGS,
        leg("law of each coordinate", spread, instances=DRAWN, where=SMALL, required=False),
        # Nearer to the bound than drawn networks: what is too small at N = 10 is seen here.
        leg(
            "on for both classes",
            spread,
            instances=LIT,
            where=LARGER,
            required=False,
            grid={"smoke": BATCH},
        ),
    ],
    rivals=[
        *SPREAD_RIVALS,
        variant("4 d0/(m^2 N^2)", leg="on for both classes", closed_form=SPREAD / N, at=BATCH),
        variant("d0/(10 m^2 N)", leg="on for both classes", closed_form=SPREAD / 40, at=BATCH),
    ],
    **SIZES,
)

linear = claim(
    "contamination-linear-empirical-gradient",
    title="The same for the linear network",
    says=r"For the linear network $\|Z_i\|$ is at most $2\sqrt{d_0}/(mN)$ and $\mathbb{E}\|S\|^2$ "
    "at most $4d_0/(m^2N)$.",
    covers="same-constants",
    legs=[
        *LINEAR_LEGS,
        *SPREAD_LEGS,
        leg(
            "norm",
            largest_linear,
            instances=DRAWN,
            where=SMALL,
            required=False,
            closed_form=NORM,
            lhs=r"\|Z_i\|^2",
            tex=r"\frac{4d_0}{m^2N^2}",
        ),
        leg(
            "variance",
            spread_linear,
            instances=DRAWN,
            where=SMALL,
            required=False,
            closed_form=SPREAD,
            lhs=r"\mathbb E\|S\|^2",
            tex=r"\frac{4d_0}{m^2N}",
        ),
        leg(
            "larger batches",
            spread_linear,
            instances=LIT,
            where=LARGER,
            required=False,
            grid={"smoke": BATCH},
            closed_form=SPREAD,
            lhs=r"\mathbb E\|S\|^2",
            tex=r"\frac{4d_0}{m^2N}",
        ),
    ],
    rivals=[
        *LINEAR_RIVALS,
        *SPREAD_RIVALS,
        variant("a third of the norm", leg="norm", closed_form=NORM / 9, instances=LIT, at=CROWDED),
        variant("4 d0/(m^2 N^2)", leg="larger batches", closed_form=SPREAD / N, at=BATCH),
    ],
    **SIZES,
)


# ---- the displayed tail


def tail(N, delta, d):
    """P[|S| >= delta] for one neuron w = 1/10 and one background feature z = 1: the law of the two gradients, by
    difference quotients, summed over the number of examples of class 1. Shape ()."""
    law = summands([[Fraction(1, 10)]], [1], [[Fraction(1)]], [[Fraction(1)]], 0, N)
    (_, [[first]]), (_, [[second]]) = law
    return sum(
        (
            Fraction(comb(N, j), 2**N)
            for j in range(N + 1)
            if abs(j * first + (N - j) * second) >= delta
        ),
        Fraction(0),
    )


PRINTED = (d + 1) * sp.exp(-3 * N**2 * delta**2 / (24 + 4 * delta * N))
REPAIRED = (d + 1) * sp.exp(-3 * N * delta**2 / (24 + 4 * delta))
TAILS = {
    "lhs": r"\Pr[\|S\|\ge\delta]",
    "states": "contamination-empirical-gradient",
    "domain": {N: integers(1), delta: reals(0), d: integers(1)},
    "relation": at_most(),
}
LIMITS = (N <= 500) & (delta <= 2)
MANY = {N: 400, delta: Fraction(1, 10), d: 20}

printed = claim(
    "contamination-empirical-gradient-tail-printed",
    tex=r"(d+1)\exp\Big(-\frac{3m^2N^2\delta^2}{24d_0+4\sqrt{d_0}\,\delta mN}\Big)",
    title="The displayed tail",
    says=r"For one neuron and one background feature, $P[\|S\| \ge \delta] \le (d + "
    r"1)\exp(-3N^2\delta^2/(24 + 4\delta N))$.",
    role="reading",
    expect="fail",
    encodes="special-case",
    covers="printed-tail",
    grid={"smoke": [{N: 16, delta: Fraction(1, 2), d: 1}, MANY]},
    closed_form=PRINTED,
    legs=[leg("mean of signs", tail, where=LIMITS)],
    **TAILS,
)

repaired = claim(
    "contamination-empirical-gradient-tail",
    tex=r"(d+1)\exp\Big(-\frac{3m^2N\delta^2}{24d_0+4\sqrt{d_0}\,m\delta}\Big)",
    title="The tail with the variance of the sum",
    says="For one neuron and one background feature the tail is at most $(d + "
    r"1)\exp(-3N\delta^2/(24 + 4\delta))$; for all networks that exponent is Lemma D.2's with the "
    "two bounds.",
    role="corrected",
    corrects="contamination-empirical-gradient-tail-printed",
    encodes="special-case",
    covers="corrected-tail",
    grid={
        "smoke": [{N: 16, delta: Fraction(1, 2), d: 1}, MANY, {N: 400, delta: 1, d: 20}],
        "standard": {N: [1, 50, 500], delta: [Fraction(1, 20), Fraction(1, 4), 1], d: [1, 30]},
    },
    closed_form=REPAIRED,
    legs=[
        leg("mean of signs", tail, where=LIMITS),
        # |S| = 1 for a batch of one.
        leg(
            "one example",
            tail,
            closed_form=sp.Integer(1),
            relation=equals(),
            required=False,
            where=sp.Eq(N, 1) & (delta <= 1),
            grid={"smoke": {N: [1], delta: [0, Fraction(1, 2), 1], d: [1]}},
            lhs=r"\Pr[\|S\|\ge\delta]",
            tex="1",
        ),
        formula_leg(
            "Lemma D.2",
            typed(
                "delta**2/(2*(4*d0/(m**2*N)) + 2*(2*sqrt(d0)/(m*N))*delta/3)"
                " == 3*m**2*N*delta**2/(24*d0 + 4*sqrt(d0)*m*delta)",
                over=["delta in [0, oo)", "m in 1..oo", "N in 1..oo", "d0 in 1..oo"],
            ),
        ),
    ],
    rivals=[
        variant("one side of it", leg="one example", closed_form=sp.Rational(1, 2)),
        variant("printed", leg="mean of signs", closed_form=PRINTED, at=[MANY]),
        variant(
            "3 N delta^2/2",
            leg="mean of signs",
            closed_form=(d + 1) * sp.exp(-3 * N * delta**2 / 2),
            at=[{N: 100, delta: 1, d: 1}],
        ),
        variant(
            "with the variance of one summand",
            leg="Lemma D.2",
            simulation=typed(
                "delta**2/(2*(4*d0/(m**2*N**2)) + 2*(2*sqrt(d0)/(m*N))*delta/3)"
                " == 3*m**2*N*delta**2/(24*d0 + 4*sqrt(d0)*m*delta)",
                over=["delta in [0, oo)", "m in 1..oo", "N in 1..oo", "d0 in 1..oo"],
            ),
        ),
    ],
    mutate=False,
    **TAILS,
)
