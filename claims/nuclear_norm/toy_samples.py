"""Section 6.3.1: how likely a finite sample shows the printed pair of accuracies.

Setting. The toy problem of `toy`; n draws of the training law and, in (3), n of the law at test. sign(x_1 + t x_2)
with t >= 0 is wrong where x_2 misleads by u and x_1 < t u: in training with probability e(t) = 3 f(t)/7, f(t) that at
test. Its errors on a sample only grow with t. No size of a sample is printed.

Statements. "Nearly perfect" is read as 19/20 or more of the training draws, 0.76 as at most 0.765. (1) Some t whose
accuracy at test is at most 0.765 reads 19/20 or more with probability P[B <= n/20], B binomial of n draws with e = 3/7
* 0.235 = 141/1400: t = 47/70 is the least such t, and reads best. That is 1 in 18 at n = 100 and two in 10^5 at 500.
(2) By Markov's inequality at s = 47/100, P[B <= n/20] <= ((1 - e + e s)/s^(1/20))^n <= exp(-n/60) for every n. (3)
Where the accuracy at test is read off n draws too, let k be the errors allowed in training, n/20 rounded down, and m
the least number of errors at test that reads at most 0.765: some t shows the pair if the m-th smallest threshold x_1/u
of the test draws is below the (k+1)-th of the training draws. With f for t, the probability is int_0^(7/10) m C(n, m)
f^(m-1) (1 - f)^(n-m) P[Bin(n, 3 f/7) <= k] df.

Reference: section 6.3.1, Figures 6.2 and 6.3, lines 1725-1735; the laws are derived.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_most,
    claim,
    equals,
    formula_leg,
    integers,
    leg,
    probability,
    reaching,
    rivals_of,
    sharpened,
    typed,
    variant,
)

from .toy import TEST, TRAINING, accuracy

n = sp.symbols("n", integer=True, positive=True)
LEAST_T = Fraction(47, 70)
"""1 - 7/10 t/2 = 0.765."""
READ, SHIFTED = Fraction(19, 20), Fraction(153, 200)


def thresholds(ns, rng, size, n, q):
    """The t from which each draw is wrong, x_1/u where x_2 misleads by u, else 10^9. Shape (size, n)."""
    ahead, u = rng.uniform((size, n)), rng.uniform((size, n))
    return ns.where(rng.uniform((size, n)) < ns.asarray(q), ahead / u, 10**9)


def allowed(n):
    """Errors that leave a reading of 19/20."""
    return int(n * (1 - READ))


def spared(n):
    """The same, one error after another."""
    return next(k for k in range(n, -1, -1) if 1 - Fraction(k, n) >= READ)


def shows(ns, rng, size, n, q=TRAINING):
    """Whether some t from 47/70 on reads 19/20 or more: the largest t of such a reading. Booleans, shape (size,)."""
    last = ns.sort(thresholds(ns, rng, size, n, q), axis=1)[:, allowed(n)]
    return last > ns.asarray(LEAST_T)


def shows_at_test(ns, rng, size, n):
    return shows(ns, rng, size, n, TEST)


def errors_law(n, t, most):
    """P[errors = k] of sign(x_1 + t x_2) for k <= ``most``, draw by draw, an error's chance by areas."""
    wrong = 1 - accuracy(t, TRAINING)
    law = [Fraction(1)] + [Fraction(0)] * most
    for _ in range(n):
        law = [
            (1 - wrong) * here + wrong * before
            for here, before in zip(law, [Fraction(0), *law[:-1]], strict=True)
        ]
    return law


def tail_of_sums(n, t=LEAST_T):
    """P[errors <= n/20]. Shape ()."""
    return sum(errors_law(n, t, allowed(n)))


def power_of_errors(n, t=LEAST_T):
    """The mean of (47/100)^errors. Shape ()."""
    return sum(p * Fraction(47, 100) ** k for k, p in enumerate(errors_law(n, t, n)))


def power_of_a_larger_t(n):
    return power_of_errors(n, Fraction(47, 30))


def tail_of_a_larger_t(n):
    """Of the t that is right with 0.765 in training."""
    return tail_of_sums(n, Fraction(47, 30))


def accuracy_of_least_t(n):
    """At test, by areas. Shape ()."""
    return accuracy(LEAST_T, TEST)


def accuracy_in_training(n):
    return accuracy(LEAST_T, TRAINING)


j = sp.Symbol("j", integer=True, nonnegative=True)
f = sp.Symbol("f", positive=True)
WRONG = sp.Rational(3, 7) * sp.Rational(47, 200)


