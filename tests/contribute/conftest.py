"""A private copy of the locales, so that tests may write in it."""

import shutil

import pytest

from eec_datasets.locale.reading import locales_folder


@pytest.fixture
def root(tmp_path_factory):
    """A folder of locales that is this test's own, without the tables of names and the rules for natural text.

    It is at the same place for every test, so that what was read there is still known where no test has changed it.
    """
    folder = tmp_path_factory.getbasetemp() / "my locales"
    shutil.rmtree(folder, ignore_errors=True)
    return shutil.copytree(locales_folder(), folder, ignore=shutil.ignore_patterns("names.csv", "anchor*"))
