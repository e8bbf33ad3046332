"""After Theorem 8.1, and section 8.6: condition numbers of Gaussian contexts, and the experiment's table.

Setting. X in R^{n x d} with independent standard normal entries, n >= d / eps^2, kappa = cond(X^T X).

Statements. 1 <= kappa <= 1 + O(eps) with high probability; the edge formula ((1+eps)/(1-eps))^2 = 1 + 4 eps + ..
gives the constant. Explicitly (derived, Davidson and Szarek): kappa <= ((1 + 2 eps)/(1 - 2 eps))^2 with probability
at least 1 - 2 exp(-d/2). The experiment reports average kappa 4.57, 3.13, 2.07, 1.62 over ten draws at d = 4, n =
16, 32, 64, 128, and that the gap between empirical and theoretical rate narrows as n grows. That depends on the
gap: per step, in the logarithm that is plotted, it widens; in iterations to a given accuracy it narrows.

Reference: section 8.1 and 8.6, Figure 8.1 (arXiv 2410.11268).
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_least,
    at_most,
    choices,
    claim,
    figure,
    formula_leg,
    holds_with_probability,
    integers,
    leg,
    panel,
    probability,
    rivals_of,
    series,
    typed,
    variant,
)

from ._models import attention, initial_state

d, s, n = sp.symbols("d s n", integer=True, positive=True)


def condition_numbers(ns, rng, count, n, d):
    """kappa of ``count`` independent Gaussian contexts. Shape (count,)."""
    return condition_of(ns, rng.normal((count, n, d)))


def condition_of(ns, X):
    """cond(X^T X). X (B, n, d), shape (B,)."""
    spectrum = ns.eigvalsh(ns.matmul(ns.matrix_transpose(X), X))
    return spectrum[:, -1] / spectrum[:, 0]


def beyond(ns, rng, size, n, d, s):
    """Whether kappa passes ((1 + 2 eps)/(1 - 2 eps))^2, eps = s^(-1/2). Booleans, shape (size,)."""
    reach = 2 * ns.sqrt(ns.rational(1, s))
    return condition_numbers(ns, rng, size, n, d) > ((1 + reach) / (1 - reach)) ** 2


def beyond_the_edge(ns, rng, size, n, d, s):
    reach = ns.sqrt(ns.rational(1, s))
    return condition_numbers(ns, rng, size, n, d) > ((1 + reach) / (1 - reach)) ** 2


def beyond_second_order(ns, rng, size, n, d, s):
    return condition_numbers(ns, rng, size, n, d) > 1 + 16 * ns.rational(1, s)


def with_few_examples(ns, rng, size, d, s):
    """n = d + s instead of n = d s: no longer proportional to d."""
    reach = 2 * ns.sqrt(ns.rational(1, s))
    return condition_numbers(ns, rng, size, d + s, d) > ((1 + reach) / (1 - reach)) ** 2


def explicit_constants():
    """eps_0 = 5^(-1/2), c = 1, and C = 720: ((1 + 2 eps)/(1 - 2 eps))^2 is convex, and at most 1 + 720 eps at eps_0."""


kappa_gaussian = claim(
    "looped-kappa-gaussian",
    lhs=r"\Pr\Big[\kappa>\Big(\frac{1+2\epsilon}{1-2\epsilon}\Big)^2\Big]",
    title="Condition number of Gaussian contexts",
    says=r"With $n\ge d/\epsilon^2$ examples, $\kappa\le((1 + 2 \epsilon)/(1 - 2 \epsilon))^2 = 1 + "
    r"O(\epsilon)$ with probability at least $1 - 2 \exp(-d/2)$: the printed order with an "
    "explicit constant.",
    encodes="special-case",
    covers="order-eps",
    reads={"eps": "s"},
    domain={d: integers(1), s: integers(5), n: integers(1)},
    where=n >= d * s,
    # The edge's share tends to a positive limit, 0.055: at d = 12 it is above 2 exp(-6), at d = 6 below 2 exp(-3).
    grid={
        "smoke": [{d: 4, s: 16, n: 64}, {d: 6, s: 64, n: 500}, {d: 12, s: 16, n: 192}],
        "standard": [
            {d: a, s: b, n: a * b * half // 2}
            for a in (4, 8, 12)
            for b in (16, 64, 256)
            for half in (2, 3)
        ],
    },
    closed_form=2 * sp.exp(-d / sp.Integer(2)),
    relation=holds_with_probability(),
    legs=[
        leg(
            "sampled",
            beyond,
            statistic=probability(),
            block=512,
            draws="X",
            gives="c C eps_0",
            chosen_by=explicit_constants,
        )
    ],
    rivals=[
        variant("1 + 16 eps^2", simulation=beyond_second_order, at=[{d: 4, s: 64, n: 256}]),
        variant("d + 1/eps^2 examples", simulation=with_few_examples, at=[{d: 12, s: 16, n: 192}]),
        variant(
            "the edge formula itself holds up to exp(-3d)",
            closed_form=sp.exp(-3 * d),
            simulation=beyond_the_edge,
            at=[{d: 4, s: 16, n: 64}],
        ),
    ],
)


# ---- the experiment

PRINTED = {
    16: Fraction(457, 100),
    32: Fraction(313, 100),
    64: Fraction(207, 100),
    128: Fraction(162, 100),
}
TRIALS = 10


def ten_trial_means(ns, rng, size, n):
    each = condition_numbers(ns, rng, size * TRIALS, n, 4)
    return ns.mean(ns.reshape(each, (size, TRIALS)), axis=1)


def not_above(ns, rng, size, n, factor=1):
    """Whether a ten-trial mean is at most ``factor`` times the reported one. Shape (size,)."""
    return ten_trial_means(ns, rng, size, n) <= ns.asarray(factor * PRINTED[n])


def not_below(ns, rng, size, n, factor=1):
    return ten_trial_means(ns, rng, size, n) >= ns.asarray(factor * PRINTED[n])


def above_twice(ns, rng, size, n):
    """Whether it is above twice the reported one."""
    return ~not_above(ns, rng, size, n, factor=2)


def below_half(ns, rng, size, n):
    return ~not_below(ns, rng, size, n, factor=Fraction(1, 2))


def one_above_twice(ns, rng, size, n):
    """The same of single prompts."""
    return condition_numbers(ns, rng, size, n, 4) > ns.asarray(2 * PRINTED[n])


def one_below_half(ns, rng, size, n):
    return condition_numbers(ns, rng, size, n, 4) < ns.asarray(PRINTED[n] / 2)


def of_x_not_below(ns, rng, size, n):
    each = ns.sqrt(condition_numbers(ns, rng, size * TRIALS, n, 4))
    return ns.mean(ns.reshape(each, (size, TRIALS)), axis=1) >= ns.asarray(PRINTED[n])


def squares_not_above(ns, rng, size, n):
    each = condition_numbers(ns, rng, size * TRIALS, n, 4) ** 2
    return ns.mean(ns.reshape(each, (size, TRIALS)), axis=1) <= ns.asarray(PRINTED[n])


FLOOR = 72
"""Where float64 ends: log 2^104."""

LOOPS, EVERY = 200, 4
"""Loops of the figure, as in the source, and how many lie between two points of a drawn curve."""


def convergence(ns, rng):
    """Figure 8.1 from ten prompts for each n, by the looped transformer, and its condition numbers.

    What the source plots: log of |theta_t - theta*|^2 over its start against t, step 1/L, theta_0 = 0; and the
    theory's -t/kappa. Curves and lines are means over the prompts,
    bands the least and the largest of them.
    """
    times = list(range(0, LOOPS + 1, EVERY))
    runs, theory, kappas = [], [], []
    for size in PRINTED:
        X, target = rng.normal((TRIALS, size, 4)), rng.normal((TRIALS, 4))
        kappa = condition_of(ns, X)
        logs = ns.log(errors(ns, X, target))
        curve, low, high = ns.mean(logs, axis=1), ns.min(logs, axis=1), ns.max(logs, axis=1)
        runs.append(series(f"looped, n = {size}", times, curve, low=low, high=high))
        slope = Fraction(float(ns.mean(1 / kappa)))
        last = min(Fraction(LOOPS), FLOOR / slope)
        theory.append(series(f"-t/kappa, n = {size}", [0, last], [0, -last * slope], dashed=True))
        kappas.append(float(ns.mean(kappa)))
    reported = [float(value) for value in PRINTED.values()]
    return [
        panel("convergence", x="loops", y="log of the squared error", lines=runs + theory),
        panel(
            "condition numbers",
            x="n",
            y="mean kappa of ten prompts",
            log_x=True,
            marks=[
                series(f"our ten prompts: {listed(kappas)}", list(PRINTED), kappas),
                series(f"reported: {listed(reported)}", list(PRINTED), reported),
            ],
        ),
    ]


def listed(values):
    return ", ".join(f"{value:.2f}" for value in values)


def errors(ns, X, target, loops=LOOPS, every=EVERY):
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


# ---- the order of the curves

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


SELDOM = {
    "statistic": probability(),
    "block": 256,
    "relation": holds_with_probability(),
    "closed_form": sp.Rational(1, 100),
    "where": sp.Eq(n, 16),
    "grid": {"smoke": [{n: 16}]},
    "required": False,
}
"""What tells a mean of ten from a single prompt, where they differ most."""
TABLE = {"smoke": {n: [16, 128]}, "standard": {n: [16, 32, 64, 128]}}
table = claim(
    "looped-exp-convergence",
    title="Reported condition numbers",
    says=r"The reported ten-trial averages of $\kappa$ at $d = 4$ lie between the 0.5% and 99.5% points"
    " of their distribution; at $n = 16$ such an average is seldom twice or half of the reported one.",
    encodes="part",
    covers="kappa-averages",
    domain={n: choices(16, 32, 64, 128)},
    grid=TABLE,
    closed_form=sp.Rational(1, 200),
    relation=at_least(),
    legs=[
        leg(
            "not too large",
            not_above,
            statistic=probability(),
            block=256,
            draws="prompts",
            lhs=r"\Pr[\bar\kappa_n\le\text{reported}]",
        ),
        leg(
            "not too small",
            not_below,
            statistic=probability(),
            block=256,
            draws="prompts",
            lhs=r"\Pr[\bar\kappa_n\ge\text{reported}]",
        ),
        leg(
            "seldom twice as large",
            above_twice,
            lhs=r"\Pr[\bar\kappa_n>2\cdot\text{reported}]",
            **SELDOM,
        ),
        leg(
            "seldom half as large",
            below_half,
            lhs=r"\Pr[\bar\kappa_n<\text{reported}/2]",
            **SELDOM,
        ),
    ],
    rivals=[
        variant("single prompts, above", simulation=one_above_twice, leg="seldom twice as large"),
        variant("single prompts, below", simulation=one_below_half, leg="seldom half as large"),
        variant("condition numbers of X", simulation=of_x_not_below, leg="not too small"),
        variant("squares of condition numbers", simulation=squares_not_above, leg="not too large"),
    ],
    figures=[
        figure(
            "Figure 8.1",
            convergence,
            at={"smoke": {}},
            caption="d = 4, ten prompts for each n: their means, and in the bands all of them. "
            "The curves end on the floor of rounding, near log 2^-104 = -72; "
            "the theorem says nothing of it.",
        )
    ],
)


def rates(ns, kappa, steps=4):
    """Decrease of log |theta_t - theta*|^2 per step along the lowest eigenvector (mu = 1, L = kappa), by
    running gradient descent, and the theory's 1/kappa. Shape (2,)."""
    start = ns.asarray(1)
    error = start
    for _ in range(steps):
        error = error - error / ns.asarray(kappa)
    return ns.log(start**2 / error**2) / steps, 1 / ns.asarray(kappa)


