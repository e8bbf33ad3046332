"""What the modules of claims share: the error, and the functions that authors write."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache, partial
from typing import Any

from theorycheck.numbers.errors import UserError

PROFILES = ("smoke", "standard", "deep", "paper")

RESERVED = frozenset({"ns", "rng", "size"})
"""Arguments of a simulation that are neither parameters nor fields."""

Simulation = Callable[..., Any]


class ClaimError(UserError):
    """A claim that is not well formed: one line that says what is wrong and what to write."""


@cache
def arguments(function: Simulation) -> tuple[str, ...]:
    """Names of the arguments that a function has to be given."""
    allowed = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    parameters = inspect.signature(function).parameters.values()
    return tuple(p.name for p in parameters if p.kind in allowed and p.default is p.empty)


def defaulted(function: Simulation) -> frozenset[str]:
    """Names of the arguments that the engine never passes, as they have a default; those that a variant fixed
    (``partial``) are meant not to be passed."""
    fixed = set(function.keywords) if isinstance(function, partial) else set()
    return frozenset(named_arguments(function)) - set(arguments(function)) - fixed


def named_arguments(function: Simulation) -> tuple[str, ...]:
    """Names of all arguments of a function, those with a default among them: what it may use."""
    return tuple(inspect.signature(function).parameters)


def name_of(function: Simulation) -> str:
    """The name of a function as its author wrote it."""
    return str(getattr(function, "__name__", function))
