r"""The online gradient argument in the proof of Theorem E.1.

Setting. w' = w - eta g with g a gradient at w of a convex objective Obj_t, which may change from step to step. A, A'
are the squared distances of w and w' from a comparator theta.

Statements. (1) eta <g, w - theta> = eta^2 |g|^2/2 + |w - theta|^2/2 - |w' - theta|^2/2, entry by entry. (2) With
Obj_t(w) - Obj_t(theta) <= <g, w - theta> each step leaves at most (A - A')/(2 eta) + eta |g|^2/2; the sum telescopes,
and the mean over T steps is at most A_start/(2 eta T) + eta/2 max |g|^2. (3) Printed with the distance of the end
point from theta instead: false for every hidden constant. For Obj(w) = w^2/2, w = 1, T = 1 and theta = w' = 1 - eta
the bound is 0 and the left side (1 - (1 - eta)^2)/2.

Reference: lines 1719-1746.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_most,
    claim,
    formula_leg,
    instances,
    integers,
    leg,
    reals,
    rivals_of,
    typed,
    variant,
)

STEP = formula_leg(
    "an entry",
    typed(
        "eta*g*(w - theta) == eta**2/2*g**2 + (w - theta)**2/2 - (w - eta*g - theta)**2/2",
        over=["eta in R", "g in R", "w in R", "theta in R"],
    ),
)

identity = claim(
    "decoupling-regret-identity",
    states="decoupling-regret",
    title="One gradient step against a comparator",
    says=r"$\eta\langle g,w-\theta\rangle=\frac{\eta^2}2\|g\|^2+\frac12\|w-\theta\|^2-\frac12\|w-\eta g-\theta\|^2$.",
    covers="identity",
    legs=[STEP],
    rivals=rivals_of(
        STEP,
        {
            "eta |g|^2/2": "eta*g*(w - theta) == eta/2*g**2 + (w - theta)**2/2 - (w - eta*g - theta)**2/2",
            "a plus at the end": "eta*g*(w - theta) == eta**2/2*g**2 + (w - theta)**2/2 + (w - eta*g - theta)**2/2",
        },
    ),
)

T, d = sp.symbols("T d", integer=True, positive=True)
eta = sp.Symbol("eta", positive=True)


def descent(w, centres, weights, theta, T, d, eta, way=-1):
    """Mean of Obj_t(w_t) - Obj_t(theta) less eta/2 max |g_t|^2 for Obj_t(w) = sum_k a_tk (w_k - c_tk)^2/2. Shape ()."""
    point, gaps, largest = list(w), Fraction(0), Fraction(0)
    for t in range(T):
        a, c = weights[t], centres[t]
        gaps += sum(a[k] * ((point[k] - c[k]) ** 2 - (theta[k] - c[k]) ** 2) for k in range(d)) / 2
        g = [a[k] * (point[k] - c[k]) for k in range(d)]
        largest = max(largest, sum((x * x for x in g), Fraction(0)))
        point = [point[k] + way * eta * g[k] for k in range(d)]
    return gaps / T - Fraction(eta) / 2 * largest


def ascent(w, centres, weights, theta, T, d, eta):
    """The same with steps uphill."""
    return descent(w, centres, weights, theta, T, d, eta, way=1)


def start_distance(w, theta, T, eta):
    """|w - theta|^2/(2 eta T). Shape ()."""
    return sum((x - y) ** 2 for x, y in zip(w, theta, strict=True)) / Fraction(2 * eta * T)


def half_distance(w, theta, T, eta):
    return start_distance(w, theta, T, eta) / 4


def drifting(rng, T, d, eta):
    """Quadratics whose minimum moves; the comparator is near the last ones."""
    return {
        "w": rng.rational((d,), 4),
        "theta": rng.rational((d,), 4),
        "centres": rng.rational((T, d), 4),
        "weights": [[Fraction(int(rng.integers(0, 5)), 2) for _ in range(d)] for _ in range(T)],
    }


def at_the_minimum(rng, T, d, eta):
    """The comparator is the minimum of one quadratic, the start beside it."""
    return {
        "w": [Fraction(1)] * d,
        "theta": [Fraction(0)] * d,
        "centres": [[Fraction(0)] * d] * T,
        "weights": [[Fraction(1)] * d] * T,
    }


def steady(rng, T, d, eta):
    """One linear-like quadratic far from its minimum: the bound is nearly reached."""
    far, slope = Fraction(10**4), Fraction(1, 10**4)
    return {
        "w": [Fraction(0)] * d,
        "theta": [T * eta * far * slope] * d,
        "centres": [[far] * d] * T,
        "weights": [[slope] * d] * T,
    }


FIELDS = "w centres weights theta"
CONVEX = formula_leg(
    "a step",
    typed(
        "gap <= (A - B)/(2*eta) + eta/2*G",
        over=["eta > 0", "gap in R", "A in R", "B in R", "G in R", "s in R"],
        where=["gap <= s", "eta*s == eta**2/2*G + A/2 - B/2"],
    ),
)
# the sums over t steps and over one more; Z, A, B are the distances at the start, after t and after t + 1 steps
SUMS = formula_leg(
    "telescopes",
    typed(
        "(Z - A)/(2*eta) + t*eta/2*G + (A - B)/(2*eta) + eta/2*G == (Z - B)/(2*eta) + (t + 1)*eta/2*G",
        over=["eta > 0", "t in 0..oo", "Z in R", "A in R", "B in R", "G in R"],
    ),
)
MEAN = formula_leg(
    "mean",
    typed(
        "S/T <= Z/(2*eta*T) + eta/2*G",
        over=["eta > 0", "T in 1..oo", "S in R", "Z in R", "A in [0, oo)", "G in R"],
        where="S <= (Z - A)/(2*eta) + T*eta/2*G",
    ),
)

averaged = claim(
    "decoupling-regret-averaged",
    lhs=r"\frac1T\sum_t[\mathrm{Obj}_t(w_t)-\mathrm{Obj}_t(\theta)]-\frac\eta2\max_t\|g_t\|^2",
    tex=r"\frac{\|w_{T_3}-\theta\|^2}{2\eta T}",
    states="decoupling-regret",
    title="Averaged objectives against a comparator",
    says=r"$\frac1T\sum_t[\mathrm{Obj}_t(w_t)-\mathrm{Obj}_t(\theta)]\le\frac{\|w_{T_3}-\theta\|^2}{2\eta T}"
    r"+\frac\eta2\max_t\|g_t\|^2$ for convex $\mathrm{Obj}_t$.",
    role="corrected",
    corrects="decoupling-regret-printed",
    covers="averaged",
    # squared distances to theta before and after a step; gap, product with the gradient, size of the gradient
    reads={"theta": "A B", "Obj_t": "gap s G"},
    domain={T: integers(1), d: integers(1), eta: reals(0, low_open=True)},
    grid={
        "smoke": [{T: 1, d: 2, eta: Fraction(1, 4)}, {T: 5, d: 1, eta: Fraction(1, 10)}],
        "standard": {T: [1, 4, 20], d: [1, 3], eta: [Fraction(1, 50), Fraction(1, 3), 2]},
    },
    relation=at_most(),
    legs=[
        leg(
            "moving quadratics",
            descent,
            reference=start_distance,
            required=False,
            instances=instances(drifting, FIELDS, smoke=4, standard=8),
            where=(T <= 40) & (d <= 8),
        ),
        leg(
            "far from the minimum",
            descent,
            reference=start_distance,
            required=False,
            instances=instances(steady, FIELDS, smoke=1),
            where=(T <= 40) & (d <= 8),
        ),
        CONVEX,
        SUMS,
        MEAN,
    ],
    rivals=[
        variant("a quarter of the distance", reference=half_distance, leg="far from the minimum"),
        variant(
            "a quarter of it, five steps",
            reference=half_distance,
            leg="far from the minimum",
            at=[{T: 5, d: 1, eta: Fraction(1, 10)}],
        ),
        variant(
            "uphill",
            simulation=ascent,
            leg="moving quadratics",
            at=[{T: 5, d: 1, eta: Fraction(1, 4)}],
            instances=instances(at_the_minimum, FIELDS, smoke=1),
        ),
        *rivals_of(CONVEX, {"concave": {"where": ["gap >= s", "eta*s == eta**2/2*G + A/2 - B/2"]}}),
        *rivals_of(
            SUMS,
            {
                "t terms": "(Z - A)/(2*eta) + t*eta/2*G + (A - B)/(2*eta) + eta/2*G == (Z - B)/(2*eta) + t*eta/2*G"
            },
        ),
        *rivals_of(MEAN, {"the end point": "S/T <= A/(2*eta*T) + eta/2*G"}),
    ],
)

# Obj = w^2/2, w = 1, T = 1, theta = w' = 1 - eta: every multiple of |w' - theta|^2 is 0
END = formula_leg(
    "theta at the end point",
    typed("(1 - (1 - eta)**2)/2 <= 0", over="eta in (0, 1)"),
    over="theta T O",
)

end_printed = claim(
    "decoupling-regret-printed",
    states="decoupling-regret",
    title="The averaged bound with the end point",
    says=r"$\frac1T\sum_t[\mathrm{Obj}_t(w_t)-\mathrm{Obj}_t(\theta)]\le\frac C{T\eta}\|w_{T_3+T}-\theta\|^2$ for some "
    r"$C$.",
    covers="printed-end",
    expect="fail",
    legs=[END],
)
