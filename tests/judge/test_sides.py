"""Whether a closed form is what a typed formula says."""

import pytest
import sympy as sp

from theorycheck import formula_leg, typed
from theorycheck.judge.standing import is_side, stands_in

c, lam = sp.IndexedBase("c"), sp.IndexedBase("lam")
i = sp.Symbol("i", integer=True, positive=True)
d, T = sp.symbols("d T", integer=True, positive=True)
eta = sp.Symbol("eta", real=True)
FORM = sp.Sum(c[i] ** 2 * (1 - eta * lam[i]) ** T, (i, 1, d))

LEG = formula_leg(
    "sum",
    typed(
        f"2*(1 + eta)*({FORM}) == (2 + 2*eta)*Sum(c[i]^2*(1 - eta*lam[i])^T, (i, 1, d)) and {FORM} <= {FORM} + 1",
        over=["d in 1..oo", "T in 0..oo", "eta in R", "c[i], lam[i] in R for i in 1..d"],
    ),
)


def test_members_of_a_family_are_one_thing_however_they_are_written():
    assert is_side(FORM, [LEG])
    assert stands_in(FORM, [LEG])


@pytest.mark.parametrize(
    "wrong",
    [
        FORM.subs(eta, 2 * eta),
        FORM.subs(T, T + 1),
        sp.Sum(c[i] * (1 - eta * lam[i]) ** T, (i, 1, d)),
        sp.Sum(c[i] ** 2 * (1 - eta * lam[i]) ** T, (i, 1, d + 1)),
    ],
)
def test_another_form_is_none_of_its_sides(wrong):
    assert not is_side(wrong, [LEG])
    assert not stands_in(wrong, [LEG])


def test_a_part_of_a_side_is_no_side():
    part = (1 - eta * lam[i]) ** T
    assert stands_in(part, [LEG])
    assert not is_side(part, [LEG])
