"""What keys the random streams of a unit; frozen: a word that changes here moves every draw.

A stream belongs to (seed, claim id, purpose, name, point, block) as `theorycheck.arrays.streams` has
it. The names are those of the first release, apart from the keys of the plan, so that keys may change
and draws do not.
"""

from __future__ import annotations

from theorycheck.plan.keys import Purpose, UnitKey

INSTANCES = "instance"
"""Name of the streams that instances are drawn from: the same for every leg of a point."""


def sampling(key: UnitKey) -> tuple[str, str]:
    """Purpose and name of the stream that a sampled unit draws from."""
    label = key.owner.label
    return str(key.purpose), f"{key.leg}/{label}" if label else key.leg


def drawing(purpose: Purpose) -> tuple[str, str]:
    """Purpose and name of the streams that instances are drawn from.

    One instance that fails refutes a statement on all of them: what is confirmed is that it fails
    again, so confirming draws the instances that were judged, or that an attack met.
    """
    again = (Purpose.CONFIRM, Purpose.ATTACK, Purpose.FAR)
    return str(Purpose.JUDGE if purpose in again else purpose), INSTANCES
