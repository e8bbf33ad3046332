"""Proofs of Lemmas C.17 and C.18, Eq. (C.8), (C.16): sums of cosines over residues, for every odd modulus.

Setting. p = 2q + 1; every d is r + p m with 0 <= r < p. z runs over the frequencies 1 .. q.

Statements. At r = 0 the sum of cos(2 pi z d/p) over the frequencies is q = (p-1)/2, else -1/2: a turn of z m
leaves a cosine as it is, and at 1 <= r <= 2q the sum has a closed form. The p - 1 exponentials of all z != 0
add up to -1 there and to 2q at r = 0, twice as much.

The vector sqrt(2/((k+1)p)) cos(theta + 2 pi zeta x/p), 1 <= zeta <= (p-1)/2, has at zeta the transform
sqrt(p/(2(k+1))) e^{i theta}; at -zeta the conjugate, as it is real; and at any other j, for which -q <= j <= q
may be assumed, 0: its products with cos(2 pi j x/p) and sin(2 pi j x/p) are half sums and differences of waves
of the frequencies zeta + j and zeta - j, which lie between -2q and 2q and are not 0, and every such wave sums
to 0 over the residues.

Reference: proofs of Lemmas C.17, C.18, Eq. (C.8), (C.16), Lemma C.11 (arXiv 2402.09469); programs:
`frequency_sum`, `optimal_neuron_dft`, `single_neuron`.
"""

from __future__ import annotations

from theorycheck import claim, exactly, formula_leg, rivals_of, sharpened, typed

COSINES = "Sum(cos(2*pi*z*r/(2*q + 1)), (z, 1, q))"
wrong_labels = formula_leg(
    "other residues",
    typed(f"{COSINES} == -1/2", over="q in 1..oo; r in 1..2*q"),
    covers="corrected half-of-full-sum",
)
multiples = formula_leg(
    "multiples",
    typed("Sum(cos(2*pi*z*m), (z, 1, q)) == q", over="q in 1..oo; m in Z"),
    covers="corrected half-of-full-sum",
)
division = formula_leg(
    "division by p",
    typed(
        "z*(r + (2*q + 1)*m)/(2*q + 1) == z*r/(2*q + 1) + z*m",
        over="q in 1..oo; r in 0..2*q; z, m in Z",
    ),
    covers="corrected half-of-full-sum",
)
turns = formula_leg(
    "whole turns",
    typed("cos(y + 2*pi*z*m) == cos(y)", over="y in R; z, m in Z"),
    covers="corrected half-of-full-sum",
)
all_of_them = formula_leg(
    "all exponentials",
    typed(
        "Sum(cos(2*pi*z*r/p), (z, 1, p - 1)) == -1 and Sum(sin(2*pi*z*r/p), (z, 1, p - 1)) == 0",
        over="p in 3..oo; r in 1..p - 1",
    ),
    covers="half-of-full-sum",
)
frequency_sums = claim(
    "fourier-frequency-sum-every-modulus",
    states="fourier-frequency-sum",
    title="Sums of cosines over the frequencies, for every odd modulus",
    says=r"At every $p=2q+1$ the sum of $\cos(2\pi zd/p)$ over the frequencies is $q$ at multiples of $p$ and "
    "$-1/2$ at every other $d$, half of the sum of the $p-1$ exponentials.",
    role="corrected",
    covers="corrected half-of-full-sum",
    reads={"p": "q", "d": "r m"},
    legs=[wrong_labels, multiples, division, turns, all_of_them],
    rivals=[
        *exactly(wrong_labels, multiples, division, turns, all_of_them),
        *rivals_of(wrong_labels, {"as printed": f"{COSINES} == 0"}),
        *rivals_of(multiples, {"one frequency more": "Sum(cos(2*pi*z*m), (z, 1, q)) == q + 1"}),
        *rivals_of(division, {"no turn": "z*(r + (2*q + 1)*m)/(2*q + 1) == z*r/(2*q + 1)"}),
        *rivals_of(turns, {"half turns": "cos(y + pi*z*m) == cos(y)"}),
        *rivals_of(
            all_of_them,
            {
                "minus a half": "Sum(cos(2*pi*z*r/p), (z, 1, p - 1)) == -1/2"
                " and Sum(sin(2*pi*z*r/p), (z, 1, p - 1)) == 0"
            },
        ),
    ],
)

