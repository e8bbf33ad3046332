r"""Lemma A.13: the output after the first step, as printed and with the cap that its proof needs.

Setting. Neurons in pairs with read-outs a, -a; after an exact first step a^(1) = +-a + eta T_a, and the arguments are
z, z' = b +- eta a (<T, phi> + T_b). L = ln(D m/delta) <= sqrt(k), p >= k^2/D, R = sigma_phi sigma~ sqrt(D - k) >= k/2.

Statements. (1) g^(1)(x) = sum over pairs of a (sigma(z) - sigma(z')) + eta T_a (sigma(z) + sigma(z')). (2) As printed,
sigma_a <= sigma~^2/(gamma k^2) and eta = c' gamma/(k m sigma_a): the cap says nothing where sigma_a is small. One pair,
a = sigma_a, T_a > 0: eta a does not depend on sigma_a, one argument is at least b, and with tau = gamma T_a sigma(b)/(k
m), sigma_a <= c' tau/4, g^(1) >= c' tau/sigma_a - sigma_a > 3 at every x: y g^(1) < 1 only where y = -1, for every c'.
(3) With sigma_a = sigma~^2/(gamma k^2), as training has it, and eta <= gamma/(250 k m sigma_a sigma~), the cap of Lemma
A.38: |z - z'| <= 2 |<w^(1), x>| + 2 eta |a T_b| <= (128 + 26) eta sigma~/gamma on the good inputs of Lemma A.13, |T_a|
<= sqrt(2 L)/k, so |g^(1)| < 1 there. The schedule of Lemma A.17 satisfies this cap for m >= D, k >= 6. (4) The slope of
E sigma(z + xi) moves by at most |t|/(s sqrt(2 pi)): max_x |g^(1)| is eta max_x |2 a^2 (<T, phi> + T_b) H(b) + 2 T_a
sigma(b)| up to (|a| + eta |T_a|) t^2/(s sqrt(2 pi)), t = z - b, for every eta.

Reference: Lemma A.13, lines 3292-3354; Lemma A.38, lines 4806-4810.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

import sympy as sp
from flint import arb, ctx

from theorycheck import (
    at_most,
    claim,
    equals,
    formula_leg,
    instances,
    leg,
    rivals_of,
    typed,
    variant,
)

from ._balls import BITS, ONE_POINT, number
from ._bounded import bounded
from ._first_step import bias_part, covariance, generic, of_labels
from ._second_step import first_read_out, gate, outputs, tilted

SMALL = "structured-step1-output-small"

# ---------------------------------------------------------------- as printed

WITNESS = [
    "c in (0, 1)",
    "c_prime in (0, 1)",
    "tau in (0, 1)",
    "w in (0, c_prime*tau/4]",
    "k in [1/c, oo)",
]
printed = claim(
    "structured-step1-output-printed",
    states=SMALL,
    title="Output after the first step, as printed",
    says=r"For $\sigma_a\le\tilde\sigma^2/(\gamma k^2)$, $\eta\le c'\gamma/(km\sigma_a)$ the chance of $yg^{(1)}<1$ is "
    r"at least $1-e^{-ck}$; at $\sigma_a\le\frac{c'}4\gamma T_a\sigma(b)/(km)$ it is $\frac12$, whatever $c$, $c'$.",
    expect="fail",
    covers="output",
    legs=[
        formula_leg(
            "one pair",
            typed("c_prime*tau/w - w < 1 or 1 - exp(-c*k) <= 1/2", over=WITNESS),
            over="c c_prime law initialisation x y",
        ),
    ],
)


def small_read_out(law, own, rest, b, p, s, cap, share=4):
    """Chance that y g^(1) < 1 for one pair with sigma_a = c' tau/4. Shape ()."""
    with ctx.workprec(BITS):
        T, gamma = first_read_out(law, own, rest, b, p, s), covariance(law)
        tau = number(gamma) * T * tilted(number(b), s) / len(own)
        a = Fraction(int(float(number(Fraction(cap) / share) * tau) * 10**15), 10**15)
        eta = cap * gamma / (len(own) * a)
        found = Fraction(0)
        for _, y, _, c, g, _ in outputs(law, own, rest, b, p, s, eta, a):
            found += c * bool(y * g < 1)
        return number(found)


