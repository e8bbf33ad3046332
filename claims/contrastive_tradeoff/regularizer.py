"""Equation (7.9): fine-tuning with contrastive regularisation.

Setting. For each labelled point (x, y) a finite set R of triples (x~, x~+, x~-) of augmented views; objective
ell_c(f(phi(x)), y) + (lambda/|R|) sum over R of ell(phi(x~)^T(phi(x~+) - phi(x~-))).

Statements. (1) The objective and its gradient in the representation: the mean over the triples, x~+ and x~- in their
places. A mean it is in that every triple twice leaves it as it was. Here phi = W x, f(phi) = v^T phi, ell_c the squared
error and ell(t) = (1 - t)^2, so that differences of order four along an entry of W are derivatives exactly. (2) In the
linear model of Proposition F.9 the contrastive part raises the private weights and leaves the shared ones at the bound
1. The objective itself has labels, which may push elsewhere: (2) is of the contrastive part alone.

Reference: equation (7.9), lines 2058-2063.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_most,
    claim,
    equals,
    formula_leg,
    identity_for_all,
    instances,
    integers,
    leg,
    reals,
    rivals_of,
    typed,
    variant,
)

from ._gaussian import inverse_square_losses

k, d, n = sp.symbols("k d n", integer=True, positive=True)


def quadratic(ns, t):
    """(1 - t)^2."""
    return (1 - t) ** 2


def objective(ns, W, v, x, y, lam, triples):
    """Value at one point. W (B, k, d), v (B, k), x (B, d), y and lam (B,), triples (B, n, 3, d). Shape (B,)."""
    score = ns.einsum("zk,zk->z", v, ns.einsum("zkd,zd->zk", W, x))
    phi = ns.einsum("zntd,zkd->zntk", triples, W)
    gap = ns.sum(phi[:, :, 0] * (phi[:, :, 1] - phi[:, :, 2]), axis=-1)
    return (score - y) ** 2 + lam * ns.mean(quadratic(ns, gap), axis=1)


def squared_error(ns, W, v, x, y):
    """Shape (B,)."""
    error = ns.sum(ns.matmul(W, x[:, :, None])[:, :, 0] * v, axis=1) - y
    return error * error


def sum_over_triples(ns, W, triples):
    """Of the contrastive losses, one triple after the other, from the bilinear form W^T W. Shape (B,)."""
    form = ns.matmul(ns.matrix_transpose(W), W)
    losses = 0 * W[:, 0, 0]
    for i in range(triples.shape[1]):
        first, plus, minus = (triples[:, i, j] for j in range(3))
        seen = ns.matmul(form, first[:, :, None])[:, :, 0]
        losses = losses + (1 - ns.sum(seen * plus, axis=1) + ns.sum(seen * minus, axis=1)) ** 2
    return losses


def value_by_triples(ns, W, v, x, y, lam, triples):
    """The same, triple by triple. Shape (B,)."""
    mean = sum_over_triples(ns, W, triples) / triples.shape[1]
    return squared_error(ns, W, v, x, y) + lam * mean


def over_two_points(ns, W, v, lam, x, y, triples, x_2, y_2, one):
    """The mean of the objective over two labelled points, the second with a single triple. Shape (B,)."""
    first, second = ((x, y, triples), (x_2, y_2, one))
    values = [objective(ns, W, v, point, label, lam, own) for point, label, own in (first, second)]
    return (values[0] + values[1]) / 2


def by_weights(ns, W, v, lam, x, y, triples, x_2, y_2, one, pooled=False):
    """The same from all triples of the batch, those of a point with |R| of them of weight 1/(2 |R|), or all of one
    weight (``pooled``). Shape (B,)."""
    n = triples.shape[1]
    errors = squared_error(ns, W, v, x, y) + squared_error(ns, W, v, x_2, y_2)
    counts = (n + 1, n + 1) if pooled else (2 * n, 2)
    losses = [
        sum_over_triples(ns, W, own) / count
        for own, count in zip((triples, one), counts, strict=True)
    ]
    return errors / 2 + lam * (losses[0] + losses[1])


def by_pooled_weights(ns, W, v, lam, x, y, triples, x_2, y_2, one):
    return by_weights(ns, W, v, lam, x, y, triples, x_2, y_2, one, pooled=True)


def each_triple_twice(ns, W, v, x, y, lam, triples):
    """The objective of these triples, each of them two times. Shape (B,)."""
    return objective(ns, W, v, x, y, lam, ns.concat([triples, triples], axis=1))


def first_triple_twice(ns, W, v, x, y, lam, triples):
    """The first of them two times."""
    return objective(ns, W, v, x, y, lam, ns.concat([triples, triples[:, :1]], axis=1))


def value_of_one_triple(ns, W, v, x, y, lam, triples):
    """Of the first triple alone."""
    return value_by_triples(ns, W, v, x, y, lam, triples[:, :1])


def value_of_square(ns, W, v, x, y, lam, triples):
    """With the square of lambda."""
    return value_by_triples(ns, W, v, x, y, lam * lam, triples)


def value_of_the_sum(ns, W, v, x, y, lam, triples):
    n = triples.shape[1]
    return value_by_triples(ns, W, v, x, y, n * lam, triples)


def value_without_label(ns, W, v, x, y, lam, triples):
    """Less y^2, which no derivative sees."""
    return value_by_triples(ns, W, v, x, y, lam, triples) - y * y


def differences(ns, W, v, x, y, lam, triples):
    """Derivative in each entry of W by five points, exact up to degree 4. Shape (B, k, d)."""
    rows, columns = W.shape[1:]
    eye = ns.eye(rows * columns)

    def at(entry, step):
        shift = ns.reshape(eye[entry], (rows, columns)) * step
        return objective(ns, W + shift, v, x, y, lam, triples)

    slopes = [
        (8 * (at(e, 1) - at(e, -1)) - (at(e, 2) - at(e, -2))) / 12 for e in range(rows * columns)
    ]
    return ns.reshape(ns.stack(slopes, axis=1), W.shape)


def gradient(ns, W, v, x, y, lam, triples, scale=1, swap=False, total=False):
    """2 (v^T W x - y) v x^T + (lam/n) sum ell'(t) W (x~ (x~+ - x~-)^T + (x~+ - x~-) x~^T). Shape (B, k, d)."""
    score = ns.einsum("zk,zk->z", v, ns.einsum("zkd,zd->zk", W, x))
    labelled = (2 * (score - y))[:, None, None] * v[:, :, None] * x[:, None, :]
    first, step = triples[:, :, 0], triples[:, :, 1] - triples[:, :, 2]
    step = -step if swap else step
    inner = ns.einsum(
        "znk,znk->zn", ns.einsum("znd,zkd->znk", first, W), ns.einsum("znd,zkd->znk", step, W)
    )
    slope = -2 * (1 - inner)
    S = ns.einsum("znd,zne->zde", slope[:, :, None] * first, step)
    S = S + ns.matrix_transpose(S)
    count = 1 if total else triples.shape[1]
    return labelled + scale * lam[:, None, None] * ns.matmul(W, S) / count


