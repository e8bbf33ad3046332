"""Theorems 5.4.2 and 5.4.3 for matrices of every size: evaluation on a fixed task, and what a larger rank changes.

Setting. As in `behavior_regression`: Lambda = Q D Q^T, the network U = c Q K V Q^T, u = 1/c with K the projection on
the first r coordinates and V any diagonal matrix, such as v_i = N/((N+1) lam_i + tr D); the task w = Q z, M examples,
label noise of variance s2. P projects on further coordinates, K P = 0. |z|_f^2 stands for sum_i f_i z_i^2.

Statements. (1) The loss is (|z|^2 of K V^2 D^3 + (|z|_D^2 + s2) tr(K V^2 D^2))/M + |z|^2 of (1 - K) D + |z|^2 of K D (D
V - 1)^2, for every c; |z|_D^2 at K = 0. (2) Where z = K z, keeping P as well adds (|z|_D^2 + s2) tr(P V^2 D^2)/M, which
times M does not depend on M. (3) For any z it adds tr(P V^2 D^2) (|z|_D^2 + s2)/M + |z|^2 of P V^2 D^3/M + |z|^2 of P D
((D V - 1)^2 - 1): P is one coordinate in the statement. (4) With each label multiplied by a sign, -1 with probability
(1 - beta)/2, and no noise it is |z|^2 of D (beta D K V - 1)^2 + (|z|_D^2 tr(K V^2 D^2) + (2 - beta^2) |z|^2 of K V^2
D^3)/M. (5) At M = N, s2 = 0 its mean over w ~ N(0, 1) is tr D - sum_{i <= r} lam_i^2/T_i with v_i = 1/T_i, T_i the
eigenvalues of Gamma: 2 L of that network.

Evidence. The means over noise, signs, examples and query are computed in words (`_words`, `_moments`), which know of no
size; the network's own program runs beside at drawn spectra.

Reference: Theorems 5.4.2 and 5.4.3, section 5.7 (Shi, Wei, Xu, Liang, ICML 2024).
"""

from __future__ import annotations

from fractions import Fraction

from theorycheck import Proof, RationalNamespace, claim, instances, leg, rivals_of, variant

from ._attention import evaluation_loss
from ._moments import IN_BASIS, NONE, D, K, P, Q, V, evaluation, gamma, pretraining
from ._words import ONE, all_of, dot, evaluated, mean, number, same, scalar, spectral, vector
from .every_size_loss import OF_GAMMA, eigenvalues

N, M, c, s2, beta = (scalar(name) for name in ("N", "M", "c", "s2", "beta"))
z = vector("z")
SETTING = "d Lambda N M"


def over_task(f):
    """sum_i f_i z_i^2."""
    return dot(z, f * z)


def network(kept, task=z, scale=c, M=M, flips=False):
    """Loss of U = c Q (kept V) Q^T, u = 1/c on the task."""
    return evaluation(IN_BASIS, Q * kept * V * Q.T * scale, scale**-1, Q * task, M, flips)


# ---- one rank


def loss_formula(signal=3, bias=2, task=None, noise=1):
    """Statement (1); the places that must matter may be changed."""
    energy = over_task(D) if task is None else over_task(task * D)
    energy = energy + s2 * noise
    spread = over_task(K * V**2 * D**signal) + energy * (K * V**2 * D**2).trace()
    shrunk = over_task(K * D * (D * V - ONE) ** bias)
    return same(network(K), spread / M + over_task((ONE - K) * D) + shrunk)


def second_power():
    return loss_formula(signal=2)


def bias_not_squared():
    return loss_formula(bias=1)


def task_inside():
    return loss_formula(task=K)


def noise_dropped():
    return loss_formula(noise=0)


def whatever_c(other=None):
    """The loss at c is that at 1: U and u enter by their product."""
    given = network(K) if other is None else evaluation(IN_BASIS, Q * K * V * Q.T, c, Q * z, M)
    return same(given, network(K, scale=number(1)))


def u_alone():
    return whatever_c(other=c)


