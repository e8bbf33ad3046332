"""Automatic wrong variants of a closed form, and whether a variant is really another function.

A pass is worth as much as the wrong formulas that the same evidence would have refuted. `mutants`
makes them from the expression alone: the slips that people make when they copy or derive a formula
(an exponent off by a half, n for n - 1, a lost factor, a wrong sign) and nudges of every number down
to the resolution that the evidence is asked for.

Some slips change nothing (swapping a and b in a*b). `equivalence` sorts them out and never guesses:
*equal* is proved by a normal form (`theorycheck.formulas.normal_form`), *different* is witnessed at a point of
the domain where the balls of the two are disjoint, *alike* means that no proof was found but every one of
many fresh points agrees, and everything else is *unknown*.
"""

from __future__ import annotations

import itertools
import math
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

import sympy
from flint import arb, ctx
from sympy import Add, Basic, Expr, Indexed, Integer, Mul, NumberSymbol, Pow, Rational, Symbol
from sympy.concrete.expr_with_limits import ExprWithLimits
from sympy.core.function import Function

from theorycheck import balls
from theorycheck.claims.model import asked_by, holds
from theorycheck.formulas.normal_form import same_function, tractable
from theorycheck.numbers.domain import Domain, DomainError, Exact

CAP = 120
"""Largest number of mutants of one closed form. A formula of the literature has 40 to 150 distinct
ones; beyond the cap they are taken in turn from every kind, so that none crowds out another."""

NEIGHBOURS: Mapping[str, str] = {
    "exp": "1 + x",
    "log": "log2",
    "cos": "sin",
    "sin": "cos",
    "tanh": "x",
    "cosh": "sinh",
    "sinh": "cosh",
    "erf": "tanh",
    "erfc": "erf",
    "floor": "ceiling",
    "ceiling": "floor",
    "Max": "Min",
    "Min": "Max",
    "Abs": "x",
    "harmonic": "log + EulerGamma",
    "sign": "tanh",
}
"""What each function is mistaken for, as it is printed in the mutant's name."""

_SWAP: Mapping[str, Callable[..., Expr]] = {
    "exp": lambda x: 1 + x,
    "log": lambda x: sympy.log(x) / sympy.log(2),
    "cos": sympy.sin,
    "sin": sympy.cos,
    "tanh": lambda x: x,
    "cosh": sympy.sinh,
    "sinh": sympy.cosh,
    "erf": sympy.tanh,
    "erfc": sympy.erf,
    "floor": sympy.ceiling,
    "ceiling": sympy.floor,
    "Max": sympy.Min,
    "Min": sympy.Max,
    "Abs": lambda x: x,
    "harmonic": lambda x: sympy.log(x) + sympy.EulerGamma,
    "sign": sympy.tanh,
}

_SHIFTED = ("factorial", "factorial2", "gamma", "binomial", "harmonic", "fibonacci", "catalan")
"""Functions of integers whose arguments are the usual place of an off-by-one."""

Path = tuple[int, ...]


@dataclass(frozen=True)
class FormMutant:
    """One wrong variant. ``change`` is its kind: nudge, number, exponent, sign, term, factor, swap,
    shift, argument or function."""

    name: str
    form: Expr
    change: str


@dataclass(frozen=True)
class Equivalence:
    """``answer`` equal, alike, different or unknown; ``witness`` a point where the two are apart."""

    answer: str
    witness: Mapping[str, Exact] | None
    how: str


# ---------------------------------------------------------------- making them


