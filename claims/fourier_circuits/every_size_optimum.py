"""Lemma 4.10 = C.15, Theorem 4.9 (i) = C.22 (i): no neuron and no network has more, for every k and every odd p.

Setting. z_j are the sums of the squared moduli of the k + 1 transforms at the frequencies j = 1 .. q, p = 2q + 1.

Statements. (1) By the Fourier form and the phases (`every_size_transform`) J is 2 k!/((p-1) p^k) times the sum over j
of the products of moduli times cosines. A product is at most (z_j/(k+1))^{(k+1)/2}, a cosine at most 1; the z_j add up
to at most p/2 in the unit ball (Plancherel: conjugates have the same, and the frequency 0 has the rest), so that their
powers add up to at most (p/2)^{(k+1)/2}, and to less by what the share of the frequency 0 is. That is gamma*. (2) The
margin of a network is at most its class-weighted margin at every input, the least over inputs at most the mean, the
mean the sum over neurons, and that at most gamma* times the sum of the |theta_h|^{k+1}; at a degree d < k of the
activation every neuron has the mean 0. (3) k + 1 cosines of amplitude sqrt(2/((k+1)p)) have the modulus
sqrt(p/(2(k+1))) at +-zeta and 0 elsewhere: a phase defect delta is worth gamma* cos(delta), and powers t : 1 - t at
two frequencies gamma* (t^{(k+1)/2} + (1-t)^{(k+1)/2}).

Evidence. Beside the steps, at sizes: the bound read off the coefficients of J (`_neuron.group_bounds`), networks
near the maximum, and the neurons themselves.

Reference: Lemmas 4.10, C.15, Theorems 4.9, C.22, Eq. (C.11)-(C.16) (arXiv 2402.09469); further programs:
`single_neuron`, `max_margin`, `norm_chain`.
"""

from __future__ import annotations

import sympy as sp

from theorycheck import (
    at_most,
    claim,
    equals,
    exactly,
    formula_leg,
    hypothesis,
    instances,
    integers,
    leg,
    rivals_of,
    theorem,
    typed,
    variant,
)

from ._every_size import ONCE
from ._formula import gamma, k, p
from ._network import Network, all_inputs, by_shift, cosine_network, smallest_margin
from ._neuron import cosine_neurons, objective, upper_bound
from ._random_networks import each, random_network
from .chain_lemmas import one_share
from .every_frequency import between, downwards, imaginary_part, real_part, sines_downwards, waves
from .every_frequency import upwards as waves_upwards
from .every_size_construction import DOMAIN, GAMMA, LEAST, MAXIMUM, design
from .every_size_transform import (
    EVEN_MODULUS,
    at_zero,
    every_number_of_inputs,
    moduli_and_phases,
    output_as_it_is,
    pairs,
    real_vectors,
    right_label_among_the_wrong,
    turning,
    upwards,
    without_input_zero,
)
from .gap_lemmas import every_law, order
from .neuron_form import defective, split, two_frequencies
from .neuron_sums import none_above, splits

