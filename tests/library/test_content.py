"""What a claim reaches by imports: every module whose edit may move a number, and no other."""

import ast
import importlib
import json
import os
import sys
import textwrap
from pathlib import Path

import pytest

from theorycheck.evidence.content import DIGESTS, Content, Digests, Part, parts_from, rows_of
from theorycheck.library import content as module
from theorycheck.library.content import content_of
from theorycheck.library.loading import load_file

CLAIM = """
import sympy as sp
from theorycheck import claim, integers, equals
{head}
n = sp.symbols("n", integer=True, positive=True)

@claim("c", domain={{n: integers(1)}}, grid={{"smoke": {{n: [1, 2]}}}}, closed_form=n, relation=equals())
def value(n):
    return n
"""


def put(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))
    return root / next(iter(files))


def names(content: Content) -> set[str]:
    return {f"{p.kind} {p.name}" for p in content.parts}


@pytest.fixture(autouse=True)
def fresh(monkeypatch):
    """As in a process that has imported nothing yet."""
    monkeypatch.setattr(module, "_imported", {})
    module._source.cache_clear()


NESTED = """
def f(x):
    try:
        from ._a import one
    except ImportError:
        from ._b import one
    else:
        from ._c import one
    finally:
        from ._d import one
    while x:
        with x:
            from . import _e
    else:
        from ._f.deeper import one
    match x:
        case 1:
            async def g():
                class C:
                    if x:
                        pass
                    elif (lambda y: y)(x):
                        from ._g import one
    from outside import one
    import json
"""


def test_imports_are_seen_at_any_depth():
    whole = [n for n in ast.walk(ast.parse(NESTED)) if isinstance(n, ast.stmt)]
    found = [n for n in module._statements(ast.parse(NESTED)) if isinstance(n, ast.stmt)]
    assert sorted(map(ast.dump, whole)) == sorted(map(ast.dump, found))


REACHED = {
    "a module": ("from ._model import f", {"_model.py": "f = 1"}, "_model.py"),
    "a module by name": ("from . import _model", {"_model.py": "f = 1"}, "_model.py"),
    "through another": (
        "from ._a import f",
        {"_a.py": "from ._b import f", "_b.py": "f = 1"},
        "_b.py",
    ),
    "a sub-package": ("from .sub import f", {"sub/__init__.py": "f = 1"}, "sub/__init__.py"),
    "a module of a sub-package": (
        "from .sub import model",
        {"sub/__init__.py": "", "sub/model.py": "f = 1"},
        "sub/model.py",
    ),
    "a module of a sub-package without __init__": (
        "from .sub.model import f",
        {"sub/model.py": "f = 1"},
        "sub/model.py",
    ),
    "the package above a module": (
        "from .sub.model import f",
        {"sub/__init__.py": "x = 1", "sub/model.py": "f = 1"},
        "sub/__init__.py",
    ),
    "what a sub-package imports": (
        "from .sub import f",
        {"sub/__init__.py": "from .deep.er import f", "sub/deep/er.py": "f = 1"},
        "sub/deep/er.py",
    ),
    "back up": (
        "from .sub.model import f",
        {"sub/model.py": "from ..base import f", "base.py": "f = 1"},
        "base.py",
    ),
    "everything of a sub-package": (
        "from .sub import *",
        {"sub/__init__.py": "__all__ = ['model']", "sub/model.py": "f = 1"},
        "sub/model.py",
    ),
    "inside a function": (
        "def f():\n    from . import _late\n    return _late",
        {"_late.py": "f = 1"},
        "_late.py",
    ),
    "by import_module": (
        "import importlib\nm = importlib.import_module('._model', __package__)",
        {"_model.py": "f = 1"},
        "_model.py",
    ),
    "a local package": ("import pack.model", {"path/pack/model.py": "f = 1"}, "path/pack/model.py"),
    "what a local package imports": (
        "from pack import f",
        {"path/pack/__init__.py": "from .deep import f", "path/pack/deep.py": "f = 1"},
        "path/pack/deep.py",
    ),
    "up inside a local package": (
        "from pack.sub.low import f",
        {
            "path/pack/__init__.py": "",
            "path/pack/sub/__init__.py": "",
            "path/pack/sub/low.py": "from ..high import f",
            "path/pack/high.py": "f = 1",
        },
        "path/pack/high.py",
    ),
}


