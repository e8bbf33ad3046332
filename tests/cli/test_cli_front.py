"""The front door: what a bare command says, near misses, and a package that can be adopted."""

import tomllib
from pathlib import Path

from theorycheck.cli import COMMANDS, call
from theorycheck.library.loading import ENTRY_POINT

ROOT = Path(__file__).resolve().parents[2]


def test_a_bare_command_says_what_to_do_first(capsys):
    assert call([]) == 0
    shown = capsys.readouterr().out
    assert "theorycheck check" in shown and "theorycheck new" in shown


def test_a_near_miss_is_answered_with_the_command_meant(capsys):
    assert call(["chekc"]) == 4
    assert "did you mean check?" in capsys.readouterr().err


def test_a_far_miss_lists_the_commands(capsys):
    assert call(["xyzzy"]) == 4
    said = capsys.readouterr().err
    assert all(name in said for name in COMMANDS)


def test_the_package_says_its_licence_and_ships_it():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["license"] == "Apache-2.0"
    shipped = {name: (ROOT / name).read_text() for name in project["license-files"]}
    assert "Apache License" in shipped.pop("LICENSE")
    (font,) = shipped.values()  # the only part that others wrote
    assert "SIL OPEN FONT LICENSE" in font
    assert f"license: {project['license']}" in (ROOT / "CITATION.cff").read_text()
    assert f"version: {project['version']}" in (ROOT / "CITATION.cff").read_text()


def test_the_page_for_packages_names_the_entry_point_that_is_read():
    page = (ROOT / "docs" / "in-your-repository.md").read_text()
    assert f'entry-points."{ENTRY_POINT}"' in page
