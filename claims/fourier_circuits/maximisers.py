"""Theorem 4.9: what every maximum-margin network computes.

Setting. p odd, the full table; theta any network of L_{2,k+1} norm 1 with the maximum margin gamma*.

Statement (derived; sharpens the proofs of Lemmas C.19, C.20). f(theta, a)[c] = gamma* (1[c = s] - 1/p) at every input
and label. For h <= E g' <= gamma* are equalities: the margins against all wrong labels are gamma* at every input, so
that f(a)[c] = F(a) + gamma* 1[c = s]; and every w_h has mean zero (`neuron_form`), so that the outputs of an
input add up to 0. Tried on maximisers of many kinds (`_maximisers`).

Hence the transform f^(j_1, .., j_{k+1}) is gamma* p^k on the diagonal j_1 = .. = j_k = -j_{k+1} != 0 and
vanishes elsewhere off j_{k+1} = 0, which is what C.20 needs of it. (Its proof transforms F without the factor p
that the sum over the labels brings; that concerns j_{k+1} = 0 only.)

Reference: Theorem 4.9, Lemmas C.6, C.19, C.20 (arXiv 2402.09469).
"""

from __future__ import annotations

import itertools

import sympy as sp

from theorycheck import claim, equals, instances, integers, leg, odd_integers, variant

from ._formula import gamma, k, p
from ._maximisers import FIELDS, MAXIMISER, network_of, unmoved
from ._network import by_shift, norm_power, outputs

MAXIMISERS = instances(MAXIMISER, smoke=2, standard=4)


def networks(ns, zeta, turns, out, mass, k, p):
    """The networks of the instances, and their outputs (p**k, p) at norm 1."""
    for i in range(mass.shape[0]):
        net = network_of(ns, *(x[i, ...] for x in (zeta, turns, out, mass)), k, p)
        yield outputs(ns, net, k, p) / norm_power(ns, net, k)


def right_and_wrong(ns, zeta, turns, out, mass, k, p):
    """Range over all inputs of f(a)[s], and of f(a)[c] over the wrong labels. Shape (B, 4)."""
    rows = []
    for f in networks(ns, zeta, turns, out, mass, k, p):
        shifted = by_shift(ns, f, k, p)
        right, wrong = shifted[:, 0], shifted[:, 1:]
        rows.append(ns.stack([ns.min(right), ns.max(right), ns.min(wrong), ns.max(wrong)]))
    return ns.stack(rows)


def margin_range(ns, zeta, turns, out, mass, k, p):
    """Least and largest margin over inputs and wrong labels. Shape (B, 2)."""
    rows = []
    for f in networks(ns, zeta, turns, out, mass, k, p):
        shifted = by_shift(ns, f, k, p)
        gaps = shifted[:, :1] - shifted[:, 1:]
        rows.append(ns.stack([ns.min(gaps), ns.max(gaps)]))
    return ns.stack(rows)


def by_index(ns, mass):
    return mass * ns.asarray(list(range(1, mass.shape[1] + 1)))


def unequal(ns, zeta, turns, out, mass, k, p):
    """Masses in the ratio 1 : 2 : .. over the neurons."""
    return right_and_wrong(ns, zeta, turns, out, by_index(ns, mass), k, p)


def turned(ns, zeta, turns, out, mass, k, p):
    """Every w turned by a seventh of a turn."""
    return right_and_wrong(ns, zeta, turns, out + ns.rational(1, 7), mass, k, p)


def inputs_moved_alone(ns, zeta, turns, out, mass, k, p):
    """The phases of the inputs moved, those of the outputs as in the designs."""
    stay = ns.asarray([unmoved(k, p)] * mass.shape[0])
    return right_and_wrong(ns, zeta, turns, stay, mass, k, p)


GRID = {
    "smoke": [{k: 1, p: 5}, {k: 2, p: 3}, {k: 2, p: 5}, {k: 3, p: 3}],
    "standard": [{k: 1, p: 7}, *[{k: 2, p: j} for j in (7, 9)], {k: 3, p: 5}],
}
DOMAIN = {k: integers(1), p: odd_integers(3)}
RIGHT, WRONG = gamma * (1 - 1 / p), -gamma / p

