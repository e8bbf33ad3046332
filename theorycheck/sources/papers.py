"""From a paper's LaTeX source to a register: theorem environments, labels, references in proofs.

Reads text only; nothing of it is executed (`theorycheck.sources.latex`). Understood: ``\\newtheorem`` and
``\\declaretheorem`` with their printed names and shared counters, numbers within sections and
appendices, ``restatable``, inputs, macros for environments and for references, references of several
labels at once, equations' labels inside of statements, and proofs that name what they prove. What
cannot be told from the source is left for a person: the kind of a statement, and one line in one's
own words.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from theorycheck.claims.functions import ClaimError
from theorycheck.sources.drafting import authors_of, clause_text, guessed_kind
from theorycheck.sources.latex import group, macros, option, whole
from theorycheck.sources.plain import plain

ROLES = {
    "theorem": "main",
    "proposition": "main",
    "corollary": "main",
    "conjecture": "main",
    "lemma": "supporting",
    "claim": "supporting",
    "observation": "supporting",
    "fact": "folklore",
    "algorithm": "algorithm",
}
"""Printed names of statements, with the role that they get to start with; others are supporting."""

NO_STATEMENTS = frozenset(
    {"definition", "definitions", "assumption", "assumptions", "remark", "remarks", "example"}
    | {"examples", "notation", "question", "problem", "setting", "condition", "exercise", "proof"}
    | {"solution", "acknowledgement", "note", "case"}
)
"""Printed names of environments that assert nothing."""

USUAL = {
    "thm": "Theorem",
    "prop": "Proposition",
    "cor": "Corollary",
    "coro": "Corollary",
    "lem": "Lemma",
    "obs": "Observation",
    **{name: name.capitalize() for name in ROLES},
}
"""Environments of class files that a paper may use without defining them."""

_REFERENCES = frozenset(
    {"ref", "cref", "Cref", "autoref", "eqref", "nameref", "vref", "Vref", "thref", "labelcref"}
    | {"fullref", "pageref"}
)
_SECTIONS = ("part", "chapter", "section", "subsection", "subsubsection")
_TOKEN = re.compile(r"\\(?:(begin|end)\s*\{([^{}]*)\}|([A-Za-z]+)(\*?))")
_NEW_THEOREM = re.compile(r"\\newtheorem(\*?)\s*\{([^{}]+)\}\s*(?:\[([^\]]*)\])?\s*(?=\{)")
_DECLARE = re.compile(r"\\declaretheorem(?=\s*[\[{])")


@dataclass(frozen=True)
class Environment:
    """A theorem-like environment: printed name, counter that it steps (None: unnumbered)."""

    printed: str
    counter: str | None


@dataclass
class PaperStatement:
    """A statement of a paper. ``labels``: its own first, then those inside of it. ``text``: its LaTeX."""

    printed: str
    number: str
    title: str
    labels: list[str] = field(default_factory=list)
    uses: list[str] = field(default_factory=list)
    text: str = ""

    @property
    def name(self) -> str:
        """``Lemma 3.2``; empty for an unnumbered statement."""
        return f"{self.printed} {self.number}" if self.number else ""


@dataclass(frozen=True)
class Paper:
    """Title and authors (empty where none are said) and statements in order."""

    title: str
    statements: list[PaperStatement]
    authors: list[str] = field(default_factory=list)


def read_paper(path: Path) -> Paper:
    """The statements of a paper in order, with the labels that they and their proofs refer to.

    A proof belongs to the statement that its heading names, else to the one before it. Raises
    ClaimError where the paper has no theorem-like environment.
    """
    text = whole(path)
    title = re.search(r"\\title\s*(?:\[[^\]]*\])?\s*(?=\{)", text)
    statements = _TexReader(text).read()
    if not statements:
        raise ClaimError(
            f"{path.name}: no statement found; read are environments of \\newtheorem and "
            f"\\declaretheorem, and {', '.join(USUAL)}"
        )
    authors = re.finditer(r"\\author\s*(?:\[[^\]]*\])?\s*(?=\{)", text)
    names = authors_of([group(text, found.end()) for found in authors])
    return Paper(_plain(group(text, title.end())) if title else "", statements, names)


@dataclass
class _Proof:
    """What a proof's heading names, the statement before it, the environments around it, and the
    labels that it refers to."""

    named: list[str]
    before: PaperStatement | None
    around: list[tuple[str, PaperStatement | None]]
    uses: list[str] = field(default_factory=list)


@dataclass
class _PaperWalk:
    """What was found on the way through a paper, and where the way is.

    ``open``: the environments that are open, by the name that closes them, with the statement that they
    are. ``owner``: statements by label.
    """

    found: list[PaperStatement] = field(default_factory=list)
    owner: dict[str, PaperStatement] = field(default_factory=dict)
    open: list[tuple[str, PaperStatement | None]] = field(default_factory=list)
    proofs: list[_Proof] = field(default_factory=list)

    def inside(self) -> PaperStatement | None:
        """The innermost statement that is open."""
        return next((f for _, f in reversed(self.open) if f is not None), None)

    def proof(self, named: list[str]) -> None:
        before = self.inside() or (self.found[-1] if self.found else None)
        self.proofs.append(_Proof(named, before, self.open[:]))

    def end(self, name: str) -> None:
        if any(closes == name for closes, _ in self.open):
            while self.open.pop()[0] != name:
                pass

    def label(self, label: str) -> None:
        inside = self.inside()
        if inside is not None:
            own = self.open[-1][1] is inside and not inside.labels
            inside.labels.insert(0 if own else len(inside.labels), label)
            self.owner.setdefault(label, inside)

    def uses(self) -> list[str]:
        """Where a reference belongs: to the innermost statement or proof that it stands in."""
        for depth in range(len(self.open) - 1, -1, -1):
            closes, statement = self.open[depth]
            if statement is not None:
                return statement.uses
            if closes == "proof":
                around = self.open[:depth]
                return next(p for p in reversed(self.proofs) if p.around == around).uses
        return []

    def credit(self) -> None:
        """Give what proofs refer to to the statements that they prove."""
        for proof in self.proofs:
            named = [self.owner[n] for n in proof.named if n in self.owner]
            before = [proof.before] if proof.before else []
            for statement in named or before:
                statement.uses += proof.uses


class _TexReader:
    def __init__(self, text: str) -> None:
        self.counts: dict[str, int] = {}
        self.letters = False
        _, mark, body = text.partition(r"\begin{document}")
        self.body = body if mark else text
        self.within: dict[str, str] = {}
        self.kinds = {name: Environment(printed, name) for name, printed in USUAL.items()}
        self._definitions(text)
        self.references = set(_REFERENCES)
        for name, (count, body) in macros(text).items():
            inner = re.findall(r"\\([A-Za-z]+)\*?(?:\[[^\]]*\])?\{#1\}", body)
            if count == 1 and _REFERENCES & set(inner):
                self.references.add(name)

    def _definitions(self, text: str) -> None:
        for match in _NEW_THEOREM.finditer(text):
            printed = _plain(group(text, match.end()))
            after = match.end() + len(group(text, match.end())) + 2
            within, _ = option(text, after)
            shared = match[3]
            self._define(match[2], printed, None if match[1] else shared or match[2], within)
        for match in _DECLARE.finditer(text):
            said, after = option(text, match.end())
            names = group(text, text.index("{", after))
            options = _options(said + "," + option(text, text.index("}", after) + 1)[0])
            shared = next(
                (options[k] for k in ("sibling", "numberlike", "sharenumber") if k in options), None
            )
            within = next(
                (options[k] for k in ("numberwithin", "parent", "within") if k in options), ""
            )
            numbered = options.get("numbered", "yes") != "no"
            for name in (n.strip() for n in names.split(",")):
                printed = _plain(options.get("name", options.get("title", name.capitalize())))
                self._define(name, printed, (shared or name) if numbered else None, within)

    def _define(self, name: str, printed: str, counter: str | None, within: str) -> None:
        self.kinds[name] = Environment(printed, counter)
        if within and counter:
            self.within[counter] = within.strip()

    def read(self) -> list[PaperStatement]:
        """Every statement, numbered as LaTeX would."""
        walk = _PaperWalk()
        for what, name, at in self._tokens():
            if what == "begin":
                self._begin(walk, name, at)
            elif what == "end":
                walk.end(name)
            elif name in _SECTIONS:
                self._section(name)
            elif name == "appendix":
                self.letters = True
                self.counts = {}
            elif name == "label":
                walk.label(self._argument(at))
            elif name in self.references:
                uses = walk.uses()
                uses += self._reference(at)
        walk.credit()
        return walk.found

    def _begin(self, walk: _PaperWalk, name: str, at: int) -> None:
        inside, made = walk.inside(), None
        said, after = option(self.body, at)
        if name == "proof":
            walk.proof([] if inside else self._labels_in(said))
        elif inside is None:
            environment = self._argument(after) if name == "restatable" else name
            made = self._statement(environment, said)
            if made is not None:
                made.text = self._inside(name, after)
                walk.found.append(made)
                walk.owner.update(dict.fromkeys(made.labels, made))
        walk.open.append((name, made))

    def _inside(self, name: str, at: int) -> str:
        """The LaTeX up to the end of an environment, without its labels."""
        end = self.body.find(rf"\end{{{name}}}", at)
        inside = self.body[at : end if end >= 0 else len(self.body)]
        return " ".join(re.sub(r"\\label\s*\{[^{}]*\}", "", inside).split())

    def _argument(self, at: int) -> str:
        """The braced argument that follows; empty where none does."""
        opening = re.compile(r"\s*\{").match(self.body, at)
        return group(self.body, opening.end() - 1).strip() if opening else ""

    def _tokens(self) -> Iterator[tuple[str, str, int]]:
        """(begin, end or command; environment or command; where its arguments start)."""
        for match in _TOKEN.finditer(self.body):
            if match[1]:
                yield match[1], match[2].strip(), match.end()
            elif not (match[4] and match[3] in _SECTIONS):  # a heading with a star has no number
                yield "command", match[3], match.end()

    def _reference(self, at: int) -> list[str]:
        """Labels of a reference whose name ends at ``at``: ``\\cref{a,b}``, ``\\cref [x]{a}``."""
        _, after = option(self.body, at)
        return [x.strip() for x in self._argument(after).split(",") if x.strip()]

    def _labels_in(self, text: str) -> list[str]:
        """Labels that a proof's heading refers to."""
        names = "|".join(sorted(self.references, key=len, reverse=True))
        found = re.findall(rf"\\(?:{names})\*?\s*\{{([^{{}}]*)\}}", text)
        return [x.strip() for labels in found for x in labels.split(",")]

    def _statement(self, name: str, said: str) -> PaperStatement | None:
        kind = self.kinds.get(name) or self.kinds.get(name.rstrip("*"))
        if kind is None or kind.printed.split(" ")[0].lower() in NO_STATEMENTS:
            if kind is not None and kind.counter:
                self._step(kind.counter)
            return None
        counter = kind.counter if name in self.kinds or not name.endswith("*") else None
        number = self._step(counter) if counter else ""
        options = _options(said) if re.match(r"\s*(?:label|name|title|note)\s*=", said) else {}
        title = next((options[k] for k in ("name", "title", "note") if k in options), "")
        made = PaperStatement(kind.printed, number, _plain(title if options else said))
        if "label" in options:
            made.labels.append(options["label"])
        return made

    def _step(self, counter: str) -> str:
        self.counts[counter] = self.counts.get(counter, 0) + 1
        return self._shown(counter)

    def _shown(self, counter: str) -> str:
        value = self.counts.get(counter, 0)
        top = "chapter" if "chapter" in self.counts else "section"
        own = chr(64 + value) if self.letters and counter == top and 0 < value < 27 else str(value)
        within = self.within.get(counter, "")
        if counter in _SECTIONS[2:] and not within:
            above = _SECTIONS[_SECTIONS.index(counter) - 1]
            within = above if above in self.counts and above != "part" else ""
        return f"{self._shown(within)}.{own}" if within else own

    def _section(self, name: str) -> None:
        """A heading: every counter that is counted within it begins again."""
        self.counts[name] = self.counts.get(name, 0) + 1
        below = {name}
        for _ in _SECTIONS:
            below |= {c for c, w in self.within.items() if w in below}
            below |= set(_SECTIONS[_SECTIONS.index(name) + 1 :])
        for counter in below - {name}:
            self.counts.pop(counter, None)


