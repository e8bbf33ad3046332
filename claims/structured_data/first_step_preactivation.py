r"""Lemma A.13: pre-activations after the first step, on all inputs but a part exponentially small in k.

Setting. As in Lemma A.12: q^(1) = eta a T, |a| <= sigma_a sqrt(2 L), sigma_a <= sigma~^2/(gamma k^2), L = ln(D
m/delta), k >= L^2, p >= k^2/D, n = D - k, r^2 = p (1 - p), R = r sqrt(n) <= sigma~, so R >= k/2. Good inputs have at
most 2 n p + k background patterns on.

Statements. (1) Pr[more than 2 n p + k on] <= e^-k: E exp(N - 2 n p) = ((1 - p + e p) e^(-2 p))^n <= 1 for the number N.
(2) |T_l| <= E|phi_l| <= 1/(2 sigma~) and |phi_l| <= 1/sigma~: on A at most eta |a| k/(2 sigma~^2) <= sqrt(2) eta
sigma~/gamma. (3) |T_l| <= (43/5) sigma_phi^2 sigma~ eps_e off A (Lemma A.9), eps_e <= 2 k sqrt(L)/R, and the |phi_l| of
a good input add up to at most (3 n p + k)/sigma~: the background part is at most 62 eta sigma~/gamma, and |<w^(1), x>|
<= 64 eta sigma~/gamma, for all typical neurons at once.

Reference: Lemma A.13, lines 3292-3296 and 3318-3330.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from math import comb

from flint import arb, ctx

from theorycheck import at_most, claim, formula_leg, instances, leg, rivals_of, typed, variant

from ._balls import BITS, ONE_POINT, number
from ._bounded import bounded
from ._first_step import background_part, generic, means, moved, relevant_part, without
from .first_step_bounds import TYPICAL_OFF_A, VACUOUS, at_an_atom, chain, one_large, size_of_e
from .first_step_summary import with_step

FIELDS = "law own rest b p s eta a"
MARKOV = r"e^{-k}\big((1-p+ep)e^{-2p}\big)^n"


def good(rest, p, k):
    """Numbers of active patterns by group, at most 2 n p + k in all."""
    most = 2 * p * sum(count for _, count in rest) + k
    for active in itertools.product(*(range(count + 1) for _, count in rest)):
        if sum(active) <= most:
            yield active


def largest(law, own, rest, b, p, s, eta, a):
    """sigma~^2 |<q^(1), phi>| and its background part, the largest over good inputs. Shape (2,)."""
    with ctx.workprec(BITS):
        on, off, mu = (
            relevant_part(law, own, rest, b, p, s),
            background_part(law, own, rest, b, p, s),
            means(law),
        )
        relevant = [
            sum((t * number(f - m) for t, f, m in zip(on, bits, mu, strict=True)), arb(0))
            for bits, _, _ in law
        ]
        whole, part = arb(0), arb(0)
        for active in good(rest, p, len(own)):
            rows = zip(off, active, rest, strict=True)
            back = sum((t * number(n - c * p) for t, n, (_, c) in rows), arb(0))
            part = part.max(abs(back))
            for r in relevant:
                whole = whole.max(abs(back + r))
        return [number(eta * abs(a)) * whole, number(eta * abs(a)) * part]


def largest_bound(law, own, rest, b, p, s, eta, a, share=1, **parts):
    """eta |a| times the sum of 2 mu_l (1 - mu_l) over A and of 2 p (1 - p) e |phi~_l - p| off A. Shape (2,)."""
    with ctx.workprec(BITS):
        each = [
            number(2 * p * (1 - p)) * moved(own, without(rest, g), p, **parts)
            for g in range(len(rest))
        ]
        part = arb(0)
        for active in good(rest, p, len(own)):
            rows = zip(each, active, rest, strict=True)
            part = part.max(
                sum((e * number(n * (1 - p) + (c - n) * p) for e, n, (_, c) in rows), arb(0))
            )
        relevant = number(share * sum((2 * m * (1 - m) for m in means(law)), Fraction(0)))
        return [number(eta * abs(a)) * (relevant + part), number(eta * abs(a)) * part]


def spread_alone(law, own, rest, b, p, s, eta, a):
    return largest_bound(law, own, rest, b, p, s, eta, a, shape=0)


def background_alone(law, own, rest, b, p, s, eta, a):
    return largest_bound(law, own, rest, b, p, s, eta, a, share=0, shape=0)


def too_many(n, p, k, times=2):
    """Pr[more than 2 n p + k of n patterns are on]. Shape ()."""
    with ctx.workprec(BITS):
        least = times * n * p + k
        rows = (comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(n + 1) if j > least)
        return number(sum(rows, Fraction(0)))


def rare(n, p, k, rate=1):
    with ctx.workprec(BITS):
        return (-arb(rate * k)).exp()


def rarer(n, p, k):
    return rare(n, p, k, rate=5)


def markov(n, p, k, twice=2):
    """e^-k E exp(N - 2 n p), one factor for each pattern. Shape ()."""
    with ctx.workprec(BITS):
        one = number(1 - p) + number(p) * arb(1).exp()
        return (one * number(-twice * p).exp()) ** n * (-arb(k)).exp()


def markov_of_four(n, p, k):
    """As if 4 n p were taken off."""
    return markov(n, p, k, twice=4)


def above_the_mean(n, p, k):
    """Pr[more than n p + k of n patterns are on]. Shape ()."""
    return too_many(n, p, k, times=1)


def some_count(rng):
    return {
        "n": int(rng.integers(1, 60)),
        "p": Fraction(int(rng.integers(1, 9)), 16),
        "k": int(rng.integers(1, 6)),
    }


def few_expected(rng):
    return {"n": 100, "p": Fraction(1, 200), "k": 1}


def ten_expected(rng):
    return {"n": 100, "p": Fraction(1, 10), "k": 10}


def tails(name, draw, bound=rare, tex="e^{-k}", smoke=1, standard=1):
    """The leg of the chance of too many patterns."""
    return leg(
        name,
        too_many,
        reference=bound,
        relation=at_most(),
        required=False,
        lhs=r"\Pr[N>2np+k]",
        tex=tex,
        instances=instances(draw, "n p k", smoke=smoke, standard=standard),
    )


def one_large_of_few(rng):
    return one_large(rng, count=20)


def compared(name, draw, *counts):
    return bounded(FIELDS, name, largest, largest_bound, with_step(draw), *counts)


NAMES = "law init i"
PLACE = ["k in 1..oo", "L in [0, sqrt(k)]"]
CHAIN, CHAIN_WRONG = chain(NAMES)
OFF_SIZE = formula_leg("typical, 8 L <= n", TYPICAL_OFF_A, over=NAMES)
OFF_VACUOUS = formula_leg("8 L > n", VACUOUS, over=NAMES)
EXPONENT = formula_leg(
    "one pattern",
    typed(
        "(1 - p + p*exp(1))*exp(-2*p) <= 1 and exp(x) >= 1", over=["p in [0, 1]", "x in [0, oo)"]
    ),
    over="x",
)
ACTIVE = formula_leg(
    "a good input",
    typed(
        "N*(1 - p) + (n - N)*p <= 3*n*p + k",
        over=["p in [0, 1/2]", "n in 1..oo", "k in 1..oo", "N in [0, 2*n*p + k]"],
    ),
    over=f"x {NAMES}",
)
VARIANCE = formula_leg(
    "its rate",
    typed(
        "p*(1 - p)*(3*n*p + k) <= (3/2)*n*p*(1 - p) + k/4",
        over=["p in [0, 1/2]", "n in 1..oo", "k in 1..oo"],
    ),
    over=NAMES,
)
EPS = formula_leg("eps_e", typed("k*sqrt(L) + L**(3/2) <= 2*k*sqrt(L)", over=PLACE), over=NAMES)
ON_A = "sqrt(2*L)/(2*k) <= {c}*V"
ON = formula_leg(
    "on A", typed(ON_A.format(c="sqrt(2)"), over=[*PLACE, "V in [k/2, oo)"]), over=NAMES, gives="C"
)
OFF_A = "(43/5)*sqrt(2*L)/k**2*(2*k*sqrt(L)/R)*((3/2)*R**2 + k/4) <= {c}*R and sqrt(2) + 62 <= 64"
OFF = formula_leg(
    "off A", typed(OFF_A.format(c=62), over=[*PLACE, "R in [k/2, oo)"]), over=NAMES, gives="C"
)

preactivation = claim(
    "structured-first-step-preactivation",
    lhs=r"\tilde\sigma^2\max_x\big(|\langle q^{(1)},\phi\rangle|,|\langle q^{(1)}_{-A},\phi_{-A}\rangle|\big)",
    tex=r"\eta|a|\Big(\textstyle\sum_A2\mu_l(1-\mu_l)+\beta_x,\ \beta_x\Big),\ \beta_x=\sum_{l\notin A}2p(1-p)\,e_l"
    r"|\tilde\phi_l-p|",
    states="structured-step1-output-small",
    title="Pre-activations after the first step",
    says=r"For $p\ge k^2/D$, $k\ge\ln^2(Dm/\delta)$, $\sigma_a\le\tilde\sigma^2/(\gamma k^2)$ all inputs but a part "
    r"$e^{-k}$ have $|\langle w^{(1)}_i,x\rangle|\le64\,\eta\tilde\sigma/\gamma$ for all typical neurons, the "
    r"background part $\le62\,\eta\tilde\sigma/\gamma$.",
    covers="preactivation",
    reads={"law": "law p s", "init": "own rest b a", "x": "law rest", "i": "own rest b a"},
    **ONE_POINT,
    legs=[
        compared("members and neurons", generic, 4, 8),
        compared("at an atom", at_an_atom),
        compared("one large", one_large_of_few),
        tails("too many patterns", some_count, smoke=4, standard=12),
        tails("half a pattern expected", few_expected),
        tails("ten patterns expected", ten_expected),
        tails("Markov", some_count, markov, MARKOV, smoke=4, standard=12),
        tails("Markov, ten patterns expected", ten_expected, markov, MARKOV),
        *CHAIN,
        OFF_SIZE,
        OFF_VACUOUS,
        EXPONENT,
        ACTIVE,
        VARIANCE,
        EPS,
        ON,
        OFF,
    ],
    rivals=[
        variant("the spread alone", reference=spread_alone, leg="one large"),
        variant(
            "nothing on A, the spread alone off it", reference=background_alone, leg="at an atom"
        ),
        variant("exp(-5 k)", reference=rarer, leg="half a pattern expected"),
        variant("n p + k", simulation=above_the_mean, leg="ten patterns expected"),
        variant("4 n p", reference=markov_of_four, leg="Markov, ten patterns expected"),
        *CHAIN_WRONG,
        *rivals_of(OFF_SIZE, {"constant 17/2": size_of_e("n/4", "2", "17/2")}),
        *rivals_of(OFF_VACUOUS, {"constant 2": "2 <= 2*(k*sqrt(L) + L**(3/2))/(r*sqrt(n))"}),
        *rivals_of(EXPONENT, {"exponent 1": "(1 - p + p*exp(1))*exp(-p) <= 1 and exp(x) >= 1"}),
        *rivals_of(ACTIVE, {"n p + k/2": "N*(1 - p) + (n - N)*p <= n*p + k/2"}),
        *rivals_of(VARIANCE, {"n p": "p*(1 - p)*(3*n*p + k) <= n*p*(1 - p) + k/4"}),
        *rivals_of(EPS, {"once": "k*sqrt(L) + L**(3/2) <= k*sqrt(L)"}),
        *rivals_of(ON, {"constant 1/10": ON_A.format(c="(1/10)")}),
        *rivals_of(OFF, {"constant 25": OFF_A.format(c=25)}),
    ],
)
