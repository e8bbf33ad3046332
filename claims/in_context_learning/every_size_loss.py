"""Lemmas 5.1 and D.1 for matrices of every size: the loss as a quadratic form, and its completed square.

Setting. As in `loss_quadratic_form` and `completed_square`: prompts of N noiseless examples x ~ N(0, Lambda), tasks w ~
N(0, 1), L = E (yhat - <w, x_q>)^2/2, ltilde(U, u) = tr(u^2 Gamma Lambda U Lambda U^T/2 - u Lambda^2 U^T). The w21
blocks of the network vanish.

Statements. (1) L = ltilde(U, u) + tr(Lambda)/2, which is that of (uU, 1): it depends on uU alone. (2) With C =
Gamma^{1/2} and S = Lambda^{1/2}, functions of Lambda like Gamma, ltilde(U, u) is |C (u S U S - Lambda C^{-2})|^2/2 -
tr(Lambda^2 C^{-2})/2; so the minimum is the second term, which (c Gamma^{-1}, 1/c) reaches. (3) In the eigenbasis the
square is sum_i T_i lam_i^2 (V_ii - 1/T_i)^2/2 + sum_{i != j} T_i lam_i lam_j V_ij^2/2, V = u Q^T U Q.

Evidence. Both sides are computed as polynomials in traces of words (`_words`), the loss by pairing the places of each
Gaussian (Isserlis): no size enters. Beside (1) the network's own program runs at drawn weights.

Reference: Lemma 5.1, Lemma D.1, proof of Theorem 5.4.1 (Shi, Wei, Xu, Liang, ICML 2024).
"""

from __future__ import annotations

from fractions import Fraction

from theorycheck import (
    RationalNamespace,
    claim,
    formula_leg,
    instances,
    leg,
    rivals_of,
    typed,
    variant,
)

from ._attention import pretraining_loss
from ._moments import LAMBDA, NONE, D, K, P, Q, eigenvalue, gamma, ltilde, pretraining
from ._words import ONE, all_of, evaluated, every, letter, number, same, scalar, spectral
from .every_size_prediction import equal, other_blocks_do_not_enter, replies_alone, sum_of_replies

N, M, u, c = (scalar(name) for name in "NMuc")
U = letter("U")
LOSS = pretraining(LAMBDA, U, u, NONE, NONE, N)
"""L where the w21 blocks vanish."""


# ---- the quadratic form


def quadratic_form(constant=Fraction(1, 2), length=N):
    """L is ltilde(U, u) + tr(Lambda)/2."""
    stated = ltilde(LAMBDA, gamma(LAMBDA, length), U, u)
    return every("U", same(LOSS, stated + LAMBDA.trace() * constant))


def without_the_constant():
    return quadratic_form(constant=0)


def another_length():
    return quadratic_form(length=2 * N)


def product_alone(other=1):
    """L of (U, u) is that of (uU, 1), and so that of every pair with this product."""
    return every("U", same(LOSS, pretraining(LAMBDA, U * u, number(other), NONE, NONE, N)))


def another_product():
    return product_alone(other=2)


def draw(rng):
    """Two features: roots of the eigenvalues, weights, a length."""
    return {
        "s": [Fraction(int(rng.integers(1, 7)), 2) for _ in range(2)],
        "U": rng.rational((2, 2), 4),
        "u": Fraction(int(rng.integers(1, 9)), 3) * int(rng.signs()),
        "N": int(rng.integers(1, 9)),
    }


def by_network(s, U, u, N):
    """L by exact cubature of the moments of one example. Shape ()."""
    ns = RationalNamespace()
    root, zero = ns.diag(ns.asarray(s)), ns.zeros((len(s),))
    return pretraining_loss(
        ns, root, ns.asarray(U), ns.asarray(u), zero, zero, ns.asarray(N), free=False
    ).data[()]


def by_words(s, U, u, N):
    """The polynomial in traces at these matrices. Shape ()."""
    return evaluated(LOSS, {"d": len(s), "L": [x * x for x in s], "U": U, "u": u, "N": N})


def by_words_longer(s, U, u, N):
    return by_words(s, U, u, N + 1)


