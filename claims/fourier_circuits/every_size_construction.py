"""Lemma 4.11 = C.18, Theorem 4.9 (i): the explicit network, for every number of summands and every odd modulus.

Setting. The neurons of one frequency: for every pattern of sines in k + 1 places with an even number of them, and every
choice of flips in the places 2 .. k, the input phases 2 f_i - s_i and the output phase s_w + 2 sum f, and 2 more where
the number of sines is 2 mod 4, all in quarter turns; amplitude 1. d = s - c is r + p v with 0 <= r < p.

Statements. (1) At any angles x_i and y these neurons add up to 2^{k-1} k! cos(x_1 + .. + x_k - y), and the phases of
each add up. (2) Over the frequencies 1 .. q of p = 2q + 1 the cosines of 2 pi z d/p add up to q at d = 0 and to -1/2
where 0 < r, so that the margin is 2^{k-1} k! p/2 at every input and wrong label. (3) A neuron has the squared norm (k +
1) p/2, and 2^{2k-1} q of them give the normalised margin gamma*; further neurons may be 0.

Evidence. The sum over patterns and flips of e^{t (inner sum)} times the output is run through place by place
(`_every_size`) on letters for the cosine and the sine of every angle: k is any number, and angles enter as numbers
only. `construction` runs the network at sizes.

Reference: Lemmas 4.11, C.18, Theorems 4.9, C.22 (arXiv 2402.09469).
"""

from __future__ import annotations

import itertools

from theorycheck import Proof, claim, exactly, formula_leg, leg, rivals_of, typed, variant

from ._every_size import Series, agreeing, exponential, letters, total
from .every_size_signs import OPPOSITE_TURN, addition, by_number, signed

# ---------------------------------------------------------------- the network


def input_phase(flip, sine):
    """In quarter turns: a flip is half a turn, a sine is a cosine a quarter back."""
    return 2 * flip - sine


def output_phase(flips, sine, sines):
    """The output's own place (sin(-y) is cos(y) a quarter on), the flips, and the sign of the pattern."""
    return sine + 2 * flips + (2 if sines % 4 == 2 else 0)


def flips_left_out(flips, sine, sines):
    return output_phase(0, sine, sines)


def turned(quarters, cosine, sine):
    """cos(x + quarters pi/2)."""
    return (cosine, -sine, -cosine, sine)[quarters % 4]


# ---------------------------------------------------------------- its block at one frequency


def one_more_input(by_sines, cosine, sine, flips, output):
    """Sums of e^{t (inner sum)} by the number of sines mod 4, with one more input in every pattern and flip.

    A flip adds to the output's phase: what the output becomes by it, 1 or -1, is taken at once.
    """
    longer = [[], [], [], []]
    for sines, s in itertools.product(range(4), range(2)):
        replies = [
            exponential(turned(input_phase(f, s), cosine, sine), 3) * turned(output(f, 0, 0), 1, 0)
            for f in flips
        ]
        longer[(sines + s) % 4].append(by_sines[sines] * total(replies).lowered())
    return [total(parts) for parts in longer]


def with_output(by_sines, cosine, sine):
    """The sum of e^{t (inner sum)} times the output, over the patterns with an even number of sines."""
    return total(
        [
            by_sines[sines] * turned(output_phase(0, s, sines + s), cosine, sine)
            for sines, s in itertools.product(range(4), range(2))
            if (sines + s) % 2 == 0
        ]
    )


