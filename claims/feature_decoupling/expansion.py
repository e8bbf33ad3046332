r"""Definition E.4 with its signs corrected, and the split of the loss in section 4.

Setting. r = (1 - l_p) h(x++) - sum_s l_s h(x_s), h = psi + phi (`soft_threshold`), g the gate 1{|<w, x+>| >= b}, x+ =
2 D x; <x+, M_j> = z_j + <M_j, (2 D - I) M z> + <M_j, 2 D xi> for orthonormal columns.

Statements. (1) E r g <x+, M_j> is the sum of Psi, Phi (psi resp. phi in place of h, against z_j) and of E1, E2 (r
against the second and the third part), sample by sample. (2) Along a direction beside the columns z_j is not there:
E1 + E2 alone. (3) The loss -tau log(e^(S_p/tau)/sum_x e^(S_x/tau)) is -S_p + tau log sum_x e^(S_x/tau), the sum with
the positive in it.

Reference: lines 1200-1220 and 250-256; the definition prints r with a plus.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import sympy as sp
from flint import arb, ctx

from theorycheck import (
    at_least,
    claim,
    formula_leg,
    instances,
    leg,
    rivals_of,
    typed,
    variant,
)

from ._dictionary import ONE_POINT, codes, dot, flat_columns
from ._gaussian import BITS, number
from .info_nce import by_weights, logits, shares, unit


def signal_of(M, z):
    return [sum((e * c[k] for e, c in zip(z, M, strict=True)), Fraction(0)) for k in range(4)]


def masked_view(M, z, xi, D):
    """x+ = 2 D (M z + xi)."""
    return [2 * s * (a + e) for s, a, e in zip(D, signal_of(M, z), xi, strict=True)]


def falls(W, b, z, xi, D, C, tau, M, v):
    """-<grad, v> for every neuron, by dual numbers through the network and the loss. Shape (m,)."""
    x = masked_view(M, z, xi, D)
    rows = by_weights(W, b, x, C, tau, len(W), len(C) - 1, 4)
    return [-sum((g * number(e) for g, e in zip(row, v, strict=True)), arb(0)) for row in rows]


def split_along(neuron, u, b, code):
    """psi and phi of a pre-activation u, ``code`` the part of the column in it."""
    above, below = int(u > b), int(u < -b)
    return above * (code - b) + below * (code + b), (above + below) * (u - code)


def residuals(W, b, x, C, tau, others, i):
    """(1 - l_p) f_p - sum_s l_s f_s for the values f = ``others`` of one neuron on the batch."""
    first, *rest = shares(W, b, x, C, tau)
    return (1 - first) * number(others[0]) - sum(
        (s * number(f) for s, f in zip(rest, others[1:], strict=True)), arb(0)
    )


def four_parts(W, b, z, xi, D, X, tau, M, j, terms="Psi Phi E1 E2"):
    """Psi + Phi + E1 + E2 of every neuron along M_j (along a direction that is no column there is no z_j, so that
    Psi and Phi are not there). X: the batch, the positive first, each (code, noise, mask). Shape (m,)."""
    with ctx.workprec(BITS):
        x, v = masked_view(M, z, xi, D), M[j]
        C = representations(W, b, M, X)
        away = [2 * s - 1 for s in D]
        mixed = dot([s * a for s, a in zip(away, signal_of(M, z), strict=True)], v)
        noise = 2 * dot([s * e for s, e in zip(D, xi, strict=True)], v)
        out = []
        for i, (w, bias) in enumerate(zip(W, b, strict=True)):
            open_ = int(abs(dot(w, x)) >= bias)
            alpha = dot(w, v)
            parts = [
                split_along(w, dot(w, masked_view(M, *one)), bias, alpha * one[0][j]) for one in X
            ]
            whole = residuals(W, b, x, C, tau, [c[i] for c in C], i)
            values = {
                "Psi": residuals(W, b, x, C, tau, [p for p, _ in parts], i) * number(open_ * z[j]),
                "Phi": residuals(W, b, x, C, tau, [p for _, p in parts], i) * number(open_ * z[j]),
                "E1": whole * number(open_ * mixed),
                "E2": whole * number(open_ * noise),
            }
            out.append(sum((values[t] for t in terms.split()), arb(0)))
        return out


def representations(W, b, M, X):
    """f of each view of the batch."""
    return [
        [unit(dot(w, masked_view(M, *one)), bias)[0] for w, bias in zip(W, b, strict=True)]
        for one in X
    ]


def along_a_column(W, b, z, xi, D, X, tau, j):
    M = flat_four()[:2]
    return falls(W, b, z, xi, D, representations(W, b, M, X), tau, M, M[j])


def beside_the_columns(W, b, z, xi, D, X, tau, j):
    M = flat_four()
    return falls(W, b, z, xi, D, representations(W, b, M[:2], X), tau, M[:2], M[2 + j])


def flat_four():
    return [[x / 2 for x in column] for column in flat_columns(4, 4)]


def four_terms(W, b, z, xi, D, X, tau, j):
    return four_parts(W, b, z, xi, D, X, tau, flat_four()[:2], j)


def without_phi(W, b, z, xi, D, X, tau, j):
    return four_parts(W, b, z, xi, D, X, tau, flat_four()[:2], j, "Psi E1 E2")


def two_terms(W, b, z, xi, D, X, tau, j):
    """E1 + E2 against a direction beside the columns."""
    X = [([*code, 0, 0], noise, mask) for code, noise, mask in X]
    return four_parts(W, b, [*z, 0, 0], xi, D, X, tau, flat_four(), 2 + j, "E1 E2")


def only_noise(W, b, z, xi, D, X, tau, j):
    X = [([*code, 0, 0], noise, mask) for code, noise, mask in X]
    return four_parts(W, b, [*z, 0, 0], xi, D, X, tau, flat_four(), 2 + j, "E2")


def a_batch(rng):
    """Two neurons, biases off the kinks, a view and a batch of a positive and two negatives, two columns of R^4."""

    def view():
        return (
            [int(rng.integers(-1, 2)) for _ in range(2)],
            rng.rational((4,), 2),
            [int(rng.integers(0, 2)) for _ in range(4)],
        )

    z, xi, D = (
        [1, int(rng.signs())],
        rng.rational((4,), 2),
        [int(rng.integers(0, 2)) for _ in range(4)],
    )
    positive = (z, xi, [1 - s for s in D])
    return {
        "W": rng.rational((2, 4), 3),
        "b": [Fraction(1, 17), Fraction(3, 17)],
        "z": z,
        "xi": xi,
        "D": D,
        "X": [positive, view(), view()],
        "tau": Fraction(int(rng.integers(1, 7)), 3),
        "j": int(rng.integers(0, 2)),
    }


BATCHES = instances(a_batch, "W b z xi D X tau j", smoke=4, standard=8)


def loss_of(W, b, x, C, tau):
    """-tau log of the positive's softmax weight. Shape ()."""
    with ctx.workprec(BITS):
        return -number(tau) * shares(W, b, x, C, tau)[0].log()


