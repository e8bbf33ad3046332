"""Identities on indeterminates: the same functions pass, anything else settles nothing."""

import json
from fractions import Fraction

import pytest
import sympy as sp

from theorycheck import Proof, claim, identity_for_all, integers, leg
from theorycheck.arrays import (
    FloatLiteral,
    IndeterminateNamespace,
    NotFinite,
    NotRationalFunction,
)
from theorycheck.claims.functions import ClaimError
from theorycheck.notebook import try_claim


def square(ns, x, y):
    return (x + y) ** 2


def expanded(ns, x, y):
    return x**2 + 2 * x * y + y**2


def test_same_polynomials_are_proved_with_what_they_are():
    found = identity_for_all(square, expanded, {"x": (3,), "y": (3,)})
    assert found.holds and found.rung == "proved"
    assert found.witness == {"indeterminates": 6, "entries": 3, "degree": 2, "terms": 12}
    assert json.loads(json.dumps(dict(found.witness))) == found.witness


def test_a_program_beside_itself_is_refused():
    with pytest.raises(ClaimError, match="one program on both sides"):
        identity_for_all(square, square, {"x": (3,), "y": (3,)})
    assert identity_for_all(square, lambda ns, x, y: square(ns, x, y), {"x": (), "y": ()}).holds


@pytest.mark.parametrize(
    "wrong",
    [
        lambda ns, x, y: x**2 + x * y + y**2,
        lambda ns, x, y: expanded(ns, x, y) + ns.rational(1, 10**30),
        lambda ns, x, y: expanded(ns, x, y)[:2],
        lambda ns, x, y: x**2 + 2 * x * y + y * ns.flip(y, axis=0),
        lambda ns, x, y: x[:0],
    ],
    ids=["a factor", "a tiny constant", "an entry less", "another entry", "nothing"],
)
def test_other_polynomials_settle_nothing(wrong):
    assert not identity_for_all(square, wrong, {"x": (3,), "y": (3,)}).holds


def test_functions_that_differ_come_with_a_point_where_they_do():
    found = identity_for_all(square, lambda ns, x, y: x**2 + y**2, {"x": (), "y": ()})
    point = {name: int(v) for name, v in found.counterexample["point"].items()}
    assert (point["x_0"] + point["y_0"]) ** 2 != point["x_0"] ** 2 + point["y_0"] ** 2


def test_agreement_on_integers_is_no_identity():
    """(x - 1)(x - 2)(x - 3) and 0 agree at 1, 2, 3."""
    found = identity_for_all(
        lambda ns, x: (x - 1) * (x - 2) * (x - 3), lambda ns, x: x * 0, {"x": ()}
    )
    assert not found.holds and "x_0^3" in found.witness["difference"]


@pytest.mark.parametrize(
    ("program", "why"),
    [
        (lambda ns, x: ns.sqrt(x * x), "root"),
        (lambda ns, x: ns.maximum(x, 0), "maximum"),
        (lambda ns, x: ns.pi * x, "constant pi"),
        (lambda ns, x: x / (x - x), "division by zero"),
    ],
)
def test_what_is_no_rational_function_settles_nothing(program, why):
    found = identity_for_all(program, program, {"x": ()})
    assert not found.holds and why in found.method


def test_quotients_in_lowest_terms():
    assert identity_for_all(
        lambda ns, x: (x**2 - 1) / (2 * x + 2), lambda ns, x: (x - 1) / 2, {"x": ()}
    ).holds
    assert identity_for_all(
        lambda ns, x, y: 1 / x - 1 / y, lambda ns, x, y: (y - x) / (x * y), {"x": (), "y": ()}
    ).holds
    assert not identity_for_all(
        lambda ns, x: 1 / (x + 1), lambda ns, x: 1 / (x + 2), {"x": ()}
    ).holds


def test_inverse_matrices():
    def both(ns, A):
        return ns.matmul(A, ns.inv(A))

    assert identity_for_all(both, lambda ns, A: ns.eye(3), {"A": (3, 3)}).holds
    assert not identity_for_all(both, lambda ns, A: ns.eye(3) * 2, {"A": (3, 3)}).holds
    with pytest.raises(ZeroDivisionError):
        identity_for_all(lambda ns, x: ns.inv(ns.outer(x, x)), lambda ns, x: x, {"x": (2,)})


def test_indeterminates_are_not_compared_and_take_no_float():
    ns = IndeterminateNamespace({"x": (2,)})
    x = ns.fields()["x"]
    with pytest.raises(TypeError):
        assert (x < 1).all()
    with pytest.raises(TypeError):
        abs(x)
    with pytest.raises(FloatLiteral):
        x * 0.5
    with pytest.raises(NotFinite):
        x / ns.asarray(Fraction(0))
    with pytest.raises(NotRationalFunction):
        ns.floor(x)
    assert x.shape == (2,) and ns.degree(x**3 * x[0]) == 4


def test_products_of_matrices_are_those_of_rationals():
    def product(ns, A, B):
        return ns.matmul(A, B)

    def written(ns, A, B):
        return ns.einsum("bij,bjk->bik", A, B)

    assert identity_for_all(product, written, {"A": (2, 2, 3), "B": (2, 3, 2)}).holds
    turned = identity_for_all(
        product, lambda ns, A, B: ns.matmul(B, A), {"A": (1, 2, 2), "B": (1, 2, 2)}
    )
    assert not turned.holds


n = sp.symbols("n", integer=True, positive=True)


def telescope(ns, x, n):
    return sum((x**i for i in range(n)), start=x * 0) * (x - 1)


def closed(ns, x, n):
    return x**n - 1


def identity(n):
    return identity_for_all(telescope, closed, {"x": ()}, n=n)


def shifted(n):
    return identity_for_all(telescope, closed, {"x": ()}, n=n) if n < 5 else Proof(False, "no", {})


@pytest.mark.parametrize(("program", "verdict"), [(identity, "pass"), (shifted, "inconclusive")])
def test_a_leg_proves_at_its_points_and_no_further(program, verdict):
    judged = try_claim(
        claim(
            "geometric",
            domain={n: integers(1)},
            grid={"smoke": {n: [1, 2, 5]}},
            legs=[leg("polynomials", program, arithmetic="proof")],
        )
    )
    assert judged.verdict == verdict
    assert not judged.entry.proved and judged.entry.rung in ("certified", None)


def beside_itself(n):
    return identity_for_all(telescope, telescope, {"x": ()}, n=n)


def test_a_program_beside_itself_ends_the_claim_where_the_leg_is_not_required():
    legs = [
        leg("polynomials", identity, arithmetic="proof"),
        leg("itself", beside_itself, arithmetic="proof", required=False),
    ]
    points = {"smoke": {n: [1, 2]}}
    judged = try_claim(claim("geometric", domain={n: integers(1)}, grid=points, legs=legs))
    assert judged.verdict == "error"
