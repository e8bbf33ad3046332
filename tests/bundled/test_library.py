"""The bundled library as a whole: it loads, states what its registers hold, and the least that it owes."""

import cmath
import json
from pathlib import Path

import pytest
import sympy
from audit import audit
from msgspec.structs import replace

from theorycheck.check.building import build_expression
from theorycheck.check.reading.names import Names
from theorycheck.check.refusal import InputError
from theorycheck.check.typed import understand
from theorycheck.claims.legs import leg
from theorycheck.claims.model import claim
from theorycheck.cli import call
from theorycheck.library.loading import load_all
from theorycheck.numbers.domain import integers
from theorycheck.record.runs import read_report
from theorycheck.reports import mathematics, typeset
from theorycheck.reports.reference import disagreements
from theorycheck.sources.standing import STATUSES

ROOT = Path(__file__).resolve().parent.parent.parent

FLAGSHIPS = {
    "fourier-max-margin", "fourier-single-neuron", "fourier-construction", "fourier-sum-to-product",
    "fourier-any-modulus", "fourier-regularised-optimum", "fourier-neuron-count", "fourier-min-neurons",
    "looped-gd-equivalence", "looped-error-bound", "looped-error-exact", "looped-single-layer",
    "looped-gd-contraction", "looped-kappa-gaussian",
    "icl-rank-r-optimum", "icl-rank-r-full-theta", "icl-loss-quadratic-form", "icl-behavior-regression",
    "icl-behavior-regression-special", "icl-parity-optimum", "icl-parity-paired-class",
    "structured-sq-dimension", "structured-sq-lower-bound", "structured-sq-repaired",
    "structured-blum-sq-theorem", "structured-fixed-feature-lower-bound",
    "structured-fixed-feature-repaired", "structured-kernel-corollary", "structured-kernel-repaired",
}  # fmt: skip


@pytest.fixture(scope="module")
def library():
    return load_all()


def test_every_flagship_statement_is_encoded(library):
    stated = {s for item in library for s in item.claim.states}
    assert stated >= FLAGSHIPS


def without_symbols(claim):
    """Legs whose formula its author has not written as the paper does: no symbol for what is measured, none
    for what it is held to, or LaTeX that cannot be set."""
    out = []
    for lg in typeset.shown_legs(claim):
        formula = typeset.latex(claim, lg)
        if formula is None or "measured" in typeset.left_side(claim, lg):
            out.append(lg.name)
        else:
            mathematics.mathml(formula, block=True)
    return out


def test_every_formula_has_the_symbols_of_its_author(library):
    assert {i.id: legs for i in library if (legs := without_symbols(i.claim))} == {}


def test_a_function_without_a_symbol_and_a_procedure_without_a_formula_are_noticed():
    def value():
        return 1

    bare = leg("one", value), leg("two", lambda: 1, reference=value, lhs="x")
    named = leg("three", value, lhs="x"), leg("four", value, reference=value, lhs="x", tex="y")
    made = claim("noticed", says="x is 1", closed_form=1, legs=[*bare, *named], mutate=False)
    assert without_symbols(made) == ["one", "two"]


def read_value(claim, lg):
    """The formula that a leg's author gives as LaTeX, as `check` reads one, with the one that is computed; None where
    there are no two, or the reader does not read it."""
    given, form = typeset.right_side(claim, lg), typeset.expression_of(claim, lg)
    if not isinstance(form, sympy.Expr) or not (lg.tex or claim.tex):
        return None
    symbols = {name: sympy.Symbol(name) for name in map(str, claim.domain)}
    symbols |= {s.name: s for s in form.free_symbols}
    try:
        understood = understand(given, Names(declared=frozenset(symbols)))
        return build_expression(understood.scanned, symbols), form
    except InputError:
        return None


def apart(claim, lg):
    """Whether the two differ at a place where both have a value. None where they cannot be compared."""
    read = read_value(claim, lg)
    if read is None:
        return None
    found = []
    for start in (2, 3, 5):
        ordered = sorted(read[0].free_symbols | read[1].free_symbols, key=str)
        at = {
            s: sympy.Rational(start + 2 * i, 1 if s.is_integer else 7)
            for i, s in enumerate(ordered)
        }
        values = [complex(sympy.N(side.subs(at))) for side in read]
        if all(map(cmath.isfinite, values)):
            found.append(abs(values[0] - values[1]) > 1e-6 * max(map(abs, values)) + 1e-300)
    return any(found) if found else None


