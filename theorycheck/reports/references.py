"""Where a source can be read: its citation in full, and links to it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from theorycheck.sources.register import Citation, Source

_ARXIV = re.compile(r"(?:arXiv:?\s*|abs/)?(\d{4}\.\d{4,5})(?:v\d+)?", re.IGNORECASE)
_SAID = re.compile(r"arXiv[: ]\s*(\d{4}\.\d{4,5})", re.IGNORECASE)


UNSAID = "..."
"""What a drafted register has where its author has yet to write something."""


@dataclass(frozen=True)
class Link:
    """Where something was published; ``href`` is empty where no address is known."""

    text: str
    href: str


def links(source: Source) -> list[Link]:
    """Venue and year of every citation of a source, with its arXiv page, DOI or address."""
    found: dict[str, Link] = {}
    for citation in source.citations:
        link = _link(citation)
        found.setdefault(link.href or link.text, link)
    return [link for link in found.values() if link.text or link.href]


def _link(citation: Citation) -> Link:
    fields = citation.fields
    venue = next(
        (fields[k] for k in ("journal", "booktitle", "school", "publisher") if k in fields), ""
    )
    if citation.type == "phdthesis":
        venue = f"PhD thesis, {venue}"
    text = ", ".join(
        part for part in (venue.replace("--", "\u2013"), _said(fields, "year")) if part
    )
    eprint = _ARXIV.fullmatch(fields.get("eprint", "").strip())
    said = eprint or next((m for v in fields.values() if (m := _SAID.search(v))), None)
    doi = re.sub(r"^(?:https?://(?:dx\.)?doi\.org/|doi:)", "", fields.get("doi", "").strip())
    url = fields.get("url", "").strip()
    if doi.startswith("10."):
        return Link(text, f"https://doi.org/{doi}")
    if said is not None:
        known = "" if said[1] in text else f" (arXiv:{said[1]})"
        return Link(text + known, f"https://arxiv.org/abs/{said[1]}")
    return Link(text, url if re.match(r"https?://", url) else "")


def _said(fields: Mapping[str, str], name: str) -> str:
    value = fields.get(name, "")
    return "" if value == UNSAID else value


def in_full(source: Source) -> str:
    """Authors and edition read, as a list of references has them behind the title."""
    names = [name for name in source.authors if name != UNSAID]
    said = [", ".join(names), "" if source.edition == UNSAID else f"Read: {source.edition}"]
    return "".join(f"{part}. " for part in said if part).strip()
