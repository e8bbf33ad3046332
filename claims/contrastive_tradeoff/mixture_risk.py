"""Lemma F.5 and Proposition 7.3, risk: the complexity of linear predictors on the learned features.

Setting. y = <u*, z_{R_t}>, v_1 and v_2 the squared lengths of u* on S and on P_t; the representation has weights
sqrt(alpha), sqrt(alpha_t); G ~ N(0, diag(alpha sigma_S^2 I_s, alpha_t sigma_R^2 I_{r-s})), mu = E|G|^2.

Statements. (1) The least norm of a predictor that realises y is B = sqrt(v_1/alpha + v_2/alpha_t). (2) The Rademacher
complexity of predictors of norm B is B E|G|/sqrt(m) <= B sqrt(mu/m): sqrt(X) <= (X + mu)/(2 sqrt(mu)). The printed
O() is not needed. (3) With M the larger of the two variances, E|G| >= sqrt(mu) - M/sqrt(mu): sqrt(X) >= sqrt(mu) +
(X - mu)/(2 sqrt(mu)) - (X - mu)^2/(2 mu^{3/2}) and Var |G|^2 = 2 (s a^2 + (r - s) b^2) <= 2 M mu: the constant 1
will do, even without the factor r under the root. (4) The bound on the risk says nothing at sizes that can be reached:
for m >= r the empirical minimiser is exact, and for m < r the bound is above the risk of every predictor of norm B, at
most L E|<u - u*, z>| <= 2 L B sqrt(2/pi), here for r = 2s and unit variances. So it holds, with 0 for O(), and says
nothing. It is false for losses with ell_c(y, y) > 0, which is not excluded in print.

Reference: Lemma F.5, Propositions 7.3 and F.6, lines 2038-2041 and 9682-9804.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_least,
    at_most,
    attained,
    certificate,
    claim,
    equals,
    formula_leg,
    instances,
    integers,
    leg,
    matrices,
    minimises,
    reaching,
    reals,
    rivals_of,
    search,
    typed,
    variant,
)
from theorycheck.blocks.stated import orthonormal_rows
from theorycheck.claims.statistic import mean
from theorycheck.claims.tails import sub_gaussian

from ._predictors import features, rotation_and_label, smallest_predictor, solved

s, r, m = sp.symbols("s r m", integer=True, positive=True)
a, b = sp.symbols("a b", positive=True)
v_1, v_2 = sp.symbols("v_1 v_2")


# ---- the norm of the predictor


def any_predictor(ns, Q, label, outside, s, r, a, b):
    """|u|^2 of a predictor that realises the label with a part outside of the features' range. Shape (B,)."""
    u = ns.matmul(features(ns, Q, s, r, a, b), solved(ns, Q, label, s, r, a, b))
    u = u + outside[:, :, None] * Q[:, :, r:]
    return ns.sum(u * u, axis=(1, 2))


def against_residual(ns, Q, label, s, r, a, b):
    """(u*^T w)^2/|F w|^2, at most |u|^2 for every u with F^T u = u*. Shape (B,)."""
    F = features(ns, Q, s, r, a, b)
    w = solved(ns, Q, label, s, r, a, b)
    u = ns.matmul(F, w)
    return ns.sum(label * w[:, :, 0], axis=1) ** 2 / ns.sum(u * u, axis=(1, 2))


NORMS = {
    "domain": {
        s: integers(1),
        r: integers(2),
        a: reals(0, 1, low_open=True),
        b: reals(0, 1, low_open=True),
    },
    "where": sp.Lt(s, r),
    "grid": {
        "smoke": [{s: 1, r: 3, a: 1, b: Fraction(1, 3)}, {s: 2, r: 3, a: Fraction(1, 2), b: 1}],
        "standard": [{s: k, r: k + n, a: 1, b: Fraction(2, 5)} for k in (1, 3) for n in (1, 2, 4)],
    },
}
LABELS = instances(
    rotation_and_label,
    {"Q": matrices(r + 1, r + 1), "label": None, "outside": None, "v_1": None, "v_2": None},
    where=orthonormal_rows("Q"),
    smoke=3,
    standard=8,
)

