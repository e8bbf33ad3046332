r"""Lemma B.22: the empirical loss and the second layer's empirical gradient at every step of the training.

Setting. Step t has a sample of n of its own, independent of W_t; q = n^(1/3), B_x1 >= E|x|, B_x2 >= E|x|^2, |x| <=
B_x. The second-layer weights of the comparison are fixed before the samples.

Statements. (1) The mean of |x| over a sample exceeds B_x1 + 2 sqrt(B_x2)/q with probability at most e^-q for n >=
(B_x/ sqrt(B_x2))^3, by Bernstein's inequality with variance B_x2 and size sqrt(B_x2) q; and |dL/da_i| <= |w_i|
mean|x| + b~ whatever the sample is. So |dL/da_i| <= B_x1 (|w_i - w_i^1| + |w_i^1|) + b~ + 2 |w_i| sqrt(B_x2)/q for
all neurons and all T steps with probability at least 1 - T e^-q. (2) The loss of (a~, W_t) on its sample and the mean
loss of (a~, W_1) differ by at most 2 M/q + B_x1 |a~|_2 sqrt(|a~|_0) max|w_t - w_1|, M = |a~|_0 |a~|_inf (max|w_t| B_x
+ b~), for all T steps with probability at least 1 - 2 T e^-q: Hoeffding's inequality for each step and Lemma B.10.

Reference: lines 6106-6131.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from math import comb

import sympy as sp

from theorycheck import at_most, claim, formula_leg, integers, rivals_of, typed, variant

from . import concentration as entries
from . import loss_gap
from ._beside import beside
from ._network import four_groups, gradients, mean_loss, step

T, n = sp.symbols("T n", integer=True, positive=True)
FAST = sp.exp(-sp.cbrt(n))
# one input is 1 with probability 2/3, the other 4: B_x1 = 2, B_x2 = 6, B_x = 4; labels 1
XS, CHANCE = ((Fraction(1),), (Fraction(4),)), Fraction(1, 3)
MEAN_LENGTH, SQUARE, LONGEST, BIAS = Fraction(2), Fraction(6), Fraction(4), Fraction(1, 4)
START = four_groups([Fraction(1, 40)], [(Fraction(1, 3),)], [-BIAS])
# |a~|_0 = 2, |a~|_inf = 1/2, |a~|_2 sqrt(|a~|_0) = 1
KEPT = [Fraction(1, 2), Fraction(0), Fraction(1, 2), Fraction(0)]
State = tuple[list, list]


def samples(n) -> Iterator[tuple[list, Fraction]]:
    """Every sample up to its order, with its probability."""
    for long in range(n + 1):
        weight = comb(n, long) * CHANCE**long * (1 - CHANCE) ** (n - long)
        yield [XS[1]] * long + [XS[0]] * (n - long), weight


def passed_somewhere(T, n, outside: Callable[[list, State], bool]) -> Fraction:
    """P[some step of T has ``outside``], over the samples of all steps; both layers move on the step's sample."""

    def from_here(state, left):
        if not left:
            return Fraction(0)
        total, (a, w) = Fraction(0), state
        for xs, weight in samples(n):
            ys = [1] * n
            if outside(xs, state):
                total += weight
            else:
                total += weight * from_here(
                    step(xs, ys, a, w, START[2], Fraction(1, 50), 0), left - 1
                )
        return total

    return from_here((START[0], START[1]), T)


def move(w):
    """|w_t - w_1| of each neuron."""
    return [abs(u[0] - v[0]) for u, v in zip(w, START[1], strict=True)]


def gradient_outside(T, n, constant=2):
    """P[some |dL/da_i| is above B_x1 (|w_t - w_1| + |w_1|) + b~ + 2 |w_t| sqrt(B_x2)/n^(1/3)], 0 for short samples.
    Shape ()."""

    def outside(xs, state):
        a, w = state
        found = gradients(xs, [1] * n, a, w, START[2])[1]
        for g, u, first, moved in zip(found, w, START[1], move(w), strict=True):
            over = abs(g) - MEAN_LENGTH * (moved + abs(first[0])) - BIAS
            if over > 0 and over**6 * n**2 > Fraction(constant) ** 6 * u[0] ** 6 * SQUARE**3:
                return True
        return False

    long_enough = n**2 * SQUARE**3 > LONGEST**6
    return passed_somewhere(T, n, outside) if long_enough else Fraction(0)


