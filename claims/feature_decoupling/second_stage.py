r"""The second stage in its mean recursion: its length, and what biases gain in it (Theorem D.5 (b), section D.2).

Setting. A neuron has norm n at T1, its bias is sqrt(2 log d/d) n, and one of its columns at most is above it, by the
factor A. A step adds eta q (|alpha| - b) to a column above the bias, multiplies everything by 1 - eta lambda, and
raises the bias by its schedule, k = 1/d; logits are uniform, and noise opens no gate. T2 is the first step at which
some squared norm is d times what it was. H = d/sqrt(2 log d) is sqrt d n over the bias.

Statements. (1) alpha - b <= (A - 1) b (1 + eta q)^t for the bias b of T1, since biases do not fall. For A <= 3/2, d >=
8 and (1 + eta q)^t < H this is less than sqrt(d - 1) n: T2 - T1 >= log H/log(1 + eta q) >= log H/(eta q). (2) If A >
q/(q - lambda - k), then alpha/b never falls, whichever of the two terms raises the bias, and a step multiplies alpha
by g = 1 + eta (q (1 - 1/A) - lambda) at least: T2 - T1 <= log(H/A)/log g + 1. For lambda <= q (1 - 1/A)/2 both are of
order log d/(eta q). (3) No norm doubles before t = log(sqrt(3 d/(2 log d))/A)/log(1 + eta q), and b over the norm
never falls: at T2 all have b >= sqrt(2 log d/d) (1 + eta k)^(t - 1)/2 |w|. With q = C log log d/d and k = 1/d that
factor passes every power of log d.

Reference: lines 945-953, 1090-1130. Squares: A.4 (line 388) asks for a norm d times as large.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from flint import ctx

from theorycheck import (
    at_least,
    at_most,
    claim,
    formula_leg,
    instances,
    leg,
    rivals_of,
    typed,
    variant,
)

from ._dictionary import ONE_POINT
from ._gaussian import BITS, number
from ._second_stage import begin, following, second_stage, squared_norm

d = sp.Symbol("d", integer=True, positive=True)
q, eta, k, A, g = sp.symbols("q eta k A g", positive=True)
EARLIEST = sp.log(d / sp.sqrt(2 * sp.log(d))) / sp.log(1 + eta * q)
LATEST = sp.log(d / (A * sp.sqrt(2 * sp.log(d)))) / sp.log(g)
STILL = sp.log(sp.sqrt(3 * d / (2 * sp.log(d))) / A) / sp.log(1 + eta * q)
"""No norm has doubled by then."""
LARGE = sp.sqrt(2 * sp.log(d) / d) * (1 + eta * k) ** (STILL - 1) / 2


def length(neurons, d, q, lam, k, eta, grows=True):
    """T2 - T1. Shape ()."""
    with ctx.workprec(BITS):
        return sum(1 for _ in second_stage(neurons, d, q, lam, k, eta, grows)) - 1


def until_far_longer(neurons, d, q, lam, k, eta):
    """Until some norm is d^2 times what it was, and not sqrt(d) times."""
    with ctx.workprec(BITS):
        return sum(1 for _ in second_stage(neurons, d**4, q, lam, k, eta)) - 1


def without_bias(neurons, d, q, lam, k, eta):
    """All gates open. Shape ()."""
    with ctx.workprec(BITS):
        states = [{**begin(margins, d), "bias": number(0)} for margins in neurons]
        t = 0
        while not any(squared_norm(s) >= d for s in states):
            states, t = [following(s, q, lam, k, eta) for s in states], t + 1
        return t


def least_bias(neurons, d, q, lam, k, eta, grows=True):
    """The smallest bias over norm at T2. Shape ()."""
    with ctx.workprec(BITS):
        *_, states = second_stage(neurons, d, q, lam, k, eta, grows)
        ratios = [s["bias"] / squared_norm(s).sqrt() for s in states]
        least = ratios[0]
        for r in ratios[1:]:
            least = least.min(r)
        return least


def biases_that_stay(neurons, d, q, lam, k, eta):
    return least_bias(neurons, d, q, lam, k, eta, grows=False)


def some_neurons(rng):
    """A winner whose margin passes q/(q - lambda - k), and neurons without one or with a smaller one."""
    size, lead = int(rng.integers(20, 60)), Fraction(int(rng.integers(12, 16)), 10)
    rate = Fraction(int(rng.integers(2, 7)), 10)
    spare = rate * (1 - 1 / lead)
    decay, rise, step = spare / 8, spare / 4, Fraction(1, int(rng.integers(1, 5)))
    rest = [Fraction(int(rng.integers(0, 9)), 40) * int(rng.signs()) for _ in range(5)]
    neurons = [[m * int(rng.signs()), *rest] for m in (lead, Fraction(11, 10), Fraction(9, 10))]
    return {
        "neurons": neurons,
        "d": size,
        "q": rate,
        "lam": decay,
        "k": rise,
        "eta": step,
        "A": lead,
        "g": 1 + step * (rate * (1 - 1 / lead) - decay),
    }


RUNS = instances(some_neurons, "neurons d q lam k eta A g", smoke=5, standard=12)
RATES = ["eta in (0, 1]", "q in (0, 1]", "lam in [0, 1]"]

OPEN = formula_leg(
    "a column above the bias",
    typed(
        "a + eta*(q*(a - B) - lam*a) - b <= (a - b)*(1 + eta*q)",
        over=[*RATES, "b in (0, oo)", "B in [b, oo)", "a in [b, oo)"],
    ),
    over="d",
)
GROWN = formula_leg(
    "growth until then",
    typed(
        "(1 + eta*q)**t < d/sqrt(2*log(d))",
        over=["eta in (0, 1]", "q in (0, 1]", "d in 8..oo", f"t in [0, {EARLIEST})"],
    ),
)
SIZE = formula_leg("H", typed("d/sqrt(2*log(d)) >= 39/10", over="d in 8..oo"))
SHORT = formula_leg(
    "short of it",
    typed(
        "1 + (A - 1)*h < h*sqrt(1 - 1/d)", over=["d in 8..oo", "h in [39/10, oo)", "A in (1, 3/2]"]
    ),
)
PRINTED = formula_leg(
    "as printed",
    typed(
        f"log(d/sqrt(2*log(d)))/(eta*q) <= {EARLIEST}",
        over=["eta in (0, 1]", "q in (0, 1]", "d in 8..oo"],
    ),
)
MARGIN = formula_leg(
    "margin against the rate",
    typed(
        "(r*(1 + eta*(q - lam)) - eta*q)/(1 + eta*k) >= r",
        over=[
            "eta in (0, oo)",
            "q in (0, oo)",
            "lam in [0, oo)",
            "k in [0, oo)",
            "r in [q/(q - lam - k), oo)",
        ],
        where="q > lam + k",
    ),
    over="d",
)
# s is the growth of the column, v that of what lies beside it
NORM = formula_leg(
    "margin against the norm",
    typed(
        "s**2*a**2 + v**2*c**2 <= s**2*(a**2 + c**2)",
        over=["a in R", "c in R", "s in (0, oo)", "v in [0, s]"],
    ),
    over="d",
)
RISES = formula_leg(
    "growth of the column",
    typed(
        "r + eta*(q*(r - 1) - lam*r) >= r*(1 + eta*(q*(1 - 1/A) - lam))",
        over=[*RATES, "A in (1, oo)", "r in [A, oo)"],
    ),
    over="d",
)
BY_THEN = formula_leg(
    "by then",
    typed(
        "A*g**t >= d/sqrt(2*log(d))",
        over=["d in 8..oo", "A in (1, 3/2]", "g in (1, oo)", f"t in [{LATEST}, oo)"],
    ),
)
ORDER = formula_leg(
    "order", typed("log(d)/2 <= log(d/sqrt(2*log(d))) <= log(d)", over="d in 2..oo")
)
FAST = formula_leg(
    "logarithm of g", typed("log(1 + x) >= 1/(1 + 1/x)", over="x in (0, oo)"), over="d"
)
HALF = formula_leg(
    "gain of a winner",
    typed(
        "q*(1 - 1/A) - lam >= q*(1 - 1/A)/2",
        over=["q in (0, 1]", "A in (1, 3/2]", "lam in [0, q*(1 - 1/A)/2]"],
    ),
    over="d",
)

length_of_it = claim(
    "decoupling-stage2-time",
    lhs="T_2-T_1",
    states="decoupling-stage-times",
    title="Length of the second stage",
    says=r"In the mean recursion $T_2-T_1\ge\frac{\log(d/\sqrt{2\log d})}{\eta q}$ for margins up to $\frac32$, and "
    r"$T_2-T_1\le\frac{\log(d/(A\sqrt{2\log d}))}{\log(1+\eta(q(1-1/A)-\lambda))}+1$ for a margin $A>\frac "
    r"q{q-\lambda-k}$.",
    role="reading",
    covers="T2-some",
    **ONE_POINT,
    legs=[
        leg(
            "first time, from below",
            length,
            closed_form=EARLIEST,
            relation=at_least(),
            required=False,
            instances=RUNS,
            gives="i t",
            lhs="T_2-T_1",
            tex=r"\frac{\log(d/\sqrt{2\log d})}{\log(1+\eta q)}",
        ),
        leg(
            "first time, from above",
            length,
            closed_form=LATEST + 1,
            relation=at_most(),
            required=False,
            instances=RUNS,
            gives="i t",
            lhs="T_2-T_1",
            tex=r"\frac{\log(d/(A\sqrt{2\log d}))}{\log g}+1",
        ),
        OPEN,
        GROWN,
        SIZE,
        SHORT,
        PRINTED,
        MARGIN,
        NORM,
        RISES,
        BY_THEN,
        ORDER,
        FAST,
        HALF,
    ],
    rivals=[
        variant(
            "a norm d^2 times as large", simulation=until_far_longer, leg="first time, from above"
        ),
        variant("without a bias", simulation=without_bias, leg="first time, from below"),
        variant("twice the time", closed_form=2 * EARLIEST, leg="first time, from below"),
        variant("half the time", closed_form=LATEST / 2 + 1, leg="first time, from above"),
        *rivals_of(
            OPEN,
            {
                "a bias that falls": {
                    "over": [*RATES, "b in (0, oo)", "B in [0, b]", "a in [b, oo)"]
                }
            },
        ),
        *rivals_of(
            GROWN,
            {
                "twice as long": {
                    "over": [
                        "eta in (0, 1]",
                        "q in (0, 1]",
                        "d in 8..oo",
                        f"t in [0, 2*{EARLIEST})",
                    ]
                }
            },
        ),
        *rivals_of(SIZE, {"d = 2": {"over": "d in 2..oo"}}),
        *rivals_of(SHORT, {"A = 2": {"over": ["d in 8..oo", "h in [39/10, oo)", "A in (1, 2]"]}}),
        *rivals_of(PRINTED, {"half the rate": f"2*log(d/sqrt(2*log(d)))/(eta*q) <= {EARLIEST}"}),
        *rivals_of(
            MARGIN,
            {
                "every margin": {
                    "over": [
                        "eta in (0, oo)",
                        "q in (0, oo)",
                        "lam in [0, oo)",
                        "k in [0, oo)",
                        "r in [1, oo)",
                    ]
                }
            },
        ),
        *rivals_of(
            NORM,
            {"what grows faster": {"over": ["a in R", "c in R", "s in (0, oo)", "v in [0, 2*s]"]}},
        ),
        *rivals_of(RISES, {"by eta q": "r + eta*(q*(r - 1) - lam*r) >= r*(1 + eta*(q - lam))"}),
        *rivals_of(BY_THEN, {"without A": "g**t >= d/sqrt(2*log(d))"}),
        *rivals_of(ORDER, {"three quarters": "3*log(d)/4 <= log(d/sqrt(2*log(d)))"}),
        *rivals_of(FAST, {"x itself": "log(1 + x) >= x"}),
        *rivals_of(HALF, {"all of it": "q*(1 - 1/A) - lam >= q*(1 - 1/A)"}),
    ],
)

# a column is A b (1 + eta q)^t at most, and the rest of the norm does not grow
DOUBLED = formula_leg(
    "no norm has doubled",
    typed(
        "(A*sqrt(2*log(d)/d)*(1 + eta*q)**t)**2 + 1 <= 4",
        over=["eta in (0, 1]", "q in (0, 1]", "d in 8..oo", "A in (1, 3/2]", f"t in [0, {STILL}]"],
    ),
    over="i",
)
FOLLOWS = formula_leg(
    "bias over norm",
    typed(
        "b*(1 + Max(e, m/n - 1)) >= c*m",
        over=["e in (0, oo)", "n in (0, oo)", "m in (0, oo)", "c in (0, oo)", "b in [c*n, oo)"],
    ),
    over="i polylog",
)
GEOMETRIC = formula_leg(
    "growth of the bias",
    typed(
        f"sqrt(2*log(d)/d)*(1 + eta*k)**t/2 >= {LARGE}",
        over=[
            "eta in (0, 1]",
            "q in (0, 1]",
            "k in (0, 1]",
            "d in 8..oo",
            "A in (1, 3/2]",
            f"t in [{STILL} - 1, oo)",
        ],
    ),
    over="i polylog",
)
EXPONENTIAL = formula_leg(
    "exponential",
    typed("(1 + x)**t >= exp(t*x/2)", over=["x in (0, 1]", "t in [0, oo)"]),
    over="i polylog",
)
# t eta/(2 d) >= (L - u - 1/2)/(4 C u) - 1/2 for L = log d, u = log L; p u + 1 makes it (log d)^p for a half
CUBE = formula_leg("cube", typed("exp(u) >= u**3/6", over="u in [0, oo)"), over="i polylog")
POWERS = formula_leg(
    "every power",
    typed(
        "u**3/6 - u - 1/2 >= 4*C*u*(p*u + 2)",
        over=["C in (0, oo)", "p in (0, oo)", "u in [24*C*(p + 2) + 9, oo)"],
    ),
    over="i",
)
THIRD = formula_leg(
    "A up to 3/2", typed("log(3/(2*A**2)) >= -1/2", over="A in (1, 3/2]"), over="i polylog"
)

bias_at_t2 = claim(
    "decoupling-bias-large",
    lhs=r"\min_i\frac{b_i^{(T_2)}}{\|w_i^{(T_2)}\|}",
    tex=r"\tfrac12\sqrt{\tfrac{2\log d}d}\,(1+\tfrac{\eta}d)^{t-1},\ "
    r"t=\tfrac{\log(\sqrt{3d/(2\log d)}/A)}{\log(1+\eta q)}",
    states="decoupling-stage2-theorem",
    title="Biases at the end of the second stage",
    says=r"In the mean recursion every neuron has $b_i^{(T_2)}\ge\frac12\sqrt{2\log d/d}\,(1+\eta/d)^{t-1}"
    r"\|w_i^{(T_2)}\|$, $t$ the time in which no norm doubles, and that factor passes every power of $\log d$.",
    role="reading",
    covers="bias-large",
    reads={"polylog": "p"},
    **ONE_POINT,
    legs=[
        leg(
            "recursion",
            least_bias,
            closed_form=LARGE,
            relation=at_least(),
            required=False,
            instances=RUNS,
            lhs=r"\min_i\frac{b_i^{(T_2)}}{\|w_i^{(T_2)}\|}",
            tex=r"\tfrac12\sqrt{\tfrac{2\log d}d}\,(1+\tfrac{\eta}d)^{t-1}",
        ),
        DOUBLED,
        FOLLOWS,
        GEOMETRIC,
        EXPONENTIAL,
        CUBE,
        POWERS,
        THIRD,
    ],
    rivals=[
        variant("a bias that stays", simulation=biases_that_stay, leg="recursion"),
        variant("twelve times the factor", closed_form=12 * LARGE, leg="recursion"),
        *rivals_of(
            DOUBLED,
            {
                "for twice as long": {
                    "over": [
                        "eta in (0, 1]",
                        "q in (0, 1]",
                        "d in 8..oo",
                        "A in (1, 3/2]",
                        f"t in [0, 2*{STILL}]",
                    ]
                }
            },
        ),
        *rivals_of(FOLLOWS, {"the rate e alone": "b*(1 + e) >= c*m"}),
        *rivals_of(
            GEOMETRIC, {"a step less": f"sqrt(2*log(d)/d)*(1 + eta*k)**(t - 1)/2 >= {LARGE}"}
        ),
        *rivals_of(EXPONENTIAL, {"all of t x": "(1 + x)**t >= exp(t*x)"}),
        *rivals_of(CUBE, {"u^3": "exp(u) >= u**3"}),
        *rivals_of(POWERS, {"every d": {"over": ["C in (0, oo)", "p in (0, oo)", "u in [9, oo)"]}}),
        *rivals_of(THIRD, {"A up to 2": {"over": "A in (1, 2]"}}),
    ],
)