def swapped(ns, W, v, x, y, lam, triples):
    return gradient(ns, W, v, x, y, lam, triples, swap=True)


def of_the_sum(ns, W, v, x, y, lam, triples):
    return gradient(ns, W, v, x, y, lam, triples, total=True)


def all_rising(ns, W, v, x, y, lam, triples):
    return abs(gradient(ns, W, v, x, y, lam, triples))


def all_falling(ns, W, v, x, y, lam, triples):
    return -all_rising(ns, W, v, x, y, lam, triples)


def with_minus(ns, W, v, x, y, lam, triples):
    return gradient(ns, W, v, x, y, lam, triples, scale=-1)


def point_and_triples(rng, k, d, n):
    return {
        "W": rng.rational((k, d), 3),
        "v": rng.rational((k,), 3),
        "x": rng.rational((d,), 3),
        "y": int(rng.integers(-2, 3)),
        "lam": int(rng.integers(1, 4)),
        "triples": rng.rational((n, 3, d), 3),
    }


def two_points(rng, k, d, n):
    """And a second point with one triple."""
    second = point_and_triples(rng, k, d, 1)
    return {
        **point_and_triples(rng, k, d, n),
        "x_2": second["x"],
        "y_2": second["y"],
        "one": second["triples"],
    }


def shapes(k, d, n):
    return {
        "W": (1, k, d),
        "v": (1, k),
        "x": (1, d),
        "y": (1,),
        "lam": (1,),
        "triples": (1, n, 3, d),
    }


