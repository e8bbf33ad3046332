"""Worst case of gradient descent with step 1/L on L-smooth convex functions: f(x_n) - f* <= L R^2 / (4 n + 2), and
no less (Drori and Teboulle 2014). The other side is PEPit, which solves for the worst function; needs the packages
PEPit and cvxpy, and is skipped without them."""

from fractions import Fraction

import sympy as sp

from theorycheck import claim, integers, leg

n = sp.symbols("n", integer=True, positive=True)


def worst_case(n):
    """Largest f(x_n) - f* over all functions and starts, for L = R = 1."""
    from PEPit import PEP
    from PEPit.functions import SmoothConvexFunction

    problem = PEP()
    f = problem.declare_function(SmoothConvexFunction, L=1)
    best, start = f.stationary_point(), problem.set_initial_point()
    problem.set_initial_condition((start - best) ** 2 <= 1)
    x = start
    for _ in range(n):
        x = x - f.gradient(x)
    problem.set_performance_metric(f(x) - f(best))
    return float(problem.solve(verbose=0))


textbook = claim(
    "gradient-descent-textbook",
    says="The worst case of n steps is L R^2 / (2 n), as textbooks prove it.",
    domain={n: integers(1)},
    grid={"smoke": {n: [1, 2, 4, 6]}},
    closed_form=1 / (2 * n),
    legs=[
        leg(
            "PEPit",
            worst_case,
            arithmetic="external",
            model="PEPit, semidefinite program solved in floats",
            error=Fraction(1, 10**4),
        )
    ],
    needs="PEPit cvxpy",
    expect="fail",  # a bound, and not a tight one
)

tight = textbook.corrected(
    "gradient-descent-tight",
    says="The worst case of n steps is L R^2 / (4 n + 2).",
    closed_form=1 / (4 * n + 2),
)
