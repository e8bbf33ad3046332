"""Proposition 7.3, representation: which optima there are on an even mixture.

Setting. As in `mixture_weights`: H = (W M)^T (W M), psd, H <= I, tr H <= r; H* = 1 on S, 1/T on every private
coordinate, 0 on U.

Statements. (1) Every optimum has the blocks of H* on each R_t if ell is strictly convex, and (2) no U block if ell
strictly decreases. (3) As printed the representation obtained is H* up to rotation. False for every T >= 2:
(z_S, T^{-1/2} sum_t z_{P_t}), of rank r, has the same blocks on every R_t, and merges the private features.

Strict convexity is needed for (1): of ell(t) = -t only tr H_S and the sum of the tr H_{P_t} count. The losses that are
run are u e^{-ct} + (1 - u)(1 - ct) with 0 < u <= 1, as near to a line as one likes.

Proof. In the chain of `mixture_weights` each inequality is strict where the blocks differ, or where U is used.

Reference: Proposition 7.3 = F.6, lines 2033-2041 and 9780-9806.
"""

from __future__ import annotations

import itertools
from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_least,
    choices,
    claim,
    equals,
    formula_leg,
    instances,
    integers,
    leg,
    reaching,
    reals,
    rivals_of,
    typed,
    variant,
)

from ._gaussian import inverse_square_losses, task_coordinates
from .mixture_weights import (
    CELLS,
    DRAWN,
    EQUAL,
    SIZES,
    T,
    diagonal_weights,
    loss,
    merged,
    r,
    rate,
    s,
    slopes,
    sqrt_value,
)

optimum = sp.Symbol("optimum")
PLAIN, MERGED = "diagonal", "merged"


def gram_of(ns, optimum, s, r, T):
    """H of one of the two optima; all entries move by what they lack to be feasible and of one loss. Shape (n, n)."""
    found = {PLAIN: diagonal_weights(s, r, T, 1, Fraction(1, T)), MERGED: merged(s, r, T)}
    both = ns.asarray([found[PLAIN], found[MERGED]])
    dets = inverse_square_losses(ns, both, s, r - s, T)
    trace = ns.trace(both)
    # H^2 = H with the merged private part an orthogonal projector; the diagonal one has entries in [0, 1]
    square = ns.matmul(both[1], both[1])
    lacking = ns.sum(ns.abs(dets[0] - dets[1])) + ns.sum(ns.abs(trace - r))
    lacking = lacking + ns.sum(ns.abs(square - both[1]))
    return both[0 if optimum == PLAIN else 1] + lacking


def across_tasks(ns, optimum, s, r, T):
    """The sum of the entries between private features of different tasks. Shape ()."""
    H = gram_of(ns, optimum, s, r, T)[s:-1, s:-1]
    own = 0
    for t in range(T):
        first = t * (r - s)
        own = own + ns.sum(H[first : first + r - s, first : first + r - s])
    return ns.sum(H) - own


def stated_across(ns, optimum, s, r, T):
    """0 at the diagonal optimum, (r - s)(T - 1) at the merged one. Shape ()."""
    return ns.asarray(0 if optimum == PLAIN else (r - s) * (T - 1))


def across_with_own(ns, optimum, s, r, T):
    """With the blocks of the tasks themselves. Shape ()."""
    return ns.sum(gram_of(ns, optimum, s, r, T)[s:-1, s:-1])


def every_block(ns, optimum, s, r, T):
    """The blocks of R_1 ... R_T. Shape (T, r, r)."""
    H = gram_of(ns, optimum, s, r, T)
    blocks = []
    for t in range(T):
        at = ns.indices([*range(s), *range(s + t * (r - s), s + (t + 1) * (r - s))])
        blocks.append(ns.take(ns.take(H, at, axis=0), at, axis=1))
    return ns.stack(blocks, axis=0)


def alike(ns, weights, T):
    """The same diagonal block for each task. Shape (T, r, r)."""
    return ns.stack([ns.diag(ns.asarray(weights))] * T, axis=0)


def stated_blocks(ns, optimum, s, r, T):
    """diag(1 on S, 1/T on P_t)."""
    return alike(ns, [1] * s + [Fraction(1, T)] * (r - s), T)


