"""Lemma D.3: the tail of a standard Gaussian between its density over delta and over delta + 1/delta.

Statement. For every delta > 0, (2 pi)^(-1/2) delta/(delta^2 + 1) e^(-delta^2/2) <= P[x >= delta] <=
(2 pi)^(-1/2) e^(-delta^2/2)/delta. Both differences vanish at infinity and have derivatives of one sign; the tail is
erfc(delta/sqrt 2)/2.

Reference: Lemma D.3, lines 1085-1089.
"""

from __future__ import annotations

from theorycheck import formula

lower = formula(
    "contamination-gaussian-tail-lower",
    states="contamination-gaussian-tail",
    title=r"The tail is above the density over $\delta + 1/\delta$",
    says="delta/(delta**2 + 1)*exp(-delta**2/2)/sqrt(2*pi) < erfc(delta/sqrt(2))/2",
    over="delta in (0, oo)",
    covers="lower",
    rivals={
        "the upper side as the lower one": "exp(-delta**2/2)/(delta*sqrt(2*pi)) < erfc(delta/sqrt(2))/2",
        "9/10 in place of 1": "delta/(delta**2 + 9/10)*exp(-delta**2/2)/sqrt(2*pi) < erfc(delta/sqrt(2))/2",
        "the two-sided tail halved again": "delta/(delta**2 + 1)*exp(-delta**2/2)/sqrt(2*pi) < erfc(delta/sqrt(2))/4",
    },
)

upper = formula(
    "contamination-gaussian-tail-upper",
    states="contamination-gaussian-tail",
    title=r"The tail is below the density over $\delta$",
    says="erfc(delta/sqrt(2))/2 < exp(-delta**2/2)/(delta*sqrt(2*pi))",
    over="delta in (0, oo)",
    covers="upper",
    rivals={
        "the lower side as the upper one": "erfc(delta/sqrt(2))/2 < delta/(delta**2 + 1)*exp(-delta**2/2)/sqrt(2*pi)",
        "exp(-delta^2)": "erfc(delta/sqrt(2))/2 < exp(-delta**2)/(delta*sqrt(2*pi))",
        "the two-sided tail": "erfc(delta/sqrt(2)) < exp(-delta**2/2)/(delta*sqrt(2*pi))",
    },
)
