"""Building blocks of claims: what simulations of many sources are made of, written once and tested here.

``adamw``: training by AdamW as an array program; ``two_layer_sgd``: online SGD of two-layer networks, many trainings
at once; ``gaussian_rules``: rational quadrature rules that are exact
for Gaussian expectations of low degree; ``rational_matrices``: rational matrices with a prescribed spectrum;
``stated``: what is said of drawn matrices, as predicates that every draw is held to.
Blocks know arrays and exact numbers, no claim and no theorem.
"""
