"""Lemmas A.8 and A.9: the largest class mean and the output at initialisation.

Setting. w_kj ~ N(0, 1/d) independent, a_k = s_k/m with fair signs s_k; S = sum mu_j^2 <= d0; x is fixed before the
draw.

Statements, A.8. (1) For each class the largest |E <w_k, x>| over m neurons reaches 2 sqrt(S log m/d) with
probability 1 - (2 Phi(2 sqrt(log m)) - 1)^m; (2) at most 2/m, so that both classes stay below 2 sqrt(d0 log m/d)
with probability 1 - 4/m. (3) The display of the proof is about one neuron and one side: Q(2 sqrt(log m)) <= 1/m.

Statements, A.9. (4) Var h(x) = |x|^2/(2 m d): on a symmetric rule that is exact for squares, too, since ReLU(u)^2 +
ReLU(-u)^2 = u^2. (5) P[|h(x)| >= delta] <= 2 exp(-delta^2 m d/(2 |x|^2)): with r = |x|^2/d, E exp(u s ReLU(g)) = 1/2
+ exp(u^2 r/2)/2 <= exp(u^2 r/2) for one neuron. (6) With |x|^2 <= d0, m >= d0, d >= d0^2 that is at most e^(-d0) for
delta = 2/sqrt(d0). (7) The proof's |h| <= |mean of <w_k, x>| is false: signs 1, -1 and pre-activations 1, -1.

Reference: Lemmas A.8, A.9, lines 483-519. d >= d0^2 suffices; the proof takes d0^2.5.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import sympy as sp

from theorycheck import (
    at_most,
    choices,
    claim,
    equals,
    formula,
    formula_leg,
    instances,
    integers,
    leg,
    mean,
    probability,
    reaching,
    reals,
    rivals_of,
    typed,
    variance_at_most,
    variant,
)
from theorycheck.blocks.gaussian_rules import THIRD, product_rule

from ._network import dot, output

m, d, d0 = sp.symbols("m d d0", integer=True, positive=True)
r, delta = sp.symbols("r delta", positive=True)
y = sp.Symbol("y", integer=True)


# ---- A.8


def reaches(ns, w, m, y):
    """Whether the largest |E <w_k, x>| of class y reaches the threshold: d0 = 3, d = 10, mu = (1, 1/2, 1), two core
    features. ``w``: (size, m, 3) standard Gaussians; shape (size,)."""
    mu = ns.asarray([Fraction(int(y)), Fraction(int(y), 2), Fraction(1)])
    sums = ns.sum(w * mu, axis=2) / ns.sqrt(ns.asarray(10))
    level = 2 * ns.sqrt(ns.rational(9, 4) * ns.log(ns.asarray(m)) / 10)
    return ns.max(abs(sums), axis=1) >= level


def exceeds(ns, rng, size, m, y):
    return reaches(ns, rng.normal((size, m, 3)), m, y)


def first_class(ns, rng, size, m):
    return reaches(ns, rng.normal((size, m, 3)), m, 1)


def either_class(ns, rng, size, m):
    """Whether one of the two does, on the same weights. Shape (size,)."""
    w = rng.normal((size, m, 3))
    return reaches(ns, w, m, 1) | reaches(ns, w, m, -1)


ONE_CLASS = 1 - (1 - sp.erfc(sp.sqrt(2 * sp.log(m)))) ** m
EXACT = ONE_CLASS + 0 * y
BARE: dict[str, dict[str, str] | list[str]] = {"let": {}, "steps": []}

exceedance = claim(
    "contamination-init-max-correlation-value",
    lhs=r"\Pr\Big[\max_k|\mathbb E\langle w_k,x\rangle|\ge2\sqrt{\tfrac{S\log m}d}\Big]",
    tex=r"1-(2\Phi(2\sqrt{\log m})-1)^m",
    states="contamination-init-max-correlation",
    title="Exact probability for one class",
    says=r"For each class the largest of $m$ class means reaches $2\sqrt{S \log m/d}$ with "
    r"probability $1 - (2\Phi(2\sqrt{\log m}) - 1)^m$.",
    role="reading",
    covers="exact-exceedance",
    domain={m: integers(1), y: choices(1, -1)},
    grid={"smoke": {m: [2, 3], y: [1]}, "standard": {m: [2, 4], y: [1, -1]}},
    closed_form=EXACT,
    legs=[
        leg(
            "draws", exceeds, statistic=probability(), where=m <= 8, budget={"standard": 20_000_000}
        )
    ],
    rivals=[
        variant("one neuron", closed_form=1 - sp.erf(sp.sqrt(2 * sp.log(m))) + 0 * y),
        variant(
            "threshold sqrt(2 S log m/d)", closed_form=1 - sp.erf(sp.sqrt(sp.log(m))) ** m + 0 * y
        ),
    ],
)


def two():
    """C = 2: 2 sqrt(S log m/d) <= 2 sqrt(d0 log m/d), as the mu_j are at most 1."""
    return 2


BOTH = formula_leg(
    "both classes",
    typed(
        f"2*({ONE_CLASS}) <= 4/m",
        over="m in 1..oo",
        let={"t": "sqrt(2*log(m))"},
        steps=["1 - (1 - erfc(t))**m <= m*erfc(t)", "erfc(t) <= exp(-t**2)"],
    ),
    over="W_0 y k",
    gives="C",
    chosen_by=two,
)
BELOW = formula_leg(
    "S at most d0",
    typed(
        "2*sqrt(r*d0*L) <= 2*sqrt(d0*L)",
        over=["r in (0, 1]", "d0 in 1..oo", "L in [0, oo)"],
    ),
    over="W_0 y k",
)

largest = claim(
    "contamination-init-max-correlation",
    title="The largest class mean",
    says=r"For both classes at once the largest $|\mathbb{E}\langle w_k, x\rangle|$ is at most "
    r"$2\sqrt{d_0 \log m/d}$ with probability $1 - 4/m$: twice the exact probability of one class, which draws "
    "have, is at most $4/m$.",
    covers="max-bound",
    domain={m: integers(1)},
    grid={"smoke": {m: [2]}, "standard": {m: [2, 5]}},
    legs=[
        BOTH,
        BELOW,
        leg(
            "draws, one class",
            first_class,
            statistic=probability(),
            closed_form=ONE_CLASS,
            where=m <= 8,
            required=False,
            lhs=r"\Pr\Big[\max_k|\mathbb E\langle w_k,x\rangle|\ge2\sqrt{\tfrac{S\log m}d}\Big]",
            tex=r"1-(2\Phi(2\sqrt{\log m})-1)^m",
        ),
        leg(
            "draws, both classes",
            either_class,
            statistic=probability(),
            relation=at_most(),
            closed_form=4 / m,
            where=m <= 8,
            required=False,
            grid={"smoke": {m: [5]}, "standard": {m: [5, 8]}},
            lhs=r"\Pr\Big[\max_{k,y}|\mathbb E\langle w_k,x\rangle|\ge2\sqrt{\tfrac{S\log m}d}\Big]",
            tex=r"\frac4m",
        ),
    ],
    rivals=[
        *rivals_of(
            BOTH,
            {
                "failure 4/m^2": {"says": f"2*({ONE_CLASS}) <= 4/m**2", **BARE},
                "threshold sqrt(2 S log m/d)": {
                    "says": f"2*({ONE_CLASS.subs(sp.sqrt(2), 1)}) <= 4/m",
                    **BARE,
                },
            },
        ),
        *rivals_of(BELOW, {"C = 1": "2*sqrt(r*d0*L) <= sqrt(d0*L)"}),
        *reaching(BELOW, "r > 9/10 and d0 > 9"),
        variant(
            "one neuron",
            leg="draws, one class",
            closed_form=1 - sp.erf(sp.sqrt(2 * sp.log(m))),
        ),
        variant(
            "of 2 m neurons",
            leg="draws, one class",
            closed_form=1 - sp.erf(sp.sqrt(2 * sp.log(m))) ** (2 * m),
        ),
        variant("a tenth of it", leg="draws, both classes", closed_form=2 / (5 * m)),
    ],
)

displayed = formula(
    "contamination-init-max-correlation-display",
    states="contamination-init-max-correlation",
    title="The display of the proof, one neuron and one side",
    says="erfc(sqrt(2*log(m)))/2 <= 1/m",
    over="m in 1..oo",
    covers="displayed-step",
    reads={"k": "m", "y": "m"},
    role="reading",
    rivals={
        "threshold sqrt(S log m/d)": {"says": "erfc(sqrt(log(m)/2))/2 <= 1/m", **BARE},
        "1/(7 m)": {"says": "erfc(sqrt(2*log(m)))/2 <= 1/(7*m)", **BARE},
    },
    let={"t": "sqrt(2*log(m))"},
    steps=["erfc(t) <= exp(-t**2)"],
)


# ---- A.9


def second_moment(x, m, d):
    """E h(x)^2 over all signs and the nodes of a rule of degree 3 for the m d weights. Shape ()."""
    nodes, weights = product_rule([THIRD] * (m * d))
    total = Fraction(0)
    for node, chance in zip(nodes, weights, strict=True):
        W = [[Fraction(v) for v in node[k * d : (k + 1) * d]] for k in range(m)]
        for s in product((1, -1), repeat=m):
            total += chance * output(W, s, x) ** 2
    return total / (2**m * d)  # the nodes have variance 1, the weights 1/d


def half_over(x, m, d):
    """|x|^2/(2 m d). Shape ()."""
    return dot(x, x) / (2 * m * d)


def linear_variance(x, m, d):
    return dot(x, x) / (m * d)


def without_width(x, m, d):
    return dot(x, x) / (2 * d)


variance = claim(
    "contamination-init-output-variance",
    lhs=r"\operatorname{Var}h^{(0)}(x)",
    tex=r"\frac{\|x\|^2}{2md}",
    states="contamination-init-output",
    title="Variance of the output at initialisation",
    says=r"For every $x$, $m$ and $d$, $\mathrm{Var}\,h(x) = |x|^2/(2md)$.",
    role="reading",
    covers="variance-exact",
    domain={m: integers(1), d: integers(1)},
    grid={
        "smoke": [{m: 1, d: 2}, {m: 2, d: 2}, {m: 3, d: 1}],
        "standard": [{m: 2, d: 3}, {m: 3, d: 2}, {m: 1, d: 5}],
    },
    legs=[
        leg(
            "rule of degree 3",
            second_moment,
            reference=half_over,
            where=m * d <= 7,
            instances=instances(
                lambda rng, m, d: {"x": rng.rational((d,), 4)}, "x", smoke=2, standard=5
            ),
        )
    ],
    rivals=[
        variant("the linear network's", reference=linear_variance),
        variant("the 1/m forgotten", reference=without_width, at=[{m: 2, d: 2}]),
    ],
)

MOMENT = "1/2 + exp(v*u**2/2)*(erfc(-u*sqrt(v/2)) + erfc(u*sqrt(v/2)))/4"
"""E exp(u s ReLU(g)) for g of variance v and a fair sign s."""


def quadratic(u):
    return f"({u})**2/2"


AT_BEST = f"m*{quadratic('(delta*m/r)/m')}*r - (delta*m/r)*delta"
"""The exponent for m neurons of variance r at u = delta m/r over m, and Markov's inequality."""