d, N = sp.symbols("d N", integer=True, positive=True)
q, tau = sp.symbols("q tau", positive=True)


def loss_and_parts(W, b, x, C, tau):
    """The loss, with the positive's similarity p and the sum of e^(S/tau) over the negatives."""
    with ctx.workprec(BITS):
        S = logits(W, b, x, C)
        rest = sum(((number(s) / number(tau)).exp() for s in S[1:]), arb(0))
        return {"value": loss_of(W, b, x, C, tau), "p": S[0], "R": rest}


def a_network(rng):
    return {
        "W": rng.rational((2, 3), 3),
        "b": [Fraction(1, 17), Fraction(0)],
        "x": rng.rational((3,), 3),
        "C": rng.rational((4, 2), 2),
        "tau": Fraction(int(rng.integers(1, 7)), 3),
    }


def loss_of_codes(d, N, q, scale, tau):
    """E -tau log(e^(S_p/tau)/sum e^(S/tau)), S = ``scale`` <z_p, z>, over all codes of the positive and of N
    negatives. Shape ()."""
    with ctx.workprec(BITS):
        total, all_codes = arb(0), list(codes(d, q))
        for z, p in all_codes:
            own = (number(scale * dot(z, z)) / number(tau)).exp()
            for negatives in product(all_codes, repeat=N):
                chance, batch = p, own
                for other, weight in negatives:
                    chance, batch = (
                        chance * weight,
                        batch + (number(scale * dot(z, other)) / number(tau)).exp(),
                    )
                total -= number(chance * tau) * (own / batch).log()
        return total


