r"""Lemma A.38 and Claim A.39: pre-activations and output after the class-weighted first step, with explicit constants.

Setting. As in `general_first_step` and `general_noise`: w^(1) = eta a (sum_l T_l M_l + nu), |a| <= sigma_a sqrt(2 L),
sigma_a <= sigma~^2/(gamma k^2), q = sqrt(L) <= k^(1/4), sigma~ >= 12 k/25, sigma_zeta <= 1/sigma~, D mu/sqrt(d) <=
1/16; Z = sqrt(d) sigma_zeta <= sigma~, which Z^2 is a part of. sigma_w is so small that sigma~ eps_e and sqrt(D) eps_e
are at most k q and, for the output, sigma_w sqrt(2 L) <= sigma_a: the text says *small enough*. An input is good where
|<M_l, zeta>| and |zeta_j| are at most u sigma_zeta.

Statements. (1) sigma~ |<M_l, x>| <= W = 17/16 + (25/12) u/k. On A sigma~ |T_l| <= gamma + eps_e/4: these terms add up
to at most (3/2) W eta/gamma. Off A sigma~ |T_l| <= (4/5) p_l (1 - p_l) eps_e and the variances add up to (16/15)
sigma~^2 at most: (5/4) W (eta/gamma) sigma~/sqrt(k), for every set of active patterns. sigma~ |nu| <= (3/20) sigma_zeta
eps_e, sigma~ |x| <= (26/25) sqrt(D) + u Z: (1/2 + (9/20) u q^2/k^2) eta/gamma. With u = g sqrt(log k), |<w^(1), x>| <=
(21/10)(1 + g)(eta/gamma)(1 + sigma~/sqrt(k)): the term sigma~ of the print is not needed. (2) Noise, patterns and
background alone are parts of the same sums. (3) With u = sqrt(2 k), all of d + D Gaussians are that small but for (d +
D) e^-k, whatever the label. |g^(1)| <= sum over pairs of 2 |a| (|<w^(1), x>| + eta |a T_b|) + 2 eta |T_a| < 1 for eta
<= gamma/(70 k m sigma_a sigma~).

Reference: Lemma A.38, lines 4806-4936; Claim A.39, lines 4833-4908.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from flint import arb, ctx

from theorycheck import claim, variant

from ._balls import ONE_POINT, number
from ._bounded import bounded, step
from ._general_outputs import first, inputs, moved, moved_bound, output, parts, slope
from ._general_second import PRECISION
from .general_second_step import one_pattern, some_step

SMALL, W1X = "structured-general-step1-output-small", "structured-general-claim-w1x"
FIELDS = "law back gram neurons z rim s noise many eta s2"
NINE = Fraction(9, 16)


def largest(law, back, gram, neurons, z, rim, s, noise, many, eta, s2):
    """Largest |<w^(1), x>| over neurons and patterns: whole, noise, patterns, background. Shape (4,)."""
    with ctx.workprec(PRECISION):
        found = [arb(0)] * 4
        for neuron in neurons:
            step = first(law, back, gram, neuron, s, noise, many, eta)
            for _, f in inputs(law, back):
                rows = parts(len(law[0][0]), f, z, rim)
                seen = [abs(moved(gram, neuron, step, *row)) for row in rows]
                found = [u.max(v) for u, v in zip(found, seen, strict=True)]
        return found


def largest_bound(law, back, gram, neurons, z, rim, s, noise, many, eta, s2, **shares):
    """The same of the sums of bounds. Shape (4,)."""
    with ctx.workprec(PRECISION):
        found = [arb(0)] * 4
        for neuron in neurons:
            step = first(law, back, gram, neuron, s, noise, many, eta)
            for _, f in inputs(law, back):
                rows = parts(len(law[0][0]), f, z, rim)
                seen = [
                    moved_bound(law, back, gram, step, s, noise, *row, **shares) for row in rows
                ]
                found = [u.max(v) for u, v in zip(found, seen, strict=True)]
        return found


def relevant_left_out(law, back, gram, neurons, z, rim, s, noise, many, eta, s2):
    return largest_bound(law, back, gram, neurons, z, rim, s, noise, many, eta, s2, on=0)


def background_left_out(law, back, gram, neurons, z, rim, s, noise, many, eta, s2):
    return largest_bound(law, back, gram, neurons, z, rim, s, noise, many, eta, s2, off=0)


def nu_left_out(law, back, gram, neurons, z, rim, s, noise, many, eta, s2):
    return largest_bound(law, back, gram, neurons, z, rim, s, noise, many, eta, s2, along=0)


def largest_output(law, back, gram, neurons, z, rim, s, noise, many, eta, s2):
    """max |g^(1)| over patterns. Shape ()."""
    with ctx.workprec(PRECISION):
        steps = [first(law, back, gram, n, s, noise, many, eta) for n in neurons]
        most = arb(0)
        for _, f in inputs(law, back):
            g = [
                output(gram, n, t, f, z, rim, eta, s2) for n, t in zip(neurons, steps, strict=True)
            ]
            most = most.max(abs(sum(g, arb(0))))
        return most


def output_bound(law, back, gram, neurons, z, rim, s, noise, many, eta, s2, pre=1, more=1):
    """Sum over pairs of 2 |a| (|<w^(1), x>| + eta |a T_b|) + 2 eta |T_a|, by their bounds. Shape ()."""
    with ctx.workprec(PRECISION):
        most, steps = arb(0), [first(law, back, gram, n, s, noise, many, eta) for n in neurons]
        for _, f in inputs(law, back):
            total = arb(0)
            for (*_, a), step in zip(neurons, steps, strict=True):
                T = number(NINE) * step.reach
                at = pre * moved_bound(law, back, gram, step, s, noise, f, z, rim)
                total += number(2 * abs(a)) * (at + number(eta * abs(a)) * slope(s) * T)
                total += more * number(2 * eta) * T
            most = most.max(total)
        return most


def biases_alone(law, back, gram, neurons, z, rim, s, noise, many, eta, s2):
    given = (law, back, gram, neurons, z, rim, s, noise, many, eta, s2)
    return output_bound(*given, pre=0, more=0)


def without_read_outs(law, back, gram, neurons, z, rim, s, noise, many, eta, s2):
    return output_bound(law, back, gram, neurons, z, rim, s, noise, many, eta, s2, more=0)


# ---------------------------------------------------------------- instances


def put(found, side, z, rim, more=()):
    """A step of a neighbouring page as an instance of this one."""
    mine = (found["start"], side, found["b"], found["a"])
    kept = {n: found[n] for n in ("law", "back", "gram", "s", "noise", "many", "eta", "s2")}
    return {**kept, "neurons": [mine, *more], "z": z, "rim": rim}


def some_network(rng):
    """Two pairs on a member with dependent background, a drawn noise."""
    found = some_step(rng)
    D = len(found["start"])
    other = (list(rng.rational((D,), 4)), Fraction(1, 2), Fraction(1, 8), Fraction(-1, 4))
    rim = Fraction(int(rng.integers(-8, 9)), 4)
    return put(found, Fraction(3, 4), list(rng.rational((D,), 4)), rim, [other])


def quiet(found, side=Fraction(1)):
    return put(found, side, [Fraction(0), Fraction(0)], Fraction(0))


def open_neuron(rng):
    """A neuron in the middle of (0, 1)."""
    return quiet(one_pattern(rate=Fraction(1, 2), b=Fraction(1, 2), s=Fraction(1, 16)))


def along_the_background(rng):
    """Noise along the background pattern, which the neuron has taken up."""
    found = one_pattern(rate=Fraction(1, 2), other=Fraction(1, 2), start=[Fraction(1, 10)] * 2)
    return put(found, Fraction(1), [Fraction(-10), Fraction(640)], Fraction(0))


def along_the_start(rng):
    """Noise outside of the dictionary's span, along the start."""
    found = one_pattern(noise=Fraction(1, 4), s=Fraction(1, 4), b=Fraction(-1, 4))
    return put(found, Fraction(2), [Fraction(0), Fraction(0)], Fraction(4000))


