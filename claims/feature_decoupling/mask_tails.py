r"""Lemmas B.3 and B.4 (1), (2), (4): masked inner products, by Hoeffding, Chebyshev and Gaussian tails.

Setting. s_k = 1 - 2 D_k are independent signs, so that <a, (I - 2 D) b> = sum_k a_k b_k s_k.

Statements. (1) Its mean is 0 and its variance sum_k a_k^2 b_k^2, at most max_k a_k^2 for |b| = 1, 1/n for flat a. (2)
With V >= sum_k a_k^2 b_k^2 it passes t in size with probability at most 2 e^(-t^2/(2 V)): E e^(s x) = cosh x <=
e^(x^2/2). At V = |w|^2 |M_j|_inf^2, t = lambda sqrt V that is 2 e^(-lambda^2/2); for |M_jk| <= P/sqrt d1 and |b| = 1
the size is at most 2 P log d/sqrt d1 but for 2 e^(-2 log^2 d). Beside M_j, <M_j, D v> = -<M_j, (I - 2 D) v>/2 for v
orthogonal to M_j. (3) Z = <w, xi> and <w, (I - 2 D) xi> are Gaussian of variance C sqrt(log d)/d |w|^2; Z^2 >= |w|^2
log^4 d/d has probability erfc((log d)^(7/4)/sqrt(2 C)) <= e^(-log^2 d/(2 C)) for log d >= 1.

Reference: Lemma B.3, lines 467-487, B.4, lines 493-527. B.3 is printed without sizes.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import sympy as sp
from flint import arb, ctx

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

from ._dictionary import ONE_POINT, flat_columns
from ._gaussian import BITS, gate, mean_of, number

n = sp.Symbol("n", integer=True, positive=True)
lam = sp.Symbol("lam", positive=True)


def masked_products(a, b):
    """<a, (I - 2 D) b> for all masks."""
    for D in product((0, 1), repeat=len(a)):
        yield sum((x * y * (1 - 2 * k) for x, y, k in zip(a, b, D, strict=True)), Fraction(0))


def second(a, b, n):
    """Mean of the square over all masks. Shape ()."""
    return sum((x * x for x in masked_products(a, b)), Fraction(0)) / 2**n


largest, length, whole = sp.symbols("largest length whole", nonnegative=True)
BELOW = largest * length


def draw(rng, n):
    """Two vectors, the largest square of the first, the squared length of the second, their squared product."""
    a, b = rng.rational((n,), 4), rng.rational((n,), 4)
    pairs = list(zip(a, b, strict=True))
    return {
        "a": a,
        "b": b,
        "squares": sum((x * x * y * y for x, y in pairs), Fraction(0)),
        "whole": sum((x * y for x, y in pairs), Fraction(0)) ** 2,
        "largest": max(x * x for x in a),
        "length": sum((y * y for y in b), Fraction(0)),
    }


squares = sp.Symbol("squares", nonnegative=True)
DRAWN = instances(draw, "a b squares whole largest length", smoke=3, standard=8)
ONE = formula_leg(
    "a sign squared",
    typed("E[(1 - 2*D)**2] == 1", over=["p in R", "D ~ Bernoulli(1/2)"]),
    over="M_j v D",
)
TWO = formula_leg(
    "two signs",
    typed("E[(1 - 2*C)*(1 - 2*D)] == 0", over=["p in R", "C, D ~ Bernoulli(1/2)"]),
    over="M_j v D",
)
# length is |b|^2 with the entry b
LARGEST = formula_leg(
    "the largest entry",
    typed(
        f"largest*(length - b**2) + a**2*b**2 <= {BELOW}",
        over=["b in R", "length in [b**2, oo)", "a in R", "largest in [a**2, oo)"],
    ),
    over="M_j v D",
)

variance = claim(
    "decoupling-mask-variance",
    lhs=r"\mathbb E\langle a,(I-2D)b\rangle^2",
    tex=r"\sum_ka_k^2b_k^2",
    states="decoupling-mask-correlation",
    title="Second moment of a masked product",
    says=r"$\langle a,(I-2D)b\rangle$ has mean 0 and variance $\sum_ka_k^2b_k^2\le\|a\|_\infty^2\|b\|^2$.",
    covers="variance",
    domain={n: integers(1)},
    grid={"smoke": {n: [1, 2, 5]}, "standard": {n: [1, 3, 8]}},
    relation=equals(),
    closed_form=squares,
    legs=[
        leg("all masks", second, instances=DRAWN, required=False, where=n <= 10, unit=1),
        leg(
            "all masks, bound",
            second,
            instances=DRAWN,
            required=False,
            where=n <= 10,
            unit=1,
            closed_form=BELOW,
            relation=at_most(),
            lhs=r"\mathbb E\langle a,(I-2D)b\rangle^2",
            tex=r"\|a\|_\infty^2\|b\|^2",
        ),
        ONE,
        TWO,
        LARGEST,
    ],
    rivals=[
        variant("the square of the sum", closed_form=whole, leg="all masks"),
        variant("half of the bound", closed_form=BELOW / 2, leg="all masks, bound"),
        *rivals_of(ONE, {"1/2": "E[(1 - 2*D)**2] == 1/2"}),
        *rivals_of(TWO, {"one mask": "E[(1 - 2*D)*(1 - 2*D)] == 0"}),
        *rivals_of(LARGEST, {"half": "largest*(length - b**2)/2 + a**2*b**2 <= largest*length/2"}),
    ],
)


def tail(a, b, n, lam):
    """Share of masks with a product above lam |a|_inf |b| in size, b any and a any. Shape ()."""
    bound = lam * lam * max(x * x for x in a) * sum(y * y for y in b)
    hits = sum(1 for x in masked_products(a, b) if x * x > bound)
    return Fraction(hits, 2**n)


def equal(rng, n, lam):
    """Equal entries: the sum of n signs."""
    return {"a": [Fraction(1)] * n, "b": [Fraction(1)] * n}


MARKOV = formula_leg(
    "one sign", typed("cosh(x) <= exp(x**2/2)", over="x in R"), over="lambda w j D Omega"
)
BEST = formula_leg(
    "best exponent",
    typed("-(t/V)*t + (t/V)**2*V/2 == -t**2/(2*V)", over=["t > 0", "V > 0"]),
    over="lambda w j D Omega",
)
ENTRIES = formula_leg(
    "the largest entry",
    typed("a**2*b**2 <= m**2*b**2", over=["m >= 0", "a in [-m, m]", "b in R"]),
    over="lambda w j D Omega",
)
LEVEL = 2 * sp.exp(-(lam**2) / 2)
AT = formula_leg(
    "at lambda",
    typed(
        f"2*exp(-t**2/(2*V)) <= {LEVEL}",
        over=["lam > 0", "m > 0 real", "V in (0, m**2]", "t in [lam*m, oo)"],
    ),
    over="w j D Omega",
)

hoeffding = claim(
    "decoupling-mask-tail",
    lhs=r"\Pr[|\langle w,(I-2D)M_j\rangle|>\lambda\|w\|\|M_j\|_\infty]",
    tex=r"2e^{-\lambda^2/2}",
    states="decoupling-preactivation-tails",
    title="Tail of a masked product",
    says=r"$\Pr[|\langle w,(I-2D)M_j\rangle|>\lambda\|w\|\|M_j\|_\infty]\le2e^{-\lambda^2/2}$ for all $w$ "
    r"and $\lambda>0$.",
    covers="mask-tail",
    reads={"lambda": "lam"},
    domain={n: integers(1), lam: reals(0, low_open=True)},
    grid={
        "smoke": {n: [1, 4, 9], lam: [Fraction(1, 2), 1, 2]},
        "standard": {n: [2, 8, 12], lam: [Fraction(1, 4), 1, 3]},
    },
    relation=at_most(),
    closed_form=LEVEL,
    legs=[
        leg(
            "sums of signs",
            tail,
            instances=instances(equal, "a b", smoke=1),
            required=False,
            where=(n <= 12) & (lam < 20),
        ),
        leg(
            "drawn weights",
            tail,
            instances=instances(
                lambda rng, n, lam: {
                    "a": [1 + abs(x) for x in rng.rational((n,), 4)],
                    "b": [1 + abs(x) for x in rng.rational((n,), 4)],
                },
                "a b",
                smoke=2,
                standard=4,
            ),
            required=False,
            where=(n <= 12) & (lam < 20),
        ),
        MARKOV,
        BEST,
        ENTRIES,
        AT,
    ],
    rivals=[
        variant("e^(-2 lambda^2)", closed_form=2 * sp.exp(-2 * lam**2), leg="sums of signs"),
        variant(
            "e^(-lambda^2)",
            closed_form=2 * sp.exp(-(lam**2)),
            leg="sums of signs",
            at=[{n: 9, lam: 2}],
        ),
        *rivals_of(MARKOV, {"x^2/3": "cosh(x) <= exp(x**2/3)"}),
        *rivals_of(BEST, {"twice": "-(t/V)*t + (t/V)**2*V/2 == -t**2/V"}),
        *rivals_of(ENTRIES, {"half": "a**2*b**2 <= m**2*b**2/2"}),
        *rivals_of(AT, {"lambda^2": "2*exp(-t**2/(2*V)) <= 2*exp(-lam**2)"}),
    ],
)


def flat_eight():
    """Entries +-1, to be divided by sqrt 8."""
    return flat_columns(8, 8)


def share_beyond(a, b, t, weight=lambda s: 1 - 2 * s):
    """Share of the masks with a product of columns above t/sqrt 8 in size; products of signs are over 8. Shape ()."""
    hits = 0
    for D in product((0, 1), repeat=8):
        value = abs(sum(x * y * weight(s) for x, y, s in zip(a, b, D, strict=True)))
        hits += bool(number(value) > number(t) * number(8).sqrt())
    return Fraction(hits, 2**8)


def two_columns(j, k, d):
    """<M_j, (I - 2 D) M_k> beyond 2 log d/sqrt d1, d1 = 8. Shape ()."""
    with ctx.workprec(BITS):
        columns = flat_eight()
        return share_beyond(columns[j], columns[k], 2 * arb(d).log())


def a_column_and_beside(j, k, d):
    """The same of a column and one beside the first d, and of D for half of it. Shape (2,)."""
    with ctx.workprec(BITS):
        a, b, t = flat_eight()[j], flat_eight()[d + k], 2 * arb(d).log()
        return [share_beyond(a, b, t), share_beyond(a, b, t / 2, weight=lambda s: s)]


def pair_level(j, k, d, power=2):
    """2 e^(-2 log^2 d). Shape ()."""
    with ctx.workprec(BITS):
        return 2 * (-power * arb(d).log() ** 2).exp()


def beside_level(j, k, d):
    return [pair_level(j, k, d)] * 2


def rarer_pairs(j, k, d):
    return pair_level(j, k, d, power=8)


def rarer_beside(j, k, d):
    return [pair_level(j, k, d, power=8)] * 2


def a_pair(rng):
    d = int(rng.integers(2, 4))
    return {"j": int(rng.integers(0, d)), "k": int(rng.integers(0, d)), "d": d}


def on_noise(w, C, d, D, power=2):
    """P[<w, (I - 2 D) xi>^2 >= |w|^2 log^4 d/d], entry by entry of the noise, by integration. Shape ()."""
    with ctx.workprec(BITS):
        L = arb(d).log()
        variance = sum(
            (
                ((1 - 2 * s) * number(x)) ** 2 * number(C) * L.sqrt() / d
                for s, x in zip(D, w, strict=True)
            ),
            arb(0),
        )
        norm = sum((number(x) ** 2 for x in w), arb(0)).sqrt()
        return mean_of(gate(norm * L**power / arb(d).sqrt()), 0, variance.sqrt())


def at_log(w, C, d, D):
    return on_noise(w, C, d, D, power=1)


def noise_level(w, C, d, D):
    """erfc((log d)^(7/4)/sqrt(2 C)). Shape ()."""
    with ctx.workprec(BITS):
        return (arb(d).log() ** 2 / arb(d).log().root(4) / (2 * number(C)).sqrt()).erfc()


def noisy(rng):
    return {
        "w": [Fraction(int(rng.integers(1, 9)), 3) for _ in range(4)],
        "C": Fraction(int(rng.integers(1, 9)), 2),
        "d": int(rng.integers(2, 30)),
        "D": [int(rng.integers(0, 2)) for _ in range(4)],
    }


def for_pairs(name):
    """The legs of Hoeffding's bound at t = 2 P log d/sqrt d1."""
    return [
        formula_leg("one sign", MARKOV.simulation, over=name),
        formula_leg("best exponent", BEST.simulation, over=name),
        formula_leg(
            "at 2 P log d/sqrt d1",
            typed(
                "(2*P*L/sqrt(D))**2/(2*(P**2/D)) == 2*L**2",
                over=["P > 0 real", "L > 0", "D > 0 real"],
            ),
            over=name,
        ),
    ]


