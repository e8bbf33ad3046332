r"""LaTeX mathematics in texts, and as characters for places without mathematics, such as a terminal.

A text takes mathematics between dollars: ``the margin $\gamma^*$``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

_DOLLARS = re.compile(r"(?<![\\$])\$(?=\S)([^$]*?(?<=\S))\$(?!\d)")


def pieces(text: str) -> Iterator[tuple[str, bool]]:
    """The parts of a text, and whether each is mathematics (without its dollars)."""
    at = 0
    for found in _DOLLARS.finditer(text):
        if found.start() > at:
            yield text[at : found.start()], False
        yield found[1], True
        at = found.end()
    if at < len(text):
        yield text[at:], False


def plain(text: str) -> str:
    """A text for places without mathematics, such as a terminal or the title of a picture: the LaTeX
    without its dollars, Greek letters and common signs as characters."""
    return "".join(_characters(part) if is_math else part for part, is_math in pieces(text))


_GREEK = (
    "alpha",
    "beta",
    "gamma",
    "delta",
    "epsilon",
    "zeta",
    "eta",
    "theta",
    "iota",
    "kappa",
    "lambda",
    "mu",
    "nu",
    "xi",
    "pi",
    "rho",
    "sigma",
    "tau",
    "upsilon",
    "phi",
    "chi",
    "psi",
    "omega",
    "Gamma",
    "Delta",
    "Theta",
    "Lambda",
    "Xi",
    "Pi",
    "Sigma",
    "Upsilon",
    "Phi",
    "Psi",
    "Omega",
)
_SIGNS = {
    "le": "\u2264",
    "leq": "\u2264",
    "ge": "\u2265",
    "geq": "\u2265",
    "ne": "\u2260",
    "neq": "\u2260",
    "to": "\u2192",
    "mapsto": "\u21a6",
    "in": "\u2208",
    "notin": "\u2209",
    "infty": "\u221e",
    "cdot": "\u00b7",
    "cdots": "\u22ef",
    "times": "\u00d7",
    "pm": "\u00b1",
    "sum": "\u2211",
    "prod": "\u220f",
    "int": "\u222b",
    "sqrt": "\u221a",
    "sim": "\u223c",
    "approx": "\u2248",
    "equiv": "\u2261",
    "ell": "\u2113",
    "ldots": "...",
    "dots": "...",
    "partial": "\u2202",
    "nabla": "\u2207",
    "langle": "\u27e8",
    "rangle": "\u27e9",
    "lfloor": "\u230a",
    "rfloor": "\u230b",
    "forall": "\u2200",
    "exists": "\u2203",
    "iff": "\u21d4",
    "Rightarrow": "\u21d2",
    "setminus": "\u2216",
    "subseteq": "\u2286",
    "odot": "\u2299",
    "not": "\u00ac",
    "circ": "\u2218",
    "top": "T",
    "quad": " ",
    "bmod": " mod ",
    "varphi": "\u03c6",
    "varepsilon": "\u03b5",
    "mid": "|",
    "preceq": "\u227c",
    "succeq": "\u227d",
    "propto": "\u221d",
    "ll": "\u226a",
    "gg": "\u226b",
    "cup": "\u222a",
    "cap": "\u2229",
    "subset": "\u2282",
    "otimes": "\u2297",
    "oplus": "\u2295",
    "perp": "\u22a5",
    "lceil": "\u2308",
    "rceil": "\u2309",
    "lVert": "\u2016",
    "rVert": "\u2016",
    "lvert": "|",
    "rvert": "|",
    "star": "*",
    "dagger": "\u2020",
    "emptyset": "\u2205",
    "vdots": "...",
    "varnothing": "\u2205",
    "wedge": "\u2227",
    "vee": "\u2228",
    "mp": "\u2213",
    "asymp": "\u224d",
    "lesssim": "\u2272",
    "gtrsim": "\u2273",
    "colon": ":",
    "prime": "\u2032",
}


def _characters(latex: str) -> str:
    text = latex.replace(r"\|", "\u2016").replace(r"\{", "\ue000").replace(r"\}", "\ue001")
    text = _FUNCTION.sub(lambda m: f"{_OPENS}{m[1] or m[2]}{_CLOSES}", text)
    text, before = _DECORATION.sub(_NOTHING, text), ""
    while text != before:  # from the inside out
        before = text
        text = _SECOND.sub(r"\1{\2}", _FIRST.sub(r"\1{\2}", text))
        text = _GROUP.sub(rf"{_NOTHING}\1", _ONE.sub(_one, _TWO.sub(_two, text)))
    text = _COMMAND.sub(_sign, text).replace(_NOTHING, "")
    text = re.sub(r"(?<=[\w*)\u2032])\\,\s*(?=\w)", " ", text)
    text = re.sub(r"\\[;: ]", " ", re.sub(r"\\[,!]", "", text))
    text = re.sub(r"\\([#_%&])", r"\1", text)
    text = re.sub(
        rf"(?<=[^\W_]){_OPENS}|(?<=[)\]]){_OPENS}|{_CLOSES}{_OPENS}?(?=[^\W_])", " ", text
    )
    text = re.sub(f"[{_OPENS}{_CLOSES}]", "", text)
    text = _RELATION.sub(r" \1 ", re.sub(r"[{}]", "", text))
    return re.sub(" +", " ", text).strip().replace("\ue000", "{").replace("\ue001", "}")


def _sign(found: re.Match[str]) -> str:
    """The character of a command; the T of a transpose stays apart from the letter behind it."""
    sign = _known_signs().get(found[1], found[0])
    return f"{sign} " if found[1] == "top" and found[0][-1].isspace() else sign


def _two(found: re.Match[str]) -> str:
    above, below = found[2].strip(), found[3].strip()
    if found[1] == "binom":
        return f"C({above},{below})"
    fraction = f"{_bracketed(above)}/{_bracketed(below)}"
    beside = (
        found.string[max(0, found.start() - 1) : found.start()] + found.string[found.end() :][:1]
    )
    return f"({fraction})" if re.search(rf"[\w\\({_OPENS}{_CLOSES}\u2016*]", beside) else fraction


def _one(found: re.Match[str]) -> str:
    sign = "\u221a" if found[1] == r"\sqrt" else found[1]
    return f"{sign}{_bracketed(found[2].strip())}"


def _bracketed(text: str) -> str:
    """In brackets where it is more than a letter, a number or a name."""
    bare = text.replace(_NOTHING, "").replace(_OPENS, "").replace(_CLOSES, "")
    alone = re.fullmatch(r"[A-Za-z]+|\d+|\\[A-Za-z]+|[*+-]|\([^()]*\)", bare)
    return text if alone else f"({text})"


_NOTHING, _OPENS, _CLOSES = "\ue002", "\ue003", "\ue004"
"""Stand-ins: for what was taken out of a text, and for the ends of a function's name."""