def gradient_outside_closer(T, n):
    return gradient_outside(T, n, Fraction(1, 20))


def loss_outside(T, n, constant=Fraction(2)):
    """P[some step's loss of (a~, W_t) is further from the mean loss of (a~, W_1) than the bound]. Shape ()."""
    law = [XS[0], XS[0], XS[1]]
    reference = mean_loss(law, [1] * 3, KEPT, START[1], START[2])

    def outside(xs, state):
        w = state[1]
        gap = abs(mean_loss(xs, [1] * n, KEPT, w, START[2]) - reference)
        over = gap - MEAN_LENGTH * max(move(w))
        size = constant * (max(abs(u[0]) for u in w) * LONGEST + BIAS)
        return over > 0 and over**3 * n > size**3

    return passed_somewhere(T, n, outside)


def loss_outside_closer(T, n):
    return loss_outside(T, n, Fraction(1, 50))


EVERY = "samples t i"
REMAINDER = formula_leg("Bernstein for one value", entries.REMAINDER.simulation, over=EVERY)
BERNSTEIN = formula_leg("best exponent", entries.BERNSTEIN.simulation, over=EVERY)
# v <= V^2 = B_x2, M <= V q, deviation C V/q, n = q^3
LEVEL_TEXT = "q**3*({0}*V/q)**2/(2*(V**2 + V*q*({0}*V/q)/3)) >= q"
LEVEL = formula_leg(
    "level",
    typed(LEVEL_TEXT.format("2"), over=["q in (0, oo)", "V in (0, oo)"]),
    over=EVERY,
    gives="C",
    chosen_by=entries.two,
)
SIZE = formula_leg("one neuron", loss_gap.SIZE.simulation, over=EVERY)
SPLIT = formula_leg(
    "through the first step",
    typed(
        "u*m + c <= B*(p + s) + c + u*e",
        over=[
            "B in [0, oo)",
            "e in [0, oo)",
            "m in [0, B + e]",
            "p in [0, oo)",
            "s in [0, oo)",
            "u in [0, p + s]",
            "c in [0, oo)",
        ],
    ),
    over=EVERY,
)
UNION_TEXT = "1 - (1 - x)**T <= T*x"
UNION = formula_leg(
    "all steps", typed(UNION_TEXT, over=["T in 1..oo", "x in [0, 1]"]), over="samples i"
)

gradient = claim(
    "gradfeat-empirical-second-gradient",
    states="gradfeat-loss-gap-empirical",
    title="The second layer's empirical gradient at every step",
    says=r"$|\partial_{a_i}\tilde L_{Z^{(t)}}|\le B_{x1}(\|w_i^{(t)}-w_i^{(1)}\|+\|w_i^{(1)}\|)+\tilde b+2\|w_i^{(t)}\|"
    r"\sqrt{B_{x2}}\,n^{-1/3}$ for all $i$ and $t\le T$ with probability at least $1-Te^{-n^{1/3}}$, for fresh samples "
    r"of $n\ge(B_x/\sqrt{B_{x2}})^3$.",
    covers="gradfeat-loss-gap-empirical/gradient",
    reads={"t": "T", "samples": "n T"},
    domain={T: integers(1), n: integers(1)},
    grid={"smoke": [{T: 1, n: 8}, {T: 2, n: 6}], "standard": [{T: 3, n: 5}, {T: 2, n: 9}]},
    closed_form=T * FAST,
    relation=at_most(),
    legs=[
        REMAINDER,
        BERNSTEIN,
        LEVEL,
        SIZE,
        SPLIT,
        UNION,
        beside(
            "all samples",
            gradient_outside,
            r"\Pr\big[\exists t\le T,i:\ |\partial_{a_i}\tilde L|>\ldots+2\|w_i^{(t)}\|\sqrt{B_{x2}}n^{-1/3}\big]",
            r"Te^{-n^{1/3}}",
            where=sp.And(T <= 3, n <= 12),
        ),
    ],
    rivals=[
        variant("1/20, run", simulation=gradient_outside_closer, leg="all samples"),
        *rivals_of(REMAINDER, {"1/4": "exp(u) - 1 - u <= u**2/(4*(1 - m/3))"}),
        *rivals_of(
            BERNSTEIN,
            {
                "without the size": "-(t/(v + M*t/3))*t + (t/(v + M*t/3))**2*v/(2*(1 "
                "- (t/(v + M*t/3))*M/3)) == -t**2/(2*v)"
            },
        ),
        *rivals_of(LEVEL, {"constant 7/4": LEVEL_TEXT.format("(7/4)")}),
        *rivals_of(SIZE, {"without the bias": "relu(u - b) <= abs(u)"}),
        *rivals_of(SPLIT, {"without the deviation": "u*m + c <= B*(p + s) + c"}),
        *rivals_of(UNION, {"one step": "1 - (1 - x)**T <= x"}),
    ],
)

