"""Single trials: the engine's own points, reduced evidence, dropped legs, exchanged quantifiers, streams."""

from dataclasses import replace
from fractions import Fraction
from functools import partial

import pytest

from theorycheck.audit import trial
from theorycheck.audit.baseline import baseline
from theorycheck.audit.declared import declared_changes
from theorycheck.audit.pool import TimedTask, run_all
from theorycheck.audit.run import audit
from theorycheck.audit.trial import TrialResult, compared, declared_trial
from theorycheck.evidence.proof import Proof
from theorycheck.library.loading import load_all
from theorycheck.plan.plan import make_plan
from theorycheck.plan.settings import Settings

SMOKE = Settings("smoke")

REGISTER = """
[[statement]]
id = "s"
title = "A statement"
kind = "theorem"
tex = "x"
section = "1"
"""

CLAUSES = """
[[statement]]
id = "s"
lines = "1-2"

[[statement.clause]]
id = "chosen"
says = "for all k there is A"
tex = "x"
prefix = ["forall k in integers >= 1", "exists A in integers"]
body = "x"
kind = "existence"
status = "holds"
provable = true

[[statement.clause]]
id = "fixed"
says = "there is A for all k"
tex = "x"
prefix = ["forall k in integers >= 1", "exists A in integers"]
body = "x"
kind = "existence"
status = "holds"
provable = true

[[statement.clause]]
id = "equal"
says = "equal"
tex = "x"
prefix = ["forall k in integers >= 1"]
body = "x"
kind = "equality"
status = "holds"
provable = true

[[statement.clause]]
id = "largest"
says = "largest of all sizes"
tex = "x"
prefix = ["forall k in integers >= 1", "forall A in integers"]
body = "x"
kind = "optimality"
status = "holds"
provable = true

[[statement.clause]]
id = "bounded"
says = "bounded"
tex = "x"
prefix = ["forall k in integers >= 1"]
body = "x"
kind = "upper bound"
status = "holds"
provable = true
"""

