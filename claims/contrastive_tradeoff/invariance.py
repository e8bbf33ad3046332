"""Theorem 7.2(1): spurious coordinates are not encoded.

Setting. |phi(x)| = B for all x, ell convex, decreasing, bounded below; p_a, q_u the laws of z_R and z_U, finitely
many values. The printed bound is evaluated at the conditional mean, whose norm is below B: outside of the class.

Statements. Draw a value u(a) of z_U for every value a of z_R, independently, and set f(a) = phi(a, u(a)). (1) On
average over these selections the loss of f is at most that of phi. Pairs a != b: the argument h^T h+ - h^T h- of
phi becomes B^2 - h^T h-, with the same law of h and h-, and h^T h+ = B^2 - |h - h+|^2/2. Pairs a = b: the argument
of phi has mean 0, that of f is 0, and ell is convex. Both sides are linear in ell, and an ell that is convex,
non-increasing and bounded below is a constant and a mixture of hinges (c - t)_+: the hinges are enough, for all c.
(2) If ell strictly decreases, hinges with c > 2 B^2 have weight; they gain |h - h+|^2/2 on every pair a != b, so
that phi(a, .) is constant at every optimum wherever p_a < 1. (3) A hinge has other optima:
`hinge_optima`.

The losses are enumerated for hinges and for shifted logistic losses, on tables that are drawn; the formula legs hold
the inequalities behind it for the whole domain.

Reference: Theorem 7.2(1) = F.2(1), lines 1976-1991 and 9488-9506.
"""

from __future__ import annotations

import itertools
from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_most,
    claim,
    equals,
    formula_leg,
    instances,
    integers,
    leg,
    reals,
    rivals_of,
    simplex,
    typed,
    variant,
)

from ._views import code_loss, contrastive_loss

n_R, n_U, k = sp.symbols("n_R n_U k", integer=True, positive=True)
c, B, D, t = sp.symbols("c B D t", real=True)


def hinge_at(c):
    """(c - t)_+ for thresholds c (B,)."""

    def ell(ns, t):
        return ns.relu(c[(slice(None), *[None] * (len(t.shape) - 1))] - t)

    return ell


def on_sphere(rng, n_R, n_U, k):
    """Uneven laws, codes of length B, a threshold c on either side of 2 B^2."""
    p, q = ([int(rng.integers(1, 8)) for _ in range(n)] for n in (n_R, n_U))
    B = Fraction(int(rng.integers(2, 6)), 2)
    phi = [[[B * x for x in rng.orthogonal_rational(k)[0]] for _ in range(n_U)] for _ in range(n_R)]
    return {
        "p": [Fraction(x, sum(p)) for x in p],
        "q": [Fraction(x, sum(q)) for x in q],
        "phi": phi,
        "c": B * B * Fraction(int(rng.integers(-4, 10)), 4),
        "B": B,
    }


def loss(ns, p, q, phi, c):
    """Shape (B,)."""
    return contrastive_loss(ns, p, q, phi, hinge_at(c))


def selected(ns, p, q, phi, ell, n_R, n_U):
    """Mean of the loss of f over all selections u. Shape (B,)."""
    total = 0 * p[:, 0]
    for chosen in itertools.product(range(n_U), repeat=n_R):
        codes = ns.stack([phi[:, a, u] for a, u in enumerate(chosen)], axis=1)
        weight = 1 + 0 * p[:, 0]
        for u in chosen:
            weight = weight * q[:, u]
        total = total + weight * code_loss(ns, p, codes, ell)
    return total


def by_pairs_of_values(ns, p, q, phi, ell, one_draw=False):
    """The same, pair by pair: ell(0) for a value with itself, and else the mean over both values of z_U, or over one
    for both. Shape (B,)."""
    zero = 0 * p[:, 0]
    total = zero
    for a in range(phi.shape[1]):
        for b in range(phi.shape[1]):
            found = ell(ns, zero) if a == b else zero
            for u in range(phi.shape[2]) if a != b else ():
                for v in (u,) if one_draw else range(phi.shape[2]):
                    h, minus = phi[:, a, u], phi[:, b, v]
                    gap = ns.sum(h * h, axis=1) - ns.sum(h * minus, axis=1)
                    found = found + q[:, u] * (1 if one_draw else q[:, v]) * ell(ns, gap)
            total = total + p[:, a] * p[:, b] * found
    return total


