"""Theorem 7.2(2): every invariant feature is encoded once the norm is large enough.

Setting. z_R has N atoms, P_0 = P[z_R = z_R^-], p_i = P[z_R, z_R^- differ in z_i and nowhere else] > 0; ell convex,
decreasing, with infimum L < ell(0); |phi| = B, x = B^2. (That the loss depends on z_U does not matter by part (1).)

Printed: there is B_i such that every optimum of norm B >= B_i encodes z_i. False at output dimension 1: for the law
(.3, .2, .25, .25) of (z_1, z_2) = ++, +-, -+, -- the codes are signs; one with mass m at +B has loss (1 - 2m(1 - m))
ell(0) + 2m(1 - m) ell(2x), least at m = 1/2, which only sign(z_1) reaches: z_2 is encoded at no norm.

Corrected, k >= 2: z_i is encoded at every optimum as soon as (1 - P_0)(ell(x(1 - cos(2 pi/N))) - L) < p_i (ell(0) -
L). N equally spaced codes on a circle have loss at most P_0 ell(0) + (1 - P_0) ell(x(1 - cos(2 pi/N))); a
representation that does not depend on z_i has loss at least (P_0 + p_i) ell(0) + (1 - P_0 - p_i) L. The condition
holds for all large x, and from one p_i on if the rest is held fixed: this sufficient threshold falls as p_i rises.

Reference: Theorem 7.2(2) = F.2(2), lines 1989-1993 and 9493-9543.
"""

from __future__ import annotations

import itertools
from fractions import Fraction

import sympy as sp

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
    simplex,
    typed,
    variant,
)

from ._views import code_loss, logistic

x = sp.Symbol("x", positive=True)
N, k = sp.symbols("N k", integer=True, positive=True)


# ---- output dimension 1

ATOMS = ((1, 1), (1, -1), (-1, 1), (-1, -1))
LAW = (Fraction(3, 10), Fraction(2, 10), Fraction(1, 4), Fraction(1, 4))


def losses_of_signs(ns, x, encoding):
    """Loss of each code of signs that tells two atoms apart which differ in z_2 only (``encoding``), or of none."""
    codes = [
        signs
        for signs in itertools.product((1, -1), repeat=4)
        if (signs[0] != signs[1] or signs[2] != signs[3]) == encoding
    ]
    B = ns.sqrt(ns.asarray(x))
    table = B * ns.asarray([[[s] for s in signs] for signs in codes])
    return code_loss(ns, ns.asarray([list(LAW)] * len(codes)), table, logistic)


def encoding_costs(ns, x):
    """The least loss of the codes that encode z_2, less that of the others. Shape ()."""
    return ns.min(losses_of_signs(ns, x, True)) - ns.min(losses_of_signs(ns, x, False))


def worst_encoding(ns, x):
    """The largest loss of those that encode z_2, where one of the pairs is told apart. Shape ()."""
    return ns.max(losses_of_signs(ns, x, True))


def runner_up(m):
    """The loss of codes of signs with mass m at +B."""
    return (1 - 2 * m * (1 - m)) * sp.log(2) + 2 * m * (1 - m) * sp.log(1 + sp.exp(-2 * x))


SIGNS = "(1 - 2*m*(1 - m))*log(2) + 2*m*(1 - m)*log(1 + exp(-2*x))"

