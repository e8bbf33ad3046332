r"""Theorem A.20: the three-term rate from the terms of its proof.

Setting. eta = k^2/(T m^(1/3)), m >= k^3; c = m^(1/3).

Statement. k^9/m + k^4 eta^2 T^2 + k^3 T/m^2 + k^9/(eta T m) + eta m is at most 3 (k^8/m^(2/3) + k^3 T/m^2 + k^2
m^(2/3)/T), and the latter is (k^8 + k^3 + k^2)/m^(2/3) at T = m^(4/3).

Reference: the display before (A.282) and Theorem A.20, lines 3787-3813.
"""

from __future__ import annotations

from theorycheck import claim, formula_leg, rivals_of, typed

ETA = "(k**2/(T*c))"
TERMS = f"k**9/c**3 + k**4*{ETA}**2*T**2 + k**3*T/c**6 + k**9/({ETA}*T*c**3) + {ETA}*c**3"
RATE = "(k**8/c**2 + k**3*T/c**6 + k**2*c**2/T)"
RANGE = ["k in [1, oo)", "c in [k, oo)", "T in (0, oo)"]

SUM = formula_leg("terms", typed(f"{TERMS} <= 3*{RATE}", over=RANGE))
BALANCED = formula_leg(
    "balanced",
    typed(
        "k**8/c**2 + k**3*c**4/c**6 + k**2*c**2/c**4 == (k**8 + k**3 + k**2)/c**2",
        over=RANGE[:2],
    ),
    over="T",
)

rate = claim(
    "structured-rate-algebra",
    states="structured-provable-guarantee",
    title="The rate from the terms of its proof",
    says=r"With $\eta=\frac{k^2}{T m^{1/3}}$ and $m\ge k^3$ the five terms of the proof are at most three times the "
    r"printed rate, which at $T=m^{4/3}$ is $(k^8+k^3+k^2)/m^{2/3}$.",
    covers="rate-algebra",
    reads={"m": "c"},
    legs=[SUM, BALANCED],
    rivals=[
        *rivals_of(
            SUM,
            {
                "twice": f"{TERMS} <= 2*{RATE}",
                "any m": {"over": ["k in [1, oo)", "c in [1, oo)", "T in (0, oo)"]},
                "T in the numerator": f"{TERMS} <= 3*(k**8/c**2 + k**3*T/c**6 + k**2*c**2*T)",
            },
        ),
        *rivals_of(
            BALANCED,
            {
                "m^(1/3)": "k**8/c**2 + k**3*c**4/c**6 + k**2*c**2/c**4 == (k**8 + k**3 + k**2)/c",
            },
        ),
    ],
)
