"""The simulations of the benchmark, each beside what a person would write instead.

Every side gets the same arrays of float64 and must return the same numbers. Rivals in JAX and PyTorch are
written as one writes them there (`jit`, `vmap`, batched tensors) and are None where not installed.
"""

from __future__ import annotations

import importlib
import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
from scipy.linalg import hadamard
from sim_timing import Case

from theorycheck.library.loading import _package, bundled, libraries, load_file

BLOCK = 1024  # as a sampled leg has by default


def model(source: str, claim: str, name: str) -> Any:
    """A shared model of a source of the bundled library."""
    folder = bundled() / source
    load_file(folder / f"{claim}.py")
    return importlib.import_module(f"{_package(libraries()[0], folder)}.{name}")


def installed(name: str) -> Any:
    """A library, or None. JAX is told to compute in float64."""
    try:
        found = importlib.import_module(name)
    except ImportError:
        return None
    if name == "jax":
        found.config.update("jax_enable_x64", True)
    return found


def cases(backend: Any, ns: Any, quick: bool) -> list[Case]:
    """All cases; ``backend`` and ``ns``: where the engine computes, see `theorycheck.arrays`."""
    jax, torch = installed("jax"), installed("torch")
    tools = (backend, ns, jax, torch)
    return [
        margin(*tools, *((3, 11) if quick else (3, 19))),
        looped(*tools, *((500, 16, 4, 10) if quick else (200, 64, 16, 20))),
        in_context(*tools, *((2000, 20, 5) if quick else (5000, 20, 5))),
        training(*tools, *((16, 2, 7, 24, 40) if quick else (8, 2, 11, 60, 40))),
        online(*tools, *((4, 200, 24, 24, 10) if quick else (8, 1000, 64, 64, 20))),
        parity(*tools, *((8, 32) if quick else (11, 32))),
    ]


# ---------------------------------------------------------------- margins


def margin(backend: Any, ns: Any, jax: Any, torch: Any, k: int, p: int) -> Case:
    """Least and largest unnormalised margin of the source's network over all p**k inputs."""
    network = model("fourier_circuits", "max_margin", "_network")
    enumeration = model("fourier_circuits", "max_margin", "_enumeration")
    design = network.source_design(k, p)
    net = network.cosine_network(ns, design, p)
    u, w = backend.to_numpy(net.u), backend.to_numpy(net.w)
    m, inputs = len(design), network.all_inputs(k, p)
    right = inputs.sum(axis=1) % p

    def engine() -> np.ndarray:
        return backend.to_numpy(enumeration.margin_extent(ns, net, k, p))

    def by_symmetry() -> np.ndarray:
        chosen = enumeration.representatives(k, p, *enumeration.symmetries(design, k, p))
        return backend.to_numpy(enumeration.margin_extent(ns, net, k, p, chosen))

    def loop() -> np.ndarray:
        least, largest = math.inf, -math.inf
        for a in itertools.product(range(p), repeat=k):
            hidden = sum(u[:, i, a[i]] for i in range(k))
            f = math.prod([hidden] * k) @ w
            gaps = np.delete(f[sum(a) % p] - f, sum(a) % p)
            least, largest = min(least, gaps.min()), max(largest, gaps.max())
        return np.array([least, largest])

    def at_once() -> np.ndarray:
        hidden = sum(u[:, i, inputs[:, i]] for i in range(k))
        f = math.prod([hidden] * k).T @ w
        gaps = f[np.arange(len(f)), right][:, None] - f
        others = right[:, None] != np.arange(p)
        return np.array([gaps[others].min(), gaps[others].max()])

    def jitted() -> np.ndarray:
        return np.asarray(in_jax(u, w))

    def in_torch() -> np.ndarray:
        hidden = sum(tu[:, i, ti[:, i]] for i in range(k))
        f = math.prod([hidden] * k).T @ tw
        gaps = f[torch.arange(len(f)), tr][:, None] - f
        others = tr[:, None] != torch.arange(p)
        return np.array([float(gaps[others].min()), float(gaps[others].max())])

    if jax:
        jnp = jax.numpy

        @jax.jit
        def in_jax(u: Any, w: Any) -> Any:
            hidden = sum(u[:, i, inputs[:, i]] for i in range(k))
            f = math.prod([hidden] * k).T @ w
            gaps = f[np.arange(len(f)), right][:, None] - f
            others = right[:, None] != np.arange(p)
            least = jnp.min(jnp.where(others, gaps, jnp.inf))
            return jnp.stack([least, jnp.max(jnp.where(others, gaps, -jnp.inf))])

    if torch:
        tu, tw, ti, tr = (torch.from_numpy(x) for x in (u, w, inputs, right))
    return Case(
        "margin, all inputs",
        f"k={k} p={p} m={m}",
        engine,
        {
            "NumPy loop": loop,
            "NumPy batch": at_once,
            "JAX": jitted if jax else None,
            "PyTorch": in_torch if torch else None,
            "engine, by symmetry": by_symmetry,
        },
        2.0 * p**k * m * p,
        8.0 * (u.size + w.size),
    )


