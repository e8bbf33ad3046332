"""False or empty for reasons that lie in the instances."""

from fractions import Fraction

import sympy as sp

from theorycheck import (
    at_most,
    claim,
    equals,
    hypothesis,
    instances,
    integers,
    leg,
    orthogonal,
    reals,
    variant,
    vectors,
)
from theorycheck.blocks.stated import norm_at_most

d = sp.symbols("d", integer=True, positive=True)
size, shift, scale = sp.symbols("size shift scale", real=True)


def long_vectors(rng, d):
    """Integer vectors other than 0: none is shorter than 1."""
    return {"x": [int(rng.integers(1, 4)) for _ in range(d)]}


def squared_length(ns, x):
    length = ns.sum(x * x, axis=-1)
    return {"value": length, "size": length}


doubled_exponent = claim(
    "doubled-exponent",
    says="|x|^2 <= (|x|^2)^2 for every x: the exponent of the observed |x|^2 is doubled, and no drawn x is short.",
    domain={d: integers(1)},
    grid={"smoke": {d: [1, 2, 3]}},
    closed_form=size**2,
    relation=at_most(),
    legs=[
        leg(
            "drawn",
            squared_length,
            observed=["size"],
            instances=instances(long_vectors, {"x": vectors(d)}, smoke=6),
        )
    ],
    rivals=[variant("half of it", closed_form=size / 2)],
)


def fixed_vector(rng, d):
    """The stream is asked for and its draw is thrown away."""
    rng.integers(0, 4)
    return {"x": [3] * d, "shift": Fraction(0)}


def length_and_shift(ns, x, shift):
    return ns.sum(x * x, axis=-1) + shift


all_alike = claim(
    "instances-all-alike",
    says="For all x: |x|^2 = 9 d; the draw gives the same x each time.",
    domain={d: integers(1)},
    grid={"smoke": {d: [1, 2, 3]}},
    closed_form=9 * d + shift,
    relation=equals(),
    legs=[
        leg(
            "drawn",
            length_and_shift,
            instances=instances(fixed_vector, "x shift", smoke=6),
        )
    ],
    rivals=[variant("8 d", closed_form=8 * d)],
)


def unshifted(rng, d):
    return {"x": [int(rng.integers(1, 9)) for _ in range(d)], "shift": Fraction(0)}


def sum_and_shift(x, shift, d):
    """The shift stands with the wrong sign."""
    return sum(x) - sum(x) + d - shift


never_shifted = claim(
    "term-never-seen",
    says="d + shift: the program subtracts it, and no drawn shift is other than 0.",
    domain={d: integers(1)},
    grid={"smoke": {d: [1, 2, 3]}},
    closed_form=d + shift,
    relation=equals(),
    legs=[leg("drawn", sum_and_shift, instances=instances(unshifted, "x shift", smoke=6))],
    rivals=[variant("d + 1", closed_form=d + 1)],
)


def scales(rng):
    return {"scale": Fraction(int(rng.integers(1, 9)), 10)}


def large_scales(rng):
    return {"scale": Fraction(int(rng.integers(11, 20)), 10)}


def squared(scale):
    return scale * scale


SCALES = {"scale": reals(0)}


def below_two(scale):
    """None of the simple numbers below 2 that the engine tries lies beyond 1."""
    return scale < 2


needed_inside = claim(
    "hypothesis-inside-by-instances",
    says="scale^2 <= scale for every scale >= 0; that it is at most 1 was forgotten.",
    domain={},
    closed_form=scale,
    relation=at_most(),
    legs=[leg("drawn", squared, instances=instances(scales, SCALES, where=below_two, smoke=6))],
    assumes=[
        hypothesis("at most 1", without=[{}], instances=instances(large_scales, SCALES, smoke=4))
    ],
    rivals=[variant("half of it", closed_form=scale / 2)],
)

rival_inside = claim(
    "rival-inside-by-instances",
    says="scale^2 <= scale for every scale >= 0, with a rival whose instances are among these.",
    domain={},
    closed_form=scale,
    relation=at_most(),
    legs=[leg("drawn", squared, instances=instances(scales, SCALES, where=below_two, smoke=6))],
    rivals=[
        variant("half of it", closed_form=scale / 2),
        variant("larger scales", instances=instances(large_scales, SCALES, smoke=4)),
    ],
)