def equal_blocks(ns, optimum, s, r, T):
    return alike(ns, [Fraction(r, s + T * (r - s))] * r, T)


def whole_blocks(ns, optimum, s, r, T):
    return alike(ns, [1] * r, T)


def root_blocks(ns, optimum, s, r, T):
    return alike(ns, [1] * s + [Fraction(1, T**2)] * (r - s), T)


OPTIMA = {
    "domain": {s: integers(1), r: integers(2), T: integers(1), optimum: choices(PLAIN, MERGED)},
    "where": sp.Lt(s, r),
    "grid": {
        "smoke": [
            {s: a, r: b, T: t, optimum: which}
            for a, b, t in ((1, 2, 2), (2, 4, 3), (1, 3, 1), (2, 3, 4))
            for which in (PLAIN, MERGED)
        ]
    },
}

unique_printed = claim(
    "contrastive-mixture-unique",
    lhs=r"\sum_{i\in P_t,\,j\in P_{t'},\,t\ne t'}H_{ij}",
    states="contrastive-mixture-weights",
    title="The representation obtained has diagonal weights",
    says="Every optimum has H diagonal: its entries between private features of different tasks are 0.",
    expect="fail",
    covers="every-optimum-form",
    reads={"phi_star": "optimum"},
    closed_form=0 * T,
    legs=[leg("entries", across_tasks, arithmetic="rational", unit=1)],
    **OPTIMA,
)

STRICT_HINGE = formula_leg(
    "hinges strictly between",
    typed(
        "Max(0, c - (t + h)) > Max(0, c - t) - h",
        over=["t in R", "h in (0, oo)", "c in (t, t + h)"],
    ),
    over="ell",
)
STRICT_OTHER = formula_leg(
    "hinges strictly between, other side",
    typed(
        "Max(0, c - (t - h)) > Max(0, c - t)", over=["t in R", "h in (0, oo)", "c in (t - h, t)"]
    ),
)

blocks = claim(
    "contrastive-mixture-blocks",
    lhs=r"H_{R_t,R_t}",
    tex=r"\operatorname{diag}(1,1/T)",
    states="contrastive-mixture-weights",
    title="All optima have the same blocks",
    says=r"The blocks on $R_t$ are $\mathrm{diag}(1, 1/T)$ at both optima; a hinge with its "
    "corner between $t$ and $t + h$ lies strictly above its tangent, so that a strictly "
    r"convex loss leaves $z^\top H z$ no choice on $R_t$.",
    role="corrected",
    corrects="contrastive-mixture-unique",
    encodes="proxy",
    covers="same-block-loss",
    reads={"phi_star": "optimum"},
    legs=[
        leg("every task", every_block, arithmetic="rational", reference=stated_blocks, inside="t"),
        leg(
            "entries across tasks",
            across_tasks,
            arithmetic="rational",
            reference=stated_across,
            required=False,
            unit=1,
            lhs=r"\sum_{i\in P_t,\,j\in P_{t'},\,t\ne t'}H_{ij}",
            tex=r"0,\ (r-s)(T-1)",
        ),
        STRICT_HINGE,
        STRICT_OTHER,
    ],
    rivals=[
        variant("equal weights", reference=equal_blocks, leg="every task"),
        variant(
            "with the tasks' own blocks", simulation=across_with_own, leg="entries across tasks"
        ),
        variant("1/T^2", reference=root_blocks, leg="every task"),
        variant(
            "weight 1 on the private features as well", reference=whole_blocks, leg="every task"
        ),
        *reaching(STRICT_HINGE, "h > 100 and c - t > 100"),
        *reaching(STRICT_OTHER, "h > 100 and t - c > 100"),
        *rivals_of(
            STRICT_HINGE, {"at every corner": {"over": ["t in R", "h in (0, oo)", "c in R"]}}
        ),
        *rivals_of(
            STRICT_OTHER,
            {"at every corner, other side": {"over": ["t in R", "h in (0, oo)", "c in R"]}},
        ),
    ],
    **OPTIMA,
)

