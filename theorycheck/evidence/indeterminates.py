"""Two programs run on indeterminates: the same rational functions agree for every value of the fields.

    def for_all_prompts(n, d, T):
        return identity_for_all(transformer, descent, {"X": (1, n, d), "y": (1, n)}, T=T)

    leg("indeterminates", for_all_prompts, arithmetic="proof", over="X y")

The proof speaks of all values of the fields for which both programs are defined, at the sizes of the
point; the sizes themselves are points.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from theorycheck.arrays.errors import NotFinite, NotRationalFunction
from theorycheck.arrays.indeterminates import IndeterminateNamespace, Quotient
from theorycheck.claims.functions import ClaimError
from theorycheck.evidence.proof import Proof

TRIED = 200
"""Points of small integers at which two functions that differ are looked at."""

METHOD = "both sides are the same rational functions of the indeterminates"


def identity_for_all(
    program: Callable[..., Any],
    reference: Callable[..., Any],
    fields: Mapping[str, tuple[int, ...]],
    **parameters: Any,
) -> Proof:
    """Whether ``program(ns, **fields, **parameters)`` and ``reference(...)`` are the same functions.

    ``fields``: name -> shape, () for a scalar; every entry is an indeterminate. ``parameters``: what both
    take beside them, as it is. A difference comes with a point at which they differ. Programs that need
    more than sums, products and quotients settle nothing; so do results of different shapes, or without an
    entry. A program beside itself is refused: ClaimError.
    """
    ns = IndeterminateNamespace(fields)
    given = {**ns.fields(), **parameters}
    try:
        left, right = (ns.asarray(run(ns, **given)) for run in (program, reference))
    except (NotRationalFunction, NotFinite) as error:
        return Proof(False, str(error), {})
    if _code(program) is _code(reference):
        raise ClaimError(
            "one program on both sides: that it agrees with itself says nothing; compare it with another"
        )
    if left.shape != right.shape or not left.size:
        return Proof(False, f"shapes {left.shape} and {right.shape}", {})
    found = {
        "indeterminates": sum(int(np.prod(s)) for s in ns.shapes.values()),
        "entries": left.size,
        "degree": max(ns.degree(left), ns.degree(right)),
        "terms": sum(len(q.top) + len(q.bottom) for q in left.data.reshape(-1)),
    }
    for at in np.ndindex(left.shape):
        difference = left.data[at] - right.data[at]
        if difference:
            found["difference"] = str(difference)[:200]
            point = _where_different(ns, difference)
            return Proof(False, "different functions", found, {"point": point} if point else None)
    return Proof(True, METHOD, found)


def _code(program: Callable[..., Any]) -> object:
    return getattr(program, "__code__", program)


def _where_different(ns: IndeterminateNamespace, difference: Quotient) -> dict[str, str]:
    """Small integers at which the difference is defined and not 0; nothing where none of TRIED is such.

    A polynomial of degree n that is not 0 vanishes on at most n/9 of the values that are tried at random
    (Schwartz and Zippel), so that for low degrees the first few decide.
    """
    rng = np.random.default_rng(0)
    for _ in range(TRIED):
        values = [int(v) for v in rng.integers(1, 10, len(ns.names))]
        if difference.top(*values) and difference.bottom(*values):
            return {name: str(v) for name, v in zip(ns.names, values, strict=True)}
    return {}
