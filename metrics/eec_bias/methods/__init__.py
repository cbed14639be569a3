"""The procedures of four papers, each a function with its own options that returns the same `Result`."""

from collections.abc import Callable

from eec_bias.methods.camara2022 import camara2022
from eec_bias.methods.kiritchenko2018 import kiritchenko2018
from eec_bias.methods.perturbation import perturbation
from eec_bias.methods.rating import deconfound, discretised, rating
from eec_bias.result.result import Result

__all__ = [
    "METHODS",
    "camara2022",
    "deconfound",
    "discretised",
    "kiritchenko2018",
    "perturbation",
    "rating",
]

_PROCEDURES: tuple[Callable[..., Result], ...] = (camara2022, kiritchenko2018, perturbation, rating)

METHODS = {procedure.__name__: procedure for procedure in _PROCEDURES}
"""By the name that ``--method`` and the configurations of the `evaluate` module take."""
