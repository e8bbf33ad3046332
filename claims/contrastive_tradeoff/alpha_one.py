"""When shared features are fully kept (derived from Lemma F.3).

Setting. Lemma F.3: sum_t w_t E ell(alpha sigma_{S,t}^2 Z + alpha_t sigma_{R,t}^2 Z_t) over alpha s + (r - s) sum_t
alpha_t <= r, entries in [0, 1]; X_t the argument, g = -ell' >= 0, which does not rise, W ~ chi2_2.

Statements. (1) If sigma_{S,t}^2 >= alpha_t sigma_{R,t}^2 at an optimum for all t, alpha = 1 is optimal. With a the
variance, a E g(X + a W) is the integral of g(X + u) e^{-u/(2a)}/2 over u > 0, which rises with a. Were alpha < 1,
with multiplier lam > 0 of the budget: sum_t w_t sigma_S^2 E g(X_t + alpha sigma_S^2 W) <= lam, and w_t sigma_R^2 E
g(X_t + alpha_t sigma_R^2 W) >= lam where alpha_t > 0; times alpha_t and summed, lam sum_t alpha_t <= sum_t w_t
sigma_S^2 E g(X_t + sigma_S^2 W) <= lam, but sum_t alpha_t = (r - alpha s)/(r - s) > 1. (2) For an even mixture of T
>= 2 tasks with common variances alpha = 1 exactly if sigma_S^2 >= sigma_R^2/T: the two sides of the comparison at
(1, 1/T). (3) For ell = exp(-t), unit variances and alpha = 1: 1 + 2 alpha_t = c w_t^{2/(r-s+2)}, clipped at 0: rare
tasks get nothing.

Reference: derived from Lemma F.3, lines 9591-9679.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_least,
    claim,
    equals,
    formula_leg,
    instances,
    integers,
    leg,
    reaching,
    reals,
    rivals_of,
    simplex,
    typed,
    variant,
    vectors,
)

from ._gaussian import inverse_square_losses

KERNEL = formula_leg(
    "rises with the variance",
    typed(
        "exp(-u/(2*a))/2 < exp(-u/(2*(a + h)))/2",
        over=["u in (0, oo)", "a in (0, oo)", "h in (0, oo)"],
    ),
)
FALLS = formula_leg(
    "slopes do not fall",
    typed(
        "Max(0, c - t - h) - Max(0, c - t - h - e) <= Max(0, c - t) - Max(0, c - t - e)",
        over=["c in R", "t in R", "h in [0, oo)", "e in [0, oo)"],
    ),
)
BUDGET = formula_leg(
    "the budget",
    typed(
        "lam*(r - alpha*s)/(r - s) > lam",
        over=["s in 1..oo", "r in s + 1..oo", "alpha in [0, 1)", "lam in (0, oo)"],
    ),
)

s, r, T = sp.symbols("s r T", integer=True, positive=True)
v_S, v_R, rate = sp.symbols("v_S v_R rate", positive=True)


def slopes(ns, a, v_S, v_R, s, r, T, rate):
    """For exp(-rate t), at weights 1 on S and a_t on P_t: what the loss of each task falls by for a unit of trace on S,
    and for one on P_t, from determinants that are linear in a diagonal entry. a, v_S, v_R (B, T); shapes (B, T)."""
    shared, private = [], []
    for t in range(T):

        def det(on_S, on_P, t=t):
            diagonal = [1 + 2 * rate * v_S[:, t] * (1 + (on_S if j == 0 else 0)) for j in range(s)]
            diagonal += [
                1 + 2 * rate * v_R[:, t] * (a[:, t] + (on_P if j == 0 else 0)) for j in range(r - s)
            ]
            return ns.det(ns.diag(ns.stack(diagonal, axis=1)))

        here = det(0, 0)
        shared.append((det(1, 0) / here - 1) / (2 * ns.sqrt(here)))
        private.append((det(0, 1) / here - 1) / (2 * ns.sqrt(here)))
    return ns.stack(shared, axis=1), ns.stack(private, axis=1)


def shared_over_private(ns, a, v_S, v_R, s, r, T, rate):
    """The gain of a unit of trace on S over the common one on the P_t, for task weights w that make a_t stationary: w_t
    is the inverse of its slope, normalised. Shape (B,)."""
    shared, private = slopes(ns, a, v_S, v_R, s, r, T, rate)
    w = (1 / private) / ns.sum(1 / private, axis=1)[:, None]
    return ns.sum(w * shared, axis=1) / (w * private)[:, 0]


def private_over_shared(ns, a, v_S, v_R, s, r, T, rate):
    return 1 / shared_over_private(ns, a, v_S, v_R, s, r, T, rate)


def of_even_weights(ns, a, v_S, v_R, s, r, T, rate):
    """With 1/T for every a_t."""
    return shared_over_private(ns, 0 * a + ns.rational(1, T), v_S, v_R, s, r, T, rate)


def of_common_variance(ns, a, v_S, v_R, s, r, T, rate):
    """With the mean of the v_R for each of them."""
    common = 0 * v_R + ns.mean(v_R, axis=1)[:, None]
    return shared_over_private(ns, a, v_S, common, s, r, T, rate)


def larger_shared(rng, s, r, T):
    """a_t > 0 of sum 1, variances with v_S >= a_t v_R, which at an optimum with alpha = 1 are all there are; of two
    draws one has the least v_S."""
    parts = [int(rng.integers(1, 8)) for _ in range(T)]
    a = [Fraction(x, sum(parts)) for x in parts]
    v_R = [Fraction(int(rng.integers(1, 9)) ** 2, 6) for _ in range(T)]
    more = int(rng.integers(0, 2))
    least = [x * y for x, y in zip(a, v_R, strict=True)]
    v_S = [x * (1 + more * Fraction(int(rng.integers(0, 5)), 4)) for x in least]
    return {"a": a, "v_S": v_S, "v_R": v_R}


def larger_on_S_everywhere(a, v_S, v_R):
    """Positive variances with v_S >= a_t v_R in every task, of weights whose sum is 1."""
    positive = min(v_S) > 0 and min(v_R) > 0
    return positive and all(x >= w * y for w, x, y in zip(a, v_S, v_R, strict=True))


VARIANCES = {"a": simplex(T, positive=True), "v_S": vectors(T), "v_R": vectors(T)}
LARGER = {"draw": larger_shared, "fields": VARIANCES, "where": larger_on_S_everywhere}


def equal_variances(rng, s, r, T):
    """v_S = a_t v_R for every task: trace gains as much on S as on the P_t. ``v_S`` seven eighths of it is too
    little."""
    drawn = larger_shared(rng, s, r, T)
    v_S = [x * y for x, y in zip(drawn["a"], drawn["v_R"], strict=True)]
    return {**drawn, "v_S": v_S}


def nearly_equal_variances(rng, s, r, T):
    drawn = equal_variances(rng, s, r, T)
    return {**drawn, "v_S": [Fraction(7, 8) * x for x in drawn["v_S"]]}


def least_share(ns, a, v_S, v_R, s, r, T, rate):
    """The least v_S/(a v_R) over the tasks, which the claim takes for at least 1. Shape (B,)."""
    return ns.min(v_S / (a * v_R), axis=1)


def larger_on_average(rng, s, r, T):
    """a_t = 1/T, v_R = 1, v_S = 1/(5 T) on the last task and more on the others, so that v_S/(a_t v_R) is 1 on average.
    For one task v_S = 1."""
    last = Fraction(1, 5) if T > 1 else Fraction(1)
    v_S = [(T - last) / (T - 1) / T for _ in range(T - 1)] + [last / T]
    return {"a": [Fraction(1, T)] * T, "v_S": v_S, "v_R": [1] * T}


def smaller_shared(rng, s, r, T):
    """A tenth of these variances on S."""
    drawn = larger_shared(rng, s, r, T)
    return {**drawn, "v_S": [x / 10 for x in drawn["v_S"]]}


sufficient = claim(
    "contrastive-alpha-one-sufficient",
    states="contrastive-alpha-one",
    title="Shared features of larger variance are fully kept",
    lhs=r"D_S/D_P",
    tex=r"1",
    says=r"For $\ell(t) = e^{-ct}$, of every rate $c > 0$: where the private weights are "
    r"stationary at $\alpha = 1$ and $\sigma_{S,t}^2 \ge \alpha_t\sigma_{R,t}^2$ in every task, trace on $S$ gains at "
    r"least as much. For every $\ell$, "
    r"$a\,\mathbb{E}\, g(X + aW)$ rises with $a$, $g$ does not rise, and $\alpha < 1$ leaves "
    "the private weights a sum above 1.",
    encodes="special-case",
    covers="sufficient",
    reads={"w": "a", "sigma": "v_S v_R", "ell": "rate"},
    relation=at_least(),
    domain={s: integers(1), r: integers(2), T: integers(1), rate: reals(0, low_open=True)},
    where=sp.Lt(s, r),
    grid={
        "smoke": [{s: 1, r: 2, T: 2, rate: 1}, {s: 2, r: 5, T: 3, rate: Fraction(1, 4)}],
        "standard": [
            {s: b, r: b + n, T: k, rate: 2} for b in (1, 3) for n in (1, 2) for k in (2, 4)
        ],
    },
    closed_form=sp.Integer(1),
    legs=[
        leg(
            "determinants",
            shared_over_private,
            instances=instances(**LARGER, smoke=12, standard=12),
        ),
        leg(
            "equal variances",
            shared_over_private,
            relation=equals(),
            instances=instances(equal_variances, "a v_S v_R", smoke=3, standard=4),
        ),
        leg(
            "the hypothesis",
            least_share,
            lhs=r"\min_t\sigma_{S,t}^2/(\alpha_t\sigma_{R,t}^2)",
            instances=instances(**LARGER, smoke=40),
        ),
        KERNEL,
        FALLS,
        BUDGET,
    ],
    rivals=[
        variant("the other way round", simulation=private_over_shared, leg="determinants"),
        variant(
            "seven eighths of the variance",
            leg="equal variances",
            instances=instances(nearly_equal_variances, "a v_S v_R", smoke=1),
        ),
        variant("of even weights", simulation=of_even_weights, leg="equal variances"),
        variant("of a common variance", simulation=of_common_variance, leg="equal variances"),
        variant(
            "a tenth of it, without the hypothesis",
            leg="the hypothesis",
            instances=instances(smaller_shared, "a v_S v_R", smoke=3),
        ),
        *(
            variant(
                f"larger on average alone, {name}",
                leg=name,
                instances=instances(larger_on_average, "a v_S v_R", smoke=1),
            )
            for name in ("determinants", "the hypothesis")
        ),
        variant(
            "a tenth of the variance",
            leg="determinants",
            instances=instances(smaller_shared, "a v_S v_R", smoke=3),
        ),
        *rivals_of(KERNEL, {"with 1/a": "exp(-u/(2*a))/(2*a) < exp(-u/(2*(a + h)))/(2*(a + h))"}),
        *reaching(KERNEL, "u > 100 and a > 100 and h > 100", "a < 1/100"),
        *reaching(FALLS, "h > 100 and e > 100 and c > 100 and t < -100"),
        *reaching(BUDGET, "s > 100 and r > 300 and alpha > 99/100 and lam > 100"),
        *rivals_of(
            FALLS,
            {
                "they fall": "Max(0, c - t - h) - Max(0, c - t - h - e) >= Max(0, c - t) - Max(0, c - t - e)"
            },
        ),
        *rivals_of(
            BUDGET,
            {
                "alpha = 1 as well": {
                    "over": ["s in 1..oo", "r in s + 1..oo", "alpha in [0, 1]", "lam in (0, oo)"]
                }
            },
        ),
    ],
)


# ---- even mixtures


def gain_of_shared(ns, s, r, T, v_S, v_R, shared=1):
    """Sign of the loss's fall per trace on S less that on a private coordinate, at (1, 1/T), ell = exp(-t), from
    determinants: they are linear in a diagonal entry. Shape ()."""
    variances = [v_S] * s + [v_R] * (T * (r - s))
    start = [Fraction(shared)] * s + [Fraction(1, T)] * (T * (r - s))
    moved = [[w + (i == j) for i, w in enumerate(start)] for j in (0, s)]
    tables = ns.stack(
        [
            ns.diag(ns.asarray([v * w for v, w in zip(variances, row, strict=True)]))
            for row in (start, *moved)
        ],
        axis=0,
    )
    dets = inverse_square_losses(ns, tables, s, r - s, T)
    # every task has the same base; one private coordinate moves one task only
    return ns.sign(ns.sum(dets[1] - dets[0]) - ns.sum(dets[2] - dets[0]))


def shared_gain(ns, s, r, T, v_S, v_R, shared=1):
    """What the loss of a task falls by for a unit of trace on S, over that loss, from the determinants of all tasks.
    Shape ()."""
    variances = [v_S] * s + [v_R] * (T * (r - s))
    start = [Fraction(shared)] * s + [Fraction(1, T)] * (T * (r - s))
    moved = [w + (i == 0) for i, w in enumerate(start)]
    tables = ns.stack(
        [
            ns.diag(ns.asarray([v * w for v, w in zip(variances, row, strict=True)]))
            for row in (start, moved)
        ],
        axis=0,
    )
    dets = inverse_square_losses(ns, tables, s, r - s, T)
    return (ns.sum(dets[1]) / ns.sum(dets[0]) - 1) / 2


def shared_gain_at_half(ns, s, r, T, v_S, v_R):
    return shared_gain(ns, s, r, T, v_S, v_R, shared=Fraction(1, 2))


def loss_beside(ns, s, r, T, v_S, v_R, spent=True):
    """Sign of the loss with a little less than 1 on S, what that leaves spent on the private coordinates (up to 1 on
    each), less the loss at (1, 1/T); the step is short enough for the sign to be that of its slope. Shape ()."""
    on_S, on_P = Fraction(v_S), Fraction(v_R) / T
    share = Fraction(r - s, s)
    bend = abs(on_S - on_P) * Fraction(r - s, r) / (2 * on_S * on_P)
    step = min(Fraction(1, 2), share, bend)
    raised = min(Fraction(1), (1 + step / share) / T) if spent else Fraction(1, T)
    weights = [
        [v_S * w] * s + [v_R * p] * (T * (r - s))
        for w, p in ((1, Fraction(1, T)), (1 - step, raised))
    ]
    tables = ns.stack([ns.diag(ns.asarray(row)) for row in weights], axis=0)
    dets = ns.sum(inverse_square_losses(ns, tables, s, r - s, T), axis=1)
    return ns.sign(dets[0] - dets[1])


def loss_beside_unspent(ns, s, r, T, v_S, v_R):
    return loss_beside(ns, s, r, T, v_S, v_R, spent=False)


def at_half(ns, s, r, T, v_S, v_R):
    """The same at alpha = 1/2."""
    return gain_of_shared(ns, s, r, T, v_S, v_R, shared=Fraction(1, 2))


# h is what sigma_S^2 is above or below sigma_R^2/T
ENOUGH = formula_leg(
    "from the ratio 1/T on",
    typed(
        "exp(-u/(2*(v_R/T + h))) >= exp(-u*T/(2*v_R))",
        over=["T in 2..oo", "v_R in (0, oo)", "h in [0, oo)", "u in [0, oo)"],
    ),
    over="ell s r",
)
# g(x + u) for ell = exp(-x) is e^-x e^-u: the kernel of the two steps is what the model's determinants give
GAIN = v_S / (1 + 2 * v_S)
OF_MODEL = formula_leg(
    "for the exponential loss",
    typed(f"Integral(exp(-u)*exp(-u/(2*v_S))/2, (u, 0, oo)) == {GAIN}", over="v_S in (0, oo)"),
    over="ell s r",
)
TOO_LITTLE = formula_leg(
    "below the ratio 1/T",
    typed(
        "exp(-u/(2*v_S)) < exp(-u/(2*(v_S + h)))",
        over=["v_S in (0, oo)", "h in (0, oo)", "u in (0, oo)"],
    ),
)

even = claim(
    "contrastive-alpha-one-even",
    lhs=r"\operatorname{sign}(D_S-D_P)",
    tex=r"\operatorname{sign}(T\sigma_S^2-\sigma_R^2)",
    states="contrastive-alpha-one",
    title="The exact condition for even mixtures",
    says=r"At $(1, 1/T)$ shared features are worth their trace exactly if $\sigma_S^2 \ge "
    r"\sigma_R^2/T$.",
    covers="necessary-even",
    reads={"sigma_S": "v_S", "sigma_R": "v_R"},
    domain={
        s: integers(1),
        r: integers(2),
        T: integers(2),
        v_S: reals(0, low_open=True),
        v_R: reals(0, low_open=True),
    },
    where=sp.Lt(s, r),
    grid={
        "smoke": [
            {s: 1, r: 2, T: 2, v_S: Fraction(51, 100), v_R: 1},
            {s: 1, r: 2, T: 2, v_S: Fraction(49, 100), v_R: 1},
            {s: 2, r: 3, T: 4, v_S: Fraction(1, 4), v_R: 1},
            {s: 1, r: 3, T: 3, v_S: 1, v_R: Fraction(5, 2)},
            {s: 1, r: 3, T: 3, v_S: 1, v_R: Fraction(7, 2)},
            {s: 1, r: 2, T: 2, v_S: Fraction(1, 5), v_R: Fraction(1, 3)},
            {s: 2, r: 5, T: 4, v_S: Fraction(24, 100), v_R: 1},
        ],
        "standard": [
            {s: 1, r: 3, T: t, v_S: Fraction(i, 16), v_R: 1} for t in (2, 3) for i in range(1, 17)
        ],
    },
    closed_form=sp.sign(T * v_S - v_R),
    legs=[
        leg("determinants", gain_of_shared, arithmetic="rational", unit=1, required=False),
        leg(
            "beside (1, 1/T)",
            loss_beside,
            arithmetic="rational",
            unit=1,
            required=False,
            lhs=r"\operatorname{sign}(\mathrm{loss}(1-h,\cdot)-\mathrm{loss}(1,\tfrac1T))",
        ),
        leg(
            "gain on S",
            shared_gain,
            arithmetic="rational",
            closed_form=GAIN,
            required=False,
            lhs=r"D_S/\mathrm{loss}",
            tex=r"\sigma_S^2/(1+2\sigma_S^2)",
        ),
        OF_MODEL,
        ENOUGH,
        TOO_LITTLE,
    ],
    rivals=[
        variant("gain at alpha = 1/2", simulation=shared_gain_at_half, leg="gain on S"),
        variant("nothing spent", simulation=loss_beside_unspent, leg="beside (1, 1/T)"),
        *rivals_of(
            OF_MODEL,
            {"without 1/2": f"Integral(exp(-u)*exp(-u/(2*v_S)), (u, 0, oo)) == {GAIN}"},
        ),
        variant("sigma_S >= sigma_R", closed_form=sp.sign(v_S - v_R)),
        variant("sigma_S^2 >= sigma_R^2/T^2", closed_form=sp.sign(T**2 * v_S - v_R)),
        variant(
            "at alpha = 1/2",
            simulation=at_half,
            leg="determinants",
            at={s: [1], r: [2], T: [2], v_S: [Fraction(49, 100)], v_R: [1]},
        ),
        *reaching(ENOUGH, "T > 100 and v_R > 100 and h > 100 and u > 100", "T == 2 and h == 0"),
        *reaching(TOO_LITTLE, "v_S > 100 and h > 100 and u > 100"),
        *rivals_of(
            ENOUGH,
            {
                "below it as well": {
                    "over": ["T in 2..oo", "v_R in (0, oo)", "h in (-v_R/T, oo)", "u in [0, oo)"]
                }
            },
        ),
        *rivals_of(
            TOO_LITTLE,
            {"h = 0 as well": {"over": ["v_S in (0, oo)", "h in [0, oo)", "u in (0, oo)"]}},
        ),
    ],
)


# ---- uneven mixtures, exponential loss: the conditions of Karush, Kuhn and Tucker, n = r - s

c = sp.Symbol("c", positive=True)
LEVEL = c ** (-(r - s + 2) / 2)
STATIONARY = formula_leg(
    "stationary",
    typed(
        f"v*(c*v**(2/(r - s + 2)))**(-(r - s + 2)/2) == {LEVEL}",
        over=["s in 1..oo", "r in s + 1..oo", "c in (0, oo)", "v in (0, 1]"],
    ),
    over="w T",
)
# u is (1 + 2 a)/(1 + 2 alpha_t) for another weight a: what task t loses is at most its gain times the difference
CONVEX = formula_leg(
    "convex", typed("u**(-n/2) >= 1 - n/2*(u - 1)", over=["n in 1..oo", "u in (0, oo)"])
)
# g <= G where alpha_t = 0, and a >= 0: the sum over tasks is at most G (sum a - 1) <= 0
SAVED = formula_leg(
    "where it is clipped", typed("g*a <= G*a", over=["G in (0, oo)", "g in [0, G]", "a in [0, 1]"])
)
# h = c v^(2/(n+2)) < 1, where 1 + 2 alpha_t would be below 1: at alpha_t = 0 the gain v is below the common one
CLIPPED = formula_leg(
    "clipped at 0",
    typed(
        "(h/c)**((n + 2)/2) < c**(-(n + 2)/2)", over=["n in 1..oo", "c in (0, oo)", "h in (0, 1)"]
    ),
)


def level_and_weights(ns, w, s, r, power=2):
    """alpha_t = max(c w_t^(2/(r - s + 2)) - 1, 0)/2 of sum 1. With fewer tasks than are kept, or more, the sum of
    c w_t^(2/(r - s + 2)) - 1 over those that are counted would be less than 2, so that c is the least of the levels
    (2 + k)/(the sum of the k largest roots). w falls, (B, T); c (B,) and the weights (B, T)."""
    roots = ns.power(w, power, r - s + 2)
    levels = [(2 + k) / ns.sum(roots[:, :k], axis=1) for k in range(1, w.shape[1] + 1)]
    c = ns.min(ns.stack(levels, axis=0), axis=0)
    return c, ns.maximum(c[:, None] * roots - 1, 0 * roots) / 2


def largest_gain(ns, w, s, r, T, power=2):
    """3^(s/2) times the largest w_t D_t at the stated weights, and c. Shapes (B,)."""
    c, a = level_and_weights(ns, w, s, r, power)
    _, private = slopes(ns, a, 1 + 0 * w, 1 + 0 * w, s, r, T, 1)
    return {"value": ns.max(w * private, axis=1) * ns.sqrt(ns.number(3)) ** s, "c": c}


def gain_at_power_one(ns, w, s, r, T):
    return largest_gain(ns, w, s, r, T, power=1)


def duality_gap(ns, w, s, r, T, power=2):
    """max_t D_t - sum_t alpha_t D_t for the slopes D_t at the stated weights: how far they can be from the least loss,
    by convexity. Shape (B,)."""
    _, a = level_and_weights(ns, w, s, r, power)
    ones = 1 + 0 * w
    _, private = slopes(ns, a, ones, ones, s, r, T, 1)
    gains = w * private
    return ns.max(gains, axis=1) - ns.sum(a * gains, axis=1)


def gap_at_power_one(ns, w, s, r, T):
    return duality_gap(ns, w, s, r, T, power=1)


def gap_at_one_level(ns, w, s, r, T):
    """The same where the level is that of all tasks, though some are clipped. Shape (B,)."""
    roots = ns.power(w, 2, r - s + 2)
    c = (2 + T) / ns.sum(roots, axis=1)
    a, ones = ns.maximum(c[:, None] * roots - 1, 0 * roots) / 2, 1 + 0 * w
    _, private = slopes(ns, a, ones, ones, s, r, T, 1)
    return ns.max(w * private, axis=1) - ns.sum(a * w * private, axis=1)


def falling_weights(rng, s, r, T):
    """Task weights that fall, the last a rare one; a weight may be at its clip exactly (9 : 1 at r - s = 2)."""
    parts = [*sorted((int(rng.integers(4, 30)) for _ in range(T - 1)), reverse=True), 1]
    return {"w": [Fraction(x, sum(parts)) for x in parts]}


uneven = claim(
    "contrastive-alpha-exponential",
    states="contrastive-alpha-one",
    title="Private weights of an uneven mixture, for the exponential loss",
    says=r"$1 + 2\alpha_t = c\,w_t^{2/(r - s + 2)}$, clipped at 0, makes the gains $w_t(1 + "
    r"2\alpha_t)^{-(r - s + 2)/2}$ equal, and smaller where it is clipped: the conditions of "
    "optimality of a convex problem.",
    lhs=r"\max_tD_t-\sum_t\alpha_tD_t",
    tex=r"0",
    covers="exp-closed-form",
    domain={s: integers(1), r: integers(2), T: integers(1)},
    where=sp.Lt(s, r),
    grid={
        "smoke": [{s: 1, r: 2, T: 3}, {s: 2, r: 4, T: 2}],
        "standard": [{s: b, r: b + n, T: k} for b in (1, 3) for n in (1, 3) for k in (1, 4)],
    },
    closed_form=0 * s,
    legs=[
        leg(
            "duality gap",
            duality_gap,
            unit=1,
            instances=instances(falling_weights, "w", smoke=4, standard=8),
            required=False,
        ),
        leg(
            "largest gain",
            largest_gain,
            observed=["c"],
            closed_form=LEVEL,
            required=False,
            instances=instances(falling_weights, "w", smoke=4, standard=8),
            lhs=r"3^{s/2}\max_tw_tD_t",
            tex=r"c^{-(r-s+2)/2}",
        ),
        STATIONARY,
        CLIPPED,
        CONVEX,
        SAVED,
    ],
    rivals=[
        variant("power 1/(n + 2)", simulation=gap_at_power_one, leg="duality gap"),
        variant("one level for all", simulation=gap_at_one_level, leg="duality gap"),
        variant("power 1/(n + 2), the gain", simulation=gain_at_power_one, leg="largest gain"),
        variant("1/c", closed_form=1 / c, leg="largest gain"),
        variant("a gap of 1/100", closed_form=sp.Rational(1, 100) + 0 * s, leg="duality gap"),
        *rivals_of(STATIONARY, {"power 2/n": f"v*(c*v**(2/(r - s)))**(-(r - s + 2)/2) == {LEVEL}"}),
        *rivals_of(CONVEX, {"slope n": "u**(-n/2) >= 1 - n*(u - 1)"}),
        *rivals_of(
            SAVED, {"gains up to 2 G": {"over": ["G in (0, oo)", "g in [0, 2*G]", "a in [0, 1]"]}}
        ),
        *reaching(STATIONARY, "s > 100 and r > 300 and c > 100 and v < 1/100"),
        *reaching(CONVEX, "n > 100 and u > 100", "n == 1 and u < 1/100"),
        *reaching(SAVED, "G > 100 and g == G and a == 1"),
        *reaching(CLIPPED, "n > 100 and c > 100 and h > 99/100"),
        *rivals_of(CLIPPED, {"h up to 2": {"over": ["n in 1..oo", "c in (0, oo)", "h in (0, 2)"]}}),
    ],
)
