"""A run packed for a paper's supplement: report, observations, claims, versions and citations.

An anonymous bundle holds no person, machine, path or date: the run gets a name made of its content,
what could tell is left out or replaced, and the archive is searched for what would give it away before
it is written. The authors of the sources are left out too, since a source may be the paper that the
bundle is a supplement of; titles stay. Bundles of the same run have the same bytes.
"""

from __future__ import annotations

import getpass
import hashlib
import html
import json
import platform
import re
import tempfile
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from msgspec.structs import replace

from theorycheck.entries.report import Report, RunHead, to_json
from theorycheck.library.loading import REGISTER, Loaded
from theorycheck.record.runs import ReportError
from theorycheck.reports.formats import writer
from theorycheck.reports.latest_coverage import registers_beside
from theorycheck.reports.present import claims_of_report
from theorycheck.sources.register import Register

NOBODY = "Anonymous"
_SEVERAL = re.compile(rf"(\"?{NOBODY}\"?)(?:(?:,\s*|\s+and\s+)\"?{NOBODY}\"?)+")

EPOCH = (1980, 1, 1, 0, 0, 0)
"""Date of every file in an archive: the earliest that the format knows."""

README = """# {title}

`report.html` shows the run in any browser, `report.json` is the same as data, `observations/` what was
seen, `claims/` what was checked, `citations.bib` where it comes from.

To judge again from the observations: `theorycheck judge {run} --from claims` beside this folder.
To run again: `theorycheck run claims --profile {profile} --seed {seed} --no-cache`.

Versions: {versions}.
"""


def bundle(
    report: Report,
    folder: Path,
    out: Path,
    items: Sequence[Loaded] | None = None,
    anonymous: bool = False,
) -> Path:
    """Write the archive; returns its path.

    Raises ReportError where an anonymous archive would hold the user's or the machine's name, or a
    path of this machine: it is not written then.
    """
    known = claims_of_report(report, items)
    told = _anonymous(report) if anonymous else report
    files = _observations(report, folder)
    files |= _claims(known.values())
    registers = registers_beside(known.values())
    files["citations.bib"] = citations(registers, told.run, anonymous)
    files["README.md"] = README.format(
        title=f"theorycheck run {told.run.id}",
        run=told.run.id,
        profile=told.run.profile,
        seed=told.run.seed,
        versions=", ".join(f"{k} {v}" for k, v in told.run.versions.items()),
    )
    files["report.json"] = json.dumps(to_json(told), indent=1, ensure_ascii=False) + "\n"
    files |= _rendered(told, files, list(known.values()))
    if anonymous:
        names = _names(registers)
        files = {name: _nameless(_scrubbed(text), names) for name, text in files.items()}
        _check(files)
    _write(out, told.run.id, files)
    return out


def _anonymous(report: Report) -> Report:
    """The report without its date, machine and name; durations stay, they are evidence."""
    content = hashlib.blake2b(
        json.dumps(to_json(report)["claims"], sort_keys=True).encode(), digest_size=6
    ).hexdigest()
    head = replace(report.run, id=f"run-{content}", started="", machine={}, asked=None)
    return replace(report, run=head)


def _observations(report: Report, folder: Path) -> dict[str, str]:
    files = {}
    for entry in report.claims:
        file = folder / "observations" / f"{entry.id}.json"
        if file.is_file():
            files[f"observations/{file.name}"] = file.read_text(encoding="utf-8")
    return files


def _claims(items: Iterable[Loaded]) -> dict[str, str]:
    """Source folders of the claims (modules and registers), drafts by themselves."""
    files = {}
    for item in items:
        if item.draft:
            files[f"claims/{item.file.name}"] = item.file.read_text(encoding="utf-8")
            continue
        folder = item.file.parent
        for file in (*sorted(folder.glob("*.py")), folder / REGISTER):
            if file.is_file():
                files[f"claims/{folder.name}/{file.name}"] = file.read_text(encoding="utf-8")
    return files


