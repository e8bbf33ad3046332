r"""Lemmas A.2, A.3, B.5, B.6, D.3, D.4: the Gaussian parts of gradients and firing rates, integrated.

Setting. Given the code z and the mask D the views 2 D x and 2 (I - D) x have disjoint noises: u' = <w, x+> and u'' =
<w, x++> are independent Gaussians, means mu', mu'' and deviations s', s'', s' = 2 sigma |D w|; <2 D xi, v> is (4 s2
w^T D v/s'^2)(u' - mu') plus a part that is independent of u'. H, P, Dp: mean of h(u), P[|u| >= b], density at b less
that at -b.

Statements. E h(u) = H, P[|u| >= b] = P, E 1{|u| >= b}(u - mu) = s^2 Dp in closed form, so that the sparse
gradient is E_(D, z) [z_j H'' P'], the noise's part E_(D, z) [H'' Dp' 4 s2 w^T D v], the firing rate at lambda b E_(D,
z) P'(lambda b), with or without some columns in z.

Reference: lines 370-384, 529-555, 766-786 and 905-911.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from flint import arb, ctx

from theorycheck import claim, formula_leg, instances, leg, rivals_of, typed, variant

from ._dictionary import ONE_POINT, codes
from ._gaussian import BITS, gate, mean_of, number, unit

MASKS = tuple(product((0, 1), repeat=2))


def masked(a, b, D):
    """<a, 2 D b>."""
    return sum((2 * s * x * y for x, y, s in zip(a, b, D, strict=True)), Fraction(0))


def complement(D):
    return tuple(1 - s for s in D)


def deviation(w, sigma, D):
    """Standard deviation of <w, 2 D xi>."""
    return (
        number(sigma)
        * number(sum((4 * a * a for a, s in zip(w, D, strict=True) if s), Fraction(0))).sqrt()
    )


def integrated(w, v, M, q, sigma, b, part):
    """E h(<w, x++>) 1{|<w, x+>| >= b} part over masks of the plane, codes of its one column and noise. ``part`` is
    given D, z and <w, x+> = u. A mask that keeps both coordinates shuts one of the views, so that only those count
    that give one coordinate to each; <2 D xi, v> is then (u less its mean) v/w there. Shape ()."""
    with ctx.workprec(BITS):
        total = arb(0)
        for D in ((1, 0), (0, 1)):
            for (z,), p in codes(1, q):
                mean, other = z * masked(w, M, D), z * masked(w, M, complement(D))
                height = mean_of(unit(b), other, deviation(w, sigma, complement(D)))
                at, centre = D.index(1), number(mean)
                noise = number(v[at]) / number(w[at])
                inner = gate(b, part(z, noise, centre, number(z * masked(v, M, D))))
                total += number(p) / 4 * height * mean_of(inner, mean, deviation(w, sigma, D))
        return total


def sparse_gradient(w, v, M, q, sigma, b):
    return integrated(w, v, M, q, sigma, b, lambda z, noise, centre, signal: lambda u: z * u**0)


def noise_gradient(w, v, M, q, sigma, b):
    return integrated(
        w, v, M, q, sigma, b, lambda z, noise, centre, signal: lambda u: noise * (u - centre)
    )


def dense_gradient(w, v, M, q, sigma, b):
    return integrated(
        w,
        v,
        M,
        q,
        sigma,
        b,
        lambda z, noise, centre, signal: lambda u: noise * (u - centre) + signal,
    )


def Phi(x):
    return (1 + (x / arb(2).sqrt()).erf()) / 2


def density(x):
    return (-x * x / 2).exp() / (2 * arb.pi()).sqrt()


def closed(mu, s, b):
    """H, P and Dp."""
    if s == 0:
        return (mu - b).max(0) - (-mu - b).max(0), int(abs(mu) >= b), 0
    up, down = (mu - b) / s, (-mu - b) / s
    height = (mu - b) * Phi(up) + s * density(up) - ((-mu - b) * Phi(down) + s * density(down))
    return height, Phi(up) + Phi(down), (density(up) - density(down)) / s


def averaged(w, v, M, q, sigma, b, part):
    """E_(D, z) of H'' times ``part`` of z, P', Dp' 4 s2 w^T D v and v^T 2 D M z. Shape ()."""
    with ctx.workprec(BITS):
        total = arb(0)
        for D in MASKS:
            for (z,), p in codes(1, q):
                mean, other = number(z * masked(w, M, D)), number(z * masked(w, M, complement(D)))
                height = closed(other, deviation(w, sigma, complement(D)), number(b))[0]
                _, fires, slope = closed(mean, deviation(w, sigma, D), number(b))
                noise = slope * 2 * number(sigma) ** 2 * number(masked(w, v, D))
                total += number(p) / 4 * height * part(z, fires, noise, number(z * masked(v, M, D)))
        return total


def sparse_stated(w, v, M, q, sigma, b):
    return averaged(w, v, M, q, sigma, b, lambda z, fires, noise, signal: z * fires)


def noise_stated(w, v, M, q, sigma, b):
    return averaged(w, v, M, q, sigma, b, lambda z, fires, noise, signal: noise)


def dense_stated(w, v, M, q, sigma, b):
    return averaged(w, v, M, q, sigma, b, lambda z, fires, noise, signal: noise + fires * signal)


def without_gates(w, v, M, q, sigma, b):
    return averaged(w, v, M, q, sigma, b, lambda z, fires, noise, signal: z)


def half_of_the_noise(w, v, M, q, sigma, b):
    return averaged(
        w, v, M, q, sigma, b, lambda z, fires, noise, signal: noise / 2 + fires * signal
    )


def firing(w, columns, left_out, q, sigma, b, lam):
    """P[|<w, 2 D (M z + xi)>| >= lam b], the entries of z in ``left_out`` being 0, by integration. Shape ()."""
    with ctx.workprec(BITS):
        total = arb(0)
        for D in MASKS:
            for z, p in codes(2, q):
                mean = sum(
                    (z[j] * masked(w, columns[j], D) for j in range(2) if j not in left_out),
                    Fraction(0),
                )
                total += (
                    number(p) / 4 * mean_of(gate(Fraction(lam) * b), mean, deviation(w, sigma, D))
                )
        return total


def firing_stated(w, columns, left_out, q, sigma, b, lam):
    """E_(D, z) P(mu', s', lam b) over the codes of the other columns alone. Shape ()."""
    with ctx.workprec(BITS):
        others, total = [c for j, c in enumerate(columns) if j not in left_out], arb(0)
        for D in MASKS:
            for z, p in codes(len(others), q):
                mean = sum(
                    (e * masked(w, c, D) for e, c in zip(z, others, strict=True)), Fraction(0)
                )
                total += (
                    number(p) / 4 * closed(number(mean), deviation(w, sigma, D), number(lam * b))[1]
                )
        return total


def all_columns(w, columns, left_out, q, sigma, b, lam):
    return firing_stated(w, columns, [], q, sigma, b, lam)


def at_b(w, columns, left_out, q, sigma, b, lam):
    return firing_stated(w, columns, left_out, q, sigma, b, 1)


def a_neuron(rng):
    """Weights, a direction and a column of the plane, noise, bias."""
    return {
        "w": [Fraction(int(rng.signs()) * int(rng.integers(1, 7)), 2) for _ in range(2)],
        "v": [Fraction(int(rng.signs()) * int(rng.integers(1, 7)), 3) for _ in range(2)],
        "M": [Fraction(3, 5), Fraction(int(rng.signs()) * 4, 5)],
        "q": Fraction(1, int(rng.integers(2, 6))),
        "sigma": Fraction(int(rng.integers(1, 5)), 4),
        "b": Fraction(int(rng.integers(1, 6)), 3),
    }


def a_firing(rng):
    one = a_neuron(rng)
    return {
        "w": one["w"],
        "columns": [one["M"], [-one["M"][1], one["M"][0]]],
        "left_out": [0] if int(rng.integers(0, 2)) else [1],
        "q": one["q"],
        "sigma": one["sigma"],
        "b": one["b"],
        "lam": Fraction(int(rng.integers(3, 9)), 2),
    }


NEURONS = instances(a_neuron, "w v M q sigma b", smoke=2, standard=4)
FIRINGS = instances(a_firing, "w columns left_out q sigma b lam", smoke=2, standard=4)
LEG = "masks, codes and noise"

H = "(Max(u - b, 0) - Max(-u - b, 0))"
LAW = ["mu in R", "s > 0", "b >= 0", "u ~ N(mu, s**2)"]
UP, DOWN = "((mu - b)/s)", "((-mu - b)/s)"
DENSITY_UP, DENSITY_DOWN = f"exp(-{UP}**2/2)/sqrt(2*pi)", f"exp(-{DOWN}**2/2)/sqrt(2*pi)"
MEAN = typed(
    f"E[{H}] == (mu - b)*Phi{UP} + s*{DENSITY_UP} - ((-mu - b)*Phi{DOWN} + s*{DENSITY_DOWN})",
    over=LAW,
)
RATE = typed(f"P[u >= b] + P[u <= -b] == Phi{UP} + Phi{DOWN}", over=LAW)
# c is 4 s2 w^T D v/s^2: the noise along v is c (u - mu) and a part that is independent of u
SLOPE = typed(
    f"c*(E[u - mu] - E[Piecewise((u - mu, u > -b and u < b), (0, True))]) == c*s*({DENSITY_UP} - {DENSITY_DOWN})",
    over=["c in R", *LAW],
)
# at lambda b
RATE_AT = typed(
    "P[u >= lam*b] + P[u <= -lam*b] == Phi((mu - lam*b)/s) + Phi((-mu - lam*b)/s)",
    over=["lam > 0", *LAW],
)
WRONG_MEAN = {
    "hard thresholding": f"E[{H}] == mu*Phi{UP} + s*{DENSITY_UP} - (-mu*Phi{DOWN} + s*{DENSITY_DOWN})",
}
WRONG_RATE = {"one side": f"P[u >= b] + P[u <= -b] == Phi{UP}"}
WRONG_SLOPE = {
    "the sum of the densities": f"c*(E[u - mu] - E[Piecewise((u - mu, u > -b and u < "
    f"b), (0, True))]) == c*s*({DENSITY_UP} + {DENSITY_DOWN})",
}
# given mask and code the weights are seen through the mean and the deviation of <w, x+> and <w, x++> alone
THROUGH = {"w": "mu s"}

SPARSE = [formula_leg("mean of the unit", MEAN), formula_leg("open gates", RATE)]

sparse = claim(
    "decoupling-exact-sparse",
    lhs=r"\mathbb E\,h(u'')\mathbf 1_{|u'|\ge b}z",
    tex=r"\mathbb E_{D,z}[zH(\mu'',s'',b)P(\mu',s',b)]",
    states=["decoupling-stage2-sparse-gradient", "decoupling-lucky-gradient-sketch"],
    title="The gradient along a column, integrated",
    says=r"$\mathbb E\,h(u'')\mathbf 1_{|u'|\ge b}z_j=\mathbb E_{D,z}[z_jH(\mu'',s'',b)P(\mu',s',b)]$.",
    role="derived",
    covers=["decoupling-stage2-sparse-gradient/exact", "decoupling-lucky-gradient-sketch/exact"],
    reads=THROUGH,
    **ONE_POINT,
    legs=[
        leg(
            LEG, sparse_gradient, reference=sparse_stated, required=False, unit=1, instances=NEURONS
        ),
        *SPARSE,
    ],
    rivals=[
        variant("open gates all the time", reference=without_gates, leg=LEG),
        *rivals_of(SPARSE[0], WRONG_MEAN),
        *rivals_of(SPARSE[1], WRONG_RATE),
    ],
)

NOISE = [
    formula_leg("mean of the unit", MEAN),
    formula_leg("noise at the gate", SLOPE),
    formula_leg("open gates", RATE),
]

dense = claim(
    "decoupling-exact-dense",
    lhs=r"\mathbb E\,h(u'')\mathbf 1_{|u'|\ge b}\langle x^+,v\rangle",
    tex=r"\mathbb E_{D,z}[H''(\Delta p'\,4\sigma_\xi^2w^\top Dv+P'v^\top2DMz)]",
    states="decoupling-dense-gradient-sketch",
    reads={**THROUGH, "v": "c", "sigma": "s"},
    title="The gradient along a dense direction, integrated",
    says=r"$\mathbb E\,h(u'')\mathbf 1_{|u'|\ge b}\langle x^+,v\rangle=\mathbb E_{D,z}[H''(\Delta "
    r"p'\,4\sigma_\xi^2w^\top Dv+P'"
    r"v^\top2DMz)]$.",
    role="derived",
    covers="exact",
    **ONE_POINT,
    legs=[
        leg(LEG, dense_gradient, reference=dense_stated, required=False, unit=1, instances=NEURONS),
        *NOISE,
    ],
    rivals=[
        variant("half of the noise", reference=half_of_the_noise, leg=LEG),
        *rivals_of(NOISE[0], WRONG_MEAN),
        *rivals_of(NOISE[1], WRONG_SLOPE),
        *rivals_of(NOISE[2], WRONG_RATE),
    ],
)

PART = [
    formula_leg("mean of the unit", MEAN),
    formula_leg("noise at the gate", SLOPE),
]

noise = claim(
    "decoupling-exact-noise",
    lhs=r"\mathbb E\,h(u'')\mathbf 1_{|u'|\ge b}\langle2D\xi,v\rangle",
    tex=r"\mathbb E_{D,z}[H''\,\Delta p'\,4\sigma_\xi^2w^\top Dv]",
    states="decoupling-stage2-dense-gradient",
    reads={**THROUGH, "v": "c"},
    title="The noise's part of the gradient, integrated",
    says=r"$\mathbb E\,h(u'')\mathbf 1_{|u'|\ge b}\langle2D\xi,v\rangle=\mathbb E_{D,z}[H''\,\Delta "
    r"p'\,4\sigma_\xi^2w^\top Dv]$.",
    role="derived",
    covers="exact",
    **ONE_POINT,
    legs=[
        leg(LEG, noise_gradient, reference=noise_stated, required=False, unit=1, instances=NEURONS),
        *PART,
    ],
    rivals=[
        variant("with the signal", reference=dense_stated, leg=LEG),
        *rivals_of(PART[0], WRONG_MEAN),
        *rivals_of(PART[1], WRONG_SLOPE),
    ],
)

FIRES = formula_leg("open gates", RATE_AT)

fires = claim(
    "decoupling-exact-firing",
    lhs=r"\Pr[|\langle w,x^+\rangle|\ge\lambda b]",
    tex=r"\mathbb E_{D,z}P(\mu',s',\lambda b)",
    states=["decoupling-activation-prob-stage2", "decoupling-activation-prob-stage3"],
    title="Firing rates, integrated",
    says=r"$\Pr[|\langle w,x^+\rangle|\ge\lambda b]=\mathbb E_{D,z}P(\mu',s',\lambda b)$, for all columns "
    r"of $z$ or those outside "
    r"of $\mathcal N_i$.",
    role="derived",
    covers=[
        "decoupling-activation-prob-stage2/exact-average",
        "decoupling-activation-prob-stage3/formula",
    ],
    # which columns count is seen in the mean alone
    reads={**THROUGH, "lambda": "lam", "N_i": "mu"},
    **ONE_POINT,
    legs=[leg(LEG, firing, reference=firing_stated, required=False, instances=FIRINGS), FIRES],
    rivals=[
        variant("all columns", reference=all_columns, leg=LEG),
        variant("at b", reference=at_b, leg=LEG),
        *rivals_of(FIRES, {"one side": "P[u >= lam*b] + P[u <= -lam*b] == Phi((mu - lam*b)/s)"}),
    ],
)
