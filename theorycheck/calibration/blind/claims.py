"""The blind cases as claims, as somebody with NumPy programs at hand would write them.

- Sampled programs get a NumPy generator of their own for each block, seeded from the block's stream: what
  is not drawn from it is then not seen by counting, and has to be seen in the values.
- The domain is the finite set of the case's points, and of a law all sizes from the least on.
- A variance is the mean of (x - y)^2 / 2 over independent pairs, in [0, (b - a)^2 / 2] for draws in [a, b].
- Closed forms are Python functions of numbers. Where such a function also takes symbols, and agrees with
  itself at every point, its expression is the closed form; elsewhere it is one constant a point.
- The cases are handed over as a file of the user's own: outside of the package, where integers are
  watched (`theorycheck.evidence.fixed_width`).
"""

from __future__ import annotations

import csv
import hashlib
import importlib.util
import inspect
import math
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import sympy

from theorycheck.calibration.blind.excluded import EXCLUDED, SIZES, UNSEEN
from theorycheck.calibration.cases import CaseResult, claim_id, stated_resolution
from theorycheck.check.building import build_expression
from theorycheck.check.text import scan
from theorycheck.claims.legs import Leg, leg
from theorycheck.claims.model import Claim, claim
from theorycheck.claims.statistic import Statistic, mean, probability, quantile
from theorycheck.claims.tables import recorded_samples
from theorycheck.claims.tails import bounded, sub_gaussian, variance_at_most
from theorycheck.engine.execute import execute
from theorycheck.judge import Judgement
from theorycheck.numbers.domain import choices, integers
from theorycheck.plan.settings import Settings
from theorycheck.relations.base import Relation
from theorycheck.relations.bounds import at_least, at_most, holds_with_probability
from theorycheck.relations.convergence import converges_to, decays_as
from theorycheck.relations.equality import equals
from theorycheck.relations.scaling import scales_as

FILE = Path(__file__).with_name("cases.py")
SHA256 = "2178ea9b99594a347a92a919f35a65c4995d52d68435e4310fc950525462a3be"
"""Of the file as it was handed over, before any of its cases was run."""

PROFILE = "standard"
RECORDED = 60_000
"""Replicates in a recorded column."""

Point = Mapping[str, int | Fraction]


@cache
def module() -> ModuleType:
    """The cases, loaded from a copy in a folder of its own."""
    if hashlib.sha256(FILE.read_bytes()).hexdigest() != SHA256:
        raise ValueError(f"{FILE.name} is not the file that was handed over")
    copy = Path(tempfile.mkdtemp(prefix="theorycheck-calibration-")) / "blind_cases.py"
    shutil.copyfile(FILE, copy)
    spec = importlib.util.spec_from_file_location(copy.stem, copy)
    if spec is None or spec.loader is None:
        raise ImportError(f"no module in {copy}")
    made = importlib.util.module_from_spec(spec)
    sys.modules[copy.stem] = made  # dataclasses look their module up
    spec.loader.exec_module(made)
    return made


def cases() -> list[Any]:
    """Those in which the writer did not err, in the writer's order."""
    return [c for c in module().CASES if c.name not in EXCLUDED]


# ---------------------------------------------------------------- claims


def claim_of(case: Any) -> Claim:
    """The claim of a case."""
    points = [{name: _number(v) for name, v in point} for point in case.grid]
    symbols = {name: _symbol(name, [p[name] for p in points]) for name in points[0]}
    form, symbolic = _form(case, points, symbols)
    if case.relation == "holds_with_probability":
        form = 1 - form
    if case.size:
        domain: dict[Any, Any] = {
            symbols[case.size]: integers(min(int(p[case.size]) for p in points))
        }
    else:
        domain = {s: choices(*dict.fromkeys(p[n] for p in points)) for n, s in symbols.items()}
    together = math.prod(len({p[n] for p in points}) for n in symbols)
    where = None
    if together > len(points):
        at = [sympy.And(*(sympy.Eq(symbols[n], v) for n, v in p.items())) for p in points]
        where = sympy.Or(*at)
    return claim(
        claim_id("blind", case.name),
        domain=domain,
        grid={"smoke": points},
        where=where,
        closed_form=form,
        relation=_relation(case, symbols),
        legs=[_leg(case, points, symbols)],
        mutate=symbolic,
    )