output = claim(
    "fourier-maximiser-output",
    states=["fourier-max-margin", "fourier-certificate", "fourier-all-frequencies-k3"],
    title="What every maximum-margin network computes",
    says=r"A network of norm 1 and maximum margin has the output $\gamma^* (1 - 1/p)$ at the right "
    r"label and $-\gamma^*/p$ at every wrong one, at every input.",
    role="derived",
    covers="output-of-every-maximiser constant-margin-on-support decomposition",
    reads={"theta": FIELDS, "theta_hat": FIELDS, "f": FIELDS},
    domain=DOMAIN,
    grid=GRID,
    closed_form=sp.Matrix([RIGHT, RIGHT, WRONG, WRONG]),
    legs=[
        leg(
            "outputs",
            right_and_wrong,
            instances=MAXIMISERS,
            inside="a c",
            gives="F",
            covers="output-of-every-maximiser decomposition",
            lhs=r"\big(f(\theta,a)[s],\ f(\theta,a)[c\ne s]\big)",
            tex=r"\gamma^*\Big(1-\frac1p,\ -\frac1p\Big)",
        ),
        leg(
            "margins",
            margin_range,
            instances=MAXIMISERS,
            closed_form=gamma,
            inside="x y",
            covers="constant-margin-on-support",
            lhs=r"\big(\min_xg(\theta,x),\ \max_xg(\theta,x)\big)",
            tex=r"(\gamma^*,\ \gamma^*),\quad\gamma^*=\frac{2\,k!}{(2k+2)^{(k+1)/2}\,(p-1)\,p^{(k-1)/2}}",
        ),
    ],
    rivals=[
        variant("wrong labels at 0", leg="outputs", closed_form=sp.Matrix([gamma, gamma, 0, 0])),
        variant("other masses", leg="outputs", simulation=unequal, at=[{k: 2, p: 5}]),
        variant("phases that do not add up", leg="outputs", simulation=turned, at=[{k: 2, p: 5}]),
        variant(
            "inputs moved alone", leg="outputs", simulation=inputs_moved_alone, at=[{k: 2, p: 5}]
        ),
    ],
)

# ---------------------------------------------------------------- transforms


def transform(ns, table, p):
    """f^ of a real table over Z_p^n, real and imaginary part. Shape of the table each."""
    re, im = table, None
    for axis in range(table.ndim):
        re, im = ns.dft(re, im, axis=axis)
    return re, im


def diagonal(ns, zeta, turns, out, mass, k, p, last=-1):
    """Real parts of f^(j, .., j, last j), j = 1 .. p-1. Shape (B, p - 1)."""
    rows = []
    for f in networks(ns, zeta, turns, out, mass, k, p):
        re, _ = transform(ns, ns.reshape(f, (p,) * (k + 1)), p)
        rows.append(ns.stack([re[(j,) * k + (last * j % p,)] for j in range(1, p)]))
    return ns.stack(rows)


def with_plus_j(ns, zeta, turns, out, mass, k, p):
    return diagonal(ns, zeta, turns, out, mass, k, p, last=1)


def elsewhere(ns, zeta, turns, out, mass, k, p):
    """Sum over j_{k+1} != 0 of |f^| off the diagonal, and of the imaginary parts on it. Shape (B,)."""
    rows = []
    for f in networks(ns, zeta, turns, out, mass, k, p):
        re, im = transform(ns, ns.reshape(f, (p,) * (k + 1)), p)
        total = ns.asarray(0)
        for j in itertools.product(range(p), repeat=k + 1):
            if j[k]:
                on = j == (-j[k] % p,) * k + (j[k],)
                total = total + ns.abs(im[j]) + (0 if on else ns.abs(re[j]))
        rows.append(total)
    return ns.stack(rows)


def elsewhere_when_turned(ns, zeta, turns, out, mass, k, p):
    """The same where every w is turned by a seventh of a turn."""
    return elsewhere(ns, zeta, turns, out + ns.rational(1, 7), mass, k, p)


