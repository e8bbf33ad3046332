r"""Theorem A.21: regret of online gradient descent from any start.

Setting. theta_(t+1) = theta_t - eta g_t, g_t a subgradient of the convex f_t at theta_t, so that f_t(theta_t) -
f_t(theta*) <= <g_t, theta_t - theta*>. G is the sum of the g_t so far, P = <theta_1, G>, N = |G|^2, Q the sum of
|g_t|^2, L that of |g_t|.

Statements. (1) The sum of <g_t, theta_t> is P - (eta/2)(N - Q): a step adds <g, theta_1> - eta <g, G>. (2) P <=
|theta_1| L, and |theta* + eta G|^2 >= 0: so the regret is at most |theta*|^2/(2 eta) + |theta_1| L + (eta/2) Q, for
all T, losses, starts and comparators, adversarial ones included; the print has eta for eta/2. (3) Equality: losses
theta on the line, start a >= 0, comparator -eta T.

Reference: Theorem A.21, lines 3815-3819.
"""

from __future__ import annotations

from theorycheck import claim, formula_leg, rivals_of, typed

# p = <theta_1, g>, c = <G, g>, n = |g|^2
POTENTIAL = formula_leg(
    "one step",
    typed(
        "(P - eta/2*(N - Q)) + p - eta*c == (P + p) - eta/2*((N + 2*c + n) - (Q + n))",
        over=["eta > 0", "P in R", "N in [0, oo)", "Q in [0, oo)", "p in R", "c in R", "n in [0, oo)"],
    ),
    over="T f theta_1 theta_star",
)  # fmt: skip
# A = |theta_1|, R = |theta*|^2, C = <theta*, G>
TOTAL = formula_leg(
    "regret",
    typed(
        "P - eta/2*(N - Q) - C <= R/(2*eta) + A*L + eta/2*Q",
        over=["eta > 0", "P in R", "N in [0, oo)", "Q in [0, oo)", "C in R", "R in [0, oo)", "A in [0, oo)",
              "L in [0, oo)"],
        where=["P <= A*L", "R + 2*eta*C + eta**2*N >= 0"],
    ),
    over="T f theta_1 theta_star",
)  # fmt: skip
ATTAINED = formula_leg(
    "attained",
    typed(
        "Sum(a - eta*(t - 1) + eta*T, (t, 1, T)) == T*((eta*T)**2/(2*eta*T) + a + eta/2)",
        over=["T in 1..oo", "eta > 0", "a >= 0"],
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
    title="Regret of online gradient descent, with the sharp constant",
    says=r"The mean regret is at most $\frac{\|\theta^*\|^2}{2\eta T}+\|\theta_1\|\,\overline{\|\nabla\|}"
    r"+\frac\eta2\overline{\|\nabla\|^2}$, half of the printed last term, and $\frac\eta2$ is attained.",
    covers="regret sharp",
    legs=[POTENTIAL, TOTAL, ATTAINED],
    rivals=[
        *rivals_of(POTENTIAL, {
            "eta for eta/2": "(P - eta*(N - Q)) + p - eta*c == (P + p) - eta*((N + 2*c + n) - (Q + n))"}),
        *rivals_of(TOTAL, SMALLER),
        *rivals_of(ATTAINED, {
            "eta": "Sum(a - eta*(t - 1) + eta*T, (t, 1, T)) == T*((eta*T)**2/(2*eta*T) + a + eta)"}),
    ],
)  # fmt: skip
