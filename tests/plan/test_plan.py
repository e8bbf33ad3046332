"""The plan: what it enumerates, keys that no name can imitate, streams that no key can move."""

import json
from dataclasses import replace
from fractions import Fraction

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from theorycheck import claim, hypothesis, instances, integers, leg, probability, variant
from theorycheck.arrays import streams as array_streams
from theorycheck.engine.execute import execute
from theorycheck.evidence.cached import CachedOnly, CacheMiss, InMemory
from theorycheck.evidence.observation import Observation
from theorycheck.judge import judge
from theorycheck.plan import keys, streams
from theorycheck.plan.keys import CLAIM, Owner, OwnerKind, Purpose, UnitKey
from theorycheck.plan.plan import confirming, make_plan, shrinking, suspected
from theorycheck.plan.settings import LOOKS, Settings

n = sp.symbols("n", integer=True, positive=True)
SMOKE = Settings("smoke", 7)


def double(n):
    return 2 * n


def coin(rng, ns, size, n):
    return rng.uniform((size,)) < ns.rational(1, 2)


def drawn(rng, n):
    return {"x": rng.integers(0, 5)}


def plus(n, x):
    return 2 * n + 0 * int(x)


def doubling(**changes):
    parts = {
        "domain": {n: integers(1)},
        "grid": {"smoke": {n: [1, 2]}, "standard": {n: [9]}},
        "closed_form": 2 * n,
        "rivals": [variant("3n", closed_form=3 * n), variant("own", at=[{n: 4}], closed_form=n)],
        "assumes": [hypothesis("size", without={n: [5, 6]})],
        "legs": [leg("value", double)],
    }
    return claim("doubling", **{**parts, **changes})


def fair(**changes):
    parts = {
        "domain": {n: integers(1)},
        "grid": {"smoke": {n: [3]}},
        "closed_form": sp.Rational(1, 2) + 0 * n,
        "rivals": [variant("other coin", simulation=coin, at={n: [4]}, closed_form=n)],
        "legs": [leg("toss", coin, statistic=probability(), block=64)],
    }
    return claim("fair", **{**parts, **changes})


def test_the_plan_enumerates_legs_rivals_with_data_and_dropped_hypotheses():
    found = [(u.key.owner, u.leg.name, dict(u.point)) for u in make_plan(doubling(), SMOKE).units]
    assert found == [
        (CLAIM, "value", {"n": 1}),
        (CLAIM, "value", {"n": 2}),
        (keys.rival("own"), "value", {"n": 4}),
        (keys.hypothesis("size"), "value", {"n": 5}),
        (keys.hypothesis("size"), "value", {"n": 6}),
    ]


def test_a_larger_profile_asks_for_more_and_sharper():
    smoke, standard = (make_plan(fair(), Settings(p)) for p in ("smoke", "standard"))
    assert {u.limit for u in smoke.units} == {LOOKS["smoke"].samples}
    assert {u.limit for u in standard.units} == {LOOKS["standard"].samples}
    assert standard.target.sampled < smoke.target.sampled


def test_levels_of_the_grid_are_equal_parts():
    plan = make_plan(fair(), SMOKE)
    assert len({u.level for u in plan.units}) == 1
    assert sum(u.level for u in plan.units) == pytest.approx(plan.budget.point * 2)


names = st.text(alphabet="ab |/=,()'\"[]\\", max_size=6)
values = st.one_of(
    st.integers(-3, 3),
    st.sampled_from([Fraction(1, 2), "1/2", "2", (1, 2), (Fraction(1, 2),), ()]),
)
unit_keys = st.builds(
    UnitKey.of,
    st.sampled_from(list(Purpose)),
    st.builds(Owner, st.sampled_from(list(OwnerKind)), names),
    names,
    st.dictionaries(names, values, max_size=2),
)


@given(unit_keys, unit_keys)
def test_equal_texts_for_equal_keys_only(one, other):
    assert (one.text() == other.text()) == (one == other)


def test_points_are_compared_by_value_in_any_order():
    point = {"a": 1, "b": Fraction(1, 2)}
    one, other = (
        UnitKey.of(Purpose.JUDGE, CLAIM, "leg", p) for p in (point, dict(reversed(point.items())))
    )
    assert one == other and one.text() == other.text()


def test_names_that_looked_like_one_another_have_keys_of_their_own():
    def key(owner, leg):
        return UnitKey.of(Purpose.JUDGE, owner, leg, {}).text()

    assert key(keys.rival("without parity"), "a") != key(keys.hypothesis("parity"), "a")
    assert key(CLAIM, "a|b") != key(keys.rival("b"), "a")
    assert key(keys.rival("a|b"), "c") != key(keys.rival("a"), "b|c")


# ---- streams


