"""Whether a claim can be a verdict about the clauses that it covers: every quantified name has a payer.

A name is a parameter of the domain, a field of an instance, or is named by a leg (`theorycheck.claims.pays`);
``left`` says by name what nothing pays for. What is chosen may depend only on what stands before it. A claim
that is expected to fail owes the negated prefix: where a clause says "there is", its refutation is "for all".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from theorycheck.claims.clauses import FALSE, FALSE_HERE, Clause, Quantifier
from theorycheck.claims.formula import TypedStatement
from theorycheck.claims.functions import RESERVED, ClaimError, name_of, named_arguments
from theorycheck.claims.legs import Leg
from theorycheck.claims.model import Claim
from theorycheck.claims.ranges import (
    left_out_of_all,
    range_domain,
    readable_domains,
    without_index,
)
from theorycheck.claims.reach import check_reach, far_ends

_FUNCTIONS = re.compile(r"\b(functions?|convex|concave)\b")
"""Words of a range that is a class of functions."""
_NUMBERS = frozenset({"integers", "primes", "reals"})
PAYERS = ("left", "over", "gives", "inside", "draws", "typed", "parameter", "field")


@dataclass(frozen=True)
class Payer:
    """What pays for one quantifier: how (one of PAYERS), by which of the claim's names, in which legs."""

    quantifier: Quantifier
    how: str
    names: tuple[str, ...]
    legs: tuple[Leg, ...]


def bind(claim: Claim, known: Mapping[str, Mapping[str, Clause]]) -> Claim:
    """The claim with its clauses out of the register, checked. ``known``: by statement, by clause id.

    Raises ClaimError for a clause that no statement has, a name that nothing pays for, a wrong order.
    """
    found = tuple(_clause(claim, id, known) for id in claim.covers)
    bound = replace(claim, clauses=found, encodes=_encodes(claim, found, known))
    for leg in claim.legs:
        for id in leg.pays.covers:
            if id not in {*claim.covers, *(c.id for c in found)}:
                raise _bad(claim, f"leg {leg.name!r} covers {id!r}, which the claim does not")
        if leg.pays.gives and leg.side == "certificate":
            given = ", ".join(leg.pays.gives)
            raise _bad(
                claim,
                f"leg {leg.name!r}: a certificate constructs nothing; give {given} by the leg that does",
            )
    for clause in found:
        list(payers(bound, clause))
        _check_order(bound, clause)
        _check_equality(bound, clause)
        _check_functions(bound, clause)
        _check_status(bound, clause)
        if claim.expect == "fail":
            _check_negated(bound, clause)
    _check_used(bound)
    check_reach(bound)
    return _asked_far_out(bound) if claim.expect == "fail" else bound


def _asked_far_out(claim: Claim) -> Claim:
    """The claim with what its typed statements are to be false at: the far ends of what a clause chooses, leaves
    large or leaves unstated, since one value that fails leaves another. Raises ClaimError where there is none."""
    asked: dict[str, dict[str, None]] = {}
    for clause in claim.clauses:
        for payer in payers(claim, clause):
            if payer.how == "typed" and payer.quantifier.kind in ("exists", "const", "eventually"):
                for lg in payer.legs:
                    ends = _far_out(claim, clause, payer, lg)
                    asked.setdefault(lg.name, {}).update(dict.fromkeys(ends))
    legs = tuple(
        replace(lg, simulation=replace(lg.simulation, far=tuple(asked[lg.name])))
        if asked.get(lg.name) and isinstance(lg.simulation, TypedStatement)
        else lg
        for lg in claim.legs
    )
    return replace(claim, legs=legs)


def _far_out(claim: Claim, clause: Clause, payer: Payer, lg: Leg) -> list[str]:
    statement, q = lg.simulation, payer.quantifier
    assert isinstance(statement, TypedStatement)
    ends = {n: far_ends(statement, n) for n in payer.names}
    bare = next((n for n in payer.names if not ends[n]), None)
    whole = range_domain(q.range) is not None and not left_out_of_all(
        readable_domains([lg], payer.names[0]), q.range
    )
    if bare is not None and not (whole and payer.names == (q.name,)):
        raise _bad(
            claim,
            f"is expected to fail, and leg {lg.name!r} types {bare} between two ends, where {clause.key} says "
            f"`{q.text()}`: a value that fails leaves another; let {bare} run to infinity, or down to 0, over all "
            "that the clause chooses from",
        )
    return [end for n in payer.names for end in ends[n]]


