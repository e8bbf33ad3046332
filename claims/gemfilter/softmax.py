"""Softmax of scores: what Definitions 9.1, 9.2 use of it.

Statement. For z in R^n, c in R: weights are positive, sum to 1, are those of z + c, and in the order of z.
Twice the scores is no such change: of 0 and ten times -ln 5 the first weight goes from 1/3 to 5/7.

Reference: Definitions 9.1, G.1 (arXiv 2409.17422).
"""

from __future__ import annotations

import sympy as sp

from theorycheck import (
    claim,
    equals,
    formula_leg,
    instances,
    integers,
    leg,
    nowhere,
    reals,
    rivals_of,
    typed,
    variant,
    vectors,
)

n = sp.Symbol("n", integer=True, positive=True)
# S > 0 stands for the sum of exp over the other coordinates, of which there may be any number; the greater of two
# coordinates is a + u, and R >= 0 the sum over all but these two. Each side is what the program has of drawn scores.
a, c, u = sp.symbols("a c u", real=True)
S, R, T = sp.symbols("S R T", real=True)
WEIGHT, REST = sp.exp(a) / (sp.exp(a) + S), S / (sp.exp(a) + S)
MOVED = sp.exp(a + c) / (sp.exp(a + c) + S * sp.exp(c))
OF_BOTH = sp.exp(a) + sp.exp(a + u) + R
LESS, MORE = sp.exp(a) / OF_BOTH, sp.exp(a + u) / OF_BOTH
SUMS_TO_ONE, IN_ORDER = f"{WEIGHT} + {REST} == 1", f"{LESS} < {MORE}"
SOFTMAX = f"0 < {WEIGHT} < 1 and {SUMS_TO_ONE} and {MOVED} == {WEIGHT} and {IN_ORDER}"
INVARIANTS = formula_leg(
    "identities", typed(SOFTMAX, over="a in R; S > 0; c in R; u > 0; R in [0, oo)")
)
DOUBLED = sp.exp(2 * a) / (sp.exp(2 * a) + T)
"""T: the sum of the squares of what S sums."""


def drawn_scores(rng, n):
    """Scores of one head, and a constant."""
    return {"z": rng.rational((n,), 3), "c": rng.rational((1,), 3)[0]}


SCORES = instances(drawn_scores, {"z": vectors(n), "c": reals()}, smoke=3, standard=8)


def parts(ns, z):
    """First coordinate, and the sum of exp over the others. Shapes (B,)."""
    return {"a": z[:, 0], "S": ns.sum(ns.exp(z[:, 1:]), axis=-1)}


def first_weight(ns, z, c):
    return {**parts(ns, z), "value": ns.softmax(z, axis=-1)[:, 0]}


def rest_of_weights(ns, z, c):
    return {**parts(ns, z), "value": ns.sum(ns.softmax(z, axis=-1)[:, 1:], axis=-1)}


def first_weight_moved(ns, z, c):
    """After c is added to every score."""
    return {**parts(ns, z), "value": ns.softmax(z + c[:, None], axis=-1)[:, 0]}


def first_score_moved(ns, z, c):
    """After c is added to the first score alone."""
    total = ns.exp(z[:, 0] + c)
    found = parts(ns, z)
    return {**found, "value": total / (total + found["S"])}


def first_weight_doubled(ns, z, c):
    """Of all scores times two."""
    squares = ns.exp(z[:, 1:] + z[:, 1:])
    value = ns.softmax(z + z, axis=-1)[:, 0]
    return {"a": z[:, 0], "T": ns.sum(squares, axis=-1), "value": value}


def doubled_of_the_sum(ns, z, c):
    """With the square of the sum for the sum of the squares."""
    total = parts(ns, z)["S"]
    return {**first_weight_doubled(ns, z, c), "T": total * total}


def of_two(ns, z, which):
    """A weight of the first two, and what the others sum to."""
    others = ns.sum(ns.exp(z[:, 2:]), axis=-1)
    found = ns.softmax(z, axis=-1)[:, which]
    return {"value": found, "a": z[:, 0], "u": z[:, 1] - z[:, 0], "R": others}


def first_of_two(ns, z, c):
    return of_two(ns, z, 0)


def second_of_two(ns, z, c):
    return of_two(ns, z, 1)


def raised_by_doubling(ns, others=10):
    """First weight of 0 and so many times -ln 5, and of twice these. Shape (2,)."""
    scores = -ns.log(ns.number(5)) * ns.asarray([0] + [1] * others)
    return ns.stack([ns.softmax(scores, axis=-1)[0], ns.softmax(scores + scores, axis=-1)[0]])


def raised_of_one_other(ns):
    return raised_by_doubling(ns, others=1)


def softmax_leg(name, simulation, side, observed):
    """A side of the identities, of drawn scores."""
    return leg(
        name,
        simulation,
        instances=SCORES,
        observed=list(observed),
        closed_form=side,
        required=False,
        lhs=rf"\text{{{name}}}",
    )


softmax = claim(
    "gemfilter-softmax",
    states="gemfilter-attention-def",
    title="Softmax: positive, at most 1, invariant to constants, order preserving",
    says="Softmax weights are positive, sum to 1, stay as they are when a constant is added to all scores, and are in "
    "the order of the scores. Twice the scores is no such change: a weight below one half may rise, from 1/3 to 5/7.",
    role="reading",
    covers="softmax-invariants",
    reads={"z": "a S u R"},
    domain={n: integers(3)},
    grid={"smoke": {n: [3, 6]}},
    relation=equals(),
    legs=[
        INVARIANTS,
        softmax_leg("weight", first_weight, WEIGHT, (a, S)),
        softmax_leg("rest", rest_of_weights, REST, (a, S)),
        softmax_leg("moved", first_weight_moved, MOVED, (a, S)),
        softmax_leg("first of two", first_of_two, LESS, (a, u, R)),
        softmax_leg("second of two", second_of_two, MORE, (a, u, R)),
        softmax_leg("doubled", first_weight_doubled, DOUBLED, (a, T)),
        leg(
            "raised",
            raised_by_doubling,
            closed_form=sp.Matrix([sp.Rational(1, 3), sp.Rational(5, 7)]),
            grid={"smoke": [{n: 11}]},
            required=False,
            lhs=r"\text{a weight, doubled}",
        ),
    ],
    rivals=[
        variant("the square of the sum", simulation=doubled_of_the_sum, leg="doubled"),
        variant("of the rest alone", simulation=rest_of_weights, leg="weight"),
        variant(
            "of the scores as they were, but for one", simulation=first_score_moved, leg="moved"
        ),
        variant("one other score", simulation=raised_of_one_other, leg="raised"),
        variant("the first for the second", simulation=first_of_two, leg="second of two"),
        *rivals_of(
            INVARIANTS,
            {
                **nowhere(
                    "a < 0 and c < 0", "R == 0", "a > 0 and c > 0 and R > 0 and S < 1 and u < 1"
                ),
                "a tenth at least": SOFTMAX.replace(f"0 < {WEIGHT}", f"1/10 < {WEIGHT}"),
                "half at most": SOFTMAX.replace("< 1 and", "<= 1/2 and"),
                "sums to 1 with half the rest": f"{WEIGHT} + {REST / 2} == 1",
                "the rest unmoved": f"{sp.exp(a + c) / (sp.exp(a + c) + S)} == {WEIGHT}",
                "order reversed": SOFTMAX.replace(IN_ORDER, f"{LESS} > {MORE}"),
                "invariant to scaling": f"exp(2*a)/(exp(2*a) + S**2) == {WEIGHT}",
            },
        ),
    ],
)
