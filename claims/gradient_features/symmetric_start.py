r"""Equation (3.9), Lemma B.71 and Remarks 3.6, B.13: the symmetric start and its first step.

Setting. 4m neurons: i and i + 2m share w_i and b_i and have opposite a_i; i + m has -w_i, -b_i and -a_i. The first
step with lambda = 1/eta gives w_i = -eta l'(0) a_i G(w_i, b_i).

Statements. (1) The start's output is 0: terms i and i + 2m cancel. So l'(y g) = l'(0) on every example. (2) w_i =
-w_(i + 2m) after the step. (3) G(-w, -b) = E[yx] - G(w, b) where no input has <w, x> = b: one of the two indicators
is 1. So w_(i + m) = w_i + eta l'(0) a_i E[yx], and the two are equal if E[yx] = 0. (4) The factor 1 - eta lambda on
the old weight is 0.

Reference: lines 899-905, 7682-7700, 867, 5964.
"""

from __future__ import annotations

from fractions import Fraction

from theorycheck import claim, formula_leg, instances, rivals_of, typed, variant

from ._beside import beside
from ._network import four_groups, gradients, negative, output, simplified, step

ETA, M = Fraction(2, 7), 2


def loss_slope(z):
    """l' of a loss whose slope at 0 is -1/2."""
    return -1 / (2 + z + z * z)


def start(rng):
    """Five labelled points, none of them at a kink, and the first group of a symmetric start."""
    return {
        "xs": rng.rational((5, 3), 7),
        "ys": [int(v) for v in rng.signs((5,))],
        "a": rng.rational((M,), 4),
        "w": rng.rational((M, 3), 5),
        "b": [v + Fraction(1, 1009) for v in rng.rational((M,), 3)],
    }


DRAWN = instances(start, "xs ys a w b", smoke=4, standard=8)


def zeros(xs, ys, a, w, b):
    """0 at every point. Length 5."""
    return [0] * len(xs)


def at_start(xs, ys, a, w, b):
    """g_0 at every point. Length 5."""
    return [output(x, *four_groups(a, w, b)) for x in xs]


def two_groups(xs, ys, a, w, b):
    """The first 2 m neurons alone."""
    return [output(x, *(part[: 2 * M] for part in four_groups(a, w, b))) for x in xs]


def slopes(xs, ys, a, w, b):
    """l'(y g_0(x)) at every point. Length 5."""
    return [loss_slope(y * g) for y, g in zip(ys, at_start(xs, ys, a, w, b), strict=True)]


def slopes_of_two_groups(xs, ys, a, w, b):
    return [loss_slope(y * g) for y, g in zip(ys, two_groups(xs, ys, a, w, b), strict=True)]


def slope_at_zero(xs, ys, a, w, b):
    """-1/2 at every point. Length 5."""
    return [Fraction(-1, 2)] * len(xs)


def stepped(xs, ys, a, w, b, decay=1 / ETA):
    """The first layer after a step with this weight decay: 4 m vectors."""
    return step(xs, ys, *four_groups(a, w, b), ETA, decay, loss_slope)[1]


def third_group(xs, ys, a, w, b):
    """-w_(i + 2m) after the step, for i in [2m]. Shape (2 m, 3)."""
    return [negative(u) for u in stepped(xs, ys, a, w, b)[2 * M :]]


def first_half(xs, ys, a, w, b):
    """w_i after the step, for i in [2m]. Shape (2 m, 3)."""
    return stepped(xs, ys, a, w, b)[: 2 * M]


def half_without_decay(xs, ys, a, w, b):
    return stepped(xs, ys, a, w, b, decay=0)[: 2 * M]


def mean_of(xs, ys):
    """E[y x]."""
    return [
        sum((y * x[j] for x, y in zip(xs, ys, strict=True)), Fraction(0)) / len(xs)
        for j in range(len(xs[0]))
    ]


def second_group(xs, ys, a, w, b):
    """w_(i + m) - w_i after the step, for i in [m]. Shape (m, 3)."""
    found = stepped(xs, ys, a, w, b)
    pairs = zip(found[:M], found[M : 2 * M], strict=True)
    return [[q - p for p, q in zip(u, v, strict=True)] for u, v in pairs]