def test_a_formula_that_can_be_read_says_what_is_computed(library):
    """What its author types for readers is held to what is judged."""
    found = {
        (i.id, lg.name): apart(i.claim, lg) for i in library for lg in typeset.shown_legs(i.claim)
    }
    assert [key for key, differs in found.items() if differs] == []
    assert sum(differs is not None for differs in found.values()) > 250


def test_a_printed_formula_without_one_factor_is_noticed():
    n, m, w = sympy.symbols("n m w", integer=True, positive=True)
    options = {
        "domain": dict.fromkeys((n, m, w), integers(1)),
        "grid": {"smoke": {n: [2], m: [2], w: [2]}},
    }
    texts = ("mw+2mn", "mw+2n", r"m\,w+2\,m\,n", r"\text{what is held}")
    made = [
        claim(
            "shown",
            closed_form=m * w + 2 * m * n,
            legs=[leg("one", lambda n: 1, tex=tex)],
            **options,
        )
        for tex in texts
    ]
    assert [apart(c, c.legs[0]) for c in made] == [False, True, False, None]


def test_a_claim_expected_to_pass_has_rivals_and_a_refuted_statement_its_correction(library):
    assert all(i.claim.rivals for i in library if i.claim.expect == "pass")
    corrected = {i.claim.corrects for i in library}
    beside = {s for i in library if i.claim.expect == "pass" for s in i.claim.states}
    for item in library:
        if item.claim.expect == "fail":
            assert item.claim.id in corrected or set(item.claim.states) & beside, item.claim.id


def test_coverage_counts_all_statements(capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert call(["coverage", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    kinds = STATUSES
    assert len(found["sources"]) == 11
    assert found["total"]["statements"] == 409
    for counts in [*found["sources"].values(), found["total"]]:
        assert sum(counts[k] for k in kinds) == counts["statements"]
    # No run lies in this folder: nothing may be called verified.
    assert found["total"]["verified"] == found["total"]["supported"] == 0


@pytest.mark.parametrize(
    "id", ["looped-error-bound", "icl-rank-r-optimum", "structured-sq-lower-bound"]
)
def test_show_prints_the_quantified_statement(id, capsys):
    assert call(["show", id]) == 0
    text = capsys.readouterr().out
    assert id in text
    assert "Theorem" in text


REFERENCE = ROOT / "reports" / "reference"


def agree_with_the_reference(out, part, parts):
    """Every verdict of the reference run (profile standard) is met again at smoke by one of so many parts of the
    library, and every stated resolution and tightness is what the recorded evidence refutes."""
    reference, shard = read_report(REFERENCE), f"{part}/{parts}"
    chosen = ["run", "--all", "--profile", "smoke", "-n", "2", "--no-cache", "--out", str(out)]
    assert call([*chosen, "--shard", shard]) == 0
    current = read_report(out)
    ran = {e.id for e in current.claims}
    met = replace(reference, claims=tuple(e for e in reference.claims if e.id in ran))
    assert len(ran) >= len(reference.claims) // parts
    assert disagreements(met, current) == []
    found = audit(out)
    assert found.wrong == []
    assert found.tried["equality off by 10 rho, refuted"] > 40 // parts
    assert found.tried["exact, off by 1e-3"] > 80 // parts


def test_the_reference_run_has_the_claims_of_the_library(library):
    assert {e.id for e in read_report(REFERENCE).claims} == {item.claim.id for item in library}


PARTS = 12


def test_a_part_of_the_library_agrees_with_the_committed_reference_run(tmp_path):
    """Another part with every reference run: its seed says which."""
    seed = read_report(REFERENCE).run.seed
    agree_with_the_reference(tmp_path / "run", seed % PARTS + 1, PARTS)


@pytest.mark.slow
def test_the_library_agrees_with_the_committed_reference_run(tmp_path):
    agree_with_the_reference(tmp_path / "run", 1, 1)
