r"""Definition 2.3: what complementary random masks leave of a second moment, and when both views pass a gate.

Setting. D is diagonal with independent entries that are 1 with probability p, independent of x; the views are D x/p
and (I - D) x/(1 - p), for p = 1/2 the printed 2 D x and 2 (I - D) x. S = E x x^T; nothing else of x matters.

Statements. (1) E <w, x++><x+, v> = w^T (S - diag S) v for every p: entry (k, l) of S gets E (1 - D_k) D_l/(p (1 -
p)), which is 1 for k != l and 0 for k = l. (2) Two independent masks leave w^T S v, one mask used twice w^T (S + (1/p
- 1) diag S) v. (3) For x = M z + xi with independent centred z_j of variance q, E xi xi^T = s2 I and any matrix M the
noise is gone: q w^T (M M^T - diag(M M^T)) v. (4) With the pre-activations S - B and S + B of the two views (p = 1/2,
no entry of x changed), both are at least b iff S >= b + |B|; one is at least b and the other at
most -b iff |B| >= b + |S|, for b of either sign.

Reference: lines 152-162 and 263-267.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import sympy as sp

from theorycheck import (
    claim,
    equals,
    formula_leg,
    identity_for_all,
    instances,
    integers,
    leg,
    reals,
    rivals_of,
    typed,
    variant,
)

d, d1 = sp.symbols("d d1", integer=True, positive=True)
p = sp.Symbol("p", positive=True)


def masks(ns, n, p):
    """All masks of n coordinates with their probabilities."""
    for bits in product((0, 1), repeat=n):
        chance = 1
        for bit in bits:
            chance = chance * (p if bit else 1 - p)
        yield ns.asarray(list(bits)), chance


def bilinear(ns, a, S, b):
    """a^T S b. a, b (B, n), S (B, n, n), shape (B,)."""
    return ns.einsum("zk,zk->z", a, ns.einsum("zkl,zl->zk", S, b))


def diagonal_of(ns, S):
    return ns.stack([S[:, k, k] for k in range(S.shape[1])], axis=1)


def complementary(ns, w, v, S, p):
    """E <w, (I - D) x><D x, v>/(p (1 - p)) over all masks. Shape (B,)."""
    n = w.shape[1]
    total = sum(c * bilinear(ns, w * (1 - D), S, D * v) for D, c in masks(ns, n, p))
    return total / (p * (1 - p))


def independent(ns, w, v, S, p):
    """E <w, D' x><D x, v>/p^2 over all pairs of masks. Shape (B,)."""
    n = w.shape[1]
    pairs = product(list(masks(ns, n, p)), repeat=2)
    return sum(c * e * bilinear(ns, w * D, S, F * v) for (D, c), (F, e) in pairs) / (p * p)


def same(ns, w, v, S, p):
    """E <w, D x><D x, v>/p^2. Shape (B,)."""
    n = w.shape[1]
    return sum(c * bilinear(ns, w * D, S, D * v) for D, c in masks(ns, n, p)) / (p * p)


def unnormalised(ns, w, v, S, p):
    return complementary(ns, w, v, S, p) * p * (1 - p)


def off_diagonal(ns, w, v, S, p):
    """w^T (S - diag S) v. Shape (B,)."""
    diagonal = diagonal_of(ns, S)
    return bilinear(ns, w, S, v) - ns.sum(w * diagonal * v, axis=1)


def whole(ns, w, v, S, p):
    return bilinear(ns, w, S, v)


a, c, h = sp.symbols("a c h", real=True)
APART = a - c
"""w^T (S - diag S) v, a the whole form and c that of the diagonal."""
ENLARGED = a + (1 / p - 1) * c


def forms(w, v, S):
    """a and c, and h = <w, v>."""
    n = range(len(w))
    return {
        "a": sum(w[k] * S[k][j] * v[j] for k in n for j in n),
        "c": sum(w[k] * S[k][k] * v[k] for k in n),
        "h": sum(w[k] * v[k] for k in n),
    }


def draw(rng, d1, p):
    """Two directions and the second moment of three vectors."""
    X, w, v = rng.rational((3, d1), 4), rng.rational((d1,), 4), rng.rational((d1,), 4)
    moment = [[sum(x[k] * x[j] for x in X) for j in range(d1)] for k in range(d1)]
    return {"w": w, "v": v, "S": moment, **forms(w, v, moment)}


