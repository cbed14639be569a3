"""Kinds of systems in a census."""

from typing import Literal

Kind = Literal["program", "list", "our list", "embedding"]
"""A program with its rules; a word list that its package reads, or that we read; our regression on embeddings."""
