"""Theorem 5.5.2: signal and noise of the parity networks at finite prompt length.

Setting. As in `parity_noise`; a prompt of M examples, query phi_q, phihat its two task features and 0 elsewhere;
h(z) = sum_n a_n relu(diag(V_n) . z); the claim is g = h(2 gamma phihat + P_D Xi) + eps.

Statements. (Signal) y h(2 gamma phihat) = Ham(i, j), so the hinge of the signal vanishes on the important tasks for
both networks. (Noise) eps is of order sqrt(nu/M), with high probability. The theorem gives the law of Xi but not
its joint law with the data, and eps depends on it. In the proof's coupling, where Xi_i and Xi_j are fresh, |eps|
reaches (nu/(2 gamma)) |delta|_1, linear in nu: the bound with sqrt(nu) in its place is false. (Each of |delta|_1's
four means is at most sqrt(2 log(8/level)/M) but with probability level/4, by Hoeffding.) If instead each example's
pair (1, 1) is turned into (-1, -1) with probability gamma/(1/4 + gamma), then M Var(eps) = Ham(i, j)^2 (1 -
gamma)/gamma in the linear regime, whatever nu is.

Reference: Theorem 5.5.2, appendix D.3.2 (Shi, Wei, Xu, Liang, ICML 2024).
"""

from __future__ import annotations

import itertools
from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_most,
    claim,
    equals,
    holds_with_probability,
    instances,
    integers,
    leg,
    probability,
    reals,
    variant,
)

from ._parity import all_tasks, bit_network

nu, nu1, nu2, M = sp.symbols("nu nu1 nu2 M", integer=True, nonnegative=True)
gamma, distance = sp.symbols("gamma distance", positive=True)
QUARTER = Fraction(1, 4)
GAMMA = reals(0, QUARTER, low_open=True, high_open=True)


def output(heads, z, gamma):
    """h(z) with V = v / (4 gamma), all heads diagonal."""
    total = Fraction(0)
    for head in heads:
        inner = sum(head.v[n][n] * Fraction(x) for n, x in enumerate(z)) / (4 * Fraction(gamma))
        total += head.a * max(Fraction(0), inner)
    return total


def signal(i, j, s, t, nu, gamma, size=1):
    """2 gamma phihat."""
    z = [Fraction(0)] * 2**nu
    z[i], z[j] = size * 2 * gamma * s, size * 2 * gamma * t
    return z


def signal_mismatches(nu1, nu2, gamma, size=1, tasks=None):
    """Number of (network, task in S1, sign pattern) with y h(2 gamma phihat) different from Ham(i, j), both networks on
    d = 2^nu2 features. Shape ()."""
    return sum(
        s * t * output(heads, signal(i, j, s, t, nu2, gamma, size), gamma) != (i ^ j).bit_count()
        for heads in (bit_network(nu1, 2**nu2), bit_network(nu2, 2**nu2))
        for i, j in all_tasks(2 ** (nu1 if tasks is None else tasks))
        for s, t in itertools.product((-1, 1), repeat=2)
    )


def half_signal(nu1, nu2, gamma):
    return signal_mismatches(nu1, nu2, gamma, size=Fraction(1, 2))


def less_important_tasks(nu1, nu2, gamma):
    return signal_mismatches(nu1, nu2, gamma, tasks=nu2)


