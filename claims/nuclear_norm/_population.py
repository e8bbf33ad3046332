"""The population problem of section 6.2 in balls: means under the training law, the weight-decay optimum, tails.

The margin is M = sum_j w_j z_j with independent z_j, uniform on [0, 1] for j in R and, for j in U, uniform on [0, 1]
with probability 1/2 + gamma, on [-1, 0] otherwise. Everything is read off E exp(-s M), a product of one-coordinate
means, by inversion of Laplace transforms: with 0 < Re s < 1,

    1/(1 + e^m)     = (1/2 pi i) int pi/sin(pi s) e^(-s m) ds,
    log(1 + e^(-m)) = (1/2 pi i) int pi/(s sin(pi s)) e^(-s m) ds,

so that on Re s = 1/2, s = 1/2 + i t, E[g(M) X] = Re int_0^oo E[X e^(-s M)]/cosh(pi t) dt. The integral up to T is
enclosed by Arb; beyond it the integrand is at most E[|X| e^(-M/2)] 2 e^(-pi t), and |X| <= 1.

The optimum: with penalty (lam/2)|w|^2 the risk is lam-strongly convex, so that it lies within |gradient|/lam of
every point. The point is found in floats, which decide how wide the ball is and nothing else: its gradient is
enclosed at the point, an exact number.
"""

from __future__ import annotations

from functools import lru_cache
from math import ceil, exp, log10

import numpy as np
from flint import acb, arb, ctx, fmpq
from scipy.optimize import approx_fprime, minimize_scalar, root

SHARP = 60
"""Integrals are asked for to 2^-60 of their value: products with them are beyond doubles, and below what the
working precision leaves of powers of a thousand factors."""

BITS = 128
"""Working precision: the 60 bits twice, and eight."""

END = BITS // 4 + 4
"""Height T of the inversion: exp(-pi T) < 2^-BITS, since pi/log 2 > 4."""

ENOUGH = 40
"""Bits to which an optimum is enclosed: 20 fewer than the integrals have, for what is lost where they nearly cancel
in the gradient, and far more than any rival's distance asks for."""

GAINED = 10
"""Bits that a step towards the optimum gains: slopes are known to a thousandth (`SLOPES`)."""


def number(x):
    """A ball of an exact number."""
    return x if isinstance(x, arb) else arb(fmpq(x.numerator, x.denominator))


def mean_exp(x):
    """E e^(-x u), u uniform on [0, 1]."""
    return (1 - (-x).exp()) / x


def mean_u_exp(x):
    """E u e^(-x u)."""
    return (1 - (-x).exp() * (1 + x)) / x**2


def signed(f, x, gamma, flip=1):
    """The environmental mean of what is f(x) on [0, 1] and flip f(-x) on [-1, 0]."""
    return (gamma + fmpq(1, 2)) * f(x) - (gamma - fmpq(1, 2)) * flip * f(-x)


def inverted(transform, divided=False, over=None):
    """Re int_0^oo transform(1/2 + i t)/cosh(pi t) dt, over s where ``divided``. A ball. ``transform``:
    s -> E[X e^(-s M)]; ``over``: s -> E[Y e^(-s M)] with |X| <= Y, where X takes both signs."""
    half = acb(fmpq(1, 2))

    def integrand(t, _):
        s = half + acb(0, 1) * t
        value = transform(s) / (acb.pi() * t).cosh()
        return value / s if divided else value

    small = arb(2) ** -SHARP
    main = acb.integral(integrand, 0, END, rel_tol=small, abs_tol=arb(2) ** (-2 * BITS)).real
    # int_T^oo 2 e^(-pi t) dt < 2 e^(-pi T); 1/|s| < 1 there.
    rest = abs((over or transform)(half)) * 2 * (-arb.pi() * END).exp()
    return main + arb(0, rest.abs_upper())


def rest_of(alpha, beta, r, n, gamma):
    """s -> E e^(-s M) with r weights alpha on R and n weights beta on U."""

    def transform(s):
        return mean_exp(alpha * s) ** r * signed(mean_exp, beta * s, gamma) ** n

    return transform


def means(alpha, beta, r, n, gamma):
    """E[g(M) z_k] for k in R and E[g(M) z_l] for l in U, g(m) = 1/(1 + e^m). Two balls."""
    shared = rest_of(alpha, beta, r - 1, n - 1, gamma)
    inner = inverted(
        lambda s: shared(s) * mean_u_exp(alpha * s) * signed(mean_exp, beta * s, gamma)
    )
    outer = inverted(
        lambda s: shared(s) * mean_exp(alpha * s) * signed(mean_u_exp, beta * s, gamma, flip=-1),
        over=rest_of(alpha, beta, r, n, gamma),
    )
    return inner, outer


def risk(w, r, gamma):
    """L(w) = E log(1 + e^(-M)), the first r of the weights on R. A ball."""
    weights = [number(x) for x in w]

    def transform(s):
        product = acb(1)
        for j, weight in enumerate(weights):
            if weight == 0:
                continue
            product *= mean_exp(weight * s) if j < r else signed(mean_exp, weight * s, gamma)
        return product

    return inverted(transform, divided=True)


# ---- the optimum

HEIGHT = 12
"""Where the inversion ends in floats: 1/cosh(pi t) is below 2^-53 beyond."""

