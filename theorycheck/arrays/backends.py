"""Array libraries behind the namespaces: NumPy on a CPU, CuPy on a GPU."""

from __future__ import annotations

import ctypes
import importlib
import os
from dataclasses import dataclass
from typing import Any

import array_api_compat
import numpy as np
from threadpoolctl import threadpool_limits

from theorycheck.numbers.errors import BackendError


@dataclass(frozen=True)
class Backend:
    """An array library and the device that its arrays live on.

    ``xp``: namespace of the array API; ``device``: ``cpu`` or ``gpu``; ``name``: for reports.
    """

    xp: Any
    device: str
    name: str

    def to_numpy(self, array: Any) -> np.ndarray[Any, Any]:
        return to_host(array)


def to_host(array: Any) -> np.ndarray[Any, Any]:
    """A NumPy array with the same entries, moved from the device where needed."""
    if isinstance(array, np.ndarray):
        return array
    if array_api_compat.is_cupy_array(array):
        return np.asarray(array.get())
    return np.asarray(array)


def select(device: str = "cpu") -> Backend:
    """The backend for ``cpu``, ``gpu`` or ``auto`` (a GPU if one can be used, else the CPU).

    Raises BackendError when ``gpu`` is asked for and CuPy or a device is absent, ValueError for any
    other word.
    """
    if device == "cpu":
        return _numpy()
    if device == "gpu":
        return _cupy()
    if device == "auto":
        try:
            return _cupy()
        except BackendError:
            return _numpy()
    raise ValueError(f"device {device!r}: choose cpu, gpu or auto")


def pin_threads(count: int = 1) -> Any:
    """Context (also usable as a plain call) that holds BLAS and OpenMP pools to ``count`` threads.

    The order of summation inside a GEMM depends on the number of threads; pinning it makes reruns
    give the same bits on the same machine.
    """
    if count < 1:
        raise ValueError(f"the number of threads must be at least 1, got {count}")
    return threadpool_limits(limits=count)


_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # of mallopt(3)
_KEPT, _OWN_PAGES = 256 * 2**20, 32 * 2**20  # bytes; 32 MiB is the largest that glibc takes


def keep_memory() -> bool:
    """Have this process keep up to 256 MiB that its arrays free, for the next ones; whether it will (glibc only).

    By default an array of some hundred kilobytes goes back to the system when it is freed and the next one of its
    size comes as fresh pages, each of which is zeroed and mapped at its first touch: a quarter of the time of
    simulations that work on arrays of 0.5 MB (`benchmarks/simulations.py`). For worker processes, which do nothing
    else.
    """
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (
        OSError,
        AttributeError,
        TypeError,
    ):  # another allocator, or no way to load one's own symbols
        return False
    return bool(mallopt(_MMAP_THRESHOLD, _OWN_PAGES)) and bool(mallopt(_TRIM_THRESHOLD, _KEPT))


def _numpy() -> Backend:
    import array_api_compat.numpy as xp

    return Backend(xp, "cpu", f"numpy {np.__version__}")


def _cupy() -> Backend:
    os.environ["CUPY_TF32"] = "0"  # TF32 products keep 10 bits; CuPy reads this at its first GEMM
    try:
        cupy = importlib.import_module("cupy")
    except ImportError as error:
        raise BackendError(
            f"device gpu needs CuPy, which cannot be imported ({error}); install theorycheck[gpu]"
        ) from None
    try:
        count = cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        raise BackendError(f"device gpu: CuPy finds no usable CUDA device ({error})") from None
    if count < 1:
        raise BackendError("device gpu: CuPy finds no CUDA device")
    xp = importlib.import_module("array_api_compat.cupy")
    name = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    return Backend(xp, "gpu", f"cupy {cupy.__version__} on {name}")
