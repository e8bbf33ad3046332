r"""Lemma E.5: subclass against common detectors.

Setting. The network of ``_network.py`` with nS detectors of every feature, of weights A on the common and a on the
subclass words, biases -beta A and -beta a, no noise; samples with the counts (K1, K2) of their law. So its output on
a sample of its own class is nS (1 - beta)(A K1 + a K2), on others 0.

Statements. (1) k times the mean step of a subclass detector over that of a common one is E[K2 h]/E[K1 h], h = 1/(1 +
e^(nS (1 - beta)(A K1 + a K2))), for all A >= a > 0. (2) Printed, a/A is of order 1/k at every t, from t = 0 on: false
at the start, where both are entries above the threshold tau_1 and, on the event of Proposition 1, at most sqrt(10 log
d): a/A >= sqrt((4 + 2 c0)/10) > sqrt(2/5), beyond K/k for every K once k > 2 K. What the detectors gain has the ratio
1/k from the first step on, at equal counts.

Reference: Lemma E.5, lines 1382-1438.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from flint import arb, ctx

from theorycheck import (
    claim,
    formula_leg,
    instances,
    integers,
    leg,
    rivals_of,
    typed,
    variant,
)

from ._data import count_law, features, vector
from ._detectors import counted, equal_batch, grown, labelled
from ._network import BITS, Neuron, fine_labels, number, updates

P, s, k, t = sp.symbols("P s k t", integer=True, positive=True)


def sized(k, A, a, nS, beta):
    """Detectors of weight A on the common and a on the subclass words."""
    d = 2 * k + 2

    def one(v):
        size = Fraction(A if len(v) == 1 else a)
        return Neuron(vector(v, k, d, size), -beta * size)

    return {y: [one(v) for v in features(y, k) for _ in range(nS)] for y in "+-"}


def drift(P, s, k, A, gap, nS, beta):
    """k times the mean step of a subclass detector over that of a common one, over all samples. Shape ()."""
    with ctx.workprec(BITS):
        d, a = 2 * k + 2, Fraction(A) * gap
        net, steps = sized(k, A, a, nS, Fraction(beta)), [arb(0), arb(0)]
        for (i, j), p in count_law(P, s).items():
            for z, sub in fine_labels(k):
                move = updates(net, labelled([counted(z, sub, i, j, P, k, d)]), 1)["+"]
                steps[0] += number(p) * number(move[0][0])
                steps[1] += number(p) * number(move[nS][2])
        return k * steps[1] / steps[0]


def by_counts(P, s, A, gap, nS, beta, kinds=(1, 1)):
    """E[K2 h]/E[K1 h] over the counts. Shape ()."""
    with ctx.workprec(BITS):
        a, sums = Fraction(A) * gap, [arb(0), arb(0)]
        for (i, j), p in count_law(P, s).items():
            h = 1 / (
                1 + number(nS * (1 - Fraction(beta)) * (kinds[0] * A * i + kinds[1] * a * j)).exp()
            )
            sums = [sums[0] + number(p) * i * h, sums[1] + number(p) * j * h]
        return sums[1] / sums[0]


def no_drift(P, s, A, gap, nS, beta):
    return by_counts(P, s, A, gap, nS, beta, kinds=(0, 0))


def common_alone(P, s, A, gap, nS, beta):
    return by_counts(P, s, A, gap, nS, beta, kinds=(1, 0))


def detectors_drawn(rng):
    """A, a/A, nS and beta."""
    return {
        "A": Fraction(int(rng.integers(1, 9)), 8),
        "gap": Fraction(int(rng.integers(1, 9)), 8),
        "nS": int(rng.integers(1, 3)),
        "beta": Fraction(int(rng.integers(0, 5)), 10),
    }


def equal_detectors(rng):
    """With a = A, where K1 and K2 still have different laws."""
    return {**detectors_drawn(rng), "gap": Fraction(1)}


exact = claim(
    "granularity-ratio-drift",
    lhs=r"k\,\mathbb E\Delta a/\mathbb E\Delta A",
    tex=r"\frac{\mathbb E[K_2h]}{\mathbb E[K_1h]}",
    states="granularity-rare-common-ratio",
    title="Ratio of the increments over all samples",
    says=r"$k\,\Delta a/\Delta A=\mathbb E[K_2h]/\mathbb E[K_1h]$, $h=1/(1+e^{n_S(1-\beta)(AK_1+aK_2)})$, for the mean "
    r"steps at $A\ge a>0$, every $P$ and $s^*$.",
    role="derived",
    covers="exact-drift",
    reads={"a": "A gap", "s_star": "s"},
    domain={P: integers(2), s: integers(1), k: integers(1)},
    where=s < P,
    grid={
        "smoke": [{P: 3, s: 1, k: 1}, {P: 4, s: 2, k: 2}],
        "standard": [{P: 6, s: 2, k: 3}],
    },
    legs=[
        leg(
            "all samples",
            drift,
            reference=by_counts,
            unit=1,
            where=(P <= 6) & (k <= 3),
            instances=instances(detectors_drawn, "A gap nS beta", smoke=2, standard=3),
        ),
        leg(
            "of one size",
            drift,
            reference=by_counts,
            unit=1,
            required=False,
            grid={"smoke": [{P: 4, s: 2, k: 2}]},
            where=(P <= 6) & (k <= 3),
            instances=instances(equal_detectors, "A gap nS beta", smoke=1),
        ),
    ],
    rivals=[
        variant("no drift", reference=no_drift, leg="all samples"),
        variant("no drift at one size", reference=no_drift, leg="of one size"),
        variant("the common feature alone", reference=common_alone, leg="all samples"),
    ],
)

HIGHEST, LOWEST = "sqrt(10*L)", "sqrt((4 + 2*c0)*(L + 1/L**5))"
ENTRIES = ["L in [1, oo)", "c0 in (0, 1/10)"]


printed = claim(
    "granularity-total-ratio-printed",
    states="granularity-rare-common-ratio",
    title="The totals in the ratio 1/k, from the start",
    says=r"$a_c/A\le K/k$ at $t=0$ for some $K$ and entries between $\tau_1$ and $\sqrt{10\log d}$.",
    covers="total-ratio-printed",
    expect="fail",
    legs=[
        formula_leg(
            "entries at the start",
            typed(
                "a/A <= K/k",
                over=[
                    *ENTRIES,
                    f"a in [{LOWEST}, {HIGHEST}]",
                    f"A in [{LOWEST}, {HIGHEST}]",
                    "K > 0",
                    "k in [2*K, oo)",
                ],
            ),
            over="d init batches c t",
        )
    ],
)

START = formula_leg(
    "least ratio",
    typed(f"({LOWEST})/({HIGHEST}) > sqrt(2/5)", over=ENTRIES),
    over="d init batches c",
)
BEYOND = formula_leg(
    "beyond K/k",
    typed("sqrt(2/5) > K/k", over=["K > 0", "k in [2*K, oo)"]),
    over="d init batches c",
)


def gain_ratio(t, k, s):
    """k times what a subclass detector has gained in t steps over what a common one has, equal counts. Shape ()."""
    with ctx.workprec(BITS):
        d, P = 2 * k + 2, 2 * s + 1
        net = sized(k, Fraction(1, 10), Fraction(1, 10), 1, Fraction(1, 20))
        after = grown(net, [equal_batch(s, P, k, d)] * t, Fraction(1), Fraction(1, 20))
        common, sub = (
            number(after["+"][i].w[at]) - number(net["+"][i].w[at]) for i, at in ((0, 0), (1, 2))
        )
        return k * sub / common


def total_ratio(t, k, s):
    """k times the quotient of the weights themselves."""
    with ctx.workprec(BITS):
        d, P = 2 * k + 2, 2 * s + 1
        net = sized(k, Fraction(1, 10), Fraction(1, 10), 1, Fraction(1, 20))
        after = grown(net, [equal_batch(s, P, k, d)] * t, Fraction(1), Fraction(1, 20))
        return k * number(after["+"][1].w[2]) / number(after["+"][0].w[0])


repaired = claim(
    "granularity-total-ratio-gains",
    lhs=r"k\sum\Delta a_c/\sum\Delta A",
    states="granularity-rare-common-ratio",
    title="The gains in the ratio 1/k, the totals not",
    says=r"At $t=0$ $a_c/A>\sqrt{2/5}$, above $K/k$ for every $K$ from $k=2K$ on; with equal counts what they gain "
    r"has $\sum\Delta a_c/\sum\Delta A=\frac1k$ at every $t\ge1$.",
    role="corrected",
    corrects="granularity-total-ratio-printed",
    covers="total-ratio-printed",
    encodes="special-case",
    domain={t: integers(1), k: integers(1), s: integers(1)},
    grid={"smoke": [{t: 1, k: 2, s: 1}, {t: 3, k: 3, s: 2}], "standard": [{t: 12, k: 4, s: 2}]},
    closed_form=sp.Integer(1) + 0 * k,
    legs=[leg("trained", gain_ratio, where=(t <= 15) & (k <= 5) & (s <= 4)), START, BEYOND],
    rivals=[
        variant("the totals", simulation=total_ratio, leg="trained"),
        *rivals_of(START, {"above 2/3": f"({LOWEST})/({HIGHEST}) > 2/3"}),
        *rivals_of(BEYOND, {"from K on": {"over": ["K > 0", "k in [K, oo)"]}}),
    ],
)