NODES, LINE = np.polynomial.legendre.leggauss(400)
"""N nodes follow e^(-i t M) on [0, 12] while 6 M is well below N; the largest margin, r alpha + n beta, is 51 at
lambda = 10^-4 and r + n <= 160."""

SLOPES = 1e-3
"""Relative steps of the slopes. Small weights x leave the means an error of 2^-53/x, of which a thousandth of x
makes less than a thousandth of the slope down to x = 10^-5, and curvature a thousandth of its own."""


def _float_means(alpha, beta, r, n, gamma):
    """`means` in floats: a start, nothing rests on it."""
    t = HEIGHT / 2 * (NODES + 1)
    s = 0.5 + 1j * t

    def moments(x):
        """The means of e^(-x u) and of u e^(-x u)."""
        first = -np.expm1(-x) / x
        return first, (first - np.exp(-x)) / x

    inner, inner_u = moments(alpha * s)
    (up, up_u), (down, down_u) = moments(beta * s), moments(-beta * s)
    outer = (0.5 + gamma) * up + (0.5 - gamma) * down
    outer_u = (0.5 + gamma) * up_u - (0.5 - gamma) * down_u
    rest = inner ** (r - 1) * outer ** (n - 1) * LINE * (HEIGHT / 2) / np.cosh(np.pi * t)
    return np.sum(rest * inner_u * outer).real, np.sum(rest * inner * outer_u).real


def _start(r, n, gamma, lam):
    """alpha and beta of the optimum, lam falling to its value, and the derivatives of the gradient there, in floats."""

    def gradient(point, level):
        return level * point - _float_means(*point, r, n, gamma)

    def share(logs, level):
        return gradient(np.exp(logs), level) / (level * np.exp(logs))

    # From lambda = 1 on weights are small, alpha near 1/(4 lambda + r + n) and beta near 2 gamma alpha. To lambda =
    # 10^-4 all at once the root is missed at r = 1, n = 30; by a tenth at a time it is found.
    first = max(lam, 1.0)
    size = 1 / (4 * first + r + n)
    logs = np.log([size, 2 * gamma * size])
    with np.errstate(all="ignore"):  # a step too far is taken back
        for level in np.geomspace(first, lam, 1 + ceil(log10(first / lam))):
            logs = root(share, logs, level).x
    point = np.exp(logs)
    return point, approx_fprime(point, gradient, SLOPES * point, lam)


@lru_cache(maxsize=256)
def optimum(r, n, gamma, lam):
    """alpha and beta of the minimiser of L(w) + (lam/2)|w|^2, r weights on R and n on U. Two balls."""
    with ctx.workprec(BITS):
        point, slope = _start(r, n, float(gamma), float(lam))
        inverse = np.linalg.inv(slope)
        alpha, beta = (arb(float(x)) for x in point)
        weight, bias = number(lam), number(gamma)
        for _ in range(SHARP // GAINED):
            inner, outer = means(alpha, beta, r, n, bias)
            gap = (weight * alpha - inner, weight * beta - outer)
            away = (arb(r).sqrt() * abs(gap[0]) + arb(n).sqrt() * abs(gap[1])).abs_upper() / weight
            if away < beta * arb(2) ** -ENOUGH:
                break
            step = [
                sum((arb(float(q)) * g.mid() for q, g in zip(row, gap, strict=True)), arb(0))
                for row in inverse
            ]
            alpha, beta = (alpha - step[0]).mid(), (beta - step[1]).mid()
        else:
            raise ArithmeticError(f"no optimum found at r = {r}, n = {n}, {gamma}, {lam}")
        return (
            alpha + arb(0, (away / arb(r).sqrt()).abs_upper()),
            beta + arb(0, (away / arb(n).sqrt()).abs_upper()),
        )


# ---- the shifted law


def shifted_accuracy(alpha, beta, r, n, gamma):
    """P[alpha S + beta T >= 0] with gamma -> -gamma: (1/2 pi i) int E e^(s X)/s ds on Re s = c > 0, X = (alpha/beta)
    S + T, near the least E e^(c X)/c. Beyond the height H every factor is at most (e^c' + 1)/(c'' H). A ball."""
    with ctx.workprec(BITS):
        ratio = alpha / beta
        bias = number(gamma)

        def transform(s):
            return mean_exp(-ratio * s) ** r * signed(mean_exp, s, bias) ** n / s

        # The least of a convex function's logarithm, roughly: any c > 0 will do, and only the time depends on it.
        c = exp(
            minimize_scalar(
                lambda x: float(abs(transform(acb(arb(x).exp()))).log()), bounds=(-9, 2)
            ).x
        )
        line = acb(arb(c))
        top = abs(transform(line))
        height = (arb(c).exp() + 1 + ((ratio * c).exp() + 1) / ratio) * 4  # each factor below 1/4
        main = acb.integral(
            lambda t, _: transform(line + acb(0, 1) * t),
            0,
            height,
            rel_tol=arb(2) ** -ENOUGH,
            abs_tol=top.mid() * arb(2) ** -SHARP,
        ).real
        # |E e^(-s u)| <= (e^c + 1)/|s|; the r + n factors and 1/s, integrated from H on.
        factor = (((ratio * c).exp() + 1) / (ratio * height)) ** r
        rest = factor * ((arb(c).exp() + 1) / height) ** n / (r + n)
        return (main + arb(0, rest.abs_upper())) / arb.pi()
