"""Values of functions replaced by known bounds of them: tails of the normal law, incomplete gamma functions, powers.

For u >= 0, with erf(u) = 1 - erfc(u):

    erfc(u) <= exp(-u**2), exp(-u**2)/(sqrt(pi) u), 2 exp(-u**2)/(sqrt(pi) (u + sqrt(u**2 + 4/pi)))
    erfc(u) >= 2 u exp(-u**2)/(sqrt(pi) (2 u**2 + 1)), 2 exp(-u**2)/(sqrt(pi) (u + sqrt(u**2 + 2)))

The second lower bound is Birnbaum's, the third upper one Pollak's: each less erfc tends to 0, and its slope has one
sign, or one and then the other with the value 0 at u = 0. For a > 0, with E = Gamma(a) (x/a)**a exp(a - x), the
least of the tilted integrals of t**(a - 1) exp(-t) exp(s (t - x)):

    uppergamma(a, x) <= E where x >= a,        lowergamma(a, x) <= E where 0 < x <= a

For b >= 0, by convexity or concavity of the power (Bernoulli), and as the logarithm of b has one sign:

    b**t >= 1 + t (b - 1) where t >= 1, or t >= 0 is an integer;      b**t <= 1 + t (b - 1) where 0 <= t <= 1
    b**t <= b where b <= 1 <= t
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import sympy as sp

from theorycheck.check.forms import evaluated
from theorycheck.check.method import Argument, Method, Task
from theorycheck.check.text import Comparison

_MAX_DEPTH = 2
_MAX_OPS = 120
_MOST = 3
# The part of the time left for what is left after each bound.
_SHARE = 0.4
_ZERO, _ONE = sp.Integer(0), sp.Integer(1)
_FUNCTIONS = (sp.erfc, sp.erf, sp.uppergamma, sp.lowergamma)


@dataclass(frozen=True)
class _Bound:
    """``value`` bounds the term where what is ``needed`` holds."""

    value: Any
    needed: tuple[Comparison, ...]


def functions(task: Task) -> Argument | None:
    """The comparison with a value of the error function or of an incomplete gamma function replaced by a bound.

    Takes order comparisons that are linear in that value. Promises the sign of the factor beside it, what the bound
    needs, and what is left, as lemmas.
    """
    return _replaced(task, _FUNCTIONS)


def powers(task: Task) -> Argument | None:
    """The same of a power whose exponent has names."""
    return _replaced(task, (sp.Pow,))


def _replaced(task: Task, heads: tuple[Any, ...]) -> Argument | None:
    c = task.comparison
    turned = c.op in (">", ">=")
    small, large = (evaluated(e) for e in ((c.rhs, c.lhs) if turned else (c.lhs, c.rhs)))
    gap = small - large
    terms = [t for t in gap.atoms(*heads) if not t.is_Pow or _is_power_of_names(t)]
    if not 0 < len(terms) <= _MOST or gap.count_ops() > _MAX_OPS:
        return None
    for term in sorted(terms, key=sp.default_sort_key):
        slot = sp.Dummy(real=True)
        slope = sp.diff(gap.xreplace({term: slot}), slot)
        if slot in slope.free_symbols:
            continue
        for upper in (True, False):
            if not _shown(task, Comparison(">=" if upper else "<=", slope, _ZERO)):
                continue
            for bound in _bounds(term, upper=upper):
                if not all(_shown(task, n) for n in bound.needed):
                    continue
                put = {term: bound.value}
                sides = [sp.powsimp(e.xreplace(put)) if e.has(term) else e for e in (small, large)]
                left = Comparison(c.op, *(reversed(sides) if turned else sides))
                if task.lemma_within(_SHARE, left):
                    fact = f"{term} {'<=' if upper else '>='} {bound.value}"
                    return Argument("a known bound of a value", (fact,))
    return None


def _is_power_of_names(t: Any) -> bool:
    return bool(t.base.free_symbols and t.exp.free_symbols)


def _shown(task: Task, c: Comparison) -> bool:
    """Whether it is clear, or proved."""
    e = sp.expand(c.lhs - c.rhs)
    clear = {">": e.is_positive, ">=": e.is_nonnegative, "<=": e.is_nonpositive}[c.op]
    return bool(clear) or task.lemma(c)


def _bounds(term: Any, *, upper: bool) -> Iterator[_Bound]:
    if isinstance(term, sp.erfc):
        yield from _of_erfc(term.args[0], upper=upper)
    elif isinstance(term, sp.erf):
        for bound in _of_erfc(term.args[0], upper=not upper):
            yield _Bound(1 - bound.value, bound.needed)
    elif term.is_Pow:
        yield from _of_power(term.base, term.exp, upper=upper)
    else:
        yield from _of_gamma(term, upper=upper)


def _of_erfc(u: Any, *, upper: bool) -> Iterator[_Bound]:
    right, beyond = Comparison(">=", u, _ZERO), Comparison(">", u, _ZERO)
    peak = sp.exp(-sp.expand(u**2))
    if upper:
        yield _Bound(peak, (right,))
        yield _Bound(peak / (sp.sqrt(sp.pi) * u), (beyond,))
        yield _Bound(2 * peak / (sp.sqrt(sp.pi) * (u + sp.sqrt(u**2 + 4 / sp.pi))), (right,))
    else:
        yield _Bound(2 * u * peak / (sp.sqrt(sp.pi) * (2 * u**2 + 1)), (right,))
        yield _Bound(2 * peak / (sp.sqrt(sp.pi) * (u + sp.sqrt(u**2 + 2))), (right,))


def _of_gamma(term: Any, *, upper: bool) -> Iterator[_Bound]:
    """Both are parts of Gamma(a): where one is small the other is not."""
    a, x = term.args
    positive = Comparison(">", a, _ZERO)
    small = sp.gamma(a) * (x / a) ** a * sp.exp(a - x)
    above, below = (Comparison(">=", x, a),), (Comparison(">", x, _ZERO), Comparison("<=", x, a))
    # The side on which the term itself is small, and that on which the rest of Gamma(a) is.
    own, others = (above, below) if isinstance(term, sp.uppergamma) else (below, above)
    if upper:
        yield _Bound(small, (positive, *own))
    else:
        yield _Bound(sp.gamma(a) - small, (positive, *others))


def _of_power(b: Any, t: Any, *, upper: bool) -> Iterator[_Bound]:
    not_negative = Comparison(">=", b, _ZERO)
    tangent = 1 + t * (b - 1)
    if upper:
        beyond = Comparison(">=", t, _ONE)
        yield _Bound(b, (not_negative, Comparison("<=", b, _ONE), beyond))
        between = (Comparison(">=", t, _ZERO), Comparison("<=", t, _ONE))
        yield _Bound(tangent, (not_negative, *between))
    else:
        convex = Comparison(">=", t, _ZERO if t.is_integer else _ONE)
        yield _Bound(tangent, (not_negative, convex))


def _is_order(task: Task) -> bool:
    return task.depth <= _MAX_DEPTH and task.comparison.op in ("<", "<=", ">", ">=")


def _has_functions(task: Task) -> bool:
    c = task.comparison
    return _is_order(task) and bool(c.lhs.has(*_FUNCTIONS) or c.rhs.has(*_FUNCTIONS))


FUNCTIONS = Method("known bounds of functions", 0.4, _has_functions, functions)
POWERS = Method("known bounds of powers", 0.3, _is_order, powers)