GAUSSIAN = formula_leg(
    "at most Gaussian",
    typed(
        f"{MOMENT} <= exp({quadratic('u')})",
        over=["v in (0, 1]", "u in (-oo, oo)"],
    ),
    over="x delta m d",
)

tail = claim(
    "contamination-init-output-tail",
    states="contamination-init-output",
    title="The output at initialisation is sub-Gaussian",
    says=r"$P[|h(x)| \ge \delta] \le 2\exp(-\delta^2md/(2|x|^2))$: the exponential moment of one "
    "neuron, and Markov's inequality for the sum at the best exponent, from both sides.",
    role="reading",
    covers="subgaussian-tail",
    reads={"x": "r", "d": "r"},
    legs=[
        formula_leg(
            "moment of one neuron",
            typed(f"{MOMENT} == 1/2 + exp(v*u**2/2)/2", over=["v in (0, 1]", "u in (-oo, oo)"]),
            over="x delta m d",
        ),
        GAUSSIAN,
        formula_leg(
            "the best exponent",
            typed(
                f"{AT_BEST} == -delta**2*m/(2*r)",
                over=["delta in [0, oo)", "m in 1..oo", "r in (0, oo)"],
            ),
            over="x delta m d",
        ),
        formula_leg(
            "one neuron",
            typed("erfc(t/sqrt(2))/2 <= 2*exp(-t**2/2)", over="t in [0, oo)"),
            over="x delta m d",
        ),
    ],
    rivals=[
        variant(
            "the variance of h as proxy",
            leg="one neuron",
            simulation=typed("erfc(t/sqrt(2))/2 <= 2*exp(-t**2)", over="t in [0, oo)"),
        ),
        *rivals_of(GAUSSIAN, {"of a larger variance": {"over": ["v in (0, 2]", "u in (-oo, oo)"]}}),
        variant(
            "the square of m",
            leg="the best exponent",
            simulation=typed(
                f"{AT_BEST} == -delta**2*m**2/(2*r)",
                over=["delta in [0, oo)", "m in 1..oo", "r in (0, oo)"],
            ),
        ),
    ],
)

