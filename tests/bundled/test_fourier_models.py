"""The shared models of the Fourier source: exact against float, backends against each other, gradients
against finite differences, certificates against brute force, and what they must refuse."""

from __future__ import annotations

import importlib
import itertools
import math
from fractions import Fraction

import array_api_strict
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from theorycheck import instances
from theorycheck.arrays import BallNamespace, FloatNamespace, IntervalNamespace, enclose
from theorycheck.arrays.streams import Stream
from theorycheck.blocks import adamw
from theorycheck.library.loading import _package, bundled, libraries, load_file

load_file(bundled() / "fourier_circuits" / "max_margin.py")
PACKAGE = _package(libraries()[0], bundled() / "fourier_circuits")


def part(name):
    return importlib.import_module(f"{PACKAGE}.{name}")


attention, cyclotomic, designs, formula, maximisers, network, neuron, onelayer, training = (
    part(f"_{name}")
    for name in (
        "attention", "cyclotomic", "designs", "formula", "maximisers", "network", "neuron",
        "onelayer", "training",
    )
)  # fmt: skip
FLOATS = FloatNamespace(np)
STRICT = FloatNamespace(array_api_strict)


def stream(ns=FLOATS):
    return Stream(0, "test", "judge", "leg", {}, 0, ns)


def gamma(k, p):
    return float(formula.gamma_any.subs({formula.k: k, formula.p: p}))


# ---------------------------------------------------------------- the network


@pytest.mark.parametrize(("k", "p"), [(1, 3), (2, 4), (3, 3)])
def test_outputs_follow_the_definition(k, p):
    rng = np.random.default_rng(1)
    u, w = rng.standard_normal((4, k, p)), rng.standard_normal((4, p))
    found = network.outputs(FLOATS, network.Network(u, w), k, p)
    for row, a in enumerate(itertools.product(range(p), repeat=k)):
        by_hand = sum((sum(u[h, i, a[i]] for i in range(k)) ** k) * w[h] for h in range(4))
        assert np.allclose(found[row], by_hand)
    gaps = network.margins(FLOATS, network.Network(u, w), k, p)
    a = (p - 1,) * k
    s = sum(a) % p
    assert np.allclose(sorted(gaps[-1]), sorted(found[-1][s] - np.delete(found[-1], s)))


def test_outer_exponents_of_the_norm():
    net = network.Network(np.ones((5, 2, 3)), np.ones((5, 3)))
    size = 9**0.5
    assert math.isclose(network.norm_power(FLOATS, net, 2), 5 * size**3)
    assert math.isclose(network.norm_power(FLOATS, net, 2, 2), (5 * size**2) ** 1.5)


@pytest.mark.parametrize(("k", "p"), [(2, 5), (3, 3)])
def test_arithmetics_agree(k, p):
    def program(ns):
        return network.margin_range(
            ns, network.cosine_network(ns, network.source_design(k, p), p), k, p
        )

    balls, intervals = BallNamespace(128), IntervalNamespace(np)
    with balls.working():
        tight = enclose(program(balls))
    wide = enclose(program(intervals))
    loose = program(FLOATS)
    strict = program(STRICT)
    for ball, interval, x, y in zip(tight, wide, loose, strict, strict=True):
        assert interval.contains(ball)
        assert math.isclose(float(x), float(y), rel_tol=1e-12)
        assert math.isclose(float(x), gamma(k, p), rel_tol=1e-12)


@pytest.mark.parametrize("ns", [FLOATS, STRICT], ids=["numpy", "strict"])
def test_even_modulus_network_attains_its_margin(ns):
    for k, p in [(2, 2), (2, 4), (3, 4), (2, 6)]:
        found = network.smallest_margin(ns, network.any_modulus_network(ns, k, p), k, p)
        assert math.isclose(float(found), gamma(k, p), rel_tol=1e-10)


# ---------------------------------------------------------------- the cyclotomic field


