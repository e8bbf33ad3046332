"""Integers of fixed width inside exact legs: NumPy's wrap around in silence, 2**64 is 0.

While an exact leg runs, the names by which its own modules know NumPy lead to a twin whose integer arrays watch
themselves (`Watched`): each operation that may run over is bounded from the largest entries that enter it, and
where that bound does not fit it is made again in Python's integers and compared. Single integers, entries of
arrays and those made by a type (``np.int64(2) ** 64``), watch themselves too (`FixedWidthInteger`). What ran over
is an error that says where; what merely could have is none. Indexing, comparing and counting cost nothing.

Known limits: single integers made by the type that a dtype names (``x.dtype.type(2)``) are not seen, and
arrays made by compiled code outside of NumPy are watched only from where NumPy's functions are handed them.
NumPy imported inside a function is known by no name of the module: that is refused.
"""

from __future__ import annotations

import dis
import functools
import operator
import traceback
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from theorycheck.claims.iteration import Iterated
from theorycheck.evidence.content import where

WRITE = (
    "write Python's integers (math.prod(range(1, n + 1)), sum(int(x) for x in ...)), an array of "
    "dtype=object, or the namespace ns of a rational leg"
)

_NEVER_OVER = frozenset(
    {"floor_divide", "remainder", "fmod", "bitwise_and", "bitwise_or", "bitwise_xor", "right_shift"}
    | {"maximum", "minimum", "gcd", "sign", "invert", "bitwise_count", "isnan", "isfinite"}
)
"""Integer operations whose results are no larger than what enters them."""

_NOT_BY_UFUNCS = frozenset(
    {"dot", "vdot", "inner", "tensordot", "einsum", "convolve", "correlate", "trace", "cumsum"}
    | {"cumprod", "matrix_power", "kron", "cross", "outer", "polyval", "vander"}
)


class FixedWidthError(ArithmeticError):
    """An integer of fixed width ran over, or could not be watched."""


class FixedWidthInteger(int):
    """A single integer of NumPy, with its dtype. Arithmetic with integers stays inside that width, or raises
    FixedWidthError; ``int(x)`` has none.
    """

    dtype: np.dtype[Any]

    def __new__(cls, value: int | np.integer[Any], dtype: np.dtype[Any]) -> FixedWidthInteger:
        made = int.__new__(cls, int(value))
        made.dtype = dtype
        return made

    def item(self) -> int:
        return int(self)

    @property
    def single(self) -> Any:
        """NumPy's own."""
        return self.dtype.type(int(self))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name == "dtype":  # copying asks before there is one
            raise AttributeError(name)
        return _twin(getattr(self.single, name))

    def __reduce__(self) -> tuple[Any, ...]:
        return FixedWidthInteger, (int(self), self.dtype)


_LONGEST = 128
"""Bits that no integer of NumPy has: a power or shift beyond is not worked out to see that it ran over."""

_BINARY: Mapping[str, Callable[[int, int], Any]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "floordiv": operator.floordiv,
    "mod": operator.mod,
    "divmod": divmod,
    "pow": operator.pow,
    "lshift": operator.lshift,
    "rshift": operator.rshift,
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
}
_UNARY: Mapping[str, Callable[[int], int]] = {
    "neg": operator.neg,
    "abs": operator.abs,
    "invert": operator.invert,
}


def _single_result(name: str, left: Any, right: Any) -> Any:
    """What two integers of which one has a width give; NumPy's own where they have no common width."""
    kinds = [v.dtype for v in (left, right) if isinstance(v, FixedWidthInteger | np.integer)]
    dtype = np.result_type(*kinds)
    if dtype.kind not in "iu":  # of int64 and uint64 NumPy makes a double
        return _BINARY[name](_plain(left), _plain(right))
    a, b = int(left), int(right)
    if name == "pow" and b < 0:
        raise ValueError("NumPy's integers have no negative powers; write Fraction(x) ** k")
    bits = {"pow": b * (abs(a).bit_length() - 1), "lshift": b * bool(a)}.get(name, 0)
    if bits > _LONGEST:
        raise _ran_over(name, dtype)
    return _of_width(name, _BINARY[name](a, b), dtype)


def _of_width(name: str, exact: Any, dtype: np.dtype[Any]) -> Any:
    if isinstance(exact, tuple):
        return tuple(_of_width(name, e, dtype) for e in exact)
    limits = np.iinfo(dtype)
    if not limits.min <= exact <= limits.max:
        raise _ran_over(name, dtype)
    return FixedWidthInteger(exact, dtype)


