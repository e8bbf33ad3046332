"""Choosing a device; the clear refusal where there is none."""

from __future__ import annotations

import ctypes
import importlib.util
import sys
from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq

from theorycheck.arrays import FloatNamespace, IntervalNamespace, enclose, select
from theorycheck.arrays.backends import keep_memory, pin_threads
from theorycheck.numbers.errors import BackendError


def test_cpu() -> None:
    backend = select("cpu")
    assert backend.device == "cpu" and backend.name.startswith("numpy")
    assert np.array_equal(backend.to_numpy(backend.xp.asarray([1, 2])), [1, 2])
    assert enclose(IntervalNamespace(backend.xp).asarray([1]))[0].lo == 1


def test_python_numbers_are_enclosed_where_they_are_exact():
    (third,) = enclose(Fraction(1, 3))
    assert third.lo == third.hi == fmpq(1, 3)
    with pytest.raises(TypeError, match="float has no enclosure"):
        enclose(1 / 3)


def test_an_allocator_without_thresholds_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda name: object())
    assert keep_memory() is False


def test_unknown_device() -> None:
    with pytest.raises(ValueError, match="choose cpu, gpu or auto"):
        select("tpu")


def test_a_missing_cupy_is_said_clearly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cupy", None)
    with pytest.raises(BackendError, match=r"theorycheck\[gpu\]"):
        select("gpu")
    assert select("auto").device == "cpu"


def test_threads_are_pinned_and_released() -> None:
    from threadpoolctl import threadpool_info

    np.ones((4, 4)) @ np.ones((4, 4))
    before = [p["num_threads"] for p in threadpool_info()]
    with pin_threads(1):
        assert all(p["num_threads"] == 1 for p in threadpool_info())
    assert [p["num_threads"] for p in threadpool_info()] == before
    with pytest.raises(ValueError):
        pin_threads(0)


def test_importing_the_arrays_loads_no_gpu_library() -> None:
    import subprocess

    code = "import sys, theorycheck.arrays; print('cupy' in sys.modules, 'torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


@pytest.mark.skipif(importlib.util.find_spec("cupy") is None, reason="CuPy is not installed")
def test_gpu_encloses_the_same_values() -> None:
    """Both devices enclose the same reals: their intervals meet, entry by entry."""
    try:
        gpu = select("gpu")
    except BackendError as error:
        pytest.skip(str(error))
    host, device = IntervalNamespace(select("cpu").xp), IntervalNamespace(gpu.xp)
    data = np.random.default_rng(0).standard_normal((64, 64))

    def program(ns: IntervalNamespace) -> object:
        x = ns.from_float64(data)
        return ns.softmax(ns.sin(x @ x) + ns.cumulative_sum(ns.tanh(x), axis=1))

    pairs = zip(enclose(program(host)), enclose(program(device)), strict=True)
    assert all(a.intersects(b) for a, b in pairs)
    plain = FloatNamespace(gpu.xp)
    assert gpu.to_numpy(plain.ones(3)).tolist() == [1, 1, 1]
