"""Lemmas C.14 and C.10: the objective of a neuron in Fourier space.

Setting. eta(d) = E_a[(u_1(a_1) + .. + u_k(a_k))^k w(s + d)] over uniform inputs a with sum s; J = eta(0) - mean
of eta(d) over d != 0; transforms u^(j) = sum_x u(x) e^{-2 pi i j x/p}; rho = e^{2 pi i/p}.

Statement. For all real vectors and all p >= 2,

    J = k!/((p-1) p^k) sum_{j != 0} w^(-j) u_1^(j) .. u_k^(j).

For J = p/(p-1) (eta(0) - mean of all eta(d)) (printed: 1 - 1/(p-1) for 1 + 1/(p-1)); a monomial of the k-th power in
which some summand is missing contributes mean(w) times its own mean, whatever d is, and cancels (the proof calls it
zero, which it is where w has mean zero); the mixed one contributes k! p^{-(k+1)} sum_j w^(-j) rho^{-jd} prod u_i^(j).

Reference: Lemmas C.10, C.14 (arXiv 2402.09469).
"""

from __future__ import annotations

import itertools
from math import factorial, prod

import numpy as np
from flint import Ordering, fmpz_mpoly_ctx

from theorycheck import (
    Proof,
    claim,
    formula_leg,
    instances,
    integers,
    leg,
    rival_of,
    typed,
    variant,
)

from ._cyclotomic import coordinates
from ._formula import k, p
from ._network import all_inputs, labels
from ._neuron import objective


def random_neurons(rng, k, p):
    """Rational vectors with means that do not vanish; none is constant, so phases exist at prime p."""
    u, w = rng.rational((k, p), 5), rng.rational((p,), 5)
    u[:, 0] += 11
    w[0] += 11
    return {"u": u, "w": w}


def by_enumeration(ns, u, w, k, p):
    """J over all p^k inputs. Shape (B,)."""
    return objective(ns, u, w, k, p)


def products(ns, u, w, p, sign=-1):
    """w^(sign j) prod u_i^(j) for every j, real and imaginary parts. Shape (B, p) each."""
    re, im = (
        ns.take(part, ns.indices([(sign * j) % p for j in range(p)]), axis=1) for part in ns.dft(w)
    )
    for i in range(u.shape[1]):
        a, b = ns.dft(u[:, i, :])
        re, im = re * a - im * b, re * b + im * a
    return re, im


def by_transform(ns, u, w, k, p, sign=-1, first=1):
    re, _ = products(ns, u, w, p, sign)
    return ns.sum(re[:, first:], axis=1) * factorial(k) / ((p - 1) * p**k)


def plus_j(ns, u, w, k, p):
    return by_transform(ns, u, w, k, p, sign=1)


def with_zero(ns, u, w, k, p):
    return by_transform(ns, u, w, k, p, first=0)


def one_power_more(ns, u, w, k, p):
    return by_transform(ns, u, w, k, p) / p


def without_classes(ns, u, w, k, p):
    return by_transform(ns, u, w, k, p) * (p - 1)


def without_factorial(ns, u, w, k, p):
    return by_transform(ns, u, w, k, p) / factorial(k)


def half_prefactor(ns, u, w, k, p):
    return by_transform(ns, u, w, k, p) / 2


def every_coefficient(k, p, first=1):
    """Both sides as polynomials in the entries of u and w, coefficient by coefficient.

    J: a monomial with u_i(a_i)^{e_i} and w(c) collects the inputs that agree with a where e_i > 0; with
    a summand missing, every label is met equally often and the weights cancel. The other side has the
    mixed monomials only, with coefficients sum over j != 0 of e^{2 pi i j (c - s)/p}, in Q(e^{2 pi i/p}).
    ``first``: the least j. All coefficients are multiplied by (p-1) p^k / k! first, which makes them integers.
    """
    gain = p * np.eye(p, dtype=np.int64) - 1  # (p-1)(1[c = s] - 1[c != s]/(p-1)), c by s
    table = gain[labels(k, p)].reshape((p,) * k + (p,))  # inputs a_1 .. a_k, then c
    missing = [
        int(np.abs(table.sum(axis=axes)).max())
        for size in range(1, k)
        for axes in itertools.combinations(range(k), size)
    ]
    powers = np.zeros((p, p), dtype=np.int64)  # row r: sum over j != 0 of x^{j r}
    for r, j in itertools.product(range(p), range(first, p)):
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


def every_coefficient_with_zero(k, p):
    return every_coefficient(k, p, first=0)


def monomials(k):
    """Exponents and coefficients of (x_1 + .. + x_k)^k."""
    ring = fmpz_mpoly_ctx.get([f"x{i}" for i in range(k)], Ordering.lex)
    whole = sum((ring.gen(i) for i in range(k)), ring.constant(0)) ** k
    return {tuple(map(int, e)): int(c) for e, c in whole.to_dict().items()}


