"""The store holds what it was given, and nothing else: damage, rivals and full disks included."""

import json
import multiprocessing
import os
import sqlite3
import zlib
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scale_claims import EXACT, FALSE, SAMPLED, write

from theorycheck import stats
from theorycheck.arithmetics import ARITHMETICS
from theorycheck.evidence.environment import context_of
from theorycheck.evidence.observation import Observation, Value
from theorycheck.evidence.store import Damaged, Store, default_path, open_store
from theorycheck.library.loading import load_file
from theorycheck.plan.keys import CLAIM, Purpose
from theorycheck.plan.settings import Settings

SETTINGS = Settings("smoke")


@pytest.fixture
def item(tmp_path):
    return load_file(write(tmp_path, EXACT))[0]


@pytest.fixture
def said():
    return []


def opened(path, said):
    return Store(path, said.append)


def seen(n, value, samples=0, state=None):
    return Observation(
        leg="value",
        owner=CLAIM,
        purpose=Purpose.JUDGE,
        point={"n": n},
        arithmetic="exact" if state is None else "samples",
        values=[[Value.of(value)]],
        observed=[{}],
        scalars=[{}],
        samples=samples,
        state=state,
    )


def fill(path, item, said, count=50):
    store = opened(path, said)
    evidence = store.evidence(item.origin, SETTINGS)
    for n in range(count):
        evidence.keep(f"judge|value||n={n}", seen(n, Fraction(n, 7)))
    store.close()


def read(path, item, said, under=SETTINGS):
    store = opened(path, said)
    cached = store.evidence(item.origin, under)
    found = {key: cached.find(key) for key in cached.cached()}
    store.close()
    return {key: value for key, value in found.items() if value is not None}


# ------------------------------------------------------------ what is kept


@settings(max_examples=15)
@given(st.fractions(), st.integers(0, 10**6), st.text(max_size=20))
def test_an_observation_comes_back_as_it_was(tmp_path_factory, value, n, unit):
    folder = tmp_path_factory.mktemp("store")
    item = load_file(write(folder, EXACT))[0]
    store = Store(folder / "s.sqlite", pytest.fail)
    kept = seen(n, value)
    store.evidence(item.origin, SETTINGS).keep(unit, kept)
    store.close()
    assert read(folder / "s.sqlite", item, []) == {unit: Observation.from_json(kept.to_json())}


def test_no_path_keeps_nothing(item):
    with open_store(None) as store:
        evidence = store.evidence(item.origin, SETTINGS)
        evidence.keep("k", seen(1, 1))
        evidence.save("k", b"x")
        assert not evidence.cached() and evidence.checkpoint("k") is None
        store.keep_counterexample("c", {"n": 1})
        assert store.counterexamples("c") == [] and store.costs(SETTINGS) == {}


def test_errors_are_not_evidence(tmp_path, item, said):
    store = opened(tmp_path / "s", said)
    store.evidence(item.origin, SETTINGS).keep(
        "k", replace(seen(1, 1), status="error", message="broke")
    )
    store.close()
    assert read(tmp_path / "s", item, said) == {}


def test_of_two_streams_the_longer_is_kept(tmp_path, item, said):
    def stream(n):
        state = stats.update(stats.new_state(stats.bernoulli()), np.zeros(n, dtype=bool))
        return seen(1, 0, samples=n, state=state)

    for lengths in ((1024, 4096, 2048), (4096, 1024, 2048)):
        path = tmp_path / str(lengths[0])
        for n in lengths:
            store = opened(path, said)
            store.evidence(item.origin, SETTINGS).keep("k", stream(n))
            store.close()
        assert read(path, item, said)["k"].samples == 4096
    assert said == []


@pytest.mark.parametrize(
    "other",
    [Settings("smoke", seed=1), Settings("smoke", device="elsewhere")],
    ids=["seed", "device"],
)
def test_other_seeds_and_devices_are_other_contexts(tmp_path, item, said, other, monkeypatch):
    from theorycheck.evidence import environment as module

    monkeypatch.setattr(module, "_device", lambda name: name)
    fill(tmp_path / "s", item, said)
    assert len(read(tmp_path / "s", item, said)) == 50
    assert read(tmp_path / "s", item, said, other) == {}


def test_profile_and_alpha_share_evidence(item):
    assert context_of(item.origin, SETTINGS) == context_of(item.origin, Settings("deep", alpha=0.1))


