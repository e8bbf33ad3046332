r"""The two scalars of fine training and what ties them (derived).

Setting. Every sample has exactly s* common and s* subclass patches, all detector sets have nS members, no noise,
iota = 0, sigma_0 -> 0. A and a are the projections of a net's detectors on its common and on its own subclass
feature, gamma = s* nS (1 - beta). Own, sibling and opposite samples give a net the outputs gamma (A + a), gamma A
and 0, so that Z = e^(gamma (A + a)) + (k - 1) e^(gamma A) + k, and a step h adds

    to a: h (1 - e^(gamma (A + a))/Z),    to A: h (1 - e^(gamma (A + a))/Z - (k - 1) e^(gamma A)/Z) = h k/Z.

Statements. (1) The ratio of the increments of A and a is k/(k + (k - 1) e^(gamma A)), whatever a is. (2) In the limit
of small steps a = G(A), G(A) = A + (k - 1)/(k gamma) (e^(gamma A) - 1). The step is not needed to be small for a bound:
a step D of A adds G'(A) D to a, and 0 <= G(A + D) - G(A) - G'(A) D <= D (G'(A + D) - G'(A)), which telescopes. With
D <= h, 0 <= G(A) - a <= h (k - 1)/k (e^(gamma A) - 1) after any number of steps.

Reference: derived from lines 2094-2118.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from flint import ctx

from theorycheck import claim, formula, formula_leg, instances, leg, rivals_of, typed, variant

from ._data import COMMON, SUBCLASS, axis, sample, vector
from ._network import BITS, Neuron, fine_labels, number, outputs, stepped, updates

ONE_POINT = {"domain": {}, "grid": {"smoke": [{}]}}


def batch(k, s):
    """One sample of each subclass with s common and s subclass patches."""
    pattern = (COMMON,) * s + (SUBCLASS,) * s
    return [(sample(pattern, y, c, k, 2 * k + 2), (y, c)) for y, c in fine_labels(k)]


def trained(k, s, common, sub, beta, eta, t, each=1):
    """Detectors of the common word of weight A, of the net's own subclass word of weight a, their biases -beta A and
    -beta a, after t steps."""
    words = {(y, c): [((y,), common)] * each + [((y, c), sub)] * each for y, c in fine_labels(k)}
    net = {
        label: [Neuron(vector(v, k, 2 * k + 2, A), -beta * A) for v, A in shown]
        for label, shown in words.items()
    }
    for _ in range(t):
        net = stepped(net, batch(k, s), eta, beta)
    return net


def next_step(k, s, common, sub, beta, eta, t, each):
    """Weights A and a of the net of (+, 0) after t steps, what the next one adds to them, gamma, and the outputs of
    that net on its own samples and on those of a sibling."""
    net = trained(k, s, common, sub, beta, eta, t, each)
    moved = updates(net, batch(k, s), eta)[("+", 0)]
    first, last = net[("+", 0)][0], net[("+", 0)][-1]
    v, own = axis(("+",), k), axis(("+", 0), k)
    seen = {label: x for x, label in batch(k, s)}
    shown = [outputs({"+": net[("+", 0)]}, seen["+", min(c, k - 1)])["+"] for c in (0, 1)]
    return {
        "A": number(first.w[v]),
        "a": number(last.w[own]),
        "D": number(moved[0][v]),
        "gain": number(moved[-1][own]),
        "gamma": s * each * (1 - Fraction(beta)),
        "own": number(shown[0]),
        "sibling": number(shown[1]),
    }


def a_training(rng):
    """Few steps, before the outputs reach log(3/2)."""
    return {
        "k": int(rng.integers(1, 4)),
        "s": int(rng.integers(1, 3)),
        "t": int(rng.integers(0, 3)),
        "common": Fraction(int(rng.integers(1, 5)), 100),
        "sub": Fraction(int(rng.integers(1, 9)), 100),
        "beta": Fraction(int(rng.integers(0, 4)), 10),
        "eta": Fraction(int(rng.integers(1, 5)), 40),
    }


def a_late_training(rng):
    """Weights of any size, where the exponentials differ, and more than one subclass."""
    return {
        **a_training(rng),
        "k": int(rng.integers(2, 4)),
        "common": Fraction(int(rng.integers(1, 9)), 4),
        "each": int(rng.integers(1, 3)),
    }


LATE = instances(a_late_training, "k s common sub beta eta t each", smoke=6, standard=10)
PROGRAM = "steps of a network"
POSITIVE = ["k in 1..oo", "gamma in (0, oo)", "A in [0, oo)"]
OWN, SIBLING = "exp(gamma*(A + a))", "exp(gamma*A)"
Z = f"({OWN} + (k - 1)*{SIBLING} + k)"

ratio = formula(
    "granularity-increment-ratio",
    states="granularity-fine-recursion",
    title="Increments of the common and of the subclass detector",
    role="derived",
    covers="increment-ratio",
    says=f"(1 - {OWN}/{Z} - (k - 1)*{SIBLING}/{Z})/(1 - {OWN}/{Z}) == k/(k + (k - 1)*{SIBLING})",
    over=[*POSITIVE, "a in [0, oo)"],
    rivals={
        "k for k - 1": f"(1 - {OWN}/{Z} - (k - 1)*{SIBLING}/{Z})/(1 - {OWN}/{Z}) == 1/(1 + {SIBLING})",
        "as at the start": f"(1 - {OWN}/{Z} - (k - 1)*{SIBLING}/{Z})/(1 - {OWN}/{Z}) == k/(2*k - 1)",
    },
)

INTEGRATED = formula_leg(
    "integral of G'",
    typed(
        "Integral(1 + (k - 1)/k*exp(gamma*u), (u, 0, A))"
        " == A + (k - 1)/(k*gamma)*(exp(gamma*A) - 1)",
        over=POSITIVE,
    ),
    over="t",
)
# what a step D of A adds to a: D G'(A)
k, gamma, A, D = sp.symbols("k gamma A D", positive=True)
GAIN = D * (1 + (k - 1) * sp.exp(gamma * A) / k)
EXCESS = f"(D + (k - 1)/(k*gamma)*(exp(gamma*(A + D)) - exp(gamma*A)) - ({GAIN}))"
STEP = formula_leg(
    "one step",
    typed(
        f"0 <= {EXCESS} <= D*(k - 1)/k*(exp(gamma*(A + D)) - exp(gamma*A))",
        over=[*POSITIVE, "D in [0, oo)"],
        steps="0 <= exp(gamma*D) - 1 - gamma*D <= gamma*D*(exp(gamma*D) - 1)",
    ),
    over="t eta",
)


def gain(k, s, common, sub, beta, eta, t, each):
    """What the step after t adds to a, where it adds D to A. Shape ()."""
    with ctx.workprec(BITS):
        seen = next_step(k, s, common, sub, beta, eta, t, each)
        return {"value": seen["gain"], **{name: seen[name] for name in ("A", "D", "gamma")}}


def all_words(k, s, common, sub, beta, eta, t, each):
    """gamma without the bias."""
    return {**gain(k, s, common, sub, beta, eta, t, each), "gamma": Fraction(s * each)}


invariant = claim(
    "granularity-fine-invariant",
    states="granularity-fine-recursion",
    title="The curve on which fine training moves",
    says=r"$a=A+\frac{k-1}{k\gamma}(e^{\gamma A}-1)$ in the limit of small steps; with steps of $A$ of at most $h$, "
    r"$a$ is below it by at most $h\frac{k-1}k(e^{\gamma A}-1)$.",
    role="derived",
    covers="invariant",
    **ONE_POINT,
    legs=[
        leg(
            PROGRAM,
            gain,
            closed_form=GAIN,
            observed=["A", "D", "gamma"],
            instances=LATE,
            required=False,
            lhs=r"\Delta a",
        ),
        INTEGRATED,
        STEP,
    ],
    rivals=[
        variant("gamma without the bias", simulation=all_words, leg=PROGRAM),
        variant("k for k - 1", closed_form=D * (1 + sp.exp(gamma * A)), leg=PROGRAM),
        variant(
            "both weights in the exponent", closed_form=GAIN.subs(gamma, 2 * gamma), leg=PROGRAM
        ),
        *rivals_of(
            INTEGRATED,
            {
                "twice the exponent": "Integral(1 + (k - 1)/k*exp(gamma*u), (u, 0, A))"
                " == A + (k - 1)/(2*k*gamma)*(exp(2*gamma*A) - 1)",
                "a = 2 A": "Integral(1 + (k - 1)/k*exp(gamma*u), (u, 0, A)) == 2*A",
            },
        ),
        *rivals_of(
            STEP,
            {
                "a third of the error": {
                    "says": f"0 <= {EXCESS} <= D*(k - 1)/(3*k)*(exp(gamma*(A + D)) - exp(gamma*A))",
                    "steps": [],
                }
            },
        ),
    ],
)


# with a on the curve and e^(gamma A) - 1 >= gamma A + (gamma A)^2/2
EXPONENTIAL = formula_leg("exponential", typed("z + z**2/2 <= exp(z) - 1", over="z in [0, oo)"))
QUOTIENT = formula_leg(
    "quotient",
    typed(
        "A/(A + (k - 1)/(k*gamma)*(gamma*A + (gamma*A)**2/2)) <= 4/(6 + gamma*A)",
        over=["k in 2..oo", "gamma in (0, oo)", "A in (0, oo)"],
    ),
)
# u = e^(gamma (A + a)) and v = e^(gamma A) while A stays below some bound, and with it a and both exponentials
u, v = sp.symbols("u v", positive=True)
PART = k / (u + (k - 1) * v + k)
UNBOUNDED = formula_leg(
    "steps at a bounded A",
    typed(
        f"{PART} >= 1/(2*U)",
        over=["k in 1..oo", "U in [1, oo)", "u in [1, U]", "v in [1, U]"],
    ),
    over="t",
)


def part(k, s, common, sub, beta, eta, t, each):
    """What the step after t adds to A, over eta s/(2 k P), and the exponentials of the outputs. Shape ()."""
    with ctx.workprec(BITS):
        seen = next_step(k, s, common, sub, beta, eta, t, each)
        scale = number(Fraction(eta) * s / (2 * k * 2 * s))
        return {"value": seen["D"] / scale, "u": seen["own"].exp(), "v": seen["sibling"].exp()}


late = claim(
    "granularity-fine-late-ratio",
    states="granularity-fine-recursion",
    title="Common detectors fall behind in the end",
    says=r"$A/a\le\frac4{6+\gamma A}$ on the curve for $k\ge2$, and $A$ passes every bound: $A/a\to0$.",
    role="derived",
    covers="late-ratio",
    **ONE_POINT,
    legs=[
        leg(
            PROGRAM,
            part,
            closed_form=PART,
            observed=["u", "v"],
            instances=LATE,
            required=False,
            lhs=r"\Delta A\big/\tfrac{\eta s^*}{2kP}",
        ),
        EXPONENTIAL,
        QUOTIENT,
        UNBOUNDED,
    ],
    rivals=[
        variant("of the subclass", closed_form=1 - u / (u + (k - 1) * v + k), leg=PROGRAM),
        variant("its own output alone", closed_form=k / (k * u + k), leg=PROGRAM),
        *rivals_of(EXPONENTIAL, {"z^2": "z + z**2 <= exp(z) - 1"}),
        *rivals_of(
            QUOTIENT,
            {
                "k = 1": {"over": ["k in 1..oo", "gamma in (0, oo)", "A in (0, oo)"]},
                "7 for 6": "A/(A + (k - 1)/(k*gamma)*(gamma*A + (gamma*A)**2/2)) <= 4/(7 + gamma*A)",
            },
        ),
        *rivals_of(UNBOUNDED, {"1/U": f"{PART} >= 1/U"}),
    ],
)
