"""From a SymPy expression to nested Python functions that evaluate it, built once.

SymPy never evaluates anything here: no substitution, no assumption is asked, so that 9**9**9**9 costs
nothing. Subexpressions that occur twice, and those of a sum that do not depend on its index, are kept
in registers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import sympy
from flint import acb, arb, fmpq
from sympy.core.function import Application, AppliedUndef
from sympy.logic.boolalg import Boolean
from sympy.matrices.expressions.matexpr import MatrixElement

from theorycheck.balls import elementary
from theorycheck.balls.factors import over
from theorycheck.balls.integrals import compile_integral
from theorycheck.balls.library import FUNCTIONS, PREDICATES
from theorycheck.balls.logic import compile_truth
from theorycheck.balls.matrices import determinant, explicit
from theorycheck.balls.state import State, ZeroTest
from theorycheck.balls.sums import compile_repeated
from theorycheck.balls.values import (
    ONE,
    ZERO,
    CallSite,
    Infinite,
    Scope,
    Undecided,
    Undefined,
    UnsupportedExpression,
    Value,
    kept,
    tidy,
)

Closure = Callable[[State], Value]

_CONSTANTS: dict[Any, Closure] = {
    sympy.pi: lambda s: arb.pi(),
    sympy.E: lambda s: arb.const_e(),
    sympy.EulerGamma: lambda s: arb.const_euler(),
    sympy.Catalan: lambda s: arb.const_catalan(),
    sympy.GoldenRatio: lambda s: (1 + arb(5).sqrt()) / 2,
    sympy.I: lambda s: acb(0, 1),
    sympy.oo: lambda s: Infinite(1),
    sympy.S.NegativeInfinity: lambda s: Infinite(-1),
}


class Compiler:
    """The compiled form of some expressions over the same symbols (a `state.Program`).

    ``zero_test`` answers, when the program runs, what balls leave open.
    """

    def __init__(
        self, exprs: Sequence[sympy.Basic], symbols: Sequence[sympy.Symbol], zero_test: ZeroTest
    ) -> None:
        self.zero_test = zero_test
        self.scope: Scope = {}
        self.names: list[str] = []
        for symbol in symbols:
            self.scope[symbol] = len(self.names)
            self.names.append(symbol.name)
        self.size = len(self.names)
        self._free: dict[Any, frozenset[Any]] = {}
        self._seen: set[Any] = set()
        self._repeated: set[Any] = set()
        self._compiled: dict[Any, Closure] = {}
        self._registers: dict[Any, int] = {}
        self._indices: dict[Any, int] = {}
        for expr in exprs:
            self._count(expr)

    # ------------------------------------------------------------ structure

    def free(self, expr: Any) -> frozenset[Any]:
        """The free symbols of an expression, bound indices of sums left out."""
        known = self._free.get(expr)
        if known is None:
            if isinstance(expr, sympy.Symbol):
                known = frozenset((expr,))
            elif isinstance(expr, sympy.Sum | sympy.Product | sympy.Integral):
                known = self.free(expr.function)
                for index, *ends in expr.limits:
                    known = known - {index}
                    for end in ends:
                        known = known | self.free(end)
            else:
                known = frozenset().union(*(self.free(a) for a in expr.args))
            self._free[expr] = known
        return known

    def _count(self, expr: Any) -> None:
        """Notes which compound subexpressions occur more than once."""
        todo = [expr]
        while todo:
            e = todo.pop()
            if not _is_compound(e):
                continue
            if e in self._seen:
                self._repeated.add(e)
            else:
                self._seen.add(e)
                todo.extend(e.args)

    def index_register(self, expr: Any, scope: Scope) -> int:
        """The register for the index of a Sum or Product that is gone through term by term: the same
        one each time, so that programs do not grow."""
        key = expr, frozenset(scope.items())
        if key not in self._indices:
            self._indices[key] = self.register()
        return self._indices[key]

    def register(self) -> int:
        """A new register."""
        self.size += 1
        return self.size - 1

    # ------------------------------------------------------------ values

    def compiled(self, expr: Any) -> Closure:
        """The function that evaluates an expression or statement over the program's symbols. Raises
        UnsupportedExpression, also for expressions nested too deeply for Python's stack."""
        try:
            build = self.truth if is_statement(expr) else self.value
            return build(expr, self.scope)
        except RecursionError:
            raise UnsupportedExpression("the expression is nested too deeply") from None

    def value(self, expr: Any, scope: Scope, keep: bool = False) -> Closure:
        """The function that evaluates an expression; ``keep`` puts its result in a register."""
        key = (expr, frozenset((x, scope.get(x)) for x in self.free(expr)))
        found = self._compiled.get(key)
        if found is None:
            found = self._build(expr, scope)
            if (keep or expr in self._repeated) and _is_compound(expr):
                found = self._in_register(key, found)
            self._compiled[key] = found
        elif keep and key not in self._registers and _is_compound(expr):
            found = self._compiled[key] = self._in_register(key, found)
        return found

    def _in_register(self, key: Any, compute: Closure) -> Closure:
        """The function that computes its value once an evaluation."""
        slot = self._registers[key] = self.register()

        def read(s: State) -> Value:
            v = s.regs[slot]
            if v is None:
                v = s.regs[slot] = compute(s)
            return v

        return read

    def registers_of(self, slot: int) -> list[int]:
        """The registers that hold values depending on the symbol in ``slot``."""
        return [
            register
            for (_, bound), register in self._registers.items()
            if any(place == slot for _, place in bound)
        ]

    def _build(self, expr: Any, scope: Scope) -> Closure:
        leaf = _leaf(expr, scope)
        if leaf is not None:
            return leaf
        if isinstance(expr, sympy.Add):
            return self._sum(expr, scope)
        if isinstance(expr, sympy.Mul):
            return self._product(expr, scope)
        if isinstance(expr, sympy.Pow):
            return self._power(expr, scope)
        if isinstance(expr, sympy.Sum | sympy.Product):
            return compile_repeated(self, expr, scope)
        if isinstance(expr, sympy.Integral):
            return compile_integral(self, expr, scope)
        if isinstance(expr, sympy.Piecewise):
            return self._piecewise(expr, scope)
        if isinstance(expr, sympy.Trace | sympy.Determinant):
            return self._matrix(expr, scope)
        if isinstance(expr, MatrixElement):
            parent, i, j = expr.args
            return self.value(explicit(parent)[i, j], scope)
        if is_statement(expr):
            raise UnsupportedExpression(f"{expr} is a statement, not a number: use truth()")
        if isinstance(expr, Application):
            return self._function(expr, scope)
        raise UnsupportedExpression(f"no evaluator for {type(expr).__name__}: {expr}")

    def _sum(self, expr: Any, scope: Scope) -> Closure:
        terms = [self.value(a, scope) for a in expr.args]
        if len(terms) == 2:
            first, second = terms

            def add2(s: State) -> Value:
                return kept(first(s) + second(s))

            return add2

        def add(s: State) -> Value:
            total: Value = ZERO
            for term in terms:
                total = total + term(s)
            return kept(total)

        return add

    def _product(self, expr: Any, scope: Scope) -> Closure:
        factors = [self.value(a, scope) for a in expr.args]
        quotient = _quotient_of_logs(expr.args)
        if quotient is not None:
            i, j = quotient
            factors[i] = self._log_ratio(expr.args[i], expr.args[j].args[0], scope)
            del factors[j]

        def multiply(s: State) -> Value:
            total: Value = ONE
            zero = False
            for factor in factors:
                v = factor(s)
                if type(v) is fmpq and v == 0:
                    zero = True
                total = total * v
            if type(total) is fmpq:
                return kept(total)
            if zero and total.is_finite():
                return ZERO
            return tidy(total) if type(total) is acb else total

        return multiply

    def _log_ratio(self, above: Any, below: Any, scope: Scope) -> Closure:
        """log(x)/log(base), given the two logarithms."""
        x, base = self.value(above.args[0], scope), self.value(below.args[0], scope)
        sites = CallSite(above, scope), CallSite(below, scope)
        return lambda s: elementary.log_ratio(s, sites, x(s), base(s))

    def _power(self, expr: Any, scope: Scope) -> Closure:
        base, exponent = expr.args
        if base is sympy.E:
            return self._exp(exponent, CallSite(expr, scope))
        site, place = CallSite(expr, scope), CallSite(base, scope)
        b = self.value(base, scope)
        if exponent is sympy.S.NegativeOne:
            return lambda s: elementary.reciprocal(s, place, b(s))
        if exponent is sympy.S.Half:
            return lambda s: elementary.square_root(s, site, b(s))
        if isinstance(exponent, sympy.Rational):
            number = fmpq(int(exponent.p), int(exponent.q))
            return lambda s: elementary.power(s, site, b(s), number)
        e = self.value(exponent, scope)
        return lambda s: elementary.power(s, site, b(s), e(s))

    def _exp(self, argument: Any, site: CallSite) -> Closure:
        rest = over(argument, sympy.pi)
        rest = None if rest is None else over(rest, sympy.I)
        if rest is not None:
            r = self.value(rest, site.scope)
            return lambda s: elementary.exp_pi_i(s, site, r(s))
        x = self.value(argument, site.scope)
        return lambda s: elementary.exp(s, site, x(s))

    def _function(self, expr: Any, scope: Scope) -> Closure:
        name = expr.func.__name__
        site = CallSite(expr, scope)
        if name == "exp":
            return self._exp(expr.args[0], site)
        if name == "log" and len(expr.args) == 2:
            above, below = (sympy.log(a, evaluate=False) for a in expr.args)
            return self._log_ratio(above, below, scope)
        if name in ("sin", "cos", "tan"):
            rest = over(expr.args[0], sympy.pi)
            if rest is not None:
                r = self.value(rest, scope)
                of_pi = {
                    "sin": elementary.sin_pi,
                    "cos": elementary.cos_pi,
                    "tan": elementary.tan_pi,
                }[name]
                return lambda s: of_pi(s, site, r(s))
        function = FUNCTIONS.get(name)
        if function is None:
            raise UnsupportedExpression(f"no evaluator for the function {name}")
        args = [self.value(a, scope) for a in expr.args]
        if len(args) == 1:
            only = args[0]
            return lambda s: function(s, site, only(s))
        if len(args) == 2:
            first, second = args
            return lambda s: function(s, site, first(s), second(s))
        return lambda s: function(s, site, *[a(s) for a in args])

    def _piecewise(self, expr: Any, scope: Scope) -> Closure:
        pieces = [(self.value(e, scope), self.truth(c, scope)) for e, c in expr.args]
        site = CallSite(expr, scope)

        def choose(s: State) -> Value:
            open_: list[Value] = []
            for value, holds in pieces:
                try:
                    chosen = holds(s)
                except Undecided:
                    if not s.box:
                        raise
                    open_.append(value(s))
                    continue
                if chosen:
                    return _hull([*open_, value(s)])
            if open_:
                raise Undecided("{}: perhaps no condition holds", site)
            raise Undefined("{}: no condition holds", site)

        return choose

    def _matrix(self, expr: Any, scope: Scope) -> Closure:
        matrix = explicit(expr.args[0])
        if isinstance(expr, sympy.Trace):
            return self.value(
                sympy.Add(*(matrix[i, i] for i in range(matrix.rows)), evaluate=False), scope
            )
        rows = [[self.value(x, scope) for x in matrix.row(i)] for i in range(matrix.rows)]
        return lambda s: determinant([[x(s) for x in row] for row in rows])

    # ------------------------------------------------------------ statements

    def truth(self, expr: Any, scope: Scope) -> Callable[[State], bool]:
        """The function that tells whether a statement holds; it raises Undefined and Undecided."""
        return compile_truth(self, expr, scope)


