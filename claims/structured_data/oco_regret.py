r"""Theorem A.21: regret of online gradient descent from any start.

Setting. theta_(t+1) = theta_t - eta g_t, g_t a subgradient of the convex f_t at theta_t, so that f_t(theta_t) -
f_t(theta*) <= <g_t, theta_t - theta*>. G is the sum of the g_t so far, P = <theta_1, G>, N = |G|^2, Q the sum of
|g_t|^2, L that of |g_t|.

Statements. (1) The sum of <g_t, theta_t> is P - (eta/2)(N - Q): a step adds <g, theta_1> - eta <g, G>. (2) P <=
|theta_1| L, and |theta* + eta G|^2 >= 0: so the regret is at most |theta*|^2/(2 eta) + |theta_1| L + (eta/2) Q, for
all T, losses, starts and comparators, adversarial ones included; the print has eta for eta/2. (3) Equality: losses
s theta on the line, s = +-1, start a with s a >= 0, of size |a|, comparator -s eta T.

Reference: Theorem A.21, lines 3815-3819.
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb, ctx

from theorycheck import at_most, claim, formula_leg, instances, leg, rivals_of, typed, variant

from ._balls import BITS, ONE_POINT, number


def iterates(start, slopes, offsets, eta):
    """theta_t, value and subgradient of f_t = |<s_t, theta> - o_t| + <s_t, theta>/2, which turns at theta_t's side."""
    theta = list(start)
    for s, o in zip(slopes, offsets, strict=True):
        inner = sum((a * b for a, b in zip(s, theta, strict=True)), Fraction(0))
        sign = (1 if inner >= o else -1) + Fraction(1, 2)
        yield abs(inner - o) + inner / 2, [sign * a for a in s]
        theta = [a - eta * sign * b for a, b in zip(theta, s, strict=True)]


def mean_regret(start, against, slopes, offsets, eta):
    """Mean loss of the iterates less that of the comparator. Shape ()."""
    paid = sum((value for value, _ in iterates(start, slopes, offsets, eta)), Fraction(0))
    for s, o in zip(slopes, offsets, strict=True):
        inner = sum((a * b for a, b in zip(s, against, strict=True)), Fraction(0))
        paid -= abs(inner - o) + inner / 2
    return paid / len(slopes)


def regret_bound(start, against, slopes, offsets, eta, part=2):
    """|theta*|^2/(2 eta T) + |theta_1| mean |g| + eta/2 mean |g|^2. Shape ()."""
    with ctx.workprec(BITS):
        T, squares = (
            len(slopes),
            [
                sum((a * a for a in g), Fraction(0))
                for _, g in iterates(start, slopes, offsets, eta)
            ],
        )
        size = number(sum((a * a for a in start), Fraction(0))).sqrt()
        lengths = sum((number(q).sqrt() for q in squares), arb(0))
        far = number(sum((a * a for a in against), Fraction(0)))
        return (
            far / number(2 * eta * T)
            + size * lengths / T
            + number(Fraction(eta) * sum(squares) / (part * T))
        )


def without_the_start(start, against, slopes, offsets, eta):
    return regret_bound([Fraction(0)] * len(start), against, slopes, offsets, eta)


def a_quarter(start, against, slopes, offsets, eta):
    return regret_bound(start, against, slopes, offsets, eta, part=4)


def convex_losses(rng):
    return {
        "start": rng.rational((2,), 3),
        "against": rng.rational((2,), 3),
        "slopes": rng.rational((6, 2), 3),
        "offsets": rng.rational((6,), 3),
        "eta": Fraction(int(rng.integers(1, 9)), 4),
    }


def one_line(rng):
    """Losses of slope s = +-1 on the line, far above their turn, from a start on the side of s; the comparator is
    -s eta T."""
    T, eta, s = int(rng.integers(1, 7)), Fraction(int(rng.integers(1, 9)), 4), int(rng.signs())
    return {
        "start": [s * Fraction(int(rng.integers(0, 4)))],
        "against": [-s * eta * T],
        "slopes": [[s * Fraction(2, 3)]] * T,
        "offsets": [Fraction(-(10**4))] * T,
        "eta": eta,
    }