@pytest.mark.parametrize("how", REACHED)
def test_an_edit_of_what_is_reached_changes_the_content_and_its_return_restores_it(
    tmp_path, monkeypatch, how
):
    head, others, edited = REACHED[how]
    monkeypatch.syspath_prepend(str(tmp_path / "path"))
    file = put(tmp_path, {"mine.py": CLAIM.format(head=head), **others})
    before = content_of(file)
    assert before.changed(tmp_path) is None and before.never == ""
    text = (tmp_path / edited).read_text()
    for edit in (text + "\ny = 2\n", "# a comment\n" + text, text):
        (tmp_path / edited).write_text(edit)
        after, same = content_of(file), "y = 2" not in edit
        assert (after.digest == before.digest) is same
        assert (before.changed(tmp_path) is None) is same
        if not same:
            assert before.changed(tmp_path).path(tmp_path) == tmp_path / edited


def test_what_is_beside_and_not_reached_does_not_count(tmp_path):
    file = put(tmp_path, {"mine.py": CLAIM.format(head=""), "other.py": "x = 1"})
    assert {n for n in names(content_of(file)) if n.startswith("module")} == {"module mine"}


def test_a_library_above_is_reached(tmp_path):
    files = {
        "src/mine.py": CLAIM.format(head="from .. import shared"),
        "shared.py": "f = 1",
        "src/statements.toml": "",
    }
    assert "module ../shared" in names(content_of(put(tmp_path, files)))


def test_a_package_that_comes_to_hide_a_module_is_a_change(tmp_path):
    files = {"mine.py": CLAIM.format(head="from ._model import f"), "_model.py": "f = 1"}
    before = content_of(put(tmp_path, files))
    put(tmp_path, {"_model/__init__.py": "f = 2"})
    assert before.changed(tmp_path) is not None


def test_installed_packages_count_by_their_version(tmp_path, monkeypatch):
    file = put(tmp_path, {"mine.py": CLAIM.format(head="import click\nimport flint")})
    content = content_of(file)
    assert {"installed click", "installed flint"} <= names(content)
    from theorycheck.evidence import content as value

    monkeypatch.setattr(value, "version", lambda package: "another")
    assert content.changed(tmp_path).kind == "installed"


def test_a_module_that_is_not_there_counts_when_it_comes(tmp_path, monkeypatch):
    head = "try:\n    import fast_twin\nexcept ImportError:\n    pass"
    content = content_of(put(tmp_path, {"mine.py": CLAIM.format(head=head)}))
    assert content.changed(tmp_path) is None
    put(tmp_path, {"path/fast_twin.py": "f = 1"})
    monkeypatch.syspath_prepend(str(tmp_path / "path"))
    assert content.changed(tmp_path).name == "fast_twin"


def test_a_content_survives_json(tmp_path):
    content = content_of(put(tmp_path, {"mine.py": CLAIM.format(head="from ._x import y")}))
    assert parts_from(json.loads(json.dumps(rows_of(content.parts)))) == content.parts


@pytest.mark.parametrize(
    ("head", "words"),
    [
        ("import importlib\nm = importlib.import_module('js' + 'on')", "mine.py:5 imports"),
        ("m = __import__(chr(109) + 'ath')", "mine.py:4 imports"),
        ("import multiprocessing", "processes"),
        ("def f():\n    import h5py", "h5py"),
    ],
)
def test_what_cannot_be_followed_is_never_cached(tmp_path, monkeypatch, head, words):
    put(tmp_path, {"site-packages/h5py.py": ""})
    monkeypatch.syspath_prepend(str(tmp_path / "site-packages"))
    monkeypatch.setattr(module, "version", lambda package: "1")
    from theorycheck.evidence import content as value

    monkeypatch.setattr(value, "version", lambda package: "1")
    assert words in content_of(put(tmp_path, {"mine.py": CLAIM.format(head=head)})).never