printed = claim(
    "contrastive-threshold-exists",
    lhs=r"\min_{\text{encoding}}\mathrm{loss}-\min_{\text{blind}}\mathrm{loss}",
    states="contrastive-encoding-threshold",
    title="A norm from which on $z_2$ is encoded, at output dimension 1",
    says="For the law $(0.3, 0.2, 0.25, 0.25)$ some code of signs that encodes $z_2$ is optimal.",
    expect="fail",
    covers="threshold-exists",
    reads={"B": "x"},
    domain={x: reals(0, low_open=True)},
    grid={"smoke": {x: [Fraction(1, 4), 1, 9]}},
    closed_form=sp.Integer(0),
    relation=at_most(),
    legs=[
        leg("all 16 codes", encoding_costs, inside="phi_star i law_z_R"),
        formula_leg(
            "their masses",
            typed(
                f"{SIGNS} <= log(2)/2 + log(1 + exp(-2*x))/2",
                over=["m in {1/5, 1/4, 3/10, 9/20}", "x in (0, oo)"],
            ),
            over="law_z_R i B_i phi_star",
        ),
    ],
)


# ---- output dimension at least 2


def some_law(rng, N, k):
    """A law of N >= 2 atoms; atoms 1 and 2 differ in z_i only. Codes of norm 1 in R^k that do not tell them apart."""
    parts = [int(rng.integers(1, 9)) for _ in range(N)]
    units = [rng.orthogonal_rational(k)[0] for _ in range(N - 1)]
    return {"p": [Fraction(n, sum(parts)) for n in parts], "units": [units[0], *units]}


def circle_codes(ns, n, x, k):
    """N equally spaced codes on a circle of radius B in R^k, as far as k coordinates hold it. Shape (n, k)."""
    turns = ns.asarray([Fraction(2 * a, n) for a in range(n)]) * ns.pi
    coordinates = [ns.cos(turns), ns.sin(turns), *[0 * turns] * (k - 2)][:k]
    return ns.sqrt(ns.asarray(x)) * ns.stack(coordinates, axis=-1)


def on_circle(ns, p, x, k):
    """Their loss. Shape (B,)."""
    n = p.shape[1]
    codes = circle_codes(ns, n, x, k)
    return code_loss(ns, p, ns.broadcast_to(codes, (p.shape[0], *codes.shape)), logistic)


def sizes_of_circle(ns, N, x, k):
    """How many coordinates the codes have, and the largest and the least of their squared lengths. Shape (3,)."""
    codes = circle_codes(ns, N, x, k)
    squares = ns.sum(codes * codes, axis=1)
    return ns.stack([ns.asarray(codes.shape[1]), ns.max(squares), ns.min(squares)], axis=0)


def sizes_of_line(ns, N, x, k):
    """Of the first coordinate alone."""
    codes = circle_codes(ns, N, x, 1)
    squares = ns.sum(codes * codes, axis=1)
    return ns.stack([ns.asarray(codes.shape[1]), ns.max(squares), ns.min(squares)], axis=0)


def circle_bound(ns, p, x, N):
    """P_0 ell(0) + (1 - P_0) ell(x(1 - cos(2 pi/N))). Shape (B,)."""
    same = ns.sum(p * p, axis=1)
    gap = ns.asarray(x) * (1 - ns.cos(2 * ns.pi / N))
    return same * logistic(ns, ns.asarray(0)) + (1 - same) * logistic(ns, gap)


def opposite_bound(ns, p, x, N):
    """With the largest gap 2 x for every pair."""
    same = ns.sum(p * p, axis=1)
    return same * logistic(ns, ns.asarray(0)) + (1 - same) * logistic(ns, 2 * ns.asarray(x))


def blind(ns, p, units, x):
    """Loss of codes that are the same for atoms 1 and 2. Shape (B,)."""
    return code_loss(ns, p, ns.sqrt(ns.asarray(x)) * units, logistic)


def blind_bound(ns, p):
    """(P_0 + p_i) ell(0), p_i = 2 p_1 p_2. Shape (B,)."""
    return (ns.sum(p * p, axis=1) + 2 * p[:, 0] * p[:, 1]) * logistic(ns, ns.asarray(0))


def blind_bound_halved(ns, p):
    return (ns.sum(p * p, axis=1) + p[:, 0] * p[:, 1]) * logistic(ns, ns.asarray(0))


