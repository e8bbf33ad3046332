r"""Remark after Theorem G.3: finetuning a fine network on the coarse labels; and the two classes exchanged.

Setting. Finetuning has the two logits max_c F_{+,c} and max_c F_{-,c}; a sample moves the net that attains the maximum
of a class. Exactly s common and s subclass patches a sample of P patches, no noise, one sample of each subclass, A and
a the responses of a net's detectors of its common and of its own subclass word, a > 0, so that on a sample the own net
attains the maximum, as (234) has it, and the nets of the other class give 0.

Statements. (1) Both kinds of detectors of every net grow by eta s/(2kP)/(1 + e^(s (A + a))) a step: |A/a - 1| is at
most |A - a|/x after a growth of x each, and x passes every bound since a step at x <= X is at least that at X. (2) A
step of a coarse network commutes with the exchange of the classes, of labels and of words: what Theorem F.1 says of
the neurons of + is true of those of - too.

Reference: lines 1619-1733 and 2272-2284, (234) and (235).
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from flint import arb, ctx

from theorycheck import (
    choices,
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

from ._data import COMMON, NOISE, SUBCLASS, features, other, sample, vector
from ._network import BITS, Neuron, fine_labels, number, stepped, updates

k, s, P = sp.symbols("k s P", integer=True, positive=True)
A, a, eta = sp.symbols("A a eta", positive=True)
y = sp.Symbol("y")


def two_logits(scores):
    """Probabilities of the two maxima, each at the output that attains it. By label."""
    best = {
        side: max((c for c in scores if c[0] == side), key=lambda c: scores[c]) for side in "+-"
    }
    powers = {side: number(scores[c]).exp() for side, c in best.items()}
    everything = powers["+"] + powers["-"]
    return {c: powers[c[0]] / everything if c == best[c[0]] else 0 for c in scores}


def grown(k, s, P, A, a, eta):
    """What the common and the own subclass detector of every net gain in a step. Shape (4k,)."""
    d = 2 * k + 2
    with ctx.workprec(BITS):
        net = {
            (side, c): [
                Neuron(
                    vector(v, k, d, A if v == (side,) else a if v == (side, c) else 0), Fraction(0)
                )
                for v in features(side, k)
            ]
            for side, c in fine_labels(k)
        }
        pattern = (COMMON,) * s + (SUBCLASS,) * s + (NOISE,) * (P - 2 * s)
        batch = [(sample(pattern, side, c, k, d), (side, c)) for side, c in fine_labels(k)]
        moved = updates(net, batch, eta, two_logits)
        return [
            sum(moved[side, c][i][e] for e in range(d)) + arb(0)
            for side, c in fine_labels(k)
            for i in (0, 1 + c)
        ]


GROWTH = eta * s / (2 * k * P * (1 + sp.exp(s * (A + a))))
SAME = formula_leg(
    "residual",
    typed(
        f"eta/(2*k*P)*s*(1 - exp(s*(A + a))/(1 + exp(s*(A + a)))) == {GROWTH}",
        over=["eta > 0", "k in 1..oo", "s in 1..oo", "P in 1..oo", "A > 0", "a > 0"],
    ),
    over="c",
)
CLOSE = formula_leg(
    "ratio",
    typed("abs((A + x)/(a + x) - 1) <= abs(A - a)/x", over=["A > 0", "a > 0", "x > 0"]),
    over="c",
)
GOES_ON = formula_leg(
    "steps at a bounded growth",
    typed(
        "1/(1 + exp(s*(A + a + 2*x))) >= 1/(1 + exp(s*(A + a + 2*X)))",
        over=["s in 1..oo", "A > 0", "a > 0", "X > 0", "x in [0, X]"],
    ),
    over="c",
)

equal = claim(
    "granularity-finetuning-growth",
    lhs=r"(\Delta A,\Delta a)",
    tex=r"\frac{\eta s^*}{2kP}\,\frac1{1+e^{s^*(A+a)}}",
    states="granularity-finetune-monotone",
    title="Both kinds of detectors grow alike",
    says=r"In a step of finetuning with fixed counts both kinds of detectors of each net grow by "
    r"$\frac{\eta s^*}{2kP}(1-p_+)$, $p_+$ the probability of the own class, and $A/a\to1$.",
    covers="equal-growth",
    reads={"t": "A a"},
    domain={
        k: integers(1),
        s: integers(1),
        P: integers(2),
        A: reals(0, low_open=True),
        a: reals(0, low_open=True),
        eta: reals(0, low_open=True),
    },
    where=2 * s <= P,
    grid={
        "smoke": [
            {k: 1, s: 1, P: 2, A: 1, a: Fraction(1, 3), eta: 1},
            {k: 2, s: 1, P: 3, A: Fraction(1, 4), a: 1, eta: Fraction(1, 2)},
        ],
        "standard": [
            {k: 3, s: 1, P: 2, A: Fraction(1, 5), a: Fraction(1, 7), eta: 1},
            {k: 2, s: 2, P: 4, A: Fraction(1, 5), a: Fraction(1, 2), eta: 1},
        ],
    },
    closed_form=GROWTH,
    relation=equals(),
    legs=[
        leg("step", grown, required=False, where=sp.And(k <= 3, s <= 2, P <= 5, A + a <= 10)),
        SAME,
        CLOSE,
        GOES_ON,
    ],
    rivals=[
        variant("from all samples of the class", closed_form=GROWTH * k, leg="step"),
        variant(
            "with the probability itself", closed_form=GROWTH * sp.exp(s * (A + a)), leg="step"
        ),
        *rivals_of(
            SAME,
            {
                "half of the exponent": "eta/(2*k*P)*s*(1 - exp(s*(A + a))/(1 + exp(s*(A + a)))) == "
                "eta*s/(2*k*P)/(1 + exp(s*A))"
            },
        ),
        *rivals_of(CLOSE, {"half of it": "abs((A + x)/(a + x) - 1) <= abs(A - a)/(2*x)"}),
        *rivals_of(
            GOES_ON,
            {"beyond X": {"over": ["s in 1..oo", "A > 0", "a > 0", "X > 0", "x in [0, 2*X]"]}},
        ),
    ],
    mutate=False,
)


def turned(x):
    """A vector with the words of the two classes exchanged, those of + and of - in turns. Length d."""
    return [x[i ^ 1] for i in range(len(x))]


def exchanged(net):
    return {other(c): [Neuron(turned(n.w), n.b) for n in neurons] for c, neurons in net.items()}


def exchanged_batch(batch):
    return [([turned(x) for x in patches], other(label)) for patches, label in batch]


def given(weights, biases, patches):
    """Two neurons a class and one sample of each."""
    rows = [Neuron(w, b) for w, b in zip(weights, biases, strict=True)]
    return {"+": rows[:2], "-": rows[2:]}, [(patches[:2], "+"), (patches[2:], "-")]


def flat(net, y):
    return [number(x) for n in net[y] for x in (*n.w, n.b)]


def trained(weights, biases, patches, y):
    """The neurons of a class after a step with beta = 1/5. Shape (10,)."""
    with ctx.workprec(BITS):
        net, batch = given(weights, biases, patches)
        return flat(stepped(net, batch, 1, Fraction(1, 5)), y)


def trained_exchanged(weights, biases, patches, y):
    """The same of the exchanged network on the exchanged batch, exchanged. Shape (10,)."""
    with ctx.workprec(BITS):
        net, batch = given(weights, biases, patches)
        return flat(
            exchanged(stepped(exchanged(net), exchanged_batch(batch), 1, Fraction(1, 5))), y
        )


def labels_kept(weights, biases, patches, y):
    with ctx.workprec(BITS):
        net, batch = given(weights, biases, patches)
        mixed = [
            (x, label) for (x, _), (_, label) in zip(exchanged_batch(batch), batch, strict=True)
        ]
        return flat(exchanged(stepped(exchanged(net), mixed, 1, Fraction(1, 5))), y)


def a_network(rng):
    return {
        "weights": rng.rational((4, 4), 3),
        "biases": rng.rational((4,), 3),
        "patches": rng.rational((4, 4), 3),
    }


symmetry = claim(
    "granularity-classes-exchanged",
    lhs=r"(w,b)^{(t+1)}",
    tex=r"\text{exchanged, stepped, exchanged}",
    states="granularity-poly-time-coarse",
    title="The two classes exchanged",
    says="A step of a coarse network commutes with the exchange of the classes, so that what is said of the neurons of "
    "+ is true of those of -.",
    covers="both-classes",
    reads={"class": "y"},
    domain={y: choices("+", "-")},
    grid={"smoke": {y: ["+", "-"]}},
    relation=equals(),
    legs=[
        leg(
            "a step",
            trained,
            reference=trained_exchanged,
            unit=1,
            instances=instances(a_network, "weights biases patches", smoke=4, standard=8),
        )
    ],
    rivals=[variant("the labels not exchanged", reference=labels_kept)],
)
