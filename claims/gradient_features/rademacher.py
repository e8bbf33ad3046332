r"""Lemma B.78: the Rademacher complexity of a frozen layer's read-outs.

Setting. Features relu(w_j x - b_j) on a sample of n, read-outs with |a| <= B_a; the complexity is B_a E |sum_i s_i
f(x_i)|/n, at most B_a sqrt(E |f(x)|^2/n) by Jensen's inequality.

Statements. (1) Printed: at most B_a sqrt((|W|_F^2 B_x^2 + |b|^2)/n) for every law and bias. At n = 1, x = (1, 0), w =
e_1, b = -1 it is 2 B_a, above sqrt 2 B_a. (2) relu(u - b)^2 <= (u - b)^2 = u^2 + b^2 - 2 u b, whose last term has
mean 0 for centred x: right then. (3) relu(u - b)^2 <= u^2 for b >= 0: right then, for every law. (4) relu(u - b)^2 <=
2 u^2 + 2 b^2 always: right with a factor 2 inside the root.

Reference: lines 7742-7744.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from theorycheck import (
    at_most,
    claim,
    formula,
    formula_leg,
    instances,
    rivals_of,
    typed,
    variant,
)

from ._beside import beside
from ._means import MASS, MEAN, per_atom
from ._network import dot, relu

# one point, one feature with w = e_1: the complexity is exactly B_a relu(x - b)
printed = formula(
    "gradfeat-rademacher-printed",
    states="gradfeat-rademacher",
    title="Printed complexity of the last layer",
    expect="fail",
    covers="printed",
    reads={"W": "x", "law": "x", "n": "n"},
    says="B*relu(x - b)/n <= B*sqrt((x**2 + b**2)/n)",
    over=["x in {1}", "b in {-1}", "n in {1}", "B in (0, oo)"],
)


FIELDS = "xs w b n"


def drawn(rng, symmetric=False, sign=0):
    """Four equally likely points of the plane, a neuron and a sample size."""
    half = rng.rational((2, 2), 4)
    points = [*half, *([-v for v in x] for x in half)] if symmetric else rng.rational((4, 2), 4)
    bias = rng.rational((), 4)
    return {
        "xs": points,
        "w": rng.rational((2,), 3),
        "b": abs(bias) if sign else bias,
        "n": int(rng.integers(1, 4)),
    }


def of_mean_zero(rng):
    return drawn(rng, symmetric=True)


def of_positive_bias(rng):
    return drawn(rng, sign=1)


def of_any_law(rng):
    return drawn(rng)


def unit_point(rng, b):
    """One point x = w = e_1, a sample of 1."""
    return {"xs": [[1, 0]], "w": [1, 0], "b": Fraction(b), "n": 1}


def at_minus_one(rng):
    return unit_point(rng, -1)


def at_zero(rng):
    return unit_point(rng, 0)


def two_signs(rng):
    """x = +-e_1, w = e_1, b = -1."""
    return {"xs": [[1, 0], [-1, 0]], "w": [1, 0], "b": Fraction(-1), "n": 1}


def complexity(xs, w, b, n):
    """The square of E sup_{|a| <= 1} sum_i s_i a f(x_i)/n over samples and signs. Shape ()."""
    features = [relu(dot(w, x) - b) for x in xs]
    sums = [
        abs(sum(s * f for s, f in zip(signs, sample, strict=True)))
        for sample in product(features, repeat=n)
        for signs in product((1, -1), repeat=n)
    ]
    return (sum(sums, Fraction(0)) / len(sums) / n) ** 2


def bound(xs, w, b, n, factor=1):
    """(|w|^2 B_x^2 + b^2)/n, B_x^2 the mean square of |x|. Shape ()."""
    mean = sum((dot(x, x) for x in xs), Fraction(0)) / len(xs)
    return factor * (dot(w, w) * mean + b**2) / n


def twice(xs, w, b, n):
    """With the factor 2. Shape ()."""
    return bound(xs, w, b, n, 2)


def nine_tenths(xs, w, b, n):
    return bound(xs, w, b, n, Fraction(9, 10))


def nineteen_tenths(xs, w, b, n):
    return bound(xs, w, b, n, Fraction(19, 10))


def two_fifths(xs, w, b, n):
    return bound(xs, w, b, n, Fraction(2, 5))


def samples(name, draw, count, reference, tex=r"(\|W\|_F^2B_x^2+\|b\|^2)/n"):
    return beside(
        name,
        complexity,
        r"\mathfrak R_n^2/B_{a2}^2",
        tex,
        reference=reference,
        instances=instances(draw, FIELDS, smoke=count, standard=3 * count),
    )


# E |s_1 f_1 + ... + s_n f_n|^2 = sum |f_i|^2 for independent signs; m2 = E |f(x)|^2
ROOT = typed("B/n*sqrt(n*m2) == B*sqrt(m2/n)", over=["B in (0, oo)", "n in 1..oo", "m2 in [0, oo)"])
WRONG_ROOT = {"rate 1/n": "B/n*sqrt(n*m2) == B*sqrt(m2)/n"}
JENSEN = formula_leg("mean square", ROOT)
SQUARE = formula_leg(
    "square", typed("relu(u - b)**2 <= u**2 + b**2 - 2*u*b", over=["u in R", "b in R"])
)
POSITIVE = formula_leg(
    "square, b >= 0", typed("relu(u - b)**2 <= u**2", over=["u in R", "b in [0, oo)"])
)
TWICE = formula_leg(
    "square, any b", typed("relu(u - b)**2 <= 2*u**2 + 2*b**2", over=["u in R", "b in R"])
)


def over_law(name, bound, each):
    """One neuron: f = relu(u - b)^2 and u = <w, x> at each atom of a law."""
    return per_atom(name, f"{MEAN('f[i]')} <= {bound}", "f[i], u[i]", each, ["b in R"])


SECOND = MEAN("u[i]**2")
OF_CENTRED = over_law(
    "law of mean 0",
    f"{SECOND} + b**2*{MASS} - 2*b*{MEAN('u[i]')}",
    "f[i] <= u[i]**2 + b**2 - 2*u[i]*b",
)
OF_POSITIVE = over_law("law, b >= 0", SECOND, "f[i] <= u[i]**2")
OF_ANY = over_law("any law", f"2*{SECOND} + 2*b**2*{MASS}", "f[i] <= 2*u[i]**2 + 2*b**2")
# M_j: the mean square of neuron j, w_j = |w_j|, X = E|x|^2 >= E u^2/w^2 by Cauchy-Schwarz
NEURONS = formula_leg(
    "all neurons",
    typed(
        "Sum(M[j], (j, 1, N)) <= X*Sum(w[j]**2, (j, 1, N)) + Sum(b[j]**2, (j, 1, N))",
        over=["N in 1..oo", "M[j], w[j], b[j] in R for j in 1..N", "X in [0, oo)"],
        where="M[j] <= X*w[j]**2 + b[j]**2 for j in 1..N",
    ),
)
WRONG_NEURONS = {
    "without the biases": "Sum(M[j], (j, 1, N)) <= X*Sum(w[j]**2, (j, 1, N))",
}
READS = {"W": "w", "law": "n p"}

centred = claim(
    "gradfeat-rademacher-centred",
    states="gradfeat-rademacher",
    title="Complexity of the last layer for centred inputs",
    says=r"$\mathfrak R_n\le\sqrt{B_{a2}^2(\|W\|_F^2B_x^2+\|b\|^2)/n}$ where $\mathbb E[x]=0$.",
    role="corrected",
    corrects="gradfeat-rademacher-printed",
    covers="centred",
    reads=READS,
    relation=at_most(),
    legs=[
        JENSEN,
        SQUARE,
        OF_CENTRED,
        NEURONS,
        samples("all samples", of_mean_zero, 4, bound),
        samples("two signs", two_signs, 1, bound),
    ],
    rivals=[
        variant("two fifths of it", reference=two_fifths, leg="two signs"),
        *rivals_of(JENSEN, WRONG_ROOT),
        *rivals_of(OF_CENTRED, {"without the bias": f"{MEAN('f[i]')} <= {SECOND}"}),
        *rivals_of(NEURONS, WRONG_NEURONS),
        *rivals_of(SQUARE, {"without the mixed term": "relu(u - b)**2 <= u**2 + b**2"}),
    ],
)

positive = claim(
    "gradfeat-rademacher-positive",
    states="gradfeat-rademacher",
    title="Complexity of the last layer for biases of one sign",
    says=r"The printed bound holds for every law where all biases are at least 0.",
    role="derived",
    covers="nonneg-bias",
    reads=READS,
    relation=at_most(),
    legs=[
        JENSEN,
        POSITIVE,
        OF_POSITIVE,
        NEURONS,
        samples("all samples", of_positive_bias, 4, bound),
        samples("one point", at_zero, 1, bound),
    ],
    rivals=[
        variant("nine tenths of it", reference=nine_tenths, leg="one point"),
        *rivals_of(JENSEN, WRONG_ROOT),
        *rivals_of(OF_POSITIVE, {"half of it": f"{MEAN('f[i]')} <= {SECOND}/2"}),
        *rivals_of(NEURONS, WRONG_NEURONS),
        *rivals_of(POSITIVE, {"biases of either sign": {"over": ["u in R", "b in R"]}}),
    ],
)

corrected = claim(
    "gradfeat-rademacher-corrected",
    states="gradfeat-rademacher",
    title="Complexity of the last layer for every law",
    says=r"$\mathfrak R_n\le\sqrt{2B_{a2}^2(\|W\|_F^2B_x^2+\|b\|^2)/n}$ for every law and bias.",
    role="corrected",
    corrects="gradfeat-rademacher-printed",
    covers="corrected",
    reads=READS,
    relation=at_most(),
    legs=[
        JENSEN,
        TWICE,
        OF_ANY,
        NEURONS,
        samples("all samples", of_any_law, 4, twice, r"2(\|W\|_F^2B_x^2+\|b\|^2)/n"),
        samples("one point", at_minus_one, 1, twice, r"2(\|W\|_F^2B_x^2+\|b\|^2)/n"),
    ],
    rivals=[
        variant("factor 19/10", reference=nineteen_tenths, leg="one point"),
        *rivals_of(JENSEN, WRONG_ROOT),
        *rivals_of(OF_ANY, {"once": f"{MEAN('f[i]')} <= {SECOND} + b**2*{MASS}"}),
        *rivals_of(NEURONS, WRONG_NEURONS),
        *rivals_of(TWICE, {"3/2": "relu(u - b)**2 <= 3*u**2/2 + 3*b**2/2"}),
    ],
)
