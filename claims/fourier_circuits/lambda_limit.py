"""Lemma 4.7: as the penalty vanishes, the margin of the regularised optimum tends to the maximum margin.

Setting. `regularised`: the optimum of Definition 4.1 at norm R; small lambda means large R.

Here (derived): at odd p the optimum has the normalised margin gamma* at every norm, hence for every lambda below the
critical one; at even p, k >= 2, it has gamma* - (H + log max q)/R^{k+1}, which tends to gamma* as R grows, at the rate
1/log(1/lambda). The lemma itself, for every homogeneous model and norm, is not decided by such families. It supposes a
positive maximum margin: with an activation of degree d < k there is none, for every monomial misses a summand.

Reference: Lemma 4.7 (arXiv 2402.09469), after Wei et al. 2019; the formulas are derived here.
"""

from __future__ import annotations

import sympy as sp
from flint import Ordering, fmpz_mpoly_ctx

from theorycheck import (
    Proof,
    claim,
    equals,
    even_integers,
    hypothesis,
    instances,
    integers,
    leg,
    odd_integers,
    reals,
    variant,
)

from ._formula import gamma, k, p
from ._network import all_inputs, any_modulus_network, by_shift, smallest_margin
from ._random_networks import WIDTH, each, random_network
from .regularised import D, R, best_network, entropy_even, gamma_even, large_enough, r


def optimum_margin(ns, k, p, R):
    """Normalised margin of the regularised optimum of norm R."""
    return smallest_margin(ns, best_network(ns, k, p, R), k, p)


def penalty_margin(ns, k, p, R):
    """Margin of the maximum-margin network: gamma* at every norm."""
    return smallest_margin(ns, any_modulus_network(ns, k, p), k, p)


lambda_limit = claim(
    "fourier-lambda-limit",
    title="Vanishing regularisation finds the maximum margin",
    lhs=r"\gamma(\theta_\lambda)",
    tex=r"\gamma^*-\frac{H(q)+\log\max q}{R^{k+1}}",
    says=r"At even $p$ the regularised optimum of norm $R$ has the normalised margin $\gamma^* - (H + "
    r"\log\max q)/R^{k+1}$; as $\lambda\to0$, $R$ grows without bound and the margin tends to "
    r"$\gamma^*$.",
    encodes="special-case",
    states=["fourier-lambda-limit", "fourier-regularised-optimum"],
    covers="margin-even",
    domain={k: integers(2), p: even_integers(4), R: reals(0, low_open=True)},
    where=large_enough,
    grid={
        "smoke": [{k: 2, p: 4, R: 5}, {k: 2, p: 4, R: 20}, {k: 2, p: 6, R: 80}],
        "standard": [
            {k: i, p: j, R: t} for i, j in ((2, 4), (2, 6), (3, 4)) for t in (5, 10, 40, 1000)
        ],
    },
    closed_form=gamma_even - (entropy_even + sp.log((2 - r) / D)) / R ** (k + 1),
    plot=R,
    legs=[leg("optimum", optimum_margin)],
    rivals=[
        variant("gamma* at every penalty", closed_form=gamma_even),
        variant(
            "printed gamma*",
            closed_form=gamma - (entropy_even + sp.log((2 - r) / D)) / R ** (k + 1),
        ),
        variant("rate 1/R", closed_form=gamma_even - (entropy_even + sp.log((2 - r) / D)) / R),
        variant("maximum-margin network at once", simulation=penalty_margin),
    ],
    assumes=[hypothesis("R from the bound on", without=[{k: 2, p: 4, R: 1}, {k: 2, p: 4, R: 2}])],
)

