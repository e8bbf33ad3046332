"""Formulas for people: presentation MathML for pages, LaTeX for papers, text where neither works.

SymPy prints the expression that the claim holds; no text is parsed.
"""

from __future__ import annotations

import re
from html import escape, unescape
from typing import Any

import sympy

from theorycheck.claims.model import Claim, Leg
from theorycheck.reports.statement import measured_quantity

_LEFT, _RIGHT = "\u27e6L\u27e7", "\u27e6R\u27e7"
_SIGNS = {
    "<=": "\u2264",
    ">=": "\u2265",
    "!=": "\u2260",
    "~": "\u223c",
    "->": "\u2192",
    "oo": "\u221e",
}
_LATEX_SIGNS = {
    "<=": r"\leq",
    ">=": r"\geq",
    "!=": r"\neq",
    "~": r"\sim",
    "->": r"\to",
    "oo": r"\infty",
}
_TOKEN = re.compile(r"(\u27e6[LR]\u27e7|<=|>=|!=|->|\boo\b|[=~<>])")


_ENTITY = re.compile(r"&(\w+);")
_FUNCTION_AFTER = re.compile(r"(<mo>\u2062</mo>)((?:<mrow>|<msup>)*<mi>[a-z]{2,}</mi>)")
_NUMBER_AFTER = re.compile(r"(</mn>)<mo>\u2062</mo>((?:<mrow>|<msup>)*<mn>)")
# The double-struck e, i and d of SymPy are read as other letters.
_PLAIN_LETTERS = {0x2147: "e", 0x2148: "i", 0x2146: "d"}
_XML_ENTITIES = frozenset({"amp", "lt", "gt", "quot", "apos"})


def expression_of(claim: Claim, lg: Leg) -> Any:
    """The SymPy expression that a leg is compared with, None where it is a procedure."""
    form = claim.form_of(lg)
    if lg.reference is not None or form is None:
        return None
    if isinstance(form, sympy.Basic | sympy.MatrixBase):
        return form
    return sympy.sympify(form) if isinstance(form, int) else None


def shown_legs(claim: Claim) -> list[Leg]:
    """Legs whose formulas are shown: the first of those that are compared with the same thing in the
    same way. A bound, its certificate and a search for better share one formula."""
    shown: dict[str, Leg] = {}
    for lg in claim.legs:
        if not lg.arithmetic.proves:
            form = expression_of(claim, lg)
            right = lg.name if form is None else str(form)
            shown.setdefault(claim.relation_of(lg).text(_LEFT, right), lg)
    return list(shown.values())


def mathml(claim: Claim, lg: Leg) -> str | None:
    """``measured = closed form`` as a ``<math>`` element; None where there is no expression."""
    expression = expression_of(claim, lg)
    if expression is None:
        return None
    right = expression_mathml(expression)
    if right is None:
        return None
    left = f"<mtext>{escape(measured_quantity(lg))}</mtext>"
    parts = []
    relation = claim.relation_of(lg)
    for token in _TOKEN.split(relation.text(_LEFT, _RIGHT)):
        if token == _LEFT:
            parts.append(left)
        elif token == _RIGHT:
            parts.append(right)
        elif token.strip():
            word = token.strip()
            sign = _SIGNS.get(word, word)
            if _TOKEN.fullmatch(word):
                parts.append(f"<mo>{escape(sign)}</mo>")
            else:  # spaces at the ends of a text are kept only where they do not break
                kept = escape(token.replace(" ", "\u00a0"))
                parts.append(f"<mtext>{kept}</mtext>")
    alternative = escape(relation.text(measured_quantity(lg), str(expression)), quote=True)
    return (
        '<math xmlns="http://www.w3.org/1998/Math/MathML" display="block" '
        f'alttext="{alternative}"><mrow>{"".join(parts)}</mrow></math>'
    )


