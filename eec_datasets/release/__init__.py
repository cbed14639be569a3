"""Corpora → a versioned dataset: parquet, card, Croissant, manifest, and what changed between two of them."""

from eec_datasets.release.building import build, render
from eec_datasets.release.manifest import BuildError, read_table, tables

__all__ = ["BuildError", "build", "read_table", "render", "tables"]
