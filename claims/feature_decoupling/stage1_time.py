r"""How long the first stage takes (A.2 and section C).

Setting. Flat dictionary, uniform logits, no bias: a mean step multiplies the d sparse coordinates by f = 1 + eta (r q
(1 - d/d1) - lambda), the dense ones by g = 1 - eta (r q d/d1 + lambda), r = 1 - 1/(N + 1) (`stage1_dynamics`), with 0
< g <= 1 < f. At the start all coordinates have the same mean square: the average neuron has the energy d f^(2 t) + (d1
- d) g^(2 t) after t steps, d1 at the start. T1 is the first t at which it is G d1 at least.

Statements. T = log sqrt((G - 1)(d1 - d)/d)/log f. (1) T <= T1 <= log sqrt(G d1/d)/log f + 1: sparse energy that is
below (G - 1)(d1 - d) does not do, G d1 does. The ends differ by 1 + log(G/((G - 1)(1 - d/d1)))/(2 log f), which T
leaves behind as d1/d grows. (2) For d1 = d^k, k > 1, q = C_z log log d/d, lambda <= q/8, d1 >= 2 d, eta <= 1 and d^((k
- 1)/2) >= 1 + 1/(G - 1): (k - 1) log d/(4 eta q) <= T1 <= (1 + 8/(eta q))(log G + k - 1) log d/2 + 1, which is the
order d log d/(eta log log d).

Reference: lines 340, 559 and 642. Five values of G are printed; that all neurons have grown comes later than that the
average has.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import sympy as sp
from flint import arb, ctx

from theorycheck import (
    at_least,
    at_most,
    claim,
    formula_leg,
    instances,
    leg,
    rivals_of,
    typed,
    variant,
)

from ._dictionary import ONE_POINT, codes, dot, flat_columns
from ._gaussian import BITS, number

d, d1, N = sp.symbols("d d1 N", integer=True, positive=True)
G, eta, q = sp.symbols("G eta q", positive=True)
lam = sp.Symbol("lam", nonnegative=True)
F = 1 + eta * ((1 - 1 / (N + 1)) * q * (1 - d / d1) - lam)
"""The factor of sparse coordinates in a step."""
f = sp.Symbol("f", positive=True)
EARLIEST = sp.log(sp.sqrt((G - 1) * (d1 - d) / d)) / sp.log(f)
LATEST = sp.log(sp.sqrt(G * d1 / d)) / sp.log(f)


def pull(d, d1, q, masks):
    """E 2 (I - D) M z (2 D M z)^T over all masks and codes, entry by entry. ``masks`` gives the pairs of views."""
    columns = [[x / root(d1) for x in column] for column in flat_columns(d, d1)]
    out = [[Fraction(0)] * d1 for _ in range(d1)]
    views = masks(d1)
    for z, p in codes(d, q):
        x = [sum((z[j] * columns[j][k] for j in range(d)), Fraction(0)) for k in range(d1)]
        for first, second in views:
            for k in range(d1):
                for l in range(d1):
                    out[k][l] += p * first[k] * x[k] * second[l] * x[l] / len(views)
    return out


def root(d1):
    return {1: 1, 4: 2, 16: 4}[d1]


def complementary(n):
    """The two views of every mask."""
    return [([2 - 2 * e for e in D], [2 * e for e in D]) for D in product((0, 1), repeat=n)]


def unmasked(n):
    return [([1] * n, [1] * n)]


def mean_step(d, d1, q, eta, lam, N, masks):
    """(1 - eta lambda) I + eta r E 2 (I - D) M z (2 D M z)^T."""
    gains = pull(d, d1, q, masks)
    r = Fraction(N, N + 1)
    return [
        [(k == l) * (1 - eta * lam) + eta * r * gains[k][l] for l in range(d1)] for k in range(d1)
    ]


def sparse_factor(d, d1, q, eta, lam, N, masks=complementary):
    """<M_1, step M_1>. Shape ()."""
    column = [x / root(d1) for x in flat_columns(d, d1)[0]]
    step = mean_step(d, d1, q, eta, lam, N, masks)
    return sum((x * dot(row, column) for x, row in zip(column, step, strict=True)), Fraction(0))


def unmasked_factor(d, d1, q, eta, lam, N):
    return sparse_factor(d, d1, q, eta, lam, N, masks=unmasked)


def first_time(d, d1, q, eta, lam, N, G, masks=complementary):
    """Steps until the mean energy over all directions of the start is G times as large. Shape ()."""
    with ctx.workprec(BITS):
        step = [[number(x) for x in row] for row in mean_step(d, d1, q, eta, lam, N, masks)]
        held, t = [[arb(k == l) for l in range(d1)] for k in range(d1)], 0
        while sum((x * x for row in held for x in row), arb(0)) < number(G * d1):
            held = [
                [
                    sum((a * row[l] for a, row in zip(w, step, strict=True)), arb(0))
                    for l in range(d1)
                ]
                for w in held
            ]
            t += 1
        return {"value": t, "f": sparse_factor(d, d1, q, eta, lam, N)}


def without_masks(d, d1, q, eta, lam, N, G):
    return first_time(d, d1, q, eta, lam, N, G, masks=unmasked)


def a_run(rng):
    """Sizes of a flat dictionary and rates with lambda below half of the gain."""
    q = Fraction(1, int(rng.integers(1, 5)))
    return {
        "d": int(rng.integers(1, 3)),
        "d1": 4,
        "q": q,
        "eta": Fraction(1, int(rng.integers(1, 5))),
        "lam": q / int(rng.integers(9, 40)),
        "N": int(rng.integers(1, 9)),
        "G": Fraction(int(rng.integers(5, 40)), 2),
    }


RUNS = instances(a_run, "d d1 q eta lam N G", smoke=6, standard=16)
SIZES = [
    "d in 1..oo",
    "d1 in (d + 1)..oo",
    "N in 1..oo",
    "eta in (0, oo)",
    "q in (0, 1]",
    "lam in [0, oo)",
]

NOT_YET = formula_leg(
    "not before",
    typed(
        "d*f**(2*t) + (d1 - d)*y < G*d1",
        over=[
            "d in 1..oo",
            "d1 in (d + 1)..oo",
            "G in (1 + d/(d1 - d), oo)",
            "f in (1, oo)",
            "y in (0, 1]",
            "t in [0, log(sqrt((G - 1)*(d1 - d)/d))/log(f))",
        ],
    ),
    over="eta lambda",
)
FACTOR = formula_leg(
    "the factor of a step",
    typed(
        f"a + eta*((1 - 1/(N + 1))*(q*a*(1 - d/d1)) - lam*a) == a*({F})", over=[*SIZES, "a in R"]
    ),
    over="G",
)
ENERGY = ["d in 1..oo", "d1 in (d + 1)..oo"]
NOT_YET = formula_leg(
    "not before",
    typed(
        "d*f**(2*t) + (d1 - d)*y < G*d1",
        over=[
            *ENERGY,
            "G in (1 + d/(d1 - d), oo)",
            "f in (1, oo)",
            "y in (0, 1]",
            f"t in [0, {EARLIEST})",
        ],
    ),
    over="eta lambda",
)
BY_THEN = formula_leg(
    "by then",
    typed(
        "d*f**(2*t) + (d1 - d)*y >= G*d1",
        over=[*ENERGY, "G in (1, oo)", "f in (1, oo)", "y in (0, 1]", f"t in [{LATEST}, oo)"],
    ),
    over="eta lambda",
)

RATES = ["q in (0, 1]", "N in 1..oo", "rho in [2, oo)", "lam in [0, q/8]"]
SLOW = formula_leg(
    "logarithm from above",
    typed(
        "log(1 + eta*((1 - 1/(N + 1))*q*(1 - 1/rho) - lam)) <= eta*q",
        over=["eta in (0, 1]", *RATES],
    ),
    over="d d1 G",
)
GAIN = formula_leg(
    "the gain", typed("(1 - 1/(N + 1))*q*(1 - 1/rho) - lam >= q/8", over=RATES), over="d d1 G eta"
)
FAST = formula_leg(
    "logarithm from below",
    typed("log(1 + x) >= 1/(1 + 1/x)", over="x in (0, oo)"),
    over="d d1 G eta lambda",
)
# u is d^((k - 1)/2)
EVENTUALLY = formula_leg(
    "large d",
    typed("(G - 1)*(u**2 - 1) >= u", over=["G in (1, oo)", "u in [1 + 1/(G - 1), oo)"]),
    over="d d1 eta lambda",
)
ORDER = formula_leg(
    "order",
    typed("log(G) + k*L <= (log(G) + k)*L", over=["G in (1, oo)", "k in (0, oo)", "L in [1, oo)"]),
    over="d d1 eta lambda",
)

times = claim(
    "decoupling-stage1-time",
    lhs="T_1",
    states="decoupling-stage-times",
    title="Length of the first stage",
    says=r"In the mean dynamics of a flat $M$ the average neuron has $0\le T_1-\frac{\log\sqrt{(G-1)(d_1-d)/d}}"
    r"{\log(1+\eta(rq(1-d/d_1)-\lambda))}\le1+\frac{\log(G/((G-1)(1-d/d_1)))}{2\log(1+\eta(rq(1-d/d_1)-\lambda))}$: "
    r"$T_1=\Theta(\frac{d\log d}{\eta\log\log d})$ for $d_1=d^k$.",
    role="reading",
    covers="T1-order",
    reads={"lambda": "lam"},
    **ONE_POINT,
    legs=[
        leg(
            "the factor",
            sparse_factor,
            closed_form=F,
            required=False,
            instances=RUNS,
            lhs="f",
            tex=r"1+\eta(rq(1-\tfrac d{d_1})-\lambda)",
        ),
        leg(
            "first time, from below",
            first_time,
            closed_form=EARLIEST,
            relation=at_least(),
            required=False,
            observed=["f"],
            instances=RUNS,
            lhs="T_1",
            tex=r"\frac{\log\sqrt{(G-1)(d_1-d)/d}}{\log f}",
        ),
        leg(
            "first time, from above",
            first_time,
            closed_form=LATEST + 1,
            relation=at_most(),
            required=False,
            observed=["f"],
            instances=RUNS,
            lhs="T_1",
            tex=r"\frac{\log\sqrt{Gd_1/d}}{\log f}+1",
        ),
        FACTOR,
        NOT_YET,
        BY_THEN,
        SLOW,
        GAIN,
        FAST,
        EVENTUALLY,
        ORDER,
    ],
    rivals=[
        variant(
            "without the loss 1 - d/d1",
            closed_form=1 + eta * ((1 - 1 / (N + 1)) * q - lam),
            leg="the factor",
        ),
        variant("no masks", simulation=unmasked_factor, leg="the factor"),
        variant("twice the time", closed_form=2 * EARLIEST, leg="first time, from below"),
        variant("without masks", simulation=without_masks, leg="first time, from below"),
        variant(
            "half the time and a step", closed_form=LATEST / 2 + 1, leg="first time, from above"
        ),
        *rivals_of(
            FACTOR,
            {
                "a loss of 2 d/d1": f"a + eta*((1 - 1/(N + 1))*(q*a*(1 - 2*d/d1)) - lam*a) == a*({F})"
            },
        ),
        *rivals_of(
            NOT_YET,
            {
                "up to G d1": {
                    "over": [
                        *ENERGY,
                        "G in (1 + d/(d1 - d), oo)",
                        "f in (1, oo)",
                        "y in (0, 1]",
                        f"t in [0, {LATEST})",
                    ]
                }
            },
        ),
        *rivals_of(
            BY_THEN,
            {
                "from (G - 1)(d1 - d) on": {
                    "over": [
                        *ENERGY,
                        "G in (2, oo)",
                        "f in (1, oo)",
                        "y in (0, 1]",
                        f"t in [{EARLIEST}, oo)",
                    ]
                }
            },
        ),
        *rivals_of(SLOW, {"half": "log(1 + eta*((1 - 1/(N + 1))*q*(1 - 1/rho) - lam)) <= eta*q/2"}),
        *rivals_of(
            GAIN,
            {
                "lambda up to q/4": {
                    "over": ["q in (0, 1]", "N in 1..oo", "rho in [2, oo)", "lam in [0, q/4]"]
                }
            },
        ),
        *rivals_of(FAST, {"x itself": "log(1 + x) >= x"}),
        *rivals_of(EVENTUALLY, {"every d": {"over": ["G in (1, oo)", "u in (1, oo)"]}}),
        *rivals_of(ORDER, {"free of G": "log(G) + k*L <= k*L"}),
    ],
)
