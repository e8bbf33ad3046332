"""Lemmas A.2, C.2, C.3 and the empirical half of A.3: batches large enough, a polynomial in d.

Setting. S = batch mean - population gradient of neuron k at fixed weights, fresh batch of N; every |<S, m_j>| is at
most |S|.

Statement. By the corrected tail of `empirical_gradient` (the exponent 3 m^2 N delta^2/(24 d_0 + 4 sqrt(d_0) m
delta)), with N = 28 d^2/delta^2, |S| >= delta has probability at most e^-d, for every 0 < delta <= 1, m >= 1 and d_0
<= d. For delta = d^-q that is a polynomial of degree 2 q + 2, one for all k, j and t; a union over the steps of a run
is extra. For the linear network before saturation the population gradient on the background is 0
(`linear_bg_gradient`), so that the batch's own is at most delta. At small d the laws of such batches are summed
exactly, coordinate by coordinate.

Reference: Lemma A.2, lines 386-416; Lemma A.3, lines 418-426; Lemmas C.2 and C.3, lines 1018-1041 (ICML 2024).
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from math import ceil, lcm

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

from ._network import drawn_network, identity, on_a_kink, population, relu, slopes

m, d_core, d_bg, d = sp.symbols("m d_core d_bg d", integer=True, positive=True)
delta = sp.symbols("delta", positive=True)

DOMAIN = ["s in [1, oo)", "u in (0, 1]", "m in [1, oo)", "delta in (0, 1]"]
"""s = sqrt(d), u = sqrt(d_0/d)."""
PAID = {"over": "k j t batch"}


def square():
    """28 d^2/delta^2, before everything else is known."""
    return 28


# ---- batches of that size


def networks(rng, m, d_core, d_bg, d, delta):
    """A network of ReLU or linear neurons off the kinks; features 1/2 or 1, fair."""
    size = d_core + d_bg
    values, weights = [[Fraction(1, 2), Fraction(1)]] * size, [[Fraction(1, 2)] * 2] * size
    support = list(population(values, weights, d_core))
    while True:
        W, s = drawn_network(rng, m, size, 1)
        if not any(on_a_kink(W, s, e.x, e.y, act) for e in support for act in (relu, identity)):
            return {"W": W, "s": s, "values": values, "weights": weights}


def law_of_mean(law, N):
    """The law of the mean of N draws from a finite law: value -> chance, through integers."""
    size = lcm(*(v.denominator for v in law))
    every = lcm(*(p.denominator for p in law.values()))
    one = [(int(v * size), int(p * every)) for v, p in law.items()]
    found = {0: 1}
    for _ in range(N):
        step: defaultdict[int, int] = defaultdict(int)
        for total, ways in found.items():
            for v, w in one:
                step[total + v] += ways * w
        found = step
    return {Fraction(v, N * size): Fraction(w, every**N) for v, w in found.items()}


def apart(W, s, values, weights, m, d_core, d_bg, d, delta, act=relu, factor=None):
    """P[|batch mean - population mean| >= delta] of every coordinate of every neuron's gradient, for batches of
    ``factor`` d^2/delta^2 examples, rounded up. Shape (m, d0)."""
    N = ceil((square() if factor is None else factor) * (d / Fraction(delta)) ** 2)
    support = [(e.chance, slopes(W, s, e.x, e.y, act)) for e in population(values, weights, d_core)]
    found = [[Fraction(0)] * len(W[0]) for _ in W]
    for k, row in enumerate(found):
        for j in range(len(row)):
            law: defaultdict[Fraction, Fraction] = defaultdict(Fraction)
            for p, g in support:
                law[g[k][j]] += p
            mean = sum(p * v for v, p in law.items())
            row[j] = sum(
                (p for v, p in law_of_mean(law, N).items() if abs(v - mean) >= delta), Fraction(0)
            )
    return found


def linear_apart(W, s, values, weights, m, d_core, d_bg, d, delta):
    """The same for the linear network."""
    return apart(W, s, values, weights, m, d_core, d_bg, d, delta, identity)


def lit(rng, m, d_core, d_bg, d, delta):
    """Every neuron is active on both classes, no example is saturated."""
    found = networks(rng, m, d_core, d_bg, d, delta)
    return found | {"W": [[Fraction(1, 80)] * d_core + [Fraction(1, 10)] * d_bg] * m, "s": [1] * m}


def ones(rng, m, d_core, d_bg, d, delta):
    """Features that are always 1, on for both classes: a background coordinate of the gradient is y."""
    size = d_core + d_bg
    return lit(rng, m, d_core, d_bg, d, delta) | {
        "values": [[Fraction(1)]] * size,
        "weights": [[Fraction(1)]] * size,
    }


def all_alike(W, s, values, weights, m, d_core, d_bg, d, delta):
    """P[|S_j| >= delta] of a background coordinate: for delta near 1 all labels are alike. Shape ()."""
    return apart(W, s, values, weights, m, d_core, d_bg, d, delta)[0][-1]


def rarely_on(rng, m, d_core, d_bg, d, delta):
    """Core features that are always 1, on for the own class where no background feature is 1, each with probability
    1/2: one core coordinate of the gradient is -1/m for one example in 2^(d_bg + 1), else 0."""
    size = d_core + d_bg
    return {
        "W": [[Fraction(1, 2 * size)] * d_core + [Fraction(-1)] * d_bg] * m,
        "s": [1] * m,
        "values": [[Fraction(1)]] * d_core + [[Fraction(0), Fraction(1)]] * d_bg,
        "weights": [[Fraction(1)]] * d_core + [[Fraction(1, 2)] * 2] * d_bg,
    }


def all_on(W, s, values, weights, m, d_core, d_bg, d, delta):
    """P[|S_j| >= delta] of a core coordinate: for delta near 3/4 all examples are on. Shape ()."""
    return apart(W, s, values, weights, m, d_core, d_bg, d, delta)[0][0]


FIELDS = "W s values weights"
BATCHES = {
    "instances": instances(networks, FIELDS, smoke=2, standard=3),
    # Lemma D.2, on which the formulas rest, is checked and not proved: so are the batches.
    # The laws of sums of 28 d^2/delta^2 examples
    "where": (d <= 3) & (m <= 2) & (d * d <= 9 * delta**2) & (d_core + d_bg <= d),
    "lhs": r"\Pr\big[|\langle S,m_j\rangle|\ge\delta\big]",
    "tex": r"e^{-d}",
}
RELU = leg(
    "ReLU",
    apart,
    covers="contamination-empirical-gradient/gap-small batch-equals-population",
    **BATCHES,
)
LINEAR = leg(
    "linear",
    linear_apart,
    covers="contamination-linear-empirical-gradient/gap-small batch-bound",
    **BATCHES,
)
# The number of examples, exactly: with N of them all labels are alike with probability 2^(1 - N), and otherwise |S_j|
# is at most 1 - 2/N.
ALIKE = leg(
    "labels alike",
    all_alike,
    instances=instances(ones, FIELDS, smoke=1),
    relation=equals(),
    closed_form=2 ** (1 - sp.ceiling(28 * d**2 / delta**2)),
    where=(d <= 3) & sp.Eq(m, 1) & (delta > 1 - 1 / (16 * d**2)) & (d_core + d_bg <= d),
    required=False,
    grid={
        "smoke": [
            {m: 1, d_core: 1, d_bg: 1, d: 2, delta: 1},
            {m: 1, d_core: 1, d_bg: 1, d: 2, delta: Fraction(99, 100)},
            {m: 1, d_core: 1, d_bg: 1, d: 3, delta: 1},
        ]
    },
    lhs=r"\Pr\big[|\langle S,m_j\rangle|\ge\delta\big]",
    tex=r"2^{1-N},\ N=\lceil28d^2/\delta^2\rceil",
)
# The same of the core: with d_bg = 1 one example in four is on, S_j is 1/4 less their share, and |S_j| is 3/4 where all
# of them are, otherwise at most 3/4 - 1/N.
ON = leg(
    "all examples on",
    all_on,
    instances=instances(rarely_on, FIELDS, smoke=1),
    relation=equals(),
    closed_form=4 ** -sp.ceiling(28 * d**2 / delta**2),
    where=sp.Eq(d, 2)
    & sp.Eq(m, 1)
    & sp.Eq(d_core, 1)
    & sp.Eq(d_bg, 1)
    & (delta <= Fraction(3, 4))
    & (delta > Fraction(3, 4) - Fraction(1, 256)),
    required=False,
    grid={"smoke": [{m: 1, d_core: 1, d_bg: 1, d: 2, delta: Fraction(3, 4)}]},
    lhs=r"\Pr\big[|\langle S,m_j\rangle|\ge\delta\big]",
    tex=r"4^{-N},\ N=\lceil28d^2/\delta^2\rceil",
)
BOUND = sp.exp(-d)
AT_MOST = "28*m**2*s**2"
"""The denominator of the exponent is no more than this."""
DENOMINATOR = formula_leg(
    "denominator",
    typed(f"24*(s*u)**2 + 4*s*u*m*delta <= {AT_MOST}", over=DOMAIN),
    gives="N",
    chosen_by=square,
    **PAID,
)
EXPONENT = formula_leg(
    "exponent",
    typed(f"3*m**2*({square()}*(s**2)**2/delta**2)*delta**2/({AT_MOST}) == 3*s**2", over=DOMAIN),
    **PAID,
)
DIMENSION = formula_leg(
    "dimension", typed(f"(d + 1)*exp(-3*d) <= {BOUND}", over="d in [1, oo)"), **PAID
)

gap = claim(
    "contamination-empirical-gradient-size",
    states=[
        "contamination-empirical-gradient",
        "contamination-linear-empirical-gradient",
        "contamination-gradient-projection",
        "contamination-linear-bg-gradient",
    ],
    title="A batch of polynomial size is enough",
    says=r"For every $0<\delta\le1$, $m\ge1$ and $d_0\le d$ the corrected bound on $\Pr[|S|\ge\delta]$ is at most "
    r"$e^{-d}$ with $N=28d^2/\delta^2$ examples, for ReLU and linear networks, every neuron, feature and step.",
    role="reading",
    covers=[
        "contamination-empirical-gradient/gap-small",
        "contamination-linear-empirical-gradient/gap-small",
        "batch-equals-population",
        "batch-bound",
    ],
    domain={
        m: integers(1),
        d_core: integers(1),
        d_bg: integers(1),
        d: integers(2),
        delta: reals(0, 1, low_open=True),
    },
    where=d_core + d_bg <= d,
    grid={
        "smoke": [{m: 1, d_core: 1, d_bg: 1, d: 2, delta: 1}],
        "standard": [{m: 2, d_core: 1, d_bg: 1, d: 2, delta: Fraction(3, 4)}],
    },
    closed_form=BOUND,
    relation=at_most(),
    mutate=False,
    legs=[DENOMINATOR, EXPONENT, DIMENSION, RELU, LINEAR, ALIKE, ON],
    rivals=[
        *rivals_of(
            EXPONENT,
            {
                "N = 28 d/delta^2": "3*m**2*(28*s**2/delta**2)*delta**2/(28*m**2*s**2) == 3*s**2",
            },
        ),
        *rivals_of(DENOMINATOR, {"27 for 28": "24*(s*u)**2 + 4*s*u*m*delta <= 27*m**2*s**2"}),
        *rivals_of(DIMENSION, {"probability e^(-3 d)": "(d + 1)*exp(-3*d) <= exp(-3*d)"}),
        variant(
            "28 d/delta^2 examples",
            leg="labels alike",
            closed_form=2 ** (1 - sp.ceiling(28 * d / delta**2)),
        ),
        variant(
            "28 d^2/delta examples",
            leg="labels alike",
            closed_form=2 ** (1 - sp.ceiling(28 * d**2 / delta)),
        ),
        variant("one example fewer", leg="all examples on", closed_form=4 * ON.closed_form),
        variant(
            "a single example",
            call=apart,
            factor=Fraction(1, 100),
            leg="ReLU",
            instances=instances(lit, FIELDS, smoke=1),
            at=[{m: 1, d_core: 1, d_bg: 1, d: 2, delta: Fraction(2, 3)}],
        ),
        variant(
            "a single example, linear",
            call=apart,
            factor=Fraction(1, 100),
            act=identity,
            leg="linear",
            instances=instances(lit, FIELDS, smoke=1),
            at=[{m: 1, d_core: 1, d_bg: 1, d: 2, delta: Fraction(2, 3)}],
        ),
    ],
)
