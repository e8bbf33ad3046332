r"""The hard error of trained detectors as a sum over counts of patches (derived).

Setting. Planted networks after training, sigma_0 and the noise 0: a detector of a common word has weights A v and bias
-beta A, one of a subclass word a v and -beta a, nS of each in every output. Hard samples of B.1, alpha_dag = a_d, the
subclass patches of strength 1, the patch of strong noise below all biases. Ties are mistakes.

Statements. With K subclass patches and Kd opposite ones: (1) the coarse network errs iff kappa K (1 - beta) <= Kd
(a_d - beta)_+, kappa = a/A = 1/k; its error sums the mixture of binomials of K and Bin(P - K, min(1, s_dag/(P - K))) of
Kd over these pairs. (2) The fine one, by the largest output of a class, errs at least where K (1 - beta) <= g Kd
(a_d - beta)_+, g the mean over the networks of the opposite class of A over a.

Reference: derived from (120)-(134) and (230)-(233), lines 1512-1595 and 2237-2270.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import at_least, claim, instances, integers, leg, variant

from ._data import (
    OPPOSITE,
    binomial_law,
    cut,
    features,
    hard_patterns,
    other,
    sample,
    subclass_count_law,
    vector,
)
from ._network import Neuron, coarse_labels, fine_labels, outputs

case = sp.Symbol("case", integer=True, nonnegative=True)


def trained(strengths, k, beta, each=2):
    """A network by the strength of each word in each output."""
    d = 2 * k + 2
    return {
        label: [
            Neuron(vector(v, k, d, A), -beta * A) for v, A in words.items() for _ in range(each)
        ]
        for label, words in strengths.items()
    }


def of_equal_sets(P, s_star, s_dag, a_d, beta, k, net, own_word=False):
    """Chance that the largest output of y is not above the other's on a hard sample of (y, c), the first or last."""
    wrong, drawn = Fraction(0), [(y, c) for y in "+-" for c in dict.fromkeys((0, k - 1))]
    for pattern, p in hard_patterns(P, s_star, s_dag):
        kinds = ["common" if own_word and kind == OPPOSITE else kind for kind in pattern]
        for y, c in drawn:
            patches = sample(
                kinds, y, c, k, 2 * k + 2, strength=lambda kind: 1 if kind == "subclass" else a_d
            )
            scores = outputs(net, patches)
            best = {z: max(f for label, f in scores.items() if label[0] == z) for z in "+-"}
            wrong += p * (best[y] <= best[other(y)]) / len(drawn)
    return wrong


def fixed_ratio(k):
    """a/A of a coarse network that saw s* patches of either kind in every sample."""
    return Fraction(1, k)


def coarse(P, s_star, s_dag, a_d, beta, k, own_word=False):
    """Error of the coarse network. Shape ()."""
    kappa = fixed_ratio(k)
    strengths = {
        y: {v: 1 if len(v) == 1 else kappa for v in features(y, k)} for y in coarse_labels(k)
    }
    return of_equal_sets(P, s_star, s_dag, a_d, beta, k, trained(strengths, k, beta), own_word)


def noise_of_the_own_class(P, s_star, s_dag, a_d, beta, k):
    return coarse(P, s_star, s_dag, a_d, beta, k, own_word=True)


def summed(P, s_star, s_dag, errs, counts=subclass_count_law, left=lambda P, K: P - K):
    return sum(
        (
            p * q
            for K, p in enumerate(counts(P, s_star))
            for Kd, q in enumerate(binomial_law(P - K, cut(s_dag, left(P, K))))
            if errs(K, Kd)
        ),
        Fraction(0),
    )


def coarse_stated(P, s_star, s_dag, a_d, beta, k, **options):
    """Shape ()."""
    noise = max(a_d - beta, 0)
    return summed(P, s_star, s_dag, lambda K, Kd: K * (1 - beta) <= k * Kd * noise, **options)


def strictly(P, s_star, s_dag, a_d, beta, k):
    noise = max(a_d - beta, 0)
    return summed(P, s_star, s_dag, lambda K, Kd: K * (1 - beta) < k * Kd * noise)


def without_bias(P, s_star, s_dag, a_d, beta, k):
    return coarse_stated(P, s_star, s_dag, a_d, Fraction(0), k)


def no_positive_part(P, s_star, s_dag, a_d, beta, k):
    return summed(P, s_star, s_dag, lambda K, Kd: K * (1 - beta) <= k * Kd * (a_d - beta))


def equal_words(P, s_star, s_dag, a_d, beta, k):
    """kappa = 1."""
    return coarse_stated(P, s_star, s_dag, a_d, beta, 1)


def one_binomial(P, s_star, s_dag, a_d, beta, k):
    """K from Bin(P, s*/P)."""
    return coarse_stated(
        P, s_star, s_dag, a_d, beta, k, counts=lambda P, s: binomial_law(P, cut(s, P))
    )


def out_of_all(P, s_star, s_dag, a_d, beta, k):
    """Kd with s_dag/P."""
    return coarse_stated(P, s_star, s_dag, a_d, beta, k, left=lambda P, K: P if P > K else 0)


def fine(P, s_star, s_dag, a_d, beta, common, sub):
    """Error of the fine network, the detectors of the common word of strength ``common`` by subclass. Shape ()."""
    k = len(common)
    strengths = {
        (y, c): {v: common[c] if len(v) == 1 else sub for v in features(y, k)}
        for y, c in fine_labels(k)
    }
    return of_equal_sets(P, s_star, s_dag, a_d, beta, k, trained(strengths, k, beta, each=1))


