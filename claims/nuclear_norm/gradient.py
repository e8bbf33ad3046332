"""Lemma E.2: gradients of the logistic risk.

Setting. An example has margin y f_w(x) = sum_j w_j z_j with z_j = y z~_j(x), y = +-1.

Statement. The derivative of ell(y f_w(x)) in w_j is ell'(y f_w(x)) z_j; that of the risk with weight decay, L(w) +
(lambda/2)|w|^2, is E[ell' z_j] + lambda w_j. A step t in w_j moves the margin m to m + t z_j: what the derivative
leaves of the loss lies between 0 and t^2 z_j^2/8, and so its mean between 0 and t^2 E[z_j^2]/8 under every law;
that of the penalty is lambda t^2/2. Beside it derivatives by dual numbers, a + b e with e^2 = 0, from the
definition of the loss, for examples and finite laws with rational weights.

Reference: Lemma E.2, lines 9084-9092.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    claim,
    exactly,
    formula_leg,
    instances,
    integers,
    leg,
    reaching,
    rivals_of,
    sharpened,
    typed,
    variant,
)

d, j = sp.symbols("d j", integer=True, positive=True)
m, z = sp.symbols("m z", real=True)
ATOMS = 3


def margins(ns, w, z):
    """sum_j w_j z_j. w (B, d), z (B, atoms, d), shape (B, atoms)."""
    return ns.sum(ns.expand_dims(w, axis=1) * z, axis=2)


def dual_loss(ns, value, slope):
    """Slope of log(1 + exp(-a)) at a = value + slope e: by the rules for exp, the sum and log in turn."""
    power = ns.exp(-value)
    power_slope = power * (-slope)
    return power_slope / (1 + power)


def features(ns, x, y):
    """z = y z~(x). x (B, atoms, d), y (B, atoms)."""
    return x * ns.expand_dims(y, axis=2)


def by_dual_numbers(ns, w, x, y):
    """Derivative of each example's loss in each weight. Shape (B, atoms, d)."""
    z = features(ns, x, y)
    at = margins(ns, w, z)
    return ns.stack([dual_loss(ns, at, z[:, :, j]) for j in range(w.shape[1])], axis=2)


def derivative(ns, w, x, y):
    """ell'(m) = -1/(1 + e^m) at the margins m = y sum_j w_j x_j. Shape (B, atoms, 1)."""
    score = ns.matmul(x, ns.expand_dims(w, axis=2))
    return -1 / (1 + ns.exp(ns.expand_dims(y, axis=2) * score))


def printed(ns, w, x, y):
    """ell'(margin) y x_j. Shape (B, atoms, d)."""
    return derivative(ns, w, x, y) * ns.expand_dims(y, axis=2) * x


def without_the_label(ns, w, x, y):
    return derivative(ns, w, x, y) * x


def without_the_feature(ns, w, x, y):
    return derivative(ns, w, x, y) + 0 * x


def draw(rng, d):
    """Weights, three examples with labels of both signs, their probabilities, and lambda."""
    parts = [int(rng.integers(1, 7)) for _ in range(ATOMS)]
    return {
        "w": rng.rational((d,), 4),
        "x": rng.rational((ATOMS, d), 4),
        "y": [1, -1, int(rng.signs())],
        "p": [Fraction(part, sum(parts)) for part in parts],
        "lam": Fraction(int(rng.integers(0, 9)), 4),
    }


DRAWN = instances(draw, "w x y p lam", smoke=3, standard=20)
SIZES = {"domain": {d: integers(1)}, "grid": {"smoke": {d: [1, 3]}, "standard": {d: range(1, 6)}}}