DRAWN = instances(draw, "w v S a c h", smoke=3, standard=8)
SIZES = {
    "domain": {d1: integers(1), p: reals(0, 1, low_open=True, high_open=True)},
    "grid": {
        "smoke": [
            {d1: 1, p: Fraction(1, 2)},
            {d1: 3, p: Fraction(1, 2)},
            {d1: 2, p: Fraction(1, 5)},
        ],
        "standard": {d1: [1, 2, 4], p: [Fraction(1, 2), Fraction(3, 10), Fraction(9, 10)]},
    },
}


def shapes(d1):
    return {"w": (1, d1), "v": (1, d1), "S": (1, d1, d1), "p": ()}


def for_all_moments(d1):
    return identity_for_all(complementary, off_diagonal, shapes(d1))


def for_all_moments_whole(d1):
    return identity_for_all(complementary, whole, shapes(d1))


# what is off the diagonal has two coordinates of the mask, what is on it has one
LEFT = formula_leg(
    "off and on the diagonal",
    typed(
        f"(a - c)*E[(1 - C)/(1 - p)*B/p] + c*E[(1 - B)/(1 - p)*B/p] == {APART}",
        over=["a in R", "c in R", "p in (0, 1)", "B, C ~ Bernoulli(p)"],
    ),
    over="w v S D x",
)

decoupled = claim(
    "decoupling-random-mask",
    lhs=r"\mathbb E\langle w,x^{++}\rangle\langle x^+,v\rangle",
    tex=r"w^\top(S-\operatorname{diag}S)v",
    states="decoupling-randommask",
    title="Complementary masks remove the diagonal",
    says=r"For all $w$, $v$, $S$ and $p$, $\mathbb E\langle w,x^{++}\rangle\langle "
    r"x^+,v\rangle=w^\top(S-\operatorname{diag}S)v$.",
    covers="decoupling keep-probability",
    closed_form=APART,
    relation=equals(),
    legs=[
        leg(
            "all masks",
            complementary,
            arithmetic="rational",
            instances=DRAWN,
            required=False,
            where=d1 <= 6,
            unit=1,
        ),
        leg(
            "indeterminates",
            for_all_moments,
            arithmetic="proof",
            required=False,
            grid={"smoke": [{d1: 1}, {d1: 3}], "standard": [{d1: 1}, {d1: 3}, {d1: 4}]},
        ),
        LEFT,
    ],
    rivals=[
        variant("the whole moment", closed_form=a, leg="all masks"),
        variant("views that are not scaled", simulation=unnormalised, leg="all masks"),
        variant("independent masks", simulation=independent, leg="all masks"),
        variant("one mask for both", simulation=same, leg="all masks"),
        variant(
            "the whole moment, for indeterminates",
            leg="indeterminates",
            simulation=for_all_moments_whole,
        ),
        *rivals_of(
            LEFT,
            {
                "one factor": "(a - c)*E[(1 - C)/(1 - p)*B] + c*E[(1 - B)/(1 - p)*B/p] == a - c",
                "independent": "(a - c)*E[(1 - C)/(1 - p)*B/p] + c*E[(1 - C)/(1 - p)*B/p] == a - c",
            },
        ),
    ],
    **SIZES,
)

PAIR = formula_leg(
    "two masks", typed("E[C/p*D/p] == 1", over=["p in (0, 1)", "C, D ~ Bernoulli(p)"]), over="w v S"
)
TWICE = formula_leg(
    "the same mask",
    typed(
        f"(a - c)*E[C/p*D/p] + c*E[D/p*D/p] == {ENLARGED}",
        over=["a in R", "c in R", "p in (0, 1)", "C, D ~ Bernoulli(p)"],
    ),
    over="w v S",
)

arms = claim(
    "decoupling-other-masks",
    lhs=r"\mathbb E\langle w,x'\rangle\langle x'',v\rangle",
    states="decoupling-randommask",
    title="What two independent masks and one common mask leave",
    says=r"Independent masks leave $w^\top Sv$, one mask used twice $w^\top(S+(\frac1p-1)\operatorname{diag}S)v$.",
    role="derived",
    covers="arms",
    relation=equals(),
    legs=[
        leg(
            "independent masks",
            independent,
            arithmetic="rational",
            closed_form=a,
            instances=DRAWN,
            lhs=r"\mathbb E\langle w,x'\rangle\langle x'',v\rangle",
            tex=r"w^\top Sv",
            required=False,
            where=d1 <= 3,
            unit=1,
            grid={"smoke": [{d1: 1, p: Fraction(1, 3)}, {d1: 2, p: Fraction(1, 2)}]},
        ),
        leg(
            "one mask",
            same,
            arithmetic="rational",
            closed_form=ENLARGED,
            instances=DRAWN,
            lhs=r"\mathbb E\langle w,x^+\rangle\langle x^+,v\rangle",
            tex=r"w^\top(S+(\tfrac1p-1)\operatorname{diag}S)v",
            required=False,
            where=d1 <= 6,
            unit=1,
        ),
        PAIR,
        TWICE,
    ],
    rivals=[
        variant(
            "independent masks remove the diagonal", closed_form=APART, leg="independent masks"
        ),
        variant("diag S/p added", closed_form=a + c / p, leg="one mask"),
        variant("one mask adds nothing", closed_form=a, leg="one mask"),
        *rivals_of(PAIR, {"one factor": "E[C/p*D] == 1"}),
        *rivals_of(TWICE, {"1/p more": "(a - c)*E[C/p*D/p] + c*E[D/p*D/p] == a + c/p"}),
    ],
    **SIZES,
)


