"""Proposition F.9: contrastive fine-tuning raises the weights of a task's private features.

Setting. r = 2s, unit variances; start W* = Q diag(1 on S, T^{-1/2} on each private coordinate). Minimise the
contrastive loss of task t over |W - W*|_F <= gamma, |W|_2 <= 1, ell convex and decreasing.

Statements. (1) Some optimum has 1 on S and sqrt(beta) = min(1, T^{-1/2} + gamma/sqrt(s)) on P_t, where s is r - s: of
another number of private coordinates it would be gamma/sqrt(r - s). (2) The factor sqrt(2 + 1/beta + beta) of the error
bound falls as beta rises to 1. (3) beta > 1/T for T >= 2, gamma > 0.

Proof of (1). The printed proof averages H = W^T W, but the ball is one of W. Averaging is not needed: by convexity of
ell the loss is at least that at diag(1, beta) less D_S (tr H_S - s) + D_P (tr H_P - beta s), D_S, D_P >= 0 (see
`mixture_weights`), and tr H_S <= s, tr H_P = |W_P|_F^2 <= (|W*_P|_F + gamma)^2 = s (T^{-1/2} + gamma/sqrt(s))^2 by the
triangle inequality, and <= s. (Averaging can be repaired, too: the least |W - W*|_F^2 over W^T W = H is the squared
Bures distance, tr H + tr H* - 2 tr (H*^{1/2} H H*^{1/2})^{1/2}, and 2 tr (..)^{1/2} is the least tr(Y H*) + tr(Y^{-1}
H) over Y > 0, so concave in H: the ball is a convex set of H.)

Reference: Proposition F.9, lines 2056-2058 and 9840-9892.
"""

from __future__ import annotations

import itertools
from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_least,
    at_most,
    attained,
    certificate,
    claim,
    equals,
    formula_leg,
    instances,
    integers,
    leg,
    minimises,
    reaching,
    reals,
    rivals_of,
    search,
    typed,
    variant,
)
from theorycheck.blocks.rational_matrices import rational_rows

from ._gaussian import gram, inverse_square_losses
from ._hinges import BELOW_RIVALS, below

s, T, t, d = sp.symbols("s T t d", integer=True, positive=True)
gamma, rate = sp.symbols("gamma rate", positive=True)


def start_weights(ns, s, T, times=1):
    """Diagonal of W*: 1 on S, T^{-1/2} on each private coordinate, ``times`` s a task. Shape (s + T times s,)."""
    private = ns.full((T * times * s,), 1 / ns.sqrt(ns.asarray(T)))
    return ns.concat([ns.ones((s,)), private], axis=0)


def loss_on_task(ns, W, s, T, t, rate):
    """E exp(-rate phi(x)^T phi(x^+)) on task t, from 1. W (B, k, n), shape (B,)."""
    return 1 / ns.sqrt(inverse_square_losses(ns, rate * gram(ns, W), s, s, T)[:, t - 1])


def straight(ns, s, T, t, gamma, rate, ahead=0):
    """The loss of task t (or one ``ahead``) where W_P moves from W*_P along itself by gamma, or as far as |W|_2 <= 1
    lets it. Shape ()."""
    first = s + (t - 1) * s
    start = start_weights(ns, s, T)
    own = start[first : first + s]
    stretched = ns.minimum(own + ns.asarray(gamma) * own / ns.norm(own, axis=-1), ns.ones((s,)))
    weights = ns.concat([start[:first], stretched, start[first + s :]], axis=0)
    seen = (t - 1 + ahead) % T + 1
    return loss_on_task(ns, ns.diag(weights)[None], s, T, seen, rate)[0]


