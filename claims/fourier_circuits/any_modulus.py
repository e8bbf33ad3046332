"""The maximum margin at every modulus, even ones and parity included (beyond the source's odd p).

Setting. As in `max_margin`, p >= 2 any integer. At even p the frequency p/2 is its own conjugate: a
neuron u_i(x) = +-(-1)^x, w(c) = +-(-1)^c contributes 2^{(k-1)/2} times as much as one of another
frequency with the same norm.

Statements.
- gamma*(k, p) = A p / D, A = k!/2^k (2/((k+1)p))^{(k+1)/2}, with D = p - 1 at odd p (the printed formula)
  and D = p - 2 + 2^{-(k-1)/2} at even p. Attained with power shared in the ratio 2 (a frequency below
  p/2) to 2^{-(k-1)/2} (the frequency p/2); certified with class weights that favour the even shifts.
- Parity, p = 2: gamma* = k! 2^{(1-k)/2} (k+1)^{-(k+1)/2}, and exactly 2^{k-1} neurons are needed. The
  source says of this case that Theorem 4.9 shows exponentially many neurons to be needed; that theorem
  excludes p = 2 and proves sufficiency only, but the sentence is true.

Reference: none for even p (derived here); section 4.6 for parity (arXiv 2402.09469).
"""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import sympy as sp
from flint import fmpq, fmpq_mat

from theorycheck import (
    BallNamespace,
    attained,
    certificate,
    claim,
    counts,
    even_integers,
    integers,
    leg,
    maximises,
    search,
    variant,
)

from ._formula import gamma, gamma_any, k, odd, p
from ._network import (
    any_modulus_network,
    class_weights,
    cosine_network,
    half_design,
    margin_range,
    smallest_margin,
    with_masses,
)
from ._neuron import upper_bound


def network(ns, k, p):
    """Least and largest normalised margin with power 2 : 2^{-(k-1)/2}."""
    return margin_range(ns, any_modulus_network(ns, k, p), k, p)


