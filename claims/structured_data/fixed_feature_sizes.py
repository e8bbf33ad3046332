r"""Theorem 2.2 where gamma is small: the repaired bound is above the printed one, at sizes of the theorem.

Setting. As in `fixed_feature_repair`, 3 < k <= D/16 odd. Features of the first two patterns and of the number of
active ones among the others: E_0[y Psi], and the hinge of a linear model, are exact sums over numbers, and the sets A
differ by what of the first two they contain only.

Statement. For gamma <= (1 - p)/2 and p(1 - p) >= k/D the printed bound holds for the mixture of one A, that of least
correlation on the uniform component: 1 - 2 gamma >= p, and C(D,k)^(1/k) 4p(1-p) >= (D/k) 4p(1-p) >= 4; a hinge is at
least 0.

Reference: repairs Theorems 2.2, A.22 (dissertation, chapter 2); not in the source.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from math import comb

from flint import ctx

from theorycheck import at_least, claim, formula_leg, instances, leg, typed, variant

from ._balls import BITS, ONE_POINT, number

FIRST = 2


def states(law):
    """First patterns, number of others on, label, weight on the uniform component and weight of the mixture.
    ``law``: what A has of the first patterns, D, k, gamma, p."""
    picked, D, k, gamma, p = law
    free, others = k - len(picked), D - FIRST - k + len(picked)
    for f in itertools.product((0, 1), repeat=FIRST):
        own, outside = sum(f[i] for i in picked), [f[i] for i in range(FIRST) if i not in picked]
        chance = p ** sum(outside) * (1 - p) ** (len(outside) - sum(outside))
        for a in range(free + 1):
            even = Fraction(comb(free, a), 2**k)
            mixed = (1 - 2 * gamma) * even + gamma * (own + a in (0, k))
            for c in range(others + 1):
                weight = chance * comb(others, c) * p**c * (1 - p) ** (others - c)
                yield f, a + c, (-1) ** (k - own - a), even * weight, mixed * weight


def values(first, count, f, t):
    """Psi, the product of a function of the first patterns and one of the number."""
    row = int("".join(map(str, f)), 2)
    return [u[row] * g[t] for u, g in zip(first, count, strict=True)]


def correlation(first, count, law):
    """|E_0[y Psi]|^2."""
    sums = [Fraction(0)] * len(first)
    for f, t, y, weight, _ in states(law):
        sums = [s + y * weight * v for s, v in zip(sums, values(first, count, f, t), strict=True)]
    return sum(s * s for s in sums)


def worst_law(first, count, D, k, gamma, p):
    """The mixture of the A with the least correlation."""
    pools = (itertools.combinations(range(FIRST), n) for n in range(FIRST + 1))
    laws = [(picked, D, k, gamma, p) for pool in pools for picked in pool]
    return min(laws, key=lambda law: correlation(first, count, law))


def hinge(first, count, w, D, k, gamma, p):
    """E max(0, 1 - y <w, Psi>) on it. Shape ()."""
    total = Fraction(0)
    for f, t, y, _, weight in states(worst_law(first, count, D, k, gamma, p)):
        out = sum(c * v for c, v in zip(w, values(first, count, f, t), strict=True))
        total += weight * max(Fraction(0), 1 - y * out)
    return total


def printed(first, count, w, D, k, gamma, p, factor=1):
    """p (1 - sqrt(2 N) |w|/2^k). Shape ()."""
    with ctx.workprec(BITS):
        size = number(2 * len(w) * sum((v * v for v in w), Fraction(0))).sqrt()
        return number(factor * p) * (1 - size / 2**k)


def a_tenth_more(first, count, w, D, k, gamma, p):
    return printed(first, count, w, D, k, gamma, p, factor=Fraction(11, 10) / p)


def some_model(rng):
    """Two features at D = 16 k to 16 k + 8, k = 5, gamma up to (1 - p)/2."""
    k, p = 5, Fraction(int(rng.integers(2, 9)), 16)
    D, kinds = 16 * k + int(rng.integers(0, 9)), []
    for _ in range(2):
        kind, most = int(rng.integers(0, 3)), D - FIRST + 1
        parity = [(-1) ** t for t in range(most)]
        step = [1 if t > p * D else -1 for t in range(most)]
        kinds.append((parity, step, [1] * most)[kind])
    return {
        "first": [[int(v) for v in rng.signs((2**FIRST,))] for _ in range(2)],
        "count": kinds,
        "w": list(rng.rational((2,), 4)),
        "D": D,
        "k": k,
        "gamma": (1 - p) / 2 * Fraction(int(rng.integers(1, 5)), 4),
        "p": p,
    }


def nothing_read(rng):
    """w = 0, where the hinge is 1."""
    return {**some_model(rng), "w": [Fraction(0)] * 2}


FIELDS = "first count w D k gamma p"


def run(name, draw, count, more, **pays):
    return leg(
        name,
        hinge,
        reference=printed,
        relation=at_least(),
        required=False,
        instances=instances(draw, FIELDS, smoke=count, standard=more),
        **pays,
    )


SMALL_GAMMA = ["k in 3..oo", "D in 16*k..oo", "p in (0, 1/2]"]
restricted = claim(
    "structured-fixed-feature-restricted",
    states="structured-fixed-feature-lower-bound",
    title=r"The printed bound where $\gamma$ is small",
    says=r"For $\gamma \le (1 - p)/2$ and $p(1 - p) \ge k/D$ the repaired bound is above the "
    "printed one.",
    role="derived",
    lhs=r"\min_A\,L(\langle w,\Psi\rangle)",
    tex=r"p_o\Big(1-\tfrac{\sqrt{2N}|w|}{2^k}\Big)",
    covers="gamma-restricted",
    reads={
        "D": "D",
        "k": "k",
        "p_o": "p",
        "gamma": "gamma",
        "Psi": "first count",
        "N": "first",
        "B": "w",
        "law": "first count D k gamma p",
        "w": "w",
    },
    **ONE_POINT,
    legs=[
        run("members and models", some_model, 3, 8, gives="law", chosen_by=worst_law),
        run("nothing read", nothing_read, 1, 1),
        formula_leg(
            "prefactor and class",
            typed(
                "1 - 2*gamma >= p and 4*D*p*(1 - p)/k >= 4",
                over=[*SMALL_GAMMA, "gamma in (0, (1 - p)/2]"],
                where="p*(1 - p) >= k/D",
            ),
            over="D k p_o gamma",
        ),
        formula_leg(
            "the bounds",
            typed(
                "q*(1 - x) >= p*(1 - sqrt(2)*x) and 0 >= p*(1 - sqrt(2)*z)",
                over=["p in (0, 1/2]", "q in [p, 1]", "x in (0, 1]", "z in [1, oo)"],
            ),
            over="Psi N B w",
        ),
    ],
    rivals=[
        variant("1.1 for p", reference=a_tenth_more, leg="nothing read"),
        variant(
            "gamma up to 1/2",
            leg="prefactor and class",
            simulation=typed(
                "1 - 2*gamma >= p",
                over=[*SMALL_GAMMA, "gamma in (0, 1/2)"],
                where="p*(1 - p) >= k/D",
            ),
        ),
        variant(
            "a smaller slope",
            leg="the bounds",
            simulation=typed(
                "q*(1 - x) >= p*(1 - x/2)", over=["p in (0, 1/2]", "q in [p, 1]", "x in (0, 1]"]
            ),
        ),
    ],
)