def for_all_points(k, d, n):
    return identity_for_all(differences, gradient, shapes(k, d, n))


def for_all_points_swapped(k, d, n):
    return identity_for_all(differences, swapped, shapes(k, d, n))


listing = claim(
    "contrastive-regularizer",
    lhs=r"\partial_W\left[\ell_c+\frac\lambda{|\mathcal R|}\sum\ell\right]",
    tex=r"\partial_W\ell_c+\frac\lambda{|\mathcal R|}\sum\partial_W\ell",
    title="The regularised objective and its gradient",
    says=r"The gradient is that of the classification loss plus $\lambda$ times the mean over the "
    "triples, which each labelled point has of its own.",
    covers="objective",
    domain={k: integers(1), d: integers(1), n: integers(1)},
    grid={
        "smoke": [{k: 2, d: 2, n: 3}, {k: 1, d: 3, n: 2}],
        "standard": {k: [1, 2], d: [1, 3], n: [1, 4]},
    },
    relation=equals(),
    legs=[
        leg(
            "differences",
            differences,
            arithmetic="rational",
            reference=gradient,
            instances=instances(point_and_triples, "W v x y lam triples", smoke=3, standard=6),
        ),
        leg(
            "value",
            objective,
            arithmetic="rational",
            reference=value_by_triples,
            required=False,
            lhs=r"\ell_c+\frac\lambda{|\mathcal R|}\sum\ell",
            tex=r"(v^\top Wx-y)^2+\frac\lambda n\sum_i(1-t_i)^2",
            instances=instances(point_and_triples, "W v x y lam triples", smoke=3, standard=6),
        ),
        leg(
            "each triple twice",
            each_triple_twice,
            arithmetic="rational",
            reference=value_by_triples,
            required=False,
            lhs=r"(\ell_c+\frac\lambda{|\mathcal R|}\sum\ell)(\mathcal R\cup\mathcal R)",
            tex=r"(v^\top Wx-y)^2+\frac\lambda n\sum_i(1-t_i)^2",
            instances=instances(point_and_triples, "W v x y lam triples", smoke=3, standard=6),
        ),
        leg(
            "two points",
            over_two_points,
            arithmetic="rational",
            reference=by_weights,
            required=False,
            lhs=r"\frac1b\sum_i(\ell_c+\frac\lambda{|\mathcal R_i|}\sum\ell)",
            tex=r"\frac1b\sum_i\ell_c+\lambda\sum_i\sum_{\mathcal R_i}\frac1{b|\mathcal R_i|}\ell",
            instances=instances(two_points, "W v lam x y triples x_2 y_2 one", smoke=3, standard=6),
        ),
        leg(
            "indeterminates",
            for_all_points,
            arithmetic="proof",
            over="x y triples",
            grid={"smoke": [{k: 1, d: 2, n: 2}]},
        ),
    ],
    rivals=[
        variant("x~+ and x~- exchanged", reference=swapped, leg="differences"),
        variant("sum for mean", reference=of_the_sum, leg="differences"),
        variant("minus lambda", reference=with_minus, leg="differences"),
        variant("rises along every entry", reference=all_rising, leg="differences"),
        variant("falls along every entry", reference=all_falling, leg="differences"),
        variant("all triples of one weight", reference=by_pooled_weights, leg="two points"),
        variant("the first triple alone", reference=value_of_one_triple, leg="value"),
        variant("lambda squared", reference=value_of_square, leg="value"),
        variant("without y^2", reference=value_without_label, leg="value"),
        variant("sum for mean, the value", reference=value_of_the_sum, leg="value"),
        variant("a sum, of each triple twice", reference=value_of_the_sum, leg="each triple twice"),
        variant("the first triple twice", simulation=first_triple_twice, leg="each triple twice"),
        variant(
            "exchanged, for indeterminates", leg="indeterminates", simulation=for_all_points_swapped
        ),
    ],
)

