"""The map of a theory as SVG: statements in layers, each above what it rests on, linked to their
claims.

The layout is the usual one for layered graphs: a statement's layer is the longest way down to one that
rests on nothing; inside layers, statements are ordered by the mean place of their neighbours, swept up
and down until nothing moves. A layer wider than the page is broken over several lines.
"""

from __future__ import annotations

import graphlib
import textwrap
from collections.abc import Mapping, Sequence
from html import escape

from theorycheck.reports.clause_words import clause_words, payment_words, statement_words
from theorycheck.sources.coverage import Node, TheoryGraph
from theorycheck.sources.plain import plain
from theorycheck.sources.standing import StatementStatus

BOX_WIDTH, BOX_HEIGHT, GAP_X, GAP_Y = 144, 60, 20, 44
"""Pixels. A box holds a label and two lines of a title."""

MOST_IN_LINE = 6
"""Boxes side by side: six fill the page's text width."""

SWEEPS = 8
"""Passes up and down; orderings of graphs of this size settle in fewer."""

_LABEL_LETTERS, _TITLE_LETTERS = 17, 20
FOOTING_WORDS = {
    "sound": "nothing below it is wrong",
    "unaffected": "stands whatever is wrong below it",
    "with correction": "survives with the correction of what is wrong below it",
    "open": "rests on something wrong; open",
}


def layers(graph: TheoryGraph) -> list[list[str]]:
    """Ids from the lowest layer to the highest, ordered inside each; isolated statements last."""
    below: dict[str, list[str]] = {n.id: [] for n in graph.nodes}
    above: dict[str, list[str]] = {n.id: [] for n in graph.nodes}
    for e in graph.edges:
        below[e.conclusion].append(e.premise)
        above[e.premise].append(e.conclusion)
    depth: dict[str, int] = {}
    for id in graphlib.TopologicalSorter(below).static_order():
        depth[id] = 1 + max((depth[u] for u in below[id]), default=-1)
    joined = [n.id for n in graph.nodes if below[n.id] or above[n.id]]
    rows: list[list[str]] = [[] for _ in range(max((depth[i] for i in joined), default=-1) + 1)]
    for id in joined:
        rows[depth[id]].append(id)
    for sweep in range(SWEEPS):
        upward = sweep % 2 == 0
        for row in rows if upward else reversed(rows):
            _order(row, below if upward else above, _places(rows))
    alone = [n.id for n in graph.nodes if not below[n.id] and not above[n.id]]
    return [*rows, alone] if alone else rows


def _places(rows: Sequence[Sequence[str]]) -> dict[str, float]:
    return {id: (i + 0.5) / len(row) for row in rows for i, id in enumerate(row)}


def _order(
    row: list[str], neighbours: Mapping[str, Sequence[str]], at: Mapping[str, float]
) -> None:
    own = {id: at[id] for id in row}

    def middle(id: str) -> float:
        near = [at[u] for u in neighbours[id] if u in at]
        return sum(near) / len(near) if near else own[id]

    row.sort(key=lambda id: (middle(id), own[id]))


def svg(
    graph: TheoryGraph, statuses: Mapping[str, StatementStatus], links: Mapping[str, str]
) -> str:
    """The map as an inline ``<svg>``. ``links``: statement id to the target of its box.

    Boxes are coloured by status; a dashed edge stands for a statement used in its corrected form, a
    red one for one that is wrong as printed.
    """
    if not graph.nodes:
        return ""
    box, height, width = _places_of_boxes(graph)
    nodes = {n.id: n for n in graph.nodes}
    parts = [
        f'<svg class="map" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="group" '
        f'aria-label="Which statements of {escape(graph.source)} rest on which">'
    ]
    for e in graph.edges:
        kind = ("wrong" if e.wrong else "right") + (" corrected" if e.form == "corrected" else "")
        above, below = plain(nodes[e.conclusion].title), plain(nodes[e.premise].title)
        used = f"{above} rests on {below} ({e.form} form)"
        parts.append(
            f'<path class="edge {kind}" d="{_route(box, box[e.premise], box[e.conclusion])}">'
            f"<title>{escape(used)}</title></path>"
        )
    for id, (x, y) in box.items():
        parts.append(_box(nodes[id], statuses[id], links.get(id, ""), x, y))
    parts.append("</svg>")
    return "".join(parts)


