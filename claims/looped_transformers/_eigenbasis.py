"""The looped transformer in the eigenbasis of X^T X, on letters for matrices of any size: what its loops do.

Setting. X^T X = V Lambda V^T with V orthogonal, the eigenvalues l_i on the diagonal of Lambda (the spectral theorem),
y = X theta*, theta* = V c. Query rows are -alpha V (c - P c), P diagonal.

What is shown. A loop with step eta leads from P to (1 - eta Lambda) P; q0 = 0 is P = I. So after T loops p_i = product
over t of 1 - eta_t l_i, a power where steps are equal. The output has <TF, theta*> = alpha sum_i c_i (c_i - p_i c_i).

The programs are those of `_models`. What follows of the sums over i is typed in `error_exact_all_sizes` and
`error_bound_all_sizes`, where the model is run at sizes too, held to a side of what is typed. There it is told by the
factors q_i = 1 - eta l_i of a loop (`by_factors`).
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from inspect import signature

import sympy as sp

from theorycheck import (
    equals,
    formula_leg,
    instances,
    integers,
    leg,
    spectra,
    theorem,
    typed,
    variant,
    vectors,
)
from theorycheck.blocks.rational_matrices import apply, realizable, with_spectrum

from . import error_along_loops as sizes
from ._blocks import ONCE, Setting, same_for_all_sizes
from ._models import TaskPrompt, attention, initial_state, looped_transformer

# ---- the loops in the eigenbasis


def column(ns, A, v):
    """A v for A (B, k, d), v (B, d)."""
    return ns.matmul(A, ns.expand_dims(v, axis=-1))[:, :, 0]


def times(ns, number, vector):
    return ns.expand_dims(number, axis=-1) * vector


def state(ns, X, V, P, c, alpha):
    """[[X, X V c], [-alpha V (c - P c), alpha]]."""
    query = -times(ns, alpha, column(ns, V, c - column(ns, P, c)))
    return initial_state(ns, X, column(ns, X, column(ns, V, c)), query, alpha)


def one_loop(ns, X, V, Lambda, P, c, alpha, eta):
    """From that state. Shape (B, n+1, d+1)."""
    Z = state(ns, X, V, P, c, alpha)
    return Z - ns.reshape(eta[:, 0], (-1, 1, 1)) * attention(ns, Z)


def one_factor(ns, X, V, Lambda, P, c, alpha, eta):
    """The state of (1 - eta Lambda) P."""
    moved = P - ns.reshape(eta[:, 0], (-1, 1, 1)) * ns.matmul(Lambda, P)
    return state(ns, X, V, moved, c, alpha)


def twice_the_step(ns, X, V, Lambda, P, c, alpha, eta):
    return one_factor(ns, X, V, Lambda, P, c, alpha, 2 * eta)


def no_step(ns, X, V, Lambda, P, c, alpha, eta):
    return one_factor(ns, X, V, Lambda, P, c, alpha, 0 * eta)


def zero_query(ns, X, V, c, alpha):
    labels = column(ns, X, column(ns, V, c))
    return initial_state(ns, X, labels, 0 * c, alpha)


def identity_for_p(ns, X, V, c, alpha):
    """The state of P = I."""
    return state(ns, X, V, ns.eye(X.shape[2]) + 0 * V, c, alpha)


def nothing_for_p(ns, X, V, c, alpha):
    return state(ns, X, V, 0 * V, c, alpha)


def along_the_task(ns, X, V, P, c, alpha):
    """<TF, theta*> - alpha of the model from that state. Shape (B,)."""
    task = column(ns, V, c)
    query = -times(ns, alpha, column(ns, V, c - column(ns, P, c)))
    labels = column(ns, X, task)
    output = looped_transformer(ns, X, labels, query, alpha, times(ns, alpha, alpha), 0)
    return ns.sum(output * task, axis=-1) - alpha


def in_coordinates(ns, X, V, P, c, alpha):
    """alpha sum_i c_i (c_i - p_i c_i) - alpha."""
    return alpha * ns.sum(c * (c - column(ns, P, c)), axis=-1) - alpha


def without_alpha(ns, X, V, P, c, alpha):
    return ns.sum(c * (c - column(ns, P, c)), axis=-1) - alpha


def energy(ns, X, V, Lambda, u):
    """|X V u|^2. Shape (B,)."""
    moved = column(ns, X, column(ns, V, u))
    return ns.sum(moved * moved, axis=-1)


def by_eigenvalues(ns, X, V, Lambda, u):
    """sum_i l_i u_i^2."""
    return ns.sum(u * column(ns, Lambda, u), axis=-1)


def length(ns, X, V, Lambda, u):
    return ns.sum(u * u, axis=-1)


ROTATION = [["3/5", "-4/5"], ["4/5", "3/5"]]


def example(ns, s, p, **others):
    """X = diag(s) V^T and P = diag(p) in the plane, V a rotation."""
    V = ns.stack([ns.stack([ns.rational(*map(int, x.split("/"))) for x in r]) for r in ROTATION])
    V = V + 0 * ns.reshape(s[:, :1], (1, 1, 1))
    scale = ns.expand_dims(s, axis=-1)
    diagonal = ns.eye(2) * scale
    return {
        "X": scale * ns.matrix_transpose(V),
        "V": V,
        "Lambda": diagonal * scale,
        "P": ns.eye(2) * ns.expand_dims(p, axis=-1),
        **others,
    }


BASIS = {"X": ("n", "d"), "V": ("d", "d"), "Lambda": ("d", "d"), "P": ("d", "d"), "c": ("d",)}
BASIS |= {"alpha": (), "eta": ("1",)}
FREE = {"s": (1, 2), "p": (1, 2), "c": (1, 2), "u": (1, 2), "alpha": (1,), "eta": (1, 1)}


def shown(program, reference):
    """A proof leg's program: both programs take what they name."""
    names = list(signature(program).parameters)[1:]
    fields = {n: {**BASIS, "u": ("d",)}[n] for n in names}

    def made(ns, **free):
        return {n: x for n, x in example(ns, **free).items() if n in names}

    # V is orthogonal, X^T X = V Lambda V^T; that Lambda and P are diagonal is not used
    rules = {("X'", "X"): ("V", "Lambda", "V'"), ("V'", "V"): (), ("V", "V'"): ()}
    setting = Setting(rules, "Lambda P", (FREE, made))

    def proof():
        return same_for_all_sizes(program, reference, fields, setting)

    return proof


