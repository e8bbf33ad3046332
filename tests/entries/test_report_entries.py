"""Entries as typed values: the contract's JSON, reports of earlier versions, and what is no report."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sympy as sp

from theorycheck import claim, integers
from theorycheck.entries.parts import AttackEntry, ClauseEntry, LegEntry, MutantsEntry, Payment
from theorycheck.entries.report import Entry, Report, RunHead, from_json, to_json
from theorycheck.notebook import try_claim

REFERENCE = Path(__file__).parents[2] / "reports" / "reference" / "report.json"


@pytest.fixture(scope="module")
def plain() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(REFERENCE.read_text(encoding="utf-8"))
    return data


def added(before: Any, after: Any, place: str = "") -> list[str]:
    """Where ``after`` holds other than ``before``; fields that it has beside are no difference."""
    if isinstance(before, dict):
        return [
            where
            for key, value in before.items()
            for where in (
                added(value, after[key], f"{place}.{key}") if key in after else [f"{place}.{key}"]
            )
        ]
    if isinstance(before, list):
        pairs = enumerate(zip(before, after, strict=True))
        return [where for i, (b, a) in pairs for where in added(b, a, f"{place}[{i}]")]
    return [] if before == after and type(before) is type(after) else [place]


def test_a_report_of_an_earlier_version_is_read_and_written_with_fields_added_only(
    plain: dict[str, Any],
) -> None:
    new = ("clauses", "attack", "uniform_factor", "within", "cached")
    earlier = plain | {
        "claims": [{k: v for k, v in e.items() if k not in new} for e in plain["claims"]]
    }
    report = from_json(earlier)
    assert len(report.claims) == len(earlier["claims"]) > 0
    assert report.claims[0].clauses == ()
    assert report.claims[0].attack is None
    again = json.loads(json.dumps(to_json(report)))
    assert added(earlier, again) == []
    assert from_json(again) == report
    assert added(plain, json.loads(json.dumps(to_json(from_json(plain))))) == []


def test_what_a_relation_says_of_a_leg_stands_among_its_fields() -> None:
    leg = LegEntry(name="law", further={"gap": 0.25})
    entry = entry_with(legs=(leg,))
    (written,) = to_json(report_with(entry))["claims"][0]["legs"]
    assert written["gap"] == 0.25
    assert "further" not in written
    assert from_json(to_json(report_with(entry))).claims[0].legs == (leg,)


def test_clauses_and_attack_stand_in_the_report_as_in_its_contract() -> None:
    paid = Payment(name="k", by="points", detail="checked at 14 points")
    entry = entry_with(
        clauses=(ClauseEntry(id="sharp", status="checked", payments=(paid,)),),
        attack=AttackEntry(required=9, far=3, reached={"k": 4096}),
    )
    written = json.loads(json.dumps(to_json(report_with(entry))))["claims"][0]
    assert written["clauses"] == [
        {"id": "sharp", "status": "checked",
         "once_proved": "",
             "payments": [{"name": "k", "by": "points", "detail": "checked at 14 points",
                           "lemma": "", "free": False}]}
    ]  # fmt: skip
    assert written["attack"] == {"required": 9, "far": 3, "reached": {"k": 4096}, "not_reached": []}


def test_survivors_of_early_reports_are_names(plain: dict[str, Any]) -> None:
    claim = plain["claims"][0] | {"mutants": {"made": 1, "refuted": 0, "survivors": ["n + 1"]}}
    (survivor,) = from_json(plain | {"claims": [claim]}).claims[0].mutants.survivors
    assert (survivor.name, survivor.why) == ("n + 1", "")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"schema": 2}, r"\$\.schema"),
        ({"run": {"id": "x"}}, r"seed"),
        ({"claims": {}}, r"\$\.claims"),
        ({"claims": [7]}, r"\$\.claims\[0\]"),
        ({"claims": [{"id": "a"}]}, "source"),
    ],
)
def test_what_is_no_report_is_refused_with_its_place(
    plain: dict[str, Any], change: dict[str, Any], said: str
) -> None:
    with pytest.raises(msgspec.ValidationError, match=said):
        from_json(plain | change)


def test_a_verdict_that_does_not_exist_is_refused(plain: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError, match="verdict"):
        from_json(plain | {"claims": [plain["claims"][0] | {"verdict": "skip"}]})


def entry_with(**fields: Any) -> Entry:
    base: dict[str, Any] = {"id": "a", "source": "s", "states": ("t",), "role": "as_printed",
                            "title": "A", "verdict": "pass", "expected": "pass", "seconds": 0.0,
                            "legs": (), "rivals": (), "mutants": MutantsEntry()}  # fmt: skip
    return Entry(**base | fields)


def report_with(entry: Entry) -> Report:
    head = RunHead(
        id="r", seed=0, alpha=1e-6, profile="smoke", device="cpu", started="", versions={}, machine={}
    )  # fmt: skip
    return Report.of(head, [entry])


def test_the_authors_own_form_is_carried_into_the_entry() -> None:
    n = sp.Symbol("n", integer=True, positive=True)
    c = claim(
        "sum",
        domain={n: integers(1)},
        grid={"smoke": {n: [1, 2, 3]}},
        closed_form=n * (n + 1) / 2,
        lhs=r"\sum_{i \le n} i",
        tex=r"\binom{n+1}{2}",
    )(lambda n: sum(range(n + 1)))
    entry = try_claim(c, profile="smoke").entry
    assert (entry.lhs, entry.tex) == (r"\sum_{i \le n} i", r"\binom{n+1}{2}")
    assert from_json(to_json(report_with(entry))).claims[0].tex == entry.tex
