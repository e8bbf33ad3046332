r"""Lemma G.2 and Corollary G.2.1: steps of a fine network before it stops, and when it does.

Setting. 2k outputs, exactly s common and s subclass patches a sample, one sample of each subclass a batch, no noise,
strengths 1, nS detectors of each word of the class in each net. All outputs are in [0, B], B <= log(3/2), before T_0:
each probability is in [1/(3k), 3/(4k)] then (granularity-fine-logits). Counts of drawn patches are
granularity-patch-count's.

Statements. (1) With p the net's own probability on its samples and q its mean on those of the siblings, the common
detectors of a net move by c_+ eta s/(2kP), c_+ = 1 - p - (k - 1) q in [1/4, 2/3], those of its subclass by c_f eta
s/(2kP), c_f = 1 - p in [1 - 3/(4k), 1 - 1/(3k)]. Where the patches of each subclass are their mean up to a factor 1
+- D, the first is in [(1 - 7 D)/4, 2 (1 + 2 D)/3], the second in its range times 1 +- D; by Chernoff's bound D <=
s^(-1/3)/7 for all 2k subclasses of a batch but for 4k e^(-s^(1/3) n/147), n = N/(2k) >= d samples each, at most
e^(-log^2 d) from d = 30000 on. Detectors fire on the patches of their own word alone. (2) The noise of a common
detector's step has at t = 0 the variance (1 - 3/(4k))/k times (eta sigma)^2 s/(2 N P^2): the printed deviation, without
a power of k, has no constant. (3) With c_+, c_f averaged over the steps up to T_0, an output of B is reached when T_0
eta s^2 nS/(kP) = 2 B/((c_+ + c_f)(1 - beta)), up to one step. (4) Printed without T_0 that product is of order 1. It is
at most nS/(k P d^3 log d) times a constant, since eta s <= C/(d^3 log d), and s <= P.

Reference: Definition G.2, Lemma G.2 and Corollary G.2.1, lines 2046-2206.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from flint import ctx

from theorycheck import (
    at_least,
    at_most,
    claim,
    equals,
    formula_leg,
    instances,
    integers,
    leg,
    reals,
    rivals_of,
    typed,
    variant,
)

from ._data import COMMON, NOISE, SUBCLASS, sample
from ._network import BITS, Neuron, detectors, fine_labels, outputs, stepped, updates

k, s, nS = sp.symbols("k s nS", integer=True, positive=True)
p, q, eta, B = sp.symbols("p q eta B", positive=True)
beta = sp.Symbol("beta", nonnegative=True)


def batch(k, s, noise=lambda label, i: None):
    """One sample of each subclass with s common and s subclass patches, in R^(2k + 2) and one more axis."""
    pattern = (COMMON,) * s + (SUBCLASS,) * s
    return [
        (sample(pattern, y, c, k, 2 * k + 3, noise=lambda i, label=(y, c): noise(label, i)), (y, c))
        for y, c in fine_labels(k)
    ]


def planted(k, nS=1):
    """Detectors of weight 1 and bias -1/2: on words alone."""
    return detectors(fine_labels(k), k, 2 * k + 3, 1, Fraction(-1, 2), nS)


def chances(label, p, q, k):
    """Probabilities on a sample: p for its own output, q for those of its siblings, the same rest for the others."""
    rest = (1 - Fraction(p) - (k - 1) * Fraction(q)) / k
    return {
        (y, c): Fraction(p) if (y, c) == label else Fraction(q) if y == label[0] else rest
        for y, c in fine_labels(k)
    }


def coefficient(k, s, p, q, kind):
    """What a detector of (+, 0) of a kind gains along its word, over eta s/(2kP), by the printed step with these
    probabilities. Shape ()."""
    at = iter([label for _, label in batch(k, s)])
    moved = updates(planted(k), batch(k, s), 1, lambda scores: chances(next(at), p, q, k))
    word = 0 if kind == COMMON else 2
    detector = 0 if kind == COMMON else 1
    return moved["+", 0][detector][word] * 2 * k * (2 * s) / s


def of_the_common(k, s, p, q):
    """Shape ()."""
    return coefficient(k, s, p, q, COMMON)


def of_the_subclass(k, s, p, q):
    """Shape ()."""
    return coefficient(k, s, p, q, SUBCLASS)


def with_counts(k, s, p, q, common, sub, kind):
    """The same where the sample of the subclass c of either class shows the word of its class common[c] times and its
    own sub[c] times. D: how far off s the counts of the kind are, over s."""
    size = max(common) + max(sub)
    seen = []
    for y, c in fine_labels(k):
        pattern = (COMMON,) * common[c] + (SUBCLASS,) * sub[c]
        rest = (NOISE,) * (size - len(pattern))
        seen.append((sample(pattern + rest, y, c, k, 2 * k + 3), (y, c)))
    at = iter([label for _, label in seen])
    moved = updates(planted(k), seen, 1, lambda scores: chances(next(at), p, q, k))
    word, detector = (0, 0) if kind == COMMON else (2, 1)
    counts = common if kind == COMMON else sub[:1]
    return {
        "value": moved["+", 0][detector][word] * 2 * k * size / s,
        "D": max(abs(Fraction(a, s) - 1) for a in counts),
    }


def common_with_counts(k, s, p, q, common, sub):
    """Shape ()."""
    return with_counts(k, s, p, q, common, sub, COMMON)


def subclass_with_counts(k, s, p, q, common, sub):
    """Shape ()."""
    return with_counts(k, s, p, q, common, sub, SUBCLASS)


def off_by(rng, s):
    """A size of deviation."""
    return 1 + int(rng.integers(0, max(1, s // 2)))


def few_of_its_own(rng, k, s):
    """As many fewer of its own as there are more of the siblings'."""
    h = off_by(rng, s)
    return {"common": [s - h] + [s + h] * (k - 1), "sub": [s - h] + [s] * (k - 1)}


