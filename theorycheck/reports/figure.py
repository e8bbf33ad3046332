"""Drawing a figure: SVG for pages (colours follow the page's theme), PDF for papers.

matplotlib is imported only when something is drawn. In the SVG its colours are replaced by the page's
CSS variables, text stays text, numbers are cut to a hundredth of a pixel and names that nothing
refers to are dropped.
"""

from __future__ import annotations

import hashlib
import io
import math
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

from theorycheck.reports.typeset import symbol_latex
from theorycheck.sources.plain import plain

if TYPE_CHECKING:
    from theorycheck.reports.figure_data import FigureData

WIDTH, HEIGHT, PANEL = 4.4, 3.1, 1.1
"""Inches: at 72 points an inch and phone width the smallest letters are still 9 pixels high."""

# Colours that the drawing is made with, and what the page puts in their place.
_INK, _MUTED, _GRID, _CURVE, _POINT, _RIVAL, _MARK, _PAPER = (
    "#101010",
    "#6b6b6b",
    "#dcdcdc",
    "#2255aa",
    "#117733",
    "#996600",
    "#bb2222",
    "#fefefe",
)
_VARIABLES = {
    _INK: "currentColor",
    _MUTED: "var(--muted)",
    _GRID: "var(--line)",
    _CURVE: "var(--curve)",
    _POINT: "var(--measured)",
    _RIVAL: "var(--rival)",
    _MARK: "var(--fail)",
    _PAPER: "var(--paper)",
}
MARKERS = ("o", "s", "^", "D")
LINES = ("-", (0, (6, 2)), (0, (3, 1, 1, 1)), (0, (1, 1)))
_RIVAL_LINES = ((0, (2, 2)), (0, (5, 1, 1, 1, 1, 1)), (0, (4, 3)), (0, (1, 2)))
COLOURS = (_CURVE, _RIVAL, _INK, _MUTED)
"""Colours of several series of one figure: none that stands for a verdict."""
_LONGEST_NAME, _HALF_A_LINE, _HIGHEST_NAME = 52, 24, 36
"""Letters of a legend's line and of half of one, at its size and the figure's width, and of an axis' height."""
_SVG = "http://www.w3.org/2000/svg"
_XLINK = "http://www.w3.org/1999/xlink"


def svg(data: FigureData, key: str) -> str:
    """The figure as an inline ``<svg>`` element; ``key`` sets its names apart from other figures'."""
    settings = {"svg.fonttype": "none", "svg.hashsalt": key}
    drawn = _draw(data, settings, "svg", {"Date": None, "Creator": None})
    return for_page(drawn.decode("utf-8"), plain(data.title), described(data), key)


def pdf(data: FigureData) -> bytes:
    """The figure as a one-page PDF without date or producer."""
    nothing = {"CreationDate": None, "Producer": None, "Creator": None}
    return _draw(data, {"pdf.fonttype": 42}, "pdf", nothing)


def described(data: FigureData) -> str:
    """What the figure shows, for readers who do not see it."""
    n = sum(len(p.x) for p in data.points)
    marks = f"{n} measured value" + ("" if n == 1 else "s")
    along = axis_text(data.x_label)
    if data.kind == "curve":
        said = [
            f"The lines are the closed form along {along}, the marks are {marks} with their intervals"
        ]
    elif data.kind == "along":
        said = [
            f"The dashes are what is claimed along {along}, the marks are {marks} with their intervals"
        ]
    else:
        line = data.curves[0].name if data.curves else "equality"
        said = [f"The marks are {marks} over the claimed ones, the diagonal is {line}"]
    names = [c.name for c in data.rivals] + [p.name for p in data.rival_points]
    if names:
        said.append(f"Thinner lines and crosses are rivals: {', '.join(names)}")
    if data.ratios:
        said.append(
            f"The panel below shows the {_RATIO_WORDS.get(data.ratio_label, data.ratio_label)}"
        )
    if data.marked:
        said.append("The ring is the counterexample")
    if data.log_x and data.log_y:
        said.append("Both axes are logarithmic")
    elif data.log_y:
        said.append("The vertical axis is logarithmic")
    elif data.log_x:
        said.append("The horizontal axis is logarithmic")
    return ". ".join(said) + "."


_RATIO_WORDS = {
    "implied C": "constant that each value implies",
    "measured / form": "measured value over the closed form",
}


def axis_text(name: str) -> str:
    """A parameter's name as a symbol: ``nu2`` is \u03bd_2."""
    return plain(f"${symbol_latex(name)}$") if name.isidentifier() else name