# ---------------------------------------------------------------- looped transformer


def looped(
    backend: Any, ns: Any, jax: Any, torch: Any, prompts: int, n: int, d: int, T: int
) -> Case:
    """Output of T loops of the masked linear attention layer over a batch of prompts."""
    models = model("looped_transformers", "gd_equivalence", "_models")
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((prompts, n, d)), rng.standard_normal((prompts, n))
    q0, alpha = rng.standard_normal((prompts, d)), rng.uniform(1, 2, prompts)
    eta = np.full((prompts, T), 0.2 / (n + d))
    given = [ns.from_float64(x) for x in (X, y, q0, alpha, eta)]
    mask = np.zeros((n + 1, n + 1))
    mask[n, :n] = 1
    P = np.diag([1.0] * d + [0.0])

    def engine() -> np.ndarray:
        return backend.to_numpy(models.looped_transformer(ns, *given, T))

    def loop() -> np.ndarray:
        out = np.empty((prompts, d))
        for b in range(prompts):
            Z = np.block([[X[b], y[b][:, None]], [q0[b][None], alpha[b]]])
            for t in range(T):
                Z = Z - eta[b, t] * ((mask * (Z @ Z.T)) @ Z @ P)
            out[b] = -Z[n, :d]
        return out

    def jitted() -> np.ndarray:
        return np.asarray(in_jax(X, y, q0, alpha, eta))

    def in_torch() -> np.ndarray:
        tX, ty, tq, ta, te, tm, tP = (torch.from_numpy(x) for x in (X, y, q0, alpha, eta, mask, P))
        last = torch.cat([tq, ta[:, None]], dim=1)[:, None]
        Z = torch.cat([torch.cat([tX, ty[:, :, None]], dim=2), last], dim=1)
        for t in range(T):
            Z = Z - te[:, t, None, None] * ((tm * (Z @ Z.mT)) @ Z @ tP)
        return (-Z[:, n, :d]).numpy()

    if jax:
        jnp = jax.numpy

        def one(X: Any, y: Any, q0: Any, alpha: Any, eta: Any) -> Any:
            Z = jnp.block([[X, y[:, None]], [q0[None], alpha[None, None]]])

            def layer(Z: Any, step: Any) -> Any:
                return Z - step * ((mask * (Z @ Z.T)) @ Z @ P), None

            return -jax.lax.scan(layer, Z, eta)[0][n, :d]

        in_jax = jax.jit(jax.vmap(one))
    N, D = n + 1, d + 1
    return Case(
        "looped transformer",
        f"prompts={prompts} n={n} d={d} T={T}",
        engine,
        {
            "NumPy loop": loop,
            "JAX": jitted if jax else None,
            "PyTorch": in_torch if torch else None,
        },
        2.0 * prompts * T * (2 * N * N * D + N * D * D),
        8.0 * prompts * N * D,
    )


# ---------------------------------------------------------------- in-context loss


