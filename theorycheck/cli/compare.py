"""``theorycheck compare``."""

from __future__ import annotations

import json
from pathlib import Path

import click


@click.command("compare")
@click.argument("before", metavar="RUN")
@click.argument("after", metavar="RUN")
@click.option("--json", "as_json", is_flag=True)
def command(before: str, after: str, as_json: bool) -> int:
    """Verdicts, rungs, resolutions and timings that changed; exit code 1 if something got worse."""
    from theorycheck.record.runs import find_run, read_report
    from theorycheck.reports.compare import compare, lines

    reports = Path("reports")
    old, new = (read_report(find_run(name, reports)) for name in (before, after))
    changes = compare(old, new)
    if as_json:
        click.echo(json.dumps([c.to_json() for c in changes]))
    else:
        click.echo("\n".join(lines(old, new)))
    return 1 if any(c.worse for c in changes) else 0