def _encodes(
    claim: Claim, found: tuple[Clause, ...], known: Mapping[str, Mapping[str, Clause]]
) -> str:
    """``whole`` where every clause of its statements is covered; what else the author says is kept."""
    if claim.encodes not in ("whole", "part"):
        return claim.encodes
    every = {c.key for s in claim.states for c in known.get(s, {}).values()}
    return "whole" if every <= {c.key for c in found} else "part"


def legs_for(claim: Claim, clause: Clause) -> tuple[Leg, ...]:
    """The legs that speak of a clause: those that name it, and those that name none."""
    return tuple(
        lg
        for lg in claim.legs
        if not lg.pays.covers or {clause.id, clause.key} & set(lg.pays.covers)
    )


def payers(claim: Claim, clause: Clause) -> Iterator[Payer]:
    """Who pays for each quantifier of a clause, in order. Raises ClaimError where nothing does."""
    legs = legs_for(claim, clause)
    if not legs:
        raise _bad(claim, f"no leg covers {clause.key}")
    for q in clause.prefix:
        yield _payer(claim, clause, q, legs)


def _payer(claim: Claim, clause: Clause, q: Quantifier, legs: tuple[Leg, ...]) -> Payer:
    parts = claim.reads.get(q.name, (q.name,))
    typed = tuple(lg for lg in legs if set(parts) <= set(_typed_names(lg)))
    for how in ("over", "gives", "inside", "draws"):
        naming = tuple(lg for lg in legs if q.name in getattr(lg.pays, how))
        # One step of a proof has the name, another holds whatever it is: the first says how far.
        if typed and how == "over" and all(lg.arithmetic.proves for lg in naming):
            continue
        if naming:
            return Payer(q, how, (q.name,), naming)
    if q.name in claim.left:
        return Payer(q, "left", (), ())
    if typed:
        return Payer(q, "typed", parts, typed)
    if set(parts) <= set(claim.domain):
        return Payer(q, "parameter", parts, legs)
    fields = tuple(lg for lg in legs if set(parts) <= {*claim.domain, *_fields(lg)})
    if fields:
        return Payer(q, "field", parts, fields)
    raise _bad(
        claim,
        f"nothing pays for {q.name} of {clause.key} ({q.text()}): make it a parameter or a field, say "
        f'reads={{"{q.name}": "..."}}, name it on a leg (over, gives, inside, draws), or '
        f'left={{"{q.name}": "why"}}',
    )


def refutes(claim: Claim, clause: Clause) -> bool:
    """Whether a failing point refutes the clause: its choices and chances are paid for in the negated
    prefix as well, so that no other witness can save it."""
    return not _unpaid_negation(claim, clause)


@dataclass(frozen=True)
class Spared:
    """Why a failing point does not refute: another choice, draw or size may do (VERDICTS 13, polarity).
    ``how``: what pays for the quantifier (one of PAYERS)."""

    quantifier: Quantifier
    clause: Clause
    how: str = "parameter"

    @property
    def among_parameters(self) -> bool:
        """Whether a point gives the name a value, so that another point may do."""
        return self.how == "parameter"

    @property
    def reason(self) -> str:
        q = self.quantifier
        if self.how == "left":
            return f"it fails, and {q.name} is left open: the clause is not refuted by it"
        return {
            "exists": f"the witness failed, another {q.name} may do",
            "prob": f"a bad draw of {q.name} refutes nothing that is said with probability",
            "eventually": f"a small {q.name} refutes nothing that is said of large ones",
            "const": f"it fails at this {q.name}, another constant may do",
        }[q.kind]

    @property
    def would_decide(self) -> str:
        q = self.quantifier
        return {
            "exists": f"a better {q.name}, or its failure for every {q.name}: a bound, a proof or all "
            "of them (over, inside)",
            "prob": f"samples of {q.name} (draws), whose share of failures is compared with the level",
            "eventually": f"a law over larger {q.name}, or a proof for all of them",
            "const": f"a larger {q.name}, or a proof that there is none",
        }[q.kind]


def spared(claim: Claim, leg: Leg) -> Spared | None:
    """What keeps a failing point of a leg from refuting the claim: each clause that the leg speaks of has a
    choice, a chance or a size inside that its negation would have to pay for. None where it refutes.

    An optimum brings its own quantifiers: a feasible point that is better, or a bound that is worse,
    refutes it whatever else is chosen.
    """
    own = {"exists"} if claim.relation_of(leg).attains else set[str]()
    first: Spared | None = None
    for clause in claim.clauses:
        if leg in legs_for(claim, clause):
            owed = [p for p in _unpaid(claim, clause) if p.quantifier.kind not in own]
            if not owed:
                return None
            first = first or Spared(owed[0].quantifier, clause, owed[0].how)
    return first


