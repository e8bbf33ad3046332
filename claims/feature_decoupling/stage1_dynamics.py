r"""Induction Hypothesis C.4 under the exact mean dynamics of the first stage.

Setting. Flat dictionary, uniform logits, no bias: a step multiplies sparse coordinates by f = 1 + eta (r q (1 - d/d1)
- lambda), dense ones by 1 - eta (r q d/d1 + lambda), r = 1 - 1/(N + 1) (`masked_gradient`). Printed: g = 1 + eta (q -
lambda), q = C_z log log d/d; rho = d1/d.

Statements. (1) These factors, from q alpha (1 - d/d1), -q (d/d1) beta and negatives without a mean. (2) f <= g:
sparse energy is at most its start times g^(2 t), as C.4 (b) says. (3) C.4 (c) has it at least (g^(2 t) - C/d) times
its start: false for every C. T1 needs E = g^(2 t) of order rho. As (f/g)^(2 t) <= e^-x, x = 2 t eta r q (d/d1)/g >=
log E/(4 rho) (r >= 1/2, g <= 2, 2 t eta q >= log E), the gap E - f^(2 t) is at least E x/(1 + x), which for E >=
rho/2 is at least log(rho/2)/16 : it grows with d1/d.

Reference: lines 646-705. The proof's lower bound has the factor g on every column.
"""

from __future__ import annotations

from fractions import Fraction

from flint import ctx

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

from ._dictionary import ONE_POINT, dot, flat_columns
from ._gaussian import BITS, number
from .masked_gradient import masked


def sparse_energies(w, d, q, eta, decay, N, steps):
    """Energy in the span at the start and after ``steps`` mean steps, flat columns of R^4: the positive gradient over
    all masks and codes, entry by entry; negatives add nothing in the mean."""
    columns = [[x / 2 for x in column] for column in flat_columns(d, 4)]
    axes = [[Fraction(int(i == k)) for i in range(4)] for k in range(4)]
    pull = [[masked(a, v, columns, q) for a in axes] for v in axes]
    out = []
    for t in range(steps + 1):
        out.append(sum((dot(w, c) ** 2 for c in columns), Fraction(0)))
        if t < steps:
            w = [
                (1 - eta * decay) * e + eta * (1 - Fraction(1, N + 1)) * dot(row, w)
                for e, row in zip(w, pull, strict=True)
            ]
    return out[0], out[-1]


def over_its_cap(w, d, q, eta, decay, N, steps):
    """Energy over its start times (1 - eta lambda + eta q)^(2 t). Shape ()."""
    start, end = sparse_energies(w, d, q, eta, decay, N, steps)
    return end / (start * (1 - eta * decay + eta * q) ** (2 * steps))


def one(w, d, q, eta, decay, N, steps):
    return 1


def three_fifths(w, d, q, eta, decay, N, steps):
    return Fraction(3, 5) ** steps


def gap_below(w, d, q, eta, decay, N, steps):
    """(1 - eta lambda + eta q)^(2 t) less the energy over its start. Shape ()."""
    start, end = sparse_energies(w, d, q, eta, decay, N, steps)
    return (1 - eta * decay + eta * q) ** (2 * steps) - end / start


def least_gap(w, d, q, eta, decay, N, steps):
    """log(d1/(2 d))/16. Shape ()."""
    with ctx.workprec(BITS):
        return number(Fraction(4, 2 * d)).log() / 16


def four_times_the_logarithm(w, d, q, eta, decay, N, steps):
    return 64 * least_gap(w, d, q, eta, decay, N, steps)


def a_start(rng):
    return {
        "w": [Fraction(int(rng.integers(1, 9)), 3) for _ in range(4)],
        "d": int(rng.integers(1, 4)),
        "q": Fraction(1, int(rng.integers(2, 5))),
        "eta": Fraction(1, int(rng.integers(2, 9))),
        "decay": Fraction(1, int(rng.integers(20, 90))),
        "N": int(rng.integers(1, 9)),
        "steps": int(rng.integers(2, 9)),
    }


