"""Options are declared once: signatures, docstrings and every surface follow the declarations."""

import inspect
import re
from dataclasses import fields
from typing import get_type_hints

import pytest

from eec_bias import OptionError, measure
from eec_bias.methods import METHODS as FUNCTIONS_OF_METHODS
from eec_bias.options import FUNCTIONS, METHODS, MeasureOptions

CALLS = {"default": measure, **FUNCTIONS_OF_METHODS}


def options_of(call: object) -> dict[str, object]:
    """The names and defaults of the options of a function."""
    parameters = inspect.signature(call).parameters.values()
    return {one.name: one.default for one in parameters if one.kind is inspect.Parameter.KEYWORD_ONLY}


@pytest.mark.parametrize("method", METHODS)
def test_signatures_and_docstrings_have_the_options_that_are_declared(method: str) -> None:
    declared = {option.name: option.default for option in FUNCTIONS[method]}
    assert options_of(CALLS[method]) == declared
    section = (inspect.getdoc(CALLS[method]) or "").split("Returns\n")[0]
    documented = {name for line in re.findall(r"^(?! )(.+)$", section, re.M) for name in re.findall(r"\w+", line)}
    assert set(declared) <= documented


def test_measure_has_the_options_of_the_declaration_in_its_order() -> None:
    declared = {each.name: each.default for each in fields(MeasureOptions)}
    assert list(options_of(measure).items()) == list(declared.items())


def test_measure_has_the_types_of_the_declaration() -> None:
    declared = get_type_hints(MeasureOptions)
    signature = get_type_hints(inspect.unwrap(measure))
    assert {name: signature[name] for name in declared} == declared


@pytest.mark.parametrize("confidence", [95, 0, 1, -0.5, "95%", "0.95", True, float("nan"), None, [0.9]])
def test_a_confidence_that_is_no_share_is_refused(confidence: object) -> None:
    said = re.escape(f"confidence is {confidence!r}; expected a number above 0 and below 1, such as 0.95 for 95%")
    with pytest.raises(OptionError, match=said):
        MeasureOptions(confidence=confidence)  # type: ignore[arg-type]


def test_every_option_has_a_line_of_help_and_one_declaration() -> None:
    options = {option for declared in FUNCTIONS.values() for option in declared}
    assert len({option.name for option in options}) == len(options)
    for option in options:
        assert re.fullmatch(r"[A-Z][^\n]+\.", option.help), option.name
        assert option.kind != "choice" or option.default in (None, *option.choices)
        if option.default is not None:
            option.check(option.default)
