"""Claims and their results in a notebook: formula, verdict, figure.

%load_ext theorycheck.notebook       # a claim shows its formula as a cell's value
from theorycheck import try_claim

result = try_claim(claim)            # runs here, at profile smoke; shows itself as a cell's value
result.verdict, result.resolution    # plain data, as in report.json
try_claim(claim, profile="standard") # a sharper look at more points
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from theorycheck.arrays.backends import pin_threads
from theorycheck.claims.functions import PROFILES, ClaimError
from theorycheck.claims.model import Claim
from theorycheck.engine.execute import Outcome, execute
from theorycheck.entries.parts import Counterexample, Resolution
from theorycheck.entries.report import Entry
from theorycheck.library.independence import check_independence
from theorycheck.library.loading import Loaded
from theorycheck.plan.settings import Settings
from theorycheck.record.entry import entry_of
from theorycheck.reports import words
from theorycheck.reports.present import Presentation, present
from theorycheck.reports.statement import full_statement
from theorycheck.sources.plain import plain

if TYPE_CHECKING:
    from jinja2 import Template


@dataclass(frozen=True)
class Result:
    """What a claim was found to be. ``entry`` holds the fields of a report's claim."""

    claim: Claim
    outcome: Outcome
    settings: Settings
    entry: Entry

    @property
    def verdict(self) -> str:
        return self.entry.verdict

    @property
    def resolution(self) -> Resolution | None:
        return self.entry.resolution

    @property
    def counterexample(self) -> Counterexample | None:
        return self.entry.counterexample

    def __repr__(self) -> str:
        return text(self.entry)

    def _repr_html_(self) -> str:
        return result_html(self.claim, self.outcome, self.settings, self.entry)


def try_claim(
    claim: Claim, *, profile: str = "smoke", seed: int = 0, alpha: float = 1e-6, device: str = "cpu"
) -> Result:
    """Run a claim in this process and judge it; caches nothing, writes nothing.

    ``profile`` (smoke, standard, deep, paper) says which points are tried and how sharply, ``alpha``
    bounds the probability of a false verdict. Raises ClaimError where the simulation reaches the
    closed form that it is compared with.
    """
    if profile not in PROFILES:
        raise ClaimError(f"profile {profile!r} is none of {', '.join(PROFILES)}")
    check_independence(claim, str(getattr(claim.legs[0].simulation, "__module__", "__main__")))
    settings = Settings(profile, seed, alpha, device)
    with pin_threads():
        outcome = execute(claim, settings)
    return Result(claim, outcome, settings, own_entry(claim, outcome, settings))


def own_entry(claim: Claim, outcome: Outcome, settings: Settings) -> Entry:
    """The report's entry of a claim that lives in a notebook."""
    item = Loaded(claim, "notebook", Path("notebook"), "", draft=True)
    entry = entry_of(item, settings, outcome, "conjecture")
    options = f"profile={settings.profile!r}, seed={settings.seed}, alpha={settings.alpha!r}"
    return replace(entry, reproduce=f"try_claim(claim, {options})")


def text(entry: Entry) -> str:
    """A result in a few lines, for terminals."""
    lines = [f"{plain(entry.title)}: {words.standing(entry)}"]
    details = [
        words.resolution_words(entry) if entry.verdict == "pass" else entry.reason,
        words.place(entry.counterexample) if entry.counterexample else "",
        f"would decide it: {entry.would_decide}" if entry.would_decide else "",
    ]
    alive = [r.name for r in entry.rivals if not r.refuted]
    if entry.rivals:
        details.append(f"rivals refuted: {len(entry.rivals) - len(alive)} of {len(entry.rivals)}")
    return "\n".join([*lines, *(f"  {d}" for d in details if d)])


def load_ipython_extension(shell: Any) -> None:
    """``%load_ext theorycheck.notebook``: a claim that has not been run shows what it says."""
    shell.display_formatter.formatters["text/html"].for_type(Claim, claim_html)


def claim_html(claim: Claim) -> str:
    """A claim that has not been run: what it says, its formula, its quantifiers."""
    shown = present(claim, (), profile="smoke", alpha=1e-6)
    return _template().render(claim=claim, shown=shown, entry=None, statement=_statement(claim))


def result_html(
    claim: Claim, outcome: Outcome, settings: Settings, entry: Entry | None = None
) -> str:
    """A claim with its verdict and figure."""
    found = entry or own_entry(claim, outcome, settings)
    shown: Presentation = present(
        claim,
        outcome.observations,
        profile=settings.profile,
        alpha=settings.alpha,
        counterexample=found.counterexample,
    )
    return _template().render(claim=claim, shown=shown, entry=found, statement=_statement(claim))


def _statement(claim: Claim) -> str:
    return full_statement(claim, None)


@cache
def _template() -> Template:
    from theorycheck.reports.formats.html import environment

    made = environment()
    made.filters.update(standing=words.standing, stands=words.stands, sharp=words.resolution_words)
    return made.get_template("notebook.html")
