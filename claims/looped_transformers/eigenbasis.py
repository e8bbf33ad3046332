"""The looped transformer in the eigenbasis of X^T X, for all sizes: exact errors, and the bounds that follow.

Setting. X^T X = V Lambda V^T with V orthogonal, the eigenvalues l_i on the diagonal of Lambda (the spectral theorem), m
and L the extreme ones, y = X theta*, theta* = V c. Query rows are -alpha V (c - P c), P diagonal.

Statements. (1) A loop with step eta leads from P to (1 - eta Lambda) P; q0 = 0 is P = I. So after T loops p_i =
product over t of 1 - eta_t l_i, a power where steps are equal. (2) The output has <TF, theta*> = alpha sum_i c_i
(c_i - p_i c_i). Together the error is alpha (|c|^2 - 1) - alpha sum_i c_i^2 p_i. (3) Steps in [0, 1/L] have 1 - eta
l_i in [0, 1], the step 1/L has them in [0, 1 - m/L]. So the error times alpha is at most 0, falls with T, and is at
most |alpha| (1 - 1/kappa)^T for a unit theta*, kappa = L/m, below |alpha| exp(-T/(2 kappa)).

The programs are those of `_models`, on letters for matrices of any size (`_blocks`); sums over i are typed. That both
speak of one thing is seen at sizes: there the model itself is held to the form that the typed legs end in.

Reference: Theorem 8.16 (arXiv 2410.11268); the exact error is ours. At sizes: `error_exact`, `error_along_loops`,
`error_bound`.
"""

from __future__ import annotations

from dataclasses import replace
from inspect import signature

import sympy as sp

from theorycheck import (
    at_most,
    claim,
    equals,
    formula_leg,
    instances,
    integers,
    leg,
    rivals_of,
    spectra,
    theorem,
    typed,
    variant,
    vectors,
)

from . import error_along_loops as sizes
from . import error_exact as equal_steps
from ._blocks import ONCE, Setting, same_for_all_sizes
from ._models import TaskPrompt, attention, initial_state, looped_transformer
from .error_exact import form

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

# ---- the model at sizes, held to what the legs end in: it may refute, and no proof waits for it


def beside(*legs, **changes):
    """These legs with ``changes``, needed by nothing."""
    return [replace(one, required=False, **changes) for one in legs]


def told(claim_at_sizes):
    """Its formula as it is set."""
    return {"lhs": claim_at_sizes.lhs, "tex": claim_at_sizes.tex}


UNIT_TASKS = {"domain": sizes.DOMAIN, "grid": sizes.GRID}
FULL_RANK = {**sizes.DOMAIN, sizes.lam: spectra(sizes.d, positive=True)}

# ---- the exact error

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
FORM = form()
SUM = "alpha*Sum(c[i]*(c[i] - (1 - eta*lam[i])^T*c[i]), (i, 1, d)) - alpha"
OVER_SUMS = ["d in 1..oo", "T in 0..oo", "alpha, eta in R", "c[i], lam[i] in R for i in 1..d"]
EXACT = formula_leg(
    "sum over the basis",
    typed(f"{SUM} == {FORM}", over=OVER_SUMS),
    lhs=r"\alpha\sum_ic_i(c_i-p_ic_i)-\alpha",
    tex=r"\alpha(\|\theta^*\|^2-1)-\alpha\sum_ic_i^2(1-\eta\lambda_i)^T",
)
exact_error = claim(
    "looped-error-exact-every-size",
    states="looped-error-exact",
    title="Exact prediction error, for all sizes",
    says=r"For every $X$, $\theta^*$, $\alpha$, $\eta$ and $T$ the error is $\alpha(\|\theta^*\|^2-1)-\alpha\sum_ic_i^2"
    r"(1-\eta\lambda_i)^T$.",
    role="derived",
    covers="exact-error",
    domain={**sizes.DOMAIN, sizes.c: vectors(sizes.d), sizes.T: integers(0)},
    grid={"smoke": [*sizes.ANY["smoke"], {**sizes.ANY["smoke"][-1], sizes.T: 0}]},
    relation=equals(),
    legs=[
        *network("X theta_star alpha eta T"),
        POWER,
        EXACT,
        *beside(*equal_steps.error_exact.legs, closed_form=FORM, **told(equal_steps.error_exact)),
    ],
    rivals=[
        *NETWORK_RIVALS,
        *rivals_of(
            POWER,
            {
                "from 0 on": {"where": ["p[0] == 0", *POWER.simulation.where[1:]]},
                "one factor more": "p[T] == (1 - eta*lam)^(T + 1)",
            },
        ),
        *rivals_of(
            EXACT,
            {
                "exponent 2T": f"{SUM} == {form(exponent=2 * sizes.T)}",
                "unit norm assumed": f"{SUM} == -alpha*Sum(c[i]^2*(1 - eta*lam[i])^T, (i, 1, d))",
                "c_i for its square": f"{SUM} == {form(power=1)}",
            },
        ),
    ],
)

