"""Bias coefficients of scored Equity Evaluation Corpora, with names, templates and words as samples.

``measure`` gives the same numbers as the `evaluate` module ``eec_bias.py``, without importing `evaluate`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from eec_bias.errors import BiasError, DesignError, LabelsError, OptionError, ResultError, ScoresError

if TYPE_CHECKING:
    from eec_bias import figures, methods
    from eec_bias.api import measure
    from eec_bias.comparing import compare
    from eec_bias.inputs.containers import content_hash
    from eec_bias.integrations.callback import EECCallback
    from eec_bias.integrations.evaluator import bound
    from eec_bias.measurement import Measurement, load_all
    from eec_bias.power_simulation import power, simulate
    from eec_bias.result.facts import VERSION, Facts
    from eec_bias.result.result import Result
    from eec_bias.result.term import TERM_KEYS
    from eec_bias.result.text import report

    __version__: str

HOMES = {
    "TERM_KEYS": "eec_bias.result.term",
    "VERSION": "eec_bias.result.facts",
    "EECCallback": "eec_bias.integrations.callback",
    "Measurement": "eec_bias.measurement",
    "Result": "eec_bias.result.result",
    "Facts": "eec_bias.result.facts",
    "bound": "eec_bias.integrations.evaluator",
    "compare": "eec_bias.comparing",
    "content_hash": "eec_bias.inputs.containers",
    "load_all": "eec_bias.measurement",
    "measure": "eec_bias.api",
    "power": "eec_bias.power_simulation",
    "report": "eec_bias.result.text",
    "simulate": "eec_bias.power_simulation",
}
"""The module of each name that is imported when it is first asked for.

Whoever needs a part of the package that knows nothing of scores, such as `shared`, does not wait for numpy and scipy.
No module of this folder is called like a name in it: an import of the module would take its place.
"""

INTERFACE = 1
"""Of what the `evaluate` module takes from this package; it changes where an older module would fail."""

__all__ = [
    "INTERFACE",
    "TERM_KEYS",
    "VERSION",
    "BiasError",
    "DesignError",
    "EECCallback",
    "Facts",
    "LabelsError",
    "Measurement",
    "OptionError",
    "Result",
    "ResultError",
    "ScoresError",
    "bound",
    "compare",
    "content_hash",
    "figures",
    "load_all",
    "measure",
    "methods",
    "power",
    "report",
    "simulate",
]


def __getattr__(name: str) -> Any:
    """Import a name of the package when it is first asked for."""
    if name == "__version__":
        value = import_module(HOMES["VERSION"]).VERSION
    elif name in ("figures", "methods"):
        return import_module(f"{__name__}.{name}")
    elif name in HOMES:
        value = getattr(import_module(HOMES[name]), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
