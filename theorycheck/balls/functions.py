"""SymPy functions for what SymPy only has as plain Python functions.

`sympy.gcd(a, b)` of two symbols is the gcd of polynomials, 1, at once; these stay as they are written.
"""

from __future__ import annotations

from typing import Any

import sympy
from sympy.logic.boolalg import BooleanFunction

gcd: Any = sympy.Function("gcd")
lcm: Any = sympy.Function("lcm")
divisor_count: Any = sympy.Function("divisor_count")
prime: Any = sympy.Function("prime")
primorial: Any = sympy.Function("primorial")


# SymPy has no types, so its classes are Any to mypy (misc); names are those of the statements (N801).
class isprime(BooleanFunction):  # type: ignore[misc]  # noqa: N801
    """Whether the number is a prime; False for numbers that are no integers."""


class is_square(BooleanFunction):  # type: ignore[misc]  # noqa: N801
    """Whether the number is the square of an integer."""


class divides(BooleanFunction):  # type: ignore[misc]  # noqa: N801
    """divides(d, n): whether the integer d divides the integer n."""
