"""The maximum margin at every modulus, even ones included (beyond the source's odd p).

Setting. As in `max_margin`, p >= 2 any integer. At even p the frequency p/2 is its own conjugate: a
neuron u_i(x) = +-(-1)^x, w(c) = +-(-1)^c contributes 2^{(k-1)/2} times as much as one of another
frequency with the same norm.

Statement. gamma*(k, p) = A p / D, A = k!/2^k (2/((k+1)p))^{(k+1)/2}, with D = p - 1 at odd p (the printed formula)
  and D = p - 2 + 2^{-(k-1)/2} at even p. Attained with power shared in the ratio 2 (a frequency below
p/2) to 2^{-(k-1)/2} (the frequency p/2); certified with class weights that favour the even shifts.

Reference: none for even p (derived here).
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import sympy as sp

from theorycheck import (
    BallNamespace,
    attained,
    certificate,
    claim,
    even_integers,
    integers,
    maximises,
    search,
    variant,
)

from ._formula import gamma, gamma_any, k, odd, p
from ._network import (
    any_modulus_network,
    class_weights,
    margin_range,
    smallest_margin,
    with_masses,
)
from ._neuron import MEANS, upper_bound


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
    best = linprog(
        np.append(np.zeros(len(frequencies)), -1),
        A_ub=rows,
        b_ub=np.zeros(p - 1),
        A_eq=total,
        b_eq=[1],
    ).x[:-1]
    ns = BallNamespace(128)
    with ns.working():
        power = [ns.asarray(Fraction(max(float(x), 2**-40))) for x in best]
        half = power.pop() if p % 2 == 0 else ns.asarray(0)
        return smallest_margin(ns, with_masses(ns, k, p, power, half), k, p).data[()]


any_modulus = claim(
    "fourier-any-modulus",
    title="Maximum margin for every modulus",
    lhs=r"\gamma(\theta)",
    tex=r"\frac{2\,k!}{(2k+2)^{(k+1)/2}\,D\,p^{(k-1)/2}},"
    r"\quad D=p-1\ (p\text{ odd}),\ p-2+2^{(1-k)/2}\ (p\text{ even})",
    says=r"For every $p\ge2$ and $k\ge1$ the maximum margin is $A\,p/(p-1)$ at odd $p$ and "
    r"$A\,p/(p-2+2^{-(k-1)/2})$ at even $p$, $A=(k!/2^k)(2/((k+1)p))^{(k+1)/2}$.",
    states=["fourier-any-modulus", "fourier-max-margin"],
    role="derived",
    covers="odd-value even-value budgets dual odd-not-prime",
    domain={k: integers(1), p: integers(2)},
    grid={
        "smoke": [
            {k: i, p: j} for i, j in ((1, 4), (2, 2), (2, 3), (2, 4), (2, 6), (3, 2), (3, 4))
        ],
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
        attained(network, gives="theta", covers="odd-value even-value budgets odd-not-prime"),
        certificate(
            weighted_bound,
            over="theta",
            lemma=MEANS,
            covers="odd-value even-value dual odd-not-prime",
        ),
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
        variant(
            "printed formula times 2^((k-1)/2) at even p",
            closed_form=sp.Piecewise((gamma, odd), (gamma * 2 ** ((k - 1) / 2), True)),
        ),
        variant("equal power at every frequency", simulation=equal_budgets, at=[{k: 2, p: 4}]),
        variant(
            "certificate under uniform weights",
            leg="certificate",
            simulation=uniform_bound,
            at=[{k: 2, p: 4}, {k: 3, p: 4}],
        ),
    ],
)

even_modulus = claim(
    "fourier-max-margin-even-modulus",
    title="The printed formula at even $p$",
    lhs=r"\gamma(\theta)",
    tex=r"\frac{2\,k!}{(2k+2)^{(k+1)/2}\,(p-1)\,p^{(k-1)/2}}",
    says=r"Outside the theorem's hypothesis, at even $p$ and $k \ge2$, the printed formula is not the "
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
