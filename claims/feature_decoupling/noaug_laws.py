r"""Linear training without augmentation: growth of the modes, shares, times, and the size of dense representations.

Setting. No bias, uniform logits 1/(N + 1): r = 1 - 1/(N + 1). Sigma = q M M^T + s2 I.

Statements. (1) A step adds eta (E (1 - 1/(N + 1)) <w, x> x - E sum_s <w, x_s> x/(N + 1) - lambda w) in the mean, and
negatives are independent of x: sparse modes multiply by 1 + eta (r (q + s2) - lambda), dense ones by 1 + eta (r s2 -
lambda). (2) With e^u the dense factor and e^(u (1 + rho)) the sparse one, R = e^(u t): the sparse share of mean
energies d : d1 - d at the start is 1/(1 + (d1/d - 1) R^(-2 rho)). (3) The dense norm has grown by R after log R/log(1
+ eta (r s2 - lambda)) steps. (4) For orthogonal w_i of equal length beside the columns, S the sum of their squares,
f(x) is N(0, v I), v = s2 S/m: E |f|^2 = s2 S, and <f, f'> has standard deviation s2 S/sqrt m. (5) The overview has
|f(x)|^2 >= c tau log d once S reaches tau log d; its mean is C_xi sqrt(log d)/d tau log d, less than c/2 times that
for all large d.

Reference: Theorem 3.2 and A.5, lines 208-214 and 411-421; Lemma F.2, lines 1766-1786; Lemma F.3, line 1788.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from flint import arb, ctx

from theorycheck import at_most, claim, formula_leg, instances, leg, rivals_of, typed, variant

from ._dictionary import ONE_POINT, codes, dot
from ._gaussian import BITS, mean_of, nodes, number, unit


def samples(M, q, k):
    """x = M z + xi with its weights: all codes, and nodes for noise of variance 3 k^2."""
    n = len(M[0])
    for z, p in codes(len(M), q):
        signal = [sum((z[j] * M[j][i] for j in range(len(M))), Fraction(0)) for i in range(n)]
        for xi, weight in nodes(n, k):
            yield [a + e for a, e in zip(signal, xi, strict=True)], p * weight


def mean_step(M, W, q, k, eta, decay, N):
    """Mean of W after a step of the linear network, every softmax weight 1/(N + 1). Shape (m, n)."""
    batch, share = list(samples(M, q, k)), Fraction(1, N + 1)
    moved = []
    for w in W:
        pull = [Fraction(0)] * len(w)
        for x, p in batch:
            residual = (1 - share) * dot(w, x)
            residual -= (
                N * share * sum((dot(w, other) * weight for other, weight in batch), Fraction(0))
            )
            pull = [a + p * residual * e for a, e in zip(pull, x, strict=True)]
        moved.append([a + eta * g - eta * decay * a for a, g in zip(w, pull, strict=True)])
    return moved


def by_modes(M, W, q, k, eta, decay, N, full=False):
    """W (I + eta (r Sigma - decay I)): the part along the columns and the rest. Shape (m, n)."""
    r, s2 = (1 if full else 1 - Fraction(1, N + 1)), 3 * Fraction(k) ** 2
    out = []
    for w in W:
        row = [(1 + eta * (r * s2 - decay)) * a for a in w]
        for column in M:
            row = [a + eta * r * q * dot(w, column) * c for a, c in zip(row, column, strict=True)]
        out.append(row)
    return out


def whole_rate(M, W, q, k, eta, decay, N):
    return by_modes(M, W, q, k, eta, decay, N, full=True)


def no_noise(M, W, q, k, eta, decay, N):
    return by_modes(M, W, q, 0, eta, decay, N)


def a_step(rng):
    """A column in the plane, weights of two neurons."""
    a, b = int(rng.integers(1, 4)), int(rng.integers(1, 4))
    length = Fraction(a * a + b * b)
    return {
        "M": [[(a * a - b * b) / length, 2 * a * b / length]],
        "W": rng.rational((2, 2), 3),
        "q": Fraction(1, 1 + int(rng.integers(1, 5))),
        "k": Fraction(1, 1 + int(rng.integers(1, 5))),
        "eta": Fraction(1, 1 + int(rng.integers(1, 9))),
        "decay": Fraction(1, 1 + int(rng.integers(1, 9))),
        "N": 1 + int(rng.integers(0, 4)),
    }


STEP_FIELDS = "M W q k eta decay N"
q, k, eta, decay = sp.symbols("q k eta decay", positive=True)
N = sp.Symbol("N", integer=True, positive=True)
OF_SPARSE = 1 + eta * ((1 - 1 / (N + 1)) * (q + 3 * k**2) - decay)
"""What a mode is multiplied by in a step; the noise has variance 3 k^2."""


def sparse_growth(M, W, q, k, eta, decay, N):
    """<w', M> over <w, M> for the first neuron, after a step of the network. Shape ()."""
    moved = mean_step(M, W[:1], q, k, eta, decay, N)[0]
    return dot(moved, M[0]) / dot(W[0], M[0])


