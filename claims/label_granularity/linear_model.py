r"""Section B.2, remark 3: what a linear model with the true features does on easy samples.

Setting. F_y = sum_p c_y <v_y, x_p> + sum_j c_{y,j} <v_{y,j}, x_p> with coefficients >= 0; easy samples, alpha at most
sqrt(1 + iota), noise N(0, sigma^2 I) in every patch; ties are mistakes.

Statements. (1) Equal coefficients c_c of the common and c_s of all subclass words: given the counts, F_y - F_-y is
Gaussian of mean c_c K1 + c_s K2 (alpha = 1) and variance 2 P sigma^2 (c_c^2 + k c_s^2), so that the error is E Q of
their ratio. (2) For any coefficients >= 0 the mean is at most sqrt(1 + iota) (c_y K1 + c_{y,c} K2) and the variance at
least P sigma^2 (c_y^2 + c_{y,c}^2): by Cauchy-Schwarz the error is at least E Q(sqrt(1 + iota) sqrt(K1^2 +
K2^2)/(sigma sqrt P)), and so at least 1/2 - 2 s* sqrt(1 + iota)/(sigma sqrt(2 pi P)). (3) For c_c = 1, c_s = 0 and
P sigma^2 = 1/u^2 the error is at most e^-s*/2 + e^(-u^2/4)/2: at P = d and sigma = log^-10 d/sqrt d, which the list of
parameters allows, u is log^10 d, and the error vanishes. The remark has a c > 0 below it for all large d.

Reference: lines 676-682; the remark has sigma where the variance has sigma^2.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from flint import arb, ctx

from theorycheck import (
    at_least,
    at_most,
    claim,
    formula_leg,
    instances,
    integers,
    leg,
    rivals_of,
    typed,
    variant,
)

from ._data import COMMON, SUBCLASS, count_law, easy_patterns, features, sample, word
from ._network import BITS, number

ONE_POINT = {"domain": {}, "grid": {"smoke": [{}]}}


def tail(x):
    return (x / arb(2).sqrt()).erfc() / 2


def upper(x):
    """The same by the error function, for what the programs are held to."""
    return (1 - (x / arb(2).sqrt()).erf()) / 2


def error(P, s, k, sigma, coefficients, strength, label=("+", 0)):
    """Error on easy samples of one subclass: over all patterns, the difference of the outputs a linear form of the
    patches. ``coefficients``: word -> number; strengths of features all the same. Shape ()."""
    with ctx.workprec(BITS):
        y, c = label
        d = 2 * k + 2
        words = [*features("+", k), *features("-", k)]
        form = [Fraction(0)] * d
        for v in words:
            form_of = sample(
                (COMMON if len(v) == 1 else SUBCLASS,), v[0], v[1] if len(v) > 1 else 0, k, d
            )[0]
            sign = 1 if v[0] == y else -1
            form = [f + sign * coefficients[v] * e for f, e in zip(form, form_of, strict=True)]
        spread = number(P * sigma**2 * sum(f * f for f in form)).sqrt()
        total = arb(0)
        for pattern, p in easy_patterns(P, s):
            patches = sample(pattern, y, c, k, d, strength=lambda kind: strength)
            mean = sum((f * e for x in patches for f, e in zip(form, x, strict=True)), Fraction(0))
            total += number(p) * (tail(number(mean) / spread) if spread > 0 else arb(1))
        return total


def equal_coefficients(P, s, k, sigma, common, sub):
    """Shape ()."""
    words = [*features("+", k), *features("-", k)]
    return error(P, s, k, sigma, {v: common if len(v) == 1 else sub for v in words}, 1)


def by_counts(P, s, k, sigma, common, sub, each=None, over=None):
    """E Q((c_c K1 + c_s K2)/(sigma sqrt(2 P (c_c^2 + k c_s^2)))). Shape ()."""
    with ctx.workprec(BITS):
        spread = number(2 * P * sigma**2 * (common**2 + (each or k) * sub**2)).sqrt()
        return sum(
            (
                number(p) * upper(number(common * a + sub * b) * (over or 1) / spread)
                for (a, b), p in count_law(P, s).items()
            ),
            arb(0),
        )


def both_classes(P, s, k, sigma, common, sub):
    """The noise of as many subclasses again."""
    return by_counts(P, s, k, sigma, common, sub, each=2 * k)


def one_subclass(P, s, k, sigma, common, sub):
    return by_counts(P, s, k, sigma, common, sub, each=1)


def one_class(P, s, k, sigma, common, sub):
    """The noise of one output."""
    return by_counts(P, s, k, sigma, common, sub, over=number(2).sqrt())


def any_coefficients(P, s, k, sigma, given, strength):
    """Shape ()."""
    words = [*features("+", k), *features("-", k)]
    return error(P, s, k, sigma, dict(zip(words, given, strict=True)), strength)


def floor(P, s, k, sigma, given, strength):
    """E Q(alpha sqrt(K1^2 + K2^2)/(sigma sqrt P)). Shape ()."""
    with ctx.workprec(BITS):
        spread = number(sigma) * number(P).sqrt()
        return sum(
            (
                number(p) * upper(number(strength) * number(a * a + b * b).sqrt() / spread)
                for (a, b), p in count_law(P, s).items()
            ),
            arb(0),
        )


def half_the_ratio(P, s, k, sigma, given, strength):
    return floor(P, s, k, sigma, given, Fraction(strength) / 2)


def most_of_the_ratio(P, s, k, sigma, given, strength):
    return floor(P, s, k, sigma, given, Fraction(strength) * 9 / 10)


def a_model(rng):
    return {
        "P": int(rng.integers(2, 5)),
        "s": Fraction(int(rng.integers(1, 4)), 2),
        "k": int(rng.integers(2, 4)),
        "sigma": Fraction(int(rng.integers(1, 5)), 3),
        "common": Fraction(int(rng.integers(0, 4)), 2),
        "sub": Fraction(int(rng.integers(1, 4)), 3),
    }


TIGHT = [
    (2, 1, 1, Fraction(1, 3), [6, 0, 5, 0]),
    (1, 1, 2, 1, [1] + 5 * [0]),
    (2, 2, 1, Fraction(1, 2), [3, 0, 0, 0]),
]
"""P, s*, k, sigma, given: models with nothing but the words of the sample, where the bound is near."""
case = sp.Symbol("case", integer=True, nonnegative=True)
SETTLED = {
    "domain": {case: integers(0, len(TIGHT))},
    "grid": {"smoke": {case: range(len(TIGHT) + 1)}},
}


def a_vector(rng, case):
    """A settled model, where the bound is near, or a drawn one."""
    if case < len(TIGHT):
        P, s, k, sigma, given = TIGHT[case]
        return {
            "P": P,
            "s": Fraction(s),
            "k": k,
            "sigma": Fraction(sigma),
            "given": [Fraction(g) for g in given],
            "strength": Fraction(11, 10),
        }
    k = int(rng.integers(1, 3))
    return {
        "P": int(rng.integers(2, 5)),
        "s": Fraction(int(rng.integers(1, 4)), 2),
        "k": k,
        "sigma": Fraction(int(rng.integers(1, 5)), 3),
        "given": [
            Fraction(int(rng.integers(1, 5)), 2),
            *[Fraction(int(rng.integers(0, 3)), 4) for _ in range(2 * k + 1)],
        ],
        "strength": Fraction(int(rng.integers(8, 13)), 10),
    }


MODELS = instances(a_model, "P s k sigma common sub", smoke=4, standard=10)
VECTORS = instances(a_vector, "P s k sigma given strength", smoke=3, standard=8)
NAMES = "P s_star sigma_zeta k c_c c_s"
RATIO = formula_leg(
    "given the counts",
    typed("P[m + u*g <= 0] == Q(m/u)", over=["m in R", "u in (0, oo)", "g ~ N(0, 1)"]),
    over=NAMES,
)
SUMMED = formula_leg(
    "noise",
    typed("Var[x*g + y*h] == x**2 + y**2", over=["x, y in R", "g, h ~ N(0, 1)"]),
    over=NAMES,
)

formula_of_the_error = claim(
    "granularity-linear-error",
    lhs=r"\Pr[F_y\le F_{-y}]",
    tex=r"\mathbb E\,Q\Big(\frac{c_cK_1+c_sK_2}{\sigma_\zeta\sqrt{2P(c_c^2+kc_s^2)}}\Big)",
    states="granularity-linear-model-fails",
    title="Error of a linear model",
    says=r"With coefficients $c_c$ and $c_s$, the same in both classes, and $\alpha=1$ the error is "
    r"$\mathbb E\,Q\big((c_cK_1+c_sK_2)/(\sigma_\zeta\sqrt{2P(c_c^2+kc_s^2)})\big)$.",
    covers="error-formula",
    **ONE_POINT,
    legs=[
        leg(
            "all patterns",
            equal_coefficients,
            reference=by_counts,
            unit=1,
            required=False,
            instances=MODELS,
            inside="K1 K2",
        ),
        RATIO,
        SUMMED,
    ],
    rivals=[
        variant("one subclass word", reference=one_subclass, leg="all patterns"),
        variant("noise of one output", reference=one_class, leg="all patterns"),
        variant("the subclass words twice", reference=both_classes, leg="all patterns"),
        *rivals_of(RATIO, {"Q(m)": "P[m + u*g <= 0] == Q(m)"}),
        *rivals_of(SUMMED, {"deviations add": "Var[x*g + y*h] == (x + y)**2"}),
    ],
)

# a, b are the counts, v, w the coefficients of the sample's two words, r the squares of the others
COUNTS = ["a in [0, oo)", "b in [0, oo)"]
CAUCHY = formula_leg(
    "Cauchy-Schwarz",
    typed(
        "(v*a + w*b)**2 <= (v**2 + w**2 + r)*(a**2 + b**2)",
        over=[*COUNTS, "v in [0, oo)", "w in [0, oo)", "r in [0, oo)"],
    ),
)
FALLS = formula_leg("Q falls", typed("Q(x) >= Q(y)", over=["x in R", "y in [x, oo)"]))
LINE = formula_leg("Q above a line", typed("Q(x) >= 1/2 - x/sqrt(2*pi)", over="x in [0, oo)"))
SUM = formula_leg("the sum of the counts", typed("a**2 + b**2 <= (a + b)**2", over=COUNTS))

# m = sqrt(1 + iota), z = sigma_zeta; where neither word has a coefficient the mean is 0, and so is the ratio
LEAST = "(v*a + w*b)*m/(z*sqrt(P)*sqrt(v**2 + w**2 + r)) <= m*sqrt(a**2 + b**2)/(z*sqrt(P))"
SIZES = [*COUNTS, "r in [0, oo)", "m, z in (0, oo)", "P in 1..oo"]
ONE_WORD = formula_leg(
    "ratio, a common word", typed(LEAST, over=["v in (0, oo)", "w in [0, oo)", *SIZES])
)
OTHER_WORD = formula_leg(
    "ratio, a subclass word", typed(LEAST, over=["v in [0, oo)", "w in (0, oo)", *SIZES])
)

# P = d, sigma = log^-10 d/sqrt d, s* = log^16 d and k = d^(2/5): within the list from d = 10^131 on; c_+ = c_- = 1, the
# rest 0, have an error of at most the left side (granularity-linear-succeeds)
printed = claim(
    "granularity-linear-floor-printed",
    states="granularity-linear-model-fails",
    title="No linear model succeeds, as printed",
    says=r"With some $c>0$ the error is at least $c$ for all large $d$, all parameters and all coefficients.",
    covers="printed-impossibility",
    expect="fail",
    legs=[
        formula_leg(
            "P = d",
            typed(
                "exp(-log(d)**16)/2 + exp(-log(d)**20/4)/2 >= C",
                over=["C in (0, 1/2)", "d in 10**131..oo"],
                where="d*C > 1",
            ),
            over="parameters c_plus c_minus c_plus_j c_minus_j X",
        )
    ],
)

repaired = claim(
    "granularity-linear-floor",
    lhs=r"\Pr[F_y\le F_{-y}]",
    tex=r"\mathbb E\,Q\big(\sqrt{1+\iota}\sqrt{K_1^2+K_2^2}/(\sigma_\zeta\sqrt P)\big)",
    states="granularity-linear-model-fails",
    title="No linear model is below this error",
    says=r"For all coefficients $\ge0$ the error on each subclass is at least $\mathbb "
    r"E\,Q\big(\sqrt{1+\iota}\sqrt{K_1^2+K_2^2}/(\sigma_\zeta\sqrt P)\big)\ge\frac12-"
    r"\frac{2s^*\sqrt{1+\iota}}{\sigma_\zeta\sqrt{2\pi P}}$.",
    role="corrected",
    corrects="granularity-linear-floor-printed",
    covers="repaired-impossibility",
    reads={"c": "v w r", "s_star": "a b", "sigma_zeta": "z"},
    **SETTLED,
    relation=at_least(),
    legs=[
        leg(
            "all patterns",
            any_coefficients,
            reference=floor,
            unit=1,
            required=False,
            instances=VECTORS,
        ),
        CAUCHY,
        ONE_WORD,
        OTHER_WORD,
        FALLS,
        LINE,
        SUM,
    ],
    rivals=[
        variant("half of the ratio", reference=half_the_ratio, leg="all patterns"),
        variant("9/10 of the ratio", reference=most_of_the_ratio, leg="all patterns"),
        *rivals_of(
            CAUCHY, {"three quarters": "(v*a + w*b)**2 <= 3*(v**2 + w**2 + r)*(a**2 + b**2)/4"}
        ),
        *rivals_of(
            ONE_WORD,
            {
                "one word alone": {
                    "says": "(v*a + w*b)/sqrt(v**2) <= sqrt(a**2 + b**2)",
                    "over": ["v in (0, oo)", "w in [0, oo)", *COUNTS],
                }
            },
        ),
        *rivals_of(
            OTHER_WORD,
            {
                "the larger count": {
                    "says": "(v*a + w*b)/sqrt(v**2 + w**2) <= Max(a, b)",
                    "over": ["v in [0, oo)", "w in (0, oo)", *COUNTS],
                }
            },
        ),
        *rivals_of(FALLS, {"strictly": "Q(x) > Q(y)"}),
        *rivals_of(LINE, {"half the slope": "Q(x) >= 1/2 - x/(2*sqrt(2*pi))"}),
        *rivals_of(SUM, {"half": "a**2 + b**2 <= (a + b)**2/2"}),
    ],
)


def one_word(P, s, k, u):
    """Coefficients 1 and 0, P sigma^2 = 1/u^2. Shape ()."""
    words = [*features("+", k), *features("-", k)]
    with ctx.workprec(BITS):
        spread = (number(2) / number(u) ** 2).sqrt()
        signal = [1 if v == ("+",) else -1 if v == ("-",) else 0 for v in words]
        total = arb(0)
        for pattern, p in easy_patterns(P, s):
            mean = sum(
                signal[words.index(v)] for v in (word(kind, "+", 0) for kind in pattern) if v
            )
            total += number(p) * tail(mean / spread)
        return total


def small_error(P, s, k, u, scale=1):
    """e^-s/2 + e^(-u^2/4)/2. Shape ()."""
    with ctx.workprec(BITS):
        return ((-number(s)).exp() + (-(number(u) ** 2) / 4).exp()) / 2 / scale


def a_third_of_it(P, s, k, u):
    return small_error(P, s, k, u, scale=3)


def a_setting(rng):
    return {
        "P": int(rng.integers(2, 6)),
        "s": Fraction(int(rng.integers(1, 5)), 3),
        "k": int(rng.integers(1, 3)),
        "u": Fraction(int(rng.integers(1, 9)), 2),
    }


EMPTY = formula_leg(
    "no common patch", typed("(1 - s/P)**P <= exp(-s)", over=["P in 1..oo", "s in (0, P]"])
)
TAIL = formula_leg(
    "the others", typed("Q(u*K/sqrt(2)) <= exp(-u**2/4)/2", over=["u in (0, oo)", "K in [1, oo)"])
)

succeeds = claim(
    "granularity-linear-succeeds",
    lhs=r"\Pr[F_y\le F_{-y}]",
    tex=r"\tfrac12e^{-s^*}+\tfrac12e^{-u^2/4}",
    states="granularity-linear-model-fails",
    title="A linear model that succeeds within the list",
    says=r"With $c_\pm=1$ and no other coefficient the error is at most $\frac12e^{-s^*}+\frac12e^{-u^2/4}$, "
    r"$u=1/(\sigma_\zeta\sqrt P)$; the list allows $P=d$, where $u=\log^{10}d$.",
    role="derived",
    **ONE_POINT,
    relation=at_most(),
    legs=[
        leg(
            "all patterns",
            one_word,
            reference=small_error,
            unit=1,
            required=False,
            instances=instances(a_setting, "P s k u", smoke=5, standard=12),
        ),
        EMPTY,
        TAIL,
    ],
    rivals=[
        variant("a third of it", reference=a_third_of_it, leg="all patterns"),
        *rivals_of(EMPTY, {"e^(-2 s)": "(1 - s/P)**P <= exp(-2*s)"}),
        *rivals_of(TAIL, {"e^(-u^2)": "Q(u*K/sqrt(2)) <= exp(-u**2)/2"}),
    ],
)
