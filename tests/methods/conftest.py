"""The corpus and the scores of the procedures that were published for it."""

import pytest
from eec2018 import corpus, three_systems


@pytest.fixture(scope="module")
def eec():
    return corpus()


@pytest.fixture(scope="module")
def scores(eec):
    return three_systems(eec)