def in_context(backend: Any, ns: Any, jax: Any, torch: Any, prompts: int, N: int, d: int) -> Case:
    """Mean squared error of linear self-attention over sampled prompts, half of it; the draws are given."""
    models = model("in_context_learning", "loss_quadratic_form", "_attention")
    rng = np.random.default_rng(1)
    x, query = rng.standard_normal((prompts, N, d)), rng.standard_normal((prompts, d))
    task = rng.standard_normal((prompts, d))
    PV, KQ = rng.standard_normal((2, d + 1, d + 1)) / (d + 1)
    given = [ns.from_float64(a) for a in (x, query, task, PV, KQ)]

    def engine() -> np.ndarray:
        """Block by block, as a sampled leg is run."""
        x, query, task, PV, KQ = given
        total = ns.asarray(0)
        for begin in range(0, prompts, BLOCK):
            rows = slice(begin, begin + BLOCK)
            w = ns.expand_dims(task[rows], axis=-1)
            y = ns.matmul(x[rows], w)[:, :, 0]
            guess = models.prediction(ns, models.embedding(ns, x[rows], y, query[rows]), PV, KQ, N)
            error = guess - ns.sum(task[rows] * query[rows], axis=-1)
            total = total + ns.sum(error * error)
        return backend.to_numpy(total).reshape(1) / (2 * prompts)

    def loop() -> np.ndarray:
        total = 0.0
        for b in range(prompts):
            E = np.zeros((d + 1, N + 1))
            E[:d, :N], E[:d, N], E[d, :N] = x[b].T, query[b], x[b] @ task[b]
            out = E[:, -1] + PV @ (E @ (E.T @ KQ @ E[:, -1])) / N
            total += (out[-1] - task[b] @ query[b]) ** 2
        return np.array([total / prompts / 2])

    def jitted() -> np.ndarray:
        return np.asarray(in_jax(x, query, task)).reshape(1)

    def in_torch() -> np.ndarray:
        tx, tq, tw, tPV, tKQ = (torch.from_numpy(a) for a in (x, query, task, PV, KQ))
        labels = torch.cat([(tx * tw[:, None]).sum(-1), torch.zeros(prompts, 1)], dim=1)
        E = torch.cat([torch.cat([tx, tq[:, None]], dim=1), labels[:, :, None]], dim=2).mT
        out = E[:, :, -1:] + tPV @ (E @ (E.mT @ tKQ @ E[:, :, -1:])) / N
        return np.array([float(((out[:, -1, 0] - (tw * tq).sum(-1)) ** 2).mean() / 2)])

    if jax:
        jnp = jax.numpy

        def one(x: Any, query: Any, task: Any) -> Any:
            top = jnp.concatenate([x, query[None]]).T
            E = jnp.concatenate([top, jnp.append(x @ task, 0.0)[None]])
            out = E[:, -1] + PV @ (E @ (E.T @ KQ @ E[:, -1])) / N
            return (out[-1] - task @ query) ** 2

        in_jax = jax.jit(lambda *a: jnp.mean(jax.vmap(one)(*a)) / 2)
    D = d + 1
    return Case(
        "in-context loss",
        f"prompts={prompts} N={N} d={d}",
        engine,
        {
            "NumPy loop": loop,
            "JAX": jitted if jax else None,
            "PyTorch": in_torch if torch else None,
        },
        2.0 * prompts * (2 * (N + 1) * D + 2 * D * D),
        8.0 * prompts * (N + 2) * d,
    )


# ---------------------------------------------------------------- training


