"""Whether a counterexample lies among what a clause speaks of.

A claim may be typed for more than its clause says: where it is expected to fail, a point outside of the clause's
ranges refutes nothing of it. The words of a range are read where they are plain: intervals, integers and sides, whose
ends are numbers or expressions in names of the clause, ``(3/sqrt(r), 1/2)``, ``r >= 37``, ``1 <= s < r``. What cannot
be read leaves its range unread, and excludes no point.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

from theorycheck.claims.clauses import Clause
from theorycheck.claims.covering import legs_for, payers
from theorycheck.claims.legs import Leg
from theorycheck.claims.model import Claim

_NAME = r"[A-Za-z]\w*"
_REMARK = re.compile(r"\s+(?:\(.*\)|as printed)$")
_SAYS_NOTHING = re.compile(r"open at both ends|no upper limit")
_NOUN = re.compile(r"(?P<noun>positive integers?|positive reals?|positive|integers?|reals?) ?")
_INTERVAL = re.compile(
    rf"(?:(?P<name>{_NAME}) in )?(?P<left>[\[(])(?P<low>[^,]+), ?(?P<high>[^,]+)(?P<right>[\])])"
)
_SPAN = re.compile(r"(?P<low>[^.]+)\.\. ?(?P<high>[^.]+)")
_SIGN = re.compile(r"\s*(<=|>=|<|>)\s*")
_READ = re.compile(r"(?!.*(?:->|\.\.))[\w\s+\-*/^().<>=]+")
"""What is made of names, numbers and signs alone."""
_FUNCTIONS = frozenset({"sqrt", "exp", "log"})
_ENDLESS = frozenset({"infinity", "-infinity", "oo", "-oo"})

Values = Mapping[str, Fraction]


def outside(claim: Claim, leg: Leg, point: Mapping[str, Any]) -> str:
    """What a clause says that a point of a leg leaves, as ``gamma = 1/3, where s/c has gamma > 3/sqrt(r)``; empty where
    the point lies among what some clause of the leg speaks of, as far as its ranges can be read."""
    found = ""
    for clause in claim.clauses:
        if leg in legs_for(claim, clause):
            left = _left(claim, clause, exact_values(point))
            if not left:
                return ""
            found = found or left
    return found


def exact_values(point: Mapping[str, Any]) -> dict[str, Fraction]:
    """The names that have an exact rational value, a witness's ``"1/3"`` among them."""
    found = {}
    for name, value in point.items():
        try:
            if isinstance(value, int | Fraction | str):
                found[name] = Fraction(value)
        except ValueError:
            continue
    return found


def _left(claim: Claim, clause: Clause, values: Values) -> str:
    """A condition of the clause's for-alls that is false there. Only of names that are the claim's own under the same
    name: what it reads off others is not said by the clause."""
    own = {
        p.quantifier.name
        for p in payers(claim, clause)
        if p.how in ("typed", "parameter", "field") and p.names == (p.quantifier.name,)
    }
    known = {n: v for n, v in values.items() if n in own}
    for q in clause.prefix:
        if q.kind != "forall" or q.name not in known:
            continue
        for condition in conditions(q.range, q.name, clause.names):
            names = _names(condition)
            if names <= set(known) and _is_false(condition, known):
                at = ", ".join(f"{n} = {known[n]}" for n in sorted(names))
                return f"{at}, where {clause.key} has {condition}"
    return ""


@lru_cache(maxsize=512)
def conditions(text: str, name: str, among: tuple[str, ...]) -> tuple[str, ...]:
    """What the words of a name's range say, as comparisons of names of the clause; empty where a part of them is not
    read, as it may widen what the others say."""
    found: list[str] = []
    for part in _parts(text):
        whole = part.strip()
        if _SAYS_NOTHING.fullmatch(whole):
            continue
        tried = (_read(without, name) for without in (whole, _REMARK.sub("", whole)))
        read = next((r for r in tried if r and _are_plain(r, among)), None)
        if read is None:
            return ()
        found += read
    return tuple(found)


def _are_plain(read: Iterable[str], among: Iterable[str]) -> bool:
    return all(_READ.fullmatch(c) and _names(c) <= set(among) for c in read)


def _parts(text: str) -> Iterable[str]:
    """The text at its commas and semicolons that stand in no brackets."""
    depth, start = 0, 0
    for i, sign in enumerate(text):
        depth += (sign in "([{") - (sign in ")]}")
        if sign in ",;" and depth == 0:
            yield text[start:i]
            start = i + 1
    yield text[start:]


def _read(text: str, name: str) -> list[str]:
    """``gamma > 3/sqrt(r)`` and ``gamma < 1/2`` of ``gamma in (3/sqrt(r), 1/2)``, or of the interval alone."""
    interval = _INTERVAL.fullmatch(text)
    if interval is not None:
        of = interval["name"] or name
        ends = [
            (">" if interval["left"] == "(" else ">=", interval["low"]),
            ("<" if interval["right"] == ")" else "<=", interval["high"]),
        ]
        return [f"{of} {s} {_plain(e)}" for s, e in ends if e.strip() not in _ENDLESS]
    span = _SPAN.fullmatch(text)
    if span is not None:
        return [f"{name} >= {_plain(span['low'])}", f"{name} <= {_plain(span['high'])}"]
    noun = _NOUN.match(text)
    rest = text if noun is None else text[noun.end() :]
    if noun is not None and not rest:
        return [f"{name} > 0"] if noun["noun"].startswith("positive") else []
    pieces = _SIGN.split(rest)
    if len(pieces) < 3 or "->" in rest:
        return []
    sides, signs = pieces[::2], pieces[1::2]
    sides[0] = sides[0] or name
    if not all(sides):
        return []
    rows = zip(sides, signs, sides[1:], strict=False)
    return [f"{_plain(a)} {sign} {_plain(b)}" for a, sign, b in rows]


def _plain(text: str) -> str:
    """``3/sqrt(r)`` of ``3/sqrt r``, powers as they are typed."""
    return re.sub(rf"\bsqrt ({_NAME}|\d+)", r"sqrt(\1)", text.strip()).replace("^", "**")


def _names(condition: str) -> set[str]:
    return set(re.findall(_NAME, condition)) - _FUNCTIONS


def _is_false(condition: str, values: Values) -> bool:
    """Whether a comparison is false at exact values; not where it cannot be read or decided."""
    import sympy  # not at the top: only what fails needs it

    from theorycheck.check.formula import Comparison
    from theorycheck.check.problem import read_problem
    from theorycheck.check.text import InputError

    try:
        goal = read_problem(condition, [f"{n} in R" for n in sorted(_names(condition))]).goal
    except InputError:
        return False
    if not isinstance(goal, Comparison):
        return False
    made = {"<": sympy.Lt, "<=": sympy.Le, ">": sympy.Gt, ">=": sympy.Ge}
    sides = [
        side.xreplace({s: sympy.Rational(values[str(s)]) for s in side.free_symbols})
        for side in (goal.lhs, goal.rhs)
    ]
    return goal.op in made and bool(made[goal.op](*sides) == sympy.false)