SUBGAUSSIAN = 2 * sp.exp(-(delta**2) * m * d / (2 * r))
SUPPORT = ["d0 in 1..oo", "m in [d0, oo)", "d in [d0**2, oo)", "r in (0, d0]"]
EXPONENT = "delta**2*m*d/(2*r)"
ENOUGH = formula_leg(
    "exponent",
    typed(
        f"{EXPONENT} >= 2*d0",
        over=[*SUPPORT, "delta > 0"],
        where="delta**2*d0 >= 4",
        steps=["m*d >= d0**3", "delta**2*m*d >= 4*d0**2"],
    ),
    over="W_0 a",
    gives="C",
    chosen_by=two,
)
SMALL = formula_leg(
    "bound",
    typed(
        f"{SUBGAUSSIAN} <= exp(-d0)",
        over=["d0 in 1..oo", "m in 1..oo", "d in 1..oo", "r > 0", "delta > 0"],
        where=f"{EXPONENT} >= 2*d0",
    ),
    over="W_0 a",
)


def first_output(ns, rng, size, d0, m, d, r, delta):
    """h(x) at initialisation: x has r/d0 for the square of each of its first d0 coordinates. Shape (size,)."""
    x = ns.sqrt(ns.asarray(Fraction(r) / int(d0)))
    pre = ns.sum(rng.normal((size, m, d0)) * x, axis=2) / ns.sqrt(ns.asarray(d))
    return ns.sum(rng.signs((size, m)) * ns.relu(pre), axis=1) / m