def long_enough(rng):
    """One column, until (1 - eta lambda + eta q)^(2 t) is d1/(2 d) = 2."""
    one = {**a_start(rng), "d": 1, "decay": Fraction(1, 100)}
    factor, steps = 1 + one["eta"] * (one["q"] - one["decay"]), 1
    while factor ** (2 * steps) < 2:
        steps += 1
    return {**one, "steps": steps}


FIELDS = "w d q eta decay N steps"

RATE = ["eta > 0", "q in [0, 1]", "lam >= 0", "N in 1..oo", "d in 1..oo", "D in d..oo"]
SPARSE = formula_leg(
    "sparse factor",
    typed(
        "a + eta*((1 - 1/(N + 1))*(q*a*(1 - d/D)) - lam*a) == a*(1 + eta*((1 - 1/(N + 1))*q*(1 - d/D) - lam))",
        over=[*RATE, "a in R"],
    ),
)
DENSE = formula_leg(
    "dense factor",
    typed(
        "b + eta*((1 - 1/(N + 1))*(-q*(d/D)*b) - lam*b) == b*(1 - eta*((1 - 1/(N + 1))*q*(d/D) + lam))",
        over=[*RATE, "b in R"],
    ),
)
# a negative is independent of x+, and both have mean 0
NEGATIVES = formula_leg(
    "negatives",
    typed(
        "E[R*B*S*C] == 0 and E[g*h] == 0",
        over=[
            "q in [0, 1]",
            "s > 0",
            "R, S ~ Rademacher",
            "B, C ~ Bernoulli(q)",
            "g, h ~ N(0, s**2)",
        ],
    ),
    over="d d1 N eta lambda",
)

factors = claim(
    "decoupling-stage1-factors",
    states="decoupling-stage1-induction",
    title="Factors of a mean step",
    says=r"For a flat $M$ a mean step multiplies sparse coordinates by $1+\eta(rq(1-\frac "
    r"d{d_1})-\lambda)$, dense ones by "
    r"$1-\eta(rq\frac d{d_1}+\lambda)$.",
    role="derived",
    covers="per-step",
    reads={"lambda": "lam", "d1": "D"},
    legs=[SPARSE, DENSE, NEGATIVES],
    rivals=[
        *rivals_of(
            SPARSE,
            {
                "without the loss": "a + eta*((1 - 1/(N + 1))*(q*a*(1 - d/D)) - "
                "lam*a) == a*(1 + eta*((1 - 1/(N + 1))*q - lam))"
            },
        ),
        *rivals_of(
            DENSE,
            {
                "a growing one": "b + eta*((1 - 1/(N + 1))*(-q*(d/D)*b) - lam*b) "
                "== b*(1 + eta*((1 - 1/(N + 1))*q*(d/D) - lam))"
            },
        ),
        *rivals_of(NEGATIVES, {"x itself": "E[R*B*R*B] == 0 and E[g*h] == 0"}),
    ],
)

BELOW = formula_leg(
    "f <= g",
    typed(
        "(1 - 1/(N + 1))*q*(1 - d/D) <= q",
        over=["q in [0, 1]", "N in 1..oo", "d in 1..oo", "D in d..oo"],
    ),
    over="t i O",
)

upper = claim(
    "decoupling-sparse-upper",
    lhs=r"\frac{\|MM^\top w^{(t)}\|^2}{\|MM^\top w^{(0)}\|^2(1-\eta\lambda+\eta q)^{2t}}",
    tex="1",
    states="decoupling-stage1-induction",
    title="Sparse energy from above",
    says=r"In the mean dynamics $\|MM^\top w^{(t)}\|^2\le\|MM^\top w^{(0)}\|^2(1-\eta\lambda+\eta q)^{2t}$.",
    encodes="special-case",
    covers="sparse-upper",
    **ONE_POINT,
    legs=[
        leg(
            "mean steps",
            over_its_cap,
            reference=one,
            relation=at_most(),
            required=False,
            instances=instances(a_start, FIELDS, smoke=2, standard=4),
        ),
        BELOW,
    ],
    rivals=[
        variant("a factor 3/5 each step", reference=three_fifths, leg="mean steps"),
        *rivals_of(BELOW, {"strictly, by half": "(1 - 1/(N + 1))*q*(1 - d/D) <= q/2"}),
    ],
)

