"""Mutants: the slips that matter are made, none is the form itself, and equivalence never guesses."""

import time
from fractions import Fraction

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from theorycheck.formulas.equivalence import equivalence
from theorycheck.formulas.mutants import CAP, mutants
from theorycheck.numbers.domain import choices, integers, odd_integers, reals

k, p, n = sp.symbols("k p n", integer=True, positive=True)
x, y, z = sp.symbols("x y z")
i, d = sp.symbols("i d", integer=True, positive=True)
lam = sp.IndexedBase("lam")
DOMAINS = {"k": integers(1), "p": odd_integers(3)}
MARGIN = 2 * sp.factorial(k) / ((2 * k + 2) ** ((k + 1) / 2) * (p - 1) * p ** ((k - 1) / 2))
NUDGE = [Fraction(1, 10**9)]


def made(form, nudges=NUDGE, **options):
    names = [str(s) for s in form.free_symbols]
    return mutants(form, parameters=names, integer=names, nudges=nudges, **options)


def forms(form, **options):
    return {m.form for m in made(form, **options)}


# ---------------------------------------------------------------- the slips that are made


@pytest.mark.parametrize(
    "wrong",
    [
        MARGIN * (1 + sp.Rational(1, 10**9)),
        MARGIN * (1 - sp.Rational(1, 10**9)),
        MARGIN / 2,
        MARGIN / sp.factorial(k),
        MARGIN * (p - 1) / p,
        MARGIN * (2 * k + 2) ** sp.Rational(1, 2),
        MARGIN * (2 * k + 2),
        MARGIN * p ** sp.Rational(-1, 2),
        MARGIN / p,
        MARGIN.subs(2 * k + 2, 2 * k),
        MARGIN.subs(2 * k + 2, k + 2),
        MARGIN.subs(k, k - 1),
        MARGIN.subs(k, k + 1),
        MARGIN.xreplace({p: k, k: p}),
        -MARGIN,
    ],
)
def test_the_wrong_margins_of_the_catalogue_are_among_the_mutants(wrong):
    values = [{k: 3, p: 5}, {k: 2, p: 7}]
    sought = [sp.N(wrong.subs(v), 30) for v in values]
    assert any(
        all(
            abs(sp.N(m.form.subs(v), 30) / s - 1) < 1e-20
            for v, s in zip(values, sought, strict=True)
        )
        for m in made(MARGIN)
    )


def test_names_can_be_read():
    names = {m.name for m in made(MARGIN)}
    assert "2 -> 3 in (2*k + 2)" in names
    assert "exponent (k + 1)/2 -> (k + 3)/2 of (2*k + 2)" in names
    assert "without factorial(k)" in names
    assert "k and p swapped" in names
    assert "times 1 + 1e-09" in names
    assert len(names) == len(made(MARGIN))


def test_constants_functions_and_arguments():
    form = sp.exp(-n / sp.pi) * sp.binomial(n, k) + sp.log(n) / sp.EulerGamma
    got = forms(form, cap=400)
    assert form.subs(sp.pi, 3) in got
    assert sp.exp(-n / sp.pi) * sp.binomial(n, k) in got
    assert sp.exp(-n / sp.pi) * sp.binomial(n, k) - sp.log(n) / sp.EulerGamma in got
    assert sp.exp(-n / sp.pi) * sp.binomial(n - 1, k) + sp.log(n) / sp.EulerGamma in got
    assert (1 - n / sp.pi) * sp.binomial(n, k) + sp.log(n) / sp.EulerGamma in got
    assert form.subs(sp.log(n), sp.log(n - 1)) in got


def test_sums_over_data_are_mutated_but_not_their_dummies():
    form = sp.Sum(lam[i] ** 2, (i, 1, d)) / d
    got = forms(form)
    assert sp.Sum(lam[i], (i, 1, d)) / d in got
    assert sp.Sum(lam[i] ** 2, (i, 1, d - 1)) / d in got
    assert sp.Sum(lam[i] ** 2, (i, 2, d)) / d in got
    assert sp.Sum(lam[i] ** 2, (i, 1, d)) in got
    for form in got:
        for item in form.atoms(sp.Indexed):
            assert item.indices == (i,)
        for total in form.atoms(sp.Sum):
            assert all(end.is_integer for end in total.limits[0][1:])


def test_infinite_sums_have_mutants():
    got = forms(sp.Sum(x**i / sp.factorial(i), (i, 0, sp.oo)))
    assert sp.Sum(x**i / sp.factorial(i), (i, 1, sp.oo)) in got
    assert sp.Sum(x**i, (i, 0, sp.oo)) in got


def test_no_mutant_asks_for_data_that_is_not_there():
    """lam has d entries: sums over it may lose terms and must not gain any."""
    form = sp.Sum(lam[i] ** 2, (i, 1, d)) + lam[d] * n
    got = forms(form)
    assert sp.Sum(lam[i] ** 2, (i, 1, d - 1)) + lam[d] * n in got
    for form in got:
        assert form.atoms(sp.Indexed) <= {lam[i], lam[d]}
        for total in form.atoms(sp.Sum):
            low, high = total.limits[0][1:]
            assert low >= 1 and (d - high).is_nonnegative