CLAIMS = """
import sympy as sp
from theorycheck import (
    at_most, attained, certificate, claim, formula_leg, instances, integers, leg, maximises, mean, odd_integers,
    scales_as, search, spectra, typed, variant,
)
from theorycheck.claims.formula import formula_leg, rival_of, typed
from theorycheck.evidence.proof import Proof
from theorycheck.stats import bounded

k = sp.symbols("k", integer=True, positive=True)
n = sp.symbols("n", integer=True)
lam = sp.IndexedBase("lam")


def sign(k):
    return 1 - 2 * (k % 2)


def zero_at_the_ends(k):
    return k * (k - 1)


def twice_the_square(k):
    return 2 * k**2


odd = claim(
    "odd", domain={k: odd_integers(1)}, grid={"smoke": {k: [1, 3, 9]}}, closed_form=-1,
    rivals=[variant("1", closed_form=1)],
)(sign)
grows = claim(
    "grows", domain={k: integers(1)}, grid={"smoke": {k: [1, 2, 7]}}, closed_form=k**2 - k,
    rivals=[variant("k^2", closed_form=k**2), variant("0", closed_form=0)],
)(zero_at_the_ends)


def uniform(ns, rng, size, k):
    unused = rng.uniform((size,)) * 0
    return rng.uniform((size,)) / ns.number(k) + unused


halves = claim(
    "halves", domain={k: integers(1)}, grid={"smoke": {k: [1, 2]}}, closed_form=1 / (2 * k),
    legs=[leg("sampled", uniform, statistic=mean(bounded(0, 1)))],
    rivals=[variant("1/k", closed_form=1 / k)],
)

low = typed("k + 1 > k", over="k in 1..oo")
high = typed("k + 2 > k + 1", over="k in 1..oo")
from_two = typed("k**2 > k", over="k in 2..oo")
proofs = claim(
    "proofs", says="both", legs=[formula_leg("first", low), formula_leg("second", high),
                          formula_leg("third", from_two)],
    rivals=[rival_of(low, "k > k", "k > k", "first")],
)


def chosen_from(k):
    return k


def chosen_freely():
    return 1


def value(k):
    return k


late = claim(
    "late", states="s", covers="chosen", domain={k: integers(1)}, grid={"smoke": {k: [1, 2]}},
    closed_form=k, rivals=[variant("k + 1", closed_form=k + 1)],
    legs=[leg("v", value, gives="A", chosen_by=chosen_from)],
)
early = claim(
    "early", states="s", covers="fixed", domain={k: integers(1)}, grid={"smoke": {k: [1, 2]}},
    closed_form=k, rivals=[variant("k + 1", closed_form=k + 1)],
    legs=[leg("v", value, gives="A", chosen_by=chosen_freely)],
)
equal = claim(
    "equal", states="s", covers="equal", domain={k: integers(1)}, grid={"smoke": {k: [1, 2]}},
    closed_form=k, rivals=[variant("k + 1", closed_form=k + 1)],
)(value)
def first(lam, n):
    return lam[0] + n - len(lam)


beside = claim(
    "beside", domain={k: integers(1)}, grid={"smoke": {k: [1, 2]}}, closed_form=k + 1,
    legs=[leg("numbers", lambda k: k + 1, required=False), formula_leg("first", low)],
    rivals=[rival_of(low, "k > k", "k > k", "first")],
)



def above(k):
    return k * k + 1


def root(ns, k):
    return ns.sqrt(ns.number(k))


rounded = claim(
    "rounded", domain={k: integers(1)}, grid={"smoke": {k: [2, 3]}}, closed_form=sp.sqrt(k),
    legs=[leg("v", root)], rivals=[variant("k", closed_form=k)],
)
def finitely_many():
    return Proof(all(a * b == b * a for a in range(4) for b in range(4)), "each pair", {"pairs": 16})


def finitely_many_wrong():
    return Proof(False, "each pair", {"pairs": 16}, {"a": 0, "b": 1})


counted = claim(
    "counted", says="a program's proof", legs=[leg("pairs", finitely_many, arithmetic="proof")],
    rivals=[variant("powers", simulation=finitely_many_wrong, leg="pairs")],
)
corrected = claim(
    "corrected", domain={k: integers(1)}, grid={"smoke": {k: [1, 2]}}, closed_form=k**2,
    relation=at_most(), legs=[leg("v", lambda k: k * k)],
    rivals=[variant("uncorrected", simulation=above)],
)
spectral = claim(
    "spectral", domain={n: integers(1), lam: spectra(n)}, closed_form=lambda lam: lam[0],
    grid={"smoke": [{n: 2, lam: (3, 1)}]}, rivals=[variant("0", closed_form=0)],
    legs=[leg("v", first)],
)


undecided = claim(
    "undecided", domain={k: integers(1)}, grid={"smoke": {k: [2, 3]}}, closed_form=k**2,
    relation=scales_as("k"), rivals=[variant("k^3", closed_form=k**3)],
    legs=[leg("exact", twice_the_square)],
)
law = claim(
    "law", domain={k: integers(1)}, grid={"smoke": {k: [2**e for e in range(1, 15)]}}, closed_form=k**2,
    relation=scales_as("k"), rivals=[variant("k^3", closed_form=k**3)],
    legs=[leg("exact", twice_the_square)],
)


def far_below(k):
    return -k


twofold = claim(
    "twofold", states="s", covers="bounded", domain={k: integers(1)}, grid={"smoke": {k: [1, 2]}},
    closed_form=k, relation=at_most(),
    legs=[leg("v", value), leg("once more", lambda k: sum(1 for _ in range(k))), leg("idle", far_below)],
    rivals=[variant("k - 1", closed_form=k - 1)],
)
nothing_covered = claim(
    "twofold-for-no-clause", domain={k: integers(1)}, grid={"smoke": {k: [1, 2]}}, closed_form=k,
    relation=at_most(), legs=[leg("v", value), leg("once more", lambda k: sum(1 for _ in range(k)))],
    rivals=[variant("k - 1", closed_form=k - 1)],
)
implied = claim(
    "implied", domain={n: integers(1), k: integers(1)}, grid={"smoke": [{n: 3, k: 1}, {n: 6, k: 3}]},
    where=(k <= n, sp.binomial(n, k) >= 2), closed_form=k, legs=[leg("v", lambda n, k: k)],
    rivals=[variant("n", closed_form=n)],
)


def sizes(k):
    return list(range(1, k + 1))


def best(k):
    return max(sizes(k))


def cap(k):
    return sizes(k)[-1]


biggest = claim(
    "biggest", domain={k: integers(1)}, grid={"smoke": {k: [1, 2]}}, closed_form=k, relation=maximises(),
    legs=[attained(best), certificate(cap), certificate(value, name="the formula again")],
    rivals=[variant("k + 1", closed_form=k + 1)],
)


def by_count(k):
    return len(sizes(k))


enumerated = claim(
    "enumerated", states="s", covers="largest", domain={k: integers(1)}, grid={"smoke": {k: [1, 2]}},
    closed_form=k, relation=maximises(),
    legs=[attained(best, inside="A"), attained(by_count, name="by their count"), certificate(cap)],
    rivals=[variant("k + 1", closed_form=k + 1)],
)


def starts(rng, k):
    return {"start": 1}


def wrong_far_out(k, n):
    return k + (k > n + 9)


SIZES = {"domain": {k: integers(1), n: integers(1)}, "where": k <= n + 9, "closed_form": k,
         "grid": {"smoke": [{k: 2, n: 1}, {k: 3, n: 2}]}, "rivals": [variant("n", closed_form=n)]}
far_out = claim("far-out", **SIZES)(wrong_far_out)
everywhere = claim("everywhere", **SIZES)(lambda k, n: k)


def halfway(start, k):
    return k - start


hidden = claim(
    "hidden", domain={k: integers(1)}, grid={"smoke": {k: [2, 3]}}, closed_form=k, relation=maximises(),
    legs=[attained(best), certificate(cap), search(halfway, instances=instances(starts, "start", smoke=1))],
    rivals=[variant("k + 1", closed_form=k + 1)],
)
refuted = claim(
    "refuted", expect="fail", domain={k: integers(1)}, grid={"smoke": {k: [2, 3]}}, closed_form=k,
    rivals=[variant("k + 9", closed_form=k + 9)], legs=[leg("v", twice_the_square)],
)


def climbing(start, k):
    return k if start else k - 1


seen = claim(
    "seen", domain={k: integers(1)}, grid={"smoke": {k: [1, 2]}}, closed_form=k, relation=maximises(),
    legs=[attained(best), certificate(cap), search(climbing, instances=instances(starts, "start", smoke=1))],
    rivals=[variant("k + 1", closed_form=k + 1)],
)
"""


