"""A claim of a run as one short script that needs no theorycheck, and as a LaTeX paragraph.

The script reproduces the counterexample of a fail, or the check of a pass at the point that decided it,
with NumPy and mpmath only: the claim's own source, as it is written, under the few definitions of
`theorycheck.reports.shim` that it needs. Where its source cannot stand alone, or takes more than MOST_LINES
lines, the script says so, holds the recorded measured side, and evaluates the closed form afresh. A
script is run once before it is handed out.
"""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import sympy
from flint import arb, ctx
from msgspec.structs import replace
from sympy.printing.pycode import MpmathPrinter

from theorycheck.check.formula import Comparison
from theorycheck.claims.formula import TypedStatement
from theorycheck.claims.instances import Instance
from theorycheck.claims.legs import Leg
from theorycheck.claims.model import Claim
from theorycheck.entries.parts import Counterexample
from theorycheck.entries.report import Entry, Report, RunHead
from theorycheck.evidence.observation import Observation
from theorycheck.evidence.observe import ObservationContext, draw_instances
from theorycheck.evidence.workbench import problem_of
from theorycheck.formulas.closed_form import Form
from theorycheck.judge import decide_leg, rows_of
from theorycheck.library.loading import Loaded
from theorycheck.numbers.domain import Exact, point_key
from theorycheck.numbers.enclosure import Enclosure
from theorycheck.plan.owners import leg_of
from theorycheck.plan.plan import make_plan
from theorycheck.plan.settings import Settings
from theorycheck.record.observations import observations_of
from theorycheck.record.runs import ReportError, find_entry
from theorycheck.relations.base import Row, as_float
from theorycheck.reports import shim
from theorycheck.reports.alone import run_alone
from theorycheck.reports.present import Presentation, claims_of_report, presentations
from theorycheck.reports.source import STAND_INS, Extract, NotStandAlone, extract, name_of
from theorycheck.sources.plain import plain

MOST_LINES = 250
"""Lines of a claim's own source that a script may hold: some five pages; more shows nobody anything."""

DIGITS = 30
"""Digits that scripts work with: twice those of a double, so that agreement is no accident."""

WIDTH = 100

LONGEST_DATA = 2_000
"""Characters of an instance's data that a script may hold."""

MOST_DRAWS = 1_000_000


@dataclass
class Export:
    """``script`` is None where the evidence is a proof; ``simulates``: whether the script obtains the
    measured side itself; ``output``: what it printed when it was tried; ``shown``: with the figures that
    the paragraph includes."""

    script: str | None
    simulates: bool
    output: str
    paragraph: str
    why_not: str = ""
    shown: Presentation = field(default_factory=Presentation)


def export(
    report: Report, folder: Path, claim_id: str, items: Sequence[Loaded] | None = None
) -> Export:
    """Script and paragraph of a claim of a run. Raises ReportError."""
    from theorycheck.reports.formats.latex import paragraph

    entry = find_entry(report, claim_id)
    item = claims_of_report(report, items).get(claim_id)
    if item is None:
        raise ReportError(f"claim {claim_id} is in no library here; say where with --from PATH")
    shown_as = presentations(replace(report, claims=(entry,)), folder, [item])[claim_id]
    made = _export(report, folder, entry, item, "\n".join(paragraph(entry, shown_as)))
    made.shown = shown_as
    return made


def _export(report: Report, folder: Path, entry: Entry, item: Loaded, text: str) -> Export:
    seen = observations_of(folder, entry.id)
    case = decisive(item.claim, seen, entry, report.run)
    if case is None:
        return _typed_export(item.claim, entry, text)
    why_not = ""
    try:
        written = simulating(item.claim, case, report.run)
        tried = run_alone(written.text)
        if agrees(tried.output, case):
            return Export(written.text, True, tried.output, text)
        why_not = written.missing.get(tried.undefined) or tried.failed
        why_not = why_not or "the written-out simulation does not give the recorded number"
    except NotStandAlone as error:
        why_not = str(error)
    script = recorded(item.claim, case, entry, why_not)
    return Export(script, False, run_alone(script).output, text, why_not)


