"""Means over a law with n atoms, for every n: what holds of each atom holds of the mean. Each part is a formula that is
proved for all weights p_1, ..., p_n >= 0."""

from __future__ import annotations

from typing import Any

from theorycheck import formula_leg, typed

WEIGHTS = ["n in 1..oo", "p[i] in [0, oo) for i in 1..n"]
MEAN = "Sum(p[i]*{}, (i, 1, n))".format
MASS = "Sum(p[i], (i, 1, n))"


def per_atom(name: str, says: str, families: str, each: str, over: Any = ()) -> Any:
    """A leg that speaks of means over all laws. ``families``: real numbers of each atom, of which ``each`` is known."""
    atoms = f"{families} in R for i in 1..n"
    return formula_leg(
        name, typed(says, over=[*WEIGHTS, atoms, *over], where=f"{each} for i in 1..n")
    )


def affine(name: str = "mean over a law") -> Any:
    """E v <= W E X + c where v <= W X + c."""
    return per_atom(
        name,
        f"{MEAN('v[i]')} <= W*{MEAN('X[i]')} + c*{MASS}",
        "v[i], X[i]",
        "v[i] <= W*X[i] + c",
        ["W in [0, oo)", "c in [0, oo)"],
    )


WRONG_AFFINE = {
    "without the constant": f"{MEAN('v[i]')} <= W*{MEAN('X[i]')}",
}
