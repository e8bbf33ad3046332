r"""(85)-(88): the factor of phase II is the residual.

Statement. e^(-F_+) e^(F_-)/(e^(F_- - F_+) + 1) = 1/(1 + e^(F_+ - F_-)) = 1 - logit_+ for all real outputs. Where the
source prints exp(F_- - exp(F_+)) in the denominator, one bracket is out of place: at F_+ = F_- = 0 that form is
1/(1 + 1/e) in place of 1/2.

Reference: Lemma E.2, lines 1146-1297.
"""

from __future__ import annotations

from theorycheck import formula

factor = formula(
    "granularity-phase2-factor",
    states="granularity-phase2-updates",
    title="The factor of phase II",
    covers="factor-identity",
    reads={"F_plus": "p", "F": "q"},
    says="exp(-p)*exp(q)/(exp(q - p) + 1) == 1/(1 + exp(p - q))",
    over=["p in (-oo, oo)", "q in (-oo, oo)"],
    rivals={
        "the bracket as printed": "exp(-p)*exp(q)/(exp(q - exp(p)) + 1) == 1/(1 + exp(p - q))",
        "the other class": "exp(-p)*exp(q)/(exp(q - p) + 1) == 1/(1 + exp(q - p))",
    },
)
