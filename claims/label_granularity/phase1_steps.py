r"""Theorem D.1 and Corollary D.1.1: steps of the detectors in phase I, and its length.

Setting. The network of ``_network.py`` with detectors of every feature that fire on its patches alone, at strength 1;
N samples, N/(2k) of every subclass, P patches. Before T_0 both outputs of every sample are below 1/d.

Statements. (1) At residuals of a half the mean step of a common detector along v_+ is eta s/(4P), that of a subclass
detector, given K1 = a <= P - s common patches in every sample, eta s/(4kP). (2) Residuals are a half up to 1/(4d),
steps so up to 1/(2d) of them, at every t < T_0; the counts, of n = N/2 or N/(2k) samples together, are their means up
to the factor 1 +- s^(-1/3) but for 2 e^(-s^(1/3) n/3) by Chernoff's bound, at most 2 e^(-log^2 d) from s^(1/3) n = 3
log^2 d on. (3) Noise of variance sigma^2 in every coordinate of every patch gives the step along each coordinate the
variance eta^2 sigma^2 s/(8 P^2 N) in the mean over the counts, 1/k of it for a subclass detector: its standard
deviation is eta sigma sqrt(s)/(2 P sqrt(2N)), resp. with Nk for N; given the counts it is a sum of independent
Gaussians. (4) With s common and s subclass patches in every sample a step adds at least C/(1 + e^(1/d)) to the
output, C = eta s^2 nS (1 + 1/k)(1 - beta)/(2P), until it is 1/d: T_0 <= 1 + (1 + e^(1/d))/(d C) <= 7 P/(eta s) for
beta <= 1/2, eta s <= P. (5) With the classes exchanged, in network and batches, everything is exchanged.

Reference: Theorem D.1, lines 829-1092; Definition D.1 and Corollary D.1.1, lines 823-829 and 1094-1096; line 1316.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from flint import ctx

from theorycheck import (
    at_most,
    choices,
    claim,
    formula_leg,
    instances,
    integers,
    leg,
    reals,
    rivals_of,
    typed,
    variant,
)

from ._data import binomial_law, cut, features, other
from ._detectors import (
    FIELDS,
    a_run,
    equal_batch,
    grown,
    labelled,
    mean_over,
    noise_reader,
    planted,
    reader,
    subclass_law,
)
from ._network import BITS, number, outputs, softmax, stepped

P, k, s, N, d, a, t, nS = sp.symbols("P k s N d a t nS", integer=True, nonnegative=True)
eta, sigma, beta = sp.symbols("eta sigma beta", positive=True)
y = sp.Symbol("y")


def common_laws(P, s):
    """Counts of a sample with their chances; the subclass patches are left out."""
    return {(i, 0): p for i, p in enumerate(binomial_law(P, cut(s, P)))}


def subclass_laws(P, s, a):
    return {(a, i): p for i, p in enumerate(subclass_law(P, s, a))}


def mean_common(P, k, s, a, eta, y, d, t):
    """Mean step of a common detector along its word. Shape ()."""
    return mean_over(common_laws(P, s), reader(y, (y,), k, eta), y, (y,), P, k, eta, d, t - 1)


def mean_subclass(P, k, s, a, eta, y, d, t):
    """Mean step of a subclass detector along its word, given a common patches. Shape ()."""
    return mean_over(
        subclass_laws(P, s, a), reader(y, (y, k - 1), k, eta), y, (y, k - 1), P, k, eta
    )


def gained(t, d, y, kind, share=2):
    """|what a detector has gained in t steps of phase I over t times the step at a half - 1|, of a common one or of a
    subclass; s = 2, P = 5, k = 2. Shape ()."""
    k, P, s, rate = 2, 5, 2, Fraction(1, 40 * d * t + 1)
    with ctx.workprec(BITS):
        tiny = Fraction(1, 10**9 * d)
        net = planted(k, max(d, 2 * k + 2), tiny, -tiny / 2, each=2)
        batch = equal_batch(s, P, k, max(d, 2 * k + 2))
        after = grown(net, [batch] * t, rate, Fraction(1, 50))
        largest = max(
            float(f.mid())
            for e in batch
            for f in map(number, outputs(after, e["patches"]).values())
        )
        if not largest < 1 / d:
            raise ValueError("beyond phase I")
        place = 2 * features(y, k).index((y,) if kind == "common" else (y, 1)) + 1
        gain = sum((number(e) for e in after[y][place].w), number(0)) - number(tiny)
        expected = number(
            t * rate * s * Fraction(1, 2 * share * P * (1 if kind == "common" else k))
        )
        return abs(gain / expected - 1)


def residual_off(t, d, y):
    """|1/2 - residual| over 1/2 at outputs 9/(10 d) and 0, near the end of phase I. Shape ()."""
    with ctx.workprec(BITS):
        wrong = "-" if y == "+" else "+"
        return abs(1 - 2 * softmax({y: Fraction(9, 10 * d), wrong: Fraction(0)})[wrong])


def gained_common(t, d, y):
    return gained(t, d, y, "common")


def gained_subclass(t, d, y):
    return gained(t, d, y, "subclass")


def whole_residual(t, d, y):
    """Against steps without the half."""
    return gained(t, d, y, "common", share=1)


def whole_residual_subclass(t, d, y):
    return gained(t, d, y, "subclass", share=1)


NEAR = typed(
    "abs(1/2 - 1/(1 + exp(x))) < tanh(1/(2*d))/2", over=["d in (0, oo)", "x in (-1/d, 1/d)"]
)
SMALL = typed("2*(tanh(1/(2*d))/2) <= 1/(2*d)", over="d in 1..oo")
EXPONENT = typed("-(s**(-1/3))**2*s*n/3 == -s**(1/3)*n/3", over=["s > 0 real", "n > 0 real"])
# v is s^(1/3) n
RARE = typed("-v/3 <= -log(d)**2", over=["d in 2..oo", "v in [3*log(d)**2, oo)"])
COMMON, SUBCLASS = eta * s / (4 * P), eta * s / (4 * k * P)
DEVIATION = sp.Rational(1, 2) / d


def increments(id, mean, whole, step, weight, laws, training, names, paid, **parts):
    """Either kind of detectors; ``weight``: N times the share of the samples that count."""
    near = formula_leg("residual", NEAR, over=paid)
    small = formula_leg("residual by d", SMALL, over=paid.replace(" d", ""))
    exponent = formula_leg("Chernoff's exponent", EXPONENT, over=paid)
    rare = formula_leg("for large d", RARE, over=paid.replace(" d", ""))
    collected = formula_leg(
        "collected",
        typed(
            f"{weight}*eta/(N*P)*1/2*s == {step}",
            over=["N in 1..oo", "P in 1..oo", "k in 1..oo", "s in 1..oo", "eta > 0"],
        ),
        over=paid,
    )
    return claim(
        id,
        states="granularity-phase1-updates",
        lhs=r"\mathbb E\langle\Delta w_r,v\rangle",
        encodes="special-case",  # strength 1, and detectors that fire on the patches of their own word alone
        domain={
            P: integers(2),
            k: integers(1),
            s: integers(1),
            a: integers(0),
            eta: reals(0, low_open=True),
            y: choices("+", "-"),
            t: integers(1),
            d: integers(2),
        },
        where=(a + s <= P),
        grid={
            "smoke": [
                {P: 4, k: 1, s: 2, a: 1, eta: 1, y: "+", t: 1, d: 3},
                {P: 5, k: 2, s: 1, a: 2, eta: Fraction(1, 3), y: "-", t: 3, d: 9},
            ],
            "standard": [{P: 8, k: 3, s: 3, a: 4, eta: 2, y: "+", t: 8, d: 30}],
        },
        closed_form=step,
        legs=[
            leg("mean of a step", mean, where=(P <= 12) & (k <= 4) & (d <= 60) & (t <= 12)),
            leg(
                "steps of phase I",
                training,
                closed_form=DEVIATION,
                relation=at_most(),
                where=(t <= 12) & (d <= 60),
                lhs=r"|\tfrac{\sum_\tau\Delta A}{t\,\mathbb E\Delta A}-1|",
                tex=r"\tfrac1{2d}",
            ),
            leg(
                "residual at the end",
                residual_off,
                closed_form=DEVIATION,
                relation=at_most(),
                where=(t <= 12) & (d <= 60),
                lhs=r"|2\cdot\text{residual}-1|",
                tex=r"\tfrac1{2d}",
            ),
            near,
            small,
            exponent,
            rare,
            collected,
        ],
        rivals=[
            variant("without the half", closed_form=2 * step, leg="mean of a step"),
            variant(
                "the share of the other kind",
                closed_form=names,
                leg="mean of a step",
                at={P: [5], k: [2], s: [1], a: [2], eta: [1], y: ["+"], t: [1], d: [3]},
            ),
            variant("steps without the half", simulation=whole, leg="steps of phase I"),
            variant("1/(3 d)", closed_form=1 / (3 * d), leg="residual at the end"),
            *rivals_of(near, {"a third": "abs(1/2 - 1/(1 + exp(x))) < tanh(1/(2*d))/3"}),
            *rivals_of(small, {"1/(4 d)": "2*(tanh(1/(2*d))/2) <= 1/(4*d)"}),
            *rivals_of(exponent, {"s^(2/3)": "-(s**(-1/3))**2*s*n/3 == -s**(2/3)*n/3"}),
            *rivals_of(rare, {"twice": "-v/3 <= -2*log(d)**2"}),
            *rivals_of(collected, {"all samples": f"2*{weight}*eta/(N*P)*1/2*s == {step}"}),
        ],
        **parts,
    )


common = increments(
    "granularity-phase1-common-step",
    mean_common,
    whole_residual,
    COMMON,
    "(N/2)",
    common_laws,
    gained_common,
    SUBCLASS,
    "init batches r d",
    title="Steps of the common detectors in phase I",
    says=r"A detector that fires on the patches of $v_+$ alone moves by $\frac{\eta s^*}{4P}$ along it a step, up to "
    r"$1\pm\frac1{2d}$ and $1\pm s^{*-1/3}$ for the counts, but for $2e^{-s^{*1/3}N/6}$.",
    covers="common-increment",
)
subclass = increments(
    "granularity-phase1-subclass-step",
    mean_subclass,
    whole_residual_subclass,
    SUBCLASS,
    "(N/(2*k))",
    subclass_laws,
    gained_subclass,
    COMMON,
    "init batches c r d",
    title="Steps of the subclass detectors in phase I",
    says=r"A detector that fires on the patches of $v_{+,c}$ alone moves by $\frac{\eta s^*}{4kP}$ along it a step, up "
    r"to $1\pm\frac1{2d}$ and $1\pm s^{*-1/3}$, but for $2e^{-s^{*1/3}N/(6k)}$; every sample has $K_1\le P-s^*$.",
    covers="fine-increment",
)


def common_variance(P, k, s, a, eta, N, d, t):
    """Variance in one coordinate of the step of a common detector, noise of variance 1. Shape ()."""
    return mean_over(common_laws(P, s), noise_reader("+", eta), "+", ("+",), P, k, eta, d, t) / N


def subclass_variance(P, k, s, a, eta, N, d, t):
    """The same of a subclass detector. Shape ()."""
    return (
        mean_over(subclass_laws(P, s, a), noise_reader("+", eta), "+", ("+", 0), P, k, eta, d, t)
        / N
    )


VARIANCE = eta**2 * s / (8 * P**2 * N)
PAID = "batch t"
OF_COMMON = formula_leg(
    "common",
    typed(
        f"(eta/(N*P)*1/2)**2*(s*N/2) == {VARIANCE}",
        over=["N in 1..oo", "P in 1..oo", "s in 1..oo", "eta > 0"],
    ),
    over=PAID,
)
OF_SUBCLASS = formula_leg(
    "subclass",
    typed(
        f"(eta/(N*P)*1/2)**2*(s*N/(2*k)) == {VARIANCE / k}",
        over=["N in 1..oo", "P in 1..oo", "k in 1..oo", "s in 1..oo", "eta > 0"],
    ),
    over=PAID,
)
DEVIATES = formula_leg(
    "standard deviation",
    typed(
        f"sigma**2*({VARIANCE}) == (eta*sigma*sqrt(s)/(2*P*sqrt(2*N)))**2",
        over=["N in 1..oo", "P in 1..oo", "s in 1..oo", "eta > 0", "sigma > 0"],
    ),
    over=f"{PAID} d",
)

noise = claim(
    "granularity-phase1-noise",
    lhs=r"\operatorname{Var}\langle\Delta w_r,e_j\rangle/\sigma_\zeta^2",
    states="granularity-phase1-updates",
    encodes="special-case",  # the variance in the mean over the counts, at residuals of a half
    title="Noise in a step of phase I",
    says=r"At residuals of a half the noise of a step is Gaussian with $\sigma_{\Delta\zeta}=\frac{\eta\sigma_\zeta"
    r"\sqrt{s^*}}{2P\sqrt{2N}}$ for common detectors and $\frac1{\sqrt k}$ of it for subclass detectors, in the mean "
    r"square over the counts ($K_1\le P-s^*$).",
    covers="noise-law",
    domain={
        P: integers(2),
        k: integers(1),
        s: integers(1),
        a: integers(0),
        eta: reals(0, low_open=True),
        N: integers(1),
        d: integers(4),
        t: integers(0),
    },
    where=a + s <= P,
    grid={
        "smoke": [
            {P: 4, k: 1, s: 1, a: 2, eta: 1, N: 2, d: 4, t: 0},
            {P: 5, k: 2, s: 3, a: 1, eta: Fraction(1, 2), N: 8, d: 8, t: 2},
        ],
        "standard": [{P: 7, k: 3, s: 2, a: 3, eta: 3, N: 12, d: 9, t: 1}],
    },
    closed_form=VARIANCE,
    legs=[
        leg(
            "common detectors",
            common_variance,
            required=False,
            where=(P <= 8) & (k <= 3) & (d <= 30) & (t <= 9),
        ),
        leg(
            "subclass detectors",
            subclass_variance,
            required=False,
            closed_form=VARIANCE / k,
            lhs=r"\operatorname{Var}\langle\Delta w_r,e_j\rangle/\sigma_\zeta^2",
            where=(P <= 8) & (k <= 3) & (d <= 30) & (t <= 9),
        ),
        OF_COMMON,
        OF_SUBCLASS,
        DEVIATES,
    ],
    rivals=[
        variant("1/N^2", closed_form=VARIANCE / N, leg="common detectors"),
        variant("without 1/k", closed_form=VARIANCE, leg="subclass detectors"),
        variant("1/k^2", closed_form=VARIANCE / k**2, leg="subclass detectors"),
        *rivals_of(OF_COMMON, {"all samples": f"(eta/(N*P)*1/2)**2*(s*N) == {VARIANCE}"}),
        *rivals_of(
            OF_SUBCLASS, {"all of the class": f"(eta/(N*P)*1/2)**2*(s*N/2) == {VARIANCE / k}"}
        ),
        *rivals_of(
            DEVIATES, {"N for 2N": f"sigma**2*({VARIANCE}) == (eta*sigma*sqrt(s)/(2*P*sqrt(N)))**2"}
        ),
    ],
)


def first_time(d, P, s, k, nS, eta, beta):
    """T_0 of the network with s common and s subclass patches in every sample, from a tiny start. Shape ()."""
    with ctx.workprec(BITS):
        tiny, n = Fraction(1, 10**6), 2 * k + 2
        net, batch, steps = planted(k, n, tiny, -tiny / 2, each=nS), equal_batch(s, P, k, n), 0
        while not any(
            number(f) >= number(Fraction(1, d))
            for e in batch[::k]
            for f in outputs(net, e["patches"]).values()
        ):
            net, steps = stepped(net, labelled(batch), eta, beta), steps + 1
        return steps


LENGTH = 7 * P / (eta * s)
ADDS = formula_leg(
    "a step",
    typed("C/(1 + exp(F)) >= C/(1 + exp(1/d))", over=["C > 0", "d in 2..oo", "F in [0, 1/d]"]),
    over="init batches",
)
REACH = formula_leg(
    "up to 1/d", typed("(1 + exp(1/d))/d <= 4/3", over="d in 2..oo"), over="init batches"
)
RATE = formula_leg(
    "1/C",
    typed(
        "2*P/(eta*s**2*nS*(1 + 1/k)*(1 - beta)) <= 4*P/(eta*s)",
        over=[
            "P in 1..oo",
            "eta > 0",
            "s in 1..oo",
            "nS in 1..oo",
            "k in 1..oo",
            "beta in [0, 1/2]",
        ],
    ),
    over="init batches d",
)
ALL = formula_leg(
    "together",
    typed(
        f"1 + 4/3*(4*P/(eta*s)) <= {LENGTH}", over=["s in 1..oo", "P in 1..oo", "eta in (0, P/s]"]
    ),
    over="init batches d",
)


def seven():
    """7, whatever the sizes are."""


upper = claim(
    "granularity-phase1-bound",
    lhs="T_0",
    states="granularity-phase1-length",
    title="Phase I is polynomially long",
    says=r"With $s^*$ common and $s^*$ subclass patches in every sample, $n_S\ge1$ detectors of every feature and "
    r"$\beta\le\frac12$, $T_0\le\frac{7P}{\eta s^*}$ for $\eta s^*\le P$.",
    covers="upper-bound",
    encodes="special-case",
    domain={
        d: integers(2),
        P: integers(2),
        s: integers(1),
        k: integers(1),
        nS: integers(1),
        eta: reals(0, low_open=True),
        beta: reals(0, Fraction(1, 2)),
    },
    where=(2 * s <= P) & (eta * s <= P),
    grid={
        "smoke": [
            {d: 2, P: 4, s: 1, k: 1, nS: 1, eta: 1, beta: 0},
            {d: 5, P: 5, s: 2, k: 2, nS: 2, eta: Fraction(1, 3), beta: Fraction(1, 10)},
        ],
        "standard": [{d: 3, P: 6, s: 3, k: 3, nS: 1, eta: Fraction(1, 4), beta: Fraction(1, 2)}],
    },
    closed_form=LENGTH,
    relation=at_most(),
    legs=[
        leg(
            "trained",
            first_time,
            where=(eta > sp.Rational(1, 9)) & (k <= 3) & (P <= 8) & (nS <= 3),
            gives="O",
            chosen_by=seven,
        ),
        ADDS,
        REACH,
        RATE,
        ALL,
    ],
    rivals=[
        variant("P/(4 eta s)", closed_form=P / (4 * eta * s), leg="trained"),
        variant("P/(eta s^3)", closed_form=P / (eta * s**3) / 3, leg="trained"),
        *rivals_of(ADDS, {"half": "C/(1 + exp(F)) >= C/2"}),
        *rivals_of(REACH, {"from d = 1": {"over": "d in 1..oo"}}),
        *rivals_of(
            RATE,
            {
                "every beta": {
                    "over": [
                        "P in 1..oo",
                        "eta > 0",
                        "s in 1..oo",
                        "nS in 1..oo",
                        "k in 1..oo",
                        "beta in [0, 1)",
                    ]
                }
            },
        ),
        *rivals_of(ALL, {"every eta": {"over": ["s in 1..oo", "P in 1..oo", "eta > 0"]}}),
    ],
)


def swapped(network, batches):
    """The classes exchanged: labels, words of the patches, axes of the weights."""

    def turn(x):
        k = len(batches[0]) // 2
        return [x[1], x[0], *x[2 + k : 2 + 2 * k], *x[2 : 2 + k], *x[2 + 2 * k :]]

    nets = {other(c): [n._replace(w=turn(n.w)) for n in network[c]] for c in "+-"}
    runs = [
        [{**e, "y": other(e["y"]), "patches": [turn(x) for x in e["patches"]]} for e in b]
        for b in batches
    ]
    return {c: nets[c] for c in "+-"}, runs


def read_off(net, batch, y):
    """Weights, biases and outputs of one class."""
    return [number(e) for n in net[y] for e in (*n.w, n.b)] + [
        number(outputs(net, e["patches"])[y]) for e in batch
    ]


def after_training(network, batches, eta, beta, y):
    """Of class y, outputs on the last batch. Shape (m (d + 1) + N,)."""
    with ctx.workprec(BITS):
        return read_off(grown(network, batches, eta, beta), batches[-1], y)


def exchanged(network, batches, eta, beta, y):
    """Trained with the classes exchanged, and exchanged back."""
    with ctx.workprec(BITS):
        turned, runs = swapped(network, batches)
        back, last = swapped(grown(turned, runs, eta, beta), runs)
        return read_off(back, last[-1], y)


def labels_exchanged(network, batches, eta, beta, y):
    """Trained with the labels exchanged, the words as they are."""
    with ctx.workprec(BITS):
        runs = [[{**e, "y": other(e["y"])} for e in batch] for batch in batches]
        return read_off(grown(network, runs, eta, beta), batches[-1], y)


flip = claim(
    "granularity-class-exchange",
    lhs=r"(w_y^{(t)},b_y^{(t)},F_y^{(t)})",
    tex=r"(w_{y'}^{(t)},b_{y'}^{(t)},F_{y'}^{(t)})\text{ exchanged}",
    states=["granularity-phase1-updates", "granularity-loss-floor-time"],
    title="The classes exchanged",
    says="Training with the classes exchanged, in the network, the labels and the words, is training with weights, "
    "biases and outputs exchanged: what holds for + holds for -.",
    covers="granularity-phase1-updates/sign-flip granularity-loss-floor-time/class-flip",
    reads={"class": "y"},
    domain={y: choices("+", "-")},
    grid={"smoke": {y: ["+", "-"]}},
    legs=[
        leg(
            "trained",
            after_training,
            reference=exchanged,
            unit=1,
            instances=instances(a_run, FIELDS, smoke=2, standard=4),
        )
    ],
    rivals=[variant("labels alone", reference=labels_exchanged, leg="trained")],
)