def many_of_its_own(rng, k, s):
    h = off_by(rng, s)
    return {"common": [s + h] + [s - h] * (k - 1), "sub": [s + h] + [s] * (k - 1)}


COEFFICIENT = 1 - p - (k - 1) * q
OWN = 1 - p
D = sp.Symbol("D", nonnegative=True)
SHARE = "{} in [1/(3*k), 3/(4*k)]"
SHARES = ["k in 1..oo", SHARE.format("p"), SHARE.format("q")]
STEPS = {
    "domain": {k: integers(1), s: integers(1), p: reals(0, 1), q: reals(0, 1)},
    "where": sp.And(3 * k * p >= 1, 4 * k * p <= 3, 3 * k * q >= 1, 4 * k * q <= 3),
    "grid": {
        "smoke": [
            {k: 1, s: 1, p: Fraction(1, 2), q: Fraction(1, 2)},
            {k: 2, s: 2, p: Fraction(1, 5), q: Fraction(1, 3)},
            {k: 3, s: 1, p: Fraction(1, 4), q: Fraction(1, 9)},
        ],
        "standard": [{k: 4, s: 2, p: Fraction(1, 12), q: Fraction(3, 16)}],
    },
}
REACH = sp.And(k <= 4, s <= 3)
HELD = {"relation": equals(), "mutate": False, "states": "granularity-fine-updates"}

