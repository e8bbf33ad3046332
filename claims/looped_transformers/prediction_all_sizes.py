"""Lemma 8.15 for all sizes: the prediction error against the parameter error, and when they are equal.

Setting. As in `descent` and `equality_case`: any prompt, start and steps, e = theta_T - theta*. That the output is
alpha theta_T is Theorem 8.14 (`all_sizes`), whose legs stand here again.

Statements. <TF, theta*> - alpha |theta*|^2 = alpha <e, theta*>, and so by Cauchy-Schwarz its square is at most
alpha^2 |e|^2 |theta*|^2; |theta*| = 1 in the lemma. Equality holds exactly if e |theta*|^2 = <e, theta*> theta*: if
e is a multiple of theta*.

Reference: Lemma 8.15 (arXiv 2410.11268); the equality case is ours.
"""

from __future__ import annotations

from theorycheck import claim, formula_leg, reaching, rivals_of, typed

from .all_sizes import LOOP_RIVALS, loops

ALONG = formula_leg(
    "error along the task",
    typed(
        "alpha*dot(theta, theta_star) - alpha*norm(theta_star)^2 == alpha*dot(theta - theta_star, theta_star)",
        over=["d in 1..oo", "alpha in R", "theta, theta_star in R^d"],
    ),
    lhs=r"\langle\alpha\theta^{(T)},\theta^*\rangle-\alpha\|\theta^*\|^2",
    tex=r"\alpha\,\langle e,\theta^*\rangle",
)
PAIRS = ["d in 1..oo", "e, theta_star in R^d"]
BOUND = formula_leg(
    "Cauchy-Schwarz",
    typed("dot(e, theta_star)^2 <= norm(e)^2*norm(theta_star)^2", over=PAIRS),
    lhs=r"\langle e,\theta^*\rangle^2",
    tex=r"\|e\|^2\,\|\theta^*\|^2",
)
LEMMA = formula_leg(
    "for a unit task",
    typed(
        "(alpha*dot(theta, theta_star) - alpha)^2 <= alpha^2*norm(theta - theta_star)^2",
        over=["d in 1..oo", "alpha in R", "theta, theta_star in R^d"],
        where="norm(theta_star)^2 == 1",
    ),
    lhs=r"\big(\langle\alpha\theta^{(T)},\theta^*\rangle-\alpha\big)^2",
    tex=r"\alpha^2\,\|\theta^{(T)}-\theta^*\|^2",
)
ALONG_RIVALS = rivals_of(
    ALONG,
    {
        "without the task's own part": "alpha*dot(theta, theta_star) - alpha*norm(theta_star)^2"
        " == alpha*dot(theta, theta_star)"
    },
)
prediction_error = claim(
    "looped-prediction-error-every-size",
    states="looped-prediction-error",
    title="From parameter error to prediction error, for all sizes",
    says=r"For every prompt, start, steps and $T$, and every $\theta^*$ of norm 1, $|\langle "
    r"TF,\theta^*\rangle-\alpha|\le|\alpha|\,"
    r"\|\theta^{(T)}-\theta^*\|$; compared as squares, and of any norm with $\|\theta^*\|^2$ on both sides.",
    covers="cauchy-schwarz",
    legs=[*loops("X y q0 eta T"), ALONG, BOUND, LEMMA],
    rivals=[
        *LOOP_RIVALS,
        *ALONG_RIVALS,
        *rivals_of(
            BOUND,
            {
                "of any norm without it": "dot(e, theta_star)^2 <= norm(e)^2",
                "half of it": "dot(e, theta_star)^2 <= norm(e)^2*norm(theta_star)^2/2",
            },
        ),
        *rivals_of(LEMMA, {"of any norm": {"where": ()}}),
    ],
)

REST = "norm(theta_star)^2*(norm(e)^2*norm(theta_star)^2 - dot(e, theta_star)^2)"
ACROSS = formula_leg(
    "what is left",
    typed(
        f"norm(norm(theta_star)^2*e - dot(e, theta_star)*theta_star)^2 == {REST}",
        over=PAIRS,
    ),
    lhs=r"\big\|\|\theta^*\|^2e-\langle e,\theta^*\rangle\theta^*\big\|^2",
    tex=r"\|\theta^*\|^2\big(\|e\|^2\|\theta^*\|^2-\langle e,\theta^*\rangle^2\big)",
)
PARALLEL = formula_leg(
    "of multiples",
    typed(
        "norm(s*theta_star)^2*norm(theta_star)^2 == dot(s*theta_star, theta_star)^2",
        over=["d in 1..oo", "s in R", "theta_star in R^d"],
    ),
    lhs=r"\|s\theta^*\|^2\,\|\theta^*\|^2",
    tex=r"\langle s\theta^*,\theta^*\rangle^2",
)
equality_case = claim(
    "looped-prediction-error-equality-every-size",
    states="looped-prediction-error",
    title="The equality case of the prediction bound, for all sizes",
    says=r"$\|e\|^2-\langle e,\theta^*\rangle^2$ is $\|e-\langle e,\theta^*\rangle\theta^*\|^2$ for "
    r"$e=\theta^{(T)}-\theta^*$ and "
    r"$\|\theta^*\|=1$: equality holds exactly if $e$ is a multiple of $\theta^*$.",
    role="derived",
    covers="equality-case",
    legs=[*loops("X y"), ALONG, ACROSS, PARALLEL],
    rivals=[
        *LOOP_RIVALS,
        *ALONG_RIVALS,
        *rivals_of(ACROSS, {"always equal": f"{REST} == 0"}),
        *rivals_of(
            PARALLEL,
            {
                "any two vectors": {
                    "says": "norm(s*e)^2*norm(theta_star)^2 == dot(s*e, theta_star)^2",
                    "over": ["d in 1..oo", "s in R", "e, theta_star in R^d"],
                }
            },
        ),
        *reaching(PARALLEL, "s < 0"),
    ],
)
