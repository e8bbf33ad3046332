"""Simulations as init, step and read: the same numbers, kept and continued inside."""

import json
import signal
import subprocess
import sys

import numpy as np
import pytest
from flint import arb, fmpq, fmpz
from hypothesis import given
from hypothesis import strategies as st
from processes import environment, finish, lines, report, timeless, wait_until
from scale_claims import HEAD

from theorycheck import arrays, claim, integers, iterated, leg, variant
from theorycheck.arrays.states import StateError, contiguous, decoded, encoded
from theorycheck.claims.functions import ClaimError, arguments
from theorycheck.engine.execute import execute
from theorycheck.evidence import checkpoints
from theorycheck.evidence.checkpoints import Checkpoints
from theorycheck.library.independence import check_independence
from theorycheck.plan.settings import Settings

BALLS, RATIONALS = arrays.BallNamespace(200), arrays.RationalNamespace()
INTERVALS = arrays.IntervalNamespace(arrays.select("cpu").xp)


def same(one, other):
    """Equal bit by bit and type by type."""
    assert type(one) is type(other)
    if isinstance(one, dict):
        assert list(one) == list(other)
        return all(same(one[k], other[k]) for k in one)
    if isinstance(one, list | tuple):
        assert len(one) == len(other)
        return all(same(a, b) for a, b in zip(one, other, strict=True))
    if isinstance(one, np.ndarray | np.generic):
        return (
            one.dtype == other.dtype
            and one.shape == other.shape
            and (one.tobytes() == other.tobytes())
        )
    if isinstance(one, arrays.IntervalArray):
        assert one.ns is other.ns and one.grid == other.grid and one.exact == other.exact
        return same(one.mid, other.mid) and same(one.rad, other.rad)
    if isinstance(one, arrays.ObjectArray):
        assert one.ns is other.ns and one.shape == other.shape
        return all(same(a, b) for a, b in zip(one.data.flat, other.data.flat, strict=True))
    if isinstance(one, arb):
        return all(
            a.man_exp() == b.man_exp()
            for a, b in ((one.mid(), other.mid()), (one.rad(), other.rad()))
        )
    return one == other or (one != one and other != other)


LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.fractions()
    | st.fractions().map(lambda q: fmpq(q.numerator, q.denominator))
    | st.integers().map(fmpz)
    | st.lists(st.floats(), max_size=4).map(lambda x: np.array(x, dtype=np.float64))
    | st.lists(st.integers(-9, 9), min_size=6, max_size=6).map(
        lambda x: np.array(x).reshape(2, 3).T
    )
    | st.floats().map(np.float64)
)


@given(
    st.recursive(
        LEAVES,
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.text(max_size=3), inner, max_size=3)
            | st.tuples(inner, inner)
        ),
        max_leaves=8,
    )
)
def test_a_state_comes_back_with_the_same_bits(state):
    state = contiguous(state)
    assert same(decoded(encoded(state)), state)


def test_arrays_of_every_namespace_come_back():
    for ns in (BALLS, RATIONALS, INTERVALS):
        with ns.working():
            x = ns.asarray([[1, 2, 3], [4, 5, 7]]) * ns.rational(1, 3)
            state = [x, ns.asarray([1, 2])]
            if ns is not RATIONALS:
                state.append(ns.sqrt(x))
            state = contiguous(state)
            assert same(decoded(encoded(state), ns), state)


@given(st.integers(-(2**200), 2**200), st.integers(-300, 300), st.integers(0, 2**30 - 1))
def test_balls_come_back_with_their_radius(mid, shift, radius):
    ball = arb((mid, shift), (radius, shift - 40))
    assert same(decoded(encoded(ball)), ball)


def test_the_layout_of_arrays_is_settled():
    kept = contiguous({"x": np.arange(12.0).reshape(3, 4).T, "y": INTERVALS.asarray([[1, 2]]).mT})
    assert kept["x"].flags.c_contiguous and kept["y"].mid.flags.c_contiguous


@pytest.mark.parametrize(
    "state",
    [object(), {1: 2}, [np.array([None])], {"g": np.random.default_rng(0)}, {"s": {1, 2}}],
    ids=["object", "key", "objects", "generator", "set"],
)
def test_what_cannot_be_kept_is_refused(state):
    with pytest.raises(StateError, match="a state holds"):
        contiguous(state)


# ------------------------------------------------------------ running


def grow(state, t, ns, n):
    return {"x": ns.sqrt(state["x"] + n), "t": state["t"] + t}


ROOTS = iterated(
    lambda ns: {"x": ns.asarray([2, 3]), "t": 0},
    grow,
    lambda state, ns: state["x"],
    steps=lambda n: 5 * n,
)


