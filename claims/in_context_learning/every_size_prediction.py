"""Equations 5.1-5.3 for prompts and features of every size, and the reduction of the parity network.

Setting. E = [[X^T, x_q], [y^T, 0]] with N rows of X, any weights W^PV = [[., .], [a^T, u]] and W^KQ = [[U, .], [b^T,
.]].

Statements. (1) The bottom right entry of E + W^PV E (E^T W^KQ E)/rho is (a^T, u) (E E^T/rho) (U; b^T) x_q; the other
blocks do not enter. (2) If a = 0 it is u ((1/rho) sum y_i x_i)^T U x_q + u (1/rho) sum y_i^2 b^T x_q. (3) With x =
B phi, W = B V B^T and B orthonormal, y^T X W x_q/N is y^T Phi V phi_q/N.

Evidence. Block matrices are multiplied out in letters that do not commute (`_words`), so that the sizes of the blocks
do not matter; `prediction` runs the network at sizes.

Reference: section 5.3; proof of Theorem 5.5.1 (Shi, Wei, Xu, Liang, ICML 2024).
"""

from __future__ import annotations

from theorycheck import Proof, claim, leg, variant

from ._words import ONE, Matrix, letter, scalar

rho, N = scalar("rho"), scalar("N")
X, y, q = letter("X"), letter("y"), letter("q")
ZERO = ONE * 0
EMBEDDING = [[X.T, q], [y.T, ZERO]]
USED = {"U": letter("U"), "a": letter("a"), "b": letter("b"), "u": letter("u")}
OTHER = ("PV11", "PV12", "KQ12", "KQ22")


def times(left, right):
    """Product of block matrices."""
    return [
        [
            sum((a * b for a, b in zip(row, column, strict=True)), ZERO)
            for column in zip(*right, strict=True)
        ]
        for row in left
    ]


def transposed(blocks):
    return [[m.T for m in column] for column in zip(*blocks, strict=True)]


def attention(a=None, row=1):
    """The entry of E + W^PV E (E^T W^KQ E)/rho in this row and the last column; as it is drawn for the last row."""
    a = USED["a"] if a is None else a
    PV = [[letter("PV11"), letter("PV12")], [a.T, USED["u"]]]
    KQ = [[USED["U"], letter("KQ12")], [USED["b"].T, letter("KQ22")]]
    E = EMBEDDING
    scores = times(times(transposed(E), KQ), E)
    return E[row][1] + times(times(PV, E), scores)[row][1] / rho


def equal(left: Matrix, right: Matrix) -> Proof:
    """Whether two polynomials in the letters are the same."""
    gap = (left - right).terms
    if gap:
        words = {" ".join(map(str, w)) or "1": str(c.terms) for w, c in gap.items()}
        return Proof(False, "different polynomials in the blocks", {}, words)
    return Proof(
        True, "the same polynomials in the blocks, at every size", {"words": len(left.terms)}
    )


def bilinear_form(query=True, scale=rho):
    """(a^T, u) (E E^T/rho) (U; b^T) x_q. ``query``: whether E has its last column."""
    E = EMBEDDING if query else [row[:1] for row in EMBEDDING]
    low, side = [[USED["a"].T, USED["u"]]], [[USED["U"]], [USED["b"].T]]
    form = times(times(low, times(E, transposed(E))), times(side, [[q]]))[0][0]
    return equal(attention(), form / scale)


def query_left_out():
    return bilinear_form(query=False)


def without_rho():
    return bilinear_form(scale=1)


def other_blocks_do_not_enter(row=1):
    """Those of the first rows of W^PV and of the last column of W^KQ."""
    entered = sorted(attention(row=row).letters() & set(OTHER))
    if entered:
        return Proof(False, "other blocks enter", {}, {"entered": entered})
    return Proof(True, "no word has a letter of them, at every size", {"blocks": list(OTHER)})