def saturated(rng):
    """Small read-outs, the unit at 1: the read-outs move more than the arguments."""
    found = one_pattern(
        rate=Fraction(1, 2),
        start=[Fraction(1), Fraction(0)],
        b=Fraction(1),
        a=Fraction(1, 1000),
        eta=Fraction(4),
        s2=Fraction(1, 16),
    )
    return quiet(found)


# ---------------------------------------------------------------- typed steps

PLACE = ["k in 1..oo", "q in [0, k**(1/4)]"]


ONE = "1 + X + y/s <= 17/16 + {c}*y/k"
RELEVANT = "sqrt(2)*q/k*(1/2 + (25/48)*q) <= {c}"
WIDE = "(4/5)*(16/15)*sqrt(2)*q**2/k*v <= {c}*v/sqrt(k)"
TURNED = "sqrt(2)*(3/20)*(25/12)*q**2/k**2*((26/25) + y) <= 1/2 + {c}*y*q**2/k**2"
LOGS = "sqrt(log(k))/k <= {c}"
LOGS_TOO = "sqrt(log(k))/k**(3/2) <= {c}"
LENGTH = "(1 + x)*D <= {c}**2*D"


def pre_steps(names):
    rows = [
        (
            "one component",
            ONE,
            ["k in 1..oo", "X in [0, 1/16]", "y >= 0", "s in [12*k/25, oo)"],
            "(25/12)",
            "2",
        ),
        ("on A", RELEVANT, PLACE, "3/2", "(7/5)"),
        ("off A", WIDE, [*PLACE, "v >= 0"], "(5/4)", "(6/5)"),
        ("nu", TURNED, [*PLACE, "y >= 0"], "(9/20)", "(2/5)"),
        ("length of M phi", LENGTH, ["x in [0, 1/16]", "D >= 0"], "(26/25)", "1"),
    ]
    made = [step(n, t, over, c, w, names) for n, t, over, c, w in rows]
    return [x for legs, _ in made for x in legs], [x for _, wrong in made for x in wrong]