signal_claim = claim(
    "icl-parity-behavior",
    lhs=r"\#\{y\,h(\theta,2\gamma\hat\phi)\ne\operatorname{Ham}(i,j)\}",
    title="The signal of the parity networks",
    says=r"On every important task and sign pattern $y h(2 \gamma\hat\phi) = \operatorname{Ham}(i, j) "
    r"\ge1$ for both networks: no mismatch.",
    covers="signal-zero-hinge",
    domain={nu1: integers(1), nu2: integers(1), gamma: GAMMA},
    where=nu1 <= nu2,
    grid={
        "smoke": {nu1: [1, 2], nu2: [1, 2, 3], gamma: [Fraction(1, 10), Fraction(1, 5)]},
        "standard": {nu1: [1, 3], nu2: [3, 4], gamma: [Fraction(1, 10), Fraction(1, 5)]},
    },
    closed_form=sp.Integer(0),
    relation=equals(),
    legs=[
        leg("every task and pattern", signal_mismatches, unit=1, inside="i j phi_q", where=nu2 <= 5)
    ],
    rivals=[
        variant("signal gamma phihat", simulation=half_signal),
        variant("tasks outside of the important ones", simulation=less_important_tasks),
    ],
)


# ---- the error in the proof's coupling


def prompt(rng, nu, gamma, M):
    """M examples of a random task, a query, and fresh Xi_i, Xi_j (means of M signs); coordinates outside of
    the task share their mean with the data."""
    d = 2**nu
    i, j = sorted(int(x) for x in rng.permutation(d)[:2])
    pairs = rng.choice([QUARTER + gamma, QUARTER, QUARTER, QUARTER - gamma], (M,))
    signs = [((1, 1), (1, -1), (-1, 1), (-1, -1))[int(p)] for p in pairs]
    labels = [s * t for s, t in signs]
    rest = rng.signs((M, d))
    query = [int(x) for x in rng.signs((d,))]
    data = [
        Fraction(sum(y * int(x) for y, x in zip(labels, rest[:, n], strict=True)), M) * query[n]
        for n in range(d)
    ]
    data[i] = Fraction(sum(t for _, t in signs), M) * query[i]
    data[j] = Fraction(sum(s for s, _ in signs), M) * query[j]
    fresh = rng.signs((2, M))
    model = list(data)
    model[i] = 2 * gamma * query[i] + Fraction(int(fresh[0].sum()), M)
    model[j] = 2 * gamma * query[j] + Fraction(int(fresh[1].sum()), M)
    return {
        "data": data,
        "model": model,
        "delta": abs(data[i] - model[i]) + abs(data[j] - model[j]),
    }


def proof_error(data, model, nu, gamma):
    """|eps| = |h(data) - h(model)| in the proof's coupling. Shape ()."""
    heads = bit_network(nu, 2**nu)
    return abs(output(heads, data, gamma) - output(heads, model, gamma))


def one_coordinate_off(nu, gamma, M):
    """The same where the data are 1 at the first feature and the model 1/M more at the last: there every head's slope
    adds up. With |delta|_1 beside it."""
    d, step = 2**nu, Fraction(1, M)
    data = [Fraction(int(c == 0)) for c in range(d)]
    model = [x + step * (c == d - 1) for c, x in enumerate(data)]
    return {"value": proof_error(data, model, nu, gamma), "delta": step}


def drawn_ends(ns, rng, size, gamma, M):
    """Signs of the two features of a task in M examples, first feature first, (size, M) each, of the query, (size, 2),
    and fresh ones for both features, (size, M, 2)."""
    u = rng.uniform((size, M))
    first = ns.where(u < ns.asarray(HALF + gamma), 1, -1)
    second = ns.where(
        (u < ns.asarray(QUARTER + gamma))
        | ((u >= ns.asarray(HALF + gamma)) & (u < ns.asarray(3 * QUARTER + gamma))),
        1,
        -1,
    )
    return first, second, rng.signs((size, 2)), rng.signs((size, M, 2))


def drawn_rest(rng, size, nu, M):
    """Signs of all features in M examples, those outside of the task being used, (size, M, 2^nu)."""
    return rng.signs((size, M, 2**nu))


def rest_as_stated(ns, rng, size, nu, gamma, M, level):
    """Whether the second feature has the same sign in the first example and in the last."""
    rest = drawn_rest(rng, size, nu, M)
    return rest[:, 0, 1] * rest[:, -1, 1] > 0