FOURIER = [upwards, at_zero, turning, real_vectors, pairs]
NETWORK = "fourier-max-margin/not-exceeded"
NEURON = f"chain upper {NETWORK}"
DEGREE = "needs-positive-margin"
least, splitting, weighted = [
    formula_leg(one.name, one.simulation, covers=NETWORK) for one in (every_law, splits, order)
]
FRONT = "2*factorial(k)/((p - 1)*p**k)"
BEST = f"{FRONT}*(p/(2*(k + 1)))**((k + 1)/2)"
constant = formula_leg(
    "constant", typed(f"{BEST} == {GAMMA}", over="k in 1..oo; p in 3..oo"), covers=NEURON
)
cosine = formula_leg(
    "cosine of the defect", typed("R*cos(d) <= R", over="R in [0, oo); d in R"), covers=NEURON
)
share = formula_leg(one_share.name, one_share.simulation, covers=NEURON)
SHARES = ["t[j] in [0, 1] for j in 1..q", "d[j] in [0, oo) for j in 1..q"]
zero_share = formula_leg(
    "share of the frequency 0",
    typed(
        "Sum(t[j]*G - d[j], (j, 1, q)) <= G - s*G",
        over=["q in 1..oo", "G in (0, oo)", "s in [0, 1]", *SHARES],
        where="Sum(t[j], (j, 1, q)) + s <= 1",
    ),
    covers=NEURON,
)
phases = [
    formula_leg(one.name, one.simulation, covers=NEURON) for one in (turning, real_vectors, pairs)
]
neurons = formula_leg(none_above.name, none_above.simulation, covers=NETWORK)
PARSEVAL = theorem("Parseval", orthonormal="the characters of Z_p over the root of p")
MEANS = theorem("AM-GM", nonnegative="squared moduli of the k + 1 transforms at j")
WRONG_BOUNDS = [
    (share, {"exponent k/2": "(t*p/2)**(k/2) <= t*(p/2)**(k/2)"}),
    (cosine, {"below by a half": "R*cos(d) <= R/2"}),
    (zero_share, {"twice the share": "Sum(t[j]*G - d[j], (j, 1, q)) <= G - 2*s*G"}),
    (weighted, {"strictly at one input": "F - Sum(t[c]*(M - e[c]), (c, 1, n)) > F - M"}),
    (least, {"mean strictly above": "Sum(q[i]*(m + e[i]), (i, 1, n)) > m"}),
    (neurons, {"network strictly below": "Sum(n[h]*(J - e[h]), (h, 1, m)) < J"}),
]


def from_coefficients(ns, k, p):
    """What J exceeds nowhere on the unit ball, from its coefficients. Shape ()."""
    return upper_bound(ns, k, p)


def near_the_maximum(rng, k, p):
    """Fields ``u`` (m, k, p) and ``w`` (m, p): what is added to the explicit network, 1/10 at most."""
    m = len(design(k, p))
    return {"u": rng.rational((m, k, p), 3) / 30, "w": rng.rational((m, p), 3) / 30}


def moved(ns, u, w, k, p):
    """Normalised margins of the explicit network, moved by this much. Shape (B,)."""
    built = cosine_network(ns, design(k, p), p)

    def margin(added):
        return smallest_margin(ns, Network(built.u + added.u, built.w + added.w), k, p)

    return each(ns, margin, u, w)


BOUND = [
    leg("from the coefficients", from_coefficients, lhs="B", covers=NEURON, **MAXIMUM),
    leg(
        "networks near the maximum",
        moved,
        instances=instances(near_the_maximum, "u w", smoke=2, standard=4),
        relation=at_most(),
        lhs=LEAST,
        covers=NETWORK,
        grid={"smoke": [{k: 1, p: 5}, {k: 2, p: 3}, {k: 2, p: 5}], "standard": [{k: 3, p: 3}]},
        **MAXIMUM,
    ),
]
bound = claim(
    "fourier-single-neuron-every-size",
    states=["fourier-norm-chain", "fourier-single-neuron", "fourier-max-margin"],
    title="No neuron and no network above the maximum margin, for every size",
    lhs=r"J(u,w),\ \gamma(\theta)",
    tex=r"\frac{2\,k!}{(2k+2)^{(k+1)/2}\,(p-1)\,p^{(k-1)/2}}",
    says=r"For every $k$, odd $p$ and all vectors $J\le\gamma^*\|(u,w)\|^{k+1}$, less by the share of the frequency 0, "
    r"and no network of any width has a margin above $\gamma^*\|\theta\|^{k+1}$.",
    role="derived",
    covers=NEURON,
    domain=DOMAIN,
    grid={
        "smoke": [{k: 1, p: 5}, {k: 2, p: 3}, {k: 2, p: 5}, {k: 3, p: 3}, {k: 3, p: 5}],
        "standard": [{k: 2, p: 15}, {k: 4, p: 5}, {k: 5, p: 3}],
    },
    relation=equals(),
    legs=[
        leg(
            "inputs",
            every_number_of_inputs,
            arithmetic="proof",
            over="k p u w m theta",
            lemma=PARSEVAL,
            grid=ONCE,
        ),
        leg(
            "polar form",
            moduli_and_phases,
            arithmetic="proof",
            over="k p u w m theta",
            covers=NEURON,
            lemma=MEANS,
            grid=ONCE,
        ),
        *BOUND,
        upwards,
        at_zero,
        *phases,
        share,
        cosine,
        zero_share,
        constant,
        weighted,
        least,
        splitting,
        neurons,
    ],
    rivals=[
        variant("p for p - 1, run", leg="from the coefficients", closed_form=gamma * (p - 1) / p),
        variant("3/4 of it", leg="networks near the maximum", closed_form=3 * gamma / 4),
        variant("sums without 0", leg="inputs", simulation=without_input_zero),
        variant(
            "right label among the wrong ones",
            leg="inputs",
            simulation=right_label_among_the_wrong,
        ),
        variant("output as it is", leg="polar form", simulation=output_as_it_is),
        *exactly(upwards, at_zero, *phases[:2], splitting),
        *rivals_of(phases[2], EVEN_MODULUS),
        *rivals_of(constant, {"p for p - 1": f"{BEST} == {GAMMA.replace('(p - 1)', 'p')}"}),
        *(rival for one, wrong in WRONG_BOUNDS for rival in rivals_of(one, wrong)),
    ],
)

