"""Mathematics in the texts of the library is typeset: it stands between dollars, and nowhere else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from theorycheck.claims.formula import TypedStatement
from theorycheck.claims.model import Claim
from theorycheck.library.loading import bundled, load_all
from theorycheck.reports import mathematics
from theorycheck.sources.clauses import clauses_of
from theorycheck.sources.plain import pieces, plain
from theorycheck.sources.register import load_registers

LIBRARY = Path(__file__).resolve().parents[2] / "claims"
CLAIMS = load_all([bundled()])
REGISTERS = load_registers(p for p in LIBRARY.iterdir() if p.is_dir())

GREEK = (
    "alpha", "beta", "gamma", "delta", "epsilon", "eps", "zeta", "eta", "theta", "iota", "kappa", "lambda",
    "lam", "mu", "nu", "xi", "rho", "sigma", "tau", "phi", "chi", "psi", "omega", "ell", "pi",
    "Gamma", "Delta", "Theta", "Lambda", "Sigma", "Psi", "Omega",
)  # fmt: skip
MATHEMATICS = re.compile(
    r"[\^_\\]|<=|>=|!=|->|[\w)] [=<>] |\bsqrt\b|\boo\b|"
    rf"(?<![A-Za-z])(?:{'|'.join(GREEK)})(?![A-Za-z-])"  # chi-squared is a word
)


def outside(text: str) -> list[str]:
    """Signs of mathematics that stand in the prose of a text. A single ``$`` is one, too."""
    prose = [part for part, is_math in pieces(text) if not is_math]
    return [found for part in prose for found in MATHEMATICS.findall(part)] + ["$"] * sum(
        part.count("$") for part in prose
    )


def spoken(claim: Claim) -> str:
    """What a claim says in words; nothing where it is its own typed statement, which is set as a formula."""
    stated = [lg.simulation for lg in claim.legs if isinstance(lg.simulation, TypedStatement)]
    return "" if any(s.says == claim.says for s in stated) else claim.says


def texts() -> Iterator[tuple[str, str]]:
    """Everything of the library that a report shows as a sentence, and where it stands."""
    for item in CLAIMS:
        yield f"{item.id}: title", item.claim.title
        yield f"{item.id}: says", spoken(item.claim)
    for register in REGISTERS:
        for s in register.statements:
            yield f"{s.id}: title", s.title
            yield f"{s.id}: one_line", s.one_line
            yield f"{s.id}: note", s.note
        for asserted in clauses_of(LIBRARY / register.source.name).values():
            yield from ((f"{c.key}: says", c.says) for c in asserted.clauses)


def test_no_text_holds_plain_mathematics():
    assert {where: found for where, text in texts() if (found := outside(text))} == {}


def test_all_of_it_can_be_set_and_said_in_a_terminal():
    for where, text in texts():
        for latex, is_math in pieces(text):
            if is_math:
                mathematics.mathml(latex)
        assert "\\" not in plain(text), where


@pytest.mark.parametrize(
    "text",
    ["1 + 2 alpha_t = c", "at most n^2", "for n >= 3", "B sqrt(N)", "the rate eta", "a -> b", "k = 3",
     "in $x$ and y_1", "half a $ only"],
)  # fmt: skip
def test_plain_mathematics_is_noticed(text):
    assert outside(text)


@pytest.mark.parametrize(
    "text",
    [
        "at most $n^2$ of them",
        "a chi-squared variable",
        "1/2 of them",
        "Phi 3.5 and ViT-B/16",
        "O(1)",
    ],
)
def test_prose_is_left_alone(text):
    assert not outside(text)
