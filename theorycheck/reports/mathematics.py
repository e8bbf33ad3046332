r"""LaTeX mathematics for people who read in a browser, a terminal or a paper.

A formula becomes presentation MathML by latex2mathml, of which only elements and attributes that MathML
Core knows are kept; text takes mathematics between dollars (``the margin $\gamma^*$``). What comes out is
escaped throughout: no text of a claim can become markup.
"""

from __future__ import annotations

import base64
import re
from functools import cache
from html import escape, unescape
from pathlib import Path
from xml.etree import ElementTree as ET

from theorycheck.sources.plain import pieces

FONT = Path(__file__).with_name("fonts") / "math.woff2"
"""Subset of STIX Two Math (SIL Open Font License, beside it) with its table of mathematics: without
one, brackets do not grow and the limits of sums collide."""

NAMESPACE = "http://www.w3.org/1998/Math/MathML"
_ELEMENTS = frozenset(
    {"math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "mfrac", "msqrt", "mroot", "msub", "msup"}
    | {"msubsup", "munder", "mover", "munderover", "mtable", "mtr", "mtd", "mpadded", "mphantom"}
    | {"mstyle", "mmultiscripts", "mprescripts", "none"}
)
_ATTRIBUTES = frozenset(
    {"display", "displaystyle", "scriptlevel", "stretchy", "fence", "form", "separator", "largeop"}
    | {
        "movablelimits",
        "symmetric",
        "accent",
        "accentunder",
        "linethickness",
        "mathvariant",
        "width",
    }
    | {"height", "depth", "lspace", "rspace", "voffset", "minsize", "maxsize", "columnalign"}
)
# Definitions could run without end, the others would write attributes of the page.
_FORBIDDEN = re.compile(
    r"\\(?:def|let|newcommand|renewcommand|newenvironment|DeclareMathOperator|href|url|class"
    r"|cssId|style|require|color|textcolor|colorbox|fcolorbox)(?![A-Za-z])"
)
LONGEST = 20_000
"""Letters of a formula: the longest of the bundled library has some four thousand."""


class MathematicsError(ValueError):
    """LaTeX that cannot be read as mathematics; the message says where."""


def mathml(latex: str, *, block: bool = False, alternative: str = "") -> str:
    r"""A formula (without dollars) as a ``<math>`` element, on a line of its own if ``block``.

    ``alternative``: what is read aloud, by default the LaTeX. Raises MathematicsError for commands that
    are not known, braces that do not match, and definitions.
    """
    root = _element(latex, block)
    root.set("xmlns", NAMESPACE)
    root.set("display", "block" if block else "inline")
    root.set("alttext", alternative or latex)
    return ET.tostring(root, encoding="unicode", short_empty_elements=False)


@cache
def _errors() -> tuple[type[Exception], ...]:
    """What the converter raises: errors of its own, which share no base but Exception, and of its code."""
    from latex2mathml import exceptions

    own = [v for v in vars(exceptions).values() if isinstance(v, type) and issubclass(v, Exception)]
    return (*own, IndexError, KeyError, StopIteration, RuntimeError, ValueError)


def _element(latex: str, block: bool) -> ET.Element:
    from latex2mathml.converter import convert_to_element

    found = _FORBIDDEN.search(latex)
    if found:
        raise MathematicsError(f"{found[0]} has no place in a formula: {latex:.60}")
    if len(latex) > LONGEST:
        raise MathematicsError(f"a formula of {len(latex)} letters; at most {LONGEST} are set")
    try:
        made = convert_to_element(_readable(latex), display="block" if block else "inline")
    except _errors() as error:
        what = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(error).__name__.removesuffix("Error"))
        raise MathematicsError(f"{what.lower()}: {latex:.60}") from error
    _clean(made, latex)
    _whole_bases(made)
    _join_upright(made)
    if block:
        _limits_below(made)
    _space_functions(made)
    _signs_before(made)
    _struts(made)
    return made


def _readable(latex: str) -> str:
    """LaTeX in the words that latex2mathml knows."""
    text = re.sub(r"(?:\\[bB]igg?[lrm]?\s*)?\\\|", r"\\Vert ", latex)
    text = re.sub(r"\\arg(?![A-Za-z])", r"\\operatorname{arg}", text)
    text = _SIZED.sub(lambda m: m[1] + _DELIMITERS[m[2]], text)
    return _OPERATOR.sub(_operator, text)


