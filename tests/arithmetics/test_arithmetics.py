"""Every arithmetic says of itself what the engine asks; what a leg in it lacks is refused."""

from fractions import Fraction

import pytest
from flint import arb, fmpq

from theorycheck import ClaimError, leg
from theorycheck.arithmetics import ARITHMETICS
from theorycheck.arrays import select
from theorycheck.entries.rungs import RUNGS
from theorycheck.numbers.enclosure import Enclosure


def program(ns, n):
    return ns.asarray(n)


def test_all_of_them_are_found_by_the_name_that_authors_write():
    assert set(ARITHMETICS) == {
        "exact", "rational", "ball", "interval", "samples", "external", "proof",
    }  # fmt: skip
    assert all(way.name == name and way.rung in RUNGS for name, way in ARITHMETICS.items())


def test_only_array_arithmetics_have_namespaces_and_stack_instances():
    backend = select("cpu")
    with_namespace = {n for n, way in ARITHMETICS.items() if list(way.namespaces(backend))}
    assert with_namespace == {n for n, way in ARITHMETICS.items() if way.stacks}
    assert with_namespace == {"rational", "ball", "interval"}


def test_a_ball_is_sharp_against_its_value_or_after_two_doublings_at_zero():
    ball = ARITHMETICS["ball"]
    assert ball.sharp(Enclosure(fmpq(1, 3), fmpq(1, 3)), 128)
    assert ball.sharp(Enclosure.from_ball(arb(1, 2.0**-80)), 128)
    assert not ball.sharp(Enclosure.from_ball(arb(1, 2.0**-40)), 4096)
    around_zero = Enclosure.from_ball(arb(0, 2.0**-300))
    assert not ball.sharp(around_zero, 256) and ball.sharp(around_zero, 512)


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("samples", {}, "says what it estimates"),
        ("external", {"error": 0}, "says in model=... what is not controlled"),
        ("external", {"model": "GPU"}, "declares a bound on its relative error"),
        ("external", {"model": "GPU", "error": 0.5}, "write error=Fraction"),
        ("exakt", {}, "arithmetic 'exakt' is none of"),
    ],
)
def test_what_a_leg_lacks_is_refused_in_one_line(name, options, words):
    with pytest.raises(ClaimError, match=words) as error:
        leg("l", program, arithmetic=name, **options)
    assert "\n" not in str(error.value)


def test_a_procedure_on_the_other_side_needs_the_same_exact_rules():
    assert {n for n, way in ARITHMETICS.items() if way.takes_reference} == {
        "exact",
        "rational",
        "ball",
        "interval",
        "proof",
    }
    assert leg("l", program, arithmetic="external", model="m", error=Fraction(1, 9)).rung == (
        "searched"
    )