def test_content_decides_and_comments_do_not(tmp_path):
    def content(name, text):
        (tmp_path / name).mkdir()
        return context_of(load_file(write(tmp_path / name, text))[0].origin, SETTINGS)

    first = content("a", EXACT)
    assert content("b", EXACT + "\n# a comment\n") == first
    assert content("c", EXACT.replace("2 * i + 1", "2 * i + 1 + 0")) != first


def test_a_file_edited_during_a_run_is_filed_as_what_ran(tmp_path):
    """Another claim that shares the model is loaded after the edit: its module is the old one."""
    shared = tmp_path / "_shared.py"
    shared.write_text("def one(n):\n    return n**2\n")
    text = "from ._shared import one\n" + EXACT
    first = load_file(write(tmp_path, text, name="first.py"))[0]
    second = write(tmp_path, text.replace("odd-numbers", "odd-numbers-too"), name="second.py")
    shared.write_text("def one(n):\n    return n**3\n")
    late = load_file(second)[0]
    (tmp_path / "fresh").mkdir()
    for name in ("second.py", "_shared.py"):
        (tmp_path / "fresh" / name).write_text((tmp_path / name).read_text())
    edited = load_file(tmp_path / "fresh" / "second.py")[0]
    assert edited.content != late.content
    assert load_file(first.file)[0].content == first.content


def test_external_legs_depend_on_what_they_wrap(item, monkeypatch):
    from theorycheck.evidence import environment as module

    plain = context_of(item.origin, SETTINGS)
    versions = module._versions
    monkeypatch.setattr(
        module, "_versions", lambda names: {"torch": "99"} if "torch" in names else versions(names)
    )
    assert context_of(item.origin, SETTINGS) == plain
    legs = tuple(
        replace(lg, arithmetic=ARITHMETICS["external"], model="x") for lg in item.claim.legs
    )
    external = replace(item, claim=replace(item.claim, legs=legs))
    assert context_of(external.origin, SETTINGS) != plain


def test_engine_modules_that_enter_numbers_are_in_the_digest():
    from theorycheck.evidence import environment as module

    root = module.Path(module.__file__).parents[1]
    rooms = {p.name for p in root.iterdir() if p.is_dir()}
    assert set(module._OBSERVES) <= rooms
    assert not {"judge", "reports", "cli"} & set(module._OBSERVES)


def test_counterexamples_are_kept_by_claim_and_point(tmp_path, said):
    with open_store(tmp_path / "s", said.append) as store:
        for n in range(30):
            store.keep_counterexample(
                "a", {"n": n, "x": Fraction(1, 3), "kind": "flat", "s": (1, 2)}
            )
        store.keep_counterexample("a", {"n": 3, "x": Fraction(1, 3), "kind": "flat", "s": (1, 2)})
        found = store.counterexamples("a")
        assert len(found) == 20
        assert found[0] == {"n": 3, "x": Fraction(1, 3), "kind": "flat", "s": (1, 2)}
        assert store.counterexamples("b") == []
        store.drop_counterexample("a", found[0])
        assert found[0] not in store.counterexamples("a")


def test_checkpoints_last_until_the_unit_is_observed(tmp_path, item, said):
    with open_store(tmp_path / "s", said.append) as store:
        evidence = store.evidence(item.origin, SETTINGS)
        evidence.save("k", b"\x00state one")
        evidence.save("k", b"\x00state two")
        assert evidence.checkpoint("k") == b"\x00state two"
        assert evidence.checkpoint("other") is None
        evidence.keep("k", seen(1, 1))
        store.flush()
        assert evidence.checkpoint("k") is None


def test_costs_are_by_profile(tmp_path, said):
    with open_store(tmp_path / "s", said.append) as store:
        store.record_cost("a", SETTINGS, 2.5, 1 << 20)
        store.record_cost("a", SETTINGS, 3.5, None)
        store.record_cost("b", Settings("deep"), 100.0, None)
        assert store.costs(SETTINGS) == {"a": (3.5, None)}


def test_what_no_run_asks_for_is_dropped_in_time(tmp_path, item, said, monkeypatch):
    from theorycheck.evidence import store as module

    fill(tmp_path / "s", item, said)
    today = module._today()
    assert len(read(tmp_path / "s", item, said)) == 50
    monkeypatch.setattr(module, "_today", lambda: today + module.EXPIRY_DAYS)
    with open_store(tmp_path / "s", said.append) as store:
        store.prune()
    assert len(read(tmp_path / "s", item, said)) == 50  # and asked for again, now
    monkeypatch.setattr(module, "_today", lambda: today + 2 * module.EXPIRY_DAYS + 1)
    with open_store(tmp_path / "s", said.append) as store:
        store.prune()
    assert read(tmp_path / "s", item, said) == {}


