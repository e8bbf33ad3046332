"""Lemma B.1: the probability that a neuron is active, as a Gaussian one.

Setting. Given the label, <w, x> is a sum of independent variables c_j z_j, c_j = y w_j on the core and w_j on the
background; r is its mean over its standard deviation, rho_j = E|z_j - mu_j|^3.

Statements. (1) |P[<w, x> >= 0 | y] - Phi(r)| <= 0.56 sum rho_j |w_j|^3/(sum sigma_j^2 w_j^2)^(3/2), with P by the
exact law. (2) Where all |w_j| are within a factor R of each other and all sigma_j are s or more, that is at most 0.56
R/(s sqrt(d0)), since rho_j <= sigma_j^2 on [0, 1]; r is the mean over theta |w| with theta between the least and the
largest sigma_j, the printed form with C = 0.56 R/s. C cannot do without R: one weight far above the others leaves an
error of 0.34 at any d0. (3) The order is reached: for fair features in {0, 1}, equal blocks, w = 1 and y = -1 the mean
is 0, and the error is half of P[<w, x> = 0], between (1 - 1/(2 d0))/sqrt(2 pi d0) and 1/sqrt(2 pi d0).

In (3) 1 - z_j has the law of z_j, so that P - 1/2 is half of the probability of n successes of 2n = d0 fair bits, C(2n,
n)/4^n, whose bounds are proved for all n.

Reference: Lemma B.1, lines 525-567. Theta(1) in the text is the standard deviation; the ratio hypothesis fails at
initialisation, where the bound (1) still serves.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb, erf, sqrt

import sympy as sp

from theorycheck import (
    at_least,
    at_most,
    claim,
    even_integers,
    formula_leg,
    instances,
    integers,
    leg,
    reals,
    typed,
    variant,
)
from theorycheck.claims.formula import rivals_of

from ._laws import law_of_sum, moment
from ._network import dot, drawn_laws

d_core, d_bg = sp.symbols("d_core d_bg", integer=True, positive=True)
d0 = sp.Symbol("d0", integer=True, positive=True)
HALF, SMALL = Fraction(1, 2), d_core + d_bg <= 12


def summand_laws(w, values, weights, y, d_core):
    return [
        [((y if j < d_core else 1) * c * v, p) for v, p in zip(row, chances, strict=True)]
        for j, (c, row, chances) in enumerate(zip(w, values, weights, strict=True))
    ]


def measured(w, values, weights, y, d_core):
    """The fields of an instance: weights and laws, the exact probability, mean, variance, third and second moments."""
    laws = summand_laws(w, values, weights, y, d_core)
    means = [moment(law, 1) for law in laws]
    centred = [[(v - mu, p) for v, p in law] for law, mu in zip(laws, means, strict=True)]
    return {
        "w": w,
        "values": values,
        "weights": weights,
        "y": y,
        "active": sum((p for v, p in law_of_sum(laws).items() if v >= 0), Fraction(0)),
        "mean": sum(means),
        "variance": sum(moment(law, 2) for law in centred),
        "third": sum(p * abs(v) ** 3 for law in centred for v, p in law),
        "second": sum(moment(law, 2) for law in laws),
    }


def neurons(rng, d_core, d_bg):
    """Weights of both signs in quarters, comparable in size, and unequal laws."""
    w = [Fraction(int(rng.signs()) * int(rng.integers(1, 5)), 4) for _ in range(d_core + d_bg)]
    return measured(w, *drawn_laws(rng, d_core + d_bg), int(rng.signs()), d_core)


def balanced(rng, d_core, d_bg):
    """Fair features in {0, 1}, w = 1 and y = -1."""
    size = d_core + d_bg
    return measured(
        [Fraction(1)] * size,
        [[Fraction(0), Fraction(1)]] * size,
        [[Fraction(1, 2)] * 2] * size,
        -1,
        d_core,
    )


def narrow(rng, d_core, d_bg):
    """Fair features in {1/2, 1}, w = 1 on the core and -1 on the background: a variance far below the second moment."""
    size = d_core + d_bg
    w = [Fraction(1)] * d_core + [Fraction(-1)] * d_bg
    return measured(
        w, [[Fraction(1, 2), Fraction(1)]] * size, [[Fraction(1, 2)] * 2] * size, 1, d_core
    )


def esseen_coins(rng, d_core, d_bg):
    """Bernoulli features of p = 419/1000, near Esseen's extremal (4 - sqrt 10)/2, on the core, w = 1, against a
    background that is always 1 and puts the threshold just above the number of them where the Gaussian law is furthest
    off."""
    p = Fraction(419, 1000)
    chance = [
        comb(d_core, k) * float(p) ** k * float(1 - p) ** (d_core - k) for k in range(d_core + 1)
    ]
    spread = sqrt(d_core * p * (1 - p))
    off = [
        abs(sum(chance[: k + 1]) - (1 + erf((k - d_core * p) / spread / sqrt(2))) / 2)
        for k in range(d_core + 1)
    ]
    level = max(range(d_core + 1), key=lambda k: off[k]) + Fraction(1, 10**6)
    return measured(
        [Fraction(1)] * d_core + [-level / d_bg] * d_bg,
        [[Fraction(0), Fraction(1)]] * d_core + [[Fraction(1)] * 2] * d_bg,
        [[1 - p, p]] * (d_core + d_bg),
        1,
        d_core,
    )


def normal_cdf(ns, r):
    return (1 + ns.erf(r / ns.sqrt(ns.asarray(2)))) / 2


def ratio(ns, active, mean, variance, third, d_core, d_bg):
    """|P - Phi(r)| variance^(3/2)/sum rho_j |w_j|^3. Shape (B,)."""
    gap = abs(active - normal_cdf(ns, mean / ns.sqrt(variance)))
    return gap * variance * ns.sqrt(variance) / third


def ratio_by_second_moments(ns, active, mean, variance, third, second, d_core, d_bg):
    gap = abs(active - normal_cdf(ns, mean / ns.sqrt(second)))
    return gap * variance * ns.sqrt(variance) / third


FIELDS = "w values weights y active mean variance third second"
BALANCED = instances(balanced, FIELDS, smoke=1)

explicit = claim(
    "contamination-activation-clt",
    lhs=r"|P-\Phi(r)|\,\frac{(\sum_j\sigma_j^2w_j^2)^{3/2}}{\sum_j\rho_j|w_j|^3}",
    tex="0.56",
    title="Activation probability against the Gaussian one",
    says=r"For weights of both signs and unequal laws $|P - \Phi(r)|$ is at most $0.56 \sum_j "
    r"\rho_j |w_j|^3 / (\sum_j \sigma_j^2 w_j^2)^{3/2}$.",
    covers="explicit-bound",
    reads={"D_j": "values weights"},
    domain={d_core: integers(1), d_bg: integers(1)},
    grid={
        "smoke": [{d_core: 1, d_bg: 1}, {d_core: 4, d_bg: 2}, {d_core: 7, d_bg: 4}],
        "standard": {d_core: [2, 6, 9], d_bg: [1, 3]},
    },
    closed_form=sp.Rational(56, 100) + 0 * d_core,
    relation=at_most(),
    legs=[
        leg(
            "exact laws",
            ratio,
            where=SMALL,
            instances=instances(neurons, FIELDS, smoke=3, standard=8),
        ),
        # Drawn neurons stay below 1/4; these come to 0.405.
        leg(
            "Esseen's coins",
            ratio,
            where=SMALL,
            instances=instances(esseen_coins, FIELDS, smoke=1),
            grid={"smoke": [{d_core: 10, d_bg: 1}]},
        ),
    ],
    rivals=[
        variant("2/5", leg="Esseen's coins", closed_form=sp.Rational(2, 5) + 0 * d_core),
        variant(
            "1/3",
            leg="exact laws",
            closed_form=sp.Rational(1, 3) + 0 * d_core,
            instances=BALANCED,
            at=[{d_core: 6, d_bg: 6}],
        ),
        variant(
            "E z^2 for the variance",
            leg="exact laws",
            simulation=ratio_by_second_moments,
            at=[{d_core: 26, d_bg: 22}],
            instances=instances(narrow, FIELDS, smoke=1),
        ),
    ],
    mutate=False,
)


RATIO, SPREAD = sp.symbols("R s", positive=True)


def comparable(rng, d_core, d_bg, R, s):
    """Weights of both signs, |w_j| between 1 and R; two values in [0, 1] of deviation s or a little more."""
    size = d_core + d_bg
    R, s = Fraction(R), Fraction(s)
    w = [
        int(rng.signs()) * (1 + (R - 1) * Fraction(int(rng.integers(0, 5)), 4)) for _ in range(size)
    ]
    spread = [2 * s + (1 - 2 * s) * Fraction(int(rng.integers(0, 3)), 2) for _ in range(size)]
    low = [(1 - gap) * Fraction(int(rng.integers(0, 3)), 2) for gap in spread]
    values = [[v, v + gap] for v, gap in zip(low, spread, strict=True)]
    return measured(w, values, [[Fraction(1, 2)] * 2] * size, int(rng.signs()), d_core)


def balanced_at(rng, d_core, d_bg, R, s):
    return balanced(rng, d_core, d_bg)


def narrow_at(rng, d_core, d_bg, R, s):
    return narrow(rng, d_core, d_bg)


def room(w, values, weights, variance, d_core, d_bg, R, s):
    """(theta^2 - min sigma_j^2)(max sigma_j^2 - theta^2): not below 0 where theta lies between them. Shape ()."""
    laws = [list(zip(v, p, strict=True)) for v, p in zip(values, weights, strict=True)]
    spreads = [moment(law, 2) - moment(law, 1) ** 2 for law in laws]
    square = variance / dot(w, w)
    return (square - min(spreads)) * (max(spreads) - square)


def room_by_second_moments(w, values, weights, second, d_core, d_bg, R, s):
    return room(w, values, weights, second, d_core, d_bg, R, s)


def constant(R, s):
    """C = 0.56 R/s: of the ratio and of the moments only."""
    return Fraction(56, 100) * R / s


def distance(ns, w, active, mean, variance, d_core, d_bg, R, s):
    """sqrt(d0) |P - Phi(mean/(theta |w|))| s/R. Shape (B,)."""
    square = ns.sum(w * w, axis=-1)
    theta = ns.sqrt(variance / square)
    gap = abs(active - normal_cdf(ns, mean / (theta * ns.sqrt(square))))
    return ns.sqrt(ns.asarray(d_core + d_bg)) * gap * ns.asarray(s) / ns.asarray(R)


def distance_without_theta(ns, w, active, mean, variance, d_core, d_bg, R, s):
    """theta = 1."""
    return distance(ns, w, active, mean, ns.sum(w * w, axis=-1), d_core, d_bg, R, s)


def jumps(rng, d_core, d_bg, R, s):
    """Weights 1, core features 1 but for one in 20 times, background features 0 but for one in 20 times, y = 1: the sum
    is an integer, skew, and 0 with the largest probability where d_bg = 19 d0/20."""
    often, size = [Fraction(1, 20), Fraction(19, 20)], d_core + d_bg
    return measured(
        [Fraction(1)] * d_core + [Fraction(-1)] * d_bg,
        [[Fraction(0), Fraction(1)]] * size,
        [often] * d_core + [often[::-1]] * d_bg,
        1,
        d_core,
    )


OF_JUMPS = Fraction(2179, 10**4)
"""Just below their deviation, sqrt(19)/20."""


def one_large(rng, d_core, d_bg, R, s):
    """Fair features in {0, 1} and y = -1; a core weight R among ones, most of the variance where R is large."""
    size = d_core + d_bg
    w = [Fraction(R)] + [Fraction(1)] * (size - 1)
    return measured(
        w, [[Fraction(0), Fraction(1)]] * size, [[Fraction(1, 2)] * 2] * size, -1, d_core
    )


def distance_without_ratio(ns, w, active, mean, variance, d_core, d_bg, R, s):
    """By C = 0.56/s."""
    return distance(ns, w, active, mean, variance, d_core, d_bg, 1, s)


COMPARABLE = instances(comparable, FIELDS, smoke=3, standard=8)
AT_ONE = {RATIO: 1, SPREAD: Fraction(1, 2)}

printed = claim(
    "contamination-activation-clt-comparable",
    lhs=r"\tfrac sR\sqrt{d_0}\,\Big|P-\Phi\Big(\frac{E}{\theta|w|}\Big)\Big|",
    tex="0.56",
    states="contamination-activation-clt",
    title="The printed form under comparable weights",
    says=r"For weights whose sizes are within a factor $R$ of each other and features of deviation $s$ or more, "
    r"$|P-\Phi(E/(\theta|w|))|$ is at most $0.56\,R/(s\sqrt{d_0})$, with a $\theta$ between the least and the "
    "largest deviation.",
    role="reading",
    covers="printed-form",
    reads={"t": "w", "k": "w"},
    domain={
        d_core: integers(1),
        d_bg: integers(1),
        RATIO: reals(1),
        SPREAD: reals(0, HALF, low_open=True),
    },
    grid={
        "smoke": [
            {d_core: 1, d_bg: 1, RATIO: 2, SPREAD: Fraction(3, 8)},
            {d_core: 4, d_bg: 2, RATIO: Fraction(3, 2), SPREAD: HALF},
            {d_core: 5, d_bg: 4, RATIO: 1, SPREAD: Fraction(2, 5)},
        ],
        "standard": {d_core: [2, 6], d_bg: [1, 4], RATIO: [1, 3], SPREAD: [Fraction(1, 4), HALF]},
    },
    closed_form=sp.Rational(56, 100) + 0 * d_core,
    relation=at_most(),
    legs=[
        leg(
            "exact laws", distance, gives="C", chosen_by=constant, instances=COMPARABLE, where=SMALL
        ),
        # Drawn neurons stay below 1/5; these come to 0.258.
        leg(
            "jumps",
            distance,
            gives="C",
            chosen_by=constant,
            instances=instances(jumps, FIELDS, smoke=1),
            where=sp.Eq(RATIO, 1) & sp.Le(SPREAD, OF_JUMPS) & (d_core + d_bg <= 60),
            grid={"smoke": [{d_core: 2, d_bg: 48, RATIO: 1, SPREAD: OF_JUMPS}]},
        ),
        # Where R is large, active with probability 1/2, by the Gaussian law with Phi(-1).
        leg(
            "one large weight",
            distance,
            gives="C",
            chosen_by=constant,
            instances=instances(one_large, FIELDS, smoke=1),
            where=d_core + d_bg <= 40,
            grid={"smoke": [{d_core: 1, d_bg: 24, RATIO: 1000, SPREAD: HALF}]},
        ),
        leg(
            "theta",
            room,
            relation=at_least(),
            closed_form=sp.Integer(0),
            gives="theta",
            instances=COMPARABLE,
            where=SMALL,
            unit=1,
            tex="0",
            lhs=r"(\theta^2-\min_j\sigma_j^2)(\max_j\sigma_j^2-\theta^2)",
        ),
    ],
    rivals=[
        variant(
            "1/6",
            leg="exact laws",
            closed_form=sp.Rational(1, 6) + 0 * d_core,
            at=[AT_ONE | {d_core: 6, d_bg: 6}],
            instances=instances(balanced_at, FIELDS, smoke=1),
        ),
        variant("1/4", leg="jumps", closed_form=sp.Rational(1, 4) + 0 * d_core),
        variant(
            "C of the moments only",
            leg="one large weight",
            simulation=distance_without_ratio,
        ),
        variant(
            "theta = 1",
            leg="exact laws",
            simulation=distance_without_theta,
            at=[{d_core: 100, d_bg: 88, RATIO: 1, SPREAD: Fraction(1, 4)}],
            instances=instances(narrow_at, FIELDS, smoke=1),
        ),
        variant(
            "theta by second moments",
            leg="theta",
            simulation=room_by_second_moments,
            instances=instances(narrow_at, FIELDS, smoke=1),
            at=[{d_core: 1, d_bg: 1, RATIO: 1, SPREAD: Fraction(1, 4)}],
        ),
    ],
    mutate=False,
)


def error(d0):
    """d0 times the square of P[<w, x> >= 0 | y = -1] - 1/2, by the law of the sum: Phi(0) = 1/2. Shape ()."""
    bit = [(Fraction(0), Fraction(1, 2)), (Fraction(1), Fraction(1, 2))]
    minus = [(-v, p) for v, p in bit]
    law = law_of_sum([bit, minus] * (d0 // 2))
    return d0 * (sum(p for v, p in law.items() if v >= 0) - Fraction(1, 2)) ** 2


def error_of_uniform(d0):
    """The same for features uniform on {0, 1, .., 8}/8, a finite stand-in for [0, 1]."""
    grid = [(Fraction(i, 8), Fraction(1, 9)) for i in range(9)]
    minus = [(-v, p) for v, p in grid]
    law = law_of_sum([grid, minus] * (d0 // 2))
    return d0 * (sum(p for v, p in law.items() if v >= 0) - Fraction(1, 2)) ** 2


SQUARED = r"d_0\,(P-\tfrac12)^2"
UPPER = 1 / (2 * sp.pi)
LOWER = (1 - 1 / (2 * d0)) ** 2 / (2 * sp.pi)
HERE = "n*binomial(2*n, n)**2/(2*16**n)"
"""d0 (P - 1/2)^2 with n = d0/2."""


def at_half(bound):
    """The bound as text, in n = d0/2."""
    return str(sp.sympify(bound).subs(d0, 2 * sp.Symbol("n")))


ABOVE = formula_leg(
    "from above, for all", typed(f"{HERE} <= {at_half(UPPER)}", over="n in 1..oo"), over="d0"
)
BELOW = formula_leg(
    "from below, for all", typed(f"{HERE} >= {at_half(LOWER)}", over="n in 1..oo"), over="d0"
)

rate = claim(
    "contamination-activation-clt-rate",
    states="contamination-activation-clt",
    title="The order of the error is reached",
    says=r"For fair features in $\{0, 1\}$, equal blocks, $w = 1$ and $y = -1$, $\sqrt{d_0}$ "
    r"times the error is between $(1 - 1/(2d_0))/\sqrt{2\pi}$ and $1/\sqrt{2\pi}$.",
    role="reading",
    covers="rate-attained",
    domain={d0: even_integers(2)},
    grid={"smoke": {d0: [2, 16, 100]}, "standard": {d0: [4, 64, 256]}},
    legs=[
        leg(
            "from above",
            error,
            relation=at_most(),
            closed_form=UPPER + 0 * d0,
            where=d0 <= 400,
            lhs=SQUARED,
            tex=r"\tfrac1{2\pi}",
        ),
        leg(
            "from below",
            error,
            relation=at_least(),
            closed_form=LOWER,
            where=d0 <= 400,
            lhs=SQUARED,
            tex=r"\tfrac1{2\pi}\big(1-\tfrac1{2d_0}\big)^2",
        ),
        ABOVE,
        BELOW,
    ],
    rivals=[
        variant(
            "an error of 8/d0",
            leg="from above",
            closed_form=64 / (d0 * 2 * sp.pi) + 0 * d0,
            at=[{d0: 100}],
        ),
        variant(
            "features of nine values", leg="from below", simulation=error_of_uniform, at=[{d0: 16}]
        ),
        variant(
            "5 per cent more",
            leg="from below",
            closed_form=sp.Rational(21, 20) / (2 * sp.pi) + 0 * d0,
        ),
        *rivals_of(ABOVE, {"an error of 8/d0, for all": f"{HERE} <= {at_half(64 * UPPER / d0)}"}),
        *rivals_of(BELOW, {"without the correction": f"{HERE} >= {at_half(UPPER)}"}),
    ],
    mutate=False,
)
