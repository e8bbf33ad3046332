"""SymPy's simplifications as proposals: what a proof rests on is decided by an identity of polynomials."""

from __future__ import annotations

from typing import Any

import sympy as sp

from theorycheck.formulas.normal_form import same_function


def is_zero(e: Any) -> bool:
    """Whether an expression is proved to vanish wherever it has a value; False says nothing."""
    return e == 0 or sp.expand(e) == 0 or same_function(in_factorials(e), sp.Integer(0), {})


def equal(a: Any, b: Any) -> bool:
    """Whether two expressions are proved equal wherever both have values; False says nothing."""
    if a == b or sp.expand(a - b) == 0:
        return True
    return same_function(in_factorials(a), in_factorials(b), {})


def simpler(e: Any) -> Any:
    """What `sympy.simplify` makes of it, if that is proved to be the same; else it as it stands."""
    proposed = sp.simplify(e)
    return proposed if equal(proposed, e) else e


def quotient(above: Any, below: Any) -> Any | None:
    """above/below with factorials cancelled, proved by multiplying out; None where that is not seen."""
    ratio = in_factorials(above) / in_factorials(below)
    if ratio.has(sp.factorial, sp.binomial, sp.gamma):
        proposed = sp.gammasimp(sp.combsimp(ratio.rewrite(sp.factorial)))
        if proposed.has(sp.gamma, sp.factorial, sp.binomial):
            proposed = sp.combsimp(proposed)
    else:
        proposed = ratio
    return proposed if equal(above, proposed * below) else None


def in_factorials(e: Any) -> Any:
    """Catalan numbers by binomials, which normal forms know."""
    return (
        e.replace(sp.catalan, lambda n: sp.binomial(2 * n, n) / (n + 1)) if e.has(sp.catalan) else e
    )
