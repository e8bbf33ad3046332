"""Section 9.4.5 and Figures 9.3, 9.6: reported speed and memory, held against the theorem.

Setting. Filter layers 13 of 32, 19 of 40, 19 of 32; the prompt phase does r of m layers of attention, so its
speed-up is at most m/r. The measurements need a large GPU and pretrained weights; what is checked is whether
they can follow from the theorem.

Statements. 2.4 <= m/r for LLaMA only (32/13 = 2.4615; 40/19 = 2.1053 and 32/19 = 1.6842 are below). The token
reduction 108172/k is 1081.72 at k = 100 and 105.6 at k = 1024.

Reference: section 9.4.5, Figures 9.1, 9.3, 9.6 (arXiv 2409.17422).
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import claim, counts, formula_leg, leg, rivals_of, typed, variant

from ._tables import FILTER_LAYERS, RATIOS

REPORTED = Fraction(24, 10)


def reached(shift=0):
    """Layers of the whole model over those of the first pass, and the same over the reported 2.4: for each model
    floor(10^4 m / (r + shift)) and floor(10^4 m / (2.4 (r + shift))). Shape (6,)."""
    found = []
    for r, layers in FILTER_LAYERS.values():
        ran = sum(1 for index in range(layers) if index < r + shift)
        found += [10**4 * layers // ran, int(10**4 * Fraction(layers, ran) / REPORTED)]
    return found


def to_four_decimals(shift=0):
    """Layers of the whole model over those of the first pass, in ten-thousandths, rounded. Shape (3,)."""
    return [round(Fraction(10**4 * layers, r + shift)) for r, layers in FILTER_LAYERS.values()]


def to_four_decimals_from_zero():
    return to_four_decimals(1)


def zero_based():
    return reached(1)


def follows(shift=0):
    """For each model whether it has at least 2.4 times the r + ``shift`` layers of the first pass. Shape (3,)."""
    return [int(layers >= REPORTED * (r + shift)) for r, layers in FILTER_LAYERS.values()]


def follows_from_zero():
    return follows(1)


bound_by_theorem = claim(
    "gemfilter-speedup-reports",
    title="Which reported speed-ups the theorem allows",
    says="$m/r$ is 2.4615, 2.1053, 1.6842 for the three models: 2.4 follows for LLaMA alone; with $r$ "
    "read as an index from 0 the ratios are 2.2857, 2.0000, 1.6000 and it follows for none.",
    covers="bound-by-theorem",
    closed_form=sp.Matrix([24615, 10256, 21052, 8771, 16842, 7017]),
    relation=counts(),
    legs=[
        leg(
            "layers run",
            reached,
            inside="model",
            lhs=r"\Big(\Big\lfloor10^4\,\frac mr\Big\rfloor,\ \Big\lfloor\frac{10^4}{2.4}\,\frac mr\Big\rfloor\Big)",
            tex=r"(24615,10256),\ (21052,8771),\ (16842,7017)",
        ),
        leg(
            "as stated",
            to_four_decimals,
            inside="model",
            closed_form=sp.Matrix([10**4 * Fraction(text) for text in RATIOS.values()]),
            lhs=r"10^4\,\frac mr\text{, rounded}",
            tex=r"24615,\ 21053,\ 16842",
        ),
        leg(
            "from 0",
            zero_based,
            inside="model",
            closed_form=sp.Matrix([22857, 9523, 20000, 8333, 16000, 6666]),
            lhs=r"\Big(\Big\lfloor\frac{10^4m}{r+1}\Big\rfloor,\ \Big\lfloor\frac{10^4m}{2.4\,(r+1)}\Big\rfloor\Big)",
            tex=r"(22857,9523),\ (20000,8333),\ (16000,6666)",
        ),
        leg(
            "follows",
            follows,
            inside="model",
            closed_form=sp.Matrix([1, 0, 0]),
            lhs=r"\mathbf 1[m\ge2.4\,r]",
            tex=r"1,\ 0,\ 0",
        ),
        leg(
            "follows from 0",
            follows_from_zero,
            inside="model",
            closed_form=sp.Matrix([0, 0, 0]),
            lhs=r"\mathbf 1[m\ge2.4\,(r+1)]",
            tex=r"0,\ 0,\ 0",
        ),
    ],
    rivals=[
        variant(
            "2.4 for every model", closed_form=sp.Matrix([24615, 10256, 21052, 10000, 16842, 10000])
        ),
        variant("the index from 0 changes nothing", simulation=zero_based),
        variant("from 0 as stated", simulation=to_four_decimals_from_zero, leg="as stated"),
        variant("from 0 as from 1", simulation=reached, leg="from 0"),
        variant("for Mistral, too", closed_form=sp.Matrix([1, 1, 0]), leg="follows"),
        variant("for LLaMA from 0, too", simulation=follows, leg="follows from 0"),
    ],
)

REDUCED = formula_leg(
    "both",
    typed(
        "108172/k == 1081.72 or k != 100 and abs(108172/k - 105.6) <= 1/20",
        over="k in {100, 1024}",
    ),
)

token_reduction = claim(
    "gemfilter-token-reduction",
    states="gemfilter-speedup-reports",
    title="Token reduction",
    says="$108172/k$ is 1081.72 at $k = 100$ and 105.6 at $k = 1024$, to a decimal.",
    role="reading",
    covers="token-reduction",
    legs=[REDUCED],
    rivals=rivals_of(
        REDUCED,
        {
            "a thousandfold at k = 1024 as well": "108172/k >= 1000",
            "105.7 at k = 1024": "108172/k == 1081.72 or k != 100 and abs(108172/k - 105.7) <= 1/20",
        },
    ),
)
