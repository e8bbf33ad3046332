"""A diagnosis finds the law that was planted, names no more than the rows resolve, and is tested on
rows that did not suggest it."""

from fractions import Fraction

import pytest
import sympy as sp
from flint import fmpq

from theorycheck import balls
from theorycheck.formulas.diagnosis import confirm, diagnose, growth
from theorycheck.numbers.enclosure import Enclosure

k, p, n = sp.symbols("k p n", integer=True, positive=True)
MARGIN = 2 * sp.factorial(k) / ((2 * k + 2) ** ((k + 1) / 2) * (p - 1) * p ** ((k - 1) / 2))
GRID = [{"k": a, "p": b} for a in (2, 3, 4) for b in (3, 5, 7, 9)]
SMOKE = [{"k": a, "p": b} for a in (2, 3) for b in (3, 5)]
FRESH = [{"k": 5, "p": 11}, {"k": 2, "p": 13}]
LAW = sp.sqrt(2) / sp.pi * sp.sqrt(p)


def value(form, point):
    e = balls.evaluate(form, {str(s): point[str(s)] for s in form.free_symbols}, prec=256)
    return Enclosure(e.exact, e.exact) if e.exact is not None else Enclosure.from_ball(e.ball)


def sampled(form, point, relative, j=0):
    """An interval of the given relative half-width around a point that is off by part of it."""
    e = value(form, point)
    h = fmpq(*Fraction(relative).limit_denominator(10**9).as_integer_ratio())
    off = h * fmpq((j * 37) % 11 - 5, 40)
    size = abs(e.mid)
    return Enclosure(e.lo + size * (off - h), e.hi + size * (off + h))


def run(true, form, points=GRID, relative=0, **options):
    names = sorted({str(s) for s in (true * form).free_symbols})
    measured = [
        sampled(true, q, relative, j) if relative else value(true, q) for j, q in enumerate(points)
    ]
    return diagnose(
        points,
        measured,
        [value(form, q) for q in points],
        names,
        form=form,
        integer=names,
        **options,
    )


def same(left, right):
    points = [*GRID, *FRESH]
    return all(abs(sp.N((left - right).subs(q), 40)) < 1e-30 for q in points)


# ---------------------------------------------------------------- planted laws


@pytest.mark.parametrize("points", [GRID, SMOKE])
def test_the_planted_law_of_the_issue(points):
    d = run(MARGIN * LAW, MARGIN, points)
    assert d.text == "measured / closed form = sqrt(2)/pi * p**(1/2)"
    assert same(d.corrected, MARGIN * LAW)
    assert d.candidates > 10_000
    assert d.agrees is (True if points is GRID else None)


@pytest.mark.parametrize(
    ("true", "text"),
    [
        (2 * MARGIN, "measured / closed form = 2"),
        (-MARGIN, "measured / closed form = -1"),
        (MARGIN * sp.sqrt(p), "measured / closed form = p**(1/2)"),
        (MARGIN / p, "measured / closed form = p**(-1)"),
        (MARGIN + 1, "measured - closed form = 1"),
        (MARGIN - sp.pi / 4, "measured - closed form = -pi/4"),
        (MARGIN + p, "measured - closed form = p"),
        (MARGIN * sp.Rational(3, 2) ** k, "measured / closed form = (3/2)**k"),
        (MARGIN * sp.pi * k**2 * sp.cbrt(p), "measured / closed form = pi * k**2 * p**(1/3)"),
    ],
)
def test_planted_laws(true, text):
    d = run(true, MARGIN)
    assert d.text == text
    assert same(d.corrected, true)
    assert d.agrees is True


@pytest.mark.parametrize(
    ("true", "change"),
    [
        (MARGIN.subs(k, k - 1), "k -> k - 1 everywhere"),
        (MARGIN.subs(p, p + 1), "p -> p + 1 everywhere"),
        (MARGIN * (p - 1) / p, "without -1 in (p - 1)"),
    ],
)
@pytest.mark.parametrize("relative", [0, 1e-3])
def test_wrong_arguments(true, change, relative):
    d = run(true, MARGIN, relative=relative)
    assert d.kind == "argument" and d.mutant == change
    assert same(d.corrected, true)


def test_one_parameter_shift():
    points = [{"n": v} for v in (2, 3, 4, 6, 9, 13, 20)]
    d = run((n - 1) ** 2 / (n + 1), n**2 / (n + 2), points)
    assert d.kind == "argument" and d.mutant == "n -> n - 1 everywhere"


# ---------------------------------------------------------------- what must not be claimed


def test_samples_do_not_name_what_they_cannot_resolve():
    d = run(MARGIN * LAW, MARGIN, SMOKE, relative=0.01)
    assert d.corrected is None and d.law.constant.name is None
    assert "C in [0.4" in d.text and "sqrt" not in d.text
    low, high = (
        float(Fraction(int(v.p), int(v.q)))
        for v in (d.law.constant.interval.lo, d.law.constant.interval.hi)
    )
    assert low < float(sp.sqrt(2) / sp.pi) < high


def test_samples_name_a_factor_of_two():
    d = run(2 * MARGIN, MARGIN, relative=0.01)
    assert d.text == "measured / closed form = 2" and d.agrees is True


