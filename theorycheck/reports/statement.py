"""A claim as the theorem reads: the full quantified statement, to be proofread by a person."""

from __future__ import annotations

import textwrap
from typing import Any

from theorycheck.claims.functions import name_of
from theorycheck.claims.legs import Leg
from theorycheck.claims.model import Claim
from theorycheck.evidence.environment import digest_of, engine_digest, environment
from theorycheck.evidence.store import Store, StoredKind
from theorycheck.library.hints import hints
from theorycheck.library.loading import Loaded
from theorycheck.library.selecting import register_of
from theorycheck.numbers.domain import Domain, to_text
from theorycheck.reports.clause_words import covered_lines, in_short, left_lines
from theorycheck.sources.plain import plain
from theorycheck.sources.register import Register, Statement, registers_digest

WIDTH = 96


def shown(item: Loaded, store: Store) -> str:
    """`full_statement` of a claim in its library, cached: a claim that has not changed is not loaded."""
    if item.made_from.never:  # what it was loaded from cannot be told
        return full_statement(item.claim, register_of(item))
    context = _context(item)
    found = store.made(context, StoredKind.STATEMENT)
    if found is not None:
        return str(found)
    text = full_statement(item.claim, register_of(item))
    store.keep_made(context, StoredKind.STATEMENT, text)
    return text


def _context(item: Loaded) -> bytes:
    """Digest of all that the statement of a claim depends on: the claim, the registers beside it, the engine
    and the libraries that print its formulas."""
    parts = [item.id, item.content, registers_digest(item.file.parent), engine_digest(())]
    parts += [f"{name} {value}" for name, value in environment("cpu").items()]
    return digest_of(*(p.encode() for p in parts), size=16)


def full_statement(claim: Claim, register: Register | None) -> str:
    """Everything that a claim asserts, and on what footing, as text of a page's width."""
    stated = statements_of(claim, register)
    lines = [f"{claim.id}: {plain(claim.title)}", ""]
    for s in stated:
        lines += _item("source", source_line(s, register))
        lines += _item("in short", in_short(s, register.lines_of(s.id) if register else ""))
        if s.grade:
            lines += _item("known", f"{s.grade}: {plain(s.note)}")
    lines += _item("role", f"{claim.role} (encodes: {claim.encodes})")
    if claim.corrects:
        lines += _item("corrects", claim.corrects)
    if claim.setting:
        lines += _item("setting", plain(claim.setting))
    lines += _item("says", plain(claim.says))
    others = [] if register is None else [c for s in stated for c in register.clauses_of(s.id)]
    for line in covered_lines(claim):
        lines += _item("" if line.startswith(" ") else "covers", line.strip())
    for line in left_lines(claim, others):
        lines += _item("leaves", line)
    lines += ["", *quantifiers(claim)]
    lines += ["", *(f"    {line}" for line in assertion(claim).splitlines()), ""]
    lines += [f"  evidence, leg {lg.name}: {leg_text(claim, lg)}" for lg in claim.legs]
    lines += [f"  hint, leg {name}: {text}" for name, text in hints(claim).items()]
    for rival in claim.rivals:
        changed = ", ".join(rival.changes) or "points"
        lines += _item("rival", f"{rival.name} (changes {changed}): must be refuted")
    for h in claim.assumes:
        lines += _item("assumes", h.name)
    lines += _item("expected", claim.expect)
    if claim.notes:
        lines += _item("notes", plain(claim.notes))
    return "\n".join(lines) + "\n"


def statements_of(claim: Claim, register: Register | None) -> list[Statement]:
    """Rows of the register that a claim encodes, in its own order; none without a register."""
    known = register.by_id() if register is not None else {}
    return [known[id] for id in claim.states if id in known]


def source_line(statement: Statement, register: Register | None) -> str:
    """The statement by label and title, with its source."""
    label = ", ".join(statement.labels) or "unnumbered"
    name = "" if register is None else f", {register.source.title}"
    return f"{label} ({plain(statement.title)}){name}"


def quantifiers(claim: Claim) -> list[str]:
    """``For all integers k >= 2, odd integers p >= 3`` and the condition that joins them."""
    if not claim.domain:
        return ["In the single case that the statement speaks of:"]
    parts = [f"{name}: {d.text()}" for name, d in claim.domain.items()]
    lines = ["For all", *(f"    {part}" for part in parts)]
    condition = condition_text(claim.where)
    if condition:
        lines.append(f"  with {condition}")
    return lines


def quantified(name: str, domain: Domain) -> str:
    """One parameter as a phrase: ``k: integer >= 2``."""
    return f"{name}: {domain.text()}"


def condition_text(where: Any) -> str:
    """The joint condition on the parameters in words; empty where there is none."""
    if where is None:
        return ""
    if isinstance(where, list | tuple):
        return " and ".join(filter(None, (condition_text(w) for w in where)))
    if callable(where) and not hasattr(where, "free_symbols"):  # a function, no SymPy condition
        doc = (getattr(where, "__doc__", None) or "").strip().split("\n")[0]
        return doc or f"{getattr(where, '__name__', 'a condition')} (a predicate)"
    return str(where)


def assertion(claim: Claim) -> str:
    """The relation between what is measured and the closed form; a line for each distinct one."""
    lines = [_one(claim, lg) for lg in claim.legs if not lg.arithmetic.proves]
    return "\n".join(dict.fromkeys(lines)) or plain(claim.says)


def _one(claim: Claim, lg: Leg) -> str:
    form = claim.form_of(lg)
    if lg.reference is not None:
        right = "what the reference computes"
    elif callable(form) and not hasattr(form, "free_symbols"):
        right = "what the closed form computes"
    else:
        right = str(form)
    return claim.relation_of(lg).text(measured_text(claim, lg), right)


def measured_text(claim: Claim, lg: Leg) -> str:
    """What a leg's value is, as text: the author's symbol, else *measured* (of a sampled leg a mean, a
    probability or a quantile of its draws)."""
    own = lg.closed_form is not None or (lg.reference is not None and claim.closed_form is not None)
    given = lg.lhs or ("" if own else claim.lhs)
    if given:
        return plain(f"${given}$")
    return "measured" if lg.statistic is None else f"measured {lg.statistic.kind}"


def leg_text(claim: Claim, lg: Leg) -> str:
    """How a line of evidence is obtained and what it is needed for."""
    parts = [lg.arithmetic.name, f"relation {claim.relation_of(lg).name}"]
    if lg.side != "value":
        parts.append(f"side {lg.side}")
    if lg.instances is not None:
        counts = ", ".join(f"{p} {n}" for p, n in lg.instances.count.items())
        parts.append(f"drawn instances of {', '.join(lg.instances.fields)} ({counts})")
        said = [name_of(condition) for condition in lg.instances.where]
        parts += [f"every draw held to: {', '.join(said)}"] if said else []
    if lg.observed:
        parts.append(f"with measured {', '.join(lg.observed)}")
    if not lg.required:
        parts.append("not required")
    if lg.model:
        parts.append(lg.model)
    return "; ".join(parts)


def point_text(point: Any) -> str:
    """``k=2, p=3``: a point for people."""
    return ", ".join(f"{k}={to_text(v)}" for k, v in point.items())


def _item(name: str, text: str) -> list[str]:
    wrapped = textwrap.wrap(text, WIDTH - 12) or [""]
    return [f"  {name:<10}{wrapped[0]}", *(" " * 12 + rest for rest in wrapped[1:])]
