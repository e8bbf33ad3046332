"""Lemma 6.2 and the rank side of Proposition 6.3 with a bound on the size of w.

Setting. L(w) = E ell(sum_j w_j z_j) under ||w||_0 <= B and ||w||_2 <= rho, |gamma| < 1/2, B <= r.

Statements. (1) The minimisers are the vectors rho/sqrt(B) on B coordinates of R. Each other w is beaten: a negative
weight on R by its size (ell falls); a weight on U by its size on a free coordinate of R (`rank_support`); a shorter w
by a longer one; two weights v, w on R that differ, one of which may be 0, by their mean, since ell(v a + w b) + ell(w a
+ v b) >= 2 ell((v + w)(a + b)/2), and the mean leaves room in the norm, for (v + w)^2/2 <= v^2 + w^2. The steps are
proved; beside them the exact risk of drawn w against the minimiser's. (2) Its margin is not negative, whatever the
environment; beside the steps the best of all w with weights of one size, by their risks in balls, is run under the
shifted law.

Reference: Lemma 6.2 and E.7, lines 1807 and 9230-9236; Proposition 6.3, lines 1811-1813.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from functools import lru_cache

import sympy as sp
from flint import arb, ctx

from theorycheck import (
    at_least,
    claim,
    equals,
    formula_leg,
    hypothesis,
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
from .tails import irwin_hall

HALF = Fraction(1, 2)
r, d, B_rank = sp.symbols("r d B_rank", integer=True, positive=True)
gamma = sp.Symbol("gamma", real=True)
rho = sp.Symbol("rho", positive=True)

CELLS = {
    "domain": {
        r: integers(1),
        d: integers(2),
        B_rank: integers(1),
        rho: reals(0, 60, low_open=True),
        gamma: reals(Fraction(-1, 2), Fraction(1, 2), low_open=True, high_open=True),
    },
    "where": sp.And(r < d, B_rank <= r),
    "grid": {
        "smoke": [
            {r: 3, d: 5, B_rank: 2, rho: 1, gamma: Fraction(2, 5)},
            {r: 2, d: 4, B_rank: 2, rho: 6, gamma: Fraction(-1, 5)},
            {r: 2, d: 3, B_rank: 1, rho: Fraction(1, 10), gamma: Fraction(499, 1000)},
        ],
        "standard": [
            {r: a, d: a + 2, B_rank: k, rho: size, gamma: Fraction(g, 100)}
            for a, k in ((1, 1), (3, 2), (4, 4))
            for size in (Fraction(1, 4), 8)
            for g in (-30, 1, 49)
        ],
    },
}


def within(rng, r, d, B_rank, rho, gamma):
    """Up to B weights in [-1, 1] on any coordinates, not all 0; they are drawn out to length rho afterwards."""
    places = [int(j) for j in rng.permutation(d)[:B_rank]]
    w = [Fraction(0)] * d
    for j in places:
        w[j] = Fraction(int(rng.integers(1, 9)) * int(rng.signs()), 8)
    return {"w": w}


def uneven(rng, r, d, B_rank, rho, gamma):
    """Positive weights on the first B coordinates of R, the first the largest by far."""
    w = [Fraction(0)] * d
    for j in range(B_rank):
        w[j] = Fraction(8 if j == 0 else int(rng.integers(0, 8)), 8)
    return {"w": w}


def alike(rng, r, d, B_rank, rho, gamma):
    """Weights 1 on the first B coordinates."""
    return {"w": [Fraction(int(i < B_rank)) for i in range(d)]}


def different_weights(w, r, d, B_rank, rho, gamma):
    """How many values the first B weights have. Shape ()."""
    return len(set(w[:B_rank]))


def even(rng, r, d, B_rank, rho, gamma):
    """A minimiser: B coordinates of R, whichever are drawn."""
    chosen = {int(i) for i in rng.permutation(r)[:B_rank]}
    return {"w": [Fraction(i in chosen) for i in range(d)]}


def drawn_places(rng, r, d, B_rank, rho, gamma):
    """Sixteen of them."""
    return {"w": [even(rng, r, d, B_rank, rho, gamma)["w"] for _ in range(16)]}


def first_places(rng, r, d, B_rank, rho, gamma):
    """Sixteen times that on the first B coordinates."""
    return {"w": [[Fraction(i < B_rank) for i in range(d)]] * 16}


def most_left_out(w, r, d, B_rank, rho, gamma):
    """The most coordinates of the first B without a weight in one of them. Shape ()."""
    return max(sum(x == 0 for x in one[:B_rank]) for one in w)


def partly_on_U(rng, r, d, B_rank, rho, gamma):
    """B weights of 1, the last of them on U: only 1/2 - gamma tells it from the minimiser."""
    w = [Fraction(1)] * (B_rank - 1) + [Fraction(0)] * (d - B_rank + 1)
    w[r + int(rng.integers(0, d - r))] = Fraction(1)
    return {"w": w}


def over_best(w, r, d, B_rank, rho, gamma):
    """L(rho w/|w|) over L of rho/sqrt(B) on the first B coordinates of R. Shape ()."""
    with ctx.workprec(BITS):
        bias, size = number(gamma), number(rho)
        length = sum((number(x) ** 2 for x in w), arb(0)).sqrt()
        drawn = risk([size * number(x) / length for x in w], r, bias)
        return drawn / risk([size / arb(B_rank).sqrt()] * B_rank, r, bias)


def drawn_weights(rng, r, d, B_rank, rho, gamma):
    """256 of the vectors within the bound: at d <= 6 none has a weight on U with probability (5/6)^256 at most."""
    return {"w": [within(rng, r, d, B_rank, rho, gamma)["w"] for _ in range(256)]}


def negative_and_on_U(w, r, d, B_rank, rho, gamma):
    """The most negative weights in one of them, and the most weights on U. Shapes ()."""
    return [
        max(sum(x < 0 for x in one) for one in w),
        max(sum(x != 0 for x in one[r:]) for one in w),
    ]


def at_half_length(w, r, d, B_rank, rho, gamma):
    """The same against the minimiser for rho/2: no bound."""
    with ctx.workprec(BITS):
        bias, size = number(gamma), number(rho)
        length = sum((number(x) ** 2 for x in w), arb(0)).sqrt()
        drawn = risk([size * abs(number(x)) / length for x in w], r, bias)
        return drawn / risk([size / (2 * arb(B_rank).sqrt())] * B_rank, r, bias)


FLIP = formula_leg(
    "sign",
    typed(
        "log(1 + exp(-(m + w*a))) <= log(1 + exp(-(m - w*a)))",
        over=["m in R", "a in [0, 1]", "w in (0, oo)"],
    ),
)
MEAN = formula_leg(
    "equal weights",
    typed(
        "log(1 + exp(-(m + h))) + log(1 + exp(-(m - h))) >= 2*log(1 + exp(-m))",
        over=["m in R", "h in R"],
    ),
)
ROOM = formula_leg(
    "room in the norm", typed("(v + w)**2/2 <= v**2 + w**2", over=["v in R", "w in R"])
)
# what the exchange of z_U for z_R gains, |w| z = s, where the sign misleads
GAIN = "{misleads}*(log(1 + exp(-(m - s))) - log(1 + exp(-(m + s)))) > 0"
EXCHANGED = formula_leg(
    "exchange",
    typed(
        GAIN.format(misleads="(1/2 - gamma)"),
        over=["gamma in (-1/2, 1/2)", "m in R", "s in (0, oo)"],
    ),
)
LONGER = formula_leg(
    "longer", typed("log(1 + exp(-u*m)) < log(1 + exp(-m))", over=["m in (0, oo)", "u in (1, oo)"])
)

FROM_MEANS = ["m <= -9 and h <= -9", "m >= 9 and h >= 9"]
STEP_RIVALS = [
    *sharpened(FLIP),
    *reaching(FLIP, "m <= -9 and a >= 9/10 and w >= 9", "m >= 9 and a >= 9/10 and w >= 9"),
    *sharpened(MEAN, times="101/100"),
    *reaching(MEAN, *FROM_MEANS),
    *sharpened(ROOM, times="99/100"),
    *reaching(ROOM, "v <= -9 and w <= -9", "v >= 9 and w <= -9"),
    *reaching(LONGER, "m <= 1/9 and u <= 10/9", "m >= 9 and u >= 9"),
]

minimisers = claim(
    "nuclear-bounded-minimisers",
    lhs=r"\frac{L(w)}{L(\frac\rho{\sqrt B}1_{R'})}",
    tex=r"1",
    states="nuclear-erm-rank-support",
    title="The minimisers of bounded size",
    says=r"No $w$ with at most $B$ nonzero weights and length $\rho$ has a smaller risk than "
    r"$\rho/\sqrt{B}$ on $B$ coordinates of $R$.",
    role="corrected",
    corrects="nuclear-rank-optimum",
    covers="bounded-minimisers",
    relation=at_least(),
    closed_form=sp.Integer(1),
    legs=[
        leg("drawn w", over_best, instances=instances(within, "w", smoke=3, standard=6)),
        leg("positive w on R", over_best, instances=instances(uneven, "w", smoke=1, standard=2)),
        leg(
            "with a weight on U",
            over_best,
            relation=at_least(strict=True),
            instances=instances(partly_on_U, "w", smoke=1),
            grid={"smoke": CELLS["grid"]["smoke"]},
        ),
        leg("the minimiser", over_best, relation=equals(), instances=instances(even, "w", smoke=1)),
        leg(
            "whichever B",
            most_left_out,
            relation=at_least(),
            closed_form=sp.Integer(1),
            required=False,
            instances=instances(drawn_places, "w", smoke=1),
            where=sp.And(sp.Eq(B_rank, 2), sp.Eq(r, 3)),
            grid={"smoke": CELLS["grid"]["smoke"][:1], "standard": CELLS["grid"]["smoke"][:1]},
            lhs=r"\max\#\{j\le B:w_j=0\}",
            tex="1",
        ),
        leg(
            "unlike one another",
            different_weights,
            relation=at_least(),
            closed_form=sp.Integer(2),
            required=False,
            instances=instances(uneven, "w", smoke=1),
            where=B_rank >= 2,
            grid={"smoke": CELLS["grid"]["smoke"][:1], "standard": CELLS["grid"]["smoke"][:1]},
            lhs=r"|\{w_1,\dots,w_B\}|",
            tex="2",
        ),
        leg(
            "of either sign, anywhere",
            negative_and_on_U,
            relation=at_least(),
            closed_form=sp.Integer(1),
            required=False,
            instances=instances(drawn_weights, "w", smoke=1),
            where=d <= 6,
            grid={"smoke": CELLS["grid"]["smoke"][:1], "standard": CELLS["grid"]["smoke"][:1]},
            lhs=r"\max\#\{w_j<0\},\ \max\#\{j\in U:w_j\ne0\}",
            tex="1",
        ),
        FLIP,
        MEAN,
        ROOM,
        LONGER,
        EXCHANGED,
    ],
    rivals=[
        variant(
            "of a minimiser", leg="unlike one another", instances=instances(alike, "w", smoke=1)
        ),
        variant(
            "of minimisers",
            leg="of either sign, anywhere",
            instances=instances(drawn_places, "w", smoke=1),
        ),
        *STEP_RIVALS,
        variant(
            "the first of them alone",
            leg="whichever B",
            instances=instances(first_places, "w", smoke=1),
        ),
        *reaching(EXCHANGED, "m <= -9 and s >= 9", "m >= 9 and s <= 1/9"),
        *rivals_of(
            EXCHANGED,
            {
                "at gamma = 1/2 as well": {
                    "over": ["gamma in (-1/2, 1/2]", "m in R", "s in (0, oo)"]
                }
            },
        ),
        variant("half the length is as good", simulation=at_half_length, leg="the minimiser"),
        variant(
            "half the length would do",
            simulation=at_half_length,
            leg="drawn w",
            at=[{r: 3, d: 5, B_rank: 2, rho: 6, gamma: Fraction(2, 5)}],
            instances=instances(uneven, "w", smoke=1),
        ),
        variant(
            "worse by a tenth at least", closed_form=sp.Rational(11, 10), leg="positive w on R"
        ),
        variant(
            "a weight on U is worse by half at least",
            closed_form=sp.Rational(3, 2),
            leg="with a weight on U",
        ),
        variant("drawn ones worse by half at least", closed_form=sp.Rational(3, 2), leg="drawn w"),
        *rivals_of(
            FLIP, {"the other sign": "log(1 + exp(-(m - w*a))) <= log(1 + exp(-(m + w*a)))"}
        ),
        *rivals_of(
            MEAN,
            {
                "by h^2/100": "log(1 + exp(-(m + h))) + log(1 + exp(-(m - h))) >= 2*log(1 + exp(-m)) + h**2/100"
            },
        ),
        *rivals_of(ROOM, {"all of (v + w)^2": "(v + w)**2 <= v**2 + w**2"}),
        *rivals_of(LONGER, {"at negative margins": {"over": ["m in (-oo, oo)", "u in (1, oo)"]}}),
    ],
    **CELLS,
)


# ---- the step for two weights on R

m, h = sp.symbols("m h", real=True)


def exchanged(rng, m):
    """Two weights v, w on R with their examples a, b, and what the other coordinates bring so that the mean of both
    margins is m; h, by which they differ from it."""
    v, w, a, b = (Fraction(int(rng.integers(0, 9)), 4) for _ in range(4))
    return {
        "weights": [v, w, Fraction(1)],
        "examples": [a / 2, b / 2, Fraction(m) - (v + w) * (a + b) / 4],
        "h": (v - w) * (a - b) / 4,
    }


def loss_of_both(ns, weights, examples):
    """ell of the margin, and of that with v and w exchanged. Shape (B,)."""
    turned = ns.stack([weights[:, 1], weights[:, 0], weights[:, 2]], axis=1)
    margins = [ns.sum(w * examples, axis=1) for w in (weights, turned)]
    return ns.softplus(-margins[0]) + ns.softplus(-margins[1])


def loss_of_one(ns, weights, examples):
    return 2 * ns.softplus(-ns.sum(weights * examples, axis=1))


BOTH = sp.log(1 + sp.exp(-(m + h))) + sp.log(1 + sp.exp(-(m - h)))
EVERY_MARGIN = formula_leg(MEAN.name, MEAN.simulation, over="r d gamma B_rank rho")

two_weights = claim(
    "nuclear-equal-weights",
    lhs=r"\ell(w^\top z)+\ell(w'^\top z)",
    tex=r"\ell(m+h)+\ell(m-h)",
    states="nuclear-erm-rank-support",
    title="Two weights on R and their mean",
    says=r"With two weights on $R$ exchanged, the margins are $m\pm h$, and $\ell(m+h)+\ell(m-h)\ge2\ell(m)$ for every "
    "real $m$, where $m$ is the margin of both weights' mean.",
    encodes="proxy",
    covers="bounded-minimisers",
    domain={m: reals()},
    grid={"smoke": {m: [-3, 0, Fraction(1, 2)]}, "standard": {m: [-20, -3, 0, Fraction(1, 2), 9]}},
    closed_form=BOTH,
    legs=[
        leg(
            "exchanged",
            loss_of_both,
            instances=instances(exchanged, "weights examples h", smoke=3, standard=6),
            required=False,
        ),
        EVERY_MARGIN,
    ],
    rivals=[
        variant("not exchanged", simulation=loss_of_one, leg="exchanged"),
        variant("half of it", closed_form=BOTH / 2, leg="exchanged"),
        variant("twice of it", closed_form=2 * BOTH, leg="exchanged"),
        *sharpened(EVERY_MARGIN, times="101/100"),
        *reaching(EVERY_MARGIN, *FROM_MEANS),
        *rivals_of(
            EVERY_MARGIN,
            {
                "by h^2/100": "log(1 + exp(-(m + h))) + log(1 + exp(-(m - h))) >= 2*log(1 + exp(-m)) + h**2/100"
            },
        ),
    ],
)


def sign_patterns(r, d, B_rank):
    """Weights of one size on up to B coordinates, by how many are positive and negative on R and on U: the first of
    each. Signs, d of them each."""
    for up, down, right, left in itertools.product(range(B_rank + 1), repeat=4):
        if 0 < up + down + right + left <= B_rank and up + down <= r and right + left <= d - r:
            on_R = [1] * up + [-1] * down
            on_U = [1] * right + [-1] * left
            yield on_R + [0] * (r - len(on_R)) + on_U + [0] * (d - r - len(on_U))


def size_of(signs, B_rank, c):
    """Of each weight, for the length of B weights c. A ball."""
    return number(c) * (number(B_rank) / sum(x * x for x in signs)).sqrt()


@lru_cache(maxsize=64)
def best_signs(r, d, B_rank, gamma, c, worst=False):
    """Those of the least risk in training, of all sign patterns of that length; the error if balls do not decide."""
    with ctx.workprec(BITS):
        bias = number(gamma)
        found = [
            (risk([size_of(signs, B_rank, c) * x for x in signs], r, bias), signs)
            for signs in sign_patterns(r, d, B_rank)
        ]
        found.sort(key=lambda row: float(row[0]) * (-1 if worst else 1))
        least, signs = found[0]
        if not worst and not all(least < other for other, _ in found[1:]):
            raise ValueError("the least of these risks is not decided")
        return signs


def on_support(rng, r, d, B_rank, gamma, c):
    """A point of the shifted law's support; S, what it has on the first B coordinates of R."""
    z = [Fraction(int(rng.integers(1, 9)), 8) for _ in range(r)]
    z += [Fraction(int(rng.integers(-8, 9)), 8) for _ in range(d - r)]
    return {"z": z, "S": sum(z[:B_rank])}


