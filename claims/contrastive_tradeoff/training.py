"""A contrastive training on the mixture: the weights move to (1, 1/T).

Setting. `_gaussian` with one coordinate of U, M = I. Positive pairs (x, x^+) of a random task share z_S and z_{P_t} and
draw z_U twice. W (n x n) from a random start; each step takes a fresh batch, descends the logistic loss of phi(x)^T
phi(x^+) and projects on |W|_2 <= 1, |W|_F <= sqrt(r): singular values min(1, sigma/(1 + mu)).

Statement. The mean weight of the shared coordinates ends nearer to 1, and that of the private ones nearer to 1/T, than
to equal weights r/(s + T(r - s)); that of U is below half of the equal weights. The bounds are the midpoints.

Reference: derived from Proposition 7.3, lines 2033-2041.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_least,
    at_most,
    claim,
    equals,
    figure,
    instances,
    integers,
    leg,
    panel,
    probability,
    series,
    variant,
)
from theorycheck.claims.statistic import mean
from theorycheck.claims.tails import bounded

s, r, T = sp.symbols("s r T", integer=True, positive=True)
STEPS, BATCH = 120, 32


def pairs(ns, rng, size, s, r, T, mixed=True, batch=BATCH):
    """A batch of positive pairs for each of ``size`` trainings; without ``mixed`` every task has all private features.
    Shapes (size, batch, n)."""
    private = r - s
    z = rng.normal((size, batch, s + T * private + 2))
    task = rng.integers(0, T, (size, batch))
    own = ns.number((ns.arange(T)[None, None, :] == task[:, :, None]) | (not mixed))
    mask = ns.repeat(own, private, axis=2)
    seen = ns.concat([z[:, :, :s], z[:, :, s : s + T * private] * mask], axis=2)
    return (ns.concat([seen, z[:, :, -2:-1]], axis=2), ns.concat([seen, z[:, :, -1:]], axis=2))


def minus_slope(ns, t):
    """-ell'(t) of the logistic loss log(1 + e^-t)."""
    return ns.sigmoid(-t)


def slope_used(ns, t, s, r, T):
    """Shape (B,)."""
    return minus_slope(ns, t)


def slope_by_rules(ns, t, s, r, T):
    """By the rules for the logarithm, the sum and exp in turn. Shape (B,)."""
    return ns.exp(-t) / (1 + ns.exp(-t))


def slope_of_the_other_sign(ns, t, s, r, T):
    return slope_by_rules(ns, -t, s, r, T)


def a_product(rng, s, r, T):
    return {"t": Fraction(int(rng.integers(1, 9)) * int(rng.signs()), 3)}


def projected(ns, W, r):
    """The nearest W with |W|_2 <= 1, |W|_F^2 <= r; mu by bisection. Shape of W."""
    left, sigma, right = ns.xp.linalg.svd(W)
    low, high = 0 * sigma[:, :1], ns.norm(sigma, axis=1)[:, None]
    for _ in range(30):
        mu = (low + high) / 2
        spent = ns.sum(ns.minimum(sigma / (1 + mu), 1 + 0 * sigma) ** 2, axis=1)[:, None]
        low, high = ns.where(spent > r, mu, low), ns.where(spent > r, high, mu)
    kept = ns.minimum(sigma / (1 + high), 1 + 0 * sigma)
    return ns.matmul(left * kept[:, None, :], right)


def descent(ns, W, x, y):
    """Minus the gradient in W of the mean logistic loss of phi(x)^T phi(y) over a batch of pairs. Shape of W."""
    inner = ns.sum(
        ns.matmul(x, ns.matrix_transpose(W)) * ns.matmul(y, ns.matrix_transpose(W)), axis=2
    )
    pull = minus_slope(ns, inner)[:, :, None] / x.shape[1]
    moment = ns.matmul(ns.matrix_transpose(x * pull), y)
    return ns.matmul(W, moment + ns.matrix_transpose(moment))


def descent_used(ns, W, x, y, s, r, T):
    return descent(ns, W, x, y)


