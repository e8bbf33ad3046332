"""Equations 5.1-5.3: reading the prediction off the attention output.

Statement. The bottom right entry of the attention output is (a^T, u) (E E^T / rho) (U; b^T) x_q, a and u from the last
row of W^PV, U and b from the first d columns of W^KQ: the other blocks do not enter (5.2; a parenthesis is misplaced
in print). If a = 0 the query's own token drops out, and the prediction is u ((1/rho) sum y_i x_i)^T U x_q +
u (1/rho) sum y_i^2 b^T x_q.

Reference: section 5.3 (Shi, Wei, Xu, Liang, ICML 2024).
"""

from __future__ import annotations

import sympy as sp

from theorycheck import claim, equals, identity_for_all, instances, integers, leg, variant

from ._attention import embedding, prediction

N, d = sp.symbols("N d", integer=True, positive=True)


def network(rng, N, d):
    """Random prompts and weights, all blocks filled."""
    return {
        "x": rng.rational((N, d), 4),
        "y": rng.rational((N,), 4),
        "q": rng.rational((d,), 4),
        "PV": rng.rational((d + 1, d + 1), 3),
        "KQ": rng.rational((d + 1, d + 1), 3),
    }


def read_off(ns, x, y, q, PV, KQ, N):
    """Bottom right entry of the attention output. Shape (B,)."""
    return prediction(ns, embedding(ns, x, y, q), PV, KQ, N)


def bilinear(ns, x, y, q, PV, KQ, N, query=True):
    """(a^T, u) (E E^T / rho) (U; b^T) x_q from the rows and columns that count. Shape (B,)."""
    E = embedding(ns, x, y, q)
    E = E if query else E[:, :, :-1]
    scores = ns.matmul(KQ[:, :, :-1], ns.expand_dims(q, axis=-1))
    mixed = ns.matmul(ns.matmul(E, ns.matrix_transpose(E)), scores)
    return ns.matmul(PV[:, -1:, :], mixed)[:, 0, 0] / N


def without_query(ns, x, y, q, PV, KQ, N):
    return bilinear(ns, x, y, q, PV, KQ, N, query=False)


def unnormalised(ns, x, y, q, PV, KQ, N):
    return bilinear(ns, x, y, q, PV, KQ, N) * N


# ---- for every prompt, weights and rho


def blocks(N, d):
    return {"x": (1, N, d), "y": (1, N), "q": (1, d), "rho": ()}


def attention(ns, x, y, q, PV, KQ, rho):
    return prediction(ns, embedding(ns, x, y, q), PV, KQ, rho)


def form(ns, x, y, q, PV, KQ, rho):
    return bilinear(ns, x, y, q, PV, KQ, rho)


def for_all_of_them(N, d):
    square = (1, d + 1, d + 1)
    return identity_for_all(attention, form, {**blocks(N, d), "PV": square, "KQ": square})


def cut(ns, x, y, q, PV, KQ, rho):
    return bilinear(ns, x, y, q, PV, KQ, rho, query=False)


def for_all_without_query(N, d):
    square = (1, d + 1, d + 1)
    return identity_for_all(attention, cut, {**blocks(N, d), "PV": square, "KQ": square})


def last_row(ns, x, y, q, u, U, b, rho):
    """The network with a = 0. Shape (1,)."""
    d = q.shape[1]
    low = ns.concat([ns.zeros((d,)), ns.reshape(u, (1,))])
    PV = ns.concat([ns.zeros((d, d + 1)), low[None, :]])
    KQ = ns.concat([ns.concat([U, b[None, :]]), ns.zeros((d + 1, 1))], axis=1)
    return attention(ns, x, y, q, PV, KQ, rho)


def labelled_means(ns, x, y, q, u, U, b, rho):
    mean = ns.sum(ns.expand_dims(y, axis=-1) * x, axis=1) / rho
    return u * (
        ns.sum(mean * ns.matmul(q, ns.matrix_transpose(U)), axis=-1)
        + ns.sum(y**2, axis=-1) / rho * ns.sum(q * b, axis=-1)
    )


def first_means(ns, x, y, q, u, U, b, rho):
    return labelled_means(ns, x, y, q, u, U, b * 0, rho)


def printed_optimum(N, d, reference=labelled_means):
    return identity_for_all(last_row, reference, {**blocks(N, d), "u": (), "U": (d, d), "b": (d,)})


def without_b(N, d):
    return printed_optimum(N, d, reference=first_means)


SIZES = {
    "domain": {N: integers(1), d: integers(1)},
    "grid": {"smoke": {N: [2, 3], d: [1, 2]}, "standard": {N: [2, 4, 6], d: [1, 2, 4]}},
}

lsa_output = claim(
    "icl-lsa-output",
    lhs=r"f(E)_{d+1,N+1}",
    tex=r"(a^\top,u)\,\frac{EE^\top}\rho\begin{pmatrix}U\\b^\top\end{pmatrix}x_q",
    title="The prediction as a bilinear form",
    says=r"For all prompts and weights, the bottom right entry of the attention output is $(a^\top, "
    r"u)(E E^\top/ \rho)(U; b^\top) x_q$.",
    covers="bilinear-form other-blocks-irrelevant",
    reads={"x_q": "q", "theta": "PV KQ"},
    relation=equals(),
    legs=[
        leg(
            "exact",
            read_off,
            arithmetic="rational",
            reference=bilinear,
            instances=instances(network, "x y q PV KQ", smoke=3, standard=8),
        ),
        leg("indeterminates", for_all_of_them, arithmetic="proof", over="x y x_q theta rho"),
    ],
    rivals=[
        variant("query column left out", reference=without_query),
        variant(
            "query column left out, for all", simulation=for_all_without_query, leg="indeterminates"
        ),
        variant("without rho", reference=unnormalised),
    ],
    **SIZES,
)

query_drops_out = claim(
    "icl-lsa-output-query",
    states="icl-lsa-output",
    title="Where $a=0$ the query's own token drops out",
    says=r"If $a = 0$ the prediction is $u\,((1/\rho)\sum_i y_i x_i)^\top U x_q + "
    r"u\,(1/\rho)\sum_i y_i^2\,b^\top x_q$.",
    role="reading",
    covers="query-column-drops-out",
    legs=[leg("indeterminates", printed_optimum, arithmetic="proof", over="prompt theta")],
    rivals=[
        variant("b dropped as well", simulation=without_b, leg="indeterminates", at=[{N: 2, d: 2}])
    ],
    **SIZES,
)
