"""Judge: a pure function of the kept observations.

Rows are built from observations and closed form (``rows``, ``forms``), relations decide on rows
(``legs``), and a claim's ``verdict`` is put together from its legs, ``rivals``, mutants (``mutation``)
and ``hypotheses``; a fail gets its counterexample (``counterexamples``) and the law of its deviations
(``deviations``). ``budget`` divides the error probability, ``sharpness`` says how sharply was looked.
Nothing is run here, so a co-author without the machine can judge again, at another level or with
another closed form.
"""

from theorycheck.formulas.closed_form import Form, expression_text
from theorycheck.judge.judgement import Judgement
from theorycheck.judge.legs import decide_leg
from theorycheck.judge.rows import measured_values, rows_of
from theorycheck.judge.scope import domain_text, tested_text
from theorycheck.judge.sharpness import GOALS, sharpened, subject
from theorycheck.judge.verdict import judge
from theorycheck.plan.budget import (
    CONFIRM_SHARE,
    GRID_SHARE,
    SLOTS,
    Slots,
    confirming_points,
    own_data,
    rival_points,
    slots,
)

__all__ = [
    "CONFIRM_SHARE",
    "GOALS",
    "GRID_SHARE",
    "SLOTS",
    "Form",
    "Judgement",
    "Slots",
    "confirming_points",
    "decide_leg",
    "domain_text",
    "expression_text",
    "judge",
    "measured_values",
    "own_data",
    "rival_points",
    "rows_of",
    "sharpened",
    "slots",
    "subject",
    "tested_text",
]