FALL = z / (1 + sp.exp(m))
"""What the loss falls by for a unit of w_j: -ell'(m) z_j."""
REMAINDER = formula_leg(
    "remainder",
    typed(
        f"0 <= log(1 + exp(-(m + t*z))) - log(1 + exp(-m)) + t*({FALL}) <= (t*z)**2/8",
        over=["m in R", "z in R", "t in R"],
    ),
    over="w",
)
WRONG = rivals_of(
    REMAINDER,
    {
        "of the step alone": "0 <= log(1 + exp(-(m + t*z))) - log(1 + exp(-m)) + t/(1 + exp(m))",
        "t^2 z^2/9": "log(1 + exp(-(m + t*z))) - log(1 + exp(-m)) + t*z/(1 + exp(m)) <= (t*z)**2/9",
    },
)
WRONG += sharpened(REMAINDER, times="99/100")
WRONG += reaching(REMAINDER, "m <= -9 and z <= -9 and t >= 9", "m >= 9 and z >= 9 and t <= -9")


def one_example(rng, d, j):
    """Weights and an example; its margin m and its z_j."""
    drawn = draw(rng, d)
    k, y = int(rng.integers(0, ATOMS)), drawn["y"]
    z = [y[k] * v for v in drawn["x"][k]]
    return {
        "w": drawn["w"],
        "x": drawn["x"][k],
        "y": y[k],
        "z": z[j - 1],
        "m": sum(a * b for a, b in zip(drawn["w"], z, strict=True)),
    }


def fall_in_one_weight(ns, w, x, y, d, j):
    """Minus the derivative of the example's loss in w_j, by dual numbers. x (B, d), y (B,), shape (B,)."""
    return -by_dual_numbers(ns, w, x[:, None, :], y[:, None])[:, 0, j - 1]


def fall_without_the_label(ns, w, x, y, d, j):
    return y * fall_in_one_weight(ns, w, x, y, d, j)


point = claim(
    "nuclear-point-gradient",
    lhs=r"\partial_{w_j}\,\ell(y\,f_w(x))",
    tex=r"\ell'(y\,f_w(x))\,z_j",
    states="nuclear-gradient",
    title="Gradient of one example",
    says=r"The derivative of $\ell(y f_w(x))$ in $w_j$ is $\ell'(y f_w(x)) z_j$.",
    covers="point-gradient",
    reads={"x": "z", "y": "z", "j": "z"},
    domain={d: integers(1), j: integers(1)},
    where=sp.Le(j, d),
    grid={"smoke": [{d: 1, j: 1}, {d: 3, j: 2}], "standard": [{d: k, j: k} for k in range(1, 6)]},
    legs=[
        leg("dual numbers", by_dual_numbers, reference=printed, instances=DRAWN, required=False),
        leg(
            "one weight",
            fall_in_one_weight,
            closed_form=FALL,
            required=False,
            lhs=r"-\partial_{w_j}\,\ell(y\,f_w(x))",
            tex=r"\frac{z_j}{1+e^{y f_w(x)}}",
            instances=instances(one_example, "w x y m z", smoke=6, standard=20),
        ),
        REMAINDER,
    ],
    rivals=[
        variant(
            "one weight, without the label", simulation=fall_without_the_label, leg="one weight"
        ),
        variant("more by z^2", closed_form=FALL + z**2, leg="one weight"),
        variant("less by z^2", closed_form=FALL - z**2, leg="one weight"),
        variant("1/2 for the slope", closed_form=z / 2, leg="one weight"),
        variant("without the label", reference=without_the_label, leg="dual numbers"),
        variant("without the feature", reference=without_the_feature, leg="dual numbers"),
        *WRONG,
    ],
)


def mass(ns, p):
    """Of all atoms. Shape (B,)."""
    return ns.sum(p, axis=1)


def mass_but_the_last(ns, p):
    return ns.sum(p[:, :-1], axis=1)


def risk_by_dual_numbers(ns, w, x, y, p, lam):
    """Derivative of the weighted mean loss + (lam/2) sum w_j^2 in each weight. Shape (B, d)."""
    mean = ns.sum(ns.expand_dims(p, axis=2) * by_dual_numbers(ns, w, x, y), axis=1)
    squares = w * 1 + w * 1  # slope of (w + e)(w + e)
    return mean + ns.expand_dims(lam, axis=1) * squares / 2


