"""Formulas of claims: LaTeX for papers, and from it presentation MathML for pages.

What the author gives as LaTeX (``lhs``, ``tex``) is shown as it is given; else SymPy prints the expression
that the claim holds. No text is parsed as an expression.
"""

from __future__ import annotations

import re
from typing import Any

import sympy

from theorycheck.claims.legs import Leg
from theorycheck.claims.model import Claim
from theorycheck.reports import mathematics
from theorycheck.reports.statement import measured_text
from theorycheck.sources.plain import pieces, plain

_LEFT, _RIGHT = "\u27e6L\u27e7", "\u27e6R\u27e7"
_SIGNS = {
    "=": "=",
    "<": "<",
    ">": ">",
    "<=": r"\leq",
    ">=": r"\geq",
    "!=": r"\neq",
    "~": r"\sim",
    "->": r"\to",
    "oo": r"\infty",
    "max": r"\max",
    "min": r"\min",
}
_TOKEN = re.compile(r"(\u27e6[LR]\u27e7|<=|>=|!=|->|\boo\b|\bmax\b|\bmin\b|[=~<>])")


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
            right = right_side(claim, lg) or lg.name
            shown.setdefault(claim.relation_of(lg).text(left_side(claim, lg), right), lg)
    return list(shown.values())


def mathml(claim: Claim, lg: Leg) -> str | None:
    """`latex` as a ``<math>`` element on a line of its own; None where there is no formula, or none that
    can be read."""
    formula = latex(claim, lg)
    if formula is None:
        return None
    aloud = claim.relation_of(lg).text(measured_text(claim, lg), _spoken(claim, lg))
    try:
        return mathematics.mathml(formula, block=True, alternative=aloud)
    except mathematics.MathematicsError:
        return None


def latex(claim: Claim, lg: Leg) -> str | None:
    """``what is measured = closed form`` as LaTeX mathematics (without dollars); None where the other side
    is a procedure that its author gives no formula for."""
    right = right_side(claim, lg)
    if right is None:
        return None
    names = {str(s) for s in claim.domain}
    parts = []
    for token in _TOKEN.split(claim.relation_of(lg).text(_LEFT, _RIGHT)):
        if token == _LEFT:
            parts.append(left_side(claim, lg))
        elif token == _RIGHT:
            parts.append(right)
        elif token.strip() in _SIGNS:
            parts.append(_SIGNS[token.strip()])
        else:
            parts += _words(token.strip(), names)
    parts = [p for p in parts if p]
    # The author's symbol may say itself that it is an optimum, and over what.
    if parts[0] in (r"\max", r"\min") and re.match(rf"\{parts[0]}(?![A-Za-z])", parts[1]):
        del parts[0]
    return " ".join(parts)


def left_side(claim: Claim, lg: Leg) -> str:
    """What a leg measures, as LaTeX: the author's symbol, else the word *measured*."""
    given = lg.lhs or (claim.lhs if shares_formula(claim, lg) else "")
    return given or rf"\text{{{latex_escape(measured_text(claim, lg))}}}"


def right_side(claim: Claim, lg: Leg) -> str | None:
    """What a leg is held to, as LaTeX: in the author's form, else as SymPy prints it."""
    given = lg.tex or (claim.tex if shares_formula(claim, lg) else "")
    expression = None if given else expression_of(claim, lg)
    return given or (None if expression is None else expression_latex(expression))


def shares_formula(claim: Claim, lg: Leg) -> bool:
    """Whether a leg is held to the claim's own formula: it has no other of its own."""
    return lg.closed_form is None and (lg.reference is None or claim.closed_form is None)


def _words(text: str, names: set[str]) -> list[str]:
    """Words of a relation; the names of parameters and constants in them are mathematics."""
    parts: list[str] = []
    said: list[str] = []
    for word in text.split():
        bare = word.rstrip(",")
        if bare in names or bare == "C":
            if said:
                parts.append(rf"\text{{ {latex_escape(' '.join(said))} }}")
            parts.append(symbol_latex(bare) + word[len(bare) :])
            said = []
        else:
            said.append(word)
    if said:
        parts.append(rf"\text{{ {latex_escape(' '.join(said))} }}")
    return parts


def _spoken(claim: Claim, lg: Leg) -> str:
    expression = expression_of(claim, lg)
    return plain(f"${right_side(claim, lg)}$") if expression is None else str(expression)