@given(st.integers(3, 24), st.lists(st.integers(-9, 9), min_size=1, max_size=6), st.data())
@settings(max_examples=60, deadline=None)
def test_coordinates_are_those_of_the_number(N, coefficients, data):
    powers = data.draw(st.lists(st.integers(0, N - 1), min_size=1, max_size=6))
    number = np.zeros(N, dtype=np.int64)
    for c, e in zip(coefficients, powers, strict=False):
        number[e] += c
    x = np.exp(2j * np.pi / N)
    found = cyclotomic.coordinates(number)
    assert np.isclose(found @ x ** np.arange(len(found)), number @ x ** np.arange(N))


@pytest.mark.parametrize("N", [3, 4, 5, 9, 12, 15, 20])
def test_the_sum_of_all_roots_is_zero_and_one_root_is_not_rational(N):
    assert not np.any(cyclotomic.coordinates(np.ones(N, dtype=np.int64)))
    root = np.zeros(N, dtype=np.int64)
    root[1] = 1
    with pytest.raises(cyclotomic.IrrationalError):
        cyclotomic.rationals(root)


def test_large_coefficients_are_refused():
    with pytest.raises(OverflowError):
        cyclotomic.coordinates(np.full(5, 2**61, dtype=np.int64))
    with pytest.raises(OverflowError):
        cyclotomic.doubled_outputs([network.Neuron(1, (0,) * 14, 0)], 14, 3)


@pytest.mark.parametrize(("k", "p"), [(1, 3), (2, 3), (2, 5), (3, 3)])
def test_exact_outputs_equal_the_floats(k, p):
    design = network.source_design(k, p)
    exact = cyclotomic.doubled_outputs(design, k, p)
    roots = np.exp(2j * np.pi * np.arange(4 * p) / (4 * p))
    floats = network.outputs(FLOATS, network.cosine_network(FLOATS, design, p), k, p)
    assert np.allclose((exact @ roots).real / 2 ** (k + 1), floats)
    assert np.allclose((exact @ roots).imag, 0)


def test_exact_margins_of_both_designs_agree_and_a_broken_design_is_irrational():
    for k, p in [(2, 5), (3, 3)]:
        source = cyclotomic.normalised_margins(network.source_design(k, p), k, p)
        small = cyclotomic.normalised_margins(network.small_design(k, p), k, p, 2 * (k + 1))
        assert source == small
        value = float(source[0].coefficient) * math.sqrt(source[0].radicand)
        assert math.isclose(value, gamma(k, p))
    with pytest.raises(cyclotomic.IrrationalError):
        cyclotomic.normalised_margins(network.source_design(2, 5)[:7], 2, 5)


# ---------------------------------------------------------------- one neuron


@pytest.mark.parametrize(("k", "p"), [(1, 5), (2, 4), (3, 3)])
def test_objective_is_the_mean_class_weighted_margin_of_one_neuron(k, p):
    rng = np.random.default_rng(2)
    u, w = rng.standard_normal((k, p)), rng.standard_normal(p)
    weights = rng.random(p - 1)
    weights /= weights.sum()
    gaps = network.margins(FLOATS, network.Network(u[None], w[None]), k, p)
    assert np.isclose(neuron.objective(FLOATS, u, w, k, p, weights), (gaps @ weights).mean())
    assert np.isclose(neuron.objective(FLOATS, u, w, k, p), gaps.mean())


@pytest.mark.parametrize(("k", "p"), [(1, 5), (2, 4), (3, 5)])
def test_gradient_of_the_objective(k, p):
    theta = np.random.default_rng(3).standard_normal((k + 1, p))
    value, slope = neuron.value_and_gradient(theta, k, p)
    assert np.isclose(value, neuron.objective(FLOATS, theta[:k], theta[k], k, p))
    check_gradient(lambda x: neuron.value_and_gradient(x, k, p)[0], theta, slope)


@given(st.integers(0, 10**6), st.sampled_from([(1, 5), (2, 3), (2, 4), (2, 5), (3, 3), (3, 4)]))
@settings(max_examples=80, deadline=None)
def test_no_neuron_passes_the_upper_bound(seed, size):
    k, p = size
    rng = np.random.default_rng(seed)
    u, w = rng.standard_normal((k, p)), rng.standard_normal(p)
    weights = rng.random(p - 1)
    weights /= weights.sum()
    for q in (None, weights):
        bound = float(neuron.upper_bound(FLOATS, k, p, q))
        assert float(neuron.normalised(FLOATS, u, w, k, p, q)) <= bound * (1 + 1e-12)


