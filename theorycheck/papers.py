"""From a paper's LaTeX source to a register: theorem environments, labels, references in proofs.

Reads text only; nothing of it is executed. What cannot be told from the source is left for a person:
the kind of a statement, and one line in one's own words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from theorycheck.claims import ClaimError

ENVIRONMENTS = {
    "theorem": "main",
    "thm": "main",
    "proposition": "main",
    "prop": "main",
    "corollary": "main",
    "cor": "main",
    "lemma": "supporting",
    "lem": "supporting",
    "fact": "folklore",
    "claim": "supporting",
    "algorithm": "algorithm",
}
"""Environments that are read, with the role that a statement gets to start with."""

_BLOCK = re.compile(r"\\begin\{(\w+)\*?\}(?:\[([^\]]*)\])?(.*?)\\end\{\1\*?\}", re.DOTALL)
_LABEL = re.compile(r"\\label\{([^}]+)\}")
_REFERENCE = re.compile(r"\\(?:[cC]?ref|autoref|eqref|Cref)\{([^}]+)\}")


@dataclass(frozen=True)
class Found:
    """A statement of a paper: its environment and number in order, label, title, labels that it uses."""

    environment: str
    number: int
    label: str
    title: str
    uses: tuple[str, ...]


def read_paper(path: Path) -> list[Found]:
    """The statements of a LaTeX file in order; a proof's references belong to the statement before it.

    Raises ClaimError where the file has no theorem-like environment.
    """
    text = re.sub(r"(?<!\\)%.*", "", path.read_text(encoding="utf-8", errors="replace"))
    found: list[Found] = []
    counts: dict[str, int] = {}
    for match in _BLOCK.finditer(text):
        name, title, body = match[1].lower(), match[2] or "", match[3]
        used = tuple(x.strip() for ref in _REFERENCE.findall(body) for x in ref.split(","))
        if name == "proof" and found:
            last = found[-1]
            found[-1] = Found(
                last.environment, last.number, last.label, last.title, last.uses + used
            )
        elif name in ENVIRONMENTS:
            counts[name] = counts.get(name, 0) + 1
            label = _LABEL.search(body)
            found.append(Found(name, counts[name], label[1] if label else "", title.strip(), used))
    if not found:
        names = ", ".join(ENVIRONMENTS)
        raise ClaimError(f"{path.name}: no statement found; environments that are read: {names}")
    return found


def register_text(found: list[Found], name: str, title: str) -> str:
    """A ``statements.toml`` with one entry a statement; what a person must fill in says so."""
    ids = {f.label: _id(f, name) for f in found if f.label}
    lines = [
        "[source]",
        f'name = "{name}"',
        f'title = "{_plain(title)}"',
        'authors = ["..."]',
        'edition = "..."',
        'text = "LaTeX source"',
        "",
        "[[source.citation]]",
        'type = "misc"',
        f'key = "{name}"',
        'author = "..."',
        f'title = "{_plain(title)}"',
        'year = "..."',
    ]
    for f in found:
        uses = [ids[u] for u in dict.fromkeys(f.uses) if u in ids and ids[u] != _id(f, name)]
        described = _plain(f.title) or f"{f.environment.capitalize()} {f.number}"
        lines += [
            "",
            "[[statement]]",
            f'id = "{_id(f, name)}"',
            f'labels = ["{f.environment.capitalize()} {f.number}"]',
            f'title = "{described}"',
            f'role = "{ENVIRONMENTS[f.environment]}"',
            'kind = "identity"  # or bound, optimality, scaling, ...',
            'one_line = "in our own words"',
            "uses = [" + ", ".join(f'"{u}"' for u in uses) + "]",
        ]
    return "\n".join(lines) + "\n"


def _id(f: Found, name: str) -> str:
    stem = re.sub(r"[^a-z0-9]+", "-", (f.label or f"{f.environment}-{f.number}").lower()).strip("-")
    return f"{name.replace('_', '-')}-{stem}"


def _plain(text: str) -> str:
    return re.sub(r"[\\{}$\"]", "", text).strip()