def training(
    backend: Any, ns: Any, jax: Any, torch: Any, seeds: int, k: int, p: int, m: int, steps: int
) -> Case:
    """Parameters after AdamW on the whole table of k-sums modulo p, from several starts at once."""
    onelayer = model("fourier_circuits", "exp_onelayer", "_onelayer")
    adamw = importlib.import_module("theorycheck.blocks.adamw")
    network = model("fourier_circuits", "exp_onelayer", "_network")
    recipe = adamw.Recipe(steps, Fraction(1, 50), Fraction(1, 2), falls=False)
    rate, decay, b1, b2 = 0.02, 0.5, 0.9, 0.98
    theta0 = np.random.default_rng(2).standard_normal((seeds, m, k + 1, p)) / np.sqrt(p)
    start, data = ns.from_float64(theta0), onelayer.table(ns, k, p)
    grid, right = network.all_inputs(k, p), network.labels(k, p)
    n = p**k
    hot = np.concatenate([np.eye(p)[grid[:, i]].T for i in range(k)])
    targets = np.eye(p)[right]

    def engine() -> np.ndarray:
        return backend.to_numpy(onelayer.train(ns, start, data, k, p, recipe))

    def slope_of(theta: np.ndarray) -> np.ndarray:
        u, w = theta[:, :k].reshape(m, k * p), theta[:, k]
        z = u @ hot
        power = math.prod([z] * (k - 1))
        f = (power * z).T @ w
        f = np.exp(f - f.max(axis=1, keepdims=True))
        slope = (f / f.sum(axis=1, keepdims=True) - targets) / n
        back = k * power * (w @ slope.T)
        into = (back @ hot.T).reshape(m, k, p)
        return np.concatenate([into, ((power * z) @ slope)[:, None]], axis=1)

    def loop() -> np.ndarray:
        ends = []
        for theta in theta0:
            mean, square = np.zeros_like(theta), np.zeros_like(theta)
            for t in range(1, steps + 1):
                g = slope_of(theta)
                mean, square = b1 * mean + (1 - b1) * g, b2 * square + (1 - b2) * g * g
                size = np.sqrt(square / (1 - b2**t)) + 1e-8
                theta = theta - rate * (mean / (1 - b1**t) / size + decay * theta)
            ends.append(theta)
        return np.stack(ends)

    def jitted() -> np.ndarray:
        return np.asarray(in_jax(theta0))

    def in_torch() -> np.ndarray:
        theta = torch.from_numpy(theta0.copy()).requires_grad_()
        table, wanted = torch.from_numpy(hot), torch.from_numpy(right).expand(seeds, n)
        # PyTorch scales the decay by the rate and adds 1e-8 as the source does.
        steps_of = torch.optim.AdamW([theta], rate, (b1, b2), 1e-8, decay, foreach=False)
        for _ in range(steps):
            z = theta[:, :, :k].reshape(seeds, m, k * p) @ table
            f = math.prod([z] * k).mT @ theta[:, :, k]
            loss = torch.nn.functional.cross_entropy(f.mT, wanted, reduction="sum") / n
            steps_of.zero_grad()
            loss.backward()
            steps_of.step()
        return theta.detach().numpy()

    if jax:
        jnp = jax.numpy

        def loss(theta: Any) -> Any:
            f = math.prod([theta[:, :k].reshape(m, k * p) @ hot] * k).T @ theta[:, k]
            return -jnp.mean(jnp.sum(jax.nn.log_softmax(f) * targets, axis=1))

        def one(theta: Any) -> Any:
            def step(t: Any, state: Any) -> Any:
                theta, mean, square = state
                g = jax.grad(loss)(theta)
                mean, square = b1 * mean + (1 - b1) * g, b2 * square + (1 - b2) * g * g
                size = jnp.sqrt(square / (1 - b2**t)) + 1e-8
                return theta - rate * (mean / (1 - b1**t) / size + decay * theta), mean, square

            zero = jnp.zeros_like(theta)
            return jax.lax.fori_loop(1, steps + 1, step, (theta, zero, zero))[0]

        in_jax = jax.jit(jax.vmap(one))
    return Case(
        "training, two layers",
        f"seeds={seeds} k={k} p={p} m={m} steps={steps}",
        engine,
        {
            "NumPy loop": loop,
            "JAX": jitted if jax else None,
            "PyTorch": in_torch if torch else None,
        },
        2.0 * seeds * steps * m * n * p * (2 * k + 3),
        8.0 * seeds * steps * 6 * m * (k + 1) * p,
        tolerance=1e-6,  # AdamW divides by the root of the squares: rounding is amplified
    )