EVERY = "init batches d t c r"
RANGE = formula_leg("range", typed(f"1/4 <= {COEFFICIENT} <= 2/3", over=SHARES), over=EVERY)
# x: common patches of its own samples over their mean, y: of the siblings'; u = 1 - p, w = (k - 1) q, v = 1/(3 k)
LEAST, MOST = (1 - 7 * D) / 4, 2 * (1 + 2 * D) / 3
NEAR = ["D in [0, 1]", "x in [1 - D, 1 + D]", "y in [1 - D, 1 + D]"]
TAKEN_LAW = typed("1/3 - 1/(3*k) <= (k - 1)*q <= (1 - p) - 1/4", over=SHARES)
TAKEN = formula_leg("what the siblings take", TAKEN_LAW, over=EVERY)
FROM_BELOW = formula_leg(
    "counts, from below",
    typed(f"u*x - w*y >= {LEAST}", over=["u in [1/4, 1]", "w in [0, u - 1/4]", *NEAR]),
    over=EVERY,
)
FROM_ABOVE = formula_leg(
    "counts, from above",
    typed(
        f"u*x - w*y <= {MOST}",
        over=["v in [0, 1/3]", "u in [1/4, 1 - v]", "w in [1/3 - v, oo)", *NEAR],
    ),
    over=EVERY,
)
# by Chernoff's bound at D = s^(-1/3)/7, n samples; k <= d^(2/5)
EXPONENT = "s**(1/3)*n/147"
CHERNOFF_LAW = typed(f"-(s**(-1/3)/7)**2*s*n/3 == -{EXPONENT}", over=["s > 0 real", "n > 0 real"])
CHERNOFF = formula_leg("Chernoff's exponent", CHERNOFF_LAW, over=EVERY)
LATE_LAW = typed(
    f"log(4) + 2*log(d)/5 - {EXPONENT} <= -log(d)**2",
    over=["d in 30000..oo", "n in [d, oo)", "s in [1, oo)"],
)
LATE = formula_leg("for large d", LATE_LAW, over="init batches t c r")
DRAWN = {
    "smoke": [
        {k: 3, s: 8, p: Fraction(1, 4), q: Fraction(1, 4)},
        {k: 3, s: 8, p: Fraction(1, 9), q: Fraction(1, 9)},
    ],
    "standard": [{k: 2, s: 6, p: Fraction(1, 6), q: Fraction(3, 8)}],
}


def counted(name, program, draw, bound, relation, tex, lhs):
    """A step on samples with other counts than s."""
    return leg(
        name,
        program,
        observed=["D"],
        instances=instances(draw, "common sub", smoke=3, standard=5),
        closed_form=bound,
        relation=relation,
        grid=DRAWN,
        lhs=lhs,
        tex=tex,
        where=sp.And(k <= 4, s >= 2, s <= 8),
    )


FEW = counted(
    "few of its own", common_with_counts, few_of_its_own, LEAST, at_least(), r"\tfrac{1-7D}4", "c_+"
)
MANY = counted(
    "many of its own",
    common_with_counts,
    many_of_its_own,
    MOST,
    at_most(),
    r"\tfrac{2(1+2D)}3",
    "c_+",
)

common = claim(
    "granularity-fine-common-increment",
    lhs=r"c_+",
    tex=r"1-p-(k-1)q",
    title="Steps of the common detectors",
    says=r"Before $T_0$ a common detector of $(+,c)$ that fires on the patches of $v_+$ alone moves by "
    r"$c_+\eta\frac{s^*}{2kP}$ along $v_+$, $c_+=1-p-(k-1)q\in[\frac14,\frac23]$, up to $1\pm s^{*-1/3}$ for counts, "
    r"but for $4ke^{-s^{*1/3}N/(294k)}$.",
    covers="common-increment",
    encodes="special-case",  # strength 1, and detectors that fire on the patches of their own word alone
    closed_form=COEFFICIENT,
    legs=[
        leg("printed step", of_the_common, where=REACH),
        FEW,
        MANY,
        RANGE,
        TAKEN,
        FROM_BELOW,
        FROM_ABOVE,
        CHERNOFF,
        LATE,
    ],
    rivals=[
        variant("k siblings", closed_form=1 - p - k * q, leg="printed step"),
        variant("its own samples alone", closed_form=OWN, leg="printed step"),
        variant("4 D", closed_form=(1 - 4 * D) / 4, leg="few of its own"),
        variant("3/2 D", closed_form=(2 + 3 * D) / 3, leg="many of its own"),
        *rivals_of(TAKEN, {"a third": "(k - 1)*q <= (1 - p) - 1/3"}),
        *rivals_of(FROM_BELOW, {"5 D": "u*x - w*y >= (1 - 5*D)/4"}),
        *rivals_of(FROM_ABOVE, {"D": "u*x - w*y <= 2*(1 + D)/3"}),
        *rivals_of(CHERNOFF, {"without the 7": "-(s**(-1/3)/7)**2*s*n/3 == -s**(1/3)*n/3"}),
        *rivals_of(
            LATE, {"from 2000 on": {"over": ["d in 2000..oo", "n in [d, oo)", "s in [1, oo)"]}}
        ),
        *rivals_of(
            RANGE,
            {
                "up to 3/5": f"1/4 <= {COEFFICIENT} <= 3/5",
                "from 1/3 on": f"1/3 <= {COEFFICIENT} <= 2/3",
                "probabilities up to 1/k": {
                    "over": ["k in 1..oo", "p in [1/(3*k), 1/k]", "q in [1/(3*k), 1/k]"]
                },
            },
        ),
    ],
    **STEPS,
    **HELD,
)

