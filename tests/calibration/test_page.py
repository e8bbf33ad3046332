"""The published page keeps the levels that it tests, and a part of it comes out again.

What is printed is read back as text; timings are not looked at.
"""

import re
from pathlib import Path

import pytest

from theorycheck.calibration import efficiency
from theorycheck.calibration.families import all_truths
from theorycheck.calibration.page import number
from theorycheck.calibration.parts import run_cases
from theorycheck.calibration.replication import LEVELS, Rate, experiments
from theorycheck.entries.rungs import RUNGS

PAGE = Path(__file__).resolve().parents[2] / "docs" / "calibration.md"
TEXT = PAGE.read_text(encoding="utf-8")
SEEDS = [int(s) for s in re.findall(r"--seed (\d+)", TEXT)]


def tables():
    """Every table of the page: its rows as lists of cells, the head first."""
    found, current = [], []
    for line in [*TEXT.splitlines(), ""]:
        if line.startswith("|"):
            current.append([cell.strip() for cell in line.strip("|").split("|")])
        elif current:
            found.append([current[0], *current[2:]])
            current = []
    return found


def table(*columns):
    """The only table whose head begins with these columns."""
    (found,) = [t for t in tables() if t[0][: len(columns)] == list(columns)]
    return found[0], found[1:]


def named(head, row):
    return dict(zip(head, row, strict=True))


SUMS = {row[0]: [int(x) for x in row[1:]] for row in table("", f"seed {SEEDS[0]}")[1]}


def test_at_least_two_seeds_and_a_complete_run():
    assert len(set(SEEDS)) == len(SEEDS) >= 2
    assert "--quick" not in TEXT
    assert re.search(r"Versions: theorycheck \S+, python 3\.", TEXT)


@pytest.mark.parametrize(
    "words",
    ["false fails", "false passes", "errors", "false numbers", "outside of a bound", "bear out"],
)
def test_nothing_was_found_wrong_on_any_seed(words):
    (counts,) = [c for label, c in SUMS.items() if words in label]
    assert counts == [0] * len(SEEDS)


def test_there_are_enough_truths_and_lies():
    assert min(SUMS["known truths"]) >= 200
    assert min(SUMS["known lies"]) >= 200
    assert SUMS["known truths"] == [len(all_truths())] * len(SEEDS)


def test_all_relations_and_rungs_add_up():
    head, rows = table("relation", "evidence")
    relations = {row[0].split("(")[0] for row in rows}
    assert relations == {t.relation.split("(")[0] for t in all_truths()}
    rung_head, by_rung = table("rung")
    assert {row[0] for row in by_rung} - {"none"} == set(RUNGS)
    for name, total in (("truths", "known truths"), ("lies", "known lies")):
        for h, r in ((head, rows), (rung_head, by_rung)):
            assert sum(int(row[h.index(name)]) for row in r) == sum(SUMS[total])
    for h, r in ((head, rows), (rung_head, by_rung)):
        for wrong in ("false fail", "false pass"):
            assert {row[h.index(wrong)] for row in r} == {"0"}


# ---- replicated runs


def cells():
    head, rows = table("claim", "deviation / rho", "level")
    for row in rows:
        claim, deviation, level, runs, *found = row
        rates = [
            (int(found[i].split(" ")[0]), found[i + 1], found[i + 2])
            for i in (0, 3, 6)  # excluded, failed, passed: each with its bound and exact number
        ]
        cell = named(head, row)
        yield claim, deviation, float(level), int(runs), rates, int(cell["errors"]), cell["kept"]


def test_enough_runs_at_every_level_for_every_deviation():
    seen = {(d, level): runs for claim, d, level, runs, *_ in cells() if claim.endswith("below")}
    assert set(seen) == {(d, level) for d in ("1", "1.5", "3") for level in LEVELS}
    truths = {level: runs for claim, d, level, runs, *_ in cells() if claim == "coin, equals"}
    assert set(truths) == set(LEVELS)
    assert min([*seen.values(), *truths.values()]) >= 2000 * len(SEEDS)