def along_the_mean(xs, ys, a, w, b):
    """eta l'(0) a_i E[y x]. Shape (m, 3)."""
    return [[ETA * Fraction(-1, 2) * v * t for t in mean_of(xs, ys)] for v in a]


def against_the_mean(xs, ys, a, w, b):
    return [negative(u) for u in along_the_mean(xs, ys, a, w, b)]


def mirrored_gradient(xs, ys, a, w, b):
    """G(-w_i, -b_i). Shape (m, 3)."""
    return [simplified(xs, ys, negative(u), -c) for u, c in zip(w, b, strict=True)]


def rest_of_mean(xs, ys, a, w, b):
    """E[y x] - G(w_i, b_i). Shape (m, 3)."""
    mean = mean_of(xs, ys)
    found = [simplified(xs, ys, u, c) for u, c in zip(w, b, strict=True)]
    return [[t - v for t, v in zip(mean, g, strict=True)] for g in found]


def same_bias(xs, ys, a, w, b):
    return rest_of_mean(xs, ys, a, w, negative(b))


def gradient_alone(xs, ys, a, w, b):
    """-eta dL/dw_i. Shape (4 m, 3)."""
    found, _ = gradients(xs, ys, *four_groups(a, w, b), loss_slope)
    return [[-ETA * v for v in u] for u in found]


def with_old_weights(xs, ys, a, w, b):
    return stepped(xs, ys, a, w, b, decay=0)


def measured(name, program, reference, lhs, tex):
    """A leg that runs the network of a drawn start."""
    return beside(name, program, lhs, tex, reference=reference, instances=DRAWN)


# u_i = <w_i, x>; one coordinate of the gradient each
OUTPUT = "Sum(a[i]*relu(u[i] - b[i]), (i, 1, n)) + Sum(-a[i]*relu({other}), (i, 1, n))"
PAIRED, UNPAIRED = (OUTPUT.format(other=other) for other in ("u[i] - b[i]", "-u[i] + b[i]"))
NETWORK = ["n in 1..oo", "a[i], u[i], b[i] in R for i in 1..n"]
PAIRS = formula_leg("pairs", typed(f"{PAIRED} == 0", over=NETWORK))
MARGIN = formula_leg("margin", typed(f"y*({PAIRED}) == 0", over=["y in {-1, 1}", *NETWORK]))

zero = claim(
    "gradfeat-start-output",
    states="gradfeat-symmetric-init",
    title="The symmetric start has output 0",
    says=r"$g_0(x)=0$ for every draw and every $x$.",
    covers="zero-output",
    reads={"draw": "n a u b", "x": "u"},
    legs=[PAIRS, measured("network", at_start, zeros, "g_0(x)", "0")],
    rivals=[
        *rivals_of(PAIRS, {"the pair with -w and -b": f"{UNPAIRED} == 0"}),
        variant("the first two groups alone", simulation=two_groups, leg="network"),
    ],
)

slope = claim(
    "gradfeat-start-slope",
    states="gradfeat-remarks",
    title="Every example has the slope of the loss at 0",
    says=r"$\ell'(yg_0(x))=\ell'(0)$, exactly, for every draw and example.",
    covers="slope-at-start",
    reads={"draw": "n a u b", "x": "u"},
    legs=[MARGIN, measured("network", slopes, slope_at_zero, r"\ell'(yg_0(x))", r"\ell'(0)")],
    rivals=[
        *rivals_of(MARGIN, {"the pair with -w and -b": f"y*({UNPAIRED}) == 0"}),
        variant("the first two groups alone", simulation=slopes_of_two_groups, leg="network"),
    ],
)

# q = p y and x a coordinate of an atom, e = 1{<w_i, x> > b_i}
STEPPED = [
    "n in 1..oo",
    "eta in (0, oo)",
    "l0, a in R",
    "q[k], x[k] in R for k in 1..n",
    "e[k] in 0..1 for k in 1..n",
]
ACTIVE = "Sum(q[k]*x[k]*e[k], (k, 1, n))"
OTHERS = "Sum(q[k]*x[k]*(1 - e[k]), (k, 1, n))"
WHOLE = "Sum(q[k]*x[k], (k, 1, n))"
MIRROR = formula_leg(
    "opposite second layers",
    typed(f"-eta*l0*a*{ACTIVE} == -(-eta*l0*(-a)*{ACTIVE})", over=STEPPED),
)

