"""Loading claim files: discovery, the one clear line for what is wrong, independence of simulations."""

import textwrap

import pytest

from theorycheck.claims.functions import ClaimError
from theorycheck.library.loading import (
    Library,
    bundled,
    check_ids,
    load_all,
    load_file,
)

HEAD = """
import sympy as sp
from theorycheck import claim, equals, integers, leg, variant
n = sp.symbols("n", integer=True, positive=True)
form = 2 * n
"""
CLAIM = """
@claim("{id}", domain={{n: integers(1)}}, grid={{"smoke": {{n: [1, 2]}}}}, closed_form=form{extra})
def {name}(n):
    {body}
"""


def write(folder, text, name="mine.py"):
    path = folder / name
    path.write_text(textwrap.dedent(text))
    return path


def simple(id="a", name="value", body="return 2 * n", extra=""):
    return CLAIM.format(id=id, name=name, body=body, extra=extra)


def test_a_draft_needs_no_rival_and_no_register(tmp_path):
    loaded = load_file(write(tmp_path, HEAD + simple()))
    assert [i.claim.id for i in loaded] == ["a"]
    assert loaded[0].draft


def library(tmp_path, text, source="src"):
    folder = tmp_path / source
    folder.mkdir()
    (folder / "statements.toml").write_text("")
    write(folder, text)
    return tmp_path


def test_a_library_claim_needs_a_rival(tmp_path):
    with pytest.raises(ClaimError, match=r"src/mine.py: claim a: has no rival"):
        load_all([library(tmp_path, HEAD + simple())])


def test_a_library_claim_with_a_rival_loads(tmp_path):
    text = HEAD + simple(extra=', rivals=[variant("3n", closed_form=3 * n)]')
    assert [i.source for i in load_all([library(tmp_path, text)])] == ["src"]


def test_duplicate_ids_are_refused(tmp_path):
    text = HEAD + simple() + simple(name="other")
    with pytest.raises(ClaimError, match="already defined"):
        check_ids(load_file(write(tmp_path, text)))


CHEATS = {
    "direct": simple(body="return form.subs(n, n)"),
    "through a helper": "def helper(n):\n    return form\n" + simple(body="return helper(n)"),
    "through a helper of a helper": (
        "def deep(n):\n    return sp.factorial(n)\ndef helper(n):\n    return deep(n)\n"
        + simple(body="return helper(n)")
    ),
    "through a closure": (
        "def make():\n    hidden = form\n    def inner(n):\n        return hidden\n    return inner\n"
        'cheat = claim("a", domain={n: integers(1)}, grid={"smoke": {n: [1]}}, closed_form=form,\n'
        '              legs=[leg("value", make())])\n'
    ),
    "through a default": (
        "def cheating(n, f=form):\n    return f\n"
        'cheat = claim("a", domain={n: integers(1)}, grid={"smoke": {n: [1]}}, closed_form=form,\n'
        '              legs=[leg("value", cheating)])\n'
    ),
    "by an import inside": simple(body="import sympy\n    return sympy.Integer(2) * n"),
    "through another claim": simple(id="b", name="first") + simple(body="return first.closed_form"),
    "through a table": "table = {'f': [form]}\n" + simple(body="return table['f'][0]"),
    "through a lambda": "helper = lambda n: form\n" + simple(body="return helper(n)"),
    "through a comprehension": simple(body="return [form for _ in range(1)][0]"),
    "through functools.partial": (
        "import functools\ndef with_form(f, n):\n    return f\n"
        "helper = functools.partial(with_form, form)\n" + simple(body="return helper(n)")
    ),
    "through a class attribute": "class Box:\n    f = form\n" + simple(body="return Box.f"),
    "through a property": (
        "class Box:\n    @property\n    def f(self):\n        return form\nbox = Box()\n"
        + simple(body="return box.f")
    ),
    "through a static method": (
        "class Box:\n    @staticmethod\n    def f(n):\n        return form\n"
        + simple(body="return Box.f(n)")
    ),
    "through a namespace": (
        "from types import SimpleNamespace\nbox = SimpleNamespace(f=form)\n"
        + simple(body="return box.f")
    ),
    "through a mapping": (
        "from types import MappingProxyType\nbox = MappingProxyType({1: form})\n"
        + simple(body="return box[1]")
    ),
    "through a bound method": "value = form.subs\n" + simple(body="return value({})"),
    "through lambdify": "fast = sp.lambdify([n], form)\n" + simple(body="return fast(n)"),
    "through numpy.vectorize": (
        "import numpy as np\nfast = np.vectorize(lambda v: form.subs({}))\n"
        + simple(body="return fast(n)")
    ),
    "through an array of objects": (
        "import numpy as np\nbox = np.array([form], dtype=object)\n" + simple(body="return box[0]")
    ),
    "through a cached function": (
        "import functools\n@functools.cache\ndef helper(n):\n    return form\n"
        + simple(body="return helper(n)")
    ),
    "through getattr on a module": (
        "import sys\nhere = sys.modules[__name__]\n" + simple(body='return getattr(here, "form")')
    ),
    "through globals": simple(body='return globals()["form"]'),
    "through eval": simple(body='return eval("form + 0")'),
    "through import_module": (
        "import importlib\n" + simple(body='return importlib.import_module("sympy").Integer(n)')
    ),
    "through sys.modules": "import sys\n" + simple(body='return sys.modules["sympy"].Integer(n)'),
    "through a table of numbers": (
        "sym = form.free_symbols.pop()\n"
        "table = [int(form.subs(sym, v)) for v in range(9)]\n" + simple(body="return table[n]")
    ),
    "through a table filled by a loop": (
        "sym = form.free_symbols.pop()\ntable = {}\nfor v in range(9):\n    table[v] = int(form.subs(sym, v))\n"
        + simple(body="return table[n]")
    ),
    "through an appended list": (
        "sym = form.free_symbols.pop()\ntable = []\ntable.append(int(form.subs(sym, 1)))\n"
        + simple(body="return table[0]")
    ),
    "through a table of a table": (
        "sym = form.free_symbols.pop()\nfirst = [int(form.subs(sym, v)) for v in range(9)]\nsecond = first[1:]\n"
        + simple(body="return second[n - 1]")
    ),
    "through a global array": (
        "import numpy as np\nsym = form.free_symbols.pop()\n"
        "table = np.array([int(form.subs(sym, v)) for v in range(9)])\n"
        + simple(body="return int(table[n])")
    ),
    "through an object": (
        "class Box:\n    def __init__(self):\n        self.f = form\nbox = Box()\n"
        + simple(body="return box.f")
    ),
}


