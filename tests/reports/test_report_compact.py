"""Scripts made short compute what they did before."""

import subprocess
import sys

import pytest

from theorycheck.reports.compact import WIDTHS, compact, names_read, specialised

SCRIPT = '''"""A script."""
import math
import itertools
from functools import cache
from dataclasses import dataclass
@dataclass(frozen=True)
class Pair:
    left: object
    right: object
LIMIT = 3
def unused(x):
    return x
@cache
def helper(n, big=None):
    if big is None:
        total = 0
        for i in range(n):
            total += i
        return total
    elif big > LIMIT:
        return unused(n)
    else:
        return math.inf
def other(pairs):
    for pair in pairs:
        try:
            yield pair.left / pair.right
        except ZeroDivisionError:
            yield 0
    while False:
        pass
def empty(values):
    found = []
    for v in values:
        found.append(missing_name(v))
    return found
def both(n):
    out = []
    for i in range(n):
        if i % 2:
            out.append(-i)
        else:
            out.append(i)
    return out
print(helper(5), list(other([Pair(1, 2), Pair(3, 0)])), empty([]), both(4))
print(1 if LIMIT else 2)
'''


def printed(script):
    done = subprocess.run([sys.executable, "-I", "-c", script], capture_output=True, text=True,
                          check=False)  # fmt: skip
    return done.stdout if done.returncode == 0 else None


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("narrow", [False, True])
def test_the_numbers_stay_and_the_lines_go(width, narrow):
    text = specialised(SCRIPT, printed) if narrow else SCRIPT
    short = compact(text, width)
    assert printed(short) == printed(SCRIPT) != ""
    assert len(short.splitlines()) < len(SCRIPT.splitlines()) - 10
    assert short.startswith('"""A script.')


def test_what_is_not_reached_goes_and_what_goes_both_ways_stays():
    short = specialised(SCRIPT, printed)
    assert "missing_name" not in names_read(short)
    assert "unused" not in short and "elif" not in short
    assert "if i % 2" in short
    assert "except ZeroDivisionError" in short


def test_a_script_that_fails_is_left_alone():
    broken = SCRIPT + "raise ValueError\n"
    assert specialised(broken, printed) == broken


def test_names_of_a_namespace_are_named_with_it():
    assert names_read("y = ns.sqrt(x)") == {"ns", "x", "ns.sqrt"}