def good_steps(names, total, over, constant, wrong):
    """With u = g sqrt(log k)."""
    rows = [
        ("logarithm", LOGS, ["k in 1..oo"], "(9/20)", "(2/5)", ()),
        ("logarithm again", LOGS_TOO, ["k in 1..oo"], "(1/3)", "(1/4)", ()),
        ("in all", total, over, constant, wrong, "C"),
    ]
    made = [step(n, t, o, c, w, names, gives) for n, t, o, c, w, gives in rows]
    return [x for legs, _ in made for x in legs], [x for _, wrong_ in made for x in wrong_]


SUM = "(3/2)*W + (5/4)*W*r + 1/2 + (9/20)*g/3"
WIDTH = ["g >= 0", "r >= 0", "W in [0, 17/16 + (25/12)*(9/20)*g]"]
compared = partial(bounded, FIELDS)
READS = {"x": "law back z rim", "i": "neurons"}
RUN = [
    compared("members and neurons", largest, largest_bound, some_network, 2, 6),
    compared("an open neuron", largest, largest_bound, open_neuron),
    compared("along the background", largest, largest_bound, along_the_background),
    compared("along the start", largest, largest_bound, along_the_start),
]
RUN_WRONG = [
    variant("relevant patterns left out", reference=relevant_left_out, leg="an open neuron"),
    variant("background left out", reference=background_left_out, leg="along the background"),
    variant("nu left out", reference=nu_left_out, leg="along the start"),
]
LHS = (
    r"\max\big(|\langle w^{(1)},x\rangle|,|\langle w^{(1)},\zeta/\tilde\sigma\rangle|,|\langle q,\phi\rangle|,"
    r"|\langle q_{-A},\phi_{-A}\rangle|\big)"
)
TEX = r"\eta|a|\big(\textstyle\sum_l\overline{|T_l|}\,\overline{|\langle M_l,x\rangle|}+\overline{|\nu|}\,|x|\big)"

X_STEPS, X_WRONG = pre_steps("x i")
X_GOOD, X_GOOD_WRONG = good_steps("x i", f"{SUM} <= {{c}}*(1 + g)*(1 + r)", WIDTH, "(21/10)", "2")
w1x = claim(
    "structured-general-w1x",
    lhs=LHS,
    tex=TEX,
    states=W1X,
    title="Pre-activations of good inputs after the class-weighted first step",
    says=r"For $\sigma_w$ small enough, every law of the general family and every good $x$, "
    r"$|\langle w^{(1)}_i,x\rangle|\le\frac{21}{10}(1+g)\frac\eta\gamma(1+\tilde\sigma/\sqrt k)$ for all typical "
    r"neurons, $g\,\sigma_\zeta\sqrt{\log k}$ the size of a good noise: also without the term $\tilde\sigma$.",
    covers="bound",
    reads=READS,
    **ONE_POINT,
    legs=[*RUN, *X_STEPS, *X_GOOD],
    rivals=[*RUN_WRONG, *X_WRONG, *X_GOOD_WRONG],
)