@pytest.mark.parametrize(("k", "p"), [(2, 5), (2, 4), (3, 3)])
def test_the_upper_bound_is_reached_by_ascents(k, p):
    best = max(float(neuron.rigorous_value(t, k, p).mid()) for t in neuron.ascend(k, p, 6, 0))
    assert math.isclose(best, float(neuron.upper_bound(FLOATS, k, p)), rel_tol=1e-6)


def test_a_forbidden_frequency_lowers_the_bound():
    weights = np.full(4, 0.25)
    assert neuron.upper_bound(FLOATS, 2, 5, weights, without=1) > 0
    one = np.cos(2 * np.pi * np.arange(5) / 5)
    norms = neuron.frequency_norms(FLOATS, np.stack([one, one]), one)
    assert np.allclose(norms, [0, 1, 0])


# ---------------------------------------------------------------- bounds, maximisers, mixed neurons


def test_a_constant_table_needs_the_monomials_that_miss_a_summand():
    k, p = 2, 3
    best, off_line, missing = neuron.table_bounds(FLOATS, np.ones((p,) * (k + 1)), k, p)
    # u_1 = u_2 = w = 1: 9 inputs and 3 labels of value 4, over a norm of 9^(3/2)
    value = 4 * p ** (k + 1) / (3 * p) ** ((k + 1) / 2)
    assert math.isclose(float(off_line), 0, abs_tol=1e-9)
    assert float(np.max(best)) < value < float(np.max(best) + missing)


def test_a_table_off_the_line_needs_what_lies_there():
    p = 5
    table = np.eye(p) - 1 / p  # 1[a = c]: met at j_2 = -j_1, the line
    best, off_line, _ = neuron.table_bounds(FLOATS, table, 1, p)
    assert math.isclose(float(np.max(best)), 0.5)
    assert math.isclose(float(off_line), 0, abs_tol=1e-9)
    best, off_line, _ = neuron.table_bounds(FLOATS, table[:, -np.arange(p)], 1, p)
    assert math.isclose(float(np.max(best)), 0, abs_tol=1e-9)
    assert float(off_line) >= 0.5


@pytest.mark.parametrize(("k", "p"), [(1, 5), (2, 5), (3, 3)])
def test_drawn_maximisers_are_maximisers(k, p):
    drawn = instances(maximisers.MAXIMISER, smoke=1)
    fields = drawn.drawn(stream(), {"k": k, "p": p})
    given = {name: FLOATS.asarray(fields[name]) for name in maximisers.FIELDS.split()}
    net = maximisers.network_of(FLOATS, **given, k=k, p=p)
    assert math.isclose(float(network.norm_power(FLOATS, net, k)), 1)
    gaps = network.margins(FLOATS, net, k, p)
    assert np.allclose(gaps, gamma(k, p))


def test_translates_of_a_mixed_neuron_have_its_own_margin():
    form = part("neuron_form")
    seen = form.mixed(FLOATS, 2, 5)
    assert math.isclose(float(seen["value"]) / gamma(2, 5), 0.9**1.5 + 0.1**1.5)
    assert math.isclose(float(seen["quality"]), 0.9**1.5 + 0.1**1.5)
    assert round(float(seen["value"]) / gamma(2, 5), 3) == 0.885


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_only_full_monomials_see_the_shift(k):
    reduction = part("dft_reduction")
    assert reduction.for_every_modulus(k).holds
    assert sum(reduction.monomials(k).values()) == k**k


def test_a_block_with_other_phases_is_no_cosine():
    construction = part("construction")
    assert construction.block_identity(3).holds
    turned = [network.Neuron(n.frequency, n.phases, n.out + 1) for n in network.source_design(3, 3)]
    assert not construction.block_identity(3, lambda k, p: turned).holds
    assert not construction.block_identity(3, lambda k, p: network.source_design(3, 3)[1:]).holds