def printed_risk(ns, w, x, y, p, lam, factor=1):
    """E[ell' z_j] + factor lam w_j. Shape (B, d)."""
    mean = ns.sum(ns.expand_dims(p, axis=2) * printed(ns, w, x, y), axis=1)
    return mean + factor * ns.expand_dims(lam, axis=1) * w


def atoms_alike(ns, w, x, y, p, lam):
    """The plain mean over the atoms."""
    return ns.mean(printed(ns, w, x, y), axis=1) + ns.expand_dims(lam, axis=1) * w


def labels_left_out(ns, w, x, y, p, lam):
    """With x_j for z_j: the same where every label is 1."""
    mean = ns.sum(ns.expand_dims(p, axis=2) * without_the_label(ns, w, x, y), axis=1)
    return mean + ns.expand_dims(lam, axis=1) * w


def more_by_squares(ns, w, x, y, p, lam):
    """w_j^2 more."""
    return printed_risk(ns, w, x, y, p, lam) + w * w


def less_by_squares(ns, w, x, y, p, lam):
    return printed_risk(ns, w, x, y, p, lam) - w * w


def double_decay(ns, w, x, y, p, lam):
    return printed_risk(ns, w, x, y, p, lam, factor=2)


def half_decay(ns, w, x, y, p, lam):
    return printed_risk(ns, w, x, y, p, lam, factor=ns.rational(1, 2))


PENALTY = formula_leg(
    "penalty",
    typed(
        "lam/2*((w + t)**2 - w**2) == lam*w*t + lam*t**2/2",
        over=["lam in [0, oo)", "w in R", "t in R"],
    ),
)

population = claim(
    "nuclear-population-gradient",
    lhs=r"\partial_{w_j}\Big(\mathcal{L}(w)+\frac\lambda2\|w\|^2\Big)",
    tex=r"\mathbb{E}[\ell'z_j]+\lambda w_j",
    states="nuclear-gradient",
    title="Gradient of the risk with weight decay",
    says=r"The derivative of $L(w)+\frac\lambda2\|w\|^2$ in $w_j$ is $\mathbb{E}[\ell'z_j]+\lambda "
    "w_j$.",
    covers="population-gradient",
    reads={"lambda": "lam"},
    legs=[
        leg(
            "dual numbers, laws of three atoms",
            risk_by_dual_numbers,
            reference=printed_risk,
            instances=DRAWN,
            required=False,
        ),
        leg(
            "a law",
            mass,
            closed_form=sp.Integer(1),
            instances=DRAWN,
            required=False,
            lhs=r"\sum_ap_a",
            tex="1",
        ),
        REMAINDER,
        PENALTY,
    ],
    rivals=[
        variant("without the last atom", simulation=mass_but_the_last, leg="a law"),
        variant("atoms alike", reference=atoms_alike, leg="dual numbers, laws of three atoms"),
        variant(
            "without the labels", reference=labels_left_out, leg="dual numbers, laws of three atoms"
        ),
        variant("w^2 more", reference=more_by_squares, leg="dual numbers, laws of three atoms"),
        variant("w^2 less", reference=less_by_squares, leg="dual numbers, laws of three atoms"),
        variant("2 lambda w", reference=double_decay, leg="dual numbers, laws of three atoms"),
        variant("lambda w/2", reference=half_decay, leg="dual numbers, laws of three atoms"),
        *WRONG,
        *exactly(PENALTY),
        *reaching(PENALTY, "lam >= 9 and w <= -9 and t >= 9", "lam <= 1/9 and w >= 9 and t <= -9"),
        *rivals_of(
            PENALTY,
            {"2 lambda w for the penalty": "lam/2*((w + t)**2 - w**2) == 2*lam*w*t + lam*t**2/2"},
        ),
    ],
    **SIZES,
)
