"""Sums of one sine or cosine of equidistant angles: the kernel of Dirichlet.

2 sin(t/2) cos(t k + u) = sin(t (k + 1/2) + u) - sin(t (k - 1/2) + u) telescopes, and where sin(t/2) != 0

    sum over k = a..b of cos(t k + u) = (sin(t (b + 1/2) + u) - sin(t (a - 1/2) + u))/(2 sin(t/2)),

the same for sines with minus the cosines. Squares and products of waves are brought to this form by
2 cos(u) cos(v) = cos(u - v) + cos(u + v) and its like.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import sympy as sp
from sympy.simplify.fu import TR8

from theorycheck.check.forms import evaluated
from theorycheck.check.method import Argument, Method, Task
from theorycheck.check.text import Comparison
from theorycheck.check.trigonometry import identical

_WAVES = (sp.sin, sp.cos)
_MAX_DEPTH = 3
_MAX_OPS = 40
_ZERO = sp.Integer(0)
# Angles that turn more often are not looked at.
_MOST_TURNS = 4


def closed(total: Any, task: Task) -> tuple[Any, str] | None:
    """The closed form of a sum of waves, and the identity as a line; None for other sums.

    Takes finite sums over one index of products and powers of sines and cosines of angles linear in it, with
    factors free of it. Promises, as lemmas, that the range does not run backwards and sin(t/2) != 0.
    """
    total = evaluated(total)
    if len(total.limits) != 1 or not total.function.has(*_WAVES):
        return None
    k, low, high = total.limits[0]
    if low.is_infinite or high.is_infinite or total.function.count_ops() > _MAX_OPS:
        return None
    if not task.lemma(Comparison(">=", high, low - 1)):
        return None
    value, apart = _ZERO, sp.expand(TR8(sp.expand(total.function)))
    if apart != sp.expand(total.function) and not identical(apart, total.function):
        return None
    for term in sp.Add.make_args(apart):
        summed = _wave(term, (k, low, high), task)
        if summed is None:
            return None
        value += summed
    return value, f"{total} = {value}: sums of equidistant waves"


def _wave(term: Any, limits: tuple[Any, Any, Any], task: Task) -> Any | None:
    k, low, high = limits
    factor, wave = term.as_independent(k)
    count = high - low + 1
    if wave == 1:
        return factor * count
    if not isinstance(wave, _WAVES):
        return None
    angle = sp.expand(wave.args[0])
    step = sp.diff(angle, k)
    if k in step.free_symbols:
        return None
    half = wave_of(sp.sin, step / 2)
    if not (half.is_nonzero or task.lemma(Comparison("!=", half, _ZERO))):
        return None
    # sin(t (b + 1/2) + u) - sin(t (a - 1/2) + u), or minus that of cosines.
    ends = [angle.xreplace({k: e}) for e in (high + sp.Rational(1, 2), low - sp.Rational(1, 2))]
    above = sp.sin if isinstance(wave, sp.cos) else sp.cos
    change = wave_of(above, ends[0]) - wave_of(above, ends[1])
    return factor * (change if isinstance(wave, sp.cos) else -change) / (2 * half)


def wave_of(head: Any, angle: Any) -> Any:
    """sin or cos of the angle without the multiples of pi by integers in it."""
    rest, turns = _ZERO, _ZERO
    for term in sp.Add.make_args(sp.expand(sp.pi * sp.cancel(angle / sp.pi))):
        if (term / sp.pi).is_integer:
            turns += term / sp.pi
        else:
            rest += term
    return (-1) ** turns * head(rest) if turns != 0 else head(rest)


def signs(task: Task) -> Argument | None:
    """sin(u) > 0 for 0 < u < pi, cos(u) > 0 for -pi/2 < u < pi/2.

    Takes a sine or cosine compared with 0 by > or !=. Promises the bounds of the angle as lemmas.
    """
    c = task.comparison
    wave = evaluated(c.lhs)
    if not isinstance(wave, _WAVES):  # sin(-x) is -sin(x)
        return None
    low, high = (_ZERO, sp.pi) if isinstance(wave, sp.sin) else (-sp.pi / 2, sp.pi / 2)
    angle = wave.args[0] / sp.pi
    bounds = [Comparison(">", angle, low / sp.pi), Comparison("<", angle, high / sp.pi)]
    if not all(task.lemma(Comparison(b.op, sp.expand(b.lhs), b.rhs)) for b in bounds):
        return None
    return Argument("waves between their zeros", (f"{low} < {wave.args[0]} < {high}",))


def never_zero(task: Task) -> Argument | None:
    """sin(pi a/b) != 0 where a/b is no integer: between two integers, and none of those between.

    Takes a sine compared with 0 by !=. Promises, as lemmas, b > 0, two integers at most 4 from 0 between
    which a/b lies, and a != m b for each integer m strictly between them.
    """
    wave = evaluated(task.comparison.lhs)
    if not isinstance(wave, sp.sin):
        return None
    a, b = sp.fraction(sp.cancel(sp.together(wave.args[0] / sp.pi)))
    if not (b.is_positive or task.lemma(Comparison(">", b, _ZERO))):
        return None
    low = _first(range(_MOST_TURNS, -_MOST_TURNS - 1, -1), ">", a, b, task)
    high = _first(range(-_MOST_TURNS, _MOST_TURNS + 1), "<", a, b, task)
    if low is None or high is None:
        return None
    if not all(task.lemma(Comparison("!=", a, m * b)) for m in range(low + 1, high)):
        return None
    return Argument("no zero of a sine", (f"{low} < {a / b} < {high}, and it is no integer",))


def _first(numbers: Iterable[int], op: str, a: Any, b: Any, task: Task) -> int | None:
    return next((m for m in numbers if task.lemma(Comparison(op, a, m * b))), None)


def odd(task: Task) -> Argument | None:
    """Not equal because the difference is an odd integer, primes from 3 on being odd."""
    c = task.comparison
    primes = {
        v.symbol: sp.Symbol(v.name, odd=True)
        for v in task.region.variables
        if v.kind == "prime" and v.low.is_Integer and v.low >= 3
    }
    difference = sp.expand((evaluated(c.lhs) - evaluated(c.rhs)).xreplace(primes))
    if difference.is_odd is not True:
        return None
    return Argument("an odd integer is not 0", (f"lhs - rhs = {difference}",))


def _applies(task: Task) -> bool:
    c = task.comparison
    return (
        task.depth <= _MAX_DEPTH
        and c.rhs == _ZERO
        and c.op in (">", ">=", "!=")
        and isinstance(c.lhs, _WAVES)
    )


ZEROS = Method(
    "zeros of a sine",
    0.3,
    lambda t: _applies(t) and t.comparison.op == "!=",
    never_zero,
)
ODD = Method("odd integers", 0.1, lambda t: t.comparison.op == "!=", odd)
SIGNS = Method("waves between their zeros", 0.3, _applies, signs)
