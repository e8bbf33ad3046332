"""The entry of a claim that no run has judged at its present content."""

from __future__ import annotations

from theorycheck.entries.parts import MutantsEntry
from theorycheck.entries.report import Entry
from theorycheck.library.loading import Loaded


def bare_record(item: Loaded) -> Entry:
    """What is said of every claim, judged or not; the verdict is ``not run``."""
    return Entry(
        id=item.id,
        source=item.source,
        states=item.states,
        role=item.role,
        encodes=item.encodes,
        title=item.title,
        expected=item.expected,
        verdict="not run",
        content=item.content,
        seconds=0.0,
        legs=(),
        rivals=(),
        mutants=MutantsEntry(),
    )
