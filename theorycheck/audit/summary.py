"""What an audit found: counts by kind of change, and survivors line by line with their cause."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from theorycheck.audit.run import Mutant
from theorycheck.audit.trial import NOTICED, TrialResult

Row = dict[str, int]

EXPERIMENT = {
    "simulations": (173, 599),
    "certificates": (111, 421),
    "references": (1, 71),
    "instances": (89, 126),
    "shared models": (126, 409),
    "domain widened": (232, 233),
    "equality weakened": (47, 101),
    "optimum flipped": (13, 19),
    "side of a leg": (17, 49),
    "leg dropped": (23, 51),
}
"""What survived, of how many, when 3,176 seeded changes of the library's 142 claims of that time were tried,
before there was an audit, and before the engine looked at points of its own."""


def clean(mutants: Iterable[Mutant]) -> bool:
    """Whether everything was reached and every survivor is explained, by the engine or by an author."""
    return not any(m.unexplained or m.finding.found is TrialResult.UNREACHED for m in mutants)


def counted(mutants: Iterable[Mutant]) -> Row:
    """How many changes there were, and what became of them. The parts add up to ``changes``."""
    row = Counter[str]()
    for m in mutants:
        row["changes"] += 1
        found = m.finding.found
        if found in NOTICED:
            row["noticed"] += 1
        elif found is TrialResult.SURVIVED:
            row["explained" if m.explained else "unexplained"] += 1
        else:
            row[str(found).replace(" ", "_")] += 1
    names = (
        *("changes", "noticed", "no_effect", "slack", "holds_beyond"),
        *("explained", "unexplained", "unreached"),
    )
    return {name: row[name] for name in names}


def by_kind(mutants: Sequence[Mutant]) -> dict[str, Row]:
    """What became of changes of each kind, in the order of the experiment's rows."""
    return {kind: counted(some) for kind, some in _by_subject(mutants)}


def as_json(mutants: Sequence[Mutant]) -> Mapping[str, object]:
    """Figures by source and part, and every change that was not noticed."""
    parts = {
        source: {part: counted(some) for part, some in _by(list(own), "part")}
        for source, own in _by(mutants, "source")
    }
    left = [m for m in mutants if m.finding.found not in NOTICED]
    return {
        "total": counted(mutants),
        "sources": parts,
        "left": [
            {
                "source": m.source,
                "file": m.file,
                "line": m.line,
                "function": m.function,
                "part": m.part,
                "kind": m.kind,
                "old": m.old,
                "new": m.new,
                "found": m.finding.found,
                "claim": m.finding.claim,
                "why": m.finding.why,
                "explained": m.explained,
            }
            for m in left
        ],
    }


def text(mutants: Sequence[Mutant]) -> str:
    """For people: a table of figures, then one block a line of code with survivors."""
    lines = [table(mutants), ""]
    unexplained = [m for m in mutants if m.unexplained]
    if unexplained:
        lines.append(by_line(unexplained))
    unreached = [m.finding.why for m in mutants if m.finding.found is TrialResult.UNREACHED]
    for why, same in itertools.groupby(sorted(unreached)):
        number = len(list(same))
        lines.append(f"{number} change{'s' * (number != 1)} not reached: {why}")
    if not unexplained and not unreached:
        lines.append("no unexplained survivor")
    return "\n".join(lines)


def by_line(mutants: Iterable[Mutant]) -> str:
    """Changes line by line of the code, each with what became of it."""
    lines = []
    for (file, line, function), some in itertools.groupby(
        mutants, key=lambda m: (f"{m.source}/{m.file}", m.line, m.function)
    ):
        place = f"{file}:{line}" if line else file
        lines.append(f"{place}  in {function}")
        lines += [f"    {m.kind}: {_shown(m)}   ({m.finding.claim}: {m.finding.why})" for m in some]
    return "\n".join(lines)


def table(mutants: Sequence[Mutant]) -> str:
    """Figures by source and part as a table in Markdown."""
    names = list(counted([]))
    lines = ["| | " + " | ".join(n.replace("_", " ") for n in names) + " |"]
    lines.append("|---|" + "---:|" * len(names))
    for source, own in _by(mutants, "source"):
        for part, some in _by(list(own), "part"):
            row = counted(some)
            lines.append(f"| {source}: {part} | " + " | ".join(str(row[n]) for n in names) + " |")
    row = counted(mutants)
    lines.append("| all | " + " | ".join(str(row[n]) for n in names) + " |")
    return "\n".join(lines)


def report(mutants: Sequence[Mutant]) -> str:
    """What is committed: figures by kind of change beside those of the experiment, then by source."""
    names = list(counted([]))
    head = " | ".join(n.replace("_", " ") for n in names)
    lines = [
        "# Audit of the claims",
        "",
        "Changes one at a time in what measures, in what bounds and in what is declared, and what became of",
        "them (`docs/audit.md`). Made by `python3 do.py audit`, which `theorycheck audit --out` does for one source.",
        "",
        "Last column: what survived of how many when the same was tried on the 142 claims of an earlier day,",
        "before there was an audit and before the engine looked at points of its own.",
        "",
        f"| what was changed | {head} | survived before |",
        "|---|" + "---:|" * (len(names) + 1),
    ]
    for kind, some in [*_by_subject(mutants), ("all", list(mutants))]:
        row = counted(some)
        cells = " | ".join(str(row[n]) for n in names)
        survived, of = EXPERIMENT.get(kind, (0, 0))
        lines.append(f"| {kind} | {cells} | {f'{survived} of {of}' if of else ''} |")
    lines += ["", "By source and part:", "", table(mutants), ""]
    said = [m for m in mutants if m.explained and m.finding.found is TrialResult.SURVIVED]
    if said:
        lines += ["Explained by their authors (`audit.toml` beside the register):", ""]
        lines += [f"- {m.source}, {m.function}: `{_shown(m)}`: {m.explained}" for m in said]
    return "\n".join(lines).rstrip() + "\n"


_SUBJECTS = {
    "simulation": "simulations",
    "search": "simulations",
    "certificate": "certificates",
    "reference": "references",
    "instances": "instances",
}


def _by_subject(mutants: Sequence[Mutant]) -> list[tuple[str, list[Mutant]]]:
    """Groups in the order of the experiment's rows, others after them."""
    grouped: dict[str, list[Mutant]] = {name: [] for name in EXPERIMENT}
    for m in mutants:
        shared = m.line and m.file.startswith("_") and m.part != "instances"
        kind = m.kind if not m.line else "shared models" if shared else _SUBJECTS[m.part]
        grouped.setdefault(kind, []).append(m)
    return [(kind, some) for kind, some in grouped.items() if some]


def _by(mutants: Iterable[Mutant], field: str) -> list[tuple[str, list[Mutant]]]:
    grouped: dict[str, list[Mutant]] = {}
    for m in mutants:
        grouped.setdefault(str(getattr(m, field)), []).append(m)
    return sorted(grouped.items())


def _shown(mutant: Mutant) -> str:
    old, new = (" ".join(t.split()) for t in (mutant.old, mutant.new))
    return new if mutant.part == "declaration" else f"{old:.70} -> {new:.70}"