def _typed_export(claim: Claim, entry: Entry, paragraph: str) -> Export:
    """Of a typed statement: both sides at its counterexample. A proof leaves nothing to compute."""
    found = entry.counterexample
    if found is None or not found.point:
        return Export(None, False, "", paragraph, "its evidence is a proof, not a number")
    try:
        script = refuting(claim, found)
    except NotStandAlone as error:
        return Export(None, False, "", paragraph, str(error))
    tried = run_alone(script)
    if tried.output.endswith("holds: False\n") and _sides_agree(tried.output, found):
        return Export(script, True, tried.output, paragraph)
    why_not = tried.failed or f"{2 * DIGITS} digits do not show what the proof has seen"
    return Export(None, False, "", paragraph, why_not)


def _sides_agree(output: str, found: Counterexample) -> bool:
    """Whether a script found the sides that the report names, as far as those are rational numbers."""
    words = output.split()
    for said, side in ((found.lhs, "left"), (found.rhs, "right")):
        try:
            recorded, printed = _number(str(said)), _number(words[words.index(side) + 1])
        except ValueError:
            continue
        if not abs(printed - recorded) <= (1 + abs(recorded)) / 10**12:
            return False  # 12 of the 15 digits printed
    return True


def _number(text: str) -> arb:
    """A decimal number or a quotient of two. A ball: its exponent may have forty digits. Raises ValueError."""
    above, _, below = text.partition("/")
    with ctx.workprec(200):
        return arb(above) / arb(below or "1")


# ---------------------------------------------------------------- the decisive case


@dataclass
class Case:
    """The place that decided a verdict: a leg, an observation and a row of it."""

    leg: Leg
    observation: Observation
    row: Row
    verdict: str


def decisive(claim: Claim, seen: Sequence[Observation], entry: Entry, run: RunHead) -> Case | None:
    """The counterexample's row of a fail, else the row that decided the first numeric leg, legs that
    the assertion needs before others."""
    plan = make_plan(claim, Settings.of_run(run))
    level = plan.budget.point
    found = entry.counterexample
    for lg in sorted(claim.legs, key=lambda lg: not lg.required):
        if lg.arithmetic.proves or (found is not None and lg.name != found.leg):
            continue
        whose = "" if found is None else found.among
        kept = [o for o in seen if o.leg == lg.name and o.variant == whose and o.status == "ok"]
        form = None if claim.form_of(lg) is None else Form(claim.form_of(lg))
        if found is not None:
            for o in sorted(kept, key=lambda o: _WHERE_FOUND.get(o.purpose, 3)):
                own = leg_of(claim, o.owner, lg.name)
                for row in rows_of(own, o, form, level):
                    if _is(row, found):
                        return Case(own, o, row, str(entry.verdict))
        judged = [o for o in kept if o.purpose == "judge"]
        if not judged:
            continue
        decision, rows = decide_leg(claim, lg, judged, level, plan.target_for(lg))
        if rows:
            row = rows[decision.decisive if decision.decisive is not None else -1]
            where = next(o for o in judged if point_key(o.point) == point_key(row.point))
            return Case(lg, where, row, str(entry.verdict))
    return None


_WHERE_FOUND = {"shrink": 0, "judge": 1, "attack": 2, "far": 2}
"""A counterexample that was shrunk lies among those points; else where it was judged or attacked."""


def _is(row: Row, found: Counterexample) -> bool:
    at = {k: str(v) for k, v in found.point.items()}
    same = {k: str(v) for k, v in row.point.items()} == at
    return same and row.instance == found.instance and row.component == found.component


# ---------------------------------------------------------------- scripts


_OWN_NAMES = (
    frozenset({"draws", "Fraction", "measured", "mpmath", "np", "ns", "result", "rng"})
    | {"as_mpf", "array", "elementwise", "Any"}
    | {"Namespace", "ExactNamespace", "DoubleNamespace", "RandomNumbers"}
)
"""Names that the script gives values to before it has called everything."""


