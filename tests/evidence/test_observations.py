"""Observations as they are written: the same data again, and nothing else is taken for one."""

import json

import pytest
from msgspec import UNSET

from theorycheck.evidence.detail import Detail
from theorycheck.evidence.observation import Observation, Value
from theorycheck.plan.keys import CLAIM, Purpose

SEEN = Observation("value", CLAIM, Purpose.JUDGE, {"n": 3}, "exact", values=[[Value.of(2)]])
PROOF = {
    "holds": True,
    "method": "counted",
    "witness": {"cases": 8},
    "counterexample": None,
    "rung": "exhaustive",
}


def written(**changes):
    return {**json.loads(json.dumps(SEEN.to_json())), **changes}


def test_what_was_not_seen_is_not_written():
    assert written()["detail"] == {}
    assert Observation.from_json(written()).detail == Detail()


def test_a_proof_stands_in_its_file_as_it_always_did():
    seen = Observation.from_json(written(detail=PROOF))
    assert seen.detail.proof.witness == {"cases": 8} and seen.detail.proof.rung == "exhaustive"
    assert seen.to_json()["detail"] == PROOF


def test_a_second_procedure_is_kept_beside():
    seen = Observation.from_json(written(detail={"bits": 128, "references": [["1/2"]]}))
    assert seen.references == [[Value.from_json("1/2")]]
    assert seen.to_json()["detail"] == {"bits": 128, "references": [["1/2"]]}


def test_not_seen_to_move_is_another_answer_than_not_looked():
    looked = Observation.from_json(written(detail={"moved_by": None}))
    assert looked.detail.moved_by is None and SEEN.detail.moved_by is UNSET
    assert looked.to_json()["detail"] == {"moved_by": None}


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"samples": "many"}, "samples"),
        ({"values": 3}, "values"),
        ({"values": [[True]]}, "True"),
        ({"point": {"n": 3}}, "point"),
        ({"detail": {"drawn": "7"}}, "drawn"),
        ({"detail": {"zeros": {"zero": ["f.x"]}}}, "other"),
        ({"state": {"tail": {"kind": "light", "params": []}}}, "light"),
        ({"purpose": "chance"}, "chance"),
    ],
)
def test_what_is_no_observation_is_refused_by_the_name_of_what_is_wrong(change, named):
    with pytest.raises(ValueError, match=named):
        Observation.from_json(written(**change))
