r"""Fact A.1: the constant of a batch's error is no product of two means.

Setting. No bias, uniform logits, many negatives: the gradient at one positive is u x+ with u = <w, x++>, x+ = 2 D x,
x++ = 2 (I - D) x, x = M z + xi; v = E |u x+ - E u x+|^2 is K times the mean square error of a batch of K. Sigma = q M
M^T + s I, s = sigma^2.

Statements. (1) The product of means E u^2 E |x+|^2 = w^T (Sigma + diag Sigma) w 2 tr Sigma, offered as v up to a
relative error, is near v where s d1 is large against q d. Without that it is not v up to any factor, since u^2 and
|x+|^2 are large together: at d1 = 4, d = 1, w along the column, v is |w|^2/4 times 6 q + 36 q s + 48 s^2 - 9 q^2/4,
the product 2 (5 q + 8 s)(q + 4 s) times as much; for s <= q^2 that is 15 q/4 at least against 130 q^2 at most. (2) In
general v + |E u x+|^2 = 4 sum_(k != l) w_k^2 E x_k^2 x_l^2 + 2 sum w_k w_l E x_k x_l x_m^2 over distinct k, l, m,
with E x_k x_l x_m^2 = Sigma_kl Sigma_mm + 2 Sigma_km Sigma_lm + (q - 3 q^2) sum_j M_kj M_lj M_mj^2, and E u x+_l =
sum_(k != l) w_k Sigma_kl. (3) On exactly flat columns, M_kj^2 = 1/d1, all of it follows from |w|^2, the share m of it
in the span and r = d/d1, and v is within (14 + 12 D)(q m + s + D)|w|^2 of the product, D = q r + s: up to a relative
error of 7/(q d + s d1) + 6/d1, for all weights.

Reference: lines 310-314. The constant is no line of the source; it is what the sizes of its batches come from.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import sympy as sp

from theorycheck import claim, formula_leg, instances, leg, rivals_of, typed, variant

from ._dictionary import ONE_POINT, codes, flat_columns
from ._gaussian import nodes

q, s = sp.symbols("q s", positive=True)
size = sp.Symbol("size", positive=True)


def error(w, columns, q, noise):
    """E |u x+|^2 - |E u x+|^2 over all codes, masks and points of the noise, whose entries have variance 3 noise^2 and
    a Gaussian's moments up to the fifth. Shape ()."""
    n = len(w)
    square, mean = Fraction(0), [Fraction(0)] * n
    for z, p in codes(len(columns), q):
        signal = [
            sum((a * c[k] for a, c in zip(z, columns, strict=True)), Fraction(0)) for k in range(n)
        ]
        for xi, chance in nodes(n, noise):
            x = [a + b for a, b in zip(signal, xi, strict=True)]
            for D in product((0, 1), repeat=n):
                u = sum((2 * (1 - e) * a * b for e, a, b in zip(D, w, x, strict=True)), Fraction(0))
                weight = p * chance / 2**n
                view = [2 * e * b for e, b in zip(D, x, strict=True)]
                square += weight * u * u * sum(b * b for b in view)
                mean = [m + weight * u * b for m, b in zip(mean, view, strict=True)]
    return square - sum(m * m for m in mean)


def second_moments(columns, q, noise, n):
    return [
        [
            q * sum((c[k] * c[l] for c in columns), Fraction(0)) + (k == l) * 3 * noise**2
            for l in range(n)
        ]
        for k in range(n)
    ]


def by_moments(w, columns, q, noise, fourth=1):
    """The sums of (2), without a code, a mask or a point of the noise. Shape ()."""
    n = len(w)
    S = second_moments(columns, q, noise, n)

    def moment(k, l, m):
        joint = sum((c[k] * c[l] * c[m] ** 2 for c in columns), Fraction(0))
        return S[k][l] * S[m][m] + 2 * S[k][m] * S[l][m] + fourth * (q - 3 * q * q) * joint

    pairs = [4 * w[k] ** 2 * moment(k, k, m) for k, m in product(range(n), repeat=2) if k != m]
    triples = [
        2 * w[k] * w[l] * moment(k, l, m)
        for k, l, m in product(range(n), repeat=3)
        if len({k, l, m}) == 3
    ]
    mean = [sum((w[k] * S[k][l] for k in range(n) if k != l), Fraction(0)) for l in range(n)]
    return sum(pairs, Fraction(0)) + sum(triples, Fraction(0)) - sum(m * m for m in mean)


def as_if_gaussian(w, columns, q, noise):
    return by_moments(w, columns, q, noise, fourth=0)


