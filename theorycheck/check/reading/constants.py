"""``there is C > 0: for all n >= 1: ...``: constants that one value has to serve, in front of a statement."""

from __future__ import annotations

import re
from dataclasses import dataclass

from theorycheck.check.reading.domains import printed
from theorycheck.check.reading.reader import bare
from theorycheck.check.refusal import InputError

_THERE = re.compile(
    r"\s*(?:\\exists(?![A-Za-z])|∃|(?:there\s+)?\bexists?\b|there\s+(?:is|are)\b)\s*", re.IGNORECASE
)
_FOR_ALL = r"(?:\\forall|∀|\bfor\s+(?:all|every|each|any)\b)"
_BEHIND = re.compile(
    rf"\s*(?::|\\colon\b|,?\s*\b(?:such\s+that|so\s+that|s\.t\.|with)(?=\W)|,?\s*(?={_FOR_ALL}))",
    re.IGNORECASE,
)
_WORD = re.compile(
    r"(an?|some|one|absolute|universal|numerical|finite|fixed|positive|real|integer|constants?|numbers?)\s+"
    r"(?=[A-Za-z\\])(?!in\b)",
    re.IGNORECASE,
)
_NAMES = re.compile(r"\\?[A-Za-z]\w*(?:\s*(?:,|\band\b)\s*\\?[A-Za-z]\w*)*\Z", re.ASCII)
_HOW = "write there is C > 0: for all n >= 1: f(n) <= C*g(n)"


@dataclass(frozen=True)
class Constants:
    """``phrases`` say what the constants range over, as ``--for`` does; none for other statements. ``rest`` is
    what is claimed of them."""

    phrases: tuple[str, ...]
    rest: str


def with_constants(text: str) -> Constants:
    """Constants taken from the front of a statement.

    Raises:
        InputError: where it begins with *there is* and goes on in another way.
    """
    source = re.sub(r"\\text\s*\{([^{}]*)\}", r" \1 ", bare(text))
    match = _THERE.match(source)
    if match is None:
        return Constants((), text)
    after = source[match.end() :]
    found = _BEHIND.search(after)
    if found is None or re.match(r"(?:no|not|unique|!)(?=\W)", after, re.IGNORECASE):
        raise InputError(f"statement: {source[:40]!r} is not read; {_HOW}")
    return Constants(
        (_phrase(after[: found.start()]),),
        re.sub(r"\A(?:\s|\\[ ,;:!]|\\q?quad\b|,)+", "", after[found.end() :]),
    )


def _phrase(head: str) -> str:
    """The domain of the constants: the reals, where none is said."""
    words, phrase = set(), printed(head).strip(" ,\\")
    while word := _WORD.match(phrase):
        words.add(word[1].lower())
        phrase = phrase[word.end() :]
    if not _NAMES.match(phrase):
        if words & {"positive", "integer"}:
            raise InputError(f"statement: {head.strip()[:40]!r} is not read; {_HOW}")
        return phrase
    if "integer" in words:
        return f"{phrase} in {'1..oo' if 'positive' in words else 'Z'}"
    return f"{phrase} in {'(0, oo)' if 'positive' in words else 'R'}"


def as_text(phrases: tuple[str, ...]) -> str:
    """The beginning of a statement with these constants."""
    return f"there is {', '.join(phrases)}: " if phrases else ""


__all__ = ["Constants", "as_text", "with_constants"]
