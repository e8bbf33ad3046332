"""Theorem 4.9 (i), Theorem C.21: the maximum margin at odd moduli, its two sides together, for every size.

Statement. At every k and odd p the maximum normalised margin is A p/(p-1) with A = k!/2^k (2/((k+1)p))^{(k+1)/2}: the
explicit network and, at larger widths, further neurons that are 0 have it (`every_size_construction`), and no network
of any width has more (`every_size_optimum`). At k = 3 it is 3/(16 p (p-1)), and 2^{2k-1} (p-1)/2 is 16 (p-1).

Evidence. Beside the steps, at sizes: the explicit network, and the bound read off the coefficients of J.

Reference: Theorems 4.9, C.21, C.22 (arXiv 2402.09469).
"""

from __future__ import annotations

import sympy as sp

from theorycheck import (
    claim,
    counts,
    equals,
    exactly,
    formula_leg,
    leg,
    rivals_of,
    typed,
    variant,
)

from ._every_size import ONCE
from ._formula import amplitude, k, p
from .every_size_construction import (
    DOMAIN,
    GAMMA,
    LEAST,
    around,
    block,
    gap,
    network,
    neurons,
    no_flips_at_the_output,
    padding,
    padding_with_ones,
    scaled,
    signs_without_regard,
    size,
    value,
)
from .every_size_optimum import (
    MEANS,
    PARSEVAL,
    WRONG_BOUNDS,
    at_zero,
    constant,
    every_number_of_inputs,
    from_coefficients,
    moduli_and_phases,
    output_as_it_is,
    pairs,
    real_vectors,
    splitting,
    turning,
    upwards,
    without_input_zero,
)
from .every_size_transform import EVEN_MODULUS

ODD = "factorial(k)/2**k*(2/((k + 1)*p))**((k + 1)/2)*p/(p - 1)"
odd_form = formula_leg(
    "in units of A",
    typed(f"{ODD} == {GAMMA}", over="k in 1..oo; p in 3..oo"),
    covers="odd-value",
)
THREE = "2*factorial(3)/((2*3 + 2)**((3 + 1)/2)*(p - 1)*p**((3 - 1)/2))"
three = formula_leg(
    "three summands",
    typed(
        f"{THREE} == 3/(16*p*(p - 1)) and 2**(2*3 - 1)*(p - 1)/2 == 16*(p - 1)",
        over="p in 3..oo",
    ),
    covers="fourier-k3-main/value",
)
NETWORK = [gap, *around, turning, size, value, scaled]
equal, pairing, bounds = (
    [formula_leg(one.name, one.simulation) for one in legs]
    for legs in (
        [*NETWORK, upwards, at_zero, real_vectors, constant, splitting],
        [pairs],
        [one for one, _ in WRONG_BOUNDS],
    )
)


def network_of_three(p):
    """Least and largest normalised margin of the explicit network at k = 3, exactly."""
    return network(3, p)


def bound_at_three(ns, p):
    return from_coefficients(ns, 3, p)


def neurons_of_three(p):
    return neurons(3, p)


def both(covers, attained, bound, value, sizes, **given):
    """The explicit network and the bound on every network, held to one value."""
    least, most = f"network, {sizes}", f"bound, {sizes}"
    return [
        leg(least, attained, closed_form=value, covers=covers, required=False, lhs=LEAST, **given),
        leg(most, bound, closed_form=value, covers=covers, required=False, lhs="B", **given),
    ]


MAXIMUM = amplitude * p / (p - 1)
MAXIMUM_3 = sp.Rational(3, 16) / (p * (p - 1))
RUN = [
    *both(
        "odd-value",
        network,
        from_coefficients,
        MAXIMUM,
        "every k",
        tex=r"\frac{k!}{2^k}\Big(\frac2{(k+1)p}\Big)^{(k+1)/2}\frac p{p-1}",
    ),
    *both(
        "fourier-k3-main/value",
        network_of_three,
        bound_at_three,
        MAXIMUM_3,
        "k = 3",
        grid={"smoke": {p: [3]}, "standard": {p: [5]}},
        tex=r"\frac3{16\,p\,(p-1)}",
    ),
    leg(
        "number of neurons, k = 3",
        neurons_of_three,
        relation=counts(),
        closed_form=16 * (p - 1),
        grid={"smoke": {p: [3, 5]}},
        covers="fourier-k3-main/value",
        required=False,
        lhs="m",
        tex=r"16\,(p-1)",
    ),
]
maximum = claim(
    "fourier-maximum-every-size",
    states=["fourier-any-modulus", "fourier-k3-main"],
    title="The maximum margin at odd moduli, for every size",
    lhs=r"\max_\theta\gamma(\theta)",
    tex=r"\frac{2\,k!}{(2k+2)^{(k+1)/2}\,(p-1)\,p^{(k-1)/2}}",
    says=r"For every $k$ and odd $p$ the explicit network has the normalised margin $\gamma^*=Ap/(p-1)$, at every "
    r"larger width too, and no network of any width has more; at $k=3$ that is $3/(16p(p-1))$.",
    role="derived",
    covers="odd-value fourier-k3-main/value",
    domain=DOMAIN,
    grid={
        "smoke": [{k: 1, p: 5}, {k: 2, p: 3}, {k: 2, p: 5}, {k: 3, p: 3}],
        "standard": [{k: 2, p: 9}, {k: 3, p: 5}, {k: 4, p: 3}],
    },
    relation=equals(),
    legs=[
        leg("block", block, arithmetic="proof", over="k p m", grid=ONCE),
        leg("further neurons", padding, arithmetic="proof", over="m", grid=ONCE),
        *RUN,
        leg(
            "inputs",
            every_number_of_inputs,
            arithmetic="proof",
            over="k p m",
            lemma=PARSEVAL,
            grid=ONCE,
        ),
        leg(
            "polar form",
            moduli_and_phases,
            arithmetic="proof",
            over="k p m",
            lemma=MEANS,
            grid=ONCE,
        ),
        *equal,
        *pairing,
        *bounds,
        odd_form,
        three,
    ],
    rivals=[
        variant("p^2 for p, attained", leg="network, every k", closed_form=MAXIMUM * p),
        variant("p^2 for p, bound", leg="bound, every k", closed_form=MAXIMUM * p),
        variant("3/8, attained", leg="network, k = 3", closed_form=2 * MAXIMUM_3),
        variant("3/8, bound", leg="bound, k = 3", closed_form=2 * MAXIMUM_3),
        variant("56 a frequency", leg="number of neurons, k = 3", closed_form=28 * (p - 1)),
        variant("no flips at the output", leg="block", simulation=no_flips_at_the_output),
        variant("signs without regard", leg="block", simulation=signs_without_regard),
        variant("further neurons of ones", leg="further neurons", simulation=padding_with_ones),
        variant("sums without 0", leg="inputs", simulation=without_input_zero),
        variant("output as it is", leg="polar form", simulation=output_as_it_is),
        *exactly(*equal),
        *rivals_of(pairing[0], EVEN_MODULUS),
        *rivals_of(odd_form, {"p^2 for p": f"{ODD}*p == {GAMMA}"}),
        *rivals_of(three, {"3/8": f"{THREE} == 3/(8*p*(p - 1))"}),
        *(rival for one, wrong in WRONG_BOUNDS for rival in rivals_of(one, wrong)),
    ],
)
