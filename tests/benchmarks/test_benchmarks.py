"""The benchmark of simulations: both sides give the same numbers, at tiny sizes, whatever the time."""

from __future__ import annotations

import dataclasses
import importlib
import itertools
import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from scale_claims import EXACT, FALSE, SAMPLED, write

from theorycheck.arrays import FloatNamespace, select, slices
from theorycheck.executors.local import here
from theorycheck.library.loading import load_file
from theorycheck.plan.settings import Settings
from theorycheck.runs.run import run

FOLDER = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture(scope="module")
def bench():
    """The modules of the benchmark, which are found beside the command."""
    sys.path.insert(0, str(FOLDER))
    try:
        yield tuple(
            importlib.import_module(name) for name in ("simulations", "sim_cases", "sim_timing")
        )
    finally:
        sys.path.remove(str(FOLDER))


@pytest.fixture(scope="module")
def tiny(bench):
    cases, backend = bench[1], select("cpu")
    tools = (backend, FloatNamespace(backend.xp), cases.installed("jax"), cases.installed("torch"))
    return [
        cases.margin(*tools, 2, 5),
        cases.margin(*tools, 1, 3),
        cases.looped(*tools, 3, 4, 2, 3),
        cases.in_context(*tools, 5, 3, 2),
        cases.training(*tools, 2, 2, 3, 4, 5),
        cases.training(*tools, 1, 3, 3, 2, 3),
        cases.parity(*tools, 3, 2),
    ]


def test_both_sides_of_every_case_give_the_same_numbers(bench, tiny):
    for case in tiny:
        bench[2].check(case)
        assert any(run is not None for run in case.rivals.values())
        assert case.flops + case.traffic > 0


def test_other_numbers_and_shapes_are_refused(bench, tiny):
    timing = bench[2]
    for case in tiny:
        right = case.engine()
        for wrong in (right * 1.01, right[..., :-1], right * np.nan):
            spoilt = dataclasses.replace(case, rivals={"spoilt": lambda wrong=wrong: wrong})
            with pytest.raises(timing.Disagreement, match="spoilt"):
                timing.check(spoilt)


def test_ratios_are_those_of_the_clock(bench):
    """A clock that moves by what is run: the ratios and shares are then exact."""
    timing = bench[2]
    now = [0.0]

    def taking(seconds):
        def run():
            now[0] += seconds
            return np.ones(1)

        return run

    case = timing.Case("c", "s", taking(2.0), {"slow": taking(6.0), "absent": None}, 0.0, 1.0)
    row = timing.measure(case, 3, lambda: now[0], least=0.0)
    assert row.seconds == 2
    assert row.ratios == {"slow": 3, "absent": None}


def test_the_table_says_what_is_not_installed(bench, tiny):
    simulations, _, timing = bench
    ratios = {"NumPy loop": 2.0, "JAX": None}
    row = timing.Row(tiny[0], 0.001, ratios, "GEMM", 0.25)
    other = timing.Row(tiny[-1], 0.002, {"JAX": None}, "copy", 0.5)
    lines = list(simulations.table([row, other]))
    assert "| 2.00 | not installed | GEMM | 25% |" in lines[-2]
    assert "| - | not installed | copy | 50% |" in lines[-1]


def test_margins_by_brute_force(bench):
    """The engine's side against a count over inputs that shares nothing with it."""
    cases, backend = bench[1], select("cpu")
    k, p = 2, 5
    network = cases.model("fourier_circuits", "max_margin", "_network")
    found = cases.margin(backend, FloatNamespace(np), None, None, k, p).engine()
    gaps = []
    for a in itertools.product(range(p), repeat=k):
        f = np.zeros(p)
        for n in network.source_design(k, p):
            turn = 2 * np.pi / p * n.frequency
            inner = sum(np.cos(turn * x + np.pi / 2 * b) for x, b in zip(a, n.phases, strict=True))
            f += inner**k * np.cos(turn * np.arange(p) + np.pi / 2 * n.out)
        gaps += [f[sum(a) % p] - f[c] for c in range(p) if c != sum(a) % p]
    assert np.allclose(found, [min(gaps), max(gaps)])


