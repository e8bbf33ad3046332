"""Beside Lemma 8.23: the squared rate of gradient descent, and how far the printed rate goes on quadratics.

Setting. f mu-strongly convex and L-smooth with minimiser x*, 0 < eta <= 2/(L + mu).

Statements. |x_t - x*| <= (1 - eta mu)^t |x_0 - x*|, which quadratics attain: the printed factor may be squared. The
printed inequality itself holds on quadratics, for all eigenvalues in [mu, L], exactly for eta <= (2L - mu)/L^2.

Proof of the first for the whole class. h = f - mu |x|^2/2 is convex and l-smooth, l = L - mu; at x, with D = h(x) -
h(x*), s = |grad h|^2, w = <grad h, x - x*>, a = |x - x*|^2, the upper bound of smoothness and the lower one of
convexity, taken at the points x - grad h / l and x* + grad h / l, say s <= 2 l D and s <= 2 l (w - D). With them |x
- eta grad f - x*|^2 = (1 - eta mu)^2 a - 2 eta (1 - eta mu) w + eta^2 s is at most (1 - eta mu)^2 a.

Reference: Lemma 8.23 (arXiv 2410.11268), after Garrigos and Gower 2023; both statements are ours.
"""

from __future__ import annotations

from fractions import Fraction

from theorycheck import at_most, claim, formula_leg, instances, leg, rivals_of, typed, variant

from .descent_rate import DOMAIN, HALF, L, draw, eta, log_cosh, mu, points, quadratic, t

THIRD, FOURTH = Fraction(1, 3), Fraction(1, 4)
one_step = formula_leg(
    "one step, for the class",
    typed(
        "(1 - eta*mu)**2*a - 2*eta*(1 - eta*mu)*w + eta**2*s <= (1 - eta*mu)**2*a",
        over=[
            "mu in (0, oo)",
            "ell in [0, oo)",
            "eta in (0, 2/(2*mu + ell)]",
            "a, D, w, s in [0, oo)",
        ],
        where=["s <= 2*ell*D", "s <= 2*ell*(w - D)", "D <= w"],
        steps=[
            "s <= ell*w",
            "eta*ell <= 2*(1 - eta*mu)",
            "eta*s <= eta*ell*w",
            "eta*ell*w <= 2*(1 - eta*mu)*w",
            "eta*s <= 2*(1 - eta*mu)*w",
        ],
    ),
    lhs=r"\|x-\eta\nabla f-x^*\|^2",
    tex=r"(1-\eta\mu)^2\,\|x-x^*\|^2",
)
FIELDS = instances(draw, "A c x0", smoke=2, standard=4)
squared_rate = claim(
    "looped-gd-squared-rate",
    lhs=r"\frac{\|x_t-x^*\|^2}{\|x_0-x^*\|^2}",
    tex=r"(1-\eta\mu)^{2t}",
    states="looped-gd-rate",
    title="The squared rate of gradient descent",
    says=r"For $\mu$-strongly convex $L$-smooth $f$ and $0<\eta\le2/(L+\mu)$, "
    r"$\|x_t-x^*\|\le(1-\eta\mu)^t\|x_0-x^*\|$.",
    role="derived",
    covers="squared-rate",
    reads={"f": "mu ell a D w s", "eta": "eta"},
    domain=DOMAIN,
    where=(mu <= L, eta * (L + mu) <= 2),
    grid={
        "smoke": points((1, 1, 2, HALF, 3), (2, 1, 4, Fraction(2, 5), 6), (3, 1, 3, FOURTH, 5)),
        "standard": points(
            *(
                (size, m, 2, step, time)
                for size in (1, 2, 4)
                for m in (THIRD, 1)
                for step in (FOURTH, 2 * THIRD)
                for time in (1, 5, 20)
            )
        ),
    },
    closed_form=(1 - eta * mu) ** (2 * t),
    relation=at_most(),
    plot=t,
    legs=[
        leg("log cosh", log_cosh, instances=FIELDS),
        leg("quadratic", quadratic, arithmetic="rational", instances=FIELDS),
        one_step,
    ],
    rivals=[
        variant("(1 - eta mu)^(3t)", closed_form=(1 - eta * mu) ** (3 * t), leg="quadratic"),
        variant(
            "(1 - eta mu)^(3t) of log cosh", closed_form=(1 - eta * mu) ** (3 * t), leg="log cosh"
        ),
        variant("L for mu", closed_form=(1 - eta * L) ** (2 * t), leg="quadratic"),
        variant(
            "steps beyond 2/(L + mu)",
            instances=FIELDS,
            leg="quadratic",
            at=points((2, HALF, 1, Fraction(3, 2), 5)),
        ),
        *rivals_of(
            one_step,
            {
                "steps up to 2/L": {
                    "over": [
                        "mu in (0, oo)",
                        "ell in [0, oo)",
                        "eta in (0, 2/(mu + ell)]",
                        "a, D, w, s in [0, oo)",
                    ],
                    "steps": (),
                },
                "without convexity": {"where": ["s <= 2*ell*D"], "steps": ()},
            },
        ),
    ],
)

below = formula_leg(
    "up to the limit",
    typed(
        "(1 - eta*lam)**2 <= 1 - eta*mu",
        over=["mu in (0, oo)", "L in [mu, oo)", "lam in [mu, L]", "eta in (0, oo)"],
        where="eta <= (2*L - mu)/L**2",
    ),
    lhs=r"(1-\eta\lambda)^2",
    tex=r"1-\eta\mu",
)
beyond = formula_leg(
    "and no further",
    typed(
        "(1 - eta*L)**2 > 1 - eta*mu",
        over=["mu in (0, oo)", "L in [mu, oo)", "eta in (0, oo)"],
        where="eta > (2*L - mu)/L**2",
    ),
    lhs=r"(1-\eta L)^2",
    tex=r"1-\eta\mu",
)
step_limit = claim(
    "looped-gd-rate-step-limit",
    states="looped-gd-rate",
    title="How far the printed rate goes on quadratics",
    says=r"$(1-\eta\lambda)^2\le1-\eta\mu$ for all $\lambda\in[\mu,L]$ exactly if $\eta\le(2L-\mu)/L^2$.",
    role="derived",
    covers="step-limit",
    legs=[below, beyond],
    rivals=[
        *rivals_of(below, {"up to 2/L": {"where": "eta <= 2/L"}}),
        *rivals_of(beyond, {"from 1/L on": {"where": "eta > 1/L"}}),
    ],
)
