r"""Trained networks and their recursions, equal counts (derived).

Setting. Planted networks of ``_network.py`` with nS detectors of every feature, s common and s subclass patches in
every sample of P, no noise, one sample of every subclass a batch.

Statements. (1) From starts of 10^-30 the output of the coarse network on samples of + is the F_t of F_(t+1) = F_t +
C/(1 + e^(F_t)), F_0 = 0, C = eta s^2 nS (1 + 1/k) (1 - beta)/(2 P), but for that start, and within 0.0921 C of the
limit F(t) with F + e^F = 1 + C t, C <= 1/250. (2) From any equal starts the weights of the fine network follow,
exactly, A += h k/Z, a += h (1 - e^(gamma (A + a))/Z) with h = eta s/(2 k P), gamma = s nS (1 - beta) and Z =
e^(gamma (A + a)) + (k - 1) e^(gamma A) + k.

Reference: derived from lines 1128-1380 and 2094-2118.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from flint import arb, ctx

from theorycheck import at_most, claim, equals, integers, leg, reals, variant

from ._data import axis
from ._detectors import equal_batch, grown, planted
from ._network import BITS, number, outputs
from .fine_recursion import trained

t = sp.Symbol("t", integer=True, nonnegative=True)
k, s, nS, P = sp.symbols("k s nS P", integer=True, positive=True)
beta, C = sp.symbols("beta C", positive=True)


def speed(k, s, nS, P, beta, C):
    """The rate eta at which the step from 0 is C/2."""
    return (
        Fraction(C) * 2 * P / (Fraction(s) ** 2 * nS * (1 + Fraction(1, k)) * (1 - Fraction(beta)))
    )


def output(t, k, s, nS, P, beta, C):
    """F on a sample of + after t steps of the network. A ball."""
    start, d, eta = Fraction(1, 10**30), 2 * k + 2, speed(k, s, nS, P, beta, C)
    batch = equal_batch(s, P, k, d)
    net = grown(planted(k, d, start, -beta * start, nS), [batch] * t, eta, Fraction(beta))
    return number(outputs(net, batch[0]["patches"])["+"])


def limit(t, rate):
    """F(t), by Lambert's function."""
    time = number(Fraction(rate) * t)
    return 1 + time - (1 + time).exp().lambertw()


def away(t, k, s, nS, P, beta, C):
    """|F_t - F(t)| over C. Shape ()."""
    with ctx.workprec(BITS):
        return abs(output(t, k, s, nS, P, beta, C) - limit(t, C)) / number(C)


def away_without_the_bias(t, k, s, nS, P, beta, C):
    with ctx.workprec(BITS):
        rate = Fraction(C) / (1 - Fraction(beta))
        return abs(output(t, k, s, nS, P, beta, C) - limit(t, rate)) / number(C)


def away_without_subclasses(t, k, s, nS, P, beta, C):
    with ctx.workprec(BITS):
        rate = Fraction(C) / (1 + Fraction(1, k))
        return abs(output(t, k, s, nS, P, beta, C) - limit(t, rate)) / number(C)


def of_the_step():
    """The constant of O(C)."""
    return Fraction(921, 10000)


def allowed(t, k, s, nS, P, beta, C):
    """Shape ()."""
    return of_the_step()


ROWS = {
    "smoke": [
        {t: 0, k: 1, s: 1, nS: 1, P: 3, beta: Fraction(1, 5), C: Fraction(1, 250)},
        {t: 60, k: 1, s: 1, nS: 1, P: 3, beta: Fraction(1, 5), C: Fraction(1, 250)},
        {t: 30, k: 2, s: 2, nS: 1, P: 4, beta: Fraction(1, 10), C: Fraction(1, 300)},
    ],
    "standard": [
        {t: 900, k: 1, s: 1, nS: 1, P: 2, beta: Fraction(1, 5), C: Fraction(1, 250)},
        {t: 20, k: 3, s: 1, nS: 2, P: 3, beta: Fraction(1, 20), C: Fraction(1, 250)},
    ],
}

