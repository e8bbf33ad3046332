"""Theorem 4.9 (i), Theorem C.21: the maximum margin at odd moduli, its two sides together, for every size.

Statement. At every k and odd p the maximum normalised margin is A p/(p-1) with A = k!/2^k (2/((k+1)p))^{(k+1)/2}: the
explicit network and, at larger widths, further neurons that are 0 have it (`every_size_construction`), and no network
of any width has more (`every_size_optimum`). At k = 3 it is 3/(16 p (p-1)), and 2^{2k-1} (p-1)/2 is 16 (p-1).

Reference: Theorems 4.9, C.21, C.22 (arXiv 2402.09469).
"""

from __future__ import annotations

from theorycheck import claim, exactly, formula_leg, leg, rivals_of, typed, variant

from .every_size_construction import (
    GAMMA,
    around,
    block,
    gap,
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
    legs=[
        leg("block", block, arithmetic="proof", over="k p m"),
        leg("further neurons", padding, arithmetic="proof", over="m"),
        leg(
            "inputs",
            every_number_of_inputs,
            arithmetic="proof",
            over="k p m",
            lemma=PARSEVAL,
        ),
        leg(
            "polar form",
            moduli_and_phases,
            arithmetic="proof",
            over="k p m",
            lemma=MEANS,
        ),
        *equal,
        *pairing,
        *bounds,
        odd_form,
        three,
    ],
    rivals=[
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
