"""Confounded corpora: sets in which groups and emotion words are, or are not, associated (Lakkaraju et al. 2022)."""

from __future__ import annotations

from eec_datasets.design.drawing import confounded
from eec_datasets.design.sets import CASES, SETS
from eec_datasets.errors import InputError

__all__ = ["CASES", "SETS", "InputError", "confounded"]
