"""Theorem 5.5.2, second bullet: the size of the projected noise.

Setting. D_j is the matrix of the diagonals of a parity network of nu_j bits on d = 2^nu2 features, for both
networks; Xi the mean of M uniform sign vectors in R^d; P the orthogonal projector on the columns of D_j.

Statements. E|P Xi|^2 = (nu_j + 1)/M, so that the ratio of the two models is (nu1 + 1)/(nu2 + 1). The printed
projector D (D^T D)^{-1} D^T inverts a singular matrix, since the columns come in pairs; the orthogonal projector is
meant. Half of the columns are orthogonal, the others their negatives, and every head's diagonal lies in their span:
no head sees Xi - P Xi.

Reference: Theorem 5.5.2 (Shi, Wei, Xu, Liang, ICML 2024).
"""

from __future__ import annotations

import itertools
from fractions import Fraction

import sympy as sp

from theorycheck import Proof, RationalNamespace, claim, equals, integers, leg, variant

from ._parity import bit, bit_network

nu, nu_j, nu2, M = sp.symbols("nu nu_j nu2 M", integer=True, positive=True)


def diagonals(nu, nu2):
    """Columns of D_j for nu = nu_j: the bit signs, the constant, and their negatives. 2^nu2 rows, 2 (nu + 1) "
    "columns."""
    half = [[bit(b, c) for c in range(2**nu2)] for b in range(nu)] + [[1] * 2**nu2]
    columns = half + [[-x for x in column] for column in half]
    return [list(row) for row in zip(*columns, strict=True)]


def projector(nu, nu2, columns):
    """Z (Z^T Z)^{-1} Z^T in rationals, Z those of the first ``columns`` columns of D that are in the span of none
    before them."""
    ns = RationalNamespace()
    Z = ns.asarray(independent([row[:columns] for row in diagonals(nu, nu2)]))
    Zt = ns.matrix_transpose(Z)
    return ns.matmul(Z, ns.matmul(ns.inv(ns.matmul(Zt, Z)), Zt))


def independent(rows):
    """The columns that are in the span of none before them, as rows of a matrix of as many rows."""
    kept, reduced = [], []
    for column in zip(*rows, strict=True):
        rest = [Fraction(x) for x in column]
        for place, one in reduced:
            rest = [x - rest[place] / one[place] * y for x, y in zip(rest, one, strict=True)]
        if any(rest):
            kept.append(column)
            reduced.append((next(n for n, x in enumerate(rest) if x), rest))
    return [list(row) for row in zip(*kept, strict=True)]


def projected_energy(nu_j, nu2, M):
    """E|P Xi|^2 over all M d signs; the independent half of the columns spans the same space. Shape ()."""
    return energy_of(projector(nu_j, nu2, nu_j + 1).data, nu2, M)


def on_its_own_features(nu_j, nu2, M):
    """The same with the small network's columns on 2^nu1 rows, padded with zeros: no projector."""
    return projected_energy(nu_j, nu_j, M) * Fraction(2**nu_j, 2**nu2)


def energy_of(P, nu, M):
    d, total = 2**nu, Fraction(0)
    for signs in itertools.product((-1, 1), repeat=M * d):
        mean = [Fraction(sum(signs[row * d + c] for row in range(M)), M) for c in range(d)]
        image = [
            sum(Fraction(int(x.p), int(x.q)) * m for x, m in zip(row, mean, strict=True))
            for row in P
        ]
        total += sum(x * x for x in image)
    return total / 2 ** (M * d)


def determinant(nu):
    """det(D^T D), which the printed projector divides by, by elimination in rationals. Shape ()."""
    columns = list(zip(*diagonals(nu, nu), strict=True))
    rows = [
        [Fraction(sum(x * y for x, y in zip(a, b, strict=True))) for b in columns] for a in columns
    ]
    product = Fraction(1)
    while rows:
        pivot = next((row for row in rows if row[0]), None)
        if pivot is None:
            return Fraction(0)
        product *= pivot[0] if pivot is rows[0] else -pivot[0]
        rows = [rows[0] if row is pivot else row for row in rows[1:]]
        rows = [
            [x - row[0] / pivot[0] * y for x, y in zip(row[1:], pivot[1:], strict=True)]
            for row in rows
        ]
    return product


projection_printed = claim(
    "icl-parity-projection-ratio",
    lhs=r"\mathbf{1}[\det(D^\top D)\ne0]",
    title="The printed projector exists",
    says=r"$D^\top D$ is invertible, so that $D (D^\top D)^{-1} D^\top$ is a projector: its "
    "determinant times its inverse is 1.",
    covers="printed-projector",
    reads={"nu_j": "nu"},
    expect="fail",
    domain={nu: integers(1)},
    grid={"smoke": {nu: [1, 2, 3]}},
    closed_form=sp.Integer(1),
    relation=equals(),
    legs=[leg("determinant", lambda nu: int(determinant(nu) != 0))],
)

