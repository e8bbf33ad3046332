"""``scales_as``: the measured quantity grows (or falls) like the law that the closed form gives.

The closed form is the law without its constant, ``n**2 * log(n)``, say, so rivals and other laws are
closed forms too. Let y = log(measured / law) along the sweep. The claim is that y settles. Intervals,
slopes, the finite-size model and its allowances are those of `theorycheck.relations.sweep`.

- *fail*: y is inconsistent with the model: at the end, over the last quarter too and not by the
  last size alone, it moves on in one direction faster than corrections that fall like n**(-1/4) could
  after what the earlier sizes show. The verdict is conditional on that model, which is
  printed; the rung is ``fitted``. A sweep whose slope falls, and ever faster, may end inside a
  crossover to the law, like n**2/(n + 10**4) for n: that is *inconclusive*;
- *pass*: y is settled, an equivalence test over the whole sweep: no stretch of it, in the middle or
  at the end, moves more than the model admits; what is still to come beyond the last size, if it moves
  on as it did anywhere in the last half, is at its upper limit at most delta; the slopes over the last
  half and the last quarter lie inside +- delta; and the rivals law * n**(+-delta) and
  law * n**(+-1/2) are inconsistent with the rows. Small sizes at which corrections are large are not
  held against the law: it is enough that it passes so from one of the sizes of the first half on
  (reported as ``from``), and that the sizes before were on their way there;
- otherwise *inconclusive*: what oscillates or jumps settles nowhere. "No significant drift" is no
  pass: it accepts n log n for n nine times in ten, because sampling noise hides a slope of 1 / log n
  (experiment in the tests).

Logarithms. law * (log n)**q for q in +-1/4, +-1/2, +-1 and law * (log log n)**(+-1) are tried as
rivals too. What the rows do not refute the pass names (the largest |q|): exponents differ from
logarithms by 1 / log n_max only, log log n from a constant by 1 / (log n log log n), which no sweep but
an exact one of many decades shows. The joint set of (power, log power) that the rows leave is reported,
relative to the law; so is the implied constant over the sweep. The exponent's resolution is the largest
change of the power, logs held, that the rows do not refute.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from theorycheck.entries.parts import Cause, Resolution
from theorycheck.relations.base import Decision, Fitted, Relation, Row, TargetResolutions, undefined
from theorycheck.relations.sweep import (
    MODEL,
    Floats,
    Sweep,
    SweepError,
    crossover,
    oscillates,
    powers_left,
    reach,
    refuted_powers,
    steeper,
    sweeps,
    unsteady,
)

_LOGS = (-2, -1, 0, 1, 2)
"""Powers of log n of the joint set."""

_FRACTIONS = (1.0, 0.5, 0.25)
"""Powers of log n that are tried as rivals, the largest first. An eighth is what every law may have as a
correction (`theorycheck.relations.sweep.LOG_SHARE`), so it is never refuted."""


@dataclass(frozen=True)
class Scales(Fitted):
    """See the module's docstring. ``in_`` is the parameter of the sweep, ``to`` where it goes."""

    in_: str
    to: str = "oo"
    delta: float | None = None
    name: str = "scales_as"

    def text(self, left: str, right: str) -> str:
        return f"{left} ~ C {right} as {self.in_} -> {self.to}"

    def decide(self, rows: Sequence[Row], targets: TargetResolutions) -> Decision:
        missing = undefined(rows)
        if missing is not None:
            return missing
        try:
            found = sweeps(rows, self.in_, self.to)
        except SweepError as error:
            return error.decision
        delta = targets.exponent if self.delta is None else self.delta
        decisions = [self._judge(s, delta, any(rows[i].samples for i in s.rows)) for s in found]
        order = {"fail": 0, "inconclusive": 1, "pass": 2}
        return min(decisions, key=lambda d: (order[d.verdict], -_blunt(d)))

    def rival_falls(self, rows: Sequence[Row], targets: TargetResolutions) -> Decision:
        return self.decide(rows, targets)

    def _judge(self, sweep: Sweep, delta: float, sampled: bool) -> Decision:
        place = f" at {sweep.at}" if sweep.at else ""
        if moves_on(sweep, delta):
            low, high = sweep.slope(sweep.half(), sweep.last)
            turning = crossover(sweep)
            if turning is None:
                return _decision(
                    sweep,
                    0,
                    "fail",
                    f"measured / law does not settle{place}: slope in [{low:.3g}, {high:.3g}] over "
                    f"the last half of the sweep ({MODEL})",
                )
            return _decision(
                sweep,
                0,
                "inconclusive",
                f"not resolved: crossover{place}; the slope of measured / law falls ever faster, "
                f"from {turning[0]:.3g} to {turning[1]:.3g}, and may tend to 0",
                f"larger {self.in_}",
            )
        whole = self._settled(sweep, 0, delta, sampled)
        if whole.verdict == "pass":
            return whole
        later = (self._settled(sweep, k, delta, sampled) for k in sweep.starts() if k)
        passing = [d for d in later if d.verdict == "pass"]
        return min(passing, key=_blunt, default=whole)

    def _settled(self, sweep: Sweep, start: int, delta: float, sampled: bool) -> Decision:
        """The equivalence test, if the model holds from the size ``start`` on."""
        place = f" at {sweep.at}" if sweep.at else ""

        def inconclusive(reason: str, would_decide: str, cause: Cause | None = None) -> Decision:
            open_ = _decision(sweep, start, "inconclusive", reason, would_decide)
            return replace(open_, cause=cause)

        jump = unsteady(sweep, start)
        if jump is not None:
            return inconclusive(
                f"not resolved: not steady{place}; between {sweep.names[jump[0]]} and "
                f"{sweep.names[jump[1]]} measured / law moves more than corrections that fall can",
                f"sizes between these, and larger {self.in_}",
            )
        half, quarter = (
            sweep.slope(i, sweep.last) for i in (sweep.half(start), sweep.quarter(start))
        )
        drift = sweep.remaining(start)
        if drift > delta or max(map(abs, (*half, *quarter))) > delta:
            noisy = sampled and half[1] - half[0] > abs(half[1] + half[0])
            return inconclusive(
                ("budget" if noisy else "not resolved: drift")
                + f": up to {drift:.2g} still to come{place}, asked for {delta:.2g}",
                "more samples" if noisy else f"larger {self.in_}",
                Cause.BUDGET if noisy else None,
            )
        powers = np.array([delta, -delta, 0.5, -0.5])
        alive = powers[~refuted_powers(sweep, powers, start=start)]
        if len(alive):
            names = ", ".join(f"{self.in_}**({a:+.3g})" for a in alive)
            return inconclusive(
                f"survivor: the law times {names} fits the sweep{place} as well",
                f"larger {self.in_}" + (" or more samples" if sampled else ""),
            )
        names = " and ".join(unresolved(sweep, self.in_, start))
        if not names:
            return _decision(sweep, start, "pass")
        decision = _decision(
            sweep, start, "pass", f"not resolved: log; the law times {names} fits as well"
        )
        return replace(decision, extra={**decision.extra, "unresolved": names})


