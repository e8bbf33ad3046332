"""Lemma F.3: replacing the spurious coordinates by their mean lowers the loss on every task.

Setting. As in `general_weights`: phi(x) = W z, z_U of mean 0 and symmetric, z_U^+ an independent copy.

Statement. For every W and task the loss is at least that with z_U at its mean, by Jensen in z_U and z_U^+: for every
hinge (c - t)_+, of which every convex decreasing ell that is bounded below is a mixture. For a strictly convex ell
equality holds only where W does not see z_U.

Reference: Lemma F.3, Claim F.4, lines 9589-9680.
"""

from __future__ import annotations

import itertools
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
    rivals_of,
    typed,
    variant,
)

from ._gaussian import task_coordinates
from ._hinges import ABOVE_RIVALS, BELOW_RIVALS, above, below

s, r, T, t = sp.symbols("s r T t", integer=True, positive=True)
x = sp.Symbol("x", nonnegative=True)


def with_spurious(rng, s, r, T, t):
    """W of two rows, z of task t, and an even number of values +-z_U; c a threshold."""
    n = s + T * (r - s)
    own = set(task_coordinates(s, r - s, t - 1))
    V = [[Fraction(int(rng.integers(-3, 4)), 2) for _ in range(n + 2)] for _ in range(2)]
    return {
        "W": V,
        "z": [Fraction(int(rng.integers(-3, 4))) if j in own else 0 for j in range(n)],
        "u": [
            [Fraction(int(rng.integers(1, 4))) * rng.signs() for _ in range(2)] for _ in range(3)
        ],
        "c": Fraction(int(rng.integers(-3, 6))),
    }


def spread(ns, W, z, u, c):
    """E (c - phi(x)^T phi(x^+))_+ over z_U, z_U^+ uniform on +-u. W (B, 2, r + 2), u (B, 3, 2). Shape (B,)."""
    values = ns.concat([u, -u], axis=1)
    count = values.shape[1]
    fixed = ns.broadcast_to(z[:, None, :], (z.shape[0], count, z.shape[1]))
    phi = ns.einsum("zkn,zun->zuk", W, ns.concat([fixed, values], axis=2))
    inner = ns.einsum("zuk,zvk->zuv", phi, phi)
    return ns.mean(ns.relu(c[:, None, None] - inner), axis=(1, 2))


def spread_by_pairs(ns, W, z, u, c):
    """The same, one pair of views after the other. Shape (B,)."""
    signed = [sign * u[:, i] for i in range(u.shape[1]) for sign in (1, -1)]
    phi = [ns.einsum("zkn,zn->zk", W, ns.concat([z, value], axis=1)) for value in signed]
    losses = [ns.relu(c - ns.sum(x * y, axis=1)) for x in phi for y in phi]
    return sum(losses) / len(losses)


def without_corner(ns, W, z, u, c):
    """As if the threshold were above every product: c - phi(x)^T phi(x^+) on average. Shape (B,)."""
    phi = ns.einsum("zkn,zn->zk", W[:, :, : z.shape[1]], z)
    return c - ns.sum(phi * phi, axis=1)


def at_mean(ns, W, z, u, c):
    """The same with z_U = 0. Shape (B,)."""
    phi = ns.einsum("zkn,zn->zk", W[:, :, : z.shape[1]], z)
    return ns.relu(c - ns.sum(phi * phi, axis=1))


def by_signs(ns, W, z, u, c):
    """The mean of (c - phi(x)^T phi(x^+))_+ over the signs of the first value of z_U and of the second, z_U^+. Shape
    (B,)."""
    fixed = ns.einsum("zkn,zn->zk", W[:, :, : z.shape[1]], z)
    own = [ns.einsum("zkn,zn->zk", W[:, :, z.shape[1] :], u[:, i]) for i in (0, 1)]
    signs = itertools.product((1, -1), repeat=2)
    losses = [
        ns.relu(c - ns.sum((fixed + a * own[0]) * (fixed + b * own[1]), axis=1)) for a, b in signs
    ]
    return sum(losses) / 4


def beyond_all_products(rng, s, r, T, t):
    """The same where W sees z_U and the threshold is above every product."""
    drawn = with_spurious(rng, s, r, T, t)
    W = [[*row[:-2], 1, 1] for row in drawn["W"]]
    views = [[*drawn["z"], *value] for value in drawn["u"]]
    longest = max(sum(abs(w * x) for w, x in zip(row, v, strict=True)) for row in W for v in views)
    return {**drawn, "W": W, "c": 1 + len(W) * longest**2}


def at_mean_only(ns, W, z, u, c):
    """The first view alone with z_U at its mean, times a tenth. Shape (B,)."""
    return at_mean(ns, W, z, u, c) / 10


