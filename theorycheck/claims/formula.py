"""Formula claims: an assertion between formulas, typed as for ``theorycheck check``, for its whole domain.

    formula(
        "sums-of-odd-numbers",
        says="Sum(2*k - 1, (k, 1, n)) == n**2",
        over="n in 1..oo",
        rivals={"n^2 - 1": "Sum(2*k - 1, (k, 1, n)) == n**2 - 1"},
    )

Where the prover settles it, the claim is *proved* with its certificate kept. Where it does not, the
statement is searched for counterexamples and the verdict says so: nothing that was only searched is
called proved. This module holds the text as data; `theorycheck.evidence.workbench` runs the prover.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from theorycheck.claims.functions import ClaimError
from theorycheck.claims.legs import Leg, leg
from theorycheck.claims.model import Claim, claim
from theorycheck.claims.variants import Variant

SECONDS = 120.0
"""Processor time that the prover plans with for a statement unless its author says otherwise. Methods have shares
of it: three times what the library's proofs need, so that a processor at a third of its speed finds the same."""

_PARTS = ("says", "over", "where", "let", "steps")


@dataclass(frozen=True)
class TypedStatement:
    """An assertion in the language of ``theorycheck check``.

    ``says``: the statement; ``over``: domains, one a name, later ones may use earlier names;
    ``where``: hypotheses; ``seconds``: the prover's time, > 0; ``let``: substitutions and ``steps``:
    lemmas that a proof may rest on once they are proved themselves. ``far``: conditions under each of which it
    has to be false as well, if it is to be refuted at all; set where a claim is bound to its clauses.
    """

    says: str
    over: tuple[str, ...] = ()
    where: tuple[str, ...] = ()
    seconds: float = SECONDS
    let: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    far: tuple[str, ...] = ()

    def __call__(self) -> None:
        raise TypeError("a typed statement is data; theorycheck.evidence.workbench.prove judges it")

    @property
    def __name__(self) -> str:
        return self.says

    def scope(self) -> str:
        """What it quantifies over, as typed."""
        condition = " and ".join(self.where)
        return "; ".join(self.over) + (f" where {condition}" if condition else "")


def typed(
    says: str,
    *,
    over: str | Sequence[str] = (),
    where: str | Sequence[str] = (),
    seconds: float = SECONDS,
    let: Mapping[str, str] | None = None,
    steps: str | Sequence[str] = (),
) -> TypedStatement:
    """A typed statement. Raises ClaimError where a part is no text, or the time is not positive."""
    parts = {"says": (says,), "over": _texts(over), "where": _texts(where)}
    parts |= {"let": _equations(let), "steps": _texts(steps)}
    for name, texts in parts.items():
        if not all(isinstance(t, str) and t.strip() for t in texts):
            raise ClaimError(f"formula: {name} is text as typed for `check`, got {texts!r:.80}")
    if _says_nothing(says):
        raise ClaimError(f"formula: one side of {says!r:.80} is the other side: it says nothing")
    if not isinstance(seconds, int | float) or isinstance(seconds, bool) or seconds <= 0:
        raise ClaimError(f"formula: seconds is a positive number, got {seconds!r}")
    return TypedStatement(
        says, parts["over"], parts["where"], float(seconds), parts["let"], parts["steps"]
    )


def _says_nothing(says: str) -> bool:
    """Whether a comparison that holds of equal things has the same text on both sides."""
    try:
        tree = ast.parse(says.strip(), mode="eval")
    except SyntaxError:  # the language of `check` has more than Python's
        return False
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            sides = [ast.dump(side) for side in (node.left, *node.comparators)]
            holds = [isinstance(op, ast.Eq | ast.LtE | ast.GtE) for op in node.ops]
            if any(h and a == b for h, (a, b) in zip(holds, pairwise(sides), strict=True)):
                return True
    return False


def formula(
    id: str,
    *,
    says: str,
    over: str | Sequence[str] = (),
    where: str | Sequence[str] = (),
    rivals: Mapping[str, str | Mapping[str, Any]] | None = None,
    seconds: float = SECONDS,
    let: Mapping[str, str] | None = None,
    steps: str | Sequence[str] = (),
    **parts: Any,
) -> Claim:
    """A claim between formulas, for the whole domain.

    ``says``, ``over``, ``where``: as the arguments of ``theorycheck check``, ``--for`` and
    ``--where``. ``rivals``: name -> a wrong statement over the same domain, or a mapping of those of
    ``says``, ``over``, ``where``, ``let``, ``steps`` that differ; each must be refuted. ``let`` maps a new
    name to an expression (``{"u": "sqrt(r)"}``) and ``steps`` are lemmas: both are proved first, and
    without that the claim does not hold. Further ``parts`` are those of
    `claim` (``title``, ``states``, ``role``, ``expect``, ``corrects``, ...).

    Raises ClaimError.
    """
    try:
        statement = typed(says, over=over, where=where, seconds=seconds, let=let, steps=steps)
        wrong = [
            rival_of(statement, name, change, "proof") for name, change in (rivals or {}).items()
        ]
    except ClaimError as error:
        raise ClaimError(f"claim {id}: {error}") from None
    return claim(id, says=says, legs=[formula_leg("proof", statement)], rivals=wrong, **parts)


