"""Section 4.6: parity, the case p = 2.

Statements. At p = 2 the label is a parity: with b_i = (-1)^{a_i} its sign is b_1 .. b_k. The maximum margin is
k! 2^{(1-k)/2} (k+1)^{-(k+1)/2}, 2^{(k-1)/2} times the formula of Theorem 4.9, which excludes p = 2; exactly
2^{k-1} neurons are needed. The source credits that exponential number to Theorem 4.9, which proves sufficiency
only; the sentence is true.

Reference: section 4.6 (arXiv 2402.09469); the values are derived here.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from math import prod

import numpy as np
import sympy as sp
from flint import fmpq, fmpq_mat

from theorycheck import attained, certificate, claim, counts, integers, leg, maximises, variant

from ._formula import gamma, k, p
from ._network import all_inputs, cosine_network, half_design, labels, margin_range, smallest_margin
from ._neuron import MEANS, upper_bound


def signs_agree(k):
    """Inputs at which (-1)^label is the product of the (-1)^{a_i}."""
    pairs = zip(all_inputs(k, 2), labels(k, 2), strict=True)
    return sum(int((-1) ** int(s) == prod((-1) ** int(x) for x in a)) for a, s in pairs)


parity = claim(
    "fourier-parity",
    lhs=r"\#\Big\{a:(-1)^{a_1+\dots+a_k}=\prod_i(-1)^{a_i}\Big\}",
    states="fourier-parity-limit",
    title="At $p = 2$ the task is parity",
    says=r"For all $k$ and all $2^k$ inputs $(-1)^{a_1+\dots+a_k}$ is the product of the $(-1)^{a_i}$.",
    covers="parity",
    domain={k: integers(1)},
    grid={"smoke": {k: range(1, 9)}, "standard": {k: range(1, 13)}},
    closed_form=2**k,
    relation=counts(),
    legs=[leg("inputs", signs_agree, inside="a")],
    rivals=[variant("half of the inputs", closed_form=2 ** (k - 1))],
)


def sign_classes(k):
    """{-1, 1}^k up to the common sign: the neurons that a maximiser at p = 2 may have."""
    return [(1, *rest) for rest in itertools.product((1, -1), repeat=k - 1)]


def characters(k):
    """Subsets of even size: the characters of {-1, 1}^k that do not see the common sign."""
    return [s for s in itertools.product(range(2), repeat=k) if sum(s) % 2 == 0]


def power_coefficients(k):
    """Coefficients of the monomials prod_{i in S} x_i, by |S|, of (x_1 + .. + x_k)^k on {-1, 1}^k."""
    found = {}
    for size in range(k % 2, k + 1, 2):
        # E[(sum x)^k prod_{i <= size} x_i] over all signs
        cube = list(itertools.product((1, -1), repeat=k))
        found[size] = Fraction(
            sum(sum(x) ** k * int(np.prod(x[:size], dtype=int)) for x in cube), len(cube)
        )
    return found


def neurons_for_parity(k, repeated=0):
    """Number of neurons that every maximum-margin network of parity has at least.

    By the equality case of `upper_bound`, every neuron of a maximiser is a multiple of u_i = eps_i (-1)^x,
    w = prod(eps) (-1)^c. Writing (eps . x)^k in monomials of signs, the output is a multiple of
    (-1)^{s-c} exactly if the weighted sum of every even character but the trivial one over the sign
    classes vanishes: a linear system for the weights. It is square and regular, so its one solution
    counts the neurons. ``repeated``: so many characters are replaced by the first.
    """
    if min(power_coefficients(k).values()) <= 0:
        raise ArithmeticError("a monomial is missing: the conditions would be fewer")
    classes, tests = sign_classes(k), characters(k)
    tests = tests[: len(tests) - repeated] + tests[:1] * repeated
    rows = [
        [int(np.prod([e for e, s in zip(c, t, strict=True) if s], dtype=int)) for c in classes]
        for t in tests
    ]
    system = fmpq_mat(len(rows), len(classes), [fmpq(v) for row in rows for v in row])
    wanted = fmpq_mat(len(rows), 1, [fmpq(int(not any(t))) for t in tests])
    weights = system.solve(wanted)  # raises where the system is singular
    return sum(1 for i in range(len(classes)) if weights[i, 0] > 0)


def a_character_repeated(k):
    """No one solution, and so no count: 0."""
    try:
        return neurons_for_parity(k, repeated=1)
    except ZeroDivisionError:
        return 0


parity_width = claim(
    "fourier-parity-limit",
    title="Width that parity needs",
    lhs=r"m^*",
    says="At $p = 2$ the number of neurons of a maximum-margin network grows exponentially in $k$: it "
    "is $2^{k-1}$ at least, and $2^{k-1}$ suffice.",
    covers="width-at-2",
    domain={k: integers(1)},
    grid={"smoke": {k: range(1, 7)}, "standard": {k: range(1, 9)}},
    closed_form=2 ** (k - 1),
    relation=counts(),
    legs=[leg("linear system", neurons_for_parity, side="certificate", over="theta", lemma=MEANS)],
    rivals=[
        variant("the theorem's width at p = 2", closed_form=2 ** (2 * k - 2)),
        variant("one neuron less", closed_form=2 ** (k - 1) - 1),
        variant(
            "a singular system",
            leg="linear system",
            simulation=a_character_repeated,
            at={k: [2, 3]},
        ),
        variant("linear growth", closed_form=k),
    ],
)


def parity_network(ns, k):
    """Least and largest margin of all 2^{k-1} sign classes at p = 2."""
    return margin_range(ns, cosine_network(ns, half_design(k, 2), 2), k, 2)


def one_class_less(ns, k):
    return smallest_margin(ns, cosine_network(ns, half_design(k, 2)[1:], 2), k, 2)


def parity_bound(ns, k):
    return upper_bound(ns, k, 2)


gamma_two = sp.factorial(k) * 2 ** ((1 - k) / sp.Integer(2)) * (k + 1) ** (-(k + 1) / sp.Integer(2))

parity_margin = claim(
    "fourier-parity-margin",
    title="Maximum margin of parity",
    lhs=r"\gamma(\theta)",
    tex=r"\frac{k!}{2^{(k-1)/2}\,(k+1)^{(k+1)/2}}",
    says="At $p = 2$ the maximum margin is $k! 2^{(1-k)/2} (k+1)^{-(k+1)/2}$, attained by $2^{k-1}$ "
    "neurons.",
    states="fourier-parity-limit",
    role="derived",
    covers="margin-at-2",
    domain={k: integers(1)},
    grid={"smoke": {k: range(1, 6)}, "standard": {k: range(1, 8)}},
    closed_form=gamma_two,
    relation=maximises(),
    plot=k,
    legs=[attained(parity_network), certificate(parity_bound)],
    rivals=[
        variant("printed formula at p = 2", closed_form=gamma.subs(p, 2)),
        variant("without k!", closed_form=gamma_two / sp.factorial(k)),
        variant("one neuron less", simulation=one_class_less, at={k: [2, 3]}),
    ],
)
