r"""Random labels of any granularity (derived).

Setting. The samples of each class get one of g labels, drawn uniformly and independently of their subclass, so 2g
outputs; in the mean over the labels every sample counts once with each of them at weight 1/g. The planted network of
``_network.py``, s common and s subclass patches in every sample, starts of 10^-30, one sample of every subclass.

Statements. (1) The residual of an output on the samples of its class is 1 - 1/(2g) with probability 1/g and -1/(2g)
else, 1/(2g) in the mean, of whatever subclass the sample is: the common detectors get it from k subclasses, those of a
subclass from one. Their steps have the ratio k : 1, for every g. (2) As long as all outputs of a class are the same,
that stays so: the network errs on hard samples, by the largest output of a class, as the coarse one does, with
probability P[K (1 - beta) <= k Kd (a_d - beta)_+], and not as with g groups of subclasses.

Reference: derived from lines 294-350 and 450-470.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import sympy as sp
from flint import ctx

from theorycheck import claim, equals, formula_leg, integers, leg, rivals_of, typed, variant

from ._data import axis, features, vector
from ._detectors import counted
from ._network import BITS, Neuron, fine_labels, number, stepped, updates
from .equal_counts import BETA, STRENGTH, WEAK, settled
from .hard_error import coarse_stated, of_equal_sets

t, k, g, s, P = sp.symbols("t k g s P", integer=True, positive=True)
START = Fraction(1, 10**30)


def network(k, g, size):
    """A detector of every word of the class in each of the 2g outputs."""
    return {
        (y, j): [Neuron(vector(v, k, 2 * k + 2, size), -BETA * size) for v in features(y, k)]
        for y in "+-"
        for j in range(g)
    }


def all_labels(k, g, s):
    """Every subclass with every label of its class."""
    return [
        (counted(y, c, s, s, 2 * s + 1, k, 2 * k + 2)["patches"], (y, j))
        for y, c in fine_labels(k)
        for j in range(g)
    ]


def groups(k, g, s):
    """Every subclass with the label of its group, of k/g subclasses."""
    return [
        (counted(y, c, s, s, 2 * s + 1, k, 2 * k + 2)["patches"], (y, c * g // k))
        for y, c in fine_labels(k)
    ]


def equal_chances(scores):
    return {c: Fraction(1, len(scores)) for c in scores}


def step_ratio(k, g, s, batch=all_labels):
    """a/A of the first step: that of a subclass detector over that of a common one, of the first output. Shape ()."""
    moved = updates(network(k, g, START), batch(k, g, s), 1, equal_chances)["+", 0]
    return moved[1][axis(("+", 0), k)] / moved[0][axis(("+",), k)]


def of_groups(k, g, s):
    return step_ratio(k, g, s, groups)


RATIO = 1 / k
MEAN = "(1/g*(1 - 1/(2*g)) + (1 - 1/g)*(-1/(2*g)))"
HALF = formula_leg("mean residual", typed(f"{MEAN} == 1/(2*g)", over="g in 1..oo"))
SHARE = formula_leg(
    "one of k subclasses",
    typed(f"{MEAN}/(k*{MEAN}) == {RATIO}", over=["g in 1..oo", "k in 1..oo"]),
)

ratio = claim(
    "granularity-random-labels",
    lhs=r"\Delta a/\Delta A",
    tex=r"\tfrac1k",
    states="granularity-exp-granularity-sweep",
    title="The first step with random labels",
    says=r"With $g$ random labels in each class, in the mean over them, $\Delta a/\Delta A=\frac1k$ at the first step "
    "for every $g$, as with coarse labels.",
    role="derived",
    covers="random-labels",
    domain={k: integers(1), g: integers(1), s: integers(1)},
    grid={
        "smoke": [{k: 2, g: 2, s: 1}, {k: 4, g: 2, s: 1}, {k: 3, g: 1, s: 2}],
        "standard": [{k: 3, g: 3, s: 2}, {k: 2, g: 5, s: 1}],
    },
    closed_form=RATIO,
    relation=equals(),
    legs=[
        leg(
            "all labels",
            step_ratio,
            required=False,
            inside="labels",
            where=sp.And(k <= 5, g <= 5, s <= 3),
        ),
        HALF,
        SHARE,
    ],
    rivals=[
        variant(
            "groups of subclasses",
            simulation=of_groups,
            leg="all labels",
            at=[{k: 4, g: 2, s: 1}, {k: 2, g: 2, s: 1}],
        ),
        variant("g/k", closed_form=g / k, leg="all labels"),
        *rivals_of(HALF, {"the own share": f"{MEAN} == 1/g"}),
        *rivals_of(SHARE, {"(2 g - 1)/k": f"{MEAN}/(k*{MEAN}) == (2*g - 1)/k"}),
    ],
    mutate=False,
)


@cache
def after(t, k, g, batch):
    """The network after t steps, weights in units of what the common detector of the first output has."""
    with ctx.workprec(BITS):
        net, seen = network(k, g, START), batch(k, g, 2)
        for _ in range(t):
            net = stepped(net, seen, Fraction(1), BETA)
        scale = number(net["+", 0][0].w[0])
        net = {
            c: [Neuron([number(e) / scale for e in n.w], number(n.b) / scale) for n in neurons]
            for c, neurons in net.items()
        }
    return settled(net)


def hard_error(t, k, g, s, P, batch=all_labels):
    """Shape ()."""
    return of_equal_sets(P, Fraction(s), WEAK, STRENGTH, BETA, k, after(t, k, g, batch))


def hard_error_of_groups(t, k, g, s, P):
    return hard_error(t, k, g, s, P, groups)


def coarse_law(t, k, g, s, P, ratio=lambda k, g: k):
    """Shape ()."""
    return coarse_stated(P, Fraction(s), WEAK, STRENGTH, BETA, ratio(k, g))


def first_ratio(t, k, g, s, P):
    """With the ratio of groups at the first step."""
    return coarse_law(t, k, g, s, P, ratio=lambda k, g: Fraction(k, 2 * g - 1))


no_gain = claim(
    "granularity-random-labels-error",
    lhs=r"\Pr[\hat y(X_{hard})\ne y]",
    tex=r"\Pr[K(1-\beta)\le kK_d(\alpha^\dagger-\beta)_+]",
    states="granularity-exp-granularity-sweep",
    title="Hard samples after training on random labels, equal counts",
    says=r"Trained on $g$ random labels in each class, in the mean over them, a network errs on hard samples with the "
    r"probability $\Pr[K(1-\beta)\le kK_d(\alpha^\dagger-\beta)_+]$ of the coarse one at every $t\ge1$, for every $g$.",
    role="derived",
    covers="random-labels-error",
    domain={
        t: integers(1),
        k: integers(1),
        g: integers(1),
        s: integers(1),
        P: integers(2),
    },
    where=s < P,
    grid={
        "smoke": [{t: 1, k: 3, g: 2, s: 1, P: 3}, {t: 3, k: 4, g: 2, s: 2, P: 3}],
        "standard": [{t: 6, k: 2, g: 3, s: 2, P: 3}, {t: 4, k: 4, g: 4, s: 1, P: 3}],
    },
    relation=equals(),
    legs=[
        leg(
            "all patterns",
            hard_error,
            reference=coarse_law,
            unit=1,
            inside="labels X_hard",
            where=sp.And(t <= 6, k <= 4, g <= 4, k * g <= 16, P <= 4),
        )
    ],
    rivals=[
        variant(
            "groups of subclasses",
            simulation=hard_error_of_groups,
            leg="all patterns",
            at=[{t: 3, k: 4, g: 2, s: 2, P: 3}],
        ),
        variant(
            "the ratio of groups",
            reference=first_ratio,
            leg="all patterns",
            at=[{t: 3, k: 4, g: 2, s: 2, P: 3}],
        ),
    ],
    mutate=False,
)
