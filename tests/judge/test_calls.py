"""What a program is made of, as far as its code tells."""

from types import ModuleType

from theorycheck.judge.calls import functions_of

compiled = ModuleType("compiled")


def area(r):
    """pi r^2, with pi of a module that is no text."""
    return compiled.pi * r**2


def test_data_of_a_compiled_module_are_data(tmp_path):
    binary = tmp_path / "compiled.so"
    binary.write_bytes(b"\x7fELF\xc3\x28\xff")
    compiled.__file__ = str(binary)
    compiled.pi = 3
    assert area in functions_of(area, area.__module__)
