"""A small prompt for conjectures: domains stay until they are changed, lines have a history."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import click

from theorycheck.check.refusal import InputError
from theorycheck.cli.asking import Manner, StatementRequest, answer

HELP = """\
a statement          is checked for the domains in force:  x^2 >= 2x - 1
for x > 0, n in N    sets the domains;  where n != 7  a hypothesis;  with g ~ N(0, 1)  a law
let u = sqrt(x)      a substitution for proofs;  step exp(u) >= 1 + u  a lemma, proved first
show, clear          the domains in force; forget them
help, quit           this; the end (or Ctrl-D)"""

_LINES = 1000  # of history that are kept


class Prompt:
    """Reads lines and answers them.

    ``read`` gives a line for a prompt text and raises EOFError at the end; ``ask`` lets it choose
    between several readings of a statement.
    """

    def __init__(
        self,
        task: StatementRequest,
        manner: Manner,
        read: Callable[[str], str] = input,
        ask: bool = True,
    ) -> None:
        self.task, self.manner, self.read, self.ask = task, manner, read, ask

    def run(self) -> int:
        """Until the end of the lines; 0, since every answer was printed where it was asked for."""
        click.echo('theorycheck: a statement, or "help"')
        with _history():
            while True:
                try:
                    line = self.read("? ").strip()
                except EOFError:
                    click.echo()
                    return 0
                if line in ("quit", "exit"):
                    return 0
                if line:
                    self.line(line)

    def line(self, line: str) -> None:
        """Answer one line; bad input is said and changes nothing."""
        word, _, rest = line.partition(" ")
        try:
            if line == "help":
                click.echo(HELP)
            elif line == "clear":
                self.task = replace(self.task, domains=(), where=(), laws=(), let=(), steps=())
            elif line == "show":
                click.echo(self.in_force())
            elif word in ("for", "where", "with", "let", "step") and rest.strip():
                self.set(word, rest.strip())
            else:
                answer(replace(self.task, statement=line), self.manner, ask=self.ask)
        except InputError as error:
            click.echo(str(error))

    def set(self, word: str, text: str) -> None:
        """``for`` replaces the domains of the names that it declares anew."""
        from theorycheck.check.laws import law_names
        from theorycheck.check.precheck import declared_names

        if word == "where":
            self.task = replace(self.task, where=(*self.task.where, text))
        elif word == "let":
            self.task = replace(self.task, let=(*self.task.let, text))
        elif word == "step":
            self.task = replace(self.task, steps=(*self.task.steps, text))
        elif word == "with":
            named = set(law_names([text]))
            kept = [t for t in self.task.laws if not named & set(law_names([t]))]
            self.task = replace(self.task, laws=(*kept, text))
        else:
            named = set(declared_names([text]))
            kept = [t for t in self.task.domains if not named & set(declared_names([t]))]
            self.task = replace(self.task, domains=(*kept, text))

    def in_force(self) -> str:
        task = self.task
        lines = [f"for {t}" for t in task.domains] + [f"where {t}" for t in task.where]
        lines += [f"with {t}" for t in task.laws] + [f"let {t}" for t in task.let]
        return "\n".join([*lines, *(f"step {t}" for t in task.steps)]) or "no domain is set"


@contextlib.contextmanager
def _history() -> Iterator[None]:
    """Lines of earlier prompts at hand, and those of this one kept; without readline, nothing."""
    try:
        import readline
    except ImportError:  # some builds of Python have none
        yield
        return
    from platformdirs import user_state_path

    path = Path(user_state_path("theorycheck")) / "check_history"
    with contextlib.suppress(OSError):
        readline.read_history_file(path)
    try:
        yield
    finally:
        readline.set_history_length(_LINES)
        with contextlib.suppress(OSError):  # a history that cannot be kept stops nobody
            path.parent.mkdir(parents=True, exist_ok=True)
            readline.write_history_file(path)


__all__ = ["Prompt"]
