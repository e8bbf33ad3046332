"""Automatic wrong variants of a closed form.

A pass is worth as much as the wrong formulas that the same evidence would have refuted. `mutants`
makes them from the expression alone: the slips that people make when they copy or derive a formula
(an exponent off by a half, n for n - 1, a lost factor, a wrong sign) and nudges of every number down
to the resolution that the evidence is asked for.

Some slips change nothing (swapping a and b in a*b): `theorycheck.formulas.equivalence` sorts them out.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import sympy
from sympy import Add, Basic, Expr, Indexed, Integer, Mul, NumberSymbol, Pow, Rational, Symbol
from sympy.concrete.expr_with_limits import ExprWithLimits
from sympy.core.function import Function

from theorycheck.formulas.normal_form import scalar_symbols

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
    list in the same order. Some may be equal to ``form`` as functions: see `theorycheck.formulas.equivalence`.
    """
    form = sympy.sympify(form)
    bound = {s.name for e in form.atoms(ExprWithLimits) for s in e.bound_symbols}
    scalars = [s for s in scalar_symbols(form) if s.name in set(parameters) - bound]
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
