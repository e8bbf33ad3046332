r"""Lemma D.2: until the first output reaches 1/d, every residual is a half up to O(1/d).

Setting. Two classes; before T_0 both outputs of every sample are in [0, 1/d), so their difference x = F_+ - F_- is
in (-1/d, 1/d), and 1 - logit_+ = 1/(1 + e^x), 1 - logit_- = 1/(1 + e^(-x)).

Statements. (1) |1/2 - 1/(1 + e^x)| < tanh(1/(2d))/2 < 1/(4d): the constant of the lemma is at most 1/4. (2)
tanh(1/(2d))/2 is the least bound, and not attained: at F_+ = (1 - e)/d, F_- = 0 the distance is above tanh(1/(2d))/2
- e/(4d) for every e in (0, 1). (3) The ends that the proof prints, e^(1/d)/2 and 1/2 - 1/(2d), are valid.

Reference: Lemma D.2, lines 1100-1118.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from flint import ctx

from theorycheck import claim, formula, formula_leg, instances, leg, rivals_of, typed, variant

from ._data import COMMON, OPPOSITE, SUBCLASS, sample
from ._network import BITS, coarse_labels, detectors, fine_labels, number, outputs, softmax, stepped

ONE_POINT = {"domain": {}, "grid": {"smoke": [{}]}}
x = sp.Symbol("x", real=True)
OF_DIFFERENCE = sp.Abs(sp.Rational(1, 2) - 1 / (1 + sp.exp(x)))
DISTANCE = str(OF_DIFFERENCE)
OPEN = ["d in (0, oo)", "x in (-1/d, 1/d)"]

BELOW_TANH = typed(f"{DISTANCE} < tanh(1/(2*d))/2", over=OPEN)
BELOW_QUARTER = typed("tanh(1/(2*d))/2 < 1/(4*d)", over="d in (0, oo)")


def quarter():
    """1/4, whatever d."""


def batch(k, words):
    """One sample of each subclass, ``words`` common ones, one of the subclass and one common to the other class, so
    that both outputs are above 0."""
    pattern = (COMMON,) * words + (SUBCLASS, OPPOSITE)
    return [(sample(pattern, y, c, k, 2 * k + 2), y) for y, c in fine_labels(k)]


def residual(k, words, size, eta, t, n, label, chances=softmax):
    """After t steps from planted detectors, of sample n: |1/2 - (1 - logit)| of a class and the difference of the
    outputs, while they are in [0, 1/d). Shape ()."""
    with ctx.workprec(BITS):
        d, seen = 2 * k + 2, batch(k, words)
        net = detectors(coarse_labels(k), k, d, size, -Fraction(size) / 4)
        for _ in range(t):
            net = stepped(net, seen, eta, Fraction(1, 50))
        scores = outputs(net, seen[n][0])
        if not all(f >= 0 and number(f) * d < 1 for f in scores.values()):
            raise ValueError("an output has left [0, 1/d)")
        here, there = (scores[y] for y in (label, {"+": "-", "-": "+"}[label]))
        return {
            "value": abs(number(1) / 2 - (1 - chances(scores)[label])),
            "x": number(here) - number(there),
        }


def with_a_third_output(scores):
    return softmax({**scores, "none": 0})


def three_outputs(k, words, size, eta, t, n, label):
    return residual(k, words, size, eta, t, n, label, with_a_third_output)


def a_training(rng):
    k = int(rng.integers(1, 4))
    return {
        "k": k,
        "words": int(rng.integers(1, 4)),
        "size": Fraction(int(rng.integers(1, 6)), 200),
        "eta": Fraction(int(rng.integers(1, 5)), 50),
        "t": int(rng.integers(0, 3)),
        "n": int(rng.integers(0, 2 * k)),
        "label": "+-"[int(rng.integers(0, 2))],
    }


BOUND = formula_leg("distance from a half", BELOW_TANH, over="t n class")
TRAINED = leg(
    "steps of a network",
    residual,
    closed_form=OF_DIFFERENCE,
    observed=["x"],
    unit=1,
    required=False,
    lhs=r"|\tfrac12-\mathrm{logit}|",
    instances=instances(a_training, "k words size eta t n label", smoke=5, standard=12),
)
ROUNDED = formula_leg("constant 1/4", BELOW_QUARTER, gives="O", chosen_by=quarter)
TOO_SMALL = {"an eighth": "tanh(1/(2*d))/2 < 1/(8*d)"}

half = claim(
    "granularity-half-logit",
    states="granularity-phase1-logit",
    title="Residuals of phase I are halves up to 1/(4d)",
    says=r"$|\frac12-\frac1{1+e^{F_+-F_-}}|<\frac1{4d}$ for all $0\le F_\pm<1/d$, "
    r"so also with $F_+$ and $F_-$ exchanged.",
    covers="half",
    **ONE_POINT,
    legs=[TRAINED, BOUND, ROUNDED],
    rivals=[
        variant("a third output", simulation=three_outputs, leg="steps of a network"),
        variant(
            "half of the difference",
            closed_form=OF_DIFFERENCE.subs(x, x / 2),
            leg="steps of a network",
        ),
        *rivals_of(
            BOUND,
            {
                "outputs of either sign": {"over": ["d in (0, oo)", "x in (-2/d, 2/d)"]},
                "a third": f"{DISTANCE} < tanh(1/(2*d))/3",
            },
        ),
        *rivals_of(ROUNDED, TOO_SMALL),
    ],
)

SUPREMUM = formula_leg("distance from a half", BELOW_TANH)
QUARTER = formula_leg("below 1/(4d)", BELOW_QUARTER)
# y is 1/(2d); the distance at x > 0 is tanh(x/2)/2
AS_TANH = formula_leg("value", typed("1/2 - 1/(1 + exp(x)) == tanh(x/2)/2", over="x in (-oo, oo)"))
NEAR = formula_leg(
    "near the corner",
    typed("tanh(y) - tanh(y - y*e) <= y*e", over=["y in (0, oo)", "e in (0, 1)"]),
)

sharp = claim(
    "granularity-half-logit-sharp",
    states="granularity-phase1-logit",
    title="The least bound on the residuals of phase I",
    says=r"The supremum of $|\frac12-\frac1{1+e^{F_+-F_-}}|$ over $0\le F_\pm<1/d$ is "
    r"$\frac12\tanh\frac1{2d}<\frac1{4d}$, which is not attained.",
    role="derived",
    covers="sharp",
    legs=[SUPREMUM, AS_TANH, NEAR, QUARTER],
    rivals=[
        *rivals_of(
            SUPREMUM,
            {
                "a third": f"{DISTANCE} < tanh(1/(2*d))/3",
                "with the corners": {"over": ["d in (0, oo)", "x in [-1/d, 1/d]"]},
            },
        ),
        *rivals_of(AS_TANH, {"tanh x": "1/2 - 1/(1 + exp(x)) == tanh(x)/2"}),
        *rivals_of(NEAR, {"half the slope": "tanh(y) - tanh(y - y*e) <= y*e/2"}),
        *rivals_of(QUARTER, TOO_SMALL),
    ],
)

ends = formula(
    "granularity-half-logit-ends",
    states="granularity-phase1-logit",
    title="The two ends that the proof prints",
    covers="printed-ends",
    reads={"F": "p q"},
    says="1/2 - 1/(2*d) <= exp(q)/(exp(p) + exp(q)) < exp(1/d)/2",
    over=["d in (0, oo)", "p in [0, 1/d)", "q in [0, 1/d)"],
    rivals={
        "a fifth below": "1/2 - 1/(5*d) <= exp(q)/(exp(p) + exp(q)) < exp(1/d)/2",
        "the ninth root above": "1/2 - 1/(2*d) <= exp(q)/(exp(p) + exp(q)) < exp(1/(9*d))/2",
        "outputs of either sign": {
            "over": ["d in (0, oo)", "p in (-2/d, 2/d)", "q in (-2/d, 2/d)"]
        },
    },
)
