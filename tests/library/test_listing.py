"""`list` loads nothing that has not changed, and says what loading would say."""

import json
import sqlite3
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scale_claims import EXACT, FALSE, write

from theorycheck.claims.functions import ClaimError
from theorycheck.cli import call
from theorycheck.evidence.store import default_path
from theorycheck.library import listing, loading
from theorycheck.library.loading import Library
from theorycheck.library.selecting import SelectionError, select
from theorycheck.sources.plain import plain


def source(root, name, *parts):
    folder = root / "library" / name
    folder.mkdir(parents=True)
    (folder / "statements.toml").write_text("")
    write(folder, *parts, name="first.py")
    return folder


@pytest.fixture
def library(tmp_path, monkeypatch):
    """Two sources, and a store of their own; returns the first source's folder."""
    monkeypatch.setenv("THEORYCHECK_STORE", str(tmp_path / "store"))
    monkeypatch.chdir(tmp_path)
    folder = source(tmp_path, "alpha", EXACT, FALSE)
    source(tmp_path, "beta", EXACT.replace("odd-numbers", "beta-odd"))
    found = [Library(folder.parent)]
    for module in (listing, loading):
        monkeypatch.setattr(module, "libraries", lambda: found)
    return folder


@pytest.fixture
def cached(library, monkeypatch):
    """As `library`, listed once; loading anything again fails the test."""
    listing.listed([])
    monkeypatch.setattr(listing, "load_source", lambda *a: pytest.fail("loaded again"))
    return library


def ids(*targets, **how):
    return [row.id for row in listing.listed(targets, **how)]


def test_rows_are_those_of_the_loaded_claims(library):
    for _ in range(2):
        rows = listing.listed([])
        assert [r.id for r in rows] == ["odd-numbers", "odd-numbers-wrong", "beta-odd"]
        assert [r.expected for r in rows] == ["pass", "fail", "pass"]
        assert rows == listing._of(select([]))


