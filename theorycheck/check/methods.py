"""The methods of proof, in the order in which they are tried: the cheap ones and those that apply to
little first. A new prover is one module and one line here."""

from __future__ import annotations

from theorycheck.check import (
    boxes,
    cases,
    facts,
    homogeneous,
    immediate,
    induction,
    line,
    normalising,
    periodic,
    plane,
    relaxing,
    renaming,
    shifting,
    stepping,
    summation,
    telescoping,
    terms,
)
from theorycheck.check.method import Method

METHODS: tuple[Method, ...] = (
    immediate.SIGNS,
    immediate.NORMAL_FORMS,
    facts.MULTIPLES,
    relaxing.UNEQUAL,
    periodic.METHOD,
    terms.METHOD,
    shifting.METHOD,
    summation.METHOD,
    telescoping.METHOD,
    induction.METHOD,
    line.METHOD,
    normalising.METHOD,
    plane.ORTHANT,
    homogeneous.METHOD,
    plane.CELLS,
    cases.CASES,
    cases.SQUARES,
    plane.FACTORS,
    plane.ONE_NAME,
    renaming.METHOD,
    stepping.METHOD,
    relaxing.RELAXED,
    facts.RANGES,
    facts.WITHOUT,
    boxes.METHOD,
)