# w and o: a coordinate of Q^T u and one outside of the range of Q, x that of u*; on P_t alpha_t stands for alpha.
# Of all of them W_1 a^2 = v_1 and W_2 b^2 = v_2, W_1 and W_2 the squared lengths of Q^T u on S and on P_t.
COORDINATE = formula_leg(
    "each coordinate",
    typed(
        "w**2 + o**2 >= x**2/alpha",
        over=["alpha in (0, 1]", "x in R", "w in R", "o in R"],
        where="w*sqrt(alpha) == x",
    ),
)
LEAST = v_1 / a**2 + v_2 / b**2
TOGETHER = formula_leg(
    "together",
    typed(
        f"W_1 + W_2 + o >= {LEAST}",
        over=[
            "a in (0, 1]",
            "b in (0, 1]",
            *(f"{n} in [0, oo)" for n in ("v_1", "v_2", "W_1", "W_2", "o")),
        ],
        where=["W_1*a**2 == v_1", "W_2*b**2 == v_2"],
    ),
)
REALISED = formula_leg(
    "realised",
    typed(
        "(x/sqrt(alpha))*sqrt(alpha) == x and (x/sqrt(alpha))**2 == x**2/alpha",
        over=["alpha in (0, 1]", "x in R"],
    ),
)

norm_of_all = claim(
    "contrastive-predictor-norm-all",
    states="contrastive-mixture-risk",
    title="The smallest predictor, coordinate by coordinate",
    says=r"Every $u$ with $u^\top QA = u^{*\top}$ has $w_j\sqrt{\alpha} = u^*_j$ for $w = Q^\top "
    r"u$, so that $|u|^2$ is at least $\sum_j (u^*_j)^2/\alpha$; $w_j = u^*_j/\sqrt{\alpha}$ and "
    "nothing outside of $Q$ reaches it.",
    covers="norm-exact",
    reads={"u_star": "v_1 v_2", "alpha": "a", "alpha_t": "b"},
    domain=NORMS["domain"],
    where=NORMS["where"],
    grid={"smoke": NORMS["grid"]["smoke"]},
    lhs=r"\|u\|^2",
    tex=r"v_1/\alpha+v_2/\alpha_t",
    closed_form=LEAST,
    legs=[
        leg(
            "of the features",
            smallest_predictor,
            arithmetic="rational",
            required=False,
            instances=LABELS,
        ),
        COORDINATE,
        TOGETHER,
        REALISED,
    ],
    rivals=[
        variant("with a part outside", simulation=any_predictor, leg="of the features"),
        variant(
            "v_1 and v_2 exchanged",
            closed_form=v_2 / a**2 + v_1 / b**2,
            leg="of the features",
        ),
        variant(
            "lengths added, not their squares",
            closed_form=(sp.sqrt(v_1) / a + sp.sqrt(v_2) / b) ** 2,
            leg="of the features",
        ),
        *rivals_of(TOGETHER, {"a for its square": {"where": ["W_1*a == v_1", "W_2*b == v_2"]}}),
        *rivals_of(COORDINATE, {"at least a tenth more": "w**2 + o**2 >= 11*x**2/(10*alpha)"}),
        *rivals_of(REALISED, {"x sqrt(alpha)": "(x*sqrt(alpha))*sqrt(alpha) == x"}),
    ],
)

norm = claim(
    "contrastive-predictor-norm",
    lhs=r"\min\{\|u\|^2:\ u^\top\phi=y\}",
    tex=r"v_1/\alpha+v_2/\alpha_t",
    states="contrastive-mixture-risk",
    title="The smallest predictor that realises the label",
    says=r"With weights $a = \sqrt{\alpha}$, $b = \sqrt{\alpha_t}$ the least squared norm is "
    "$v_1/a^2 + v_2/b^2$.",
    covers="norm-exact",
    reads={"u_star": "label", "alpha": "a", "alpha_t": "b"},
    closed_form=LEAST,
    relation=minimises(),
    legs=[
        attained(smallest_predictor, arithmetic="rational", instances=LABELS),
        certificate(against_residual, arithmetic="rational", instances=LABELS),
        search(any_predictor, name="other predictors", arithmetic="rational", instances=LABELS),
    ],
    rivals=[
        variant("v_1 alpha + v_2 alpha_t", closed_form=v_1 * a**2 + v_2 * b**2),
        variant("|u*|^2", closed_form=v_1 + v_2),
    ],
    **NORMS,
)