# ---------------------------------------------------------------- trainings


def check_gradient(value, at, slope, step=1e-6):
    for index in np.ndindex(at.shape):
        up, down = at.copy(), at.copy()
        up[index] += step
        down[index] -= step
        assert math.isclose((value(up) - value(down)) / (2 * step), slope[index], abs_tol=2e-7)


@pytest.mark.parametrize(("k", "p", "m"), [(1, 3, 2), (2, 3, 4), (3, 3, 3)])
def test_gradient_of_the_regularised_loss(k, p, m):
    theta = np.random.default_rng(4).standard_normal(m * (k + 1) * p) / 2
    args = (m, k, p, 0.1)
    value, slope = training.loss_and_gradient(theta, *args)
    check_gradient(lambda x: training.loss_and_gradient(x, *args)[0], theta, slope)
    found = training.rigorous_loss(training.split(theta, m, k, p), k, p, Fraction(1, 10))
    assert math.isclose(float(found.mid()), value, rel_tol=1e-9)


def cross_entropy(logits, targets, weight):
    shifted = logits - logits.max(axis=-1, keepdims=True)
    log = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    return -(log * targets * weight).sum(axis=(1, 2))


def test_gradient_of_the_one_layer_network():
    k, p = 3, 3
    theta = stream().normal((2, 4, k + 1, p)) * 0.6
    rows = adamw.train_rows(FLOATS, stream(), 2, p**k, 20)
    whole = onelayer.table(FLOATS, k, p)
    data = onelayer.Table(whole.inputs, whole.targets, rows / 20)
    assert np.array_equal(rows.sum(axis=(1, 2)), [20, 20])

    def loss(x):
        *_, logits = onelayer.forward(FLOATS, x, data, k, p)
        return cross_entropy(logits, data.targets, data.weight).sum()

    check_gradient(loss, theta, onelayer.gradient(FLOATS, theta, data, k, p))
    *_, logits = onelayer.forward(FLOATS, theta, data, k, p)
    by_definition = network.outputs(FLOATS, network.Network(theta[0, :, :k], theta[0, :, k]), k, p)
    assert np.allclose(logits[0], by_definition)


def test_gradient_of_the_transformer():
    shape = attention.Shape(p=3, k=3, d=4, heads=2, inner=2)
    theta = attention.start(FLOATS, stream(), 2, shape)
    weight = np.random.default_rng(5).random((2, 27, 1))
    data = attention.table(FLOATS, shape, weight)
    slopes = attention.gradient(FLOATS, theta, data, shape)
    for name in theta:

        def loss(x, name=name):
            logits = attention.forward(FLOATS, {**theta, name: x}, data, shape)[3]
            return cross_entropy(logits, data.targets, weight).sum()

        check_gradient(loss, theta[name], slopes[name])


def test_transformer_does_not_see_the_order():
    shape = attention.Shape(p=4, k=2, d=3, heads=2, inner=2)
    theta = attention.start(FLOATS, stream(), 1, shape)
    logits = attention.forward(FLOATS, theta, attention.table(FLOATS, shape, 1.0), shape)[3][0]
    table = logits.reshape(4, 4, 4)
    assert np.allclose(table, table.swapaxes(0, 1))


@pytest.mark.parametrize("model", ["one layer", "transformer"])
def test_training_runs_on_the_strict_array_api(model):
    ends = []
    for ns in (FLOATS, STRICT):
        recipe = adamw.Recipe(4, Fraction(1, 50), Fraction(1, 2))
        if model == "one layer":
            theta = ns.from_float64(stream().normal((2, 3, 3, 3)))
            end = onelayer.train(ns, theta, onelayer.table(ns, 2, 3), 2, 3, recipe)
            ends.append(np.asarray(onelayer.concentration(ns, end, 2)))
        else:
            shape = attention.Shape(p=3, k=2, d=3, heads=2, inner=2)
            theta = attention.start(FLOATS, stream(), 2, shape)
            theta = {name: ns.from_float64(x) for name, x in theta.items()}
            data = attention.table(ns, shape, ns.rational(1, 9))

            def slope(now, ns=ns, data=data, shape=shape):
                return attention.gradient(ns, now, data, shape)

            ends.append(
                np.asarray(attention.planar_share(ns, adamw.adamw(ns, theta, slope, recipe)))
            )
    assert np.allclose(*ends, rtol=1e-9)


