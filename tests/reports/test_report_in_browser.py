"""The page in a real browser: the map's focus, what stays pinned, and its address. Skipped without one."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

CHROME = Path(__file__).resolve().parent.parent / "browser" / "chrome.py"
_spec = importlib.util.spec_from_file_location("theorycheck_tests_chrome", CHROME)
assert _spec is not None and _spec.loader is not None
chrome = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(chrome)

pytestmark = pytest.mark.skipif(chrome.find() is None, reason="no Chromium or Chrome is installed")

SHOWN = "[...document.querySelectorAll('.mapview [data-id]')].map((g) => g.dataset.id).sort()"
TOLD = "[...document.querySelectorAll('.mapnote > *')].filter((p) => !p.hidden).map((p) => p.id)"
WHOLE = ["toy-bound", "toy-descent", "toy-mean", "toy-open", "toy-power-sum", "toy-sum"]


@pytest.fixture(scope="module")
def browser():
    with chrome.page() as page:
        page.size(1280, 900)
        yield page


@pytest.fixture
def address(done):
    return (done.folder / "report.html").resolve().as_uri()


def click(page, selector):
    page.run(
        f"document.querySelector({selector!r}).dispatchEvent(new MouseEvent('click', {{bubbles: true}}))"
    )


def choose(page, selector, value):
    page.run(
        f"(() => {{ const s = document.querySelector({selector!r}); s.value = {value!r};"
        " s.dispatchEvent(new Event('change')); })()"
    )


def test_a_box_that_is_selected_is_the_focus_and_its_statement_stays(browser, address):
    browser.open(address)
    assert browser.run(SHOWN) == WHOLE
    click(browser, ".mapview [data-id=toy-open]")
    choose(browser, ".direction", "down")
    assert browser.run(SHOWN) == ["toy-bound", "toy-mean", "toy-open", "toy-power-sum", "toy-sum"]
    assert browser.run(TOLD) == ["note--toy-open"]
    browser.run("scrollTo(0, 0)")
    assert browser.run(TOLD) == ["note--toy-open"]
    choose(browser, ".depth", "1")
    assert browser.run(SHOWN) == ["toy-bound", "toy-open"]
    click(browser, ".whole")
    assert browser.run(SHOWN) == WHOLE


def test_a_title_is_broken_before_the_word_that_has_no_room(browser, done, tmp_path):
    page = (done.folder / "report.html").read_text(encoding="utf-8")
    odd = tmp_path / "odd.html"  # three words of 21 letters, one more than a line of a box has
    odd.write_text(
        page.replace("Mean of a uniform variable", "Mean of uniform draws here"), "utf-8"
    )
    browser.open(odd.as_uri())
    click(browser, ".mapview [data-id=toy-mean]")
    said = "[...document.querySelectorAll('.mapview [data-id=toy-mean] text.title')].map((t) => t.textContent)"
    assert browser.run(said) == ["Mean of uniform", "draws here"]


def test_the_address_keeps_the_focus(browser, address):
    browser.open(address)
    click(browser, ".mapview [data-id=toy-mean]")
    choose(browser, ".direction", "down")
    kept = browser.run("location.href")
    assert kept.endswith("--toy-mean--down--all")
    browser.open("about:blank")
    browser.open(kept)
    assert browser.run(SHOWN) == ["toy-mean", "toy-power-sum", "toy-sum"]
    assert browser.run(TOLD) == ["note--toy-mean"]
    assert browser.run("document.querySelector('.mapbox').open")


def test_an_address_of_nothing_on_the_map_shows_the_whole(browser, address):
    browser.open("about:blank")  # the same page with another address is not loaded anew
    browser.open(f"{address}#map--toy--no-such--down--all")
    assert browser.run(SHOWN) == WHOLE


def test_the_keyboard_reaches_the_map_and_the_list_beside_it(browser, address):
    browser.open(address)
    browser.run(
        "document.querySelector('.mapview g[data-id=toy-open], .mapview a:has([data-id=toy-open])').focus()"
    )
    click(browser, ".maplist button[data-focus=toy-sum]")
    choose(browser, ".direction", "up")
    assert "toy-mean" in browser.run(SHOWN) and browser.run(TOLD) == ["note--toy-sum"]
    browser.run(
        "document.querySelector('.mapview g[data-id=toy-mean]')"
        ".dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true}))"
    )
    assert browser.run(TOLD) == ["note--toy-mean"]


def test_nothing_is_cut_at_the_width_of_a_phone(browser, address):
    browser.size(390, 800, phone=True)
    browser.open(address)
    browser.run("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    assert browser.run("document.documentElement.scrollWidth") <= 390
    cut = browser.run(
        "[...document.querySelectorAll('.claim *')].filter((e) => e.scrollWidth > e.clientWidth + 1"
        " && getComputedStyle(e).overflowX === 'hidden').map((e) => e.className)"
    )
    browser.size(1280, 900)
    assert cut == []


def test_the_page_asks_for_nothing_and_complains_of_nothing(browser, address):
    browser.events.clear()
    browser.open(address)
    assert browser.complaints() == []