def _options(text: str) -> dict[str, str]:
    """``name=Lemma, label={lem:a}`` as a table; commas inside braces part nothing."""
    parts, depth = [""], 0
    for character in text:
        depth += {"{": 1, "}": -1}.get(character, 0)
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    pairs = (part.partition("=") for part in parts if "=" in part)
    return {key.strip(): value.strip().strip("{}").strip() for key, _, value in pairs}


def register_text(paper: Paper, name: str, file: str) -> str:
    """A ``statements.toml`` with one entry a statement; what a person must fill in says so.

    ``file``: the title where the paper says none. References that would run in a circle are left
    out, with a comment.
    """
    ids = _ids(paper.statements, name)
    owner = {lb: i for i, f in zip(ids, paper.statements, strict=True) for lb in f.labels}
    uses = {
        i: [owner[u] for u in dict.fromkeys(f.uses) if owner.get(u, i) != i]
        for i, f in zip(ids, paper.statements, strict=True)
    }
    # That something inside of a statement is recalled weighs less than that the statement is used.
    heads = {f.labels[0]: owner[f.labels[0]] for f in paper.statements if f.labels}
    used = {
        (i, heads[u])
        for i, f in zip(ids, paper.statements, strict=True)
        for u in f.uses
        if u in heads
    }
    dropped = _without_circles(uses, used)
    title = _toml(paper.title or file)
    lines = [
        "[source]",
        f"name = {_toml(name)}",
        f"title = {title}",
        "authors = [" + (", ".join(map(_toml, paper.authors)) or '"..."') + "]",
        'edition = "..."',
        'text = "LaTeX source"',
        "",
        "[[source.citation]]",
        'type = "misc"',
        f"key = {_toml(name)}",
        f"author = {_toml(' and '.join(paper.authors) or '...')}",
        f"title = {title}",
        'year = "..."',
    ]
    for id, f in zip(ids, paper.statements, strict=True):
        lines += [
            "",
            "[[statement]]",
            f"id = {_toml(id)}",
            f"labels = [{_toml(f.name) if f.name else ''}]",
            f"title = {_toml(f.title or f.name or f.printed)}",
            f'role = "{ROLES.get(f.printed.split(" ")[0].lower(), "supporting")}"',
            f'kind = "{guessed_kind(f.text)}"  # guessed from the text',
            'one_line = "in our own words"',
            "uses = [" + ", ".join(_toml(u) for u in dict.fromkeys(uses[id])) + "]",
        ]
        if id in dropped:
            lines[-1] += f"  # refers to {', '.join(dropped[id])} too, which would run in a circle"
    return "\n".join(lines) + "\n"