SPENT = formula_leg(
    "budget spent on U",
    typed(
        "D_S*a + D_P*b < D_S*s + D_P*(r - s)",
        over=[
            *SIZES,
            "D_P in (0, oo)",
            "D_S in [D_P, oo)",
            "a in [0, s]",
            "u in (0, r - a]",
            "b in [0, r - a - u]",
        ],
    ),
    over="phi_star ell",
)
spurious = claim(
    "contrastive-no-spurious",
    states="contrastive-mixture-weights",
    title="No optimum spends on U",
    says="Trace $u > 0$ on $U$ lowers what $S$ and the private features can gain strictly, if "
    r"$D_P > 0$, which holds where $-\ell' > 0$.",
    encodes="proxy",
    covers="no-spurious",
    legs=[SPENT],
    rivals=reaching(SPENT, "s > 100 and D_P > 100 and a > 100")
    + rivals_of(
        SPENT,
        {
            "what S leaves is lost": "D_S*a + D_P*b < D_S*s + D_P*(r - s) - D_P*(s - a)",
            "u = 0 as well": {
                "over": [
                    *SIZES,
                    "D_P in (0, oo)",
                    "D_S in [D_P, oo)",
                    "a in [0, s]",
                    "u in [0, r - a]",
                    "b in [0, r - a - u]",
                ]
            },
            "D_P = 0 as well": {
                "over": [
                    *SIZES,
                    "D_P in [0, oo)",
                    "D_S in [D_P, oo)",
                    "a in [0, s]",
                    "u in (0, r - a]",
                    "b in [0, r - a - u]",
                ]
            },
        },
    ),
)


def on_line(ns, H, s, r, T, rate):
    """The loss with 1 - rate t: 1 less rate times the mean of tr H_{R_t} over the tasks. Shape (B,)."""
    total = 0 * H[:, 0, 0]
    for t in range(T):
        at = ns.indices(task_coordinates(s, r - s, t))
        total = total + ns.sum(ns.take(ns.diagonal(H), at, axis=1), axis=1)
    return 1 - rate * total / T


def gap(ns, H, s, r, T, rate, bend, spent=0):
    """The loss of H less that of H*, less ``spent`` times D_P tr H_U, for bend e^(-rate t) + (1 - bend)(1 - rate t).
    H (B, n, n) with U last, shape (B,)."""
    bend = ns.asarray(bend)
    value, _, D_P = slopes(ns, s, r, T, rate)
    curved = loss(ns, H, s, r, T, rate) - value - spent * D_P * H[:, -1, -1]
    best = ns.asarray([diagonal_weights(s, r, T, 1, Fraction(1, T))])
    straight = on_line(ns, H, s, r, T, rate) - on_line(ns, best, s, r, T, rate)
    straight = straight - spent * ns.asarray(rate) / T * H[:, -1, -1]
    return bend * curved + (1 - bend) * straight


def gap_beyond_spurious(ns, H, s, r, T, rate, bend):
    return gap(ns, H, s, r, T, rate, bend, spent=1)


def gap_beyond_four(ns, H, s, r, T, rate, bend):
    return gap(ns, H, s, r, T, rate, bend, spent=4)


def moved_between_tasks(rng, s, r, T):
    """H* with a part of the weight of P_1's first feature moved to P_2's first: of the same traces on S and on all
    private features."""
    H = diagonal_weights(s, r, T, 1, Fraction(1, T))
    moved = Fraction(int(rng.integers(1, 9)), 8 * T)
    H[s][s] -= moved
    H[r][r] += moved
    return {"H": H}


def nearly_printed(rng, s, r, T):
    """H* with a thousandth of the private weight of the first task moved to U."""
    H = diagonal_weights(s, r, T, 1, Fraction(1, T))
    H[s][s], H[-1][-1] = Fraction(999, 1000 * T), Fraction(1, 1000 * T)
    return {"H": H}


def merged_itself(rng, s, r, T):
    """The merged optimum, whose blocks are those of H*."""
    return {"H": merged(s, r, T)}


