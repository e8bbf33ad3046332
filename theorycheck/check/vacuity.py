"""Whether a statement is about anything: a proof about nothing is no pass."""

from __future__ import annotations

import itertools

from theorycheck.check.judge import HOLDS, Judge
from theorycheck.check.points import Points
from theorycheck.check.problem import Problem

# So many points are drawn, and then looked at in order, for one that satisfies the hypotheses.
_DRAW_FOR_ONE, _LOOK_FOR_ONE = 300, 3000


def occupied(problem: Problem, judge: Judge, points: Points, seed: int) -> bool:
    """Whether a point of the domain is found that satisfies the hypotheses."""
    if not problem.domains.variables and not problem.hypotheses:
        return True
    drawn = filter(None, itertools.islice(points.sampled(seed), _DRAW_FOR_ONE))
    listed = itertools.islice(points.structured(1), _LOOK_FOR_ONE)
    return any(
        judge.contains(point)
        and all(judge.truth(h, point).status == HOLDS for h in problem.hypotheses)
        for point in itertools.chain(drawn, listed)
    )
