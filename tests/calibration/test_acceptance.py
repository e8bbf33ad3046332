"""Passing equalities that are not exact: off by 10 times their resolution they fall by the recorded
evidence, off by a tenth they do not."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from theorycheck.calibration.acceptance import acceptance, applies
from theorycheck.calibration.families import all_truths
from theorycheck.engine.execute import execute
from theorycheck.library.loading import load_all
from theorycheck.plan.settings import Settings

EQUALITIES = [
    t
    for t in all_truths()
    if t.relation == "equals"
    and t.rung
    in ("ball", "interval", "external", "probability", "bounded mean", "sub-Gaussian mean")
]
BUNDLED = ("fourier-neuron-near-misses", "fourier-optimal-neuron-dft", "fourier-lambda-limit")


@given(truth=st.sampled_from(EQUALITIES), seed=st.integers(0, 2**32))
@settings(max_examples=25, deadline=None)
def test_families(truth, seed):
    claim = truth.claim()
    done = execute(claim, Settings("smoke", seed))
    if applies(claim, done.judgement):
        found = acceptance(claim, done.observations, done.judgement)
        assert found.holds, found


@pytest.mark.parametrize("id", BUNDLED)
def test_bundled_claims(id):
    claim = next(
        item.claim for item in load_all(sources=["fourier_circuits"]) if item.claim.id == id
    )
    done = execute(claim, Settings("smoke", 0))
    assert applies(claim, done.judgement)
    assert acceptance(claim, done.observations, done.judgement).holds


def test_an_overstated_resolution_does_not_hold():
    truth = next(t for t in EQUALITIES if t.rung == "ball")
    claim = truth.claim()
    done = execute(claim, Settings("smoke", 0))
    stated = done.judgement.uniform_factor
    for factor, held in ((1, True), (1 / 50, False), (50, False)):
        judgement = replace(
            done.judgement, uniform_factor=structs.replace(stated, value=stated.value * factor)
        )
        assert acceptance(claim, done.observations, judgement).holds is held
