"""In the kind of claims that were false on their own declared domain in the library: the same slips, small."""

from fractions import Fraction
from itertools import product

import sympy as sp

from theorycheck import (
    at_least,
    at_most,
    attained,
    certificate,
    choices,
    claim,
    equals,
    hypothesis,
    instances,
    integers,
    leg,
    maximises,
    minimises,
    reals,
    spectra,
    variant,
)

k, p, m, heads, d = sp.symbols("k p m heads d", integer=True, positive=True)
R, r = sp.symbols("R r", integer=True, positive=True)
x, offset = sp.symbols("x offset", real=True)
lam = sp.IndexedBase("lam")


def moment(ns, p, R):
    """Sum over j < p of cos(2 pi j/p)**R. Shape ()."""
    angles = 2 * ns.pi * ns.arange(p) / p
    return ns.sum(ns.cos(angles) ** R)


regularised = claim(
    "limit-at-even-p-and-four",
    says="sum_j cos(2 pi j/p)^R = p binom(R, R/2)/2^R for p >= 3 and R in {2, 4}; at p = 4 = R it is 2.",
    domain={p: integers(3), R: choices(2, 4)},
    grid={"smoke": {p: [3, 5, 7], R: [2, 4]}},
    closed_form=p * sp.binomial(R, R / 2) / 2**R,
    relation=equals(),
    legs=[leg("summed", moment)],
    rivals=[variant("p/2", closed_form=p / 2)],
)


def coordinates(k):
    """Monomials of degree at most 1 in k variables."""
    return sum(sum(powers) <= 1 for powers in product((0, 1), repeat=k))


coordinate_bound = claim(
    "coordinate-bound-at-one",
    says="There are at most (3/4) 2^k of them for every k >= 1; at k = 1 there are 2.",
    domain={k: integers(1)},
    grid={"smoke": {k: [2, 3, 4]}},
    closed_form=sp.Rational(3, 4) * 2**k,
    relation=at_most(),
    legs=[leg("counted", coordinates)],
    rivals=[variant("k", closed_form=k)],
)


def rank_of_powers(R, r):
    """Of the table j**i, j = 1, ..., R and i < r, by elimination."""
    rows = [[Fraction(j) ** i for i in range(r)] for j in range(1, R + 1)]
    rank = 0
    for column in range(r):
        pivot = next((row for row in rows if row[column]), None)
        if pivot is None:
            continue
        rank += 1
        rows.remove(pivot)
        rows = [
            [a - row[column] / pivot[column] * b for a, b in zip(row, pivot, strict=True)]
            for row in rows
        ]
    return rank


noise_sources = claim(
    "fewer-sources-than-the-rank",
    says="R sources of noise span r dimensions; that R >= r was forgotten.",
    domain={R: integers(1), r: integers(1)},
    grid={"smoke": [{R: 2, r: 1}, {R: 3, r: 3}, {R: 5, r: 2}]},
    closed_form=r,
    relation=equals(),
    legs=[leg("eliminated", rank_of_powers)],
    rivals=[variant("R", closed_form=R)],
)

TRAINED = {(2, 3): 9, (2, 5): 25, (3, 3): 27, (3, 5): 125}


def trained(k, p):
    """Inputs that were learned, in the runs that there are."""
    return TRAINED[k, p]


experiment = claim(
    "experiment-that-was-not-run",
    says="All p^k inputs are learned for every k >= 2 and p >= 3; there are runs of k up to 3 and p up to 5.",
    domain={k: integers(2), p: integers(3)},
    grid={"smoke": {k: [2, 3], p: [3, 5]}},
    closed_form=p**k,
    relation=equals(),
    legs=[leg("read", trained)],
    rivals=[variant("p k", closed_form=p * k)],
)


def pairs_of_heads(heads):
    return sum(a < b for a in range(heads) for b in range(heads))


