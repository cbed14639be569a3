"""Equity Evaluation Corpora in many languages: sentences that differ only in the person mentioned.

>>> import eec_datasets
>>> ds = eec_datasets.load("es-anglo-latino")
>>> [config.name for config in eec_datasets.configs()]
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from eec_datasets.errors import EecError

if TYPE_CHECKING:
    from eec_datasets.corpora import Config, configs
    from eec_datasets.design import confounded
    from eec_datasets.loading import load
    from eec_datasets.rewrite.check import check_pairs
    from eec_datasets.rewrite.perturbation import Perturbation, perturb
    from eec_datasets.systems.base import Accuracy, System, SystemOptions

HOMES = {
    "Accuracy": "eec_datasets.systems.base",
    "Config": "eec_datasets.corpora",
    "Perturbation": "eec_datasets.rewrite.perturbation",
    "System": "eec_datasets.systems.base",
    "SystemOptions": "eec_datasets.systems.base",
    "check_pairs": "eec_datasets.rewrite.check",
    "configs": "eec_datasets.corpora",
    "confounded": "eec_datasets.design",
    "load": "eec_datasets.loading",
    "perturb": "eec_datasets.rewrite.perturbation",
}
"""The module of each name that is imported when it is first asked for: ``import eec_datasets`` stays quick."""

__version__ = "0.1.0"
__all__ = [
    "Accuracy",
    "Config",
    "EecError",
    "Perturbation",
    "System",
    "SystemOptions",
    "__version__",
    "check_pairs",
    "configs",
    "confounded",
    "load",
    "perturb",
]


def __getattr__(name: str) -> Any:
    """Import a name of the package when it is first asked for."""
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