# ---------------------------------------------------------------- a smaller degree

d, S = sp.Symbol("d", integer=True, nonnegative=True), sp.Symbol("S", real=True)


def labels_apart(ns, u, w, k, d, p):
    """Of networks with activation z^d the mean output at the right label, and the sum of those at the wrong ones.
    Shape (B,)."""
    grid = all_inputs(k, p)

    def means(net):
        total = sum(ns.take(net.u[:, i, :], ns.indices(grid[:, i]), axis=1) for i in range(k))
        power = ns.pow(total, d) if d else ns.ones(total.shape)
        f = ns.matmul(ns.matrix_transpose(power), net.w)
        return ns.mean(by_shift(ns, f, k, p), axis=0)

    seen = each(ns, means, u, w)
    return {"value": seen[:, 0], "S": ns.sum(seen[:, 1:], axis=1)}


def one_degree_more(ns, u, w, k, d, p):
    return labels_apart(ns, u, w, k, d + 1, p)


alike = formula_leg(
    "labels alike",
    typed("S/(p - 1) == m", over="p in 2..oo; S, m in R", where="S == (p - 1)*m"),
)
ALIKE = [formula_leg(one.name, one.simulation) for one in (every_law, splits, order)]
smaller_degree = claim(
    "fourier-lambda-limit-degree-every-size",
    states="fourier-lambda-limit",
    title="Below degree k there is no positive margin, for every size",
    says=r"With an activation $z^d$, $d<k$, the mean output of every network at the right label is that at the wrong "
    "ones, whatever $p$ is, so that no margin is positive.",
    role="derived",
    covers=DEGREE,
    domain={k: integers(2), d: integers(0), p: integers(2)},
    where=d < k,
    grid={
        "smoke": [{k: i, d: j, p: 3} for i in (2, 3) for j in range(i)] + [{k: 2, d: 1, p: 4}],
        "standard": [{k: 4, d: j, p: 2} for j in range(4)] + [{k: 2, d: j, p: 5} for j in range(2)],
    },
    relation=equals(),
    legs=[
        leg(
            "inputs",
            every_number_of_inputs,
            arithmetic="proof",
            over="k p d",
            lemma=PARSEVAL,
            grid=ONCE,
        ),
        upwards,
        at_zero,
        *ALIKE,
        alike,
        leg(
            "networks",
            labels_apart,
            closed_form=S / (p - 1),
            arithmetic="rational",
            instances=instances(random_network, "u w", smoke=3, standard=6),
            observed=[S],
            unit=1,
            required=False,
            lhs=r"\mathbb{E}_a\,f(a)[s]",
            tex=r"\frac S{p-1},\quad S=\sum_{c\ne s}\mathbb{E}_a\,f(a)[c]",
        ),
    ],
    rivals=[
        variant("sums without 0", leg="inputs", simulation=without_input_zero),
        variant("degree k", leg="networks", simulation=one_degree_more, at=[{k: 2, d: 1, p: 3}]),
        variant("mean over all labels", leg="networks", closed_form=S / p),
        *exactly(upwards, at_zero, ALIKE[1]),
        *(
            rival
            for one, (_, wrong) in zip(ALIKE[::2], WRONG_BOUNDS[4:2:-1], strict=True)
            for rival in rivals_of(one, wrong)
        ),
        *rivals_of(alike, {"over p": {"says": "S/p == m", "where": "S == (p - 1)*m"}}),
    ],
    assumes=[hypothesis("d < k", leg="networks", without=[{k: 2, d: 2, p: 3}, {k: 2, d: 3, p: 3}])],
)

