"""First passage of a neuron: its number of steps is K m/(eta sqrt(d)) up to a bounded rounding (derived).

Setting. One neuron of sign 1 on an enumerated population, before saturation, without decay: w <- w + (eta/m) F(w), F =
E[y 1{<w, x> >= 0} x], from w = V/sqrt(d) with V of a law that does not depend on d. As F does not see the scale of w,
V moves by h F(V) a step, h = eta sqrt(d)/m. All of the own class is active and stays so; T is the first step at which
no example of the other class is.

Statement. Let K be the time at which the flow V' = F(V) gets there. Its drive is constant between the times at which
examples of the other class fall silent; a step is seen at the end of it, so that the i-th of them is missed by a part
theta_i in [0, 1] of a step, and what is gained in that time moves the later ones in proportion. T h/K tends to 1: T -
K/h is a sum of kappa_i theta_i, and lies between the sums of the negative and of the positive kappa_i, which do not
depend on h. One example alone has kappa = 1, one step of rounding.

Reference: derived from Theorem 4.1, lines 145-153, where T_0 is of order m/(eta sqrt(d)) (ICML 2024).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import sympy as sp

from theorycheck import at_least, at_most, claim, instances, integers, leg, reals, variant

from ._network import dot, drawn_laws, population

m, d_core, d_bg = sp.symbols("m d_core d_bg", integer=True, positive=True)
root, eta = sp.symbols("r eta", positive=True)
"""root = sqrt(d)."""

LONGEST = 200
"""The most steps: |<w, x>| <= 6 LONGEST eta/m at the start, 3/5 at most, so that no margin comes near 1."""


class Start(NamedTuple):
    """The start times sqrt(d), and the laws of the features."""

    V: Any
    values: Any
    weights: Any


class Passage(NamedTuple):
    """The time of the flow, the least and the largest T - K/h, and the shortest time between two events."""

    time: Fraction
    early: Fraction
    late: Fraction
    gap: Fraction


def both_classes(values, weights, d_core):
    """Examples of the own and of the other class."""
    return [list(population(values, weights, d_core, (y,))) for y in (1, -1)]


def drive(own, other, active):
    """F with all of the own class active and these of the other. Shape (d0,)."""
    up = [sum(e.chance * e.x[j] for e in own) for j in range(len(own[0].x))]
    down = [
        sum((other[i].chance * other[i].x[j] for i in active), Fraction(0)) for j in range(len(up))
    ]
    return [(a - b) / 2 for a, b in zip(up, down, strict=True)]


def flow(V, values, weights, d_core):
    """`Passage` of the flow, None where an example would come back, or two fall silent together."""
    own, other = both_classes(values, weights, d_core)
    now, V, active = Fraction(0), list(V), [i for i, e in enumerate(other) if dot(V, e.x) >= 0]
    drives, shifts, gaps = (
        [],
        [],
        [],
    )  # shifts: what each part theta adds to a stretch between events
    if any(dot(V, e.x) < 0 for e in own) or not active:
        return None
    while active:
        F = drive(own, other, active)
        if any(dot(F, e.x) >= 0 for e in other) or any(dot(F, e.x) < 0 for e in own):
            return None
        left = sorted((dot(V, other[i].x) / -dot(F, other[i].x), i) for i in active)
        if left[0][0] == 0 or (len(left) > 1 and left[1][0] == left[0][0]):
            return None
        wait, first = left[0]
        x = other[first].x
        shift = [Fraction(0)] * len(shifts) + [Fraction(1)]
        for past, before in zip(drives, shifts, strict=True):
            for k, part in enumerate(before):
                shift[k] += dot(past, x) / -dot(F, x) * part
        drives.append(F)
        shifts.append(shift)
        gaps.append(wait)
        now, V = now + wait, [v + wait * f for v, f in zip(V, F, strict=True)]
        active.remove(first)
    kappa = [sum((s[k] for s in shifts if k < len(s)), Fraction(0)) for k in range(len(shifts))]
    reach = sum(abs(part) for s in shifts for part in s)
    return Passage(
        now, sum(min(k, 0) for k in kappa), sum(max(k, 0) for k in kappa), min(gaps) / reach
    )


def step_of(eta, r, m):
    """h."""
    return Fraction(eta) * Fraction(r) / Fraction(m)


def starts(rng, m, d_core, d_bg, r, eta):
    """Starts at which all of the own class is active, and h so small that events keep their order."""
    while True:
        values, weights = drawn_laws(rng, d_core + d_bg)
        values = [[v + Fraction(1, 16) for v in row] for row in values]
        V = [Fraction(int(rng.integers(-12, 25)), 12) for _ in range(d_core + d_bg)]
        found = flow(V, values, weights, d_core)
        if found is None:
            continue
        scale = int(1 / found.gap) + 2
        if scale <= LONGEST and scale * found.time <= LONGEST:
            h = step_of(eta, r, m)
            return Start([scale * h * v for v in V], values, weights)


def steps(V, values, weights, m, d_core, d_bg, r, eta):
    """T, by steps of w on the hinge loss, h = max(<w, x>, 0)/m. Shape ()."""
    own, other = both_classes(values, weights, d_core)
    w, t, rate = [v / Fraction(r) for v in V], 0, Fraction(eta) / Fraction(m)
    while any(dot(w, e.x) >= 0 for e in other):
        total = [Fraction(0)] * len(w)
        for sign, examples in ((1, own), (-1, other)):
            for e in examples:
                if dot(w, e.x) >= 0 and sign * dot(w, e.x) <= m:  # active, and y h <= 1
                    total = [a + sign * e.chance / 2 * b for a, b in zip(total, e.x, strict=True)]
        w = [a + rate * b for a, b in zip(w, total, strict=True)]
        t += 1
    return Fraction(t)


def latest(V, values, weights, m, d_core, d_bg, r, eta, power=1, of_m=1):
    """K/h and the positive parts of the rounding. Shape ()."""
    found = flow(V, values, weights, d_core)
    return found.time / step_of(eta, Fraction(r) ** power, Fraction(m) ** of_m) + found.late


def earliest(V, values, weights, m, d_core, d_bg, r, eta):
    """K/h and the negative parts of the rounding. Shape ()."""
    found = flow(V, values, weights, d_core)
    return found.time / step_of(eta, r, m) + found.early


def with_d(V, values, weights, m, d_core, d_bg, r, eta):
    """d in place of its root."""
    return latest(V, values, weights, m, d_core, d_bg, r, eta, power=2)


def without_m(V, values, weights, m, d_core, d_bg, r, eta):
    return latest(V, values, weights, m, d_core, d_bg, r, eta, of_m=0)


def twice(V, values, weights, m, d_core, d_bg, r, eta):
    return 2 * earliest(V, values, weights, m, d_core, d_bg, r, eta)


def cell(m_, d_core_, d_bg_, r, rate):
    return {m: m_, d_core: d_core_, d_bg: d_bg_, root: r, eta: rate}


SMALL = (d_core + d_bg <= 3) & (m <= 10**6)
DRAWN = instances(starts, Start, smoke=3, standard=8)

passage = claim(
    "contamination-scale-invariance-passage",
    states="contamination-scale-invariance",
    title="The first passage time is inversely proportional to the step",
    says=r"A neuron of which the own class is active loses the last active example of the other class after "
    r"$K\,m/(\eta\sqrt d)$ steps up to a rounding that does not depend on $d,\eta,m$, with the time $K$ of the flow.",
    role="derived",
    covers="passage-time-law",
    reads={"d": "r"},
    domain={
        m: integers(1),
        d_core: integers(2),
        d_bg: integers(1),
        root: reals(0, low_open=True),
        eta: reals(0, Fraction(1, 2000), low_open=True),
    },
    grid={
        "smoke": [
            cell(1, 2, 1, 2, Fraction(1, 2000)),
            cell(3, 2, 1, Fraction(5, 2), Fraction(1, 4000)),
        ],
        "standard": [cell(16, 2, 1, 10, Fraction(1, 3000)), cell(2, 2, 1, 1, Fraction(1, 10**4))],
    },
    relation=at_most(),
    legs=[
        leg(
            "from above",
            steps,
            reference=latest,
            instances=DRAWN,
            where=SMALL,
            lhs="T",
            tex=r"\frac{K\,m}{\eta\sqrt d}+\sum_i\max(\kappa_i,0)",
        ),
        leg(
            "from below",
            steps,
            reference=earliest,
            instances=DRAWN,
            where=SMALL,
            relation=at_least(),
            lhs="T",
            tex=r"\frac{K\,m}{\eta\sqrt d}+\sum_i\min(\kappa_i,0)",
        ),
    ],
    rivals=[
        variant("d for its root", leg="from above", reference=with_d),
        variant("steps so large that margins pass 1", leg="from above", at=[cell(1, 2, 1, 2, 1)]),
        variant(
            "without m",
            leg="from above",
            reference=without_m,
            at=[cell(3, 2, 1, 2, Fraction(1, 2000))],
        ),
        variant("twice as many", leg="from below", reference=twice),
    ],
    mutate=False,
)
