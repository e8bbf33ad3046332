"""Derived: the probability that a needle is among the k largest of n Gaussian scores.

Setting. n - 1 haystack scores N(0, 1) and a needle score N(Delta, 1), all independent; with h heads summed, the signal
Delta in one of them and unit noise in each.

Statements. The needle is among the k largest with probability
E_x BinomCDF(k - 1; n - 1, 1 - Phi(Delta + x)), x ~ N(0, 1): fewer than k of the others exceed it. Summing h heads
replaces Delta by Delta / sqrt(h): where the needle's noise is sqrt(h) z, each other sum exceeds it with probability
1 - Phi(Delta / sqrt(h) + z), as one score does with that signal and noise z. At Delta = 0 it is k/n.

Reference: derived from section 9.3.1 (arXiv 2409.17422).
"""

from __future__ import annotations

import sympy as sp

from theorycheck import (
    claim,
    equals,
    formula_leg,
    integers,
    leg,
    probability,
    reals,
    rivals_of,
    typed,
    variant,
)

n, k, h = sp.symbols("n k h", integer=True, positive=True)
Delta = sp.symbols("Delta", real=True)
x = sp.symbols("x", real=True)
j = sp.symbols("j", integer=True, nonnegative=True)


CUT = 40
"""Beyond it the density holds less than exp(-800): no sample of any size can tell."""
if sp.log(sp.erfc(CUT / sp.sqrt(2))) > -800:
    raise ValueError("the integral is cut off where there is mass")


def among(k, n, shift):
    """P[needle among the k largest of n] at advantage ``shift``."""
    exceed = sp.erfc((shift + x) / sp.sqrt(2)) / 2
    density = sp.exp(-(x**2) / 2) / sp.sqrt(2 * sp.pi)
    exactly = exceed**j * (1 - exceed) ** (n - 1 - j) * density
    term = sp.binomial(n - 1, j) * sp.Integral(exactly, (x, -CUT, CUT))
    return sp.Sum(term, (j, 0, k - 1))


def kept(ns, rng, size, n, k, Delta):
    """Whether fewer than k of n - 1 scores exceed the needle's. Booleans, shape (size,)."""
    needle = rng.normal((size, 1)) + ns.asarray(Delta)
    others = rng.normal((size, n))[:, 1:]
    return (
        ns.sum(ns.where(others > needle, ns.ones((size, n - 1)), ns.zeros((size, n - 1))), axis=-1)
        < k
    )


def kept_without_noise(ns, rng, size, n, k, Delta):
    """The same of a needle that is its signal alone."""
    exceeding = rng.normal((size, n))[:, 1:] > ns.asarray(Delta)
    return ns.sum(ns.number(exceeding), axis=-1) < k


# Known without the integral: n scores of one law are exchangeable, and the difference of two is N(Delta, 2).
BY_SYMMETRY, OF_TWO = k / n, 1 - sp.erfc(Delta / 2) / 2


integral = claim(
    "gemfilter-selection-prob",
    lhs=r"\Pr[\text{needle kept}]",
    tex=r"\sum_{j=0}^{k-1}\binom{n-1}{j}\int_{-40}^{40}\varphi(x)\,"
    r"\bar\Phi(x+\Delta)^j\,\Phi(x+\Delta)^{n-1-j}\,dx",
    title="Probability that the needle is selected",
    says=r"Among $n-1$ scores $N(0,1)$ a needle $N(\Delta,1)$ is one of the $k$ largest with the mean "
    r"probability that a binomial of $n-1$ trials of chance $1-\Phi(\Delta+x)$ is at most $k-1$: with $k/n$ at "
    r"$\Delta=0$, and with $\Phi(\Delta/\sqrt2)$ as the larger of two.",
    covers="integral",
    domain={n: integers(2), k: integers(1), Delta: reals()},
    where=k <= n,
    grid={"smoke": [{n: 6, k: 1, Delta: 1}, {n: 9, k: 2, Delta: 2}, {n: 12, k: 4, Delta: 0}]},
    closed_form=among(k, n, Delta),
    mutate=False,
    legs=[
        leg("sampled", kept, statistic=probability(), draws="scores"),
        leg(
            "no advantage",
            kept,
            statistic=probability(),
            closed_form=BY_SYMMETRY,
            where=sp.Eq(Delta, 0),
            grid={"smoke": [{n: 3, k: 1, Delta: 0}, {n: 5, k: 2, Delta: 0}]},
            lhs=r"\Pr[\text{needle kept}],\ \Delta=0",
            tex=r"k/n",
        ),
        leg(
            "of two",
            kept,
            statistic=probability(),
            closed_form=OF_TWO,
            where=sp.Eq(n, 2) & sp.Eq(k, 1),
            grid={"smoke": [{n: 2, k: 1, Delta: 1}, {n: 2, k: 1, Delta: -2}]},
            lhs=r"\Pr[\text{needle kept}],\ n=2,\ k=1",
            tex=r"\Phi(\Delta/\sqrt2)",
        ),
    ],
    rivals=[
        variant("k for k - 1", closed_form=among(k + 1, n, Delta), leg="sampled"),
        variant(
            "n for n - 1",
            closed_form=among(k, n + 1, Delta),
            at=[{n: 3, k: 1, Delta: 1}],
            leg="sampled",
        ),
        variant("k/n", closed_form=k / n, leg="sampled"),
        *(
            variant(
                f"a needle without its own noise, {name}", simulation=kept_without_noise, leg=name
            )
            for name in ("sampled", "no advantage", "of two")
        ),
        variant("Phi(Delta)", closed_form=1 - sp.erfc(Delta / sp.sqrt(2)) / 2, leg="of two"),
    ],
)