EVERY = "d Lambda N U u"
quadratic_loss_every_size = claim(
    "icl-loss-quadratic-form-every-size",
    lhs=r"L(\theta)",
    tex=r"\tilde\ell(uU,1)+\frac12\operatorname{tr}\Lambda",
    states="icl-loss-quadratic-form",
    title="The loss as a quadratic in $uU$, for matrices of every size",
    says=r"If $w_{21}^{PV}=w_{21}^{KQ}=0$ then $L=\tilde\ell(U,u)+\frac12\operatorname{tr}\Lambda$ for every size, "
    "covariance, length and all weights, and depends on $uU$ alone.",
    role="corrected",
    corrects="icl-loss-quadratic-form",
    covers="corrected-zero-blocks depends-on-product",
    domain={},
    grid={"smoke": [{}]},
    legs=[
        leg("quadratic form", quadratic_form, arithmetic="proof", over=EVERY),
        leg("product alone", product_alone, arithmetic="proof", over=f"{EVERY} U_prime u_prime"),
        leg("other blocks", other_blocks_do_not_enter, arithmetic="proof", over="blocks"),
        leg("replies", sum_of_replies, arithmetic="proof", over="blocks"),
        leg(
            "network",
            by_network,
            reference=by_words,
            required=False,
            instances=instances(draw, "s U u N", smoke=4, standard=12),
        ),
    ],
    rivals=[
        variant("C = 0", simulation=without_the_constant, leg="quadratic form"),
        variant("2 N for N", simulation=another_length, leg="quadratic form"),
        variant("twice the product", simulation=another_product, leg="product alone"),
        variant("without the query's own reply", simulation=replies_alone, leg="replies"),
        variant("N + 1 examples", reference=by_words_longer, leg="network"),
    ],
)


# ---- the completed square

S, C = spectral("S"), spectral("C")
LAM, GAMMA = S**2, C**2


def completed_square(half=Fraction(1, 2), right=False):
    """ltilde(U, u) - ltilde(Gamma^{-1}, 1) is half the squared norm. ``right``: Gamma^{1/2} on that side."""
    off = S * U * S * u - LAM * GAMMA**-1
    off = off * C if right else C * off
    lowest = ltilde(LAM, GAMMA, GAMMA**-1, number(1))
    return every("U", same(ltilde(LAM, GAMMA, U, u) - lowest, (off * off.T).trace() * half))


def without_the_half():
    return completed_square(half=1)


def root_on_the_right():
    return completed_square(right=True)


def minimum(factor=1, power=-1):
    """ltilde(c Gamma^{-1}, 1/c) is -tr(Lambda^2 Gamma^{-1})/2."""
    found = ltilde(LAM, GAMMA, GAMMA**-1 * c, c**-1 * factor)
    return same(found, -(LAM**2 * GAMMA**power).trace() / 2)


def all_minimisers(ranked=True, missed=True):
    """Where no eigenvalue is 0 (R for S), uU = Gamma^{-1} follows from u R U R = Lambda Gamma^{-1}; where P projects on
    eigenvectors of eigenvalue 0 (S = K S, K P = 0), Gamma^{-1} + P has the same square. ``ranked``, ``missed``: the
    factors R^{-1}, and K."""
    R = spectral("R")
    root = R**-1 if ranked else ONE
    singular = K * S if missed else S
    return all_of(
        equal(root * (R**2 * GAMMA**-1) * root, GAMMA**-1),
        equal(singular * (GAMMA**-1 + P) * singular, singular * GAMMA**-1 * singular),
    )


def not_divided():
    return all_minimisers(ranked=False)


def no_zero_eigenvalue():
    return all_minimisers(missed=False)


def twice_u():
    return minimum(factor=2)


def not_inverted():
    return minimum(power=1)


SPECTRUM = ["N in 1..oo", "t > 0 real", "l in [0, t]"]


def eigenvalues(over):
    """lam_i^2/T_i as it is stated, T_i read off the program `gamma`."""
    T_i = eigenvalue(gamma(D, N))
    stated = typed(f"l^2/({T_i}) == N*l^2/((N + 1)*l + t)", over=SPECTRUM)
    return formula_leg("eigenvalues of Gamma", stated, over=over)


