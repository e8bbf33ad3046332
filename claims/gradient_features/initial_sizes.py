r"""Lemma B.8: sizes of both layers at the start and after the first step.

Setting. m independent second-layer weights of standard deviation sigma_a (the other groups repeat their sizes),
first-layer weights sigma_w g with g standard normal in d dimensions, log m <= d, m >= 2; |b_i| = b~.

Statements. (1) max |a_i| <= 2 sqrt 2 sigma_a sqrt(log m) with probability at least 1 - 1/(2 m^2): m erfc(2 sqrt(log
m)) <= m^-3. (2) max |w_i|^2 <= 13 d sigma_w^2 with the same probability: at z = 4 log m <= 4 d the chi-squared
threshold d + 2 sqrt(d z) + 2 z is at most 13 d. (3) After the step |a_i| <= eta |l'(0)| (B_x1 |w_i| + b~) and |w_i|
<= eta |l'(0)| |a_i| B_x1.

Reference: lines 5764-5784.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_most,
    claim,
    formula_leg,
    instances,
    integers,
    leg,
    probability,
    reals,
    rivals_of,
    typed,
    variant,
)

from ._beside import beside
from ._means import MEAN, WRONG_AFFINE, affine, per_atom
from ._network import along, dot, four_groups, of_mean_length, step, unit

m, d = sp.symbols("m d", integer=True, positive=True)
LEVEL_OF_START = 1 / (2 * m**2)


def large_second(ns, rng, size, m, square=8):
    """Whether some of m standard normal numbers is above the root of square log m in size. Shape (size,)."""
    largest = ns.max(ns.abs(rng.normal((size, m))), axis=1)
    return ns.where(largest > ns.sqrt(square * ns.log(ns.asarray(m))), 1, 0)


def above_one_root(ns, rng, size, m):
    return large_second(ns, rng, size, m, square=1)


def law_of_second(ns, m, square=8):
    """P[some of m independent standard normal numbers is above the root of square log m in size]. Shape ()."""
    return 1 - ns.pow(ns.erf(ns.sqrt(square * ns.log(ns.asarray(m)) / 2)), int(m))


def law_of_one_root(ns, m):
    return law_of_second(ns, m, square=1)


def law_of_four_groups(ns, m):
    """The same of 4 m numbers that are all independent."""
    return 1 - ns.pow(1 - law_of_second(ns, m), 4)


def law_of_first(ns, m, d, square=13):
    """P[some of m standard normal vectors has more than square d for its squared length], by the chi-squared law of d
    degrees, built up from that of 1 or 2 in steps of 2. Shape ()."""
    half = ns.asarray(square) * d / 2
    above = ns.exp(-half) if d % 2 == 0 else 1 - ns.erf(ns.sqrt(half))
    term = ns.exp(-half) * (half if d % 2 == 0 else 2 * ns.sqrt(half / ns.pi))
    for degrees in range(2 if d % 2 == 0 else 1, int(d) - 1, 2):
        above, term = above + term, term * half / (ns.asarray(degrees + 2) / 2)
    return 1 - ns.pow(1 - above, int(m))


def law_of_length_one(ns, m, d):
    return law_of_first(ns, m, d, square=1)


def long_first(ns, rng, size, m, d, square=13):
    """Whether some of m standard normal vectors has more than square d for its squared length. Shape (size,)."""
    squares = ns.sum(ns.square(rng.normal((size, m, d))), axis=2)
    return ns.where(ns.max(squares, axis=1) > square * d, 1, 0)


def above_one(ns, rng, size, m, d):
    return long_first(ns, rng, size, m, d, square=1)


def eight():
    """The square of the constant."""
    return Fraction(8)


def thirteen():
    """The square of the constant."""
    return Fraction(13)


TAIL = formula_leg(
    "two-sided tail", typed("erfc(u) <= exp(-u**2)", over="u in [0, oo)"), over="m init"
)
LEVEL = formula_leg(
    "union",
    typed("m*exp(-(2*sqrt(log(m)))**2) == m**(-3) and m**(-3) <= 1/(2*m**2)", over="m in 2..oo"),
    over="init",
    gives="C",
    chosen_by=eight,
)

second = claim(
    "gradfeat-start-second-layer",
    states="gradfeat-init-bounds",
    title="Second layer at the start",
    says=r"$\max_i|a_i^{(0)}|\le2\sqrt2\,\sigma_a\sqrt{\log m}$ with probability at least $1-\frac1{2m^2}$.",
    covers="a0",
    domain={m: integers(2)},
    grid={"smoke": {m: [2, 3]}, "standard": {m: [4]}},
    closed_form=LEVEL_OF_START,
    relation=at_most(),
    legs=[
        TAIL,
        LEVEL,
        beside(
            "starts",
            large_second,
            r"\Pr\big[\max_i|a_i^{(0)}|>2\sqrt2\,\sigma_a\sqrt{\log m}\big]",
            r"\tfrac1{2m^2}",
            statistic=probability(),
            where=m <= 4,
        ),
        beside(
            "law of the largest",
            law_of_second,
            r"1-\operatorname{erf}(2\sqrt{\log m})^m",
            r"\tfrac1{2m^2}",
            arithmetic="ball",
            grid={"smoke": {m: [2, 3, 30]}},
            where=m <= 10**6,
        ),
    ],
    rivals=[
        variant("constant 1", simulation=above_one_root, leg="starts"),
        variant("constant 1, by the law", simulation=law_of_one_root, leg="law of the largest"),
        variant("4 m numbers", simulation=law_of_four_groups, leg="law of the largest"),
        *rivals_of(TAIL, {"half of it": "erfc(u) <= exp(-u**2)/2"}),
        *rivals_of(
            LEVEL,
            {
                "threshold sqrt(2 log m)": "m*exp(-sqrt(log(m))**2) == m**(-3) and m**(-3) <= 1/(2*m**2)"
            },
        ),
    ],
)

TIGHTER = "d + 2*sqrt(d*(4*log(m))) + 2*(4*log(m)) <= 12*d"
THRESHOLD = formula_leg(
    "threshold",
    typed(
        "d + 2*sqrt(d*(4*log(m))) + 2*(4*log(m)) <= 13*d",
        over=["m in 2..oo", "d in 1..oo"],
        where="log(m) <= d",
    ),
    over="init",
    gives="C",
    chosen_by=thirteen,
)
CHANCE = formula_leg(
    "union",
    typed("m*exp(-4*log(m)) == m**(-3) and m**(-3) <= 1/(2*m**2)", over="m in 2..oo"),
    over="d init",
)
# the chi-squared tail itself
LOG = formula_leg(
    "logarithm of the mean",
    typed("-s - log(1 - 2*s)/2 <= s**2/(1 - 2*s)", over="s in [0, 1/2)"),
    over="m d init",
)
BEST = formula_leg(
    "exponent",
    typed(
        "q**2*(u/(q + 2*u))**2/(1 - 2*(u/(q + 2*u))) - (u/(q + 2*u))*(2*q*u + 2*u**2) == -u**2",
        over=["q in (0, oo)", "u in [0, oo)"],
    ),
    over="m d init",
)

first = claim(
    "gradfeat-start-first-layer",
    states="gradfeat-init-bounds",
    title="First layer at the start",
    says=r"$\max_i\|w_i^{(0)}\|\le\sqrt{13d}\,\sigma_w$ with probability at least $1-\frac1{2m^2}$ for $\log m\le d$.",
    covers="w0",
    domain={m: integers(2), d: integers(1)},
    where=sp.log(m) <= d,
    grid={"smoke": [{m: 2, d: 1}, {m: 4, d: 2}], "standard": [{m: 5, d: 3}]},
    closed_form=LEVEL_OF_START,
    relation=at_most(),
    legs=[
        THRESHOLD,
        CHANCE,
        LOG,
        BEST,
        beside(
            "starts",
            long_first,
            r"\Pr\big[\max_i\|w_i^{(0)}\|>\sqrt{13d}\,\sigma_w\big]",
            r"\tfrac1{2m^2}",
            statistic=probability(),
            where=sp.And(m <= 5, d <= 4),
        ),
        beside(
            "law of the longest",
            law_of_first,
            r"1-\Pr[\chi^2_d\le13d]^m",
            r"\tfrac1{2m^2}",
            arithmetic="ball",
            grid={"smoke": [{m: 2, d: 1}, {m: 4, d: 2}, {m: 20, d: 3}, {m: 54, d: 4}]},
            where=sp.And(m <= 10**6, d <= 40),
        ),
    ],
    rivals=[
        variant("constant 1", simulation=above_one, leg="starts"),
        variant("constant 1, by the law", simulation=law_of_length_one, leg="law of the longest"),
        *rivals_of(THRESHOLD, {"12 d": TIGHTER}),
        *rivals_of(CHANCE, {"2 log m": "m*exp(-2*log(m)) == m**(-3) and m**(-3) <= 1/(2*m**2)"}),
        *rivals_of(LOG, {"s^2": "-s - log(1 - 2*s)/2 <= s**2"}),
        *rivals_of(
            BEST,
            {
                "threshold d + 2 sqrt(d z) + z": "q**2*(u/(q + 2*u))**2/(1 - 2*(u/(q + 2*u))) "
                "- (u/(q + 2*u))*(2*q*u + u**2) == -u**2",
            },
        ),
    ],
)

STEP = formula_leg(
    "second layer",
    typed("relu(u - b) <= abs(u) + c", over=["c in (0, oo)", "u in R", "b in [-c, c]"]),
)
# v = +-y relu(<w_i, x> - b_i), X = |x|, W = |w_i|
AVERAGED = affine()
# s = eta |l'(0)|, a = |a_i|, W = |w_i|, c = b~, B = B_x1
s, B, W, c, a = sp.symbols("s B W c a", positive=True)
SECOND_AFTER, FIRST_AFTER = s * (B * W + c), (s * a * B) ** 2
NORM = formula_leg(
    "one factor",
    typed(
        f"s*(W*m + c) <= {SECOND_AFTER}",
        over=["s in [0, oo)", "W in [0, oo)", "B in [0, oo)", "m in [0, B]", "c in [0, oo)"],
    ),
)


def loss_slope(z):
    """l' of a convex loss, -1/2 at 0 and steeper where the margin is below 0."""
    return (z / (1 + abs(z)) - 1) / 2


