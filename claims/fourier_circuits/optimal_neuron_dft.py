"""Eq. (C.8), (C.16), (C.22), (C.23): the transform of the optimal vector.

Statement. For odd p and 0 < zeta < p/2 the vector sqrt(2/((k+1)p)) cos(theta + 2 pi zeta x/p) has the transform
sqrt(p/(2(k+1))) e^{i theta} at zeta, its conjugate at -zeta and 0 elsewhere, and the squared norm 1/(k+1); k +
1 of them make a unit neuron that meets the bound of the chain.

Reference: Eq. (C.8), (C.16), (C.22), (C.23) (arXiv 2402.09469).
"""

from __future__ import annotations

import sympy as sp

from theorycheck import (
    claim,
    formula,
    hypothesis,
    instances,
    integers,
    leg,
    odd_integers,
    variant,
)

from ._formula import k, p

zeta = sp.Symbol("zeta", integer=True, positive=True)
theta = sp.Symbol("theta", real=True)


def draw_phase(rng):
    return {"theta": rng.rational((), 9)}


def optimal_vector(ns, k, p, zeta, theta, turns=2):
    """sqrt(2/((k+1)p)) cos(theta + 2 pi zeta x/p). Shape (B, p). ``turns``: by 3 pi, say, in place of 2 pi."""
    x = turns * ns.pi * ns.asarray([zeta * t for t in range(p)]) / p
    return ns.sqrt(ns.asarray(2) / ((k + 1) * p)) * ns.cos(x + ns.expand_dims(theta, axis=-1))


def entries(ns, k, p, zeta, theta):
    """Real and imaginary part at zeta and at -zeta. Shape (B, 4)."""
    re, im = ns.dft(optimal_vector(ns, k, p, zeta, theta))
    return ns.stack([re[:, zeta], im[:, zeta], re[:, -zeta % p], im[:, -zeta % p]], axis=1)


def elsewhere(ns, k, p, zeta, theta, turns=2):
    """Sum of the moduli at all other frequencies. Shape (B,)."""
    size = ns.norm(ns.stack(list(ns.dft(optimal_vector(ns, k, p, zeta, theta, turns)))), axis=0)
    rest = ns.indices([j for j in range(p) if j not in (zeta, -zeta % p)])
    return ns.sum(ns.take(size, rest, axis=1), axis=1)


def elsewhere_by_half_turns(ns, k, p, zeta, theta):
    return elsewhere(ns, k, p, zeta, theta, turns=3)


def squared_length(ns, k, p, zeta, theta):
    return ns.sum(optimal_vector(ns, k, p, zeta, theta) ** 2, axis=1)


peak = sp.sqrt(p / (2 * (k + 1)))
PHASES = instances(draw_phase, "theta", smoke=3, standard=5)

optimal_neuron_dft = claim(
    "fourier-optimal-neuron-dft",
    title="Transform of the optimal vector",
    says=r"For odd $p$ and $0<\zeta<p/2$ the optimal vector has the transform "
    r"$\sqrt{p/(2(k+1))}\,e^{\pm i\theta}$ at $\pm\zeta$, 0 elsewhere, and the squared norm "
    "$1/(k+1)$.",
    covers="transform norm",
    domain={k: integers(1), p: odd_integers(3), zeta: integers(1)},
    where=2 * zeta < p,
    grid={
        "smoke": [{k: 1, p: 3, zeta: 1}, {k: 2, p: 5, zeta: 2}, {k: 3, p: 9, zeta: 3}],
        "standard": [
            {k: i, p: j, zeta: t}
            for i in (1, 2, 3, 6)
            for j in (3, 5, 9, 15)
            for t in range(1, (j + 1) // 2)
        ],
    },
    closed_form=sp.Matrix(
        [peak * sp.cos(theta), peak * sp.sin(theta), peak * sp.cos(theta), -peak * sp.sin(theta)]
    ),
    legs=[
        leg(
            "entries",
            entries,
            instances=PHASES,
            unit=peak,
            inside="j",
            covers="transform",
            lhs=r"\hat u(\pm\zeta)",
            tex=r"\sqrt{\frac p{2(k+1)}}\;e^{\pm i\theta}",
        ),
        leg(
            "elsewhere",
            elsewhere,
            instances=PHASES,
            closed_form=sp.Integer(0),
            unit=peak,
            inside="j",
            covers="transform",
            lhs=r"\sum_{j\ne\pm\zeta}|\hat u(j)|",
        ),
        leg(
            "squared norm",
            squared_length,
            instances=PHASES,
            closed_form=1 / (k + 1),
            covers="norm",
            lhs=r"\|u\|^2",
        ),
    ],
    rivals=[
        variant(
            "sqrt(p/(k+1))",
            leg="entries",
            closed_form=sp.sqrt(2)
            * peak
            * sp.Matrix([sp.cos(theta), sp.sin(theta), sp.cos(theta), -sp.sin(theta)]),
        ),
        variant(
            "conjugate phase",
            leg="entries",
            closed_form=sp.Matrix(
                [
                    peak * sp.cos(theta),
                    -peak * sp.sin(theta),
                    peak * sp.cos(theta),
                    peak * sp.sin(theta),
                ]
            ),
        ),
        variant(
            "half of a frequency more",
            leg="elsewhere",
            simulation=elsewhere_by_half_turns,
            at=[{k: 2, p: 5, zeta: 1}],
        ),
        variant("squared norm 2/(k+1)", leg="squared norm", closed_form=2 / (k + 1)),
    ],
    assumes=[
        hypothesis(
            "p is odd", without=[{k: 2, p: 6, zeta: 3}], leg="squared norm", instances=PHASES
        ),
    ],
)

LEFT = "2*factorial(k)/((p - 1)*p**k)*(p/(2*(k + 1)))**((k + 1)/2)"
RIGHT = "2*factorial(k)/((2*k + 2)**((k + 1)/2)*(p - 1)*p**((k - 1)/2))"
equality_attained = formula(
    "fourier-optimal-neuron-value",
    states="fourier-optimal-neuron-dft",
    title="With these moduli the bound of the chain is met",
    says=f"{LEFT} == {RIGHT}",
    over="k in 1..oo; p in 3..oo",
    covers="equality-attained",
    rivals={
        "without the 2 in the modulus": f"{LEFT.replace('(p/(2*(k + 1)))', '(p/(k + 1))')} == {RIGHT}",
        "p^(k/2)": f"{LEFT} == {RIGHT.replace('p**((k - 1)/2)', 'p**(k/2)')}",
    },
)


norm_for_every_k = formula(
    "fourier-optimal-neuron-norm",
    states="fourier-optimal-neuron-dft",
    title="The norm of each vector, for every modulus and number of summands",
    says="Sum(2/((k + 1)*p)*cos(theta + 2*pi*zeta*x/p)**2, (x, 0, p - 1)) == 1/(k + 1)",
    over=["k in 1..oo", "p in 3..oo", "zeta in 1..floor((p - 1)/2)", "theta in R"],
    covers="norm",
    rivals={
        "1/k": "Sum(2/((k + 1)*p)*cos(theta + 2*pi*zeta*x/p)**2, (x, 0, p - 1)) == 1/k",
    },
)
