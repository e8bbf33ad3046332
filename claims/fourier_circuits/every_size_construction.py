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
only. The network of the same phases is run at sizes: its block, its neurons one by one, and all of it.

Reference: Lemmas 4.11, C.18, Theorems 4.9, C.22 (arXiv 2402.09469).
"""

from __future__ import annotations

import itertools

import numpy as np
import sympy as sp

from theorycheck import (
    Proof,
    claim,
    counts,
    equals,
    exactly,
    formula_leg,
    instances,
    integers,
    leg,
    odd_integers,
    rivals_of,
    typed,
    variant,
)

from ._cyclotomic import normalised_margins
from ._every_size import ONCE, Series, agreeing, exponential, letters, total
from ._formula import gamma, k, p
from ._network import Network, Neuron, cosine_network, distinct, margins, norm_power
from ._neuron import normalised
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


# ---------------------------------------------------------------- run at sizes


def design(k, p, output=output_phase):
    """The neurons of these phases at every frequency, turn 4."""
    return [
        Neuron(
            frequency,
            tuple(map(input_phase, (0, *flips), sines)),
            output(sum(flips), sines[k], sum(sines)) % 4,
        )
        for frequency in range(1, (p - 1) // 2 + 1)
        for sines in itertools.product(range(2), repeat=k + 1)
        if sum(sines) % 2 == 0
        for flips in itertools.product(range(2), repeat=k - 1)
    ]


def network(k, p):
    """Least and largest normalised margin over all inputs and wrong labels, exactly."""
    return normalised_margins(design(k, p), k, p)


def turned_half_way(flips, sine, sines):
    return output_phase(flips, sine, sines) + 2


def opposite_network(k, p):
    return normalised_margins(design(k, p, turned_half_way), k, p)


def neurons(k, p):
    """How many different ones there are."""
    return distinct(design(k, p), k)


def in_the_unit_ball(ns, k, p, entry=0):
    """Normalised margins of the network scaled to norm 1, with three further neurons. Shape (p**k, p - 1)."""
    built = cosine_network(ns, design(k, p), p)
    factor = 1 / ns.power(norm_power(ns, built, k), 1, k + 1)
    u, w = ns.zeros((3, k, p)) + entry, ns.zeros((3, p)) + entry
    wider = Network(
        ns.concat([built.u * factor, u], axis=0), ns.concat([built.w * factor, w], axis=0)
    )
    return margins(ns, wider, k, p) / norm_power(ns, wider, k)


def with_neurons_of_ones(ns, k, p):
    return in_the_unit_ball(ns, k, p, entry=1)


def one_by_one(ns, k, p, output=output_phase):
    """The class-weighted margin of every neuron over its norm's power. Shape (m,)."""
    built = cosine_network(ns, design(k, p, output), p)
    return normalised(ns, built.u, built.w, k, p)


def flips_left_out_of_each(ns, k, p):
    return one_by_one(ns, k, p, flips_left_out)