NEAR_ONE = formula_leg(
    "range", typed(f"1 - 3/(4*k) <= {OWN} <= 1 - 1/(3*k)", over=SHARES), over=EVERY
)
OWN_LEAST, OWN_MOST = (1 - 3 / (4 * k)) * (1 - D), (1 - 1 / (3 * k)) * (1 + D)
COUNTED = formula_leg(
    "counts",
    typed(f"{OWN_LEAST} <= (1 - p)*x <= {OWN_MOST}", over=[*SHARES, *NEAR[:2]]),
    over=EVERY,
)
FEW_OWN = counted(
    "few of its own",
    subclass_with_counts,
    few_of_its_own,
    OWN_LEAST,
    at_least(),
    r"(1-\tfrac3{4k})(1-D)",
    "c_f",
)
MANY_OWN = counted(
    "many of its own",
    subclass_with_counts,
    many_of_its_own,
    OWN_MOST,
    at_most(),
    r"(1-\tfrac1{3k})(1+D)",
    "c_f",
)


def three_quarters():
    """The constant of O(1/k)."""
    return Fraction(3, 4)


CONSTANT = formula_leg(
    "constant",
    typed(f"abs({OWN} - 1) <= {three_quarters()}/k", over=SHARES),
    over=EVERY,
    gives="O",
    chosen_by=three_quarters,
)

subclass = claim(
    "granularity-fine-subclass-increment",
    lhs=r"c_f",
    tex=r"1-p",
    title="Steps of the subclass detectors",
    says=r"Before $T_0$ a subclass detector of $(+,c)$ that fires on the patches of $v_{+,c}$ alone moves by "
    r"$c_f\eta\frac{s^*}{2kP}$ along it, $c_f\in[1-\frac3{4k},1-\frac1{3k}]$, up to $1\pm s^{*-1/3}$ for the counts "
    r"but for $4ke^{-s^{*1/3}N/(294k)}$.",
    covers="fine-increment",
    encodes="special-case",
    closed_form=OWN,
    legs=[
        leg("printed step", of_the_subclass, where=REACH),
        FEW_OWN,
        MANY_OWN,
        NEAR_ONE,
        CONSTANT,
        COUNTED,
        CHERNOFF,
        LATE,
    ],
    rivals=[
        variant("the siblings too", closed_form=COEFFICIENT, leg="printed step"),
        variant("half of D", closed_form=(1 - 3 / (4 * k)) * (1 - D / 2), leg="few of its own"),
        variant(
            "half of D above", closed_form=(1 - 1 / (3 * k)) * (1 + D / 2), leg="many of its own"
        ),
        *rivals_of(COUNTED, {"from the mean on": f"{OWN} <= (1 - p)*x <= {OWN_MOST}"}),
        *rivals_of(CHERNOFF, {"without the 7": "-(s**(-1/3)/7)**2*s*n/3 == -s**(1/3)*n/3"}),
        *rivals_of(
            LATE, {"from 2000 on": {"over": ["d in 2000..oo", "n in [d, oo)", "s in [1, oo)"]}}
        ),
        *rivals_of(NEAR_ONE, {"1 - 1/(2k) at most": f"1 - 3/(4*k) <= {OWN} <= 1 - 1/(2*k)"}),
        *rivals_of(CONSTANT, {"2/3": f"abs({OWN} - 1) <= 2/3/k"}),
    ],
    **STEPS,
    **HELD,
)


