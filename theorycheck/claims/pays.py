"""What a leg pays for: the quantified names of a clause that it stands for, beside parameters and fields.

=============  ===================================================================================
``over``       for all of these: a certificate or a proof, whose program does not take them
``gives``      there is one: the leg constructs it (a constant: at this value)
``chosen_by``  the function that chooses what is given; its arguments are all that it may depend on
``inside``     all of these are enumerated inside the program
``draws``      with probability over these: the leg's own stream draws them
``lemma``      what makes a certificate a bound on every feasible point: a named theorem, or the id of
               a formula claim that proves it; without one the certificate is *argued*
``covers``     the clauses that the leg speaks of, where not all of the claim's
=============  ===================================================================================
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from theorycheck.claims.functions import ClaimError, Simulation

THEOREMS = (
    "weak duality", "Parseval", "Bessel", "Eckart-Young", "Cauchy-Schwarz", "AM-GM", "Jensen",
    "Hoelder", "Rayleigh-Ritz", "convexity", "triangle inequality", "pigeonhole",
)  # fmt: skip
"""Named theorems that may stand as the lemma of a certificate; their hypotheses are the program's."""


@dataclass(frozen=True)
class Pays:
    """See this module. Names are those of the clause."""

    covers: tuple[str, ...] = ()
    over: tuple[str, ...] = ()
    gives: tuple[str, ...] = ()
    inside: tuple[str, ...] = ()
    draws: tuple[str, ...] = ()
    chosen_by: Simulation | None = None
    lemma: str = ""

    @property
    def named(self) -> frozenset[str]:
        return frozenset((*self.over, *self.gives, *self.inside, *self.draws))


def paying(
    leg: str,
    *,
    covers: str | Iterable[str] = (),
    over: str | Iterable[str] = (),
    gives: str | Iterable[str] = (),
    inside: str | Iterable[str] = (),
    draws: str | Iterable[str] = (),
    chosen_by: Simulation | None = None,
    lemma: str = "",
) -> Pays:
    """The payments of a leg; names in one text, separated by spaces, or as a list. Raises ClaimError."""
    found = Pays(
        listed(covers), listed(over), listed(gives), listed(inside), listed(draws), chosen_by, lemma
    )
    every = [*found.over, *found.gives, *found.inside, *found.draws]
    for name in sorted({n for n in every if every.count(n) > 1}):
        raise ClaimError(f"leg {leg!r}: {name} is paid for twice; name it once")
    if chosen_by is not None and not found.gives:
        raise ClaimError(f"leg {leg!r}: chosen_by says how gives=... is chosen; name what it gives")
    if lemma and not found.over:
        raise ClaimError(f"leg {leg!r}: a lemma goes with over=..., what the bound holds for")
    return found


def listed(given: str | Iterable[str]) -> tuple[str, ...]:
    """Names from a text or a list of them."""
    return tuple(given.split()) if isinstance(given, str) else tuple(str(n) for n in given)
