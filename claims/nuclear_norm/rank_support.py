"""Lemma 6.2: the optimum under a bound on the number of features.

Setting. L(w) = E ell(sum_j w_j z_j) under ||w||_0 <= B, z_j in [0, 1] for j in R; no bound on the size of w.

Statements. (1) Printed: for every subset of R of size B some minimiser of L is positive there and 0 elsewhere. Such a
w has margin m > 0 almost surely, and ell(2m) < ell(m) for every m > 0: 2w is better, so that w is no minimiser. (2)
The infimum is 0 and not attained: ell > 0, and L(c e_1) <= (1 - e^{-c})/c < 1/c, for ell(m) <= e^{-m}. (3) Exchange:
moving the weight w_j of an environmental coordinate to a free invariant one, by its size, lowers L. So each w is
beaten by c e_1 at c = 1/L(w). With z_j = +-u, u uniform like the other's coordinate, the margin m + |w_j| u replaces
m + |w_j| u or m - |w_j| u, the second with probability 1/2 - sign(w_j) gamma, which is positive for |gamma| < 1/2.
(4) Not every minimising sequence leaves the environment: c^3 e_1 + c e_d has margin at least c^3 u - c, u = z_1, so
that by ell(m) <= log 2 - m for m <= 0 and ell(m) <= e^{-m} its risk is at most (c log 2 + c^2/2 + 1)/c^3 <= 11/(5c)
for c >= 1.

Reference: Lemma 6.2 and E.7, lines 1807 and 9230-9236.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import sympy as sp
from flint import ctx

from theorycheck import (
    at_least,
    at_most,
    claim,
    equals,
    formula_leg,
    instances,
    integers,
    leg,
    reaching,
    reals,
    rivals_of,
    sharpened,
    typed,
    variant,
)

from ._population import BITS, number, risk

r, d, B_rank, j, k = sp.symbols("r d B_rank j k", integer=True, positive=True)
c = sp.Symbol("c", positive=True)
gamma, m, s = sp.symbols("gamma m s", real=True)

CELLS = {
    "domain": {
        r: integers(1),
        d: integers(2),
        B_rank: integers(1),
        gamma: reals(0, Fraction(1, 2), low_open=True, high_open=True),
    },
    "where": sp.And(r < d, B_rank <= d),
    "grid": {
        "smoke": [
            {r: 2, d: 3, B_rank: 1, gamma: Fraction(1, 5)},
            {r: 3, d: 5, B_rank: 4, gamma: Fraction(49, 100)},
        ],
        "standard": [
            {r: a, d: a + b, B_rank: a, gamma: Fraction(2, 5)} for a in (1, 4) for b in (1, 3)
        ],
    },
}


def some_weights(rng, r, d, B_rank, gamma):
    """A weight from 4 to 8 on z_1, so that with B = 1 the risk is small, and up to B - 1 on any other coordinates."""
    w = [Fraction(int(rng.integers(8, 17)), 2)] + [Fraction(0)] * (d - 1)
    for i in rng.permutation(d - 1)[: B_rank - 1]:
        w[1 + int(i)] = Fraction(int(rng.integers(0, 9)) * int(rng.signs()), 2)
    return {"w": w}


def beaten(w, r, d, B_rank, gamma, share=1):
    """L(c e_1) at c = ``share``/L(w). Shape ()."""
    with ctx.workprec(BITS):
        bias = number(gamma)
        size = number(Fraction(share)) / risk(w, r, bias)
        return {"value": risk([size], r, bias), "c": size / number(Fraction(share))}


def not_beaten(w, r, d, B_rank, gamma):
    """At half of it."""
    return beaten(w, r, d, B_rank, gamma, share=Fraction(1, 2))


def with_mean(rng, r, d, B_rank, gamma):
    """The same with a weight on an environmental coordinate where B >= 2, and the mean of w^T z."""
    w = some_weights(rng, r, d, max(B_rank - 1, 1), gamma)["w"]
    if B_rank > 1:
        w[-1] = Fraction(int(rng.integers(1, 9)) * int(rng.signs()), 2)
    return {"w": w, "mean": sum(w[:r]) / 2 + Fraction(gamma) * sum(w[r:])}


def weights_used(w, r, d, B_rank, gamma):
    """How many weights are not 0. Shape ()."""
    return sum(x != 0 for x in w)


def several_weights(rng, r, d, B_rank, gamma):
    """`some_weights`, sixteen times. All others than z_1's are 0 with probability 9^-16 at most, 10^-15."""
    return {"w": [some_weights(rng, r, d, B_rank, gamma)["w"] for _ in range(16)]}


