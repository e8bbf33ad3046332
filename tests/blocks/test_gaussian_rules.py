"""Rules are exact up to their degree, and not beyond."""

import numpy as np
import pytest

from theorycheck.blocks import gaussian_rules


def normal_moment(n):
    return 0 if n % 2 else int(np.prod(range(1, n, 2), initial=1))


@pytest.mark.parametrize(("name", "degree"), [("THIRD", 3), ("FIFTH", 5), ("SEVENTH", 7)])
def test_rules_have_the_moments_of_a_normal_variable_up_to_their_degree(name, degree):
    nodes, weights = gaussian_rules.product_rule([getattr(gaussian_rules, name)])
    for n in range(degree + 1):
        found = sum(w * node[0] ** n for node, w in zip(nodes, weights, strict=True))
        assert found == normal_moment(n)
    beyond = sum(w * node[0] ** (degree + 1) for node, w in zip(nodes, weights, strict=True))
    assert beyond != normal_moment(degree + 1)


def test_product_rule_integrates_mixed_moments():
    nodes, weights = gaussian_rules.product_rule([gaussian_rules.FIFTH, gaussian_rules.THIRD])
    assert sum(weights) == 1
    assert sum(w * a**4 * b**2 for (a, b), w in zip(nodes, weights, strict=True)) == 3
