"""The search of the site, opened as a file in a real browser. Skipped without one."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
_spec = importlib.util.spec_from_file_location(
    "theorycheck_tests_chrome", ROOT / "tests" / "browser" / "chrome.py"
)
assert _spec is not None and _spec.loader is not None
chrome = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(chrome)

pytestmark = pytest.mark.skipif(chrome.find() is None, reason="no Chromium or Chrome is installed")

FOUND = (
    "[...document.querySelectorAll('#mkdocs-search-results a')].map((a) => a.getAttribute('href'))"
)
SAYS = "document.querySelector('#mkdocs-search-results').textContent.trim()"


@pytest.fixture(scope="module")
def search(tmp_path_factory):
    """What a question finds, typed into the box of the search page of a built site."""
    folder = tmp_path_factory.mktemp("site")
    build = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True)
    with chrome.page() as page:
        page.size(1280, 900)

        def ask(words):
            page.open("about:blank")
            page.open(f"{(folder / 'search.html').as_uri()}?q={words}")
            page.run("new Promise((done) => setTimeout(done, 0))")
            return page.run(FOUND), page.run(SAYS)

        ask.page, ask.folder = page, folder
        yield ask


def test_a_word_of_a_page_is_found_and_its_link_opens(search):
    links, _ = search("Marchenko")
    assert any(link.startswith("./examples.html") for link in links)
    first = links[0].removeprefix("./").partition("#")[0]
    assert (search.folder / first).is_file()


@pytest.mark.parametrize(
    "words", ["samples", "recorded_samples", "rng.normal", "title:-x", "%2B%2B%2Bgrid"]
)
def test_names_and_signs_are_words(search, words):
    assert search(words)[0]


def test_what_is_nowhere_is_said_to_be_nowhere(search):
    assert search("xyzzyplugh") == ([], "No results found")
    search.page.run(
        "(() => { const b = document.getElementById('mkdocs-search-query');"
        " b.value = 'Pinsker'; b.dispatchEvent(new Event('input')); })()"
    )
    assert any("conjectures.html" in link for link in search.page.run(FOUND))
    assert search.page.complaints() == []
