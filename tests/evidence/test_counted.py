"""Counted work: what ends a far point, on every machine at the same place."""

import sys
from fractions import Fraction

import numpy as np
import pytest

from theorycheck.arrays import BallNamespace, RationalNamespace
from theorycheck.arrays.streams import Stream
from theorycheck.arrays.work import NotReached
from theorycheck.evidence.counted import counted


def endless():
    n = 1
    while n:
        n = -n


def comprehension():
    return [i * i for i in range(10**9)]


def calls_of_c():
    squares = []
    while True:
        squares.append(abs(len(squares)))


def plain_arrays():
    """Few calls and lines, each of many doubles."""
    total = np.zeros(10**6)
    for _ in range(100):
        total = added(total)
    return total


def added(values):
    return values + 1


def exact_arrays():
    ns = RationalNamespace()
    x = ns.asarray(list(range(1, 101)))
    for _ in range(1000):
        x = x * x / x
    return x


def outer_product():
    """One operation whose result is far larger than its parts."""
    ns = RationalNamespace()
    x = ns.asarray(list(range(1000)))
    return ns.reshape(x, (-1, 1)) * x


def matrices():
    ns = BallNamespace(64)
    return ns.matmul(ns.eye(60), ns.eye(60))


def long_integers():
    x = Fraction(1, 3)
    for _ in range(30):
        x = x * x + 1
    return x


def draws():
    return Stream(1, "c", "judge", "v", {}, 0).integers(0, 2, (10**7,))


@pytest.mark.parametrize(
    "program",
    [endless, comprehension, calls_of_c, plain_arrays, exact_arrays, outer_product, matrices,
     long_integers, draws],
)  # fmt: skip
def test_work_of_every_kind_comes_to_an_end(program):
    with pytest.raises(NotReached, match="more than 50000 operations"), counted(50_000):
        program()


def test_small_work_is_done_and_nothing_is_left_behind():
    before = sys.gettrace(), sys.getprofile()
    with counted(50_000):
        assert sum(i * i for i in range(50)) == 40425
    assert (sys.gettrace(), sys.getprofile()) == before
    plain_arrays()  # without a limit nothing is counted


def test_the_same_program_comes_as_far_each_time():
    def reached(limit):
        seen = []
        with pytest.raises(NotReached), counted(limit):
            for n in range(10**6):
                seen.append(n)
        return len(seen)

    assert reached(1000) == reached(1000) < reached(2000)


def test_what_is_left_behind_is_closed_in_silence(monkeypatch):
    told = []
    monkeypatch.setattr(sys, "unraisablehook", told.append)

    def waits():
        try:
            yield from range(10**9)
        finally:
            abs(1)

    with pytest.raises(NotReached), counted(1000):
        for _ in waits():
            pass
    assert not told


class Closing:
    """Work while it is destroyed, where Python drops what is raised."""

    def __del__(self):
        for n in range(20):
            abs(n)


def suspended():
    """A generator, and one that works, that are destroyed before they end; then a loop."""
    waiting = (n for n in range(3))
    next(waiting)
    del waiting
    closing = Closing()
    del closing
    for _ in range(500):
        pass


@pytest.mark.parametrize("limit", range(1, 120))
def test_an_error_that_is_dropped_comes_again(monkeypatch, limit):
    told = []
    monkeypatch.setattr(sys, "unraisablehook", told.append)
    with pytest.raises(NotReached), counted(limit):
        suspended()
    assert not told
    assert sys.unraisablehook == told.append


def test_work_that_ends_while_the_error_is_dropped_was_too_much(monkeypatch):
    monkeypatch.setattr(sys, "unraisablehook", lambda dropped: None)
    with pytest.raises(NotReached), counted(30):
        closing = Closing()
        del closing


def test_what_else_python_drops_is_told_as_before(monkeypatch):
    told = []
    monkeypatch.setattr(sys, "unraisablehook", told.append)

    class Faulty:
        def __del__(self):
            raise ValueError("of its own")

    with counted(1000):
        Faulty()
    assert [dropped.exc_type for dropped in told] == [ValueError]


def test_what_a_program_makes_of_the_error_is_not_its_own():
    with pytest.raises(NotReached), counted(1000):
        try:
            endless()
        except BaseException as error:
            raise SystemError("returned a result with an exception set") from error


def test_errors_of_the_program_are_its_own():
    with pytest.raises(ZeroDivisionError), counted(1000):
        print(1 // 0)
