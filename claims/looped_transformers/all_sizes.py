"""Theorem 8.14, Lemma 8.13 and (8.2) for all sizes: the layer, its loops and the steps of gradient descent.

Setting. As in `gd_equivalence`, `single_layer` and `quadratic_identities`; the programs are those that run there.

Statements. (1) From the state [[X, y], [-alpha theta, alpha]] one loop leads to [[X, y], [-alpha theta', alpha]],
theta' being a step of gradient descent from theta; with theta_0 = -q0/alpha the state before the first loop is of
this form, for alpha != 0. By induction the state after t loops is [[X, y], [-alpha theta_t, alpha]], for every t, and
the output alpha theta_T. (2) A layer gives zero rows and (q^T X^T X + alpha y^T X, 0). (3) A step moves by -eta (X^T X
theta - X^T y); for eta != 0 the move over -eta is the gradient, so that where one is 0 the other is.

Each is an equality of matrices whose blocks are polynomials in X, y, q and numbers: the programs run on letters for
them (`_blocks`), which stand for matrices of any size.

Reference: Lemma 8.13, Theorem 8.14, (8.1) and (8.2) (arXiv 2410.11268).
"""

from __future__ import annotations

from dataclasses import replace

from theorycheck import (
    claim,
    equals,
    instances,
    integers,
    leg,
    matrices,
    reals,
    steps,
    variant,
    vectors,
)

from . import gd_equivalence as at_sizes
from ._blocks import ONCE, same_for_all_sizes
from ._models import attention, gradient_descent, initial_state, looped_transformer
from .least_squares import gradient
from .single_layer import keeping_labels, layer

# ---- the loops


def times(ns, number, vector):
    """number (B,) times vector (B, k)."""
    return ns.expand_dims(number, axis=-1) * vector


def after_loops(ns, X, y, theta, alpha, eta, T, **changed):
    """The state after T loops from the query row -alpha theta. Shape (B, n+1, d+1)."""
    Z = initial_state(ns, X, y, -times(ns, alpha, theta), alpha)
    for t in range(T):
        Z = Z - ns.reshape(eta[:, t], (-1, 1, 1)) * attention(ns, Z, **changed)
    return Z


def one_loop(ns, X, y, theta, alpha, eta):
    return after_loops(ns, X, y, theta, alpha, eta, 1)


def two_loops(ns, X, y, theta, alpha, eta):
    return after_loops(ns, X, y, theta, alpha, eta, 2)


def stated_state(ns, X, y, theta, alpha, eta, T):
    """[[X, y], [-alpha theta_T, alpha]]."""
    moved = gradient_descent(ns, X, y, theta, eta, T)
    return initial_state(ns, X, y, -times(ns, alpha, moved), alpha)


def one_step(ns, X, y, theta, alpha, eta):
    return stated_state(ns, X, y, theta, alpha, eta, 1)


def two_steps(ns, X, y, theta, alpha, eta):
    return stated_state(ns, X, y, theta, alpha, eta, 2)


def before_the_loops(ns, X, y, q0, alpha):
    return initial_state(ns, X, y, q0, alpha)


def from_the_start(ns, X, y, q0, alpha):
    """The state of theta_0 = -q0/alpha."""
    theta = -q0 / ns.expand_dims(alpha, axis=-1)
    return initial_state(ns, X, y, -times(ns, alpha, theta), alpha)


def output(ns, X, y, theta, alpha, eta):
    """Of the model with one loop from the query row -alpha theta. Shape (B, d)."""
    return looped_transformer(ns, X, y, -times(ns, alpha, theta), alpha, eta, 1)


def stated_output(ns, X, y, theta, alpha, eta):
    return times(ns, alpha, gradient_descent(ns, X, y, theta, eta, 1))


def output_without_alpha(ns, X, y, theta, alpha, eta):
    return gradient_descent(ns, X, y, theta, eta, 1)


def without_query(ns, X, y, q0, alpha):
    """alpha = 0: then no start theta has the row -alpha theta = q0."""
    return initial_state(ns, X, y, q0, 0 * alpha)


