"""One finished run of the small library, shared by the tests of reports."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from small_library import finished

from theorycheck.runs.run import Finished


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Evidence and presentations of the tests are kept in a folder of their own."""
    with pytest.MonkeyPatch.context() as patch:
        place = tmp_path_factory.mktemp("cache")
        patch.setenv("THEORYCHECK_STORE", str(place / "store.sqlite"))
        (place / "store.sqlite").touch()  # presentations are kept where there is a store
        yield place


@pytest.fixture(scope="session")
def done(tmp_path_factory: pytest.TempPathFactory, own_cache: Path) -> Finished:
    return finished(tmp_path_factory.mktemp("work"))
