"""Definition A.25: the statistical-query dimension of parities.

Setting. Concepts Pi_A(z) = prod_{i in A} z_i over z uniform on {-1, 1}^D, A ranging over the subsets
of size k. The SQ dimension of a class is the largest d for which d of its concepts have pairwise
correlation at most 1/d^3 in absolute value.

Statement. Under the uniform law the parities of size k are pairwise orthogonal, so the dimension is
the whole class, binomial(D, k).

Reference: Definition A.25 with the remark after Theorem A.26 (dissertation, appendix A).
"""

from __future__ import annotations

import itertools

import numpy as np
import sympy as sp

from theorycheck import claim, counts, integers, leg, variant

D, k = sp.symbols("D k", integer=True, positive=True)


def parities(D, k):
    """All parities of size k over {-1, 1}^D, as integers. Shape (2**D, C(D, k))."""
    cube = np.array(list(itertools.product((-1, 1), repeat=D)), dtype=np.int64)
    return np.stack([cube[:, a].prod(axis=1) for a in itertools.combinations(range(D), k)], axis=1)


def largest_nearly_orthogonal(gram, total):
    """Largest d such that d columns are pairwise correlated by at most 1/d^3.

    Greedy from the integer Gram matrix; it is exact where the class is orthogonal altogether, and
    only a lower bound elsewhere.
    """
    off = np.abs(gram - np.diag(np.diag(gram)))
    chosen = []
    for column in range(gram.shape[0]):
        size = len(chosen) + 1
        if all(int(off[column, other]) * size**3 <= total for other in chosen):
            chosen.append(column)
    return len(chosen)


def sq_dimension(D, k):
    """SQ dimension by the integer Gram matrix of the whole class. Shape ()."""
    values = parities(D, k)
    return largest_nearly_orthogonal(values.T @ values, len(values))


def under_biased_inputs(D, k):
    """The same count when P(z_i = 1) = 3/4: correlations are (1/2)^{|A xor B|} and never vanish."""
    sets = [frozenset(a) for a in itertools.combinations(range(D), k)]
    scale = 2 ** (2 * k)
    gram = np.array([[scale // 2 ** len(a ^ b) for b in sets] for a in sets], dtype=np.int64)
    return largest_nearly_orthogonal(gram, scale)


sq_dimension_claim = claim(
    "structured-sq-dimension",
    title="Parities of size k have SQ dimension binomial(D, k)",
    says="Under the uniform law on {-1, 1}^D all parities of size k are pairwise orthogonal, so the "
    "class has SQ dimension binomial(D, k).",
    domain={D: integers(1), k: integers(1)},
    where=k <= D,
    grid={
        "smoke": {D: [4, 6, 7], k: [1, 2, 3]},
        "standard": {D: [4, 5, 6, 7, 8, 9], k: [1, 2, 3, 4]},
    },
    closed_form=sp.binomial(D, k),
    relation=counts(),
    legs=[leg("counted", sq_dimension)],
    rivals=[
        variant(
            "sets of size at most k",
            closed_form=sp.Sum(sp.binomial(D, sp.Symbol("j")), (sp.Symbol("j"), 0, k)),
        ),
        variant("ordered tuples", closed_form=sp.ff(D, k)),
        variant("inputs biased to 3/4", simulation=under_biased_inputs),
    ],
)
