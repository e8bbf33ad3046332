"""CONTRIBUTING.md names the floors of the contract in their order, and modules that exist."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def section(title):
    return TEXT.split(f"\n## {title}\n")[1].split("\n## ")[0]


def test_the_floors_are_those_of_the_contract_in_their_order():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (contract,) = (c for c in settings["tool"]["importlinter"]["contracts"] if "layers" in c)
    floors = [set(re.findall(r"\w+", layer)) for layer in contract["layers"]]
    written = re.findall(r"^\d+\. (.*)$", section("Floors"), flags=re.MULTILINE)
    # What a floor holds stands before the colon that says what it is for.
    named = [set(re.findall(r"`(\w+)`", line)) for line in written]
    assert named == floors


def test_every_row_names_a_folder_and_an_example_that_exist():
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in section("Where things go").splitlines()
        if line.startswith("| ")
    ]
    assert len(rows) >= 11
    for what, where, _protocol, example, made_known in rows[1:]:
        folder = where.strip("`")
        name = example.strip("`")
        place = ROOT / name if "<" in folder else ROOT / folder / name
        assert place.is_file(), (what, place)
        for named in re.findall(r"`([\w/]+\.py)`", made_known):
            assert (ROOT / named).exists() or (ROOT / "theorycheck" / named).exists(), named


def test_words_that_the_table_names_are_in_the_code():
    rows = section("Where things go")
    for module, name in re.findall(r"\| `(\w+)\.([A-Z]\w+)`", rows):
        found = list((ROOT / "theorycheck").rglob(f"{module}.py"))
        assert any(f"class {name}" in f.read_text(encoding="utf-8") for f in found), name