def large_read_out(law, own, rest, b, p, s, cap):
    return small_read_out(law, own, rest, b, p, s, cap, share=Fraction(1, 100))


def a_cap(rng):
    """A member of the family, equal positive weights, a cap between 1 and 1/1000."""
    k = int(rng.integers(1, 4))
    return {
        "law": of_labels(rng, k)
        if k == 1
        else [((0,) * k, -1, Fraction(1, 2)), ((1,) * k, 1, Fraction(1, 2))],
        "own": [Fraction(1, int(rng.integers(1, 5)))] * k,
        "rest": [(Fraction(1, 4), int(rng.integers(1, 5)))],
        "b": Fraction(int(rng.integers(0, 5)), 8),
        "p": Fraction(int(rng.integers(1, 9)), 16),
        "s": Fraction(1, 8),
        "cap": Fraction(1, 10 ** int(rng.integers(0, 4))),
    }


ONE_OPEN = formula_leg("one argument", typed("Max(b + t, b - t) >= b", over=["b in R", "t in R"]))
DIFFERENCE = formula_leg(
    "the pair's difference",
    typed("abs(Min(1, Max(0, u)) - Min(1, Max(0, v))) <= 1", over=["u in R", "v in R"]),
)
ABOVE = formula_leg(
    "above the margin",
    typed("c*tau/w - w >= 15/4", over=["c in (0, 1)", "tau in (0, 1)", "w in (0, c*tau/4]"]),
)
beyond = claim(
    "structured-step1-output-half",
    lhs=r"\Pr[yg^{(1)}<1]",
    tex=r"\tfrac12",
    states=SMALL,
    title="Small read-outs take every margin of one class above 1",
    says=r"One pair with $T_a>0$, $\sigma_a=\frac{c'}4\gamma T_a\sigma(b)/k$ and $\eta=c'\gamma/(k\sigma_a)$ has "
    r"$yg^{(1)}<1$ exactly where $y=-1$.",
    role="derived",
    corrects="structured-step1-output-printed",
    encodes="part",
    **ONE_POINT,
    legs=[
        leg(
            "exact steps",
            small_read_out,
            closed_form=sp.Rational(1, 2),
            relation=equals(),
            lhs=r"\Pr[yg^{(1)}<1]",
            tex=r"\tfrac12",
            instances=instances(a_cap, "law own rest b p s cap", smoke=4, standard=12),
        ),
        ONE_OPEN,
        DIFFERENCE,
        ABOVE,
    ],
    rivals=[
        variant("read-outs 400 times larger", simulation=large_read_out, leg="exact steps"),
        *rivals_of(ONE_OPEN, {"above": "Max(b + t, b - t) >= b + 1"}),
        *rivals_of(DIFFERENCE, {"1/2": "abs(Min(1, Max(0, u)) - Min(1, Max(0, v))) <= 1/2"}),
        *rivals_of(ABOVE, {"4": "c*tau/w - w >= 4"}),
    ],
)

# ---------------------------------------------------------------- with the cap of Lemma A.38


def summed(law, neurons, p, s, eta):
    """g^(1) at every input, over all pairs."""
    found = None
    for own, rest, b, a in neurons:
        g = [row[4] for row in outputs(law, own, rest, b, p, s, eta, a)]
        found = g if found is None else [u + v for u, v in zip(found, g, strict=True)]
    return found


def largest_output(law, neurons, p, s, eta):
    """max_x |g^(1)|. Shape ()."""
    with ctx.workprec(BITS):
        most = arb(0)
        for g in summed(law, neurons, p, s, eta):
            most = most.max(abs(g))
        return most


