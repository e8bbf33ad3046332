"""What is tried of a domain: grids by profile, as points, and the conditions that points meet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from theorycheck.claims.functions import PROFILES, arguments
from theorycheck.numbers.domain import DomainError, Exact, exact, point_key, product_points
from theorycheck.numbers.errors import UserError

Grid = Mapping[str, Any]


def grid_by_name(grid: Mapping[Any, Any]) -> Grid:
    """A grid as it is written, by the names of profiles and parameters."""
    return {str(profile): columns_by_name(columns) for profile, columns in grid.items()}


def columns_by_name(columns: Any) -> Any:
    """Columns or points by the names of their parameters."""
    if isinstance(columns, Mapping):
        return {str(s): list(v) if _is_list(v) else [v] for s, v in columns.items()}
    return [{str(s): v for s, v in point.items()} for point in columns]


def _is_list(value: object) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, str | tuple | Mapping)


def points_of(columns: Any) -> list[dict[str, Exact]]:
    """Points of one profile: every combination of columns, or those listed."""
    if isinstance(columns, Mapping):
        return product_points(columns)
    return [{name: exact(v, where=name) for name, v in point.items()} for point in columns]


def profiles_up_to(grid: Grid, profile: str) -> list[str]:
    """The profiles of the grid at or below this one, smallest first; its first one where none is."""
    order = PROFILES[: PROFILES.index(profile) + 1]
    return [name for name in order if name in grid] or [next(iter(grid))]


def asked_by(where: Any) -> frozenset[str]:
    """Names of the parameters that a condition speaks of."""
    if isinstance(where, list | tuple):
        return frozenset().union(*map(asked_by, where))
    return frozenset(arguments(where)) if callable(where) else free_names(where)


def free_names(form: Any) -> frozenset[str]:
    """Names of the symbols of a closed form; an indexed symbol lam[i] counts as lam."""
    if not hasattr(type(form), "free_symbols"):
        return frozenset()
    kept = type(form).__hash__ is not None  # all of SymPy but matrices that can be written to
    return _names_in(form) if kept else _names_in.__wrapped__(form)


@lru_cache(maxsize=4096)
def _names_in(form: Any) -> frozenset[str]:
    return frozenset(str(s) for s in form.free_symbols if not getattr(s, "is_Indexed", False))


def holds(where: Any, point: Mapping[str, Exact], symbols: Mapping[str, Any]) -> bool:
    """Whether a condition holds at a point: SymPy, a function, or a list of these; None always does. Where it
    speaks of a parameter that the point lacks, it says nothing. Raises DomainError where it stays undecided, or
    cannot be asked."""
    if where is None:
        return True
    if isinstance(where, list | tuple):
        return all(holds(w, point, symbols) for w in where)
    if not asked_by(where) <= set(point):
        return True  # a leg without one of these parameters: the condition does not speak of it
    if isinstance(where, str):
        raise DomainError(f"where: {where!r} is text; give a SymPy condition or a function")
    try:
        return _asked(where, point, symbols)
    except UserError:
        raise
    except (
        Exception
    ) as error:  # an author's condition may raise anything; it is told as the author's
        raise DomainError(
            f"where: it raises {type(error).__name__} ({error}) at {point_key(point)}, which the domains admit; "
            "narrow a domain, or let the condition be false there"
        ) from error


def _asked(where: Any, point: Mapping[str, Exact], symbols: Mapping[str, Any]) -> bool:
    if callable(where):
        return bool(where(**{n: point[n] for n in arguments(where)}))
    # Words among the parameters stay symbols: a condition that speaks of them is a function.
    spoken = free_names(where)
    values = ((symbols[n], v) for n, v in point.items() if n in symbols and n in spoken)
    answer = _answer(where, tuple((s, v) for s, v in values if not isinstance(v, str)))
    if answer is None:
        raise DomainError(f"where: {where} is undecided at {point_key(point)}")
    return answer


@lru_cache(maxsize=65536)
def _answer(where: Any, point: tuple[tuple[Any, Exact], ...]) -> bool | None:
    """What a SymPy condition says with these values, None where that stays undecided. A plan asks the same of many
    points that differ in other parameters."""
    import sympy

    values = {
        s: sympy.Tuple(*map(sympy.Rational, v)) if isinstance(v, tuple) else sympy.Rational(v)
        for s, v in point
    }
    condition = sympy.sympify(where, strict=True)
    answer = condition.xreplace(values)  # several times faster than subs
    if answer not in (sympy.true, sympy.false):
        answer = condition.subs(values)
    return bool(answer) if answer in (sympy.true, sympy.false) else None
