"""``python -m theorycheck.calibration``: regenerate the published page.

Exit code 1 where a false verdict, a false number or a broken level was found; the page says where.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from theorycheck.calibration.acceptance import acceptance, applies
from theorycheck.calibration.cases import Result, Truth, lies_of, run_lie, run_truth
from theorycheck.calibration.families import all_truths
from theorycheck.calibration.page import Accepted, Findings, page
from theorycheck.calibration.replication import replicate_all

RUNS, QUICK_RUNS = 2000, 100
QUICK_EVERY = 5
"""A quick run takes every fifth truth."""


def calibrate(seed: int, quick: bool = False) -> Findings:
    """All parts of the calibration that are random; the exact ones belong to the page."""
    truths = all_truths()[:: QUICK_EVERY if quick else 1]
    results, accepted = run_cases(truths, seed)
    cells = replicate_all(QUICK_RUNS if quick else RUNS, seed)
    return Findings(seed, results, cells, accepted, quick)


def run_cases(truths: Sequence[Truth], seed: int) -> tuple[list[Result], Accepted]:
    """Every truth, every lie about it, and what its stated resolution is worth on its own evidence."""
    results: list[Result] = []
    claims = held = one_sided = 0
    for truth in truths:
        result, outcome = run_truth(truth, seed)
        results.append(result)
        claim = truth.claim()
        if applies(claim, outcome.judgement):
            found = acceptance(
                claim, outcome.observations, outcome.judgement, profile=truth.profile
            )
            claims += 1
            held += found.holds
            one_sided += found.one_sided
        results += [run_lie(truth, lie, seed)[0] for lie in lies_of(truth, outcome.judgement)]
    return results, Accepted(claims, held, one_sided)


@click.command()
@click.option("--seed", default=20_240_601, show_default=True, help="Seed of all random streams.")
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), help="File to write, else stdout."
)
@click.option("--quick", is_flag=True, help="A fifth of the cases, a hundred runs a level.")
def main(seed: int, out: Path | None, quick: bool) -> None:
    """Measure how often verdicts are wrong, and print the page."""
    findings = calibrate(seed, quick)
    text = page(findings)
    if out is None:
        click.echo(text)
    else:
        out.write_text(text, encoding="utf-8")
    if not findings.clean:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
