"""Proof of Theorem 5.5.1, second part: how many heads solve every task.

Setting. Networks sum_n a_n relu(l_n(phi)) with l_n linear in the query phi (no bias); zero hinge loss on every task
(i, j) and sign pattern.

Statements. Printed: fewer than 2 (nu + 1) heads cannot do it for d = 2^nu features. False: the heads +-diag(2c - d
- 1), a = -1, and +-(d - 1) I, a = 1, do, for every d: on y = -1 their margin is |i - j|, on y = 1 it is d - 1 - |i
+ j - d - 1|. Four are needed: a head that is active at phi is idle at -phi, where the label is the same, so each
sign of a is needed twice. In the proof's own sense of covering sign patterns the least number of negative heads is
the least R with binom(R, floor(R/2)) >= d (Sperner), which is below 2 nu from d = 8 on.

Reference: proof of Theorem 5.5.1, appendix D.3.1 (Shi, Wei, Xu, Liang, ICML 2024).
"""

from __future__ import annotations

import itertools
from math import comb

import sympy as sp

from theorycheck import (
    attained,
    certificate,
    choices,
    claim,
    counts,
    equals,
    formula_leg,
    integers,
    leg,
    minimises,
    rivals_of,
    typed,
    variant,
)

from ._parity import NEVER, Head, four_heads, output, smallest_margin

nu = sp.symbols("nu", integer=True, positive=True)


def heads_that_suffice(nu, without=0):
    """Heads of an explicit network, ``without`` the first ones, with margin at least 1 on all tasks; beyond all numbers
    if it is less. Shape ()."""
    heads = four_heads(2**nu)[without:]
    return len(heads) if smallest_margin(heads, 2**nu) >= 1 else NEVER


PATTERNS = {(1, 1): 1, (-1, -1): 1, (1, -1): -1, (-1, 1): -1}
"""Sign patterns of two features with their labels."""


def heads_needed(nu):
    """The least number of heads that serve every pattern of a task. What a head can serve is read off the network at
    all matrices with entries -1, 0, 1 of two features: what it serves at phi it does not at -phi. Shape ()."""
    served = set()
    for a, w, x, y, z in itertools.product((-1, 1), *[(-1, 0, 1)] * 4):
        head = [Head(a, ((w, x), (y, z)))]
        found = frozenset(
            phi for phi, label in PATTERNS.items() if label * output(head, 0, 1, phi) > 0
        )
        served.add(found)
    return next(
        n
        for n in range(1, 5)
        for chosen in itertools.combinations(served, n)
        if len(frozenset().union(*chosen)) == len(PATTERNS)
    )


neuron_count = claim(
    "icl-parity-neuron-count",
    lhs=r"\text{heads}",
    title="How many heads are needed, as printed",
    says=r"The least number of heads with zero loss on all tasks of $d=2^\nu$ features is $2(\nu+1)$.",
    expect="fail",
    covers="printed-minimum",
    reads={"nu2": "nu"},
    domain={nu: integers(1)},
    grid={"smoke": {nu: [1, 2, 3]}},
    closed_form=2 * (nu + 1),
    relation=minimises(),
    legs=[attained(heads_that_suffice, name="four heads", gives="g")],
)

neuron_count_corrected = claim(
    "icl-parity-neuron-count-corrected",
    lhs=r"\text{heads}",
    states="icl-parity-neuron-count",
    title="Four heads, for every number of features",
    says="The least number of heads with zero loss on all tasks is 4.",
    role="corrected",
    corrects="icl-parity-neuron-count",
    covers="four-needed",
    reads={"d": "nu"},
    domain={nu: integers(1)},
    grid={"smoke": {nu: [1, 2, 3]}, "standard": {nu: [1, 2, 3, 4, 5]}},
    closed_form=4 + 0 * nu,
    relation=minimises(),
    legs=[
        attained(heads_that_suffice),
        certificate(heads_needed, over="g", inside="i j phi", lemma="active at phi or at -phi"),
        formula_leg(
            "active at phi or at -phi", typed("Max(0, u)*Max(0, -u) == 0", over="u in R"), over="g"
        ),
    ],
    rivals=[
        variant(
            "heads with a bias",
            leg="active at phi or at -phi",
            simulation=typed("Max(0, u + b)*Max(0, -u + b) == 0", over="u in R, b in R"),
        ),
        variant("a head left out", leg="attained", call=heads_that_suffice, without=1),
        variant("3 heads", closed_form=3 + 0 * nu),
        variant("2 (nu + 1)", closed_form=2 * (nu + 1)),
    ],
)

# ---- four heads for every d, power of two or not: the network itself at the signs s, t of the two features

d = sp.symbols("d", integer=True, positive=True)
i, j, s, t = sp.symbols("i j s t", integer=True)


def both_signs(u):
    return sp.Max(0, u) + sp.Max(0, -u)


def four(scale, centre=d + 1):
    """y g of the heads +-diag(2c - ``centre``), a = -1, and +-``scale`` times the identity, a = 1."""
    ramp = (2 * i - centre) * s + (2 * j - centre) * t
    return s * t * (both_signs(scale * (s + t) / 2) - both_signs(ramp / 2))


def margin_of_a_task(d, i, j, s, t):
    """y g of the network on the task (i, j) where its features have the signs s and t, the others 1. Shape ()."""
    phi = [1] * d
    phi[i - 1], phi[j - 1] = s, t
    return margin_at(i, j, phi)


