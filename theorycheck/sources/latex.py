"""LaTeX as text: inputs put in, comments and what is never typeset left out, small macros expanded.

Nothing is executed. Macros without arguments are expanded where they open or close an environment;
everything else stays as it is written.
"""

from __future__ import annotations

import re
from pathlib import Path

from theorycheck.claims.functions import ClaimError

MOST_INPUTS = 400
"""Files that one paper may be made of. More is a file that inputs itself under another name."""

_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%.*")
_UNSEEN = re.compile(
    r"\\begin\{(comment|verbatim\*?|lstlisting|Verbatim|minted)\}.*?\\end\{\1\}"
    r"|\\iffalse\b.*?\\fi\b|\\verb\*?([^\w\s*]).*?\2",
    re.DOTALL,
)
_INPUT = re.compile(
    r"\\(?:input|include|subfile|subimport\{([^{}]*)\}|import\{([^{}]*)\})\s*\{([^{}]+)\}"
)
_MACRO = re.compile(
    r"\\(?:(?:re)?newcommand|providecommand|DeclareRobustCommand)\*?\s*\{?\s*\\([A-Za-z]+)\s*\}?"
    r"\s*(?:\[(\d)\])?(?:\[[^\]]*\])?\s*(?=\{)"
    r"|\\def\s*\\([A-Za-z]+)\s*((?:#\d)*)\s*(?=\{)"
)


def whole(path: Path) -> str:
    """The text of a paper from its main file, inputs in their places, up to ``\\end{document}``.

    Inputs are read from the main file's folder and below; others, and those that are not there, stay
    as they are written. Raises ClaimError for a main file that cannot be read.
    """
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise ClaimError(f"{path}: cannot be read ({error.strerror})") from None
    text = _put_in(_seen(text), path.parent.resolve(), path.parent.resolve(), [path.resolve()])
    text = _UNSEEN.sub(" ", text)
    return _expanded(text.split(r"\end{document}")[0])


def _seen(text: str) -> str:
    return _COMMENT.sub(r"\1", text)


def _put_in(text: str, folder: Path, root: Path, read: list[Path]) -> str:
    def content(match: re.Match[str]) -> str:
        below = match[1] or match[2] or ""
        for base in dict.fromkeys((folder, root)):
            for name in (match[3].strip(), match[3].strip() + ".tex"):
                file = (base / below / name).resolve()
                fresh = file not in read and len(read) < MOST_INPUTS
                if file.is_file() and file.is_relative_to(root) and fresh:
                    read.append(file)
                    inner = _seen(file.read_text(encoding="utf-8", errors="replace"))
                    return _put_in(inner, file.parent, root, read)
        return match[0]

    return _INPUT.sub(content, text)


def group(text: str, start: int) -> str:
    """What stands between the brace at ``start`` and the one that closes it."""
    depth, i = 0, start
    while i < len(text):
        if text[i] == "\\":
            i += 2
            continue
        depth += {"{": 1, "}": -1}.get(text[i], 0)
        if depth == 0:
            return text[start + 1 : i]
        i += 1
    return text[start + 1 :]


def option(text: str, start: int) -> tuple[str, int]:
    """The optional argument that begins at or after ``start`` (brackets inside braces do not close it)
    and where it ends; ``("", start)`` where there is none."""
    i = start
    while i < len(text) and text[i] in " \t\n":
        i += 1
    if i >= len(text) or text[i] != "[":
        return "", start
    depth, begin = 0, i + 1
    for j in range(begin, len(text)):
        depth += {"{": 1, "}": -1}.get(text[j], 0)
        if text[j] == "]" and depth == 0:
            return text[begin:j], j + 1
    return "", start


def macros(text: str) -> dict[str, tuple[int, str]]:
    """Macros that the text defines: name to number of arguments and body."""
    found = {}
    for match in _MACRO.finditer(text):
        name = match[1] or match[3]
        count = int(match[2] or 0) if match[1] else len(match[4]) // 2
        found[name] = (count, group(text, match.end()))
    return found


def _expanded(text: str) -> str:
    """Macros that stand for the beginning or the end of an environment, in the document's body."""
    short = {
        name: body
        for name, (count, body) in macros(text).items()
        if count == 0 and re.search(r"\\(?:begin|end)\s*\{", body)
    }
    preamble, mark, body = text.partition(r"\begin{document}")
    if not mark:
        preamble, body = "", text
    for name, instead in short.items():
        pattern = rf"(?<!command\{{)(?<!command)(?<!def)\\{name}(?![A-Za-z])"
        body = re.sub(pattern, instead.replace("\\", r"\\"), body)
    return preamble + mark + body
