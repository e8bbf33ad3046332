r"""Definitions C.1 and G.1: the sets of detectors at the start.

Setting. A neuron's responses g_v = <w, v>/sigma_0 to the d words are independent standard Gaussians; t_lo < t_hi are
c sqrt(log d -+ 1/log^5 d). r is in S(v) if g_v >= t_lo, in S*(v) if g_v >= t_hi and g_v' < t_lo for every other word.

Statement. For d >= 3, t_lo < t_hi, so that S*(v) is in S(v), and no neuron is in S*(v) and S*(v').

Reference: lines 708-720 and 1874-1886.
"""

from __future__ import annotations

from fractions import Fraction

from theorycheck import (
    claim,
    formula_leg,
    instances,
    leg,
    rivals_of,
    typed,
    variant,
)

ONE_POINT = {"domain": {}, "grid": {"smoke": [{}]}}


def sets(rows, low, high):
    """S(v) and S*(v) of every word v."""
    near, sure = [set() for _ in rows[0]], [set() for _ in rows[0]]
    for r, row in enumerate(rows):
        for v, g in enumerate(row):
            if g >= low:
                near[v].add(r)
            if g >= high and all(e < low for u, e in enumerate(row) if u != v):
                sure[v].add(r)
    return near, sure


def outside(rows, low, high):
    """How many neurons are in S*(v) and not in S(v). Shape ()."""
    near, sure = sets(rows, low, high)
    return sum(len(s - n) for s, n in zip(sure, near, strict=True))


def in_two(rows, low, high):
    """How many neurons are in S*(v) for two words. Shape ()."""
    sure = sets(rows, low, high)[1]
    return sum(1 for r in range(len(rows)) if sum(r in s for s in sure) > 1)


def outside_exchanged(rows, low, high):
    return outside(rows, high, low)


def in_two_without_the_others(rows, low, high):
    """The same where only the first half of the other words have to be below."""
    return sum(1 for row in rows if sum(g >= high for g in row[len(row) // 2 :]) > 1)


def nobody(rows, low, high):
    return 0


def some_rows(rng):
    return {
        "rows": [[Fraction(int(rng.integers(-6, 13)), 4) for _ in range(4)] for _ in range(60)],
        "low": Fraction(int(rng.integers(5, 8)), 4),
        "high": Fraction(int(rng.integers(8, 10)), 4),
    }


ROWS = instances(some_rows, "rows low high", smoke=4, standard=12)
ORDER = ["s in (0, oo)", "c in (0, oo)", "l in [0, oo)", "h in (l, oo)"]


def ordered(over):
    """The thresholds, with L = log d."""
    return [
        formula_leg(
            "thresholds",
            typed("sqrt(L - L**(-5)) < sqrt(L + L**(-5))", over="L in [1, oo)"),
            over=over,
        ),
        formula_leg("log d", typed("log(d) >= 1", over="d in 3..oo"), over=over),
    ]


# g is the response to v: s = sigma_0 by the scale of the weights
SUBSET = formula_leg(
    "above", typed("implies(g >= s*c*h, g >= s*c*l)", over=[*ORDER, "g in (-oo, oo)"])
)

subset = claim(
    "granularity-detectors-near",
    lhs=r"\sum_v|S^*(v)\setminus S(v)|",
    tex="0",
    states="granularity-neuron-sets",
    title="Detectors are near or above the threshold",
    says=r"$S^{*(0)}(v)\subseteq S^{(0)}(v)$ for every word and all weights, $d\ge3$.",
    covers="subset",
    reads={"v": "g", "w0": "g s"},
    **ONE_POINT,
    legs=[
        leg("sets", outside, reference=nobody, required=False, unit=1, instances=ROWS),
        *ordered("v w0"),
        SUBSET,
    ],
    rivals=[
        variant("thresholds exchanged", simulation=outside_exchanged, leg="sets"),
        *rivals_of(
            SUBSET,
            {
                "beyond the upper threshold": "implies(g >= s*c*h, g >= 2*s*c*h - s*c*l)",
                "the other way": "implies(g >= s*c*l, g >= s*c*h)",
            },
        ),
    ],
)

# g, f are the responses to v and v'
IN_BOTH = "g >= s*c*h and f < s*c*l and f >= s*c*h and g < s*c*l"
APART = formula_leg(
    "below and above", typed(f"not ({IN_BOTH})", over=[*ORDER, "g, f in (-oo, oo)"])
)

disjoint = claim(
    "granularity-detectors-apart",
    lhs=r"\#\{r\in S^*(v)\cap S^*(v')\}",
    tex="0",
    states="granularity-neuron-sets",
    title="No neuron detects two words",
    says=r"$S^{*(0)}(v)\cap S^{*(0)}(v')=\emptyset$ for $v\ne v'$, $d\ge3$: above $t_{hi}$ is not below $t_{lo}$.",
    covers="disjoint",
    reads={"v": "g", "v_prime": "f"},
    **ONE_POINT,
    legs=[
        leg("sets", in_two, reference=nobody, required=False, unit=1, instances=ROWS),
        *ordered("v v_prime"),
        APART,
    ],
    rivals=[
        variant("some of the words alone", simulation=in_two_without_the_others, leg="sets"),
        *rivals_of(
            APART,
            {
                "above alone": "not (g >= s*c*h and f >= s*c*h)",
                "the upper threshold for v alone": "not (g >= s*c*h and f < s*c*l and f >= s*c*l)"
                " and not (g >= s*c*h and f >= s*c*l and f < s*c*h)",
            },
        ),
    ],
)
