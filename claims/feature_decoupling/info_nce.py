r"""The loss (2.2) with its second argument held fixed: gradients (A.1).

Setting. S_x = <f(x+), c_x> with c_x = f(x) held fixed, x in the batch; L = -S_p + tau log sum_x e^(S_x/tau), l_x the
softmax weights; f_i = h(u_i), u_i = <w_i, x+>, b_i >= 0. Beside the proofs derivatives by dual numbers.

Statements. (1) dL/dw_i = -(1 - l_p) c_p,i g_i x+ + sum_s l_s c_s,i g_i x+, g_i = 1{|u_i| >= b_i}: raising one logit
by t raises tau log sum by l t up to t^2/(8 tau), and h moves with u at slope 1 where the gate is open, 0 where it is
shut. (2) With h = sign(u)(|u| - b) the derivative in b_i is (1 - l_p) c_p,i sign(u_i) g_i - sum_s l_s c_s,i sign(u_i)
g_i. (3) Printed: +(1 - l_p) c_p,i g_i x+ + sum_s l_s c_s,i g_i x+. False: for one neuron, w = x+ = 1, b = 0, c_p = 1,
c_s = 0, tau = 1 it is 1/(1 + e) and the derivative -1/(1 + e). In the mean, too: for small weights the positives
alone are left, which grow along w.

Reference: lines 140-148 and 318-324. The printed form stands in Definition E.4 as well.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from flint import arb, ctx

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

from ._gaussian import BITS, number

m, N, n = sp.symbols("m N n", integer=True, positive=True)


def unit(u, b):
    """h(u) and its slopes in u and in b, off the kinks."""
    if abs(u) < b:
        return Fraction(0), Fraction(0), Fraction(0)
    sign = 1 if u > 0 else -1
    return u - sign * b, Fraction(1), Fraction(-sign)


def logits(W, b, x, C):
    """Every S_x. C: the fixed representations, the positive first."""
    f = [
        unit(sum(a * e for a, e in zip(w, x, strict=True)), bias)[0]
        for w, bias in zip(W, b, strict=True)
    ]
    return [sum((a * e for a, e in zip(f, c, strict=True)), Fraction(0)) for c in C]


def slope(W, b, x, C, tau, moved):
    """Derivative of L where every logit S_x moves at the rate ``moved[x]``: by dual numbers through exp, sum and
    log."""
    with ctx.workprec(BITS):
        value = [(number(s) / number(tau)).exp() for s in logits(W, b, x, C)]
        change = [v * number(r) / number(tau) for v, r in zip(value, moved, strict=True)]
        return -number(moved[0]) + number(tau) * sum(change, arb(0)) / sum(value, arb(0))


def by_weights(W, b, x, C, tau, m, N, n):
    """Derivative of the loss in every entry of W. Shape (m, n)."""
    rows = []
    for i, (w, bias) in enumerate(zip(W, b, strict=True)):
        gate = unit(sum(a * e for a, e in zip(w, x, strict=True)), bias)[1]
        rows.append([slope(W, b, x, C, tau, [gate * e * c[i] for c in C]) for e in x])
    return rows


def by_biases(W, b, x, C, tau, m, N, n):
    """Derivative of the loss in every bias. Shape (m,)."""
    out = []
    for i, (w, bias) in enumerate(zip(W, b, strict=True)):
        rate = unit(sum(a * e for a, e in zip(w, x, strict=True)), bias)[2]
        out.append(slope(W, b, x, C, tau, [rate * c[i] for c in C]))
    return out


def shares(W, b, x, C, tau):
    """The softmax weights. Length N + 1."""
    value = [(number(s) / number(tau)).exp() for s in logits(W, b, x, C)]
    total = sum(value, arb(0))
    return [v / total for v in value]


def stated(W, b, x, C, tau, positive=-1, negative=1, gated=True):
    with ctx.workprec(BITS):
        first, *others = shares(W, b, x, C, tau)
        rows = []
        for i, (w, bias) in enumerate(zip(W, b, strict=True)):
            u = sum(a * e for a, e in zip(w, x, strict=True))
            residual = positive * (1 - first) * number(C[0][i])
            residual += negative * sum(
                (s * number(c[i]) for s, c in zip(others, C[1:], strict=True)), arb(0)
            )
            open_ = 1 if not gated or abs(u) >= bias else 0
            rows.append([residual * open_ * number(e) for e in x])
        return rows


def printed_signs(W, b, x, C, tau):
    return stated(W, b, x, C, tau, positive=1)


def all_minus(W, b, x, C, tau):
    return stated(W, b, x, C, tau, negative=-1)


def no_gate(W, b, x, C, tau):
    return stated(W, b, x, C, tau, gated=False)


def at_temperature_one(W, b, x, C, tau):
    return stated(W, b, x, C, Fraction(1))


def stated_biases(W, b, x, C, tau, overall=1):
    """(1 - l_p) c_p sign g - sum_s l_s c_s sign g. Shape (m,)."""
    with ctx.workprec(BITS):
        first, *others = shares(W, b, x, C, tau)
        out = []
        for i, (w, bias) in enumerate(zip(W, b, strict=True)):
            u = sum(a * e for a, e in zip(w, x, strict=True))
            residual = (1 - first) * number(C[0][i])
            residual -= sum((s * number(c[i]) for s, c in zip(others, C[1:], strict=True)), arb(0))
            sign = 0 if abs(u) < bias else 1 if u > 0 else -1
            out.append(overall * residual * sign)
        return out


def minus_biases(W, b, x, C, tau):
    return stated_biases(W, b, x, C, tau, overall=-1)


def draw(rng, m, N, n):
    """Weights, biases off the kinks, a view, representations of the batch; of several gates one is open, one shut."""
    while True:
        W, x = rng.rational((m, n), 3), rng.rational((n,), 3)
        b = [Fraction(2 * int(rng.integers(0, 4)) + 1, 17) for _ in range(m)]
        u = [abs(sum(a * e for a, e in zip(w, x, strict=True))) for w in W]
        gates = {a > bias for a, bias in zip(u, b, strict=True)}
        apart = all(a != bias for a, bias in zip(u, b, strict=True))
        if apart and True in gates and (m == 1 or False in gates):
            break
    return {
        "W": W,
        "b": b,
        "x": x,
        "C": rng.rational((N + 1, m), 2),
        "tau": Fraction(int(rng.integers(1, 7)), 3),
    }


def simple(rng, m, N, n):
    """Logits 0 but for the fixed values: c_p = 1 and c_s = 0, u = b + small."""
    return {
        "W": [[Fraction(1)] + [Fraction(0)] * (n - 1)] * m,
        "b": [Fraction(0)] * m,
        "x": [Fraction(1)] + [Fraction(0)] * (n - 1),
        "C": [[Fraction(1)] * m] + [[Fraction(0)] * m] * N,
        "tau": Fraction(1),
    }


FIELDS = "W b x C tau"
DRAWN = instances(draw, FIELDS, smoke=3, standard=8)
SIZES = {
    "domain": {m: integers(1), N: integers(1), n: integers(1)},
    "grid": {
        "smoke": [{m: 1, N: 1, n: 1}, {m: 2, N: 3, n: 2}],
        "standard": {m: [1, 3], N: [1, 5], n: [1, 3]},
    },
    "relation": equals(),
}


def legs(over):
    return [
        formula_leg(
            "one logit",
            typed(
                "0 <= tau*log(1 - l + l*exp(t/tau)) - l*t <= t**2/(8*tau)",
                over=["tau > 0", "l in [0, 1]", "t in R"],
            ),
            over=over,
        ),
        formula_leg(
            "open gates",
            typed(
                "Max(u + t - b, 0) - Max(-u - t - b, 0) - (Max(u - b, 0) - Max(-u - b, 0)) == t",
                over=["b >= 0", "u in (b, oo)", "t in [b - u, oo)"],
            ),
            over=over,
        ),
        formula_leg(
            "shut gates",
            typed("Max(u - b, 0) - Max(-u - b, 0) == 0", over=["b >= 0", "u in [-b, b]"]),
            over=over,
        ),
    ]


BY_WEIGHTS, BY_BIASES = legs("W b tau N"), legs("b")

weights = claim(
    "decoupling-weight-gradient",
    lhs=r"\nabla_{w_i}\mathcal L",
    tex=r"-\big((1-\ell'_p)h_i(x^{++})-\sum_s\ell'_sh_i(x_{n,s})\big)\mathbf 1_{|\langle w_i,x^+\rangle|\ge b_i}x^+",
    states="decoupling-loss-gradient",
    title="The gradient of the loss",
    says=r"$\nabla_{w_i}L=-\mathbb E\big[((1-\ell'_p)h_i(x^{++})-\sum_s\ell'_sh_i(x_{n,s}))\mathbf "
    r"1_{|\langle w_i,x^+\rangle|"
    r"\ge b_i}x^+\big]$ for $b_i\ge0$, off the kinks.",
    role="corrected",
    corrects="decoupling-weight-gradient-printed",
    covers="weight-gradient",
    legs=[
        leg(
            "dual numbers",
            by_weights,
            reference=stated,
            instances=DRAWN,
            required=False,
            unit=1,
            where=(m <= 8) & (N <= 16) & (n <= 8),
        ),
        *BY_WEIGHTS,
    ],
    rivals=[
        variant("the printed signs", reference=printed_signs, leg="dual numbers"),
        variant("a minus before the negatives", reference=all_minus, leg="dual numbers"),
        variant("no gate", reference=no_gate, leg="dual numbers"),
        variant("weights at tau = 1", reference=at_temperature_one, leg="dual numbers"),
        *rivals_of(
            BY_WEIGHTS[0],
            {"t^2/(9 tau)": "0 <= tau*log(1 - l + l*exp(t/tau)) - l*t <= t**2/(9*tau)"},
        ),
        *rivals_of(
            BY_WEIGHTS[1],
            {"negative biases": {"over": ["b in [-2, -1]", "u in (b, oo)", "t in [b - u, oo)"]}},
        ),
        *rivals_of(BY_WEIGHTS[2], {"up to 2 b": {"over": ["b >= 0", "u in [-2*b, 2*b]"]}}),
    ],
    **SIZES,
)

printed = claim(
    "decoupling-weight-gradient-printed",
    lhs=r"\nabla_{w_i}\mathcal L",
    tex=r"\big((1-\ell'_p)h_i(x^{++})+\sum_s\ell'_sh_i(x_{n,s})\big)\mathbf 1_{|\langle w_i,x^+\rangle|\ge b_i}x^+",
    states="decoupling-loss-gradient",
    title="The gradient of the loss as printed",
    says=r"$\nabla_{w_i}L=\mathbb E\big[((1-\ell'_p)h_i(x^{++})+\sum_s\ell'_sh_i(x_{n,s}))\mathbf "
    r"1_{|\langle w_i,x^+\rangle|\ge "
    r"b_i}x^+\big]$.",
    covers="printed-signs",
    expect="fail",
    legs=[
        leg(
            "dual numbers",
            by_weights,
            reference=printed_signs,
            instances=instances(simple, FIELDS, smoke=1),
        )
    ],
    domain={m: integers(1), N: integers(1), n: integers(1)},
    grid={"smoke": [{m: 1, N: 1, n: 1}]},
)

biases = claim(
    "decoupling-bias-gradient",
    lhs=r"\partial_{b_i}\mathcal L",
    tex=r"\big((1-\ell'_p)h_i(x^{++})-\sum_s\ell'_sh_i(x_{n,s})\big)\operatorname{sign}(u_i)\mathbf 1_{|u_i|\ge b_i}",
    states="decoupling-loss-gradient",
    title="The derivative in a bias",
    says=r"$\partial_{b_i}L=\mathbb "
    r"E\big[((1-\ell'_p)h_i(x^{++})-\sum_s\ell'_sh_i(x_{n,s}))\operatorname{sign}(u_i)\mathbf "
    r"1_{|u_i|\ge b_i}\big]$, $u_i=\langle w_i,x^+\rangle$.",
    role="derived",
    covers="bias-gradient",
    legs=[
        leg(
            "dual numbers",
            by_biases,
            reference=stated_biases,
            instances=DRAWN,
            required=False,
            unit=1,
            where=(m <= 8) & (N <= 16) & (n <= 8),
        ),
        *BY_BIASES,
    ],
    rivals=[
        variant("the other sign", reference=minus_biases, leg="dual numbers"),
        *rivals_of(
            BY_BIASES[0],
            {"t^2/(9 tau)": "0 <= tau*log(1 - l + l*exp(t/tau)) - l*t <= t**2/(9*tau)"},
        ),
        *rivals_of(BY_BIASES[2], {"up to 2 b": {"over": ["b >= 0", "u in [-2*b, 2*b]"]}}),
    ],
    **SIZES,
)
