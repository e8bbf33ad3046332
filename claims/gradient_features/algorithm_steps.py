r"""Algorithms 1 and 4: what moves in a step, and what does not.

Setting. Parameters (a, W, b) of sum_i a_i relu(<w_i, x> - b_i). Algorithm 1 draws n new examples in each of T steps
and moves a and W; Algorithm 4 takes one such step and then moves a alone, on the sample it began with. The examples
are read from a stream, so that they can be counted.

Statements. (1) A step of Algorithm 1 is one step of descent of the regularised loss of (a, W) together: of all its
difference quotients at the old (a, W). (2) After T steps of it n T examples were read and no bias has moved. (3)
After the first step Algorithm 4 moves a T - 1 times, from a^(1), and W never. (4) W^(1) depends on the sample: over
all samples of the two equally likely examples (1, 1) and (2, 1), one neuron with a = w = 1, b = 0, of which both are
beyond the bias, and its mirror (-a, w, b), w^(1) = eta mean(y x) has covariance eta/(4 n) with mean(y x).

Reference: lines 817-827, 5551-5557.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import sympy as sp

from theorycheck import claim, counts, instances, integers, leg, variant

from ._network import gradients, step
from .gradient_formulas import (
    QUADRATIC,
    derivative,
    moved,
    network_loss,
    polynomial,
    short,
    slope_of,
)

T, n = sp.symbols("T n", integer=True, positive=True)
ETA, DECAY = Fraction(1, 5), Fraction(1, 2)
SLOPE = slope_of(QUADRATIC)


def one_step(xs, ys, a, w, b):
    return step(xs, ys, a, w, b, ETA, DECAY, SLOPE)


def sequential_step(xs, ys, a, w, b):
    """W moves in the field of the new a."""
    new_a, _ = one_step(xs, ys, a, w, b)
    return new_a, one_step(xs, ys, new_a, w, b)[1]


def trained(xs, ys, a, w, b, T, update=one_step):
    """(a, W) of a symmetric start after T steps, flat."""
    for t in range(T):
        a, w = update(*sample(xs, ys, t), a, w, b)
    return [*a, *(v for row in w for v in row)]


def trained_in_turn(xs, ys, a, w, b, T):
    return trained(xs, ys, a, w, b, T, sequential_step)


def sample(xs, ys, t):
    """Examples 3 t, 3 t + 1, 3 t + 2 of the stream."""
    return xs[3 * t : 3 * t + 3], ys[3 * t : 3 * t + 3]


def joint(xs, ys, a, w, b, T, decay=DECAY):
    """The same by difference quotients of the regularised loss at the old (a, W)."""
    loss = polynomial(QUADRATIC)
    for t in range(T):
        some, labels = sample(xs, ys, t)
        h = short(some, w, b)

        def regularised(new_a, new_w, some=some, labels=labels):
            squares = sum(v * v for row in [new_a, *new_w] for v in row)
            return network_loss(some, labels, new_a, new_w, b, loss) + decay / 2 * squares

        def along_a(i, a=a, w=w):
            return lambda s: regularised(moved([a], 0, i, s)[0], w)

        def along_w(i, j, a=a, w=w):
            return lambda s: regularised(a, moved(w, i, j, s))

        new_a = [v - ETA * derivative(along_a(i), h) for i, v in enumerate(a)]
        w = [
            [v - ETA * derivative(along_w(i, j), h) for j, v in enumerate(row)]
            for i, row in enumerate(w)
        ]
        a = new_a
    return [*a, *(v for row in w for v in row)]


def joint_without_half(xs, ys, a, w, b, T):
    """With the weight lambda for lambda/2 before the squares."""
    return joint(xs, ys, a, w, b, T, 2 * DECAY)


def start(rng, T):
    """Three neurons of the plane and three examples for each step, none of them at a kink."""
    return {
        "xs": rng.rational((3 * T, 2), 3),
        "ys": [int(v) for v in rng.signs((3 * T,))],
        "a": rng.rational((3,), 2),
        "w": rng.rational((3, 2), 3),
        "b": [v + Fraction(1, 1009) for v in rng.rational((3,), 2)],
    }


simultaneous = claim(
    "gradfeat-alg-joint-step",
    lhs=r"(a,W)^{(T)}",
    tex=r"(a,W)^{(T-1)}-\eta\nabla L^\lambda\big((a,W)^{(T-1)}\big)",
    states="gradfeat-alg-gd",
    title="Both layers move from the same old state",
    says=r"Every step of Algorithm 1 is a step of gradient descent of the regularised loss of $(a,W)$ together.",
    covers="simultaneous",
    reads={"t": "T"},
    domain={T: integers(1)},
    where=T <= 3,
    grid={"smoke": {T: [1, 2]}, "standard": {T: [3]}},
    legs=[
        leg(
            "steps",
            trained,
            reference=joint,
            instances=instances(start, "xs ys a w b", smoke=4, standard=8),
        )
    ],
    rivals=[
        variant("the first layer sees the new a", simulation=trained_in_turn, leg="steps"),
        variant("lambda for lambda/2", reference=joint_without_half, leg="steps"),
    ],
)

XS = [(1, 2), (2, -1), (-1, 1), (3, 1), (1, -2), (-2, -1)]
YS = [1, -1, 1, 1, -1, -1]
A = [Fraction(1), Fraction(-1), Fraction(1, 2)]
W = [[Fraction(1), Fraction(1, 3)], [Fraction(1, 2), Fraction(-1)], [Fraction(-1), Fraction(1)]]
B = [Fraction(1, 7), Fraction(-1, 7), Fraction(1, 9)]


def reader():
    """A stream of examples that counts how many were read."""
    read = []

    def draw(size):
        first = len(read)
        some = [(first + i) % len(XS) for i in range(size)]
        read.extend(some)
        return [XS[i] for i in some], [YS[i] for i in some]

    return draw, read


def new_samples(T, n, again=False, bias_step=0):
    """Examples that T steps of Algorithm 1 have read, and biases that have moved. Length 2."""
    draw, read = reader()
    a, w, b = A, W, B
    first = draw(n) if again else None
    for _ in range(T):
        some, labels = first or draw(n)
        old = a
        a, w = step(some, labels, a, w, b, Fraction(1, 8), 0)
        b = [c + bias_step * v for c, v in zip(b, old, strict=True)]
    return [len(read), sum(p != q for p, q in zip(b, B, strict=True))]


def one_sample(T, n):
    return new_samples(T, n, again=True)


def moving_biases(T, n):
    return new_samples(T, n, bias_step=Fraction(1, 8))


fixed = claim(
    "gradfeat-alg-new-samples",
    lhs=r"\Big(\Big|\bigcup_tZ^{(t-1)}\Big|,\ \#\{i:b_i^{(T)}\ne b_i\}\Big)",
    tex="(nT,\\ 0)",
    states="gradfeat-alg-gd",
    title="New examples in every step, the old biases",
    says="After $T$ steps of Algorithm 1 $nT$ examples were read and no bias has moved.",
    covers="bias-fixed",
    reads={"t": "T"},
    domain={T: integers(1), n: integers(1)},
    where=sp.And(T <= 12, n <= 12),
    grid={
        "smoke": [{T: 1, n: 2}, {T: 3, n: 1}, {T: 4, n: 3}],
        "standard": {T: [2, 5], n: [1, 2, 3]},
    },
    relation=counts(),
    closed_form=sp.Matrix([n * T, 0]),
    legs=[leg("runs", new_samples)],
    rivals=[
        variant("n", closed_form=sp.Matrix([n, 0])),
        variant("one sample for all steps", simulation=one_sample, leg="runs"),
        variant("biases move too", simulation=moving_biases, leg="runs"),
    ],
)


def updates(T, freeze=True):
    """Moves of a after the first step of Algorithm 4, and moves of W after it. Length 2."""
    a, w = step(XS, YS, A, W, B, Fraction(1, 8), 0)
    of_a = of_w = 0
    for _ in range(2, T + 1):
        new_a, new_w = step(XS, YS, a, w, B, Fraction(1, 64), 0)
        kept = w if freeze else new_w
        of_a, of_w = of_a + (new_a != a), of_w + (kept != w)
        a, w = new_a, kept
    return [of_a, of_w]


def updates_of_both(T):
    return updates(T, freeze=False)


second_phase = claim(
    "gradfeat-one-step-updates",
    lhs=r"\big(\#\{t\ge2:a^{(t)}\ne a^{(t-1)}\},\ \#\{t\ge2:W^{(t)}\ne W^{(t-1)}\}\big)",
    tex="(T-1,\\ 0)",
    states="gradfeat-alg-one-step",
    title="Updates after the first step",
    says="Algorithm 4 moves $a$ in $T-1$ steps after the first, and $W$ in none of them.",
    covers="updates",
    domain={T: integers(1)},
    where=T <= 12,
    grid={"smoke": {T: [1, 2, 4]}, "standard": {T: [3, 8]}},
    relation=counts(),
    closed_form=sp.Matrix([T - 1, 0]),
    legs=[leg("runs", updates)],
    rivals=[
        variant("T", closed_form=sp.Matrix([T, 0])),
        variant("W moves too", simulation=updates_of_both, leg="runs"),
    ],
)

LAW = [((Fraction(1),), 1), ((Fraction(2),), 1)]


def covariance(n, fresh=False):
    """Cov(w^(1), mean(y x)) over all samples of size n. Shape ()."""
    pairs = []
    for some in product(LAW, repeat=n):
        xs, ys = [x for x, _ in some], [y for _, y in some]
        a, w, b = [Fraction(1), Fraction(-1)], [[Fraction(1)]] * 2, [Fraction(0)] * 2
        mean = sum((y * x[0] for x, y in some), Fraction(0)) / n
        found, _ = (
            gradients(LAW_POINTS, LAW_LABELS, a, w, b) if fresh else gradients(xs, ys, a, w, b)
        )
        pairs.append((w[0][0] - ETA * (found[0][0] + w[0][0] / ETA), mean))
    count = len(pairs)
    of_w, of_mean = (sum(v[k] for v in pairs) / count for k in (0, 1))
    return sum((p - of_w) * (q - of_mean) for p, q in pairs) / count


LAW_POINTS, LAW_LABELS = [x for x, _ in LAW], [y for _, y in LAW]


def population_step(n):
    """With the gradient of the law for that of the sample."""
    return covariance(n, fresh=True)


dependence = claim(
    "gradfeat-one-step-dependence",
    lhs=r"\mathrm{Cov}\big(w^{(1)},\ \tfrac1n\textstyle\sum_{(x,y)\in Z}yx\big)",
    tex=r"\frac\eta{4n}",
    states="gradfeat-alg-one-step",
    title="The first layer depends on the sample",
    says=r"Over all samples of two examples $w^{(1)}$ has covariance $\frac\eta{4n}\ne0$ with the mean of $yx$: the "
    r"first layer of Algorithm 4 is not fixed before the sample of its second phase.",
    role="reading",
    encodes="special-case",
    covers="dependence",
    domain={n: integers(1)},
    where=n <= 10,
    grid={"smoke": {n: [1, 2, 4]}, "standard": {n: [3, 7]}},
    closed_form=sp.Rational(ETA.numerator, ETA.denominator) / (4 * n),
    legs=[leg("all samples", covariance, inside="Z")],
    rivals=[
        variant("eta/4", closed_form=sp.Rational(1, 20)),
        variant("the gradient of the law", simulation=population_step, leg="all samples"),
    ],
)
