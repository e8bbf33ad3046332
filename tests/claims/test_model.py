"""What a claim is refused for when it is built: each one clear line that names the claim."""

import pytest
import sympy as sp

from theorycheck import (
    ClaimError,
    attained,
    bounded,
    choices,
    claim,
    equals,
    hypothesis,
    instances,
    integers,
    leg,
    mean,
    reals,
    variant,
)

n = sp.symbols("n", integer=True, positive=True)
m = sp.symbols("m", integer=True, positive=True)
x = sp.symbols("x", positive=True)


def double(n):
    return 2 * n


def build(**changes):
    parts = {
        "domain": {n: integers(1)},
        "grid": {"smoke": {n: [1, 2]}},
        "closed_form": 2 * n,
        "rivals": [variant("3n", closed_form=3 * n)],
        "legs": [leg("value", double)],
    }
    return claim("doubling", **{**parts, **changes})


def test_a_plain_claim():
    c = build()
    assert c.points("smoke") == c.points("deep") == [{"n": 1}, {"n": 2}]
    assert c.states == ("doubling",)
    assert c.leg("value").arithmetic.name == "exact"


def test_decorator_form_keeps_the_docstring_as_statement():
    @claim("d", domain={n: integers(1)}, grid={"smoke": {n: [1]}}, closed_form=2 * n)
    def doubled(n):
        """Twice n.

        More.
        """
        return 2 * n

    assert doubled.says == "Twice n."


def needs_other(n, other):
    return n


def same_for_every_n(n=3):
    return 2 * n


def test_a_condition_on_numbers_beside_a_parameter_that_is_a_word():
    kind = sp.symbols("kind")

    def by_kind(n, kind):
        return n

    built = build(
        domain={n: integers(1), kind: choices("a b", "__import__('os')")},
        grid={"smoke": {n: [1, 2], kind: ["a b", "__import__('os')"]}},
        where=n > 1,
        legs=[leg("value", by_kind)],
    )
    assert [p["n"] for p in built.points("smoke")] == [2, 2]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"closed_form": 2 * m}, "unknown symbol m"),
        ({"closed_form": None}, "neither a closed form nor a reference"),
        ({"legs": [leg("value", needs_other)]}, "asks for other, which is no parameter"),
        ({"legs": [leg("value", same_for_every_n)]}, "has a default for n, so that the engine never passes"),
        ({"where": lambda n=5: n > 4}, "has a default for n, so that the engine never passes"),
        ({"legs": [leg("value", double, where=lambda n=5: n > 4)]}, "has a default for n"),
        ({"domain": {n: integers(1), m: integers(1)}, "grid": {"smoke": {n: [1], m: [1]}}},
         "parameter m is used by no simulation"),
        ({"grid": {"smoke": {m: [1]}}}, "parameter"),
        ({"grid": {"smoke": {n: [0]}}}, "no point inside the domain"),
        ({"grid": {"smoke": {n: [1, 0]}}}, "outside its domain (integer >= 1)"),
        ({"grid": {"smoke": {n: [0.5]}}}, "is a float"),
        ({"grid": {"smoke": {n: []}}}, "no point inside the domain"),
        ({"grid": {"fast": {n: [1]}}}, "profiles are smoke, standard, deep, paper"),
        ({"where": n > 5}, "no point inside the domain"),
        ({"where": lambda m: m > 5}, "where asks for m, which is no parameter"),
        ({"where": sp.Symbol("m") > 5}, "where asks for m, which is no parameter"),
        ({"where": [n > 0, sp.Symbol("m") > 5]}, "where asks for m, which is no parameter"),
        ({"where": "n > 5"}, "is text; give a SymPy condition or a function"),
        ({"role": "printed"}, "role 'printed' is none of"),
        ({"encodes": "half"}, "encodes 'half' is none of"),
        ({"expect": "true"}, "expect 'true' is none of"),
        ({"legs": []}, "has no leg"),
        ({"legs": [leg("value", double, required=False)]}, "every leg has required=False"),
        ({"legs": [leg("a", double), leg("a", double)]}, "same name"),
        ({"domain": {n: [1, 2]}}, "the domain of n must be"),
        ({"plot": "p"}, "which is no parameter"),
        ({"colour": 1}, "unknown option colour"),
        ({"rivals": ["3n"]}, "rivals are made by variant"),
        ({"rivals": [variant("r", closed_form=3 * m)]}, "rival 'r': closed form has unknown symbol m"),
        ({"rivals": [variant("r", closed_form=n, leg="other")]}, "no leg named 'other'"),
        ({"rivals": [variant("r", reference=double)]}, "fits no leg"),
        ({"rivals": [variant("r", closed_form=n), variant("r", closed_form=3 * n)]},
         "two rivals have the same name: r"),
        ({"rivals": [variant("without parity", at={n: [2]})],
          "assumes": [hypothesis("parity", without={n: [3]})]},
         "hypothesis 'parity' is reported as 'without parity' like rival 'without parity'"),
        ({"assumes": [hypothesis("h", without={n: [3]}), hypothesis("h", without={n: [4]})]},
         "like hypothesis 'h'; rename one"),
        ({"rivals": [variant("", closed_form=3 * n)]}, "a rival has no name"),
        ({"legs": [leg("a", double), leg("a/r", double)],
          "rivals": [variant("r", leg="a", at={n: [2]})]}, "leg 'a/r' is named like 'r' of leg 'a'"),
    ],
)  # fmt: skip
def test_malformed_claims_are_refused_in_one_line(changes, words):
    with pytest.raises(ClaimError) as error:
        build(**changes)
    message = str(error.value)
    assert words in message
    assert "doubling" in message
    assert "\n" not in message