def a_step_along(rng):
    """The same with a neuron that is not orthogonal to the column."""
    found = a_step(rng)
    return {
        **found,
        "W": [[a + e for a, e in zip(found["M"][0], turned(found["M"][0]), strict=True)]],
    }


def turned(v):
    return [-v[1] / 2, v[0] / 2]


NOISE = ["N in 1..oo", "k > 0 real", "g, h ~ N(0, 3*k**2)"]
SPARSE = formula_leg(
    "sparse mode",
    typed(
        "1 + eta*((1 - 1/(N + 1))*E[(R*B + g)**2] - N/(N + 1)*E[(R*B + g)*(S*C + h)] - decay)"
        f" == {OF_SPARSE}",
        over=[
            "q in [0, 1]",
            "eta in R",
            "decay in R",
            "R, S ~ Rademacher",
            "B, C ~ Bernoulli(q)",
            *NOISE,
        ],
    ),
    over="W_t batch",
)
DENSE = formula_leg(
    "dense mode",
    typed("(1 - 1/(N + 1))*E[g**2] - N/(N + 1)*E[g*h] == (1 - 1/(N + 1))*3*k**2", over=NOISE),
    over="W_t eta lambda batch",
)
# the products with other modes of x have mean 0
OTHERS = formula_leg("other modes", typed("E[g*h] == 0", over=NOISE), over="W_t eta lambda batch")

growth = claim(
    "decoupling-noaug-growth",
    lhs=r"\mathbb E W'",
    tex=r"W(I+\eta(r\Sigma-\lambda I))",
    states="decoupling-noaug-dense",
    title="Growth of the modes without augmentation",
    says=r"$\mathbb E[W']=W(I+\eta(r\Sigma-\lambda I))$ at uniform logits, $r=1-\frac1{N+1}$.",
    role="derived",
    covers="mean-growth",
    reads={"lambda": "decay"},
    **ONE_POINT,
    legs=[
        leg(
            "a step of the network",
            mean_step,
            reference=by_modes,
            required=False,
            unit=1,
            instances=instances(a_step, STEP_FIELDS, smoke=3, standard=6),
        ),
        leg(
            "along a column",
            sparse_growth,
            closed_form=OF_SPARSE,
            required=False,
            instances=instances(a_step_along, STEP_FIELDS, smoke=2, standard=4),
            lhs=r"\frac{\langle w',M_j\rangle}{\langle w,M_j\rangle}",
            tex=r"1+\eta\big((1-\tfrac1{N+1})(q+\sigma_\xi^2)-\lambda\big)",
        ),
        SPARSE,
        DENSE,
        OTHERS,
    ],
    rivals=[
        variant("r = 1 in the step", reference=whole_rate, leg="a step of the network"),
        variant("the signal alone", reference=no_noise, leg="a step of the network"),
        variant(
            "r = 1 along a column",
            closed_form=1 + eta * (q + 3 * k**2 - decay),
            leg="along a column",
        ),
        *rivals_of(
            SPARSE,
            {
                "r = 1": "1 + eta*((1 - 1/(N + 1))*E[(R*B + g)**2]"
                " - N/(N + 1)*E[(R*B + g)*(S*C + h)] - decay) == 1 + eta*(q + 3*k**2 - decay)"
            },
        ),
        *rivals_of(DENSE, {"the masked rate": "(1 - 1/(N + 1))*E[g**2] - N/(N + 1)*E[g*h] == 0"}),
        *rivals_of(OTHERS, {"the mode itself": "E[g*g] == 0"}),
    ],
)


