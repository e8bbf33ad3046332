"""Errors that were planted in a small library, each with a witness that it is one, and what the engine says.

Every claim of the library expects to pass, as an author would who does not know; what is false on its own
declared domain, or empty, must not come out as a pass that says nothing.
"""

from __future__ import annotations

from fractions import Fraction
from math import cos, exp, log, pi
from pathlib import Path

import pytest

from theorycheck.engine.execute import execute
from theorycheck.library.loading import Library, load_source
from theorycheck.plan.settings import Settings
from theorycheck.record.entry import entry_of

ROOT = Path(__file__).parent / "library"
STANDARD = Settings("standard", 5)


def raises(error, function, *given):
    """Whether the function has no value there."""
    try:
        function(*given)
    except error:
        return True
    return False


WITNESSES = {
    "odd-for-primes": lambda m: m.units(9) == 6 != 9 - 1,
    "odd-for-prime-powers": lambda m: m.square_roots_of_one(15) == 4,
    "dropped-condition": lambda m: m.residues(3, 2) == 2 != 3 + 1,
    "beyond-the-grid": lambda m: (
        m.contraction(40, 20) > exp(-1.02 * 20 / 40)
        and all(m.contraction(a, t) <= exp(-1.02 * t / a) for a in (2, 3, 5, 10) for t in (1, 2, 3))
    ),
    "border-times-far": lambda m: m.border_far_out(20, 40) == 19,
    "empty-where-simple": lambda m: (
        m.contraction(10**6, 2) > exp(-1.02 * 2 / 10**6) and m.contraction(10**6, 0) == exp(0)
    ),
    "border-of-where-moved": lambda m: (
        m.steps_of_descent(2, 2, Fraction(51, 100), 3) > (1 - Fraction(102, 100)) ** 3
    ),
    "border-of-a-piece-moved": lambda m: m.solved(Fraction(1999, 2000)) == 0,
    "not-attained-beyond": lambda m: m.hinge_of_one(2) == 0 > 1 - 2,
    "maximum-over-too-few": lambda m: m.largest_seen(4) == 3 != max(j % 5 for j in range(5)),
    "one-sided-constant": lambda m: m.half_of_sum(1) == Fraction(1, 2) > Fraction(3, 8),
    "bound-that-nothing-meets": lambda m: m.largest_cut(3) == 2 != m.number_of_edges(3),
    "not-computable-inside": lambda m: raises(ZeroDivisionError, m.reciprocal, 2),
    "odd-left-out": lambda m: m.parities(3) == 2 != Fraction(3, 2),
    "doubled-exponent": lambda m: Fraction(1, 4) > Fraction(1, 4) ** 2,  # |x|^2 of x = (1/2)
    "instances-all-alike": lambda m: m.fixed_vector(_Rng(), 2) == m.fixed_vector(_Rng(), 2),
    "term-never-seen": lambda m: m.sum_and_shift([1], 1, 1) == 0 != 1 + 1,
    "field-never-varied": lambda m: m.scaled_twice([1], 2) == 2 != m.squared_scale([1], 2),
    "steps-all-equal": lambda m: (
        m.product_of_steps([Fraction(1), Fraction(0)])
        != m.first_step_only([Fraction(0), Fraction(1)])
    ),
    "hypothesis-inside-by-instances": lambda m: m.squared(Fraction(3, 2)) > Fraction(3, 2),
    "rival-inside-by-instances": lambda m: m.squared(Fraction(3, 2)) > Fraction(3, 2),
    "draw-beyond-what-is-said": lambda m: m.gram(m.too_long_rows(_Rng(5), 2)["W"]) > 1,
    "draw-outside-of-its-domain": lambda m: m.one_axis(_Rng(), 2)["Q"] == [[1, 1], [0, 0]],
    "witness-failed": lambda m: m.poor_witness(5) < 5,
    "bad-draw": lambda m: m.mostly(0, 1) < 1,
    "small-size": lambda m: m.late(5) > Fraction(2, 5) and m.late(100) <= Fraction(2, 100),
    "outer-for-all": lambda m: m.outer_failure(5) < 5,
    "chance-in-too-wide-a-domain": lambda m: m.generic_rank(1, 2, 1) == 1 < 2,
    "limit-in-too-wide-a-domain": lambda m: m.limit_of_others(2, 2) == 2,
    "lemma-that-nobody-proved": lambda m: m.best_edge(3) == 1,  # true, and nothing that shows it
    "certificate-without-model": lambda m: m.closed_form_again(3) == m.two_to_the(3) == 8,
    "certificate-that-breaks-down": lambda m: m.closed_form_once_checked(3) == 2**3,
    "certificate-that-runs-the-construction": lambda m: (
        m.bound_by_the_construction(3) == m.best_edge(3)
    ),
    "limit-at-even-p-and-four": lambda m: (
        sum(round(cos(2 * pi * j / 4)) ** 4 for j in range(4)) == 2
    ),
    "coordinate-bound-at-one": lambda m: m.coordinates(1) == 2 > Fraction(3, 4) * 2,
    "fewer-sources-than-the-rank": lambda m: m.rank_of_powers(1, 2) == 1 < 2,
    "experiment-that-was-not-run": lambda m: raises(KeyError, m.trained, 4, 3),
    "one-head": lambda m: m.pairs_of_heads(1) == 0 < Fraction(1, 2),
    "one-neuron": lambda m: m.larger_group(1) == 1 > Fraction(2, 3),
    "leg-for-odd-p-only": lambda m: m.halves_of_zero(2) == 1 != 0 == m.halves_of_zero(3),
    "zero-spectrum": lambda m: raises(ZeroDivisionError, m.condition_number, (1, 0), 2),
    "not-a-number-inside": lambda m: raises(ValueError, log, Fraction(1, 2) - 1),
    "hypothesis-inside-by-points": lambda m: m.one_lost_far_out(1234) == 1233,
    "rival-inside-by-points": lambda m: m.one_lost_far_out(1234) == 1233,
    "oracle-within-tolerance": lambda m: m.distance_of_answers(Fraction(1, 4)) == 0,
    "optimum-flipped": lambda m: m.last_weight(2) == Fraction(1, 2) < m.first_weight(2) == 1,
    "noise-along-one-axis": lambda m: (
        m.length_along([1, 1], [1, 0], [0, 0]) == 2 != m.first_entry_squared([1, 1], [1, 0], [0, 0])
    ),
    "minimum-over-too-few": lambda m: (
        m.smallest_pair(4) == 2 > min(abs(a - b) for a in (0, 1, 3) for b in (0, 1, 3) if a != b)
    ),
}
"""Claim -> what shows that it is false, or empty, where its author did not look."""