# ---- the complexity


def squared_length(ns, z, s, a, b):
    """|G|^2 of standard draws z (B, r). Shape (B,)."""
    shared, private = (ns.sum(part**2, axis=1) for part in (z[:, :s], z[:, s:]))
    return ns.asarray(a) * shared + ns.asarray(b) * private


def length(ns, rng, size, s, r, a, b):
    """|G| for variances a on S and b on P_t. Shape (size,)."""
    return ns.sqrt(squared_length(ns, rng.normal((size, r)), s, a, b))


def by_coordinates(ns, z, s, r, a, b):
    """a z_j^2 summed over S, and b z_j^2 over P_t, one by one. Shape (B,)."""
    total = 0 * z[:, 0]
    for j in range(r):
        total = total + ns.asarray(a if j < s else b) * z[:, j] * z[:, j]
    return total


def of_exchanged(ns, z, s, r, a, b):
    return by_coordinates(ns, z, s, r, b, a)


def a_draw(rng, r):
    return {"z": rng.rational((r,), 4)}


SQUARE = leg(
    "square of a draw",
    squared_length,
    arithmetic="rational",
    reference=by_coordinates,
    relation=equals(),
    required=False,
    lhs="|G|^2",
    tex=r"\sum_{j\in S}a\,z_j^2+\sum_{j\in P_t}b\,z_j^2",
    instances=instances(a_draw, "z", smoke=2, standard=4),
)
SQUARE_RIVAL = variant("a and b exchanged", reference=of_exchanged, leg=SQUARE.name)


def length_of_equal(ns, s, r, a, b):
    """E|G| for a = b from E|z|_1 = sqrt(2/pi), E|z|_2 = sqrt(pi/2), E|z|_{r+2} = E|z|_r (r + 1)/r. Shape ()."""
    found = ns.sqrt(2 / ns.pi) if r % 2 else ns.sqrt(ns.pi / 2)
    for k in range(2 - r % 2, r, 2):
        found = found * (k + 1) / k
    return found * ns.sqrt(ns.asarray(a))


def length_with_r(ns, rng, size, s, r, a, b):
    """With r coordinates of S."""
    return length(ns, rng, size, r, 2 * r - s, a, b)


EQUAL = leg(
    "equal variances",
    length_of_equal,
    where=(sp.Eq(a, b), sp.Le(r, 40)),
    required=False,
    grid={"smoke": [{s: i, r: j, a: v, b: v} for i, j, v in ((1, 2, 1), (2, 9, Fraction(1, 4)))]},
)
ABOVE = formula_leg(
    "tangent of the root",
    typed("sqrt(x) <= (x + mu)/(2*sqrt(mu))", over=["mu in (0, oo)", "x in [0, oo)"]),
)
MU = s * a + (r - s) * b
UPPER = sp.sqrt(MU)
SIZES = ["s in 1..oo", "r in s + 1..oo", "a in (0, oo)", "b in (0, oo)"]
MEAN_OF_BOTH = typed(f"(({MU}) + ({MU}))/(2*sqrt({MU})) == {UPPER}", over=SIZES)
AT_MEAN = formula_leg("at the mean", MEAN_OF_BOTH, over="m G")
CELLS = {
    "domain": {
        s: integers(1),
        r: integers(2),
        a: reals(0, low_open=True),
        b: reals(0, low_open=True),
    },
    "where": sp.Lt(s, r),
}