@pytest.fixture(scope="module")
def items(tmp_path_factory):
    folder = tmp_path_factory.mktemp("library") / "trials"
    folder.mkdir()
    (folder / "statements.toml").write_text(REGISTER)
    (folder / "clauses.toml").write_text(CLAUSES)
    (folder / "claims.py").write_text(CLAIMS)
    return {item.id: item for item in load_all([folder.parent])}


@pytest.fixture(scope="module")
def bases(items):
    return {id: baseline(item, SMOKE) for id, item in items.items()}


def declared(bases, id, kind):
    found = {}
    for change in declared_changes(bases[id].claim):
        if change.kind == kind:
            found[change.text] = declared_trial(bases[id], change)
    return found


def test_a_wider_domain_is_noticed_at_points_that_the_engine_chooses(bases):
    found = declared(bases, "odd", "domain widened")
    classes = found["k: odd integer >= 1 -> integer >= 1"]
    border = found["k: odd integer >= 1 -> odd integer >= -1"]
    assert classes.found is TrialResult.NOTICED
    assert border.found is TrialResult.BEYOND and "outside of the declared domain" in border.why


def test_a_leg_that_refutes_a_rival_cannot_be_dropped_unseen(bases):
    found = declared(bases, "proofs", "leg dropped")
    assert (
        found["first"].found is TrialResult.BROKEN and "no leg named 'first'" in found["first"].why
    )
    assert found["second"].found is TrialResult.SURVIVED  # nothing says that it can fail


def test_a_leg_that_says_the_same_once_more_may_be_dropped_where_it_can_fail(bases):
    found = declared(bases, "twofold", "leg dropped")
    assert {t: f.found for t, f in found.items()} == {
        "v": TrialResult.NO_EFFECT,
        "once more": TrialResult.NO_EFFECT,
        "idle": TrialResult.SURVIVED,
    }
    assert "it alone refutes the rival 'k - 1'" in found["once more"].why


def test_what_legs_pay_for_is_known_where_the_claim_covers_clauses(bases):
    found = declared(bases, "twofold-for-no-clause", "leg dropped")
    assert {f.found for f in found.values()} == {TrialResult.SURVIVED}