def large_output(ns, rng, size, d0, m, d, r, delta):
    """Whether |h(x)| >= delta. Shape (size,)."""
    return abs(first_output(ns, rng, size, d0, m, d, r, delta)) >= ns.asarray(delta)


def without_signs(ns, rng, size, d0, m, d, r, delta):
    """|h(x)|, of mean above 0."""
    return abs(first_output(ns, rng, size, d0, m, d, r, delta))


def start(d0_, m_, d_, r_, delta_):
    return {d0: d0_, m: m_, d: d_, r: r_, delta: delta_}


small = claim(
    "contamination-init-output",
    title="The output at initialisation is small",
    says=r"For fixed $x$ with $|x|^2 = r \le d_0$, $m \ge d_0$ and $d \ge d_0^2$ the bound "
    r"$2\exp(-\delta^2md/(2r))$ on $P[|h(x)| \ge \delta]$, which draws obey, is at most $e^{-d_0}$ from "
    r"$\delta = 2/\sqrt{d_0}$ on.",
    covers="output-small",
    reads={"x": "r"},
    domain={
        d0: integers(1),
        m: integers(1),
        d: integers(1),
        r: reals(0, low_open=True),
        delta: reals(0, low_open=True),
    },
    where=(m >= d0) & (d >= d0**2) & (r <= d0) & (delta**2 * d0 >= 4),
    grid={
        "smoke": [start(1, 1, 1, 1, 2)],
        "standard": [start(1, 2, 1, 1, 2), start(2, 2, 4, 2, Fraction(3, 2))],
    },
    legs=[
        ENOUGH,
        SMALL,
        leg(
            "draws",
            large_output,
            statistic=probability(),
            relation=at_most(),
            closed_form=SUBGAUSSIAN,
            where=(m <= 6) & (d0 <= 3),
            required=False,
            lhs=r"\Pr[|h^{(0)}(x)|\ge\delta]",
            tex=r"2\exp\Big(-\frac{\delta^2md}{2\|x\|^2}\Big)",
        ),
        leg(
            "draws, mean",
            first_output,
            statistic=mean(variance_at_most(r / (2 * m * d))),
            relation=equals(),
            closed_form=sp.Integer(0),
            where=(m <= 6) & (d0 <= 3),
            required=False,
            grid={"smoke": [start(1, 1, 1, 1, 2)]},
            unit=1,
            lhs=r"\mathbb E\,h^{(0)}(x)",
            tex="0",
        ),
    ],
    rivals=[
        variant("the mean of |h|", leg="draws, mean", simulation=without_signs),
        *rivals_of(
            SMALL,
            {
                "exp(-3 d0)": {"says": f"{SUBGAUSSIAN} <= exp(-3*d0)", "steps": []},
            },
        ),
        *rivals_of(
            ENOUGH,
            {
                "for every x of R^d": {
                    "over": [*SUPPORT[:-1], "r in (0, oo)", "delta > 0"],
                    "steps": [],
                },
                "from 1/sqrt(d0) on": {"where": "delta**2*d0 >= 1", "steps": []},
            },
        ),
        variant(
            "four times the exponent",
            leg="draws",
            closed_form=2 * sp.exp(-2 * delta**2 * m * d / r),
            at=[start(1, 1, 1, 1, 2)],
        ),
    ],
)


