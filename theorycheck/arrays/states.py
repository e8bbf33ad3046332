"""States of iterated simulations as bytes, and back with the same bits.

A state is made of arrays (of a namespace, NumPy's, CuPy's), exact numbers, floats, text, None, in dicts,
lists and tuples. Arrays are kept in NumPy's own format, exact numbers as text; nothing is pickled.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import array_api_compat
import numpy as np
from flint import arb, fmpq, fmpz

from theorycheck.arrays import IntervalArray, ObjectArray, select
from theorycheck.arrays.backends import to_host
from theorycheck.arrays.error_model import Grid

State = Any

_ARRAY, _TREE = "array-{}", "tree"


class StateError(TypeError):
    """A state that cannot be kept: one line that says what it holds."""


def contiguous(state: State) -> State:
    """The state with its arrays in C order: a layout that is lost with the bytes must not enter the last
    bit of a product. Raises StateError for what cannot be kept."""
    if isinstance(state, Mapping):
        if not all(isinstance(k, str) for k in state):
            raise StateError("a state holds a dict with keys that are no text")
        return {k: contiguous(v) for k, v in state.items()}
    if isinstance(state, list | tuple):
        return type(state)([contiguous(v) for v in state])
    if isinstance(state, IntervalArray | ObjectArray):
        return state.map(_in_c_order)
    if isinstance(state, np.ndarray) or array_api_compat.is_cupy_array(state):
        if state.dtype == object:
            raise StateError("a state holds a NumPy array of objects; make it an array of ns")
        return _in_c_order(state)
    if state is None or isinstance(
        state, bool | int | float | str | Fraction | np.generic | arb | fmpq | fmpz
    ):
        return state
    raise StateError(
        f"a state holds {type(state).__name__}; it may hold arrays, numbers, text, dicts, lists, tuples"
    )


def _in_c_order(array: Any) -> Any:
    if array.flags.c_contiguous:
        return array
    return array_api_compat.array_namespace(array).asarray(array, copy=True, order="C")


def encoded(state: State) -> bytes:
    """A state that `contiguous` has passed, as bytes."""
    arrays: list[np.ndarray[Any, Any]] = []
    tree = json.dumps(_tree(state, arrays))
    file = io.BytesIO()
    named = {_ARRAY.format(i): a for i, a in enumerate(arrays)}
    np.savez(file, allow_pickle=False, **{_TREE: np.array(tree)}, **named)
    return file.getvalue()


def decoded(data: bytes, ns: Any = None) -> State:
    """The state again; ``ns``: the namespace that its arrays of intervals, balls or rationals are of.

    Raises ValueError, KeyError or OSError for bytes that `encoded` has not made.
    """
    with np.load(io.BytesIO(data), allow_pickle=False) as file:
        arrays = [file[_ARRAY.format(i)] for i in range(len(file.files) - 1)]
        return _state(json.loads(str(file[_TREE])), arrays, ns)


def _tree(state: State, arrays: list[np.ndarray[Any, Any]]) -> list[Any]:
    """``[kind, ...]``, with arrays by their number."""

    def kept(array: Any) -> int:
        arrays.append(to_host(array))
        return len(arrays) - 1

    match state:
        case Mapping():
            return ["dict", {k: _tree(v, arrays) for k, v in state.items()}]
        case list() | tuple():
            return [type(state).__name__, [_tree(v, arrays) for v in state]]
        case IntervalArray():
            where = "gpu" if array_api_compat.is_cupy_array(state.mid) else "cpu"
            rad = None if state.exact else kept(state.rad)
            grid = None if state.grid is None else [state.grid.exponent, state.grid.count]
            return ["interval", kept(state.mid), rad, grid, where]
        case ObjectArray():
            return ["object", list(state.shape), [_tree(x, arrays) for x in state.data.reshape(-1)]]
        case arb():
            return ["arb", *(str(n) for part in (state.mid(), state.rad()) for n in part.man_exp())]
        case fmpq() | Fraction():
            return [type(state).__name__, str(state)]
        case fmpz():
            return ["fmpz", str(state)]
        case np.generic():
            return ["scalar", kept(np.asarray(state))]
        case bool() | None | str():
            return ["plain", state]
        case int():
            return ["int", str(state)]
        case float():
            return ["float", state.hex()]
    where = "gpu" if array_api_compat.is_cupy_array(state) else "cpu"
    return ["array", kept(state), where]


def _state(tree: list[Any], arrays: list[Any], ns: Any) -> State:
    kind, *rest = tree
    match kind:
        case "dict":
            return {k: _state(v, arrays, ns) for k, v in rest[0].items()}
        case "list" | "tuple":
            made = [_state(v, arrays, ns) for v in rest[0]]
            return made if kind == "list" else tuple(made)
        case "interval":
            mid, rad, grid, where = rest
            mid = _on(where, arrays[mid])
            rad = None if rad is None else _on(where, arrays[rad])
            return IntervalArray(ns, mid, rad, None if grid is None else Grid(*grid))
        case "object":
            data = np.empty(len(rest[1]), dtype=object)
            data[:] = [_state(v, arrays, ns) for v in rest[1]]
            return ObjectArray(ns, data.reshape(rest[0]))
        case "arb":
            return _ball(*map(int, rest))
        case "fmpq":
            return fmpq(*map(int, rest[0].split("/")))
        case "Fraction":
            return Fraction(rest[0])
        case "fmpz":
            return fmpz(rest[0])
        case "scalar":
            return arrays[rest[0]][()]
        case "plain":
            return rest[0]
        case "int":
            return int(rest[0])
        case "float":
            return float.fromhex(rest[0])
        case "array":
            return _on(rest[1], arrays[rest[0]])
    raise ValueError(f"a kept state has a part of unknown kind {kind!r}")


def _ball(m: int, e: int, r: int, f: int) -> arb:
    """The ball m 2^e +/- r 2^f itself: where flint rounds a radius of 30 bits up, it is given half a unit
    less."""
    for radius in ((r, f), (2 * r - 1, f - 1)):
        ball = arb((m, e), radius)
        if ball.rad() == arb((r, f)):
            return ball
    raise ValueError(f"no ball has the radius {r} 2^{f}")


def _on(where: str, array: Any) -> Any:
    return array if where == "cpu" else select("gpu").xp.asarray(array)
