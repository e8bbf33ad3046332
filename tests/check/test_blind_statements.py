"""The statements written without sight of the provers are kept as their writers left them."""

import hashlib
from collections import Counter
from pathlib import Path

import pytest

WRITTEN = {
    "blind_statements.tsv": (
        300,
        "eb7b2d68c29e78b08db2394f3344b01e69cecdbec4996ad42b1f479dad085aa1",
    ),
    "blind_statements_2.tsv": (
        100,
        "b332d5c9f6ee6be1a86184f6a40fdb97d4a1962bfe7a51286e00056a96bc00a9",
    ),
}


@pytest.mark.parametrize("name", WRITTEN)
def test_the_file_is_as_it_was_written_and_half_of_it_is_false(name: str) -> None:
    data = Path(__file__).with_name(name).read_bytes()
    total, sha256 = WRITTEN[name]
    assert hashlib.sha256(data).hexdigest() == sha256
    rows = [line.split("\t") for line in data.decode().splitlines() if not line.startswith("#")]
    assert Counter(truth for _, truth, *_ in rows) == {"true": total // 2, "false": total // 2}
    assert all(len(row) == 7 for row in rows)
    assert len({tuple(row[3:6]) for row in rows}) == total