@pytest.mark.parametrize("true", [MARGIN * (1 + sp.sin(k * p) / 10), MARGIN + sp.cos(p**2)])
def test_no_law_no_diagnosis(true):
    assert run(true, MARGIN) is None


def test_no_deviation_no_diagnosis():
    assert run(MARGIN, MARGIN) is None
    assert run(MARGIN, MARGIN, relative=0.01) is None


def test_a_law_that_the_held_out_rows_contradict_is_dropped():
    """A ratio of 2 on the rows that are fitted, and of 3 on one that is not."""
    points = [{"n": v} for v in range(2, 12)]
    measured = [value(2 * n**2, q) for q in points]
    measured[4] = value(3 * n**2, points[4])
    expected = [value(n**2, q) for q in points]
    d = diagnose(points, measured, expected, ["n"], form=n**2, integer=["n"], held_out=[4])
    assert d is None


def test_two_values_of_a_parameter_cannot_tell_a_power_from_an_exponential():
    d = run(MARGIN * sp.Rational(3, 2) ** k, MARGIN, SMOKE)
    assert "only two values of k" in d.caution


def test_fewer_points_than_unknowns_suggest_nothing():
    points = [{"n": 2}, {"n": 5}]
    assert run(n**3 + 1, n**2 + 7, points) is None


def test_a_single_point_names_a_ratio_or_nothing():
    d = run(sp.pi**2 / 6 * n**0, sp.pi**2 / 8 * n**0, [{"n": 1}])
    assert d.text == "measured / closed form = 4/3" and d.agrees is None
    assert run(sp.cos(1) * n**0, sp.pi**2 / 8 * n**0, [{"n": 1}], relative=1e-4) is None


def test_values_that_vanish_have_no_ratio():
    points = [{"n": v} for v in (1, 2, 3, 4, 5, 6)]
    d = run(n - 1, sp.Integer(0) * n, points)
    assert d is None or d.kind != "ratio"
    assert run(n + 5, n - 1 + 0 * n, points).text == "measured - closed form = 6"


# ---------------------------------------------------------------- confirmation


def test_confirmation_on_fresh_rows():
    d = run(MARGIN * LAW, MARGIN, SMOKE)
    expected = [value(MARGIN, q) for q in FRESH]
    good = confirm(d, FRESH, [value(MARGIN * LAW, q) for q in FRESH], expected)
    assert good.agrees is True and good.points == 2
    bad = confirm(d, FRESH, [value(MARGIN * LAW * (1 + p / 10**9), q) for q in FRESH], expected)
    assert bad.agrees is False and "refuted at k=5, p=11" in bad.reason
    blunt = confirm(d, FRESH, [sampled(MARGIN * LAW, q, 5.0) for q in FRESH], expected)
    assert blunt.agrees is None and "as well" in blunt.reason
    assert confirm(d, [], [], []).agrees is None


def test_confirmation_of_a_wrong_argument():
    d = run(MARGIN.subs(k, k - 1), MARGIN, SMOKE)
    expected = [value(MARGIN, q) for q in FRESH]
    true = [value(MARGIN.subs(k, k - 1), q) for q in FRESH]
    assert confirm(d, FRESH, true, expected).agrees is True
    assert confirm(d, FRESH, expected, expected).agrees is False


def test_intervals_of_unnamed_laws_are_judged_with_their_width():
    d = run(MARGIN * LAW, MARGIN, SMOKE, relative=0.01)
    expected = [value(MARGIN, q) for q in FRESH]
    assert confirm(d, FRESH, [value(MARGIN * LAW, q) for q in FRESH], expected).agrees is True
    off = [value(MARGIN * LAW * 2, q) for q in FRESH]
    assert confirm(d, FRESH, off, expected).agrees is False


# ---------------------------------------------------------------- one-sided


def test_growth_of_a_violation_follows_its_law():
    points = [{"n": v} for v in (2, 4, 8, 16)]
    d = growth(
        points,
        [value(3 * n**2, q) for q in points],
        [value(n ** sp.Rational(3, 2), q) for q in points],
        ["n"],
        integer=["n"],
    )
    assert d.kind == "growth" and d.text == "measured / bound = 3 * n**(1/2)"


def test_growth_without_a_law_is_described():
    points = [{"n": v} for v in (2, 3, 5, 7, 11, 13)]
    d = growth(
        points,
        [value(n * (2 + sp.sin(n**2)), q) for q in points],
        [value(n / 2, q) for q in points],
        ["n"],
        integer=["n"],
    )
    assert d.law is None and "at n=2" in d.text and "at n=13" in d.text


def test_growth_of_a_lower_bound_and_of_no_violation():
    points = [{"n": v} for v in (2, 4, 8)]
    low = [value(1 / n, q) for q in points]
    one = [value(sp.Integer(1) + 0 * n, q) for q in points]
    assert growth(points, low, one, ["n"], sign=-1).text == "measured / bound = n**(-1)"
    assert growth(points, low, one, ["n"], sign=1) is None


def test_every_part_of_a_law_has_its_name():
    d = run(MARGIN * LAW, MARGIN)
    assert [f.names for f in d.law.features] == [("p",)]
    assert [str(e.name) for e in d.law.exponents] == ["1/2"]
    assert str(d.law.constant.name) == "sqrt(2)/pi"
    assert d.agrees is True
