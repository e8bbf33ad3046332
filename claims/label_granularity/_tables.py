"""The numbers of Tables 1 to 8 as printed, in percent; standard deviations where they are used."""

from __future__ import annotations

from fractions import Fraction

from theorycheck.blocks.printed_tables import printed_rows


def by_granularity(text: str) -> dict[str, dict[int, Fraction]]:
    """Rows ``name G G ...`` and ``name value value ...`` in turns: the values by name and number of classes."""
    found = {}
    lines = [line.split() for line in text.splitlines() if line.strip()]
    for (name, *sizes), (again, *values) in zip(lines[::2], lines[1::2], strict=True):
        if name != again:
            raise ValueError(f"rows {name!r} and {again!r} in turns")
        found[name] = {int(g): Fraction(value) for g, value in zip(sizes, values, strict=True)}
    return found


INATURALIST = by_granularity(
    """
    manual 11 13 51 273 1103 4884 6485
    manual 5.25 5.40 5.10 4.83 4.79 4.82 4.84
    random 22 88 352 1408 5632 11264 500000
    random 6.61 6.30 6.12 6.10 6.12 6.10 6.54
    superclass 22 88 352 1408 2816 5632 22528
    superclass 5.14 5.16 5.17 5.24 5.30 5.31 5.37
    rebalanced 88 218 320 608 1040 1984
    rebalanced 5.18 5.17 5.23 5.28 5.26 5.21
    whole 22 44 88 352 1408 2816 5632
    whole 5.52 5.42 5.45 5.46 5.60 5.50 5.47
    """
)
"""Table 1: errors of ResNet34 by label set; the 11 classes are the baseline."""

CHECKPOINTS = by_granularity(
    """
    90 13 51 273 1103 4884 6485
    90 5.40 5.10 4.83 4.79 4.82 4.84
    70 13 51 273 1103 4884 6485
    70 5.43 5.08 4.86 4.82 4.83 4.85
    50 13 51 273 1103 4884 6485
    50 5.53 5.2 4.90 4.9 4.91 4.95
    """
)
"""Table 2: the manual labels by epochs of pretraining."""

RESNET50 = by_granularity(
    """
    manual 11 13 51 273 1103 4884 6485
    manual 4.43 4.44 4.36 4.22 4.20 4.23 4.33
    random 22 88 352 1408 5632 11264 500000
    random 5.36 5.31 5.24 5.38 5.37 5.40 5.13
    """
)
"""Table 3."""

NETWORKS = {"ResNet34": INATURALIST, "ResNet50": RESNET50}
LEVELS = [13, 51, 273, 1103, 4884, 6485]
"""Numbers of classes of the manual hierarchy beyond the eleven of the target."""

LIVING = by_granularity(
    """
    error 2 38 160 519 2281 5995 21843
    error 7.90 7.55 7.31 6.97 6.70 6.76 6.56
    """
)["error"]
"""Table 4: errors on "living thing" by classes of the pretraining; 2 is the baseline."""

FINETUNED = printed_rows(
    """
    leaf finetune 92.782 93.177 93.295 92.294 93.439
    leaf probe 87.497 87.493
    baseline finetune 92.102 91.971 91.939 92.002 91.856
    baseline probe 91.703 91.719
    """,
    labels=2,
)
"""Table 5, whose rows say error and hold accuracies: three finetunings of 90 epochs and two of 10; two probes."""

IMAGENET1K = printed_rows(
    """
    RN50-CLIP 2000 23.4 0.13
    RN50-CLIP 4000 23.48 0.098
    RN50-CLIP 8000 23.49 0.204
    ViT-CLIP 2000 23.4 0.127
    ViT-CLIP 4000 23.47 0.074
    ViT-CLIP 8000 23.78 0.048
    random 2000 23.4 0.068
    random 4000 23.4 0.070
    random 8000 23.65 0.071
    baseline 1000 23.28 0.103
    one-pass 1000 24.04 0.057
    """,
    labels=2,
)
"""Table 6 and the two baselines of the text: errors and standard deviations of three finetunings."""

RATES = ["3e-3", "3e-2", "6e-2", "3e-1"]
TRANSFER = printed_rows(
    """
    21843 80.87 82.48 82.51 81.40 81.45
    5995 77.38 81.03 81.28 80.40 78.33
    2281 74.91 79.76 80.26 79.7 75.66
    519 63.65 76.43 77.32 77.53 68.95
    160 62.17 73.65 73.92 75.53 63.65
    38 53.68 69.33 71.08 72.75 57.35
    """
)
"""Tables 7 and 8: accuracies on ImageNet1k after finetuning at four learning rates, and of the linear probe."""

SIZES = sorted(int(name) for (name,) in TRANSFER)


def finetuned(G: int, lr: str = "best") -> Fraction:
    """Accuracy after finetuning from G classes, at one learning rate or the best."""
    cells = TRANSFER[str(G),][:4]
    return max(cells) if lr == "best" else cells[RATES.index(lr)]


def probed(G: int) -> Fraction:
    """Accuracy of the linear probe from G classes."""
    return TRANSFER[str(G),][4]
