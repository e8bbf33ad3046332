"""Section F.4: cropping undoes padding; no linear map undoes padding that is resized to the old size.

Setting. An image x of n by n pixels (one channel) gets a border of p pixels of one colour c != 0; the padded image,
n + 2p pixels wide, is resized to n by n again, to the nearest pixel, by averages over areas or bilinearly. All three
are linear in x and c: the result is A x + c b.

Statement. The text has a linear map L of the input that recovers x and removes the border. Of the padded image
cropping is one, for every x and c. Of the resized image it would have to satisfy L A = I and L b = 0; A is square, so
that L = A^(-1) and b = A L b = 0: the border would have to vanish in the resized image. It does at n = 1 to the
nearest pixel, hardly elsewhere. With c known L(z - c b) would do where A is invertible; where the border alone fills
a pixel it is not.

Reference: line 1252 (Section F.4, Figures 6(c) and 13), which does not say whether the map is meant of the padded or of
the resized image. n, p and the ways of resizing are ours; the text names none.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from theorycheck import (
    Proof,
    choices,
    claim,
    identity_for_all,
    instances,
    integers,
    leg,
    matrices,
    reals,
    variant,
)

n, p = sp.symbols("n p", integer=True, positive=True)
resize = sp.Symbol("resize")


def nearest(i, n, wide):
    """Weights of output pixel i: the pixel over its centre."""
    at = (2 * i + 1) * wide // (2 * n)
    return {at: Fraction(1)}


def area(i, n, wide):
    """Weights of output pixel i: shares of [i, i + 1] wide/n."""
    low, high = Fraction(i * wide, n), Fraction((i + 1) * wide, n)
    shares = {a: min(high, a + 1) - max(low, a) for a in range(wide) if low < a + 1 and a < high}
    return {a: Fraction(share * n) / wide for a, share in shares.items()}


def bilinear(i, n, wide):
    """Weights of output pixel i: its centre between the centres of two pixels."""
    centre = Fraction((2 * i + 1) * wide, 2 * n) - Fraction(1, 2)
    at = centre.numerator // centre.denominator
    right = centre - at
    return {at: 1 - right, **({at + 1: right} if right else {})}


WAYS = {"nearest": nearest, "area": area, "bilinear": bilinear}


def centred(way, i, n, wide):
    """The weights of output pixel i. They sum to 1; bilinear ones have their centre of mass at the pixel's own, the
    nearest pixel is at most half a pixel away, and an area has the width wide/n and lies about the pixel's centre."""
    weights = WAYS[way](i, n, wide)
    mass = sum(a * u for a, u in weights.items())
    if sum(weights.values()) != 1:
        raise ValueError(f"{way}: the weights of pixel {i} of {n} do not sum to 1")
    centre = Fraction((2 * i + 1) * wide, 2 * n) - Fraction(1, 2)
    if way == "bilinear" and mass != centre:
        raise ValueError(f"{way}: the weights of pixel {i} of {n} are not centred")
    if way == "nearest" and abs(mass - centre) > Fraction(1, 2):
        raise ValueError(f"nearest: pixel {i} of {n} is not the one over the centre")
    far = max(abs(a - centre) for a in weights)
    if way == "area" and (
        far >= Fraction(wide, 2 * n) + Fraction(1, 2) or max(weights.values()) > Fraction(n, wide)
    ):
        raise ValueError(f"area: the weights of pixel {i} of {n} are no shares of its area")
    return weights


def padded(image, colour, p):
    """The image with its border."""
    n = len(image)
    wide = n + 2 * p
    inside = range(p, p + n)
    return [
        [image[i - p][j - p] if i in inside and j in inside else colour for j in range(wide)]
        for i in range(wide)
    ]


def resized(picture, n, way):
    """The picture in n by n pixels, as a list of them."""
    wide = len(picture)
    rows = [centred(way, i, n, wide) for i in range(n)]
    return [
        sum(u * v * picture[a][b] for a, u in down.items() for b, v in across.items())
        for down in rows
        for across in rows
    ]


def units(n):
    """The images of one pixel of value 1."""
    return [
        [[Fraction((i, j) == (a, b)) for j in range(n)] for i in range(n)]
        for a in range(n)
        for b in range(n)
    ]


