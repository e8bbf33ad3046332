r"""Equations (2.2)-(2.4): what the schedule does to one neuron and its copy.

Setting. Neurons (w, b, a) and (w, b, -a); a step of size eta with decay lambda is w' = w - eta (dL/dw + 2 lambda w),
b' = b - eta dL/db, a' = a - eta (dL/da + 2 lambda_a a). With g = 0 a neuron and its copy see the same T, T_b, T_a:
dL/dw = -a T, dL/db = -a T_b, dL/da = -T_a.

Statements. (1) g^(0) = 0 for every input, with or without noise: a h + (-a) h = 0 for h = E sigma(<w, x> + b + xi).
(2) With lambda = 1/(2 eta) the step gives -eta dL/dw whatever w was; in the second step a^(2) = T_a. (3) E sigma(z +
xi) = G(z) - G(z - 1), G(v) = v Phi(v/s) + s phi(v/s), xi ~ N(0, s^2). (4) After the first step q = eta a T, b = b +
eta a T_b, a = a + eta T_a, and the copy has -eta a T, b - eta a T_b, -a + eta T_a: the biases differ by 2 eta |a
T_b|.

Reference: lines 608-632; Lemmas A.12, A.13 and A.16, lines 3274-3294, 3533-3537.
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb, ctx

from theorycheck import claim, formula, formula_leg, instances, leg, rivals_of, typed, variant

from ._balls import BITS, ONE_POINT, number
from .network_gradients import axes, loss_slope, opened, pre_activation
from .network_gradients import smoothed as smoothed_unit


def paired_output(neurons, x, s):
    """g^(0)(x) of neurons and their copies of opposite read-out: noise of deviation s, and without. Shape (2,)."""
    with ctx.workprec(BITS):
        both = [*neurons, *((w, b, -a) for w, b, a in neurons)]
        noisy = sum((number(n[2]) * smoothed_unit(pre_activation(n, x), s) for n in both), arb(0))
        clean = sum((n[2] * min(1, max(0, pre_activation(n, x))) for n in both), Fraction(0))
        return [noisy, clean]


def zero(neurons, x, s):
    return [0, 0]


def copies_of_one_sign(neurons, x, s):
    with ctx.workprec(BITS):
        noisy = sum(
            (2 * number(n[2]) * smoothed_unit(pre_activation(n, x), s) for n in neurons), arb(0)
        )
        return [
            noisy,
            sum((2 * n[2] * min(1, max(0, pre_activation(n, x))) for n in neurons), Fraction(0)),
        ]


def stepped(w, b, a, law, s, eta, weights=None):
    """w, b and a of a neuron and then of its copy after the first step, by the derivatives of the loss of the paired
    network, decay 1/(2 eta) of weights and none of read-outs; ``weights`` of the labels, 1. Shape (2 n + 4,)."""
    with ctx.workprec(BITS):
        pair, out, plain = [(w, b, a), (w, b, -a)], [], weights or {1: 1, -1: 1}
        for i, (weight, bias, read_out) in enumerate(pair):

            def slope(way, i=i):
                return loss_slope(pair, law, plain, s, [way if r == i else None for r in range(2)])

            still = [0] * len(w)
            out += [
                number(e) - number(eta) * (slope((axis, 0, 0)) + number(e) / number(eta))
                for e, axis in zip(weight, axes(len(w)), strict=True)
            ]
            out.append(number(bias) - number(eta) * slope((still, 1, 0)))
            out.append(number(read_out) - number(eta) * slope((still, 0, 1)))
        return out


def first_step(w, b, a, law, s, eta, copy=-1, weights=None):
    """eta a T, b + eta a T_b, a + eta T_a, and -eta a T, b - eta a T_b, -a + eta T_a. Shape (2 n + 4,)."""
    with ctx.workprec(BITS):
        plain = weights or {1: 1, -1: 1}
        rows = [(x, number(plain[y] * y * p), pre_activation((w, b, a), x)) for x, y, p in law]
        T = [
            sum((c * opened(z, s) * number(x[k]) for x, c, z in rows), arb(0))
            for k in range(len(w))
        ]
        T_b = sum((c * opened(z, s) for _, c, z in rows), arb(0))
        T_a = sum((c * smoothed_unit(z, s) for _, c, z in rows), arb(0))
        rate = number(eta)
        out = []
        for sign in (1, copy):
            out += [sign * rate * number(a) * t for t in T]
            out += [number(b) + sign * rate * number(a) * T_b, sign * number(a) + rate * T_a]
        return out


def equal_copies(w, b, a, law, s, eta):
    return first_step(w, b, a, law, s, eta, copy=1)


def a_draw(rng):
    neurons = [
        (
            rng.rational((2,), 3),
            Fraction(int(rng.integers(-4, 5)), 4),
            Fraction(int(rng.integers(1, 9)), 4),
        )
        for _ in range(3)
    ]
    return {
        "neurons": neurons,
        "x": rng.rational((2,), 3),
        "s": Fraction(int(rng.integers(1, 5)), 4),
    }


def a_first_step(rng):
    chances = [Fraction(int(rng.integers(1, 9))) for _ in range(4)]
    return {
        "w": rng.rational((2,), 3),
        "b": Fraction(int(rng.integers(-4, 5)), 4),
        "a": Fraction(int(rng.integers(1, 9)), 4),
        "law": [(rng.rational((2,), 3), int(rng.signs()), c / sum(chances)) for c in chances],
        "s": Fraction(int(rng.integers(1, 5)), 4),
        "eta": Fraction(int(rng.integers(1, 9)), 2),
    }


CLEAN = formula_leg(
    "without noise",
    typed(
        "a*Min(1, Max(0, p + b)) + (-a)*Min(1, Max(0, p + b)) == 0",
        over=["a in R", "p in R", "b in R"],
    ),
    over="x draw sig_xi",
)
NOISY = formula_leg(
    "with noise",
    typed(
        "a*E[Min(1, Max(0, z + s*g))] + (-a)*E[Min(1, Max(0, z + s*g))] == 0",
        over=["a in R", "z in R", "s > 0", "g ~ N(0, 1)"],
    ),
    over="x draw sig_xi",
)

start = claim(
    "structured-zero-start",
    lhs="g^{(0)}(x)",
    tex="0",
    states="structured-training-procedure",
    title="The paired network starts at 0",
    says=r"$g^{(0)}(x)=0$ for every input and every paired initialisation, with and without noise.",
    covers="zero-start",
    **ONE_POINT,
    legs=[
        leg(
            "a network",
            paired_output,
            reference=zero,
            required=False,
            unit=1,
            instances=instances(a_draw, "neurons x s", smoke=3, standard=6),
        ),
        CLEAN,
        NOISY,
    ],
    rivals=[
        variant("copies of one sign, a network", simulation=copies_of_one_sign, leg="a network"),
        *rivals_of(
            CLEAN, {"copies of one sign": "a*Min(1, Max(0, p + b)) + a*Min(1, Max(0, p + b)) == 0"}
        ),
        *rivals_of(
            NOISY,
            {
                "other biases": "a*E[Min(1, Max(0, z + s*g))] + (-a)*E[Min(1, Max(0, z + 1/2 + s*g))] == 0"
            },
        ),
    ],
)

forgetting = formula(
    "structured-forgetting",
    states="structured-training-procedure",
    title=r"Decay $1/(2\eta)$ forgets the weight",
    says="w - eta*(G + 2*(1/(2*eta))*w) == -eta*G",
    over=["eta > 0", "w in R", "G in R"],
    covers="forgetting",
    reads={"w_before": "w"},
    rivals={
        "decay 1/eta": "w - eta*(G + 2*(1/eta)*w) == -eta*G",
        "no decay": "w - eta*(G + 2*0*w) == -eta*G",
    },
)

smoothed = formula(
    "structured-smoothed-activation",
    states="structured-training-procedure",
    title="The smoothed activation",
    says="E[Min(1, Max(z + s*g, 0))] == z*Phi(z/s) + s*exp(-z**2/(2*s**2))/sqrt(2*pi)"
    " - (z - 1)*Phi((z - 1)/s) - s*exp(-(z - 1)**2/(2*s**2))/sqrt(2*pi)",
    over=["z in R", "s > 0", "g ~ N(0, 1)"],
    covers="smoothed-activation",
    rivals={
        "G(z) alone": "E[Min(1, Max(z + s*g, 0))] == z*Phi(z/s) + s*exp(-z**2/(2*s**2))/sqrt(2*pi)",
        "without the density": "E[Min(1, Max(z + s*g, 0))] == z*Phi(z/s) - (z - 1)*Phi((z - 1)/s)",
    },
)

PARAMETERS = ["eta > 0", "q in R", "b in R", "a in R", "T in R", "B in R", "A in R"]
ITSELF = formula_leg(
    "neuron",
    typed(
        "q - eta*(-a*T + 2*(1/(2*eta))*q) == eta*a*T and b - eta*(-a*B) == b + eta*a*B"
        " and a - eta*(-A + 2*0*a) == a + eta*A",
        over=PARAMETERS,
    ),
    over="i",
)
COPY = formula_leg(
    "copy",
    typed(
        "q - eta*(a*T + 2*(1/(2*eta))*q) == -(eta*a*T) and b - eta*(a*B) == b - eta*a*B"
        " and -a - eta*(-A + 2*0*(-a)) == -a + eta*A",
        over=PARAMETERS,
    ),
    over="i",
)

updates = claim(
    "structured-first-step-updates",
    lhs="(q,b,a)^{(1)}",
    tex=r"(\eta aT,\,b+\eta aT_b,\,a+\eta T_a)",
    states="structured-first-step-summary",
    title="A neuron and its copy after the first step",
    says=r"$q^{(1)}=\eta aT$, $b^{(1)}=b+\eta aT_b$, $a^{(1)}=a+\eta T_a$; the copy has $-\eta aT$, $b-\eta "
    r"aT_b$ and "
    r"$-a+\eta T_a$.",
    covers="update-identities",
    **ONE_POINT,
    legs=[
        leg(
            "a step of the network",
            stepped,
            reference=first_step,
            required=False,
            unit=1,
            instances=instances(a_first_step, "w b a law s eta", smoke=3, standard=6),
        ),
        ITSELF,
        COPY,
    ],
    rivals=[
        variant("equal copies", reference=equal_copies, leg="a step of the network"),
        *rivals_of(
            ITSELF, {"the read-out decays as well": "a - eta*(-A + 2*(1/(2*eta))*a) == a + eta*A"}
        ),
        *rivals_of(COPY, {"opposite read-outs": "-a - eta*(-A + 2*0*(-a)) == -(a + eta*A)"}),
    ],
)

gap = formula(
    "structured-bias-gap",
    states="structured-step1-output-small",
    title="Biases of a neuron and its copy after the first step",
    says="abs((b - eta*(-a*B)) - (b - eta*(a*B))) == 2*eta*abs(a*B)",
    over=["eta > 0", "b in R", "a in R", "B in R"],
    covers="bias-gap",
    reads={"i": "a b"},
    left={"C": "that T_b is of order epsilon_e is Lemma A.10"},
    rivals={"once": "abs((b - eta*(-a*B)) - (b - eta*(a*B))) == eta*abs(a*B)"},
)

second_read_out = formula(
    "structured-second-readout",
    states="structured-second-step-readout",
    title="Read-outs after the second step",
    says="a - 1*(-A + 2*(1/2)*a) == 1*A",
    over=["a in R", "A in R"],
    covers="a2-identity",
    reads={"i": "A", "a1": "a"},
    rivals={"no decay": "a - 1*(-A + 2*0*a) == 1*A", "decay 1": "a - 1*(-A + 2*1*a) == 1*A"},
)
