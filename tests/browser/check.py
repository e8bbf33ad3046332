#!/usr/bin/env python3
"""Looks at report.html in a real headless browser.

    python tests/browser/check.py [report.html] [--shots FOLDER]

Without a report, the small library of the tests is run and its report looked at. Prints a line a check
and ends with 1 if one failed; prints ``not run`` and ends with 0 where no browser is installed.
"""

from __future__ import annotations

import argparse
import base64
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import chrome  # noqa: E402 - found beside this file

WIDTHS = (320, 390, 768, 1280)

CONTRAST = (HERE / "contrast.js").read_text(encoding="utf-8")

OPEN_ALL = "document.querySelectorAll('details').forEach((d) => { d.open = true; })"
VISIBLE = "[...document.querySelectorAll('.claim')].filter((c) => c.checkVisibility())"
NAMED_ROLES = (
    "button",
    "link",
    "combobox",
    "searchbox",
    "checkbox",
    "image",
    "region",
    "navigation",
)


class Checks:
    """Runs checks one by one and keeps what failed."""

    def __init__(self) -> None:
        self.failed: list[str] = []

    def __call__(self, name: str, look: Callable[[], object]) -> None:
        """``look`` returns what is wrong; nothing (None, False, an empty list) is well."""
        wrong = look()
        print(f"{'FAILED' if wrong else 'ok':<7}{name}" + (f": {wrong}" if wrong else ""))
        if wrong:
            self.failed.append(name)


def look_at(report: Path, shots: Path | None) -> int:
    check = Checks()
    with chrome.page() as page:
        address = report.resolve().as_uri()
        page.size(1280, 1000)
        page.open(address)
        check("claims are listed", lambda: page.run(f"{VISIBLE}.length") == 0)
        figures = "[...document.querySelectorAll('svg.figure')]"
        page.run(OPEN_ALL)
        check("there are figures", lambda: page.run(f"{figures}.length") == 0)
        check(
            "figures have a size, a name and a curve",
            lambda: page.run(
                f"{figures}.filter((s) => s.getBoundingClientRect().height < 50 || "
                "!s.querySelector('title').textContent || !s.querySelector('path')).length"
            ),
        )
        check(
            "formulas are set as mathematics",
            lambda: page.run(
                "[...document.querySelectorAll('math')].filter((m) => "
                "m.getBoundingClientRect().height < 10).length"
            ),
        )
        _filters(check, page, address)
        for width in WIDTHS:
            page.size(width, 900, phone=width < 600)
            page.open("about:blank")
            page.open(address)
            page.run(OPEN_ALL)
            check(
                f"no sideways scroll at {width} pixels",
                lambda: page.run(
                    "document.documentElement.scrollWidth > innerWidth && "
                    "document.documentElement.scrollWidth"
                ),
            )
        for dark in (False, True):
            page.size(1280, 1000, dark=dark)
            page.open("about:blank")
            page.open(address)
            page.run(OPEN_ALL)
            check(f"contrast, {'dark' if dark else 'light'}", lambda: page.run(CONTRAST))
        check("everything has a name", lambda: _nameless(page))
        _theme(check, page, address)
        _print(check, page, address)
        if shots is not None:
            _shots(page, address, shots)
        check("no complaint in the console, no network", page.complaints)
    print(f"{len(check.failed)} failed" if check.failed else "all well")
    return 1 if check.failed else 0


