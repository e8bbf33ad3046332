import json
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from theorycheck.stats import (
    AssumptionBroken,
    MeanState,
    Tail,
    bernoulli,
    bounded,
    checkpoints,
    distribution,
    evidence_at,
    mean_interval,
    new_state,
    sub_gaussian,
    update,
    variance_at_most,
)

N = 1500
RNG = np.random.default_rng(7)
STREAMS = {
    bernoulli(): RNG.random(N) < 0.3,
    bounded(-0.1, 1.3): RNG.random(N) * 1.1,
    sub_gaussian(2.0): RNG.normal(1e6, 2.0, N),
    variance_at_most(3.0): RNG.standard_t(3, N) + 17.0,
    distribution(6): RNG.standard_cauchy(N),
}
TAILS = list(STREAMS)
IDS = [tail.kind for tail in TAILS]


@pytest.mark.parametrize("tail", TAILS, ids=IDS)
@settings(max_examples=20, deadline=None)
@given(cuts=st.lists(st.integers(0, N), max_size=12))
def test_any_cut_into_blocks_gives_the_same_bits(tail, cuts):
    x = STREAMS[tail]
    state = new_state(tail)
    for a, b in pairwise([0, *sorted(cuts), N]):
        state = update(state, x[a:b])
    whole = update(new_state(tail), x)
    assert state == whole
    assert json.dumps(state.to_json()) == json.dumps(whole.to_json())


@pytest.mark.parametrize("tail", TAILS, ids=IDS)
@pytest.mark.parametrize("n", [0, 1, 63, 64, 70, 1000])
def test_stored_and_resumed(tail, n):
    x = STREAMS[tail]
    stored = json.loads(json.dumps(update(new_state(tail), x[:n]).to_json(), allow_nan=False))
    resumed = MeanState.from_json(stored)
    assert resumed == update(new_state(tail), x[:n])
    assert update(resumed, x[n:]) == update(new_state(tail), x)


@pytest.mark.parametrize("tail", TAILS[:4], ids=IDS[:4])
def test_records_lie_at_the_checkpoints_and_never_change(tail):
    x, state = STREAMS[tail], new_state(tail)
    before = state.records
    for block in np.array_split(x, 40):
        state = update(state, block)
        assert state.records[: len(before)] == before
        before = state.records
    due = [n for n, _ in zip(checkpoints(), before, strict=False)]
    assert [r[0] for r in before] == due
    assert len(json.dumps(state.to_json())) < 8000


def test_sums_are_the_correctly_rounded_ones():
    import math

    x = STREAMS[sub_gaussian(2.0)]
    state = update(new_state(sub_gaussian(2.0)), x)
    assert state.records[-1][1] == math.fsum(x[: state.records[-1][0]].tolist())


def test_booleans_integers_and_floats_are_the_same_evidence():
    x = STREAMS[bernoulli()]
    states = [
        update(new_state(bernoulli()), x.astype(t)) for t in (bool, np.int8, np.uint64, float)
    ]
    assert all(state == states[0] for state in states)


def test_the_order_of_an_array_is_its_c_order():
    x = STREAMS[sub_gaussian(2.0)].reshape(30, 50)
    assert update(new_state(sub_gaussian(2.0)), x.T) == update(
        new_state(sub_gaussian(2.0)), x.T.ravel()
    )


def test_update_leaves_its_arguments_alone():
    state, x = new_state(bounded(-0.1, 1.3)), STREAMS[bounded(-0.1, 1.3)].copy()
    update(state, x)
    assert state == new_state(bounded(-0.1, 1.3))
    assert np.array_equal(x, STREAMS[bounded(-0.1, 1.3)])


@pytest.mark.parametrize("undeclared", [None, "bounded", (0, 1), 1.0])
def test_a_mean_without_a_declared_tail_is_refused_with_what_to_write(undeclared):
    with pytest.raises(ValueError, match=r"bounded\(lo, hi\).*sub_gaussian\(sigma\).*quantile"):
        new_state(undeclared)


@pytest.mark.parametrize("tail", TAILS, ids=IDS)
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_nan_and_infinities_are_refused(tail, bad):
    with pytest.raises(ValueError, match="not a finite number"):
        update(new_state(tail), np.array([0.0, bad]))


@pytest.mark.parametrize("tail", TAILS, ids=IDS)
@pytest.mark.parametrize(
    "bad",
    [
        np.array([1j]),
        np.array(["1"]),
        np.array([None]),
        np.array([1.0], dtype=np.longdouble),
        np.array([2**53 + 1]),
        np.array([2**64 - 1], dtype=np.uint64),
    ],
    ids=["complex", "text", "object", "longdouble", "large int", "largest int"],
)
def test_values_that_are_no_float64_numbers_are_refused(tail, bad):
    with pytest.raises(ValueError):
        update(new_state(tail), bad)


