"""One build for all tests that only read it."""

import pytest

from eec_datasets import release

CONFIGS = ["en-black-white", "es-anglo-latino", "ar-anglo-arab", "es-gender"]


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """A build of three configs of the papers, and of one that leaves sentences out."""
    out = tmp_path_factory.mktemp("built") / "eec"
    release.build(out, configs=CONFIGS)
    return out
