"""A recorded table: labels that are 1 with probability 1/4, whatever the point, are guessed by the nearest of 32 stored
points. The guess is wrong with probability 2 p (1 - p) = 3/8 (Cover and Hart 1967). ``nearest_neighbour.csv`` holds
4,000 trials that were made elsewhere; nothing is simulated here."""

import sympy as sp

from theorycheck import choices, claim, probability, recorded_samples

m = sp.symbols("m", integer=True, positive=True)

bayes = claim(
    "nearest-neighbour-bayes",
    says="The nearest of m stored points errs with probability 1/4, like the best rule.",
    domain={m: choices(32)},
    grid={"smoke": {m: [32]}},
    closed_form=sp.Rational(1, 4),
    legs=[
        recorded_samples(
            "nearest_neighbour.csv",
            "m",
            probability(),
            model="recorded with NumPy's default generator, seeds 0 to 3999",
            target="reached",
        )
    ],
    expect="fail",
)

cover_hart = bayes.corrected(
    "nearest-neighbour-twice",
    says="The nearest of m stored points errs with probability 2 (1/4) (3/4).",
    closed_form=sp.Rational(3, 8),
)
