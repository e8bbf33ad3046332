r"""Lemma A.33: class-weighted first moments.

Setting. w = P[y = 1] in (0, 1), class weights 1/(2 P[y = v]); a relevant pattern is on with probability a given y = 1
and c given y = -1, mu = w a + (1 - w) c; gamma = (gamma_1 + gamma_-1)/2 with gamma_v = E[y pattern | y = v], that is
(a - c)/2; phi = (pattern - mu)/sigma~.

Statements. (1) E[alpha_y y] = 0, E|alpha_y y| = 1. (2) E|phi_j| = 2 sigma_phi^2 sigma~ off A. (3) E[alpha_y y phi_j]
= gamma/sigma~ on A. (4) E|alpha_y y phi_j| <= (9/16)/sigma~ for all j, which is attained: 1/2 is the constant of
balanced classes only.

Reference: Lemma A.33, lines 4458-4502.
"""

from __future__ import annotations

from theorycheck import formula

WEIGHTS = ["w in (0, 1)"]
LAW = ["w in [0, 1]", "a in [0, 1]", "c in [0, 1]"]
MU = "(w*a + (1 - w)*c)"
HALVES = f"1/2*(a*(1 - {MU}) + (1 - a)*{MU}) + 1/2*(c*(1 - {MU}) + (1 - c)*{MU})"

labels = formula(
    "structured-general-moments-labels",
    states="structured-general-moments",
    title="Class-weighted moments of the label",
    says="w*(1/(2*w)) - (1 - w)*(1/(2*(1 - w))) == 0 and w*(1/(2*w)) + (1 - w)*(1/(2*(1 - w))) == 1",
    over=WEIGHTS,
    covers="y-moments",
    reads={"law": "w"},
    rivals={
        "unweighted": "w - (1 - w) == 0",
        "weights 1/P": "w*(1/w) + (1 - w)*(1/(1 - w)) == 1",
    },
)

background = formula(
    "structured-general-moments-background",
    states="structured-general-moments",
    title="Absolute moment of a background pattern, with its own rate",
    says="p*abs((1 - p)/s) + (1 - p)*abs(-p/s) == 2*(p*(1 - p)/s**2)*s",
    over=["p in [0, 1]", "s > 0"],
    covers="abs-background",
    reads={"j": "p"},
    rivals={"without 2": "p*abs((1 - p)/s) + (1 - p)*abs(-p/s) == (p*(1 - p)/s**2)*s"},
)

SIGNAL = f"(1/2*(a*(1 - {MU}) - (1 - a)*{MU}) - 1/2*(c*(1 - {MU}) - (1 - c)*{MU}))/s"
signal = formula(
    "structured-general-moments-signal",
    states="structured-general-moments",
    title="Class-weighted covariance of label and relevant pattern",
    says=f"{SIGNAL} == (a + (-c))/2/s",
    over=[*LAW, "s > 0"],
    covers="signal",
    reads={"law": "w a c s", "j": "a c"},
    rivals={
        "the covariance": f"{SIGNAL} == (w*a - (1 - w)*c - (2*w - 1)*{MU})/s",
        "twice": f"{SIGNAL} == (a - c)/s",
    },
)

absolute = formula(
    "structured-general-moments-absolute",
    states="structured-general-moments",
    title="Bound on the class-weighted absolute moments",
    says=f"({HALVES})/s <= (9/16)/s",
    over=[*LAW, "s > 0"],
    covers="abs-bound",
    reads={"law": "w a c s", "j": "a c"},
    rivals={"one half": f"({HALVES})/s <= (1/2)/s"},
)