def ends_of_the_rank(kept=0):
    """At rank 0 the loss is |z|_D^2; at rank d nothing is left uncovered."""
    everything = (
        over_task(V**2 * D**3) + (over_task(D) + s2) * (V**2 * D**2).trace()
    ) / M + over_task(D * (D * V - ONE) ** 2)
    return all_of(
        same(network(ONE * kept), over_task(D)),
        same(network(ONE), everything),
    )


def full_rank_for_none():
    return ends_of_the_rank(kept=1)


def draw(rng):
    """Two features: roots of the eigenvalues, the task, the kept coordinate's v, c, M, sigma, a share of flips."""
    return {
        "s": [Fraction(int(rng.integers(1, 7)), 2) for _ in range(2)],
        "task": rng.rational((2,), 4),
        "v": rng.rational((2,), 4),
        "scale": Fraction(int(rng.integers(1, 9)), 3) * int(rng.signs()),
        "length": int(rng.integers(1, 9)),
        "sigma": Fraction(int(rng.integers(0, 5)), 2),
    }


def by_network(s, task, v, scale, length, sigma, flip=None, kept=1):
    """The loss by exact cubature of the moments of one example, ``kept`` of two coordinates kept. Shape ()."""
    ns = RationalNamespace()
    U = ns.diag(ns.asarray([scale * x if n < kept else 0 for n, x in enumerate(v)]))
    flips = None if flip is None else ns.asarray(flip)
    given = (ns.asarray(x) for x in (task, sigma if flip is None else 0))
    rest = (ns.asarray(1 / scale), ns.asarray(length))
    return evaluation_loss(ns, ns.diag(ns.asarray(s)), *given, U, *rest, flips).data[()]


def values(s, task, v, scale, length, sigma):
    basis = [[1, 0], [0, 1]]
    named = {"d": 2, "D": [x * x for x in s], "K": [1, 0], "V": v, "Q": basis, "z": task}
    return named | {"c": scale, "M": length, "s2": sigma**2, "beta": Fraction(1, 5)}


def by_words(**given):
    """The polynomial in traces and forms at these matrices. Shape ()."""
    return evaluated(network(K), values(**given))


def in_words(s, task, v, scale, length, sigma):
    return by_words(s=s, task=task, v=v, scale=scale, length=length, sigma=sigma)


def in_words_longer(s, task, v, scale, length, sigma):
    return by_words(s=s, task=task, v=v, scale=scale, length=length + 1, sigma=sigma)


FIELDS = "s task v scale length sigma"
behavior_every_size = claim(
    "icl-behavior-regression-every-size",
    lhs=r"\mathcal{L}(r)",
    tex=r"\|\xi\|_D^2+\sum_{i=1}^{r}(1-v_i\lambda_i)^2\lambda_iz_i^2"
    r"+\frac1M\Big(\big(\sigma^2+\|w\|_D^2\big)\sum_{i=1}^{r}v_i^2\lambda_i^2+\sum_{i=1}^{r}v_i^2\lambda_i^3z_i^2\Big)",
    states="icl-behavior-regression",
    title="Exact evaluation loss of the rank-r optimum, at every size",
    says="For every size, spectrum, task, rank, noise level and prompt lengths the network's evaluation loss "
    r"is the formula of Theorem 5.4.2, whatever $c$ is; at $r=0$ it is $\|w\|_D^2$.",
    role="reading",
    covers="loss-formula independent-of-c boundary-ranks",
    domain={},
    grid={"smoke": [{}]},
    legs=[
        leg("loss", loss_formula, arithmetic="proof", over=f"{SETTING} r w sigma"),
        leg("whatever c", whatever_c, arithmetic="proof", over=f"{SETTING} r c"),
        leg("ends", ends_of_the_rank, arithmetic="proof", over=f"{SETTING} w sigma"),
        leg(
            "network",
            by_network,
            reference=in_words,
            required=False,
            instances=instances(draw, FIELDS, smoke=4, standard=12),
        ),
    ],
    rivals=[
        variant("D^2 for D^3 in the first term", simulation=second_power, leg="loss"),
        variant("bias not squared", simulation=bias_not_squared, leg="loss"),
        variant("|s| for |s + xi|", simulation=task_inside, leg="loss"),
        variant("noise dropped", simulation=noise_dropped, leg="loss"),
        variant("u without c", simulation=u_alone, leg="whatever c"),
        variant("rank d for rank 0", simulation=full_rank_for_none, leg="ends"),
        variant("M + 1 examples", reference=in_words_longer, leg="network"),
    ],
)


