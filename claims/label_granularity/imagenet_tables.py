"""Tables 4 to 8: ImageNet21k and ImageNet1k by the labels of the pretraining.

Setting. Printed means in percent, for ImageNet21k of one run each. The networks are out of reach here; the sentences
about the tables are arithmetic. Table 5's rows say error and hold accuracies.

Statements. (1) "Living thing": the leaf labels have the least error, 0.14 points below every other level; the error
falls from level to level but for one rise, of 0.06 to 5995 classes. (2) For the leaf backbone both probes are 4.797
points at least below every finetuning; Table 4 is 100 less the best of Table 5, rounded to two digits. (3) ImageNet1k:
all nine refined label sets are 0.12 points at least above the retrained baseline. Welch's t on three runs each: for a
best one t^2 is below 7.7, less than the two-sided 5 % point of every law of at most 4 degrees of freedom; for CLIP
clusters of ViT-L/14 and for random labels at 8000 classes it is above 2 * 0.95^2/(1 - 0.95^2), that point for 2
degrees, the fewest there can be. (4) Transfer: accuracies after finetuning and of the probe grow with the number of
classes, the probe's by more a decade than with the best or any of the three larger learning rates, not the smallest;
with the best rate finetuning is ahead of the probe by 1.06 at least, and each step of the hierarchy gains 2.19 a
decade.

Reference: Figure 2, Tables 4 to 8, lines 34-56, 296-300 and 505-604.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise
from math import floor

import sympy as sp

from theorycheck import at_least, at_most, choices, claim, equals, integers, leg, variant

from ._tables import FINETUNED, IMAGENET1K, LIVING, RATES, SIZES, finetuned, probed

G, G_prime, step, probe, tuned = sp.symbols("G G_prime step probe tuned", integer=True)
row, labels, lr = sp.symbols("row labels lr")

COARSER = [g for g in LIVING if g != 21843]


def above_the_leaves(G):
    """Error of another level less that of the leaf labels. Shape ()."""
    return LIVING[G] - LIVING[21843]


def above_2281(G):
    return LIVING[G] - LIVING[2281]


leaf = claim(
    "granularity-table-leaf-best",
    lhs=r"\mathrm{err}(G)-\mathrm{err}(21843)",
    tex="0.14",
    states="granularity-exp-im21k-binary",
    title="The leaf labels are best",
    says='On "living thing" the leaf labels are at least 0.14 points below the baseline and every other level.',
    covers="leaf-best",
    domain={G: choices(*COARSER)},
    grid={"smoke": {G: COARSER}},
    closed_form=sp.Rational(14, 100) + 0 * G,
    relation=at_least(),
    legs=[leg("levels", above_the_leaves)],
    rivals=[
        variant("by 0.15", closed_form=sp.Rational(15, 100) + 0 * G),
        variant("2281 classes", simulation=above_2281),
    ],
    mutate=False,
)


def coarser_ahead(G):
    """How many coarser levels have a smaller error. Shape ()."""
    return sum(1 for g, error in LIVING.items() if g < G and error < LIVING[G])


def but_once(G):
    """One, 2281, at 5995 classes. Shape ()."""
    return int(G == 5995)


def behind_the_coarser(G):
    """Error less the least one of the level itself and the coarser ones. Shape ()."""
    return LIVING[G] - min(error for g, error in LIVING.items() if g <= G)


trend = claim(
    "granularity-table-living-trend",
    lhs=r"|\{G'<G:\mathrm{err}(G')<\mathrm{err}(G)\}|",
    tex=r"[G=5995]",
    states="granularity-exp-im21k-binary",
    title="The error falls with the granularity, but once",
    says="From the baseline to the leaf labels each level has a smaller error than all coarser ones, but for 5995 "
    "classes, 0.06 above 2281.",
    covers="trend",
    domain={G: choices(*LIVING)},
    grid={"smoke": {G: list(LIVING)}},
    relation=equals(),
    legs=[
        leg("levels", coarser_ahead, reference=but_once, unit=1),
        leg(
            "rise",
            behind_the_coarser,
            relation=at_most(),
            closed_form=sp.Rational(6, 100) + 0 * G,
            lhs=r"\max_{G'\le G}(\mathrm{err}(G)-\mathrm{err}(G'))",
            tex="0.06",
        ),
    ],
    rivals=[
        variant("without a rise", reference=lambda G: 0, leg="levels"),
        variant("by 0.05", closed_form=sp.Rational(5, 100) + 0 * G, leg="rise"),
    ],
    mutate=False,
)


def behind(probe, tuned, backbone="leaf"):
    """A finetuning less a probe of one backbone. Shape ()."""
    return FINETUNED[backbone, "finetune"][tuned] - FINETUNED[backbone, "probe"][probe]


def of_the_baseline(probe, tuned):
    return behind(probe, tuned, backbone="baseline")


worse = claim(
    "granularity-table-probe-worse",
    lhs=r"\mathrm{acc}_{\mathrm{finetune}}-\mathrm{acc}_{\mathrm{probe}}",
    tex="4.797",
    states="granularity-exp-im21k-binary",
    title="Probes of the leaf backbone",
    says="Both linear probes of the leaf backbone are at least 4.797 points below each of its five finetunings.",
    covers="probe-worse",
    reads={"settings": "probe tuned"},
    domain={probe: integers(0, 1), tuned: integers(0, 4)},
    grid={"smoke": {probe: range(2), tuned: range(5)}},
    closed_form=sp.Rational(4797, 1000) + 0 * probe,
    relation=at_least(),
    legs=[leg("settings", behind)],
    rivals=[
        variant("by 4.8", closed_form=sp.Rational(48, 10) + 0 * probe),
        variant("of the baseline too", simulation=of_the_baseline),
    ],
    mutate=False,
)

ENTRIES = {"leaf": 21843, "baseline": 2}


def from_table_5(row):
    """100 less the best accuracy, rounded to two digits, and what is left of two totals. Shape (3,)."""
    best = max(*FINETUNED[row, "finetune"], *FINETUNED[row, "probe"])
    error = Fraction(floor(100 * (100 - best) + Fraction(1, 2)), 100)
    return [error, 5448549 + 7294772 - 12743321, 43745 + 58655 - 102400]


def from_table_4(row):
    """The printed error and nothing left. Shape (3,)."""
    return [LIVING[ENTRIES[row]], 0, 0]


def of_the_other_row(row):
    return from_table_4("baseline" if row == "leaf" else "leaf")


def best_of_90_epochs(row):
    best = max(FINETUNED[row, "finetune"][:3])
    return [Fraction(floor(100 * (100 - best) + Fraction(1, 2)), 100), 0, 0]


consistent = claim(
    "granularity-table-living-consistency",
    lhs=r"100-\max\mathrm{acc}",
    tex=r"\mathrm{err}",
    states="granularity-exp-im21k-binary",
    title="Tables 4 and 5 agree",
    says="The errors 6.56 and 7.90 are 100 less the best accuracies 93.439 and 92.102, and both splits add up.",
    covers="consistency",
    reads={"entries": "row"},
    domain={row: choices(*ENTRIES)},
    grid={"smoke": {row: list(ENTRIES)}},
    relation=equals(),
    legs=[leg("rows", from_table_5, reference=from_table_4, unit=1)],
    rivals=[
        variant("90 epochs alone", simulation=best_of_90_epochs),
        variant("100 less the other row", reference=of_the_other_row),
    ],
)

REFINED = ["RN50-CLIP", "ViT-CLIP", "random"]
ERROR, SPREAD = IMAGENET1K["baseline", "1000"]


def above_the_baseline(labels, G):
    """A refined label set less the retrained baseline. Shape ()."""
    return IMAGENET1K[labels, str(G)][0] - ERROR


def above_one_pass(labels, G):
    return IMAGENET1K[labels, str(G)][0] - IMAGENET1K["one-pass", "1000"][0]


no_gain = claim(
    "granularity-table-no-gain",
    lhs=r"\mathrm{err}-\mathrm{err}_{\mathrm{base}}",
    tex="0.12",
    states="granularity-exp-im1k",
    title="Refined labels on ImageNet1k",
    says="All nine refined label sets are at least 0.12 points above the retrained baseline.",
    covers="no-gain",
    reads={"set": "labels"},
    domain={labels: choices(*REFINED), G: choices(2000, 4000, 8000)},
    grid={"smoke": {labels: REFINED, G: [2000, 4000, 8000]}},
    closed_form=sp.Rational(12, 100) + 0 * G,
    relation=at_least(),
    legs=[leg("cells", above_the_baseline)],
    rivals=[
        variant("by 0.13", closed_form=sp.Rational(13, 100) + 0 * G),
        variant("against one pass", simulation=above_one_pass),
    ],
    mutate=False,
)


def welch(labels, G, runs=3):
    """Welch's t^2 against the baseline, three runs each. Shape ()."""
    error, spread = IMAGENET1K[labels, str(G)]
    return (error - ERROR) ** 2 / ((spread**2 + SPREAD**2) / runs)


