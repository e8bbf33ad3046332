r"""Definitions 3.7, 3.11 and B.57: feature sets grow, sup-norm cones have one side.

Setting. A weight hits (D, gamma, B_G) if its gradient G, of length n and inner product t with D, has |t| > (1 -
gamma) n and n >= B_G; q is the probability of that.

Statements. (1) What hits at (gamma, B_G) hits at every gamma' >= gamma, B_G' <= B_G, and q >= p gives q >= p' for p'
<= p: S grows. (2) OPT is a minimum over a class that grows with r, B_F and S (a neuron of weight 0 is allowed), so it
does not increase. (3) The sup-norm cone of D = e_1 with gamma = 1 has e_1 and not -e_1, whose distance is 2. Not so
where entries are small: w and -w are both within gamma of D exactly if every |w_i| + |D_i| is below gamma.

Reference: lines 871-895, 7319-7331.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product

import sympy as sp

from theorycheck import claim, formula_leg, instances, leg, rivals_of, typed, variant

from ._beside import beside
from ._means import MEAN, per_atom
from ._network import dot, mean_loss, simplified

# h = |<G, D>|, n = |G|, gamma + e the wider aperture, q the probability of a hit
HIT = formula_leg(
    "a hit stays one",
    typed(
        "h > (1 - gamma - e)*n and n >= BG2",
        over=["gamma in (0, 1)", "e, n in [0, oo)", "h, BG, BG2 in R"],
        where=["h > (1 - gamma)*n", "n >= BG", "BG2 <= BG"],
    ),
)
OFTEN = formula_leg(
    "often enough",
    typed("q >= p2", over=["q, share, p2 in [0, 1]"], where=["p2 <= share", "share <= q"]),
)
# one[i], other[i]: whether weight i hits with the first and with the second parameters; share, q: their means
LIKELY = per_atom(
    "mean over the weights",
    f"{MEAN('one[i]')} <= {MEAN('other[i]')}",
    "one[i], other[i]",
    "one[i] <= other[i]",
)


def law_and_weights(rng):
    """Five labelled points and six weights of the plane."""
    return {
        "xs": rng.rational((5, 2), 5),
        "ys": [int(v) for v in rng.signs((5,))],
        "ws": rng.rational((6, 2), 5),
    }


DIRECTIONS = [
    (1, 0),
    (0, 1),
    (Fraction(3, 5), Fraction(4, 5)),
    (Fraction(-5, 13), Fraction(12, 13)),
]
LEVELS = [Fraction(1, 6), Fraction(1, 2)]
APERTURES = [Fraction(1, 10), Fraction(1, 3)]
LENGTHS = [Fraction(1, 4), Fraction(1)]


def features(xs, ys, ws, p, gamma, BG):
    """The directions whose cone has the gradient of at least a share p of the weights, at bias 1/7."""
    found = [simplified(xs, ys, w, Fraction(1, 7)) for w in ws]
    long = [g for g in found if any(g) and dot(g, g) >= BG**2]
    return {
        direction
        for direction in DIRECTIONS
        if sum(dot(g, direction) ** 2 > (1 - gamma) ** 2 * dot(g, g) for g in long) >= p * len(ws)
    }


def lost(xs, ys, ws):
    """How many features of S(p, gamma, B_G) are missing in S at a smaller p, B_G and a larger gamma. Shape ()."""
    pairs = list(product(LEVELS, APERTURES, LENGTHS))
    return sum(
        len(features(xs, ys, ws, *one) - features(xs, ys, ws, *other))
        for one, other in product(pairs, repeat=2)
        if other[0] <= one[0] and other[1] >= one[1] and other[2] <= one[2]
    )


def lost_at_longer(xs, ys, ws):
    """The same with a larger B_G."""
    pairs = list(product(LEVELS, APERTURES, LENGTHS))
    return sum(
        len(features(xs, ys, ws, *one) - features(xs, ys, ws, *other))
        for one, other in product(pairs, repeat=2)
        if other[0] <= one[0] and other[1] >= one[1] and other[2] >= one[2]
    )


def nothing(xs, ys, ws):
    """No feature. Shape ()."""
    return 0


WRONG_HITS = {
    "a larger norm": ["h > (1 - gamma)*n", "n >= BG", "BG2 >= BG"],
    "a smaller cone": ["h > (1 - gamma - 2*e)*n", "n >= BG", "BG2 <= BG"],
}

monotone = claim(
    "gradfeat-feature-set-monotone",
    states="gradfeat-feature-set",
    title="The feature set grows with its parameters",
    says=r"$S_{p,\gamma,B_G}\subseteq S_{p',\gamma',B_G'}$ for $p'\le p$, $\gamma'\ge\gamma$, $B_G'\le B_G$.",
    covers="monotone",
    reads={"parameters": "gamma e BG BG2"},
    legs=[
        HIT,
        LIKELY,
        OFTEN,
        leg(
            "finite laws",
            lost,
            reference=nothing,
            instances=instances(law_and_weights, "xs ys ws", smoke=3, standard=6),
            unit=1,
            lhs=r"|S_{p,\gamma,B_G}\setminus S_{p',\gamma',B_G'}|",
            tex="0",
            required=False,
        ),
    ],
    rivals=[
        variant("a larger B_G, run", simulation=lost_at_longer, leg="finite laws"),
        *rivals_of(HIT, {name: {"where": where} for name, where in WRONG_HITS.items()}),
        *rivals_of(OFTEN, {"a larger probability": {"where": ["p2 >= share", "share <= q"]}}),
        *rivals_of(LIKELY, {"the other way": f"{MEAN('one[i]')} >= {MEAN('other[i]')}"}),
    ],
)


def e_one():
    """w = D = e_1 in the plane, gamma = 1."""
    return (1, 0)


def in_cone(w, direction):
    """| w/|w| - D |_oo < 1 for w on an axis."""
    length = sum(abs(v) for v in w)
    return max(abs(v / length - u) for v, u in zip(w, direction, strict=True)) < 1


def both_signs():
    """Whether w and -w are in the cone of D. Shape (2,)."""
    w = e_one()
    return [int(in_cone(w, (1, 0))), int(in_cone(tuple(-v for v in w), (1, 0)))]


def other_direction():
    """The same for D = -e_1."""
    w = e_one()
    return [int(in_cone(w, (-1, 0))), int(in_cone(tuple(-v for v in w), (-1, 0)))]


def flat(rng):
    """Unit vectors w, D with entries +-1/s in R^(s^2), s = 2, ..., 5, and gamma in (2/5, 1): the cone never has both
    signs of w for s = 2, always for s = 5."""

    def signs(s):
        return [Fraction(int(v), s) for v in rng.signs((s * s,))]

    sizes = range(2, 6)
    return {
        "ws": [signs(s) for s in sizes],
        "Ds": [signs(s) for s in sizes],
        "gammas": [Fraction(int(rng.integers(5, 10)), 10) for _ in sizes],
    }


def both_inside(ws, Ds, gammas):
    """Whether w and -w are both in the cone of D. Length 4."""
    return [
        int(all(max(abs(s * v - u) for v, u in zip(w, D, strict=True)) < gamma for s in (1, -1)))
        for w, D, gamma in zip(ws, Ds, gammas, strict=True)
    ]


def small_entries(ws, Ds, gammas):
    """Whether every |w_i| + |D_i| is below gamma. Length 4."""
    return [
        int(max(abs(v) + abs(u) for v, u in zip(w, D, strict=True)) < gamma)
        for w, D, gamma in zip(ws, Ds, gammas, strict=True)
    ]


def never(ws, Ds, gammas):
    """As if the cones of w and -w excluded each other. Length 4."""
    return [0] * len(ws)


one_side = claim(
    "gradfeat-sup-cone-one-side",
    lhs=r"\big([w\in C],\ [-w\in C]\big)",
    tex="(1,\\ 0)",
    states="gradfeat-feature-set",
    title="Sup-norm cones are not symmetric",
    says=r"There are $w$, $D$ and $\gamma_\infty$ with $w$ in the sup-norm cone of $D$ and $-w$ outside.",
    covers="sup-norm-cone-not-symmetric",
    closed_form=sp.Matrix([1, 0]),
    legs=[
        leg("e_1", both_signs, gives="w D gamma_inf", chosen_by=e_one),
        beside(
            "flat vectors",
            both_inside,
            r"[\pm w\in C]",
            r"[\max_i(|w_i|+|D_i|)<\gamma_\infty]",
            reference=small_entries,
            instances=instances(flat, "ws Ds gammas", smoke=2, standard=4),
        ),
    ],
    rivals=[
        variant("both inside", closed_form=sp.Matrix([1, 1]), leg="e_1"),
        variant("D = -e_1", simulation=other_direction, leg="e_1"),
        variant("never both", reference=never, leg="flat vectors"),
    ],
)

# the least of a set with more members is not larger; x in the smaller set, m its least value, M the larger set's
SMALLEST = formula_leg(
    "minimum of a larger class",
    typed("Min(m, extra) <= m", over=["m in R", "extra in R"]),
    over="r B_F S",
)
ADDED = formula_leg(
    "a neuron of weight 0",
    typed(
        "g + 0*relu(u - b) == g and 0 <= Ba1", over=["g in R", "u in R", "b in R", "Ba1 in (0, oo)"]
    ),
    over="r B_F S",
)


def points(rng):
    """A point of the plane with both labels, which a large weight cannot serve, and another."""
    x, other = rng.rational((2, 2), 3)
    both = [2 + abs(x[0]), x[1]]
    return {"xs": [both, both, other], "ys": [1, -1, int(rng.signs((1,))[0])]}


def all_sizes(bound):
    """Multiples of 1/2 up to the bound, 0 among them."""
    return [Fraction(v, 2) for v in range(-2 * bound, 2 * bound + 1)]


def full_size(bound):
    return [Fraction(bound), Fraction(-bound)]


def best_loss(xs, ys, r, bound, directions, weights):
    """The least mean hinge loss over networks of r neurons with directions of the set, these weights and biases
    0 or 1/2."""
    neurons = list(product(directions, (Fraction(0), Fraction(1, 2))))
    return min(
        mean_loss(xs, ys, a, [w for w, _ in chosen], [b for _, b in chosen])
        for chosen in combinations(neurons, r)
        for a in product(weights(bound), repeat=r)
    )


SMALLER = (1, 1, DIRECTIONS[:1])
LARGER = [
    (2, 1, DIRECTIONS[:1]),
    (1, 2, DIRECTIONS[:1]),
    (1, 1, DIRECTIONS[:2]),
    (2, 2, DIRECTIONS[:2]),
]


def rises(xs, ys, weights=all_sizes):
    """By how much the least loss rises when r, B_F or S grow. Length 4."""
    before = best_loss(xs, ys, *SMALLER, weights)
    return [max(best_loss(xs, ys, *part, weights) - before, 0) for part in LARGER]


def rises_without_zero(xs, ys):
    """The same with weights of full size alone."""
    return rises(xs, ys, full_size)


def no_rise(xs, ys):
    """0 for each. Length 4."""
    return [0] * len(LARGER)


opt = claim(
    "gradfeat-opt-monotone",
    states="gradfeat-feature-set",
    title="OPT does not increase when the class grows",
    says=r"$\mathrm{OPT}_{r',B',S'}\le\mathrm{OPT}_{r,B,S}$ for $r'\ge r$, $B'\ge B$, $S\subseteq S'$, "
    r"$S\ne\emptyset$.",
    covers="opt-monotone",
    legs=[
        SMALLEST,
        ADDED,
        leg(
            "small classes",
            rises,
            reference=no_rise,
            instances=instances(points, "xs ys", smoke=4, standard=8),
            unit=1,
            lhs=r"\max(\mathrm{OPT}_{r',B',S'}-\mathrm{OPT}_{r,B,S},0)",
            tex="0",
            required=False,
        ),
    ],
    rivals=[
        variant("weights of full size", simulation=rises_without_zero, leg="small classes"),
        *rivals_of(SMALLEST, {"strictly": "Min(m, extra) < m"}),
        *rivals_of(ADDED, {"a neuron of weight 1": "g + relu(u - b) == g"}),
    ],
)
