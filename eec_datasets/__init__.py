"""Equity Evaluation Corpora in many languages: sentences that differ only in the person mentioned.

>>> import eec_datasets
>>> ds = eec_datasets.load("es-anglo-latino")
>>> [config.name for config in eec_datasets.configs()]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from eec_datasets.corpora import Config, configs
from eec_datasets.design import confounded
from eec_datasets.errors import EecError
from eec_datasets.loading import load

if TYPE_CHECKING:
    from eec_datasets.rewrite.perturbation import Perturbation, perturb

__version__ = "0.1.0"
__all__ = ["Config", "EecError", "Perturbation", "__version__", "configs", "confounded", "load", "perturb"]


def __getattr__(name: str) -> Any:
    """Import what reads natural text when it is asked for: ``import eec_datasets`` stays quick."""
    if name in ("Perturbation", "perturb"):
        from eec_datasets.rewrite import perturbation

        return getattr(perturbation, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