def test_the_row_of_the_source_s_sizes(bench):
    lines = list(bench[0].at_source_sizes(select("cpu"), bench[2].processor, 1e9, [(2, 5), (3, 3)]))
    assert lines[-2].startswith("| 2, 5, 16 | 25 | 5 |")
    assert lines[-1].startswith("| 3, 3, 32 | 27 | 6 |")


def test_blocks_of_prompts_change_no_number(bench, monkeypatch):
    models = bench[1].model("looped_transformers", "gd_equivalence", "_models")
    rng, ns = np.random.default_rng(5), FloatNamespace(np)
    X, y, q0, alpha, eta = (rng.random(s) for s in ((11, 3, 2), (11, 3), (11, 2), 11, (11, 4)))
    whole = models.looped_transformer(ns, X, y, q0, alpha, eta, 4)
    monkeypatch.setattr(slices, "IN_CACHE", 40)
    assert np.array_equal(models.looped_transformer(ns, X, y, q0, alpha, eta, 4), whole)
    scale = alpha[:, None]
    assert np.allclose(whole, scale * models.gradient_descent(ns, X, y, -q0 / scale, eta, 4))


# ------------------------------------------------------------ faults


@pytest.fixture
def faults():
    sys.path.insert(0, str(FOLDER))
    try:
        yield importlib.import_module("faults")
    finally:
        sys.path.remove(str(FOLDER))


@pytest.fixture
def ran(tmp_path):
    """A finished run of a few claims, and a copy of it."""
    file = write(tmp_path, EXACT, FALSE)
    run(load_file(file), Settings("smoke"), tmp_path / "one", executor=here)
    shutil.copytree(tmp_path / "one", tmp_path / "other")
    return tmp_path / "one", tmp_path / "other"


def test_only_clocks_may_differ_between_two_runs(faults, ran):
    one, other = ran
    report = json.loads((other / "report.json").read_text())
    report["run"] |= {"id": "x", "started": "y", "seconds": 9.0, "machine": {}}
    report["claims"][0]["seconds"] = 9.0
    report["claims"].reverse()
    (other / "report.json").write_text(json.dumps(report))
    assert faults.differences(one, other) == []


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda r: r["claims"][0].update(verdict="inconclusive"), "/claims/odd-numbers/verdict"),
        (lambda r: r["claims"].pop(), "/claims/odd-numbers-wrong"),
        (lambda r: r["run"].update(alpha_spent=0.5), "/run/alpha_spent"),
        (lambda r: r["summary"].update(claims=3), "/summary/claims"),
    ],
)
def test_any_other_difference_is_told(faults, ran, spoil, told):
    one, other = ran
    report = json.loads((other / "report.json").read_text())
    spoil(report)
    (other / "report.json").write_text(json.dumps(report))
    assert any(line.startswith(told) for line in faults.differences(one, other))


def test_observations_that_differ_or_are_lost_are_told(faults, ran):
    one, other = ran
    file = other / "observations" / "odd-numbers.json"
    file.write_text(file.read_text().replace('"samples":0', '"samples":1', 1))
    assert faults.differences(one, other) == ["observations/odd-numbers.json"]
    file.unlink()
    assert faults.differences(one, other) == ["observations/odd-numbers.json"]


def test_the_command_runs_its_trials(tmp_path):
    """Shards of two claims; all trials of the whole library are in results/faults.md."""
    file = write(tmp_path, EXACT, SAMPLED)
    command = [sys.executable, str(FOLDER / "faults.py"), str(file), "--only", "shards"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=400)
    assert done.returncode == 0, done.stdout + done.stderr
    assert any(
        line.startswith("| shards") and line.endswith("| none |")
        for line in done.stdout.splitlines()
    )
