"""Typed text cut into tokens: ASCII, Unicode operators, superscripts, Greek letters.

LaTeX commands are handed to `theorycheck.check.reading.latex`, which gives tokens of the same kinds.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

from theorycheck.check.reading.latex import command
from theorycheck.check.reading.signs import GREEK, Token
from theorycheck.check.refusal import at
from theorycheck.check.vocabulary import HINTS

_NAMED: Mapping[str, tuple[str, str]] = {
    "π": ("name", "pi"),
    "∞": ("name", "oo"),
    "Φ": ("name", "Phi"),
    "Γ": ("name", "gamma"),
    "√": ("root", "2"),
    "∛": ("root", "3"),
    "∑": ("big", "Sum"),
    "∏": ("big", "Product"),
    "∫": ("big", "Integral"),
    "‖": ("norm", "‖"),
    "∥": ("norm", "‖"),
    "⌊": ("open", "⌊"),
    "⌋": ("close", "⌋"),
    "⌈": ("open", "⌈"),
    "⌉": ("close", "⌉"),
    "∣": ("op", "divides"),
    "𝔼": ("name", "E"),
    "ℙ": ("name", "P"),
    "⟨": ("open", "⟨"),
    "⟩": ("close", "⟩"),
}

OPERATORS: Mapping[str, str] = {
    "≤": "<=",
    "≥": ">=",
    "⩽": "<=",
    "⩾": ">=",
    "≠": "!=",
    "≡": "≡",
    "·": "*",
    "×": "*",
    "⋅": "*",
    "∗": "*",
    "÷": "/",
    "−": "-",
    "–": "-",
    "⇒": "implies",
    "⟹": "implies",
    "→": "implies",
    "⇔": "iff",
    "⟺": "iff",
    "∧": "and",
    "∨": "or",
    "¬": "not",
}

_SUPERSCRIPTS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁿⁱᵏᵐᵗᵈᵖˣʸ", "0123456789+-()nikmtdpxy", strict=True))
_SUBSCRIPTS = dict(zip("₀₁₂₃₄₅₆₇₈₉ₙₖₘᵢⱼₜ", "0123456789nkmijt", strict=True))
_FRACTIONS = {"½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4", "⅛": "1/8"}

_NUMBER = re.compile(r"(\d+(?:_\d+)*(\.(?!\.)\d*)?|\.\d+)([eE][+-]?\d+)?")
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*")
_OPERATOR = re.compile(r"<=>|==>|=>|=<|\*\*|//|<=|>=|==|!=|!!|[-+*/^!%<>=~]")
_AGAIN = {"=": "==", "=<": "<=", "**": "^", "==>": "implies", "<=>": "iff"}
_SPACE = " \t\r\n\u00a0\u2009\u202f"


class Lexer:
    """One pass over a text; ``words`` are the names that count as one word though they hold an
    underscore. ``latex`` says that the text holds commands."""

    def __init__(self, source: str, what: str) -> None:
        self.source, self.what = source, what
        self.latex = "\\" in source or "^{" in source or "_{" in source
        self.place = 0
        self.tokens: list[Token] = []

    def cut(self) -> list[Token]:
        """All tokens, with an ``end`` behind them."""
        while self.place < len(self.source):
            self.one()
        self.add("end", "")
        return self.tokens

    def add(self, kind: str, text: str, *, plain: bool = False, symbol: bool = False) -> None:
        self.tokens.append(Token(kind, text, self.place, plain, symbol))

    def one(self) -> None:
        char = self.source[self.place]
        if char in _SPACE:
            self.place += 1
        elif char == "\\":
            command(self)
        elif char in "$&" and self.latex:
            self.place += 1
        elif match := _NUMBER.match(self.source, self.place):
            if re.compile(r"0[xXbBoO]\w").match(self.source, self.place):
                raise at(self.source, self.what, self.place, "only decimal numbers are allowed")
            self.add("number", match[0].replace("_", ""))
            self.place = match.end()
        elif match := _WORD.match(self.source, self.place):
            self.word(match[0])
        elif char in GREEK or char in "_'":
            self.letter(char)
        elif char in _SUPERSCRIPTS:
            self.superscript()
        else:
            self.sign(char)

    def word(self, text: str) -> None:
        column = self.place
        self.place += len(text)
        name = text + self.subscript()
        if name in ("and", "or", "not", "implies", "iff", "mod", "divides"):
            self.tokens.append(Token("op", name, column))
            return
        if name == "lambda":
            name = "lam"
        self.tokens.append(Token("name", name, column))

    def letter(self, char: str) -> None:
        if char == "'":
            raise at(self.source, self.what, self.place, "a prime is no part of a name; write x_1")
        if char == "_":
            self.add("op", "_")
            self.place += 1
            return
        column = self.place
        self.place += 1
        name = GREEK[char] + self.subscript()
        self.tokens.append(Token("name", name, column, plain=True))

    def subscript(self) -> str:
        """``_1``, ``_{ij}`` or ``₁`` behind a name, as it stands in the canonical name."""
        found = ""
        if match := re.compile(r"_(\w+)|_\{([A-Za-z0-9, ]+)\}", re.ASCII).match(
            self.source, self.place
        ):
            inner = match[1] if match[1] is not None else re.sub(r"[, ]+", "_", match[2].strip())
            # In LaTeX one character is the subscript: x_ij is x_i times j.
            if match[1] is not None and self.latex and not self._typed_name(match[1]):
                inner = match[1][0]
                self.place += 2
            else:
                self.place = match.end()
            found = f"_{inner}"
        while self.place < len(self.source) and self.source[self.place] in _SUBSCRIPTS:
            found += ("_" if not found else "") + _SUBSCRIPTS[self.source[self.place]]
            self.place += 1
        return found

    def _typed_name(self, text: str) -> bool:
        """A subscript of digits, as in x_12, is taken whole even in LaTeX."""
        return text.isdigit()

    def superscript(self) -> None:
        start = self.place
        text = ""
        while self.place < len(self.source) and self.source[self.place] in _SUPERSCRIPTS:
            text += _SUPERSCRIPTS[self.source[self.place]]
            self.place += 1
        inner = Lexer(text, self.what).cut()[:-1]
        self.tokens.append(Token("op", "^", start))
        self.tokens.append(Token("open", "(", start))
        self.tokens += [Token(t.kind, t.text, start) for t in inner]
        self.tokens.append(Token("close", ")", start))

    def sign(self, char: str) -> None:
        if char in _NAMED:
            kind, text = _NAMED[char]
            self.add(kind, text, symbol=True)
        elif char in OPERATORS:
            self.add("op", OPERATORS[char])
        elif char in _FRACTIONS:
            self.add("number", _FRACTIONS[char])
        elif char in "([{":
            self.add("open", char)
        elif char in ")]}":
            self.add("close", char)
        elif char == ",":
            self.add("comma", ",")
        elif char == "|":
            self.add("bar", "|")
        elif match := _OPERATOR.match(self.source, self.place):
            self.add("op", _AGAIN.get(match[0], match[0]))
            self.place = match.end()
            return
        else:
            raise at(self.source, self.what, self.place, self.hint(char))
        self.place += 1

    def hint(self, char: str) -> str:
        normal = unicodedata.normalize("NFKC", char)
        if normal != char and normal.isascii() and normal.isprintable() and normal.strip():
            return f"write {normal}"
        known = HINTS.get(char)
        if known is None and " " < char <= "~":
            return f"{char} is not read here"
        return known or "write it in ASCII: letters, digits, + - * / ** ( ) and names"