@pytest.mark.parametrize(
    ("tail", "value"),
    [
        (bernoulli(), 0.5),
        (bernoulli(), -1),
        (bernoulli(), 2),
        (bounded(0, 1), 1.0000000000000002),
        (bounded(0, 1), -5e-324),
    ],
)
def test_a_value_outside_the_declared_range_breaks_the_assumption(tail, value):
    with pytest.raises(AssumptionBroken, match="position 1 contradicts"):
        update(new_state(tail), np.array([0, value]))


def test_values_too_large_for_their_powers_are_refused():
    with pytest.raises(ValueError, match="rescale"):
        update(new_state(variance_at_most(1.0)), np.array([1e101]))


@pytest.mark.parametrize(
    "make",
    [
        lambda: bounded(1, 1),
        lambda: bounded(2, 1),
        lambda: bounded(0, np.inf),
        lambda: bounded(np.nan, 1),
        lambda: bounded(0, 1e-200),
        lambda: bounded(0, 1e200),
        lambda: sub_gaussian(0),
        lambda: sub_gaussian(-1),
        lambda: sub_gaussian(np.nan),
        lambda: sub_gaussian(np.inf),
        lambda: variance_at_most(0),
        lambda: variance_at_most(np.inf),
        lambda: distribution(0),
        lambda: distribution(21),
        lambda: distribution(2.5),
        lambda: distribution(10, np.inf),
        lambda: Tail("normal", (0.0, 1.0)),
        lambda: Tail("bounded", (0.0,)),
    ],
)
def test_senseless_declarations_are_refused(make):
    with pytest.raises(ValueError):
        make()


def test_every_declaration_has_words_and_a_round_trip():
    texts = {tail.text() for tail in TAILS}
    assert len(texts) == len(TAILS)
    assert all("declared" in tail.text() for tail in TAILS[1:4])
    for tail in TAILS:
        written = json.loads(json.dumps(new_state(tail).to_json()))
        assert MeanState.from_json(written).tail == tail


@pytest.mark.parametrize(
    "change",
    [{"n": "many"}, {"tail": {"kind": "light", "params": []}}, {"pilot": None}, {"records": [7]}],
    ids=lambda c: next(iter(c)),
)
def test_what_is_no_state_is_refused(change):
    (field,) = change
    data = new_state(bernoulli()).to_json()
    with pytest.raises(ValueError, match=field):
        MeanState.from_json({**data, **change})


@pytest.mark.parametrize("tail", TAILS[:4], ids=IDS[:4])
def test_records_that_miss_a_checkpoint_are_refused(tail):
    data = update(new_state(tail), STREAMS[tail]).to_json()
    with pytest.raises(ValueError, match="record"):
        MeanState.from_json({**data, "records": data["records"][1:]})
    with pytest.raises(ValueError, match="record"):
        MeanState.from_json({**data, "records": data["records"][:-1]})


@pytest.mark.parametrize(
    ("tail", "sums"),
    [
        (bernoulli(), [-1]),
        (bernoulli(), [65]),
        (bernoulli(), [3.5]),
        (bernoulli(), []),
        (bounded(-0.1, 1.3), [70.0] + [1.0] * 7),
        (bounded(-0.1, 1.3), [float("nan")] * 8),
        (bounded(-0.1, 1.3), [1.0, 1.0]),
        (sub_gaussian(2.0), [float("inf")]),
    ],
)
def test_impossible_sums_are_refused(tail, sums):
    data = update(new_state(tail), STREAMS[tail][:64]).to_json()
    with pytest.raises(ValueError, match="impossible"):
        MeanState.from_json({**data, "records": [[64, *sums]]})


def test_a_part_of_a_stream_is_what_was_seen_then():
    for tail in TAILS[:4]:
        x = STREAMS[tail]
        whole, part = update(new_state(tail), x), update(new_state(tail), x[:700])
        cut = evidence_at(whole, 700)
        assert (cut.n, cut.records) == (700, part.records)
        assert mean_interval(cut, 0.05) == mean_interval(part, 0.05)
        with pytest.raises(ValueError, match="not in a state"):
            evidence_at(part, 701)


def test_counts_that_do_not_add_up_are_refused():
    data = update(new_state(distribution()), STREAMS[distribution(6)]).to_json()
    with pytest.raises(ValueError, match="add up"):
        MeanState.from_json({**data, "n": data["n"] + 1})


def test_a_histogram_is_no_evidence_on_a_mean():
    with pytest.raises(ValueError, match="quantiles, not means"):
        mean_interval(update(new_state(distribution()), np.ones(100)), 0.05)
