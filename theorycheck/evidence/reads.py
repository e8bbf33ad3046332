"""What a claim's code is seen to read while it is loaded and while its simulations run.

Python tells a hook of every file that it opens, folder that it lists, program that it starts, address that
it connects to and native library that it opens (PEP 578); reads of the environment are seen by ``os.environ``
itself. Inside `watching` these are noted, each file with the digest of what it holds at that moment, and for
every module of the claim on the stack too: what a shared model reads once and keeps counts for each claim
that reaches the model, whichever claim made it read.

What belongs to Python, to theorycheck or to an installed package is keyed by version and left out; so is
what the code itself has written first. What cannot be keyed is noted as a reason why evidence is not
cached.

Known limits: files opened in native code are not seen (packages known for that, and native code of the
claim's own, are refused in `theorycheck.library.content`), nor are questions that open nothing: whether a
file exists, the clock, the operating system's random numbers.
"""

from __future__ import annotations

import importlib.util
import os
import stat
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

from theorycheck.evidence.content import (
    DIGESTS,
    Content,
    Part,
    listing_digest,
    named_from,
    variable_digest,
    where,
)

NEVER = "never"
"""Kind of a note that is no part: why what was seen cannot be keyed."""

SOURCE = "source"
"""Kind of a note of a module that an import has read; no part where imports lead to it anyway."""