def reachable(ns, s, T, t, gamma, rate, share=1):
    """The bound of the docstring from the determinants of the model at diag(1, beta), or diag(1, ``share`` beta), and
    beside it. Shape ()."""
    most = ns.minimum((ns.sqrt(ns.asarray(s) / T) + ns.asarray(gamma)) ** 2, ns.asarray(s))
    own = range(t * s, (t + 1) * s)
    size = s + T * s
    at = ns.stack(
        [
            ns.asarray(1) if i < s else share * most / s if i in own else ns.asarray(0)
            for i in range(size)
        ],
        axis=0,
    )
    tables = [ns.diag(at) + ns.diag(ns.one_hot(ns.indices([i]), size)[0]) for i in (0, t * s)]
    base, S, P = (
        inverse_square_losses(ns, rate * H[None], s, s, T)[0, t - 1] for H in (ns.diag(at), *tables)
    )
    D_S, D_P = ((moved / base - 1) / (2 * ns.sqrt(base)) for moved in (S, P))
    gained = ns.maximum(D_S, ns.asarray(0)) * s + ns.maximum(D_P, ns.asarray(0)) * most
    return 1 / ns.sqrt(base) - gained + D_S * s + D_P * share * most


def from_half_the_weight(ns, s, T, t, gamma, rate):
    """The bound from diag(1, beta/2), which is not the least loss. Shape ()."""
    return reachable(ns, s, T, t, gamma, rate, share=ns.rational(1, 2))


def for_another_task(ns, s, T, t, gamma, rate):
    """The same, of the loss of the next task. Shape ()."""
    return straight(ns, s, T, t, gamma, rate, ahead=1)


def not_moved(ns, s, T, t, gamma, rate):
    """The loss of W* itself, which is no bound. Shape ()."""
    return loss_on_task(ns, ns.diag(start_weights(ns, s, T))[None], s, T, t, rate)[0]


def within_reach(rng, s, T, gamma):
    """E with W* + theta (V - W*) in the ball: V orthogonal, theta <= gamma/(2 n) <= gamma/|V - W*|_F."""
    size = s + T * s
    return {
        "V": rational_rows(rng.orthogonal_rational(size)),
        "theta": min(Fraction(1), Fraction(gamma) / (2 * size)),
    }


def drawn(ns, V, theta, s, T, t, rate):
    start = ns.diag(start_weights(ns, s, T))
    return loss_on_task(ns, start + theta[:, None, None] * (V - start), s, T, t, rate)


def gap_to_diagonal(ns, V, theta, s, T, t, rate, sign=1):
    """The loss of the drawn W less that of the diagonal of W^T W. Shape (B,)."""
    start = ns.diag(start_weights(ns, s, T))
    W = start + theta[:, None, None] * (V - start)
    own = ns.diag(ns.sqrt(ns.diagonal(gram(ns, W))))
    return sign * (loss_on_task(ns, W, s, T, t, rate) - loss_on_task(ns, own, s, T, t, rate))


def gap_from_diagonal(ns, V, theta, s, T, t, rate):
    return gap_to_diagonal(ns, V, theta, s, T, t, rate, sign=-1)


def gram_of_V(ns, V, theta, s, T):
    """V^T V, whose eigenvalues are to be 1. Shape (B, n, n)."""
    return gram(ns, V)


def V_itself(ns, V, theta, s, T):
    return V


def ones(ns, V, theta, s, T):
    """I. Shape (B, n, n)."""
    return ns.broadcast_to(ns.eye(V.shape[1]), V.shape)


def norms_of_drawn(ns, V, theta, s, T, gamma):
    """The largest eigenvalue of W^T W, and |W - W*|_F. Shape (B, 2)."""
    start = ns.diag(start_weights(ns, s, T))
    step = theta[:, None, None] * (V - start)
    largest = ns.eigvalsh(gram(ns, start + step))[:, -1]
    return ns.stack([largest, ns.sqrt(ns.sum(step * step, axis=(1, 2)))], axis=1)


def twice_as_long(rng, s, T, gamma):
    """The same with 2 V, within the ball."""
    found = within_reach(rng, s, T, gamma)
    return {**found, "V": [[2 * x for x in row] for row in found["V"]]}


def norms_of_whole(ns, V, theta, s, T, gamma):
    """Of V itself, which is not in the ball."""
    return norms_of_drawn(ns, V, 1 + 0 * theta, s, T, gamma)


