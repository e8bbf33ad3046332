"""Tokens, the letters of the Greek alphabet, and what the two readers of tokens share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Token:
    """``kind``: number, name, op, open, close, comma, bar, norm, big, frac, root, binom, accent or
    end. ``column`` is where it stands in the source. A ``plain`` name is never a function or
    constant (a Greek letter), a ``symbol`` always one (a LaTeX command such as ``\\log``)."""

    kind: str
    text: str
    column: int
    plain: bool = False
    symbol: bool = False


GREEK: Mapping[str, str] = {
    "α": "alpha",
    "β": "beta",
    "γ": "gamma",
    "δ": "delta",
    "ε": "epsilon",
    "ϵ": "epsilon",
    "ζ": "zeta",
    "η": "eta",
    "θ": "theta",
    "ϑ": "theta",
    "ι": "iota",
    "κ": "kappa",
    "λ": "lam",
    "μ": "mu",
    "µ": "mu",
    "ν": "nu",
    "ξ": "xi",
    "ρ": "rho",
    "ϱ": "rho",
    "σ": "sigma",
    "τ": "tau",
    "υ": "upsilon",
    "φ": "phi",
    "ϕ": "phi",
    "χ": "chi",
    "ψ": "psi",
    "ω": "omega",
    "Δ": "Delta",
    "Θ": "Theta",
    "Λ": "Lambda",
    "Ξ": "Xi",
    "Π": "Pi",
    "Σ": "Sigma",
    "Υ": "Upsilon",
    "Ψ": "Psi",
    "Ω": "Omega",
    "ℓ": "ell",
}
"""Names of letters; ``lambda`` is a word of Python, so it is called lam."""


class Cutting(Protocol):
    """A text that is being cut into tokens, from left to right."""

    source: str
    what: str
    place: int
    tokens: list[Token]

    def add(self, kind: str, text: str, *, plain: bool = False, symbol: bool = False) -> None:
        """Append a token that stands at the place."""

    def subscript(self) -> str:
        """Take the subscript at the place, as it stands in a canonical name; '' if there is none."""
