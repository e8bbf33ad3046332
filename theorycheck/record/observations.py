"""The observations of a claim, as their file holds them and as values: everything that the judge needs to judge
again. Apart from the other files, since values take the numerical libraries and a run that only recalls does
without."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from theorycheck.evidence.observation import Observation
from theorycheck.record.files import observations_file
from theorycheck.record.runs import ReportError


def observations_text(observations: Sequence[Observation]) -> str:
    """Observations as they stand in their file; "" for none."""
    if not observations:
        return ""
    data = [o.to_json() for o in observations]
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False) + "\n"


def observations_from(text: str) -> list[Observation]:
    """Inverse of `observations_text`. Raises ValueError, KeyError or TypeError for what is damaged."""
    return [Observation.from_json(data) for data in json.loads(text)]


def observations_of(folder: Path, claim_id: str) -> list[Observation]:
    """What a run kept of a claim. Raises ReportError where that is nothing, or cannot be read."""
    file = observations_file(folder, claim_id)
    if not file.is_file():
        raise ReportError(f"run {folder.name} kept no observations of {claim_id}")
    try:
        return observations_from(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ReportError(f"{file}: cannot be read ({error})") from None