def at_most_errors(wrong, few):
    """P[B <= few], B binomial of n draws with chance ``wrong``."""
    return sp.Sum(sp.binomial(n, j) * wrong**j * (1 - wrong) ** (n - j), (j, 0, few))


SPARED = sp.floor(n / 20)
CHANCE = at_most_errors(WRONG, SPARED)
# ties the program's count of errors and the formula's to what a reading is: at n = 20 one error reads 19/20
ALLOWED = {
    "closed_form": SPARED,
    "where": n <= 1000,
    "grid": {"smoke": {n: [1, 19, 20, 21, 39, 40, 100]}},
    "unit": 1,
    "tex": r"\lfloor n/20\rfloor",
}
COUNTED = [
    leg(
        "errors that are allowed",
        spared,
        lhs=r"\max\{j:1-\tfrac jn\ge\tfrac{19}{20}\}",
        **ALLOWED,
    ),
    leg("errors that are let pass", allowed, lhs="k", **ALLOWED),
]
MISCOUNTED = [
    variant(f"{counted.name}, fewer", closed_form=sp.ceiling(n / 20) - 1, leg=counted.name)
    for counted in COUNTED
]
SIZES = {"smoke": {n: [1, 19, 20, 100]}, "standard": {n: [1, 19, 39, 60, 100]}}
SAMPLED = {"statistic": probability(), "target": Fraction(1, 10)}

reading = claim(
    "nuclear-toy-sample-reading",
    lhs=r"\Pr\big[\exists t:\ \mathrm{acc}_{\mathrm{OOD}}(t)\le0.765,\ "
    r"\widehat{\mathrm{acc}}_{\mathrm{ID}}(t)\ge\tfrac{19}{20}\big]",
    tex=r"\sum_{j\le n/20}\binom nj\Big(\frac{141}{1400}\Big)^j\Big(\frac{1259}{1400}\Big)^{n-j}",
    states="nuclear-toy-2d",
    title="How likely a training sample shows the printed pair",
    says=r"Some $\operatorname{sign}(x_1+tx_2)$, $t\ge0$, of accuracy at most 0.765 at test reads 19/20 or more on $n$ "
    r"training draws with probability $\Pr[\mathrm{Bin}(n,141/1400)\le n/20]$.",
    role="derived",
    domain={n: integers(1)},
    grid=SIZES,
    closed_form=CHANCE,
    legs=[
        leg("samples", shows, where=n <= 100, **SAMPLED),
        leg("draw by draw", tail_of_sums, where=n <= 500),
        leg(
            "accuracy at test",
            accuracy_of_least_t,
            closed_form=sp.Rational(153, 200),
            grid={"smoke": {n: [1]}},
            lhs=r"\mathrm{acc}_{\mathrm{OOD}}(47/70)",
            tex=r"0.765",
        ),
        *COUNTED,
    ],
    rivals=[
        *MISCOUNTED,
        variant("draws of the law at test", simulation=shows_at_test, leg="samples"),
        variant("0.765 in training", simulation=tail_of_a_larger_t, leg="draw by draw"),
        variant("training accuracy", simulation=accuracy_in_training, leg="accuracy at test"),
        variant("one error fewer", closed_form=at_most_errors(WRONG, SPARED - 1)),
    ],
)

BOUND = sp.exp(-n / 60)
ONE = formula_leg(
    "one count", typed("(47/100)**(j - n/20) >= 1", over=["n in 1..oo", "j in [0, n/20]"])
)
POWER = (1 - WRONG + WRONG * sp.Rational(47, 100)) ** n
"""The mean of (47/100)^B."""
MARKOV_LEFT = f"{POWER}/(47/100)**(n/20)"
MARKOV = formula_leg("Markov at 47/100", typed(f"{MARKOV_LEFT} <= {BOUND}", over="n in 1..oo"))

