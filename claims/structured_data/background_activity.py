r"""Lemmas A.5 and A.9: a typical neuron is active on a constant part of the background.

Setting. phi_l, l outside of A, are n = D - k independent Bernoulli(p) over sigma~; r^2 = p (1 - p) = sigma_phi^2
sigma~^2, L = ln(D m/delta) >= 1/2 (D >= 2). Typical: max|q_l| <= sigma_w sqrt(2 L), |q_-A|^2 between sigma_w^2 n/2
and 3 sigma_w^2 n/2, sigma_w = 1/k, |b| <= sqrt(2 L)/k^2. S is the deviation of the sum, R its third moments.

Statements. (1) Pr[sum >= theta] >= Q(theta/S) - (14/25) R/S^3 (Berry and Esseen with 0.56), and R/S^3 <= 2
sqrt(L)/(r sqrt(n)): above sqrt(n sigma_phi^2 sigma_w^2) with probability at least 7/100 - (9/4) L^(3/2)/(r sqrt n).
(2) p >= k^2/D gives r^2 n >= k^2/4, so n sigma_phi^2 = r^2 n/(r^2 n + sum of k variances) >= k/(k + 1): above
sigma_w/2 with probability at least 3/20 - (9/4) k^(-1/4) where k >= L^2. (3) With xi ~ N(0, s^2), s <= 1/k, and V^2 =
S^2 + s^2: beta >= Phi((1 - b)/V) - Phi(-b/V) - (28/25) R/S^3 >= 47/100 - 13/100 >= 1/3 for p >= k^2/D and k >= 100
L^2.

Reference: Lemma A.5, lines 2961-2969; Lemma A.9, lines 3064-3066 and 3138-3146.
"""

from __future__ import annotations

from fractions import Fraction

from flint import ctx

from theorycheck import at_least, claim, formula_leg, instances, leg, rivals_of, typed, variant

from ._balls import BITS, ONE_POINT, number
from ._first_step import (
    activity,
    background_sum,
    edge_neuron,
    generic,
    normal_tail,
    spread_and_shape,
)

ANTI, FIRST = "structured-anticoncentration", "structured-first-step-emergence"
TAIL_FIELDS, ACTIVE_FIELDS = "rest p theta", "rest b p s"


def passing(rest, p, theta):
    """Pr[sum >= theta] over all background patterns. Shape ()."""
    with ctx.workprec(BITS):
        return number(
            sum((m for v, m in background_sum(rest, p).items() if v >= theta), Fraction(0))
        )


def passing_bound(rest, p, theta, share=1):
    """Q(theta/S) - (14/25) R/S^3. Shape ()."""
    with ctx.workprec(BITS):
        spread, shape = spread_and_shape(rest, p)
        return normal_tail(number(theta) / spread) - number(share) * shape


def without_the_shape(rest, p, theta):
    return passing_bound(rest, p, theta, share=0)


def a_tenth_of_it(rest, p, theta):
    return passing_bound(rest, p, theta, share=Fraction(1, 10))


def active_bound(rest, b, p, s, share=1):
    """Phi((1 - b)/V) - Phi(-b/V) - (28/25) R/S^3. Shape ()."""
    with ctx.workprec(BITS):
        wide, _ = spread_and_shape(rest, p, s)
        _, shape = spread_and_shape(rest, p)
        gate = normal_tail(number(-b) / wide) - normal_tail(number(1 - b) / wide)
        return gate - 2 * number(share) * shape


def active_without_shape(rest, b, p, s):
    return active_bound(rest, b, p, s, share=0)


def active_other_bias(rest, b, p, s):
    return active_bound(rest, -b, p, s)


def a_neuron(rng):
    found = generic(rng)
    weights = [u for u, _ in found["rest"]]
    return {**found, "theta": Fraction(int(rng.integers(-4, 9)), 8) * max(abs(u) for u in weights)}


def tail_fields(found):
    return {name: found[name] for name in TAIL_FIELDS.split()}


def active_fields(found):
    return {name: found[name] for name in ACTIVE_FIELDS.split()}


def some_tail(rng):
    return tail_fields(a_neuron(rng))


def some_active(rng):
    return active_fields(a_neuron(rng))


