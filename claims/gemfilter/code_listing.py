"""Section G.4.1: the printed listing, executed as printed and repaired.

Setting. The listing sums the last query's inner products over heads, averages them over 5 neighbours with zero
padding, takes the indices of the k largest, and returns torch.sort(...).indices. Its semantics are written out here
in plain Python from the documented signatures: `sort` gives values and the permutation that sorts, `topk` the k
largest in descending order (of equal ones the first: PyTorch promises no order among them), `avg_pool1d` takes two or
three dimensions and counts the padding. None of it runs the library: what is said of the calls rests on its
documentation, quoted below (https://docs.pytorch.org/docs/stable/generated/torch.nn.functional.avg_pool1d.html and, for
the shapes, torch.nn.AvgPool1d.html there), which the port is held to.

Statements. What is returned is a permutation of 0..k-1 and not the selected indices; `kernel=` and the
four-dimensional input are rejected; the padding lowers four or more constant scores to 3/5 and 4/5 at the ends;
averaging, the text's maximum and Algorithm 2 without pooling select three different sets.

Reference: sections G.4.1, G.4.2 (arXiv 2409.17422).
"""

from __future__ import annotations

import inspect
from fractions import Fraction
from itertools import permutations

import sympy as sp

from theorycheck import (
    claim,
    counts,
    equals,
    formula_leg,
    instances,
    integers,
    leg,
    nowhere,
    reals,
    rivals_of,
    typed,
    variant,
)

n, k = sp.symbols("n k", integer=True, positive=True)
c = sp.symbols("c", real=True)
KERNEL = 5


DOCUMENTED = "(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True)"
"""The signature of torch.nn.functional.avg_pool1d in PyTorch's documentation."""
INPUTS = ("(N, C, L)", "(C, L)")
"""Shapes of the input in the documentation of torch.nn.AvgPool1d, which it refers to."""
DIMENSIONS = {len(shape.split(",")) for shape in INPUTS}


def sort(values):
    """Ascending values, and the permutation that sorts."""
    indices = sorted(range(len(values)), key=lambda i: values[i])
    return [values[i] for i in indices], indices


def topk(values, k):
    """Indices of the k largest, largest first."""
    return sorted(range(len(values)), key=lambda i: -values[i])[:k]


def avg_pool1d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    """Mean over ``kernel_size`` neighbours of the last dimension; zeros beyond the ends, counted."""
    if dimensions(input) not in DIMENSIONS:
        raise ValueError("1-D pooling takes (channels, length) or (batch, channels, length)")
    if dimensions(input) == 3:
        return [avg_pool1d(part, kernel_size, stride, padding) for part in input]
    padded = [[0] * padding + list(row) + [0] * padding for row in input]
    step = stride or kernel_size
    return [
        [
            Fraction(sum(row[i : i + kernel_size])) / kernel_size
            for i in range(0, len(row) - kernel_size + 1, step)
        ]
        for row in padded
    ]


if str(inspect.signature(avg_pool1d)) != DOCUMENTED:
    raise ValueError("the port's signature is not the documented one")


def dimensions(nested):
    return 1 + dimensions(nested[0]) if isinstance(nested, list) else 0


