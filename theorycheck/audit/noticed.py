"""Which changes of a source were noticed when it was last audited to the end: what later evidence is held to.

Evidence that gets weaker (a sampler that no longer reaches a corner, points that were dropped, a range that a proof
no longer speaks of) refutes nothing: the claim stays true. What it loses is changes that it noticed before, and those
are seen by comparing. ``noticed.json`` keeps, for each source and claim, a short digest of every change that the claim
was the one to notice; a change is known by its file, function, kind, old and new text and its number among equal ones,
so that lines may move. A claim that is not looked at noticed what it did: its evidence is what it was.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

from theorycheck.audit.kept import read_kept, write_kept
from theorycheck.audit.run import Mutant
from theorycheck.audit.trial import TrialResult

NAME = "noticed.json"

DIGEST = 5
"""Bytes of a digest: among the 20,000 changes of a library two meet with probability 2e-4, and then one loss is
told too many or too few."""

_LASTS = (TrialResult.NOTICED, TrialResult.BROKEN)
"""What is noticed anew wherever it is tried; that a program ran away hangs on the machine."""

_SILENT = (TrialResult.NO_EFFECT, TrialResult.SLACK, TrialResult.BEYOND, TrialResult.SURVIVED)

Noticed = Mapping[str, Mapping[str, str]]
"""By source and claim: digests, in alphabetical order, with blanks between."""


def read_noticed(folder: Path) -> Noticed:
    """What is kept in a folder, nothing where there is no such file. Raises UserError."""
    return read_kept(folder / NAME, dict[str, str])


def keep_noticed(folder: Path, mutants: Sequence[Mutant]) -> None:
    """Put what was noticed in the sources of the mutants, which are all of theirs, in the place of what was kept.
    Raises UserError."""
    kept = {s: dict(files) for s, files in read_noticed(folder).items()}
    kept |= {m.source: {} for m in mutants}
    found: dict[tuple[str, str], list[str]] = {}
    for m, digest in _known(mutants):
        if m.finding.found in _LASTS:
            found.setdefault((m.source, m.finding.claim), []).append(digest)
    for (source, claim), digests in sorted(found.items()):
        kept[source][claim] = " ".join(sorted(digests))
    write_kept(folder / NAME, kept)


def lost(mutants: Sequence[Mutant], kept: Noticed, looked_at: Collection[str]) -> list[Mutant]:
    """Changes that one of the claims looked at (their ids) noticed when the source was last audited, and none of them
    does now: all that might have noticed was looked at, and no author says why that is right."""
    before = _by_digest(kept)
    return [
        m
        for m, digest in _known(mutants)
        if m.finding.found in _SILENT
        and not (m.finding.left or m.explained)
        and before.get((m.source, digest)) in looked_at
    ]


def unexplained(
    mutants: Sequence[Mutant], kept: Noticed, looked_at: Collection[str]
) -> list[Mutant]:
    """What survived of all that was looked at, without the author's word, and was not noticed by a claim that is not
    among those (their ids) when the source was last audited."""
    before = _by_digest(kept)
    return [
        m
        for m, digest in _known(mutants)
        if m.unexplained
        and not m.finding.left
        and before.get((m.source, digest)) in (None, *looked_at)
    ]


def _by_digest(kept: Noticed) -> dict[tuple[str, str], str]:
    """Which claim noticed a change, by source and digest."""
    return {
        (s, d): c
        for s, claims in kept.items()
        for c, found in claims.items()
        for d in found.split()
    }


def _known(mutants: Iterable[Mutant]) -> Iterable[tuple[Mutant, str]]:
    """Each mutant with what it is known by. Mutants are in the order of their lines."""
    seen = Counter[tuple[str, ...]]()
    for m in mutants:
        what = (m.source, m.file, m.function, m.kind, m.old, m.new)
        text = "\0".join([*what[1:], str(seen[what])])
        seen[what] += 1
        yield m, hashlib.blake2b(text.encode(), digest_size=DIGEST).hexdigest()
