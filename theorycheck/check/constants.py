"""Constants proved to be zero where balls can only fail to separate them from zero."""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import Any

import sympy as sp

from theorycheck import balls
from theorycheck.check.forms import evaluated
from theorycheck.normal_form import same_function

# Powers of Gaussian integers beyond this are no longer quick.
_MAX_MULTIPLE = 10_000


def is_zero(expression: Any) -> bool:
    """Whether a constant is proved to be zero; False where no proof was found."""
    value = evaluated(expression)
    if value == 0 or arctangents_vanish(value):
        return True
    return bool(same_function(value, sp.Integer(0), {}))


def arctangents_vanish(value: Any) -> bool:
    """Whether sum(c*atan(q)) + r*pi is zero, for rationals c, q, r: Machin's formula and its kind.

    atan(q) is the argument of 1 + q*i, so the sum of integer multiples is the argument of a product of
    Gaussian rationals, up to a multiple of 2*pi. If the product is real, the sum is a multiple of pi,
    and balls tell which.
    """
    terms: list[tuple[Fraction, Fraction]] = []
    turns = Fraction(0)
    for term in sp.Add.make_args(sp.expand(value)):
        factor, rest = term.as_coeff_Mul()
        if not factor.is_Rational:
            return False
        c = Fraction(int(factor.p), int(factor.q))
        if rest == sp.pi:
            turns += c
        elif isinstance(rest, sp.atan) and rest.args[0].is_Rational:
            terms.append((c, Fraction(int(rest.args[0].p), int(rest.args[0].q))))
        else:
            return False
    scale = lcm(turns.denominator, *(c.denominator for c, _ in terms))
    if not terms or any(abs(c * scale) > _MAX_MULTIPLE for c, _ in terms):
        return False
    real, imaginary = 1, 0
    for c, q in terms:
        times = int(c * scale)
        a, b = q.denominator, q.numerator if times > 0 else -q.numerator
        for _ in range(abs(times)):
            real, imaginary = real * a - imaginary * b, real * b + imaginary * a
    if imaginary != 0:
        return False
    # scale * value is a multiple of pi; it is zero if it is smaller than pi.
    size = balls.evaluate(sp.Abs(scale * value, evaluate=False), {}, prec=256, max_prec=256)
    return size.ball is not None and bool(size.ball < 3)