def margin_at(i, j, phi):
    return phi[i - 1] * phi[j - 1] * output(four_heads(len(phi)), i - 1, j - 1, phi)


def least_margin(d, i, j):
    """The least y g on the task (i, j) over all 2^d queries. Shape ()."""
    return min(margin_at(i, j, phi) for phi in itertools.product((-1, 1), repeat=d))


TASKS = ["d in 2..oo", "i in 1..d - 1", "j in i + 1..d", "s in {-1, 1}", "t in {-1, 1}"]
SOLVED = formula_leg("at least 1", typed(f"{four(d - 1)} >= 1", over=TASKS))
four_suffice = claim(
    "icl-parity-four-heads",
    lhs=r"y\,g(\phi)",
    tex=r"st\,\Big(\tfrac{d-1}2|s+t|-\tfrac12\big|(2i-d-1)s+(2j-d-1)t\big|\Big)",
    states="icl-parity-neuron-count",
    title="Four heads solve every task, for every number of features",
    says=r"For every $d\ge2$ the heads $\pm\operatorname{diag}(2c-d-1)$, $a=-1$, and $\pm(d-1)I$, $a=1$, have "
    r"$yg(\phi)\ge1$ on every task $i<j$ and at all signs $s,t$ of its features.",
    role="corrected",
    corrects="icl-parity-neuron-count",
    covers="four-suffice",
    reads={"phi": "s t"},
    domain={d: integers(2), i: integers(1), j: integers(1), s: choices(-1, 1), t: choices(-1, 1)},
    where=[sp.Lt(i, j), sp.Le(j, d)],
    grid={
        "smoke": {d: [2, 3, 5], i: [1, 2, 4], j: [2, 3, 5], s: [-1, 1], t: [-1, 1]},
        "standard": {d: [4, 7, 12], i: [1, 3, 6, 11], j: [2, 4, 7, 12], s: [-1, 1], t: [-1, 1]},
    },
    closed_form=four(d - 1),
    relation=equals(),
    mutate=False,  # 1/s is s, and the form is the same with i and j exchanged
    legs=[
        leg("network", margin_of_a_task, required=False),
        leg(
            "every query",
            least_margin,
            closed_form=sp.Min(d - 1 - sp.Abs(i + j - d - 1), j - i),
            inside="phi",
            required=False,
            where=d <= 8,
            grid={"smoke": {d: [2, 3, 5], i: [1, 2, 4], j: [2, 3, 5]}},
            lhs=r"\min_\phi y\,g(\phi)",
            tex=r"\min(d-1-|i+j-d-1|,\ j-i)",
        ),
        SOLVED,
    ],
    rivals=[
        variant("positive scale d - 2", closed_form=four(d - 2)),
        variant("2c - d", closed_form=four(d - 1, d)),
        variant("the label left out", closed_form=four(d - 1) * s * t),
        *rivals_of(
            SOLVED,
            {
                "positive scale d - 2, for all": f"{four(d - 2)} >= 1",
                "margin 2": f"{four(d - 1)} >= 2",
            },
        ),
    ],
)

# ---- in the proof's sense

SIZE = sp.symbols("d", integer=True, positive=True)


def least_cover(d):
    """Least number of sign rows that cover, by running through sets of columns. Shape ()."""
    for count in range(1, d + 1):
        columns = list(itertools.product((-1, 1), repeat=count))
        if _antichain(columns, d):
            return count
    raise ValueError("no cover found")


def _antichain(columns, size, chosen=()):
    """Whether ``size`` pairwise incomparable columns exist (branching over columns in order)."""
    if len(chosen) == size:
        return True
    for n, column in enumerate(columns):
        if len(columns) - n < size - len(chosen):
            return False
        apart = [c for c in columns[n + 1 :] if _incomparable(c, column)]
        if _antichain(apart, size, (*chosen, column)):
            return True
    return False


def _incomparable(a, b):
    return any(x > y for x, y in zip(a, b, strict=True)) and any(
        x < y for x, y in zip(a, b, strict=True)
    )


def sperner(d):
    """Least R with binom(R, floor(R/2)) >= d."""
    return next(R for R in range(1, d + 1) if comb(R, R // 2) >= d)


covering = claim(
    "icl-parity-covering-count",
    lhs=r"R(d)",
    tex=r"\min\Big\{R:\binom{R}{\lfloor R/2\rfloor}\ge d\Big\}",
    states="icl-parity-neuron-count",
    title="Negative heads needed in the proof's covering sense",
    says="The least number of negative heads that cover every sign pattern is the least $R$ with "
    r"$\binom{R}{\lfloor R/2\rfloor}\ge d$: 2, 4, 5 for $d=2,4,8$, where $2\log_2d=2,4,6$ is "
    "printed.",
    role="corrected",
    corrects="icl-parity-neuron-count",
    covers="sperner-cover",
    domain={SIZE: choices(2, 3, 4, 5, 6, 7, 8)},
    grid={"smoke": {SIZE: [2, 3, 4, 5, 6, 8]}, "standard": {SIZE: [2, 3, 4, 5, 6, 7, 8]}},
    relation=counts(),
    legs=[leg("search over columns", least_cover, reference=sperner)],
    rivals=[variant("2 log2(d)", reference=lambda d: 2 * (d - 1).bit_length())],
)
