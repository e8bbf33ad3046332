r"""Lemmas A.6 and A.32: gradients of the smoothed, class-weighted hinge.

Setting. Loss E[alpha_y max(0, 1 - y g)], g = sum a_i E sigma(z_i + xi), z_i = <w_i, x> + b_i, xi ~ N(0, s^2), sigma
the truncated ReLU; alpha = 1 for the plain loss. The expectation over xi is inside g: the hinge's indicator is a
function of x.

Statements. (1) Off y g = 1 the hinge is linear in the margin near it, with slope -1 below 1 and 0 above. (2) g is
linear in a_i. (3) A step u in z changes sigma(z + xi) by u 1[z + xi in (0, 1)] but where z + xi is within |u| of 0 or
1, and then by |u| more at most; that has probability at most 4 |u|/(s sqrt(2 pi)), so that the slope of E sigma(z +
xi) is P[z + xi in (0, 1)] = Phi((1 - z)/s) - Phi(-z/s). A step t in w_j moves z by t x_j, in b by t. With (1) and the
mean over the law:

    d/dw = -a E[alpha_y y 1[y g <= 1] P[z + xi in (0, 1)] x],    d/db the same without x,
    d/da = -E[alpha_y y 1[y g <= 1] E sigma(z + xi)].

(4) Both texts print the gradient in b with 1[z in (0, 1)], without xi: false for every s > 0.

Reference: Lemma A.6, lines 2975-2985; Lemma A.32, lines 4446-4454.
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb, arb_series, ctx

from theorycheck import claim, formula, formula_leg, instances, leg, rivals_of, typed, variant

from ._balls import BITS, ONE_POINT, number


def activation(z, s):
    """E sigma(z + xi) of a series z: G(z) - G(z - 1), G the antiderivative of Phi(z/s)."""

    def antiderivative(v):
        inner = v / (s * arb(2).sqrt())
        density = (-(inner * inner)).exp() / (2 * arb.pi()).sqrt()
        return v * (1 + inner.erf()) / 2 + density * s

    return antiderivative(z) - antiderivative(z - 1)


def constant_and_slope(value, slope):
    return arb_series([number(value), number(slope)], 2)


def loss_slope(neurons, law, weights, s, moved):
    """Derivative of sum p alpha_y max(0, 1 - y g(x)), by power series through network and hinge. ``moved``: for every
    neuron the direction of (w, b, a), None for one that stays."""
    total = arb(0)
    for x, y, p in law:
        g = arb_series([0, 0], 2)
        for (w, b, a), way in zip(neurons, moved, strict=True):
            dw, db, da = way or ([0] * len(w), 0, 0)
            z = sum((u * e for u, e in zip(w, x, strict=True)), Fraction(b))
            dz = sum((u * e for u, e in zip(dw, x, strict=True)), Fraction(db))
            g = g + constant_and_slope(a, da) * activation(constant_and_slope(z, dz), number(s))
        margin = 1 - y * g
        if margin[0] > 0:
            total += number(p * weights[y]) * margin[1]
    return total


def axes(n):
    return [[int(i == k) for i in range(n)] for k in range(n)]


def every(neurons, ways):
    """For each neuron and each way to move it, the moves of all."""
    for i in range(len(neurons)):
        for way in ways:
            yield [way if i == r else None for r in range(len(neurons))]


def by_weights(neurons, law, balance, s):
    """dL/dw of every neuron. Shape (m n,)."""
    with ctx.workprec(BITS):
        alpha, n = {1: balance[0], -1: balance[1]}, len(neurons[0][0])
        return [
            loss_slope(neurons, law, alpha, s, m)
            for m in every(neurons, [(e, 0, 0) for e in axes(n)])
        ]


def by_biases(neurons, law, balance, s):
    """dL/db of every neuron. Shape (m,)."""
    with ctx.workprec(BITS):
        alpha, still = {1: balance[0], -1: balance[1]}, [0] * len(neurons[0][0])
        return [loss_slope(neurons, law, alpha, s, m) for m in every(neurons, [(still, 1, 0)])]


def by_read_outs(neurons, law, balance, s):
    """dL/da of every neuron. Shape (m,)."""
    with ctx.workprec(BITS):
        alpha, still = {1: balance[0], -1: balance[1]}, [0] * len(neurons[0][0])
        return [loss_slope(neurons, law, alpha, s, m) for m in every(neurons, [(still, 0, 1)])]


def pre_activation(neuron, x):
    w, b, _ = neuron
    return sum((u * e for u, e in zip(w, x, strict=True)), Fraction(b))


def smoothed(z, s):
    return activation(arb_series([number(z)], 1), number(s))[0]


def opened(z, s):
    """P[z + xi in (0, 1)]."""
    scale = number(s) * arb(2).sqrt()
    return ((number(z) / scale).erf() + (number(1 - z) / scale).erf()) / 2


def on_the_hinge(neurons, law, balance, s):
    """x, alpha_y y 1[y g <= 1] and its chance, input by input."""
    for x, y, p in law:
        g = sum((number(n[2]) * smoothed(pre_activation(n, x), s) for n in neurons), arb(0))
        if y * g < 1:
            yield x, number((balance[0] if y == 1 else balance[1]) * y * p)


def weights_stated(neurons, law, balance, s, gate=opened, inputs=on_the_hinge):
    """-a E[alpha_y y 1[y g <= 1] P[z + xi in (0, 1)] x]. Shape (m n,)."""
    with ctx.workprec(BITS):
        seen = list(inputs(neurons, law, balance, s))
        return [
            -number(n[2])
            * sum((c * gate(pre_activation(n, x), s) * number(x[k]) for x, c in seen), arb(0))
            for n in neurons
            for k in range(len(n[0]))
        ]


def biases_stated(neurons, law, balance, s, gate=opened, inputs=on_the_hinge):
    """The same without x. Shape (m,)."""
    with ctx.workprec(BITS):
        seen = list(inputs(neurons, law, balance, s))
        return [
            -number(n[2]) * sum((c * gate(pre_activation(n, x), s) for x, c in seen), arb(0))
            for n in neurons
        ]


def read_outs_stated(neurons, law, balance, s, unit=smoothed, inputs=on_the_hinge):
    """-E[alpha_y y 1[y g <= 1] E sigma(z + xi)]. Shape (m,)."""
    with ctx.workprec(BITS):
        seen = list(inputs(neurons, law, balance, s))
        return [-sum((c * unit(pre_activation(n, x), s) for x, c in seen), arb(0)) for n in neurons]


def below_and_above(neurons, law, balance, s):
    """All inputs, as if every margin were below 1."""
    for x, y, p in law:
        yield x, number((balance[0] if y == 1 else balance[1]) * y * p)


def weights_of_all(neurons, law, balance, s):
    return weights_stated(neurons, law, balance, s, inputs=below_and_above)


def biases_of_all(neurons, law, balance, s):
    return biases_stated(neurons, law, balance, s, inputs=below_and_above)


def read_outs_of_all(neurons, law, balance, s):
    return read_outs_stated(neurons, law, balance, s, inputs=below_and_above)


def without_noise(z, s):
    return int(0 < z < 1)


def weights_without_noise(neurons, law, balance, s):
    return weights_stated(neurons, law, balance, s, gate=without_noise)


def biases_without_noise(neurons, law, balance, s):
    return biases_stated(neurons, law, balance, s, gate=without_noise)


def read_outs_of_gates(neurons, law, balance, s):
    return read_outs_stated(neurons, law, balance, s, unit=opened)


def a_network(rng):
    """Two neurons in the plane and a law of four labelled inputs, class weights, noise."""
    chances = [Fraction(int(rng.integers(1, 9))) for _ in range(4)]
    return {
        "neurons": [
            (
                rng.rational((2,), 3),
                Fraction(int(rng.integers(-4, 5)), 4),
                Fraction(int(rng.integers(1, 5)), 2) * int(rng.signs()),
            )
            for _ in range(2)
        ],
        "law": [(rng.rational((2,), 3), int(rng.signs()), c / sum(chances)) for c in chances],
        "balance": [Fraction(int(rng.integers(1, 9)), 4), Fraction(int(rng.integers(1, 9)), 4)],
        "s": Fraction(int(rng.integers(1, 5)), 4),
    }


def a_large_margin(rng):
    """The same with one neuron that is open and two inputs more, of margin 2 and -2."""
    found = a_network(rng)
    wide = [([Fraction(0), Fraction(0)], Fraction(1, 2), Fraction(4)), found["neurons"][0]]
    law = [(x, y, p / 2) for x, y, p in found["law"]]
    return {
        **found,
        "neurons": [wide[0], (*wide[1][:2], Fraction(1, 8))],
        "law": [*law, *(([Fraction(1), Fraction(1)], y, Fraction(1, 4)) for y in (1, -1))],
    }


FIELDS = "neurons law balance s"
NETWORKS = instances(a_network, FIELDS, smoke=3, standard=8)
MARGINS = instances(a_large_margin, FIELDS, smoke=2, standard=4)


def derivative(program, stated):
    """The derivative of the network's own loss beside the formula; also where some margins are above 1."""
    return [
        leg(name, program, reference=stated, required=False, unit=1, instances=drawn)
        for name, drawn in (("power series", NETWORKS), ("margins above 1", MARGINS))
    ]


