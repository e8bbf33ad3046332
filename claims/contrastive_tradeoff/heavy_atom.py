"""Theorem 7.2(2) where it can be solved: one heavy atom (derived).

Setting. z_R has an atom of mass p with z_1 = 0, and light atoms of masses l_i, sum 1 - p, with z_1 = 1 that differ
in z_2; logistic loss, |phi| = B, x = B^2, k >= 2.

Statements. (1) The light atoms share their code, opposite to the heavy one's, at the optimum exactly for x <= (1/2)
ln((3p - 1)/(1 - p)); for p <= 1/2 at no x > 0. (2) So the split of the light mass does not matter. (3) As printed
the least norm at which z_i is encoded falls when p_i, the probability of a pair that differs in z_i only, rises.
False: p_2 = 2 q (1 - p - q) for light masses q and 1 - p - q, and the least norm depends on p alone, rising. Two
features of one law: `one_law`.

Proof of (1). The loss L is convex in the Gram matrix G (psd, diagonal x), so L(G') >= L(G) + <K, G' - G>, K_ab =
p_a p_b/(1 + e^(x - G_ab)), and with nu_a = -sum_b K_ab G_ab/x, Lambda = K + diag(nu): L(G') >= L(G) + <Lambda, G'>.
At the collapsed code the form of Lambda at (u; y) is p tau (1 - p)(u + m/(1 - p))^2 + |mu| (sum l_i y_i^2 - m^2/(1
- p)), m = sum l_i y_i, tau = 1/(1 + e^(2x)), mu = (1 - p)/2 - p tau: psd if mu <= 0. L is strictly convex off the
diagonal, so that the collapsed code is the only optimum then. If mu > 0 the form is negative at u = m = 0: moving
the light codes apart in a new direction, with weights y, lowers the loss.

Reference: derived from Theorem 7.2(2) = F.2(2), lines 1989-1993 and 9505-9543.
"""

from __future__ import annotations

import itertools
from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_most,
    attained,
    certificate,
    claim,
    equals,
    formula_leg,
    hypothesis,
    instances,
    integers,
    leg,
    minimises,
    reaching,
    reals,
    rivals_of,
    search,
    simplex,
    typed,
    variant,
)

from ._views import code_loss, logistic

p, q, x = sp.symbols("p q x", positive=True)
m = sp.Symbol("m", integer=True, positive=True)


def some_split(rng, m):
    """How the light mass is split, and unit vectors as codes."""
    parts = [int(rng.integers(1, 9)) for _ in range(m)]
    return {
        "split": [Fraction(part, sum(parts)) for part in parts],
        "units": [rng.orthogonal_rational(3)[0] for _ in range(m + 1)],
    }


def masses(ns, split, p):
    """The law (p, (1 - p) split). Shape (B, m + 1)."""
    heavy = ns.full((split.shape[0], 1), ns.asarray(p))
    return ns.concat([heavy, (1 - ns.asarray(p)) * split], axis=1)


def loss_of(ns, split, units, p, x):
    """The loss at codes B times ``units`` (B, m + 1, k). Shape (B,)."""
    return code_loss(ns, masses(ns, split, p), ns.sqrt(ns.asarray(x)) * units, logistic)


def opposite(ns, split):
    """The collapsed code: the heavy atom opposite to all light ones. Shape (B, m + 1, 2)."""
    B, count = split.shape
    return ns.asarray([[[1, 0]] + [[-1, 0]] * count] * B)


def collapsed(ns, split, p, x):
    return loss_of(ns, split, opposite(ns, split), p, x)


def dual_matrix(ns, law, x, units):
    """Lambda at codes sqrt(x) times ``units``. law (B, N), shape (B, N, N)."""
    G = x * ns.einsum("zak,zbk->zab", units, units)
    K = law[:, :, None] * law[:, None, :] * ns.sigmoid(G - x)
    nu = -ns.sum(K * G, axis=-1) / x
    return K + nu[:, :, None] * ns.eye(law.shape[1])