@dataclass(frozen=True)
class Script:
    """``missing``: names that it does without at its point as long as it never asks for them, and why."""

    text: str
    missing: Mapping[str, str]


def simulating(claim: Claim, case: Case, run: RunHead) -> Script:
    """A script that simulates. Raises NotStandAlone where that takes too much."""
    lg = case.leg
    if not lg.arithmetic.stands_alone:
        raise NotStandAlone(f"a leg that is {lg.arithmetic.name} is code of its own")
    functions = [lg.simulation] + ([lg.reference] if lg.reference is not None else [])
    code = extract(functions)
    taken = code.names & (_OWN_NAMES | set(case.row.point) | set(lg.inputs()))
    if taken or _OWN_NAMES & (set(case.row.point) | set(lg.inputs())):
        raise NotStandAlone(f"names clash with the script's own ({', '.join(sorted(taken))})")
    head = [*_head(claim, case), "from __future__ import annotations"]
    imports = "\n".join([*code.imports, *(i for i in _IMPORTS if i not in code.imports)])
    missing = "# Not reached at this point, and not defined here: " + ", ".join(code.missing)
    pieces = [*head, imports, f"mpmath.mp.dps = {DIGITS}", *_shims(lg, code)]
    pieces += [missing if code.missing else "", *code.pieces]
    own = sum(_length(piece) for piece in code.pieces)
    if own > MOST_LINES:
        raise NotStandAlone(f"it takes {own} lines")
    given = [f"ns = {_namespace(lg)}()"] if "ns" in code.arguments else []
    given += ["rng = RandomNumbers(seed=0)"] if lg.arithmetic.sampled else []
    text = _set([*pieces, "\n".join([*given, *_call(claim, case, run)])])
    return Script(text, code.missing)


_HOLDS = {
    "==": "abs(left - right) <= slack",
    "!=": "abs(left - right) > slack",
    "<=": "left <= right + slack",
    "<": "left < right - slack",
    ">=": "left >= right - slack",
    ">": "left > right + slack",
}
"""Where rounding decides, `==`, `<=` and `>=` hold; the others fail: their counterexample is equality."""


def refuting(claim: Claim, found: Counterexample) -> str:
    """A script that shows a typed statement to fail at a point. Raises NotStandAlone where the statement
    is no comparison, or one of its values no rational number."""
    statement = next(lg.simulation for lg in claim.legs if lg.name == found.leg)
    if not isinstance(statement, TypedStatement):
        raise NotStandAlone("its counterexample is found by a proof of its own")
    goal = problem_of(statement).goal
    if not isinstance(goal, Comparison):
        raise NotStandAlone("its statement is no single comparison")
    point = ", ".join(f"{name}={value}" for name, value in found.point.items())
    lines = [f'"""{_title(claim)}: counterexample, {point}."""', "", "import mpmath", ""]
    lines.append(f"mpmath.mp.dps = {2 * DIGITS}")
    for name, value in found.point.items():
        try:
            lines.append(f"c_{name} = {_mpf(Fraction(str(value)))}")
        except ValueError:
            raise NotStandAlone(f"{name} is {value}, no rational number") from None
    for side, expression in (("left", goal.lhs), ("right", goal.rhs)):
        renamed = {s: sympy.Symbol(f"c_{s}") for s in expression.free_symbols}
        text = _printed(expression.xreplace(renamed))
        if text is None:
            raise NotStandAlone(f"its {side} side has no form in mpmath")
        lines += _assigned(side, text)
    lines.append("print('left', mpmath.nstr(left, 15), ' right', mpmath.nstr(right, 15))")
    lines.append(f"slack = mpmath.mpf(10) ** -{DIGITS} * max(1, abs(right))  # rounding")
    lines.append(f"print('holds:', {_HOLDS[goal.op]})")
    return "\n".join(lines) + "\n"


def _set(pieces: Sequence[str]) -> str:
    """Definitions stand two lines apart, as in a module; other lines one."""
    text = ""
    for before, piece in pairwise(["", *filter(None, pieces)]):
        apart = 3 if _defines(before) or _defines(piece) else 2
        text += ("\n" * apart if text else "") + piece
    return text + "\n"