LOSSES = "samples t a_tilde"
HOEFFDING = entries.hoeffding(LOSSES)
LIPSCHITZ = formula_leg("range of the loss", entries.LIPSCHITZ.simulation, over=LOSSES)
LOSS = formula_leg("level", entries.LOSS.simulation, over=LOSSES, gives="C", chosen_by=entries.two)
MOVES = [
    formula_leg(f"{x.name} of the change", x.simulation, over=LOSSES)
    for x in (loss_gap.RELU, loss_gap.LARGEST, loss_gap.SPARSE)
]
TRIANGLE = formula_leg(
    "triangle",
    typed(
        "abs(x - z) <= e + f",
        over=["x in R", "y in R", "z in R", "e in [0, oo)", "f in [0, oo)"],
        where=["abs(x - y) <= e", "abs(y - z) <= f"],
    ),
    over=LOSSES,
)
ALL_STEPS = formula_leg(
    "all steps", typed(UNION_TEXT, over=["T in 1..oo", "x in [0, 1]"]), over="samples a_tilde"
)

gap = claim(
    "gradfeat-empirical-loss-gap",
    states="gradfeat-loss-gap-empirical",
    title="The empirical loss at every step",
    says=r"$|\tilde L_{Z^{(t)}}(\tilde a,W_t)-L(\tilde a,W_1)|\le2\|\tilde a\|_0\|\tilde a\|_\infty"
    r"(\max\|w_i^{(t)}\|B_x+\tilde b)n^{-1/3}+B_{x1}\|\tilde a\|_2\sqrt{\|\tilde a\|_0}\max\|w_i^{(t)}-w_i^{(1)}\|$ "
    r"for all $t\le T$ with probability at least $1-2Te^{-n^{1/3}}$, for fresh samples.",
    covers="gradfeat-loss-gap-empirical/gap",
    reads={"t": "T", "samples": "n T"},
    domain={T: integers(1), n: integers(1)},
    grid={"smoke": [{T: 1, n: 8}, {T: 2, n: 4}], "standard": [{T: 3, n: 4}, {T: 2, n: 9}]},
    closed_form=2 * T * FAST,
    relation=at_most(),
    legs=[
        *HOEFFDING,
        LIPSCHITZ,
        LOSS,
        *MOVES,
        TRIANGLE,
        ALL_STEPS,
        beside(
            "all samples",
            loss_outside,
            r"\Pr\big[\exists t\le T:\ |\tilde L_{Z^{(t)}}(\tilde a,W_t)-L(\tilde a,W_1)|>\ldots\big]",
            r"2Te^{-n^{1/3}}",
            where=sp.And(T <= 3, n <= 12),
        ),
    ],
    rivals=[
        variant("1/50, run", simulation=loss_outside_closer, leg="all samples"),
        *entries.hoeffding_rivals(),
        *rivals_of(LIPSCHITZ, {"half of it": "1 - M/2 <= v <= 1 + M/2"}),
        *rivals_of(LOSS, {"constant 1": "2*exp(-q**3*(M/q)**2/(2*M**2)) <= 2*exp(-q)"}),
        *rivals_of(
            MOVES[0], {"half of the move": "abs(relu(u - b) - relu(v - b)) <= abs(u - v)/2"}
        ),
        *rivals_of(MOVES[2], {"without the count": "norm(a, 1)**2 <= norm(a)**2"}),
        *rivals_of(TRIANGLE, {"the larger": "abs(x - z) <= Max(e, f)"}),
        *rivals_of(ALL_STEPS, {"one step": "1 - (1 - x)**T <= x"}),
    ],
)
