from __future__ import annotations

from typing import Any


def prove(c: Any, region: Any, clock: Any) -> str | None:
    return None
