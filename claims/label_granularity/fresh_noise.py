r"""Corollary F.1.1, Lemmas F.2 and F.3: what a step and its bias do on fresh noise.

Setting. Delta w != 0 is a step, n its length, Delta b = -beta n, zeta ~ N(0, sigma^2 I_d) independent of it. Then
<Delta w, zeta> ~ N(0, sigma^2 n^2), whatever the direction.

Statements. (1) P[|<Delta w, zeta>| > beta n] = erfc(beta/(sigma sqrt 2)), the strong noise of F.1.1. It is the law of
one step: where the lengths of several add up to m times that of the whole change, n, the bias has fallen by beta m n,
and it is erfc(beta m/(sigma sqrt 2)). (2) P[<Delta w, zeta> + Delta b >= 0] = Q(beta/sigma), ordinary noise. (3) On a
patch alpha v* + zeta with <Delta w, v*> = rho n it is Q((beta - alpha rho)/sigma), for every real beta: <Delta w, alpha
v* + zeta> + Delta b is Gaussian of mean n (alpha rho - beta) and deviation sigma n. All are free of d and of n.

Reference: lines 1735-1851; all three are derived.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    choices,
    claim,
    formula_leg,
    integers,
    leg,
    probability,
    reals,
    rivals_of,
    typed,
    variant,
)

d = sp.Symbol("d", integer=True, positive=True)
beta, sigma, alpha, n, m = sp.symbols("beta sigma alpha n m", positive=True)
rho = sp.Symbol("rho", real=True)
shape = sp.Symbol("shape")

SHAPES = ["one entry", "equal", "falling"]
EITHER_SIDE = sp.erfc(beta / (sp.sqrt(2) * sigma))
SEVERAL = sp.erfc(beta * m / (sp.sqrt(2) * sigma))
ONE_SIDE = sp.erfc(beta / (sp.sqrt(2) * sigma)) / 2
FEATURE = sp.erfc((beta - alpha * rho) / (sp.sqrt(2) * sigma)) / 2


def direction(ns, d, shape, n):
    """A vector of length n of one of the shapes. Shape (d,)."""
    entries = {
        "one entry": [int(i == 0) for i in range(d)],
        "equal": [1] * d,
        "falling": [Fraction(1, i + 1) for i in range(d)],
    }[shape]
    squares = sum(Fraction(x) ** 2 for x in entries)
    return ns.asarray(n) * ns.asarray(entries) / ns.sqrt(ns.asarray(squares))


def response(ns, rng, size, d, shape, n, sigma):
    """<Delta w, zeta> for fresh zeta. Shape (size,)."""
    return ns.sum(direction(ns, d, shape, n) * ns.asarray(sigma) * rng.normal((size, d)), axis=1)


def beats(ns, rng, size, d, shape, n, beta, sigma, m):
    """Whether |<Delta w, zeta>| exceeds what the bias has fallen by in two steps of as much along Delta w, of lengths
    that add up to m n; what they have beside it, on one more axis, cancels. Shape (size,)."""
    along = direction(ns, d, shape, n) / 2
    beside = ns.asarray(n) / 2 * ns.sqrt(ns.asarray(m * m - 1))
    steps = [ns.concat([along, ns.full((1,), side * beside)]) for side in (1, -1)]
    seen = ns.sum((steps[0] + steps[1]) * ns.asarray(sigma) * rng.normal((size, d + 1)), axis=1)
    fallen = ns.asarray(beta) * sum(ns.sqrt(ns.sum(step * step)) for step in steps)
    return ns.where(ns.abs(seen) > fallen, 1, 0)


def rises(ns, rng, size, d, shape, n, beta, sigma):
    """Whether <Delta w, zeta> + Delta b >= 0. Shape (size,)."""
    seen = response(ns, rng, size, d, shape, n, sigma)
    return ns.where(seen - ns.asarray(beta) * ns.asarray(n) >= 0, 1, 0)


def rises_on_feature(ns, rng, size, d, shape, n, rho, alpha, beta, sigma):
    """Whether <Delta w, alpha v* + zeta> + Delta b >= 0, v* one more axis. Shape (size,)."""
    along, beside = ns.asarray(n) * ns.asarray(rho), ns.sqrt(ns.asarray(1 - rho * rho))
    zeta = ns.asarray(sigma) * rng.normal((size, d + 1))
    others = ns.sum(direction(ns, d, shape, n) * beside * zeta[:, :-1], axis=1)
    seen = along * (ns.asarray(alpha) + zeta[:, -1]) + others
    return ns.where(seen - ns.asarray(beta) * ns.asarray(n) >= 0, 1, 0)


POSITIVE = reals(0, low_open=True)
SCENE = {d: integers(1), shape: choices(*SHAPES), n: POSITIVE, beta: POSITIVE, sigma: POSITIVE}
NEAR = sp.And(
    beta <= sigma,
    n >= sp.Rational(1, 100),
    n <= 100,
    sigma <= 100,
    sigma >= sp.Rational(1, 100),
    d <= 100,
)
STEPS = {
    "smoke": [
        {d: k, shape: s, n: h, beta: Fraction(1, 2), sigma: 1}
        for k, s, h in ((1, "one entry", 1), (3, "falling", 2), (9, "equal", Fraction(1, 3)))
    ],
    "standard": [
        {d: k, shape: s, n: 1, beta: 1, sigma: h} for k in (2, 16) for s in SHAPES for h in (1, 3)
    ],
}
LAW = ["beta > 0", "sigma > 0", "n > 0 real", "z ~ N(0, (sigma*n)**2)"]

BOTH_SIDES = "P[z > beta*m*n] + P[z < -beta*m*n]"
TWO = formula_leg(
    "two sides",
    typed(f"{BOTH_SIDES} == {SEVERAL}", over=["m in [1, oo)", *LAW]),
    over="zeta_star",
)
FALLEN = formula_leg(
    "more steps, less often",
    typed(f"{SEVERAL} <= {EITHER_SIDE}", over=["m in [1, oo)", *LAW[:2]]),
    over="zeta_star Delta_w",
)

strong = claim(
    "granularity-strong-noise-law",
    lhs=r"\Pr[|\langle\Delta w,\zeta^*\rangle|>\beta\|\Delta w\|]",
    tex=r"\operatorname{erfc}\Big(\frac\beta{\sqrt2\,\sigma_{\zeta^*}}\Big)",
    states="granularity-bias-beats-strong-noise",
    title="How often the strong noise beats the bias",
    says=r"$\Pr[|\langle\Delta w,\zeta^*\rangle|>\beta\|\Delta w\|]="
    r"\operatorname{erfc}(\beta/(\sqrt2\,\sigma_{\zeta^*}))$ for every step $\Delta w\ne0$; with $m\beta$ for $\beta$, "
    r"and so less often, where several steps of a total length of $m\|\Delta w\|$ add up to $\Delta w$.",
    role="derived",
    covers="exact-law",
    reads={"Delta_w": "n", "sigma_zeta_star": "sigma"},
    domain={**SCENE, m: reals(1)},
    grid={
        "smoke": [
            {**at, m: h} for at, h in zip(STEPS["smoke"], (1, 2, Fraction(3, 2)), strict=True)
        ],
        "standard": [{**at, m: 1} for at in STEPS["standard"]],
    },
    closed_form=SEVERAL,
    legs=[
        leg(
            "drawn",
            beats,
            statistic=probability(),
            required=False,
            where=sp.And(NEAR, beta * m <= sigma),
        ),
        TWO,
        FALLEN,
    ],
    rivals=[
        variant("one side", closed_form=SEVERAL / 2, leg="drawn"),
        variant("beta sqrt d", closed_form=SEVERAL.subs(beta, beta * sp.sqrt(d)), leg="drawn"),
        variant("the length left out", closed_form=SEVERAL.subs(beta, beta * n), leg="drawn"),
        variant("of one step", closed_form=EITHER_SIDE, leg="drawn"),
        *rivals_of(TWO, {"without the root of 2": f"{BOTH_SIDES} == erfc(beta*m/sigma)"}),
        *rivals_of(FALLEN, {"half as often": f"{SEVERAL} <= {EITHER_SIDE / 2}"}),
    ],
    mutate=False,
)

ONE = formula_leg("one side", typed(f"P[z - beta*n >= 0] == {ONE_SIDE}", over=LAW), over="zeta")

noise = claim(
    "granularity-noise-law",
    lhs=r"\Pr[\langle\Delta w,\zeta\rangle\ge\beta\|\Delta w\|]",
    tex=r"Q(\beta/\sigma_\zeta)",
    states="granularity-noise-nonactivation",
    title="How often a step rises on fresh noise",
    says=r"$\Pr[\langle\Delta w,\zeta\rangle\ge\beta\|\Delta w\|]=Q(\beta/\sigma_\zeta)$ for every $\Delta w\ne0$.",
    role="derived",
    covers="exact-law",
    reads={"Delta_w": "n"},
    domain=SCENE,
    grid=STEPS,
    closed_form=ONE_SIDE,
    legs=[leg("drawn", rises, statistic=probability(), required=False, where=NEAR), ONE],
    rivals=[
        variant("two sides", closed_form=EITHER_SIDE, leg="drawn"),
        variant("sigma sqrt d", closed_form=ONE_SIDE.subs(sigma, sigma * sp.sqrt(d)), leg="drawn"),
        variant("the length left out", closed_form=ONE_SIDE.subs(beta, beta * n), leg="drawn"),
        *rivals_of(ONE, {"Q(beta n/sigma)": "P[z - beta*n >= 0] == Q(beta*n/sigma)"}),
    ],
    mutate=False,
)

# beta is any real number here: the whole law
PATCH = formula_leg(
    "on a feature",
    typed(
        f"P[alpha*rho*n + z - beta*n >= 0] == {FEATURE}",
        over=["alpha > 0", "rho in [-1, 1]", "beta in R", *LAW[1:]],
    ),
    over="zeta",
)

feature = claim(
    "granularity-feature-law",
    lhs=r"\Pr[\langle\Delta w,\alpha v^*+\zeta\rangle+\Delta b\ge0]",
    tex=r"Q\Big(\frac{\beta-\alpha\rho}{\sigma_\zeta}\Big)",
    states="granularity-feature-nonactivation",
    title="The law of a step on a fresh patch",
    says=r"Given the step, $\langle\Delta w,\alpha v^*+\zeta\rangle-\beta\|\Delta w\|$ is Gaussian of mean "
    r"$\alpha\langle\Delta w,v^*\rangle-\beta\|\Delta w\|$ and deviation $\sigma_\zeta\|\Delta w\|$: it is not "
    r"negative with probability $Q((\beta-\alpha\rho)/\sigma_\zeta)$, $\rho=\langle\Delta w,v^*\rangle/\|\Delta "
    r"w\|$, whatever $\beta$.",
    role="derived",
    covers="conditional-law",
    reads={"Delta_w": "n rho"},
    domain={**SCENE, beta: reals(), rho: reals(-1, 1), alpha: POSITIVE},
    grid={
        "smoke": [
            {**point, rho: r, alpha: a}
            for point, r, a in zip(
                STEPS["smoke"], (0, Fraction(1, 2), Fraction(-1, 4)), (1, 1, 2), strict=True
            )
        ],
        "standard": [
            {**point, rho: Fraction(1, 4), alpha: Fraction(9, 10)} for point in STEPS["standard"]
        ],
    },
    closed_form=FEATURE,
    legs=[
        leg(
            "drawn",
            rises_on_feature,
            statistic=probability(),
            required=False,
            where=sp.And(NEAR, alpha <= 2 * sigma, beta >= -sigma),
        ),
        PATCH,
    ],
    rivals=[
        variant("the feature's part left out", closed_form=ONE_SIDE, leg="drawn"),
        variant("added to the bias", closed_form=FEATURE.subs(rho, -rho), leg="drawn"),
        *rivals_of(
            PATCH,
            {
                "on the other side": "P[alpha*rho*n + z - beta*n >= 0] == Q((beta + alpha*rho)/sigma)"
            },
        ),
    ],
    mutate=False,
)

STILL = ["beta > 0", "C > 0 real", "y >= 0", "n in {0}"]
"""A neuron that gets no update: n = |Delta w| is 0. Such neurons are most of a network's: they fire on no patch."""

