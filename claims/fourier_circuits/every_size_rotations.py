"""Remark after Theorem 4.9: a smaller maximum-margin network, for every number of summands and every odd modulus.

Setting. The neurons of one frequency: for every rotation j = 0 .. k by alpha = pi j/(k+1) and all flips f with f_1 = 0,
the input phases alpha + pi f_i and the output phase k alpha + pi sum f; amplitude 1.

Statements. (1) Over the flips the neurons of a rotation add up to 2^{k-1} k! times the product of the k cosines
cos(x_i + alpha) and of cos(y + k alpha) (polarisation). (2) That product is a sum of even powers of z = e^{i alpha}
from -2k to 2k; those other than z^0 add up to 0 over the k + 1 rotations, and z^0 has 2^-k cos(x_1 + .. + x_k - y).
(3) So the (k+1) 2^{k-1} neurons add up to (k+1)!/2 times the cosine, and those of all frequencies have the normalised
margin gamma*; from k = 2 on they are fewer than the source's.

Evidence. Places are run through one by one (`_every_size`), k being any number; the network, its block and the number
of its neurons are run at sizes, further designs in `min_neurons`.

Reference: remark after Theorem 4.9 (arXiv 2402.09469); the design is derived here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy as sp

from theorycheck import claim, counts, equals, exactly, formula_leg, leg, rivals_of, typed, variant

from ._cyclotomic import normalised_margins
from ._every_size import ONCE, agreeing, letters
from ._formula import gamma, k, p
from ._network import distinct, small_design
from .every_size_construction import (
    AT_LABELS,
    BLOCKS,
    CONJUGATES,
    COSINE,
    DOMAIN,
    GAMMA,
    LEAST,
    MAXIMUM,
    WRONG,
    added_up,
    around,
    size,
)
from .every_size_signs import (
    constants,
    every_number_of_signs,
    same_twice,
    signs_not_counted,
)


@dataclass(frozen=True)
class Ends:
    """A sum of every other power of z = e^{i alpha} from ``low`` to ``high`` = a n + b, by its first and last
    coefficient."""

    low: tuple[int, int]
    high: tuple[int, int]
    first: Any
    last: Any

    def __mul__(self, other: Ends) -> Ends:
        low, high = (
            (x[0] + y[0], x[1] + y[1]) for x, y in ((self.low, other.low), (self.high, other.high))
        )
        return Ends(low, high, self.first * other.first, self.last * other.last)

    def at_zero(self) -> Any:
        """The coefficient of z^0, which has to be one of the ends."""
        return {self.low: self.first, self.high: self.last}[0, 0]


def cosine(wave, conjugate):
    """cos(x + alpha), ``wave`` for e^{ix}."""
    return Ends((0, -1), (0, 1), conjugate / 2, wave / 2)


def rotations(spare=1):
    """After n inputs the product of cosines goes from z^-n to z^n, with the ends 2^-n times the products of the
    e^{-+ix}. With the output's e^{iy} z^n and e^{-iy} z^-n it goes from z^0 to z^2n, and down to z^-2n; z^2l is left
    by n + ``spare`` rotations only where their number divides l, and no l in 1 .. n is as large as that."""
    first, last, wave, conjugate, out, out_conjugate = letters(
        "first last wave conjugate out out_conjugate"
    )
    one = first**0
    state = Ends((-1, 0), (1, 0), first, last)
    upwards = state * Ends((1, 0), (1, 0), out, out)
    downwards = state * Ends((-1, 0), (-1, 0), out_conjugate, out_conjugate)
    largest = (upwards.high[0] // 2, upwards.high[1])  # l, a n + b
    return agreeing(
        "induction over the inputs, by the ends of a sum of powers",
        none=(Ends((0, 0), (0, 0), one, one) * cosine(wave, conjugate), cosine(wave, conjugate)),
        further=(
            state * cosine(wave, conjugate),
            Ends((-1, -1), (1, 1), first * conjugate / 2, last * wave / 2),
        ),
        at_zero=(
            upwards.at_zero() + downwards.at_zero(),
            first * out + last * out_conjugate,
        ),
        range=((upwards.low, downwards.high), ((0, 0), (0, 0))),
        others=(largest[0] == 1 and largest[1] < spare, True),
    )


def one_rotation_less():
    return rotations(spare=0)


# ---------------------------------------------------------------- run at sizes


def network(k, p):
    """Least and largest normalised margin of the rotated sign patterns over all inputs and wrong labels, exactly."""
    return normalised_margins(small_design(k, p), k, p, 2 * (k + 1))


def neurons(k, p):
    """How many different ones there are."""
    return distinct(small_design(k, p), k, 2 * (k + 1))


def one_block(ns, zeta, a, c, k, p, steps=None):
    """What the neurons of one frequency add up to, and the sum of the inputs. ``steps``: rotations, k + 1 unless
    given. Shape (B,)."""
    steps = steps or k + 1
    return added_up(ns, small_design(k, 3, steps), zeta, a, c, k, p, 2 * steps)


def k_rotations(ns, zeta, a, c, k, p):
    return one_block(ns, zeta, a, c, k, p, steps=k)


MARGIN = "fourier-construction/literal-uniqueness fourier-min-neurons/upper omega-4-to-the-k"
turns_cancel = formula_leg(
    "sum over rotations",
    typed(
        "Sum(cos(2*pi*l*j/N), (j, 0, N - 1)) == 0 and Sum(sin(2*pi*l*j/N), (j, 0, N - 1)) == 0",
        over="N in 2..oo; l in 1..N - 1",
    ),
)
conjugates = formula_leg(
    "half of two conjugates",
    typed(
        f"(k + 1)*2**(k - 1)*factorial(k)*2**(-k)*{CONJUGATES} == factorial(k + 1)/2*{COSINE}",
        over=AT_LABELS,
    ),
)
opposite, half, norm, *cosines = [
    formula_leg(one.name, one.simulation) for one in (same_twice, constants, size, *around)
]
UNIT = "factorial(k + 1)/2"
NEURONS = (k + 1) * 2 ** (k - 2) * (p - 1)
gap = formula_leg(
    "right and wrong label",
    typed(
        f"{UNIT}*(q - {WRONG}) == {UNIT}*(2*q + 1)/2",
        over="k in 1..oo; q in 1..oo; r in 1..2*q",
    ),
)
NORMALISED = f"{UNIT}*p/2/({NEURONS}*((k + 1)*p/2)**((k + 1)/2))"
value = formula_leg("normalised", typed(f"{NORMALISED} == {GAMMA}", over="k in 1..oo; p in 3..oo"))
fewer = formula_leg(
    "fewer neurons",
    typed(
        f"{NEURONS} < 2**(2*k - 2)*(p - 1)",
        over="k in 2..oo; p in 3..oo",
    ),
    covers="fourier-construction/literal-uniqueness omega-4-to-the-k",
    where=k >= 2,
)
BLOCK = sp.factorial(k + 1) / 2 * COSINE
at_sizes = [
    leg("network", network, lhs=LEAST, **MAXIMUM),
    leg(
        "number of neurons",
        neurons,
        relation=counts(),
        closed_form=NEURONS,
        lhs="m",
        tex=r"(k+1)\,2^{k-2}\,(p-1)",
        required=False,
    ),
    leg(
        "one block",
        one_block,
        closed_form=BLOCK,
        instances=BLOCKS,
        observed=["s"],
        unit=sp.factorial(k + 1) / 2,
        required=False,
        lhs=r"\sum_{h\in B_\zeta}\Big(\sum_iu_{h,i}(a_i)\Big)^kw_h(c)",
        tex=r"\frac{(k+1)!}2\cos\frac{2\pi\zeta(s-c)}p",
    ),
]
small_network = claim(
    "fourier-small-network-every-size",
    states=["fourier-construction", "fourier-neuron-count", "fourier-min-neurons"],
    title="The smaller network, for every number of summands and every odd modulus",
    lhs=r"\gamma(\theta)",
    tex=r"\frac{2\,k!}{(2k+2)^{(k+1)/2}\,(p-1)\,p^{(k-1)/2}}",
    says=r"For every $k$ and odd $p$ the $(k+1)2^{k-1}$ rotated sign patterns a frequency have the margin $\gamma^*$ "
    "at every input and wrong label; from $k=2$ on they are fewer than the source's.",
    role="derived",
    covers=MARGIN,
    domain=DOMAIN,
    grid={
        "smoke": [{k: 1, p: 5}, {k: 2, p: 3}, {k: 2, p: 5}, {k: 3, p: 3}],
        "standard": [{k: 2, p: 9}, {k: 3, p: 5}, {k: 4, p: 3}],
    },
    relation=equals(),
    legs=[
        leg("flips", every_number_of_signs, arithmetic="proof", over="k p", grid=ONCE),
        leg("rotations", rotations, arithmetic="proof", over="k p", gives="theta", grid=ONCE),
        opposite,
        half,
        turns_cancel,
        conjugates,
        gap,
        *cosines,
        norm,
        value,
        fewer,
        *at_sizes,
    ],
    rivals=[
        variant("p for p - 1, run", leg="network", closed_form=gamma * (p - 1) / p),
        variant("k rotations", leg="one block", simulation=k_rotations),
        variant("k!/2", leg="one block", closed_form=BLOCK / (k + 1)),
        variant("k rotations of them", leg="number of neurons", closed_form=NEURONS * k / (k + 1)),
        variant("signs not counted", leg="flips", simulation=signs_not_counted),
        variant("one rotation less", leg="rotations", simulation=one_rotation_less),
        *exactly(opposite, half, norm, *cosines, conjugates, gap),
        *rivals_of(
            turns_cancel,
            {"no turn too": {"over": "N in 2..oo; l in 0..N - 1"}},
        ),
        *rivals_of(value, {"p for p - 1": f"{NORMALISED} == {GAMMA.replace('(p - 1)', 'p')}"}),
        *rivals_of(fewer, {"from k = 1 on": {"over": "k in 1..oo; p in 3..oo"}}),
    ],
)