def by_hand(ns, n):
    x = ns.asarray([2, 3])
    for _ in range(5 * n):
        x = ns.sqrt(x + n)
    return x


def test_it_is_a_function_of_what_its_parts_ask_for():
    assert arguments(ROOTS) == ("ns", "n")
    assert arguments(iterated(lambda a: a, lambda s, t, b: s, lambda s, c: s, steps=1)) == tuple(
        "abc"
    )


@pytest.mark.parametrize("ns", [BALLS, INTERVALS, arrays.FloatNamespace(np)], ids=str)
def test_it_gives_what_a_loop_gives(ns):
    with ns.working():
        ours, theirs = ROOTS(ns=ns, n=2), by_hand(ns, 2)
        assert same(ours, theirs)
        halfway = [(0, contiguous(ROOTS.init(ns=ns)))]
        ROOTS.run({"ns": ns, "n": 2}, seen=lambda *at: halfway.append(at))
        for stop in (0, 1, 7, 10):
            done, state = halfway[stop]
            again = decoded(encoded(state), ns)
            assert done == stop and same(ROOTS.run({"ns": ns, "n": 2}, (done, again)), theirs)


def test_no_step_is_taken_twice_and_none_left_out(monkeypatch):
    monkeypatch.setattr(checkpoints, "CHECKPOINT_SECONDS", 0.0)
    monkeypatch.setattr(checkpoints, "CHECKPOINT_WAIT", 0.0)
    taken, kept = [], {}

    def step(state, t):
        if len(taken) == 6:
            raise KeyboardInterrupt
        taken.append(t)
        return state + t

    sums = iterated(lambda: 0, step, lambda state: state, steps=10)
    place = Checkpoints(lambda: kept.get("data"), lambda data: kept.update(data=data))
    with pytest.raises(KeyboardInterrupt):
        place.run("a", sums, {})
    taken.append("killed")
    again = Checkpoints(lambda: kept["data"], lambda data: kept.update(data=data))
    assert again.run("b", iterated(lambda: 5, lambda s, t: s + 1, lambda s: s, steps=2), {}) == 7
    assert again.run("a", sums, {}) == sum(range(10))
    assert taken == [0, 1, 2, 3, 4, 5, "killed", 6, 7, 8, 9]


@pytest.mark.parametrize("steps", [-1, 2.0, True, "3", None])
def test_steps_that_are_no_number_are_refused(steps):
    with pytest.raises(ClaimError, match="steps is an integer"):
        iterated(lambda: 0, lambda s, t: s, lambda s: s, steps=steps)


@pytest.mark.parametrize("steps", [-1, 2.0, True])
def test_a_function_that_gives_no_number_of_steps_is_an_error_of_the_claim(steps):
    made = iterated(lambda: 0, lambda s, t: s, lambda s: s, steps=lambda n: steps)
    with pytest.raises(ValueError, match="no number of steps"):
        made(n=1)


def test_parts_without_a_state_are_refused():
    for step, read in ((lambda s: s, lambda s: s), (lambda s, t: s, lambda: 0)):
        with pytest.raises(ClaimError, match="take"):
            iterated(lambda: 0, step, read, steps=1)


# ------------------------------------------------------------ in a claim


def counted(simulation, **options):
    import sympy as sp

    n = sp.symbols("n", integer=True, positive=True)
    return claim(
        "sum-of-squares",
        domain={n: integers(1)},
        grid={"smoke": {n: [1, 2, 4]}},
        closed_form=n * (n + 1) * (2 * n + 1) / 6,
        mutate=False,
        legs=[leg("exact", simulation, arithmetic="exact", **options)],
        rivals=[variant("a cube", closed_form=n**3)],
    )


def test_a_claim_takes_it_as_a_simulation_and_as_a_reference():
    squares = iterated(lambda: 0, lambda s, t: s + (t + 1) ** 2, lambda s: s, steps=lambda n: n)
    assert execute(counted(squares), Settings("smoke")).judgement.verdict == "pass"
    wrong = iterated(lambda: 0, lambda s, t: s + (t + 2) ** 2, lambda s: s, steps=lambda n: n)
    assert execute(counted(wrong), Settings("smoke")).judgement.verdict == "fail"
    bad = iterated(lambda: object(), lambda s, t: s, lambda s: 0, steps=3)
    found = execute(counted(bad), Settings("smoke")).judgement
    assert found.verdict == "error" and "a state holds object" in found.reason


