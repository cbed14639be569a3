"""The procedures of the papers, asked for by ``method=``."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from .camara import camara2022
from .errors import OptionError
from .kiritchenko import kiritchenko2018
from .measured import Measured, measured
from .options import Method
from .scoring import Scores
from .sources import Source

DEFAULTS: dict[str, Any] = {
    "adjust": "holm", "incomplete": "refuse", "simple": False, "by": None, "outputs": "score", "permutations": 0,
    "bootstrap": 0, "margin": None, "contrasts": "default",
}  # fmt: skip
"""Options of the default method that a published procedure cannot honour."""


def published(
    method: Method,
    scores: Scores,
    source: Source,
    *,
    axes: Sequence[str] | None,
    reference: Any,
    edge: str,
    others: dict[str, Any],
) -> Measured:
    """Run a published procedure; its rows stand in the same long frame.

    Parameters
    ----------
    method : {"camara2022", "kiritchenko2018"}
        Which.
    scores : Scores
        Checked scores; their tasks choose the sentences of the matching emotion.
    source : Source
        The data.
    axes, reference, edge
        As for ``measure``.
    others : dict
        The other options of ``measure``, which must have their defaults.

    Raises
    ------
    OptionError
        If an option is given that the procedure does not have.
    """
    for name, default in DEFAULTS.items():
        if others[name] != default:
            raise OptionError(
                f"{name}={others[name]!r} has no meaning in the published procedure method={method!r}; leave it out"
            )
    common: dict[str, Any] = {
        "tasks": scores.tasks, "axes": axes, "reference": reference, "score_range": scores.score_range,
    }  # fmt: skip
    if method == "camara2022":
        result, study = camara2022(scores, source, edge=edge, **common), None
    else:
        if edge != "none":
            raise OptionError(f"edge={edge!r} has no meaning in method={method!r}, which fits no beta regression")
        study = kiritchenko2018(scores, source, **common)
        result = study.result
    whole = replace(result, notes=(*scores.notes, *result.notes))
    return measured(whole, study=study, method=method)