def sum_of_replies(own=1):
    """The prediction is 1/rho times the sum of (a.x_i + u y_i)(x_i^T U q + y_i b.q) over the examples and (a.q)(q^T U
    q) for the query: what `_moments.reply` gives one by one."""
    a, b, u, U = (USED[name] for name in "abuU")
    rows = a.T * X.T + u * y.T
    stated = rows * (X * U * q + y * b.T * q) + a.T * q * q.T * U * q * own
    return equal(attention(), stated / rho)


def replies_alone():
    return sum_of_replies(own=0)


def in_the_first_rows():
    return other_blocks_do_not_enter(row=0)


every_size = claim(
    "icl-lsa-output-every-size",
    lhs=r"f(E)_{d+1,N+1}",
    tex=r"(a^\top,u)\,\frac{EE^\top}\rho\begin{pmatrix}U\\b^\top\end{pmatrix}x_q",
    states="icl-lsa-output",
    title="The prediction as a bilinear form, at every size",
    says=r"For all sizes, prompts and weights, the bottom right entry of the attention output is $(a^\top, u)(E E^\top/"
    r"\rho)(U; b^\top) x_q$: the other blocks do not enter.",
    role="reading",
    covers="bilinear-form other-blocks-irrelevant",
    legs=[
        leg("form", bilinear_form, arithmetic="proof", over="N d x y x_q theta rho"),
        leg("other blocks", other_blocks_do_not_enter, arithmetic="proof", over="N d theta"),
    ],
    rivals=[
        variant("query column left out", simulation=query_left_out, leg="form"),
        variant("without rho", simulation=without_rho, leg="form"),
        variant("in the rows above", simulation=in_the_first_rows, leg="other blocks"),
    ],
)


def labelled_means(b=1):
    """The prediction at a = 0."""
    u, U = USED["u"], USED["U"]
    stated = u * (y.T * X * U * q + y.T * y * USED["b"].T * q * b) / rho
    return equal(attention(a=ZERO), stated)


def b_dropped():
    return labelled_means(b=0)


def twice_the_squares():
    return labelled_means(b=2)


query_every_size = claim(
    "icl-lsa-output-query-every-size",
    states="icl-lsa-output",
    title="Where $a=0$ the query's own token drops out, at every size",
    says=r"If $a = 0$ the prediction is $u\,((1/\rho)\sum_i y_i x_i)^\top U x_q + "
    r"u\,(1/\rho)\sum_i y_i^2\,b^\top x_q$, for all sizes.",
    role="reading",
    covers="query-column-drops-out",
    legs=[leg("means", labelled_means, arithmetic="proof", over="prompt theta")],
    rivals=[
        variant("b dropped as well", simulation=b_dropped, leg="means"),
        variant("the squares twice", simulation=twice_the_squares, leg="means"),
    ],
)


def diagonal_network(basis="B", turned=False):
    """y^T X W x_q/N for X = Phi B^T, W = B V B^T, x_q = B phi_q. B^T B = 1 is known of the letter B alone."""
    B, V, phi = letter(basis), letter("V"), letter("phi")
    features, W = letter("Phi") * B.T, B * V * B.T
    seen = y.T * features * (W.T if turned else W) * B * phi / N
    return equal(seen, y.T * letter("Phi") * V * phi / N)


def any_basis():
    return diagonal_network(basis="A")


def weights_turned():
    return diagonal_network(turned=True)


literal_every_size = claim(
    "icl-parity-literal-network-every-size",
    states="icl-parity-margin-hamming",
    title="The network in $x=G\\phi$ is the network in $\\phi$, at every size",
    says=r"For every orthonormal $G$, prompt and query, $\frac{y^\top X}{N}W x_q=\frac{y^\top\Phi}{N}V\phi_q$ "
    r"with $X=\Phi G^\top$, $W=GVG^\top$.",
    role="derived",
    covers="literal-network-reduces",
    legs=[leg("letters", diagonal_network, arithmetic="proof", over="G N prompt query")],
    rivals=[
        variant("G not orthonormal", simulation=any_basis, leg="letters"),
        variant("W transposed", simulation=weights_turned, leg="letters"),
    ],
)
