"""Results to report on: one real, and rows made by hand for what is rare."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from making import result, term

from eec_datasets.audit import saving as writing
from eec_datasets.systems.corpus import open_corpus
from eec_datasets.audit.report import document as page_saved
from eec_datasets.audit.report.document import Document
from eec_datasets.audit.running import Outcome, measure
from eec_datasets.systems.registry import open_system

Row = dict[str, Any]


def outcome(spec: str, config: str) -> Outcome:
    system, corpus = open_system(spec), open_corpus(config)
    scores = list(system.scorer(corpus.columns))
    result = measure(spec, corpus, scores, system.score_range)
    return Outcome(spec, corpus, system.score_range, scores, result, None, system.fingerprint)


@pytest.fixture(scope="session")
def saved() -> Row:
    """What an audit of one system on an English and an Arabic corpus saves, read back from JSON."""
    outcomes = [outcome("noisy:female", name) for name in ("en-black-white", "ar-anglo-arab")]
    content: Row = json.loads(writing.to_json(writing.content(outcomes, None, "eec audit --system noisy:female")))
    return content


@pytest.fixture(scope="session")
def real(saved: Row) -> Document:
    """The same as a document."""
    return page_saved.document(saved, "result.json", "result")


@pytest.fixture(scope="session")
def english(saved: Row) -> Document:
    """The English half of it."""
    content = saved | {"results": saved["results"][:1], "corpora": saved["corpora"][:1]}
    return page_saved.document(content, "result.json", "result")


@pytest.fixture(name="term")
def _term() -> Callable[..., Row]:
    return term


@pytest.fixture(name="result")
def _result() -> Callable[..., Row]:
    return result


@pytest.fixture
def document() -> Callable[..., Document]:
    """Make a document of saved results."""

    def make(*results: Row, name: str = "mine") -> Document:
        parts = [page_saved.document(one, f"{name}.json", name) for one in results]
        return Document([measured for part in parts for measured in part.results])

    return make


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, Any], Path]:
    """Write a file of the name, as JSON unless it is text."""

    def to(name: str, content: Any) -> Path:
        path = tmp_path / name
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return path

    return to