def loose(x):
    return sum(v * v for v in x)


never_binds = claim(
    "never-binds",
    says="A sum of d squares of numbers up to 8 is at most 10^6 d.",
    domain={d: integers(1)},
    grid={"smoke": {d: [1, 2, 3]}},
    closed_form=10**6 * d,
    relation=at_most(),
    legs=[leg("drawn", loose, instances=instances(unshifted, "x shift", smoke=6))],
    rivals=[variant("d/2", closed_form=d / 2)],
)


def scale_of_one(rng, d):
    return {"x": [int(rng.integers(1, 9)) for _ in range(d)], "alpha": 1}


def scaled_twice(x, alpha):
    """alpha |x|_1, where alpha^2 |x|_1 is claimed."""
    return alpha * sum(x)


def squared_scale(x, alpha):
    return alpha**2 * sum(x)


never_scaled = claim(
    "field-never-varied",
    states="chosen",
    covers="every-scale",
    says="alpha |x|_1 = alpha^2 |x|_1 for every alpha; every drawn alpha is 1.",
    domain={d: integers(1)},
    grid={"smoke": {d: [1, 2, 3]}},
    relation=equals(),
    legs=[
        leg(
            "drawn",
            scaled_twice,
            reference=squared_scale,
            instances=instances(scale_of_one, "x alpha", smoke=6),
        )
    ],
    rivals=[variant("its negative", reference=lambda x, alpha: -sum(x))],
)


def equal_steps(rng, d):
    step = Fraction(int(rng.integers(1, 9)), 10)
    return {"eta": [step] * d}


def product_of_steps(eta):
    value = Fraction(1)
    for step in eta:
        value *= 1 - step
    return value


def first_step_only(eta):
    return (1 - eta[0]) ** len(eta)


never_unequal = claim(
    "steps-all-equal",
    states="chosen",
    covers="every-schedule",
    says="prod (1 - eta_t) = (1 - eta_1)^d for every schedule; every drawn schedule is constant.",
    domain={d: integers(1)},
    grid={"smoke": {d: [1, 2, 3]}},
    relation=equals(),
    legs=[
        leg(
            "drawn",
            product_of_steps,
            reference=first_step_only,
            instances=instances(equal_steps, "eta", smoke=6),
        )
    ],
    rivals=[variant("one step more", reference=lambda eta: (1 - eta[0]) ** (len(eta) + 1))],
)


def too_long_rows(rng, d):
    """Rows of length up to 2, where contractions are spoken of."""
    return {"W": [[Fraction(int(rng.integers(1, 9)), 4)] + [0] * (d - 1)]}


def gram(W):
    return sum(x * x for row in W for x in row)


beyond_what_is_said = claim(
    "draw-beyond-what-is-said",
    says="|W|_F^2 <= 4 for rows W of norm at most 1; what is drawn has norm up to 2.",
    domain={d: integers(1)},
    grid={"smoke": {d: [1, 2, 3]}},
    closed_form=sp.Integer(4),
    relation=at_most(),
    legs=[
        leg(
            "drawn",
            gram,
            instances=instances(too_long_rows, "W", where=norm_at_most("W", 1), smoke=6),
        )
    ],
    rivals=[variant("1/32", closed_form=sp.Rational(1, 32))],
)


def one_axis(rng, d):
    """All columns along the first axis: of norm 1, and not orthogonal."""
    sign = int(rng.signs())
    return {"Q": [[sign] * d] + [[0] * d] * (d - 1)}


def columns_of_norm_one(Q):
    return sum(sum(row[j] ** 2 for row in Q) for j in range(len(Q)))


outside_of_its_domain = claim(
    "draw-outside-of-its-domain",
    says="|Q|_F^2 = d for every orthogonal Q; what is drawn has columns of norm 1.",
    domain={d: integers(1)},
    grid={"smoke": {d: [2, 3, 4]}},
    closed_form=d,
    relation=equals(),
    legs=[
        leg(
            "drawn",
            columns_of_norm_one,
            instances=instances(one_axis, {"Q": orthogonal(d)}, smoke=6),
        )
    ],
    rivals=[variant("d + 1", closed_form=d + 1)],
)