def for_every_modulus(k, constant=factorial):
    """The identity at k for every p, u and w at once.

    Put u_i(x) = p^-1 sum_j u_i^(j) rho^{jx} and w likewise into a monomial prod u_i(a_i)^{e_i} w(s + d) of J. With l
    the index of w, the mean over a_i asks e_i indices of u_i to add up to -l (the mean of rho^{na} over a is 1 where
    p divides n, else 0), and what is left of d is the factor rho^{ld}. Its contrast 1 - mean_{d != 0} rho^{ld} is 0
    at l = 0 and p/(p-1) elsewhere. Where some e_i = 0, no index is there to add up: l = 0, and the monomial is gone.
    Where every e_i = 1, each index is -l: with coefficient c the monomial is c p^{-(k+1)} p/(p-1) times the sum over
    l != 0 of w^(l) prod u_i^(-l). So the identity holds exactly if no other exponents occur and c = k!, the
    ``constant``.
    """
    left = {e: c for e, c in monomials(k).items() if all(e)}
    return Proof(
        holds=left == {(1,) * k: constant(k)},
        method="expansion into characters, means over every a_i taken, for all p",
        witness={"monomials": len(monomials(k)), "without a missing summand": len(left)},
        counterexample=None
        if left == {(1,) * k: constant(k)}
        else {"monomials": sorted(left), "coefficients": [left[e] for e in sorted(left)]},
    )


def without_the_factorial(k):
    return for_every_modulus(k, constant=lambda k: 1)


RANDOM = instances(random_neurons, "u w", smoke=3, standard=6)

dft_reduction = claim(
    "fourier-dft-reduction",
    title="Single-neuron objective in Fourier space",
    says=r"For all real vectors and every $p\ge2$, $J=k!/((p-1)p^k)$ times the sum over $j\ne0$ of "
    r"$\hat w(-j)\,\hat u_1(j)\cdots\hat u_k(j)$: a positive multiple of it, so that the "
    "maximisers agree.",
    covers="identity argmax-equal",
    domain={k: integers(1), p: integers(2)},
    grid={
        "smoke": [{k: 1, p: 5}, {k: 2, p: 5}, {k: 2, p: 6}, {k: 3, p: 4}],
        "standard": [
            *[{k: 1, p: 5}, {k: 2, p: 2}, {k: 2, p: 5}, {k: 2, p: 6}, {k: 3, p: 3}, {k: 3, p: 7}],
            *[{k: 4, p: 4}, {k: 4, p: 5}, {k: 5, p: 3}],
        ],
    },
    legs=[
        leg(
            "neurons",
            by_enumeration,
            reference=by_transform,
            instances=RANDOM,
            lhs=r"\eta(0)-\mathbb{E}_{\delta\ne0}\,\eta(\delta)",
            tex=r"\frac{k!}{(p-1)\,p^k}\sum_{j\ne0}\hat w(-j)\prod_i\hat u_i(j)",
        ),
        leg("coefficients", every_coefficient, arithmetic="proof"),
        leg("every modulus", for_every_modulus, arithmetic="proof", over="p u w"),
    ],
    rivals=[
        variant("w^(+j)", reference=plus_j),
        variant("p^(k+1)", reference=one_power_more),
        variant("without p - 1", reference=without_classes),
        variant("j = 0 included", reference=with_zero),
        variant("without k!", reference=without_factorial, at=[{k: 2, p: 5}]),
        variant(
            "j = 0 among the coefficients",
            leg="coefficients",
            simulation=every_coefficient_with_zero,
            at=[{k: 2, p: 5}],
        ),
        variant(
            "1 for k! at every modulus",
            leg="every modulus",
            simulation=without_the_factorial,
            at=[{k: 2, p: 5}],
        ),
    ],
)

SHIFTS = typed("e - (s - e)/(p - 1) == p/(p - 1)*(e - s/p)", over="p in 2..oo; e, s in (-oo, oo)")
PRINTED = typed("1 - 1/(p - 1) != p/(p - 1) and 1 + 1/(p - 1) == p/(p - 1)", over="p in 2..oo")

mean_to_all_shifts = claim(
    "fourier-dft-reduction-shifts",
    states="fourier-dft-reduction",
    title="From the other shifts to all shifts",
    says=r"With $e = \eta(0)$ and $s$ the sum of all $\eta(d)$, $e$ less the mean over $d \ne 0$ "
    "is $p/(p - 1)$ times $e$ less the mean over all $d$; the sign printed for it is wrong at "
    "every $p$.",
    covers="mean-to-all-shifts",
    reads={"eta": "e s"},
    legs=[formula_leg("means", SHIFTS), formula_leg("printed sign", PRINTED)],
    rivals=[
        rival_of(SHIFTS, "without the factor", "e - (s - e)/(p - 1) == e - s/p", "means"),
        rival_of(PRINTED, "as printed", "1 - 1/(p - 1) == p/(p - 1)", "printed sign"),
    ],
)