def fine_stated(P, s_star, s_dag, a_d, beta, common, sub, factor=1):
    """Shape ()."""
    g = factor * sum(common, Fraction(0)) / len(common) / sub
    noise = max(a_d - beta, 0)
    return summed(P, s_star, s_dag, lambda K, Kd: K * (1 - beta) <= g * Kd * noise)


def twice_the_ratio(P, s_star, s_dag, a_d, beta, common, sub):
    return fine_stated(P, s_star, s_dag, a_d, beta, common, sub, factor=2)


def more_of_the_ratio(P, s_star, s_dag, a_d, beta, common, sub):
    return fine_stated(P, s_star, s_dag, a_d, beta, common, sub, factor=Fraction(9, 8))


def fine_without_bias(P, s_star, s_dag, a_d, beta, common, sub):
    return fine_stated(P, s_star, s_dag, a_d, Fraction(0), common, sub)


CASES = [
    (3, 1, 1, (1, 2), (1, 10), 2),
    (3, 2, 1, (11, 20), (1, 10), 2),
    (4, Fraction(3, 2), 2, (1, 20), (1, 10), 3),
    (2, 1, 3, (1, 1), (0, 1), 1),
    (4, 1, 1, (7, 10), (1, 10), 4),
    (3, Fraction(5, 2), 2, (1, 5), (1, 20), 3),
]


def a_coarse_case(rng, case):
    """Ties, a strength below the bias, more opposite patches than fit and none that is cut."""
    P, s, w, a, b, k = CASES[case]
    return {
        "P": P,
        "s_star": Fraction(s),
        "s_dag": Fraction(w),
        "a_d": Fraction(*a),
        "beta": Fraction(*b),
        "k": k,
    }


FINE_CASES = [
    (3, 1, 1, (1, 2), (1, 4), ["2", "2"], 1),
    (3, 1, 1, (1, 2), (1, 4), ["14/5", "14/5"], 1),
    (3, 1, 1, (1, 2), (1, 4), ["1", "4"], 2),
    (3, Fraction(3, 2), 2, (7, 10), (1, 5), ["1", "1", "1"], 2),
    (4, 2, 2, (3, 4), (1, 4), ["1/2", "3/2"], 1),
    (2, 1, 3, (1, 20), (1, 10), ["3/2"], 1),
]


def a_fine_case(rng, case):
    """A just below a tie, the same in all outputs or different ones, more than fit, and a strength below the bias."""
    P, s, w, a, b, common, sub = FINE_CASES[case]
    return {
        "P": P,
        "s_star": Fraction(s),
        "s_dag": Fraction(w),
        "a_d": Fraction(*a),
        "beta": Fraction(*b),
        "common": [Fraction(A) for A in common],
        "sub": Fraction(sub),
    }


COARSE = instances(a_coarse_case, "P s_star s_dag a_d beta k", smoke=1)
FINE = instances(a_fine_case, "P s_star s_dag a_d beta common sub", smoke=1)
LEG = "all samples"

coarse_error = claim(
    "granularity-coarse-hard-error",
    lhs=r"\mathrm{err}_{coarse}",
    tex=r"\Pr\big[\tfrac1kK(1-\beta)\le K_d(\alpha^\dagger-\beta)_+\big]",
    states="granularity-separation-law",
    title="Hard error of coarse detectors",
    says=r"With $\kappa=\frac1k$ the hard error is $\Pr[\kappa K(1-\beta)\le K_d(\alpha^\dagger-\beta)_+]$, $K$ from "
    r"the mixture, $K_d\sim\mathrm{Bin}(P-K,\min(1,\frac{s^\dagger}{P-K}))$.",
    role="derived",
    covers="coarse-error-sum",
    domain={case: integers(0, len(CASES) - 1)},
    grid={"smoke": {case: range(len(CASES))}},
    legs=[
        leg(
            LEG,
            coarse,
            reference=coarse_stated,
            unit=1,
            instances=COARSE,
            inside="K Kd",
            gives="kappa",
            chosen_by=fixed_ratio,
        )
    ],
    rivals=[
        variant("strict inequality", reference=strictly, leg=LEG),
        variant("without the bias", reference=without_bias, leg=LEG),
        variant("no positive part", reference=no_positive_part, leg=LEG),
        variant("kappa = 1", reference=equal_words, leg=LEG),
        variant("K from one binomial", reference=one_binomial, leg=LEG),
        variant("Kd with s_dag/P", reference=out_of_all, leg=LEG),
        variant("noise of the own class", simulation=noise_of_the_own_class, leg=LEG),
    ],
)

fine_error = claim(
    "granularity-fine-hard-error",
    lhs=r"\mathrm{err}_{fine}",
    tex=r"\Pr\big[K(1-\beta)\le gK_d(\alpha^\dagger-\beta)_+\big]",
    states="granularity-separation-law",
    title="Hard error of fine detectors",
    says=r"The hard error of the largest output is at least $\Pr[K(1-\beta)\le gK_d(\alpha^\dagger-\beta)_+]$, $g$ the "
    r"mean of $A/a$ over the outputs of the opposite class.",
    role="derived",
    covers="fine-error-lower-estimate",
    reads={"parameters": "P s_star s_dag a_d beta", "g": "common sub"},
    relation=at_least(),
    domain={case: integers(0, len(FINE_CASES) - 1)},
    grid={"smoke": {case: range(len(FINE_CASES))}},
    legs=[leg(LEG, fine, reference=fine_stated, unit=1, instances=FINE, inside="K Kd")],
    rivals=[
        variant("twice the ratio", reference=twice_the_ratio, leg=LEG),
        variant("9/8 of the ratio", reference=more_of_the_ratio, leg=LEG),
        variant("without the bias", reference=fine_without_bias, leg=LEG),
    ],
)