def clauses_text(paper: Paper, name: str) -> str:
    """A ``clauses.toml`` with one clause a statement, its quantifiers drafted from the text."""
    lines = [
        "# Drafted from the paper: split each statement into its assertions, in our own words."
    ]
    for id, f in zip(_ids(paper.statements, name), paper.statements, strict=True):
        lines += clause_text(id, f.name, guessed_kind(f.text), f.text, _prose(f.text))
    return "\n".join(lines) + "\n"


def _ids(statements: list[PaperStatement], name: str) -> list[str]:
    """One id a statement, made of its first label or its number; unique."""
    ids: list[str] = []
    for f in statements:
        stem = (f.labels[0] if f.labels else "") or f.name or f"{f.printed} {f.title}"
        slug = re.sub(r"[^a-z0-9]+", "-", stem.lower()).strip("-") or "statement"
        id = base = f"{re.sub(r'[^a-z0-9]+', '-', name.lower()).strip('-')}-{slug}"
        copies = 1
        while id in ids:
            copies += 1
            id = f"{base}-{copies}"
        ids.append(id)
    return ids


def _without_circles(
    uses: dict[str, list[str]], first: set[tuple[str, str]]
) -> dict[str, list[str]]:
    """Takes out of ``uses`` the reference that weighs least in every circle; returns what was taken
    out. Those in ``first`` weigh more than others, those to what stands before more than those to
    what comes after."""
    dropped: dict[str, list[str]] = {}
    kept: dict[str, list[str]] = {id: [] for id in uses}

    def reaches(start: str, goal: str) -> bool:
        ahead, seen = [start], set()
        while ahead:
            id = ahead.pop()
            if id == goal:
                return True
            if id not in seen:
                seen.add(id)
                ahead += kept[id]
        return False

    place = {id: i for i, id in enumerate(uses)}
    pairs = [(id, u) for id in uses for u in uses[id]]
    for id, u in sorted(pairs, key=lambda p: (p not in first, place[p[1]] > place[p[0]])):
        if reaches(u, id):
            dropped.setdefault(id, []).append(u)
        else:
            kept[id].append(u)
    for id in uses:
        uses[id] = [u for u in uses[id] if u in kept[id]]
    return dropped


