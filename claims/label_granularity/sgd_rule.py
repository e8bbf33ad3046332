r"""Section B.2: the printed step is a gradient step, and what the bias rule does.

Setting. C outputs (2 coarse, 2k fine), L the cross-entropy summed over N samples of P patches, weights away from kinks
(no pre-activation is 0). The network, its loss and the printed step are those of ``_network.py``.

Statements. (1) The step (16) is -eta/(N P) times the gradient of L in every w_{c,r}: as a function of one output x,
with R the sum of the other exponentials, L moves by the integral of e^u/(e^u + R) - 1{y = c}; off its kink an output
moves by 1{z > 0} times the change of z, which is linear in w. (2) So b falls by eta |grad|/(N P log^5 d) a step, of
its own neuron and step by step, not with the total change. (3) b never rises and stays where no entry of the step
differs from 0, which is so of neurons that fire too, where the residuals cancel. (4) (177), written out for the output
(y, c) alone, is (16) at C = 2k. (5) At the start <w, v> + b > 0 has probability Q(c_b sqrt(log d)) for each word v,
whatever sigma_0 is.

Reference: lines 192-198, 632-684 and 1853-1872.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp
from flint import arb, ctx

from theorycheck import (
    claim,
    formula_leg,
    instances,
    integers,
    leg,
    probability,
    reals,
    rivals_of,
    typed,
    variant,
)

from ._data import vector
from ._network import (
    BITS,
    Neuron,
    coarse_labels,
    derivative,
    fine_labels,
    norm,
    number,
    open_gate,
    outputs,
    pre_activation,
    softmax,
    stepped,
    updates,
)

k, d = sp.symbols("k d", integer=True, positive=True)
c_b = sp.Symbol("c_b", positive=True)
ONE_POINT = {"domain": {}, "grid": {"smoke": [{}]}}


def gradient(net, batch):
    """dL/dw for every output and neuron, by power series through network and loss."""
    d = len(batch[0][0][0])
    ways = [[int(i == j) for i in range(d)] for j in range(d)]
    return {
        c: [[derivative(net, batch, c, r, way) for way in ways] for r in range(len(neurons))]
        for c, neurons in net.items()
    }


def flat(moves):
    return [number(e) for each in moves.values() for move in each for e in move]


def printed(network, batch, eta):
    """The step of every neuron by (16). Shape (C m d,)."""
    with ctx.workprec(BITS):
        return flat(updates(network, batch, eta))


def descent(network, batch, eta, scale=None):
    """-eta/(N P) times the gradient. Shape (C m d,)."""
    with ctx.workprec(BITS):
        rate = number(Fraction(eta) / (scale or len(batch) * len(batch[0][0])))
        return [-rate * e for e in flat(gradient(network, batch))]


def without_patches(network, batch, eta):
    return descent(network, batch, eta, len(batch))


def mean_loss_too(network, batch, eta):
    return descent(network, batch, eta, len(batch) ** 2 * len(batch[0][0]))


def two_of_the_outputs(network, batch, eta):
    """The residuals of a logistic loss between the label and one other output."""

    def two(scores):
        first = next(iter(scores))
        return {c: softmax({c: scores[c], first: scores[first], "": 0})[c] for c in scores}

    with ctx.workprec(BITS):
        return flat(updates(network, batch, eta, two))


def biases(network, batches, eta, beta):
    """What the biases have fallen by after one step on each batch. Shape (C m,)."""
    with ctx.workprec(BITS):
        net = network
        for batch in batches:
            net = stepped(net, batch, eta, beta)
        return [
            number(n.b) - number(m.b) for c in net for n, m in zip(network[c], net[c], strict=True)
        ]


def by_gradients(network, batches, eta, beta):
    """beta eta/(N P) times the sum of the gradients' norms along the way. Shape (C m,)."""
    with ctx.workprec(BITS):
        net, fallen = network, arb(0)
        sums = {(c, r): arb(0) for c in net for r in range(len(net[c]))}
        for batch in batches:
            rate = number(Fraction(beta) * eta / (len(batch) * len(batch[0][0])))
            for c, each in gradient(net, batch).items():
                for r, g in enumerate(each):
                    sums[c, r] += rate * norm(g)
            net = stepped(net, batch, eta, beta)
        return [fallen + s for s in sums.values()]


