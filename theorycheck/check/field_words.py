"""Names of the field as expressions: activations, normal tails, entropies, probabilities' logits.

Builders receive SymPy as their first argument, as those of `theorycheck.check.vocabulary`.
"""

from __future__ import annotations

from typing import Any


def _plus(sp: Any, a: Any, b: Any) -> Any:
    return sp.Add(a, b, evaluate=False)


def _minus(sp: Any, a: Any) -> Any:
    return -a if a.is_Number else sp.Mul(-1, a, evaluate=False)


def _times(sp: Any, *factors: Any) -> Any:
    return sp.Mul(*factors, evaluate=False)


def _over(sp: Any, a: Any, b: Any) -> Any:
    return sp.Mul(a, sp.Pow(b, -1, evaluate=False), evaluate=False)


def sigmoid(sp: Any, args: list[Any]) -> Any:
    """1/(1 + exp(-x))"""
    rest = sp.exp(_minus(sp, args[0]), evaluate=False)
    return sp.Pow(_plus(sp, sp.Integer(1), rest), -1, evaluate=False)


def softplus(sp: Any, args: list[Any]) -> Any:
    """log(1 + exp(x))"""
    return sp.log(_plus(sp, sp.Integer(1), sp.exp(args[0], evaluate=False)), evaluate=False)


def relu(sp: Any, args: list[Any]) -> Any:
    """Max(0, x)"""
    return sp.Max(0, args[0], evaluate=False)


def normal_cdf(sp: Any, args: list[Any]) -> Any:
    """Phi(x) = erfc(-x/sqrt(2))/2"""
    return normal_tail(sp, [_minus(sp, args[0])])


def normal_tail(sp: Any, args: list[Any]) -> Any:
    """Q(x) = erfc(x/sqrt(2))/2"""
    inside = _over(sp, args[0], sp.sqrt(2, evaluate=False))
    return _times(sp, sp.Rational(1, 2), sp.erfc(inside, evaluate=False))


def _weighted_log(sp: Any, p: Any, inside: Any) -> Any:
    return _times(sp, p, sp.log(inside, evaluate=False))


def entropy(sp: Any, args: list[Any]) -> Any:
    """Of a coin, in nats: -p log(p) - (1 - p) log(1 - p)"""
    p = args[0]
    q = _plus(sp, sp.Integer(1), _minus(sp, p))
    return _minus(sp, _plus(sp, _weighted_log(sp, p, p), _weighted_log(sp, q, q)))


def divergence(sp: Any, args: list[Any]) -> Any:
    """KL of two coins, in nats: p log(p/q) + (1 - p) log((1 - p)/(1 - q))"""
    p, q = args
    r, s = (_plus(sp, sp.Integer(1), _minus(sp, a)) for a in (p, q))
    return _plus(sp, _weighted_log(sp, p, _over(sp, p, q)), _weighted_log(sp, r, _over(sp, r, s)))


def logit(sp: Any, args: list[Any]) -> Any:
    """log(p/(1 - p))"""
    p = args[0]
    return sp.log(_over(sp, p, _plus(sp, sp.Integer(1), _minus(sp, p))), evaluate=False)


def log_of_base(base: int) -> Any:
    """log2 and log10 as quotients of natural logarithms."""

    def build(sp: Any, args: list[Any]) -> Any:
        return _over(sp, sp.log(args[0], evaluate=False), sp.log(base, evaluate=False))

    return build


WORDS = {
    "sigmoid": (1, sigmoid),
    "softplus": (1, softplus),
    "relu": (1, relu),
    "ReLU": (1, relu),
    "Phi": (1, normal_cdf),
    "Q": (1, normal_tail),
    "entropy": (1, entropy),
    "KL": (2, divergence),
    "logit": (1, logit),
    "log2": (1, log_of_base(2)),
    "log10": (1, log_of_base(10)),
}
"""By name: the number of arguments, and the builder."""
