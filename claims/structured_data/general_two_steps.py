r"""Lemma A.43, Claims A.45 and A.46: read-outs, weights and biases after two class-weighted steps of the schedule.

Setting. eta = gamma^2 p_min sigma~/(k m^3), then 1 with decays 1/2 of weights and read-outs, s = k^(-3/2), k >= 128,
x = k^(1/4), ln(D m d/(delta gamma p_min)) <= x^2, m >= max(k^4, D, d), so sigma~^2 <= (17/64) D + d/sigma~^2 <= (3/10)
m; sigma_a = sigma~^2/(gamma k^2), sigma_w as small as in `general_outputs`. All neurons are typical, selected ones too.
a2 = T_a, w2 = a1 (sum_j T_j M_j + nu), b2 = b1 + a1 T_b; T by `general_second_step` and `general_second_sizes`. B = E
alpha_y 1[y g^(1) > 1] <= (d + D) e^-k by `general_outputs`, as the bad noise knows nothing of the label.

Statements. B <= gamma^2/m^4, eps_e2 <= (9/10) gamma m^(-5/2), |a1| <= (3/2) x sigma~^2/(gamma k^2). (1) |a2| <= B +
(9/2) eta sigma~/gamma <= (2/5)/(k m^2). (2) sigma~ |T_j| <= (11/10) gamma on A, the others have norm at most gamma/10,
as has sigma~ nu: |w2| <= (3/5) sigma~/k. (3) |b2 - b0| <= eta |a T_b^(1)| + |a1 T_b| <= (1/10)/(k^2 m). (4) Of a good
x, |<M_l, zeta>| and |zeta_j| at most g sigma_zeta sqrt(log k), |<w2, x> - (a beta gamma/sigma~) sum_A <M_j, x>| is at
most (1/4)(1 + g)/m: five parts, from T_j - beta gamma/sigma~ on A, T_j off A, both parts of nu and a1 - a.

Reference: Lemma A.43, lines 5210-5218; Claim A.45, lines 5289-5353; Claim A.46, lines 5355-5367.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from flint import arb, ctx

from theorycheck import claim, variant

from ._balls import ONE_POINT, number
from ._bounded import bounded, step
from ._general_outputs import dot, first, inputs, moved, times
from ._general_second import PRECISION, after_one, second_step, start_gate
from .general_first_step import half_difference
from .general_second_sizes import bias_bound, read_out_bound
from .general_second_step import (
    background_bound,
    noise_bound,
    one_pattern,
    relevant_bound,
    slope,
    some_step,
)
from .two_step_sizes import typical

FIELDS = "law back gram start side b s noise many eta a s2 z rim"
NINE = Fraction(9, 16)


def two_steps(law, back, gram, start, side, b, s, noise, many, eta, a, s2):
    """The neuron after one step, sigma~ T and the part sigma~ nu, a multiple of the unit vector along w^(1)."""
    given = (law, back, gram, start, side * side, b, s, noise, many, eta, a)
    found = second_step(*given, s2)
    return after_one(*given)[0], found, number(noise) * found.noise


def after_two(law, back, gram, start, side, b, s, noise, many, eta, a, s2, z, rim, kept=0):
    """|a2|, sigma~ |w2|, |b2 - b0|. Shape (3,)."""
    with ctx.workprec(PRECISION):
        one, T, nu = two_steps(law, back, gram, start, side, b, s, noise, many, eta, a, s2)
        rows = zip(T.patterns, gram, strict=True)
        square = sum(
            (t * number(g) * u for t, row in rows for g, u in zip(row, T.patterns, strict=True)),
            nu * nu,
        )
        if noise:
            along = sum((t * q for t, q in zip(T.patterns, one.q, strict=True)), arb(0))
            square += 2 * nu * along * number(noise) / one.variance.sqrt()
        length = abs(one.read_out) * square.nonnegative_part().sqrt()
        bias = one.bias - number(b) + one.read_out * T.bias
        return [abs(kept * one.read_out + T.read_out), length, abs(bias)]


def read_outs_kept(law, back, gram, start, side, b, s, noise, many, eta, a, s2, z, rim):
    """Without the decay of the read-outs."""
    given = (law, back, gram, start, side, b, s, noise, many, eta, a, s2, z, rim)
    return after_two(*given, kept=1)


def lead(law, b, s2):
    return number(half_difference(law)) * start_gate(b, s2)


def after_two_bound(law, back, gram, start, side, b, s, noise, many, eta, a, s2, z, rim, share=1):
    """The bounds on T put together. Shape (3,)."""
    with ctx.workprec(PRECISION):
        given = (law, back, gram, start, side * side, b, s, noise, many, eta, a)
        one = after_one(*given)[0]
        size = [abs(lead(law, b, s2)) + e for e in relevant_bound(*given, s2)]
        size += background_bound(*given, s2)
        rows = zip(size, gram, strict=True)
        square = sum(
            (t * number(abs(g)) * u for t, row in rows for g, u in zip(row, size, strict=True)),
            arb(0),
        )
        nu = number(noise) * noise_bound(*given, s2)
        step = first(law, back, gram, (start, side, b, a), s, noise, many, eta)
        moves = number(eta * abs(a)) * number(NINE) * slope(s) * step.reach
        return [
            share * read_out_bound(*given, s2),
            share * abs(one.read_out) * (square.sqrt() + nu),
            share * (moves + abs(one.read_out) * bias_bound(*given, s2)),
        ]


def a_quarter(law, back, gram, start, side, b, s, noise, many, eta, a, s2, z, rim):
    given = (law, back, gram, start, side, b, s, noise, many, eta, a, s2, z, rim)
    return after_two_bound(*given, share=number(Fraction(1, 4)))


def departure(law, back, gram, start, side, b, s, noise, many, eta, a, s2, z, rim, gated=True):
    """sigma~^2 |<w2, x> - (a beta gamma/sigma~) sum_A <M_j, x>| of every pattern. Shape (inputs,)."""
    with ctx.workprec(PRECISION):
        one, T, nu = two_steps(law, back, gram, start, side, b, s, noise, many, eta, a, s2)
        neuron, k = (start, side, b, a), len(law[0][0])
        step = first(law, back, gram, neuron, s, noise, many, eta)
        ideal, out = number(a) * (lead(law, b, s2) if gated else number(half_difference(law))), []
        for _, f in inputs(law, back):
            seen = times(gram, [u + v for u, v in zip(f, z, strict=True)])
            at = sum((t * number(u) for t, u in zip(T.patterns, seen, strict=True)), arb(0))
            if noise:
                unit = number(noise) / one.variance.sqrt()
                at += nu * unit * moved(gram, neuron, step, f, z, rim)
            out.append(abs(one.read_out * at - ideal * number(sum(seen[:k], Fraction(0)))))
        return out


def ungated(law, back, gram, start, side, b, s, noise, many, eta, a, s2, z, rim):
    given = (law, back, gram, start, side, b, s, noise, many, eta, a, s2, z, rim)
    return departure(*given, gated=False)


def departure_bound(
    law,
    back,
    gram,
    start,
    side,
    b,
    s,
    noise,
    many,
    eta,
    a,
    s2,
    z,
    rim,
    on=1,
    off=1,
    nus=1,
    first_=1,
):
    """|a1| (sum of bounds times |<M_l, x>|, |nu| |x|) + |a1 - a| beta gamma |sum_A <M_l, x>|. Shape (inputs,)."""
    with ctx.workprec(PRECISION):
        given = (law, back, gram, start, side * side, b, s, noise, many, eta, a)
        one, k, out = after_one(*given)[0], len(law[0][0]), []
        size = [on * e for e in relevant_bound(*given, s2)]
        size += [off * e for e in background_bound(*given, s2)]
        nu = nus * number(noise) * noise_bound(*given, s2)
        reach = sum((abs(dot(row, start)) for row in gram[:k]), Fraction(0))
        moves = first_ * number(eta * NINE * reach) * abs(lead(law, b, s2))
        far = number(dot(z, times(gram, z)) + rim * rim).sqrt()
        for _, f in inputs(law, back):
            seen = times(gram, [u + v for u, v in zip(f, z, strict=True)])
            at = sum((t * number(abs(u)) for t, u in zip(size, seen, strict=True)), arb(0))
            at += nu * (number(dot(f, times(gram, f))).sqrt() + far)
            out.append(abs(one.read_out) * at + moves * number(abs(sum(seen[:k], Fraction(0)))))
        return out


def on_left_out(law, back, gram, start, side, b, s, noise, many, eta, a, s2, z, rim):
    given = (law, back, gram, start, side, b, s, noise, many, eta, a, s2, z, rim)
    return departure_bound(*given, on=0)


def off_left_out(law, back, gram, start, side, b, s, noise, many, eta, a, s2, z, rim):
    given = (law, back, gram, start, side, b, s, noise, many, eta, a, s2, z, rim)
    return departure_bound(*given, off=0)


def nu_left_out(law, back, gram, start, side, b, s, noise, many, eta, a, s2, z, rim):
    given = (law, back, gram, start, side, b, s, noise, many, eta, a, s2, z, rim)
    return departure_bound(*given, nus=0)


def first_left_out(law, back, gram, start, side, b, s, noise, many, eta, a, s2, z, rim):
    given = (law, back, gram, start, side, b, s, noise, many, eta, a, s2, z, rim)
    return departure_bound(*given, first_=0)


# ---------------------------------------------------------------- instances


def put(found, side=Fraction(1), z=None, rim=Fraction(0)):
    kept = {n: v for n, v in found.items() if n != "off"}
    zero = [Fraction(0)] * len(found["start"])
    return {**kept, "side": side, "z": zero if z is None else z, "rim": rim}


def some_steps(rng):
    """A member with dependent background, a neuron, a drawn noise."""
    found = some_step(rng)
    z = list(rng.rational((len(found["start"]),), 4))
    return put(found, Fraction(3, 4), z, Fraction(int(rng.integers(-8, 9)), 4))


def in_the_middle(rng):
    """One relevant pattern in the middle of (0, 1), where sigma is linear."""
    return put(one_pattern(rate=Fraction(1, 2), b=Fraction(1, 2), s2=Fraction(1, 16)))


def at_the_threshold(rng):
    """The lower threshold at the bias, a start that sees next to nothing."""
    return put(one_pattern(rate=Fraction(1, 2), start=[Fraction(1, 100), Fraction(1, 100)]))


def nine_of_ten(rng):
    """Nine labels of ten -1, a bias at a steep threshold that the relevant pattern moves."""
    found = one_pattern(
        other=Fraction(1, 100),
        start=[Fraction(1, 100), Fraction(0)],
        a=Fraction(1),
        s2=Fraction(1, 64),
    )
    return put(found)


def along_the_background(rng):
    """Noise along the background pattern, which the first step has taken up."""
    found = one_pattern(
        rate=Fraction(1, 2), other=Fraction(1, 2), start=[Fraction(1), Fraction(1)], eta=Fraction(1)
    )
    return put(found, z=[Fraction(-100), Fraction(6400)])


def outside(rng):
    """Noise outside of the dictionary's span."""
    found = one_pattern(
        rate=Fraction(1, 10), noise=Fraction(1, 4), s2=Fraction(1, 64), b=Fraction(-1, 64)
    )
    return put(found, Fraction(2), rim=Fraction(10**6))