def product_of_means(w, columns, q, noise):
    """w^T (Sigma + diag Sigma) w 2 tr Sigma. Shape ()."""
    n = len(w)
    S = second_moments(columns, q, noise, n)
    form = sum(
        (w[k] * w[l] * S[k][l] * (2 if k == l else 1) for k in range(n) for l in range(n)),
        Fraction(0),
    )
    return form * 2 * sum(S[k][k] for k in range(n))


m, r, n = sp.symbols("m r n", positive=True)
D = q * r + s
OF_FLAT = size * (
    2 * n * D * (q * m + s + D)
    + 4 * ((q**2 + 2 * q * s) * (m + r) + 2 * s**2)
    + 2 * (q - 3 * q**2) * (m + r)
    - 12 * D * (q * m + s)
    - 4 * (q - 3 * q**2) * m / n
    - q**2 * (m - 2 * r * m + r**2)
)
PRODUCT_OF_FLAT = size * 2 * n * D * (q * m + s + D)


def error_of_flat(w, columns, q, noise, size, m, r, n, s):
    return error(w, columns, q, noise)


def product_of_flat(w, columns, q, noise, size, m, r, n, s):
    return product_of_means(w, columns, q, noise)


def flat_weights(rng):
    """Weights on flat columns of R^4: size is |w|^2, m the share of it in their span."""
    found = any_weights(rng)
    w = [a + (k == 0) for k, a in enumerate(found["w"])]
    size = sum((a * a for a in w), Fraction(0)) or Fraction(1)
    inside = [
        sum((a * b for a, b in zip(w, c, strict=True)), Fraction(0)) for c in found["columns"]
    ]
    noise = Fraction(int(rng.integers(1, 5)), 4)
    return {
        **found,
        "w": w,
        "noise": noise,
        "size": size,
        "m": sum((a * a for a in inside), Fraction(0)) / size,
        "r": Fraction(len(inside), 4),
        "n": 4,
        "s": 3 * noise**2,
    }


def any_weights(rng):
    """Flat columns of R^4, the coordinates of a signed permutation of them, any weights; at q = 1/3 codes have a
    Gaussian's fourth moments, so that q is smaller."""
    signs = [Fraction(int(rng.signs()), 2) for _ in range(4)]
    columns = [
        [a * b for a, b in zip(c, signs, strict=True)]
        for c in flat_columns(int(rng.integers(1, 3)), 4)
    ]
    return {
        "w": rng.rational((4,), 5),
        "columns": columns,
        "q": Fraction(1, int(rng.integers(4, 9))),
        "noise": Fraction(int(rng.integers(0, 4)), 6),
    }


FIELDS = "w columns q noise"
ERROR = size**2 * (6 * q + 36 * q * s + 48 * s**2 - 9 * q**2 / 4)
PRODUCT = size**2 * 2 * (5 * q + 8 * s) * (q + 4 * s)


def along_the_column(size, q, noise, s):
    """v for w = size (1, 1, 1, 1) and M = (1, 1, 1, 1)/2. Shape ()."""
    return error([size] * 4, [[Fraction(1, 2)] * 4], q, noise)


def product_along_the_column(size, q, noise, s):
    return product_of_means([size] * 4, [[Fraction(1, 2)] * 4], q, noise)


def rates(rng):
    noise = Fraction(int(rng.integers(1, 4)), 6)
    return {
        "size": Fraction(int(rng.integers(1, 9)), 3),
        "q": Fraction(1, int(rng.integers(2, 9))),
        "noise": noise,
        "s": 3 * noise**2,
    }


ON_COLUMN = instances(rates, "size q noise s", smoke=3, standard=6)

printed = claim(
    "decoupling-batch-constant-printed",
    states="decoupling-empirical-gradient",
    title="A product of means for the error of a batch",
    says=r"$K\,\mathbb E\|\hat g_K-g\|^2\le C\,w^\top(\Sigma+\mathrm{diag}\,\Sigma)w\cdot2\,\mathrm{tr}\,\Sigma$ for "
    r"some $C$ and all $q$ and $\sigma^2$, at $d_1=4$, $d=1$, $w$ along the column.",
    role="derived",
    covers="constant",
    reads={"eps": "C", "w": "size"},
    expect="fail",
    **ONE_POINT,
    legs=[
        leg(
            "error of a batch",
            along_the_column,
            closed_form=ERROR,
            required=False,
            instances=ON_COLUMN,
            lhs=r"K\,\mathbb E\|\hat g_K-g\|^2",
        ),
        leg(
            "product of means",
            product_along_the_column,
            closed_form=PRODUCT,
            required=False,
            instances=ON_COLUMN,
            lhs=r"w^\top(\Sigma+\mathrm{diag}\,\Sigma)w\cdot2\,\mathrm{tr}\,\Sigma",
        ),
        formula_leg(
            "some constant",
            typed(
                f"{ERROR} <= C*({PRODUCT})",
                over=[
                    "C in (0, oo)",
                    "q in (0, 1/(35*C + 1))",
                    "s in (0, q**2)",
                    "size in (0, oo)",
                ],
            ),
        ),
    ],
)

