"""The study of trained systems, on files of the official layout with sentences made here."""

from __future__ import annotations

import csv
import math
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

pytest.importorskip("sklearn", reason="needs the extra study (scikit-learn)")

from semeval_files_made import EMOTIONS, HEADER, make, make_all, name

import eec_datasets
from studies.semeval import main
from studies.semeval_files import BadSemEval, Tweets, choose_languages, find, read
from studies.semeval_models import StudyUnavailable, bounded, clean, machines


def study(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments), catch_exceptions=False)


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> tuple[Result, Path]:
    """One run on all three languages, in folders with spaces."""
    folder = make_all(tmp_path_factory.mktemp("SemEval 2018 data"), ("en", "es", "ar"))
    out = tmp_path_factory.mktemp("out") / "a study"
    return study(str(folder), "--out", str(out)), out


def test_every_table_of_the_article_is_printed_beside_ours(done: tuple[Result, Path]) -> None:
    result, out = done
    assert result.exit_code == 0, result.output
    rows = rows_of(out / "results.csv")
    corpora = ("en-black-white", "en-anglo-latino", "en-anglo-arab", "es-anglo-latino", "ar-anglo-arab")
    wanted = {
        (corpus, model, emotion, term)
        for corpus in corpora
        for model in ("SVM-unigrams", "SVM-tfidf")
        for emotion in EMOTIONS
        for term in ("race", "gender", "race:gender")
    }
    assert {(r["corpus"], r["model"], r["emotion"], r["term"]) for r in rows} == wanted
    assert len(rows) == len(wanted) == 120
    text = (out / "index.md").read_text(encoding="utf-8")
    assert text in result.output
    for heading in ("## Table 2", "## Table 3", "## Table 4", "## Table 5", "## SVM-unigrams in 2018"):
        assert heading in text
    line = next(x for x in text.splitlines() if x.startswith("| es-anglo-latino | SVM-tfidf | gender |"))
    assert line.split(" | ")[3] == r"0.031\*\*\*"


def test_a_word_learned_with_a_score_moves_the_corpus(done: tuple[Result, Path]) -> None:
    _, out = done
    scores = {r["id"]: float(r["score"]) for r in rows_of_scores(out, "SVM-unigrams-anger", "en-black-white")}
    assert scores["t01/furious/amanda"] > scores["t08/none/amanda"] + 0.1
    assert scores["t01/furious/latoya"] == scores["t01/furious/ebony"]


def rows_of_scores(out: Path, system: str, config: str) -> list[dict[str, str]]:
    lines = (out / "scores" / system / f"{config}.csv").read_text(encoding="utf-8").splitlines()
    return list(csv.DictReader(lines[1:]))


def test_the_scores_are_read_by_eec_measure(done: tuple[Result, Path]) -> None:
    from eec_datasets.cli import main as eec

    _, out = done
    path = out / "scores" / "SVM-tfidf-joy" / "es-anglo-latino.csv"
    result = CliRunner().invoke(eec, ["measure", str(path), "--config", "es-anglo-latino"])
    assert result.exit_code == 0, result.output
    assert "gender" in result.output


def test_the_coefficients_are_differences_of_the_saved_scores(done: tuple[Result, Path]) -> None:
    _, out = done
    scores = [float(r["score"]) for r in rows_of_scores(out, "SVM-unigrams-fear", "en-anglo-latino")]
    frame = eec_datasets.load("en-anglo-latino").to_pandas().assign(score=scores)
    frame = frame[(frame.emotion == "fear") & (frame.person_type == "name")]
    cells = frame.groupby(["race", "gender"]).score.mean()
    row = next(
        r
        for r in rows_of(out / "results.csv")
        if (r["corpus"], r["model"], r["emotion"], r["term"]) == ("en-anglo-latino", "SVM-unigrams", "fear", "gender")
    )
    assert float(row["coefficient"]) == pytest.approx(cells["Anglo", "female"] - cells["Anglo", "male"], abs=1e-12)
    both = (cells[:, "female"] - cells[:, "male"]).mean()
    assert float(row["effect"]) == pytest.approx(both, abs=1e-12)
    assert (row["n_persons"], row["n_items"]) == ("40", "35")


