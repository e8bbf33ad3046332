"""GemFilter's facts of the source stand once, and are those that the register of clauses states."""

import importlib
import re
import tomllib

import pytest

from theorycheck.library.loading import Library, bundled, load_source

LIBRARY = Library(bundled())
FOLDER = bundled() / "gemfilter"


@pytest.fixture
def tables():
    load_source(LIBRARY, FOLDER)
    return importlib.import_module(f"{LIBRARY.package}.gemfilter._tables")


@pytest.fixture
def register():
    """Clauses and hypotheses by their id."""
    statements = tomllib.loads((FOLDER / "clauses.toml").read_text())["statement"]
    parts = [
        part for one in statements for part in one.get("clause", []) + one.get("hypothesis", [])
    ]
    return {part["id"]: part for part in parts}


def fractions_in(text):
    return [tuple(int(number) for number in pair) for pair in re.findall(r"(\d+)/(\d+)", text)]


def test_filter_layers_are_those_of_the_register(tables, register):
    assert fractions_in(register["machine"]["says"]) == list(tables.FILTER_LAYERS.values())
    below = [(layers, layer) for layer, layers in tables.FILTER_LAYERS.values()][1:]
    assert fractions_in(register["bound-by-theorem"]["tex"]) == below


def test_ratios_and_lengths_are_those_of_the_register(tables, register):
    ratios = re.findall(r"\d\.\d{4}", register["bound-by-theorem"]["says"])
    assert ratios == list(tables.RATIOS.values())
    lengths = re.findall(r"\d{6}", register["bottleneck-gem"]["evidence"])
    *lengths_of_models, case_study = (int(text) for text in lengths)
    assert lengths_of_models == list(tables.LENGTHS.values())
    assert all(length > case_study for length in lengths_of_models)


def test_no_claim_types_a_filter_layer_of_its_own(tables):
    load_source(LIBRARY, FOLDER)
    study = importlib.import_module(f"{LIBRARY.package}.gemfilter.case_study")
    reports = importlib.import_module(f"{LIBRARY.package}.gemfilter.speedup_reports")
    layers = {name: sizes[1::-1] for name, sizes in study.MODELS.items()}
    assert layers == reports.FILTER_LAYERS == tables.FILTER_LAYERS
