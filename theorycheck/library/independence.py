"""A simulation must not reach the closed form that it is compared with.

The check walks from a simulation through everything that its code names (`theorycheck.judge.calls`, with its
limits). Reaching SymPy, a SymPy object or a claim is refused when the claim is loaded. For a formula that is
retyped in plain arithmetic, `theorycheck.library.hints` names simulations that cost nothing.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
import types
from typing import Any

from theorycheck.claims.functions import ClaimError
from theorycheck.claims.model import Claim


def check_independence(claim: Claim, package: str) -> None:
    """Raises ClaimError naming the simulation and the path by which it reaches SymPy.

    ``package``: the synthetic package of the claim's folder; only functions defined there are
    walked into.
    """
    from theorycheck.judge.calls import (
        reaches,
    )  # not at the top: what only lists claims does without the judge

    for leg in claim.legs:
        functions = [("simulation", leg.simulation), ("reference", leg.reference)]
        if leg.instances is not None:
            functions.append(("instances", leg.instances.draw))
        for role, function in functions:
            if function is None:
                continue
            path = reaches(function, package)
            if path is not None:
                raise ClaimError(
                    f"claim {claim.id}: {role} of leg {leg.name!r} reaches {path[-1]} "
                    f"({' -> '.join(path)}); a simulation must obtain its value without SymPy "
                    "and without the closed form"
                )
        call = _shared_call(leg.simulation, leg.reference, package)
        if call is not None:
            raise ClaimError(
                f"claim {claim.id}: the reference of leg {leg.name!r} calls {call}, which is all that its "
                "simulation does; the other side must come from another program"
            )


def _shared_call(simulation: Any, reference: Any, package: str) -> str | None:
    """The call that is the whole of a simulation, where the reference makes the very same one: the two sides are
    then one program, whatever is done with it besides."""
    from theorycheck.judge.calls import ours

    both = (simulation, reference)
    if not all(isinstance(f, types.FunctionType) and ours(f.__module__, package) for f in both):
        return None
    own, other = (_body(f) for f in both)
    if not own or simulation is reference:
        return None
    last = own[-1]
    if len(own) > 1 or not isinstance(last, ast.Return) or not isinstance(last.value, ast.Call):
        return None
    called = last.value.func
    name = called.id if isinstance(called, ast.Name) else ""
    shared = simulation.__globals__.get(name)
    if not isinstance(shared, types.FunctionType) or not ours(shared.__module__, package):
        return None
    if reference.__globals__.get(name) is not shared:
        return None
    wanted = ast.dump(last.value)
    made = (
        node for statement in other for node in ast.walk(statement) if isinstance(node, ast.Call)
    )
    return ast.unparse(last.value) if any(ast.dump(node) == wanted for node in made) else None


def _body(function: types.FunctionType) -> list[ast.stmt]:
    """The statements of a function but its docstring; none where its source cannot be read on its own."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    except (OSError, TypeError, SyntaxError, IndexError):  # a lambda within a call, a notebook
        return []
    if not isinstance(tree, ast.FunctionDef):
        return []
    said = tree.body[0]
    told = isinstance(said, ast.Expr) and isinstance(said.value, ast.Constant)
    return tree.body[1:] if told else tree.body
