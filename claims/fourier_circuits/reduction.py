"""The single neuron in Fourier space: Lemmas C.14, C.10, the inequality chain, the optimal transform.

Setting. J(u, w) as in `single_neuron`, transforms u^(j) = sum_x u(x) e^{-2 pi i j x / p}.

Statements.
- C.14: J = k!/((p-1) p^k) sum_{j != 0} w^(-j) u_1^(j) .. u_k^(j), for all real vectors and all p >= 2.
  (The proof calls the other monomials zero; they are constant in the shift and cancel. A printed
  1 - 1/(p-1) = p/(p-1) should have a plus.)
- C.11-C.13: for odd p that sum is 2 sum_{j <= (p-1)/2} |w^(j)| prod |u_i^(j)| cos(phase defect).
- C.15, C.16: with z(j) = |u_1^(j)|^2 + .. + |w^(j)|^2, power and geometric means and
  sum_j z(j)^{(k+1)/2} <= (sum_j z(j))^{(k+1)/2} <= (p |theta|^2 / 2)^{(k+1)/2} give J <= gamma*. (For
  general k the norm is printed as ||z||_2, which is the one of k = 3.)
- C.16, C.23: sqrt(2/((k+1)p)) cos(theta + 2 pi zeta x / p) has the transform sqrt(p/(2(k+1)))
  e^{+-i theta} at +-zeta and 0 elsewhere, and the squared norm 1/(k+1).

Reference: arXiv 2402.09469, appendix C.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from math import factorial, prod

import numpy as np
import sympy as sp

from theorycheck import (
    Proof,
    at_most,
    claim,
    equals,
    hypothesis,
    instances,
    integers,
    leg,
    odd_integers,
    variant,
)

from ._cyclotomic import coordinates
from ._formula import gamma, k, p
from ._network import all_inputs, labels
from ._neuron import ascend, objective, squared_norm

zeta = sp.Symbol("zeta", integer=True, positive=True)
theta = sp.Symbol("theta", real=True)


def random_neurons(rng, k, p):
    """Rational vectors with means that do not vanish; none is constant, so phases exist at prime p."""
    u, w = rng.rational((k, p), 5), rng.rational((p,), 5)
    u[:, 0] += 11
    w[0] += 11
    return {"u": u, "w": w}


def by_enumeration(ns, u, w, k, p):
    """J over all p^k inputs. Shape (B,)."""
    return objective(ns, u, w, k, p)


def transforms(ns, u, w):
    """Transforms of u_1, .., u_k and of w as pairs (real, imaginary), each of shape (B, p)."""
    return [ns.dft(u[:, i, :]) for i in range(u.shape[1])], ns.dft(w)


def product_of(factors):
    """Entrywise product of complex arrays given as pairs."""
    re, im = factors[0]
    for a, b in factors[1:]:
        re, im = re * a - im * b, re * b + im * a
    return re, im


def fourier_sum(ns, u, w, p, sign=-1, first=1):
    """Real part of the sum over j = first .. p-1 of w^(sign j) prod u_i^(j). Shape (B,)."""
    us, (a, b) = transforms(ns, u, w)
    at = ns.indices([(sign * j) % p for j in range(p)])
    turned = tuple(ns.take(part, at, axis=1) for part in (a, b))
    re, _ = product_of([turned, *us])
    return ns.sum(re[:, first:], axis=1)


def by_transform(ns, u, w, k, p):
    return fourier_sum(ns, u, w, p) * factorial(k) / ((p - 1) * p**k)


def plus_j(ns, u, w, k, p):
    return fourier_sum(ns, u, w, p, sign=1) * factorial(k) / ((p - 1) * p**k)


def with_zero(ns, u, w, k, p):
    return fourier_sum(ns, u, w, p, first=0) * factorial(k) / ((p - 1) * p**k)


def one_power_more(ns, u, w, k, p):
    return by_transform(ns, u, w, k, p) / p


def without_classes(ns, u, w, k, p):
    return by_transform(ns, u, w, k, p) * (p - 1)


def without_factorial(ns, u, w, k, p):
    return by_transform(ns, u, w, k, p) / factorial(k)


def half_prefactor(ns, u, w, k, p):
    return by_transform(ns, u, w, k, p) / 2


def monomials_called_zero(ns, u, w, k, p):
    """k! E[w(s) prod u_i(a_i)] p/(p-1): what is left if all other terms of eta(0) were zero."""
    grid = all_inputs(k, p)
    mixed = prod(ns.take(u[:, i, :], ns.indices(grid[:, i]), axis=1) for i in range(k))
    mixed = mixed * ns.take(w, ns.indices(labels(k, p)), axis=1)
    return ns.sum(mixed, axis=1) * factorial(k) / (p - 1) / p ** (k - 1)


def every_coefficient(k, p):
    """Both sides as polynomials in the entries of u and w, coefficient by coefficient.

    J: a monomial with u_i(a_i)^{e_i} and w(c) collects the inputs that agree with a where e_i > 0; with
    a summand missing, every label is met equally often and the weights cancel. The other side has the
    mixed monomials only, with coefficients sum over j != 0 of e^{2 pi i j (c - s)/p}, in Q(e^{2 pi i/p}).
    All coefficients are multiplied by (p-1) p^k / k! first, which makes them integers.
    """
    gain = p * np.eye(p, dtype=np.int64) - 1  # (p-1)(1[c = s] - 1[c != s]/(p-1)), c by s
    table = gain[labels(k, p)].reshape((p,) * k + (p,))  # inputs a_1 .. a_k, then c
    missing = [
        int(np.abs(table.sum(axis=axes)).max())
        for size in range(1, k)
        for axes in itertools.combinations(range(k), size)
    ]
    powers = np.zeros((p, p), dtype=np.int64)  # row r: sum over j != 0 of x^{j r}
    for r, j in itertools.product(range(p), range(1, p)):
        powers[r, j * r % p] += 1
    side = coordinates(powers)[(np.arange(p) - labels(k, p)[:, None]) % p]
    mixed = np.zeros_like(side)
    mixed[..., 0] = table.reshape(-1, p)
    apart = int((mixed != side).sum())
    return Proof(
        holds=apart == 0 and not any(missing),
        method="equality of all coefficients, hence of both sides at all real vectors",
        witness={"mixed monomials": p ** (k + 1), "families with a missing summand": len(missing)},
        counterexample={"coefficients apart": apart} if apart or any(missing) else None,
    )


RANDOM = instances(random_neurons, "u w", smoke=3, standard=6)
REDUCTION_LEGS = [
    leg("neurons", by_enumeration, reference=by_transform, instances=RANDOM),
    leg("coefficients", every_coefficient, arithmetic="proof"),
]

dft_reduction = claim(
    "fourier-dft-reduction",
    title="Single-neuron objective in Fourier space",
    says="For all real vectors and every p >= 2, J = k!/((p-1) p^k) times the sum over j != 0 of "
    "w^(-j) u_1^(j) .. u_k^(j).",
    domain={k: integers(1), p: integers(2)},
    grid={
        "smoke": [{k: 1, p: 5}, {k: 2, p: 5}, {k: 2, p: 6}, {k: 3, p: 4}],
        "standard": [
            *[{k: 1, p: 5}, {k: 2, p: 2}, {k: 2, p: 5}, {k: 2, p: 6}, {k: 3, p: 3}, {k: 3, p: 7}],
            *[{k: 4, p: 4}, {k: 4, p: 5}, {k: 5, p: 3}],
        ],
    },
    legs=REDUCTION_LEGS,
    rivals=[
        variant("w^(+j)", reference=plus_j),
        variant("p^(k+1)", reference=one_power_more),
        variant("without p - 1", reference=without_classes),
        variant("j = 0 included", reference=with_zero),
        variant("without k!", reference=without_factorial, at=[{k: 2, p: 5}]),
        variant("eta(0) = k! times its mixed term", reference=monomials_called_zero),
    ],
)

dft_reduction_k3 = claim(
    "fourier-dft-reduction-k3",
    title="Fourier form of the objective at k = 3",
    says="For k = 3, J = 6/((p-1) p^3) times the sum over j != 0 of w^(-j) u_1^(j) u_2^(j) u_3^(j); "
    "only the mixed monomial of the cube survives.",
    domain={k: integers(3, 3), p: integers(2)},
    grid={"smoke": {k: 3, p: [3, 5]}, "standard": {k: 3, p: [2, 3, 5, 6, 7]}},
    legs=REDUCTION_LEGS,
    rivals=[
        variant("3 for 6", reference=half_prefactor),
        variant("p^4", reference=one_power_more),
        variant("j = 0 included", reference=with_zero),
    ],
)

# ---------------------------------------------------------------- the chain of inequalities


def modulus(ns, pair):
    return ns.norm(ns.stack(list(pair)), axis=0)


def phase_form(ns, u, w, p):
    """2 sum over j = 1 .. (p-1)/2 of |w^(j)| prod |u_i^(j)| cos(sum of phases - phase of w^)."""
    us, (a, b) = transforms(ns, u, w)
    factors = [*us, (a, -b)]
    re, im = ns.ones(a.shape), ns.zeros(a.shape)  # cosine and sine of the phase defect
    for x, y in factors:
        size = modulus(ns, (x, y))
        c, s = x / size, y / size
        re, im = re * c - im * s, re * s + im * c
    size = prod(modulus(ns, f) for f in factors)
    return 2 * ns.sum((size * re)[:, 1 : (p + 1) // 2], axis=1)


def sum_over_all(ns, u, w, p):
    return fourier_sum(ns, u, w, p)


def power(ns, u, w, p):
    """z(j) = |u_1^(j)|^2 + .. + |w^(j)|^2 for j = 1 .. (p-1)/2. Shape (B, (p-1)/2)."""
    us, last = transforms(ns, u, w)
    z = sum(x**2 + y**2 for x, y in [*us, last])
    return z[:, 1 : (p + 1) // 2]


def half_powers(ns, u, w, k, p):
    """z(j)^{(k+1)/2}, by the norm of the transforms: no root of a ball around 0. Shape (B, (p-1)/2)."""
    us, last = transforms(ns, u, w)
    size = ns.norm(ns.stack([part for pair in [*us, last] for part in pair]), axis=0)
    return ns.pow(size[:, 1 : (p + 1) // 2], k + 1)


def products_of_moduli(ns, u, w, k, p):
    """C.14: (2 k!/((p-1) p^k)) sum_j |w^(j)| prod |u_i^(j)|, over |theta|^{k+1}. Shape (B,)."""
    us, last = transforms(ns, u, w)
    size = prod(modulus(ns, f) for f in [*us, last])[:, 1 : (p + 1) // 2]
    return ns.sum(size, axis=1) * 2 * factorial(k) / ((p - 1) * p**k) / unit(ns, u, w, k)


def unit(ns, u, w, k):
    return ns.power(squared_norm(ns, u, w), k + 1, 2)


def means(ns, u, w, k, p):
    """C.15 summed: (2 k!/((p-1) p^k)) sum_j (z(j)/(k+1))^{(k+1)/2}, over |theta|^{k+1}."""
    z = half_powers(ns, u, w, k, p) / ns.power(ns.asarray(k + 1), k + 1, 2)
    return ns.sum(z, axis=1) * 2 * factorial(k) / ((p - 1) * p**k) / unit(ns, u, w, k)


def mass(ns, u, w, k, p):
    """The same with sum_j z(j)^{(k+1)/2} replaced by (sum_j z(j))^{(k+1)/2}."""
    z = ns.power(ns.sum(power(ns, u, w, p), axis=1) / (k + 1), k + 1, 2)
    return z * 2 * factorial(k) / ((p - 1) * p**k) / unit(ns, u, w, k)


def links(ns, u, w, k, p):
    """Every link that the chain has: J, C.14, C.15, the mass; over |theta|^{k+1}. Shape (B, 4)."""
    first = objective(ns, u, w, k, p) / unit(ns, u, w, k)
    rest = [f(ns, u, w, k, p) for f in (products_of_moduli, means, mass)]
    return ns.stack([first, *rest], axis=1)


def lower_links(ns, u, w, k, p):
    """J, C.14, C.15. Shape (B, 3)."""
    return links(ns, u, w, k, p)[:, :3]


def upper_links(ns, u, w, k, p):
    """What each of them is at most: C.14, C.15, the mass. Shape (B, 3)."""
    return links(ns, u, w, k, p)[:, 1:]


def near_optimal(rng, k, p):
    """An ascent's end, rounded to three decimals: a neuron close to the maximum."""
    (best,) = ascend(k, p, starts=1, seed=int(rng.integers(0, 1000)))
    exact = [[Fraction(round(float(x) * 1000), 1000) for x in row] for row in best]
    return {"u": exact[:k], "w": exact[k]}


