"""Power laws through noisy values: C * x**a * log(x)**b ..., every exponent with its interval.

With replicates. At each point the mean of R replicates has the interval mean +- t s/sqrt(R), t the
quantile of Student's law with R - 1 degrees of freedom at level/k for k points: exact for normal
noise, and by the central limit theorem otherwise. By Bonferroni's inequality the k intervals hold
together with probability 1 - level, and then every law that is true lies in the polytope that they cut
out in (log C, exponents); its extent is found by linear programs (`theorycheck.formulas.laws.extent`).
So each exponent's interval holds the truth with probability 1 - level at least, whatever the other
exponents are, and an empty polytope refutes the shape. The logarithm of an interval's ends is exact.

Without replicates. Least squares on the logarithms; the noise is estimated from the residuals, and the
intervals are Student's with k - p degrees of freedom, which is exact for normal errors of one size in
the logarithms. A wrong shape then shows only as larger noise.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from theorycheck.formulas.laws import extent

LEVEL = 0.05
"""Error probability of all intervals of one shape together."""

MOST_POINTS = 400
"""Points of a linear program; of more, evenly spread ones are used."""

_LEAST_SPARE = 2  # points more than unknowns, so that a shape can fail
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Measurements:
    """Distinct points and what was measured there.

    ``columns``: by name the coordinates (points,); ``means``, ``errors`` (points,): mean, and its
    standard error (NaN with a single value); ``counts`` (points,): replicates.
    """

    columns: Mapping[str, Floats]
    means: Floats
    errors: Floats
    counts: npt.NDArray[np.int64]

    @property
    def replicated(self) -> bool:
        """Whether every point has replicates that differ."""
        return bool(np.all(self.counts >= 2) and np.all(self.errors > 0))

    def reach(self, level: float = LEVEL) -> Floats:
        """Half widths of simultaneous intervals of the means (points,)."""
        from scipy.stats import t

        quantiles = t.ppf(1 - level / (2 * len(self.means)), np.maximum(self.counts - 1, 1))
        return np.asarray(quantiles * self.errors, dtype=np.float64)

    def chosen(self, places: npt.NDArray[np.intp]) -> Measurements:
        """Some of the points."""
        columns = {name: c[places] for name, c in self.columns.items()}
        return Measurements(columns, self.means[places], self.errors[places], self.counts[places])


@dataclass(frozen=True)
class Scaling:
    """A law ``C * prod x**a * prod log(x)**b`` that the values allow.

    ``exponents``: by the text of their base, ``n`` or ``log(n)``, the ends of the interval;
    ``constant``: those of |C|; ``noise``: relative standard deviation of one value; ``how``:
    ``replicates`` or ``residuals``; ``points``, ``values``: what it rests on; ``level``: error
    probability of all its intervals together.
    """

    sign: int
    exponents: Mapping[str, tuple[float, float]]
    constant: tuple[float, float]
    noise: float
    how: str
    points: int
    values: int
    level: float = LEVEL

    def text(self) -> str:
        """``-C * n**a * log(n)**b with a in [-0.51, -0.49], ...``"""
        letters = dict(zip(self.exponents, "abcdfgh", strict=False))
        law = " * ".join(["C", *(f"{base}**{letters[base]}" for base in self.exponents)])
        known = [f"{letters[b]} {_interval(*ends)}" for b, ends in self.exponents.items()]
        known.append(f"C {_interval(*self.constant)}")
        return f"{'-' if self.sign < 0 else ''}{law} with {', '.join(known)}"

    def resolution(self) -> dict[str, float]:
        """Half the length of each exponent's interval: what it can be told apart from."""
        return {base: (high - low) / 2 for base, (low, high) in self.exponents.items()}

    def to_json(self) -> Mapping[str, object]:
        return {
            "text": self.text(),
            "sign": self.sign,
            "exponents": {base: list(ends) for base, ends in self.exponents.items()},
            "resolution": self.resolution(),
            "constant": list(self.constant),
            "noise": self.noise,
            "how": self.how,
            "points": self.points,
            "values": self.values,
            "level": self.level,
        }


def _interval(low: float, high: float) -> str:
    """To two digits of the length."""
    width = high - low
    digits = 6 if width <= 0 else int(min(max(2 - np.floor(np.log10(width)), 0), 12))
    return f"in [{low:.{digits}f}, {high:.{digits}f}]"


