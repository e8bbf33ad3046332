"""Exploring: planted formulas come back, and nothing is conjectured that the held-out points refute."""

import json
from fractions import Fraction

import pytest
import sympy as sp
from flint import fmpq
from msgspec import UNSET

from theorycheck import balls
from theorycheck.cli import call
from theorycheck.formulas.explore import explore
from theorycheck.numbers.enclosure import Enclosure

k, p, n = sp.symbols("k p n", integer=True, positive=True)
ONE = [{"n": v} for v in range(1, 13)]
ODD = [{"p": v} for v in range(3, 21, 2)]
TWO = [{"k": a, "p": b} for a in range(1, 6) for b in (3, 5, 7, 11)]
PASCAL = [{"n": a, "k": b} for a in range(4, 9) for b in range(1, 4)]


def value(form, point):
    e = balls.evaluate(form, {str(s): point[str(s)] for s in form.free_symbols}, prec=256)
    return Enclosure(e.exact, e.exact) if e.exact is not None else Enclosure.from_ball(e.ball)


def sampled(form, point, relative, j):
    e = value(form, point)
    h = fmpq(*Fraction(relative).limit_denominator(10**9).as_integer_ratio())
    off = h * fmpq((j * 37) % 11 - 5, 12)
    size = abs(e.mid)
    return Enclosure(e.lo + size * (off - h), e.hi + size * (off + h))


def run(form, points, relative=0, **options):
    form = sp.sympify(form)
    measured = [
        sampled(form, q, relative, j) if relative else value(form, q) for j, q in enumerate(points)
    ]
    return explore(points, measured, list(points[0]), integer=["n", "k", "p"], **options)


def agree(left, right, points):
    renamed = left.subs(
        {s: sp.Symbol(str(s), integer=True, positive=True) for s in left.free_symbols}
    )
    return all(abs(sp.N((renamed - right).subs(q), 30)) < 1e-20 for q in points)


@pytest.mark.parametrize(
    ("form", "points", "family"),
    [
        (n * (n + 1) * (2 * n + 1) / 6, ONE, "polynomial"),
        (k**2 * p + 3 * k - p, TWO, "polynomial"),
        (sp.Rational(3, 16) / (p * (p - 1)), ODD, "rational"),
        (sp.sqrt(6) / (9 * sp.sqrt(p) * (p - 1)), ODD, "rational"),
        (-sp.sqrt(n + 1), ONE, "polynomial"),
        (sp.binomial(2 * n, n) / (n + 1), ONE, "rational"),
        (sp.factorial(n) * 2**n / n, ONE, None),
        (3 * sp.binomial(n, k), PASCAL, "law"),
        (sp.pi * n**2 / 6, ONE, "law"),
        (sp.sqrt(n) / sp.E, ONE, "law"),
        (5 * sp.Rational(2, 3) ** n, ONE, "law"),
        (0 * n + sp.log(2), ONE, "law"),
    ],
)
def test_planted_formulas_come_back_first(form, points, family):
    first = run(form, points).candidates[0]
    assert agree(first.expression, form, points)
    assert first.agrees is True and first.held_out == len(points) // 3
    assert family is None or first.family == family


@pytest.mark.parametrize("form", [sp.harmonic(n), sp.sin(n), n**2 + sp.cos(n), (-1) ** n * n])
def test_no_conjecture_for_what_has_none_of_the_shapes(form):
    assert run(form, ONE).candidates == ()


def test_one_wrong_value_among_the_held_out_points_kills_the_conjecture():
    good = [value(n**2 + 1, q) for q in ONE]
    assert explore(ONE, good, ["n"], integer=["n"]).candidates
    for wrong in range(len(ONE)):
        bad = list(good)
        bad[wrong] = Enclosure(good[wrong].lo + fmpq(1, 10**20), good[wrong].hi + fmpq(1, 10**20))
        assert not explore(ONE, bad, ["n"], integer=["n"]).candidates


def test_polynomials_need_more_points_than_coefficients():
    points = ONE[:4]
    found = run(n**3 + n + 1, points, held_out=[])
    assert not [c for c in found.candidates if c.family == "polynomial"]
    found = run(n**2 + n + 1, points, held_out=[])
    assert found.candidates[0].expression is not None and found.candidates[0].agrees is None