def one_weight(rng, r, d, B_rank, gamma):
    return {"w": [[Fraction(1)] + [Fraction(0)] * (d - 1)] * 16}


def most_weights(w, r, d, B_rank, gamma):
    """Of the drawn ones. Shape ()."""
    return max(weights_used(row, r, d, B_rank, gamma) for row in w)


def weights_and_two(w, r, d, B_rank, gamma):
    return weights_used(w, r, d, B_rank, gamma) + B_rank


def turned(w, r, d, B_rank, gamma, lean=1):
    """L(w) - L(-w): ell(m) - ell(-m) is -m. Shape ()."""
    with ctx.workprec(BITS):
        bias = lean * number(gamma)
        return risk(w, r, bias) - risk([-x for x in w], r, bias)


def turned_in_the_shifted_law(w, r, d, B_rank, gamma):
    return turned(w, r, d, B_rank, gamma, lean=-1)


mean = sp.Symbol("mean", real=True)
POSITIVE = "m in (0, oo)"
ANY = "m in (-oo, oo)"

DOUBLING = typed("log(1 + exp(-2*m)) < log(1 + exp(-m))", over=POSITIVE)
"""At every margin of a w that is positive on R and 0 elsewhere, the least of them too, 2w is better."""
NOT_DOUBLING = replace(DOUBLING, says=DOUBLING.says.replace("<", ">="))

ABOVE_0 = formula_leg("positive", typed("log(1 + exp(-m)) > 0", over=ANY))
TWICE = formula_leg("doubling", DOUBLING)
BELOW = formula_leg("below e^-m", typed("log(1 + exp(-m)) <= exp(-m)", over=ANY))
MEAN = formula_leg(
    "its mean",
    typed(f"Integral(exp(-c*z), (z, 0, 1)) < {1 / c}", over="c in (0, oo)"),
    over="B_rank w",
)

printed = claim(
    "nuclear-rank-optimum",
    states="nuclear-erm-rank-support",
    title="A minimiser on every subset",
    says="Some w, positive on the subset and 0 elsewhere, is not improved by 2w at any margin.",
    expect="fail",
    covers="optimum-on-any-subset",
    legs=[
        formula_leg(
            "doubling",
            NOT_DOUBLING,
            over="r d gamma B_rank R_rank w_star",
        )
    ],
)

no_minimiser = claim(
    "nuclear-no-minimiser",
    states="nuclear-erm-rank-support",
    title="The infimum 0 is not attained",
    says=r"$L(w) > 0$ for every $w$, and $L(c\,e_1) < 1/c$ for every $c > 0$.",
    role="corrected",
    corrects="nuclear-rank-optimum",
    covers="no-minimiser",
    lhs=r"\mathcal L(e_1/\mathcal L(w))",
    tex=r"\mathcal L(w)",
    relation=at_most(strict=True),
    closed_form=1 / c,
    legs=[
        leg(
            "drawn w",
            beaten,
            observed=["c"],
            required=False,
            instances=instances(some_weights, "w", smoke=2),
        ),
        leg(
            "w and -w",
            turned,
            relation=equals(),
            closed_form=-mean,
            required=False,
            instances=instances(with_mean, "w mean", smoke=2),
            grid={"smoke": CELLS["grid"]["smoke"]},
            lhs=r"\mathcal L(w)-\mathcal L(-w)",
            tex=r"-\mathbb E[w^\top z]",
        ),
        leg(
            "no more than B",
            weights_used,
            relation=at_most(),
            closed_form=B_rank,
            required=False,
            instances=instances(some_weights, "w", smoke=2),
            grid={"smoke": CELLS["grid"]["smoke"]},
            lhs=r"\|w\|_0",
            tex="B",
        ),
        leg(
            "more than one",
            most_weights,
            relation=at_least(),
            closed_form=sp.Integer(2),
            required=False,
            instances=instances(several_weights, "w", smoke=1),
            where=B_rank >= 2,
            grid={"smoke": CELLS["grid"]["smoke"][1:], "standard": CELLS["grid"]["smoke"][1:]},
            lhs=r"\max\|w\|_0",
            tex="2",
        ),
        ABOVE_0,
        TWICE,
        BELOW,
        MEAN,
    ],
    rivals=[
        variant(
            "none but that of z_1",
            leg="more than one",
            instances=instances(one_weight, "w", smoke=1),
        ),
        variant("B more", simulation=weights_and_two, leg="no more than B"),
        *sharpened(ABOVE_0),
        *reaching(ABOVE_0, "m <= -9", "m >= 9"),
        *reaching(TWICE, "m <= 1/9", "m >= 9"),
        *sharpened(BELOW, times="99/100"),
        *reaching(BELOW, "m <= -9", "m >= 9"),
        *sharpened(MEAN, times="99/100"),
        *reaching(MEAN, "c <= 1/9", "c >= 9"),
        variant("of the shifted law", simulation=turned_in_the_shifted_law, leg="w and -w"),
        variant("half of the bound", closed_form=1 / (2 * c), leg="drawn w"),
        variant("half as long", simulation=not_beaten, leg="drawn w"),
        variant(
            "attained from 1/10 on",
            leg="positive",
            simulation=typed("log(1 + exp(-m)) > 1/10", over=ANY),
        ),
        variant(
            "half of it by doubling",
            leg="doubling",
            simulation=replace(DOUBLING, says=f"{DOUBLING.says}/2"),
        ),
        variant(
            "doubling at every margin",
            leg="doubling",
            simulation=typed("log(1 + exp(-2*m)) < log(1 + exp(-m))", over=ANY),
        ),
        variant(
            "half of e^-m",
            leg="below e^-m",
            simulation=typed("log(1 + exp(-m)) <= exp(-m)/2", over=ANY),
        ),
        variant(
            "1/(2c)",
            leg="its mean",
            simulation=typed("Integral(exp(-c*z), (z, 0, 1)) < 1/(2*c)", over="c in (0, oo)"),
        ),
    ],
    **CELLS,
)