never = claim(
    "nuclear-toy-sample-bound",
    lhs=r"\Pr[\mathrm{Bin}(n,141/1400)\le n/20]",
    tex=r"e^{-n/60}",
    states="nuclear-toy-2d",
    title="A large training sample does not show the printed pair",
    says=r"That probability is at most $e^{-n/60}$ for every $n$.",
    role="derived",
    domain={n: integers(1)},
    grid={"smoke": {n: [1, 20, 100, 300]}},
    closed_form=BOUND,
    relation=at_most(),
    legs=[
        leg("draw by draw", tail_of_sums, where=n <= 500),
        leg(
            "mean of the power",
            power_of_errors,
            relation=equals(),
            closed_form=POWER,
            where=n <= 100,
            grid={"smoke": {n: [1, 20]}},
            lhs=r"\mathbb E\,(\tfrac{47}{100})^{\mathrm{Bin}(n,141/1400)}",
            tex=r"\Big(1-\tfrac{141}{1400}\cdot\tfrac{53}{100}\Big)^n",
        ),
        ONE,
        MARKOV,
    ],
    rivals=[
        variant("errors of a larger t", simulation=power_of_a_larger_t, leg="mean of the power"),
        *sharpened(ONE, times="101/100"),
        *reaching(ONE, "j <= 0 and n >= 9"),
        *sharpened(MARKOV, times="999/1000"),
        variant("exp(-n/40)", closed_form=sp.exp(-n / 40), leg="draw by draw"),
        *rivals_of(
            MARKOV,
            {
                "exp(-n/58)": f"{MARKOV_LEFT} <= exp(-n/58)",
                "Markov at 1": f"(1 - {WRONG} + {WRONG})**n <= {BOUND}",
            },
        ),
        *rivals_of(ONE, {"at every count": {"over": ["n in 1..oo", "j in [0, n]"]}}),
    ],
)


# ---- both accuracies read off samples


def misses(n):
    """The least number of errors of n that reads at most 0.765."""
    return -int(-n * (1 - SHIFTED) // 1)


def needed(n):
    """The same, one error after another."""
    return next(m for m in range(n + 1) if 1 - Fraction(m, n) <= SHIFTED)


def pair_shows(ns, rng, size, n, q=TRAINING):
    """Whether some t reads 19/20 or more in training and at most 0.765 at test. Booleans, shape (size,)."""
    kept = ns.sort(thresholds(ns, rng, size, n, q), axis=1)[:, allowed(n)]
    return ns.sort(thresholds(ns, rng, size, n, TEST), axis=1)[:, misses(n) - 1] < kept


def pair_of_one_law(ns, rng, size, n):
    return pair_shows(ns, rng, size, n, TEST)


MISSES = sp.ceiling(sp.Rational(47, 200) * n)
ORDERED = MISSES * sp.binomial(n, MISSES) * f ** (MISSES - 1) * (1 - f) ** (n - MISSES)
EACH = (3 * f / 7) ** j * (1 - 3 * f / 7) ** (n - j)
PAIR = sp.Sum(
    sp.binomial(n, j) * sp.Integral(ORDERED * EACH, (f, 0, sp.Rational(7, 10))),
    (j, 0, SPARED),
)

pair = claim(
    "nuclear-toy-sample-pair",
    lhs=r"\Pr\big[\exists t:\ \widehat{\mathrm{acc}}_{\mathrm{OOD}}(t)\le0.765,\ "
    r"\widehat{\mathrm{acc}}_{\mathrm{ID}}(t)\ge\tfrac{19}{20}\big]",
    tex=r"\int_0^{7/10}m\binom nmf^{m-1}(1-f)^{n-m}\,\Pr[\mathrm{Bin}(n,\tfrac37f)\le k]\,df",
    states="nuclear-toy-2d",
    title="How likely two samples show the printed pair",
    says=r"Some $\operatorname{sign}(x_1+tx_2)$, $t\ge0$, reads at most 0.765 on $n$ draws at test and 19/20 or more "
    r"on $n$ in training with the probability that the $m$-th threshold at test, $m=\lceil0.235n\rceil$, is below "
    r"the $(k+1)$-th in training, $k=\lfloor n/20\rfloor$.",
    role="derived",
    domain={n: integers(1)},
    grid={"smoke": {n: [1, 20]}, "standard": {n: [40]}},
    closed_form=PAIR,
    mutate=False,
    legs=[
        leg("samples", pair_shows, where=n <= 100, **SAMPLED),
        leg(
            "errors that are needed",
            needed,
            closed_form=MISSES,
            where=n <= 1000,
            grid={"smoke": {n: [1, 40, 199, 200, 201, 400, 1000]}},
            lhs="m",
            tex=r"\lceil0.235\,n\rceil",
        ),
        *COUNTED,
    ],
    rivals=[
        *MISCOUNTED,
        variant(
            "one more of 200",
            closed_form=sp.floor(sp.Rational(47, 200) * n) + 1,
            leg="errors that are needed",
        ),
        variant("both samples of the law at test", simulation=pair_of_one_law, leg="samples"),
        variant("the training sample alone", closed_form=CHANCE, leg="samples"),
        variant("half of it", closed_form=PAIR / 2, leg="samples"),
    ],
)
