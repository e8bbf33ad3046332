"""Expectations and probabilities over the standard laws."""

from __future__ import annotations

import pytest

from theorycheck.check.laws import law_names, read_laws
from theorycheck.check.refusal import InputError
from theorycheck.check.run import check_text

NORMAL = ["g ~ N(0, 1)"]

TRUE = [
    ("E[relu(g)] == 1/sqrt(2*pi)", [], NORMAL),
    ("E[|g|] = √(2/π)", [], NORMAL),
    ("E[g^4] = 3", [], NORMAL),
    ("E[max(g, 0)^2] = 1/2", [], NORMAL),
    ("E[x^3] = m^3 + 3m*v", ["m in R", "v > 0"], ["x ~ N(m, v)"]),
    ("E[exp(s*g)] = exp(s^2/2)", ["s in R"], NORMAL),
    ("P[g > t] <= exp(-t^2/2)", ["t >= 0"], NORMAL),
    ("P[|g| > t] <= 2exp(-t^2/2)", ["t >= 0"], NORMAL),
    ("P[-1 < g and g < 1] = 1 - erfc(1/sqrt(2))", [], NORMAL),
    ("P[g^2 > 4] = P[|g| > 2]", [], NORMAL),
    ("Var[2g + 1] = 4", [], NORMAL),
    ("E[gh] = 0", [], ["g, h ~ N(0, 1)"]),
    ("Cov[g, g + h] = 1", [], ["g, h ~ N(0, 1)"]),
    ("E[exp(s*x)] <= exp(s^2/2)", ["s in R"], ["x ~ Rademacher"]),
    ("E[u^2] = 1/3", [], ["u ~ U(0, 1)"]),
    ("E[|u|] = 1/2", [], ["u ~ U(-1, 1)"]),
    ("E[t^2] = 2/r^2", ["r > 0"], ["t ~ Exp(r)"]),
    ("P[t > a] = exp(-a)", ["a >= 0"], ["t ~ Exp(1)"]),
    ("E[|x|] = 1", [], ["x ~ Laplace(1)"]),
    ("P[x > 1] = exp(-1)/2", [], ["x ~ Laplace(1)"]),
    ("Var[X] = n/4", ["n in 1..12"], ["X ~ Bin(n, 1/2)"]),
    ("P[X >= n/2] >= 1/2", ["n in 1..12"], ["X ~ Bin(n, 1/2)"]),
    ("E[b] = p", ["0 < p < 1"], ["b ~ Bernoulli(p)"]),
    ("P[x + y > 0] = 1/4", [], ["x, y ~ Rademacher"]),
    ("E[tanh(g)^2] < 2/5", [], NORMAL),
]

FALSE = [
    ("E[relu(g)] == 1/2", [], NORMAL),
    ("E[g^4] = 4", [], NORMAL),
    ("P[g > t] <= exp(-t^2/2)/3", ["t >= 0"], NORMAL),
    ("P[g > t] < exp(-t^2/2)/2", ["t >= 0"], NORMAL),
    ("E[exp(s*x)] <= exp(s^2/3)", ["s in R"], ["x ~ Rademacher"]),
    ("E[t^2] = 1/r^2", ["r > 0"], ["t ~ Exp(r)"]),
    ("P[X > n/2] >= 1/2", ["n in 1..12"], ["X ~ Bin(n, 1/2)"]),
    ("E[tanh(g)^2] = 0.4", [], NORMAL),
    ("P[-1 < g and g < 1] = erfc(1/sqrt(2))", [], NORMAL),
]


@pytest.mark.parametrize(("statement", "domains", "laws"), TRUE, ids=[t[0] for t in TRUE])
def test_true_statements_are_proved(statement: str, domains: list[str], laws: list[str]) -> None:
    found = check_text(statement, domains, laws=laws, budget=60, explained=False)
    assert (found.verdict, found.proved) == ("holds", True)


@pytest.mark.parametrize(("statement", "domains", "laws"), FALSE, ids=[t[0] for t in FALSE])
def test_false_statements_are_refuted(statement: str, domains: list[str], laws: list[str]) -> None:
    assert (
        check_text(statement, domains, laws=laws, budget=60, explained=False).verdict == "refuted"
    )


def test_an_equality_of_integrals_is_not_proved_by_digits() -> None:
    found = check_text("E[sigmoid(g)] = 1/2", laws=NORMAL, budget=30)
    assert found.verdict == "inconclusive"


@pytest.mark.parametrize(
    ("statement", "laws", "part"),
    [
        ("E[g] = 0", [], "g has no domain"),
        ("g > 0", NORMAL, "g is random"),
        ("E[E[g]] = 0", NORMAL, "E[...] in E[...]"),
        ("E[g > 0] = 1/2", NORMAL, "is of a number"),
        ("P[g] = 1/2", NORMAL, "is of a statement"),
        ("E[exp(g^2)] > 0", NORMAL, "not finite"),
        ("E[exp(2*t)] > 0", ["t ~ Exp(1)"], "not finite"),
        ("E[g] = 0", ["g ~ Normale(0, 1)"], "did you mean Normal?"),
        ("E[g] = 0", ["g ~ N(0)"], "write N(mean, variance)"),
        ("E[g] = 0", ["g"], 'write "NAME ~ LAW"'),
        ("E[g] = 0", ["g ~ N(0, 1)", "g ~ N(0, 1)"], "cannot be a random name"),
        ("P[isprime(X)] > 0", ["X ~ Poisson(1)"], "of a random name is not read"),
    ],
)
def test_what_is_not_read_is_said(statement: str, laws: list[str], part: str) -> None:
    with pytest.raises(InputError) as caught:
        check_text(statement, laws=laws, budget=5)
    assert part in str(caught.value)


def test_names_of_laws() -> None:
    assert law_names(["g, h ~ N(0, 1); x ∼ Rademacher"]) == ["g", "h", "x"]
    assert read_laws([], {}) is None
    laws = read_laws([r"g \sim \mathcal N(0, 1)"], {})
    assert laws is not None
    assert list(laws.symbols) == ["g"]