CHAIN_SIZES = {
    "smoke": [{k: 2, p: 5}, {k: 3, p: 5}],
    "standard": [
        {k: 1, p: 5},
        {k: 2, p: 5},
        {k: 2, p: 9},
        {k: 3, p: 7},
        {k: 4, p: 5},
        {k: 5, p: 3},
    ],
}

phase_identity = claim(
    "fourier-phase-form",
    title="Conjugate frequencies paired",
    says="For odd p the sum over j != 0 equals twice the sum over j <= (p-1)/2 of the product of "
    "moduli times the cosine of the phase defect.",
    states="fourier-norm-chain",
    encodes="part",
    domain={k: integers(1), p: odd_integers(3)},
    grid={
        "smoke": [{k: 2, p: 5}, {k: 3, p: 7}],
        "standard": [{k: i, p: j} for i in (1, 2, 3, 4) for j in (3, 5, 7, 9)],
    },
    legs=[
        leg("neurons", sum_over_all, reference=phase_form,
            instances=instances(random_neurons, "u w", smoke=3, standard=6)),
    ],
    rivals=[variant("even p", at=[{k: 3, p: 6}])],
)  # fmt: skip


def plancherel(ns, u, w, p):
    """(|u_1^|^2 + .. + |w^|^2) / (|u_1|^2 + .. + |w|^2). Shape (B,)."""
    us, last = transforms(ns, u, w)
    total = sum(ns.sum(x**2 + y**2, axis=1) for x, y in [*us, last])
    return total / squared_norm(ns, u, w)


