"""False on their own declared domain, true on their grids: points find them."""

from fractions import Fraction
from math import gcd

import sympy as sp

from theorycheck import (
    at_most,
    attained,
    certificate,
    claim,
    equals,
    integers,
    leg,
    maximises,
    minimises,
    odd_integers,
    reals,
    variant,
)

k, n, p = sp.symbols("k n p", integer=True, positive=True)
kappa, T = sp.symbols("kappa T", positive=True)


def units(p):
    """Residues mod p that have an inverse."""
    return sum(gcd(a, p) == 1 for a in range(1, p))


odd_for_primes = claim(
    "odd-for-primes",
    says="For every odd p >= 3 there are p - 1 units mod p.",
    domain={p: odd_integers(3)},
    grid={"smoke": {p: [3, 5, 7]}},
    closed_form=p - 1,
    relation=equals(),
    legs=[leg("counted", units)],
    rivals=[variant("p", closed_form=p)],
)


def square_roots_of_one(p):
    return sum(a * a % p == 1 for a in range(p))


prime_powers_for_odd = claim(
    "odd-for-prime-powers",
    says="For every odd p >= 3 there are two square roots of 1 mod p.",
    domain={p: odd_integers(3)},
    grid={"smoke": {p: [3, 5, 7, 9, 11]}},
    closed_form=sp.Integer(2),
    relation=equals(),
    legs=[leg("counted", square_roots_of_one)],
    rivals=[variant("one", closed_form=sp.Integer(1))],
)


def residues(k, p):
    """Different residues of 0, ..., k mod p."""
    return len({a % p for a in range(k + 1)})


dropped_condition = claim(
    "dropped-condition",
    says="0, ..., k have k + 1 residues mod p; the theorem says so for k < p.",
    domain={k: integers(1), p: integers(2)},
    grid={"smoke": [{k: 1, p: 3}, {k: 2, p: 5}, {k: 4, p: 7}]},
    closed_form=k + 1,
    relation=equals(),
    legs=[leg("counted", residues)],
    rivals=[variant("k", closed_form=k)],
)


def contraction(kappa, T):
    """(1 - 1/kappa)**T, from step to step."""
    left = Fraction(1)
    for _ in range(T):
        left *= 1 - Fraction(1) / kappa
    return left


beyond_the_grid = claim(
    "beyond-the-grid",
    says="(1 - 1/kappa)^T <= exp(-1.02 T/kappa): the 1.02 holds up to kappa = 25.",
    domain={kappa: reals(1), T: integers(1)},
    grid={"smoke": {kappa: [2, 5, 10], T: [1, 2]}, "standard": {kappa: [3, 7], T: [1, 2, 3]}},
    closed_form=sp.exp(-sp.Rational(102, 100) * T / kappa),
    relation=at_most(),
    legs=[leg("steps", contraction)],
    rivals=[variant("exp(-2 T/kappa)", closed_form=sp.exp(-2 * T / kappa))],
)


def border_far_out(n, p):
    """Of p in the thousands the twentieth and later n lose one."""
    return n if n < 20 or p < 40 else n - 1


border_times_far = claim(
    "border-times-far",
    says="A quantity that is n, except at n = 20 and p >= 40, at the border of one and far in the other.",
    domain={n: integers(2, 20), p: integers(2)},
    grid={"smoke": {n: [2, 3, 4], p: [2, 4]}, "standard": {n: [5, 6], p: [8]}},
    closed_form=n,
    relation=equals(),
    legs=[leg("counted", border_far_out)],
    rivals=[variant("n + 1", closed_form=n + 1)],
)


def largest_seen(n):
    """The largest of (j mod 5) over j = 0, ..., n - 1: the last one is left out."""
    return max(j % 5 for j in range(n))


too_few = claim(
    "maximum-over-too-few",
    says="The largest of (j mod 5) over j = 0, ..., n is min(n, 4); the program leaves out j = n.",
    domain={n: integers(1)},
    grid={"smoke": {n: [6, 7, 8]}},
    closed_form=sp.Min(n, 4),
    relation=equals(),
    legs=[leg("all", largest_seen)],
    rivals=[variant("5", closed_form=sp.Integer(5))],
)


def half_of_sum(n):
    return Fraction(sum(range(n + 1)), 2)


one_sided_constant = claim(
    "one-sided-constant",
    says="(1 + ... + n)/2 <= 3 n^2/8: attained at n = 2, passed at n = 1.",
    domain={n: integers(1)},
    grid={"smoke": {n: [2, 3, 4, 8]}},
    closed_form=sp.Rational(3, 8) * n**2,
    relation=at_most(),
    legs=[leg("sum", half_of_sum)],
    rivals=[variant("n^2/4", closed_form=n**2 / 4)],
)


def reciprocal(n):
    return Fraction(1, n - 2)


not_computable = claim(
    "not-computable-inside",
    says="1/(n - 2) for every n >= 1: undefined at n = 2.",
    domain={n: integers(1)},
    grid={"smoke": {n: [3, 4, 5]}},
    closed_form=1 / (n - 2),
    relation=equals(),
    legs=[leg("value", reciprocal)],
    rivals=[variant("1/n", closed_form=1 / n)],
)


