"""A stand-in for CuPy on machines without a GPU: arrays of NumPy that behave as if they were elsewhere.

It refuses what CuPy refuses: a device array turns into a host array by ``get`` only, no function takes both
kinds, and reductions give arrays of shape () rather than numbers. `installed` puts it in CuPy's place.
"""

from __future__ import annotations

import contextlib
import sys
import types
from collections.abc import Iterator
from typing import Any

import numpy as np
import scipy.special

_REFLECTED = ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul"]
_REFLECTED += ["and", "or", "xor", "lshift", "rshift"]
_OPERATORS = [*_REFLECTED, "lt", "le", "gt", "ge", "eq", "ne"]


class ndarray:  # noqa: N801 - CuPy's name
    """A device array."""

    __array_priority__ = 100
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, host: Any) -> None:
        self._host = np.asarray(host)

    def get(self) -> np.ndarray:
        return self._host.copy()

    def __array__(self, *words: Any, **more: Any) -> Any:
        raise TypeError("Implicit conversion to a NumPy array is not allowed. Use `.get()`.")

    def __array_ufunc__(self, *words: Any, **more: Any) -> Any:
        return NotImplemented

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or not hasattr(np.ndarray, name):
            raise AttributeError(name)
        found = getattr(self._host, name)
        return on_device(found) if callable(found) else _moved(found)

    def __getitem__(self, index: Any) -> ndarray:
        return _moved(self._host[_on_host(index)])

    def __setitem__(self, index: Any, value: Any) -> None:
        self._host[_on_host(index)] = _on_host(value)

    def __len__(self) -> int:
        return len(self._host)

    def __iter__(self) -> Iterator[ndarray]:
        return (self[i] for i in range(len(self)))

    def __bool__(self) -> bool:
        return bool(self._host)

    def __int__(self) -> int:
        return int(self._host)

    def __float__(self) -> float:
        return float(self._host)

    def __index__(self) -> int:
        return self._host.__index__()

    def __format__(self, spec: str) -> str:
        return format(self._host, spec)

    def __repr__(self) -> str:
        return f"on the device: {self._host!r}"


def _operator(name: str) -> Any:
    def apply(self: ndarray, *others: Any) -> Any:
        found = getattr(self._host, name)(*(_on_host(x) for x in others))
        return found if found is NotImplemented else _moved(found)

    return apply


def _in_place(name: str) -> Any:
    def apply(self: ndarray, other: Any) -> ndarray:
        getattr(self._host, name)(_on_host(other))
        return self

    return apply


for _name in _OPERATORS:
    setattr(ndarray, f"__{_name}__", _operator(f"__{_name}__"))
for _name in _REFLECTED:
    setattr(ndarray, f"__r{_name}__", _operator(f"__r{_name}__"))
    setattr(ndarray, f"__i{_name}__", _in_place(f"__i{_name}__"))
for _name in ("neg", "pos", "abs", "invert"):
    setattr(ndarray, f"__{_name}__", _operator(f"__{_name}__"))


def _on_host(value: Any) -> Any:
    """Arguments of a device function: host arrays are refused, as CuPy refuses them."""
    if isinstance(value, ndarray):
        return value._host
    if isinstance(value, np.ndarray):
        raise TypeError(f"Unsupported type {type(value)}")
    if isinstance(value, list | tuple) and not hasattr(value, "_fields"):
        return type(value)(_on_host(v) for v in value)
    if isinstance(value, dict):
        return {k: _on_host(v) for k, v in value.items()}
    return value


def _moved(value: Any) -> Any:
    """Results: arrays and NumPy's numbers are on the device."""
    if isinstance(value, np.ndarray | np.generic):
        return ndarray(value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*map(_moved, value))
    if isinstance(value, list | tuple):
        return type(value)(_moved(v) for v in value)
    return value


def on_device(function: Any) -> Any:
    """A function of NumPy as one of CuPy."""

    def call(*words: Any, **more: Any) -> Any:
        return _moved(function(*_on_host(words), **_on_host(more)))

    call.__name__ = getattr(function, "__name__", "call")
    return call