def just_above(rng):
    """64 fair patterns, the threshold just above the largest atom."""
    return {"rest": [(Fraction(1), 64)], "p": Fraction(1, 2), "theta": Fraction(1, 10**6)}


def edge_tail(rng):
    """400 background patterns beside ten relevant ones, the corner of equal weights."""
    return tail_fields(
        edge_neuron(10, 400, Fraction(1, 5), Fraction(int(rng.integers(8, 12)), 10), 0)
    )


def edge_active(rng):
    """The same with a negative bias of a tenth of the deviation and more."""
    side = -int(rng.integers(100, 400))
    return active_fields(
        edge_neuron(
            10,
            400,
            Fraction(1, 5),
            Fraction(int(rng.integers(8, 12)), 10),
            side,
            Fraction(int(rng.integers(0, 3)), 2),
        )
    )


def at_the_atom(rng):
    """The bias just below the largest atom."""
    return {
        "rest": [(Fraction(1, 256), 64)],
        "b": Fraction(-1, 10**6),
        "p": Fraction(1, 2),
        "s": Fraction(0),
    }


def far_bias(rng):
    """A bias of minus one deviation: half of the chance is gone."""
    return active_fields(edge_neuron(10, 400, Fraction(1, 5), Fraction(1), -1000))


SCALE = ["w > 0", "L in [1/2, oo)", "r in (0, 1/2]", "n in 1..oo"]
SHAPE = "(14/25)*(w*sqrt(2*L))/(r*sqrt(w**2*n/2))"
THIRD = typed(
    "abs(u)**3 <= M*u**2 and (1 - p)**2 + p**2 <= 1",
    over=["M >= 0", "u in [-M, M]", "p in [0, 1/2]"],
)
ANY_WEIGHT = {"any weight": {"over": ["M >= 0", "u in R", "p in [0, 1/2]"]}}

AT_SCALE = formula_leg(
    "the threshold",
    typed(
        "w*sqrt(n)*r/(r*sqrt(w**2*n/2)) == sqrt(2) and Q(x) >= 7/100",
        over=[*SCALE, "x in (-oo, sqrt(2)]"],
    ),
    over="law w phi",
    gives="c1 c2",
)
BERRY = formula_leg(
    "the error",
    typed(f"{SHAPE} <= (9/4)*L**(3/2)/(r*sqrt(n))", over=SCALE),
    over="law w phi",
    gives="C",
)
CUBES = formula_leg("third moments", THIRD, over="law w phi")
first_form = claim(
    "structured-anticoncentration-scale",
    lhs=r"\Pr\Big[\sum_{l\notin A}\phi_lq_l\ge\theta\Big]",
    tex=r"Q(\theta/S)-\tfrac{14}{25}\tfrac R{S^3}",
    states=ANTI,
    title="A typical neuron passes its scale",
    says=r"For every typical $w$, $\Pr\big[\sum_{l\notin A}\phi_lq_l\ge\sqrt{n\sigma_\phi^2\sigma_w^2}\big]\ge"
    r"\frac7{100}-\frac94\,\frac{\ln^{3/2}(Dm/\delta)}{\sqrt{n\,p(1-p)}}$.",
    covers="first-form",
    reads={"law": "p", "w": "rest"},
    **ONE_POINT,
    legs=[
        leg(
            "neurons",
            passing,
            reference=passing_bound,
            relation=at_least(),
            required=False,
            inside="phi",
            instances=instances(some_tail, TAIL_FIELDS, smoke=4, standard=12),
        ),
        leg(
            "just above an atom",
            passing,
            reference=passing_bound,
            relation=at_least(),
            required=False,
            instances=instances(just_above, TAIL_FIELDS, smoke=1),
        ),
        leg(
            "400 patterns",
            passing,
            reference=passing_bound,
            relation=at_least(),
            required=False,
            instances=instances(edge_tail, TAIL_FIELDS, smoke=1, standard=3),
        ),
        CUBES,
        AT_SCALE,
        BERRY,
    ],
    rivals=[
        variant("without the error", reference=without_the_shape, leg="just above an atom"),
        variant("a tenth of the error", reference=a_tenth_of_it, leg="just above an atom"),
        *rivals_of(CUBES, ANY_WEIGHT),
        *rivals_of(
            AT_SCALE, {"1/10": "w*sqrt(n)*r/(r*sqrt(w**2*n/2)) == sqrt(2) and Q(x) >= 1/10"}
        ),
        *rivals_of(BERRY, {"constant 2": f"{SHAPE} <= 2*L**(3/2)/(r*sqrt(n))"}),
    ],
)