def test_data_is_not_shifted_or_swapped():
    t = sp.Symbol("t")
    shifts = mutants(n * t, parameters=["n"], integer=["n"], nudges=[])
    assert {m.form for m in shifts if m.change == "shift"} == {(n - 1) * t, (n + 1) * t}
    assert not [m for m in shifts if m.change == "swap"]


def test_real_parameters_are_not_shifted_by_one():
    assert not [
        m
        for m in mutants(x * n, parameters=["x", "n"], integer=["n"], nudges=[])
        if m.change == "shift" and not m.form.has(x)
    ]
    assert (x - 1) * n not in {
        m.form for m in mutants(x * n, parameters=["x", "n"], integer=["n"], nudges=[])
    }


# ---------------------------------------------------------------- what must not happen


@pytest.mark.parametrize(
    "form", [MARGIN, sp.Integer(1), sp.Integer(0), p, sp.pi, sp.log(n) ** 2 / n, sp.Max(x, 1)]
)
def test_distinct_finite_and_never_the_form_itself(form):
    got = [m.form for m in made(form)]
    assert form not in got
    assert len(set(got)) == len(got)
    assert not any(f.has(sp.zoo, sp.nan, sp.oo) for f in got)
    assert got


def test_the_cap_holds_and_every_kind_keeps_its_share():
    long = sum(sp.exp(sp.Symbol(f"a{j}") * j) / (j + n) for j in range(1, 40))
    got = made(long)
    assert len(got) == CAP
    assert {"nudge", "exponent", "shift", "factor", "term", "sign", "number", "swap"} <= {
        m.change for m in got
    }
    assert [m.name for m in made(long, cap=20)] == [m.name for m in got[:20]]


def test_the_same_list_every_time():
    assert [m.name for m in made(MARGIN)] == [m.name for m in made(MARGIN)]


def test_fast_enough_for_every_claim():
    made(MARGIN)  # SymPy's caches
    start = time.perf_counter()
    mutants(MARGIN * sp.sqrt(x), parameters=["k", "p", "x"], integer=["k", "p"], nudges=NUDGE)
    assert time.perf_counter() - start < 1.0  # 0.15 s on an idle core


# ---------------------------------------------------------------- equal, different, unknown


def test_every_mutant_of_the_margin_is_sorted():
    answers = {m.name: equivalence(MARGIN, m.form, DOMAINS).answer for m in made(MARGIN)}
    # (p - 1)**(1/2 - k/2) and the like differ; nothing here is the same function in disguise.
    assert set(answers.values()) == {"different"}, answers


def test_the_witness_is_in_the_domain_and_does_witness():
    for m in made(MARGIN)[:30]:
        found = equivalence(MARGIN, m.form, DOMAINS, p > k)
        assert found.answer == "different"
        assert found.witness["p"] in DOMAINS["p"] and found.witness["k"] in DOMAINS["k"]
        assert found.witness["p"] > found.witness["k"]
        values = {p: found.witness["p"], k: found.witness["k"]}
        assert sp.N(m.form.subs(values) - MARGIN.subs(values), 40) != 0


@pytest.mark.parametrize(
    ("form", "mutant"),
    [
        (x * y, y * x),
        (sp.sqrt(x * y), sp.sqrt(x) * sp.sqrt(y)),
        ((x + y) ** 2, x**2 + 2 * x * y + y**2),
        (sp.factorial(n), n * sp.factorial(n - 1)),
        (sp.cos(x) ** 2, 1 - sp.sin(x) ** 2),
        (sp.sqrt(6) * n, sp.sqrt(2) * sp.sqrt(3) * n),
    ],
)
def test_equal_is_proved(form, mutant):
    domains = {"x": reals(0, low_open=True), "y": reals(0, low_open=True), "n": integers(1)}
    used = {
        name: dom
        for name, dom in domains.items()
        if sp.Symbol(name) in form.free_symbols or name in {str(s) for s in form.free_symbols}
    }
    assert equivalence(form, mutant, used).answer == "equal"


def test_different_only_on_part_of_the_domain():
    assert equivalence(sp.Abs(x), x, {"x": reals()}).answer == "different"
    assert equivalence(sp.Abs(x), x, {"x": reals(0)}).answer == "equal"
    assert equivalence(sp.Max(x, 3), x, {"x": integers(3)}).answer != "different"
    assert equivalence(x**2, x, {"x": choices(0, 1)}).answer != "different"


def test_tiny_differences_are_seen():
    close = MARGIN * (1 + sp.Rational(1, 10**25))
    assert equivalence(MARGIN, close, DOMAINS).answer == "different"


