"""Section F.1, Figure 9: the toy of representation distillation, with its target read in two ways.

The text has a two-layer network predict "(z_i), i in S_core" from x = sum_core y z_j m_j + sum_bg z_j m_j, uniform
features, test background on [-1, 0]. The inputs hold y z_j, not z_j.

Statements. (1) Literally, target z_1: the best linear predictor without bias has coefficient b = (1/4)/(1/12 +
d_bg/4) on every background feature and 0 on the core, by the normal equations, mean square 1/3 - b d_bg/4 = (3 d_bg +
4)/(36 d_bg + 12) in distribution and 1/3 + b d_bg/2 + b^2 (d_bg/12 + d_bg^2/4) = (39 d_bg + 4)/(36 d_bg + 12) on the
mirrored law, 0.0859 and 1.0756 at d_bg = 32: it is the linear network that fails under the shift. (2) With the target y
z_j, what the text observes is seen in trainings: ReLU has an error of at most 1/50 in distribution and three times as
much or more under the shift, linear networks at most 1/1000 on both.

Departures in (2). The source gives neither start, nor trained layers, nor the scale of its step (0.001), nor the
number of steps: both layers are trained, from Gaussian entries of variance 1/d_0 and 1/m, without biases, 400 steps of
1/2 or 1/4 on batches of 32, weight decay 1/10000; smaller sizes. (3) Whether the background norm grows, as in Figure 9
(a), depends on the start: of a ReLU network it falls from this one and grows from a quarter of it, of a linear network
it falls from both.

Reference: lines 1217-1228 and 1282 (ICML 2024).
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_least,
    choices,
    claim,
    equals,
    figure,
    formula_leg,
    instances,
    integers,
    leg,
    panel,
    probability,
    rivals_of,
    series,
    typed,
    variant,
)

from ._training import labels, middle, signed, told_apart

core, d_bg, half, m, steps = sp.symbols("core d_bg half m steps", integer=True, positive=True)


# ---- the literal target


def best_linear(ns, core, d_bg, side=1, target="z"):
    """Mean square of the best linear predictor of z_1 (or y z_1), with the background times ``side``. Shape ().

    E z_j^2 = 1/3, E z_i z_j = 1/4; products of a core and a background feature, and of z_1 and a core
    input, have the factor y of mean 0."""
    third, quarter = Fraction(1, 3), Fraction(1, 4)
    d0 = core + d_bg

    def product(i, j):
        if (i < core) != (j < core):
            return 0
        return third if i == j else quarter

    moments = [[product(i, j) for j in range(d0)] for i in range(d0)]
    if target == "z":
        with_target = [0 if j < core else quarter for j in range(d0)]
    else:
        with_target = [product(0, j) if j < core else 0 for j in range(d0)]
    M, r = ns.asarray(moments), ns.asarray(with_target)
    found = ns.solve(M, r)
    sides = ns.asarray([1 if j < core else side for j in range(d0)])
    return (
        third - 2 * ns.sum(sides * found * r) + ns.sum(found * ns.matmul(M, found[:, None])[:, 0])
    )


def in_distribution(ns, core, d_bg):
    return best_linear(ns, core, d_bg)


def under_the_shift(ns, core, d_bg):
    return best_linear(ns, core, d_bg, side=-1)


b = "3/(3*d_bg + 1)"
ID = (3 * d_bg + 4) / (36 * d_bg + 12)
OOD = (39 * d_bg + 4) / (36 * d_bg + 12)
NORMAL = formula_leg(
    "normal equations",
    typed(f"({b})/3 + (d_bg - 1)*({b})/4 == 1/4", over="d_bg in 1..oo"),
    over="target",
)
SQUARE = "({b})**2*(d_bg/3 + d_bg*(d_bg - 1)/4)"
VALUES = formula_leg(
    "mean squares",
    typed(
        f"1/3 - 2*d_bg*({b})/4 + {SQUARE.format(b=b)} == {ID}"
        f" and 1/3 + 2*d_bg*({b})/4 + {SQUARE.format(b=b)} == {OOD}",
        over="d_bg in 1..oo",
    ),
    over="target",
)

literal = claim(
    "contamination-exp-regression-literal",
    states="contamination-exp-regression",
    title="The best linear predictor of the literal target",
    says=r"For uniform features the best linear predictor of $z_1$ without bias has mean square "
    r"$1/3-b\,d_{\mathrm{bg}}/4$ in distribution and "
    r"$1/3+b\,d_{\mathrm{bg}}/2+b^2(d_{\mathrm{bg}}/12+d_{\mathrm{bg}}^2/4)$ on the mirrored law, "
    r"$b=\frac{1/4}{1/12+d_{\mathrm{bg}}/4}$, for every number of core features.",
    role="derived",
    covers="literal-target-value",
    reads={"target": "core"},
    domain={core: integers(1), d_bg: integers(1)},
    where=core + d_bg <= 80,
    grid={
        "smoke": {core: [1, 3], d_bg: [1, 6]},
        "standard": {core: [2, 32], d_bg: [32]},
    },
    relation=equals(),
    legs=[
        NORMAL,
        VALUES,
        leg(
            "in distribution",
            in_distribution,
            arithmetic="rational",
            closed_form=ID + 0 * core,
            required=False,
            lhs=r"R_{\mathrm{ID}}",
            tex=r"\tfrac13-\tfrac{b\,d_{\mathrm{bg}}}4",
        ),
        leg(
            "mirrored",
            under_the_shift,
            arithmetic="rational",
            closed_form=OOD + 0 * core,
            required=False,
            lhs=r"R_{\mathrm{OOD}}",
            tex=r"\tfrac13+\tfrac{b\,d_{\mathrm{bg}}}2+b^2\Big(\tfrac{d_{\mathrm{bg}}}{12}+\tfrac{d_{\mathrm{bg}}^2}4\Big)",
        ),
    ],
    rivals=[
        *rivals_of(NORMAL, {"as if all were one": f"({b})/3 + d_bg*({b})/4 == 1/4"}),
        *rivals_of(VALUES, {"no shift": f"{ID} == {OOD}"}),
        variant("target y z_1", call=best_linear, target="yz", leg="in distribution"),
        variant("as in distribution", call=best_linear, side=1, leg="mirrored"),
        variant(
            "b = 1/d_bg", closed_form=sp.Rational(1, 12) + 0 * core * d_bg, leg="in distribution"
        ),
    ],
)


# ---- trainings

SAMPLES, FRESH, DECAY = 32, 500, Fraction(1, 10**4)
"""Examples a step, fresh examples for an error, weight decay."""


def examples(ns, rng, size, half, count, side, target):
    """Inputs (size, count, 2 half), targets (size, count, half); the background times ``side``."""
    z = rng.uniform((size, count, 2 * half))
    y = labels(ns, size, count)
    shifted = ns.concat([z[:, :, :half], side * z[:, :, half:]], axis=-1)
    x = signed(ns, shifted, y, half)
    return x, z[:, :, :half] if target == "z" else x[:, :, :half]


def predicted(ns, W, V, x, relu):
    """V s(W x), and s(W x) with its slopes."""
    before = ns.matmul(x, ns.matrix_transpose(W))
    slope = ns.number(before >= 0) if relu else 1 + 0 * before
    value = slope * before
    return ns.matmul(value, ns.matrix_transpose(V)), value, slope


def stepped(ns, W, V, x, goal, rate, relu):
    """Both layers after a step on half of the mean square, summed over the coordinates, with weight decay."""
    found, value, slope = predicted(ns, W, V, x, relu)
    pull = rate * (found - goal) / x.shape[1]
    back = ns.matmul(pull, V) * slope
    kept = 1 - rate * ns.asarray(DECAY)
    return (
        kept * W - ns.matmul(ns.matrix_transpose(back), x),
        kept * V - ns.matmul(ns.matrix_transpose(pull), value),
    )


def any_layers(rng, half, m, steps):
    """Both layers, three examples in quarters, and the rate of a step."""

    def quarters(rows, columns):
        return [[Fraction(int(k), 4) for k in row] for row in rng.integers(-7, 8, (rows, columns))]

    return {
        "W": quarters(m, 2 * half),
        "V": quarters(half, m),
        "x": quarters(3, 2 * half),
        "goal": quarters(3, half),
        "rate": Fraction(int(rng.integers(1, 9)), 8),
    }


def moves(ns, W, V, x, goal, rate, half, m, steps):
    """<W, W' - r W> and <V, V' - r V> of a step with ReLU, r = 1 - eta lambda. Shape (B, 2)."""
    each = rate[:, None, None]
    kept = 1 - each * ns.asarray(DECAY)
    after = stepped(ns, W, V, x, goal, each, True)
    both = zip((W, V), after, strict=True)
    return ns.stack([ns.sum(u * (v - kept * u), axis=(1, 2)) for u, v in both], axis=-1)


def along_both(ns, W, V, x, goal, rate, half, m, steps):
    """-eta times the mean of <f, f - goal>, for either layer: f is homogeneous in both. Shape (B, 2)."""
    hidden = ns.relu(ns.sum(W[:, None, :, :] * x[:, :, None, :], axis=-1))
    found = ns.sum(V[:, None, :, :] * hidden[:, :, None, :], axis=-1)
    along = -rate * ns.sum(found * (found - goal), axis=(1, 2)) / x.shape[1]
    return ns.stack([along, along], axis=-1)


def second_at_rest(ns, W, V, x, goal, rate, half, m, steps):
    along = along_both(ns, W, V, x, goal, rate, half, m, steps)[:, 0]
    at_rest = rate * ns.asarray(DECAY) * ns.sum(V * V, axis=(1, 2))
    return ns.stack([along, at_rest], axis=-1)


def fitted(ns, rng, size, half, m, relu, target, steps, seen=None, start=1):
    """Both layers (size, m, 2 half) and (size, half, m) after the steps; ``start``: the scale of their entries."""
    W = start * rng.normal((size, m, 2 * half)) / ns.sqrt(ns.asarray(2 * half))
    V = start * rng.normal((size, half, m)) / ns.sqrt(ns.asarray(m))
    rate = ns.rational(2, half)
    for t in range(steps):
        if seen is not None:
            seen(t, W, V)
        x, goal = examples(ns, rng, size, half, SAMPLES, 1, target)
        W, V = stepped(ns, W, V, x, goal, rate, relu)
    return W, V


def errors(ns, rng, W, V, half, relu, target):
    """Mean squares a coordinate over fresh examples, in distribution and mirrored. Two of shape (size,)."""
    for side in (1, -1):
        x, goal = examples(ns, rng, W.shape[0], half, FRESH, side, target)
        found, _, _ = predicted(ns, W, V, x, relu)
        yield ns.mean(ns.square(found - goal), axis=(1, 2))


def relu_fails(ns, rng, size, half, m, steps, relu=True, target="yz", ends=None):
    """1 where the error is at most 1/50 in distribution, and three times as large or more when mirrored. (size,)

    ``ends``: of both errors, in place of these."""
    inside, outside = errors(
        ns, rng, *fitted(ns, rng, size, half, m, relu, target, steps), half, relu, target
    )
    most, least = ends(ns, inside, outside) if ends else (ns.rational(1, 50), 3 * inside)
    return ns.number((inside <= most) & (outside >= least))


def linear_transfers(ns, rng, size, half, m, steps, relu=False, target="yz", ends=None):
    """1 where both errors are at most 1/1000, or the ``ends`` of both. Shape (size,)."""
    inside, outside = errors(
        ns, rng, *fitted(ns, rng, size, half, m, relu, target, steps), half, relu, target
    )
    ends = ends(ns, inside, outside) if ends else 2 * [ns.rational(1, 1000)]
    return ns.number((inside <= ends[0]) & (outside <= ends[1]))


def each_inside(ns, inside, outside):
    return middle(ns, inside), 0


def each_outside(ns, inside, outside):
    return ns.max(inside), middle(ns, outside)


def each_linear(ns, inside, outside):
    return middle(ns, inside), ns.max(outside)


def seed_by_seed(ns, rng, size, half, m, steps, count=None):
    """1 where after ten steps trainings differ in each of what is compared. ``count``: with as many seeds. (size,)"""
    sizes = (size if count is None else count, half, m, 10)
    found = [relu_fails(ns, rng, *sizes, ends=each) for each in (each_inside, each_outside)]
    found += [linear_transfers(ns, rng, *sizes, ends=e) for e in (each_linear, each_outside)]
    return told_apart(ns, size, *found)


def accumulates(ns, rng, size, half, m, steps, relu=True, start=Fraction(1, 4)):
    """1 where the norm of the background weights grows by a quarter or more. Shape (size,)."""
    kept: list = []

    def seen(t, W, V):
        if t == 0:
            kept.append(W)

    last, _ = fitted(ns, rng, size, half, m, relu, "yz", steps, seen, ns.asarray(Fraction(start)))
    before, after = (ns.sum(ns.square(W[:, :, half:]), axis=(1, 2)) for W in (kept[0], last))
    return ns.number(after >= ns.rational(25, 16) * before)


def curves(ns, rng, half, m, steps):
    """Figure 9: errors of one training of each network."""
    panels = []
    for name, target in (("target y z", "yz"), ("target z, as printed", "z")):
        lines = []
        for kind, relu in (("ReLU", True), ("linear", False)):
            kept: list = []

            def seen(t, W, V, kept=kept, relu=relu, target=target):
                if t % 20 == 0:
                    found = errors(ns, rng, W, V, half, relu, target)
                    kept.append((t, *(float(e[0]) for e in found)))

            fitted(ns, rng, 1, half, m, relu, target, steps, seen)
            for i, law in ((1, "ID"), (2, "OOD")):
                lines.append(series(f"{kind}, {law}", [k[0] for k in kept], [k[i] for k in kept]))
        panels.append(panel(name, x="steps", y="mean square", lines=lines, log_y=True))
    return panels


SAMPLED = {
    "statistic": probability(),
    "block": 16,
    "budget": {"smoke": 64, "standard": 64},
}
FIRST, LARGER = {half: 4, m: 16, steps: 400}, {half: 8, m: 32, steps: 400}

distillation = claim(
    "contamination-exp-regression",
    title="ReLU and linear networks on the toy of regression",
    says="In more than half of the trainings on the target $yz_j$, after 400 steps: the ReLU network has a mean "
    "square of at most 1/50 in distribution and at least three times as much on the mirrored law; the linear "
    "network at most 1/1000 on both.",
    role="reading",
    covers="relu-fails-ood linear-both-small",
    domain={half: choices(4, 8), m: choices(16, 32), steps: choices(400)},
    where=sp.Eq(m, 4 * half),
    grid={"smoke": [FIRST], "standard": [LARGER]},
    closed_form=sp.Rational(1, 2),
    relation=at_least(),
    legs=[
        leg(
            "ReLU",
            relu_fails,
            covers="relu-fails-ood",
            draws="seeds",
            lhs=r"\Pr[R_{\mathrm{ID}}\le\tfrac1{50},\ R_{\mathrm{OOD}}\ge3R_{\mathrm{ID}}]",
            tex=r"\tfrac12",
            **SAMPLED,
        ),
        leg(
            "linear",
            linear_transfers,
            covers="linear-both-small",
            lhs=r"\Pr[R_{\mathrm{ID}},R_{\mathrm{OOD}}\le10^{-3}]",
            tex=r"\tfrac12",
            **SAMPLED,
        ),
        # A mean over the seeds, in place of each, would leave them alike.
        leg(
            "seed by seed",
            seed_by_seed,
            required=False,
            grid={"smoke": [FIRST]},
            lhs=r"\Pr[\text{errors differ}]",
            tex=r"\tfrac12",
            **SAMPLED,
        ),
        leg(
            "both layers move",
            moves,
            arithmetic="rational",
            reference=along_both,
            relation=equals(),
            instances=instances(any_layers, "W V x goal rate", smoke=4),
            required=False,
            grid={"smoke": [FIRST]},
            unit=1,
            lhs=r"\langle W,\Delta W\rangle,\langle V,\Delta V\rangle",
            tex=r"-\eta\,\overline{\langle f,f-t\rangle}",
        ),
    ],
    rivals=[
        variant("readout at rest", leg="both layers move", reference=second_at_rest),
        variant("one seed for all", call=seed_by_seed, count=1, leg="seed by seed"),
        variant("the linear network", call=relu_fails, relu=False, leg="ReLU"),
        variant("after a twentieth of the steps", call=relu_fails, steps=20, leg="ReLU"),
        variant("the literal target", call=linear_transfers, target="z", leg="linear"),
        variant("ReLU", call=linear_transfers, relu=True, leg="linear"),
    ],
    figures=[
        figure(
            "Figure 9",
            curves,
            at={"smoke": FIRST, "standard": LARGER},
            caption="One training of each network on either target.",
        )
    ],
)

accumulation = claim(
    "contamination-exp-regression-norm",
    states="contamination-exp-regression",
    title="The background norm of the ReLU network grows from a small start",
    says="In more than half of the trainings on the target $yz_j$ from a quarter of the scale of the other claim's "
    "start, the norm of the background weights of a ReLU network grows by a quarter or more in 400 steps; from the "
    "whole scale, and in linear networks, it does not.",
    role="reading",
    covers="relu-bg-grows",
    domain={half: choices(4, 8), m: choices(16, 32), steps: choices(400)},
    where=sp.Eq(m, 4 * half),
    grid={"smoke": [FIRST], "standard": [LARGER]},
    closed_form=sp.Rational(1, 2),
    relation=at_least(),
    legs=[
        leg(
            "ReLU",
            accumulates,
            lhs=r"\Pr[\|W_{\mathrm{bg}}(T)\|\ge\tfrac54\|W_{\mathrm{bg}}(0)\|]",
            tex=r"\tfrac12",
            **SAMPLED,
        ),
    ],
    rivals=[
        variant("the linear network", call=accumulates, relu=False),
        variant("the whole scale", call=accumulates, start=1),
    ],
)
