"""Edited evidence through the store: a truth and a lie are judged, their rows are altered, exchanged, cut or put
under each other's keys, and both are judged again.

The truth and the lie are one claim with two models, as before and after an edit, so that the store holds
under one id what would turn each verdict into the other's. An edit is right where the second verdicts are
those of the first run: found and set aside, or ignored and made anew. Rows whose checksums an editor has
written anew are beyond what a checksum can show, and are not among them.
"""

from __future__ import annotations

import contextlib
import io
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from theorycheck.calibration.cases import CaseResult
from theorycheck.entries.report import Entry
from theorycheck.executors.local import here
from theorycheck.library.selecting import select
from theorycheck.plan.settings import Settings
from theorycheck.runs.run import run

_HEAD = """
from fractions import Fraction
import sympy as sp
from theorycheck import at_most, claim, integers, probability, variant
n = sp.symbols("n", integer=True, positive=True)
"""
_EXACT = """
@claim("edited", domain={{n: integers(1, 4)}}, grid={{"smoke": {{n: [1, 2, 3, 4]}}}}, closed_form=2 * n,
       rivals=[variant("4n", closed_form=4 * n)])
def edited(n):
    return {factor} * n
"""
_SAMPLED = """
@claim("edited", domain={{n: integers(1, 2)}}, grid={{"smoke": {{n: [1, 2]}}}}, closed_form=sp.Rational(1, 2) / n,
       statistic=probability(), mutate=False, rivals=[variant("all", closed_form=1 / n)])
def edited(rng, n, size):
    return rng.bernoulli(Fraction({factor}, 4) / n, (size,))
"""
CLAIMS: Mapping[str, str] = {"exact": _EXACT, "sampled": _SAMPLED}
RIGHT: Mapping[int, str] = {2: "pass", 3: "fail"}
"""The verdict on each factor: the formula has 2."""


@dataclass(frozen=True)
class Contexts:
    """Under what the store files the truth, the lie, and the truth and the lie of another seed."""

    truth: bytes
    lie: bytes
    other_truth: bytes
    other_lie: bytes


Edit = Callable[[sqlite3.Connection, Contexts], None]


def _exchange(db: sqlite3.Connection, table: str, one: bytes, two: bytes) -> None:
    """The rows of two contexts, each in the place of the other's."""
    spare = b"spare"
    for old, new in ((one, spare), (two, one), (spare, two)):
        db.execute(f"UPDATE {table} SET context = ? WHERE context = ?", (new, old))


def _older_content(db: sqlite3.Connection, at: Contexts) -> None:
    for table in ("evidence", "memo", "checkpoint"):
        _exchange(db, table, at.truth, at.lie)


def _memos(db: sqlite3.Connection, at: Contexts) -> None:
    _exchange(db, "memo", at.truth, at.lie)


def _another_seed(db: sqlite3.Connection, at: Contexts) -> None:
    _exchange(db, "evidence", at.truth, at.other_lie)
    _exchange(db, "evidence", at.lie, at.other_truth)


def _data(change: str) -> Edit:
    def edit(db: sqlite3.Connection, at: Contexts) -> None:
        db.execute(f"UPDATE evidence SET data = {change}")

    return edit


def _one_byte(db: sqlite3.Connection, at: Contexts) -> None:
    rows = db.execute("SELECT context, unit, data FROM evidence").fetchall()
    changed = [(d[:-1] + bytes([d[-1] ^ 1]), context, unit) for context, unit, d in rows]
    db.executemany("UPDATE evidence SET data = ? WHERE context = ? AND unit = ?", changed)


def _points(db: sqlite3.Connection, at: Contexts) -> None:
    """The rows of each context in one another's places."""
    for context in (at.truth, at.lie):
        rows = db.execute(
            "SELECT unit, data FROM evidence WHERE context = ? ORDER BY unit", (context,)
        )
        units, data = zip(*rows.fetchall(), strict=True)
        moved = zip(data[1:] + data[:1], units, strict=True)
        db.executemany(
            "UPDATE evidence SET data = ? WHERE context = ? AND unit = ?",
            [(d, context, u) for d, u in moved],
        )


