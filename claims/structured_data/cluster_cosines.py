r"""Figures A.16 and A.17: the printed mean cosines of two clusters of filters in two networks.

Setting. Three numbers for each of four residual blocks: the mean cosine of the green and of the red filters to the
centre of their cluster, and the cosine between the two centres; ResNet(128) and ResNet(256).

Statement. "The results of ResNet(256) show more significant clustering than ResNet(128)", in words that name no
measure. (1) Read as larger in every block by each of the three (the centres further apart) it is false: the red
cluster of ResNet(256) is the looser one in blocks 1 and 2, 0.6551 against 0.6973 and 0.5299 against 0.6000. (2) The
green clusters are tighter and the centres further apart in all four blocks, the red clusters in blocks 3 and 4.

Reference: lines 4168-4172, 5446-5475.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import at_least, choices, claim, integers, leg, variant

block = sp.Symbol("block", integer=True, positive=True)
quantity = sp.Symbol("quantity", integer=True, positive=True)
PRINTED = {
    128: ("6152 6973 -7245", "5528 6000 -7509", "4260 5006 -5099", "5584 5697 -9074"),
    256: ("7065 6551 -7875", "6599 5299 -9004", "5193 6267 -9258", "7386 6839 -9740"),
}
"""By blocks: green, red and the centres, in units of 10^-4."""
GREEN, RED, CENTRES = 1, 2, 3


def clustering(network, block, quantity):
    """The cosine, with the other sign between the centres."""
    x = Fraction(int(PRINTED[network][block - 1].split()[quantity - 1]), 10_000)
    return -x if quantity == CENTRES else x


def gained(block, quantity):
    """Of ResNet(256) less that of ResNet(128). Shape ()."""
    return clustering(256, block, quantity) - clustering(128, block, quantity)


def with_sign(block, quantity):
    """The cosine between the centres as it is printed. Shape ()."""
    return -gained(block, quantity) if quantity == CENTRES else gained(block, quantity)


DOMAIN = {block: integers(1, 4), quantity: choices(GREEN, RED, CENTRES)}
STATES = "structured-real-gradient-cosines"
TEX = {"lhs": r"\text{clustering}_{256}-\text{clustering}_{128}", "tex": "0"}

printed = claim(
    "structured-wider-clusters-each",
    states=STATES,
    title="The wider network clusters more by every printed cosine",
    says="In each block ResNet(256) has the larger mean cosine in the green and in the red cluster, and the centres "
    "further apart.",
    role="reading",
    expect="fail",
    covers="wider-clusters-better",
    domain=DOMAIN,
    grid={"smoke": {block: range(1, 5), quantity: [GREEN, RED, CENTRES]}},
    closed_form=sp.Integer(0),
    relation=at_least(strict=True),
    legs=[leg("the printed cosines", gained, unit=1)],
    **TEX,
)

corrected = claim(
    "structured-wider-clusters-but-two",
    states=STATES,
    title="The wider network clusters more by ten of twelve printed cosines",
    says="In each block ResNet(256) has the larger mean cosine in the green cluster and the centres further apart; in "
    "the red cluster in blocks 3 and 4 only.",
    role="corrected",
    corrects="structured-wider-clusters-each",
    covers="wider-clusters-better",
    domain=DOMAIN,
    where=sp.Or(sp.Ne(quantity, RED), block >= 3),
    grid={
        "smoke": [
            {block: b, quantity: q}
            for b in range(1, 5)
            for q in (GREEN, RED, CENTRES)
            if q != RED or b >= 3
        ]
    },
    closed_form=sp.Integer(0),
    relation=at_least(strict=True),
    legs=[leg("the printed cosines", gained, unit=1)],
    rivals=[
        variant("the centres nearer", simulation=with_sign),
        variant("a tenth more", closed_form=sp.Rational(1, 10)),
    ],
    **TEX,
)
