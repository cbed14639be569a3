"""Names of options and array types, in one place."""

from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from eec_bias.errors import OptionError

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.intp]
Bools: TypeAlias = NDArray[np.bool_]

Adjust = Literal["holm", "bh", "by", "maxt", "none"]
Incomplete = Literal["refuse", "shared"]
Method = Literal["default", "camara2022", "kiritchenko2018", "perturbation", "rating"]
OutputKind = Literal["score", "ordinal", "class", "probabilities"]
Layout = Literal["text", "csv", "latex"]
Subset = Literal["names", "pairs", "phrases"]

ADJUSTMENTS: tuple[str, ...] = ("holm", "bh", "by", "maxt", "none")
METHODS: tuple[str, ...] = ("default", "camara2022", "kiritchenko2018", "perturbation", "rating")
OUTPUTS: tuple[str, ...] = ("score", "ordinal", "class", "probabilities")
INCOMPLETE: tuple[str, ...] = ("refuse", "shared")

UNMARKED = "unmarked"
"""The label of rows that say nothing on an axis; they take no part in its terms."""

MEAN = "mean"
"""What stands in the column ``reference`` where a level is compared with the mean of all levels."""


def one_of(name: str, given: Any, allowed: tuple[str, ...]) -> None:
    """Check an option against the values it can take.

    Raises
    ------
    OptionError
        If ``given`` is not one of ``allowed``.
    """
    if given not in allowed:
        raise OptionError(f"{name}={given!r} is unknown; use one of {', '.join(map(repr, allowed))}")