def noise_variance(k, s):
    """The sum of the squared weights of the patches' noises in the step of a common detector at t = 0, over eta^2
    s/(2 N P^2): every patch in turn has noise 1 on the axis beside the words. Shape ()."""
    total, samples = Fraction(0), fine_labels(k)
    chance = dict.fromkeys(samples, Fraction(1, 2 * k))
    for label in samples:
        for i in range(2 * s):

            def noise(here, at, label=label, i=i):
                return [int(here == label and at == i and e == 2 * k + 2) for e in range(2 * k + 3)]

            moved = updates(planted(k), batch(k, s, noise), 1, lambda scores: chance)
            total += moved["+", 0][0][2 * k + 2] ** 2
    return total * 2 * (2 * k) * (2 * s) ** 2 / s


VARIANCE = (1 - 3 / (4 * k)) / k
BOUNDS = formula_leg(
    "between", typed(f"1/(4*k) <= {VARIANCE} <= 1/k", over="k in 1..oo"), over="d batch t"
)

no_constant = claim(
    "granularity-fine-noise-printed",
    states="granularity-fine-updates",
    title="The noise of common detectors as printed",
    says=r"With some $c>0$ the noise of a common detector's step has deviation at least $c\,\eta\sigma_\zeta"
    r"\frac{\sqrt{s^*}}{P\sqrt{2N}}$ for all large $d$, and $k$ with it.",
    covers="common-noise-sd",
    reads={"Theta": "C"},
    expect="fail",
    legs=[
        formula_leg(
            "many subclasses",
            typed("(1 - 3/(4*k))/k >= C**2", over=["C > 0 real", "k in 1..oo"], where="k*C**2 > 1"),
            over="d batch t",
        )
    ],
)

noise = claim(
    "granularity-fine-noise",
    lhs=r"\sigma_{\Delta\zeta}^2\Big/\frac{\eta^2\sigma_\zeta^2s^*}{2NP^2}",
    tex=r"\frac1k\Big(1-\frac3{4k}\Big)",
    states="granularity-fine-updates",
    title="The noise of common detectors",
    says=r"At $t=0$ the variance of a common detector's noise is $\frac1k(1-\frac3{4k})\frac{\eta^2\sigma_\zeta^2s^*}"
    r"{2NP^2}$, between $\frac1{4k}$ and $\frac1k$ of the printed scale.",
    role="corrected",
    corrects="granularity-fine-noise-printed",
    covers="common-noise-sd",
    left={"Theta": "no constant is free of k"},
    domain={k: integers(1), s: integers(1)},
    grid={"smoke": {k: [1, 2], s: [1, 2]}, "standard": {k: [1, 2, 3], s: [1, 2]}},
    closed_form=VARIANCE,
    relation=equals(),
    legs=[
        leg("every patch's noise", noise_variance, required=False, where=sp.And(k <= 3, s <= 2)),
        BOUNDS,
    ],
    rivals=[
        variant("1/k^2", closed_form=VARIANCE / k, leg="every patch's noise"),
        variant("as printed", closed_form=sp.Integer(1) + 0 * k, leg="every patch's noise"),
        *rivals_of(BOUNDS, {"at least 1/(3k)": f"1/(3*k) <= {VARIANCE} <= 1/k"}),
    ],
)


def stops(k, s, nS, eta, beta, B):
    """T_0 eta s^2 nS/(kP) for the network itself: weights start at 1, biases just above -1, so that every detector is
    open; outputs are counted from what that leaves of them at the start. Shape ()."""
    with ctx.workprec(BITS):
        net = {
            c: [Neuron(n.w, Fraction(-999999, 1000000)) for n in neurons]
            for c, neurons in planted(k, nS).items()
        }
        seen, t = batch(k, s), 0
        start = [float(outputs(net, x)[label]) for x, label in seen]
        grown = 0.0
        while grown < float(B):
            net, t = stepped(net, seen, eta, beta), t + 1
            at = zip(seen, start, strict=True)
            grown = max(float(outputs(net, x)[label].mid()) - was for (x, label), was in at)
        return Fraction(t) * Fraction(eta) * s**2 * nS / (k * 2 * s)


LOW = 2 * B / ((sp.Rational(5, 3) - 1 / (3 * k)) * (1 - beta))
HIGH = 2 * B / ((sp.Rational(5, 4) - 3 / (4 * k)) * (1 - beta))
PACE = formula_leg(
    "pace",
    typed(
        f"{LOW} <= 2*B/((x + y)*(1 - beta)) <= {HIGH}",
        over=[
            "k in 1..oo",
            "B in (0, log(3/2)]",
            "beta in [0, 1)",
            "x in [1/4, 2/3]",
            "y in [1 - 3/(4*k), 1 - 1/(3*k)]",
        ],
    ),
)