# ---- two ranks

ADDED = (P * V**2 * D**2).trace()


def gap_formula(task=None, power=2, noise=1):
    """Statement (2), for tasks K z."""
    task = K * z if task is None else task
    gap = network(K + P, task) - network(K, task)
    energy = dot(K * z, D * (K * z)) + s2 * noise
    return same(gap, energy * (P * V**power * D**power).trace() / M)


def task_beyond():
    return gap_formula(task=z)


def first_power():
    return gap_formula(power=1)


def gap_without_noise():
    return gap_formula(noise=0)


def free_of_the_length(rest=0):
    """M times the gap has no M."""
    gap = (network(K + P, K * z) - network(K, K * z)) * M + rest * M
    if "M" in gap.atoms():
        return Proof(False, "M enters", {}, {"M": "in M times the gap"})
    return Proof(True, "no term of M times the gap has M, at every size", {"terms": len(gap.terms)})


def not_in_proportion():
    return free_of_the_length(rest=1)


gap_every_size = claim(
    "icl-behavior-regression-special-every-size",
    lhs=r"\mathcal{L}(R)-\mathcal{L}(r)",
    tex=r"\frac1M\big(\|s\|_D^2+\sigma^2\big)\sum_{i=r+1}^{R}(v_i\lambda_i)^2",
    states=["icl-behavior-regression-special", "icl-noise-sources"],
    title="Exact loss gap of two ranks, at every size",
    says="On a task supported on the first $r$ directions, for every size and spectrum, rank $R>r$ has a larger loss "
    r"than rank $r$ by exactly $\frac1M(\|s\|_D^2+\sigma^2)\sum_{r<i\le R}(v_i\lambda_i)^2$, in proportion to $1/M$.",
    role="reading",
    covers="gap-formula vanishes-with-M",
    legs=[
        leg("gap", gap_formula, arithmetic="proof", over=f"{SETTING} r r_prime s sigma"),
        leg("length", free_of_the_length, arithmetic="proof", over=f"{SETTING} s sigma"),
    ],
    rivals=[
        variant("task beyond r", simulation=task_beyond, leg="gap"),
        variant("first power", simulation=first_power, leg="gap"),
        variant("noise dropped", simulation=gap_without_noise, leg="gap"),
        variant("not in proportion to 1/M", simulation=not_in_proportion, leg="length"),
    ],
)


def increment(variance=1, shrunk=1):
    """Statement (3)."""
    step = network(K + P) - network(K)
    added = (ADDED * (over_task(D) + s2) + variance * over_task(P * V**2 * D**3)) / M
    return same(step, added + shrunk * over_task(P * D * ((D * V - ONE) ** 2 - ONE)))


def without_own_variance():
    return increment(variance=0)


def variance_only():
    return increment(shrunk=0)


increment_every_size = claim(
    "icl-rank-tradeoff-every-size",
    lhs=r"\mathcal{L}(r+1)-\mathcal{L}(r)",
    tex=r"\frac{A^2}M\big(\|z\|_D^2+\sigma^2+z_{r+1}^2\lambda_{r+1}\big)+z_{r+1}^2\lambda_{r+1}\big((A-1)^2-1\big)",
    states="icl-rank-tradeoff",
    title="Exact effect of adding one direction, at every size",
    says=r"For every size and spectrum, $L(r+1) - L(r) = A^2 (\|z\|_D^2 + \sigma^2 + z_{r+1}^2 \lambda_{r+1})/M "
    r"+ z_{r+1}^2 \lambda_{r+1} ((A-1)^2 - 1)$ with $A = \lambda_{r+1} v_{r+1}$.",
    role="derived",
    covers="increment",
    legs=[leg("step", increment, arithmetic="proof", over=f"{SETTING} r z sigma")],
    rivals=[
        variant("without its own variance", simulation=without_own_variance, leg="step"),
        variant("variance only", simulation=variance_only, leg="step"),
    ],
)