def read_out_moves(rng):
    """A small read-out that the first step moves more than it is."""
    found = one_pattern(
        rate=Fraction(1, 2),
        start=[Fraction(1, 10), Fraction(0)],
        b=Fraction(1, 2),
        a=Fraction(1, 10**6),
        s=Fraction(1, 16),
        s2=Fraction(1, 16),
    )
    return put(found)


# ---------------------------------------------------------------- typed steps

X = "x in [3, oo)"


def together(made):
    return [x for legs, _ in made for x in legs], [x for _, wrong in made for x in wrong]


def common(names):
    rows = [
        ("sigma~", "17/64 + (25/(12*k))**2 <= {c}", ["k in 128..oo"], "3/10", "(1/4)"),
        (
            "bad inputs",
            "2*m**5*exp(2*h - h**2) <= {c}",
            ["h in [9, oo)", "m in (0, exp(h)]"],
            "1",
            "exp(-18)",
        ),
        ("eps_e2", "(sqrt(2)/2)*(1/(2*x) + 25/12)*sqrt(3/10) <= {c}", [X], "9/10", "(4/5)"),
        ("read-outs of the first step", "sqrt(2)*x + (9/16)/8 <= {c}*x", [X], "(3/2)", "(7/5)"),
    ]
    return together([step(*row, names) for row in rows])