def output_bound(law, neurons, p, s, eta, pre=1, more=1):
    """max_x of the sum of 2 |a| (|<w, x>| + eta |a T_b|) and 2 eta |T_a|. Shape ()."""
    with ctx.workprec(BITS):
        found = None
        for own, rest, b, a in neurons:
            T_b = number(eta * a) * bias_part(law, own, rest, b, p, s)
            T_a = number(2 * eta) * abs(first_read_out(law, own, rest, b, p, s))
            rows = [
                number(2 * abs(a)) * (pre * abs(z[0] - number(b) - T_b) + abs(T_b)) + more * T_a
                for *_, z in outputs(law, own, rest, b, p, s, eta, a)
            ]
            found = rows if found is None else [u + v for u, v in zip(found, rows, strict=True)]
        most = arb(0)
        for row in found:
            most = most.max(row)
        return most


def biases_alone(law, neurons, p, s, eta):
    return output_bound(law, neurons, p, s, eta, pre=0, more=0)


def without_read_outs(law, neurons, p, s, eta):
    return output_bound(law, neurons, p, s, eta, more=0)


def some_network(rng):
    """Two pairs on one member of the family."""
    first = generic(rng)
    k, groups = len(first["own"]), first["rest"]
    return {
        "law": first["law"],
        "neurons": [
            (
                list(rng.rational((k,), 4)),
                [(u * sign, c) for u, c in groups],
                Fraction(int(rng.integers(-4, 9)), 8),
                Fraction(int(rng.signs()) * int(rng.integers(1, 9)), 4),
            )
            for sign in (1, -1)
        ],
        "p": first["p"],
        "s": Fraction(int(rng.integers(1, 4)), 8),
        "eta": Fraction(int(rng.integers(1, 9)), 4),
    }


FAIR = [((0,), -1, Fraction(1, 2)), ((1,), 1, Fraction(1, 2))]


def open_pair(rng):
    """One pair in the middle of (0, 1)."""
    return {
        "law": FAIR,
        "neurons": [([Fraction(1, 4)], [(Fraction(1, 8), 2)], Fraction(1, 2), Fraction(1))],
        "p": Fraction(1, 2),
        "s": Fraction(1, 16),
        "eta": Fraction(1, 4),
    }


def saturated_pair(rng):
    """One pair whose read-outs move more than its arguments: a small a, the units at 1."""
    return {
        "law": FAIR,
        "neurons": [([Fraction(2)], [(Fraction(1, 8), 2)], Fraction(1), Fraction(1, 100))],
        "p": Fraction(1, 2),
        "s": Fraction(1, 16),
        "eta": Fraction(4),
    }


compared = partial(bounded, "law neurons p s eta")


NAMES = "law initialisation x y"
PLACE = ["k in 1..oo", "L in [0, sqrt(k)]"]
SPLIT = formula_leg(
    "a pair",
    typed(
        "(a + e)*u + (-a + e)*v == a*(u - v) + e*(u + v)",
        over=["a in R", "e in R", "u in R", "v in R"],
    ),
    over=NAMES,
)
LIPSCHITZ = formula_leg(
    "activation",
    typed(
        "abs(Min(1, Max(0, u)) - Min(1, Max(0, v))) <= abs(u - v) and Min(1, Max(0, v)) <= 1",
        over=["u in R", "v in R"],
    ),
    over=NAMES,
)
SCALE = formula_leg(
    "sigma~ against R",
    typed("k/4 + R**2 <= 2*R**2", over=["k in 1..oo", "R in [k/2, oo)"]),
    over=NAMES,
)
OF_BIAS = "sqrt(2*L)*(61/20)*2*sqrt(L)/k*sqrt(2) <= {c}"
BIASES = formula_leg("biases", typed(OF_BIAS.format(c=13), over=PLACE), over=NAMES)
# with u = k m sigma_a sigma~/gamma: eta = share/u; m sigma_a sqrt(2 L) 2 (64 + 13) eta sigma~/gamma and 2 m eta |T_a|
FIRST = "2*(64 + 13)*sqrt(2*L)/(k*{c}) <= 22/25"
SECOND = "2*sqrt(2*L)*g**2*k**2/(k*k*{c}*V**3) <= 1/20"
CAP = formula_leg("the cap", typed(FIRST.format(c=250), over=PLACE), over=NAMES, gives="c_prime")
READ = formula_leg(
    "read-outs",
    typed(SECOND.format(c=250), over=[*PLACE, "g in [0, 1/2]", "V in [k/2, oo)"]),
    over=NAMES,
)
RARE = formula_leg(
    "bad inputs",
    typed("(1 - p + p*exp(1))*exp(-2*p) <= 1", over="p in [0, 1]"),
    over=NAMES,
    gives="c",
)
SCHEDULE = formula_leg(
    "the schedule",
    typed(
        "g**2*V/(k*m**3) <= g*k**2*g/(250*k*m*V**2*V)",
        over=["k in 6..oo", "m > 0", "g in (0, 1/2]", "V in (0, sqrt(m)/2]"],
    ),
    over=NAMES,
)

