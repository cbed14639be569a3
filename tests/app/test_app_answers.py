"""The page without a browser: where corpora come from, how uploads are read, what is said when something breaks."""

from __future__ import annotations

import json
import logging
import os
import re
import shutil
import socket
from pathlib import Path

import pytest
from click.testing import CliRunner

from eec_bias.app import Shelf, explain
from eec_bias.space import answers
from eec_bias.space.corpora import CorporaError, Corpus, UploadError
from eec_bias.space.hub import from_environment
from eec_bias.space.uploads import read_upload
from eec_datasets import release
from eec_datasets.cli import main
from eec_datasets.cli.app import LocalCorpora


@pytest.fixture(autouse=True)
def own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import datasets

    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")


@pytest.fixture(scope="module")
def local() -> LocalCorpora:
    return LocalCorpora()


@pytest.fixture(scope="module")
def corpus(local: LocalCorpora) -> Corpus:
    return local.open("en-black-white")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("release") / "eec"
    release.build(folder, configs=["en-black-white"])
    return folder


def lines(corpus: Corpus, change: dict[int, str] | None = None, head: str = "id,score") -> bytes:
    body = [f"{i},0.5" for i in corpus.column("id")]
    for row, text in (change or {}).items():
        body[row] = text
    return "\n".join([head, *body]).encode()


BAD = {
    "empty": b"",
    "latin-1": b"id,score\nmar\xeda,0.3\n",
    "no id": b"name,score\nx,0.3\n",
    "no score": b"id,text\nx,y\n",
    "tabs": b"id\tscore\nx\t0.3\n",
    "twice": b"id,a,a\nx,1,2\n",
    "not csv": b'id,score\n"x"y,0.3\n',
}


@pytest.mark.parametrize("kind", BAD)
def test_a_space_says_of_a_broken_file_what_the_command_line_says(
    local: LocalCorpora, corpus: Corpus, tmp_path: Path, kind: str
) -> None:
    path = tmp_path / "X.csv"
    path.write_bytes(BAD[kind])
    assert refusal_alone(path, corpus) == refusal_here(path, corpus, local)


def test_a_space_says_of_wrong_values_what_the_command_line_says(
    local: LocalCorpora, corpus: Corpus, tmp_path: Path
) -> None:
    ids = corpus.column("id")
    path = tmp_path / "X.csv"
    change = {0: f"{ids[0]},inf", 1: f"{ids[1]},many", 2: f"{ids[2]},-3", 3: ids[2] + ",0.1", 4: "nobody,0.1", 5: "x"}
    path.write_bytes(lines(corpus, change))
    assert refusal_alone(path, corpus) == refusal_here(path, corpus, local)
    path.write_bytes(lines(corpus, {0: f"{ids[0]},0.5,green"}, "id,score,race"))
    assert refusal_alone(path, corpus) == refusal_here(path, corpus, local)
    rows = [f"{i},0.5,{race}" for i, race in zip(ids, corpus.column("race"), strict=True)]
    path.write_text("\n".join(["id,score,race", rows[0] + "ish", *rows[1:]]))
    assert refusal_alone(path, corpus) == refusal_here(path, corpus, local)


def refusal_alone(path: Path, corpus: Corpus) -> str:
    with pytest.raises(UploadError) as caught:
        read_upload(path, corpus, (0.0, 1.0))
    return str(caught.value)


def refusal_here(path: Path, corpus: Corpus, local: LocalCorpora) -> str:
    with pytest.raises(UploadError) as caught:
        local.read(path, corpus, (0.0, 1.0))
    return str(caught.value)


def test_both_ways_of_reading_give_the_same_scores(local: LocalCorpora, corpus: Corpus, tmp_path: Path) -> None:
    ids = corpus.column("id")
    path = tmp_path / "X.csv"
    path.write_text("\n".join(["b,id,a", *(f"{n % 7 / 10},{i},{n % 3 / 10}" for n, i in enumerate(ids[::-1]))]))
    here, alone = local.read(path, corpus, (0.0, 1.0)), read_upload(path, corpus, (0.0, 1.0))
    assert here.score_range == alone.score_range
    assert {name: found.tolist() for name, found in here.scores.items()} == {
        name: found.tolist() for name, found in alone.scores.items()
    }


def test_a_file_that_is_no_text_is_named_as_such(corpus: Corpus, tmp_path: Path) -> None:
    path = tmp_path / "X.csv"
    path.write_bytes(b"PK\x03\x04\0\0\0")
    assert refusal_alone(path, corpus) == "X.csv: this is not a text file. Save the table as CSV in UTF-8."