def by_total_change(network, batches, eta, beta):
    with ctx.workprec(BITS):
        net = network
        for batch in batches:
            net = stepped(net, batch, eta, beta)
        return [
            number(beta) * norm([number(a) - number(e) for a, e in zip(n.w, m.w, strict=True)])
            for c in net
            for n, m in zip(net[c], network[c], strict=True)
        ]


def by_the_weights(network, batches, eta, beta):
    with ctx.workprec(BITS):
        return [number(beta) * len(batches) * norm(n.w) for c in network for n in network[c]]


def rises(network, batches, eta, beta, silent=False):
    """How many biases rise, and of how many "it stays" and "the step is 0" disagree. ``silent``: "no patch opens
    the gate" in the place of the latter. Shape (2,)."""
    with ctx.workprec(BITS):
        net, up, disagree = network, 0, 0
        for batch in batches:
            moves, after = updates(net, batch, eta), stepped(net, batch, eta, beta)
            for c in net:
                for n, m, move in zip(net[c], after[c], moves[c], strict=True):
                    change = number(m.b) - number(n.b)
                    still = not (fires_on(n, batch) if silent else any(e != 0 for e in move))
                    up += int(change > 0)
                    disagree += int(not still and not change < 0) + int(still and change != 0)
            net = after
        return [up, disagree]


def fires_on(neuron, batch):
    return any(open_gate(pre_activation(neuron, x)) for patches, _ in batch for x in patches)


def silent_alone(network, batches, eta, beta):
    """As if biases stayed where the neuron fires on no patch."""
    return rises(network, batches, eta, beta, silent=True)


def upward(network, batches, eta, beta):
    """The same with a step upwards."""
    return rises(network, batches, eta, -beta)


def no_exception(network, batches, eta, beta):
    return [0, 0]


def no_neuron_still(network, batches, eta, beta):
    """As many disagreements as there are neurons that see none of the batch."""
    with ctx.workprec(BITS):
        net, still = network, 0
        for batch in batches:
            still += sum(
                not any(e != 0 for e in v)
                for each in updates(net, batch, eta).values()
                for v in each
            )
            net = stepped(net, batch, eta, beta)
        return [0, still]


def fine_step(network, batch, eta, own=False):
    """(177) written out: for the output (y, c) alone. ``own``: a softmax over its own class only. Shape (C m d,)."""
    with ctx.workprec(BITS):
        result = []
        for (y, c), neurons in network.items():
            for neuron in neurons:
                move = [arb(0)] * len(neuron.w)
                for patches, label in batch:
                    scores = outputs(network, patches)
                    seen = {e: f for e, f in scores.items() if e[0] == y} if own else scores
                    chance = number(scores[y, c]).exp() / sum(
                        (number(f).exp() for f in seen.values()), arb(0)
                    )
                    weight = 1 - chance if label == (y, c) else -chance
                    for x in patches:
                        if open_gate(pre_activation(neuron, x)):
                            move = [m + weight * number(e) for m, e in zip(move, x, strict=True)]
                result += [
                    number(Fraction(eta) / (len(batch) * len(batch[0][0]))) * m for m in move
                ]
        return result


def renamed(network, batch, eta):
    """(16) of the same network with its outputs numbered. Shape (C m d,)."""
    place = {c: i for i, c in enumerate(network)}
    with ctx.workprec(BITS):
        numbered = {place[c]: neurons for c, neurons in network.items()}
        return flat(updates(numbered, [(patches, place[c]) for patches, c in batch], eta))


def own_class_only(network, batch, eta):
    return fine_step(network, batch, eta, own=True)


def small(rng, low, high, over):
    return Fraction(int(rng.integers(low, high)), over)


def a_network(rng, labels, k):
    """Two neurons an output, one of which never fires."""
    d = 2 * k + 2
    return {
        c: [
            Neuron([small(rng, -6, 7, 5) for _ in range(d)], off_kinks(rng)),
            Neuron([Fraction(0)] * d, -1),
        ]
        for c in labels
    }


