"""AdamW as an array program: parameters by name, any leading axes, on whatever device they are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

Array = Any
Parameters = dict[str, Array]


@dataclass(frozen=True)
class Recipe:
    """AdamW with decoupled weight decay; moments 0.9 and 0.98 as in the source."""

    steps: int
    rate: Fraction
    decay: Fraction
    first: Fraction = Fraction(9, 10)
    second: Fraction = Fraction(49, 50)
    falls: bool = True
    """Whether the rate falls linearly, to a tenth of it at the end."""


def adamw_start(ns: Any, theta: Parameters) -> Parameters:
    """State of AdamW before its first step: parameters, moments, and powers of their weights."""
    zero = {name: 0 * x for name, x in theta.items()}
    one = ns.asarray(1)
    return {"theta": dict(theta), "mean": zero, "square": dict(zero), "p1": one, "p2": one}


@cache
def _constants(ns: Any, recipe: Recipe) -> tuple[Array, ...]:
    """1, 1e-8, the moments' weights and their complements, the decay: made once, not at every step."""
    one = ns.asarray(1)
    b1, b2 = ns.asarray(recipe.first), ns.asarray(recipe.second)
    return one, ns.rational(1, 10**8), b1, one - b1, b2, one - b2, ns.asarray(recipe.decay)


def adamw_step(
    ns: Any,
    state: Parameters,
    done: int,
    gradient: Callable[[Parameters], Parameters],
    recipe: Recipe,
) -> Parameters:
    """The state after one more step; ``done``: how many came before."""
    one, tiny, b1, rest1, b2, rest2, decay = _constants(ns, recipe)
    left = 1 - Fraction(9 * done, 10 * recipe.steps) if recipe.falls else 1
    rate = ns.asarray(recipe.rate * left)
    g = gradient(state["theta"])
    p1, p2 = state["p1"] * b1, state["p2"] * b2
    left1, left2 = one - p1, one - p2
    theta, mean, square = {}, {}, {}
    for name, x in state["theta"].items():
        mean[name] = b1 * state["mean"][name] + rest1 * g[name]
        square[name] = b2 * state["square"][name] + rest2 * g[name] * g[name]
        size = ns.sqrt(square[name] / left2) + tiny
        theta[name] = x - rate * (mean[name] / left1 / size + decay * x)
    return {"theta": theta, "mean": mean, "square": square, "p1": p1, "p2": p2}


def adamw(
    ns: Any,
    theta: Parameters,
    gradient: Callable[[Parameters], Parameters],
    recipe: Recipe,
    seen: Callable[[int, Parameters], None] | None = None,
) -> Parameters:
    """The parameters after the recipe's steps; ``seen`` is called with the step's number after each."""
    state = adamw_start(ns, theta)
    for step in range(recipe.steps):
        state = adamw_step(ns, state, step, gradient, recipe)
        if seen is not None:
            seen(step + 1, state["theta"])
    found: Parameters = state["theta"]
    return found


def train_rows(ns: Any, rng: Any, size: int, count: int, kept: int) -> Array:
    """For every seed a random choice of ``kept`` of ``count`` rows: 1 for those, else 0. (S, n, 1)."""
    order = ns.xp.argsort(rng.permutation(count, size), axis=-1)
    return ns.expand_dims(ns.number(order < kept), axis=-1)


def accuracy(ns: Any, logits: Array, right: Array, rows: Array) -> Array:
    """Share of the marked rows (S, n, 1) whose largest logit is the ``right`` index. Shape (S,)."""
    hit = ns.number(ns.argmax(logits, axis=-1) == right)
    return ns.sum(hit * rows[..., 0], axis=-1) / ns.sum(rows[..., 0], axis=-1)