def one_sign_for_all(ns, rng, size, nu, gamma, M, level):
    return drawn_rest(rng, size, nu, 1)[:, 0, 1] ** 2 > 0


def drawn_as_stated(ns, rng, size, nu, gamma, M, level):
    """Whether the first example has the signs (1, 1) and the query (1, -1). Booleans, shape (size,)."""
    first, second, query, _ = drawn_ends(ns, rng, size, gamma, M)
    return (first[:, 0] + second[:, 0] > 0) & (query[:, 0] - query[:, 1] > 0)


def fresh_as_stated(ns, rng, size, nu, gamma, M, level):
    """Whether the first example has the signs (1, 1) and its fresh ones are (1, -1)."""
    first, second, _, fresh = drawn_ends(ns, rng, size, gamma, M)
    return (first[:, 0] + second[:, 0] > 0) & (fresh[:, 0, 0] - fresh[:, 0, 1] > 0)


def fresh_as_the_data(ns, rng, size, nu, gamma, M, level):
    first, second, _, _ = drawn_ends(ns, rng, size, gamma, M)
    return (first[:, 0] + second[:, 0] > 0) & (first[:, 0] - second[:, 0] > 0)


def passes_the_bound(ns, rng, size, nu, gamma, M, level, share=1):
    """Whether |eps| passes ``share`` times (2 nu/gamma) sqrt(2 log(8/level)/M) on the task of the first and the last
    feature, on which all bits differ, for random prompts, queries and fresh signs. Booleans, shape (size,)."""
    g = ns.asarray(gamma)
    first, second, query, fresh = drawn_ends(ns, rng, size, gamma, M)
    rest = ns.mean(drawn_rest(rng, size, nu, M), axis=1)
    fresh = ns.mean(fresh, axis=1)
    # y phi_i is the sign of the other feature of the task.
    own = ns.stack([ns.mean(second, axis=1), ns.mean(first, axis=1)], axis=-1)
    data = ns.concat([own[:, :1] * query[:, :1], rest[:, 1:-1], own[:, 1:] * query[:, 1:]], axis=1)
    ends = 2 * g * query + fresh
    model = ns.concat([ends[:, :1], rest[:, 1:-1], ends[:, 1:]], axis=1)
    bound = 2 * nu / g * ns.sqrt(2 * ns.log(8 / ns.asarray(level)) / M)
    return ns.abs(bit_output(ns, data, nu, g) - bit_output(ns, model, nu, g)) > share * bound


def bit_output(ns, z, nu, gamma):
    """h(z) of the bit network, z (B, 2^nu). Shape (B,)."""
    total = 0 * z[:, 0]
    for head in bit_network(nu, 2**nu):
        entries = ns.asarray([head.v[c][c] for c in range(2**nu)])
        total = total + head.a * ns.relu(ns.sum(z * entries, axis=-1) / (4 * gamma))
    return total


def an_eighth_of_the_bound(ns, rng, size, nu, gamma, M, level):
    return passes_the_bound(ns, rng, size, nu, gamma, M, level, share=ns.rational(1, 8))


delta = sp.symbols("delta", nonnegative=True)
level = sp.symbols("level", positive=True)
HALF = Fraction(1, 2)
PROMPTS = instances(prompt, "data model delta", smoke=16, standard=80)
DOMAIN = {nu: integers(1), gamma: GAMMA, M: integers(1)}
LENGTHS = {
    "smoke": [{nu: 2, gamma: Fraction(1, 10), M: 30}, {nu: 3, gamma: Fraction(1, 5), M: 60}],
    "standard": {nu: [1, 2, 3, 4], gamma: [Fraction(1, 10), Fraction(1, 5)], M: [20, 200]},
}

LINEAR = nu * delta / (2 * gamma)
ROOT = LINEAR / sp.sqrt(nu)
if ROOT.subs(nu, 1) != LINEAR.subs(nu, 1):
    raise ValueError("the two orders differ at nu = 1: what is refuted would not be the order")

