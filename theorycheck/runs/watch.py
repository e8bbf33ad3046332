"""What looks on while a run works."""

from __future__ import annotations

from typing import Protocol

from theorycheck.entries.report import Entry, Report


class Watch(Protocol):
    """What looks on while a run works. The methods are called in this order, the middle two for each
    claim; ``end`` once, also of a run that was interrupted."""

    def start(self, claims: int) -> None: ...

    def begin(self, claim_id: str) -> None: ...

    def verdict(self, entry: Entry) -> None: ...

    def end(self, report: Report) -> None: ...


class Unwatched:
    """The `Watch` of whoever does not look."""

    def start(self, claims: int) -> None:
        return None

    def begin(self, claim_id: str) -> None:
        return None

    def verdict(self, entry: Entry) -> None:
        return None

    def end(self, report: Report) -> None:
        return None
