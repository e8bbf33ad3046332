r"""Corollaries 2.3 and A.24, the quantifiers as printed: one predictor that no member of a family defeats.

Setting. K(x, x') = cos(pi sum_l (z_l - z'_l)/(2 D)), z = 2 phi~ - 1, is shift-invariant, K(x, x) = 1; f = C K(1, .)
with one centre, all ones, and C = 2 D/k, so |f|_K = |al|_2 = C: at D = 16 k, L = 32 admits it into both classes. p_o =
1/2.

Statement. Print: some polynomials have, for each f of the class, a member on which the hinge loss is at least p_o (1 -
P_1/2^k) - 1/P_2. Where gamma is at most (1 - p_o)/2 that holds of every function. Near gamma = 1/2 it does not: A
relevant pattern differs from (1 + y)/2 with chance e = 1/2 - gamma, by the covariance that all of them share, so N of
k differ with E N = k e, whatever the member. With s = sum_l z_l, f = C sin(pi s/(2 D)), and y s >= k/2 gives y f >= 1;
else N >= k/8 or the background has y sum z < -k/4. So every member has hinge at most (1 + C)(8 e + exp(-k^2/(32 (D -
k)))), at D = 16 k at most 33 (8 e + exp(-k/480)): below p_o (1 - P/2^k) - 1/P for all P from 3 on, e <= 10^-4 and k
large. Values of P_2 up to 2 make the print say nothing.

Reference: Corollary 2.3, lines 648-652; Corollary A.24, lines 3862-3864.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from flint import arb, ctx

from theorycheck import claim, formula_leg, rivals_of, typed, variant

from ._balls import ONE_POINT, number
from ._bounded import bounded

KERNEL, PRECISION = "structured-kernel-corollary", 80
FIELDS = "D k misses"


def wave(D, s):
    """C K(1, x) by the sum s of the z: C cos(pi (D - s)/(2 D))."""
    return (arb.pi() * (D - s) / (2 * D)).cos()


def hinge_of(D, k, misses):
    """E max(0, 1 - y f), by the numbers of misses and of active background patterns. Shape ()."""
    with ctx.workprec(PRECISION):
        n, total, chance = D - k, arb(0), arb(2) ** (k - D)
        C = number(Fraction(2 * D, k))
        for j in range(n + 1):
            for N, c in misses:
                for y in (1, -1):
                    loss = 1 - y * C * wave(D, y * (k - 2 * N) + 2 * j - n)
                    total += chance * number(Fraction(c, 2)) * loss.max(arb(0))
            chance = chance * (n - j) / (j + 1)
        return total


def hinge_bound(D, k, misses, miss=1, back=1, share=1):
    """(1 + C)(8 E N/k + exp(-k^2/(32 (D - k)))). Shape ()."""
    with ctx.workprec(PRECISION):
        mean = number(miss * 8 * sum((c * N for N, c in misses), Fraction(0)) / k)
        tail = back * (-number(Fraction(k * k, 32 * (D - k)))).exp()
        return number(share * (1 + Fraction(2 * D, k))) * (mean + tail)


def without_misses(D, k, misses):
    return hinge_bound(D, k, misses, miss=0)


def without_background(D, k, misses):
    return hinge_bound(D, k, misses, back=0)


def a_thirtieth(D, k, misses):
    return hinge_bound(D, k, misses, share=Fraction(1, 30))


def some_member(rng):
    """Up to 29 relevant patterns of at least 16 times as many, any law of the misses below a half."""
    k = 2 * int(rng.integers(2, 15)) + 1
    weights = [Fraction(int(w)) for w in rng.integers(1, 9, 3)]
    rows = zip((0, int(rng.integers(1, k // 2 + 1)), k // 2), weights, strict=True)
    return {"D": 16 * k, "k": k, "misses": [(N, w / sum(weights)) for N, w in rows]}


def one_of_ten(rng):
    """Half as many background patterns: what is lost comes from misses."""
    return {"D": 301, "k": 201, "misses": [(0, Fraction(9, 10)), (100, Fraction(1, 10))]}


def clear(rng):
    """No misses: what is lost comes from the background."""
    return {"D": 80, "k": 5, "misses": [(0, Fraction(1))]}


compared = partial(bounded, FIELDS)
printed = claim(
    "structured-kernel-per-function-printed",
    lhs=r"\mathbb E\max(0,1-yf)",
    tex=r"(1+C)\big(8(\tfrac12-\gamma)+e^{-k^2/(32(D-k))}\big)",
    states=KERNEL,
    title="Kernel corollary, one function at a time",
    says=r"For some polynomial every $f$ of the class has a member of the family with hinge at least $\frac12(1-P/2^k)-"
    r"1/P$; at $D=16k$, $L=32$ one $f$ has at most $33(8e+e^{-k/480})$ on all members with $\gamma=\frac12-e$.",
    expect="fail",
    covers="per-function",
    reads={"law": "D k misses", "f": "D k"},
    **ONE_POINT,
    legs=[
        compared("members", hinge_of, hinge_bound, some_member, 2, 6),
        formula_leg(
            "one wave",
            typed(
                "(1/2)*(1 - poly/2**k) - 1/poly <= 33*(8*e + exp(-k/480))",
                over=["poly in [3, oo)", "k in 5001..oo", "e in (0, 1/10000]"],
            ),
            over="poly f law",
        ),
    ],
)


PARTS = formula_leg(
    "two reasons",
    typed(
        "k - 2*N + b >= k/2 or N >= k/8 or b < -k/4",
        over=["k in 1..oo", "N in 0..k", "b in R"],
    ),
)
MARKOV = formula_leg("misses", typed("(k*e)/(k/8) == 8*e", over=["k in 1..oo", "e in [0, 1/2]"]))
SLOPE = formula_leg(
    "the wave",
    typed("(2*D/k)*sin(pi*t/2) >= (2*D/k)*t", over=["D > 0", "k > 0", "t in [0, 1]"]),
)
LARGE = "33*(8/10000 + exp(-k/480)) <= {c}"
SIZE = formula_leg("large k", typed(LARGE.format(c="3/100"), over="k in 5001..oo"))
below = claim(
    "structured-kernel-wave",
    lhs=r"\mathbb E\max(0,1-yf)",
    tex=r"(1+C)\big(8(\tfrac12-\gamma)+e^{-k^2/(32(D-k))}\big)",
    states=KERNEL,
    title="One wave on all members of a family",
    says=r"$f=C\sin(\pi\sum z/(2D))$, $C=2D/k$, has hinge at most $(1+C)\big(8(\frac12-\gamma)+e^{-k^2/(32(D-k))}"
    r"\big)$ on every member of the family at $p_o=\frac12$: at $D=16k$, $\gamma\ge\frac12-10^{-4}$, $k>5000$ at most "
    r"$\frac3{100}$.",
    role="derived",
    corrects="structured-kernel-per-function-printed",
    encodes="part",
    **ONE_POINT,
    legs=[
        compared("members", hinge_of, hinge_bound, some_member, 2, 6),
        compared("one of ten misses", hinge_of, hinge_bound, one_of_ten),
        compared("no misses", hinge_of, hinge_bound, clear),
        PARTS,
        MARKOV,
        SLOPE,
        SIZE,
    ],
    rivals=[
        variant("without the misses", reference=without_misses, leg="one of ten misses"),
        variant("without the background", reference=without_background, leg="no misses"),
        variant("a thirtieth", reference=a_thirtieth, leg="no misses"),
        *rivals_of(PARTS, {"k/4": {"says": "k - 2*N + b >= k/2 or N >= k/4 or b < -k/4"}}),
        *rivals_of(MARKOV, {"4 e": "(k*e)/(k/8) == 4*e"}),
        *rivals_of(SLOPE, {"pi/2": "(2*D/k)*sin(pi*t/2) >= (2*D/k)*(pi/2)*t"}),
        *rivals_of(SIZE, {"1/40": LARGE.format(c="1/40")}),
    ],
)
