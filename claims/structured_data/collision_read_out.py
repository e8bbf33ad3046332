r"""Lemma A.43: with a dependent background no read-out of the printed size on two-step features has a small loss.

Setting. The member of `background_collision`, without input noise: the background all on or all off, inner products
1/(k (D - k)) between relevant and background columns, labels by the parity of the number s of active relevant patterns.
(s, on) and (s + 1, off) have one value of sum_A <M_j, x> and opposite labels, and the rarer ones of equal values have
weight 5/32 or more in all.

Statement. After two steps of the schedule every typical neuron has <w2, x> within 1/(4 m) of a multiple of that sum
(structured-general-two-step-w2x, which holds for dependent backgrounds), so the features of such a pair differ by at
most 1/(2 m), and a read-out with |a|_0 <= C m/k, |a|_inf <= C k^5/m has |g(x) - g(x')| <= C^2 k^4/(2 m). The hinge
losses of the pair add up to at least 2 less that: L(g) >= (5/32)(2 - C^2 k^4/(2 m)) >= 15/64 for m >= C^2 k^4, for
every read-out of this size, with probability 1 - delta over the initialisation. No e^(-ck) is as large from k = 2/c on,
whatever C, c. The classes are balanced.

Reference: Lemma A.43, lines 5210-5218.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from functools import partial

from theorycheck import claim, formula_leg, rivals_of, typed, variant

from ._balls import ONE_POINT
from ._bounded import bounded
from .background_collision import HALF
from .general_two_steps import FIELDS, departure, departure_bound

GOOD = "structured-general-good-features"


def collided(rng):
    """k = 3, two background patterns that are on together, a neuron whose threshold the patterns move."""
    patterns = list(itertools.product((0, 1), repeat=3))
    law = [(f, 1 if sum(f) % 2 else -1, HALF / 8 + HALF / 2 * (sum(f) in (0, 3))) for f in patterns]
    gram = [[Fraction(int(i == j)) for j in range(5)] for i in range(5)]
    for i, j in itertools.product(range(3), (3, 4)):
        gram[i][j] = gram[j][i] = Fraction(1, 6)
    return {
        "law": law,
        "back": [((0, 0), HALF), ((1, 1), HALF)],
        "gram": gram,
        "start": [Fraction(int(v), 100) for v in rng.integers(-4, 5, 5)],
        "side": Fraction(1),
        "b": Fraction(1, 64),
        "s": Fraction(1, 8),
        "noise": Fraction(0),
        "many": 6,
        "eta": Fraction(1, 8),
        "a": Fraction(1),
        "s2": Fraction(1, 64),
        "z": [Fraction(0)] * 5,
        "rim": Fraction(0),
    }


def a_fiftieth(law, back, gram, start, side, b, s, noise, many, eta, a, s2, z, rim):
    given = (law, back, gram, start, side, b, s, noise, many, eta, a, s2, z, rim)
    return [x / 50 for x in departure_bound(*given)]


compared = partial(bounded, FIELDS)
LHS = (
    r"\tilde\sigma^2\big|\langle w^{(2)},x\rangle-\tfrac{a\beta\gamma}{\tilde\sigma}\textstyle\sum_A\langle M_j,x"
    r"\rangle\big|"
)
TEX = r"\text{bound of structured-general-two-step-w2x}"
printed = claim(
    "structured-general-read-out-printed",
    lhs=LHS,
    tex=TEX,
    states=GOOD,
    title="A read-out on two-step features, dependent backgrounds included, as printed",
    says=r"Some $C$, $c$ have for every member a read-out on two-step features of loss at most $e^{-ck}$ and of the "
    r"printed size; on the member above every read-out of this size has loss $\frac{15}{64}$ or more for "
    r"$m\ge C^2k^4$.",
    expect="fail",
    covers="readout",
    reads={"law": "law back gram noise many", "init": "start side b a"},
    **ONE_POINT,
    legs=[
        compared("two steps on the member", departure, departure_bound, collided, 1, 2),
        formula_leg(
            "an exponential above 15/64",
            typed(
                "(5/32)*(2 - C**2*k**4/(2*m)) <= exp(-c*k)",
                over=["C > 0", "c > 0", "k in [2/c, oo)", "m in [C**2*k**4, oo)"],
            ),
            over="C c law init a_tilde",
        ),
    ],
)

PAIR = "Max(0, 1 - u) + Max(0, 1 + v) >= {c} - abs(u - v)"
OF_PAIR = formula_leg("hinge of a pair", typed(PAIR.format(c=2), over=["u in R", "v in R"]))
SIZE = "(C*m/k)*(C*k**5/m)*2*(1/(4*m)) == C**2*k**4/({c}*m)"
OF_SIZE = formula_leg("sizes", typed(SIZE.format(c=2), over=["C > 0", "m > 0", "k in 1..oo"]))
LEFT = "(5/32)*(2 - x/2) >= {c}"
OF_ALL = formula_leg("in all", typed(LEFT.format(c="15/64"), over="x in [0, 1]"))
large = claim(
    "structured-general-read-out-loss",
    lhs=LHS,
    tex=TEX,
    states=GOOD,
    title="The loss of every read-out of the printed size on a dependent background",
    says=r"On a member with a dependent background every read-out with $\|a\|_0\le Cm/k$, $\|a\|_\infty\le Ck^5/m$ on "
    r"the two-step features of typical neurons has hinge loss at least $\frac5{32}(2-C^2k^4/(2m))$, $k\ge128$.",
    role="derived",
    corrects="structured-general-read-out-printed",
    encodes="part",
    **ONE_POINT,
    legs=[
        compared("two steps on the member", departure, departure_bound, collided, 1, 2),
        OF_PAIR,
        OF_SIZE,
        OF_ALL,
    ],
    rivals=[
        variant("a fiftieth", reference=a_fiftieth, leg="two steps on the member"),
        *rivals_of(OF_PAIR, {"5/2": PAIR.format(c="5/2")}),
        *rivals_of(OF_SIZE, {"a quarter": SIZE.format(c=4)}),
        *rivals_of(OF_ALL, {"1/4": LEFT.format(c="1/4")}),
    ],
)
