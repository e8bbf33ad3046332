"""H2O on the meters of `_machine`: of each head the k positions that received the most attention so far.

What a key receives is added up over the queries while a layer runs on the prompt (the sums are products with a row of
ones, counted by themselves); then k positions are kept. The source reads H2O as a static method: what is generated is
appended to these, as with SnapKV (`h2o`). `evicting` goes on as the greedy rule of H2O does: after each token the
position with the least sum is dropped, and the cache stays at k. No window of recent positions is set apart: how many
are kept, and so every count, is the same.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from ._transformer import (
    Sizes,
    attend,
    begin_generation,
    compressed,
    decode,
    load,
    matrix,
    prompt_layer,
    rest,
)


def received(ops: Any, length: Any, sums: Any, j: Any) -> Any:
    """What each of so many keys of head j received. Shape (1, length)."""
    return ops.part(sums, j, 1, 0, length)


def h2o_prompt(ops: Any, z: Sizes, tokens: Any, k: Any, t: Any = 0, ledger: bool = False) -> Any:
    """Final state, k positions for each layer and head, with room for t more, and their sums. The sums of a layer's
    whole prompt are entered in the ``ledger`` or not."""
    load(ops, z, z.m)
    state, kept, totals = ops.embedded(tokens, 0, z.D), [], []
    for layer in ops.loop(z.m):
        sums = ops.empty(z.h, z.n)
        if ledger:
            ops.hold(z.h, z.n)
        state, _, K, V = prompt_layer(ops, z, layer, state, sums=sums)
        kept.append(compressed(ops, z, K, V, k, t, partial(received, ops, z.n, sums)))
        totals.append(sums_of_kept(ops, z, k, sums))
        if ledger:
            ops.drop(z.h, z.n)
    return state, kept, totals


def sums_of_kept(ops: Any, z: Sizes, k: Any, sums: Any) -> Any:
    """Head by head in the order of the positions, and a place for one more. Shape (h, k + 1)."""
    total = ops.empty(z.h, k + 1)
    for j in ops.loop(z.h):
        of_head = received(ops, z.n, sums, j)
        left = ops.taken(ops.across(of_head), ops.best(of_head, k))
        ops.put(total, j, 0, ops.across(left))
    return total


def h2o(ops: Any, z: Sizes, tokens: Any, k: Any, t: Any) -> tuple[int, list[int]]:
    state, caches, _ = h2o_prompt(ops, z, tokens, k, t)
    peak = ops.meter.peak
    begin_generation(ops)
    return peak, decode(ops, z, caches, state, k, z.n, t)


def evict(ops: Any, z: Sizes, k: Any, caches: Any, sums: Any) -> None:
    """Of k + 1 positions of each head drops the one with the least sum."""
    for j in ops.loop(z.h):
        found = ops.best(received(ops, k + 1, sums, j), k)
        left = ops.taken(ops.across(received(ops, k + 1, sums, j)), found)
        ops.put(sums, j, 0, ops.across(left))
        ops.put(sums, j, k, ops.empty(1, 1))
        for cache in caches:
            ops.put(cache, 0, j * z.d, ops.taken(ops.part(cache, 0, k + 1, j * z.d, z.d), found))
            ops.drop(1, z.d)


def evicting(ops: Any, z: Sizes, tokens: Any, k: Any, t: Any) -> list[Any]:
    """Generates t tokens; the caches afterwards."""
    state, caches, sums = h2o_prompt(ops, z, tokens, k, 1)
    begin_generation(ops)
    token = ops.next_token(state)
    for step in ops.loop(t):
        row = ops.embedded(token, z.n + step, z.D)
        for layer in ops.loop(z.m):
            K, V = ops.nth(caches, layer)
            query = ops.product("linear", row, matrix(ops, z, layer, "Wq"))
            for name, cache in (("Wk", K), ("Wv", V)):
                ops.put(cache, k, 0, ops.product("linear", row, matrix(ops, z, layer, name)))
                ops.hold(1, z.D)
            heard = ops.nth(sums, layer)
            mixed = attend(ops, z, query, K, V, 0, 1, k + 1, heard)
            evict(ops, z, k, (K, V), heard)
            row = rest(ops, z, layer, row, mixed)
        token = ops.next_token(row)
    return caches