EIGENVALUE = eigenvalues("d Lambda")
OF_GAMMA = {"N for N + 1": "l^2/((1 + 1/N)*l + t/N) == N*l^2/(N*l + t)"}

completed_every_size = claim(
    "icl-loss-completed-square-every-size",
    lhs=r"\tilde\ell(U,u)-\tilde\ell(\Gamma^{-1},1)",
    tex=r"\frac12\big\|\Gamma^{1/2}\big(u\,\Lambda^{1/2}U\Lambda^{1/2}-\Lambda\Gamma^{-1}\big)\big\|_F^2",
    states="icl-loss-completed-square",
    title="The completed square and the minimum, for matrices of every size",
    says=r"$\tilde\ell(U,u)=\frac12\|\Gamma^{1/2}(u\Lambda^{1/2}U\Lambda^{1/2}-\Lambda\Gamma^{-1})\|_F^2"
    r"-\frac12\sum_iN\lambda_i^2/((N+1)\lambda_i+\operatorname{tr}D)$, and the last is the value at "
    r"$(c\,\Gamma^{-1},1/c)$ for every $c\ne0$; these are all minimisers exactly if $\lambda_d>0$.",
    role="reading",
    covers="completed-square minimum-value minimisers",
    legs=[
        leg("square", completed_square, arithmetic="proof", over="d Lambda N U u"),
        leg("minimum", minimum, arithmetic="proof", over="d Lambda N c"),
        leg("all minimisers", all_minimisers, arithmetic="proof", over="d Lambda N c"),
        EIGENVALUE,
    ],
    rivals=[
        variant("without 1/2", simulation=without_the_half, leg="square"),
        variant("Gamma^{1/2} on the right", simulation=root_on_the_right, leg="square"),
        variant("u = 2/c", simulation=twice_u, leg="minimum"),
        variant("Gamma for its inverse", simulation=not_inverted, leg="minimum"),
        variant("S not divided out", simulation=not_divided, leg="all minimisers"),
        variant("P where no eigenvalue is 0", simulation=no_zero_eigenvalue, leg="all minimisers"),
        *rivals_of(EIGENVALUE, OF_GAMMA),
    ],
)


# ---- entry by entry

T = spectral("T")
"""Eigenvalues of Gamma."""


def entry_by_entry(crossed=1, half=Fraction(1, 2)):
    """The excess as two sums over V = u Q^T U Q. ``own``: sum_i T_i lam_i^2 V_ii^2, as much of the first sum
    as it is taken out of all pairs."""
    Lam, Gamma, V = Q * D * Q.T, Q * T * Q.T, Q.T * U * Q * u
    own = scalar("own")
    diagonal = own - 2 * (D**2 * V).trace() + (D**2 * T**-1).trace()
    pairs = (T * D * V * D * V.T).trace() - own
    lowest = -(D**2 * T**-1).trace() / 2
    return every("U", same(ltilde(Lam, Gamma, U, u) - lowest, (diagonal + pairs * crossed) * half))


def diagonal_alone():
    return entry_by_entry(crossed=0)


def as_in_the_sketch():
    return entry_by_entry(half=1)


entries_every_size = claim(
    "icl-excess-identity-every-size",
    lhs=r"\tilde\ell(U,u)-\min\tilde\ell",
    tex=r"\frac12\sum_iT_i\lambda_i^2(V_{ii}-1/T_i)^2+\frac12\sum_{i\ne j}T_i\lambda_i\lambda_jV_{ij}^2",
    states="icl-rank-r-optimum",
    title="The excess entry by entry, for matrices of every size",
    says=r"With $V=uQ^\top UQ$ and $T_i$ the eigenvalues of $\Gamma$ the excess is $\frac12\sum_iT_i\lambda_i^2"
    r"(V_{ii}-1/T_i)^2+\frac12\sum_{i\ne j}T_i\lambda_i\lambda_jV_{ij}^2$.",
    role="reading",
    covers="excess-identity",
    legs=[leg("entries", entry_by_entry, arithmetic="proof", over="d Lambda N U u")],
    rivals=[
        variant("diagonal terms only", simulation=diagonal_alone, leg="entries"),
        variant("without 1/2, as in the sketch", simulation=as_in_the_sketch, leg="entries"),
    ],
)
