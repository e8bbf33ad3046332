"""Edited evidence through the store: no edit turns a verdict, and the edits are such as would."""

import zlib

import pytest

from theorycheck.calibration.edited import EDITS, edited_cases
from theorycheck.evidence import store

TURNING = ("rows of an older content", "payloads of an older content", "rows of another seed")


@pytest.mark.parametrize("what", EDITS)
def test_no_edit_of_the_store_turns_a_verdict(what):
    found = list(edited_cases(3, {what: EDITS[what]}))
    assert {(r.rung, r.label, r.outcome) for r in found} == {
        (kind, label, "right") for kind in ("exact", "sampled") for label in ("truth", "lie")
    }


@pytest.mark.parametrize("what", TURNING)
def test_without_checksums_they_would(what, monkeypatch):
    monkeypatch.setattr(store, "_pack", lambda context, unit, payload: zlib.compress(payload))
    monkeypatch.setattr(store, "_unpack", lambda context, unit, data: zlib.decompress(data))
    found = list(edited_cases(3, {what: EDITS[what]}))
    assert "false pass" in {r.outcome for r in found if r.label == "lie"}
    assert not any(r.outcome == "right" for r in found)