def bound_from(ns, split, units, p, x):
    """L(G) + (m + 1) x min(0, least eigenvalue of Lambda) at any code: a bound for every Gram matrix with diagonal x,
    as <Lambda, G'> is at least that eigenvalue times the trace. Shape (B,)."""
    law = masses(ns, split, p)
    Lambda = dual_matrix(ns, law, ns.asarray(x), units)
    least = -ns.relu(-ns.eigvalsh(Lambda)[:, 0])
    return loss_of(ns, split, units, p, x) + law.shape[1] * ns.asarray(x) * least


def dual(ns, split, p, x):
    """From the collapsed code."""
    return bound_from(ns, split, opposite(ns, split), p, x)


def turned_codes(ns, split):
    """The collapsed code with the first two light ones turned by small angles that keep their mean direction, and the
    sines of these a quarter apart. Shape (B, m + 1, 2)."""
    count = split.shape[1]
    total = split[:, 0] + split[:, 1]
    turned = []
    for i in range(count + 1):
        s = {1: split[:, 1] / (4 * total), 2: -split[:, 0] / (4 * total)}.get(i, 0 * total)
        turned.append(ns.stack([(1 if i == 0 else -1) * ns.sqrt(1 - s * s), s], axis=-1))
    return ns.stack(turned, axis=1)


def moved_apart(ns, split, p, x):
    """Their loss. Shape (B,)."""
    return loss_of(ns, split, turned_codes(ns, split), p, x)


def between_even_ones(ns, split):
    """As if the two had the same mass."""
    quarter = 0 * split[:, 0] + ns.rational(1, 4)
    return ns.stack([quarter, (split[:, 0] - split[:, 1]) / 8], axis=1)


def between_the_turned(ns, split):
    """Difference of the sines, and mean of those of the two. Shape (B, 2)."""
    sines = turned_codes(ns, split)[:, 1:3, 1]
    return ns.stack([sines[:, 0] - sines[:, 1], ns.sum(split[:, :2] * sines, axis=1)], axis=1)


DRAWN = instances(
    some_split, {"split": simplex(m, positive=True), "units": None}, smoke=2, standard=5
)
THRESHOLD = sp.log((3 * p - 1) / (1 - p)) / 2
COLLAPSED = (p**2 + (1 - p) ** 2) * sp.log(2) + 2 * p * (1 - p) * sp.log(1 + sp.exp(-2 * x))

