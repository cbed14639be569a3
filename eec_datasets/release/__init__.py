"""Corpora → a versioned dataset: parquet, card, Croissant, manifest, and what changed between two of them."""

from eec_datasets.errors import InputError
from eec_datasets.release.building import build, render
from eec_datasets.release.manifest import read_table, tables

__all__ = ["InputError", "build", "read_table", "render", "tables"]
