r"""Theorems B.62 and B.65, Lemmas B.59 and B.61: the framework in the sup norm.

Setting. gap(B) = A/B + B up to r B_a1 and the cone term, A = B_x1 B_G1 B_b/(sqrt(mp) B_G); v in R^d with |v|_oo <=
gamma.

Statements. (1) The least gap is 2 sqrt(B_x1 B_G1 B_b/B_G) (mp)^(-1/4), at B = sqrt(B_x1 B_G1) (mp)^(-1/4)
sqrt(B_b/B_G). (2) The width that makes it eps/(r B_a1) is (2 r B_a1 sqrt(B_x1 B_G1) sqrt(B_b/B_G))^4/(p eps^4), no
more than with B_x1 for B_G1 <= B_x1. (3) The printed network's cone term at B.65 is 6 sqrt 2 k (k + 1) sqrt(d log
d)/(d - k). (4) The trimmed network's, (k + 1) 2 sqrt k |v|_2 with |v|_2 <= (k - 1)/sqrt(k (d - k)), is below k^2
sqrt(d log d)/(d - k) on d >= 2 k^2.

Reference: lines 7341-7370, 7447-7463, 7495-7511, 7563-7571.
"""

from __future__ import annotations

from fractions import Fraction

from theorycheck import (
    claim,
    formula,
    formula_leg,
    instances,
    rivals_of,
    typed,
    variant,
)

from ._beside import beside

FIELDS = "q k x u r Ba1 BG eps"


def parameters(rng):
    """mp = q^4, B_b = k^2 B_G, B_x1 B_G1 = x^2 and B_x1 = x u, so that every root is rational."""
    q, k, x, Ba1, BG = (abs(v) + Fraction(1, 5) for v in rng.rational((5,), 4))
    return {
        "q": q,
        "k": k,
        "x": x,
        "u": 1 + abs(rng.rational((), 3)),
        "r": int(rng.integers(1, 6)),
        "Ba1": Ba1,
        "BG": BG,
        "eps": abs(rng.rational((), 3)) + Fraction(1, 7),
    }


DRAWN = instances(parameters, FIELDS, smoke=4, standard=12)


def two_terms(width, root, k, x, u, BG):
    """B_x1 B_G1 B_b/(sqrt(mp) B_G B_eps) + B_eps with sqrt(mp) = root^2 and B_G1 = x/u."""
    Bx1, BG1, Bb = x * u, x / u, k**2 * BG
    return Bx1 * BG1 * Bb / (root**2 * BG * width) + width


def least(q, k, x, u, r, Ba1, BG, eps):
    """The least sum over widths i/8, i = 1, ..., 24, times sqrt(B_x1 B_G1) (mp)^(-1/4) sqrt(B_b/B_G). Shape ()."""
    best = x / q * k
    return min(two_terms(best * Fraction(i, 8), q, k, x, u, BG) for i in range(1, 25))


def optimum(q, k, x, u, r, Ba1, BG, eps):
    """2 sqrt(B_x1 B_G1 B_b/B_G) (mp)^(-1/4). Shape ()."""
    return 2 * x * k / q


def with_B_x1(q, k, x, u, r, Ba1, BG, eps):
    return 2 * (x * u) * k / q


def gap_at_width(q, k, x, u, r, Ba1, BG, eps, constant=2):
    """r B_a1 times the least sum at mp = (2 r B_a1 sqrt(B_x1 B_G1) sqrt(B_b/B_G)/eps)^4. Shape ()."""
    root = constant * r * Ba1 * x * k / eps
    return r * Ba1 * least(root, k, x, u, r, Ba1, BG, eps)


def target(q, k, x, u, r, Ba1, BG, eps):
    """eps. Shape ()."""
    return eps


def smaller_width(q, k, x, u, r, Ba1, BG, eps):
    return gap_at_width(q, k, x, u, r, Ba1, BG, eps, Fraction(3, 2))


POSITIVE = [f"{name} in (0, oo)" for name in ("Bx1", "BG1", "Bb", "BG", "m", "p")]
TERM = "Bx1*BG1*Bb/(sqrt(m*p)*BG)"
BEST = "(sqrt(Bx1*BG1)*(m*p)**(-1/4)*sqrt(Bb/BG))"
LEAST = "2*sqrt(Bx1*BG1*Bb/BG)*(m*p)**(-1/4)"

VALUE = formula_leg(
    "at the minimiser",
    typed(f"({TERM})/{BEST} + {BEST} == {LEAST}", over=POSITIVE),
)
# e is the width of the window
AM_GM = formula_leg(
    "nowhere less", typed(f"({TERM})/e + e >= {LEAST}", over=[*POSITIVE, "e in (0, oo)"])
)