def codes(ns, d, q):
    """All codes in {-1, 0, 1}^d with their probabilities."""
    for signs in product((0, 1, -1), repeat=d):
        chance = 1
        for sign in signs:
            chance = chance * (q / 2 if sign else 1 - q)
        yield ns.asarray(list(signs)), chance


def masked_model(ns, w, v, M, q, s2):
    """E <w, 2 (I - D) x><2 D x, v> over masks and codes, the noise by its second moment. M (B, d1, d). Shape (B,)."""
    n, d = M.shape[1:]
    total = 0
    for D, chance in masks(ns, n, ns.rational(1, 2)):
        for z, weight in codes(ns, d, q):
            x = ns.einsum("zkj,j->zk", M, z)
            first = ns.sum(w * 2 * (1 - D) * x, axis=1)
            total = total + chance * weight * first * ns.sum(v * 2 * D * x, axis=1)
        total = total + chance * s2 * ns.sum(w * 2 * (1 - D) * 2 * D * v, axis=1)
    return total


def signal(ns, w, v, M, q, s2):
    """q w^T (M M^T - diag(M M^T)) v. Shape (B,)."""
    outer = ns.einsum("zkj,zlj->zkl", M, M)
    return q * off_diagonal(ns, w, v, outer, 1)


q, s2 = sp.symbols("q s2", nonnegative=True)
SIGNAL = q * (a - c)


def for_all_dictionaries(d, d1):
    return identity_for_all(
        masked_model,
        signal,
        {"w": (1, d1), "v": (1, d1), "M": (1, d1, d), "q": (), "s2": ()},
    )


def draw_model(rng, d, d1):
    w, v, M = rng.rational((d1,), 4), rng.rational((d1,), 4), rng.rational((d1, d), 4)
    outer = [[sum(x * y for x, y in zip(r, s, strict=True)) for s in M] for r in M]
    return {
        "w": w,
        "v": v,
        "M": M,
        "q": Fraction(int(rng.integers(1, 8)), 8),
        "s2": Fraction(int(rng.integers(1, 9)), 4),
        **forms(w, v, outer),
    }


# a is w^T M M^T v, c that of its diagonal; the noise s2 <w, v> = s2 h is on the diagonal
NOISE = formula_leg(
    "noise",
    typed(
        f"q*(a - c)*E[4*(1 - C)*D] + (q*c + s2*h)*E[4*(1 - D)*D] == {SIGNAL}",
        over=["a in R", "c in R", "h in R", "q in [0, 1]", "s2 >= 0", "C, D ~ Bernoulli(1/2)"],
    ),
    over="w v M sigma2",
)

noise = claim(
    "decoupling-noise-vanishes",
    lhs=r"\mathbb E\langle w,x^{++}\rangle\langle x^+,v\rangle",
    tex=r"q\,w^\top(MM^\top-\operatorname{diag}(MM^\top))v",
    states="decoupling-randommask",
    title="The dense noise drops out exactly",
    says=r"For $x=Mz+\xi$ with any $M$ it is $q\,w^\top(MM^\top-\operatorname{diag}(MM^\top))v$, whatever "
    r"$\sigma_\xi$.",
    covers="noise-vanishes",
    closed_form=SIGNAL,
    domain={d: integers(1), d1: integers(1)},
    grid={"smoke": [{d: 1, d1: 2}, {d: 2, d1: 3}], "standard": {d: [1, 2], d1: [1, 2, 3]}},
    relation=equals(),
    legs=[
        leg(
            "all masks and codes",
            masked_model,
            arithmetic="rational",
            required=False,
            unit=1,
            where=sp.And(d <= 3, d1 <= 4),
            instances=instances(draw_model, "w v M q s2 a c h", smoke=3, standard=8),
        ),
        leg(
            "indeterminates",
            for_all_dictionaries,
            arithmetic="proof",
            required=False,
            grid={"smoke": [{d: 2, d1: 2}], "standard": [{d: 2, d1: 2}, {d: 1, d1: 3}]},
        ),
        NOISE,
    ],
    rivals=[
        variant("the noise stays", closed_form=SIGNAL + s2 * h, leg="all masks and codes"),
        variant("no loss of signal", closed_form=q * a, leg="all masks and codes"),
        *rivals_of(
            NOISE,
            {
                "noise on every entry": "(q*(a - c) + s2*h)*E[4*(1 - C)*D] + (q*c + s2*h)*E[4*(1 - D)*D] == q*(a - c)"
            },
        ),
    ],
)


