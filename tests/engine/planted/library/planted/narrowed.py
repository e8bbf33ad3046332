"""Proofs for less than their clauses say."""

from theorycheck import claim, formula, formula_leg, typed, variant

LOW = "p in [0, 1/5]"

step_for_a_part = claim(
    "step-for-a-part",
    states="chosen",
    title="A step for small p only",
    covers="every-share",
    says="For every p in [0, 1], p (1 - p) <= 4/25: one step is proved for p <= 1/5, another for every p.",
    legs=[
        formula_leg("step", typed("p*(1 - p) <= 4/25", over=LOW)),
        formula_leg("another", typed("p*p <= p", over="p in [0, 1]")),
    ],
    rivals=[variant("3/25", leg="step", simulation=typed("p*(1 - p) <= 3/25", over=LOW))],
)

small_for_all = formula(
    "small-for-all",
    states="chosen",
    title="Small sizes for all",
    covers="every-size",
    says="m**2 <= m",
    over="m in (0, 1]",
    where="m < 1",
    rivals={"m/2": "m**2 <= m/2"},
)
