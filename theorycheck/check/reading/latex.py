"""LaTeX commands of mathematical displays as tokens. What has no reading is refused by name."""

from __future__ import annotations

import re
from collections.abc import Mapping

from theorycheck.check.reading.signs import GREEK, Cutting, Token
from theorycheck.check.refusal import at, nearest

_OPERATORS: Mapping[str, str] = {
    "le": "<=",
    "leq": "<=",
    "leqslant": "<=",
    "lt": "<",
    "ge": ">=",
    "geq": ">=",
    "geqslant": ">=",
    "gt": ">",
    "ne": "!=",
    "neq": "!=",
    "equiv": "≡",
    "cdot": "*",
    "times": "*",
    "ast": "*",
    "div": "/",
    "land": "and",
    "wedge": "and",
    "lor": "or",
    "vee": "or",
    "lnot": "not",
    "neg": "not",
    "implies": "implies",
    "Rightarrow": "implies",
    "Longrightarrow": "implies",
    "iff": "iff",
    "Leftrightarrow": "iff",
    "Longleftrightarrow": "iff",
    "bmod": "mod",
    "mod": "mod",
    "sim": "~",
}

_FUNCTIONS: Mapping[str, str] = {
    **{
        n: n for n in ("log", "ln", "exp", "sin", "cos", "tan", "cot", "sec", "csc", "sinh", "cosh")
    },
    **{n: n for n in ("tanh", "coth", "gcd", "min", "max", "Phi")},
    "arcsin": "asin",
    "arccos": "acos",
    "arctan": "atan",
    "Gamma": "gamma",
    "lg": "log10",
}

_ACCENTS: Mapping[str, str] = {
    "hat": "hat",
    "widehat": "hat",
    "tilde": "tilde",
    "widetilde": "tilde",
    "bar": "bar",
    "overline": "bar",
    "check": "check",
    "dot": "dot",
    "vec": "vec",
}
_TOKENS: Mapping[str, tuple[str, str]] = {
    **{name: ("op", text) for name, text in _OPERATORS.items()},
    **{name: ("name", text) for name, text in _FUNCTIONS.items()},
    **{name: ("frac", name) for name in ("frac", "tfrac", "dfrac", "cfrac")},
    **{name: ("binom", name) for name in ("binom", "tbinom", "dbinom")},
    **dict.fromkeys(("vert", "lvert", "rvert", "mid"), ("bar", "|")),
    **dict.fromkeys(("Vert", "lVert", "rVert"), ("norm", "‖")),
    "sqrt": ("root", ""),
    "sum": ("big", "Sum"),
    "prod": ("big", "Product"),
    "int": ("big", "Integral"),
    "Pr": ("name", "P"),
    "infty": ("name", "oo"),
    "pi": ("name", "pi"),
    "lfloor": ("open", "⌊"),
    "rfloor": ("close", "⌋"),
    "lceil": ("open", "⌈"),
    "rceil": ("close", "⌉"),
    "langle": ("open", "⟨"),
    "rangle": ("close", "⟩"),
    "pmod": ("op", "pmod"),
    "pod": ("op", "pmod"),
    "forall": ("op", "forall"),
    "in": ("op", "in"),
    **{name: ("accent", text) for name, text in _ACCENTS.items()},
}

_SPACES = frozenset(
    (
        *("quad", "qquad", "displaystyle", "textstyle", "scriptstyle", "limits", "nolimits"),
        *("left", "right", "middle", "big", "Big", "bigg", "Bigg", "bigl", "bigr", "Bigl", "Bigr"),
        *("biggl", "biggr", "Biggl", "Biggr", "rm", "it", "bf", "nonumber"),
    )
)
_FONTS = frozenset(("mathrm", "mathbf", "mathit", "mathsf", "operatorname", "boldsymbol", "bm"))
_BLACKBOARD = {"E": "E", "P": "P", "R": "R", "N": "N", "Z": "Z", "Q": "Q"}
_WORDS = {"and": "and", "or": "or", "implies": "implies", "if and only if": "iff", "iff": "iff"}
_GREEK_LETTERS: Mapping[str, str] = {
    **{n: n for n in GREEK.values()},
    "lambda": "lam",
    "varepsilon": "epsilon",
    "vartheta": "theta",
    "varphi": "varphi",
    "varrho": "rho",
    "ell": "ell",
}
_INSTEAD: Mapping[str, str] = {
    "pm": "write two statements, one with + and one with -",
    "approx": "'about' says nothing exact; write a bound",
    "lesssim": "write asymptotic(f, g), or a bound with its constant",
    "ll": "write a bound with its constant",
    "gg": "write a bound with its constant",
    "to": "a limit is written asymptotic(f, g)",
    "exists": "only statements for all values are read; give the value",
    "ldots": "dots leave something out; write Sum or Product",
    "cdots": "dots leave something out; write Sum or Product",
    "dots": "dots leave something out; write Sum or Product",
    "top": "transposes are not read; write dot(x, y)",
    "mathcal": "calligraphic names are not read; rename it",
    "mathbb": "of \\mathbb only E, P and the number sets are read",
    "arg": "argmax and argmin are not read",
}