def test_a_leg_without_which_a_verdict_is_worth_less_is_missed(bases):
    found = declared(bases, "biggest", "leg dropped")
    assert {t: (f.found, f.why) for t, f in found.items() if t != "the formula again"} == {
        "attained": (
            TrialResult.NOTICED,
            "inconclusive: no construction: a bound that nothing is seen to meet is no optimum",
        ),
        "certificate": (TrialResult.NOTICED, "certified -> searched"),
    }


def test_the_side_of_a_leg_that_others_close_is_free_whatever_it_pays_for(bases):
    found = declared(bases, "enumerated", "side of a leg")
    assert found["attained: attained -> certificate"].found is TrialResult.NO_EFFECT
    assert found["attained: attained -> certificate"].why == (
        "the other legs close the optimum from both sides"
    )
    assert found["certificate: certificate -> attained"].found is TrialResult.NOTICED
    (dropped,) = (
        f for t, f in declared(bases, "enumerated", "leg dropped").items() if t == "attained"
    )
    assert dropped.found is TrialResult.BROKEN and "nothing pays for A" in dropped.why


def test_a_search_that_goes_blind_is_noticed(bases):
    """It is not required: the verdict stands, and says that it no longer has its positive control."""
    base = bases["seen"]

    def one_short(start, k):
        return k - 1

    legs = tuple(
        replace(lg, simulation=one_short) if lg.side == "search" else lg for lg in base.claim.legs
    )
    found = compared(base, replace(base.claim, legs=legs), frozenset({"search"}))
    assert (found.found, found.why) == (TrialResult.NOTICED, "search: pass -> inconclusive")


def test_a_search_that_does_not_reach_the_optimum_is_one_sided(bases):
    base = bases["hidden"]
    assert (base.verdict, base.legs["search"]) == ("pass", "inconclusive")

    def searched(program):
        legs = tuple(
            replace(lg, simulation=program) if lg.side == "search" else lg for lg in base.claim.legs
        )
        return compared(base, replace(base.claim, legs=legs), frozenset({"search"}))

    farther, beyond = searched(lambda start, k: k - 2 * start), searched(lambda start, k: k + start)
    assert (farther.found, farther.why) == (
        TrialResult.SLACK,
        "one-sided; search: none better, does not reach the optimum",
    )
    assert beyond.found is TrialResult.NOTICED


def test_a_search_that_reaches_the_optimum_by_other_points_is_one_sided(bases):
    """Its other points are feasible, too: one that is better refutes, one that falls short of the control is missed."""
    base = bases["seen"]

    def next_to_it(start, k):
        return k - Fraction(1, 10**4)

    legs = tuple(
        replace(lg, simulation=next_to_it) if lg.side == "search" else lg for lg in base.claim.legs
    )
    found = compared(base, replace(base.claim, legs=legs), frozenset({"search"}))
    assert (found.found, found.why) == (
        TrialResult.SLACK,
        "one-sided; search: none better, still reaches the optimum",
    )


def test_a_refutation_rests_on_its_counterexample_alone(bases):
    base = bases["refuted"]
    assert base.refuted_at_a_point

    def elsewhere(k):
        return 2 * k**2 + (k < 3)

    def there(k):
        return 2 * k**2 + 1

    kept = compared(base, changed_program(base, elsewhere), legs_of(base))
    assert (kept.found, kept.why) == (
        TrialResult.NO_EFFECT,
        "the counterexample is the same; a refutation needs no other point",
    )
    gone = compared(base, changed_program(base, there), legs_of(base))
    assert gone.found is TrialResult.NOTICED
    dear = costing(base, lambda o: 2 * trial.LONGEST if o.point["k"] == 3 else 0.1)
    unseen = compared(dear, changed_program(dear, elsewhere), legs_of(dear))
    assert unseen.found is TrialResult.SURVIVED and unseen.left > 0


def test_a_condition_that_the_others_imply_has_no_effect(bases):
    found = declared(bases, "implied", "condition dropped")
    assert found["where k <= n"].found is TrialResult.NO_EFFECT
    assert "no further point" in found["where k <= n"].why
    assert found["where binomial(n, k) >= 2"].found is TrialResult.BEYOND