def test_the_environment_names_the_store(tmp_path, monkeypatch):
    monkeypatch.setenv("THEORYCHECK_STORE", str(tmp_path / "mine"))
    assert default_path() == tmp_path / "mine"
    monkeypatch.delenv("THEORYCHECK_STORE")
    assert default_path().name.startswith("evidence-")


def test_verdicts_are_not_in_the_store(tmp_path, said):
    from theorycheck.executors import Job
    from theorycheck.executors.local import here

    file = write(tmp_path, EXACT, FALSE, SAMPLED)
    ids = [i.claim.id for i in load_file(file)]
    jobs = [Job(file, i, "conjecture", SETTINGS, tmp_path / "s") for i in ids]
    assert {r.entry.verdict for r in here(jobs, 1)} >= {"pass", "fail"}
    db = sqlite3.connect(tmp_path / "s")
    rows = db.execute("SELECT data FROM evidence").fetchall()
    assert len(rows) > 8
    for (data,) in rows:
        read, _, payload = zlib.decompress(data[8:]).partition(b"\n")
        assert json.loads(read) == []  # these simulations read nothing
        assert set(json.loads(payload)) == set(seen(1, 1).to_json())
    columns = {
        row[1]
        for (table,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        for row in db.execute(f"PRAGMA table_info({table})")
    }
    assert not columns & {"verdict", "rung", "reason"}


# ------------------------------------------------------------ damage


def damage_header(path):
    with path.open("r+b") as file:
        file.write(b"not a database at all")


def truncate(path):
    os.truncate(path, path.stat().st_size // 2)


def scribble(path):
    size = path.stat().st_size
    with path.open("r+b") as file:
        for place in range(4096, size - 64, 512):
            file.seek(place)
            file.write(os.urandom(64))


def other_database(path):
    path.unlink()
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE songs (title TEXT)")
    db.commit()
    db.close()


def lost_table(path):
    db = sqlite3.connect(path)
    db.execute("DROP TABLE evidence")
    db.commit()
    db.close()


def later_version(path):
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version = 99")
    db.close()


def altered_row(path):
    db = sqlite3.connect(path)
    db.execute("UPDATE evidence SET data = substr(data, 1, 8) || zeroblob(20)")
    db.commit()
    db.close()


def exchanged_rows(path):
    """Two intact rows of which each sits in the other's place."""
    db = sqlite3.connect(path)
    (one,), (two,) = db.execute("SELECT data FROM evidence ORDER BY unit LIMIT 2").fetchall()
    db.execute(
        "UPDATE evidence SET data = CASE data WHEN ? THEN ? WHEN ? THEN ? ELSE data END",
        (one, two, two, one),
    )
    db.commit()
    db.close()


@pytest.mark.parametrize(
    "damage",
    [damage_header, truncate, scribble, other_database, lost_table, later_version, altered_row,
     exchanged_rows],
)  # fmt: skip
def test_a_damaged_store_is_set_aside_and_never_trusted(tmp_path, item, said, damage):
    path = tmp_path / "s.sqlite"
    fill(path, item, said, count=400)
    truth = read(path, item, said)
    assert len(truth) == 400 and said == []
    damage(path)
    found = read(path, item, said)
    assert len(said) == 1 and "set aside" in said[0] and "\n" not in said[0]
    assert len(list(tmp_path.glob("s.sqlite.damaged-*"))) == 1
    assert all(truth[key] == value for key, value in found.items())
    fill(path, item, said, count=3)
    assert len(read(path, item, said)) == 3
    assert len(said) == 1


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE counterexample SET point = 'none'",
        "UPDATE counterexample SET point = '[1]'",
        "UPDATE counterexample SET point = '{\"n\": 1}'",
        'UPDATE counterexample SET point = \'{"n": "1/0"}\'',
        "UPDATE cost SET seconds = 'long'",
        "UPDATE cost SET memory = 'much'",
    ],
)
def test_rows_without_a_checksum_that_say_nothing_end_no_run(tmp_path, said, change):
    """Such a row ended every later run in an internal error."""
    path = tmp_path / "s"
    with open_store(path, said.append) as store:
        store.keep_counterexample("a", {"n": 1})
        store.record_cost("a", SETTINGS, 1.0, 1 << 20)
    db = sqlite3.connect(path)
    with db:
        db.execute(change)
    db.close()
    with open_store(path, said.append) as store:
        found = store.counterexamples("a"), store.costs(SETTINGS)
        assert [] in found or {} in found
        store.keep_counterexample("a", {"n": 2})
        assert store.counterexamples("a") == [{"n": 2}]
    assert len(said) == 1 and "set aside" in said[0]