RATE = typed(
    "(D - k)*(k**2/D)/2 >= k**2/4 and p*(1 - p) >= x/2",
    over=["k in 1..oo", "D in [2*k**2, oo)", "x in [0, 1/2]", "p in [x, 1/2]"],
)
VARIANCE = typed("v/(v + k/4) >= k/(k + 1)", over=["k in 1..oo", "v in [k**2/4, oo)"])
SMALL_RATE = {
    "without the half": {
        "says": "(D - k)*(k**2/D) >= k**2/2 and p*(1 - p) >= x",
        "over": ["k in 1..oo", "D in [2*k**2, oo)", "x in [0, 1/2]", "p in [x, 1/2]"],
    }
}


def scale_legs(over):
    """r^2 n >= k^2/4 and n sigma_phi^2 >= k/(k + 1)."""
    rate, variance = (
        formula_leg(name, statement, over=over)
        for name, statement in (("patterns", RATE), ("share of the variance", VARIANCE))
    )
    wrong = [
        *rivals_of(rate, SMALL_RATE),
        *rivals_of(variance, {"k/(k + 1/2)": "v/(v + k/4) >= k/(k + 1/2)"}),
    ]
    return [rate, variance], wrong


SECOND_SCALE, SECOND_WRONG = scale_legs("w k")
AT_WEIGHT = formula_leg(
    "the threshold",
    typed(
        "(w/2)/(w*sqrt(g/2)) <= 1 and Q(x) >= 3/20",
        over=["w > 0", "g in [1/2, 1]", "x in (-oo, 1]"],
    ),
    over="w k",
    gives="c1 c2",
)
FALLING = formula_leg(
    "the error",
    typed("(14/25)*2*sqrt(L)/(h**4/2) <= (9/4)/h", over=["h in [1, oo)", "L in [0, h**2]"]),
    over="w k",
    gives="C",
)
CUBES_AGAIN = formula_leg("third moments", THIRD, over="w k")
second_form = claim(
    "structured-anticoncentration-weight",
    lhs=r"\Pr\Big[\sum_{l\notin A}\phi_lq_l\ge\theta\Big]",
    tex=r"Q(\theta/S)-\tfrac{14}{25}\tfrac R{S^3}",
    states=ANTI,
    title="A typical neuron passes its weight",
    says=r"For $p\ge k^2/D$, $k\ge\ln^2(Dm/\delta)$ and every typical $w$, $\Pr\big[\sum_{l\notin A}\phi_lq_l\ge"
    r"\frac12\sigma_w\big]\ge\frac3{20}-\frac94k^{-1/4}$.",
    covers="second-form",
    reads={"w": "rest", "k": "p theta"},
    **ONE_POINT,
    legs=[
        leg(
            "neurons",
            passing,
            reference=passing_bound,
            relation=at_least(),
            required=False,
            instances=instances(some_tail, TAIL_FIELDS, smoke=3, standard=9),
        ),
        leg(
            "just above an atom",
            passing,
            reference=passing_bound,
            relation=at_least(),
            required=False,
            instances=instances(just_above, TAIL_FIELDS, smoke=1),
        ),
        leg(
            "400 patterns",
            passing,
            reference=passing_bound,
            relation=at_least(),
            required=False,
            instances=instances(edge_tail, TAIL_FIELDS, smoke=1, standard=3),
        ),
        CUBES_AGAIN,
        *SECOND_SCALE,
        AT_WEIGHT,
        FALLING,
    ],
    rivals=[
        variant("without the error", reference=without_the_shape, leg="just above an atom"),
        *rivals_of(CUBES_AGAIN, ANY_WEIGHT),
        *SECOND_WRONG,
        *rivals_of(AT_WEIGHT, {"1/5": "(w/2)/(w*sqrt(g/2)) <= 1 and Q(x) >= 1/5"}),
        *rivals_of(FALLING, {"constant 2": "(14/25)*2*sqrt(L)/(h**4/2) <= 2/h"}),
    ],
)

