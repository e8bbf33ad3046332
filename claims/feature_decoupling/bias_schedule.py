r"""The manual schedule of the biases, whatever the weights do.

Setting. n and m are the norms of a neuron before and after a step, e = eta/d. From T1 on, where b = sqrt(2 log d/d)
n, b <- b (1 + max(e, m/n - 1)) as long as b is at most the cap.

Statements. (1) b/n never falls. (2) b grows by 1 + e a step at least. (3) n^2 = d b^2/(2 log d) at T1, and n^2 <= d
b^2/(2 log d) ever after until the cap, which is half of what Induction Hypothesis D.1 (e) asks. (4) If the
coefficients of a neuron stay below A and the cap is above A, then b > A within A/(b e) steps or before: since b goes
on growing when the norm has settled, such a neuron stops firing on its columns.

Reference: lines 164-182, 295-304 and 752.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from math import isqrt

import sympy as sp

from theorycheck import (
    at_least,
    at_most,
    claim,
    formula_leg,
    instances,
    leg,
    rivals_of,
    typed,
    variant,
)

from ._dictionary import ONE_POINT, dot


def length(w):
    """|w|, of weights for which it is rational."""
    square = dot(w, w)
    return Fraction(isqrt(square.numerator), isqrt(square.denominator))


def schedule(weights, share, e, cap, follows=True):
    """Bias and norm after each step from b = ``share`` |w| on, as long as the bias is at most ``cap``."""
    b = share * length(weights[0])
    yield b, length(weights[0])
    for w, following in itertools.pairwise(weights):
        if b > cap:
            return
        growth = length(following) / length(w) - 1
        b *= 1 + (max(e, growth) if follows else e)
        yield b, length(following)


def least_rise(weights, share, e, cap, follows=True):
    """The smallest change of bias over norm in a step. Shape ()."""
    ratios = [b / n for b, n in schedule(weights, share, e, cap, follows)]
    return min(y - x for x, y in itertools.pairwise(ratios))


def with_the_rate_alone(weights, share, e, cap):
    return least_rise(weights, share, e, cap, follows=False)


def nothing(weights, share, e, cap):
    return 0


def largest_norm(weights, share, e, cap, follows=True):
    """The largest |w|^2 over b^2; at the start it is 1/share^2. Shape ()."""
    return max((n / b) ** 2 for b, n in schedule(weights, share, e, cap, follows))


def norm_with_the_rate_alone(weights, share, e, cap):
    return largest_norm(weights, share, e, cap, follows=False)


share = sp.Symbol("share", positive=True)
AT_THE_START = share ** (-2)
"""d/(2 log d)."""


def any_training(rng):
    """Weights in the plane of rational length, not 0, that grow, shrink and turn."""
    weights = []
    for _ in range(8):
        a, c = int(rng.integers(1, 5)), int(rng.integers(1, 5))
        size = Fraction(int(rng.integers(1, 9)), 3) / (a * a + c * c)
        weights.append([size * (a * a - c * c), size * 2 * a * c])
    return {
        "weights": weights,
        "share": Fraction(int(rng.integers(1, 9)), 9),
        "e": Fraction(1, int(rng.integers(5, 50))),
        "cap": Fraction(20),
    }


FIELDS = "weights share e cap"
TRAININGS = instances(any_training, FIELDS, smoke=4, standard=12)


def steps_to_death(start, e, ceiling, along):
    """Steps of the schedule until the bias is above ``ceiling``, the weights going round through ``along``, all of
    size at most that. Shape ()."""
    sizes = [ceiling * s for s in along]
    b, t = Fraction(start), 0
    while b <= ceiling:
        b *= 1 + max(e, sizes[(t + 1) % len(sizes)] / sizes[t % len(sizes)] - 1)
        t += 1
    return t


def steps_without_rate(start, e, ceiling, along):
    return steps_to_death(start, e / 9, ceiling, along)


def stated_time(start, e, ceiling, along):
    """A/(b e), rounded up. Shape ()."""
    return -(-ceiling // (start * e))


def settled(rng):
    """Coefficients that have settled below their bound."""
    return {
        "start": Fraction(int(rng.integers(10, 30)), 10),
        "e": Fraction(1, int(rng.integers(2, 20))),
        "ceiling": Fraction(int(rng.integers(4, 9))),
        "along": [Fraction(9, 10)],
    }


NORMS = ["n in (0, oo)", "m in (0, oo)", "e in (0, oo)"]

RATIO = formula_leg(
    "a step", typed("b*(1 + Max(e, m/n - 1))/m >= b/n", over=["b in [0, oo)", *NORMS])
)

monotone = claim(
    "decoupling-bias-ratio",
    lhs=r"\min_t\Big(\frac{b_{t+1}}{\|w_{t+1}\|}-\frac{b_t}{\|w_t\|}\Big)",
    tex="0",
    states="decoupling-training-algorithm",
    title="Bias over norm never falls",
    says=r"$b_{t+1}/\|w_{t+1}\|\ge b_t/\|w_t\|$ from $T_1$ until the cap, for every sequence of weights.",
    role="derived",
    covers="ratio-monotone",
    # of the weights and of the time a step sees its bias and both norms
    reads={"trajectory": "n m b", "t": "n m b"},
    **ONE_POINT,
    legs=[
        leg(
            "schedule",
            least_rise,
            reference=nothing,
            relation=at_least(),
            instances=TRAININGS,
            required=False,
            unit=1,
        ),
        RATIO,
    ],
    rivals=[
        variant("the rate alone", simulation=with_the_rate_alone, leg="schedule"),
        *rivals_of(
            RATIO,
            {
                "the rate e alone": "b*(1 + e)/m >= b/n",
                "it rises by 1 + e": "b*(1 + Max(e, m/n - 1))/m >= b*(1 + e)/n",
            },
        ),
    ],
)

GROWTH = formula_leg(
    "a step",
    typed(
        "B*(1 + Max(e, x)) >= b*(1 + e)**(t + 1)",
        over=["b in (0, oo)", "e in (0, oo)", "t in 0..oo", "B in (0, oo)", "x in R"],
        where="B >= b*(1 + e)**t",
    ),
)

grows = claim(
    "decoupling-bias-growth",
    states="decoupling-training-algorithm",
    title="Geometric growth of the bias",
    says=r"$b_t\ge b_{T_1}(1+\eta/d)^{t-T_1}$ until the cap.",
    role="derived",
    covers="bias-growth",
    legs=[GROWTH],
    rivals=rivals_of(
        GROWTH,
        {
            "twice the rate": "B*(1 + Max(e, x)) >= b*(1 + 2*e)**(t + 1)",
            "the growth of the norm alone": "B*(1 + x) >= b*(1 + e)**(t + 1)",
        },
    ),
)

SIZES = ["L in (0, oo)", "d in (0, oo)"]
START = formula_leg(
    "at T1", typed("n**2 == d*(sqrt(2*L/d)*n)**2/(2*L)", over=[*SIZES, "n in (0, oo)"]), over="t i"
)
# share is b/n at the start, sqrt(2 log d/d), and at most b/n before the step
KEPT = formula_leg(
    "a step",
    typed(
        f"(m/(b*(1 + Max(e, m/n - 1))))**2 <= {AT_THE_START}",
        over=["b in (0, oo)", *NORMS, "share in (0, b/n]"],
    ),
    over="t i",
)

capped = claim(
    "decoupling-norm-below-bias",
    lhs=r"\max_t\|w_t\|^2/b_t^2",
    tex=r"\frac d{2\log d}",
    states=["decoupling-training-algorithm", "decoupling-stage2-induction"],
    title="Norms against biases",
    says=r"$\|w_i\|^2=\frac d{2\log d}b_i^2$ at $T_1$ and $\|w_i\|^2\le\frac d{2\log d}b_i^2$ until the cap, for every "
    "neuron.",
    covers=[
        "decoupling-training-algorithm/norm-cap-invariant",
        "decoupling-stage2-induction/norm-vs-bias",
    ],
    **ONE_POINT,
    closed_form=AT_THE_START,
    legs=[leg("schedule", largest_norm, instances=TRAININGS, required=False), START, KEPT],
    rivals=[
        variant("the rate alone", simulation=norm_with_the_rate_alone, leg="schedule"),
        *rivals_of(START, {"a bias of sqrt(log d/d)": "n**2 == d*(sqrt(L/d)*n)**2/(2*L)"}),
        *rivals_of(
            KEPT,
            {
                "a bias that follows e alone": "(m/(b*(1 + e)))**2 <= share**(-2)",
                "half of it again": "(m/(b*(1 + Max(e, m/n - 1))))**2 <= share**(-2)/2",
            },
        ),
    ],
)

# the bias is above the cap, or it has grown at each of the steps
BEYOND = formula_leg(
    "time",
    typed(
        "Min(cap, b*(1 + t*e)) > A",
        over=[
            "b in (0, oo)",
            "e in (0, oo)",
            "A in (0, oo)",
            "cap in (A, oo)",
            "t in 0..oo",
        ],
        where="t >= A/(b*e)",
    ),
)
BERNOULLI = formula_leg(
    "growth", typed("(1 + e)**t >= 1 + t*e", over=["e in [0, oo)", "t in 0..oo"])
)

death = claim(
    "decoupling-bias-death",
    lhs=r"\min\{t:b_t>A\}-T_1",
    tex=r"\Big\lceil\frac{dA}{\eta b_{T_1}}\Big\rceil",
    states="decoupling-training-algorithm",
    title="Every neuron dies under a high cap",
    says=r"If $|\alpha|\le A$ stays below the cap, $b_t>A$ for some $t\le T_1+\lceil dA/(\eta b_{T_1})\rceil$.",
    role="derived",
    covers="eventual-death",
    **ONE_POINT,
    legs=[
        leg(
            "schedule",
            steps_to_death,
            reference=stated_time,
            relation=at_most(),
            required=False,
            gives="t",
            instances=instances(settled, "start e ceiling along", smoke=4, standard=12),
        ),
        BEYOND,
        BERNOULLI,
    ],
    rivals=[
        variant("a ninth of the rate", simulation=steps_without_rate, leg="schedule"),
        *rivals_of(BEYOND, {"half the time": {"where": "t >= A/(2*b*e)"}}),
        *rivals_of(BERNOULLI, {"2 t e": "(1 + e)**t >= 1 + 2*t*e"}),
    ],
)
