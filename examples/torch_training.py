"""A training in PyTorch, wrapped: a network of width 16 learns to tell two Gaussians at distance 4 apart. Needs the
package torch, and is skipped without it."""

import numpy as np
import sympy as sp

from theorycheck import claim, holds_with_probability, integers, leg, probability, variant

n = sp.symbols("n", integer=True, positive=True)


def errs(rng, size, n, steps):
    """Whether a network trained on n points errs on more than 1/10 of 200 fresh ones. Shape (size,)."""
    import torch

    found = np.empty(size, dtype=bool)
    for i in range(size):
        seed = torch.Generator().manual_seed(int(rng.integers(0, 2**62)))
        net = torch.nn.Sequential(torch.nn.Linear(2, 16), torch.nn.ReLU(), torch.nn.Linear(16, 1))
        with torch.no_grad():
            for p in net.parameters():
                p.copy_(torch.randn(p.shape, generator=seed) / 2)
        x, y = _points(torch, seed, n)
        step = torch.optim.SGD(net.parameters(), lr=0.5)
        for _ in range(steps):
            step.zero_grad()
            torch.nn.functional.soft_margin_loss(net(x)[:, 0], y).backward()
            step.step()
        x, y = _points(torch, seed, 200)
        with torch.no_grad():
            found[i] = (net(x)[:, 0] * y <= 0).double().mean() > 0.1
    return found


def _points(torch, seed, n):
    """Points (n, 2) and labels -1, 1 of shape (n,)."""
    y = 2.0 * torch.randint(0, 2, (n,), generator=seed) - 1
    return torch.randn((n, 2), generator=seed) + 2 * y[:, None] * torch.tensor([1.0, 0.0]), y


def trained(rng, size, n):
    return errs(rng, size, n, 50)


def untrained(rng, size, n):
    return errs(rng, size, n, 0)


WORDS = "With probability 9/10 over data and weights it errs on at most 1/10 of fresh points, "


def training(simulation):
    """Sampled by the engine's seeds, 128 trainings at a time; what is not controlled is said."""
    model = "PyTorch in float32, SGD of step 1/2"
    return [leg("training", simulation, statistic=probability(), model=model, block=128)]


ABOUT = {
    "domain": {n: integers(50)},
    "grid": {"smoke": {n: [100]}},
    "closed_form": sp.Rational(1, 10),
    "relation": holds_with_probability(),
    "needs": "torch",
}

without_training = claim(
    "torch-untrained", says=WORDS + "untrained.", legs=training(untrained), expect="fail", **ABOUT
)
with_training = claim(
    "torch-trained",
    says=WORDS + "after 50 steps on n >= 50 points.",
    legs=training(trained),
    rivals=[variant("untrained", simulation=untrained)],
    **ABOUT,
)