mirrored = claim(
    "gradfeat-start-mirror",
    states="gradfeat-symmetric-init",
    title="The first step of the third group",
    says=r"$w_i^{(1)}=-w_{i+2m}^{(1)}$ for every law and draw.",
    covers="mirror-2m",
    reads={"i": "a e", "law": "n q x", "draw": "a e"},
    legs=[MIRROR, measured("one step", first_half, third_group, r"w_i^{(1)}", r"-w_{i+2m}^{(1)}")],
    rivals=[
        *rivals_of(MIRROR, {"equal": f"-eta*l0*a*{ACTIVE} == -eta*l0*(-a)*{ACTIVE}"}),
        variant("without weight decay", simulation=half_without_decay, leg="one step"),
    ],
)

# of <w, x> = u > b and <-w, x> > -b exactly one holds
BOTH = typed(
    "(-u > -b or u > b) and (-u <= -b or u <= b)", over=["u in R", "b in R"], where="u != b"
)
WRONG = {
    "ties": {"where": "u <= b"},
    "the same bias": "(-u > b or u > b) and (-u <= b or u <= b)",
}
SIDES = formula_leg("one of two sides", BOTH)
STEP = formula_leg(
    "the step",
    typed(f"-eta*l0*(-a)*{OTHERS} == -eta*l0*a*{ACTIVE} + eta*l0*a*{WHOLE}", over=STEPPED),
)

group = claim(
    "gradfeat-start-second-group",
    states="gradfeat-symmetric-init",
    title="The first step of the second group",
    says=r"$w_{i+m}^{(1)}=w_i^{(1)}+\eta\ell'(0)a_i\mathbb E[yx]$, so they are equal where $\mathbb E[yx]=0$.",
    covers="mirror-m",
    reads={"i": "a e", "law": "n q x"},
    legs=[
        SIDES,
        STEP,
        measured(
            "one step",
            second_group,
            along_the_mean,
            r"w_{i+m}^{(1)}-w_i^{(1)}",
            r"\eta\ell'(0)a_i\mathbb E[yx]",
        ),
    ],
    rivals=[
        variant("the mean's other sign", reference=against_the_mean, leg="one step"),
        *rivals_of(SIDES, WRONG),
        *rivals_of(STEP, {"without the mean": f"-eta*l0*(-a)*{OTHERS} == -eta*l0*a*{ACTIVE}"}),
    ],
)

SIGN = formula_leg("one of two sides", BOTH)
SUMMED = formula_leg("mean over a law", typed(f"{OTHERS} == {WHOLE} - {ACTIVE}", over=STEPPED))

bias_sign = claim(
    "gradfeat-mixture-bias-sign",
    states="gradfeat-mog-features",
    title="The gradient under both signs of the bias",
    says=r"$G(-w,-b)=\mathbb E[yx]-G(w,b)$ without ties.",
    covers="bias-sign",
    reads={"w": "u", "law": "n q x"},
    legs=[
        SIGN,
        SUMMED,
        measured(
            "finite laws", mirrored_gradient, rest_of_mean, "G(-w,-b)", r"\mathbb E[yx]-G(w,b)"
        ),
    ],
    rivals=[
        *rivals_of(SIGN, WRONG),
        *rivals_of(SUMMED, {"the other order": f"{OTHERS} == {ACTIVE} - {WHOLE}"}),
        variant("the bias of the other side", reference=same_bias, leg="finite laws"),
    ],
)

FORGET = formula_leg("factor", typed("(1 - eta*(1/eta))*w == 0", over=["eta in (0, oo)", "w in R"]))

forget = claim(
    "gradfeat-start-forgotten",
    states="gradfeat-remarks",
    title="The first step forgets the initial weights",
    says=r"$(1-\eta\lambda)w^{(0)}=0$ at $\lambda=1/\eta$.",
    covers="forget-B13",
    reads={"state": "w eta"},
    legs=[
        FORGET,
        measured(
            "one step", stepped, gradient_alone, r"w_i^{(1)}", r"-\eta\,\partial L/\partial w_i"
        ),
    ],
    rivals=[
        *rivals_of(FORGET, {"lambda = 1": "(1 - eta)*w == 0"}),
        variant("without weight decay", simulation=with_old_weights, leg="one step"),
    ],
)
