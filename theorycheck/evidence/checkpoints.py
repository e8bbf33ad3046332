"""Keeping the states of iterated simulations while they run, and going on from there."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from theorycheck.arrays.states import State, decoded, encoded
from theorycheck.claims.iteration import Iterated

CHECKPOINT_SECONDS = 5.0
"""What a killed run may lose of an iterated simulation."""

CHECKPOINT_WAIT = 9.0
"""Keeping a state is to take a tenth of the time at most: the next waits nine times as long."""


KeptState = NDArray[np.uint8]
"""A state as the bytes of `theorycheck.arrays.states.encoded`."""


@dataclass
class Checkpoints:
    """Where the iterated simulations of one observation are kept while they run.

    ``load`` gives what an earlier run of the same observation kept, if anything; ``save`` keeps.
    """

    load: Callable[[], bytes | None]
    save: Callable[[bytes], None]
    _states: dict[str, tuple[int, KeptState]] | None = None
    _next: float = field(default_factory=lambda: time.monotonic() + CHECKPOINT_SECONDS)

    def run(self, name: str, simulation: Iterated, given: Mapping[str, object]) -> Any:
        """The simulation's result, from where it was kept. ``name``: which of the observation's it is."""
        ns = given.get("ns")
        if self._states is None:
            data = self.load()
            self._states = {} if data is None else decoded(data)
        states = self._states
        begin = None
        if name in states:
            done, kept = states[name]
            begin = done, decoded(kept.tobytes(), ns)

        def seen(done: int, state: State) -> None:
            if time.monotonic() < self._next:
                return
            began = time.monotonic()
            states[name] = (done, np.frombuffer(encoded(state), dtype=np.uint8))
            self.save(encoded(states))
            ended = time.monotonic()
            self._next = ended + max(CHECKPOINT_SECONDS, CHECKPOINT_WAIT * (ended - began))

        return simulation.run(given, begin, seen)