upper = claim(
    "contrastive-complexity-upper",
    lhs=r"\mathbb E|G|",
    tex=r"\sqrt{s\,a+(r-s)\,b}",
    states="contrastive-mixture-risk",
    title="The complexity without an O()",
    says=r"$\mathbb{E}|G| \le \sqrt{s a + (r - s) b}$ for variances $a$ on $S$ and $b$ on $P_t$, "
    "by the tangent of the root.",
    covers="complexity-upper",
    reads={"alpha": "a", "alpha_t": "b", "sigma": "a b"},
    grid={
        "smoke": [{s: 2, r: 4, a: 1, b: Fraction(1, 3)}, {s: 1, r: 2, a: Fraction(1, 4), b: 1}],
        "standard": [{s: k, r: 2 * k, a: 1, b: Fraction(1, 4)} for k in (1, 2, 5)],
    },
    closed_form=UPPER,
    relation=at_most(),
    legs=[
        leg(
            "normal draws",
            length,
            statistic=mean(sub_gaussian(sp.sqrt(sp.Max(a, b)))),
            required=False,
        ),
        EQUAL,
        SQUARE,
        leg(
            "two coordinates",
            length,
            statistic=mean(sub_gaussian(sp.sqrt(sp.Max(a, b)))),
            relation=equals(),
            closed_form=sp.sqrt(sp.pi * a / 2),
            where=(sp.Eq(s, 1), sp.Eq(r, 2), sp.Eq(a, b)),
            required=False,
            grid={"smoke": [{s: 1, r: 2, a: 1, b: 1}]},
            target=Fraction(1, 20),
            lhs=r"\mathbb E|G|",
            tex=r"\sqrt{\pi a/2}",
        ),
        ABOVE,
        AT_MEAN,
    ],
    rivals=[
        variant(
            "r coordinates of S",
            simulation=length_with_r,
            leg="normal draws",
            at={s: [2], r: [4], a: [1], b: [Fraction(1, 3)]},
        ),
        SQUARE_RIVAL,
        variant("half", closed_form=sp.sqrt(MU) / 2, leg="normal draws"),
        variant(
            "half of the smaller variance less",
            closed_form=sp.sqrt(MU - sp.Min(a, b) / 2),
            leg="equal variances",
        ),
        variant("the root of the mean", closed_form=sp.sqrt(MU), leg="two coordinates"),
        *rivals_of(
            AT_MEAN, {"r for r - s": f"(({MU}) + ({MU}))/(2*sqrt({MU})) == sqrt(s*a + r*b)"}
        ),
        *rivals_of(ABOVE, {"slope 1/4": "sqrt(x) <= (x + mu)/(4*sqrt(mu))"}),
    ],
    **CELLS,
)


def variance_of_square(s, r, a, b, fourth=3):
    """Of a sum of s terms a z^2 and r - s terms b z^2, from independent z^2 that are 0 or ``fourth`` and have a
    normal's first two moments. Shape ()."""
    law = {Fraction(0): Fraction(1)}
    for weight in [Fraction(a)] * s + [Fraction(b)] * (r - s):
        moved: dict[Fraction, Fraction] = {}
        for value, chance in law.items():
            for square, share in ((0, 1 - Fraction(1, fourth)), (fourth, Fraction(1, fourth))):
                at = value + weight * square
                moved[at] = moved.get(at, Fraction(0)) + chance * share
        law = moved
    mean = sum(value * chance for value, chance in law.items())
    return sum((value - mean) ** 2 * chance for value, chance in law.items())


def variance_of_signs(s, r, a, b):
    """With E z^4 = 2."""
    return variance_of_square(s, r, a, b, fourth=2)


def variance(s, r, a, b):
    return variance_of_square(s, r, a, b)


def constant_one():
    """C = 1."""


def halved(mu):
    """What the squared deviation from mu is divided by."""
    return f"(2*({mu})*sqrt({mu}))"


def lacking(mu):
    """What E|G| may lack to sqrt(mu)."""
    return sp.Max(a, b) / sp.sqrt(mu)


