"""Integers of fixed width inside exact legs: what runs over is an error and never a verdict."""

import textwrap

import pytest

from theorycheck.library.loading import load_file
from theorycheck.testing import judged

HEAD = """
import functools, math
import numpy as np
from numpy import arange, int64, prod
import sympy as sp
from theorycheck import claim, equals, integers, leg
n = sp.symbols("n", integer=True, positive=True)
TABLE = np.arange(1, 100)

def value(n):
    {body}

c = claim("c", domain={{n: integers(1)}}, grid={{"smoke": {{n: {points}}}}}, closed_form={form},
          relation=equals(), mutate=False, legs=[leg("value", value)])
"""


def verdict(tmp_path, body, form="sp.factorial(n)", points="[5, 21]"):
    file = tmp_path / "mine.py"
    body = textwrap.indent(textwrap.dedent(body), "    ").strip()
    file.write_text(HEAD.format(body=body, form=form, points=points))
    return judged(load_file(file)[0].claim)


OVER = {
    "a product": ("return int(np.prod(np.arange(1, n + 1)))", "sp.factorial(n)"),
    "names of their own": ("return int(prod(arange(1, n + 1)))", "sp.factorial(n)"),
    "by method": ("return int(np.arange(1, n + 1).prod())", "sp.factorial(n)"),
    "accumulated": ("return int(np.cumprod(np.arange(1, n + 1))[-1])", "sp.factorial(n)"),
    "accumulated by method": ("return int(np.arange(1, n + 1).cumprod()[-1])", "sp.factorial(n)"),
    "through a list": ("return np.cumprod(np.arange(1, n + 1)).tolist()[-1]", "sp.factorial(n)"),
    "a table of the module": ("return int(np.prod(TABLE[:n]))", "sp.factorial(n)"),
    "reduced": (
        "return int(functools.reduce(np.multiply, np.arange(1, n + 1)[:, None])[0])",
        "sp.factorial(n)",
    ),
    "in place": (
        "x = np.ones(1, dtype=np.int64)\nfor k in range(1, n + 1):\n    x *= k\nreturn int(x[0])",
        "sp.factorial(n)",
    ),
    "written into": (
        "x = np.ones(1, dtype=np.int64)\nfor k in range(1, n + 1):\n"
        "    np.multiply(x, k, out=x)\nreturn int(x[0])",
        "sp.factorial(n)",
    ),
    "a comparison": ("return int(np.prod(np.full(64 * n, 2)) == 0)", "n / n"),
    "powers": ("return int((np.full(1, 10) ** n)[0])", "10**n"),
    "shifts": ("return int((np.ones(1, dtype=np.int64) << (3 * n))[0])", "8**n"),
    "a matrix product": (
        "m = np.array([[10]])\nfor _ in range(n - 1):\n    m = m @ np.array([[10]])\nreturn int(m[0, 0])",
        "10**n",
    ),
    "a dot product": (
        "a = np.full(1, 10**n // 100)\nreturn int(np.dot(a, a)) * 10**4",
        "10**(2*n)",
    ),
    "a sum": ("return int(np.sum(np.full(100, 10**(n - 2))))", "10**n"),
    "narrowed": ("return int(np.full(1, 10**n // 1000).astype(np.int32)[0]) * 1000", "10**n"),
    "unsigned": (
        "a = np.zeros(1, dtype=np.uint64)\nreturn int((a - np.full(1, n, dtype=np.uint64))[0])",
        "-n",
    ),
    "einsum": (
        "a = np.full(1, 10**n // 100)\nreturn int(np.einsum('i,i->', a, a)) * 10**4",
        "10**(2*n)",
    ),
    "single integers": (
        "x = np.int64(1)\nfor _ in range(n):\n    x = x * np.int64(10)\nreturn int(x)",
        "10**n",
    ),
    "a power of a single integer": ("return int(np.int64(10) ** n)", "10**n"),
    "a shift of a single integer": ("return int(np.int64(1) << (4 * n))", "16**n"),
    "a power by a type's own": ("return int(np.power(np.int64(10), n))", "10**n"),
    "single integers, warnings ignored": (
        "x = np.int64(1)\nwith np.errstate(all='ignore'):\n    for _ in range(n):\n"
        "        x = x * 10\nreturn int(x)",
        "10**n",
    ),
    "a vanishing power": ("return int(np.int64(2) ** (4 * n))", "n - n"),
    "a name of its own": ("return int(int64(10) ** n)", "10**n"),
    "narrower": ("return int(np.int32(10) ** (n // 2)) ** 2", "10**n"),
    "negated": ("return int(-np.int64(-(2**63))) + 0 * n", "2**63 + 0*n"),
    "an entry": (
        "x = np.full(1, 10)[0]\ny = x\nfor _ in range(n - 1):\n    y = x * y\nreturn int(y)",
        "10**n",
    ),
    "an operation on single entries": (
        "a = np.full(n, 10)\nx = np.int64(1)\nfor k in range(n):\n    x = np.multiply(x, a[k])\n"
        "return int(x)",
        "10**n",
    ),
}