def _arithmetic(name: str, backward: bool) -> Callable[..., Any]:
    def operation(self: FixedWidthInteger, other: Any, *modulus: int) -> Any:
        if not isinstance(other, int | np.integer):
            return NotImplemented
        if modulus:  # pow with three arguments, which NumPy has not
            return pow(int(self), int(other), int(modulus[0]))
        pair = (other, self) if backward else (self, other)
        return _single_result(name, *pair)

    return operation


def _alone(name: str) -> Callable[..., Any]:
    def operation(self: FixedWidthInteger) -> Any:
        return _of_width(name, _UNARY[name](int(self)), self.dtype)

    return operation


for _name in _BINARY:
    setattr(FixedWidthInteger, f"__{_name}__", _arithmetic(_name, backward=False))
    setattr(FixedWidthInteger, f"__r{_name}__", _arithmetic(_name, backward=True))
for _name in _UNARY:
    setattr(FixedWidthInteger, f"__{_name}__", _alone(_name))


class Watched(np.ndarray):
    """An integer array that raises FixedWidthError where a result does not fit."""

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        return _operate(ufunc, method, inputs, options)

    def __array_function__(self, function: Any, kinds: Any, args: Any, options: Any) -> Any:
        if function.__name__ not in _NOT_BY_UFUNCS:
            return watched(super().__array_function__(function, kinds, args, options))
        plain, given = _deep(args, _plain), _deep(options, _plain)
        result = function(*plain, **given)
        if _integral(result):
            try:
                exact = function(*_deep(plain, _as_objects), **given)
            except TypeError as error:
                raise FixedWidthError(
                    f"NumPy's {function.__name__} of fixed-width integers cannot be watched ({error}); {WRITE}"
                ) from None
            _compare(function.__name__, result, exact)
        return watched(result)

    def __getitem__(self, key: Any) -> Any:
        found = super().__getitem__(key)
        return watched(found)

    def astype(self, dtype: Any, *args: Any, **options: Any) -> Any:
        result = np.asarray(self).astype(dtype, *args, **options)
        if _integral(result) and not np.array_equal(result, np.asarray(self)):
            raise _ran_over(f"astype({np.dtype(dtype)})", result.dtype)
        return watched(result)

    def dot(self, other: Any, *args: Any) -> Any:
        return np.dot(self, other)

    def cumsum(self, *args: Any, **options: Any) -> Any:
        return np.cumsum(self, *args, **options)

    def cumprod(self, *args: Any, **options: Any) -> Any:
        return np.cumprod(self, *args, **options)

    def trace(self, *args: Any, **options: Any) -> Any:
        return np.trace(self, *args, **options)


def watched(value: Any) -> Any:
    """The value with its integer arrays watched, and single integers as Python's."""
    if isinstance(value, np.integer):
        return FixedWidthInteger(value, value.dtype)
    if type(value) is np.ndarray and value.dtype.kind in "iu":
        return value.view(Watched)
    if type(value) in (tuple, list):
        return type(value)(watched(v) for v in value)
    return value


def _operate(ufunc: Any, method: str, inputs: Sequence[Any], options: Mapping[str, Any]) -> Any:
    """What an operation gives, where it fits."""
    out = options.get("out")
    plain = [_plain(x) for x in inputs]
    before = [np.array(x) for x in plain] if out is not None else plain  # may be written to
    given = _deep(dict(options), _plain)
    result = getattr(ufunc, method)(*plain, **given)
    if ufunc.__name__ not in _NEVER_OVER and _integral(result):
        further = {k: v for k, v in given.items() if k != "out"}
        _check(ufunc, method, before, further, result)
    if out is not None:
        return out[0] if isinstance(out, tuple) and len(out) == 1 else out
    return watched(result)


def of_fixed_width(value: Any) -> bool:
    """Whether a value is NumPy's integer, or an array of them."""
    if isinstance(value, np.ndarray):
        return value.dtype.kind in "iu"
    return isinstance(value, FixedWidthInteger | np.integer)


def _plain(value: Any) -> Any:
    if isinstance(value, FixedWidthInteger):
        return value.single
    return value.view(np.ndarray) if isinstance(value, Watched) else value


