"""A bound that is only touched is within so much of it, in every output: it is not said to hold."""

import sympy as sp

from theorycheck import at_most, claim, integers, leg
from theorycheck.cli.drafts import judged, text
from theorycheck.engine.execute import execute
from theorycheck.plan.settings import Settings
from theorycheck.record.entry import draft_entry
from theorycheck.reports.words import standing

n = sp.symbols("n", integer=True, positive=True)


def test_a_touched_bound_is_within_so_much_of_it():
    def root(ns, n):
        return ns.sqrt(ns.asarray(n)) * ns.sqrt(ns.asarray(n))

    c = claim("touched", domain={n: integers(1)}, grid={"smoke": {n: [2, 3]}}, closed_form=n,
              relation=at_most(), legs=[leg("value", root, arithmetic="ball")])  # fmt: skip
    j = execute(c, Settings("smoke", 0)).judgement
    assert j.verdict == "pass" and 0 < j.within.value < 1e-30
    said = standing(draft_entry(c, j))
    assert said.startswith("within a relative") and "of the bound" in said
    answer = judged(c, 5, 0)
    assert answer.standing == said
    printed = text(answer)
    assert "of the bound" in printed
    assert "holds" not in printed and "no counterexample found" not in printed
