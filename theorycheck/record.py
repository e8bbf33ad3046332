"""Record: the entry of a claim in a run's report, and the files that a run leaves behind.

Files are written to a temporary name beside their place and renamed, so that a killed run leaves a
readable report of what had finished, and never half a file.
"""

from __future__ import annotations

import json
import math
import os
import platform
import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

from theorycheck.claims import Claim
from theorycheck.execute import Outcome, Settings
from theorycheck.hints import hints
from theorycheck.judge import domain_text, tested_text
from theorycheck.loading import Loaded
from theorycheck.observation import Observation

SCHEMA = 1
LIBRARIES = ("numpy", "scipy", "sympy", "python-flint", "array-api-compat", "cupy-cuda13x")


def entry(
    loaded: Loaded, settings: Settings, outcome: Outcome | None, kind: str, message: str = ""
) -> dict[str, Any]:
    """The report's entry of a claim; without an outcome the claim is in error, or skipped."""
    claim = loaded.claim
    head: dict[str, Any] = {
        "id": claim.id,
        "source": loaded.source,
        "states": list(claim.states),
        "role": claim.role,
        "encodes": claim.encodes,
        "title": claim.title,
        "says": claim.says,
        "kind": kind,
        "expected": claim.expect,
        "corrects": claim.corrects,
        "relation": claim.relation.name,
        "domain": domain_text(claim),
        "tested": tested_text(claim, settings.profile),
        "closed_form": form_text(claim),
        "reproduce": reproduce(loaded, settings),
        "content": loaded.content,
    }
    if outcome is None:
        verdict = "skipped" if message.startswith("skipped") else "error"
        return head | _nothing() | {"verdict": verdict, "reason": message}
    j, found = outcome.judgement, hints(claim)
    return head | {
        "verdict": j.verdict,
        "reason": j.reason,
        "would_decide": j.would_decide,
        "rung": j.rung if j.verdict in ("pass", "fail", "inconclusive") else None,
        "proved": j.proved and j.verdict == "pass",
        "resolution": _finite(j.resolution) if j.verdict == "pass" else None,
        "tightness": j.tightness,
        "points": j.points,
        "samples": j.samples,
        "seconds": round(outcome.seconds, 3),
        "legs": [leg | _hint(found, leg) for leg in j.legs],
        "rivals": j.rivals,
        "mutants": j.mutants,
        "hypotheses": j.hypotheses,
        "counterexample": j.counterexample,
        "diagnosis": j.diagnosis,
        "undiagnosed": j.undiagnosed,
        "alpha_spent": j.alpha_spent,
    }


def _hint(found: Mapping[str, str], leg: Mapping[str, Any]) -> dict[str, str]:
    return {"hint": found[leg["name"]]} if leg["name"] in found else {}


def _finite(resolution: dict[str, Any] | None) -> dict[str, Any] | None:
    """A resolution that is a number; evidence that refutes no change of the form has none."""
    return resolution if resolution and math.isfinite(resolution["value"]) else None


def _nothing() -> dict[str, Any]:
    return {
        "would_decide": "",
        "rung": None,
        "proved": False,
        "resolution": None,
        "tightness": None,
        "points": 0,
        "samples": 0,
        "seconds": 0.0,
        "legs": [],
        "rivals": [],
        "mutants": {"made": 0, "refuted": 0, "survivors": []},
        "hypotheses": [],
        "counterexample": None,
        "diagnosis": None,
        "undiagnosed": "",
        "alpha_spent": 0.0,
    }


def form_text(claim: Claim) -> str | None:
    """The closed form as text, or the name of the reference procedure."""
    for leg in claim.legs:
        form = claim.form_of(leg)
        if form is not None:
            if callable(form) and not hasattr(form, "free_symbols"):
                return getattr(form, "__doc__", None) or getattr(form, "__name__", str(form))
            return str(form)
        if leg.reference is not None:
            return f"procedure {getattr(leg.reference, '__name__', '')}"
    return None


def reproduce(loaded: Loaded, settings: Settings) -> str:
    """One command that makes the same observations again."""
    target = str(loaded.file.name) if loaded.draft else loaded.claim.id
    return (
        f"theorycheck run {target} --profile {settings.profile} --seed {settings.seed} "
        f"--device {settings.device} --no-cache"
    )


def as_expected(item: Mapping[str, Any]) -> bool:
    return bool(item["verdict"] == item["expected"])


def summary(entries: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """Counts by verdict. Skipped claims are counted apart and are not as expected."""
    counts = {v: sum(e["verdict"] == v for e in entries)
              for v in ("pass", "fail", "inconclusive", "error", "skipped")}  # fmt: skip
    return {
        "claims": len(entries),
        "as_expected": sum(as_expected(e) for e in entries),
        **counts,
    }


@cache
def versions() -> dict[str, str]:
    found = {"theorycheck": _version("theorycheck"), "python": platform.python_version()}
    return found | {name: v for name in LIBRARIES if (v := _version(name))}


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


def machine() -> dict[str, Any]:
    return {
        "system": platform.system(),
        "processor": platform.machine(),
        "cores": os.cpu_count() or 1,
        "python": sys.implementation.name,
    }


def run_head(
    run_id: str, settings: Settings, started: datetime, seconds: float, spent: float
) -> dict[str, Any]:
    return {
        "id": run_id,
        "seed": settings.seed,
        "alpha": settings.alpha,
        "alpha_spent": spent,
        "profile": settings.profile,
        "device": settings.device,
        "started": started.isoformat(timespec="seconds"),
        "seconds": round(seconds, 3),
        "versions": versions(),
        "machine": machine(),
    }


def new_run_id(now: datetime, profile: str) -> str:
    return f"{now:%Y%m%d-%H%M%S}-{profile}-{os.getpid() % 10_000:04d}"


def now() -> datetime:
    return datetime.now(UTC)


def report_of(head: Mapping[str, Any], entries: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The whole of ``report.json``; entries in order of source and id."""
    ordered = sorted(entries, key=lambda e: (e["source"], e["id"]))
    return {"schema": SCHEMA, "run": dict(head), "summary": summary(ordered), "claims": ordered}


def write_text(path: Path, text: str) -> None:
    """Write atomically: all of it or nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        temporary.write_text(text, encoding="utf-8")
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def write_json(path: Path, data: Any) -> None:
    write_text(path, json.dumps(data, indent=1, ensure_ascii=False, allow_nan=True) + "\n")


def write_observations(
    folder: Path, claim_id: str, observations: Iterable[Mapping[str, Any]]
) -> None:
    """``observations/<claim id>.json``: everything that the judge needs to judge again, as data."""
    write_text(folder / f"{claim_id}.json", observations_text(observations))


def observations_text(observations: Iterable[Mapping[str, Any]]) -> str:
    return json.dumps(list(observations), separators=(",", ":"), ensure_ascii=False) + "\n"


def read_observations(folder: Path, claim_id: str) -> list[Observation]:
    path = folder / f"{claim_id}.json"
    return [Observation.from_json(d) for d in json.loads(path.read_text(encoding="utf-8"))]


def point_latest(reports: Path, run: Path) -> None:
    """``reports/latest``: a link to the run, or a file holding its name where links cannot be."""
    link = reports / "latest"
    temporary = reports / f".latest.{os.getpid()}"
    try:
        temporary.symlink_to(run.name, target_is_directory=True)
        temporary.replace(link)
    except OSError:
        temporary.unlink(missing_ok=True)
        write_text(reports / "latest.txt", run.name + "\n")