strict_strong = claim(
    "granularity-strong-noise-printed",
    states="granularity-bias-beats-strong-noise",
    title="The bias against strong noise as printed",
    says=r"With some $c>0$, $\Delta b_r<-c\,|\langle\Delta w_r,\zeta^*\rangle|$ for every neuron, those without an "
    "update too, where it reads $0<0$.",
    covers="printed-bound",
    reads={"polylog": "C"},
    expect="fail",
    legs=[
        formula_leg("no update", typed("-beta*n < -C*y*n", over=STILL), over="d run zeta_star t r")
    ],
)

strict_feature = claim(
    "granularity-feature-nonactivation-printed",
    states="granularity-feature-nonactivation",
    title="No drift towards other features as printed",
    says=r"$\langle\Delta w_r,x\rangle+\Delta b_r<0$ on fresh patches of $v^*$ for every step of the form (163), also "
    "one whose indicators are all 0, where it reads $0<0$.",
    covers="no-drift",
    expect="fail",
    legs=[
        formula_leg(
            "no update",
            typed("y*n - beta*n < 0", over=STILL),
            over="d t tau v_star r patches step_noise patch",
        )
    ],
)

# two words with the same weight x: the step has length sqrt 2 x, the sum of the sizes is 2 x
bias_bound = claim(
    "granularity-bias-bound-printed",
    states="granularity-noise-nonactivation",
    title="The size of the bias step as printed",
    says=r"$\|\Delta w_r\|\ge\frac\eta{NP}(\sqrt{1-\iota}-\log^{-9}d)\sum|\mathbf 1\{y_n=+\}-p_n|\cdot\#\text{open}$ "
    "for every step of the form (171), also one of equal weights on two features.",
    covers="bias-bound",
    expect="fail",
    legs=[
        formula_leg(
            "two features",
            typed(
                "sqrt(2)*x >= (sqrt(1 - iota) - 1/log(d)**9)*2*x",
                over=["x > 0", "iota in [0, 1/4]", "d in 20..oo"],
            ),
            over="t r batch",
        )
    ],
)
