r"""Lemma G.2 and (188): probabilities of fine training before it stops, and what cancels at its start.

Setting. 2k outputs, all of them in [0, B] before T_0(B), with B <= log(3/2).

Statements. (1) With u = e^(F_y) in [1, 3/2] and R the sum of the other 2k - 1 exponentials, each of them in [1, 3/2]
too, 1/(3k) <= u/(u + R) <= 3/(4k). (2) At t = 0 all probabilities are 1/(2k). The net of (+, c) gets v_+ from its own
samples with weight 1 - 1/(2k) and from those of its k - 1 siblings with -1/(2k): the weights add up to k/(3k - 2) of
the sum of their sizes, where (188) takes the two to be equal.

Reference: lines 2046-2202; (188) and its like, lines 1955-1995.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from flint import ctx

from theorycheck import claim, formula_leg, instances, integers, leg, rivals_of, typed, variant

from ._network import BITS, number, outputs, softmax
from .fine_recursion import a_training, batch, trained

k = sp.symbols("k", integer=True, positive=True)
u, R = sp.symbols("u R", positive=True)
SHARE = u / (R + u)

EXPONENTIALS = formula_leg(
    "exponentials",
    typed("1 <= exp(F) <= 3/2", over=["B in (0, log(3/2)]", "F in [0, B]"]),
    over="t n y",
)
SHARES = formula_leg(
    "shares",
    typed(
        f"1/(3*k) <= {SHARE} <= 3/(4*k)",
        over=["k in 1..oo", "u in [1, 3/2]", "R in [2*k - 1, 3*(2*k - 1)/2]"],
    ),
    over="t n y",
)


def probability(k, s, common, sub, beta, eta, t, n, y, chances=softmax):
    """After t steps, of sample n: the probability of an output, its exponential and the sum of the others', while
    all are in [0, log(3/2)]. Shape ()."""
    with ctx.workprec(BITS):
        net = trained(k, s, common, sub, beta, eta, t)
        scores = {c: number(f) for c, f in outputs(net, batch(k, s)[n][0]).items()}
        if not all(f >= 0 and f.exp() * 2 <= 3 for f in scores.values()):
            raise ValueError("an output has left [0, log(3/2)]")
        label = list(scores)[y]
        rest = sum((f.exp() for c, f in scores.items() if c != label), number(0))
        return {"value": chances(scores)[label], "u": scores[label].exp(), "R": rest}


def of_one_class(k, s, common, sub, beta, eta, t, n, y):
    """A softmax over the outputs of a class."""

    def within(scores):
        return {c: softmax({e: f for e, f in scores.items() if e[0] == c[0]})[c] for c in scores}

    return probability(k, s, common, sub, beta, eta, t, n, y, within)


def a_case(rng):
    """Steps before the stop, a sample and an output."""
    seen = a_training(rng)
    n, y = (int(rng.integers(0, 2 * seen["k"])) for _ in range(2))
    return {**seen, "n": n, "y": y}


TRAINED = leg(
    "steps of a network",
    probability,
    closed_form=SHARE,
    observed=["u", "R"],
    required=False,
    lhs=r"e^{F_y}/\textstyle\sum_{y'}e^{F_{y'}}",
    instances=instances(a_case, "k s common sub beta eta t n y", smoke=5, standard=12),
)

interval = claim(
    "granularity-fine-logits",
    states="granularity-fine-updates",
    title="Probabilities before the stopping time",
    says=r"$\frac1{3k}\le e^{F_y}/\sum_{y'}e^{F_{y'}}\le\frac3{4k}$ while all $2k$ outputs are in $[0,\log\frac32]$.",
    covers="logit-interval",
    domain={},
    grid={"smoke": [{}]},
    legs=[TRAINED, EXPONENTIALS, SHARES],
    rivals=[
        variant("softmax of a class", simulation=of_one_class, leg="steps of a network"),
        variant("odds", closed_form=u / R, leg="steps of a network"),
        *rivals_of(EXPONENTIALS, {"up to log 2": {"over": ["B in (0, log(2)]", "F in [0, B]"]}}),
        *rivals_of(
            SHARES,
            {
                "an upper end of 3/(4 k + 2)": f"1/(3*k) <= {SHARE} <= 3/(4*k + 2)",
                "a lower end of 1/(3 k - 1)": f"1/(3*k - 1) <= {SHARE} <= 3/(4*k)",
                "k outputs": {"over": ["k in 1..oo", "u in [1, 3/2]", "R in [k - 1, 3*(k - 1)/2]"]},
            },
        ),
    ],
)


def weights(k):
    """Residuals with which the samples of the k subclasses of + bring v_+ to the net of the first. Length k."""
    outputs = 2 * k
    return [Fraction(int(c == 0)) - Fraction(1, outputs) for c in range(k)]


def remaining(k):
    """Size of their sum over the sum of their sizes. Shape ()."""
    seen = weights(k)
    return abs(sum(seen, Fraction(0))) / sum((abs(w) for w in seen), Fraction(0))


FOR_ALL = formula_leg(
    "all k",
    typed(
        "(1 - 1/(2*k) - (k - 1)/(2*k))/(1 - 1/(2*k) + (k - 1)/(2*k)) == k/(3*k - 2)",
        over="k in 1..oo",
    ),
    over="t",
)

cancellation = claim(
    "granularity-cancellation",
    lhs=r"\frac{|\sum_n w_n|}{\sum_n|w_n|}",
    states="granularity-poly-time-fine",
    title="What is left of the common feature at the first fine step",
    says=r"The residuals on $v_+$ in the net of $(+,c)$ at $t=0$ add up to $\frac k{3k-2}$ of the sum of their sizes.",
    role="derived",
    covers="cancellation-ratio",
    domain={k: integers(1)},
    grid={"smoke": {k: [1, 2, 3, 8]}, "standard": {k: [1, 2, 3, 4, 8, 16, 64]}},
    closed_form=k / (3 * k - 2),
    legs=[leg("samples", remaining, required=False), FOR_ALL],
    rivals=[
        variant("nothing cancels", closed_form=sp.Integer(1)),
        variant("the limit of many subclasses", closed_form=sp.Rational(1, 3)),
        *rivals_of(
            FOR_ALL,
            {
                "k siblings": "(1 - 1/(2*k) - (k - 1)/(2*k))/(1 - 1/(2*k) + (k - 1)/(2*k)) == k/(3*k - 1)",
            },
        ),
    ],
)