projection = claim(
    "icl-parity-projection-ratio-corrected",
    lhs=r"\mathbb{E}\,\|P\Xi\|^2",
    title="Size of the projected noise",
    says="With $P$ the orthogonal projector on the column space of $D$, "
    r"$\mathbb{E}\|P\Xi\|^2=(\nu+1)/M$.",
    role="corrected",
    corrects="icl-parity-projection-ratio",
    covers="energy ratio icl-parity-behavior/noise-energy-ratio",
    states=["icl-parity-projection-ratio", "icl-parity-behavior"],
    reads={"nu1": "nu_j"},
    domain={nu_j: integers(1), nu2: integers(1), M: integers(1)},
    where=nu_j <= nu2,
    grid={
        "smoke": [
            {nu_j: 1, nu2: 1, M: 3},
            {nu_j: 1, nu2: 2, M: 1},
            {nu_j: 1, nu2: 2, M: 2},
            {nu_j: 2, nu2: 2, M: 2},
            {nu_j: 1, nu2: 3, M: 1},
            {nu_j: 2, nu2: 3, M: 1},
        ],
        "standard": [{nu_j: 1, nu2: 1, M: 4}, {nu_j: 2, nu2: 2, M: 3}, {nu_j: 3, nu2: 3, M: 1}],
    },
    closed_form=(nu_j + 1) / M,
    relation=equals(),
    legs=[leg("every sign", projected_energy, inside="Xi", where=2**nu2 * M <= 12)],
    rivals=[
        variant("number of columns", closed_form=2 * (nu_j + 1) / M),
        variant("d / M", closed_form=2**nu2 / M, at=[{nu_j: 2, nu2: 2, M: 1}]),
        variant("nu / M", closed_form=nu_j / M),
        variant("D_1 on its own features", simulation=on_its_own_features),
    ],
)


# ---- what the heads see of it


def orthogonal_half(nu_j, nu2):
    """The first nu_j + 1 columns are pairwise orthogonal, the others their negatives."""
    columns = list(zip(*diagonals(nu_j, nu2), strict=True))
    half, rest = columns[: nu_j + 1], columns[nu_j + 1 :]
    negative = all(
        a == -b for x, y in zip(half, rest, strict=True) for a, b in zip(x, y, strict=True)
    )
    inner = [
        sum(a * b for a, b in zip(x, y, strict=True)) for x, y in itertools.combinations(half, 2)
    ]
    if not negative or any(inner):
        return Proof(False, "columns are not orthogonal", {}, {"inner": [int(x) for x in inner]})
    return Proof(True, "all pairs of columns", {"columns": len(half)})


def nothing_lost(nu_j, nu2, columns=None):
    """diag(V_n) P = diag(V_n) for every head n, as matrices: so diag(V_n).(Xi - P Xi) = 0 for every Xi."""
    P = projector(nu_j, nu2, nu_j + 1 if columns is None else columns).data
    for head in bit_network(nu_j, 2**nu2):
        diagonal = [Fraction(head.v[n][n]) for n in range(2**nu2)]
        seen = [
            sum(x * Fraction(int(P[m, n].p), int(P[m, n].q)) for m, x in enumerate(diagonal))
            for n in range(2**nu2)
        ]
        if seen != diagonal:
            return Proof(
                False,
                "a head sees what is projected away",
                {},
                {"head": [str(x) for x in diagonal]},
            )
    return Proof(True, "the projector fixes every diagonal", {"heads": 2 * (nu_j + 1)})


def one_column_less(nu_j, nu2):
    return nothing_lost(nu_j, nu2, columns=nu_j)


heads_see_the_projection = claim(
    "icl-parity-projection-heads",
    states=["icl-parity-projection-ratio", "icl-parity-behavior"],
    title="The heads see the projected noise only",
    says="Half of $D$'s columns are orthogonal and the others their negatives; "
    r"$\mathrm{diag}(V_n) \cdot (\Xi - P\Xi) = 0$ for every head and $\Xi$.",
    role="reading",
    covers="orthogonal-half projection-loses-nothing",
    reads={"nu1": "nu_j"},
    domain={nu_j: integers(1), nu2: integers(1)},
    where=nu_j <= nu2,
    grid={"smoke": {nu_j: [1, 2, 3], nu2: [1, 2, 3]}, "standard": {nu_j: [1, 4], nu2: [4, 5]}},
    legs=[
        leg(
            "columns", orthogonal_half, arithmetic="proof", where=nu2 <= 6, covers="orthogonal-half"
        ),
        leg(
            "heads",
            nothing_lost,
            arithmetic="proof",
            where=nu2 <= 5,
            covers="projection-loses-nothing",
            over="z Xi",
        ),
    ],
    rivals=[variant("one column less", simulation=one_column_less, leg="heads")],
)
