"""Which lines a change of the repository touched, so that it alone is audited again."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from theorycheck.library.content import modules_of
from theorycheck.library.loading import Loaded
from theorycheck.numbers.errors import UserError

Touched = Mapping[Path, Sequence[tuple[int, int]]]
"""First and last lines of what is new or changed, by file."""

_FILE = re.compile(r"\+\+\+ b/(?P<path>.*)")
_HUNK = re.compile(r"@@ -\S+ \+(?P<start>\d+)(,(?P<count>\d+))? @@")


def since(revision: str, folder: Path) -> Touched:
    """Lines of the repository around ``folder`` that differ from a revision, new files included.

    Raises UserError where git does not know the revision, or the folder is in no repository.
    """
    root = Path(_git(folder, "rev-parse", "--show-toplevel").strip())
    if revision.startswith("-"):
        raise UserError(f"--since {revision}: no revision of git begins with a dash")
    found = read_diff(_git(root, "diff", "--unified=0", "--no-color", revision, "--", "*.py"), root)
    new = _git(root, "ls-files", "--others", "--exclude-standard", "--", "*.py").splitlines()
    return {**found, **{root / name: [(1, len((root / name).read_bytes()))] for name in new}}


def read_diff(text: str, root: Path) -> Touched:
    """The changed lines of a unified diff without context; a line that is gone touches its neighbours."""
    found: dict[Path, list[tuple[int, int]]] = {}
    lines: list[tuple[int, int]] = []
    for line in text.splitlines():
        file, hunk = _FILE.fullmatch(line), _HUNK.match(line)
        if file is not None:
            lines = found.setdefault(root / file["path"], [])
        elif hunk is not None:
            start, count = int(hunk["start"]), int(hunk["count"] or 1)
            lines.append((start, start + max(count, 1) - (count > 0)))
    return found


def meets(touched: Touched, file: Path, first: int, last: int) -> bool:
    """Whether any of these lines was touched."""
    return any(start <= last and end >= first for start, end in touched.get(file, ()))


def reaching(items: Iterable[Loaded], touched: Touched) -> list[Loaded]:
    """The claims whose modules reach a touched file."""
    return [item for item in items if modules_of(item.file) & set(touched)]


def _git(folder: Path, *command: str) -> str:
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *command], capture_output=True, text=True, check=True
        )
    except FileNotFoundError:
        raise UserError("--since needs git, which is not installed") from None
    except subprocess.CalledProcessError as error:
        reason = (error.stderr.strip().splitlines() or ["git failed"])[0]
        raise UserError(f"--since: {reason}") from None
    return done.stdout
