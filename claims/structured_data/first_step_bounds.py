r"""Lemmas A.9, A.10 and A.12: the coefficients of the first gradient step, with explicit constants.

Setting. z = <phi, q> + b + xi, T_j = E[y phi_j 1[z in (0, 1)]], T_b = E[y 1[z in (0, 1)]]; beta is the chance that z
without its relevant part t = <phi_A, q_A> is in (0, 1). n = D - k, r^2 = p (1 - p) = sigma_phi^2 sigma~^2, L = ln(D
m/delta); eps_e = (k sqrt(L) + L^(3/2))/(r sqrt(n)). A typical neuron has max|q_l| <= sigma_w sqrt(2 L) and |q_-A|^2
>= sigma_w^2 n/2.

Statements. (1) Given phi_A and xi, moving (0, 1) by t changes its chance by that of a stretch at one end less that of
one at the other: by at most e = |t|/(sqrt(2 pi) S) + (28/25) R/S^3, S^2 = sigma_phi^2 |q_-A|^2, R the third moments
(twice Berry and Esseen's 0.56, contamination-berry-esseen, and the density of the normal law). No tail bound, and no
condition on p, k and sigma_xi, is needed. (2) For a typical neuron e <= 61/20 eps_e. E|phi_j| <= 1/(2 sigma~), E[y
phi_j] = gamma/sigma~ and E y = 0: |T_j - beta gamma/sigma~| <= 61/40 eps_e/sigma~ on A, |T_b| <= 61/20 eps_e. (3)
Off A the same given phi_j, with |q_-B|^2 >= sigma_w^2 (n/2 - 2 L), B = A + {j}: for 8 L <= n, e <= 43/10 eps_e; for
8 L > n, 1 <= 43/10 eps_e. As E[y phi_j g(phi_-A)] = 0 for every g, |T_j| <= 43/5 sigma_phi^2 sigma~ eps_e.

Reference: Lemma A.9, lines 3057-3184; Lemma A.10, lines 3188-3222; Lemma A.12, lines 3274-3288.
"""

from __future__ import annotations

from fractions import Fraction

from flint import ctx

from theorycheck import at_most, claim, formula_leg, instances, leg, rivals_of, typed, variant

from ._balls import BITS, ONE_POINT, number
from ._first_step import (
    activity,
    background_part,
    bias_part,
    covariance,
    even,
    generic,
    means,
    moved,
    relevant_part,
    without,
)

FIRST, BIAS, SUMMARY = (
    "structured-first-step-emergence",
    "structured-first-step-bias",
    "structured-first-step-summary",
)
FIELDS = "law own rest b p s"


def relevant_error(law, own, rest, b, p, s, sign=1, gate=True):
    """sigma~ |T_j - beta gamma/sigma~| of every relevant pattern. Shape (k,)."""
    with ctx.workprec(BITS):
        lead = number(sign * covariance(law)) * (activity(rest, b, p, s) if gate else 1)
        return [abs(t - lead) for t in relevant_part(law, own, rest, b, p, s)]


def ungated(law, own, rest, b, p, s):
    return relevant_error(law, own, rest, b, p, s, gate=False)


def other_sign(law, own, rest, b, p, s):
    return relevant_error(law, own, rest, b, p, s, sign=-1)


def relevant_bound(law, own, rest, b, p, s, **parts):
    """2 mu_j (1 - mu_j) e. Shape (k,)."""
    with ctx.workprec(BITS):
        return [number(2 * m * (1 - m)) * moved(own, rest, p, **parts) for m in means(law)]


def relevant_spread(law, own, rest, b, p, s):
    return relevant_bound(law, own, rest, b, p, s, shape=0)


def relevant_small(law, own, rest, b, p, s):
    return relevant_bound(law, own, rest, b, p, s, spread=Fraction(1, 4), shape=Fraction(1, 4))


def background_size(law, own, rest, b, p, s):
    """sigma~ |T_j| of a background pattern of each group. Shape (groups,)."""
    with ctx.workprec(BITS):
        return [abs(t) for t in background_part(law, own, rest, b, p, s)]


def background_bound(law, own, rest, b, p, s, power=1, factor=2, **parts):
    """2 p (1 - p) e without the pattern. Shape (groups,)."""
    with ctx.workprec(BITS):
        return [
            number(factor * (p * (1 - p)) ** power) * moved(own, without(rest, g), p, **parts)
            for g in range(len(rest))
        ]


def background_shape(law, own, rest, b, p, s):
    return background_bound(law, own, rest, b, p, s, spread=0)


def background_spread(law, own, rest, b, p, s):
    return background_bound(law, own, rest, b, p, s, shape=0)


def background_twice(law, own, rest, b, p, s):
    return background_bound(law, own, rest, b, p, s, power=2)


def bias_size(law, own, rest, b, p, s):
    """|T_b|. Shape ()."""
    with ctx.workprec(BITS):
        return abs(bias_part(law, own, rest, b, p, s))


def bias_bound(law, own, rest, b, p, s, **parts):
    """e. Shape ()."""
    with ctx.workprec(BITS):
        return moved(own, rest, p, **parts)


