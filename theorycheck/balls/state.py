"""What an evaluation carries along, and the questions that a ball alone may leave open.

What a program is and how zero is proved is said here as protocols; `compiling` and `zero` meet them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from flint import arb, fmpq, fmpz

from theorycheck.balls.values import (
    EXACT_BITS,
    CallSite,
    Infinite,
    NonReal,
    Range,
    Scope,
    Undecided,
    Undefined,
    Value,
)

NO_ENDS: Mapping[int, Range] = {}


class ZeroTest(Protocol):
    """Proofs where balls cannot tell: True is a theorem, False says nothing."""

    def zero(self, state: State, site: CallSite, shift: fmpq | None) -> bool:
        """Whether the value at ``site``, known to be defined, is exactly ``shift`` (None: 0)."""
        ...

    def real(self, state: State, site: CallSite) -> bool:
        """Whether the value at ``site`` is real."""
        ...


class Program(Protocol):
    """Compiled expressions over the same symbols, which the evaluators of their parts may extend."""

    scope: Scope
    names: list[str]
    size: int
    zero_test: ZeroTest

    def free(self, expr: Any) -> frozenset[Any]:
        """The free symbols of an expression, bound indices of sums left out."""
        ...

    def register(self) -> int:
        """A new register."""
        ...

    def index_register(self, expr: Any, scope: Scope) -> int:
        """The register of the index of a Sum or Product, the same one each time."""
        ...

    def registers_of(self, slot: int) -> list[int]:
        """The registers that hold values depending on the symbol in ``slot``."""
        ...

    def value(self, expr: Any, scope: Scope, keep: bool = False) -> Callable[[State], Value]:
        """The function that evaluates an expression; ``keep`` puts its result in a register."""
        ...

    def truth(self, expr: Any, scope: Scope) -> Callable[[State], bool]:
        """The function that tells whether a statement holds; it raises Undefined and Undecided."""
        ...


class State:
    """One evaluation. ``box``: some input is a ball of positive radius, so that a straddling value means
    a set, not a number; ``ends``: its exact ends, by register. ``deep``: exact zero tests may be used
    (never in a box)."""

    __slots__ = ("box", "deep", "ends", "prec", "program", "regs")

    def __init__(
        self,
        program: Program,
        regs: list[Value],
        prec: int,
        box: bool,
        deep: bool,
        ends: Mapping[int, Range] = NO_ENDS,
    ) -> None:
        self.program = program
        self.ends = ends
        self.regs = regs
        self.prec = prec
        self.box = box
        self.deep = deep and not box

    def fresh(self, site: CallSite, prec: int, deep: bool) -> State:
        """A state for evaluating expressions at ``site`` again, at another precision."""
        regs: list[Value] = [None] * self.program.size
        for slot in site.scope.values():
            regs[slot] = self.regs[slot]
        return State(self.program, regs, prec, self.box, deep)

    def vanishes(self, site: CallSite, shift: fmpq | None = None) -> bool:
        """Whether the expression at ``site`` minus ``shift`` is proved to be zero."""
        return self.deep and self.program.zero_test.zero(self, site, shift)

    def equals(self, site: CallSite, x: Value, target: fmpq) -> bool:
        """Whether a real value is this rational. Raises Undecided."""
        if type(x) is fmpq:
            return bool(x == target)
        if isinstance(x, Infinite):
            return False
        if not x.is_finite() or x.contains(target):
            if x.is_finite() and self.vanishes(site, target):
                return True
            raise Undecided(f"cannot tell whether {{}} is {target}", site)
        return False

    def sign(self, site: CallSite, x: Value) -> int:
        """-1, 0 or 1 of a real value. Raises Undecided."""
        if isinstance(x, Infinite):
            return x.sign
        if x > 0:
            return 1
        if x < 0:
            return -1
        if type(x) is fmpq or x.is_zero():
            return 0
        if x.is_finite() and self.vanishes(site):
            return 0
        raise Undecided(f"the sign of {{}} is not decided: it lies in {x.str(6)}", site)

    def real(self, site: CallSite, x: Value) -> Value:
        """The value, which must be real. Raises NonReal, Undecided."""
        if type(x) is fmpq or type(x) is arb or isinstance(x, Infinite):
            return x
        if x.imag.is_finite() and not x.imag.contains(0):
            raise NonReal("{} is not real", site)
        if self.deep and x.is_finite() and self.program.zero_test.real(self, site):
            return x.real
        raise Undecided("cannot tell whether {} is real", site)

    def floor(self, site: CallSite, x: Value) -> Value:
        """The floor of a real value: exact, or in a box the ball of the possible floors."""
        if type(x) is fmpq:
            return fmpq(x.floor())
        if isinstance(x, Infinite):
            return x
        too_large(x, site)
        low, high = (end.floor().unique_fmpz() for end in (x.lower(), x.upper()))
        if low is None or high is None:
            raise Undecided("the floor of {} needs more precision", site)
        if low == high:
            return fmpq(low)
        if self.box:
            return x.floor()
        if high == low + 1 and self.vanishes(site, fmpq(high)):
            return fmpq(high)
        raise Undecided(f"the floor of {{}} is not decided: it lies in {x.str(6)}", site)

    def integer(self, site: CallSite, x: Value) -> fmpz | None:
        """The integer that a real value is, None if it is none. Raises Undecided."""
        if type(x) is fmpq:
            return x.p if x.q == 1 else None
        if isinstance(x, Infinite):
            raise Undefined("{} is infinite", site)
        too_large(x, site)
        if not x.contains_integer():
            return None
        candidate = x.unique_fmpz()
        if candidate is not None and self.vanishes(site, fmpq(candidate)):
            return candidate
        raise Undecided("cannot tell whether {} is an integer", site)


_LARGE = arb(2) ** EXACT_BITS


def too_large(x: arb, site: CallSite) -> None:
    """Raises Undecided for balls whose integers would not fit in memory, or that are not finite."""
    if not x.is_finite():
        raise Undecided("no finite enclosure of {}: too large, or near a pole", site)
    if not abs(x) < _LARGE:
        raise Undecided("{} is too large for exact integers", site)