def mutants(
    form: Expr,
    *,
    parameters: Sequence[str],
    integer: Sequence[str],
    nudges: Sequence[Fraction],
    cap: int = CAP,
) -> list[FormMutant]:
    """Wrong variants of ``form``, at most ``cap`` of them, distinct and none written like ``form``.

    ``parameters``: names that the claim quantifies over (others are data and are left alone);
    ``integer``: those among them that take integers only; ``nudges``: relative changes, each tried
    with both signs on the whole form and on every number in it. The same arguments give the same
    list in the same order. Some may be equal to ``form`` as functions: see `equivalence`.
    """
    form = sympy.sympify(form)
    bound = {s.name for e in form.atoms(ExprWithLimits) for s in e.bound_symbols}
    scalars = [s for s in _symbols(form) if s.name in set(parameters) - bound]
    whole = [s for s in scalars if s.name in set(integer)]
    kinds: list[Iterator[FormMutant]] = [
        _whole_form(form, nudges),
        _exponents(form),
        _shifts(form, whole),
        _factors(form),
        _terms(form),
        _arguments(form),
        _numbers(form),
        _swaps(form, scalars),
        _functions(form),
        _nudged_numbers(form, nudges),
    ]
    seen: set[Basic] = {form}
    names: Counter[str] = Counter()
    made: list[FormMutant] = []
    for mutant in _in_turn(kinds):
        if len(made) == cap:
            break
        if mutant.form in seen or mutant.form.has(sympy.zoo, sympy.nan):
            continue
        if not _within_data(form, mutant.form):
            continue
        seen.add(mutant.form)
        names[mutant.name] += 1
        if names[mutant.name] > 1:
            mutant = replace(mutant, name=f"{mutant.name}, place {names[mutant.name]}")
        made.append(mutant)
    return made


def _within_data(form: Expr, mutant: Expr) -> bool:
    """Whether the mutant asks for no entry of indexed data that the form does not ask for."""
    if not mutant.has(Indexed):
        return True
    if not mutant.atoms(Indexed) <= form.atoms(Indexed):
        return False
    known = list(_data_ranges(form))
    return all(
        any((low - a).is_nonnegative and (b - high).is_nonnegative for a, b in known)
        for low, high in _data_ranges(mutant)
    )


def _data_ranges(form: Expr) -> Iterator[tuple[Expr, Expr]]:
    for total in form.atoms(ExprWithLimits):
        for limit in total.limits:
            reads = {s for item in total.function.atoms(Indexed) for s in item.free_symbols}
            if len(limit) == 3 and limit[0] in reads:
                yield limit[1], limit[2]


def _in_turn(kinds: Sequence[Iterator[FormMutant]]) -> Iterator[FormMutant]:
    alive = list(kinds)
    while alive:
        for kind in list(alive):
            mutant = next(kind, None)
            if mutant is None:
                alive.remove(kind)
            else:
                yield mutant


def _symbols(form: Expr) -> list[Symbol]:
    """Free scalar symbols by name; labels of indexed families are data, not numbers."""
    labels = {item.base.label for item in form.atoms(Indexed)}
    return sorted((s for s in form.free_symbols - labels if isinstance(s, Symbol)),
                  key=lambda s: s.name)  # fmt: skip


def _walk(expr: Basic, path: Path = ()) -> Iterator[tuple[Path, Expr]]:
    """Every subexpression with its place; dummies of sums and indices are not entered."""
    if isinstance(expr, Expr):
        yield path, expr
    if isinstance(expr, Indexed) or expr.is_Atom:
        return
    if isinstance(expr, ExprWithLimits):
        yield from _walk(expr.args[0], (*path, 0))
        for i, limit in enumerate(expr.args[1:], 1):
            for j in range(1, len(limit.args)):  # 0 is the dummy
                yield from _walk(limit.args[j], (*path, i, j))
        return
    for i, arg in enumerate(expr.args):
        yield from _walk(arg, (*path, i))


def _at(expr: Basic, path: Path) -> Basic:
    for i in path:
        expr = expr.args[i]
    return expr


def _put(expr: Basic, path: Path, new: Basic) -> Any:
    """The expression with the part at the path replaced; NaN where that is no expression."""
    if not path:
        return new
    args = list(expr.args)
    args[path[0]] = _put(args[path[0]], path[1:], new)
    try:
        return expr.func(*args)
    except (ValueError, TypeError):  # a limit of a sum or a condition that cannot be
        return sympy.nan