def style() -> Mapping[str, object]:
    """matplotlib settings that all figures share."""
    return {
        "font.size": 9,
        "font.family": "sans-serif",
        "font.sans-serif": ["DejaVu Sans"],
        "axes.edgecolor": _MUTED,
        "axes.labelcolor": _INK,
        "text.color": _INK,
        "xtick.color": _MUTED,
        "ytick.color": _MUTED,
        "xtick.labelcolor": _INK,
        "ytick.labelcolor": _INK,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "grid.color": _GRID,
        "grid.linewidth": 0.6,
        "lines.linewidth": 1.4,
        "axes.formatter.use_mathtext": False,
        "path.simplify": True,
    }


def _draw(
    data: FigureData, settings: Mapping[str, object], form: str, metadata: dict[str, None]
) -> bytes:
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context({**style(), **settings}):
        rows, columns = _legend(data)
        panel = PANEL if data.ratios else 0.0
        height = HEIGHT + 0.17 * rows + panel
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        figure.patch.set_alpha(0)
        axes, below = _two_axes(figure, panel)
        _lines(axes, data)
        _measured(axes, data)
        _axes(axes, data)
        if below is not None:
            _ratio_panel(axes, below, data)
        if rows:
            figure.legend(
                *axes.get_legend_handles_labels(),
                loc="outside lower left",
                ncols=columns,
                frameon=False,
                fontsize=8,
                handlelength=2.4,
                columnspacing=1.2,
            )
        buffer = io.BytesIO()
        figure.savefig(buffer, format=form, metadata=metadata)
    return buffer.getvalue()


def _two_axes(figure: Any, panel: float) -> tuple[Any, Any]:
    if panel:
        both = figure.subplots(2, 1, sharex=True, height_ratios=(HEIGHT, PANEL))
    else:
        both = (figure.add_subplot(), None)
    for axes in both:
        if axes is not None:
            axes.patch.set_alpha(0)
            axes.grid(True, which="major")
            axes.set_axisbelow(True)
    return both[0], both[1]


def _ratio_panel(axes: Any, below: Any, data: FigureData) -> None:
    """Measured over closed form, under the curve and on its horizontal axis."""
    if data.ratio_line is not None:
        below.axhline(data.ratio_line, color=_CURVE, linewidth=1)
    for i, points in enumerate(data.ratios):
        _error_bars(below, points, _POINT, MARKERS[i % len(MARKERS)], "")
    axes.set_xlabel("")
    below.set_xlabel(axis_text(data.x_label))
    below.set_ylabel(data.ratio_label)
    few_ticks(below.yaxis, logs=False, whole=False, most=4)


def _legend(data: FigureData) -> tuple[int, int]:
    """Rows and columns of the legend: two columns where every name fits half of the width."""
    lines, marks = [*data.curves, *data.rivals], [*data.points, *data.rival_points]
    names = [c.name for c in lines] + [p.name for p in marks] + ["claimed"] * bool(data.claimed)
    columns = 2 if all(len(_label(name)) <= _HALF_A_LINE for name in names) else 1
    return math.ceil(len(names) / columns), columns


def _label(name: str) -> str:
    """The longest text that a legend puts before a name."""
    return f"closed form, {name}" if name else "closed form"


def short(name: str, letters: int = _LONGEST_NAME) -> str:
    """A name cut to the length of a legend's line, or to so many letters."""
    return name if len(name) <= letters else name[: letters - 1] + "\u2026"


def _lines(axes: Any, data: FigureData) -> None:
    if data.claimed:
        axes.plot(
            *zip(*data.claimed, strict=True),
            "_",
            color=_CURVE,
            markersize=14,
            markeredgewidth=2,
            label="claimed",
        )
    for i, curve in enumerate(data.curves):
        name = curve.name if data.kind == "pairs" else _named("closed form", curve.name)
        axes.plot(
            curve.x, curve.y, color=_CURVE, linestyle=LINES[i % len(LINES)], label=short(name)
        )
    for i, curve in enumerate(data.rivals):
        axes.plot(
            curve.x,
            curve.y,
            color=_RIVAL,
            linestyle=_RIVAL_LINES[i % len(_RIVAL_LINES)],
            linewidth=1,
            label=short(f"rival: {curve.name}"),
        )


def _named(what: str, setting: str) -> str:
    return f"{what}, {setting}" if setting else what