TAILS = {
    "smoke": [
        {nu: 2, gamma: Fraction(1, 10), M: 30, level: Fraction(1, 10)},
        {nu: 3, gamma: Fraction(1, 5), M: 8, level: Fraction(1, 2)},
    ]
}
linear_bound = claim(
    "icl-parity-behavior-linear",
    lhs=r"|\epsilon|",
    tex=r"\frac{\nu}{2\gamma}\,\|\Delta\|_1",
    states="icl-parity-behavior",
    title=r"The error in the proof's coupling, linear in $\nu$",
    says=r"In the proof's coupling $|\epsilon| \le(\nu/(2 \gamma)) |\Delta|_1$, $\Delta$ the mismatch of the two task "
    r"coordinates, and so $|\epsilon|\le\frac{2\nu}\gamma\sqrt{2\log(8/\delta)/M}$ with probability at least "
    r"$1-\delta$.",
    role="corrected",
    corrects="icl-parity-behavior-root",
    covers="error-linear-in-proof-coupling",
    reads={"prompt": "data", "query": "data", "signs": "model", "delta": "level"},
    domain={**DOMAIN, level: reals(0, 1, low_open=True, high_open=True)},
    grid={
        "smoke": [{**p, level: Fraction(1, 10)} for p in LENGTHS["smoke"]],
        "standard": {**LENGTHS["standard"], level: [Fraction(1, 10)]},
    },
    closed_form=LINEAR,
    relation=at_most(),
    legs=[
        leg("random prompts", proof_error, instances=PROMPTS),
        leg(
            "one coordinate off (equality)",
            one_coordinate_off,
            observed=["delta"],
            relation=equals(),
            where=M >= 2,
        ),
        leg(
            "random prompts, tail",
            passes_the_bound,
            statistic=probability(),
            relation=holds_with_probability(),
            closed_form=level,
            block=256,
            draws="prompt_2",
            grid=TAILS,
            lhs=r"\Pr\Big[|\epsilon|>\frac{2\nu}\gamma\sqrt{2\log(8/\delta)/M}\Big]",
            tex=r"\delta",
        ),
        leg(
            "law of the draws",
            drawn_as_stated,
            statistic=probability(),
            relation=equals(),
            closed_form=(QUARTER + gamma) / 4,
            draws="prompt_2",
            grid=TAILS,
            target=Fraction(1, 20),
            lhs=r"\Pr[\phi^{(1)}=(1,1),\ \phi_q=(1,-1)]",
            tex=r"\frac14\Big(\frac14+\gamma\Big)",
        ),
        leg(
            "law of the other features",
            rest_as_stated,
            statistic=probability(),
            relation=equals(),
            closed_form=sp.Rational(1, 2),
            where=M >= 2,
            grid=TAILS,
            target=Fraction(1, 20),
            required=False,
            lhs=r"\Pr[\phi^{(1)}_2=\phi^{(M)}_2]",
            tex=r"\frac12",
        ),
        leg(
            "law of the fresh signs",
            fresh_as_stated,
            statistic=probability(),
            relation=equals(),
            closed_form=(QUARTER + gamma) / 4,
            grid=TAILS,
            target=Fraction(1, 20),
            required=False,
            lhs=r"\Pr[\phi^{(1)}=(1,1),\ \Xi^{(1)}=(1,-1)]",
            tex=r"\frac14\Big(\frac14+\gamma\Big)",
        ),
    ],
    rivals=[
        variant("one sign for all", simulation=one_sign_for_all, leg="law of the other features"),
        variant(
            "the data's signs again", simulation=fresh_as_the_data, leg="law of the fresh signs"
        ),
        variant("a quarter of it", closed_form=nu * delta / (8 * gamma)),
        variant(
            "an eighth of the tail's bound",
            simulation=an_eighth_of_the_bound,
            leg="random prompts, tail",
        ),
        variant(
            "nine tenths of it",
            closed_form=9 * nu * delta / (20 * gamma),
            leg="one coordinate off (equality)",
        ),
    ],
)

