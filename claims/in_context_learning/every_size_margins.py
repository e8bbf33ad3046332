"""Theorem 5.5.1 and 5.5.2 for every number of bits: margins of both bit networks, their loss, and the scales.

Setting. As in `parity_construction`: heads +-diag(signs of bit b)/(4 gamma), a = -1, and +-nu I/(4 gamma), a = 1, see
the mean prompt 2 gamma (phi_i + phi_j). A pair of heads gives |u|; the signs of the query at the two features are s and
t, and y = s t. Of nu bits the codes of i and j differ in H: these bits see |s - t|, the others |s + t|.

Statements. (1) y g = H for each network and all signs, whatever gamma is; codes below 2^n are different, H >= 1, and
the further bits that the large network has do not differ on them, so that both have the same margin and no hinge loss.
(2) With 2 (nu2 + 1) heads H >= 1 on every task and the loss is 0. (3) The small network has the margin H on tasks
inside the first 2^n features; a and a + 2^n have equal codes there, H = 0. (4) With the scales c_-, c_+ all margins are
at least 1 exactly if c_- >= 1 and c_+ >= 1 + (nu - 1) c_-: H = 1 on both labels decides. (5) A set of flips and its
complement have the same accuracy.

Evidence. Formulas alone: that the network's output on a task is the margin below, by the Hamming distance of two codes,
is argued here and not proved, so each claim is a proxy. The network itself runs in the claims at sizes.

Reference: proof of Theorem 5.5.1, Theorem 5.5.2 (Shi, Wei, Xu, Liang, ICML 2024).
"""

from __future__ import annotations

from theorycheck import claim, formula_leg, rivals_of, typed

SEEN = {True: "Abs(2*gamma*(s + t)/(4*gamma))", False: "Abs(2*gamma*(s - t)/(4*gamma))"}


def margin(nu, H="H", scale=None):
    """y g with nu bits, of which H differ, and the positive scale nu (or ``scale``), as typed."""
    same, other = SEEN[True], SEEN[False]
    return f"s*t*({scale or nu}*{same} - ({nu} - {H})*{same} - {H}*{other})"


SIGNS = ["s, t in {-1, 1}", "gamma in (0, 1/4)"]
TASKS = ["n in 1..oo", "m in 0..oo", "H in 1..n", *SIGNS]
READS = {"nu1": "n", "nu2": "n m", "i": "H", "j": "H"}

BOTH = formula_leg(
    "both networks",
    typed(
        f"{margin('n')} == H and {margin('(n + m)')} == H and H >= 1 and Max(0, 1 - {margin('n')}) == 0",
        over=TASKS,
    ),
)
signal = claim(
    "icl-parity-signal-every-size",
    states="icl-parity-behavior",
    title="Without noise both networks classify every important task, for every number of bits",
    says=r"For all $\nu_1\le\nu_2$, $\gamma$, tasks of $S_1$ and query signs both networks have the margin "
    r"$\mathrm{Ham}(i,j)\ge1$, and no hinge loss.",
    role="reading",
    covers="signal-zero-hinge",
    encodes="proxy",
    reads={**READS, "phi_q": "s t"},
    legs=[BOTH],
    rivals=rivals_of(
        BOTH,
        {
            "positive scale of the other": f"{margin('(n + m)', scale='n')} == H",
            "margin 2": f"{margin('n')} >= 2",
            "equal codes": {
                "says": f"Max(0, 1 - {margin('n')}) == 0",
                "over": ["n in 1..oo", "m in 0..oo", "H in 0..n", *SIGNS],
            },
        },
    ),
)