def block(output=output_phase, signs=signed):
    """After n inputs the sums start at t^(n-1), and (C, S), what their coefficients of t^n are with signs, is 2^(n-1)
    times the cosine and sine of x_1 + .. + x_n: it is (cos, sin) after the first input, which has no flip, and each
    further input doubles it and turns it. With the output it is C cos y + S sin y."""
    *letter, cosine, sine = letters("A0 A1 A2 A3 T0 T1 T2 T3 cosine sine")
    one, none = cosine**0, 0 * cosine
    start = [Series((0, 0), (one, none)), *[Series((0, 0), (none, none))] * 3]
    first = one_more_input(start, cosine, sine, (0,), output)
    state = [Series((1, -1), (letter[i], letter[4 + i])) for i in range(4)]
    further = one_more_input(state, cosine, sine, (0, 1), output)
    C, S = signs(letter[4:8])
    end = with_output(state, cosine, sine)
    return agreeing(
        "induction over the inputs, in power series",
        first_order=({x.order for x in first}, {(0, 0)}),
        first=(signs([x.terms[1] for x in first]), (cosine, sine)),
        further_order=({x.order for x in further}, {(1, 0)}),
        further=(
            signs([x.terms[1] for x in further]),
            (2 * (C * cosine - S * sine), 2 * (C * sine + S * cosine)),
        ),
        half_turn=(
            [turned(output_phase(1, s, t), cosine, sine) for s in range(2) for t in range(4)],
            [-turned(output_phase(0, s, t), cosine, sine) for s in range(2) for t in range(4)],
        ),
        output=((end.order, end.terms[1]), ((1, -1), C * cosine + S * sine)),
    )


def no_flips_at_the_output():
    return block(output=flips_left_out)


def signs_without_regard():
    return block(signs=by_number)


def phases(output=output_phase):
    """Every neuron: after any number of inputs its number of sines mod 4, of flips mod 2 and the sum of its input
    phases mod 4 are one of finitely many triples; all that can be reached are gone through, with every output."""
    reached, new = set(), {(0, 0, 0)}
    while new:
        reached |= new
        new = {
            ((sines + s) % 4, (flips + f) % 2, (inputs + input_phase(f, s)) % 4)
            for sines, flips, inputs in new
            for f, s in itertools.product(range(2), repeat=2)
        } - reached
    apart = [
        (*state, s)
        for *state, s in ((*r, s) for r in sorted(reached) for s in range(2))
        if (state[0] + s) % 2 == 0 and (state[2] - output(state[1], s, (state[0] + s) % 4)) % 4
    ]
    return Proof(
        holds=not apart,
        method="all states of a neuron after any number of inputs",
        witness={"states": len(reached)},
        counterexample={"sines, flips, input phases, output's sine": apart[0]} if apart else None,
    )


def phases_without_flips():
    return phases(output=flips_left_out)


def padding(entry=0):
    """A neuron whose parameters are all ``entry``: its outputs, from inner sums of any number of them, and its norm."""
    (x,) = letters("x")
    parameter = entry + 0 * x
    reply = exponential(parameter, 3) * parameter
    return agreeing(
        "a further neuron, in power series",
        output=(reply.terms, (0 * x,) * 3),
        norm=(parameter**2, 0 * x),
    )


def padding_with_ones():
    return padding(entry=1)


# ---------------------------------------------------------------- its margin