def off_kinks(rng):
    """A bias that no product of the weights and patches here cancels: odd over 62, they are over 850."""
    return Fraction(2 * int(rng.integers(-6, 7)) + 1, 62)


def a_batch(rng, labels, k):
    """One sample of every subclass, of a common, a subclass and a noise patch."""
    d = 2 * k + 2
    return [
        (
            [
                vector(v, k, d, small(rng, 8, 12, 10), [small(rng, -3, 4, 17) for _ in range(d)])
                for v in ((y,), (y, c), None)
            ],
            (y, c) if (y, c) in labels else y,
        )
        for y, c in fine_labels(k)
    ]


def one_step(rng):
    k = int(rng.integers(1, 3))
    labels = fine_labels(k) if int(rng.integers(0, 2)) else coarse_labels(k)
    return {
        "network": a_network(rng, labels, k),
        "batch": a_batch(rng, labels, k),
        "eta": small(rng, 1, 9, 8),
    }


def fine_only(rng, k):
    return {
        "network": a_network(rng, fine_labels(k), k),
        "batch": a_batch(rng, fine_labels(k), k),
        "eta": small(rng, 1, 9, 8),
    }


def two_steps(rng):
    k = int(rng.integers(1, 3))
    labels = fine_labels(k) if int(rng.integers(0, 2)) else coarse_labels(k)
    return {
        "network": a_network(rng, labels, k),
        "batches": [a_batch(rng, labels, k) for _ in range(2)],
        "eta": small(rng, 1, 9, 2),
        "beta": small(rng, 1, 5, 20),
    }


def cancelling(rng, shown=(1, 3)):
    """Four equal nets and one sample of each subclass at k = 2: with one common patch in (y, 0) and three in (y, 1) the
    residuals 3/4 and -1/4 leave a detector of v_y in the net of (y, 0) where it is; the others of v_y move."""
    k, sizes = 2, [small(rng, 4, 9, 4) for _ in range(2)]
    neurons = [Neuron(vector((y,), k, 6, a), -a / 2) for y, a in zip("+-", sizes, strict=True)]
    places = [(y, n) for y in "+-" for n in shown]
    batch = [
        ([vector((y,) if i < n else None, k, 6) for i in range(4)], label)
        for (y, n), label in zip(places, fine_labels(k), strict=True)
    ]
    return {
        "network": dict.fromkeys(fine_labels(k), neurons),
        "batches": [batch],
        "eta": small(rng, 1, 9, 2),
        "beta": small(rng, 1, 5, 20),
    }


ONE = instances(one_step, "network batch eta", smoke=2, standard=5)
FINE = instances(fine_only, "network batch eta", smoke=2, standard=4)
TWO = instances(two_steps, "network batches eta beta", smoke=2, standard=4)
CANCEL = instances(cancelling, "network batches eta beta", smoke=1, standard=3)

MOVED = "log(exp(x + h) + R) - i*(x + h) - (log(exp(x) + R) - i*x)"
LOSS = formula_leg(
    "loss in one output",
    typed(
        f"{MOVED} == Integral(exp(u)/(exp(u) + R) - i, (u, x, x + h))",
        over=["x, h in R", "R >= 0", "i in {0, 1}"],
    ),
    over="w b X y c r C",
)
GATE = formula_leg(
    "gate",
    typed(
        "Max(0, z + u) - Max(0, z) == u*Piecewise((1, z > 0), (0, True))",
        over=["z in R", "u in [-abs(z), abs(z)]"],
    ),
    over="w b X y c r C",
)

