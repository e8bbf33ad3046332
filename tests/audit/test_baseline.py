"""Claims as they are: recalled where they can be, the same from any number of workers, counted apart."""

import time
from types import SimpleNamespace

import pytest

from theorycheck.audit import baseline as module
from theorycheck.audit import run
from theorycheck.audit.baseline import baseline, baselines
from theorycheck.audit.trial import TrialResult
from theorycheck.engine.execute import execute
from theorycheck.library.loading import load_all
from theorycheck.plan.settings import Settings

CLAIMS = """
import sympy as sp
from theorycheck import at_most, claim, integers, leg, probability, variant

n = sp.symbols("n", integer=True, positive=True)


def total(n):
    return sum(range(n + 1))


def high(ns, rng, size, n):
    return rng.uniform((size,)) < ns.rational(1, n)


sums = claim(
    "sums", domain={n: integers(1)}, grid={"smoke": {n: [1, 2, 5]}},
    closed_form=n * (n + 1) / 2, rivals=[variant("n^2", closed_form=n**2)],
)(total)
wrong = claim(
    "wrong", domain={n: integers(1)}, grid={"smoke": {n: [1, 2, 5]}}, expect="fail",
    closed_form=n**2,
)(total)
bound = claim(
    "bound", domain={n: integers(2)}, grid={"smoke": {n: [2, 3]}}, relation=at_most(),
    closed_form=2 / n, legs=[leg("sampled", high, statistic=probability())],
    rivals=[variant("half", closed_form=1 / (2 * n))],
)
"""


@pytest.fixture
def items(tmp_path):
    folder = tmp_path / "library" / "small"
    folder.mkdir(parents=True)
    (folder / "statements.toml").write_text("")
    (folder / "claims.py").write_text(CLAIMS)
    return load_all([folder.parent])


def plain(bases):
    return {
        id: (
            b.verdict,
            b.signature,
            {k: o.values for k, o in b.evidence.items()},
        )
        for id, b in bases.items()
    }


def test_any_number_of_workers_gives_the_same(items):
    alone, together = (
        baselines(items, Settings("smoke")),
        baselines(items, Settings("smoke"), workers=3),
    )
    assert list(alone) == list(together) == [item.id for item in items]
    assert plain(alone) == plain(together)
    assert {id: b.verdict for id, b in alone.items()} == {
        "sums": "pass",
        "wrong": "fail",
        "bound": "pass",
    }


def test_what_is_cached_is_not_made_again(items, tmp_path, monkeypatch):
    made = []

    def watched(*given, **options):
        outcome = execute(*given, **options)
        made.append(outcome.fresh)
        return outcome

    monkeypatch.setattr(module, "execute", watched)
    store = tmp_path / "evidence.sqlite"
    for item in items:
        first = baseline(item, Settings("smoke"), store)
        again = baseline(item, Settings("smoke"), store)
        assert plain({item.id: first}) == plain({item.id: again})
        assert first.seconds(frozenset({"sampled", "total"})) == again.seconds(
            frozenset({"sampled", "total"})
        )
    assert [fresh > 0 for fresh in made] == [True, False] * len(items)


def test_half_of_the_budget_is_for_the_claims_as_they_are(items, monkeypatch):
    given = []

    def watched(*positional, until, **named):
        given.append(until)
        return baselines(*positional, until=until, **named)

    monkeypatch.setattr(run, "baselines", watched)
    monkeypatch.setattr(run, "time", SimpleNamespace(monotonic=lambda: 0.0))  # long ago
    found = run.audit(items, Settings("smoke"), budget=1.0)
    assert given == [0.5]
    assert {m.finding.found for m in found} == {TrialResult.UNREACHED}
    assert {m.part for m in found} >= {"simulation", "declaration"}
    assert all(b.why == "not looked at within the budget" for b in unseen(items).values())


def unseen(items):
    return baselines(items, Settings("smoke"), until=time.monotonic() - 1)
