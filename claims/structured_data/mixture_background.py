r"""Proof of Theorem A.22: the background of the printed mixture, for every rate.

Setting. With probability p a background pattern is fair, else on with probability p/(2 - 2p), two of them independent
given which.

Statement. Two background patterns have covariance p/4 + (1 - p) (p/(2 - 2p))^2 - p^2 = p (1 - 2p)^2/(4 (1 - p)),
which is positive but at p = 1/2: the mixture is a member of the family there only, where its covariance with the
label is (1 - p)/2 (`example_laws`).

Reference: lines 3829-3839.
"""

from __future__ import annotations

from fractions import Fraction

from theorycheck import claim, formula_leg, instances, leg, rivals_of, typed, variant

from ._balls import ONE_POINT
from .parity_mixture import background_covariance


def of_both(width, p_o):
    """Covariance of two background patterns, all patterns of the printed mixture. Shape ()."""
    return background_covariance(width, p_o)


def stated_covariance(width, p_o, power=2):
    return p_o * (1 - 2 * p_o) ** power / (4 * (1 - p_o))


def not_squared(width, p_o):
    return stated_covariance(width, p_o, power=1)


def sizes(rng):
    return {"width": 2 * int(rng.integers(1, 3)) + 1, "p_o": Fraction(int(rng.integers(1, 9)), 18)}


JOINT = "p/4 + (1 - p)*(p/(2 - 2*p))**2 - p**2"
VALUE = formula_leg(
    "covariance",
    typed(f"{JOINT} == p*(1 - 2*p)**2/(4*(1 - p))", over="p in (0, 1/2]"),
    over="k",
)
POSITIVE = formula_leg("below 1/2", typed(f"{JOINT} > 0", over="p in (0, 1/2)"), over="k")

covariance = claim(
    "structured-mixture-background",
    lhs=r"\operatorname{Cov}(\phi_j,\phi_{j'})",
    tex=r"\frac{p_o(1-2p_o)^2}{4(1-p_o)}",
    states="structured-fixed-feature-lower-bound",
    title="Background patterns of the mixture, for every rate",
    says=r"Two background patterns have covariance $p_o(1-2p_o)^2/(4(1-p_o))$, positive for every $p_o<\frac12$.",
    role="derived",
    covers="proof-membership",
    reads={"p_o": "p"},
    **ONE_POINT,
    legs=[
        leg(
            "all patterns",
            of_both,
            reference=stated_covariance,
            required=False,
            unit=1,
            instances=instances(sizes, "width p_o", smoke=3, standard=6),
        ),
        VALUE,
        POSITIVE,
    ],
    rivals=[
        variant("not squared, all patterns", reference=not_squared, leg="all patterns"),
        *rivals_of(VALUE, {"1 - 2p not squared": f"{JOINT} == p*(1 - 2*p)/(4*(1 - p))"}),
        *rivals_of(POSITIVE, {"at 1/2 as well": {"over": "p in (0, 1/2]"}}),
    ],
)
