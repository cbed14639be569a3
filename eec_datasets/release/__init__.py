"""Corpora → a versioned dataset: parquet, card, Croissant, manifest, and what changed between two of them."""

from eec_datasets.release.building import BuildError, build, read_table, render, tables

__all__ = ["BuildError", "build", "read_table", "render", "tables"]
