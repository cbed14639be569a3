"""Options are declared once: signatures, docstrings and every surface follow the declarations."""

import inspect
import re

import pytest

from eec_bias import Accumulator, measure, measure_frame
from eec_bias.methods import METHODS as FUNCTIONS_OF_METHODS
from eec_bias.options import FUNCTIONS, IN_MEMORY, METHODS, FrameOptions, SumOptions

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


def test_streams_take_every_option_of_measure_with_its_default_or_say_that_it_needs_the_rows_in_memory() -> None:
    declared = {option.name: option.default for option in FUNCTIONS["default"]}
    frames, chunks = options_of(measure_frame), options_of(Accumulator.__init__)
    del frames["progress"]
    assert (frames | chunks).items() <= declared.items()
    assert frames.keys() | FrameOptions.__annotations__.keys() | set(IN_MEMORY) == declared.keys()
    assert chunks.keys() | SumOptions.__annotations__.keys() | {*IN_MEMORY, "incomplete"} == declared.keys()


def test_every_option_has_a_line_of_help_and_one_declaration() -> None:
    options = {option for declared in FUNCTIONS.values() for option in declared}
    assert len({option.name for option in options}) == len(options)
    for option in options:
        assert re.fullmatch(r"[A-Z][^\n]+\.", option.help), option.name
        assert option.kind != "choice" or option.default in option.choices
        if option.default is not None:
            option.check(option.default)
