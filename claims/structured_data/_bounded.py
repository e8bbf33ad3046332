"""A program of drawn members and neurons beside the program of its bound."""

from __future__ import annotations

from theorycheck import at_most, instances, leg


def bounded(fields, name, program, bound, draw, count=1, more=1, **pays):
    """The leg: ``program`` is at most ``bound`` on ``count`` draws, ``more`` of them from the standard profile on."""
    return leg(
        name,
        program,
        reference=bound,
        relation=at_most(),
        required=False,
        instances=instances(draw, fields, smoke=count, standard=more),
        **pays,
    )