def max_pool(scores, half=KERNEL // 2):
    return [max(scores[max(0, i - half) : i + half + 1]) for i in range(len(scores))]


def mean_pool(scores):
    return avg_pool1d([scores], KERNEL, stride=1, padding=KERNEL // 2)[0]


def listed(scores, k):
    """What the listing returns with its pooling call repaired."""
    return sort(topk(mean_pool(scores), k))[1]


def repaired(scores, k):
    """The same with the sorted values: the selected indices in order."""
    return sort(topk(mean_pool(scores), k))[0]


def draw(rng, n, k):
    """Rational scores, larger towards the end."""
    return {"scores": [Fraction(x) + i for i, x in enumerate(rng.rational((n,), 9))]}


def draw_ties(rng, n, k):
    """Scores 0 and 1, so that means are equal."""
    return {"scores": [int(rng.integers(0, 2)) for _ in range(n)]}


def varied(draw):
    """Draws of which four in a row are not all the same."""

    def drawn(rng, n, k):
        four = [draw(rng, n, k) for _ in range(4)]
        if n > 3 and all(one == four[0] for one in four):
            raise ValueError("the same scores are drawn again and again")
        return four[0]

    return drawn


DRAWN = instances(varied(draw), "scores", smoke=3, standard=8)
TIED = instances(draw_ties, "scores", smoke=4, standard=8)
SELECTED = {"smoke": [{n: 6, k: 2}, {n: 9, k: 3}, {n: 12, k: 5}]}


def returned(scores, k):
    return listed(scores, k)


def meant(scores, k):
    return repaired(scores, k)


def unpooled(scores, k):
    """The k largest of the scores themselves, in order."""
    return sort(topk(scores, k))[0]


def last_of_equal(scores, k):
    mean = mean_pool(scores)
    return sorted(sorted(range(len(mean)), key=lambda i: (-mean[i], -i))[:k])


def ranked(scores, k):
    return topk(mean_pool(scores), k)


def best_pooled(scores, k):
    """Positions that fewer than k others beat: of equal ones the first wins. Means summed neighbour by neighbour."""
    size = len(scores)
    mean = [
        sum((scores[i + s] for s in range(-2, 3) if 0 <= i + s < size), Fraction(0)) / KERNEL
        for i in range(size)
    ]
    beaten = [
        sum(mean[j] > mean[i] or (mean[j] == mean[i] and j < i) for j in range(size))
        for i in range(size)
    ]
    return [i for i in range(size) if beaten[i] < k]


def against_the_selection(name, simulation, scores=DRAWN):
    """A leg that holds what is returned to the k best pooled: one place for the listing as printed and repaired, since
    of the first it is only asked that it fails."""
    return leg(name, simulation, reference=best_pooled, instances=scores)


listing = claim(
    "gemfilter-code-listing",
    lhs=r"\operatorname{listing}(s)",
    tex=r"\operatorname{sort}(\operatorname{topk}(s,k))",
    title="What the listing returns",
    says="The listing returns the sorted indices of the $k$ largest pooled scores.",
    expect="fail",
    encodes="part",
    domain={n: integers(1), k: integers(1)},
    where=k <= n,
    grid=SELECTED,
    relation=counts(),
    legs=[against_the_selection("as printed", returned)],
)


def rank_counts(scores, k):
    """How often each of 0..k-1 is returned."""
    found = listed(scores, k)
    return [found.count(i) for i in range(k)]


def scores_of(means):
    """The scores of six positions whose pooled means these are. Sums of neighbours differ by one score at the ends."""
    a, b, c, d, e, f = (KERNEL * mean for mean in means)
    second, third, fourth, fifth = d - e, e - f, b - a, c - b
    return [a - second - third, second, third, fourth, fifth, f - fourth - fifth]


def every_selection(n, k):
    """Scores for each way to select k of n = 6 positions in an order."""
    for best in permutations(range(n), k):
        means = [Fraction(0)] * n
        for height, at in enumerate(reversed(best), 1):
            means[at] = Fraction(height)
        yield best, scores_of(means)


def times_of_each(n, k, found=None):
    """How often each of 0..k-1 is returned, of all selections the least and the largest. Shape (2,)."""
    found = found or (lambda best, scores: listed(scores, k))
    counted = []
    for best, scores in every_selection(n, k):
        if topk(mean_pool(scores), k) != list(best):
            raise ValueError("these scores select others")
        returned = found(best, scores)
        counted += [returned.count(i) for i in range(k)]
    return [min(counted), max(counted)]


def right_ones(n, k, answer=None):
    """How many selections in an order there are for which the listing returns what is selected, sorted; and the same
    up to order. Shape (2,)."""
    answer = answer or (lambda best, scores: listed(scores, k))
    found = [(answer(best, scores), sorted(best)) for best, scores in every_selection(n, k)]
    return [sum(a == b for a, b in found), sum(sorted(a) == b for a, b in found)]


def right_of_the_repaired(n, k):
    return right_ones(n, k, lambda best, scores: repaired(scores, k))


def selected_themselves(n, k):
    return times_of_each(n, k, lambda best, scores: sorted(best))


def counts_of_selected(scores, k):
    found = repaired(scores, k)
    return [found.count(i) for i in range(k)]


permutation = claim(
    "gemfilter-listing-argsort",
    lhs=r"\#\{i:\operatorname{listing}(s)_i=l\}",
    states="gemfilter-code-listing",
    title="The listing returns a permutation of 0..k-1",
    says="Whatever the scores, the listing returns each of 0..k-1 once: positions within the selection. Of six "
    "positions each way to select k in an order is tried: what is returned is what is selected when that is 0..k-1, "
    "and in its order when they score in this order.",
    role="reading",
    covers="returns-argsort",
    reads={"J": "n k scores"},
    domain={n: integers(1), k: integers(1)},
    where=k <= n,
    grid=SELECTED,
    closed_form=sp.Integer(1),
    relation=counts(),
    legs=[
        leg("counted", rank_counts, instances=DRAWN),
        leg("equal means", rank_counts, instances=TIED),
        leg(
            "every selection",
            times_of_each,
            inside="J",
            where=sp.Eq(n, 6),
            grid={"smoke": {n: [6], k: [1, 2, 4, 6]}},
        ),
        leg(
            "right ones",
            right_ones,
            inside="J",
            where=sp.Eq(n, 6),
            grid={"smoke": {n: [6], k: [1, 2, 4, 6]}},
            closed_form=sp.Matrix([1, sp.factorial(k)]),
            lhs=r"\#\{J:\operatorname{listing}=J\},\ \#\{J:\operatorname{listing}=J\text{ as sets}\}",
            tex=r"1,\ k!",
        ),
    ],
    rivals=[
        variant("the sorted values", simulation=counts_of_selected, leg="counted"),
        variant("the sorted values, ties", simulation=counts_of_selected, leg="equal means"),
        variant(
            "never right",
            closed_form=sp.Matrix([0, 0]),
            leg="right ones",
        ),
        variant(
            "right of the repaired",
            simulation=right_of_the_repaired,
            leg="right ones",
            at={n: [6], k: [2]},
        ),
        variant(
            "the selected positions",
            simulation=selected_themselves,
            leg="every selection",
            at={n: [6], k: [2]},
        ),
    ],
)

corrected_listing = claim(
    "gemfilter-listing-repaired",
    lhs=r"\operatorname{repaired}(s)",
    tex=r"\operatorname{sort}(\operatorname{topk}(s,k))",
    states="gemfilter-code-listing",
    title="The listing with values for indices",
    says="With the values of the sort the $k$ largest pooled scores are returned, in order of "
    "position.",
    role="corrected",
    corrects="gemfilter-code-listing",
    encodes="part",
    domain={n: integers(1), k: integers(1)},
    where=k <= n,
    grid=SELECTED,
    relation=counts(),
    legs=[
        against_the_selection("repaired", meant),
        against_the_selection("equal means", meant, TIED),
    ],
    rivals=[
        variant("the permutation", simulation=returned, leg="repaired"),
        variant("without the sort", simulation=ranked, leg="repaired"),
        variant("without pooling", simulation=unpooled, leg="repaired"),
        variant("of equal means the last", simulation=last_of_equal, leg="equal means"),
    ],
)


def rejected(n):
    """Whether the call is rejected: with the printed keyword, with the printed four dimensions, and repaired; and the
    dimensions of the second one's input. Shape (4,)."""
    scores = [Fraction(i) for i in range(n)]
    found, given = [], []
    for keyword, value in (
        ("kernel", [[scores]]),
        ("kernel_size", [[[scores]]]),
        ("kernel_size", [[scores]]),
    ):
        given.append(dimensions(value))
        try:
            inspect.signature(avg_pool1d).bind(value, **{keyword: KERNEL})
            avg_pool1d(value, KERNEL, stride=1, padding=KERNEL // 2)
            found.append(0)
        except (TypeError, ValueError):
            found.append(1)
    return [*found, given[1]]


def nested_in(value, depth):
    return nested_in([value], depth - 1) if depth else value


def rejected_by_dimensions(n):
    """Whether an input of one to five dimensions, the last of n scores, is rejected. Shape (5,)."""
    found = []
    for depth in range(5):
        try:
            avg_pool1d(nested_in([Fraction(i) for i in range(n)], depth), KERNEL, 1, KERNEL // 2)
            found.append(0)
        except ValueError:
            found.append(1)
    return found


def one_dimension_rejected(n):
    return [1, 0, 0, 0, 0]


def not_documented(n):
    """Whether the documented shapes leave out one to five dimensions. Shape (5,)."""
    return [int(size not in [shape.count(",") + 1 for shape in INPUTS]) for size in range(1, 6)]


rejected_calls = claim(
    "gemfilter-listing-rejected",
    lhs=r"\big(\mathbf{1}[\text{rejected}]:\ \text{kernel},\ \text{4D},\ \text{repaired},\ \text{dimensions}\big)",
    tex=r"(1,\ 1,\ 0,\ 4)",
    states="gemfilter-code-listing",
    title="The pooling call is rejected",
    says="The listing's keyword and its input of four dimensions are both rejected by the "
    "documented signature; with the documented keyword and three dimensions the call goes through. What is run is a "
    "port of the documentation, not the library.",
    role="reading",
    covers="rejected-calls",
    reads={"input": "n"},
    domain={n: integers(1)},
    grid={"smoke": {n: [1, 5, 8]}},
    closed_form=sp.Matrix([1, 1, 0, 4]),
    relation=counts(),
    legs=[
        leg("signature", rejected),
        leg(
            "dimensions",
            rejected_by_dimensions,
            reference=not_documented,
            lhs=r"\mathbf{1}[\text{rejected}],\ 1\text{D to }5\text{D}",
            tex=r"\mathbf{1}[\text{not among the documented shapes}]",
        ),
        leg(
            "documented",
            not_documented,
            closed_form=sp.Matrix([1, 0, 0, 1, 1]),
            lhs=r"\mathbf{1}[\text{not among the documented shapes}],\ 1\text{D to }5\text{D}",
        ),
    ],
    rivals=[
        variant("kernel is accepted", closed_form=sp.Matrix([0, 1, 0, 4]), leg="signature"),
        variant(
            "four dimensions are accepted", closed_form=sp.Matrix([1, 0, 0, 4]), leg="signature"
        ),
        variant("any from two on", simulation=one_dimension_rejected, leg="dimensions"),
        variant("four, too", closed_form=sp.Matrix([1, 0, 0, 0, 1]), leg="documented"),
    ],
)


def pooled_constant(n, c):
    """Constant scores, averaged: the first three and the last three. Shape (6,)."""
    pooled = mean_pool([Fraction(c)] * n)
    return [*pooled[:3], *pooled[-3:]]


def repeated_edges(n, c):
    """Padding with the end values."""
    return [Fraction(c)] * 6


def padded_before(n, c):
    """Zeros at the beginning alone."""
    return [*pooled_constant(n, c)[:3], *repeated_edges(n, c)[3:]]


def inside(i):
    """How many of the five around position ``i`` are among 0, .., n - 1."""
    return f"(min({i} + 2, n - 1) - max({i} - 2, 0) + 1)"


# Each adds c/5.
AT_THE_ENDS = formula_leg(
    "windows at the ends",
    typed(
        f"{inside(0)} == 3 and {inside(1)} == 4 and {inside('(n - 2)')} == 4 and {inside('(n - 1)')} == 3",
        over="n in 4..oo",
    ),
)
BETWEEN = formula_leg(
    "windows between", typed(f"{inside('i')} == 5", over="n in 5..oo; i in 2..n-3")
)
WINDOWS = formula_leg(
    "windows",
    typed(
        "(0 + 0 + c + c + c)/5 == 3*c/5 and (0 + c + c + c + c)/5 == 4*c/5 and (c + c + c + c + c)/5 == c "
        "and 3*c/5 < 4*c/5 < c",
        over="c in (0, oo)",
    ),
)

EDGES = sp.Matrix([3 * c / 5, 4 * c / 5, c, c, 4 * c / 5, 3 * c / 5])

edge_padding = claim(
    "gemfilter-edge-padding",
    lhs=r"(\operatorname{avg}_0,\ \operatorname{avg}_1,\ \operatorname{avg}_2,\ \operatorname{avg}_{n-3},"
    r"\ \operatorname{avg}_{n-2},\ \operatorname{avg}_{n-1})",
    tex=r"\Big(\frac35\,c,\ \frac45\,c,\ c,\ c,\ \frac45\,c,\ \frac35\,c\Big)",
    states="gemfilter-code-listing",
    title="Zero padding lowers the ends",
    says="For $n\\ge4$ constant scores $c>0$ become $3c/5<4c/5<c$ at the first two positions, and at the last two from "
    "the end; for $n\\ge5$ they stay $c$ between.",
    role="reading",
    covers="edge-padding",
    domain={n: integers(5), c: reals(0, low_open=True)},
    grid={"smoke": {n: [5, 9], c: [1, Fraction(7, 3)]}},
    closed_form=EDGES,
    relation=equals(),
    legs=[
        leg("pooled", pooled_constant, required=False),
        AT_THE_ENDS,
        BETWEEN,
        WINDOWS,
    ],
    rivals=[
        variant("padding not counted", simulation=repeated_edges, leg="pooled"),
        variant("padding before the first alone", simulation=padded_before, leg="pooled"),
        variant("4/5 at both", closed_form=EDGES.subs(3 * c / 5, 4 * c / 5), leg="pooled"),
        *rivals_of(
            AT_THE_ENDS,
            {
                **nowhere("n == 4", "n > 5"),
                "of three scores, too": {"says": f"{inside(1)} == 4", "over": "n in 3..oo"},
            },
        ),
        *rivals_of(
            BETWEEN,
            {
                **nowhere("n == 5", "n > 5 and i == 2"),
                "from the second on": {"over": "n in 5..oo; i in 1..n-3"},
            },
        ),
        *rivals_of(
            WINDOWS,
            {
                **nowhere("c < 1", "c > 1"),
                "divided by what is inside": "(0 + c + c + c + c)/4 == 4*c/5",
                "scores of any sign": {"over": "c in R"},
            },
        ),
    ],
)

SCORES = (0, 0, 9, 0, 0, 0, 0, 0, 4, 3, 4, 0, 0)


FALLING = (9, 8, 7, 0, 0, 0, 0, 0)


def three_versions(given=SCORES):
    """The best index without pooling, with averages, and with maxima of five. Shape (3,)."""
    scores = [Fraction(s) for s in given]
    return [topk(scores, 1)[0], topk(mean_pool(scores), 1)[0], topk(max_pool(scores), 1)[0]]


def with_narrow_maxima():
    scores = [Fraction(s) for s in SCORES]
    return [*three_versions()[:2], topk(max_pool(scores, half=1), 1)[0]]


def versions_of(given):
    return len({*three_versions(given)})


def most_and_least():
    """How many different indices the three select, over two vectors of scores. Shape (2,)."""
    found = [versions_of(SCORES), versions_of(FALLING)]
    return [max(found), min(found)]


average_not_max = claim(
    "gemfilter-pooling-versions",
    lhs=r"\operatorname{arg\,max}\big(s,\ \operatorname{avg}(s),\ \operatorname{max}(s)\big)",
    tex=r"(2,\ 8,\ 0)",
    states="gemfilter-code-listing",
    title="Three versions of pooling select differently",
    says="There are scores whose best index is 2 without pooling, 8 with averages and 0 with maxima of five; for "
    "others all three agree.",
    role="reading",
    covers="average-not-max",
    closed_form=sp.Matrix([2, 8, 0]),
    relation=counts(),
    legs=[
        leg("one vector", three_versions, inside="version"),
        leg(
            "for some",
            most_and_least,
            inside="version",
            closed_form=sp.Matrix([3, 1]),
            lhs=r"\max_s,\ \min_s\ \#\{\text{different}\}",
            tex=r"(3,\ 1)",
        ),
    ],
    rivals=[
        variant("for all scores", closed_form=sp.Matrix([3, 3]), leg="for some"),
        variant("all alike", closed_form=sp.Matrix([2, 2, 2]), leg="one vector"),
        variant("average as maximum", closed_form=sp.Matrix([2, 0, 0]), leg="one vector"),
        variant("maxima of three", simulation=with_narrow_maxima, leg="one vector"),
    ],
)
