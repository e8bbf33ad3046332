"""What the source's figures show of a trained model, as panels for the report."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from theorycheck import panel, series

from ._attention import tables
from ._onelayer import spectra

SHOWN = 2
"""Neurons and heads that are shown one by one: the heaviest."""

FINE = 120
"""Points of a line that is drawn fine: an interpolation, a sorted list."""


def spectrum(values: np.ndarray) -> np.ndarray:
    """One-sided power shares of a real vector at the frequencies 0 .. p//2."""
    power = np.abs(np.fft.rfft(values)) ** 2
    doubled = power * np.where(2 * np.arange(power.size) % values.size == 0, 1, 2)
    return doubled / doubled.sum()


def between(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The trigonometric polynomial with the spectrum of ``values``, on a fine grid of [0, p)."""
    p = values.size
    x = np.linspace(0, p, FINE, endpoint=False)
    waves = np.fft.rfft(values)
    weight = np.where(2 * np.arange(waves.size) % p == 0, 1, 2) / p
    turns = np.exp(2j * np.pi * np.outer(x, np.arange(waves.size)) / p)
    return x, (turns @ (weight * waves)).real


def network_panels(
    ns: Any, start: Any, theta: Any, k: int, p: int, host: Callable[[Any], np.ndarray] = np.asarray
) -> list[Any]:
    """Embeddings and spectra of the heaviest neurons, frequencies of all of them, largest shares.

    ``start``, ``theta``: (1, m, k+1, p) before and after training.
    """
    weight, shares = (host(x)[0] for x in spectra(ns, theta, k))
    untrained = host(spectra(ns, start, k)[1])[0]
    first = host(theta)[0, :, 0, :]
    panels = []
    for rank, neuron in enumerate(np.argsort(-weight)[:SHOWN]):
        x, y = between(first[neuron])
        panels.append(
            panel(
                f"embedding u_1 of neuron {rank + 1}",
                x="input a_1",
                y="u_1(a_1)",
                lines=[series("same spectrum", x, y)],
                marks=[series("trained", range(p), first[neuron])],
            )
        )
        panels.append(
            panel(
                f"its spectrum, neuron {rank + 1}",
                x="frequency",
                y="share of the power",
                lines=[series("u_1", range(p // 2 + 1), spectrum(first[neuron]))],
                marks=[series("all of the neuron", range(p // 2 + 1), shares[neuron])],
            )
        )
    dominant = shares[:, 1:].argmax(axis=1)
    mass = [float(weight[dominant == f].sum()) for f in range(p // 2)]
    panels.append(
        panel(
            "all frequencies are covered",
            x="frequency",
            y="weight of its neurons",
            lines=[series("2/(p - 1), Theorem 4.9", [1, p // 2], [2 / (p - 1)] * 2)],
            marks=[series("after training", range(1, p // 2 + 1), mass)],
        )
    )
    ranks = np.unique(np.linspace(0, len(weight) - 1, FINE).round().astype(int))
    panels.append(
        panel(
            "largest share of the power",
            x="neuron, sorted",
            y="largest one-sided share",
            lines=[
                series(name, ranks + 1, np.sort(found.max(axis=1))[::-1][ranks])
                for name, found in (("after training", shares), ("at the start", untrained))
            ],
        )
    )
    return panels


def attention_panels(
    ns: Any, theta: Any, host: Callable[[Any], np.ndarray] = np.asarray
) -> list[Any]:
    """Scores of the heaviest heads in token space, without what the softmax does not see, and their
    two-dimensional spectra. Parameters of one transformer, leading axis 1."""
    scores = host(tables(ns, theta)[0])[0]
    seen = scores - scores.mean(axis=1, keepdims=True)
    panels = []
    for rank, head in enumerate(np.argsort(-(seen**2).sum(axis=(1, 2)))[:SHOWN]):
        power = np.abs(np.fft.fft2(seen[head])) ** 2
        panels.append(
            panel(f"attention of head {rank + 1}", x="query token", y="key token", heat=seen[head])
        )
        panels.append(
            panel(
                f"its power, head {rank + 1}",
                x="query frequency",
                y="key frequency",
                heat=power / power.sum(),
            )
        )
    return panels
