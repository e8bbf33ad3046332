"""Cases in which the writer erred, by name, each with the proof. The file of cases stays as it is."""

from __future__ import annotations

from collections.abc import Mapping

EXCLUDED: Mapping[str, str] = {}
