"""Proposition 7.3, representation: what is learned on an even mixture.

Setting. `_gaussian`: T tasks of weight 1/T, s shared and r - s private features each, |W|_2 <= 1, |W|_F <= sqrt(r),
loss E ell(phi(x)^T phi(x^+)), ell convex and decreasing (E phi(x^-) = 0). H = (W M)^T (W M): psd, H <= I, tr H <= r.

Statement. H* = 1 on S, 1/T on every private coordinate, 0 on U is optimal for every 1 <= s < r, T and ell: alpha = 1
always. Which other optima there are: `mixture_optima`.

Proof. Jensen over z_U, z_U^+: the loss is at least E ell(z_R^T H z_R). Convexity of ell pointwise: E ell(z^T H z) >=
E ell(X) - <D, H - H*> with X = z^T H* z = Z + Z_t/T, Z ~ chi2_s, and D = E[g(X) z z^T], g = -ell' >= 0, which is
diagonal by symmetry of signs. Size bias: y f(y) = f_3(y) for the density f of chi2_1 and f_3 of chi2_3 = chi2_1 + W, W
~ chi2_2; so D_S = E g(X + W) on S, and D_P = (1/T) E g(X + W/T) on P_t (a task has weight 1/T). W/T has density T
e^{-Tw/2}/2, whence D_P <= D_S. With a = tr H_S <= s, a + b <= r - tr H_U for b = tr H_P: D_S a + D_P b <= (D_S - D_P)
s + D_P r - D_P tr H_U. As ell is a constant and a mixture of hinges (c - t)_+, the pointwise inequalities are held
for every hinge.
For ell = exp(-rate t), of every rate > 0, the chain is run on the model's determinants; the bound is linear in ell, so
that it holds for mixtures of these with the same D. The claim for every hinge holds the inequalities for the whole
domain; putting them together is the argument above, which no program follows, and it says so as a proxy.

Reference: Proposition 7.3 = F.6, lines 2033-2041 and 9780-9806.
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
    theorem,
    typed,
    variant,
)
from theorycheck.blocks.rational_matrices import rational_rows
from theorycheck.blocks.stated import norm_at_most, semidefinite, trace_at_most

from ._gaussian import exponential_loss, gram, inverse_square_losses
from ._hinges import ABOVE_RIVALS, BELOW_RIVALS, above, below

s, r, T = sp.symbols("s r T", integer=True, positive=True)
rate = sp.Symbol("rate", positive=True)


# ---- exponential losses, run on the model


def diagonal_weights(s, r, T, alpha, beta):
    """H with alpha on S, beta on the private coordinates, 0 on one coordinate of U."""
    weights = [alpha] * s + [beta] * (T * (r - s)) + [0]
    return [[w if i == j else 0 for j in range(len(weights))] for i, w in enumerate(weights)]


def merged(s, r, T):
    """H of (z_S, T^{-1/2} sum_t z_{P_t}): I on S, (1/T) 11^T (x) I on the private coordinates."""
    size = s + T * (r - s)
    return [
        [
            0
            if max(i, j) >= size
            else int(i == j)
            if min(i, j) < s
            else Fraction(int((i - j) % (r - s) == 0), T)
            for j in range(size + 1)
        ]
        for i in range(size + 1)
    ]


def loss(ns, H, s, r, T, rate):
    """The loss with exp(-rate t). Shape (B,)."""
    return exponential_loss(ns, rate * H, s, r - s, T)


def at_printed(ns, s, r, T, rate):
    """The loss of H* = diag(1, 1/T). Shape ()."""
    return loss(ns, ns.asarray([diagonal_weights(s, r, T, 1, Fraction(1, T))]), s, r, T, rate)[0]


def at_merged(ns, s, r, T, rate):
    return loss(ns, ns.asarray([merged(s, r, T)]), s, r, T, rate)[0]


def all_of_it(s, r, T):
    """alpha = 1, whatever the sizes."""
    return 1


def at_rotated(ns, Q, s, r, T, rate):
    """The loss of W = Q A, A = diag(1, T^{-1/2}), through its Gram matrix. Q (B, n, n), shape (B,)."""
    start = diagonal_weights(s, r, T, all_of_it(s, r, T), Fraction(1, T))
    A = ns.sqrt(ns.asarray([row[i] for i, row in enumerate(start)]))
    return loss(ns, gram(ns, Q * A), s, r, T, rate)


def turned(ns, Q, s, r, T, rate):
    """Of W = A Q, which is not of the printed form. Shape (B,)."""
    start = diagonal_weights(s, r, T, 1, Fraction(1, T))
    A = ns.sqrt(ns.asarray([row[i] for i, row in enumerate(start)]))
    return loss(ns, gram(ns, A[:, None] * Q), s, r, T, rate)


def gap_to_diagonal(ns, H, s, r, T, rate, sign=1):
    """The loss of H less that of its diagonal. Shape (B,)."""
    own = ns.diag(ns.diagonal(H))
    return sign * (loss(ns, H, s, r, T, rate) - loss(ns, own, s, r, T, rate))


def gap_from_diagonal(ns, H, s, r, T, rate):
    return gap_to_diagonal(ns, H, s, r, T, rate, sign=-1)


def any_rotation(rng, s, r, T):
    return {"Q": rational_rows(rng.orthogonal_rational(s + T * (r - s) + 1))}


def slopes(ns, s, r, T, rate, start=None):
    """The loss at H* (or a diagonal ``start`` of the same kind), and what it falls by there for a unit of trace on S
    and on the private coordinates, from the determinants at H* and one step beside it (they are linear in a diagonal
    entry). Shapes ()."""
    start = start or diagonal_weights(s, r, T, 1, Fraction(1, T))
    moved_S, moved_P = ([list(row) for row in start] for _ in range(2))
    moved_S[0][0] += 1
    moved_P[s][s] += 1
    tables = rate * ns.asarray([start, moved_S, moved_P])
    base, S, P = (inverse_square_losses(ns, tables[i : i + 1], s, r - s, T)[0] for i in range(3))
    # the determinant is linear in one diagonal entry: d(det^{-1/2}) = -det^{-1/2} (step/det - 1)/2
    D_S = ns.mean((S / base - 1) / (2 * ns.sqrt(base)))
    D_P = ns.mean((P / base - 1) / (2 * ns.sqrt(base)))
    return ns.mean(1 / ns.sqrt(base)), D_S, D_P


def tangent_plane(ns, s, r, T, rate, start=None):
    """A bound for all H from the loss at H* (or at ``start``) and its slopes. Shape ()."""
    start = start or diagonal_weights(s, r, T, 1, Fraction(1, T))
    value, D_S, D_P = slopes(ns, s, r, T, rate, start)
    # <D, H> is largest at a vertex of 0 <= tr H_S <= s, 0 <= tr H_P <= r - tr H_S
    most = ns.maximum(D_S * s + D_P * (r - s), D_P * r)
    shared, private = (
        sum(start[i][i] for i in range(s)),
        sum(row[i] for i, row in enumerate(start) if i >= s),
    )
    return value - most + (D_S * shared + D_P * ns.asarray(private))


def equal_weights(s, r, T):
    """r/(s + T(r - s)) on every coordinate of S and of the P_t."""
    return diagonal_weights(s, r, T, *[Fraction(r, s + T * (r - s))] * 2)


def from_equal_weights(ns, s, r, T, rate):
    """The bound from the tangent plane there, which is not the least loss. Shape ()."""
    return tangent_plane(ns, s, r, T, rate, equal_weights(s, r, T))


def at_equal_weights(ns, s, r, T, rate):
    """The loss there, which is no bound. Shape ()."""
    return loss(ns, ns.asarray([equal_weights(s, r, T)]), s, r, T, rate)[0]


def feasible(rng, s, r, T):
    """H = Q diag(e) Q^T with 0 <= e <= 1 and sum e <= r, half of it near the merged form."""
    size = s + T * (r - s) + 1
    Q = rational_rows(rng.orthogonal_rational(size))
    raw = [Fraction(int(rng.integers(0, 9)), 8) for _ in range(size)]
    scale = min(Fraction(1), Fraction(r) / max(sum(raw), Fraction(1)))
    e = [scale * x for x in raw]
    drawn = [
        [sum(Q[i][k] * e[k] * Q[j][k] for k in range(size)) for j in range(size)]
        for i in range(size)
    ]
    near = merged(s, r, T)
    mix = Fraction(int(rng.integers(0, 5)), 5)
    return {
        "H": [
            [mix * near[i][j] + (1 - mix) * drawn[i][j] for j in range(size)] for i in range(size)
        ],
        "spent": mix * r + (1 - mix) * sum(e),
    }


def trace(ns, H):
    """Of all of H. Shape (B,)."""
    return ns.trace(H)


def trace_but_for_u(ns, H):
    return ns.trace(H) - H[:, -1, -1]


def high_power(ns, H, doublings=4):
    """tr H^16 - tr H, which no eigenvalue in [0, 1] makes positive. Shape (B,)."""
    power = H
    for _ in range(doublings):
        power = ns.matmul(power, power)
    return ns.trace(power) - ns.trace(H)


def high_power_of_double(ns, H):
    return high_power(ns, 2 * H)


def feasible_alone(rng, s, r, T):
    return {"H": feasible(rng, s, r, T)["H"]}


def above_printed(ns, H, s, r, T, rate, sign=1):
    """The loss of H less that of diag(1, 1/T). Shape (B,)."""
    return sign * (loss(ns, H, s, r, T, rate) - at_printed(ns, s, r, T, rate))


def below_printed(ns, H, s, r, T, rate):
    return above_printed(ns, H, s, r, T, rate, sign=-1)


SIZE = s + T * (r - s) + 1
FEASIBLE = (semidefinite("H"), norm_at_most("H"), trace_at_most("H", "r"))
DRAWN = instances(feasible_alone, {"H": matrices(SIZE, SIZE)}, where=FEASIBLE, smoke=3, standard=8)
SPENT = instances(feasible, "H spent", where=FEASIBLE, smoke=3, standard=8)
spent = sp.Symbol("spent", positive=True)
"""The trace of what is drawn, from its eigenvalues."""
CELLS = {
    "domain": {s: integers(1), r: integers(2), T: integers(1), rate: reals(0, low_open=True)},
    "where": sp.Lt(s, r),
    "grid": {
        "smoke": [
            {s: 1, r: 2, T: 2, rate: 1},
            {s: 2, r: 4, T: 3, rate: 3},
            {s: 1, r: 3, T: 1, rate: Fraction(1, 2)},
            {s: 2, r: 3, T: 4, rate: Fraction(1, 10)},
        ],
        "standard": [
            {s: a, r: a + b, T: t, rate: v}
            for a in (1, 3)
            for b in (1, 2)
            for t in (2, 5)
            for v in (Fraction(1, 4), 2)
        ],
    },
}


def sqrt_value(a, b):
    """Loss at weights a on S and b on the private coordinates."""
    return (1 + 2 * rate * a) ** (-s / sp.Integer(2)) * (1 + 2 * rate * b) ** (
        -(r - s) / sp.Integer(2)
    )


EQUAL = sp.Rational(1) * r / (s + T * (r - s))


exponential = claim(
    "contrastive-mixture-exponential",
    lhs=r"\min_W\ \mathbb E\,e^{-\lambda\phi(x)^\top\phi(x^+)}",
    tex=r"(1+2\lambda)^{-s/2}\,(1+2\lambda/T)^{-(r-s)/2}",
    states="contrastive-mixture-weights",
    title="The optimum on a mixture, for exponential losses",
    says=r"For $\ell(t) = e^{-ct}$, of every rate $c > 0$, among all $0 \preceq H \preceq I$ of "
    r"trace at most $r$ the least loss is that of $\mathrm{diag}(1, 1/T)$, rotated by any "
    "$Q$, and the merged form attains it, too.",
    encodes="special-case",
    covers="form-exists alpha-one",
    reads={"ell": "rate"},
    closed_form=sqrt_value(1, sp.Rational(1) / T),
    relation=minimises(),
    legs=[
        attained(at_printed, name="diag(1, 1/T)", gives="alpha", covers="form-exists"),
        attained(
            at_rotated,
            name="rotated",
            gives="alpha",
            covers="form-exists",
            chosen_by=all_of_it,
            instances=instances(any_rotation, "Q", smoke=2, standard=4),
        ),
        attained(at_merged, name="merged", gives="alpha", covers="form-exists"),
        certificate(
            tangent_plane,
            over="alpha beta",
            covers="alpha-one",
            lemma=theorem(
                "convexity",
                convex="ell: E ell(z^T H z) >= E ell(z^T H* z) - <D, H - H*>, D = E[g z z^T]",
                hull="<D, H> = D_S tr H_S + D_P tr H_P over tr H_S <= s, tr H <= r, at its corners",
            ),
        ),
        certificate(tangent_plane, name="all H", covers="form-exists"),
        leg("bound from equal weights", from_equal_weights, relation=at_most(), required=False),
        search(loss, name="drawn H", instances=DRAWN),
        leg(
            "drawn H are no better",
            above_printed,
            relation=at_least(),
            closed_form=0 * T,
            unit=1,
            instances=DRAWN,
            required=False,
            lhs=r"\mathrm{loss}(H)-\mathrm{loss}(\operatorname{diag}(1,\tfrac1T))",
            tex="0",
        ),
        leg(
            "the diagonal does better",
            gap_to_diagonal,
            relation=at_least(),
            closed_form=0 * T,
            unit=1,
            instances=DRAWN,
            required=False,
            lhs=r"\mathrm{loss}(H)-\mathrm{loss}(\operatorname{diag}H)",
            tex="0",
        ),
        leg(
            "eigenvalues up to 1",
            high_power,
            arithmetic="rational",
            relation=at_most(),
            closed_form=sp.Integer(0),
            unit=1,
            instances=DRAWN,
            required=False,
            lhs=r"\operatorname{tr}H^{16}-\operatorname{tr}H",
            tex="0",
        ),
        leg(
            "the budget",
            trace,
            arithmetic="rational",
            relation=equals(),
            closed_form=spent,
            instances=SPENT,
            required=False,
            lhs=r"\operatorname{tr}H",
            tex=r"\sum_ie_i",
        ),
    ],
    rivals=[
        variant("Q on the other side", simulation=turned, leg="rotated"),
        variant(
            "the diagonal does worse", simulation=gap_from_diagonal, leg="the diagonal does better"
        ),
        variant("drawn H are better", simulation=below_printed, leg="drawn H are no better"),
        variant("the trace without U", simulation=trace_but_for_u, leg="the budget"),
        variant("2 H", simulation=high_power_of_double, leg="eigenvalues up to 1"),
        variant(
            "the loss there as a bound", simulation=at_equal_weights, leg="bound from equal weights"
        ),
        variant("equal weights", closed_form=sqrt_value(EQUAL, EQUAL)),
        variant("beta = 1/sqrt(T)", closed_form=sqrt_value(1, 1 / sp.sqrt(T))),
    ],
    **CELLS,
)


# ---- every convex decreasing loss

SIZES = ["s in 1..oo", "r in s + 1..oo", "T in 1..oo"]
HINGE_BELOW = below(over="s r T ell Q")
HINGE_ABOVE = above()
SIZE_BIAS = formula_leg(
    "size bias",
    typed("x*exp(-x/2)/sqrt(2*pi*x) == exp(-x/2)/(2*sqrt(2*pi))*2*sqrt(x)", over="x in (0, oo)"),
)
CONVOLUTION = formula_leg(
    "chi2_1 + chi2_2",
    typed(
        "exp(-x/2)/(2*sqrt(2*pi))*Integral(2, (u, 0, sqrt(x))) == sqrt(x)*exp(-x/2)/sqrt(2*pi)",
        over="x in (0, oo)",
    ),
)
KERNEL = formula_leg(
    "densities",
    typed("(1/T)*(T*exp(-T*w/2)/2) <= exp(-w/2)/2", over=["T in 1..oo", "w in [0, oo)"]),
)
BUDGET = formula_leg(
    "budget",
    typed(
        "D_S*a + D_P*b <= D_S*s + D_P*(r - s) - D_P*u",
        over=[
            *SIZES,
            "D_P in [0, oo)",
            "D_S in [D_P, oo)",
            "a in [0, s]",
            "u in [0, r - a]",
            "b in [0, r - a - u]",
        ],
    ),
)

STATED = formula_leg(
    "what diag(1, 1/T) spends",
    typed("s*1 + T*(r - s)*(1/T) == r and 0 <= 1/T <= 1", over=SIZES),
)


def one(s, r, T, ell):
    """alpha = 1, beta = 1/T, whatever the sizes and the loss."""


CHAIN = [HINGE_BELOW, HINGE_ABOVE, SIZE_BIAS, CONVOLUTION, KERNEL, BUDGET]
CHAIN_RIVALS = [
    *BELOW_RIVALS,
    *ABOVE_RIVALS,
    *rivals_of(
        SIZE_BIAS, {"without 1/sqrt(2 pi)": "x*exp(-x/2)/sqrt(2*pi*x) == exp(-x/2)*sqrt(x)"}
    ),
    *rivals_of(
        CONVOLUTION,
        {
            "chi2_1 + chi2_1": "exp(-x/2)/(2*pi)*Integral(2, (u, 0, sqrt(x))) == sqrt(x)*exp(-x/2)/sqrt(2*pi)"
        },
    ),
    *reaching(KERNEL, "T > 100 and w > 100", "T == 1 and w == 0"),
    *rivals_of(KERNEL, {"without 1/T": "T*exp(-T*w/2)/2 <= exp(-w/2)/2"}),
    *rivals_of(
        BUDGET,
        {
            "half of what S leaves is lost": "D_S*a + D_P*b <= D_S*s + D_P*(r - s) - D_P*u - D_P*(s - a)/2",
            "a up to r": {
                "over": [
                    *SIZES,
                    "D_P in [0, oo)",
                    "D_S in [D_P, oo)",
                    "a in [0, r]",
                    "u in [0, r - a]",
                    "b in [0, r - a - u]",
                ]
            },
        },
    ),
]

form = claim(
    "contrastive-mixture-form",
    states="contrastive-mixture-weights",
    title="The optimum on a mixture, for every convex decreasing loss",
    says=r"Each step of the chain from $\mathbb{E}\,\ell(z^\top H z)$ to the loss at "
    r"$\mathrm{diag}(1, 1/T)$, for every hinge and every $H$.",
    encodes="proxy",
    covers="form-exists alpha-one",
    reads={"alpha": "a", "beta": "b"},
    legs=[
        *CHAIN[:-1],
        formula_leg("budget", BUDGET.simulation, gives="alpha", chosen_by=one),
        STATED,
    ],
    rivals=[
        *CHAIN_RIVALS,
        *reaching(STATED, "s > 100 and r > 300 and T > 100"),
        *rivals_of(
            STATED,
            {
                "beta = 1/sqrt(T)": "s*1 + T*(r - s)*(1/sqrt(T)) <= r and 0 <= 1/sqrt(T) <= 1",
                "beta = 1": "s*1 + T*(r - s)*1 <= r",
            },
        ),
    ],
)
