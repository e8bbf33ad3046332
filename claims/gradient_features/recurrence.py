r"""Lemma B.77: a linear recurrence with a constant.

Setting. h(n + 2) = 2 h(n + 1) - (1 - rho^2) h(n) + beta for n >= 1, rho, beta > 0.

Statements. (1) For rho != 1, h(n) = -beta/rho^2 + c_1 (1 - rho)^n + c_2 (1 + rho)^n with c_1, c_2 from h(1), h(2),
rho and beta: the right side solves the recurrence, and the two equations at n = 1, 2 have determinant 2 rho (1 -
rho^2). (2) At rho = 1 it says h(1) = h(2)/2 - beta/2: false for h(1) = 0, h(2) = 5, beta = 1. (3) c_1 and c_2 depend
on rho and beta too: at h(1) = h(2) = 0, c_2 = beta/(2 rho^2 (1 + rho)).

Reference: line 7738.
"""

from __future__ import annotations

from fractions import Fraction

from theorycheck import claim, formula, formula_leg, instances, rivals_of, typed, variant

from ._beside import beside

RHO = ["rho in (0, oo)", "beta in (0, oo)"]
START = ["h1 in R", "h2 in R"]
C1 = "(((h1 + beta/rho**2)*(1 + rho) - (h2 + beta/rho**2))/((1 - rho)*2*rho))"
C2 = "(((h2 + beta/rho**2) - (h1 + beta/rho**2)*(1 - rho))/((1 + rho)*2*rho))"
FIRST, SECOND = (c.replace("h1", "h[1]").replace("h2", "h[2]") for c in (C1, C2))


def coefficients(rho, beta, h1, h2):
    """c_1 and c_2 from the first two members."""
    shift = beta / rho**2
    first = ((h1 + shift) * (1 + rho) - (h2 + shift)) / ((1 - rho) * 2 * rho)
    second = ((h2 + shift) - (h1 + shift) * (1 - rho)) / ((1 + rho) * 2 * rho)
    return first, second


BEGIN = formula_leg(
    "first two members",
    typed(
        f"-beta/rho**2 + {C1}*(1 - rho) + {C2}*(1 + rho) == h1 and -beta/rho**2 + {C1}*(1 - rho)**2 + {C2}*(1 + "
        "rho)**2 == h2",
        over=[*RHO, *START],
        where="rho != 1",
    ),
    gives="c1 c2",
    chosen_by=coefficients,
)


SEQUENCE = formula_leg(
    "all members",
    typed(
        f"h[n] == -beta/rho**2 + {FIRST}*(1 - rho)**n + {SECOND}*(1 + rho)**n",
        over=[*RHO, "n in 1..oo", "h[i] in R for i in 1..oo"],
        where=["rho != 1", "h[i+2] == 2*h[i+1] - (1 - rho**2)*h[i] + beta for i in 1..oo"],
    ),
)


def start(rng):
    """rho above 0 and not 1, beta above 0, and two members."""
    return {
        "rho": abs(rng.rational((), 4)) + Fraction(1, 9),
        "beta": abs(rng.rational((), 4)) + Fraction(1, 9),
        "h1": rng.rational((), 5),
        "h2": rng.rational((), 5),
    }


def members(rho, beta, h1, h2):
    """h(1), ..., h(9) by the recurrence. Length 9."""
    found = [h1, h2]
    while len(found) < 9:
        found.append(2 * found[-1] - (1 - rho**2) * found[-2] + beta)
    return found


def by_powers(rho, beta, h1, h2, shift=0):
    """The solution. Length 9."""
    c1, c2 = coefficients(rho, beta, h1, h2)
    powers = range(1 + shift, 10 + shift)
    return [-beta / rho**2 + c1 * (1 - rho) ** n + c2 * (1 + rho) ** n for n in powers]


def one_power_less(rho, beta, h1, h2):
    return by_powers(rho, beta, h1, h2, -1)


solution = claim(
    "gradfeat-recurrence-solution",
    states="gradfeat-recurrence",
    title="Solution of the recurrence",
    says=r"$h(n)=-\beta/\rho^2+c_1(1-\rho)^n+c_2(1+\rho)^n$ for $\rho\ne1$, with $c_1$, $c_2$ from $h(1)$, "
    r"$h(2)$, $\rho$, $\beta$.",
    covers="solution",
    reads={"h1": "h", "h2": "h"},
    legs=[
        SEQUENCE,
        BEGIN,
        beside(
            "nine members",
            members,
            "h(n)",
            r"-\beta/\rho^2+c_1(1-\rho)^n+c_2(1+\rho)^n",
            reference=by_powers,
            instances=instances(start, "rho beta h1 h2", smoke=4, standard=12),
        ),
    ],
    rivals=[
        variant("exponent n - 1", reference=one_power_less, leg="nine members"),
        *rivals_of(
            SEQUENCE,
            {
                "+ beta/rho^2": f"h[n] == beta/rho**2 + {FIRST}*(1 - rho)**n + {SECOND}*(1 + rho)**n",
                "1 - rho in both": f"h[n] == -beta/rho**2 + ({FIRST} + {SECOND})*(1 - rho)**n",
            },
        ),
        *rivals_of(
            BEGIN,
            {"coefficients exchanged": f"-beta/rho**2 + {C2}*(1 - rho) + {C1}*(1 + rho) == h1"},
        ),
    ],
)

# at rho = 1 and n >= 1 the first power is 0: h(1) = -beta + 2 c2 and h(2) = -beta + 4 c2, whatever c1 is; some c2
# gives both values only where h(2) + beta = 2 (h(1) + beta)
at_one = formula(
    "gradfeat-recurrence-at-one",
    states="gradfeat-recurrence",
    title=r"The recurrence at $\rho=1$",
    expect="fail",
    covers="rho-one",
    reads={"c1": "h1", "c2": "h2", "n": "h1"},
    says="h2 == 2*h1 + beta",
    over=["beta in (0, oo)", "h1 in R", "h2 in R"],
)

# c_2 at h(1) = h(2) = 0, for two values of rho
AT_ZERO = C2.replace("h1", "0").replace("h2", "0")

depends = formula(
    "gradfeat-recurrence-dependence",
    states="gradfeat-recurrence",
    title="What the coefficients depend on",
    expect="fail",
    covers="dependence",
    says=f"{AT_ZERO} == {AT_ZERO.replace('rho', 's')}",
    over=[*RHO, "s in (0, oo)"],
    where=["rho != 1", "s != 1"],
)
