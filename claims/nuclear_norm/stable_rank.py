"""Section 6.3.3: the stable rank.

Setting. M is not 0, with singular values s_1 >= s_2 >= ... >= 0.

Statements. (1) Printed is |M|_F^2/|M|_2; meant is |M|_F^2/|M|_2^2. A stand-in for the rank does not change when M
is scaled; the printed form does, by the factor. Where |M|_2 = 1 the two are the same. (2) The stable rank lies
between 1 and the rank, with equality on the right exactly where all positive singular values are equal: with t =
s_i/s_1, each t^2 is between 0 and sign(t), less than it inside (0, 1). It is not |M|_*^2/|M|_F^2, which lies there
too: diag(2, 1) has 5/4, and 9/5. (3) "Continuous and Lipschitz" is true of the printed form at every size: for D =
|M - M'|_F both norms change by at most D, and b = |M|_2, a = |M|_F have b <= a <= sqrt(k) b, k = min(m, n). Where
b' <= b, a^2/b - a'^2/b' = (a - a')(a + a')/b + a'^2 (b' - b)/(b b') is at most 2 sqrt(k) D + k D in size; otherwise
M and M' change places. (4) Of the ratio that is meant it is false near 0: c diag(1, 1) and c diag(1, 0) have ratios
2 and 1 and are c apart.

Reference: section 6.3.3, lines 1749-1760.
"""

from __future__ import annotations

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
    sharpened,
    typed,
    variant,
)

c = sp.Symbol("c", positive=True)
ratio = sp.Symbol("ratio", positive=True)


def draw(rng, c):
    """A 2 x 3 matrix with singular values s and t s, s a fifth to nine fifths, 0 < t < 1; ``ratio`` is 1 + t^2."""
    U, V = rng.orthogonal_rational(2), rng.orthogonal_rational(3)
    s, t = Fraction(int(rng.integers(1, 10)), 5), Fraction(int(rng.integers(1, 10)), 10)
    values = (s, t * s)
    M = [[sum(U[i][k] * values[k] * V[j][k] for k in range(2)) for j in range(3)] for i in range(2)]
    return {"M": M, "ratio": 1 + t**2}


def norms(ns, M):
    """Squared Frobenius norm and spectral norm. M (B, m, n), shapes (B,)."""
    return ns.sum(M * M, axis=(-2, -1)), ns.svdvals(M)[:, 0]


def printed_form(ns, M):
    """|M|_F^2/|M|_2. Shape (B,)."""
    square, spectral = norms(ns, M)
    return square / spectral


def printed_of_scaled(ns, M, c):
    """|cM|_F^2/|cM|_2 over the same of M. Shape (B,)."""
    return printed_form(ns, c * M) / printed_form(ns, M)


def meant_of_scaled(ns, M, c):
    """|cM|_F^2/|cM|_2^2. Shape (B,)."""
    square, spectral = norms(ns, c * M)
    return square / spectral**2


def printed_at_norm_1(ns, M, c):
    """The printed form of cM/|cM|_2, where the missing square does nothing. Shape (B,)."""
    _, spectral = norms(ns, c * M)
    return printed_form(ns, c * M / ns.reshape(spectral, (-1, 1, 1)))


def printed_as_it_is(ns, M, c):
    return printed_form(ns, c * M)


def nuclear_over_frobenius(ns, M, c):
    """The impostor |cM|_*^2/|cM|_F^2."""
    return ns.sum(ns.svdvals(c * M), axis=-1) ** 2 / norms(ns, c * M)[0]


DRAWN = instances(draw, "M ratio", smoke=3, standard=20)
SCALES = {
    "smoke": {c: [Fraction(1, 10), 1, 10]},
    "standard": {c: [Fraction(1, 10), Fraction(2, 3), 1, 7, 10]},
}

printed = claim(
    "nuclear-stable-rank-printed",
    lhs=r"\frac{\|cM\|_F^2\,/\,\|cM\|_2}{\|M\|_F^2\,/\,\|M\|_2}",
    states="nuclear-stable-rank",
    title="The printed stable rank under scaling",
    says=r"$\|M\|_F^2/\|M\|_2$ does not change when $M$ is scaled by $c>0$.",
    expect="fail",
    covers="definition",
    domain={c: reals(0, low_open=True)},
    grid=SCALES,
    closed_form=sp.Integer(1),
    legs=[leg("singular values", printed_of_scaled, instances=DRAWN)],
)

