"""The transformer of Definition 9.2 with h heads and its three ways to generate, on the meters of `_machine`.

n = q B + s prompt tokens, attended in q tiles of B rows (each sees the keys up to its own end) and one of s rows;
m layers, h heads of dimension d, width h d, an MLP of width F; t tokens are generated. Standard attention keeps
every layer's cache; SnapKV keeps k positions for each layer and head, chosen by the last row (H2O: `_h2o`); the
two-pass method runs r layers, keeps one layer's cache at a time, selects k tokens and runs all layers on them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from ._machine import VOCABULARY, Arrays

MATRICES = ("Wq", "Wk", "Wv", "Wo", "W1", "W2")


@dataclass(frozen=True)
class Sizes:
    """All positive, s >= 0; integers, or `Degree`."""

    q: Any
    B: Any
    s: Any
    m: Any
    h: Any
    d: Any
    F: Any

    @property
    def n(self) -> Any:
        return self.q * self.B + self.s

    @property
    def D(self) -> Any:
        return self.h * self.d


def matrix(ops: Any, z: Sizes, layer: Any, name: str) -> Any:
    rows, columns = {"W1": (z.D, z.F), "W2": (z.F, z.D)}.get(name, (z.D, z.D))
    return ops.weights(layer, name, rows, columns)


def load(ops: Any, z: Sizes, layers: Any) -> None:
    """Holds the parameters of so many layers."""
    parameters(ops, z, layers, ops.hold)
    ops.loads(layers)


def unload(ops: Any, z: Sizes, layers: Any) -> None:
    parameters(ops, z, layers, ops.drop)
    ops.loads(-1 * layers)


def load_once(ops: Any, z: Sizes) -> None:
    """All layers, given back at once: before a first pass, which by itself does nothing that depends on those above the
    filter layer."""
    load(ops, z, z.m)
    unload(ops, z, z.m)


def parameters(ops: Any, z: Sizes, layers: Any, change: Any) -> None:
    for _ in ops.loop(layers):
        for name in MATRICES:
            rows, columns = {"W1": (z.D, z.F), "W2": (z.F, z.D)}.get(name, (z.D, z.D))
            change(rows, columns)


def layer_parameters(h: int, d: int, F: int) -> int:
    """w, in numbers, by loading one layer."""
    ops = Arrays()
    load(ops, Sizes(1, 1, 0, 1, h, d, F), 1)
    return ops.meter.held


def attend(
    ops: Any,
    z: Sizes,
    Q: Any,
    K: Any,
    V: Any,
    start: Any,
    rows: Any,
    seen: Any,
    sums: Any = None,
) -> Any:
    """All heads for ``rows`` query rows that begin at ``start`` of Q and stand at the end of ``seen`` keys. What each
    key receives is added to ``sums``, if there are any, head by head."""
    out = ops.empty(rows, z.D)
    for j in ops.loop(z.h):
        query = ops.part(Q, start, rows, j * z.d, z.d)
        keys = ops.part(K, 0, seen, j * z.d, z.d)
        scores = ops.product("attention", query, ops.across(keys))
        weights = ops.masked_softmax(scores, seen + -1 * rows, z.d)
        if sums is not None:
            new = ops.product("accumulation", ops.ones(1, rows), weights)
            ops.put(sums, j, 0, ops.added(ops.part(sums, j, 1, 0, seen), new))
        values = ops.part(V, 0, seen, j * z.d, z.d)
        ops.put(out, 0, j * z.d, ops.product("attention", weights, values))
    return out


def rest(ops: Any, z: Sizes, layer: Any, state: Any, mixed: Any) -> Any:
    """Output projection, residual connections and the MLP: g_i of Definition 9.2."""
    state = ops.added(state, ops.product("linear", mixed, matrix(ops, z, layer, "Wo")))
    inner = ops.rectified(ops.product("linear", state, matrix(ops, z, layer, "W1")))
    return ops.added(state, ops.product("linear", inner, matrix(ops, z, layer, "W2")))


def prompt_layer(
    ops: Any, z: Sizes, layer: Any, state: Any, spare: Any = 0, sums: Any = None
) -> Any:
    """One layer on n rows; its queries, and its cache with room for ``spare`` more. Holds 2 n h d numbers."""
    ops.entered(layer)
    Q = ops.product("linear", state, matrix(ops, z, layer, "Wq"))
    K, V = ops.empty(z.n + spare, z.D), ops.empty(z.n + spare, z.D)
    ops.put(K, 0, 0, ops.product("linear", state, matrix(ops, z, layer, "Wk")))
    ops.put(V, 0, 0, ops.product("linear", state, matrix(ops, z, layer, "Wv")))
    ops.hold(z.n, z.D)
    ops.hold(z.n, z.D)
    mixed = ops.empty(z.n, z.D)
    for i in ops.loop(z.q):
        ops.put(mixed, i * z.B, 0, attend(ops, z, Q, K, V, i * z.B, z.B, (i + 1) * z.B, sums))
    ops.put(mixed, z.q * z.B, 0, attend(ops, z, Q, K, V, z.q * z.B, z.s, z.n, sums))
    return rest(ops, z, layer, state, mixed), Q, K, V


def decode(
    ops: Any, z: Sizes, caches: Any, state: Any, length: Any, first: Any, t: Any
) -> list[int]:
    """t tokens one at a time, from caches of ``length`` positions; positions go on from ``first``."""
    made: list[int] = []
    token = ops.next_token(state)
    for step in ops.loop(t):
        made += token if isinstance(token, list) else []
        row = ops.embedded(token, first + step, z.D)
        for layer in ops.loop(z.m):
            K, V = ops.nth(caches, layer)
            query = ops.product("linear", row, matrix(ops, z, layer, "Wq"))
            for name, cache in (("Wk", K), ("Wv", V)):
                new = ops.product("linear", row, matrix(ops, z, layer, name))
                ops.put(cache, length + step, 0, new)
                ops.hold(1, z.D)
            mixed = attend(ops, z, query, K, V, 0, 1, length + step + 1)
            row = rest(ops, z, layer, row, mixed)
        token = ops.next_token(row)
    return made


def summed_scores(ops: Any, z: Sizes, Q: Any, K: Any) -> Any:
    """The last query's inner products with every key, summed over heads. Shape (1, n)."""
    total = ops.empty(1, z.n)
    for j in ops.loop(z.h):
        query = ops.part(Q, z.n + -1, 1, j * z.d, z.d)
        keys = ops.part(K, 0, z.n, j * z.d, z.d)
        total = ops.added(total, ops.product("selection", query, ops.across(keys)))
    return total


