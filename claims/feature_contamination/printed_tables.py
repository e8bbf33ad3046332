"""Tables 1 to 5: what their numbers say.

Setting. ID and OOD numbers in percent of linear probes on pre-trained encoders (teachers) and on students that were
distilled from them. The networks are out of reach here; the sentences about the tables are arithmetic.

Statements. (1) Table 1: the OOD average is the mean of the five sets, rounded to two digits. (2) Every student is
below its teacher on each of the five sets, by 0.63 at least, and on the average. (3) "Similar ID performance":
within 0.6 points for the four ResNets, 5.82 below for ViT-B/16; RN50x4's student is ahead. (4) Tables 2, 3: the
student loses OOD on both data sets; ID it loses on iWildCam and not on Camelyon17. (5) Table 4: 9.11 points ID and
17.80 OOD. (6) Table 5: the domain error is smaller for both CLIP models than for ERM; OOD accuracy falls as it
rises, ID accuracy does not.

Reference: Tables 1-5, lines 1117-1213 and 1262-1301.
"""

from __future__ import annotations

from fractions import Fraction
from math import floor

import sympy as sp

from theorycheck import at_least, at_most, choices, claim, equals, integers, leg, variant

from ._tables import DOMAINNET, IMAGENET, MODELS, PACS, RESNETS, ROWS, WILDS

model, dataset, split = sp.symbols("model dataset split")
row, pair, column = sp.symbols("row pair column", integer=True)
CELLS = list(ROWS.values())
"""The rows of Table 1 from the top: row 1 is CELLS[0]."""


def rounded(value):
    """To two digits."""
    return Fraction(floor(100 * value + Fraction(1, 2)), 100)


def mean_of_sets(row):
    """The mean of the five sets to two digits. Shape ()."""
    return rounded(sum(CELLS[row - 1][2:]) / 5)


def mean_with_id(row):
    accuracy, _, *sets = CELLS[row - 1]
    return rounded((accuracy + sum(sets)) / 6)


def mean_cut_off(row):
    return Fraction(floor(100 * sum(CELLS[row - 1][2:]) / 5), 100)


def printed_average(row):
    """The second column. Shape ()."""
    return CELLS[row - 1][1]


averages = claim(
    "contamination-table-imagenet-averages",
    lhs=r"\text{mean of five}",
    tex=r"\text{printed}",
    states="contamination-exp-imagenet-distillation",
    title="OOD averages of Table 1",
    says="In all ten rows the OOD average is the mean of the five sets, rounded to two digits.",
    covers="avg-column",
    domain={row: integers(1, 10)},
    grid={"smoke": {row: range(1, 11)}},
    relation=equals(),
    legs=[leg("rows", mean_of_sets, reference=printed_average)],
    rivals=[
        variant("with the ID column", simulation=mean_with_id),
        variant("cut off, not rounded", simulation=mean_cut_off),
    ],
    mutate=False,
)


def lost(model, column):
    """Teacher less student in a column of Table 1. Shape ()."""
    return IMAGENET["teacher", model][column] - IMAGENET["student", model][column]


def lost_by(pair, column):
    """The same of a pair of rows. Shape ()."""
    return lost(MODELS[pair - 1], column)


def lost_in_distribution(pair, column):
    return lost_by(pair, 0)


below = claim(
    "contamination-table-imagenet-below",
    lhs=r"\text{teacher}-\text{student}",
    states="contamination-exp-imagenet-distillation",
    title="Every student is below its teacher out of distribution",
    says="On the OOD average and on each of the five sets every student is at least 0.63 points below its teacher.",
    covers="ood-below-teacher",
    reads={"set": "column"},
    domain={pair: integers(1, 5), column: integers(1, 6)},
    grid={"smoke": {pair: range(1, 6), column: range(1, 7)}},
    closed_form=sp.Rational(63, 100) + 0 * column,
    relation=at_least(),
    legs=[leg("cells", lost_by)],
    rivals=[
        variant("by 0.7", closed_form=sp.Rational(7, 10) + 0 * column),
        variant("in distribution too", simulation=lost_in_distribution),
    ],
    mutate=False,
)