cap = claim(
    "structured-step1-output-cap",
    lhs=r"\max_x|g^{(1)}(x)|",
    tex=r"\max_x\sum_i2|a_i|\big(|\langle w^{(1)}_i,x\rangle|+\eta|a_iT_b|\big)+2\eta|T_a|",
    states=SMALL,
    title="Output after the first step below 1, with the cap of the general setting",
    says=r"For $\sigma_a=\tilde\sigma^2/(\gamma k^2)$ and $\eta\le\gamma/(250\,km\sigma_a\tilde\sigma)$, $|g^{(1)}|<1$ "
    r"on all inputs but a part $e^{-k}$, for all laws of the family and all typical neurons.",
    role="corrected",
    corrects="structured-step1-output-printed",
    covers="output",
    reads={"law": "law p s", "initialisation": "neurons", "x": "law", "y": "law"},
    **ONE_POINT,
    legs=[
        compared("members and networks", largest_output, output_bound, some_network, 4, 12),
        compared("an open pair", largest_output, output_bound, open_pair),
        compared("a saturated pair", largest_output, output_bound, saturated_pair),
        SPLIT,
        LIPSCHITZ,
        SCALE,
        BIASES,
        CAP,
        READ,
        RARE,
        SCHEDULE,
    ],
    rivals=[
        variant("the biases alone", reference=biases_alone, leg="an open pair"),
        variant("without the read-outs", reference=without_read_outs, leg="a saturated pair"),
        *rivals_of(SPLIT, {"the sum alone": "(a + e)*u + (-a + e)*v == e*(u + v)"}),
        *rivals_of(
            LIPSCHITZ,
            {"half the slope": "abs(Min(1, Max(0, u)) - Min(1, Max(0, v))) <= abs(u - v)/2"},
        ),
        *rivals_of(SCALE, {"R^2": "k/4 + R**2 <= R**2"}),
        *rivals_of(BIASES, {"constant 12": OF_BIAS.format(c=12)}),
        *rivals_of(CAP, {"cap 1/200": FIRST.format(c=200)}),
        *rivals_of(READ, {"cap 1/50": SECOND.format(c=50)}),
        *rivals_of(RARE, {"exponent 1": "(1 - p + p*exp(1))*exp(-p) <= 1"}),
        *rivals_of(
            SCHEDULE, {"any width": {"over": ["k in 6..oo", "m > 0", "g in (0, 1/2]", "V > 0"]}}
        ),
    ],
)

# ---------------------------------------------------------------- linear in the step size


def first_order(law, own, rest, b, p, s, eta, a, read=1):
    """2 a^2 (<T, phi> + T_b) H(b) + 2 T_a sigma(b) at every input."""
    T_a = read * first_read_out(law, own, rest, b, p, s)
    for *_, z in outputs(law, own, rest, b, p, s, 1, a):
        yield number(2 * a) * (z[0] - number(b)) * gate(number(b), s) + 2 * T_a * tilted(
            number(b), s
        )


def departure(law, own, rest, b, p, s, eta, a, read=1):
    """|max_x |g^(1)|/eta - max_x |its first order||. Shape ()."""
    with ctx.workprec(BITS):
        seen, line = arb(0), arb(0)
        for _, _, _, _, g, _ in outputs(law, own, rest, b, p, s, eta, a):
            seen = seen.max(abs(g) / number(eta))
        for g in first_order(law, own, rest, b, p, s, eta, a, read):
            line = line.max(abs(g))
        return abs(seen - line)


