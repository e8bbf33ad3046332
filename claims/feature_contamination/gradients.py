"""Lemmas A.1 and C.1: gradient of the hinge loss of the ReLU and of the linear network.

Setting. h(x) = sum_k a_k act(<w_k, x>), a_k = s_k/m, loss max(1 - y h, 0); weights at any step are some weights, and
off the kinks (y h = 1, <w_k, x> = 0) the loss has a gradient.

Statements. Printed: -a_k y 1{h <= 1} 1{<w_k, x> >= 0} x, and without the activation for linear networks. False for
y = -1 and |h| > 1: with h < -1 the loss is 0 around w, with h > 1 it is not. With 1{y h <= 1} both are right.

Reference: Lemmas A.1 and C.1, lines 380-384 and 1012-1016. Equation (47) has the label: {h >= -1} for class -1.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import claim, instances, integers, leg, variant

from ._network import dot, drawn_network, identity, on_a_kink, output, relu, slopes

m, d0 = sp.symbols("m d0", integer=True, positive=True)


def examples(rng, m, d0, act, size, y=None):
    """A network and an example off the kinks, |x_j| <= 1."""
    while True:
        W, s = drawn_network(rng, m, d0, size)
        label = int(rng.signs()) if y is None else y
        x = [Fraction(int(rng.integers(-8, 9)), 8) for _ in range(d0)]
        if not on_a_kink(W, s, x, label, act):
            return {"W": W, "s": s, "x": x, "y": label}


def any_examples(rng, m, d0):
    """Large weights, so that |h| > 1 is common."""
    return examples(rng, m, d0, relu, 9)


def any_linear_examples(rng, m, d0):
    return examples(rng, m, d0, identity, 9)


def satisfied(rng, m, d0):
    """Class -1 with h = -3: every neuron has sign -1 and w_k = x (3, 0, ..), x = (1, 0, ..)."""
    return {
        "W": [[Fraction(3)] + [Fraction(0)] * (d0 - 1)] * m,
        "s": [-1] * m,
        "x": [Fraction(1)] + [Fraction(0)] * (d0 - 1),
        "y": -1,
    }


def inactive(rng, m, d0):
    """Class -1 with every pre-activation -3, and a positive loss."""
    return satisfied(rng, m, d0) | {"x": [Fraction(-1)] + [Fraction(0)] * (d0 - 1)}


def relu_slopes(W, s, x, y, m, d0):
    """Difference quotients of the loss. Shape (m, d0)."""
    return slopes(W, s, x, y, relu)


def linear_slopes(W, s, x, y, m, d0):
    return slopes(W, s, x, y, identity)


def stated(W, s, x, y, act, open_, gated, label=True):
    """-a_k (y) 1{open} 1{gated: <w_k, x> >= 0} x."""
    factor = -Fraction(y if label else 1, len(W)) if open_(y, output(W, s, x, act)) else Fraction(0)
    return [
        [factor * sign * value if not gated or dot(w, x) >= 0 else Fraction(0) for value in x]
        for sign, w in zip(s, W, strict=True)
    ]


def below_one(y, h):
    return h <= 1


def margin_below_one(y, h):
    return y * h <= 1


def printed_relu(W, s, x, y, m, d0):
    return stated(W, s, x, y, relu, below_one, gated=True)


def right_relu(W, s, x, y, m, d0):
    """-a_k y 1{y h <= 1} 1{<w_k, x> >= 0} x. Shape (m, d0)."""
    return stated(W, s, x, y, relu, margin_below_one, gated=True)


def relu_without_label(W, s, x, y, m, d0):
    return stated(W, s, x, y, relu, margin_below_one, gated=True, label=False)


def relu_always_on(W, s, x, y, m, d0):
    return stated(W, s, x, y, relu, margin_below_one, gated=False)


def printed_linear(W, s, x, y, m, d0):
    return stated(W, s, x, y, identity, below_one, gated=False)


def right_linear(W, s, x, y, m, d0):
    """-a_k y 1{y h <= 1} x. Shape (m, d0)."""
    return stated(W, s, x, y, identity, margin_below_one, gated=False)


def linear_gated(W, s, x, y, m, d0):
    return stated(W, s, x, y, identity, margin_below_one, gated=True)


def linear_without_label(W, s, x, y, m, d0):
    return stated(W, s, x, y, identity, margin_below_one, gated=False, label=False)


FIELDS = "W s x y"
SATISFIED = instances(satisfied, FIELDS, smoke=1)
INACTIVE = instances(inactive, FIELDS, smoke=1)
OF_RELU = instances(any_examples, FIELDS, smoke=8, standard=40)
OF_LINEAR = instances(any_linear_examples, FIELDS, smoke=8, standard=40)
ONE = [{m: 1, d0: 1}]
GRADIENT = r"\nabla_{w_k}\max\{1-y\,h(x),0\}"
SIZES = {
    "smoke": [{m: 1, d0: 1}, {m: 2, d0: 3}, {m: 4, d0: 2}],
    "standard": {m: [1, 3, 6], d0: [1, 2, 5]},
}

relu_printed = claim(
    "contamination-relu-gradient-printed",
    lhs=GRADIENT,
    tex=r"-a_ky\,\mathbf 1_{h(x)\le1}\mathbf 1_{\langle w_k,x\rangle\ge0}\,x",
    states="contamination-relu-gradient",
    title="Gradient of the ReLU network with the indicator as printed",
    says=r"For every example and neuron the gradient is $-a_k y\,\mathbf{1}_{h \le "
    r"1}\mathbf{1}_{\langle w_k, x\rangle \ge 0}\,x$.",
    expect="fail",
    covers="printed-indicator",
    reads={"t": "W s"},
    legs=[
        leg(
            "difference quotients",
            relu_slopes,
            reference=printed_relu,
            instances=SATISFIED,
            inside="k",
        )
    ],
    domain={m: integers(1), d0: integers(1)},
    grid={"smoke": ONE},
)

relu_corrected = relu_printed.corrected(
    "contamination-relu-gradient-corrected",
    lhs=GRADIENT,
    tex=r"-a_ky\,\mathbf 1_{y\,h(x)\le1}\mathbf 1_{\langle w_k,x\rangle\ge0}\,x",
    states="contamination-relu-gradient",
    title="Gradient of the ReLU network",
    says=r"Off the kinks the gradient is $-a_k y\,\mathbf{1}_{y\,h \le 1}\mathbf{1}_{\langle w_k, "
    r"x\rangle \ge 0}\,x$ for every example and neuron.",
    covers="label-indicator",
    reads={},
    grid=SIZES,
    legs=[
        leg(
            "difference quotients",
            relu_slopes,
            reference=right_relu,
            instances=OF_RELU,
            inside="k",
            unit=1,
        )
    ],
    rivals=[
        variant("1{h <= 1}", reference=printed_relu, instances=SATISFIED, at=ONE),
        variant("without y", reference=relu_without_label),
        variant("without the activation", reference=relu_always_on, instances=INACTIVE, at=ONE),
    ],
)

linear_printed = claim(
    "contamination-linear-gradient-printed",
    lhs=GRADIENT,
    tex=r"-a_ky\,\mathbf 1_{h(x)\le1}\,x",
    states="contamination-linear-gradient",
    title="Gradient of the linear network with the indicator as printed",
    says="For every example and neuron of a linear network the gradient is $-a_k "
    r"y\,\mathbf{1}_{h \le 1}\,x$.",
    expect="fail",
    covers="printed-indicator",
    reads={"t": "W s"},
    legs=[
        leg(
            "difference quotients",
            linear_slopes,
            reference=printed_linear,
            instances=SATISFIED,
            inside="k",
        )
    ],
    domain={m: integers(1), d0: integers(1)},
    grid={"smoke": ONE},
)

linear_corrected = linear_printed.corrected(
    "contamination-linear-gradient-corrected",
    lhs=GRADIENT,
    tex=r"-a_ky\,\mathbf 1_{y\,h(x)\le1}\,x",
    states="contamination-linear-gradient",
    title="Gradient of the linear network",
    says=r"Off the kink the gradient is $-a_k y\,\mathbf{1}_{y\,h \le 1}\,x$, for negative "
    "pre-activations too.",
    covers="label-indicator",
    reads={},
    grid=SIZES,
    legs=[
        leg(
            "difference quotients",
            linear_slopes,
            reference=right_linear,
            instances=OF_LINEAR,
            inside="k",
            unit=1,
        )
    ],
    rivals=[
        variant("1{h <= 1}", reference=printed_linear, instances=SATISFIED, at=ONE),
        variant("without y", reference=linear_without_label),
        variant("with the activation", reference=linear_gated, instances=INACTIVE, at=ONE),
    ],
)
