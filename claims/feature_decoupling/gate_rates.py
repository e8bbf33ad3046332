r"""How often Gaussian noise opens or shuts a gate (Lemmas B.5, D.3, Fact E.3).

Setting. Noise of variance s2 in every direction; a masked view has 2 D xi, of variance 2 s2 |w|^2 along w at the mean
mask.

Statements. (1) A singleton of coefficient a and bias b, r = b/|a|, fires without its feature with probability 2
Phi(-r/(sqrt 2 sigma)) on a masked view, and with it misses with probability 1 - Phi((1 - r)/(sqrt 2 sigma)) - Phi((-1
- r)/(sqrt 2 sigma)). (2) With b = sqrt(2 log d/d) |w| and s2 = C sqrt(log d)/d noise alone reaches lambda b with
probability erfc(lambda (log d)^(1/4)/sqrt(2 C)) on a masked view and erfc(lambda (log d)^(1/4)/sqrt C) on the plain
one. (3) For a Gaussian of standard deviation s an interval of half-width a has probability at most sqrt(2/pi) a/s,
and not at most (a/s)^2, as the proofs of D.3 and D.4 have it: at a/s = 1/5 it is above 1/25.

Reference: lines 529-544, 766-943 and 1192-1198.
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb, ctx

from theorycheck import claim, formula_leg, instances, leg, rivals_of, typed, variant

from ._dictionary import ONE_POINT
from ._gaussian import BITS, gate, mean_of, number


def singleton(a, r, sigma, n, z, doubled=2):
    """How often a neuron along a flat column of R^n passes b = r |a| where the feature is z, by integration: the
    noise of a masked view, entry by entry, at its mean variance. Shape ()."""
    with ctx.workprec(BITS):
        w = [number(a) / number(n).sqrt() * (-1) ** i for i in range(n)]
        variance = sum((x * x * doubled * number(sigma) ** 2 for x in w), arb(0))
        return mean_of(gate(abs(Fraction(a)) * r), Fraction(a) * z, variance.sqrt())


def on_the_plain_view(a, r, sigma, n, z):
    return singleton(a, r, sigma, n, z, doubled=1)


def its_rate(r, sigma, z):
    """P(z, sqrt 2 sigma, r). Shape ()."""
    with ctx.workprec(BITS):
        scale = number(sigma) * 2
        return (((number(r) - z) / scale).erfc() + ((number(r) + z) / scale).erfc()) / 2


def a_singleton(rng):
    return {"a": Fraction(int(rng.signs()) * int(rng.integers(1, 9)), 3), "r": Fraction(int(rng.integers(1, 10)), 10),
            "sigma": Fraction(int(rng.integers(1, 9)), 10), "n": int(rng.integers(2, 9)),
            "z": int(rng.integers(0, 2))}  # fmt: skip


def on_noise(w, lam, C, d, views):
    """P[|<w, x>| >= lam sqrt(2 log d/d) |w|] on noise, masked (``views`` = 2) or plain (1). Shape ()."""
    with ctx.workprec(BITS):
        L = arb(d).log()
        variance = sum((number(x) ** 2 * views * number(C) * L.sqrt() / d for x in w), arb(0))
        norm = sum((number(x) ** 2 for x in w), arb(0)).sqrt()
        return mean_of(gate(number(lam) * (2 * L / d).sqrt() * norm), 0, variance.sqrt())


def on_more_noise(w, lam, C, d, views):
    return on_noise(w, lam, C, d, 2 * views)


def its_erfc(w, lam, C, d, views):
    """erfc(lam (log d)^(1/4)/sqrt(views C)). Shape ()."""
    with ctx.workprec(BITS):
        return (number(lam) * arb(d).log().root(4) / (number(C) * views).sqrt()).erfc()


def a_bias(rng):
    return {"w": [Fraction(int(rng.integers(1, 9)), 3) for _ in range(3)], "lam": Fraction(int(rng.integers(1, 9)), 4),
            "C": Fraction(int(rng.integers(1, 9)), 2), "d": int(rng.integers(2, 999)),
            "views": int(rng.integers(1, 3))}  # fmt: skip


NOISE = ["s > 0", "r in (0, 1)", "g ~ N(0, 1)"]
ALARM = formula_leg("false alarm", typed(
    "P[sqrt(2)*s*g >= r] + P[sqrt(2)*s*g <= -r] == 2*Phi(-r/(sqrt(2)*s))", over=NOISE), over="sigma d1")  # fmt: skip
MISS = formula_leg("hit", typed(
    "P[1 + sqrt(2)*s*g >= r] + P[1 + sqrt(2)*s*g <= -r] == Phi((1 - r)/(sqrt(2)*s)) + Phi((-1 - r)/(sqrt(2)*s))",
    over=NOISE), over="sigma d1")  # fmt: skip
# the mean of (2 D)^2 is 2
DOUBLE = formula_leg(
    "masked noise",
    typed("E[(2*D)**2] == 2", over=["s > 0", "D ~ Bernoulli(1/2)"]),
    over="r sigma d1",
)

rates = claim(
    "decoupling-singleton-rates",
    lhs=r"\Pr[|\langle w,x^+\rangle|\ge b]",
    tex=r"\Phi\Big(\frac{z-r}{\sqrt2\sigma_\xi}\Big)+\Phi\Big(\frac{-z-r}{\sqrt2\sigma_\xi}\Big)",
    states="decoupling-stage3-gates",
    title="False alarms and misses of a singleton",
    says=r"On a masked view, at the mean mask, a singleton with $b=r|a|$ fires without its feature with probability "
    r"$2\Phi(-\frac r{\sqrt2\sigma_\xi})$ and with it with "
    r"$\Phi(\frac{1-r}{\sqrt2\sigma_\xi})+\Phi(\frac{-1-r}{\sqrt2\sigma_\xi})$.",
    role="derived",
    covers="singleton-rates",
    **ONE_POINT,
    legs=[
        leg("integrated", singleton, reference=its_rate, required=False,
            instances=instances(a_singleton, "a r sigma n z", smoke=4, standard=8)),
        ALARM, MISS, DOUBLE,
    ],
    rivals=[
        variant("noise of the plain view", simulation=on_the_plain_view, leg="integrated"),
        *rivals_of(ALARM, {"the plain view": "P[sqrt(2)*s*g >= r] + P[sqrt(2)*s*g <= -r] == 2*Phi(-r/s)"}),
        *rivals_of(MISS,
            {"one side": "P[1 + sqrt(2)*s*g >= r] + P[1 + sqrt(2)*s*g <= -r] == Phi((1 - r)/(sqrt(2)*s))"}),
        *rivals_of(DOUBLE, {"4": "E[(2*D)**2] == 4"}),
    ],
)  # fmt: skip

SIZES = ["lam > 0", "L > 0", "d > 0 real", "C > 0", "n > 0 real"]
MASKED = formula_leg("masked view", typed(
    "2*Phi(-lam*sqrt(2*L/d)*n/sqrt(2*C*sqrt(L)/d*n**2)) == erfc(lam*L**(1/4)/sqrt(2*C))", over=SIZES),
    over="lambda d C_xi")  # fmt: skip
PLAIN = formula_leg("plain view", typed(
    "2*Phi(-lam*sqrt(2*L/d)*n/sqrt(C*sqrt(L)/d*n**2)) == erfc(lam*L**(1/4)/sqrt(C))", over=SIZES),
    over="lambda d C_xi")  # fmt: skip

noise = claim(
    "decoupling-noise-firing",
    lhs=r"\Pr[|\langle w,x\rangle|\ge\lambda b]",
    tex=r"\operatorname{erfc}\frac{\lambda\log^{1/4}d}{\sqrt{cC_\xi}}",
    states="decoupling-activation-prob-stage2",
    title="Firing on noise alone",
    says=r"At $b=\sqrt{2\log d/d}\,\|w\|$ noise alone reaches $\lambda b$ with probability "
    r"$\operatorname{erfc}\frac{\lambda\log^{1/4}d}{\sqrt{2C_\xi}}$ on a masked view (mean mask), "
    r"$\operatorname{erfc}\frac{\lambda\log^{1/4}d}{\sqrt{C_\xi}}$ on the plain one.",
    role="derived",
    covers="noise-formula",
    **ONE_POINT,
    legs=[
        leg("integrated", on_noise, reference=its_erfc, required=False,
            instances=instances(a_bias, "w lam C d views", smoke=4, standard=8)),
        MASKED, PLAIN,
    ],
    rivals=[
        variant("twice the noise", simulation=on_more_noise, leg="integrated"),
        *rivals_of(MASKED, {"that of the plain view":
            "2*Phi(-lam*sqrt(2*L/d)*n/sqrt(2*C*sqrt(L)/d*n**2)) == erfc(lam*L**(1/4)/sqrt(C))"}),
        *rivals_of(PLAIN, {"sqrt L": "2*Phi(-lam*sqrt(2*L/d)*n/sqrt(C*sqrt(L)/d*n**2)) == erfc(lam*sqrt(L)/sqrt(C))"}),
    ],
)  # fmt: skip

LINEAR = formula_leg(
    "half-width over sd", typed("erf(a/(s*sqrt(2))) <= sqrt(2/pi)*a/s", over=["a > 0", "s > 0"])
)
NOT_SQUARE = formula_leg(
    "not its square", typed("erf(a/(s*sqrt(2))) > (a/s)**2", over=["s > 0", "a in (0, s/5]"])
)

step = claim(
    "decoupling-interval-step",
    states="decoupling-stage2-sparse-gradient",
    title="A Gaussian in a short interval",
    says=r"$\Pr[|g|\le a/s]\le\sqrt{2/\pi}\,a/s$, and it is above $(a/s)^2$ for $a\le s/5$.",
    role="derived",
    covers="false-step",
    legs=[LINEAR, NOT_SQUARE],
    rivals=[
        *rivals_of(LINEAR, {
            "the square": "erf(a/(s*sqrt(2))) <= (a/s)**2",
            "7/10": "erf(a/(s*sqrt(2))) <= 7*a/(10*s)",
        }),
        *rivals_of(NOT_SQUARE, {"up to 2 s": {"over": ["s > 0", "a in (0, 2*s]"]}}),
    ],
)  # fmt: skip
