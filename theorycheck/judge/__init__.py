"""Judge: a pure function of the plan and the kept observations.

Rows are built from observations and closed form (``rows``), relations decide on rows (``legs``), and a
claim's ``verdict`` is put together from its legs, ``rivals``, mutants (``mutation``) and
``hypotheses``; a fail gets its counterexample (``counterexamples``) and the law of its deviations
(``deviations``). ``sharpness`` says how sharply was looked. Nothing is run here, so a co-author
without the machine can judge again, at another level or with another closed form.
"""

from theorycheck.judge.judgement import Judgement
from theorycheck.judge.legs import decide_leg
from theorycheck.judge.rows import measured_values, rows_of
from theorycheck.judge.sharpness import subject
from theorycheck.judge.verdict import judge

__all__ = [
    "Judgement",
    "decide_leg",
    "judge",
    "measured_values",
    "rows_of",
    "subject",
]