def _array(obj: Any, dtype: Any = None, copy: Any = True, order: Any = "K", **more: Any) -> ndarray:
    """``asarray`` and ``array``: here, and only here, host data becomes device data."""
    if isinstance(obj, list | tuple):
        obj = np.array([x._host if isinstance(x, ndarray) else x for x in obj], dtype=dtype)
    host = obj._host if isinstance(obj, ndarray) else obj
    made = np.array(host, dtype=dtype, copy=True if copy else None, order=order or "K")
    if made.dtype == object:
        raise ValueError(f"Unsupported dtype {made.dtype}")
    return obj if isinstance(obj, ndarray) and made is host else ndarray(made)


def _asarray(obj: Any, dtype: Any = None, order: Any = None, **more: Any) -> ndarray:
    return _array(obj, dtype, copy=not isinstance(obj, ndarray), order=order)


class _Device:
    def __init__(self, number: Any = None) -> None:
        self.id = number or 0

    def __enter__(self) -> _Device:
        return self

    def __exit__(self, *error: Any) -> None:
        return None


class _NoDevice(RuntimeError):
    pass


def module(devices: int = 1) -> dict[str, types.ModuleType]:
    """Modules by name: CuPy with so many devices, and what comes with it."""
    cupy = types.ModuleType("cupy")
    for name in dir(np):
        if name.startswith("_"):
            continue
        found = getattr(np, name)
        if isinstance(found, types.ModuleType):
            continue
        plain = isinstance(found, type) or not callable(found)
        setattr(cupy, name, found if plain else on_device(found))
    for name in ("dtype", "finfo", "iinfo", "result_type", "issubdtype", "isdtype", "can_cast"):
        setattr(cupy, name, _untouched(getattr(np, name)))
    cupy.ndarray, cupy.array, cupy.asarray = ndarray, _array, _asarray
    cupy.asnumpy = lambda array: array.get()
    cupy.__version__ = "double"
    cupy.fuse = _fuse(cupy)
    modules = {"cupy": cupy}
    for name in ("linalg", "fft"):
        part = types.ModuleType(f"cupy.{name}")
        for word in dir(getattr(np, name)):
            found = getattr(getattr(np, name), word)
            if not word.startswith("_") and callable(found):
                setattr(part, word, found if isinstance(found, type) else on_device(found))
        setattr(cupy, name, part)
        modules[f"cupy.{name}"] = part
    runtime = types.SimpleNamespace(
        getDeviceCount=lambda: devices,
        getDeviceProperties=lambda number: {"name": b"Double"},
        CUDARuntimeError=_NoDevice,
    )
    cupy.cuda, device = types.ModuleType("cupy.cuda"), types.ModuleType("cupy.cuda.device")
    cupy.cuda.runtime, cupy.cuda.Device, cupy.cuda.Stream = runtime, _Device, object
    device.Device = _Device
    modules |= {"cupy.cuda": cupy.cuda, "cupy.cuda.device": device}
    special = types.ModuleType("cupyx.scipy.special")
    for word in ("erf", "erfc", "gammaln", "ndtr"):
        setattr(special, word, on_device(getattr(scipy.special, word)))
    modules["cupyx"] = types.ModuleType("cupyx")
    modules["cupyx.scipy"] = types.ModuleType("cupyx.scipy")
    modules["cupyx.scipy.special"] = special
    return modules


def _untouched(function: Any) -> Any:
    def call(*words: Any, **more: Any) -> Any:
        return function(*(w._host if isinstance(w, ndarray) else w for w in words), **more)

    return function if isinstance(function, type) and function is np.dtype else call


def _fuse(cupy: types.ModuleType) -> Any:
    """``cupy.fuse`` runs a function as it is; ``cupy.fuse.made`` counts the kernels."""

    def fuse(function: Any) -> Any:
        fuse.made.append(function.__name__)

        def kernel(*arrays: Any) -> Any:
            if not any(isinstance(a, ndarray) for a in arrays):
                raise TypeError("a kernel needs an array on the device")
            return function(*arrays)

        return kernel

    fuse.made = []
    return fuse


@contextlib.contextmanager
def installed(devices: int = 1) -> Iterator[types.ModuleType]:
    """The stand-in as ``cupy`` inside the block; whatever was imported with it goes with it."""
    names = ("cupy", "cupyx", "array_api_compat.cupy")
    mine = [n for n in sys.modules if n.startswith(names)]
    before = {n: sys.modules.pop(n) for n in mine}
    modules = module(devices)
    sys.modules.update(modules)
    try:
        yield modules["cupy"]
    finally:
        for name in [n for n in sys.modules if n.startswith(names)]:
            del sys.modules[name]
        sys.modules.update(before)