def equal_budgets(ns, k, p):
    low = [ns.asarray(1)] * ((p - 1) // 2)
    return smallest_margin(ns, with_masses(ns, k, p, low, ns.asarray(1)), k, p)


def weighted_bound(ns, k, p):
    """Upper bound under the class weights that make all frequencies worth the same."""
    return upper_bound(ns, k, p, class_weights(ns, k, p))


def uniform_bound(ns, k, p):
    return upper_bound(ns, k, p)


def programmed(k, p):
    """Power shared by a linear program over the frequencies, in floats; its network in balls.

    A frequency with power x adds x amp_j (1 - cos(2 pi j d/p)) to the margin against shift d.
    """
    from scipy.optimize import linprog

    frequencies = np.arange(1, p // 2 + 1)
    gain = 1 - np.cos(2 * np.pi * np.outer(np.arange(1, p), frequencies) / p)
    gain *= np.where(2 * frequencies == p, 2 ** ((k - 1) / 2), 1)
    rows = np.hstack([-gain, np.ones((p - 1, 1))])
    total = np.append(np.ones(len(frequencies)), 0)[None, :]
    best = linprog(np.append(np.zeros(len(frequencies)), -1), A_ub=rows, b_ub=np.zeros(p - 1),
                   A_eq=total, b_eq=[1]).x[:-1]  # fmt: skip
    ns = BallNamespace(128)
    with ns.working():
        power = [ns.asarray(Fraction(max(float(x), 2**-40))) for x in best]
        half = power.pop() if p % 2 == 0 else ns.asarray(0)
        return smallest_margin(ns, with_masses(ns, k, p, power, half), k, p).data[()]


any_modulus = claim(
    "fourier-any-modulus",
    lhs=r"\gamma(\theta)",
    title="Maximum margin for every modulus",
    says="For every p >= 2 and k >= 1 the maximum margin is A p/(p-1) at odd p and "
    "A p/(p - 2 + 2^(-(k-1)/2)) at even p, A = k!/2^k (2/((k+1)p))^((k+1)/2).",
    role="derived",
    domain={k: integers(1), p: integers(2)},
    grid={
        "smoke": [{k: i, p: j} for i, j in ((1, 4), (2, 2), (2, 3), (2, 4), (2, 6), (3, 2), (3, 4))],
        "standard": [
            *[{k: 1, p: j} for j in (2, 4, 5)],
            *[{k: 2, p: j} for j in (2, 3, 4, 5, 6, 8, 10, 12)],
            *[{k: 3, p: j} for j in (2, 3, 4, 6)],
            *[{k: 4, p: 2}, {k: 4, p: 4}, {k: 5, p: 2}],
        ],
    },
    closed_form=gamma_any,
    relation=maximises(),
    plot=p,
    legs=[
        attained(network),
        certificate(weighted_bound),
        search(
            programmed,
            name="linear program",
            arithmetic="external",
            error=0,
            model="float64 linear program for the shares; the network is evaluated in balls",
            grid={
                "smoke": [{k: 2, p: 6}],
                "standard": [{k: 2, p: 6}, {k: 2, p: 8}, {k: 2, p: 9}, {k: 3, p: 4}],
            },
        ),
    ],
    rivals=[
        variant("printed formula", closed_form=gamma),
        variant("printed formula times 2^((k-1)/2) at even p",
                closed_form=sp.Piecewise((gamma, odd), (gamma * 2 ** ((k - 1) / 2), True))),
        variant("equal power at every frequency", simulation=equal_budgets, at=[{k: 2, p: 4}]),
        variant("certificate under uniform weights", leg="certificate", simulation=uniform_bound,
                at=[{k: 2, p: 4}, {k: 3, p: 4}]),
    ],
)  # fmt: skip

even_modulus = claim(
    "fourier-max-margin-even-modulus",
    lhs=r"\gamma(\theta)",
    tex=r"\frac{2\,k!}{(2k+2)^{(k+1)/2}\,(p-1)\,p^{(k-1)/2}}",
    title="The printed formula at even p",
    says="Outside the theorem's hypothesis, at even p and k >= 2, the printed formula is not the "
    "maximum margin: explicit networks pass it.",
    states="fourier-max-margin",
    role="beyond_scope",
    expect="fail",
    domain={k: integers(2), p: even_integers(2)},
    grid={
        "smoke": [{k: 2, p: 2}, {k: 2, p: 4}, {k: 3, p: 2}],
        "standard": {k: [2, 3], p: [2, 4, 6]},
    },
    closed_form=gamma,
    relation=maximises(),
    legs=[attained(network)],
    rivals=[variant("half of it", closed_form=gamma / 2)],
)

# ---------------------------------------------------------------- parity


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


def neurons_for_parity(k):
    """Number of neurons that every maximum-margin network of parity has at least.

    By the equality case of `upper_bound`, every neuron of a maximiser is a multiple of u_i = eps_i (-1)^x,
    w = prod(eps) (-1)^c. Writing (eps . x)^k in monomials of signs, the output is a multiple of
    (-1)^{s-c} exactly if the weighted sum of every even character but the trivial one over the sign
    classes vanishes: a linear system for the weights. It is square and regular, so its one solution
    counts the neurons.
    """
    if min(power_coefficients(k).values()) <= 0:
        raise ArithmeticError("a monomial is missing: the conditions would be fewer")
    classes, tests = sign_classes(k), characters(k)
    rows = [[int(np.prod([e for e, s in zip(c, t, strict=True) if s], dtype=int)) for c in classes]
            for t in tests]  # fmt: skip
    system = fmpq_mat(len(rows), len(classes), [fmpq(v) for row in rows for v in row])
    wanted = fmpq_mat(len(rows), 1, [fmpq(int(not any(t))) for t in tests])
    weights = system.solve(wanted)  # raises where the system is singular
    return sum(1 for i in range(len(classes)) if weights[i, 0] > 0)


parity_width = claim(
    "fourier-parity-limit",
    lhs=r"m^*",
    title="Width that parity needs",
    says="At p = 2 the number of neurons of a maximum-margin network grows exponentially in k: it is "
    "2^(k-1) at least, and 2^(k-1) suffice.",
    domain={k: integers(1)},
    grid={"smoke": {k: range(1, 7)}, "standard": {k: range(1, 9)}},
    closed_form=2 ** (k - 1),
    relation=counts(),
    legs=[leg("linear system", neurons_for_parity)],
    rivals=[
        variant("the theorem's width at p = 2", closed_form=2 ** (2 * k - 2)),
        variant("one neuron less", closed_form=2 ** (k - 1) - 1),
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
    lhs=r"\gamma(\theta)",
    tex=r"\frac{k!}{2^{(k-1)/2}\,(k+1)^{(k+1)/2}}",
    title="Maximum margin of parity",
    says="At p = 2 the maximum margin is k! 2^((1-k)/2) (k+1)^(-(k+1)/2), attained by 2^(k-1) neurons.",
    states="fourier-parity-limit",
    role="derived",
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