TYPED_A = "(9/2)*(1/4)*(3/10) + k/(4*m**2) <= {c}"
# w = sqrt(m), r = x^2/m, t = x/sqrt(m)
ERR = "(1/w**6 + (1/4)*(9/10)/w**3 + 6*(1/4)*(3/10)*r + (2/25)*sqrt(2)*(1/2)*(3/10)/w**2)"
ON = ERR + "/w**2 <= {c}"
OFF = "sqrt(m)*(1/m**4 + (5/24)*(9/10)/m**(5/2)) <= {c}"
NU = "(6/5)*(1/4)*sqrt(3/10)*r/w**3 + (25/12)/w**4 <= {c}"
NORM = "(3/2)*((26/25)*sqrt((11/10)**2*x**4 + 1/100) + 1/10)/x**3 <= {c}"
W_OVER = ["w in [3, oo)", "r in (0, 1]"]

INIT = "law init i"
A_COMMON, A_COMMON_WRONG = common(INIT)
A_TYPICAL, A_TYPICAL_WRONG = typical(INIT)
A_STEPS, A_WRONG = together(
    [
        step("a2", TYPED_A, ["k in 128..oo", "m in [k, oo)"], "2/5", "(1/3)", INIT, "C"),
        step("on A", ON, W_OVER, "1/10", "(1/20)", INIT),
        step("off A", OFF, ["m in [9, oo)"], "1/10", "(1/1000)", INIT),
        step("nu", NU, W_OVER, "1/10", "(1/100)", INIT),
        step("w2", NORM, [X], "3/5", "(1/2)", INIT, "C"),
    ]
)
RUN = [
    bounded(FIELDS, "two steps", after_two, after_two_bound, some_steps, 2, 6),
    bounded(FIELDS, "in the middle", after_two, after_two_bound, in_the_middle),
    bounded(FIELDS, "at the threshold", after_two, after_two_bound, at_the_threshold),
]
WRONG = [
    variant("a quarter", reference=a_quarter, leg="in the middle"),
    variant("read-outs kept", simulation=read_outs_kept, leg="in the middle"),
]
LHS = r"(|a^{(2)}|,\tilde\sigma|w^{(2)}|,|b^{(2)}-b^{(0)}|)"
TEX = r"\text{bounds of }T_a,\ |a^{(1)}|\,|\sum_jT_jM_j+\nu|,\ \eta|aT_b^{(1)}|+|a^{(1)}T_b|"
READS = {"law": "law back gram noise many", "init": "start side b a", "i": "start side b a"}