VERDICTS = {
    "odd-for-primes": ("fail", {"p": 9}),
    "dropped-condition": ("fail", {"k": 2, "p": 2}),
    "one-sided-constant": ("fail", {"n": 1}),
    "odd-left-out": ("fail", {"n": 1}),
    "doubled-exponent": ("fail", {"d": 1}),
    "hypothesis-inside-by-instances": ("fail", {}),
    "rival-inside-by-instances": ("fail", {}),
    "outer-for-all": ("fail", {"k": 5}),
    "odd-for-prime-powers": ("fail", {"p": 15}),
    "beyond-the-grid": ("fail", {"kappa": 1_000_000, "T": 1}),
    "border-times-far": ("fail", {"n": 20, "p": 80}),
    "empty-where-simple": ("fail", {"kappa": 1_000_000, "T": 1}),
    "border-of-where-moved": ("fail", {"mu": 1, "L": 1, "eta": "51/50", "T": 1}),
    "border-of-a-piece-moved": ("fail", {"mu": "1999/2000"}),
    "limit-at-even-p-and-four": ("fail", {"p": 4, "R": 4}),
    "coordinate-bound-at-one": ("fail", {"k": 1}),
    "fewer-sources-than-the-rank": ("fail", {"R": 1, "r": 2}),
    "one-head": ("fail", {"heads": 1}),
    "one-neuron": ("fail", {"m": 1}),
    "leg-for-odd-p-only": ("fail", {"p": 2}),
    "hypothesis-inside-by-points": ("fail", {"k": 1234}),
    "rival-inside-by-points": ("fail", {"k": 1234}),
    "oracle-within-tolerance": ("fail", {}),
    "experiment-that-was-not-run": ("inconclusive", "not computable at k=2, p=4"),
    "zero-spectrum": ("inconclusive", "not computable at d=1, lam=(0)"),
    "not-a-number-inside": ("inconclusive", "not computable at x=0"),
    "optimum-flipped": ("inconclusive", "survivor: the last weight"),
    "maximum-over-too-few": ("inconclusive", "survivor: mutant n -> n - 1"),
    "instances-all-alike": ("inconclusive", "survivor: mutant sign of shift"),
    "term-never-seen": ("inconclusive", "survivor: mutant sign of shift"),
    "not-computable-inside": ("inconclusive", "not computable at n=2"),
    "not-attained-beyond": (
        "inconclusive",
        "not closed at B=2 (attained: no certificate: the construction falls short of the claimed optimum)",
    ),
    "bound-that-nothing-meets": (
        "inconclusive",
        "no construction: a bound that nothing is seen to meet is no optimum",
    ),
    "witness-failed": ("inconclusive", "the witness failed, another theta may do"),
    "bad-draw": ("inconclusive", "a bad draw of w refutes nothing"),
    "small-size": ("inconclusive", "a small n refutes nothing that is said of large ones"),
    "chance-in-too-wide-a-domain": ("inconclusive", "a bad draw of w refutes nothing"),
    "limit-in-too-wide-a-domain": ("inconclusive", "it fails, and n is left open"),
}