def wrong_for_pairs(legs):
    return rivals_of(legs[2], {"log d/sqrt d1": "(P*L/sqrt(D))**2/(2*(P**2/D)) == 2*L**2"})


SPARSE, DENSE = for_pairs("j j_prime D Otilde"), for_pairs("j l D")
# a is <M_j, v> = 0: D = (I - (I - 2 D))/2
HALF = formula_leg(
    "one mask",
    typed("(a - x)/2 == -x/2 and (a + x)/2 == x/2", over=["a in [0, 0]", "x in R"]),
    over="j l D",
)

pairs = claim(
    "decoupling-mask-sparse-pairs",
    lhs=r"\Pr\big[|\langle M_j,(I-2D)M_{j'}\rangle|>\tfrac{2\log d}{\sqrt{d_1}}\big]",
    tex=r"2e^{-2\log^2d}",
    states="decoupling-mask-correlation",
    title="Masked products of columns",
    says=r"$|\langle M_j,(I-2D)M_{j'}\rangle|\le\frac{2P\log d}{\sqrt{d_1}}$ but for $2e^{-2\log^2d}$, "
    r"for $|M_{jk}|\le "
    r"P/\sqrt{d_1}$ and all $j,j'$.",
    covers="sparse-pairs",
    **ONE_POINT,
    legs=[
        leg(
            "all masks",
            two_columns,
            reference=pair_level,
            relation=at_most(),
            required=False,
            instances=instances(a_pair, "j k d", smoke=4, standard=8),
        ),
        *SPARSE,
    ],
    rivals=[
        variant("e^(-8 log^2 d)", reference=rarer_pairs, leg="all masks"),
        *wrong_for_pairs(SPARSE),
    ],
)