def parities(n):
    return sum(i % 2 for i in range(1, n + 1))


odd_left_out = claim(
    "odd-left-out",
    says="The sum of i mod 2 over i = 1, ..., n is n/2; it is (n + 1)/2 at odd n.",
    domain={n: integers(1)},
    grid={"smoke": {n: [2, 4, 6, 10]}},
    closed_form=n / 2,
    relation=equals(),
    legs=[leg("sum", parities)],
    rivals=[variant("n", closed_form=n)],
)

contraction_from_zero = claim(
    "empty-where-simple",
    says="(1 - 1/kappa)^T <= exp(-1.02 T/kappa) from T = 0 on, where every kappa is right.",
    domain={kappa: reals(1), T: integers(0)},
    grid={"smoke": {kappa: [10, 2], T: [2, 1]}, "standard": {kappa: [3, 7], T: [1, 2, 3]}},
    closed_form=sp.exp(-sp.Rational(102, 100) * T / kappa),
    relation=at_most(),
    legs=[leg("steps", contraction)],
    rivals=[variant("exp(-2 T/kappa)", closed_form=sp.exp(-2 * T / kappa))],
)


def steps_of_descent(mu, L, eta, T):
    """Largest |x_T|^2 / |x_0|^2 of gradient descent on mu x^2 / 2 and L x^2 / 2."""
    value = Fraction(1)
    for _ in range(T):
        value *= max((1 - Fraction(eta) * mu) ** 2, (1 - Fraction(eta) * L) ** 2)
    return value


mu, eta, smooth = sp.symbols("mu eta L", positive=True)
border_of_where = claim(
    "border-of-where-moved",
    says="For mu <= L and eta L <= 51/50 the contraction is at most (1 - eta mu)^T; right for eta L <= 1.",
    domain={
        mu: reals(0, low_open=True),
        smooth: reals(0, low_open=True),
        eta: reals(0, low_open=True),
        T: integers(0),
    },
    where=(mu <= smooth, eta * smooth <= sp.Rational(51, 50)),
    grid={"smoke": [{mu: 1, smooth: 2, eta: Fraction(1, 2), T: 3}]},
    closed_form=(1 - eta * mu) ** T,
    relation=at_most(),
    legs=[leg("quadratic", steps_of_descent)],
    rivals=[variant("(1 - eta mu)^(3T)", closed_form=(1 - eta * mu) ** (3 * T))],
)


def solved(mu):
    """Whether the scale is at least 1."""
    return int(mu >= 1)


border_of_a_piece = claim(
    "border-of-a-piece-moved",
    says="1 for mu >= 1999/2000, else 0; the border is at 1, and no grid point lies between them.",
    domain={mu: reals(0, low_open=True)},
    grid={"smoke": {mu: [Fraction(1, 2), Fraction(999, 1000), 1, 2]}},
    closed_form=sp.Piecewise((1, mu >= sp.Rational(1999, 2000)), (0, True)),
    relation=equals(),
    legs=[leg("solved", solved)],
    rivals=[variant("always 1", closed_form=sp.Integer(1))],
)


def hinge_of_one(B):
    """The hinge of the one feature with weight B on its own label."""
    return max(Fraction(0), 1 - Fraction(B))


def dual_of_one(B):
    """A lower bound by uniform weights: every hinge is at least 1 - margin."""
    return 1 - Fraction(B) * max(feature())


def feature():
    return [Fraction(1), Fraction(-1)]


size_of_weights = sp.symbols("B", positive=True)
not_attained = claim(
    "not-attained-beyond",
    says="The least hinge of weights up to B is 1 - B for every B > 0; it is 0 from B = 1 on.",
    domain={size_of_weights: reals(0, low_open=True)},
    grid={"smoke": {size_of_weights: [Fraction(1, 4), Fraction(1, 2), 1]}},
    closed_form=1 - size_of_weights,
    relation=minimises(),
    legs=[attained(hinge_of_one), certificate(dual_of_one)],
    rivals=[variant("1 - B^2", closed_form=1 - size_of_weights**2)],
)


def cycle(n):
    return [(i, (i + 1) % n) for i in range(n)]


def number_of_edges(n):
    """No cut has more edges than there are."""
    return len(cycle(n))


def largest_cut(n):
    """Over all ways to split the vertices."""
    sides = range(2**n)
    return max(sum((s >> i ^ s >> j) & 1 for i, j in cycle(n)) for s in sides)


only_bounded = claim(
    "bound-that-nothing-meets",
    says="The largest cut of the cycle of n vertices has n edges; n - 1 where n is odd.",
    domain={n: integers(3)},
    grid={"smoke": {n: [3, 4, 5]}},
    closed_form=n,
    relation=maximises(),
    mutate=False,  # smaller formulas would survive, and say as much
    legs=[certificate(number_of_edges)],
    rivals=[variant("n + 1", closed_form=n + 1)],
)