def half_power(ns, u, w, p):
    """sum of z(j) over j = 1 .. (p-1)/2, over the squared norm; at most p/2. Shape (B,)."""
    return ns.sum(power(ns, u, w, p), axis=1) / squared_norm(ns, u, w)


def euclidean_chain(ns, u, w, k, p):
    """The printed ||z||_2 for the norm of order (k+1)/2: C.15 summed over ((z(j))^2 summed)^{(k+1)/4}."""
    z = power(ns, u, w, p)
    return ns.sum(ns.power(z, k + 1, 2), axis=1) / ns.power(ns.sum(z**2, axis=1), k + 1, 4)


def right_norm(ns, u, w, k, p):
    mass = ns.power(ns.sum(power(ns, u, w, p), axis=1), k + 1, 2)
    return ns.sum(half_powers(ns, u, w, k, p), axis=1) / mass


norm_chain = claim(
    "fourier-norm-chain",
    lhs=r"\frac{\text{each link from }J(u,w)}{\|\theta\|^{k+1}}",
    tex=r"\frac{2\,k!}{(2k+2)^{(k+1)/2}\,(p-1)\,p^{(k-1)/2}}",
    title="Phase form, inequality of means and norm comparison",
    says="For odd p, J(u, w) <= gamma* |theta|^(k+1) at every neuron, link by link.",
    domain={k: integers(1), p: odd_integers(3)},
    grid=CHAIN_SIZES,
    closed_form=gamma,
    relation=at_most(),
    legs=[
        leg("chain", links, instances=instances(random_neurons, "u w", smoke=20, standard=60)),
        leg("links in order", lower_links, reference=upper_links,
            instances=instances(random_neurons, "u w", smoke=20, standard=60)),
        leg("near the maximum", links,
            instances=instances(near_optimal, "u w", smoke=2, standard=4)),
        leg("Plancherel", plancherel, closed_form=p, relation=equals(),
            instances=instances(random_neurons, "u w", smoke=3, standard=10)),
        leg("half of the power", half_power, closed_form=p / 2,
            instances=instances(random_neurons, "u w", smoke=20, standard=50)),
        leg("norm of order (k+1)/2", right_norm, closed_form=sp.Integer(1),
            instances=instances(random_neurons, "u w", smoke=20, standard=50)),
    ],
    rivals=[
        variant("9/10 of the bound", leg="near the maximum", closed_form=9 * gamma / 10),
        variant("p for p - 1", leg="near the maximum", closed_form=gamma * (p - 1) / p),
        variant("(2k+2) -> (4k+4): ||z||_1 <= p/4", leg="near the maximum",
                closed_form=gamma / 2 ** ((k + 1) / 2)),
        variant("Plancherel without the factor p", leg="Plancherel", closed_form=sp.Integer(1)),
        variant("links in the opposite order", leg="links in order",
                simulation=upper_links, reference=lower_links),
        variant("||z||_2 at k = 2", leg="norm of order (k+1)/2", simulation=euclidean_chain,
                at=[{k: 2, p: 5}]),
    ],
)  # fmt: skip

