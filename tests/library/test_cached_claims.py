"""Cached claims: those of an unchanged source answer without being loaded, and answer as loaded ones do."""

from __future__ import annotations

import pytest
from scale_claims import EXACT, FALSE, write

from theorycheck.library import listing, loading
from theorycheck.library.listing import CachedClaim, select_cached
from theorycheck.library.loading import Library

ASKED = ("id", "title", "role", "encodes", "expected", "states", "source", "file", "content",
         "draft", "made_from", "origin")  # fmt: skip


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("THEORYCHECK_STORE", str(tmp_path / "store"))
    monkeypatch.chdir(tmp_path)
    place = tmp_path / "library" / "alpha"
    place.mkdir(parents=True)
    (place / "statements.toml").write_text("")
    write(place, EXACT, FALSE, name="first.py")
    for module in (listing, loading):
        monkeypatch.setattr(module, "libraries", lambda: [Library(place.parent)])
    return place


def test_known_claims_say_what_loaded_ones_say(folder):
    loaded, again = select_cached([]), select_cached([])
    assert [type(i) is CachedClaim for i in (*loaded, *again)] == [False, False, True, True]
    for one, other in zip(loaded, again, strict=True):
        assert [getattr(one, n) for n in ASKED] == [getattr(other, n) for n in ASKED]


def test_the_parts_of_a_known_claim_are_loaded_when_asked_for(folder, monkeypatch):
    select_cached([])
    monkeypatch.setattr(listing, "load_source", lambda *a: pytest.fail("loaded again"))
    item, _ = select_cached([])
    assert item.claim.id == item.id
    assert item.claim is item.claim


@pytest.mark.parametrize(
    "edit",
    [
        lambda f: (f / "first.py").write_text((f / "first.py").read_text() + "\n# a remark\n"),
        lambda f: (f / "statements.toml").write_text("# another register\n"),
        lambda f: (f / "data.csv").write_text("n,value\n1,1\n"),
    ],
)
def test_any_file_of_the_folder_that_changes_loads_its_claims_again(folder, edit):
    select_cached([])
    edit(folder)
    assert not any(isinstance(item, CachedClaim) for item in select_cached([]))


def test_a_module_elsewhere_that_changes_loads_the_claims_again(folder, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path / "beside")
    (tmp_path / "beside").mkdir()
    helper = tmp_path / "beside" / "known_helper_of_mine.py"
    helper.write_text("SIZE = 3\n")
    text = (folder / "first.py").read_text()
    (folder / "first.py").write_text("import known_helper_of_mine\n" + text)
    select_cached([])
    assert all(isinstance(item, CachedClaim) for item in select_cached([]))
    helper.write_text("SIZE = 4\n")
    assert not any(isinstance(item, CachedClaim) for item in select_cached([]))
