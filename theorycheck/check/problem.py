"""A statement with its domain and hypotheses, read from text."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from theorycheck.check.building import build_expression, build_formula
from theorycheck.check.domain import MAX_VARIABLES, Domains, parse_domains
from theorycheck.check.formula import Connective, Every, Formula, Predicate
from theorycheck.check.given import Given, read_given
from theorycheck.check.judge import expressions_of
from theorycheck.check.largest import with_largest
from theorycheck.check.laws import laws_apart, read_laws
from theorycheck.check.occupied import refuse_empty
from theorycheck.check.precheck import declared_names, given_beside, open_phrases
from theorycheck.check.reading.constants import with_constants
from theorycheck.check.reading.domains import for_every_index
from theorycheck.check.reading.names import Names
from theorycheck.check.refusal import InputError
from theorycheck.check.text import Scanned, scan
from theorycheck.check.traces import Sized, with_traces
from theorycheck.check.typed import quantified, understand
from theorycheck.check.verdict import Verdict
from theorycheck.check.vocabulary import ASYMPTOTIC

_NOT_OF_FAMILIES = (
    "--for: families f[j] stand in inequalities and equations; laws, growth, --let and --step "
    "are not read beside them"
)
_NOT_OF_CONSTANTS = "statement: families, matrices of any size, growth, --let and --step are not read beside 'there is'"


@dataclass(frozen=True)
class Problem:
    """``goal`` is claimed for all points of ``domains`` at which every hypothesis is true; ``notes``
    echo what of the text was not literal; ``given`` is what a proof may rest on once it is proved itself;
    ``every`` are hypotheses on the members of families. Where there are ``constants``, names of the domain, it is
    claimed that there are values of these for which it holds for all values of the other names. ``laws`` are those of
    random names, as typed."""

    statement: str
    domains: Domains
    goal: Formula
    hypotheses: tuple[Formula, ...] = ()
    where: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    given: Given = field(default_factory=Given)
    every: tuple[Every, ...] = ()
    sized: Sized | None = None
    constants: tuple[str, ...] = ()
    laws: tuple[str, ...] = ()

    def scope(self) -> str:
        """The quantifier as a person reads it."""
        text = self.domains.text() if self.sized is None else self._with_matrices(self.sized)
        if self.constants:
            some, rest = (
                Domains(tuple(v for v in self.domains.variables if (v.name in self.constants) is i))
                for i in (True, False)
            )
            text = f"some {some.text()}" + (f" and all {rest.text()}" if rest.variables else "")
        if self.where:
            several = len(self.where) > 1
            text += " where " + " and ".join(_bracketed(h) if several else h for h in self.where)
        return text

    def judged(
        self,
        verdict: str,
        rung: str,
        *,
        covered: str = "",
        reason: str = "",
        notes: tuple[str, ...] = (),
        why: tuple[str, ...] = (),
    ) -> Verdict:
        """A verdict on this statement."""
        return Verdict(
            self.statement,
            self.scope(),
            verdict,
            rung,
            covered=covered,
            reason=reason,
            notes=notes,
            why=why,
        )

    def _with_matrices(self, sized: Sized) -> str:
        traces = set(self.domains.traces.found.values())
        names = tuple(v for v in self.domains.variables if v.name not in traces)
        return "; ".join([Domains(names).text(), sized.text()])


def _bracketed(hypothesis: str) -> str:
    """A hypothesis as it stands among others that ``and`` joins: an ``or`` in it belongs to it alone."""
    return hypothesis if " or " not in hypothesis or " for " in hypothesis else f"({hypothesis})"


def _declared(
    statement: str, domains: Sequence[str], most: int
) -> tuple[str, Domains, tuple[str, ...]]:
    """The statement without the names that it declares itself, all domains, and which are constants."""
    some = with_constants(statement)
    phrases, body = quantified(some.rest)
    domains = [*some.phrases, *given_beside(some, domains), *open_phrases(phrases, domains)]
    declared = parse_domains(domains, most)
    refuse_empty(declared)
    return body, declared, tuple(declared_names(some.phrases))


def _refuse_together(families: bool, matrices: bool, special: bool) -> None:
    """Families and matrices of any size stand alone. Raises InputError."""
    if families and matrices:
        raise InputError("--for: matrices n x m and vectors of any length are not read together")
    if (families or matrices) and special:
        raise InputError(_NOT_OF_FAMILIES)


def _refuse_beside_constants(
    constants: Sequence[str], symbols: Mapping[str, Any], known: Sequence[Formula], special: bool
) -> None:
    """What is not read beside *there is*: ``known`` are the hypotheses. Raises InputError."""
    if constants and special:
        raise InputError(_NOT_OF_CONSTANTS)
    if any(name not in symbols for name in constants):
        raise InputError(
            "statement: after 'there is' stand names of numbers, as in there is C > 0: ..."
        )
    bound = {symbols[name] for name in constants}
    if any(bound & e.free_symbols for h in known for e in expressions_of(h)):
        raise InputError(
            "statement: say what is known of the constant as its range, C > 0 or C in [0, 1]"
        )


def read_problem(
    statement: str,
    domains: Sequence[str] = (),
    where: Sequence[str] = (),
    laws: Sequence[str] = (),
    let: Sequence[str] = (),
    steps: Sequence[str] = (),
    *,
    most: int = MAX_VARIABLES,
) -> Problem:
    """Parse everything.

    ``domains`` also take phrases (``n in N, x > 0``), the statement may begin with its own
    (``for all x > 0: ...``); ``laws`` are those of random names, ``g ~ N(0, 1)``, also among the domains; ``let`` are
    substitutions, ``u = sqrt(r)``, and ``steps`` lemmas that a proof may rest on; ``most`` names are read.

    Raises:
        Ambiguous: what can be read in several ways.
        InputError: one line, pointing at the place.
    """
    domains, laws = laws_apart(domains, laws)
    body, declared, constants = _declared(statement, domains, most)
    symbols = declared.symbols
    random = read_laws(laws, declared)
    members = {f.name: f.head for f in declared.families}
    names = Names(
        frozenset(symbols), frozenset(random.symbols), declared.arrays, frozenset(members)
    )
    goal = understand(body, names)
    plain = [text for text in where if not members or for_every_index(text, [*symbols]) is None]
    hypotheses = [understand(text, names, "--where") for text in (*plain, *declared.where)]
    for text in where if members else ():
        _told_of_every(text, declared, names)
    declared, greatest = with_largest(declared, names)
    declared, of_traces = with_traces(declared, names)
    symbols = declared.symbols
    read = [_every(text, declared, names) for text in where] if members else []
    every = [e for e in read if e is not None]
    premises, conclusion = _premises(goal.scanned)
    _grows_alone(conclusion)
    texts = [text.strip() for text in where]
    texts += [h.scanned.source for h in hypotheses[len(plain) :]] + [p.source for p in premises]
    scanned = [*(h.scanned for h in hypotheses), *premises]
    notes = [*declared.notes, *goal.notes, *(n for h in hypotheses for n in h.notes)]
    notes += [f"the law wants {text}: a hypothesis" for _, text in random.conditions]
    formula = build_formula(conclusion, symbols, random, members)
    is_growth = isinstance(formula, Predicate) and formula.name in ASYMPTOTIC
    flat = _flat(build_formula(h, symbols, random, members) for h in scanned)
    sizes = declared.traces.sizes
    sized = Sized(body, (*where, *declared.where), sizes) if sizes else None
    special = is_growth or bool(let or steps)
    _refuse_together(bool(members), bool(sizes), special or bool(random.symbols))
    of_laws = [condition for condition, _ in random.conditions]
    special = special or bool(members or sizes)
    _refuse_beside_constants(constants, symbols, [*flat, *of_laws], special)
    if is_growth:
        declared.unbounded()
    return Problem(
        statement.strip(),
        declared,
        formula,
        (*flat, *of_laws, *of_traces),
        (*texts, *(text for _, text in random.conditions)),
        tuple(dict.fromkeys(notes)),
        read_given(let, steps, names, symbols, random),
        (*every, *greatest),
        sized,
        constants,
        tuple(" ".join(law.split()) for law in laws),
    )


def _every(text: str, declared: Domains, names: Names) -> Every | None:
    """``y[i+1] == y[i]/2 for i in 0..oo`` as a hypothesis on members; None for another one."""
    import sympy

    found = for_every_index(text, [v.name for v in declared.variables])
    if found is None:
        return None
    low, high = (
        build_expression(understand(end, names, "--where").scanned, declared.symbols)
        for end in (found.low, found.high)
    )
    index = sympy.Symbol(found.index, integer=True)
    inside = replace(names, declared=names.declared | {found.index})
    stated = understand(found.statement, inside, "--where").scanned
    known = {**declared.symbols, found.index: index}
    members = {f.name: f.head for f in declared.families}
    return Every(index, low, high, build_formula(stated, known, None, members))


def _told_of_every(text: str, declared: Domains, names: Names) -> None:
    """Read once before the norms that it speaks of have their names."""
    if found := for_every_index(text, [v.name for v in declared.variables]):
        inside = replace(names, declared=names.declared | {found.index})
        understand(found.statement, inside, "--where")


def _premises(scanned: Scanned) -> tuple[list[Scanned], Scanned]:
    """``a implies b`` says b wherever a is true: a is a hypothesis."""
    found: list[Scanned] = []
    tree = scanned.tree
    while isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name):
        if tree.func.id != "implies":
            break
        premise, tree = tree.args
        found.append(_part(scanned, premise))
    return found, _part(scanned, tree) if found else scanned


def _grows_alone(scanned: Scanned) -> None:
    """A statement about growth is no part of another."""
    for node in ast.walk(scanned.tree):
        called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id
        if called in ASYMPTOTIC and node is not scanned.tree:
            raise scanned.refuse(node, "a statement about growth stands by itself")


def _part(scanned: Scanned, tree: ast.expr) -> Scanned:
    source = ast.get_source_segment(scanned.source, tree) or scanned.source
    return scan(source, scanned.what, scanned.families)


def _flat(formulas: Any) -> list[Formula]:
    flat: list[Formula] = []
    for formula in formulas:
        if isinstance(formula, Connective) and formula.kind == "and":
            flat.extend(_flat(formula.parts))
        else:
            flat.append(formula)
    return flat
