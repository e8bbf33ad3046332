r"""Lemma A.9 and A.34: gradients lie in the span of the dictionary, and what follows.

Setting. A law of n atoms: patterns phi, input x = M phi + zeta, c = weight of the atom times y times both indicators.
M has orthonormal columns, the first D of an orthogonal matrix; w_t = (1 - 2 eta lambda) w_(t-1) + eta a E[c x],
lambda = 1/(2 eta) in the first step. The indicators are any numbers here.

Statements. (1) dL/dw = -a E[c x] = -a (sum_j M_j T_j + nu), T_j = E[c phi_j], nu = E[c zeta], for any M. (2) Without
zeta the part of w_t off the span is 0 from t = 1 on, wherever w_0 was. (3) The coordinates M^T w_t follow q_t = (1 -
2 eta lambda) q_(t-1) + eta a T, in which d and M do not occur; with <w, x> = <q, phi> all that comes after depends on
q_0 = M^T w_0 alone, whose law N(0, sigma^2 I_D) does not depend on d.

Reference: (2.2)-(2.4), lines 608-632; Lemmas A.9, A.14 and A.34, lines 3057-3068, 3358-3367, 4510-4525.
"""

from __future__ import annotations

import sympy as sp

from theorycheck import (
    claim,
    formula_leg,
    identity_for_all,
    integers,
    leg,
    rivals_of,
    typed,
    variant,
)

n, D, d = sp.symbols("n D d", integer=True, positive=True)


def gradient(ns, c, phi, M, zeta, a):
    """-a sum over the atoms of c x. Shape (d,)."""
    x = ns.matmul(phi, ns.matrix_transpose(M)) + zeta
    return -a * ns.sum(ns.expand_dims(c, axis=1) * x, axis=0)


def in_the_span(ns, c, phi, M, zeta, a):
    """-a (sum_j M_j T_j + nu). Shape (d,)."""
    T = ns.sum(ns.expand_dims(c, axis=1) * phi, axis=0)
    nu = ns.sum(ns.expand_dims(c, axis=1) * zeta, axis=0)
    return -a * (ns.sum(M * T, axis=1) + nu)


def without_the_readout(ns, c, phi, M, zeta, a):
    return in_the_span(ns, c, phi, M, zeta, 0 * a + 1)


def without_the_noise(ns, c, phi, M, zeta, a):
    return in_the_span(ns, c, phi, M, 0 * zeta, a)


def fields(n, D, d):
    return {"c": (n,), "phi": (n, D), "M": (d, D), "zeta": (n, d), "a": ()}


def decomposed(n, D, d):
    return identity_for_all(gradient, in_the_span, fields(n, D, d))


def decomposed_without(reference):
    def proof(n, D, d):
        return identity_for_all(gradient, reference, fields(n, D, d))

    return proof


SIZES = {
    "domain": {n: integers(1), D: integers(1), d: integers(1)},
    "where": d >= D,
    "grid": {
        "smoke": [{n: 1, D: 1, d: 1}, {n: 2, D: 2, d: 3}],
        "standard": [{n: 3, D: 3, d: 3}, {n: 4, D: 3, d: 5}],
    },
}

span = claim(
    "structured-gradient-span",
    lhs=r"\partial_wL",
    tex=r"-a\Big(\sum_jM_jT_j+\nu\Big)",
    states=[
        "structured-first-step-emergence",
        "structured-second-step-improvement",
        "structured-general-first-step",
    ],
    title="Gradients lie in the span of the dictionary, up to the noise",
    says=r"$\partial_{w}L=-a(\sum_jM_jT_j+\nu)$ with $T_j=\mathbb{E}[c\,\phi_j]$, $\nu=\mathbb{E}[c\,\zeta]$ "
    r"for all dictionaries, "
    "laws, gates and read-outs of the size.",
    covers=[
        "structured-first-step-emergence/span",
        "structured-second-step-improvement/span",
        "structured-general-first-step/decomposition",
    ],
    legs=[
        leg(
            "indeterminates",
            decomposed,
            arithmetic="proof",
            over="law i w b a",
            where=n * D * d <= 60,
        )
    ],
    rivals=[
        variant(
            "without a", leg="indeterminates", simulation=decomposed_without(without_the_readout)
        ),
        variant(
            "without the noise",
            leg="indeterminates",
            simulation=decomposed_without(without_the_noise),
        ),
    ],
    **SIZES,
)


def rotation(ns, skew, d):
    """Orthogonal (d, d) matrix (I + S)^-1 (I - S), S skew-symmetric with these entries above the diagonal."""
    rows, used = [], 0
    entry = {}
    for i in range(d):
        for j in range(i + 1, d):
            entry[i, j], entry[j, i] = skew[used], -skew[used]
            used += 1
    zero = 0 * skew[0]
    rows = [ns.stack([entry.get((i, j), zero) for j in range(d)]) for i in range(d)]
    S = ns.stack(rows)
    return ns.solve(ns.eye(d) + S, ns.eye(d) - S)


def trained(ns, w, c, phi, M, a, eta, lam, forget=True):
    """w_t for t = 1.., one row of ``c`` a step. Shape (steps, d)."""
    x = ns.matmul(phi, ns.matrix_transpose(M))
    found = []
    for step in range(c.shape[0]):
        keep = 0 * lam if forget and step == 0 else 1 - 2 * eta * lam
        w = keep * w + eta * a * ns.sum(ns.expand_dims(c[step], axis=1) * x, axis=0)
        found.append(w)
    return ns.stack(found)