def test_native_code_of_its_own_is_never_cached(tmp_path):
    suffix = importlib.machinery.EXTENSION_SUFFIXES[0]
    file = put(
        tmp_path, {"mine.py": CLAIM.format(head="from . import _fast"), f"_fast{suffix}": ""}
    )
    content = content_of(file)
    assert "native" in content.never and "module _fast" in names(content)


def test_an_import_does_not_load(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(tmp_path))
    put(tmp_path, {"loud/__init__.py": "raise RuntimeError", "loud/inner.py": ""})
    file = put(tmp_path, {"mine.py": CLAIM.format(head="import loud.inner")})
    assert {"import loud", "import loud.inner"} <= names(content_of(file))
    assert "loud" not in sys.modules


def test_a_file_that_is_edited_while_the_process_lives_stays_what_it_was(tmp_path):
    files = {"mine.py": CLAIM.format(head="from ._model import f"), "_model.py": "f = 1"}
    file = put(tmp_path, files)
    before = load_file(file)[0]
    (tmp_path / "_model.py").write_text("f = 2222")
    assert load_file(file)[0].content == before.content
    assert before.made_from.changed(tmp_path) == next(
        p for p in before.made_from.parts if p.name == "_model"
    )


# ------------------------------------------------------------ digests


def test_a_same_sized_edit_with_its_time_put_back_is_seen(tmp_path):
    file, digests = tmp_path / "data.csv", Digests()
    file.write_text("1234")
    old = 1_600_000_000
    os.utime(file, (old, old))
    before = digests.of(file, "bytes")
    file.write_text("1243")
    os.utime(file, (old, old))
    assert digests.of(file, "bytes") != before


def test_an_edit_within_the_grain_of_the_clock_is_seen(tmp_path, monkeypatch):
    from theorycheck.evidence import content as value

    file, digests = tmp_path / "data.csv", Digests()
    file.write_text("1234")
    stamp = value._signature(file)  # all that a coarse clock tells of both texts
    monkeypatch.setattr(value, "_signature", lambda path: stamp)
    before = digests.of(file, "bytes")
    file.write_text("1243")
    assert digests.of(file, "bytes") != before


def test_an_old_file_is_read_once_also_by_the_next_run(tmp_path, monkeypatch):
    from theorycheck.evidence import content as value

    file, digests = tmp_path / "data.csv", Digests()
    file.write_text("1234")
    monkeypatch.setattr(value, "GRAIN_NS", -(10**12))
    before, later = digests.of(file, "bytes"), Digests()
    later.load(digests.to_json())
    monkeypatch.setattr(value, "_hashed", lambda path, how: pytest.fail("read again"))
    assert digests.of(file, "bytes") == later.of(file, "bytes") == before


@pytest.mark.parametrize("kind", ["file", "folder", "variable", "working"])
def test_parts_follow_what_they_name(tmp_path, monkeypatch, kind):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NAMED", "1")
    put(tmp_path, {"data/a.csv": "1"})
    name = {"file": "data/a.csv", "folder": "data", "variable": "NAMED", "working": "data/a.csv"}
    part = Part(kind, name[kind], "")
    before = part.now(tmp_path)
    assert before == part.now(tmp_path)
    put(tmp_path, {"data/a.csv": "2", "data/b.csv": ""})
    monkeypatch.setenv("NAMED", "2")
    assert part.now(tmp_path) != before
    (tmp_path / "data").rename(tmp_path / "moved")
    monkeypatch.delenv("NAMED")
    assert part.now(tmp_path) == "absent"


def test_the_bundled_claims_can_all_be_cached():
    from theorycheck.library.loading import load_all

    assert {i.claim.id: i.made_from.never for i in load_all() if i.made_from.never} == {}
    assert all(i.made_from.changed(i.file.parent) is None for i in load_all())
    assert DIGESTS.to_json()
