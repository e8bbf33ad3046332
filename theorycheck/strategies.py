"""Hypothesis strategies: points of a claim's domain, domains written as text, and the structures of
learning theory in exact rationals.

Points of joint integer domains are drawn from those that are admitted, so that a condition such as
``k <= n`` rejects nothing, and shrink to the simplest admitted point. A counterexample that Hypothesis
finds can be kept for the engine's next run with `keep_counterexample`.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from theorycheck.claims.model import Claim
from theorycheck.numbers.domain import Domain, DomainError, Exact, compositions, primes

MANY = 2_000
"""Admitted integer points that `points` chooses among."""

REACH = 40
"""Integers without an upper end are drawn up to this many steps from the lower one."""


def points(claim: Claim, *, reach: int = REACH) -> SearchStrategy[dict[str, Exact]]:
    """Points of a claim's domain, ``where`` respected, as mappings from parameter names to exact values.

    Parameters that only words describe (`structured`) are taken from the points of the claim's grid.
    Raises DomainError where no admitted point is found.
    """
    discrete = {
        n: d for n, d in claim.domain.items() if d.kind in ("integers", "primes", "choices")
    }
    real = {n: d for n, d in claim.domain.items() if d.kind == "reals"}
    if len(discrete) + len(real) < len(claim.domain):
        tried = [p for profile in claim.grid for p in claim.points(profile)]
        return st.sampled_from(tried)
    if not real:
        admitted = list(
            itertools.islice((p for p in _product(discrete, reach) if claim.admits(p)), MANY)
        )
        if not admitted:
            raise DomainError(f"claim {claim.id}: no admitted point within {reach} steps")
        return st.sampled_from(admitted)
    whole = list(itertools.islice(_product(discrete, reach), MANY))
    parts = {name: _reals(domain) for name, domain in real.items()}
    drawn = st.tuples(st.sampled_from(whole), st.fixed_dictionaries(parts))
    return drawn.map(lambda pair: {**pair[0], **pair[1]}).filter(claim.admits)


def _product(domains: Mapping[str, Domain], reach: int) -> Any:
    """Points in order of the sum of their positions in the domains: simplest first."""
    columns = [list(itertools.islice(d.members(), reach)) for d in domains.values()]
    if not columns:
        yield {}
        return
    total = sum(len(c) - 1 for c in columns)
    for size in range(total + 1):
        for places in compositions(size, [len(c) for c in columns]):
            values = (c[i] for c, i in zip(columns, places, strict=True))
            yield dict(zip(domains, values, strict=True))


def _reals(domain: Domain) -> SearchStrategy[Any]:
    drawn = st.fractions(domain.low, domain.high, max_denominator=10_000)
    return drawn.filter(lambda x: x in domain) if domain.low_open or domain.high_open else drawn


def domain(*texts: str) -> SearchStrategy[dict[str, Exact]]:
    """Points of a domain written as for ``theorycheck check``: ``domain("n in 2..60", "k in 1..n")``.

    Names are drawn in order and ends may depend on earlier names, so that nothing is rejected.
    Raises the one-line errors of the text parser; DomainError for a domain that is empty at some
    value of the earlier names.
    """
    from theorycheck.check.domain import parse_domains

    declared = parse_domains(texts)
    if declared.families:
        raise DomainError(f"domain: {declared.families[0].text()} is a family; draw a list instead")
    if declared.where:
        raise DomainError(
            f"domain: {declared.where[0]} is a hypothesis, not a range; filter the strategy by it"
        )
    variables = declared.variables

    @st.composite
    def draw_point(draw: st.DrawFn) -> dict[str, Exact]:
        point: dict[str, Exact] = {}
        for variable in variables:
            point[variable.name] = draw(_of_variable(variable, point))
        return point

    return draw_point()


def _of_variable(variable: Any, point: Mapping[str, Any]) -> SearchStrategy[Any]:
    if variable.kind == "set":
        return st.sampled_from([_exact(v) for v in variable.values])
    low, high = (_value(end, variable.name, point) for end in (variable.low, variable.high))
    if low is not None and high is not None and low > high:
        raise DomainError(f"{variable.name} in {variable.text} is empty at {dict(point)}")
    if variable.kind == "real":
        drawn = st.fractions(low, high, max_denominator=10_000)
        return drawn.filter(
            lambda x: (
                not (variable.low_open and x == low) and not (variable.high_open and x == high)
            )
        )
    whole = st.integers(
        None if low is None else math.ceil(low), None if high is None else math.floor(high)
    )
    if variable.kind != "prime":
        return whole
    top = None if high is None else math.floor(high)
    members = itertools.islice(primes(math.ceil(low or 2), top).members(), MANY)
    return st.sampled_from(list(members))


def _value(end: Any, name: str, point: Mapping[str, Any]) -> Fraction | None:
    """An end at the values drawn so far, None where it is infinite."""
    import sympy

    filled = end.subs({s: sympy.Rational(point[s.name]) for s in end.free_symbols})
    if filled.is_infinite:
        return None
    if not filled.is_Rational:
        raise DomainError(f"{name}: the end {end} is no rational number, which a strategy needs")
    return Fraction(int(filled.p), int(filled.q))


def _exact(value: Any) -> Any:
    return int(value) if value.is_Integer else Fraction(int(value.p), int(value.q))


def keep_counterexample(claim: Claim, point: Mapping[str, Exact]) -> None:
    """Put a counterexample where the engine looks first on its next run."""
    from theorycheck.evidence.store import default_path, open_store

    with open_store(default_path()) as store:
        store.keep_counterexample(claim.id, dict(point))


# ---- structures of learning theory, exact

small = st.fractions(-3, 3, max_denominator=6)


def unit_vectors(d: int) -> SearchStrategy[list[Fraction]]:
    """Rational points of the unit sphere of R^d, by stereographic projection; the pole excluded."""

    def project(u: list[Fraction]) -> list[Fraction]:
        square = sum((x * x for x in u), Fraction(0))
        return [*(2 * x / (square + 1) for x in u), (square - 1) / (square + 1)]

    return st.lists(small, min_size=d - 1, max_size=d - 1).map(project)


def orthonormal_frames(d: int, k: int | None = None) -> SearchStrategy[list[list[Fraction]]]:
    """d x k rational matrices with orthonormal columns: Cayley transforms of skew-symmetric matrices."""
    columns = d if k is None else k
    entries = d * (d - 1) // 2
    return st.lists(small, min_size=entries, max_size=entries).map(
        lambda values: [row[:columns] for row in _cayley(values, d)]
    )


def _cayley(values: Sequence[Fraction], d: int) -> list[list[Fraction]]:
    from flint import fmpq, fmpq_mat

    skew = fmpq_mat(d, d)
    for value, (i, j) in zip(values, itertools.combinations(range(d), 2), strict=True):
        skew[i, j] = fmpq(value.numerator, value.denominator)
        skew[j, i] = -skew[i, j]
    one = fmpq_mat(d, d)
    for i in range(d):
        one[i, i] = fmpq(1)
    Q = (one - skew) * (one + skew).inv()
    return [[Fraction(int(Q[i, j].p), int(Q[i, j].q)) for j in range(d)] for i in range(d)]


def covariances(spectrum: Sequence[Any]) -> SearchStrategy[list[list[Fraction]]]:
    """Symmetric matrices Q diag(spectrum) Q^T with Q rational orthogonal."""
    values = [Fraction(x) for x in spectrum]

    def conjugate(Q: list[list[Fraction]]) -> list[list[Fraction]]:
        return [
            [sum((a * x * b for a, x, b in zip(r, values, s, strict=True)), Fraction(0)) for s in Q]
            for r in Q
        ]

    return orthonormal_frames(len(values)).map(conjugate)


def label_distributions(k: int) -> SearchStrategy[list[Fraction]]:
    """Rational probability vectors of length k, zeros included."""
    weights = st.lists(st.integers(0, 12), min_size=k, max_size=k).filter(any)
    return weights.map(lambda w: [Fraction(x, sum(w)) for x in w])


def sparse_sign_vectors(d: int, s: int) -> SearchStrategy[list[int]]:
    """Vectors of length d with exactly s entries -1 or 1, the others 0."""
    places = st.lists(st.integers(0, d - 1), min_size=s, max_size=s, unique=True)
    signs = st.lists(st.sampled_from((1, -1)), min_size=s, max_size=s)

    def fill(drawn: tuple[list[int], list[int]]) -> list[int]:
        chosen = dict(zip(*drawn, strict=True))
        return [chosen.get(i, 0) for i in range(d)]

    return st.tuples(places, signs).map(fill)
