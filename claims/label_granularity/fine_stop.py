r"""Definitions D.1 and G.2, Theorem G.3: the first step with an output of B, and that it comes in polynomial time.

Setting. Networks of ``_network.py``, coarse or fine, of detectors of weight 10^-9 and bias beta times that; every batch
has two samples of each subclass, one with s - 1 common and s + 1 subclass patches, the other one with s + 1 and s - 1.

Statements. (1) T_0(B) is the first step at which some sample of the batch has some output >= B: the least, over samples
and outputs, of the first steps at which they have. The definition says "some sample" and "for any n"; all samples read
so is a later step. (2) Where, as on the event of Lemma G.2, every sample of a subclass has s/2 common patches at least
and a common detector grows by eta s/(12 kP) a step at least, the output of every sample gains nS (1 - beta) eta s^2/(24
kP), so that T_0 <= 1 + 24 B kP/(nS (1 - beta) eta s^2) <= 21 kP/(eta s^2) for B <= log(3/2), beta <= 1/2 and eta s^2 <=
kP. That is at most 21 d^(2/5 + a + b) for k <= d^(2/5), P <= d^a and eta >= d^-b; the list bounds eta from above alone,
and says *poly* of 1/sigma_0 nowhere else.

Reference: Definitions D.1 and G.2, lines 823-829 and 2046-2056; Theorem G.3, lines 2208-2281.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from flint import ctx

from theorycheck import (
    at_most,
    choices,
    claim,
    equals,
    formula_leg,
    integers,
    leg,
    reals,
    rivals_of,
    typed,
    variant,
)

from ._data import COMMON, SUBCLASS, features, sample, vector
from ._network import BITS, Neuron, coarse_labels, fine_labels, number, outputs, stepped

k, s, nS, d = sp.symbols("k s nS d", integer=True, positive=True)
eta, beta, B = sp.symbols("eta beta B", positive=True)
labels = sp.Symbol("labels")


def uneven(labels, k, s):
    """Two samples of every subclass, with fewer and with more common than subclass patches."""
    return [
        (
            sample((COMMON,) * a + (SUBCLASS,) * (2 * s - a), y, c, k, 2 * k + 2),
            (y, c) if labels == "fine" else y,
        )
        for a in (s - 1, s + 1)
        for y, c in fine_labels(k)
    ]


def fresh(labels, k, nS, beta):
    """Detectors of all words of the class, all but 0."""
    names, size = fine_labels(k) if labels == "fine" else coarse_labels(k), Fraction(1, 10**9)
    return {
        c: [
            Neuron(vector(v, k, 2 * k + 2, size), -Fraction(beta) * size)
            for v in features(c[0], k)
            for _ in range(nS)
        ]
        for c in names
    }


def reached(net, batch, level):
    """Which outputs of which samples are at least B: sample by sample."""
    return [[number(f) >= level for f in outputs(net, x).values()] for x, _ in batch]


def first_step(labels, k, s, nS, eta, beta, B):
    """T_0(B) by training until it is there. Shape ()."""
    with ctx.workprec(BITS):
        net, batch, level, t = fresh(labels, k, nS, beta), uneven(labels, k, s), number(B), 0
        while not any(any(one) for one in reached(net, batch, level)):
            net, t = stepped(net, batch, eta, beta), t + 1
        return t


def crossings(labels, k, s, nS, eta, beta, B):
    """The first step at which each sample has each output, None where it has not when every sample has one."""
    with ctx.workprec(BITS):
        net, batch, level, t = fresh(labels, k, nS, beta), uneven(labels, k, s), number(B), 0
        first = [[None] * len(net) for _ in batch]
        while not all(any(e is not None for e in one) for one in first):
            for one, now in zip(first, reached(net, batch, level), strict=True):
                for i, there in enumerate(now):
                    one[i] = t if there and one[i] is None else one[i]
            net, t = stepped(net, batch, eta, beta), t + 1
        return first


def least_of_all(labels, k, s, nS, eta, beta, B):
    """Shape ()."""
    seen = crossings(labels, k, s, nS, eta, beta, B)
    return min(e for one in seen for e in one if e is not None)


def every_sample(labels, k, s, nS, eta, beta, B):
    """When all samples have an output of B."""
    seen = crossings(labels, k, s, nS, eta, beta, B)
    return max(min(e for e in one if e is not None) for one in seen)


def first_sample(labels, k, s, nS, eta, beta, B):
    return min(e for e in crossings(labels, k, s, nS, eta, beta, B)[0] if e is not None)


def one_step_late(labels, k, s, nS, eta, beta, B):
    return least_of_all(labels, k, s, nS, eta, beta, B) + 1


STOPS = {
    "domain": {
        k: integers(1),
        s: integers(2),
        nS: integers(1),
        eta: reals(0, low_open=True),
        beta: reals(0, Fraction(1, 2)),
        B: reals(0, Fraction(2, 5), low_open=True),
    },
    "mutate": False,
}
REACH = sp.And(k <= 2, s <= 3, nS <= 2, 20 * s * nS * eta >= k * B, eta <= 4)

times = claim(
    "granularity-stop-times",
    lhs=r"T_0(B)",
    tex=r"\min_{n,y}\min\{t:F_y^{(t)}(X_n^{(t)})\ge B\}",
    states="granularity-neuron-sets",
    title="The first step with an output of B",
    says=r"$T_0(B)$ is the first step at which some sample of the batch has some output $\ge B$, of coarse and of fine "
    "networks, not one at which every sample has.",
    role="reading",
    covers="stop-times",
    **{
        **STOPS,
        "domain": {labels: choices("coarse", "fine"), **STOPS["domain"]},
        "grid": {
            "smoke": [
                {
                    labels: "coarse",
                    k: 2,
                    s: 2,
                    nS: 1,
                    eta: Fraction(1, 8),
                    beta: Fraction(1, 10),
                    B: Fraction(1, 3),
                },
                {
                    labels: "fine",
                    k: 2,
                    s: 3,
                    nS: 1,
                    eta: Fraction(1, 8),
                    beta: 0,
                    B: Fraction(2, 5),
                },
            ],
            "standard": [
                {
                    labels: "coarse",
                    k: 2,
                    s: 3,
                    nS: 1,
                    eta: Fraction(1, 9),
                    beta: 0,
                    B: Fraction(1, 9),
                },
                {
                    labels: "fine",
                    k: 1,
                    s: 2,
                    nS: 2,
                    eta: Fraction(1, 5),
                    beta: Fraction(1, 5),
                    B: Fraction(1, 5),
                },
            ],
        },
    },
    relation=equals(),
    legs=[
        leg(
            "trained",
            first_step,
            reference=least_of_all,
            unit=1,
            where=REACH,
            gives="t n c_or_y",
            chosen_by=crossings,
        )
    ],
    rivals=[
        variant("every sample", reference=every_sample, leg="trained"),
        variant("the first sample alone", reference=first_sample, leg="trained"),
        variant("a step later", reference=one_step_late, leg="trained"),
    ],
)


def first_fine_step(k, s, nS, eta, beta, B):
    """T_0(B) of the fine network. Shape ()."""
    return first_step("fine", k, s, nS, eta, beta, B)


LENGTH = 21 * k * 4 * s / (eta * s**2)
EVENT = "init batches"
SHARE = 24
GAIN = formula_leg(
    "gain of an output",
    typed(
        f"nS*(s/2)*(1 - beta)*eta*s/(12*k*P) == nS*(1 - beta)*eta*s**2/({SHARE}*k*P)",
        over=["nS, s, k, P in 1..oo", "beta in [0, 1/2]", "eta > 0"],
    ),
    over=EVENT,
)
# c_+ (1 - s^(-1/3)) with c_+ >= 1/4 and s >= 27
GROWTH = formula_leg(
    "growth", typed("x*(1 - s**(-1/3)) >= 1/6", over=["x in [1/4, 2/3]", "s in 27..oo"]), over=EVENT
)
# Y is kP/(eta s^2)
STEPS = formula_leg(
    "steps to B",
    typed(
        f"B/(nS*(1 - beta)*eta*s**2/({SHARE}*k*P)) == {SHARE}*B*(k*P/(eta*s**2))/(nS*(1 - beta))",
        over=["nS, s, k, P in 1..oo", "beta in [0, 1/2]", "eta > 0", "B in (0, log(3/2)]"],
    ),
    over=EVENT,
)
SIZES = ["Y in [1, oo)", "nS in 1..oo", "beta in [0, 1/2]", "B in (0, log(3/2)]"]
TOGETHER = formula_leg(
    "together", typed(f"1 + {SHARE}*B*Y/(nS*(1 - beta)) <= 21*Y", over=SIZES), over=EVENT
)
# logarithms of k, P, 1/eta and s
POLYNOMIAL = formula_leg(
    "polynomial",
    typed(
        "log(21) + K + Q + e - 2*S <= log(21) + (2/5 + a + b)*L",
        over=[
            "L in (0, oo)",
            "a, b in (0, oo)",
            "K in [0, 2*L/5]",
            "Q in [0, a*L]",
            "e in (-oo, b*L]",
            "S in [0, oo)",
        ],
    ),
    over="init batches",
)

bound = claim(
    "granularity-fine-stop-bound",
    lhs="T_0(B)",
    tex=r"\frac{21kP}{\eta s^{*2}}",
    states="granularity-fine-training",
    title="Fine training stops in polynomial time",
    says=r"Where every sample has $\frac{s^*}2$ common patches and common detectors grow by "
    r"$\frac{\eta s^*}{12kP}$ each step: $T_0(B)\le\frac{21kP}{\eta s^{*2}}$ for $B\le\log\frac32$, $\beta\le\frac12$, "
    r"$\eta s^{*2}\le kP$: a polynomial of $d$ if $\frac1\eta$ is one.",
    covers="stop-time-polynomial",
    reads={"d": "L"},
    encodes="special-case",  # on the event of Lemma G.2; the network has samples of two kinds
    **{
        **STOPS,
        "where": eta * s <= 2 * k,
        "grid": {
            "smoke": [
                {k: 1, s: 2, nS: 1, eta: Fraction(1, 4), beta: Fraction(1, 10), B: Fraction(2, 5)},
                {k: 2, s: 3, nS: 1, eta: 1, beta: Fraction(1, 2), B: Fraction(2, 5)},
            ],
            "standard": [{k: 3, s: 2, nS: 1, eta: 2, beta: 0, B: Fraction(1, 5)}],
        },
    },
    closed_form=LENGTH,
    relation=at_most(),
    legs=[
        leg("trained", first_fine_step, where=sp.And(REACH, eta >= sp.Rational(1, 8))),
        GROWTH,
        GAIN,
        STEPS,
        TOGETHER,
        POLYNOMIAL,
    ],
    rivals=[
        variant("kP/(2 eta s^2)", closed_form=LENGTH / 42, leg="trained"),
        *rivals_of(GROWTH, {"from s = 8 on": {"over": ["x in [1/4, 2/3]", "s in 8..oo"]}}),
        *rivals_of(
            GAIN,
            {
                "all patches": "nS*s*(1 - beta)*eta*s/(12*k*P) == nS*(1 - beta)*eta*s**2/(24*k*P)",
            },
        ),
        *rivals_of(
            STEPS,
            {"s": "B/(nS*(1 - beta)*eta*s**2/(24*k*P)) == 24*B*(k*P/(eta*s))/(nS*(1 - beta))"},
        ),
        *rivals_of(
            TOGETHER,
            {
                "every beta": {"over": [*SIZES[:2], "beta in [0, 1)", SIZES[3]]},
                "B up to log 2": {"over": [*SIZES[:3], "B in (0, log(2)]"]},
            },
        ),
        *rivals_of(POLYNOMIAL, {"without k": "log(21) + K + Q + e - 2*S <= log(21) + (a + b)*L"}),
    ],
)
