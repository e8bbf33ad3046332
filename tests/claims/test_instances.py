"""Instances: draws from domains, computed fields, and the special members that attack puts in."""

from fractions import Fraction
from typing import Any, NamedTuple

import pytest
import sympy as sp

from theorycheck import (
    ClaimError,
    claim,
    equals,
    instances,
    integers,
    leg,
    matrices,
    reals,
    steps,
    vectors,
)
from theorycheck.arrays.streams import Stream

n, d, T = sp.symbols("n d T", integer=True)


def labels(X, theta):
    return [sum(a * b for a, b in zip(row, theta, strict=True)) for row in X]


FIELDS = {
    "X": matrices(n, d),
    "theta": vectors(d, unit=True),
    "alpha": reals(without=[0]),
    "eta": steps(T),
    "y": labels,
}
POINT = {"n": 3, "d": 2, "T": 2}


def stream(block=0):
    return Stream(0, "c", "judge", "instance", POINT, block)


def test_a_draw_from_domains_asks_for_their_sizes_and_computes_what_follows():
    spec = instances(FIELDS, smoke=2)
    one = spec.draw(stream(), **POINT)
    assert spec.fields == ("X", "theta", "alpha", "eta", "y")
    assert one["y"] == labels(one["X"], one["theta"])
    assert spec.admits(one, POINT)
    assert one == spec.draw(stream(), **POINT)
    assert one != spec.draw(stream(1), **POINT)


def test_special_members_are_put_in_one_field_at_a_time_and_the_rest_follows():
    spec = instances(FIELDS, smoke=2)
    base = spec.draw(stream(), **POINT)
    found = list(spec.special(base, POINT))
    names = [label.split(":")[0] for label, _ in found]
    assert names[:4] == ["X", "theta", "alpha", "eta"]
    assert {label for label, _ in found} >= {"X: duplicate rows", "alpha: negative", "eta: 2/L"}
    for label, one in found:
        assert spec.admits(one, POINT)
        assert one["y"] == labels(one["X"], one["theta"])
        changed = {k for k in FIELDS if one[k] != base[k]} - {"y"}
        assert changed <= {label.split(":")[0]}


def test_a_condition_holds_for_draws_and_for_special_members():
    def small(alpha):
        return alpha < 2

    spec = instances({"alpha": reals(0)}, where=small, smoke=1)
    assert all(spec.draw(stream(b))["alpha"] < 2 for b in range(20))
    assert all(one["alpha"] < 2 for _, one in spec.special({"alpha": 1}, {}))


def test_a_field_that_falls_out_of_its_domain_is_mended():
    spec = instances({"X": matrices(2, 2, "columns"), "v": vectors(2, inside="X")}, smoke=1)
    base = {"X": [[1, 0], [0, 1]], "v": [1, 1]}
    assert all(spec.admits(one, {}) for _, one in spec.special(base, {}))


def test_a_drawn_instance_outside_of_its_domain_is_told():
    spec = instances(lambda rng: {"alpha": 0}, {"alpha": reals(without=[0])}, smoke=1)
    assert spec.outside({"alpha": 0}, {}) == ("alpha",)
    assert spec.outside({"alpha": Fraction(1, 3)}, {}) == ()


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (
            lambda: instances({"y": labels, "X": matrices(n, d), "theta": vectors(d)}, smoke=1),
            "later",
        ),
        (lambda: instances({"X": None}, smoke=1), "how to draw X"),
        (lambda: instances({"X": 3}, smoke=1), "field X has"),
        (lambda: instances({}, smoke=1), "name the fields"),
        (lambda: instances({"X": reals()}), "by profile"),
        (lambda: instances({"X": reals()}, often=3), "by profile"),
    ],
)
def test_instances_that_cannot_be(make, text):
    with pytest.raises(ClaimError, match=text):
        make()


def test_a_condition_that_no_draw_meets_is_said():
    def never(alpha):
        return alpha < 0

    spec = instances({"alpha": reals(0)}, where=never, smoke=1)
    with pytest.raises(ClaimError, match="outside of never"):
        spec.draw(stream())


def identity(ns, X):
    return X


def test_the_domain_of_a_field_speaks_of_known_names():
    with pytest.raises(ClaimError, match="the domain of field X asks for m"):
        claim(
            "c",
            domain={n: integers(1)},
            grid={"smoke": {n: [1]}},
            relation=equals(),
            legs=[
                leg(
                    "v",
                    identity,
                    arithmetic="rational",
                    reference=identity,
                    instances=instances({"X": matrices(n, "m")}, smoke=1),
                )
            ],
        )


def test_the_domain_of_a_parameter_speaks_of_known_names():
    with pytest.raises(ClaimError, match="the domain of v asks for d"):
        claim("c", domain={sp.Symbol("v"): vectors("d")}, closed_form=0)(lambda v: 0)


class Pair(NamedTuple):
    X: Any
    y: Any


def test_a_record_names_the_fields():
    spec = instances(lambda rng, n: Pair(X=[[1] * n], y=[n]), Pair, smoke=2)
    assert spec.fields == ("X", "y")
    assert spec.drawn(stream(), {"n": 3, "unused": 1}) == {"X": [[1, 1, 1]], "y": [3]}
    assert instances(lambda rng: {"X": 1, "y": 2}, Pair, smoke=1).drawn(stream(), {}) == {
        "X": 1,
        "y": 2,
    }


def test_a_draw_of_other_fields_is_refused():
    spec = instances(lambda rng: Pair(X=1, y=2), "X z", smoke=1)
    with pytest.raises(ClaimError, match="instances gave fields X, y; declared are X, z"):
        spec.drawn(stream(), {})


def test_several_conditions_hold_for_draws_and_the_one_that_breaks_is_named():
    def small(alpha):
        return alpha < 2

    def positive(alpha):
        return alpha > 0

    spec = instances({"alpha": reals(0)}, where=[small, positive], smoke=1)
    assert all(0 < spec.draw(stream(b))["alpha"] < 2 for b in range(20))
    assert spec.left({"alpha": 3}, {}) == ("small",)
    assert spec.left({"alpha": 0}, {}) == ("positive",)
    assert spec.left({"alpha": -1}, {})[0].startswith("alpha in ")
    with pytest.raises(ClaimError, match="where has predicates, got 3"):
        instances({"alpha": reals(0)}, where=[3], smoke=1)


def test_a_condition_speaks_of_known_names():
    def below(alpha, beta):
        return alpha < beta

    with pytest.raises(ClaimError, match="'below' asks for beta, which is no parameter or field"):
        claim(
            "c",
            domain={n: integers(1)},
            grid={"smoke": {n: [1]}},
            closed_form=n,
            legs=[
                leg(
                    "v",
                    lambda alpha: alpha,
                    instances=instances(lambda rng: {"alpha": 1}, "alpha", where=below, smoke=1),
                )
            ],
        )
