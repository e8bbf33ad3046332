r"""What can be told of a statement from its LaTeX: its kind, and a first draft of its clause.

Everything here is a guess for a person to correct, and the files that are written say so; nothing that is
checked rests on it. Quantifiers are read from the phrases that papers use (*for all*, *there exists*, *with
probability*, *for sufficiently large*) and the mathematics that follows them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from theorycheck.claims.clauses import PrefixError, parse_prefix

_KINDS = (
    ("high-probability", r"with (?:high )?probability|w\.h\.p\."),
    ("separation", r"separat|whereas no\b|but no\b"),
    ("complexity", r"polynomial[- ]time|runs in time|time complexity|computable in|NP-hard"),
    ("convergence-rate", r"converge|\\to\s*\\infty|\\rightarrow\s*\\infty|\brate\b"),
    ("optimality", r"maximi[sz]|minimi[sz]|\bmaximum\b|\bminimum\b|optimal|\\arg(?:max|min)"),
    ("construction", r"there (?:exists?|is|are)\b"),
    ("lower-bound", r"\\geq?(?:slant)?(?![a-z])|at least|\\Omega|\\gtrsim"),
    ("bound", r"\\leq?(?:slant)?(?![a-z])|at most|bounded by|\\lesssim|(?<![A-Za-z])O\("),
    ("identity", r"=|equals?\b|if and only if"),
)
"""Kinds of a register with what speaks for them, the first that fits: what a phrase says outweighs a sign."""

_RANGES = re.compile(
    r"for (?:all|every|each|any)\b[^$.,;:]{0,40}\$[^$]*\$(?:\s+and\s+(?:every |all )?\$[^$]*\$)*",
    re.I,
)
_HYPOTHESES = re.compile(
    r"(?:for (?:all|every|each|any)|let|suppose|assume|if)\b[^$.]*(?:\$[^$]*\$[^$.,;:]*)+[,;:]",
    re.I,
)


def guessed_kind(text: str) -> str:
    """One of the register's kinds; hypotheses ("for all $n \\geq 1$") say nothing of it."""
    body = _RANGES.sub(" ", _HYPOTHESES.sub(" ", text))
    for kind, pattern in _KINDS:
        if re.search(pattern, body, re.I):
            return kind
    return "identity"


_CLAUSE_KIND = {
    "identity": "equality",
    "bound": "upper bound",
    "lower-bound": "lower bound",
    "optimality": "optimality",
    "scaling": "law",
    "convergence-rate": "limit",
    "high-probability": "high probability",
    "separation": "impossibility",
    "construction": "existence",
    "complexity": "algorithm",
    "empirical": "experiment",
}

_PHRASES = (
    ("eventually", r"for (?:all )?sufficiently large|for large(?: enough)?"),
    ("forall", r"for (?:all|every|each|any)"),
    ("exists", r"there (?:exists?|is|are)"),
    ("prob", r"with probability(?: at least)?"),
)
_PHRASE = re.compile("|".join(rf"(?P<{kind}>\b{words}\b)" for kind, words in _PHRASES), re.I)
_MATH = re.compile(r"(?P<words>(?:[^$.;:]){0,40}?)\$(?P<math>[^$]+)\$")
_AND = re.compile(r"\s*(?:,|and|,\s*and)\s*(?:(?:all|every|each|any)\s+)?\$(?P<math>[^$]+)\$", re.I)
_NAME = r"\\?[A-Za-z]+(?:_\{?[A-Za-z0-9]+\}?)?"
_VARIABLE = re.compile(
    rf"\s*(?:(?P<low>[0-9./]+)\s*(?P<from><|\\leq?(?![a-z]))\s*)?"
    rf"(?P<names>{_NAME}(?:\s*,\s*{_NAME})*)\s*(?P<rest>(?:\\in|\\geq?|\\leq?|<|>|\\subseteq?).*)?"
)
_MARKS = {
    r"\geq": ">=",
    r"\ge": ">=",
    r"\leq": "<=",
    r"\le": "<=",
    r"\infty": "oo",
    r"\in": "in",
    r"\ldots": "..",
    r"\dots": "..",
    r"\subseteq": "inside",
    r"\subset": "inside",
}
_SORTS = r"integers?|reals?|primes?|matri(?:x|ces)|vectors?|functions?|networks?|graphs?|numbers?"


