r"""Section 2.3 and Lemma A.14: the second step lowers the background's part relative to the relevant patterns.

Setting. As in `second_step_bounds`, eta = gamma^2 sigma~/(k m^3), m >= max(k^4, D), k >= 6, x = k^(1/4), sigma~^2 at
most m/4, R <= sigma~ <= sqrt(2) R, eps_e <= 2 k x/R. r1, r2 are the largest |T_j| off A over the smallest on A after
either step.

Statements. (1) |<w^(1), phi>| <= eta |a| (k/(2 sigma~^2) + (43/5) eps_e) at every input, as n p (1 - p) <= sigma~^2,
and |T_b| <= (61/20) eps_e: |g^(1)| < 1 everywhere at this eta, and every input pulls. (2) With u_j = h sigma~
T_j^(1), h = eta a/sigma~^2, an input with pattern j on has an argument u_j above that with j off, and E y = 0 given all
others: |T_j^(2)| <= p (1 - p) |u_j| E|relevant part| max|H''|, |H''| <= 2 e^(-1/2)/(sqrt(2 pi) s^2). (3) So |T_j^(2)|
<= kappa |T_j^(1)|, kappa <= (1/32) k^4 h^2 <= gamma/100, for every j. On A sigma~ T^(2) >= (7/100 - 1/100) gamma and
sigma~ |T^(1)| <= 1/2: r2 <= (1/12) r1. It is less unless both are 0, as they are where the weights on A are 0.

Reference: lines 703-711; Lemma A.14, lines 3358-3479.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from flint import arb, ctx

from theorycheck import claim, variant

from ._balls import BITS, ONE_POINT, number
from ._bounded import bounded, step
from ._first_step import background_part, means
from ._second_step import after_one, bad_chance, second_step, variance
from .second_step_bounds import fair, some_step

FIELDS = "law own rest b p s eta a"


def second_size(law, own, rest, b, p, s, eta, a):
    """sigma~ |T_j| off A after two steps. Shape (groups,)."""
    with ctx.workprec(BITS):
        return [abs(t) for t in second_step(law, own, rest, b, p, s, eta, a)[1]]


def times_the_first(law, own, rest, b, p, s, eta, a, share=1, power=1):
    """kappa sigma~ |T_j| after one step, and Pr[y g > 1]. Shape (groups,)."""
    with ctx.workprec(BITS):
        on = after_one(law, own, rest, b, p, s, eta, a)[0]
        rows = zip(on, means(law), strict=True)
        moved = sum((abs(u) * number(2 * m * (1 - m)) for u, m in rows), arb(0))
        bend = 2 * (-arb(1) / 2).exp() / ((2 * arb.pi()).sqrt() * number(s * s))
        h = number(abs(eta * a)) / number(variance(law, rest, p))
        kappa = number(share * (p * (1 - p)) ** power) * h * moved * bend
        bad = bad_chance(law, own, rest, b, p, s, eta, a)
        return [kappa * abs(t) + bad for t in background_part(law, own, rest, b, p, s)]


def a_fifth(law, own, rest, b, p, s, eta, a):
    return times_the_first(law, own, rest, b, p, s, eta, a, share=Fraction(1, 5))


def squared(law, own, rest, b, p, s, eta, a):
    return times_the_first(law, own, rest, b, p, s, eta, a, power=2)


def a_small_step(rng):
    """The step so small that every input pulls."""
    found = some_step(rng)
    return {**found, "eta": found["eta"] / 64, "a": found["a"] / 4}


def bent(rng):
    """One background pattern, the bias at the steepest bend of H."""
    s = Fraction(1, 8)
    return fair(Fraction(1, 10), [(Fraction(1, 20), 1)], -s, s, Fraction(1, 64), Fraction(1))


def still(rng):
    """No weights on A: both are 0."""
    return {**bent(rng), "own": [Fraction(0)]}


NAMES = "neuron eta1"
PULL = "(1 + (2*sqrt(2)*(43/5 + 61/20))*x**5)/(4*x**18) <= {c}"
ALL_PULL, PULL_WRONG = step("every input pulls", PULL, "x in [3/2, oo)", "1/20", "(1/25)", NAMES)
READ = "2*(1/4)*(1/2)/(k*m**(3/2)) <= {c}"
READS, READ_WRONG = step("read-outs", READ, ["k in 6..oo", "m in [1, oo)"], "1/20", "(1/25)", NAMES)
STEEP = "abs(y)*exp(-y**2/2) <= {c}*exp(-1/2)"
BEND, BEND_WRONG = step("bend of H", STEEP, "y in R", "1", "(9/10)", NAMES)
KAPPA = "(1/4)*(2*exp(-1/2)/sqrt(2*pi))*(1/4)*2*x**2*g**2*(1/4)/(x**8*m**5) <= {c}*g"
SMALL, SMALL_WRONG = step(
    "kappa", KAPPA, ["x in [1, oo)", "g in (0, 1/2]", "m in [1, oo)"], "1/100", "(1/200)", NAMES
)
ERROR = "(31/100)*4/m**(5/2) + (5/8)/m + (61/100)*4*sqrt(2)/(8*m) <= {c}"
ON_A, ON_WRONG = step("on A", ERROR, "m in [600, oo)", "1/100", "(1/1000)", NAMES)
LESS = "(g/100)*t/((7/100 - 1/100)*g) <= {c}*t/(1/2)"
RATIO, RATIO_WRONG = step("ratio", LESS, ["g > 0", "t >= 0"], "(1/12)", "(1/13)", NAMES)

compared = partial(bounded, FIELDS)
ratio = claim(
    "structured-second-step-ratio",
    lhs=r"|T_j^{(2)}|",
    tex=r"p(1-p)\,\tfrac{2e^{-1/2}}{\sqrt{2\pi}\,\sigma_\xi^2}\,h\,\mathbb E|\langle q_A,\phi_A\rangle|\,"
    r"|T_j^{(1)}|+\Pr[yg^{(1)}>1]",
    states="structured-second-step-improvement",
    role="reading",
    title="The second step lowers the background's share",
    says=r"For $\eta_1=\gamma^2\tilde\sigma/(km^3)$, $m\ge\max(k^4,D)$, $k\ge6$ and every law of the family, every "
    r"typical neuron has $\max_{j\notin A}|T_j|/\min_A|T_j|$ after two steps at most $\frac1{12}$ of that after one: "
    "less, unless both are 0.",
    covers="ratio-improves",
    reads={"neuron": "own rest b a", "eta1": "eta"},
    **ONE_POINT,
    legs=[
        compared("members and neurons", second_size, times_the_first, some_step, 2, 6),
        compared("small steps", second_size, times_the_first, a_small_step, 3, 8),
        compared("at a bend", second_size, times_the_first, bent),
        compared("no weights on A", second_size, times_the_first, still),
        *ALL_PULL,
        *READS,
        *BEND,
        *SMALL,
        *ON_A,
        *RATIO,
    ],
    rivals=[
        variant("a fifth", reference=a_fifth, leg="at a bend"),
        variant("p^2 (1 - p)^2", reference=squared, leg="at a bend"),
        *PULL_WRONG,
        *READ_WRONG,
        *BEND_WRONG,
        *SMALL_WRONG,
        *ON_WRONG,
        *RATIO_WRONG,
    ],
)
