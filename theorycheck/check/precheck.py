"""What can be said of typed input before SymPy is loaded: that it is read, and whether every name has a
domain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from theorycheck.check.building import check_statement
from theorycheck.check.given import scanned_given
from theorycheck.check.laws import law_names, laws_apart
from theorycheck.check.reading.constants import Constants, with_constants
from theorycheck.check.reading.domains import ReadDomains, for_every_index, named, read_domains
from theorycheck.check.reading.names import Names
from theorycheck.check.refusal import InputError
from theorycheck.check.typed import quantified, understand


def precheck(
    statement: str,
    domains: Sequence[str],
    where: Sequence[str],
    laws: Sequence[str],
    let: Sequence[str] = (),
    steps: Sequence[str] = (),
) -> None:
    """What can be refused before SymPy is loaded.

    Raises:
        InputError: one line, pointing at the place.
    """
    domains, laws = laws_apart(domains, laws)
    some = with_constants(statement)
    phrases, body = quantified(some.rest)
    beside = given_beside(some, domains)
    declared = read_domains([*some.phrases, *beside, *open_phrases(phrases, domains)])
    random = law_names(laws)
    families = frozenset(f.name for f in declared.families)
    names = Names(frozenset(declared.names), frozenset(random), declared.arrays, families)
    known = [*declared.names, *random]
    goal = understand(body, names, "statement").scanned
    check_statement(goal, [*known, *_given_names(declared)])
    for text in where:
        every = for_every_index(text, known) if families else None
        more = [every.index] if every else []
        inside = replace(names, declared=names.declared.union(more))
        stated = every.statement if every else text
        scanned = understand(stated, inside, "--where").scanned
        check_statement(scanned, [*known, *more, *_given_names(declared)])
    scanned_given(let, steps, names)


def _given_names(declared: ReadDomains) -> list[str]:
    """The names that the reading gave to traces of matrices and to indices of largest entries."""
    return [*declared.traces.found.values(), *(p.name for p in declared.peaks.found.values())]


def open_phrases(phrases: Sequence[str], domains: Sequence[str]) -> list[str]:
    """The statement's own domains, of names that ``--for`` leaves open."""
    known = set(declared_names(domains))
    return [p for p in phrases if not known & set(declared_names([p]))]


def given_beside(some: Constants, domains: Sequence[str]) -> Sequence[str]:
    """The domains of ``--for``, of which there are none beside a *there is*: they stand before it, so that the
    constant might depend on them.

    Raises:
        InputError: where there are.
    """
    if some.phrases and declared_names(domains):
        names = ", ".join(declared_names(domains))
        raise InputError(
            f"statement: with --for a constant might depend on {names}; "
            "write there is C: for all n >= 1: ..., with all names after the constant"
        )
    return domains


def declared_names(domains: Sequence[str]) -> list[str]:
    """All names that the texts declare, arrays among them, without building anything."""
    return list(named(domains))


__all__ = ["declared_names", "given_beside", "open_phrases", "precheck"]
