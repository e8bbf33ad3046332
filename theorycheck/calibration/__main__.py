"""``python -m theorycheck.calibration``: regenerate the published page.

Exit code 1 where a false verdict, a false number or a broken level was found; the page says where.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import click

from theorycheck.calibration.page import Findings, page
from theorycheck.calibration.parts import SeedParts


@click.command()
@click.option(
    "--seed",
    "seeds",
    multiple=True,
    type=int,
    default=(20_240_601,),
    show_default=True,
    help="Seed of all random streams; give several for one page about them all.",
)
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), help="File to write, else stdout."
)
@click.option("--quick", is_flag=True, help="A fifth of the cases, a twentieth of the runs.")
@click.option(
    "-n",
    "processes",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Processes that share the work; the page does not depend on it.",
)
def main(seeds: Sequence[int], out: Path | None, quick: bool, processes: int) -> None:
    """Measure how often verdicts are wrong, and print the page."""
    started = time.time()
    parts = [SeedParts(seed, quick, started) for seed in seeds]
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, context) as pool:
        cells = [pool.submit(part.cells) for part in parts]
        cases = [pool.submit(part.cases) for part in parts]
        attacked = [pool.submit(part.attacked) for part in parts]
        blind = [pool.submit(part.blind) for part in parts]
        edited = [pool.submit(part.edited) for part in parts]
        sharp = pool.submit(parts[0].sharp)
        findings = [
            Findings(
                part.seed,
                cases[i].result()[0],
                cells[i].result(),
                cases[i].result()[1],
                quick,
                attacked[i].result(),
                blind[i].result(),
                edited[i].result(),
            )
            for i, part in enumerate(parts)
        ]
        text = page(findings, sharp.result())
    if out is None:
        click.echo(text)
    else:
        out.write_text(text, encoding="utf-8")
    if not all(f.clean for f in findings):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