step = claim(
    "granularity-step-is-gradient",
    lhs=r"\Delta w_{c,r}",
    tex=r"-\tfrac\eta{NP}\nabla_{w_{c,r}}\sum_nL",
    states="granularity-sgd-rule",
    title="The printed step is a gradient step",
    says=r"Off the kinks (16) is $-\frac\eta{NP}\nabla_{w_{c,r}}\sum_nL(F;X_n,y_n)$ for all weights, biases, batches, "
    "neurons and numbers of outputs.",
    covers="update-is-gradient",
    **ONE_POINT,
    legs=[
        leg("power series", printed, reference=descent, required=False, unit=1, instances=ONE),
        LOSS,
        GATE,
    ],
    rivals=[
        variant("1/N alone", reference=without_patches, leg="power series"),
        variant("the mean loss, and 1/N again", reference=mean_loss_too, leg="power series"),
        variant("two of the outputs", simulation=two_of_the_outputs, leg="power series"),
        *rivals_of(
            LOSS,
            {
                "without the label": f"{MOVED} == Integral(exp(u)/(exp(u) + R), (u, x, x + h))",
                "two outputs": f"{MOVED} == Integral(exp(u)/(exp(u) + 1) - i, (u, x, x + h))",
            },
        ),
        *rivals_of(GATE, {"across the kink": {"over": ["z in R", "u in [-2*abs(z), 2*abs(z)]"]}}),
    ],
)

SHRINKS = formula_leg(
    "scaled",
    typed("sqrt((e*x)**2 + (e*y)**2) == e*sqrt(x**2 + y**2)", over=["e in (0, oo)", "x, y in R"]),
    over="t c r",
)

bias = claim(
    "granularity-bias-rule",
    lhs=r"b^{(0)}-b^{(t)}",
    tex=r"\frac\eta{NP\log^5d}\sum_{\tau<t}\|\nabla_{w_{c,r}}L^{(\tau)}\|",
    states="granularity-sgd-rule",
    title="The bias falls with the gradients of its own neuron",
    says=r"$b^{(t)}=b^{(0)}-\frac{\eta}{NP\log^5d}\sum_{\tau<t}\|\nabla_{w_{c,r}}L^{(\tau)}\|$ for every neuron.",
    covers="bias-rule",
    **ONE_POINT,
    legs=[
        leg("two steps", biases, reference=by_gradients, required=False, unit=1, instances=TWO),
        SHRINKS,
    ],
    rivals=[
        variant("the norm of the total change", reference=by_total_change, leg="two steps"),
        variant("the norm of the weights", reference=by_the_weights, leg="two steps"),
        *rivals_of(SHRINKS, {"squared": "sqrt((e*x)**2 + (e*y)**2) == e**2*sqrt(x**2 + y**2)"}),
    ],
)

# q is the sum of squares so far, x an entry of the step, w the weight 1/log^5 d
OVER = ["b in R", "q in [0, oo)", "w in (0, oo)"]
FALLS = formula_leg("falls", typed("b - w*sqrt(q) <= b", over=OVER), over="t c r")
STRICT = formula_leg(
    "moves",
    typed("b - w*sqrt(q) < b", over=["b in R", "q in (0, oo)", "w in (0, oo)"]),
    over="t c r",
)
ENTRY = formula_leg(
    "an entry that is not 0",
    typed("q + x**2 > 0", over=["q in [0, oo)", "x in R"], where="x != 0"),
    over="t c r",
)
WEIGHT = formula_leg("weight", typed("1/log(d)**5 > 0", over="d in 2..oo"), over="t c r")

monotone = claim(
    "granularity-bias-monotone",
    lhs=r"\big(\#\{b^{(t+1)}>b^{(t)}\},\ \#\{b^{(t+1)}=b^{(t)}\not\Leftrightarrow\Delta w=0\}\big)",
    tex="(0,0)",
    states="granularity-sgd-rule",
    title="Biases never rise",
    says=r"$b^{(t+1)}\le b^{(t)}$ for every neuron, with equality iff $\Delta w^{(t)}=0$, which neurons that "
    "fire have too.",
    covers="bias-monotone",
    **ONE_POINT,
    legs=[
        leg("two steps", rises, reference=no_exception, required=False, unit=1, instances=TWO),
        leg("cancelling", rises, reference=no_exception, required=False, unit=1, instances=CANCEL),
        FALLS,
        STRICT,
        ENTRY,
        WEIGHT,
    ],
    rivals=[
        variant("a step upwards", simulation=upward, leg="two steps"),
        variant("every neuron moves", reference=no_neuron_still, leg="two steps"),
        variant("every neuron that fires moves", simulation=silent_alone, leg="cancelling"),
        *rivals_of(FALLS, {"strictly": "b - w*sqrt(q) < b"}),
        *rivals_of(STRICT, {"an upward step": "b + w*sqrt(q) < b"}),
        *rivals_of(ENTRY, {"for every step": {"where": "q >= 0"}}),
        *rivals_of(WEIGHT, {"from d = 1": {"over": "d in 1..oo"}}),
    ],
)