def test_damage_met_in_the_middle_leaves_a_store_that_works(tmp_path, item, said):
    path = tmp_path / "s.sqlite"
    fill(path, item, said)
    store = opened(path, said)
    evidence = store.evidence(item.origin, SETTINGS)
    known = evidence.cached()
    altered_row(path)
    assert len(known) == 50  # read before the damage
    assert store.evidence(item.origin, SETTINGS).find("judge|value||n=1") is None
    evidence.keep("k", seen(1, 1))
    store.close()
    assert set(read(path, item, said)) == {"k"} and len(said) == 1


def test_a_store_set_aside_by_one_run_is_not_set_aside_by_the_next(tmp_path, item, said):
    path = tmp_path / "s.sqlite"
    fill(path, item, said)
    one, two = opened(path, said), opened(path, said)
    one._set_aside(Damaged("seen by the first"))
    one.evidence(item.origin, SETTINGS).keep("k", seen(1, 1))
    one.close()
    two._set_aside(Damaged("seen by the second"))
    assert set(two.evidence(item.origin, SETTINGS).cached()) == {"k"}
    two.close()
    assert [f for f in tmp_path.glob("*.damaged-*") if not f.name.endswith(("-wal", "-shm"))]
    assert len([s for s in said if "set aside" in s]) == 1


def test_a_place_that_cannot_be_written_costs_one_line(tmp_path, item, said):
    (tmp_path / "file").write_text("x")
    store = opened(tmp_path / "file" / "s.sqlite", said)  # a folder is needed where a file is
    evidence = store.evidence(item.origin, SETTINGS)
    evidence.keep("k", seen(1, 1))
    store.record_cost("a", SETTINGS, 1.0, None)
    assert not evidence.cached()
    store.close()
    assert len(said) == 1 and said[0].startswith("cannot use the evidence cache")


def _full(path, file, out):
    """Fill the store in a process that may write files of 64 KiB at most."""
    import resource

    said = []
    item = load_file(file)[0]
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, 1 << 16))
    store = Store(path, said.append)
    evidence = store.evidence(item.origin, SETTINGS)
    for n in range(3000):
        evidence.keep(f"{n}", seen(n, Fraction(n, 7)))
        if n % 100 == 0:
            store.flush()
    store.close()
    out.put(said)


def test_a_full_disk_costs_what_comes_after_it(tmp_path, item, said):
    context = multiprocessing.get_context("spawn")
    out = context.Queue()
    process = context.Process(target=_full, args=(tmp_path / "s", item.file, out))
    process.start()
    told = out.get(timeout=60)
    process.join()
    assert process.exitcode == 0
    assert told and all("cannot use the evidence cache" in line for line in told)
    found = read(tmp_path / "s", item, said)
    assert all(found[f"{n}"].point == {"n": n} for n in map(int, found))
    assert not list(tmp_path.glob("*damaged*")) and said == []


def _write_many(path, file, start, out):
    said = []
    item = load_file(file)[0]
    for n in range(start, start + 25):
        store = Store(path, said.append)
        store.evidence(item.origin, SETTINGS).keep(f"{n}", seen(n, n))
        store.evidence(item.origin, SETTINGS).keep("shared", seen(1, 1, samples=n))
        store.close()
    out.put(said)


def test_several_runs_write_at_once(tmp_path, item, said):
    context = multiprocessing.get_context("spawn")
    out = context.Queue()
    many = [
        context.Process(target=_write_many, args=(tmp_path / "s", item.file, 25 * k, out))
        for k in range(3)
    ]
    for process in many:
        process.start()
    told = [line for _ in many for line in out.get(timeout=120)]
    for process in many:
        process.join()
    found = read(tmp_path / "s", item, said)
    assert told == said == []
    assert set(found) == {str(n) for n in range(75)} | {"shared"}
    assert found["shared"].samples == 74