OF_EMPTY_CODES = tau * (1 - q) ** d * sp.log(N + 1)


def sizes(rng):
    d = int(rng.integers(1, 3))
    return {
        "d": d,
        "N": 2 if d == 1 else int(rng.integers(1, 3)),
        "q": Fraction(1, int(rng.integers(3, 9))),
        "scale": Fraction(int(rng.integers(20, 60))),
        "tau": Fraction(int(rng.integers(1, 5)), 2),
    }


# k F and k H stand for the sums of l_s psi and l_s phi over the negatives
PARTS = formula_leg(
    "residual",
    typed(
        "(1 - l)*(f + h) - k*(F + H) == ((1 - l)*f - k*F) + ((1 - l)*h - k*H)",
        over=[f"{x} in R" for x in ("l", "k", "f", "h", "F", "H")],
    ),
    over="i j W b tau",
)
# P and R are its two parts
TERMS = formula_leg(
    "a sample",
    typed(
        "(P + R)*g*(z + a + e) == P*g*z + R*g*z + (P + R)*g*a + (P + R)*g*e",
        over=[f"{x} in R" for x in ("P", "R", "g", "z", "a", "e")],
    ),
    over="i j W b tau",
)

four = claim(
    "decoupling-four-terms",
    lhs=r"-\langle\nabla_{w_i}L,M_j\rangle",
    tex=r"\Psi+\Phi+\mathcal E_1+\mathcal E_2",
    states="decoupling-gradient-expansion",
    title="The gradient along a column in four terms",
    says=r"$-\langle\nabla_{w_i}L,M_j\rangle=\Psi+\Phi+\mathcal E_1+\mathcal E_2$ with "
    r"$r=(1-\ell'_p)h(x^{++})-\sum_s\ell'_s"
    r"h(x_{n,s})$.",
    role="corrected",
    covers="four-terms",
    **ONE_POINT,
    legs=[
        leg(
            "a network's gradient",
            along_a_column,
            reference=four_terms,
            required=False,
            unit=1,
            instances=BATCHES,
        ),
        PARTS,
        TERMS,
    ],
    rivals=[
        variant("three of them", reference=without_phi, leg="a network's gradient"),
        *rivals_of(
            PARTS,
            {
                "a plus before the negatives": "(1 - l)*(f + h) - k*(F + H) == ((1 - l)*f + k*F) + ((1 - l)*h + k*H)"
            },
        ),
        *rivals_of(
            TERMS, {"without Phi": "(P + R)*g*(z + a + e) == P*g*z + (P + R)*g*a + (P + R)*g*e"}
        ),
    ],
)

BESIDE = formula_leg(
    "a sample",
    typed("r*g*(0 + a + b) == r*g*a + r*g*b", over=["r in R", "g in R", "a in R", "b in R"]),
    over="j",
)

dense = claim(
    "decoupling-dense-terms",
    lhs=r"-\langle\nabla_{w_i}L,M^\perp_j\rangle",
    tex=r"\mathcal E_1+\mathcal E_2",
    states="decoupling-gradient-expansion",
    title="The gradient beside the columns",
    says=r"$-\langle\nabla_{w_i}L,M_j^\perp\rangle=\mathcal E_1+\mathcal E_2$.",
    covers="dense-direction",
    **ONE_POINT,
    legs=[
        leg(
            "a network's gradient",
            beside_the_columns,
            reference=two_terms,
            required=False,
            unit=1,
            instances=BATCHES,
        ),
        BESIDE,
    ],
    rivals=[
        variant("the noise alone", reference=only_noise, leg="a network's gradient"),
        *rivals_of(BESIDE, {"E1 alone": "r*g*(0 + a + b) == r*g*a"}),
    ],
)