def apart(model):
    """|teacher - student| in distribution. Shape ()."""
    return abs(lost(model, 0))


def gaps(model):
    """Teacher less student in distribution, of all five pairs. Shape (5,)."""
    return [lost(name, 0) for name in MODELS]


def printed_gaps(model):
    return [Fraction(gap, 100) for gap in (52, 5, 582, -7, 59)]


def gaps_out_of_distribution(model):
    return [lost(name, 1) for name in MODELS]


similar = claim(
    "contamination-table-imagenet-similar",
    lhs=r"|\text{teacher}-\text{student}|",
    tex="0.6",
    states="contamination-exp-imagenet-distillation",
    title="The four ResNets reach similar ID accuracy",
    says="For the four ResNets the ID accuracies differ by at most 0.6 points; for ViT-B/16 by 5.82.",
    role="reading",
    encodes="part",
    covers="id-similar",
    reads={"pair": "model"},
    domain={model: choices(*RESNETS)},
    grid={"smoke": {model: RESNETS}},
    closed_form=sp.Rational(6, 10) + 0 * model,
    relation=at_most(),
    legs=[
        leg("pairs", apart),
        leg(
            "all five",
            gaps,
            reference=printed_gaps,
            relation=equals(),
            lhs=r"\text{teacher}-\text{student}",
            tex=r"0.52,\ 0.05,\ 5.82,\ -0.07,\ 0.59",
        ),
    ],
    rivals=[
        variant("by at most 0.5", leg="pairs", closed_form=sp.Rational(1, 2) + 0 * model),
        variant("ViT-B/16 too", leg="pairs", simulation=apart, at=[{model: "ViT-B/16"}]),
        variant("out of distribution", leg="all five", simulation=gaps_out_of_distribution),
    ],
    mutate=False,
)

DATASETS = ["iWildCam", "Camelyon17"]


def lost_in_wilds(dataset, split):
    return WILDS["teacher", dataset][split] - WILDS["student", dataset][split]


def out_of_distribution(dataset):
    """Teacher less student, OOD, in Tables 2 and 3. Shape ()."""
    return lost_in_wilds(dataset, 1)


def in_distribution(dataset):
    return lost_in_wilds(dataset, 0)


wilds = claim(
    "contamination-table-wilds-ood",
    lhs=r"\text{teacher}-\text{student}",
    states="contamination-exp-wilds",
    title="The students lose out of distribution",
    says="On iWildCam and Camelyon17 the student is at least 3.05 points below its teacher OOD.",
    covers="ood-drop",
    reads={"data_set": "dataset"},
    domain={dataset: choices(*DATASETS)},
    grid={"smoke": {dataset: DATASETS}},
    closed_form=sp.Rational(305, 100) + 0 * dataset,
    relation=at_least(),
    legs=[leg("both", out_of_distribution)],
    rivals=[
        variant("by 3.1", closed_form=sp.Rational(31, 10) + 0 * dataset),
        variant("in distribution too", simulation=in_distribution),
    ],
    mutate=False,
)


def loses(dataset):
    """1 where the student is below its teacher ID. Shape ()."""
    return int(in_distribution(dataset) > 0)


def on_iwildcam(dataset):
    return int(dataset == "iWildCam")


matched = claim(
    "contamination-table-wilds-id",
    lhs=r"[\text{student}<\text{teacher}]",
    tex=r"[\text{iWildCam}]",
    states="contamination-exp-wilds",
    title="On iWildCam the student also loses in distribution",
    says="In distribution the student is below its teacher on iWildCam and not on Camelyon17.",
    covers="id-not-matched-iwildcam",
    reads={"data_set": "dataset"},
    domain={dataset: choices(*DATASETS)},
    grid={"smoke": {dataset: DATASETS}},
    relation=equals(),
    legs=[leg("both", loses, reference=on_iwildcam, unit=1)],
    rivals=[
        variant("on both", reference=lambda dataset: 1),
        variant("on neither", reference=lambda dataset: 0),
    ],
)

