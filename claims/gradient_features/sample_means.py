r"""Definition 3.5 on samples, and the mean of y x under linear data.

Setting. G(w, b) = E[y x 1{<w, x> > b}] under a law, and the same mean over n independent draws from it. Linear data: a
unit vector w*, y <w*, x> > 0, both labels equally likely, E[y P x] = 0 for the projection P across w*, and rho = E[y
<w*, x>].

Statements. (1) For w and b fixed before the sample, the mean over all samples of the empirical G is G: each summand has
that mean. For weights that depend on the sample it is not. (2) E[y x] = rho w*, as y x = y <w*, x> w* + y P x.

Reference: lines 863-865 and 5974-5976; lines 6274-6280 for (2).
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import sympy as sp

from theorycheck import claim, equals, instances, integers, leg, variant

from ._network import dot, length, simplified, with_length

n = sp.symbols("n", integer=True, positive=True)


def a_law(rng):
    """Three examples with labels and probabilities, a weight, a bias."""
    shares = [int(v) for v in rng.integers(1, 7, 3)]
    return {
        "xs": [rng.rational((2,), 4) for _ in range(3)],
        "ys": [int(v) for v in rng.signs((3,))],
        "mass": [Fraction(s, sum(shares)) for s in shares],
        "w": rng.rational((2,), 4),
        "b": rng.rational((), 2),
    }


def over_samples(xs, ys, mass, w, b, n, chosen=None):
    """The mean of the empirical G over all samples of n examples. Length d."""
    total = [Fraction(0)] * len(w)
    for sample in itertools.product(range(len(xs)), repeat=n):
        chance = math.prod(mass[i] for i in sample)
        drawn = [xs[i] for i in sample]
        found = simplified(drawn, [ys[i] for i in sample], drawn[0] if chosen else w, b)
        total = [t + chance * g for t, g in zip(total, found, strict=True)]
    return total


def along_the_sample(xs, ys, mass, w, b, n):
    """The same with the first input of the sample for the weight."""
    return over_samples(xs, ys, mass, w, b, n, chosen=True)


def population(xs, ys, mass, w, b, times=1):
    """G(w, b) of the law. Length d."""
    active = [(p * y, x) for x, y, p in zip(xs, ys, mass, strict=True) if dot(w, x) > b]
    return [times * sum((p * x[j] for p, x in active), Fraction(0)) for j in range(len(w))]


def of_the_sum(xs, ys, mass, w, b, n):
    return population(xs, ys, mass, w, b, times=n)


def at_or_above(xs, ys, mass, w, b):
    """Without the bias."""
    return population(xs, ys, mass, w, -1000)


unbiased = claim(
    "gradfeat-simplified-gradient-unbiased",
    lhs=r"\mathbb E_{\mathcal Z}\,\tilde G(w,b)",
    tex="G(w,b)",
    states="gradfeat-simplified-gradient",
    title="The empirical simplified gradient is unbiased",
    says=r"$\mathbb E_{\mathcal Z}\tilde G(w,b)=G(w,b)$ for every $w$ and $b$ fixed before the sample and every size "
    r"$n$ of it.",
    covers="empirical",
    domain={n: integers(1)},
    grid={"smoke": {n: [1, 2, 4]}, "standard": {n: [5]}},
    relation=equals(),
    legs=[
        leg(
            "all samples",
            over_samples,
            reference=population,
            unit=1,
            where=n <= 6,
            instances=instances(a_law, "xs ys mass w b", smoke=4, standard=12),
        ),
    ],
    rivals=[
        variant("a weight from the sample", simulation=along_the_sample),
        variant("the sum over the sample", reference=of_the_sum),
        variant("without the indicator", reference=at_or_above),
    ],
)


# ---- linear data


def signal(xs, ys, mass, star):
    """E[y x]. Length d."""
    rows = list(zip(xs, ys, mass, strict=True))
    return [sum((p * y * x[j] for x, y, p in rows), Fraction(0)) for j in range(len(star))]


def stated_signal(xs, ys, mass, star, absolute=False):
    """rho w*, rho = E[y <w*, x>]. Length d."""
    rows = zip(xs, ys, mass, strict=True)
    rho = sum((p * y * dot(star, x) for x, y, p in rows), Fraction(0))
    return [rho * v for v in star]


def margin_for_signal(xs, ys, mass, star):
    """beta w*, beta the margin."""
    beta = min(y * dot(star, x) for x, y in zip(xs, ys, strict=True))
    return [beta * v for v in star]


def lengths_for_signal(xs, ys, mass, star):
    """E|x| w*."""
    size = sum((p * dot(x, x) for x, p in zip(xs, mass, strict=True)), Fraction(0))
    return [size * v for v in star]


def separable(rng, tilt=0):
    """Per label, two pairs of points x = y (c w* + v), y (c' w* - v) of one probability, v across w*: E[y P x] = 0
    without a symmetry of the law. ``tilt`` adds to every v."""
    star = [Fraction(0)]
    while not any(star):
        star = with_length(rng, 3)
    star = [v / length(star) for v in star]
    xs, ys, mass = [], [], []
    for y in (1, -1):
        cut = Fraction(int(rng.integers(1, 6)), 12)
        for p in (cut, Fraction(1, 2) - cut):
            v = rng.rational((3,), 4)
            v = [s - dot(v, star) * t for s, t in zip(v, star, strict=True)]
            for sign in (1, -1):
                c = abs(rng.rational((), 4)) + Fraction(1, 9)
                xs.append([y * (c * t + (sign + tilt) * s) for s, t in zip(v, star, strict=True)])
                ys.append(y)
                mass.append(p / 2)
    return {"xs": xs, "ys": ys, "mass": mass, "star": star}


def tilted(rng):
    """The same, the part across w* correlated with the label."""
    return separable(rng, tilt=Fraction(1, 2))


FIELDS = "xs ys mass star"

mean = claim(
    "gradfeat-linear-mean",
    lhs=r"\mathbb E[yx]",
    tex=r"\rho w^*",
    states="gradfeat-linear-features",
    title="The mean of y x under linear data",
    says=r"$\mathbb E[yx]=\rho w^*$ for every linear data distribution.",
    covers="mean",
    reads={"law": FIELDS},
    relation=equals(),
    legs=[
        leg(
            "finite laws",
            signal,
            reference=stated_signal,
            unit=1,
            instances=instances(separable, FIELDS, smoke=5, standard=15),
        ),
    ],
    rivals=[
        variant("the margin", reference=margin_for_signal),
        variant("second moments", reference=lengths_for_signal),
        variant(
            "correlated across w*", leg="finite laws", instances=instances(tilted, FIELDS, smoke=3)
        ),
    ],
)
