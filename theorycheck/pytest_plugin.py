"""pytest plugin: ``pytest --theorycheck PATH`` collects the claims of the files under PATH as items.

An item is named after its claim and passes when the verdict is the expected one; a failing item prints
the counterexample and the command that reproduces it. Without ``--theorycheck`` the plugin collects
nothing; the fixture ``assert_claim`` is there in any case.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from theorycheck.library.loading import Loaded

PROFILES = ("smoke", "standard", "deep", "paper")


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of the plugin."""
    group = parser.getgroup("theorycheck", "claims of learning theory")
    group.addoption("--theorycheck", action="store_true", help="collect claim modules as tests")
    group.addoption("--theorycheck-profile", choices=PROFILES, default="smoke")
    group.addoption("--theorycheck-seed", type=int, default=0)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Claim modules as test files."""
    # A file that is named on the command line reaches pytest_pycollect_makemodule instead.
    if parent.session.isinitpath(file_path) or not _holds_claims(file_path, parent.config):
        return None
    return ClaimFile.from_parent(parent, path=file_path)


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> Any:
    """A file of claims is collected as claims and not as a module of test functions too."""
    if _holds_claims(module_path, parent.config):
        return ClaimFile.from_parent(parent, path=module_path)
    return None


def _holds_claims(path: Path, config: pytest.Config) -> bool:
    if not config.getoption("--theorycheck") or path.suffix != ".py":
        return False
    if path.name.startswith(("_", "test_", "conftest")):
        return False
    text = path.read_text(encoding="utf-8", errors="replace")
    return "theorycheck" in text and "claim(" in text


class ClaimFile(pytest.File):
    """A file of claims."""

    def collect(self) -> Iterator[ClaimItem]:
        from theorycheck.claims.functions import ClaimError
        from theorycheck.library.loading import check_ids, load_file

        try:
            loaded = load_file(self.path)
            check_ids(loaded)
        except ClaimError as error:
            raise self.CollectError(str(error)) from None
        for item in loaded:
            yield ClaimItem.from_parent(self, name=item.claim.id, loaded=item)


class ClaimItem(pytest.Item):
    """One claim; ``-k`` also finds it by its role and source."""

    def __init__(self, *, loaded: Loaded, **rest: Any) -> None:
        super().__init__(**rest)
        self.loaded = loaded
        self.extra_keyword_matches |= {loaded.claim.role, loaded.source}

    def runtest(self) -> None:
        from theorycheck.numbers.errors import Absent
        from theorycheck.testing import assert_claim

        try:
            assert_claim(
                self.loaded.claim,
                profile=self.config.getoption("--theorycheck-profile"),
                seed=self.config.getoption("--theorycheck-seed"),
                again=f"{shlex.quote(self._place())} -k {self.name}",
            )
        except Absent as error:
            pytest.skip(str(error))

    def _place(self) -> str:
        """The file as seen from where pytest was started."""
        start = self.config.invocation_params.dir
        return str(self.path.relative_to(start) if self.path.is_relative_to(start) else self.path)

    def repr_failure(
        self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None
    ) -> str | Any:
        from theorycheck.testing import ClaimFailed

        if isinstance(excinfo.value, ClaimFailed):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, None, f"claim {self.name}"


@pytest.fixture
def assert_claim() -> Callable[..., Any]:
    """`theorycheck.testing.assert_claim`."""
    from theorycheck.testing import assert_claim as judge_or_fail

    return judge_or_fail