LARGE = [margin("(n + m)"), margin("(n + m)", "K")]
LOSS = formula_leg(
    "loss",
    typed(
        f"(1 - p)*Max(0, 1 - {LARGE[0]}) + p*Max(0, 1 - {LARGE[1]}) == 0",
        over=["n in 1..oo", "m in 1..oo", "H in 1..n", "K in 1..n + m", "p in [0, 1]", *SIGNS],
    ),
)
least_loss = claim(
    "icl-parity-large-loss-every-size",
    lhs=r"\mathbb{E}\,\ell(y\,g_2^*)",
    tex="0",
    states="icl-parity-optimum",
    title="The large bit network has no loss, for every number of bits",
    says=r"For all $\nu_1<\nu_2$, $\gamma$ and $p_T$ the bit network with $2(\nu_2+1)$ heads has the hinge loss 0, "
    "the least that there is: each task's codes differ in at least one of $\\nu_2$ bits.",
    role="derived",
    covers="large-network-least-loss",
    encodes="proxy",
    reads={"nu1": "n", "nu2": "n m", "p_T": "p"},
    legs=[LOSS],
    rivals=rivals_of(
        LOSS,
        {
            "the bits of the small one": f"p*Max(0, 1 - {margin('n', '0')}) == 0",
            "positive scale nu2 - 1": f"(1 - p)*Max(0, 1 - {margin('(n + m)', scale='(n + m - 1)')}) == 0",
        },
    ),
)

INSIDE = formula_leg(
    "inside",
    typed(f"{margin('n')} == H", over=["n in 1..oo", "m in 1..oo", "H in 1..n", *SIGNS]),
)
OUTSIDE = formula_leg(
    "equal codes outside",
    typed(
        f"{margin('n', '0')} == 0 and {margin('n')} >= 0 and Mod(a + 2**n, 2**n) == Mod(a, 2**n)"
        " and a + 2**n < 2**(n + m)",
        over=["n in 1..oo", "m in 1..oo", "H in 0..n", "a in 0..2**n - 1", *SIGNS],
    ),
)
small_margin = claim(
    "icl-parity-small-margin-every-size",
    states="icl-parity-margin-hamming",
    title="The small network's margins, for every number of bits",
    says=r"For all $\nu_1<\nu_2$ the small network's margin is $\mathrm{Ham}(i, j)$ on tasks inside the first "
    r"$2^{\nu_1}$ features; outside, the codes of $a$ and $a+2^{\nu_1}$ are equal and the least margin is 0.",
    role="reading",
    covers="margin-small-on-S1",
    encodes="proxy",
    reads={**READS, "phi": "s t"},
    legs=[INSIDE, OUTSIDE],
    rivals=[
        *rivals_of(INSIDE, {"positive scale nu2": f"{margin('n', scale='(n + m)')} == H"}),
        *rivals_of(
            OUTSIDE,
            {
                "a margin everywhere": f"{margin('n')} >= 1",
                "codes of n + 1 bits": "Mod(a + 2**n, 2**(n + 1)) == Mod(a, 2**(n + 1))",
            },
        ),
    ],
)

SCALED = formula_leg(
    "scale nu2",
    typed(
        f"{margin('n', scale='(n + m)')} == H + m*(1 + s*t)/2",
        over=["n in 1..oo", "m in 1..oo", "H in 1..n", *SIGNS],
    ),
)
scaled_margin = claim(
    "icl-parity-positive-scale-every-size",
    states="icl-parity-margin-hamming",
    title="The small network at the large one's positive scale, for every number of bits",
    says=r"For all $\nu_1<\nu_2$ and tasks of $S_1$ the small network's margin at positive scale $\nu_2$ is "
    r"$\mathrm{Ham}(i, j)$ on $y=-1$ and $\mathrm{Ham}(i, j)+\nu_2-\nu_1$ on $y=1$.",
    role="reading",
    covers="positive-scale-nu2",
    encodes="proxy",
    reads=READS,
    legs=[SCALED],
    rivals=rivals_of(
        SCALED,
        {
            "the margin is kept": f"{margin('n', scale='(n + m)')} == H",
            "on both labels": f"{margin('n', scale='(n + m)')} == H + m",
        },
    ),
)


# ---- the scales


def scaled(H, y):
    """y g with the scales cm and cp, in units where the signs of one label give 1 and 0."""
    same, other = ("1", "0") if y > 0 else ("0", "1")
    return f"({y})*(cp*{same} - cm*((nu - {H})*{same} + {H}*{other}))"


