"""The mean squared error of the linear-attention network at every size, in words (`_words`).

The prediction (5.2) is a mean over the examples of the prompt, plus what the query's own token adds. Given task and
query the examples are independent, so that two moments of one of them give the expected square; then the query and,
in pretraining, the task are averaged. Nothing here is put into a closed form by hand: what comes out is a polynomial
in traces and forms of the weights.
"""

from __future__ import annotations

from typing import Any

from ._words import (
    ONE,
    Matrix,
    Number,
    Vector,
    dot,
    letter,
    mean,
    normal,
    number,
    scalar,
    spectral,
    vector,
)

D, K, P, V = (spectral(name) for name in "DKPV")
"""Eigenvalues of Lambda; the projections on the first r directions and on further ones; a diagonal matrix."""
Q = letter("Q")
IN_BASIS = Q * D * Q.T
"""Lambda = Q D Q^T, of any eigenbasis Q."""
LAMBDA = spectral("L")
"""Lambda itself: any covariance."""


def gamma(Lam: Matrix, N: Number) -> Matrix:
    """(1 + 1/N) Lambda + tr(Lambda)/N 1."""
    return Lam * (1 + N**-1) + ONE * Lam.trace() / N


def ltilde(Lam: Matrix, Gamma: Matrix, U: Matrix, u: Number) -> Number:
    """tr(u^2 Gamma Lambda U Lambda U^T/2 - u Lambda^2 U^T)."""
    square = (Gamma * Lam * U * Lam * U.T).trace()
    return square * u**2 / 2 - (Lam * Lam * U.T).trace() * u


def reply(x: Vector, y: Number, q: Vector, U: Matrix, u: Number, a: Vector, b: Vector) -> Number:
    """(a.x + u y)(x^T U q + y b.q), what an example adds to N times the prediction."""
    return (dot(a, x) + u * y) * (dot(x, U * q) + y * dot(b, q))


def mean_square(first: Number, second: Number, rest: Number, n: Number) -> Number:
    """E (t_1 + .. + t_n)/n + rest)^2 of independent t_i with these two moments."""
    return second / n + first**2 * (1 - n**-1) + 2 * first * rest + rest**2


def eigenvalue(of: Matrix) -> str:
    """A polynomial in D as a text: l for an eigenvalue of D, t for its trace."""
    texts = []
    for word, c in of.terms.items():
        power = sum(n for element in word for _, n in element)
        for m, factor in c.terms.items():
            names = [("l", power), *((a if isinstance(a, str) else "t", k) for a, k in m)]
            above = "*".join(name for name, k in names for _ in range(k)) or "1"
            below = "".join(f"/{name}" for name, k in names for _ in range(-k))
            texts.append(f"{above}{below}" if factor == 1 else f"({factor})*{above}{below}")
    return " + ".join(texts)


NONE = vector("0") * 0


def flipped(atom: Any, power: int) -> Number | None:
    """Moments of the sign f, -1 with probability (1 - beta)/2."""
    return (scalar("beta") if power % 2 else number(1)) if atom == "f" else None


def evaluation(
    Lam: Matrix, U: Matrix, u: Number, w: Vector, M: Number, flips: bool = False
) -> Number:
    """E (yhat - <w, x_q>)^2 on the task w, M examples, rho = M, w21 blocks 0; labels with noise of variance s2, or
    multiplied by the sign f."""
    x, q = vector("x"), vector("q")
    y = scalar("f") * dot(w, x) if flips else dot(w, x) + scalar("eps")
    t = reply(x, y, q, U, u, NONE, NONE)
    first, second = (
        mean(m, "x", Lam).replaced(flipped).replaced(normal("eps", scalar("s2"))) for m in (t, t**2)
    )
    return mean(mean_square(first, second, -dot(w, q), M), "q", Lam)


def pretraining(
    Lam: Matrix, U: Matrix, u: Number, a: Vector, b: Vector, N: Number, even: bool = False
) -> Number:
    """E (yhat - <w, x_q>)^2 / 2 over tasks w ~ N(0, 1) and prompts of N noiseless examples, rho = N. ``even``: of the
    part of yhat that does not change with the sign of w alone."""
    x, q, w = vector("x"), vector("q"), vector("w")
    y = dot(w, x)
    t = reply(x, y, q, U, u, a, b)
    if even:
        t = (t + reply(x, -y, q, U, u, a, b)) / 2
    own = dot(a, q) * dot(q, U * q) / N
    first, second = (mean(m, "x", Lam) for m in (t, t**2))
    error = mean_square(first, second, own if even else own - dot(w, q), N)
    return mean(mean(error, "w", ONE), "q", Lam) / 2
