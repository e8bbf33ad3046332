"""Long simulations as init, step and read, which an interrupted run continues inside.

``iterated(init, step, read, steps=...)`` is a simulation like any other function and gives the same
numbers; the engine keeps its state every few seconds and goes on from there.

======================  ==================================================================================
``init(...)``           the state before the first step
``step(state, t, ...)`` the state after one more step; ``t`` counts the steps done before, from 0
``read(state, ...)``    what a simulation returns
``steps``               how many: a number, or a function of parameters
======================  ==================================================================================

Each names what else it needs, as a simulation does. What a state may hold: `theorycheck.arrays.states`. What a
step draws at random has to follow from ``t`` and the state. In a sampled leg a block is run whole.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from theorycheck.claims.functions import ClaimError, Simulation, arguments

State = Any


@dataclass(frozen=True)
class Iterated:
    """A simulation given as steps; make it with `iterated`. Calling it runs it to its end."""

    init: Simulation
    step: Simulation
    read: Simulation
    steps: int | Callable[..., int]

    def __post_init__(self) -> None:
        # To all that asks, it is a function of the names that its parts ask for.
        names = dict.fromkeys(
            [*arguments(self.init), *arguments(self.step)[2:], *arguments(self.read)[1:]]
            + (list(arguments(self.steps)) if callable(self.steps) else [])
        )
        parameters = [inspect.Parameter(n, inspect.Parameter.KEYWORD_ONLY) for n in names]
        shown = {
            "__signature__": inspect.Signature(parameters),
            "__name__": getattr(self.read, "__name__", "read"),
            "__doc__": self.read.__doc__ or self.step.__doc__,
        }
        for name, value in shown.items():
            object.__setattr__(self, name, value)

    def __call__(self, **given: Any) -> Any:
        return self.run(given)

    def run(
        self,
        given: Mapping[str, object],
        begin: tuple[int, State] | None = None,
        seen: Callable[[int, State], None] | None = None,
    ) -> Any:
        """What ``read`` gives after the last step. ``begin``: steps done, and the state after them;
        ``seen`` is told both after every step. Raises ValueError for a number of steps that is none,
        StateError for a state that cannot be kept."""
        from theorycheck.arrays.states import (
            contiguous,  # arrays are not loaded where claims are listed
        )

        count = self.steps(**_asked(self.steps, given)) if callable(self.steps) else self.steps
        if not isinstance(count, int) or isinstance(count, bool) or count < 0:
            raise ValueError(f"steps gave {count!r}, which is no number of steps")
        done, state = begin or (0, contiguous(self.init(**_asked(self.init, given))))
        more = _asked(self.step, given, 2)
        for t in range(done, count):
            state = contiguous(self.step(state, t, **more))
            if seen is not None:
                seen(t + 1, state)
        return self.read(state, **_asked(self.read, given, 1))

    def parts(self) -> Iterator[tuple[str, Any]]:
        """Its functions by name."""
        yield from (("init", self.init), ("step", self.step), ("read", self.read))
        if callable(self.steps):
            yield "steps", self.steps


def iterated(
    init: Simulation, step: Simulation, read: Simulation, *, steps: int | Callable[..., int]
) -> Iterated:
    """A simulation of so many steps; see the module. Raises ClaimError for what cannot be one."""
    if len(arguments(step)) < 2 or len(arguments(read)) < 1:
        raise ClaimError(
            "iterated(): step takes the state and the number of steps done first, read the state"
        )
    if not callable(steps) and (not isinstance(steps, int) or isinstance(steps, bool) or steps < 0):
        raise ClaimError("iterated(): steps is an integer from 0, or a function of parameters")
    return Iterated(init, step, read, steps)


def _asked(function: Simulation, given: Mapping[str, object], first: int = 0) -> dict[str, object]:
    return {n: given[n] for n in arguments(function)[first:] if n in given}
