"""What people type and paste is read as they mean it, or refused with the part that is in the way."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from theorycheck.check.domain import parse_domains
from theorycheck.check.formula import Comparison, Connective, Predicate
from theorycheck.check.laws import laws_apart
from theorycheck.check.problem import read_problem
from theorycheck.check.reading.domains import read_domains
from theorycheck.check.reading.names import Names
from theorycheck.check.reading.reader import read
from theorycheck.check.reading.vectors import vector
from theorycheck.check.refusal import Ambiguous, InputError
from theorycheck.check.typed import quantified, understand

NATURAL = {
    "x^2 + 1 ≥ 2x": "x**2 + 1 >= 2*x",
    "|x + y| ≤ |x| + |y|": "Abs(x + y) <= Abs(x) + Abs(y)",
    "||x| - |y|| <= |x - y|": "Abs(Abs(x) - Abs(y)) <= Abs(x - y)",
    "n(n+1)/2 = ∑_{k=1}^n k": "n*(n + 1)/2 == Sum(k, (k, 1, n))",
    "e^x >= 1 + x": "exp(x) >= 1 + x",
    "ln(1+x) ≤ x": "ln(1 + x) <= x",
    "n! ≥ 2^n": "factorial(n) >= 2**n",
    "√(xy) ≤ (x+y)/2": "sqrt(x*y) <= (x + y)/2",
    "sin^2 x + cos^2 x = 1": "sin(x)**2 + cos(x)**2 == 1",
    "log_2 n ≤ n": "log(n, 2) <= n",
    "n^5 ≡ n (mod 5)": "Mod(n**5 - n, 5) == 0",
    "-x² ≤ 0": "-x**2 <= 0",
    "3 | n^3 - n": "divides(3, n**3 - n)",
    "x > 2 implies x^2 > 4": "implies(x > 2, x**2 > 4)",
    "implies(x > 2, x^2 > 4)": "implies(x > 2, x**2 > 4)",
    "∑_{k=0}^n x + ∑_{k=0}^n k = 0": "Sum(x, (k, 0, n)) + Sum(k, (k, 0, n)) == 0",
    "∑_{k=0}^n k + k∑_{j=0}^n j = 0": "Sum(k + k*Sum(j, (j, 0, n)), (k, 0, n)) == 0",
    r"\frac{x}{1+x} \le \log(1+x)": "x/(1 + x) <= log(1 + x)",
}


@pytest.mark.parametrize(("typed", "canonical"), NATURAL.items(), ids=list(NATURAL))
def test_statements_typed_naturally(typed: str, canonical: str) -> None:
    found = understand(typed, Names(frozenset("xyn")))
    assert found.scanned.source == canonical
    assert f"read as {canonical}" in found.notes


DOUBTFUL = {
    "1/2x > 0": {"1/(2*x) > 0", "1/2*x > 0"},
    "2^nx > 1": {"2**(n*x) > 1", "2**n*x > 1"},
    "√2x > 1": {"sqrt(2*x) > 1", "sqrt(2)*x > 1"},
    "n + 1 mod 2 == 0": {"Mod(n + 1, 2) == 0", "n + Mod(1, 2) == 0"},
    "sin^-1 x <= 2": {"asin(x) <= 2", "sin(x)**-1 <= 2"},
    "|x|y|x| > 0": {"Abs(x)*y*Abs(x) > 0", "Abs(x*Abs(y)*x) > 0"},
}


@pytest.mark.parametrize(("typed", "readings"), DOUBTFUL.items(), ids=list(DOUBTFUL))
def test_two_readings_are_both_said(typed: str, readings: set[str]) -> None:
    with pytest.raises(Ambiguous) as caught:
        understand(typed, Names(frozenset("xyn")))
    assert set(caught.value.readings) == readings
    for reading in readings:
        assert reading in str(caught.value)


def displays() -> list[tuple[str, str, str]]:
    lines = (Path(__file__).with_name("displays.txt")).read_text().splitlines()
    rows = [line.split("@@") for line in lines if not line.startswith("#")]
    return [(t.strip(), n.strip(), e.strip()) for t, n, e in rows]


DISPLAYS = displays()


def test_there_are_a_hundred_displays_most_of_them_read() -> None:
    assert len(DISPLAYS) >= 100
    assert sum(not expected.startswith("!") for *_, expected in DISPLAYS) >= 80


@pytest.mark.parametrize(("latex", "words", "expected"), DISPLAYS, ids=[d[0] for d in DISPLAYS])
def test_a_display_is_read_right_or_the_part_is_named(
    latex: str, words: str, expected: str
) -> None:
    random = frozenset(w[:-1] for w in words.split() if w.endswith("~"))
    declared = frozenset(w for w in words.split() if not w.endswith("~"))
    try:
        phrases, body = quantified(latex)
        found = understand(body, Names(declared, random))
    except InputError as error:
        assert f"! {error}" == expected
    else:
        shown = f"{' ; '.join(phrases)} :: " if phrases else ""
        assert shown + found.scanned.source == expected
        assert found.scanned.names <= declared | random


def test_canonical_text_stays_as_it_was_typed() -> None:
    for text in (
        "n**2 + n + 41 > 0",
        "Sum(k, (k, 1, n)) == n*(n + 1)/2",
        "x % 2 == 0",
        "1/2*x > 0",
    ):
        found = understand(text, Names(frozenset("nx")))
        assert found.scanned.source == text
        assert found.notes == ()


def test_a_declared_name_wins_over_a_function_or_constant() -> None:
    found = understand("gamma(1 - gamma) <= 1/4", Names(frozenset(["gamma"])))
    assert found.scanned.source == "gamma*(1 - gamma) <= 1/4"
    assert "gamma is the declared name" in found.notes
    problem = read_problem("pi*(1 - pi) <= 1/4", ["pi in [0, 1]"])
    assert "pi is the declared name" in problem.notes
    assert isinstance(problem.goal, Comparison)
    assert {s.name for s in problem.goal.lhs.free_symbols} == {"pi"}
    assert read_problem("E > 0", ["E in (0, 1)"]).goal.lhs.is_Symbol  # type: ignore[union-attr]


def test_e_is_a_name_where_it_is_declared() -> None:
    assert understand("e^x > 0", Names(frozenset("ex"))).scanned.source == "e**x > 0"
    assert understand("e^x > 0", Names(frozenset("x"))).notes[-1] == "e is Euler's number"


def test_products_of_declared_names() -> None:
    assert read("nk <= n^2k", Names(frozenset("nk"))).text == "n*k <= n**2*k"
    assert read("nk <= 2", Names(frozenset(["nk", "n", "k"]))).text == "nk <= 2"
    with pytest.raises(Ambiguous):
        read("abc > 0", Names(frozenset(["a", "bc", "ab", "c"])))


DOMAINS = {
    "x > 0": ["x in (0, oo)"],
    "n >= 3": ["n in 3..oo"],
    "n > 3 real": ["n in (3, oo)"],
    "0 < x < 1": ["x in (0, 1)"],
    "0 <= x <= y < 1": ["x in [0, 1)", "y in [x, 1)"],
    "1 > x >= 0": ["x in [0, 1)"],
    "n in N, x in R": ["n in 1..oo", "x in (-oo, oo)"],
    "x, y > 0": ["x, y in (0, oo)"],
    "x ∈ ℝ": ["x in (-oo, oo)"],
    r"x \in \mathbb{R}": ["x in (-oo, oo)"],
    "λ > 0": ["lam in (0, oo)"],
    "lambda > 0": ["lam in (0, oo)"],
    "p prime": ["p in primes(2..oo)"],
    "k in [n]": ["k in 1..n"],
    "n in [9]": ["n in 1..9"],
    "n in 0..60 and k in 0..n": ["n in 0..60", "k in 0..n"],
    "n in 0..60": ["n in 0..60"],
    "x in R^3": ["x_1, x_2, x_3 in (-oo, oo)"],
    "t in {1/2, 2}": ["t in {1/2, 2}"],
    "n in {10**18}": ["n in {10**18}"],
    "A in R^{1x2}": ["A_11, A_12 in (-oo, oo)"],
    "x in [0, 1]^2": ["x_1, x_2 in [0, 1]"],
    "n natural number": ["n in 1..oo"],
    "n, m natural": ["n in 1..oo", "m in 1..oo"],
    "n = 1, 2, ...": ["n in 1..oo"],
    "n natural, k = 0, 1, ..., n": ["n in 1..oo", "k in 0..n"],
    r"k = 2, 3, \ldots, 9": ["k in 2..9"],
    "n -> oo": ["n in 1..oo"],
    "x → ∞": ["x in (0, oo)"],
}


@pytest.mark.parametrize(("phrase", "declarations"), DOMAINS.items(), ids=list(DOMAINS))
def test_domains_in_words_of_mathematics(phrase: str, declarations: list[str]) -> None:
    assert read_domains([phrase]).declarations == declarations


def test_steps_other_than_one_are_not_taken_for_a_range() -> None:
    with pytest.raises(InputError, match="not set equal"):
        read_domains(["n = 2, 4, ..."])


def test_laws_may_stand_among_the_domains() -> None:
    assert laws_apart(["t >= 0, g, h ~ N(0, 1)", "n in {1, 2}"], ["u ~ U(0, 1)"]) == (
        ["t >= 0", "n in {1, 2}"],
        ["u ~ U(0, 1)", "g, h ~ N(0, 1)"],
    )


def test_an_undeclared_e_is_eulers_number_and_said_to_be() -> None:
    found = understand("(n/e)^n > 0", Names(frozenset("n")))
    assert found.scanned.source == "(n/E)**n > 0" and "e is Euler's number" in found.notes
    declared = understand("(n/e)^n > 0", Names(frozenset("en")))
    assert declared.scanned.source == "(n/e)**n > 0"


def test_facts_of_names_are_hypotheses() -> None:
    assert read_domains(["n >= 1 odd"]).where == ["Mod(n, 2) == 1"]
    assert read_domains(["x in R, x != 0"]).where == ["x != 0"]
    assert read_domains(["x in R^2, x_1 > 0, exp(x_2) < 3"]).where == ["x_1 > 0", "exp(x_2) < 3"]
    vector = read_problem("quad(A, x) > 0", ["A in PD(2), x in R^2, norm(x) > 0"])
    assert "sqrt(x_1**2 + x_2**2) > 0" in vector.where
    domains = parse_domains(["n in N, n even"])
    assert domains.where == ("Mod(n, 2) == 0",)


def test_quantifiers_in_front_and_behind() -> None:
    assert quantified(r"\forall n \ge 2: n^2 > n") == ([r"n \ge 2"], "n^2 > n")
    assert quantified("log(1 + x) <= x for x > 0") == (["x > 0"], "log(1 + x) <= x")
    problem = read_problem("for all x > 0: log(1 + x) <= x")
    assert problem.domains.text() == "x in (0, oo)"
    # --for wins over what the statement says of the same name.
    assert read_problem("x <= 2 for x > 0", ["x in [0, 1]"]).domains.text() == "x in [0, 1]"
    with pytest.raises(InputError, match="for all values"):
        read_problem(r"\forall n \exists m > n: m > 1")


VECTORS = {
    "norm(x)": "sqrt(x_1**2 + x_2**2)",
    "‖x‖": "sqrt(x_1**2 + x_2**2)",
    "||x||_1": "Abs(x_1) + Abs(x_2)",
    "norm(x, oo)": "Max(Abs(x_1), Abs(x_2))",
    "dot(x, y)": "x_1*y_1 + x_2*y_2",
    "norm(x + 2y)": "sqrt((x_1 + 2*y_1)**2 + (x_2 + 2*y_2)**2)",
    "det(A)": "A_11*A_22 - A_12*A_12",
    "trace(A)": "A_11 + A_22",
    "quad(A, x)": "x_1*(A_11*x_1 + A_12*x_2) + x_2*(A_12*x_1 + A_22*x_2)",
    "norm(A*x)": "sqrt((A_11*x_1 + A_12*x_2)**2 + (A_12*x_1 + A_22*x_2)**2)",
    "max(x)": "Max(x_1, x_2)",
    "sum(x)": "x_1 + x_2",
}


@pytest.mark.parametrize(("typed", "coordinates"), VECTORS.items(), ids=list(VECTORS))
def test_vectors_and_matrices_in_coordinates(typed: str, coordinates: str) -> None:
    domains = parse_domains(["x, y in R^2", "A in PD(2)"])
    names = Names(frozenset(domains.symbols), vectors=domains.arrays)
    assert understand(f"{typed} >= 0", names).scanned.source == f"{coordinates} >= 0"


@pytest.mark.parametrize(
    ("typed", "part"),
    [
        ("x > 0", "compared with == only"),
        ("x*y > 0", "dot(x, y)"),
        ("sin(x) > 0", "not read of vectors"),
        ("dot(x, z) > 0", "sizes 2 and 3 differ"),
        ("norm(a) + dot(a, a) > 0", "is of vectors"),
        ("x + 1 == y", "not read between"),
    ],
)
def test_vectors_where_numbers_belong(typed: str, part: str) -> None:
    with pytest.raises(InputError) as caught:
        read_problem(typed, ["x, y in R^2", "z in R^3", "a > 0"])
    assert part in str(caught.value)


def test_positive_definite_and_simplex() -> None:
    domains = parse_domains(["A in PD(2)"])
    assert domains.where == ("A_11*A_22 - A_12*A_12 > 0",)
    assert parse_domains(["A in Sym(2)"]).where == ()
    assert len(parse_domains(["A in PSD(3)"]).where) == 4  # three minors of size 2, one of size 3
    simplex = parse_domains(["p in simplex(3)"])
    assert simplex.text() == "p_1 in (0, 1), p_2 in (0, 1 - p_1)"
    assert len(simplex.arrays["p"].entries) == 3
    assert vector([]).entries == ()


def test_implications_become_hypotheses() -> None:
    problem = read_problem("x > 2 implies x^2 > 4", ["x in R"])
    assert problem.where == ("x > 2",)
    assert isinstance(problem.goal, Comparison)
    nested = read_problem("not (x > 2 implies x > 4)", ["x in R"]).goal
    assert isinstance(nested, Connective)


def test_growth() -> None:
    goal = read_problem("n^2 + 3n = O(n^2)", ["n in N"]).goal
    assert isinstance(goal, Predicate)
    assert goal.name == "big_o"
    # A declared O is a number.
    assert isinstance(read_problem("n = O(n)", ["n in N", "O in N"]).goal, Comparison)


def test_piecewise_and_integrals() -> None:
    goal = read_problem("Piecewise((x, x > 0), (-x, True)) = |x|", ["x in R"]).goal
    assert isinstance(goal, Comparison)
    assert goal.lhs.func.__name__ == "Piecewise"
    goal = read_problem("∫_0^1 |x - 1/2| dx = 1/4").goal
    assert isinstance(goal, Comparison)
    assert sum(goal.lhs.args) == goal.rhs


PIECES = st.sampled_from(
    [
        *("x", "n", "2", "0.5", "e", "E", "pi", "(", ")", "{", "}", "[", "]", "|", "‖", ",", " "),
        *("+", "-", "*", "/", "^", "_", "=", "<=", "≤", "=>", "~", "!", "²", "√", "½", "∑", "∫"),
        *("\\frac", "\\sqrt", "\\sum_{k=1}^n", "\\log", "\\left(", "\\right)", "\\text{ and }"),
        *("\\mathbb E", "\\Pr[", "\\hat", "\\|", "\\{", "\\binom", "\\int_0^1", "dx", "\\pmod"),
        *("sin", "log", "max(", "E[", "P[", "norm(", "dot(", "mod", "implies", "and", "not", "for"),
        *("∀", ":", "\\forall", "\\in", "x in R", ";", "\\alpha", "α", "lambda", "__import__", "'"),
    ]
)


@settings(max_examples=600)
@given(st.lists(PIECES, max_size=20).map("".join))
def test_any_soup_of_signs_is_read_or_refused(text: str) -> None:
    try:
        read_problem(text, ["n in 0..60", "x in [0, 1]"])
    except InputError as error:
        assert "\n" not in str(error)


@settings(max_examples=300)
@given(st.lists(PIECES, max_size=12).map("".join))
def test_any_soup_of_signs_is_a_domain_or_refused(text: str) -> None:
    try:
        parse_domains([text])
    except InputError as error:
        assert "\n" not in str(error)


@pytest.mark.parametrize(
    "text",
    [
        "(" * 3000 + "x",
        "|" * 3000,
        "x^" * 1000 + "x",
        "1/2x" * 300,
        "\\frac" * 700,
        "{" * 2000 + "^{",
        "∑_{k=1}^" * 400,
        "nk" * 1900,
        "not " * 900 + "x > 1",
        "²" * 3000,
        "\\hat" * 900,
        "x!" * 1500,
        "E[" * 1800,
        "-" * 3900 + "x",
    ],
    ids=lambda t: t[:8],
)
def test_hostile_input_is_refused_soon(text: str) -> None:
    with pytest.raises(InputError) as caught:
        read_problem(text, ["x, n, k in 0..60"])
    assert "\n" not in str(caught.value)
