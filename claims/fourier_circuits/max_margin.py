"""Theorem 4.9 (i): the maximum normalised margin of modular addition with k summands."""

from __future__ import annotations

import sympy as sp

from theorycheck import attained, claim, integers, maximises, odd_integers, variant

from ._network import cosine_network, margins, norm_power, source_design

k, p = sp.symbols("k p", integer=True, positive=True)
gamma = 2 * sp.factorial(k) / ((2 * k + 2) ** ((k + 1) / sp.Integer(2)) * (p - 1) * p ** ((k - 1) / sp.Integer(2)))


def margin_of(ns, design, k, p):
    network = cosine_network(ns, design, p)
    return margins(ns, network, k, p) / norm_power(ns, network, k)


def construction(ns, k, p):
    """Smallest and largest normalised margin of the source's network over all inputs and labels."""
    values = margin_of(ns, source_design(k, p), k, p)
    return ns.stack([ns.min(values), ns.max(values)])


def one_frequency_dropped(ns, k, p):
    design = [n for n in source_design(k, p) if n[0] != 1]
    return ns.min(margin_of(ns, design, k, p))


max_margin = claim(
    "fourier-max-margin",
    title="Closed form of the maximum normalised margin",
    domain={k: integers(1), p: odd_integers(3)},
    grid={"smoke": [{k: 1, p: 5}, {k: 2, p: 3}, {k: 2, p: 5}, {k: 3, p: 3}]},
    closed_form=gamma,
    relation=maximises(),
    legs=[attained(construction)],
    rivals=[
        variant("without k!", closed_form=gamma / sp.factorial(k)),
        variant("p for p - 1", closed_form=gamma * (p - 1) / p),
        variant("one frequency dropped", simulation=one_frequency_dropped, at={k: [2], p: [5]}),
    ],
)
