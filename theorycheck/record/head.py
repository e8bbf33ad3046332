"""The head of a run's report: which run, with which versions, on which machine."""

from __future__ import annotations

import os
import platform
import sys
from datetime import UTC, datetime
from functools import cache
from importlib import metadata

from theorycheck.entries.report import RunHead
from theorycheck.plan.settings import Settings

LIBRARIES = ("numpy", "scipy", "sympy", "python-flint", "array-api-compat", "cupy-cuda13x")


@cache
def versions() -> dict[str, str]:
    """Versions of theorycheck, Python and the numerical libraries that are installed."""
    found = {"theorycheck": _version("theorycheck"), "python": platform.python_version()}
    return found | {name: v for name in LIBRARIES if (v := _version(name))}


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


def machine() -> dict[str, int | str]:
    """The machine in a few words that name nobody."""
    return {
        "system": platform.system(),
        "processor": platform.machine(),
        "cores": os.cpu_count() or 1,
        "python": sys.implementation.name,
    }


def run_head(
    run_id: str, settings: Settings, started: datetime, seconds: float, spent: float
) -> RunHead:
    """The head of a run that began at ``started`` and has spent so much of its alpha."""
    return RunHead(
        id=run_id,
        seed=settings.seed,
        alpha=settings.alpha,
        alpha_spent=spent,
        profile=settings.profile,
        device=settings.device,
        started=started.isoformat(timespec="seconds"),
        seconds=round(seconds, 3),
        versions=versions(),
        machine=machine(),
    )


def new_run_id(now: datetime, profile: str) -> str:
    """``20240101-120000-smoke-0042``: time, profile, and four digits of the process."""
    return f"{now:%Y%m%d-%H%M%S}-{profile}-{os.getpid() % 10_000:04d}"


def now() -> datetime:
    """The time, in UTC."""
    return datetime.now(UTC)
