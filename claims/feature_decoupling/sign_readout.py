r"""Corollary 3.3, classification: the sign of a linear read-out, given the code of a sample.

Setting and statements: those of `linear_readout`. Given z the prediction <u, x> is Gaussian with mean <u, M z> and
variance s2 |u|^2, so that the sign of y is met with probability Phi(y <u, M z>/(sigma |u|)), y = +-1.

Reference: Corollary 3.3, lines 216-224. The sign of 0 meets no label +-1. Read as 1/2 + o(1) the line is right.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from flint import arb, ctx

from theorycheck import (
    at_least,
    at_most,
    claim,
    formula_leg,
    instances,
    integers,
    leg,
    reals,
    rivals_of,
    typed,
    variant,
)

from ._dictionary import ONE_POINT, codes, dot, flat_columns
from ._gaussian import BITS, mean_of, number
from .linear_readout import along, readout

d, m, e = sp.symbols("d m e", integer=True, positive=True)
q, s2 = sp.symbols("q s2", positive=True)

SETTING = {
    "domain": {
        d: integers(1),
        m: integers(1),
        e: integers(0),
        q: reals(0, 1, low_open=True),
        s2: reals(0, low_open=True),
    },
    "where": d <= 2**e,
    "grid": {
        "smoke": [
            {d: 2, m: 2, e: 2, q: Fraction(1, 4), s2: Fraction(1, 2)},
            {d: 3, m: 1, e: 2, q: Fraction(1, 2), s2: 4},
        ],
        "standard": [
            {d: n, m: k, e: 3, q: h, s2: Fraction(1, 3)}
            for n in (1, 3, 4)
            for k in (1, 4)
            for h in (Fraction(1, 10), Fraction(2, 3))
        ],
    },
}
SMALL = (d <= 4) & (e <= 3) & (m <= 8) & (s2 > sp.Rational(1, 10**6)) & (s2 < 10**6)


def Phi(x):
    return (1 + (x / arb(2).sqrt()).erf()) / 2


def right(W, v, w_star, d, m, e, q, s2, sharp=1):
    """Probability of y != 0 and a right sign, summed over the codes. Shape ()."""
    with ctx.workprec(BITS):
        u = readout(W, v)
        a, scale = along(u, d), (number(s2) * number(2**e * dot(u, u))).sqrt()
        total = arb(0)
        for z, p in codes(d, q):
            y = dot(w_star, z)
            if y:
                total += number(p) * Phi(sharp * number(dot(a, z) * (1 if y > 0 else -1)) / scale)
        return total


def labelled(w_star, d, q):
    """P[y != 0]. Shape ()."""
    return sum((p for z, p in codes(d, q) if dot(w_star, z)), Fraction(0))


def beyond_half(W, v, w_star, d, m, e, q, s2):
    """Distance of the probability from P[y != 0]/2, over sqrt(q/(2 pi s2)). Shape ()."""
    with ctx.workprec(BITS):
        gap = right(W, v, w_star, d, m, e, q, s2) - number(labelled(w_star, d, q)) / 2
        return abs(gap) * (2 * arb.pi() * number(s2) / number(q)).sqrt()


def not_halved(W, v, w_star, d, m, e, q, s2):
    """The probability itself over sqrt(q/(2 pi s2))."""
    with ctx.workprec(BITS):
        return right(W, v, w_star, d, m, e, q, s2) * (2 * arb.pi() * number(s2) / number(q)).sqrt()


def draw(rng, d, m, e, q, s2):
    """Any read-out, not 0."""
    while True:
        W, v = rng.rational((m, 2**e), 3), rng.rational((m,), 3)
        if any(readout(W, v)):
            return {"W": W, "v": v, "w_star": rng.rational((d,), 3)}


def oracle(rng, d, m, e, q, s2):
    """Every row of W is M w*, and v adds them: the prediction along M w*."""
    w_star = [Fraction(int(rng.signs()) * int(rng.integers(1, 4)), 2) for _ in range(d)]
    columns = flat_columns(d, 2**e)
    row = [
        sum((w_star[j] * columns[j][i] for j in range(d)), Fraction(0)) / 2**e for i in range(2**e)
    ]
    return {"W": [row] * m, "v": [Fraction(1, m)] * m, "w_star": w_star}


# r = <u, M z>/(sigma |u|), y is the sign of the label given z
LIPSCHITZ = formula_leg(
    "slope",
    typed("abs(Phi(y*r) - 1/2) <= abs(r)/sqrt(2*pi)", over=["r in R", "y in {-1, 1}"]),
)
# E |r| <= sqrt(E r^2), E r^2 = q A/(s2 U) with A = |M^T u|^2 <= U = |u|^2, the sum over d columns
SQUARE = formula_leg(
    "second moment",
    typed(
        "sqrt(q*A/(s2*U))/sqrt(2*pi) <= sqrt(q/(2*pi*s2))",
        over=["q in (0, 1]", "s2 > 0", "U > 0", "A in [0, U]"],
    ),
)
COLUMNS = formula_leg(
    "all columns",
    typed(
        "Sum(q*a[j]**2, (j, 1, d)) <= q*U",
        over=["q in [0, 1]", "U > 0", "d in 1..oo", "a[j] in R for j in 1..d"],
        where="Sum(a[j]**2, (j, 1, d)) <= U",
    ),
)
JENSEN = formula_leg(
    "mean of the size",
    typed("X <= c/2 + X**2/(2*c)", over=["X in [0, oo)", "c in (0, oo)"]),
)

cap = claim(
    "decoupling-sign-cap",
    lhs=r"\sqrt{\tfrac{2\pi\sigma_\xi^2}q}\,\big|\Pr[\text{right}]-\tfrac12\Pr[y\ne0]\big|",
    tex="1",
    states="decoupling-noaug-downstream",
    title="No linear read-out is far from a half",
    says=r"$|\Pr[\operatorname{sign}\langle "
    r"v,Wx\rangle=y\ne0]-\frac12\Pr[y\ne0]|\le\sqrt{q/(2\pi\sigma_\xi^2)}$ for all "
    r"$W$, $v$ with $W^\top v\ne0$.",
    role="corrected",
    corrects="decoupling-sign-printed",
    covers="classification-cap",
    reads={"sigma2": "s2", "W": "r", "v": "r", "w_star": "y"},
    relation=at_most(),
    closed_form=sp.Integer(1),
    legs=[
        leg(
            "drawn read-outs",
            beyond_half,
            required=False,
            where=SMALL,
            instances=instances(draw, "W v w_star", smoke=3, standard=6),
        ),
        leg(
            "the direction of the label",
            beyond_half,
            required=False,
            where=SMALL,
            instances=instances(oracle, "W v w_star", smoke=1, standard=2),
        ),
        LIPSCHITZ,
        SQUARE,
        COLUMNS,
        JENSEN,
    ],
    rivals=[
        variant(
            "half as far",
            closed_form=sp.Rational(1, 2),
            leg="the direction of the label",
            at=[{d: 1, m: 1, e: 0, q: 1, s2: 4}],
        ),
        variant(
            "half as far, eight dimensions",
            closed_form=sp.Rational(1, 2),
            leg="the direction of the label",
            at=[{d: 1, m: 1, e: 3, q: 1, s2: 4}],
        ),
        variant(
            "of 0",
            simulation=not_halved,
            leg="the direction of the label",
            at=[{d: 1, m: 1, e: 0, q: 1, s2: 4}],
        ),
        *rivals_of(LIPSCHITZ, {"a slope of 1/3": "abs(Phi(y*r) - 1/2) <= abs(r)/3"}),
        *rivals_of(
            SQUARE,
            {"beyond the norm": {"over": ["q in (0, 1]", "s2 > 0", "U > 0", "A in [0, 2*U]"]}},
        ),
        *rivals_of(COLUMNS, {"half of it": "Sum(q*a[j]**2, (j, 1, d)) <= q*U/2"}),
        *rivals_of(JENSEN, {"less": "X <= c/3 + X**2/(2*c)"}),
    ],
    **SETTING,
)


def better_of_two(W, v, w_star, d, m, e, q, s2):
    """The better of v and -v, over P[y != 0]/2; 1 where y is always 0. Shape ()."""
    with ctx.workprec(BITS):
        chance = labelled(w_star, d, q)
        if not chance:
            return arb(1)
        first = right(W, v, w_star, d, m, e, q, s2)
        second = right(W, [-x for x in v], w_star, d, m, e, q, s2)
        return first.max(second) / (number(chance) / 2)


def as_given(W, v, w_star, d, m, e, q, s2):
    """v alone, over the same."""
    with ctx.workprec(BITS):
        chance = labelled(w_star, d, q)
        return right(W, v, w_star, d, m, e, q, s2) / (number(chance) / 2) if chance else arb(1)


def against(rng, d, m, e, q, s2):
    return {**oracle(rng, d, m, e, q, s2), "v": [Fraction(-1, m)] * m}


# r as above, of any W
OPPOSITE = formula_leg("two signs", typed("Phi(r) + Phi(-r) == 1", over="r in R"))
LARGER = formula_leg(
    "the larger", typed("Max(a, P - a) >= P/2", over=["P in [0, 1]", "a in [0, P]"])
)

floor = claim(
    "decoupling-sign-floor",
    states="decoupling-noaug-downstream",
    title="One of two opposite read-outs is right in half of the cases",
    says=r"For $W\ne0$ one of $v$, $-v$ has $\Pr[\operatorname{sign}\langle v,Wx\rangle=y\ne0]\ge\frac12\Pr[y\ne0]$.",
    lhs=r"\max_\pm\Pr[\text{right}]\big/\tfrac12\Pr[y\ne0]",
    tex="1",
    role="derived",
    covers="classification-floor",
    reads={"W": "r"},
    relation=at_least(),
    closed_form=sp.Integer(1),
    legs=[
        leg(
            "drawn read-outs",
            better_of_two,
            required=False,
            where=SMALL,
            gives="v",
            instances=instances(draw, "W v w_star", smoke=3, standard=6),
        ),
        OPPOSITE,
        LARGER,
    ],
    rivals=[
        variant(
            "v as it is",
            simulation=as_given,
            leg="drawn read-outs",
            instances=instances(against, "W v w_star", smoke=1),
        ),
        variant("a tenth more", closed_form=sp.Rational(11, 10), leg="drawn read-outs"),
        *rivals_of(OPPOSITE, {"the same sign": "2*Phi(r) == 1"}),
        *rivals_of(LARGER, {"3/5": "Max(a, P - a) >= 3*P/5"}),
    ],
    **SETTING,
)


def right_given_code(z, w_star, sigma, factor=1):
    """P[sign <M w*, x> = sign y] given z, flat columns in R^4, by integration of the noise's density. Shape ()."""
    with ctx.workprec(BITS):
        u = [
            sum(
                (w_star[j] * column[i] for j, column in enumerate(flat_columns(len(z), 4))),
                Fraction(0),
            )
            / 2
            for i in range(4)
        ]
        x = [
            sum((z[j] * column[i] for j, column in enumerate(flat_columns(len(z), 4))), Fraction(0))
            / 2
            for i in range(4)
        ]
        side = (
            [(arb(0), None, lambda t: t**0)]
            if dot(w_star, z) > 0
            else [(None, arb(0), lambda t: t**0)]
        )
        spread = sum((a * a * Fraction(sigma) ** 2 for a in u), Fraction(0))
        return mean_of(side, dot(u, x), factor * number(spread).sqrt())