# ---- the exchange


def moved(w, j, k):
    """w with the size of w_j at k, and 0 at j. Coordinates from 1."""
    found = list(w)
    found[k - 1], found[j - 1] = abs(w[j - 1]), w[j - 1] * 0
    return found


def with_free_coordinate(rng, r, d, j, k, gamma):
    """Weights with w_j != 0 = w_k, and an example whose z_j is turned against w_j, |z_j| = z_k = u; s = |w_j| u, m the
    margin of the other coordinates."""
    w = [Fraction(int(rng.integers(-4, 5)), 2) for _ in range(d)]
    z = [Fraction(int(rng.integers(0, 9)), 8) for _ in range(r)]
    z += [Fraction(int(rng.integers(-8, 9)), 8) for _ in range(d - r)]
    w[j - 1], w[k - 1] = Fraction(int(rng.integers(1, 5)) * int(rng.signs()), 2), Fraction(0)
    z[k - 1] = Fraction(int(rng.integers(1, 9)), 8)
    z[j - 1] = -z[k - 1] if w[j - 1] > 0 else z[k - 1]
    rest = sum(a * b for i, (a, b) in enumerate(zip(w, z, strict=True)) if i != j - 1)
    return {"w": w, "z": z, "m": rest, "s": abs(w[j - 1]) * z[k - 1]}


def margin(ns, w, z):
    return ns.sum(w * z, axis=1)


def loss_before(ns, w, z, d, j, k):
    """Shape (B,)."""
    return ns.softplus(-margin(ns, w, z))


def loss_after(ns, w, z, d, j, k):
    """With the weight moved. Shape (B,)."""
    columns = [w[:, i] for i in range(d)]
    columns[k - 1], columns[j - 1] = ns.abs(w[:, j - 1]), 0 * w[:, j - 1]
    return ns.softplus(-margin(ns, ns.stack(columns, axis=1), z))


def loss_of_signed(ns, w, z, d, j, k):
    """With w_j moved and not its size. Shape (B,)."""
    columns = [w[:, i] for i in range(d)]
    columns[k - 1], columns[j - 1] = w[:, j - 1], 0 * w[:, j - 1]
    return ns.softplus(-margin(ns, ns.stack(columns, axis=1), z))


def share(v, w, r, gamma):
    """L(v)/L(w)."""
    with ctx.workprec(BITS):
        return risk(v, r, number(gamma)) / risk(w, r, number(gamma))


def share_of_itself(w, r, gamma):
    """L(w)/L(w). Shape ()."""
    return share(w, w, r, gamma)


def share_of_the_opposite(w, r, gamma):
    return share([-x for x in w], w, r, gamma)


def share_lost(w, r, j, k, gamma):
    """What w with the weight moved leaves of L(w), over the probability that w_j misleads, 1/2 - sign(w_j) gamma; no
    number where that is 0. Shape ()."""
    misleads = Fraction(1, 2) - (1 if w[j - 1] > 0 else -1) * Fraction(gamma)
    with ctx.workprec(BITS):
        return (1 - share(moved(w, j, k), w, r, gamma)) * number(1 / misleads)


def share_gained(w, r, j, k, gamma):
    """The other way round."""
    return -share_lost(w, r, j, k, gamma)