def _unpaid_negation(claim: Claim, clause: Clause) -> list[Quantifier]:
    return [p.quantifier for p in _unpaid(claim, clause)]


def _unpaid(claim: Claim, clause: Clause) -> list[Payer]:
    """Payers that pay for their quantifier, and not for the negated one."""
    owed = []
    for payer in payers(claim, clause):
        q = payer.quantifier
        enough = {
            "forall": True,
            "exists": payer.how in ("over", "inside", "typed"),
            "prob": payer.how in ("draws", "inside", "over", "typed"),
            # What is given is false at this constant: the clause is where its register says no more than that.
            "const": payer.how in ("over", "typed")
            or (payer.how == "gives" and clause.status == FALSE_HERE),
            "eventually": payer.how in ("over", "typed"),
        }[q.kind]
        if not enough:
            owed.append(payer)
    return owed


def _check_status(claim: Claim, clause: Clause) -> None:
    """What is false as printed is not passed as printed, unless of a part that the claim says it is."""
    printed = claim.role == "as_printed" and claim.encodes in ("whole", "part")
    if printed and claim.expect == "pass" and clause.status == FALSE:
        raise _bad(
            claim,
            f"is expected to pass as printed, and {clause.key} is {FALSE}: expect it to fail, or say "
            'role="corrected" and what it corrects',
        )


def _check_negated(claim: Claim, clause: Clause) -> None:
    owed = _unpaid_negation(claim, clause)
    if owed:
        q = owed[0]
        raise _bad(
            claim,
            f"is expected to fail, and {clause.key} says `{q.text()}`: a failing point refutes it only "
            f"where {q.name} is paid for in the negated prefix (over, inside, draws)",
        )


def _check_equality(claim: Claim, clause: Clause) -> None:
    """An equality is more than a bound from one side: one of its legs says equal, or two bound both sides."""
    legs = legs_for(claim, clause)
    relations = [claim.relation_of(lg) for lg in legs]
    proved = any(lg.arithmetic.proves for lg in legs)
    from_one_side = all(r.one_sided for r in relations) and len({r.sign for r in relations}) == 1
    if clause.kind == "equality" and claim.expect == "pass" and from_one_side and not proved:
        raise _bad(
            claim,
            f"{clause.key} is an equality, and {relations[0].name} bounds it from one side only: say "
            "equals(), add a leg for the other side, or give the clause another kind",
        )


def _check_functions(claim: Claim, clause: Clause) -> None:
    """Numbers tell the members of one family apart, which is not a class of functions."""
    if claim.encodes not in ("whole", "part") or claim.expect != "pass":
        return
    for payer in payers(claim, clause):
        q = payer.quantifier
        family = payer.how == "parameter" and all(
            claim.domain[n].kind in _NUMBERS for n in payer.names
        )
        if family and q.kind == "forall" and _FUNCTIONS.search(q.range):
            raise _bad(
                claim,
                f"{clause.key} says `{q.text()}`, and {q.name} is read off {', '.join(payer.names)}: functions "
                'that numbers tell apart are one family of them; say encodes="special-case" (or "proxy")',
            )


def _check_order(claim: Claim, clause: Clause) -> None:
    """A choice may use what stands before it, and nothing else of the clause, by its own name or by those that
    the claim reads it off."""
    owner = {part: q for q in clause.names for part in (q, *claim.reads.get(q, ()))}
    every = list(payers(claim, clause))
    for payer in every:
        q = payer.quantifier
        if payer.how == "over":
            for lg in payer.legs:
                _check_over(claim, q.name, lg)
        if payer.how == "gives":
            for lg in payer.legs:
                chooser = lg.pays.chosen_by or lg.simulation
                asked = {
                    owner.get(a, a)
                    for a in named_arguments(chooser)
                    # What is said to depend on these names only depends on no size of the claim's either.
                    if a not in RESERVED and (a in owner or q.depends is not None)
                }
                late = sorted(asked - set(clause.before(q.name)) - set(lg.pays.gives))
                if late:
                    raise _bad(
                        claim,
                        f"leg {lg.name!r}: {q.name} of {clause.key} is chosen by {name_of(chooser)!r}, "
                        f"which takes {', '.join(late)}; {q.text()} may depend on "
                        f"{', '.join(clause.before(q.name)) or 'nothing'} only"
                        + (
                            "" if lg.pays.chosen_by else "; say chosen_by=... if it does not use it"
                        ),
                    )
        if payer.how == "inside" and q.kind in ("exists", "const") and claim.expect != "fail":
            _check_inside(claim, clause, payer, owner)
        if payer.how == "field" and q.kind in ("exists", "const"):
            _check_drawn(claim, clause, payer, every)


