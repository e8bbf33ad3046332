"""The order in which names are declared does not decide whether a proof is found."""

from __future__ import annotations

import itertools

import pytest

from theorycheck.check import prove
from theorycheck.check.domain import alphabetical, parse_domains
from theorycheck.check.judge import Judge
from theorycheck.check.limits import Clock
from theorycheck.check.method import Argument, Method, Task
from theorycheck.check.problem import read_problem


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


@pytest.mark.parametrize("domains", list(itertools.permutations(["a > 0", "b > 0", "x in [0, 1]"])))
def test_a_method_that_takes_the_first_name_proves_in_every_order(
    monkeypatch: pytest.MonkeyPatch, domains: tuple[str, ...]
) -> None:
    def attempt(task: Task) -> Argument | None:
        while task.region.variables[0].name != "a" and not task.clock.out():
            pass  # a wrong choice takes all of its time
        return Argument("a first") if task.region.variables[0].name == "a" else None

    monkeypatch.setattr(prove, "METHODS", (Method("first", 1.0, lambda _: True, attempt),))
    problem = read_problem("a + b + x > 0", list(domains))
    prover = prove.Prover(problem)
    prover.judge = Judge(problem.domains, problem.goal)
    assert prover.prove(Clock(1.0)).proved
