"""The engine's simulations beside what a person would write instead: same arithmetic, same result.

Run it with ``python benchmarks/simulations.py`` (a minute) or with ``--quick``. JAX and PyTorch take part
where they are installed. Each side has one thread and keeps the memory that its arrays free, as a worker of
the engine does; times are processor time, engine and rivals in turn, and ratios are taken round by round. On
a GPU times are wall time and the rivals stay on the CPU.
"""

from __future__ import annotations

import os

# Read when the libraries start, hence before their import.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault(
    "XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
)

import argparse
import platform
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from sim_cases import cases, model
from sim_timing import Row, ceilings, measure, processor, wall

from theorycheck.arrays import FloatNamespace, IntervalNamespace, keep_memory, pin_threads, select
from theorycheck.numbers.errors import BackendError

SOURCE_SIZES = [(3, 97), (4, 47), (5, 23)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="smaller sizes")
    parser.add_argument("--device", default="cpu", help="cpu or gpu")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of the paired timing")
    parser.add_argument("--out", type=Path, help="also write the tables to this file")
    options = parser.parse_args()
    try:
        backend = select(options.device)
    except BackendError as error:
        raise SystemExit(str(error)) from None
    pin_threads(1)
    keep_memory()
    lines = []
    for line in report(backend, options.quick, options.rounds):
        print(line, flush=True)
        lines.append(line)
    if options.out:
        options.out.write_text("\n".join(lines) + "\n", encoding="utf-8")


def report(backend, quick: bool, rounds: int) -> Iterator[str]:
    """The lines of the result, in Markdown."""
    clock = processor if backend.device == "cpu" else wall
    least = 0.02 if quick else 0.05
    yield "# Simulations beside what one would write instead"
    yield ""
    yield f"- machine: {machine()}; engine on {backend.name}"
    yield f"- {versions()}"
    yield f"- load when started: {os.getloadavg()[0]:.1f}; one thread a side; {rounds} rounds"
    flops, speed = ceilings(rounds, clock)
    yield f"- ceilings of one core: GEMM {flops / 1e9:.1f} Gflop/s, copy {speed / 1e9:.1f} GB/s"
    yield ""
    rows = [
        measure(case, rounds, clock, least)
        for case in cases(backend, FloatNamespace(backend.xp), quick)
    ]
    yield from table(rows)
    yield ""
    yield from at_source_sizes(backend, clock, flops, SOURCE_SIZES[:1] if quick else SOURCE_SIZES)


def table(rows: list[Row]) -> Iterator[str]:
    """Time of each rival over the engine's: above 1 the engine is faster."""
    names = list(dict.fromkeys(name for row in rows for name in row.ratios))
    yield "Time of the other way over the engine's (above 1: the engine is faster), and the share that"
    yield "the engine reaches of the ceiling that bounds it."
    yield ""
    yield f"| simulation | size | engine, ms | {' | '.join(names)} | ceiling | reached |"
    yield "|---|---|---:|" + "---:|" * len(names) + "---|---:|"
    for row in rows:
        cells = [_cell(row, name) for name in names]
        yield (
            f"| {row.case.name} | {row.case.size} | {1e3 * row.seconds:.2f} | {' | '.join(cells)} | "
            f"{row.ceiling} | {row.share:.0%} |"
        )


def _cell(row: Row, name: str) -> str:
    if name not in row.ratios:
        return "-"
    ratio = row.ratios[name]
    return "not installed" if ratio is None else f"{ratio:.2f}"


def at_source_sizes(backend, clock, flops: float, sizes: list[tuple[int, int]]) -> Iterator[str]:
    """Margins over all p**k inputs by the symmetries of the design, and what GEMM alone would take."""
    enumeration = model("fourier_circuits", "max_margin", "_enumeration")
    network = model("fourier_circuits", "max_margin", "_network")
    yield "Margin of the source's network over all inputs at the source's sizes: seconds by symmetry (search"
    yield "for symmetries and representatives included), and of the products over all inputs at the GEMM rate."
    yield ""
    yield "| k, p, m | inputs | evaluated | float64, s | intervals, s | products over all inputs, s |"
    yield "|---|---:|---:|---:|---:|---:|"
    for k, p in sizes:
        design = network.source_design(k, p)
        chosen = enumeration.representatives(k, p, *enumeration.symmetries(design, k, p))
        seconds = []
        for ns in (FloatNamespace(backend.xp), IntervalNamespace(backend.xp)):
            with ns.working():
                began = clock()
                enumeration.design_margins(ns, design, k, p)
                seconds.append(clock() - began)
        m = len(design)
        yield (
            f"| {k}, {p}, {m} | {p**k} | {len(chosen)} | {seconds[0]:.1f} | {seconds[1]:.1f} | "
            f"{2.0 * p**k * m * p / flops:.0f} |"
        )


def machine() -> str:
    name = platform.processor() or platform.machine()
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                name = line.split(":", 1)[1].strip()
                break
    except OSError:
        pass
    return f"{name}, {os.cpu_count()} cores, {platform.system()}"


def versions() -> str:
    found = [f"Python {platform.python_version()}"]
    for name in ("theorycheck", "numpy", "scipy", "jax", "torch", "cupy-cuda13x"):
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            found.append(f"{name} not installed")
    return ", ".join(found)


if __name__ == "__main__":
    main()
