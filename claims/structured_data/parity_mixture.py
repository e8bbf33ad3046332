"""The mixture behind the lower bounds of chapter 2, as the proofs construct it.

Setting. With probability p all coordinates are fair; with probability 1 - p the block A of k coordinates is all 0 or
all 1, half each, and the background independent Bernoulli(p/(2 - 2p)); y = Pi_A, k odd.

Statements. Every background coordinate has rate p; classes are balanced and gamma = (1 - p)/2 for odd k >= 3; the hinge
on the mixture is at least p times that on the uniform part. It is said to be a member of the structured family, whose
background coordinates are independent: their covariance is p (1 - 2p)^2 / (4 (1 - p)), which vanishes at p = 1/2 only.

Reference: proofs of Theorems 2.2 and 2.4 (dissertation, appendix A).
"""

from __future__ import annotations

import itertools
from fractions import Fraction

import sympy as sp

from theorycheck import claim, equals, formula_leg, integers, leg, reals, typed, variant

from ._family import background, parity

k = sp.symbols("k", integer=True, positive=True)
p = sp.symbols("p_o", positive=True)
HALF = Fraction(1, 2)
RATES = reals(0, HALF, low_open=True)
P = "p in (0, 1/2]"

marginals = claim(
    "structured-parity-mixture",
    title="Background rate and loss of the mixture",
    says="Every background coordinate has rate p, and the hinge is at least p times that on the uniform part.",
    covers="background-rate loss-reduction",
    reads={"p_o": "p", "h": "L M"},
    legs=[
        formula_leg(
            "rate", typed("p*(1/2) + (1 - p)*(p/(2 - 2*p)) == p", over=P), covers="background-rate"
        ),
        formula_leg(
            "loss",
            typed("p*L + (1 - p)*M >= p*L", over=[P, "L in [0, oo)", "M in [0, oo)"]),
            covers="loss-reduction",
        ),
    ],
    rivals=[
        variant(
            "rate p on the second part",
            leg="rate",
            simulation=typed("p*(1/2) + (1 - p)*p == p", over=P),
        ),
        variant(
            "all of the loss",
            leg="loss",
            simulation=typed("p*L + (1 - p)*M >= L", over=[P, "L in [0, oo)", "M in [0, oo)"]),
        ),
    ],
)


def law(k, p):
    """The mixture on A, the first k coordinates, and two of the background, as pattern -> weight."""
    p = Fraction(p)
    rate = p / (2 - 2 * p)
    if not 0 <= rate <= 1:
        raise ValueError("no mixture has this rate")
    found = dict.fromkeys(itertools.product((0, 1), repeat=k + 2), p / 2 ** (k + 2))
    for end in ((0,) * k, (1,) * k):
        for rest, weight in background(2, rate):
            found[end + rest] += (1 - p) / 2 * weight
    return found


def block_covariance(k, p_o):
    """E[y] and the covariance of y with each coordinate of A; refused unless classes are balanced. Shape (k,)."""
    weights = law(k, p_o)
    if sum(w * parity(f[:k]) for f, w in weights.items()):
        raise ValueError("classes are not balanced")
    terms = ([w * parity(f[:k]) * v for v in f[:k]] for f, w in weights.items())
    return [sum(coordinate) for coordinate in zip(*terms, strict=True)]


def background_covariance(k, p_o):
    """Covariance of two background coordinates. Shape ()."""
    weights = law(k, p_o)
    both = sum(w * f[k] * f[k + 1] for f, w in weights.items())
    one, other = (sum(w * f[k + n] for f, w in weights.items()) for n in (0, 1))
    return both - one * other


SETTING = {
    "domain": {k: integers(3), p: RATES},
    "grid": {
        "smoke": {k: [3, 5], p: [HALF, Fraction(1, 4), Fraction(2, 5)]},
        "standard": {k: [3, 7], p: [Fraction(n, 20) for n in (1, 4, 7, 10)]},
    },
    "where": sp.Eq(k % 2, 1),
}

balance = claim(
    "structured-parity-mixture-gamma",
    lhs=r"\operatorname{Cov}(y,\phi_i)",
    tex=r"\frac{1-p_o}2",
    states="structured-parity-mixture",
    title="Covariance of the label in the mixture",
    says="Classes are balanced and every coordinate of $A$ has covariance $(1-p)/2$ with the label.",
    role="reading",
    covers="balance-gamma",
    closed_form=(1 - p) / 2,
    relation=equals(),
    legs=[leg("every pattern", block_covariance, inside="i", where=k <= 9)],
    rivals=[
        variant("1/2", closed_form=sp.Rational(1, 2)),
        variant("1 - p", closed_form=1 - p),
    ],
    **SETTING,
)

form = p * (1 - 2 * p) ** 2 / (4 * (1 - p))
covariance = claim(
    "structured-parity-mixture-covariance",
    lhs=r"\operatorname{Cov}(\phi_j,\phi_{j'})",
    tex=r"\frac{p_o\,(1-2p_o)^2}{4\,(1-p_o)}",
    states=["structured-parity-mixture", "structured-fixed-feature-lower-bound"],
    title="Background coordinates of the mixture depend on each other",
    says="Two background coordinates have covariance $p (1 - 2p)^2 / (4 (1 - p))$: zero at $p = 1/2$ "
    "only.",
    role="derived",
    covers="proof-membership",
    closed_form=form,
    relation=equals(),
    legs=[leg("every pattern", background_covariance, where=k <= 9)],
    rivals=[
        variant("independent", closed_form=sp.Integer(0)),
        variant("(1 - 2p) not squared", closed_form=p * (1 - 2 * p) / (4 * (1 - p))),
    ],
    **SETTING,
)

membership = claim(
    "structured-parity-mixture-member",
    lhs=r"\operatorname{Cov}(\phi_j,\phi_{j'})",
    states="structured-parity-mixture",
    title="The mixture is a member of the family, as printed",
    says="For every $p$ background coordinates are independent, so that their covariance is 0.",
    expect="fail",
    covers="membership",
    reads={"A": "k"},
    closed_form=sp.Integer(0),
    relation=equals(),
    legs=[leg("every pattern", background_covariance, unit=1, where=k <= 9)],
    **SETTING,
)