def standard_prompt(ops: Any, z: Sizes, tokens: Any, t: Any = 0) -> Any:
    """Runs all layers and keeps all caches; the final state and the caches."""
    load(ops, z, z.m)
    state, kept = ops.embedded(tokens, 0, z.D), []
    for layer in ops.loop(z.m):
        state, _, K, V = prompt_layer(ops, z, layer, state, t)
        kept.append((K, V))
    return state, kept


def snapkv_prompt(ops: Any, z: Sizes, tokens: Any, k: Any, t: Any = 0) -> Any:
    """The same with k positions kept for each layer and head; a cache is dropped once its copy is made."""
    load(ops, z, z.m)
    state, kept = ops.embedded(tokens, 0, z.D), []
    for layer in ops.loop(z.m):
        state, Q, K, V = prompt_layer(ops, z, layer, state)
        kept.append(compressed(ops, z, K, V, k, t, partial(last_products, ops, z, Q, K)))
    return state, kept


def last_products(ops: Any, z: Sizes, Q: Any, K: Any, j: Any) -> Any:
    """Of the last query of head j with all its keys. Shape (1, n)."""
    keys = ops.part(K, 0, z.n, j * z.d, z.d)
    query = ops.part(Q, z.n + -1, 1, j * z.d, z.d)
    return ops.product("selection", query, ops.across(keys))


def compressed(ops: Any, z: Sizes, K: Any, V: Any, k: Any, t: Any, scores_of: Any) -> Any:
    """Copies of the k positions which the scores of each head, ``scores_of(j)``, choose, with room for t more; the
    whole cache is dropped once they are made."""
    small = ops.empty(k + t, z.D), ops.empty(k + t, z.D)
    for j in ops.loop(z.h):
        found = ops.best(scores_of(j), k)
        ops.selected()
        for target, source in zip(small, (K, V), strict=True):
            head = ops.part(source, 0, z.n, j * z.d, z.d)
            ops.put(target, 0, j * z.d, ops.taken(head, found))
            ops.hold(k, z.d)
    for cache in (K, V):
        ops.give_back(cache)
    return small


def first_pass(ops: Any, z: Sizes, tokens: Any, r: Any, k: Any) -> Any:
    """r layers on the whole prompt, one layer's cache at a time; the sorted indices of the k selected tokens."""
    load(ops, z, r)
    state = ops.embedded(tokens, 0, z.D)
    for layer in ops.loop(r + -1):
        state, _, *caches = prompt_layer(ops, z, layer, state)
        for cache in caches:
            ops.give_back(cache)
    _, Q, *caches = prompt_layer(ops, z, r + -1, state)
    scores = summed_scores(ops, z, Q, caches[0])
    for cache in caches:
        ops.give_back(cache)
    ops.selected()
    return ops.best(scores, k)


def second_sizes(z: Sizes, k: Any) -> Sizes:
    """The k selected tokens are attended row by row."""
    return Sizes(k, 1, 0, z.m, z.h, z.d, z.F)


def tokens_of(n: int, seed: int = 0) -> Sequence[int]:
    """A prompt of n tokens."""
    return [(5 * i * i + 3 * i + seed * (i + 1)) % VOCABULARY for i in range(n)]


def standard(ops: Any, z: Sizes, tokens: Any, t: Any) -> tuple[int, list[int]]:
    """Peak of the prompt phase, tokens; the meter goes on with the generation phase."""
    state, caches = standard_prompt(ops, z, tokens, t)
    peak = ops.meter.peak
    begin_generation(ops)
    return peak, decode(ops, z, caches, state, z.n, z.n, t)


def snapkv(ops: Any, z: Sizes, tokens: Any, k: Any, t: Any) -> tuple[int, list[int]]:
    state, caches = snapkv_prompt(ops, z, tokens, k, t)
    peak = ops.meter.peak
    begin_generation(ops)
    return peak, decode(ops, z, caches, state, k, z.n, t)


def gemfilter(ops: Any, z: Sizes, tokens: Any, r: Any, k: Any, t: Any) -> tuple[int, list[int]]:
    kept = first_pass(ops, z, tokens, r, k)
    peak = ops.meter.peak
    unload(ops, z, r)
    begin_generation(ops)
    again = second_sizes(z, k)
    state, caches = standard_prompt(ops, again, ops.chosen(tokens, kept), t)
    return peak, decode(ops, again, caches, state, k, k, t)


def begin_generation(ops: Any) -> None:
    """The generation phase: its own counts and its own peak."""
    ops.meter.done.clear()
    ops.meter.phase()