p, R = sp.symbols("p R", real=True)
OF_BOTH = -p + tau * sp.log(sp.exp(p / tau) + R)
# R is the sum over the negatives
SPLIT = formula_leg(
    "loss",
    typed(
        f"-tau*log(exp(p/tau)/(exp(p/tau) + R)) == {OF_BOTH}", over=["tau > 0", "p in R", "R > 0"]
    ),
    over="Sim",
)

split = claim(
    "decoupling-loss-split",
    lhs=r"\mathcal L",
    tex=r"-S_p+\tau\log\sum_xe^{S_x/\tau}",
    title="Alignment and uniformity",
    says=r"$\mathcal L=-\mathrm{Sim}(x_p,x_p')+\tau\log\sum_{x\in\mathfrak B}e^{\mathrm{Sim}(x_p,x)/\tau}$.",
    covers="split",
    closed_form=OF_BOTH,
    **ONE_POINT,
    legs=[
        leg(
            "a batch",
            loss_and_parts,
            observed=["p", "R"],
            required=False,
            unit=1,
            instances=instances(a_network, "W b x C tau", smoke=3, standard=6),
        ),
        SPLIT,
    ],
    rivals=[
        variant("the negatives alone", closed_form=-p + tau * sp.log(R), leg="a batch"),
        *rivals_of(
            SPLIT,
            {
                "without the positive": "-tau*log(exp(p/tau)/(exp(p/tau) + R)) == -p + tau*log(R)",
                "without tau": "-tau*log(exp(p/tau)/(exp(p/tau) + R)) == -p + log(exp(p/tau) + R)",
            },
        ),
    ],
)

LEAST = formula_leg(
    "never negative",
    typed("-tau*log(e/(e + R)) >= 0", over=["tau > 0", "e > 0", "R in [0, oo)"]),
    over="s d q N",
)
FLAT = formula_leg(
    "at an empty code",
    typed("-tau*log(1/(N + 1)) == tau*log(N + 1)", over=["tau > 0", "N in 1..oo"]),
    over="s d q",
)
# y is the mean loss over the other codes
MEAN = formula_leg(
    "mean",
    typed(
        f"(1 - q)**d*(-tau*log(1/(N + 1))) + (1 - (1 - q)**d)*y >= {OF_EMPTY_CODES}",
        over=["q in [0, 1]", "d in 1..oo", "N in 1..oo", "tau > 0", "y >= 0"],
    ),
    over="s",
)

floor = claim(
    "decoupling-loss-floor",
    lhs=r"\tilde L",
    tex=r"\tau(1-q)^d\log(N+1)",
    states="decoupling-optimality",
    title="Empty codes keep the loss up",
    says=r"$\tilde L\ge\tau(1-q)^d\log(N+1)$ for every logit scale: at $z_p=0$ all logits are equal.",
    role="derived",
    covers="floor",
    closed_form=OF_EMPTY_CODES,
    **ONE_POINT,
    legs=[
        leg(
            "all codes",
            loss_of_codes,
            relation=at_least(),
            required=False,
            instances=instances(sizes, "d N q scale tau", smoke=3, standard=6),
        ),
        LEAST,
        FLAT,
        MEAN,
    ],
    rivals=[
        variant("N + 4 logits", closed_form=tau * (1 - q) ** d * sp.log(N + 4), leg="all codes"),
        *rivals_of(LEAST, {"above tau/9": "-tau*log(e/(e + R)) >= tau/9"}),
        *rivals_of(FLAT, {"log N": "-tau*log(1/(N + 1)) == tau*log(N)"}),
        *rivals_of(
            MEAN,
            {
                "for every code": "(1 - q)**d*(-tau*log(1/(N + 1))) + (1 - (1 - q)**d)*y >= tau*log(N + 1)"
            },
        ),
    ],
)
