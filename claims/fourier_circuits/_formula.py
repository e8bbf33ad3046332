"""Symbols and the formula that many claims of the source share. No simulation imports this module."""

from __future__ import annotations

import sympy as sp

k, p = sp.symbols("k p", integer=True, positive=True)

gamma = 2 * sp.factorial(k) / ((2 * k + 2) ** ((k + 1) / 2) * (p - 1) * p ** ((k - 1) / 2))
"""The maximum normalised margin gamma*(k, p) as printed (Theorem 4.9)."""

odd = sp.Eq(sp.Mod(p, 2), 1)
amplitude = sp.factorial(k) / 2**k * (2 / ((k + 1) * p)) ** ((k + 1) / 2)
gamma_any = sp.Piecewise(
    (amplitude * p / (p - 1), odd), (amplitude * p / (p - 2 + 2 ** (-(k - 1) / 2)), True)
)
"""The maximum normalised margin at every p >= 2 (derived; not in the source)."""