# ---------------------------------------------------------------- one monomial at one shift


def exponents(k, p):
    """Every way to share k among the summands."""
    return sorted(monomials(k))


def monomial_means(ns, u, w, k, p, kept):
    """E_a[prod u_i(a_i)^{e_i} w(s + d)] for the exponents that ``kept`` keeps and every d. Shape (B, n, p)."""
    grid, right = all_inputs(k, p), labels(k, p)
    values = [ns.take(u[:, i, :], ns.indices(grid[:, i]), axis=1) for i in range(k)]
    rows = []
    for e in filter(kept, exponents(k, p)):
        power = prod(ns.pow(v, n) for v, n in zip(values, e, strict=True) if n)
        shifted = [ns.take(w, ns.indices((right + d) % p), axis=1) for d in range(p)]
        rows.append(ns.stack([ns.mean(power * at, axis=1) for at in shifted], axis=1))
    return ns.stack(rows, axis=1)


def mixed(ns, u, w, k, p):
    """eta~(d): the mean of the product of all u_i(a_i) and w(s + d). Shape (B, p)."""
    return monomial_means(ns, u, w, k, p, all)[:, 0, :]


def mixed_by_transform(ns, u, w, k, p, sign=-1):
    """p^-(k+1) sum_j w^(-j) rho^{sign j d} prod u_i^(j), real part. Shape (B, p)."""
    re, im = products(ns, u, w, p)
    turns = np.outer(np.arange(p), np.arange(p))
    c = ns.cos_2pi(ns.indices(turns), p)
    s = ns.cos_2pi(ns.indices(4 * sign * turns - p), 4 * p)  # the sine: a quarter turn back
    return (ns.matmul(re, c) - ns.matmul(im, s)) / p ** (k + 1)


def other_turn(ns, u, w, k, p):
    return mixed_by_transform(ns, u, w, k, p, sign=1)


def some_missing(e):
    return not all(e)


def others(ns, u, w, k, p):
    """The monomials in which a summand is missing, at every shift. Shape (B, n, p)."""
    return monomial_means(ns, u, w, k, p, some_missing)


def mean_times_mean(ns, u, w, k, p):
    """mean(w) E[monomial], the same at every shift."""
    alone = monomial_means(ns, u, ns.ones(w.shape), k, p, some_missing)
    return alone * ns.reshape(ns.mean(w, axis=1), (-1, 1, 1))


def called_zero(ns, u, w, k, p):
    return 0 * others(ns, u, w, k, p)


shifts = claim(
    "fourier-dft-reduction-terms",
    states="fourier-dft-reduction",
    title="The mixed product and the other monomials at every shift",
    says=r"The mixed product at shift $d$ is $p^{-(k+1)}\sum_j\hat w(-j)\,\rho^{-jd}\prod_i\hat "
    "u_i(j)$; every other monomial is the mean of $w$ times its own mean, whatever $d$ is.",
    role="corrected",
    covers="eta-tilde other-terms-zero",
    domain={k: integers(1), p: integers(2)},
    grid={
        "smoke": [{k: 1, p: 4}, {k: 2, p: 3}, {k: 2, p: 4}],
        "standard": {k: [1, 2, 3], p: [2, 3, 4, 5]},
    },
    legs=[
        leg(
            "mixed",
            mixed,
            reference=mixed_by_transform,
            instances=RANDOM,
            covers="eta-tilde",
            inside="delta",
            lhs=r"\tilde\eta(\delta)",
            tex=r"p^{-(k+1)}\sum_{j=0}^{p-1}\hat w(-j)\,\rho^{j\delta}\prod_i\hat u_i(j)",
        ),
        leg(
            "other monomials",
            others,
            reference=mean_times_mean,
            instances=RANDOM,
            where=k >= 2,
            arithmetic="rational",
            covers="other-terms-zero",
            lhs=r"\mathbb{E}_a\big[m(a)\,w(s-\delta)\big]",
            tex=r"\bar w\;\mathbb{E}_a\,m(a)\quad(m\text{ without some }u_i)",
        ),
    ],
    rivals=[
        variant("turned the other way", leg="mixed", reference=other_turn, at=[{k: 2, p: 3}]),
        variant(
            "all zero, as printed", leg="other monomials", reference=called_zero, at=[{k: 2, p: 3}]
        ),
    ],
)
