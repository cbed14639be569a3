"""Equity Evaluation Corpora in many languages: sentences that differ only in the person mentioned.

>>> import eec_datasets
>>> ds = eec_datasets.load("es-anglo-latino")
>>> [config.name for config in eec_datasets.configs()]
"""

from __future__ import annotations

from eec_datasets.corpora import Config, configs, load
from eec_datasets.errors import EecError

__version__ = "0.1.0"
__all__ = ["Config", "EecError", "__version__", "configs", "load"]
