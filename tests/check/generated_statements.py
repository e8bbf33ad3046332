"""Statements made at random: any that the grammar allows, and polynomial ones as trees that z3 reads too."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

_ONE = ("sqrt", "exp", "log", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh",
        "erf", "gamma", "factorial", "floor", "ceiling", "Abs", "sign", "fibonacci", "catalan",
        "harmonic", "totient", "loggamma", "erfc", "asinh", "acosh", "atanh", "primepi", "mobius",
        "zeta", "digamma", "cot", "sec", "frac", "bernoulli", "is_square", "isprime")  # fmt: skip
_TWO = ("Min", "Max", "gcd", "lcm", "Mod", "binomial", "beta", "log", "root", "divides")
_NUMBERS = ("0", "1", "2", "3", "7", "-1", "0.9", "1/3", "1e30", "10**40", "pi", "E", "oo", "-oo",
            "2**64", "1e-9", "EulerGamma")  # fmt: skip
_OPERATORS = ("+", "-", "*", "/", "**", "//", "%")
_RELATIONS = ("==", "!=", "<", "<=", ">", ">=")
_DOMAINS = ("n in 0..60", "n in 1..oo", "n in -oo..oo", "n in -3..3", "n in primes(2..100)",
            "n in {1, 2, 5}", "n in 10**60..10**60 + 4", "n in 2**62..2**64")  # fmt: skip
_SECOND = ("x in [0, 1]", "x in (-oo, oo)", "x in (0, oo)", "x in [n, n + 1]", "x in [0, pi)",
           "x in 0..n", "x in 0..2**n - 1", "x in [-1, 1/3]", "x in {1/2, 2, pi}")  # fmt: skip


@dataclass(frozen=True)
class Made:
    """A statement in the grammar of `check`, with its domains and hypotheses."""

    statement: str
    domains: tuple[str, ...]
    where: tuple[str, ...] = ()
    laws: tuple[str, ...] = ()
    let: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()


def arbitrary(seed: int) -> Made:
    """Any statement: functions at their poles, infinite numbers, divisions by zero, long integers."""
    rng = random.Random(seed)
    domains = [rng.choice(_DOMAINS)] if rng.random() < 0.9 else []
    if domains and rng.random() < 0.6:
        domains.append(rng.choice(_SECOND))
    names = ["n", "x"][: len(domains)]
    statement = _formula(rng, names)
    where = (_comparison(rng, names, 1),) if names and rng.random() < 0.15 else ()
    return Made(statement, tuple(domains), where)


def _formula(rng: random.Random, names: list[str]) -> str:
    text = _comparison(rng, names, 3)
    if rng.random() < 0.15:
        other = _comparison(rng, names, 2)
        text = f"{text} {rng.choice(('and', 'or'))} {other}"
    return f"not ({text})" if rng.random() < 0.05 else text


def _comparison(rng: random.Random, names: list[str], depth: int) -> str:
    left, right = _term(rng, names, depth), _term(rng, names, max(depth - 1, 0))
    return f"{left} {rng.choice(_RELATIONS)} {right}"


def _term(rng: random.Random, names: list[str], depth: int) -> str:
    roll = rng.random()
    if depth == 0 or roll < 0.2:
        return rng.choice(names) if names and rng.random() < 0.7 else rng.choice(_NUMBERS)
    if roll < 0.65:
        a, b = (_term(rng, names, depth - 1) for _ in range(2))
        return f"({a}) {rng.choice(_OPERATORS)} ({b})"
    if roll < 0.85:
        return f"{rng.choice(_ONE)}({_term(rng, names, depth - 1)})"
    if roll < 0.95:
        a, b = (_term(rng, names, depth - 1) for _ in range(2))
        return f"{rng.choice(_TWO)}({a}, {b})"
    low, high = (
        rng.choice(("0", "1", "n" if names else "2")),
        rng.choice(("3", "oo", "n" if names else "4")),
    )
    body = _term(rng, [*names, "k"], depth - 1)
    return f"{rng.choice(('Sum', 'Product'))}({body}, (k, {low}, {high}))"


# ---------------------------------------------------------------- polynomial statements

Tree = Any
"""An int, a name, or (operator, tree, tree) with ``+``, ``-``, ``*`` and ``**`` (to an int)."""


@dataclass(frozen=True)
class Polynomial:
    """``left op right`` for all ``names`` between their ends; ``whole`` names are integers."""

    left: Tree
    op: str
    right: Tree
    ends: dict[str, tuple[int, int]]
    whole: frozenset[str]

    def made(self) -> Made:
        domains = tuple(
            f"{n} in {a}..{b}" if n in self.whole else f"{n} in [{a}, {b}]"
            for n, (a, b) in self.ends.items()
        )
        return Made(f"{as_text(self.left)} {self.op} {as_text(self.right)}", domains)


def polynomial(seed: int) -> Polynomial:
    """A polynomial statement, true about as often as not."""
    rng = random.Random(seed)
    names = ["x", "y"][: rng.choice((1, 1, 2))]
    ends = {}
    for name in names:
        low = rng.randint(-4, 2)
        ends[name] = (low, low + rng.randint(1, 6))
    whole = frozenset(names) if rng.random() < 0.4 else frozenset()
    square = ("**", _polynomial(rng, names, 2), 2)
    kind = rng.random()
    if kind < 0.35:  # a square against a constant near 0
        return Polynomial(square, rng.choice((">=", ">", "!=")), rng.randint(-1, 1), ends, whole)
    if kind < 0.5:  # an identity, perhaps with an error
        a, b = _polynomial(rng, names, 1), _polynomial(rng, names, 1)
        right = ("+", ("-", ("**", a, 2), ("*", 2, ("*", a, b))), ("**", b, 2))
        error = rng.choice((0, 0, 1, ("*", names[0], ("-", names[0], 1))))
        return Polynomial(("**", ("-", a, b), 2), "==", ("+", right, error), ends, whole)
    left, right = _polynomial(rng, names, 3), _polynomial(rng, names, 2)
    shift = rng.randint(-40, 40)
    return Polynomial(("+", left, shift), rng.choice(_RELATIONS), right, ends, whole)


def _polynomial(rng: random.Random, names: list[str], depth: int) -> Tree:
    if depth == 0:
        return rng.choice(names) if rng.random() < 0.6 else rng.randint(-5, 5)
    if rng.random() < 0.15:
        return ("**", _polynomial(rng, names, depth - 1), rng.choice((2, 3)))
    parts = (_polynomial(rng, names, depth - 1) for _ in range(2))
    return (rng.choice("+-*"), *parts)


def as_text(tree: Tree) -> str:
    """In the grammar of `check`."""
    if not isinstance(tree, tuple):
        return f"({tree})" if isinstance(tree, int) and tree < 0 else str(tree)
    op, a, b = tree
    return f"({as_text(a)} {op} {as_text(b)})"
