"""Lemma C.17: the explicit network at k = 3, block by block, with the printed phases.

Statement. The four neurons with phases (0,0,0,0), (0,0,pi,pi), (0,pi,0,pi), (pi,0,0,pi) add up to 24 cos cos
cos cos, those with (pi/2,pi/2,0,pi), (pi/2,pi/2,-pi,0), (pi/2,-pi/2,0,0), (-pi/2,pi/2,0,0) to -24 sin sin cos
cos; each of the eight products of cos(a_1 + a_2 + a_3 - c) is such a sum: 32 neurons a frequency ("56" once),
16 (p-1) in all, of margin 3/(16 p (p-1)).

Of the second block the four separate lines are printed in a wrong order (first with second, third with fourth); only
their sum is used.

Reference: Lemma C.17 (arXiv 2402.09469).
"""

from __future__ import annotations

from collections import Counter
from math import prod

import sympy as sp

from theorycheck import (
    Proof,
    claim,
    counts,
    exactly,
    formula_leg,
    leg,
    odd_integers,
    typed,
    variant,
)

from ._cyclotomic import normalised_margins
from ._every_size import ONCE
from ._formula import p
from ._network import Neuron, distinct, source_design
from .construction import block_identity, margin_range_exact, powers_of_i
from .every_size_construction import around, gap, size

ANGLES = "x1, x2, x3, y in (-oo, oo)"
FIRST = ((0, 0, 0, 0), (0, 0, 2, 2), (0, 2, 0, 2), (2, 0, 0, 2))
SECOND = ((1, 1, 0, 2), (1, 1, -2, 0), (1, -1, 0, 0), (-1, 1, 0, 0))
"""Phases (theta_1, theta_2, theta_3, theta_w) of two blocks in quarter turns, as printed."""


def turned(name, quarters):
    return f"cos({name} + ({quarters})*pi/2)"


def neuron(phases):
    """(cos + cos + cos)^3 cos at the four angles, typed."""
    a, b, c, w = (turned(x, q) for x, q in zip(("x1", "x2", "x3", "y"), phases, strict=True))
    return f"({a} + {b} + {c})**3*{w}"


def total(block):
    return " + ".join(neuron(phases) for phases in block)


blocks = {
    "first": ("first-block", FIRST, "24*cos(x1)*cos(x2)*cos(x3)*cos(y)"),
    "second": ("second-block", SECOND, "-24*sin(x1)*sin(x2)*cos(x3)*cos(y)"),
}
LINES = {
    "first": (SECOND[0], "(sin(x1) + sin(x2) - cos(x3))**3*cos(y)"),
    "second": (SECOND[1], "-(sin(x1) + sin(x2) + cos(x3))**3*cos(y)"),
    "third": (SECOND[2], "(-sin(x1) + sin(x2) + cos(x3))**3*cos(y)"),
    "fourth": (SECOND[3], "(sin(x1) - sin(x2) + cos(x3))**3*cos(y)"),
}

printed_phases = claim(
    "fourier-construction-k3-blocks",
    states="fourier-construction-k3",
    title="The two printed blocks",
    says="At all angles the first four neurons add up to 24 cos cos cos cos and the second four to -24 "
    "sin sin cos cos; of "
    "the second block the first two and the last two of the separate lines are exchanged in print.",
    covers="first-block second-block single-lines",
    legs=[
        *[
            formula_leg(
                f"{name} block", typed(f"{total(rows)} == {value}", over=ANGLES), covers=clause
            )
            for name, (clause, rows, value) in blocks.items()
        ],
        *[
            formula_leg(
                f"{name} line",
                typed(f"{neuron(phases)} == {value}", over=ANGLES),
                covers="single-lines",
            )
            for name, (phases, value) in LINES.items()
        ],
    ],
    rivals=[
        variant(
            "12 for 24",
            leg="first block",
            simulation=typed(f"{total(FIRST)} == 12*cos(x1)*cos(x2)*cos(x3)*cos(y)", over=ANGLES),
        ),
        variant(
            "phases (0, 0, pi, 0)",
            leg="first block",
            simulation=typed(
                f"{total((FIRST[0], (0, 0, 2, 0), *FIRST[2:]))} == {blocks['first'][2]}",
                over=ANGLES,
            ),
        ),
        variant(
            "second block with +24",
            leg="second block",
            simulation=typed(f"{total(SECOND)} == 24*sin(x1)*sin(x2)*cos(x3)*cos(y)", over=ANGLES),
        ),
        variant(
            "first line as printed",
            leg="first line",
            simulation=typed(f"{neuron(SECOND[0])} == {LINES['second'][1]}", over=ANGLES),
        ),
        variant(
            "second line as printed",
            leg="second line",
            simulation=typed(f"{neuron(SECOND[1])} == {LINES['first'][1]}", over=ANGLES),
        ),
        variant(
            "fourth line as printed",
            leg="fourth line",
            simulation=typed(f"{neuron(SECOND[3])} == {LINES['third'][1]}", over=ANGLES),
        ),
        variant(
            "third line as printed",
            leg="third line",
            simulation=typed(f"{neuron(SECOND[2])} == {LINES['fourth'][1]}", over=ANGLES),
        ),
    ],
)