def off_span(ns, skew, w, c, phi, a, eta, lam, D, d, forget=True):
    """Coordinates of w_t in the orthogonal complement of the dictionary. Shape (steps, d - D)."""
    Q = rotation(ns, skew, d)
    return ns.matmul(trained(ns, w, c, phi, Q[:, :D], a, eta, lam, forget), Q[:, D:])


def none_off_span(ns, skew, w, c, phi, a, eta, lam, D, d):
    return ns.zeros((c.shape[0], d - D))


def coordinates(ns, skew, w, c, phi, a, eta, lam, D, d, forget=True):
    """M^T w_t. Shape (steps, D)."""
    M = rotation(ns, skew, d)[:, :D]
    return ns.matmul(trained(ns, w, c, phi, M, a, eta, lam, forget), M)


def recursion(ns, skew, w, c, phi, a, eta, lam, D, d):
    """q_t by its own recursion from q_1 = eta a T on. Shape (steps, D)."""
    q, found = 0 * phi[0], []
    for step in range(c.shape[0]):
        T = ns.sum(ns.expand_dims(c[step], axis=1) * phi, axis=0)
        q = (1 - 2 * eta * lam) * q + eta * a * T
        found.append(q)
    return ns.stack(found)


def first_gates_kept(ns, skew, w, c, phi, a, eta, lam, D, d):
    """The recursion with the gates of the first step in every step."""
    return recursion(ns, skew, w, ns.stack([c[0]] * c.shape[0]), phi, a, eta, lam, D, d)


def training_fields(n, D, d):
    return {
        "skew": (d * (d - 1) // 2,),
        "w": (d,),
        "c": (2, n),
        "phi": (n, D),
        "a": (),
        "eta": (),
        "lam": (),
    }


def stays_in_the_span(n, D, d):
    return identity_for_all(off_span, none_off_span, training_fields(n, D, d), D=D, d=d)


def keeps_the_start(n, D, d):
    def remembering(ns, **given):
        return off_span(ns, forget=False, **given)

    return identity_for_all(remembering, none_off_span, training_fields(n, D, d), D=D, d=d)


def follows_the_recursion(n, D, d):
    return identity_for_all(coordinates, recursion, training_fields(n, D, d), D=D, d=d)


def remembers_the_start(n, D, d):
    def remembering(ns, **given):
        return coordinates(ns, forget=False, **given)

    return identity_for_all(remembering, recursion, training_fields(n, D, d), D=D, d=d)


def keeps_the_gates(n, D, d):
    return identity_for_all(coordinates, first_gates_kept, training_fields(n, D, d), D=D, d=d)


TRAINING = {
    "domain": {n: integers(1), D: integers(1), d: integers(2)},
    "where": d > D,
    "grid": {
        "smoke": [{n: 1, D: 1, d: 2}, {n: 2, D: 1, d: 2}],
        "standard": [{n: 1, D: 1, d: 3}, {n: 3, D: 2, d: 3}, {n: 2, D: 2, d: 4}],
    },
}

# the part off the span: what a step adds to it is 0, and the first step keeps nothing of it
LATER = formula_leg(
    "later steps",
    typed(
        "(1 - 2*eta*lam)*o + eta*a*g == 0",
        over=["eta > 0", "lam in R", "a in R", "o in {0}", "g in {0}"],
    ),
    over="t law i",
)

in_span = claim(
    "structured-training-span",
    lhs=r"(I-MM^\top)\,w^{(t)}",
    tex="0",
    states="structured-training-procedure",
    title="Weights lie in the span of the dictionary from the first step on",
    says=r"$(I-MM^\top)w^{(t)}=0$ for $t=1,2$, for all orthonormal dictionaries, starts, gates and step sizes "
    r"of the size; a later step adds nothing off the span.",
    covers="span",
    legs=[
        leg(
            "indeterminates", stays_in_the_span, arithmetic="proof", over="law i", where=n * d <= 9
        ),
        LATER,
    ],
    rivals=[
        variant("without forgetting", leg="indeterminates", simulation=keeps_the_start),
        *rivals_of(
            LATER,
            {
                "noise in the input": {
                    "over": ["eta > 0", "lam in R", "a in R", "o in {0}", "g in {1}"]
                }
            },
        ),
    ],
    **TRAINING,
)

invariant = claim(
    "structured-training-d-invariance",
    lhs=r"M^\top w^{(t)}",
    tex=r"q^{(t)}",
    states="structured-training-procedure",
    title="The coordinates follow a recursion without d",
    says=r"$M^\top w^{(t)}$ follows a recursion in which neither $d$ nor $M$ occurs, for all orthonormal "
    r"dictionaries, starts, "
    "gates and step sizes of the size.",
    covers="d-invariance",
    legs=[leg("indeterminates", follows_the_recursion, arithmetic="proof", where=n * d <= 9)],
    rivals=[
        variant("without forgetting", leg="indeterminates", simulation=remembers_the_start),
        variant("the gates of the first step", leg="indeterminates", simulation=keeps_the_gates),
    ],
    **TRAINING,
)