one_head = claim(
    "one-head",
    says="There are at least heads/2 pairs of heads; of one head there is none.",
    domain={heads: integers(1)},
    grid={"smoke": {heads: [2, 4, 8]}},
    closed_form=heads / 2,
    relation=at_least(),
    legs=[leg("counted", pairs_of_heads)],
    rivals=[variant("heads^2", closed_form=heads**2)],
)


def larger_group(m):
    """Of the neurons of one sign, at the signs where it is least."""
    return min(max(sum(s), m - sum(s)) for s in product((0, 1), repeat=m))


one_neuron = claim(
    "one-neuron",
    says="Signs can be chosen such that no more than 2/3 of m neurons agree; one neuron agrees with itself.",
    domain={m: integers(1)},
    grid={"smoke": {m: [2, 3, 4, 6]}},
    closed_form=sp.Rational(2, 3) * m,
    relation=at_most(),
    legs=[leg("all signs", larger_group)],
    rivals=[variant("m/3", closed_form=m / 3)],
)


def halves_of_zero(p):
    """Residues other than 0 whose double is 0."""
    return sum(2 * a % p == 0 for a in range(1, p))


ties = claim(
    "leg-for-odd-p-only",
    says="2 a = 0 mod p for a = 0 alone, for every p >= 2; the leg is right at odd p and does not say so.",
    domain={p: integers(2)},
    grid={"smoke": {p: [3, 5, 9]}},
    closed_form=sp.Integer(0),
    relation=equals(),
    legs=[leg("ties", halves_of_zero, unit=1)],
    rivals=[variant("1", closed_form=sp.Integer(1))],
)


def condition_number(lam, d):
    """The largest eigenvalue in units of the smallest, times the smallest in units of the largest."""
    return Fraction(lam[0]) / lam[-1] * Fraction(lam[-1]) / lam[0]


zero_spectra = claim(
    "zero-spectrum",
    says="kappa times 1/kappa is 1 for every spectrum; one with a zero has no kappa.",
    domain={d: integers(1), lam: spectra(d)},
    grid={"smoke": [{d: 2, lam: (3, 1)}, {d: 3, lam: (4, 2, 1)}]},
    closed_form=sp.Integer(1),
    relation=equals(),
    legs=[leg("value", condition_number)],
    rivals=[variant("2", closed_form=sp.Integer(2))],
)


def through_the_logarithm(ns, x):
    return ns.exp(ns.log(ns.asarray(x) - 1))


not_a_number = claim(
    "not-a-number-inside",
    says="exp(log(x - 1)) = x - 1 for every x >= 0; below 1 it is no number.",
    domain={x: reals(0)},
    grid={"smoke": {x: [2, 3, Fraction(9, 2)]}},
    closed_form=x - 1,
    relation=equals(),
    legs=[leg("value", through_the_logarithm)],
    rivals=[variant("x", closed_form=x)],
)


def one_lost_far_out(k):
    return k - (k == 1234)


hypothesis_inside = claim(
    "hypothesis-inside-by-points",
    says="k for every k >= 1; that k is not 1234 was forgotten, though a witness says that it is needed.",
    domain={k: integers(1)},
    grid={"smoke": {k: [1, 2, 3, 7]}},
    closed_form=k,
    relation=equals(),
    legs=[leg("value", one_lost_far_out)],
    assumes=[hypothesis("not 1234", without=[{k: 1234}])],
    rivals=[variant("k + 1", closed_form=k + 1)],
)

rival_inside = claim(
    "rival-inside-by-points",
    says="k for every k >= 1, with a rival that is the claim at a point of its own domain.",
    domain={k: integers(1)},
    grid={"smoke": {k: [1, 2, 3, 7]}},
    closed_form=k,
    relation=equals(),
    legs=[leg("value", one_lost_far_out)],
    rivals=[variant("k + 1", closed_form=k + 1), variant("at 1234", at=[{k: 1234}])],
)


def small_errors(rng):
    return {"offset": Fraction(int(rng.integers(-9, 10)), 100)}