def gathered(columns: Mapping[str, Floats], values: Floats) -> Measurements:
    """Rows put together by their coordinates: ``columns`` (rows,) each, ``values`` (rows,).

    Raises ValueError for values that are not finite.
    """
    if not np.all(np.isfinite(values)):
        raise ValueError("explore: the values hold NaN or infinity")
    names = list(columns)
    table = np.stack([columns[n] for n in names], axis=1) if names else np.zeros((len(values), 1))
    distinct, place = np.unique(table, axis=0, return_inverse=True)
    place = place.reshape(-1)
    counts = np.bincount(place, minlength=len(distinct))
    means = np.bincount(place, weights=values, minlength=len(distinct)) / counts
    squares = np.bincount(place, weights=(values - means[place]) ** 2, minlength=len(distinct))
    with np.errstate(divide="ignore", invalid="ignore"):
        errors = np.sqrt(squares / (counts - 1) / counts)
    return Measurements({n: distinct[:, j] for j, n in enumerate(names)}, means, errors, counts)


def spread_of(samples: Measurements, most: int) -> Measurements:
    """At most so many of the points, evenly along their order."""
    count = len(samples.means)
    if count <= most:
        return samples
    return samples.chosen(np.unique(np.linspace(0, count - 1, most).round().astype(np.intp)))


def scalings(samples: Measurements) -> list[Scaling]:
    """The simplest power laws that the values allow: powers of all moving columns, then with one
    logarithm more. Empty where the values change their sign or no shape fits."""
    samples = spread_of(samples, MOST_POINTS)
    signs = np.sign(samples.means)
    if len(signs) == 0 or signs[0] == 0 or np.any(signs != signs[0]):
        return []
    moving = [n for n, c in samples.columns.items() if np.all(c > 0) and len(np.unique(c)) > 1]
    if not moving:
        return []
    powers = [(n, np.log(samples.columns[n])) for n in moving]
    logs = [
        (f"log({n})", np.log(np.log(samples.columns[n])))
        for n in moving
        if np.all(samples.columns[n] > 1)
    ]
    found: list[Scaling] = []
    fit = _through_intervals if samples.replicated else _by_residuals
    for extra in [(), *((log,) for log in logs)]:
        bases = [*powers, *extra]
        if len(samples.means) < len(bases) + 1 + _LEAST_SPARE:
            continue
        scaling = fit(samples, bases, int(signs[0]))
        if scaling is not None:
            found.append(scaling)
    return found


Base = tuple[str, Floats]


def _design(samples: Measurements, bases: Sequence[Base]) -> Floats:
    return np.stack([np.ones(len(samples.means)), *(c for _, c in bases)], axis=1)


def _through_intervals(samples: Measurements, bases: Sequence[Base], sign: int) -> Scaling | None:
    size, half = np.abs(samples.means), samples.reach()
    if np.any(half >= size):
        return None  # zero is among the values: logarithms say nothing
    low, high = np.log(size - half), np.log(size + half)
    box = extent(_design(samples, bases), (low + high) / 2, (high - low) / 2)
    if box is None:
        return None
    relative = samples.errors * np.sqrt(samples.counts) / size
    return _made(samples, bases, sign, box, float(np.median(relative)), "replicates")


def _by_residuals(samples: Measurements, bases: Sequence[Base], sign: int) -> Scaling | None:
    from scipy.stats import t

    design, logs = _design(samples, bases), np.log(np.abs(samples.means))
    rows, unknowns = design.shape
    if np.linalg.matrix_rank(design) < unknowns:
        return None
    solved, *_ = np.linalg.lstsq(design, logs, rcond=None)
    free = rows - unknowns
    noise = float(np.sqrt(np.sum((logs - design @ solved) ** 2) / free))
    spread = noise * np.sqrt(np.diag(np.linalg.inv(design.T @ design)))
    quantile = float(t.ppf(1 - LEVEL / (2 * unknowns), free))
    ends = zip(solved - quantile * spread, solved + quantile * spread, strict=True)
    box = [(float(a), float(b)) for a, b in ends]
    return _made(samples, bases, sign, box, noise, "residuals")


def _made(
    samples: Measurements,
    bases: Sequence[Base],
    sign: int,
    box: Sequence[tuple[float, float]],
    noise: float,
    how: str,
) -> Scaling:
    exponents = {
        name: ends for (name, _), ends in zip(bases, itertools.islice(box, 1, None), strict=True)
    }
    with np.errstate(over="ignore"):
        constant = (float(np.exp(box[0][0])), float(np.exp(box[0][1])))
    values = int(np.sum(samples.counts))
    return Scaling(sign, exponents, constant, noise, how, len(samples.means), values)


__all__ = ["LEVEL", "Measurements", "Scaling", "gathered", "scalings", "spread_of"]