OF_P = "alpha*Sum(c[i]*(c[i] - p[i]*c[i]), (i, 1, d)) - alpha"
VARYING = formula_leg(
    "sum over the basis",
    typed(
        f"{OF_P} == -alpha*Sum(c[i]^2*p[i], (i, 1, d))",
        over=["d in 1..oo", "alpha in R", "c[i], p[i] in R for i in 1..d"],
        where="Sum(c[i]^2, (i, 1, d)) == 1",
    ),
    lhs=r"\alpha\sum_ic_i(c_i-p_ic_i)-\alpha",
    tex=r"-\alpha\sum_ic_i^2p_i,\quad p_i=\prod_{t<T}(1-\eta^{(t)}\lambda_i)",
)
varying_steps = claim(
    "looped-error-variable-steps-every-size",
    states="looped-error-exact",
    title="Exact error with varying steps, for all sizes",
    says=r"For every $X$ and unit $\theta^*$, $\alpha$ and steps the error is $-\alpha\sum_ic_i^2p_i$ "
    r"with $p_i=1$ before the "
    r"first loop and one factor $1-\eta^{(t)}\lambda_i$ more for each: $p_i=\prod_{t<T}(1-\eta^{(t)}\lambda_i)$.",
    role="derived",
    covers="variable-steps",
    **UNIT_TASKS,
    relation=equals(),
    legs=[
        *network("X theta_star alpha eta"),
        VARYING,
        *beside(*sizes.variable_steps.legs, **told(sizes.variable_steps)),
    ],
    rivals=[
        *NETWORK_RIVALS,
        *rivals_of(
            VARYING,
            {
                "any norm": {"where": ()},
                "c_i for its square": f"{OF_P} == -alpha*Sum(c[i]*p[i], (i, 1, d))",
            },
        ),
    ],
)

# ---- its sign, and its fall with the loops

SUM_OF_POWERS = "Sum(c[i]^2*q[i]^{}, (i, 1, d))"
COORDINATES = ["d in 1..oo", "T in 0..oo", "c[i] in R for i in 1..d"]
SHORT_STEPS = formula_leg(
    "steps up to 1/L",
    typed(
        "0 <= 1 - eta*lam and 1 - eta*lam <= 1",
        over=["L in (0, oo)", "lam in [0, L]", "eta in [0, 1/L]"],
    ),
    lhs=r"1-\eta\lambda_i",
    tex=r"[0,1]",
)
BELOW = formula_leg(
    "below 0",
    typed(
        f"alpha*(-alpha*{SUM_OF_POWERS.format('T')}) <= 0",
        over=[*COORDINATES, "alpha in R", "q[i] in [0, 1] for i in 1..d"],
    ),
    lhs=r"-\alpha^2\sum_ic_i^2q_i^T",
    tex="0",
)
undershoot = claim(
    "looped-error-undershoot-every-size",
    states="looped-error-exact",
    title="The output never overshoots, for all sizes",
    says=r"For every $X$, unit $\theta^*$, $\alpha$, $\eta\in[0,1/L]$ and $T$ the error times $\alpha$ is at most 0.",
    role="derived",
    covers="undershoot",
    **UNIT_TASKS,
    relation=at_most(),
    legs=[
        *network("X theta_star alpha eta T"),
        leg(
            "no eigenvalue below 0",
            shown(energy, by_eigenvalues),
            arithmetic="proof",
            over="X",
            lemma=SPECTRAL,
            grid=ONCE,
        ),
        POWER,
        VARYING,
        SHORT_STEPS,
        BELOW,
        *beside(*sizes.undershoot.legs, closed_form=sp.Integer(0), **told(sizes.undershoot)),
    ],
    rivals=[
        *NETWORK_RIVALS,
        against("no eigenvalue below 0", "all 1", energy, length),
        *rivals_of(
            SHORT_STEPS, {"up to 2/L": {"over": ["L > 0", "lam in [0, L]", "eta in [0, 2/L]"]}}
        ),
        *rivals_of(
            BELOW,
            {"beyond 1/L": {"over": [*COORDINATES, "alpha in R", "q[i] in [-1, 1] for i in 1..d"]}},
        ),
        variant(
            "of any norm",
            leg="prompts",
            instances=sizes.SMALL,
            at=[{sizes.d: 2, sizes.lam: (4, 1), sizes.c: (2, -1), sizes.T: 4}],
        ),
    ],
)