optimum = claim(
    "contrastive-heavy-atom-optimum",
    lhs=r"\min_\phi\mathrm{loss}(\phi)",
    states="contrastive-heavy-atom",
    title="Below the threshold the collapsed code is optimal",
    says=r"For $B^2 \le \frac12 \ln\frac{3p - 1}{1 - p}$ the least loss is that of the code that "
    "ignores $z_2$, however the light mass is split.",
    covers="q-independent",
    reads={"q": "split"},
    domain={
        p: reals(Fraction(1, 2), 1, low_open=True, high_open=True),
        x: reals(0, low_open=True),
        m: integers(2),
    },
    where=sp.Le(sp.exp(2 * x) * (1 - p), 3 * p - 1),
    grid={
        "smoke": [
            {p: Fraction(69, 100), x: Fraction(61, 100), m: 3},
            {p: Fraction(3, 5), x: Fraction(17, 50), m: 2},
            {p: Fraction(9, 10), x: Fraction(1, 2), m: 2},
        ],
        "standard": [
            {p: Fraction(i, 20), x: Fraction(1, j), m: n}
            for i, j in ((12, 3), (14, 2), (18, 1), (19, 1))
            for n in (2, 3, 5)
        ],
    },
    closed_form=COLLAPSED,
    relation=minimises(),
    legs=[
        attained(collapsed, instances=DRAWN),
        certificate(dual, instances=DRAWN),
        leg(
            "bounds from drawn codes",
            bound_from,
            relation=at_most(),
            instances=DRAWN,
            required=False,
        ),
        search(loss_of, name="drawn codes", instances=DRAWN),
        search(moved_apart, name="light codes moved apart", instances=DRAWN),
        leg(
            "how far apart",
            between_the_turned,
            relation=equals(),
            required=False,
            unit=1,
            closed_form=sp.Matrix([sp.Rational(1, 4), 0]),
            instances=DRAWN,
            lhs=r"(s_1-s_2,\ q_1s_1+q_2s_2)",
            tex=r"(\tfrac14,\ 0)",
        ),
    ],
    rivals=[
        variant(
            "all light codes at right angles to the heavy one",
            closed_form=sp.log(2) * (p**2 + (1 - p) ** 2)
            + 2 * p * (1 - p) * sp.log(1 + sp.exp(-x)),
        ),
        variant(
            "losses of drawn codes as bounds", simulation=loss_of, leg="bounds from drawn codes"
        ),
        variant("not moved", closed_form=sp.Matrix([0, 0]), leg="how far apart"),
        variant("of equal masses", simulation=between_even_ones, leg="how far apart"),
        variant("P[z = z^-] ell(0)", closed_form=(p**2 + (1 - p) ** 2) * sp.log(2)),
    ],
    assumes=[
        hypothesis(
            "B^2 is below the threshold",
            without=[{p: Fraction(3, 5), x: 1, m: 2}, {p: Fraction(3, 4), x: 2, m: 2}],
        )
    ],
)


def some_direction(rng, p, x):
    """The mass q of the first of two light atoms, and a weight for each atom."""
    q = (1 - Fraction(p)) * Fraction(int(rng.integers(1, 10)), 10)
    u, y, z = (Fraction(int(rng.integers(-6, 7)), 3) for _ in range(3))
    return {"q": q, "u": u, "y": y, "z": z}


def form_of_dual(ns, q, u, y, z, p, x, sign=-1):
    """The form of Lambda at (u, y, z), for masses p, q, 1 - p - q at the collapsed code, and tau = 1/(1 + e^(2x)), the
    slope of a pair of opposite codes. Shapes (B,)."""
    p, x = ns.asarray(p) + 0 * q, ns.asarray(x)
    law = ns.stack([p, q, 1 - p - q], axis=1)
    units = ns.asarray([[[1, 0], [sign, 0], [sign, 0]]])
    v = ns.stack([u, y, z], axis=1)
    value = ns.sum(v[:, :, None] * dual_matrix(ns, law, x, units) * v[:, None, :], axis=(1, 2))
    return {"value": value, "tau": ns.sigmoid(-2 * x) + 0 * q}


VALUES = ((0, 0), (1, 0), (1, 1))
"""(z_1, z_2) of the heavy atom and of two light ones."""


def told_apart(ns, p, x, heavy=0):
    """|v - w|^2/B^2 at the collapsed code for the two values that differ in z_1 only, and for those that differ in z_2
    only. Shape (2,)."""
    units = ns.asarray([[1, 0] if a == heavy else [-1, 0] for a in range(len(VALUES))])
    found = []
    for i in (0, 1):
        first, second = next(
            (a, b)
            for a, b in itertools.combinations(range(len(VALUES)), 2)
            if VALUES[a][i] != VALUES[b][i] and VALUES[a][1 - i] == VALUES[b][1 - i]
        )
        found.append(ns.sum((units[first] - units[second]) ** 2))
    return ns.stack(found, axis=0)


def told_apart_by_middle(ns, p, x):
    """With (1, 0) as the heavy one, whose collapsed code tells z_2 apart as well."""
    return told_apart(ns, p, x, heavy=1)


def at_equal_codes(ns, q, u, y, z, p, x):
    """At the code that is constant."""
    return form_of_dual(ns, q, u, y, z, p, x, sign=1)