def kept_by_sum(ns, rng, size, n, k, h, Delta):
    """The same for sums over h heads of unit noise, the needle's signal in one head. Booleans, shape (size,)."""
    summed = ns.sum(rng.normal((size, n, h)), axis=-1)
    needle = summed[:, :1] + ns.asarray(Delta)
    others = summed[:, 1:]
    return (
        ns.sum(ns.where(others > needle, ns.ones((size, n - 1)), ns.zeros((size, n - 1))), axis=-1)
        < k
    )


def kept_by_sum_without_noise(ns, rng, size, n, k, h, Delta):
    exceeding = ns.sum(rng.normal((size, n, h)), axis=-1)[:, 1:] > ns.asarray(Delta)
    return ns.sum(ns.number(exceeding), axis=-1) < k


dilution = claim(
    "gemfilter-dilution",
    lhs=r"\Pr[\text{needle kept}]",
    tex=r"\sum_{j=0}^{k-1}\binom{n-1}{j}\int_{-40}^{40}\varphi(x)\,"
    r"\bar\Phi\Big(x+\frac\Delta{\sqrt h}\Big)^j\,\Phi\Big(x+\frac\Delta{\sqrt h}\Big)^{n-1-j}dx",
    states="gemfilter-selection-prob",
    title="Summing heads dilutes the needle",
    says=r"With the signal $\Delta$ in one of $h$ summed heads of unit noise the probability is that of"
    r" one head with $\Delta/ \sqrt{h}$.",
    covers="dilution",
    domain={n: integers(2), k: integers(1), h: integers(1), Delta: reals()},
    where=k <= n,
    grid={"smoke": [{n: 6, k: 1, h: 4, Delta: 3}, {n: 9, k: 2, h: 9, Delta: 4}]},
    closed_form=among(k, n, Delta / sp.sqrt(h)),
    mutate=False,
    legs=[
        leg("sampled", kept_by_sum, statistic=probability()),
        leg(
            "no advantage",
            kept_by_sum,
            statistic=probability(),
            closed_form=BY_SYMMETRY,
            where=sp.Eq(Delta, 0),
            grid={"smoke": [{n: 3, k: 1, h: 2, Delta: 0}, {n: 5, k: 2, h: 3, Delta: 0}]},
            lhs=r"\Pr[\text{needle kept}],\ \Delta=0",
            tex=r"k/n",
        ),
        leg(
            "of two",
            kept_by_sum,
            statistic=probability(),
            closed_form=OF_TWO.subs(Delta, Delta / sp.sqrt(h)),
            where=sp.Eq(n, 2) & sp.Eq(k, 1),
            grid={"smoke": [{n: 2, k: 1, h: 3, Delta: 2}]},
            lhs=r"\Pr[\text{needle kept}],\ n=2,\ k=1",
            tex=r"\Phi\big(\Delta/\sqrt{2h}\big)",
        ),
    ],
    rivals=[
        variant("Delta/h", closed_form=among(k, n, Delta / h), leg="sampled"),
        variant("Delta", closed_form=among(k, n, Delta), leg="sampled"),
        *(
            variant(
                f"a needle without its own noise, {name}",
                simulation=kept_by_sum_without_noise,
                leg=name,
            )
            for name in ("sampled", "no advantage", "of two")
        ),
    ],
)

z = sp.symbols("z", real=True)
EXCEEDS = sp.erfc((Delta / sp.sqrt(h) + z) / sp.sqrt(2)) / 2


def exceeds(ns, rng, size, h, Delta, z):
    """Whether another's sum over h heads exceeds the needle's, whose noise is sqrt(h) z. Booleans, shape (size,)."""
    other = ns.sum(rng.normal((size, h)), axis=-1)
    return other > ns.asarray(Delta) + ns.sqrt(ns.number(h)) * ns.asarray(z)


