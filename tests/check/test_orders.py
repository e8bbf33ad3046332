"""The order in which names are declared does not decide whether a proof is found."""

from __future__ import annotations

import itertools

import pytest

from theorycheck.check.domain import alphabetical, parse_domains


@pytest.mark.parametrize(
    ("domains", "order"),
    [
        (["y in [0, 1]", "x in [0, 1]"], "xy"),
        (["z in [0, 1]", "a in [0, z]", "b in [0, a]", "y in 1..3"], "yzab"),
        (["b in [0, 1]", "a in [b, 2]", "c in (a, oo)"], "bac"),
    ],
)
def test_a_name_comes_after_those_of_its_range(domains: list[str], order: str) -> None:
    assert "".join(v.name for v in alphabetical(parse_domains(domains).variables)) == order


def test_the_order_of_independent_names_is_that_of_the_alphabet_however_they_are_declared() -> None:
    domains = ["a in 1..9", "b in [0, 1]", "c in (0, oo)"]
    orders = {
        tuple(v.name for v in alphabetical(parse_domains(given).variables))
        for given in itertools.permutations(domains)
    }
    assert orders == {("a", "b", "c")}