def iterated_share(d, D, factors, t):
    """Sparse share of the energy after t steps from d : D - d, a coordinate at a time. Shape ()."""
    coordinates = [(Fraction(1), factors[0])] * d + [(Fraction(1), factors[1])] * (D - d)
    for _ in range(t):
        coordinates = [(x * f, f) for x, f in coordinates]
    return sum(x * x for x, _ in coordinates[:d]) / sum(x * x for x, _ in coordinates)


def share_law(d, D, factors, t, power=2):
    """The share at R, by how much a dense coordinate has grown. Shape ()."""
    with ctx.workprec(BITS):
        R = number(factors[1]) ** t
        rho = number(factors[0]).log() / number(factors[1]).log() - 1
        return 1 / (1 + (number(Fraction(D, d)) - 1) * (-power * rho * R.log()).exp())


def first_power(d, D, factors, t):
    return share_law(d, D, factors, t, power=1)


def a_race(rng):
    """Both factors of a step, for r s2 > lambda."""
    q, s2 = Fraction(1, 1 + int(rng.integers(1, 9))), Fraction(1 + int(rng.integers(1, 9)), 4)
    r, eta = 1 - Fraction(1, 1 + int(rng.integers(2, 9))), Fraction(1, 2 + int(rng.integers(1, 9)))
    decay = s2 / 8
    return {
        "d": int(rng.integers(1, 4)),
        "D": int(rng.integers(4, 9)),
        "t": int(rng.integers(1, 20)),
        "factors": [1 + eta * (r * (q + s2) - decay), 1 + eta * (r * s2 - decay)],
    }


SHARE = formula_leg(
    "shares",
    typed(
        "d*exp(2*t*u*(1 + rho))/(d*exp(2*t*u*(1 + rho)) + (D - d)*exp(2*t*u)) == 1/(1 + (D/d - 1)*exp(t*u)**(-2*rho))",
        over=["u > 0", "rho > 0", "t > 0 real", "d > 0 real", "D in (d, oo)"],
    ),
)
# e^u and e^(u (1 + rho)) are the two factors: rho is the quotient of the logarithms less 1
QUOTIENT = formula_leg(
    "exponent",
    typed(
        "v/u - 1 == (v - u)/u and exp(u*(1 + (v/u - 1))) == exp(v)", over=["u > 0", "v in (u, oo)"]
    ),
)
# so that v > u > 0, and R = e^(t u) takes every value above 1
FACTORS = formula_leg(
    "both grow",
    typed(
        "1 + eta*(r*(q + s2) - lam) > 1 + eta*(r*s2 - lam) and 1 + eta*(r*s2 - lam) > 1",
        over=["eta > 0", "q in (0, 1]", "s2 > 0", "r in (0, 1)", "lam in [0, r*s2)"],
    ),
)