P_STEPS, P_WRONG = pre_steps("x y i")
P_GOOD, P_GOOD_WRONG = good_steps(
    "x y i",
    f"{SUM} <= {{c}}*(1 + g)*V",
    ["k in 1..oo", "g >= 0", "V in [12*k/25, oo)", "r in [0, V]", WIDTH[2]],
    "(13/2)",
    "(5/2)",
)
preactivations = claim(
    "structured-general-preactivations",
    lhs=LHS,
    tex=TEX,
    states=SMALL,
    title="Noise, patterns and background alone after the class-weighted first step",
    says=r"For $\sigma_w$ small enough, every law of the general family and every good $x$, "
    r"$|\langle w^{(1)}_i,\zeta/\tilde\sigma\rangle|$, $|\langle q_i,\phi\rangle|$ and $|\langle(q_i)_{-A},\phi_{-A}"
    r"\rangle|$ are at most $\frac{13}2(1+g)\,\eta\tilde\sigma/\gamma$ for all typical neurons.",
    covers="preactivations",
    reads={**READS, "y": "law"},
    **ONE_POINT,
    legs=[*RUN, *P_STEPS, *P_GOOD],
    rivals=[*RUN_WRONG, *P_WRONG, *P_GOOD_WRONG],
)

NAMES = "law initialisation x y"
O_STEPS, O_WRONG = pre_steps(NAMES)
# with u = sqrt(2 k): 1/sigma~ <= 25/(12 k)
WHOLE = "(3/2)*W + 1/2 + (9/20)*sqrt(2) <= 15/2 and (5/4)*W + 3/5 <= {c} and W >= 0"
O_WHOLE, O_WHOLE_WRONG = step(
    "in all",
    WHOLE,
    "W in [0, 17/16 + (25/12)*sqrt(2)]",
    "57/10",
    "(28/5)",
    NAMES,
)
OF_BIAS = "(2/5)*sqrt(2)*q**2/k*v <= {c}*v/sqrt(k)"
O_BIAS, O_BIAS_WRONG = step("the bias", OF_BIAS, [*PLACE, "v >= 0"], "(3/5)", "(1/2)", NAMES)
PAIRS = "2*sqrt(2)*q*((15/2)*(25/12)/k**2 + (57/10)/k**(3/2)) <= {c}"
O_PAIRS, O_PAIRS_WRONG = step("pairs", PAIRS, PLACE, "61", "60", NAMES)
READ = "(9/8)*g/V**2 <= {c}"
O_READ, O_READ_WRONG = step(
    "read-outs",
    READ,
    ["k in 1..oo", "g in (0, 1/2]", "V in [12*k/25, oo)"],
    "(5/2)",
    "2",
    NAMES,
)
CAP = "(x + y)/{c} < 1"
O_CAP, O_CAP_WRONG = step(
    "the cap", CAP, ["x in [0, 61]", "y in [0, 5/2]"], "70", "60", NAMES, "c_cap"
)
TAIL = "2*Q(sqrt(2*k)) <= {c}*exp(-k)"
O_TAIL, O_TAIL_WRONG = step("one Gaussian", TAIL, "k in 1..oo", "1", "(1/4)", NAMES, "c")

outputs = claim(
    "structured-general-output",
    lhs=r"\max_x|g^{(1)}(x)|",
    tex=r"\max_x\sum_i2|a_i|\big(\overline{|\langle w^{(1)}_i,x\rangle|}+\eta|a_i|\overline{|T_b|}\big)"
    r"+2\eta\overline{|T_a|}",
    states=SMALL,
    title="Output below 1 after the class-weighted first step",
    says=r"For $\eta\le\gamma/(70\,km\sigma_a\tilde\sigma)$ and $\sigma_w$ small enough, $|g^{(1)}|<1$ on all inputs "
    r"but a part $(d+D)e^{-k}$, for every law of the general family and all typical neurons.",
    covers="output",
    reads={
        "law": "law back gram noise many",
        "initialisation": "neurons",
        "x": "law back z rim",
        "y": "law",
    },
    **ONE_POINT,
    legs=[
        compared("members and networks", largest_output, output_bound, some_network, 2, 6),
        compared("an open pair", largest_output, output_bound, open_neuron),
        compared("a saturated pair", largest_output, output_bound, saturated),
        *O_STEPS,
        *O_WHOLE,
        *O_BIAS,
        *O_PAIRS,
        *O_READ,
        *O_CAP,
        *O_TAIL,
    ],
    rivals=[
        variant("the biases alone", reference=biases_alone, leg="an open pair"),
        variant("without the read-outs", reference=without_read_outs, leg="a saturated pair"),
        *O_WRONG,
        *O_WHOLE_WRONG,
        *O_BIAS_WRONG,
        *O_PAIRS_WRONG,
        *O_READ_WRONG,
        *O_CAP_WRONG,
        *O_TAIL_WRONG,
    ],
)
