r"""Lemmas A.18 and A.19: the third stage moves the first layer little, and a fixed read-out feels it little.

Setting. Steps of size eta with decay lambda, eta, lambda in (0, 1), no smoothing: a' = (1 - 2 eta lambda) a + eta E[y
1 sigma], w' = (1 - 2 eta lambda) w + eta a E[y 1 1 x], b' = b + eta a E[y 1 1]. The mean of y 1 sigma is h in [-1,
1], that of y 1 1 x has norm at most E|x| <= sqrt(E|x|^2) = 1.

Statements, with A = |a^(2)|, W = |w^(2)|, by induction over t >= 2. (1) |a^(t)| <= eta t + A. (2) |w^(t) - w^(2)| <=
2 t eta lambda W + eta^2 t^2 + t A: the distance r goes to at most |1 - 2 eta lambda| r + 2 eta lambda W + eta |a|.
(A.262) has lost the t of its first term. (3) |b^(t) - b^(2)| <= eta^2 t^2 + t A. (4) The hinge and sigma move at most
as much as their arguments, sum |a_i| <= |a|_2 sqrt(|a|_0), and E|<v, x>| <= |v|: in the mean the loss of a fixed
read-out moves by at most |a|_2 sqrt(|a|_0) (|dw| + |db|).

Reference: Lemmas A.18 and A.19, lines 3705-3779.
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb, ctx

from theorycheck import (
    at_most,
    claim,
    formula,
    formula_leg,
    instances,
    leg,
    rivals_of,
    typed,
    variant,
)

from ._balls import BITS, ONE_POINT, number


def network_loss(read_out, weights, biases, x, y):
    """Hinge of a network without smoothing."""
    total = Fraction(0)
    for a, w, b in zip(read_out, weights, biases, strict=True):
        z = sum((u * e for u, e in zip(w, x, strict=True)), Fraction(b))
        total += a * min(1, max(0, z))
    return max(Fraction(0), 1 - y * total)


def mean_change(read_out, weights, biases, dw, db, labels):
    """E|l_t - l_2|, x uniform on the axes and their opposites with the length sqrt n (E x x^T = I). Shape ()."""
    moved = [
        [u + e for u, e in zip(w, way, strict=True)] for w, way in zip(weights, dw, strict=True)
    ]
    shifted = [b + e for b, e in zip(biases, db, strict=True)]
    n, total = len(weights[0]), Fraction(0)
    for i, y in enumerate(labels):
        x = [Fraction(0)] * n
        x[i // 2] = Fraction(2 if i % 2 else -2)
        total += abs(
            network_loss(read_out, moved, shifted, x, y)
            - network_loss(read_out, weights, biases, x, y)
        )
    return total / len(labels)


def ways(dw, db):
    """|dw_i| + |db_i| of every neuron. Shape (neurons,)."""
    return [
        number(sum((e * e for e in way), Fraction(0))).sqrt() + number(abs(shift))
        for way, shift in zip(dw, db, strict=True)
    ]


def stated_change(read_out, weights, biases, dw, db, labels, part=1, mean=False):
    """|a|_2 sqrt(|a|_0) max (|dw| + |db|). Shape ()."""
    with ctx.workprec(BITS):
        found, largest = ways(dw, db), arb(0)
        for one in found:
            largest = largest.max(one)
        if mean:
            largest = sum(found, arb(0)) / len(found)
        size = number(sum((a * a for a in read_out), Fraction(0))).sqrt()
        return size * number(sum(1 for a in read_out if a)).sqrt() * largest / part


def a_tenth(read_out, weights, biases, dw, db, labels):
    return stated_change(read_out, weights, biases, dw, db, labels, part=10)


def of_the_mean_way(read_out, weights, biases, dw, db, labels):
    """The mean of |dw_i| + |db_i| for the largest."""
    return stated_change(read_out, weights, biases, dw, db, labels, mean=True)


def of_one_entry(read_out, weights, biases, dw, db, labels):
    """As if one read-out alone were not 0."""
    with ctx.workprec(BITS):
        entries = number(sum(1 for a in read_out if a)).sqrt()
        return stated_change(read_out, weights, biases, dw, db, labels) / entries


def a_drift(rng):
    """Three neurons in R^4, one of them with read-out 0."""
    return {
        "read_out": [Fraction(int(rng.signs()) * int(rng.integers(1, 5)), 8) for _ in range(2)]
        + [Fraction(0)],
        "weights": [[Fraction(int(rng.integers(1, 5)), 20) for _ in range(4)] for _ in range(3)],
        "biases": [Fraction(1, 2)] * 3,
        "dw": [[Fraction(int(rng.integers(-1, 2)), 40) for _ in range(4)] for _ in range(3)],
        "db": [Fraction(int(rng.integers(1, 5)), 40) for _ in range(3)],
        "labels": [int(rng.signs()) for _ in range(8)],
    }


def all_one_way(rng):
    """Read-outs of one sign and biases that rise, the largest where the read-out is."""
    one = a_drift(rng)
    return {
        **one,
        "read_out": [Fraction(1, 2), Fraction(1, 8), Fraction(0)],
        "dw": [[Fraction(0)] * 4] * 3,
        "db": [Fraction(1, 10), Fraction(1, 40), Fraction(1, 40)],
    }


DRIFT_FIELDS = "read_out weights biases dw db labels"

STEPS = ["t in 2..oo", "eta in (0, 1)", "lam in (0, 1)", "A in [0, oo)"]
READ_OUT = "u in [0, eta*t + A]"
# the three bounds; each is at least its quantity at t = 2, where the inductions begin
SIZE = "eta*{t} + A"
DRIFT = "2*{t}*eta*lam*W + eta**2*{t}**2 + {t}*A"
BIAS_DRIFT = "eta**2*{t}**2 + {t}*A"


def at(bound, t="(t + 1)"):
    return bound.format(t=t)


read_out = formula(
    "structured-drift-readout",
    states="structured-first-layer-drift",
    title="Growth of the read-outs",
    says=f"abs((1 - 2*eta*lam)*a + eta*h) <= {at(SIZE)} and A <= {at(SIZE, '2')}",
    over=[*STEPS, "h in [-1, 1]", f"a in [-({at(SIZE, 't')}), {at(SIZE, 't')}]"],
    covers="a-bound",
    reads={"i": "a", "law": "h", "start": "A"},
    rivals={
        "any decay": {
            "over": [
                STEPS[0],
                STEPS[1],
                "lam in (0, oo)",
                STEPS[3],
                "h in [-1, 1]",
                "a in [-eta*t - A, eta*t + A]",
            ]
        },
        "half the growth": "abs((1 - 2*eta*lam)*a + eta*h) <= eta*(t + 1)/2 + A",
    },
)

WEIGHTS = "abs(1 - 2*eta*lam)*r + 2*eta*lam*W + eta*u"
weights = formula(
    "structured-drift-weights",
    states="structured-first-layer-drift",
    title="Drift of the weights",
    says=f"{WEIGHTS} <= {at(DRIFT)} and 0 <= {at(DRIFT, '2')}",
    over=[*STEPS, "W in [0, oo)", READ_OUT, f"r in [0, {at(DRIFT, 't')}]"],
    covers="w-bound",
    reads={"i": "r"},
    rivals={
        "without t in the first term": {
            "says": f"{WEIGHTS} <= 2*eta*lam*W + eta**2*(t + 1)**2 + (t + 1)*A",
            "over": [*STEPS, "W in [0, oo)", READ_OUT, "r in [0, 2*eta*lam*W + eta**2*t**2 + t*A]"],
        },
        "half the read-out": f"{WEIGHTS} <= 2*(t + 1)*eta*lam*W + eta**2*(t + 1)**2/4 + (t + 1)*A",
    },
)

biases = formula(
    "structured-drift-biases",
    states="structured-first-layer-drift",
    title="Drift of the biases",
    says=f"r + eta*u <= {at(BIAS_DRIFT)} and 0 <= {at(BIAS_DRIFT, '2')}",
    over=[STEPS[0], STEPS[1], STEPS[3], READ_OUT, f"r in [0, {at(BIAS_DRIFT, 't')}]"],
    covers="b-bound",
    reads={"i": "r"},
    rivals={
        "t for t^2": {
            "says": "r + eta*u <= eta**2*(t + 1) + (t + 1)*A",
            "over": [STEPS[0], STEPS[1], STEPS[3], READ_OUT, "r in [0, eta**2*t + t*A]"],
        }
    },
)

HINGE = formula_leg(
    "hinge",
    typed(
        "abs(Max(0, 1 - y*u) - Max(0, 1 - y*v)) <= abs(u - v)",
        over=["y in {-1, 1}", "u in R", "v in R"],
    ),
    over="law a_tilde t",
)
SIGMA = formula_leg(
    "activation",
    typed("abs(Min(1, Max(0, u)) - Min(1, Max(0, v))) <= abs(u - v)", over=["u in R", "v in R"]),
    over="law a_tilde t",
)
# S is the sum of the sizes of the entries so far that are not 0, j their number, Q the sum of their squares
SPARSE = formula_leg(
    "one entry more",
    typed(
        "(S + abs(c))**2 <= (j + 1)*(Q + c**2)",
        over=["S >= 0", "Q >= 0", "c in R", "j in 1..oo"],
        where="S**2 <= j*Q",
    ),
    over="law t",
)

stability = claim(
    "structured-frozen-readout",
    lhs=r"\mathbb E|\ell_t-\ell_2|",
    tex=r"\|\tilde a\|_2\sqrt{\|\tilde a\|_0}\,\max_i(\|\Delta w_i\|+|\Delta b_i|)",
    states="structured-frozen-readout-stability",
    title="A fixed read-out under drift, in the mean",
    says=r"$\mathbb{E}|\ell_t-\ell_2|\le\|\tilde a\|_2\sqrt{\|\tilde a\|_0}\,\max_i(|\Delta w_i|+|\Delta b_i|)$.",
    covers="expectation",
    **ONE_POINT,
    legs=[
        leg(
            "networks",
            mean_change,
            reference=stated_change,
            relation=at_most(),
            required=False,
            instances=instances(a_drift, DRIFT_FIELDS, smoke=4, standard=8),
        ),
        leg(
            "all one way",
            mean_change,
            reference=stated_change,
            relation=at_most(),
            required=False,
            instances=instances(all_one_way, DRIFT_FIELDS, smoke=1),
        ),
        HINGE,
        SIGMA,
        SPARSE,
    ],
    rivals=[
        variant("a tenth", reference=a_tenth, leg="all one way"),
        variant("without the number of entries", reference=of_one_entry, leg="all one way"),
        variant("the mean way", reference=of_the_mean_way, leg="all one way"),
        *rivals_of(
            HINGE, {"half as steep": "abs(Max(0, 1 - y*u) - Max(0, 1 - y*v)) <= abs(u - v)/2"}
        ),
        *rivals_of(
            SIGMA, {"half the slope": "abs(Min(1, Max(0, u)) - Min(1, Max(0, v))) <= abs(u - v)/2"}
        ),
        *rivals_of(SPARSE, {"j entries": "(S + abs(c))**2 <= j*(Q + c**2)"}),
    ],
)