def against(of, name, program, reference):
    return variant(name, simulation=shown(program, reference), leg=of)


def network(over):
    """That <TF, theta*> - alpha is alpha sum_i c_i (c_i - p_i c_i) - alpha, for every X and theta* = V c."""
    # that V and Lambda are there is the theorem; what they do to the model is the proof
    how = {"arithmetic": "proof", "over": over, "lemma": SPECTRAL, "grid": ONCE}
    return [
        leg("before the loops", shown(zero_query, identity_for_p), **how),
        leg("one loop more", shown(one_loop, one_factor), **how),
        leg("along the task", shown(along_the_task, in_coordinates), **how),
    ]


SPECTRAL = theorem("spectral theorem", symmetric="X^T X")
NETWORK_RIVALS = [
    against("before the loops", "P = 0", zero_query, nothing_for_p),
    against("one loop more", "twice the step", one_loop, twice_the_step),
    against("one loop more", "no step", one_loop, no_step),
    against("along the task", "without alpha", along_the_task, without_alpha),
]

# ---- the power of equal steps

POWER = formula_leg(
    "equal steps",
    typed(
        "p[T] == (1 - eta*lam)^T",
        over=["T in 0..oo", "eta, lam in R", "p[t] in R for t in 0..oo"],
        where=["p[0] == 1", "p[t+1] == (1 - eta*lam)*p[t] for t in 0..oo"],
    ),
    lhs=r"p_i",
    tex=r"(1-\eta\lambda_i)^T",
)

# ---- the model at sizes, told by the factors of its loops: no proof waits for it

d, T = sizes.d, sizes.T
q, c = sp.IndexedBase("q"), sizes.c
i = sp.Symbol("i", integer=True)
FACTORS = {d: integers(1), q: spectra(d), c: vectors(d, unit=True), T: integers(0)}


def up_to_one(q):
    """Factors of steps in [0, 1/L]."""
    return max(q) <= 1


def largest_is_inverse(q):
    """Factors of the step 1/L, of X of full column rank."""
    return min(q) == 0 and max(q) < 1


def by_factors(rng, d, q, c, T):
    """X with eigenvalues (1 - q_i)/eta, so that its loops with step eta have the factors q_i, theta* = sum_i c_i e_i,
    alpha of both signs, q0 = 0. Where all factors are 1 the step is 0, and the eigenvalues are 1, .., d."""
    eta = Fraction(int(rng.integers(1, 9)), int(rng.integers(1, 5))) * any(x != 1 for x in q)
    lam = [(1 - Fraction(x)) / eta for x in q] if eta else range(1, d + 1)
    X, V = with_spectrum(rng, lam)
    theta_star = apply(V, [Fraction(x) for x in c])
    return TaskPrompt(
        X=X,
        y=realizable(X, theta_star),
        theta_star=theta_star,
        q0=[0] * d,
        alpha=int(rng.integers(1, 6) * rng.signs()),
        eta=[eta] * T,
    )


PROMPTS = instances(by_factors, TaskPrompt, smoke=2, standard=4)


def sum_of_powers(exponent=T, power=2):
    """sum_i c_i^2 q_i^T."""
    return sp.Sum(c[i] ** power * q[i] ** exponent, (i, 1, d))


def at_sizes(program, closed_form, **told):
    """A leg that runs it, held to this form."""
    return leg(
        "at sizes",
        program,
        closed_form=closed_form,
        relation=equals(),
        arithmetic="rational",
        instances=PROMPTS,
        required=False,
        **told,
    )


def beside(*legs, **changes):
    """These legs with ``changes``, needed by nothing."""
    return [replace(one, required=False, **changes) for one in legs]


def told(claim_at_sizes):
    """Its formula as it is set."""
    return {"lhs": claim_at_sizes.lhs, "tex": claim_at_sizes.tex}