EXACT = "fourier-construction/margin fourier-max-margin/attained fourier-neuron-count/sufficient"
UNIT = "2**(k - 1)*factorial(k)"
WRONG = "Sum(cos(2*pi*z*r/(2*q + 1)), (z, 1, q))"
gap = formula_leg(
    "right and wrong label",
    typed(
        f"{UNIT}*(q - {WRONG}) == {UNIT}*(2*q + 1)/2",
        over="k in 1..oo; q in 1..oo; r in 1..2*q",
    ),
    covers=EXACT,
)
AROUND = f"block-computes-cosine {EXACT}"
around = [
    formula_leg(
        "multiples",
        typed("Sum(cos(2*pi*z*v), (z, 1, q)) == q", over="q in 1..oo; v in Z"),
        covers=AROUND,
    ),
    formula_leg(
        "division by p",
        typed(
            "z*(r + (2*q + 1)*v)/(2*q + 1) == z*r/(2*q + 1) + z*v",
            over="q in 1..oo; r in 0..2*q; z, v in Z",
        ),
        covers=AROUND,
    ),
    formula_leg(
        "whole turns",
        typed("cos(y + 2*pi*z*v) == cos(y)", over="y in R; z, v in Z"),
        covers=AROUND,
    ),
]
turning = formula_leg(addition.name, addition.simulation, covers=f"block-computes-cosine {EXACT}")
NORM = "Sum((k + 1)*cos(theta + 2*pi*zeta*x/p)**2, (x, 0, p - 1))"
size = formula_leg(
    "norm of a neuron",
    typed(
        f"{NORM} == (k + 1)*p/2",
        over="k in 1..oo; p in 3..oo; zeta in 1..floor((p - 1)/2); theta in R",
    ),
    covers=f"{EXACT} members",
)
GAMMA = "2*factorial(k)/((2*k + 2)**((k + 1)/2)*(p - 1)*p**((k - 1)/2))"
NEURONS = "2**(2*k - 1)*(p - 1)/2"
NORMALISED = f"{UNIT}*p/2/({NEURONS}*((k + 1)*p/2)**((k + 1)/2))"
value = formula_leg(
    "normalised",
    typed(f"{NORMALISED} == {GAMMA}", over="k in 1..oo; p in 3..oo"),
    covers=EXACT,
)
REPLY = "Sum(alpha*u[i], (i, 1, k))**k*(alpha*w)"
scaled = formula_leg(
    "scaled to norm 1",
    typed(
        f"{REPLY} == alpha**(k + 1)*Sum(u[i], (i, 1, k))**k*w",
        over=["k in 1..oo", "alpha in (0, oo)", "w in R", "u[i] in R for i in 1..k"],
    ),
    covers=EXACT,
)
every_size = claim(
    "fourier-construction-every-size",
    states=["fourier-construction", "fourier-max-margin", "fourier-neuron-count"],
    title="The explicit network, for every number of summands and every modulus",
    lhs=r"\gamma(\theta)",
    tex=r"\frac{2\,k!}{(2k+2)^{(k+1)/2}\,(p-1)\,p^{(k-1)/2}}",
    says=r"For every $k$ and odd $p$ the $2^{2k-1}$ neurons of a frequency compute $2^{k-1}k!$ times the cosine of "
    r"$2\pi\zeta(s-c)/p$, their phases add up, and together they have the margin $\gamma^*$ at every input and wrong "
    "label; further neurons may be 0.",
    role="derived",
    covers="fourier-construction/block-computes-cosine members fourier-construction/margin "
    "fourier-max-margin/attained fourier-neuron-count/sufficient",
    legs=[
        leg(
            "block",
            block,
            arithmetic="proof",
            over="k p zeta a c",
            gives="theta",
            covers=f"block-computes-cosine {EXACT}",
        ),
        turning,
        leg("phases", phases, arithmetic="proof", over="k p h", covers="members"),
        gap,
        *around,
        size,
        value,
        scaled,
        leg(
            "further neurons",
            padding,
            arithmetic="proof",
            over="m",
            covers="fourier-max-margin/attained fourier-neuron-count/sufficient",
        ),
    ],
    rivals=[
        variant("no flips at the output", leg="block", simulation=no_flips_at_the_output),
        variant("signs without regard", leg="block", simulation=signs_without_regard),
        variant("phases without the flips", leg="phases", simulation=phases_without_flips),
        variant("further neurons of ones", leg="further neurons", simulation=padding_with_ones),
        *exactly(*around),
        *rivals_of(turning, {"the other turn": OPPOSITE_TURN}),
        *rivals_of(gap, {"0 at wrong labels, as printed": f"{UNIT}*(q - 0) == {UNIT}*(2*q + 1)/2"}),
        *rivals_of(size, {"k of them": f"{NORM} == k*p/2"}),
        *rivals_of(value, {"p for p - 1": f"{NORMALISED} == {GAMMA.replace('(p - 1)', 'p')}"}),
        *rivals_of(scaled, {"degree k": f"{REPLY} == alpha**k*Sum(u[i], (i, 1, k))**k*w"}),
    ],
)
