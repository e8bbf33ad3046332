"""What a run need not make again: observations, memos of pure functions, listings, presentations, costs and
counterexamples in one embedded SQLite file.

Evidence is filed under its *context*: the claim's id, the content of its module and of what that
reaches, the engine's own modules, library versions, the class of device and the seed. Inside a context
each observation has the evidence key of its unit (`theorycheck.plan.units`). Whatever enters a number
enters the context or the key. A memo (`theorycheck.formulas.memo`), which may hold a judgement, is used by
the engine that wrote it and by no other. What is made of evidence or of claims alone (a listing, a
presentation) is filed under a digest of all that it depends on. What a simulation is seen to read while it runs
(`theorycheck.evidence.reads`) is known only then: it is kept with each row, and a row is used only where all
of it is still what it was. Evidence that depends on what cannot be keyed is not kept at all.

Several runs may use one store at once (write-ahead log, busy timeout, one short transaction a write).
Of two streams of samples at one key the longer is kept. Every row carries a checksum of its place and
its payload. A store that is damaged is set aside and begun anew, with one line that says so; one that
cannot be written (a full disk, a read-only home) is read where possible and otherwise left alone: a run
never fails for it, it only caches less.

The file is the one that ``THEORYCHECK_STORE`` names, else one in the user's cache folder. It must lie
on a disk of this machine: SQLite's log cannot be shared between machines over a network file system.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import sys
import threading
import time
import zlib
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from theorycheck.evidence.cached import Evidence, Nothing
from theorycheck.evidence.content import Content, parts_from, rows_of
from theorycheck.evidence.environment import context_of, digest_of, engine_digest
from theorycheck.evidence.origin import Origin
from theorycheck.evidence.reads import Reads, current, note, seen_for
from theorycheck.formulas.memo import Memo
from theorycheck.numbers.domain import Exact, Point, from_text, point_key, to_text
from theorycheck.plan.settings import Settings

if TYPE_CHECKING:  # `list` opens a store and needs no observation
    from theorycheck.evidence.observation import Observation

SCHEMA = 2
"""Of the tables; part of the file's name, so that versions that differ do not share a file."""

BUSY_SECONDS = 30.0
"""How long a write waits for another run's; each takes about a millisecond."""

FLUSH_SECONDS = 0.2
"""Small observations are written together; a killed run loses at most this much of them."""

EXPIRY_DAYS = 60
"""Contexts that no run has asked for so long are dropped: edited claims leave one behind each time."""

KEPT_COUNTEREXAMPLES = 20


_DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)

_TABLES = f"""
CREATE TABLE context (context BLOB PRIMARY KEY, claim TEXT NOT NULL, used INTEGER NOT NULL)
    WITHOUT ROWID;
CREATE TABLE evidence (context BLOB, unit TEXT, read TEXT NOT NULL, samples INTEGER NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (context, unit)) WITHOUT ROWID;
CREATE TABLE checkpoint (context BLOB, unit TEXT, data BLOB NOT NULL,
    PRIMARY KEY (context, unit)) WITHOUT ROWID;
CREATE TABLE memo (context BLOB, unit TEXT, data BLOB NOT NULL, PRIMARY KEY (context, unit))
    WITHOUT ROWID;
CREATE TABLE cost (claim TEXT, profile TEXT, device TEXT, seconds REAL NOT NULL, memory INTEGER,
    PRIMARY KEY (claim, profile, device)) WITHOUT ROWID;
CREATE TABLE counterexample (claim TEXT, place TEXT, point TEXT NOT NULL, found REAL NOT NULL,
    PRIMARY KEY (claim, place)) WITHOUT ROWID;
PRAGMA user_version = {SCHEMA};
"""

Say = Callable[[str], None]

_T = TypeVar("_T")


class StoredKind(StrEnum):
    """What is kept beside evidence and the memos of profiles; no profile has these names."""

    LISTING = "listing"
    PRESENTATION = "presentation"
    STATEMENT = "statement"


class Damaged(Exception):
    """The store's file does not hold what was written to it."""


