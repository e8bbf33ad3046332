"""Theorem C.21 and Lemma C.11: three summands.

Setting. k = 3, p odd, the full table.

Statement. The maximum L_{2,4} margin is 3/(16 p (p-1)), attained at every width from 16 (p-1) on. Every neuron
of every maximum-margin network is a family of four cosines of one frequency and one amplitude whose phases add
up, the maximisers of the single-neuron problem are exactly these, and every frequency occurs. The arguments are
those of `max_margin`, `neuron_form` and `frequencies`; here the identity behind the second holds for every p at
once.

Reference: Theorem C.21, Lemmas C.11, C.19 (arXiv 2402.09469).
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    attained,
    certificate,
    claim,
    equals,
    formula_leg,
    integers,
    leg,
    maximises,
    odd_integers,
    simplex,
    typed,
    variant,
)

from ._formula import k, p
from ._neuron import MEANS
from .dft_reduction import for_every_modulus
from .frequencies import mass_bound, mean_over_shifts, network, one_neuron_less
from .max_margin import exact_network, neuron_bound, opposite_outputs, padding, padding_with_ones
from .neuron_form import (
    NEURONS,
    by_enumeration,
    by_profile,
    exponent_too_small,
    minus_modulus,
    without_amplitudes,
    without_phases,
)

value = sp.Rational(3, 16) / (p * (p - 1))
DOMAIN = {k: integers(3, 3), p: odd_integers(3)}


k3_main = claim(
    "fourier-k3-main",
    title="Maximum margin of three summands",
    lhs=r"\gamma(\theta)",
    tex=r"\frac3{16\,p\,(p-1)}",
    says="For $k=3$ and odd $p$ the largest $L_{2,4}$-normalised margin is $3/(16p(p-1))$, attained at"
    " every width from $16(p-1)$ on and exceeded at none.",
    covers="value",
    domain=DOMAIN,
    grid={"smoke": {k: 3, p: [3, 5]}, "standard": {k: 3, p: [3, 5, 7, 9]}},
    closed_form=value,
    relation=maximises(),
    plot=p,
    legs=[
        attained(exact_network, name="cyclotomic"),
        leg("further neurons", padding, arithmetic="proof", over="m"),
        certificate(neuron_bound, over="m", lemma=MEANS),
    ],
    rivals=[
        variant("3/8", closed_form=2 * value),
        variant("3/32", closed_form=value / 2),
        variant("further neurons of ones", simulation=padding_with_ones, leg="further neurons"),
        variant("outputs turned by half a turn", simulation=opposite_outputs, leg="cyclotomic"),
        variant("p^2", closed_form=value / p),
        variant("p + 1", closed_form=value * (p - 1) / (p + 1)),
    ],
)

k3_neurons = claim(
    "fourier-k3-neurons",
    lhs=r"\frac{J(u,w)}{\|\theta\|^4}",
    tex=r"\frac3{16\,p\,(p-1)}\sum_jt_j^2B_j\cos\delta_j",
    states=["fourier-k3-main", "fourier-single-neuron-k3"],
    title="The neurons of three summands",
    says=r"For $k=3$ and odd $p$ every neuron has $J=\frac3{16p(p-1)}\|\theta\|^4\sum t^2B\cos\delta$, "
    r"at most $\frac3{16p(p-1)}\|\theta\|^4$, with equality only at one frequency, equal "
    "amplitudes and phases that add up.",
    covers="neurons set",
    reads={"theta": "u w"},
    domain=DOMAIN,
    grid={"smoke": {k: 3, p: [3, 5]}, "standard": {k: 3, p: [7, 9]}},
    relation=equals(),
    legs=[
        leg(
            "value",
            by_enumeration,
            reference=by_profile,
            instances=NEURONS,
            gives="beta zeta phases",
        ),
        leg("every modulus", for_every_modulus, arithmetic="proof", over="p u w theta h"),
        formula_leg("one frequency", typed("t**2 < t", over="t in (0, 1)")),
        formula_leg(
            "equal amplitudes",
            typed("x*y < ((x + y)/2)**2", over="x, y in [0, oo)", where="x != y"),
        ),
        formula_leg("phases", typed("cos(d) < 1", over="d in (0, 2*pi)")),
    ],
    rivals=[
        variant("exponent 3/2", leg="value", reference=exponent_too_small),
        variant("amplitudes without effect", leg="value", reference=without_amplitudes),
        variant("phases without effect", leg="value", reference=without_phases),
        variant("never positive", leg="value", reference=minus_modulus),
        variant("exponent 1", leg="one frequency", simulation=typed("t < t", over="t in (0, 1)")),
        variant(
            "equal ones too",
            leg="equal amplitudes",
            simulation=typed("x*y < ((x + y)/2)**2", over="x, y in [0, oo)"),
        ),
        variant(
            "no defect too", leg="phases", simulation=typed("cos(d) < 1", over="d in [0, 2*pi)")
        ),
    ],
)

m = sp.IndexedBase("m")


def margin_at(k, p, m):
    """3/(16 p^2) times the least sum of m(zeta) (1 - cos(2 pi zeta d/p)) over d."""
    frequencies = range(1, (p + 1) // 2)
    sums = [
        sum(m[z - 1] * (1 - sp.cos(2 * sp.pi * z * d / p)) for z in frequencies)
        for d in frequencies
    ]
    return sp.Rational(3, 16) / p**2 * sp.Min(*sums)


def at(p_, *parts):
    return {k: 3, p: p_, m: tuple(Fraction(x, sum(parts)) for x in parts)}


k3_frequencies = claim(
    "fourier-k3-frequencies",
    lhs=r"\gamma(\theta)",
    tex=r"\frac3{16\,p^2}\min_{d\ne0}\sum_\zeta m_\zeta\Big(1-\cos\frac{2\pi\zeta d}{p}\Big)",
    states="fourier-k3-main",
    title="Every frequency is used by three summands",
    says="For $k=3$ networks whose frequencies have the masses $m$ reach "
    r"$\frac3{16p^2}\min_d\sum_\zeta m(\zeta)(1-\cos(2\pi\zeta d/p))$ and no more, which is the "
    "maximum margin only where every frequency has the mass $2/(p-1)$.",
    covers="frequencies",
    domain={**DOMAIN, m: simplex((p - 1) / 2)},
    grid={
        "smoke": [at(3, 1), at(5, 1, 1), at(5, 2, 1)],
        "standard": [at(5, 1, 0), at(7, 1, 1, 1), at(7, 3, 2, 1)],
    },
    closed_form=margin_at,
    relation=maximises(),
    legs=[
        attained(network, unit=value, gives="h", inside="zeta"),
        certificate(mass_bound, unit=value, over="theta", lemma=MEANS),
    ],
    rivals=[
        variant("one neuron less", leg="attained", simulation=one_neuron_less, at=[at(5, 1, 1)]),
        variant("3/(16 p (p-1)) whatever the masses are", closed_form=value),
        variant(
            "certificate under uniform weights",
            leg="certificate",
            simulation=mean_over_shifts,
            at=[at(5, 2, 1)],
        ),
    ],
)