# ---------------------------------------------------------------- transform of the optimal neuron


def draw_phase(rng):
    return {"theta": rng.rational((), 9)}


def optimal_vector(ns, k, p, zeta, theta):
    """sqrt(2/((k+1)p)) cos(theta + 2 pi zeta x/p). Shape (B, p)."""
    x = 2 * ns.pi * ns.asarray([zeta * t for t in range(p)]) / p
    return ns.sqrt(ns.asarray(2) / ((k + 1) * p)) * ns.cos(x + ns.expand_dims(theta, axis=-1))


def largest_modulus(ns, k, p, zeta, theta):
    """|u^(zeta)| and |u^(-zeta)|. Shape (B, 2)."""
    size = modulus(ns, ns.dft(optimal_vector(ns, k, p, zeta, theta)))
    return ns.take(size, ns.indices([zeta, -zeta % p]), axis=1)


def entry(ns, k, p, zeta, theta):
    """Real and imaginary part at zeta and at -zeta. Shape (B, 4)."""
    re, im = ns.dft(optimal_vector(ns, k, p, zeta, theta))
    return ns.stack([re[:, zeta], im[:, zeta], re[:, -zeta % p], im[:, -zeta % p]], axis=1)


def elsewhere(ns, k, p, zeta, theta):
    """Sum of the moduli at all other frequencies. Shape (B,)."""
    size = modulus(ns, ns.dft(optimal_vector(ns, k, p, zeta, theta)))
    rest = ns.indices([j for j in range(p) if j not in (zeta, -zeta % p)])
    return ns.sum(ns.take(size, rest, axis=1), axis=1)