corrected = claim(
    "nuclear-stable-rank-corrected",
    lhs=r"\frac{\|cM\|_F^2}{\|cM\|_2^2}",
    tex=r"1+t^2",
    states="nuclear-stable-rank",
    title="The stable rank",
    says=r"$\|cM\|_F^2/\|cM\|_2^2$ is $1+t^2$ for every $M$ with singular values $s$, $ts$ and every "
    "$c>0$: the printed form of $M/\\|M\\|_2$.",
    role="corrected",
    corrects="nuclear-stable-rank-printed",
    covers="definition",
    domain={c: reals(0, low_open=True)},
    grid=SCALES,
    closed_form=ratio,
    legs=[
        leg("singular values", meant_of_scaled, instances=DRAWN),
        leg(
            "at norm 1",
            meant_of_scaled,
            reference=printed_at_norm_1,
            instances=DRAWN,
            lhs=r"\frac{\|cM\|_F^2}{\|cM\|_2^2}",
            tex=r"\|N\|_F^2/\|N\|_2\ (N=cM/\|cM\|_2)",
        ),
        leg(
            "as printed",
            printed_of_scaled,
            closed_form=c,
            instances=DRAWN,
            lhs=r"\frac{\|cM\|_F^2\,/\,\|cM\|_2}{\|M\|_F^2\,/\,\|M\|_2}",
            tex="c",
        ),
    ],
    rivals=[
        variant("|M|_*^2/|M|_F^2", simulation=nuclear_over_frobenius, leg="singular values"),
        variant("as printed", simulation=printed_of_scaled, leg="singular values"),
        variant("2 + t^2", closed_form=ratio + 1, leg="singular values"),
        variant("|M|_*^2/|M|_F^2 at norm 1", simulation=nuclear_over_frobenius, leg="at norm 1"),
        variant("the printed form at every norm", reference=printed_as_it_is, leg="at norm 1"),
        variant("c^2", closed_form=c**2, leg="as printed"),
    ],
)

t = sp.Symbol("t", nonnegative=True)
SHARE = t**2
"""What a singular value t s_1 adds to the stable rank."""
LACKING = "1 - (1 - t)*(1 + t)"


def second_share(ns, M):
    """|M|_F^2/|M|_2^2 less the 1 of the first singular value, for M of two rows; t from the determinant of the Gram
    matrix, s_1^2 s_2^2. Shapes (B,)."""
    square, spectral = norms(ns, M)
    gram = ns.matmul(M, ns.matrix_transpose(M))
    det = gram[:, 0, 0] * gram[:, 1, 1] - gram[:, 0, 1] * gram[:, 1, 0]
    return {"value": square / spectral**2 - 1, "t": ns.sqrt(det) / spectral**2}


def share_alone(ns, M):
    """What it is for the t that is drawn. Shape (B,)."""
    return second_share(ns, M)["value"]


def without_the_square(ns, M):
    square, spectral = norms(ns, M)
    return {**second_share(ns, M), "value": square / spectral - spectral}


def some_matrix(rng):
    return draw(rng, 1)


STRICTLY = formula_leg(
    "strictly inside", typed(f"{SHARE} == {LACKING} < sign(t)", over="t in (0, 1)")
)

EACH = formula_leg("each ratio", typed(f"0 <= {SHARE} == {LACKING} <= sign(t)", over="t in [0, 1]"))

