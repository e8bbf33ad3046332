r"""The two scalars of fine training and what ties them (derived).

Setting. Every sample has exactly s* common and s* subclass patches, all detector sets have nS members, no noise,
iota = 0, sigma_0 -> 0. A and a are the projections of a net's detectors on its common and on its own subclass
feature, gamma = s* nS (1 - beta). Own, sibling and opposite samples give a net the outputs gamma (A + a), gamma A
and 0, so that Z = e^(gamma (A + a)) + (k - 1) e^(gamma A) + k, and a step h adds

    to a: h (1 - e^(gamma (A + a))/Z),    to A: h (1 - e^(gamma (A + a))/Z - (k - 1) e^(gamma A)/Z) = h k/Z.

Statements. (1) The ratio of the increments of A and a is k/(k + (k - 1) e^(gamma A)), whatever a is. (2) In the limit
of small steps a = G(A), G(A) = A + (k - 1)/(k gamma) (e^(gamma A) - 1). The step is not needed to be small for a bound:
a step D of A adds G'(A) D to a, and 0 <= G(A + D) - G(A) - G'(A) D <= D (G'(A + D) - G'(A)), which telescopes. With
D <= h, 0 <= G(A) - a <= h (k - 1)/k (e^(gamma A) - 1) after any number of steps.

Reference: derived from lines 2094-2118.
"""

from __future__ import annotations

from theorycheck import claim, formula, formula_leg, rivals_of, typed

POSITIVE = ["k in 1..oo", "gamma in (0, oo)", "A in [0, oo)"]
OWN, SIBLING = "exp(gamma*(A + a))", "exp(gamma*A)"
Z = f"({OWN} + (k - 1)*{SIBLING} + k)"

ratio = formula(
    "granularity-increment-ratio",
    states="granularity-fine-recursion",
    title="Increments of the common and of the subclass detector",
    role="derived",
    covers="increment-ratio",
    says=f"(1 - {OWN}/{Z} - (k - 1)*{SIBLING}/{Z})/(1 - {OWN}/{Z}) == k/(k + (k - 1)*{SIBLING})",
    over=[*POSITIVE, "a in [0, oo)"],
    rivals={
        "k for k - 1": f"(1 - {OWN}/{Z} - (k - 1)*{SIBLING}/{Z})/(1 - {OWN}/{Z}) == 1/(1 + {SIBLING})",
        "as at the start": f"(1 - {OWN}/{Z} - (k - 1)*{SIBLING}/{Z})/(1 - {OWN}/{Z}) == k/(2*k - 1)",
    },
)

INTEGRATED = formula_leg(
    "integral of G'",
    typed(
        "Integral(1 + (k - 1)/k*exp(gamma*u), (u, 0, A))"
        " == A + (k - 1)/(k*gamma)*(exp(gamma*A) - 1)",
        over=POSITIVE,
    ),
    over="t",
)
EXCESS = "(k - 1)/(k*gamma)*(exp(gamma*(A + D)) - exp(gamma*A)) - (k - 1)/k*exp(gamma*A)*D"
STEP = formula_leg(
    "one step",
    typed(
        f"0 <= {EXCESS} <= D*(k - 1)/k*(exp(gamma*(A + D)) - exp(gamma*A))",
        over=[*POSITIVE, "D in [0, oo)"],
        steps="0 <= exp(gamma*D) - 1 - gamma*D <= gamma*D*(exp(gamma*D) - 1)",
    ),
    over="eta",
)

invariant = claim(
    "granularity-fine-invariant",
    states="granularity-fine-recursion",
    title="The curve on which fine training moves",
    says=r"$a=A+\frac{k-1}{k\gamma}(e^{\gamma A}-1)$ in the limit of small steps; with steps of $A$ of at most $h$, "
    r"$a$ is below it by at most $h\frac{k-1}k(e^{\gamma A}-1)$.",
    role="derived",
    covers="invariant",
    legs=[INTEGRATED, STEP],
    rivals=[
        *rivals_of(INTEGRATED, {
            "twice the exponent": "Integral(1 + (k - 1)/k*exp(gamma*u), (u, 0, A))"
            " == A + (k - 1)/(2*k*gamma)*(exp(2*gamma*A) - 1)",
            "a = 2 A": "Integral(1 + (k - 1)/k*exp(gamma*u), (u, 0, A)) == 2*A",
        }),
        *rivals_of(STEP, {"a third of the error": {
                "says": f"0 <= {EXCESS} <= D*(k - 1)/(3*k)*(exp(gamma*(A + D)) - exp(gamma*A))",
                "steps": [],
            }}),
    ],
)  # fmt: skip


# with a on the curve and e^(gamma A) - 1 >= gamma A + (gamma A)^2/2
EXPONENTIAL = formula_leg("exponential", typed("z + z**2/2 <= exp(z) - 1", over="z in [0, oo)"))
QUOTIENT = formula_leg(
    "quotient",
    typed(
        "A/(A + (k - 1)/(k*gamma)*(gamma*A + (gamma*A)**2/2)) <= 4/(6 + gamma*A)",
        over=["k in 2..oo", "gamma in (0, oo)", "A in (0, oo)"],
    ),
)
# u = e^(gamma (A + a)) and v = e^(gamma A) while A stays below some bound, and with it a and both exponentials
UNBOUNDED = formula_leg(
    "steps at a bounded A",
    typed(
        "k/(u + (k - 1)*v + k) >= 1/(2*U)",
        over=["k in 1..oo", "U in [1, oo)", "u in [1, U]", "v in [1, U]"],
    ),
    over="t",
)

late = claim(
    "granularity-fine-late-ratio",
    states="granularity-fine-recursion",
    title="Common detectors fall behind in the end",
    says=r"$A/a\le\frac4{6+\gamma A}$ on the curve for $k\ge2$, and $A$ passes every bound: $A/a\to0$.",
    role="derived",
    covers="late-ratio",
    legs=[EXPONENTIAL, QUOTIENT, UNBOUNDED],
    rivals=[
        *rivals_of(EXPONENTIAL, {"z^2": "z + z**2 <= exp(z) - 1"}),
        *rivals_of(QUOTIENT, {
            "k = 1": {"over": ["k in 1..oo", "gamma in (0, oo)", "A in (0, oo)"]},
            "7 for 6": "A/(A + (k - 1)/(k*gamma)*(gamma*A + (gamma*A)**2/2)) <= 4/(7 + gamma*A)",
        }),
        *rivals_of(UNBOUNDED, {"1/U": "k/(u + (k - 1)*v + k) >= 1/U"}),
    ],
)  # fmt: skip
