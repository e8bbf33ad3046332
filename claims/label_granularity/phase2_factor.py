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
    says="exp(-F_plus)*exp(F)/(exp(F - F_plus) + 1) == 1/(1 + exp(F_plus - F))",
    over=["F_plus in (-oo, oo)", "F in (-oo, oo)"],
    rivals={
        "the bracket as printed": "exp(-F_plus)*exp(F)/(exp(F - exp(F_plus)) + 1) == 1/(1 + exp(F_plus - F))",
        "the other class": "exp(-F_plus)*exp(F)/(exp(F - F_plus) + 1) == 1/(1 + exp(F - F_plus))",
    },
)