def half_the_noise(z, w_star, sigma):
    return right_given_code(z, w_star, sigma, factor=number(Fraction(1, 2)))


y, sigma, n2 = sp.symbols("y sigma n2", positive=True)
BY_ITS_LABEL = sp.erfc(-y / (sigma * sp.sqrt(2 * n2))) / 2
"""Phi(|y|/(sigma |w*|)), n2 the square of |w*|."""


def a_label(rng):
    d = int(rng.integers(1, 4))
    w_star = [Fraction(int(rng.integers(1, 9)), 3) for _ in range(d)]
    z = [int(rng.signs()) for _ in range(d)]
    w_star[0] += sum(w_star)
    return {
        "z": z,
        "w_star": w_star,
        "sigma": Fraction(int(rng.integers(1, 9)), 3),
        "y": abs(dot(w_star, z)),
        "n2": dot(w_star, w_star),
    }


GIVEN = formula_leg(
    "given the code",
    typed(
        f"P[y + sigma*sqrt(n2)*g > 0] == {BY_ITS_LABEL}",
        over=["y > 0", "sigma > 0", "n2 > 0", "g ~ N(0, 1)"],
    ),
    over="w_star z",
)
# u = M w*: <u, M z> = y, |u| = |w*|
ALIGNED = formula_leg(
    "its own direction",
    typed("sign(y)*y/(sigma*n) == abs(y)/(sigma*n)", over=["y in R", "sigma > 0", "n > 0"]),
    over="w_star z",
)

