"""The width threshold at k = 2 seen in training (derived; see `min_neurons`).

Statement. With 3 (p-1) neurons trainings on the whole table from Gaussian starts reach the maximum margin; with
one neuron less none does. A search shows that the threshold is met in practice; that it is least is
`neuron_count`.

Reference: none; Theorem 4.9 has 4 (p-1) neurons at k = 2 (arXiv 2402.09469).
"""

from __future__ import annotations

from theorycheck import choices, claim, maximises, primes, search, variant

from ._formula import gamma, k, p
from ._training import best_margin


def best_of_width_six(k, p):
    """Best margin of 6 neurons a frequency from four Gaussian starts."""
    return best_margin(k, p, 6 * ((p - 1) // 2), starts=4)


def best_of_width_five(k, p):
    return best_margin(k, p, 6 * ((p - 1) // 2) - 1, starts=4)


trained_widths = claim(
    "fourier-trained-widths",
    title="Width threshold seen in training",
    lhs=r"\gamma(\theta)",
    tex=r"\frac{2\,k!}{(2k+2)^{(k+1)/2}\,(p-1)\,p^{(k-1)/2}}",
    says="At $k=2$ trainings with $3(p-1)$ neurons reach the maximum margin from Gaussian starts; with"
    " one neuron less none does.",
    states="fourier-neuron-count",
    role="derived",
    encodes="proxy",
    domain={k: choices(2), p: primes(3)},
    grid={"smoke": [{k: 2, p: 5}], "standard": [{k: 2, p: 3}, {k: 2, p: 5}]},
    closed_form=gamma,
    mutate=False,  # a search tells widths apart, not formulas: `max_margin` does that
    relation=maximises(),
    legs=[
        search(
            best_of_width_six,
            name="3 (p-1) neurons",
            arithmetic="external",
            error=0,
            model="float64 trainings; the network found is evaluated in balls",
            required=True,
        )
    ],
    rivals=[
        variant("one neuron less", simulation=best_of_width_five, at=[{k: 2, p: 5}]),
        variant("p for p - 1", closed_form=gamma * (p - 1) / p),
    ],
)
