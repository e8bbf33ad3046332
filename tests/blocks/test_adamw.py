"""AdamW against its definition, written out for one parameter."""

import math
from fractions import Fraction

import numpy as np

from theorycheck.arrays import FloatNamespace
from theorycheck.blocks import adamw

FLOATS = FloatNamespace(np)


def test_adamw_against_its_definition():
    recipe = adamw.Recipe(3, Fraction(1, 10), Fraction(1, 5), falls=False)
    found = adamw.adamw(FLOATS, {"x": np.array([2.0])}, lambda t: {"x": 2 * t["x"]}, recipe)["x"]
    x, mean, square = 2.0, 0.0, 0.0
    for step in range(1, 4):
        g = 2 * x
        mean, square = 0.9 * mean + 0.1 * g, 0.98 * square + 0.02 * g * g
        move = mean / (1 - 0.9**step) / (math.sqrt(square / (1 - 0.98**step)) + 1e-8)
        x -= 0.1 * (move + 0.2 * x)
    assert math.isclose(found[0], x, rel_tol=1e-12)