def command(lexer: Cutting) -> None:
    """Read one command at the place of the lexer, a backslash."""
    source, start = lexer.source, lexer.place
    match = re.compile(r"\\([A-Za-z]+)|\\(.)", re.DOTALL).match(source, start)
    if match is None:
        raise at(source, lexer.what, start, "a backslash at the end")
    if match[2] is not None:
        _sign(lexer, match[2])
        lexer.place = match.end()
        return
    name = match[1]
    if name in _FONTS or name == "text" or name == "mathbb":
        lexer.place = match.end()
        _named(lexer, name, start)
        return
    _word(lexer, name, match.end())


def _sign(lexer: Cutting, char: str) -> None:
    """``\\,`` is a space, ``\\|`` a norm, ``\\{`` a bracket."""
    if char == "|":
        lexer.add("norm", "‖")
    elif char == "{":
        lexer.add("open", "\\{")
    elif char == "}":
        lexer.add("close", "\\}")
    elif char == "%":
        raise at(lexer.source, lexer.what, lexer.place, "write a percentage as a fraction")
    elif char not in ",;:! \\/()[]\n":
        raise at(lexer.source, lexer.what, lexer.place, f"\\{char} is not read")


def _word(lexer: Cutting, name: str, end: int) -> None:
    column = lexer.place
    if name in ("left", "right") and lexer.source[end : end + 1] == ".":
        end += 1  # \left. and \right. print nothing
    elif name in ("begin", "end"):
        end = _environment(lexer, end)
    elif name in _GREEK_LETTERS:
        lexer.place = end
        text = _GREEK_LETTERS[name] + lexer.subscript()
        lexer.tokens.append(Token("name", text, column, plain=True))
        return
    elif name in _TOKENS:
        kind, text = _TOKENS[name]
        lexer.add(kind, text, symbol=True)
    elif name not in _SPACES:
        reason = _INSTEAD.get(name) or (
            f"the command \\{name} is not read{nearest(name, [*_TOKENS, *_GREEK_LETTERS])}"
        )
        raise at(lexer.source, lexer.what, column, reason)
    lexer.place = end


def _environment(lexer: Cutting, end: int) -> int:
    """``\\begin{align}`` and its like say nothing; other environments are refused."""
    match = re.compile(r"\{(equation|align|aligned|gather|split)\*?\}").match(lexer.source, end)
    if match is None:
        raise at(lexer.source, lexer.what, lexer.place, "this environment is not read")
    return match.end()


def _named(lexer: Cutting, font: str, start: int) -> None:
    """A word in a font of its own: ``\\mathrm{KL}``, ``\\mathbb E``, ``\\text{ and }``."""
    match = re.compile(r"\s*(?:\{([^{}]*)\}|(\w))").match(lexer.source, lexer.place)
    if match is None:
        raise at(lexer.source, lexer.what, start, f"\\{font} has no word behind it")
    lexer.place = match.end()
    word = (match[1] if match[1] is not None else match[2]).strip()
    if font == "mathbb":
        if word not in _BLACKBOARD:
            raise at(lexer.source, lexer.what, start, _INSTEAD["mathbb"])
        lexer.tokens.append(Token("name", _BLACKBOARD[word], start, symbol=True))
        return
    if font == "text":
        if word and word not in _WORDS:
            raise at(lexer.source, lexer.what, start, "words are not read; leave them out")
        if word:
            lexer.tokens.append(Token("op", _WORDS[word], start))
        return
    if not re.fullmatch(r"[A-Za-z]\w*", word, re.ASCII):
        raise at(lexer.source, lexer.what, start, f"\\{font}{{{word}}} is no name of a function")
    if word == "d" and (variable := re.compile(r"\s*([A-Za-z])").match(lexer.source, lexer.place)):
        lexer.place = variable.end()  # \mathrm{d}x ends an integral
        lexer.tokens.append(Token("name", "d" + variable[1], start))
        return
    lexer.tokens.append(Token("name", word + lexer.subscript(), start, symbol=len(word) > 1))
