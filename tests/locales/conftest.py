"""A locale without a finding, copied so that a test may change it, and its grammar."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from eec_datasets.locale.grammar import read_grammar
from eec_datasets.locale.sources import Problems

BASE = Path(__file__).parent / "base"


@pytest.fixture
def folder(tmp_path):
    shutil.copytree(BASE, tmp_path / "locales")
    return tmp_path / "locales" / "gl"


@pytest.fixture(scope="module")
def grammar():
    return read_grammar(BASE / "gl", Problems())
