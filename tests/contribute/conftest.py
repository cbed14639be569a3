"""A private copy of the locales, so that tests may write in it."""

import shutil

import pytest

from eec_datasets.locale.reading import locales_folder


@pytest.fixture
def root(tmp_path):
    """A folder of locales that is this test's own."""
    return shutil.copytree(locales_folder(), tmp_path / "my locales")