def circle_bound_of_even(ns, p, x, N):
    """As if the atoms were equally likely."""
    return circle_bound(ns, 0 * p + ns.mean(p, axis=1)[:, None], x, N)


def blind_bound_everywhere(ns, p):
    return logistic(ns, ns.sum(p, axis=1) - 1)


DRAWN = instances(some_law, {"p": simplex(N, positive=True), "units": None}, smoke=3, standard=8)
# u = (angle + 2 pi/N)/2, v = (angle - 2 pi/N)/2 for an angle from 2 pi/N to 2 pi - 2 pi/N
CIRCLE = formula_leg(
    "circle", typed("cos(u - v) - cos(u + v) == 2*sin(u)*sin(v)", over=["u in R", "v in R"])
)
UPPER_HALF = formula_leg("upper half", typed("sin(u) >= 0", over="u in [0, pi]"))
IMPLIES = formula_leg(
    "implication",
    typed(
        "P_0*c + (1 - P_0)*g < (P_0 + p)*c + (1 - P_0 - p)*L",
        over=["P_0 in (0, 1)", "p in (0, 1 - P_0]", "L in R", "c in (L, oo)", "g in (L, c)"],
        where="(1 - P_0)*(g - L) < p*(c - L)",
    ),
)

sufficient = claim(
    "contrastive-sufficient-threshold",
    lhs=r"\mathrm{loss}(\text{circle})",
    tex=r"P_0\,\ell(0)+(1-P_0)\,\ell(x(1-\cos(2\pi/N)))",
    states="contrastive-encoding-threshold",
    title="A norm that suffices, for every output dimension from 2 on",
    says=r"The circle code has loss at most $P_0\,\ell(0) + (1 - P_0)\,\ell(x(1 - "
    r"\cos(2\pi/N)))$, a code that is blind to $z_i$ at least $(P_0 + p_i)\,\ell(0) + (1 - "
    r"P_0 - p_i)\,L$, and the first is smaller under the condition.",
    role="corrected",
    corrects="contrastive-threshold-exists",
    covers="sufficient-threshold",
    reads={"law": "N p", "B": "x", "phi_star": "units"},
    domain={N: integers(2), k: integers(2), x: reals(0, low_open=True)},
    grid={
        "smoke": [
            {N: 3, k: 3, x: 1},
            {N: 4, k: 2, x: Fraction(27, 20)},
            {N: 5, k: 4, x: Fraction(1, 10)},
        ],
        "standard": {N: [2, 3, 4, 6], k: [2, 5], x: [Fraction(1, 4), 2, 10]},
    },
    legs=[
        leg("circle code", on_circle, reference=circle_bound, relation=at_most(), instances=DRAWN),
        leg(
            "codes of norm B in R^k",
            sizes_of_circle,
            relation=equals(),
            closed_form=sp.Matrix([k, x, x]),
            lhs=r"(\dim v_a,\ \max|v_a|^2,\ \min|v_a|^2)",
            tex="(k,\\ x,\\ x)",
        ),
        leg("blind codes", blind, reference=blind_bound, relation=at_least(), instances=DRAWN),
        leg(
            "two or three codes",
            on_circle,
            reference=circle_bound,
            relation=equals(),
            where=sp.Le(N, 3),
            grid={"smoke": {N: [2, 3], k: [2], x: [1]}},
            instances=DRAWN,
        ),
        leg(
            "two atoms",
            blind,
            reference=blind_bound,
            relation=equals(),
            where=sp.Eq(N, 2),
            grid={"smoke": {N: [2], k: [2], x: [1]}},
            instances=DRAWN,
        ),
        leg(
            "at output dimension 1",
            encoding_costs,
            relation=equals(),
            unit=1,
            required=False,
            closed_form=runner_up(sp.Rational(9, 20)) - runner_up(sp.Rational(1, 2)),
            lhs=r"\min_{\text{encoding}}\mathrm{loss}-\min_{\text{blind}}\mathrm{loss}",
            tex=r"\tfrac1{200}(\ell(0)-\ell(2x))",
            grid={"smoke": [{N: 4, k: 2, x: 1}]},
        ),
        leg(
            "the worst that encodes",
            worst_encoding,
            relation=equals(),
            unit=1,
            required=False,
            closed_form=runner_up(sp.Rational(1, 5)),
            lhs=r"\max_{\text{encoding}}\mathrm{loss}",
            tex=r"\tfrac{17}{25}\ell(0)+\tfrac8{25}\ell(2x)",
            grid={"smoke": [{N: 4, k: 2, x: 1}]},
        ),
        CIRCLE,
        UPPER_HALF,
        IMPLIES,
    ],
    rivals=[
        variant(
            "of those that tell both pairs apart",
            closed_form=runner_up(sp.Rational(9, 20)),
            leg="the worst that encodes",
        ),
        variant("one coordinate", simulation=sizes_of_line, leg="codes of norm B in R^k"),
        variant("opposite codes for every pair", reference=opposite_bound, leg="circle code"),
        variant("opposite codes for three", reference=opposite_bound, leg="two or three codes"),
        variant("p_1 p_2 for p_i", reference=blind_bound_halved, leg="two atoms"),
        variant("equal masses", reference=circle_bound_of_even, leg="two or three codes"),
        variant(
            "mass 3/10 for 9/20",
            closed_form=runner_up(sp.Rational(3, 10)) - runner_up(sp.Rational(1, 2)),
            leg="at output dimension 1",
        ),
        *reaching(CIRCLE, "u > 100 and v < -100"),
        *reaching(IMPLIES, "L < -1 and p == 1 - P_0"),
        variant("blind to everything", reference=blind_bound_everywhere, leg="blind codes"),
        *rivals_of(CIRCLE, {"without 2": "cos(u - v) - cos(u + v) == sin(u)*sin(v)"}),
        *rivals_of(
            UPPER_HALF,
            {"beyond pi": {"over": "u in [0, 2*pi]"}, "2 u/pi, up to pi/2": "sin(u) >= 2*u/pi"},
        ),
        *rivals_of(IMPLIES, {"twice the gap": {"where": "(1 - P_0)*(g - L) < 2*p*(c - L)"}}),
    ],
)