share = claim(
    "decoupling-sparse-share",
    lhs=r"\frac{\|M^\top w\|^2}{\|w\|^2}",
    tex=r"\frac1{1+(d_1/d-1)R^{-2\rho}}",
    states="decoupling-noaug-dense",
    title="The sparse share as dense norms grow",
    says=r"While logits are uniform the share of mean energies is $\big(1+(\frac{d_1}d-1)R^{-2\rho}\big)^{-1}$.",
    role="derived",
    covers="sf-law",
    reads={"R": "t u", "d1": "D", "sigma2": "s2", "lambda": "lam"},
    **ONE_POINT,
    legs=[
        leg(
            "steps",
            iterated_share,
            reference=share_law,
            required=False,
            instances=instances(a_race, "d D factors t", smoke=4, standard=12),
        ),
        SHARE,
        QUOTIENT,
        FACTORS,
    ],
    rivals=[
        variant("R^-rho after steps", reference=first_power, leg="steps"),
        *rivals_of(
            SHARE,
            {
                "R^-rho": "d*exp(2*t*u*(1 + rho))/(d*exp(2*t*u*(1 + rho)) + (D - d)*exp(2*t*u))"
                " == 1/(1 + (D/d - 1)*exp(t*u)**(-rho))"
            },
        ),
        *rivals_of(QUOTIENT, {"v/u": "v/u - 1 == (v - u)/u and exp(u*(1 + v/u)) == exp(v)"}),
        *rivals_of(
            FACTORS,
            {
                "decay up to sigma^2": {
                    "over": ["eta > 0", "q in (0, 1]", "s2 > 0", "r in (0, 1)", "lam in [0, s2)"]
                }
            },
        ),
    ],
)


def steps_to_grow(factor, R):
    """Steps until a dense weight has R times its size. Shape ()."""
    size, steps = Fraction(1), 0
    while size < R:
        size, steps = size * factor, steps + 1
    return steps


def rounded_up(factor, R, base=0):
    """The time, rounded up. Shape ()."""
    with ctx.workprec(BITS):
        rate = number(factor).log() if not base else number(factor) - 1
        return int((number(R).log() / rate).ceil().unique_fmpz())


def by_the_rate(factor, R):
    return rounded_up(factor, R, base=1)


def a_growth(rng):
    return {
        "factor": 1 + Fraction(1, int(rng.integers(2, 9))),
        "R": Fraction(int(rng.integers(30, 90)), 7),
    }


RATES = ["eta > 0", "s2 > 0", "r in (0, 1)", "lam in [0, r*s2)", "R in (1, oo)", "t in 0..oo"]
REACHED = formula_leg(
    "from then on",
    typed(
        "(1 + eta*(r*s2 - lam))**t >= R",
        over=RATES,
        where="t*log(1 + eta*(r*s2 - lam)) >= log(R)",
    ),
)
SHORT = formula_leg(
    "not before",
    typed(
        "(1 + eta*(r*s2 - lam))**t <= R",
        over=RATES,
        where="t*log(1 + eta*(r*s2 - lam)) <= log(R)",
    ),
)

time = claim(
    "decoupling-growth-time",
    lhs="t_R",
    tex=r"\Big\lceil\frac{\log R}{\log(1+\eta(r\sigma_\xi^2-\lambda))}\Big\rceil",
    states="decoupling-noaug-norm",
    title="Time of growth without augmentation",
    says=r"Dense norms have grown by $R$ after $\log R/\log(1+\eta(r\sigma_\xi^2-\lambda))$ steps.",
    role="derived",
    covers="growth-time",
    reads={"lambda": "lam"},
    **ONE_POINT,
    legs=[
        leg(
            "steps",
            steps_to_grow,
            reference=rounded_up,
            required=False,
            instances=instances(a_growth, "factor R", smoke=4, standard=12),
        ),
        REACHED,
        SHORT,
    ],
    rivals=[
        variant("log R over the rate", reference=by_the_rate, leg="steps"),
        *rivals_of(REACHED, {"by the rate": {"where": "t*eta*(r*s2 - lam) >= log(R)"}}),
        *rivals_of(SHORT, {"twice as late": {"where": "t*log(1 + eta*(r*s2 - lam)) <= 2*log(R)"}}),
    ],
)


