r"""Lemma B.70 and Algorithm 1: gradients of the two-layer loss, and the first step.

Setting. g(x) = sum_i a_i relu(<w_i, x> - b_i), L = E l(y g(x)) over a finite law without ties.

Statements. (1) dL/dw_i = a_i E[l'(y g) y 1{<w_i, x> > b_i} x] and dL/da_i = E[l'(y g) y relu(<w_i, x> - b_i)], for
drawn losses 1 + l_1 z + ... + l_4 z^4, which take any slopes at up to four margins, and for the hinge loss where no
margin is 1. Along a line so short that no gate and no margin passes its kink the mean loss is a polynomial of degree
four at most, and a quotient of five points is its derivative, exactly. (2) Where g = 0, dL/dw_i = l'(0) a_i
G(w_i, b_i), and one step with weight decay 1/eta gives w_i = -eta l'(0) a_i G(w_i, b_i), a_i = -eta l'(0) E[y
relu(<w_i, x> - b_i)] with the old a_i, w_i.

Reference: lines 7668-7678, 817-827, 863-865.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import claim, instances, integers, leg, variant

from ._network import dot, gradients, hinge, output, relu, simplified
from ._network import mean_loss as network_loss

d, m = sp.symbols("d m", integer=True, positive=True)


def polynomial(l):
    """The loss 1 + l_1 z + l_2 z^2 + ..."""
    return lambda z: 1 + sum((c * z**k for k, c in enumerate(l, 1)), Fraction(0))


def slope_of(l):
    return lambda z: sum((k * c * z ** (k - 1) for k, c in enumerate(l, 1)), Fraction(0))


QUADRATIC = [Fraction(-1), Fraction(1, 3)]


def short(xs, w, b):
    """A step of which twice changes no gate."""
    gaps = [abs(dot(u, x) - c) for u, c in zip(w, b, strict=True) for x in xs]
    return (
        min([g for g in gaps if g] or [Fraction(1)]) / (1 + sum(abs(v) for x in xs for v in x)) / 4
    )


def moved(rows, i, j, by):
    """The rows with ``by`` added to one entry."""
    return [
        [v + (by if (p, q) == (i, j) else 0) for q, v in enumerate(row)]
        for p, row in enumerate(rows)
    ]


def derivative(f, h):
    """f'(0) of a polynomial of degree four at most, by four of its values around 0."""
    return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h)


def quotients_of(loss, h, xs, ys, a, w, b, d, m):
    """dL/dw_ij and dL/da_i by differences. Length m d + m."""

    def along_w(i, j):
        return derivative(lambda t: network_loss(xs, ys, a, moved(w, i, j, t), b, loss), h)

    def along_a(i):
        return derivative(lambda t: network_loss(xs, ys, moved([a], 0, i, t)[0], w, b, loss), h)

    return [along_w(i, j) for i in range(m) for j in range(d)] + [along_a(i) for i in range(m)]


def quotients(xs, ys, a, w, b, l, d, m):
    """Of the drawn loss. Length m d + m."""
    return quotients_of(polynomial(l), short(xs, w, b), xs, ys, a, w, b, d, m)


def hinge_quotients(xs, ys, a, w, b, l, d, m):
    """Of the hinge loss, by steps that pass no margin of 1. Length m d + m."""
    away = min(abs(1 - y * output(x, a, w, b)) for x, y in zip(xs, ys, strict=True))
    sizes = [1, *(abs(v) for row in [*xs, *w, a, b] for v in row)]
    h = min(short(xs, w, b), away / (8 * (d + 1) * max(sizes) ** 2))
    return quotients_of(hinge, h, xs, ys, a, w, b, d, m)


def flat(found):
    first, second = found
    return [v for row in first for v in row] + second


def formulas(xs, ys, a, w, b, l, d, m):
    """The gradients of the lemma. Length m d + m."""
    return flat(gradients(xs, ys, a, w, b, slope_of(l)))


def hinge_formulas(xs, ys, a, w, b, l, d, m):
    return flat(gradients(xs, ys, a, w, b))


def without_label(xs, ys, a, w, b, l, d, m):
    """With the factors y missing."""
    return formulas(xs, [1] * len(ys), a, w, b, l, d, m)


def slope_at_zero(xs, ys, a, w, b, l, d, m):
    """With l'(0) for l'(y g)."""
    return formulas(xs, ys, a, w, b, l[:1], d, m)


def hinge_as_line(xs, ys, a, w, b, l, d, m):
    """As if the hinge loss had slope -1 beyond 1 too."""
    return formulas(xs, ys, a, w, b, [Fraction(-1)], d, m)


def without_gates(xs, ys, a, w, b, l, d, m):
    """As if every neuron were active on every input, in the first layer's gradient."""
    slope = slope_of(l)
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


def with_loss(rng, d, m):
    """The same with a loss, and no margin at 1."""
    while True:
        found = network_and_law(rng, d, m)
        net = found["a"], found["w"], found["b"]
        if all(y * output(x, *net) != 1 for x, y in zip(found["xs"], found["ys"], strict=True)):
            return {**found, "l": rng.rational((4,), 3)}


FIELDS = "xs ys a w b"
DRAWN = instances(with_loss, FIELDS + " l", smoke=4, standard=8)
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
    says="The gradients in the first and in the second layer, for every network, every law without ties and every "
    "loss; tried are the hinge loss and drawn polynomials.",
    covers="w-grad a-grad stack",
    reads=READS,
    domain=DOMAIN,
    where=d * m <= 40,
    grid=SIZES,
    legs=[
        leg("difference quotients", quotients, reference=formulas, instances=DRAWN),
        leg("hinge loss", hinge_quotients, reference=hinge_formulas, instances=DRAWN),
    ],
    rivals=[
        variant("without the label", reference=without_label, leg="difference quotients"),
        variant("without the indicator", reference=without_gates, leg="difference quotients"),
        variant("the slope at 0", reference=slope_at_zero, leg="difference quotients"),
        variant("a hinge of slope -1", reference=hinge_as_line, leg="hinge loss"),
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
    found = quotients(xs, ys, a, w, b, QUADRATIC, d, n)
    first = [w[i][j] - eta * (found[i * d + j] + w[i][j] / eta) for i in range(n) for j in range(d)]
    second = [a[i] - eta * (found[n * d + i] + a[i] / eta) for i in range(n)]
    return first + second


def by_simplified_gradient(xs, ys, a, w, b, d, m):
    """-eta l'(0) a_i G(w_i, b_i) and -eta l'(0) E[y relu(<w_i, x> - b_i)]. Length 2 m (d + 1)."""
    return stepped(xs, ys, a, w, b, d, slope_of(QUADRATIC)(Fraction(0)))


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
    return stepped(xs, ys, a, w, b, d, slope_of(QUADRATIC)(Fraction(1)))


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