def with_taken_coordinate(rng, r, d, j, k, gamma):
    """The same with a weight on k, which is lost to that of j."""
    found = with_free_coordinate(rng, r, d, j, k, gamma)
    w = [Fraction(int(i in (j - 1, k - 1))) for i in range(d)]
    return {**found, "w": w}


EXAMPLES = instances(with_free_coordinate, "w z m s", smoke=3, standard=8)
ONE = instances(with_free_coordinate, "w z m s", smoke=1)
BEFORE, AFTER = sp.log(1 + sp.exp(-(m - s))), sp.log(1 + sp.exp(-(m + s)))
LOWER = f"{AFTER} < {BEFORE}"
SIZED = [ANY, "s in (0, oo)"]
# e stands for the sign of w_j: where z_j has the same, nothing changes in law
CHANCE = formula_leg(
    "with its probability",
    typed(
        f"(1/2 - e*gamma)*({AFTER}) < (1/2 - e*gamma)*({BEFORE})",
        over=[*SIZED, "e in {-1, 1}", "gamma in (-1/2, 1/2)"],
    ),
    over="j k",
)

MISLED = formula_leg("misled", typed(LOWER, over=SIZED), over="j k")

exchange = claim(
    "nuclear-exchange",
    states="nuclear-erm-rank-support",
    title="Exchanging an environmental coordinate",
    says=r"$\ell(m + s) < \ell(m - s)$ for every real $m$ and $s = |w_j| u > 0$, a loss that changes with probability "
    r"$\frac12-\operatorname{sign}(w_j)\gamma>0$, for every $\gamma\in(-1/2,1/2)$.",
    covers="exchange",
    reads={"w": "m s"},
    lhs=r"\ell(w'^\top z)",
    tex=r"\ell(m+s)",
    domain={
        r: integers(1),
        d: integers(2),
        j: integers(2),
        k: integers(1),
        gamma: reals(-Fraction(1, 2), Fraction(1, 2), low_open=True, high_open=True),
    },
    where=sp.And(k <= r, r < j, j <= d),
    grid={
        "smoke": [
            {r: 1, d: 2, j: 2, k: 1, gamma: Fraction(2, 5)},
            {r: 3, d: 5, j: 4, k: 2, gamma: -Fraction(49, 100)},
        ],
        "standard": [
            {r: a, d: a + 2, j: a + b, k: a, gamma: Fraction(2 * b - 3, 3)}
            for a in (1, 4)
            for b in (1, 2)
        ],
    },
    closed_form=AFTER,
    legs=[
        leg("moved", loss_after, instances=EXAMPLES, required=False),
        leg(
            "as it was",
            loss_before,
            instances=EXAMPLES,
            closed_form=BEFORE,
            required=False,
            lhs=r"\ell(w^\top z)",
            tex=r"\ell(m-s)",
        ),
        leg(
            "mean loss",
            share_lost,
            instances=ONE,
            relation=at_least(strict=True),
            closed_form=sp.Integer(0),
            unit=1,
            required=False,
            lhs=r"(1-\mathcal L(w')/\mathcal L(w))/\Pr[w_jz_j<0]",
            tex="0",
        ),
        leg(
            "of itself",
            share_of_itself,
            instances=ONE,
            closed_form=sp.Integer(1),
            required=False,
            lhs=r"\mathcal L(w)/\mathcal L(w)",
            tex="1",
        ),
        MISLED,
        CHANCE,
    ],
    rivals=[
        *reaching(MISLED, "m <= -9 and s >= 9", "m >= 9 and s <= 1/9"),
        *reaching(
            CHANCE, "m <= -9 and s >= 9 and gamma >= 4/9", "m >= 9 and s <= 1/9 and gamma <= -4/9"
        ),
        variant("of -w", simulation=share_of_the_opposite, leg="of itself"),
        variant("nothing gained", closed_form=BEFORE, leg="moved"),
        variant("moved with its sign", simulation=loss_of_signed, leg="moved"),
        variant("the other way round", simulation=share_gained, leg="mean loss"),
        variant(
            "k has a weight of its own",
            leg="mean loss",
            instances=instances(with_taken_coordinate, "w z m s", smoke=1),
            at=[{r: 1, d: 2, j: 2, k: 1, gamma: Fraction(49, 100)}],
        ),
        variant("by half", leg="misled", simulation=typed(f"{LOWER}/2", over=SIZED)),
        *rivals_of(
            CHANCE,
            {"gamma = 1/2 as well": {"over": [*SIZED, "e in {-1, 1}", "gamma in (-1/2, 1/2]"]}},
        ),
        variant(
            "weights of either sign",
            leg="misled",
            simulation=typed(LOWER, over=[ANY, "s in (-oo, oo)"]),
        ),
    ],
)