def test_the_second_time_nothing_is_loaded(cached, capsys):
    assert ids() == ["odd-numbers", "odd-numbers-wrong", "beta-odd"]
    assert call(["list", "--json", "-k", "wrong"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert row["source"] == "alpha" and row["states"] == ["odd-numbers-wrong"]
    assert call(["list", "-k", "nowhere"]) == 5


@pytest.mark.parametrize("columns", [40, 80, 400])
def test_a_list_fits_the_terminal_and_leaves_nothing_out(columns, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", str(columns))
    assert call(["list", "--source", "structured_data"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) < max(columns, 70)  # an id is never cut
    assert lines[0] == "structured_data:"
    said = " ".join(" ".join(lines).split())
    for row in listing.listed([], sources=["structured_data"]):
        assert f"{row.id} {row.role} {row.expected} {plain(row.title)}" in " ".join(said.split())
    assert "$" not in said


def test_a_claim_id_that_is_nearly_one_is_named(library):
    with pytest.raises(SelectionError, match=r"shows the ids; did you mean odd-numbers-wrong\?$"):
        listing.listed(["odd-numbers-wrnog"])
    with pytest.raises(SelectionError) as far:
        listing.listed(["zeta"])
    assert "did you mean" not in str(far.value)


def test_an_id_whose_file_cannot_be_loaded_says_why(library):
    write(library, EXACT.replace("odd-numbers", "unread"), "1 / 0", name="second.py")
    with pytest.raises(
        SelectionError, match=r"'unread' is no file.*cannot be loaded: .*second\.py"
    ):
        listing.select_cached(["unread"], broken=True)


WORDS = st.sampled_from(["odd", "odd-*", "odd-numbers", "*wrong", "beta-*", "*", "none-*"])


@settings(max_examples=40)
@given(
    st.lists(WORDS, max_size=3),
    st.lists(st.sampled_from(["alpha", "beta", "gamma"]), max_size=2),
    st.sampled_from(["", "odd", "not wrong", "beta or wrong", "odd and alpha", "nothing"]),
)
def test_whatever_is_asked_for_it_is_what_select_chooses(tmp_path_factory, targets, chosen, words):
    with pytest.MonkeyPatch.context() as patch:
        root = tmp_path_factory.mktemp("asked")
        patch.setenv("THEORYCHECK_STORE", str(root / "store"))
        patch.chdir(root)
        found = [Library(source(root, "alpha", EXACT, FALSE).parent)]
        source(root, "beta", EXACT.replace("odd-numbers", "beta-odd"))
        for module in (listing, loading):
            patch.setattr(module, "libraries", lambda: found)

        def asked(of):
            try:
                return [i.id for i in of(targets, sources=chosen, expression=words)]
            except SelectionError as error:
                return str(error)

        assert asked(listing.listed) == asked(listing.listed) == asked(select)


def test_a_path_is_loaded_as_ever(cached):
    assert ids(str(cached / "first.py")) == ["odd-numbers", "odd-numbers-wrong"]
    assert ids(str(cached.parent)) == ["odd-numbers", "odd-numbers-wrong", "beta-odd"]


# ------------------------------------------------------------ what must not be believed


def run_list(folder, *words):
    """`list` in a process of its own, which has nothing loaded."""
    code = (
        "import sys\nfrom pathlib import Path\n"
        "from theorycheck.library import listing, loading\nfrom theorycheck.cli import call\n"
        "found = [loading.Library(Path(sys.argv[1]))]\n"
        "for module in (listing, loading):\n    module.libraries = lambda: found\n"
        "code = call(['list', *sys.argv[2:]])\n"
        "print([m for m in ('sympy', 'numpy', 'flint', 'scipy') if m in sys.modules])\n"
        "sys.exit(code)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(folder), *words], capture_output=True, text=True
    )
    return done.returncode, done.stdout, done.stderr


def test_edited_files_are_loaded_again(library):
    folder = library.parent
    assert "odd-numbers-wrong" in run_list(folder)[1]
    code, out, _ = run_list(folder)
    assert code == 0 and out.endswith("[]\n")  # nothing heavy was imported
    file = library / "first.py"
    file.write_text(file.read_text().replace('"odd-numbers-wrong"', '"renamed"'))
    code, out, _ = run_list(folder)
    assert code == 0 and "renamed" in out and "odd-numbers-wrong" not in out
    # A file that the module only reaches counts too, and so does one that is new.
    write(library, EXACT.replace("odd-numbers", "second"), name="second.py")
    assert "second" in run_list(folder)[1]
    file.write_text("broken(\n")
    code, _, err = run_list(folder)
    assert code == 4 and "alpha/first.py" in err


def test_another_engine_believes_no_row(cached, monkeypatch):
    loaded = []
    monkeypatch.setattr(
        listing, "load_source", lambda *a, **k: loaded.append(a) or loading.load_source(*a, **k)
    )
    monkeypatch.setattr(listing, "engine_digest", lambda rooms: "edited")
    assert ids() == ["odd-numbers", "odd-numbers-wrong", "beta-odd"]
    assert len(loaded) == 2


def test_ids_that_occur_twice_are_refused(library):
    source(library.parent.parent, "gamma", EXACT)
    for _ in range(2):
        with pytest.raises(ClaimError, match="ids are unique"):
            listing.listed([])


def test_a_damaged_row_is_not_believed(library):
    listing.listed([])
    with sqlite3.connect(default_path()) as db:
        db.execute("UPDATE memo SET data = substr(data, 1, length(data) - 1) || x'00'")
    db.close()
    assert ids() == ["odd-numbers", "odd-numbers-wrong", "beta-odd"]
    assert list(default_path().parent.glob("store.damaged-*"))


def test_a_store_that_cannot_be_written_costs_only_time(library, monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("THEORYCHECK_STORE", str(tmp_path / "file" / "store"))
    assert ids("beta-*") == ["beta-odd"]


def test_a_glob_that_fits_nothing_is_refused(cached):
    with pytest.raises(SelectionError, match="'none-\\*'"):
        ids("none-*")