# ---- label noise: s2 grows by h

h = scalar("h")


def louder(kept):
    """What the network's loss rises by when s2 becomes s2 + h."""
    quiet = network(kept)
    return quiet.replaced(lambda atom, power: (s2 + h) ** power if atom == "s2" else None) - quiet


def noise_costs_more(power=1, share=1):
    """The rise at the larger rank is h tr(A A^T)/M above that at the smaller, A = P V D: nothing negative."""
    A, kept = P * V**power * D, K * V * D
    return all_of(
        same(louder(K + P) - louder(K), h * (A * A.T).trace() * share / M),
        same(louder(K), h * (kept * kept.T).trace() / M),
    )


def root_of_the_shrinkage():
    return noise_costs_more(power=0)


def twice_the_rise():
    return noise_costs_more(share=2)


def rise_by_network(s, task, v, scale, length, sigma, rise):
    """How much more two kept directions lose than the first alone where sigma becomes sigma + rise. Shape ()."""
    given = s, task, v, scale, length
    both = by_network(*given, sigma + rise, kept=2) - by_network(*given, sigma, kept=2)
    return both - (by_network(*given, sigma + rise) - by_network(*given, sigma))


def rise_in_words(s, task, v, scale, length, sigma, rise):
    """The proved difference at these matrices. Shape ()."""
    more = (sigma + rise) ** 2 - sigma**2
    return more * (v[1] * s[1] ** 2) ** 2 / length


def rise_of_the_first(s, task, v, scale, length, sigma, rise):
    return rise_in_words(s[::-1], task, v[::-1], scale, length, sigma, rise)


def draw_louder(rng):
    return draw(rng) | {"rise": Fraction(int(rng.integers(1, 5)), 3)}


sensitivity_every_size = claim(
    "icl-noise-sensitivity",
    lhs=r"\Delta_{\sigma^2}\mathcal{L}(r+1)-\Delta_{\sigma^2}\mathcal{L}(r)",
    tex=r"\frac hM(\lambda_{r+1}v_{r+1})^2\ge0",
    states="icl-behavior-regression-special",
    title="More label noise costs the larger rank more",
    says=r"For every task, when $\sigma^2$ rises by $h$ the loss of rank $r$ rises by "
    r"$\frac hM\sum_{i\le r}(\lambda_iv_i)^2$, and that of rank $r+1$ by $\frac hM(\lambda_{r+1}v_{r+1})^2$ more.",
    role="derived",
    covers="noise-sensitivity-grows",
    domain={},
    grid={"smoke": [{}]},
    legs=[
        leg("rise", noise_costs_more, arithmetic="proof", over=f"{SETTING} r w"),
        leg(
            "network",
            rise_by_network,
            reference=rise_in_words,
            required=False,
            instances=instances(draw_louder, f"{FIELDS} rise", smoke=4, standard=12),
        ),
    ],
    rivals=[
        variant("V^0", simulation=root_of_the_shrinkage, leg="rise"),
        variant("twice", simulation=twice_the_rise, leg="rise"),
        variant("the first direction", reference=rise_of_the_first, leg="network"),
    ],
)


# ---- flipped labels, and the mean over tasks


def flip_formula(factor=2):
    """Statement (4)."""
    spread = over_task(D) * (K * V**2 * D**2).trace()
    spread = spread + (factor - beta**2) * over_task(K * V**2 * D**3)
    bias = over_task(D * (K * V * D * beta - ONE) ** 2)
    return same(network(K, flips=True), bias + spread / M)


def factor_one():
    return flip_formula(factor=1)


def by_network_flipped(s, task, v, scale, length, sigma):
    """The loss with two labels of five flipped, beta = 1/5. Shape ()."""
    return by_network(s, task, v, scale, length, sigma, flip=Fraction(2, 5))