# f/g is 1 - y, n is 2 t
FACTOR = formula_leg(
    "quotient of the factors",
    typed("1 - (1 - y)**n >= n*y/(1 + n*y)", over=["y in [0, 1)", "n in 0..oo"]),
    over="t i O",
)
STEPS = formula_leg("steps", typed("log(1 + a) <= a", over="a >= 0"), over="t i O")
# x >= log E/(4 rho): both sides of E x/(1 + x) grow in x and in E
GAP = formula_leg(
    "gap",
    typed(
        "E0*(l/(4*rho))/(1 + l/(4*rho)) == E0*l/(4*rho + l)",
        over=["E0 > 0", "l >= 0", "rho > 0 real"],
    ),
    over="t i O",
)
LOWER = formula_leg(
    "at E = rho/2",
    typed("rho/2*log(rho/2)/(4*rho + log(rho/2)) >= log(rho/2)/16", over="rho in [2, oo)"),
    over="t i O",
)
FAILS = formula_leg(
    "some constant",
    typed("log(rho/2)/16 <= C/d", over=["C > 0", "d in 1..oo", "rho in (2*exp(16*C), oo)"]),
    over="t i O",
)

lower_printed = claim(
    "decoupling-sparse-lower-printed",
    states="decoupling-stage1-induction",
    title="Sparse energy from below as printed",
    says=r"$\|MM^\top w^{(t)}\|^2\ge\big((1-\eta\lambda+\eta q)^{2t}-\frac Cd\big)\|MM^\top w^{(0)}\|^2$ "
    r"up to $T_1$: the gap, at "
    r"least $\frac1{16}\log\frac{d_1}{2d}$, is at most $\frac Cd$.",
    covers="sparse-lower",
    expect="fail",
    legs=[FAILS],
)

gap = claim(
    "decoupling-sparse-gap",
    lhs=r"(1-\eta\lambda+\eta q)^{2t}-\frac{\|MM^\top w^{(t)}\|^2}{\|MM^\top w^{(0)}\|^2}",
    tex=r"\tfrac1{16}\log\tfrac{d_1}{2d}",
    states="decoupling-stage1-induction",
    title="What masks take from the sparse energy",
    says=r"Once $(1-\eta\lambda+\eta q)^{2t}\ge\frac{d_1}{2d}$ the sparse energy is short of it by "
    r"$\frac1{16}\log\frac{d_1}{2d}$ "
    r"times its start at least.",
    role="corrected",
    corrects="decoupling-sparse-lower-printed",
    covers="sparse-lower",
    **ONE_POINT,
    legs=[
        leg(
            "mean steps",
            gap_below,
            reference=least_gap,
            relation=at_least(),
            required=False,
            instances=instances(long_enough, FIELDS, smoke=2, standard=4),
        ),
        FACTOR,
        STEPS,
        GAP,
        LOWER,
    ],
    rivals=[
        variant("4 for a sixteenth", reference=four_times_the_logarithm, leg="mean steps"),
        *rivals_of(FACTOR, {"all of n y": "1 - (1 - y)**n >= n*y"}),
        *rivals_of(STEPS, {"a/2": "log(1 + a) <= a/2"}),
        *rivals_of(GAP, {"rho for 4 rho": "E0*(l/(4*rho))/(1 + l/(4*rho)) == E0*l/(rho + l)"}),
        *rivals_of(LOWER, {"an eighth": "rho/2*log(rho/2)/(4*rho + log(rho/2)) >= log(rho/2)/8"}),
    ],
)
