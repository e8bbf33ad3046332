r"""Section 2.1: the significance of the signal, and logits near the start (Lemma C.3).

Setting. x = M z + xi, M with orthonormal columns; C_xi sqrt(log d)/d is the noise's variance in every direction, L =
log d.

Statements. (1) |M z|^2 = |z|_0 <= d, |xi|^2 is s2 times chi-squared of d1, at least s2 d1/2 but for e^(-d1/11): E
e^(-theta g^2) = (1 + 2 theta)^(-1/2) at theta = 1/2. With d1 >= d^3 that is at least C_xi/2 d^2. (2) <M z, M_j> = z_j
has size 1 whenever z_j != 0; <xi, M_j> is above sqrt(C_xi) L^(5/4)/sqrt d in size with probability erfc(L/sqrt 2) <=
e^(-L^2/2). (3) A feature is in the share q = C_z log log d/d of the population, at least C_z/d for d >= 16. (4) For n
logits within R of each other every softmax weight is within (e^R - 1)/n of 1/n.

Reference: lines 118-123 and 617-638.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import sympy as sp
from flint import arb, ctx

from theorycheck import (
    at_most,
    claim,
    formula_leg,
    instances,
    leg,
    rivals_of,
    typed,
    variant,
)

from ._dictionary import ONE_POINT, dot, flat_columns
from ._gaussian import BITS, gate, mean_of, number
from .start_norms import below


def short_noise(pairs):
    """P[|xi|^2 <= s2 d1/2] for d1 = 2 ``pairs``. Shape ()."""
    with ctx.workprec(BITS):
        return below(pairs, number(pairs))


def noise_level(pairs, part=11):
    """e^(-d1/11). Shape ()."""
    with ctx.workprec(BITS):
        return (-number(Fraction(2 * pairs, part))).exp()


def rarer(pairs):
    return noise_level(pairs, part=5)


def even_dimensions(rng):
    return {"pairs": int(rng.integers(4, 60))}


def signal_of(z):
    """M z for flat columns of R^4."""
    columns = flat_columns(len(z), 4)
    return [
        sum((e * c[k] for e, c in zip(z, columns, strict=True)), Fraction(0)) / 2 for k in range(4)
    ]


def signal_norm(z):
    return dot(signal_of(z), signal_of(z))


def entries(z):
    """|z|_0. Shape ()."""
    return sum(1 for e in z if e)


def all_entries(z):
    return len(z)


def along_columns(z):
    """<M z, M_j> for every column. Shape (d,)."""
    return [dot(signal_of(z), [x / 2 for x in c]) for c in flat_columns(len(z), 4)]


def the_code(z):
    return z


def half_the_code(z):
    return [Fraction(e, 2) for e in z]


def a_code(rng):
    return {"z": [int(rng.integers(-1, 2)) for _ in range(3)] + [1 - 2 * int(rng.integers(0, 2))]}


def noise_along(column, C, d, power=5):
    """P[|<xi, M_j>| > sqrt(C) (log d)^(5/4)/sqrt d], entry by entry, by integration. Shape ()."""
    with ctx.workprec(BITS):
        L = arb(d).log()
        variance = sum((number(x) ** 2 * number(C) * L.sqrt() / d for x in column), arb(0))
        return mean_of(
            gate(number(C).sqrt() * L.root(4) ** power / arb(d).sqrt()), 0, variance.sqrt()
        )


def at_log(column, C, d):
    return noise_along(column, C, d, power=4)


d = sp.Symbol("d", positive=True)
COLUMN_LEVEL = sp.erfc(sp.log(d) / sp.sqrt(2))


def a_column(rng):
    return {
        "column": [Fraction(3, 5), Fraction(0), Fraction(4, 5)],
        "C": Fraction(int(rng.integers(1, 9)), 2),
        "d": int(rng.integers(2, 99)),
    }


def population_share(C, d, j):
    """P[z_j != 0] over the codes of three features, q = C log log d/d. Shape ()."""
    with ctx.workprec(BITS):
        q, total = number(C) * arb(d).log().log() / d, arb(0)
        for z in product((0, 1, -1), repeat=3):
            chance = arb(1)
            for e in z:
                chance *= q / 2 if e else 1 - q
            total += chance if z[j] else 0
        return total


def of_both_signs(C, d, j):
    return population_share(C, d, j) / 2


def a_feature(rng):
    return {
        "C": Fraction(int(rng.integers(1, 9)), 2),
        "d": int(rng.integers(16, 99)),
        "j": int(rng.integers(0, 3)),
    }


def softmax_distance(a):
    """The largest distance of a softmax weight from 1/n. Shape ()."""
    with ctx.workprec(BITS):
        weights = [number(x).exp() for x in a]
        total, largest = sum(weights, arb(0)), arb(0)
        for w in weights:
            largest = largest.max(abs(w / total - arb(1) / len(a)))
        return largest


def by_range(a, part=1):
    """(e^R - 1)/n. Shape ()."""
    with ctx.workprec(BITS):
        return (number(max(a) - min(a)).exp() - 1) / (part * len(a))


def a_third(a):
    return by_range(a, part=3)


def one_apart(rng):
    return {"a": [Fraction(int(rng.integers(1, 9)), 2)] + [Fraction(0)] * int(rng.integers(1, 9))}


def within_a_range(rng):
    return {"a": rng.rational((5,), 2)}


MOMENT = formula_leg(
    "one entry", typed("exp(1/4)/sqrt(2) <= exp(-1/11)", over="n in 1..oo"), over="xi z d"
)
SIZE = formula_leg(
    "size",
    typed(
        "C*sqrt(L)/d*D/2 >= C/2*d**2",
        over=["C > 0", "L in [1, oo)", "d > 0 real", "D in [d**3, oo)"],
    ),
    over="xi z",
)
CODE = formula_leg("code", typed("k*1 <= d", over=["d in 1..oo", "k in 0..d"]), over="xi z")

norms = claim(
    "decoupling-noise-norm",
    states="decoupling-signal-vs-noise",
    title="Norms of noise and signal",
    says=r"$\|\xi\|^2\ge\frac12\sigma_\xi^2d_1$ but for $e^{-d_1/11}$, at least $\frac{C_\xi}2d^2$ for "
    r"$d_1\ge d^3$, while "
    r"$\|Mz\|^2=\|z\|_0\le d$.",
    covers="norms",
    **ONE_POINT,
    legs=[
        leg(
            "law of the noise",
            short_noise,
            lhs=r"\Pr[\|\xi\|^2\le\tfrac12\sigma_\xi^2d_1]",
            tex="e^{-d_1/11}",
            reference=noise_level,
            relation=at_most(),
            required=False,
            instances=instances(even_dimensions, "pairs", smoke=4, standard=8),
        ),
        leg(
            "norm of the signal",
            signal_norm,
            lhs=r"\|Mz\|^2",
            tex=r"\|z\|_0",
            reference=entries,
            required=False,
            unit=1,
            instances=instances(a_code, "z", smoke=4, standard=8),
        ),
        MOMENT,
        SIZE,
        CODE,
    ],
    rivals=[
        variant("e^(-d1/5)", reference=rarer, leg="law of the noise"),
        variant("as if no entry were 0", reference=all_entries, leg="norm of the signal"),
        *rivals_of(MOMENT, {"1/10": "exp(1/4)/sqrt(2) <= exp(-1/10)"}),
        *rivals_of(
            SIZE, {"d1 = d^2": {"over": ["C > 0", "L in [1, oo)", "d > 0 real", "D in [d**2, oo)"]}}
        ),
        *rivals_of(CODE, {"half of d": "k*1 <= d/2"}),
    ],
)

TAIL = formula_leg(
    "tail",
    typed(
        f"2*Phi(-sqrt(C)*log(d)**(5/4)/sqrt(d)/sqrt(C*sqrt(log(d))/d)) == {COLUMN_LEVEL}",
        over=["C > 0", "d in (1, oo)"],
    ),
    over="j xi Otilde",
)
BOUND = formula_leg(
    "bound", typed("erfc(L/sqrt(2)) <= exp(-L**2/2)", over="L > 0"), over="j xi Otilde"
)

clean = claim(
    "decoupling-not-corrupted",
    states="decoupling-signal-vs-noise",
    title="Noise along one column",
    says=r"$|\langle Mz,M_j\rangle|=1$ if $z_j\ne0$, while "
    r"$|\langle\xi,M_j\rangle|\le\sqrt{C_\xi}\frac{\log^{5/4}d}{\sqrt d}$ but "
    r"for $\operatorname{erfc}\frac{\log d}{\sqrt2}\le e^{-\log^2d/2}$.",
    covers="not-corrupted",
    **ONE_POINT,
    legs=[
        leg(
            "noise, integrated",
            noise_along,
            lhs=r"\Pr\big[|\langle\xi,M_j\rangle|>\sqrt{C_\xi}\tfrac{\log^{5/4}d}{\sqrt d}\big]",
            tex=r"\operatorname{erfc}\frac{\log d}{\sqrt2}",
            closed_form=COLUMN_LEVEL,
            required=False,
            instances=instances(a_column, "column C d", smoke=3, standard=6),
        ),
        leg(
            "signal",
            along_columns,
            lhs=r"\langle Mz,M_j\rangle",
            tex="z_j",
            reference=the_code,
            required=False,
            unit=1,
            instances=instances(a_code, "z", smoke=3, standard=6),
        ),
        TAIL,
        BOUND,
    ],
    rivals=[
        variant("at sqrt(C) log d/sqrt d", simulation=at_log, leg="noise, integrated"),
        variant("half the code", reference=half_the_code, leg="signal"),
        *rivals_of(
            TAIL,
            {
                "log d": "2*Phi(-sqrt(C)*log(d)/sqrt(d)/sqrt(C*sqrt(log(d))/d)) == erfc(log(d)/sqrt(2))"
            },
        ),
        *rivals_of(BOUND, {"L^2": "erfc(L/sqrt(2)) <= exp(-L**2)"}),
    ],
)

C = sp.Symbol("C", positive=True)
OF_A_FEATURE = C * sp.log(sp.log(d)) / d
SHARE = formula_leg(
    "share", typed(f"{OF_A_FEATURE} >= C/d", over=["C > 0", "d in [16, oo)"]), over="j"
)

shared = claim(
    "decoupling-shared-features",
    states="decoupling-signal-vs-noise",
    title="Features are shared",
    says=r"$\Pr[z_j\ne0]=\frac{C_z\log\log d}d\ge\frac{C_z}d$ for $d\ge16$.",
    covers="shared",
    **ONE_POINT,
    legs=[
        leg(
            "codes",
            population_share,
            closed_form=OF_A_FEATURE,
            lhs=r"\Pr[z_j\ne0]",
            tex=r"\frac{C_z\log\log d}d",
            required=False,
            instances=instances(a_feature, "C d j", smoke=4, standard=8),
        ),
        SHARE,
    ],
    rivals=[
        variant("one of both signs", simulation=of_both_signs, leg="codes"),
        *rivals_of(SHARE, {"d = 15": {"over": ["C > 0", "d in [15, oo)"]}}),
    ],
)

# s is the mean of e^(a_k - a_i) over the other n - 1 logits, y is e^R
WEIGHT = formula_leg(
    "weight",
    typed(
        "abs(1/(1 + (n - 1)*s) - 1/n) <= (y - 1)/n",
        over=["n in 2..oo", "y in [1, oo)", "s in [1/y, y]"],
    ),
)
# x is a_k - a_i
MEAN = formula_leg(
    "mean", typed("exp(-R) <= exp(x) <= exp(R)", over=["R in [0, oo)", "x in [-R, R]"])
)
ALONE = formula_leg(
    "one logit", typed("abs(1/(1 + 0) - 1/1) <= (exp(R) - 1)/1", over="R in [0, oo)")
)

logits = claim(
    "decoupling-logits",
    lhs=r"\max_i|\ell'_i-\tfrac1n|",
    tex=r"\frac{e^R-1}n",
    states="decoupling-logits-init",
    title="Logits within a range",
    says=r"Softmax weights of $n$ logits within $R$ of each other are within $\frac{e^R-1}n$ of $\frac1n$.",
    role="derived",
    covers="deterministic",
    reads={"a": "s"},
    **ONE_POINT,
    legs=[
        leg(
            "one apart",
            softmax_distance,
            reference=by_range,
            relation=at_most(),
            required=False,
            instances=instances(one_apart, "a", smoke=3, standard=6),
        ),
        leg(
            "within a range",
            softmax_distance,
            reference=by_range,
            relation=at_most(),
            required=False,
            instances=instances(within_a_range, "a", smoke=3, standard=6),
        ),
        WEIGHT,
        MEAN,
        ALONE,
    ],
    rivals=[
        variant(
            "a third",
            reference=a_third,
            leg="one apart",
            instances=instances(
                lambda rng: {"a": [Fraction(1, 9), *[Fraction(0)] * 8]}, "a", smoke=1
            ),
        ),
        *rivals_of(WEIGHT, {"half": "abs(1/(1 + (n - 1)*s) - 1/n) <= (y - 1)/(2*n)"}),
        *rivals_of(MEAN, {"beyond R": {"over": ["R in [0, oo)", "x in [-R, 2*R]"]}}),
        *rivals_of(ALONE, {"below 0": "abs(1/(1 + 0) - 1/1) < (exp(R) - 1)/1"}),
    ],
)