def from_any_start(ns, X, y, q0, alpha):
    """The state of theta_0 = q0, at alpha = 0."""
    return initial_state(ns, X, y, -times(ns, 0 * alpha, q0), 0 * alpha)


def from_plus_q0(ns, X, y, q0, alpha):
    return initial_state(ns, X, y, -q0, alpha)


def with_the_query_seen(ns, X, y, theta, alpha, eta):
    """The last row of the mask all ones: the query attends to itself as well."""
    at = ns.arange(X.shape[1] + 1)
    rows = ns.number((at[:, None] == X.shape[1]) & (at[None, :] >= 0))
    return after_loops(ns, X, y, theta, alpha, eta, 1, mask=rows)


def with_causal_mask(ns, X, y, theta, alpha, eta):
    at = ns.arange(X.shape[1] + 1)
    return after_loops(ns, X, y, theta, alpha, eta, 1, mask=ns.number(at[:, None] > at[None, :]))


def with_labels_kept(ns, X, y, theta, alpha, eta):
    return after_loops(ns, X, y, theta, alpha, eta, 1, P=ns.eye(X.shape[2] + 1))


def with_the_other_sign(ns, X, y, theta, alpha, eta):
    return one_loop(ns, X, y, theta, alpha, -eta)


def first_step_twice(ns, X, y, theta, alpha, eta):
    return by_single_loops(ns, X, y, theta, alpha, eta[:, :1], eta[:, :1])


def by_single_loops(ns, X, y, theta, alpha, first, second):
    """A step of gradient descent, and a loop from there."""
    moved = gradient_descent(ns, X, y, theta, first, 1)
    return one_loop(ns, X, y, moved, alpha, second)


START = {"X": ("n", "d"), "y": ("n",), "q0": ("d",), "alpha": ()}
STATE = {"X": ("n", "d"), "y": ("n",), "theta": ("d",), "alpha": (), "eta": ("1",)}
TWICE = {**STATE, "eta": ("2",)}


def shown(program, reference, fields):
    """A proof leg's program."""

    def proof():
        return same_for_all_sizes(program, reference, fields)

    return proof


def against(of, name, program, reference, fields):
    """A rival of a leg: other programs, of which a difference is found."""
    return variant(name, simulation=shown(program, reference, fields), leg=of)


def loops(over):
    """That the state after t loops is [[X, y], [-alpha theta_t, alpha]], and the output alpha theta_T."""
    how = {"arithmetic": "proof", "over": over, "grid": ONCE}
    return [
        leg("before the loops", shown(before_the_loops, from_the_start, START), **how),
        leg("one loop more", shown(one_loop, one_step, STATE), **how),
        leg("two loops", shown(two_loops, two_steps, TWICE), **how),
        leg("output", shown(output, stated_output, STATE), **how),
    ]


LOOP_RIVALS = [
    against("before the loops", "from +q0/alpha", from_plus_q0, from_the_start, START),
    against("before the loops", "alpha may be 0", without_query, from_any_start, START),
    against("one loop more", "the query sees itself", with_the_query_seen, one_step, STATE),
    against("one loop more", "a causal mask", with_causal_mask, one_step, STATE),
    against("one loop more", "the labels are kept", with_labels_kept, one_step, STATE),
    against("one loop more", "the other sign", with_the_other_sign, one_step, STATE),
    against("two loops", "the first step twice", two_loops, first_step_twice, TWICE),
    against("output", "without alpha", output, output_without_alpha, STATE),
]
# the whole model at sizes, with all of its loops: it may refute, and no proof waits for it
n, d, T = at_sizes.n, at_sizes.d, at_sizes.T
PROMPTS = {
    "X": matrices(n, d),
    "y": vectors(n),
    "q0": vectors(d),
    "alpha": reals(without=[0]),
    "eta": steps(T),
}
AT_SIZES = [
    replace(one, required=False, instances=instances(PROMPTS, smoke=2, standard=4))
    for one in at_sizes.gd_equivalence.legs[:2]
]
equivalence = claim(
    "looped-gd-equivalence-every-size",
    states="looped-gd-equivalence",
    title="Looped linear attention is gradient descent, for all sizes",
    says=r"For all sizes, prompts and steps the state after $t$ loops is "
    r"$[X, y]$ above $[-\alpha\theta^{(t)\top}, \alpha]$, and the output $\alpha\,\theta^{(T)}$.",
    covers="output-is-gd every-loop",
    domain={n: integers(1), d: integers(1), T: integers(0)},
    grid=at_sizes.SIZES,
    relation=equals(),
    legs=[*loops("n d T X y q0 alpha eta t"), *AT_SIZES],
    rivals=LOOP_RIVALS,
)