# k >= 100 L^2 and L >= 1/2, so k >= 25
LARGE = ["k in 25..oo", "L in [1/2, sqrt(k)/10]"]


NARROWEST, WIDEST = "sqrt(k/(2*(k + 1)))", "sqrt(3/2 + 1)"
"""Of k V, for sigma_xi up to 1/k."""
WIDTH = f"{NARROWEST} <= sqrt(v + k**2*s**2) <= {WIDEST}"
SQUARES = ["k in 25..oo", "v in [k/(2*(k + 1)), 3/2]"]


def beta_legs(over, gives):
    """beta >= 1/3 from the bound."""
    # v is k^2 S^2, s is sigma_xi
    width = formula_leg("the noise", typed(WIDTH, over=[*SQUARES, "s in [0, 1/k]"]), over=over)
    near = formula_leg(
        "the bias",
        typed(
            f"sqrt(2*L)/(k*{NARROWEST}) <= 3/50 and (1 - sqrt(2*L)/k**2)*k/{WIDEST} >= 4",
            over=LARGE,
        ),
        over=over,
    )
    gate = formula_leg(
        "the gate",
        typed("Phi(u) - Phi(v) >= 47/100", over=["u in [4, oo)", "v in [-3/50, 3/50]"]),
        over=over,
    )
    error = formula_leg(
        "the error",
        typed("(28/25)*2*sqrt(L)/(k/2) <= 13/100 and 47/100 - 13/100 >= 1/3", over=LARGE),
        over=over,
        gives=gives,
    )
    wrong = [
        *rivals_of(width, {"sigma_xi to 11/(10 k)": {"over": [*SQUARES, "s in [0, 11/(10*k)]"]}}),
        *rivals_of(near, {"at 1/20": f"sqrt(2*L)/(k*{NARROWEST}) <= 1/20"}),
        *rivals_of(gate, {"1/2": "Phi(u) - Phi(v) >= 1/2"}),
        *rivals_of(error, {"1/10": "(28/25)*2*sqrt(L)/(k/2) <= 1/10"}),
    ]
    return [width, near, gate, error], wrong


BETA_SCALE, BETA_SCALE_WRONG = scale_legs("w_i b_i")
BETA, BETA_WRONG = beta_legs("w_i b_i", "c")
CUBES_OF_BETA = formula_leg("third moments", THIRD, over="w_i b_i")
beta = claim(
    "structured-first-step-gate",
    lhs=r"\beta",
    tex=r"\Phi\big(\tfrac{1-b}V\big)-\Phi\big(\tfrac{-b}V\big)-\tfrac{28}{25}\tfrac R{S^3}",
    states=FIRST,
    title="Gates of the first step are open with constant probability",
    says=r"For $p\ge k^2/D$, $k\ge100\ln^2(Dm/\delta)$ and $\sigma_\xi\le1/k$ every typical neuron has "
    r"$\beta\ge\frac13$.",
    covers="beta-range",
    reads={"w_i": "rest p s", "b_i": "b"},
    **ONE_POINT,
    legs=[
        leg(
            "neurons",
            activity,
            reference=active_bound,
            relation=at_least(),
            required=False,
            instances=instances(some_active, ACTIVE_FIELDS, smoke=4, standard=12),
        ),
        leg(
            "at an atom",
            activity,
            reference=active_bound,
            relation=at_least(),
            required=False,
            instances=instances(at_the_atom, ACTIVE_FIELDS, smoke=1),
        ),
        leg(
            "400 patterns",
            activity,
            reference=active_bound,
            relation=at_least(),
            required=False,
            instances=instances(edge_active, ACTIVE_FIELDS, smoke=1, standard=3),
        ),
        leg(
            "a bias of one deviation",
            activity,
            reference=active_bound,
            relation=at_least(),
            required=False,
            instances=instances(far_bias, ACTIVE_FIELDS, smoke=1),
        ),
        CUBES_OF_BETA,
        *BETA_SCALE,
        *BETA,
    ],
    rivals=[
        variant("without the error", reference=active_without_shape, leg="at an atom"),
        variant("the other bias", reference=active_other_bias, leg="a bias of one deviation"),
        *rivals_of(CUBES_OF_BETA, ANY_WEIGHT),
        *BETA_SCALE_WRONG,
        *BETA_WRONG,
    ],
)