def test_a_point_that_only_the_wider_domain_has_is_looked_at_though_it_lies_far_out(bases):
    (refuted,) = declared(bases, "far-out", "condition dropped").values()
    assert (refuted.found, refuted.why) == (TrialResult.NOTICED, "fail: the two sides are apart")
    (holds,) = declared(bases, "everywhere", "condition dropped").values()
    assert holds.found is TrialResult.BEYOND and "at 1 point outside" in holds.why


BEYOND = (TrialResult.BEYOND, "proved on the wider domain as well")


def test_what_a_proof_quantifies_over_is_widened_too(bases):
    found = declared(bases, "proofs", "domain widened")
    assert {t: (f.found, f.why) for t, f in found.items()} == {
        "first: k in 1..oo -> k in 0..oo": BEYOND,
        "second: k in 1..oo -> k in 0..oo": BEYOND,
        "third: k in 2..oo -> k in 1..oo": (
            TrialResult.NOTICED,
            "fail: third: a counterexample, decided exactly",
        ),
    }


def test_a_proof_that_took_long_is_made_anew_all_the_same(bases):
    slow = costing(bases["proofs"], lambda o: 2 * trial.LONGEST)
    found = declared({"proofs": slow}, "proofs", "domain widened")
    assert found["third: k in 2..oo -> k in 1..oo"].found is TrialResult.NOTICED


def test_the_order_of_two_quantifiers(bases):
    (refused,) = declared(bases, "late", "quantifiers exchanged").values()
    assert (
        refused.found is TrialResult.BROKEN
        and "chosen by 'chosen_from', which takes k" in refused.why
    )
    (kept,) = declared(bases, "early", "quantifiers exchanged").values()
    assert kept.found is TrialResult.BEYOND
    assert kept.why == "nothing of k is used where A is chosen"


def test_an_equality_of_the_register_is_not_weakened_unseen(bases):
    found = declared(bases, "equal", "equality weakened")
    assert {f.found for f in found.values()} == {TrialResult.BROKEN}
    assert all("is an equality" in f.why for f in found.values())


def changed_program(base, program):
    legs = tuple(replace(lg, simulation=program) for lg in base.claim.legs)
    return replace(base.claim, legs=legs)


def costing(base, seconds):
    return replace(
        base, evidence={k: replace(o, seconds=seconds(o)) for k, o in base.evidence.items()}
    )


def legs_of(base):
    return frozenset(lg.name for lg in base.claim.legs)


def test_evidence_that_takes_too_long_is_looked_at_where_it_is_cheapest(bases):
    slow = costing(bases["grows"], lambda o: 1.0 if o.point["k"] == 1 else trial.LONGEST)

    def square(k):
        return k**2

    def wrong_from_two_on(k):
        return k * (k - 1) + (k > 1)

    assert compared(slow, changed_program(slow, square), legs_of(slow)).found is TrialResult.NOTICED
    missed = compared(slow, changed_program(slow, wrong_from_two_on), legs_of(slow))
    assert missed.found is TrialResult.NO_EFFECT and "cheapest" in missed.why
    whole = bases["grows"]
    seen = compared(whole, changed_program(whole, wrong_from_two_on), legs_of(whole))
    assert seen.found is TrialResult.NOTICED


def test_a_point_that_takes_too_long_of_itself_is_unreached(bases):
    slow = costing(bases["grows"], lambda o: 2 * trial.LONGEST)
    found = compared(slow, slow.claim, legs_of(slow))
    assert found.found is TrialResult.UNREACHED and "takes more than" in found.why


@pytest.mark.parametrize(
    ("altogether", "result", "left"),
    [(8.0, TrialResult.NOTICED, 0), (1.0, TrialResult.NO_EFFECT, 1)],
)
def test_a_shared_model_is_looked_at_by_the_cheapest_claims(
    bases, monkeypatch, altogether, result, left
):
    monkeypatch.setattr(trial, "ALTOGETHER", altogether)
    cheap = costing(bases["twofold"], lambda o: 0.1)
    dear = costing(bases["biggest"], lambda o: 1.0)
    file = cheap.item.file
    text = file.read_text().replace("list(range(1, k + 1))", "list(range(2, k + 2))")
    touched = [(base, legs_of(base)) for base in (dear, cheap)]
    task = TimedTask(0, partial(trial.source_trial, file, text, touched), 60.0)
    (done,) = run_all([task], 1)  # the modules of this process stay as they are
    assert (done.result.found, done.result.left) == (result, left)