def hinge_by_pairs(ns, p, q, phi, c):
    return by_pairs_of_values(ns, p, q, phi, hinge_at(c))


def hinge_of_one_draw(ns, p, q, phi, c, n_R, n_U):
    """With one value of z_U for all values of z_R."""
    return by_pairs_of_values(ns, p, q, phi, hinge_at(c), one_draw=True)


def linear_at(c):
    """c - t, the same without its corner."""

    def ell(ns, t):
        return c[(slice(None), *[None] * (len(t.shape) - 1))] - t

    return ell


def without_corner(ns, p, q, phi, c):
    return by_pairs_of_values(ns, p, q, phi, linear_at(c))


def of_even_laws(ns, p, q, phi, c):
    """As if the values of z_U were equally likely."""
    return hinge_by_pairs(ns, p, 0 * q + ns.mean(q, axis=1)[:, None], phi, c)


def of_even_values(ns, p, q, phi, c):
    """As if those of z_R were."""
    return hinge_by_pairs(ns, 0 * p + ns.mean(p, axis=1)[:, None], q, phi, c)


def over_selections(ns, p, q, phi, c, n_R, n_U):
    return selected(ns, p, q, phi, hinge_at(c), n_R, n_U)


def logistic_at(c):
    """log(1 + e^(c - t)) for c (B,)."""

    def ell(ns, t):
        return ns.softplus(c[(slice(None), *[None] * (len(t.shape) - 1))] - t)

    return ell


def logistic_selected(ns, p, q, phi, c, n_R, n_U):
    return selected(ns, p, q, phi, logistic_at(c), n_R, n_U)


def logistic_by_pairs(ns, p, q, phi, c):
    return by_pairs_of_values(ns, p, q, phi, logistic_at(c))


def logistic_of_one_draw(ns, p, q, phi, c, n_R, n_U):
    return by_pairs_of_values(ns, p, q, phi, logistic_at(c), one_draw=True)


def gain_of_selecting(ns, p, q, phi, c, n_R, n_U):
    """The logistic loss of phi less the mean over all selections. Shape (B,)."""
    ell = logistic_at(c)
    return contrastive_loss(ns, p, q, phi, ell) - selected(ns, p, q, phi, ell, n_R, n_U)


def squared_lengths(ns, p, q, phi, c, B):
    """Of all codes. Shape (B, n_R, n_U)."""
    return ns.sum(phi * phi, axis=-1)


def square_of_B(ns, p, q, phi, c, B):
    return (B * B)[:, None, None] + 0 * phi[..., 0]


def B_itself(ns, p, q, phi, c, B):
    return B[:, None, None] + 0 * phi[..., 0]


def best_selection(ns, p, q, phi, c, n_R, n_U):
    """Least loss of f over all selections u. Shape (B,)."""
    losses = []
    for chosen in itertools.product(range(n_U), repeat=n_R):
        codes = ns.stack([phi[:, a, u] for a, u in enumerate(chosen)], axis=1)
        losses.append(code_loss(ns, p, codes, hinge_at(c)))
    return ns.min(ns.stack(losses, axis=0), axis=0)