# p = <theta_1, g>, c = <G, g>, n = |g|^2
POTENTIAL = formula_leg(
    "one step",
    typed(
        "(P - eta/2*(N - Q)) + p - eta*c == (P + p) - eta/2*((N + 2*c + n) - (Q + n))",
        over=[
            "eta > 0",
            "P in R",
            "N in [0, oo)",
            "Q in [0, oo)",
            "p in R",
            "c in R",
            "n in [0, oo)",
        ],
    ),
    over="T f theta_1 theta_star",
)
# A = |theta_1|, R = |theta*|^2, C = <theta*, G>
TOTAL = formula_leg(
    "regret",
    typed(
        "P - eta/2*(N - Q) - C <= R/(2*eta) + A*L + eta/2*Q",
        over=[
            "eta > 0",
            "P in R",
            "N in [0, oo)",
            "Q in [0, oo)",
            "C in R",
            "R in [0, oo)",
            "A in [0, oo)",
            "L in [0, oo)",
        ],
        where=["P <= A*L", "R + 2*eta*C + eta**2*N >= 0"],
    ),
    over="T f theta_1 theta_star",
)
# the iterates are a - s eta (t - 1)
LINEAR = "Sum(s*(a - s*eta*(t - 1)) - s*(-s*eta*T), (t, 1, T))"
ATTAINED = formula_leg(
    "attained",
    typed(
        f"{LINEAR} == T*((eta*T)**2/(2*eta*T) + abs(a) + eta/2)",
        over=["T in 1..oo", "eta > 0", "s in {-1, 1}", "a in R"],
        where="s*a >= 0",
    ),
    gives="instance",
    covers="sharp",
)
SMALLER = {
    "a smaller constant": "P - eta/2*(N - Q) - C <= R/(2*eta) + A*L + 49*eta/100*Q",
    "without the start": "P - eta/2*(N - Q) - C <= R/(2*eta) + eta/2*Q",
}

regret = claim(
    "structured-oco-regret",
    lhs=r"\overline{f_t(\theta_t)}-\overline{f_t(\theta^*)}",
    tex=r"\frac{\|\theta^*\|^2}{2\eta T}+\|\theta_1\|\,"
    r"\overline{\|\nabla\|}+\frac\eta2\overline{\|\nabla\|^2}",
    title="Regret of online gradient descent, with the sharp constant",
    says=r"The mean regret is at most $\frac{\|\theta^*\|^2}{2\eta T}+\|\theta_1\|\,\overline{\|\nabla\|}"
    r"+\frac\eta2\overline{\|\nabla\|^2}$, half of the printed last term, and $\frac\eta2$ is attained.",
    covers="regret sharp",
    **ONE_POINT,
    relation=at_most(),
    legs=[
        leg(
            "convex losses",
            mean_regret,
            reference=regret_bound,
            required=False,
            instances=instances(
                convex_losses, "start against slopes offsets eta", smoke=4, standard=12
            ),
        ),
        leg(
            "on the line",
            mean_regret,
            reference=regret_bound,
            required=False,
            gives="instance",
            chosen_by=one_line,
            instances=instances(one_line, "start against slopes offsets eta", smoke=3, standard=6),
        ),
        POTENTIAL,
        TOTAL,
        ATTAINED,
    ],
    rivals=[
        variant("eta/4", reference=a_quarter, leg="on the line"),
        variant("no start on the line", reference=without_the_start, leg="on the line"),
        *rivals_of(
            POTENTIAL,
            {
                "eta for eta/2": "(P - eta*(N - Q)) + p - eta*c == (P + p) - eta*((N + 2*c + n) - (Q + n))"
            },
        ),
        *rivals_of(TOTAL, SMALLER),
        *rivals_of(
            ATTAINED,
            {
                "eta": f"{LINEAR} == T*((eta*T)**2/(2*eta*T) + abs(a) + eta)",
                "a for |a|": f"{LINEAR} == T*((eta*T)**2/(2*eta*T) + a + eta/2)",
            },
        ),
    ],
)
