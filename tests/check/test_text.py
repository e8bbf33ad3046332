"""The parser: what it refuses, with one line that points at the place, and what it keeps exact."""

from __future__ import annotations

import time

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from theorycheck.check.building import build_expression, build_formula
from theorycheck.check.domain import parse_domains
from theorycheck.check.problem import read_problem
from theorycheck.check.text import Comparison, Connective, InputError, Predicate, scan

REFUSED = {
    "9**9**9**9 > 1": "would not fit in memory",
    "10**(10**10) > 1": "would not fit in memory",
    "2**-(9**9**9) < 1": "would not fit in memory",
    "1e99999999999 > 1": "would not fit in memory",
    "n.real > 1": "attribute access",
    "n[0] > 1": "indexing",
    "foo(n) > 1": "unknown function 'foo'; allowed:",
    "__import__('os')": "quotes",
    "eval(n) > 1": "unknown function 'eval'",
    "(lambda: 1)() > 1": "only functions called by name",
    "exp(x, evaluate=False) > 1": "plain arguments",
    "exp(*n) > 1": "plain arguments",
    "binomial(n) > 1": "takes 2 arguments, got 1",
    "exp() > 1": "takes 1 argument, got 0",
    "((n) > 1": "never closed",
    "n) > 1": "closes nothing",
    "[n] > 1": "a list is not allowed",
    "{n} > 1": "a set is not allowed",
    "n if 1 else 2": "if/else",
    "(n := 2) > 1": ":= is not allowed",
    "0x10 > n": "decimal",
    "1j > n": "j has no domain",
    "n^2 + > 1": "expected, not '>'",
    "n = ": "something is missing",
    "n^m > 1": "m has no domain",
    "facotrial(n) > 1": "did you mean factorial?",
    "nn > 1": "nn has no domain",
    "x |n > 1": "does not belong here",
    "E[n] > 1": "what is random has a law",
    "n > 1 or (n = O(n))": "stands by itself",
    "Piecewise(n, 1) > 0": "write Piecewise((value, condition)",
    "implies(n > 1) ": "write a implies b",
    "n[E[0]] > 1": "indexing",
    "P[n > 1].x > 0": "attribute",
    "E[__import__('os')] > 1": "quotes",
    "True": "integers and decimals",
    "'a' > n": "quotes",
    "n > 1; n > 2": "one statement at a time",
    "n in 3": "compare",
    "n is 3": "compare",
    "": "is empty",
    "   ": "is empty",
    "n": "a number, not a statement",
    "n == (n < 3)": "truth value",
    "isprime(n) + 1 > 2": "true or false, not a number",
    "m > 1": "m has no domain",
    "exp > 1": "exp is a function; call it",
    "Sum(k, k, 1, n) > 1": "Sum(term, (k, first, last))",
    "Sum(k) > 1": "Sum(term, (k, first, last))",
    "Sum(k, (2, 1, n)) > 1": "the index must be a name",
    "Sum(n, (n, 1, 5)) > 1": "also has a domain",
    "Sum(Sum(k, (k, 1, 2)), (k, 1, 2)) > 1": "already in use",
    "(" * 100 + "n" + ")" * 100 + " > 1": "nested deeper",
    "-" * 500 + "n > 1": "nested deeper",
    "n" + "+n" * 300 + " > 1": "operations in a row",
    "+".join(["Max(" + ",".join("n" * 18) + ")"] * 90) + " > 1": "split the statement",
    "n > " + "1" * 3000: "more than 2000 digits",
    "n > 1" + " " * 5000: "at most 4000",
    "1 <> n": "not understood",
    "n > \x00": "ASCII",
}


@pytest.mark.parametrize(("text", "part"), REFUSED.items(), ids=[t[:30] for t in REFUSED])
def test_refused_in_one_line_that_says_why(text: str, part: str) -> None:
    start = time.monotonic()
    with pytest.raises(InputError) as caught:
        read_problem(text, ["n in 0..60", "x in [0, 1]"])
    assert part in str(caught.value)
    assert "\n" not in str(caught.value)
    assert time.monotonic() - start < 1


def test_the_place_is_pointed_at() -> None:
    with pytest.raises(InputError, match=r"column 9, at 'foo\(n\)'"):
        scan("n + 1 > foo(n)")


N = sp.Symbol("n", integer=True)
X = sp.Symbol("x", real=True)


def number(text: str) -> sp.Expr:
    return build_expression(scan(text), {"n": N, "x": X})


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.1", sp.Rational(1, 10)),
        ("1e30", sp.Integer(10) ** 30),
        ("1e-3", sp.Rational(1, 1000)),
        (".5", sp.Rational(1, 2)),
        ("1_000", sp.Integer(1000)),
        ("1/3", sp.Rational(1, 3)),
        ("2**-2", sp.Rational(1, 4)),
        ("-2**2", sp.Integer(-4)),
        ("1 - 1/2 - 1/2", sp.Integer(0)),
    ],
)
def test_numbers_are_exact(text: str, value: sp.Expr) -> None:
    assert number(text) == value


def test_holes_stay() -> None:
    assert number("(n - 7)/(n - 7)") != 1
    assert number("0*log(x)") != 0
    assert number("x**2/x").count_ops() > 1