@pytest.mark.parametrize("name", CHEATS)
def test_a_simulation_that_reaches_the_closed_form_is_refused(tmp_path, name):
    with pytest.raises(ClaimError, match="reaches") as error:
        load_file(write(tmp_path, HEAD + CHEATS[name]))
    assert "mine.py: claim a" in str(error.value)


SIDES = """
from theorycheck import equals, instances

def model(x, sign=1):
    return sign * sum(x)

def measured(x):
    \"\"\"By the model.\"\"\"
    return model(x)

def other(x):
    return {other}

mine = claim("a", title="t", says="s", role="derived", domain={{n: integers(1)}}, grid={{"smoke": {{n: [1]}}}},
             relation=equals(), legs=[leg("v", measured, reference=other, instances=instances(
                 lambda rng, n: {{"x": [1] * n}}, "x", smoke=1))],
             rivals=[variant("0", reference=lambda x: 0)])
"""


def test_a_reference_that_is_the_simulation_over_again_is_refused(tmp_path):
    with pytest.raises(
        ClaimError, match=r"leg 'v' calls model\(x\), which is all that its simulation"
    ):
        load_file(write(tmp_path, HEAD + SIDES.format(other="model(x) + 0 * len(x)")))


@pytest.mark.parametrize("other", ["-model(x, sign=-1)", "sum(reversed(x))"])
def test_another_program_or_other_arguments_are_another_side(tmp_path, other):
    assert load_file(write(tmp_path, HEAD + SIDES.format(other=other)))


def test_a_cheat_through_a_shared_model_is_refused(tmp_path):
    root = library(
        tmp_path,
        HEAD
        + "from ._model import helper\n"
        + simple(body="return helper(n)", extra=', rivals=[variant("3n", closed_form=3 * n)]'),
    )
    write(root / "src", "import sympy\ndef helper(n):\n    return sympy.sqrt(n)\n", "_model.py")
    with pytest.raises(ClaimError, match="reaches"):
        load_all([root])


@pytest.mark.parametrize(
    "text",
    [
        "table = [2 * v for v in range(9)]\n" + simple(body="return table[n]"),
        "import numpy as np\ntable = np.arange(9) * 2\n" + simple(body="return int(table[n])"),
        "import math\n" + simple(body='return 2 * getattr(math, "comb")(n, 1)'),
        "names = ['sympy']\n" + simple(body="return 2 * n  # beside sympy"),
        "rows = {1: (1, 2)}\nrows[2] = (2, 3)\n" + simple(body="return 2 * n + 0 * len(rows)"),
    ],
)
def test_honest_data_pass(tmp_path, text):
    assert load_file(write(tmp_path, HEAD + text))


def test_honest_helpers_pass(tmp_path):
    text = "import math\ndef helper(n):\n    return math.comb(n, 1)\n" + simple(
        body="return 2 * helper(n)"
    )
    assert load_file(write(tmp_path, HEAD + text))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x = (", "SyntaxError"),
        ("import no_such_module_here", "no_such_module_here"),
        ("1 / len('')", "ZeroDivisionError"),
    ],
)
def test_files_that_cannot_be_loaded_say_where(tmp_path, text, words):
    with pytest.raises(ClaimError, match=r"mine\.py") as error:
        load_file(write(tmp_path, text))
    assert words in str(error.value)


def test_missing_file(tmp_path):
    with pytest.raises(ClaimError, match="no such file"):
        load_file(tmp_path / "nothing.py")


def test_the_bundled_library_is_beside_the_package():
    assert (bundled() / "fourier_circuits" / "statements.toml").exists()
    assert len(Library(bundled()).sources()) == 11


def test_a_folder_of_drafts_is_all_its_files(tmp_path):
    text = (
        "import sympy as sp\nfrom theorycheck import claim, integers\n"
        "n = sp.symbols('n', integer=True)\n\n"
        "@claim('{0}', domain={{n: integers(1)}}, grid={{'smoke': {{n: [1]}}}}, closed_form=2 * n)\n"
        "def double(n):\n    return n + n\n"
    )
    for name in ("one", "two"):
        (tmp_path / f"{name}.py").write_text(text.format(name))
    (tmp_path / "_shared.py").write_text("raise RuntimeError('no claim module')\n")
    assert [item.claim.id for item in load_all([tmp_path])] == ["one", "two"]
    (tmp_path / "three.py").write_text(text.format("one"))
    with pytest.raises(ClaimError, match="one"):
        load_all([tmp_path])