def default_path() -> Path:
    """``THEORYCHECK_STORE``, else ``evidence-2.sqlite`` in the user's cache folder."""
    named = os.environ.get("THEORYCHECK_STORE")
    if named:
        return Path(named)
    from platformdirs import user_cache_path

    return user_cache_path("theorycheck") / f"evidence-{SCHEMA}.sqlite"


@contextmanager
def open_store(path: Path | None, say: Say | None = None) -> Iterator[Store]:
    """The store at ``path``, closed at the end; without a path, one that keeps nothing."""
    store = Store(path, say or _to_stderr)
    try:
        yield store
    finally:
        store.close()


def _to_stderr(message: str) -> None:
    print(f"theorycheck: {message}", file=sys.stderr, flush=True)


_CHECKSUM = 8  # bytes


def _pack(context: bytes, unit: str, payload: bytes) -> bytes:
    packed = zlib.compress(payload, 6)
    return digest_of(context, unit.encode(), packed, size=_CHECKSUM) + packed


def _unpack(context: bytes, unit: str, data: Any) -> bytes:
    if not isinstance(data, bytes):
        raise Damaged(f"row {unit!r} holds no bytes")
    checksum, packed = data[:_CHECKSUM], data[_CHECKSUM:]
    if digest_of(context, unit.encode(), packed, size=_CHECKSUM) != checksum:
        raise Damaged(f"row {unit!r} fails its checksum")
    return zlib.decompress(packed)


_Kept = tuple[Content, "Observation"]


def sealed(seen: Observation, read: Content) -> bytes:
    """An observation with what was read for it, as bytes."""
    return _sealed(read, json.dumps(seen.to_json(), separators=(",", ":")).encode())


def unsealed(data: bytes) -> tuple[Observation, Content]:
    """Inverse of `sealed`. Raises ValueError for other bytes."""
    from theorycheck.evidence.observation import Observation

    read, payload = _unsealed(data)
    return Observation.from_json(json.loads(payload)), read


def _sealed(read: Content, payload: bytes) -> bytes:
    """A payload with what was read for it, in a line before it."""
    return json.dumps(rows_of(read.parts)).encode() + b"\n" + payload


def _unsealed(data: bytes) -> tuple[Content, bytes]:
    head, _, payload = data.partition(b"\n")
    return Content(parts_from(json.loads(head))), payload


