r"""Lemma B.70 and Algorithm 1: gradients of the two-layer loss, and the first step.

Setting. g(x) = sum_i a_i relu(<w_i, x> - b_i), L = E l(y g(x)) over a finite law without ties.

Statements. (1) dL/dw_i = a_i E[l'(y g) y 1{<w_i, x> > b_i} x] and dL/da_i = E[l'(y g) y relu(<w_i, x> - b_i)]. Both
are shown for a quadratic l, whose loss is quadratic along every short line, so that a symmetric difference quotient
is the derivative, exactly; the chain rule uses no more of l than its slope. (2) Where g = 0, dL/dw_i = l'(0) a_i
G(w_i, b_i), and one step with weight decay 1/eta gives w_i = -eta l'(0) a_i G(w_i, b_i), a_i = -eta l'(0) E[y
relu(<w_i, x> - b_i)] with the old a_i, w_i.

Reference: lines 7668-7678, 817-827, 863-865.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import claim, instances, integers, leg, variant

from ._network import dot, gradients, output, relu, simplified
from ._network import mean_loss as network_loss

d, m = sp.symbols("d m", integer=True, positive=True)


def loss(z):
    """A quadratic l."""
    return 1 - z + z * z / 3


def slope(z):
    return -1 + 2 * z / 3


def mean_loss(xs, ys, a, w, b):
    return network_loss(xs, ys, a, w, b, loss)


def short(xs, w, b):
    """A step so short that no indicator changes on it."""
    gaps = [abs(dot(u, x) - c) for u, c in zip(w, b, strict=True) for x in xs]
    return (
        min([g for g in gaps if g] or [Fraction(1)]) / (1 + sum(abs(v) for x in xs for v in x)) / 2
    )


def moved(rows, i, j, by):
    """The rows with ``by`` added to one entry."""
    return [
        [v + (by if (p, q) == (i, j) else 0) for q, v in enumerate(row)]
        for p, row in enumerate(rows)
    ]


def quotients(xs, ys, a, w, b, d, m):
    """Symmetric difference quotients of L in every entry of w, then of a. Length m d + m."""
    h = short(xs, w, b)
    first = [
        (mean_loss(xs, ys, a, moved(w, i, j, h), b) - mean_loss(xs, ys, a, moved(w, i, j, -h), b))
        / (2 * h)
        for i in range(m)
        for j in range(d)
    ]
    second = [
        (
            mean_loss(xs, ys, moved([a], 0, i, h)[0], w, b)
            - mean_loss(xs, ys, moved([a], 0, i, -h)[0], w, b)
        )
        / (2 * h)
        for i in range(m)
    ]
    return first + second


def formulas(xs, ys, a, w, b, d, m):
    """The gradients of the lemma. Length m d + m."""
    first, second = gradients(xs, ys, a, w, b, slope)
    return [v for row in first for v in row] + second


def without_label(xs, ys, a, w, b, d, m):
    """With the factors y missing."""
    return formulas(xs, [1] * len(ys), a, w, b, d, m)


def without_gates(xs, ys, a, w, b, d, m):
    """As if every neuron were active on every input, in the first layer's gradient."""
    data = [(x, y * slope(y * output(x, a, w, b))) for x, y in zip(xs, ys, strict=True)]
    first = [v * sum(s * x[j] for x, s in data) / len(xs) for v in a for j in range(d)]
    return first + gradients(xs, ys, a, w, b, slope)[1]


def network_and_law(rng, d, m):
    """A network and six labelled points, none of them at a kink."""
    return {
        "xs": rng.rational((6, d), 7),
        "ys": [int(v) for v in rng.signs((6,))],
        "a": rng.rational((m,), 4),
        "w": rng.rational((m, d), 5),
        "b": [v + Fraction(1, 1009) for v in rng.rational((m,), 3)],
    }


FIELDS = "xs ys a w b"
DRAWN = instances(network_and_law, FIELDS, smoke=4, standard=8)
SIZES = {"smoke": [{d: 1, m: 2}, {d: 3, m: 4}], "standard": {d: [2, 5], m: [1, 6]}}
DOMAIN = {d: integers(1), m: integers(1)}
READS = {"net": "a w b", "law": "xs ys", "i": "m"}