def representation_moments(side, M, q, k):
    """E |f|^2, E <f, f'>^2, E f_1 f_2 and E f_1^2 of two neurons across the column M of space, over codes and nodes.
    Shape (4,)."""
    W = [[side[0], side[1], Fraction(0)], [-side[1], side[0], Fraction(0)]]
    law = [([dot(w, x) for w in W], p) for x, p in samples([M], q, k)]
    pairs = sum((p * c * dot(f, g) ** 2 for f, p in law for g, c in law), Fraction(0))
    return [
        sum((p * dot(f, f) for f, p in law), Fraction(0)),
        pairs,
        sum((p * f[0] * f[1] for f, p in law), Fraction(0)),
        sum((p * f[0] ** 2 for f, p in law), Fraction(0)),
    ]


S, m = sp.symbols("S m", positive=True)
MEAN_SQUARE = 3 * k**2 * S
SQUARED_PRODUCT = 9 * k**4 * S**2 / m


def size_of_two(side, M, q, k):
    """E |f|^2. Shape ()."""
    return representation_moments(side, M, q, k)[0]


def moments_of_the_law(side, M, q, k, neurons=2):
    """Those of N(0, v I), v = s2 S/m. Shape (4,)."""
    size = 3 * Fraction(k) ** 2 * 2 * dot(side, side)
    return [size, size**2 / neurons, Fraction(0), size / neurons]


def one_neuron(side, M, q, k):
    return moments_of_the_law(side, M, q, k, neurons=1)


def across(rng):
    side = [Fraction(int(rng.integers(1, 5)), 2), Fraction(int(rng.integers(-4, 5)), 3)]
    return {
        "side": side,
        "S": 2 * dot(side, side),
        "m": 2,
        "M": [Fraction(0), Fraction(0), Fraction(1)],
        "q": Fraction(1, 1 + int(rng.integers(1, 5))),
        "k": Fraction(1, int(rng.integers(1, 5))),
    }


LAW = ["m in 1..oo", "k > 0 real", "S > 0 real", "g, h ~ N(0, 3*k**2*S/m)"]
SIZE = formula_leg("size", typed(f"m*E[g**2] == {MEAN_SQUARE}", over=LAW), over="W x")
SPREAD = formula_leg("spread", typed(f"m*E[g**2*h**2] == {SQUARED_PRODUCT}", over=LAW), over="W x")
ENTRIES = formula_leg(
    "entries",
    typed("s2*(S/m) == s2*S/m and s2*0 == 0", over=["s2 > 0", "S > 0", "m in 1..oo"]),
    over="W x",
)

law = claim(
    "decoupling-dense-law",
    lhs=r"(\mathbb E\|f\|^2,\,\mathbb E\langle f,f'\rangle^2,\,\mathbb Ef_1f_2,\,\mathbb Ef_1^2)",
    tex=r"(\sigma_\xi^2S,\,\sigma_\xi^4S^2/m,\,0,\,\sigma_\xi^2S/m)",
    states="decoupling-noaug-dense-loss",
    title="Representations of dense features",
    says=r"For orthogonal $w_i$ of equal length beside the columns, $S=\sum\|w_i\|^2$: $f(x)\sim "
    r"N(0,\frac{\sigma_\xi^2S}mI)$, "
    r"$\mathbb E\|f\|^2=\sigma_\xi^2S$, and $\langle f,f'\rangle$ has deviation $\sigma_\xi^2S/\sqrt m$.",
    covers="gaussian-law",
    **ONE_POINT,
    legs=[
        leg(
            "two neurons",
            representation_moments,
            reference=moments_of_the_law,
            required=False,
            unit=1,
            instances=instances(across, "side M q k S m", smoke=2, standard=4),
        ),
        leg(
            "size of two",
            size_of_two,
            closed_form=MEAN_SQUARE,
            required=False,
            instances=instances(across, "side M q k S m", smoke=1, standard=2),
            lhs=r"\mathbb E\|f\|^2",
            tex=r"\sigma_\xi^2S",
        ),
        SIZE,
        SPREAD,
        ENTRIES,
    ],
    rivals=[
        variant("as for one neuron", reference=one_neuron, leg="two neurons"),
        variant("size of one", closed_form=MEAN_SQUARE / m, leg="size of two"),
        *rivals_of(SIZE, {"v": "m*E[g**2] == 3*k**2*S/m"}),
        *rivals_of(SPREAD, {"m v": "m*E[g**2*h**2] == 9*k**4*S**2"}),
        *rivals_of(ENTRIES, {"all of S": "s2*(S/m) == s2*S and s2*0 == 0"}),
    ],
)

