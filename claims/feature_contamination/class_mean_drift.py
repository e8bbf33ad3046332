"""Lemma B.9: how far a step moves the other-class mean of every neuron, with explicit errors (derived).

Setting. As in `one_step`, before saturation: no example has y h > 1. X_core = sum_core mu_j z_j and X_bg likewise, with
means S_c and S_b, S = S_c + S_b; P+ and P- are the neuron's activities on its own and on the other class.

Statements. 2 m/eta times the fall of E- beyond the decay is E[1{active} (X_core - X_bg) | own] + E[1{active} (X_core +
X_bg) | other]. (1) With S_c >= S_b and means of 1/2 or more it is at least (d_0/8) P- - (S/2) exp(-S/2) - d_bg exp(-2
(S_c - S_b)^2/S): where X_core + X_bg >= S/2 an active example of the other class adds S/2 or more, and one of the own
class takes away at most X_bg <= d_bg, and only where X_core < X_bg; both have exponentially small probabilities by
Hoeffding's inequality, as mu_j z_j lies in [0, mu_j]. (2) It differs from (S_c - S_b) P+ + S P- by sqrt(S)/2 at most: a
covariance with an indicator of probability p is at most sqrt(p (1 - p) V), V = sum mu_j^2 sigma_j^2 <= S/4, and
sqrt(p (1 - p)) <= 1/2 for either class.

Reference: Lemma B.9, lines 754-800 (ICML 2024).
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import at_least, at_most, claim, formula_leg, instances, leg, typed, variant
from theorycheck.claims.formula import rivals_of

from ._network import dot, means, on_a_kink, population
from .gradient_projection import FIELDS, d_bg, d_core, m
from .one_step import BASE, POSITIVE_STEP, SIZES, other_fall

S_c, S_b = sp.symbols("S_c S_b", positive=True)
SMALL = (d_core + d_bg <= 6) & (m <= 3)


def activity(W, values, weights, d_core, labels):
    """P[<w_k, x> >= 0 | y] with y one of ``labels`` for each neuron. Shape (m,)."""
    return [
        sum(
            (e.chance for e in population(values, weights, d_core, (y,)) if dot(w, e.x) >= 0),
            Fraction(0),
        )
        for w, y in zip(W, labels, strict=True)
    ]


def squares(values, weights, d_core):
    """S_c and S_b."""
    mu = means(values, weights)
    return dot(mu[:d_core], mu[:d_core]), dot(mu[d_core:], mu[d_core:])


def unsaturated(rng, m, d_core, d_bg, draw):
    """Weights in sixty-fourths, with every margin below 1, off the kinks; means between 9/16 and 4/5."""
    size = d_core + d_bg
    low = [Fraction(int(rng.integers(3, 5)), 8) for _ in range(size)]
    values = [[v, Fraction(int(rng.integers(6, 9)), 8)] for v in low]
    high = [Fraction(int(rng.integers(5, 7)), 10) for _ in range(size)]
    weights = [[1 - p, p] for p in high]
    s = [int(rng.signs()) for _ in range(m)]
    while True:
        W = [[Fraction(draw(), 64 * size) for _ in range(size)] for _ in range(m)]
        if not any(on_a_kink(W, s, e.x, e.y) for e in population(values, weights, d_core)):
            return {"W": W, "s": s, "values": values, "weights": weights}


def small_network(rng, m, d_core, d_bg, eta, lam):
    """Weights of either sign: |<w, x>| is 1/2 at most."""
    return unsaturated(rng, m, d_core, d_bg, lambda: int(rng.integers(-32, 33)))


def silent(rng, m, d_core, d_bg, eta, lam):
    """Weights 1/(8 d_0) on the core and 1/(64 d_0) on the background, s = 1: on for its own class only where d_bg < 4
    d_core."""
    size = d_core + d_bg
    return {
        "W": [[Fraction(1, 8 * size)] * d_core + [Fraction(1, 64 * size)] * d_bg] * m,
        "s": [1] * m,
        "values": [[Fraction(1, 2), Fraction(1)]] * size,
        "weights": [[Fraction(1, 2)] * 2] * size,
    }


def core_only(rng, m, d_core, d_bg, eta, lam):
    """Weights of almost 0 on the background: on for the own class only, whatever the sizes are."""
    found, size = silent(rng, m, d_core, d_bg, eta, lam), d_core + d_bg
    small = Fraction(1, 64 * size * size)
    return found | {"W": [[Fraction(1, 8 * size)] * d_core + [small] * d_bg] * m}


def other_only(rng, m, d_core, d_bg, eta, lam):
    """The same against the label: on for the other class only."""
    return silent(rng, m, d_core, d_bg, eta, lam) | {"s": [-1] * m}


def least_means(rng, m, d_core, d_bg, eta, lam):
    """The same with features that are nearly always 1/2."""
    found = other_only(rng, m, d_core, d_bg, eta, lam)
    return found | {"weights": [[Fraction(999, 1000), Fraction(1, 1000)]] * (d_core + d_bg)}


def against(rng, m, d_core, d_bg, eta, lam):
    """Fair features 1/8 or 1, weights -1/(8 d_0) on the core and 3/(16 d_0) on the background."""
    size = d_core + d_bg
    return {
        "W": [[Fraction(-1, 8 * size)] * d_core + [Fraction(3, 16 * size)] * d_bg] * m,
        "s": [1] * m,
        "values": [[Fraction(1, 8), Fraction(1)]] * size,
        "weights": [[Fraction(1, 2)] * 2] * size,
    }


def fair_bit(rng, m, d_core, d_bg, eta, lam):
    """Core features 0 or 1, fair, a background near 0 and against the sign: on where a core feature is 1, for the own
    class only."""
    size = d_core + d_bg
    return {
        "W": [[Fraction(1, 4 * size)] * d_core + [Fraction(-1, 400 * size)] * d_bg] * m,
        "s": [1] * m,
        "values": [[Fraction(0), Fraction(1)]] * d_core
        + [[Fraction(1, 100), Fraction(1, 50)]] * d_bg,
        "weights": [[Fraction(1, 2)] * 2] * size,
    }


# ---- what the proofs need of the fall of E-


def sixteenth():
    """c = 1/16: S/(4 d_0) or less where every mean is 1/2 or more."""
    return Fraction(1, 16)


def surplus(W, s, values, weights, m, d_core, d_bg, eta, lam, factor=1, sign=1):
    """``sign`` m/(eta d_0) times the fall of E-, less ``factor`` c P-. Shape (m,), beside S_c and S_b."""
    fall = other_fall(W, s, values, weights, m, d_core, d_bg, eta, lam)
    P = activity(W, values, weights, d_core, [-y for y in s])
    scale = sign * m / (Fraction(eta) * (d_core + d_bg))
    core, background = squares(values, weights, d_core)
    value = [scale * f - factor * sixteenth() * p for f, p in zip(fall, P, strict=True)]
    return {"value": value, "S_c": core, "S_b": background}


NETWORKS = instances(small_network, FIELDS, smoke=2, standard=6)
SILENT = instances(silent, FIELDS, smoke=1)
OTHER = instances(other_only, FIELDS, smoke=1)
LEAST = instances(least_means, FIELDS, smoke=1)
S = S_c + S_b
RARE = (S / 2 * sp.exp(-S / 2) + d_bg * sp.exp(-2 * (S_c - S_b) ** 2 / S)) / (2 * (d_core + d_bg))
WIDE = BASE | {d_core: 5, d_bg: 1}
CORRECTED = {
    "states": "contamination-negative-correlation",
    "role": "corrected",
    "corrects": "contamination-negative-correlation-printed",
}


def quadratic(s):
    return f"({s})**2/8"


HOEFFDING = formula_leg(
    "one variable",
    typed(
        f"log(1 - p + p*exp(s)) <= p*s + {quadratic('s')}", over=["p in [0, 1]", "s in (-oo, oo)"]
    ),
    over="d0",
)
AT_BEST = f"-(4*t/S)*t + S*{quadratic('4*t/S')}"
EXPONENT = formula_leg(
    "the best exponent", typed(f"{AT_BEST} == -2*t**2/S", over=["t > 0", "S > 0"]), over="d0"
)
USUAL = formula_leg(
    "where the sum is large",
    typed("a*x >= q*a", over=["a in [0, 1]", "q > 0", "x >= q"]),
    over="d0",
)
UNUSUAL = formula_leg(
    "where it is small",
    typed("a*x >= q*a - q", over=["a in [0, 1]", "q > 0", "0 <= x < q"]),
    over="d0",
)

needed = claim(
    "contamination-negative-correlation-upper",
    lhs=r"\tfrac m{\eta d_0}\big((1-\lambda\eta)E_k^-(t)-E_k^-(t+1)\big)-\tfrac1{16}P_k^-",
    tex=r"-\tfrac1{2d_0}\Big(\tfrac S2e^{-S/2}+d_{\mathrm{bg}}e^{-2(S_c-S_b)^2/S}\Big)",
    title="The other-class mean falls with the share of active other-class inputs",
    says=r"For every neuron, before saturation, with means of $1/2$ or more and $S_c\ge S_b$, $E^-$ falls by at least "
    r"$\frac{\eta d_0}{16m}P^-$ beyond the decay, up to "
    r"$\frac\eta{2m}\big(\frac S2e^{-S/2}+d_{\mathrm{bg}}e^{-2(S_c-S_b)^2/S}\big)$.",
    covers="upper-form",
    where=d_core >= 3 * d_bg,
    closed_form=-RARE,
    relation=at_least(),
    legs=[
        leg(
            "one step",
            surplus,
            observed=["S_c", "S_b"],
            instances=NETWORKS,
            inside="k",
            unit=1,
            where=SMALL,
            gives="c",
            chosen_by=sixteenth,
        ),
        # Means of nearly 1/2, on for the other class only: twice the constant is as much as there is.
        leg(
            "least means",
            surplus,
            observed=["S_c", "S_b"],
            instances=LEAST,
            inside="k",
            unit=1,
            where=SMALL,
            gives="c",
            chosen_by=sixteenth,
            grid={"smoke": [WIDE]},
        ),
        # Where the background is larger than the core, these rise.
        leg(
            "on for the own class only",
            surplus,
            observed=["S_c", "S_b"],
            instances=instances(core_only, FIELDS, smoke=1),
            inside="k",
            unit=1,
            where=SMALL,
            gives="c",
            chosen_by=sixteenth,
            grid={"smoke": [BASE | {d_core: 3}]},
        ),
        HOEFFDING,
        EXPONENT,
        USUAL,
        UNUSUAL,
    ],
    rivals=[
        variant("c = 3/8", call=surplus, factor=6, instances=OTHER, at=[WIDE], leg="one step"),
        variant("c = 3/16", call=surplus, factor=3, leg="least means"),
        variant(
            "four times the background",
            leg="on for the own class only",
            at=[BASE | {d_bg: 4}],
        ),
        variant("a rise", call=surplus, sign=-1, instances=SILENT, at=[WIDE], leg="one step"),
        *rivals_of(HOEFFDING, {"half of it": "log(1 - p + p*exp(s)) <= p*s + s**2/16"}),
        *rivals_of(EXPONENT, {"twice the exponent": f"{AT_BEST} == -4*t**2/S"}),
        *rivals_of(USUAL, {"twice": "a*x >= 2*q*a"}),
        *rivals_of(UNUSUAL, {"as where it is large": "a*x >= q*a"}),
    ],
    grid={
        "smoke": [BASE | {d_core: 3}, BASE | {m: 2, d_core: 4}],
        "standard": [BASE | {m: i, d_core: j} for i in (1, 3) for j in (3, 5)],
    },
    mutate=False,
    **CORRECTED,
    domain=POSITIVE_STEP["domain"],
    reads=SIZES["reads"],
)


# ---- the leading order


def squared_error(W, s, values, weights, m, d_core, d_bg, eta, lam, own=-1, other=1):
    """The square of 2 m/eta times the fall of E-, less (S_c + ``own`` S_b) P+ + (S_c + ``other`` S_b) P-. Shape (m,),
    beside S_c and S_b."""
    fall = other_fall(W, s, values, weights, m, d_core, d_bg, eta, lam)
    own_class = activity(W, values, weights, d_core, s)
    other_class = activity(W, values, weights, d_core, [-y for y in s])
    core, background = squares(values, weights, d_core)
    value = [
        (
            2 * m * f / Fraction(eta)
            - (core + own * background) * p
            - (core + other * background) * q
        )
        ** 2
        for f, p, q in zip(fall, own_class, other_class, strict=True)
    ]
    return {"value": value, "S_c": core, "S_b": background}


BETWEEN = formula_leg(
    "covariance with an indicator",
    typed(
        "(p*u)**2 == p*(1 - p)*(p*u**2 + (1 - p)*(p*u/(1 - p))**2)",
        over=["p in (0, 1)", "u in (-oo, oo)"],
    ),
    over="d0",
)
SPREAD = formula_leg(
    "variance on [0, 1]",
    typed("x**2 - 2*x*mu + mu**2 <= x - 2*x*mu + mu**2", over=["x in [0, 1]", "mu in [0, 1]"]),
    over="d0",
)
QUARTER = formula_leg(
    "at most a quarter", typed("mu - mu**2 <= 1/4", over="mu in [0, 1]"), over="d0"
)
ACTIVITY = formula_leg(
    "one activity", typed("sqrt(p*(1 - p)) <= 1/2", over="p in [0, 1]"), over="d0"
)
LEADING = S / 4
"""The square of the error, at most."""
TWO_CLASSES = "(f*r + g*r)**2"
"""Both covariances: f, g of the activities, r^2 the variance."""
TOGETHER = formula_leg(
    "both classes",
    typed(
        f"{TWO_CLASSES} <= {LEADING}",
        over=["f in [0, 1/2]", "g in [0, 1/2]", "r in [0, oo)", "S_c > 0", "S_b > 0"],
        where=f"r**2 <= ({S})/4",
    ),
    over="d0",
)

leading = claim(
    "contamination-negative-correlation-leading",
    lhs=r"\Big(\tfrac{2m}\eta\big((1-\lambda\eta)E_k^-(t)-E_k^-(t+1)\big)-(S_c-S_b)P_k^+-S\,P_k^-\Big)^2",
    tex=r"\tfrac S4",
    title="The fall of the other-class mean to leading order",
    says=r"For every neuron, before saturation, $E^-$ falls by $\frac\eta{2m}\big((S_c-S_b)P^++S\,P^-\big)$ beyond the "
    r"decay, up to $\frac\eta{2m}\frac{\sqrt S}2$, where $S$ is of order $d_0$.",
    covers="leading-order",
    closed_form=LEADING,
    relation=at_most(),
    legs=[
        leg(
            "one step",
            squared_error,
            observed=["S_c", "S_b"],
            instances=NETWORKS,
            inside="k",
            where=SMALL,
        ),
        # Drawn networks stay far below S/16, which is what one fair bit comes to.
        leg(
            "a fair bit",
            squared_error,
            observed=["S_c", "S_b"],
            instances=instances(fair_bit, FIELDS, smoke=1),
            inside="k",
            where=SMALL,
            grid={"smoke": [BASE]},
        ),
        BETWEEN,
        SPREAD,
        QUARTER,
        ACTIVITY,
        TOGETHER,
    ],
    rivals=[
        variant("S P+", call=squared_error, own=1, instances=SILENT, at=[BASE], leg="one step"),
        variant(
            "(Sc - Sb) P-", call=squared_error, other=-1, instances=OTHER, at=[BASE], leg="one step"
        ),
        variant(
            "a quarter of sqrt(S)/2",
            closed_form=S / 64,
            instances=instances(against, FIELDS, smoke=1),
            at=[BASE],
            leg="one step",
        ),
        *rivals_of(BETWEEN, {"without 1 - p": "(p*u)**2 == p*(p*u**2 + (1 - p)*(p*u/(1 - p))**2)"}),
        *rivals_of(SPREAD, {"on [0, 2]": {"over": ["x in [0, 2]", "mu in [0, 1]"]}}),
        *rivals_of(QUARTER, {"a fifth": "mu - mu**2 <= 1/5"}),
        *rivals_of(ACTIVITY, {"half of it": "sqrt(p*(1 - p)) <= 1/4"}),
        *rivals_of(TOGETHER, {"of one class": f"{TWO_CLASSES} <= ({S})/16"}),
        variant("S/17", closed_form=S / 17, leg="a fair bit"),
    ],
    grid={
        "smoke": [BASE, BASE | {m: 2, d_core: 2}, BASE | {d_core: 2, d_bg: 2}],
        "standard": [BASE | {m: 2, d_core: i, d_bg: j} for i in (1, 3) for j in (1, 2)],
    },
    mutate=False,
    **CORRECTED,
    domain=POSITIVE_STEP["domain"],
    reads=SIZES["reads"],
)