b, h = sp.symbols("b h", positive=True)
LOSS = (1 + 2 * b) ** (-n / 2)
"""E exp(-b |z|^2) of n coordinates."""
RISES = formula_leg(
    "private weights",
    typed(f"{LOSS.subs(b, b + h)} < {LOSS}", over=["n in 1..oo", "b in (0, 1]", "h in (0, oo)"]),
)
STAYS = formula_leg(
    "shared weights",
    typed(f"(1 + 2*(1 - h))**(-n/2) > {LOSS.subs(b, 1)}", over=["n in 1..oo", "h in (0, 1]"]),
)

step, beta = sp.symbols("step beta", positive=True)


def diagonal_loss(ns, shared, private):
    """E exp(-z^T H z) on one of two tasks, two shared features and one private one a task. Shape ()."""
    H = ns.diag(ns.stack([ns.asarray(w) for w in (shared, shared, private, private)], axis=0))
    return 1 / ns.sqrt(inverse_square_losses(ns, H[None], 2, 1, 2)[0, 0])


def raised_private(ns, step, beta):
    """The loss with the private weight raised by the step over that before. Shape ()."""
    return diagonal_loss(ns, 1, beta + step) / diagonal_loss(ns, 1, beta)


def loss_itself(ns, step, beta):
    """At weights 1 and beta. Shape ()."""
    return diagonal_loss(ns, 1, beta)


def loss_of_halves(ns, step, beta):
    return diagonal_loss(ns, 1, beta / 2)


def lowered_shared(ns, step, beta):
    """The loss before over that with the shared weights lowered by the step. Shape ()."""
    return diagonal_loss(ns, 1, beta) / diagonal_loss(ns, 1 - step, beta)


def lowered_private(ns, step, beta):
    return diagonal_loss(ns, 1, beta + step / 2) / diagonal_loss(ns, 1, beta + step)


surrogate = claim(
    "contrastive-regularizer-linear",
    states="contrastive-regularizer",
    title="The contrastive part in the linear model",
    says=r"For the exponential loss it falls as $\beta$ rises from any value, and rises as "
    r"$\alpha$ falls from 1.",
    lhs=r"\mathrm{loss}(\beta+h)/\mathrm{loss}(\beta)",
    tex=r"1",
    encodes="special-case",
    covers="linear-surrogate",
    relation=at_most(strict=True),
    domain={step: reals(0, 1, low_open=True), beta: reals(0, 1)},
    grid={
        "smoke": [
            {step: Fraction(1, 100), beta: Fraction(1, 2)},
            {step: Fraction(1, 3), beta: Fraction(1, 10)},
        ],
        "standard": {step: [Fraction(1, 1000), Fraction(1, 2)], beta: [Fraction(1, 5), 1]},
    },
    closed_form=sp.Integer(1),
    legs=[
        leg("private weight raised", raised_private),
        leg("shared weights lowered", lowered_shared),
        leg(
            "the loss",
            loss_itself,
            relation=equals(),
            closed_form=LOSS.subs({b: 1, n: 2}) * LOSS.subs({b: beta, n: 1}),
            lhs=r"\mathrm{loss}(\beta)",
            tex=r"(1+2)^{-1}(1+2\beta)^{-1/2}",
        ),
        RISES,
        STAYS,
    ],
    rivals=[
        variant(
            "lowering the private weight lowers it",
            simulation=lowered_private,
            leg="private weight raised",
        ),
        variant("half the private weight", simulation=loss_of_halves, leg="the loss"),
        variant("by half", closed_form=sp.Rational(1, 2), leg="shared weights lowered"),
        *rivals_of(RISES, {"rises": "(1 + 2*(b + h))**(-n/2) > (1 + 2*b)**(-n/2)"}),
        *rivals_of(STAYS, {"h = 0 as well": {"over": ["n in 1..oo", "h in [0, 1]"]}}),
    ],
)