def _measured(axes: Any, data: FigureData) -> None:
    for i, points in enumerate(data.points):
        _error_bars(
            axes, points, _POINT, MARKERS[i % len(MARKERS)], short(_named("measured", points.name))
        )
    for points in data.rival_points:
        _error_bars(axes, points, _RIVAL, "x", short(f"rival: {points.name}"))
    for x, y in data.marked:
        axes.plot(
            [x],
            [y],
            "o",
            markersize=13,
            markerfacecolor="none",
            markeredgecolor=_MARK,
            markeredgewidth=1.4,
        )


def _error_bars(axes: Any, points: Any, colour: str, marker: str, label: str) -> None:
    middle = [(a + b) / 2 for a, b in zip(points.low, points.high, strict=True)]
    reach = [(b - a) / 2 for a, b in zip(points.low, points.high, strict=True)]
    axes.errorbar(
        points.x,
        middle,
        yerr=reach if any(reach) else None,
        fmt=marker,
        color=colour,
        markersize=5 if marker == "x" else 4.2,
        markeredgecolor=colour,
        markerfacecolor=colour if marker == "x" else _PAPER,
        markeredgewidth=1.3,
        elinewidth=1.1,
        capsize=2.5,
        linestyle="none",
        label=label,
        zorder=3,
    )


def _axes(axes: Any, data: FigureData) -> None:
    axes.set_xlabel(axis_text(data.x_label))
    axes.set_ylabel(short(data.y_label, _HIGHEST_NAME))
    if data.log_x:
        axes.set_xscale("log")
    if data.log_y:
        axes.set_yscale("log")
    low, high = _limits(data)
    if low < high:
        axes.set_ylim(low, high)
    _plain_ticks(axes, data)


def _limits(data: FigureData) -> tuple[float, float]:
    """Room for the closed form and the measurements; rivals get at most as much again."""
    main = [v for p in data.points for v in (*p.low, *p.high)]
    main += [v for c in data.curves for v in c.y] + [y for _, y in (*data.claimed, *data.marked)]
    rivals = [v for c in data.rivals for v in c.y]
    rivals += [v for p in data.rival_points for v in (*p.low, *p.high)]

    def forth(v: float) -> float:
        return math.log(v) if data.log_y else v

    def back(v: float) -> float:
        return math.exp(v) if data.log_y else v

    if data.log_y:
        main, rivals = [v for v in main if v > 0], [v for v in rivals if v > 0]
    if not main:
        return 0.0, 0.0
    low, high = forth(min(main)), forth(max(main))
    # A flat curve is drawn with some room around it: a twentieth of its height; zeros on an axis of ones.
    span = max(high - low, abs(high) * 0.05, 0.2 if data.log_y else 0.0) or 1.0
    if rivals:
        low = max(min(low, forth(min(rivals))), low - span)
        high = min(max(high, forth(max(rivals))), high + span)
    margin = 0.06 * max(high - low, span)
    try:
        return back(low - margin), back(high + margin)
    except OverflowError:
        return 0.0, 0.0


def _plain_ticks(axes: Any, data: FigureData) -> None:
    whole = data.kind == "curve" and all(c.dotted for c in data.curves)
    few_ticks(axes.xaxis, logs=data.log_x, whole=whole)
    few_ticks(axes.yaxis, logs=data.log_y, whole=False)


def few_ticks(axis: Any, *, logs: bool, whole: bool, most: int = 6) -> None:
    """Ticks that read as numbers: ``0.001``, ``1e-9``; few of them."""
    from matplotlib.ticker import LogLocator, MaxNLocator, NullLocator

    low, high = axis.get_view_interval()
    if logs:
        wide = high >= 100 * low
        axis.set_major_locator(LogLocator(numticks=most, subs=(1,) if wide else (1, 2, 5)))
        axis.set_minor_locator(NullLocator())
    else:
        axis.set_major_locator(MaxNLocator(most, integer=whole, steps=[1, 2, 2.5, 5, 10]))
    axis.set_major_formatter(_differing_ticks())


@cache
def _differing_ticks() -> Any:
    from matplotlib.ticker import Formatter

    class Differing(Formatter):
        """As many digits as tell the ticks apart, at least six where they are needed."""

        def format_ticks(self, values: Any) -> list[str]:
            return tick_texts([float(v) for v in values])

        def __call__(self, x: float, pos: int | None = None) -> str:
            return tick_texts([float(x)])[0]

    return Differing()


_EXPONENT = re.compile(r"e(-?)\+?0*(\d+)")


def tick_texts(values: Sequence[float]) -> list[str]:
    """Numbers of an axis as texts that differ: ``0.001``, ``1e-9``, ``0.99999998``."""
    for digits in (6, 9, 12, 15, 17):
        texts = [_EXPONENT.sub(r"e\1\2", f"{v:.{digits}g}") for v in values]
        if len(set(texts)) == len(set(values)):
            break
    return texts