def test_scores_saved_by_an_audit_keep_their_own_range(local: LocalCorpora, tmp_path: Path) -> None:
    out = tmp_path / "audit"
    done = CliRunner().invoke(
        main, ["audit", "--system", "vader", "--config", "en-black-white", "--out", str(out), "--no-report"]
    )
    if "not installed" in done.output:
        pytest.skip("needs the extra demo (vaderSentiment)")
    assert done.exit_code == 0, done.output
    answer = answers.measure_upload(local, "en-black-white", out / "scores" / "vader" / "en-black-white.csv", 0, 1)
    assert "scores from -1 to 1." in answer.page
    with pytest.raises(UploadError) as caught:
        answers.measure_upload(local, "es-anglo-latino", out / "scores" / "vader" / "en-black-white.csv", 0, 1)
    assert re.fullmatch(
        r"en-black-white\.csv: the scores are of en-black-white@1\.0\.0#[0-9a-f]{64}, the corpus is "
        r"es-anglo-latino@1\.0\.0#[0-9a-f]{64}\. Choose the corpus they are of in step 1, or score the corpus as it is "
        r"now\.",
        str(caught.value),
    )


def test_a_release_gives_the_corpora_that_are_rendered_here(corpus: Corpus, built: Path) -> None:
    found = from_environment({"EEC_DATASET": str(built)})
    assert found.where == f"The corpora are release {corpus.version} of the dataset {built}."
    assert found.choices() == [("en-black-white (en)", "en-black-white")]
    opened = found.open("en-black-white")
    assert opened.table.to_pydict() == corpus.table.to_pydict()
    assert (opened.about, opened.review, opened.persons) == (corpus.about, corpus.review, dict(corpus.persons))


def test_rows_other_than_those_released_are_refused(built: Path, tmp_path: Path) -> None:
    other = tmp_path / "eec"
    shutil.copytree(built, other)
    manifest = json.loads((other / "manifest.json").read_text(encoding="utf-8"))
    before, manifest["configs"][0]["content_hash"] = manifest["configs"][0]["content_hash"], "0" * 64
    (other / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    with pytest.raises(CorporaError) as caught:
        from_environment({"EEC_DATASET": str(other)}).open("en-black-white")
    assert str(caught.value) == (
        f"en-black-white was loaded with content {before[:8]}, and release {manifest['version']} of {other} has "
        "00000000; empty the cache of `datasets` and start again"
    )


def test_an_unknown_config_is_named_with_those_there_are(built: Path, local: LocalCorpora) -> None:
    with pytest.raises(CorporaError) as caught:
        from_environment({"EEC_DATASET": str(built)}).open("tlh")
    assert str(caught.value) == "no config 'tlh' in release 1.0.0; there are: en-black-white"
    with pytest.raises(CorporaError, match=r"^no config 'tlh'; there are: ar-"):
        local.open("tlh")


def test_a_space_without_a_dataset_says_how_to_name_one(tmp_path: Path) -> None:
    with pytest.raises(CorporaError) as caught:
        from_environment({})
    assert str(caught.value) == (
        "no dataset is named; set EEC_DATASET to ORG/NAME or to a folder made by `eec build`, for example "
        "EEC_DATASET=build/eec"
    )
    with pytest.raises(CorporaError, match="has no readable manifest"):
        from_environment({"EEC_DATASET": str(tmp_path)})
    (tmp_path / "manifest.json").write_text('{"format": 99}')
    with pytest.raises(CorporaError) as caught:
        from_environment({"EEC_DATASET": str(tmp_path)})
    assert str(caught.value) == (
        f"{tmp_path}: manifest.json is not of format 1, the one this page reads; expected a release made by `eec build`"
    )


def test_a_mistake_of_the_program_is_logged_and_not_shown(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        shown = explain(ZeroDivisionError("secret"))
    assert "Something went wrong in this program (ZeroDivisionError), not in what you gave it." in shown
    assert "secret" not in shown
    assert "secret" in caplog.text


def test_the_same_download_is_one_file(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    assert shelf.put("a.csv", "x") == shelf.put("a.csv", "x")
    assert Path(shelf.put("a.csv", "y")).read_text() == "y"


def test_downloads_are_dropped_after_an_hour(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    old = Path(shelf.put("a.csv", "x"))
    os.utime(old, (0, 0))
    shelf.put("b.csv", "y")
    assert not old.exists()


@pytest.mark.parametrize("name", ["en-country", "tr-gender", "es-gender"])
def test_examples_and_facts_exist_for_every_kind_of_corpus(local: LocalCorpora, name: str) -> None:
    from eec_bias.space.fragments import facts

    assert local.open(name).review in facts(local.open(name))
    answer = answers.measure_example(local, name, "biased")
    content = json.loads(answer.files[0][1])
    assert content["gender_effect" if name != "en-country" else "gender_phrases_effect"] == pytest.approx(
        0.05, abs=0.02
    )


def test_a_port_that_is_taken_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: name)
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        done = CliRunner().invoke(main, ["app", "--port", str(port), "--no-browser"])
    assert done.exit_code == 1
    assert done.output == (
        f"Error: Port {port} is taken by another program. Choose another with --port, or leave it out to take a "
        "free one.\n"
    )


def test_without_gradio_the_command_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    done = CliRunner().invoke(main, ["app"])
    assert done.exit_code == 1
    assert done.output == (
        "Error: The page needs gradio, which is not installed. Install it with: pip install 'eec-datasets[app]'.\n"
    )
