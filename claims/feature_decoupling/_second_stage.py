"""The mean recursion of the second stage: a neuron with its columns, what lies beside them, and its bias.

A column above the bias gains eta q (|alpha| - b), everything decays by 1 - eta lambda; logits are uniform, and noise
opens no gate (`bias_race`). The bias follows its schedule without a cap (`bias_schedule`).
"""

from __future__ import annotations

from flint import arb

from ._gaussian import number


def begin(margins, d):
    """State at T1 of a neuron of norm 1: coefficients in units of the bias sqrt(2 log d/d), the rest beside them."""
    bias = (2 * arb(d).log() / d).sqrt()
    columns = [number(r) * bias for r in margins]
    return {"columns": columns, "beside": 1 - sum((a * a for a in columns), arb(0)), "bias": bias}


def squared_norm(state):
    return sum((a * a for a in state["columns"]), state["beside"])


def following(state, q, lam, k, eta, grows=True):
    """The state after one step. ``grows``: the bias follows the norm and grows by 1 + eta k at least."""
    kept, b = number(1 - eta * lam), state["bias"]
    columns = []
    for a in state["columns"]:
        gained = number(eta * q) * (abs(a) - b).max(arb(0))
        columns.append(a * kept + (gained if a > 0 else -gained))
    out = {"columns": columns, "beside": state["beside"] * kept * kept}
    growth = (squared_norm(out) / squared_norm(state)).sqrt() - 1
    return {**out, "bias": b * (1 + number(eta * k).max(growth)) if grows else b}


def second_stage(neurons, d, q, lam, k, eta, grows=True):
    """The states of all neurons at each step from T1 on, up to the first at which some squared norm is d times what
    it was: T2."""
    states = [begin(margins, d) for margins in neurons]
    while True:
        yield states
        if any(squared_norm(s) >= d for s in states):
            return
        states = [following(s, q, lam, k, eta, grows) for s in states]