# ---------------------------------------------------------------- the neurons that have it

defect = formula_leg(
    "phase defect",
    typed(
        f"{FRONT}*sqrt(p/(2*(k + 1)))**(k + 1)*cos(delta) == {GAMMA}*cos(delta)",
        over="k in 1..oo; p in 3..oo; delta in R",
    ),
)
PEAK = "(sqrt(t)*R)**(k + 1)"
peak = formula_leg(
    "power of a share",
    typed(f"{PEAK} == t**((k + 1)/2)*R**(k + 1)", over="k in 1..oo; t in [0, 1]; R in (0, oo)"),
    covers="near-misses",
)
PARTS = f"{GAMMA}*t**((k + 1)/2) + {GAMMA}*(1 - t)**((k + 1)/2)"
SHARED = f"{GAMMA}*(t**((k + 1)/2) + (1 - t)**((k + 1)/2))"
shared = formula_leg(
    "shared power",
    typed(f"{PARTS} == {SHARED}", over="k in 1..oo; p in 3..oo; t in [0, 1]"),
    covers="near-misses",
)
UNITS = "(k + 1)*Sum(2/((k + 1)*p)*cos(theta + 2*pi*zeta*x/p)**2, (x, 0, p - 1))"
unit_norm = formula_leg(
    "norm",
    typed(
        f"{UNITS} == 1",
        over="k in 1..oo; p in 3..oo; zeta in 1..floor((p - 1)/2); theta in R",
    ),
)
delta, t = sp.symbols("delta t", real=True)
TWO = gamma * (t ** ((k + 1) / 2) + (1 - t) ** ((k + 1) / 2))


def of_norm_1(ns, k, p, zeta, turns, out, delta, over=1):
    """J, not divided by any norm, of cosines of amplitude sqrt(2/((k + over) p)), w turned by delta. Shape (B,)."""
    beta = ns.sqrt(ns.asarray(2) / ((k + over) * p))
    u, w = cosine_neurons(ns, p, zeta, turns, out)
    _, back = cosine_neurons(ns, p, zeta, turns, out + ns.rational(1, 4))  # minus the sine
    c, s = (ns.expand_dims(f(delta), axis=-1) for f in (ns.cos, ns.sin))
    return objective(ns, beta * u, beta * (c * w + s * back), k, p)


def smaller_amplitude(ns, k, p, zeta, turns, out, delta):
    return of_norm_1(ns, k, p, zeta, turns, out, delta, over=2)