def apart_from_stated(ns, H, s, r, T):
    """Sum of |H_{R_t,R_t} - diag(1, 1/T)| over the tasks, which the claim takes for positive. Shape (B,)."""
    stated = ns.diag(ns.asarray([1] * s + [Fraction(1, T)] * (r - s)))
    total = 0 * H[:, 0, 0]
    for t in range(T):
        at = ns.indices(task_coordinates(s, r - s, t))
        block = ns.take(ns.take(H, at, axis=1), at, axis=2)
        total = total + ns.sum(ns.abs(block - stated), axis=(1, 2))
    return total


def nothing(rng, s, r, T):
    """H = 0, of loss 1."""
    size = s + T * (r - s) + 1
    return {"H": [[0] * size for _ in range(size)]}


bend = sp.Symbol("bend", positive=True)
LINE = rate * (s + (r - s) / T)
BENDS = itertools.cycle((1, Fraction(1, 2), Fraction(1, 10)))
BENT = {
    "domain": {**CELLS["domain"], bend: reals(0, 1, low_open=True)},
    "where": CELLS["where"],
    "grid": {
        profile: [{**cell, bend: u} for cell, u in zip(cells, BENDS, strict=False)]
        for profile, cells in CELLS["grid"].items()
    },
}

strict = claim(
    "contrastive-mixture-strict",
    lhs=r"\mathrm{loss}(H)-\mathrm{loss}(H^*)",
    tex=r"0",
    states="contrastive-mixture-weights",
    title="No other blocks, and nothing on U, for losses next to a line",
    says=r"For $\ell(t) = u e^{-ct} + (1 - u)(1 - ct)$, $0 < u \le 1$, every drawn $H$ whose blocks on the $R_t$ are "
    r"not $\mathrm{diag}(1, 1/T)$ has a larger loss than $H^*$, by more than $D_P\,\mathrm{tr}\,H_U$.",
    role="derived",
    encodes="special-case",
    covers="same-block-loss no-spurious",
    reads={"ell": "rate bend", "phi_star": "H"},
    relation=at_least(strict=True),
    closed_form=0 * T,
    legs=[
        leg("drawn H", gap_beyond_spurious, instances=DRAWN, inside="t", unit=1),
        leg(
            "next to H*",
            gap_beyond_spurious,
            unit=1,
            inside="t",
            instances=instances(nearly_printed, "H", smoke=1),
        ),
        leg(
            "weight moved between tasks",
            gap,
            unit=1,
            inside="t",
            where=sp.Ge(T, 2),
            instances=instances(moved_between_tasks, "H", smoke=2),
        ),
        leg(
            "other blocks",
            apart_from_stated,
            arithmetic="rational",
            unit=1,
            inside="t",
            required=False,
            lhs=r"\sum_t|H_{R_t,R_t}-\operatorname{diag}(1,1/T)|",
            instances=instances(nearly_printed, "H", smoke=1),
        ),
        leg(
            "at 0",
            gap_beyond_spurious,
            relation=equals(),
            closed_form=bend * (1 - sqrt_value(1, sp.Rational(1) / T)) + (1 - bend) * LINE,
            inside="t",
            required=False,
            lhs=r"\mathrm{loss}(0)-\mathrm{loss}(H^*)",
            tex=r"u(1-(1+2\lambda)^{-s/2}(1+2\lambda/T)^{-(r-s)/2})+(1-u)\lambda(s+(r-s)/T)",
            instances=instances(nothing, "H", smoke=1),
        ),
    ],
    rivals=[
        variant("by 1", closed_form=1 + 0 * T, leg="drawn H"),
        variant(
            "the merged optimum",
            leg="other blocks",
            instances=instances(merged_itself, "H", smoke=1),
            at={s: [1], r: [2], T: [2], rate: [1], bend: [1]},
        ),
        variant("by 1/10", closed_form=sp.Rational(1, 10), leg="weight moved between tasks"),
        variant(
            "from equal weights",
            closed_form=bend * (1 - sqrt_value(EQUAL, EQUAL)) + (1 - bend) * LINE,
            leg="at 0",
        ),
        variant(
            "of the line alone",
            closed_form=LINE,
            leg="at 0",
        ),
        variant("by four times that on U", simulation=gap_beyond_four, leg="next to H*"),
    ],
    **BENT,
)
