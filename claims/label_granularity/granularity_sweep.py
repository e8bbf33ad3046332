r"""Labels of an intermediate granularity: the first step (derived).

Setting. The k subclasses of each class are put into g groups of k/g, which are the labels; 2g outputs, all of
probability 1/(2g) at t = 0. The net of a group gets v_{+,c} from the samples of the subclass c, which is in the group,
and v_+ from all samples of the class: residual 1 - 1/(2g) from its own group, -1/(2g) from the others.

Statement. The increments of the subclass and of the common detector have the ratio (2g - 1)/k: 1/k for coarse labels,
2 - 1/k for the subclasses themselves.

Reference: derived from lines 294-350 and 450-470, where the sweep is one of ImageNet's labels.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import claim, formula_leg, integers, leg, rivals_of, typed, variant

k, g = sp.symbols("k g", integer=True, positive=True)


def first_step(k, g):
    """The ratio, by a sum over the subclasses of the class. Shape ()."""
    residuals = [Fraction(int(c < k // g)) - Fraction(1, 2 * g) for c in range(k)]
    return residuals[0] / sum(residuals, Fraction(0))


RATIO = (2 * g - 1) / k
# k/g samples of the own group, k - k/g of the others
FIRST = "(1 - 1/(2*g))/(k/g*(1 - 1/(2*g)) - (k - k/g)/(2*g))"
GROUPS = formula_leg(
    "groups of any size",
    typed(f"{FIRST} == {RATIO}", over=["k in 1..oo", "g in 1..oo"]),
    over="t",
)

kappa = claim(
    "granularity-first-ratio",
    lhs=r"\frac{\Delta a}{\Delta A}",
    states="granularity-exp-granularity-sweep",
    title="Subclass against common detectors by granularity",
    says=r"With the $k$ subclasses in $g$ equal groups the first step has $\Delta a/\Delta A=\frac{2g-1}k$.",
    role="derived",
    covers="kappa-law",
    domain={k: integers(1), g: integers(1)},
    where=sp.Eq(k % g, 0),
    grid={
        "smoke": [{k: n, g: h} for n in (1, 6, 8) for h in (1, 2, 3, 4, 6, 8) if n % h == 0],
        "standard": [{k: n, g: h} for n in (1, 12, 36) for h in range(1, n + 1) if n % h == 0],
    },
    closed_form=RATIO,
    legs=[leg("residuals", first_step, required=False), GROUPS],
    rivals=[
        variant("g/k", closed_form=g / k),
        variant("2 g/k", closed_form=2 * g / k),
        *rivals_of(
            GROUPS,
            {
                "g for 2g - 1": f"{FIRST} == g/k",
            },
        ),
    ],
)
