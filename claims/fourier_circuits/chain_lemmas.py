"""Eq. (C.4)-(C.8), (C.11)-(C.16): the means and the powers of the chain, for every number of them.

Setting. k + 1 = K moduli at one frequency with the squares z_1 .. z_K; shares t_j of the power at the
frequencies, sum at most 1; p/2 is what z may sum to.

Statements. (1) The logarithm of the product of the z is at most K times that of their mean: halved, the product
of the moduli is at most the K/2-th power of the mean of their squares (where a modulus is 0 the product is 0).
In units of the mean every z other than 1 leaves y - 1 - log y > 0 over, and what the others leave over is not
negative: equal only where all agree. (2) (t p/2)^{(k+1)/2} is at most t (p/2)^{(k+1)/2}, and what stays d_j
below that sums to at most (p/2)^{(k+1)/2}; at k >= 2 and 0 < t < 1 it stays below strictly, so that equality
asks for one share 1. (3) With squares in the place of z and a quarter in the place of a half the same holds
from k = 3 on, and at k = 1, 2 two equal entries refute it: 2 > 2^{(k+1)/4}.

Reference: Eq. (C.4)-(C.16) (arXiv 2402.09469); programs: `norm_chain`, `norm_inequalities`.
"""

from __future__ import annotations

from theorycheck import claim, formula_leg, rivals_of, sharpened, typed

LOGARITHMS = "Sum(log(z[j]), (j, 1, K))"
mean = formula_leg(
    "logarithms",
    typed(
        f"{LOGARITHMS} <= K*log(Sum(z[j], (j, 1, K))/K)",
        over=["K in 2..oo", "z[j] in (0, oo) for j in 1..K"],
    ),
    lhs=r"\sum_j\log z_j",
    tex=r"(k+1)\,\log\frac{\sum_jz_j}{k+1}",
)
unequal = formula_leg(
    "unequal ones", typed("z - 1 - log(z) > 0", over="z in (0, oo)", where="z != 1")
)
means = claim(
    "fourier-norm-chain-means-every-k",
    states="fourier-norm-chain",
    title="Product and mean, for every number of moduli",
    says="For every $K=k+1$ and all positive squares the sum of the logarithms is at most $K$ times the logarithm of "
    "the mean, and what a square leaves over is positive unless it is the mean.",
    role="derived",
    covers="means",
    reads={"k": "K", "moduli": "z"},
    legs=[mean, unequal],
    rivals=[
        *sharpened(mean, unequal),
        *rivals_of(
            mean, {"divided by K + 1": f"{LOGARITHMS} <= K*log(Sum(z[j], (j, 1, K))/(K + 1))"}
        ),
        *rivals_of(unequal, {"equal ones too": {"where": []}}),
    ],
)

SHARES = "t[j] in [0, 1] for j in 1..q"
SHORT = "d[j] in [0, oo) for j in 1..q"
one_share = formula_leg(
    "one share",
    typed(
        "(t*p/2)**((k + 1)/2) <= t*(p/2)**((k + 1)/2)",
        over="k in 1..oo; p in 3..oo; t in [0, 1]",
    ),
    covers="norm-comparison",
)
strictly = formula_leg(
    "a share that is not 0 or 1",
    typed("t**((n + 1)/2) < t", over="n in 2..oo; t in (0, 1)"),
    covers="norm-comparison",
)
total = formula_leg(
    "sum over frequencies",
    typed(
        "Sum(t[j]*(p/2)**((k + 1)/2) - d[j], (j, 1, q)) <= (p/2)**((k + 1)/2)",
        over=["k in 1..oo", "p in 3..oo", "q in 1..oo", SHARES, SHORT],
        where="Sum(t[j], (j, 1, q)) <= 1",
    ),
    covers="norm-comparison",
    lhs=r"\sum_jz_j^{(k+1)/2}",
    tex=r"(p/2)^{(k+1)/2}",
)
one_square = formula_leg(
    "one square",
    typed("(Y*t)**((k + 1)/4) <= t*Y**((k + 1)/4)", over="k in 3..oo; Y in (0, oo); t in [0, 1]"),
    covers="printed-2-norm",
)
squares = formula_leg(
    "sum of squares",
    typed(
        "Sum(t[j]*Y**((k + 1)/4) - d[j], (j, 1, q)) <= Y**((k + 1)/4)",
        over=["k in 3..oo", "q in 1..oo", "Y in (0, oo)", SHARES, SHORT],
        where="Sum(t[j], (j, 1, q)) <= 1",
    ),
    covers="printed-2-norm",
    lhs=r"\sum_jz_j^{(k+1)/2}",
    tex=r"\|z\|_2^{(k+1)/2}",
)
two_entries = formula_leg(
    "two equal entries",
    typed("2*(v**2)**((k + 1)/4) > (2*v**2)**((k + 1)/4)", over="k in 1..2; v in (0, oo)"),
    covers="printed-2-norm",
)

powers = claim(
    "fourier-norm-chain-powers-every-k",
    states="fourier-norm-chain",
    title="Powers of shares, for every number of frequencies",
    says="For every $k$, $p$ and number of frequencies shares of sum at most 1 have powers of sum at most 1; "
    "from $k=3$ on so have shares of the squares, and at $k=1,2$ two equal entries do not.",
    role="derived",
    covers="norm-comparison printed-2-norm",
    reads={"z": "t d"},
    legs=[one_share, strictly, total, one_square, squares, two_entries],
    rivals=[
        *sharpened(one_share, strictly, total, one_square, squares, two_entries),
        *rivals_of(one_share, {"exponent k/2": "(t*p/2)**(k/2) <= t*(p/2)**(k/2)"}),
        *rivals_of(strictly, {"from k = 1 on": {"over": "n in 1..oo; t in (0, 1)"}}),
        *rivals_of(
            total,
            {"strictly": "Sum(t[j]*(p/2)**((k + 1)/2) - d[j], (j, 1, q)) < (p/2)**((k + 1)/2)"},
        ),
        *rivals_of(
            one_square, {"from k = 2 on": {"over": "k in 2..oo; Y in (0, oo); t in [0, 1]"}}
        ),
        *rivals_of(
            squares,
            {"strictly, of squares": "Sum(t[j]*Y**((k + 1)/4) - d[j], (j, 1, q)) < Y**((k + 1)/4)"},
        ),
        *rivals_of(two_entries, {"at k = 3 too": {"over": "k in 1..3; v in (0, oo)"}}),
    ],
)
