"""Figures of a result, each a function of the result alone: ``eec_bias.figures.persons(result)``.

A result is a `Result`, or the dict that ``to_dict(details=True)`` or a saved audit holds.
"""

from collections.abc import Callable
from typing import Any

from eec_bias.figures.causal import causal
from eec_bias.figures.forest import forest
from eec_bias.figures.label_dist import label_dist
from eec_bias.figures.persons import persons
from eec_bias.figures.reaction import reaction
from eec_bias.figures.sensitivity import sensitivity
from eec_bias.figures.systems import systems

__all__ = [
    "NAMES",
    "causal",
    "draw",
    "forest",
    "label_dist",
    "persons",
    "reaction",
    "sensitivity",
    "systems",
]

_DRAWN: tuple[Callable[..., Any], ...] = (forest, persons, reaction, systems, sensitivity, label_dist, causal)
_FIGURES = {figure.__name__: figure for figure in _DRAWN}

NAMES = tuple(_FIGURES)


def draw(name: str, result: Any, **options: Any) -> Any:
    """Draw the figure of a name, one of `NAMES`, with options of its own."""
    return _FIGURES[name](result, **options)