@pytest.mark.parametrize("how", OVER)
def test_what_runs_over_is_an_error_that_says_what_to_write(tmp_path, how):
    body, form = OVER[how]
    found = verdict(tmp_path, body, form, points="[20]" if "10" in form else "[5, 21]")
    assert found.verdict == "error", found
    assert "mine.py" in found.reason
    assert "write" in found.reason or "overflow" in found.reason


OUT = {
    "a number": "return np.prod(np.arange(1, n + 1))",
    "an entry": "return np.cumprod(np.arange(1, n + 1))[-1]",
    "an array": "return np.cumprod(np.arange(1, n + 1))[-1:]",
    "a type's own": "return np.int64(math.factorial(n))",
}


DECORATED = """
import contextlib
@contextlib.contextmanager
def nothing():
    yield

@nothing()
def value(n):"""


def test_a_decorator_of_a_library_hides_nothing(tmp_path):
    file = tmp_path / "mine.py"
    text = HEAD.format(body="return int(np.prod(np.arange(1, n + 1)))", form="n - n", points="[66]")
    file.write_text(text.replace("\ndef value(n):", DECORATED))
    found = judged(load_file(file)[0].claim)
    assert found.verdict == "error" and "mine.py" in found.reason


@pytest.mark.parametrize("how", OUT)
def test_numpys_integers_are_refused_also_where_they_fit(tmp_path, how):
    found = verdict(tmp_path, OUT[how], points="[5]")
    assert found.verdict == "error" and "write" in found.reason


RIGHT = {
    "Python's integers": "return math.prod(range(1, n + 1))",
    "entries as Python's": "return math.prod(int(k) for k in np.arange(1, n + 1))",
    "a list": "return math.prod(np.arange(1, n + 1).tolist())",
    "objects": "return int(np.prod(np.arange(1, n + 1).astype(object)))",
    "an array of objects": "return np.cumprod(np.arange(1, n + 1, dtype=object))[-1:]",
    "indexing": "t = [math.factorial(k) for k in range(n + 1)]\nreturn t[np.arange(n + 1)[-1]]",
    "indices by arithmetic": (
        "t = np.array([math.factorial(k) for k in range(n + 1)], dtype=object)\n"
        "return t[(np.arange(n + 1) * 7 + n) % (n + 1)][0] * 0 + t[n]"
    ),
    "masks": "k = np.arange(1, n + 1)\nreturn math.prod(k[(k > 0) & (k % 1 == 0)].tolist())",
    "dictionary keys": (
        "seen = {}\nfor k in np.arange(1, n + 1):\n    seen[k] = True\nreturn math.prod(int(k) for k in seen)"
    ),
}


@pytest.mark.parametrize("how", RIGHT)
def test_what_fits_or_has_no_width_passes(tmp_path, how):
    assert verdict(tmp_path, RIGHT[how]).verdict == "pass"


def test_what_fits_is_accepted_as_pythons_integer(tmp_path):
    body = "return int(np.prod(np.arange(1, n + 1)))"
    assert verdict(tmp_path, body, points="[1, 5, 20]").verdict == "pass"


SINGLE = (
    "x = np.int64(1)\nfor k in range(1, n + 1):\n    x = k * x + np.int32(0)\n"
    "assert isinstance(x, np.int64) and x.dtype == np.int64\n"
    "assert np.zeros(2, dtype=np.int64).dtype == np.int64 and np.iinfo(np.int64).bits == 64\n"
    "assert np.arange(3).astype(np.int32).dtype == 'int32' and divmod(x, 7)[1] == x % 7\n"
    "assert pow(x, 2, 5) == int(x) ** 2 % 5 and abs(-x) == x and x / 2 == int(x) / 2\n"
    "assert np.int64(7) // 2 == 3 and (x & 1, x >> 70) == (int(x) & 1, 0)\n"
    "assert isinstance(np.uint64(1) + np.int64(1), float) and x.astype(float) == int(x)\n"
    "return int(x)"
)


def test_single_integers_that_fit_are_numpys(tmp_path):
    assert verdict(tmp_path, SINGLE, points="[1, 5, 20]").verdict == "pass"


def test_numpy_imported_inside_cannot_be_watched(tmp_path):
    found = verdict(tmp_path, "import numpy\nreturn int(numpy.prod(numpy.arange(1, n + 1)))")
    assert found.verdict == "error" and "top of the module" in found.reason


def test_modules_know_numpy_again_afterwards(tmp_path):
    import numpy as np

    file = tmp_path / "mine.py"
    body = "return math.factorial(n) + 0 * int(np.sum(TABLE))"
    file.write_text(HEAD.format(body=body, form="sp.factorial(n)", points="[5]"))
    (item,) = load_file(file)
    scope = item.claim.legs[0].simulation.__globals__
    assert judged(item.claim).verdict == "pass"
    assert scope["np"] is np and scope["arange"] is np.arange and type(scope["TABLE"]) is np.ndarray