beside = claim(
    "decoupling-mask-dense-pairs",
    lhs=r"\Pr\big[|\langle M_j,(I-2D)M^\perp_l\rangle|>\tfrac{2\log d}{\sqrt{d_1}}"
    r"\big],\ \Pr\big[|\langle M_j,DM^\perp_l\rangle|>\tfrac{\log d}{\sqrt{d_1}}\big]",
    tex=r"2e^{-2\log^2d}",
    states="decoupling-mask-correlation",
    title="Masked products beside the columns",
    says=r"$|\langle M_j,(I-2D)M^\perp_l\rangle|\le\frac{2P\log d}{\sqrt{d_1}}$ but for $2e^{-2\log^2d}$, "
    r"and half of it with "
    r"$D$ or $I-D$.",
    covers="dense-pairs",
    **ONE_POINT,
    legs=[
        leg(
            "all masks",
            a_column_and_beside,
            reference=beside_level,
            relation=at_most(),
            required=False,
            instances=instances(a_pair, "j k d", smoke=4, standard=8),
        ),
        *DENSE,
        HALF,
    ],
    rivals=[
        variant("e^(-8 log^2 d)", reference=rarer_beside, leg="all masks"),
        *wrong_for_pairs(DENSE),
        *rivals_of(HALF, {"products that are not 0": {"over": ["a in [1, 1]", "x in R"]}}),
    ],
)

