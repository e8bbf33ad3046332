"""A claim's figure as plain data, so that it can be hashed, cached and drawn in several formats."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Curve:
    """A polyline; ``x`` and ``y`` of equal length."""

    name: str
    x: list[float]
    y: list[float]
    dotted: bool = False


@dataclass
class PlotPoints:
    """Measured values: ``low`` and ``high`` are the ends of their intervals."""

    name: str
    x: list[float]
    low: list[float]
    high: list[float]


@dataclass
class FigureData:
    """What is drawn: curves, measured points, rivals, ratios; or a ``table`` in their place."""

    kind: str
    title: str
    x_label: str
    y_label: str
    curves: list[Curve] = field(default_factory=list)
    points: list[PlotPoints] = field(default_factory=list)
    rivals: list[Curve] = field(default_factory=list)
    rival_points: list[PlotPoints] = field(default_factory=list)
    ratios: list[PlotPoints] = field(default_factory=list)
    ratio_label: str = ""
    ratio_line: float | None = None
    claimed: list[list[float]] = field(default_factory=list)
    marked: list[list[float]] = field(default_factory=list)
    settings: list[dict[str, str]] = field(default_factory=list)
    table: list[list[str]] = field(default_factory=list)
    log_x: bool = False
    log_y: bool = False
    note: str = ""
