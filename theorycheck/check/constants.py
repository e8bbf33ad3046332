"""Constants proved to be zero where balls can only fail to separate them from zero."""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import Any

import sympy as sp
from flint import arb

from theorycheck import balls
from theorycheck.check.forms import evaluated
from theorycheck.formulas.normal_form import same_function

# Powers of Gaussian integers beyond this are no longer quick.
_MAX_MULTIPLE = 10_000
# Products of so many algebraic numbers are still proved equal by bounds on their separation.
_MAX_FACTORS = 16
_MAX_SHIFT = 100

Angle = tuple[Fraction, Any, Any]
"""A rational multiple of the angle with this cosine and sine."""


def is_zero(expression: Any) -> bool:
    """Whether a constant is proved to be zero; False where no proof was found."""
    value = evaluated(expression)
    if value == 0 or arctangents_vanish(value):
        return True
    if bool(same_function(value, sp.Integer(0), {})) or angles_and_logarithms_vanish(value):
        return True
    reflected = _reflected(value)
    return bool(reflected == 0 or (reflected != value and is_zero(reflected)))


def _reflected(value: Any) -> Any:
    """Values of gamma at rationals by those in (0, 1/2], by its step and Euler's reflection."""
    mapping = {}
    for g in value.atoms(sp.gamma):
        q = g.args[0]
        if not q.is_Rational or q.is_Integer or abs(q) > _MAX_SHIFT:
            continue
        base = q - sp.floor(q)
        steps = sp.prod(base + j for j in range(int(sp.floor(q))))
        steps /= sp.prod(q + j for j in range(-int(sp.floor(q))))
        inner = sp.gamma(base)
        if base > sp.Rational(1, 2):
            inner = sp.pi / sp.sin(sp.pi * base) / sp.gamma(1 - base)
        mapping[g] = steps * inner
    return sp.expand(value.xreplace(mapping)) if mapping else value


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


def angles_and_logarithms_vanish(value: Any) -> bool:
    """Whether a rational combination of inverse functions of algebraic numbers is zero: the logarithms
    among them multiply to 1, and the angles to a positive real number within less than a turn."""
    angles: list[Angle] = []
    logarithms: list[tuple[Fraction, Any]] = []
    for term in sp.Add.make_args(sp.expand(value)):
        factor, rest = term.as_coeff_Mul()
        if not factor.is_Rational or not _taken_apart(_fraction(factor), rest, angles, logarithms):
            return False
    return _multiply_to_one(logarithms) and _turn_nowhere(angles)


def _fraction(q: Any) -> Fraction:
    return Fraction(int(q.p), int(q.q))


def _taken_apart(
    c: Fraction, f: Any, angles: list[Angle], logarithms: list[tuple[Fraction, Any]]
) -> bool:
    one = sp.Integer(1)
    if f == sp.pi:
        angles.append((c, -one, sp.Integer(0)))
        return True
    if not f.is_Function or len(f.args) != 1 or not _algebraic(f.args[0]):
        return False
    a = f.args[0]
    legs = sp.sqrt(1 - a**2)
    if isinstance(f, sp.asin):
        angles.append((c, legs, a))
    elif isinstance(f, sp.acos):
        angles.append((c, a, legs))
    elif isinstance(f, sp.atan):
        angles.append((c, 1 / sp.sqrt(1 + a**2), a / sp.sqrt(1 + a**2)))
    elif isinstance(f, sp.log):
        logarithms.append((c, a))
    elif isinstance(f, sp.asinh):
        logarithms.append((c, a + sp.sqrt(a**2 + 1)))
    elif isinstance(f, sp.acosh):
        logarithms.append((c, a + sp.sqrt(a - 1) * sp.sqrt(a + 1)))
    elif isinstance(f, sp.atanh):
        logarithms.append((c / 2, (1 + a) / (1 - a)))
    else:
        return False
    return True


def _algebraic(a: Any) -> bool:
    """Rational numbers under sums, products and rational powers."""
    if a.is_Rational:
        return True
    if a.is_Add or a.is_Mul:
        return all(_algebraic(b) for b in a.args)
    return bool(a.is_Pow and a.args[1].is_Rational and _algebraic(a.args[0]))


def _multiply_to_one(logarithms: list[tuple[Fraction, Any]]) -> bool:
    if not logarithms:
        return True
    scale = lcm(*(c.denominator for c, _ in logarithms))
    powers = [(int(c * scale), a) for c, a in logarithms]
    if sum(abs(k) for k, _ in powers) > _MAX_FACTORS:
        return False
    above = sp.Mul(*(a**k for k, a in powers if k > 0))
    below = sp.Mul(*(a**-k for k, a in powers if k < 0))
    positive = all(balls.sign(a, {}) == 1 for _, a in powers)
    return positive and balls.sign(above - below, {}) == 0


def _turn_nowhere(angles: list[Angle]) -> bool:
    if not angles:
        return True
    scale = lcm(*(c.denominator for c, *_ in angles))
    if sum(abs(c * scale) for c, *_ in angles) > _MAX_FACTORS:
        return False
    real, imaginary = sp.Integer(1), sp.Integer(0)
    total = arb(0)
    for c, cosine, sine in angles:
        times = int(c * scale)
        for _ in range(abs(times)):
            s = sine if times > 0 else -sine
            real, imaginary = (
                sp.expand(real * cosine - imaginary * s),
                sp.expand(real * s + imaginary * cosine),
            )
        parts = [balls.evaluate(e, {}, prec=256) for e in (sine, cosine)]
        if any(part.status != "ok" for part in parts):
            return False
        y, x = (part.ball for part in parts)
        total += times * (arb.pi() if cosine == -1 else arb.atan2(y, x))
    return bool(abs(total) < 3) and balls.sign(imaginary, {}) == 0
