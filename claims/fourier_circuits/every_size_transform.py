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
rho^{l a} whose means are letters; p is a letter. `dft_reduction` and `norm_chain` run the sums at sizes.

Reference: Lemmas C.10, C.14, Eq. (C.9)-(C.11) (arXiv 2402.09469).
"""

from __future__ import annotations

from theorycheck import claim, formula_leg, leg, rivals_of, typed, variant

from ._every_size import Series, agreeing, exponential, letters
from .dft_reduction_k3 import RESIDUES
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
    typed(f"{PREFACTOR} == {FACTOR}", over="k in 1..oo; p in 2..oo"),
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
    legs=[
        leg(
            "inputs",
            every_number_of_inputs,
            arithmetic="proof",
            over="k p u w",
            covers="fourier-dft-reduction/identity argmax-equal",
        ),
        leg(
            "monomials",
            monomials,
            arithmetic="proof",
            over="k p delta u w",
            covers="eta-tilde other-terms-zero terms-zero",
        ),
        upwards,
        at_zero,
        prefactor,
        positive,
        in_order,
    ],
    rivals=[
        variant("sums without 0", leg="inputs", simulation=without_input_zero),
        variant(
            "right label among the wrong ones", leg="inputs", simulation=right_label_among_the_wrong
        ),
        variant("no summand missing", leg="monomials", simulation=exponent_one_for_missing),
        *rivals_of(upwards, {"at 0 too": {"over": "p in 2..oo; l in 0..p - 1"}}),
        *rivals_of(at_zero, {"p - 1": "Sum(cos(0), (x, 0, p - 1)) == p - 1"}),
        *rivals_of(prefactor, {"p^(k+1)": f"{PREFACTOR} == {FACTOR}/p"}),
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
pairs = formula_leg("pairs of residues", RESIDUES)
EVEN_MODULUS = {
    "even p": {
        "says": "(2*n - j) - (-j) == 2*n and n + 1 <= 2*n - j",
        "over": "n in 1..oo; j in 1..n",
    }
}
turning = formula_leg(addition.name, addition.simulation)
phase_form = claim(
    "fourier-phase-form-every-size",
    states="fourier-norm-chain",
    title="Moduli and phase defects, for every number of summands and every odd modulus",
    lhs=r"\sum_{j\ne0}\hat w(-j)\prod_i\hat u_i(j)",
    tex=r"2\sum_{j=1}^{(p-1)/2}|\hat w(j)|\prod_i|\hat u_i(j)|\,\cos\delta_j",
    says="For every $k$, odd $p$ and all real vectors the Fourier sum is twice the sum over half of the frequencies of "
    "the product of the moduli times the cosine of the phase defect.",
    covers="phase-form",
    legs=[
        leg("polar form", moduli_and_phases, arithmetic="proof", over="k p u w"),
        turning,
        real_vectors,
        pairs,
    ],
    rivals=[
        variant("output as it is", leg="polar form", simulation=output_as_it_is),
        *rivals_of(turning, {"the other turn": OPPOSITE_TURN}),
        *rivals_of(real_vectors, {"equal": f"{MINUS[1]} == {PLUS[1]}"}),
        *rivals_of(pairs, EVEN_MODULUS),
    ],
)
