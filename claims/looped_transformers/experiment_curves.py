"""Section 8.6: the convergence curves of the experiment lie below the theory, and lower with more examples.

Setting. d = 4, n in {16, 32, 64}, X in R^{n x d} and theta* with independent standard normal entries; ten prompts for
each n, the looped transformer with step 1/L from 0. A curve is the mean over the prompts of log |theta_t - theta*|^2 /
|theta*|^2, the theory's line is -t/kappa.

Statement. In most repetitions the curve lies below the line, and that of 2n examples below that of n.

Reference: section 8.6, Figure 8.1 (arXiv 2410.11268). That each run lies below the line is certain: `experiment_order`.
"""

from __future__ import annotations

import sympy as sp

from theorycheck import at_least, choices, claim, leg, probability, variant

from ._models import attention, initial_state
from .condition_number import condition_of

n = sp.symbols("n", integer=True, positive=True)
TRIALS = 10


def errors(ns, X, target, loops, every):
    """|theta_t - theta*|^2 / |theta*|^2 at every ``every``-th loop, at least 2^-104: float64 reaches about
    that and some runs reach theta* itself. X (B, n, d), target (B, d); shape (times, B)."""
    n = X.shape[1]
    y = ns.sum(X * ns.expand_dims(target, axis=1), axis=-1)
    step = 1 / ns.eigvalsh(ns.matmul(ns.matrix_transpose(X), X))[:, -1]
    Z = initial_state(ns, X, y, 0 * target, 0 * step + 1)
    if bool(ns.any(Z[:, n, :-1] != 0)):
        raise ValueError("the runs begin at 0")
    size, floor, found = ns.sum(target**2, axis=-1), ns.rational(1, 2**104), []
    for t in range(loops + 1):
        if t % every == 0:
            gap = ns.sum((-Z[:, n, :-1] - target) ** 2, axis=-1) / size
            found.append(ns.maximum(gap, 0 * gap + floor))
        Z = Z - ns.reshape(step, (-1, 1, 1)) * attention(ns, Z)
    return ns.stack(found)


SEEN, EACH = 50, 10
"""Loops that the claim on the curves looks at, and how many lie between two looks. Far from the floor."""


def mean_curves(ns, rng, size, n):
    """Means over ten prompts of the log errors and of 1/kappa. Shapes (looks, size) and (size,)."""
    X, target = rng.normal((size * TRIALS, n, 4)), rng.normal((size * TRIALS, 4))
    logs = ns.log(errors(ns, X, target, SEEN, EACH))
    slopes = 1 / condition_of(ns, X)
    curves = ns.mean(ns.reshape(logs, (-1, size, TRIALS)), axis=2)
    return curves, ns.mean(ns.reshape(slopes, (size, TRIALS)), axis=1)


def all_below(ns, rng, size, n, factor=1):
    """Whether the mean curve lies below -factor t/kappa at every look. Shape (size,)."""
    curves, slope = mean_curves(ns, rng, size, n)
    below = ns.number(curves[1:, ...] == curves[1:, ...])
    for look in range(1, curves.shape[0]):
        line = -factor * EACH * look * slope
        below = below * ns.expand_dims(ns.number(curves[look, :] < line), axis=0)
    return below[0, :]


ABOVE_THE_FLOOR = {16: 48, 32: 32, 64: 24}
"""Loops after which the mean curve of 2n examples has come to about -40, far above the floor of -72, by n."""


def faster_with_more(ns, rng, size, n, factor=2):
    """Whether the mean curve of ``factor`` n examples is below that of n above the floor. Shape (size,)."""
    few, many = (every_loop(ns, rng, size, m, ABOVE_THE_FLOOR[n]) for m in (n, factor * n))
    return ns.number(ns.all(many < few, axis=0))


def every_loop(ns, rng, size, n, loops):
    """Means over ten prompts of the log errors at loops 1, .., ``loops``. Shape (loops, size)."""
    X, target = rng.normal((size * TRIALS, n, 4)), rng.normal((size * TRIALS, 4))
    logs = ns.log(errors(ns, X, target, loops, 1))[1:, ...]
    return ns.mean(ns.reshape(logs, (loops, size, TRIALS)), axis=2)


def three_over_kappa(ns, rng, size, n):
    return all_below(ns, rng, size, n, factor=3)


def faster_with_as_many(ns, rng, size, n):
    """The control: n examples on both sides, of which neither is faster."""
    return faster_with_more(ns, rng, size, n, factor=1)


def slower_with_more(ns, rng, size, n):
    return 1 - faster_with_more(ns, rng, size, n)


curves = claim(
    "looped-exp-convergence-curves",
    lhs=r"\Pr[\text{all below }-t/\kappa]",
    states="looped-exp-convergence",
    title="Order of the convergence curves",
    says="In more than three of four repetitions the ten-prompt mean of the log squared error stays "
    r"below $-t/\kappa$ at every look up to 50 loops, and in more than half of them it lies lower with $2n$ "
    "examples than with $n$ at every loop above the floor of rounding.",
    encodes="part",
    covers="faster-with-n",
    domain={n: choices(16, 32, 64)},
    grid={"smoke": {n: [16]}, "standard": {n: [16, 32]}, "deep": {n: [16, 32, 64]}},
    closed_form=sp.Rational(3, 4),
    relation=at_least(),
    legs=[
        leg(
            "below the theory",
            all_below,
            statistic=probability(),
            block=96,
            inside="t",
            budget={"smoke": 192, "standard": 384},
        ),
        leg(
            "faster with more examples",
            faster_with_more,
            statistic=probability(),
            block=96,
            budget={"smoke": 768, "standard": 1152},
            draws="prompts",
            inside="t",
            closed_form=sp.Rational(1, 2),
            lhs=r"\Pr[\text{curve of }2n\text{ below that of }n]",
            tex=r"\frac12",
        ),
    ],
    rivals=[
        variant("below -3t/kappa", leg="below the theory", simulation=three_over_kappa),
        variant(
            "slower with more examples",
            leg="faster with more examples",
            simulation=slower_with_more,
        ),
        variant(
            "as many examples", leg="faster with more examples", simulation=faster_with_as_many
        ),
    ],
)