BELOW = formula_leg(
    "parabola under the root",
    typed(
        f"sqrt(x) >= sqrt(mu) + (x - mu)/(2*sqrt(mu)) - (x - mu)**2/{halved('mu')}",
        over=["mu in (0, oo)", "x in [0, oo)"],
    ),
    gives="C",
    chosen_by=constant_one,
)
n = sp.Symbol("n", integer=True, positive=True)
VARIANCE = 2 * (s * a**2 + n * b**2)
SPREAD = formula_leg(
    "variance",
    typed(
        f"({VARIANCE})/{halved('s*a + n*b')} <= {lacking(s * a + n * b)}",
        over=["s in 1..oo", "n in 1..oo", "a in (0, oo)", "b in (0, oo)"],
    ),
)
UP = formula_leg("at the mean", MEAN_OF_BOTH)
LOWER = sp.sqrt(MU) - lacking(MU)
WIDER = formula_leg(
    "r under the root",
    typed(f"{LOWER} >= sqrt({MU}) - sqrt(Max(a, b)**2*r/({MU}))", over=SIZES),
    over="m",
)

two_sided = claim(
    "contrastive-complexity-two-sided",
    states="contrastive-mixture-risk",
    title="The complexity up to an absolute constant",
    says=r"$\sqrt{\mu} - M/\sqrt{\mu} \le \mathbb{E}|G| \le \sqrt{\mu}$: the hidden constant may "
    "be 1.",
    covers="two-sided",
    reads={"alpha": "a", "alpha_t": "b", "sigma": "a b"},
    lhs=r"\mathbb E|G|",
    tex=r"\sqrt\mu-M/\sqrt\mu",
    grid={
        "smoke": [{s: 1, r: 2, a: 1, b: 1}, {s: 1, r: 3, a: Fraction(1, 4), b: Fraction(1, 2)}],
        "standard": [{s: k, r: 2 * k, a: 1, b: Fraction(1, 100)} for k in (1, 2, 5)],
    },
    closed_form=LOWER,
    relation=at_least(),
    legs=[
        leg(
            "normal draws",
            length,
            statistic=mean(sub_gaussian(sp.sqrt(sp.Max(a, b)))),
            required=False,
        ),
        EQUAL,
        SQUARE,
        leg(
            "variance of the square",
            variance,
            relation=equals(),
            closed_form=VARIANCE.subs(n, r - s),
            required=False,
            where=sp.Le(r, 12),
            lhs=r"\mathrm{Var}\,|G|^2",
            tex=r"2(s\,a^2+(r-s)\,b^2)",
        ),
        BELOW,
        ABOVE,
        UP,
        SPREAD,
        WIDER,
    ],
    rivals=[
        SQUARE_RIVAL,
        variant("E z^4 = 2", simulation=variance_of_signs, leg="variance of the square"),
        variant("nothing below sqrt(mu)", closed_form=sp.sqrt(MU), leg="normal draws"),
        # r = 2 asks for sqrt(2) - sqrt(pi/2) = .1609 of M sqrt(r/mu)
        variant(
            "4/25 of it",
            closed_form=sp.sqrt(MU) - sp.Max(a, b) * sp.sqrt(r / MU) * 4 / 25,
            leg="equal variances",
        ),
        variant(
            "a tenth of M",
            closed_form=sp.sqrt(MU) - sp.Max(a, b) / sp.sqrt(MU) / 10,
            leg="normal draws",
        ),
        *rivals_of(
            BELOW,
            {
                "a quarter of the square": "sqrt(x) >= sqrt(mu) + (x - mu)/(2*sqrt(mu)) - (x - mu)**2/(4*mu*sqrt(mu))"
            },
        ),
        *rivals_of(
            SPREAD,
            {
                "the smaller variance": "2*(s*a**2 + n*b**2)/(2*(s*a + n*b)*sqrt(s*a "
                "+ n*b)) <= Min(a, b)/sqrt(s*a + n*b)"
            },
        ),
        *reaching(BELOW, "x > 100 and mu < 1/100", "x == 0"),
        *reaching(WIDER, "s > 100 and r > 300 and a > 100 and b < 1/100"),
        *rivals_of(WIDER, {"by half": f"{LOWER} >= sqrt({MU}) - sqrt(Max(a, b)**2*r/({MU}))/2"}),
        *rivals_of(ABOVE, {"slope 1/4": "sqrt(x) <= (x + mu)/(4*sqrt(mu))"}),
        *rivals_of(UP, {"r for r - s": f"(({MU}) + ({MU}))/(2*sqrt({MU})) == sqrt(s*a + r*b)"}),
    ],
    **CELLS,
)