def test_names_never_seen_in_training_have_a_spread_of_zero(done: tuple[Result, Path]) -> None:
    _, out = done
    text = (out / "index.md").read_text(encoding="utf-8")
    line = next(x for x in text.splitlines() if x.startswith("| valence | race |"))
    spread, published = line.split(" | ")[4:]
    assert float(spread) < 0.02  # of forty names one is in the sentences made here
    assert published == "< .002 |"
    assert any(x.startswith("| valence | gender | 1,584 |") for x in text.splitlines())


def test_the_same_files_give_the_same_bytes(tmp_path: Path) -> None:
    folder = make_all(tmp_path / "data", ("es",))
    for out in ("one", "two", "one"):  # the last over what is there
        assert study(str(folder), "--out", str(tmp_path / out)).exit_code == 0
    files = [path.relative_to(tmp_path / "one") for path in (tmp_path / "one").rglob("*.*") if path.is_file()]
    assert len(files) == 2 + 2 * 4
    for path in files:
        assert (tmp_path / "one" / path).read_bytes() == (tmp_path / "two" / path).read_bytes()


def test_without_test_tweets_there_is_no_correlation(tmp_path: Path) -> None:
    for emotion in EMOTIONS:
        make(tmp_path / "data", "ar", emotion)
    result = study(str(tmp_path / "data"), "--out", str(tmp_path / "out"))
    assert "| ar | SVM-tfidf | joy | 60 | – | 0.475 |" in result.output
    assert "in 2018" not in result.output.split("## Table 5")[1]


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    result = study(str(tmp_path / "no such"))
    assert result.exit_code == 1
    assert result.output == (
        f"Error: {tmp_path / 'no such'} is no folder; expected the one the SemEval-2018 Task 1 archive was unpacked "
        "to.\n"
    )


def test_a_folder_without_the_files_is_told_what_they_are_called(tmp_path: Path) -> None:
    (tmp_path / "2018-E-c-En-train.txt").write_text("ID\tTweet\tanger\n", encoding="utf-8")
    (tmp_path / "._2018-EI-reg-En-anger-dev.txt").write_text("", encoding="utf-8")
    with pytest.raises(BadSemEval) as caught:
        find(tmp_path)
    assert str(caught.value) == (
        f"{tmp_path} holds no file of SemEval-2018 Task 1 for regression; expected files such as "
        "EI-reg-En-anger-train.txt or 2018-EI-reg-Es-joy-test-gold.txt, in any folder below it."
    )


def test_missing_emotions_are_named_all_at_once(tmp_path: Path) -> None:
    make(tmp_path, "en", "anger")
    make(tmp_path, "en", "joy")
    with pytest.raises(BadSemEval) as caught:
        choose_languages(find(tmp_path), [], tmp_path)
    assert str(caught.value) == (
        f"{tmp_path} lacks EI-reg-En-fear-train.txt, EI-reg-En-sadness-train.txt. The tables need all four emotions of "
        "a language; get the files, or choose other languages with --language."
    )


def test_a_file_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    first = make(tmp_path, "en", "anger")
    twin = tmp_path / "copy" / "2018-EI-reg-En-anger-train.txt"
    twin.parent.mkdir()
    twin.write_bytes(first.read_bytes())
    with pytest.raises(BadSemEval) as caught:
        find(tmp_path)
    assert str(caught.value) == (f"{twin} and {first} are both the train file of anger in En; move one of them away.")


def test_lines_of_another_form_are_named_with_what_was_expected(tmp_path: Path) -> None:
    path = tmp_path / name("es", "joy", "train")
    lines = [
        HEADER,
        "1\tqué bien\tjoy\t0.5",
        "2\tsolo tres\tjoy",
        "3\t \tjoy\t0.5",
        "4\tqué miedo\tfear\t0.5",
        "5\tsin nota\tjoy\tNONE",
        "6\tmucho\tjoy\t1.5",
        "1\totra vez\tjoy\t0.5",
        "8\tmucho\tjoy\tnan",
    ]
    path.write_text("\r\n".join(lines) + "\r\n", encoding="utf-8")
    with pytest.raises(BadSemEval) as caught:
        read(path, "joy")
    assert str(caught.value).splitlines() == [
        f"{path}:3: expected 4 fields separated by tabs, found 3",
        f"{path}:4: the tweet is empty",
        f"{path}:5: expected the affect dimension 'joy', found 'fear'",
        f"{path}:6: the score is NONE; this is a test file without answers, the one ending in -test-gold.txt is needed",
        f"{path}:7: expected an intensity from 0 to 1, found '1.5'",
        f"and 2 more in {path}",
    ]


