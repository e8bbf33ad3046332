r"""Lemma B.4, item 2: the Chebyshev bound for pre-activations.

Setting. x = M z + xi, q = P[z_k != 0] = C_z log log d/d, noise of variance s2 = C_xi sqrt(log d)/d, M with orthonormal
columns and entries M_sk^2 <= P/d; D fair coins. The four variables are <w, (I - 2 D)(x without column j + z M_j)> for a
given z in [-1, 1], <w, x>, <w, (I - 2 D) x> and <w, xi>.

Statements. The signs 1 - 2 D_s leave the squares: the first has mean square sum_s w_s^2 (q ((M M^T)_ss - M_sj^2) + s2 +
z^2 M_sj^2), the third the same with q (M M^T)_ss + s2; the second has q |M^T w|^2 + s2 |w|^2, the fourth s2 |w|^2. As
(M M^T)_ss <= 1 and |M^T w| <= |w|, all of them are at most (C_z + C_xi + P)|w|^2 sqrt(log d)/d for d >= 3, and by
Markov's inequality the square passes lambda |w|^2 sqrt(log d)/d with probability at most (C_z + C_xi + P)/lambda.

Reference: lines 493-515.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import sympy as sp
from flint import arb, ctx

from theorycheck import at_most, claim, formula_leg, instances, leg, rivals_of, typed, variant

from ._dictionary import ONE_POINT, dot, flat_columns
from ._gaussian import BITS, number

C_z, C_xi, P, lam = sp.symbols("C_z C_xi P lam", positive=True)
LEVEL = (C_z + C_xi + P) / lam


def codes_of_rate(d, q):
    """All codes with their probabilities; q a ball."""
    for z in product((0, 1, -1), repeat=d):
        chance = arb(1)
        for entry in z:
            chance *= q / 2 if entry else 1 - q
        yield z, chance


def passes(w, d, z, lam, C_z, C_xi, which):
    """P[variable^2 > lam |w|^2 sqrt(log d)/d] over codes, masks of R^4 and noise, the first d of four flat columns.
    ``which``: 0 to 3, in the order of the statement, j the first column. Shape ()."""
    with ctx.workprec(BITS):
        L, columns = arb(d).log(), [[x / 2 for x in c] for c in flat_columns(d, 4)]
        square, root = number(dot(w, w)), arb(2).sqrt()
        border = (number(lam) * square * L.sqrt() / d).sqrt()
        spread = (number(C_xi) * L.sqrt() / d * square).sqrt()
        masks = list(product((1, -1), repeat=4)) if which in (0, 2) else [(1, 1, 1, 1)]
        total = arb(0)
        for code, chance in codes_of_rate(d, number(C_z) * L.log() / d):
            entries = [Fraction(z), *code[1:]] if which == 0 else code
            if which == 3:
                entries = [0] * d
            for signs in masks:
                mean = sum(
                    (
                        e * dot([s * a for s, a in zip(signs, w, strict=True)], c)
                        for e, c in zip(entries, columns, strict=True)
                    ),
                    Fraction(0),
                )
                up, down = (border - number(mean)) / spread, (border + number(mean)) / spread
                total += chance / len(masks) * ((up / root).erfc() + (down / root).erfc()) / 2
        return total


def at_a_ninth(w, d, z, lam, C_z, C_xi, which):
    return passes(w, d, z, lam / 9, C_z, C_xi, which)


def variables(rng):
    d = int(rng.integers(3, 5))
    return {
        "w": rng.rational((4,), 3),
        "d": d,
        "z": Fraction(int(rng.integers(-4, 5)), 4),
        "lam": Fraction(int(rng.integers(8, 20))),
        "C_z": Fraction(int(rng.integers(1, 5)), 2),
        "C_xi": Fraction(int(rng.integers(6, 9))),
        "which": int(rng.integers(0, 4)),
        "P": Fraction(d, 4),
    }


FIELDS = "w d z lam C_z C_xi which P"
SQUARE = formula_leg(
    "a square",
    typed(
        "E[(w*(1 - 2*D)*(c*R*B + g + m*z))**2] == w**2*(q*c**2 + s**2 + m**2*z**2)",
        over=[
            "w in R",
            "c in R",
            "m in R",
            "z in [-1, 1]",
            "q in [0, 1]",
            "s > 0",
            "R ~ Rademacher",
            "B ~ Bernoulli(q)",
            "g ~ N(0, s**2)",
            "D ~ Bernoulli(1/2)",
        ],
    ),
    over="z_rest xi D O",
)
APART = formula_leg(
    "two coordinates",
    typed("E[(1 - 2*D)*(1 - 2*F)*x] == 0", over=["x in R", "D, F ~ Bernoulli(1/2)"]),
    over="w z z_rest xi D O",
)
# c is (M M^T)_ss without column j, h is M_sj^2, p is P/d; for PLAIN n is |w|^2, k is |M^T w|^2
MASKED = formula_leg(
    "masked",
    typed(
        "w**2*(q*c + S + z**2*h) <= w**2*(q + S + p)",
        over=[
            "w in R",
            "q in [0, 1]",
            "c in [0, 1]",
            "S > 0",
            "z in [-1, 1]",
            "h in [0, oo)",
            "p in [h, oo)",
        ],
    ),
    over="z_rest xi D O",
)
PLAIN = formula_leg(
    "plain",
    typed(
        "q*k + S*n <= (q + S + x)*n",
        over=["q in [0, 1]", "S > 0", "n in [0, oo)", "k in [0, n]", "x in [0, oo)"],
    ),
    over="w z z_rest xi D O",
)
SLOW = formula_leg(
    "log log d", typed("log(L) <= sqrt(L)", over="L in [1, oo)"), over="w z z_rest xi D O"
)
# a is log log d and u is sqrt(log d), at least 1 for d >= 3; 1/d is left out
RATES = formula_leg(
    "rates",
    typed(
        "C_z*a + C_xi*u + P <= (C_z + C_xi + P)*u",
        over=["C_z > 0", "C_xi > 0", "P > 0", "u in [1, oo)", "a in (-oo, u]"],
    ),
    over="w z z_rest xi D O",
)
# n is |w|^2 sqrt(log d)/d
MARKOV = formula_leg(
    "Markov",
    typed("Piecewise((1, x > t), (0, True)) <= x/t", over=["t > 0", "x in [0, oo)"]),
    over="w z z_rest xi D O",
)
AT = formula_leg(
    "at lambda",
    typed(
        f"(C_z + C_xi + P)*n/(lam*n) == {LEVEL}",
        over=["C_z > 0", "C_xi > 0", "P > 0", "lam > 0 real", "n > 0 real"],
    ),
    over="w z z_rest xi D O",
)

chebyshev = claim(
    "decoupling-preactivation-chebyshev",
    lhs=r"\Pr\big[X^2>\lambda\|w\|^2\sqrt{\log d}/d\big]",
    tex=r"(C_z+C_\xi+P)/\lambda",
    states="decoupling-preactivation-tails",
    title="Chebyshev bound for pre-activations",
    says=r"$\Pr\big[X^2>\lambda\|w\|^2\frac{\sqrt{\log d}}d\big]\le\frac{C_z+C_\xi+P}\lambda$ for all four variables, "
    r"where $M_{sk}^2\le\frac Pd$.",
    covers="chebyshev",
    reads={"lambda": "lam"},
    **ONE_POINT,
    closed_form=LEVEL,
    relation=at_most(),
    legs=[
        leg(
            "all masks and codes",
            passes,
            instances=instances(variables, FIELDS, smoke=6, standard=12),
            required=False,
        ),
        SQUARE,
        APART,
        MASKED,
        PLAIN,
        SLOW,
        RATES,
        MARKOV,
        AT,
    ],
    rivals=[
        variant(
            "without the noise's constant", closed_form=(C_z + P) / lam, leg="all masks and codes"
        ),
        variant("a ninth of lambda", simulation=at_a_ninth, leg="all masks and codes"),
        *rivals_of(
            SQUARE,
            {"without z": "E[(w*(1 - 2*D)*(c*R*B + g + m*z))**2] == w**2*(q*c**2 + s**2 + m**2)"},
        ),
        *rivals_of(APART, {"without masks": "E[x + 0*(1 - 2*D)] == 0"}),
        *rivals_of(MASKED, {"without z's part": "w**2*(q*c + S + z**2*h) <= w**2*(q + S)"}),
        *rivals_of(PLAIN, {"without the codes": "q*k + S*n <= (S + x)*n"}),
        *rivals_of(SLOW, {"a third": "log(L) <= sqrt(L)/3"}),
        *rivals_of(
            RATES,
            {
                "from log d = 1/9": {
                    "over": ["C_z > 0", "C_xi > 0", "P > 0", "u in [1/3, oo)", "a in (-oo, u]"]
                }
            },
        ),
        *rivals_of(MARKOV, {"its square": "Piecewise((1, x > t), (0, True)) <= (x/t)**2/2"}),
        *rivals_of(AT, {"lambda^2": f"(C_z + C_xi + P)*n/(lam**2*n) == {LEVEL}"}),
    ],
)