# ---- the sufficient threshold as p_i rises

p, P_0, c, g, L = sp.symbols("p P_0 c g L", real=True)


def excess(p):
    """What the bound for the circle code is above that for blind codes."""
    return f"(1 - P_0)*(g - L) - ({p})*(c - L)"


def told_less_blind(ns, law, x, k, last=-1):
    """Loss of the circle code less that of a code with one value for atoms 1 and 2 and the opposite one for a third.
    law (B, N) with N <= 3, shape (B,)."""
    B, n = law.shape
    axis = [1] + [0] * (k - 1)
    rows = [axis, axis, [last * v for v in axis]][:n]
    return on_circle(ns, law, x, k) - blind(ns, law, ns.asarray([rows] * B), x)


def told_less_constant(ns, law, x, k):
    return told_less_blind(ns, law, x, k, last=1)


def a_law(rng, N):
    parts = [int(rng.integers(1, 9)) for _ in range(N)]
    law = [Fraction(n, sum(parts)) for n in parts]
    return {"law": law, "P_0": chance_alike(law), "p": chance_of_first_two(law)}


def chance_alike(law):
    """P[z_R = z_R^-]."""
    return sum(w * w for w in law)


def chance_of_first_two(law):
    """p_i of the two atoms that differ in z_i only."""
    return 2 * law[0] * law[1]