def a_best_entry():
    """One of the least errors of Table 6."""
    return "RN50-CLIP", 2000


def of_the_best():
    """Shape ()."""
    return welch(*a_best_entry())


def of_the_worst():
    return welch("ViT-CLIP", 8000)


not_different = claim(
    "granularity-table-best-refined",
    lhs="t^2",
    tex="7.7",
    states="granularity-exp-im1k",
    title="The best refined labels against the baseline",
    says=r"A best refined entry, 23.40, is not told from the baseline by Welch's test at 5 %: $t^2\le7.7$ with at most "
    "four degrees of freedom.",
    role="reading",
    covers="best-not-different",
    domain={},
    grid={"smoke": [{}]},
    closed_form=sp.Rational(77, 10),
    relation=at_most(),
    legs=[leg("best", of_the_best, gives="entry", chosen_by=a_best_entry)],
    rivals=[
        variant("t^2 below 1.5", closed_form=sp.Rational(3, 2)),
        variant("the worst entry", simulation=of_the_worst),
    ],
    mutate=False,
)

POINT = Fraction(95, 100) ** 2 * 2 / (1 - Fraction(95, 100) ** 2)
WORSE = ["ViT-CLIP", "random"]


def at_8000(labels):
    """Shape ()."""
    return welch(labels, 8000) * (1 if above_the_baseline(labels, 8000) > 0 else -1)


