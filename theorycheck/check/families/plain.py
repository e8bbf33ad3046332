"""Sums as names, and nothing more known of them than linearity and their signs."""

from __future__ import annotations

from theorycheck.check.families.method import FamilyMethod, FamilyTask


def prove(task: FamilyTask) -> bool:
    """The statement of names for all values that the sums could have."""
    return task.shown(task.in_names(task.goal), "in names: ")


METHOD = FamilyMethod("linearity of sums", prove)