OVER = "k in 1..oo; p in 3..oo; zeta in 1..floor((p - 1)/2); theta in R"
VECTOR = "sqrt(2/((k + 1)*p))*cos(theta + 2*pi*zeta*x/p)"
REAL = f"Sum({VECTOR}*cos(2*pi*zeta*x/p), (x, 0, p - 1))"
IMAGINARY = f"Sum({VECTOR}*sin(2*pi*zeta*x/p), (x, 0, p - 1))"
real_part = formula_leg(
    "real part at zeta", typed(f"{REAL} == sqrt(p/(2*(k + 1)))*cos(theta)", over=OVER)
)
imaginary_part = formula_leg(
    "imaginary part at zeta", typed(f"{IMAGINARY} == -sqrt(p/(2*(k + 1)))*sin(theta)", over=OVER)
)
waves = formula_leg(
    "products of waves",
    typed(
        "2*cos(theta + a)*cos(b) == cos(theta + a + b) + cos(theta + a - b)"
        " and 2*cos(theta + a)*sin(b) == sin(theta + a + b) - sin(theta + a - b)",
        over="theta, a, b in R",
    ),
)
between = formula_leg(
    "sum and difference of frequencies",
    typed(
        "zeta + j >= 1 - 2*q and zeta + j <= 2*q and zeta - j >= 1 - 2*q and zeta - j <= 2*q",
        over="q in 1..oo; zeta in 1..q; j in -q..q",
    ),
)
COSINE, SINE = (f"Sum({f}(theta + 2*pi*n*x/p), (x, 0, p - 1)) == 0" for f in ("cos", "sin"))
upwards = formula_leg(
    "waves upwards", typed(f"{COSINE} and {SINE}", over="p in 2..oo; n in 1..p - 1; theta in R")
)
downwards = formula_leg(
    "waves downwards", typed(COSINE, over="p in 2..oo; n in 1 - p..-1; theta in R")
)
sines_downwards = formula_leg(
    "sines downwards", typed(SINE, over="p in 2..oo; n in 1 - p..-1; theta in R")
)
transform = claim(
    "fourier-optimal-neuron-transform",
    states="fourier-optimal-neuron-dft",
    title="Transform of the optimal vector, for every modulus and number of summands",
    says=r"At every $k$, $p$, $\zeta$ and $\theta$ the optimal vector has the transform "
    r"$\sqrt{p/(2(k+1))}\,e^{\pm i\theta}$ at $\pm\zeta$ and 0 elsewhere.",
    covers="transform",
    legs=[
        real_part,
        imaginary_part,
        waves,
        between,
        upwards,
        downwards,
        sines_downwards,
    ],
    rivals=[
        *sharpened(between),
        *exactly(real_part, imaginary_part, waves, upwards, downwards, sines_downwards),
        *rivals_of(real_part, {"without the 2": f"{REAL} == sqrt(p/(k + 1))*cos(theta)"}),
        *rivals_of(
            imaginary_part, {"the other sign": f"{IMAGINARY} == sqrt(p/(2*(k + 1)))*sin(theta)"}
        ),
        *rivals_of(
            waves,
            {
                "sine for sine": "2*cos(theta + a)*cos(b) == cos(theta + a + b) + cos(theta + a - b)"
                " and 2*cos(theta + a)*sin(b) == sin(theta + a + b) + sin(theta + a - b)"
            },
        ),
        *rivals_of(
            between,
            {
                "half as far": "zeta + j >= 1 - q and zeta + j <= q and zeta - j >= 1 - q and zeta - j <= q"
            },
        ),
        *rivals_of(upwards, {"at 0 too": {"over": "p in 2..oo; n in 0..p - 1; theta in R"}}),
        *rivals_of(downwards, {"down to 0 too": {"over": "p in 2..oo; n in 1 - p..0; theta in R"}}),
        *rivals_of(
            sines_downwards,
            {"sines down to 0 too": {"over": "p in 2..oo; n in 1 - p..0; theta in R"}},
        ),
    ],
)

K3 = "p in 3..oo; zeta in 1..floor((p - 1)/2); theta in R"
UNIT = "2/p*cos(theta + 2*pi*zeta*x/p)"
unit_real = formula_leg(
    "real part, in units of the modulus",
    typed(f"Sum({UNIT}*cos(2*pi*zeta*x/p), (x, 0, p - 1)) == cos(theta)", over=K3),
)
unit_imaginary = formula_leg(
    "imaginary part, in units of the modulus",
    typed(f"Sum({UNIT}*sin(2*pi*zeta*x/p), (x, 0, p - 1)) == -sin(theta)", over=K3),
)
modulus = formula_leg(
    "amplitude and modulus",
    typed(
        "sqrt(1/(2*p)) == 2/p*sqrt(p/8) and (sqrt(p/8)*cos(theta))**2 + (sqrt(p/8)*sin(theta))**2 == p/8",
        over="p in 3..oo; theta in R",
    ),
)
four_of_them = formula_leg(
    "norm of four",
    typed("4*Sum(1/(2*p)*cos(theta + 2*pi*zeta*x/p)**2, (x, 0, p - 1)) == 1", over=K3),
)
amplitude = claim(
    "fourier-single-neuron-k3-amplitude",
    states="fourier-single-neuron-k3",
    title="Amplitude and modulus at three summands, for every modulus $p$",
    says=r"At every odd $p$ four cosines of amplitude $\sqrt{1/(2p)}$ make a neuron of norm 1, each with a transform "
    r"of modulus $\sqrt{p/8}$ at $\pm\zeta$.",
    covers="amplitude",
    legs=[unit_real, unit_imaginary, modulus, four_of_them],
    rivals=[
        *exactly(unit_real, unit_imaginary, modulus, four_of_them),
        *rivals_of(
            unit_real, {"sine": f"Sum({UNIT}*cos(2*pi*zeta*x/p), (x, 0, p - 1)) == sin(theta)"}
        ),
        *rivals_of(
            unit_imaginary,
            {"the other sign": f"Sum({UNIT}*sin(2*pi*zeta*x/p), (x, 0, p - 1)) == sin(theta)"},
        ),
        *rivals_of(
            modulus,
            {
                "modulus sqrt(p/4)": "sqrt(1/(2*p)) == 2/p*sqrt(p/4)"
                " and (sqrt(p/4)*cos(theta))**2 + (sqrt(p/4)*sin(theta))**2 == p/4"
            },
        ),
        *rivals_of(
            four_of_them,
            {"three of them": "3*Sum(1/(2*p)*cos(theta + 2*pi*zeta*x/p)**2, (x, 0, p - 1)) == 1"},
        ),
    ],
)