def start(rng, B, W, c, a):
    """Inputs of mean length B, and the first group of a symmetric start: |w_i| = W, |b_i| = c, |a_i| = a."""
    return {
        "xs": of_mean_length(rng, 3, B),
        "ys": [int(v) for v in rng.signs((4,))],
        "second": [int(v) * Fraction(a) for v in rng.signs((2,))],
        "first": [along(W, unit(rng, 3)) for _ in range(2)],
        "biases": [Fraction(c), -Fraction(c)],
    }


def one_input(rng, B, W, c, a):
    """One input, aligned with a neuron that it makes active."""
    direction = unit(rng, 2)
    return {
        "xs": [along(B, direction)],
        "ys": [1],
        "second": [Fraction(a)],
        "first": [along(W, direction)],
        "biases": [-Fraction(c)],
    }


FIELDS = "xs ys second first biases"
STARTS = instances(start, FIELDS, smoke=2, standard=6)
ALIGNED = instances(one_input, FIELDS, smoke=1, standard=1)
SIZES = [{s: Fraction(3, 16), B: 2, W: 3, c: Fraction(1, 2), a: 2}, {s: 2, B: 1, W: 1, c: 3, a: 1}]
STEPS = {
    "domain": dict.fromkeys((s, B, W, c, a), reals(0, low_open=True)),
    "grid": {"smoke": SIZES, "standard": [{s: 1, B: Fraction(1, 3), W: 5, c: 1, a: 3}]},
}