def expression_mathml(expression: Any) -> str | None:
    """Inner MathML of an expression; None where SymPy's printer cannot print it."""
    from sympy.printing.mathml import mathml as printer

    try:
        text = str(printer(expression, printer="presentation"))
        # Names such as &InvisibleTimes; are known to HTML only; characters are known everywhere.
        text = _ENTITY.sub(lambda m: m[0] if m[1] in _XML_ENTITIES else unescape(m[0]), text)
        text = text.translate(_PLAIN_LETTERS).replace("<mi>lam</mi>", "<mi>\u03bb</mi>")
        # A minus sign is no hyphen, 2 times 2^n is no 22^n, and "n log n" is no "nlog n".
        text = text.replace("<mo>-</mo>", "<mo>\u2212</mo>")
        text = _NUMBER_AFTER.sub("\\1<mo>\u22c5</mo>\\2", text)
        return _FUNCTION_AFTER.sub(r'\1<mspace width="0.17em"/>\2', text)
    except (NotImplementedError, AttributeError, TypeError, ValueError, KeyError):
        return None


def latex(claim: Claim, lg: Leg) -> str | None:
    """``measured = closed form`` as LaTeX mathematics (without dollars); None as for `mathml`."""
    expression = expression_of(claim, lg)
    if expression is None:
        return None
    right = expression_latex(expression)
    if right is None:
        return None
    parts = []
    for token in _TOKEN.split(claim.relation_of(lg).text(_LEFT, _RIGHT)):
        if token == _LEFT:
            parts.append(rf"\text{{{latex_escape(measured_quantity(lg))}}}")
        elif token == _RIGHT:
            parts.append(right)
        elif token.strip():
            word = token.strip()
            plain = _TOKEN.fullmatch(word) is not None
            parts.append(
                _LATEX_SIGNS.get(word, word) if plain else rf"\text{{ {latex_escape(word)} }}"
            )
    return " ".join(parts)


def expression_latex(expression: Any) -> str | None:
    """LaTeX of an expression; None where SymPy's printer cannot print it."""
    try:
        return str(sympy.latex(expression))
    except (NotImplementedError, AttributeError, TypeError, ValueError, KeyError):
        return None


_LATEX_SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#",
    "%": r"\%", "_": r"\_", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}",
    "<": r"\ensuremath{<}", ">": r"\ensuremath{>}", "|": r"\ensuremath{|}",
}  # fmt: skip


def latex_escape(text: str) -> str:
    """Plain text for LaTeX; characters beyond ASCII are spelled out or dropped to their names."""
    out = []
    for character in text:
        if character in _LATEX_SPECIAL:
            out.append(_LATEX_SPECIAL[character])
        elif ord(character) < 128:
            out.append(character)
        else:
            out.append(_beyond_ascii(character))
    return "".join(out)


def _beyond_ascii(character: str) -> str:
    import unicodedata

    known = {
        "\u2264": r"\ensuremath{\leq}", "\u2265": r"\ensuremath{\geq}", "\u2260": r"\ensuremath{\neq}",
        "\u2019": "'", "\u2018": "`", "\u201c": "``", "\u201d": "''", "\u2013": "--", "\u2014": "---",
        "\u2026": r"\ldots{}", "\u00b7": r"\ensuremath{\cdot}", "\u00d7": r"\ensuremath{\times}",
        "\u221e": r"\ensuremath{\infty}", "\u2208": r"\ensuremath{\in}", "\u2009": r"\,",
        "\u00a0": "~", "\u221a": r"\ensuremath{\surd}", "\u2211": r"\ensuremath{\sum}",
        "\u2192": r"\ensuremath{\to}", "\u00b1": r"\ensuremath{\pm}",
    }  # fmt: skip
    if character in known:
        return known[character]
    name = unicodedata.name(character, "")
    if name.startswith("GREEK SMALL LETTER ") and " WITH" not in name:
        letter = name.rsplit(" ", 1)[1].lower()
        letter = {"lamda": "lambda", "omicron": "o", "final sigma": "varsigma"}.get(letter, letter)
        return "o" if letter == "o" else rf"\ensuremath{{\{letter}}}"
    plain = unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode()
    return plain or "?"