between = claim(
    "nuclear-stable-rank-between",
    states="nuclear-stable-rank",
    title="Between 1 and the rank",
    says=r"With $t = s_i/s_1$: $0 \le t^2 \le \mathrm{sign}(t)$ on $[0, 1]$, with equality on the "
    "right only at 0 and 1.",
    covers="between",
    reads={"M": "t"},
    lhs=r"\frac{\|M\|_F^2}{\|M\|_2^2}-1",
    closed_form=SHARE,
    legs=[
        leg(
            "two singular values",
            second_share,
            observed=["t"],
            required=False,
            instances=instances(some_matrix, "M ratio", smoke=4, standard=8),
        ),
        leg(
            "as drawn",
            share_alone,
            closed_form=ratio - 1,
            lhs=r"\frac{\|M\|_F^2}{\|M\|_2^2}-1",
            tex=r"\rho(M)-1",
            required=False,
            instances=instances(some_matrix, "M ratio", smoke=4, standard=8),
        ),
        EACH,
        STRICTLY,
        formula_leg("equal at the ends", typed(f"{SHARE} == sign(t)", over="t in {0, 1}")),
    ],
    rivals=[
        variant("the norm not squared", simulation=without_the_square, leg="two singular values"),
        variant("t for its square", closed_form=t, leg="two singular values"),
        variant("half of its square", closed_form=SHARE / 2, leg="two singular values"),
        variant("with the first", closed_form=ratio, leg="as drawn"),
        variant("half of it", closed_form=(ratio - 1) / 2, leg="as drawn"),
        variant(
            "equal in between",
            leg="equal at the ends",
            simulation=typed(f"{SHARE} == sign(t)", over="t in [0, 1]"),
        ),
        variant(
            "without dividing by s_1",
            leg="each ratio",
            simulation=typed(f"0 <= {SHARE} <= sign(t)", over="t in [0, 2]"),
        ),
        variant(
            "strictly at 1 too",
            leg="strictly inside",
            simulation=typed(f"{SHARE} < sign(t)", over="t in (0, 1]"),
        ),
        # they reach for both ends of the leg's own interval
        *sharpened(EACH, times="99/100"),
        *reaching(EACH, "t >= 1", "t <= 0"),
        *rivals_of(
            STRICTLY,
            {
                "by a tenth of t": f"{SHARE} + t/10 < sign(t)",
                "from a hundredth on": "t >= 1/100",
            },
        ),
    ],
)


# ---- whether it is Lipschitz

m, n = sp.symbols("m n", integer=True, positive=True)
L, rho = sp.symbols("L rho", positive=True)


def pair(rng, m, n):
    """Two matrices without zeros, of size 1/1000, a few parts in ten of them apart."""
    size = Fraction(1, 1000)
    M, change = rng.rational((m, n), 4), rng.rational((m, n), 4)
    M = [[size * (x if x else 1) for x in row] for row in M]
    return {
        "M": M,
        "M_prime": [
            [x + size * e / 10 for x, e in zip(row, more, strict=True)]
            for row, more in zip(M, change, strict=True)
        ],
    }


def meant_form(ns, M):
    square, spectral = norms(ns, M)
    return square / spectral**2


def apart(ns, form, M, M_prime):
    """|form(M) - form(M')| and |M - M'|_F. Shapes (B,)."""
    gap = ns.abs(form(ns, M) - form(ns, M_prime))
    return gap, ns.sqrt(ns.sum((M - M_prime) ** 2, axis=(-2, -1)))


def change(ns, M, M_prime, m, n):
    """|f(M) - f(M')|, f the printed form, and D = |M - M'|_F. Shapes (B,)."""
    gap, distance = apart(ns, printed_form, M, M_prime)
    return {"value": gap, "D": distance}


def square_of_distance(ns, M, M_prime, m, n):
    """Of what the change is held against. Shape (B,)."""
    return apart(ns, printed_form, M, M_prime)[1] ** 2


def pair_and_square(rng, m, n):
    """Two such matrices and the sum of the squares of what they differ by, entry by entry."""
    drawn = pair(rng, m, n)
    rows = zip(drawn["M"], drawn["M_prime"], strict=True)
    return {
        **drawn,
        "square": sum((x - y) ** 2 for a, b in rows for x, y in zip(a, b, strict=True)),
    }


def change_of_squares(ns, M, M_prime, m, n):
    """Of |M|_F^2/|M|_2^2."""
    gap, distance = apart(ns, meant_form, M, M_prime)
    return {"value": gap, "D": distance}


