"""``theorycheck errata``."""

from __future__ import annotations

import json
from pathlib import Path

import click


@click.command("errata")
@click.option("--source", "sources", multiple=True, metavar="NAME", help="Only this source.")
@click.option(
    "--unconfirmed", is_flag=True, help="Also what a reader noted and no check has decided."
)
@click.option("--json", "as_json", is_flag=True)
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write there instead of printing.",
)
def command(sources: tuple[str, ...], unconfirmed: bool, as_json: bool, out: Path | None) -> int:
    """What is wrong as printed in the sources, as our runs decided, with what survives."""
    from msgspec import to_builtins

    from theorycheck.record.files import write_text
    from theorycheck.reports.errata import markdown, only_decided, sections
    from theorycheck.reports.latest_coverage import latest_coverage

    found = latest_coverage(sources)
    entries = sections(found.registers, found.records)
    entries = entries if unconfirmed else only_decided(entries)
    if as_json:
        text = json.dumps(to_builtins(entries), indent=1, ensure_ascii=False)
    else:
        text = markdown(entries)
    if out is None:
        click.echo(text)
    else:
        write_text(out, text + "\n")
        click.echo(f"errata: {out}")
    return 0