def bias_shape(law, own, rest, b, p, s):
    return bias_bound(law, own, rest, b, p, s, spread=0)


def bias_spread(law, own, rest, b, p, s):
    return bias_bound(law, own, rest, b, p, s, shape=0)


def at_an_atom(rng):
    """400 equal weights, a small relevant part that crosses the largest atom."""
    return even(400, Fraction(1, 2), Fraction(1, 100), 200)


def wide(rng):
    """900 equal weights: eps_e small, a relevant part of the background's deviation."""
    return even(900, Fraction(1, 2), Fraction(15), 450)


def one_large(rng, p=Fraction(1, 2), count=400, size=Fraction(1, 100)):
    """One background pattern that decides whether the threshold is near."""
    found = even(count, p, size, int(count * p))
    u = Fraction(1, 2)
    return {**found, "rest": [(u, 1), *found["rest"]], "b": found["b"] + u * p}


def one_large_rare(rng):
    return one_large(rng, p=Fraction(1, 50))


def one_large_wide(rng):
    return one_large(rng, count=900, size=Fraction(15))


def tried(*named):
    """Legs of the same comparison for one kind of data each."""
    return [
        leg(
            name,
            program,
            reference=bound,
            relation=at_most(),
            required=False,
            instances=instances(draw, FIELDS, smoke=count, standard=more),
        )
        for name, program, bound, draw, count, more in named
    ]


def chain(over):
    """The steps from the definition to e."""
    ends = formula_leg(
        "two ends",
        typed("abs(u - v) <= e", over=["e >= 0", "u in [0, e]", "v in [0, e]"]),
        over=over,
    )
    density = formula_leg(
        "an interval",
        typed("Phi(x + h) - Phi(x) <= h/sqrt(2*pi)", over=["x in R", "h in [0, oo)"]),
        over=over,
    )
    third = formula_leg(
        "third moments",
        typed(
            "abs(u)**3 <= M*u**2 and (1 - p)**2 + p**2 <= 1",
            over=["M >= 0", "u in [-M, M]", "p in [0, 1/2]"],
        ),
        over=over,
    )
    wrong = [
        *rivals_of(ends, {"half of it": "abs(u - v) <= e/2"}),
        *rivals_of(density, {"h/3": "Phi(x + h) - Phi(x) <= h/3"}),
        *rivals_of(third, {"any weight": {"over": ["M >= 0", "u in R", "p in [0, 1/2]"]}}),
    ]
    return [ends, density, third], wrong


SIZES = ["k in 1..oo", "w > 0", "L > 0", "r in (0, 1/2]", "n in 1..oo"]
LARGEST = "(w*sqrt(2*L))"


def size_of_e(share, factor, constant="61/20"):
    """factor e <= constant eps_e, |q_-A|^2 = w^2 ``share``."""
    norm = f"(r*sqrt(w**2*{share}))"
    return (
        f"({factor})*(k*{LARGEST}/(sqrt(2*pi)*{norm}) + (28/25)*{LARGEST}/{norm})"
        f" <= {constant}*(k*sqrt(L) + L**(3/2))/(r*sqrt(n))"
    )


TYPICAL = typed(size_of_e("n/2", "1"), over=SIZES)
TYPICAL_ON_A = typed(
    f"2*mu*(1 - mu) <= 1/2 and {size_of_e('n/2', '1/2', '61/40')}", over=["mu in [0, 1]", *SIZES]
)
LEFT = typed("n/2 - 2*L >= n/4", over=["L > 0", "n in [8*L, oo)"])
TYPICAL_OFF_A = typed(size_of_e("n/4", "2", "43/5"), over=SIZES)
VACUOUS = typed(
    "2 <= (43/5)*(k*sqrt(L) + L**(3/2))/(r*sqrt(n))",
    over=["k in 1..oo", "L > 0", "r in (0, 1/2]", "n in (0, 8*L]"],
)

ON_CHAIN, ON_WRONG = chain("law w_i b_i")
ON_SIZE = formula_leg("typical", TYPICAL_ON_A, over="law w_i b_i", gives="C")
relevant = claim(
    "structured-first-step-relevant",
    lhs=r"\tilde\sigma\,|T_j-\beta\gamma/\tilde\sigma|",
    tex=r"2\mu_j(1-\mu_j)\Big(\tfrac{|q_A|_1}{\sqrt{2\pi}\,\tilde\sigma S}+\tfrac{28}{25}\tfrac R{S^3}\Big)",
    states=FIRST,
    title="First step on relevant patterns",
    says=r"$|T_j-\beta\gamma/\tilde\sigma|\le\frac{61}{40}\epsilon_e/\tilde\sigma$ for every $j\in A$, all laws of the "
    r"family, all typical neurons and every $\sigma_\xi\ge0$; $\beta$ is the activity without the relevant patterns.",
    covers="relevant",
    reads={"law": "law p s", "w_i": "own rest", "b_i": "b"},
    **ONE_POINT,
    legs=[
        leg(
            "members and neurons",
            relevant_error,
            reference=relevant_bound,
            relation=at_most(),
            required=False,
            gives="beta",
            chosen_by=activity,
            inside="j",
            instances=instances(generic, FIELDS, smoke=4, standard=12),
        ),
        *tried(
            ("at an atom", relevant_error, relevant_bound, at_an_atom, 1, 1),
            ("900 patterns", relevant_error, relevant_bound, wide, 1, 1),
        ),
        *ON_CHAIN,
        ON_SIZE,
    ],
    rivals=[
        variant("gamma/sigma~, no gate", simulation=ungated, leg="900 patterns"),
        variant("the other sign", simulation=other_sign, leg="900 patterns"),
        variant("the spread alone", reference=relevant_spread, leg="at an atom"),
        variant("a quarter", reference=relevant_small, leg="at an atom"),
        *ON_WRONG,
        *rivals_of(
            ON_SIZE, {"constant 3/2": f"2*mu*(1 - mu) <= 1/2 and {size_of_e('n/2', '1/2', '3/2')}"}
        ),
    ],
)

