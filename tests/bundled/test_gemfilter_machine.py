"""GemFilter's counts for all sizes: what a program does beyond the stated degrees is seen, every size is used."""

import importlib

import pytest

from theorycheck.library.loading import Library, bundled, load_source

LIBRARY = Library(bundled())


@pytest.fixture
def machine():
    load_source(LIBRARY, bundled() / "gemfilter")
    return importlib.import_module(f"{LIBRARY.package}.gemfilter._machine")


@pytest.fixture
def identity(machine):
    return machine.identity


def square(ops, n, k):
    ops.hold(n, n * k)
    return ops.meter.held


def test_an_identity_of_counts_holds_for_all_sizes(identity):
    assert identity(square, lambda n, k: n * n * k, n=1, k=1).holds
    assert not identity(square, lambda n, k: n * n * k + n + -1, n=1, k=1).holds


@pytest.mark.parametrize("wide", [False, True])
def test_what_is_held_from_some_size_on_raises_the_degree(identity, wide):
    def more(ops, n, k):
        beyond = (k + -1) * (k + -2)  # 0 where a polynomial of degree 1 is looked at
        ops.hold(*((1, beyond) if wide else (beyond, 1)))
        return square(ops, n, k)

    found = identity(more, lambda n, k: n * n * k, n=1, k=1)
    assert not found.holds and found.counterexample["point"]["k"] == 3


def test_a_size_that_the_program_does_not_use_is_refused(identity):
    with pytest.raises(ValueError, match="nothing that the program does depends on b"):
        identity(lambda ops, n, k, b: square(ops, n, k), lambda n, k, b: n * n * k, n=1, k=1, b=0)


def test_the_smallest_sizes_are_not_left_out(identity):
    with pytest.raises(ValueError, match="left out of k"):
        identity(square, lambda n, k: n * n * k, n=1, k=2)


def test_the_peak_of_a_phase_that_drops_something_is_not_its_end(machine):
    ops = machine.Arrays()
    ops.hold(2, 3)
    assert ops.meter.most == 6
    ops.drop(1, 3)
    with pytest.raises(ValueError, match="dropped"):
        ops.meter.most  # noqa: B018


def test_a_size_that_only_an_earlier_phase_uses_is_used(identity):
    def second_phase(ops, n, b):
        ops.hold(n + b, 1)
        ops.meter.held = 0
        ops.hold(n, 1)
        return ops.meter.held

    assert identity(second_phase, lambda n, b: n * 1, n=1, b=0).holds


def test_a_cache_that_was_given_back_is_not_read(machine):
    ops = machine.Arrays()
    cache, other = ops.empty(2, 3), ops.empty(2, 3)
    ops.hold(2, 3)
    ops.give_back(cache)
    assert ops.meter.held == 0 and ops.part(other, 0, 1, 0, 1).shape == (1, 1)
    with pytest.raises(ValueError, match="given back"):
        ops.part(cache, 0, 1, 0, 1)


def test_weights_of_a_layer_that_is_not_loaded_are_not_read(machine):
    ops = machine.Arrays()
    ops.loads(2)
    ops.weights(1, "Wq", 2, 2)
    with pytest.raises(ValueError, match="not loaded"):
        ops.weights(2, "Wq", 2, 2)


def test_a_layer_out_of_turn_and_a_place_left_out_are_counted(identity):
    def layers(ops, n):
        for layer in ops.loop(n):
            ops.entered(layer)
        return ops.meter.astray

    def twice(ops, n):
        layers(ops, n)
        return layers(ops, n)

    def places(ops, n, k):
        tokens = [0] * n if isinstance(n, int) else (n,)
        ops.embedded(tokens, 0, 1)
        ops.embedded([0] if isinstance(n, int) else (1,), n + k, 1)
        return ops.meter.gaps

    assert identity(layers, lambda n: 0, n=1).holds
    assert not identity(twice, lambda n: 0, n=1).holds
    assert not identity(places, lambda n, k: 0, n=1, k=0).holds
    assert identity(places, lambda n, k: k * k, n=1, k=0).holds
