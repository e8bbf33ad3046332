"""theorycheck: do the formula and the thing that it describes agree, and how sharply is that known?

The names below are all that a claim needs, and `try_claim`, which judges one on the spot. They are
imported when first used, so that ``import theorycheck`` and ``theorycheck --help`` stay light.
"""

from __future__ import annotations

import importlib
from typing import Any

_HOMES = {
    "theorycheck.arrays": "BallNamespace FloatNamespace RationalNamespace select to_host",
    "theorycheck.claims.functions": "ClaimError",
    "theorycheck.claims.instances": "instances",
    "theorycheck.claims.legs": "Leg attained certificate leg search",
    "theorycheck.claims.model": "Claim claim",
    "theorycheck.claims.variants": "hypothesis variant",
    "theorycheck.claims.formula": "exactly formula formula_leg nowhere reaching rival_of rivals_of sharpened typed",
    "theorycheck.claims.iteration": "iterated",
    "theorycheck.claims.pays": "theorem",
    "theorycheck.claims.figures": "figure panel series",
    "theorycheck.numbers.domain": (
        "choices even_integers integers odd_integers primes reals structured DomainError"
    ),
    "theorycheck.numbers.structured": "angles simplex spectra steps subsets tables vectors",
    "theorycheck.numbers.matrices": "covariances matrices orthogonal",
    "theorycheck.relations": (
        "at_least at_most converges_to counts decays_as equals holds_with_probability "
        "maximises minimises scales_as separates up_to_constant"
    ),
    "theorycheck.claims.statistic": "mean probability quantile",
    "theorycheck.claims.tails": "bounded sub_gaussian variance_at_most",
    "theorycheck.numbers.enclosure": "between",
    "theorycheck.numbers.errors": "UserError",
    "theorycheck.numbers.surd": "Surd sqrt",
    "theorycheck.claims.tables": "data_file recorded recorded_samples",
    "theorycheck.evidence.indeterminates": "identity_for_all",
    "theorycheck.evidence.proof": "Proof",
    "theorycheck.notebook": "try_claim",
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}

__all__ = sorted(_HOME_OF)


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"theorycheck has no public name {name!r}")
    return getattr(importlib.import_module(_HOME_OF[name]), name)


def __dir__() -> list[str]:
    return __all__
