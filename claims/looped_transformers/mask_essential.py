"""Beside Theorem 8.14: with another mask, or a value matrix that keeps the labels, the loops are not gradient descent.

Setting. q0 = 0, alpha = 1, and in one direction e_1 two prompts for all sizes, every row that is not named being 0:
  one row   x_1 = e_1, y_1 = 1, steps 1/2: gradient descent has theta_T = (1 - 2^-T) e_1;
  two rows  x_1 = 2 e_1, y_1 = 0, x_2 = e_1, y_2 = 1, steps 1/4: theta_T = (1 - (-1/4)^T)/5 e_1.

Statements. From the second loop on the output is off by at least 3/16:
  P = I            (one row) alpha falls with theta, and both tend to 1/2: off by exactly 1/2 - 2^-T;
  strictly causal  (two rows) the first loop sends x_2 to 0, then the output stays 0: off by theta_T itself;
  causal           (one row) x_1 goes to 0, and the query sees itself: off by at least 1 - 2^(1-T).
In the first loop all of them agree with gradient descent.

Reference: Lemma 8.13, Theorem 8.14 (arXiv 2410.11268); the example is ours.
"""

from __future__ import annotations

import sympy as sp

from theorycheck import at_least, claim, equals, integers, leg, variant

from ._models import gradient_descent, looped_transformer

n, d, T = sp.symbols("n d T", integer=True, positive=True)


def prompt(ns, n, d, T, rows, labels, step):
    """The prompt with these first entries in its rows: X (1, n, d), y (1, n), q0 (1, d), alpha (1,), eta (1, T)."""
    entries = dict(enumerate(rows))
    X = [[entries.get(i, 0) if j == 0 else 0 for j in range(d)] for i in range(n)]
    y = [*labels, *[0] * (n - len(labels))]
    X, y = ns.asarray([X]), ns.asarray([y])
    return X, y, ns.zeros((1, d)), ns.ones((1,)), ns.full((1, T), step)


def one_row(ns, n, d, T):
    return prompt(ns, n, d, T, (1,), (1,), ns.rational(1, 2))


def two_rows(ns, n, d, T):
    return prompt(ns, n, d, T, (2, 1), (0, 1), ns.rational(1, 4))


def distance(ns, T, given, **changed):
    """Distance of the output from alpha theta_T; they differ along e_1 only. Shape (1,)."""
    X, y, q0, alpha, eta = given
    output = looped_transformer(ns, X, y, q0, alpha, eta, T, **changed)
    return ns.sum(ns.abs(output - gradient_descent(ns, X, y, q0, eta, T)), axis=-1)


def keeps_labels(ns, n, d, T):
    """With P = I. Shape (1,)."""
    return distance(ns, T, one_row(ns, n, d, T), P=ns.eye(d + 1))


def causal(ns, n, d, T):
    """With ones on and below the diagonal of the mask. Shape (1,)."""
    return distance(ns, T, one_row(ns, n, d, T), mask=below(ns, n, 0))


def strictly_causal(ns, n, d, T):
    """With ones below the diagonal of the mask. Shape (1,)."""
    return distance(ns, T, two_rows(ns, n, d, T), mask=below(ns, n, 1))


def strictly_causal_on_one_row(ns, n, d, T):
    return distance(ns, T, one_row(ns, n, d, T), mask=below(ns, n, 1))


def below(ns, n, by):
    at = ns.arange(n + 1)
    return ns.number(at[:, None] >= at[None, :] + by)


def of_the_source(ns, n, d, T):
    return distance(ns, T, one_row(ns, n, d, T))


MISS = r"\|TF(Z^{(0)})-\alpha\,\theta^{(T)}\|_1"
HALVED = sp.Integer(2) ** -T
GIVEN = {"arithmetic": "rational", "gives": "X y q0 alpha eta"}
mask_essential = claim(
    "looped-mask-essential",
    lhs=MISS,
    tex=r"\frac3{16}",
    states="looped-gd-equivalence",
    title="Other masks do not give gradient descent",
    says=r"For all sizes, from $T=2$ on, there are prompts on which $P=I$, the strictly causal and the causal mask "
    r"each miss $\alpha\,\theta^{(T)}$ by at least $3/16$.",
    role="derived",
    covers="mask-essential",
    domain={n: integers(2), d: integers(1), T: integers(2)},
    grid={
        "smoke": {n: [2, 3], d: [1, 2], T: [2, 3, 6]},
        "standard": {n: [2, 5], d: [1, 4], T: [2, 3, 12]},
    },
    closed_form=sp.Rational(3, 16),
    relation=at_least(),
    legs=[
        leg(
            "labels kept",
            keeps_labels,
            closed_form=sp.Rational(1, 2) - HALVED,
            relation=equals(),
            lhs=MISS,
            tex=r"\frac12-2^{-T}",
            **GIVEN,
        ),
        leg(
            "strictly causal",
            strictly_causal,
            closed_form=(1 - sp.Rational(-1, 4) ** T) / 5,
            relation=equals(),
            lhs=MISS,
            tex=r"\frac15\big(1-(-\tfrac14)^T\big)",
            **GIVEN,
        ),
        leg("strictly causal, below", strictly_causal, **GIVEN),
        # The query squares what it sees in each loop: exact fractions have some 3^T bits.
        leg(
            "causal",
            causal,
            closed_form=1 - 2 * HALVED,
            where=T <= 12,
            lhs=MISS,
            tex="1-2^{1-T}",
            **GIVEN,
        ),
    ],
    rivals=[
        variant("P of the source", simulation=of_the_source, leg="labels kept"),
        variant("1/2 at once", leg="labels kept", closed_form=sp.Rational(1, 2)),
        variant(
            "(1 - 4^-T)/5", leg="strictly causal", closed_form=(1 - sp.Rational(1, 4) ** T) / 5
        ),
        variant("the mask of the source", simulation=of_the_source, leg="causal"),
        variant("1 - 2^-T for the causal mask", leg="causal", closed_form=1 - HALVED),
        variant(
            "the strictly causal mask on one row",
            leg="strictly causal, below",
            simulation=strictly_causal_on_one_row,
        ),
        variant("a fifth", leg="strictly causal, below", closed_form=sp.Rational(1, 5)),
    ],
)
