"""Random array programs, and a second implementation of them in mpmath to compare with."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
from hypothesis import strategies as st

WIDTH = 3
MATRIX = [[1, -2, 0], [Fraction(1, 3), 1, 5], [0, Fraction(-1, 7), 2]]
REFERENCE_DIGITS = 220


@dataclass(frozen=True)
class Program:
    """Start vectors of rationals, then steps (operation, operand, operand) appending to a list."""

    start: tuple[tuple[Fraction, ...], ...]
    steps: tuple[tuple[str, int, int], ...]


UNARY_RATIONAL = ("square", "cube", "neg", "abs", "relu", "total", "largest", "matvec", "shifted",
                  "running", "wht", "reciprocal")  # fmt: skip
UNARY_REAL = ("exp", "log", "sin", "cos", "tan", "tanh", "sqrt", "expm1", "log1p", "sinh", "cosh",
              "softmax", "norm", "erf")  # fmt: skip
BINARY = ("add", "sub", "mul", "div", "max", "min", "dot")


def programs(real: bool = True, steps: int = 8) -> st.SearchStrategy[Program]:
    """Programs over vectors of length 3; rational ones only when ``real`` is false."""
    numbers = st.fractions(min_value=-4, max_value=4, max_denominator=12)
    vector = st.tuples(*[numbers] * WIDTH)
    names = UNARY_RATIONAL + BINARY + (UNARY_REAL if real else ())
    step = st.tuples(st.sampled_from(names), st.integers(0, 9), st.integers(0, 9))
    return st.builds(
        Program,
        st.tuples(vector, vector),
        st.lists(step, min_size=1, max_size=steps).map(tuple),
    )


def run(ns: Any, program: Program) -> Any:
    """All vectors that the program makes, stacked: shape (steps + 2, 3)."""
    values = [ns.asarray(v) for v in program.start]
    for name, i, j in program.steps:
        values.append(_step(ns, name, values[i % len(values)], values[j % len(values)]))
    return ns.stack(values)


def _step(ns: Any, name: str, x: Any, y: Any) -> Any:
    wide = ns.ones(WIDTH)
    simple = {
        "add": lambda: x + y,
        "sub": lambda: x - y,
        "mul": lambda: x * y,
        "div": lambda: x / (ns.square(y) + 1),
        "max": lambda: ns.maximum(x, y),
        "min": lambda: ns.minimum(x, y),
        "dot": lambda: ns.vecdot(x, y) * wide,
        "neg": lambda: -x,
        "square": lambda: ns.square(x),
        "cube": lambda: ns.pow(x, 3),
        "abs": lambda: ns.abs(x),
        "relu": lambda: ns.relu(x),
        "total": lambda: ns.sum(x) * wide,
        "largest": lambda: ns.max(x) * wide,
        "matvec": lambda: ns.matmul(ns.asarray(MATRIX), x),
        "shifted": lambda: ns.roll(x, 1, axis=0) * ns.rational(1, 3),
        "running": lambda: ns.cumulative_sum(x, axis=0),
        "wht": lambda: ns.wht(ns.concat([x, ns.ones(1)]))[1:],
        "reciprocal": lambda: ns.pow(ns.square(x) + ns.rational(1, 10), -2),
        "log": lambda: ns.log(ns.abs(x) + ns.rational(1, 7)),
        "sqrt": lambda: ns.sqrt(ns.abs(x) + ns.rational(1, 1000)),
        "log1p": lambda: ns.log1p(ns.abs(x)),
        "softmax": lambda: ns.softmax(x, axis=0),
        "norm": lambda: ns.norm(x) * wide,
        "sinh": lambda: ns.sinh(ns.tanh(x)),
        "cosh": lambda: ns.cosh(ns.sin(x)),
        "exp": lambda: ns.exp(ns.minimum(x, 5)),
        "expm1": lambda: ns.expm1(ns.minimum(x, 5)),
        "tan": lambda: ns.tan(ns.tanh(x)),
    }
    return simple[name]() if name in simple else getattr(ns, name)(x)


def reference(program: Program) -> list[list[mpmath.mpf]]:
    """The same values from mpmath, written without any array library of ours."""
    with mpmath.workdps(REFERENCE_DIGITS):
        values = [[mpmath.mpf(c.numerator) / c.denominator for c in v] for v in program.start]
        for name, i, j in program.steps:
            values.append(_reference_step(name, values[i % len(values)], values[j % len(values)]))
        return values


def _reference_step(name: str, x: list[Any], y: list[Any]) -> list[Any]:
    m = mpmath
    pairs = list(zip(x, y, strict=True))
    tenth = m.mpf(1) / 10
    if name == "wht":
        a, b, c, d = [*x, m.mpf(1)]
        return [a - b + c - d, a + b - c - d, a - b - c + d]
    if name == "softmax":
        weights = [m.exp(v) for v in x]
        return [w / m.fsum(weights) for w in weights]
    if name == "matvec":
        table = [
            [m.mpf(Fraction(c).numerator) / Fraction(c).denominator for c in r] for r in MATRIX
        ]
        return [m.fsum(c * v for c, v in zip(row, x, strict=True)) for row in table]
    whole = {
        "total": lambda: m.fsum(x),
        "largest": lambda: max(x),
        "dot": lambda: m.fsum(a * b for a, b in pairs),
        "norm": lambda: m.sqrt(m.fsum(v * v for v in x)),
    }
    if name in whole:
        return [whole[name]()] * len(x)
    if name == "running":
        return [m.fsum(x[: k + 1]) for k in range(len(x))]
    if name == "shifted":
        return [v / 3 for v in (x[2], x[0], x[1])]
    binary = {
        "add": lambda a, b: a + b,
        "sub": lambda a, b: a - b,
        "mul": lambda a, b: a * b,
        "div": lambda a, b: a / (b * b + 1),
        "max": max,
        "min": min,
    }
    if name in binary:
        return [binary[name](a, b) for a, b in pairs]
    unary = {
        "neg": lambda v: -v, "square": lambda v: v * v, "cube": lambda v: v**3, "abs": abs,
        "relu": lambda v: max(v, m.mpf(0)), "reciprocal": lambda v: (v * v + tenth) ** -2,
        "log": lambda v: m.log(abs(v) + m.mpf(1) / 7), "sqrt": lambda v: m.sqrt(abs(v) + tenth**3),
        "log1p": lambda v: m.log1p(abs(v)), "sinh": lambda v: m.sinh(m.tanh(v)),
        "cosh": lambda v: m.cosh(m.sin(v)), "exp": lambda v: m.exp(min(v, m.mpf(5))),
        "expm1": lambda v: m.expm1(min(v, m.mpf(5))), "tan": lambda v: m.tan(m.tanh(v)),
        "sin": m.sin, "cos": m.cos, "tanh": m.tanh, "erf": m.erf,
    }  # fmt: skip
    return [unary[name](v) for v in x]


def contains(enclosure: Any, truth: mpmath.mpf) -> bool:
    """Whether an enclosure holds a reference value, up to the reference's own rounding."""
    with mpmath.workdps(REFERENCE_DIGITS):
        slack = mpmath.mpf(10) ** -100 * (1 + abs(truth))
        low = mpmath.mpf(int(enclosure.lo.p)) / int(enclosure.lo.q)
        high = mpmath.mpf(int(enclosure.hi.p)) / int(enclosure.hi.q)
        return bool(low - slack <= truth <= high + slack)


def flat(values: list[list[Any]]) -> list[Any]:
    return [v for row in values for v in row]


def shrink_radii(array: Any, factor: float) -> Any:
    """A planted bug: the same midpoints with radii that are too small."""
    return type(array)(array.ns, array.mid, np.asarray(array.rad) * factor)
