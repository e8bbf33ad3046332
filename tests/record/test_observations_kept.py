"""Observations of a run in their files: what was written is read again, what is damaged is said in one line."""

import pytest

from theorycheck.evidence.detail import Detail
from theorycheck.evidence.observation import Observation, Value
from theorycheck.plan.keys import CLAIM, Purpose
from theorycheck.record.files import observations_file, write_text
from theorycheck.record.observations import (
    observations_from,
    observations_of,
    observations_text,
)
from theorycheck.record.runs import ReportError

SEEN = Observation("value", CLAIM, Purpose.JUDGE, {"n": 3}, "exact", values=[[Value.of(2)]],
                   observed=[{}], scalars=[{"kind": "flat"}], detail=Detail(bits=128))  # fmt: skip


def test_what_was_written_is_read_again(tmp_path):
    text = observations_text([SEEN, SEEN])
    write_text(observations_file(tmp_path, "c"), text)
    first, second = observations_of(tmp_path, "c")
    assert first == second and first.values == SEEN.values and first.detail == SEEN.detail
    assert observations_text([first, second]) == text


def test_no_observations_have_no_text_and_no_text_is_none():
    assert observations_text([]) == ""
    with pytest.raises(ValueError, match="Expecting value"):
        observations_from("")


def test_a_claim_that_kept_none_is_named(tmp_path):
    with pytest.raises(ReportError, match=r"kept no observations of c$"):
        observations_of(tmp_path, "c")


@pytest.mark.parametrize("text", ["", "{", "[3]", '[{"leg": "value"}]'])
def test_a_damaged_file_is_said_in_one_line(tmp_path, text):
    file = observations_file(tmp_path, "c")
    write_text(file, text)
    with pytest.raises(ReportError, match="cannot be read") as told:
        observations_of(tmp_path, "c")
    assert str(file) in str(told.value) and "\n" not in str(told.value)