odd_margin = claim(
    "fourier-lambda-limit-odd",
    title=r"At odd $p$ the margin is $\gamma^*$ at every penalty",
    lhs=r"\gamma(\theta_\lambda)",
    tex=r"\frac{2\,k!}{(2k+2)^{(k+1)/2}\,(p-1)\,p^{(k-1)/2}}",
    says=r"At odd $p$ the regularised optimum has the normalised margin $\gamma^*$ at every norm, hence"
    " at every penalty below the critical one, not only in the limit.",
    states=["fourier-lambda-limit", "fourier-regularised-optimum"],
    role="derived",
    covers="fourier-lambda-limit/odd-exact",
    reads={"lambda": "R"},
    domain={k: integers(1), p: odd_integers(3), R: reals(0, low_open=True)},
    grid={
        "smoke": [{k: 1, p: 3, R: 1}, {k: 2, p: 3, R: 1}, {k: 2, p: 5, R: 4}, {k: 3, p: 3, R: 2}],
        "standard": {k: [2], p: [3, 5, 7], R: [1, 4, 9]},
    },
    closed_form=gamma,
    relation=equals(),
    legs=[leg("optimum", optimum_margin)],
    rivals=[
        variant("p for p - 1", closed_form=gamma * (p - 1) / p),
        variant("grows with R", closed_form=gamma * R / (1 + R)),
    ],
)

# ---------------------------------------------------------------- no margin, no lemma

d = sp.Symbol("d", integer=True, nonnegative=True)


def monomials_miss_a_summand(k, d):
    """For every p and theta: E_a[f(a)[s] - mean of the wrong outputs] = 0 at degree d.

    A monomial of (x_1 + .. + x_k)^d that misses summand i leaves the label uniform over a_i, whatever the
    others are, so that the mean of w(s + e) over a_i is the same for every shift e and right and wrong labels
    earn the same.
    """
    ring = fmpz_mpoly_ctx.get([f"x{i}" for i in range(k)], Ordering.lex)
    whole = sum((ring.gen(i) for i in range(k)), ring.constant(0)) ** d
    full = [e for e in whole.to_dict() if all(e)]
    return Proof(
        holds=not full,
        method="every monomial misses a summand",
        witness={"monomials": len(whole.to_dict())},
        counterexample={"monomial": [int(x) for x in full[0]]} if full else None,
    )


def one_degree_more(k, d):
    return monomials_miss_a_summand(k, d + 1)


def mean_margin(ns, u, w, k, d, p):
    """Mean over inputs and wrong labels of the margins of sum_h (sum_i u_{h,i}(a_i))^d w_h. Shape (B,)."""
    grid = all_inputs(k, p)

    def mean(net):
        total = sum(ns.take(net.u[:, i, :], ns.indices(grid[:, i]), axis=1) for i in range(k))
        power = ns.pow(total, d) if d else ns.ones((WIDTH, p**k))
        shifted = by_shift(ns, ns.matmul(ns.matrix_transpose(power), net.w), k, p)
        return ns.mean(shifted[:, :1] - shifted[:, 1:])

    return each(ns, mean, u, w)


no_margin = claim(
    "fourier-lambda-limit-degree",
    states="fourier-lambda-limit",
    title="Below degree k there is no positive margin",
    says="With an activation $z^d$, $d < k$, the mean margin of every network vanishes at every "
    "$p$, so that no margin is positive.",
    role="derived",
    covers="needs-positive-margin",
    domain={k: integers(2), d: integers(0), p: integers(2)},
    where=d < k,
    grid={
        "smoke": [{k: i, d: j, p: 3} for i in (2, 3) for j in range(i)] + [{k: 2, d: 1, p: 4}],
        "standard": [{k: 4, d: j, p: 2} for j in range(4)] + [{k: 2, d: j, p: 5} for j in range(2)],
    },
    closed_form=sp.Integer(0),
    legs=[
        leg(
            "networks",
            mean_margin,
            arithmetic="rational",
            unit=1,
            instances=instances(random_network, "u w", smoke=3, standard=6),
            lhs=r"\mathbb{E}_a\big[f(a)[s]-\tfrac1{p-1}\sum_{c\ne s}f(a)[c]\big]",
        ),
        leg(
            "monomials",
            monomials_miss_a_summand,
            arithmetic="proof",
            over="p",
            grid={
                "smoke": [{k: i, d: j, p: 3} for i in (2, 3, 4) for j in range(i)],
                "standard": [{k: i, d: j, p: 3} for i in (5, 6) for j in range(i)],
            },
        ),
    ],
    rivals=[
        variant(
            "degree k as well", leg="monomials", simulation=one_degree_more, at=[{k: 2, d: 1, p: 3}]
        )
    ],
    assumes=[hypothesis("d < k", leg="networks", without=[{k: 2, d: 2, p: 3}, {k: 3, d: 3, p: 3}])],
)
