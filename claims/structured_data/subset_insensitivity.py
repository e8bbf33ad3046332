r"""Lemma A.7: how much a block of patterns moves the probability of passing a threshold.

Setting. phi_l = (phi~_l - E phi~_l)/sigma~; outside of a block B that holds the relevant patterns, n of them are
independent, phi~_l ~ Bernoulli(p), p <= 1/2; sigma_phi^2 = p (1 - p)/sigma~^2. phi_B is any vector, t = |<phi_B,
q_B>|; v ~ N(0, s^2) is independent of the patterns. S^2 = sigma_phi^2 |q_-B|^2 + s^2.

Statements. (1) Without v the probabilities that <phi, q> and <phi_-B, q_-B> are at least b, over the patterns outside
of B, differ by at most C (t/(sigma_phi |q_-B|) + |q_-B|_3^3/(sigma~ sigma_phi |q_-B|^3)). (2) With v they differ by at
most C (t/S + (s^3 + sigma_phi^2 |q_-B|_3^3/sigma~)/S^3). C = 28/25 is twice 0.56 (Berry-Esseen: a distribution
function is within 0.56 sum E|.|^3/S^3 of the normal one, of which an interval of length t has at most t/(sqrt(2 pi)
S)). C = 2/5 is too small: ten patterns of rate 1/20 are all off with probability 0.599; so is 21/50, by a hundred of
rate 1/200.

Reference: Lemma A.7, lines 2987-3007.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from math import comb

import sympy as sp

from theorycheck import at_most, claim, instances, integers, leg, reals, variant, vectors

from ._first_step import background_sum

j, n = sp.symbols("j n", integer=True, positive=True)


def constant():
    """Twice Berry and Esseen's."""
    return Fraction(28, 25)


def dot(u, v):
    return sum((a * b for a, b in zip(u, v, strict=True)), Fraction(0))


def gap(phi, own, rest, b, p, scale, strict=False):
    """|Pr[<phi, q> >= b] - Pr[<phi_-B, q_-B> >= b]| over the patterns outside of B. Shape ()."""
    block, moved = dot(phi, own), Fraction(0)
    alike = [(u / scale, rest.count(u)) for u in dict.fromkeys(rest)]
    for value, weight in background_sum(alike, Fraction(p)).items():
        moved += weight * ((value + block >= b) - (value > b if strict else value >= b))
    return abs(moved)


def scaled_gap(phi, own, rest, b, p, scale):
    """The square of sigma~ sigma_phi |q_-B| times the difference. Shape ()."""
    return gap(phi, own, rest, b, p, scale) ** 2 * p * (1 - p) * dot(rest, rest)


def scaled_bound(phi, own, rest, b, p, scale, factor=None, first=1, second=1, power=3):
    """The square of C (sigma~ t + |q_-B|_3^3/|q_-B|_2^2). Shape ()."""
    factor = constant() if factor is None else factor
    cubes = sum((abs(v) ** power for v in rest), Fraction(0)) / dot(rest, rest)
    return (factor * (first * scale * abs(dot(phi, own)) + second * cubes)) ** 2


def smaller(phi, own, rest, b, p, scale):
    return scaled_bound(phi, own, rest, b, p, scale, factor=Fraction(2, 5))


def smaller_for_more(phi, own, rest, b, p, scale):
    return scaled_bound(phi, own, rest, b, p, scale, factor=Fraction(21, 50))


def spread_alone(phi, own, rest, b, p, scale):
    return scaled_bound(phi, own, rest, b, p, scale, second=0)


def shape_alone(phi, own, rest, b, p, scale):
    return scaled_bound(phi, own, rest, b, p, scale, first=0)


def cubes_of_the_rate(phi, own, rest, b, p, scale):
    """sigma_phi^3 for sigma_phi^2/sigma~ in the second term."""
    return scaled_bound(phi, own, rest, b, p, scale, second=p * (1 - p))


