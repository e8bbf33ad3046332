"""A small file of claims for the tests of runs: quick, sampled, slow, and ones that break."""

from pathlib import Path

HEAD = """
import os
import time
from fractions import Fraction

import sympy as sp

from theorycheck import claim, integers, probability, variant

n = sp.symbols("n", integer=True, positive=True)
"""

EXACT = '''
@claim("odd-numbers", domain={n: integers(1)}, grid={"smoke": {n: [1, 2, 3, 5]},
       "standard": {n: range(1, 20)}}, closed_form=n**2,
       rivals=[variant("one more", closed_form=n**2 + 1)])
def odd_numbers(n):
    """The first n odd numbers add up to n squared."""
    return sum(2 * i + 1 for i in range(n))
'''

FALSE = '''
@claim("odd-numbers-wrong", domain={n: integers(1)}, grid={"smoke": {n: [1, 2, 3, 5]}},
       closed_form=n**2 + n, expect="fail", rivals=[variant("one more", closed_form=n**2 + 1)])
def odd_numbers_wrong(n):
    """The first n odd numbers add up to n squared plus n."""
    return sum(2 * i + 1 for i in range(n))
'''

SAMPLED = '''
@claim("coin", domain={n: integers(2)}, grid={"smoke": {n: [2, 3]}}, closed_form=1 / n,
       statistic=probability(), mutate=False, rivals=[variant("twice", closed_form=2 / n)])
def coin(rng, n, size):
    """A coin of probability 1/n comes up with probability 1/n."""
    return rng.bernoulli(Fraction(1, n), (size,))
'''

# Blocks of 1024 that take a while, and a count of those drawn in the file that THEORYCHECK_PROGRESS names.
SLOW = '''
@claim("slow-coin", domain={n: integers(2)}, grid={"smoke": {n: [2]}}, closed_form=1 / n,
       statistic=probability(), mutate=False, rivals=[variant("twice", closed_form=2 / n)])
def slow_coin(rng, n, size):
    """A coin that takes a while."""
    time.sleep(float(os.environ.get("THEORYCHECK_BLOCK_SECONDS", "0.05")))
    if "THEORYCHECK_PROGRESS" in os.environ:
        with open(os.environ["THEORYCHECK_PROGRESS"], "a") as file:
            file.write("x")
    return rng.bernoulli(Fraction(1, n), (size,))
'''

BROKEN = '''
@claim("dies", domain={n: integers(1)}, grid={"smoke": {n: [1]}}, closed_form=n, mutate=False,
       rivals=[variant("one more", closed_form=n + 1)])
def dies(n):
    """Its code kills its own process."""
    os.kill(os.getpid(), 9)

@claim("sleeps", domain={n: integers(1)}, grid={"smoke": {n: [1]}}, closed_form=n, mutate=False,
       rivals=[variant("one more", closed_form=n + 1)])
def sleeps(n):
    """Its code never ends."""
    time.sleep(600)
    return n

@claim("swells", domain={n: integers(1)}, grid={"smoke": {n: [1]}}, closed_form=n, mutate=False,
       rivals=[variant("one more", closed_form=n + 1)])
def swells(n):
    """Its code takes ever more memory."""
    held = []
    while True:
        held.append(b"x" * (1 << 24))
        time.sleep(0.002)

@claim("raises", domain={n: integers(1)}, grid={"smoke": {n: [1]}}, closed_form=n, mutate=False,
       rivals=[variant("one more", closed_form=n + 1)])
def raises(n):
    """Its code raises."""
    raise RuntimeError("broken on purpose")
'''


def write(folder: Path, *parts: str, name: str = "few.py") -> Path:
    """A file of claims outside of any library."""
    file = folder / name
    file.write_text(HEAD + "".join(parts), encoding="utf-8")
    return file
