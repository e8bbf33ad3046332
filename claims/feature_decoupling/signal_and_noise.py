r"""Section 2.1: the significance of the signal, and logits near the start (Lemma C.3).

Setting. x = M z + xi, M with orthonormal columns; C_xi sqrt(log d)/d is the noise's variance in every direction, L =
log d.

Statements. (1) |M z|^2 = |z|_0 <= d, |xi|^2 is s2 times chi-squared of d1, at least s2 d1/2 but for e^(-d1/11): E
e^(-theta g^2) = (1 + 2 theta)^(-1/2) at theta = 1/2. With d1 >= d^3 that is at least C_xi/2 d^2. (2) <M z, M_j> = z_j
has size 1 whenever z_j != 0; <xi, M_j> is above sqrt(C_xi) L^(5/4)/sqrt d in size with probability erfc(L/sqrt 2) <=
e^(-L^2/2). (3) A feature is in the share q = C_z log log d/d of the population, at least C_z/d for d >= 16. (4) For n
logits within R of each other every softmax weight is within (e^R - 1)/n of 1/n.

Reference: lines 118-123 and 617-638.
"""

from __future__ import annotations

from theorycheck import claim, formula_leg, rivals_of, typed

MOMENT = formula_leg(
    "one entry", typed("exp(1/4)/sqrt(2) <= exp(-1/11)", over="n in 1..oo"), over="xi z d"
)
SIZE = formula_leg("size", typed(
    "C*sqrt(L)/d*D/2 >= C/2*d**2", over=["C > 0", "L in [1, oo)", "d > 0 real", "D in [d**3, oo)"]),
        over="xi z")  # fmt: skip
CODE = formula_leg("code", typed("k*1 <= d", over=["d in 1..oo", "k in 0..d"]), over="xi z")

norms = claim(
    "decoupling-noise-norm",
    states="decoupling-signal-vs-noise",
    title="Norms of noise and signal",
    says=r"$\|\xi\|^2\ge\frac12\sigma_\xi^2d_1$ but for $e^{-d_1/11}$, at least $\frac{C_\xi}2d^2$ for "
    r"$d_1\ge d^3$, while "
    r"$\|Mz\|^2=\|z\|_0\le d$.",
    covers="norms",
    legs=[MOMENT, SIZE, CODE],
    rivals=[
        *rivals_of(MOMENT, {"1/10": "exp(1/4)/sqrt(2) <= exp(-1/10)"}),
        *rivals_of(SIZE, {"d1 = d^2": {"over": ["C > 0", "L in [1, oo)", "d > 0 real", "D in [d**2, oo)"]}}),
        *rivals_of(CODE, {"half of d": "k*1 <= d/2"}),
    ],
)  # fmt: skip

TAIL = formula_leg("tail", typed(
    "2*Phi(-sqrt(C)*L**(5/4)/sqrt(d)/sqrt(C*sqrt(L)/d)) == erfc(L/sqrt(2))", over=["C > 0", "L > 0", "d > 0 real"]),
    over="j xi Otilde")  # fmt: skip
BOUND = formula_leg(
    "bound", typed("erfc(L/sqrt(2)) <= exp(-L**2/2)", over="L > 0"), over="j xi Otilde"
)

clean = claim(
    "decoupling-not-corrupted",
    states="decoupling-signal-vs-noise",
    title="Noise along one column",
    says=r"$|\langle Mz,M_j\rangle|=1$ if $z_j\ne0$, while "
    r"$|\langle\xi,M_j\rangle|\le\sqrt{C_\xi}\frac{\log^{5/4}d}{\sqrt d}$ but "
    r"for $\operatorname{erfc}\frac{\log d}{\sqrt2}\le e^{-\log^2d/2}$.",
    covers="not-corrupted",
    legs=[TAIL, BOUND],
    rivals=[
        *rivals_of(TAIL, {"log d": "2*Phi(-sqrt(C)*L/sqrt(d)/sqrt(C*sqrt(L)/d)) == erfc(L/sqrt(2))"}),
        *rivals_of(BOUND, {"L^2": "erfc(L/sqrt(2)) <= exp(-L**2)"}),
    ],
)  # fmt: skip

SHARE = formula_leg("share", typed(
    "C*log(L)/d >= C/d", over=["C > 0", "d > 0 real", "L in [log(16), oo)"]), over="j")  # fmt: skip

shared = claim(
    "decoupling-shared-features",
    states="decoupling-signal-vs-noise",
    title="Features are shared",
    says=r"$\Pr[z_j\ne0]=\frac{C_z\log\log d}d\ge\frac{C_z}d$ for $d\ge16$.",
    covers="shared",
    legs=[SHARE],
    rivals=rivals_of(SHARE, {"d = 15": {"over": ["C > 0", "d > 0 real", "L in [log(15), oo)"]}}),
)

# s is the mean of e^(a_k - a_i) over the other n - 1 logits, y is e^R
WEIGHT = formula_leg("weight", typed(
    "abs(1/(1 + (n - 1)*s) - 1/n) <= (y - 1)/n", over=["n in 2..oo", "y in [1, oo)", "s in [1/y, y]"]),
        over="a R")  # fmt: skip
MEAN = formula_leg("mean", typed(
    "exp(-R) <= exp(x) <= exp(R)", over=["R in [0, oo)", "x in [-R, R]"]), over="a n")  # fmt: skip
ALONE = formula_leg(
    "one logit", typed("abs(1/(1 + 0) - 1/1) <= (exp(R) - 1)/1", over="R in [0, oo)"), over="a n"
)

logits = claim(
    "decoupling-logits",
    states="decoupling-logits-init",
    title="Logits within a range",
    says=r"Softmax weights of $n$ logits within $R$ of each other are within $\frac{e^R-1}n$ of $\frac1n$.",
    role="derived",
    covers="deterministic",
    legs=[WEIGHT, MEAN, ALONE],
    rivals=[
        *rivals_of(WEIGHT, {"half": "abs(1/(1 + (n - 1)*s) - 1/n) <= (y - 1)/(2*n)"}),
        *rivals_of(MEAN, {"beyond R": {"over": ["R in [0, oo)", "x in [-R, 2*R]"]}}),
        *rivals_of(ALONE, {"below 0": "abs(1/(1 + 0) - 1/1) < (exp(R) - 1)/1"}),
    ],
)  # fmt: skip