# latex2mathml takes a sized delimiter as one character, and a brace among them as the end of a group: braces
# have a stand-in until they are text.
_DELIMITERS = {
    r"\{": "\ue000",
    r"\}": "\ue001",
    r"\lfloor": "\u230a",
    r"\rfloor": "\u230b",
    r"\lceil": "\u2308",
    r"\rceil": "\u2309",
    r"\langle": "\u27e8",
    r"\rangle": "\u27e9",
    r"\lvert": "|",
    r"\rvert": "|",
}
_BRACES = str.maketrans({"\ue000": "{", "\ue001": "}"})
_SIZED = re.compile(
    r"(\\[bB]igg?[lrm]?)\s*(\\[{}]|\\(?:[lr]floor|[lr]ceil|[lr]angle|[lr]vert)(?![A-Za-z]))"
)
_OPERATOR = re.compile(r"\\operatorname\*?\{([^{}]*)\}")
_WITH_LIMITS = frozenset({"max", "min", "sup", "inf", "lim", "Pr", "argmax", "argmin"})


def _operator(found: re.Match[str]) -> str:
    """Names with a space in them (``arg\\,max``) are texts; others are as they were, without a star."""
    name = found[1]
    if name.isalpha():
        return rf"\operatorname{{{name}}}"
    return rf"\text{{{re.sub(r'[^A-Za-z]+', ' ', name)}}}"


def _limits_below(root: ET.Element) -> None:
    """On a line of its own, what a maximum is taken over stands under it."""
    for e in root.iter("msub"):
        name = "".join(e[0].itertext()).replace(" ", "").replace("\u00a0", "")
        if name in _WITH_LIMITS:
            e.tag = "munder"


def _clean(element: ET.Element, latex: str) -> None:
    """Entities become characters; what MathML Core does not know goes, or is an error."""
    for e in element.iter():
        if e.tag not in _ELEMENTS:
            raise MathematicsError(f"<{e.tag}> is no element of a formula: {latex:.60}")
        for name in set(e.attrib) - _ATTRIBUTES:
            del e.attrib[name]
        if e.text:
            e.text = unescape(e.text).translate(_BRACES)
            if e.tag == "mtext":
                e.text = re.sub(r"\\([#$%&_])", r"\1", e.text)
            if e.text.startswith("\\") and len(e.text) > 1:
                raise MathematicsError(f"{e.text} is no command that is known here: {latex:.60}")
        if e.tag == "mo" and e.text and len(e.text) > 1 and e.text.isalpha():
            e.tag = "mi"  # the name of a function: upright, without an operator's space
            e.attrib.clear()
        if e.tag == "mo" and e.text in _TIGHT:
            e.set("lspace", "0")
            e.set("rspace", "0")
        if e.tag == "mi" and e.text == "~":
            e.tag, e.text = "mo", "\u223c"
        if e.tag == "mspace":
            e.set("width", _WIDTHS.get(e.get("width", ""), e.get("width", "0")))
        _letters(e)


_SCRIPTS = {"msub": 1, "msup": 1, "msubsup": 2, "munder": 1, "mover": 1, "munderover": 2}


def _whole_bases(root: ET.Element) -> None:
    """What a power or an index is of is one element, also where it was written as several (a binomial)."""
    for e in root.iter():
        scripts = _SCRIPTS.get(e.tag, 0)
        parts = list(e)
        if scripts and len(parts) > scripts + 1:
            base = ET.Element("mrow")
            for part in parts[:-scripts]:
                e.remove(part)
                base.append(part)
            e.insert(0, base)


_TIGHT = frozenset({"|", "\u2016", "/"})
"""Bars and slashes of papers stand close; a browser takes them for relations with space around them."""

_WIDTHS = {
    "negativethinmathspace": "-0.167em",
    "negativemediummathspace": "-0.222em",
    "negativethickmathspace": "-0.278em",
    "thinmathspace": "0.167em",
}
# First characters of the alphabets of mathematics: Latin capitals and small letters, Greek ones, digits.
_ALPHABETS = {
    "bold": (0x1D400, 0x1D41A, 0x1D6A8, 0x1D6C2, 0x1D7CE),
    "bold-italic": (0x1D468, 0x1D482, 0x1D71C, 0x1D736, 0x1D7CE),
}
_PLAIN_STARTS = (("A", 26), ("a", 26), ("\u0391", 25), ("\u03b1", 25), ("0", 10))