def _number(value: int | str) -> int | Fraction:
    exact = Fraction(value)
    return int(exact) if exact.denominator == 1 else exact


def _symbol(name: str, values: Sequence[int | Fraction]) -> Any:
    return sympy.Symbol(
        name,
        real=True,
        integer=True if all(isinstance(v, int) for v in values) else None,
        positive=True if min(values) > 0 else None,
    )


def _form(case: Any, points: Sequence[Point], symbols: Mapping[str, Any]) -> tuple[Any, bool]:
    """The closed form, and whether it is an expression of the parameters."""
    values = [sympy.sympify(case.closed_form(**_sympy(p))) for p in points]
    try:
        form = sympy.sympify(case.closed_form(**symbols))
        named = {s: n for n, s in symbols.items()}
        # Ten digits short of the forty computed: other expressions of the same name are further apart.
        same = all(
            abs(sympy.N(form.subs({s: _sympy(p)[n] for s, n in named.items()}) - v, 40)) < 1e-30
            for p, v in zip(points, values, strict=True)
        )
    except (TypeError, ValueError):  # a loop or a comparison that asks for numbers
        same = False
    if same:
        return form, True
    at = [sympy.And(*(sympy.Eq(symbols[n], x) for n, x in _sympy(p).items())) for p in points]
    return sympy.Piecewise(*zip(values, at, strict=True)), False


def _sympy(point: Point) -> dict[str, sympy.Rational]:
    return {
        n: sympy.Rational(v.numerator, v.denominator)
        if isinstance(v, Fraction)
        else sympy.Integer(v)
        for n, v in point.items()
    }


def _relation(case: Any, symbols: Mapping[str, Any]) -> Relation:
    laws: dict[str, Callable[[Any], Relation]] = {
        "scales_as": scales_as,
        "decays_as": decays_as,
        "converges_to": converges_to,
    }
    if case.relation in laws:
        return laws[case.relation](symbols[case.size])
    others: dict[str, Callable[[], Relation]] = {
        "equals": equals,
        "at_most": at_most,
        "at_least": at_least,
        "holds_with_probability": holds_with_probability,
    }
    return others[case.relation]()


# ---------------------------------------------------------------- legs


def _leg(case: Any, points: Sequence[Point], symbols: Mapping[str, Any]) -> Leg:
    if case.statistic == "exact":
        return leg("value", case.simulate)
    statistic = _statistic(case, symbols)
    if case.family == "recording":
        return recorded_samples(
            _recording(case.name),
            " ".join(symbols),
            statistic,
            model="recorded for the calibration",
            target="reached",
        )
    return leg("value", _drawing(case, list(symbols)), statistic=statistic)


def _statistic(case: Any, symbols: Mapping[str, Any]) -> Statistic:
    kind, _, level = case.statistic.partition(" ")
    if kind == "probability":
        return probability()
    if kind == "quantile":
        return quantile(level)
    word, _, rest = case.tail.partition(" ")
    if word == "bounded":
        low, high = (_expression(e, symbols) for e in rest.strip("[]").split(", "))
        if kind == "variance":
            return mean(bounded(0, (high - low) ** 2 / 2))
        return mean(bounded(low, high))
    if word == "subgaussian":
        return mean(sub_gaussian(sympy.sqrt(_expression(rest, symbols))))
    if word != "variance" or kind != "mean":
        raise ValueError(f"{case.name}: no tail for {case.statistic} in {case.tail!r}")
    return mean(variance_at_most(_expression(rest.removeprefix("at most "), symbols)))


def _expression(text: str, symbols: Mapping[str, Any]) -> Any:
    """An expression in the parameters, as the workbench reads it."""
    return build_expression(scan(text, "tail"), symbols)


