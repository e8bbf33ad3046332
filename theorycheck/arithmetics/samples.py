"""Independent draws, judged through a statistic."""

from __future__ import annotations

from fractions import Fraction

from theorycheck.arithmetics.base import Arithmetic


class Samples(Arithmetic):
    """Blocks of keyed draws, looked at only at fixed sample counts."""

    name = "samples"
    rung = "sampled"
    sampled = True

    def missing(self, statistic: object, model: str, error: Fraction | int | None) -> str:
        if statistic is not None:
            return ""
        return (
            "a sampled leg says what it estimates: "
            "statistic=mean(bounded(0, 1)), probability() or quantile(q)"
        )


ARITHMETIC = Samples()
