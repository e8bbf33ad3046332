"""What a change of the repository touched: lines of a diff, new files, the functions that they meet."""

import subprocess

import pytest

from theorycheck.audit.run import audit
from theorycheck.audit.touched import meets, reaching, read_diff, since
from theorycheck.cli import call
from theorycheck.library.loading import load_all
from theorycheck.numbers.errors import UserError
from theorycheck.plan.settings import Settings

DIFF = """\
diff --git a/claims/a.py b/claims/a.py
--- a/claims/a.py
+++ b/claims/a.py
@@ -3 +3,2 @@ def f():
+x
+y
@@ -9,2 +10,0 @@ def g():
-gone
-gone
diff --git a/claims/b.py b/claims/b.py
--- a/claims/b.py
+++ b/claims/b.py
@@ -1 +1 @@
+z
"""


def test_lines_of_a_diff(tmp_path):
    found = read_diff(DIFF, tmp_path)
    assert found == {
        tmp_path / "claims/a.py": [(3, 4), (10, 11)],
        tmp_path / "claims/b.py": [(1, 1)],
    }
    file = tmp_path / "claims/a.py"
    assert meets(found, file, 1, 3) and meets(found, file, 11, 12) and meets(found, file, 4, 4)
    assert not meets(found, file, 5, 9) and not meets(found, tmp_path / "c.py", 1, 99)


CLAIMS = """
import sympy as sp
from theorycheck import claim, integers, variant

n = sp.symbols("n", integer=True, positive=True)


def total(n):
    return sum(range(n + 1))


def squares(n):
    return sum(k * k for k in range(n + 1))


first = claim(
    "first", domain={n: integers(1)}, grid={"smoke": {n: [1, 2, 5]}},
    closed_form=n * (n + 1) / 2, rivals=[variant("n^2", closed_form=n**2)],
)(total)
second = claim(
    "second", domain={n: integers(1)}, grid={"smoke": {n: [1, 2, 5]}},
    closed_form=n * (n + 1) * (2 * n + 1) / 6, rivals=[variant("n^2", closed_form=n**2)],
)(squares)
"""


@pytest.fixture
def repository(tmp_path):
    folder = tmp_path / "library" / "small"
    folder.mkdir(parents=True)
    (folder / "statements.toml").write_text("")
    (folder / "claims.py").write_text(CLAIMS)
    (folder / "other.py").write_text(
        CLAIMS.replace('"first"', '"third"').replace('"second"', '"fourth"')
    )

    def git(*command):
        named = ["-c", "user.name=n", "-c", "user.email=e", "-c", "init.defaultBranch=main"]
        subprocess.run(["git", *named, *command], cwd=tmp_path, check=True, capture_output=True)

    git("init")
    git("add", ".")
    git("commit", "-m", "first")
    return folder


def test_what_was_touched_is_changed_and_what_stands_beside_it(repository):
    file = repository / "claims.py"
    file.write_text(file.read_text().replace("k * k for", "k**2 for"))
    touched = since("HEAD", repository)
    assert list(touched) == [file]
    items = reaching(load_all([repository.parent]), touched)
    assert {item.id for item in items} == {"first", "second"}
    order = []
    found = audit(
        items, Settings("smoke"), touched=touched, watch=lambda *tried: order.append(tried[2])
    )
    assert {m.function for m in found if m.line} == {
        "squares",
        "total",
    }  # its evidence may be worth less
    tried = [m.function for m in order if m is not None and m.line]
    assert "total" not in tried[: tried.count("squares")]
    assert {m.function for m in found if not m.line} == {"first", "second"}


def test_a_new_file_is_touched_as_a_whole(repository):
    (repository / "new.py").write_text("x = 1\n")
    touched = since("HEAD", repository)
    assert meets(touched, repository / "new.py", 1, 1)


def test_the_command_audits_what_differs_from_a_revision(repository, monkeypatch, capsys):
    monkeypatch.chdir(repository)
    assert call(["audit", str(repository.parent), "--since", "HEAD"]) == 0
    assert "no claim reaches what differs from HEAD" in capsys.readouterr().out
    (repository / "other.py").write_text((repository / "other.py").read_text() + "\n# said\n")
    assert call(["audit", str(repository.parent), "--since", "HEAD", "--json"]) in (0, 6)
    assert '"file": "claims.py"' not in capsys.readouterr().out


@pytest.mark.parametrize("revision", ["nothing-of-that-name", "--output=x"])
def test_a_revision_that_is_none_ends_in_one_line(repository, revision):
    with pytest.raises(UserError, match="--since"):
        since(revision, repository)


def test_a_folder_outside_of_any_repository(tmp_path):
    with pytest.raises(UserError, match="not a git repository"):
        since("HEAD", tmp_path)
