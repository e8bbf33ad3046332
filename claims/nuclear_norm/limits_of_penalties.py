"""Section 6.2: what large weight decay leaves, and what a trained head does to the penalty (derived).

Setting. alpha, beta are the values of the optimum under weight decay lambda, g(m) = 1/(1 + e^m); M the margin, |M| <= r
alpha + (d - r) beta.

Statements. (1) beta/alpha -> 2 gamma as lambda -> oo: lambda alpha = E[g(M) z_k] and |g(m) - 1/2| <= |m|/4, so that
with h = d/(4 lambda) both |lambda alpha - 1/4| <= h and |lambda beta - gamma/2| <= h, for alpha, beta <= 1/lambda;
and then |beta/alpha - 2 gamma| <= 16 h for h <= 1/8. (2) With a linear head that is trained and not decayed the
penalty costs nothing: (eps Phi, a/eps) has the outputs of (Phi, a) and eps times its nuclear norm. With a frozen
head it has others. (3) The listing's loss is the cross entropy plus lambda times the sum of the singular values.

Reference: section 6.2, lines 1640-1680 and 1783.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from flint import ctx

from theorycheck import (
    at_most,
    choices,
    claim,
    equals,
    exactly,
    formula_leg,
    hypothesis,
    identity_for_all,
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

from ._population import BITS, means, number, optimum

r, d, n = sp.symbols("r d n", integer=True, positive=True)
gamma, lam = sp.symbols("gamma lam", positive=True)


def distance(r, d, gamma, lam):
    """|beta/alpha - 2 gamma|. Shape ()."""
    a, b = optimum(r, d - r, gamma, lam)
    with ctx.workprec(BITS):
        return abs(b / a - 2 * number(gamma))


def by_equations(r, d, gamma, lam, found=distance):
    """The distance over |E[g(M) z_l]/E[g(M) z_k] - 2 gamma|, the means at the optimum. Shape ()."""
    a, b = optimum(r, d - r, gamma, lam)
    with ctx.workprec(BITS):
        bias = number(gamma)
        inner, outer = means(a, b, r, d - r, bias)
        return found(r, d, gamma, lam) / abs(outer / inner - 2 * bias)


def gamma_by_equations(r, d, gamma, lam):
    return by_equations(r, d, gamma, lam, found=from_gamma)


def from_gamma(r, d, gamma, lam):
    """The distance from gamma."""
    a, b = optimum(r, d - r, gamma, lam)
    with ctx.workprec(BITS):
        return abs(b / a - number(gamma))


SLOPE = sp.Rational(1, 4)
"""g falls by at most this for a unit of the margin."""
FALLS = typed(f"1/2 - 1/(1 + exp(m)) <= {SLOPE}*m", over="m in [0, oo)")
SIGMOID = formula_leg("sigmoid", FALLS)
SQUEEZED = formula_leg(
    "quotient",
    typed(
        "abs(b/a - 2*gamma) <= 16*h",
        over=[
            "gamma in (0, 1/2)",
            "h in (0, 1/8]",
            "a in [1/4 - h, 1/4 + h]",
            "b in [gamma/2 - h, gamma/2 + h]",
        ],
    ),
)
NEAR = 4 * d / lam
RATE = formula_leg(
    "rate",
    typed(
        f"h <= 1/8 and 16*h <= {NEAR}",
        over=["d in 2..oo", "lam in [2*d, oo)", f"h in (0, {SLOPE}*d/lam]"],
    ),
    over="r gamma",
)

direction = claim(
    "nuclear-l2-direction",
    lhs=r"\Big|\frac\beta\alpha-2\gamma\Big|",
    tex=r"\frac{4d}\lambda",
    states="nuclear-small-weights-limit",
    title="Direction under strong weight decay",
    says=r"$|\beta/\alpha - 2\gamma| \le 4d/\lambda$ for $\lambda \ge 2d$.",
    covers="l2-direction",
    reads={"lambda": "lam"},
    relation=at_most(),
    domain={
        r: integers(1),
        d: integers(2),
        lam: reals(4),
        gamma: reals(0, Fraction(1, 2), low_open=True, high_open=True),
    },
    where=sp.And(r < d, lam >= 2 * d),
    grid={
        "smoke": [
            {r: 1, d: 2, gamma: Fraction(1, 5), lam: 4},
            {r: 3, d: 7, gamma: Fraction(9, 20), lam: 1000},
        ],
        "standard": [
            {r: a, d: a + k, gamma: Fraction(g, 100), lam: size}
            for a, k in ((1, 1), (5, 9))
            for g in (2, 30, 49)
            for size in (100, 10**6)
        ],
    },
    closed_form=NEAR,
    legs=[
        leg("optimum", distance, required=False),
        leg(
            "its equations",
            by_equations,
            relation=equals(),
            closed_form=sp.Integer(1),
            required=False,
            grid={"smoke": [{r: 3, d: 7, gamma: Fraction(9, 20), lam: 1000}]},
            lhs=r"|\frac\beta\alpha-2\gamma|\Big/\Big|\frac{\mathbb E[g(M)z_l]}{\mathbb E[g(M)z_k]}-2\gamma\Big|",
            tex="1",
        ),
        SIGMOID,
        SQUEEZED,
        RATE,
    ],
    rivals=[
        variant("the distance from gamma", simulation=gamma_by_equations, leg="its equations"),
        variant("toward gamma", simulation=from_gamma, leg="optimum"),
        *reaching(SIGMOID, "m >= 9"),
        *rivals_of(
            SQUEEZED,
            {
                "by a hundredth at the largest h": {
                    "says": f"{SQUEEZED.simulation.says}*(99/100)",
                    "over": [
                        "gamma in (249/500, 1/2)",
                        "h in (1/9, 1/8]",
                        "a in [1/4 - h, 1/4 + h]",
                        "b in [gamma/2 - h, gamma/2 + h]",
                    ],
                }
            },
        ),
        *reaching(SQUEEZED, "gamma <= 1/9 and h >= 1/9", "h <= 1/99 and gamma >= 4/9"),
        *sharpened(RATE, times="99/100"),
        *rivals_of(SIGMOID, {"nine tenths of it": f"{FALLS.says}*9/10"}),
        *rivals_of(SQUEEZED, {"2 h": "abs(b/a - 2*gamma) <= 2*h"}),
        *rivals_of(
            RATE,
            {
                "d/lambda": "h <= 1/8 and 16*h <= d/lam",
                "from lambda = d on": {
                    "over": ["d in 2..oo", "lam in [d, oo)", f"h in (0, {SLOPE}*d/lam]"]
                },
            },
        ),
    ],
)


# ---- a trained head


def outputs(ns, eps, Phi, a):
    """Phi(X) a for a batch. Shape (B, n)."""
    return ns.einsum("znd,zd->zn", Phi, a)


def rescaled_outputs(ns, eps, Phi, a):
    return ns.einsum("znd,zd->zn", Phi * eps[:, None, None], a / eps[:, None])


def half_rescaled(ns, eps, Phi, a):
    """The features scaled, the head left."""
    return ns.einsum("znd,zd->zn", Phi * eps[:, None, None], a)


def for_all_batches(n, d):
    return identity_for_all(rescaled_outputs, outputs, {"eps": (1,), "Phi": (1, n, d), "a": (1, d)})


def features_alone(n, d):
    return identity_for_all(half_rescaled, outputs, {"eps": (1,), "Phi": (1, n, d), "a": (1, d)})


def drawn_network(rng, head, n, d, lam, delta):
    """Features of a batch, a head, labels."""
    return {
        "Phi": rng.rational((n, d), 4),
        "a": rng.rational((d,), 4),
        "y": [int(rng.signs()) for _ in range(n)],
    }


def loss(ns, margins):
    """Mean over the batch. Shape (B,)."""
    return ns.mean(ns.softplus(-margins), axis=1)


def excess_of_scaled(ns, Phi, a, y, head, lam, delta):
    """What the loss of eps Phi with its penalty has over the loss of Phi: eps = delta/(lam N + 1), N the nuclear norm
    of Phi, the head a/eps where it is trained (1) and a where it is frozen (0). Shapes (B,)."""
    N = ns.sum(ns.svdvals(Phi), axis=-1)
    eps = delta / (lam * N + 1)
    found = (rescaled_outputs if head else half_rescaled)(ns, eps, Phi, a)
    scaled = ns.sum(ns.svdvals(Phi * eps[:, None, None]), axis=-1)
    return {
        "value": loss(ns, y * found) + lam * scaled - loss(ns, y * outputs(ns, eps, Phi, a)),
        "N": N,
    }


def excess_of_the_features(ns, Phi, a, lam, delta):
    """Without the scaling."""
    N = ns.sum(ns.svdvals(Phi), axis=-1)
    return {"value": lam * N, "N": N}


# N stands for the nuclear norm of Phi(X), delta for how close to the infimum.
N, delta = sp.symbols("N delta", positive=True)
head = sp.Symbol("head", integer=True, nonnegative=True)
"""The power of 1/eps that the head takes: 1 where it is trained, 0 where it is frozen."""
COST = lam * (delta / (lam * N + 1)) * N
CHEAP = formula_leg(
    "penalty",
    typed(f"{COST} < delta", over=["lam in (0, oo)", "N in [0, oo)", "delta in (0, oo)"]),
    over="data",
)

# the outputs are sums of such products, the singular values of eps M are eps sigma
SAME_OUTPUT = formula_leg(
    "each product",
    typed(
        "(eps*p)*(a/eps**head) == p*a",
        over=["eps in (0, oo)", "p in R", "a in R", "head in {1}"],
    ),
)

degeneracy = claim(
    "nuclear-scale-degeneracy",
    states="nuclear-erm-nu",
    title="A trained head undoes the penalty",
    says=r"With a trained head $(\varepsilon\Phi, a/\varepsilon)$ has the outputs of $(\Phi, a)$; with $\varepsilon = "
    r"\delta/(\lambda N + 1)$ its penalty is below $\delta$.",
    covers="scale-degeneracy",
    reads={"lambda": "lam"},
    domain={
        head: choices(1),
        n: integers(1),
        d: integers(1),
        lam: reals(0, low_open=True),
        delta: reals(0, low_open=True),
    },
    grid={
        "smoke": [
            {head: 1, n: 3, d: 2, lam: Fraction(1, 100), delta: Fraction(1, 10)},
            {head: 1, n: 1, d: 2, lam: 7, delta: 1},
        ],
        "standard": [
            {head: 1, n: a, d: b, lam: size, delta: Fraction(1, 10)}
            for a, b in ((3, 2), (2, 4))
            for size in (1, 100)
        ],
    },
    relation=equals(),
    closed_form=COST,
    legs=[
        leg(
            "the rescaled network",
            excess_of_scaled,
            observed=["N"],
            lhs=r"\mathcal L_\varepsilon+\lambda\|\varepsilon\Phi\|_*-\mathcal L",
            instances=instances(drawn_network, "Phi a y", smoke=2, standard=4),
            unit=delta,
            required=False,
        ),
        leg(
            "indeterminates",
            for_all_batches,
            arithmetic="proof",
            required=False,
            grid={
                "smoke": [{head: 1, n: 3, d: 2, lam: 1, delta: 1}],
                "standard": [{head: 1, n: 2, d: 4, lam: 1, delta: 1}],
            },
        ),
        SAME_OUTPUT,
        CHEAP,
    ],
    assumes=[
        hypothesis(
            "the head is trained",
            leg="the rescaled network",
            without=[{head: 0, n: 3, d: 2, lam: 1, delta: Fraction(1, 10)}],
        )
    ],
    rivals=[
        variant("delta", closed_form=delta, leg="the rescaled network"),
        variant(
            "the features as they are",
            simulation=excess_of_the_features,
            leg="the rescaled network",
        ),
        variant("the head left as it is", simulation=features_alone, leg="indeterminates"),
        *rivals_of(
            CHEAP, {"eps = delta": "lam*delta*N < delta", "half of delta": f"{COST} < delta/2"}
        ),
        *sharpened(CHEAP, times="99/100"),
        *reaching(
            CHEAP, "lam >= 9 and N >= 9 and delta >= 9", "lam <= 1/9 and N <= 1/9 and delta <= 1/9"
        ),
        *exactly(SAME_OUTPUT),
        *reaching(
            SAME_OUTPUT, "eps >= 9 and p <= -9 and a <= -9", "eps <= 1/9 and p >= 9 and a >= 9"
        ),
        *rivals_of(
            SAME_OUTPUT,
            {
                "the head left": "(eps*p)*a == p*a",
                "a frozen head": {"over": ["eps in (0, oo)", "p in R", "a in R", "head in {0, 1}"]},
            },
        ),
    ],
)


# ---- the listing


def batch(rng, n, d, lam):
    """Features of rank 2, a head for two classes, labels. Parallel columns are drawn again: no ball around a
    determinant of 0 has a root."""
    feature = rng.rational((n, d), 4)
    while all(u[0] * v[1] == u[1] * v[0] for u in feature for v in feature):
        feature = rng.rational((n, d), 4)
    return {
        "feature": feature,
        "head": rng.rational((d, 2), 4),
        "y": [int(rng.integers(0, 2)) for _ in range(n)],
    }


def cross_entropy(ns, preds, y):
    """Mean over the batch, the label as 0 or 1. Shape (B,)."""
    chosen = preds[:, :, 0] + y * (preds[:, :, 1] - preds[:, :, 0])
    return ns.mean(ns.logsumexp(preds, axis=-1) - chosen, axis=1)


def listed(ns, feature, head, y, lam):
    """The listing line by line. Shape (B,)."""
    preds = ns.matmul(feature, head)
    loss = cross_entropy(ns, preds, y)
    s = ns.svdvals(feature)
    return loss + lam * ns.sum(s, axis=-1)


def by_determinants(ns, feature, head, y, lam):
    """The mean of log(1 + e^-m), m the margin of the label's class over the other, plus lam times the nuclear norm of a
    matrix of two columns, sqrt(|M|_F^2 + 2 sqrt(det M^T M)). Shape (B,)."""
    preds = ns.matmul(feature, head)
    margins = (2 * y - 1) * (preds[:, :, 1] - preds[:, :, 0])
    gram = ns.matmul(ns.matrix_transpose(feature), feature)
    det = gram[:, 0, 0] * gram[:, 1, 1] - gram[:, 0, 1] * gram[:, 1, 0]
    norm = ns.sqrt(gram[:, 0, 0] + gram[:, 1, 1] + 2 * ns.sqrt(det))
    return ns.mean(ns.softplus(-margins), axis=1) + lam * norm


def listed_without_head(ns, feature, head, y, lam):
    """The listing with a head of 0, less the penalty. Shape (B,)."""
    return listed(ns, feature, 0 * head, y, lam) - lam * ns.sum(ns.svdvals(feature), axis=-1)


def twice_without_head(ns, feature, head, y, lam):
    return 2 * listed_without_head(ns, feature, head, y, lam)


def squared(ns, feature, head, y, lam):
    """The squared Frobenius norm instead."""
    preds = ns.matmul(feature, head)
    return cross_entropy(ns, preds, y) + lam * ns.sum(feature * feature, axis=(1, 2))


def largest(ns, feature, head, y, lam):
    preds = ns.matmul(feature, head)
    return cross_entropy(ns, preds, y) + lam * ns.svdvals(feature)[:, 0]


listing = claim(
    "nuclear-two-lines",
    lhs=r"\text{listing}(X,y)",
    tex=r"\mathrm{CE}+\lambda\|\Phi(X)\|_*",
    states="nuclear-erm-nu",
    title="The two lines of the method",
    says=r"The listing returns the cross entropy plus $\lambda$ times the nuclear norm of the "
    "batch's features; here for two features, where that norm needs no singular values.",
    encodes="special-case",
    covers="two-lines",
    reads={"batch": "feature y"},
    domain={n: integers(3), d: integers(2, 2), lam: reals(0, low_open=True)},
    grid={
        "smoke": [{n: 4, d: 2, lam: Fraction(1, 100)}],
        "standard": {n: [3, 6], d: [2], lam: [Fraction(1, 100), 2]},
    },
    relation=equals(),
    legs=[
        leg(
            "determinants",
            listed,
            reference=by_determinants,
            instances=instances(batch, "feature head y", smoke=4, standard=8),
        ),
        # the mean over a batch of any size is log 2 where both classes are alike
        leg(
            "a head of 0",
            listed_without_head,
            closed_form=sp.log(2),
            required=False,
            instances=instances(batch, "feature head y", smoke=2),
            lhs=r"\text{listing}(X,y)-\lambda\|\Phi(X)\|_*",
            tex=r"\log2",
        ),
    ],
    rivals=[
        variant("twice of it", simulation=twice_without_head, leg="a head of 0"),
        variant("the squared Frobenius norm", simulation=squared, leg="determinants"),
        variant("the spectral norm", simulation=largest, leg="determinants"),
    ],
)