def _letters(element: ET.Element) -> None:
    """Bold letters as characters of their own: browsers know no other ``mathvariant`` than ``normal``."""
    if element.get("mathvariant") == "double-struck" and element.text == "1":
        element.text = "\U0001d7d9"
    if element.get("mathvariant") not in (None, "normal", *_ALPHABETS):
        del element.attrib["mathvariant"]
    starts = _ALPHABETS.get(element.get("mathvariant", ""))
    if starts is None or not element.text:
        return
    del element.attrib["mathvariant"]
    out = []
    for character in element.text:
        for start, (first, count) in zip(starts, _PLAIN_STARTS, strict=True):
            if 0 <= ord(character) - ord(first) < count:
                character = chr(start + ord(character) - ord(first))
                break
        out.append(character)
    element.text = "".join(out)


def _join_upright(root: ET.Element) -> None:
    """Upright letters in a row are one word: ``\\mathrm{spread}``."""
    for row in root.iter("mrow"):
        own = list(row)
        if len(own) > 1 and all(e.tag == "mi" and e.get("mathvariant") == "normal" for e in own):
            for e in own:
                row.remove(e)
            ET.SubElement(row, "mi").text = "".join(e.text or "" for e in own)


def _space_functions(root: ET.Element) -> None:
    """A thin space between a function's name and its neighbours: ``n log n`` is no ``nlog n``."""
    for parent in list(root.iter()):
        if parent.tag not in ("math", "mrow", "mtd", "msqrt", "mstyle"):
            continue
        children = list(parent)
        for index in range(len(children) - 1, -1, -1):
            if not _is_function(children[index]):
                continue
            after = children[index + 1] if index + 1 < len(children) else None
            if after is not None and _needs_space(after):
                parent.insert(index + 1, ET.Element("mspace", width="0.17em"))
            before = children[index - 1] if index else None
            if before is not None and _needs_space(before):
                parent.insert(index, ET.Element("mspace", width="0.17em"))


_OPEN = frozenset("([{=<>,;:\u2264\u2265\u2260\u2208\u2192\u21a6")


def _signs_before(root: ET.Element) -> None:
    """A sign behind a bracket, a comma or a relation is no operation between two terms: it stands close."""
    for parent in root.iter():
        before: ET.Element | None = None
        for e in parent:
            if e.tag == "mo" and e.text in ("-", "\u2212", "+", "\u00b1") and before is not None:
                opens = before.tag == "mo" and (before.text or "") in _OPEN
                if opens and before.get("form") != "postfix":
                    e.set("form", "prefix")
            before = e


def _needs_space(neighbour: ET.Element) -> bool:
    """Signs and spaces keep a distance of their own, words that begin or end with a space too."""
    if neighbour.tag == "mtext":
        text = neighbour.text or ""
        return text == text.strip()
    return neighbour.tag not in ("mo", "mspace")


def _is_function(element: ET.Element) -> bool:
    """Whether an element is a name such as ``log``, perhaps with an index or a power."""
    while element.tag in ("mrow", "msub", "msup", "msubsup", "munder", "munderover") and len(
        element
    ):
        element = element[0]
    text = element.text or ""
    return element.tag == "mi" and len(text) > 1 and text.isascii() and text.isalpha()


def html(text: str) -> str:
    """A text as HTML, what stands between dollars as mathematics; LaTeX that cannot be read stays as it
    is written. Brackets and full stops stay on the line of the formula that they stand at."""
    parts = list(pieces(text))
    cut = [
        ("", "", "") if m else _cut(part, place > 0, place + 1 < len(parts))
        for place, (part, m) in enumerate(parts)
    ]
    out: list[str] = []
    for place, (part, is_math) in enumerate(parts):
        if is_math:
            opening = cut[place - 1][2] if place else ""
            closing = cut[place + 1][0] if place + 1 < len(parts) else ""
            out += _tied(opening, _inline(part), closing)
        else:
            out.append(escape(cut[place][1]))
    return "".join(out)


_CLOSES_A_FORMULA = re.compile(r"(?:-\w{1,3}(?!\w)|['\u2019]s(?!\w))?[)\].,:;!?'\"\u2019\u201d]*")
_OPENS_A_FORMULA = re.compile(r"[(\['\"\u2018\u201c]*\Z")


