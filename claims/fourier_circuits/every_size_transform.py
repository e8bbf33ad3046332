"""Lemma C.14, Eq. (C.9)-(C.11): a neuron in Fourier space, for every number of summands and every modulus.

Setting. rho = e^{2 pi i/p}; w = p^-1 sum_l w^(l) rho^{l x}, and J is linear in w, so that w may be one wave rho^{l x};
p E_a[u(a) rho^{l a}] = u^(-l) by definition.

Statements. (1) The sum of a wave over Z_p is p at l = 0 and 0 elsewhere. (2) E over all inputs of e^{t (u_1(a_1) + ..
+ u_k(a_k))} rho^{l s} is a product over the summands; at l != 0 each factor is u_i^(-l) t/p + O(t^2), so that the
coefficient of t^k is p^-k prod u_i^(-l), and those of smaller powers vanish. The contrast of a wave between the right
label and the mean over the wrong ones is 0 at l = 0 and p/(p-1) elsewhere. Together J = k!/((p-1) p^k) sum_{l != 0}
w^(l) prod u_i^(-l), and it is 0 at any degree d < k of the activation in place of k. (3) Of single monomials, the
mixed one has the mean p^-k rho^{-l d} prod u_i^(-l) against w(s - d), and one in which a summand is missing has 0 at l
!= 0, at every d: only the mean of w is left. (4) At odd p conjugate frequencies pair: the sum is twice that of the
products of moduli times the cosines of the phase defects over l = 1 .. (p-1)/2.

Evidence. Inputs are averaged one after the other (`_every_size`), k being any number, over polynomials in u(a) and
rho^{l a} whose means are letters; p is a letter. Beside them J, single monomials and the Fourier sum are run at sizes,
by enumeration of all inputs and by transforms.

Reference: Lemmas C.10, C.14, Eq. (C.9)-(C.11) (arXiv 2402.09469).
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import sympy as sp

from theorycheck import (
    claim,
    equals,
    formula_leg,
    instances,
    integers,
    leg,
    odd_integers,
    rivals_of,
    typed,
    variant,
)

from ._every_size import ONCE, Series, agreeing, exponential, letters
from ._formula import k, p
from .dft_reduction import (
    RANDOM,
    by_enumeration,
    exponents,
    mixed,
    mixed_by_transform,
    monomial_means,
    products,
    random_neurons,
    some_missing,
)
from .every_size_signs import OPPOSITE_TURN, addition

# ---------------------------------------------------------------- waves

ZERO, OTHER = "l = 0", "l != 0"


def full_sum(wave, p):
    """Of rho^{l x} over Z_p; its real and imaginary part are typed below."""
    return p if wave == ZERO else 0 * p


def minus_one(wave, p):
    """The sum over x != 0."""
    return full_sum(wave, p) - 1


def contrast(wave, p, total=full_sum):
    """p - 1 times the wave at the right label less its mean over the p - 1 wrong ones: at shift 0 it is 1."""
    return (p - 1) - (total(wave, p) - 1)


def averaged(reply, wave, u, turn, mean, p, total=full_sum):
    """p times the mean over one input of a polynomial in u(a) and turn = rho^{l a}: ``mean`` is p E[u(a) rho^{l a}]."""
    both, alone = reply.derivative(0).derivative(1), reply.subs({"u": 0}).derivative(1)
    if reply != both * u * turn + alone * turn:
        raise ValueError(f"no mean is known of {reply}")
    return both * mean + alone * total(wave, p)


LETTERS = "u turn mean before p"


def one_more_input(before, wave, total=full_sum):
    """p times the mean of e^{t u(a)} rho^{l a} over one more input, times what was there."""
    u, turn, mean, _, p = letters(LETTERS)
    reply = [term * turn for term in exponential(u, 2).terms]
    factor = Series((0, 0), tuple(averaged(x, wave, u, turn, mean, p, total) for x in reply))
    return before * factor.lowered()


def every_number_of_inputs(total=full_sum, shifts=full_sum):
    """At l != 0 the sum after n inputs starts with t^n times the product of their means, ``before`` so far. Times the
    contrast p that is p prod u_i^(-l), for w = rho^{l x}, and nothing below t^n; at l = 0 the contrast is 0."""
    _, _, mean, before, p = letters(LETTERS)
    first = one_more_input(Series((0, 0), (p**0,)), OTHER, total)
    further = one_more_input(Series((1, 0), (before,)), OTHER, total)
    return agreeing(
        "induction over the inputs, in power series and waves",
        first=(first, Series((0, 1), (mean,))),
        further=(further, Series((1, 1), (before * mean,))),
        contrast=(contrast(OTHER, p, shifts), p),
        contrast_at_zero=(contrast(ZERO, p, shifts), 0 * p),
    )


def without_input_zero():
    return every_number_of_inputs(total=minus_one)


def one_label_more(wave, p):
    """With the right label once more among the wrong ones."""
    return full_sum(wave, p) + 1


def right_label_among_the_wrong():
    return every_number_of_inputs(shifts=one_label_more)


def monomials(missing=0):
    """One more input of a monomial: with exponent 1 the mean of u(a) rho^{l a} comes as a factor; where the summand is
    missing the factor is 0 at l != 0, and p (a mean of 1) at l = 0. ``missing``: its exponent."""
    u, turn, mean, before, p = letters(LETTERS)
    once = averaged(u * turn, OTHER, u, turn, mean, p)
    left = {wave: averaged(u**missing * turn, wave, u, turn, mean, p) for wave in (ZERO, OTHER)}
    return agreeing(
        "means over one more input, in waves",
        mixed=(before * once, before * mean),
        missing=(before * left[OTHER], 0 * p),
        missing_at_zero=(before * left[ZERO], before * p),
    )


def exponent_one_for_missing():
    return monomials(missing=1)


# ---------------------------------------------------------------- the Fourier form

upwards = formula_leg(
    "sum of a wave",
    typed(
        "Sum(cos(2*pi*l*x/p), (x, 0, p - 1)) == 0 and Sum(sin(2*pi*l*x/p), (x, 0, p - 1)) == 0",
        over="p in 2..oo; l in 1..p - 1",
    ),
)
at_zero = formula_leg("sum of 1", typed("Sum(cos(0), (x, 0, p - 1)) == p", over="p in 2..oo"))
FACTOR = "factorial(k)/((p - 1)*p**k)"
PREFACTOR = "factorial(k)*p/((p - 1)*p**(k + 1))"
prefactor = formula_leg(
    "prefactor",
    typed(f"{PREFACTOR}*T == {FACTOR}*T", over="k in 1..oo; p in 2..oo; T in R"),
    covers="fourier-dft-reduction/identity argmax-equal",
)
positive = formula_leg(
    "a positive multiple",
    typed(f"{FACTOR} > 0", over="k in 1..oo; p in 2..oo"),
    covers="argmax-equal",
)
in_order = formula_leg(
    "multiples in order",
    typed("c*x < c*y", over="c in (0, oo); x, y in R", where="x < y"),
    covers="argmax-equal",
)
ONE_SHIFT = "T*p**(-k)/p"
one_shift = formula_leg(
    "factor at one shift",
    typed(f"{ONE_SHIFT} == T/p**(k + 1)", over="k in 1..oo; p in 2..oo; T in R"),
    covers="eta-tilde",
)
LEFT = "other-terms-zero terms-zero"
left = formula_leg(
    "what is left",
    typed("(m*p)*(v*p)/p**2 == m*v", over="p in 2..oo; m, v in R"),
    covers=LEFT,
)

# ---------------------------------------------------------------- run at sizes

T, m, v = sp.symbols("T m v", real=True)


def fourier_sum(ns, u, w):
    """Of w^(-j) prod u_i^(j) over j != 0. Shape (B,)."""
    return ns.sum(products(ns, u, w, w.shape[1])[0][:, 1:], axis=1)


def mean_margin(ns, u, w, k, p):
    """J over all inputs, and the Fourier sum. Shape (B,)."""
    return {"value": by_enumeration(ns, u, w, k, p), "T": fourier_sum(ns, u, w)}


def with_a_shift(rng, k, p):
    """Vectors, and a shift by the place of a 1 in ``at`` (p,)."""
    d = int(rng.integers(0, p))
    return {**random_neurons(rng, k, p), "at": [int(x == d) for x in range(p)]}


def at_a_shift(ns, u, w, at, k, p):
    """eta~ at one shift, and the sum over j that it is told by. Shape (B,)."""
    total = mixed_by_transform(ns, u, w, k, p) * p ** (k + 1)
    return {
        "value": ns.sum(mixed(ns, u, w, k, p) * at, axis=1),
        "T": ns.sum(total * at, axis=1),
    }


def turned_back(ns, u, w, at, k, p):
    """The shift in the opposite direction among the means."""
    seen = at_a_shift(ns, u, w, at, k, p)
    back = ns.take(at, ns.indices([-d % p for d in range(p)]), axis=1)
    return {"value": ns.sum(mixed(ns, u, w, k, p) * back, axis=1), "T": seen["T"]}


def with_a_polynomial(rng, k, p):
    """Vectors, and a coefficient for every monomial in which a summand is missing."""
    rest = [e for e in exponents(k, p) if some_missing(e)]
    return {**random_neurons(rng, k, p), "b": rng.rational((len(rest),), 5)}


def rest_at_every_shift(ns, u, w, b, k, p, keep=some_missing):
    """The mean of such a polynomial times w(s + d), shape (B, p), its own mean and that of w, shape (B,)."""

    def mean(weights):
        means = monomial_means(ns, u, weights, k, p, keep)
        return ns.sum(means * ns.expand_dims(b, axis=2), axis=1)

    return {
        "value": mean(w),
        "m": mean(ns.ones(w.shape))[:, 0],
        "v": ns.mean(w, axis=1),
    }


def with_the_mixed_one(ns, u, w, b, k, p):
    """The mixed monomial for the last of them."""
    last = [e for e in exponents(k, p) if some_missing(e)][-1]
    kept = [e for e in exponents(k, p) if e != last]
    return rest_at_every_shift(ns, u, w, b, k, p, keep=lambda e: e in kept)


RUN = {"arithmetic": "ball", "required": False}
OF_NEURONS = [
    leg(
        "all inputs",
        mean_margin,
        closed_form=sp.factorial(k) / ((p - 1) * p**k) * T,
        instances=RANDOM,
        observed=[T],
        covers="fourier-dft-reduction/identity argmax-equal",
        lhs=r"J(u,w)",
        tex=r"\frac{k!}{(p-1)\,p^k}\,T,\quad T=\sum_{j\ne0}\hat w(-j)\prod_i\hat u_i(j)",
        **RUN,
    ),
    leg(
        "mixed monomial",
        at_a_shift,
        closed_form=T / p ** (k + 1),
        instances=instances(with_a_shift, "u w at", smoke=6, standard=12),
        observed=[T],
        covers="eta-tilde",
        grid={"smoke": [{k: 1, p: 4}, {k: 2, p: 3}, {k: 2, p: 4}], "standard": [{k: 3, p: 5}]},
        lhs=r"\tilde\eta(\delta)",
        tex=r"p^{-(k+1)}\,T,\quad T=\sum_j\hat w(-j)\,\rho^{j\delta}\prod_i\hat u_i(j)",
        **RUN,
    ),
    leg(
        "other monomials",
        rest_at_every_shift,
        closed_form=m * v,
        instances=instances(with_a_polynomial, "u w b", smoke=4, standard=8),
        observed=[m, v],
        where=k >= 2,
        covers=LEFT,
        grid={"smoke": [{k: 2, p: 3}, {k: 2, p: 4}, {k: 3, p: 3}], "standard": [{k: 4, p: 3}]},
        lhs=r"\mathbb{E}_a\big[q(a)\,w(s-\delta)\big]",
        tex=r"m\,v,\quad m=\mathbb{E}_a\,q(a),\ v=\bar w\quad(q\text{ of monomials without some }u_i)",
        **(RUN | {"arithmetic": "rational"}),
    ),
]
reduction = claim(
    "fourier-dft-reduction-every-size",
    states=["fourier-dft-reduction", "fourier-dft-reduction-k3"],
    title="The objective in Fourier space, for every number of summands and every modulus",
    lhs=r"J(u,w)",
    tex=r"\frac{k!}{(p-1)\,p^k}\sum_{j\ne0}\hat w(-j)\prod_i\hat u_i(j)",
    says=r"For every $k$, $p$ and all real vectors $J$ is $k!/((p-1)p^k)$ times the sum over $j\ne0$ of "
    r"$\hat w(-j)\prod_i\hat u_i(j)$; the mixed monomial alone gives it at every shift, and monomials in which a "
    "summand is missing leave the mean of $w$ times their own, at every shift.",
    role="corrected",
    covers="fourier-dft-reduction/identity argmax-equal eta-tilde other-terms-zero terms-zero",
    domain={k: integers(1), p: integers(2)},
    grid={
        "smoke": [{k: 1, p: 5}, {k: 2, p: 5}, {k: 2, p: 6}, {k: 3, p: 4}],
        "standard": [{k: 2, p: 2}, {k: 3, p: 7}, {k: 4, p: 4}, {k: 5, p: 3}],
    },
    relation=equals(),
    legs=[
        leg(
            "inputs",
            every_number_of_inputs,
            arithmetic="proof",
            over="k p u w",
            covers="fourier-dft-reduction/identity argmax-equal",
            grid=ONCE,
        ),
        leg(
            "monomials",
            monomials,
            arithmetic="proof",
            over="k p delta u w",
            covers="eta-tilde other-terms-zero terms-zero",
            grid=ONCE,
        ),
        upwards,
        at_zero,
        prefactor,
        positive,
        in_order,
        one_shift,
        left,
        *OF_NEURONS,
    ],
    rivals=[
        variant(
            "p^(k+1), run",
            leg="all inputs",
            closed_form=sp.factorial(k) / ((p - 1) * p ** (k + 1)) * T,
        ),
        variant(
            "without k!", leg="all inputs", closed_form=T / ((p - 1) * p**k), at=[{k: 2, p: 5}]
        ),
        variant("p^k at one shift", leg="mixed monomial", closed_form=T / p**k),
        variant("the other shift", leg="mixed monomial", simulation=turned_back),
        variant("0, as printed", leg="other monomials", closed_form=sp.Integer(0)),
        variant("with the mixed one", leg="other monomials", simulation=with_the_mixed_one),
        *rivals_of(one_shift, {"p^k, typed": f"{ONE_SHIFT} == T/p**k"}),
        *rivals_of(left, {"times p": "(m*p)*(v*p)/p == m*v"}),
        variant("sums without 0", leg="inputs", simulation=without_input_zero),
        variant(
            "right label among the wrong ones", leg="inputs", simulation=right_label_among_the_wrong
        ),
        variant("no summand missing", leg="monomials", simulation=exponent_one_for_missing),
        *rivals_of(upwards, {"at 0 too": {"over": "p in 2..oo; l in 0..p - 1"}}),
        *rivals_of(at_zero, {"p - 1": "Sum(cos(0), (x, 0, p - 1)) == p - 1"}),
        *rivals_of(prefactor, {"p^(k+1)": f"{PREFACTOR}*T == {FACTOR}/p*T"}),
        *rivals_of(positive, {"at least 1": f"{FACTOR} >= 1"}),
        *rivals_of(in_order, {"of either sign": {"over": "c in R; x, y in R"}}),
    ],
)

# ---------------------------------------------------------------- moduli and phases


def product(x, y):
    """Of complex numbers as pairs."""
    return (x[0] * y[0] - x[1] * y[1], x[0] * y[1] + x[1] * y[0])


def conjugate(x):
    return (x[0], -x[1])


def moduli_and_phases(at_output=conjugate):
    """The product of transforms in polar form: R and r moduli, (C, S) and (c, s) cosines and sines of phases. The
    output enters with its conjugate, each input multiplies the modulus and turns the phase; at -j everything is
    conjugate, and the two together are twice the real part."""
    R, C, S, r, c, s = letters("R C S r c s")
    so_far, one = (R * C, R * S), (r * c, r * s)
    further = product(so_far, one)
    return agreeing(
        "induction over the inputs, in polar form",
        output=(at_output(one), (r * c, -r * s)),
        further=(further, (R * r * (C * c - S * s), R * r * (C * s + S * c))),
        opposite=(product(conjugate(so_far), conjugate(one)), conjugate(further)),
        both=(
            tuple(x + y for x, y in zip(so_far, conjugate(so_far), strict=True)),
            (2 * R * C, 0 * R),
        ),
    )


def output_as_it_is():
    return moduli_and_phases(at_output=lambda x: x)


AT = "Sum(u[x]*cos({}2*pi*j*x/p), (x, 1, p))", "Sum(u[x]*sin({}2*pi*j*x/p), (x, 1, p))"
MINUS, PLUS = ([text.format(sign) for text in AT] for sign in ("-", ""))
real_vectors = formula_leg(
    "conjugates",
    typed(
        f"{MINUS[0]} == {PLUS[0]} and {MINUS[1]} == -{PLUS[1]}",
        over=["p in 3..oo", "j in Z", "u[x] in R for x in 1..p"],
    ),
)
pairs = formula_leg(
    "pairs of residues",
    typed(
        "(p - j) - (-j) == p and (p + 1)/2 <= p - j and p - j <= p - 1",
        over="p in 3..oo; j in 1..floor(p/2)",
        where="Mod(p, 2) == 1",
    ),
)
EVEN_MODULUS = {"even p": {"where": ()}}
turning = formula_leg(addition.name, addition.simulation)
halves = formula_leg(
    "a half and its conjugate", typed("H + H == 2*H and K + (-K) == 0", over="H, K in R")
)
H = sp.Symbol("H", real=True)


def polar(rng, k, p):
    """Of k + 1 transforms the moduli ``r`` and phases ``phi`` at 1 .. (p-1)/2, (k + 1, (p-1)/2), and at 0 ``zero``,
    (k + 1,)."""
    q = (p - 1) // 2
    moduli = [[Fraction(int(x), 5) for x in row] for row in rng.integers(1, 11, (k + 1, q))]
    return {"r": moduli, "phi": rng.rational((k + 1, q), 7), "zero": rng.rational((k + 1,), 5)}


def of_polar_form(ns, r, phi, zero, k, p):
    """The Fourier sum of the real vectors that have these transforms, and the sum over half of the frequencies of the
    moduli times the cosine of the phase defect. Shape (B,)."""
    j = np.arange(1, (p + 1) // 2)
    turns = ns.number(ns.indices(np.outer(np.arange(p), j))) / p  # x by j
    waves = ns.cos(2 * ns.pi * turns + ns.expand_dims(phi, axis=2))
    rows = (
        ns.expand_dims(zero, axis=2) + 2 * ns.sum(ns.expand_dims(r, axis=2) * waves, axis=3)
    ) / p
    defect = ns.sum(phi[:, :k, :], axis=1) - phi[:, k, :]
    half = ns.sum(ns.prod(r, axis=1) * ns.cos(defect), axis=1)
    return {"value": fourier_sum(ns, rows[:, :k, :], rows[:, k, :]), "H": half}


def phases_added_up(ns, r, phi, zero, k, p):
    """With the output's phase among the summands' in the defect."""
    seen = of_polar_form(ns, r, phi, zero, k, p)
    half = ns.sum(ns.prod(r, axis=1) * ns.cos(ns.sum(phi, axis=1)), axis=1)
    return {"value": seen["value"], "H": half}


in_polar_form = leg(
    "vectors of given moduli and phases",
    of_polar_form,
    closed_form=2 * H,
    instances=instances(polar, "r phi zero", smoke=3, standard=6),
    observed=[H],
    unit=1,
    required=False,
    lhs=r"\sum_{j\ne0}\hat w(-j)\prod_i\hat u_i(j)",
    tex=r"2H,\quad H=\sum_{j=1}^{(p-1)/2}|\hat w(j)|\prod_i|\hat u_i(j)|\,\cos\delta_j",
)
phase_form = claim(
    "fourier-phase-form-every-size",
    states="fourier-norm-chain",
    title="Moduli and phase defects, for every number of summands and every odd modulus",
    lhs=r"\sum_{j\ne0}\hat w(-j)\prod_i\hat u_i(j)",
    tex=r"2\sum_{j=1}^{(p-1)/2}|\hat w(j)|\prod_i|\hat u_i(j)|\,\cos\delta_j",
    says="For every $k$, odd $p$ and all real vectors the Fourier sum is twice the sum over half of the frequencies of "
    "the product of the moduli times the cosine of the phase defect.",
    covers="phase-form",
    domain={k: integers(1), p: odd_integers(3)},
    grid={
        "smoke": [{k: 1, p: 3}, {k: 2, p: 5}, {k: 3, p: 7}],
        "standard": [{k: 2, p: 9}, {k: 4, p: 15}],
    },
    relation=equals(),
    legs=[
        leg("polar form", moduli_and_phases, arithmetic="proof", over="k p u w", grid=ONCE),
        turning,
        real_vectors,
        pairs,
        halves,
        in_polar_form,
    ],
    rivals=[
        variant("once the half", leg=in_polar_form.name, closed_form=H),
        variant("all phases added up", leg=in_polar_form.name, simulation=phases_added_up),
        *rivals_of(halves, {"once": "H + H == H and K + (-K) == 0"}),
        variant("output as it is", leg="polar form", simulation=output_as_it_is),
        *rivals_of(turning, {"the other turn": OPPOSITE_TURN}),
        *rivals_of(real_vectors, {"equal": f"{MINUS[1]} == {PLUS[1]}"}),
        *rivals_of(pairs, EVEN_MODULUS),
    ],
)