def after(s, xs, ys, second, first, biases):
    """Both layers after one step with weight decay 1/eta from the symmetric start, eta |l'(0)| = s."""
    eta = 2 * Fraction(s)
    return step(xs, ys, *four_groups(second, first, biases), eta, 1 / eta, loss_slope)


def largest_second(s, xs, ys, second, first, biases):
    """max |a_i| after the step. Shape ()."""
    return max(abs(v) for v in after(s, xs, ys, second, first, biases)[0])


def largest_first(s, xs, ys, second, first, biases):
    """max |w_i|^2 after the step. Shape ()."""
    return max(dot(u, u) for u in after(s, xs, ys, second, first, biases)[1])


def steps(program, form, lhs):
    """Legs that take the first step from drawn starts, and from one whose bound is reached."""
    return [
        leg(name, program, closed_form=form, lhs=lhs, unit=1, required=False, instances=drawn)
        for name, drawn in (("steps", STARTS), ("one input", ALIGNED))
    ]


second_after = claim(
    "gradfeat-first-step-second-layer",
    states="gradfeat-init-bounds",
    title="Second layer after the first step",
    says=r"$|a_i^{(1)}|\le\eta|\ell'(0)|(B_{x1}\|w_i^{(0)}\|+\tilde b)$.",
    covers="a1",
    reads={"i": "u b", "draw": "W c"},
    **STEPS,
    relation=at_most(),
    legs=[
        STEP,
        AVERAGED,
        NORM,
        *steps(largest_second, SECOND_AFTER, r"\max_i|a_i^{(1)}|"),
    ],
    rivals=[
        variant("without the bias, run", closed_form=s * B * W, leg="one input"),
        variant("without the inputs' length", closed_form=s * (W + c), leg="one input"),
        *rivals_of(STEP, {"without the bias": "relu(u - b) <= abs(u)"}),
        *rivals_of(AVERAGED, WRONG_AFFINE),
        *rivals_of(NORM, {"no bias left": "s*(W*m + c) <= s*B*W"}),
    ],
)