def in_words_flipped(s, task, v, scale, length, sigma):
    return evaluated(network(K, flips=True), values(s, task, v, scale, length, sigma))


flip_every_size = claim(
    "icl-label-flip-every-size",
    lhs=r"\mathcal{L}_f(r)",
    tex=r"\sum_iz_i^2\lambda_i(\beta\lambda_iv_i-1)^2+\frac1M\Big(\|z\|_D^2\sum_{i\le r}v_i^2\lambda_i^2"
    r"+(2-\beta^2)\sum_{i\le r}z_i^2v_i^2\lambda_i^3\Big)",
    states="icl-exp-synthetic-label-flip",
    title="The loss under flipped labels, at every size",
    says=r"For every size, spectrum and share $f$ of flips, with $\beta=1-2f$, the loss of the rank-r optimum "
    r"is $\sum_i z_i^2\lambda_i(\beta\lambda_iv_i-1)^2$ and $1/M$ times $\|z\|_D^2\sum v_i^2\lambda_i^2+(2-\beta^2)"
    r"\sum z_i^2v_i^2\lambda_i^3$.",
    role="derived",
    covers="flip-formula",
    domain={},
    grid={"smoke": [{}]},
    legs=[
        leg("flips", flip_formula, arithmetic="proof", over=f"{SETTING} r z f"),
        leg(
            "network",
            by_network_flipped,
            reference=in_words_flipped,
            required=False,
            instances=instances(draw, FIELDS, smoke=4, standard=12),
        ),
    ],
    rivals=[
        variant("factor 1", simulation=factor_one, leg="flips"),
        variant("nothing flipped", simulation=by_network, leg="network"),
    ],
)


def mean_over_tasks(length=N, factor=2):
    """Statement (5): for any V, then at V = T^{-1}, T = Gamma in the eigenbasis."""
    w, U = vector("w"), Q * K * V * Q.T
    without_noise = evaluation(IN_BASIS, U * c, c**-1, w, length).replaced(
        lambda atom, power: number(0) if atom == "s2" else None
    )
    evaluated_mean = mean(without_noise, "w", ONE)
    value = (K * D**2 * V**2 * gamma(D, N)).trace() - (K * D**2 * V).trace() * 2
    T = spectral("T")
    closed = (K * D**2 * T**-2 * T).trace() - (K * D**2 * T**-1).trace() * 2
    return all_of(
        same(evaluated_mean, D.trace() + value),
        same(closed, -(K * D**2 * T**-1).trace()),
        same(evaluated_mean, pretraining(IN_BASIS, U * c, c**-1, NONE, NONE, N) * factor),
    )


def another_length():
    return mean_over_tasks(length=M)


def without_the_two():
    return mean_over_tasks(factor=1)


VALUES = eigenvalues("d Lambda r")
mean_every_size = claim(
    "icl-pretrain-test-consistency-every-size",
    lhs=r"\mathbb{E}_w\mathcal{L}(r)",
    tex=r"\operatorname{tr}D-\sum_{i\le r}\frac{N\lambda_i^2}{(N+1)\lambda_i+\operatorname{tr}D}",
    states="icl-pretrain-test-consistency",
    title="The mean over tasks is twice the pretraining loss, at every size",
    says=r"For every size and spectrum, averaged over $w \sim N(0, I)$ at $M = N$ and $\sigma = 0$ the evaluation "
    r"loss is $\operatorname{tr}D-\sum_{i\le r}N\lambda_i^2/((N+1)\lambda_i+\operatorname{tr}D)$, twice the "
    "pretraining loss.",
    role="derived",
    covers="mean-over-tasks",
    legs=[leg("mean", mean_over_tasks, arithmetic="proof", over="d Lambda N r"), VALUES],
    rivals=[
        *rivals_of(VALUES, OF_GAMMA),
        variant("M for N", simulation=another_length, leg="mean"),
        variant("without the 2", simulation=without_the_two, leg="mean"),
    ],
)
