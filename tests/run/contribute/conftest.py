"""Folders of languages in which tests may write."""

import shutil

import pytest
from languages import languages

from eec_datasets.locale.reading import locales_folder


@pytest.fixture
def root(tmp_path_factory):
    """A folder of locales that is this test's own, without the tables of names and the rules for natural text.

    It is at the same place for every test, so that what was read there is still known where no test has changed it.
    """
    folder = tmp_path_factory.getbasetemp() / "my locales"
    shutil.rmtree(folder, ignore_errors=True)
    return shutil.copytree(locales_folder(), folder, ignore=shutil.ignore_patterns("names.csv", "anchor*"))


@pytest.fixture
def folder(tmp_path_factory):
    """A small folder of languages, Portuguese with the English beside it; like `root` it is always at one place."""
    place = tmp_path_factory.getbasetemp() / "reviewed"
    shutil.rmtree(place, ignore_errors=True)
    return languages(place / "languages", "en", "pt")