final = claim(
    "structured-general-two-step-sizes",
    lhs=LHS,
    tex=TEX,
    states="structured-general-good-features",
    title="Read-outs and weights after two class-weighted steps",
    says=r"For $k\ge128$ and $\sigma_w$ small enough, every law of the general family has "
    r"$|a^{(2)}_i|\le\frac25/(km^2)$ and $|w^{(2)}_i|\le\frac35\tilde\sigma/k$ for all neurons, with probability "
    r"$1-\delta$ over the initialisation.",
    covers="a2-w2-size",
    reads=READS,
    **ONE_POINT,
    legs=[*RUN, *A_COMMON, A_TYPICAL, *A_STEPS],
    rivals=[*WRONG, *A_COMMON_WRONG, *A_TYPICAL_WRONG, *A_WRONG],
)

B_FIRST = "(1/2)*(1/2)*sqrt(2)*(2/5)*(3/10)*r <= {c}"
B_SECOND = "(3/2)*(3/10)*t*(1/w**3 + (1/4)*(9/10)) <= {c}"
B_COMMON, B_COMMON_WRONG = common("i")
B_STEPS, B_WRONG = together(
    [
        step("first step", B_FIRST, "r in (0, 1]", "1/20", "(1/25)", "i"),
        step("second step", B_SECOND, ["w in [3, oo)", "t in (0, 1/3]"], "1/20", "(1/30)", "i"),
        step(
            "in all",
            "u + v <= {c}",
            ["u in [0, 1/20]", "v in [0, 1/20]"],
            "1/10",
            "(1/11)",
            "i",
            "C",
        ),
    ]
)
bias = claim(
    "structured-general-two-step-bias",
    lhs=LHS,
    tex=TEX,
    states="structured-general-claim-b2",
    title="Biases after two class-weighted steps",
    says=r"For $k\ge128$ and $\sigma_w$ small enough, every law of the general family and every typical neuron has "
    r"$|b^{(2)}-b^{(0)}|\le\frac1{10}/(k^2m)$, so every selected one.",
    covers="bound",
    reads={"i": "start side b a"},
    **ONE_POINT,
    legs=[*RUN, *B_COMMON, *B_STEPS],
    rivals=[*WRONG, *B_COMMON_WRONG, *B_WRONG],
)