def no_read_outs(law, own, rest, b, p, s, eta, a):
    return departure(law, own, rest, b, p, s, eta, a, read=0)


def departure_bound(law, own, rest, b, p, s, eta, a, share=1):
    """(|a|/eta + |T_a|) t^2/(s sqrt(2 pi)), t the most that an argument moves. Shape ()."""
    with ctx.workprec(BITS):
        t = arb(0)
        for *_, z in outputs(law, own, rest, b, p, s, eta, a):
            t = t.max(abs(z[0] - number(b)))
        T_a = abs(first_read_out(law, own, rest, b, p, s))
        size = number(abs(a) / Fraction(eta)) + T_a
        return share * size * t * t / (number(s) * (2 * arb.pi()).sqrt())


def departure_small(law, own, rest, b, p, s, eta, a):
    return departure_bound(law, own, rest, b, p, s, eta, a, share=number(Fraction(1, 2)))


def a_sweep(rng):
    """A member and a neuron, the step size over five decades."""
    return {
        **generic(rng),
        "s": Fraction(int(rng.integers(1, 4)), 8),
        "eta": Fraction(1, 10 ** int(rng.integers(0, 6))),
        "a": Fraction(int(rng.signs()) * int(rng.integers(1, 9)), 4),
    }


def a_bend(rng):
    """A pair at the bend of sigma with a small read-out, a large step."""
    return {
        "law": FAIR,
        "own": [Fraction(1, 4)],
        "rest": [(Fraction(1, 8), 2)],
        "b": Fraction(0),
        "p": Fraction(1, 2),
        "s": Fraction(1, 2),
        "eta": Fraction(100),
        "a": Fraction(1, 100),
    }


def swept(name, draw, count=1, more=1):
    return leg(
        name,
        departure,
        reference=departure_bound,
        relation=at_most(),
        required=False,
        instances=instances(draw, "law own rest b p s eta a", smoke=count, standard=more),
    )


OVER = "eta"
TAYLOR = formula_leg(
    "second order",
    typed(
        "abs(a)*t**2*M + E*abs(T)*t**2*M == E*(abs(a)/E + abs(T))*t**2*M",
        over=["a in R", "T in R", "t in R", "M >= 0", "E > 0"],
    ),
    over=OVER,
)
BEND = formula_leg(
    "slope of H",
    typed(
        "abs(exp(-x**2/2)/sqrt(2*pi) - exp(-y**2/2)/sqrt(2*pi)) <= 1/sqrt(2*pi)",
        over=["x in R", "y in R"],
    ),
    over=OVER,
)
linear = claim(
    "structured-step1-output-linear",
    lhs=r"\Big|\max_x|g^{(1)}|/\eta-\max_x|2a^2(\langle T,\phi\rangle+T_b)H(b)+2T_a\sigma(b)|\Big|",
    tex=r"\big(|a|/\eta+|T_a|\big)\frac{\max_xt^2}{\sqrt{2\pi}\,\sigma_\xi}",
    states=SMALL,
    title="The output after the first step is linear in the step size",
    says=r"$\max_x|g^{(1)}|$ is $\eta$ times a number without $\eta$, up to a relative error of order $\eta$ with an "
    "explicit constant, for every step size.",
    covers="linear-in-eta",
    **ONE_POINT,
    legs=[swept("members and neurons", a_sweep, 6, 16), swept("at a bend", a_bend), TAYLOR, BEND],
    rivals=[
        variant("without the read-outs", simulation=no_read_outs, leg="members and neurons"),
        variant("half", reference=departure_small, leg="at a bend"),
        *rivals_of(TAYLOR, {"once": "abs(a)*t**2*M + E*abs(T)*t**2*M == E*abs(T)*t**2*M"}),
        *rivals_of(BEND, {"1/3": "abs(exp(-x**2/2)/sqrt(2*pi) - exp(-y**2/2)/sqrt(2*pi)) <= 1/3"}),
    ],
)