SPLITS = ["ID", "OOD"]


def lost_on_domainnet(split):
    """Teacher less student on DomainNet. Shape ()."""
    at = SPLITS.index(split)
    return DOMAINNET["CLIP-RN50",][at] - DOMAINNET["distilled-RN50",][at]


def printed_losses(split):
    return {"ID": Fraction(911, 100), "OOD": Fraction(1780, 100)}[split]


domainnet = claim(
    "contamination-table-domainnet",
    lhs=r"\text{teacher}-\text{student}",
    tex=r"9.11,\ 17.80",
    states="contamination-exp-domainnet",
    title="The student on DomainNet",
    says="The distilled RN50 is 9.11 points below its teacher ID and 17.80 OOD.",
    covers="student-below",
    domain={split: choices(*SPLITS)},
    grid={"smoke": {split: SPLITS}},
    relation=equals(),
    legs=[leg("both", lost_on_domainnet, reference=printed_losses)],
    rivals=[
        variant("the same ID and OOD", reference=lambda split: Fraction(911, 100)),
        variant(
            "ID matched", reference=lambda split: Fraction(1780, 100) * (split == "OOD"), unit=1
        ),
    ],
)

PROBED = ["CLIP-ViT-B/16", "CLIP-RN50", "ERM-RN50"]


def rank(at, row, largest):
    """How many rows are ahead of this one in a column, largest or smallest first."""
    here = PACS[PROBED[row - 1],][at]
    cells = [PACS[other,][at] for other in PROBED]
    return sum(1 for cell in cells if (cell > here if largest else cell < here))


def by_domain_error(row):
    """Place by domain error, smallest first. Shape ()."""
    return rank(2, row, largest=False)


def by_ood(row):
    """Place by OOD accuracy, largest first. Shape ()."""
    return rank(1, row, largest=True)


def by_id(row):
    return rank(0, row, largest=True)


def as_listed(row):
    """CLIP-ViT-B/16, CLIP-RN50, ERM-RN50. Shape ()."""
    return row - 1


def erm_first(row):
    return row % 3


EVERY_MODEL = {
    "domain": {row: integers(1, 3)},
    "grid": {"smoke": {row: range(1, 4)}},
    "reads": {"model": "row"},
}

domains = claim(
    "contamination-table-pacs-domains",
    lhs=r"\text{place by domain error}",
    tex=r"0,1,2",
    states="contamination-exp-pacs-linearization",
    title="Domains are most separable for the CLIP models",
    says="The domain error grows from CLIP-ViT-B/16 over CLIP-RN50 to ERM-RN50.",
    covers="domain-error-order",
    relation=equals(),
    legs=[leg("rows", by_domain_error, reference=as_listed, unit=1)],
    rivals=[
        variant("ERM smallest", reference=erm_first),
        variant("as ID accuracy", reference=by_id),
    ],
    **EVERY_MODEL,
)

orders = claim(
    "contamination-table-pacs-orders",
    lhs=r"\text{place by accuracy}",
    states="contamination-exp-pacs-linearization",
    title="OOD accuracy falls as the domain error rises",
    says="OOD accuracy has the order of the domain errors; ID accuracy is 99.68, 99.28 for ERM, 97.35 for CLIP-RN50.",
    covers="ood-order-reversed",
    relation=equals(),
    legs=[
        leg("OOD", by_ood, reference=by_domain_error, unit=1, tex=r"\text{place by domain error}"),
        leg(
            "ID",
            by_id,
            reference=lambda row: [0, 2, 1][row - 1],
            unit=1,
            tex=r"0,2,1",
        ),
    ],
    rivals=[
        variant("the reverse", leg="OOD", reference=lambda row: 2 - by_domain_error(row)),
        variant("ID as well", leg="ID", reference=by_domain_error),
    ],
    **EVERY_MODEL,
)
