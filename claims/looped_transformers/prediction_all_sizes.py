"""Lemma 8.15 for all sizes: the prediction error against the parameter error, and when they are equal.

Setting. As in `descent` and `equality_case`: any prompt, start and steps, |theta*| = 1, e = theta_T - theta*. That the
state after t loops is that of theta_t, the t-th iterate of gradient descent, is Theorem 8.14 (`all_sizes`), whose legs
stand here again.

Statement. From the state of any theta, e = theta - theta*: alpha^2 |e|^2 - (<TF, theta*> - alpha)^2 = alpha^2 |e - <e,
theta*> theta*|^2, the square of a length. So the prediction error is at most |alpha| |e|, and equal to it, for alpha !=
0, exactly if e is a multiple of theta*. After one loop more it is the same with the next iterate.

Both sides are programs, of which one runs the model, on letters for matrices of any size (`_blocks`).

Reference: Lemma 8.15 (arXiv 2410.11268); the equality case is ours.
"""

from __future__ import annotations

from inspect import signature

from theorycheck import claim, leg, variant

from ._blocks import ONCE, Setting, same_for_all_sizes
from ._models import gradient_descent, looped_transformer
from .all_sizes import LOOP_RIVALS, loops, times


def missed_less_than(ns, X, y, theta, alpha, theta_star, eta, T):
    """alpha^2 |theta_T - theta*|^2 - (<TF, theta*> - alpha)^2 of the model with T loops from the state of theta,
    theta_T by gradient descent. Shape (B,)."""
    output = looped_transformer(ns, X, y, -times(ns, alpha, theta), alpha, eta, T)
    missed = ns.sum(output * theta_star, axis=-1) - alpha
    e = gradient_descent(ns, X, y, theta, eta, T) - theta_star
    return alpha * alpha * ns.sum(e * e, axis=-1) - missed * missed


def before_a_loop(ns, X, y, theta, alpha, theta_star, eta):
    return missed_less_than(ns, X, y, theta, alpha, theta_star, eta, 0)


def after_a_loop(ns, X, y, theta, alpha, theta_star, eta):
    return missed_less_than(ns, X, y, theta, alpha, theta_star, eta, 1)


def off_the_task(ns, e, theta_star):
    """|e - <e, theta*> theta*|^2. Shape (B,)."""
    rest = e - times(ns, ns.sum(e * theta_star, axis=-1), theta_star)
    return ns.sum(rest * rest, axis=-1)


def across_before(ns, X, y, theta, alpha, theta_star, eta):
    return alpha * alpha * off_the_task(ns, theta - theta_star, theta_star)


def across_after(ns, X, y, theta, alpha, theta_star, eta):
    e = gradient_descent(ns, X, y, theta, eta, 1) - theta_star
    return alpha * alpha * off_the_task(ns, e, theta_star)


def without_alpha(ns, X, y, theta, alpha, theta_star, eta):
    e = gradient_descent(ns, X, y, theta, eta, 1) - theta_star
    return off_the_task(ns, e, theta_star)


def nothing(ns, X, y, theta, alpha, theta_star, eta):
    """As if the bound were always met."""
    return 0 * alpha


def half_the_bound(ns, X, y, theta, alpha, theta_star, eta):
    """With half of alpha^2 |e|^2."""
    e = gradient_descent(ns, X, y, theta, eta, 1) - theta_star
    whole = after_a_loop(ns, X, y, theta, alpha, theta_star, eta)
    return whole - alpha * alpha * ns.sum(e * e, axis=-1) * ns.rational(1, 2)


def of_a_multiple(ns, X, y, s, alpha, theta_star, eta):
    """The excess where e = s theta*."""
    theta = theta_star + times(ns, s, theta_star)
    return before_a_loop(ns, X, y, theta, alpha, theta_star, eta)


def none_there(ns, X, y, s, alpha, theta_star, eta):
    return 0 * alpha


def of_any_vector(ns, X, y, s, alpha, theta_star, eta):
    """The excess where e = s X^T y, no multiple of theta*."""
    direction = ns.matmul(ns.matrix_transpose(X), ns.expand_dims(y, axis=-1))[:, :, 0]
    theta = theta_star + times(ns, s, direction)
    return before_a_loop(ns, X, y, theta, alpha, theta_star, eta)


FIELDS = {"X": ("n", "d"), "y": ("n",), "theta": ("d",), "alpha": (), "theta_star": ("d",)}
FIELDS |= {"eta": ("1",), "s": ()}
FREE = {"X": (1, 2, 2), "y": (1, 2), "theta": (1, 2), "alpha": (1,), "eta": (1, 1), "s": (1,)}


def shown(program, reference):
    """A proof leg's program, of a task of length 1; the example has (3/5, 4/5)."""
    names = list(signature(program).parameters)[1:]
    fields = {n: FIELDS[n] for n in names}

    def made(ns, alpha, **free):
        unit = ns.stack([ns.rational(3, 5), ns.rational(4, 5)])
        task = unit + 0 * ns.expand_dims(alpha, axis=-1)
        return {n: {"alpha": alpha, "theta_star": task, **free}[n] for n in names}

    setting = Setting({("theta_star'", "theta_star"): ()}, "", (FREE, made))

    def proof():
        return same_for_all_sizes(program, reference, fields, setting)

    return proof


def against(of, name, program, reference):
    return variant(name, simulation=shown(program, reference), leg=of)


def lemma(over):
    """That the excess is a square, before and after a loop."""
    how = {"arithmetic": "proof", "over": over, "grid": ONCE}
    return [
        leg("before a loop", shown(before_a_loop, across_before), **how),
        leg("after one", shown(after_a_loop, across_after), **how),
    ]


RIVALS = [
    *LOOP_RIVALS,
    against("before a loop", "always met", before_a_loop, nothing),
    against("after one", "always met after a loop", after_a_loop, nothing),
    against("after one", "without alpha in it", after_a_loop, without_alpha),
    against("after one", "half of the bound", half_the_bound, across_after),
]
prediction_error = claim(
    "looped-prediction-error-every-size",
    states="looped-prediction-error",
    title="From parameter error to prediction error, for all sizes",
    says=r"For every prompt, start, steps and $T$, and every $\theta^*$ of norm 1, $|\langle "
    r"TF,\theta^*\rangle-\alpha|\le|\alpha|\,\|\theta^{(T)}-\theta^*\|$: the difference of the squares is "
    r"$\alpha^2\|e-\langle e,\theta^*\rangle\theta^*\|^2$.",
    covers="cauchy-schwarz",
    legs=[
        *loops("X y q0 eta alpha theta_star T"),
        *lemma("X y q0 eta alpha theta_star T"),
    ],
    rivals=RIVALS,
)
equality_case = claim(
    "looped-prediction-error-equality-every-size",
    states="looped-prediction-error",
    title="The equality case of the prediction bound, for all sizes",
    says=r"$\alpha^2\|e\|^2$ exceeds the squared prediction error by "
    r"$\alpha^2\|e-\langle e,\theta^*\rangle\theta^*\|^2$ for "
    r"$e=\theta^{(T)}-\theta^*$ and $\|\theta^*\|=1$: equality holds exactly if $e$ is a multiple of $\theta^*$.",
    role="derived",
    covers="equality-case",
    legs=[
        *loops("X y theta_star"),
        *lemma("X y theta_star"),
        leg(
            "of multiples",
            shown(of_a_multiple, none_there),
            arithmetic="proof",
            over="X y theta_star",
            grid=ONCE,
        ),
    ],
    rivals=[*RIVALS, against("of multiples", "of any vector", of_any_vector, none_there)],
)
