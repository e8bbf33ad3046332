"""The exact prediction error of the looped transformer, for all sizes, and its sign.

Setting. As in `_eigenbasis`: y = X theta*, X^T X = V Lambda V^T, theta* = V c, and after T loops <TF, theta*> = alpha
sum_i c_i (c_i - p_i c_i), p_i = product over t of 1 - eta_t l_i.

Statements. (1) The error is alpha (|c|^2 - 1) - alpha sum_i c_i^2 p_i, with p_i = (1 - eta l_i)^T where steps are
equal. (2) Steps in [0, 1/L] have factors q_i = 1 - eta l_i in [0, 1]; so for a unit theta* the error times alpha,
-alpha^2 sum_i c_i^2 q_i^T, is at most 0.

The model itself is run at sizes, and held to what the last formula of each says.

Reference: beside Theorem 8.16 (arXiv 2410.11268); ours. At sizes: `error_exact`, `error_along_loops`.
"""

from __future__ import annotations

from fractions import Fraction

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
    steps,
    typed,
    variant,
    vectors,
)
from theorycheck.blocks.rational_matrices import apply, realizable, with_spectrum

from . import error_along_loops as sizes
from . import error_exact as equal_steps
from ._blocks import ONCE
from ._eigenbasis import (
    FACTORS,
    NETWORK_RIVALS,
    POWER,
    SPECTRAL,
    T,
    against,
    at_sizes,
    beside,
    by_eigenvalues,
    c,
    d,
    energy,
    i,
    length,
    network,
    q,
    shown,
    sum_of_powers,
    told,
    up_to_one,
)
from ._models import looped_transformer
from .error_exact import alpha, form

# ---- equal steps