OFF_CHAIN, OFF_WRONG = chain("law w_i b_i")
OFF_LEFT = formula_leg("less one pattern", LEFT, over="law w_i b_i")
OFF_SIZE = formula_leg("typical, 8 L <= n", TYPICAL_OFF_A, over="law w_i b_i", gives="C")
OFF_VACUOUS = formula_leg("8 L > n", VACUOUS, over="law w_i b_i", gives="C")
background = claim(
    "structured-first-step-background",
    lhs=r"\tilde\sigma\,|T_j|",
    tex=r"2p(1-p)\Big(\tfrac{|q_A|_1}{\sqrt{2\pi}\,\tilde\sigma S}+\tfrac{28}{25}\tfrac R{S^3}\Big)",
    states=FIRST,
    title="First step on background patterns",
    says=r"$|T_j|\le\frac{43}5\sigma_\phi^2\epsilon_e\tilde\sigma$ for every $j\notin A$, all laws of the family, all "
    r"typical neurons and every $\sigma_\xi\ge0$.",
    covers="background",
    reads={"law": "law p s", "w_i": "own rest", "b_i": "b"},
    **ONE_POINT,
    legs=[
        leg(
            "members and neurons",
            background_size,
            reference=background_bound,
            relation=at_most(),
            required=False,
            inside="j",
            instances=instances(generic, FIELDS, smoke=4, standard=12),
        ),
        *tried(
            ("one large", background_size, background_bound, one_large, 1, 1),
            ("one large, rare", background_size, background_bound, one_large_rare, 1, 1),
            ("one large, 900", background_size, background_bound, one_large_wide, 1, 1),
        ),
        *OFF_CHAIN,
        OFF_LEFT,
        OFF_SIZE,
        OFF_VACUOUS,
    ],
    rivals=[
        variant("the shape alone", reference=background_shape, leg="one large, 900"),
        variant("the spread alone", reference=background_spread, leg="one large"),
        variant("p^2 (1 - p)^2", reference=background_twice, leg="one large, rare"),
        *OFF_WRONG,
        *rivals_of(OFF_SIZE, {"constant 17/2": size_of_e("n/4", "2", "17/2")}),
        *rivals_of(OFF_LEFT, {"4 L <= n": {"over": ["L > 0", "n in [4*L, oo)"]}}),
        *rivals_of(OFF_VACUOUS, {"constant 2": "2 <= 2*(k*sqrt(L) + L**(3/2))/(r*sqrt(n))"}),
    ],
)

B_CHAIN, B_WRONG = chain("law w_i b_i")
B_SIZE = formula_leg("typical", TYPICAL, over="law w_i b_i", gives="C")
bias = claim(
    "structured-first-step-bias-size",
    lhs="|T_b|",
    tex=r"\tfrac{|q_A|_1}{\sqrt{2\pi}\,\tilde\sigma S}+\tfrac{28}{25}\tfrac R{S^3}",
    states=BIAS,
    title="First step of the biases",
    says=r"$|T_b|\le\frac{61}{20}\epsilon_e$ for all laws of the family, all typical neurons and every "
    r"$\sigma_\xi\ge0$.",
    covers="bound",
    reads={"law": "law p s", "w_i": "own rest", "b_i": "b"},
    **ONE_POINT,
    legs=[
        leg(
            "members and neurons",
            bias_size,
            reference=bias_bound,
            relation=at_most(),
            required=False,
            instances=instances(generic, FIELDS, smoke=4, standard=12),
        ),
        *tried(
            ("at an atom", bias_size, bias_bound, at_an_atom, 1, 1),
            ("900 patterns", bias_size, bias_bound, wide, 1, 1),
        ),
        *B_CHAIN,
        B_SIZE,
    ],
    rivals=[
        variant("the shape alone", reference=bias_shape, leg="900 patterns"),
        variant("the spread alone", reference=bias_spread, leg="at an atom"),
        *B_WRONG,
        *rivals_of(B_SIZE, {"constant 3": size_of_e("n/2", "1", "3")}),
    ],
)