def online(
    backend: Any, ns: Any, jax: Any, torch: Any, seeds: int, N: int, m: int, d: int, steps: int
) -> Case:
    """Weights of ReLU networks after online SGD on the hinge loss, with weight decay, several seeds at once."""
    sgd = importlib.import_module("theorycheck.blocks.two_layer_sgd")
    rng = np.random.default_rng(4)
    W0, a = rng.standard_normal((seeds, m, d)) / d, rng.choice([-1.0, 1.0], (seeds, m)) / m
    x = rng.uniform(-1, 1, (steps, seeds, N, d))
    y = rng.choice([-1.0, 1.0], (steps, seeds, N))
    rule = sgd.Rule(Fraction(1, 2), Fraction(1, 100))
    rate, kept = 0.5, 1 - 0.5 * 0.01
    first = sgd.Network(ns.from_float64(W0), ns.from_float64(a))
    batches = [sgd.Batch(ns.from_float64(x[t]), ns.from_float64(y[t])) for t in range(steps)]

    def engine() -> np.ndarray:
        ended = sgd.train(ns, first, batches.__getitem__, rule, range(steps))
        return backend.to_numpy(ended.weights)

    def loop() -> np.ndarray:
        ends = []
        for s in range(seeds):
            W = W0[s]
            for t in range(steps):
                pre = x[t, s] @ W.T
                h = np.maximum(pre, 0) @ a[s]
                pull = np.where(y[t, s] * h <= 1, y[t, s], 0.0)
                W = kept * W + rate / N * (pull[:, None] * (pre >= 0) * a[s]).T @ x[t, s]
            ends.append(W)
        return np.stack(ends)

    def jitted() -> np.ndarray:
        return np.asarray(in_jax(W0, a, x, y))

    def in_torch() -> np.ndarray:
        W = torch.from_numpy(W0.copy()).requires_grad_()
        for t in range(steps):
            h = torch.relu(tx[t] @ W.mT) @ ta
            loss = torch.relu(1 - ty[t] * h[:, :, 0]).mean(dim=1).sum()
            (slope,) = torch.autograd.grad(loss, W)
            with torch.no_grad():
                W.mul_(kept).sub_(slope, alpha=rate)
        return W.detach().numpy()

    if jax:
        jnp = jax.numpy

        def loss(W: Any, a: Any, x: Any, y: Any) -> Any:
            return jnp.mean(jax.nn.relu(1 - y * (jax.nn.relu(x @ W.T) @ a)))

        def one(W: Any, a: Any, x: Any, y: Any) -> Any:
            def step(W: Any, batch: Any) -> Any:
                return kept * W - rate * jax.grad(loss)(W, a, *batch), None

            return jax.lax.scan(step, W, (x, y))[0]

        in_jax = jax.jit(jax.vmap(one, in_axes=(0, 0, 1, 1)))
    if torch:
        tx, ty, ta = (torch.from_numpy(given) for given in (x, y, a[:, :, None]))
    return Case(
        "online SGD, two layers",
        f"seeds={seeds} N={N} m={m} d={d} steps={steps}",
        engine,
        {
            "NumPy loop": loop,
            "JAX": jitted if jax else None,
            "PyTorch": in_torch if torch else None,
        },
        4.0 * seeds * steps * N * m * d,
        8.0 * (x.size + y.size),
    )


# ---------------------------------------------------------------- Boolean expectations


def parity(backend: Any, ns: Any, jax: Any, torch: Any, D: int, functions: int) -> Case:
    """E[f chi_S] for all subsets S of D bits, for several functions."""
    values = np.random.default_rng(3).standard_normal((functions, 2**D))
    given, matrix = ns.from_float64(values), hadamard(2**D, dtype=np.float64)

    def engine() -> np.ndarray:
        return backend.to_numpy(ns.wht(given) / 2**D)

    def product() -> np.ndarray:
        return values @ matrix / 2**D

    def jitted() -> np.ndarray:
        return np.asarray(in_jax(values))

    def in_torch() -> np.ndarray:
        return (torch.from_numpy(values) @ torch.from_numpy(matrix) / 2**D).numpy()

    if jax:
        in_jax = jax.jit(lambda v: v @ matrix / 2**D)
    return Case(
        "parity expectations",
        f"bits={D} functions={functions}",
        engine,
        {
            "NumPy batch": product,
            "JAX": jitted if jax else None,
            "PyTorch": in_torch if torch else None,
        },
        0.0,
        16.0 * values.size,
    )