def expression_latex(expression: Any) -> str | None:
    """LaTeX of an expression; None where SymPy's printer cannot print it."""
    try:
        free = {s for s in expression.atoms(sympy.Symbol) if len(s.name) > 1}
        names = {s: symbol_latex(s.name) for s in free}
        return _slashed_exponents(str(sympy.latex(expression, symbol_names=names)))
    except (NotImplementedError, AttributeError, TypeError, ValueError, KeyError):
        return None


_EXPONENT = "^{"
_SIMPLE_FRACTION = re.compile(r"\\frac\{([^{}]*)\}\{([^{}]*)\}")


def _slashed_exponents(latex: str) -> str:
    r"""Fractions inside exponents with a slash, as papers print them: ``e^{-T/(2 \kappa)}``."""
    out, at = [], 0
    while (start := latex.find(_EXPONENT, at)) >= 0:
        depth, end = 1, start + len(_EXPONENT)
        while depth and end < len(latex):
            depth += {"{": 1, "}": -1}.get(latex[end], 0)
            end += 1
        inside = latex[start + len(_EXPONENT) : end - 1]
        out += [latex[at:start], _EXPONENT, _SIMPLE_FRACTION.sub(_slashed, inside), "}"]
        at = end
    return "".join([*out, latex[at:]])


def _slashed(found: re.Match[str]) -> str:
    above, below = (part.strip() for part in found.groups())
    is_sum = "+" in above or "-" in above.lstrip("- ")
    return f"{f'({above})' if is_sum else above}/{f'({below})' if ' ' in below else below}"


_OTHER_NAMES = {"lam": r"\lambda", "eps": r"\varepsilon"}
_SYMBOL = re.compile(r"([A-Za-z]+)(\d*)((?:_[A-Za-z0-9]+)*)")


def symbol_latex(name: str) -> str:
    """A parameter's name as a symbol: ``lam`` is lambda, ``nu_2`` and ``nu2`` have an index, a longer word
    is upright."""
    found = _SYMBOL.fullmatch(name)
    if found is None:
        return str(sympy.latex(sympy.Symbol(name)))
    word, digits, rest = found.groups()
    letter = _OTHER_NAMES.get(word) or str(sympy.latex(sympy.Symbol(word)))
    if letter == word and len(word) > 1:
        letter = rf"\mathrm{{{word}}}"
    indices = [part for part in (digits, *rest.split("_")) if part]
    star = "^{*}" if "star" in indices else ""
    written = [
        i if len(i) == 1 or i.isdigit() else rf"\mathrm{{{i}}}" for i in indices if i != "star"
    ]
    return letter + (f"_{{{','.join(written)}}}" if written else "") + star


_LATEX_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\ensuremath{<}",
    ">": r"\ensuremath{>}",
    "|": r"\ensuremath{|}",
}


def latex_text(text: str) -> str:
    """A text for LaTeX; what stands between dollars is passed through as mathematics."""
    return "".join(f"${part}$" if is_math else latex_escape(part) for part, is_math in pieces(text))


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
        "\u2264": r"\ensuremath{\leq}",
        "\u2265": r"\ensuremath{\geq}",
        "\u2260": r"\ensuremath{\neq}",
        "\u2019": "'",
        "\u2018": "`",
        "\u201c": "``",
        "\u201d": "''",
        "\u2013": "--",
        "\u2014": "---",
        "\u2026": r"\ldots{}",
        "\u00b7": r"\ensuremath{\cdot}",
        "\u00d7": r"\ensuremath{\times}",
        "\u221e": r"\ensuremath{\infty}",
        "\u2208": r"\ensuremath{\in}",
        "\u2009": r"\,",
        "\u00a0": "~",
        "\u221a": r"\ensuremath{\surd}",
        "\u2211": r"\ensuremath{\sum}",
        "\u2192": r"\ensuremath{\to}",
        "\u00b1": r"\ensuremath{\pm}",
    }
    if character in known:
        return known[character]
    name = unicodedata.name(character, "")
    if name.startswith("GREEK SMALL LETTER ") and " WITH" not in name:
        letter = name.rsplit(" ", 1)[1].lower()
        letter = {"lamda": "lambda", "omicron": "o", "final sigma": "varsigma"}.get(letter, letter)
        return "o" if letter == "o" else rf"\ensuremath{{\{letter}}}"
    plain = unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode()
    return plain or "?"
