"""What runs on a GPU, run on a stand-in for CuPy: the same path, operation by operation."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cupy_double import installed
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from theorycheck.arrays import FloatNamespace, IntervalNamespace, enclose, select
from theorycheck.arrays.fused import fused, product_radius_of_two, sum_radius
from theorycheck.executors.local import here
from theorycheck.library.loading import bundled, load_file
from theorycheck.numbers.errors import BackendError
from theorycheck.plan.settings import Settings
from theorycheck.runs.run import Finished, exit_code, run

DATA = np.random.default_rng(0).standard_normal((6, 6))

PROGRAMS: dict[str, Callable[[Any, Any], Any]] = {
    "products": lambda ns, x: (x @ x.mT) * x - ns.rational(1, 3) / (2 + ns.square(x)),
    "softmax": lambda ns, x: ns.softmax(ns.sin(x) + ns.cumulative_sum(ns.tanh(x), axis=1)),
    "choice": lambda ns, x: ns.where(x > 0, ns.sqrt(abs(x)), ns.exp(x)),
    "order": lambda ns, x: ns.sort(ns.max(x, axis=1)) + ns.number(ns.argmax(x, axis=0)),
    "solve": lambda ns, x: ns.solve(x @ x.mT + ns.eye(6), x[:, 0]),
    "spectrum": lambda ns, x: ns.eigvalsh(x @ x.mT),
    "transforms": lambda ns, x: ns.wht(x[:4, :4]) + ns.dft(x[:4, :4])[0],
    "assembly": lambda ns, x: ns.concat([ns.stack([x[0], x[1]]), ns.flip(x, axis=0)[:2]]),
    "erf": lambda ns, x: ns.erf(x) + ns.relu(x) + ns.softplus(x),
}


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("kind", [IntervalNamespace, FloatNamespace])
def test_programs_give_the_same_bits(name: str, kind: Any) -> None:
    program = PROGRAMS[name]

    def found(device: str) -> Any:
        ns = kind(select(device).xp)
        result = program(ns, ns.from_float64(DATA))
        return enclose(result) if kind is IntervalNamespace else select(device).to_numpy(result)

    with installed():
        ours = found("gpu")
    theirs = found("cpu")
    assert np.array_equal(ours, theirs) if kind is FloatNamespace else ours == theirs


def test_the_stand_in_refuses_what_cupy_refuses() -> None:
    with installed() as cupy:
        x = cupy.asarray(np.ones(3))
        for mixed in (
            lambda: x + np.ones(3),
            lambda: np.ones(3) * x,
            lambda: np.asarray(x),
            lambda: cupy.matmul(x, np.ones(3)),
            lambda: cupy.asarray(np.array([None])),
        ):
            with pytest.raises((TypeError, ValueError)):
                mixed()
        assert isinstance(cupy.sum(x), cupy.ndarray) and float(cupy.sum(x)) == 3
    assert "cupy" not in sys.modules


# ------------------------------------------------------------ choosing the device


def test_no_card_is_one_clear_line_and_auto_takes_the_processor() -> None:
    with installed(devices=0):
        with pytest.raises(BackendError, match="no CUDA device"):
            select("gpu")
        assert select("auto").device == "cpu"
    with installed() as cupy:

        def broken() -> int:
            raise cupy.cuda.runtime.CUDARuntimeError("driver")

        cupy.cuda.runtime.getDeviceCount = broken
        with pytest.raises(BackendError, match="no usable CUDA device"):
            select("gpu")


def test_reduced_precision_is_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUPY_TF32", "1")
    with installed():
        assert select("auto").device == "gpu"
        assert os.environ["CUPY_TF32"] == "0"
        assert select("gpu").xp.float64 == np.float64
        assert FloatNamespace(select("gpu").xp).ones(2).dtype == np.float64


# ------------------------------------------------------------ fused chains


@given(st.lists(st.tuples(*[st.floats(-1e3, 1e3)] * 5), min_size=1, max_size=4))
def test_kernels_are_the_plain_chains(rows: list[tuple[float, ...]]) -> None:
    mid, a, ra, b, rb = np.array(rows).T
    plain = sum_radius(np, mid, abs(ra), abs(rb))
    product = product_radius_of_two(np, mid, a, abs(ra), b, abs(rb))
    with installed() as cupy:
        xp = select("gpu").xp
        there = [xp.asarray(x) for x in (mid, a, abs(ra), b, abs(rb))]
        assert np.array_equal(sum_radius(xp, there[0], there[2], there[4]).get(), plain)
        assert np.array_equal(product_radius_of_two(xp, *there).get(), product)
        assert sorted(cupy.fuse.made) == ["product_radius_of_two", "sum_radius"]


def test_a_chain_is_compiled_once_and_never_on_the_processor() -> None:
    @fused
    def chain(xp: Any, x: Any) -> Any:
        return xp.abs(x) + 1

    with installed() as cupy:
        assert chain(np, np.array([-1.0])) == 2 and cupy.fuse.made == []
        for _ in range(3):
            assert chain(select("gpu").xp, cupy.asarray([-1.0])).get() == 2
        assert cupy.fuse.made == ["chain"]


# ------------------------------------------------------------ whole claims

CLAIMS = [
    ("looped_transformers", "gd_equivalence.py", ""),
    ("looped_transformers", "condition_number.py", "looped-kappa-gaussian"),
    ("in_context_learning", "noisy_moment.py", ""),
]


def on(device: str, file: Path, claim: str, out: Path) -> Finished:
    items = [i for i in load_file(file) if i.id == claim or not claim]
    return run(items, Settings("smoke", device=device), out / device, executor=here)


@pytest.mark.parametrize(("source", "file", "claim"), CLAIMS)
def test_claims_have_the_same_report_on_both(
    tmp_path: Path, source: str, file: str, claim: str
) -> None:
    path = bundled() / source / file
    with installed():
        there = on("gpu", path, claim, tmp_path)
    ours = on("cpu", path, claim, tmp_path)
    assert there.report.summary.as_expected == len(there.report.claims) > 0
    for one, other in zip(there.report.claims, ours.report.claims, strict=True):
        assert one.reproduce.replace("gpu", "cpu") == other.reproduce
        assert replace(one, seconds=0.0, reproduce="") == replace(other, seconds=0.0, reproduce="")


def test_without_a_card_claims_are_skipped_and_say_so(tmp_path: Path) -> None:
    path = bundled() / "in_context_learning" / "noisy_moment.py"
    with installed(devices=0):
        finished = on("gpu", path, "", tmp_path)
    assert exit_code(finished.report) == 5
    assert all("no CUDA device" in e.reason for e in finished.report.claims)
