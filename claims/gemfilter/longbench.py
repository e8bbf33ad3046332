"""Tables 9.1, 9.2 and G.1: what the printed LongBench scores say.

Setting. 14 English tasks without a chat template for three models and several caches (Table 9.1) and for eight
filter layers of one model (Table 9.2); six of the tasks with the template (Table G.1). The scores themselves need
pretrained weights and are taken as printed.

Statements. Every printed average is the mean of its row; the two-pass method is within [-2.51, 1.69] of SnapKV at
equal k, above H2O at k = 4096, unimodal over the tested filter layers; with the chat template it is last of four.

Reference: Tables 9.1, 9.2, G.1 (arXiv 2409.17422).
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import sympy as sp

from theorycheck import at_least, at_most, claim, counts, leg, variant

from ._tables import AVERAGES, QUESTIONS, SCORES, by_task

HUNDREDTH = sp.Rational(1, 100)
MODELS = ("llama", "mistral", "phi")
SIZES = (1024, 2048, 4096)


def mean(scores):
    return sum(scores, Fraction(0)) / len(scores)


def deviation_from(averages):
    """The largest |mean of a row - its average| over all rows of the three tables."""
    if len(averages) != 40:
        raise ValueError("the tables have 40 rows")
    return max(abs(mean(SCORES[row]) - averages[row]) for row in averages)


def largest_deviation():
    """That of the printed averages. Shape ()."""
    return deviation_from(AVERAGES)


def with_a_misprint():
    """The same with 0.02 more in one average, whichever it is: the least over all of them."""
    more = Fraction(2, 100)
    return min(deviation_from({**AVERAGES, row: AVERAGES[row] + more}) for row in AVERAGES)


def with_a_dropped_task():
    """The same if the last task were left out of the means."""
    return max(abs(mean(SCORES[row][:-1]) - AVERAGES[row]) for row in AVERAGES)


averages = claim(
    "gemfilter-longbench",
    lhs=r"|\text{printed}-\text{mean}|",
    title="The averages of the LongBench tables",
    says="Each of the 40 printed row averages is within 0.01 of the mean of its columns.",
    covers="averages",
    closed_form=HUNDREDTH,
    relation=at_most(),
    legs=[leg("all rows", largest_deviation, inside="row")],
    rivals=[
        variant("within 0.001", closed_form=HUNDREDTH / 10),
        variant("one task fewer", simulation=with_a_dropped_task),
        variant("a misprint of 0.02 in any row", simulation=with_a_misprint),
    ],
)


def difference(model, size, rival):
    return AVERAGES[model, f"gem-{size}"] - AVERAGES[model, f"{rival}-{size}"]


def differences():
    """Averages of the two-pass method minus SnapKV's at equal k, models by sizes. Shape (9,)."""
    return [difference(model, size, "snap") for model in MODELS for size in SIZES]


def hundredths():
    """The differences in hundredths. Shape (9,)."""
    return [int(100 * value) for value in differences()]


def how_many():
    """How many differences there are. Shape ()."""
    return len(differences())


def two_models():
    """Those of the first two models."""
    return len([m for m in MODELS[:2] for size in SIZES])


def below_snapkv():
    """How many of the nine are below SnapKV. Shape ()."""
    return sum(value < 0 for value in differences())


def below_by_half_a_point():
    return sum(value <= -Fraction(1, 2) for value in differences())


def against_all_caches():
    return [AVERAGES[m, f"gem-{size}"] - AVERAGES[m, "all"] for m in MODELS for size in SIZES]


