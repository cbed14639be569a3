"""Results to report on: one real, and rows made by hand for what is rare."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from documents import outcome

from eec_datasets.audit import running, saving
from eec_datasets.audit.report.document import from_content
from eec_datasets.systems.corpus import WHOLE, CorpusPart, open_corpus
from eec_datasets.systems.registry import open_system
from eec_datasets.systems.store import Store

Row = dict[str, Any]


@pytest.fixture(scope="session")
def outcomes():
    """One system on an English and an Arabic corpus."""
    return [outcome("noisy:female", name) for name in ("en-black-white", "ar-anglo-arab")]


@pytest.fixture(scope="session")
def saved(outcomes):
    """What an audit saves of it, read back from JSON."""
    content: Row = json.loads(saving.to_json(saving.content(outcomes, None, "eec audit --system noisy:female")))
    return content


@pytest.fixture(scope="session")
def real(saved):
    """The same as a document."""
    return from_content(saved, "result.json", "result")


@pytest.fixture(scope="session")
def english(real):
    """The English half of it."""
    return replace(real, entries=real.entries[:1], corpora=real.corpora[:1])


@pytest.fixture(scope="session")
def several(tmp_path_factory):
    """The same groups by a list, matched and typical, the large ones in part, with all that can be asked for."""
    folder, asked, found = tmp_path_factory.mktemp("audit"), {"margin": 0.02, "rate_above": 0.5}, []
    with Store() as store:
        for name in ("en-black-white", "en-black-white-100", "en-black-white-100-typical"):
            corpus = open_corpus(name, CorpusPart(names=20, items=8) if "100" in name else WHOLE)
            found += running.run(open_system("noisy:Black"), corpus, folder, store, measuring=asked).outcomes
    return found


@pytest.fixture
def write(tmp_path):
    """Write a file of the name, as JSON unless it is text."""

    def to(name: str, content: Any) -> Path:
        path = tmp_path / name
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return path

    return to
