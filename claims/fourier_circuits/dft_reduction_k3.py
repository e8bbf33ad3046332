"""Lemma C.10: the objective of a neuron in Fourier space at k = 3.

Statement. For all real vectors and all p >= 2, J = 6/((p-1) p^3) sum_{j != 0} w^(-j) u_1^(j) u_2^(j) u_3^(j):
of the ten kinds of monomials of the cube nine miss a summand and are constant in the shift, E[u_1^3 w] =
mean(u_1^3) mean(w) among them (printed as 0, which it is where w has mean zero). At odd p the sum may run over
-(p-1)/2 .. (p-1)/2 without 0.

Reference: Lemma C.10, Eq. (C.2), (C.3) (arXiv 2402.09469).
"""

from __future__ import annotations

from theorycheck import Proof, claim, formula_leg, integers, leg, typed, variant

from ._formula import k, p
from ._network import all_inputs, labels
from .dft_reduction import (
    RANDOM,
    by_enumeration,
    by_transform,
    for_every_modulus,
    half_prefactor,
    monomials,
    one_power_more,
    with_zero,
)


def every_modulus():
    """`dft_reduction.for_every_modulus` at k = 3: 3! = 6."""
    return for_every_modulus(3)


def two_summands_in_a_cube():
    """What would be left of (x_1 + x_2)^3: monomials in which no summand is missing, and more than one of them."""
    left = [e for e in monomials(3) if e[2] == 0 and e[0] and e[1]]
    return Proof(
        holds=len(left) == 1,
        method="monomials without a missing summand",
        witness={"monomials": len(left)},
        counterexample={"monomials": sorted(left)},
    )


CUBE = typed(
    "(x + y + z)**3 == x**3 + y**3 + z**3 + 3*x**2*y + 3*x**2*z + 3*x*y**2 + 3*y**2*z + 3*x*z**2 + 3*y*z**2 + 6*x*y*z",
    over="x, y, z in (-oo, oo)",
)
RESIDUES = typed(
    "(2*n + 1 - j) - (-j) == 2*n + 1 and n + 1 <= 2*n + 1 - j and 2*n + 1 - j <= 2*n",
    over="n in 1..oo; j in 1..n",
)

identity = claim(
    "fourier-dft-reduction-k3",
    title="Fourier form of the objective at $k=3$",
    says=r"For $k = 3$, $J = 6/((p - 1)p^3)$ times $\sum_{j \ne 0} \hat w(-j)\,\hat u_1(j)\,\hat "
    r"u_2(j)\,\hat u_3(j)$, for every $p$ and all real vectors; the cube has ten kinds of "
    "monomials, and $-j$ runs over the upper half of the residues as $j$ does over the lower.",
    covers="identity ten-monomials symmetric-range",
    reads={"p": "n"},
    legs=[
        leg(
            "every modulus",
            every_modulus,
            arithmetic="proof",
            covers="identity",
            over="p u_1 u_2 u_3 w",
            grid={"smoke": [{}]},
        ),
        formula_leg("cube", CUBE, covers="ten-monomials"),
        formula_leg("residues", RESIDUES, covers="symmetric-range"),
    ],
    rivals=[
        variant("two summands in a cube", leg="every modulus", simulation=two_summands_in_a_cube),
        variant(
            "3 for 6",
            leg="cube",
            simulation=typed(CUBE.says.replace("6*x", "3*x"), over="x, y, z in (-oo, oo)"),
        ),
        variant(
            "even p",
            leg="residues",
            simulation=typed(
                "(2*n - j) - (-j) == 2*n and n + 1 <= 2*n - j", over="n in 1..oo; j in 1..n"
            ),
        ),
    ],
)


def cubes(ns, u, w, p):
    """E_a[u_1(a_1)^3 w(s + d)] and E_a[u_1(a_1)^2 u_2(a_2) w(s + d)] at every shift d. Shape (B, 2, p)."""
    grid, right = all_inputs(3, p), labels(3, p)
    first, second = (ns.take(u[:, i, :], ns.indices(grid[:, i]), axis=1) for i in (0, 1))
    rows = []
    for power in (first**3, first**2 * second):
        at = [ns.take(w, ns.indices((right + d) % p), axis=1) for d in range(p)]
        rows.append(ns.stack([ns.mean(power * shifted, axis=1) for shifted in at], axis=1))
    return ns.stack(rows, axis=1)


def products_of_means(ns, u, w, p):
    """mean(u_1^3) mean(w) and mean(u_1^2) mean(u_2) mean(w), at every shift."""
    u1, u2 = u[:, 0, :], u[:, 1, :]
    both = [ns.mean(u1**3, axis=1), ns.mean(u1**2, axis=1) * ns.mean(u2, axis=1)]
    value = ns.stack([x * ns.mean(w, axis=1) for x in both], axis=1)
    return ns.stack([value] * p, axis=2)


def zero(ns, u, w, p):
    return 0 * products_of_means(ns, u, w, p)


numbers = claim(
    "fourier-dft-reduction-k3-terms",
    states="fourier-dft-reduction-k3",
    title="The terms that the proof calls zero",
    says=r"$\mathbb{E}[u_1^3w]$ is the mean of $u_1^3$ times that of $w$, and $\mathbb{E}[u_1^2u_2w]$ "
    "the product of the means of $u_1^2$, $u_2$ and $w$, whatever the shift is.",
    role="corrected",
    covers="terms-zero",
    domain={k: integers(3, 3), p: integers(2)},
    grid={"smoke": {k: 3, p: [2, 3, 5]}, "standard": {k: 3, p: [4, 7]}},
    legs=[
        leg(
            "means",
            cubes,
            reference=products_of_means,
            arithmetic="rational",
            instances=RANDOM,
            lhs=r"\mathbb{E}\big[u_1^3\,w(s-\delta)\big],\ \mathbb{E}\big[u_1^2u_2\,w(s-\delta)\big]",
            tex=r"\overline{u_1^3}\;\bar w,\ \ \overline{u_1^2}\;\bar u_2\,\bar w",
        ),
        leg(
            "objective",
            by_enumeration,
            reference=by_transform,
            instances=RANDOM,
            lhs=r"J(u,w)",
            tex=r"\frac{6}{(p-1)\,p^3}\sum_{j\ne0}\hat w(-j)\prod_i\hat u_i(j)",
        ),
    ],
    rivals=[
        variant("zero, as printed", leg="means", reference=zero, at=[{k: 3, p: 3}]),
        variant("3 for 6", leg="objective", reference=half_prefactor),
        variant("p^4", leg="objective", reference=one_power_more),
        variant("j = 0 included", leg="objective", reference=with_zero),
    ],
)
