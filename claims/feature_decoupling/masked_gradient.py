r"""Lemma C.2: the positive gradient of the first stage, exactly.

Setting. No bias; x+ = 2 D x, x++ = 2 (I - D) x, x = M z + xi with orthonormal columns M_j; <w, M_j> = alpha_j. Along
a direction v the lemma's expectation is E <w, x++><x+, v>, which is q w^T (M M^T - diag(M M^T)) v (`random_mask`).

Statements. (1) Along M_j it is q (alpha_j - w^T diag(M M^T) M_j), along v orthogonal to the columns -q w^T diag(M
M^T) v; the noise drops out. (2) For a flat dictionary diag(M M^T) is d/d1, so that these are q alpha_j (1 - d/d1) and
-q (d/d1) <w, v>: a loss of signal, not a fluctuation. (3) In general the error is at most q max_k (M M^T)_kk |w|,
since |sum_k w_k r_k v_k| <= max r |w||v|; with |M_jk| <= P/sqrt d1 that is q d P^2/d1 |w|, and q d = C_z log log d.
(4) With uniform logits the negatives add nothing in the mean, and a step multiplies alpha_j by 1 + eta (r q (1 -
d/d1) - lambda), <w, v> by 1 - eta (r q d/d1 + lambda), r = 1 - 1/(N + 1).

Reference: Lemma C.2, lines 575-583; Induction Hypothesis C.4, lines 646-650.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import sympy as sp

from theorycheck import (
    at_most,
    claim,
    equals,
    formula_leg,
    instances,
    integers,
    leg,
    reals,
    rivals_of,
    typed,
    variant,
)

from ._dictionary import codes, dot, flat_columns

d, e, N = sp.symbols("d e N", integer=True, positive=True)
q, eta, lam = sp.symbols("q eta lam", positive=True)
r = sp.Symbol("r", positive=True)


def masked(w, v, columns, q):
    """E <w, 2 (I - D) M z><2 D M z, v> over all masks and codes; the noise has E (1 - D_k) D_k = 0 in it. Shape ()."""
    n, d = len(w), len(columns)
    total = Fraction(0)
    for z, p in codes(d, q):
        if not any(z):
            continue
        x = [sum((z[j] * columns[j][k] for j in range(d)), Fraction(0)) for k in range(n)]
        for D in product((0, 1), repeat=n):
            first = sum(2 * (1 - D[k]) * w[k] * x[k] for k in range(n))
            total += p * first * sum(2 * D[k] * v[k] * x[k] for k in range(n)) / 2**n
    return total


def exactly(w, v, columns, q):
    """q (w^T M M^T v - w^T diag(M M^T) v). Shape ()."""
    squares = [sum((c[k] ** 2 for c in columns), Fraction(0)) for k in range(len(w))]
    kept = sum((dot(w, c) * dot(c, v) for c in columns), Fraction(0))
    return Fraction(q) * (kept - sum(a * s * b for a, s, b in zip(w, squares, v, strict=True)))


def rotation(rng, n):
    """A rational orthogonal matrix of size n: a product of reflections. Rows."""
    rows = [[Fraction(int(i == j)) for j in range(n)] for i in range(n)]
    for _ in range(2):
        a = [Fraction(int(rng.integers(1, 5)) * int(rng.signs())) for _ in range(n)]
        rows = [
            [x - 2 * dot(row, a) * y / dot(a, a) for x, y in zip(row, a, strict=True)]
            for row in rows
        ]
    return rows


def draw(rng, d, e, q):
    """Orthonormal columns, one of them or a direction beside them, and any weights."""
    n = 2**e
    basis = rotation(rng, n)
    at = int(rng.integers(0, n))
    w, v, M = rng.rational((n,), 4), basis[at], basis[:d]
    squares = [sum((c[k] ** 2 for c in M), Fraction(0)) for k in range(n)]
    lost = sum(a * s * b for a, s, b in zip(w, squares, v, strict=True))
    return {
        "w": w,
        "v": v,
        "M": M,
        "k": dot(w, v) if at < d else Fraction(0),
        "l": lost,
        "h": dot(w, v),
    }


def gradient(w, v, M, d, e, q):
    return masked(w, v, M, q)


k, l, h = sp.symbols("k l h", real=True)
STATED = q * (k - l)
"""k is alpha_j for v = M_j and 0 for v beside the columns, l is w^T diag(M M^T) v; h is <w, v>."""


def without_loss(w, v, M, q):
    j = next((j for j, column in enumerate(M) if column == v), None)
    return Fraction(q) * (dot(w, M[j]) if j is not None else 0)


SIZES = {
    "domain": {d: integers(1), e: integers(0), q: reals(0, 1, low_open=True)},
    "where": d <= 2**e,
    "grid": {
        "smoke": [
            {d: 1, e: 1, q: Fraction(1, 3)},
            {d: 2, e: 1, q: Fraction(1, 2)},
            {d: 2, e: 2, q: Fraction(1, 5)},
        ],
        "standard": [{d: k, e: 2, q: h} for k in (1, 3, 4) for h in (Fraction(1, 10), 1)],
    },
}
SMALL = (d <= 4) & (e <= 2)
DRAWN = instances(draw, "w v M k l h", smoke=3, standard=4)

# entry (k, l) of E x x^T is a = q (M M^T)_kl, plus s2 on the diagonal
ENTRY = formula_leg(
    "an entry",
    typed(
        "a*E[4*(1 - C)*D] + (b + s2)*E[4*(1 - D)*D] == a",
        over=["a in R", "b in R", "s2 >= 0", "C, D ~ Bernoulli(1/2)"],
    ),
    over="w M d d1 sigma",
)
# <w, M M^T v> = alpha_j for v = M_j, 0 beside the columns
COLUMN = formula_leg(
    "orthonormal",
    typed(
        "q*(alpha*1 - s) == q*(alpha - s) and q*(alpha*0 - s) == -q*s",
        over=["q in [0, 1]", "alpha in R", "s in R"],
    ),
    over="w M d d1 sigma",
)

# k is <w, M M^T v>, and the noise is on the diagonal
WHOLE = formula_leg(
    "all entries",
    typed(
        f"q*(k - l)*E[4*(1 - C)*D] + (q*l + s2*h)*E[4*(1 - D)*D] == {STATED}",
        over=["q in [0, 1]", "k in R", "l in R", "h in R", "s2 >= 0", "C, D ~ Bernoulli(1/2)"],
    ),
    over="w M d d1 sigma",
)

exact = claim(
    "decoupling-masked-gradient",
    lhs=r"\mathbb E\langle w,x^{++}\rangle\langle x^+,v\rangle",
    tex=r"q(\langle w,MM^\top v\rangle-w^\top\operatorname{diag}(MM^\top)v)",
    states="decoupling-stage1-gradient",
    title="The positive gradient without bias",
    says=r"Along $M_j$ it is $q(\alpha_j-w^\top\operatorname{diag}(MM^\top)M_j)$, beside the columns "
    r"$-q\,w^\top\operatorname{diag}(MM^\top)v$.",
    role="derived",
    covers="exact",
    relation=equals(),
    closed_form=STATED,
    legs=[
        leg("all masks and codes", gradient, instances=DRAWN, required=False, where=SMALL, unit=1),
        WHOLE,
        COLUMN,
    ],
    rivals=[
        variant("without loss", closed_form=q * k, leg="all masks and codes"),
        variant("with the noise", closed_form=STATED + h, leg="all masks and codes"),
        *rivals_of(
            WHOLE,
            {
                "independent masks": "q*(k - l)*E[4*(1 - C)*D] + (q*l + s2*h)*E[4*(1 - C)*D] == q*(k - l)"
            },
        ),
        *rivals_of(
            COLUMN, {"s on both": "q*(alpha*1 - s) == q*(alpha - s) and q*(alpha*0 - s) == q*s"}
        ),
    ],
    **SIZES,
)


def share(w, v, M, d, e, q):
    """Error against q alpha_j resp. 0, over q max_k (M M^T)_kk |w|, squared. Shape ()."""
    error = masked(w, v, M, q) - without_loss(w, v, M, q)
    most = max(sum((c[k] ** 2 for c in M), Fraction(0)) for k in range(len(w)))
    return error**2 / (q * q * most * most * dot(w, w)) if any(w) else Fraction(0)


def share_of_all(w, v, M, d, e, q):
    """The same of the expectation itself."""
    most = max(sum((c[k] ** 2 for c in M), Fraction(0)) for k in range(len(w)))
    return masked(w, v, M, q) ** 2 / (q * q * most * most * dot(w, w)) if any(w) else Fraction(0)


def flat(rng, d, e, q):
    """Columns with entries +-1/2 (n = 4) or 1 (n = 1), v and w along the last one or beside them."""
    n = 2**e
    columns = (
        [[x / 2 for x in column] for column in flat_columns(n, n)] if n == 4 else rotation(rng, n)
    )
    return {"w": columns[-1], "v": columns[-1], "M": columns[:d]}


ERROR = formula_leg("noise in an entry", ENTRY.simulation, over="w j Otilde")
PRODUCTS = formula_leg(
    "products",
    typed(
        "abs(r*w*v) <= m*(abs(w)*abs(v))", over=["m in [0, oo)", "r in [0, m]", "w in R", "v in R"]
    ),
    over="w j Otilde",
)
SCHWARZ = formula_leg(
    "Cauchy-Schwarz, one entry more",
    typed(
        "(a*b + w*v)**2 <= (a**2 + w**2)*(b**2 + v**2)",
        over=["a in R", "b in R", "w in R", "v in R"],
    ),
    over="w j Otilde",
)
FLATNESS = formula_leg(
    "flat columns",
    typed(
        "q*(d*P**2/d1) == (q*d)*P**2/d1", over=["q in [0, 1]", "d in 1..oo", "d1 in 1..oo", "P > 0"]
    ),
    over="w j Otilde",
)

bounds = claim(
    "decoupling-masked-gradient-error",
    lhs=r"\Big(\frac{\text{error}}{q\max_k(MM^\top)_{kk}\|w\|}\Big)^2",
    tex="1",
    states="decoupling-stage1-gradient",
    title="Size of the error",
    says=r"Along $M_j$ the expectation is $q\alpha_j$ and beside the columns 0, up to $q\max_k(MM^\top)_{kk}\|w\|\le"
    r"\frac{qdP^2}{d_1}\|w\|$ for $|M_{jk}|\le P/\sqrt{d_1}$.",
    covers="sparse dense",
    reads={"j": "v"},
    relation=at_most(),
    closed_form=sp.Integer(1),
    legs=[
        leg("drawn dictionaries", share, instances=DRAWN, required=False, where=SMALL),
        leg(
            "flat dictionaries",
            share,
            instances=instances(flat, "w v M", smoke=1),
            required=False,
            where=(e <= 2) & sp.Ne(e, 1) & (d <= 4),
        ),
        ERROR,
        PRODUCTS,
        SCHWARZ,
        FLATNESS,
    ],
    rivals=[
        variant(
            "half of it",
            closed_form=sp.Rational(1, 4),
            leg="flat dictionaries",
            at=[{d: 2, e: 2, q: 1}],
        ),
        variant(
            "around 0",
            simulation=share_of_all,
            leg="flat dictionaries",
            at=[{d: 1, e: 2, q: 1}],
            instances=instances(
                lambda rng, d, e, q: {
                    "w": [Fraction(1, 2)] * 4,
                    "v": [Fraction(1, 2)] * 4,
                    "M": [[Fraction(1, 2)] * 4],
                },
                "w v M",
                smoke=1,
            ),
        ),
        *rivals_of(PRODUCTS, {"m/2": "abs(r*w*v) <= m/2*(abs(w)*abs(v))"}),
        *rivals_of(SCHWARZ, {"half": "(a*b + w*v)**2 <= (a**2 + w**2)*(b**2 + v**2)/2"}),
        *rivals_of(FLATNESS, {"/d1^2": "q*(d*P**2/d1) == (q*d)*P**2/d1**2"}),
    ],
    **SIZES,
)