def test_a_law_is_not_looked_at_in_parts(bases):
    slow = costing(bases["law"], lambda o: 1.0 if o.point["k"] < 2**14 else trial.LONGEST)

    def cubes(k):
        return k**3

    assert (
        compared(slow, changed_program(slow, cubes), legs_of(slow)).found is TrialResult.UNREACHED
    )
    whole = bases["law"]
    assert whole.sound
    assert (
        compared(whole, changed_program(whole, cubes), legs_of(whole)).found is TrialResult.NOTICED
    )


def test_what_only_rounding_moved_is_the_same(bases):
    base = bases["rounded"]

    def another_way(ns, k):
        return ns.sqrt(ns.number(k) * 9) / 3

    def beside_it(ns, k):
        return ns.sqrt(ns.number(k)) + ns.rational(1, 10**9)

    found = compared(base, changed_program(base, another_way), legs_of(base))
    assert found.found is TrialResult.NO_EFFECT
    found = compared(base, changed_program(base, beside_it), legs_of(base))
    assert found.found is not TrialResult.NO_EFFECT


def test_a_proof_that_falls_or_rests_on_less_is_seen(bases):
    base = bases["counted"]
    assert base.sound and base.rung == "proved"

    def refuted():
        return Proof(False, "each pair", {"pairs": 16}, {"a": 0, "b": 1})

    def on_fewer():
        return Proof(True, "each pair", {"pairs": 9})

    def as_before():
        return Proof(True, "each pair", {"pairs": 16})

    def result(program):
        return compared(base, changed_program(base, program), legs_of(base)).found

    assert result(refuted) is TrialResult.NOTICED
    assert result(on_fewer) is TrialResult.SURVIVED
    assert result(as_before) is TrialResult.NO_EFFECT


def test_streams_are_compared_at_one_length(bases):
    base = bases["halves"]
    assert base.sound and all(o.samples > 0 for o in base.evidence.values())
    same = compared(base, base.claim, legs_of(base))
    assert same.found is TrialResult.NO_EFFECT

    def a_quarter_less(ns, rng, size, k):
        return rng.uniform((size,)) * 3 / (4 * ns.number(k))

    changed = changed_program(base, a_quarter_less)
    assert compared(base, changed, legs_of(base)).found is TrialResult.NOTICED


def test_the_border_of_a_check_beside_proofs_is_tried_though_the_check_is_not_required(bases):
    (found,) = (
        f for t, f in declared(bases, "beside", "domain widened").items() if t.startswith("k:")
    )
    assert found.found is TrialResult.BEYOND and "1 point outside" in found.why


def test_a_change_may_be_noticed_by_a_rival_that_now_stands(bases):
    """The claim's own program has the term twice, the rival once: without it they are alike."""
    base = bases["corrected"]
    legs = tuple(replace(lg, simulation=without_the_correction) for lg in base.claim.legs)
    rivals = tuple(
        replace(r, changes={**r.changes, "simulation": without_the_correction})
        for r in base.claim.rivals
    )
    found = compared(base, replace(base.claim, legs=legs, rivals=rivals), legs_of(base))
    assert found.found is TrialResult.NOTICED and "survivor: uncorrected" in found.why
    kept = compared(base, replace(base.claim, legs=legs), legs_of(base))
    assert kept.found is TrialResult.SLACK


def without_the_correction(k):
    return k


def test_a_rival_that_is_a_typed_statement_reaches_no_change(bases, monkeypatch):
    base, looked_at = bases["proofs"], []
    monkeypatch.setattr(trial, "observe", lambda unit, *_: looked_at.append(unit))
    rivals = [u for u in make_plan(base.claim, SMOKE).units if u.key.owner.kind == "rival"]
    assert rivals and all(u.evidence_key in base.evidence for u in rivals)
    tried = trial._Trial(base, make_plan(base.claim, SMOKE), legs_of(base))
    assert not tried.look_at_rivals() and not looked_at


def test_a_border_that_lets_no_point_in_has_no_effect(bases):
    (found,) = declared(bases, "spectral", "domain widened").values()
    assert found.found is TrialResult.NO_EFFECT and "no further point" in found.why


def test_a_claim_that_has_no_verdict_is_unreached(items):
    found = audit([items["undecided"]], SMOKE)
    assert found and {m.finding.found for m in found} == {TrialResult.UNREACHED}
    assert "no claim that it reaches has a verdict" in found[0].finding.why