_FUNCTION = re.compile(
    r"\\(?:operatorname\*?|mathrm(?=\{[A-Za-z-]{2}))\{([^{}]*)\}|\\(log|ln|Pr|exp|max|min|cos|sin|sec"
    r"|tan|tanh|sinh|cosh|gcd|lim|deg|det|sup|inf|arg|dim|ker)(?![A-Za-z])"
)
_FIRST = re.compile(r"(\\[td]?frac)\s*([A-Za-z0-9]|\\[A-Za-z]+(?=\s*[0-9{\\]))")
_SECOND = re.compile(r"(\\[td]?frac\{[^{}]*\})\s*([A-Za-z0-9]|\\[A-Za-z]+)")
_TWO = re.compile(r"\\[td]?(binom|frac)\{([^{}]*)\}\{([^{}]*)\}")
_ONE = re.compile(r"([_^]|\\sqrt)\{([^{}]*)\}")
_GROUP = re.compile(r"(?<!frac)(?<!binom)(?<!sqrt)(?<![_^}])\{([^{}]*)\}")
_DECORATION = re.compile(
    r"\\(?:hat|tilde|bar|big|Big|bigg|Bigg|left|right|mathbb|mathcal|mathfrak|mathbf|mathrm|text|bm|boldsymbol"
    r"|operatorname|overline|widehat|textstyle|displaystyle|scriptstyle|texttt)(?![A-Za-z])\s*"
)
_COMMAND = re.compile(r"\\([A-Za-z]+)(?:\s+(?=[A-Za-z0-9]))?")
_RELATION = re.compile(
    "\\s*([\u2264\u2265\u2260\u2192\u2208\u2209\u2248\u223c\u2261\u21d4\u21d2\u227c\u227d\u221d=<>])\\s*"
)


@cache
def _known_signs() -> dict[str, str]:
    import unicodedata

    letters = {}
    for name in _GREEK:
        size = "CAPITAL" if name[0].isupper() else "SMALL"
        word = "LAMDA" if name.lower() == "lambda" else name.upper()
        letters[name] = unicodedata.lookup(f"GREEK {size} LETTER {word}")
    return letters | _SIGNS
