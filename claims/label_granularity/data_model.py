r"""Section B.1: laws of the patches of easy and hard samples, their labels, the batches.

Setting. An easy sample of (y, c) has P patches; each is common with chance s*/P; with a of them, each other one shows
the subclass with chance s*/(P - a), cut at 1. A hard sample has the subclass patches of an easy one, b of them; each
other patch shows the common word of the opposite class with chance s_dag/(P - b), and one of the rest is strong noise.

Statements. (1) K1 is Bin(P, s*/P). (2) Given K1 = a, K2 is binomial on the P - a others, of mean s* and variance s* -
s*^2/(P - a) for a <= P - s*, and P - a for sure beyond. Since K1 = P has probability (s*/P)^P > 0, E K2 = E min(s*, P -
K1) is below s* at every P: that no chance is cut never holds. (3) No patch shows two words, no sample two pairs
(y, c). (4) Of a hard sample Kd given K2 = b is binomial on the P - b others, of mean min(s_dag, P - b), there is no
patch of its own common word, and one patch of strong noise unless none is left. (5) By the label rule an easy sample
has the class that it was drawn for, or none, that with probability (1 - s*/P)^(2P); a hard one likewise, none where
K2 = 0. (6) With N/(2k) samples of each subclass a batch has N/2 of each class; independent labels have the same mean
and a positive variance.

Reference: lines 142-190 and 606-631; (16) speaks of independent samples, line 660.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import sympy as sp

from theorycheck import (
    choices,
    claim,
    equals,
    formula_leg,
    integers,
    leg,
    reals,
    rivals_of,
    typed,
    variant,
)

from ._data import (
    COMMON,
    OPPOSITE,
    STRONG,
    SUBCLASS,
    binomial_law,
    chosen,
    count_law,
    cut,
    easy_patterns,
    features,
    hard_patterns,
    law_of,
    moments,
    other,
    sample,
    word,
)

P, k, j, a = sp.symbols("P k j a", integer=True, nonnegative=True)
s_star, s_dag = sp.symbols("s_star s_dag", positive=True)
y = sp.Symbol("y")
SMALL = P <= 4


def number_of(kind):
    return lambda pattern: pattern.count(kind)


def common_chance(P, s_star, j):
    """Probability of j common patches, over all patterns. Shape ()."""
    return law_of(easy_patterns(P, s_star), number_of(COMMON)).get(j, Fraction(0))


CHANCE = sp.binomial(P, j) * (s_star / P) ** j * (1 - s_star / P) ** (P - j)
SIZES = ["P in 1..oo", "s_star in (0, P]"]
MEAN = formula_leg("mean", typed(f"Sum(j*({CHANCE}), (j, 0, P)) == s_star", over=SIZES))
VARIANCE = formula_leg(
    "variance",
    typed(f"Sum(j**2*({CHANCE}), (j, 0, P)) - s_star**2 == s_star*(1 - s_star/P)", over=SIZES),
)

common = claim(
    "granularity-common-count",
    lhs=r"\Pr[K_1=j]",
    tex=r"\tbinom Pj(s^*/P)^j(1-s^*/P)^{P-j}",
    states="granularity-data-model",
    title="Number of common patches",
    says=r"$K_1\sim\mathrm{Bin}(P,s^*/P)$: mean $s^*$, variance $s^*(1-s^*/P)$.",
    covers="common-count-law",
    domain={P: integers(1), s_star: reals(0, low_open=True), j: integers(0)},
    where=sp.And(s_star <= P, j <= P),
    grid={
        "smoke": [
            {P: 1, s_star: 1, j: 1},
            {P: 3, s_star: 2, j: 0},
            {P: 4, s_star: Fraction(3, 2), j: 2},
        ],
        "standard": {P: [4], s_star: [Fraction(1, 2), 2, 4], j: [0, 1, 4]},
    },
    closed_form=CHANCE,
    legs=[
        leg("all patterns", common_chance, where=SMALL, required=False, inside="sample"),
        MEAN,
        VARIANCE,
    ],
    rivals=[
        variant(
            "exactly s*",
            closed_form=sp.Piecewise((1, sp.Eq(j, s_star)), (0, True)),
            leg="all patterns",
        ),
        *rivals_of(MEAN, {"s* + 1": f"Sum(j*({CHANCE}), (j, 0, P)) == s_star + 1"}),
        *rivals_of(
            VARIANCE, {"a Poisson law": f"Sum(j**2*({CHANCE}), (j, 0, P)) - s_star**2 == s_star"}
        ),
    ],
)


def subclass_chance(P, s_star, a, j):
    """Probability of j subclass patches given a common ones, over all patterns. Shape ()."""
    law = law_of(easy_patterns(P, s_star), lambda p: (p.count(COMMON), p.count(SUBCLASS)))
    return law.get((a, j), Fraction(0)) / sum(p for (n, _), p in law.items() if n == a)


def from_all_patches(P, s_star, a, j):
    """The same where the subclass patches are drawn with s*/P."""
    return binomial_law(P - a, cut(s_star, P))[j]


SHARE = sp.Min(1, s_star / (P - a))
GIVEN = sp.binomial(P - a, j) * SHARE**j * (1 - SHARE) ** (P - a - j)
UNCUT = GIVEN.subs(SHARE, s_star / (P - a))
ROOM = ["P in 1..oo", "a in 0..P-1", "s_star in (0, P - a]"]
FITS = s_star <= P - a
GIVEN_MEAN = formula_leg(
    "mean", typed(f"Sum(j*({UNCUT}), (j, 0, P - a)) == s_star", over=ROOM), where=FITS
)
GIVEN_VARIANCE = formula_leg(
    "variance",
    typed(
        f"Sum(j**2*({UNCUT}), (j, 0, P - a)) - s_star**2 == s_star - s_star**2/(P - a)", over=ROOM
    ),
    where=FITS,
)
TOO_MANY = formula_leg(
    "more than fit",
    typed(f"{SHARE} == 1", over=["P in 1..oo", "a in 0..P-1", "s_star in [P - a, P]"]),
    where=s_star >= P - a,
)

subclass = claim(
    "granularity-subclass-count",
    lhs=r"\Pr[K_2=j\mid K_1=a]",
    tex=r"\tbinom{P-a}jr^j(1-r)^{P-a-j},\ r=\min(1,\tfrac{s^*}{P-a})",
    states=["granularity-data-model", "granularity-separation-law"],
    title="Number of subclass patches",
    says=r"Given $K_1=a<P$, $K_2\sim\mathrm{Bin}(P-a,\min(1,\frac{s^*}{P-a}))$; for $a\le P-s^*$ its mean is $s^*$ and "
    r"its variance $s^*-\frac{s^{*2}}{P-a}$.",
    role="reading",
    covers=[
        "granularity-data-model/subclass-count-law",
        "granularity-separation-law/k2-mixture-law",
    ],
    domain={P: integers(1), s_star: reals(0, low_open=True), a: integers(0), j: integers(0)},
    where=sp.And(s_star <= P, a < P, j <= P - a),
    grid={
        "smoke": [
            {P: 3, s_star: 1, a: 1, j: 1},
            {P: 4, s_star: Fraction(3, 2), a: 1, j: 2},
            {P: 4, s_star: 3, a: 2, j: 2},
        ],
        "standard": {P: [4], s_star: [Fraction(1, 2), 2, Fraction(7, 2)], a: [0, 2], j: [0, 2]},
    },
    closed_form=GIVEN,
    legs=[
        leg("all patterns", subclass_chance, where=SMALL, required=False, inside="sample"),
        GIVEN_MEAN,
        GIVEN_VARIANCE,
        TOO_MANY,
    ],
    rivals=[
        variant("out of all patches", simulation=from_all_patches, leg="all patterns"),
        *rivals_of(
            GIVEN_MEAN, {"s*/P of them": f"Sum(j*({UNCUT}), (j, 0, P - a)) == s_star*(P - a)/P"}
        ),
        *rivals_of(
            GIVEN_VARIANCE,
            {
                "s* (1 - s*/P)": f"Sum(j**2*({UNCUT}), (j, 0, P - a)) - s_star**2 == s_star*(1 - s_star/P)",
            },
        ),
        *rivals_of(
            TOO_MANY,
            {"one less": {"over": ["P in 1..oo", "a in 0..P-1", "s_star in [P - a - 1/2, P]"]}},
        ),
    ],
)


def subclass_mean(P, s_star):
    """E K2 over all patterns. Shape ()."""
    return moments(law_of(easy_patterns(P, s_star), number_of(SUBCLASS)))[1]


CUT_MEAN = sp.Sum(CHANCE.subs(j, a) * sp.Min(s_star, P - a), (a, 0, P))
BELOW = formula_leg(
    "below s*",
    typed(
        "Min(s_star, P - a) <= s_star - s_star*Piecewise((1, a == P), (0, True))",
        over=[*SIZES, "a in 0..P"],
    ),
)
ALL_COMMON = formula_leg("all patches common", typed(f"{CHANCE.subs(j, P)} > 0", over=SIZES))

subclass_total = claim(
    "granularity-subclass-mean",
    lhs=r"\mathbb E\,K_2",
    tex=r"\mathbb E\min(s^*,P-K_1)",
    states=["granularity-data-model", "granularity-separation-law"],
    title="Mean number of subclass patches",
    says=r"$\mathbb E\,K_2=\mathbb E\min(s^*,P-K_1)\le s^*(1-(s^*/P)^P)<s^*$: the chances are cut at 1 with positive "
    "probability, whatever $P$ and $s^*$.",
    role="derived",
    covers=[
        "granularity-data-model/subclass-count-law",
        "granularity-separation-law/k2-mixture-law",
    ],
    domain={P: integers(1), s_star: reals(0, low_open=True)},
    where=s_star < P,
    grid={
        "smoke": [{P: 2, s_star: 1}, {P: 3, s_star: 2}, {P: 4, s_star: 1}],
        "standard": {P: [4], s_star: [Fraction(1, 2), 2, Fraction(7, 2)]},
    },
    closed_form=CUT_MEAN,
    legs=[
        leg("all patterns", subclass_mean, where=SMALL, required=False, inside="sample"),
        BELOW,
        ALL_COMMON,
    ],
    rivals=[
        variant("s*", closed_form=s_star, leg="all patterns"),
        variant("out of all patches", closed_form=s_star * (1 - s_star / P), leg="all patterns"),
        *rivals_of(
            BELOW,
            {
                "for a = P - 1 too": "Min(s_star, P - a) <= s_star - s_star*Piecewise((1, a >= P - 1), (0, True))",
            },
        ),
        *rivals_of(ALL_COMMON, {"s* = 0 too": {"over": ["P in 1..oo", "s_star in [0, P]"]}}),
    ],
)


def dominated(x, axes):
    """Words of whose axes the patch has more than 1/2."""
    return [i for i in axes if x[i] > Fraction(1, 2)]


def mixed_patches(P, s_star, k, patterns=easy_patterns):
    """Over all patterns of all (y, c): patches with two words, samples with words of another. Shape (2,)."""
    d, twice, astray = 2 * k + 2, 0, 0
    for pattern, _ in patterns(P, s_star):
        for y, c in product("+-", range(k)):
            own = {word(COMMON, y, c), word(SUBCLASS, y, c)}
            names = dict(enumerate([("+",), ("-",), *features("+", k)[1:], *features("-", k)[1:]]))
            shown = [
                dominated(x, range(d))
                for x in sample(pattern, y, c, k, d, strength=lambda kind: Fraction(9, 10))
            ]
            twice += sum(len(v) > 1 for v in shown)
            astray += any(names[i] not in own for v in shown for i in v)
    return [twice, astray]


def both_rules_at_once(P, s_star, k):
    """Patches that both rules take where the second one draws from all patches too. Shape (2,)."""
    chance = cut(s_star, P)
    return [
        sum(
            len(set(u) & set(v))
            for u, _ in chosen(range(P), chance)
            for v, _ in chosen(range(P), chance)
        ),
        0,
    ]


def none_of_them(P, s_star, k):
    return [0, 0]


apart = claim(
    "granularity-patches-apart",
    lhs=r"\big(\#\{p\in\mathcal P(X;v)\cap\mathcal P(X;v')\},\ \#\{X\text{ of two }(y,c)\}\big)",
    tex="(0,0)",
    states="granularity-data-model",
    title="No patch shows two words",
    says=r"$\mathcal P(X;v)\cap\mathcal P(X;v')=\emptyset$ for $v\ne v'$, and all words of an easy sample are $v_y$ "
    r"and $v_{y,c}$ of one $(y,c)$.",
    covers="disjoint-and-consistent",
    domain={P: integers(1), s_star: reals(0, low_open=True), k: integers(1)},
    where=s_star <= P,
    grid={
        "smoke": [
            {P: 2, s_star: 1, k: 2},
            {P: 3, s_star: Fraction(3, 2), k: 1},
            {P: 3, s_star: 3, k: 1},
        ],
        "standard": {P: [3], s_star: [1, Fraction(5, 2)], k: [2]},
    },
    relation=equals(),
    legs=[
        leg(
            "all patterns",
            mixed_patches,
            reference=none_of_them,
            unit=1,
            inside="X v v_prime",
            where=sp.And(P <= 3, k <= 2),
        )
    ],
    rivals=[
        variant("both rules from all patches", simulation=both_rules_at_once, leg="all patterns")
    ],
)


def hard_invariants(P, s_star, s_dag, y, own=False):
    """Chances that a hard sample of (y, 0) or (y, 1) shows its own common word, and that the number of strong patches
    is not 1 though one was left; then P[Kd = j | K2 = b], b, j = 0 to P, 0 where b cannot be. Shape
    (2 + (P + 1)^2,)."""
    wrong_word, strong = Fraction(0), Fraction(0)
    law = {}
    drawn = [
        (pattern, p / 2, c) for pattern, p in hard_patterns(P, s_star, s_dag) for c in range(2)
    ]
    for pattern, p, c in drawn:
        shown = [word(COMMON if own and kind == OPPOSITE else kind, y, c) for kind in pattern]
        wrong_word += p * ((y,) in shown)
        left = pattern.count(SUBCLASS) + shown.count((other(y),)) < P
        strong += p * (pattern.count(STRONG) != int(left))
        b, weak = pattern.count(SUBCLASS), shown.count((other(y),))
        law.setdefault(b, [Fraction(0)] * (P + 1))[weak] += p
    never = [Fraction(0)] * (P + 1)
    return [
        wrong_word,
        strong,
        *(p / (sum(law[b]) if b in law else 1) for b in range(P + 1) for p in law.get(b, never)),
    ]


def own_word(P, s_star, s_dag, y):
    return hard_invariants(P, s_star, s_dag, y, own=True)


def with_weak(P, s_star, law):
    """(0, 0) and the law of Kd given each b that can be, 0 for the others."""
    possible = {b for (_, b), p in count_law(P, s_star).items() if p}
    rows = (law(b) if b in possible else [] for b in range(P + 1))
    return [0, 0, *(p for row in rows for p in [*row, *[0] * (P + 1 - len(row))])]


def hard_stated(P, s_star, s_dag, y):
    """(0, 0, Bin(P - b, min(1, s_dag/(P - b))))."""
    return with_weak(P, s_star, lambda b: binomial_law(P - b, cut(s_dag, P - b)))


def out_of_all(P, s_star, s_dag, y):
    """With chances s_dag/P."""
    return with_weak(P, s_star, lambda b: binomial_law(P - b, cut(s_dag, P)))


WEAK = (
    "Sum(j*binomial(P - b, j)*(s_dag/(P - b))**j*(1 - s_dag/(P - b))**(P - b - j), (j, 0, P - b))"
)
WEAK_MEAN = formula_leg(
    "mean",
    typed(f"{WEAK} == s_dag", over=["P in 1..oo", "b in 0..P-1", "s_dag in (0, P - b]"]),
    over="y c",
)

hard = claim(
    "granularity-hard-samples",
    lhs=r"(\Pr[v_y\text{ shown}],\ \Pr[\#\zeta^*\ne1],\ \Pr[K_d=j\mid K_2=b])",
    tex=r"(0,\ 0,\ \tbinom{P-b}jr^j(1-r)^{P-b-j}),\ r=\min(1,\tfrac{s^\dagger}{P-b})",
    states="granularity-data-model",
    title="Hard samples",
    says=r"A hard sample of $(y,c)$ shows no $v_y$, given $K_2=b$ $\mathrm{Bin}(P-b,\min(1,\frac{s^\dagger}{P-b}))$ "
    r"patches of $v_{-y}$, of mean $\min(s^\dagger,P-b)$, and one patch of $\zeta^*$ if any is left.",
    covers="hard-sample",
    domain={P: integers(1), s_star: reals(0, low_open=True), s_dag: reals(1), y: choices("+", "-")},
    where=s_star <= P,
    grid={
        "smoke": [
            {P: 2, s_star: 1, s_dag: 1, y: "+"},
            {P: 3, s_star: 1, s_dag: 2, y: "-"},
            {P: 3, s_star: 2, s_dag: 4, y: "+"},
        ],
        "standard": {P: [3], s_star: [Fraction(1, 2), 2], s_dag: [1, 3], y: ["+", "-"]},
    },
    relation=equals(),
    legs=[
        leg(
            "all patterns", hard_invariants, reference=hard_stated, unit=1, inside="X", where=P <= 3
        ),
        WEAK_MEAN,
    ],
    rivals=[
        variant("noise of the own class", simulation=own_word, leg="all patterns"),
        variant("chances s_dag/P", reference=out_of_all, leg="all patterns"),
        *rivals_of(WEAK_MEAN, {"s_dag (P - b)/P": f"{WEAK} == s_dag*(P - b)/P"}),
    ],
)


def labelled(shown, k):
    """Classes and subclasses by the rule, of the words that are shown (those of feature noise left out)."""
    classes = [y for y in "+-" if any(v in shown for v in features(y, k))]
    return classes, [v for y in "+-" for v in features(y, k)[1:] if v in shown]


def unlabelled(P, s_star, k):
    """Chance that an easy sample has no class; 2 where one has another than its own. Shape ()."""
    found = Fraction(0)
    for pattern, p in easy_patterns(P, s_star):
        for y, c in product("+-", range(k)):
            classes, pairs = labelled({word(kind, y, c) for kind in pattern}, k)
            if classes not in ([], [y]) or pairs not in ([], [(y, c)]):
                return Fraction(2)
            found += p / (2 * k) * (not classes)
    return found


def unlabelled_hard(P, s_star, k):
    """The same of a hard sample; the feature noise does not count. Shape ()."""
    found = Fraction(0)
    for pattern, p in hard_patterns(P, s_star, 1):
        for y, c in product("+-", range(k)):
            classes, pairs = labelled({word(kind, y, c) for kind in pattern if kind != OPPOSITE}, k)
            if classes not in ([], [y]) or pairs not in ([], [(y, c)]):
                return Fraction(2)
            found += p / (2 * k) * (not classes)
    return found


def noise_counts(P, s_star, k):
    """Hard samples where feature noise counts: some have the wrong class. Shape ()."""
    wrong = Fraction(0)
    for pattern, p in hard_patterns(P, s_star, 1):
        wrong += p * (labelled({word(kind, "+", 0) for kind in pattern}, k)[0] != ["+"])
    return wrong


NONE = (1 - s_star / P) ** (2 * P)


def no_subclass_patch(P, s_star, k):
    """P[K2 = 0], by counts. Shape ()."""
    return sum((p for (_, b), p in count_law(P, s_star).items() if b == 0), Fraction(0))


POSITIVE = formula_leg("positive", typed(f"{NONE} > 0", over=["P in 1..oo", "s_star in (0, P)"]))

labels = claim(
    "granularity-label-rule",
    lhs=r"\Pr[X\text{ has no class}]",
    tex=r"(1-s^*/P)^{2P}",
    states="granularity-data-model",
    title="What the label rule gives",
    says=r"By the rule of the patches a sample drawn for $(y,c)$ has the class $y$ and the subclass $(y,c)$ or none: "
    r"an easy one no class iff $K_1=K_2=0$, with probability $(1-s^*/P)^{2P}>0$ for $s^*<P$, a hard one iff $K_2=0$.",
    role="reading",
    covers="label-rule",
    reads={"X": "P s_star k"},
    domain={P: integers(1), s_star: reals(0, low_open=True), k: integers(1)},
    where=s_star < P,
    grid={
        "smoke": [
            {P: 2, s_star: 1, k: 2},
            {P: 3, s_star: Fraction(3, 2), k: 1},
            {P: 3, s_star: 2, k: 1},
        ],
        "standard": {P: [3], s_star: [1, Fraction(5, 2)], k: [2]},
    },
    closed_form=NONE,
    legs=[
        leg(
            "easy samples", unlabelled, where=sp.And(P <= 3, k <= 2), gives="c", chosen_by=labelled
        ),
        leg(
            "hard samples",
            unlabelled_hard,
            reference=no_subclass_patch,
            lhs=r"\Pr[X_{hard}\text{ has no class}]",
            tex=r"\Pr[K_2=0]",
            where=sp.And(P <= 3, k <= 2),
            gives="c",
            chosen_by=labelled,
        ),
        POSITIVE,
    ],
    rivals=[
        variant("every sample has one", closed_form=0, leg="easy samples"),
        variant("no common patch is enough", closed_form=(1 - s_star / P) ** P, leg="easy samples"),
        variant("feature noise counts", simulation=noise_counts, leg="hard samples"),
        *rivals_of(POSITIVE, {"s* = P too": {"over": ["P in 1..oo", "s_star in (0, P]"]}}),
    ],
)


def batches(q, k, stratified):
    """Label sequences of 2 k q samples with their probabilities: q of each subclass in any order, or independent."""
    law = {}
    for labels in product(product("+-", range(k)), repeat=2 * k * q):
        counts = tuple(labels.count(v) for v in product("+-", range(k)))
        if not stratified or set(counts) == {q}:
            law[counts] = law.get(counts, 0) + 1
    return {c: Fraction(n, sum(law.values())) for c, n in law.items()}


def of_a_batch(q, k, stratified=True):
    """Mean and variance of the number of samples of one subclass and of one class. Shape (4,)."""
    law = batches(q, k, stratified)
    one, half = {}, {}
    for counts, p in law.items():
        one[counts[0]] = one.get(counts[0], Fraction(0)) + p
        half[sum(counts[:k])] = half.get(sum(counts[:k]), Fraction(0)) + p
    return [*moments(one)[1:], *moments(half)[1:]]


def exact_counts(q, k):
    """N/(2k) and N/2, without variance, N = 2 k q."""
    return [q, 0, k * q, 0]


def independent(q, k):
    return of_a_batch(q, k, stratified=False)


q = sp.Symbol("q", integer=True, positive=True)
WHOLE = formula_leg(
    "classes",
    typed("Sum(2*k*q/(2*k), (c, 1, k)) == 2*k*q/2", over=["q in 1..oo", "k in 1..oo"]),
    over="t y c",
)
SPREAD = formula_leg(
    "independent labels",
    typed("Var[B] > 0", over=["q in 1..oo", "k in 1..oo", "B ~ Bin(2*k*q, 1/(2*k))"]),
    over="t y c",
)

batch = claim(
    "granularity-batches",
    lhs=r"(\mathbb E,\operatorname{Var})\#\{n:y_n=(y,c)\},\ (\mathbb E,\operatorname{Var})\#\{n:y_n=y\}",
    tex=r"(\tfrac N{2k},0),\ (\tfrac N2,0)",
    states="granularity-data-model",
    title="Batches hold all subclasses equally often",
    says=r"A batch with $N/(2k)$ samples of each subclass has $N/2$ of each class; $N$ independent labels, uniform on "
    "the subclasses, have the same means and positive variances.",
    covers="batch-exact",
    domain={q: integers(1), k: integers(1)},
    grid={"smoke": [{q: 1, k: 1}, {q: 2, k: 1}, {q: 1, k: 2}], "standard": [{q: 3, k: 1}]},
    relation=equals(),
    legs=[
        leg(
            "all orders",
            of_a_batch,
            reference=exact_counts,
            unit=1,
            required=False,
            where=sp.And(q * k <= 3, k <= 2),
        ),
        WHOLE,
        SPREAD,
    ],
    rivals=[
        variant("independent labels", simulation=independent, leg="all orders"),
        *rivals_of(WHOLE, {"N/(2k) of each class": "Sum(2*k*q/(2*k), (c, 1, k)) == 2*k*q/(2*k)"}),
        *rivals_of(SPREAD, {"none": "Var[B] == 0"}),
    ],
)
