"""The mean recursion of the second stage: every neuron with its columns, what lies beside them, and its bias."""

from __future__ import annotations

from flint import arb

from ._gaussian import number


def begin(columns, beside, share):
    """State of a neuron at T1: coefficients, squared norm beside the columns, bias ``share`` times the norm."""
    state = {"columns": [number(a) for a in columns], "beside": number(beside)}
    return {**state, "bias": number(share) * squared_norm(state).sqrt()}


def squared_norm(state):
    return sum((a * a for a in state["columns"]), state["beside"])


def following(state, q, lam, k, eta, grows=True):
    """One step: a column above the bias gains eta q (|alpha| - b), everything decays by 1 - eta lambda, and the bias
    follows its schedule."""
    kept, b = number(1 - eta * lam), state["bias"]
    columns = []
    for a in state["columns"]:
        gained = number(eta * q) * (abs(a) - b).max(arb(0))
        columns.append(a * kept + (gained if a > 0 else -gained))
    out = {"columns": columns, "beside": state["beside"] * kept * kept}
    growth = (squared_norm(out) / squared_norm(state)).sqrt() - 1
    return {**out, "bias": b * (1 + number(eta * k).max(growth)) if grows else b}


def until_grown(neurons, share, times, q, lam, k, eta, grows=True):
    """The states of all neurons at each step, up to the first at which some squared norm is ``times`` what it was."""
    states = [begin(columns, beside, share) for columns, beside in neurons]
    first = [squared_norm(s) for s in states]
    while True:
        yield states
        if any(squared_norm(s) >= times * n for s, n in zip(states, first, strict=True)):
            return
        states = [following(s, q, lam, k, eta, grows) for s in states]
