"""Planted detectors in training: runs of the network, and what one step of it brings to each feature."""

from __future__ import annotations

from fractions import Fraction

from flint import ctx

from ._data import COMMON, NOISE, SUBCLASS, binomial_law, cut, features, other, vector, word
from ._network import BITS, Neuron, dot, fine_labels, number, outputs, stepped, total, updates


def halves(scores):
    """The probabilities of two equal outputs."""
    return {c: Fraction(1, 2) for c in scores}


def labelled(batch):
    """(patches, class) of every sample."""
    return [(e["patches"], e["y"]) for e in batch]


def counted(y, c, a, b, P, k, d):
    """A sample of (y, c) with a common and b subclass patches, without noise."""
    kinds = [COMMON] * a + [SUBCLASS] * b + [NOISE] * (P - a - b)
    return {
        "y": y,
        "c": c,
        "kinds": kinds,
        "patches": [vector(word(e, y, c), k, d) for e in kinds],
    }


def equal_batch(s, P, k, d):
    """One sample of every subclass, with s common and s subclass patches."""
    return [counted(y, c, s, s, P, k, d) for y, c in fine_labels(k)]


def placed(k):
    """Features in the order in which a class net has its detectors, for both classes."""
    return [(y, v) for y in "+-" for v in features(y, k)]


def grown(network, batches, eta, beta):
    """The network after a step on each batch."""
    for batch in batches:
        network = stepped(network, labelled(batch), eta, beta)
    return network


def trained_move(network, batches, eta, beta):
    """Steps of all detectors on the last batch after training on the others, class by class. Shape (2 m d,)."""
    with ctx.workprec(BITS):
        net = grown(network, batches[:-1], eta, beta)
        moves = updates(net, labelled(batches[-1]), eta)
        return [number(e) for y in "+-" for move in moves[y] for e in move]


def patches_of(sample, v):
    """The patches of a sample that show the feature v."""
    shown = [word(kind, sample["y"], sample["c"]) for kind in sample["kinds"]]
    return [x for x, e in zip(sample["patches"], shown, strict=True) if e == v]


def printed_factor(scores, y):
    """e^(-F_y) e^(F_y')/(e^(F_y' - F_y) + 1)."""
    own, rest = number(scores[y]), number(scores[other(y)])
    return (-own).exp() * rest.exp() / ((rest - own).exp() + 1)


def misprinted_factor(scores, y):
    """With e^(F_y' - exp(F_y)) in the denominator."""
    own, rest = number(scores[y]), number(scores[other(y)])
    return (-own).exp() * rest.exp() / ((rest - own.exp()).exp() + 1)


def by_patches(network, batches, eta, beta, factor=printed_factor, each=2):
    """eta/(N P) times the sum, over the samples that show it, of the factor times the patches of the detector's own
    feature. Shape (2 m d,)."""
    with ctx.workprec(BITS):
        net, batch = grown(network, batches[:-1], eta, beta), batches[-1]
        k = len(batch) // 2
        rate = Fraction(eta) / (len(batch) * len(batch[0]["patches"]))
        parts = [(e, outputs(net, e["patches"])) for e in batch]
        found = []
        for y, v in placed(k):
            d = len(batch[0]["patches"][0])
            sums = [
                total(
                    factor(scores, y) * number(x[i])
                    for e, scores in parts
                    for x in patches_of(e, v)
                )
                for i in range(d)
            ]
            found += [number(rate) * number(x) for x in sums] * each
        return found


def by_the_misprint(network, batches, eta, beta):
    return by_patches(network, batches, eta, beta, misprinted_factor)


def without_the_factor(network, batches, eta, beta):
    return by_patches(network, batches, eta, beta, lambda scores, y: number(Fraction(1, 2)))


def small(rng, low, high, over):
    return Fraction(int(rng.integers(low, high)), over)


def a_detector(rng, v, k, d):
    """Of the size of its threshold and more on v, small on all other words; bias -4/5."""
    rest = [small(rng, -4, 5, 40) for _ in range(d)]
    at = vector(v, k, d).index(1)
    rest[at] = small(rng, 20, 30, 20)
    return Neuron(rest, Fraction(-4, 5))


def a_sample(rng, y, c, P, k, d):
    """Patches of drawn kinds, strengths and small noise; two show the class and the subclass."""
    drawn = [(COMMON, SUBCLASS, NOISE)[int(i)] for i in rng.integers(0, 3, (P - 2,))]
    kinds = [COMMON, SUBCLASS, *drawn]
    patches = [
        vector(
            word(e, y, c), k, d, small(rng, 19, 22, 20), [small(rng, -3, 4, 300) for _ in range(d)]
        )
        for e in kinds
    ]
    return {"y": y, "c": c, "kinds": kinds, "patches": patches}


def a_run(rng):
    """Two detectors a feature, batches of one sample a subclass."""
    k = int(rng.integers(1, 3))
    d, P = 2 * k + 3, int(rng.integers(3, 5))
    steps = int(rng.integers(1, 4))
    return {
        "network": {
            y: [a_detector(rng, v, k, d) for v in features(y, k) for _ in range(2)] for y in "+-"
        },
        "batches": [
            [a_sample(rng, y, c, P, k, d) for y, c in fine_labels(k)] for _ in range(steps)
        ],
        "eta": small(rng, 1, 9, 8),
        "beta": small(rng, 1, 5, 40),
    }


FIELDS = "network batches eta beta"


def planted(k, d, size, bias, each=1):
    """Detectors of the same size for every feature of both classes, nothing on other words."""
    return {
        y: [Neuron(vector(v, k, d, size), bias) for v in features(y, k) for _ in range(each)]
        for y in "+-"
    }


def subclass_law(P, s, a):
    """Chances of 0 to P - a subclass patches of a sample with a common ones."""
    return binomial_law(P - a, cut(s, P - a))


def mean_over(laws, read, y, v, P, k, eta, d=0, t=0):
    """Mean of what is read off the step that one sample, of each subclass alike, brings to the first detector of v at
    probabilities of a half, after t such steps on samples of one patch of each kind; ``laws``: (common, subclass)
    counts with their chances."""
    d = max(d, 2 * k + 2)
    net = planted(k, d, Fraction(1), Fraction(-1, 2))
    start = [counted(z, c, 1, 1, P, k, d) for z, c in fine_labels(k)]
    for _ in range(t):
        net = stepped(net, labelled(start), eta, Fraction(1, 10), halves)
    place = features(y, k).index(v)
    result = Fraction(0)
    for z, c in fine_labels(k):
        for (a, b), p in laws.items():
            sample = counted(z, c, a, b, P, k, d)
            result += p * read(net, sample, place) / (2 * k)
    return result


def reader(y, v, k, eta):
    """Reads the step along v."""

    def read(net, sample, place):
        move = updates(net, labelled([sample]), eta, halves)[y][place]
        return dot(move, vector(v, k, len(move)))

    return read


def noise_reader(y, eta, coordinate=-1):
    """Reads the variance of one coordinate of the step, for noise of variance 1 in every patch: the sum of squares of
    what noise in that coordinate of one patch changes."""
    h = Fraction(1, 1000)

    def read(net, sample, place):
        still = updates(net, labelled([sample]), eta, halves)[y][place][coordinate]
        result = Fraction(0)
        for i in range(len(sample["patches"])):
            noisy = [list(x) for x in sample["patches"]]
            noisy[i][coordinate] += h
            moved = updates(net, labelled([{**sample, "patches": noisy}]), eta, halves)
            result += ((moved[y][place][coordinate] - still) / h) ** 2
        return result

    return read