SMALL = {
    "smoke": [{k: 1, p: 5}, {k: 2, p: 3}, {k: 2, p: 5}],
    "standard": [{k: 2, p: 7}, {k: 3, p: 3}],
}

all_frequencies = claim(
    "fourier-all-frequencies",
    title="Transform of every maximum-margin network",
    lhs=r"\hat f(j,\dots,j,-j)",
    tex=r"p^k\;\frac{2\,k!}{(2k+2)^{(k+1)/2}\,(p-1)\,p^{(k-1)/2}}",
    says=r"At a unit-norm maximum-margin network $\hat f(j,\dots,j,-j)=\gamma^*p^k>0$ for every "
    r"$j\ne0$, and $\hat f$ vanishes elsewhere off $j_{k+1}=0$.",
    covers="diagonal-positive diagonal-value",
    reads={"f": FIELDS},
    domain=DOMAIN,
    grid=SMALL,
    closed_form=gamma * p**k,
    legs=[
        leg("diagonal", diagonal, instances=MAXIMISERS, inside="j"),
        leg(
            "elsewhere",
            elsewhere,
            instances=MAXIMISERS,
            inside="j",
            covers="diagonal-value",
            closed_form=sp.Integer(0),
            unit=gamma * p**k,
            grid={"smoke": [{k: 2, p: 5}], "standard": [{k: 1, p: 7}, {k: 3, p: 3}]},
            lhs=r"\sum_{j_{k+1}\ne0,\ j\ne(i,\dots,i,-i)}|\hat f(j)|",
        ),
    ],
    rivals=[
        variant("gamma* p^(k+1)", closed_form=gamma * p ** (k + 1)),
        variant("gamma* p^(k-1)", closed_form=gamma * p ** (k - 1)),
        variant("f^(j, .., j, +j)", simulation=with_plus_j, at=[{k: 2, p: 5}]),
        variant(
            "phases that do not add up",
            leg="elsewhere",
            simulation=elsewhere_when_turned,
            at=[{k: 2, p: 3}],
        ),
    ],
)


def any_function(rng, k, p):
    """F on the inputs, the part of an output that does not see the label."""
    return {"F": rng.rational((p**k,), 5)}


def at_last_index_zero(ns, F, k, p):
    """Transform over inputs and labels of F(a) at (j, 0), real and imaginary parts. Shape (B, 2 p^k)."""
    rows = []
    for i in range(F.shape[0]):
        table = ns.stack([ns.reshape(F[i, ...], (p,) * k)] * p, axis=-1)
        rows.append(ns.concat([ns.reshape(x[..., 0], (-1,)) for x in transform(ns, table, p)]))
    return ns.stack(rows)


def p_times(ns, F, k, p):
    """p F^(j), F^ over the inputs alone."""
    return p * over_inputs(ns, F, k, p)


def over_inputs(ns, F, k, p):
    rows = []
    for i in range(F.shape[0]):
        both = transform(ns, ns.reshape(F[i, ...], (p,) * k), p)
        rows.append(ns.concat([ns.reshape(x, (-1,)) for x in both]))
    return ns.stack(rows)


transform_of_f = claim(
    "fourier-all-frequencies-transform-of-f",
    lhs=r"\hat f_1(j,0)",
    tex=r"p\,\hat F(j)",
    states="fourier-all-frequencies",
    title="The factor $p$ in the transform of $F$",
    says=r"A function $F$ of the inputs alone has over inputs and labels the transform $p\,\hat F(j)$ "
    "at last index 0.",
    role="corrected",
    covers="proof-transform-of-F",
    domain=DOMAIN,
    grid={"smoke": [{k: 1, p: 5}, {k: 2, p: 3}], "standard": [{k: 2, p: 5}, {k: 3, p: 3}]},
    relation=equals(),
    legs=[
        leg(
            "functions",
            at_last_index_zero,
            reference=p_times,
            unit=1,
            inside="j",
            instances=instances(any_function, "F", smoke=2, standard=4),
        )
    ],
    rivals=[variant("as printed, without p", reference=over_inputs, at=[{k: 1, p: 5}])],
)
