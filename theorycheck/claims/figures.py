"""Figures of a claim beside the engine's own: declared as plain data, drawn by the report.

A figure shows what the theorem speaks of (a spectrum, a learning curve, an attention matrix) and decides
nothing. Its function runs once, on a stream of its own; what it returns is kept with the observations,
so that a report can be redrawn without running anything.

    figure("spectra", draw, at={"smoke": {k: 3, p: 5}}, caption="...")

    def draw(ns, rng, k, p):
        return panel("spectra", x="frequency", y="share of power", marks=[series("a neuron", f, share)])
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from msgspec import Struct, structs

from theorycheck.numbers.domain import Exact, exact
from theorycheck.numbers.errors import UserError

MOST_NUMBERS = 8_000
"""Numbers that a figure may keep: at six digits some 60 kB, more than a page's width can show."""

DIGITS = 6
"""Significant digits kept; a pixel needs three."""

MOST_PANELS = 6


class FigureError(UserError):
    """What a figure's function returned cannot be drawn: one line that says why."""


class SeriesData(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A `FigureSeries` as it is kept: numbers of few digits; ``low`` and ``high`` where it has a band."""

    name: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    dashed: bool
    low: tuple[float, ...] | None = None
    high: tuple[float, ...] | None = None

    @property
    def columns(self) -> int:
        """How many numbers there are a point."""
        return 2 if self.low is None else 4


class PanelData(Struct, frozen=True, kw_only=True):
    """A `Panel` as it is kept."""

    title: str
    x: str
    y: str
    log_x: bool
    log_y: bool
    lines: tuple[SeriesData, ...] = ()
    marks: tuple[SeriesData, ...] = ()
    heat: tuple[tuple[float, ...], ...] | None = None

    @property
    def series(self) -> tuple[SeriesData, ...]:
        """Lines, then marks."""
        return (*self.lines, *self.marks)


@dataclass(frozen=True)
class FigureSeries:
    """Named points ``(x[i], y[i])``; arrays of any backend or sequences, of equal length. ``low`` and
    ``high``: the band of a line that is a mean of runs."""

    name: str
    x: Any
    y: Any
    dashed: bool = False
    low: Any = None
    high: Any = None


@dataclass(frozen=True)
class Panel:
    """One pair of axes: lines and marks, or a heat map ``heat[row][column]`` with row 0 at the top."""

    title: str
    x: str
    y: str
    lines: tuple[FigureSeries, ...] = ()
    marks: tuple[FigureSeries, ...] = ()
    heat: Any = None
    log_x: bool = False
    log_y: bool = False


@dataclass(frozen=True)
class Figure:
    """A figure that a claim declares. Build it with `figure`."""

    name: str
    draw: Callable[..., Any]
    at: Mapping[str, Mapping[str, Exact]] = field(default_factory=dict)
    caption: str = ""

    def inputs(self) -> tuple[str, ...]:
        """Names that the function asks for."""
        return tuple(inspect.signature(self.draw).parameters)


def figure(
    name: str,
    draw: Callable[..., Any],
    *,
    at: Mapping[str, Mapping[Any, Any]] | None = None,
    caption: str = "",
) -> Figure:
    """A figure of the claim's report.

    ``draw`` asks by name for ``ns`` (floats on the run's device), ``rng`` (a stream that nothing else
    uses) and parameters, and returns a `panel` or several of them. ``at``: profile -> point; a
    larger profile takes the point of the next smaller one that is named, and below the smallest
    the figure is not drawn. Without ``at`` it is drawn under every profile, and may not ask for parameters.
    """
    points = {
        str(profile): {str(s): exact(v, where=str(s)) for s, v in point.items()}
        for profile, point in (at or {"smoke": {}}).items()
    }
    return Figure(name, draw, points, caption)


def series(
    name: str, x: Any, y: Any, *, dashed: bool = False, low: Any = None, high: Any = None
) -> FigureSeries:
    """A named line or set of marks of a panel. The i-th dashed line has the i-th solid one's colour.

    ``low`` and ``high``, each as long as ``y``: the band around a line that is a mean of runs, such as the
    least and the largest of them; the caption says which.
    """
    return FigureSeries(name, x, y, dashed, low, high)


def panel(
    title: str,
    *,
    x: str,
    y: str,
    lines: Sequence[FigureSeries] = (),
    marks: Sequence[FigureSeries] = (),
    heat: Any = None,
    log_x: bool = False,
    log_y: bool = False,
) -> Panel:
    """One pair of axes with its labels. A heat map stands alone."""
    return Panel(title, x, y, tuple(lines), tuple(marks), heat, log_x, log_y)


def point_of(drawn: Figure, profile: str, profiles: Sequence[str]) -> Mapping[str, Exact] | None:
    """Where a figure is drawn under a profile; None where it is not."""
    reached = [p for p in profiles[: profiles.index(profile) + 1] if p in drawn.at]
    return drawn.at[reached[-1]] if reached else None


def plain(panels: Any, to_numpy: Callable[[Any], Any]) -> tuple[PanelData, ...]:
    """Panels as data with few digits. Raises FigureError for what cannot be drawn."""
    several = [panels] if isinstance(panels, Panel) else list(panels)
    if not 1 <= len(several) <= MOST_PANELS or not all(isinstance(p, Panel) for p in several):
        raise FigureError(f"returns one to {MOST_PANELS} panels")
    made = tuple(_panel(p, to_numpy) for p in several)
    count = sum(_count(p) for p in made)
    if count > MOST_NUMBERS:
        raise FigureError(f"has {count} numbers; at most {MOST_NUMBERS} are kept")
    return made


def _panel(p: Panel, to_numpy: Callable[[Any], Any]) -> PanelData:
    if (p.heat is not None) == bool(p.lines or p.marks):
        raise FigureError(f"panel {p.title!r} shows either lines and marks or a heat map")
    heat = None
    if p.heat is not None:
        heat = tuple(_numbers(row, to_numpy, p.title) for row in _rows(p.heat, to_numpy))
        if not heat or len({len(row) for row in heat}) != 1:
            raise FigureError(f"panel {p.title!r}: a heat map is a rectangle")
    return PanelData(
        title=p.title,
        x=p.x,
        y=p.y,
        log_x=p.log_x,
        log_y=p.log_y,
        lines=tuple(_series(s, p, to_numpy) for s in p.lines),
        marks=tuple(_series(s, p, to_numpy) for s in p.marks),
        heat=heat,
    )


def _rows(heat: Any, to_numpy: Callable[[Any], Any]) -> list[Any]:
    return list(heat if isinstance(heat, list | tuple) else to_numpy(heat))


def _series(s: FigureSeries, p: Panel, to_numpy: Callable[[Any], Any]) -> SeriesData:
    x, y = (_numbers(v, to_numpy, s.name) for v in (s.x, s.y))
    if len(x) != len(y) or not x:
        raise FigureError(f"series {s.name!r} has {len(x)} x and {len(y)} y")
    for values, logs, axis in ((x, p.log_x, "x"), (y, p.log_y, "y")):
        if logs and min(values) <= 0:
            raise FigureError(f"series {s.name!r} has {axis} = {min(values)} on a logarithmic axis")
    made = SeriesData(name=s.name, x=x, y=y, dashed=s.dashed)
    if (s.low is None) != (s.high is None):
        raise FigureError(f"series {s.name!r} has one end of a band; give low and high")
    if s.low is None:
        return made
    low, high = (_numbers(v, to_numpy, s.name) for v in (s.low, s.high))
    if not len(low) == len(high) == len(y):
        raise FigureError(
            f"series {s.name!r} has {len(y)} y and a band of {len(low)} and {len(high)}"
        )
    if p.log_y and min(low) <= 0:
        raise FigureError(f"series {s.name!r} has a band to {min(low)} on a logarithmic axis")
    return structs.replace(made, low=low, high=high)


def _numbers(values: Any, to_numpy: Callable[[Any], Any], name: str) -> tuple[float, ...]:
    flat = values if isinstance(values, list | tuple | range) else to_numpy(values).tolist()
    found = tuple(_rounded(float(v)) for v in flat)
    if not all(math.isfinite(v) for v in found):
        raise FigureError(f"{name!r} has a number that is not finite")
    return found


def _rounded(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")


def _count(made: PanelData) -> int:
    return sum(len(s.x) * s.columns for s in made.series) + sum(map(len, made.heat or ()))