both = claim(
    "gradfeat-gradient-formulas-both",
    lhs=r"\Big(\frac{\partial L}{\partial w_i},\ \frac{\partial L}{\partial a_i}\Big)",
    tex=r"\big(a_i\,\mathbb E[\ell'(yg)\,y\,1\{\langle w_i,x\rangle>b_i\}\,x],\ \mathbb "
    r"E[\ell'(yg)\,y\,\mathrm{relu}(\langle w_i,x"
    r"\rangle-b_i)]\big)",
    states="gradfeat-gradient-formulas",
    title="Gradients of the two-layer loss",
    says="The gradients in the first and in the second layer, for every network and law without ties.",
    covers="w-grad a-grad stack",
    reads=READS,
    domain=DOMAIN,
    where=d * m <= 40,
    grid=SIZES,
    legs=[leg("difference quotients", quotients, reference=formulas, instances=DRAWN)],
    rivals=[
        variant("without the label", reference=without_label),
        variant("without the indicator", reference=without_gates),
    ],
)


def symmetric(rng, d, m):
    """A symmetric start: neurons i and i + m share w and b and have opposite a."""
    found = network_and_law(rng, d, m)
    return {
        **found,
        "a": [*found["a"], *(-v for v in found["a"])],
        "w": [*found["w"], *found["w"]],
        "b": [*found["b"], *found["b"]],
    }


STARTS = instances(symmetric, FIELDS, smoke=4, standard=8)


def first_step(xs, ys, a, w, b, d, m):
    """One step of size 1/5 with weight decay 5, by difference quotients. Length 2 m (d + 1)."""
    eta, n = Fraction(1, 5), 2 * m
    found = quotients(xs, ys, a, w, b, d, n)
    first = [w[i][j] - eta * (found[i * d + j] + w[i][j] / eta) for i in range(n) for j in range(d)]
    second = [a[i] - eta * (found[n * d + i] + a[i] / eta) for i in range(n)]
    return first + second


def by_simplified_gradient(xs, ys, a, w, b, d, m):
    """-eta l'(0) a_i G(w_i, b_i) and -eta l'(0) E[y relu(<w_i, x> - b_i)]. Length 2 m (d + 1)."""
    return stepped(xs, ys, a, w, b, d, slope(Fraction(0)))


def stepped(xs, ys, a, w, b, d, at_zero):
    scale = -Fraction(1, 5) * at_zero
    data = list(zip(xs, ys, strict=True))
    first = [
        scale * v * g for v, u, c in zip(a, w, b, strict=True) for g in simplified(xs, ys, u, c)
    ]
    second = [
        scale * sum((y * relu(dot(u, x) - c) for x, y in data), Fraction(0)) / len(xs)
        for u, c in zip(w, b, strict=True)
    ]
    return first + second


def other_slope(xs, ys, a, w, b, d, m):
    """With l'(1) for l'(0)."""
    return stepped(xs, ys, a, w, b, d, slope(Fraction(1)))


step = claim(
    "gradfeat-first-step",
    lhs=r"\big(w_i^{(1)},\ a_i^{(1)}\big)",
    tex=r"-\eta\ell'(0)\big(a_iG(w_i,b_i),\ \mathbb E[y\,\mathrm{relu}(\langle w_i,x\rangle-b_i)]\big)",
    states=["gradfeat-alg-gd", "gradfeat-simplified-gradient"],
    title="The first step from a symmetric start",
    says=r"$w_i^{(1)}=-\eta\ell'(0)a_iG(w_i,b_i)$ and $a_i^{(1)}=-\eta\ell'(0)\mathbb E[y\,\mathrm{relu}(\langle "
    r"w_i,x\rangle-b_i)]$, "
    r"with the old $a$ and $w$.",
    covers="first-step gradient-factor",
    reads={"law": "xs ys", "draw": "a w b", "i": "m"},
    domain=DOMAIN,
    where=d * m <= 20,
    grid=SIZES,
    legs=[
        leg("difference quotients", first_step, reference=by_simplified_gradient, instances=STARTS)
    ],
    rivals=[variant("the slope at 1", reference=other_slope)],
)