moments = claim(
    "decoupling-batch-constant",
    states="decoupling-empirical-gradient",
    title="The constant of a batch's error",
    says=r"$K\,\mathbb E\|\hat g_K-g\|^2+\|g\|^2=4\sum_{k\ne l}w_k^2\mathbb E\,x_k^2x_l^2+2\sum w_kw_l\mathbb E\,"
    r"x_kx_lx_m^2$ over distinct $k,l,m$, with the fourth cumulants of the codes.",
    role="corrected",
    corrects="decoupling-batch-constant-printed",
    covers="constant",
    left={"eps": "equality"},
    **ONE_POINT,
    legs=[
        leg(
            "codes, masks, noise",
            error,
            reference=by_moments,
            unit=1,
            lhs=r"K\,\mathbb E\|\hat g_K-g\|^2",
            tex=r"4\sum_{k\ne l}w_k^2\mathbb E\,x_k^2x_l^2+2\sum w_kw_l\mathbb E\,x_kx_lx_m^2-\|g\|^2",
            instances=instances(any_weights, FIELDS, smoke=2, standard=6),
        )
    ],
    rivals=[
        variant("the product of means", reference=product_of_means, leg="codes, masks, noise"),
        variant("Gaussian codes", reference=as_if_gaussian, leg="codes, masks, noise"),
    ],
)

FLAT = instances(flat_weights, "w columns q noise size m r n s", smoke=2, standard=6)
ALL_WEIGHTS = [
    "q in (0, 1]",
    "s > 0",
    "n in 1..oo",
    "r in (0, 1]",
    "m in [0, 1]",
    "size > 0",
    f"eps in [7/(n*({D})) + 6/n, oo)",
]
ABOVE = formula_leg("above", typed(f"{OF_FLAT} <= (1 + eps)*({PRODUCT_OF_FLAT})", over=ALL_WEIGHTS))
BELOW = formula_leg("below", typed(f"{OF_FLAT} >= (1 - eps)*({PRODUCT_OF_FLAT})", over=ALL_WEIGHTS))

flat = claim(
    "decoupling-batch-constant-flat",
    states="decoupling-empirical-gradient",
    title="The constant of a batch's error, exactly flat columns",
    says=r"For $|M_{kj}|=1/\sqrt{d_1}$: $K\,\mathbb E\|\hat g_K-g\|^2=w^\top(\Sigma+\mathrm{diag}\,\Sigma)w\cdot2\,"
    r"\mathrm{tr}\,\Sigma\,(1\pm\epsilon)$ with $\epsilon=\frac7{qd+\sigma^2d_1}+\frac6{d_1}$, for every $w$.",
    role="corrected",
    corrects="decoupling-batch-constant-printed",
    covers="constant",
    encodes="special-case",
    reads={"w": "size m"},
    **ONE_POINT,
    legs=[
        leg(
            "error of a batch",
            error_of_flat,
            closed_form=OF_FLAT,
            required=False,
            unit=1,
            instances=FLAT,
            lhs=r"K\,\mathbb E\|\hat g_K-g\|^2",
        ),
        leg(
            "product of means",
            product_of_flat,
            closed_form=PRODUCT_OF_FLAT,
            required=False,
            instances=FLAT,
            lhs=r"w^\top(\Sigma+\mathrm{diag}\,\Sigma)w\cdot2\,\mathrm{tr}\,\Sigma",
        ),
        ABOVE,
        BELOW,
    ],
    rivals=[
        variant("the product itself", closed_form=PRODUCT_OF_FLAT, leg="error of a batch"),
        variant("without 2", closed_form=PRODUCT_OF_FLAT / 2, leg="product of means"),
        *rivals_of(ABOVE, {"no error above": f"{OF_FLAT} <= {PRODUCT_OF_FLAT}"}),
        *rivals_of(BELOW, {"no error below": f"{OF_FLAT} >= {PRODUCT_OF_FLAT}"}),
    ],
)
