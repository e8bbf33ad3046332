"""Findings outlive another wording, and nothing else: what is computed, proved or promised is in their key."""

from dataclasses import replace

import pytest

from theorycheck.audit.run import audit
from theorycheck.audit.wording import content_without_wording, module_without_wording
from theorycheck.claims.clauses import Clause, parse_prefix
from theorycheck.evidence.environment import engine_digest
from theorycheck.library.loading import load_all
from theorycheck.plan.settings import Settings

CLAIMS = '''
"""A first wording."""

import sympy as sp
from theorycheck import claim, formula, integers, leg, variant

n = sp.symbols("n", integer=True, positive=True)


def squares(n):
    """The sum of the squares."""
    return sum(k * k for k in range(n + 1))


sums = claim(
    "small-sums", title="Squares", says="The squares sum up.", lhs="S", tex="n^3/3", notes="A note.",
    domain={n: integers(1)}, grid={"smoke": {n: [2, 3, 5]}},
    closed_form=n * (n + 1) * (2 * n + 1) / 6,
    legs=[leg("summed", squares, lhs="S_n")],
    rivals=[variant("n^3/3", closed_form=n**3 / 3)],
)
proved = formula(
    "small-proof", title="More", says="n + 1 > n", over="n in 1..oo", rivals={"r": "n > 1"}
)
'''

REWORDED = (
    ("A first wording", "Another"),
    ("The sum of the squares.", "What the squares\n    sum up to."),
    ('title="Squares"', 'title="Sum of squares"'),
    ("The squares sum up.", "Squares, summed,\\n have a closed form."),
    ('lhs="S"', 'lhs="T"'),
    ('tex="n^3/3"', 'tex="n^2"'),
    ("A note.", "Two notes."),
    ('lhs="S_n"', 'lhs="T_n"'),
    ('title="More"', 'title="One more"'),
)

OTHER = (
    ("k * k for", "k * k * 1 for"),
    ("[2, 3, 5]", "[2, 3, 6]"),
    ('variant("n^3/3"', 'variant("cubes"'),
    ('says="n + 1 > n"', 'says="n + 2 > n"'),
    ('leg("summed"', 'leg("added"'),
    ('tex="n^3/3"', 'tex="n^3" + "/3"'),
    ('tex="n^3/3"', 'tex=" "'),
)


@pytest.fixture
def module(tmp_path):
    folder = tmp_path / "library" / "small"
    folder.mkdir(parents=True)
    (folder / "statements.toml").write_text("")
    (folder / "claims.py").write_text(CLAIMS)
    return folder / "claims.py"


def test_a_journal_outlives_another_wording(module, tmp_path):
    def audited(name, text):
        folder = tmp_path / name / "small"  # a module is imported once a process
        folder.mkdir(parents=True)
        (folder / "statements.toml").write_text("")
        (folder / "claims.py").write_text(text)
        return audit(load_all([folder.parent]), Settings("smoke"), journal=journal)

    journal = tmp_path / "findings.jsonl"
    first = audited("first", CLAIMS)
    kept = journal.read_text()
    reworded = CLAIMS
    for old, new in REWORDED:
        assert old in reworded
        reworded = reworded.replace(old, new)
    again = audited("again", f"# a comment\n{reworded}")
    assert [m.finding for m in again] == [m.finding for m in first]
    assert journal.read_text() == kept  # nothing was tried again
    audited("other", CLAIMS.replace("[2, 3, 5]", "[2, 3, 6]"))
    assert journal.read_text() != kept


def test_another_prover_is_asked_about_proofs_alone(module, tmp_path, monkeypatch):
    def tried():
        audit(
            load_all([module.parent.parent]),
            Settings("smoke"),
            journal=tmp_path / "findings.jsonl",
            watch=lambda done, total, mutant: seen.append(mutant),
        )
        claims = {m.finding.claim or m.function for m in seen if m is not None}
        seen.clear()
        return claims

    def digest(rooms):
        return f"another {rooms}" if rooms[0] == changed else engine_digest(rooms)

    seen = []
    assert tried() == {"small-sums", "small-proof"} and tried() == set()
    monkeypatch.setattr("theorycheck.audit.run.engine_digest", digest)
    changed = "check"
    assert tried() == {"small-proof"}
    changed = "numbers"
    assert tried() == {"small-sums", "small-proof"}


@pytest.mark.parametrize(("old", "new"), REWORDED)
def test_texts_for_people_are_no_content(module, old, new):
    before = module_without_wording(module)
    module.write_text(CLAIMS.replace(old, new))
    assert module_without_wording(module) == before


@pytest.mark.parametrize(("old", "new"), OTHER)
def test_everything_else_is_content(module, old, new):
    assert old in CLAIMS
    before = module_without_wording(module)
    module.write_text(CLAIMS.replace(old, new))
    assert module_without_wording(module) != before


def test_only_the_engine_s_own_names_are_known(module):
    own = CLAIMS.replace("import claim,", "import claim as state,").replace("= claim(", "= state(")
    foreign = CLAIMS.replace("from theorycheck import", "from elsewhere import")
    for text, same in ((own, True), (foreign, False)):
        module.write_text(text)
        before = module_without_wording(module)
        module.write_text(text.replace('title="Squares"', 'title="Sums"'))
        assert (module_without_wording(module) == before) is same


def test_a_module_that_cannot_be_parsed_has_its_text_as_content(module):
    module.write_text("def f(:")
    before = module_without_wording(module)
    module.write_text("def f(::")
    assert module_without_wording(module) != before


def test_the_quantifiers_that_a_claim_covers_are_content(module):
    def content(says, prefix):
        clause = Clause(
            "lemma", "holds", says, "", parse_prefix([prefix]), "", "equality", "open", True
        )
        return content_without_wording(replace(item, claim=replace(item.claim, clauses=(clause,))))

    (item, *_) = load_all([module.parents[1]])
    assert content("For all n.", "forall n in N") == content("Whatever n is.", "forall n in N")
    assert content("For all n.", "forall n in N") != content("For all n.", "exists n in N")
