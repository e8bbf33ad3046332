r"""Lemma B.9: how far the weights move after the first step.

Setting. Steps of size eta, x = eta B, B = B_x1, Z = B |w_1| + b~, l 1-Lipschitz. With alpha_t = B |a_t| and zeta_t =
Z + B |w_t - w_1| a step has alpha' <= alpha + x zeta and zeta' <= zeta + x alpha; n = t - 1 steps from (alpha_1, Z)
give at most, by the eigenvectors (1, 1) and (1, -1),

    B |a_t| <= alpha_1 C + Z S,    B |w_t - w_1| <= alpha_1 S + Z (C - 1),    C, S = ((1 + x)^n +- (1 - x)^n)/2.

Statements. (1) C <= cosh(n x) and S <= sinh(n x), so for n x <= 1/10, |a_t| <= 2 (|a_1| + |w_1| + b~/B). (2) S <=
(11/10) n x and C - 1 <= (11/20) (n x)^2: the drift is at most 2 (t eta B |a_1| + t^2 eta^2 B Z). (3) Printed: the
second term is linear in t. On one example x = B, y = 1 below the hinge's kink, with a_1 = 0, both inequalities are
equalities, S >= n x and so B (w_t - w_1) = Z (C - 1) >= Z x^2 n (n - 1)/2, which passes C_0 Z x^2 (n + 1) for every n
>= 2 C_0 + 3, however small eta is. (4) h(t) = -Z/(eta B^2) + c_1 (1 - x)^(t-1) + c_2 (1 + x)^(t-1) solves the
recurrence of the proof with h(1) = |a_1|, h(2) = 2 |a_1| + eta Z.

Reference: lines 5786-5850.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_least,
    at_most,
    claim,
    equals,
    formula,
    formula_leg,
    instances,
    integers,
    leg,
    reals,
    rivals_of,
    typed,
    variant,
)

from ._network import dot, length, step, with_length

POWERS = typed(
    "(1 + x)**n <= exp(n*x) and (1 - x)**n <= exp(-n*x)", over=["n in 0..oo", "x in [0, 1]"]
)
BERNOULLI = typed("(1 - x)**n >= 1 - n*x", over=["n in 0..oo", "x in [0, 1]"])
# one step in the sum and the difference of alpha and zeta
MODES = typed(
    "(A + x*z) + (z + x*A) == (1 + x)*(A + z) and (A + x*z) - (z + x*A) == (1 - x)*(A - z)",
    over=["x in R", "A in R", "z in R"],
)


def two():
    """The constant of both bounds."""
    return Fraction(2)


STEPS, SHARE = 8, Fraction(1, 10)


def training(rng):
    """Inputs of rational length, labels, and a network after its first step, biases of one size."""
    size = abs(rng.rational((), 3)) + Fraction(1, 9)
    return {
        "xs": [with_length(rng, 3) for _ in range(3)],
        "ys": [int(v) for v in rng.signs((3,))],
        "a": rng.rational((3,), 3),
        "w": [with_length(rng, 3) for _ in range(3)],
        "b": [int(v) * size for v in rng.signs((3,))],
    }


def below_the_kink(rng):
    """One example, aligned with a neuron whose second layer starts at 0, and labels 1."""
    return {
        "xs": [[3, 4]],
        "ys": [1],
        "a": [Fraction(0)],
        "w": [[Fraction(3, 500), Fraction(1, 125)]],
        "b": [Fraction(0)],
    }


def readout_alone(rng):
    """One neuron whose second layer is nearly all of the bound."""
    return {**below_the_kink(rng), "a": [Fraction(1)]}


def setting(xs, w):
    """B = E|x|, the step with eta B t = 1/10 at the last step."""
    B = sum((length(x) for x in xs), Fraction(0)) / len(xs)
    return B, SHARE / (B * STEPS)


def trained(xs, ys, a, w, b):
    """Both layers at t = 1, ..., STEPS under the hinge loss."""
    _, eta = setting(xs, w)
    states = [(a, w)]
    while len(states) < STEPS:
        states.append(step(xs, ys, *states[-1], b, eta, 0))
    return states


def second_sizes(xs, ys, a, w, b):
    """max over t of |a_t|, by neuron. Length m."""
    return [max(abs(at[i]) for at, _ in trained(xs, ys, a, w, b)) for i in range(len(a))]


def second_bound(xs, ys, a, w, b, constant=2):
    """2 (|a_1| + |w_1| + b~/B). Length m."""
    B, _ = setting(xs, w)
    return [constant * (abs(v) + length(u) + abs(c) / B) for v, u, c in zip(a, w, b, strict=True)]


def second_without_constant(xs, ys, a, w, b):
    return second_bound(xs, ys, a, w, b, Fraction(1, 2))


def movements(xs, ys, a, w, b):
    """|w_t - w_1|^2 over the square of the bound without its constant, the largest over t by neuron. Length m."""
    B, eta = setting(xs, w)
    found = []
    for i, (v, u, c) in enumerate(zip(a, w, b, strict=True)):
        ratios = []
        for t, (_, at) in enumerate(trained(xs, ys, a, w, b), start=1):
            moved = [q - p for p, q in zip(u, at[i], strict=True)]
            size = t * eta * B * abs(v) + (t * eta) ** 2 * B * (B * length(u) + abs(c))
            ratios.append(dot(moved, moved) / size**2)
        found.append(max(ratios))
    return found


def four(xs, ys, a, w, b):
    """The square of the constant 2. Length m."""
    return [4] * len(a)


def small(xs, ys, a, w, b):
    return [Fraction(1, 25)] * len(a)


FIELDS = "xs ys a w b"
TRAININGS = instances(training, FIELDS, smoke=3, standard=6)
ALIGNED = instances(below_the_kink, FIELDS, smoke=1, standard=1)

EVERY = "law loss i t"
A_MODES = formula_leg("modes of the majorant", MODES, over=EVERY, gives="C", chosen_by=two)
A_POWERS = formula_leg("powers", POWERS, over=EVERY)
A_SIZE = formula_leg(
    "size",
    typed(
        "A*cosh(y) + Z*sinh(y) <= 2*(A + Z)",
        over=["y in [0, 1/10]", "A in [0, oo)", "Z in [0, oo)"],
    ),
    over=EVERY,
)

second_layer = claim(
    "gradfeat-drift-second-layer",
    states="gradfeat-drift-bound",
    title="Size of the second layer",
    says=r"$|a_t|\le2(|a_1|+\|w_1\|+\tilde b/B)$ while $t\eta B\le\frac1{10}$.",
    covers="a-bound",
    relation=at_most(),
    legs=[
        A_MODES,
        A_POWERS,
        A_SIZE,
        leg(
            "trainings",
            second_sizes,
            reference=second_bound,
            instances=TRAININGS,
            unit=1,
            lhs=r"\max_t|a_i^{(t)}|",
            tex=r"2\big(|a_i^{(1)}|+\|w_i^{(1)}\|+\tilde b/B_{x1}\big)",
            required=False,
        ),
    ],
    rivals=[
        variant(
            "constant 1/2",
            reference=second_without_constant,
            leg="trainings",
            instances=instances(readout_alone, FIELDS, smoke=1),
        ),
        *rivals_of(A_MODES, {"1 + x^2": "(A + x*z) + (z + x*A) == (1 + x**2)*(A + z)"}),
        *rivals_of(
            A_POWERS, {"half the exponent": "(1 + x)**n <= exp(n*x/2) and (1 - x)**n <= exp(-n*x)"}
        ),
        *rivals_of(
            A_SIZE, {"times up to 2": {"over": ["y in [0, 2]", "A in [0, oo)", "Z in [0, oo)"]}}
        ),
    ],
)

MOVES = "i t"
W_MODES = formula_leg("modes of the majorant", MODES, over=MOVES, gives="C", chosen_by=two)
W_POWERS = formula_leg("powers", POWERS, over=MOVES)
W_BELOW = formula_leg("Bernoulli", BERNOULLI, over=MOVES)
W_SIZE = formula_leg(
    "size",
    typed(
        "(exp(y) - (1 - y))/2 <= 11*y/10 and (exp(y) + exp(-y))/2 - 1 <= 11*y**2/20",
        over="y in [0, 1/10]",
    ),
    over=MOVES,
)

drift = claim(
    "gradfeat-drift-first-layer",
    states="gradfeat-drift-bound",
    title="Movement of the first layer",
    says=r"$\|w_t-w_1\|\le2\big(t\eta B|a_1|+t^2\eta^2B(B\|w_1\|+\tilde b)\big)$ while $t\eta B\le\frac1{10}$.",
    role="corrected",
    corrects="gradfeat-drift-printed",
    covers="w-drift-corrected",
    relation=at_most(),
    legs=[
        W_MODES,
        W_POWERS,
        W_BELOW,
        W_SIZE,
        leg(
            "trainings",
            movements,
            reference=four,
            instances=TRAININGS,
            unit=1,
            lhs=r"\max_t\|w_t-w_1\|^2/(t\eta B|a_1|+t^2\eta^2B(B\|w_1\|+\tilde b))^2",
            tex="4",
            required=False,
        ),
        leg(
            "one example",
            movements,
            reference=four,
            instances=ALIGNED,
            unit=1,
            lhs=r"\max_t\|w_t-w_1\|^2/(t\eta B|a_1|+t^2\eta^2B(B\|w_1\|+\tilde b))^2",
            tex="4",
            required=False,
        ),
    ],
    rivals=[
        variant("constant 1/5", reference=small, leg="one example"),
        *rivals_of(W_MODES, {"1 + x^2": "(A + x*z) + (z + x*A) == (1 + x**2)*(A + z)"}),
        *rivals_of(
            W_POWERS, {"half the exponent": "(1 + x)**n <= exp(n*x/2) and (1 - x)**n <= exp(-n*x)"}
        ),
        *rivals_of(W_BELOW, {"n x/2": "(1 - x)**n >= 1 - n*x/2"}),
        *rivals_of(
            W_SIZE,
            {"cubes": "(exp(y) - (1 - y))/2 <= 11*y/10 and (exp(y) + exp(-y))/2 - 1 <= 11*y**3/20"},
        ),
    ],
)

printed = formula(
    "gradfeat-drift-printed",
    states="gradfeat-drift-bound",
    title="Movement of the first layer, as printed",
    expect="fail",
    covers="w-drift-printed",
    reads={"i": "t", "t": "t"},
    says="(t - 1)*(t - 2)/2 <= C*t",
    over=["C in [1, oo)", "t in 2..oo"],
    where="t >= 2*C + 4",
)

n = sp.symbols("n", integer=True, positive=True)
x = sp.symbols("x", positive=True)


def one_example(n, x):
    """B (w - w_1)/(Z x^2) after n steps on one example x = 1, y = 1 with b~ = 0, w_1 = 1 and a_1 = 0, the loss being
    linear below its kink. Shape ()."""
    step = Fraction(x)
    a, w = Fraction(0), Fraction(1)
    for _ in range(n):
        if a * w >= 1:
            raise ValueError("beyond the kink")
        a, w = a + step * w, w + step * a
    return (w - 1) / step**2


def one_layer(n, x):
    """The same with the second layer held still at its value after one step."""
    return Fraction(n)


QUADRATIC = formula_leg(
    "quadratic in time",
    typed("n*(n - 1)/2 > C*(n + 1)", over=["C in [1, oo)", "n in 2..oo"], where="n >= 2*C + 3"),
)

quadratic = claim(
    "gradfeat-drift-quadratic",
    lhs=r"\frac{B\|w_t-w_1\|}{Zx^2}",
    tex=r"\frac{n(n-1)}2",
    states="gradfeat-drift-bound",
    title="The first layer moves like the square of the time",
    says=r"From $a_1=0$ gradient descent on one example moves $w$ by at least $\frac{n(n-1)}2\eta^2BZ$ in $n$ "
    r"steps, above "
    r"every $Ct\eta^2BZ$.",
    role="corrected",
    corrects="gradfeat-drift-printed",
    domain={n: integers(1), x: reals(0, low_open=True)},
    where=sp.And(n <= 200, n * x <= sp.Rational(1, 2)),
    grid={
        "smoke": [{n: 3, x: Fraction(1, 10)}, {n: 20, x: Fraction(1, 1000)}],
        "standard": [{n: 100, x: Fraction(1, 10**4)}],
    },
    closed_form=n * (n - 1) / 2,
    relation=at_least(),
    legs=[
        leg("one example", one_example, unit=1),
        leg(
            "one example, exactly",
            one_example,
            relation=equals(),
            closed_form=((1 + x) ** n + (1 - x) ** n - 2) / (2 * x**2),
            lhs=r"\frac{B\|w_t-w_1\|}{Zx^2}",
            tex=r"\frac{(1+x)^n+(1-x)^n-2}{2x^2}",
            unit=1,
        ),
        QUADRATIC,
    ],
    rivals=[
        variant("n^2", closed_form=n**2, leg="one example"),
        variant("n (n - 1)/2 exactly", closed_form=n * (n - 1) / 2, leg="one example, exactly"),
        variant(
            "one layer held still",
            simulation=one_layer,
            leg="one example",
            at=[{n: 20, x: Fraction(1, 1000)}],
        ),
        *rivals_of(QUADRATIC, {"from n = C on": {"where": "n >= C"}}),
    ],
)

MEMBER = "(-k + u*(1 - x)**({t}) + v*(1 + x)**({t}))".format
RECURSION = formula_leg(
    "recurrence",
    typed(
        f"{MEMBER(t='t + 2')} == 2*{MEMBER(t='t + 1')} - (1 - x**2)*{MEMBER(t='t')} + k*x**2",
        over=["k in R", "u in R", "v in R", "x in (0, oo)", "t in 0..oo"],
    ),
)
# a = |a_1|, k = Z/(eta B^2) and x = eta B, so that eta Z = k x^2
FIRST = "((a + k - (a + k*x**2)/x)/2)"
SECOND = "((a + k + (a + k*x**2)/x)/2)"
BEGINS = formula_leg(
    "first two members",
    typed(
        f"-k + {FIRST} + {SECOND} == a and -k + {FIRST}*(1 - x) + {SECOND}*(1 + x) == 2*a + k*x**2",
        over=["a in R", "k in R", "x in (0, oo)"],
    ),
)


def drawn_recurrence(rng):
    """Positive step, size of the inputs, |a_1| and Z."""
    return {name: abs(rng.rational((), 5)) + Fraction(1, 7) for name in ("eta", "B", "a", "Z")}


def recurrence(eta, B, a, Z):
    """h(1), ..., h(9) of h(t) = 2 h(t - 1) - (1 - eta^2 B^2) h(t - 2) + eta Z. Length 9."""
    found = [a, 2 * a + eta * Z]
    while len(found) < 9:
        found.append(2 * found[-1] - (1 - (eta * B) ** 2) * found[-2] + eta * Z)
    return found


def closed(eta, B, a, Z, shift=-1):
    """The closed form of the proof, with exponent t - 1. Length 9."""
    k, half = Z / (eta * B**2), (a + eta * Z) / (eta * B)
    c1, c2 = (a + k - half) / 2, (a + k + half) / 2
    powers = [t + shift for t in range(1, 10)]
    return [-k + c1 * (1 - eta * B) ** n + c2 * (1 + eta * B) ** n for n in powers]


def with_exponent_t(eta, B, a, Z):
    return closed(eta, B, a, Z, shift=0)


RECURRENCE = leg(
    "nine members",
    recurrence,
    reference=closed,
    instances=instances(drawn_recurrence, "eta B a Z", smoke=4, standard=12),
    lhs="h(t)",
    tex=r"-\tfrac Z{\eta B^2}+c_1(1-\eta B)^{t-1}+c_2(1+\eta B)^{t-1}",
    required=False,
)

majorant = claim(
    "gradfeat-drift-majorant",
    states="gradfeat-drift-bound",
    title="The majorant of the proof",
    says=r"$h(t)=-\frac Z{\eta B^2}+c_1(1-\eta B)^{t-1}+c_2(1+\eta B)^{t-1}$ with the proof's $c_1$, $c_2$ has "
    r"$h(1)=|a_1|$, $h(2)="
    r"2|a_1|+\eta Z$ and solves the recurrence.",
    covers="majorant",
    reads={"eta": "x k", "B": "x k"},
    legs=[RECURSION, BEGINS, RECURRENCE],
    rivals=[
        *rivals_of(
            RECURSION,
            {
                "1 + x^2": f"{MEMBER(t='t + 2')} == 2*{MEMBER(t='t + 1')} - (1 + x**2)*{MEMBER(t='t')} "
                "+ k*x**2",
            },
        ),
        *rivals_of(BEGINS, {"exponent t": f"-k + {FIRST}*(1 - x) + {SECOND}*(1 + x) == a"}),
        variant("exponent t, run", reference=with_exponent_t, leg="nine members"),
    ],
)