# the step is 1/L, kappa = L/m, so that eigenvalues lie in [L/kappa, L]
INVERSE_STEP = formula_leg(
    "the step 1/L",
    typed(
        "0 <= 1 - lam/L and 1 - lam/L <= 1 - 1/kappa",
        over=["kappa in [1, oo)", "L in (0, oo)", "lam in [L/kappa, L]"],
    ),
    lhs=r"1-\lambda_i/L",
    tex=r"\Big[0,1-\frac1\kappa\Big]",
)
FALLING = formula_leg(
    "a loop more",
    typed(
        f"{SUM_OF_POWERS.format('(T + 1)')} <= {SUM_OF_POWERS.format('T')}",
        over=[*COORDINATES, "q[i] in [0, 1] for i in 1..d"],
    ),
    lhs=r"\sum_ic_i^2q_i^{T+1}",
    tex=r"\sum_ic_i^2q_i^T",
)
SIZES = formula_leg(
    "in absolute values",
    typed(
        "Abs(-alpha*less) <= Abs(-alpha*more)",
        over=["alpha in R", "more in [0, oo)", "less in [0, more]"],
    ),
    lhs=r"|-\alpha\,a|",
    tex=r"|-\alpha\,b|,\quad0\le a\le b",
)
falling = claim(
    "looped-error-falls-every-size",
    states="looped-error-bound",
    title="The error never grows with the loops, for all sizes",
    says=r"For every $X$ of full column rank, unit $\theta^*$ and $\alpha$, with step $1/L$ the error "
    r"after $T+1$ loops is at "
    r"most that after $T$.",
    role="derived",
    covers="monotone-in-loops",
    domain=FULL_RANK,
    grid={"smoke": [p for p in sizes.GRID["smoke"] if 0 not in p[sizes.lam]]},
    relation=at_most(),
    legs=[
        *network("X theta_star alpha"),
        POWER,
        VARYING,
        INVERSE_STEP,
        FALLING,
        SIZES,
        *beside(sizes.monotone.legs[0], **told(sizes.monotone)),
    ],
    rivals=[
        *NETWORK_RIVALS,
        *rivals_of(
            INVERSE_STEP,
            {
                "the step 2/L": "0 <= 1 - 2*lam/L and 1 - 2*lam/L <= 1 - 1/kappa",
                "1 - 2/kappa": "0 <= 1 - lam/L and 1 - lam/L <= 1 - 2/kappa",
            },
        ),
        *rivals_of(
            FALLING,
            {"beyond 1/L": {"over": [*COORDINATES, "q[i] in [-1, 1] for i in 1..d"]}},
        ),
        *rivals_of(SIZES, {"of any sign": {"over": ["alpha, more in R", "less in (-oo, more]"]}}),
    ],
)

# ---- the bounds

WEIGHTED = formula_leg(
    "the largest factor",
    typed(
        "Sum(c[i]^2*p[i], (i, 1, d)) <= B*Sum(c[i]^2, (i, 1, d)) and Sum(c[i]^2*p[i], (i, 1, d)) >= 0",
        over=[
            "d in 1..oo",
            "B in [0, 1]",
            "c[i] in R for i in 1..d",
            "p[i] in [0, B] for i in 1..d",
        ],
    ),
    lhs=r"\sum_ic_i^2p_i",
    tex=r"[0,\,B\,|c|^2],\quad0\le p_i\le B",
)
POWERS = formula_leg(
    "powers of it",
    typed(
        "0 <= q^T and q^T <= r^T",
        over=["T in 0..oo", "r in [0, 1]", "q in [0, r]"],
    ),
    lhs=r"q_i^T",
    tex=r"r^T,\quad r=1-\frac1\kappa",
)
MEASURE = formula_leg(
    "times alpha",
    typed(
        "Abs(-alpha*s) <= Abs(alpha)*B",
        over=["alpha in R", "B in [0, 1]", "s in [0, B]"],
    ),
    lhs=r"|-\alpha\,s|",
    tex=r"|\alpha|\,B,\quad0\le s\le B",
)
AT_THE_BOTTOM = formula_leg(
    "the lowest eigenvector",
    typed(
        "Abs(-alpha*(1 - lam/L)^T) == Abs(alpha)*(1 - 1/kappa)^T",
        over=["T in 1..oo", "alpha in R", "kappa in [1, oo)", "L in (0, oo)", "lam in [0, oo)"],
        where="lam*kappa == L",
    ),
    lhs=r"|-\alpha\,(1-\lambda_d/L)^T|",
    tex=r"|\alpha|\Big(1-\frac1\kappa\Big)^T",
)