def test_samples_give_laws_and_no_polynomials():
    found = run(2 * sp.sqrt(n), ONE, relative=0.003)
    assert agree(found.candidates[0].expression, 2 * sp.sqrt(n), ONE)
    assert {c.family for c in found.candidates} == {"law"}


def test_what_samples_cannot_resolve_is_an_interval():
    found = run(sp.cos(1) * n ** sp.Rational(7, 20), ONE[:6], relative=0.03)
    assert found.candidates
    assert all(c.expression is None and " in [" in c.text for c in found.candidates)


def test_the_table_shows_values_ratios_and_local_exponents():
    table = run(n**2, ONE).table
    assert [r.value for r in table[:3]] == ["1", "4", "9"]
    assert table[1].ratio == "4" and table[1].exponent == "2"
    assert table[0].ratio is UNSET
    wide = run(n**2, ONE, relative=0.1).table
    assert wide[3].exponent.startswith("[")
    two = run(k * p, TWO).table  # a ratio only where one parameter moves
    assert two[1].ratio is not UNSET and two[4].ratio is UNSET


@pytest.mark.parametrize("form", [sp.binomial(n + k - 1, k), 2 * sp.binomial(n + k, k)])
def test_words_with_repetition_and_lattice_paths(form):
    assert agree(run(form, PASCAL).candidates[0].expression, form, PASCAL)


OPEN = """import sympy as sp
from theorycheck import bounded, claim, integers, leg, mean
n = sp.Symbol("n", integer=True, positive=True)

@claim("squares", domain={n: integers(1)}, grid={"smoke": {n: range(1, 8)}}, closed_form=...)
def squares(n):
    return sum(2 * i + 1 for i in range(n))

@claim("power", domain={n: integers(1)}, grid={"smoke": {n: [1, 2, 4, 8, 16, 32]}},
       closed_form=..., statistic=mean(bounded(0, 1)))
def power(rng, size, n):
    return rng.uniform((size,)) / n
"""


def test_a_file_with_open_closed_forms_exact_and_sampled(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "open.py").write_text(OPEN, encoding="utf-8")
    assert call(["explore", "open.py", "--json"]) == 0
    squares, power = json.loads(capsys.readouterr().out)
    assert squares["candidates"][0]["text"] == "n**2"
    assert power["table"][0]["value"].startswith("[0.4")
    assert power["candidates"][0]["text"] == "1/(2*n)"


def test_a_table_is_taken_from_where_the_command_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "loss.csv").write_text("n,value\n" + "".join(f"{n},{n**2}\n" for n in range(1, 9)))
    assert call(["explore", "loss.csv", "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert found["candidates"][0]["text"] == "n**2"


@pytest.mark.parametrize("command", ["check", "run"])
def test_an_open_closed_form_is_judged_by_nothing(command, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "open.py").write_text(OPEN, encoding="utf-8")
    assert call([command, "open.py"]) == 4
    assert "left open" in capsys.readouterr().err
    assert [f.name for f in tmp_path.iterdir() if f.name != "__pycache__"] == ["open.py"]


def test_names_and_zeros_do_no_harm():
    points = [{"n": v, "method": m} for v in range(1, 5) for m in ("a", "b")]
    measured = [value(n**2, q) for q in points]
    found = explore(points, measured, ["n", "method"], integer=["n"])
    assert found.candidates[0].text == "n**2"
    assert run(n - 5, ONE).candidates[0].text == "n - 5"
    assert run(0 * n, ONE).candidates[0].expression == 0


def test_nothing_to_explore_is_refused():
    with pytest.raises(ValueError, match="at least one"):
        explore([], [], ["n"])
    with pytest.raises(ValueError, match="no point is left"):
        explore(ONE[:1], [value(n, ONE[0])], ["n"], held_out=[0])


def test_json_is_plain():
    data = json.loads(json.dumps(run(n**2, ONE).to_json()))
    assert data["candidates"][0]["expression"] == "n**2" and data["hypotheses"] > 1