def beside_identity(rng, m, n):
    """The identity, and the same with 1 + e for its first entry: there the slope is min(m, n) - 2."""
    e = Fraction(1, int(rng.integers(500, 1000)))
    M, M_prime = (
        [[x if i == j == 0 else Fraction(i == j) for j in range(n)] for i in range(m)]
        for x in (1, 1 + e)
    )
    return {"M": M, "M_prime": M_prime}


s = sp.Symbol("s", positive=True)
OF_SQUARE, OF_DIVISOR = 2 * s, s**2
"""The constants of the two changes below, s for sqrt(min(m, n))."""


def at_sizes(part, m, n):
    """One of them for m x n matrices."""
    return part.subs(s, sp.sqrt(sp.Min(m, n)))


def constant(m, n):
    """min(m, n) + 2 sqrt(min(m, n))."""
    return at_sizes(OF_SQUARE + OF_DIVISOR, m, n)


D, square = sp.symbols("D square", positive=True)
BOUND = constant(m, n) * D
# s stands for sqrt(k); both norms change by at most |M - M'|_F
SQUARES = formula_leg(
    "change of the square",
    typed(
        f"abs(a**2 - A**2)/b <= {OF_SQUARE}*abs(a - A)",
        over=["s in [1, oo)", "b in (0, oo)", "a in (0, s*b]", "A in (0, s*b]"],
    ),
)
INVERSES = formula_leg(
    "change of the divisor",
    typed(
        f"A**2*(1/B - 1/b) <= {OF_DIVISOR}*(b - B)",
        over=["s in [1, oo)", "b in (0, oo)", "B in (0, b]", "A in (0, s*B]"],
    ),
)
# u and v are the two changes
BOTH = formula_leg(
    "both changes",
    typed(
        f"u + v <= {BOUND}",
        over=[
            "m in 1..oo",
            "n in 1..oo",
            "D in [0, oo)",
            f"u in [0, {at_sizes(OF_SQUARE, m, n)}*D]",
            f"v in [0, {at_sizes(OF_DIVISOR, m, n)}*D]",
        ],
    ),
    over="M M_prime",
    gives="L",
    chosen_by=constant,
)

lipschitz = claim(
    "nuclear-stable-rank-lipschitz",
    lhs=r"|f(M)-f(M')|",
    tex=r"(k+2\sqrt k)\,\|M-M'\|_F",
    states="nuclear-stable-rank",
    title="The printed stable rank is Lipschitz at every size",
    says=r"For $f(M)=\|M\|_F^2/\|M\|_2$ and $k=\min(m,n)$, $|f(M)-f(M')|\le(k+2\sqrt k)\|M-M'\|_F$ for all nonzero "
    r"$m\times n$ matrices.",
    covers="lipschitz",
    relation=at_most(),
    domain={m: integers(1), n: integers(1)},
    grid={"smoke": [{m: 2, n: 3}, {m: 3, n: 3}], "standard": {m: [1, 2, 4], n: [3]}},
    closed_form=BOUND,
    legs=[
        leg(
            "drawn pairs",
            change,
            observed=["D"],
            instances=instances(pair, "M M_prime", smoke=4, standard=10),
            required=False,
        ),
        leg(
            "beside the identity",
            change,
            observed=["D"],
            instances=instances(beside_identity, "M M_prime", smoke=1),
            required=False,
            arithmetic="interval",
            grid={"smoke": [{m: 16, n: 16}]},
        ),
        leg(
            "distance",
            square_of_distance,
            relation=equals(),
            closed_form=square,
            lhs=r"\|M-M'\|_F^2",
            instances=instances(pair_and_square, "M M_prime square", smoke=2),
            required=False,
        ),
        SQUARES,
        INVERSES,
        BOTH,
    ],
    rivals=[
        variant("3 sqrt(k)", closed_form=3 * sp.sqrt(sp.Min(m, n)) * D, leg="beside the identity"),
        variant("twice the square", closed_form=2 * square, leg="distance"),
        variant("the ratio that is meant", simulation=change_of_squares, leg="drawn pairs"),
        *sharpened(BOTH, times="99/100"),
        *reaching(SQUARES, "s >= 2 and a >= 9*s*b/10 and A >= 9*s*b/10"),
        *sharpened(SQUARES, times="99/100"),
        *reaching(INVERSES, "s >= 2 and A >= 9*s*B/10 and B <= b/9"),
        *sharpened(INVERSES, times="99/100"),
        *rivals_of(BOTH, {"without min(m, n)": "u + v <= 2*sqrt(Min(m, n))*D"}),
        *rivals_of(SQUARES, {"half of it": "abs(a**2 - A**2)/b <= s*abs(a - A)"}),
        *rivals_of(INVERSES, {"s for s^2": "A**2*(1/B - 1/b) <= s*(b - B)"}),
    ],
)


