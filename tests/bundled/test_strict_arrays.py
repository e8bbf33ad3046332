"""Array programs of the library call nothing that only NumPy has.

Legs in floats (intervals and draws) run on the array library of the device, so each runs here under
``array_api_strict`` at its smallest point, and must see there what it sees on NumPy. The other legs
run on the engine's own rationals and balls, on every device.
"""

from dataclasses import replace

import array_api_strict
import numpy as np
import pytest
import scipy.special

from theorycheck.arrays import floats, intervals, select
from theorycheck.arrays.backends import Backend
from theorycheck.evidence.cached import Nothing
from theorycheck.evidence.observe import ObservationContext, observe
from theorycheck.library.loading import load_all
from theorycheck.plan.plan import make_plan
from theorycheck.plan.settings import Settings

STRICT = Backend(array_api_strict, "cpu", "array_api_strict")
DEVICE_LEGS = [
    pytest.param(item.claim, leg, id=f"{item.claim.id}/{leg.name}".replace(" ", "-"))
    for item in load_all()
    for leg in item.claim.legs
    if leg.arithmetic.name in ("interval", "samples")
]


@pytest.fixture(autouse=True)
def special_functions(monkeypatch):
    """The standard has no special functions: each array library brings its own, and this one SciPy's."""
    own = floats.special

    def special(xp, name):
        if xp is not array_api_strict:
            return own(xp, name)
        found = getattr(scipy.special, name)
        return lambda x: array_api_strict.asarray(found(np.asarray(x)))

    for module in (floats, intervals):
        monkeypatch.setattr(module, "special", special)


def test_there_are_legs_that_use_the_device():
    assert len(DEVICE_LEGS) >= 9


@pytest.mark.parametrize(("claim", "leg"), DEVICE_LEGS)
def test_strict_arrays_see_the_same(claim, leg):
    point = claim.points("smoke", leg)[0]
    unit = make_plan(claim, Settings("smoke", 1)).unit(leg, point)
    unit = replace(unit, limit=64, stop=None)
    plain, strict = (
        observe(unit, ObservationContext(claim.id, 1, backend), Nothing())
        for backend in (select("cpu"), STRICT)
    )
    assert (plain.status, strict.status) == ("ok", "ok"), strict.message
    assert plain.samples == strict.samples
    assert plain.state == strict.state
    assert plain.values == strict.values
    assert plain.state or plain.values
