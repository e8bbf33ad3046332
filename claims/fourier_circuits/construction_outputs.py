"""Proofs of Lemmas C.17 and C.18: the outputs of the explicit network, as printed and as they are.

Setting. The network of `construction` with unit amplitudes; s the label of an input, d the shift of a wrong one.

As printed the outputs are a multiple of the sum of cosines that is said to be 0 at a wrong label
(`frequency_sum`). They are 2^{k-2} k! (p 1[d = 0] - 1): the difference 2^{k-2} k! p is what enters the margin.

Reference: proofs of Lemmas C.17, C.18 (arXiv 2402.09469).
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import claim, hypothesis, integers, leg, odd_integers, variant

from ._cyclotomic import output_values
from ._formula import k, p
from ._network import source_design

d = sp.Symbol("d", integer=True, nonnegative=True)


def outputs_exact(k, p, kept=lambda n: True):
    """Least and largest f(a)[s + d] over all inputs, for d = 0 .. p-1; unit amplitudes; of the neurons ``kept``."""
    values = output_values([n for n in source_design(k, p) if kept(n)], k, p)
    pairs = zip(values.min(axis=0), values.max(axis=0), strict=True)
    return [[Fraction(int(v), 2 ** (k + 1)) for v in pair] for pair in pairs]


def outputs_at(k, p, d):
    """Least and largest f(a)[s + d] over all inputs a; unit amplitudes."""
    return outputs_exact(k, p)[d % p]


def without_sines(k, p, d):
    """The products that have no sine of an input: as good at a = (0, .., 0), and nowhere else at every label."""
    return outputs_exact(k, p, lambda n: not any(b % 2 for b in n.phases))[d % p]


LABELS = {
    "domain": {k: integers(1), p: odd_integers(3), d: integers(0)},
    "where": d < p,
    "grid": {
        "smoke": [{k: i, p: j, d: t} for i, j in ((1, 5), (2, 5), (3, 3)) for t in (0, 1, 2)],
        "standard": [
            {k: i, p: j, d: t}
            for i, j in ((1, 7), (2, 3), (2, 5), (2, 9), (3, 3), (3, 5), (4, 3))
            for t in range(j)
        ],
    },
    "legs": [leg("outputs", outputs_at)],
    "rivals": [
        variant(
            "products without a sine of an input", simulation=without_sines, at=[{k: 2, p: 5, d: 1}]
        ),
        variant("without k!", closed_form=2 ** (k - 2) * (p * sp.KroneckerDelta(d, 0) - 1)),
        variant(
            "2^(k-1) for 2^(k-2)",
            closed_form=2 ** (k - 1) * sp.factorial(k) * (p * sp.KroneckerDelta(d, 0) - 1),
        ),
    ],
}

printed_outputs = claim(
    "fourier-construction-outputs-printed",
    title="Output of the network at a wrong label, as printed",
    lhs=r"f_{s+d}(x)",
    tex=r"2^{k-2}\,k!\,(p-1)\,\delta_{d,0}",
    says="The network's output at a wrong label is 0 times its scale.",
    states="fourier-frequency-sum",
    encodes="part",
    expect="fail",
    closed_form=2 ** (k - 2) * sp.factorial(k) * (p - 1) * sp.KroneckerDelta(d, 0),
    **LABELS,
)

corrected_outputs = claim(
    "fourier-construction-outputs",
    title="Outputs of the network at right and wrong labels",
    lhs=r"f_{s+d}(x)",
    tex=r"2^{k-2}\,k!\,(p\,\delta_{d,0}-1)",
    says="With unit amplitudes the output is $2^{k-2} k! (p-1)$ at the right label and $-2^{k-2} k!$ "
    "at every wrong one.",
    states="fourier-frequency-sum",
    role="corrected",
    corrects="fourier-construction-outputs-printed",
    covers="margin-unharmed",
    closed_form=2 ** (k - 2) * sp.factorial(k) * (p * sp.KroneckerDelta(d, 0) - 1),
    assumes=[hypothesis("d < p", without=[{k: 1, p: 3, d: 3}])],
    **LABELS,
)