def rank(rows):
    """Rank of rational rows, by elimination."""
    rows, found = [list(row) for row in rows], 0
    for j in range(len(rows[0])):
        pivot = next((i for i in range(found, len(rows)) if rows[i][j]), None)
        if pivot is None:
            continue
        rows[found], rows[pivot] = rows[pivot], rows[found]
        for i in range(found + 1, len(rows)):
            factor = rows[i][j] / rows[found][j]
            rows[i] = [x - factor * y for x, y in zip(rows[i], rows[found], strict=True)]
        found += 1
    return found


def every_linear_map(n, p, resize):
    """Some L has L A = I and L b = 0 only if the columns of A are independent of each other and of b, or b = 0."""
    black = [[Fraction(0)] * n for _ in range(n)]
    columns = [resized(padded(x, Fraction(0), p), n, resize) for x in units(n)]
    border = resized(padded(black, Fraction(1), p), n, resize)
    of_images, with_border = rank(columns), rank([*columns, border])
    there_is = of_images == n * n and (not any(border) or with_border > of_images)
    seen = {"rank of A": str(of_images), "pixels": str(n * n), "b": str([str(v) for v in border])}
    return Proof(
        holds=there_is,
        method="rank of the resized images of single pixels, exactly",
        witness=seen,
        counterexample=None if there_is else seen,
        rung="exhaustive",
    )


resized_claim = claim(
    "contamination-padding-resized",
    states="contamination-exp-cifar-padding",
    title="A linear map that undoes padding and resizing",
    says="For all sizes and ways of resizing there is a linear map that takes the padded and resized image to the "
    "image, whatever the image is.",
    role="reading",
    expect="fail",
    covers="linear-recovery",
    domain={n: integers(1), p: integers(1), resize: choices("nearest", "area", "bilinear")},
    where=n <= 5,
    grid={"smoke": {n: [3], p: [1, 2], resize: ["nearest", "area", "bilinear"]}},
    legs=[leg("rank", every_linear_map, arithmetic="proof", over="L", inside="x")],
)


def border_around(ns, x, c, n, p):
    """The padded images. Shape (B, n + 2p, n + 2p)."""
    wide = range(n + 2 * p)
    shift = ns.asarray([[int(i == p + j) for j in range(n)] for i in wide])
    inside = [[int(p <= i < p + n and p <= j < p + n) for j in wide] for i in wide]
    border = ns.asarray([[1 - v for v in row] for row in inside])
    return shift @ x @ ns.matrix_transpose(shift) + c[:, None, None] * border


def window(n, p):
    """Where the image lies: cropping to it is the linear map."""
    return slice(p, p + n)


def cropped(ns, x, c, n, p):
    """The padded images in their window. Shape (B, n, n)."""
    return border_around(ns, x, c, n, p)[:, window(n, p), window(n, p)]


def a_row_higher(ns, x, c, n, p):
    return border_around(ns, x, c, n, p)[:, window(n, p - 1), window(n, p)]


def image(ns, x, c, n, p):
    return x


def twice_the_image(ns, x, c, n, p):
    return 2 * x


def no_image(ns, x, c, n, p):
    return x - x


def for_all_images(n, p):
    return identity_for_all(cropped, image, {"x": (1, n, n), "c": (1,)}, n=n, p=p)


def higher_for_all_images(n, p):
    return identity_for_all(a_row_higher, image, {"x": (1, n, n), "c": (1,)}, n=n, p=p)


crop = claim(
    "contamination-padding-cropped",
    states="contamination-exp-cifar-padding",
    title="Cropping undoes padding",
    says="For all sizes, images and colours of the border the pixels p, .., p + n - 1 of the padded image are the "
    "image: cropping is linear, and the border is gone.",
    role="reading",
    covers="crop-recovers",
    domain={n: integers(1), p: integers(1)},
    grid={"smoke": {n: [1, 3], p: [1, 2]}, "standard": {n: [6], p: [1, 4]}},
    legs=[
        leg(
            "drawn images",
            cropped,
            arithmetic="rational",
            reference=image,
            instances=instances({"x": matrices(n, n), "c": reals()}, smoke=3, standard=8),
            unit=1,
            gives="L",
            chosen_by=window,
            lhs=r"L(\text{padded}(x, c))",
            tex="x",
        ),
        leg("indeterminates", for_all_images, arithmetic="proof", over="x c"),
    ],
    rivals=[
        variant("a row higher", simulation=a_row_higher, leg="drawn images"),
        variant("twice the image", reference=twice_the_image, leg="drawn images"),
        variant("no image", reference=no_image, leg="drawn images"),
        variant("a row higher, for all", simulation=higher_for_all_images, leg="indeterminates"),
    ],
)