# alpha is the class weight and y c the change of the margin
BELOW = typed(
    "alpha*Max(0, 1 - (m + y*c)) - alpha*Max(0, 1 - m) == -alpha*y*c",
    over=["m in (-oo, 1)", "y in {-1, 1}", "c in [m - 1, 1 - m]", "alpha > 0"],
)
ABOVE = typed(
    "alpha*Max(0, 1 - (m + y*c)) - alpha*Max(0, 1 - m) == 0",
    over=["m in (1, oo)", "y in {-1, 1}", "c in [1 - m, m - 1]", "alpha > 0"],
)
LINEAR = typed(
    "(a + t)*h + r - (a*h + r) == t*h", over=["a in R", "t in R", "h in [0, 1]", "r in R"]
)
# v = z + xi
GATE = "Piecewise((1, 0 < v and v < 1), (0, True))"
NEAR = "Piecewise((1, abs(v) <= abs(u) or abs(v - 1) <= abs(u)), (0, True))"
STEP = "Min(1, Max(0, v + u)) - Min(1, Max(0, v))"
SLOPE = typed(f"abs({STEP} - u*{GATE}) <= abs(u)*{NEAR}", over=["u in R", "v in R"])
RARE = typed(
    "P[abs(z + s*g) <= u] <= 2*u/(s*sqrt(2*pi))",
    over=["z in R", "u in [0, oo)", "s > 0", "g ~ N(0, 1)"],
)
OPENED = "P[0 < z + s*g and z + s*g < 1]"
OPEN = typed(f"{OPENED} == Phi((1 - z)/s) - Phi(-z/s)", over=["z in R", "s > 0", "g ~ N(0, 1)"])
BOTH = ["structured-gradient-formulas", "structured-general-gradient"]


