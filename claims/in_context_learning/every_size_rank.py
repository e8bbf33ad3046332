"""Theorem 5.4.1 and its network form for matrices of every size.

Setting. As in `rank_r_optimum` and `full_theta`: Lambda = Q D Q^T, Gamma = Q T Q^T, T_i = (1 + 1/N) lam_i + tr D/N; K
projects on the first r coordinates.

Statements. (1) ltilde(U, u) = |W - H|^2/2 - |H|^2/2 with W = u Gamma^{1/2} Lambda^{1/2} U Lambda^{1/2}, of rank at most
that of U, and H = Gamma^{-1/2} Lambda. The squared singular values of H, lam_i^2/T_i, rise with lam_i, so by Eckart and
Young ltilde is at least minus half the sum of the first r. (c Q K T^{-1} Q^T, 1/c) has that value, which is also
Gamma^{-1} cut to the first r eigenvectors. (2) L - tr(Lambda)/2 = ltilde(uU + ab^T, 1) + E(even^2)/2, even the part of
yhat that does not change with the sign of w. As uU + ab^T = (u 1, a) (U; b^T) has a rank of at most that of the block,
(1) bounds L where the rank of the block is bounded; a = b = 0 reaches it. (3) At U = 0 the rank is at most 1; u = 0, a
= Q e_1, b = Q e_1/T_1 reaches the bound.

Evidence. Identities in words (`_words`) for every size; the theorem of Eckart and Young is named.

Reference: Theorem 5.4.1, derived from Lemma 5.1 (Shi, Wei, Xu, Liang, ICML 2024).
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    RationalNamespace,
    claim,
    equals,
    formula_leg,
    instances,
    leg,
    rivals_of,
    theorem,
    typed,
    variant,
)

from . import rank_r_optimum as sizes
from ._attention import pretraining_loss
from ._conditions import entries
from ._moments import IN_BASIS, LAMBDA, NONE, D, K, Q, gamma, ltilde, pretraining
from ._words import (
    ONCE,
    ONE,
    all_of,
    evaluated,
    every,
    letter,
    number,
    opened,
    same,
    scalar,
    spectral,
    vector,
)
from .every_size_loss import OF_GAMMA, eigenvalues
from .every_size_prediction import equal, times
from .rank_r_optimum import (
    ANY,
    POINTS,
    SAMPLE,
    construction,
    d,
    eckart_young,
    i,
    lam,
    r,
    truncated,
)

N, u, c = (scalar(name) for name in "Nuc")
U = letter("U")
S, C, T = (spectral(name) for name in "SCT")
LOW_RANK = theorem("Eckart-Young", invariant="the Frobenius norm")


# ---- the bound, and what reaches it


def bounded(half=Fraction(1, 2), power=-1):
    """ltilde(U, u) is half of |W - H|^2 less half of |H|^2. S^2 = Lambda, C^2 = Gamma."""
    W, H = C * S * U * S * u, C**power * S**2
    stated = ((W - H) * (W - H).T).trace() - (H * H.T).trace()
    return every("U", same(ltilde(S**2, C**2, U, u), stated * half))


def without_the_half():
    return bounded(half=1)


def another_target():
    return bounded(power=1)


def at_the_family(spectrum=D, inverse=None, factor=1):
    """ltilde(c Q K T^{-1} Q^T, 1/c) is minus half the sum of lam_i^2/T_i over the first r, and so it is for Gamma^{-1}
    cut to the first r eigenvectors, which is the same matrix."""
    inverse = T**-1 if inverse is None else inverse
    Lam, Gamma = Q * spectrum * Q.T, Q * T * Q.T
    value = -(K * spectrum**2 * T**-1).trace() / 2
    printed, cut = Q * K * inverse * Q.T, Q * inverse * Q.T * (Q * K * Q.T)
    return all_of(*(same(ltilde(Lam, Gamma, U * c, c**-1 * factor), value) for U in (printed, cut)))


def without_the_trace():
    positive = spectral("R")
    return at_the_family(positive, inverse=positive**-1)


def twice_u():
    return at_the_family(factor=2)


SQUARES = formula_leg(
    "order of the squares",
    typed(
        "N*x^2/((N + 1)*x + t) <= N*y^2/((N + 1)*y + t)",
        over=["N in 1..oo", "t > 0 real", "y in [0, t]", "x in [0, y]"],
    ),
    over="d Lambda r",
)
VALUES = eigenvalues("d Lambda r")
OF_VALUES = [
    *rivals_of(
        SQUARES,
        {
            "the other order": "N*x^2/((N + 1)*x + t) >= N*y^2/((N + 1)*y + t)",
            "strictly": "N*x^2/((N + 1)*x + t) < N*y^2/((N + 1)*y + t)",
        },
    ),
    *rivals_of(VALUES, OF_GAMMA),
]
BOUND = [
    variant("without 1/2", simulation=without_the_half, leg="bound"),
    variant("Gamma^{1/2} Lambda as the target", simulation=another_target, leg="bound"),
]

# The terms together, T_i as in `VALUES`; the model runs beside, from Lambda to the value.
t, length = sp.symbols("t", positive=True), sizes.N
TERM = length * lam[i] ** 2 / ((length + 1) * lam[i] + t)


SHORT = length * lam[i] ** 2 / (length * lam[i] + t)
ATTAINED = "minimum-value printed-family-attains"


def value(term=TERM, top=r):
    """Minus half the sum of the kept terms, t = tr D."""
    return -sp.Sum(term, (i, 1, top)) / 2


SUMMED = formula_leg(
    "terms together",
    typed(
        f"-Sum(lam[i]**2/((1 + 1/N)*lam[i] + t/N), (i, 1, r))/2 == {value()}",
        over=["N in 1..oo", "t > 0 real", "r in 0..oo", "lam[i] in [0, t] for i in 1..r"],
    ),
    over="d Lambda",
)


def with_trace(of):
    """The value of a program of `rank_r_optimum`, and tr D."""

    def simulation(ns, Q, c, lam, N, r):
        value = of(ns, Q, c, lam, N, r)
        return {"value": value, "t": ns.asarray(Fraction(sum(lam))) + 0 * value}

    return simulation


def eckart_young_alone(ns, Q, c, lam, N, r):
    return eckart_young(ns, Q, lam, N, r)


def beside(name, of, arithmetic="rational", **pays):
    return leg(
        name,
        with_trace(of),
        closed_form=value(),
        relation=equals(),
        arithmetic=arithmetic,
        instances=SAMPLE,
        observed=[t],
        required=False,
        lhs=r"\tilde\ell(U,u)",
        tex=r"-\frac12\sum_{i=1}^{r}\frac{N\lambda_i^2}{(N+1)\lambda_i+\operatorname{tr}D}",
        **pays,
    )


rank_r_every_size = claim(
    "icl-rank-r-optimum-every-size",
    lhs=r"\tilde\ell(U,u)",
    tex=r"-\frac12\sum_{i=1}^{r}\frac{N\lambda_i^2}{(N+1)\lambda_i+\operatorname{tr}D}",
    states="icl-rank-r-optimum",
    title="Rank-r optimum of the linear-attention loss, at every size",
    says=r"For every size, spectrum, length and rank the minimum of $\tilde\ell$ over $\operatorname{rank}(U)\le r$ "
    r"and real $u$ is $-\frac12\sum_{i\le r}N\lambda_i^2/((N+1)\lambda_i+\operatorname{tr}D)$; the printed family, "
    r"$\Gamma^{-1}$ cut to the first $r$ eigenvectors, attains it.",
    role="reading",
    covers="minimum-value printed-family-attains truncation-of-full-rank no-better-pair",
    reads=ANY,
    domain=sizes.SETTING,
    where=[entries, r <= d],
    grid={"smoke": POINTS["smoke"]},
    legs=[
        leg(
            "bound", bounded, arithmetic="proof", over="d Lambda N r U u", lemma=LOW_RANK, grid=ONCE
        ),
        leg("family", at_the_family, arithmetic="proof", over="d Lambda N r c", grid=ONCE),
        SQUARES,
        VALUES,
        SUMMED,
        beside("printed family", construction, covers=ATTAINED),
        beside("full rank, cut off", truncated, covers="truncation-of-full-rank"),
        beside(
            "singular values",
            eckart_young_alone,
            arithmetic="ball",
            covers="minimum-value no-better-pair",
        ),
    ],
    rivals=[
        *BOUND,
        variant("one rank more", closed_form=value(top=r + 1), leg="printed family"),
        variant("value without 1/2", closed_form=2 * value(), leg="full rank, cut off"),
        variant("N for N + 1, attained", closed_form=value(SHORT), leg="printed family"),
        variant("N for N + 1, bound", closed_form=value(SHORT), leg="singular values"),
        *rivals_of(SUMMED, {"N for N + 1, together": f"{value()} == {value(SHORT)}"}),
        variant("v = 1/lam", simulation=without_the_trace, leg="family"),
        variant("u = 2/c", simulation=twice_u, leg="family"),
        *OF_VALUES,
    ],
)


# ---- all of theta

a, b = letter("a"), letter("b")
A, B = vector("a"), vector("b")
LOSS = pretraining(LAMBDA, U, u, A, B, N)
EVEN = pretraining(LAMBDA, U, u, A, B, N, even=True)


def odd_and_even(weight=1, block=1):
    """L - tr(Lambda)/2 is ltilde(uU + ab^T, 1) + E(even^2)/2."""
    odd = ltilde(LAMBDA, gamma(LAMBDA, N), U * u + a * b.T * block, number(1))
    stated = opened(odd, "a", "b") + LAMBDA.trace() / 2 + EVEN * weight
    return every("U", same(LOSS, stated))


def odd_alone(u=0):
    """E(even^2)/2 is 0 at U = 0, u = 0, whatever a and b are."""
    return same(pretraining(LAMBDA, ONE * 0, number(u), A, B, N, even=True), number(0))


def with_labels():
    return odd_alone(u=1)


def twice_the_even_part():
    return odd_and_even(weight=2)


def without_a_and_b():
    return odd_and_even(block=0)


def draw(rng):
    """One feature: everything that the loss depends on."""
    u, s = Fraction(int(rng.integers(1, 7)), 3), Fraction(int(rng.integers(1, 7)), 2)
    return {
        "s": [s],
        "U": rng.rational((1, 1), 4),
        "u": u * int(rng.signs()),
        "a": rng.rational((1,), 4),
        "b": rng.rational((1,), 4),
        "N": int(rng.integers(1, 9)),
    }


def by_network(s, U, u, a, b, N):
    """L by exact cubature of the moments of one example. Shape ()."""
    ns = RationalNamespace()
    given = (ns.asarray(x) for x in (U, u, a, b, N))
    return pretraining_loss(ns, ns.diag(ns.asarray(s)), *given).data[()]


def by_words(s, U, u, a, b, N):
    """The polynomial in traces and forms at these matrices. Shape ()."""
    values = {"d": len(s), "L": [x * x for x in s], "U": U, "u": u, "a": a, "b": b, "N": N}
    return evaluated(LOSS, values)


def by_words_twice(s, U, u, a, b, N):
    return by_words(s, U, u, [2 * x for x in a], b, N)


ODD = leg("odd and even", odd_and_even, arithmetic="proof", over="d Lambda N theta")
odd_part_every_size = claim(
    "icl-rank-r-full-theta-every-size",
    lhs=r"L(\theta)-\frac12\operatorname{tr}\Lambda",
    tex=r"\tilde\ell(uU+ab^\top,1)+\frac12\,\mathbb{E}\,\text{even}^2",
    states="icl-rank-r-full-theta",
    title="The even part of the prediction only adds to the loss, at every size",
    says=r"For every size, covariance, length and all $\theta$, $L-\frac12\operatorname{tr}\Lambda="
    r"\tilde\ell(uU+ab^\top,1)+\frac12\mathbb{E}[\text{even}^2]$, the second at least 0, and 0 at $U=0$, $u=0$.",
    role="derived",
    covers="odd-part-bound",
    domain={},
    grid={"smoke": [{}]},
    legs=[
        ODD,
        leg("odd alone", odd_alone, arithmetic="proof", over="d Lambda N"),
        leg(
            "network",
            by_network,
            reference=by_words,
            required=False,
            instances=instances(draw, "s U u a b N", smoke=4, standard=12),
        ),
    ],
    rivals=[
        variant("twice the even part", simulation=twice_the_even_part, leg="odd and even"),
        variant("u = 1", simulation=with_labels, leg="odd alone"),
        variant("ltilde(uU, 1)", simulation=without_a_and_b, leg="odd and even"),
        variant("2 a for a", reference=by_words_twice, leg="network"),
    ],
)


def factors(scale=None):
    """(u 1, a) (U; b^T) is uU + ab^T: its rank is at most that of the block."""
    left = [[ONE * (u if scale is None else scale), a]]
    return equal(times(left, [[U], [b.T]])[0][0], U * u + a * b.T)


def without_u():
    return factors(scale=1)


def printed_network(factor=1):
    """L at a = b = 0 and the printed family is tr(D)/2 less half the sum of lam_i^2/T_i."""
    V = spectral("V")
    found = pretraining(IN_BASIS, Q * K * V * Q.T * c, c**-1 * factor, NONE, NONE, N)
    value = (K * D**2 * V**2 * gamma(D, N)).trace() / 2 - (K * D**2 * V).trace()
    closed = (K * D**2 * T**-2 * T).trace() / 2 - (K * D**2 * T**-1).trace()
    return all_of(same(found, value + D.trace() / 2), same(closed, -(K * D**2 * T**-1).trace() / 2))


def printed_network_twice():
    return printed_network(factor=2)


stacked_every_size = claim(
    "icl-rank-r-full-theta-stacked-every-size",
    lhs=r"L(\theta)-\frac12\operatorname{tr}\Lambda",
    tex=r"-\frac12\sum_{i=1}^{r}\frac{N\lambda_i^2}{(N+1)\lambda_i+\operatorname{tr}D}",
    states="icl-rank-r-full-theta",
    title="The optimum where the rank of the key-query block is bounded, at every size",
    says=r"For every size, if $(U; b^\top)$ has rank at most $r$, the least $L - \operatorname{tr}(\Lambda)/2$ over "
    "all other parameters is the printed rank-r value.",
    role="derived",
    covers="stacked-block-optimum",
    legs=[
        ODD,
        leg("factors", factors, arithmetic="proof", over="theta"),
        leg("bound", bounded, arithmetic="proof", over="d Lambda N r theta", lemma=LOW_RANK),
        leg("printed network", printed_network, arithmetic="proof", over="d Lambda N r"),
        SQUARES,
        VALUES,
    ],
    rivals=[
        variant("twice the even part", simulation=twice_the_even_part, leg="odd and even"),
        variant("U without u", simulation=without_u, leg="factors"),
        *BOUND,
        variant("u = 2/c", simulation=printed_network_twice, leg="printed network"),
        *OF_VALUES,
    ],
)


# ---- U = 0


def at_one_direction(factor=1, u=0):
    """L - tr(D)/2 at U = 0, u = 0, a = Q e, b = v Q e, e the first axis: v^2 l^2 T_1/2 - v l^2. l is lam_1."""
    v, l1 = scalar("v"), scalar("l")
    a = Q * vector("e")
    found = pretraining(IN_BASIS, ONE * 0, number(u), a, a * v * factor, N)

    def on_the_axis(atom, power):
        """e^T D^k e = lam_1^k."""
        if isinstance(atom, str) or atom[0] != "form":
            return None
        return l1 ** (power * sum(n for element in atom[2] for _, n in element))

    T1 = l1 * (1 + N**-1) + D.trace() / N
    stated = v**2 * l1**2 * T1 / 2 - v * l1**2
    return same(found.replaced(on_the_axis), stated + D.trace() / 2)


def twice_b():
    return at_one_direction(factor=2)


def with_u():
    return at_one_direction(u=1)


FIRST = formula_leg(
    "value at the first direction",
    typed(
        "T*l^2*(1/T)^2/2 - l^2/T == -l^2/(2*T)",
        over=["N in 1..oo", "t > 0 real", "l in [0, t]", "T > 0 real"],
    ),
    over="d Lambda",
)
FIRST_VALUE = eigenvalues("d Lambda")
SQUARES_OF_ONE = formula_leg("order of the squares", SQUARES.simulation, over="d Lambda")
rank_zero_every_size = claim(
    "icl-rank-r-full-theta-rank-0-every-size",
    lhs=r"L(\theta)-\frac12\operatorname{tr}\Lambda",
    tex=r"-\frac12\,\frac{N\lambda_1^2}{(N+1)\lambda_1+\operatorname{tr}D}",
    states="icl-rank-r-full-theta",
    title="A constraint on $U$ alone does not bind, at every size",
    says="For every size, with $U=0$ and free $w_{21}$ blocks the least loss is the rank-1 optimum "
    r"$-\frac12N\lambda_1^2/((N+1)\lambda_1+\operatorname{tr}D)$.",
    role="derived",
    covers="rank-zero-exact",
    legs=[
        leg("odd and even", odd_and_even, arithmetic="proof", over="d Lambda N u a b"),
        leg("bound", bounded, arithmetic="proof", over="d Lambda N u a b", lemma=LOW_RANK),
        leg("one direction", at_one_direction, arithmetic="proof", over="d Lambda N"),
        FIRST,
        FIRST_VALUE,
        SQUARES_OF_ONE,
    ],
    rivals=[
        variant("twice the even part", simulation=twice_the_even_part, leg="odd and even"),
        *BOUND,
        variant("2 b for b", simulation=twice_b, leg="one direction"),
        variant("u = 1", simulation=with_u, leg="one direction"),
        *rivals_of(FIRST, {"twice the value": "T*l^2*(1/T)^2/2 - l^2/T == -l^2/T"}),
        *rivals_of(FIRST_VALUE, OF_GAMMA),
        *rivals_of(
            SQUARES_OF_ONE,
            {"the other order": "N*x^2/((N + 1)*x + t) >= N*y^2/((N + 1)*y + t)"},
        ),
    ],
)
