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

from theorycheck import claim, formula_leg, rivals_of, typed

FROZEN = "Piecewise((y - b, u >= b), (-(-y - b), -u >= b), (0, True))"
SAME = formula_leg("at theta = w", typed(
    f"{FROZEN.replace('y', 'u')} == Max(u - b, 0) - Max(-u - b, 0)", over=["b > 0", "u in R"]), over="w t")  # fmt: skip
ALONE = formula_leg("without bias", typed(
    "Piecewise((u, u > 0), (u, u < 0), (0, True)) == Max(u, 0) - Max(-u, 0)", over="u in R"), over="w b t")  # fmt: skip
SLOPE = formula_leg("slope", typed(
    "Max(u + t - b, 0) - Max(-u - t - b, 0) - (Max(u - b, 0) - Max(-u - b, 0)) == (u + t - b) - (u - b)",
    over=["b >= 0", "u in (b, oo)", "t in [b - u, oo)"]), over="w")  # fmt: skip

agrees = claim(
    "decoupling-frozen-agrees",
    states="decoupling-optimal-learner",
    title="The frozen network at the current weights",
    says=r"$f_{t,w}=f_t$, with the same slopes off the kinks: value and gradient of the pseudo-loss are "
    r"those of the loss.",
    covers="agrees-at-w",
    legs=[SAME, ALONE, SLOPE],
    rivals=[
        *rivals_of(SAME, {"negative biases": {"over": ["b in (-1, 0)", "u in R"]}}),
        *rivals_of(ALONE, {"its size": "Piecewise((u, u > 0), (-u, u < 0), (0, True)) == Max(u, 0) - Max(-u, 0)"}),
        *rivals_of(SLOPE, {"with 2 b": "Max(u + t - b, 0) - Max(-u - t - b, 0) - (Max(u - b, 0) - Max(-u - b, 0))"
                           " == (u + t - b) - (u - 2*b)"}),
    ],
)  # fmt: skip

AFFINE = formula_leg("affine", typed(
    "Piecewise((s*y + (1 - s)*z - b, u >= b), (s*y + (1 - s)*z + b, -u >= b), (0, True))"
    " == s*Piecewise((y - b, u >= b), (y + b, -u >= b), (0, True))"
    " + (1 - s)*Piecewise((z - b, u >= b), (z + b, -u >= b), (0, True))",
    over=["b >= 0", "s in [0, 1]", "u in R", "y in R", "z in R"]), over="theta theta_prime w tau")  # fmt: skip
TANGENT = formula_leg("two logits", typed("log(1 - l + l*exp(x)) >= l*x", over=["l in [0, 1]", "x in R"]),
                      over="theta theta_prime s w b tau")  # fmt: skip

convex = claim(
    "decoupling-pseudo-convex",
    states="decoupling-optimal-learner",
    title="The pseudo-loss is convex",
    says=r"$f_{t,\theta}$ is affine in $\theta$, and $-S_p+\tau\log\sum_xe^{S_x/\tau}$ is convex in the logits.",
    covers="convex",
    legs=[AFFINE, TANGENT],
    rivals=[
        *rivals_of(AFFINE, {"gates that move with theta":
            "Max(s*y + (1 - s)*z - b, 0) == s*Max(y - b, 0) + (1 - s)*Max(z - b, 0)"}),
        *rivals_of(TANGENT, {"2 l x": "log(1 - l + l*exp(x)) >= 2*l*x"}),
    ],
)  # fmt: skip