def _defines(piece: str) -> bool:
    return piece.startswith(("def ", "class ", "@"))


def _length(script: str) -> int:
    return len(script.splitlines())


def recorded(claim: Claim, case: Case, entry: Entry, why_not: str) -> str:
    """A script with the recorded measured side and a fresh closed form."""
    e = case.row.measured
    notes = textwrap.wrap(
        f"The simulation is not written out ({why_not}); its value is the recorded one. To obtain it "
        f"again: {entry.reproduce}",
        96,
        break_long_words=False,
        break_on_hyphens=False,
    )
    lines = [*_head(claim, case), *(f"# {n}" for n in notes), "import mpmath"]
    lines.append(f"mpmath.mp.dps = {DIGITS}")
    lines += [f"low = {_quotient(e.lo)}", f"high = {_quotient(e.hi)}"]
    lines.append("measured = (low + high) / 2")
    lines += _closed_form(claim, case, measured={})
    return "\n".join([*lines, *_verdict(claim, case, interval=True)]) + "\n"


def _head(claim: Claim, case: Case) -> list[str]:
    where = point_key(case.row.point) or "the only case"
    if case.row.instance is not None:
        where += f", instance {case.row.instance}"
    what = "counterexample" if case.verdict == "fail" else "check at the point that decided it"
    return [f'"""{_title(claim)}: {what}, {where}."""']


def _title(claim: Claim) -> str:
    """The claim's title as it can stand in a docstring."""
    return " ".join(plain(claim.title).replace("\\", "/").replace('"', "'").split())


_IMPORTS = (
    "from fractions import Fraction",
    "from typing import Any",
    "import mpmath",
    "import numpy as np",
)


def _namespace(lg: Leg) -> str:
    made = shim.DoubleNamespace if lg.arithmetic.sampled else shim.ExactNamespace
    return made.__name__


def _shims(lg: Leg, code: Extract) -> list[str]:
    """Definitions that stand for what theorycheck gives a simulation."""
    needed: list[Any] = []
    with_namespace = "ns" in code.arguments
    if not lg.arithmetic.sampled:
        needed.append(shim.as_mpf)
        if with_namespace or lg.arithmetic.stacks:
            needed += [shim.elementwise, shim.array]
    if with_namespace:
        needed += [shim.Namespace, getattr(shim, _namespace(lg))]
    if lg.arithmetic.sampled:
        needed.append(shim.RandomNumbers)
    written = [inspect.getsource(part).rstrip() for part in needed]
    return [*written, *(STAND_INS[name] for name in sorted(code.stand_ins))]


def _call(claim: Claim, case: Case, run: RunHead) -> list[str]:
    lg = case.leg
    lines = _parameters(case.row.point)
    data = _instance(claim, case, run)
    batched = lg.arithmetic.stacks
    wanted = set(lg.inputs()) | (
        set(lg.inputs(lg.reference)) if lg.reference is not None else set()
    )
    for name, value in data.items():
        if name not in wanted:
            continue
        text = _literal(value)
        if len(text) > LONGEST_DATA:
            raise NotStandAlone("the instance's data are long")
        if batched:
            lines.append(f"{name} = array([{text}])")
        else:
            lines.append(f"{name} = {_restored(value, text)}")
    if lg.arithmetic.sampled:
        size = min(case.observation.samples, MOST_DRAWS)
        lines += [
            f"draws = np.asarray({_invoke(lg.simulation, size)}, dtype=float)",
            "measured, error = mpmath.mpf(draws.mean()), 5 * draws.std() / len(draws) ** 0.5",
            "low, high = measured - error, measured + error  # five standard errors",
        ]
        return [*lines, *_closed_form(claim, case, measured={}), *_verdict(claim, case, True)]
    lines.append(f"result = {_invoke(lg.simulation)}")
    value = "result['value']" if lg.observed else "result"
    lines.append(
        f"measured = as_mpf(np.ravel(np.array({value}, dtype=object))[{case.row.component}])"
    )
    further = {name: f"result[{name!r}]" for name in lg.observed}
    if lg.reference is not None:
        lines.append(f"other = {_invoke(lg.reference)}")
        pick = f"np.ravel(np.array(other, dtype=object))[{case.row.component}]"
        lines.append(f"expected = as_mpf({pick})")
    else:
        lines += _closed_form(claim, case, measured=further)
    return [*lines, *_verdict(claim, case, False)]


