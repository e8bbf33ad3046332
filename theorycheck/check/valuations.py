"""Greatest common divisors and least common multiples, prime by prime.

For a prime p let v(x) be the exponent of p in a positive integer x. Two positive integers are equal if
and only if v agrees for every p, and x divides y (so that x <= y) if and only if v(x) <= v(y) for every p.
v(x y) = v(x) + v(y), v(x**m) = m v(x), v(gcd(x, y)) = min(v(x), v(y)), v(lcm(x, y)) = max(v(x), v(y)), and of sums
v(x + y) >= min(v(x), v(y)), with equality where v(x) != v(y). So what is proved for all whole numbers v >= 0
with these relations holds for every p: a statement that is linear in pieces.

gcd(c**a - 1, c**b - 1) = c**gcd(a, b) - 1 for an integer c >= 2 and a, b >= 0: Euclid's algorithm in the exponents,
as c**a - 1 = c**(a - b) (c**b - 1) + c**(a - b) - 1 for a >= b.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from theorycheck.balls import gcd, lcm
from theorycheck.check.domain import Variable
from theorycheck.check.forms import conjuncts, evaluated, whole
from theorycheck.check.method import Argument, Method, Task
from theorycheck.check.region import Region, formula_text
from theorycheck.check.text import Comparison, Connective, Formula

_MAX_DEPTH = 2
_MAX_NAMES = 8
_ZERO, _ONE = sp.Integer(0), sp.Integer(1)


class _NotCoveredError(Exception):
    """An expression without a valuation of this kind."""


def prove(task: Task) -> Argument | None:
    """The statement about the exponent of an arbitrary prime.

    Takes ==, <= and >= between products, quotients, gcd and lcm of positive integers, their sums of two
    such terms, and Mod(x, y) == 0 as y divides x. Promises that the integers are positive, and the statement
    about exponents, as lemmas; hypotheses of the same kind become hypotheses about exponents.
    """
    c = task.comparison
    exponents = _Exponents(task)
    try:
        goal = exponents.of_comparison(c)
    except _NotCoveredError:
        return None
    hypotheses = [*exponents.hypotheses(task.region.hypotheses), *exponents.relations]
    variables = tuple(
        Variable(s.name, s, "integer", "", _ZERO, sp.oo) for s in exponents.names.values()
    )
    region = Region(variables, tuple(hypotheses))
    if len(variables) > _MAX_NAMES or not task.lemma(goal, region):
        return None
    facts = tuple(
        f"{s.name} is the exponent of a prime p in {x}" for x, s in exponents.names.items()
    )
    return Argument("the exponents of every prime", facts)


class _Exponents:
    """Exponents of an arbitrary prime: a name for each integer that has no closer form."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.names: dict[Any, Any] = {}
        self.relations: list[Formula] = []

    def of_comparison(self, c: Comparison) -> Comparison:
        lhs, rhs = (evaluated(e) for e in (c.lhs, c.rhs))
        if isinstance(lhs, sp.Mod) and rhs == 0 and c.op == "==":
            return Comparison("<=", self.of(lhs.args[1]), self.of(lhs.args[0]))
        if c.op not in ("==", "<=", ">="):
            raise _NotCoveredError
        return Comparison(c.op, self.of(lhs), self.of(rhs))

    def hypotheses(self, given: tuple[Formula, ...]) -> list[Formula]:
        """Equations and divisibilities among the hypotheses; inequalities say nothing of exponents."""
        found: list[Formula] = []
        for h in (part for formula in given for part in conjuncts(formula)):
            if isinstance(h, Comparison) and h.op == "==":
                known = len(self.relations), dict(self.names)
                try:
                    found.append(self.of_comparison(h))
                except _NotCoveredError:
                    del self.relations[known[0] :]
                    self.names = known[1]
        return found

    def of(self, e: Any) -> Any:
        """The exponent of p in a positive integer, or in a quotient of two."""
        if e == 1:
            return _ZERO
        if e.is_Mul:
            return sp.Add(*(self.of(a) for a in e.args))
        if e.is_Pow and e.exp.is_Integer:
            return e.exp * self.of(e.base)
        if e.is_Rational and not e.is_Integer and e > 0:
            return self.of(sp.Integer(e.p)) - self.of(sp.Integer(e.q))
        if isinstance(e, gcd | lcm):
            inner = [self.whole(a) for a in e.args]
            return (sp.Min if isinstance(e, gcd) else sp.Max)(*inner)
        if e.is_Symbol or e.is_Integer:
            return self.name(e)
        if e.is_Add and len(e.args) == 2:
            terms = [self.whole(a) for a in e.args]
            name, least = self.name(e), sp.Min(*terms)
            self.relations.append(Comparison(">=", name, least))
            same = Comparison("==", terms[0], terms[1])
            self.relations.append(Connective("or", (Comparison("==", name, least), same)))
            return name
        raise _NotCoveredError

    def whole(self, e: Any) -> Any:
        """The exponent in an integer; of a quotient inside it would be of no integer."""
        if not whole(e):
            raise _NotCoveredError
        return self.of(e)

    def name(self, e: Any) -> Any:
        if e not in self.names:
            positive = e.is_positive or self.task.lemma(Comparison(">", e, _ZERO))
            if not (whole(e) and positive):
                raise _NotCoveredError
            self.names[e] = sp.Symbol(f"v{len(self.names) + 1}", integer=True, nonnegative=True)
        return self.names[e]


def powers(task: Task) -> Argument | None:
    """gcd(c**a - 1, c**b - 1) replaced by c**gcd(a, b) - 1.

    Takes comparisons with such a gcd, c an integer >= 2. Promises a, b >= 0 and what is left, as lemmas.
    """
    c = task.comparison
    sides = [evaluated(e) for e in (c.lhs, c.rhs)]
    found = {}
    for node in {n for e in sides for n in e.atoms(gcd)}:
        value = _of_powers(node, task)
        if value is not None:
            found[node] = value
    if not found:
        return None
    left = Comparison(c.op, *(e.xreplace(found) for e in sides))
    if not task.lemma(left):
        return None
    facts = tuple(f"{node} = {value}" for node, value in found.items())
    return Argument("Euclid's algorithm in the exponents", (*facts, formula_text(left)))


def _of_powers(node: Any, task: Task) -> Any | None:
    bases, exponents = set(), []
    for a in node.args:
        power = a + 1
        if power.is_Integer and power >= 2:
            power = sp.Pow(power, _ONE, evaluate=False)
        if not (power.is_Pow and power.base.is_Integer and power.base >= 2):
            return None
        if not power.exp.is_integer:
            return None
        bases.add(power.base)
        exponents.append(power.exp)
    if len(bases) != 1 or len(exponents) != 2:
        return None
    if not all(e.is_nonnegative or task.lemma(Comparison(">=", e, _ZERO)) for e in exponents):
        return None
    return bases.pop() ** gcd(*exponents) - 1


def _has_divisors(task: Task) -> bool:
    c = task.comparison
    return task.depth <= _MAX_DEPTH and bool(
        c.lhs.atoms(gcd, lcm) or c.rhs.atoms(gcd, lcm) or isinstance(c.lhs, sp.Mod)
    )


METHOD = Method("exponents of every prime", 0.6, _has_divisors, prove)
POWERS = Method("gcd of powers", 0.2, _has_divisors, powers)
