"""What a shell is offered: commands, options, ids of claims, and files where no id begins so."""

from __future__ import annotations

import pytest
from click.shell_completion import ShellComplete

from theorycheck.cli import group
from theorycheck.library.loading import load_all


def offered(*typed):
    *before, begun = typed
    found = ShellComplete(group, {}, "theorycheck", "_X").get_completions(before, begun)
    return [(item.type, item.value) for item in found]


def test_commands_and_options():
    offered("list", "")  # once that command's module is loaded, too
    assert offered("rep") == [("plain", "report"), ("plain", "replay")]
    assert ("plain", "--profile") in offered("run", "--pro")
    assert offered("run", "--op") == offered("report", "--op") == [("plain", "--open")]


@pytest.mark.parametrize("command", [["show"], ["run"], ["list"], ["audit"], ["export", "latest"]])
def test_ids_of_claims(command):
    begun = "looped-gradi"
    known = sorted(item.claim.id for item in load_all() if item.claim.id.startswith(begun))
    assert known
    assert sorted(offered(*command, begun)) == [("plain", id) for id in known]


def test_files_where_no_id_begins_so():
    assert offered("run", "mine.p") == [("file", "mine.p")]
