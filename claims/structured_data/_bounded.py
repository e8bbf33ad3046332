"""A program of drawn members and neurons beside the program of its bound, and a proved step of a bound."""

from __future__ import annotations

from theorycheck import at_most, formula_leg, instances, leg, rivals_of, typed


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


def step(name, text, over, constant, wrong, names, gives=()):
    """The leg of a proved inequality in the constant ``{c}`` of ``text``, for the quantified ``names``, and the rival
    with the constant ``wrong``: two lists."""
    found = formula_leg(name, typed(text.format(c=constant), over=over), over=names, gives=gives)
    return [found], rivals_of(found, {f"{name}: constant {wrong}": text.format(c=wrong)})
