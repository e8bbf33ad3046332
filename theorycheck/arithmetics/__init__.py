"""Arithmetics: the ways in which a leg may be run, one module each.

A module holds one `Arithmetic` called ``ARITHMETIC``; that is all that a new one takes. Authors write its
name: ``leg(..., arithmetic="exact")``.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping

from theorycheck.arithmetics.base import Arithmetic


def _found() -> Mapping[str, Arithmetic]:
    names = sorted(m.name for m in pkgutil.iter_modules(__path__) if m.name != "base")
    modules = [importlib.import_module(f"{__name__}.{name}") for name in names]
    return {m.ARITHMETIC.name: m.ARITHMETIC for m in modules}


ARITHMETICS = _found()
"""By the name that authors write."""

__all__ = ["ARITHMETICS", "Arithmetic"]
