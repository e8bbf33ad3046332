"""Two arithmetics for one instrumented program (`_transformer`): NumPy arrays, and shapes alone.

On `Arrays` multiply-adds and held numbers are counted where they happen. On `Shapes` every size is known only by
its degree in each parameter; a loop is gone through once, its index of the degree of its length. What that run's
meter holds bounds the degrees of the counts: the program has no branch on a size, a product of shapes adds degrees,
a loop adds the degree of its length, a sum takes the larger degree. `identity` makes an equality for all sizes of it.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from theorycheck import Proof

VOCABULARY = 11


@dataclass
class Meter:
    """Multiply-adds by kind; numbers held now, and at most since the phase began; whether some were dropped in it;
    how often a layer was run on a whole prompt; what was run. ``astray``: squares by which the i-th layer that is run,
    and the layer whose weights it reads, miss i. ``read``: tokens embedded since the pass began at position 0,
    ``gaps``: squares by which the first position of what is embedded at once misses how many there were."""

    done: dict[str, Any] = field(default_factory=dict)
    held: Any = 0
    peak: int = 0
    dropped: bool = False
    runs: Any = 0
    layers: list[int] = field(default_factory=list)
    positions: list[int] = field(default_factory=list)
    index_sets: Any = 0
    astray: Any = 0
    read: Any = 0
    gaps: Any = 0

    def multiplied(self, kind: str, count: Any) -> None:
        self.done[kind] = self.done.get(kind, 0) + count

    def begins(self) -> None:
        """A pass, at position 0."""
        self.read = self.gaps = 0

    def phase(self) -> None:
        self.peak = self.held
        self.dropped = False

    @property
    def most(self) -> Any:
        """The peak of a phase in which nothing is dropped, which is what is held at its end."""
        if self.dropped or (isinstance(self.held, int) and self.peak != self.held):
            raise ValueError("something was dropped: the peak may lie before the end")
        return self.held


class Arrays:
    """NumPy arrays. Weights follow from ``seed`` and the names of layer and matrix."""

    def __init__(self, seed: int = 0) -> None:
        self.meter = Meter()
        self.seed = seed
        self.changed: dict[int, int] = {}
        self.gone: list[Any] = []
        self.loaded: int | None = None

    def loop(self, count: int) -> Iterator[int]:
        yield from range(count)

    def nth(self, items: Any, index: int) -> Any:
        return items[index]

    def weights(self, layer: int, name: str, rows: int, columns: int) -> Any:
        if self.loaded is not None and layer >= self.loaded:
            raise ValueError("weights of a layer that is not loaded are read")
        self.meter.astray += (layer - self.meter.runs + 1) ** 2
        seed = [self.seed, self.changed.get(layer, 0), layer, *name.encode()]
        return np.random.default_rng(seed).normal(size=(rows, columns)) / np.sqrt(rows)

    def product(self, kind: str, left: Any, right: Any) -> Any:
        """left (p, q) times right (q, s): p q s multiply-adds."""
        (p, q), (_, s) = left.shape, right.shape
        self.meter.multiplied(kind, p * q * s)
        return left @ right

    def hold(self, rows: int, columns: int) -> None:
        self.meter.held += rows * columns
        self.meter.peak = max(self.meter.peak, self.meter.held)

    def drop(self, rows: int, columns: int) -> None:
        self.meter.held -= rows * columns
        self.meter.dropped = True

    def loads(self, layers: int) -> None:
        """The parameters of so many more layers; of programs that load none, all are there."""
        self.loaded = (self.loaded or 0) + layers

    def give_back(self, cache: Any) -> None:
        """Drops the numbers of a cache, which are not to be read again."""
        self.drop(*cache.shape)
        self.gone.append(cache)

    def entered(self, layer: int) -> None:
        self.meter.astray += (layer - self.meter.runs) ** 2
        self.meter.runs += 1
        self.meter.layers.append(layer)

    def selected(self) -> None:
        self.meter.index_sets += 1

    def empty(self, rows: int, columns: int) -> Any:
        return np.zeros((rows, columns))

    def ones(self, rows: int, columns: int) -> Any:
        return np.ones((rows, columns))

    def put(self, array: Any, row: int, column: int, block: Any) -> None:
        rows, columns = block.shape
        array[row : row + rows, column : column + columns] = block

    def part(self, array: Any, row: int, rows: int, column: int, columns: int) -> Any:
        if any(array is cache for cache in self.gone):
            raise ValueError("a cache that was given back is read")
        return array[row : row + rows, column : column + columns]

    def across(self, array: Any) -> Any:
        return array.T

    def masked_softmax(self, scores: Any, first: int, width: int) -> Any:
        """Of scores/sqrt(width). Rows are positions first, first + 1, ...; later keys have weight 0."""
        rows, columns = scores.shape
        scores = scores / np.sqrt(width)
        seen = np.arange(columns)[None, :] <= first + np.arange(rows)[:, None]
        weights = np.exp(np.where(seen, scores - scores.max(axis=1, keepdims=True), -np.inf))
        return weights / weights.sum(axis=1, keepdims=True)

    def rectified(self, array: Any) -> Any:
        return np.maximum(array, 0)

    def added(self, left: Any, right: Any) -> Any:
        return left + right

    def best(self, scores: Any, k: int) -> Any:
        """Sorted indices of the k largest of a row (1, n); of equal ones the first."""
        return sorted(int(i) for i in np.argsort(-scores[0], kind="stable")[:k])

    def taken(self, array: Any, indices: Any) -> Any:
        return array[indices]

    def chosen(self, tokens: Any, indices: Any) -> Any:
        return [tokens[i] for i in indices]

    def embedded(self, tokens: Any, first: int, width: int) -> Any:
        """Content and position. Shape (tokens, width)."""
        self.meter.positions += [first + i for i in range(len(tokens))]
        if first == 0:
            self.meter.begins()
        self.meter.gaps += (first - self.meter.read) ** 2
        self.meter.read += len(tokens)
        content = [np.random.default_rng([7, t]).normal(size=width) for t in tokens]
        place = (first + np.arange(len(tokens)))[:, None] / (1 + np.arange(width))[None, :]
        return np.array(content) + np.sin(place)

    def next_token(self, state: Any) -> Any:
        """One token, from the last row of a state."""
        return [int(np.argmax(np.abs(state[-1]))) % VOCABULARY]


class Degree:
    """A number known by a bound on its degree in each parameter; plain integers have degree 0."""

    def __init__(self, *factors: str) -> None:
        self.powers = Counter(factors)

    def __add__(self, other: Degree | int) -> Degree:
        return Degree(*(self.powers | powers_of(other)).elements())

    def __mul__(self, other: Degree | int) -> Degree:
        return Degree(*self.powers.elements(), *powers_of(other).elements())

    __radd__, __rmul__ = __add__, __mul__


def powers_of(number: Degree | int) -> Counter[str]:
    return number.powers if isinstance(number, Degree) else Counter()


class Shapes:
    """Shapes of `Degree`; an array is the pair (rows, columns). ``used``: all that the program does, in any phase."""

    def __init__(self) -> None:
        self.meter = Meter()
        self.used = Degree()
        self.times: list[Any] = []

    def loop(self, count: Any) -> Iterator[Any]:
        self.times.append(count)
        yield count * 1
        self.times.pop()

    def nth(self, items: Any, index: Any) -> Any:
        return items[-1]

    def weights(self, layer: Any, name: str, rows: Any, columns: Any) -> Any:
        self.strayed(layer)
        return (rows, columns)

    def strayed(self, layer: Any) -> None:
        self.meter.astray = self.meter.astray + self.missed(layer + self.meter.runs + 1)

    def missed(self, away: Any) -> Any:
        """A square, at most so many times as the loops around it say."""
        return self.repeated(away * away)

    def product(self, kind: str, left: Any, right: Any) -> Any:
        (rows, inner), (_, columns) = left, right
        self.meter.multiplied(kind, self.repeated(rows * inner * columns))
        return (rows, columns)

    def repeated(self, cost: Any) -> Any:
        """What is done once in each round of the loops around it."""
        for count in self.times:
            cost = cost * count
        self.used = self.used + cost
        return cost

    def hold(self, rows: Any, columns: Any) -> None:
        self.meter.held = self.meter.held + self.repeated(rows * columns)

    def drop(self, rows: Any, columns: Any) -> None:
        self.hold(rows, columns)
        self.meter.dropped = True

    def loads(self, layers: Any) -> None:
        """Nothing: which layers are there is seen on arrays."""

    def give_back(self, cache: Any) -> None:
        self.drop(*cache)

    def entered(self, layer: Any) -> None:
        self.strayed(layer)
        self.meter.runs = self.meter.runs + self.repeated(1)

    def selected(self) -> None:
        self.meter.index_sets = self.meter.index_sets + self.repeated(1)

    def empty(self, rows: Any, columns: Any) -> Any:
        return (rows, columns)

    def ones(self, rows: Any, columns: Any) -> Any:
        return (rows, columns)

    def put(self, array: Any, row: Any, column: Any, block: Any) -> None:
        """Nothing: shapes do not change."""

    def part(self, array: Any, row: Any, rows: Any, column: Any, columns: Any) -> Any:
        return (rows, columns)

    def across(self, array: Any) -> Any:
        rows, columns = array
        return (columns, rows)

    def masked_softmax(self, scores: Any, first: Any, width: Any) -> Any:
        return scores

    def rectified(self, array: Any) -> Any:
        return array

    def added(self, left: Any, right: Any) -> Any:
        return (left[0] + right[0], left[1] + right[1])

    def best(self, scores: Any, k: Any) -> Any:
        return (k,)

    def taken(self, array: Any, indices: Any) -> Any:
        return (indices[0], array[1])

    def chosen(self, tokens: Any, indices: Any) -> Any:
        return indices

    def embedded(self, tokens: Any, first: Any, width: Any) -> Any:
        if isinstance(first, int):  # the 0 of a pass that begins
            self.meter.begins()
        self.meter.gaps = self.meter.gaps + self.missed(first + self.meter.read)
        self.meter.read = self.meter.read + self.repeated(tokens[0])
        return (tokens[0], width)

    def next_token(self, state: Any) -> Any:
        return (1,)


SMALLEST = {"s": 0, "b": 0, "a": 0}
"""Sizes that may be 0; all others are at least 1."""


def more_at_the_smallest(
    run: Callable[..., Any], stated: Callable[..., Any], **least: int
) -> Callable[[], Proof]:
    """For a rival: an `identity` of a program that counts one more where all sizes are as small as they may be. It
    stands if these sizes are not looked at."""

    def more(ops: Any, **sizes: Any) -> Any:
        smallest = all(size == SMALLEST.get(name, 1) for name, size in sizes.items())
        return run(ops, **sizes) + int(smallest)

    def shown() -> Proof:
        return identity(more, stated, **least)

    return shown


def identity(run: Callable[..., Any], stated: Callable[..., Any], **least: int) -> Proof:
    """That the count of ``run(ops, **sizes)`` is ``stated(**sizes)`` for all sizes from ``least`` on.

    Both are polynomials of at most the degrees found on `Shapes`; on a grid of one point more than the degree in
    each parameter two such polynomials agree only if they are equal. Raises ValueError where nothing that the
    program does depends on one of the sizes, or where the smallest values of one are left out (`SMALLEST`): of other
    values nothing would be said.
    """
    late = [name for name, low in least.items() if low > SMALLEST.get(name, 1)]
    if late:
        raise ValueError(f"the smallest values are left out of {', '.join(late)}")
    names, shapes = {name: Degree(name) for name in least}, Shapes()
    bound = Degree() + run(shapes, **names) + stated(**names)
    unused = [name for name in least if not shapes.used.powers[name]]
    if unused:
        raise ValueError(f"nothing that the program does depends on {', '.join(unused)}")
    axes = [range(low, low + bound.powers[name] + 1) for name, low in least.items()]
    points = list(itertools.product(*axes))
    for point in points:
        sizes = dict(zip(least, point, strict=True))
        counted, expected = run(Arrays(), **sizes), stated(**sizes)
        if counted != expected:
            return Proof(
                False,
                "a count of the program",
                {"counted": counted, "stated": expected},
                {"point": sizes},
            )
    return Proof(
        True,
        "equality on a grid that the degrees make sufficient",
        {"degrees": dict(bound.powers), "configurations": len(points)},
    )
