"""Figures of a result, each a function of the result alone: ``eec_bias.figures.persons(result)``.

A result is a `Result`, or the dict that ``to_dict(details=True)`` or a saved audit holds.
"""

from collections.abc import Callable
from typing import Any

from .figures_forest import forest
from .figures_heatmap import heatmap
from .figures_items import items
from .figures_persons import persons
from .figures_systems import systems

__all__ = ["NAMES", "draw", "forest", "heatmap", "items", "persons", "systems"]

NAMES = ("forest", "persons", "heatmap", "items", "systems", "sensitivity", "label_dist")


def draw(name: str, result: Any, **options: Any) -> Any:
    """Draw a figure by its name.

    Parameters
    ----------
    name : str
        One of `NAMES`.
    result : Result or dict
        What was measured.
    **options
        Of the figure.

    Returns
    -------
    matplotlib Figure
    """
    own: dict[str, Callable[..., Any]] = {
        "forest": forest,
        "persons": persons,
        "heatmap": heatmap,
        "items": items,
        "systems": systems,
    }
    if name in own:
        return own[name](result, **options)
    from . import figures_perturbation

    return getattr(figures_perturbation, name)(result, **options)
