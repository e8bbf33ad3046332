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

import sympy as sp
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


def on_the_plain_view(a, r, sigma, n):
    return singleton(a, r, sigma, n, 0, doubled=1)


r, sigma, lam, C, views = sp.symbols("r sigma lam C views", positive=True)
d = sp.Symbol("d", positive=True)
FALSE_ALARM = sp.erfc(r / (2 * sigma))
HIT = sp.erfc((r - 1) / (2 * sigma)) / 2 + sp.erfc((r + 1) / (2 * sigma)) / 2
ON_NOISE = sp.erfc(lam * sp.log(d) ** sp.Rational(1, 4) / sp.sqrt(views * C))


def without_its_feature(a, r, sigma, n):
    return singleton(a, r, sigma, n, 0)


def with_its_feature(a, r, sigma, n):
    return singleton(a, r, sigma, n, 1)


def a_singleton(rng):
    return {
        "a": Fraction(int(rng.signs()) * int(rng.integers(1, 9)), 3),
        "r": Fraction(int(rng.integers(1, 10)), 10),
        "sigma": Fraction(int(rng.integers(1, 9)), 10),
        "n": int(rng.integers(2, 9)),
    }


SINGLETONS = instances(a_singleton, "a r sigma n", smoke=2, standard=5)


def on_noise(w, lam, C, d, views):
    """P[|<w, x>| >= lam sqrt(2 log d/d) |w|] on noise, masked (``views`` = 2) or plain (1). Shape ()."""
    with ctx.workprec(BITS):
        L = arb(d).log()
        variance = sum((number(x) ** 2 * views * number(C) * L.sqrt() / d for x in w), arb(0))
        norm = sum((number(x) ** 2 for x in w), arb(0)).sqrt()
        return mean_of(gate(number(lam) * (2 * L / d).sqrt() * norm), 0, variance.sqrt())


def on_more_noise(w, lam, C, d, views):
    return on_noise(w, lam, C, d, 2 * views)


def a_bias(rng):
    return {
        "w": [Fraction(int(rng.integers(1, 9)), 3) for _ in range(3)],
        "lam": Fraction(int(rng.integers(1, 9)), 4),
        "C": Fraction(int(rng.integers(1, 9)), 2),
        "d": int(rng.integers(2, 999)),
        "views": int(rng.integers(1, 3)),
    }


NOISE = ["sigma > 0", "r in (0, 1)", "g ~ N(0, 1)"]
ALARM = formula_leg(
    "false alarm",
    typed(f"P[sqrt(2)*sigma*g >= r] + P[sqrt(2)*sigma*g <= -r] == {FALSE_ALARM}", over=NOISE),
    over="d1",
)
MISS = formula_leg(
    "hit",
    typed(f"P[1 + sqrt(2)*sigma*g >= r] + P[1 + sqrt(2)*sigma*g <= -r] == {HIT}", over=NOISE),
    over="d1",
)
# the mean of (2 D)^2 is 2
DOUBLE = formula_leg(
    "masked noise",
    typed("E[(2*D)**2] == 2", over=["x in R", "D ~ Bernoulli(1/2)"]),
    over="r sigma d1",
)

rates = claim(
    "decoupling-singleton-rates",
    lhs=r"\Pr[|\langle w,x^+\rangle|\ge b]",
    states="decoupling-stage3-gates",
    title="False alarms and misses of a singleton",
    says=r"On a masked view, at the mean mask, a singleton with $b=r|a|$ fires without its feature with probability "
    r"$2\Phi(-\frac r{\sqrt2\sigma_\xi})$ and with it with "
    r"$\Phi(\frac{1-r}{\sqrt2\sigma_\xi})+\Phi(\frac{-1-r}{\sqrt2\sigma_\xi})$.",
    role="derived",
    covers="singleton-rates",
    **ONE_POINT,
    legs=[
        leg(
            "without its feature",
            without_its_feature,
            closed_form=FALSE_ALARM,
            required=False,
            instances=SINGLETONS,
            lhs=r"\Pr[|\langle w,x^+\rangle|\ge b\mid z_j=0]",
            tex=r"2\Phi(-\tfrac r{\sqrt2\sigma_\xi})",
        ),
        leg(
            "with its feature",
            with_its_feature,
            closed_form=HIT,
            required=False,
            instances=SINGLETONS,
            lhs=r"\Pr[|\langle w,x^+\rangle|\ge b\mid z_j=1]",
            tex=r"\Phi(\tfrac{1-r}{\sqrt2\sigma_\xi})+\Phi(\tfrac{-1-r}{\sqrt2\sigma_\xi})",
        ),
        ALARM,
        MISS,
        DOUBLE,
    ],
    rivals=[
        variant("noise of the plain view", simulation=on_the_plain_view, leg="without its feature"),
        variant("one end", closed_form=sp.erfc((r - 1) / (2 * sigma)) / 2, leg="with its feature"),
        *rivals_of(
            ALARM,
            {
                "the plain view": "P[sqrt(2)*sigma*g >= r] + P[sqrt(2)*sigma*g <= -r] == 2*Phi(-r/sigma)"
            },
        ),
        *rivals_of(
            MISS,
            {
                "one side": "P[1 + sqrt(2)*sigma*g >= r] + P[1 + sqrt(2)*sigma*g <= -r] == Phi((1 - r)/(sqrt(2)*sigma))"
            },
        ),
        *rivals_of(DOUBLE, {"4": "E[(2*D)**2] == 4"}),
    ],
)

# n is |w|; views is 2 on a masked view, 1 on the plain one
FIRES = formula_leg(
    "a view",
    typed(
        f"2*Phi(-lam*sqrt(2*log(d)/d)*n/sqrt(views*C*sqrt(log(d))/d*n**2)) == {ON_NOISE}",
        over=["lam > 0", "d in (1, oo)", "C > 0", "views > 0", "n > 0 real"],
    ),
)

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
    reads={"lambda": "lam", "C_xi": "C"},
    closed_form=ON_NOISE,
    **ONE_POINT,
    legs=[
        leg(
            "integrated",
            on_noise,
            required=False,
            instances=instances(a_bias, "w lam C d views", smoke=4, standard=8),
        ),
        FIRES,
    ],
    rivals=[
        variant("twice the noise", simulation=on_more_noise, leg="integrated"),
        variant(
            "sqrt(log d) integrated",
            leg="integrated",
            closed_form=sp.erfc(lam * sp.sqrt(sp.log(d)) / sp.sqrt(views * C)),
        ),
        *rivals_of(
            FIRES,
            {
                "the same for both views": "2*Phi(-lam*sqrt(2*log(d)/d)*n/sqrt(views*C*sqrt(log(d))/d*n**2)) "
                "== erfc(lam*log(d)**(1/4)/sqrt(C))",
                "sqrt(log d)": "2*Phi(-lam*sqrt(2*log(d)/d)*n/sqrt(views*C*sqrt(log(d))/d*n**2)) "
                "== erfc(lam*sqrt(log(d))/sqrt(views*C))",
            },
        ),
    ],
)

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
        *rivals_of(
            LINEAR,
            {
                "the square": "erf(a/(s*sqrt(2))) <= (a/s)**2",
                "7/10": "erf(a/(s*sqrt(2))) <= 7*a/(10*s)",
            },
        ),
        *rivals_of(NOT_SQUARE, {"up to 2 s": {"over": ["s > 0", "a in (0, 2*s]"]}}),
    ],
)