# ---------------------------------------------------------------- numbers of neurons


def test_exponents_are_those_of_the_power():
    for k in (1, 2, 3, 4):
        wanted = {
            m
            for m in itertools.product(range(-k, k + 1), repeat=k)
            if sum(map(abs, m)) <= k and (sum(map(abs, m)) - k) % 2 == 0
        }
        assert set(designs.exponents(k)) == wanted


def test_designs_are_told_from_others():
    assert all(designs.is_design(*designs.rotations_and_signs(k)) for k in range(1, 6))
    assert not any(designs.is_design(*designs.rotations_and_signs(k, k)) for k in range(2, 5))
    nodes, turn = designs.rotations_and_signs(2)
    assert not designs.is_design(nodes[1:], turn)
    assert designs.distinct_nodes([*nodes, nodes[0]], turn) == len(nodes)


@pytest.mark.parametrize("k", [1, 2, 3])
def test_square_bounds_never_pass_a_design(k):
    """Whatever the rows: a sum of squares bounds every design, so the bound is at most its size."""
    rng = np.random.default_rng(k)
    size = len(designs.rotations_and_signs(k)[0])
    for _ in range(30):
        rows = rng.integers(-9, 10, (int(rng.integers(1, 4)), len(designs.exponents(k))))
        if np.any(rows):
            assert designs.square_bound(k, rows.tolist()) <= size


def test_bundled_certificates_and_what_spoils_them():
    assert [designs.least_neurons(k) for k in (1, 2, 3, 4)] == [2, 6, 16, 40]
    rows = designs.rows_of(3)
    rows[-1][0] += 60
    assert designs.square_bound(3, rows) < designs.square_bound(3, designs.rows_of(3))
    assert designs.clique_bound(2, [(0, 0), (3, 3)]) == 1
    assert designs.clique_bound(2, [(0, 0), (1, 1)]) == 2
    with pytest.raises(OverflowError):
        designs.square_bound(1, [[2**40, 1]])


# ---------------------------------------------------------------- figures of the literature


@pytest.mark.parametrize(
    ("k", "p", "printed"),
    [
        (1, 97, "5.208333333e-03"),
        (2, 3, "7.856742013e-02"),
        (2, 97, "2.878564834e-04"),
        (3, 47, "8.672525439e-05"),
        (4, 5, "3.394112550e-03"),
        (5, 23, "1.193408566e-05"),
    ],
)
def test_reference_margins(k, p, printed):
    assert f"{gamma(k, p):.9e}" == printed


@pytest.mark.parametrize(
    ("k", "p", "penalty", "loss", "norm"),
    [
        (2, 3, "0.01", 0.0464582559, 4.429340),
        (2, 5, "0.01", 0.0648306529, 6.197448),
        (3, 3, "0.01", 0.0404448501, 3.910628),
        (2, 4, "0.01", 0.0544414253, None),
        (2, 5, "0.03", 0.1844780031, None),
    ],
)
def test_reference_optima_of_the_regularised_loss(k, p, penalty, loss, norm):
    from scipy.optimize import minimize_scalar

    regularised = part("regularised")
    form = regularised.least_loss(regularised.R).subs({formula.k: k, formula.p: p})
    form = form.subs(regularised.lam, penalty)
    found = minimize_scalar(
        lambda r: float(form.subs(regularised.R, r).evalf()),
        bounds=(2, 12),
        method="bounded",
        options={"xatol": 1e-9},
    )
    assert math.isclose(found.fun, loss, abs_tol=6e-11)
    if norm is not None:
        assert math.isclose(found.x, norm, abs_tol=2e-5)
