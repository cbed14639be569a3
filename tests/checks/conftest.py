"""A locale without a finding, copied so that a test may change it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

BASE = Path(__file__).parent / "base"


@pytest.fixture
def folder(tmp_path):
    shutil.copytree(BASE, tmp_path / "locales")
    return tmp_path / "locales" / "gl"
