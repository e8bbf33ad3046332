"""The command line. Light to start: each command imports what it needs when it is called."""

from __future__ import annotations

import difflib
import gc
import importlib
import sys
from typing import Any

import click

COMMANDS = {
    "run": "Check claims and write a report.",
    "list": "List claims.",
    "show": "Print a claim as the theorem reads.",
    "coverage": "Which statements of the sources are proved, checked, supported, refuted, open.",
    "report": "Write a run's report in another format.",
    "compare": "What changed between two runs, and whether it got worse.",
    "judge": "Verdicts again from a run's kept observations.",
    "replay": "Run a claim of a run again: the same numbers, or what differs.",
    "export": "A stand-alone script and a LaTeX paragraph of a claim of a run.",
    "bundle": "Pack a run for a paper's supplement.",
    "audit": "Mutation testing of claims: does their evidence notice?",
    "recheck": "Recheck the kept proofs of a report by a second program.",
    "errata": "What is wrong as printed in the sources.",
    "merge": "Make one run of several disjoint ones.",
    "check": "Check a conjecture typed as text, or a file of conjectures.",
    "explore": "What formula might these numbers have?",
    "new": "Write a claim module that runs as it stands, or a register from a paper.",
}

OK, UNEXPECTED, INTERRUPTED, INTERNAL, USAGE, NOTHING, INCONCLUSIVE = range(7)
"""Exit codes, as pytest's where it has one (DESIGN 6)."""


class Lazy(click.Group):
    """A group whose commands are imported when they are used: `--help` loads none of them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*COMMANDS]  # `list` is a module of this package once that command was called

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"theorycheck.cli.{cmd_name.replace('-', '_')}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([*COMMANDS.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            near = difflib.get_close_matches(args[0], COMMANDS, 1)
            hint = f"did you mean {near[0]}?" if near else f"commands are {', '.join(COMMANDS)}"
            ctx.fail(f"no command {args[0]!r}; {hint}")
        return super().resolve_command(ctx, args)


FIRST = """\
theorycheck: do the formula and the thing that it describes agree, and how sharply is that known?

  theorycheck check "log(1 + x) <= x" --for "x in (-1, oo)"   a conjecture in one line
  theorycheck new mine.py                                     a claim to start from
  theorycheck run mine.py                                     judge it, with a report
  theorycheck run --all                                       the bundled theorems (some minutes)
  theorycheck list                                            what is bundled

theorycheck --help names every command."""


@click.group(
    cls=Lazy,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(package_name="theorycheck")
@click.pass_context
def group(ctx: click.Context) -> None:
    """Do the formula and the thing that it describes agree, and how sharply is that known?"""
    if ctx.invoked_subcommand is None:
        click.echo(FIRST)


def main(argv: list[str] | None = None) -> None:
    """Entry point; turns every outcome into a documented exit code."""
    # Claims build many small SymPy objects that live to the end: looking for garbage among them every 700
    # allocations costs a tenth of a short run.
    gc.set_threshold(100_000, 20, 20)
    sys.exit(call(argv))


def call(argv: list[str] | None = None) -> int:
    """Run a command line and return its exit code. One clear line for bad usage or input."""
    try:
        code: Any = group.main(args=argv, standalone_mode=False)
        return int(code or OK)
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.ClickException as error:
        click.echo(f"theorycheck: {error.format_message()}", err=True)
        return USAGE
    except (KeyboardInterrupt, click.Abort):
        click.echo("theorycheck: interrupted", err=True)
        return INTERRUPTED
    except Exception as error:  # noqa: BLE001 - a user's error is one line; any other is told with its trace (exit code 3)
        return _other(error)


def _other(error: Exception) -> int:
    from theorycheck.numbers.errors import UserError

    if isinstance(error, UserError):
        click.echo(f"theorycheck: {error}", err=True)
        return USAGE
    import traceback

    traceback.print_exception(error)
    click.echo(f"theorycheck: internal error ({type(error).__name__})", err=True)
    return INTERNAL