def scaled_pair(L, rho):
    """c diag(1, 1) and c diag(1, 0) for c = min(rho/2, 1/(2L))."""
    c = min(Fraction(rho) / 2, 1 / (2 * Fraction(L)))
    return tuple([[[c, 0], [0, x]]] for x in (c, 0))


def near_zero(ns, L, rho):
    """|srank(M) - srank(M')| over L |M - M'|_F. Shape ()."""
    M, M_prime = map(ns.asarray, scaled_pair(L, rho))
    gap, distance = apart(ns, meant_form, M, M_prime)
    return (gap / distance / ns.asarray(L))[0]


def printed_near_zero(ns, L, rho):
    M, M_prime = map(ns.asarray, scaled_pair(L, rho))
    gap, distance = apart(ns, printed_form, M, M_prime)
    return (gap / distance / ns.asarray(L))[0]


def size_near_zero(ns, L, rho):
    """The larger Frobenius norm of the two over rho. Shape ()."""
    M, _ = map(ns.asarray, scaled_pair(L, rho))
    return ns.sqrt(ns.sum(M * M, axis=(-2, -1)))[0] / ns.asarray(rho)


def size_without_rho(ns, L, rho):
    """With c = 1/(2L), whatever rho."""
    return ns.sqrt(ns.asarray(2)) / (2 * ns.asarray(L) * ns.asarray(rho))


STEEP = formula_leg(
    "one over c",
    typed(
        "(2*c**2/c**2 - c**2/c**2)/c >= 2*L and sqrt(2*c**2) <= rho",
        over=["L in (0, oo)", "rho in (0, oo)", "c in (0, Min(rho/2, 1/(2*L))]"],
    ),
    gives="M M_prime",
    chosen_by=scaled_pair,
)

not_lipschitz = claim(
    "nuclear-stable-rank-steep",
    lhs=r"\frac{|\mathrm{srank}(M)-\mathrm{srank}(M')|}{L\,\|M-M'\|_F}",
    tex=r"2",
    states="nuclear-stable-rank",
    title="The stable rank that is meant is not Lipschitz near 0",
    says=r"For all $L$ and $\rho$, $c\,\mathrm{diag}(1,1)$ and $c\,\mathrm{diag}(1,0)$ with $c=\min(\rho/2,1/(2L))$ "
    r"have norms at most $\rho$, and ratios that differ by at least $2L$ times their distance.",
    role="derived",
    covers="ratio-not-lipschitz",
    relation=at_least(),
    domain={L: reals(0, low_open=True), rho: reals(0, low_open=True)},
    grid={"smoke": {L: [Fraction(1, 3), 1, 100], rho: [Fraction(1, 10), 1]}},
    closed_form=sp.Integer(2),
    legs=[
        leg("singular values", near_zero, required=False),
        leg(
            "norms",
            size_near_zero,
            relation=at_most(),
            closed_form=sp.Integer(1),
            lhs=r"\|M\|_F/\rho",
            tex="1",
            required=False,
        ),
        STEEP,
    ],
    rivals=[
        variant("as printed", simulation=printed_near_zero, leg="singular values"),
        variant("c without rho", simulation=size_without_rho, leg="norms"),
        *reaching(STEEP, "c >= 9*Min(rho/2, 1/(2*L))/10 and L <= 1/9", "L >= 9 and c <= 1/9"),
        *sharpened(STEEP, times="1/2"),
        *rivals_of(
            STEEP, {"5 L/2": "(2*c**2/c**2 - c**2/c**2)/c >= 5*L/2 and sqrt(2*c**2) <= rho"}
        ),
    ],
)
