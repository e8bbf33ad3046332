"""What numbers depend on that no claim chooses: the engine's own modules, versions of libraries, the processor
and the device. Evidence is filed under it."""

from __future__ import annotations

import hashlib
import platform
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import metadata
from pathlib import Path

from theorycheck.evidence.origin import Origin
from theorycheck.plan.settings import Settings

# Parts of the engine that act on evidence after it is made; everything else may enter a number.
_OBSERVES = (
    "numbers",
    "balls",
    "stats",
    "arrays",
    "arithmetics",
    "blocks",
    "claims",
    "plan",
    "evidence",
)
_PROVES = ("check", "formulas")  # and these enter what a prover says
_LIBRARIES = ("numpy", "scipy", "sympy", "python-flint", "array-api-compat")
_EXTERNAL = ("torch", "jax", "jaxlib")  # what external legs mostly wrap


def context_of(origin: Origin, settings: Settings) -> bytes:
    """Digest of everything that a claim's evidence depends on beside the key of the unit."""
    parts = [
        origin.claim_id,
        origin.content,
        str(settings.seed),
        *(f"{name} {value}" for name, value in environment(settings.device).items()),
        *(
            f"{name} {value}"
            for name, value in (_versions(_EXTERNAL) if origin.external else {}).items()
        ),
        *([engine_digest(_PROVES)] if origin.proof else []),
    ]
    return digest_of(*(p.encode() for p in parts), size=16)


@cache
def environment(device: str) -> Mapping[str, str]:
    """What numbers depend on that no claim chooses: the engine, versions, processor and device."""
    return {
        "engine": engine_digest(),
        "processor": platform.machine(),
        "python": f"{sys.version_info.major}.{sys.version_info.minor}",
        **_versions(_LIBRARIES),
        "device": _device(device),
    }


@cache
def engine_digest(rooms: tuple[str, ...] = _OBSERVES) -> str:
    """Hash of the engine's modules of these rooms, by default those that can enter an observation; of
    all where none is named."""
    root = Path(__file__).resolve().parents[1]
    digest = hashlib.blake2b(digest_size=16)
    for path in sorted(root.rglob("*.py")):
        inside = path.relative_to(root)
        if not rooms or inside.parts[0] in rooms:
            digest.update(f"{inside.as_posix()}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def _device(name: str) -> str:
    """Numbers of a GPU are filed under its model and CuPy's version."""
    if name == "cpu":
        return name
    from theorycheck.arrays.backends import select

    backend = select(name)
    return backend.device if backend.device == "cpu" else backend.name


@cache
def _versions(names: Sequence[str]) -> Mapping[str, str]:
    found = {}
    for name in names:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = "absent"
    return found


def digest_of(*parts: bytes, size: int) -> bytes:
    """Digest of ``size`` bytes of some parts, each with its length."""
    digest = hashlib.blake2b(digest_size=size)
    for part in parts:
        digest.update(len(part).to_bytes(8, "big") + part)
    return digest.digest()
