"""A small library of claims in which every shape of a report occurs: passes on several rungs, fails
with counterexamples, curves, laws, procedures, drawn instances, samples, a corrected statement."""

from __future__ import annotations

from pathlib import Path

from theorycheck.executors.local import here
from theorycheck.library.selecting import select
from theorycheck.plan.settings import Settings
from theorycheck.runs.run import Finished, run

REGISTER = """
[source]
name = "toy"
title = "Sums and means <of> small things"
authors = ["A. Author", "B. Author"]
edition = "first edition"
text = "machine-read (optical character recognition)"

[[source.citation]]
type = "article"
key = "author2024toy"
author = "Author, A. and Author, B."
title = "Sums and means of small things"
year = "2024"

[[statement]]
id = "toy-sum"
labels = ["Lemma 1"]
title = "Sum of the first n integers"
role = "main"
kind = "identity"
one_line = "1 + ... + n = n (n + 1)/2."

[[statement]]
id = "toy-power-sum"
labels = ["Lemma 2"]
title = "Sum of squares"
role = "supporting"
kind = "identity"
one_line = "1 + 4 + ... + n^2 = n^3/3."
grade = "false as stated"
note = "Only the leading term is printed; n (n + 1)(2 n + 1)/6 is meant."

[[statement]]
id = "toy-mean"
labels = ["Theorem 3"]
title = "Mean of a uniform variable"
role = "main"
kind = "identity"
one_line = "The mean over [0, 1) is a half."
uses = ["toy-sum", "toy-power-sum"]
uses_corrected = ["toy-power-sum"]

[[statement]]
id = "toy-bound"
labels = ["Corollary 4"]
title = "A product under its bound"
role = "main"
kind = "bound"
one_line = "n! is at most n^n."
uses = ["toy-mean", "toy-power-sum"]

[[statement]]
id = "toy-descent"
labels = ["Algorithm 1"]
title = "Two ways to sum"
role = "algorithm"
kind = "construction"
one_line = "Adding from the left and from the right give the same sum."

[[statement]]
id = "toy-open"
labels = ["Conjecture 5"]
title = "Nobody knows"
role = "main"
kind = "bound"
one_line = "Something that no machine reaches."
uses = ["toy-bound"]
out_of_reach = "needs a machine that nobody has"
"""

CLAIMS = '''
"""Claims of the toy source."""

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_most, bounded, claim, equals, instances, integers, leg, mean, reals, variant,
)

n, m, q = sp.symbols("n m q", positive=True)
N = {"smoke": {n: [1, 2, 3, 5, 8, 13, 21]}, "standard": {n: list(range(1, 30))}}


def sum_of_integers(n):
    """Adds them one by one. Shape ()."""
    return sum(range(1, n + 1))


def sum_of_squares(n):
    """Adds the squares one by one. Shape ()."""
    return sum(i * i for i in range(1, n + 1))


def shifted_sum(n):
    return sum(range(1, n + 2))


total = claim(
    "toy-sum", title="Sum of the first n integers",
    says="For every n, 1 + ... + n is n (n + 1)/2.",
    domain={n: integers(1)}, grid=N, closed_form=n * (n + 1) / 2, relation=equals(),
    legs=[leg("added", sum_of_integers)],
    rivals=[variant("n squared over two", closed_form=n**2 / 2),
            variant("one more term", simulation=shifted_sum)],
)

squares = claim(
    "toy-power-sum", title="Sum of squares, as printed",
    says="For every n, 1 + 4 + ... + n^2 is n^3/3.",
    domain={n: integers(1)}, grid=N, closed_form=n**3 / 3, expect="fail",
    legs=[leg("added", sum_of_squares)],
    rivals=[variant("a quarter", closed_form=n**3 / 4)],
)

squares_corrected = claim(
    "toy-power-sum-corrected", title="Sum of squares, corrected", states="toy-power-sum",
    role="corrected", corrects="toy-power-sum",
    says="For every n, 1 + 4 + ... + n^2 is n (n + 1)(2 n + 1)/6.",
    domain={n: integers(1)}, grid=N, closed_form=n * (n + 1) * (2 * n + 1) / 6,
    legs=[leg("added", sum_of_squares)],
    rivals=[variant("leading term", closed_form=n**3 / 3)],
)


def uniform(rng, size, q):
    """Independent draws of q U. Shape (size,)."""
    return float(q) * rng.uniform((size,))


average = claim(
    "toy-mean", title="Mean of a uniform variable",
    says="For every scale q in (0, 1], the mean of q U is q/2.",
    domain={q: reals(0, 1, low_open=True)},
    grid={"smoke": {q: [Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), 1]}},
    closed_form=q / 2, setting="U uniform on [0, 1)",
    legs=[leg("sampled", uniform, statistic=mean(bounded(0, 1)))],
    rivals=[variant("a third", closed_form=q / 3)],
)


def factorial(n, m):
    """Product of the first n integers, to the m-th power."""
    out = 1
    for i in range(1, n + 1):
        out *= i
    return out**m


bound = claim(
    "toy-bound", title="A factorial under its bound & more",
    says="For all n and m, (n!)^m is at most n^(n m).",
    domain={n: integers(1), m: integers(1, 3)},
    grid={"smoke": {n: [1, 2, 3, 4, 6], m: [1, 2, 3]}},
    closed_form=n ** (n * m), relation=at_most(),
    legs=[leg("multiplied", factorial)],
    rivals=[variant("2^n", closed_form=2**n)],
)


def numbers(rng, n):
    return {"x": rng.rational((n,), 5)}


def from_left(ns, x, n):
    """Left sum. Shape (B,)."""
    out = x[:, 0] * 0
    for i in range(n):
        out = out + x[:, i]
    return out


def from_right(ns, x, n):
    out = x[:, 0] * 0
    for i in range(n):
        out = x[:, n - 1 - i] + out
    return out


def without_last(ns, x, n):
    out = x[:, 0] * 0
    for i in range(n - 1):
        out = out + x[:, i]
    return out


two_ways = claim(
    "toy-descent", title="Two ways to sum",
    says="For every x, adding from the left is adding from the right.",
    domain={n: integers(2)}, grid={"smoke": {n: [2, 5]}},
    legs=[leg("exact", from_left, arithmetic="rational", reference=from_right,
              instances=instances(numbers, "x", smoke=6))],
    rivals=[variant("last left out", simulation=without_last)],
)


def broken(n):
    raise ZeroDivisionError("the claim's own code")


in_error = claim(
    "toy-broken", title="A claim whose code breaks", states="toy-sum", encodes="part",
    role="derived", domain={n: integers(1)}, grid={"smoke": {n: [1]}}, closed_form=n,
    legs=[leg("broken", broken)], rivals=[variant("none", closed_form=2 * n)],
)
'''


def write(root: Path) -> Path:
    """The library under ``root``; returns its folder."""
    folder = root / "library" / "toy"
    folder.mkdir(parents=True)
    (folder / "statements.toml").write_text(REGISTER, encoding="utf-8")
    (folder / "sums.py").write_text(CLAIMS, encoding="utf-8")
    return folder.parent


def finished(root: Path, name: str = "20240101-000000-smoke-0001", seed: int = 0) -> Finished:
    """A smoke run of the library, written under ``root/reports``; the library is made if need be."""
    library = root / "library"
    if not library.exists():
        write(root)
    settings = Settings("smoke", seed)
    return run(select([str(library)]), settings, root / "reports" / name, executor=here)