# ---- not every minimising sequence leaves the environment


def through_the_environment(r, d):
    """Coordinate -> power of c: w^(c) is c^3 on the first of R, c on the last of U, and 0 elsewhere."""
    return {1: 3, d: 1}


def along(r, d, c, powers):
    """c to these powers. Coordinates from 1."""
    return [Fraction(c) ** powers[j] if j in powers else Fraction(0) for j in range(1, d + 1)]


def risk_along(r, d, gamma, c):
    """L(w^(c)); no number where w^(c) has no weight on U. Shape ()."""
    w = along(r, d, c, through_the_environment(r, d))
    with ctx.workprec(BITS):
        return risk(w, r, number(gamma)) / number(Fraction(any(w[r:])))


def risk_of_equal_powers(r, d, gamma, c):
    """c on both: the environment misleads however large c is. Shape ()."""
    with ctx.workprec(BITS):
        return risk(along(r, d, c, {1: 1, d: 1}), r, number(gamma))


def weights_along(r, d, c):
    """How many weights w^(c) has. Shape ()."""
    return sum(x != 0 for x in along(r, d, c, through_the_environment(r, d)))


FALLS = 11 / (5 * c)
# u is z_1 and z the last coordinate, so that the margin is at least c^3 u - c
LOWEST = formula_leg(
    "least margin",
    typed("c**3*u + c*z >= c**3*u - c", over=["c in [1, oo)", "u in [0, 1]", "z in [-1, 1]"]),
    over="r d gamma",
)
UNDER_0 = formula_leg("under 0", typed("log(1 + exp(m)) <= log(2) + m", over="m in [0, oo)"))
OVER_0 = formula_leg("over 0", typed("Integral(exp(-m), (m, 0, h)) <= 1", over="h in [0, oo)"))
# c^3 L(w^(c)) is at most the integral of ell from -c to c^3 - c
SEQUENCE = formula_leg(
    "together",
    typed(
        f"(Integral(log(2) + m, (m, 0, c)) + k)/c**3 <= {FALLS}",
        over=["c in [1, oo)", "k in [0, 1]"],
    ),
    over="B_rank",
)

through = claim(
    "nuclear-sequence-through-environment",
    states="nuclear-erm-rank-support",
    title="A minimising sequence that uses the environment",
    says=r"$L(c^3e_1+c\,e_d)\le11/(5c)$ for every $c\ge1$, so that the risk tends to 0 along weights of which none "
    "leaves $U$.",
    role="derived",
    covers="sequence-through-environment",
    lhs=r"\mathcal L(c^3e_1+c\,e_d)",
    tex=r"\frac{11}{5c}",
    relation=at_most(),
    domain={**CELLS["domain"], B_rank: integers(2), c: reals(1)},
    where=CELLS["where"],
    grid={
        "smoke": [
            {r: 1, d: 2, B_rank: 2, gamma: Fraction(1, 5), c: 1},
            {r: 3, d: 5, B_rank: 4, gamma: Fraction(49, 100), c: 6},
            {r: 2, d: 3, B_rank: 2, gamma: Fraction(1, 20), c: 10},
        ],
        "standard": [
            {r: a, d: a + b, B_rank: a + 1, gamma: Fraction(2, 5), c: size}
            for a in (1, 4)
            for b in (1, 3)
            for size in (2, 10)
        ],
    },
    closed_form=FALLS,
    legs=[
        leg(
            "risk",
            risk_along,
            gives="w",
            chosen_by=through_the_environment,
            required=False,
        ),
        leg(
            "no more than B",
            weights_along,
            relation=at_most(),
            closed_form=B_rank,
            required=False,
            lhs=r"\|c^3e_1+c\,e_d\|_0",
            tex="B",
        ),
        LOWEST,
        UNDER_0,
        OVER_0,
        SEQUENCE,
    ],
    rivals=[
        variant("equal powers", simulation=risk_of_equal_powers, leg="risk"),
        variant("1/c^3", closed_form=1 / c**3, leg="risk"),
        variant("one less than B", closed_form=B_rank - 1, leg="no more than B"),
        *sharpened(LOWEST, times="99/100"),
        *reaching(LOWEST, "c >= 9 and z <= -9/10"),
        *sharpened(UNDER_0),
        *reaching(UNDER_0, "m >= 9"),
        *sharpened(OVER_0, times="99/100"),
        *reaching(OVER_0, "h >= 9"),
        *sharpened(SEQUENCE, times="9/10"),
        *reaching(SEQUENCE, "c <= 1 and k >= 1", "c >= 9"),
    ],
)
