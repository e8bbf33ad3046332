r"""Lemma E.2 and Lemma E.7: what one step brings to the detectors of a coarse net.

Setting. The network of ``_network.py`` with detectors of every feature, which fire on the patches of their own
feature and on no others; N samples, N/(2k) of every subclass, P patches; K1 and K2 are a sample's counts of common
and of subclass patches.

Statements. (1) Then the step of a detector of v is eta/(N P) times the sum over the samples of its class of e^(-F_+)
e^(F_-)/(e^(F_- - F_+) + 1) times the patches that show v: one step for all detectors of v, at every time. (2) K1 is
Bin(P, s/P) and, given K1 = a <= P - s, K2 is Bin(P - a, s/(P - a)), both of mean s; by Chernoff's bound they are s (1
+- s^(-1/3)) but for 2 e^(-s^(1/3)/3) each, which is below 2 e^(-log^2 d) from s = (3 log^2 d)^3 on. (3) Without noise
the output of a class on a sample of its own is nS (K1 (A + b) + K2 (a + b')), and biases have fallen by beta times
what A and a have gained: the gains count with the factor 1 - beta. (4) The bias step is -beta |Delta w|, so that
-Delta b/Delta A = beta sqrt(1 + |Delta zeta_perp|^2/Delta A^2). In phase I, where the residual is a half, |Delta
zeta_perp|^2 has the mean 2 sigma^2 (d - 1)/(N s) times the square of the mean of Delta A, for a common detector, and
k times that for one of a subclass, which one sample in 2k shows. (5) With the classes exchanged, in network and
batches, everything is exchanged.

Reference: Lemma E.2, lines 1146-1297; Lemma E.7, lines 1454-1480; line 1316.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from flint import ctx

from theorycheck import (
    at_most,
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

from ._data import axis, binomial_law, cut, features, other
from ._detectors import (
    FIELDS,
    a_run,
    by_patches,
    by_the_misprint,
    grown,
    labelled,
    mean_over,
    noise_reader,
    patches_of,
    placed,
    reader,
    subclass_law,
    trained_move,
    without_the_factor,
)
from ._network import BITS, Neuron, dot, number, outputs, stepped, total, updates

P, k, s, N, d, a, own = sp.symbols("P k s N d a own", integer=True, nonnegative=True)
eta, sigma = sp.symbols("eta sigma", positive=True)
ONE_POINT = {"domain": {}, "grid": {"smoke": [{}]}}
RUNS = instances(a_run, FIELDS, smoke=2, standard=5)


def off(law, s):
    """Chance of a count that is s (1 +- s^(-1/3)) or farther off."""
    return sum((p for i, p in enumerate(law) if abs(i - s) ** 3 >= s**2), Fraction(0))


def common_off(P, s, a):
    """Of the common patches of a sample. Shape ()."""
    return off(binomial_law(P, cut(s, P)), s)


def subclass_off(P, s, a):
    """Of the subclass patches of a sample with a common ones. Shape ()."""
    return off(subclass_law(P, s, a), s)


LOG_CHANCE = -sp.cbrt(s) / 3
CHANCE = 2 * sp.exp(LOG_CHANCE)
FACTOR = typed("exp(-p)*exp(q)/(exp(q - p) + 1) == 1/(1 + exp(p - q))", over=["p in R", "q in R"])
EXPONENT = typed(f"-(s**(-1/3))**2*s/3 == {LOG_CHANCE}", over="s > 0 real")
# v is s^(1/3)
RARE = typed("-v/3 <= -log(d)**2", over=["d in 2..oo", "v in [3*log(d)**2, oo)"])


def phase2(id, count, reads, paid, **parts):
    """Either kind of detectors."""
    factor = formula_leg("factor", FACTOR, over=paid)
    exponent = formula_leg("Chernoff's exponent", EXPONENT, over=paid)
    rare = formula_leg("for large d", RARE, over="batches")
    return claim(
        id,
        lhs=r"\Delta w_r",
        tex=r"\tfrac\eta{NP}\sum_n\mathbf1\{y_n\}\tfrac{e^{-F_+}e^{F_-}}{e^{F_--F_+}+1}\sum_{\mathcal P_n(v)}x_{n,p}",
        states="granularity-phase2-updates",
        reads=reads,
        domain={P: integers(2), s: integers(1), a: integers(0)},
        where=a + s <= P,
        grid={
            "smoke": [{P: 24, s: 6, a: 4}, {P: 12, s: 6, a: 6}],
            "standard": [{P: 60, s: 12, a: 9}, {P: 150, s: 27, a: 20}],
        },
        legs=[
            leg(
                "trained and moved",
                trained_move,
                reference=by_patches,
                instances=RUNS,
                unit=1,
                grid={"smoke": [{P: 2, s: 1, a: 1}]},
                where=P <= 2,
            ),
            leg(
                "counts",
                count,
                closed_form=CHANCE,
                relation=at_most(),
                tex=r"2e^{-s^{*1/3}/3}",
                lhs=r"\Pr[|K-s^*|\ge s^{*2/3}]",
                where=P <= 200,
            ),
            factor,
            exponent,
            rare,
        ],
        rivals=[
            variant("the misprinted factor", reference=by_the_misprint, leg="trained and moved"),
            variant("a half for the factor", reference=without_the_factor, leg="trained and moved"),
            variant("e^(-s)", closed_form=2 * sp.exp(-s), leg="counts"),
            *rivals_of(
                factor,
                {"as printed later": "exp(-p)*exp(q)/(exp(q - exp(p)) + 1) == 1/(1 + exp(p - q))"},
            ),
            *rivals_of(exponent, {"s^(2/3)": "-(s**(-1/3))**2*s/3 == -s**(2/3)/3"}),
            *rivals_of(rare, {"twice": "-v/3 <= -2*log(d)**2"}),
        ],
        **parts,
    )


phase2_common = phase2(
    "granularity-phase2-common-step",
    common_off,
    {"init": "network", "t": "batches", "r": "network"},
    "batches d T_1",
    title="Steps of the common detectors in phase II",
    says=r"Detectors of $v_+$ that fire on its patches alone move by $\frac\eta{NP}\sum_n\mathbf1\{y_n=+\}"
    r"\frac{e^{-F_+}e^{F_-}}{e^{F_--F_+}+1}\sum_px_{n,p}$ over these, of which a sample has $s^*(1\pm s^{*-1/3})$ but "
    r"for $2e^{-s^{*1/3}/3}$.",
    covers="common-increment",
)
phase2_fine = phase2(
    "granularity-phase2-subclass-step",
    subclass_off,
    {"init": "network", "t": "batches", "r": "network", "c": "network"},
    "batches d",
    title="Steps of the subclass detectors in phase II",
    says=r"Detectors of $v_{+,c}$ move by the same sum over the samples of $(+,c)$; with $K_1\le P-s^*$ a sample has "
    r"$s^*(1\pm s^{*-1/3})$ such patches but for $2e^{-s^{*1/3}/3}$.",
    covers="fine-increment",
)


def quiet(network, batches):
    """Without noise and at strength 1: detectors of one word each, patches that are words."""
    one = {
        y: [Neuron([e if e > Fraction(1, 2) else Fraction(0) for e in n.w], n.b) for n in each]
        for y, each in network.items()
    }

    def clean(x):
        return [Fraction(int(e > Fraction(1, 2))) for e in x]

    return one, [
        [{**e, "patches": [clean(x) for x in e["patches"]]} for e in batch] for batch in batches
    ]


def own_outputs(network, batches, eta, beta):
    """Output of its own class on every sample of the last batch, less what the start gives. Shape (N,)."""
    with ctx.workprec(BITS):
        net, runs = quiet(network, batches)
        trained = grown(net, runs[:-1], eta, beta)
        return [
            number(outputs(trained, e["patches"])[e["y"]])
            - number(outputs(net, e["patches"])[e["y"]])
            for e in runs[-1]
        ]


def by_counts(network, batches, eta, beta, share=1):
    """nS (1 - beta)(K1 (gain of A) + K2 (gain of a)), each from the first detector of the feature. Shape (N,)."""
    with ctx.workprec(BITS):
        net, runs = quiet(network, batches)
        trained = grown(net, runs[:-1], eta, beta)
        k, result = len(runs[-1]) // 2, []
        for e in runs[-1]:
            y, gains = e["y"], number(0)
            for v in ((y,), (y, e["c"])):
                at = 2 * features(y, k).index(v)
                gain = (
                    dot(trained[y][at].w, trained[y][at].w).sqrt()
                    - number(dot(net[y][at].w, net[y][at].w)).sqrt()
                )
                gains += 2 * len(patches_of(e, v)) * gain
            result.append((1 - share * number(beta)) * gains)
        return result


def without_the_bias(network, batches, eta, beta):
    return by_counts(network, batches, eta, beta, share=0)


def two_steps(rng):
    run = a_run(rng)
    return run if len(run["batches"]) > 1 else two_steps(rng)


# g: gain of a detector along its word, b: its bias at the start, beta = 1/log^5 d
FALLEN = formula_leg(
    "gain and bias",
    typed(
        "(x + g) + (b - abs(g)/log(d)**5) == (x + b) + (1 - 1/log(d)**5)*g",
        over=["x in R", "b in R", "d in (E, oo)", "g in [0, oo)"],
    ),
    over="t n batches init",
)


estimate = claim(
    "granularity-phase2-output",
    lhs=r"F_+^{(t)}(X_n)-F_+^{(0)}(X_n)",
    tex=r"n_S(1-\beta)(K_1\sum\Delta A+K_2\sum\Delta a)",
    states="granularity-phase2-updates",
    title="Output of the own class by counts",
    says=r"Without noise, at $\alpha=1$, the output on a sample of the own class gains $n_S(1-\beta)(K_1\sum\Delta "
    r"A+K_2\sum\Delta a_c)$, with the gains of any detector.",
    covers="output-estimate",
    encodes="special-case",
    reads={"r_star": "network"},
    **ONE_POINT,
    legs=[
        leg(
            "trained",
            own_outputs,
            reference=by_counts,
            unit=1,
            instances=instances(two_steps, FIELDS, smoke=2, standard=4),
        ),
        FALLEN,
    ],
    rivals=[
        variant("biases as at the start", reference=without_the_bias, leg="trained"),
        *rivals_of(
            FALLEN,
            {"beta once more": "(x + g) + (b - abs(g)/log(d)**5) == (x + b) + (1 - 2/log(d)**5)*g"},
        ),
    ],
)


def bias_over_growth(network, batches, eta, beta):
    """-Delta b/Delta A of every detector that moves on the last batch. Shape (2 m,)."""
    with ctx.workprec(BITS):
        k = len(batches[-1]) // 2
        net = grown(network, batches[:-1], eta, beta)
        after, moves = (
            stepped(net, labelled(batches[-1]), eta, beta),
            updates(net, labelled(batches[-1]), eta),
        )
        found = []
        for y in "+-":
            for i, (n, m, move) in enumerate(zip(net[y], after[y], moves[y], strict=True)):
                along = number(dot(move, word_of(y, i, k, len(move))))
                found.append((number(n.b) - number(m.b)) / along)
        return found


def word_of(y, i, k, d):
    """The feature of the i-th detector of a class, as a vector."""
    at = placed_axes(y, k)[i // 2]
    return [Fraction(int(j == at)) for j in range(d)]


def placed_axes(y, k):
    """Axes of the features of a class."""
    side = int(y == "-")
    return [side, *(2 + side * k + c for c in range(k))]


def by_noise(network, batches, eta, beta, beside=True):
    """beta sqrt(1 + |noise beside the feature|^2/(step along it)^2), both summed over its patches. Shape (2 m,)."""
    with ctx.workprec(BITS):
        k, batch = len(batches[-1]) // 2, batches[-1]
        net, found = grown(network, batches[:-1], eta, beta), []
        scores = [outputs(net, e["patches"]) for e in batch]
        for y, v in placed(k):
            at = placed_axes(y, k)[features(y, k).index(v)]
            weights = [1 / (1 + (number(f[y]) - number(f[other(y)])).exp()) for f in scores]
            sums = [
                total(
                    w * number(x[i])
                    for w, e in zip(weights, batch, strict=True)
                    for x in patches_of(e, v)
                )
                for i in range(len(batch[0]["patches"][0]))
            ]
            rest = total(e * e for i, e in enumerate(sums) if i != at or not beside)
            found += [number(beta) * (1 + rest / sums[at] ** 2).sqrt()] * 2
        return found


def all_coordinates(network, batches, eta, beta):
    return by_noise(network, batches, eta, beta, beside=False)


def noise_share(P, k, s, N, d, sigma, own):
    """Mean of |noise beside v|^2 of a step over the square of the mean step along it, at probabilities of a half; of
    the coordinates one that is no feature stands for all. v is v_+, with ``own`` that of a subclass, whose patches are
    of the mean s given no common ones. Shape ()."""
    v = ("+", 0) if own else ("+",)
    counts = enumerate(subclass_law(P, s, 0) if own else binomial_law(P, cut(s, P)))
    laws = {(0, i) if own else (i, 0): p for i, p in counts}
    step = mean_over(laws, reader("+", v, k, 1), "+", v, P, k, 1)
    spread = mean_over(laws, noise_reader("+", 1), "+", v, P, k, 1) * Fraction(sigma) ** 2 / N
    beside = [i for i in range(d) if i != axis(v, k)]
    return len(beside) * spread / step**2


SHARE = 2 * sigma**2 * (d - 1) * k**own / (N * s)
ROOT = formula_leg(
    "Pythagoras",
    typed(
        "beta*sqrt(A**2 + Z)/A == beta*sqrt(1 + Z/A**2)", over=["beta > 0", "A > 0", "Z in [0, oo)"]
    ),
    over="t sigma d N s_star",
)
MOMENTS = formula_leg(
    "moments",
    typed(
        f"(d - 1)*(s*N/(2*k**own))*(eta*sigma/(2*N*P))**2/(eta*s/(4*k**own*P))**2 == {SHARE}",
        over=["d, s, N, P, k in 1..oo", "own in {0, 1}", "eta > 0", "sigma > 0"],
    ),
    over="t",
)

ratio = claim(
    "granularity-bias-over-growth",
    lhs=r"-\Delta b/\Delta A",
    tex=r"\beta\sqrt{1+\|\Delta\zeta_\perp\|^2/\Delta A^2}",
    states="granularity-bias-ratio",
    title="Bias against growth",
    says=r"$-\Delta b/\Delta A=\beta\sqrt{1+\|\Delta\zeta_\perp\|^2/\Delta A^2}$; in phase I $\mathbb "
    r"E\|\Delta\zeta_\perp\|^2=\frac{2\sigma^2(d-1)}{Ns^*}(\mathbb E\Delta A)^2$ for common detectors and $k$ times "
    "that for those of a subclass.",
    role="derived",
    covers="exact",
    reads={"t": "batches", "s_star": "s"},
    domain={
        P: integers(2),
        k: integers(1),
        s: integers(1),
        N: integers(2),
        d: integers(4),
        sigma: reals(0, low_open=True),
        own: integers(0, 1),
    },
    where=(s <= P) & sp.Eq(N % (2 * k), 0),
    grid={
        "smoke": [
            {P: 4, k: 1, s: 1, N: 2, d: 5, sigma: Fraction(1, 3), own: 0},
            {P: 6, k: 2, s: 3, N: 8, d: 9, sigma: 1, own: 0},
            {P: 4, k: 2, s: 2, N: 8, d: 9, sigma: 1, own: 1},
        ],
        "standard": [
            {P: 9, k: 2, s: 4, N: 12, d: 100, sigma: Fraction(1, 7), own: 0},
            {P: 6, k: 3, s: 2, N: 12, d: 20, sigma: Fraction(1, 7), own: 1},
        ],
    },
    legs=[
        leg(
            "a step",
            bias_over_growth,
            reference=by_noise,
            instances=RUNS,
            unit=1,
            required=False,
            grid={"smoke": [{P: 4, k: 1, s: 1, N: 2, d: 5, sigma: 1, own: 0}]},
            where=(P <= 4) & (N <= 2) & (d <= 5),
        ),
        leg(
            "mean of the noise",
            noise_share,
            required=False,
            closed_form=SHARE,
            where=(P <= 12) & (k <= 3),
            lhs=r"\mathbb E\|\Delta\zeta_\perp\|^2/(\mathbb E\Delta A)^2",
            tex=r"\tfrac{2\sigma^2(d-1)}{Ns^*}\ (v_+),\ \tfrac{2k\sigma^2(d-1)}{Ns^*}\ (v_{+,c})",
        ),
        ROOT,
        MOMENTS,
    ],
    rivals=[
        variant("all coordinates", reference=all_coordinates, leg="a step"),
        variant("k for both", closed_form=SHARE.subs(own, 1), leg="mean of the noise"),
        variant("1 for both", closed_form=SHARE.subs(own, 0), leg="mean of the noise"),
        variant("without the half", closed_form=SHARE / 2, leg="mean of the noise"),
        *rivals_of(ROOT, {"without the root": "beta*sqrt(A**2 + Z)/A == beta*(1 + Z/A**2)"}),
        *rivals_of(
            MOMENTS,
            {
                "N samples": f"(d - 1)*(s*N)*(eta*sigma/(2*N*P))**2/(eta*s/(4*k**own*P))**2 == {SHARE}"
            },
        ),
    ],
)