# ---------------------------------------------------------------- SVG for the page

_NUMBER = re.compile(r"-?\d+\.\d+")
_COLOUR = re.compile("|".join(_VARIABLES))
_REFERENCE = re.compile(r"url\(#([^)]+)\)")
_GROUP = f"{{{_SVG}}}g"
_UNSEEN = "fill: none; opacity: 0"


def for_page(text: str, title: str, description: str, key: str) -> str:
    """A matplotlib SVG as an element of the page, with title and description for who does not see it."""
    ET.register_namespace("", _SVG)
    ET.register_namespace("xlink", _XLINK)
    root = ET.fromstring(text)
    _flatten(root)
    prefix = "f" + hashlib.blake2b(key.encode(), digest_size=4).hexdigest()
    _rename(root, prefix)
    for element in root.iter():
        for name, value in list(element.attrib.items()):
            element.set(name, _shorter(name, value))
        if element.get("transform", "").startswith("rotate(0 "):
            del element.attrib["transform"]
        if "var(--line)" in element.get("style", ""):  # the grid lies inside of the axes anyway
            element.attrib.pop("clip-path", None)
    for name in ("width", "height", "version"):
        root.attrib.pop(name, None)
    root.set("role", "img")
    root.set("class", "figure")
    root.set("aria-labelledby", f"{prefix}t {prefix}d")
    heading = ET.Element(f"{{{_SVG}}}title", id=f"{prefix}t")
    heading.text = title
    desc = ET.Element(f"{{{_SVG}}}desc", id=f"{prefix}d")
    desc.text = description
    root.insert(0, desc)
    root.insert(0, heading)
    for element in root.iter():
        element.tail = None
    return ET.tostring(root, encoding="unicode").replace("\n", " ")


def _flatten(element: ET.Element) -> None:
    """Drops what is not seen, and groups that say nothing of their members."""
    kept: list[ET.Element] = []
    for child in list(element):
        _flatten(child)
        bare = child.tag == _GROUP and not set(child.attrib) - {"id"}
        if bare:
            kept.extend(child)
        elif not (
            child.tag in (f"{{{_SVG}}}metadata", f"{{{_SVG}}}style")
            or child.get("style") == _UNSEEN
            or (child.tag == f"{{{_SVG}}}defs" and len(child) == 0)
        ):
            kept.append(child)
    for child in list(element):
        element.remove(child)
    element.extend(kept)
    if element.tag != f"{{{_SVG}}}text" and not (element.text or "").strip():
        element.text = None


def _shorter(name: str, value: str) -> str:
    """Fewer digits and spaces, and the page's colours."""
    if name in ("d", "x", "y", "transform", "points", "style"):
        value = _NUMBER.sub(_rounded, value)
    if name == "d":
        value = re.sub(r"\s*([A-Za-z])\s*", r"\1", value).strip()
    if name == "style":
        value = value.replace("font-family: 'DejaVu Sans', sans-serif; ", "")
        value = re.sub(r"([:;]) ", r"\1", value).replace("stroke-dashoffset:0;", "")
    if name == "transform":
        value = value.replace("rotate(-0 ", "rotate(0 ")
    return _COLOUR.sub(lambda m: _VARIABLES[m.group()], value)


def _rounded(match: re.Match[str]) -> str:
    return f"{float(match.group()):.2f}".rstrip("0").rstrip(".")


def _rename(root: ET.Element, prefix: str) -> None:
    """Names that are referred to get the figure's prefix and a number; the others go."""
    used: dict[str, str] = {}
    for element in root.iter():
        found = [r for value in element.attrib.values() for r in _REFERENCE.findall(value)]
        target = element.get(f"{{{_XLINK}}}href", "")
        for name in (*found, *([target[1:]] if target.startswith("#") else [])):
            used.setdefault(name, f"{prefix}{len(used)}")
    for element in root.iter():
        _rename_one(element, used)


def _rename_one(element: ET.Element, used: Mapping[str, str]) -> None:
    name = element.get("id")
    if name is not None:
        if name in used:
            element.set("id", used[name])
        else:
            del element.attrib["id"]
    for key, value in list(element.attrib.items()):
        if "url(#" in value:
            element.set(key, _REFERENCE.sub(lambda m: f"url(#{used[m[1]]})", value))
    href = f"{{{_XLINK}}}href"
    target = element.get(href, "")
    if target.startswith("#"):
        del element.attrib[href]
        element.set("href", f"#{used[target[1:]]}")