def exceeds_unscaled(ns, rng, size, h, Delta, z):
    return ns.sum(rng.normal((size, h)), axis=-1) > ns.asarray(Delta) + ns.asarray(z)


SCALED = formula_leg(
    "all h",
    typed(
        f"P[s > Delta + sqrt(h)*z] == {EXCEEDS}",
        over=["s ~ N(0, h)", "h in 1..oo", "Delta in R", "z in R"],
    ),
)

dilution_of_each = claim(
    "gemfilter-dilution-of-each",
    lhs=r"\Pr[\text{another exceeds the needle}]",
    states="gemfilter-selection-prob",
    title="Each other score against the needle, over h heads",
    says=r"With noise $\sqrt h\,z$ of the needle a sum of $h$ unit noises exceeds it with probability "
    r"$1-\Phi(\Delta/\sqrt h+z)$: what one head with the signal $\Delta/\sqrt h$ and the noise $z$ has, for every $h$.",
    role="derived",
    covers="dilution",
    domain={h: integers(1), Delta: reals(), z: reals()},
    grid={"smoke": [{h: 4, Delta: 1, z: 0}, {h: 9, Delta: 2, z: -1}]},
    closed_form=EXCEEDS,
    relation=equals(),
    mutate=False,
    legs=[
        leg("sampled", exceeds, statistic=probability(), required=False),
        SCALED,
    ],
    rivals=[
        variant("noise z for sqrt(h) z", simulation=exceeds_unscaled, leg="sampled"),
        variant("Delta", closed_form=EXCEEDS.subs(Delta, Delta * sp.sqrt(h)), leg="sampled"),
        *rivals_of(
            SCALED,
            {"Delta/h": f"P[s > Delta + sqrt(h)*z] == {EXCEEDS.subs(Delta, Delta / sp.sqrt(h))}"},
        ),
    ],
)

EXCEEDS_ONE = EXCEEDS.subs(h, 1)
GIVEN = sp.Sum(
    sp.binomial(n - 1, j) * EXCEEDS_ONE**j * (1 - EXCEEDS_ONE) ** (n - 1 - j), (j, 0, k - 1)
)


def kept_given(ns, rng, size, n, k, Delta, z):
    """Whether fewer than k of n - 1 scores exceed a needle whose noise is z. Booleans, shape (size,)."""
    exceeding = rng.normal((size, n))[:, 1:] > ns.asarray(Delta) + ns.asarray(z)
    return ns.sum(ns.number(exceeding), axis=-1) < k


def one_more_given(ns, rng, size, n, k, Delta, z):
    return kept_given(ns, rng, size, n, k + 1, Delta, z)


EACH = formula_leg(
    "each exceeds",
    typed(f"P[s > Delta + z] == {EXCEEDS_ONE}", over=["s ~ N(0, 1)", "Delta in R", "z in R"]),
)
HOW_MANY = formula_leg(
    "how many exceed",
    typed(
        f"P[c <= k - 1] == {GIVEN}",
        over=[
            f"c ~ Bin(n - 1, {EXCEEDS_ONE})",
            "n in 2..oo",
            "k in 1..n",
            "Delta in R",
            "z in R",
        ],
    ),
)

given_noise = claim(
    "gemfilter-selection-given-noise",
    lhs=r"\Pr[\text{needle kept}\mid z]",
    states="gemfilter-selection-prob",
    title="Given the needle's noise, the rest is a binomial count",
    says=r"Given the needle's noise $z$ each of the $n-1$ others exceeds it with probability $1-\Phi(\Delta+z)$, "
    r"independently: it is kept with the probability that a binomial count of these is at most $k-1$, for all $n$, $k$ "
    r"and $\Delta$. The mean over $z\sim N(0,1)$ is the stated integral.",
    role="derived",
    covers="integral",
    domain={n: integers(2), k: integers(1), Delta: reals(), z: reals()},
    where=k <= n,
    grid={"smoke": [{n: 6, k: 1, Delta: 1, z: 0}, {n: 9, k: 2, Delta: 1, z: -1}]},
    closed_form=GIVEN,
    relation=equals(),
    mutate=False,
    legs=[
        leg("sampled", kept_given, statistic=probability(), draws="scores", required=False),
        EACH,
        HOW_MANY,
    ],
    rivals=[
        variant("k for k - 1", simulation=one_more_given, leg="sampled"),
        variant("at the mean of z", closed_form=GIVEN.subs(z, 0), leg="sampled"),
        *rivals_of(EACH, {"Delta - z": f"P[s > Delta - z] == {EXCEEDS_ONE}"}),
        *rivals_of(HOW_MANY, {"at most k": f"P[c <= k] == {GIVEN}"}),
    ],
)