def citations(registers: Sequence[Register], run: RunHead, anonymous: bool) -> str:
    """BibTeX of the sources that were checked and of the run itself."""
    entries: dict[str, str] = {}
    for register in registers:
        for citation in register.source.citations:
            fields = "".join(f"  {k} = {{{v}}},\n" for k, v in citation.fields.items())
            entries[citation.key] = f"@{citation.type}{{{citation.key},\n{fields}}}\n"
    year = "" if anonymous else f"  year = {{{str(run.started)[:4]}}},\n"
    version = run.versions.get("theorycheck", "")
    entries["theorycheck-run"] = (
        "@misc{theorycheck-run,\n"
        f"  title = {{Verdicts of theorycheck {version}, run {run.id}, profile {run.profile}, "
        f"seed {run.seed}}},\n{year}"
        "  note = {Report, observations and claims in the supplement},\n}\n"
    )
    return "\n".join(entries[key] for key in sorted(entries))


def _rendered(told: Report, files: Mapping[str, str], items: Sequence[Loaded]) -> dict[str, str]:
    """The reports for people, written anew so that they say what the bundled report says."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / told.run.id
        for name, text in files.items():
            if name.startswith("observations/"):
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_text(text, encoding="utf-8")
        written = [writer(form)(told, folder, items) for form in ("html", "md", "csv")]
        return {file.name: file.read_text(encoding="utf-8") for file in written}


def _telling() -> list[str]:
    """What would give a machine or its user away, longest first."""
    found = {getpass.getuser(), platform.node(), str(Path.home()), str(Path.cwd())}
    # A name such as "root" or a two-letter host is a word of everybody's, not a trace of somebody.
    common = {"root", "user", "localhost", "ubuntu", "runner", "admin"}
    return sorted(
        (f for f in found if len(f) > 2 and f.lower() not in common), key=len, reverse=True
    )


_PATH = re.compile(r"(?:/[\w.+-]+){2,}/([\w.+-]+\.py)")


def _scrubbed(text: str) -> str:
    """Paths of files in messages become the files' names."""
    return _PATH.sub(r"\1", text)


def _names(registers: Sequence[Register]) -> dict[str, str]:
    """Authors of the sources and the citation keys that are made of them, longest first, and what
    stands in their place."""
    found: dict[str, str] = {}
    for register in registers:
        people = list(register.source.authors)
        for citation in register.source.citations:
            for role in ("author", "editor"):
                people += re.split(r"\s+and\s+", citation.fields.get(role, ""))
            found.setdefault(citation.key, f"source-{len(found) + 1}")
        found |= {name: NOBODY for name in people if name}
    return dict(sorted(found.items(), key=lambda item: -len(item[0])))


def _nameless(text: str, names: Mapping[str, str]) -> str:
    for name, instead in names.items():
        for written in {name, html.escape(name)}:
            text = re.sub(rf"(?<!\w){re.escape(written)}(?!\w)", instead, text)
    return _SEVERAL.sub(r"\1", text)


def _check(files: Mapping[str, str]) -> None:
    for word in _telling():
        pattern = re.compile(rf"(?<![\w-]){re.escape(word)}(?![\w-])")
        for name, text in files.items():
            if pattern.search(text) or pattern.search(name):
                raise ReportError(
                    f"{name} holds {word!r}, which tells who made it; remove it and bundle again"
                )


def _write(out: Path, top: str, files: Mapping[str, str]) -> None:
    out.parent.mkdir(parents=True, exist_ok=True)
    temporary = out.with_name(f".{out.name}.part")
    try:
        with zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED) as archive:
            for name in sorted(files):
                info = zipfile.ZipInfo(f"{top}/{name}", EPOCH)
                info.compress_type = zipfile.ZIP_DEFLATED
                info.external_attr = 0o644 << 16
                archive.writestr(info, files[name])
        temporary.replace(out)
    finally:
        temporary.unlink(missing_ok=True)