def is_statement(expr: Any) -> bool:
    """Whether an expression is a statement (relational, Boolean, predicate) and not a number."""
    if isinstance(expr, AppliedUndef):
        return expr.func.__name__ in PREDICATES
    return isinstance(expr, Boolean) and not isinstance(expr, sympy.Symbol)


def _is_compound(expr: Any) -> bool:
    return bool(expr.args) and not isinstance(expr, sympy.Rational)


def _hull(values: list[Value]) -> Value:
    if len(values) == 1:
        return values[0]
    if any(isinstance(v, Infinite) or type(v) is acb for v in values):
        raise Undecided("open conditions between values that are not all real")
    total = arb(values[0]) if type(values[0]) is fmpq else values[0]
    for v in values[1:]:
        total = total.union(arb(v))
    return total


def _leaf(expr: Any, scope: Scope) -> Closure | None:
    """Numbers, constants and symbols; None for anything compound. Raises UnsupportedExpression."""
    if isinstance(expr, sympy.Rational):
        number = fmpq(int(expr.p), int(expr.q))
        return lambda s: number
    if isinstance(expr, sympy.Symbol):
        return _read(_slot(expr, scope))
    if expr in _CONSTANTS:
        return _CONSTANTS[expr]
    if expr is sympy.zoo or expr is sympy.nan:
        return _stop(Undefined(f"{expr} in the expression"))
    if isinstance(expr, sympy.Float):
        raise UnsupportedExpression(
            f"the float {expr} is not an exact number; write a Rational, such as "
            f"{sympy.nsimplify(expr, rational=True)}"
        )
    return None


def _slot(symbol: Any, scope: Scope) -> int:
    slot = scope.get(symbol)
    if slot is None:
        raise UnsupportedExpression(
            f"the symbol {symbol} has no value: it is not among the symbols"
        )
    return slot


def _read(slot: int) -> Closure:
    return lambda s: s.regs[slot]


def _stop(reason: Undefined) -> Closure:
    def stop(s: State) -> Value:
        raise Undefined(reason.text)

    return stop


def _quotient_of_logs(args: Sequence[Any]) -> tuple[int, int] | None:
    """The places of log(a) and log(b)**-1 among the factors if there is exactly one of each."""
    above = [i for i, a in enumerate(args) if _is_log(a)]
    below = [
        i
        for i, a in enumerate(args)
        if isinstance(a, sympy.Pow) and a.args[1] is sympy.S.NegativeOne and _is_log(a.args[0])
    ]
    return (above[0], below[0]) if len(above) == len(below) == 1 else None


def _is_log(expr: Any) -> bool:
    return isinstance(expr, sympy.log) and len(expr.args) == 1
