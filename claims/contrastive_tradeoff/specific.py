"""Proposition 7.4: pre-training on one task only.

Setting. `_gaussian` with pre-training data from D_t alone, T tasks, budget |W|_2 <= 1, |W|_F <= sqrt(r).

Statements. (1) Every optimum is a rotation of z_{R_t}: H = I on R_t and 0 elsewhere, if ell strictly decreases, so that
W M = Q on R_t and 0 elsewhere, Q its columns there, Q^T Q = I. With
D = E g(X + W) > 0 (see `mixture_weights`) the loss is at least the optimum's plus D (r - tr H_{R_t}), and tr
H_{R_t} = r needs H_{R_t} = I and nothing elsewhere. (2) The complexity of linear predictors of norm |u*| is |u*| E|z|/
sqrt(m) <= |u*| sqrt(r/m), z ~ N(0, I_r), by Jensen for the root; E|z| = sqrt(2) Gamma((r+1)/2)/Gamma(r/2). (3) On a
task D_i, i != t, the representation is Q z_S: every linear predictor is a linear function of z_S, so that its error
is at least the least one of those; for the squared error that is |u_{P_i}|^2.

Reference: Proposition 7.4 = F.7, lines 2042-2050 and 9808-9820.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_least,
    at_most,
    attained,
    certificate,
    claim,
    equals,
    formula_leg,
    instances,
    integers,
    leg,
    matrices,
    minimises,
    reaching,
    reals,
    rivals_of,
    search,
    typed,
    variant,
)
from theorycheck.blocks.rational_matrices import rational_rows
from theorycheck.blocks.stated import norm_at_most, semidefinite, trace_at_most

from ._gaussian import exponential_loss, gram, inverse_square_losses, task_coordinates
from ._hinges import BELOW_RIVALS, below

s, r, t = sp.symbols("s r t", integer=True, positive=True)
rate = sp.Symbol("rate", positive=True)


# ---- what is learned


def loss(ns, H, r):
    """E exp(-z^T H z) on the task alone, its coordinates first. H (B, n, n), shape (B,)."""
    return exponential_loss(ns, H, r, 0, 1)


def at_identity(ns, r):
    """I on R_t, 0 on three further coordinates. Shape ()."""
    return loss(ns, ns.diag(ns.asarray([1] * r + [0] * 3))[None], r)[0]


def tangent(ns, r, own=1):
    """The bound of the docstring: value at ``own`` I, slope from one step in one direction, tr H_{R_t} at most r.
    Shape ()."""
    at = [ns.diag(ns.asarray([own + step] + [own] * (r - 1) + [0] * 3)) for step in (0, 1)]
    here, there = (1 / loss(ns, H[None], r)[0] ** 2 for H in at)
    slope = (there / here - 1) / (2 * ns.sqrt(here))
    gained = ns.relu(slope) * r - slope * ns.trace(at[0])
    return 1 / ns.sqrt(here) - gained


def tangent_at_half(ns, r):
    """The bound from I/2, which is not the least loss. Shape ()."""
    return tangent(ns, r, own=Fraction(1, 2))


def at_half(ns, r):
    """The loss of I/2, which is no bound. Shape ()."""
    return loss(ns, ns.diag(ns.asarray([Fraction(1, 2)] * r + [0] * 3))[None], r)[0]


def feasible(rng, r):
    """H = Q diag(e) Q^T, 0 <= e <= 1, sum e <= r, on R_t and three further coordinates."""
    n = r + 3
    Q = rational_rows(rng.orthogonal_rational(n))
    raw = [Fraction(int(rng.integers(0, 9)), 8) for _ in range(n)]
    scale = min(Fraction(1), Fraction(r) / max(sum(raw), Fraction(1)))
    return {
        "H": [
            [sum(Q[a][k] * scale * raw[k] * Q[b][k] for k in range(n)) for b in range(n)]
            for a in range(n)
        ]
    }


def gap_to_even_weight(ns, H, r, sign=1):
    """The loss of H less that of its mean weight on R_t for all of its directions. H (B, n, n), shape (B,)."""
    own = ns.mean(ns.diagonal(H)[:, :r], axis=1)
    alike = own[:, None, None] * ns.diag(ns.asarray([1] * r + [0] * 3))
    return sign * (loss(ns, H, r) - loss(ns, alike, r))


def gap_from_even_weight(ns, H, r):
    return gap_to_even_weight(ns, H, r, sign=-1)


def above_identity(ns, H, r, sign=1):
    """The loss of H less that of I on R_t. Shape (B,)."""
    return sign * (loss(ns, H, r) - at_identity(ns, r))


def below_identity(ns, H, r):
    return above_identity(ns, H, r, sign=-1)


FEASIBLE = instances(
    feasible,
    {"H": matrices(r + 3, r + 3)},
    where=(semidefinite("H"), norm_at_most("H"), trace_at_most("H", "r")),
    smoke=3,
    standard=6,
)

learned = claim(
    "contrastive-specific-exponential",
    lhs=r"\min_W\ \mathbb E_t\,e^{-\phi(x)^\top\phi(x^+)}",
    tex=r"3^{-r/2}",
    states="contrastive-specific",
    title="Pre-training on one task, for the exponential loss",
    says=r"Among all $0 \preceq H \preceq I$ of trace at most $r$ the least loss is $3^{-r/2}$, "
    "at $H = I$ on $R_t$.",
    role="derived",
    domain={r: integers(1)},
    grid={"smoke": {r: [1, 2, 4]}, "standard": {r: [1, 3, 5, 8]}},
    closed_form=3 ** (-r / sp.Integer(2)),
    relation=minimises(),
    legs=[
        attained(at_identity),
        certificate(tangent),
        search(loss, name="drawn H", instances=FEASIBLE),
        leg(
            "drawn H are no better",
            above_identity,
            relation=at_least(),
            required=False,
            unit=1,
            closed_form=0 * r,
            lhs=r"\mathrm{loss}(H)-\mathrm{loss}(I_{R_t})",
            tex="0",
            instances=FEASIBLE,
        ),
        leg(
            "an even weight does better",
            gap_to_even_weight,
            relation=at_least(),
            required=False,
            unit=1,
            closed_form=0 * r,
            lhs=r"\mathrm{loss}(H)-\mathrm{loss}(\tfrac1r\operatorname{tr}H_{R_t}\,I)",
            tex="0",
            instances=FEASIBLE,
        ),
        leg("bound from I/2", tangent_at_half, relation=at_most(), required=False),
        leg(
            "what it is",
            tangent_at_half,
            relation=equals(),
            required=False,
            unit=1,
            closed_form=2 ** (-r / sp.Integer(2)) * (1 - r / sp.Integer(4)),
            lhs=r"f(\tfrac12I)-\tfrac r2f'(\tfrac12I)",
            tex=r"2^{-r/2}(1-\tfrac r4)",
        ),
    ],
    rivals=[
        variant(
            "an even weight does worse",
            simulation=gap_from_even_weight,
            leg="an even weight does better",
        ),
        variant("drawn H are better", simulation=below_identity, leg="drawn H are no better"),
        variant("the loss of I/2 as a bound", simulation=at_half, leg="bound from I/2"),
        variant(
            "with twice the slope",
            closed_form=2 ** (-r / sp.Integer(2)) * (1 - r / sp.Integer(2)),
            leg="what it is",
        ),
        variant(
            "weights r/(r + 3)",
            closed_form=(1 + 2 * r / (r + sp.Integer(3))) ** (-r / sp.Integer(2)),
        ),
        variant("2^(-r/2)", closed_form=2 ** (-r / sp.Integer(2))),
    ],
)


def on_task_t(ns, H, s, r, t, rate):
    """E exp(-rate z^T H z) on task t of t + 1. H (B, n, n), shape (B,)."""
    return 1 / ns.sqrt(inverse_square_losses(ns, rate * H, s, r - s, t + 1)[:, t - 1])


def own_coordinates(s, r, t):
    """Where S and P_t stand, t from 1."""
    return task_coordinates(s, r - s, t - 1)


def own_identity(s, r, t, own=1):
    """``own`` I on R_t, 0 on the other coordinates and on one of U."""
    at = own_coordinates(s, r, t)
    size = s + (t + 1) * (r - s) + 1
    return [[own * int(i == j and i in at) for j in range(size)] for i in range(size)]


def gap_to_identity(ns, W, s, r, t, rate):
    """The loss of W less that of I on R_t. W (B, k, n), shape (B,)."""
    return on_task_t(ns, gram(ns, W), s, r, t, rate) - on_task_t(
        ns, ns.asarray([own_identity(s, r, t)]), s, r, t, rate
    )


def feasible_on_all(rng, s, r, t):
    """W = diag(e) Q^T with 0 <= e <= 1, sum e^2 <= r, on S, t + 1 private blocks and one coordinate of U."""
    n = s + (t + 1) * (r - s) + 1
    Q = rational_rows(rng.orthogonal_rational(n))
    raw = [Fraction(int(rng.integers(0, 9)), 9) for _ in range(n)]
    spent = sum(e * e for e in raw)
    scale = max(Fraction(j, 16) for j in range(17) if Fraction(j, 16) ** 2 * spent <= r)
    return {"W": [[scale * raw[k] * Q[a][k] for a in range(n)] for k in range(n)]}


def within_budget(W, r):
    """|W|_F^2 <= r."""
    return sum(x * x for row in W for x in row) <= r


SIZE = s + (t + 1) * (r - s) + 1
ON_ALL = instances(
    feasible_on_all,
    {"W": matrices(SIZE, SIZE)},
    where=(norm_at_most("W"), within_budget),
    smoke=3,
    standard=6,
)


def of_one_weight_less(rng, s, r, t):
    """I on R_t but for a weight of (999/1000)^2, with 1/25 on U, within the budget."""
    W = [list(map(Fraction, row)) for row in own_identity(s, r, t)]
    W[0][0], W[-1][-1] = Fraction(999, 1000), Fraction(1, 25)
    return {"W": W}


def of_half_weights(rng, s, r, t):
    """I/2 on R_t, of weights 1/4."""
    return {"W": own_identity(s, r, t, Fraction(1, 2))}


def gap_to_mean_weight(ns, W, s, r, t, rate, sign=1):
    """The loss of W less that of the mean weight on R_t for all of its directions. W (B, k, n), shape (B,)."""
    at = ns.indices(own_coordinates(s, r, t))
    own = ns.mean(ns.take(ns.sum(W * W, axis=1), at, axis=1), axis=1)
    alike = own[:, None, None] * ns.asarray([own_identity(s, r, t)])
    return sign * (on_task_t(ns, gram(ns, W), s, r, t, rate) - on_task_t(ns, alike, s, r, t, rate))


def gap_from_mean_weight(ns, W, s, r, t, rate):
    return gap_to_mean_weight(ns, W, s, r, t, rate, sign=-1)


def an_optimum(rng, s, r, t):
    """W with W^T W = I on R_t and 0 elsewhere, of r + 1 rows, and a z."""
    U = rational_rows(rng.orthogonal_rational(r + 1))
    at = own_coordinates(s, r, t)
    size = s + (t + 1) * (r - s) + 1
    W = [[row[at.index(j)] if j in at else 0 for j in range(size)] for row in U]
    return {"W": W, "z": rng.rational((size,), 4)}


def own_columns(ns, W, s, r, t):
    """Q: the columns of W that R_t has. Shape (B, r + 1, r)."""
    return ns.take(W, ns.indices(own_coordinates(s, r, t)), axis=2)


def first_columns(ns, W, s, r, t):
    return W[:, :, 1 : r + 1]


def rotation(ns, W, z, s, r, t, choose=own_columns):
    """Q z_{R_t}, and Q^T Q, row by row. Shape (B, r + 1 + r r)."""
    Q = choose(ns, W, s, r, t)
    own = ns.take(z, ns.indices(own_coordinates(s, r, t)), axis=1)
    return ns.concat(
        [ns.einsum("zkr,zr->zk", Q, own), ns.reshape(gram(ns, Q), (z.shape[0], r * r))], axis=1
    )


def identity_columns(ns, W, s, r, t):
    """As if Q were I."""
    return ns.broadcast_to(ns.eye(r + 1)[:, :r], (W.shape[0], r + 1, r))


def not_rotated(ns, W, z, s, r, t):
    return rotation(ns, W, z, s, r, t, choose=identity_columns)


def rotation_of_others(ns, W, z, s, r, t):
    return rotation(ns, W, z, s, r, t, choose=first_columns)


def the_map_itself(ns, W, z, s, r, t, half=False):
    """W z, and I. Shape (B, r + 1 + r r)."""
    one = ns.reshape(ns.eye(r), (1, r * r)) / (2 if half else 1)
    return ns.concat(
        [ns.einsum("zkn,zn->zk", W, z), ns.broadcast_to(one, (z.shape[0], r * r))], axis=1
    )


def half_of_it(ns, W, z, s, r, t):
    return the_map_itself(ns, W, z, s, r, t, half=True)


def value(weight):
    """The loss at ``weight`` I on R_t."""
    return (1 + 2 * rate * weight) ** (-r / sp.Integer(2))


STRICT = formula_leg(
    "budget", typed("D*a < D*n", over=["n in 1..oo", "D in (0, oo)", "a in [0, n)"])
)
POLAR = formula_leg(
    "a weight below 1 leaves trace",
    typed("(n - 1) + h < n", over=["n in 1..oo", "h in [0, 1)"]),
)

ELSEWHERE = formula_leg(
    "what the budget leaves elsewhere",
    typed("u == 0", over=["n in 1..oo", "a in [0, n]", "u in [0, n - a]"], where="a == n"),
)

weights = claim(
    "contrastive-specific-weights",
    states="contrastive-specific",
    lhs=r"\mathrm{loss}(H)-\mathrm{loss}(I_{R_t})",
    tex=r"0",
    title="All weights are 1",
    says=r"For $\ell(t) = e^{-ct}$, of every rate $c > 0$, each drawn $W$ whose $H$ is not $I$ on "
    r"$R_t$ has a larger loss on task $t$; for every $\ell$ the gain "
    r"$D\,\mathrm{tr}\,H_{R_t}$ is below $D r$ unless $\mathrm{tr}\,H_{R_t} = r$, and one "
    "weight below 1 leaves less.",
    encodes="special-case",
    covers="weights-one",
    reads={"ell": "rate", "phi_t_star": "W"},
    relation=at_least(strict=True),
    domain={s: integers(1), r: integers(1), t: integers(1), rate: reals(0, low_open=True)},
    where=sp.Le(s, r),
    grid={
        "smoke": [
            {s: 1, r: 2, t: 1, rate: 1},
            {s: 2, r: 3, t: 2, rate: Fraction(1, 4)},
            {s: 2, r: 2, t: 1, rate: 4},
        ],
        "standard": [
            {s: 1, r: 1 + n, t: k, rate: v}
            for n in (0, 2)
            for k in (1, 3)
            for v in (Fraction(1, 2), 2)
        ],
    },
    closed_form=0 * t,
    legs=[
        leg(
            "drawn H",
            gap_to_identity,
            unit=1,
            instances=ON_ALL,
        ),
        leg(
            "their mean weight does better",
            gap_to_mean_weight,
            relation=at_least(),
            required=False,
            unit=1,
            lhs=r"\mathrm{loss}(H)-\mathrm{loss}(\tfrac1r\operatorname{tr}H_{R_t}\,I_{R_t})",
            instances=ON_ALL,
        ),
        leg(
            "one weight less",
            gap_to_identity,
            unit=1,
            instances=instances(of_one_weight_less, "W", smoke=1),
        ),
        leg(
            "half of it",
            gap_to_identity,
            relation=equals(),
            closed_form=value(sp.Rational(1, 4)) - value(1),
            required=False,
            lhs=r"\mathrm{loss}(\tfrac14I_{R_t})-\mathrm{loss}(I_{R_t})",
            tex=r"(1+\lambda/2)^{-r/2}-(1+2\lambda)^{-r/2}",
            instances=instances(of_half_weights, "W", smoke=1),
        ),
        leg(
            "a rotation",
            rotation,
            arithmetic="rational",
            reference=the_map_itself,
            relation=equals(),
            gives="Q",
            chosen_by=own_columns,
            lhs=r"(Qz_{R_t},\ Q^\top Q)",
            tex=r"(\phi_t^*(x),\ I)",
            instances=instances(an_optimum, "W z", smoke=3, standard=6),
        ),
        STRICT,
        POLAR,
        ELSEWHERE,
        below(),
    ],
    rivals=[
        variant("by 1", closed_form=1 + 0 * t, leg="drawn H"),
        variant(
            "their mean weight does worse",
            simulation=gap_from_mean_weight,
            leg="their mean weight does better",
        ),
        variant("a third of it", closed_form=value(sp.Rational(1, 3)) - value(1), leg="half of it"),
        variant("other columns", simulation=rotation_of_others, leg="a rotation"),
        variant("not rotated", simulation=not_rotated, leg="a rotation"),
        variant("half a rotation", reference=half_of_it, leg="a rotation"),
        variant("by 1/10", leg="one weight less", closed_form=sp.Rational(1, 10) + 0 * t),
        *rivals_of(
            STRICT, {"D = 0 as well": {"over": ["n in 1..oo", "D in [0, oo)", "a in [0, n)"]}}
        ),
        *reaching(STRICT, "n > 100 and D > 100 and a > 100"),
        *rivals_of(
            ELSEWHERE,
            {"without the budget": {"over": ["n in 1..oo", "a in [0, n]", "u in [0, oo)"]}},
        ),
        *rivals_of(POLAR, {"h = 1 as well": {"over": ["n in 1..oo", "h in [0, 1]"]}}),
        *BELOW_RIVALS,
    ],
)


# ---- its complexity


def mean_length(ns, r):
    """E|z| of N(0, I_r) from E|z|_1 = sqrt(2/pi), E|z|_2 = sqrt(pi/2) and E|z|_{r+2} = E|z|_r (r + 1)/r. Shape ()."""
    found = ns.sqrt(2 / ns.pi) if r % 2 else ns.sqrt(ns.pi / 2)
    for k in range(2 - r % 2, r, 2):
        found = found * (k + 1) / k
    return found


ROOT = formula_leg(
    "tangent of the root",
    typed("sqrt(x) <= (x + r)/(2*sqrt(r))", over=["x in [0, oo)", "r in 1..oo", "m in 1..oo"]),
)
ROOT_R = sp.sqrt(r)
MEAN = formula_leg(
    "at the mean",
    typed(
        f"(r + r)/(2*sqrt(r)) == {ROOT_R} and {ROOT_R}/sqrt(m) == sqrt(r/m)",
        over=["r in 1..oo", "m in 1..oo"],
    ),
    over="sample",
)

# For m >= r the minimiser is exact, see `mixture_risk`.
BEYOND = formula_leg(
    "above every risk for m < r",
    typed("4*sqrt(r/q) > 2*sqrt(2/pi)", over=["r in 1..oo", "q in 1..r"]),
)

complexity = claim(
    "contrastive-specific-complexity",
    lhs=r"\mathbb E|z|",
    tex=r"\sqrt r",
    states="contrastive-specific",
    title="Complexity of linear predictors on the specific representation",
    says=r"$\mathbb{E}|z| \le \sqrt{r}$, so that the complexity is at most $|u^*|\sqrt{r/m}$; for "
    "$m < r$ the bound is above the risk of every predictor of the class.",
    covers="risk",
    domain={r: integers(1)},
    grid={"smoke": {r: [1, 2, 7, 40, 1000]}, "standard": {r: [1, 3, 10, 100, 10000]}},
    closed_form=ROOT_R,
    relation=at_most(),
    legs=[
        leg("by recursion", mean_length, required=False),
        leg(
            "not far below",
            mean_length,
            required=False,
            relation=at_least(),
            closed_form=sp.sqrt(r - sp.Rational(1, 2)),
            lhs=r"\mathbb E|z|",
            tex=r"\sqrt{r-\frac12}",
        ),
        ROOT,
        MEAN,
        BEYOND,
    ],
    rivals=[
        variant("sqrt(r - 1/4)", closed_form=sp.sqrt(r - sp.Rational(1, 4)), leg="not far below"),
        variant("sqrt(r - 3/4)", closed_form=sp.sqrt(r - sp.Rational(3, 4)), leg="by recursion"),
        *reaching(ROOT, "x > 100 and r > 100"),
        *rivals_of(ROOT, {"half": "sqrt(x) <= (x + r)/(4*sqrt(r))"}),
        *rivals_of(
            BEYOND,
            {
                "for every m": {"over": ["r in 1..oo", "q in 1..oo"]},
                "above 4, of m below r": "4*sqrt(r/q) > 4",
            },
        ),
        *rivals_of(MEAN, {"r/m": f"(r + r)/(2*sqrt(r)) == {ROOT_R} and {ROOT_R}/sqrt(m) == r/m"}),
    ],
)