# v = y <x, e> 1{<w_i, x> > b_i} for a unit vector e, X = |x|
ALONG = per_atom(
    "mean over a law", f"{MEAN('v[i]')} <= {MEAN('X[i]')}", "v[i], X[i]", "v[i] <= X[i]"
)
# |G| <= E|x| <= B
GRADIENT = formula_leg(
    "first layer",
    typed(
        f"(s*a*h*m)**2 <= {FIRST_AFTER}",
        over=["s in [0, oo)", "a in [0, oo)", "B in [0, oo)", "m in [0, B]", "h in [0, 1]"],
    ),
)

first_after = claim(
    "gradfeat-first-step-first-layer",
    states="gradfeat-init-bounds",
    title="First layer after the first step",
    says=r"$\|w_i^{(1)}\|\le\eta|\ell'(0)||a_i^{(0)}|B_{x1}$.",
    covers="w1",
    reads={"i": "a", "draw": "v X"},
    **STEPS,
    relation=at_most(),
    legs=[
        ALONG,
        GRADIENT,
        *steps(largest_first, FIRST_AFTER, r"\max_i\|w_i^{(1)}\|^2"),
    ],
    rivals=[
        *rivals_of(ALONG, {"half of the mean length": f"{MEAN('v[i]')} <= {MEAN('X[i]')}/2"}),
        *rivals_of(GRADIENT, {"half of it": f"(s*a*h*m)**2 <= {FIRST_AFTER / 4}"}),
        variant("half of it, run", closed_form=FIRST_AFTER / 4, leg="one input"),
        variant("without a_i", closed_form=(s * B) ** 2, leg="one input"),
    ],
)
