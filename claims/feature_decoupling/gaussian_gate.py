r"""Lemma F.1: the gradient of a unit on Gaussian noise, by Stein's identity.

Setting. x = M z + xi, h soft thresholding at b >= 0. Given z, u = <w, x> is Gaussian with mean mu = <w, M z> and
variance s^2 = s2 |w|^2, and <x, v> = <M z, v> + (<w, v>/|w|^2)(u - mu) plus a part that is independent of u.

Statements. (1) E h(u) = H(mu, s, b) and E h(u)(u - mu) = s^2 P(mu, s, b), P = P[|u| >= b]: hence E h <x, v> = E_z [H
<M z, v> + s2 <w, v> P], for dense v s2 <w, v> P[|<w, x>| >= b]. (2) For b = 0 it is <w, v>(q + s2) along a column,
<w, v> s2 beside them. (3) Printed for b > 0: <w, v> E [<x, v>^2 1{|u| >= b}]. False: for w = v beside the columns,
|w| = s2 = 1, that is E g^2 1{|g| >= b}, above E h(g) g = P[|g| >= b] by 2 b phi(b).

Reference: Lemma F.1, lines 1754-1764, where the left side has M_j for v.
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb, ctx

from theorycheck import claim, formula_leg, instances, leg, rivals_of, typed, variant

from ._dictionary import ONE_POINT, codes, dot
from ._gaussian import BITS, gate, mean_of, nodes, number, unit


def unit_against(size, v, M, q, sigma, b):
    """E h(<w, x>) <x, v> in the plane for w = size e_1, the noise integrated along w; beside w its mean is 0.
    Shape ()."""
    with ctx.workprec(BITS):
        total = arb(0)
        for (z,), p in codes(1, q):
            x, rest = number(v[0]) / number(size), number(z * M[1] * v[1])
            mean, spread = Fraction(size) * z * M[0], number(size) * number(sigma)
            total += number(p) * mean_of(
                unit(b, lambda u, x=x, rest=rest: x * u + rest), mean, spread
            )
        return total


def by_stein(size, v, M, q, sigma, b):
    """E_z [H <M z, v> + s2 <w, v> P] with H and P integrated. Shape ()."""
    with ctx.workprec(BITS):
        total, spread = arb(0), number(size) * number(sigma)
        for (z,), p in codes(1, q):
            mean = Fraction(size) * z * M[0]
            total += number(p) * mean_of(unit(b), mean, spread) * number(z * dot(M, v))
            total += (
                number(p)
                * number(sigma) ** 2
                * number(size * v[0])
                * mean_of(gate(b), mean, spread)
            )
        return total


def open_all_the_time(size, v, M, q, sigma, b):
    return by_stein(size, v, M, q, sigma, 0)


def a_unit(rng):
    return {
        "size": Fraction(int(rng.integers(1, 7)), 2),
        "M": [Fraction(3, 5), Fraction(4, 5)],
        "v": [Fraction(int(rng.integers(1, 7)), 3), Fraction(int(rng.integers(-6, 7)), 3)],
        "q": Fraction(1, int(rng.integers(2, 6))),
        "sigma": Fraction(int(rng.integers(1, 5)), 4),
        "b": Fraction(int(rng.integers(1, 6)), 3),
    }


def linear_gradient(w, M, k, q):
    """E <w, x><x, v> over codes and nodes for noise of variance 3 k^2, direction by direction. Shape (n,)."""
    n, d = len(w), len(w) - 1
    total = [Fraction(0)] * n
    for z, p in codes(d, q):
        for xi, weight in nodes(n, k):
            x = [e + sum((z[j] * M[j][i] for j in range(d)), Fraction(0)) for i, e in enumerate(xi)]
            total = [t + p * weight * dot(w, x) * dot(x, v) for t, v in zip(total, M, strict=True)]
    return total


def by_eigenvalues(w, M, k, q):
    """<w, v>(q + s2) along the columns, <w, v> s2 beside them. Shape (n,)."""
    s2 = 3 * Fraction(k) ** 2
    return [dot(w, v) * (s2 + (q if j < len(w) - 1 else 0)) for j, v in enumerate(M)]


def one_eigenvalue(w, M, k, q):
    return [dot(w, v) * (3 * Fraction(k) ** 2 + q) for v in M]


def linear_weights(rng):
    """Two columns and the direction beside them in space."""
    M = [[Fraction(x, 3) for x in row] for row in ((1, 2, 2), (2, 1, -2), (2, -2, 1))]
    return {
        "w": rng.rational((3,), 3),
        "M": M,
        "k": Fraction(1, int(rng.integers(1, 6))),
        "q": Fraction(1, int(rng.integers(2, 6))),
    }


H = "(Max(u - b, 0) - Max(-u - b, 0))"
LAW = ["mu in R", "s > 0", "b >= 0", "u ~ N(mu, s**2)"]
UP, DOWN = "((mu - b)/s)", "((-mu - b)/s)"
PHI = "exp(-{x}**2/2)/sqrt(2*pi)"
MEAN_VALUE = (
    f"(mu - b)*Phi{UP} + s*{PHI.format(x=UP)} - ((-mu - b)*Phi{DOWN} + s*{PHI.format(x=DOWN)})"
)

MEAN = formula_leg("mean", typed(f"E[{H}] == {MEAN_VALUE}", over=LAW))
STEIN = formula_leg("Stein", typed(f"E[{H}*(u - mu)] == s**2*(Phi{UP} + Phi{DOWN})", over=LAW))
# s^2/|w|^2 = s2, c is <w, v>, n is |w|
SCALE = formula_leg(
    "regression on u",
    typed("c/n**2*(t*n)**2 == c*t**2", over=["c in R", "n > 0 real", "t > 0"]),
)

stein = claim(
    "decoupling-stein",
    lhs=r"\mathbb E\,h(\langle w,x\rangle)\langle x,v\rangle",
    tex=r"\mathbb E_z[H\langle Mz,v\rangle+\sigma_\xi^2\langle w,v\rangle P]",
    states="decoupling-noaug-gradient",
    title="The gradient without augmentation",
    says=r"$\mathbb E\,h(\langle w,x\rangle)\langle x,v\rangle=\mathbb E_z[H\langle Mz,v\rangle+\sigma_\xi^2\langle "
    r"w,v\rangle P]$ at $\mu=\langle w,Mz\rangle$, $s=\sigma_\xi\|w\|$.",
    role="corrected",
    corrects="decoupling-noaug-gradient-printed",
    covers="stein",
    # given the code the weights are seen through mean and deviation of <w, x>, and <w, v>
    reads={"w": "mu s", "v": "c"},
    **ONE_POINT,
    legs=[
        leg(
            "in the plane",
            unit_against,
            reference=by_stein,
            required=False,
            unit=1,
            instances=instances(a_unit, "size v M q sigma b", smoke=3, standard=6),
        ),
        MEAN,
        STEIN,
        SCALE,
    ],
    rivals=[
        variant("open gates", reference=open_all_the_time, leg="in the plane"),
        *rivals_of(
            MEAN, {"hard thresholding": f"E[{H}] == {MEAN_VALUE} + b*(Phi{UP} - Phi{DOWN})"}
        ),
        *rivals_of(
            STEIN,
            {
                "all of s^2": f"E[{H}*(u - mu)] == s**2",
                "half of the gate": f"E[{H}*(u - mu)] == s**2*Phi{UP}",
            },
        ),
        *rivals_of(SCALE, {"n for n^2": "c/n*(t*n)**2 == c*t**2"}),
    ],
)

printed = claim(
    "decoupling-noaug-gradient-printed",
    states="decoupling-noaug-gradient",
    title="The gradient with bias as printed",
    says=r"$\mathbb E\,h(\langle w,x\rangle)\langle x,v\rangle=\langle w,v\rangle\mathbb E[\langle x,v\rangle^2\mathbf "
    r"1_{|\langle w,x\rangle|\ge b}]$.",
    covers="printed-bias",
    expect="fail",
    # w = v beside the columns
    legs=[
        formula_leg(
            "an aligned neuron",
            typed(
                "E[(Max(g - b, 0) - Max(-g - b, 0))*g] == E[g**2] - E[Piecewise((g**2, g > -b and g < b), (0, True))]",
                over=["b in (0, oo)", "g ~ N(0, 1)"],
            ),
            over="w v",
        )
    ],
)

# k is 1 for a column, and 0 beside the columns
COLUMN = formula_leg(
    "along a column",
    typed(
        "E[(alpha*(k*R*B + g) + c*(S*C + h))*(k*R*B + g)] == alpha*(k**2*q + s**2)",
        over=[
            "k in {0, 1}",
            "q in [0, 1]",
            "s > 0",
            "alpha in R",
            "c in R",
            "R, S ~ Rademacher",
            "B, C ~ Bernoulli(q)",
            "g, h ~ N(0, s**2)",
        ],
    ),
)
BESIDE = formula_leg(
    "beside the columns",
    typed(
        "E[(beta*g + c*(S*C + h))*g] == beta*s**2",
        over=[
            "q in [0, 1]",
            "s > 0",
            "beta in R",
            "c in R",
            "S ~ Rademacher",
            "C ~ Bernoulli(q)",
            "g, h ~ N(0, s**2)",
        ],
    ),
)

no_bias = claim(
    "decoupling-noaug-gradient",
    lhs=r"\mathbb E\langle w,x\rangle\langle x,v\rangle",
    tex=r"\langle w,v\rangle\,\mathbb E\langle x,v\rangle^2",
    states="decoupling-noaug-gradient",
    title="The gradient without bias",
    says=r"$\mathbb E\langle w,x\rangle\langle x,v\rangle=\langle w,v\rangle\,\mathbb E\langle x,v\rangle^2$: $\langle "
    r"w,M_j\rangle(q+\sigma_\xi^2)$ and $\langle w,M_j^\perp\rangle\sigma_\xi^2$.",
    covers="zero-bias",
    # <w, x> along v, and in any other direction
    reads={"w": "alpha c", "v": "k"},
    **ONE_POINT,
    legs=[
        leg(
            "codes and noise",
            linear_gradient,
            reference=by_eigenvalues,
            required=False,
            unit=1,
            instances=instances(linear_weights, "w M k q", smoke=3, standard=6),
        ),
        COLUMN,
        BESIDE,
    ],
    rivals=[
        variant("the same beside the columns", reference=one_eigenvalue, leg="codes and noise"),
        *rivals_of(
            COLUMN,
            {
                "the signal alone": "E[(alpha*(k*R*B + g) + c*(S*C + h))*(k*R*B + g)] == alpha*k**2*q"
            },
        ),
        *rivals_of(BESIDE, {"with q": "E[(beta*g + c*(S*C + h))*g] == beta*(q + s**2)"}),
    ],
)