SMALL = "C*sqrt(L)*exp(-L) {} c/2"
LARGE = ["C > 0", "c in (0, C]", "L in (1 + 2*log(2*C/c), oo)"]
FAILS = formula_leg("half of it", typed(SMALL.format(">="), over=LARGE), over="W x d")
ROOT = formula_leg("root", typed("sqrt(L)*exp(-L) <= exp(-L/2)", over="L > 0"), over="W x d")
THERE = formula_leg("large d", typed("C*exp(-L/2) < c/2", over=LARGE), over="W x d")

overview = claim(
    "decoupling-overview-size",
    states="decoupling-noaug-dense",
    title="Self-similarity in the overview",
    says=r"$\|f(x)\|^2\ge c\,\tau\log d$ with high probability where $\sum\|w_i\|^2=\tau\log d$, dense: "
    r"half of it in the mean.",
    covers="overview-size",
    expect="fail",
    legs=[FAILS],
)


def mean_similarity(W, C, c, d, shrinks=True):
    """E |f(x)|^2 over the sum of the squared norms, without biases and beside the columns. Shape ()."""
    with ctx.workprec(BITS):
        variance = number(C) * arb(d).log().sqrt() / (d if shrinks else 1)
        total, energy = arb(0), arb(0)
        for w in W:
            norm = number(dot(w, w))
            pieces = unit(0, lambda u: u)
            total += mean_of(pieces, 0, (variance * norm).sqrt())
            energy += norm
        return total / energy


def noise_of_one_size(W, C, c, d):
    return mean_similarity(W, C, c, d, shrinks=False)


def half_of_c(W, C, c, d):
    return Fraction(c) / 2


def large_dimension(rng):
    """log d > 1 + 2 log(2 C/c)."""
    C, c = Fraction(int(rng.integers(2, 5))), Fraction(int(rng.integers(1, 5)), 2)
    return {"W": rng.rational((3, 2), 3), "C": C, "c": c, "d": 3 * int((2 * C / c) ** 2) + 1}


mean_size = claim(
    "decoupling-overview-mean",
    lhs=r"\mathbb E\|f(x)\|^2/\sum_i\|w_i\|^2",
    tex=r"\tfrac c2",
    states="decoupling-noaug-dense",
    title="Mean self-similarity of dense features",
    says=r"There $\mathbb E\|f(x)\|^2=C_\xi\frac{\sqrt{\log d}}d\,\tau\log d<\frac c2\tau\log d$ for all "
    r"$d$ with $\log d>1+2\log"
    r"\frac{2C_\xi}c$.",
    role="corrected",
    corrects="decoupling-overview-size",
    covers="overview-size",
    **ONE_POINT,
    legs=[
        leg(
            "neurons",
            mean_similarity,
            reference=half_of_c,
            relation=at_most(),
            required=False,
            instances=instances(large_dimension, "W C c d", smoke=3, standard=6),
        ),
        ROOT,
        THERE,
    ],
    rivals=[
        variant("noise that does not shrink with d", simulation=noise_of_one_size, leg="neurons"),
        *rivals_of(ROOT, {"e^(-L)": "sqrt(L)*exp(-L) <= exp(-L)"}),
        *rivals_of(
            THERE, {"from log(C/c)": {"over": ["C > 0", "c in (0, C]", "L in (log(C/c), oo)"]}}
        ),
    ],
)
