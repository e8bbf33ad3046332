"""Whether a certificate runs the model: its value moves when something of the model is changed.

A bound that holds for everything is computed from the model, the same that the other legs run. What the
program of a certificate shares with theirs (functions of the claim's folder), and the data that it is
given, are changed one after the other, and the certificate is computed again: where nothing moves it, it
is the closed form typed again, or a predicate that holds it. Changed programs are copies of their own:
nothing that is cached or judged sees them.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from theorycheck.claims.functions import Simulation

Program = types.FunctionType


def shared(
    program: Simulation, others: Sequence[Simulation], kept: Sequence[Simulation] = ()
) -> list[Program]:
    """The functions that a program reaches in its own folder and another program reaches too, itself and
    ``kept`` left out; in the order in which they are met."""
    theirs = {id(f.__code__) for other in others for f in reached(other)}
    own = [f for f in reached(program) if id(f.__code__) in theirs]
    tops = {id(f.__code__) for one in (program, *kept) if (f := _plain(one)) is not None}
    return [f for f in own if id(f.__code__) not in tops]


def reached(program: Simulation) -> Iterator[Program]:
    """The functions of its folder that a program names, itself first, each once."""
    first = _plain(program)
    if first is None:
        return
    waiting, seen = [first], {id(first.__code__)}
    while waiting:
        function = waiting.pop(0)
        yield function
        for _, item in _named(function):
            found = _plain(item)
            if found is not None and _beside(found, first) and id(found.__code__) not in seen:
                seen.add(id(found.__code__))
                waiting.append(found)


def with_changed(
    program: Simulation, changed: Program, kept: Sequence[Simulation] = ()
) -> Simulation:
    """A copy of a program in which what one function returns is moved (`moved`). Where it calls one of ``kept``
    that one runs as it was: what moves the copy reaches it beside them."""
    copy: Simulation = _Copy(changed, kept).of(program)
    return copy


def moved(value: Any) -> Any:
    """The value with every number in it changed, each by another factor, so that nothing cancels by scale; what
    is no number is returned as it is."""
    return _moved(value, [0])


def _moved(value: Any, place: list[int]) -> Any:
    if isinstance(value, bool | np.bool_):
        return not value
    if isinstance(value, int | np.integer) or type(value) is Fraction:
        place[0] += 1
        return (
            value * (place[0] + 1) + 1
            if isinstance(value, int | np.integer)
            else (value * Fraction(place[0] + 7, 7) + Fraction(1, 5))
        )
    if isinstance(value, float):
        place[0] += 1
        return value * (1 + place[0] / 7) + 0.2
    if isinstance(value, tuple | list):
        items = [_moved(v, place) for v in value]
        named = isinstance(value, tuple) and hasattr(value, "_fields")
        return type(value)(*items) if named else type(value)(items)
    if isinstance(value, set | frozenset):  # in an order of its own: that of a set is no part of it
        return type(value)(_moved(v, place) for v in sorted(value, key=repr))
    if isinstance(value, Mapping):
        return {k: _moved(v, place) for k, v in value.items()}
    return _moved_array(value)


def _moved_array(value: Any) -> Any:
    """Entry i of an array times (i + 8)/7, plus a fifth of that: in any arithmetic that has a namespace."""
    if isinstance(value, np.ndarray):
        if value.dtype.kind == "b":
            return ~value
        if value.dtype.kind in "iu":
            return value * (np.arange(value.size).reshape(value.shape) + 2) + 1
        if value.dtype.kind == "f":
            return value * (np.arange(value.size).reshape(value.shape) + 8) / 7 + 0.2
        if value.dtype.kind != "O":
            return value
        flat = [_moved(v, [i]) for i, v in enumerate(value.reshape(-1))]
        out = np.empty(value.size, dtype=object)
        out[:] = flat
        return out.reshape(value.shape)
    ns = getattr(value, "ns", None)
    if ns is None or not hasattr(value, "shape"):
        return value
    count = int(np.prod(value.shape, dtype=int))
    weights = [Fraction(i + 8, 7) for i in range(count)]
    factor = ns.reshape(ns.asarray(weights), tuple(value.shape))
    return (value + ns.rational(1, 5)) * factor


class _Copy:
    """Copies of functions in which one of them is moved, whoever calls it. Each copy has globals of its own, in
    which functions of the folder, and what remembers their results, stand as copies too."""

    def __init__(self, changed: Program, kept: Sequence[Simulation] = ()) -> None:
        self.changed = changed
        self.made: dict[int, Any] = {
            id(f.__code__): one for one in kept if (f := _plain(one)) is not None
        }

    def of(self, item: Any) -> Any:
        function = _plain(item)
        if function is None:
            return item
        copied = self.made.get(id(function.__code__))
        if copied is not None:
            return copied
        scope = dict(function.__globals__)
        copy = types.FunctionType(
            function.__code__, scope, function.__name__, function.__defaults__, function.__closure__
        )
        copy.__kwdefaults__ = function.__kwdefaults__
        copy.__module__ = function.__module__
        result: Any = _moving(copy) if function.__code__ is self.changed.__code__ else copy
        self.made[id(function.__code__)] = result
        for name, other in _named(function):
            found = _plain(other)
            if "." not in name and found is not None and _beside(found, function):
                scope[name] = self.of(other)
        for name in {n.partition(".")[0] for n, _ in _named(function) if "." in n}:
            scope[name] = self._module(scope[name], function)
        return result

    def _module(self, module: types.ModuleType, caller: Program) -> Any:
        """A module of the folder with copies in the place of its functions."""
        copies = {
            n: self.of(v)
            for n, v in vars(module).items()
            if (f := _plain(v)) is not None and _beside(f, caller)
        }
        return types.SimpleNamespace(**{**vars(module), **copies})


def _moving(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def changed(*given: Any, **named: Any) -> Any:
        return moved(function(*given, **named))

    return changed


def _plain(item: Any) -> Program | None:
    """The function behind a name: itself, or what a cache or another wrapper stands for."""
    while not isinstance(item, types.FunctionType) and hasattr(item, "__wrapped__"):
        item = item.__wrapped__
    return item if isinstance(item, types.FunctionType) else None


def _named(function: Program) -> Iterator[tuple[str, Any]]:
    """Globals that a function's code names, and ``module.name`` of modules beside it."""
    scope = function.__globals__
    for name in sorted(_names(function.__code__)):
        if name not in scope:
            continue
        item = scope[name]
        if not isinstance(item, types.ModuleType):
            yield name, item
        elif item.__name__.rpartition(".")[0] == function.__module__.rpartition(".")[0]:
            yield from (
                (f"{name}.{n}", vars(item)[n])
                for n in sorted(_names(function.__code__) & set(vars(item)))
            )


def _names(code: types.CodeType) -> set[str]:
    inner = (c for c in code.co_consts if isinstance(c, types.CodeType))
    return set(code.co_names).union(*(_names(c) for c in inner))


def _beside(function: Program, other: Program) -> bool:
    """Whether two functions stand in one folder, or in one module where there is no folder."""
    mine, theirs = function.__module__ or "", other.__module__ or ""
    return mine == theirs or ("." in mine and mine.rpartition(".")[0] == theirs.rpartition(".")[0])
