"""Folders that tests read."""

from pathlib import Path

SHARED = Path(__file__).parent
TESTS = SHARED.parent
ROOT = TESTS.parent
ORACLES = TESTS / "oracles"
