"""The population problem of the nuclear norm's source: Laplace inversion beside plain integrals and exact laws."""

import importlib
from fractions import Fraction
from math import exp, log1p

import pytest
from flint import arb, ctx
from scipy.integrate import dblquad, quad

from theorycheck.library.loading import Library, bundled, load_source

LIBRARY = Library(bundled())


def model(name):
    load_source(LIBRARY, bundled() / "nuclear_norm")
    return importlib.import_module(f"{LIBRARY.package}.nuclear_norm.{name}")


def density(v, gamma):
    return 0.5 + gamma if v > 0 else 0.5 - gamma


@pytest.mark.parametrize("weights", [(1, Fraction(1, 2)), (Fraction(7, 3), Fraction(-3, 2))])
def test_risk_is_the_integral_over_both_coordinates(weights):
    a, b = map(float, weights)
    sides = [
        dblquad(lambda v, u: log1p(exp(-a * u - b * v)) * density(v, 0.2), 0, 1, low, low + 1)[0]
        for low in (-1, 0)
    ]
    population = model("_population")
    with ctx.workprec(population.BITS):
        found = population.risk(weights, 1, population.number(Fraction(1, 5)))
    assert float(found) == pytest.approx(sum(sides), abs=1e-9)
    assert found.rad() < 1e-15


def test_means_at_the_optimum_are_lambda_times_its_values():
    population = model("_population")
    alpha, beta = map(float, population.optimum(1, 1, Fraction(1, 5), Fraction(1)))

    def inner(v, u):
        return u / (1 + exp(alpha * u + beta * v)) * density(v, 0.2)

    def outer(v, u):
        return v / (1 + exp(alpha * u + beta * v)) * density(v, 0.2)

    for value, f in ((alpha, inner), (beta, outer)):
        assert value == pytest.approx(
            sum(dblquad(f, 0, 1, low, low + 1)[0] for low in (-1, 0)), abs=1e-9
        )


def test_the_optimum_lies_inside_its_balls_whatever_lambda():
    population = model("_population")
    weak, strong = Fraction(1, 50), Fraction(10**6)
    for r, n, gamma, lam in (
        (2, 3, Fraction(2, 5), Fraction(1, 100)),
        (2, 3, Fraction(2, 5), Fraction(50)),
        (5, 9, weak, strong),  # both weights are near 0
    ):
        alpha, beta = population.optimum(r, n, gamma, lam)
        with ctx.workprec(population.BITS):
            means = population.means(alpha, beta, r, n, population.number(gamma))
            for value, found in zip((alpha, beta), means, strict=True):
                assert (population.number(lam) * value).overlaps(found)
        assert alpha.rad() < alpha.mid() * arb(2) ** -30


def test_shifted_accuracy_of_equal_weights_is_the_exact_law():
    population, tails = model("_population"), model("tails")
    r, n, gamma = 2, 12, Fraction(1, 5)
    one = arb(1)
    # -T under the shifted law has the training law's bias: P[S + T >= 0] = P[T' <= S]
    half_low, half_high = Fraction(1, 2) - gamma, Fraction(1, 2) + gamma
    exact = sum(
        tails.comb(n, m)
        * half_high**m
        * half_low ** (n - m)
        * (1 - tails.irwin_hall(n + r, Fraction(m)))
        for m in range(n + 1)
    )
    found = population.shifted_accuracy(one, one, r, n, gamma)
    assert float(found) == pytest.approx(float(exact), rel=1e-6)
    with ctx.workprec(population.BITS):
        assert found.overlaps(population.number(exact))


def test_one_weight_needs_no_inversion():
    population = model("_population")
    with ctx.workprec(population.BITS):
        found = population.risk([Fraction(3)], 1, arb(0))
    assert float(found) == pytest.approx(quad(lambda u: log1p(exp(-3 * u)), 0, 1)[0], abs=1e-12)


def test_the_remainder_covers_a_factor_of_both_signs(monkeypatch):
    """E[z e^(-M/2)] = 0 at this gamma, and the integrand beyond T is not: what bounds it is E e^(-M/2)."""
    population, one = model("_population"), arb(1)
    with ctx.workprec(population.BITS):
        up, down = (population.mean_u_exp(arb(x) / 2) for x in (1, -1))
        gamma = ((down - up) / (up + down) / 2).mid()
        fine = population.means(one, one, 1, 1, gamma)
        monkeypatch.setattr(population, "END", 1)
        coarse = population.means(one, one, 1, 1, gamma)
    assert all(c.overlaps(f) and c.rad() > f.rad() for c, f in zip(coarse, fine, strict=True))
    assert not coarse[1].mid().overlaps(fine[1])  # the remainder matters