def eight_terms(count=4, design=source_design):
    """Each product of the expansion is 1/24 of the sum of four neurons, whose phases add up, at all angles."""
    every = design(3, 3)
    terms = [every[i : i + count] for i in range(0, len(every), count)]
    patterns = Counter()
    for term in terms:
        if any((sum(n.phases) - n.out) % 4 for n in term):
            return Proof(False, "phases of every neuron", {}, {"term": len(patterns)})
        seen = {m: v for m, v in powers_of_i(3, term).items() if v}
        sines = tuple(n % 2 for n in (*term[0].phases, term[0].out))
        signs = {m: prod(x for x, sine in zip(m, sines, strict=True) if sine) for m in seen}
        # 2^4 times +-24 cos .. sin ..: 24 at each of the 16 exponents of +-1, with the signs of the sines
        if {v * signs[m] for m, v in seen.items()} not in ({24}, {-24}):
            return Proof(False, "exponents of one product", {}, {"exponents": sorted(seen)})
        patterns[sines] += 1
    return Proof(
        holds=len(terms) == 8 and set(patterns.values()) == {1},
        method="coefficients of all exponentials of every term",
        witness={"terms": len(terms), "neurons a frequency": len(every)},
    )


def every_modulus():
    """The block of every frequency at k = 3: 24 cos(x - y) at all angles, x the sum of the x_i, hence for every odd p,
    input and label. Over the frequencies the cosines add up to what is typed: all margins are 24 p/2, and each of the
    16 (p-1) neurons has |theta|^4 = (4 p/2)^2.
    """
    return block_identity(3)


def other_outputs():
    """The same with the outputs' phases turned."""
    return block_identity(
        3, lambda k, p: [Neuron(n.frequency, n.phases, n.out + 1) for n in source_design(k, p)]
    )


def pairs():
    """Terms cut in two."""
    return eight_terms(count=2)


def neurons(p):
    """How many different ones there are."""
    return distinct(source_design(3, p), 3)


def twice_each(p):
    """Neurons as listed, each listed twice."""
    return 2 * len(source_design(3, p))


def network(p):
    """Least and largest normalised margin over all inputs and wrong labels, exactly."""
    return margin_range_exact(3, p)


def negative_network(p):
    """Of margin -gamma*: the outputs turned half way."""
    turned = [Neuron(n.frequency, n.phases, n.out + 2) for n in source_design(3, p)]
    return normalised_margins(turned, 3, p)


STEPS = [formula_leg(one.name, one.simulation, covers="margin") for one in (gap, *around, size)]
MARGIN = sp.Rational(3, 16) / (p * (p - 1))
SIZES = {"smoke": {p: [3, 5]}, "standard": {p: [3, 5, 7]}}
RUN = {"covers": "margin", "required": False}
CLOSED = typed("12*p/(16*(p - 1)*(4*p/2)**2) == 3/(16*p*(p - 1))", over="p in 3..oo")
terms = claim(
    "fourier-construction-k3-terms",
    states="fourier-construction-k3",
    title="All eight terms, and the margin for every odd p",
    says="Each of the eight products is the sum of four neurons whose phases add up, and the "
    "$16(p - 1)$ neurons attain $3/(16p(p - 1))$ at every input and wrong label, for every odd "
    "$p$.",
    covers="other-blocks margin",
    domain={p: odd_integers(3)},
    grid=SIZES,
    legs=[
        leg(
            "eight terms",
            eight_terms,
            arithmetic="proof",
            covers="other-blocks",
            over="p T",
            gives="phases",
            grid=ONCE,
        ),
        leg(
            "every modulus",
            every_modulus,
            arithmetic="proof",
            covers="margin",
            over="p a c",
            grid=ONCE,
        ),
        *STEPS,
        formula_leg("value", CLOSED, covers="margin"),
        leg(
            "number of neurons",
            neurons,
            relation=counts(),
            closed_form=16 * (p - 1),
            lhs="m",
            tex=r"16\,(p-1)",
            **RUN,
        ),
        leg(
            "network",
            network,
            closed_form=MARGIN,
            lhs=r"\gamma(\theta)",
            tex=r"\frac3{16\,p\,(p-1)}",
            **RUN,
        ),
    ],
    rivals=[
        *exactly(*STEPS),
        variant("56 a frequency", leg="number of neurons", closed_form=28 * (p - 1)),
        variant("each neuron twice", leg="number of neurons", simulation=twice_each),
        variant("p for p - 1", leg="network", closed_form=MARGIN * (p - 1) / p),
        variant("outputs turned half way", leg="network", simulation=negative_network),
        variant("two neurons a term", leg="eight terms", simulation=pairs),
        variant("outputs turned by a quarter", leg="every modulus", simulation=other_outputs),
        variant(
            "3/8",
            leg="value",
            simulation=typed(CLOSED.says.replace("3/(16", "3/(8"), over="p in 3..oo"),
        ),
    ],
)

construction_k3 = claim(
    "fourier-construction-k3",
    title="Explicit network at $k = 3$",
    lhs=r"\gamma(\theta)",
    tex=r"\frac3{16\,p\,(p-1)}",
    says="32 neurons a frequency have the margin $3/(16 p (p-1))$ at every input and against every "
    "wrong label, $p$ odd.",
    covers="margin",
    domain={p: odd_integers(3)},
    grid=SIZES,
    closed_form=MARGIN,
    legs=[leg("margin", network, inside="a c")],
    rivals=[
        variant("3/8", closed_form=sp.Rational(3, 8) / (p * (p - 1))),
        variant("p for p - 1", closed_form=sp.Rational(3, 16) / p**2),
    ],
)