def moves_on(sweep: Sweep, delta: float) -> bool:
    """Whether y moves on at the end, in one direction, faster than the model admits; and not by its
    last size alone: without that, it would not be settled either."""
    before = sweep.shorter()
    return bool(
        refuted_powers(sweep, np.zeros(1))[0]
        and steeper(sweep, max(sweep.quarter(), 2), sweep.last)[0]
        and not oscillates(sweep)
        and (before.remaining() > delta or unsteady(before) is not None)
    )


def _decision(
    sweep: Sweep, start: int, verdict: str, reason: str = "", would_decide: str = ""
) -> Decision:
    """The verdict with what the rows leave, if the model holds from ``start`` on."""
    left = {q: powers_left(sweep, *_log(sweep, q, start)) for q in _LOGS}
    extra: dict[str, object] = {
        "model": MODEL,
        "constant": sweep.constants(),
        "left": [
            {"log": q, "power": [float(a[0]), float(a[-1])]} for q, a in left.items() if len(a)
        ],
    }
    if start:
        extra["from"] = sweep.names[start]
    return Decision(
        verdict,
        reason,
        would_decide,
        sweep.rows[-1],
        resolution=Resolution(kind="exponent", value=reach(left[0])),
        extra=extra,
    )


def _log(sweep: Sweep, power: float, start: int) -> tuple[Floats | None, int]:
    """The tilt of (log n)**power, and the first size from ``start`` on at which log n is positive."""
    if not power:
        return None, start
    first = max(start, int(np.searchsorted(sweep.size, 0.0, side="right")))
    return power * np.log(np.maximum(sweep.size, sweep.size[min(first, sweep.last)])), first


def _log_log(sweep: Sweep, power: float, start: int) -> tuple[Floats, int]:
    """The tilt of (log log n)**power, and the first size at which log log n is positive."""
    first = max(start, int(np.searchsorted(sweep.size, 1.0, side="right")))
    logs = np.log(np.maximum(sweep.size, sweep.size[min(first, sweep.last)]))
    return power * np.log(logs), first


def unresolved(sweep: Sweep, name: str, start: int = 0) -> Iterator[str]:
    """The logarithmic factors that the rows do not tell from a constant, from ``start`` on."""

    def stays(tilt: Floats | None, first: int) -> bool:
        return not refuted_powers(sweep, np.zeros(1), tilt, first)[0]

    for sign in (1, -1):
        for share in _FRACTIONS:
            if stays(*_log(sweep, sign * share, start)):
                yield f"(log {name})**({sign * share:+g})"
                break
    for sign in (1, -1):
        if stays(*_log_log(sweep, sign, start)):
            yield f"(log log {name})**({sign:+d})"


def _blunt(d: Decision) -> float:
    return 0.0 if d.resolution is None else d.resolution.value


def _delta(value: Fraction | float | None) -> float | None:
    if value is not None and not 0 < value <= 0.5:
        raise ValueError(
            "delta: a tolerance of the exponent in (0, 1/2], or None for the profile's"
        )
    return None if value is None else float(value)


def scales_as(in_: Any = "n", *, to: Any = "oo", delta: Fraction | float | None = None) -> Relation:
    """The measured quantity is a constant times the closed form, as ``in_`` goes to ``to``.

    ``in_``: the parameter of the sweep (a symbol or its name); the other parameters are held.
    ``to``: oo or 0. ``delta``: tolerance of the exponent, by default the profile's target.
    The grid needs at least five sizes, best in geometric progression.
    """
    return Scales(str(in_), _end(to), _delta(delta))


def _end(to: Any) -> str:
    if str(to) not in ("oo", "0"):
        raise ValueError(f"to: a parameter goes to oo or 0, got {to!r}")
    return str(to)


__all__ = ["Scales", "moves_on", "scales_as", "unresolved"]