tau, u, y, z = sp.symbols("tau u y z", real=True)
light = q * y + (1 - p - q) * z
FORM = (
    p * tau * (1 - p) * u**2
    + 2 * p * tau * u * light
    + light**2 / 2
    - ((1 - p) / 2 - p * tau) * (q * y**2 + (1 - p - q) * z**2)
)
OVER = ["p in (1/2, 1)", "q in (0, 1 - p)"]
REALS = ["u in R", "y in R", "z in R"]
DUAL = formula_leg(
    "dual form below",
    typed(f"{FORM} >= 0", over=[*OVER, "tau in [(1 - p)/(2*p), 1/2]", *REALS]),
    over="B optimum",
)
SQUARES = formula_leg(
    "dual form as squares",
    typed(
        f"{FORM} == p*tau*(1 - p)*(u + (q*y + (1 - p - q)*z)/(1 - p))**2"
        " + (p*tau - (1 - p)/2)*q*(1 - p - q)/(1 - p)*(y - z)**2",
        over=[*OVER, "tau in (0, 1/2]", *REALS],
    ),
)
ESCAPE = formula_leg(
    "dual form above",
    typed(
        f"{FORM.subs({u: 0, y: 1 - p - q, z: -q}, simultaneous=True)} < 0",
        over=[*OVER, "tau in (0, (1 - p)/(2*p))"],
    ),
)
BELOW = formula_leg(
    "mu below the threshold",
    typed(
        f"(1 - p)/2 - p/(1 + exp(2*({THRESHOLD} - h))) <= 0",
        over=["p in (1/2, 1)", "h in [0, oo)", "q in (0, 1 - p)"],
    ),
)
ABOVE = formula_leg(
    "mu above the threshold",
    typed(
        f"(1 - p)/2 - p/(1 + exp(2*({THRESHOLD} + h))) > 0",
        over=["p in (1/2, 1)", "h in (0, oo)", "q in (0, 1 - p)"],
    ),
)
LIGHT = formula_leg(
    "mu for p up to 1/2",
    typed(
        "(1 - p)/2 - p/(1 + exp(2*x)) > 0",
        over=["p in (0, 1/2]", "x in (0, oo)", "q in (0, 1 - p)"],
    ),
)
TANGENT = formula_leg(
    "tangent",
    typed(
        "log(1 + exp(-(t + h))) - log(1 + exp(-t)) + h/(1 + exp(t)) >= 0",
        over=["t in R", "h in R", "p in (1/2, 1)", "q in (0, 1 - p)"],
    ),
)
STRICTLY = formula_leg(
    "strictly convex",
    typed(
        "log(1 + exp(-(t - h))) + log(1 + exp(-(t + h))) > 2*log(1 + exp(-t))",
        over=["t in R", "h in (0, oo)", "p in (1/2, 1)", "q in (0, 1 - p)"],
    ),
)