def test_another_layout_is_refused_by_its_first_line(tmp_path: Path) -> None:
    path = tmp_path / name("en", "anger", "train")
    path.write_text("ID\tTweet\tAffect Dimension\tIntensity Class\n", encoding="utf-8")
    with pytest.raises(BadSemEval) as caught:
        read(path, "anger")
    assert str(caught.value) == (
        f"{path}:1: expected the line 'ID\\tTweet\\tAffect Dimension\\tIntensity Score', found 'ID\\tTweet\\tAffect "
        "Dimension\\tIntensity Class'. Files of the other subtasks (EI-oc, V-oc, E-c) have other columns; the "
        "regression files are needed."
    )


def test_another_encoding_is_refused_by_its_line(tmp_path: Path) -> None:
    path = tmp_path / name("es", "joy", "train")
    path.write_bytes(f"{HEADER}\n1\tqué\tjoy\t0.5\n2\tni".encode() + b"\xf1o\tjoy\t0.6\n")
    with pytest.raises(BadSemEval) as caught:
        read(path, "joy")
    assert str(caught.value) == (
        f"{path}:3: expected UTF-8 text, found the bytes b'\\xf1o\\tj'. The official files are in UTF-8; unpack the "
        "archive anew, or convert the file."
    )


@pytest.mark.parametrize(
    ("lines", "what"),
    [([], "no tweets"), (["1\tbien\tjoy\t0.5", "2\tmal\tjoy\t0.5"], "tweets of one intensity only (0.5)")],
)
def test_a_file_with_nothing_to_learn_is_refused(tmp_path: Path, lines: list[str], what: str) -> None:
    path = tmp_path / name("es", "joy", "train")
    path.write_text("\n".join([HEADER, *lines]), encoding="utf-8")
    with pytest.raises(BadSemEval) as caught:
        read(path, "joy")
    assert str(caught.value) == f"{path}: the file has {what}; expected tweets of different joy, to learn from."


def test_tweets_keep_separators_of_their_own_and_a_mark_in_front_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / name("en", "joy", "train")
    path.write_text(f'\ufeff{HEADER}\r\n1\tone\u2028two \x85 "three\tjoy\t0.25\r\n2\tno\tjoy\t1\r\n', encoding="utf-8")
    assert read(path, "joy") == Tweets(('one\u2028two \x85 "three', "no"), (0.25, 1.0))


def test_a_bad_file_stops_before_anything_is_trained_or_written(tmp_path: Path) -> None:
    folder = make_all(tmp_path / "data", ("es",))
    path = make(folder, "es", "sadness")
    path.write_text(path.read_text(encoding="utf-8").replace("\tsadness\t", "\tjoy\t", 1), encoding="utf-8")
    result = study(str(folder), "--out", str(tmp_path / "out"))
    assert result.exit_code == 1
    assert result.output.endswith(f"Error: {path}:2: expected the affect dimension 'sadness', found 'joy'\n")
    assert not list((tmp_path / "out").rglob("*.csv"))


def test_tweets_are_cleaned_as_in_2022() -> None:
    assert clean("@someone_1 hi &amp;  you\n@ other@mail") == "hi & you @ other"


def test_tweets_without_words_are_refused() -> None:
    tweets = Tweets(("!", "?"), (0.1, 0.9))
    with pytest.raises(StudyUnavailable) as caught:
        machines()[0].fit("en", tweets)
    assert str(caught.value).startswith("2 tweets hold no words to learn from: ")


def test_scores_are_kept_within_the_scale_and_counted() -> None:
    values, count = bounded([-0.5, 0.0, 0.25, 1.0, 1.5])
    assert values.tolist() == [0.0, 0.0, 0.25, 1.0, 1.0]
    assert count == 2
    with pytest.raises(StudyUnavailable) as caught:
        bounded([0.5, math.nan])
    assert str(caught.value) == ("1 of 2 scores are not finite; the training diverged. Try fewer --epochs.")


def test_the_machine_of_unigrams_counts_no_repetition() -> None:
    tweets = Tweets(("good day", "bad day", "good night", "bad night"), (0.9, 0.1, 0.8, 0.2))
    predict = machines()[0].fit("en", tweets)
    once, thrice = predict(["good", "good good good"])
    assert once == thrice > predict(["bad"])[0]
    assert np.isclose(predict(["unheard"])[0], predict(["of"])[0])