# ---- one layer


def stated_layer(ns, X, y, q, alpha, sign=1):
    """Zero rows, then q^T X^T X + alpha y^T X and 0. Shape (B, n+1, d+1)."""
    row = last_row(ns, X, y, q, alpha, sign)
    return initial_state(ns, 0 * X, 0 * y, row, 0 * alpha)


def last_row(ns, X, y, q, alpha, sign):
    scores = ns.matmul(X, ns.expand_dims(q, axis=-1))[:, :, 0] + sign * times(ns, alpha, y)
    return ns.matmul(ns.matrix_transpose(X), ns.expand_dims(scores, axis=-1))[:, :, 0]


def with_minus(ns, X, y, q, alpha):
    return stated_layer(ns, X, y, q, alpha, sign=-1)


def with_a_row(ns, X, y, q, alpha):
    """The labels in the label column of the context rows."""
    return initial_state(ns, 0 * X, y, last_row(ns, X, y, q, alpha, 1), 0 * alpha)


HIDDEN = {"X": ("n", "d"), "y": ("n",), "q": ("d",), "alpha": ()}
layer_output = claim(
    "looped-single-layer-every-size",
    states="looped-single-layer",
    title="Output of one masked linear attention layer, for all sizes",
    says=r"For every hidden state of any size one layer gives zero context rows and the last row $(q^\top X^\top X + "
    r"\alpha y^\top X, 0)$.",
    covers="layer-output",
    legs=[
        leg(
            "layer",
            shown(layer, stated_layer, HIDDEN),
            arithmetic="proof",
            over="n d X y q alpha",
        )
    ],
    rivals=[
        against("layer", "minus in front of the labels", layer, with_minus, HIDDEN),
        against("layer", "labels in the rows", layer, with_a_row, HIDDEN),
        against("layer", "value matrix I", keeping_labels, stated_layer, HIDDEN),
    ],
)


def dropped(ns, X, y, q, alpha):
    """The last column of the output. Shape (B, n+1)."""
    return layer(ns, X, y, q, alpha)[:, :, -1]


def no_column(ns, X, y, q, alpha):
    return ns.concat([0 * y, 0 * ns.expand_dims(alpha, axis=-1)], axis=-1)


def kept(ns, X, y, q, alpha):
    """The last entry of the output with P = I. Shape (B, 1)."""
    return keeping_labels(ns, X, y, q, alpha)[:, -1, -1:]


def all_kept(ns, X, y, q, alpha):
    return keeping_labels(ns, X, y, q, alpha)[:, :, -1]


def last_dropped(ns, X, y, q, alpha):
    return layer(ns, X, y, q, alpha)[:, -1, -1:]


def stated_entry(ns, X, y, q, alpha, labels=1):
    """q^T X^T y + alpha y^T y. Shape (B, 1)."""
    predictions = ns.matmul(X, ns.expand_dims(q, axis=-1))[:, :, 0]
    total = ns.sum(predictions * y, axis=-1) + labels * alpha * ns.sum(y * y, axis=-1)
    return ns.expand_dims(total, axis=-1)


def without_labels(ns, X, y, q, alpha):
    return stated_entry(ns, X, y, q, alpha, labels=0)