def _drawing(case: Any, names: Sequence[str]) -> Callable[..., Any]:
    def draw(*, rng: Any, size: int, **point: Any) -> Any:
        generator = np.random.default_rng(int(rng.integers(0, 1 << 62)))
        if case.statistic == "variance":
            x, y = (np.asarray(case.simulate(generator, size, **point)) for _ in range(2))
            return (x - y) ** 2 / 2
        values = np.asarray(case.simulate(generator, size, **point), dtype=float)
        return 1 - values if case.relation == "holds_with_probability" else values

    keyword = inspect.Parameter.KEYWORD_ONLY
    asked = [inspect.Parameter(n, keyword) for n in ("rng", "size", *names)]
    draw.__signature__ = inspect.Signature(asked)  # type: ignore[attr-defined]  # read by inspect (PEP 362)
    return draw


@cache
def _recording(name: str) -> Path:
    """One call of the case's program for each point, as a table; the file's order is the program's."""
    (case,) = (c for c in module().CASES if c.name == name)
    file = Path(tempfile.mkdtemp(prefix="theorycheck-calibration-")) / f"{name}.csv"
    names = [n for n, _ in case.grid[0]]
    with file.open("w", newline="", encoding="utf-8") as stream:
        table = csv.writer(stream)
        table.writerow((*names, "replicate", "value"))
        for index, point in enumerate(case.grid):
            x = case.simulate(np.random.default_rng([20, index]), RECORDED, **dict(point))
            rows = enumerate(np.asarray(x, dtype=float).tolist())
            table.writerows((*(v for _, v in point), i, repr(v)) for i, v in rows)
    return file


# ---------------------------------------------------------------- outcomes


def outcome(case: Any, judgement: Judgement) -> str:
    """``right``, ``false pass``, ``false fail``, ``unresolved lie``, ``unseen``, ``inconclusive`` or ``error``.

    What is broken is right in error or inconclusive, and so are integers that ran over, whatever is
    claimed of them. A lie whose size is known and lies within what the pass says that it could not have
    seen is unresolved, as is a factor of logarithms that it names.
    """
    verdict = judgement.verdict
    if verdict in ("error", "inconclusive"):
        as_broken = case.truth == "broken" or (case.family == "overflow" and verdict == "error")
        return "right" if as_broken else str(verdict)
    if case.truth == "true":
        return "right" if verdict == "pass" else "false fail"
    if verdict == "fail":
        return "right" if case.truth == "false" else "false fail"
    stated = stated_resolution(judgement)
    if case.name in UNSEEN:
        return "unseen"
    named = case.size and any("log" in str(e.further.get("unresolved", "")) for e in judgement.legs)
    size = 0.0 if named and case.name in LOGS else SIZES.get(case.name, math.inf)
    return "unresolved lie" if stated is not None and size <= stated else "false pass"


LOGS = ("fl-mlogm", "fl-mloglogm", "fl-decay-log")
"""Lies by a factor of logarithms, which has no size in units of an exponent."""


def run_case(case: Any, seed: int) -> tuple[CaseResult, Judgement]:
    """A case from claim to verdict."""
    started = time.process_time()
    judgement = execute(claim_of(case), Settings(PROFILE, seed)).judgement
    stated = stated_resolution(judgement) if judgement.verdict == "pass" else None
    result = CaseResult(
        family=f"blind: {case.family}",
        relation=case.relation,
        rung=case.statistic,
        name=case.name,
        label="truth" if case.truth == "true" else case.truth,
        deviation=0.0 if case.truth == "true" else SIZES.get(case.name, math.inf),
        verdict=judgement.verdict,
        reason=judgement.reason,
        stated=stated,
        outcome=outcome(case, judgement),
        false_number="",
        samples=judgement.samples,
        seconds=time.process_time() - started,
        reached=judgement.rung or "",
    )
    return result, judgement


__all__ = ["SHA256", "cases", "claim_of", "outcome", "run_case"]
