"""Closed forms evaluated without doubt: SymPy expressions to rigorous enclosures.

`compile_expression` turns an expression into something that can be evaluated often, at one precision;
`evaluate`, `sign`, `compare` and `truth` raise the precision until the question is settled, and prove
equality by exact zero tests. Rationals stay exact, everything else is an Arb ball; whatever cannot be
decided is said to be undecided.
"""

from theorycheck.balls.evaluating import (
    BallComparison,
    Compiled,
    Evaluated,
    Pair,
    TruthValue,
    compare,
    compile_expression,
    compile_pair,
    enclose_box,
    evaluate,
    evaluate_matrix,
    sign,
    truth,
)
from theorycheck.balls.functions import (
    divides,
    divisor_count,
    gcd,
    is_square,
    isprime,
    lcm,
    prime,
    primorial,
)
from theorycheck.balls.printing import enclosure_str, to_decimal
from theorycheck.balls.values import Number, UnsupportedExpression

__all__ = [
    "BallComparison",
    "Compiled",
    "Evaluated",
    "Number",
    "Pair",
    "TruthValue",
    "UnsupportedExpression",
    "compare",
    "compile_expression",
    "compile_pair",
    "divides",
    "divisor_count",
    "enclose_box",
    "enclosure_str",
    "evaluate",
    "evaluate_matrix",
    "gcd",
    "is_square",
    "isprime",
    "lcm",
    "prime",
    "primorial",
    "sign",
    "to_decimal",
    "truth",
]
