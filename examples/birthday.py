"""Birthdays. Days are drawn from n until one comes again; that takes of order sqrt(n) draws (the constant is
sqrt(pi/2); Knuth, The Art of Computer Programming 1, 1.2.11.3)."""

import sympy as sp

from theorycheck import claim, integers, scales_as

n = sp.symbols("n", integer=True, positive=True)


def first_repetition(ns, n):
    """Expected draws: the sum over k of the probability that the first k days differ. Shape ()."""
    free = 1 - ns.number(ns.arange(n)) / n  # that the next day is new, after 0, 1, ... days
    return 1 + ns.sum(ns.exp(ns.cumulative_sum(ns.log(free), axis=0)), axis=0)


too_slow = claim(
    "birthday-third",
    says="The first repetition among draws from n comes after of order n^(1/3) draws.",
    domain={n: integers(2)},
    grid={"smoke": {n: [2**i for i in range(2, 14)]}},
    relation=scales_as(n),
    closed_form=n ** sp.Rational(1, 3),
    arithmetic="interval",
    expect="fail",
)(first_repetition)

square_root = too_slow.corrected(
    "birthday",
    says="The first repetition among draws from n comes after of order sqrt(n) draws.",
    closed_form=sp.sqrt(n),
)