class _Rng:
    def __init__(self, drawn=None):
        self.drawn = drawn

    def integers(self, low, high):
        return low if self.drawn is None else self.drawn

    def signs(self):
        return 1


@pytest.fixture(scope="module")
def entries():
    """The report's entry of every claim of the library, by id."""
    items = load_source(Library(ROOT), ROOT / "planted")
    return {
        item.id: entry_of(item, STANDARD, execute(item.claim, STANDARD, figures=False), "identity")
        for item in items
    }


@pytest.fixture(scope="module")
def modules():
    """The functions of each claim's module by claim."""
    items = load_source(Library(ROOT), ROOT / "planted")
    simulations = {item.id: item.claim.legs[0].simulation for item in items}
    return {
        id: _Module(found.__globals__)
        for id, found in simulations.items()
        if hasattr(found, "__globals__")
    }


SAID = {
    "draw-beyond-what-is-said": "the spectral norm of W is at most 1",
    "draw-outside-of-its-domain": "Q in orthogonal matrices of size d",
}


@pytest.mark.parametrize("planted", SAID)
def test_a_draw_that_breaks_what_is_said_of_it_is_an_error(planted, entries):
    assert entries[planted].verdict == "error"
    assert f"breaks what is said of them: {SAID[planted]}" in entries[planted].reason


class _Module:
    def __init__(self, names):
        self.__dict__.update(names)


@pytest.mark.parametrize("planted", WITNESSES)
def test_what_was_planted_is_an_error(planted, modules):
    assert WITNESSES[planted](modules[planted])


@pytest.mark.parametrize("planted", VERDICTS)
def test_the_engine_finds_it(planted, entries):
    verdict, what = VERDICTS[planted]
    entry = entries[planted]
    assert entry.verdict == verdict, entry.reason
    if verdict == "fail":
        assert entry.counterexample.point == what and entry.counterexample.confirmed is not False
    else:
        assert what in entry.reason and entry.would_decide


