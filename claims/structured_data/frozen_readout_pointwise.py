r"""Lemma A.19: the hinge of a fixed read-out at every input of norm at most 1.

Setting. As in Lemma A.18; a~ is fixed, weights and biases move by dw and db from step 2 to step t.

Statements. (1) |l_t - l_2| <= |a~|_2 sqrt(|a~|_0) max_i (|dw_i| + |db_i|) at every (x, y) with |x| <= 1: hinge and
sigma are 1-Lipschitz, |<dw_i, x>| <= |dw_i| (Cauchy and Schwarz), and sum |a_i| <= |a|_2 sqrt(|a|_0). The print has
this for every input and no bound on |x|; E|x|^2 = 1 gives it in the mean only (structured-frozen-readout). |x| <= 1
holds where all chances are 1/2, with equality. (2) At |x| > 1 the inequality fails for some displacements: a rival.

Reference: Lemma A.19, lines 3763-3779.
"""

from __future__ import annotations

from fractions import Fraction

from theorycheck import claim, formula_leg, instances, rivals_of, typed, variant

from ._balls import ONE_POINT, number
from ._bounded import bounded
from .layer_drift import HINGE, SIGMA, SPARSE, a_drift, network_loss, stated_change

FIELDS = "read_out weights biases dw db x y"
N = 4


def change(read_out, weights, biases, dw, db, x, y):
    """|l_t - l_2| at one input. Shape ()."""
    moved = [
        [u + e for u, e in zip(w, way, strict=True)] for w, way in zip(weights, dw, strict=True)
    ]
    shifted = [b + e for b, e in zip(biases, db, strict=True)]
    return abs(
        network_loss(read_out, moved, shifted, x, y) - network_loss(read_out, weights, biases, x, y)
    )


def stated(read_out, weights, biases, dw, db, x, y, part=1):
    """|a|_2 sqrt(|a|_0) max (|dw| + |db|). Shape ()."""
    return stated_change(read_out, weights, biases, dw, db, (), part=part)


def two_thirds(read_out, weights, biases, dw, db, x, y):
    return stated(read_out, weights, biases, dw, db, x, y, part=number(Fraction(3, 2)))


def at_an_input(rng):
    """Three neurons, one without read-out, and an input of fair patterns, some of them left out."""
    found = a_drift(rng)
    del found["labels"]
    x = [Fraction(int(rng.signs()) * int(rng.integers(0, 2)), 2) for _ in range(N)]
    return {**found, "x": x, "y": int(rng.signs())}


def along(rng, size=Fraction(1, 2)):
    """Equal read-outs, all weights move along the input."""
    x = [size] * N
    return {
        "read_out": [Fraction(1, 4)] * 2 + [Fraction(0)],
        "weights": [[Fraction(1, 20)] * N for _ in range(3)],
        "biases": [Fraction(1, 4)] * 3,
        "dw": [[Fraction(1, 40)] * N for _ in range(3)],
        "db": [Fraction(1, 40), Fraction(1, 50), Fraction(0)],
        "x": x,
        "y": int(rng.signs()),
    }


def along_a_long_one(rng):
    """|x| = 2."""
    return along(rng, size=Fraction(1))


NAMES = "x y t a_tilde"


def again(found):
    return formula_leg(found.name, found.simulation, over=NAMES)


MOVE = formula_leg(
    "one neuron",
    typed("abs(p*n*c + b) <= p + abs(b)", over=["p >= 0", "n in [0, 1]", "c in [-1, 1]", "b in R"]),
    over=NAMES,
    gives="C",
)
LEGS = [again(x) for x in (HINGE, SIGMA, SPARSE)]

pointwise = claim(
    "structured-frozen-readout-pointwise",
    lhs=r"|\ell_t(x,y)-\ell_2(x,y)|",
    tex=r"\|\tilde a\|_2\sqrt{\|\tilde a\|_0}\,\max_i(\|\Delta w_i\|+|\Delta b_i|)",
    states="structured-frozen-readout-stability",
    role="reading",
    title="A fixed read-out under drift, at every input of norm at most 1",
    says=r"$|\ell_t-\ell_2|\le\|\tilde a\|_2\sqrt{\|\tilde a\|_0}\,\max_i(\|\Delta w_i\|+|\Delta b_i|)$ at every "
    r"$(x,y)$ with $\|x\|\le1$, which holds where every pattern has chance $\frac12$.",
    covers="pointwise",
    reads={"x": "x", "y": "y", "t": "weights biases dw db", "a_tilde": "read_out"},
    **ONE_POINT,
    legs=[
        bounded(FIELDS, "networks", change, stated, at_an_input, 6, 16),
        bounded(FIELDS, "along the input", change, stated, along),
        *LEGS,
        MOVE,
    ],
    rivals=[
        variant("two thirds", reference=two_thirds, leg="along the input"),
        variant(
            "an input of norm 2",
            instances=instances(along_a_long_one, FIELDS, smoke=1),
            leg="along the input",
        ),
        *rivals_of(
            LEGS[0], {"half as steep": "abs(Max(0, 1 - y*u) - Max(0, 1 - y*v)) <= abs(u - v)/2"}
        ),
        *rivals_of(
            LEGS[1],
            {"half the slope": "abs(Min(1, Max(0, u)) - Min(1, Max(0, v))) <= abs(u - v)/2"},
        ),
        *rivals_of(LEGS[2], {"j entries": "(S + abs(c))**2 <= j*(Q + c**2)"}),
        *rivals_of(
            MOVE,
            {"any input": {"over": ["p >= 0", "n in [0, 2]", "c in [-1, 1]", "b in R"]}},
        ),
    ],
)
