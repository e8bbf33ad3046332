"""Theorem 8.25 and Lemma 8.15: gradient descent on least squares contracts, and what that means for
the prediction.

Setting. l(theta) = |y - X theta|^2 / 2, H = X^T X positive definite with extreme eigenvalues mu and L,
kappa = L / mu, step 1/L, theta* the minimiser, |theta_0 - theta*| = R.

Statements. |theta_T - theta*|^2 <= exp(-T / kappa) R^2 (Theorem 8.25; its proof uses Fact 8.24, printed
for integers, at the real number kappa). If moreover |theta*| = 1, then |<TF, theta*> - alpha| <= |alpha|
|theta_T - theta*| (Lemma 8.15).

Reference: Theorem 8.25, Lemma 8.15 (arXiv 2410.11268).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import sympy as sp

from theorycheck import (
    at_most,
    claim,
    formula_leg,
    instances,
    integers,
    leg,
    matrices,
    reals,
    steps,
    typed,
    variant,
    vectors,
)
from theorycheck.blocks.rational_matrices import (
    apply,
    column,
    matmul,
    realizable,
    unit_vector,
    with_spectrum,
)
from theorycheck.blocks.stated import full_rank, semidefinite

from ._models import gradient_descent, looped_transformer
from .error_bound import spectrum

d, T = sp.symbols("d T", integer=True, positive=True)
kappa, R2 = sp.symbols("kappa R2", positive=True)
GRID = {
    "smoke": [
        {d: 2, kappa: 10, T: 20},
        {d: 3, kappa: Fraction(3, 2), T: 5},
        {d: 2, kappa: 2, T: 10},
        # An exponent just above that of the sharp form is wrong from kappa of several hundred on.
        {d: 2, kappa: 10**4, T: 3},
    ],
    "standard": {d: [1, 2, 4], kappa: [1, Fraction(3, 2), 4, 10], T: [1, 5, 20]},
}
DOMAIN = {d: integers(1), kappa: reals(1), T: integers(0)}
SCENE = {"X": "d kappa X", "theta_0": "theta0"}


class Regression(NamedTuple):
    """Least squares and its descent, exact: X (n, d), y (n,), the minimiser theta_star and the start theta0 (d,),
    alpha a number, eta (T,), R2 at least |theta0 - theta_star|^2."""

    X: Any
    y: Any
    theta_star: Any
    theta0: Any
    alpha: Any
    eta: Any
    R2: Any


def problem(along=None, step=1, norm=1, noise=False):
    """Least squares with the given condition number and random scale. theta_0 - theta* lies along eigenvector
    ``along`` (None: random), has squared norm R2; |theta*| = ``norm``. With ``noise`` the labels leave the
    range of X, theta* staying the minimiser, and R2 may exceed the squared distance."""

    def draw(rng, d, kappa, T):
        X, V = with_spectrum(rng, spectrum(d, kappa))
        direction = unit_vector(rng, d) if along is None else column(V, along)
        theta_star = [norm * x for x in direction]
        radius = int(rng.integers(1, 4))
        unit = Fraction(int(rng.integers(1, 9)), int(rng.integers(1, 5)))
        X = [[unit * x for x in row] for row in X]
        y = realizable(X, theta_star)
        if noise:
            y = [
                label + e
                for label, e in zip(
                    y, residual(rng, X, V, [s * unit**2 for s in spectrum(d, kappa)]), strict=True
                )
            ]
        return Regression(
            X=X,
            y=y,
            theta_star=theta_star,
            theta0=[t + radius * u for t, u in zip(theta_star, direction, strict=True)],
            alpha=int(rng.integers(1, 4) * rng.signs()),
            eta=[step / (Fraction(kappa) * unit**2)] * T,
            R2=radius**2 + (int(rng.integers(0, 3)) if noise else 0),
        )

    return draw


def minimiser(X, y, theta_star):
    """X^T (X theta* - y) = 0."""
    left = [a - b for a, b in zip(apply(X, theta_star), y, strict=True)]
    return not any(apply([list(column) for column in zip(*X, strict=True)], left))


def steps_of_one_over_the_largest_eigenvalue(X, eta):
    """1/eta - X^T X has no negative eigenvalue, and is singular."""
    H = matmul([list(column) for column in zip(*X, strict=True)], X)
    gaps = [
        [[(a == b) / e - x for b, x in enumerate(row)] for a, row in enumerate(H)] for e in set(eta)
    ]
    singular = not any(full_rank("gap")(gap=gap) for gap in gaps)
    return singular and all(semidefinite("gap")(gap=gap) for gap in gaps)


def start_within_the_radius(theta_star, theta0, R2):
    return sum((a - b) ** 2 for a, b in zip(theta0, theta_star, strict=True)) <= R2


SAID = (minimiser, steps_of_one_over_the_largest_eigenvalue, start_within_the_radius)


def residual(rng, X, V, spectrum):
    """A random vector less its projection X V diag(1/spectrum) V^T X^T w on the columns of X."""
    w = [Fraction(x) for x in rng.rational((len(X),), 4)]
    transposed = [list(row) for row in zip(*V, strict=True)]
    against = apply(transposed, apply([list(row) for row in zip(*X, strict=True)], w))
    inside = apply(V, [x / Fraction(s) for x, s in zip(against, spectrum, strict=True)])
    return [a - b for a, b in zip(w, apply(X, inside), strict=True)]


SHORT = {
    "smoke": [{d: 1, kappa: 1, T: 0}, {d: 2, kappa: 1, T: 1}, {d: 3, kappa: 1, T: 3}],
    "standard": {d: [1, 2, 4], kappa: [1], T: [0, 1, 2, 4]},
}


def distance(ns, X, y, theta_star, theta0, eta, T):
    """|theta_T - theta*|^2 after T steps from theta_0. Shape (B,)."""
    return ns.sum((gradient_descent(ns, X, y, theta0, eta, T) - theta_star) ** 2, axis=-1)


def with_step_of_kappa(ns, X, y, theta_star, theta0, eta, T, kappa):
    """The same with the step 1/kappa, which is 1/L on prompts with mu = 1 alone."""
    return distance(ns, X, y, theta_star, theta0, 0 * eta + ns.asarray(1 / Fraction(kappa)), T)


def from_weighted_labels(ns, X, y, theta_star, theta0, eta, T):
    """The distance to the minimiser that row i has weight i for: the same without noise alone."""
    weighted = X * ns.reshape(1 + ns.arange(X.shape[1]), (1, -1, 1))
    Xt = ns.matrix_transpose(weighted)
    other = ns.solve(ns.matmul(Xt, X), ns.matmul(Xt, ns.expand_dims(y, axis=-1)))[:, :, 0]
    return distance(ns, X, y, other, theta0, eta, T)


def with_data(name, along, at, **how):
    return variant(name, instances=instances(problem(along, **how), Regression, smoke=1), at=at)


FAR = [{d: 2, kappa: 2, T: 40}]
DECAY = sp.exp(-T / kappa)
SHARP = (1 - 1 / kappa) ** (2 * T)
gd_contraction = claim(
    "looped-gd-contraction",
    lhs=r"\|\theta_T-\theta^*\|^2",
    tex=r"e^{-T/\kappa}\,\|\theta_0-\theta^*\|^2",
    title="Gradient descent on least squares contracts",
    says="With step $1/L$ the squared distance to the minimiser after $T$ steps is at most "
    r"$\exp(-T/\kappa)$ times the initial one.",
    covers="contraction",
    reads={**SCENE, "R": "R2"},
    domain=DOMAIN,
    where=sp.Or(d > 1, sp.Eq(kappa, 1)),
    grid=GRID,
    closed_form=DECAY * R2,
    relation=at_most(),
    legs=[
        leg(
            "lowest eigenvector",
            distance,
            arithmetic="rational",
            instances=instances(problem(0), Regression, where=SAID, smoke=1, standard=2),
        ),
        leg(
            "random start",
            distance,
            arithmetic="rational",
            instances=instances(problem(noise=True), Regression, where=SAID, smoke=2, standard=4),
        ),
        formula_leg(
            "above the sharp form",
            typed(
                f"{SHARP} <= {DECAY}",
                over=["kappa in [1, oo)", "T in 0..oo"],
                steps=["1 - 1/kappa <= exp(-1/kappa)"],
            ),
            required=False,
            lhs=r"(1-1/\kappa)^{2T}",
            tex=r"e^{-T/\kappa}",
        ),
    ],
    rivals=[
        variant("exp(-3T/kappa)", closed_form=sp.exp(-3 * T / kappa) * R2),
        variant(
            "condition number of X",
            closed_form=sp.exp(-T / sp.sqrt(kappa)) * R2,
            at=[{d: 2, kappa: 100, T: 20}],
        ),
        variant(
            "exp(-3T/kappa) from a random start",
            closed_form=sp.exp(-3 * T / kappa) * R2,
            leg="random start",
        ),
        with_data("step 2/L", -1, [{d: 2, kappa: 2, T: 10}], step=2),
        variant("step 1/kappa", simulation=with_step_of_kappa, leg="random start", at=FAR),
        variant(
            "another minimiser than that of the labels",
            simulation=from_weighted_labels,
            leg="random start",
            at=FAR,
        ),
    ],
    plot=T,
)

gd_contraction_sharp = claim(
    "looped-gd-contraction-sharp",
    lhs=r"\|\theta_T-\theta^*\|^2",
    tex=r"\Big(1-\frac1\kappa\Big)^{2T}\|\theta_0-\theta^*\|^2",
    states="looped-gd-contraction",
    title="The sharp contraction of gradient descent",
    says=r"With step $1/L$ the squared distance after $T$ steps is at most $(1 - 1/\kappa)^{2T}$ times "
    "the initial one, attained along the lowest eigenvector.",
    role="derived",
    covers="sharp-contraction",
    reads=SCENE,
    domain=DOMAIN,
    where=sp.Or(d > 1, sp.Eq(kappa, 1)),
    grid=GRID,
    closed_form=SHARP * R2,
    relation=at_most(),
    legs=gd_contraction.legs[:2],
    rivals=[
        variant("exp(-3T/kappa)", closed_form=sp.exp(-3 * T / kappa) * R2, leg="random start"),
        variant(
            "one step more",
            closed_form=(1 - 1 / kappa) ** (2 * T + 2) * R2,
            leg="lowest eigenvector",
        ),
    ],
    plot=T,
)


def prediction_error(ns, X, y, theta_star, alpha, eta, T):
    """|<TF, theta*> - alpha|^2 of the looped transformer from q0 = 0; squares stay rational. Shape (B,)."""
    output = looped_transformer(ns, X, y, theta_star * 0, alpha, eta, T)
    return (ns.sum(output * theta_star, axis=-1) - alpha) ** 2


def parameter_error(ns, X, y, theta_star, alpha, eta, T):
    """alpha^2 |theta_T - theta*|^2 by gradient descent from 0. Shape (B,)."""
    return alpha**2 * squared_error(ns, X, y, theta_star, eta, T)


def squared_error(ns, X, y, theta_star, eta, T):
    theta = gradient_descent(ns, X, y, theta_star * 0, eta, T)
    return ns.sum((theta - theta_star) ** 2, axis=-1)


def squared_norm(ns, X, y, theta_star, alpha, eta, T):
    return alpha**2 * squared_error(ns, X, y, theta_star, eta, T) ** 2


def error_of_any_prompt(ns, X, y, theta_star, q0, alpha, eta, T):
    """|<TF, theta*> - alpha|^2 of the looped transformer. Shape (B,)."""
    output = looped_transformer(ns, X, y, q0, alpha, eta, T)
    return (ns.sum(output * theta_star, axis=-1) - alpha) ** 2


def distance_of_any_start(ns, X, y, theta_star, q0, alpha, eta, T):
    """alpha^2 |theta_T - theta*|^2 by gradient descent from -q0/alpha. Shape (B,)."""
    theta = gradient_descent(ns, X, y, -q0 / ns.expand_dims(alpha, axis=-1), eta, T)
    return alpha**2 * ns.sum((theta - theta_star) ** 2, axis=-1)


ANY_PROMPT = {
    "X": matrices(3, d),
    "y": vectors(3),
    "q0": vectors(d),
    "alpha": reals(without=[0]),
    "eta": steps(T),
    "theta_star": vectors(d, unit=True),
}
LONG = [{d: 2, kappa: 2, T: 20}]
prediction_error_claim = claim(
    "looped-prediction-error",
    lhs=r"\big(\langle TF,\theta^*\rangle-\alpha\big)^2",
    tex=r"\alpha^2\,\|\theta^{(T)}-\theta^*\|^2",
    title="From parameter error to prediction error",
    says=r"For unit $\theta^*$, $|\langle "
    r"TF,\theta^*\rangle-\alpha|\le|\alpha|\,\|\theta_T-\theta^*\|$; compared as squares.",
    covers="cauchy-schwarz",
    domain=DOMAIN,
    grid=GRID,
    relation=at_most(),
    legs=[
        leg(
            "random task",
            prediction_error,
            arithmetic="rational",
            reference=parameter_error,
            instances=instances(problem(), Regression, smoke=3, standard=6),
        ),
        leg(
            "lowest eigenvector (equality)",
            prediction_error,
            arithmetic="rational",
            reference=parameter_error,
            instances=instances(problem(0), Regression, smoke=1),
        ),
        leg(
            "any prompt",
            error_of_any_prompt,
            arithmetic="rational",
            reference=distance_of_any_start,
            instances=instances(ANY_PROMPT, smoke=3, standard=6),
            grid=SHORT,
        ),
    ],
    rivals=[
        variant("squared norm", reference=squared_norm, leg="lowest eigenvector (equality)"),
        with_data("task vector of norm 2", None, LONG, norm=2),
        with_data("task vector of norm 1/2", None, LONG, norm=Fraction(1, 2)),
    ],
)
