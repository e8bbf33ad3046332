"""Perceptron (Novikoff 1962). On points of norm at most R that some unit vector separates with margin gamma, the
perceptron makes at most R^2 / gamma^2 mistakes, in whatever order the points come."""

from fractions import Fraction

import sympy as sp

from theorycheck import at_most, claim, instances, integers, variant

n, d = sp.symbols("n d", integer=True, positive=True)
R2, gamma2 = sp.symbols("R2 gamma2", positive=True)


def separable(rng, n, d):
    """Points X (n, d), exact, a vector w that separates them, and its labels."""
    w, X = [], []
    while not any(w):
        w = [Fraction(int(k)) for k in rng.integers(-3, 4, (d,))]
    while len(X) < n:
        x = [Fraction(int(k)) for k in rng.integers(-3, 4, (d,))]
        if sum(a * b for a, b in zip(w, x, strict=True)):
            X.append(x)
    return {"X": X, "w": w}


def axes(rng, n, d):
    """The worst case: the points are axes, separated by a vector of signs."""
    return {
        "X": [[Fraction(int(i == j % d)) for i in range(d)] for j in range(n)],
        "w": [Fraction(1 - 2 * int(k)) for k in rng.integers(0, 2, (d,))],
    }


def mistakes(X, w):
    """Mistakes until a pass has none; R^2 and gamma^2 of the data are measured beside it."""

    def dot(a, b):
        return sum(p * q for p, q in zip(a, b, strict=True))

    labels = [1 if dot(x, w) > 0 else -1 for x in X]
    v, count, wrong = [Fraction(0)] * len(w), 0, True
    while wrong:
        wrong = False
        for x, y in zip(X, labels, strict=True):
            if y * dot(x, v) <= 0:
                v = [a + y * b for a, b in zip(v, x, strict=True)]
                count, wrong = count + 1, True
    margin = min(y * dot(x, w) for x, y in zip(X, labels, strict=True))
    return {
        "value": count,
        "R2": max(dot(x, x) for x in X),
        "gamma2": Fraction(margin**2) / dot(w, w),
    }


first_power = claim(
    "perceptron-mistakes-first-power",
    says="The perceptron makes at most R / gamma mistakes.",
    domain={n: integers(1), d: integers(1)},
    grid={"smoke": {n: [4, 12], d: [2, 4]}},
    relation=at_most(),
    observed=[R2, gamma2],
    closed_form=sp.sqrt(R2 / gamma2),
    instances=instances(axes, "X w", smoke=1),
    expect="fail",
)(mistakes)

novikoff = claim(
    "perceptron-mistakes",
    says="The perceptron makes at most R^2 / gamma^2 mistakes.",
    role="corrected",
    corrects="perceptron-mistakes-first-power",
    domain={n: integers(1), d: integers(1)},
    grid={"smoke": {n: [4, 12], d: [2, 4]}},
    relation=at_most(),
    observed=[R2, gamma2],
    closed_form=R2 / gamma2,
    instances=instances(separable, "X w", smoke=8),
    rivals=[
        variant(
            "R / gamma",
            closed_form=sp.sqrt(R2 / gamma2),
            instances=instances(axes, "X w", smoke=1),
            at={n: [4], d: [4]},
        )
    ],
)(mistakes)