def test_structure_of_formulas() -> None:
    chain = build_formula(scan("0 <= x < 1"), {"x": X})
    assert isinstance(chain, Connective)
    assert [p.op for p in chain.parts if isinstance(p, Comparison)] == ["<=", "<"]
    mixed = build_formula(scan("not isprime(n) or n == 2"), {"n": N})
    assert isinstance(mixed, Connective)
    assert mixed.kind == "or"
    inner = mixed.parts[0]
    assert isinstance(inner, Connective)
    assert inner.parts == (Predicate("isprime", (N,)),)


REFUSED_DOMAINS = {
    "n": 'write "NAME in DOMAIN"',
    "n in": 'write "NAME in DOMAIN"',
    "n in 0...60": "is not an integer",
    "n in 0..60..70": "'..'",
    "n in [0]": "is not a domain",
    "n in {}": "is empty",
    "n in {oo}": "finite numbers",
    "n in 0..m": "m has no domain",
    "oo in 0..60": "cannot be a name",
    "n in [k]": "k has no domain",
    "x in R^9": "1 to 8 coordinates",
    "A in PD(4)": "read for n up to 3",
    "x = 3": "not set equal",
    "0 < x > 1": "point one way",
    "x in Foo": "is not a domain",
    "n in [0": "is not a domain",
    "A in PDD(2)": "did you mean PD?",
    "n in primess(2..9)": "did you mean primes?",
    "x in Reals2": "did you mean reals?",
    "x": 'write "NAME in DOMAIN"',
    "2n in 0..60": "cannot be a name",
    "n in 0.5..60": "is not an integer",
    "n in 0..9**9**9**9": "would not fit",
    "n in 0..__import__('os')": "quotes",
    "n in 1..2; n in 1..3": "already has a domain",
    "; ".join(f"a{i} in 0..1" for i in range(9)): "at most 8 names",
}


@pytest.mark.parametrize(("text", "part"), REFUSED_DOMAINS.items(), ids=list(REFUSED_DOMAINS))
def test_domains_refused(text: str, part: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_domains([text])
    assert part in str(caught.value)
    assert "\n" not in str(caught.value)


def test_domains_of_all_kinds() -> None:
    domains = parse_domains(
        ["n in 0..60", "k in 0..n", "x, y in (0, oo)", "p in primes(2..9)", "t in {1/2, 3}"]
    )
    assert [v.kind for v in domains.variables] == [
        "integer",
        "integer",
        "real",
        "real",
        "prime",
        "set",
    ]
    assert domains["k"].high == domains["n"].symbol
    assert domains["x"].low_open
    assert domains["x"].high_open
    assert domains["x"].symbol.is_positive


WORDS = st.sampled_from(
    [
        *(
            "n",
            "x",
            "1",
            "2",
            "0.5",
            "1e9",
            "(",
            ")",
            ",",
            "+",
            "-",
            "*",
            "/",
            "**",
            "<=",
            "==",
            "<",
        ),
        *("and", "or", "not", "sqrt(", "exp(", "Sum(", "binomial(", "isprime(", "pi", "oo", ".."),
        *("^", "'", "\\", "#", "lambda", " ", "\n", "é", "\x00", "[", "]", "{", "}", ":", "=", "!"),
        *(".", "_", "9" * 30),
        *(
            "|",
            "≤",
            "²",
            "√",
            "∑",
            "\\frac",
            "\\sqrt{",
            "\\sum_{k=1}^",
            "E[",
            "P[",
            "e",
            " mod ",
            "~",
        ),
        *(" implies ", "O(", "norm(", "∀", ":", "‖", "\\left", "\\text{", "\\mathbb E", "_{"),
    ]
)


@settings(max_examples=400)
@given(st.lists(WORDS, max_size=25).map("".join))
def test_any_soup_of_words_is_read_or_refused(text: str) -> None:
    try:
        read_problem(text, ["n in 0..60", "x in [0, 1]"])
    except InputError as error:
        assert "\n" not in str(error)


@settings(max_examples=300)
@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    for build in (lambda: read_problem(text, ["n in 0..60"]), lambda: parse_domains([text])):
        try:
            build()
        except InputError as error:
            assert "\n" not in str(error)


EXPRESSIONS = st.recursive(
    st.sampled_from(["n", "x", "1", "2", "1/2", "pi"]),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from("+-*/"), inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
        st.tuples(st.sampled_from(["sqrt", "exp", "sin", "Abs", "floor"]), inner).map(
            lambda t: f"{t[0]}({t[1]})"
        ),
    ),
    max_leaves=12,
)


@given(EXPRESSIONS, EXPRESSIONS)
def test_every_expression_of_the_grammar_is_read(left: str, right: str) -> None:
    problem = read_problem(f"{left} <= {right}", ["n in 0..60", "x in [0, 1]"])
    assert isinstance(problem.goal, Comparison)


@pytest.mark.parametrize(
    ("statement", "part"),
    [
        ("x >= 0 where x > 0", "give a hypothesis with --where"),
        ("x >= 0 such that x > 0", "give a hypothesis with --where"),
        ("normm(x) >= 0", "did you mean norm?"),
        ("logsumex(x) >= 0", "did you mean logsumexp?"),
    ],
)
def test_the_nearest_word_and_the_option_for_it(statement: str, part: str) -> None:
    with pytest.raises(InputError) as caught:
        read_problem(statement, ["x in R"])
    assert part in str(caught.value)