def _around(form: Expr, path: Path) -> str:
    """Where in the formula: ``in (2*k + 2)``, ``in 2*k in (2*k + 2)``, empty at the top level."""
    places = []
    for cut in range(len(path) - 1, 0, -1):
        outer = _at(form, path[:cut])
        if isinstance(outer, Mul):
            places.append(f" in {_short(outer)}")
        elif isinstance(outer, Add | Function | Pow | ExprWithLimits):
            places.append(f" in {_brackets(outer)}")
            break
    return "".join(places)


def _brackets(expr: Basic) -> str:
    text = _short(expr)
    return f"({text})" if isinstance(expr, Add | Mul | Pow) else text


def _short(expr: Basic, limit: int = 60) -> str:
    text = str(expr)
    return text if len(text) <= limit else text[: limit - 4] + " ..."


def _numerals(form: Expr) -> Iterator[tuple[Path, Expr]]:
    """Numbers and named constants, the exponents excepted: those are changed as exponents."""
    for path, e in _walk(form):
        if isinstance(e, Rational | NumberSymbol) and not _is_exponent(form, path):
            yield path, e


def _is_exponent(form: Expr, path: Path) -> bool:
    return bool(path) and path[-1] == 1 and isinstance(_at(form, path[:-1]), Pow)


def _counts_in(form: Expr, path: Path) -> bool:
    """Whether the place is an integer by its role: in a factorial, or an end of a sum."""
    for cut in range(len(path)):
        outer = _at(form, path[:cut])
        if isinstance(outer, Function) and outer.func.__name__ in _SHIFTED:
            return True
        if isinstance(outer, ExprWithLimits) and path[cut] > 0:
            return True
    return False


def _whole_form(form: Expr, nudges: Sequence[Fraction]) -> Iterator[FormMutant]:
    for nudge in nudges:
        for signed in (nudge, -nudge):
            factor = 1 + _rational(signed)
            yield FormMutant(f"times 1 {_signed(signed)}", factor * form, "nudge")
    yield FormMutant("times 2", 2 * form, "factor")
    yield FormMutant("divided by 2", form / 2, "factor")
    yield FormMutant("sign of the whole", -form, "sign")
    yield FormMutant("plus 1", form + 1, "term")
    yield FormMutant("minus 1", form - 1, "term")


def _numbers(form: Expr) -> Iterator[FormMutant]:
    """Numerals by one; a fraction also in its denominator; -1 as a sign is left to `_terms`."""
    for path, number in _numerals(form):
        if _counts_in(form, path):
            continue  # see _arguments
        if not isinstance(number, Rational):
            yield _changed(form, path, number, Integer(round(float(number))), "number")
            continue
        p, q = int(number.p), int(number.q)
        others = [Rational(p + 1, q), Rational(p - 1, q)]
        others += [Rational(p, q + step) for step in (1, -1) if q > 1 and q + step > 0]
        for other in others:
            yield _changed(form, path, number, other, "number")


def _nudged_numbers(form: Expr, nudges: Sequence[Fraction]) -> Iterator[FormMutant]:
    """Numbers by the given relative changes, except where only an integer makes sense."""
    for nudge in nudges:
        for path, number in _walk(form):
            if not isinstance(number, Rational | NumberSymbol) or number == 0:
                continue
            if _counts_in(form, path):
                continue
            what = f"exponent {number}" if _is_exponent(form, path) else str(number)
            for signed in (nudge, -nudge):
                new = _put(form, path, number * (1 + _rational(signed)))
                name = f"{what} times 1 {_signed(signed)}{_around(form, path)}"
                yield FormMutant(name, new, "nudge")