def without_the_scale(phi, own, rest, b, p, scale):
    """t over sigma~ sigma_phi |q_-B|."""
    return scaled_bound(phi, own, rest, b, p, scale, first=1 / Fraction(scale))


def even_weights(j, n, p, size=Fraction(1, 10**5), s=Fraction(1, 10**6), scale=Fraction(2), at=0):
    """Equal weights outside, a block of this size, the threshold half of it above the atom of ``at`` patterns on."""
    return {
        "phi": [size] + [Fraction(0)] * (j - 1),
        "own": [Fraction(1)] * j,
        "rest": [Fraction(1)] * n,
        "b": (at - n * p) / scale + size / 2,
        "p": p,
        "scale": scale,
        "s": s,
    }


def middle(rng, j, n):
    """A fair binomial sum and its largest atom."""
    return even_weights(j, n, Fraction(1, 2), at=n // 2)


def rare(rng, j, n):
    """All patterns off, of a mean number of 1/2."""
    return even_weights(j, n, Fraction(1, 2 * n))


def large_block(rng, j, n, scale=Fraction(2)):
    """A block that takes the sum across the threshold wherever some pattern is off."""
    size = Fraction(2 * n) / scale
    return even_weights(j, n, Fraction(1, 2), size=size, scale=scale)


def in_its_scale(rng, j, n):
    return large_block(rng, j, n, Fraction(100))


def generic(rng, j, n):
    """Weights of no pattern, a threshold at an atom of one of the two sums."""
    phi, own = rng.rational((j,), 4), rng.rational((j,), 4)
    rest = [v + Fraction(1, 9) * (v == 0) for v in rng.rational((n,), 4)]
    p, scale = Fraction(int(rng.integers(1, 9)), 16), Fraction(int(rng.integers(2, 9)), 2)
    bits = [int(v) for v in rng.integers(0, 2, n)]
    b = dot([(bit - p) / scale for bit in bits], rest) + int(rng.integers(0, 2)) * dot(phi, own)
    s = Fraction(int(rng.integers(1, 9)), 8)
    return {"phi": phi, "own": own, "rest": rest, "b": b, "p": p, "scale": scale, "s": s}


def pieces(rng, j, n):
    """A block, weights outside of it, a threshold, the rate, sigma~, s."""
    return (generic, generic, middle, rare, large_block)[int(rng.integers(0, 5))](rng, j, n)


def hardest(program, bound, drawn):
    """The same comparison where the constant, each term and each scale is needed, one leg for each kind of data."""
    return [
        leg(
            name,
            program,
            reference=bound,
            unit=1,
            required=False,
            instances=drawn(draw),
            where=n <= max(size, 11),
            grid={"smoke": [{j: 1, n: size}]},
            inside="phi_minus_B",
        )
        for name, draw, size in (
            ("all off", rare, 10),
            ("the middle atom", middle, 4),
            ("a large block", large_block, 10),
            ("in its scale", in_its_scale, 10),
            ("all of a hundred off", rare, 100),
        )
    ]


NAMES = ("phi", "own", "rest", "b", "p", "scale")
RATE = reals(0, Fraction(1, 2), low_open=True)
PLACES = {
    "phi": vectors(j),
    "own": vectors(j),
    "rest": vectors(n, nonzero=True),
    "b": reals(),
    "p": RATE,
    "scale": reals(0, low_open=True),
}
READS = {"B": "j n p scale", "q": "own rest", "phi_B": "phi"}


def without_noise(rng, j, n):
    """The same without s."""
    return {name: value for name, value in pieces(rng, j, n).items() if name in NAMES}


def only(draw):
    """The fields of (1) of these instances."""
    return instances(
        lambda rng, j, n: {k: v for k, v in draw(rng, j, n).items() if k in NAMES},
        " ".join(NAMES),
        smoke=1,
    )


sharp = claim(
    "structured-subset-without-noise",
    lhs=r"\big(\tilde\sigma\sigma_\phi\|q_{-B}\|_2\,|\Pr\{\langle\phi,q\rangle\ge b\}-\Pr\{\langle\phi_{-B},"
    r"q_{-B}\rangle\ge b\}|\big)^2",
    tex=r"\Big(\tfrac{28}{25}\big(\tilde\sigma|\langle\phi_B,q_B\rangle|+\tfrac{\|q_{-B}\|_3^3}{\|q_{-B}\|_2^2}\big)\Big)^2",
    states="structured-subset-insensitivity",
    title="A block of patterns and a threshold",
    says=r"$|\Pr\{\langle\phi,q\rangle\ge b\}-\Pr\{\langle\phi_{-B},q_{-B}\rangle\ge b\}|\le\frac{28}{25}\Big("
    r"\frac{|\langle\phi_B,q_B\rangle|}{\sigma_\phi\|q_{-B}\|_2}+\frac{\|q_{-B}\|_3^3}{\tilde\sigma\sigma_\phi"
    r"\|q_{-B}\|_2^3}\Big)$ for every block, all weights and every threshold.",
    covers="without-noise",
    reads=READS,
    domain={j: integers(1), n: integers(1)},
    grid={"smoke": [{j: 1, n: 1}, {j: 2, n: 6}], "standard": [{j: 3, n: 8}, {j: 1, n: 10}]},
    relation=at_most(),
    legs=[
        leg(
            "all patterns outside",
            scaled_gap,
            reference=scaled_bound,
            unit=1,
            where=n <= 11,
            gives="C",
            chosen_by=constant,
            inside="phi_minus_B",
            instances=instances(without_noise, PLACES, smoke=6, standard=12),
        ),
        *hardest(scaled_gap, scaled_bound, only),
    ],
    rivals=[
        variant("constant 2/5", reference=smaller, leg="all off"),
        variant("constant 21/50", reference=smaller_for_more, leg="all of a hundred off"),
        variant("the spread alone", reference=spread_alone, leg="the middle atom"),
        variant("the shape alone", reference=shape_alone, leg="a large block"),
        variant("sigma_phi^3", reference=cubes_of_the_rate, leg="all off"),
        variant("t without sigma~", reference=without_the_scale, leg="in its scale"),
    ],
)


def smooth_gap(ns, phi, own, rest, b, p, scale, s):
    """The difference with v, by the normal distribution at every pattern. Shape (B,)."""
    count = rest.shape[1]
    bits = ns.asarray(list(itertools.product((0, 1), repeat=count)))
    share = p[:, None, None]
    weights = bits * share + (1 - bits) * (1 - share)
    chance = weights[..., 0]
    for place in range(1, count):
        chance = chance * weights[..., place]
    value = ns.sum((bits - share) * rest[:, None, :], axis=-1) / scale[:, None]
    return smoothed(ns, value, chance, phi, own, b, s)


def smooth_gap_of_equals(ns, phi, own, rest, b, p, scale, s):
    """The same where all weights outside are equal, by the number of patterns that are on. Shape (B,)."""
    count = rest.shape[1]
    rows = [comb(count, on) * p**on * (1 - p) ** (count - on) for on in range(count + 1)]
    chance = ns.stack(rows, axis=1)
    value = (ns.arange(count + 1) - count * p[:, None]) * rest[:, :1] / scale[:, None]
    return smoothed(ns, value, chance, phi, own, b, s)


def smoothed(ns, value, chance, phi, own, b, s):
    """The difference for these values of the sum outside and their chances, (B, values). Shape (B,)."""
    block = ns.sum(phi * own, axis=1)[:, None]
    width = s[:, None] * ns.sqrt(ns.asarray(2))
    far, near = ((value + moved - b[:, None]) / width for moved in (block, 0 * block))
    return ns.abs(ns.sum(chance * (ns.erf(far) - ns.erf(near)), axis=1)) / 2


def smooth_bound(ns, phi, own, rest, b, p, scale, s, factor=None, first=1, second=1, third=1):
    """C (t/S + (s^3 + sigma_phi^2 |q_-B|_3^3/sigma~)/S^3). Shape (B,)."""
    factor = constant() if factor is None else factor
    rate = p * (1 - p) / scale**2
    spread = ns.sqrt(rate * ns.sum(rest**2, axis=1) + s**2)
    cubes = third * s**3 + second * rate / scale * ns.sum(ns.abs(rest) ** 3, axis=1)
    block = ns.abs(ns.sum(phi * own, axis=1))
    return ns.rational(factor.numerator, factor.denominator) * (
        first * block / spread + cubes / spread**3
    )


def smooth_smaller(ns, phi, own, rest, b, p, scale, s):
    return smooth_bound(ns, phi, own, rest, b, p, scale, s, factor=Fraction(2, 5))


def smooth_smaller_for_more(ns, phi, own, rest, b, p, scale, s):
    return smooth_bound(ns, phi, own, rest, b, p, scale, s, factor=Fraction(21, 50))


def smooth_spread_alone(ns, phi, own, rest, b, p, scale, s):
    return smooth_bound(ns, phi, own, rest, b, p, scale, s, second=0, third=0)


def noise_alone(ns, phi, own, rest, b, p, scale, s):
    """Without the third moment of the patterns."""
    return smooth_bound(ns, phi, own, rest, b, p, scale, s, second=0)


def smooth_shape_alone(ns, phi, own, rest, b, p, scale, s):
    return smooth_bound(ns, phi, own, rest, b, p, scale, s, first=0)


def some(draw):
    return instances(draw, " ".join((*NAMES, "s")), smoke=1)


NOISY = {**PLACES, "s": reals(0, low_open=True)}

blurred = claim(
    "structured-subset-with-noise",
    lhs=r"|\Pr\{\langle\phi,q\rangle+v\ge b\}-\Pr\{\langle\phi_{-B},q_{-B}\rangle+v\ge b\}|",
    tex=r"\tfrac{28}{25}\Big(\tfrac{|\langle\phi_B,q_B\rangle|}S+\tfrac{s^3+\sigma_\phi^2\|q_{-B}\|_3^3/\tilde\sigma}"
    r"{S^3}\Big)",
    states="structured-subset-insensitivity",
    title="A block of patterns and a threshold, with noise",
    says=r"$|\Pr\{\langle\phi,q\rangle+v\ge b\}-\Pr\{\langle\phi_{-B},q_{-B}\rangle+v\ge b\}|\le\frac{28}{25}\Big("
    r"\frac{|\langle\phi_B,q_B\rangle|}S+\frac{s^3+\sigma_\phi^2\|q_{-B}\|_3^3/\tilde\sigma}{S^3}\Big)$ for every "
    r"block, all weights, every threshold and every $s>0$.",
    covers="with-noise",
    reads=READS,
    domain={j: integers(1), n: integers(1)},
    grid={"smoke": [{j: 1, n: 1}, {j: 2, n: 5}], "standard": [{j: 3, n: 7}]},
    relation=at_most(),
    legs=[
        leg(
            "all patterns outside",
            smooth_gap,
            arithmetic="ball",
            reference=smooth_bound,
            unit=1,
            where=n <= 11,
            gives="C",
            chosen_by=constant,
            inside="phi_minus_B v",
            instances=instances(pieces, NOISY, smoke=6, standard=12),
        ),
        *hardest(smooth_gap, smooth_bound, some)[:3],
        *hardest(smooth_gap_of_equals, smooth_bound, some)[4:],
    ],
    rivals=[
        variant("constant 2/5", reference=smooth_smaller, leg="all off"),
        variant("constant 21/50", reference=smooth_smaller_for_more, leg="all of a hundred off"),
        variant("the spread alone", reference=smooth_spread_alone, leg="the middle atom"),
        variant("the noise alone", reference=noise_alone, leg="the middle atom"),
        variant("the shape alone", reference=smooth_shape_alone, leg="a large block"),
    ],
)
