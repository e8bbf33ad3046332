"""Registers: what is read, and above all what is refused."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from theorycheck.sources.register import (
    GRADES,
    RegisterError,
    load_register,
    load_registers,
    register_from_table,
)

GOOD = """
[source]
name = "demo"
title = "A demonstration"
authors = ["A. Author", "B. Author"]
edition = "first"
text = "typed"

[[source.citation]]
type = "misc"
key = "author2024"
author = "Author, A. and Author, B."
title = "A demonstration"
year = "2024"
url = "https://example.org"

[[statement]]
id = "demo-theorem"
labels = ["Theorem 1", "Theorem A.1"]
title = "The theorem"
role = "main"
kind = "bound"
one_line = "It is small."
uses = ["demo-lemma", "demo-fact"]
uses_corrected = ["demo-lemma"]
survives = "with correction"

[[statement]]
id = "demo-lemma"
labels = ["Lemma 2"]
title = "The lemma"
role = "supporting"
kind = "identity"
one_line = '''
A line that is
broken in two.'''
grade = "false as stated"
note = "The factor 2 is missing; with it the identity holds."

[[statement]]
id = "demo-fact"
labels = []
title = "A fact"
role = "folklore"
kind = "empirical"
one_line = "Seen in practice."
out_of_reach = "needs data that cannot be had"
"""


def write(folder: Path, text: str, name: str = "demo") -> Path:
    file = folder / name / "statements.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def table() -> dict[str, Any]:
    statement = {
        "labels": ["Theorem 1"],
        "title": "t",
        "role": "main",
        "kind": "bound",
        "one_line": "l",
    }
    return {
        "source": {
            "name": "demo",
            "title": "T",
            "authors": ["A"],
            "edition": "e",
            "text": "t",
            "citation": [{"type": "misc", "key": "k", "author": "A", "title": "T", "year": "1"}],
        },
        "statement": [{"id": id, **copy.deepcopy(statement)} for id in ("a", "b", "c")],
    }


def problems(data: dict[str, Any]) -> tuple[str, ...]:
    with pytest.raises(RegisterError) as caught:
        register_from_table(data, where="demo/statements.toml")
    assert str(caught.value).splitlines() == list(caught.value.problems)
    assert all(line.startswith("demo/statements.toml: ") for line in caught.value.problems)
    return caught.value.problems


def test_reads_every_field(tmp_path: Path) -> None:
    register = load_register(write(tmp_path, GOOD))
    theorem, lemma, fact = register.statements
    assert register.source.authors == ("A. Author", "B. Author")
    assert register.source.citations[0].key == "author2024"
    assert register.source.citations[0].fields["url"] == "https://example.org"
    assert "type" not in register.source.citations[0].fields
    assert theorem.labels == ("Theorem 1", "Theorem A.1")
    assert (theorem.uses, theorem.uses_corrected) == (("demo-lemma", "demo-fact"), ("demo-lemma",))
    assert (theorem.grade, theorem.survives) == (None, "with correction")
    assert lemma.one_line == "A line that is broken in two."
    assert lemma.grade == "false as stated"
    assert "factor 2" in lemma.note
    assert (lemma.out_of_reach, fact.out_of_reach) == (None, "needs data that cannot be had")
    assert list(register.by_id()) == ["demo-theorem", "demo-lemma", "demo-fact"]


def test_a_folder_stands_for_its_file(tmp_path: Path) -> None:
    file = write(tmp_path, GOOD)
    assert load_register(file.parent) == load_register(file)


@pytest.mark.parametrize("key", ["id", "labels", "title", "role", "kind", "one_line"])
def test_refuses_a_missing_field(key: str) -> None:
    data = table()
    del data["statement"][1][key]
    (line,) = problems(data)
    assert f"{key} is missing" in line
    assert ("2" if key == "id" else "'b'") in line


@pytest.mark.parametrize("key", ["name", "title", "authors", "edition", "text", "citation"])
def test_refuses_a_source_without(key: str) -> None:
    data = table()
    del data["source"][key]
    (line,) = problems(data)
    assert key in line


@pytest.mark.parametrize(
    ("key", "value"), [("name", "Two words"), ("name", "x-y"), ("authors", []), ("title", " ")]
)
def test_refuses_a_bad_source(key: str, value: object) -> None:
    data = table()
    data["source"][key] = value
    (line,) = problems(data)
    assert key in line


@pytest.mark.parametrize("key", ["type", "key", "author", "title", "year"])
def test_refuses_a_citation_without(key: str) -> None:
    data = table()
    del data["source"]["citation"][0][key]
    (line,) = problems(data)
    assert f"citation 1: {key} is missing" in line


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("role", "theorem", "'main', 'supporting'"),
        ("kind", "inequality", "'identity', 'bound'"),
        ("grade", "wrong", "'false as stated'"),
        ("grade", "none", "'false as stated'"),
        ("survives", "yes", "'unaffected'"),
        ("title", 3, "an integer"),
        ("title", True, "a boolean"),
        ("title", "  ", "empty"),
        ("note", "", "empty"),
        ("out_of_reach", "", "empty"),
        ("labels", "Theorem 1", "list of strings"),
        ("labels", [1], "not a non-empty string"),
        ("labels", ["Theorem 1", "Theorem 1"], "twice"),
        ("uses", "b", "list of strings"),
        ("uses", {"b": 1}, "a table"),
        ("one_line", ["x"], "a list"),
        ("id", "Bad id", "hyphens"),
        ("id", "a--b", "hyphens"),
        ("id", "a-", "hyphens"),
        ("id", "é", "hyphens"),
    ],
)
def test_refuses_a_bad_value(key: str, value: object, said: str) -> None:
    data = table()
    data["statement"][0][key] = value
    assert any(key in line and said in line for line in problems(data))


def test_refuses_unknown_keys_everywhere() -> None:
    data = table()
    data["statements"] = []
    data["source"]["year"] = "2024"
    data["statement"][0]["proof"] = "..."
    found = problems(data)
    assert len(found) == 3
    assert all("unknown key" in line and "the keys are" in line for line in found)


def test_reports_all_problems_at_once() -> None:
    data = table()
    data["statement"][0]["role"] = "x"
    data["statement"][1]["kind"] = "x"
    data["statement"][2]["grade"] = "misprint"
    assert len(problems(data)) == 3


def test_refuses_duplicate_ids() -> None:
    data = table()
    data["statement"][1]["id"] = "a"
    (line,) = problems(data)
    assert "'a'" in line
    assert "unique" in line


def test_refuses_unknown_uses() -> None:
    data = table()
    data["statement"][0]["uses"] = ["b", "nothing"]
    (line,) = problems(data)
    assert "'nothing'" in line


@pytest.mark.parametrize("ring", [["a"], ["a", "b"], ["a", "b", "c"]])
def test_refuses_a_circle(ring: list[str]) -> None:
    data = table()
    for row in data["statement"]:
        if row["id"] in ring:
            row["uses"] = [ring[(ring.index(row["id"]) + 1) % len(ring)]]
    (line,) = problems(data)
    assert "circle" in line
    assert all(id in line for id in ring)


def test_refuses_a_grade_without_a_note() -> None:
    data = table()
    data["statement"][0]["grade"] = "misprint"
    (line,) = problems(data)
    assert "no note" in line


def test_refuses_a_grade_on_a_derived_statement() -> None:
    data = table()
    data["statement"][0] |= {"role": "derived", "grade": "misprint", "note": "n"}
    (line,) = problems(data)
    assert "derived" in line


def test_refuses_a_corrected_use_that_is_no_use_or_has_no_correction() -> None:
    data = table()
    data["statement"][0] |= {"uses": ["b"], "uses_corrected": ["b", "c"]}
    found = problems(data)
    assert any("'c', which is not in uses" in line for line in found)
    assert any("'b', which has no grade" in line for line in found)


def test_refuses_survives_with_nothing_wrong_below() -> None:
    data = table()
    data["statement"][0] |= {"uses": ["b"], "survives": "open"}
    (line,) = problems(data)
    assert "nothing that it rests on is graded" in line


@pytest.mark.parametrize("grade", GRADES)
def test_survives_may_speak_of_something_deeper_down(grade: str) -> None:
    data = table()
    data["statement"][0] |= {"uses": ["b"], "survives": "open"}
    data["statement"][1] |= {"uses": ["c"]}
    data["statement"][2] |= {"grade": grade, "note": "n"}
    assert register_from_table(data).statements[0].survives == "open"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"statement": []}, "no statement"),
        ({"statement": {"id": "a"}}, "not a list of tables"),
        ({"statement": [1]}, "not a list of tables"),
        ({"source": []}, "[source] is missing or is not a table"),
    ],
)
def test_refuses_a_wrong_shape(change: dict[str, Any], said: str) -> None:
    assert any(said in line for line in problems(table() | change))


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"[source", "not TOML"), (b"\xff\xfe", "UTF-8"), (b"a = 1\na = 2", "not TOML")],
)
def test_refuses_what_is_not_toml(tmp_path: Path, content: bytes, said: str) -> None:
    file = tmp_path / "demo" / "statements.toml"
    file.parent.mkdir()
    file.write_bytes(content)
    with pytest.raises(RegisterError, match=said):
        load_register(file)


def test_refuses_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(RegisterError, match="cannot be read"):
        load_register(tmp_path / "demo" / "statements.toml")


def test_registers_of_several_sources(tmp_path: Path) -> None:
    write(tmp_path, GOOD)
    other = GOOD.replace("demo", "also")
    write(tmp_path, other, "also")
    (tmp_path / "drafts").mkdir()
    registers = load_registers(tmp_path.iterdir())
    assert [r.source.name for r in registers] == ["also", "demo"]


def test_refuses_an_id_of_two_sources_and_a_folder_of_another_name(tmp_path: Path) -> None:
    write(tmp_path, GOOD)
    write(tmp_path, GOOD, "other")
    with pytest.raises(RegisterError) as caught:
        load_registers(tmp_path.iterdir())
    taken = [line for line in caught.value.problems if "is taken by demo" in line]
    assert len(taken) == 3
    assert any("write the folder's name, 'other'" in line for line in caught.value.problems)


def test_problems_of_all_sources_are_reported_together(tmp_path: Path) -> None:
    write(tmp_path, GOOD.replace('role = "main"', 'role = "x"'))
    write(tmp_path, GOOD.replace("demo", "also").replace('kind = "bound"', 'kind = "x"'), "also")
    with pytest.raises(RegisterError) as caught:
        load_registers(tmp_path.iterdir())
    assert len(caught.value.problems) == 2


toml_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=6,
)
keys = st.sampled_from(
    ["id", "labels", "title", "role", "kind", "one_line", "uses", "grade", "note", "survives", "x"]
)


@given(st.integers(0, 2), keys, toml_values)
def test_nonsense_is_refused_in_words_or_read(n: int, key: str, value: object) -> None:
    data = table()
    data["statement"][n][key] = value
    try:
        register = register_from_table(data)
    except RegisterError as refused:
        assert refused.problems
        assert all("statement" in line for line in refused.problems)
    else:
        assert len(register.statements) == 3