def drafted_prefix(text: str) -> list[str]:
    """The quantifiers that a statement's text shows, in its order, as lines of a clause's prefix; names that
    cannot be read are left out, so that the lines can always be parsed."""
    lines: list[str] = []
    seen: set[str] = set()
    for phrase in _PHRASE.finditer(text):
        kind = str(phrase.lastgroup)
        first = _MATH.match(text, phrase.end())
        if first is None:
            continue
        if kind == "prob":
            if "sample" not in seen:
                lines.append(f"prob sample ~ its distribution, level {_spoken(first['math'])}")
                seen.add("sample")
            continue
        sort = re.search(_SORTS, first["words"], re.I)
        maths, at = [first["math"]], first.end()
        while kind == "forall" and (more := _AND.match(text, at)):
            maths.append(more["math"])
            at = more.end()
        for math in maths:
            lines += _lines(kind, math, sort[0].lower() if sort else "", seen)
    try:
        parse_prefix(lines)
    except PrefixError:
        return []
    return lines


def _lines(kind: str, math: str, sort: str, seen: set[str]) -> list[str]:
    found = _VARIABLE.fullmatch(math)
    if found is None:
        return []
    names = [re.sub(r"[\\{}\s]", "", n) for n in found["names"].split(",")]
    names = [n for n in names if re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", n) and n not in seen]
    if not names:
        return []
    seen.update(names)
    if kind == "eventually":
        return [f"eventually {', '.join(names)}"]
    low = f"{'>' if found['from'] == '<' else '>='} {found['low']}, " if found["low"] else ""
    given = low + _spoken(found["rest"] or "").removeprefix("in ")
    given = f"{sort} {given}".strip(" ,")
    return [f"{kind} {', '.join(names)}" + (f" in {given}" if given else "")]


def _spoken(latex: str) -> str:
    """LaTeX of a range without its marks."""
    for mark, sign in _MARKS.items():
        latex = re.sub(re.escape(mark) + r"(?![A-Za-z])", f" {sign} ", latex)
    latex = re.sub(r"\\(?:mathbb|mathcal|mathrm|text|left|right)|[\\{}$]", "", latex)
    return " ".join(latex.split())


def clause_text(id: str, label: str, kind: str, text: str, says: str) -> list[str]:
    """An entry of ``clauses.toml``: the statement as one clause, to be split and put into one's own words."""
    prefix = ", ".join(json.dumps(line) for line in drafted_prefix(text))
    formulas = re.findall(r"\$([^$]+)\$", text)
    return [
        "",
        "[[statement]]",
        f"id = {json.dumps(id)}",
        f"lines = {json.dumps(label or 'unnumbered')}",
        "",
        "[[statement.clause]]",
        'id = "whole"',
        f"says = {_literal(says or 'in our own words')}",
        f"tex = {_literal(formulas[-1] if formulas else '...')}",
        f"prefix = [{prefix}]  # drafted from the text: check names, ranges and their order",
        'body = "..."',
        f"kind = {json.dumps(_CLAUSE_KIND[kind])}",
        'status = "unclear"',
        "provable = false",
    ]


def _literal(text: str) -> str:
    """A TOML string, with LaTeX as it is written where that can be."""
    if "\\" in text and "'" not in text and text.isprintable():
        return f"'{text}'"
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "")


def authors_of(groups: Sequence[str]) -> list[str]:
    r"""Names out of the arguments of ``\author``: parted by ``\and`` or, in one line, by commas."""
    names: list[str] = []
    for group in groups:
        bare = re.sub(r"\\(?:thanks|footnote|inst|orcid|email)\s*\{[^{}]*\}", "", group)
        for part in re.split(r"\\(?:and|And|AND)(?![A-Za-z])", bare):
            line = re.split(r"\\\\", part.strip())[0]
            line = re.sub(r"\$[^$]*\$|\\[A-Za-z]+\*?(?:\[[^\]]*\])?|[{}]", " ", line).replace(
                "~", " "
            )
            found = re.split(r",\s*(?:and\s+)?|\s+and\s+", " ".join(line.split()))
            names += [n for n in found if re.search(r"[A-Za-z]{2}", n)]
    return names
