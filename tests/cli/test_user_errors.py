"""Errors that are the user's end the command with one line and exit code 4; others are its own."""

from __future__ import annotations

import importlib
import pkgutil

import pytest

import theorycheck
from theorycheck import cli
from theorycheck.numbers.errors import UserError

USERS = {
    "BackendError", "ClaimError", "DomainError", "ExecutorError", "FigureError", "InputError",
    "MergeError", "RegisterError", "ReportError", "SelectionError",
}  # fmt: skip


def test_every_room_that_refuses_input_derives_from_the_one_class() -> None:
    for module in pkgutil.walk_packages(theorycheck.__path__, "theorycheck."):
        if not module.name.endswith(("__main__", "cluster")):
            importlib.import_module(module.name)
    found: set[str] = set()
    waiting = [UserError]
    while waiting:
        kinds = waiting.pop().__subclasses__()
        found |= {kind.__name__ for kind in kinds}
        waiting += kinds
    assert found >= USERS
    assert theorycheck.UserError is UserError


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (UserError("n has no domain; write n in 0..9"), cli.USAGE, "theorycheck: n has no domain"),
        (ValueError("an index is out of range"), cli.INTERNAL, "internal error (ValueError)"),
        (RuntimeError("a lock is held"), cli.INTERNAL, "internal error (RuntimeError)"),
    ],
)
def test_the_command_catches_that_class_and_no_other(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    error: Exception,
    code: int,
    said: str,
) -> None:
    def broken(*args: object, **rest: object) -> None:
        raise error

    monkeypatch.setattr(cli.group, "main", broken)
    assert cli.call([]) == code
    err = capsys.readouterr().err
    assert said in err
    assert ("Traceback" in err) == (code == cli.INTERNAL)
