"""Whether a problem can be scanned in machine integers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from theorycheck.check.problem import Problem

if TYPE_CHECKING:
    from theorycheck.check.scan import Scan


def scan_of(problem: Problem) -> Scan | None:
    """A scan where there are integers only; NumPy is loaded for nothing else."""
    if not all(v.discrete for v in problem.domains.variables):
        return None
    from theorycheck.check.scan import Scan

    return Scan(problem)
