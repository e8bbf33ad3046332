"""The bound on one neuron that the certificates of this source rest on (`_neuron.group_bounds`), for any objective.

Setting. A table T over inputs and labels, P(u, w) = sum_{a, c} T[a, c] (u_1(a_1) + .. + u_k(a_k))^k w(c). The
mean margin under class weights is the case T[a, c] = p^-k (1[c = s] - q_{c-s}), where the monomials that miss a
summand cancel and the transform of T lives on the line j_1 = .. = j_k = -j_{k+1}: two terms of the bound vanish
there, and are tried here.

Statement. P(u, w) <= |(u, w)|^{k+1} (the largest group of conjugate frequencies of the line + what lies off the
line + what misses a summand), for every table and every neuron.

Reference: none; the chain of Lemma C.15 (arXiv 2402.09469) for any table.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import at_most, claim, instances, integers, leg, variant

from ._formula import k, p
from ._network import all_inputs
from ._neuron import squared_norm, table_bounds

bound = sp.Symbol("bound", real=True)


def any_table(rng, k, p):
    """A table of small rational numbers, and a neuron."""
    return {
        "T": rng.rational((p**k, p), 3),
        "u": rng.rational((k, p), 3),
        "w": rng.rational((p,), 3),
    }


def constant_table(rng, k, p):
    """One of ones, and the neuron of ones: half and more of the value is in monomials that miss a "
    "summand, from k = 2."""
    return {"T": [[1] * p] * p**k, "u": [[1] * p] * k, "w": [1] * p}


def value_and_bound(ns, T, u, w, k, p, parts=3):
    """P over |(u, w)|^{k+1}, and the bound of the table; ``parts``: 1 the line, 2 with what lies off it. Shape (B,)."""
    grid = all_inputs(k, p)
    values, bounds = [], []
    for i in range(w.shape[0]):
        total = sum(ns.take(u[i, j, :], ns.indices(grid[:, j]), axis=0) for j in range(k))
        gain = ns.matmul(T[i, ...], w[i, :])
        size = ns.power(squared_norm(ns, u[i, ...], w[i, :]), k + 1, 2)
        values.append(ns.sum(ns.pow(total, k) * gain) / size)
        best, off, missing = table_bounds(ns, ns.reshape(T[i, ...], (p,) * (k + 1)), k, p)
        bounds.append(ns.max(best) + sum((off, missing)[: parts - 1], ns.asarray(0)))
    return {"value": ns.stack(values), "bound": ns.stack(bounds)}


def without_missing(ns, T, u, w, k, p):
    return value_and_bound(ns, T, u, w, k, p, parts=2)


def line_only(ns, T, u, w, k, p):
    return value_and_bound(ns, T, u, w, k, p, parts=1)


def off_line(rng, k, p):
    """T[a, c] = 1[a_1 + c = 0 mod p] - 1/p at k = 1, p >= 3, so that nothing lies on the line, and a neuron of it."""
    rows = [[int((a[0] + c) % p == 0) - Fraction(1, p) for c in range(p)] for a in all_inputs(k, p)]
    one = [1] + [0] * (p - 1)
    return {"T": rows, "u": [one] * k, "w": one}


neuron_bound = claim(
    "fourier-neuron-bound",
    lhs=r"\frac{\sum_{x,y}T(x,y)\,(u_1+\dots+u_k)^k\,w}{\|(u,w)\|^{k+1}}",
    tex=r"B(\hat T)",
    states="fourier-norm-chain",
    title="The bound on one neuron, for any table",
    says=r"For every table $T$ over inputs and labels and every neuron, $\sum T\,(u_1+\dots+u_k)^kw$ is"
    " at most the norm to the power $k+1$ times the bound that is computed from the coefficients "
    "of $T$.",
    role="derived",
    encodes="part",
    domain={k: integers(1), p: integers(2)},
    grid={
        "smoke": [{k: 1, p: 5}, {k: 2, p: 3}, {k: 2, p: 4}],
        "standard": [{k: 1, p: 7}, {k: 2, p: 5}, {k: 3, p: 3}],
    },
    closed_form=bound,
    relation=at_most(),
    legs=[
        leg(
            "drawn",
            value_and_bound,
            observed=[bound],
            instances=instances(any_table, "T u w", smoke=3, standard=6),
        ),
        leg(
            "monomials that miss a summand",
            value_and_bound,
            observed=[bound],
            instances=instances(constant_table, "T u w", smoke=1),
        ),
        leg(
            "off the line",
            value_and_bound,
            observed=[bound],
            where=sp.And(sp.Eq(k, 1), p >= 3),
            instances=instances(off_line, "T u w", smoke=1),
        ),
    ],
    rivals=[
        variant("nothing", leg="drawn", closed_form=-bound),
        variant(
            "without the monomials that miss a summand",
            leg="monomials that miss a summand",
            simulation=without_missing,
            at=[{k: 2, p: 3}],
        ),
        variant("the line only", leg="off the line", simulation=line_only, at=[{k: 1, p: 5}]),
    ],
)