REACHED = instances(within_reach, "V theta", smoke=3, standard=8)
ROOT = sp.Min(1, 1 / sp.sqrt(T) + gamma / sp.sqrt(s))


def value(root):
    """Loss at weights 1 on S and ``root`` on P_t."""
    return ((1 + 2 * rate) * (1 + 2 * rate * root**2)) ** (-s / sp.Integer(2))


exponential = claim(
    "contrastive-finetune-exponential",
    lhs=r"\min_W\ \mathbb E_t\,e^{-\lambda\phi(x)^\top\phi(x^+)}",
    tex=r"((1+2\lambda)(1+2\lambda\beta))^{-s/2},\quad\sqrt\beta=\min(1,T^{-1/2}+\gamma/\sqrt s)",
    states="contrastive-finetune",
    title="Fine-tuning within a ball, for exponential losses",
    says=r"Over $\|W - W^*\|_F \le \gamma$, $\|W\|_2 \le 1$ the least loss of task $t$ for "
    r"$\ell(t) = e^{-ct}$, of every rate $c > 0$, is $((1 + 2c)(1 + 2c\beta))^{-s/2}$.",
    encodes="special-case",
    covers="sqrt-beta",
    reads={"ell": "rate"},
    domain={
        s: integers(1),
        T: integers(1),
        t: integers(1),
        gamma: reals(0, low_open=True),
        rate: reals(0, low_open=True),
    },
    where=sp.Le(t, T),
    grid={
        "smoke": [
            {s: 2, T: 2, t: 1, gamma: Fraction(3, 10), rate: 1},
            {s: 3, T: 3, t: 2, gamma: Fraction(2, 5), rate: 3},
            {s: 2, T: 4, t: 4, gamma: 5, rate: Fraction(1, 4)},
        ],
        "standard": [
            {s: a, T: b, t: b, gamma: g, rate: v}
            for a in (1, 2, 4)
            for b in (2, 3)
            for g, v in ((Fraction(1, 5), 2), (1, Fraction(1, 2)))
        ],
    },
    closed_form=value(ROOT),
    relation=minimises(),
    legs=[
        attained(straight, name="along W*", gives="W"),
        certificate(reachable),
        leg("bound from half the weight", from_half_the_weight, relation=at_most(), required=False),
        search(drawn, name="drawn W", instances=REACHED),
        leg(
            "the diagonal does better",
            gap_to_diagonal,
            relation=at_least(),
            closed_form=0 * s,
            unit=1,
            required=False,
            lhs=r"\mathrm{loss}(H)-\mathrm{loss}(\operatorname{diag}H)",
            tex="0",
            instances=REACHED,
        ),
        leg(
            "V is orthogonal",
            gram_of_V,
            arithmetic="rational",
            reference=ones,
            relation=equals(),
            required=False,
            lhs="V^T V",
            tex="I",
            instances=REACHED,
        ),
        leg(
            "within both norms",
            norms_of_drawn,
            relation=at_most(),
            closed_form=sp.Matrix([1, gamma]),
            required=False,
            lhs=r"(\|W\|_2^2,\ \|W-W^*\|_F)",
            tex=r"(1,\ \gamma)",
            instances=REACHED,
        ),
    ],
    rivals=[
        variant(
            "the loss of W* as a bound", simulation=not_moved, leg="bound from half the weight"
        ),
        variant(
            "the diagonal does worse", simulation=gap_from_diagonal, leg="the diagonal does better"
        ),
        variant(
            "2 V",
            leg="V is orthogonal",
            instances=instances(twice_as_long, "V theta", smoke=1),
        ),
        variant("all of the way", simulation=norms_of_whole, leg="within both norms"),
        variant("V = I", simulation=V_itself, leg="V is orthogonal"),
        variant(
            "a hundredth of the radius",
            closed_form=sp.Matrix([1, gamma / 100]),
            leg="within both norms",
        ),
        variant(
            "for another task",
            simulation=for_another_task,
            leg="along W*",
            at={s: [2], T: [4], t: [4], gamma: [5], rate: [Fraction(1, 4)]},
        ),
        variant("gamma/s", closed_form=value(sp.Min(1, 1 / sp.sqrt(T) + gamma / s))),
        variant("T^{-1/2} + gamma", closed_form=value(sp.Min(1, 1 / sp.sqrt(T) + gamma))),
        variant("without the cap", closed_form=value(1 / sp.sqrt(T) + gamma / sp.sqrt(s))),
    ],
)