trajectory = claim(
    "granularity-network-trajectory",
    lhs=r"|\bar F_+^{(t)}-F(t)|/C",
    tex=r"0.0921",
    states="granularity-lambertw-trajectory",
    title="The coarse network and Lambert's function",
    says=r"With equal counts the output of the trained coarse network on samples of $+$ is within $0.0921\,C$ of "
    r"$F(t)$, $F+e^F=1+Ct$, $C=\frac{\eta s^{*2}n_S(1+1/k)(1-\beta)}{2P}\le\frac1{250}$, from starts of $10^{-30}$.",
    role="derived",
    covers="network-trajectory",
    reads={"s_star": "s"},
    domain={
        t: integers(0),
        k: integers(1),
        s: integers(1),
        nS: integers(1),
        P: integers(2),
        beta: reals(0, Fraction(1, 2), low_open=True),
        C: reals(0, Fraction(1, 250), low_open=True),
    },
    where=2 * s <= P,
    grid=ROWS,
    relation=at_most(),
    legs=[
        leg(
            "trained",
            away,
            reference=allowed,
            unit=1,
            gives="O",
            chosen_by=of_the_step,
            where=sp.And(
                t * k**3 * nS * P <= 4000, k <= 4, nS <= 3, P <= 8, 100 * beta >= 1, 1000 * C >= 1
            ),
        )
    ],
    rivals=[
        variant("without the bias", simulation=away_without_the_bias, leg="trained"),
        variant("the common features alone", simulation=away_without_subclasses, leg="trained"),
    ],
    mutate=False,
)


def weights(k, s, start, beta, eta, t):
    """A and a of the net of (+, 0) after t steps. Shape (2,)."""
    with ctx.workprec(BITS):
        net = trained(k, s, Fraction(start), Fraction(start), Fraction(beta), Fraction(eta), t)[
            "+", 0
        ]
        return [number(net[0].w[axis(("+",), k)]), number(net[-1].w[axis(("+", 0), k)])]


def scalars(k, s, start, beta, eta, t, own=1, siblings=1):
    """A and a by the recursion. Shape (2,)."""
    with ctx.workprec(BITS):
        A = a = number(Fraction(start))
        gamma, h = number(s * (1 - Fraction(beta))), number(Fraction(eta) / (4 * k))
        for _ in range(t):
            mine, other = (gamma * (A + own * a)).exp(), (gamma * A * siblings).exp()
            Z = mine + (k - 1) * other + k
            A, a = A + h * k / Z, a + h * (1 - mine / Z)
        return [A + arb(0), a + arb(0)]


def without_the_subclass(k, s, start, beta, eta, t):
    return scalars(k, s, start, beta, eta, t, own=0)


def silent_siblings(k, s, start, beta, eta, t):
    return scalars(k, s, start, beta, eta, t, siblings=0)


start, eta = sp.symbols("start eta", positive=True)
SMALL = {start: Fraction(1, 50), beta: Fraction(1, 20), eta: Fraction(1, 5)}

follows = claim(
    "granularity-network-follows",
    lhs=r"(A,a)_{sgd}",
    tex=r"(A,a)_{rec}",
    states="granularity-fine-recursion",
    title="The fine network follows its two scalars",
    says=r"With equal counts and equal starts the weights $A$ and $a$ of every step of the trained $2k$-output network "
    "are those of the recursion, not only up to a thousandth.",
    role="derived",
    covers="network-follows",
    domain={
        k: integers(1, 16),
        t: integers(1, 300),
        s: integers(1),
        start: reals(0, 1, low_open=True),
        beta: reals(0, Fraction(1, 2)),
        eta: reals(0, 1, low_open=True),
    },
    grid={
        "smoke": [
            {k: 1, t: 30, s: 1, **SMALL},
            {k: 2, t: 20, s: 2, **SMALL},
            {k: 4, t: 4, s: 1, **SMALL},
        ],
        "standard": [
            {k: 4, t: 40, s: 1, **SMALL},
            {k: 1, t: 300, s: 1, **SMALL},
            {k: 8, t: 4, s: 1, **SMALL},
        ],
    },
    relation=equals(),
    legs=[
        leg(
            "trained",
            weights,
            reference=scalars,
            unit=1,
            where=sp.And(t * k**3 * s <= 2600, k <= 8, s <= 3),
        )
    ],
    rivals=[
        variant("without the subclass word", reference=without_the_subclass, leg="trained"),
        variant("silent siblings", reference=silent_siblings, leg="trained"),
    ],
    mutate=False,
)