LAWS = {"law": simplex(N, positive=True), "P_0": chance_alike, "p": chance_of_first_two}
OF_LOGISTIC = {
    c: sp.log(2),
    g: sp.log(1 + sp.exp(-x * (1 - sp.cos(2 * sp.pi / N)))),
    L: sp.log(1 + sp.exp(-2 * x)),
}
"""For ell itself of the largest gap, 2 x, which a blind code reaches with a third atom."""
EXCESS = sp.sympify(excess("p"), locals={"p": p, "P_0": P_0, "c": c, "g": g, "L": L})
BOUNDED = [
    "P_0 in (0, 1)",
    "p in (0, 1 - P_0]",
    "h in (0, 1 - P_0]",
    "L in R",
    "c in (L, oo)",
    "g in (L, c)",
]
CONDITION = formula_leg(
    "condition", typed(f"{excess('p + h')} < 0", over=BOUNDED, where=f"{excess('p')} < 0")
)


def threshold_of(p):
    """x (1 - cos(2 pi/N)) from which on it suffices, for the logistic loss."""
    return f"-log(2**(({p})/(1 - P_0)) - 1)"


UP_TO_ONE = ["P_0 in (0, 1)", "p in (0, 1 - P_0)", "h in (0, 1 - P_0 - p)"]
LOGISTIC = formula_leg(
    "logistic threshold", typed(f"{threshold_of('p + h')} < {threshold_of('p')}", over=UP_TO_ONE)
)
AT_IT = formula_leg(
    "at the threshold",
    typed(f"(1 - P_0)*log(1 + exp(-({threshold_of('p')}))) == p*log(2)", over=UP_TO_ONE),
)

monotone = claim(
    "contrastive-monotone-sufficient",
    states="contrastive-encoding-threshold",
    title="The sufficient threshold falls as $p_i$ rises",
    says=r"With $P_0$, $N$ and $\ell$ fixed, what suffices for $p$ suffices for $p + h$; for the "
    r"logistic loss the threshold, at $2^{p/(1 - P_0)} = 1 + e^{-x(1 - \cos(2\pi/N))}$, "
    "falls strictly. With two or three atoms the circle code and the best blind one differ by both sides' difference.",
    covers="monotone-sufficient",
    reads={"p_i": "p", "p_i_prime": "p h"},
    domain={N: integers(2, 3), k: integers(2), x: reals(0, low_open=True)},
    grid={"smoke": {N: [2, 3], k: [2, 3], x: [Fraction(1, 2), 3]}},
    lhs=r"\mathrm{loss}(\text{circle})-\mathrm{loss}(\text{blind})",
    tex=r"(1-P_0)(\ell(x(1-\cos\tfrac{2\pi}N))-\ell(2x))-p(\ell(0)-\ell(2x))",
    closed_form=EXCESS.subs(OF_LOGISTIC),
    legs=[
        leg(
            "two codes",
            told_less_blind,
            required=False,
            unit=1,
            instances=instances(a_law, LAWS, smoke=3, standard=6),
        ),
        CONDITION,
        LOGISTIC,
        AT_IT,
    ],
    rivals=[
        variant("blind to every atom", simulation=told_less_constant, leg="two codes"),
        variant(
            "half of p, run", closed_form=EXCESS.subs(p, p / 2).subs(OF_LOGISTIC), leg="two codes"
        ),
        variant(
            "with ell(2 x) for 0", closed_form=EXCESS.subs(L, 0).subs(OF_LOGISTIC), leg="two codes"
        ),
        *rivals_of(CONDITION, {"half of p": f"{excess('p/2')} < 0"}),
        *rivals_of(LOGISTIC, {"rises": f"{threshold_of('p + h')} > {threshold_of('p')}"}),
        *rivals_of(
            AT_IT,
            {"P_0 for 1 - P_0": f"P_0*log(1 + exp(-({threshold_of('p')}))) == p*log(2)"},
        ),
        *reaching(CONDITION, "L < -1 and h == 1 - P_0"),
        *reaching(LOGISTIC, "P_0 < 1/100 and h > 9/10", "p > 9/10"),
    ],
)