minimiser = claim(
    "gradfeat-sup-minimiser",
    states="gradfeat-uniform-parity-alt-framework",
    title="The best width of the bias window in the sup norm",
    says=r"$\min_B\big(\frac{B_{x1}B_{G1}B_b}{\sqrt{mp}B_GB}+B\big)=2\sqrt{B_{x1}B_{G1}B_b/B_G}\,(mp)^{-1/4}$.",
    covers="minimiser",
    reads={"parameters": "Bx1 BG1 Bb BG m p"},
    legs=[
        VALUE,
        AM_GM,
        beside(
            "widths",
            least,
            r"\min_B\Big(\frac{B_{x1}B_{G1}B_b}{\sqrt{mp}B_GB}+B\Big)",
            r"2\sqrt{B_{x1}B_{G1}B_b/B_G}\,(mp)^{-1/4}",
            reference=optimum,
            instances=DRAWN,
        ),
    ],
    rivals=[
        variant("B_x1 for its mean with B_G1", reference=with_B_x1, leg="widths"),
        *rivals_of(
            VALUE,
            {
                "half of it": f"({TERM})/{BEST} + {BEST} == ({LEAST})/2",
                "(mp)^(-1/2)": f"({TERM})/{BEST} + {BEST} == 2*sqrt(Bx1*BG1*Bb/BG)*(m*p)**(-1/2)",
            },
        ),
        *rivals_of(AM_GM, {"5/2": f"({TERM})/e + e >= 5*({LEAST})/4"}),
    ],
)

SIZES = ["p in (0, 1]", *(f"{name} in (0, oo)" for name in ("Bb", "BG", "r", "Ba1", "eps"))]
PRODUCT = ["Bx1 in (0, oo)", "BG1 in (0, Bx1]", *SIZES]
WIDTH = "((2*r*Ba1*sqrt(Bx1*BG1)*sqrt(Bb/BG))**4/(p*eps**4))"
GAP = "r*Ba1*2*sqrt(Bx1*BG1*Bb/BG)*({width}*p)**(-1/4)"

SOLVED = formula_leg("width", typed(f"{GAP.format(width=WIDTH)} == eps", over=PRODUCT))
SMALLER = formula_leg(
    "no more",
    typed(f"{WIDTH} <= (2*r*Ba1*Bx1*sqrt(Bb/BG))**4/(p*eps**4)", over=PRODUCT),
)

width = claim(
    "gradfeat-sup-width",
    states="gradfeat-uniform-parity-alt-framework",
    title="Width in the sup norm",
    says=r"$m=\frac1{p\epsilon^4}\big(2rB_{a1}\sqrt{B_{x1}B_{G1}}\sqrt{B_b/B_G}\big)^4$ makes the gap "
    r"$\epsilon$, no more than with "
    r"$B_{x1}$ for $B_{G1}\le B_{x1}$.",
    covers="width",
    reads={"parameters": "Bx1 BG1 Bb BG p r Ba1 eps"},
    legs=[
        SOLVED,
        SMALLER,
        beside(
            "gap at this width",
            gap_at_width,
            r"\min_{B_\epsilon}\mathrm{gap}",
            r"\epsilon",
            reference=target,
            instances=DRAWN,
        ),
    ],
    rivals=[
        variant("3/2 for 2", simulation=smaller_width, leg="gap at this width"),
        *rivals_of(SOLVED, {"eps^2": f"{GAP.format(width=f'({WIDTH}*eps**2)')} == eps"}),
        *rivals_of(
            SMALLER,
            {"B_G1 above B_x1": {"over": ["Bx1 in (0, oo)", "BG1 in [Bx1, oo)", *SIZES]}},
        ),
    ],
)

PRINTED = "3*(k + 1)*2*sqrt(k)*sqrt(2*d*log(d))*sqrt(k)/(d - k)"
plug_in = formula(
    "gradfeat-sup-cone-term",
    states="gradfeat-uniform-parity-alt-main",
    title="The cone term of the printed network in the sup norm",
    covers="plug-in",
    says=f"{PRINTED} == 6*sqrt(2)*k*(k + 1)*sqrt(d*log(d))/(d - k)",
    over=["k in 2..oo", "d in 2*k**2..oo"],
    rivals={"k^2 in all": f"{PRINTED} == k**2*sqrt(d*log(d))/(d - k)"},
)

# (k + 1) 2 sqrt k (k - 1)/sqrt(k (d - k)) against k^2 sqrt(d log d)/(d - k), times sqrt(d - k), squared
REPAIRED = formula_leg(
    "squared",
    typed("4*(k**2 - 1)**2*(d - k) <= k**4*d*log(d)", over=["k in 2..oo", "d in 2*k**2..oo"]),
)
# u = d - k
REDUCED = formula_leg(
    "without the common root",
    typed(
        "((k + 1)*2*sqrt(k)*(k - 1)/sqrt(k*u))**2 == 4*(k**2 - 1)**2*u/u**2",
        over=["k in 2..oo", "u in (0, oo)"],
    ),
    over="d",
)

repair = claim(
    "gradfeat-sup-cone-term-trimmed",
    states="gradfeat-uniform-parity-alt-main",
    title="The cone term of the trimmed network in the sup norm",
    says=r"$(k+1)\,2\sqrt k\,\frac{k-1}{\sqrt{k(d-k)}}\le\frac{k^2\sqrt{d\log d}}{d-k}$ on the whole setup "
    r"$d\ge2k^2$, even $k$.",
    role="derived",
    covers="repair",
    legs=[REPAIRED, REDUCED],
    rivals=[
        *rivals_of(REPAIRED, {"half of it": "4*(k**2 - 1)**2*(d - k) <= k**4*d*log(d)/2"}),
        *rivals_of(
            REDUCED,
            {
                "k + 2": "((k + 2)*2*sqrt(k)*(k - 1)/sqrt(k*u))**2 == 4*(k**2 - 1)**2*u/u**2",
            },
        ),
    ],
)