def _check_inside(claim: Claim, clause: Clause, payer: Payer, owner: Mapping[str, str]) -> None:
    """A search inside a program may use all that the program takes: "for all f some A" would stand for "some
    A for all f"."""
    q = payer.quantifier
    for lg in payer.legs:
        asked = {owner[a] for a in lg.inputs() if a in owner}
        late = sorted(asked - set(clause.before(q.name)) - {q.name})
        if late:
            raise _bad(
                claim,
                f"leg {lg.name!r} looks for {q.name} of {clause.key} inside a program that takes "
                f"{', '.join(late)}; {q.text()} may depend on "
                f"{', '.join(clause.before(q.name)) or 'nothing'} only: give it by a leg "
                "(gives=..., chosen_by=...), or go through the others inside too",
            )


def _check_drawn(claim: Claim, clause: Clause, payer: Payer, every: Sequence[Payer]) -> None:
    """What is chosen and what it must not depend on, drawn together."""
    q = payer.quantifier
    place = clause.names.index(q.name)
    later = [p for p in every if clause.names.index(p.quantifier.name) > place]
    with_it = [
        p.quantifier.name for p in later if p.how == "field" and p.quantifier.kind == "forall"
    ]
    if with_it:
        raise _bad(
            claim,
            f"{q.name} of {clause.key} is drawn in one instance with {', '.join(with_it)}, "
            "which stands after it and could have been used: give it by a leg "
            "(gives=..., chosen_by=...)",
        )


def _check_over(claim: Claim, name: str, leg: Leg) -> None:
    if not leg.arithmetic.proves and leg.side != "certificate":
        raise _bad(
            claim,
            f"leg {leg.name!r}: over={name!r} needs a certificate or a proof; this leg is neither",
        )
    taken = set(claim.reads.get(name, (name,))) & set(leg.inputs())
    if taken and not isinstance(leg.simulation, TypedStatement):
        raise _bad(
            claim,
            f"leg {leg.name!r}: a bound over all {name} takes {', '.join(sorted(taken))}: "
            "then it speaks of that one only",
        )


def _check_used(claim: Claim) -> None:
    """Names that no covered clause has: a slip of the pen that would pay for nothing."""
    known = {n for c in claim.clauses for n in c.names}
    named = {*claim.left, *claim.reads}.union(*(lg.pays.named for lg in claim.legs))
    strangers = sorted(named - known)
    if strangers and claim.covers:
        raise _bad(
            claim,
            f"{', '.join(strangers)}: no covered clause quantifies it; the names are "
            f"{', '.join(sorted(known)) or 'none'}",
        )
    if named and not claim.covers:
        raise _bad(claim, "covers no clause, and says what pays for names; add covers=[...]")
    for name in claim.left:
        if any(name in lg.pays.named for lg in claim.legs):
            raise _bad(claim, f"{name} is left open and paid for by a leg; drop one of them")


def _clause(claim: Claim, id: str, known: Mapping[str, Mapping[str, Clause]]) -> Clause:
    statement, slash, short = id.rpartition("/")
    if slash:
        found = [known.get(statement, {}).get(short)]
    else:
        found = [known.get(s, {}).get(id) for s in claim.states]
    matching = [c for c in found if c is not None]
    if len(matching) == 1:
        return matching[0]
    if matching:
        raise _bad(
            claim, f"covers {id!r}, which several of its statements have; write statement/{id}"
        )
    listed = [c for s in claim.states for c in known.get(s, {})]
    raise _bad(
        claim, f"covers {id!r}, which is no clause of its statements; these are {', '.join(listed)}"
    )


def _typed_names(leg: Leg) -> tuple[str, ...]:
    """The names that a typed statement quantifies: the first word of each domain."""
    if not isinstance(leg.simulation, TypedStatement):
        return ()
    declared = (without_index(text) for over in leg.simulation.over for text in over.split(";"))
    heads = (text.split(" in ")[0] for text in declared)
    return tuple(
        n.strip() for head in heads for n in head.replace("<", ",").replace(">", ",").split(",")
    )


def _fields(leg: Leg) -> tuple[str, ...]:
    return leg.instances.fields if leg.instances is not None else ()


def _bad(claim: Claim, message: str) -> ClaimError:
    return ClaimError(f"claim {claim.id}: {message}")