def vertical_change(ns, n):
    """Change of the gap per step in the logarithm, from n to 2n, at the reported averages. Shape ()."""
    gaps = [
        empirical - theory
        for empirical, theory in (rates(ns, PRINTED[n]), rates(ns, PRINTED[2 * n]))
    ]
    return gaps[1] - gaps[0]


def horizontal_change(ns, n):
    """Change of the gap in iterations per unit of log(1/accuracy), from n to 2n. Shape ()."""
    gaps = [
        1 / theory - 1 / empirical
        for empirical, theory in (rates(ns, PRINTED[n]), rates(ns, PRINTED[2 * n]))
    ]
    return gaps[1] - gaps[0]


# kappa + 1/(2 log(1 - 1/kappa)) has the slope 1 - 1/(2 kappa (kappa - 1) log(1 - 1/kappa)^2), below 0 under 1.0533
RISING = formula_leg(
    "its slope",
    typed("2*kappa*(kappa - 1)*log(1 - 1/kappa)**2 > 1", over="kappa in [53/50, oo)"),
    lhs=r"2\kappa(\kappa-1)\log^2(1-1/\kappa)",
    tex="1",
)


def narrows(suffix, title, says, simulation, expect, change, *more, role="reading"):
    return claim(
        f"looped-exp-convergence-{suffix}",
        lhs=rf"\Big[{change}\Big]_n^{{2n}}",
        states="looped-exp-convergence",
        title=title,
        says=says,
        role=role,
        covers=f"gap-narrows-{suffix}",
        reads={"kappa": "n"},
        expect=expect,
        domain={n: choices(16, 32, 64)},
        grid={"smoke": {n: [16, 32, 64]}},
        closed_form=sp.Integer(0),
        relation=at_most(),
        legs=[leg("at the reported averages", simulation, unit=1), *more],
        rivals=[
            *[variant("the other gap", leg="at the reported averages", simulation=vertical_change)]
            * len(more),
            *(r for one in more for r in rivals_of(one, {"from 1 on": {"over": "kappa > 1"}})),
        ],
    )


vertical = narrows(
    "vertical",
    "The gap per step narrows with $n$",
    "From $n$ to $2n$ the gap between empirical and theoretical decrease of the log error per step does not grow.",
    vertical_change,
    "fail",
    r"-2\log\Big(1-\frac1\kappa\Big)-\frac1\kappa",
)
horizontal = narrows(
    "horizontal",
    "The gap in iterations narrows with $n$",
    "From $n$ to $2n$ the gap between theoretical and empirical iterations to a given accuracy does not grow.",
    horizontal_change,
    "pass",
    r"\kappa+\frac1{2\log(1-1/\kappa)}",
    RISING,
)
