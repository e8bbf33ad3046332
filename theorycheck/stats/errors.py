"""The one exception of this package that is a finding, not a mistake of the caller."""

from __future__ import annotations


class AssumptionBroken(Exception):
    """Observed data contradict the declared assumption on their tails.

    Raised when a value lies outside its declared range, and when the running intersection of a
    confidence sequence is empty (an event of probability at most alpha if the assumption holds).
    A claim that meets it has no valid interval any more: its verdict is ``error``, never ``fail``.
    """