def at_4000(labels):
    return welch(labels, 4000)


hurts = claim(
    "granularity-table-finest-hurts",
    lhs="t^2",
    tex=r"\tfrac{2\cdot0.95^2}{1-0.95^2}",
    states="granularity-exp-im1k",
    title="The finest labels on ImageNet1k",
    says="At 8000 classes the ViT-L/14 clusters and random labels are worse than the baseline by Welch's test at 5 %, "
    "with the fewest degrees of freedom there can be.",
    role="reading",
    covers="finest-hurts",
    reads={"set": "labels"},
    domain={labels: choices(*WORSE)},
    grid={"smoke": {labels: WORSE}},
    closed_form=sp.Rational(POINT.numerator, POINT.denominator) + 0 * labels,
    relation=at_least(),
    legs=[leg("cells", at_8000)],
    rivals=[
        variant("RN50 clusters too", simulation=at_8000, at=[{labels: "RN50-CLIP"}]),
        variant("at 4000 classes", simulation=at_4000),
        variant("t^2 above 30", closed_form=30 + 0 * labels),
    ],
    mutate=False,
)

PAIRS = [{G: a, G_prime: b} for a, b in combinations(SIZES, 2)]
EVERY_PAIR = {
    "states": "granularity-exp-im21k-to-im1k",
    "domain": {G: choices(*SIZES), G_prime: choices(*SIZES)},
    "where": G_prime > G,
    "grid": {"smoke": PAIRS},
    "relation": at_least(),
    "mutate": False,
}


def tuned_gain(G, G_prime):
    """Gain after finetuning at the best rate. Shape ()."""
    return finetuned(G_prime) - finetuned(G)


def tuned_loss(G, G_prime):
    return tuned_gain(G_prime, G)


tuning = claim(
    "granularity-table-finetune-increases",
    lhs=r"\mathrm{acc}(G')-\mathrm{acc}(G)",
    tex="1.02",
    title="Finetuning from finer labels",
    says="With the best learning rate the accuracy grows with the number of classes, by 1.02 points at least for "
    "each pair of levels.",
    covers="finetune-increases",
    closed_form=sp.Rational(102, 100) + 0 * G,
    legs=[leg("pairs", tuned_gain)],
    rivals=[
        variant("by 1.03", closed_form=sp.Rational(103, 100) + 0 * G),
        variant("falls", simulation=tuned_loss),
    ],
    **EVERY_PAIR,
)


def probe_gain(G, G_prime):
    """Gain of the probe. Shape ()."""
    return probed(G_prime) - probed(G)


def probe_loss(G, G_prime):
    return probe_gain(G_prime, G)


probing = claim(
    "granularity-table-probe-increases",
    lhs=r"\mathrm{acc}(G')-\mathrm{acc}(G)",
    tex="2.67",
    title="Probes from finer labels",
    says="The probe's accuracy grows with the number of classes, by 2.67 points at least for each pair of levels.",
    covers="probe-increases",
    closed_form=sp.Rational(267, 100) + 0 * G,
    legs=[leg("pairs", probe_gain)],
    rivals=[
        variant("by 2.68", closed_form=sp.Rational(268, 100) + 0 * G),
        variant("falls", simulation=probe_loss),
    ],
    **EVERY_PAIR,
)