def descent_by_pairs(ns, W, x, y, s, r, T, other=1):
    """The same, one pair after the other: -ell'(t)(W y x^T + W x y^T) at t = (W x)^T W y. Shape of W."""
    total = 0 * W
    for i in range(x.shape[1]):
        first, second = x[:, i, :, None], y[:, i, :, None]
        phi, plus = ns.matmul(W, first), ns.matmul(W, second)
        t = ns.sum(phi * (plus if other else phi), axis=(1, 2))
        slope = slope_by_rules(ns, t, s, r, T)[:, None, None]
        rows = [ns.matmul(a, ns.matrix_transpose(b)) for a, b in ((plus, first), (phi, second))]
        total = total + slope * (rows[0] + rows[1])
    return total / x.shape[1]


def descent_at_one_view(ns, W, x, y, s, r, T):
    """With the slope at t = |W x|^2."""
    return descent_by_pairs(ns, W, x, y, s, r, T, other=0)


def three_pairs(rng, s, r, T):
    """W, and three pairs that differ in every coordinate."""
    n = s + T * (r - s) + 1
    return {
        "W": rng.rational((n, n), 3),
        "x": rng.rational((3, n), 2),
        "y": rng.rational((3, n), 2),
    }


def trained(ns, rng, size, s, r, T, steps=STEPS, seen=None, mixed=True, used=None):
    """W after training. Shape (size, n, n). ``seen`` gets the weights of every eighth step, ``used`` the z_U of the
    first views of every step."""
    n = s + T * (r - s) + 1
    W = projected(ns, rng.normal((size, n, n)) / 3, r)
    for step in range(steps):
        x, y = pairs(ns, rng, size, s, r, T, mixed)
        rate = 4 / (1 + step // 20)
        W = projected(ns, W + rate * descent(ns, W, x, y), r)
        if used is not None:
            used.append(x[:, :, -1])
        if seen is not None and step % 8 == 0:
            seen.append(weights_of(ns, W, s, r, T))
    return W


def weights_of(ns, W, s, r, T):
    """Mean diagonal of W^T W on S, on the private coordinates, on U. Shape (size, 3)."""
    diagonal = ns.sum(W * W, axis=1)
    return ns.stack(
        [ns.mean(diagonal[:, :s], axis=1), ns.mean(diagonal[:, s:-1], axis=1), diagonal[:, -1]],
        axis=1,
    )


def weights_by_entries(ns, W, s, r, T, counted=0):
    """The same, one squared entry of W after the other; ``counted`` private coordinates less. Shape (size, 3)."""
    n = W.shape[1]
    places = [range(s), range(s + counted, n - 1), range(n - 1, n)]
    means = []
    for place in places:
        total = 0 * W[:, 0, 0]
        for i in range(n):
            for j in place:
                total = total + W[:, i, j] * W[:, i, j]
        means.append(total / len(place))
    return ns.stack(means, axis=1)


def weights_but_for_first(ns, W, s, r, T):
    return weights_by_entries(ns, W, s, r, T, counted=1)


def some_map(rng, s, r, T):
    n = s + T * (r - s) + 1
    return {"W": rng.rational((n, n), 3)}


def trained_weights(ns, rng, size, s, r, T, **options):
    """Those of `weights_of` after a training. Shape (size, 3)."""
    return weights_of(ns, trained(ns, rng, size, s, r, T, **options), s, r, T)


def shared(ns, rng, size, s, r, T):
    """Mean weight of the shared coordinates. Shape (size,)."""
    return trained_weights(ns, rng, size, s, r, T)[:, 0]


def private(ns, rng, size, s, r, T):
    """Mean weight of the private coordinates. Shape (size,)."""
    return trained_weights(ns, rng, size, s, r, T)[:, 1]


def spurious(ns, rng, size, s, r, T):
    """Weight of U. Shape (size,)."""
    return trained_weights(ns, rng, size, s, r, T)[:, 2]


def alike(ns, rng, size, s, r, T):
    """Whether a positive pair has the same shared and private features. Booleans, shape (size,)."""
    x, y = pairs(ns, rng, size, s, r, T, batch=1)
    return ns.sum(ns.abs(x - y)[:, 0, :-1], axis=1) == 0


def alike_on_u(ns, rng, size, s, r, T):
    x, y = pairs(ns, rng, size, s, r, T, batch=1)
    return ns.sum(ns.abs(x - y)[:, 0, -1:], axis=1) == 0


def both_positive(ns, rng, size, s, r, T):
    """Whether z_U and z_U^+ are positive. Booleans, shape (size,)."""
    x, y = pairs(ns, rng, size, s, r, T, batch=1)
    return (x[:, 0, -1] > 0) & (y[:, 0, -1] > 0)


def both_positive_on_s(ns, rng, size, s, r, T):
    """Of the first shared feature."""
    x, y = pairs(ns, rng, size, s, r, T, batch=1)
    return (x[:, 0, 0] > 0) & (y[:, 0, 0] > 0)


def two_private_positive(ns, rng, size, s, r, T):
    """Whether the first two features of the pair's own task are positive, r - s >= 2. Booleans, shape (size,)."""
    own = pairs(ns, rng, size, s, r, T, batch=1)[0][:, 0, s:-1]
    tasks = ns.reshape(own, (size, T, r - s))
    return ns.any((tasks[:, :, 0] > 0) & (tasks[:, :, 1] > 0), axis=1)


def private_and_shared_positive(ns, rng, size, s, r, T):
    """The same of its first private feature and the first shared one."""
    own = pairs(ns, rng, size, s, r, T, batch=1)[0][:, 0, :-1]
    first = ns.reshape(own[:, s:], (size, T, r - s))[:, :, 0]
    return ns.any(first > 0, axis=1) & (own[:, 0] > 0)


def one_private_positive(ns, rng, size, s, r, T):
    """Whether any of its private features is."""
    own = pairs(ns, rng, size, s, r, T, batch=1)[0][:, 0, s:-1]
    return ns.any(own > 0, axis=1)


def second_is_larger(ns, rng, size, s, r, T, of=pairs):
    """Whether 0 < z_U < z_U^+. Booleans, shape (size,)."""
    x, y = of(ns, rng, size, s, r, T, batch=1)
    return (x[:, 0, -1] > 0) & (y[:, 0, -1] > x[:, 0, -1])


def of_one_size(ns, rng, size, s, r, T, batch):
    """Pairs whose z_U^+ has the size of z_U and a sign of its own."""
    x, y = pairs(ns, rng, size, s, r, T, batch=batch)
    own = ns.abs(x[:, :, -1:]) * ns.sign(y[:, :, -1:])
    return x, ns.concat([y[:, :, :-1], own], axis=2)


def second_of_one_size(ns, rng, size, s, r, T):
    return second_is_larger(ns, rng, size, s, r, T, of=of_one_size)


def fresh(ns, rng, size, s, r, T, steps=4, again=False):
    """Whether no pair of the last of some steps was in the steps before, and none of the first twice. Booleans, shape
    (size,). ``again``: the last step has the batch of the first."""
    used: list = []
    trained(ns, rng, size, s, r, T, steps=steps, used=used)
    last = used[0] if again else used[-1]
    before = ns.concat(used[:-1], axis=1)
    met = ns.sum(ns.number(last[:, :, None] == before[:, None, :]), axis=(1, 2))
    itself = ns.sum(ns.number(used[0][:, :, None] == used[0][:, None, :]), axis=(1, 2))
    return (met == 0) & (itself == BATCH)


def same_batch(ns, rng, size, s, r, T):
    return fresh(ns, rng, size, s, r, T, again=True)


def u_elsewhere(ns, rng, size, s, r, T, column=-1):
    """Whether z_U or z_U^+ is also a shared or a private feature. Booleans, shape (size,)."""
    x, y = pairs(ns, rng, size, s, r, T, batch=1)
    found = [ns.any(v[:, 0, :-1] == v[:, 0, column, None], axis=1) for v in (x, y)]
    return found[0] | found[1]


def private_elsewhere(ns, rng, size, s, r, T):
    """The same of the last private feature, which is one of them."""
    return u_elsewhere(ns, rng, size, s, r, T, column=-2)


def of_last_task(ns, rng, size, s, r, T):
    """Whether the pair is one of task T, by its private features. Booleans, shape (size,)."""
    return pairs(ns, rng, size, s, r, T, batch=1)[0][:, 0, -2] != 0


def of_one_task(ns, rng, size, s, r, T, batch=2):
    """Whether the first pair of a batch and the last are of one task, by their private features. Booleans, shape
    (size,)."""
    seen = pairs(ns, rng, size, s, r, T, batch=batch)[0][:, :, s:-1] != 0
    return ns.all(seen[:, 0, :] == seen[:, -1, :], axis=1)


def one_pair_twice(ns, rng, size, s, r, T):
    return of_one_task(ns, rng, size, s, r, T, batch=1)


def of_every_task(ns, rng, size, s, r, T):
    return pairs(ns, rng, size, s, r, T, mixed=False, batch=1)[0][:, 0, -2] != 0


def untrained_shared(ns, rng, size, s, r, T):
    return trained_weights(ns, rng, size, s, r, T, steps=0)[:, 0]


def private_of_union(ns, rng, size, s, r, T):
    """Without a mixture: every task has all private features."""
    return trained_weights(ns, rng, size, s, r, T, mixed=False)[:, 1]


def untrained_spurious(ns, rng, size, s, r, T):
    return trained_weights(ns, rng, size, s, r, T, steps=0)[:, 2]


def curves(ns, rng, s, r, T):
    """Weights of one training against the steps."""
    seen: list = []
    trained(ns, rng, 1, s, r, T, seen=seen)
    steps = [8 * i for i in range(len(seen))]
    names = ("shared", "private", "spurious")
    lines = [series(name, steps, [float(w[0, i]) for w in seen]) for i, name in enumerate(names)]
    limits = [
        series(name, steps, [value] * len(steps), dashed=True)
        for name, value in (("1", 1.0), ("1/T", 1 / T))
    ]
    return panel("weights", x="steps", y="weight", lines=[*lines, *limits])


EQUAL = sp.Rational(1) * r / (s + T * (r - s))
CELL = {s: 1, r: 2, T: 3}
SAMPLED = {"statistic": mean(bounded(0, 1)), "block": 256}
PAIRED = {"statistic": probability(), "relation": equals(), "target": Fraction(1, 20)}

training = claim(
    "contrastive-training",
    states="contrastive-mixture-weights",
    title="Training on the mixture moves the weights to $(1, 1/T)$",
    says="The trained weights are nearer to 1 on $S$ and to $1/T$ on the private coordinates than "
    "to equal weights, and $U$ is dropped; positive pairs of a task, each as often, share $S$ and $P_t$ and draw "
    "$U$ twice. "
    "The budget alone makes the private weights $1/T$.",
    role="derived",
    domain={s: integers(1, 4), r: integers(2, 8), T: integers(2, 5)},
    where=sp.Lt(s, r),
    grid={
        "smoke": [CELL, {s: 1, r: 2, T: 2}],
        "standard": [{s: 1, r: 2, T: 3}, {s: 1, r: 2, T: 4}, {s: 2, r: 4, T: 2}],
    },
    legs=[
        leg(
            "shared",
            shared,
            lhs=r"\bar H_S",
            **SAMPLED,
            relation=at_least(),
            closed_form=(1 + EQUAL) / 2,
        ),
        leg(
            "private",
            private,
            lhs=r"\bar H_P",
            **SAMPLED,
            relation=at_most(),
            closed_form=(1 / T + EQUAL) / 2,
        ),
        leg(
            "spurious",
            spurious,
            lhs=r"\bar H_U",
            **SAMPLED,
            relation=at_most(),
            closed_form=EQUAL / 2,
        ),
        leg(
            "positive pairs",
            alike,
            lhs=r"\Pr[x_R=x^+_R]",
            statistic=probability(),
            block=256,
            relation=at_least(),
            closed_form=sp.Rational(99, 100),
        ),
        leg(
            "spurious pairs",
            both_positive,
            lhs=r"\Pr[z_U>0,\ z_U^+>0]",
            **PAIRED,
            closed_form=sp.Rational(1, 4),
        ),
        leg(
            "two private features",
            two_private_positive,
            lhs=r"\Pr[z_i>0,\ z_j>0],\quad i\ne j\in P_t",
            **PAIRED,
            where=sp.Ge(r - s, 2),
            grid={"smoke": [{s: 1, r: 3, T: 2}]},
            closed_form=sp.Rational(1, 4),
        ),
        leg(
            "a private and a shared feature",
            private_and_shared_positive,
            lhs=r"\Pr[z_i>0,\ z_j>0],\quad i\in P_t,\ j\in S",
            **PAIRED,
            closed_form=sp.Rational(1, 4),
        ),
        leg(
            "the larger one",
            second_is_larger,
            lhs=r"\Pr[0<z_U<z_U^+]",
            **PAIRED,
            closed_form=sp.Rational(1, 8),
        ),
        leg(
            "fresh batches",
            fresh,
            lhs=r"\Pr[\text{no pair twice}]",
            **PAIRED,
            closed_form=sp.Integer(1),
        ),
        leg(
            "U apart",
            u_elsewhere,
            lhs=r"\Pr[z_U\in\{x_R\}]",
            statistic=probability(),
            block=256,
            relation=at_most(),
            closed_form=sp.Rational(1, 100),
        ),
        leg(
            "slope",
            slope_used,
            reference=slope_by_rules,
            relation=equals(),
            lhs=r"-\ell'(t)",
            tex=r"\frac{e^{-t}}{1+e^{-t}}",
            instances=instances(a_product, "t", smoke=4),
        ),
        leg(
            "direction of a step",
            descent_used,
            reference=descent_by_pairs,
            relation=equals(),
            lhs=r"-\nabla_W\tfrac1m\sum_i\ell(t_i)",
            tex=r"-\tfrac1m\sum_i\ell'(t_i)(Wx_i^+x_i^\top+Wx_ix_i^{+\top})",
            instances=instances(three_pairs, "W x y", smoke=2),
        ),
        leg("last task", of_last_task, lhs=r"\Pr[t=T]", **PAIRED, closed_form=1 / T),
        leg("two pairs of a batch", of_one_task, lhs=r"\Pr[t_1=t_2]", **PAIRED, closed_form=1 / T),
        leg(
            "mean weights",
            weights_of,
            arithmetic="rational",
            reference=weights_by_entries,
            relation=equals(),
            lhs=r"(\bar H_S,\ \bar H_P,\ \bar H_U)",
            tex=r"(\tfrac1s\sum_{i,j\in S}W_{ij}^2,\ \tfrac1{T(r-s)}\sum_{i,j\in P}W_{ij}^2,\ \sum_iW_{iU}^2)",
            instances=instances(some_map, "W", smoke=2),
        ),
    ],
    rivals=[
        variant("pairs that share U", simulation=alike_on_u, leg="positive pairs"),
        variant(
            "untrained shared",
            simulation=untrained_shared,
            leg="shared",
            at={s: [1], r: [2], T: [3]},
        ),
        variant(
            "one task with all features",
            simulation=private_of_union,
            leg="private",
            at={s: [1], r: [2], T: [3]},
        ),
        variant("a loss that rises", reference=slope_of_the_other_sign, leg="slope"),
        variant("slopes at one view", reference=descent_at_one_view, leg="direction of a step"),
        variant("z_S for z_U", simulation=both_positive_on_s, leg="spurious pairs"),
        variant("any private feature", simulation=one_private_positive, leg="two private features"),
        variant(
            "the private one alone",
            simulation=one_private_positive,
            leg="a private and a shared feature",
        ),
        variant("a sign of its own", simulation=second_of_one_size, leg="the larger one"),
        variant("the first batch again", simulation=same_batch, leg="fresh batches"),
        variant("a private feature", simulation=private_elsewhere, leg="U apart"),
        variant("pairs of every task", simulation=of_every_task, leg="last task"),
        variant("one pair twice", simulation=one_pair_twice, leg="two pairs of a batch"),
        variant("a private one less", reference=weights_but_for_first, leg="mean weights"),
        variant(
            "untrained U",
            simulation=untrained_spurious,
            leg="spurious",
            at={s: [1], r: [2], T: [3]},
        ),
    ],
    figures=[
        figure(
            "Weights in training",
            curves,
            at={"smoke": CELL},
            caption="Squared weights against steps",
        )
    ],
)
