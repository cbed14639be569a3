"""The page without a browser: where corpora come from, how uploads are read, what is said when something breaks."""

from __future__ import annotations

import importlib.util
import json
import logging
import os
import shutil
import socket
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from eec_datasets import release
from eec_datasets.app import answers, fragments
from eec_datasets.app.page import Downloads, explain
from eec_datasets.app.sources import Source, from_environment, rendered
from eec_datasets.cli import main
from eec_datasets.errors import BadScores, EecError, UnknownConfig
from eec_datasets.systems.corpus import Corpus


@pytest.fixture(autouse=True)
def own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import datasets

    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")


@pytest.fixture(scope="module")
def here() -> Source:
    return rendered()


@pytest.fixture(scope="module")
def corpus(here: Source) -> Corpus:
    return here.open("en-black-white")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("release") / "eec"
    release.build(folder, configs=["en-black-white"])
    return folder


def test_a_release_gives_the_corpora_that_are_rendered_here(here: Source, corpus: Corpus, built: Path) -> None:
    found = from_environment({"EEC_DATASET": str(built)})
    assert found.about == f"The corpora are release 1.0.0 of the dataset {built}."
    assert found.choices == [("en-black-white (English)", "en-black-white")]
    assert replace(found.open("en-black-white"), table=corpus.table) == corpus
    assert from_environment({}).choices == here.choices


def test_what_is_no_release_is_refused_with_its_place(built: Path, tmp_path: Path) -> None:
    with pytest.raises(EecError, match=f"{tmp_path} has no manifest.json"):
        from_environment({"EEC_DATASET": str(tmp_path)})
    with pytest.raises(EecError, match=r"no config 'tlh' in release 1.0.0; there are: en-black-white"):
        from_environment({"EEC_DATASET": str(built)}).open("tlh")
    with pytest.raises(UnknownConfig, match=r"'tlh'.*ar-anglo-arab"):
        rendered().open("tlh")
    other = tmp_path / "eec"
    shutil.copytree(built, other)
    (parquet,) = other.rglob("*.parquet")
    parquet.write_bytes(parquet.read_bytes()[:-1] + b"x")
    with pytest.raises(EecError, match=parquet.name):
        from_environment({"EEC_DATASET": str(other)}).open("en-black-white")


def test_an_upload_is_read_as_by_the_command_line_and_called_by_its_name(
    here: Source, corpus: Corpus, tmp_path: Path
) -> None:
    path = tmp_path / "X.csv"
    path.write_text("\n".join(["id,score", *(f"{i},0.5" for i in corpus.ids[1:]), "nobody,0.1"]))
    with pytest.raises(BadScores) as error:
        answers.measure_upload(here, "en-black-white", str(path), 0, 1)
    said = CliRunner().invoke(main, ["measure", str(path), "--config", "en-black-white"])
    assert said.output == f"Error: {error.value}\n".replace("X.csv", str(path))
    assert str(error.value).startswith("X.csv does not fit config en-black-white:")
    assert explain(error.value) == fragments.problem(str(error.value))


def test_scores_saved_by_an_audit_keep_their_own_range(here: Source, tmp_path: Path) -> None:
    options = ("--system", "biased:female", "--score-range", "-1", "1", "--config", "en-gender", "--no-report")
    done = CliRunner().invoke(main, ["audit", *options, "--out", str(tmp_path)])
    assert done.exit_code == 0, done.output
    (path,) = tmp_path.glob("scores/*/en-gender.csv")
    assert "Scores declared as -1 to 1." in answers.measure_upload(here, "en-gender", str(path), 0, 1).page
    with pytest.raises(BadScores, match=r"^en-gender\.csv: the scores are of en-gender@.*es-anglo-latino@"):
        answers.measure_upload(here, "es-anglo-latino", str(path), 0, 1)


@pytest.mark.parametrize(
    ("size", "low", "high", "said"),
    [
        (10, None, 1, r"limit of the scores is missing.*step 3"),
        (10, 2, 1, r"is 2, the highest 1.*step 3"),
        (10, 1, 1, r"is 1, the highest 1.*step 3"),
        (25 << 20, 0, 1, r"^X\.csv has 25 MB; up to 20 MB .*eec measure"),
    ],
)
def test_a_range_that_is_none_and_a_large_file_are_refused(
    here: Source, tmp_path: Path, size: int, low: float | None, high: float, said: str
) -> None:
    with (tmp_path / "X.csv").open("wb") as stream:
        stream.truncate(size)
    with pytest.raises(answers.UploadError, match=said):
        answers.measure_upload(here, "en-black-white", str(tmp_path / "X.csv"), low, high)


@pytest.mark.parametrize("name", ["en-country", "tr-gender", "es-gender"])
def test_examples_and_facts_exist_for_every_kind_of_corpus(here: Source, name: str) -> None:
    assert here.open(name).review in fragments.facts(here.open(name))
    content = json.loads(answers.measure_example(here, name, "noisy").files[0][1])
    key = "gender_effect" if name != "en-country" else "gender_phrases_effect"
    assert content[key] == pytest.approx(0.05, abs=0.02)


def test_of_many_systems_the_first_twenty_are_shown(corpus: Corpus) -> None:
    import numpy as np

    import eec_bias

    scores = {f"s{i:02d}": np.random.default_rng(i).uniform(size=len(corpus.ids)) for i in range(22)}
    html = fragments.result(eec_bias.measure(scores, corpus.table), corpus, "many.csv")
    assert "The first 20 of 22 systems are shown; the downloads have all." in html
    assert html.count("<table") >= 20
    assert "s21" not in html


def test_a_mistake_of_the_program_is_logged_and_not_shown(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        shown = explain(ZeroDivisionError("secret"))
    assert "Something went wrong in this program (ZeroDivisionError), not in what you gave it." in shown
    assert ("secret" in shown, "secret" in caplog.text) == (False, True)


def test_the_same_download_is_one_file_for_an_hour(tmp_path: Path) -> None:
    downloads = Downloads(tmp_path)
    old = Path(downloads.put("a.csv", "x"))
    assert Path(downloads.put("a.csv", "x")) == old
    assert Path(downloads.put("a.csv", "y")).read_text() == "y"
    os.utime(old, (0, 0))
    downloads.put("b.csv", "y")
    assert not old.exists()


@pytest.mark.parametrize("gradio", [True, False])
def test_what_keeps_the_page_from_starting_is_said(monkeypatch: pytest.MonkeyPatch, gradio: bool) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name if gradio else None)
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        done = CliRunner().invoke(main, ["app", "--port", str(port), "--no-browser"])
    assert done.exit_code == 1
    expected = f"Port {port} is taken" if gradio else "pip install 'eec-datasets[app]'"
    assert expected in done.output
