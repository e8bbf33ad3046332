"""Factors of expressions as they are written, without any simplification."""

from __future__ import annotations

from typing import Any

import sympy


def over(expr: Any, factor: Any) -> Any:
    """expr/factor where the factor stands in every term as it is written, None elsewhere."""
    if expr == factor:
        return sympy.S.One
    if isinstance(expr, sympy.Mul):
        args = list(expr.args)
        for i, a in enumerate(args):
            if a == factor:
                rest = args[:i] + args[i + 1 :]
                return rest[0] if len(rest) == 1 else sympy.Mul(*rest, evaluate=False)
            inner = over(a, factor) if isinstance(a, sympy.Mul | sympy.Add) else None
            if inner is not None:
                return sympy.Mul(*args[:i], inner, *args[i + 1 :], evaluate=False)
        return None
    if isinstance(expr, sympy.Add):
        parts = [over(a, factor) for a in expr.args]
        if all(p is not None for p in parts):
            return sympy.Add(*parts, evaluate=False)
    return None