def margin_of(signs, z, B_rank, c):
    with ctx.workprec(BITS):
        return size_of(signs, B_rank, c) * number(
            sum((x * a for x, a in zip(signs, z, strict=True)), Fraction(0))
        )


def margin(z, S, r, d, B_rank, gamma, c):
    """w^T z for the best w. Shape ()."""
    return margin_of(best_signs(r, d, B_rank, gamma, c), z, B_rank, c)


def margin_with_environment(z, S, r, d, B_rank, gamma, c):
    """With its last weight on U."""
    return margin_of([1] * (B_rank - 1) + [0] * (d - B_rank) + [1], z, B_rank, c)


def weights_used(r, d, B_rank, gamma, c):
    """How many weights of the best w are not 0. Shape ()."""
    return sum(x != 0 for x in best_signs(r, d, B_rank, gamma, c))


def one_more(r, d, B_rank, gamma, c):
    return weights_used(r, d, B_rank, gamma, c) + 1


def misled(r, d, B_rank, gamma, c, worst=False):
    """P[w^T z < 0] under the shifted law for the best w: by how many of its terms are negative. Shape ()."""
    signs, count = best_signs(r, d, B_rank, gamma, c, worst), {0: Fraction(1)}
    for j, x in enumerate(signs):
        if x:
            turned = Fraction(int(x < 0)) if j < r else HALF + x * Fraction(gamma)
            after: dict[int, Fraction] = {}
            for m, chance in count.items():
                for more, part in ((0, 1 - turned), (1, turned)):
                    after[m + more] = after.get(m + more, Fraction(0)) + chance * part
            count = after
    terms = sum(x != 0 for x in signs)
    return sum((p * irwin_hall(terms, Fraction(m)) for m, p in count.items()), Fraction(0))