def _exponents(form: Expr) -> Iterator[FormMutant]:
    """Exponents, also the unwritten 1 of a factor, by a half and by one."""
    steps = [Rational(1, 2), Rational(-1, 2), Integer(1), Integer(-1)]
    for step in steps:
        for path, e in _walk(form):
            if isinstance(e, Pow):
                base, exponent = e.args
                new = _put(form, path, base ** (exponent + step))
                name = _exponent_name(base, exponent, step) + _around(form, path)
                yield FormMutant(name, new, "exponent")
            elif _is_factor(form, path, e) and step != -1:  # step -1 drops the factor
                new = _put(form, path, e ** (1 + step))
                name = f"exponent 1 -> {1 + step} of {_brackets(e)}{_around(form, path)}"
                yield FormMutant(name, new, "exponent")


def _exponent_name(base: Expr, exponent: Expr, step: Rational) -> str:
    """Exponents below a fraction bar are named as they stand there."""
    if exponent.could_extract_minus_sign():
        exponent, step = -exponent, -step
    old, new = _over(exponent), _over(exponent + step)
    return f"exponent {old} -> {new} of {_brackets(base)}"


def _over(exponent: Expr) -> str:
    return str(sympy.together(exponent))


def _is_factor(form: Expr, path: Path, e: Expr) -> bool:
    """Whether e is a factor (or the whole of a term) that carries no written exponent."""
    if isinstance(e, Pow | Mul) or e.is_Number:
        return False
    outer = _at(form, path[:-1]) if path else None
    return isinstance(outer, Mul) or (isinstance(outer, Add) and not e.is_Atom)


def _terms(form: Expr) -> Iterator[FormMutant]:
    """Signs of terms, terms left out, and the sign of a function's argument."""
    for path, e in _walk(form):
        if isinstance(e, Add):
            inside = f" in ({_short(e)})"
            for i, term in enumerate(e.args):
                rest = [t for j, t in enumerate(e.args) if j != i]
                name = f"sign of {_short(term)}{inside}"
                yield FormMutant(name, _put(form, path, Add(*rest, -term)), "sign")
                yield FormMutant(
                    f"without {_short(term)}{inside}", _put(form, path, Add(*rest)), "term"
                )
        elif isinstance(e, Function) and len(e.args) == 1 and e.func.__name__ not in _SHIFTED:
            new = _put(form, path, e.func(-e.args[0]))
            yield FormMutant(f"sign of the argument of {_short(e)}", new, "sign")


def _factors(form: Expr) -> Iterator[FormMutant]:
    for path, e in _walk(form):
        if not isinstance(e, Mul):
            continue
        for i, factor in enumerate(e.args):
            if factor == -1:
                continue  # a sign: see _terms
            rest = Mul(*(f for j, f in enumerate(e.args) if j != i))
            inside = f" in ({_short(e)})" if path else ""
            yield FormMutant(f"without {_short(factor)}{inside}", _put(form, path, rest), "factor")
            if isinstance(factor, Pow | Add | Symbol | Function):
                other = rest / factor
                name = f"{_short(factor)} on the other side of the fraction bar{inside}"
                yield FormMutant(name, _put(form, path, other), "factor")


def _shifts(form: Expr, whole: Sequence[Symbol]) -> Iterator[FormMutant]:
    """n for n - 1 or n + 1, in one place and everywhere."""
    for symbol in whole:
        places = [path for path, e in _walk(form) if e == symbol]
        for step in (-1, 1):
            new = symbol + step
            for path in places:
                name = f"{symbol} -> {new}"
                if len(places) > 1:
                    name += _around(form, path) or " where it is a factor"
                yield FormMutant(name, _put(form, path, new), "shift")
            if len(places) > 1:
                everywhere = form.xreplace({symbol: new})
                yield FormMutant(f"{symbol} -> {new} everywhere", everywhere, "shift")