ENOUGH = formula_leg(
    "inside the region",
    typed(
        f"{scaled('H', 1)} >= 1 and {scaled('H', -1)} >= 1",
        over=["nu in 1..oo", "H in 1..nu", "cm in [1, oo)", "cp in [1 + (nu - 1)*cm, oo)"],
    ),
)
NEGATIVE = formula_leg(
    "negative scale too small",
    typed(f"{scaled('1', -1)} < 1", over=["nu in 1..oo", "cm in (0, 1)", "cp > 0 real"]),
)
POSITIVE = formula_leg(
    "positive scale too small",
    typed(
        f"{scaled('1', 1)} < 1",
        over=["nu in 1..oo", "cm > 0 real", "cp in (0, 1 + (nu - 1)*cm)"],
    ),
)
region = claim(
    "icl-parity-scale-region-every-size",
    states="icl-parity-scale-tight",
    title="Smallest scales inside the bit family, for every number of bits",
    says=r"For every $\nu$ all margins of the bit network with the scales $c_-$, $c_+$ are at least 1 if and only if "
    r"$c_- \ge1$ and $c_+ \ge1 + (\nu- 1) c_-$: below, a task with $\mathrm{Ham}=1$ has less.",
    role="reading",
    covers="zero-loss-region",
    encodes="proxy",
    reads={"c_minus": "cm", "c_plus": "cp"},
    legs=[ENOUGH, NEGATIVE, POSITIVE],
    rivals=[
        *rivals_of(
            ENOUGH,
            {
                "c_+ from nu on": {
                    "over": ["nu in 1..oo", "H in 1..nu", "cm in [1, oo)", "cp in [nu, oo)"]
                },
                "equal codes": {
                    "over": [
                        "nu in 1..oo",
                        "H in 0..nu",
                        "cm in [1, oo)",
                        "cp in [1 + (nu - 1)*cm, oo)",
                    ]
                },
            },
        ),
        *rivals_of(NEGATIVE, {"c_- = 1": {"over": ["nu in 1..oo", "cm in (0, 1]", "cp > 0 real"]}}),
        *rivals_of(
            POSITIVE,
            {"up to 1 + nu c_-": {"over": ["nu in 1..oo", "cm > 0 real", "cp in (0, 1 + nu*cm)"]}},
        ),
    ],
)


# ---- the flip curve

EVEN = formula_leg(
    "a pair is even",
    typed(
        "b*(Max(0, u) + Max(0, -u)) == b*(Max(0, -u) + Max(0, -(-u)))",
        over=["b in [-1, 1]", "u in R"],
    ),
)
# The flips come in pairs: k labels, and the M - k others, which give all labels of the first with the other sign and
# so the same output; a is the accuracy of both.
SHARE = formula_leg(
    "flips and their complement",
    typed(
        "f**k*(1 - f)**(M - k)*a + f**(M - k)*(1 - f)**k*a"
        " == (1 - f)**k*f**(M - k)*a + (1 - f)**(M - k)*f**k*a",
        over=["M in 1..oo", "k in 0..M", "f in [0, 1]", "a in [0, 1]"],
    ),
)
flips = claim(
    "icl-parity-flip-curve-every-size",
    lhs=r"\operatorname{acc}(f)",
    tex=r"\operatorname{acc}(1-f)",
    states="icl-parity-even-symmetry",
    title="The flip curve of paired networks is symmetric, for every prompt",
    says=r"For heads in $\pm$ pairs and every $M$ the accuracy with labels flipped independently with probability "
    r"$f$ is that at $1-f$: a set of flips and its complement have the same accuracy, and together the same "
    "probability.",
    role="derived",
    covers="flip-curve-symmetric",
    encodes="proxy",
    reads={"g": "b u", "prompt": "u", "query": "u", "flips": "k"},
    legs=[EVEN, SHARE],
    rivals=[
        *rivals_of(EVEN, {"a head alone": "b*Max(0, u) == b*Max(0, -u)"}),
        *rivals_of(
            SHARE,
            {"without the complement": "f**k*(1 - f)**(M - k)*a == (1 - f)**k*f**(M - k)*a"},
        ),
    ],
)
