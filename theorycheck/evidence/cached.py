"""What is cached of one claim, and where more of it is put: one protocol for stores, workers and tests."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from theorycheck.formulas.memo import Memo

if TYPE_CHECKING:  # a store is opened without observations
    from theorycheck.evidence.observation import Observation


class CacheMiss(Exception):
    """Evidence that would have to be made, asked for where only cached evidence may be used."""


class Evidence(Protocol):
    """Evidence of one claim in one context, by the evidence keys of the plan's units.

    ``makes``: whether what is not cached may be made; where not, `CacheMiss` is raised for it.
    """

    @property
    def makes(self) -> bool: ...

    def cached(self) -> Collection[str]:
        """Keys of all that is cached."""
        ...

    def find(self, key: str) -> Observation | None:
        """The cached observation, None where there is none that can be read."""
        ...

    def keep(self, key: str, seen: Observation) -> None:
        """Of two streams of samples at one key the longer is kept; errors are not evidence."""
        ...

    def checkpoint(self, key: str) -> bytes | None:
        """State of an unfinished simulation."""
        ...

    def save(self, key: str, data: bytes) -> None:
        """Keep the state of an unfinished simulation, until its observation is kept."""
        ...

    def memo(self, profile: str) -> Memo:
        """Results of the engine as it is now, of judging under this profile."""
        ...

    def keep_memo(self, profile: str, memo: Memo) -> None: ...


@dataclass
class InMemory:
    """Evidence of one claim in this process alone."""

    makes: bool = True
    held: dict[str, Observation] = field(default_factory=dict)
    checkpoints: dict[str, bytes] = field(default_factory=dict)

    def cached(self) -> Collection[str]:
        return self.held.keys()

    def find(self, key: str) -> Observation | None:
        return self.held.get(key)

    def keep(self, key: str, seen: Observation) -> None:
        before = self.held.get(key)
        if seen.status != "error" and (before is None or seen.samples >= before.samples):
            self.held[key] = seen

    def checkpoint(self, key: str) -> bytes | None:
        return self.checkpoints.get(key)

    def save(self, key: str, data: bytes) -> None:
        self.checkpoints[key] = data

    def memo(self, profile: str) -> Memo:
        return Memo()

    def keep_memo(self, profile: str, memo: Memo) -> None:
        return None


class Nothing(InMemory):
    """Keeps nothing: evidence of a run without a store."""

    def keep(self, key: str, seen: Observation) -> None:
        return None

    def save(self, key: str, data: bytes) -> None:
        return None


@dataclass(frozen=True)
class CachedOnly:
    """Evidence that makes nothing: what is not cached raises `CacheMiss`."""

    evidence: Evidence

    @property
    def makes(self) -> bool:
        return False

    def cached(self) -> Collection[str]:
        return self.evidence.cached()

    def find(self, key: str) -> Observation | None:
        return self.evidence.find(key)

    def keep(self, key: str, seen: Observation) -> None:
        self.evidence.keep(key, seen)

    def checkpoint(self, key: str) -> bytes | None:
        return self.evidence.checkpoint(key)

    def save(self, key: str, data: bytes) -> None:
        self.evidence.save(key, data)

    def memo(self, profile: str) -> Memo:
        return self.evidence.memo(profile)

    def keep_memo(self, profile: str, memo: Memo) -> None:
        self.evidence.keep_memo(profile, memo)