SIZES = ["s in 1..oo", "T in 1..oo", "gamma in (0, oo)"]
UNCAPPED = "(1/sqrt(T) + gamma/sqrt(s))"
SQUARED = formula_leg(
    "triangle inequality, squared",
    typed("(sqrt(s/T) + gamma)**2 == s*(1/sqrt(T) + gamma/sqrt(s))**2", over=SIZES),
    over="s T gamma t ell",
)
TRIANGLE = formula_leg(
    "triangle inequality",
    typed(
        "a**2 + 2*a*b*c + b**2 <= (a + gamma)**2",
        over=["a in [0, oo)", "gamma in (0, oo)", "b in [0, gamma]", "c in [-1, 1]"],
    ),
)


def along_itself(s, T, gamma, t, ell):
    """W_P moves from W*_P along itself."""


FEASIBLE = formula_leg(
    "the optimum is in the ball",
    typed(
        f"sqrt(s)*({ROOT} - 1/sqrt(T)) <= sqrt(s)*({UNCAPPED} - 1/sqrt(T)) == gamma and {ROOT} <= 1",
        over=SIZES,
    ),
    gives="W",
    chosen_by=along_itself,
)


def norms_of_optimum(ns, s, T, gamma, capped=True, times=1):
    """The weight on P_t where W_P moves from W*_P along itself by gamma as far as |W|_2 <= 1 lets it, and with it W's
    spectral norm and |W - W*|_F. ``times``: r - s = times s. Shape (3,)."""
    start = start_weights(ns, s, T, times)
    own = start[s : s + times * s]
    moved = own + ns.asarray(gamma) * own / ns.norm(own, axis=-1)
    moved = ns.minimum(moved, ns.ones((times * s,))) if capped else moved
    largest = ns.max(ns.concat([start, moved], axis=0), axis=0)
    return ns.stack([moved[0], largest, ns.norm(moved - own, axis=-1)], axis=0)


def norms_of_thrice(ns, s, T, gamma):
    """Of 3 s private coordinates a task, r = 4s. Shape (3,)."""
    return norms_of_optimum(ns, s, T, gamma, times=3)


ROOT_OF_THRICE = ROOT.subs(s, 3 * s)


def norms_without_cap(ns, s, T, gamma):
    return norms_of_optimum(ns, s, T, gamma, capped=False)


