"""The schedule of the search, counted in points, and what of it was gone through.

How far the search goes depends on the statement alone; time can only cut it, and then that is said.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class SchedulePart:
    """One part of the schedule: at most ``planned`` points, of which ``needed`` must have been gone
    through for the verdict that no counterexample was found."""

    name: str
    planned: int
    needed: int
    done: int = 0
    finished: bool = False

    @property
    def enough(self) -> bool:
        return self.finished or self.done >= self.needed

    def text(self) -> str:
        return f"{self.done:,} of at most {self.planned:,} {self.name}"


class Covered:
    """What was tried, for the line that says so."""

    def __init__(self) -> None:
        self.structured = SchedulePart("structured points", 1500, 300)
        self.finer = SchedulePart("finer structured points", 3000, 300)
        self.growing = SchedulePart("members in order", 2000, 0)
        self.sampled = SchedulePart("sampled points", 2000, 200)
        self.walked = self.scanned = 0
        self.boxes = self.reached = ""

    @property
    def parts(self) -> tuple[SchedulePart, ...]:
        return self.structured, self.finer, self.growing, self.sampled

    @property
    def enough(self) -> bool:
        return all(part.enough for part in self.parts)

    def text(self, beyond: int = 0) -> str:
        """One line; empty if nothing was tried."""
        structured = self.structured.done + self.finer.done + self.growing.done
        counts = (
            (self.scanned, f"points in machine arithmetic{self.reached}"),
            (structured, "structured points"),
            (self.sampled.done + self.walked, "sampled points"),
        )
        texts = [f"{count} {name}" for count, name in counts if count]
        texts += [self.boxes] if self.boxes else []
        texts += [f"{beyond} more too large to evaluate at"] if beyond else []
        return ", ".join(texts)

    def cut(self) -> str:
        """What time cut short; empty if the whole schedule was gone through."""
        short = [part.text() for part in self.parts if not part.finished]
        return f"time cut the search: {', '.join(short)}" if short else ""
