"""Every code block of the README, of CONTRIBUTING and of the docs runs, page by page in the order of its blocks, in
one folder and one namespace, as a reader would follow it. There is no language that is only looked at:

python   claims are saved and judged by `theorycheck check`, anything else is executed
console  each command is called, and what the page shows under it is what is printed
sh       for commands that take hours, a GPU or an installation: read by the real command line, not started
toml     read by the loader whose file it is
yaml     its shape, and each of its commands called in the page's folder
csv      read as a recorded table
latex    saved as the paper of the next commands
ebnf     every name is defined, and the terminals are those of the reader
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml

from theorycheck.audit.explained import read_explanations
from theorycheck.claims.clauses import parse_prefix
from theorycheck.claims.tables import read_table
from theorycheck.cli import call, group
from theorycheck.library.loading import libraries
from theorycheck.sources.clauses import clauses_from_table
from theorycheck.sources.register import load_register

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^```(\S*)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ENDINGS = {"python": "py", "csv": "csv", "toml": "toml", "latex": "tex"}
WORKBENCH = {"HOLDS": 0, "REFUTED": 1, "INCONCLUSIVE": 6}
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


class Reader:
    """Someone who follows one page: a folder, the names defined so far, the commands of `sh` blocks seen."""

    def __init__(self, folder, capsys, monkeypatch):
        self.folder, self.capsys, self.patch = folder, capsys, monkeypatch
        self.names = {"__name__": "page"}
        self.read = 0

    def follow(self, text):
        for found in FENCE.finditer(text):
            language, block = found[1], found[2]
            # The file that it is saved as is the last one of its kind that the text names before it.
            ending = ENDINGS.get(language)
            said = re.findall(rf"`([\w-]+\.{ending})`", text[: found.start()])
            look = getattr(self, f"look_{language}", None)
            assert look is not None, f"nothing runs a block in {language or 'no language'}: {block}"
            look(block, self.folder / (said[-1] if said else f"page.{ending}"))
            self.read += 1

    def look_python(self, block, file):
        file.write_text(block, encoding="utf-8")
        if "@claim(" not in block and "= claim(" not in block:
            exec(compile(block, str(file), "exec"), self.names)
        elif "closed_form=..." not in block:
            code = call(["check", str(file)])
            # What needs a package that is not here is loaded, and skipped.
            assert code == (5 if self.absent(block) else 0), self.capsys.readouterr()

    def absent(self, block):
        needed = re.search(r'needs="([^"]*)"', block)
        return needed and not all(map(find_spec, needed[1].split()))

    def look_console(self, block, _file):
        assert block.startswith("$ ")
        for part in block.split("$ ")[1:]:
            typed, *shown = part.splitlines()
            program, *arguments = shlex.split(typed)
            assert program == "theorycheck", f"not a command that is called here: {typed}"
            if arguments[0] == "check" and not Path(arguments[1]).is_file():
                # A slow machine may take longer than the default budget; the answer must be the same.
                arguments += ["--budget", "120"]
            self.capsys.readouterr()
            code = call(arguments)
            printed = self.capsys.readouterr()
            place = 0
            for line in shown:  # in this order
                place = printed.out.find(line.strip(), place)
                assert place >= 0, f"{typed}\nshows: {line}\nprints: {printed}"
            # Ends with a verdict: holds, refuted or inconclusive, never bad usage or a crash.
            expected = [c for word, c in WORKBENCH.items() if shown and shown[0].startswith(word)]
            assert code in (expected or (0, 1, 6)), (typed, printed)

    def look_sh(self, block, _file):
        for line in block.splitlines():
            command = line.partition("  #")[0].strip()
            completion = re.search(r"_THEORYCHECK_COMPLETE=(\w+)_source theorycheck", command)
            if completion:
                self.complete(completion[1], command)
            elif command:
                self.usage(*shlex.split(command))

    def usage(self, program, *arguments):
        """The command is one that there is, with options and values that it takes."""
        if program == "theorycheck":
            name, *rest = arguments
            command = group.get_command(None, name)
            assert command is not None, name
            command.make_context(name, rest)
        elif program == "pip":
            assert arguments[0] == "install"
            package, _, extra = arguments[1].partition("[")
            assert package in (".", SETTINGS["project"]["name"])
            assert not extra or extra[:-1] in SETTINGS["project"]["optional-dependencies"]
        else:
            assert (program, arguments[0]) == ("python3", "do.py")
            if arguments[1] == "shell":
                self.usage(*arguments[2:])
            else:
                assert f"    python3 do.py {arguments[1]} " in (ROOT / "do.py").read_text()

    def complete(self, shell, command):
        """The line for a shell, run by it where it is installed."""
        environment = {"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin"}
        made = subprocess.run(
            ["theorycheck"],
            env={**environment, "_THEORYCHECK_COMPLETE": f"{shell}_source"},
            capture_output=True,
            text=True,
            check=True,
            executable=Path(sys.executable).parent / "theorycheck",
        )
        assert "_theorycheck_completion" in made.stdout
        if shutil.which(shell):
            subprocess.run([shell, "-c", command], env=environment, check=True)

    def look_toml(self, block, file):
        table = tomllib.loads(block)
        file.write_text(block, encoding="utf-8")
        if "project" in table:
            self.entry_point(table["project"]["entry-points"])
        elif "change" in table:
            assert len(read_explanations(self.folder)) == len(table["change"])
        elif "source" in table:
            assert load_register(self.folder).statements
        elif "prefix" in table:
            assert len(parse_prefix(table["prefix"])) > 0
        elif "clause" in table["statement"][0]:
            assert clauses_from_table(table)
        else:
            assert call(["check", str(file)]) == 0, self.capsys.readouterr()

    def entry_point(self, groups):
        """As an installed package names it; the module that it names gives the page's folder."""
        ((group_name, points),) = groups.items()
        info = self.folder / "mypaper-1.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: mypaper\nVersion: 1\n")
        lines = "\n".join(f"{name} = {value}" for name, value in points.items())
        (info / "entry_points.txt").write_text(f"[{group_name}]\n{lines}\n")
        (self.folder / "mypaper").mkdir()
        (self.folder / "mypaper" / "claims.py").write_text(
            f"def folder():\n    return {str(self.folder / 'claims')!r}\n"
        )
        with self.patch.context() as patch:
            patch.syspath_prepend(self.folder)
            assert self.folder / "claims" in [library.root for library in libraries()]

    def look_yaml(self, block, _file):
        data = yaml.safe_load(block)
        if "repos" in data:
            return self.hooks(data["repos"])
        assert data["name"] and data[True]  # YAML reads the key `on` as true
        for step in (s for job in data["jobs"].values() for s in job["steps"]):
            assert ("uses" in step) != ("run" in step), step
            assert re.fullmatch(r"[\w-]+/[\w-]+@v\d+", step.get("uses", "a/b@v1")), step
            program, *arguments = shlex.split(step.get("run", "theorycheck list"))
            if program == "pip":
                self.usage(program, *arguments)
                continue
            with self.patch.context() as patch:
                for name, value in step.get("env", {}).items():
                    patch.setenv(name, value)
                assert call(arguments) == 0, self.capsys.readouterr()
        return None

    def hooks(self, repositories):
        """As pre-commit calls them: with the names of the files that are touched and match."""
        files = [
            f.relative_to(self.folder).as_posix() for f in self.folder.rglob("*") if f.is_file()
        ]
        for hook in (h for r in repositories for h in r["hooks"]):
            assert {"id", "name", "entry", "language"} <= set(hook)
            matched = [f for f in files if re.search(hook["files"], f)]
            assert "claims/mypaper/first.py" in matched
            assert all(f.endswith(".py") for f in matched)
            assert call([*shlex.split(hook["entry"])[1:], *matched]) == 0, self.capsys.readouterr()

    def look_csv(self, block, file):
        file.write_text(block, encoding="utf-8")
        assert read_table(file)

    def look_latex(self, block, file):
        file.write_text(block, encoding="utf-8")

    def look_ebnf(self, block, _file):
        """Names on the right are defined somewhere on the page, or are said in words below it."""
        bare = re.sub(r'"[^"]*"|\(\*.*?\*\)', " ", block)
        self.names.setdefault("defined", set()).update(re.findall(r"(?m)^(\w+) *=", bare))
        used = set(re.findall(r"[a-z]+", bare))
        assert used <= self.names["defined"] | {"letter", "digit", "function"}, used


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_a_page_can_be_followed(page, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    text = page.read_text(encoding="utf-8")
    reader = Reader(tmp_path, capsys, monkeypatch)
    reader.follow(text)
    assert reader.read == sum(line.startswith("```") for line in text.splitlines()) / 2
