"""The registers of the bundled library: complete, consistent, and fit to be printed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from theorycheck.library.loading import bundled, load_all
from theorycheck.sources.coverage import coverage, theory_graph
from theorycheck.sources.register import FALSE_GRADES, Register, load_registers
from theorycheck.sources.standing import statuses as statuses_of

LIBRARY = Path(__file__).resolve().parents[2] / "claims"
CLAIMS = load_all([bundled()])
REGISTERS = load_registers(p for p in LIBRARY.iterdir() if p.is_dir())
NAMES = [r.source.name for r in REGISTERS]

# Statements per source, counted in the sources; a register that loses one must not pass unseen.
SIZES = {
    "contrastive_tradeoff": 15,
    "feature_contamination": 49,
    "feature_decoupling": 54,
    "fourier_circuits": 31,
    "gemfilter": 13,
    "gradient_features": 70,
    "in_context_learning": 26,
    "label_granularity": 49,
    "looped_transformers": 16,
    "nuclear_norm": 18,
    "structured_data": 68,
}

each = pytest.mark.parametrize("register", REGISTERS, ids=NAMES)


def test_every_source_is_there_in_full() -> None:
    assert {r.source.name: len(r.statements) for r in REGISTERS} == SIZES


@each
def test_texts_are_fit_to_print(register: Register) -> None:
    for s in register.statements:
        for text in (s.title, s.one_line, s.note, s.out_of_reach or "", *s.labels):
            assert not re.search(r"(^|\s)/\w+/|\b[ls]\d{2,}\b|\.txt\b|\*\*|\bl\.\d", text), (
                s.id,
                text,
            )
            assert text.isprintable(), s.id
        assert s.one_line.rstrip().endswith("."), s.id
        assert len(s.one_line) <= 400, s.id
        assert len(s.note) <= 900, s.id


@each
def test_main_statements_come_first(register: Register) -> None:
    assert register.statements[0].role == "main"


@each
def test_only_derived_statements_may_lack_a_label(register: Register) -> None:
    unlabelled = {s.id for s in register.statements if not s.labels and s.role != "derived"}
    assert not unlabelled


@each
def test_notes_are_there_where_something_is_wrong_and_say_more_than_the_grade(
    register: Register,
) -> None:
    for s in register.statements:
        if s.grade is not None:
            assert len(s.note.split()) >= 6, s.id
            assert not s.note.lower().startswith(s.grade), s.id


@each
def test_statements_above_a_false_one_say_what_becomes_of_them(register: Register) -> None:
    """Nothing above a statement that is false as printed is left to be guessed."""
    known = register.by_id()
    silent = {
        (s.id, use)
        for s in register.statements
        for use in s.uses
        if known[use].grade in FALSE_GRADES and not s.survives and use not in s.uses_corrected
    }
    assert not silent


@each
def test_the_map_of_each_source_has_every_statement_and_edge(register: Register) -> None:
    graph = theory_graph(register, statuses_of([register], {}))
    assert {n.id for n in graph.nodes} == set(register.by_id())
    assert len(graph.edges) == sum(len(s.uses) for s in register.statements)


def test_an_unrun_library_verifies_nothing() -> None:
    total = coverage(REGISTERS, {}).total
    assert total.statements == sum(SIZES.values()) == total.open + total.out_of_reach


def test_claims_state_what_their_own_source_registers() -> None:
    registered = {r.source.name: r.by_id() for r in REGISTERS}
    strays = [
        (item.claim.id, id)
        for item in CLAIMS
        for id in item.claim.states
        if id not in registered[item.source]
    ]
    assert not strays


def test_expectations_agree_with_the_grades() -> None:
    """A printed statement expected to fail is graded; one graded false is not expected to pass."""
    grades = {s.id: s.grade for r in REGISTERS for s in r.statements}
    unlisted, contradicted = [], []
    for item in CLAIMS:
        c = item.claim
        stated = [grades.get(id) for id in c.states]
        if c.role in ("as_printed", "reading") and c.expect == "fail" and not any(stated):
            unlisted.append(c.id)
        if c.role == "as_printed" and c.encodes == "whole" and c.expect == "pass":
            contradicted += [c.id for grade in stated if grade in FALSE_GRADES]
    assert not unlisted
    assert not contradicted