@pytest.mark.parametrize("part", ["init", "step", "read", "steps"])
def test_no_part_may_reach_sympy(part):
    import sympy as sp

    parts = {
        "init": lambda: 0,
        "step": lambda s, t: s + (t + 1) ** 2,
        "read": lambda s: s,
        "steps": lambda n: n,
    }
    check_independence(counted(iterated(**parts)), __name__)
    cheats = {
        "init": lambda: sp.Integer(0),
        "step": lambda s, t: s + sp.Integer(t),
        "read": lambda s: sp.Integer(s),
        "steps": lambda n: int(sp.Integer(n)),
    }
    with pytest.raises(ClaimError, match=f"{part}.*sympy"):
        check_independence(counted(iterated(**parts | {part: cheats[part]})), __name__)


LONG = '''
import numpy as np
from theorycheck import at_least, iterated, leg

def matrix(k):
    return np.random.default_rng(k).standard_normal((40, 40)) / 7

def begin(k):
    return {"x": np.eye(40), "a": matrix(k)}

def one_step(state, t):
    """A product and a root: the bits of each step depend on all before."""
    time.sleep(float(os.environ.get("THEORYCHECK_STEP_SECONDS", "0")))
    if "THEORYCHECK_PROGRESS" in os.environ:
        with open(os.environ["THEORYCHECK_PROGRESS"], "a") as file:
            file.write("x")
    x = (state["x"] @ state["a"]).T
    return {**state, "x": np.tanh(x + np.random.default_rng(t).standard_normal((40, 40)))}

def norm(state):
    return float(np.linalg.norm(state["x"]))

k = sp.symbols("k", integer=True, positive=True)
iteration = claim("iteration", domain={k: integers(1)}, grid={"smoke": {k: [1, 2]}}, closed_form=k,
    relation=at_least(), mutate=False, rivals=[variant("far more", closed_form=1000 * k)],
    legs=[leg("steps", iterated(begin, one_step, norm, steps=150), arithmetic="external",
              model="floats", error=Fraction(1, 10**9))])
'''
IMPATIENT = (
    "import theorycheck.evidence.checkpoints as c; c.CHECKPOINT_SECONDS = 0.1\n"
    "from theorycheck.executors.local import here\n"
    "import theorycheck.cli.run as r; r._executor = lambda *words: here\n"
    "from theorycheck.cli import main; main()\n"
)


def started(folder, *words, **more):
    """A run in one process, so that a kill meets the claim itself, and that keeps states often."""
    return subprocess.Popen(
        [sys.executable, "-c", IMPATIENT, "run", *words],
        cwd=folder,
        env=environment(folder, **more),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_kills_inside_a_long_claim_change_no_bit(tmp_path):
    for name in ("clean", "killed"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "few.py").write_text(HEAD + LONG)
    clean, killed = tmp_path / "clean", tmp_path / "killed"
    words = ("few.py", "--profile", "smoke", "--out", "out")
    assert finish(clean, *words)[0] == 0
    progress = killed / "progress"
    slow = {"THEORYCHECK_STEP_SECONDS": "0.02", "THEORYCHECK_PROGRESS": str(progress)}
    for count in (40, 100, 200):
        process = started(killed, *words, **slow)
        wait_until(lambda count=count: lines(progress) >= count)
        process.kill()
        process.communicate()
        words = ("--resume", "--out", "out")
    last = started(killed, *words, **slow | {"THEORYCHECK_STEP_SECONDS": "0"})
    _, err = last.communicate(timeout=120)
    assert last.returncode == 0, err
    assert timeless(report(killed / "out")) == timeless(report(clean / "out"))
    ours, theirs = (
        json.loads((f / "out" / "observations" / "iteration.json").read_text())
        for f in (killed, clean)
    )
    assert timeless(ours) == timeless(theirs)
    # Each kill costs what came after the last state that was kept: here at most a second of steps.
    assert 300 <= lines(progress) <= 300 + 3 * 50
    # What is finished needs no state any more.
    import sqlite3

    with sqlite3.connect(killed / "store.sqlite") as db:
        assert db.execute("SELECT count(*) FROM checkpoint").fetchone() == (0,)
    db.close()


def test_a_signal_inside_a_long_claim_keeps_its_steps(tmp_path):
    (tmp_path / "few.py").write_text(HEAD + LONG)
    progress = tmp_path / "progress"
    slow = {"THEORYCHECK_STEP_SECONDS": "0.02", "THEORYCHECK_PROGRESS": str(progress)}
    process = started(tmp_path, "few.py", "--profile", "smoke", "--out", "out", **slow)
    wait_until(lambda: lines(progress) >= 60)
    process.send_signal(signal.SIGTERM)
    assert process.wait(60) == 2
    code, _, err = finish(
        tmp_path, "--resume", "--out", "out", **slow | {"THEORYCHECK_STEP_SECONDS": "0"}
    )
    assert code == 0, err
    assert 300 <= lines(progress) <= 350
