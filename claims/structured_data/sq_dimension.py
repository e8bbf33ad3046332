"""Definition A.25: the statistical-query dimension of parities.

Setting. Concepts Pi_A(z) = prod_{i in A} z_i over z uniform on {-1, 1}^D, A ranging over the subsets
of size k. The SQ dimension of a class is the largest d for which d of its concepts have pairwise
correlation at most 1/d^3 in absolute value.

Statement. Under the uniform law the parities of size k are pairwise orthogonal, so the dimension is
the whole class, binomial(D, k).

Reference: Definition A.25 with the remark after Theorem A.26 (dissertation, appendix A).
"""

from __future__ import annotations

import numpy as np
import sympy as sp

from theorycheck import claim, counts, integers, leg, variant

from ._parities import cube, parities, subsets

D, k = sp.symbols("D k", integer=True, positive=True)
j = sp.symbols("j", integer=True)


def nearly_orthogonal(gram, total):
    """Size of a set of concepts with pairwise |correlation| <= 1/d^3, grown greedily.

    ``gram``: integer Gram matrix, entries in units of 1/``total``. It is the SQ dimension where the
    whole class is orthogonal (no larger set exists), a lower bound elsewhere.
    """
    chosen = []
    for column in range(len(gram)):
        size = len(chosen) + 1
        if all(abs(int(gram[column, other])) * size**3 <= total for other in chosen):
            chosen.append(column)
    return len(chosen)


def sq_dimension(D, k):
    """SQ dimension from the integer Gram matrix of the whole class. Shape ()."""
    values = parities(D, k)
    return nearly_orthogonal(values.T @ values, len(values))


def of_two_concepts(D, k):
    """Of the class of z_1 and the majority of z_1, z_2, z_3, whose correlation is 1/2: 1, as 1/2 > 1/2^3. Shape ()."""
    points = cube(D)
    values = np.stack([points[:, 0], np.sign(points[:, :3].sum(axis=1))], axis=1)
    return nearly_orthogonal(values.T @ values, len(values))


def under_biased_inputs(D, k):
    """The same when P(z_i = 1) = 3/4: correlations (1/2)^{|A xor B|} never vanish."""
    sets = [frozenset(a) for a in subsets(D, k)]
    gram = np.array([[4**k // 2 ** len(a ^ b) for b in sets] for a in sets], dtype=np.int64)
    return nearly_orthogonal(gram, 4**k)


sq_dimension_claim = claim(
    "structured-sq-dimension",
    lhs=r"\text{SQ-dim}",
    title=r"Parities of size $k$ have SQ dimension $\binom{D}{k}$",
    says=r"Under the uniform law on $\{-1,1\}^D$ all parities of size $k$ are pairwise orthogonal, so "
    r"the class has SQ dimension $\binom{D}{k}$.",
    covers="orthogonal dimension",
    domain={D: integers(1), k: integers(1)},
    where=k <= D,
    grid={
        "smoke": {D: [4, 6, 7], k: [1, 2, 3]},
        "standard": {D: [4, 5, 6, 7, 8, 9], k: [1, 2, 3, 4]},
    },
    closed_form=sp.binomial(D, k),
    relation=counts(),
    legs=[
        leg("counted", sq_dimension, inside="A A_prime"),
        leg(
            "two correlated concepts",
            of_two_concepts,
            closed_form=sp.Integer(1),
            where=D >= 3,
            required=False,
            lhs=r"\text{SQ-dim}\{z_1,\operatorname{maj}(z_1,z_2,z_3)\}",
            tex="1",
        ),
    ],
    rivals=[
        variant("sets of size at most k", closed_form=sp.Sum(sp.binomial(D, j), (j, 0, k))),
        variant("the whole cube", closed_form=2**D),
        variant("inputs biased to 3/4", simulation=under_biased_inputs),
        variant("correlations up to 1/2", closed_form=sp.Integer(2), leg="two correlated concepts"),
    ],
)