def with_product(rng, s, r, T, t):
    """The same, and the product x of both views with z_U at its mean."""
    drawn = with_spurious(rng, s, r, T, t)
    phi = [sum(w * z for w, z in zip(row, drawn["z"], strict=False)) for row in drawn["W"]]
    return {**drawn, "c": 1 + drawn["c"] + sum(x * x for x in phi), "x": sum(x * x for x in phi)}


c = sp.Symbol("c", real=True)
# p, q: what z_U adds to the product with the mean of the other view, w: the product of both; z_U is symmetric
SIGNED = formula_leg(
    "mean over signs",
    typed(
        f"{sp.Max(0, c - x)} <= (Max(0, c - (x + p + q + w)) + Max(0, c - (x - p + q - w))"
        " + Max(0, c - (x + p - q - w)) + Max(0, c - (x - p - q + w)))/4",
        over=["c in R", "x in [0, oo)", "p in R", "q in R", "w in R"],
    ),
    over="W t",
)
UNEQUAL = formula_leg(
    "only if, for the logistic loss",
    typed(
        "log(1 + exp(-(x - h))) + log(1 + exp(-(x + h))) > 2*log(1 + exp(-x))",
        over=["x in R", "h in (0, oo)"],
    ),
)


def twice_at_mean(ns, W, z, u, c):
    return 2 * at_mean(ns, W, z, u, c)


def without_spurious(rng, s, r, T, t):
    """The same with no weight on z_U and a threshold above the only product: both losses are 1."""
    drawn = with_spurious(rng, s, r, T, t)
    W = [[*row[:-2], 0, 0] for row in drawn["W"]]
    phi = [sum(w * z for w, z in zip(row, drawn["z"], strict=False)) for row in W]
    return {**drawn, "W": W, "c": 1 + sum(x * x for x in phi)}


jensen = claim(
    "contrastive-jensen-spurious",
    lhs=r"\mathbb E(c-\phi(x)^\top\phi(x^+))_+",
    tex=r"(c-\phi(\bar x)^\top\phi(\bar x))_+",
    states="contrastive-general-weights",
    title="The mean of the spurious coordinates does better",
    says="For every $W$ the loss is at least that with $z_U$ at its mean, for every hinge: it "
    "lies above its tangents. Where its corner is beyond all products both are equal, though $W$ sees $z_U$.",
    covers="jensen-spurious",
    domain={s: integers(1), r: integers(2), T: integers(1), t: integers(1)},
    where=sp.And(s < r, t <= T),
    grid={
        "smoke": [{s: 1, r: 2, T: 2, t: 1}, {s: 2, r: 4, T: 3, t: 3}],
        "standard": [{s: 1, r: b, T: 2, t: 2} for b in (2, 3, 5)],
    },
    relation=at_least(),
    legs=[
        leg(
            "enumeration",
            spread,
            arithmetic="rational",
            reference=at_mean,
            required=False,
            instances=instances(with_spurious, "W z u c", smoke=5, standard=10),
        ),
        leg(
            "signs of two values",
            by_signs,
            arithmetic="rational",
            closed_form=sp.Max(0, c - x),
            required=False,
            unit=1,
            lhs=r"\mathbb E_{\pm}(c-\phi(x)^\top\phi(x^+))_+",
            tex=r"(c-x)_+",
            instances=instances(with_product, "W z u c x", smoke=5),
        ),
        leg(
            "pair by pair",
            spread,
            arithmetic="rational",
            reference=spread_by_pairs,
            relation=equals(),
            required=False,
            instances=instances(with_spurious, "W z u c", smoke=3),
        ),
        leg(
            "equal beyond all products",
            spread,
            arithmetic="rational",
            reference=at_mean,
            relation=equals(),
            required=False,
            instances=instances(beyond_all_products, "W z u c", smoke=3),
        ),
        SIGNED,
        UNEQUAL,
        below(),
        above(),
    ],
    rivals=[
        variant("a tenth of it", simulation=at_mean_only, leg="signs of two values"),
        *rivals_of(
            SIGNED,
            {
                "three of the signs": "Max(0, c - x) <= (Max(0, c - (x + p + q + w)) + Max(0, c - (x - p + q - w))"
                " + Max(0, c - (x + p - q - w)))/3"
            },
        ),
        *rivals_of(UNEQUAL, {"h = 0 as well": {"over": ["x in R", "h in [0, oo)"]}}),
        variant("z_U at its mean", reference=at_mean, leg="pair by pair"),
        variant(
            "equal wherever the corner is",
            leg="equal beyond all products",
            instances=instances(with_spurious, "W z u c", smoke=3),
        ),
        variant("no corner is met", reference=without_corner, leg="pair by pair"),
        variant("z at 0", closed_form=sp.Max(0, c), leg="signs of two values"),
        *reaching(SIGNED, "c > 100 and x > 100 and p > 100"),
        variant(
            "twice as much",
            reference=twice_at_mean,
            leg="enumeration",
            instances=instances(without_spurious, "W z u c", smoke=1),
        ),
        *BELOW_RIVALS,
        *ABOVE_RIVALS,
    ],
)