def _plain(text: str) -> str:
    """Text without LaTeX's marks, mathematics in characters."""
    text = re.sub(r"(?<!\\)\$[^$]+\$", lambda found: plain(" ".join(found[0].split())), text)
    text = re.sub(
        r"\\(?:[cC]ite[a-z]*|label|footnote|thanks)\*?(?:\[[^\]]*\])*\{[^{}]*\}", "", text
    )
    text = re.sub(r"\\(?:[a-z]+(?:shape|series|family|font)|em|bf|it|sc|large)\b", "", text)
    text = re.sub(r"\\[a-zA-Z]+\*?\s*(?=\{)|\\\\", " ", text).replace("~", " ")
    return " ".join(re.sub(r"[\\{}$\"]", "", text).split())


_DISPLAYED = re.compile(r"\\\[(.*?)\\\]|\\\((.*?)\\\)|\$\$(.*?)\$\$", re.DOTALL)


def _prose(text: str) -> str:
    """Text without LaTeX's marks, its mathematics as it is written, between dollars."""
    text = _DISPLAYED.sub(lambda found: f"${found[1] or found[2] or found[3] or ''}$", text)
    parts = re.split(r"(?<!\\)(\$[^$]+\$)", text)
    for n, part in enumerate(parts):
        if n % 2:
            bare = re.sub(r"\\label\{[^{}]*\}", "", part.strip("$"))
            parts[n] = f"${' '.join(bare.split())}$"
        else:
            before, after = part[:1].isspace(), part[-1:].isspace()
            parts[n] = f"{' ' * before}{_plain(part)}{' ' * after}"
    return " ".join("".join(parts).split())


def _toml(text: str) -> str:
    """A TOML string."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "")
