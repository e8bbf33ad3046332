r"""Proof of Theorem A.22: the background of the printed mixture, for every rate.

Setting. With probability p a background pattern is fair, else on with probability p/(2 - 2p), two of them independent
given which.

Statement. Two background patterns have covariance p/4 + (1 - p) (p/(2 - 2p))^2 - p^2 = p (1 - 2p)^2/(4 (1 - p)),
which is positive but at p = 1/2: the mixture is a member of the family there only, where its covariance with the
label is (1 - p)/2 (`example_laws`).

Reference: lines 3829-3839.
"""

from __future__ import annotations

import sympy as sp

from theorycheck import claim, equals, formula_leg, integers, leg, rivals_of, typed, variant

from .parity_mixture import RATES, background_covariance

k = sp.Symbol("k", integer=True, positive=True)
p = sp.Symbol("p", positive=True)
COVARIANCE = p * (1 - 2 * p) ** 2 / (4 * (1 - p))


def of_both(k, p):
    """Covariance of two background patterns, all patterns of the printed mixture. Shape ()."""
    return background_covariance(k, p)


JOINT = "p/4 + (1 - p)*(p/(2 - 2*p))**2 - p**2"
VALUE = formula_leg(
    "covariance",
    typed(f"{JOINT} == {COVARIANCE}", over="p in (0, 1/2]"),
    over="k",
)
POSITIVE = formula_leg(
    "below 1/2", typed(f"{COVARIANCE} > 0 or p == 1/2", over="p in (0, 1/2]"), over="k"
)

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
    # Beyond p = 2/3 there is no mixture: p/(2 - 2p) is above 1.
    domain={k: integers(3), p: RATES},
    where=sp.Eq(k % 2, 1),
    grid={"smoke": {k: [3, 5], p: [sp.Rational(1, 18), sp.Rational(2, 9), sp.Rational(1, 2)]}},
    closed_form=COVARIANCE,
    relation=equals(),
    legs=[
        leg("all patterns", of_both, where=k <= 9, unit=1),
        VALUE,
        POSITIVE,
    ],
    rivals=[
        variant(
            "not squared, all patterns",
            closed_form=p * (1 - 2 * p) / (4 * (1 - p)),
            leg="all patterns",
        ),
        *rivals_of(VALUE, {"1 - 2p not squared": f"{JOINT} == p*(1 - 2*p)/(4*(1 - p))"}),
        *rivals_of(POSITIVE, {"at 1/2 as well": f"{COVARIANCE} > 0"}),
    ],
)