def hinge(over):
    """Legs on the loss as a function of the margin, and what they have to refute."""
    below = formula_leg("margin below 1", BELOW, over=over)
    above = formula_leg("margin above 1", ABOVE, over=over)
    wrong = {
        "without the label": "alpha*Max(0, 1 - (m + y*c)) - alpha*Max(0, 1 - m) == -alpha*c",
        "without the weight": "alpha*Max(0, 1 - (m + y*c)) - alpha*Max(0, 1 - m) == -y*c",
    }
    nearer = {"over": ["m in (0, oo)", "y in {-1, 1}", "c in [-m, m]", "alpha > 0"]}
    return [below, above], [*rivals_of(below, wrong), *rivals_of(above, {"above 0": nearer})]


def gate(over):
    """Legs on the smoothed activation as a function of the pre-activation."""
    slope = formula_leg("activation", SLOPE, over=over)
    rare = formula_leg("near a kink", RARE, over=over)
    opened = formula_leg("open with probability", OPEN, over=over)
    everywhere = f"abs({STEP} - u*Piecewise((1, 0 < v), (0, True))) <= abs(u)*{NEAR}"
    return [slope, rare, opened], [
        *rivals_of(slope, {"no truncation": everywhere}),
        *rivals_of(rare, {"half": "P[abs(z + s*g) <= u] <= u/(s*sqrt(2*pi))"}),
        *rivals_of(opened, {"open above 0": f"{OPENED} == 1 - Phi(-z/s)"}),
    ]


