"""Sums of one sine or cosine of equidistant angles: the kernel of Dirichlet.

2 sin(t/2) cos(t k + u) = sin(t (k + 1/2) + u) - sin(t (k - 1/2) + u) telescopes, and where sin(t/2) != 0

    sum over k = a..b of cos(t k + u) = (sin(t (b + 1/2) + u) - sin(t (a - 1/2) + u))/(2 sin(t/2)),

the same for sines with minus the cosines. Squares and products of waves are brought to this form by
2 cos(u) cos(v) = cos(u - v) + cos(u + v) and its like.
"""

from __future__ import annotations

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
    low, high = (_ZERO, sp.pi) if isinstance(wave, sp.sin) else (-sp.pi / 2, sp.pi / 2)
    angle = wave.args[0] / sp.pi
    bounds = [Comparison(">", angle, low / sp.pi), Comparison("<", angle, high / sp.pi)]
    if not all(task.lemma(Comparison(b.op, sp.expand(b.lhs), b.rhs)) for b in bounds):
        return None
    return Argument("waves between their zeros", (f"{low} < {wave.args[0]} < {high}",))


def _applies(task: Task) -> bool:
    c = task.comparison
    return (
        task.depth <= _MAX_DEPTH
        and c.rhs == _ZERO
        and c.op in (">", ">=", "!=")
        and isinstance(c.lhs, _WAVES)
    )


SIGNS = Method("waves between their zeros", 0.3, _applies, signs)