accuracy = claim(
    "decoupling-oracle-accuracy",
    lhs=r"\Pr[\operatorname{sign}\langle Mw^\star,x\rangle=\operatorname{sign}y\mid z]",
    tex=r"\Phi\Big(\frac{|y|}{\sigma_\xi\|w^\star\|}\Big)",
    states="decoupling-noaug-downstream",
    title="How often the direction of the label is right",
    says=r"Given $z$ with $y=\langle w^\star,z\rangle\ne0$ the sign of $\langle Mw^\star,x\rangle$ is right with "
    r"probability $\Phi\big(\frac{|y|}{\sigma_\xi\|w^\star\|}\big)$.",
    role="derived",
    covers="oracle-accuracy",
    **ONE_POINT,
    closed_form=BY_ITS_LABEL,
    legs=[
        leg(
            "integrated",
            right_given_code,
            required=False,
            instances=instances(a_label, "z w_star sigma y n2", smoke=4, standard=8),
        ),
        GIVEN,
        ALIGNED,
    ],
    rivals=[
        variant("half the noise", simulation=half_the_noise, leg="integrated"),
        *rivals_of(
            GIVEN, {"twice the scale": "P[y + sigma*sqrt(n2)*g > 0] == Phi(y/(2*sigma*sqrt(n2)))"}
        ),
        *rivals_of(ALIGNED, {"without the sign": "y/(sigma*n) == abs(y)/(sigma*n)"}),
    ],
)