comparable = claim(
    "gemfilter-longbench-snapkv",
    lhs=r"\text{two-pass}-\text{SnapKV}",
    states="gemfilter-longbench",
    title="Differences to SnapKV at equal $k$",
    says=r"Over three models and $k\in\{1024,2048,4096\}$ the average of the two-pass method minus "
    "SnapKV's is -0.75, 0.07, -0.35 (LLaMA), 0.43, 1.69, 0.75 (Mistral), -0.94, -2.51, -1.18 (Phi): in "
    "$[-2.51,1.69]$, and negative for five of the nine.",
    role="reading",
    covers="comparable-to-snapkv",
    closed_form=sp.Rational(169, 100),
    relation=at_most(),
    legs=[
        leg("above", differences, inside="model k"),
        leg(
            "below",
            differences,
            inside="model k",
            relation=at_least(),
            closed_form=-sp.Rational(251, 100),
            lhs=r"\text{two-pass}-\text{SnapKV}",
        ),
        leg(
            "each",
            hundredths,
            inside="model k",
            relation=counts(),
            closed_form=sp.Matrix([-75, 7, -35, 43, 169, 75, -94, -251, -118]),
            lhs=r"100\,\big(\text{two-pass}-\text{SnapKV}\big)",
            tex=r"(-75,7,-35),\ (43,169,75),\ (-94,-251,-118)",
        ),
        leg(
            "three models by three sizes",
            how_many,
            inside="model k",
            relation=counts(),
            closed_form=sp.Integer(9),
            lhs=r"\#\{(\text{model},k)\}",
        ),
        leg(
            "negative",
            below_snapkv,
            inside="model k",
            relation=counts(),
            closed_form=sp.Integer(5),
            lhs=r"\#\{\text{two-pass}<\text{SnapKV}\}",
        ),
    ],
    rivals=[
        variant("never above SnapKV", closed_form=sp.Integer(0), leg="above"),
        variant("never below SnapKV", closed_form=sp.Integer(0), leg="below"),
        variant("at most 1.68 above", closed_form=sp.Rational(168, 100), leg="above"),
        variant("within two points below", closed_form=sp.Integer(-2), leg="below"),
        variant(
            "-1.81 for the last",
            closed_form=sp.Matrix([-75, 7, -35, 43, 169, 75, -94, -251, -181]),
            leg="each",
        ),
        variant("two models", simulation=two_models, leg="three models by three sizes"),
        variant("four are negative", closed_form=sp.Integer(4), leg="negative"),
        variant("by half a point", simulation=below_by_half_a_point, leg="negative"),
        variant("against the whole cache", simulation=against_all_caches, leg="below"),
    ],
)


def above_h2o():
    """Hundredths by which the two-pass average exceeds H2O's at k = 4096. Shape (3,)."""
    return [int(100 * difference(model, 4096, "h2o")) for model in MODELS]


h2o = claim(
    "gemfilter-longbench-h2o",
    lhs=r"100\,\big(\text{two-pass}-\text{H2O}\big)",
    tex=r"(246,\ 310,\ 304)",
    states="gemfilter-longbench",
    title="Averages above H2O",
    says="At $k=4096$ the two-pass average exceeds H2O's by 2.46, 3.10 and 3.04.",
    role="reading",
    covers="above-h2o",
    closed_form=sp.Matrix([246, 310, 304]),
    relation=counts(),
    legs=[leg("three models", above_h2o, inside="model")],
    rivals=[variant("3.14 for Mistral", closed_form=sp.Matrix([246, 314, 304]))],
)

LAYERS = (1, 7, 12, 13, 14, 19, 25, 31)


def shape_over_layers():
    """Best tested layer, rises before it, falls after it, hundredths lost at worst on 13..25. Shape (4,)."""
    values = [AVERAGES["filter", str(layer)] for layer in LAYERS]
    top = values.index(max(values))
    rises = sum(a < b for a, b in pairwise(values[: top + 1]))
    falls = sum(a > b for a, b in pairwise(values[top:]))
    flat = [AVERAGES["filter", str(layer)] for layer in stretch()]
    return [LAYERS[top], rises, falls, int(100 * (max(values) - min(flat)))]


def stretch():
    """The tested layers from 13 to 25."""
    return [layer for layer in LAYERS if 13 <= layer <= 25]


def all_averages():
    """Hundredths of the averages of the tested layers. Shape (8,)."""
    return [int(100 * AVERAGES["filter", str(layer)]) for layer in LAYERS]


def losses():
    """Each layer of the stretch, and by how many hundredths it is below the best. Shape (8,)."""
    best = max(AVERAGES["filter", str(layer)] for layer in LAYERS)
    return [x for at in stretch() for x in (at, int(100 * (best - AVERAGES["filter", str(at)])))]


filter_layers = claim(
    "gemfilter-longbench-filter-layer",
    lhs=r"\big(\text{best layer},\ \#\text{rises},\ \#\text{falls},\ 100\times\text{loss on 13 to 25}\big)",
    tex=r"(13,\ 3,\ 4,\ 56)",
    states="gemfilter-longbench",
    title="Average over the tested filter layers",
    says="Over layers 1, 7, 12, 13, 14, 19, 25, 31 the average rises to layer 13 (three rises) and falls after it "
    "(four falls); on 13 to 25 it is within 0.56 of the best.",
    role="reading",
    covers="filter-layer-shape",
    closed_form=sp.Matrix([13, 3, 4, 56]),
    relation=counts(),
    legs=[
        leg("eight layers", shape_over_layers, inside="layer"),
        leg(
            "averages",
            all_averages,
            inside="layer",
            closed_form=sp.Matrix([2350, 2747, 2803, 3450, 3430, 3412, 3394, 3004]),
            lhs=r"100\times\text{average}",
            tex=r"(2350,2747,2803,3450,3430,3412,3394,3004)",
        ),
        leg(
            "from 13 to 25",
            losses,
            inside="layer",
            closed_form=sp.Matrix([13, 0, 14, 20, 19, 38, 25, 56]),
            lhs=r"(\text{layer},\ 100\times\text{loss})",
            tex=r"(13,0),\ (14,20),\ (19,38),\ (25,56)",
        ),
    ],
    rivals=[
        variant("best at layer 14", closed_form=sp.Matrix([14, 3, 4, 56]), leg="eight layers"),
        variant(
            "layer 12 below layer 7",
            closed_form=sp.Matrix([2350, 2803, 2747, 3450, 3430, 3412, 3394, 3004]),
            leg="averages",
        ),
        variant("within 0.5", closed_form=sp.Matrix([13, 3, 4, 50]), leg="eight layers"),
        variant(
            "layer 25 as good as 19",
            closed_form=sp.Matrix([13, 0, 14, 20, 19, 38, 25, 38]),
            leg="from 13 to 25",
        ),
    ],
)