def misled_by_worst(r, d, B_rank, gamma, c):
    """Of the largest risk instead."""
    return misled(r, d, B_rank, gamma, c, worst=True)


c, S = sp.symbols("c S", positive=True)
SCORE = c * S
WITHIN_REACH = sp.And(r <= 2, d <= 4, c >= sp.Rational(1, 100), c <= 10)
# each other w is beaten, see `minimisers`; its steps hold whatever w is, and whatever the chance that a sign misleads
BEATEN = typed(GAIN.format(misleads="chance"), over=["chance in (0, 1)", "m in R", "s in (0, oo)"])
STEPS = [
    *(formula_leg(lg.name, lg.simulation, over="w_star") for lg in (FLIP, MEAN, ROOM, LONGER)),
    formula_leg(EXCHANGED.name, BEATEN, over="w_star"),
]

right = claim(
    "nuclear-rank-shifted-accuracy",
    states="nuclear-ood-gap",
    title="The rank-constrained optimum under the shifted law",
    says="With a bound on its length it is $c > 0$ on $B$ coordinates of $R$: its margin is $c$ "
    r"times a sum of $z_j \in [0, 1]$.",
    role="corrected",
    corrects="nuclear-rank-optimum",
    covers="rank-ood-accuracy",
    lhs=r"w^{*\top}z",
    tex=r"c\,S",
    domain={
        r: integers(1),
        d: integers(2),
        B_rank: integers(1),
        c: reals(0, low_open=True),
        gamma: CELLS["domain"][gamma],
    },
    where=sp.And(r < d, B_rank <= r),
    grid={
        "smoke": [
            {r: 2, d: 3, B_rank: 1, gamma: Fraction(499, 1000), c: Fraction(1, 7)},
            {r: 2, d: 3, B_rank: 2, gamma: Fraction(2, 5), c: 3},
        ],
        "standard": [{r: 2, d: 4, B_rank: 2, gamma: Fraction(-1, 5), c: Fraction(1, 2)}],
    },
    closed_form=SCORE,
    legs=[
        leg(
            "margins",
            margin,
            instances=instances(on_support, "z S", smoke=3, standard=6),
            required=False,
            where=WITHIN_REACH,
        ),
        leg(
            "misled",
            misled,
            relation=equals(),
            closed_form=sp.Integer(0),
            unit=1,
            required=False,
            where=WITHIN_REACH,
            lhs=r"\Pr_{\mathrm{ood}}[w^{*\top}z<0]",
            tex="0",
        ),
        leg(
            "weights",
            weights_used,
            relation=equals(),
            closed_form=B_rank,
            required=False,
            where=WITHIN_REACH,
            lhs=r"\|w^*\|_0",
            tex="B",
        ),
        formula_leg(
            "margin",
            typed(f"{SCORE} >= 0", over=["c in (0, oo)", "B_rank in 1..oo", "S in [0, B_rank]"]),
            over="r gamma d w_star z",
        ),
        *STEPS,
    ],
    assumes=[
        hypothesis(
            "B <= r",
            without=[{r: 1, d: 2, B_rank: 2, gamma: Fraction(2, 5), c: 1}],
            leg="misled",
        )
    ],
    rivals=[
        variant("half of it", closed_form=SCORE / 2, leg="margins"),
        variant("of the largest risk", simulation=misled_by_worst, leg="misled"),
        variant("one weight more", simulation=one_more, leg="weights"),
        variant("a weight on U as well, run", simulation=margin_with_environment, leg="margins"),
        variant(
            "a weight on U as well",
            leg="margin",
            simulation=typed(
                f"{SCORE} >= 0", over=["c in (0, oo)", "B_rank in 1..oo", "S in [-1, B_rank]"]
            ),
        ),
        *rivals_of(
            STEPS[0], {"the other sign": "log(1 + exp(-(m - w*a))) <= log(1 + exp(-(m + w*a)))"}
        ),
        *rivals_of(
            STEPS[1],
            {
                "by h^2/100": "log(1 + exp(-(m + h))) + log(1 + exp(-(m - h))) >= 2*log(1 + exp(-m)) + h**2/100"
            },
        ),
        *rivals_of(STEPS[2], {"all of (v + w)^2": "(v + w)**2 <= v**2 + w**2"}),
        *reaching(STEPS[4], "m <= -9 and s >= 9 and chance > 9/10", "m >= 9 and s <= 1/9"),
        *rivals_of(
            STEPS[4], {"chances of 0": {"over": ["chance in [0, 1)", "m in R", "s in (0, oo)"]}}
        ),
        *rivals_of(STEPS[3], {"at negative margins": {"over": ["m in (-oo, oo)", "u in (1, oo)"]}}),
    ],
)