root_bound = claim(
    "icl-parity-behavior-root",
    lhs=r"|\epsilon|",
    tex=r"\frac{\sqrt\nu}{2\gamma}\,\|\Delta\|_1",
    states="icl-parity-behavior",
    title="The error in the proof's coupling, as the proof bounds it",
    says=r"In the proof's coupling $|\epsilon| \le(\sqrt{\nu}/(2 \gamma)) |\delta|_1$: the order "
    r"$\sqrt{\nu}$, at the constant that is right for $\nu= 1$.",
    role="reading",
    encodes="proxy",
    expect="fail",
    domain=DOMAIN,
    grid=LENGTHS,
    closed_form=ROOT,
    relation=at_most(),
    legs=[leg("random prompts", proof_error, instances=PROMPTS)],
)


# ---- the error in a better coupling


def coupled_variance(nu, gamma, distance):
    """M Var(eps) on y = 1: each example adds a linear term, whose coefficient is read off the network at a small
    multiple of its contribution; the law of one example is enumerated. Shape ()."""
    heads, i, j = bit_network(nu, 2**nu), 0, 2**distance - 1
    base = signal(i, j, 1, 1, nu, gamma)
    small = gamma / 1000
    still = output(heads, base, gamma)
    first = second = Fraction(0)
    thinned = gamma / (QUARTER + gamma)
    outcomes = [
        ((1, 1), (-1, -1), (QUARTER + gamma) * thinned),
        ((1, 1), (1, 1), (QUARTER + gamma) * (1 - thinned)),
        ((1, -1), (1, -1), QUARTER),
        ((-1, 1), (-1, 1), QUARTER),
        ((-1, -1), (-1, -1), QUARTER - gamma),
    ]
    for drawn, coupled, weight in outcomes:
        moved = list(base)
        moved[i] += small * (drawn[1] - coupled[1])
        moved[j] += small * (drawn[0] - coupled[0])
        slope = (output(heads, moved, gamma) - still) / small
        first += weight * slope
        second += weight * slope**2
    return second - first**2


better_coupling = claim(
    "icl-parity-behavior-coupled",
    lhs=r"M\operatorname{Var}(\epsilon)",
    tex=r"\operatorname{Ham}(i,j)^2\;\frac{1-\gamma}\gamma",
    states="icl-parity-behavior",
    title="The error in a better coupling",
    says=r"Re-coupled, $M \operatorname{Var}(\epsilon) = \operatorname{Ham}(i, j)^2 (1 - "
    r"\gamma)/\gamma$ on $y = 1$ in the linear regime, free of $\nu$.",
    role="reading",
    covers="error-recoupled",
    left={
        "M": "the law of one example in the linear regime, not the limit",
        "i": "tasks (1, 2^h)",
        "j": "y = 1",
    },
    domain={nu: integers(1), gamma: GAMMA, distance: integers(1)},
    where=distance <= nu,
    grid={
        "smoke": {nu: [1, 2, 4], gamma: [Fraction(1, 10), Fraction(1, 5)], distance: [1, 2, 4]},
        "standard": {
            nu: [1, 2, 3, 4, 6],
            gamma: [Fraction(x, 40) for x in (1, 2, 4, 8)],
            distance: [1, 2, 3, 6],
        },
    },
    closed_form=distance**2 * (1 - gamma) / gamma,
    relation=equals(),
    legs=[leg("law of one example", coupled_variance)],
    rivals=[
        variant("1/gamma", closed_form=distance**2 / gamma),
        variant("1/gamma^2", closed_form=distance**2 / gamma**2),
        variant("grows with nu", closed_form=distance * nu * (1 - gamma) / gamma),
    ],
)
