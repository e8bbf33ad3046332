"""Lemma D.2 for matrices of every size: second moments of y x for a noisy linear model.

Setting. As in `noisy_moment`: x ~ N(0, Lambda), y = <w, x> + eps with independent eps of variance s2.

Statements. For all vectors p and q p^T E[y^2 x x^T] q = (s2 + w^T Lambda w) p^T Lambda q + 2 p^T Lambda w w^T Lambda q
and p^T E[yx] E[yx]^T q = p^T Lambda w w^T Lambda q, the matrix identities. The means pair the places of x
(`_words.mean`), whatever the size; `noisy_moment` has them by cubature at sizes.

Reference: Lemma D.2 (Shi, Wei, Xu, Liang, ICML 2024).
"""

from __future__ import annotations

from theorycheck import claim, leg, variant

from ._moments import LAMBDA
from ._words import dot, mean, normal, same, scalar, vector

p, q, w, x = (vector(name) for name in "pqwx")
s2 = scalar("s2")


def averaged(of):
    """E over the example and its noise."""
    return mean(of, "x", LAMBDA).replaced(normal("eps", s2))


def second_moment(factor=2, noise=1, printed=False):
    """p^T E[y^2 x x^T] q. ``printed``: with the number w^T w in place of the matrix."""
    y = dot(w, x) + scalar("eps")
    outer = dot(p, LAMBDA * w) * dot(w, LAMBDA * q)
    if printed:
        outer = dot(w, w) * dot(p, LAMBDA * LAMBDA * q)
    stated = (s2 * noise + dot(w, LAMBDA * w)) * dot(p, LAMBDA * q) + outer * factor
    return same(averaged(y**2 * dot(p, x) * dot(x, q)), stated)


def factor_one():
    return second_moment(factor=1)


def noiseless():
    return second_moment(noise=0)


def as_printed():
    return second_moment(printed=True)


def outer_product(printed=False):
    """p^T E[yx] E[yx]^T q."""
    y = dot(w, x) + scalar("eps")
    found = averaged(y * dot(p, x)) * averaged(y * dot(x, q))
    number_of_w = dot(w, w) * dot(p, LAMBDA * LAMBDA * q)
    return same(found, number_of_w if printed else dot(p, LAMBDA * w) * dot(w, LAMBDA * q))


def outer_as_printed():
    return outer_product(printed=True)


moments_every_size = claim(
    "icl-noisy-moment-every-size",
    lhs=r"\mathbb{E}[y^2xx^\top]",
    tex=r"(\sigma^2+w^\top\Lambda w)\,\Lambda+2\,\Lambda ww^\top\Lambda",
    states="icl-noisy-moment",
    title="Moments of $y x$, at every size",
    says=r"For every size and covariance, $x\sim N(0,\Lambda)$, "
    r"$\mathbb{E}[y^2xx^\top]=(\sigma^2+w^\top\Lambda w)\Lambda+2\Lambda ww^\top\Lambda$ and "
    r"$\mathbb{E}[yx]\mathbb{E}[yx]^\top=\Lambda ww^\top\Lambda$.",
    role="corrected",
    corrects="icl-noisy-moment",
    covers="second-moment outer-product-of-mean",
    legs=[
        leg("second moment", second_moment, arithmetic="proof", over="d Lambda w sigma"),
        leg("outer product", outer_product, arithmetic="proof", over="d Lambda w sigma"),
    ],
    rivals=[
        variant("factor 1", simulation=factor_one, leg="second moment"),
        variant("without the noise", simulation=noiseless, leg="second moment"),
        variant("the number w^T w", simulation=as_printed, leg="second moment"),
        variant(
            "the number in the outer product", simulation=outer_as_printed, leg="outer product"
        ),
    ],
)
