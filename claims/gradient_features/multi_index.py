r"""Algorithm 7 (after Damian et al. 2022): the first step of the multiple index model.

Setting. Square loss; y = g*(x) - rho - <beta, x>, rho = E g* and beta = E[g* x] over the sample (or the law N(0, I));
neurons in the four groups of (3.9) with biases 0, so that the network is 0; decay lambda = 1/eta in the first step.

Statements. (1) w_i' = 2 eta a_i E_n[y x 1{<w_i, x> > 0}]: the slope of (g - y)^2 at g = 0 is -2 y, and the decay
takes w_i away. (2) With rho and beta of the law E y = 0 and E[y x] = 0, as E[x x^T] = I; with those of the sample the
mean of y over the sample is -<beta, mean of x>, which is not 0. (3) For g* of degree 2 the residual is y = (x^T H x -
tr H)/2, and G(w, 0) = E[y x 1{<w, x> > 0}] = (H w - (w^T H w) w/2)/sqrt(2 pi) for unit w: given z = <w, x>, the part
of x across w is a standard normal of its own, E[z 1{z > 0}] = 1/sqrt(2 pi) and E[z^3 1{z > 0}] = 2/sqrt(2 pi).

Reference: lines 7590-7608; (3) also lines 863-865 and 5974-5976.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import sympy as sp

from theorycheck import (
    claim,
    equals,
    formula_leg,
    instances,
    integers,
    leg,
    rivals_of,
    typed,
    variant,
)

from ._network import dot, four_groups, output, simplified

ETA = Fraction(3, 8)

# ---- the first step


def residual(xs, target):
    """y = g* - rho - <beta, x> on a sample. Length n."""
    n = len(xs)
    rho = sum(target, Fraction(0)) / n
    beta = [sum(g * x[j] for g, x in zip(target, xs, strict=True)) / n for j in range(len(xs[0]))]
    return [g - rho - dot(beta, x) for g, x in zip(target, xs, strict=True)]


def square_loss(xs, ys, a, w):
    """The mean of (g(x) - y)^2, biases 0. Shape ()."""
    zero = [Fraction(0)] * len(a)
    pairs = zip(xs, ys, strict=True)
    return sum(((output(x, a, w, zero) - y) ** 2 for x, y in pairs), Fraction(0)) / len(xs)


def slope(xs, ys, a, w, i, j):
    """The derivative of the loss in w_ij, as a central difference: between kinks the loss is a quadratic."""
    near = min(abs(dot(w[i], x)) for x in xs)
    h = near / (2 * max(abs(x[j]) for x in xs))

    def moved(by):
        rows = [list(u) for u in w]
        rows[i][j] += by
        return square_loss(xs, ys, a, rows)

    return (moved(h) - moved(-h)) / (2 * h)


def first_step(xs, target, a, w, groups=True, decay=1):
    """All w_i after the step. Shape (neurons, d)."""
    ys = residual(xs, target)
    if groups:
        a, w, _ = four_groups(a, w, [Fraction(0)] * len(a))
    return [
        [v - ETA * (slope(xs, ys, a, w, i, j) + decay * v / ETA) for j, v in enumerate(u)]
        for i, u in enumerate(w)
    ]


def one_group(xs, target, a, w):
    """From m neurons that are not made symmetric: the network is not 0."""
    ys = first_step(xs, target, a, w, groups=False)
    return [*ys, *[[-v for v in u] for u in ys], *[[-v for v in u] for u in ys], *ys]


def without_decay(xs, target, a, w):
    return first_step(xs, target, a, w, decay=0)


def stated_step(xs, target, a, w, factor=2):
    """2 eta a_i E_n[y x 1{<w_i, x> > 0}]. Shape (neurons, d)."""
    ys = residual(xs, target)
    a, w, b = four_groups(a, w, [Fraction(0)] * len(a))
    found = (simplified(xs, ys, u, c) for u, c in zip(w, b, strict=True))
    return [[factor * ETA * s * v for v in G] for s, G in zip(a, found, strict=True)]


def without_the_two(xs, target, a, w):
    return stated_step(xs, target, a, w, factor=1)


def a_sample(rng):
    """Inputs and weights without an inner product 0, values of g*, signs a."""
    while True:
        xs = [rng.rational((2,), 5) for _ in range(5)]
        w = [rng.rational((2,), 5) for _ in range(2)]
        if all(dot(u, x) for u in w for x in xs) and all(any(x[j] for x in xs) for j in (0, 1)):
            break
    return {
        "xs": xs,
        "target": rng.rational((5,), 4),
        "a": [int(v) for v in rng.signs((2,))],
        "w": w,
    }


first = claim(
    "gradfeat-multi-index-first-step",
    lhs=r"w_i^{(1)}",
    tex=r"2\eta_1a_i\tfrac1n\sum y\,x\,\mathbf 1\{\langle w_i^{(0)},x\rangle>0\}",
    states="gradfeat-alg-multi-index",
    title="The first step under the square loss",
    says=r"$w_i^{(1)}=2\eta_1a_i\frac1n\sum y\,x\,\mathbf 1\{\langle w_i^{(0)},x\rangle>0\}$ for every sample, start "
    r"and neuron, $y$ the residual of the sample.",
    covers="first-step",
    reads={"Z": "xs target", "draw": "a w"},
    relation=equals(),
    legs=[
        leg(
            "differences of the loss",
            first_step,
            reference=stated_step,
            inside="i",
            unit=1,
            instances=instances(a_sample, "xs target a w", smoke=3, standard=10),
        ),
    ],
    rivals=[
        variant("without the factor 2", reference=without_the_two),
        variant("a start that is not symmetric", simulation=one_group),
        variant("no decay", simulation=without_decay),
    ],
)

# ---- the residual


def moment(exponents):
    """E of a monomial of independent standard normal variables."""
    if any(k % 2 for k in exponents):
        return 0
    return math.prod(math.prod(range(1, k, 2)) for k in exponents)


def mean_of(terms, by=()):
    """E of a polynomial, a list of (coefficient, exponents), times the coordinates in ``by``."""
    return sum(
        (c * moment([k + by.count(j) for j, k in enumerate(e)]) for c, e in terms), Fraction(0)
    )


def population_residual(terms, xs, linear=True):
    """E y and E[y x_j] for y = g* - rho - <beta, x> with rho and beta of the law. Length 1 + d."""
    d = len(xs[0])
    axes = [[int(i == j) for i in range(d)] for j in range(d)]
    y = [*terms, (-mean_of(terms), [0] * d)]
    if linear:
        y += [(-mean_of(terms, (j,)), axes[j]) for j in range(d)]
    return [mean_of(y), *(mean_of(y, (j,)) for j in range(d))]


def without_beta(terms, xs):
    return population_residual(terms, xs, linear=False)


def nothing(terms, xs):
    return [0] * (1 + len(xs[0]))


def value(terms, x):
    return sum(
        (c * math.prod(v**k for v, k in zip(x, e, strict=True)) for c, e in terms), Fraction(0)
    )


def mean_of_the_sample(terms, xs):
    """The mean of y over the sample, with rho and beta of the sample. Shape ()."""
    return sum(residual(xs, [value(terms, x) for x in xs]), Fraction(0)) / len(xs)


def stated_mean(terms, xs):
    """-<beta, mean of x>. Shape ()."""
    n, target = len(xs), [value(terms, x) for x in xs]
    beta = [sum(g * x[j] for g, x in zip(target, xs, strict=True)) / n for j in range(len(xs[0]))]
    return -dot(beta, [sum(x[j] for x in xs) / n for j in range(len(xs[0]))])


def zero(terms, xs):
    return 0


def a_polynomial(rng):
    """g* with six terms of degree at most 4 in each of two variables, of any size; and a sample."""
    exponents = [e for e in itertools.product(range(5), repeat=2) if sum(e) <= 4]
    chosen = rng.permutation(len(exponents))[:6]
    scale = rng.rational((6,), 5)
    terms = [(c, list(exponents[int(i)])) for c, i in zip(scale, chosen, strict=True)]
    terms += [(Fraction(1), [1, 0]), (Fraction(2), [0, 3])]
    return {"terms": terms, "xs": [rng.rational((2,), 5) for _ in range(int(rng.integers(1, 7)))]}


POLYNOMIALS = instances(a_polynomial, "terms xs", smoke=4, standard=16)

left_over = claim(
    "gradfeat-multi-index-residual",
    states="gradfeat-alg-multi-index",
    title="The residual of the multiple index model",
    says=r"With $\rho$ and $\beta$ of the law $\mathbb E[y]=0$ and $\mathbb E[yx]=0$; with those of the sample "
    r"$\frac1n\sum y=-\langle\beta,\bar x\rangle$, for every $g^*$ and $n$.",
    covers="population-residual",
    reads={"g_star": "terms", "n": "xs"},
    legs=[
        leg(
            "moments of the law",
            population_residual,
            reference=nothing,
            instances=POLYNOMIALS,
            unit=1,
            lhs=r"(\mathbb E[y],\mathbb E[yx])",
            tex="0",
        ),
        leg(
            "samples",
            mean_of_the_sample,
            reference=stated_mean,
            instances=POLYNOMIALS,
            unit=1,
            lhs=r"\tfrac1n\sum y",
            tex=r"-\langle\beta,\bar x\rangle",
        ),
    ],
    rivals=[
        variant("without beta", simulation=without_beta, leg="moments of the law"),
        variant("mean 0 on the sample", reference=zero, leg="samples"),
    ],
)

# ---- degree 2

d = sp.symbols("d", integer=True, positive=True)


def half_moment(indices):
    """sqrt(2 pi) E[z_a z_b .. 1{z_0 > 0}], an odd number of independent standard normal variables: of z_0 alone 1, 1
    and 2 for z_0 and z_0^3, and 0 where another comes an odd number of times."""
    counts = [indices.count(j) for j in set(indices) - {0}]
    if any(k % 2 for k in counts):
        return 0
    return math.prod(math.prod(range(1, k, 2)) for k in counts) * {1: 1, 3: 2}[indices.count(0)]


def half_space(H, Q, d, trace=1):
    """sqrt(2 pi) E[y x 1{<w, x> > 0}] in the coordinates z = Q^T x, w the first column of Q. Length d."""
    columns = list(zip(*Q, strict=True))
    pulled = [[dot(row, c) for row in H] for c in columns]
    turned = [[dot(b, c) for c in pulled] for b in columns]
    tr = sum(H[i][i] for i in range(d))
    along = [
        sum(turned[b][c] * half_moment([a, b, c]) for b in range(d) for c in range(d)) / Fraction(2)
        - trace * Fraction(tr, 2) * half_moment([a])
        for a in range(d)
    ]
    return [sum(Q[i][a] * along[a] for a in range(d)) for i in range(d)]


def with_the_trace(H, Q, d):
    return half_space(H, Q, d, trace=0)


def stated(H, Q, d, share=Fraction(1, 2)):
    """H w - (w^T H w) w/2. Length d."""
    w = [row[0] for row in Q]
    pulled = [dot(row, w) for row in H]
    return [p - share * dot(pulled, w) * v for p, v in zip(pulled, w, strict=True)]


def whole_projection(H, Q, d):
    return stated(H, Q, d, share=1)


def no_projection(H, Q, d):
    return stated(H, Q, d, share=0)


def symmetric_and_turned(rng, d):
    table = rng.rational((d, d), 5)
    H = [[table[i][j] + table[j][i] for j in range(d)] for i in range(d)]
    return {"H": H, "Q": rng.orthogonal_rational(d)}


# in an orthonormal basis w, v, u, t: A = <w, H w>, B = <w, H v>, ...; u has what H w has across w and v
LAW = "g, h, k, l ~ N(0, 1)"
ENTRIES = ["A, B, C, F, G, K, M, N in R", LAW]
FORM = "(A*g**2 + 2*B*g*h + 2*F*g*k + C*h**2 + 2*G*h*k + K*k**2 + 2*N*h*l + M*l**2 - (A + C + K + M))/2"
OPEN = "Piecewise((1, g > 0), (0, True))"
ALONG = formula_leg("along w", typed(f"E[{FORM}*g*{OPEN}] == (A - A/2)/sqrt(2*pi)", over=ENTRIES))
ACROSS = formula_leg("across w", typed(f"E[{FORM}*h*{OPEN}] == B/sqrt(2*pi)", over=ENTRIES))

quadratic = claim(
    "gradfeat-multi-index-quadratic",
    lhs=r"\sqrt{2\pi}\,G(w,0)",
    tex=r"Hw-\tfrac12(w^\top Hw)w",
    states=["gradfeat-simplified-gradient", "gradfeat-alg-multi-index"],
    title="The simplified gradient of a quadratic target",
    says=r"For $y=(x^\top Hx-\operatorname{tr}H)/2$, standard normal $x$ and unit $w$, "
    r"$G(w,0)=\big(Hw-\frac12(w^\top Hw)w\big)/\sqrt{2\pi}$.",
    covers=["gradfeat-simplified-gradient/quadratic-form", "gradfeat-alg-multi-index/leading-term"],
    reads={"w": "A B", "H": "A B C F G K M N", "g_star": "A B C F G K M N"},
    domain={d: integers(1)},
    grid={"smoke": {d: [1, 2, 3]}, "standard": {d: [4, 5]}},
    relation=equals(),
    legs=[
        leg(
            "moments",
            half_space,
            reference=stated,
            unit=1,
            required=False,
            instances=instances(symmetric_and_turned, "H Q", smoke=3, standard=6),
        ),
        ALONG,
        ACROSS,
    ],
    rivals=[
        *rivals_of(ALONG, {"all of A": f"E[{FORM}*g*{OPEN}] == A/sqrt(2*pi)"}),
        *rivals_of(ACROSS, {"half of B": f"E[{FORM}*h*{OPEN}] == B/(2*sqrt(2*pi))"}),
        variant("all of the projection", reference=whole_projection, leg="moments"),
        variant("none of it", reference=no_projection, leg="moments"),
        variant("the trace left in the label", simulation=with_the_trace, leg="moments"),
    ],
)