def _arguments(form: Expr) -> Iterator[FormMutant]:
    """Arguments of factorials and binomials, and the ends of sums and products, by one."""
    for path, e in _walk(form):
        if isinstance(e, Function) and e.func.__name__ in _SHIFTED:
            for i, arg in enumerate(e.args):
                for step in (-1, 1):
                    other = e.func(*(a + step if j == i else a for j, a in enumerate(e.args)))
                    name = f"{_short(e)} -> {e.func.__name__} at {_short(arg + step)}"
                    yield FormMutant(name, _put(form, path, other), "argument")
        elif isinstance(e, ExprWithLimits):
            for i, limit in enumerate(e.args[1:], 1):
                for j, end in ((1, "from"), (2, "to")):
                    if j >= len(limit.args) or limit.args[j].is_infinite:
                        continue
                    for step in (-1, 1):
                        new = limit.args[j] + step
                        name = f"{limit.args[0]} {end} {limit.args[j]} -> {new} in {_short(e)}"
                        yield FormMutant(name, _put(form, (*path, i, j), new), "argument")


def _swaps(form: Expr, scalars: Sequence[Symbol]) -> Iterator[FormMutant]:
    for a, b in itertools.combinations(scalars, 2):
        swapped = form.xreplace({a: b, b: a})
        yield FormMutant(f"{a} and {b} swapped", swapped, "swap")


def _functions(form: Expr) -> Iterator[FormMutant]:
    for path, e in _walk(form):
        name = e.func.__name__
        if name in _SWAP and e.args:
            new = _put(form, path, _SWAP[name](*e.args))
            yield FormMutant(f"{name} -> {NEIGHBOURS[name]} in {_short(e)}", new, "function")


def _changed(form: Expr, path: Path, old: Expr, new: Expr, kind: str) -> FormMutant:
    return FormMutant(f"{old} -> {new}{_around(form, path)}", _put(form, path, new), kind)


def _rational(value: Fraction) -> Rational:
    return Rational(value.numerator, value.denominator)


def _signed(value: Fraction) -> str:
    """``+ 1e-9`` or ``- 1/3``."""
    size = abs(value)
    text = str(size) if size.denominator < 1000 else f"{float(size):.3g}"
    return f"{'+' if value > 0 else '-'} {text}"


# ---------------------------------------------------------------- equal or different


TRIED = 40
"""Points tried for a witness. Two different formulas of a few parameters agree on so many points of
their domain only when they agree on all but a thin set, which is then reported as unknown."""

FRESH = 100
"""Points of the domain at which two formulas are compared that no proof tells to be equal: those that
agree at all of them are noted as alike. What can be missed sets in later than the points go: hence a third
of an integer parameter's values grow geometrically."""

FARTHEST = 2000
"""How far they go: sums of so many terms still take milliseconds."""

LOOKED_AT = 1000
"""Points of the product of the domains that are looked at; a joint condition may refuse most."""

PRECISION = 128
"""Bits of the balls that witness a difference: nudges of 1e-30 still show."""


def equivalence(
    form: Expr,
    mutant: Expr,
    domains: Mapping[str, Domain],
    where: Any = None,
    *,
    points: Iterable[Mapping[str, Exact]] = (),
) -> Equivalence:
    """Whether two closed forms are the same function on the domain.

    ``points``: points of the domain to try first (a grid); further ones come from the domains
    themselves. ``where`` as in a claim: a SymPy condition, a predicate of the parameters, or a list
    of them. *Equal* means equal wherever both have a value, by a proof or at every point of a small
    finite domain; *alike* the same at `FRESH` points of it without a proof. A mutant without a real value at a point
    where the closed form has one is different there.
    """
    form, mutant = sympy.sympify(form), sympy.sympify(mutant)
    names = _names(form) | _names(mutant)
    given = [dict(point) for point in points]
    first = [*given, *_searched(domains, where)][:TRIED]
    _, apart = _seen_alike(form, mutant, names, first)
    if apart is not None:
        return apart
    if not tractable(mutant):
        return Equivalence("unknown", None, "too large to prove anything")
    if not names <= set(domains) and _apart_on_data(form, mutant, domains):
        return Equivalence("unknown", None, "they differ on some data, which no domain describes")
    if same_function(form, mutant, domains):
        return Equivalence("equal", None, "the difference has normal form 0")
    whole = _whole(domains, where)
    alike, apart = _seen_alike(form, mutant, names, whole or _searched(domains, where, FRESH))
    if apart is not None:
        return apart
    if whole and alike == len(whole):
        return Equivalence("equal", None, f"the same at every point of the domain, {alike} of them")
    if alike >= FRESH:
        return Equivalence("alike", None, f"no proof; the same at {alike} points of the domain")
    return Equivalence("unknown", None, f"no proof; the same at {alike} points of the domain")


