r"""Labels of an intermediate granularity: the hard error at the stop, equal counts (derived).

Setting. The k subclasses of each class are put into g groups of k/g, which are the labels: 2 g outputs, each with
detectors of size 1/100 of the common word and of the subclasses of its group, trained by (16) and (18) with beta =
1/20 in the place of 1/log^5 d on one sample of every subclass a batch, two common and two subclass patches each, no
noise, until an output reaches 2/5. A class is what its largest output says, ties are mistakes; weights are rounded
to 2^-40.

Statement. The error on hard samples is P[kappa K (1 - beta) <= Kd (a_d - beta)_+] with kappa = a/A at the stop.

Reference: derived from lines 294-350 and 450-470, where the sweep is one of ImageNet's labels.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import sympy as sp
from flint import ctx

from theorycheck import claim, equals, integers, leg, variant

from ._data import axis, vector
from ._detectors import equal_batch
from ._network import BITS, Neuron, number, outputs, stepped
from .equal_counts import BETA, WEAK, settled
from .hard_error import of_equal_sets, summed

k, g, P = sp.symbols("k g P", integer=True, positive=True)
STRENGTH = Fraction(11, 20)


def groups(k, g):
    """Which subclasses a label stands for."""
    size = k // g
    return {(y, j): range(j * size, (j + 1) * size) for y in "+-" for j in range(g)}


@cache
def at_the_stop(k, g):
    """The network at the first step with an output of 2/5."""
    d, size = 2 * k + 2, Fraction(1, 100)
    words = {
        label: [(label[0],), *((label[0], c) for c in members)]
        for label, members in groups(k, g).items()
    }
    batch = [(e["patches"], (e["y"], e["c"] // (k // g))) for e in equal_batch(2, 5, k, d)]
    with ctx.workprec(BITS):
        net = {
            label: [Neuron(vector(v, k, d, size), -BETA * size) for v in shown]
            for label, shown in words.items()
        }
        while all(
            number(f) < number(Fraction(2, 5)) for x, _ in batch for f in outputs(net, x).values()
        ):
            net = stepped(net, batch, Fraction(g), BETA)
        return settled(net)


def kappa(k, g):
    """a/A at the stop, of the net of the first group of +."""
    net = at_the_stop(k, g)["+", 0]
    return net[1].w[axis(("+", 0), k)] / net[0].w[axis(("+",), k)]


def hard_error(k, g, P):
    """Over all patterns. Shape ()."""
    return of_equal_sets(P, Fraction(1), WEAK, STRENGTH, BETA, k, at_the_stop(k, g))


def separation(k, g, P, size=kappa):
    """Shape ()."""
    ratio = size(k, g)
    return summed(
        P, Fraction(1), WEAK, lambda K, Kd: ratio * K * (1 - BETA) <= Kd * (STRENGTH - BETA)
    )


def as_coarse(k, g, P):
    return separation(k, g, P, size=lambda k, g: Fraction(1, k))


def as_fine(k, g, P):
    return separation(k, g, P, size=lambda k, g: 2)


REACH = sp.And(k <= 4, P <= 4)
DIVIDES = sp.Eq(k % g, 0)

law = claim(
    "granularity-sweep-error",
    lhs=r"\mathrm{err}_g",
    tex=r"\Pr[\kappa_gK(1-\beta)\le K_d(\alpha^\dagger-\beta)_+]",
    states="granularity-exp-granularity-sweep",
    title="Hard error by granularity",
    says=r"With $g$ equal groups and equal counts the hard error at the stop is "
    r"$\Pr[\kappa_gK(1-\beta)\le K_d(\alpha^\dagger-\beta)_+]$, $\kappa_g=a/A$ at the stop, for every "
    "divisor $g$ of $k$.",
    role="derived",
    covers="hard-error-law",
    encodes="special-case",
    domain={k: integers(1), g: integers(1), P: integers(2)},
    where=DIVIDES,
    grid={
        "smoke": [{k: 4, g: 1, P: 3}, {k: 4, g: 2, P: 3}, {k: 2, g: 2, P: 3}],
        "standard": [{k: 4, g: 4, P: 4}, {k: 4, g: 2, P: 4}],
    },
    relation=equals(),
    legs=[
        leg("all patterns", hard_error, reference=separation, unit=1, inside="X_hard", where=REACH)
    ],
    rivals=[
        variant(
            "the ratio of coarse labels",
            reference=as_coarse,
            leg="all patterns",
            at=[{k: 4, g: 2, P: 3}],
        ),
        variant("the ratio 2", reference=as_fine, leg="all patterns", at=[{k: 4, g: 1, P: 3}]),
    ],
    mutate=False,
)