def distance_of_answers(offset):
    """True answers 1 and 1/2, both off by the same towards each other."""
    return (1 - offset) - (Fraction(1, 2) + offset)


oracle = claim(
    "oracle-within-tolerance",
    says="Answers of tolerance 2/5 to a query whose true answers are 1 and 1/2 lie 1/4 apart; both may be 3/4.",
    domain={},
    closed_form=sp.Rational(1, 4),
    relation=at_least(),
    legs=[
        leg(
            "drawn",
            distance_of_answers,
            instances=instances(
                small_errors, {"offset": reals(Fraction(-2, 5), Fraction(2, 5))}, smoke=6
            ),
        )
    ],
    rivals=[variant("1", closed_form=sp.Integer(1))],
)


def weights(k):
    """Of the model."""
    return [Fraction(1, j) for j in range(1, k + 1)]


def first_weight(k):
    return weights(k)[0]


def last_weight(k):
    return weights(k)[-1]


def bound_of_weights(k):
    return max(weights(k))


flipped = claim(
    "optimum-flipped",
    says="The least weight is 1; it is the largest, and another feasible one is less.",
    domain={k: integers(2)},
    grid={"smoke": {k: [2, 3, 4]}},
    closed_form=sp.Integer(1),
    relation=minimises(),
    legs=[attained(first_weight), certificate(bound_of_weights)],
    rivals=[
        variant("2", closed_form=sp.Integer(2)),
        variant("the last weight", simulation=last_weight, leg="attained"),
    ],
)


two_sizes = claim(
    "two-sizes-for-all",
    states="chosen",
    covers="for-all",
    says="k for every k; tried completely at the two sizes that were run.",
    domain={k: choices(2, 3)},
    grid={"smoke": {k: [2, 3]}},
    closed_form=k,
    relation=at_least(),
    legs=[leg("run", lambda k: k)],
    rivals=[variant("2 k", closed_form=2 * k)],
)


def axis_of_noise(rng, d):
    size = Fraction(int(rng.integers(1, 9)))
    return {"noise": [size, *[0] * (d - 1)], "unit": rational_unit(rng, d), "nothing": [0] * d}


def rational_unit(rng, d):
    """A vector of length 1."""
    c, s = [(Fraction(3, 5), Fraction(4, 5)), (Fraction(5, 13), Fraction(12, 13))][
        int(rng.integers(0, 2))
    ]
    return [c, s, *[0] * (d - 2)]


def length_along(noise, unit, nothing):
    """|noise|^2 |unit|^2 + <nothing, noise>."""
    slack = sum((a * b for a, b in zip(nothing, noise, strict=True)), Fraction(0))
    return sum(v * v for v in noise) * sum(v * v for v in unit) + slack


def first_entry_squared(noise, unit, nothing):
    return noise[0] ** 2


one_direction = claim(
    "noise-along-one-axis",
    says="|noise|^2 is the square of its first entry; all drawn noise lies along the first axis.",
    domain={d: integers(2)},
    grid={"smoke": {d: [2, 3]}},
    relation=equals(),
    legs=[
        leg(
            "drawn",
            length_along,
            reference=first_entry_squared,
            instances=instances(axis_of_noise, "noise unit nothing", smoke=6),
        )
    ],
    rivals=[variant("twice", reference=lambda noise: 2 * noise[0] ** 2)],
)


def best_of(k):
    return max(weights(k))


def with_slack(k):
    """The bound has a term that vanishes wherever it is computed."""
    slack = Fraction(0) * weights(k)[-1]
    return max(weights(k)) + slack


blind_certificate = claim(
    "certificate-with-a-blind-term",
    says="No weight exceeds 1, by a bound one term of which is 0 everywhere.",
    domain={k: integers(1)},
    grid={"smoke": {k: [1, 2, 3]}},
    closed_form=sp.Integer(1),
    relation=maximises(),
    legs=[attained(best_of), certificate(with_slack)],
    rivals=[variant("2", closed_form=sp.Integer(2))],
)