threshold = claim(
    "contrastive-heavy-atom",
    title="The exact threshold",
    says=r"Of the atoms $(0,0)$, of mass $p$, $(1,0)$ and $(1,1)$ the collapsed code tells $z_1$ apart and not $z_2$; "
    r"$\Lambda$ is positive semidefinite there for $B^2 \le \frac12 \ln\frac{3p - 1}{1 - p}$, and negative in the "
    "direction that moves the light codes apart beyond.",
    covers="threshold q-independent",
    lhs=r"v^\top\Lambda v",
    domain={p: reals(Fraction(1, 2), 1, low_open=True, high_open=True), x: reals(0, low_open=True)},
    grid={
        "smoke": [{p: Fraction(69, 100), x: Fraction(61, 100)}, {p: Fraction(3, 5), x: 2}],
        "standard": [{p: Fraction(i, 20), x: s} for i in (11, 15, 19) for s in (Fraction(1, 5), 1)],
    },
    closed_form=FORM,
    legs=[
        leg(
            "dual matrix",
            form_of_dual,
            observed=["tau"],
            required=False,
            unit=1,
            instances=instances(some_direction, "q u y z", smoke=4, standard=8),
        ),
        leg(
            "what the collapsed code tells apart",
            told_apart,
            required=False,
            unit=1,
            closed_form=sp.Matrix([4, 0]),
            lhs=r"(|v_{00}-v_{10}|^2,\ |v_{10}-v_{11}|^2)/B^2",
            tex="(4,\\ 0)",
        ),
        DUAL,
        SQUARES,
        ESCAPE,
        BELOW,
        ABOVE,
        LIGHT,
        TANGENT,
        STRICTLY,
    ],
    rivals=[
        variant("more", closed_form=FORM + u**2 + y**2 + z**2, leg="dual matrix"),
        variant("less", closed_form=FORM - u**2 - y**2 - z**2, leg="dual matrix"),
        variant("at the constant code", simulation=at_equal_codes, leg="dual matrix"),
        variant(
            "the heavy atom is (1, 0)",
            simulation=told_apart_by_middle,
            leg="what the collapsed code tells apart",
        ),
        *(
            variant(f"as if no {name}", closed_form=FORM + square, leg="dual matrix")
            for name, square in (("u", u**2), ("difference", (y - z) ** 2), ("mean", light**2))
        ),
        variant(
            "as if q were half of the light mass",
            closed_form=FORM.subs(q, (1 - p) / 2),
            leg="dual matrix",
        ),
        variant("tau for 1/2", closed_form=FORM.subs(tau, sp.Rational(1, 2)), leg="dual matrix"),
        *rivals_of(DUAL, {"tau below": {"over": [*OVER, "tau in [(1 - p)/(4*p), 1/2]", *REALS]}}),
        *rivals_of(
            SQUARES,
            {
                "without the mean": f"{FORM} == p*tau*(1 - p)*u**2 + "
                f"(p*tau - (1 - p)/2)*q*(1 - p - q)/(1 - p)*(y - z)**2"
            },
        ),
        *rivals_of(ESCAPE, {"tau up to 1/2": {"over": [*OVER, "tau in (0, 1/2)"]}}),
        *rivals_of(
            BELOW,
            {
                "without 1/2": "(1 - p)/2 - p/(1 + exp(2*(log((3*p - 1)/(1 - p)) - h))) <= 0",
                "atanh(p)": "(1 - p)/2 - p/(1 + exp(2*(atanh(p) - h))) <= 0",
                "strictly, at the threshold as well": f"(1 - p)/2 - p/(1 + exp(2*({THRESHOLD} - h))) < 0",
            },
        ),
        *reaching(ABOVE, "h > 100 and p > 99/100"),
        *reaching(LIGHT, "x > 100 and p == 1/2"),
        *reaching(BELOW, "h > 100 and p > 99/100", "h == 0"),
        *reaching(TANGENT, "t > 100 and h < -100", "t < -100 and h > 100"),
        *reaching(STRICTLY, "t < -100 and h > 100", "t > 100 and h < 1/100"),
        *rivals_of(
            ABOVE,
            {
                "(1/2) ln(p/(1 - p)), of e^-t": "(1 - p)/2 - p/(1 + exp(2*(log(p/(1 - p))/2 + h))) > 0"
            },
        ),
        *rivals_of(
            LIGHT, {"p up to 3/5": {"over": ["p in (0, 3/5]", "x in (0, oo)", "q in (0, 1 - p)"]}}
        ),
        *rivals_of(TANGENT, {"slope -1/2": "log(1 + exp(-(t + h))) - log(1 + exp(-t)) + h/2 >= 0"}),
        *rivals_of(
            STRICTLY,
            {
                "by h^2/100": "log(1 + exp(-(t - h))) + log(1 + exp(-(t + h))) > 2*log(1 + exp(-t)) + h**2/100"
            },
        ),
    ],
)
