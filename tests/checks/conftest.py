"""A locale without a finding, copied so that a test may change it."""

import shutil
from pathlib import Path

import pytest

BASE = Path(__file__).parent / "base"


@pytest.fixture
def root(tmp_path):
    """The folder of locales that holds it."""
    return shutil.copytree(BASE, tmp_path / "locales")


@pytest.fixture
def folder(root):
    """Its own folder."""
    return root / "gl"