class Store:
    """An open store; use `open_store`. Its methods never raise for what is wrong with the file."""

    def __init__(self, path: Path | None, say: Say) -> None:
        self.path = path
        self._say = say
        self._said: set[str] = set()
        self._lock = threading.RLock()
        self._pending: dict[tuple[bytes, str], tuple[str, int, bytes]] = {}
        self._flushed = time.monotonic()
        self._db: sqlite3.Connection | None = None
        self._inode: int | None = None
        self._set_asides = 0
        if path is not None:
            self._guard(self._open)

    def evidence(self, origin: Origin, settings: Settings) -> Evidence:
        """What is cached of a claim under these settings."""
        if self._db is None:
            return Nothing()
        return Filed(self, context_of(origin, settings), origin)

    def record_cost(
        self, claim_id: str, settings: Settings, seconds: float, memory: int | None
    ) -> None:
        """What a claim's evidence cost to make: seconds, and bytes at the peak."""
        self._write(
            "INSERT OR REPLACE INTO cost VALUES (?, ?, ?, ?, ?)",
            (claim_id, settings.profile, settings.device, seconds, memory),
        )

    def costs(self, settings: Settings) -> dict[str, tuple[float, int | None]]:
        """Seconds and bytes by claim id, as last measured under this profile and device."""
        rows = self._read(
            "SELECT claim, seconds, memory FROM cost WHERE profile = ? AND device = ?",
            (settings.profile, settings.device),
        )
        return self._understood(
            lambda: {
                str(claim): (float(seconds), None if memory is None else int(memory))
                for claim, seconds, memory in rows
            },
            {},
        )

    def keep_counterexample(self, claim_id: str, point: Point) -> None:
        """A point at which a claim failed, to be tried first another time, whatever its content."""
        text = json.dumps({k: to_text(v) for k, v in point.items()})
        self._write(
            "INSERT OR REPLACE INTO counterexample VALUES (?, ?, ?, ?)",
            (claim_id, point_key(point), text, time.time()),
        )
        self._write(
            "DELETE FROM counterexample WHERE claim = ? AND place NOT IN (SELECT place FROM"
            " counterexample WHERE claim = ? ORDER BY found DESC LIMIT ?)",
            (claim_id, claim_id, KEPT_COUNTEREXAMPLES),
        )

    def counterexamples(self, claim_id: str) -> list[dict[str, Exact]]:
        """Points at which a claim has failed, the latest first."""
        rows = self._read(
            "SELECT point FROM counterexample WHERE claim = ? ORDER BY found DESC", (claim_id,)
        )
        return self._understood(
            lambda: [{k: from_text(v) for k, v in json.loads(text).items()} for (text,) in rows], []
        )

    def _understood(self, read: Callable[[], _T], nothing: _T) -> _T:
        """What rows without a checksum say; where they say nothing, the file is damaged."""
        try:
            return read()
        except (ValueError, TypeError, AttributeError, ZeroDivisionError) as error:
            self._set_aside(error)
            return nothing

    def drop_counterexample(self, claim_id: str, point: Point) -> None:
        """A kept counterexample is none any more."""
        self._write(
            "DELETE FROM counterexample WHERE claim = ? AND place = ?", (claim_id, point_key(point))
        )

    def made(self, context: bytes, kind: StoredKind) -> Any:
        """What was kept under a digest of all that it depends on: JSON data; None where there is none."""
        data = self._get("memo", context, kind)
        return None if data is None else json.loads(data)

    def keep_made(self, context: bytes, kind: StoredKind, value: Any) -> None:
        self._asked_for(context, kind)
        self._put("memo", context, kind, json.dumps(value, separators=(",", ":")).encode())

    def prune(self) -> None:
        """Drop what no run has asked for in a long time."""
        oldest = (_today() - EXPIRY_DAYS,)
        for table in ("evidence", "checkpoint", "memo"):
            self._write(
                f"DELETE FROM {table} WHERE context IN"
                " (SELECT context FROM context WHERE used < ?)",
                oldest,
            )
        self._write("DELETE FROM context WHERE used < ?", oldest)

    def flush(self) -> None:
        """Write what is waiting to be written."""
        with self._lock:
            waiting, self._pending = self._pending, {}
            self._flushed = time.monotonic()
            if not waiting:
                return

            def write(db: sqlite3.Connection) -> None:
                with db:
                    db.execute("BEGIN IMMEDIATE")
                    db.executemany(
                        "INSERT INTO evidence VALUES (?, ?, ?, ?, ?) ON CONFLICT (context, unit) DO"
                        " UPDATE SET read = excluded.read, samples = excluded.samples,"
                        " data = excluded.data"
                        " WHERE excluded.read != read OR excluded.samples >= samples",
                        [(*place, *row) for place, row in waiting.items()],
                    )
                    db.executemany(
                        "DELETE FROM checkpoint WHERE context = ? AND unit = ?", list(waiting)
                    )

            self._guard(lambda: self._with(write))

    def close(self) -> None:
        with self._lock:
            self.flush()
            if self._db is not None:
                with contextlib.suppress(sqlite3.Error):  # a damaged file is let go of all the same
                    self._db.close()
                self._db = None

    # ------------------------------------------------------------ one claim's evidence

    def _rows(self, context: bytes, claim_id: str) -> dict[str, bytes]:
        self.flush()
        rows = self._read("SELECT unit, data FROM evidence WHERE context = ?", (context,))
        self._asked_for(context, claim_id)
        return {str(unit): data for unit, data in rows}

    def _asked_for(self, context: bytes, name: str) -> None:
        self._write(
            "INSERT INTO context VALUES (?, ?, ?) ON CONFLICT (context) DO UPDATE"
            " SET used = excluded.used WHERE excluded.used > used",
            (context, name, _today()),
        )

    def _keep(self, context: bytes, key: str, seen: Observation, read: Content) -> None:
        with self._lock:
            row = (read.digest, seen.samples, _pack(context, key, sealed(seen, read)))
            self._pending[context, key] = row
            if time.monotonic() - self._flushed > FLUSH_SECONDS:
                self.flush()

    def _get(self, table: str, context: bytes, key: str) -> bytes | None:
        rows = self._read(
            f"SELECT data FROM {table} WHERE context = ? AND unit = ?", (context, key)
        )
        try:
            return _unpack(context, key, rows[0][0]) if rows else None
        except (Damaged, zlib.error) as error:
            self._set_aside(error)
            return None

    def _put(self, table: str, context: bytes, key: str, data: bytes) -> None:
        self._write(
            f"INSERT OR REPLACE INTO {table} VALUES (?, ?, ?)",
            (context, key, _pack(context, key, data)),
        )

    def _decode(self, context: bytes, key: str, data: bytes, file: int) -> _Kept | None:
        from theorycheck.evidence.observation import Observation

        try:
            read, payload = _unsealed(_unpack(context, key, data))
            return read, Observation.from_json(json.loads(payload))
        except (Damaged, zlib.error, ValueError, KeyError, TypeError) as error:
            if file == self._set_asides:  # else the row is of a file that is set aside already
                self._set_aside(error)
            return None

    # ------------------------------------------------------------ the file

    def _open(self) -> None:
        if self.path is None:
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        db = sqlite3.connect(
            self.path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        try:
            db.execute("PRAGMA journal_mode = WAL")
            # Survives the death of a process; of the last moments before a power cut it may lose some.
            db.execute("PRAGMA synchronous = NORMAL")
            if db.execute("PRAGMA user_version").fetchone()[0] == 0:
                self._create(db)
            version = db.execute("PRAGMA user_version").fetchone()[0]
            if version != SCHEMA:
                raise Damaged(f"it is of version {version}, not {SCHEMA}")
        except BaseException:
            db.close()
            raise
        self._db = db
        self._inode = self.path.stat().st_ino

    @staticmethod
    def _create(db: sqlite3.Connection) -> None:
        db.execute("BEGIN IMMEDIATE")  # of two runs that start at once, one creates the tables
        try:
            if db.execute("PRAGMA user_version").fetchone()[0] == 0:
                if db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                    raise Damaged("it is another program's database")
                for statement in filter(str.strip, _TABLES.split(";")):
                    db.execute(statement)
            db.execute("COMMIT")
        except BaseException:
            db.execute("ROLLBACK")
            raise

    def _read(self, query: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        rows: list[tuple[Any, ...]] = []
        self._guard(
            lambda: self._with(lambda db: rows.extend(db.execute(query, values).fetchall()))
        )
        return rows

    def _write(self, query: str, values: Sequence[Any]) -> None:
        self._guard(lambda: self._with(lambda db: db.execute(query, values)))

    def _with(self, action: Callable[[sqlite3.Connection], Any]) -> None:
        if self._db is not None:
            action(self._db)

    def _guard(self, action: Callable[[], None]) -> None:
        """Do something with the file; what is wrong with it costs its contents, never the run."""
        with self._lock:
            try:
                action()
            except Damaged as error:
                self._set_aside(error)
            except sqlite3.Error as error:
                code = getattr(error, "sqlite_errorcode", None)
                # Extended codes keep the primary one below. Plain errors are "no such table" and the
                # like, which every query here rules out; without a code it is text that is no text.
                if code is None or code & 0xFF in _DAMAGE:
                    self._set_aside(error)
                else:
                    self._tell(f"cannot use the evidence cache at {self.path}: {error}")
            except OSError as error:
                self._tell(f"cannot use the evidence cache at {self.path}: {error.strerror}")

    def _set_aside(self, why: BaseException) -> None:
        """Rename the damaged file and begin a new one, unless another run has just done so."""
        with self._lock:
            self._set_asides += 1
            if self._db is not None:
                with contextlib.suppress(sqlite3.Error):  # a damaged file is let go of all the same
                    self._db.close()
                self._db = None
            if self.path is None:
                return
            # Between this look and the rename another run could put a new file here; it would then
            # go on writing to the file that is set aside. That loses evidence, it harms none.
            with contextlib.suppress(OSError):
                if self._inode in (None, self.path.stat().st_ino):
                    aside = self._rename()
                    self._tell(
                        f"the evidence cache at {self.path} is damaged ({why}); "
                        f"it was set aside as {aside.name} and a new store begun"
                    )
            self._inode = None
            try:
                self._open()
            except (sqlite3.Error, OSError, Damaged) as error:
                self._tell(f"cannot begin a new store at {self.path}: {error}")

    def _rename(self) -> Path:
        path = self.path or Path()
        stamp = time.strftime("%Y%m%d-%H%M%S")
        aside = path.with_name(f"{path.name}.damaged-{stamp}-{os.getpid()}")
        path.rename(aside)
        for suffix in ("-wal", "-shm"):  # the log belongs to the file that is set aside
            log = path.with_name(path.name + suffix)
            if log.exists():
                log.rename(aside.with_name(aside.name + suffix))
        return aside

    def _tell(self, text: str) -> None:
        message = "".join(c if c.isprintable() else "?" for c in text)  # it may quote the damage
        if message not in self._said:
            self._said.add(message)
            self._say(message)


class Filed:
    """Evidence of one claim in an open store: its rows are read when the first is asked for, and each is
    decoded when it is."""

    def __init__(self, store: Store, context: bytes, origin: Origin) -> None:
        self._store, self._context, self._origin = store, context, origin
        self._file = store._set_asides
        self._found: dict[str, _Kept | None] = {}
        self._holds: dict[Content, bool] = {}

    @property
    def makes(self) -> bool:
        return True

    @cached_property
    def _rows(self) -> dict[str, bytes]:
        return self._store._rows(self._context, self._origin.claim_id)

    def cached(self) -> Collection[str]:
        return self._rows.keys()

    def find(self, key: str) -> Observation | None:
        found = self.find_with(key)
        return None if found is None else found[1]

    def find_with(self, key: str) -> _Kept | None:
        """The cached observation, with what was read for it."""
        if key not in self._found and key in self._rows:
            kept = self._store._decode(self._context, key, self._rows[key], self._file)
            self._found[key] = kept if kept is not None and self._use(kept[0]) else None
        return self._found.get(key)

    def keep(self, key: str, seen: Observation) -> None:
        self.keep_made(key, seen, self._read())

    def keep_made(self, key: str, seen: Observation, read: Content) -> None:
        """Keep what was made elsewhere, with what was read for it there."""
        if seen.status != "error" and not read.never:
            self._found[key] = (read, seen)
            self._store._keep(self._context, key, seen, read)

    def checkpoint(self, key: str) -> bytes | None:
        return self._open(self._store._get("checkpoint", self._context, key))

    def save(self, key: str, data: bytes) -> None:
        read = self._read()
        if not read.never:
            self._store._put("checkpoint", self._context, key, _sealed(read, data))

    def memo(self, profile: str) -> Memo:
        """Results of the engine as it is now, of judging under this profile."""
        data = self._open(self._store._get("memo", self._context, profile))
        engine, values = json.loads(data) if data else (None, {})
        return Memo(values if engine == engine_digest(()) else {})

    def keep_memo(self, profile: str, memo: Memo) -> None:
        read = self._read()
        if memo.changed and not read.never:
            data = json.dumps([engine_digest(()), memo.used], separators=(",", ":"))
            self._store._put("memo", self._context, profile, _sealed(read, data.encode()))

    def _read(self) -> Content:
        return seen_for(self._origin.made_from, self._origin.folder, current() or Reads())

    def _open(self, data: bytes | None) -> bytes | None:
        """A payload, where all that was read for it is what it was."""
        if data is None:
            return None
        read, payload = _unsealed(data)
        return payload if self._use(read) else None

    def _use(self, read: Content) -> bool:
        """Whether all of this is still what it was; what then rests on it has read it too."""
        folder = self._origin.folder
        if read not in self._holds:
            self._holds[read] = read.changed(folder) is None
        if self._holds[read]:
            note(read, folder)
        return self._holds[read]


def _today() -> int:
    return int(time.time() // 86_400)
