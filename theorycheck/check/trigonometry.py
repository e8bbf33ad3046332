"""Trigonometric identities, by Fourier coefficients.

With every sine and cosine written in exponentials, a polynomial in them is a sum of exponentials of
distinct frequencies, which is zero for all real values of the names only if each coefficient is. The
coefficients are algebraic numbers (sines and cosines of rational multiples of pi), decided exactly. Angles
that are not linear, such as n*x, are taken as names of their own.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import lcm
from typing import Any

import sympy as sp

from theorycheck import balls

_WAVES = (sp.sin, sp.cos, sp.tan, sp.cot, sp.sec, sp.csc)
# Of the numerator, expanded: beyond it the expansion takes seconds.
_MAX_TERMS, _MAX_FREQUENCY = 4000, 60


def identical(lhs: Any, rhs: Any) -> bool:
    """Whether the two are proved equal wherever both are defined; False also where it is not known."""
    difference = lhs - rhs
    if not difference.has(*_WAVES):
        return False
    difference = difference.replace(
        lambda e: isinstance(e, sp.tan | sp.cot | sp.sec | sp.csc), _in_sines_and_cosines
    )
    difference = _with_names_for_angles(difference)
    waves = difference.atoms(sp.sin, sp.cos)
    names = sorted(difference.free_symbols, key=str)
    angles = {w.args[0]: _linear(w.args[0], names) for w in waves}
    if any(a is None for a in angles.values()):
        return False
    steps = {
        x: lcm(1, *(int(a[x].q) for a in angles.values() if a is not None and x in a))
        for x in names
    }
    turns = {x: sp.Dummy() for x in names}
    imaginary = sp.Dummy()
    mapping = {w: _exponentials(w, angles[w.args[0]] or {}, steps, turns, imaginary) for w in waves}
    if any(m is None for m in mapping.values()):
        return False
    numerator = sp.numer(sp.together(difference.xreplace(mapping)))
    generators = [*turns.values(), imaginary, *names]
    if not numerator.is_polynomial(*generators):
        return False
    poly = sp.Poly(numerator, *generators, domain="EX")
    if len(poly.terms()) > _MAX_TERMS:
        return False
    return _vanishes(poly, len(turns))


def _in_sines_and_cosines(e: Any) -> Any:
    s, c = sp.sin(e.args[0]), sp.cos(e.args[0])
    if isinstance(e, sp.tan):
        return s / c
    if isinstance(e, sp.cot):
        return c / s
    return 1 / c if isinstance(e, sp.sec) else 1 / s


def _with_names_for_angles(difference: Any) -> Any:
    """What is added up in angles and is no name, n*x or pi*k/n, as a name: what holds for all values of
    that holds for those."""
    terms: dict[Any, Any] = {}
    changed = {}
    for wave in difference.atoms(sp.sin, sp.cos):
        angle = sp.Integer(0)
        for term in sp.Add.make_args(sp.expand(wave.args[0])):
            factor, rest = term.as_coeff_Mul()
            if not (rest.is_Symbol or rest == sp.pi or rest.is_number):
                rest = terms.setdefault(rest, sp.Dummy(real=True))
            angle += factor * rest
        changed[wave] = wave.func(angle)
    return difference.xreplace(changed) if terms else difference


def _linear(angle: Any, names: list[Any]) -> dict[Any, Any] | None:
    """Rational coefficients of the names and, under pi, of pi; None if there is more to it."""
    found: dict[Any, Any] = {}
    for term in sp.Add.make_args(sp.expand(angle)):
        factor, rest = term.as_coeff_Mul()
        if not factor.is_Rational or not (rest == sp.pi or rest in names):
            return None
        found[rest] = found.get(rest, sp.Integer(0)) + factor
    return found


def _exponentials(
    wave: Any,
    angle: Mapping[Any, Any],
    steps: Mapping[Any, int],
    turns: Mapping[Any, Any],
    imaginary: Any,
) -> Any | None:
    """cos(u) = (e + 1/e)/2 and sin(u) = (e - 1/e)/(2i) for e = exp(i*u)."""
    shift = angle.get(sp.pi, sp.Integer(0)) * sp.pi
    power = sp.Integer(1)
    for x, z in turns.items():
        exponent = angle.get(x, sp.Integer(0)) * steps[x]
        if abs(exponent) > _MAX_FREQUENCY:
            return None
        power *= z**exponent
    c, s = sp.cos(shift), sp.sin(shift)
    forward, backward = power * (c + imaginary * s), (c - imaginary * s) / power
    if isinstance(wave, sp.cos):
        return (forward + backward) / 2
    return -imaginary * (forward - backward) / 2


def _vanishes(poly: Any, frequencies: int) -> bool:
    """Every coefficient, i*i being -1, is zero."""
    parts: dict[tuple[int, ...], list[Any]] = {}
    for monomial, coefficient in poly.terms():
        key = (*monomial[:frequencies], *monomial[frequencies + 1 :])
        power = monomial[frequencies]
        sign = -1 if power % 4 in (2, 3) else 1
        both = parts.setdefault(key, [sp.Integer(0), sp.Integer(0)])
        both[power % 2] += sign * coefficient
    return all(_zero(part) for both in parts.values() for part in both)


def _zero(constant: Any) -> bool:
    if constant.free_symbols:
        return False
    return bool(constant == 0 or balls.sign(constant, {}) == 0)