def _filters(check: Checks, page: chrome.Page, address: str) -> None:
    total = page.run("document.querySelectorAll('.claim').length")
    for field in ("stands", "source", "kind", "role", "rung"):
        values = page.run(
            f"[...(document.querySelector('#f-{field}')?.options ?? [])].map((o) => o.value)"
        )
        for value in [v for v in values or [] if v]:
            page.run(
                f"(() => {{ const s = document.querySelector('#f-{field}'); s.value = {value!r}; "
                "s.dispatchEvent(new Event('change')); })()"
            )
            check(
                f"filter {field}={value}",
                lambda field=field, value=value: page.run(
                    f"{VISIBLE}.length === 0 || {VISIBLE}.length !== "
                    f"[...document.querySelectorAll('.claim')].filter((c) => "
                    f"c.dataset.{field} === {value!r}).length || "
                    f"{VISIBLE}.some((c) => c.dataset.{field} !== {value!r})"
                ),
            )
        page.run("document.querySelector('#clear').click()")
    first = page.run("document.querySelector('.claim').id")
    page.run(
        f"(() => {{ const q = document.querySelector('#q'); q.value = {first!r}; "
        "q.dispatchEvent(new Event('input')); })()"
    )
    check(
        "search finds an id",
        lambda: (
            page.run(f"!{VISIBLE}.some((c) => c.id === {first!r}) || {VISIBLE}.length === {total}")
            if total > 1
            else None
        ),
    )
    page.run(
        "document.querySelector('#q').value = 'no such words at all'; "
        "document.querySelector('#q').dispatchEvent(new Event('input'))"
    )
    check(
        "a search for nothing says so",
        lambda: page.run(
            f"{VISIBLE}.length > 0 || !document.querySelector('#none').checkVisibility()"
        ),
    )
    page.run("document.querySelector('#clear').click()")
    check("clear shows all again", lambda: page.run(f"{VISIBLE}.length") != total)
    last = page.run("[...document.querySelectorAll('.claim')].at(-1).id")
    page.open("about:blank")
    page.open(f"{address}?q=nothing-of-the-kind#{last}")
    check(
        "a deep link opens its claim, past any filter",
        lambda: page.run(
            f"(() => {{ const c = document.getElementById({last!r}); "
            "return !c.checkVisibility() || !c.firstElementChild.open; })()"
        ),
    )
    page.run("document.querySelector('.tile:not(:disabled)').click()")
    check("a tile filters", lambda: page.run(f"{VISIBLE}.length === 0"))
    page.run("document.querySelector('#clear').click()")


def _nameless(page: chrome.Page) -> list[str]:
    page.call("Accessibility.enable")
    nodes = page.call("Accessibility.getFullAXTree")["nodes"]
    return [
        f"{n['role']['value']} without a name"
        for n in nodes
        if not n.get("ignored")
        and n.get("role", {}).get("value") in NAMED_ROLES
        and not n.get("name", {}).get("value")
    ][:10]


def _theme(check: Checks, page: chrome.Page, address: str) -> None:
    paper = "getComputedStyle(document.body).backgroundColor"
    page.size(1280, 1000)
    page.open(address)
    before = page.run(paper)
    page.run("document.querySelector('#theme').click()")
    check("the button switches between light and dark", lambda: page.run(paper) == before)
    page.run("document.querySelector('#theme').click()")
    check("and back", lambda: page.run(paper) != before)
    page.run("localStorage.clear(); delete document.documentElement.dataset.theme")


def _print(check: Checks, page: chrome.Page, address: str) -> None:
    page.open("about:blank")
    page.open(address)
    pdf = base64.b64decode(page.call("Page.printToPDF", preferCSSPageSize=True)["data"])
    check("prints", lambda: not pdf.startswith(b"%PDF"))
    check(
        "printing opens what is folded",
        lambda: page.run("[...document.querySelectorAll('details')].filter((d) => !d.open).length"),
    )


def _shots(page: chrome.Page, address: str, shots: Path) -> None:
    shots.mkdir(parents=True, exist_ok=True)
    picked = page.run(
        "(document.querySelector('.claim.refuted') ?? document.querySelector('.claim')).id"
    )
    for name, width, height, place, dark in (
        ("overview", 1280, 1400, "", False),
        ("overview-dark", 1280, 1000, "", True),
        ("overview-phone", 390, 1400, "", False),
        ("claim", 1280, 1100, picked, False),
        ("claim-phone", 390, 1500, picked, False),
        ("map", 1280, 1200, "maps", False),
        ("map-phone", 390, 900, "maps", False),
        ("errata", 1280, 1100, "errata", False),
        ("errata-phone", 390, 1100, "errata", False),
    ):
        page.size(width, height, phone=width < 600, dark=dark)
        page.open("about:blank")
        page.open(f"{address}#{place}" if place else address)
        page.screenshot(shots / f"{name}.png")
    print(f"screenshots: {shots}")


def main() -> int:
    parser = argparse.ArgumentParser(description="Look at report.html in a real headless browser.")
    parser.add_argument("report", type=Path, nargs="?")
    parser.add_argument("--shots", type=Path, help="folder for screenshots")
    asked = parser.parse_args()
    if chrome.find() is None:
        print("not run: no Chromium or Chrome is installed")
        return 0
    if asked.report is not None:
        return look_at(asked.report, asked.shots)
    with tempfile.TemporaryDirectory() as place:
        import small_library

        done = small_library.finished(Path(place))
        return look_at(done.folder / "report.html", asked.shots)


if __name__ == "__main__":
    sys.exit(main())
