"""The truth of a statement at one exact point, decided by exact or ball arithmetic only."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from flint import arb, fmpq, fmpz

from theorycheck import balls
from theorycheck.check.domain import Domains, Point, Value, Variable, to_value
from theorycheck.check.limits import GAVE_UP, TimeUp, now, time_limit
from theorycheck.check.text import Comparison, Connective, Formula, Predicate

if TYPE_CHECKING:
    import sympy as sp

HOLDS, FAILS, UNDEFINED = "holds", "fails", "undefined"
UNDECIDED, EXCLUDED = "undecided", "excluded"

QUICK_BITS = 64
# 1e-13 squared needs 90 bits, 1e-300 a thousand; 2**13 bits still take well under a millisecond.
MAX_BITS = 8192
# exp(-10000) needs 14,000 bits: a second look, in a fraction of a second, before equality is left open.
_MORE_BITS, _MORE_SECONDS = 65536, 0.3
# Twice the digits take about five times as long, some of it where no signal is heard: digamma, zeta.
_GROWTH = 5


@dataclass(frozen=True)
class PointOutcome:
    """What happened at a point. ``comparison`` is the part of the statement that decided;
    ``out_of_reach`` says that a side was too large to evaluate, not that the sides seem equal;
    ``touching`` that the sides of an inequality agree to all digits looked at."""

    status: str
    comparison: Formula | None = None
    reason: str = ""
    out_of_reach: bool = False
    touching: bool = False


class Judge:
    """Decides points for one statement under its hypotheses; compiled once.

    ``prove_zero`` may prove that a constant expression is zero where balls can only fail to separate
    it from zero; it must never claim more than it has proved.
    """

    def __init__(
        self,
        domains: Domains,
        goal: Formula,
        hypotheses: Sequence[Formula] = (),
        prove_zero: Callable[[sp.Expr], bool] | None = None,
        max_bits: int = MAX_BITS,
    ) -> None:
        self.domains, self.goal, self.hypotheses = domains, goal, tuple(hypotheses)
        self.prove_zero = prove_zero
        self.max_bits = max_bits
        self._cache: dict[Any, Any] = {}

    def at(self, point: Point) -> PointOutcome:
        """The outcome at a point of the domain (membership in the domain is the caller's part)."""
        for hypothesis in self.hypotheses:
            met = self.truth(hypothesis, point)
            if met.status in (FAILS, UNDEFINED):
                return PointOutcome(EXCLUDED, hypothesis, met.reason)
            if met.status == UNDECIDED:
                reason = f"--where not decided: {met.reason}"
                return PointOutcome(UNDECIDED, hypothesis, reason, met.out_of_reach)
        return self.truth(self.goal, point)

    def truth(self, formula: Formula, point: Point) -> PointOutcome:
        if isinstance(formula, Comparison | Predicate):
            try:
                if isinstance(formula, Predicate):
                    return self._predicate(formula, point)
                return self._comparison(formula, point)
            except GAVE_UP as error:  # a series that does not converge, numbers beyond all memory
                reason = f"the evaluation broke down ({type(error).__name__}: {error})"
                return PointOutcome(UNDECIDED, formula, reason[:200])
        if formula.kind == "not":
            inner = self.truth(formula.parts[0], point)
            flipped = {HOLDS: FAILS, FAILS: HOLDS}.get(inner.status, inner.status)
            return PointOutcome(flipped, formula.parts[0], inner.reason, inner.out_of_reach)
        decisive = FAILS if formula.kind == "and" else HOLDS
        last = PointOutcome(HOLDS)
        for part in formula.parts:
            last = self.truth(part, point)
            if last.status in (decisive, UNDEFINED, UNDECIDED):
                return last
        return last

    def _comparison(self, c: Comparison, point: Point) -> PointOutcome:
        order = self._at_a_glance(c, point)
        if order is not None:
            return PointOutcome(HOLDS if order in _ORDERS[c.op] else FAILS, c)
        order, reason = self.order(c.lhs, c.rhs, point)
        if order == "undefined":
            return PointOutcome(UNDEFINED, c, reason)
        if order == "undecided":
            return PointOutcome(UNDECIDED, c, reason, out_of_reach=True)
        if order == "alike":
            return PointOutcome(UNDECIDED, c, reason, touching=c.op not in ("==", "!="))
        return PointOutcome(HOLDS if order in _ORDERS[c.op] else FAILS, c)

    def _at_a_glance(self, c: Comparison, point: Point) -> str | None:
        """The order from one evaluation of the difference, where that is enough.

        Not where a side could be complex: two imaginary parts may cancel in the difference.
        """
        compiled = self._kept((c,), lambda: _difference(c))
        if compiled is None or any(type(v) not in (int, Fraction) for v in point.values()):
            return None
        result = compiled.evaluate(point, QUICK_BITS)
        if result.exact is not None:
            return "lt" if result.exact < 0 else "gt" if result.exact > 0 else "eq"
        if result.ball is not None:
            if result.ball < 0:
                return "lt"
            if result.ball > 0:
                return "gt"
        return None

    def order(self, lhs: sp.Expr, rhs: sp.Expr, point: Point) -> tuple[str, str]:
        """``lt``, ``eq``, ``gt``, ``undefined``, ``alike`` or ``undecided``, and a reason.

        ``alike``: both sides were evaluated and not told apart by ``max_bits`` bits;
        ``undecided``: one of them could not be evaluated so far.
        """
        lhs, rhs, values = self.specialised((lhs, rhs), point)
        verdict = self._pair(lhs, rhs).compare(values, prec=QUICK_BITS, max_prec=self.max_bits)
        relation: str = verdict.relation
        reason = verdict.reason or verdict.lhs.reason or verdict.rhs.reason
        if relation == "undecided" and verdict.lhs.status == verdict.rhs.status == "ok":
            if self.prove_zero is not None:
                import sympy

                difference = sympy.Add(lhs, sympy.Mul(-1, rhs, evaluate=False), evaluate=False)
                if self.prove_zero(substituted(difference, values)):
                    return "eq", ""
                relation = self._second_look(lhs, rhs, values)
                if relation != "undecided":
                    return relation, ""
            return "alike", f"the sides agree to {self.max_bits} bits, equality is not proved"
        return relation, reason

    def _second_look(self, lhs: sp.Expr, rhs: sp.Expr, values: Mapping[str, Any]) -> str:
        started = now()
        bits, last = 2 * self.max_bits, 0.0
        try:
            with time_limit(_MORE_SECONDS):
                while bits <= _MORE_BITS and now() - started + _GROWTH * last < _MORE_SECONDS:
                    before = now()
                    verdict = self._pair(lhs, rhs).compare(values, prec=bits, max_prec=bits)
                    if verdict.relation != "undecided":
                        return str(verdict.relation)
                    bits, last = 2 * bits, now() - before
        except TimeUp:
            if now() - started < _MORE_SECONDS:
                raise
        return "undecided"

    def specialised(self, expressions: tuple[sp.Expr, ...], point: Point) -> tuple[Any, ...]:
        """The expressions with irrational coordinates put in, and the rational coordinates."""
        values = {n: v for n, v in point.items() if isinstance(v, int | Fraction | arb | fmpq)}
        if len(values) == len(point):
            return (*expressions, values)
        symbols = self.domains.symbols
        constants = {symbols[n]: v for n, v in point.items() if n not in values}
        return (*(replace(e, constants) for e in expressions), values)

    def compiled(self, expression: sp.Expr) -> Any:
        """The expression, compiled over its free symbols."""
        return self._kept(
            (expression,), lambda: balls.compile_expression(expression, _symbols(expression))
        )

    def _pair(self, lhs: sp.Expr, rhs: sp.Expr) -> Any:
        return self._kept((lhs, rhs), lambda: balls.compile_pair(lhs, rhs, _symbols(lhs, rhs)))

    def _kept(self, key: tuple[Any, ...], compile_: Callable[[], Any]) -> Any:
        ids = tuple(id(k) for k in key)
        found = self._cache.get(ids)
        if found is None:
            if len(self._cache) > 4000:
                self._cache.clear()
            # The key is kept too: an id is unique only while its object lives.
            found = self._cache[ids] = (key, compile_())
        return found[1]

    def _predicate(self, p: Predicate, point: Point) -> PointOutcome:
        *arguments, values = self.specialised(p.args, point)
        compiled = self._kept(
            (p, *arguments) if len(values) == len(point) else tuple(arguments),
            lambda: balls.compile_expression(_HEADS[p.name](*arguments), _symbols(*arguments)),
        )
        for bits, deep in ((QUICK_BITS, False), (1024, True)):
            result = compiled.truth(values, bits, deep)
            if result.status in ("undefined", "nonreal"):
                return PointOutcome(UNDEFINED, p, result.reason)
            if result.status == "ok":
                return PointOutcome(HOLDS if result.value else FAILS, p)
        return PointOutcome(UNDECIDED, p, result.reason, out_of_reach=True)

    # Bounds of the domain at a point

    def bounds(self, variable: Variable, point: Point) -> tuple[Value, Value]:
        """The ends of a variable's range given the earlier coordinates; ``-oo``/``oo`` as SymPy's."""
        return self._end(variable.low, point), self._end(variable.high, point)

    def _end(self, end: Any, point: Point) -> Value:
        if not end.free_symbols:
            return to_value(end)
        names = {s.name for s in end.free_symbols}
        needed = {n: v for n, v in point.items() if n in names}
        expression, values = self.specialised((end,), needed)
        result = self.compiled(expression).evaluate(values, QUICK_BITS)
        if result.exact is not None:
            exact = Fraction(int(result.exact.p), int(result.exact.q))
            return int(exact) if exact.denominator == 1 else exact
        return substituted(expression, values)

    def contains(self, point: Point) -> bool:
        """Whether the point is proved to lie in the declared domain (hypotheses aside)."""
        import sympy

        for variable in self.domains.variables:
            value = point[variable.name]
            if not self._is_number(value):
                return False
            if variable.kind == "set":
                if value not in [to_value(v) for v in variable.values]:
                    return False
                continue
            low, high = self.bounds(variable, point)
            for smaller, larger, is_open in (
                (low, value, variable.low_open),
                (value, high, variable.high_open),
            ):
                if smaller == -sympy.oo or larger == sympy.oo:
                    continue
                order = self.compare_values(smaller, larger)
                if order != "lt" and not (order == "eq" and not is_open):
                    return False
            if variable.kind != "real" and not isinstance(value, int):
                return False
            if variable.kind == "prime" and not fmpz(value).is_prime():
                return False
        return True

    def _is_number(self, value: Value) -> bool:
        """Whether it is proved to be a finite real number."""
        if isinstance(value, int | Fraction):
            return True
        if not getattr(value, "is_number", False) or getattr(value, "is_infinite", False):
            return False
        try:
            return bool(self.compiled(value).evaluate({}, 256, True).status == "ok")
        except balls.UnsupportedExpression:
            return False

    def compare_values(self, a: Value, b: Value) -> str:
        """``lt``, ``eq``, ``gt`` or ``undecided`` for two exact values."""
        if isinstance(a, int | Fraction) and isinstance(b, int | Fraction):
            return "lt" if a < b else "gt" if a > b else "eq"
        import sympy

        x, y = sympy.sympify(a), sympy.sympify(b)
        if x == y:
            return "eq"
        if x.is_infinite or y.is_infinite:
            return "lt" if x < y else "gt"
        return str(self._pair(x, y).compare({}, max_prec=1024).relation)


_ORDERS = {
    "==": ("eq",),
    "!=": ("lt", "gt"),
    "<": ("lt",),
    "<=": ("lt", "eq"),
    ">": ("gt",),
    ">=": ("gt", "eq"),
}


def replace(expression: Any, constants: Mapping[Any, Any]) -> Any:
    """Put constants for symbols without letting SymPy simplify holes away."""
    if expression in constants:
        return constants[expression]
    if not expression.args or not expression.free_symbols & set(constants):
        return expression
    if hasattr(expression, "limits"):
        return expression.xreplace(constants)
    args = [replace(a, constants) for a in expression.args]
    try:
        return expression.func(*args, evaluate=False)
    except TypeError:
        return expression.func(*args)


def substituted(expression: Any, values: Mapping[str, Any]) -> Any:
    """Put rational values for the symbols of those names."""
    import sympy

    constants = {
        s: sympy.Rational(Fraction(values[s.name]).numerator, Fraction(values[s.name]).denominator)
        for s in expression.free_symbols
        if s.name in values and isinstance(values[s.name], int | Fraction)
    }
    return replace(expression, constants) if constants else expression


_HEADS = {"isprime": balls.isprime, "is_square": balls.is_square, "divides": balls.divides}


def _difference(c: Comparison) -> Any | None:
    """lhs - rhs compiled, or None where a side may be complex."""
    import sympy

    try:
        if not all(
            _plainly_real(node) for e in (c.lhs, c.rhs) for node in sympy.preorder_traversal(e)
        ):
            return None
    except GAVE_UP:
        return None
    expression = sympy.Add(c.lhs, sympy.Mul(-1, c.rhs, evaluate=False), evaluate=False)
    return balls.compile_expression(expression, _symbols(expression))


def _plainly_real(node: Any) -> bool:
    """Whether a node of an expression is real wherever its arguments are and it is defined."""
    if node.is_Pow:
        return bool(node.args[1].is_integer or node.args[0].is_positive)
    return not node.is_Function or type(node).__name__ in _REAL_FUNCTIONS


# Real for all real arguments at which they are defined.
_REAL_FUNCTIONS = frozenset(
    (
        *("exp", "sin", "cos", "tan", "atan", "sinh", "cosh", "tanh", "erf", "erfc", "gamma"),
        *("floor", "ceiling", "Abs", "sign", "Min", "Max", "Mod", "gcd", "lcm"),
        *("factorial", "binomial", "fibonacci", "lucas", "catalan", "harmonic", "totient"),
        *("divisor_sigma", "divisor_count", "mobius", "primepi", "primeomega", "primenu"),
        *("prime", "primorial"),
    )
)


def _symbols(*expressions: Any) -> list[Any]:
    """The names that need a value. SymPy's `free_symbols` leaves out those of a sum whose term it holds to
    be zero, though the term has no value where it divides by zero. No index has the name of another."""
    from sympy import Symbol
    from sympy.concrete.expr_with_limits import ExprWithLimits

    found: set[Any] = set()
    for e in expressions:
        bound = {symbol for r in e.atoms(ExprWithLimits) for symbol in r.bound_symbols}
        found |= e.free_symbols | (e.atoms(Symbol) - bound)
    return sorted(found, key=lambda s: str(s.name))


def parts_of(formula: Formula) -> list[Comparison]:
    """All comparisons in a formula, in reading order."""
    if isinstance(formula, Comparison):
        return [formula]
    if isinstance(formula, Connective):
        return [c for part in formula.parts for c in parts_of(part)]
    return []


def expressions_of(formula: Formula) -> list[Any]:
    """All numbers in a formula: the sides of comparisons and the arguments of predicates."""
    if isinstance(formula, Comparison):
        return [formula.lhs, formula.rhs]
    if isinstance(formula, Predicate):
        return list(formula.args)
    return [e for part in formula.parts for e in expressions_of(part)]
