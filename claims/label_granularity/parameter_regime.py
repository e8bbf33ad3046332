r"""Section B.3: from which d on the list of parameters can be met.

Setting. All constants are 1, logarithms natural, L = log d. The list asks s* >= log^15 d, s* log^5 d <= k <= d^0.4,
and a range of sigma_zeta* with log^5 d/sqrt d <= log^-5 d, five being the degree that its use needs.

Statements. (1) For 3 <= d <= 10^122, log^20 d > d^0.4: no such k. (2) For d > 10^10, log^5 d/sqrt d <= log^-5 d from
the zero of L/2 - 10 log L near 89.9951 on and nowhere before: the difference grows in L >= 20. (3) Some k >= log^20 d
is at most d^0.4 for d = 2, for no d from 3 to the zero of 2 L/5 - 20 log L near 282.1159, and for all d beyond. (4)
For every q >= 16 and L >= 16 q^2 one choice meets all items, with q the degree of each polylog that the list leaves
open and L^(q + 1) for omega of it: s* = L^q, k = ceil(L^(q + 5)), P = d, N = 2 k ceil(L^q d), sigma_0 = eta = 1/(d^3
s* L), sigma_zeta* = L^-(q + 1), c_0 = 1/20, iota = 0, s_dag = 1, iota_dag from L^-3 to L^-2. There is a whole number
between a and a L, a >= 1.

Reference: lines 685-704. The unit constants are ours: the orders alone give no threshold.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from flint import arb, ctx

from theorycheck import claim, formula, formula_leg, integers, leg, rivals_of, typed, variant

from ._network import number

q, L = sp.symbols("q L", integer=True, positive=True)

empty = formula(
    "granularity-no-literal-run",
    states="granularity-parameter-regime",
    title="No run meets the list as printed",
    role="derived",
    covers="no-run-is-literal",
    says="log(d)**20 > d**(2/5)",
    over="d in [3, 10**122]",
    rivals={
        "from d = 2": {"over": "d in [2, 10**122]"},
        "to 10^123": {"over": "d in [3, 10**123]"},
        "s* of degree 5": "log(d)**10 > d**(2/5)",
        "twice as large": "log(d)**20 > 2*d**(2/5)",
    },
)

BEFORE = formula_leg(
    "before",
    typed("log(d)**5/sqrt(d) > log(d)**(-5)", over="d in [10**10, exp(89995/1000)]"),
)
AFTER = formula_leg(
    "after", typed("log(d)**5/sqrt(d) < log(d)**(-5)", over="d in [exp(899952/10000), oo)")
)
GROWS = formula_leg(
    "grows",
    typed("L/2 - 10*log(L) < M/2 - 10*log(M)", over=["L in [20, oo)", "M in (L, oo)"]),
)

strong = claim(
    "granularity-zeta-star-range",
    states="granularity-parameter-regime",
    title="Room for the strong noise",
    says=r"For $d>10^{10}$, $\log^5d/\sqrt d\le\log^{-5}d$ from $\log d=L_0$ on and nowhere before, with "
    r"$89.9950<L_0<89.9952$.",
    role="derived",
    covers="zeta-star-interval",
    legs=[BEFORE, AFTER, GROWS],
    rivals=[
        *rivals_of(BEFORE, {"to 90": {"over": "d in [10**10, exp(90)]"}}),
        *rivals_of(AFTER, {"degree 6": "log(d)**6/sqrt(d) < log(d)**(-6)"}),
        *rivals_of(GROWS, {"from 10 on": {"over": ["L in [10, oo)", "M in (L, oo)"]}}),
    ],
)


def least(d):
    """The least k that the list allows, as a formula."""
    return f"log({d})**20"


TWO = formula_leg(
    "d = 2",
    typed("log(d)**20 < d**(2/5)", over="d in 2..2"),
    covers="literal-regime-two",
    gives="k",
    chosen_by=least,
)
BETWEEN = formula_leg(
    "between",
    typed(
        "implies(k >= log(d)**20, k > d**(2/5))",
        over=["d in [3, exp(2821158/10000)]", "k in R"],
    ),
    covers="literal-regime-empty",
)
BEYOND = formula_leg(
    "beyond",
    typed("log(d)**20 < d**(2/5)", over="d in [exp(282116/1000), oo)"),
    covers="literal-regime-beyond",
    gives="k",
    chosen_by=least,
)
RISES = formula_leg(
    "rises",
    typed("L/50 - log(L) < M/50 - log(M)", over=["L in [50, oo)", "M in (L, oo)"]),
)

room = claim(
    "granularity-room-for-subclasses",
    states="granularity-parameter-regime",
    title="Room for the number of subclasses",
    says=r"There is a $k$ with $\log^{20}d\le k\le d^{0.4}$ for $d=2$, for no $d$ with $3\le d$ and $\log d<L_0$, and "
    r"for all $d$ with $\log d\ge L_0$, where $282.1158<L_0<282.1160$.",
    role="derived",
    covers="literal-regime-two literal-regime-empty literal-regime-beyond",
    legs=[TWO, BETWEEN, BEYOND, RISES],
    rivals=[
        *rivals_of(TWO, {"d = 3 too": {"over": "d in 2..3"}}),
        *rivals_of(
            BETWEEN,
            {
                "to 283": {
                    "says": "k > d**(2/5)",
                    "over": ["d in [3, exp(283)]", "k in [log(d)**20, 2*log(d)**20]"],
                },
                "from 2": {
                    "says": "k > d**(2/5)",
                    "over": ["d in [2, exp(282)]", "k in [log(d)**20, 2*log(d)**20]"],
                },
            },
        ),
        *rivals_of(BEYOND, {"from log d = 282": {"over": "d in [exp(282), oo)"}}),
        *rivals_of(RISES, {"from 1 on": {"over": ["L in [1, oo)", "M in (L, oo)"]}}),
    ],
)

# x = log L
DEGREE = ["q in [16, oo)", "L in [16*q**2, oo)"]
LOGS = [*DEGREE, "x in [2, L/(8*q)]"]


def family(q, L, x):
    """Logarithms of the choice, x = log L; k and n are whole numbers from low to high, N = 2 k n."""
    return {
        "d": L,
        "P": L,
        "s": q * x,
        "low_k": (q + 5) * x,
        "high_k": (q + 6) * x,
        "low_n": q * x + L,
        "high_n": (q + 1) * x + L,
        "star": -(q + 1) * x,
        "zeta": -10 * x - L / 2,
        "start": -3 * L - (q + 1) * x,
        "s_dag": 0 * x,
        "low_dag": -3 * x,
        "high_dag": -2 * x,
    }


CHOICE = {name: f"({value})" for name, value in family(*sp.symbols("q L x")).items()}


def broken(q, L, choose=family):
    """How many items of the list the numbers themselves break, constants 1, open degrees q and L^(q + 1) for omega of
    it. Shape ()."""
    with ctx.workprec(60 * q * q):
        chosen = choose(arb(q), number(L), number(L).log())
        made = {name: value.exp() for name, value in chosen.items()}
        d, log_d, more = made["d"], number(L), 1 + arb(2) ** -99  # for what holds with equality
        k, n = (made[name].ceil() for name in ("low_k", "low_n"))
        N, s, P = 2 * k * n, made["s"], made["P"]
        holds = [
            log_d**q <= k * more,  # 4
            s * log_d**5 <= k * more,
            k <= d ** (arb(2) / 5),
            0 < Fraction(1, 20) < Fraction(1, 10),  # 5, c_0
            made["low_dag"] >= log_d**-4,  # 8
            made["low_dag"] <= made["high_dag"],
            made["s_dag"] * made["high_dag"] <= 1 / log_d,
            made["s_dag"] * more >= 1,  # 9
            s * more >= log_d**16,  # 10
            made["zeta"] * log_d**10 * d.sqrt() * more >= 1,  # 11
            made["zeta"] * log_d**10 * d.sqrt() <= more,
            made["star"] >= log_d ** (q + 1) / d.sqrt(),  # 12
            made["star"] <= log_d**-q,
            P * made["zeta"] >= log_d ** (q + 1),  # 13
            d**2 >= P,
            made["start"] <= more / (d**3 * s * log_d),  # 14
            log_d**q * k * d <= N,  # 15
            d**4 >= N,
            s + made["s_dag"] <= P,
        ]
        return sum(not one for one in holds)


def fewer_subclasses(q, L):
    """With k = L^(q + 4)."""
    return broken(q, L, choose=lambda *at: {**family(*at), "low_k": (at[0] + 4) * at[2]})


def more_strong_noise(q, L):
    """With sigma_zeta* of L^(-q/2)."""
    return broken(q, L, choose=lambda *at: {**family(*at), "star": -at[0] * at[2] / 2})


def none(q, L):
    return 0


def item(name, says):
    """An item of the list for the choice, in logarithms."""
    text = typed(says.format(**CHOICE), over=LOGS)
    return formula_leg(name, text, gives="parameters", chosen_by=family)


ITEMS = {
    "whole numbers": "{low_k} >= 0 and {low_n} >= 0 and {low_k} + x <= {high_k} and {low_n} + x <= {high_n}",
    "4, from below": "q*x <= {low_k} and {s} + 5*x <= {low_k}",
    "4, from above": "{high_k} <= 2*{d}/5",
    "8": "{low_dag} >= -4*x and {low_dag} <= {high_dag} and {s_dag} + {high_dag} <= -x",
    "10": "{s} >= 16*x",
    "12": "(q + 1)*x - {d}/2 <= {star} and {star} <= -q*x",
    "13": "{P} + {zeta} >= (q + 1)*x and {P} <= 2*{d}",
    "14": "{start} <= -3*{d} - {s} - x",
    "15": "log(2) + {low_n} >= q*x + {d} and log(2) + 2*{d}/5 + {high_n} <= 4*{d}",
    "counts fit": "{s} >= {s_dag} and log(2) + {s} <= {P}",
}
X = formula_leg(
    "log log d",
    typed("log(L) >= 2 and log(L) <= L/(8*q)", over=DEGREE),
    gives="parameters",
    chosen_by=family,
)
LEGS = {name: item(name, says) for name, says in ITEMS.items()}


def wrong(name, says, over=LOGS):
    """The item with something else in place."""
    return rivals_of(
        LEGS[name], {f"{name}, changed": {"says": says.format(**CHOICE), "over": over}}
    )


regime = claim(
    "granularity-regime-exists",
    states="granularity-parameter-regime",
    title="The list can be met for large d",
    says=r"For every $q\ge16$ and $\log d\ge16q^2$ one choice of parameters meets all items, the open degrees being "
    r"$q$.",
    covers="existence-for-large-d",
    reads={"d": "L"},
    domain={q: integers(16), L: integers(4096)},
    where=16 * q**2 <= L,
    grid={"smoke": [{q: 16, L: 4096}, {q: 17, L: 5000}]},
    legs=[
        leg(
            "the choice",
            broken,
            reference=none,
            required=False,
            unit=1,
            lhs=r"\#\{\text{items that fail}\}",
            tex="0",
            where=sp.And(q <= 20, L <= 8000),
        ),
        X,
        *LEGS.values(),
    ],
    rivals=[
        variant("k = log(d)^(q + 4)", simulation=fewer_subclasses, leg="the choice"),
        variant("sigma of a smaller degree", simulation=more_strong_noise, leg="the choice"),
        *rivals_of(X, {"from L = q on": {"over": ["q in [16, oo)", "L in [q, oo)"]}}),
        *wrong("whole numbers", "{low_k} >= 0 and {low_n} >= 0 and {low_k} + 2*x <= {high_k}"),
        *wrong("4, from below", "q*x <= {low_k} and {s} + 6*x <= {low_k}"),
        *wrong("4, from above", ITEMS["4, from above"], [*DEGREE, "x in [2, L/q]"]),
        *wrong(
            "8", "{low_dag} >= -4*x and {low_dag} <= {high_dag} and {s_dag} + {high_dag} <= -3*x"
        ),
        *wrong("10", "{s} > 16*x"),
        *wrong("12", "(q + 1)*x - {d}/2 <= {star} and {star} <= -(q + 2)*x"),
        *wrong("13", "{P} + {zeta} >= {P}/2 and {P} <= 2*{d}"),
        *wrong("14", "{start} <= -3*{d} - {s} - 2*x"),
        *wrong(
            "15", "log(2) + {low_n} >= (q + 1)*x + {d} and log(2) + 2*{d}/5 + {high_n} <= 4*{d}"
        ),
        *wrong("counts fit", "{s} >= {s_dag} and {P} <= log(2) + {s}"),
    ],
)
