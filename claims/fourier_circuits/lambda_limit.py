"""Lemma 4.7: as the penalty vanishes, the margin of the regularised optimum tends to the maximum margin.

Setting. `regularised`: the optimum of Definition 4.1 at norm R; small lambda means large R.

Here (derived): at odd p the optimum has the normalised margin gamma* at every norm, hence for every lambda below the
critical one. It is run with lambda: the norm at which the loss of the network, differentiated along its ray, is least;
no network of that norm has a smaller loss (Gibbs), nor is the bound smaller at other norms. At even p, k >= 2, the
optimum has gamma* - (H + log max q)/R^{k+1}, which tends to gamma* as R grows, at the rate 1/log(1/lambda). The lemma
itself, for every homogeneous model and norm, is not decided by such families. It supposes a positive maximum margin:
with an activation of degree d < k there is none, for every monomial misses a summand.

Reference: Lemma 4.7 (arXiv 2402.09469), after Wei et al. 2019; the formulas are derived here.
"""

from __future__ import annotations

import sympy as sp
from flint import Ordering, fmpz_mpoly_ctx

from theorycheck import (
    Proof,
    at_least,
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
from ._network import (
    all_inputs,
    any_modulus_network,
    by_shift,
    outputs,
    smallest_margin,
    with_masses,
)
from ._random_networks import WIDTH, each, random_network
from .regularised import (
    TENTH,
    D,
    R,
    attained_loss,
    best_network,
    entropy_even,
    gamma_even,
    gibbs_bound,
    large_enough,
    of_norm,
    r,
)


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

lam = sp.Symbol("lam", positive=True)
STEPS = 60
"""Halvings of the norm's range: every comparison of them is decided by enclosures."""


def slope(ns, f, k, p, lam, R):
    """Derivative in R of the regularised loss of R times a network of norm 1 with outputs f (p**k, p). Shape ()."""
    scaled_up = f * R ** (k + 1)
    shares = ns.exp(scaled_up - ns.expand_dims(ns.logsumexp(scaled_up, axis=1), axis=1))
    right = by_shift(ns, f, k, p)[:, 0]
    return ns.mean(ns.sum(shares * f, axis=1) - right) * (k + 1) * R**k + lam


def least_norm(ns, k, p, lam):
    """The norm R at which the loss of the maximum-margin network scaled to it is least; shape (). The slope is negative
    where the margin is 1 and lambda below the critical one, and positive from 2 log(1 + C/lambda) + 1 on, as
    x e^{-x} <= e^{-x/2}."""
    lam = ns.asarray(lam)
    net = of_norm(ns, any_modulus_network(ns, k, p), k, 1)
    f, margin = outputs(ns, net, k, p), smallest_margin(ns, net, k, p)
    unit = 1 / ns.power(margin, 1, k + 1)
    far = 2 * ns.log1p((k + 1) * (p - 1) / (unit * lam)) + 1
    low, high = unit, unit * ns.power(far, 1, k + 1)
    for _ in range(STEPS):
        R = (low + high) / 2
        falling = slope(ns, f, k, p, lam, R) < 0
        low, high = ns.where(falling, R, low), ns.where(falling, high, R)
    return (low + high) / 2


def margin_at_penalty(ns, k, p, lam):
    """Normalised margin of the optimum at the penalty lambda."""
    R = least_norm(ns, k, p, lam)
    return smallest_margin(ns, of_norm(ns, any_modulus_network(ns, k, p), k, R), k, p)


def loss_at_penalty(ns, k, p, lam):
    return attained_loss(ns, k, p, least_norm(ns, k, p, lam), lam)


def bound_at_penalty(ns, k, p, lam):
    """What no network of that norm is below."""
    return gibbs_bound(ns, k, p, least_norm(ns, k, p, lam), lam)


def bounds_at_other_norms(ns, k, p, lam):
    """What no network is below at norm 0, where the loss is log p, and at 1/2, 3/4, 5/4, 3/2 and twice the norm of the
    optimum. Shape (6,)."""
    R = least_norm(ns, k, p, lam)
    others = [gibbs_bound(ns, k, p, R * ns.rational(n, 4), lam) for n in (2, 3, 5, 6, 8)]
    return ns.stack([ns.log(ns.asarray(p)), *others])


def twice_the_norm(ns, k, p, lam):
    return attained_loss(ns, k, p, 2 * least_norm(ns, k, p, lam), lam)


def loss_six_times(ns, k, p, lam, of=loss_at_penalty):
    """The loss of the optimum, to be compared with each of these. Shape (6,)."""
    return ns.stack([of(ns, k, p, lam)] * 6)


def loss_of_twice_the_norm(ns, k, p, lam):
    return loss_six_times(ns, k, p, lam, twice_the_norm)


def one_frequency_twice_as_large(ns, k, p, lam):
    """A network of the same norm whose frequencies do not have the same share."""
    low = [ns.asarray(2 if n == 0 else 1) for n in range((p - 1) // 2)]
    net = with_masses(ns, k, p, low, ns.asarray(0))
    return smallest_margin(ns, of_norm(ns, net, k, least_norm(ns, k, p, lam)), k, p)


below_critical = lam < (sp.log(p) - sp.log(1 + (p - 1) * sp.exp(-1))) * gamma ** (1 / (k + 1))
"""There the loss at the norm of margin 1 is below log p, that at norm 0: lambda is below the critical one."""
odd_margin = claim(
    "fourier-lambda-limit-odd",
    title=r"At odd $p$ the margin is $\gamma^*$ at every penalty",
    lhs=r"\gamma(\theta_\lambda)",
    tex=r"\frac{2\,k!}{(2k+2)^{(k+1)/2}\,(p-1)\,p^{(k-1)/2}}",
    says=r"At odd $p$ the regularised optimum has the normalised margin $\gamma^*$ at every penalty below the critical "
    "one, not only in the limit.",
    states=["fourier-lambda-limit", "fourier-regularised-optimum"],
    role="derived",
    covers="fourier-lambda-limit/odd-exact",
    reads={"lambda": "lam"},
    domain={k: integers(1), p: odd_integers(3), lam: reals(0, low_open=True)},
    where=below_critical,
    grid={
        "smoke": [
            {k: 1, p: 3, lam: TENTH},
            {k: 2, p: 3, lam: TENTH},
            {k: 2, p: 5, lam: TENTH / 10},
            {k: 3, p: 3, lam: TENTH},
        ],
        "standard": {k: [2], p: [3, 5, 7], lam: [TENTH, TENTH / 1000]},
    },
    closed_form=gamma,
    relation=equals(),
    legs=[
        leg("optimum", margin_at_penalty),
        leg(
            "no network of its norm is below",
            loss_at_penalty,
            reference=bound_at_penalty,
            lhs=r"\mathcal{L}_\lambda(\theta_\lambda)",
            tex=r"\lambda R+\log\big(1+(p-1)\,e^{-BR^{k+1}}\big)",
        ),
        leg(
            "nor at other norms",
            bounds_at_other_norms,
            reference=loss_six_times,
            relation=at_least(),
            lhs=r"\lambda R'+\log\big(1+(p-1)\,e^{-BR'^{k+1}}\big)",
            tex=r"\mathcal{L}_\lambda(\theta_\lambda)",
        ),
    ],
    rivals=[
        variant("p for p - 1", leg="optimum", closed_form=gamma * (p - 1) / p),
        variant("grows with the penalty", leg="optimum", closed_form=gamma * (1 - lam)),
        variant(
            "one frequency twice as large",
            leg="optimum",
            simulation=one_frequency_twice_as_large,
            at=[{k: 2, p: 5, lam: TENTH}],
        ),
        variant("twice the norm", leg="no network of its norm is below", simulation=twice_the_norm),
        variant(
            "twice the norm is best", leg="nor at other norms", reference=loss_of_twice_the_norm
        ),
    ],
    assumes=[
        hypothesis(
            "lambda is below the critical one",
            leg="nor at other norms",
            without=[{k: 2, p: 3, lam: 1}],
        ),
        hypothesis("p is odd", leg="optimum", without=[{k: 2, p: 4, lam: TENTH}]),
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
