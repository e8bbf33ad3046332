"""What a leg pays for: the quantified names of a clause that it stands for, beside parameters and fields.

=============  ===================================================================================
``over``       for all of these: a certificate or a proof, whose program does not take them
``gives``      there is one: the leg constructs it (a constant: at this value)
``chosen_by``  the function that chooses what is given; its arguments are all that it may depend on
``inside``     all of these are enumerated inside the program
``draws``      with probability over these: the leg's own stream draws them
``lemma``      what makes a certificate a bound on every feasible point, or what a proof rests on: `theorem`
               with how its hypotheses are met, the name of a proof leg of the claim, or the id of a claim
               that is proved; a certificate without one is *argued*. With ``gives``: a theorem of `EXISTENCE`,
               by which there is one although the leg constructs none
``covers``     the clauses that the leg speaks of, where not all of the claim's
=============  ===================================================================================
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from theorycheck.claims.functions import ClaimError, Simulation

THEOREMS: Mapping[str, tuple[str, ...]] = {
    "weak duality": ("feasible",),
    "Parseval": ("orthonormal",),
    "Bessel": ("orthonormal",),
    "Eckart-Young": ("invariant",),
    "Cauchy-Schwarz": ("product",),
    "AM-GM": ("nonnegative",),
    "Jensen": ("convex", "weights"),
    "Hoelder": ("exponents",),
    "Rayleigh-Ritz": ("symmetric",),
    "spectral theorem": ("symmetric",),
    "convexity": ("convex", "hull"),
    "triangle inequality": ("norm",),
    "pigeonhole": ("more",),
    "intermediate values": ("continuous", "ends"),
}
"""Theorems that may stand as the lemma of a certificate or a proof, and the hypotheses of each: the dual point
is feasible; the family is orthonormal; the norm is unitarily invariant; the form is an inner product; the terms
are non-negative; the function is convex, the weights a probability; 1/p + 1/q = 1; the matrix is symmetric
(Rayleigh and Ritz: its extreme quotients are its extreme eigenvalues; spectral theorem: it has an orthonormal
eigenbasis); a convex function over the hull of the points; a norm; more things than places; the function is
continuous and changes its sign between the ends."""

EXISTENCE = frozenset({"intermediate values"})
"""Those that say that there is something: the lemma of a leg that gives it."""


@dataclass(frozen=True)
class Theorem:
    """A theorem of `THEOREMS` as a lemma. ``met``: hypothesis -> how it is met, in the author's words."""

    name: str
    met: Mapping[str, str] = field(default_factory=dict)

    @property
    def unmet(self) -> tuple[str, ...]:
        """Hypotheses of which nothing is said."""
        return tuple(h for h in THEOREMS[self.name] if h not in self.met)

    def text(self) -> str:
        """``Jensen (convex: ...; weights: ...)``."""
        said = "; ".join(f"{h}: {how}" for h, how in self.met.items())
        return f"{self.name} ({said})" if said else self.name


def theorem(name: str, **met: str) -> Theorem:
    """A named theorem as the lemma of a certificate, with how each of its hypotheses is met:
    ``theorem("Rayleigh-Ritz", symmetric="X^T X")``. Raises ClaimError."""
    if name not in THEOREMS:
        raise ClaimError(
            f"theorem {name!r} is none of {', '.join(THEOREMS)}; prove it as a formula claim or a proof leg "
            "and name that as the lemma"
        )
    strange = [h for h in met if h not in THEOREMS[name]]
    missing = [h for h in THEOREMS[name] if not str(met.get(h, "")).strip()]
    if strange or missing:
        raise ClaimError(
            f"theorem {name!r} asks how {', '.join(THEOREMS[name])} is met: theorem({name!r}, "
            + ", ".join(f"{h}='...'" for h in THEOREMS[name])
            + ")"
            + (f"; it has no hypothesis {', '.join(strange)}" if strange else "")
        )
    return Theorem(name, dict(met))


@dataclass(frozen=True)
class Pays:
    """See this module. Names are those of the clause."""

    covers: tuple[str, ...] = ()
    over: tuple[str, ...] = ()
    gives: tuple[str, ...] = ()
    inside: tuple[str, ...] = ()
    draws: tuple[str, ...] = ()
    chosen_by: Simulation | None = None
    lemma: Theorem | str = ""

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
    lemma: Theorem | str = "",
) -> Pays:
    """The payments of a leg; names in one text, separated by spaces, or as a list. The bare name of a theorem
    is one of whose hypotheses nothing is said. Raises ClaimError."""
    if not isinstance(lemma, Theorem | str):
        raise ClaimError(
            f"leg {leg!r}: lemma is theorem(...), the name of a proof leg or the id of a claim, "
            f"got {lemma!r:.60}"
        )
    if isinstance(lemma, str) and lemma in THEOREMS:
        lemma = Theorem(lemma)
    found = Pays(
        listed(covers), listed(over), listed(gives), listed(inside), listed(draws), chosen_by, lemma
    )
    every = [*found.over, *found.gives, *found.inside, *found.draws]
    for name in sorted({n for n in every if every.count(n) > 1}):
        raise ClaimError(f"leg {leg!r}: {name} is paid for twice; name it once")
    if chosen_by is not None and not found.gives:
        raise ClaimError(f"leg {leg!r}: chosen_by says how gives=... is chosen; name what it gives")
    if isinstance(lemma, Theorem) and lemma.name in EXISTENCE:
        if not found.gives or found.over:
            raise ClaimError(f"leg {leg!r}: {lemma.name} goes with gives=..., what there is by it")
    elif lemma and not found.over:
        raise ClaimError(f"leg {leg!r}: a lemma goes with over=..., what the bound holds for")
    return found


def listed(given: str | Iterable[str]) -> tuple[str, ...]:
    """Names from a text or a list of them."""
    return tuple(given.split()) if isinstance(given, str) else tuple(str(n) for n in given)
