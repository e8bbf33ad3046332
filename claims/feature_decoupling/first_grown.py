r"""The first time that all neurons have grown, and dense shares at the start.

Setting. Uniform logits, no bias: a mean step multiplies a neuron's sparse energy by p > 1 and its dense energy by r in
(0, 1] (`stage1_dynamics`): after t steps it has A p^t + B r^t, A > 0.

Statements. (1) For any factor G > 1, whichever of the five that are printed, there is a first t at which all neurons
have G times their energy. It is the last of the neurons' own first times, and from then on all have: the differences
of A p^t + B r^t never fall, so that one which has passed A + B never comes back. (2) Fact F.4 prints for every t and
every neuron a dense norm of (1 - d^-k) |w| for some k > 0: at the start the mean of the dense share of the squared norm
is 1 - d/d1, at d1 = 2 d a half, which is less than (1 - d^-k)^2 for d > e^(2/k). With d1 >= d^(1 + k) it is 1 - d^-k
at least.

Reference: lines 182, 340, 388, 559, 642, 1090-1102 and 1792.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import claim, formula_leg, instances, leg, rivals_of, typed, variant

from ._dictionary import ONE_POINT
from .sphere_laws import share_moments


def energies(A, B, p, r):
    """All energies step by step, without end."""
    sparse, dense = list(A), list(B)
    while True:
        yield [a + b for a, b in zip(sparse, dense, strict=True)]
        sparse, dense = [a * p for a in sparse], [b * r for b in dense]


def all_grown(A, B, p, r, G, which=all):
    """The first step at which every neuron has G times its energy, and how many of the next 20 steps keep that. Shape
    (2,)."""
    first, kept = None, 0
    for t, now in enumerate(energies(A, B, p, r)):
        grown = which(e >= G * (a + b) for e, a, b in zip(now, A, B, strict=True))
        if first is None and grown:
            first = t
        if first is not None:
            if t > first + 20:
                return [first, kept]
            kept += int(grown and t > first)
    return None


def some_grown(A, B, p, r, G):
    return all_grown(A, B, p, r, G, which=any)


def last_of_their_own(A, B, p, r, G):
    """The largest of the neurons' own first times, each found by halving: between them an energy passes once. Shape
    (2,)."""
    own = []
    for a, b in zip(A, B, strict=True):

        def grown(t, a=a, b=b):
            return a * Fraction(p) ** t + b * Fraction(r) ** t >= G * (a + b)

        high = 1
        while not grown(high):
            high *= 2
        low = -1
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if grown(middle) else (middle, high)
        own.append(high)
    return [max(own), 20]


def a_layer(rng):
    m = int(rng.integers(2, 6))
    return {
        "A": [Fraction(int(rng.integers(1, 9)), 9) for _ in range(m)],
        "B": [Fraction(int(rng.integers(0, 40)), 5) for _ in range(m)],
        "p": 1 + Fraction(1, int(rng.integers(2, 9))),
        "r": 1 - Fraction(int(rng.integers(0, 5)), 9),
        "G": 1 + Fraction(int(rng.integers(1, 30)), 3),
    }


EXISTS = formula_leg(
    "some time",
    typed(
        "A*p**t + B*y >= G*(A + B)",
        over=[
            "A > 0",
            "B in [0, oo)",
            "p in (1, oo)",
            "y in [0, 1]",
            "G in (1, oo)",
            "t in [log(G*(A + B)/A)/log(p), oo)",
        ],
    ),
    over="i",
)
# the difference of two steps is A p^s (p - 1) - B r^s (1 - r)
CONVEX = formula_leg(
    "differences never fall",
    typed(
        "(A*p**(s + 1)*(p - 1) - B*r**(s + 1)*(1 - r)) - (A*p**s*(p - 1) - B*r**s*(1 - r)) >= 0",
        over=["A > 0", "B in [0, oo)", "p in (1, oo)", "r in (0, 1]", "s in 0..oo"],
    ),
    over="i",
)
# t steps came from S to G S at least: the last of them is no less than their mean
RISES = formula_leg(
    "the mean step rises",
    typed("(G*S - S)/t > 0", over=["G in (1, oo)", "S > 0", "t in 1..oo"]),
    over="i",
)

grown = claim(
    "decoupling-all-grown",
    lhs=r"\min\{t:\forall i\ \|w_i^{(t)}\|^2\ge G\|w_i^{(0)}\|^2\}",
    tex=r"\max_i\min\{t:\|w_i^{(t)}\|^2\ge G\|w_i^{(0)}\|^2\}",
    states="decoupling-stage-times",
    title="When all neurons have grown",
    says=r"In the mean dynamics, for every $G>1$, there is a first time at which all neurons have $G$ times their "
    r"squared norm: the largest of their own first times, and all keep it from then on.",
    role="reading",
    covers="T1-all",
    reads={"i": "A B"},
    **ONE_POINT,
    legs=[
        leg(
            "step by step",
            all_grown,
            reference=last_of_their_own,
            unit=1,
            gives="t",
            required=False,
            instances=instances(a_layer, "A B p r G", smoke=4, standard=10),
        ),
        EXISTS,
        CONVEX,
        RISES,
    ],
    rivals=[
        variant("the fastest", simulation=some_grown, leg="step by step"),
        *rivals_of(
            EXISTS,
            {
                "sooner": {
                    "over": [
                        "A > 0",
                        "B in [0, oo)",
                        "p in (1, oo)",
                        "y in [0, 1]",
                        "G in (1, oo)",
                        "t in [log(G*(A + B)/A)/(2*log(p)), oo)",
                    ]
                }
            },
        ),
        *rivals_of(CONVEX, {"rise": "A*p**s*(p - 1) - B*r**s*(1 - r) >= 0"}),
        *rivals_of(RISES, {"to S": "(G*S - S)/t - S*(G - 1)/t > 0"}),
    ],
)


def dense_mean(k, n):
    """The mean dense share of a Gaussian vector of R^n beside k coordinates. Shape ()."""
    return 1 - share_moments(k, n)[0]


def half_of_them(rng):
    k = int(rng.integers(1, 4))
    return {"k": k, "n": 2 * k}


def any_sizes(rng):
    k = int(rng.integers(1, 4))
    return {"k": k, "n": k + int(rng.integers(1, 4))}


k, n = sp.symbols("k n", integer=True, positive=True)
DENSE = 1 - k / n

printed = claim(
    "decoupling-dense-share-printed",
    states="decoupling-noaug-weights",
    title="Dense shares of Fact F.4 at the start",
    says=r"For some $k>0$, $\|M^\perp M^{\perp\top}w_i\|\ge(1-d^{-k})\|w_i\|$ at every step and large $d$, at "
    r"$d_1=2d$: at the start the squared share is $\frac12$ in the mean.",
    covers="dense-share",
    reads={"poly": "k"},
    expect="fail",
    **ONE_POINT,
    legs=[
        leg(
            "mean share",
            dense_mean,
            closed_form=sp.Rational(1, 2),
            required=False,
            lhs=r"\mathbb E\frac{\|M^\perp M^{\perp\top}w\|^2}{\|w\|^2}",
            tex=r"\tfrac12",
            instances=instances(half_of_them, "k n", smoke=3, standard=6),
        ),
        formula_leg(
            "some degree",
            typed("1/2 >= (1 - exp(-k*L))**2", over=["k in (0, oo)", "L in [2/k, oo)"]),
            over="t i d",
        ),
    ],
)

START = formula_leg(
    "d1 >= d^(1 + k)",
    typed(
        f"{DENSE.subs({k: sp.Symbol('d'), n: sp.Symbol('D')})} >= 1 - d**(-k)",
        over=["k > 0", "d in [1, oo)", "D in [d**(1 + k), oo)"],
    ),
    over="i",
)

corrected = claim(
    "decoupling-dense-share",
    states="decoupling-noaug-weights",
    title="Mean dense share at the start",
    lhs=r"\mathbb E\frac{\|M^\perp M^{\perp\top}w(0)\|^2}{\|w(0)\|^2}",
    tex=r"1-\tfrac d{d_1}",
    says=r"At the start the mean dense share is $1-\frac d{d_1}$, at least $1-d^{-k}$ where $d_1\ge d^{1+k}$.",
    role="corrected",
    corrects="decoupling-dense-share-printed",
    covers="dense-share",
    left={"t": "the start", "poly": "d1 >= d^(1 + k)"},
    closed_form=DENSE,
    **ONE_POINT,
    legs=[
        leg(
            "mean share",
            dense_mean,
            required=False,
            instances=instances(any_sizes, "k n", smoke=3, standard=6),
        ),
        START,
    ],
    rivals=[
        variant("one half", closed_form=sp.Rational(1, 2), leg="mean share"),
        *rivals_of(START, {"d1 = 2 d": {"over": ["k > 0", "d in [1, oo)", "D in [2*d, oo)"]}}),
    ],
)
