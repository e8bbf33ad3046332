"""Experiments of the Fourier source at small size: merged rows, the path of the paper's sizes, pictures."""

from __future__ import annotations

import dataclasses
import importlib
import math
from fractions import Fraction

import numpy as np
import pytest

from theorycheck.arrays import FloatNamespace
from theorycheck.arrays.streams import Stream
from theorycheck.library.loading import _package, bundled, libraries, load_file

for _name in ("exp_onelayer", "exp_transformer", "exp_grokking", "trained_widths"):
    load_file(bundled() / "fourier_circuits" / f"{_name}.py")
PACKAGE = _package(libraries()[0], bundled() / "fourier_circuits")
FLOATS = FloatNamespace(np)


def part(name):
    return importlib.import_module(f"{PACKAGE}.{name}")


def stream():
    return Stream(0, "test", "judge", "leg", {}, 0, FLOATS)


@pytest.mark.parametrize(("k", "p"), [(2, 4), (3, 3)])
def test_one_row_for_each_multiset_gives_the_same_gradient(k, p):
    """Any weights of the rows: those of one multiset add up."""
    attention = part("_attention")
    shape = attention.Shape(p=p, k=k, d=3, heads=2, inner=2)
    theta = attention.start(FLOATS, stream(), 2, shape)
    weight = np.random.default_rng(2).random((2, p**k, 1))
    rows, which = attention.unordered(k, p)
    assert np.bincount(which).max() == math.factorial(k)
    merged = np.stack([np.bincount(which, weights=w[:, 0])[:, None] for w in weight])
    whole = attention.gradient(FLOATS, theta, attention.table(FLOATS, shape, weight), shape)
    short = attention.gradient(
        FLOATS, theta, attention.table(FLOATS, shape, merged, rows=rows), shape
    )
    for name, slope in whole.items():
        assert np.allclose(slope, short[name], atol=1e-12)


def test_merged_rows_have_the_same_label():
    attention, network = part("_attention"), part("_network")
    rows, which = attention.unordered(3, 5)
    assert len(rows) == 35
    assert np.array_equal(network.labels(3, 5), network.labels(3, 5)[rows][which])


@pytest.fixture
def short_training(monkeypatch):
    """The source's recipe cut to four steps."""
    onelayer = part("exp_onelayer")
    recipe = dataclasses.replace(onelayer.SOURCE, steps=4)
    monkeypatch.setattr(onelayer, "SOURCE", recipe)
    return onelayer


def test_large_tables_are_seen_in_batches_of_half_of_them(short_training):
    """Tables beyond 1024 rows, as all of the source's are."""
    k, p = 2, 37
    assert p**k > short_training.BATCH
    seen = set(short_training.half_of_the_rows(k, p).tolist())
    assert len(seen) == p**k // 2
    first, second = (short_training.rows_of(FLOATS, k, p, t) for t in (0, 1))
    assert first.inputs.shape == (k * p, short_training.BATCH)
    assert not np.array_equal(first.inputs, second.inputs)
    assert np.array_equal(first.inputs, short_training.rows_of(FLOATS, k, p, 0).inputs)


def test_a_training_by_the_source_s_recipe_moves_and_repeats_itself(short_training):
    k, p, m = 2, 37, 8
    begin, end = short_training.one_training(FLOATS, k, p, m)
    assert begin.shape == end.shape == (1, m, k + 1, p)
    assert np.isfinite(end).all()
    moved = np.abs(end - begin).max()
    assert (
        0 < moved < 4 * 2 * float(short_training.SOURCE.rate)
    )  # four steps of at most about the rate
    assert np.array_equal(end, short_training.one_training(FLOATS, k, p, m)[1])


def test_pictures_at_the_source_s_sizes_fit_and_draw(short_training):
    from theorycheck.claims.figures import plain

    panels = plain(short_training.pictures_of_one(FLOATS, 2, 37, 1536), np.asarray)
    assert len(panels) == 6


def test_spectra_of_pictures():
    pictures = part("_pictures")
    x = np.arange(7)
    wave = np.cos(2 * np.pi * 3 * x / 7 + 1)
    assert np.allclose(pictures.spectrum(wave), [0, 0, 0, 1])
    drawn = np.random.default_rng(0).standard_normal(6)
    assert pictures.spectrum(drawn).sum() == pytest.approx(1)
    fine, values = pictures.between(drawn)
    at = np.searchsorted(fine, np.arange(6))
    assert np.allclose(fine[at], np.arange(6))
    assert np.allclose(values[at], drawn)


def test_nine_neurons_do_at_three_and_no_eight_of_them():
    network, cyclotomic = part("_network"), part("_cyclotomic")
    design = network.merged_design()
    least, most = cyclotomic.normalised_margins(design, 3, 3, 6)
    assert (least.rational, least.coefficient) == (True, Fraction(1, 32))
    assert most == least
    for left_out in range(9):
        rest = [n for i, n in enumerate(design) if i != left_out]
        ns = FloatNamespace(np)
        margin = network.smallest_margin(ns, network.cosine_network(ns, rest, 3, 6), 3, 3)
        assert margin < 1 / 32