OF_A_STATE = {"arithmetic": "proof", "over": "X y q alpha"}
label_column = claim(
    "looped-single-layer-labels-every-size",
    states="looped-single-layer",
    title="The value matrix keeps the label column at zero, for all sizes",
    says=r"The last column of the output vanishes; with $P=I$ its last entry is $q^\top X^\top y+\alpha\,y^\top y$.",
    role="derived",
    covers="label-column-kept-zero",
    legs=[
        leg("with P", shown(dropped, no_column, HIDDEN), **OF_A_STATE),
        leg("with P = I", shown(kept, stated_entry, HIDDEN), **OF_A_STATE),
    ],
    rivals=[
        against("with P", "P = I", all_kept, no_column, HIDDEN),
        against("with P = I", "without the labels' own term", kept, without_labels, HIDDEN),
        against("with P = I", "P drops it", last_dropped, stated_entry, HIDDEN),
    ],
)

# ---- one step


def move(ns, X, y, theta, eta):
    """theta^(t) - theta^(t-1). Shape (B, d)."""
    return gradient_descent(ns, X, y, theta, eta, 1) - theta


def against_the_gradient(ns, X, y, theta, eta):
    """-eta (X^T X theta - X^T y)."""
    return -times(ns, eta[:, 0], gradient(ns, X, y, theta))


def second_move(ns, X, y, theta, eta):
    """theta^(2) - theta^(1)."""
    return gradient_descent(ns, X, y, theta, eta, 2) - gradient_descent(ns, X, y, theta, eta, 1)


def by_the_second_step_size(ns, X, y, theta, eta):
    before = gradient_descent(ns, X, y, theta, eta, 1)
    return -times(ns, eta[:, 1], gradient(ns, X, y, before))


def by_the_first_step_size(ns, X, y, theta, eta):
    before = gradient_descent(ns, X, y, theta, eta, 1)
    return -times(ns, eta[:, 0], gradient(ns, X, y, before))


def at_the_new_point(ns, X, y, theta, eta):
    after = gradient_descent(ns, X, y, theta, eta, 1)
    return -times(ns, eta[:, 0], gradient(ns, X, y, after))


def twice_as_far(ns, X, y, theta, eta):
    return 2 * against_the_gradient(ns, X, y, theta, eta)


def move_over_step(ns, X, y, theta, eta):
    """(theta^(0) - theta^(1))/eta. Shape (B, d)."""
    return -move(ns, X, y, theta, eta) / ns.expand_dims(eta[:, 0], axis=-1)


def least_squares_gradient(ns, X, y, theta, eta):
    return gradient(ns, X, y, theta)


def without_a_step(ns, X, y, theta, eta):
    """The move at eta = 0."""
    return move(ns, X, y, theta, 0 * eta)


POINT = {"X": ("n", "d"), "y": ("n",), "theta": ("d",), "eta": ("1",)}
POINTS = {**POINT, "eta": ("2",)}
OF_A_STEP = {"arithmetic": "proof", "over": "X y eta t"}
update = claim(
    "looped-gradient-update-every-size",
    states="looped-gradient",
    title="A step of gradient descent, for all sizes",
    says=r"From every point a step subtracts $\eta\,(X^\top X\theta-X^\top y)$, and for $\eta\ne0$ "
    r"stays in place exactly where "
    r"that vanishes; the second step takes the second step size.",
    covers="update",
    legs=[
        leg("one step", shown(move, against_the_gradient, POINT), **OF_A_STEP),
        leg("the second", shown(second_move, by_the_second_step_size, POINTS), **OF_A_STEP),
        leg("fixed points", shown(move_over_step, least_squares_gradient, POINT), **OF_A_STEP),
    ],
    rivals=[
        against("one step", "the gradient at the new point", move, at_the_new_point, POINT),
        against("one step", "twice as far", move, twice_as_far, POINT),
        against("the second", "the first size", second_move, by_the_first_step_size, POINTS),
        against("fixed points", "eta may be 0", without_a_step, least_squares_gradient, POINT),
    ],
)