def linear(over):
    """The network as a function of one read-out."""
    read_out = formula_leg("in the read-out", LINEAR, over=over)
    return [read_out], rivals_of(read_out, {"twice": "(a + t)*h + r - (a*h + r) == 2*t*h"})


def parts(over, run, wrong_run, *kinds):
    """Legs and rivals of a gradient, and its setting."""
    found = [kind(over) for kind in kinds]
    return {
        **ONE_POINT,
        "legs": [*run, *(x for legs, _ in found for x in legs)],
        "rivals": [*wrong_run, *(x for _, wrong in found for x in wrong)],
    }


weight = claim(
    "structured-gradient-weight",
    lhs=r"\partial_wL",
    tex=r"-a\,\mathbb E[\alpha_yy\,\mathbf 1[yg\le1]\,\Pr_\xi[z+\xi\in(0,1)]\,x]",
    states=BOTH,
    title="Gradient in a weight",
    says=r"$\partial_wL=-a\,\mathbb{E}[\alpha_yy\,\mathbf 1[yg\le1]\,\Pr_\xi[z+\xi\in(0,1)]\,x]$ for all "
    r"parameters and "
    "laws, with and without class weights.",
    covers=[f"{statement}/w-gradient" for statement in BOTH],
    **parts(
        "parameters law i",
        derivative(by_weights, weights_stated),
        [
            variant("gates without noise", reference=weights_without_noise, leg="power series"),
            variant("without the hinge", reference=weights_of_all, leg="margins above 1"),
        ],
        hinge,
        linear,
        gate,
    ),
)

bias = claim(
    "structured-gradient-bias",
    lhs=r"\partial_bL",
    tex=r"-a\,\mathbb E[\alpha_yy\,\mathbf 1[yg\le1]\,\Pr_\xi[z+\xi\in(0,1)]]",
    states=BOTH,
    title="Gradient in a bias",
    says=r"$\partial_bL=-a\,\mathbb{E}[\alpha_yy\,\mathbf 1[yg\le1]\,\Pr_\xi[z+\xi\in(0,1)]]$ for all parameters and "
    "laws, with and without class weights.",
    role="corrected",
    corrects="structured-gradient-bias-printed",
    covers="b-gradient",
    **parts(
        "parameters",
        derivative(by_biases, biases_stated),
        [
            variant("gates without noise", reference=biases_without_noise, leg="power series"),
            variant("without the hinge", reference=biases_of_all, leg="margins above 1"),
        ],
        hinge,
        linear,
        gate,
    ),
)

read_out = claim(
    "structured-gradient-readout",
    lhs=r"\partial_aL",
    tex=r"-\mathbb E[\alpha_yy\,\mathbf 1[yg\le1]\,\mathbb E_\xi\sigma(z+\xi)]",
    states=BOTH,
    title="Gradient in a read-out",
    says=r"$\partial_aL=-\mathbb{E}[\alpha_yy\,\mathbf 1[yg\le1]\,\mathbb{E}_\xi\sigma(z+\xi)]$ for all "
    r"parameters and "
    "laws, with and without class weights.",
    covers=[f"{statement}/a-gradient" for statement in BOTH],
    **parts(
        "parameters",
        derivative(by_read_outs, read_outs_stated),
        [
            variant("gates for activations", reference=read_outs_of_gates, leg="power series"),
            variant("without the hinge", reference=read_outs_of_all, leg="margins above 1"),
        ],
        hinge,
        linear,
    ),
)

printed = formula(
    "structured-gradient-bias-printed",
    states=BOTH,
    title="Gradient in a bias, as printed",
    # one input, margin below 1, read-out and label 1
    says="Phi((1 - z)/s) - Phi(-z/s) == Piecewise((1, 0 < z and z < 1), (0, True))",
    over=["z in R", "s > 0"],
    expect="fail",
    covers=[f"{statement}/b-gradient-printed" for statement in BOTH],
    reads={"parameters": "z", "sig_xi": "s"},
)