def _places_of_boxes(graph: TheoryGraph) -> tuple[dict[str, tuple[int, int]], int, int]:
    """Upper left corners, from the top of the page down: the highest layer first."""
    lines: list[list[str]] = []
    for row in layers(graph):
        count = -(-len(row) // MOST_IN_LINE)
        size = -(-len(row) // count)
        lines += [row[i : i + size] for i in range(0, len(row), size)]
    widest = max(len(line) for line in lines)
    width = widest * (BOX_WIDTH + GAP_X) + GAP_X
    places: dict[str, tuple[int, int]] = {}
    for level, line in enumerate(reversed(lines)):
        left = (width - len(line) * (BOX_WIDTH + GAP_X) + GAP_X) // 2
        for i, id in enumerate(line):
            places[id] = (
                left + i * (BOX_WIDTH + GAP_X),
                GAP_Y // 2 + level * (BOX_HEIGHT + GAP_Y),
            )
    return places, len(lines) * (BOX_HEIGHT + GAP_Y), width


def _route(box: Mapping[str, tuple[int, int]], start: tuple[int, int], end: tuple[int, int]) -> str:
    """Path from the top of one box to the bottom of a higher one, between the boxes on the way."""
    x, y = start[0] + BOX_WIDTH // 2, start[1]
    goal_x, goal_y = end[0] + BOX_WIDTH // 2, end[1] + BOX_HEIGHT
    path = [f"M{x} {y}"]
    between = sorted({top for _, top in box.values() if end[1] < top < start[1]}, reverse=True)
    for top in between:
        straight = x + (goal_x - x) * (y - top) / max(1, y - goal_y)
        gap = min(_gaps(box, top), key=lambda g: abs(g - straight))
        path += [_bend(x, y, gap, top + BOX_HEIGHT), f"V{top}"]
        x, y = gap, top
    return "".join([*path, _bend(x, y, goal_x, goal_y)])


def _gaps(box: Mapping[str, tuple[int, int]], top: int) -> list[int]:
    """Where a line of boxes can be crossed: between them and at both ends."""
    lefts = sorted(x for x, y in box.values() if y == top)
    return [x - GAP_X // 2 for x in lefts] + [lefts[-1] + BOX_WIDTH + GAP_X // 2]


def _bend(x: int, y: int, to_x: int, to_y: int) -> str:
    """A curve that leaves and arrives upright."""
    half = (y - to_y) // 2
    return f"C{x} {y - half} {to_x} {to_y + half} {to_x} {to_y}"


def _box(node: Node, status: StatementStatus, link: str, x: int, y: int) -> str:
    label = label_of(node)
    words = "\n".join([describe(node, status), *_clauses(status)])
    rounded = "" if node.partial else ' rx="6"'
    letters = _LABEL_LETTERS - (0 if node.footing == "sound" else 2)
    inner = (
        f"<title>{escape(words)}</title>"
        f'<rect x="{x}" y="{y}" width="{BOX_WIDTH}" height="{BOX_HEIGHT}"{rounded}/>'
        f'<text x="{x + 8}" y="{y + 18}" class="label">{escape(_cut(label, letters))}</text>'
    )
    for line, text in enumerate(_two_lines(plain(node.title))):
        inner += f'<text x="{x + 8}" y="{y + 34 + 15 * line}" class="title">{escape(text)}</text>'
    inner += _mark(node.footing, x + BOX_WIDTH - 11, y + 12)
    kind = (
        f"node {node.status} on-{node.footing.replace(' ', '-')}{' part' if node.partial else ''}"
    )
    group = f'<g class="{kind}" data-id="{escape(node.id)}">{inner}</g>'
    return f'<a href="{escape(link)}">{group}</a>' if link else group


def _mark(footing: str, x: int, y: int) -> str:
    """Above something wrong: a ring (unaffected), a disc (survives), a diamond (open)."""
    if footing == "sound":
        return ""
    if footing == "open":
        return f'<path d="M{x} {y - 6}l6 6l-6 6l-6 -6z" class="footing open"/>'
    kind = "unaffected" if footing == "unaffected" else "survives"
    return f'<circle cx="{x}" cy="{y}" r="4.5" class="footing {kind}"/>'


def label_of(node: Node) -> str:
    """The statement's label in its paper."""
    return node.label or "unnumbered"


def describe(node: Node, status: StatementStatus) -> str:
    """Label, title, status and footing of a statement in one line."""
    parts = [f"{label_of(node)}: {plain(node.title)}", statement_words(status)]
    if node.grade:
        parts.append(f"as printed: {node.grade}")
    if node.footing != "sound":
        parts.append(FOOTING_WORDS[node.footing])
    return "; ".join(parts)


def _clauses(status: StatementStatus) -> list[str]:
    """Each clause with what is known of it, and what paid for its names."""
    lines = []
    for found in status.clauses:
        paid = found.entry.payments if found.entry is not None else ()
        lines.append(f"{found.clause.id}: {clause_words(found.status, found.entry)}")
        lines += [f"  {payment_words(found.clause, p)}" for p in paid]
    return lines


def _two_lines(text: str) -> list[str]:
    lines = textwrap.wrap(text, _TITLE_LETTERS, break_on_hyphens=False)
    return [_cut(t, _TITLE_LETTERS) for t in (*lines[:1], " ".join(lines[1:])) if t]


def _cut(text: str, letters: int) -> str:
    return text if len(text) <= letters else text[: letters - 1].rstrip() + "\u2026"
