"""Theorem 7.2(2): the least norm at which a feature is encoded, and its probability (derived).

Setting. As in `heavy_atom`: an atom of mass p, light atoms of masses q and 1 - p - q that differ in z_2, another law of
masses r and s. Between codes of the light atoms the second order of the loss is linear in the slope tau of a pair of
the heavy and a light one: where it changes its sign is the least norm at which z_2 is encoded.

Statements. (3) there: the least norm rises with the heavy mass, whatever p_2 does; with one light mass held it falls
as p_2 rises.

Reference: derived from Theorem 7.2(2) = F.2(2), lines 1989-1993 and 9505-9543.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    claim,
    formula,
    formula_leg,
    leg,
    reaching,
    reals,
    rivals_of,
    typed,
    variant,
)

from .heavy_atom import THRESHOLD, form_of_dual

p, q = sp.symbols("p q", positive=True)
r, s = sp.symbols("r s", positive=True)
LAWS = ["p in (1/2, 1)", "q in (0, 1 - p)", "r in (1/2, 1)", "s in (0, 1 - r)"]
P_2 = 2 * q * (1 - p - q)
"""The probability of a pair that differs in z_2 only, of the light masses q and 1 - p - q."""
OTHER = THRESHOLD.subs(p, r)
"""The threshold of the law of masses r and s."""
RISES = f"{P_2} < {P_2.subs({p: r, q: s}, simultaneous=True)}"


def differ_in_second(p, q):
    """P[z_R and z_R^- differ in z_2 and nowhere else], over the pairs of values. Shape ()."""
    law = {(0, 0): p, (1, 0): q, (1, 1): 1 - p - q}
    return sum(law[v] * law[w] for v in law for w in law if v[0] == w[0] and v[1] != w[1])


def differ_in_first(p, q):
    """In z_1 and nowhere else."""
    law = {(0, 0): p, (1, 0): q, (1, 1): 1 - p - q}
    return sum(law[v] * law[w] for v in law for w in law if v[1] == w[1] and v[0] != w[0])


order_printed = formula(
    "contrastive-threshold-order",
    states="contrastive-encoding-threshold",
    title="The least norm falls when $p_i$ rises",
    says=f"{THRESHOLD} >= {OTHER}",
    over=LAWS,
    where=RISES,
    expect="fail",
    covers="monotone-minimal",
    reads={"law": "p q r s", "i": "q", "j": "s"},
)

ORDERED = ["p in (1/2, 1)", "q in (0, 1 - p)", "r in (p, 1)", "s in (0, 1 - r)"]
APART = OTHER - THRESHOLD


def least_norm(ns, p, q, heavy=True):
    """B^2 at which moving the light codes apart begins to pay: where the form of Lambda in that direction, linear in
    tau, is 0, from its values at two norms. Without ``heavy`` q and p are exchanged. Shape ()."""
    p, q = ((v if heavy else w) + 0 * ns.ones((1,)) for v, w in ((p, q), (q, p)))
    forms = [form_of_dual(ns, q, 0 * q, 1 - p - q, -q, p, x) for x in (1, 2)]
    (one, two), (tau, less) = ([form[name] for form in forms] for name in ("value", "tau"))
    root = tau - one * (less - tau) / (two - one)
    return ns.log(1 / root - 1)[0] / 2


def least_norm_of(ns, p, q):
    """Shape ()."""
    return least_norm(ns, ns.asarray(p), ns.asarray(q))


def least_norm_exchanged(ns, p, q):
    return least_norm(ns, ns.asarray(p), ns.asarray(q), heavy=False)


def between_laws(ns, p, q, r, s):
    """How far the least norm of the law of masses r and s is above that of p and q. Shape ()."""
    return least_norm(ns, ns.asarray(r), ns.asarray(s)) - least_norm(
        ns, ns.asarray(p), ns.asarray(q)
    )


def between_laws_back(ns, p, q, r, s):
    return between_laws(ns, r, s, p, q)


ORDER = formula_leg("rises with p", typed(f"{APART} > 0", over=ORDERED))
AT_THRESHOLD = formula_leg(
    "mu at the threshold",
    typed(
        f"(1 - p)/2 - p/(1 + exp(2*({THRESHOLD}))) == 0", over=["p in (1/2, 1)", "q in (0, 1 - p)"]
    ),
    over="i j",
)
LIGHTER = formula_leg(
    "no threshold for p up to 1/2",
    typed(f"Max(0, {THRESHOLD}) == 0", over=["p in (1/3, 1/2]", "q in (0, 1 - p)"]),
    over="i j",
)

order = claim(
    "contrastive-threshold-order-corrected",
    states="contrastive-encoding-threshold",
    title="The least norm rises with the heavy mass, whatever $p_2$",
    says=r"Of two laws that of the larger heavy mass has the larger threshold, how ever the light mass is split.",
    role="corrected",
    corrects="contrastive-threshold-order",
    covers="monotone-minimal",
    reads={"law": "p q r s", "i": "q", "j": "s"},
    domain={
        p: reals(Fraction(1, 2), 1, low_open=True, high_open=True),
        q: reals(0, low_open=True),
        r: reals(Fraction(1, 2), 1, low_open=True, high_open=True),
        s: reals(0, low_open=True),
    },
    where=sp.And(sp.Lt(q, 1 - p), sp.Lt(p, r), sp.Lt(s, 1 - r)),
    grid={
        "smoke": [
            {p: Fraction(3, 5), q: Fraction(1, 10), r: Fraction(7, 10), s: Fraction(1, 5)},
            {p: Fraction(11, 20), q: Fraction(9, 40), r: Fraction(9, 10), s: Fraction(1, 50)},
        ]
    },
    lhs=r"B_2^2(r,s)-B_2^2(p,q)",
    tex=r"\tfrac12\ln\tfrac{3r-1}{1-r}-\tfrac12\ln\tfrac{3p-1}{1-p}",
    closed_form=APART,
    legs=[
        leg("where moving apart begins to pay", between_laws, required=False, unit=1),
        ORDER,
        AT_THRESHOLD,
        LIGHTER,
    ],
    rivals=[
        variant("falls", simulation=between_laws_back, leg="where moving apart begins to pay"),
        variant("twice as far", closed_form=2 * APART, leg="where moving apart begins to pay"),
        variant(
            "(1/2) ln(p/(1 - p)), of e^-t",
            closed_form=sp.log(r / (1 - r)) / 2 - sp.log(p / (1 - p)) / 2,
            leg="where moving apart begins to pay",
        ),
        *rivals_of(
            ORDER,
            {
                "whenever p_2 rises": {"over": LAWS, "where": RISES},
                "by 1/100": f"{APART} > 1/100",
            },
        ),
        *rivals_of(
            AT_THRESHOLD,
            {"without 1/2": f"(1 - p)/2 - p/(1 + exp(4*({THRESHOLD}))) == 0"},
        ),
        *rivals_of(LIGHTER, {"p up to 3/5": {"over": ["p in (1/3, 3/5]", "q in (0, 1 - p)"]}}),
        *reaching(ORDER, "p > 99/100", "r > 99/100 and p < 51/100"),
    ],
)

# Where one light mass is held fixed p_2 and the least norm do go opposite ways, as printed.
FIXED = formula_leg(
    "one light mass held",
    typed(
        f"{-APART} >= 0",
        over=["p in (1/2, 1)", "r in (1/2, 1)", "q in (0, Min(1 - p, 1 - r))"],
        where=f"{P_2} < {P_2.subs(p, r)}",
    ),
)

held = claim(
    "contrastive-threshold-order-held",
    states="contrastive-encoding-threshold",
    title="With one light mass held the least norm falls when $p_2$ rises",
    says="$p_2 = 2 q (1 - p - q)$, and of two laws of the same $q$ the one of the larger $p_2$ has the lower "
    "threshold.",
    role="derived",
    lhs=r"p_2",
    tex=r"2q(1-p-q)",
    domain={p: reals(Fraction(1, 2), 1, low_open=True, high_open=True), q: reals(0, low_open=True)},
    where=sp.Lt(q, 1 - p),
    grid={
        "smoke": [
            {p: Fraction(3, 5), q: Fraction(1, 10)},
            {p: Fraction(2, 3), q: Fraction(1, 4)},
            {p: Fraction(69, 100), q: Fraction(3, 10)},
        ]
    },
    closed_form=P_2,
    legs=[
        leg("pairs of values", differ_in_second),
        leg(
            "least norm",
            least_norm_of,
            closed_form=THRESHOLD,
            unit=1,
            lhs="B_2^2",
            tex=r"\tfrac12\ln\tfrac{3p-1}{1-p}",
        ),
        FIXED,
    ],
    rivals=[
        variant("2 q (1 - q)", closed_form=2 * q * (1 - q), leg="pairs of values"),
        variant("twice as large", closed_form=2 * THRESHOLD, leg="least norm"),
        variant("p_1", simulation=differ_in_first, leg="pairs of values"),
        *rivals_of(FIXED, {"of any two light masses": {"over": LAWS, "where": RISES}}),
    ],
)
