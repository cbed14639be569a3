"""A locale without a finding, copied so that a test may change it."""

import shutil

import pytest
from places import TESTS

BASE = TESTS / "checks" / "base"


@pytest.fixture
def root(tmp_path):
    """The folder of locales that holds it."""
    return shutil.copytree(BASE, tmp_path / "locales")


@pytest.fixture
def folder(root):
    """Its own folder."""
    return root / "gl"
