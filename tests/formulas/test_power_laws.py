"""Power laws through noise: the interval holds the truth as often as it says, and no oftener wrong."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from theorycheck.cli import call
from theorycheck.formulas.scaling import LEVEL, Measurements, gathered, scalings, spread_of

SIZES = np.array([64.0, 128, 256, 512, 1024, 2048])
SEEDS = 100


def noisy(seed: int, truth, sizes=SIZES, replicates: int = 20, noise: float = 0.01) -> Measurements:
    rng = np.random.default_rng(seed)
    n = np.repeat(sizes, replicates)
    return gathered({"n": n}, truth(n) * (1 + noise * rng.standard_normal(len(n))))


def held(seeds: int, truth, base: str, exponent: float, **options) -> int:
    inside = 0
    for seed in range(seeds):
        found = [s for s in scalings(noisy(seed, truth, **options)) if base in s.exponents]
        low, high = found[0].exponents[base]
        inside += low <= exponent <= high
    return inside


def test_one_per_cent_of_noise_twenty_replicates_six_sizes() -> None:
    """The intervals hold together with probability 95 per cent by derivation; with all seeds drawn
    fewer than 95 of 100 held would have to be seen, and at most five are allowed to miss."""
    assert LEVEL == 0.05
    assert held(SEEDS, lambda n: 0.52 * n**-0.5, "n", -0.5) >= 95


def test_without_replicates_the_residuals_tell_the_noise() -> None:
    sizes = 2.0 ** np.arange(4, 16)
    count = held(SEEDS, lambda n: 3 * n**-0.25, "n", -0.25, sizes=sizes, replicates=1)
    assert count >= 95


def test_a_logarithm_is_seen_and_a_power_alone_refused() -> None:
    found = scalings(noisy(0, lambda n: np.log(n) ** 2 / n, sizes=2.0 ** np.arange(3, 16)))
    assert [list(s.exponents) for s in found] == [["n", "log(n)"]]
    low, high = found[0].exponents["log(n)"]
    assert low <= 2 <= high
    assert found[0].resolution()["log(n)"] == pytest.approx((high - low) / 2)


def test_what_is_no_power_law_is_refused() -> None:
    wide = 2.0 ** np.arange(2, 16)
    assert scalings(noisy(0, lambda n: 1 + n**-0.5, sizes=wide, replicates=200)) == []
    assert scalings(noisy(0, lambda n: np.exp(-n / 500))) == []


def test_several_columns() -> None:
    rng = np.random.default_rng(1)
    n, d = (c.ravel() for c in np.meshgrid(SIZES, [1.0, 4, 16, 64], indexing="ij"))
    n, d = np.repeat(n, 10), np.repeat(d, 10)
    values = -2 * n**-0.5 * d**0.25 * (1 + 0.01 * rng.standard_normal(len(n)))
    found = scalings(gathered({"n": n, "d": d}, values))[0]
    assert found.sign == -1
    for base, truth in (("n", -0.5), ("d", 0.25)):
        low, high = found.exponents[base]
        assert low <= truth <= high
        assert high - low < 0.02
    assert found.constant[0] <= 2 <= found.constant[1]


def test_signs_zeros_and_too_few_points() -> None:
    assert scalings(noisy(0, lambda n: n - 600)) == []
    assert scalings(noisy(0, lambda n: 0 * n)) == []
    assert scalings(noisy(0, lambda n: n, sizes=SIZES[:3])) == []
    flat = gathered({"n": np.full(9, 2.0)}, np.arange(1.0, 10))
    assert scalings(flat) == []
    # Noise as large as the values: no logarithm is known.
    assert scalings(noisy(0, lambda n: 1 / n, replicates=2, noise=3.0)) == []


def test_rows_are_gathered_by_their_coordinates() -> None:
    samples = gathered({"n": np.array([2.0, 1, 2, 1])}, np.array([4.0, 1, 6, 3]))
    assert samples.means.tolist() == [2.0, 5.0]
    assert samples.counts.tolist() == [2, 2]
    assert samples.errors == pytest.approx([1.0, 1.0])
    assert samples.replicated
    assert not gathered({"n": np.array([1.0, 2])}, np.array([1.0, 2])).replicated
    with pytest.raises(ValueError, match="NaN"):
        gathered({"n": np.array([1.0])}, np.array([np.nan]))
    assert len(spread_of(noisy(0, lambda n: n), 4).means) == 4


def table(path: Path, rows: list[str], header: str) -> str:
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return str(path)


def test_a_replicate_is_no_coordinate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng(5)
    rows = [
        f"{n},{r},{0.52 * n**-0.5 * (1 + 0.01 * rng.standard_normal()):.6g}"
        for n in (64, 128, 256, 512, 1024, 2048)
        for r in range(20)
    ]
    file = table(tmp_path / "loss.csv", rows, "n,replicate,value")
    assert call(["explore", file, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)[0]
    assert len(found["table"]) == 6
    scaling = found["scalings"][0]
    low, high = scaling["exponents"]["n"]
    assert low <= -0.5 <= high
    assert scaling["values"] == 120
    assert scaling["noise"] == pytest.approx(0.01, rel=0.5)
    assert found["candidates"][0]["text"].startswith("C * n**(-1/2)")
    # Under another name of the column, too.
    file = table(tmp_path / "seeds.csv", rows, "n,seed,value")
    assert call(["explore", file, "--replicate", "seed"]) == 0
    assert "power law: C * n**a with a in [-0.5" in capsys.readouterr().out


def test_single_noisy_values_have_a_law_where_no_formula_meets_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = np.random.default_rng(2)
    rows = [
        f"{2**k},{3 * 2 ** (-k / 4) * (1 + 0.01 * rng.standard_normal()):.6g}" for k in range(3, 15)
    ]
    assert call(["explore", table(tmp_path / "one.csv", rows, "n,value")]) == 0
    out = capsys.readouterr().out
    assert "power law: C * n**a with a in [-0.2" in out
    assert "noise" in out and "from the residuals" in out
    assert "no formula meets the values exactly" in out


def test_exact_values_stay_exact(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = table(tmp_path / "squares.csv", [f"{n},{n * n + 1}" for n in range(1, 13)], "n,value")
    assert call(["explore", file, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)[0]
    assert found["candidates"][0]["text"] == "n**2 + 1"
    assert found["scalings"] == []


def test_a_long_file_is_read_in_doubles_and_in_part(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = np.random.default_rng(4)
    n = np.arange(2, 24_002)
    value = 0.5 * n**-0.5 * (1 + 0.01 * rng.standard_normal(len(n)))
    rows = [f"{a},{v:.6g}" for a, v in zip(n, value, strict=True)]
    assert call(["explore", table(tmp_path / "long.csv", rows, "n,value")]) == 0
    out = capsys.readouterr().out
    assert "formulas were looked for on 60 of 24000 points" in out
    assert "power law: C * n**a with a in [-0.50" in out


@pytest.mark.parametrize(
    ("rows", "header", "part"),
    [
        (["1,x"] * 60_000, "n,value", "x"),
        (["1,2"], "n,loss", "no column value"),
        (["1,nan"] * 60_000, "n,value", "NaN"),
    ],
)
def test_bad_tables(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], rows: list[str], header: str, part: str
) -> None:
    assert call(["explore", table(tmp_path / "bad.csv", rows, header)]) == 4
    assert part in capsys.readouterr().err