def test_where_the_mutant_has_no_value_it_differs():
    found = equivalence(x, 1 / (1 / x), {"x": integers(0)})
    assert found.answer == "equal"  # SymPy itself writes both the same
    found = equivalence(sp.Integer(1), (x - 2) / sp.sqrt((x - 2) ** 2), {"x": integers(0)})
    assert found.answer == "different"
    found = equivalence(x, sp.sqrt(x - 5) ** 2 + 5 + sp.sqrt(x - 5) * 0, {"x": integers(0)})
    assert found.answer == "equal"


def test_agreement_without_a_proof_is_alike_where_many_points_are_seen():
    # pi is no polynomial identity: the two sides are equal, and the method cannot know it.
    same = sp.acos(x) + sp.asin(x)
    assert equivalence(same, sp.pi / 2, {"x": reals(0, 1)}).answer == "alike"
    few = equivalence(same, sp.pi / 2, {"x": reals(0, 1)}, lambda x: x.denominator < 4)
    assert few.answer == "unknown"


@pytest.mark.parametrize(
    ("form", "slip"),
    [
        (sp.binomial(n - 1, sp.floor((n - 1) / 2)), "floor -> ceiling"),
        (sp.Sum(sp.binomial(n, i) * (-1) ** i / (i + 2), (i, 0, n)), "i from 0 -> -1"),
    ],
)
def test_slips_that_change_nothing_are_alike(form, slip):
    made = mutants(form, parameters=["n"], integer=["n"], nudges=NUDGE)
    (mutant,) = (m for m in made if m.name.startswith(slip))
    assert equivalence(form, mutant.form, {"n": integers(1)}).answer == "alike"


@pytest.mark.parametrize("late", [40, 400, 1500])
def test_what_sets_in_late_is_not_alike(late):
    found = equivalence(n, sp.Min(n, late), {"n": integers(1)})
    assert found.answer == "different" and found.witness["n"] > late
    two = equivalence(n + x, n + sp.Min(x, 20), {"n": integers(1), "x": integers(1)})
    assert two.answer == "different"


def test_all_points_of_a_small_domain_are_an_equality():
    found = equivalence(sp.acos(x) + sp.asin(x), sp.pi / 2, {"x": choices(0, 1)})
    assert found.answer == "equal"
    assert equivalence(x, sp.Min(x, 99), {"x": integers(1, 100)}).answer == "different"


def test_data_without_values_is_unknown_or_proved_never_different():
    form = sp.Sum(2 * lam[i], (i, 1, d))
    assert equivalence(form, 2 * sp.Sum(lam[i], (i, 1, d)), {"d": integers(1)}).answer == "equal"
    assert equivalence(form, sp.Sum(lam[i], (i, 1, d)), {"d": integers(1)}).answer == "unknown"


def test_nudged_exponents_of_data_cost_no_time():
    form = sp.Sum(lam[i] ** 2, (i, 1, d))
    nudged = sp.Sum(lam[i] ** sp.Rational(10**9 + 1, 5 * 10**8), (i, 1, d))
    start = time.perf_counter()
    assert equivalence(form, nudged, {"d": integers(1)}).answer == "unknown"
    assert time.perf_counter() - start < 1.0


def test_joint_conditions_are_met_by_larger_points():
    found = equivalence(x * y, x + y, {"x": integers(1), "y": integers(1)}, y >= 16 * x)
    assert found.answer == "different" and found.witness["y"] >= 16 * found.witness["x"]


def test_conditions_that_cannot_be_asked_admit_nothing():
    asks_for_more = lambda x, method: method == "a"  # noqa: E731
    assert equivalence(x, 2 * x, {"x": integers(1)}, asks_for_more).answer == "unknown"


def test_piecewise_forms():
    form = sp.Piecewise((x, x > 2), (1 / x, True))
    domains = {"x": integers(1)}
    for m in made(form):
        assert equivalence(form, m.form, domains).answer in ("different", "alike")
    assert equivalence(form, 2 * form, domains).answer == "different"


def test_dummies_may_be_used_twice():
    form = sp.Sum(lam[i] * sp.Sum(lam[i] ** 2, (i, 1, d)), (i, 1, d))
    assert equivalence(form, 2 * form, {"d": integers(1)}).answer == "unknown"
    assert equivalence(2 * form, form + form, {"d": integers(1)}).answer == "equal"


def test_grid_points_are_tried_first():
    found = equivalence(z, sp.Max(z, 50), {"z": integers(1)}, points=[{"z": 7}])
    assert found.witness == {"z": 7}


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_equal_and_different_never_contradict_the_numbers(data):
    form = data.draw(
        st.sampled_from([MARGIN, k * p, k + p, k**p, sp.sqrt(k) / p, sp.log(p) * k, p**2 / (p + 1)])
    )
    names = sorted(str(s) for s in form.free_symbols)
    m = data.draw(st.sampled_from(made(form)))
    found = equivalence(form, m.form, {name: DOMAINS[name] for name in names})
    values = {k: data.draw(st.integers(1, 6)), p: data.draw(st.sampled_from([3, 5, 7, 9, 11]))}
    gap = sp.N((form - m.form).subs(values), 30, maxn=400)
    if found.answer == "equal" and gap.is_finite:
        assert abs(gap) < 1e-25
