"""What a method of proof is: asked a task, it answers with an argument, or gives up.

A new prover is one module with a `Method`, and one line in `methods`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from theorycheck.check.domain import Variable
from theorycheck.check.forms import Condition, ForAll, conditions
from theorycheck.check.limits import Clock, TimeUp
from theorycheck.check.region import Region
from theorycheck.check.text import Comparison, Connective


@dataclass(frozen=True)
class Argument:
    """How a comparison was proved: ``how`` in a few words, and the ``facts`` from which a sceptic can
    check it again (a polynomial with its signs, a number of boxes, a certificate)."""

    how: str
    facts: tuple[str, ...] = ()


@dataclass(frozen=True)
class ComparisonProof:
    """A proved comparison: ``claim`` on ``region``, the argument, and the ``lemmas`` it rests on."""

    claim: str
    region: str
    argument: Argument
    lemmas: tuple[ComparisonProof, ...] = ()

    @property
    def how(self) -> str:
        return self.argument.how

    def lines(self, indent: int = 0) -> list[str]:
        """The proof in steps, lemmas below what they are needed for."""
        over = f"   for {self.region}" if self.region else ""
        lines = [f"{'  ' * indent}{self.claim}{over}", f"{'  ' * indent}  by {self.how}"]
        lines += [f"{'  ' * indent}  - {fact}" for fact in self.argument.facts]
        for lemma in self.lemmas:
            lines += lemma.lines(indent + 2)
        return lines


class Lemmas(Protocol):
    """What a method may ask of the prover that runs it."""

    def lemma(
        self, c: Comparison, region: Region, clock: Clock, depth: int
    ) -> ComparisonProof | None:
        """A proof of another comparison; None where there is none in the time."""
        ...

    def constant_zero(self, expression: Any) -> bool:
        """Whether a constant is proved to be zero."""
        ...


@dataclass(frozen=True)
class Task:
    """One comparison to be proved on a region, within the time of a clock.

    ``depth`` is 0 for a part of the statement and grows with every lemma; ``used`` collects the proofs
    of the lemmas that were asked for; ``has_values`` says that it is proved that both sides have values on
    the whole region.
    """

    comparison: Comparison
    region: Region
    clock: Clock
    lemmas: Lemmas
    depth: int = 0
    has_values: bool = False
    used: list[ComparisonProof] = field(default_factory=list, compare=False)

    @property
    def is_line(self) -> bool:
        """Whether the region has one name."""
        return len(self.region.variables) == 1

    def lemma(self, c: Comparison, region: Region | None = None, *, deeper: int = 1) -> bool:
        """Whether ``c`` is proved on the region (this task's own by default)."""
        proof = self.lemmas.lemma(c, region or self.region, self.clock, self.depth + deeper)
        if proof is not None and proof not in self.used:
            self.used.append(proof)
        return proof is not None

    def lemma_within(self, share: float, c: Comparison) -> bool:
        """The same in a part of the time left: something else may do where this does not."""
        try:
            return replace(self, clock=self.clock.slice(share)).lemma(c)
        except TimeUp:
            if self.clock.out():
                raise
            return False

    def shown(self, condition: Condition, region: Region | None = None, *, deeper: int = 1) -> bool:
        """Whether a condition as `forms.conditions` yields them is proved on the region: of ``or`` one
        part, of ``and`` all, of sums at every index."""
        region = region or self.region
        if isinstance(condition, Comparison):
            return self.lemma(condition, region, deeper=deeper)
        if isinstance(condition, ForAll):
            inside = at_every_index(condition, region)
            return inside is not None and self.shown(condition.condition, inside, deeper=deeper)
        if not isinstance(condition, Connective) or condition.kind == "not":
            return False
        parts = (self.shown(p, region, deeper=deeper) for p in condition.parts)
        return any(parts) if condition.kind == "or" else all(parts)

    def defined(self, expression: Any) -> bool:
        """Whether an expression is proved to have a value on the whole region. Raises NoCondition."""
        return all(self.shown(c) for c in conditions(expression))

    def forget(self, count: int) -> None:
        """Leave out the lemmas beyond the first ``count``: they belong to an attempt that failed."""
        del self.used[count:]


def at_every_index(condition: ForAll, region: Region) -> Region | None:
    """The region with the index of a sum, or the name of an integral, as one more name; None where that name
    is taken."""
    if condition.index.name in {v.name for v in region.variables}:
        return None
    name, kind = condition.index.name, condition.kind
    index = Variable(name, condition.index, kind, "", condition.low, condition.high)
    return Region((*region.variables, index), region.hypotheses)


@dataclass(frozen=True)
class Method:
    """One way to prove a comparison on the whole of a region.

    Attributes:
        name: for people.
        share: the part of the time left that it may take, in (0, 1].
        applies: a cheap test whether it is worth trying.
        prove: returns the argument, or None where it does not get through; it may also raise
            `Unknown`, `algebra.NotPolynomial`, `algebra.TooLarge` or what SymPy raises, all of which
            mean the same, or `Found` with points of the region at which the comparison fails. It
            promises that the comparison holds at every point of the region at which both sides have
            values; that they have is proved apart, before.
    """

    name: str
    share: float
    applies: Callable[[Task], bool]
    prove: Callable[[Task], Argument | None]


def always(task: Task) -> bool:
    """A method that is always worth trying."""
    return True
