"""Kept proofs of a report, each statement with its scope once."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


class BadReport(ValueError):
    """What was given is no report."""


@dataclass
class KeptProof:
    """A kept proof: of ``statement`` on ``scope`` under ``laws``, or, where ``holds`` is false, its refutation at a
    ``point``. ``claims`` are those that rest on it. A proof by a program has no statement."""

    statement: str
    scope: str
    laws: tuple[str, ...]
    holds: bool
    rung: str
    method: str
    point: dict[str, str] | None = None
    claims: list[str] = field(default_factory=list)


def kept_proofs(path: Path) -> list[KeptProof]:
    """The kept proofs of a report, in its order. Raises BadReport in one line."""
    try:
        report = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as problem:
        raise BadReport(f"{path}: cannot be read ({type(problem).__name__})") from None
    except (json.JSONDecodeError, RecursionError):
        raise BadReport(f"{path}: no JSON") from None
    claims = report.get("claims") if isinstance(report, dict) else None
    if not isinstance(claims, list) or not all(isinstance(c, dict) for c in claims):
        raise BadReport(f"{path}: no report, it has no list of claims")
    found: dict[tuple[Any, ...], KeptProof] = {}
    for claim, proof in _proofs(claims):
        kept = _kept(proof)
        key = (
            kept.statement,
            kept.scope,
            kept.laws,
            kept.holds,
            kept.method if not kept.statement else "",
        )
        known = found.setdefault(key, kept)
        if claim not in known.claims:
            known.claims.append(claim)
    return [*found.values()]


def _proofs(claims: list[Mapping[str, Any]]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for claim in claims:
        for leg in claim.get("legs") or ():
            proofs = leg.get("proof") if isinstance(leg, dict) else None
            for proof in proofs if isinstance(proofs, list) else ():
                if isinstance(proof, dict) and isinstance(proof.get("witness"), dict):
                    yield str(claim.get("id", "")), proof


def _kept(proof: Mapping[str, Any]) -> KeptProof:
    witness, counterexample = proof["witness"], proof.get("counterexample")
    point = counterexample.get("point") if isinstance(counterexample, dict) else None
    laws = witness.get("laws")
    return KeptProof(
        statement=str(witness.get("statement", "")),
        scope=str(witness.get("scope", "")),
        laws=tuple(map(str, laws)) if isinstance(laws, list) else (),
        holds=proof.get("holds") is True,
        rung=str(proof.get("rung", "")),
        method=str(proof.get("method", "")),
        point={str(k): str(v) for k, v in point.items()} if isinstance(point, dict) else None,
    )