RUN = [
    leg(
        "neurons of norm 1",
        of_norm_1,
        closed_form=gamma * sp.cos(delta),
        instances=instances(defective, "zeta turns out delta", smoke=4, standard=10),
        unit=gamma,
        required=False,
        lhs=r"J(\theta)",
        tex=r"\cos\delta\;\frac{2\,k!}{(2k+2)^{(k+1)/2}\,(p-1)\,p^{(k-1)/2}}",
    ),
    leg(
        "two frequencies",
        two_frequencies,
        closed_form=TWO,
        instances=instances(split, "zeta1 turns out zeta2 turns2 out2 t", smoke=4, standard=10),
        where=p >= 5,
        grid={
            "smoke": [{k: 1, p: 5}, {k: 2, p: 5}, {k: 3, p: 7}],
            "standard": [{k: 2, p: 9}, {k: 4, p: 5}],
        },
        covers="near-misses",
        required=False,
        lhs=r"J(\theta)",
        tex=r"\big(t^{(k+1)/2}+(1-t)^{(k+1)/2}\big)\;\frac{2\,k!}{(2k+2)^{(k+1)/2}\,(p-1)\,p^{(k-1)/2}}",
    ),
]
HALF_AS_FAR = {
    "half as far": "zeta + j >= 1 - q and zeta + j <= q and zeta - j >= 1 - q and zeta - j <= q"
}
WAVES = [real_part, imaginary_part, waves, between, waves_upwards, downwards, sines_downwards]
family = claim(
    "fourier-neuron-near-misses-every-size",
    states=["fourier-neuron-form", "fourier-single-neuron"],
    title="Cosine neurons, for every number of summands and every modulus",
    lhs=r"J(\theta)",
    tex=r"\gamma^*\cos\delta",
    says=r"For every $k$, odd $p$, frequency and phases the unit neuron of cosines has $J=\gamma^*\cos\delta$, "
    r"$\delta$ its phase defect, hence $\gamma^*$ where the phases add up; shared $t:1-t$ by two frequencies its power "
    r"is worth $\gamma^*(t^{(k+1)/2}+(1-t)^{(k+1)/2})$.",
    role="derived",
    covers="fourier-single-neuron/family-attains near-misses",
    domain=DOMAIN,
    grid={
        "smoke": [{k: 1, p: 5}, {k: 2, p: 3}, {k: 2, p: 9}, {k: 3, p: 5}],
        "standard": [{k: 2, p: 15}, {k: 4, p: 5}, {k: 5, p: 3}],
    },
    relation=equals(),
    legs=[
        leg(
            "inputs",
            every_number_of_inputs,
            arithmetic="proof",
            over="k p zeta theta zeta1 zeta2",
            grid=ONCE,
        ),
        leg("polar form", moduli_and_phases, arithmetic="proof", over="k p theta", grid=ONCE),
        *RUN,
        *FOURIER,
        *WAVES,
        defect,
        peak,
        shared,
        unit_norm,
    ],
    rivals=[
        variant(
            "amplitude sqrt(2/((k+2) p))", leg="neurons of norm 1", simulation=smaller_amplitude
        ),
        variant("no loss by the phase", leg="neurons of norm 1", closed_form=gamma),
        variant("linear in t, run", leg="two frequencies", closed_form=gamma),
        variant(
            "exponent k/2",
            leg="two frequencies",
            closed_form=gamma * (t ** (k / 2) + (1 - t) ** (k / 2)),
        ),
        variant("sums without 0", leg="inputs", simulation=without_input_zero),
        variant("output as it is", leg="polar form", simulation=output_as_it_is),
        *exactly(*FOURIER[:4], *WAVES[:3], *WAVES[4:]),
        *rivals_of(pairs, EVEN_MODULUS),
        *rivals_of(between, HALF_AS_FAR),
        *rivals_of(
            defect,
            {"sqrt(p/(k+1))": f"{FRONT}*sqrt(p/(k + 1))**(k + 1)*cos(delta) == {GAMMA}*cos(delta)"},
        ),
        *rivals_of(peak, {"exponent k/2, of a share": f"{PEAK} == t**(k/2)*R**(k + 1)"}),
        *rivals_of(shared, {"linear in t": f"{PARTS} == {GAMMA}"}),
        *rivals_of(unit_norm, {"k of them": f"{UNITS.replace('(k + 1)*Sum', 'k*Sum')} == 1"}),
    ],
)