def opposed(rng, m, d):
    """Signs 1, -1, 1, .. and pre-activations 1, -1, 1, .. at x = (1, 0, ..)."""
    rest = [Fraction(0)] * (d - 1)
    return {
        "W": [[Fraction((-1) ** k), *rest] for k in range(m)],
        "s": [(-1) ** k for k in range(m)],
        "x": [Fraction(1), *rest],
    }


def absolute_output(W, s, x, m, d):
    """|h(x)|. Shape ()."""
    return abs(output(W, s, x))


def absolute_mean(W, s, x, m, d):
    """|sum_k <w_k, x>|/m. Shape ()."""
    return abs(sum(dot(w, x) for w in W)) / m


pathwise = claim(
    "contamination-init-output-pathwise",
    lhs=r"|h^{(0)}(x)|",
    tex=r"\Big|\tfrac1m\textstyle\sum_k\langle w_k,x\rangle\Big|",
    states="contamination-init-output",
    title="The first inequality of the proof",
    says="On every draw $|h(x)|$ is at most the absolute mean of the pre-activations.",
    role="reading",
    expect="fail",
    covers="pathwise-steps",
    reads={"W_0": "W", "a": "s"},
    domain={m: integers(1), d: integers(1)},
    grid={"smoke": [{m: 2, d: 1}]},
    relation=at_most(),
    legs=[
        leg(
            "one draw",
            absolute_output,
            reference=absolute_mean,
            instances=instances(opposed, "W s x", smoke=1),
        )
    ],
)
