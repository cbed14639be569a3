"""A small language with a table of names of two groups."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from name_tables import RULES, table_rows, write

from eec_datasets.locale.reading import locales_folder


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder of locales that holds English alone, with a table of 32 names."""
    shutil.copytree(locales_folder() / "en", tmp_path / "en")
    shutil.copy(locales_folder() / "corpus.toml", tmp_path)
    locale = tmp_path / "en/locale.toml"
    kept = [part for part in locale.read_text(encoding="utf-8").split("\n[") if "-100" not in part.split("]")[0]]
    locale.write_text("\n[".join(kept), encoding="utf-8")
    (tmp_path / "en/names.toml").write_text(RULES, encoding="utf-8")
    write(tmp_path, table_rows())
    return tmp_path