def _deep(value: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(value, tuple | list):
        return type(value)(_deep(v, change) for v in value)
    if isinstance(value, dict):
        return {k: _deep(v, change) for k, v in value.items()}
    return change(value)


def _as_objects(value: Any) -> Any:
    return value.astype(object) if isinstance(value, np.ndarray) and _integral(value) else value


def _integral(value: Any) -> bool:
    return isinstance(value, np.ndarray | np.integer) and value.dtype.kind in "iu"


def _check(
    ufunc: Any, method: str, inputs: list[Any], options: Mapping[str, object], result: Any
) -> None:
    largest = _bound(ufunc.__name__, method, inputs, result)
    if largest is not None and largest <= np.iinfo(result.dtype).max:
        return
    exact_options = {k: v for k, v in options.items() if k not in ("dtype", "casting")}
    exact = getattr(ufunc, method)(*[_exactly(x) for x in inputs], **exact_options)
    name = ufunc.__name__ if method == "__call__" else f"{ufunc.__name__}.{method}"
    _compare(name, result, exact)


def _exactly(value: Any) -> Any:
    if isinstance(value, int | np.integer | list):
        return np.asarray(_deep(value, _whole), dtype=object)
    return _as_objects(value)


def _whole(value: Any) -> Any:
    return int(value) if isinstance(value, int | np.integer) else value


def _bound(name: str, method: str, inputs: list[Any], result: Any) -> int | None:
    """A number that no entry of the result exceeds in size; None where none is known."""
    if not all(_integral(x) or isinstance(x, int) for x in inputs):
        return None
    if result.dtype.kind == "u":
        return None  # below 0 is over too
    sizes = [_largest(x) for x in inputs]
    if method == "__call__" and len(sizes) == 2:
        if name in ("add", "subtract"):
            return sizes[0] + sizes[1]
        if name == "multiply":
            return sizes[0] * sizes[1]
        if name == "matmul":
            return sizes[0] * sizes[1] * int(np.shape(inputs[0])[-1])
    if method == "__call__" and len(sizes) == 1 and name in ("negative", "absolute", "positive"):
        return sizes[0]
    if method in ("reduce", "accumulate") and name == "add":
        return sizes[0] * max(1, int(np.size(inputs[0])))
    return None


def _largest(value: Any) -> int:
    if not np.size(value):
        return 0
    return max(abs(int(np.max(value))), abs(int(np.min(value))))


def _compare(name: str, result: Any, exact: Any) -> None:
    if not np.array_equal(np.asarray(result, dtype=object), np.asarray(exact, dtype=object)):
        raise _ran_over(name, result.dtype)


def _ran_over(name: str, dtype: np.dtype[Any]) -> FixedWidthError:
    frames = traceback.extract_stack()
    own = next((f for f in reversed(frames) if where(Path(f.filename)) == "local"), None)
    place = "" if own is None else f" ({Path(own.filename).name}:{own.lineno})"
    return FixedWidthError(f"NumPy's {name} ran over {dtype}{place}; {WRITE}")


# ------------------------------------------------------------ where modules know NumPy


class _Twin(types.ModuleType):
    """A NumPy module whose functions give watched arrays."""

    def __init__(self, module: types.ModuleType) -> None:
        super().__init__(module.__name__)
        self._module = module

    def __getattr__(self, name: str) -> Any:
        return _twin(getattr(self.__dict__["_module"], name))


@functools.cache
def _twin_of_module(module: types.ModuleType) -> _Twin:
    return _Twin(module)


class _Operation:
    """A ufunc whose integer results are watched, of single numbers too."""

    def __init__(self, ufunc: np.ufunc) -> None:
        self._ufunc = ufunc

    def __call__(self, *args: Any, **options: Any) -> Any:
        return _operate(self._ufunc, "__call__", args, options)

    def __getattr__(self, name: str) -> Any:
        if name in ("reduce", "accumulate", "outer", "reduceat"):
            return lambda *args, **options: getattr(self._ufunc, name)(
                *_deep(args, _looked_at), **options
            )
        return getattr(self._ufunc, name)


def _looked_at(value: Any) -> Any:
    return (
        watched(np.asarray(value))
        if isinstance(value, list | FixedWidthInteger)
        else watched(value)
    )


class _IntegerTypeMeta(type):
    """Types whose calls give watched integers, which are also their instances."""

    def __call__(cls, *args: Any, **options: Any) -> Any:
        return watched(cls.__mro__[1](*_deep(args, _plain), **options))

    def __instancecheck__(cls, value: Any) -> bool:
        if isinstance(value, FixedWidthInteger):
            return value.dtype == np.dtype(cls.__mro__[1])
        return isinstance(value, cls.__mro__[1])


@functools.cache
def _integer_type(kind: type) -> type:
    """The twin of a type of integers: a dtype like it."""
    return _IntegerTypeMeta(kind.__name__, (kind,), {"__module__": kind.__module__})


def _is_integer_type(value: Any) -> bool:
    """Whether it is one of NumPy's own concrete types of integers."""
    return isinstance(value, type) and value in _INTEGER_TYPES


_INTEGER_TYPES = frozenset(np.dtype(c).type for c in np.typecodes["AllInteger"])


def _twin(value: Any) -> Any:
    if _is_integer_type(value):
        return _integer_type(value)
    if isinstance(value, np.ufunc):
        return _Operation(value)
    if isinstance(value, types.ModuleType):
        return _twin_of_module(value) if _of_numpy(value.__name__) else value
    if callable(value) and not isinstance(value, type):
        return _watching(value)
    return watched(value)


def _watching(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function, updated=())
    def call(*args: Any, **options: Any) -> Any:
        return watched(function(*_deep(args, watched), **_deep(options, watched)))

    return call


def _of_numpy(name: str) -> bool:
    return name == "numpy" or name.startswith("numpy.")


@contextmanager
def watching_integers(function: Callable[..., Any]) -> Iterator[None]:
    """Watch the integer arrays of a function and of what its modules hold, inside the block.

    Raises FixedWidthError where NumPy is imported inside a function.
    """
    changed: list[tuple[dict[str, object], str, Any]] = []
    try:
        for scope in _scopes(function):
            for name, value in list(scope.items()):
                twin = _twin_for(value)
                if twin is not value:
                    changed.append((scope, name, value))
                    scope[name] = twin
        with np.errstate(
            over="raise"
        ):  # single integers that are not watched say so, but for powers
            yield
    finally:
        for scope, name, value in changed:
            scope[name] = value


def _twin_for(value: Any) -> Any:
    if isinstance(value, types.ModuleType):
        return _twin(value)
    known = _is_integer_type(value) or not isinstance(value, type)
    if known and _of_numpy(str(getattr(value, "__module__", None) or "")):
        return _twin(value)
    return watched(value)


def _scopes(function: Callable[..., Any]) -> list[dict[str, object]]:
    """Globals of the modules of the claim's own that a function reaches."""
    found: dict[int, dict[str, object]] = {}
    waiting = [f.__globals__ for f in _functions(function)]
    while waiting:
        scope = waiting.pop()
        if id(scope) in found or not _own(str(scope.get("__file__", "<typed>"))):
            continue
        found[id(scope)] = scope
        for value in list(scope.values()):
            if isinstance(value, types.FunctionType):
                _refuse_late_import(value)
                waiting.append(value.__globals__)
            elif isinstance(value, types.ModuleType):
                waiting.append(vars(value))
    return list(found.values())


def _functions(function: Any) -> Iterator[types.FunctionType]:
    """The plain functions that something callable is made of."""
    if isinstance(function, types.FunctionType):
        _refuse_late_import(function)
        yield function
        yield from _functions(getattr(function, "__wrapped__", None))  # of a library's decorator
    elif isinstance(function, Iterated):
        for _, part in function.parts():
            yield from _functions(part)
    elif isinstance(function, functools.partial):
        yield from _functions(function.func)
    elif isinstance(function, types.MethodType):
        yield from _functions(function.__func__)
    elif hasattr(function, "__wrapped__"):
        yield from _functions(function.__wrapped__)


@functools.cache
def _own(file: str) -> bool:
    return where(Path(file)) == "local"


@functools.cache
def _refuse_late_import(function: types.FunctionType) -> None:
    if not _own(function.__code__.co_filename):
        return
    for instruction in dis.get_instructions(function.__code__):
        if instruction.opname == "IMPORT_NAME" and _of_numpy(str(instruction.argval)):
            line = function.__code__.co_firstlineno
            raise FixedWidthError(
                f"{Path(function.__code__.co_filename).name}:{line}: {function.__name__} imports NumPy "
                "inside; import it at the top of the module, so that its integers can be watched"
            )