def _payloads(keeping: int) -> Edit:
    """The lie's rows hold what the truth's hold, and the other way round, but for ``keeping`` first bytes."""

    def edit(db: sqlite3.Connection, at: Contexts) -> None:
        held = {
            (bytes(context), unit): bytes(data)
            for context, unit, data in db.execute("SELECT context, unit, data FROM evidence")
        }
        for mine, other in ((at.truth, at.lie), (at.lie, at.truth)):
            changed = [
                (data[:keeping] + held[other, unit][keeping:], mine, unit)
                for (context, unit), data in held.items()
                if context == mine and (other, unit) in held
            ]
            db.executemany("UPDATE evidence SET data = ? WHERE context = ? AND unit = ?", changed)

    return edit


def _script(text: str) -> Edit:
    def edit(db: sqlite3.Connection, at: Contexts) -> None:
        for statement in text.split(";"):
            db.execute(statement)

    return edit


EDITS: Mapping[str, Edit] = {
    "rows of an older content": _older_content,
    "rows of another seed": _another_seed,
    "memos of an older content": _memos,
    "rows exchanged between points": _points,
    "payloads of an older content": _payloads(0),
    "payloads below their old checksums": _payloads(8),
    "rows cut": _data("substr(data, 1, length(data) - 5)"),
    "rows cut to their checksums": _data("substr(data, 1, 8)"),
    "rows of nothing": _data("x''"),
    "rows of text": _data("'2'"),
    "one byte": _one_byte,
    "counts of samples": _script("UPDATE evidence SET samples = 1000000000000"),
    "digests of what was read": _script("UPDATE evidence SET read = ''"),
    "half of the rows": _script("DELETE FROM evidence WHERE unit LIKE '%1'"),
    "counterexamples": _script('UPDATE counterexample SET point = \'{"n": "99"}\''),
    "counterexamples of no numbers": _script("UPDATE counterexample SET point = 'none'"),
    "costs": _script("UPDATE cost SET seconds = 'long', memory = 'much'"),
}


def edited_cases(seed: int, edits: Mapping[str, Edit] = EDITS) -> Iterator[CaseResult]:
    """Every edit, of exact and of sampled claims, of the truth and of the lie."""
    for kind, text in CLAIMS.items():
        for what, edit in edits.items():
            with tempfile.TemporaryDirectory(prefix="theorycheck-calibration-") as folder:
                yield from _judged_again(kind, text, what, edit, seed, Path(folder))


def _judged_again(
    kind: str, text: str, what: str, edit: Edit, seed: int, folder: Path
) -> Iterator[CaseResult]:
    store = folder / "store.sqlite"
    files = {}
    for factor in RIGHT:
        files[factor] = folder / str(factor) / "mine.py"
        files[factor].parent.mkdir()
        files[factor].write_text(_HEAD + text.format(factor=factor), encoding="utf-8")
    contexts: list[bytes] = []
    for under in (seed, seed + 1):
        for factor, file in files.items():
            before = _judge(file, under, folder, store)
            if before.verdict != RIGHT[factor]:
                raise RuntimeError(f"{kind}, {factor}: {before.verdict} before any edit")
            contexts.append(_newest(store, contexts))
    db = sqlite3.connect(store)
    with db:
        edit(db, Contexts(*contexts))
    db.close()
    for factor, file in files.items():
        started = time.process_time()
        after = _judge(file, seed, folder, store)
        right = after.verdict == RIGHT[factor]
        wrong = {"pass": "false pass", "fail": "false fail"}.get(after.verdict, "error")
        yield CaseResult(
            family=f"edited: {what}",
            relation="equals",
            rung=kind,
            name=f"{what}, {kind}",
            label="truth" if factor == 2 else "lie",
            deviation=0.0 if factor == 2 else 0.5,
            verdict=after.verdict,
            reason=after.reason,
            stated=None,
            outcome="right" if right else wrong,
            false_number="",
            samples=after.samples,
            seconds=time.process_time() - started,
            reached=after.rung or "",
        )


def _judge(file: Path, seed: int, folder: Path, store: Path) -> Entry:
    """The entry of a run through the store; what it says of damage is not shown."""
    with contextlib.redirect_stderr(io.StringIO()):
        done = run(
            select([str(file)]), Settings("smoke", seed), folder / "out", executor=here, store=store
        )
    return done.report.claims[0]


def _newest(store: Path, known: list[bytes]) -> bytes:
    """The context under which evidence has come since."""
    db = sqlite3.connect(store)
    found = {bytes(c) for (c,) in db.execute("SELECT DISTINCT context FROM evidence")} - set(known)
    db.close()
    (new,) = found
    return new


__all__ = ["EDITS", "edited_cases"]