def inputs_and_label(rng, k, p):
    """A frequency, an input and a label."""
    return {
        "zeta": int(rng.integers(1, (p - 1) // 2 + 1)),
        "a": [int(x) for x in rng.integers(0, p, (k,))],
        "c": int(rng.integers(0, p)),
    }


def added_up(ns, block, zeta, a, c, k, p, turn=4):
    """What the neurons of a block, phases in units of 2 pi / turn, add up to at frequency zeta, inputs a and label c,
    and s = a_1 + .. + a_k. Shape (B,)."""
    phases, out = np.array([n.phases for n in block]), np.array([n.out for n in block])
    inputs = ns.expand_dims(zeta, axis=-1) * a / p
    turns = ns.expand_dims(inputs, axis=1) + ns.number(ns.indices(phases)) / turn
    inner = ns.sum(ns.cos(2 * ns.pi * turns), axis=2)
    label = ns.expand_dims(zeta * c / p, axis=-1) + ns.number(ns.indices(out)) / turn
    value = ns.sum(ns.pow(inner, k) * ns.cos(2 * ns.pi * label), axis=1)
    return {"value": value, "s": ns.sum(a, axis=1)}


def one_block(ns, zeta, a, c, k, p):
    """That of the network; p = 3 has one frequency, and p enters through the angles only."""
    return added_up(ns, design(k, 3), zeta, a, c, k, p)


def another_label(ns, zeta, a, c, k, p):
    return one_block(ns, zeta, a, c + 1, k, p)


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
NEURONS = 2 ** (2 * k - 2) * (p - 1)
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
ANGLE = "2*pi*zeta*{}/p"
S, C = ANGLE.format("s"), ANGLE.format("c")
CONJUGATES = f"(cos({S})*cos({C}) + sin({S})*sin({C}))"
AT_LABELS = "k in 1..oo; p in 3..oo; zeta in 1..floor((p - 1)/2); s, c in Z"
s, c, zeta = sp.symbols("s c zeta", integer=True)
COSINE = sp.cos(2 * sp.pi * zeta * (s - c) / p)
BLOCK = 2 ** (k - 1) * sp.factorial(k) * COSINE
difference = formula_leg(
    "sum and label",
    typed(f"{UNIT}*{CONJUGATES} == {BLOCK}", over=AT_LABELS),
    covers="block-computes-cosine",
)
PEAKS = "2*factorial(k)/((p - 1)*p**k)*(p/2)**(k + 1)"
WORTH = f"{PEAKS}/((k + 1)*p/2)**((k + 1)/2)"
worth = formula_leg(
    "worth of a neuron",
    typed(f"{WORTH} == {GAMMA}", over="k in 1..oo; p in 3..oo"),
    covers="members",
)
DOMAIN = {k: integers(1), p: odd_integers(3)}
SMALL = [{k: 1, p: 5}, {k: 2, p: 3}, {k: 2, p: 5}, {k: 2, p: 9}, {k: 3, p: 3}]
GRID = {"smoke": SMALL, "standard": [{k: 1, p: 9}, {k: 3, p: 5}, {k: 4, p: 3}]}
LEAST = r"\gamma(\theta)"
MAXIMUM = {
    "closed_form": gamma,
    "required": False,
    "tex": r"\frac{2\,k!}{(2k+2)^{(k+1)/2}\,(p-1)\,p^{(k-1)/2}}",
}
BLOCKS = instances(inputs_and_label, "zeta a c", smoke=8, standard=20)
at_sizes = [
    leg("network", network, covers=EXACT, lhs=LEAST, **MAXIMUM),
    leg("in the unit ball", in_the_unit_ball, covers=EXACT, lhs=LEAST, **MAXIMUM),
    leg(
        "number of neurons",
        neurons,
        relation=counts(),
        closed_form=NEURONS,
        covers="members fourier-neuron-count/sufficient fourier-max-margin/attained",
        lhs="m",
        tex=r"2^{2k-2}\,(p-1)",
        required=False,
    ),
    leg(
        "neurons one by one",
        one_by_one,
        covers="members",
        lhs=r"\mathbb{E}_x\,g'(\theta_h,x)/\|\theta_h\|^{k+1}",
        **MAXIMUM,
    ),
    leg(
        "one block",
        one_block,
        closed_form=BLOCK,
        instances=BLOCKS,
        observed=[s],
        unit=2 ** (k - 1) * sp.factorial(k),
        covers="block-computes-cosine",
        required=False,
        lhs=r"\sum_{h\in B_\zeta}\Big(\sum_iu_{h,i}(a_i)\Big)^kw_h(c)",
        tex=r"2^{k-1}\,k!\,\cos\frac{2\pi\zeta(s-c)}p",
    ),
]
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
    domain=DOMAIN,
    grid=GRID,
    relation=equals(),
    legs=[
        leg(
            "block",
            block,
            arithmetic="proof",
            over="k p zeta a c",
            gives="theta",
            covers=f"block-computes-cosine {EXACT}",
            grid=ONCE,
        ),
        turning,
        difference,
        leg("phases", phases, arithmetic="proof", over="k p h", covers="members", grid=ONCE),
        worth,
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
            grid=ONCE,
        ),
        *at_sizes,
    ],
    rivals=[
        variant("outputs turned half way", leg="network", simulation=opposite_network),
        variant("with neurons of ones", leg="in the unit ball", simulation=with_neurons_of_ones),
        variant(
            "flips left out of each", leg="neurons one by one", simulation=flips_left_out_of_each
        ),
        variant("at another label", leg="one block", simulation=another_label),
        variant(
            "2^(2k) neurons a frequency",
            leg="number of neurons",
            closed_form=2 * NEURONS,
        ),
        variant("p for p - 1, run", leg="network", closed_form=gamma * (p - 1) / p),
        variant(
            "p for p - 1, in the unit ball", leg="in the unit ball", closed_form=gamma * (p - 1) / p
        ),
        variant(
            "p for p - 1, one by one", leg="neurons one by one", closed_form=gamma * (p - 1) / p
        ),
        variant("2^k for 2^(k-1)", leg="one block", closed_form=2 * BLOCK),
        *rivals_of(
            difference,
            {"the sum of both": f"{UNIT}*{CONJUGATES.replace('+', '-')} == {BLOCK}"},
        ),
        *rivals_of(
            worth, {"p for p - 1, of a neuron": f"{WORTH} == {GAMMA.replace('(p - 1)', 'p')}"}
        ),
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
