"""What never differs is said: instances, fields, terms, quantities of a certificate, bounds that nothing meets."""

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_most,
    attained,
    certificate,
    claim,
    formula,
    instances,
    integers,
    leg,
    maximises,
    vectors,
)
from theorycheck.engine.execute import execute
from theorycheck.evidence.degenerate import flat, of_instances, throughout
from theorycheck.evidence.detail import DrawnFields
from theorycheck.plan.settings import Settings

d = sp.symbols("d", integer=True, positive=True)
shift = sp.symbols("shift", real=True)


def said(*legs, form=d, **parts):
    made = claim("c", domain={d: integers(1)}, grid={"smoke": {d: [2, 3]}}, closed_form=form,
                 legs=legs, mutate=False, **parts)  # fmt: skip
    return execute(made, Settings("smoke"), figures=False).judgement.degenerate


def total(x, shift):
    return sum(x) + shift


def drawing(make):
    return instances(make, "x shift", smoke=4)


def varied(rng, d):
    return {"x": [d] + [0] * (d - 1), "shift": Fraction(int(rng.integers(-4, 5)), 3)}


def test_what_differs_says_nothing():
    def all_of_it(rng, d):
        x = [int(rng.integers(1, 9)) for _ in range(d - 1)]
        return {"x": [d - sum(x), *x], "shift": Fraction(int(rng.integers(1, 99)), 3)}

    assert said(leg("v", total, instances=drawing(all_of_it)), form=d + shift) == ()


def test_instances_that_are_one_instance():
    def same(rng, d):
        rng.integers(0, 3)
        return {"x": [d] + [0] * (d - 1), "shift": Fraction(1)}

    lines = said(leg("v", total, instances=drawing(same)), form=d + shift)
    assert lines == ("v: all instances of a point are the same",)


def test_fields_and_terms_that_are_always_0():
    def unshifted(rng, d):
        first = int(rng.integers(1, 99))
        return {"x": [first, d - first], "shift": Fraction(0)}

    lines = said(leg("v", total, instances=drawing(unshifted)), form=d + shift)
    assert lines == (
        "v: field shift is 0 in every instance",
        "v: term shift of the closed form is 0 wherever it was compared",
    )


def test_fields_by_what_they_are():
    drawn = [
        {"z": 0, "e": [0, 3], "u": [Fraction(3, 5), Fraction(4, 5)], "v": [1, 2]},
        {"z": 0, "e": [5, 0], "u": [1, 0], "v": [1, 3]},
    ]
    assert of_instances(drawn) == DrawnFields(
        different=2,
        fields={"z": ("zero", "alike"), "e": ("single",), "u": ("unit",), "v": ()},
    )
    steps = [
        {"s": [2, 2], "m": [[1, 1], [1, 1]], "o": [4]},
        {"s": [3, 3], "m": [[0, 0], [0, 1]], "o": [5]},
    ]
    assert of_instances(steps).fields == {"s": ("constant",), "m": (), "o": ("short",)}
    assert of_instances([{"word": "a"}, {"word": "b"}]).fields == {}
    assert of_instances([{}]) == DrawnFields()


def test_equal_entries_are_seen_where_there_are_two():
    """Lists of one entry neither show it nor speak against it."""
    one, two, none = (
        DrawnFields(different=2, fields={"s": kinds}) for kinds in (("short",), ("constant",), ())
    )
    assert throughout([one, two], "s") == "constant" and flat([one, two]) == ("s",)
    assert throughout([one, one], "s") == "" == throughout([two, none], "s")
    several = DrawnFields(different=2, fields={"z": ("zero",), "u": ("unit",), "v": ()})
    assert flat([several]) == ("z",)


def test_an_attack_on_a_field_takes_the_note_away():
    """Its special members differ from what was drawn."""
    axis = instances(lambda rng, d: {"x": [1] + [0] * (d - 1)}, {"x": vectors(d)}, smoke=2)

    def no_more_than(x, d):
        return min(d, sum(v * v for v in x))

    lines = said(leg("v", no_more_than, instances=axis), relation=at_most())
    assert not any("field x" in line for line in lines)


def model(d):
    return [Fraction(1, j) for j in range(1, d + 1)]


def best(d):
    return max(model(d))


def with_slack(d):
    slack = Fraction(0)
    top = max(model(d)) + Fraction(1, 7)
    return top - Fraction(1, 7) + slack


def test_a_quantity_of_a_certificate_that_is_never_other_than_0():
    lines = said(
        attained(best), certificate(with_slack), form=sp.Integer(1) + 0 * d, relation=maximises()
    )
    assert lines == ("certificate: slack of with_slack is 0 at all 3 points",)


def test_a_bound_that_nothing_comes_near():
    lines = said(leg("v", lambda d: d), form=10 * d, relation=at_most())
    assert lines == ("v: the bound never binds: the nearest of 2 rows comes to 0.1 of it",)
    assert said(leg("v", lambda d: d), form=2 * d, relation=at_most()) == ()


def test_a_factor_that_is_always_1():
    def scaled(rng, d):
        return {"x": [d - int(rng.integers(0, 9)), 0], "shift": Fraction(1)}

    def times(x, shift, d):
        return d * shift

    lines = said(leg("v", times, instances=drawing(scaled)), form=d * shift)
    assert "v: factor shift of the closed form is 1 wherever it was compared" in lines


def test_a_proof_of_a_bound_has_no_rows_that_could_come_near():
    loose = formula("loose", says="n**2 > n - 1", over="n in 1..oo", rivals={"r": "n < 0"})
    assert execute(loose, Settings("smoke"), figures=False).judgement.degenerate == ()
