"""The methods of proof, in the order in which they are tried: the cheap ones and those that apply to
little first. A new prover is one module and one line here."""

from __future__ import annotations

from theorycheck.check import (
    boxes,
    cases,
    homogeneous,
    immediate,
    induction,
    line,
    periodic,
    plane,
    shifting,
    summation,
    terms,
)
from theorycheck.check.method import Method

METHODS: tuple[Method, ...] = (
    immediate.SIGNS,
    immediate.NORMAL_FORMS,
    periodic.METHOD,
    terms.METHOD,
    shifting.METHOD,
    summation.METHOD,
    induction.METHOD,
    line.METHOD,
    plane.ORTHANT,
    homogeneous.METHOD,
    plane.CELLS,
    cases.CASES,
    cases.SQUARES,
    plane.FACTORS,
    plane.ONE_NAME,
    boxes.METHOD,
)