STEEPER = ["best", *RATES[1:]]


def covariance(ns, values):
    """Sum of values times the logarithms of the numbers of classes less their mean. Shape ()."""
    logs = [ns.log(ns.asarray(g)) for g in SIZES]
    centre = sum(logs) / len(SIZES)
    return sum(
        (x - centre) * ns.rational(v.numerator, v.denominator)
        for x, v in zip(logs, values, strict=True)
    )


def steeper_by(ns, lr):
    """The probe's slope over that of finetuning, both by least squares in log G. Shape ()."""
    return covariance(ns, [probed(g) for g in SIZES]) / covariance(
        ns, [finetuned(g, lr) for g in SIZES]
    )


steeper = claim(
    "granularity-table-probe-steeper",
    lhs=r"\text{slope}_{\text{probe}}/\text{slope}_{\text{finetune}}",
    tex="1.87",
    states="granularity-exp-im21k-to-im1k",
    title="The probe depends more on the granularity",
    says=r"By least squares in $\log G$ the probe's slope is at least 1.87 times that of finetuning, at the best rate "
    r"and at $3\cdot10^{-2}$, $6\cdot10^{-2}$ and $3\cdot10^{-1}$.",
    covers="probe-steeper",
    domain={lr: choices(*STEEPER)},
    grid={"smoke": {lr: STEEPER}},
    closed_form=sp.Rational(187, 100) + 0 * lr,
    relation=at_least(),
    legs=[leg("least squares", steeper_by)],
    rivals=[
        variant("1.88 times", closed_form=sp.Rational(188, 100) + 0 * lr),
        variant("at the smallest rate too", simulation=steeper_by, at=[{lr: "3e-3"}]),
    ],
    mutate=False,
)


def ahead(G):
    """Finetuning at the best rate less the probe. Shape ()."""
    return finetuned(G) - probed(G)


def ahead_at_the_smallest(G):
    return finetuned(G, "3e-3") - probed(G)


LEVELS = {
    "states": "granularity-exp-im21k-to-im1k",
    "domain": {G: choices(*SIZES)},
    "grid": {"smoke": {G: SIZES}},
}

above = claim(
    "granularity-table-finetune-above-probe",
    lhs=r"\mathrm{acc}_{\mathrm{finetune}}-\mathrm{acc}_{\mathrm{probe}}",
    tex="1.06",
    title="Finetuning against the probe",
    says="At every level finetuning with the best rate is at least 1.06 points above the probe.",
    covers="finetune-above-probe",
    closed_form=sp.Rational(106, 100) + 0 * G,
    relation=at_least(),
    legs=[leg("levels", ahead)],
    rivals=[
        variant("by 1.07", closed_form=sp.Rational(107, 100) + 0 * G),
        variant("at the smallest rate", simulation=ahead_at_the_smallest),
    ],
    mutate=False,
    **LEVELS,
)


def a_decade(ns, step, lr="best"):
    """Gain a decade of the step from one level to the next finer one. Shape ()."""
    coarse, fine = list(pairwise(SIZES))[step]
    gain = finetuned(fine, lr) - finetuned(coarse, lr)
    return (
        ns.rational(gain.numerator, gain.denominator)
        * ns.log(ns.asarray(10))
        / (ns.log(ns.asarray(fine)) - ns.log(ns.asarray(coarse)))
    )


saturation = claim(
    "granularity-table-saturation",
    lhs=r"\frac{\mathrm{acc}(G')-\mathrm{acc}(G)}{\log_{10}G'-\log_{10}G}",
    tex="2.19",
    states="granularity-exp-im21k-to-im1k",
    title="Gain a decade up to the leaves",
    says="With the best rate each of the five steps of the hierarchy gains at least 2.19 points a decade.",
    covers="saturation",
    domain={step: integers(0, 4)},
    grid={"smoke": {step: range(5)}},
    closed_form=sp.Rational(219, 100) + 0 * step,
    relation=at_least(),
    legs=[leg("steps", a_decade)],
    rivals=[
        variant("2.2 points", closed_form=sp.Rational(22, 10) + 0 * step),
        variant("4 points", closed_form=4 + 0 * step),
    ],
    mutate=False,
)