every_loss = claim(
    "contrastive-finetune",
    title="Fine-tuning within a ball, for every convex decreasing loss",
    says=r"Each step of the chain: tangent of $\ell$, triangle inequality, and the optimum inside "
    "of the ball.",
    encodes="proxy",
    covers="sqrt-beta",
    domain={s: integers(1), T: integers(1), gamma: reals(0, low_open=True)},
    grid={
        "smoke": [
            {s: 2, T: 2, gamma: Fraction(1, 5)},
            {s: 3, T: 4, gamma: 5},
            {s: 1, T: 3, gamma: Fraction(1, 10)},
        ]
    },
    lhs=r"(\sqrt\beta,\ \|W\|_2,\ \|W-W^*\|_F)",
    tex=r"(\min(1,T^{-1/2}+\gamma/\sqrt s),\ 1,\ \sqrt s(\sqrt\beta-T^{-1/2}))",
    closed_form=sp.Matrix([ROOT, 1, sp.sqrt(s) * (ROOT - 1 / sp.sqrt(T))]),
    legs=[
        leg("norms of the optimum", norms_of_optimum, unit=1, required=False),
        leg(
            "three times as many private coordinates",
            norms_of_thrice,
            closed_form=sp.Matrix(
                [ROOT_OF_THRICE, 1, sp.sqrt(3 * s) * (ROOT_OF_THRICE - 1 / sp.sqrt(T))]
            ),
            unit=1,
            required=False,
            lhs=r"(\sqrt\beta,\ \|W\|_2,\ \|W-W^*\|_F),\quad r=4s",
            tex=r"(\min(1,T^{-1/2}+\gamma/\sqrt{r-s}),\ 1,\ \sqrt{r-s}(\sqrt\beta-T^{-1/2}))",
        ),
        SQUARED,
        TRIANGLE,
        FEASIBLE,
        below(),
    ],
    rivals=[
        variant("not capped", simulation=norms_without_cap, leg="norms of the optimum"),
        variant(
            "gamma/sqrt(s) where r = 4s",
            closed_form=sp.Matrix([ROOT, 1, sp.sqrt(3 * s) * (ROOT - 1 / sp.sqrt(T))]),
            leg="three times as many private coordinates",
        ),
        variant(
            "gamma/s for the weight",
            closed_form=sp.Matrix([sp.Min(1, 1 / sp.sqrt(T) + gamma / s), 1, gamma]),
            leg="norms of the optimum",
        ),
        variant(
            "gamma for the weight",
            closed_form=sp.Matrix([sp.Min(1, 1 / sp.sqrt(T) + gamma), 1, sp.sqrt(s) * gamma]),
            leg="norms of the optimum",
        ),
        *reaching(SQUARED, "s > 100 and T > 100 and gamma > 100"),
        *reaching(TRIANGLE, "a > 100 and b == gamma", "gamma > 100 and c == -1"),
        *reaching(FEASIBLE, "s > 100 and T > 100 and gamma > 100"),
        *rivals_of(SQUARED, {"gamma/s": "(sqrt(s/T) + gamma)**2 == s*(1/sqrt(T) + gamma/s)**2"}),
        *rivals_of(TRIANGLE, {"Pythagoras": "a**2 + 2*a*b*c + b**2 <= a**2 + gamma**2"}),
        *rivals_of(
            FEASIBLE,
            {
                "T^{-1/2} + gamma": "sqrt(s)*(Min(1, 1/sqrt(T) + gamma) - 1/sqrt(T)) <= gamma",
                "without the cap": f"sqrt(s)*({UNCAPPED} - 1/sqrt(T)) <= gamma and {UNCAPPED} <= 1",
            },
        ),
        *BELOW_RIVALS,
    ],
)


# ---- the Bures distance


def fidelity(ns, A, H):
    """tr (A^{1/2} H A^{1/2})^{1/2} for diagonal A = diag(a). A (B, d), H (B, d, d), shape (B,)."""
    root = ns.sqrt(A)
    inner = root[:, :, None] * H * root[:, None, :]
    return ns.sum(ns.sqrt(ns.eigvalsh(inner)), axis=1)


def at_midpoint(ns, A, H, K):
    """Fidelity at the midpoint of H and K less its mean. Shape (B,)."""
    return fidelity(ns, A, (H + K) / 2) - (fidelity(ns, A, H) + fidelity(ns, A, K)) / 2


def squares_at_midpoint(ns, A, H, K):
    """The same for tr H A H, which is convex."""

    def square(M):
        return ns.sum(M * A[:, None, :] * M, axis=(1, 2))

    return square((H + K) / 2) - (square(H) + square(K)) / 2


def two_matrices(rng, d):
    return {
        "A": [Fraction(int(rng.integers(1, 9)), 4) for _ in range(d)],
        "H": rng.positive_definite_rational([int(rng.integers(1, 9)) for _ in range(d)]),
        "K": rng.positive_definite_rational([int(rng.integers(1, 9)) for _ in range(d)]),
    }


def one_matrix(rng, d):
    """H = K, of which both sides are the same."""
    drawn = two_matrices(rng, d)
    return {**drawn, "K": drawn["H"]}


