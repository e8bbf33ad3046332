r"""Definition 2.1: centred inputs have mean 0 and second moment 1.

Setting. phi in {0, 1}^D: the relevant patterns A, |A| = k, of any joint law in the family; the others independent
Bernoulli(p). x = M (phi - E phi)/sigma~ for an orthonormal dictionary M.

Statement. E x = 0, and E|x|^2 = 1 exactly for sigma~^2 = sum_A Var(phi_j) + (D - k) p (1 - p): M keeps lengths, and of
a squared length only the variances are left, whatever the covariances inside A. |x| itself is 1 only where all
marginals are 1/2.

Reference: Definition 2.1 (dissertation, chapter 2), lines 582-606.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import claim, instances, integers, leg, odd_integers, variant
from theorycheck.blocks.stated import orthonormal_rows

from ._family import background, exchangeable_law

D, k = sp.symbols("D k", integer=True, positive=True)


def a_member(rng, D, k):
    """Weights of the patterns in A in the order of their tuples, the rate of the others, an orthonormal dictionary."""
    law = exchangeable_law(k, Fraction(int(rng.integers(1, 8)), 16), rng)
    return {
        "inside": [[*phi, w] for phi, w in sorted(law.items())],
        "p": Fraction(int(rng.integers(1, 9)), 16),
        "M": rng.orthogonal_rational(D),
    }


def sheared(rng, D, k):
    """The same with a dictionary whose first column leans to the second."""
    drawn = a_member(rng, D, k)
    return {**drawn, "M": [[row[0] + sum(row[1:2]), *row[1:]] for row in drawn["M"]]}


def twice_a_column(rng, D, k):
    """The same with its second column equal to the first: unit columns, not orthogonal."""
    drawn = a_member(rng, D, k)
    return {**drawn, "M": [[row[0], *row[:1], *row[2:]] for row in drawn["M"]]}


def weights_of_a_law(inside, k):
    """Of the patterns in A: none is negative, their sum is 1."""
    weights = [row[k] for row in inside]
    return min(weights) >= 0 and sum(weights) == 1


def patterns(inside, p, D, k):
    """All patterns with their weights, and E phi."""
    law = [
        ([*row[:k], *rest], row[k] * weight)
        for row in inside
        for rest, weight in background(D - k, Fraction(p))
    ]
    return law, [sum(w * phi[j] for phi, w in law) for j in range(D)]


def inputs(inside, p, M, D, k, centred=True):
    """sigma~ x for every pattern, with weights."""
    law, mean = patterns(inside, p, D, k)
    for phi, weight in law:
        u = [v - m if centred else v for v, m in zip(phi, mean, strict=True)]
        yield [sum(a * b for a, b in zip(row, u, strict=True)) for row in M], weight


def means(inside, p, M, D, k, centred=True):
    """sigma~ E x. Length D."""
    total = [Fraction(0)] * D
    for x, weight in inputs(inside, p, M, D, k, centred):
        total = [t + weight * v for t, v in zip(total, x, strict=True)]
    return total


def not_centred(inside, p, M, D, k):
    return means(inside, p, M, D, k, centred=False)


def zeros(inside, p, M, D, k):
    return [0] * D


def second_moment(inside, p, M, D, k):
    """sigma~^2 E|x|^2. Shape ()."""
    found = inputs(inside, p, M, D, k)
    return sum((weight * sum(v * v for v in x) for x, weight in found), Fraction(0))


def variances(inside, p, M, D, k, rest=True):
    """sum_A Var(phi_j) + (D - k) p (1 - p). Shape ()."""
    means_inside = [sum(row[k] * row[j] for row in inside) for j in range(k)]
    own = sum((m * (1 - m) for m in means_inside), Fraction(0))
    return own + (D - k) * p * (1 - p) * rest


def of_sizes(inside, p, M, D, k):
    """The second moment with the sizes of the entries of M: the same for a permutation of the axes only."""
    return second_moment(inside, p, [[abs(v) for v in row] for row in M], D, k)


def relevant_alone(inside, p, M, D, k):
    return variances(inside, p, M, D, k, rest=False)


def all_even(inside, p, M, D, k):
    """k/4 for the relevant patterns."""
    return Fraction(k, 4) + (D - k) * p * (1 - p)


MEMBERS = instances(
    a_member, "inside p M", where=[weights_of_a_law, orthonormal_rows("M")], smoke=3, standard=6
)

normalised = claim(
    "structured-normalisation",
    states="structured-data-family",
    title="Centred and scaled inputs",
    says=r"$\mathbb Ex=0$ and $\mathbb E|x|^2=1$ for $\tilde\sigma^2=\sum_A\operatorname{Var}(\tilde\phi_j)"
    r"+(D-k)p_o(1-p_o)$, for every member of the family and every orthonormal $M$.",
    covers="normalisation",
    reads={"law": "inside p M"},
    domain={D: integers(1), k: odd_integers(1)},
    where=k <= D,
    grid={"smoke": [{D: 4, k: 3}, {D: 3, k: 1}], "standard": [{D: 5, k: 3}, {D: 5, k: 5}]},
    legs=[
        leg(
            "means",
            means,
            reference=zeros,
            instances=MEMBERS,
            unit=1,
            where=D <= 6,
            lhs=r"\tilde\sigma\,\mathbb Ex",
            tex="0",
        ),
        leg(
            "second moments",
            second_moment,
            reference=variances,
            instances=MEMBERS,
            where=D <= 6,
            lhs=r"\tilde\sigma^2\,\mathbb E|x|^2",
            tex=r"\sum_A\operatorname{Var}(\tilde\phi_j)+(D-k)p_o(1-p_o)",
        ),
    ],
    rivals=[
        variant("not centred", simulation=not_centred, leg="means"),
        variant("the relevant patterns alone", reference=relevant_alone, leg="second moments"),
        variant(
            "entries without signs", simulation=of_sizes, leg="second moments", at=[{D: 4, k: 3}]
        ),
        variant(
            "marginals 1/2 inside A", reference=all_even, leg="second moments", at=[{D: 4, k: 3}]
        ),
        variant(
            "no orthonormal dictionary",
            leg="second moments",
            at=[{D: 4, k: 3}],
            instances=instances(sheared, "inside p M", smoke=2),
        ),
        variant(
            "two equal unit columns",
            leg="second moments",
            at=[{D: 4, k: 3}],
            instances=instances(twice_a_column, "inside p M", smoke=2),
        ),
    ],
)
