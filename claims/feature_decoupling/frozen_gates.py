r"""Definition E.10: the comparator's network with frozen gates.

Setting. f_theta,i(x) = (<theta_i, x> - b_i) 1{u_i >= b_i} - (-<theta_i, x> - b_i) 1{-u_i >= b_i}, u_i = <w_i, x>, b_i
>= 0; the pseudo-loss is -S_p + tau log sum_x e^(S_x/tau), S_x = <f_theta(x+), f(x)>.

Statements. (1) At theta = w it is f, and its slope in <theta_i, x> is that of h off the kinks: value and gradient of
the pseudo-loss are those of the loss. (2) f_theta is affine in theta, so that logits are; the loss is convex in the
logits: log sum_x l_x e^(t_x) >= sum_x l_x t_x for softmax weights l, since log(1 - l + l e^t) >= l t joins two logits
into one. A function above all its tangents is convex.

Reference: lines 1674-1684 and 1719-1731.
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb, ctx

from theorycheck import (
    at_least,
    claim,
    formula_leg,
    instances,
    leg,
    rivals_of,
    typed,
    variant,
)

from ._dictionary import ONE_POINT, dot
from ._gaussian import BITS, number
from .info_nce import by_weights, logits, slope


def frozen(theta, W, b, x):
    """f_theta(x), its gates those of W."""
    out = []
    for t, w, bias in zip(theta, W, b, strict=True):
        up, down = int(dot(w, x) >= bias), int(-dot(w, x) >= bias)
        out.append(up * (dot(t, x) - bias) - down * (-dot(t, x) - bias))
    return out


def pseudo_loss(theta, W, b, x, C, tau):
    """-S_p + tau log sum e^(S/tau), S = <f_theta(x), c>. A ball."""
    S = [dot(frozen(theta, W, b, x), c) for c in C]
    total = sum(((number(s) / number(tau)).exp() for s in S), arb(0))
    return -number(S[0]) + number(tau) * total.log()


def frozen_at_w(W, b, x, C, tau):
    """Pseudo-loss at theta = W, and its derivatives: logits are affine in theta, so that a unit step in an entry moves
    them at the derivative's rate. Shape (1 + m n,)."""
    with ctx.workprec(BITS):
        out = [pseudo_loss(W, W, b, x, C, tau)]
        for i in range(len(W)):
            for k in range(len(x)):
                moved = [
                    [a + (i == r and k == c) for c, a in enumerate(row)] for r, row in enumerate(W)
                ]
                change = [
                    f - g for f, g in zip(frozen(moved, W, b, x), frozen(W, W, b, x), strict=True)
                ]
                out.append(slope(W, b, x, C, tau, [dot(change, c) for c in C]))
        return out


def loss_at_w(W, b, x, C, tau):
    """The loss of the network itself and its gradient. Shape (1 + m n,)."""
    with ctx.workprec(BITS):
        S = [number(s) for s in logits(W, b, x, C)]
        value = -S[0] + number(tau) * sum(((s / number(tau)).exp() for s in S), arb(0)).log()
        rows = by_weights(W, b, x, C, tau, len(W), len(C) - 1, len(x))
        return [value, *(g for row in rows for g in row)]


def at_half_w(W, b, x, C, tau):
    return loss_at_w([[a / 2 for a in w] for w in W], b, x, C, tau)


def jensen_gap(W, b, x, C, tau, first, second, s):
    """s L(theta) + (1 - s) L(theta') - L(s theta + (1 - s) theta'). Shape ()."""
    with ctx.workprec(BITS):
        between = [
            [s * p + (1 - s) * r for p, r in zip(u, v, strict=True)]
            for u, v in zip(first, second, strict=True)
        ]
        ends = number(s) * pseudo_loss(first, W, b, x, C, tau)
        ends += number(1 - s) * pseudo_loss(second, W, b, x, C, tau)
        return ends - pseudo_loss(between, W, b, x, C, tau)


def less_a_square(W, b, x, C, tau, first, second, s):
    """The same less that of the squared norm."""
    gap = jensen_gap(W, b, x, C, tau, first, second, s)
    apart = [p - r for u, v in zip(first, second, strict=True) for p, r in zip(u, v, strict=True)]
    return gap - number(s * (1 - s) * dot(apart, apart))


def nothing(W, b, x, C, tau, first, second, s):
    return 0


def a_network(rng):
    """Two neurons off the kinks, one of them open at least."""
    while True:
        W, x = rng.rational((2, 3), 3), rng.rational((3,), 3)
        if abs(dot(W[0], x)) > 1 and abs(dot(W[1], x)) > Fraction(1, 5):
            break
    return {
        "W": W,
        "b": [Fraction(1, 17), Fraction(1, 7)],
        "x": x,
        "C": rng.rational((4, 2), 2),
        "tau": Fraction(int(rng.integers(1, 7)), 3),
    }


