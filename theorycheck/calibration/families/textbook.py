"""Sampled truths as textbooks print them, with near-lies: what a reader would write, at profile standard.

Kernels, orthants, collectors, maxima, walks, moments, losses, permutations. Tails are declared as the book's
own variance, by expressions of the parameter. Nothing is tuned to the budget of samples: how many of these
are decided is what the family is for. Lies are the slips that one makes: a term of lower order, an
asymptotic form in place of the exact one, a neighbouring index, a constant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import sympy as sp

from theorycheck.calibration.cases import Truth
from theorycheck.calibration.families.building import N, about_n, wrong
from theorycheck.claims.statistic import Statistic, mean, probability, quantile
from theorycheck.claims.tails import bounded, sub_gaussian, variance_at_most
from theorycheck.numbers.domain import integers
from theorycheck.relations.base import Relation
from theorycheck.relations.bounds import at_least, at_most, holds_with_probability

Simulated = Callable[..., Any]

PI, HALF = sp.pi, sp.Rational(1, 2)
I = sp.Symbol("i", integer=True)


def truths() -> Iterator[Truth]:
    """The truths of this family, in a fixed order."""
    yield from kernels()
    yield from orthants()
    yield from collectors()
    yield from maxima()
    yield from walks()
    yield from moments()
    yield from losses()
    yield from permutations()
    yield from geometry()
    yield from bounds()


def _truth(
    name: str,
    simulation: Simulated,
    grid: Iterable[int],
    statistic: Statistic,
    form: Any,
    relation: Relation | None = None,
    **lies: Any,
) -> Truth:
    tried = list(grid)
    # Below the grid books say "trivially": kernels and probabilities vanish there.
    build = about_n(
        simulation,
        tried,
        relation,
        domain=integers(min(tried)),
        statistic=statistic,
        mutate=True,
    )
    said = "equals" if relation is None else relation.name
    return Truth(
        "textbook",
        said,
        statistic.kind,
        name,
        build,
        form,
        None,
        wrong(build, **lies),
        profile="standard",
    )


def _pair(rng: Any, ns: Any, size: int, n: int) -> tuple[Any, Any]:
    """Standard Gaussians at the angle pi/n."""
    u, v = rng.normal((size,)), rng.normal((size,))
    angle = ns.pi / n
    return u, ns.cos(angle) * u + ns.sin(angle) * v


def kernels() -> Iterator[Truth]:
    """Arc-cosine and arc-sine kernels of a pair of Gaussians."""
    angle = PI / N

    def first_order(rng: Any, ns: Any, size: int, n: int) -> Any:
        u, v = _pair(rng, ns, size, n)
        return ns.maximum(u, 0) * ns.maximum(v, 0)

    form = (sp.sin(angle) + (PI - angle) * sp.cos(angle)) / (2 * PI)
    yield _truth(
        "arc-cosine kernel",
        first_order,
        (2, 3, 5),
        mean(variance_at_most(sp.Rational(3, 2))),
        form,
        normalised_otherwise=2 * form,
        sine_dropped=(PI - angle) * sp.cos(angle) / (2 * PI),
        angle_for_its_complement=(sp.sin(angle) + angle * sp.cos(angle)) / (2 * PI),
    )

    second = (3 * sp.sin(angle) * sp.cos(angle) + (PI - angle) * (1 + 2 * sp.cos(angle) ** 2)) / (
        2 * PI
    )
    yield _truth(
        "arc-cosine kernel, with its second moment",
        first_order,
        (2, 3, 5),
        mean(variance_at_most(second)),
        form,
        no_angle=sp.sin(angle) / (2 * PI) + sp.cos(angle) / 4,
    )

    def erf_network(rng: Any, ns: Any, size: int, n: int) -> Any:
        u, v = _pair(rng, ns, size, n)
        return ns.erf(u) * ns.erf(v)

    yield _truth(
        "arc-sine kernel",
        erf_network,
        (3, 4, 6),
        mean(bounded(-1, 1)),
        2 / PI * sp.asin(2 * sp.cos(angle) / 3),
        one_for_three=2 / PI * sp.asin(sp.cos(angle)),
        half=sp.asin(2 * sp.cos(angle) / 3) / PI,
        linearised=4 * sp.cos(angle) / (3 * PI),
    )


def orthants() -> Iterator[Truth]:
    """Probabilities of orthants of correlated Gaussians."""

    def both(rng: Any, ns: Any, size: int, n: int) -> Any:
        u, v = _pair(rng, ns, size, n)
        return (u > 0) & (v > 0)

    correlation = sp.cos(PI / N)
    yield _truth(
        "orthant of two",
        both,
        (2, 3, 5),
        probability(),
        sp.Rational(1, 4) + sp.asin(correlation) / (2 * PI),
        linearised=sp.Rational(1, 4) + correlation / (2 * PI),
        factor=sp.Rational(1, 4) + sp.asin(correlation) / (4 * PI),
    )

    def all_positive(rng: Any, ns: Any, size: int, n: int) -> Any:
        z = rng.normal((size, n + 1))
        return ns.min(z[:, 1:], axis=1) > z[:, 0]

    yield _truth(
        "orthant at correlation 1/2",
        all_positive,
        (2, 3, 5, 8),
        probability(),
        1 / (N + 1),
        one_more=1 / (N + 2),
        independent=HALF**N,
        last=1 / sp.Integer(1) / N,
    )


def collectors() -> Iterator[Truth]:
    """The coupon collector, and birthdays."""

    def waits(rng: Any, ns: Any, size: int, n: int) -> Any:
        """Each coupon that is still missing comes with probability missing/n."""
        total = ns.asarray(1) + 0 * rng.uniform((size,))
        for missing in range(1, n):
            wait = ns.log(1 - rng.uniform((size,))) / ns.log(
                ns.asarray(1) - ns.rational(missing, n)
            )
            total = total + ns.floor(wait) + 1
        return total

    yield _truth(
        "coupon collector",
        waits,
        (2, 5, 10, 30),
        mean(variance_at_most(PI**2 * N**2 / 6)),
        N * sp.harmonic(N),
        leading_term=N * sp.log(N) + N / 2,
        one_coupon_early=N * (sp.harmonic(N) - 1),
        asymptotic=N * sp.log(N) + sp.EulerGamma * N,
    )

    def collision(rng: Any, ns: Any, size: int, n: int) -> Any:
        days = rng.uniform((size, n)) * 12
        days = ns.floor(days)
        same = ns.sum(ns.number(days[:, :, None] == days[:, None, :]), axis=(1, 2))
        return same > n

    free = sp.Product(1 - I / 12, (I, 1, N - 1))
    yield _truth(
        "birthdays",
        collision,
        (2, 3, 5),
        probability(),
        1 - free,
        union_bound=N * (N - 1) / 24,
        exponential=1 - sp.exp(-(N**2) / sp.Integer(24)),
        one_more=1 - sp.Product(1 - I / 12, (I, 1, N)),
    )


def maxima() -> Iterator[Truth]:
    """The largest of n draws, and how often it is surpassed."""

    def largest_exponential(rng: Any, ns: Any, size: int, n: int) -> Any:
        return ns.max(-ns.log(1 - rng.uniform((size, n))), axis=1)

    yield _truth(
        "largest exponential",
        largest_exponential,
        (1, 2, 5, 20),
        mean(variance_at_most(PI**2 / 6)),
        sp.harmonic(N),
        logarithm=sp.log(N) + 1,
        asymptotic=sp.log(N) + sp.EulerGamma,
        one_fewer=sp.harmonic(N) - 1 / N,
    )

    def largest_uniform(rng: Any, ns: Any, size: int, n: int) -> Any:
        return ns.max(rng.uniform((size, n)), axis=1)

    yield _truth(
        "largest uniform",
        largest_uniform,
        (1, 2, 5),
        mean(bounded(0, 1)),
        N / (N + 1),
        shifted=(N + 1) / (N + 2),
        median=HALF ** (1 / N),
    )
    yield _truth(
        "median of the largest uniform",
        largest_uniform,
        (1, 2, 5),
        quantile("1/2"),
        HALF ** (1 / N),
        mean_of_it=(2 * N + 1) / (2 * N + 4),
        exponential=1 - HALF**N,
    )

    def larger_gaussian(rng: Any, ns: Any, size: int, n: int) -> Any:
        return n * ns.maximum(rng.normal((size,)), rng.normal((size,)))

    yield _truth(
        "larger of two Gaussians",
        larger_gaussian,
        (1, 2),
        mean(sub_gaussian(N)),
        N / sp.sqrt(PI),
        one_of_them=N / sp.sqrt(2 * PI),
        rational=sp.Rational(3, 5) * N,
    )

    yield from _records()


def _records() -> Iterator[Truth]:
    def records(rng: Any, ns: Any, size: int, n: int) -> Any:
        x = rng.uniform((size, n))
        top, seen = x[:, 0], 1 + 0 * x[:, 0]
        for k in range(1, n):
            seen = seen + ns.number(x[:, k] > top)
            top = ns.maximum(top, x[:, k])
        return seen

    yield _truth(
        "records",
        records,
        (2, 4, 9),
        mean(bounded(1, N)),
        sp.harmonic(N),
        logarithm=1 + sp.log(N),
        half=(N + 1) / 2,
    )


def walks() -> Iterator[Truth]:
    """Random walks: distances, returns, moments."""

    def distance(rng: Any, ns: Any, size: int, n: int) -> Any:
        return ns.abs(ns.sum(rng.signs((size, n)), axis=1))

    form = N * sp.binomial(N - 1, sp.floor((N - 1) / 2)) / 2 ** (N - 1)
    yield _truth(
        "distance of a walk",
        distance,
        (1, 2, 5, 12),
        mean(variance_at_most(N)),
        form,
        asymptotic=sp.sqrt(2 * N / PI),
        floor_off_by_one=N * sp.binomial(N, sp.floor(N / 2)) / 2**N * HALF * 3,
        corrected=sp.sqrt(2 * N / PI) * (1 + 1 / (4 * N)),
    )

    def back(rng: Any, ns: Any, size: int, n: int) -> Any:
        return ns.sum(rng.signs((size, 2 * n)), axis=1) == 0

    central = sp.binomial(2 * N, N) / 4**N
    yield _truth(
        "return of a walk",
        back,
        (1, 2, 4, 7),
        probability(),
        central,
        stirling=1 / sp.sqrt(PI * N),
        neighbour=central * (2 * N + 1) / (2 * N + 2),
        catalan=central / (N + 1),
    )

    def square(rng: Any, ns: Any, size: int, n: int) -> Any:
        return ns.sum(rng.signs((size, n)), axis=1) ** 4

    yield _truth(
        "fourth moment of a walk",
        square,
        (2, 4, 7),
        mean(variance_at_most(96 * N**4)),
        3 * N**2 - 2 * N,
        gaussian=3 * N**2,
        second_term=3 * N**2 - N,
    )


def moments() -> Iterator[Truth]:
    """Moments and lengths of Gaussians."""

    def fourth(rng: Any, ns: Any, size: int, n: int) -> Any:
        return (n * rng.normal((size,))) ** 4

    yield _truth(
        "fourth moment",
        fourth,
        (1, 2),
        mean(variance_at_most(96 * N**8)),
        3 * N**4,
        uniform_kurtosis=sp.Rational(9, 5) * N**4,
        rounded=sp.Rational(31, 10) * N**4,
        one_power=3 * N**3,
    )

    def norm_to_the_fourth(rng: Any, ns: Any, size: int, n: int) -> Any:
        return ns.sum(rng.normal((size, n)) ** 2, axis=1) ** 2

    yield _truth(
        "squared chi-square",
        norm_to_the_fourth,
        (1, 3, 8),
        mean(variance_at_most(8 * N * (N + 2) * (N + 3))),
        N * (N + 2),
        square_of_the_mean=N**2,
        off_by_one=N * (N + 1),
        kurtosis=3 * N**2,
    )

    def norm(rng: Any, ns: Any, size: int, n: int) -> Any:
        return ns.sqrt(ns.sum(rng.normal((size, n)) ** 2, axis=1))

    yield _truth(
        "length of a Gaussian vector",
        norm,
        (1, 2, 5),
        mean(sub_gaussian(1)),
        sp.sqrt(2) * sp.gamma((N + 1) / 2) / sp.gamma(N / 2),
        root=sp.sqrt(N),
        known_bound=N / sp.sqrt(N + 1),
        halved=sp.sqrt(N - HALF),
    )

    def wave(rng: Any, ns: Any, size: int, n: int) -> Any:
        return ns.cos(rng.normal((size,)) / n)

    yield _truth(
        "characteristic function",
        wave,
        (1, 2),
        mean(bounded(-1, 1)),
        sp.exp(-1 / (2 * N**2)),
        second_order=1 - 1 / (2 * N**2),
        no_half=sp.exp(-1 / N**2),
    )


def losses() -> Iterator[Truth]:
    """Losses of Gaussian margins."""

    def density(t: Any) -> Any:
        return sp.exp(-(t**2) / 2) / sp.sqrt(2 * PI)

    def below(t: Any) -> Any:
        return (1 + sp.erf(t / sp.sqrt(2))) / 2

    def hinge(rng: Any, ns: Any, size: int, n: int) -> Any:
        return ns.maximum(1 - n * rng.normal((size,)), 0)

    form = below(1 / N) + N * density(1 / N)
    yield _truth(
        "hinge loss of a Gaussian",
        hinge,
        (1, 2, 4),
        mean(sub_gaussian(N)),
        form,
        density_alone=N * density(1 / N),
        margin_dropped=HALF + N * density(0),
        scale_dropped=below(1 / N) + density(1 / N),
    )

    def squared_hinge(rng: Any, ns: Any, size: int, n: int) -> Any:
        return ns.maximum(1 - rng.normal((size,)) / n, 0) ** 2

    form = (1 + 1 / N**2) * below(N) + density(N) / N
    yield _truth(
        "squared hinge loss",
        squared_hinge,
        (1, 2),
        mean(variance_at_most(4 / N**2 + 2 / N**4)),
        form,
        tail_dropped=1 + 1 / N**2,
        density_dropped=(1 + 1 / N**2) * below(N),
    )


def permutations() -> Iterator[Truth]:
    """Fixed points of random permutations."""

    def fixed_points(rng: Any, ns: Any, size: int, n: int) -> Any:
        return ns.sum(ns.number(rng.permutation(n, (size,)) == ns.arange(n)), axis=1)

    def no_fixed_point(rng: Any, ns: Any, size: int, n: int) -> Any:
        return fixed_points(rng, ns, size, n) == 0

    terms = (-1) ** I / sp.factorial(I)
    yield _truth(
        "derangements",
        no_fixed_point,
        (2, 3, 4, 6),
        probability(),
        sp.Sum(terms, (I, 0, N)),
        limit=sp.exp(-1) + 0 * N,
        one_term_less=sp.Sum(terms, (I, 0, N - 1)),
        product=(1 - 1 / N) ** N,
    )
    yield _truth(
        "fixed points",
        fixed_points,
        (2, 5, 9),
        mean(variance_at_most(1)),
        1 + 0 * N,
        bias=1 + 1 / N**2,
        harmonic=sp.harmonic(N),
    )


def geometry() -> Iterator[Truth]:
    """Geometric probability."""

    def crosses(rng: Any, ns: Any, size: int, n: int) -> Any:
        """A needle of length 1 on boards of width n."""
        angle, middle = ns.pi / 2 * rng.uniform((size,)), n * rng.uniform((size,)) / 2
        return middle <= ns.sin(angle) / 2

    yield _truth(
        "needle on boards",
        crosses,
        (1, 2, 3),
        probability(),
        2 / (PI * N),
        two_thirds=2 / (3 * N),
        half=1 / (2 * N),
    )

    def in_ball(rng: Any, ns: Any, size: int, n: int) -> Any:
        return ns.sum((2 * rng.uniform((size, n)) - 1) ** 2, axis=1) <= 1

    yield _truth(
        "ball in a cube",
        in_ball,
        (2, 3, 4),
        probability(),
        PI ** (N / 2) / (2**N * sp.gamma(N / 2 + 1)),
        gamma_off=PI ** (N / 2) / (2**N * sp.gamma(N / 2 + HALF)),
        powers=(PI / 4) ** (N / 2),
    )


def bounds() -> Iterator[Truth]:
    """Tail bounds and anti-concentration."""

    def above(rng: Any, ns: Any, size: int, n: int) -> Any:
        return rng.normal((size,)) > ns.rational(n, 2)

    yield _truth(
        "Gaussian tail",
        above,
        (1, 2, 3),
        probability(),
        sp.exp(-(N**2) / sp.Integer(8)) / 2,
        at_most(),
        quarter=sp.exp(-(N**2) / sp.Integer(8)) / 4,
        exponent=sp.exp(-(N**2) / sp.Integer(4)) / 2,
    )

    def late(rng: Any, ns: Any, size: int, n: int) -> Any:
        """Coupons still missing after n log n + n draws."""
        draws = int(n * (sp.log(n) + 1))
        coupons = ns.floor(n * rng.uniform((size, draws)))
        seen = sum(ns.number(ns.max(ns.number(coupons == k), axis=1) > 0) for k in range(n))
        return seen < n

    yield _truth(
        "collector's tail",
        late,
        (6, 10),
        probability(),
        sp.exp(-1) * (1 + 1 / N),
        holds_with_probability(),
        square=sp.exp(-2) + 0 * N,
        quarter=sp.Rational(1, 4) + 0 * N,
    )

    def larger_half(rng: Any, ns: Any, size: int, n: int) -> Any:
        return ns.abs(ns.sum(rng.signs((size, n)), axis=1)) ** 2 >= n

    yield _truth(
        "anti-concentration of a walk",
        larger_half,
        (1, 3, 6),
        probability(),
        sp.Rational(3, 16) + 0 * N,
        at_least(),
        two_fifths=sp.Rational(2, 5) + 0 * N,
        half=HALF + 0 * N,
    )


__all__ = ["truths"]
