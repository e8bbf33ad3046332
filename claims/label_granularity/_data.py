"""The hierarchical multi-view data model of Section B.1, exact: words, patches, samples and their laws.

Classes are "+" and "-", subclasses numbers 0 to k - 1. The words of the dictionary that are features are (y,) and (y,
c); as vectors they are axes of R^d. Of a sample the pattern says what each of its P patches is; patterns come with
their probabilities, so that laws of counts are sums over all of them. Chances above 1 are cut at 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from math import comb

COMMON, SUBCLASS, NOISE, OPPOSITE, STRONG = "common", "subclass", "noise", "opposite", "strong"
"""Kinds of patches; of easy samples the first three, of hard ones the last four."""
Pattern = tuple[str, ...]


def other(y):
    return {"+": "-", "-": "+"}[y]


def features(y, k):
    """The common word of a class and those of its subclasses."""
    return [(y,), *((y, c) for c in range(k))]


def word(kind, y, c):
    """The word that a patch of this kind shows in a sample of (y, c), None for noise."""
    return {COMMON: (y,), SUBCLASS: (y, c), OPPOSITE: (other(y),)}.get(kind)


def axis(shown, k):
    """Coordinate of a feature: 0 and 1 for the common ones, then the subclasses of + and of -."""
    y, *c = shown
    side = int(y == "-")
    return 2 + side * k + c[0] if c else side


def vector(shown, k, d, strength=1, noise=None):
    """strength times the word plus the noise, in R^d; the noise alone where the word is None."""
    x = [Fraction(e) for e in (noise or [0] * d)]
    if shown is not None:
        x[axis(shown, k)] += strength
    return x


def cut(s, left):
    """min(1, s/left): the chance of each of ``left`` patches, s of them meant in the mean."""
    return min(Fraction(1), Fraction(s) / left) if left else Fraction(0)


def chosen(places, chance) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """All subsets of ``places``, each place drawn with this chance on its own, with their probabilities."""
    for keep in product((0, 1), repeat=len(places)):
        n = sum(keep)
        p = Fraction(chance) ** n * (1 - Fraction(chance)) ** (len(places) - n)
        if p:
            yield tuple(i for i, k in zip(places, keep, strict=True) if k), p


def easy_patterns(P, s) -> Iterator[tuple[Pattern, Fraction]]:
    """B.1.5: every patch is common with chance s/P; with a of them, each other shows the subclass with s/(P - a)."""
    for common, p in chosen(range(P), cut(s, P)):
        rest = [i for i in range(P) if i not in common]
        for sub, q in chosen(rest, cut(s, len(rest))):
            yield (
                tuple(COMMON if i in common else SUBCLASS if i in sub else NOISE for i in range(P)),
                p * q,
            )


def hard_patterns(P, s, weak) -> Iterator[tuple[Pattern, Fraction]]:
    """B.1.6: common patches become noise, with b subclass patches each other one shows the opposite common word with
    chance weak/(P - b), and one of the noise patches that are left, any with the same chance, the strong noise."""
    for sub, p in subclass_places(P, s):
        rest = [i for i in range(P) if i not in sub]
        for opposite, q in chosen(rest, cut(weak, len(rest))):
            kinds = [
                SUBCLASS if i in sub else OPPOSITE if i in opposite else NOISE for i in range(P)
            ]
            free = [i for i in range(P) if kinds[i] == NOISE]
            for place in free or [None]:
                yield (
                    tuple(STRONG if i == place else e for i, e in enumerate(kinds)),
                    p * q / max(1, len(free)),
                )


def subclass_places(P, s) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Where an easy sample shows its subclass."""
    law: dict[tuple[int, ...], Fraction] = {}
    for pattern, p in easy_patterns(P, s):
        places = tuple(i for i, kind in enumerate(pattern) if kind == SUBCLASS)
        law[places] = law.get(places, Fraction(0)) + p
    yield from law.items()


def law_of(patterns, read: Callable[[Pattern], object]) -> dict:
    """Law of what is read off a pattern."""
    law: dict = {}
    for pattern, p in patterns:
        law[read(pattern)] = law.get(read(pattern), Fraction(0)) + p
    return law


def moments(law):
    """Total, mean and variance of a law of numbers."""
    total = sum(law.values(), Fraction(0))
    mean = sum((n * p for n, p in law.items()), Fraction(0))
    return [total, mean, sum((n * n * p for n, p in law.items()), Fraction(0)) - mean**2]


def binomial_law(n, p):
    """Chances of 0 to n successes."""
    p = Fraction(p)
    return [comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(n + 1)]


def count_law(P, s):
    """Chances of (common, subclass) patches of an easy sample, by counts alone: larger P than by patterns."""
    return {
        (a, b): p * q
        for a, p in enumerate(binomial_law(P, cut(s, P)))
        for b, q in enumerate(binomial_law(P - a, cut(s, P - a)))
    }


def subclass_count_law(P, s):
    """Chances of 0 to P subclass patches."""
    law = [Fraction(0)] * (P + 1)
    for (_, b), p in count_law(P, s).items():
        law[b] += p
    return law


def sample(pattern, y, c, k, d, strength=lambda kind: 1, noise=lambda i: None):
    """The patches of a sample as vectors."""
    return [
        vector(word(kind, y, c), k, d, strength(kind), noise(i)) for i, kind in enumerate(pattern)
    ]
