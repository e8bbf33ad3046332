"""Expectations and probabilities over the standard laws."""

from __future__ import annotations

import pytest

from theorycheck.check.domain import parse_domains
from theorycheck.check.laws import law_names, read_laws
from theorycheck.check.problem import read_problem
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
    # Ends and orders that only the ranges of the names tell.
    ("P[u > t] = 1 - t", ["t in (0, 1)"], ["u ~ U(0, 1)"]),
    ("P[a < u and u < b] = b - a", ["0 < a < b < 1"], ["u ~ U(0, 1)"]),
    ("E[|g - x|] = (1 + x^2)/2", ["x in (-1, 1)"], ["g ~ U(-1, 1)"]),
    ("P[x > a] >= 1/2", ["a in (-1, 0)"], ["x ~ Laplace(1)"]),
    ("P[x > a and x < 1] <= 1", ["a in (-1, 1)"], ["x ~ Laplace(1)"]),
    # Cases where the ranges leave them open.
    ("P[x > a] <= exp(-a)/2", ["a in R"], ["x ~ Laplace(1)"]),
    ("P[t > a] <= exp(-a)", ["a in R"], ["t ~ Exp(1)"]),
    ("E[exp(s*x)] = 1/(1 - s^2)", ["s in (-1, 1)"], ["x ~ Laplace(1)"]),
    # Events of counts with absolute values, and unions.
    ("P[|X - 3/2| > 1] = 1/4", [], ["X ~ Bin(3, 1/2)"]),
    ("P[X > 2 or X < 1] = 1/4", [], ["X ~ Bin(3, 1/2)"]),
    ("P[X != 0] = 7/8", [], ["X ~ Bin(3, 1/2)"]),
    ("E[Piecewise((g, g > 0), (0, True))] = 1/sqrt(2*pi)", [], NORMAL),
    ("E[g^2] = v", ["v in R"], ["g ~ N(0, v)"]),
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
    ("P[t > a] = exp(-a)", ["a in R"], ["t ~ Exp(1)"]),
    ("P[u > t] <= 1 - t", ["t in R"], ["u ~ U(0, 1)"]),
    ("P[u > t] >= 1 - t", ["t in R"], ["u ~ U(0, 1)"]),
    ("E[|g - x|] = (1 + x^2)/2", ["x in R"], ["g ~ U(-1, 1)"]),
    ("P[x > a] <= 1/2", ["a in (-1, 1)"], ["x ~ Laplace(1)"]),
    ("P[|X - 3/2| > 1] = 1/2", [], ["X ~ Bin(3, 1/2)"]),
]

NO_LAWS = [
    ("E[g] = 1/2", [], "g ~ U(1, 0)"),
    ("E[g^2] = -1", [], "g ~ N(0, -1)"),
    ("E[g] = 2", [], "g ~ Bin(1, 2)"),
    ("E[g] = 1/2", [], "g ~ Bin(1/2, 1)"),
    ("E[g] = -1", [], "g ~ Poisson(-1)"),
    ("E[g] = 3", [], "g ~ Bernoulli(3)"),
    ("E[g] = 1/r", ["r < 0"], "g ~ Exp(r)"),
    ("E[|g|] = s", ["s in (-2, -1)"], "g ~ Laplace(s)"),
]


@pytest.mark.parametrize(("statement", "domains", "law"), NO_LAWS, ids=[n[2] for n in NO_LAWS])
def test_laws_that_do_not_exist_are_refused(statement: str, domains: list[str], law: str) -> None:
    with pytest.raises(InputError, match="there is no such law"):
        check_text(statement, domains, laws=[law])


def test_what_a_law_wants_of_its_parameters_is_a_hypothesis_that_is_said() -> None:
    problem = read_problem("E[g^2] = v", ["v in R"], laws=["g ~ N(0, v)"])
    assert problem.where == ("v > 0",)
    assert "the law wants v > 0: a hypothesis" in problem.notes
    assert read_problem("E[g^2] = v", ["v >= 0"], laws=["g ~ N(0, v)"]).hypotheses == ()


@pytest.mark.parametrize("body", ["floor(g)", "frac(g)", "gamma(floor(g))"])
def test_what_cannot_be_integrated_is_refused_while_it_is_read(body: str) -> None:
    with pytest.raises(InputError, match="in an integrand has no evaluator"):
        read_problem(f"E[{body}] >= 0", laws=NORMAL)


INTEGRALS = [
    ("∫_1^0 |t - 1/2| dt = -1/4", [], True),
    ("∫_1^0 |t - 1/2| dt = 0", [], False),
    ("∫_0^x |t| dt = x|x|/2", ["x in R"], True),
    ("∫_0^x |t| dt = x^2/2", ["x in R"], False),
    ("∫_0^x |t - 1| dt = x - x^2/2", ["x in [0, 1]"], True),
    ("∫_0^x |t - 1| dt = x - x^2/2", ["x in [0, 2]"], False),
    ("∫_∞^0 exp(-t) dt = -1", [], True),
    ("Integral(x*y, (x, 0, y), (y, 0, 1)) = 1/8", [], True),
    ("∫_0^1 x^n dx = 1/(n+1)", ["n in N"], True),
    ("∫_0^1 x^n dx = 1/n", ["n in N"], False),
    ("Integral(x**(a - 1)*exp(-x), (x, 0, oo)) == gamma(a)", ["a > 0"], True),
    ("Integral(x**a*(1 - x)**b, (x, 0, 1)) == beta(a + 1, b + 1)", ["a, b >= 0"], True),
    ("Integral(x**a*(1 - x)**b, (x, 0, 1)) == beta(a, b + 1)", ["a, b >= 0"], False),
    ("Integral(x**(-s), (x, 1, oo)) == 1/(s - 1)", ["s > 1"], True),
    ("Integral(x**(-s), (x, 1, oo)) == 1/s", ["s > 1"], False),
    ("Integral(cos(n*x), (x, 0, pi)) == 0", ["n in 1..oo"], True),
    ("Integral(sin(n*x), (x, 0, pi)) == 0", ["n in 1..oo"], False),
    ("Integral(x**a, (x, b, 1)) == (1 - b**(a + 1))/(a + 1)", ["a > 0", "b > 0"], True),
]


@pytest.mark.parametrize(("statement", "domains", "true"), INTEGRALS, ids=[i[0] for i in INTEGRALS])
def test_integrals_in_closed_form(statement: str, domains: list[str], true: bool) -> None:
    found = check_text(statement, domains, budget=60, explained=False)
    assert (found.verdict, found.proved) == (("holds", True) if true else ("refuted", False))


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
    assert read_laws([], parse_domains([])).symbols == {}
    laws = read_laws([r"g \sim \mathcal N(0, 1)"], parse_domains([]))
    assert list(laws.symbols) == ["g"]