@pytest.fixture
def asked(monkeypatch):
    """The arguments of every stream that is keyed."""
    seen = []
    right = array_streams.stream_key

    def recorded(*arguments):
        seen.append(arguments)
        return right(*arguments)

    monkeypatch.setattr(array_streams, "stream_key", recorded)
    return seen


def test_what_keys_a_stream_is_frozen(asked):
    """As in the first release, but for what examines a fail: every draw of every report depends on these
    words."""
    wrong = fair(
        closed_form=sp.Rational(9, 10) + 0 * n,
        assumes=[hypothesis("fairness", without={n: [6]})],
    )
    execute(wrong, SMOKE)
    found = {(purpose, name, tuple(point.items())) for _, _, purpose, name, point, _ in asked}
    assert found == {
        ("judge", "toss", (("n", 3),)),
        ("judge", "toss/other coin", (("n", 4),)),
        ("judge", "toss/without fairness", (("n", 6),)),
        ("confirm", "toss", (("n", 3),)),
        ("examine", "toss", (("n", 3),)),
        ("shrink", "toss", (("n", 1),)),
        ("shrink", "toss", (("n", 2),)),
    }
    assert {(seed, claim_id) for seed, claim_id, *_ in asked} == {(7, "fair")}


def test_instances_are_drawn_by_point_alone_and_confirmed_on_the_same(asked):
    wrong = doubling(
        closed_form=3 * n,
        rivals=[],
        assumes=[],
        legs=[leg("value", plus, instances=instances(drawn, "x", smoke=2))],
    )
    execute(wrong, SMOKE)
    found = {(purpose, name, block) for _, _, purpose, name, _, block in asked}
    assert found == {("judge", "instance", 0), ("judge", "instance", 1)}
    assert streams.drawing(Purpose.CONFIRM) == streams.drawing(Purpose.JUDGE)


# ---- evidence and judging by the plan


def test_confirming_and_shrinking_have_levels_of_their_own():
    plan = make_plan(fair(), SMOKE)
    (again,) = confirming(plan, plan.claim.legs[0], {"n": 3})
    first, second = shrinking(plan, plan.claim.legs[0], {"n": 3})
    assert again.level == plan.budget.confirm(1)
    assert (first.level, second.level) == (plan.budget.adaptive(1), plan.budget.adaptive(2))
    assert [dict(u.point) for u in (first, second)] == [{"n": 1}, {"n": 2}]


def test_a_suspect_is_tried_only_where_the_first_leg_speaks():
    """A counterexample of an earlier run, outside of what the leg says now, is none of it."""
    c = claim("c", domain={n: integers(1)}, grid={"smoke": {n: [5]}}, closed_form=n,
              legs=[leg("v", lambda n: n, where=n > 4)])  # fmt: skip
    plan = make_plan(c, SMOKE)
    assert [dict(u.point) for u in suspected(plan, [{"n": 3}, {"n": 7}])] == [{"n": 7}]


def test_cached_evidence_is_taken_and_what_lacks_is_a_miss():
    kept = InMemory()
    first = execute(doubling(), SMOKE, kept)
    second = execute(doubling(), SMOKE, CachedOnly(kept))
    assert second.fresh == 0 and first.fresh == 5
    assert second.judgement == first.judgement
    assert set(kept.cached()) == {u.evidence_key for u in make_plan(doubling(), SMOKE).units}
    with pytest.raises(CacheMiss):
        execute(doubling(), Settings("standard", 7), CachedOnly(kept))


def test_instances_of_another_number_are_other_evidence():
    legs = [leg("value", plus, instances=instances(drawn, "x", smoke=2, standard=3))]
    made = doubling(legs=legs, rivals=[], assumes=[])
    smoke, standard = (make_plan(made, Settings(p)).units[0] for p in ("smoke", "standard"))
    assert smoke.key == standard.key
    assert smoke.evidence_key != standard.evidence_key


def earlier(seen):
    """As a run of an earlier version kept it: a label in place of the owner."""
    data = json.loads(json.dumps(seen.to_json()))
    del data["owner"]
    return Observation.from_json(data)


def test_runs_of_earlier_versions_are_judged_as_before():
    done = execute(doubling(), SMOKE)
    plan = make_plan(doubling(), SMOKE)
    assert judge(plan, [earlier(o) for o in done.observations]) == done.judgement
    assert [h.name for h in done.judgement.hypotheses] == ["size"]


def test_a_judgement_is_a_value():
    plan = make_plan(doubling(), SMOKE)
    seen = execute(doubling(), SMOKE).observations
    one = judge(plan, seen)
    assert one == judge(plan, tuple(reversed(seen))) or one.verdict == "pass"
    with pytest.raises(AttributeError):
        one.verdict = "fail"
    assert replace(one, verdict="fail") != one
