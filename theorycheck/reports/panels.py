"""Drawing the figures that claims declare: panels of lines, marks and heat maps, in the report's style.

Heat maps take the page's colours: one for positive entries, one for negative ones, as strong as the entry
is large, with a bar beside them that says what the shades stand for.
"""

from __future__ import annotations

import io
import math
from collections.abc import Mapping, Sequence
from typing import Any

from theorycheck.claims.figures import PanelData
from theorycheck.reports.figure import (
    COLOURS,
    HEIGHT,
    LINES,
    MARKERS,
    WIDTH,
    few_ticks,
    for_page,
    short,
    style,
)

Panels = Sequence[PanelData]

BESIDE, TALL = 2, 4
"""Panels in a row; names that a legend lists in one column."""

BAND = 0.18
"""How opaque a band is: two that overlap are still seen through, and the grid below them."""

SHADES = 16
"""Steps of a colour bar: a twentieth of its height each, as fine as the eye tells shades apart."""


def svg(panels: Panels, title: str, key: str) -> str:
    """The panels as one inline ``<svg>``; ``key`` sets its names apart from other figures'."""
    settings = {"svg.fonttype": "none", "svg.hashsalt": key}
    drawn = _draw(panels, settings, "svg", {"Date": None, "Creator": None})
    return for_page(drawn.decode("utf-8"), title, described(panels), key)


def pdf(panels: Panels) -> bytes:
    """The panels as a one-page PDF without date or producer."""
    nothing = {"CreationDate": None, "Producer": None, "Creator": None}
    return _draw(panels, {"pdf.fonttype": 42}, "pdf", nothing)


def described(panels: Panels) -> str:
    """What the panels show, for readers who do not see them."""
    return " ".join(_panel_described(p) for p in panels)


def _panel_described(p: PanelData) -> str:
    if p.heat is not None:
        rows, columns = len(p.heat), len(p.heat[0])
        return f"{p.title}: heat map of {rows} by {columns} values, {p.y} against {p.x}."
    names = [s.name for s in p.series if s.name]
    logs = [axis for axis in ("x", "y") if getattr(p, f"log_{axis}")]
    scale = f"; logarithmic in {' and '.join(logs)}" if logs else ""
    return f"{p.title}: {p.y} against {p.x}{scale}; {'; '.join(names)}."


def _draw(
    panels: Panels, settings: Mapping[str, object], form: str, metadata: dict[str, None]
) -> bytes:
    import matplotlib
    from matplotlib.figure import Figure

    columns = min(BESIDE, len(panels))
    rows = math.ceil(len(panels) / columns)
    with matplotlib.rc_context({**style(), **settings}):
        legends = max(min(_named(p), TALL) for p in panels)
        size = (WIDTH * columns * 0.9, (HEIGHT + 0.17 * legends) * rows)
        figure = Figure(figsize=size, layout="constrained")
        figure.patch.set_alpha(0)
        for index, p in enumerate(panels):
            axes = figure.add_subplot(rows, columns, index + 1)
            axes.patch.set_alpha(0)
            axes.set_xlabel(p.x)
            axes.set_ylabel(p.y)
            if p.heat is None:
                _curves(axes, p)
            else:
                _heat(axes, p.title, p.heat)
        buffer = io.BytesIO()
        figure.savefig(buffer, format=form, metadata=metadata)
    return buffer.getvalue()


def _named(p: PanelData) -> int:
    return len({s.name for s in p.series} - {""})


def _curves(axes: Any, p: PanelData) -> None:
    """Lines and marks; series of the same name share their look and one line of the legend."""
    axes.grid(True, which="major")
    axes.set_axisbelow(True)
    if p.title:
        axes.set_title(short(p.title), fontsize=9, loc="left")
    looks: dict[bool, dict[str, int]] = {False: {}, True: {}}
    told: set[str] = set()
    for kind in ("lines", "marks"):
        for s in getattr(p, kind):
            own = looks[s.dashed]
            i, first = own.setdefault(s.name, len(own)), s.name not in told
            told.add(s.name)
            look = {"color": COLOURS[i % len(COLOURS)], "label": short(s.name) if first else ""}
            if kind == "lines":
                turn = i // len(COLOURS) + s.dashed
                axes.plot(s.x, s.y, linestyle=LINES[turn % len(LINES)], **look)
                if s.low is not None:
                    axes.fill_between(
                        s.x, s.low, s.high, color=look["color"], alpha=BAND, linewidth=0
                    )
            else:
                axes.plot(s.x, s.y, MARKERS[i % len(MARKERS)], markersize=3.6, **look)
    if p.log_x:
        axes.set_xscale("log")
    if p.log_y:
        axes.set_yscale("log")
    ends = (v for s in p.series for v in (s.y if s.low is None else s.low))
    if not p.log_y and min(ends) >= 0:
        axes.set_ylim(bottom=0)  # shares and counts are read against zero
    whole = all(float(v).is_integer() for s in p.series for v in s.x)
    few_ticks(axes.xaxis, logs=p.log_x, whole=whole)
    few_ticks(axes.yaxis, logs=p.log_y, whole=False)
    if told - {""}:
        columns = 2 if _named(p) > TALL else 1
        axes.legend(
            loc="upper left",
            bbox_to_anchor=(0, -0.2),
            frameon=False,
            fontsize=8,
            ncols=columns,
            columnspacing=1.2,
        )


def _heat(axes: Any, title: str, heat: Sequence[Sequence[float]]) -> None:
    from matplotlib.colors import to_rgb
    from matplotlib.patches import Rectangle

    rows, columns = len(heat), len(heat[0])
    largest = max((abs(v) for row in heat for v in row), default=0.0)
    positive, negative = (to_rgb(c) for c in COLOURS[:2])
    for r, row in enumerate(heat):
        for c, value in enumerate(row):
            strength = round(abs(value) / largest, 2) if largest else 0.0
            if strength:
                colour = (*(positive if value > 0 else negative), strength)
                axes.add_patch(Rectangle((c - 0.5, r - 0.5), 1, 1, facecolor=colour, linewidth=0))
    axes.set_xlim(-0.5, columns - 0.5)
    axes.set_ylim(rows - 0.5, -0.5)
    axes.set_aspect("equal")
    few_ticks(axes.xaxis, logs=False, whole=True)
    few_ticks(axes.yaxis, logs=False, whole=True)
    axes.set_title(short(title), fontsize=9, loc="left")
    signed = min(v for row in heat for v in row) < 0
    if largest:
        _colour_bar(axes, largest, signed=signed)


def _colour_bar(axes: Any, largest: float, *, signed: bool) -> None:
    """What the shades stand for, from nothing (or minus the largest) to the largest entry."""
    from matplotlib.colors import to_rgb
    from matplotlib.patches import Rectangle

    bar = axes.inset_axes((1.04, 0.0, 0.05, 1.0))
    positive, negative = (to_rgb(c) for c in COLOURS[:2])
    steps = range(-SHADES if signed else 0, SHADES)
    for i in steps:
        strength = round(abs(i + 0.5) / SHADES, 2)
        colour = (*(positive if i >= 0 else negative), strength)
        at = (0, i * largest / SHADES)
        bar.add_patch(Rectangle(at, 1, largest / SHADES, facecolor=colour, linewidth=0))
    bar.set_xlim(0, 1)
    bar.set_ylim(steps[0] * largest / SHADES, largest)
    bar.set_xticks([])
    bar.yaxis.tick_right()
    few_ticks(bar.yaxis, logs=False, whole=False, most=4)
