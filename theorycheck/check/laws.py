"""Laws of random names: ``--with "g ~ N(0, 1)"``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from theorycheck.check.building import build_expression
from theorycheck.check.formula import Comparison, Formula
from theorycheck.check.law import Distribution
from theorycheck.check.reading.domains import split_at
from theorycheck.check.reading.names import Names
from theorycheck.check.refusal import InputError, nearest
from theorycheck.check.text import valid_name
from theorycheck.check.typed import understand

if TYPE_CHECKING:
    from theorycheck.check.domain import Domains
    from theorycheck.check.ranges import Ranges

LAWS: Mapping[str, tuple[str, str]] = {
    "N": ("normal", "mean, variance"),
    "Normal": ("normal", "mean, variance"),
    "U": ("uniform", "low, high"),
    "Uniform": ("uniform", "low, high"),
    "Exp": ("exponential", "rate"),
    "Exponential": ("exponential", "rate"),
    "Laplace": ("laplace", "scale"),
    "Bernoulli": ("bernoulli", "p"),
    "Rademacher": ("rademacher", ""),
    "Binomial": ("binomial", "n, p"),
    "Bin": ("binomial", "n, p"),
    "Poisson": ("poisson", "mean"),
    "Geometric": ("geometric", "p"),
}
"""By name: the kind of law, and its parameters."""

DISCRETE = ("bernoulli", "rademacher", "binomial", "poisson", "geometric")
_FORM = re.compile(r"(.*?)(?:~|∼|\\sim\b)(.*)\Z", re.DOTALL)
_BARE = re.compile(r"[A-Za-z]\w*\Z", re.ASCII)
_CALL = re.compile(r"([A-Za-z]\w*)\s*(?:\((.*)\))?\s*\Z", re.DOTALL | re.ASCII)


@dataclass(frozen=True)
class Laws:
    """Independent random names in order, for declared names in ``ranges``.

    ``conditions`` are what their parameters must satisfy where that is not known for all values of the
    declared names, such as ``v > 0`` for ``N(0, v)``, and how it is written.
    """

    laws: Mapping[str, Distribution]
    ranges: Ranges
    conditions: tuple[tuple[Formula, str], ...] = ()

    @property
    def symbols(self) -> Mapping[str, Any]:
        return {name: law.symbol for name, law in self.laws.items()}

    def bracket(self, head: str, bodies: Sequence[Any]) -> Any:
        """``E[x]``, ``P[x > 0]``, ``Var[x]``, ``Cov[x, y]`` as an expression without random names.

        Raises:
            ValueError: where there is no form of it.
        """
        from theorycheck.check.expectation import Means
        from theorycheck.check.ranges import by_cases

        laws = list(self.laws.values())
        return _computable(by_cases(lambda r: Means(laws, r).bracket(head, bodies), self.ranges))

    def integral(self, body: Any, limit: tuple[Any, Any, Any]) -> Any:
        """The integral over (variable, low, high), in closed form where its terms have one.

        Raises:
            ValueError: where it is infinite, or cannot be enclosed.
        """
        from theorycheck.check.expectation import integral_over
        from theorycheck.check.ranges import by_cases

        return _computable(by_cases(lambda r: integral_over(body, *limit, r), self.ranges))


def _computable(expression: Any) -> Any:
    """The expression; raises ValueError where an integral that is left cannot be enclosed."""
    import sympy

    from theorycheck import balls

    for left in expression.atoms(sympy.Integral):
        balls.compile_expression(left, sorted(left.free_symbols, key=str))
    return expression


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


def laws_apart(domains: Sequence[str], laws: Sequence[str]) -> tuple[list[str], list[str]]:
    """Domains and laws, where a law stands among the domains: ``t >= 0, g ~ N(0, 1)``."""
    kept, random = [], list(laws)
    for text in domains:
        if not _FORM.match(text):
            kept.append(text)
            continue
        for piece in split_at(text, ";"):
            waiting: list[str] = []
            for chunk in split_at(piece, ","):
                if not _FORM.match(chunk):
                    waiting.append(chunk)
                    continue
                names = [chunk]  # the bare names before it have the same law
                while waiting and _BARE.match(waiting[-1]):
                    names.insert(0, waiting.pop())
                random.append(", ".join(names))
            if waiting:
                kept.append(", ".join(waiting))
    return kept, random


def law_names(texts: Sequence[str]) -> list[str]:
    """The names that get a law."""
    return [name for names, _, _ in _forms(texts) for name in names]


def read_laws(texts: Sequence[str], domains: Domains) -> Laws:
    """Read ``--with`` options; parameters may use the declared names.

    Raises:
        InputError: one line that names the part.
    """
    from theorycheck.check.ranges import Ranges

    symbols = domains.symbols
    ranges = Ranges(domains.variables)
    laws: dict[str, Distribution] = {}
    conditions: list[tuple[Formula, str]] = []
    for names, word, inside in _forms(texts):
        what = f"--with {word}"
        if word not in LAWS:
            known = ", ".join(dict.fromkeys(LAWS))
            raise InputError(f"--with: {word!r} is no law{nearest(word, LAWS)}; laws are {known}")
        kind, wanted = LAWS[word]
        parameters = _parameters(inside, symbols, what)
        if len(parameters) != len([w for w in wanted.split(",") if w.strip()]):
            raise InputError(f"{what}: write {word}({wanted})")
        conditions += _conditions(kind, parameters, ranges, f"{word}({inside})")
        for name in names:
            if not valid_name(name) or name in symbols or name in laws:
                raise InputError(f"{what}: {name!r} cannot be a random name, or has a domain")
            laws[name] = Distribution(kind, parameters, _symbol(name, kind))
    return Laws(laws, ranges, tuple(dict.fromkeys(conditions)))


def _wanted(kind: str, parameters: Sequence[Any]) -> list[tuple[Any, str]]:
    """(expression, op) pairs: laws exist where ``expression op 0``."""
    match kind, parameters:
        case "normal", (_, variance):
            return [(variance, ">=")]
        case "uniform", (low, high):
            return [(high - low, ">")]
        case "exponential" | "laplace", (scale,):
            return [(scale, ">")]
        case "bernoulli", (p,):
            return [(p, ">="), (1 - p, ">=")]
        case "binomial", (n, p):
            return [(n, ">="), (p, ">="), (1 - p, ">=")]
        case "poisson", (mean,):
            return [(mean, ">=")]
        case "geometric", (p,):
            return [(p, ">"), (1 - p, ">=")]
    return []


def _conditions(
    kind: str, parameters: Sequence[Any], ranges: Ranges, law: str
) -> Iterator[tuple[Formula, str]]:
    """What is not known of the parameters. Raises InputError where it is known to be false."""
    import sympy

    if kind == "binomial" and parameters[0].is_integer is False:
        raise InputError(f"--with {law}: there is no such law; the number of trials is an integer")
    for expression, op in _wanted(kind, parameters):
        expression = sympy.expand(expression)
        sign = ranges.sign(expression)
        if sign == 1 or (op == ">=" and (sign == 0 or ranges.nonnegative(expression))):
            continue
        text = f"{expression} {op} 0"
        if sign is not None:
            raise InputError(f"--with {law}: there is no such law; it wants {text}")
        # A variance of open sign is taken to be positive: the scale is divided by.
        strict = ">" if kind == "normal" else op
        zero = sympy.Integer(0)
        yield Comparison(strict, expression, zero), f"{expression} {strict} 0"
    if kind == "binomial" and parameters[0].is_integer is None:
        raise InputError(f"--with {law}: whether {parameters[0]} is an integer is not known")


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