VARIANCE = formula_leg(
    "tail of the noise",
    typed(
        "2*Phi(-sqrt(n**2*L**4/d)/sqrt(C*sqrt(L)/d*n**2)) == erfc(L**(7/4)/sqrt(2*C))",
        over=["L > 0", "d > 0 real", "C > 0", "n > 0 real"],
    ),
    over="w xi D",
)
ERFC = formula_leg("erfc", typed("erfc(x) <= exp(-x**2)", over="x >= 0"), over="w xi D")
POWER = formula_leg(
    "power",
    typed("exp(-(L**(7/4)/sqrt(2*C))**2) <= exp(-L**2/(2*C))", over=["L >= 1", "C > 0"]),
    over="w xi D",
)

dense = claim(
    "decoupling-noise-tail",
    lhs=r"\Pr\big[\langle w,(I-2D)\xi\rangle^2\ge\|w\|^2\tfrac{\log^4d}d\big]",
    tex=r"\operatorname{erfc}\frac{\log^{7/4}d}{\sqrt{2C_\xi}}",
    states="decoupling-preactivation-tails",
    title="Pre-activations on noise",
    says=r"$Z=\langle w,\xi\rangle$ and $\langle w,(I-2D)\xi\rangle$ have $\Pr[Z^2\ge\|w\|^2\frac{\log^4d}d]="
    r"\operatorname{erfc}\frac{\log^{7/4}d}{\sqrt{2C_\xi}}\le e^{-\log^2d/(2C_\xi)}$.",
    covers="dense-hp",
    **ONE_POINT,
    legs=[
        leg(
            "integrated",
            on_noise,
            reference=noise_level,
            required=False,
            instances=instances(noisy, "w C d D", smoke=4, standard=8),
        ),
        VARIANCE,
        ERFC,
        POWER,
    ],
    rivals=[
        variant("at log^2 d/d", simulation=at_log, leg="integrated"),
        *rivals_of(
            VARIANCE,
            {"log^2 d": "2*Phi(-sqrt(n**2*L**4/d)/sqrt(C*sqrt(L)/d*n**2)) == erfc(L**2/sqrt(2*C))"},
        ),
        *rivals_of(ERFC, {"2 x^2": "erfc(x) <= exp(-2*x**2)"}),
        *rivals_of(POWER, {"below log d = 1": {"over": ["L > 0", "C > 0"]}}),
    ],
)
