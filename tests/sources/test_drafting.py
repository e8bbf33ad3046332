"""What is guessed of a statement from its LaTeX: kinds, quantifiers, authors; and what is not made up."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from theorycheck.claims.clauses import parse_prefix
from theorycheck.sources import drafting


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (r"The sum of the first $n$ odd numbers equals $n^2$.", "identity"),
        (r"For all $n \geq 1$, the sum is $= n^2$.", "identity"),  # its hypothesis is no bound
        (
            r"For every $n \ge 1$ the sum is equal to $n^2$.",
            "identity",
        ),  # nor is one without a comma
        (r"It is equal to $n^2$ for all $n \ge 1$ and every $p \ge 2$.", "identity"),
        (r"For all $x$ it is at most $1$.", "bound"),
        (r"$f(x) \leq g(x)$.", "bound"),
        (r"Any algorithm needs at least $d$ queries.", "lower-bound"),
        (r"With probability at least $1-\delta$, $\|x\| \le C$.", "high-probability"),
        (r"The maximum of $g$ is attained at $x^*$.", "optimality"),
        (r"There exists a network of width $m \le 3$.", "construction"),
        (r"As $n \to \infty$ the error vanishes.", "convergence-rate"),
        (r"It can be solved in polynomial time.", "complexity"),
        (r"$\left(a\right) = b$", "identity"),  # \left is no \le
        ("", "identity"),
    ],
)
def test_kinds_are_guessed_from_the_text(text, kind):
    assert drafting.guessed_kind(text) == kind


@pytest.mark.parametrize(
    ("text", "prefix"),
    [
        (r"For all integers $n \geq 1$, it is $n^2$.", ["forall n in integers >= 1"]),
        (
            r"For every $d \ge 2$ and every $0 < \epsilon < 1$ there exists a vector $x \in \mathbb{R}^d$.",
            ["forall d in >= 2", "forall epsilon in > 0, < 1", "exists x in vector R^d"],
        ),
        (r"There is $\theta$ such that for all $k, p$ it holds.", ["exists theta", "forall k, p"]),
        (
            r"With probability at least $1-\delta$ it holds for sufficiently large $d$.",
            ["prob sample ~ its distribution, level 1-delta", "eventually d"],
        ),
        (r"For all $n$ and for all $n$ it holds.", ["forall n"]),
        (r"For all $f(x) = 3$ it holds.", []),
        (r"For all purposes, it holds.", []),
        (r"It is $n^2$.", []),
    ],
)
def test_quantifiers_are_drafted_in_the_order_of_the_text(text, prefix):
    assert drafting.drafted_prefix(text) == prefix
    parse_prefix(prefix)


@given(st.lists(st.sampled_from(
    ["for all ", "there exists ", "with probability ", "for sufficiently large ", "$n \\geq 1$", "$x,y$",
     "$\\theta_{1}$", "$", " and ", ", ", "integers ", "$\\{$", "$a(b$", "\\in "]), max_size=12))  # fmt: skip
def test_every_draft_can_be_parsed(parts):
    parse_prefix(drafting.drafted_prefix("".join(parts)))


@pytest.mark.parametrize(
    ("groups", "names"),
    [
        ([r"Ada Author\thanks{Somewhere} \and Ben Writer"], ["Ada Author", "Ben Writer"]),
        (["Ada Author, Ben Writer, and Cy Third"], ["Ada Author", "Ben Writer", "Cy Third"]),
        ([r"Ada Author$^1$ \\ University \AND Ben~Writer"], ["Ada Author", "Ben Writer"]),
        (["Ada Author", r"\textbf{Ben Writer}"], ["Ada Author", "Ben Writer"]),
        ([""], []),
    ],
)
def test_authors_are_kept(groups, names):
    assert drafting.authors_of(groups) == names