def best_by_pairs(ns, p, q, phi, c):
    """The same, pair by pair of values of z_R, one code after the other. Shape (B,)."""
    n_R, n_U = phi.shape[1:3]
    ell, best = hinge_at(c), None
    for code in range(n_U**n_R):
        chosen = [phi[:, a, code // n_U**a % n_U] for a in range(n_R)]
        found = 0 * c
        for a, h in enumerate(chosen):
            for b, minus in enumerate(chosen):
                gap = ns.sum(h * h, axis=1) - ns.sum(h * minus, axis=1)
                found = found + p[:, a] * p[:, b] * ell(ns, gap)
        best = found if best is None else ns.minimum(best, found)
    return best


def best_of_one_draw(ns, p, q, phi, c):
    """Least loss over the selections of one value of z_U for all values of z_R. Shape (B,)."""
    losses = [code_loss(ns, p, phi[:, :, u], hinge_at(c)) for u in range(phi.shape[2])]
    return ns.min(ns.stack(losses, axis=0), axis=0)


def at_means(ns, p, q, phi, c):
    """The loss of the conditional means, which are shorter than B."""
    return code_loss(ns, p, ns.einsum("zu,zauk->zak", q, phi), hinge_at(c))


def half_of_loss(ns, p, q, phi, c):
    return loss(ns, p, q, phi, c) / 2


def of_increasing(ns, p, q, phi, c):
    """The loss for (c + t)_+."""
    return contrastive_loss(ns, p, q, -1 * phi, lambda ns, t: hinge_at(c)(ns, -t))


def selected_increasing(ns, p, q, phi, c, n_R, n_U):
    return selected(ns, p, q, phi, lambda ns, t: hinge_at(c)(ns, -t), n_R, n_U)


DRAWN = instances(
    on_sphere,
    {
        "p": simplex(n_R, positive=True),
        "q": simplex(n_U, positive=True),
        "phi": None,
        "c": reals(),
        "B": None,
    },
    smoke=4,
    standard=10,
)


def apart(rng, n_R, n_U, k):
    """The same, the codes of z_R's first value opposite for the first two values of z_U."""
    drawn = on_sphere(rng, n_R, n_U, k)
    first = drawn["phi"][0]
    return {**drawn, "phi": [[first[0], [-x for x in first[0]], *first[2:]], *drawn["phi"][1:]]}


APART_FIELDS = instances(
    apart,
    {
        "p": simplex(n_R, positive=True),
        "q": simplex(n_U, positive=True),
        "phi": None,
        "c": reals(),
        "B": None,
    },
    smoke=3,
    standard=6,
)


def already_invariant(rng, n_R, n_U, k):
    """The same with codes that depend on z_R only."""
    drawn = on_sphere(rng, n_R, n_U, k)
    return {**drawn, "phi": [[row[0]] * n_U for row in drawn["phi"]]}


def alike_first(rng, n_R, n_U, k):
    """Codes that are the same for every z_R at the first z_U and differ at the others, p and q uniform, c = 2 B^2: the
    first selection tells nothing apart."""
    drawn = on_sphere(rng, n_R, n_U, k)
    B = 2
    phi = [[[B * (-1) ** (a * (u > 0))] + [0] * (k - 1) for u in range(n_U)] for a in range(n_R)]
    uniform = {"p": [Fraction(1, n_R)] * n_R, "q": [Fraction(1, n_U)] * n_U}
    return {**drawn, **uniform, "phi": phi, "c": 2 * B * B}


def turned_against(rng, n_R, n_U, k):
    """Uniform laws, codes at small angles +-e from the first axis and -+e from the second one, c = B^2: one value of
    z_U for both values of z_R does worse than phi."""
    drawn = on_sphere(rng, n_R, n_U, k)
    t, B = Fraction(1, int(rng.integers(12, 30))), drawn["B"]
    c, s = B * (1 - t * t) / (1 + t * t), B * 2 * t / (1 + t * t)
    half = [Fraction(1, 2)] * 2
    phi = [[[c, s], [c, -s]], [[s, c], [-s, c]]]
    return {**drawn, "p": half, "q": half, "phi": phi, "c": B * B}


INVARIANT = instances(already_invariant, "p q phi c B", smoke=2, standard=4)
SIZES = {
    "domain": {n_R: integers(1), n_U: integers(1), k: integers(2)},
    "grid": {
        "smoke": [{n_R: 2, n_U: 2, k: 2}, {n_R: 3, n_U: 2, k: 3}],
        "standard": {n_R: [1, 2, 3], n_U: [2, 3], k: [2, 3]},
    },
}

# |h - h+|^2/2 = D >= 0, h^T h- = t.
APART = formula_leg(
    "values apart",
    typed(
        "Max(0, c - (B**2 - t)) <= Max(0, c - (B**2 - D - t))",
        over=["c in R", "B in (0, oo)", "t in R", "D in [0, oo)"],
    ),
    over="h",
)
EQUAL_BELOW = formula_leg(
    "equal values, c <= 0", typed("Max(0, c - t) >= Max(0, c)", over=["c in (-oo, 0]", "t in R"])
)
EQUAL_ABOVE = formula_leg(
    "equal values, c > 0", typed("Max(0, c - t) >= Max(0, c) - t", over=["c in (0, oo)", "t in R"])
)


def triple_of_views(ns, phi, c, n_R, n_U, k, minus=1):
    """(c - h^T (h+ - h-))_+ for three drawn codes of two values of z_R, and what the formulas read off them: D = |h -
    h+|^2/2 and t = h^T h-. Shapes (B,)."""
    h, plus, other = phi[:, 0, 0], phi[:, 0, -1], phi[:, -1, -1]
    return {
        "value": ns.relu(c - ns.sum(h * (plus - minus * other), axis=1)),
        "D": ns.sum((h - plus) ** 2, axis=1) / 2,
        "t": ns.sum(h * other, axis=1),
    }


def triple_without_minus(ns, phi, c, n_R, n_U, k):
    return triple_of_views(ns, phi, c, n_R, n_U, k, minus=0)


PAIR = sp.Max(0, c - (B**2 - D - t))


def triple(drawn):
    """The leg that ties the formulas' B, D and t to the codes that are drawn."""
    return leg(
        "one triple of views",
        triple_of_views,
        arithmetic="rational",
        observed=["D", "t"],
        closed_form=PAIR,
        relation=equals(),
        unit=1,
        required=False,
        instances=drawn,
        lhs=r"(c-h^\top(h^+-h^-))_+",
        tex=r"(c-(B^2-D-t))_+",
    )


def triple_rival():
    return variant(
        "without the negative view", simulation=triple_without_minus, leg="one triple of views"
    )


def opposite_codes(ns, n_R, n_U, k, own=False):
    """Loss at c = 0 of one z_R and the codes 2, -2 of two equally likely z_U: phi(x)(phi(x+) - phi(x-)) = -8 for two
    of the eight triples of signs. ``own``: the negative view has the z_U of the positive one. Shape ()."""
    phi = ns.asarray([[[[2], [-2]]]])
    if own:
        return ns.sum(0 * phi)
    one, half = ns.asarray([[1]]), ns.asarray([[Fraction(1, 2)] * 2])
    return contrastive_loss(ns, one, half, phi, hinge_at(ns.asarray([0])))[0]


def with_shared_private_part(ns, n_R, n_U, k):
    return opposite_codes(ns, n_R, n_U, k, own=True)


selection = claim(
    "contrastive-selection",
    lhs=r"\mathbb E_u\,\mathrm{loss}(f_u)",
    tex=r"\mathrm{loss}(\phi)",
    states="contrastive-invariance",
    title="Selecting one value of $z_U$ for each value of $z_R$",
    says=r"On average over independent selections the loss is at most that of $\phi$, for every "
    "hinge $(c - t)_+$.",
    covers="selection-inequality",
    reads={"h": "phi", "ell": "c"},
    relation=at_most(),
    legs=[
        leg(
            "enumeration",
            over_selections,
            arithmetic="rational",
            reference=loss,
            required=False,
            instances=DRAWN,
        ),
        leg(
            "already invariant",
            over_selections,
            arithmetic="rational",
            reference=loss,
            relation=equals(),
            required=False,
            instances=INVARIANT,
        ),
        triple(DRAWN),
        leg(
            "turned against each other",
            over_selections,
            arithmetic="rational",
            reference=loss,
            required=False,
            grid={"smoke": [{n_R: 2, n_U: 2, k: 2}]},
            where=(sp.Eq(n_R, 2), sp.Eq(n_U, 2), sp.Eq(k, 2)),
            instances=instances(turned_against, "p q phi c B", smoke=2),
        ),
        leg(
            "pair by pair",
            over_selections,
            arithmetic="rational",
            reference=hinge_by_pairs,
            relation=equals(),
            required=False,
            lhs=r"\mathbb E_u\,\mathrm{loss}(f_u)",
            tex=r"\sum_{a\ne b}p_ap_b\mathbb E_{u,v}\ell(B^2-h_{a,u}^\top h_{b,v})+\sum_ap_a^2\ell(0)",
            instances=DRAWN,
        ),
        leg(
            "norm B",
            squared_lengths,
            arithmetic="rational",
            reference=square_of_B,
            relation=equals(),
            required=False,
            instances=DRAWN,
            lhs=r"|\phi|^2",
            tex="B^2",
        ),
        leg(
            "an independent negative view",
            opposite_codes,
            arithmetic="rational",
            closed_form=sp.Integer(2),
            relation=equals(),
            required=False,
            unit=1,
            lhs=r"\mathbb E(-\phi(x)(\phi(x^+)-\phi(x^-)))_+",
            tex="8/4",
            grid={"smoke": [{n_R: 2, n_U: 2, k: 2}]},
        ),
        APART,
        EQUAL_BELOW,
        EQUAL_ABOVE,
    ],
    rivals=[
        variant(
            "the printed step: the conditional mean is no better than f",
            simulation=loss,
            reference=at_means,
            leg="enumeration",
        ),
        variant(
            "one value of z_U for all values of z_R",
            simulation=hinge_of_one_draw,
            leg="turned against each other",
        ),
        variant("one for all, pair by pair", simulation=hinge_of_one_draw, leg="pair by pair"),
        variant("no corner is met", reference=without_corner, leg="pair by pair"),
        variant("equally likely z_U", reference=of_even_laws, leg="pair by pair"),
        variant("equally likely z_R", reference=of_even_values, leg="pair by pair"),
        variant("B for its square", reference=B_itself, leg="norm B"),
        triple_rival(),
        variant(
            "a shared private part",
            simulation=with_shared_private_part,
            leg="an independent negative view",
        ),
        variant("half of it", reference=half_of_loss, leg="enumeration"),
        variant("half of an invariant one", reference=half_of_loss, leg="already invariant"),
        variant(
            "an increasing loss",
            simulation=selected_increasing,
            reference=of_increasing,
            leg="enumeration",
        ),
        *rivals_of(
            APART, {"gains D/2": "Max(0, c - (B**2 - t)) <= Max(0, c - (B**2 - D - t)) - D/2"}
        ),
        *rivals_of(EQUAL_BELOW, {"c > 0 as well": {"over": ["c in R", "t in R"]}}),
        *rivals_of(EQUAL_ABOVE, {"slope 2": "Max(0, c - t) >= Max(0, c) - 2*t"}),
    ],
    **SIZES,
)


some = claim(
    "contrastive-some-invariant",
    lhs=r"\min_u\mathrm{loss}(f_u)",
    tex=r"\mathrm{loss}(\phi)",
    states="contrastive-invariance",
    title="An optimum that depends on $z_R$ only",
    says=r"The best selection has at most the mean loss over selections, and that at most the loss of $\phi$, for "
    "every hinge, strictly decreasing or not.",
    covers="some-optimum-invariant",
    reads={"ell": "c"},
    relation=at_most(),
    legs=[
        leg(
            "best selection",
            best_selection,
            arithmetic="rational",
            reference=loss,
            instances=DRAWN,
            required=False,
            gives="phi_star",
        ),
        leg(
            "already invariant",
            best_selection,
            arithmetic="rational",
            reference=loss,
            relation=equals(),
            instances=INVARIANT,
            required=False,
            gives="phi_star",
        ),
        leg(
            "pair by pair",
            best_selection,
            arithmetic="rational",
            reference=best_by_pairs,
            relation=equals(),
            required=False,
            gives="phi_star",
            lhs=r"\min_u\mathrm{loss}(f_u)",
            tex=r"\min_u\sum_{a,b}p_ap_b\,\ell(B^2-h_{a,u(a)}^\top h_{b,u(b)})",
            instances=DRAWN,
        ),
        triple(DRAWN),
        formula_leg("the mean gains where values differ", APART.simulation),
        EQUAL_BELOW,
        EQUAL_ABOVE,
    ],
    rivals=[
        variant(
            "any selection will do",
            simulation=lambda ns, p, q, phi, c: code_loss(ns, p, phi[:, :, 0], hinge_at(c)),
            leg="best selection",
            instances=instances(alike_first, "p q phi c B", smoke=1),
        ),
        triple_rival(),
        variant(
            "the best of one value for all",
            simulation=best_of_one_draw,
            leg="pair by pair",
        ),
        variant(
            "gains D/2",
            leg="the mean gains where values differ",
            simulation=typed(
                "Max(0, c - (B**2 - t)) <= Max(0, c - (B**2 - D - t)) - D/2",
                over=APART.simulation.over,
            ),
        ),
        *rivals_of(EQUAL_BELOW, {"c > 0 as well": {"over": ["c in R", "t in R"]}}),
        *rivals_of(EQUAL_ABOVE, {"slope 2": "Max(0, c - t) >= Max(0, c) - 2*t"}),
        variant("half of it", reference=half_of_loss, leg="best selection"),
        variant("half of an invariant one", reference=half_of_loss, leg="already invariant"),
    ],
    **SIZES,
)
