"""The numbers of Tables 1 to 5 as printed, in percent."""

from __future__ import annotations

from theorycheck.blocks.printed_tables import printed_rows

IMAGENET = printed_rows(
    """
    teacher RN50 70.37 39.42 59.03 51.18 37.72 31.87 17.31
    student RN50 69.85 31.63 57.97 38.22 32.72 20.97 8.25
    teacher RN101 72.33 45.27 61.70 59.92 43.07 37.93 23.73
    student RN101 72.28 35.18 60.46 44.09 35.89 23.88 11.56
    teacher ViT-B/16 79.40 57.59 69.72 72.42 51.85 47.33 46.64
    student ViT-B/16 73.58 37.14 62.45 44.43 35.52 23.83 19.47
    teacher RN50x4 76.18 51.45 65.83 64.80 48.74 42.19 35.67
    student RN50x4 76.25 41.40 65.20 49.22 42.71 29.23 20.64
    teacher RN50x16 80.24 60.61 70.13 73.67 56.92 48.52 53.79
    student RN50x16 79.65 48.26 68.49 55.03 48.90 32.93 35.97
    """,
    labels=2,
)
"""Table 1: ID, OOD average, ImageNetV2, ImageNet-R, ObjectNet, ImageNet Sketch, ImageNet-A."""

ROWS = {f"{who} {name}": cells for (who, name), cells in IMAGENET.items()}
MODELS = [name for who, name in IMAGENET if who == "teacher"]
RESNETS = [name for name in MODELS if name.startswith("RN")]

WILDS = printed_rows(
    """
    teacher iWildCam 49.30 32.46
    student iWildCam 32.32 13.83
    teacher Camelyon17 98.22 92.88
    student Camelyon17 98.28 89.83
    """,
    labels=2,
)
"""Tables 2 and 3: ID and OOD; macro F1 on iWildCam, accuracy on Camelyon17 (ID: validation)."""

DOMAINNET = printed_rows(
    """
    CLIP-RN101 92.30 87.34
    CLIP-ViT-B/32 92.35 87.60
    CLIP-RN50 87.02 82.58
    distilled-RN50 77.91 64.78
    """
)
"""Table 4: ID and OOD (Sketch)."""

PACS = printed_rows(
    """
    CLIP-ViT-B/16 99.68 91.59 0.06
    CLIP-RN50 97.35 85.67 0.19
    ERM-RN50 99.28 76.47 1.02
    """
)
"""Table 5: ID accuracy, OOD accuracy, error of the domain classifier."""
