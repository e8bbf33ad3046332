"""What every worker process finds in its environment, so that no result depends on which worker it came from."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

_THREADS = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "BLIS_NUM_THREADS",
)

PINNED = dict.fromkeys(_THREADS, "1") | {"PYTHONHASHSEED": "1"}
"""One BLAS thread, as the order of summation inside a GEMM depends on their number. One seed of the hash of texts, as
SymPy and the provers go through sets of names: which of two proofs is found first would be drawn with each process.
(Not 0, which Dask takes for unset.) Both are read when an interpreter and its libraries start, hence here."""


@contextlib.contextmanager
def pinned_environment() -> Iterator[None]:
    """The environment in which workers are started."""
    before = {name: os.environ.get(name) for name in PINNED}
    os.environ.update(PINNED)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
