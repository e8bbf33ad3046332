"""Laws of random names: ``--with "g ~ N(0, 1)"``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from theorycheck.check.law import Distribution
from theorycheck.check.reading.names import Names
from theorycheck.check.refusal import InputError, nearest
from theorycheck.check.text import build_expression, valid_name
from theorycheck.check.typed import understand

LAWS: Mapping[str, tuple[str, str]] = {
    "N": ("normal", "mean, variance"), "Normal": ("normal", "mean, variance"),
    "U": ("uniform", "low, high"), "Uniform": ("uniform", "low, high"),
    "Exp": ("exponential", "rate"), "Exponential": ("exponential", "rate"),
    "Laplace": ("laplace", "scale"), "Bernoulli": ("bernoulli", "p"),
    "Rademacher": ("rademacher", ""), "Binomial": ("binomial", "n, p"),
    "Bin": ("binomial", "n, p"), "Poisson": ("poisson", "mean"),
    "Geometric": ("geometric", "p"),
}  # fmt: skip
"""By name: the kind of law, and its parameters."""

DISCRETE = ("bernoulli", "rademacher", "binomial", "poisson", "geometric")
_FORM = re.compile(r"(.*?)(?:~|∼|\\sim\b)(.*)\Z", re.DOTALL)
_CALL = re.compile(r"([A-Za-z]\w*)\s*(?:\((.*)\))?\s*\Z", re.DOTALL | re.ASCII)


@dataclass(frozen=True)
class Laws:
    """Independent random names in order."""

    laws: Mapping[str, Distribution]

    @property
    def symbols(self) -> Mapping[str, Any]:
        return {name: law.symbol for name, law in self.laws.items()}

    def bracket(self, head: str, bodies: Sequence[Any]) -> Any:
        """``E[x]``, ``P[x > 0]``, ``Var[x]``, ``Cov[x, y]`` as an expression without random names.

        Raises:
            ValueError: where there is no form of it.
        """
        from theorycheck.check.expectation import covariance, expectation, probability

        laws = list(self.laws.values())
        if head == "P":
            return probability(bodies[0], laws)
        if head == "E":
            return expectation(bodies[0], laws)
        return covariance(bodies[0], bodies[-1], laws)


def _forms(texts: Sequence[str]) -> list[tuple[list[str], str, str]]:
    """(names, law, parameters) of each text, before anything is built."""
    found = []
    for piece in (p for text in texts for p in text.split(";") if p.strip()):
        match = _FORM.match(piece)
        call = match and _CALL.match(re.sub(r"\\mathcal\s*\{?(\w)\}?", r"\1", match[2]).strip())
        if not match or not call:
            raise InputError(f'--with {piece[:60]!r}: write "NAME ~ LAW", as in g ~ N(0, 1)')
        found.append(([n.strip() for n in match[1].split(",")], call[1], call[2] or ""))
    return found


def law_names(texts: Sequence[str]) -> list[str]:
    """The names that get a law."""
    return [name for names, _, _ in _forms(texts) for name in names]


def read_laws(texts: Sequence[str], symbols: Mapping[str, Any]) -> Laws | None:
    """Read ``--with`` options; parameters may use the declared names. None where there are none.

    Raises:
        InputError: one line that names the part.
    """
    laws: dict[str, Distribution] = {}
    for names, word, inside in _forms(texts):
        what = f"--with {word}"
        if word not in LAWS:
            known = ", ".join(dict.fromkeys(LAWS))
            raise InputError(f"--with: {word!r} is no law{nearest(word, LAWS)}; laws are {known}")
        kind, wanted = LAWS[word]
        parameters = _parameters(inside, symbols, what)
        if len(parameters) != len([w for w in wanted.split(",") if w.strip()]):
            raise InputError(f"{what}: write {word}({wanted})")
        for name in names:
            if not valid_name(name) or name in symbols or name in laws:
                raise InputError(f"{what}: {name!r} cannot be a random name, or has a domain")
            laws[name] = Distribution(kind, parameters, _symbol(name, kind))
    return Laws(laws) if laws else None


def _parameters(inside: str, symbols: Mapping[str, Any], what: str) -> tuple[Any, ...]:
    parts, depth, start = [], 0, 0
    for i, char in enumerate(inside):
        depth += (char in "([{") - (char in ")]}")
        if char == "," and depth == 0:
            parts.append(inside[start:i])
            start = i + 1
    parts.append(inside[start:])
    names = Names(frozenset(symbols))
    return tuple(
        build_expression(understand(part, names, what).scanned, symbols)
        for part in parts
        if part.strip()
    )


def _symbol(name: str, kind: str) -> Any:
    import sympy

    if kind in DISCRETE:
        return sympy.Symbol(name, integer=True)
    return sympy.Symbol(name, real=True)


__all__ = ["LAWS", "Laws", "law_names", "read_laws"]