def two_comparators(rng):
    return {
        **a_network(rng),
        "first": rng.rational((2, 3), 3),
        "second": rng.rational((2, 3), 3),
        "s": Fraction(int(rng.integers(1, 9)), 9),
    }


FROZEN = "Piecewise((y - b, u >= b), (-(-y - b), -u >= b), (0, True))"
SAME = formula_leg(
    "at theta = w",
    typed(
        f"{FROZEN.replace('y', 'u')} == Max(u - b, 0) - Max(-u - b, 0)", over=["b > 0", "u in R"]
    ),
)
ALONE = formula_leg(
    "without bias",
    typed("Piecewise((u, u > 0), (u, u < 0), (0, True)) == Max(u, 0) - Max(-u, 0)", over="u in R"),
    over="b",
)
SLOPE = formula_leg(
    "slope",
    typed(
        "Max(u + h - b, 0) - Max(-u - h - b, 0) - (Max(u - b, 0) - Max(-u - b, 0)) == (u + h - b) - (u - b)",
        over=["b >= 0", "u in (b, oo)", "h in [b - u, oo)"],
    ),
)

agrees = claim(
    "decoupling-frozen-agrees",
    lhs=r"(\tilde L,\nabla_\theta\tilde L)(w)",
    tex=r"(L,\nabla L)(w)",
    states="decoupling-optimal-learner",
    title="The frozen network at the current weights",
    says=r"$f_{t,w}=f_t$, with the same slopes off the kinks: value and gradient of the pseudo-loss are "
    r"those of the loss.",
    covers="agrees-at-w",
    # u is <w, x>: all that the gates and the values at theta = w see of the weights, at any time
    reads={"w": "u", "t": "u"},
    **ONE_POINT,
    legs=[
        leg(
            "value and gradient",
            frozen_at_w,
            reference=loss_at_w,
            required=False,
            unit=1,
            instances=instances(a_network, "W b x C tau", smoke=3, standard=6),
        ),
        SAME,
        ALONE,
        SLOPE,
    ],
    rivals=[
        variant("the loss at w/2", reference=at_half_w, leg="value and gradient"),
        *rivals_of(SAME, {"negative biases": {"over": ["b in (-1, 0)", "u in R"]}}),
        *rivals_of(
            ALONE,
            {"its size": "Piecewise((u, u > 0), (-u, u < 0), (0, True)) == Max(u, 0) - Max(-u, 0)"},
        ),
        *rivals_of(
            SLOPE,
            {
                "with 2 b": "Max(u + h - b, 0) - Max(-u - h - b, 0) - (Max(u - b, 0) - Max(-u - b, 0))"
                " == (u + h - b) - (u - 2*b)"
            },
        ),
    ],
)

AFFINE = formula_leg(
    "affine",
    typed(
        "Piecewise((s*y + (1 - s)*z - b, u >= b), (s*y + (1 - s)*z + b, -u >= b), (0, True))"
        " == s*Piecewise((y - b, u >= b), (y + b, -u >= b), (0, True))"
        " + (1 - s)*Piecewise((z - b, u >= b), (z + b, -u >= b), (0, True))",
        over=["b >= 0", "s in [0, 1]", "u in R", "y in R", "z in R"],
    ),
)
TANGENT = formula_leg(
    "two logits",
    typed("tau*log(1 - l + l*exp(x/tau)) >= l*x", over=["tau > 0", "l in [0, 1]", "x in R"]),
)

convex = claim(
    "decoupling-pseudo-convex",
    lhs=r"s\tilde L(\theta)+(1-s)\tilde L(\theta')-\tilde L(s\theta+(1-s)\theta')",
    tex="0",
    states="decoupling-optimal-learner",
    title="The pseudo-loss is convex",
    says=r"$f_{t,\theta}$ is affine in $\theta$, and $-S_p+\tau\log\sum_xe^{S_x/\tau}$ is convex in the logits.",
    covers="convex",
    # y, z and u are <theta, x>, <theta', x> and <w, x>
    reads={"theta": "y", "theta_prime": "z", "w": "u"},
    **ONE_POINT,
    legs=[
        leg(
            "between two comparators",
            jensen_gap,
            reference=nothing,
            relation=at_least(),
            required=False,
            unit=1,
            instances=instances(two_comparators, "W b x C tau first second s", smoke=4, standard=8),
        ),
        AFFINE,
        TANGENT,
    ],
    rivals=[
        variant("strongly convex", simulation=less_a_square, leg="between two comparators"),
        *rivals_of(
            AFFINE,
            {
                "gates that move with theta": "Max(s*y + (1 - s)*z - b, 0) == s*Max(y - b, 0) + (1 - s)*Max(z - b, 0)"
            },
        ),
        *rivals_of(TANGENT, {"2 l x": "tau*log(1 - l + l*exp(x/tau)) >= 2*l*x"}),
    ],
)