def _parameters(point: Mapping[str, Exact]) -> list[str]:
    if not point:
        return []
    values = ", ".join(_number_text(v) for v in point.values())
    return [f"{', '.join(point)} = {values}"]


def _number_text(value: Any) -> str:
    if isinstance(value, Fraction):
        return f"Fraction({value.numerator}, {value.denominator})"
    if isinstance(value, tuple):
        return (
            "(" + ", ".join(_number_text(v) for v in value) + ("," if len(value) == 1 else "") + ")"
        )
    return repr(value)


def _instance(claim: Claim, case: Case, run: RunHead) -> Instance:
    if case.leg.instances is None or case.row.instance is None:
        return {}
    plan = make_plan(claim, Settings.of_run(run))
    unit = plan.unit_of(case.observation.key, case.leg, case.row.point)
    drawn = draw_instances(unit, ObservationContext.of(plan))
    return drawn[case.row.instance]


def _literal(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return _literal(value.tolist())
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_literal(v) for v in value) + "]"
    if isinstance(value, bool | np.bool_):
        return repr(bool(value))
    if isinstance(value, int | np.integer):
        return repr(int(value))
    if isinstance(value, Fraction):
        return repr(str(value))
    if isinstance(value, str):
        return repr(value)
    raise NotStandAlone(f"an instance holds {type(value).__name__}")


def _restored(value: Any, text: str) -> str:
    if isinstance(value, np.ndarray):
        return f"np.vectorize(Fraction, otypes=[object])(np.array({text}, dtype=object))"
    if isinstance(value, list | tuple):
        return f"np.vectorize(Fraction, otypes=[object])(np.array({text}, dtype=object)).tolist()"
    return f"Fraction({text})" if isinstance(value, Fraction) else text


def _invoke(function: Any, size: int | None = None) -> str:
    names = list(function.__code__.co_varnames[: function.__code__.co_argcount])
    optional = len(function.__defaults__ or ())
    names = names[: len(names) - optional] if optional else names
    names += _keyword_only(function)
    given = [f"{n}={size}" if n == "size" and size is not None else f"{n}={n}" for n in names]
    return f"{name_of(function)}({', '.join(given)})"


def _keyword_only(function: Any) -> list[str]:
    code = function.__code__
    names = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    return [n for n in names if n not in (function.__kwdefaults__ or {})]


class _Printer(MpmathPrinter):  # type: ignore[misc]  # SymPy has no types: Any to mypy
    """Integers and rationals as mpmath numbers, so that no power or quotient is a float's."""

    def _print_Integer(self, e: Any) -> str:
        return f"mpmath.mpf({int(e)})"

    def _print_Sum(self, e: Any) -> str:
        return self._looped(e, "mpmath.fsum")

    def _print_Product(self, e: Any) -> str:
        return self._looped(e, "mpmath.fprod")

    def _looped(self, e: Any, function: str) -> str:
        loops = " ".join(
            f"for {self._print(k)} in map(mpmath.mpf, range(int({self._print(a)}), "
            f"int({self._print(b)}) + 1))"
            for k, a, b in e.limits
        )
        return f"{function}({self._print(e.function)} {loops})"