def commuting(rng, d):
    """Diagonal A and H with squares on the diagonal, and sum_i sqrt(A_i H_i)."""
    a, h = ([int(rng.integers(1, 6)) for _ in range(d)] for _ in range(2))
    H = [[h[i] ** 2 if i == j else 0 for j in range(d)] for i in range(d)]
    return {"A": [x * x for x in a], "H": H, "total": sum(x * y for x, y in zip(a, h, strict=True))}


def rotated(rng, d):
    """H = Q diag(h^2) Q^T and A = a^2 I on the first coordinates, b^2 and h^2 on the last one, and what they add up
    to."""
    first = max(d - 1, min(d, 2))
    Q = rational_rows(rng.orthogonal_rational(first))
    a, b, *h = (int(rng.integers(1, 6)) for _ in range(d + 2))
    H = [[0] * d for _ in range(d)]
    for i, j in itertools.product(range(first), repeat=2):
        H[i][j] = sum(Q[i][k] * h[k] ** 2 * Q[j][k] for k in range(first))
    for i in range(first, d):
        H[i][i] = h[i] ** 2
    roots = [a] * first + [b] * (d - first)
    total = sum(x * y for x, y in zip(roots, h, strict=True))
    return {"A": [x * x for x in roots], "H": H, "total": total}


def of_diagonal(ns, A, H):
    """sum_i sqrt(A_i H_ii), which is the fidelity of diagonal matrices only. Shape (B,)."""
    return ns.sum(ns.sqrt(A * ns.diagonal(H)), axis=1)


total = sp.Symbol("total", positive=True)
VARIATION = formula_leg(
    "one dimension",
    typed("sqrt(a*h) <= (y*a + h/y)/2", over=["a in (0, oo)", "h in [0, oo)", "y in (0, oo)"]),
)

bures = claim(
    "contrastive-bures-convex",
    lhs=r"F(\tfrac{H+K}2)-\tfrac{F(H)+F(K)}2",
    states="contrastive-finetune",
    title="The squared Bures distance is convex",
    says=r"$\mathrm{tr}\,(A^{1/2} H A^{1/2})^{1/2}$ is concave in $H$, a least value of functions "
    "that are linear in $H$.",
    role="derived",
    domain={d: integers(1)},
    grid={"smoke": {d: [2, 3]}, "standard": {d: [1, 2, 4]}},
    closed_form=sp.Integer(0),
    relation=at_least(),
    legs=[
        leg(
            "diagonal matrices",
            fidelity,
            relation=equals(),
            closed_form=total,
            required=False,
            lhs="F(H)",
            tex=r"\sum_i\sqrt{A_iH_i}",
            instances=instances(commuting, "A H total", smoke=2),
        ),
        leg(
            "rotated matrices",
            fidelity,
            relation=equals(),
            closed_form=total,
            required=False,
            lhs="F(H)",
            tex=r"\sum_ia_ih_i",
            instances=instances(rotated, "A H total", smoke=2),
        ),
        leg(
            "midpoints",
            at_midpoint,
            instances=instances(two_matrices, "A H K", smoke=3, standard=8),
        ),
        leg(
            "one matrix twice",
            at_midpoint,
            unit=1,
            instances=instances(one_matrix, "A H K", smoke=2),
        ),
        VARIATION,
    ],
    rivals=[
        variant("its square", closed_form=total**2, leg="diagonal matrices"),
        *reaching(VARIATION, "a > 100 and h > 100 and y > 100"),
        variant("of the diagonals", simulation=of_diagonal, leg="rotated matrices"),
        variant("by 1/10", closed_form=sp.Rational(1, 10), leg="midpoints"),
        variant("by 1/10^6", closed_form=sp.Rational(1, 10**6), leg="one matrix twice"),
        variant("tr H A H", simulation=squares_at_midpoint, leg="midpoints"),
        *rivals_of(VARIATION, {"without 1/2 of y a": "sqrt(a*h) <= y*a/4 + h/(2*y)"}),
    ],
)