# ---- the bound on the risk


def sample_and_label(rng, r, m):
    """m independent rational points in general position with labels of a linear function."""
    points = [[int(rng.integers(-9, 10)) for _ in range(r)] for _ in range(m)]
    for k in range(r):
        points[k][k] += 40
    label = [int(rng.integers(1, 5) * rng.signs()) for _ in range(r)]
    return {"points": points, "label": label}


def error_of_minimiser(ns, points, label):
    """Squared distance of the least-squares predictor from u*. points (B, m, r), label (B, r). Shape (B,)."""
    y = ns.matmul(points, label[:, :, None])
    transposed = ns.matrix_transpose(points)
    found = ns.solve(ns.matmul(transposed, points), ns.matmul(transposed, y))
    return ns.sum((found[:, :, 0] - label) ** 2, axis=1)


def error_of_mean(ns, points, label):
    """The same for the gradient step from 0."""
    y = ns.matmul(points, label[:, :, None])
    found = ns.matmul(ns.matrix_transpose(points), y) / points.shape[1]
    return ns.sum((found[:, :, 0] - label) ** 2, axis=1)


def no_constant():
    """O() = 0."""


EXACT = leg(
    "least squares",
    error_of_minimiser,
    arithmetic="rational",
    unit=1,
    lhs=r"\|\hat u-u^*\|^2",
    tex="0",
    instances=instances(sample_and_label, "points label", smoke=3, standard=8),
)
EXACT_RIVALS = [
    variant("1", closed_form=1 + 0 * m),
    variant("one gradient step", simulation=error_of_mean, leg="least squares"),
]
BELOW_R = typed(
    "4*sqrt((s + s/T)/q) > 2*sqrt(2/pi)", over=["s in 1..oo", "T in 1..oo", "q in 1..2*s"]
)
VACUOUS = formula_leg(
    "above every risk for m < r",
    BELOW_R,
    gives="O",
    chosen_by=no_constant,
    over="delta u_star sample",
)
OF_MINIMISERS = formula_leg(
    "above every risk for m < r",
    BELOW_R,
    gives="O",
    chosen_by=no_constant,
    over="delta u_star t sample u_hat",
)
VACUOUS_RIVALS = rivals_of(
    VACUOUS,
    {
        "for every m": {"over": ["s in 1..oo", "T in 1..oo", "q in 1..oo"]},
        "above 3, of m up to s": "4*sqrt((s + s/T)/q) > 3",
    },
)
SAMPLES = {
    "domain": {r: integers(1), m: integers(1)},
    "where": sp.Ge(m, r),
    "grid": {
        "smoke": [{r: 2, m: 2}, {r: 3, m: 5}],
        "standard": [{r: k, m: 2 * k} for k in (1, 3, 6)],
    },
    "closed_form": 0 * m,
}

vacuous = claim(
    "contrastive-risk-vacuous",
    lhs=r"\|\hat u-u^*\|^2",
    states="contrastive-mixture-risk",
    title="What the bound on the risk says",
    says=r"For $m \ge r$ points in general position the empirical minimiser is exact; for $m < r "
    "= 2s$ the bound is above the risk of every predictor of the class.",
    encodes="special-case",
    covers="risk-bound",
    legs=[EXACT, OF_MINIMISERS],
    rivals=[*EXACT_RIVALS, *VACUOUS_RIVALS],
    **SAMPLES,
)