# each with a factor 1/m: W the size of a component, 1 + g that of |x|
P_ON = "(3/2)*(3/4)/x**3 <= {c}"
P_ERR = ERR + " <= {c}"
P_OFF = "(3/2)*x*(1/m**2 + (5/24)*(9/10)/sqrt(m))/x**8 <= {c}"
P_NU = "(3/2)*(6/5)*(26/25)*(1/2)/(x**4*m) <= {c}"
P_BAD = "(3/2)*(26/25)*(25/12)/(x**10*sqrt(m)) <= {c}"
P_MOVE = "(9/16)/8/(x**4*m**2) <= {c}"
P_SUM = "3*W/24 + 2*(1 + g)/24 <= {c}*(1 + g)"
LENGTH = "(26/25) + sqrt(3/10)*g*x <= {c}*(1 + g)*x"
COMPONENT = "17/16 + (25/12)*g*sqrt(log(k))/k <= 17/16 + {c}*g"
P_COMMON, P_COMMON_WRONG = common("x i")
P_STEPS, P_WRONG = together(
    [
        step("T on A", P_ERR, W_OVER, "3/4", "(1/10)", "x i"),
        step("on A", P_ON, [X], "1/24", "(1/25)", "x i"),
        step("off A", P_OFF, [X, "m in [1, oo)"], "1/24", "(1/10**4)", "x i"),
        step("nu", P_NU, [X, "m in [1, oo)"], "1/24", "(1/100)", "x i"),
        step("nu of bad inputs", P_BAD, [X, "m in [1, oo)"], "1/24", "(1/10**5)", "x i"),
        step("a1 - a", P_MOVE, [X, "m in [1, oo)"], "1/24", "(1/10**4)", "x i"),
        step("length", LENGTH, [X, "g >= 0"], "(26/25)", "(1/3)", "x i"),
        step("one component", COMPONENT, ["k in 128..oo", "g >= 0"], "1", "(1/100)", "x i"),
        step("in all", P_SUM, ["g >= 0", "W in [0, 17/16 + g]"], "(1/4)", "(1/5)", "x i", "C"),
    ]
)
compared = partial(bounded, FIELDS)
weights = claim(
    "structured-general-two-step-w2x",
    lhs=r"\tilde\sigma^2\big|\langle w^{(2)},x\rangle-\tfrac{a\beta\gamma}{\tilde\sigma}\textstyle\sum_A\langle M_j,x"
    r"\rangle\big|",
    tex=r"|a^{(1)}|\big(\textstyle\sum_l\overline{|T_l-T_l^*|}\,\tilde\sigma^2|\langle M_l,x\rangle|+\overline{|\nu|}"
    r"\,\tilde\sigma^2|x|\big)+\eta\overline{|T_a|}\beta\gamma\tilde\sigma|\sum_A\langle M_l,x\rangle|",
    states="structured-general-claim-w2x",
    title="Pre-activations of good inputs after two class-weighted steps",
    says=r"For $k\ge128$ and $\sigma_w$ small enough, every law of the general family, every good $x$ and every "
    r"typical neuron, $|\langle w^{(2)},x\rangle-\frac{a\beta\gamma}{\tilde\sigma}\sum_A\langle M_j,x\rangle|\le\frac14"
    r"(1+g)/m$, $g\,\sigma_\zeta\sqrt{\log k}$ the size of a good noise.",
    covers="bound",
    reads={"x": "law back z rim", "i": "start side b a"},
    **ONE_POINT,
    legs=[
        compared("two steps", departure, departure_bound, some_steps, 2, 6),
        compared("at the threshold", departure, departure_bound, at_the_threshold),
        compared("nine of ten", departure, departure_bound, nine_of_ten),
        compared("along the background", departure, departure_bound, along_the_background),
        compared("outside", departure, departure_bound, outside),
        compared("a moving read-out", departure, departure_bound, read_out_moves),
        *P_COMMON,
        *P_STEPS,
    ],
    rivals=[
        variant("beta left out", simulation=ungated, leg="at the threshold"),
        variant("on A left out", reference=on_left_out, leg="nine of ten"),
        variant("off A left out", reference=off_left_out, leg="along the background"),
        variant("nu left out", reference=nu_left_out, leg="outside"),
        variant("a1 - a left out", reference=first_left_out, leg="a moving read-out"),
        *P_COMMON_WRONG,
        *P_WRONG,
    ],
)