OWN_VARIABLES = frozenset(
    {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS"}
    | {"PYTEST_CURRENT_TEST"}
)
"""Set by the engine for its workers and by pytest for each test."""

_MACHINE = ("/proc/", "/sys/", "/dev/")


@dataclass
class Reads:
    """What has been seen so far: parts with absolute names, and notes why not to keep it. ``written``:
    files made and variables set before they were read, by kind and name."""

    notes: set[Part] = field(default_factory=set)
    written: set[tuple[str, str]] = field(default_factory=set)

    def add(self, notes: Iterable[Part]) -> None:
        self.notes |= set(notes)


_open: list[Reads] = []
"""The scopes that are open; a claim's simulations run one claim at a time in a process."""

_while_loading: dict[str, Reads] = {}
"""By file of a module: what was read while its own statements ran, imports of others included."""

_by_module: dict[str, Reads] = {}
"""By file of a module: what was read with any of its functions on the stack."""

_hooked = False
_busy = threading.local()


@contextmanager
def watching() -> Iterator[Reads]:
    """Note what is read inside the block."""
    global _hooked
    if not _hooked:
        _hooked = True
        sys.addaudithook(_heard)
    seen = Reads()
    _open.append(seen)
    before = type(os.environ)
    os.environ.__class__ = _Environment
    try:
        yield seen
    finally:
        _open.remove(seen)
        if not _open:
            os.environ.__class__ = before


def current() -> Reads | None:
    """The innermost open scope."""
    return _open[-1] if _open else None


def note(read: Content, folder: Path) -> None:
    """Note what evidence rests on that is taken up again."""
    scope = current()
    if scope is not None:
        scope.add(part.absolute(folder) for part in read.parts)


def loaded_with(content: Content, folder: Path) -> Content:
    """A content with what its modules read while they were loaded, by whatever claim that was."""
    files = _files(content, folder)
    notes = {n for file in files for n in _notes_of(_while_loading, file)}
    return _with(content, notes, folder, files)


def seen_for(content: Content, folder: Path, reads: Reads) -> Content:
    """What simulations of a claim have read beside what it was loaded from: ``reads``, and what the
    modules that it reaches have read for whatever claim."""
    files = _files(content, folder)
    notes = reads.notes | {n for file in files for n in _notes_of(_by_module, file)}
    found = _with(Content((), content.never), notes, folder, files)
    return Content(tuple(p for p in found.parts if p not in content.parts), found.never)


def _notes_of(table: dict[str, Reads], file: str) -> set[Part]:
    return table[file].notes if file in table else set()


def _files(content: Content, folder: Path) -> set[str]:
    return {os.path.normpath(path) for path in content.files(folder).values()}


def _with(content: Content, notes: set[Part], folder: Path, modules: set[str]) -> Content:
    parts, never = set(content.parts), content.never
    for seen in sorted(notes):
        if seen.kind == NEVER:
            never = never or seen.name
        elif seen.kind != SOURCE or seen.name not in modules:
            kind = "file" if seen.kind == SOURCE else seen.kind
            path = kind in ("file", "folder")
            name = named_from(Path(seen.name), folder) if path else seen.name
            parts.add(Part(kind, name, seen.digest))
    names = [(p.kind, p.name) for p in parts]
    if len(set(names)) < len(names):
        twice = next(name for kind, name in sorted(names) if names.count((kind, name)) > 1)
        never = never or f"{twice} changed while the process ran"
    return Content(tuple(sorted(parts)), never)


# ------------------------------------------------------------ what is seen


def _heard(event: str, args: tuple[Any, ...]) -> None:
    """The audit hook. It stays for the life of the process, and must never raise."""
    if not _open or event not in _EVENTS or getattr(_busy, "now", False):
        return
    _busy.now = True
    try:
        _EVENTS[event](event, args)
    except Exception as error:  # noqa: BLE001 - an error here would become one of the claim's
        _note(NEVER, f"what it reads could not be followed ({type(error).__name__}: {error})")
    finally:
        _busy.now = False


def _note(kind: str, name: str, digest: str = "") -> None:
    seen = Part(kind, name, digest)
    for scope in _open:
        scope.notes.add(seen)
    # Whether an installed package is imported now or was before is chance: that belongs to no content.
    loading = not _of_an_import()
    for file, statements in _readers():
        _by_module.setdefault(file, Reads()).notes.add(seen)
        if statements and loading:
            _while_loading.setdefault(file, Reads()).notes.add(seen)


def _frames() -> Iterator[FrameType]:
    """The stack outside of this module, innermost first."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if frame.f_code.co_filename != __file__:
            yield frame
        frame = frame.f_back


def _readers() -> set[tuple[str, bool]]:
    """Files of the local code on the stack, and whether a module's own statements run there."""
    return {
        (_resolved(f.f_code.co_filename), f.f_code.co_name == "<module>")
        for f in _frames()
        if _side(f.f_code.co_filename) == "local"
    }


@cache
def _resolved(file: str) -> str:
    return str(Path(file).resolve())


@cache
def _side(file: str) -> str:
    """Whose code a file is: as `where`; ``importing`` for Python's own import system."""
    if file.startswith("<frozen importlib"):
        return "importing"
    return "standard" if file.startswith("<") else where(Path(file).resolve())


def _asker() -> str:
    """Whose code asks: the innermost that does not belong to Python."""
    sides = (_side(f.f_code.co_filename) for f in _frames())
    return next((s for s in sides if s not in ("standard", "importing")), "standard")


def _of_an_import() -> bool:
    """Whether an installed package asks while it is imported, which its version stands for."""
    inside = False
    for frame in _frames():
        side = _side(frame.f_code.co_filename)
        if side == "local":
            return False
        if side == "importing" and inside:
            return True
        inside = inside or side in ("installed", "engine")
    return False


def _importing() -> bool:
    innermost = next(_frames(), None)
    return innermost is not None and _side(innermost.f_code.co_filename) == "importing"


def _place(name: str) -> str:
    return os.path.normpath(Path(name).absolute())


def _file_opened(event: str, args: tuple[Any, ...]) -> None:
    path, mode, flags = args[0], args[1], args[2]
    if not isinstance(path, str | bytes | os.PathLike):
        return  # a descriptor: what it stands for was opened before
    name = os.fsdecode(path)
    place = _place(name)
    if _makes(mode, flags):
        _wrote("file", place)
    elif not _own("file", place):
        _read(name, place)


def _wrote(kind: str, name: str) -> None:
    for scope in _open:
        if all((n.kind, n.name) != (kind, name) for n in scope.notes):
            scope.written.add((kind, name))


def _own(kind: str, name: str) -> bool:
    return any((kind, name) in scope.written for scope in _open)


def _makes(mode: str | None, flags: int) -> bool:
    """Whether a file is opened so that nothing that it held can be read."""
    if mode is not None:
        return "w" in mode or "x" in mode or ("a" in mode and "+" not in mode)
    access = flags & (os.O_RDONLY | os.O_WRONLY | os.O_RDWR)
    created = flags & os.O_TRUNC or (flags & os.O_CREAT and flags & os.O_EXCL)
    return access == os.O_WRONLY or (access == os.O_RDWR and bool(created))


def _read(name: str, place: str) -> None:
    if place.startswith(_MACHINE):
        if _asker() == "local" and place != os.devnull:
            _note(NEVER, f"it reads {place}, which changes by itself")
        return
    if _importing():
        source = _source_of(place)
        if where(Path(source)) == "local":
            _note(SOURCE, _resolved(source), DIGESTS.of(Path(source), "bytes"))
        return
    if where(Path(place)) != "local":
        return
    try:
        kind = Path(place).stat().st_mode
    except OSError:
        kind = stat.S_IFREG  # not there: that it is not is what counts
    if stat.S_ISDIR(kind):
        _folder_listed("os.listdir", (name,))
    elif not stat.S_ISREG(kind):
        _note(NEVER, f"it reads {place}, which is no file")
    elif Path(name).is_absolute():
        _note("file", place, DIGESTS.of(Path(place), "bytes"))
    else:
        _note("working", Path(name).as_posix(), DIGESTS.of(Path(place), "bytes"))


def _source_of(place: str) -> str:
    if not place.endswith(".pyc"):
        return place
    try:
        return importlib.util.source_from_cache(place)
    except ValueError:  # compiled code without its source
        return place


def _folder_listed(event: str, args: tuple[Any, ...]) -> None:
    if isinstance(args[0], int) or _importing():
        return
    name = os.fsdecode(args[0] or ".")
    place = Path(_place(name))
    if where(place) == "local" and not str(place).startswith(_MACHINE):
        absolute = Path(name).is_absolute()
        _note(
            "folder" if absolute else "working",
            str(place) if absolute else name,
            listing_digest(place),
        )


def _database_opened(event: str, args: tuple[Any, ...]) -> None:
    name = os.fsdecode(args[0]) if isinstance(args[0], str | bytes | os.PathLike) else ""
    if name and name != ":memory:" and _asker() != "engine":
        _read(name, _place(name))


def _program_started(event: str, args: tuple[Any, ...]) -> None:
    if not _of_an_import():
        named = args[0] if args and isinstance(args[0], str | bytes) else ""
        what = Path(os.fsdecode(named)).name or "a process of its own"
        _note(NEVER, f"it starts {what}, whose reading is not seen")


def _network_used(event: str, args: tuple[Any, ...]) -> None:
    _note(NEVER, "it uses the network")


def _asked_a_person(event: str, args: tuple[Any, ...]) -> None:
    _note(NEVER, "it asks for input")


def _library_opened(event: str, args: tuple[Any, ...]) -> None:
    named = args[0] if event == "ctypes.dlopen" else args[1]
    if not isinstance(named, str | bytes) or not named or _of_an_import():
        return
    path = Path(os.fsdecode(named))
    if where(Path(_place(str(path))) if path.name != str(path) else path) == "local":
        _note(NEVER, f"it calls native code ({path.name}), whose reading is not seen")


_EVENTS: dict[str, Callable[[str, tuple[Any, ...]], None]] = {
    "open": _file_opened,
    "os.listdir": _folder_listed,
    "os.scandir": _folder_listed,
    "sqlite3.connect": _database_opened,
    **dict.fromkeys(
        (
            "subprocess.Popen",
            "os.system",
            "os.exec",
            "os.posix_spawn",
            "os.spawn",
            "os.fork",
            "os.forkpty",
            "pty.spawn",
            "os.startfile",
        ),
        _program_started,
    ),
    **dict.fromkeys(
        (
            "socket.connect",
            "socket.getaddrinfo",
            "socket.gethostbyname",
            "socket.sendto",
            "urllib.Request",
        ),
        _network_used,
    ),
    "builtins.input": _asked_a_person,
    "ctypes.dlopen": _library_opened,
    "import": _library_opened,
}


class _Environment(os._Environ):  # type: ignore[type-arg]  # not subscriptable at run time
    """``os.environ`` inside `watching`: the same object and data, with its reads noted."""

    def __getitem__(self, key: Any) -> Any:
        if not getattr(_busy, "now", False):
            _busy.now = True
            try:
                _variable_read(str(key))
            finally:
                _busy.now = False
        return super().__getitem__(key)

    def __setitem__(self, key: Any, value: Any) -> None:
        _wrote("variable", str(key))
        super().__setitem__(key, value)

    def __iter__(self) -> Iterator[Any]:
        if not getattr(_busy, "now", False) and not _of_an_import() and _asker() != "engine":
            _busy.now = True
            try:
                _note(NEVER, "it reads the whole environment")
            finally:
                _busy.now = False
        return super().__iter__()


def _variable_read(name: str) -> None:
    ours = name in OWN_VARIABLES or name.startswith("THEORYCHECK_") or _asker() == "engine"
    if not ours and not _own("variable", name):
        _note("variable", name, variable_digest(name))
