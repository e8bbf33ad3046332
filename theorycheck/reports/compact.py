"""Making a page smaller without taking anything from it: what its pictures share is said once."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

_STYLE = re.compile(r' style="([^"]*)"')
_NAMESPACES = (
    ' xmlns="http://www.w3.org/1998/Math/MathML"',
    ' xmlns="http://www.w3.org/2000/svg"',
)
PREFIX = "s-"
"""Of the names of shared styles."""


def shared_styles(pictures: Sequence[str]) -> tuple[list[str], str]:
    """SVG elements whose style attributes are names, and the rules that the names stand for.

    A style that occurs once stays where it is. Elements that have a class keep their style.
    """
    counts = Counter(style for text in pictures for style in _STYLE.findall(text))
    often = [style for style, n in counts.most_common() if n > 1]
    names = {style: f"{PREFIX}{index}" for index, style in enumerate(often)}

    def named(found: re.Match[str]) -> str:
        name = names.get(found[1])
        return found[0] if name is None else f' class="{name}"'

    rules = "".join(f".{name}{{{style}}}" for style, name in names.items())
    return [_STYLE.sub(named, text) for text in pictures], rules


def without_namespaces(page: str) -> str:
    """A page of HTML whose mathematics and pictures do not name their namespaces, which HTML knows. Text
    holds no quotation mark that is not escaped, so that nothing else is touched."""
    for name in _NAMESPACES:
        page = page.replace(name, "")
    return page