def formula_leg(name: str, statement: TypedStatement, **options: Any) -> Leg:
    """A typed statement as a leg of a claim, beside simulations. ``options``: those of `leg`."""
    return leg(name, statement, arithmetic="proof", **options)


def rival_of(
    statement: TypedStatement, name: str, change: str | Mapping[str, Any], leg: str | None = None
) -> Variant:
    """A wrong variant of a typed statement. Raises ClaimError."""
    changes: Mapping[str, Any] = {"says": change} if isinstance(change, str) else change
    unknown = set(changes) - set(_PARTS)
    if unknown or not changes:
        raise ClaimError(f"rival {name!r}: give a statement, or some of {', '.join(_PARTS)}")
    changed = replace(
        statement,
        says=changes.get("says", statement.says),
        over=_texts(changes.get("over", statement.over)),
        where=_texts(changes.get("where", statement.where)),
        let=_equations(changes["let"]) if "let" in changes else statement.let,
        steps=_texts(changes.get("steps", statement.steps)),
    )
    if changed == statement:
        raise ClaimError(f"rival {name!r} is the claim itself")
    return Variant(name, {"simulation": changed}, leg)


def rivals_of(leg: Leg, changes: Mapping[str, str | Mapping[str, Any]]) -> list[Variant]:
    """Wrong variants of a formula leg, each to be refuted: name -> a wrong statement over the same domain, or
    a mapping of those parts that differ, as `formula` takes them. Raises ClaimError."""
    if not isinstance(leg.simulation, TypedStatement):
        raise ClaimError(f"leg {leg.name!r}: rivals_of is for formula legs; write variant(...)")
    return [rival_of(leg.simulation, name, change, leg.name) for name, change in changes.items()]


def nowhere(*parts: str) -> dict[str, str]:
    """For each part of a range (a predicate on the names of a typed statement) the wrong statement that the range has
    no point of it, as `formula` and `rivals_of` take them: it falls where the range has one. Where somebody narrows
    the range, or drops its end, it stands, and the claim no longer passes."""
    return {f"nowhere {part}": f"not ({part})" for part in parts}


def reaching(leg: Leg, *parts: str) -> list[Variant]:
    """`nowhere` as rivals of a formula leg, named by it: a claim of several legs asks the same of each. Raises
    ClaimError."""
    return rivals_of(leg, {f"{leg.name}: {name}": says for name, says in nowhere(*parts).items()})


def sharpened(*legs: Leg, by: str = "1/100", times: str = "") -> list[Variant]:
    """For each formula leg that ends in a bound, the rival that says more in the leg's own words: the right side of
    its last comparison less ``by``, or more where it bounds from below; with ``times`` that multiple of it instead.

    It falls where the bound is reached or approached. Where somebody loosens the leg (a larger constant, a range that
    lost its end) it stands, and the claim no longer passes: a rival that is typed apart falls whatever becomes of the
    leg. Raises ClaimError.
    """
    for one in legs:
        if _signs(one)[-1:] not in (["<"], ["<="], [">"], [">="]):
            raise ClaimError(
                f"leg {one.name!r}: sharpened is for formula legs that end in a bound; see exactly"
            )
    if times:
        return [_multiple(one, times) for one in legs]
    return [_moved(one, "-" if _signs(one)[-1][0] == "<" else "+", by) for one in legs]


def exactly(*legs: Leg, by: str = "1/100") -> list[Variant]:
    """For each formula leg of equalities alone, the rival with another right side in its last one. A leg that becomes
    "at most" or "at least" is refused. Raises ClaimError."""
    for one in legs:
        if set(_signs(one)) != {"=="}:
            raise ClaimError(
                f"leg {one.name!r}: exactly is for formula legs of equalities; see sharpened"
            )
    return [_moved(one, "+", by) for one in legs]


_COMPARISON = re.compile(r"[<>]=?|[!=]=")


def _signs(leg: Leg) -> list[str]:
    """The comparisons of a typed statement that stand in no brackets."""
    says = leg.simulation.says if isinstance(leg.simulation, TypedStatement) else ""
    return [m.group() for m in _COMPARISON.finditer(says) if _outside(says[: m.start()])]


def _moved(leg: Leg, sign: str, by: str) -> Variant:
    changed = f"{leg.simulation.says} {sign} ({by})"  # type: ignore[attr-defined]  # a typed statement: it has signs
    (rival,) = rivals_of(leg, {f"{leg.name}, by {by} {'less' if sign == '-' else 'more'}": changed})
    return rival


def _multiple(leg: Leg, factor: str) -> Variant:
    says = leg.simulation.says  # type: ignore[attr-defined]  # a typed statement: it has signs
    end = [m.end() for m in _COMPARISON.finditer(says) if _outside(says[: m.start()])][-1]
    changed = f"{says[:end]} ({says[end:].strip()})*({factor})"
    (rival,) = rivals_of(leg, {f"{leg.name}, times {factor}": changed})
    return rival


def _outside(before: str) -> bool:
    """Whether what comes after is in no brackets."""
    return all(before.count(a) == before.count(b) for a, b in ("()", "[]"))


def _texts(value: str | Sequence[str]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


def _equations(let: Mapping[str, str] | None) -> tuple[str, ...]:
    if not isinstance(let, Mapping | None):
        raise ClaimError(f"formula: let maps a new name to an expression, got {let!r:.80}")
    return tuple(f"{name} = {expression}" for name, expression in (let or {}).items())
