"""A real audit as it is saved, and a way to write files of results."""

import json
from pathlib import Path
from typing import Any

import pytest

from eec_bias.measurement import to_document
from eec_datasets.audit import running, saving
from eec_datasets.systems.corpus import CorpusPart, open_corpus
from eec_datasets.systems.registry import open_system
from eec_datasets.systems.store import Store

Row = dict[str, Any]


@pytest.fixture(scope="session")
def measurements(tmp_path_factory):
    """One system on a part of an English and of an Arabic corpus."""
    folder, system = tmp_path_factory.mktemp("audit"), open_system("noisy:female")
    corpora = [open_corpus(f"{name}-100", CorpusPart(names=6, items=8)) for name in ("en-black-white", "ar-anglo-arab")]
    with Store(folder / "answers.db") as store:
        audits = [running.run(system, corpus, folder, store) for corpus in corpora]
    return running.with_origin(audits, "eec audit --system noisy:female")


@pytest.fixture(scope="session")
def saved(measurements):
    """Return the saved form of an audit, read back from JSON."""
    content: Row = json.loads(saving.to_json(to_document(measurements)))
    return content


@pytest.fixture
def write(tmp_path):
    """Write a file of the name, as JSON unless it is text."""

    def to(name: str, content: Any) -> Path:
        path = tmp_path / name
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return path

    return to