def _cut(prose: str, behind: bool, before: bool) -> tuple[str, str, str]:
    """Prose in three: what it says behind a formula without a space (``).``, ``-th``), itself, and what it
    opens before one."""
    first = _CLOSES_A_FORMULA.match(prose) if behind else None
    closing = "" if first is None else first[0]
    rest = prose[len(closing) :]
    last = _OPENS_A_FORMULA.search(rest) if before else None
    opening = "" if last is None else last[0]
    return closing, rest[: len(rest) - len(opening)], opening


def _tied(opening: str, formula: list[str], closing: str) -> list[str]:
    """A browser breaks a line at both ends of a formula, whatever stands there: in a ``tie`` it does not."""
    made = list(formula)
    if opening:
        made[0] = f"{escape(opening)}{made[0]}"
    if closing:
        made[-1] = f"{made[-1]}{escape(closing)}"
    ends = {0: opening, len(made) - 1: closing} if len(made) > 1 else {0: opening + closing}
    return [f'<span class="tie">{m}</span>' if ends.get(i) else m for i, m in enumerate(made)]


def _inline(latex: str) -> list[str]:
    """A formula in a line of text, in pieces between which the line may break where it is long."""
    try:
        root = _element(latex, block=False)
    except MathematicsError:
        return [f"<code>{escape(latex)}</code>"]
    chunks = _chunks(root[0]) if len(root) == 1 and root[0].tag == "mrow" else []
    if len(chunks) < 2:
        return [mathml(latex)]
    out = []
    for chunk in chunks:
        alone = ET.Element("math", xmlns=NAMESPACE, display="inline")
        inside = ET.SubElement(alone, "mrow")
        inside.extend(chunk)
        # A sign between two terms stays one at the end of its line.
        for end in (chunk[0], chunk[-1]):
            if end.tag == "mo" and (end.text or "") in _RELATIONS | _SUMS:
                end.set("form", end.get("form", "infix"))
        alone.set("alttext", "".join(alone.itertext()))
        out.append(ET.tostring(alone, encoding="unicode", short_empty_elements=False))
    return out


WIDEST = 24
"""Characters of a formula that stand in one line even on a phone, beside half a line of text."""

_RELATIONS = frozenset("=<>\u2264\u2265\u2260\u2192\u2248\u223c\u2261\u21d2\u21d4\u2208")
_SUMS = frozenset("+\u2212")


def _chunks(row: ET.Element) -> list[list[ET.Element]]:
    """A row of a formula, parted as TeX parts one: behind its relations, and where what is between them is still
    long, behind its sums; never inside of brackets."""
    whole = list(row)
    if _width(whole) <= WIDEST:
        return [whole]
    return [
        part
        for chunk in _parted(whole, _RELATIONS)
        for part in (_parted(chunk, _SUMS) if _width(chunk) > WIDEST else [chunk])
    ]


def _width(chunk: list[ET.Element]) -> int:
    return sum(len("".join(e.itertext())) for e in chunk)


def _parted(chunk: list[ET.Element], signs: frozenset[str]) -> list[list[ET.Element]]:
    parts: list[list[ET.Element]] = [[]]
    depth = bars = 0
    for place, e in enumerate(chunk):
        parts[-1].append(e)
        sign = (e[0] if e.tag in ("msup", "msub", "msubsup") else e).text or ""
        depth += (sign in _OPENING) - (sign in _CLOSING)
        bars += sign in _BARS
        between = e.tag == "mo" and e.get("form") != "prefix" and place + 1 < len(chunk)
        if sign in signs and between and depth == 0 and bars % 2 == 0:
            parts.append([])
    return parts


_BARS = frozenset("|\u2016\u2225\u2223")
_OPENING, _CLOSING = frozenset("([{\u27e8\u230a\u2308"), frozenset(")]}\u27e9\u230b\u2309")


def _struts(root: ET.Element) -> None:
    """A root is as tall as its line: the sign over a small letter hangs below it otherwise."""
    for e in root.iter():
        if e.tag in ("msqrt", "mroot"):
            inside = e[0]
            if inside.tag != "mrow":
                row = ET.Element("mrow")
                row.append(inside)
                e[0] = inside = row
            inside.insert(0, ET.Element("mspace", width="0", height="0.75em", depth="0.1em"))


@cache
def font_face() -> str:
    """The embedded font as a rule of CSS."""
    data = base64.b64encode(FONT.read_bytes()).decode("ascii")
    return (
        '@font-face{font-family:"Theorycheck Math";font-display:block;'
        f'src:url("data:font/woff2;base64,{data}") format("woff2")}}'
    )
