"""Definition 3.1, Equations (2) to (6): the training process, its reduction to the dictionary, and its scales.

Setting. Inputs x = sum_core y z_j m_j + sum_bg z_j m_j in R^d, m_j orthonormal and rational; a few steps of SGD on
the regularised hinge loss, exactly, in Fractions; w_k starts with a part outside of the dictionary.

Statements. (1) A step on mean hinge + (lambda/2) sum_k |w_k|^2, by difference quotients, is shrinking by 1 - eta
lambda and a step on the mean hinge. (2) The part of w_k orthogonal to the dictionary is multiplied by 1 - eta lambda
in each step, and (3) the coordinates <w_k, m_j> are those of a run in R^d0. (4) Derived: while no example has y h > 1
and eta lambda is kept, the step eta/kappa from W/kappa (d becomes kappa^2 d) leads to W/kappa, with the same
activations and h/kappa; so that what happens at step t depends on eta sqrt(d)/m only.

Reference: lines 74-126 and 354-378. Entries of W are drawn as rationals: the statements hold for each draw.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import at_least, claim, instances, integers, leg, reals, variant

from ._network import (
    dot,
    drawn_network,
    loss,
    on_a_kink,
    output,
    with_label,
)

m, d0, d, steps, batch = sp.symbols("m d0 d T N", integer=True, positive=True)
eta, lam, kappa = sp.symbols("eta lam kappa", positive=True)


def hinge_slopes(W, s, X, y):
    """Gradient of the mean hinge loss of the batch, by the formula that `gradients` checks. Shape (m, d)."""
    found = [[Fraction(0)] * len(W[0]) for _ in W]
    for x, label in zip(X, y, strict=True):
        if label * output(W, s, x) > 1:
            continue
        for row, sign, w in zip(found, s, W, strict=True):
            if dot(w, x) >= 0:
                for i, value in enumerate(x):
                    row[i] -= Fraction(sign * label, len(W) * len(X)) * value
    return found


def step(W, s, X, y, eta, lam):
    """One step of SGD with weight decay."""
    slopes = hinge_slopes(W, s, X, y)
    keep = 1 - Fraction(eta) * Fraction(lam)
    return [
        [keep * v - Fraction(eta) * g for v, g in zip(w, row, strict=True)]
        for w, row in zip(W, slopes, strict=True)
    ]


def run(W, s, batches, labels, eta, lam):
    for X, y in zip(batches, labels, strict=True):
        W = step(W, s, X, y, eta, lam)
    return W


# ---- one step


def regularised(W, s, X, y, lam):
    """Mean hinge loss and half lambda times the sum of squares."""
    hinge = sum(loss(W, s, x, label) for x, label in zip(X, y, strict=True)) / len(X)
    return hinge + Fraction(lam) / 2 * sum(dot(w, w) for w in W)


def quotient_step(W, s, X, y, m, d0, N, eta, lam):
    """w - eta times the gradient of the regularised loss, by central difference quotients: exact for a function that is
    quadratic between the kinks. Shape (m, d0)."""
    room = [abs(1 - label * output(W, s, x)) for x, label in zip(X, y, strict=True)]
    room += [abs(dot(w, x)) for w in W for x in X]
    h = min(room) / 2  # |x_j| <= 1
    moved = []
    for k, w in enumerate(W):
        row = []
        for j, value in enumerate(w):
            ends = []
            for sign in (1, -1):
                V = [list(v) for v in W]
                V[k][j] += sign * h
                ends.append(regularised(V, s, X, y, lam))
            row.append(value - Fraction(eta) * (ends[0] - ends[1]) / (2 * h))
        moved.append(row)
    return moved


def decay_and_step(W, s, X, y, m, d0, N, eta, lam):
    """(1 - eta lambda) w - eta grad. Shape (m, d0)."""
    return step(W, s, X, y, eta, lam)


def full_square(W, s, X, y, m, d0, N, eta, lam):
    """As if the regulariser were lambda |w|^2 without the half."""
    return step(W, s, X, y, eta, 2 * Fraction(lam))


def without_decay(W, s, X, y, m, d0, N, eta, lam):
    return step(W, s, X, y, eta, 0)


def off_the_kinks(rng, m, d0, N, eta, lam):
    while True:
        W, s = drawn_network(rng, m, d0, 3)
        X = [[Fraction(int(rng.integers(-8, 9)), 8) for _ in range(d0)] for _ in range(N)]
        y = [int(rng.signs()) for _ in range(N)]
        if not any(on_a_kink(W, s, x, label) for x, label in zip(X, y, strict=True)):
            return {"W": W, "s": s, "X": X, "y": y}


HALF = {eta: Fraction(1, 2), lam: Fraction(1, 3)}
update = claim(
    "contamination-sgd-update",
    lhs=r"w_k-\eta\nabla_{w_k}\hat{\mathcal L}",
    tex=r"(1-\eta\lambda)w_k-\eta\nabla_{w_k}\tfrac1N\textstyle\sum_i\ell",
    states="contamination-sgd-algorithm",
    title="A step on the regularised loss",
    says="For all weights, batches, steps and decays, a gradient step on the regularised loss "
    r"shrinks by $1 - \eta\lambda$ and steps on the mean hinge loss.",
    covers="update-form",
    reads={"a": "s", "batch": "X y", "lambda": "lam"},
    domain={m: integers(1), d0: integers(1), batch: integers(1), eta: reals(0), lam: reals(0)},
    grid={
        "smoke": [HALF | {m: 1, d0: 1, batch: 1}, HALF | {m: 3, d0: 2, batch: 3}],
        "standard": [
            HALF | {m: 2, d0: 4, batch: 5},
            {m: 4, d0: 3, batch: 2, eta: Fraction(1, 10), lam: 2},
        ],
    },
    legs=[
        leg(
            "difference quotients",
            quotient_step,
            reference=decay_and_step,
            unit=1,
            instances=instances(off_the_kinks, "W s X y", smoke=3, standard=8),
        )
    ],
    rivals=[
        variant("lambda |w|^2 without the half", reference=full_square),
        variant("no decay", reference=without_decay),
    ],
)


# ---- the reduction


def basis_of(rng, d):
    return [[Fraction(x) for x in row] for row in rng.orthogonal_rational(d)]


def runs(rng, m, d0, d, T, N):
    """Weights in R^d, a dictionary (the first d0 rows of M), feature weights of T batches and their labels."""
    W, s = drawn_network(rng, m, d, 2)
    return {
        "W": W,
        "s": s,
        "M": basis_of(rng, d),
        "z": [
            [[Fraction(int(rng.integers(1, 9)), 8) for _ in range(d0)] for _ in range(N)]
            for _ in range(T)
        ],
        "y": [[int(rng.signs()) for _ in range(N)] for _ in range(T)],
    }


RATE, DECAY = Fraction(1, 3), Fraction(1, 4)


def coordinates(W, basis):
    return [[dot(w, v) for v in basis] for w in W]


def inputs(z, y, d0):
    """Dictionary coordinates of the inputs, half of the features core."""
    return [
        [with_label(label, row, (d0 + 1) // 2) for row, label in zip(rows, labels, strict=True)]
        for rows, labels in zip(z, y, strict=True)
    ]


def in_space(X, basis):
    return [
        [
            [sum(c * v[i] for c, v in zip(x, basis, strict=True)) for i in range(len(basis[0]))]
            for x in rows
        ]
        for rows in X
    ]


def full_run(W, s, M, z, y, d0):
    """The weights in R^d after the run."""
    return run(W, s, in_space(inputs(z, y, d0), M[:d0]), y, RATE, DECAY)


def residual_after(W, s, M, z, y, m, d0, d, T, N):
    """Coordinates outside of the dictionary after the run in R^d. Shape (m, d - d0)."""
    return coordinates(full_run(W, s, M, z, y, d0), M[d0:])


def residual_shrunk(W, s, M, z, y, m, d0, d, T, N):
    """(1 - eta lambda)^T times those before. Shape (m, d - d0)."""
    return [[(1 - RATE * DECAY) ** T * c for c in row] for row in coordinates(W, M[d0:])]


def residual_kept(W, s, M, z, y, m, d0, d, T, N):
    return coordinates(W, M[d0:])


def residual_without_sign(W, s, M, z, y, m, d0, d, T, N):
    return [[abs(c) for c in row] for row in residual_kept(W, s, M, z, y, m, d0, d, T, N)]


def residual_once(W, s, M, z, y, m, d0, d, T, N):
    return [[(1 - RATE * DECAY) * c for c in row] for row in coordinates(W, M[d0:])]


def dictionary_after(W, s, M, z, y, m, d0, d, T, N):
    """Coordinates in the dictionary after the run in R^d. Shape (m, d0)."""
    return coordinates(full_run(W, s, M, z, y, d0), M[:d0])


def reduced_run(W, s, M, z, y, m, d0, d, T, N):
    """The run that starts from the dictionary coordinates and never sees R^d. Shape (m, d0)."""
    return run(coordinates(W, M[:d0]), s, inputs(z, y, d0), y, RATE, DECAY)


def background_with_label(W, s, M, z, y, m, d0, d, T, N):
    """The reduced run with y z_j on the background, too."""
    X = [
        [with_label(label, row, d0) for row, label in zip(rows, labels, strict=True)]
        for rows, labels in zip(z, y, strict=True)
    ]
    return run(coordinates(W, M[:d0]), s, X, y, RATE, DECAY)


def slanted(rng, m, d0, d, T, N):
    """A dictionary that is not orthonormal: the first vector is added to the others."""
    found = runs(rng, m, d0, d, T, N)
    first, *others = found["M"]
    return found | {"M": [first, *([a + b for a, b in zip(first, v, strict=True)] for v in others)]}


RUNS = instances(runs, "W s M z y", smoke=2, standard=6)


def dictionaries(rng, m, d0, d, T, N):
    """Eight of those that runs are drawn with. One is along the axes where all d (d - 1)/2 >= 3 entries of the skew
    matrix are 0, each with probability 1/11, or turn by right angles, so rarely that eight never are."""
    return {"Ms": [runs(rng, m, d0, d, T, N)["M"] for _ in range(8)]}


def coordinate_axes(rng, m, d0, d, T, N):
    return {"Ms": [[[Fraction(int(i == j)) for j in range(d)] for i in range(d)]] * 8}


def entries_of_a_row(Ms):
    """The most entries other than 0 of a row of a dictionary. Shape ()."""
    return max(sum(x != 0 for x in row) for M in Ms for row in M)


FULL = {
    "domain": {
        m: integers(1),
        d0: integers(2),
        d: integers(2),
        steps: integers(1),
        batch: integers(1),
    },
    "where": d > d0,
    "grid": {
        "smoke": [{m: 2, d0: 2, d: 4, steps: 3, batch: 2}],
        "standard": [
            {m: 3, d0: 4, d: 6, steps: 4, batch: 3},
            {m: 2, d0: 2, d: 3, steps: 6, batch: 1},
        ],
    },
}
# Fractions grow with the steps, the work with m d N T
SMALL = (d <= 8) & (steps <= 6) & (batch <= 8) & (m <= 8)

residual = claim(
    "contamination-sgd-residual",
    lhs=r"P_\perp w_k^{(T)}",
    tex=r"(1-\eta\lambda)^T\,P_\perp w_k^{(0)}",
    states="contamination-sgd-algorithm",
    title="The part outside of the dictionary only shrinks",
    says="For every dictionary, run and neuron the part orthogonal to the dictionary is "
    r"multiplied by $1 - \eta\lambda$ a step.",
    covers="residual-shrinks",
    reads={"t": "T", "batches": "z y"},
    legs=[
        leg(
            "run in the space",
            residual_after,
            reference=residual_shrunk,
            instances=RUNS,
            inside="k",
            unit=1,
            where=SMALL,
        ),
        leg(
            "turned dictionaries",
            entries_of_a_row,
            relation=at_least(),
            closed_form=sp.Integer(2),
            required=False,
            instances=instances(dictionaries, "Ms", smoke=1),
            where=SMALL,
            lhs=r"\max\|m_j\|_0",
            tex="2",
        ),
    ],
    rivals=[
        variant(
            "along the axes",
            leg="turned dictionaries",
            instances=instances(coordinate_axes, "Ms", smoke=1),
        ),
        variant("it keeps its size", reference=residual_kept),
        variant("its size, without a sign", reference=residual_without_sign),
        variant("shrunk once", reference=residual_once),
    ],
    **FULL,
)

reduction = claim(
    "contamination-sgd-reduction",
    lhs=r"\langle w_k^{(T)},m_j\rangle",
    tex=r"w_{kj}^{(T)}\ \text{in }\mathbb R^{d_0}",
    states="contamination-sgd-algorithm",
    title="Dictionary coordinates are enough",
    says=r"For every dictionary and run the coordinates $\langle w_k, m_j\rangle$ are those of "
    r"the run in $\mathbb{R}^{d_0}$.",
    covers="reduction-exact",
    reads={"dictionary": "M", "batches": "z y"},
    legs=[
        leg(
            "run in the space",
            dictionary_after,
            reference=reduced_run,
            instances=RUNS,
            unit=1,
            where=SMALL,
        )
    ],
    rivals=[
        variant(
            "background with the label",
            reference=background_with_label,
            at=[{m: 3, d0: 4, d: 6, steps: 4, batch: 6}],
        ),
        variant(
            "vectors that are not orthonormal",
            instances=instances(slanted, "W s M z y", smoke=1),
            at=[{m: 3, d0: 4, d: 6, steps: 4, batch: 6}],
        ),
    ],
    **FULL,
)


# ---- the scales


def largest_margin(W, s, batches, labels, eta, lam):
    """The largest y h that a step of the run sees."""
    found = []
    for X, y in zip(batches, labels, strict=True):
        found += [label * output(W, s, x) for x, label in zip(X, y, strict=True)]
        W = step(W, s, X, y, eta, lam)
    return max(found)


def near_saturation(rng, m, d0, T, N, kappa):
    """`small_runs` with weights and step as large as they can be, up to a quarter, without a saturated example in
    either run."""
    found, k = small_runs(rng, m, d0, T, N, kappa), Fraction(kappa)

    def times(c):
        return found | {"W": [[c * v for v in w] for w in found["W"]], "eta": c * found["eta"]}

    def saturates(W, s, X, y, eta):
        return any(
            largest_margin([[v / q for v in w] for w in W], s, X, y, eta / q, DECAY * q) > 1
            for q in (Fraction(1), k)
        )

    c = Fraction(1)
    while c < 100 and not saturates(**times(c * Fraction(5, 4))):
        c *= Fraction(5, 4)
    return times(c)


def small_runs(rng, m, d0, T, N, kappa):
    """Weights, inputs of any number of core features, and a step so small that no example is saturated in either run:
    |h| is at most 1/8 at first and grows by at most eta d0/m a step."""
    W, s = drawn_network(rng, m, d0, 1)
    room = d0 * max(Fraction(1), 1 / Fraction(kappa))
    y = [[int(rng.signs()) for _ in range(N)] for _ in range(T)]
    z = [
        [[Fraction(int(rng.integers(1, 9)), 8) for _ in range(d0)] for _ in range(N)]
        for _ in range(T)
    ]
    core = int(rng.integers(0, d0 + 1))
    return {
        "W": [[v / (8 * room) for v in w] for w in W],
        "s": s,
        "X": [
            [with_label(label, row, core) for row, label in zip(rows, labels, strict=True)]
            for rows, labels in zip(z, y, strict=True)
        ],
        "y": y,
        "eta": Fraction(int(rng.integers(1, 5)), 16) / (room * T),
    }


def scaled(W, s, X, y, eta, m, d0, T, N, kappa, rate=1, decay=1):
    """kappa times the weights after T steps from W/kappa with eta rate/kappa and lambda decay kappa. Shape (m, d0)."""
    k = Fraction(kappa)
    start = [[v / k for v in w] for w in W]
    end = run(start, s, X, y, rate * eta / k, decay * k * DECAY)
    return [[k * v for v in w] for w in end]


def plain(W, s, X, y, eta, m, d0, T, N, kappa):
    """The weights after T steps from W with eta and lambda. Shape (m, d0)."""
    return run(W, s, X, y, eta, DECAY)


def step_not_rescaled(W, s, X, y, eta, m, d0, T, N, kappa):
    return scaled(
        W, s, X, y, eta, m, d0, T, N, kappa, rate=Fraction(kappa), decay=1 / Fraction(kappa)
    )


def decay_not_rescaled(W, s, X, y, eta, m, d0, T, N, kappa):
    return scaled(W, s, X, y, eta, m, d0, T, N, kappa, decay=1 / Fraction(kappa))


def saturated(rng, m, d0, T, N, kappa):
    """Weights 12, far above the margin, in the one run and far below in the other for kappa = 100."""
    found = small_runs(rng, m, d0, T, N, kappa)
    X = [[[abs(v) for v in x] for x in rows] for rows in found["X"]]
    return found | {"W": [[Fraction(12)] * d0] * m, "s": [1] * m, "X": X, "y": [[1] * N] * T}


SCALED = instances(small_runs, "W s X y eta", smoke=2, standard=6)
NEAR = instances(near_saturation, "W s X y eta", smoke=3, standard=6)
SCALES = {
    "domain": {
        m: integers(1),
        d0: integers(2),
        steps: integers(1),
        batch: integers(1),
        kappa: reals(0, low_open=True),
    },
    "grid": {
        "smoke": [
            {m: 2, d0: 3, steps: 4, batch: 2, kappa: Fraction(5, 2)},
            {m: 3, d0: 2, steps: 3, batch: 2, kappa: Fraction(1, 3)},
        ],
        "standard": [{m: 4, d0: 4, steps: 5, batch: 3, kappa: k} for k in (Fraction(1, 2), 2, 7)],
    },
}
SHORT = (steps <= 6) & (batch <= 8) & (m <= 8) & (d0 <= 8)

scale = claim(
    "contamination-scale-invariance",
    lhs=r"\kappa\,W(\kappa^2d,\eta/\kappa,t)",
    tex=r"W(d,\eta,t)",
    title=r"Before saturation only $\eta\sqrt d/m$ matters",
    says=r"For every $\kappa > 0$, start and batches without a saturated example, the run with "
    r"$(\kappa^2 d, \eta/\kappa)$ and the same $\eta\lambda$ has weights $W/\kappa$ at every "
    "step.",
    role="derived",
    covers="weights-scale",
    reads={"d": "kappa", "eta": "eta", "batches": "X y", "t": "T"},
    legs=[
        leg("exact steps", scaled, reference=plain, instances=SCALED, unit=1, where=SHORT),
        leg("near saturation", scaled, reference=plain, instances=NEAR, unit=1, where=SHORT),
    ],
    rivals=[
        variant("eta not rescaled", leg="exact steps", simulation=step_not_rescaled),
        variant("lambda kept", leg="exact steps", simulation=decay_not_rescaled),
        variant("eta not rescaled, near", leg="near saturation", simulation=step_not_rescaled),
        variant(
            "after saturation",
            leg="exact steps",
            instances=instances(saturated, "W s X y eta", smoke=1),
            at=[{m: 1, d0: 2, steps: 2, batch: 1, kappa: 100}],
        ),
    ],
    **SCALES,
)


def behaviour(W, s, X):
    """Activations and outputs on all inputs of all batches."""
    return [[*(int(dot(w, x) >= 0) for w in W), output(W, s, x)] for rows in X for x in rows]


def scaled_patterns(W, s, X, y, eta, m, d0, T, N, kappa):
    """Activation patterns and kappa h on all inputs, after the scaled run. Shape (T N, m + 1)."""
    k = Fraction(kappa)
    end = scaled(W, s, X, y, eta, m, d0, T, N, kappa)
    found = behaviour([[v / k for v in w] for w in end], s, X)
    return [[*row[:-1], k * row[-1]] for row in found]


def plain_patterns(W, s, X, y, eta, m, d0, T, N, kappa):
    return behaviour(plain(W, s, X, y, eta, m, d0, T, N, kappa), s, X)


def output_unchanged(W, s, X, y, eta, m, d0, T, N, kappa):
    return [
        [*row[:-1], Fraction(kappa) * row[-1]]
        for row in plain_patterns(W, s, X, y, eta, m, d0, T, N, kappa)
    ]


patterns = claim(
    "contamination-scale-invariance-patterns",
    lhs=r"(\text{activations},\kappa h')",
    tex=r"(\text{activations},h)",
    states="contamination-scale-invariance",
    title=r"Activations are the same, outputs are divided by $\kappa$",
    says=r"In the scaled run every activation agrees at the end, and $h$ is divided by $\kappa$.",
    role="derived",
    covers="patterns-unchanged",
    reads={"t": "T"},
    legs=[
        leg(
            "exact steps",
            scaled_patterns,
            reference=plain_patterns,
            # Of large weights: at small ones any threshold above them would leave all neurons silent in both runs.
            instances=instances(near_saturation, "W s X y eta", smoke=1, standard=2),
            unit=1,
            where=SHORT,
        )
    ],
    rivals=[
        variant("h unchanged", reference=output_unchanged),
        variant(
            "after saturation",
            instances=instances(saturated, "W s X y eta", smoke=1),
            at=[{m: 1, d0: 2, steps: 2, batch: 1, kappa: 100}],
        ),
    ],
    **SCALES,
)