def _closed_form(
    claim: Claim,
    case: Case,
    measured: Mapping[str, str],
) -> list[str]:
    """Lines that compute ``expected``."""
    form = claim.form_of(case.leg)
    if form is None or case.leg.reference is not None:
        return _recorded_side(case)
    bound = Form(form).bound({k: v for k, v in case.row.inputs.items() if k not in measured})
    if isinstance(bound, sympy.MatrixBase):
        bound = list(bound)[case.row.component if len(bound) > 1 else 0]
    lines = []
    for symbol in sorted(bound.free_symbols, key=str):
        name = str(symbol)
        if name in measured:
            lines.append(
                f"c_{name} = as_mpf(np.ravel(np.array({measured[name]}, dtype=object))[0])"
            )
        elif name in case.row.inputs:
            lines.append(f"c_{name} = {_mpf(case.row.inputs[name])}")
        else:
            return _recorded_side(case)
    bound = bound.xreplace({s: sympy.Symbol(f"c_{s}") for s in bound.free_symbols})
    text = _printed(bound)
    return _recorded_side(case) if text is None else [*lines, *_assigned("expected", text)]


def _printed(expression: Any) -> str | None:
    """An expression in mpmath; None where it has no such form."""
    printer = _Printer({"fully_qualified_modules": True, "allow_unknown_functions": False})
    try:
        text: str = printer.doprint(expression)
    except (NotImplementedError, TypeError, ValueError, AttributeError):
        return None
    return None if "Not supported" in text or "\n" in text else text


def _assigned(name: str, text: str) -> list[str]:
    """Lines that give a name the value of an expression, broken where it is long."""
    whole = f"{name} = {text}"
    if len(whole) <= WIDTH:
        return [whole]
    broken = textwrap.wrap(text, WIDTH - 4, break_long_words=False, break_on_hyphens=False)
    return [f"{name} = (", *(f"    {part}" for part in broken), ")"]


def _recorded_side(case: Case) -> list[str]:
    e = case.row.expected.enclosure
    if e is None:
        return ["expected = mpmath.nan  # the closed form has no value here"]
    return [f"expected = {_quotient(e.mid)}  # as recorded"]


def _mpf(value: Any) -> str:
    if isinstance(value, Enclosure):
        return _quotient(value.mid)
    if isinstance(value, Fraction):
        return f"mpmath.mpf({value.numerator}) / {value.denominator}"
    return f"mpmath.mpf({value!r})" if isinstance(value, int) else repr(value)


def _quotient(value: Any) -> str:
    return f"mpmath.mpf({int(value.p)}) / {int(value.q)}"


def _verdict(claim: Claim, case: Case, interval: bool) -> list[str]:
    """Prints both sides; the last line says whether they agree as the relation asks."""
    relation = claim.relation_of(case.leg)
    sign = relation.sign if relation.one_sided else 0
    strict = sign and relation.strict
    lines = [
        "print('measured', mpmath.nstr(measured, 15), ' closed form', mpmath.nstr(expected, 15))",
        f"slack = mpmath.mpf(10) ** -{DIGITS // 2} * max(1, abs(expected))  # rounding",
    ]
    low, high = ("low", "high") if interval else ("measured", "measured")
    if strict and sign > 0:
        lines.append(f"print('below it:', {low} < expected - slack)")
    elif strict:
        lines.append(f"print('above it:', {high} > expected + slack)")
    elif sign > 0:
        lines.append(f"print('at most it:', {low} <= expected + slack)")
    elif sign < 0:
        lines.append(f"print('at least it:', {high} >= expected - slack)")
    else:
        lines.append(f"print('agree:', {low} - slack <= expected <= {high} + slack)")
    return lines


def agrees(output: str, case: Case) -> bool:
    """Whether a script found both sides as the run did: what is measured inside the recorded set (of
    samples: near it), and the closed form's value."""
    words = output.split()
    try:
        measured = float(Fraction(words[words.index("measured") + 1]))
        expected = words[words.index("form") + 1]
    except ValueError:
        return False
    target = case.row.expected.enclosure
    if target is None:
        return _near(measured, case.row.measured) and expected == "nan"
    return _near(measured, case.row.measured) and _near(float(expected), target)


def _near(number: float, e: Enclosure) -> bool:
    low, high = as_float(e.lo), as_float(e.hi)
    # 12 of the 15 digits printed; scripts work with 30, so that their zeros are below 1e-20
    slack = 1e-12 * max(abs(low), abs(high)) + 1e-20 + 2 * (high - low)
    return low - slack <= number <= high + slack