FORM = form()
SUM = "alpha*Sum(c[i]*(c[i] - (1 - eta*lam[i])^T*c[i]), (i, 1, d)) - alpha"
EXACT = formula_leg(
    "sum over the basis",
    typed(
        f"{SUM} == {FORM}",
        over=["d in 1..oo", "T in 0..oo", "alpha, eta in R", "c[i], lam[i] in R for i in 1..d"],
    ),
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

# ---- varying steps: p_i is the product over the loops of 1 - eta_t l_i

lam, eta, p = (sp.IndexedBase(name) for name in ("lam", "eta", "p"))


def products(lam, eta):
    """Of 1 - eta_t l_i over t, one for each i."""
    found = [Fraction(1)] * len(lam)
    for step in eta:
        found = [x * (1 - Fraction(step) * value) for x, value in zip(found, lam, strict=True)]
    return found


def p_are_the_products(lam, eta, p):
    return list(p) == products(lam, eta)


def with_steps(lam, c, eta):
    """A point of the claim."""
    return {d: len(lam), sp.IndexedBase("lam"): lam, sizes.c: c} | {
        sp.IndexedBase("eta"): eta,
        sp.IndexedBase("p"): tuple(products(lam, eta)),
    }


def realisable(rng, d, lam, c):
    """X with spectrum lam, theta* = sum_i c_i e_i, alpha of both signs, q0 = 0."""
    X, V = with_spectrum(rng, lam)
    theta_star = apply(V, [Fraction(x) for x in c])
    return {
        "X": X,
        "y": realizable(X, theta_star),
        "theta_star": theta_star,
        "q0": [0] * d,
        "alpha": int(rng.integers(1, 6) * rng.signs()),
    }


def error(ns, X, y, theta_star, q0, alpha, eta):
    """<TF, theta*> - alpha of the looped transformer, a loop for each entry of eta. Shape (B,)."""
    every = ns.expand_dims(0 * alpha, axis=-1) + ns.asarray(list(eta))
    output = looped_transformer(ns, X, y, q0, alpha, every, len(eta))
    return ns.sum(output * theta_star, axis=-1) - alpha


def the_first_step_throughout(ns, X, y, theta_star, q0, alpha, eta):
    return error(ns, X, y, theta_star, q0, alpha, [eta[0]] * len(eta))


def from_another_query(ns, X, y, theta_star, q0, alpha, eta):
    return error(ns, X, y, theta_star, q0 + theta_star, alpha, eta)


def varying_form(power=2):
    """-alpha sum_i c_i^2 p_i."""
    return -alpha * sp.Sum(c[i] ** power * p[i], (i, 1, d))


OF_P = "alpha*Sum(c[i]*(c[i] - p[i]*c[i]), (i, 1, d)) - alpha"
VARYING = formula_leg(
    "sum over the basis",
    typed(
        f"{OF_P} == {varying_form()}",
        over=["d in 1..oo", "alpha in R", "c[i], p[i] in R for i in 1..d"],
        where="Sum(c[i]^2, (i, 1, d)) == 1",
    ),
    lhs=r"\alpha\sum_ic_i(c_i-p_ic_i)-\alpha",
    tex=r"-\alpha\sum_ic_i^2p_i,\quad p_i=\prod_{t<T}(1-\eta^{(t)}\lambda_i)",
)
HALF = Fraction(1, 2)
varying_steps = claim(
    "looped-error-variable-steps-every-size",
    states="looped-error-exact",
    title="Exact error with varying steps, for all sizes",
    says=r"For every $X$ and unit $\theta^*$, $\alpha$ and steps the error is $-\alpha\sum_ic_i^2p_i$ "
    r"with $p_i=1$ before the first loop and one factor $1-\eta^{(t)}\lambda_i$ more for each: "
    r"$p_i=\prod_{t<T}(1-\eta^{(t)}\lambda_i)$.",
    role="derived",
    covers="variable-steps",
    domain={
        d: integers(1),
        lam: spectra(d),
        c: vectors(d, unit=True),
        eta: steps(),
        p: vectors(d),
    },
    where=p_are_the_products,
    grid={
        "smoke": [
            with_steps((4, 1), sizes.UNIT[2], (HALF, -1)),
            with_steps((3, 0), sizes.UNIT[2], (HALF, 0, Fraction(1, 3), 2)),
            with_steps((4, 4), (1, 0), (1,)),
            with_steps((5, 2, 1), sizes.UNIT[3], (Fraction(1, 4), 1, Fraction(3, 8))),
        ]
    },
    relation=equals(),
    legs=[
        *network("X theta_star alpha eta"),
        VARYING,
        leg(
            "at sizes",
            error,
            closed_form=varying_form(),
            arithmetic="rational",
            instances=instances(realisable, "X y theta_star q0 alpha", smoke=3, standard=6),
            required=False,
            lhs=r"\hat\alpha_T-\alpha",
            tex=r"-\alpha\sum_{i=1}^{d}c_i^2p_i",
        ),
    ],
    rivals=[
        *NETWORK_RIVALS,
        *rivals_of(
            VARYING,
            {
                "any norm": {"where": ()},
                "c_i for its square": f"{OF_P} == {varying_form(power=1)}",
            },
        ),
        variant("c_i, by the model", closed_form=varying_form(power=1), leg="at sizes"),
        variant(
            "the first step in every loop", simulation=the_first_step_throughout, leg="at sizes"
        ),
        variant("from another query", simulation=from_another_query, leg="at sizes"),
    ],
)

# ---- the sign of the error

SHORT_STEPS = formula_leg(
    "steps up to 1/L",
    typed(
        "0 <= 1 - eta*lam and 1 - eta*lam <= 1",
        over=["L in (0, oo)", "lam in [0, L]", "eta in [0, 1/L]"],
    ),
    lhs=r"1-\eta\lambda_i",
    tex=r"[0,1]",
)
OVERSHOOT = -(alpha**2) * sum_of_powers()
TIMES_ALPHA = "alpha*(alpha*Sum(c[i]*(c[i] - q[i]^T*c[i]), (i, 1, d)) - alpha)"
COORDINATES = ["d in 1..oo", "T in 0..oo", "alpha in R", "c[i] in R for i in 1..d"]
BELOW = formula_leg(
    "below 0",
    typed(
        f"{TIMES_ALPHA} == {OVERSHOOT} and {OVERSHOOT} <= 0",
        over=[*COORDINATES, "q[i] in [0, 1] for i in 1..d"],
        where="Sum(c[i]^2, (i, 1, d)) == 1",
    ),
    lhs=r"\alpha\big(\alpha\sum_ic_i(c_i-q_i^Tc_i)-\alpha\big)",
    tex=r"-\alpha^2\sum_ic_i^2q_i^T\le0",
)


def without_alpha(ns, X, y, theta_star, q0, alpha, eta, T):
    """The error itself."""
    return sizes.error(ns, X, y, theta_star, q0, alpha, eta, T)


undershoot = claim(
    "looped-error-undershoot-every-size",
    states="looped-error-exact",
    title="The output never overshoots, for all sizes",
    says=r"For every $X$, unit $\theta^*$, $\alpha$, $\eta\in[0,1/L]$ and $T$ the error times $\alpha$ is at most 0.",
    role="derived",
    covers="undershoot",
    domain=FACTORS,
    where=up_to_one,
    grid={
        "smoke": [
            {d: 2, q: (1, HALF), c: sizes.UNIT[2], T: 1},
            {d: 2, q: (Fraction(3, 4), 0), c: sizes.UNIT[2], T: 3},
            {d: 3, q: (Fraction(4, 5), HALF, Fraction(1, 4)), c: sizes.UNIT[3], T: 6},
        ]
    },
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
        SHORT_STEPS,
        BELOW,
        at_sizes(
            sizes.overshoot,
            OVERSHOOT,
            lhs=r"\alpha\,(\hat\alpha_T-\alpha)",
            tex=r"-\alpha^2\sum_{i=1}^{d}c_i^2q_i^T,\quad q_i=1-\eta\lambda_i",
        ),
    ],
    rivals=[
        *NETWORK_RIVALS,
        against("no eigenvalue below 0", "all 1", energy, length),
        *rivals_of(
            SHORT_STEPS, {"up to 2/L": {"over": ["L > 0", "lam in [0, L]", "eta in [0, 2/L]"]}}
        ),
        *rivals_of(
            BELOW,
            {
                "beyond 1/L": {"over": [*COORDINATES, "q[i] in [-1, 1] for i in 1..d"]},
                "of any norm": {"where": ()},
            },
        ),
        variant("a loop more", closed_form=-(alpha**2) * sum_of_powers(T + 1), leg="at sizes"),
        variant("the error itself", simulation=without_alpha, leg="at sizes"),
    ],
)
