"""What an observation holds beside its numbers, as typed values. Field names are those of its file; what is
unset stands in none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from msgspec import UNSET, Struct, UnsetType, field

from theorycheck.claims.figures import PanelData
from theorycheck.evidence.proof import Proof
from theorycheck.stats.assumptions import KeptAssumptions, StreamEvidence


class DrawnFields(Struct, frozen=True, kw_only=True):
    """``different``: how many of the instances are, 0 where none have fields; ``fields``: what is degenerate
    about each (`theorycheck.evidence.degenerate.KINDS`)."""

    different: int = 0
    fields: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


class LocalZeros(Struct, frozen=True, kw_only=True):
    """Local quantities of functions (``function.name``): those that were 0 at every return, and the others."""

    zero: tuple[str, ...]
    other: tuple[str, ...]


class StreamKept(Struct, frozen=True, kw_only=True):
    """What a stream of samples goes on from, beside the state of its evidence: ``drawn`` as in `Detail`."""

    watched: KeptAssumptions
    drawn: int


class Detail(Struct, frozen=True, kw_only=True):
    """Attributes, each where it was seen:

    ``holds``, ``method``, ``witness``, ``counterexample``, ``rung``, ``reached``: of a proof, see `proof`.
    ``gap``: the values are the largest gaps between two procedures of ``components`` components.
    ``bits``: the working precision. ``among``: which instances are among the claim's own.
    ``moved_by``: what of the model moves a certificate once it is changed; "" where nothing does, None
    where that was not seen; ``breakdown``: the first error of a certificate that a changed model only breaks.
    ``assumptions``: what a sampled stream is judged by; ``drawn``: how many numbers
    it drew; ``going``: where it can be gone on with. ``panels``: of a figure, as data.
    """

    holds: bool | UnsetType = UNSET
    method: str | UnsetType = UNSET
    witness: Mapping[str, Any] | UnsetType = UNSET
    counterexample: Mapping[str, Any] | UnsetType | None = UNSET
    rung: str | UnsetType = UNSET
    reached: float | UnsetType | None = UNSET
    gap: bool | UnsetType = UNSET
    components: int | UnsetType = UNSET
    bits: int | UnsetType = UNSET
    zeros: LocalZeros | UnsetType = UNSET
    drawn_fields: DrawnFields | UnsetType = UNSET
    among: tuple[bool, ...] | UnsetType = UNSET
    moved_by: str | UnsetType | None = UNSET
    breakdown: str | UnsetType = UNSET
    assumptions: StreamEvidence | UnsetType = UNSET
    drawn: int | UnsetType = UNSET
    going: StreamKept | UnsetType = UNSET
    panels: tuple[PanelData, ...] | UnsetType = UNSET

    @classmethod
    def of_proof(cls, found: Proof) -> Detail:
        """What a proof left."""
        return cls(**vars(replace(found, witness=dict(found.witness))))

    @property
    def proof(self) -> Proof | None:
        """The proof that was found, or that was not (``holds`` is False); None where there was to be none."""
        told = {f.name: v for f in fields(Proof) if (v := getattr(self, f.name)) is not UNSET}
        return Proof(**told) if told else None