def _seen_alike(
    form: Expr, mutant: Expr, names: set[str], points: Iterable[Mapping[str, Exact]]
) -> tuple[int, Equivalence | None]:
    """At how many of the points the two are the same, and where they are seen to differ."""
    alike = 0
    for point in points:
        if not all(isinstance(point.get(name), int | Fraction) for name in names):
            continue  # data, or a name: no number to evaluate at
        apart, known = _compared(form, mutant, point)
        if apart:
            return alike, Equivalence("different", dict(point), apart)
        alike += known
    return alike, None


def _compared(form: Expr, mutant: Expr, point: Mapping[str, Exact]) -> tuple[str, bool]:
    """Why the two differ at the point, empty where they are not seen to; and whether they are known
    to agree there, as sharply as the working precision allows."""
    left, right = _value(form, point), _value(mutant, point)
    if left.status != "ok":
        return "", False
    if right.status in ("undefined", "nonreal"):
        return f"the mutant is {right.status} there", False
    if right.status != "ok":
        return "", False
    if left.exact is not None and right.exact is not None:
        same = left.exact == right.exact
        return ("" if same else "exact values differ"), same
    with ctx.workprec(2 * PRECISION):
        a = left.ball if left.exact is None else arb(left.exact)
        b = right.ball if right.exact is None else arb(right.exact)
        if not a.overlaps(b):
            return "disjoint balls", False
        gap, size = abs(a - b).upper(), max(abs(a).lower(), abs(b).lower())
        return "", bool(gap <= (size if size > 0 else 1) * arb(2) ** -(PRECISION // 2))


def _apart_on_data(form: Expr, mutant: Expr, domains: Mapping[str, Domain]) -> bool:
    """Whether the two differ on made-up data.

    That is no witness, since nobody says which data can occur, but an identity holds for all data: a
    proof need not be tried.
    """
    left, right = (_on_data(e, tuple(domains.items())) for e in (form, mutant))
    return left is not None and right is not None and bool(_compared(left, right, {})[0])


@lru_cache(maxsize=64)
def _on_data(expr: Expr, domains: tuple[tuple[str, Domain], ...]) -> Expr | None:
    """The expression with numbers for everything, made up from names; None where that fails."""
    point = next(iter(_search(domains, None, TRIED)), {})
    values = {}
    for s in _symbols(expr):
        given = point.get(s.name)
        made_up = Integer(3) if s.is_integer else _made_up(s.name)
        values[s] = sympy.sympify(given) if isinstance(given, int | Fraction) else made_up
    try:
        filled = expr.subs(values).doit()
    except (ValueError, TypeError):
        return None
    filled = filled.xreplace({e: _made_up(str(e)) for e in filled.atoms(Indexed)})
    return None if filled.free_symbols else filled


def _made_up(name: str) -> Rational:
    """A rational between 1 and 3 that hardly another name shares."""
    return 1 + 2 * Rational(zlib.crc32(name.encode()), 2**32)


def _names(expr: Expr) -> set[str]:
    return {str(s) for s in expr.free_symbols}


def _value(expr: Expr, point: Mapping[str, Exact]) -> Any:
    return balls.evaluate(expr, {n: point[n] for n in _names(expr)}, prec=PRECISION)


def _searched(
    domains: Mapping[str, Domain], where: Any, count: int = TRIED
) -> tuple[dict[str, Exact], ...]:
    """Points of the domain, generic ones before special ones; the same for every mutant of a claim."""
    return _search(tuple(domains.items()), _condition(where), count)


def _condition(where: Any) -> Any:
    return tuple(where) if isinstance(where, list) else where


def _whole(domains: Mapping[str, Domain], where: Any) -> tuple[dict[str, Exact], ...]:
    """All points of a finite domain of at most `FRESH`; nothing for others."""
    if not domains or not all(d.finite for d in domains.values()):
        return ()
    columns = [list(itertools.islice(d.members(), FRESH + 1)) for d in domains.values()]
    if math.prod(map(len, columns)) > FRESH:
        return ()
    points = (dict(zip(domains, row, strict=True)) for row in itertools.product(*columns))
    return tuple(p for p in points if _admitted(_condition(where), p))


@lru_cache(maxsize=64)
def _search(
    domains: tuple[tuple[str, Domain], ...], where: Any, count: int
) -> tuple[dict[str, Exact], ...]:
    names = [name for name, _ in domains]
    fresh = count > TRIED
    # Of fresh points there are to be a few times as many combinations as are asked for.
    each = math.ceil((4 * count) ** (1 / max(1, len(names)))) if fresh else 8
    few = [
        _spread(domain, min(each, 5 * count // 4)) if fresh else _few(domain)
        for _, domain in domains
    ]
    if not all(few):
        return ()
    if not names:
        return ({},)
    sizes = [len(column) for column in few]
    indices = (
        i for total in _generic_first(sum(sizes) - len(sizes)) for i in _compositions(total, sizes)
    )
    points = (
        {n: column[i] for n, column, i in zip(names, few, index, strict=True)}
        for index in itertools.islice(indices, LOOKED_AT)
    )
    admitted = (p for p in points if _admitted(where, p))
    if not fresh:
        return tuple(itertools.islice(admitted, count))
    found = list(admitted)
    if len(found) <= count:
        return tuple(found)
    return tuple(found[k * len(found) // count] for k in range(count))


def _few(domain: Domain) -> list[Exact]:
    """The simplest members and, of integers, some larger ones: conditions may ask for them."""
    members = list(itertools.islice(domain.members(), 8))
    start = members[-1] if members else None
    if domain.kind in ("integers", "primes") and isinstance(start, int):
        larger = (start + step for step in (5, 6, 25, 26, 125, 126))
        members += [n for n in larger if n in domain]
    return members


def _spread(domain: Domain, count: int) -> list[Exact]:
    """The simplest members, and of integers a third in growing steps up to some thousand."""
    far = count // 3 if domain.kind in ("integers", "primes") else 0
    members = list(itertools.islice(domain.members(), count - far))
    start = members[-1] if members else None
    if far and isinstance(start, int):
        ratio = FARTHEST ** (1 / far)
        steps = dict.fromkeys(math.ceil(ratio**k) for k in range(1, far + 1))
        near = (
            next((start + s + j for j in range(64) if start + s + j in domain), None) for s in steps
        )
        members += [n for n in dict.fromkeys(near) if n is not None]
    return members


def _generic_first(reach: int) -> list[int]:
    """Sums of indices from the middle: the smallest members are special (0, 1, equal values)."""
    middle = min(reach, 3)
    return [*range(middle, reach + 1), *range(middle)]


def _compositions(total: int, sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    if len(sizes) == 1:
        if total < sizes[0]:
            yield (total,)
        return
    for first in range(min(total, sizes[0] - 1) + 1):
        for rest in _compositions(total - first, sizes[1:]):
            yield (first, *rest)


def _admitted(where: Any, point: Mapping[str, Exact]) -> bool:
    conditions = list(where) if isinstance(where, list | tuple) else [where]
    symbols = {s.name: s for w in conditions if isinstance(w, Basic) for s in w.free_symbols}
    if not asked_by(conditions) <= set(point):
        return False  # it asks for what no domain describes
    try:
        return holds(where, point, symbols)
    except DomainError:  # it is undecided, for a parameter that is no number
        return False


__all__ = ["CAP", "Equivalence", "FormMutant", "equivalence", "mutants"]