def test_a_counterexample_among_the_instances_of_another_says_whose(entries):
    dropped, rival = (
        entries[f"{what}-inside-by-instances"].counterexample for what in ("hypothesis", "rival")
    )
    assert (dropped.among, rival.among) == ("without at most 1", "larger scales")
    assert dropped.confirmed is True and rival.confirmed is True


CERTIFICATES = {
    "certificate-without-model": "no bound of its own that a change of the model moves",
    "certificate-that-breaks-down": "moves; it breaks down, ",
    "certificate-that-runs-the-construction": "no bound of its own that a change of the model moves",
    "minimum-over-too-few": "no bound of its own that a change of the model moves",
    "lemma-that-nobody-proved": "by claim obvious once that is proved",
}


@pytest.mark.parametrize("planted", CERTIFICATES)
def test_what_is_no_certificate_is_argued(planted, entries):
    (clause,) = entries[planted].clauses
    assert (clause.status, clause.payments[1].by) == ("argued", "argued")
    assert CERTIFICATES[planted] in clause.payments[1].detail


def test_a_certificate_that_nothing_moves_leaves_the_optimum_searched(entries):
    assert entries["certificate-without-model"].rung == "searched"
    assert entries["certificate-that-breaks-down"].rung == "searched"
    assert entries["certificate-that-runs-the-construction"].rung == "searched"
    assert entries["minimum-over-too-few"].rung == "searched"
    moved = entries["lemma-that-nobody-proved"]
    assert moved.rung == "certified" and moved.legs[1].moved_by == "edges"


def test_only_a_for_all_is_refuted_by_a_point(entries):
    status = {c.id: c.status for e in entries.values() for c in e.clauses}
    assert status["chosen/for-all"] == "refuted"
    spared = ("there-is", "with-probability", "eventually")
    assert {status[f"chosen/{id}"] for id in spared} == {"inconclusive"}


NOT_VARIED = {"field-never-varied": "alpha", "steps-all-equal": "eta"}


@pytest.mark.parametrize("planted", NOT_VARIED)
def test_a_field_that_never_differs_pays_for_no_for_all(planted, entries):
    (clause,) = entries[planted].clauses
    paid = {p.name: p for p in clause.payments}
    assert clause.status == "open" and paid["d"].by == "points"
    assert paid[NOT_VARIED[planted]].by == "open"
    assert f"{NOT_VARIED[planted]}: 0, the same or" in paid[NOT_VARIED[planted]].detail


NARROWER = {"step-for-a-part": "p", "small-for-all": "m"}


@pytest.mark.parametrize("planted", NARROWER)
def test_a_proof_for_less_than_the_clause_is_points(planted, entries):
    """p (1 - p) is 1/4 at p = 1/2, and 2^2 is not below 2."""
    (clause,) = entries[planted].clauses
    (paid,) = clause.payments
    assert entries[planted].verdict == "pass" and clause.status == "checked"
    assert paid.by == "points" and f"; the clause has {NARROWER[planted]} = " in paid.detail


def test_two_sizes_are_points_of_all_of_them(entries):
    """Exhausted is the claim's own domain, which is less than the clause's."""
    (clause,) = entries["two-sizes-for-all"].clauses
    assert clause.payments[0].by == "points"
    assert clause.payments[0].detail.endswith("the clause has 1 too")


DEGENERATE = {
    "instances-all-alike": "drawn: all instances of a point are the same",
    "field-never-varied": "drawn: field alpha is the same in all instances of a point",
    "steps-all-equal": "drawn: field eta is of equal entries in every instance",
    "term-never-seen": "drawn: term shift of the closed form is 0 wherever it was compared",
    "never-binds": "drawn: the bound never binds",
    "noise-along-one-axis": "drawn: field noise is of one entry other than 0 in every instance",
    "certificate-with-a-blind-term": "certificate: slack of with_slack is 0 at all",
}


@pytest.mark.parametrize("planted", DEGENERATE)
def test_evidence_that_never_differs_is_said(planted, entries):
    assert any(line.startswith(DEGENERATE[planted]) for line in entries[planted].degenerate)