def test_observed_rates_keep_the_bounds_and_meet_the_exact_numbers():
    for claim, _, level, runs, rates, errors, kept in cells():
        assert kept == "yes", claim
        for i, (count, bound, exact) in enumerate(rates):
            proved, summed = (float(x) if x else None for x in (bound, exact))
            rate = Rate(count, runs, proved, summed, errors if i == 1 else 0)
            # Three digits are printed of the exact number.
            low, high = rate.interval
            assert rate.bound is None or low <= rate.bound, (claim, level)
            assert rate.exact is None or low <= 1.01 * rate.exact, (claim, level)
            assert rate.exact is None or 0.99 * rate.exact <= high, (claim, level)


def test_exact_numbers_come_out_again():
    printed = {(claim, d, level): rates for claim, d, level, _, rates, *_ in cells()}
    checked = 0
    for experiment, levels in experiments():
        if experiment.exact is None:
            continue
        deviation = number(experiment.deviation) if experiment.deviation else "truth"
        sums = experiment.exact(levels[0])
        rates = printed[experiment.name, deviation, levels[0]]
        assert [r[2] for r in rates] == [
            number(sums.excluded),
            number(sums.failed),
            number(sums.passed),
        ]
        checked += 1
    assert checked == 7


# ---- exact levels, samples, sharpness


def test_exact_error_probabilities_are_below_their_levels():
    _, rows = table("alpha", "p = 0.001")
    assert len(rows) >= 6
    for alpha, *errors in rows:
        for error in errors:
            assert float(error.removeprefix("< ")) <= max(float(alpha) * 1.05, 1e-13)
    head, rows = table("alpha", "deviation / rho", "fails")
    for row in rows:
        cell = named(head, row)
        wrong = cell["fails"] if cell["deviation / rho"] == "truth" else cell["passes"]
        assert float(wrong) <= 1.05 * float(cell["alpha"])
    head, rows = table("data", "paths")
    assert {named(head, row)["kept"] for row in rows} == {"yes"}


def test_samples_are_within_a_factor_two_of_walds_bound():
    grids = [t for t in tables() if t[0][:3] == ["p0", "p1", "Wald"]]
    assert len(grids) == 2
    assert len(grids[0]) - 1 == len(efficiency.PAIRS)
    for head, *rows in grids:
        for row in rows:
            assert float(row[head.index("ratio")]) <= 2
    rows = {(row[0], row[1]): row for row in grids[0][1:]}
    for p0, p1 in efficiency.PAIRS[:9:2]:
        wald, mean = (
            efficiency.bound(p0, p1, efficiency.DECISION),
            efficiency.mean_samples(p0, p1, efficiency.DECISION),
        )
        assert rows[f"{p0:g}", f"{p1:g}"][2:4] == [f"{wald:.0f}", f"{mean:.0f}"]


def test_sampled_equalities_are_sharp_at_profile_standard():
    head, rows = table("evidence", "truths", "pass", "median resolution")
    assert {row[0] for row in rows} >= {"probability", "bounded mean", "quantile"}
    passed = 0
    for row in rows:
        cell = named(head, row)
        passed += int(cell["pass"])
        assert 0 < float(cell["median resolution"]) <= float(cell["largest"]) <= 1e-2
    assert passed >= 0.9 * sum(int(row[1]) for row in rows)


# ---- a part of the cases, run again


@pytest.mark.parametrize(
    ("relation", "evidence"),
    [
        ("minimises", "exact"),
        ("at_most", "ball"),
        ("equals", "external"),
        ("separates", "exact"),
        ("up_to_constant(equals)", "exact"),
    ],
)
def test_cases_come_out_again(relation, evidence):
    truths = [t for t in all_truths() if (t.relation, t.rung) == (relation, evidence)]
    results = [r for seed in SEEDS for r in run_cases(truths, seed)[0]]
    head, rows = table("relation", "evidence")
    (row,) = [r for r in rows if r[:2] == [relation, evidence]]
    cell = named(head[:11], row[:11])

    def count(outcome, lie):
        return str(sum(r.outcome == outcome and r.lie is lie for r in results))

    assert cell["truths"] == str(len(truths) * len(SEEDS))
    assert cell["lies"] == str(sum(r.lie for r in results))
    assert cell["pass"] == count("right", False)
    assert cell["refuted"] == count("right", True)
    assert cell["unresolved"] == count("unresolved lie", True)
    assert not any(r.false_number for r in results)