def squared_length(ns, k, p, zeta, theta):
    return ns.sum(optimal_vector(ns, k, p, zeta, theta) ** 2, axis=1)


peak = sp.sqrt(p / (2 * (k + 1)))
PHASES = instances(draw_phase, "theta", smoke=3, standard=5)

optimal_neuron_dft = claim(
    "fourier-optimal-neuron-dft",
    title="Transform of the optimal neuron",
    says="For odd p and 0 < zeta < p/2 the optimal vector has the transform sqrt(p/(2(k+1))) "
    "e^(+-i theta) at +-zeta, 0 elsewhere, and the squared norm 1/(k+1).",
    domain={k: integers(1), p: odd_integers(3), zeta: integers(1)},
    where=2 * zeta < p,
    grid={
        "smoke": [{k: 1, p: 3, zeta: 1}, {k: 2, p: 5, zeta: 2}, {k: 3, p: 9, zeta: 3}],
        "standard": [
            {k: i, p: j, zeta: t}
            for i in (1, 2, 3, 6)
            for j in (3, 5, 9, 15)
            for t in range(1, (j + 1) // 2)
        ],
    },
    closed_form=peak,
    legs=[
        leg("modulus", largest_modulus, instances=PHASES),
        leg("entries", entry, instances=PHASES, unit=peak,
            closed_form=sp.Matrix([peak * sp.cos(theta), peak * sp.sin(theta),
                                   peak * sp.cos(theta), -peak * sp.sin(theta)])),
        leg("elsewhere", elsewhere, instances=PHASES, closed_form=sp.Integer(0), unit=peak),
        leg("squared norm", squared_length, instances=PHASES, closed_form=1 / (k + 1)),
    ],
    rivals=[
        variant("sqrt(p/(k+1))", closed_form=sp.sqrt(p / (k + 1))),
        variant("conjugate phase", leg="entries",
                closed_form=sp.Matrix([peak * sp.cos(theta), -peak * sp.sin(theta),
                                       peak * sp.cos(theta), peak * sp.sin(theta)])),
        variant("squared norm 2/(k+1)", leg="squared norm", closed_form=2 / (k + 1)),
    ],
    assumes=[
        hypothesis("p is odd", without=[{k: 2, p: 6, zeta: 3}], leg="squared norm",
                   instances=PHASES),
    ],
)  # fmt: skip
