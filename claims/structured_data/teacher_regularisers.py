r"""Appendix A.7.5: the two regularisers of the teacher.

Setting. m probability vectors over C classes; R_1 = sum_j q_j log q_j for their average q, R_2 the average of their
entropies; 0 log 0 = 0.

Statements. (1) R_1 >= -log C, with equality for the uniform average only: summed over j, q log(q C) >= q - 1/C is R_1
+ log C >= 0, and with u = q C it is u log u >= u - 1, strict but at u = 1. (2) 0 <= R_2 <= log C, and R_2 = 0 only if
each prediction is one-hot: -q log q > 0 inside (0, 1), and the average of entropies that are all at most log C.

Reference: (A.289)-(A.291), lines 4187-4224.
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb, ctx

from theorycheck import (
    at_least,
    claim,
    equals,
    formula_leg,
    instances,
    leg,
    rivals_of,
    typed,
    variant,
)

from ._balls import BITS, ONE_POINT, number


def negative_entropy(q):
    return sum((number(x) * number(x).log() for x in q if x), arb(0))


def of_the_average(predictions):
    """R_1. Shape ()."""
    with ctx.workprec(BITS):
        m = len(predictions)
        return negative_entropy([sum(column) / m for column in zip(*predictions, strict=True)])


def least_average(predictions):
    """-log C. Shape ()."""
    with ctx.workprec(BITS):
        return -number(len(predictions[0])).log()


def half_of_it(predictions):
    with ctx.workprec(BITS):
        return least_average(predictions) / 2


def of_each(predictions):
    """The mean of the negative entropies of single predictions, -R_2. Shape ()."""
    with ctx.workprec(BITS):
        return sum((negative_entropy(q) for q in predictions), arb(0)) / len(predictions)


def one_of_each_class(rng):
    """Certain predictions, as many of one class as of another: the average is uniform."""
    classes, times = int(rng.integers(2, 6)), int(rng.integers(1, 4))
    rows = [[Fraction(int(i == j)) for j in range(classes)] for i in range(classes)]
    return {"predictions": rows * times}


def both_gaps(predictions):
    """R_2 and log C - R_2. Shape (2,)."""
    with ctx.workprec(BITS):
        entropy = -sum((negative_entropy(q) for q in predictions), arb(0)) / len(predictions)
        return [entropy, number(len(predictions[0])).log() - entropy]


def not_negative(predictions):
    return [0, 0]


def above_a_tenth(predictions):
    return [Fraction(1, 10), Fraction(1, 10)]


def some_predictions(rng):
    """Probability vectors over three classes."""
    rows = [[Fraction(int(rng.integers(0, 9))) for _ in range(2)] + [Fraction(1)] for _ in range(4)]
    return {"predictions": [[x / sum(row) for x in row] for row in rows]}


def nearly_uniform(rng):
    shift = Fraction(1, int(rng.integers(20, 90)))
    return {"predictions": [[Fraction(1, 3) + shift, Fraction(1, 3) - shift, Fraction(1, 3)]] * 2}


TERM = formula_leg(
    "one class",
    typed("q*log(q*C) >= q - 1/C", over=["q in (0, 1]", "C in 2..oo"]),
    over="predictions",
)
STRICT = formula_leg(
    "equality",
    typed("u*log(u) > u - 1", over="u in (0, oo)", where="u != 1"),
    over="predictions C",
)

average = claim(
    "structured-teacher-average",
    lhs="R_1",
    tex=r"-\ln C",
    states="structured-teacher-selection",
    title="Negative entropy of the average prediction",
    says=r"$R_1\ge-\ln C$, with equality only where the average prediction is uniform.",
    covers="R1-minimum",
    **ONE_POINT,
    relation=at_least(),
    legs=[
        leg(
            "predictions",
            of_the_average,
            reference=least_average,
            required=False,
            instances=instances(some_predictions, "predictions", smoke=3, standard=6),
        ),
        leg(
            "nearly uniform",
            of_the_average,
            reference=least_average,
            required=False,
            instances=instances(nearly_uniform, "predictions", smoke=2, standard=2),
        ),
        leg(
            "certain and balanced",
            of_the_average,
            reference=least_average,
            relation=equals(),
            required=False,
            instances=instances(one_of_each_class, "predictions", smoke=3, standard=6),
        ),
        TERM,
        STRICT,
    ],
    rivals=[
        variant("half of log C", reference=half_of_it, leg="nearly uniform"),
        variant("averaged over the predictions", simulation=of_each, leg="certain and balanced"),
        *rivals_of(TERM, {"log 2 for log C": "q*log(2*q) >= q - 1/C"}),
        *rivals_of(STRICT, {"everywhere": {"where": "u > 0"}}),
    ],
)

POSITIVE = formula_leg("inside", typed("-q*log(q) > 0", over="q in (0, 1)"), over="predictions")
SINGLE = formula_leg(
    "one class",
    typed("-q*log(q) <= q*log(C) - q + 1/C", over=["q in (0, 1]", "C in 2..oo"]),
    over="predictions",
)

single = claim(
    "structured-teacher-single",
    lhs=r"(R_2,\,\ln C-R_2)",
    tex="(0,0)",
    states="structured-teacher-selection",
    title="Mean entropy of single predictions",
    says=r"$0\le R_2\le\ln C$, and $R_2=0$ only where every prediction is one-hot.",
    covers="R2-range",
    **ONE_POINT,
    relation=at_least(),
    legs=[
        leg(
            "predictions",
            both_gaps,
            reference=not_negative,
            required=False,
            unit=1,
            instances=instances(some_predictions, "predictions", smoke=3, standard=6),
        ),
        leg(
            "nearly uniform",
            both_gaps,
            reference=not_negative,
            required=False,
            unit=1,
            instances=instances(nearly_uniform, "predictions", smoke=2, standard=2),
        ),
        POSITIVE,
        SINGLE,
    ],
    rivals=[
        variant("above a tenth", reference=above_a_tenth, leg="nearly uniform"),
        *rivals_of(POSITIVE, {"the other sign": "q*log(q) > 0"}),
        *rivals_of(SINGLE, {"log C/2": "-q*log(q) <= q*log(C)/2 - q + 1/C"}),
    ],
)