same = claim(
    "granularity-fine-step",
    lhs=r"\Delta w_{+,c,r}\text{ by }(177)",
    tex=r"\Delta w_{c,r}\text{ by }(16)\text{ at }C=2k",
    states="granularity-sgd-rule",
    title="The step with fine labels",
    says=r"(177) for the outputs $(y,c)$ is (16) with $C=2k$, the softmax over all $2k$ outputs; at $k=1$ it is the "
    "coarse step.",
    covers="same-form-fine",
    domain={k: integers(1)},
    grid={"smoke": {k: [1, 2]}, "standard": {k: [1, 2, 3]}},
    legs=[
        leg(
            "written out",
            fine_step,
            reference=renamed,
            unit=1,
            where=k <= 5,
            instances=instances(fine_only, "network batch eta", smoke=2, standard=3),
        ),
    ],
    rivals=[variant("a softmax over the own class", simulation=own_class_only, leg="written out")],
)

RATE = sp.erfc(c_b * sp.sqrt(sp.log(d)) / sp.sqrt(2)) / 2
WORD = formula_leg(
    "a word",
    typed(
        f"P[s*g - s*c_b*sqrt(log(d)) > 0] == {RATE}",
        over=["s in (0, oo)", "c_b in (0, oo)", "d in 2..oo", "g ~ N(0, 1)"],
    ),
    over="init c r",
)


def fires(ns, rng, size, d, c_b):
    """Whether a neuron drawn with sigma_0 = 1/d^3 fires on a word that is no axis. Shape (size,)."""
    scale = ns.rational(1, d**3)
    w = scale * rng.normal((size, d))
    word = ns.asarray([(-1) ** i for i in range(d)]) / ns.sqrt(ns.rational(d, 1))
    level = ns.rational(c_b.numerator, c_b.denominator) * ns.sqrt(ns.log(ns.rational(d, 1)))
    return ns.where(ns.sum(w * word, axis=1) > scale * level, 1, 0)


start = claim(
    "granularity-start-rate",
    lhs=r"\Pr[\langle w^{(0)},v\rangle+b^{(0)}>0]",
    tex=r"Q(c_b\sqrt{\log d})",
    states="granularity-sgd-rule",
    title="The start does not depend on its scale",
    says=r"With $w^{(0)}\sim N(0,\sigma_0^2I)$ and $b^{(0)}=-\sigma_0c_b\sqrt{\log d}$ a neuron fires on a word with "
    r"probability $Q(c_b\sqrt{\log d})$, whatever $\sigma_0>0$.",
    covers="init",
    domain={d: integers(2), c_b: reals(0, low_open=True)},
    grid={
        "smoke": {d: [3, 8], c_b: [1]},
        "standard": {d: [2, 16], c_b: [Fraction(1, 2), Fraction(5, 4)]},
    },
    closed_form=RATE,
    legs=[
        leg(
            "draws",
            fires,
            statistic=probability(),
            where=sp.And(d <= 16, c_b <= sp.Rational(3, 2)),
            required=False,
            target={"smoke": Fraction(1, 10), "standard": Fraction(1, 20)},
        ),
        WORD,
    ],
    rivals=[
        variant(
            "threshold log d", closed_form=sp.erfc(c_b * sp.log(d) / sp.sqrt(2)) / 2, leg="draws"
        ),
        *rivals_of(
            WORD,
            {
                "sigma_0 left out of the bias": f"P[s*g - c_b*sqrt(log(d)) > 0] == {RATE}",
            },
        ),
    ],
)