# h is q/s2, which tends to 0; e = (1 - q)^d, at most 1/10 once q d >= log 10
ABOVE = formula_leg(
    "every read-out",
    typed(
        "P/2 - sqrt(h/(2*pi)) > 1/6",
        over=["h in (0, 1/100]", "e in [0, 1/10]", "P in [0, 1]"],
        where="P >= (1 - e)/2",
    ),
    over="t v",
)
EMPTY = formula_leg(
    "empty codes",
    typed("(1 - q)**d <= 1/10", over=["d in 1..oo", "q in (0, 1)"], where="q*d >= log(10)"),
    over="t v",
)
# M is L^(1/4), so that log(L)/sqrt(L) <= 4/M
SLOW = formula_leg(
    "a slow logarithm", typed("log(L)/sqrt(L) <= 4/L**(1/4)", over="L in (1, oo)"), over="t v d"
)
RATIO = formula_leg(
    "noise wins",
    typed("4*c/M <= h", over=["c > 0", "h in (0, 1)", "M in [4*c/h, oo)"]),
    over="t v d",
)


def right_at_noise(W, v, w_star, q, s2):
    """Probability of y != 0 and a right sign. Shape ()."""
    return right(W, v, w_star, len(w_star), len(W), 2, q, s2)


def mostly_noise(rng):
    """q/s2 = 1/100 and (1 - q)^d <= 1/10, any read-out of four dimensions."""
    q = Fraction(int(rng.integers(5, 9)), 10)
    return {
        **draw(rng, 4, 2, 2, q, 100 * q),
        "w_star": [Fraction(int(rng.signs())) for _ in range(4)],
        "q": q,
        "s2": 100 * q,
    }


# the printed limit 0 says: at most 1/6 for all large d
printed = claim(
    "decoupling-sign-printed",
    states="decoupling-noaug-downstream",
    title="Accuracy as printed",
    says=r"$\Pr[y=\operatorname{sign}\langle w,f(x)\rangle]\to0$ for every $w$.",
    covers="classification-printed",
    expect="fail",
    legs=[
        formula_leg(
            "at most 1/6",
            typed("(1 - e)/4 - sqrt(h/(2*pi)) <= 1/6", over=["h in (0, 1/100]", "e in [0, 1/10]"]),
            over="t v d",
        ),
    ],
)

bounded = claim(
    "decoupling-sign-limit",
    states="decoupling-noaug-downstream",
    title="Accuracy of every linear read-out for large d",
    says=r"With $W^\top v\ne0$ it is above $\frac16$ for all large $d$.",
    role="corrected",
    corrects="decoupling-sign-printed",
    covers="classification-printed",
    **ONE_POINT,
    legs=[
        leg(
            "drawn read-outs",
            right_at_noise,
            relation=at_least(),
            closed_form=sp.Rational(1, 6),
            lhs=r"\Pr[\operatorname{sign}\langle v,Wx\rangle=y\ne0]",
            tex=r"\tfrac16",
            required=False,
            instances=instances(mostly_noise, "W v w_star q s2", smoke=3, standard=6),
        ),
        ABOVE,
        EMPTY,
        SLOW,
        RATIO,
    ],
    rivals=[
        variant("above a half", closed_form=sp.Rational(1, 2), leg="drawn read-outs"),
        *rivals_of(
            ABOVE,
            {
                "above 1/4": "P/2 - sqrt(h/(2*pi)) > 1/4",
                "more codes without a label": {"where": "P >= (1 - e)/4"},
            },
        ),
        *rivals_of(EMPTY, {"at q d = 1": {"where": "q*d >= 1"}}),
        *rivals_of(SLOW, {"1 for 4": "log(L)/sqrt(L) <= 1/L**(1/4)"}),
        *rivals_of(
            RATIO, {"from 2 c/h on": {"over": ["c > 0", "h in (0, 1)", "M in [2*c/h, oo)"]}}
        ),
    ],
)