WITHIN = sp.And(
    k <= 3, s <= 2, nS <= 2, s * nS * eta >= B / 20, beta <= sp.Rational(1, 5), eta <= 1
)

stop = claim(
    "granularity-fine-stop-range",
    lhs=r"T_0\frac{\eta s^{*2}n_S}{kP}",
    tex=r"\frac{2B}{(\frac53-\frac1{3k})(1-\beta)}",
    states="granularity-fine-stop-time",
    title="When fine training stops",
    says=r"$T_0\frac{\eta s^{*2}n_S}{kP}=\frac{2B}{(c_++c_f)(1-\beta)}$ up to one step, with $c_+\in[\frac14,\frac23]$ "
    r"and $c_f\in[1-\frac3{4k},1-\frac1{3k}]$.",
    role="derived",
    covers="explicit-range",
    domain={
        k: integers(1),
        s: integers(1),
        nS: integers(1),
        eta: reals(0, low_open=True),
        beta: reals(0, 1, high_open=True),
        B: reals(0, Fraction(2, 5), low_open=True),
    },
    grid={
        "smoke": [
            {k: 1, s: 1, nS: 1, eta: Fraction(1, 10), beta: 0, B: Fraction(2, 5)},
            {k: 2, s: 1, nS: 1, eta: Fraction(1, 4), beta: Fraction(1, 10), B: Fraction(2, 5)},
        ],
        "standard": [
            {k: 2, s: 2, nS: 1, eta: Fraction(1, 10), beta: Fraction(1, 20), B: Fraction(1, 5)},
            {k: 3, s: 1, nS: 1, eta: Fraction(1, 4), beta: 0, B: Fraction(2, 5)},
        ],
    },
    closed_form=LOW,
    relation=at_least(),
    legs=[
        leg("from below", stops, required=False, where=WITHIN),
        leg(
            "from above",
            stops,
            lhs=r"T_0\frac{\eta s^{*2}n_S}{kP}",
            tex=r"\frac{2B}{(\frac54-\frac3{4k})(1-\beta)}+\frac{\eta s^*n_S}{2k}",
            required=False,
            relation=at_most(),
            closed_form=HIGH + eta * s * nS / (2 * k),
            where=WITHIN,
        ),
        PACE,
    ],
    rivals=[
        variant("c_+ + c_f at most 1", closed_form=2 * B / (1 - beta), leg="from below"),
        variant("c_+ + c_f at least 3/2", closed_form=4 * B / (3 * (1 - beta)), leg="from above"),
        *rivals_of(
            PACE,
            {
                "c_+ up to 1": {
                    "over": [
                        "k in 1..oo",
                        "B in (0, log(3/2)]",
                        "beta in [0, 1)",
                        "x in [1/4, 1]",
                        "y in [1 - 3/(4*k), 1 - 1/(3*k)]",
                    ]
                }
            },
        ),
    ],
    mutate=False,
)

# x is s |S*|/(kP), at most polynomial of d^2 in a step of rate C/(d^3 s log d)
without_time = claim(
    "granularity-fine-stop-printed",
    states="granularity-fine-stop-time",
    title="The stopping time as printed",
    says=r"With some $c>0$ one step's output $\frac{\eta s^*}{kP}s^*|S^*|$ is at least $c$ for all large $d$, where "
    r"$\eta\le\frac C{d^3s^*\log d}$, $s^*\le P$ and $|S^*|\le d$.",
    covers="printed",
    reads={"Theta": "c_0"},
    expect="fail",
    legs=[
        formula_leg(
            "rate",
            typed(
                "(C/(d**3*s*log(d)))*s/(k*P)*s*S >= c_0",
                over=[
                    "c_0 > 0",
                    "C > 0 real",
                    "k in 1..oo",
                    "P in 1..oo",
                    "s in 1..P",
                    "d in 3..oo",
                    "S in 1..d",
                ],
                where="c_0*d**2 > C",
            ),
            over="event c",
        )
    ],
)
