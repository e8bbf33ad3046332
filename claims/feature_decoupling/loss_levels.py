r"""How small the masked loss gets: Theorem 3.4, Theorem E.1 (d) and Lemma E.11 against the empty codes.

Setting. x = M z + xi, views 2 D x and 2 (I - D) x, N negatives without masks, q = C_z log log d/d, any network of units
h with biases b >= 0; L is the mean of the loss (2.2), Obj = L + lambda |W|^2 >= L.

Statements. (1) L >= tau (1 - q)^d log(N + 1), whatever the weights and the biases are: no loss is negative, and where z
= 0 the two views are independent given the mask, h is odd and the noise symmetric, so that given x+ every logit has
mean 0, and log sum e^(a_s) >= log(N + 1) + the mean of the a_s. (2) At C_z = 1, tau = 1 and N >= d it is 1/2 at least
for every d >= 16: with L = log d, (1 - log L/d)^d >= 1/(2 L). So L and Obj are not o(1) (Theorem 3.4), no average over
iterates is O(1/log d) (Theorem E.1 (d)), and no scale makes the pseudo-loss O(1/log d) (Lemma E.11), which has the same
bound. The source leaves C_z open; with C_z > 1 + deg tau the bound tends to 0, with C_z > 2 + deg tau faster than
1/log d.

Reference: lines 232-238, 1168-1176 and 1686-1692.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import sympy as sp
from flint import arb, ctx

from theorycheck import at_least, claim, formula_leg, instances, leg, rivals_of, typed, variant

from ._dictionary import ONE_POINT, codes, dot
from ._gaussian import BITS, nodes, number
from .expansion import OF_EMPTY_CODES, loss_of_codes, sizes
from .info_nce import unit as activation

d, N = sp.symbols("d N", integer=True, positive=True)
q, tau = sp.symbols("q tau", positive=True)


def outputs(W, b, x):
    return [activation(dot(w, x), bias)[0] for w, bias in zip(W, b, strict=True)]


def masked_loss(W, b, columns, q, noise, tau, N, d):
    """E -S_p + tau log sum e^(S/tau) over codes, masks, points of the noise and N negatives. Shape ()."""
    n = len(columns[0])
    points = []
    for z, p in codes(len(columns), q):
        signal = [
            sum((a * c[k] for a, c in zip(z, columns, strict=True)), Fraction(0)) for k in range(n)
        ]
        points += [
            ([a + e for a, e in zip(signal, xi, strict=True)], p * c) for xi, c in nodes(n, noise)
        ]
    negatives = [(outputs(W, b, x), p) for x, p in points]
    with ctx.workprec(BITS):
        total = arb(0)
        for x, p in points:
            for D in product((0, 1), repeat=n):
                f = outputs(W, b, [2 * e * a for e, a in zip(D, x, strict=True)])
                other = [2 * (1 - e) * a for e, a in zip(D, x, strict=True)]
                own = dot(f, outputs(W, b, other))
                logits = [((number(dot(f, c)) / number(tau)).exp(), w) for c, w in negatives]
                first = (number(own) / number(tau)).exp()
                for batch in product(logits, repeat=N):
                    chance, rest = p / 2**n, first
                    for value, w in batch:
                        chance, rest = chance * w, rest + value
                    total += number(chance) * (number(tau) * rest.log() - number(own))
        return total


def any_network(rng):
    """A column of R^2 of length 1, two neurons of any size."""
    size = int(rng.integers(1, 5))
    W = [[size * x for x in row] for row in rng.rational((2, 2), 3)]
    return {
        "W": W,
        "b": [Fraction(1, 17), Fraction(int(rng.integers(0, 3)), 7)],
        "columns": [[Fraction(3, 5), Fraction(4, 5)]],
        "q": Fraction(1, int(rng.integers(3, 9))),
        "noise": Fraction(int(rng.integers(1, 4)), 6),
        "tau": Fraction(int(rng.integers(1, 5)), 2),
        "N": 1,
        "d": 1,
    }


def small(rng):
    """Weights that move no logit far."""
    return any_network(rng) | {"W": [[Fraction(1, 9), Fraction(1, 7)]] * 2, "b": [Fraction(0)] * 2}


FIELDS = "W b columns q noise tau N d"
NETWORKS = instances(any_network, FIELDS, smoke=3, standard=6)

LEAST = formula_leg(
    "never negative",
    typed("-tau*log(e/(e + R)) >= 0", over=["tau > 0", "e > 0", "R in [0, oo)"]),
    over="t C_z",
)
TANGENT = formula_leg("tangent", typed("exp(x) >= 1 + x", over="x in R"), over="t C_z")
# A is the mean of e^(a_s - mean a) over the N + 1 logits, of which the tangent gives 1 at least
FLAT = formula_leg(
    "at an empty code",
    typed("tau*log((N + 1)*A) >= tau*log(N + 1)", over=["tau > 0", "N in 1..oo", "A in [1, oo)"]),
    over="t C_z",
)
# y is the mean loss over the other codes, x that over the empty ones
MEAN = formula_leg(
    "mean",
    typed(
        f"(1 - q)**d*x + (1 - (1 - q)**d)*y >= {OF_EMPTY_CODES}",
        over=[
            "q in [0, 1]",
            "d in 1..oo",
            "N in 1..oo",
            "tau > 0",
            "x in [tau*log(N + 1), oo)",
            "y >= 0",
        ],
    ),
    over="t C_z",
)

corrected = claim(
    "decoupling-masked-floor",
    lhs="L",
    tex=r"\tau(1-q)^d\log(N+1)",
    states="decoupling-aug-sparse",
    title="What empty codes leave of the masked loss",
    says=r"$\mathrm{Obj}\ge L\ge\tau(1-q)^d\log(N+1)$ for every network of symmetrised units, at every step of every "
    r"training.",
    role="corrected",
    corrects="decoupling-objective-printed",
    covers="objective-small",
    left={"d": "no limit", "T3": "every step"},
    closed_form=OF_EMPTY_CODES,
    **ONE_POINT,
    legs=[
        leg("any network", masked_loss, relation=at_least(), required=False, instances=NETWORKS),
        LEAST,
        TANGENT,
        FLAT,
        MEAN,
    ],
    rivals=[
        variant(
            "N + 2 logits at every code",
            closed_form=tau * sp.log(N + 2),
            leg="any network",
            instances=instances(small, FIELDS, smoke=1),
        ),
        *rivals_of(LEAST, {"above tau/9": "-tau*log(e/(e + R)) >= tau/9"}),
        *rivals_of(TANGENT, {"steeper": "exp(x) >= 1 + 2*x"}),
        *rivals_of(FLAT, {"N + 2": "tau*log((N + 1)*A) >= tau*log(N + 2)"}),
        *rivals_of(MEAN, {"for every code": "(1 - q)**d*x + (1 - (1 - q)**d)*y >= tau*log(N + 1)"}),
    ],
)

AT_ONE = OF_EMPTY_CODES.subs({tau: 1, q: sp.log(sp.log(d)) / d, N: d})
"""The bound at tau = 1, C_z = 1 and N = d."""

printed = claim(
    "decoupling-objective-printed",
    states="decoupling-aug-sparse",
    title="Loss and objective of Theorem 3.4",
    says=r"$L(f_t)\le\frac12$ at some step for all large $d$, at $\tau=1$, $C_z=1$ and $N=d$.",
    covers="objective-small",
    expect="fail",
    **ONE_POINT,
    legs=[
        leg(
            "any network",
            masked_loss,
            closed_form=OF_EMPTY_CODES,
            relation=at_least(),
            required=False,
            instances=NETWORKS,
            lhs="L",
            tex=r"\tau(1-q)^d\log(N+1)",
        ),
        formula_leg(
            "some size",
            typed(f"{AT_ONE} <= 1/2", over=["K in [16, oo)", "d in [K, oo)"]),
            over="T3 t",
            gives="C_z",
        ),
    ],
)

# log(1 - x) >= -x - x^2 for x = log(L)/e^L, L = log d: (1 - x)^(e^L) >= e^(-log L - log^2 L/e^L)
POWER = formula_leg(
    "power", typed("log(1 - x) >= -x - x**2", over="x in [0, 1/2]"), over="T t kappa C_z"
)
RATE = formula_leg(
    "rate", typed("log(L)*exp(-L) <= 1/2", over="L in [2, oo)"), over="T t kappa C_z"
)
SQUARE = formula_leg(
    "square", typed("log(L)**2*exp(-L) <= log(2)", over="L in [2, oo)"), over="T t kappa C_z"
)
AT_SIZE = formula_leg(
    "at C_z = 1",
    typed("exp(-log(L) - y)*L*L >= L/2", over=["L in [2, oo)", "y in [0, log(2)]"]),
    over="T t kappa C_z",
)
OF_CODES = instances(sizes, "d N q scale tau", smoke=2, standard=4)

levels = claim(
    "decoupling-loss-level",
    states=["decoupling-stage3-theorem", "decoupling-optimality"],
    lhs="L",
    tex=r"\tau(1-q)^d\log(N+1)",
    title="Losses times $\\log d$ at $C_z=1$",
    says=r"At $C_z=1$, $\tau=1$ and $N\ge d\ge e^2$ the bound $\tau(1-q)^d\log(N+1)$, below which neither an average "
    r"of losses over iterates nor the pseudo-loss gets, is $\frac12$ at least.",
    role="corrected",
    corrects="decoupling-loss-level-printed",
    covers="averaged-loss comparator-loss",
    left={"O": "grows with d"},
    closed_form=OF_EMPTY_CODES,
    **ONE_POINT,
    legs=[
        leg(
            "any network",
            masked_loss,
            relation=at_least(),
            required=False,
            covers="averaged-loss",
            instances=NETWORKS,
        ),
        leg(
            "all codes",
            loss_of_codes,
            relation=at_least(),
            required=False,
            covers="comparator-loss",
            instances=OF_CODES,
        ),
        POWER,
        RATE,
        SQUARE,
        AT_SIZE,
    ],
    rivals=[
        variant(
            "N + 2 logits at every code",
            closed_form=tau * sp.log(N + 2),
            leg="any network",
            instances=instances(small, FIELDS, smoke=1),
        ),
        variant("N + 4 logits", closed_form=tau * (1 - q) ** d * sp.log(N + 4), leg="all codes"),
        *rivals_of(POWER, {"without x^2": "log(1 - x) >= -x"}),
        *rivals_of(RATE, {"a tenth": "log(L)*exp(-L) <= 1/100"}),
        *rivals_of(SQUARE, {"log(2)/100": "log(L)**2*exp(-L) <= log(2)/100"}),
        *rivals_of(AT_SIZE, {"all of it": "exp(-log(L) - y)*L*L >= L"}),
    ],
)

levels_printed = claim(
    "decoupling-loss-level-printed",
    states=["decoupling-stage3-theorem", "decoupling-optimality"],
    title="Losses of Theorem E.1 (d) and Lemma E.11",
    says=r"An average of losses over iterates and the pseudo-loss are $\le\frac C{\log d}$ for some $C$ and all $d$, "
    r"at $C_z=1$, $\tau=1$ and $N=d$, where $\tau(1-q)^d\log(N+1)\ge\frac12$ stands below them.",
    covers="averaged-loss comparator-loss",
    reads={"O": "C"},
    expect="fail",
    **ONE_POINT,
    legs=[
        leg(
            "any network",
            masked_loss,
            closed_form=OF_EMPTY_CODES,
            relation=at_least(),
            required=False,
            instances=NETWORKS,
            lhs="L",
            tex=r"\tau(1-q)^d\log(N+1)",
            covers="averaged-loss",
        ),
        leg(
            "all codes",
            loss_of_codes,
            closed_form=OF_EMPTY_CODES,
            relation=at_least(),
            required=False,
            instances=OF_CODES,
            lhs=r"\tilde L",
            tex=r"\tau(1-q)^d\log(N+1)",
            covers="comparator-loss",
        ),
        formula_leg(
            "some constant",
            typed("L/2 <= C", over=["C in (0, oo)", "L in [Max(2, 2*C + 1), oo)"]),
            over="T t kappa",
            gives="C_z",
        ),
    ],
)