def sampled(ns, rng, size, n):
    return rng.uniform((size,), 0, 1)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: leg("l", sampled), "says what it estimates"),
        (lambda: leg("l", double, arithmetic="float"), "is none of"),
        (lambda: leg("l", double, side="upper"), "is none of"),
        (lambda: leg("l", double, arithmetic="external"), "what is not controlled"),
        (lambda: leg("l", double, arithmetic="external", model="m"), "declares a bound"),
        (
            lambda: leg("l", double, arithmetic="external", model="m", error=1e-9),
            r"write error=Fraction\('1e-09'\)",
        ),
        (lambda: variant("nothing"), "give one or more of"),
        (lambda: variant("typo", close_form=n), "unknown: close_form"),
        (lambda: instances(double, "", smoke=1), "name the fields"),
        (lambda: instances(double, "X", fast=1), "counts are by profile"),
        (lambda: instances(double, "X"), "counts are by profile"),
    ],
)
def test_malformed_parts(make, words):
    with pytest.raises(ClaimError, match=words):
        make()


def test_arithmetic_is_read_off_the_signature():
    def program(ns, n):
        return ns.asarray(n)

    assert leg("l", program).arithmetic.name == "ball"
    assert leg("l", sampled, statistic=mean(bounded(0, 1))).arithmetic.name == "samples"
    assert attained(program).side == "attained"


@pytest.mark.parametrize("where", [lambda n, k: n + k <= 5, n + sp.Symbol("k") <= 5])
def test_a_condition_does_not_speak_of_legs_that_lack_its_parameters(where):
    k = sp.Symbol("k")
    both = leg("both", lambda n, k: n + k)
    alone = leg("alone", lambda n: 2 * n, closed_form=2 * n, grid={"smoke": {n: [4, 9]}})
    c = claim("c", domain={n: integers(1), k: integers(1)}, legs=[both, alone],
              grid={"smoke": {n: [1, 4], k: [1, 4]}}, closed_form=n + k, where=where)  # fmt: skip
    assert [(p["n"], p["k"]) for p in c.points("smoke", both)] == [(1, 1), (1, 4), (4, 1)]
    assert [p["n"] for p in c.points("smoke", alone)] == [4, 9]


def test_where_may_be_a_condition_or_a_predicate():
    grid = {"smoke": {n: range(1, 7)}}
    assert [p["n"] for p in build(grid=grid, where=sp.Eq(n % 2, 0)).points("smoke")] == [2, 4, 6]
    assert [p["n"] for p in build(grid=grid, where=lambda n: n > 4).points("smoke")] == [5, 6]


def test_indexed_symbols_are_tuple_parameters():
    from theorycheck import structured

    lam, i, r = sp.IndexedBase("lam"), sp.symbols("i"), sp.symbols("r", integer=True)

    def total(lam, r):
        return sum(lam[:r])

    c = claim(
        "sum",
        domain={lam: structured("spectra"), r: integers(1)},
        grid={"smoke": [{lam: (3, 2, 1), r: 2}]},
        closed_form=sp.Sum(lam[i], (i, 1, r)),
        legs=[leg("value", total)],
        relation=equals(),
    )
    assert c.points("smoke") == [{"lam": (3, 2, 1), "r": 2}]


def test_real_parameters():
    def square(x):
        return x * x

    c = claim(
        "sq",
        domain={x: reals(0, 1)},
        grid={"smoke": {x: [sp.Rational(1, 3)]}},
        closed_form=x**2,
        legs=[leg("v", square)],
    )
    assert str(c.points("smoke")[0]["x"]) == "1/3"