CHAT = ("gem-1024", "all", "minference", "snap-1024")


def chat_order():
    """Rank of each method with the template (1: lowest), and hundredths of its average, in the order of CHAT,
    then the six-task means without it of the whole cache and the two-pass method. Shape (10,)."""
    with_template = [AVERAGES["chat", method] for method in CHAT]
    ranks = [sorted(with_template).index(value) + 1 for value in with_template]
    without = [round(100 * mean(six_without(method))) for method in ("all", "gem-1024")]
    return [*ranks, *(int(100 * value) for value in with_template), *without]


def six_without(method):
    """Scores of Table G.1's tasks without the template."""
    return [by_task("llama", method)[task] for task in QUESTIONS]


def times_without(part=1):
    """Hundredths by which the sum over the six tasks with the template is above twice that without, in the order of
    CHAT, and hundredths by which it is below two and a half of it. Shape (8,)."""
    sums = [(sum(by_task("chat", method).values()), sum(six_without(method))) for method in CHAT]
    above = [int(100 * (a - part * 2 * b)) for a, b in sums]
    return above + [int(100 * (part * Fraction(5, 2) * b - a)) for a, b in sums]


def without_as_above():
    return times_without(Fraction(1, 2))


def more_on_stories(task="NrtvQA"):
    """Hundredths by which NarrativeQA is higher with the template, in the order of CHAT. Shape (4,)."""
    return [int(100 * (by_task("chat", m)[task] - by_task("llama", m)[task])) for m in CHAT]


def more_on_the_next():
    return more_on_stories("Qasper")


chat = claim(
    "gemfilter-longbench-chat",
    lhs=r"\big(\text{ranks};\ 100\times\text{averages}\big)",
    tex=r"(1,2,3,4;\ 4100,4146,4295,4410;\ 1932,1836)",
    states="gemfilter-longbench",
    title="Averages with the chat template",
    says="With the chat template the six-task averages are 41.00 (two-pass), 41.46 (whole cache), "
    "42.95 (MInference) and 44.10 (SnapKV), in this order; without it the same six tasks average "
    "19.32 (whole cache) and 18.36 (two-pass). Each average is twice to two and a half times what it is without, yet "
    "NarrativeQA falls for the whole cache and SnapKV, by 6.94 and 2.97, and rises by 2.09 for the others.",
    role="reading",
    covers="chat-template",
    closed_form=sp.Matrix([1, 2, 3, 4, 4100, 4146, 4295, 4410, 1932, 1836]),
    relation=counts(),
    legs=[
        leg("four methods", chat_order, inside="method"),
        leg(
            "twice as much",
            times_without,
            inside="method",
            relation=at_least(),
            closed_form=sp.Integer(0),
            lhs=r"(\textstyle\sum_{\text{with}}-2\sum_{\text{without}},\ "
            r"\frac52\sum_{\text{without}}-\sum_{\text{with}})",
        ),
        leg(
            "NarrativeQA",
            more_on_stories,
            inside="method",
            closed_form=sp.Matrix([209, -694, 209, -297]),
            lhs=r"100\,\big(\text{with}-\text{without}\big)",
            tex=r"(209,-694,209,-297)",
        ),
    ],
    rivals=[
        variant(
            "two-pass above the whole cache",
            closed_form=sp.Matrix([2, 1, 3, 4, 4100, 4146, 4295, 4410, 1932, 1836]),
            leg="four methods",
        ),
        variant(
            "fourteen tasks without the template",
            closed_form=sp.Matrix([1, 2, 3, 4, 4100, 4146, 4295, 4410, 3672, 3450]),
            leg="four methods",
        ),
        variant("half of it taken", simulation=without_as_above, leg="twice as much"),
        variant("Qasper, too", simulation=more_on_the_next, leg="NarrativeQA"),
    ],
)