def passed(w, x, D, b):
    """1 if both views have <w, .> at least b, 1 if one has at least b and the other at most -b. Shape (2,)."""
    first = sum(2 * s * a * c for s, a, c in zip(D, w, x, strict=True))
    second = sum(2 * (1 - s) * a * c for s, a, c in zip(D, w, x, strict=True))
    return [
        int(first >= b and second >= b),
        int((first >= b and second <= -b) or (first <= -b and second >= b)),
    ]


def by_sums(w, x, D, b):
    """S >= b + |Sbar| and |Sbar| >= b + |S|, S = <w, x>, Sbar = <w, (I - 2 D) x>. Shape (2,)."""
    whole = sum(a * c for a, c in zip(w, x, strict=True))
    apart = sum((1 - 2 * s) * a * c for s, a, c in zip(D, w, x, strict=True))
    return [int(whole >= b + abs(apart)), int(abs(apart) >= b + abs(whole))]


def without_sizes(w, x, D, b):
    apart = sum((1 - 2 * s) * a * c for s, a, c in zip(D, w, x, strict=True))
    return [int(sum(a * c for a, c in zip(w, x, strict=True)) >= b + apart), by_sums(w, x, D, b)[1]]


def a_view(rng):
    return {
        "w": [Fraction(int(rng.integers(1, 9)), 3) for _ in range(4)],
        "x": [Fraction(int(rng.signs()) * int(rng.integers(1, 9)), 3) for _ in range(4)],
        "D": [int(rng.integers(0, 2)) for _ in range(4)],
        "b": int(rng.signs()) * Fraction(int(rng.integers(1, 99)), 7),
    }


BOTH = formula_leg(
    "both views",
    typed("Min(S - B, S + B) - b == S - (b + abs(B))", over=["S in R", "B in R", "b in R"]),
)
OPPOSITE = formula_leg(
    "opposite signs",
    typed(
        "Max(Min(S - B, -(S + B)), Min(-(S - B), S + B)) - b == abs(B) - (b + abs(S))",
        over=["S in R", "B in R", "b in R"],
    ),
)

gates = claim(
    "decoupling-gate-sets",
    lhs=r"(\mathbf 1\{u',u''\ge b\},\,\mathbf 1\{\max(u',u'')\ge b,\,\min(u',u'')\le-b\})",
    tex=r"(\mathbf 1\{S\ge b+|\bar S|\},\,\mathbf 1\{|\bar S|\ge b+|S|\})",
    states="decoupling-randommask",
    title="When both views pass the gate",
    says=r"$\min(S-\bar S,S+\bar S)=S-|\bar S|$, so both views reach $b$ iff $S\ge b+|\bar S|$; one reaches "
    r"$b$ and the other $-b$ iff $|\bar S|\ge b+|S|$.",
    role="derived",
    covers="gate-sets",
    reads={"Sbar": "B"},
    domain={},
    grid={"smoke": [{}]},
    legs=[
        leg(
            "two views",
            passed,
            reference=by_sums,
            required=False,
            unit=1,
            instances=instances(a_view, "w x D b", smoke=32, standard=64),
        ),
        BOTH,
        OPPOSITE,
    ],
    rivals=[
        variant("without the size of Sbar", reference=without_sizes, leg="two views"),
        *rivals_of(BOTH, {"S + |B|": "Min(S - B, S + B) - b == S - (b - abs(B))"}),
        *rivals_of(
            OPPOSITE,
            {
                "the two exchanged": "Max(Min(S - B, -(S + B)), Min(-(S - B), S + B)) - b == abs(S) - (b + abs(B))"
            },
        ),
    ],
)
