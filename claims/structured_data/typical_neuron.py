r"""Lemmas A.3, A.4, A.30, A.31: typical neurons.

Setting. q = M^T w for w ~ N(0, sigma_w^2 I); n = D - k background patterns. With an incoherent dictionary each q_l is
N(0, sigma_w^2) as well, but the q_l depend on each other.

Statements. (1) P[|g| > t] <= e^(-t^2/2): with t = sqrt(2 log(N/delta)) and a union bound over N variables, dependent
or not, max |q_l| <= sigma_w t fails with probability at most delta; N = D, D m, 1 or m. (2) For independent g_l, by E
e^(s g^2) = (1 - 2s)^(-1/2) at s = 1/6 and s = -1/2, the sum of the squares is above 3n/2 with probability at most
e^(-c n), c = (1/2 - log(3/2))/2 = 0.0472..., and below n/2 with probability at most e^(-(log 2 - 1/2) n/2), which is
less. (3) So c serves in Lemma A.3, and, times m, in Lemma A.4. (4) Whatever the dictionary, E |q_S|^2 = sigma_w^2
|S|: the columns are units (A.30's proof prints a squared Frobenius norm).

Reference: Lemma A.3, lines 2926-2949; Lemma A.4, lines 2951-2957; Lemma A.30, lines 4402-4430; Lemma A.31, lines
4434-4440.
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb, ctx

from theorycheck import at_most, claim, formula_leg, instances, leg, rivals_of, typed, variant

from ._balls import BITS, ONE_POINT, number


def beyond(count, delta, times=2):
    """P[some of ``count`` independent standard Gaussians is above sqrt(2 log(count/delta)) in size]. Shape ()."""
    with ctx.workprec(BITS):
        t = (times * number(count / Fraction(delta)).log()).sqrt()
        return 1 - (1 - (t / arb(2).sqrt()).erfc()) ** count


def beyond_a_smaller_one(count, delta):
    return beyond(count, delta, times=1)


def allowed(count, delta):
    return delta


def not_typical(m, D, n, delta, times=2):
    """m P[the sum of n squares is not within half of its mean], by the chi-squared law, and the chance that some of
    the D m components is above sqrt(2 log(D m/delta)): at least the chance that one of m neurons is not typical.
    Shape ()."""
    with ctx.workprec(BITS):
        half = arb(n) / 2
        outside = 1 + (half / 2).gamma_lower(half, 1) - (3 * half / 2).gamma_lower(half, 1)
        return m * outside + beyond(D * m, delta, times)


def with_a_smaller_maximum(m, D, n, delta):
    return not_typical(m, D, n, delta, times=1)


def said(m, D, n, delta):
    """delta + 2 m e^(-c n), c = (1/2 - log(3/2))/2. Shape ()."""
    with ctx.workprec(BITS):
        rate = (number(Fraction(1, 2)) - number(Fraction(3, 2)).log()) / 2
        return number(delta) + 2 * m * (-rate * n).exp()


def some_scalars(rng):
    return {"count": int(rng.integers(2, 40)), "delta": Fraction(1, int(rng.integers(2, 40)))}


def one_scalar(rng):
    return {"count": 1, "delta": Fraction(1, int(rng.integers(2, 40)))}


def neurons(rng):
    n = int(rng.integers(100, 200))
    return {
        "m": int(rng.integers(1, 9)),
        "D": n + int(rng.integers(1, 9)),
        "n": n,
        "delta": Fraction(1, int(rng.integers(5, 40))),
    }


def one_neuron(rng):
    return {**neurons(rng), "m": 1}


def many_neurons(rng):
    """So many that the number m is seen in the level of the maximum, and so wide that the norms are not."""
    return {"m": 300, "D": 410, "n": 400, "delta": Fraction(1, int(rng.integers(5, 40)))}


def without_the_number(m, D, n, delta):
    """The level sqrt(2 log(D/delta)), whatever m is."""
    with ctx.workprec(BITS):
        return not_typical(m, 1, n, delta) - beyond(m, delta) + 1 - (1 - beyond(D, delta)) ** m


def crowd():
    """The same at many neurons."""
    run = leg(
        "many neurons",
        not_typical,
        reference=said,
        relation=at_most(),
        required=False,
        instances=instances(many_neurons, "m D n delta", smoke=2, standard=4),
    )
    return [run], [variant("sqrt(log(D/delta))", simulation=without_the_number, leg="many neurons")]


def scalars_run(draw):
    """Independent variables by their exact law, and what has to fall there."""
    run = leg(
        "exact law",
        beyond,
        reference=allowed,
        relation=at_most(),
        required=False,
        instances=instances(draw, "count delta", smoke=4, standard=8),
    )
    return [run], [variant("sqrt(log(N/delta))", simulation=beyond_a_smaller_one, leg="exact law")]


def neurons_run(draw):
    """Norm and maximum of independent components by their exact laws, and what has to fall there."""
    run = leg(
        "exact laws",
        not_typical,
        reference=said,
        relation=at_most(),
        required=False,
        instances=instances(draw, "m D n delta", smoke=4, standard=8),
    )
    return [run], [
        variant("sqrt(log(N/delta))", simulation=with_a_smaller_maximum, leg="exact laws")
    ]


TAIL = typed("P[abs(g) > t] <= exp(-t**2/2)", over=["t in [0, oo)", "g ~ N(0, 1)"])
UNION = typed("N*exp(-sqrt(2*log(N/delta))**2/2) == delta", over=["N in 1..oo", "delta in (0, 1)"])
SQUARE = typed("E[exp(s*g**2)] == 1/sqrt(1 - 2*s)", over=["s in (-oo, 1/2)", "g ~ N(0, 1)"])
C = "(1/2 - log(3/2))/2"
UPPER = typed(f"(1/sqrt(1 - 2*(1/6)))**n*exp(-(1/6)*(3*n/2)) <= exp(-{C}*n)", over="n in 1..oo")
LOWER = typed(f"(1/sqrt(1 + 2*(1/2)))**n*exp((1/2)*(n/2)) <= exp(-{C}*n)", over="n in 1..oo")


def maximum(over, covers=None):
    """All of N Gaussians, independent or not, within sqrt(2 log(N/delta)) standard deviations."""
    options = {"covers": covers} if covers else {}
    tail = formula_leg("one Gaussian", TAIL, over=over, **options)
    union = formula_leg("union bound", UNION, over=over, **options)
    wrong = [
        *rivals_of(tail, {"twice the exponent": "P[abs(g) > t] <= exp(-t**2)"}),
        *rivals_of(union, {"without 2": "N*exp(-sqrt(log(N/delta))**2/2) == delta"}),
    ]
    return [tail, union], wrong


def band(over, gives, covers=None):
    """The sum of n squares within half of its mean, but for 2 exp(-c n)."""
    options = {"covers": covers} if covers else {}
    square = formula_leg("one square", SQUARE, over=over, **options)
    upper = formula_leg("above 3n/2", UPPER, over=over, gives=gives, **options)
    lower = formula_leg("below n/2", LOWER, over=over, **options)
    rate = f"(1/sqrt(1 - 2*(1/6)))**n*exp(-(1/6)*(3*n/2)) <= exp(-{C}*n*11/10)"
    wrong = [
        *rivals_of(square, {"variance 2": "E[exp(s*g**2)] == 1/sqrt(1 - s)"}),
        *rivals_of(upper, {"a rate of a tenth more": rate}),
        *rivals_of(
            lower, {"below 3n/4": f"(1/sqrt(1 + 2*(1/2)))**n*exp((1/2)*(3*n/4)) <= exp(-{C}*n)"}
        ),
    ]
    return [square, upper, lower], wrong


def joined(*parts):
    return {
        "legs": [x for legs, _ in parts for x in legs],
        "rivals": [x for _, wrong in parts for x in wrong],
    }


one = claim(
    "structured-typical-neuron",
    lhs=r"\Pr[w\notin\mathcal G_w(\delta)]",
    tex=r"\delta+2e^{-c(D-k)}",
    states="structured-init-typical-one",
    title="One neuron is typical",
    says=r"With probability at least $1-\delta-2e^{-c(D-k)}$, $c=\frac12(\frac12-\ln\frac32)$, "
    r"$\sum_{l\notin A}q_l^2$ is within half of its mean and $\max_l|q_l|\le\sigma_w\sqrt{2\ln(D/\delta)}$.",
    covers="norm-band",
    **ONE_POINT,
    **joined(neurons_run(one_neuron), maximum("D k delta w"), band("D k delta w", "c")),
)

scalar = claim(
    "structured-typical-bias",
    lhs=r"\Pr[|b|>\sigma_b\sqrt{2\ln(1/\delta)}]",
    tex=r"\delta",
    states=["structured-init-typical-one", "structured-general-init"],
    title="A bias or read-out is typical",
    says=r"$|b|\le\sigma_b\sqrt{2\ln(1/\delta)}$ with probability at least $1-\delta$, likewise $|a|$.",
    covers="structured-init-typical-one/b-bound structured-general-init/b-a",
    **ONE_POINT,
    **joined(scalars_run(one_scalar), maximum("delta b")),
)

many = claim(
    "structured-typical-neurons",
    lhs=r"\Pr[\text{some }w_i\notin\mathcal G_w(\delta)]",
    tex=r"\delta+2me^{-c(D-k)}",
    states="structured-init-typical-all",
    title="All neurons are typical",
    says=r"With probability at least $1-\delta-2me^{-c(D-k)}$ all $w_i$ are in $\mathcal G_w(\delta)$: $Dm$ "
    r"components below "
    r"$\sigma_w\sqrt{2\ln(Dm/\delta)}$, and $m$ norms.",
    covers="weights",
    **ONE_POINT,
    **joined(
        neurons_run(neurons),
        crowd(),
        maximum("m D k delta initialisation"),
        band("m D k delta initialisation", "c"),
    ),
)

scalars = claim(
    "structured-typical-biases",
    lhs=r"\Pr[\max_i|b_i|>\sigma_b\sqrt{2\ln(m/\delta)}]",
    tex=r"\delta",
    states=["structured-init-typical-all", "structured-general-init-all"],
    title="All biases, and all read-outs, are typical",
    says=r"All $|b_i|\le\sigma_b\sqrt{2\ln(m/\delta)}$ with probability at least $1-\delta$, and all $|a_i|$ "
    r"likewise with its own "
    r"$1-\delta$.",
    covers="structured-init-typical-all/biases-readouts structured-general-init-all/biases-readouts",
    **ONE_POINT,
    **joined(scalars_run(some_scalars), maximum("m delta b a")),
)