def one_over_the_largest(rng, L, T):
    return [1 / L] * T


lam, c, T = sizes.lam, sizes.c, sizes.T
MODEL = {
    "domain": FULL_RANK,
    "grid": {
        "smoke": [
            {sizes.d: 2, lam: (4, 1), c: (0, 1), T: 3},
            {sizes.d: 2, lam: (10**4, 1), c: (0, 1), T: 3},
            {sizes.d: 3, lam: (5, 2, 1), c: sizes.UNIT[3], T: 6},
        ]
    },
    "relation": at_most(),
}
AT_SIZES = leg(
    "at sizes",
    sizes.loops,
    arithmetic="rational",
    lhs=r"|\hat\alpha_T-\alpha|",
    instances=instances(sizes.prompts(one_over_the_largest), TaskPrompt, smoke=2, standard=4),
)
KAPPA, SIZE = lam[1] / lam[sizes.d], sp.Abs(sizes.alpha)
BOUND_LEGS = [POWER, VARYING, INVERSE_STEP, POWERS, WEIGHTED, MEASURE]
BOUND_RIVALS = [
    *NETWORK_RIVALS,
    *rivals_of(INVERSE_STEP, {"1 - 2/kappa": "0 <= 1 - lam/L and 1 - lam/L <= 1 - 2/kappa"}),
    *rivals_of(POWERS, {"a power more": "0 <= q^T and q^T <= r^(T + 1)"}),
    *rivals_of(
        WEIGHTED,
        {"half of it": "Sum(c[i]^2*p[i], (i, 1, d)) <= B*Sum(c[i]^2, (i, 1, d))/2"},
    ),
    *rivals_of(MEASURE, {"for alpha = 1 alone": "Abs(-alpha*s) <= B"}),
]
sharp_form = claim(
    "looped-error-bound-sharp-every-size",
    states="looped-error-bound",
    title="The sharp form of the error bound, for all sizes",
    says=r"For every $X$ of full column rank, unit $\theta^*$, $\alpha$ and $T$, with step $1/L$ the error is at most "
    r"$|\alpha|(1-1/\kappa)^T$, which the lowest eigenvector attains.",
    role="derived",
    covers="sharp-form",
    **MODEL,
    legs=[
        *network("X theta_star alpha T"),
        *BOUND_LEGS,
        AT_THE_BOTTOM,
        *beside(
            AT_SIZES,
            closed_form=SIZE * (1 - 1 / KAPPA) ** T,
            tex=r"|\alpha|\Big(1-\frac1\kappa\Big)^T",
        ),
    ],
    rivals=[
        *BOUND_RIVALS,
        *rivals_of(
            AT_THE_BOTTOM,
            {"a loop more": "Abs(-alpha*(1 - lam/L)^T) == Abs(alpha)*(1 - 1/kappa)^(T + 1)"},
        ),
    ],
)
DECAY = formula_leg(
    "above the sharp form",
    typed(
        "(1 - 1/kappa)**T <= exp(-T/(2*kappa))",
        over=["kappa in [1, oo)", "T in 0..oo"],
        steps=["1 - 1/kappa <= exp(-1/kappa)"],
    ),
    lhs=r"\Big(1-\frac1\kappa\Big)^T",
    tex=r"e^{-T/(2\kappa)}",
)
bound = claim(
    "looped-error-bound-every-size",
    states="looped-error-bound",
    title="The error decays exponentially in the number of loops, for all sizes",
    says=r"For every $X$ of full column rank, unit $\theta^*$, $\alpha$ and $T$, with step $1/L$ the error is at most "
    r"$|\alpha|\exp(-T/(2\kappa))$.",
    role="reading",
    covers="bound-with-inverse-L-step",
    **MODEL,
    legs=[
        *network("X theta_star alpha T"),
        *BOUND_LEGS,
        DECAY,
        *beside(
            AT_SIZES, closed_form=SIZE * sp.exp(-T / (2 * KAPPA)), tex=r"|\alpha|\,e^{-T/(2\kappa)}"
        ),
    ],
    rivals=[
        *BOUND_RIVALS,
        *rivals_of(
            DECAY,
            {
                "exp(-1001T/(1000 kappa))": {
                    "says": "(1 - 1/kappa)**T <= exp(-1001*T/(1000*kappa))",
                    "steps": (),
                },
                "kappa of X": {
                    "says": "(1 - 1/kappa)**T <= exp(-T/(2*sqrt(kappa)))",
                    "steps": (),
                },
            },
        ),
    ],
)
