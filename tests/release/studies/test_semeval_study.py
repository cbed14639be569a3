"""The study of trained systems, on files of the official layout with sentences made here."""

import csv
import math
from collections.abc import Callable
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result
from texts import change, csv_rows

pytest.importorskip("sklearn", reason="needs the extra study (scikit-learn)")

from semeval_files_made import EMOTIONS, HEADER, few_items, make, make_all, name

from eec_datasets.errors import EecError
from eec_datasets.systems.corpus import open_corpus
from studies import semeval
from studies.semeval import main
from studies.semeval_files import Tweets, choose_languages, find, read
from studies.semeval_models import bounded, clean, machines
from studies.semeval_page import replication


def study(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments), catch_exceptions=False)


@pytest.fixture(scope="module", autouse=True)
def _two_templates():
    """Two templates are scored; of one corpus all, as `eec measure` expects."""
    opened = {"es-anglo-latino": open_corpus}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(semeval, "open_corpus", lambda name: opened.get(name, few_items)(name))
        yield


@pytest.fixture(scope="module")
def out(tmp_path_factory):
    """Return the files of one run on all three languages, in folders with spaces."""
    folder = make_all(tmp_path_factory.mktemp("SemEval 2018 data"), ("en", "es", "ar"))
    out = tmp_path_factory.mktemp("out") / "a study"
    result = study(str(folder), "--out", str(out))
    assert result.exit_code == 0, result.output
    assert (out / "index.md").read_text(encoding="utf-8") in result.output
    return out


def test_every_table_of_the_article_is_printed_beside_ours(out):
    rows = csv_rows(out / "results.csv")
    corpora = ("en-black-white", "en-anglo-latino", "en-anglo-arab", "es-anglo-latino", "ar-anglo-arab")
    wanted = set(product(corpora, ("SVM-unigrams", "SVM-tfidf"), EMOTIONS, ("race", "gender", "race:gender")))
    assert {(r["corpus"], r["model"], r["emotion"], r["term"]) for r in rows} == wanted
    assert len(rows) == len(wanted) == 120
    text = (out / "index.md").read_text(encoding="utf-8")
    for heading in ("## Table 2", "## Table 3", "## Table 4", "## Table 5", "## SVM-unigrams in 2018"):
        assert heading in text
    line = next(x for x in text.splitlines() if x.startswith("| es-anglo-latino | SVM-tfidf | gender |"))
    assert line.split(" | ")[3] == r"0.031\*\*\*"


def test_a_word_learned_with_a_score_moves_the_corpus(out):
    scores = {r["id"]: float(r["score"]) for r in rows_of_scores(out, "SVM-unigrams-anger", "en-black-white")}
    assert scores["t01/furious/amanda"] > scores["t08/none/amanda"] + 0.1
    assert scores["t01/furious/latoya"] == scores["t01/furious/ebony"]


def rows_of_scores(out: Path, system: str, config: str) -> list[dict[str, str]]:
    lines = (out / "scores" / system / f"{config}.csv").read_text(encoding="utf-8").splitlines()
    return list(csv.DictReader(lines[1:]))


def test_the_scores_are_read_by_eec_measure(out):
    from eec_datasets.cli import main as eec

    path = out / "scores" / "SVM-tfidf-joy" / "es-anglo-latino.csv"
    result = CliRunner().invoke(eec, ["measure", str(path), "--config", "es-anglo-latino", "-v"])
    assert result.exit_code == 0, result.output
    assert "gender" in result.output


def test_the_coefficients_are_differences_of_the_saved_scores(out):
    scores = [float(r["score"]) for r in rows_of_scores(out, "SVM-unigrams-fear", "en-anglo-latino")]
    frame = few_items("en-anglo-latino").table.to_pandas().assign(score=scores)
    frame = frame[(frame.emotion == "fear") & (frame.person_type == "name")]
    cells = frame.groupby(["race", "gender"]).score.mean()
    key = ("en-anglo-latino", "SVM-unigrams", "fear", "gender")
    rows = csv_rows(out / "results.csv")
    row = next(r for r in rows if (r["corpus"], r["model"], r["emotion"], r["term"]) == key)
    assert float(row["coefficient"]) == pytest.approx(cells["Anglo", "female"] - cells["Anglo", "male"], abs=1e-12)
    both = (cells[:, "female"] - cells[:, "male"]).mean()
    assert float(row["effect"]) == pytest.approx(both, abs=1e-12)
    assert (row["n_persons"], row["n_items"]) == ("40", "5")


def test_names_never_seen_in_training_have_a_spread_of_zero(out):
    text = (out / "index.md").read_text(encoding="utf-8")
    line = next(x for x in text.splitlines() if x.startswith("| valence | race |"))
    spread, published = line.split(" | ")[7:]
    assert float(spread) < 0.02  # of forty names one is in the sentences made here
    assert published == "< .002 |"
    assert any(x.startswith("| valence | gender | 231 |") for x in text.splitlines())


def test_directions_are_compared_with_the_published_ones(out):
    text = (out / "index.md").read_text(encoding="utf-8")
    line = next(x for x in text.splitlines() if x.startswith("| anger | gender |"))
    assert line.split(" | ")[5] == "male"
    assert "gender: the direction is the published one in " in text


def test_a_direction_that_is_not_the_published_one_is_named():
    row = {"term": "race", "affect": "anger", "level": "Black", "reference": "white", "mean": 0.01}
    said = replication([row, row | {"affect": "fear", "mean": -0.01}])
    assert said.startswith("race: the direction is the published one in 1 of 2 tasks (not in anger). ")


def test_the_direction_of_noun_phrases_alone_is_compared_too():
    row = {"term": "gender", "affect": "anger", "level": "female", "reference": "male", "mean": 0.01, "phrases": -0.01}
    said = replication([row, row | {"affect": "fear", "phrases": 0.02}])
    assert said.startswith(
        "gender: the direction is the published one in 0 of 2 tasks (not in anger, fear); "
        "over noun phrases and pronouns alone, as in the article, in 1 of 2. "
    )


def test_the_mean_of_noun_phrases_is_that_of_the_saved_scores(out):
    scores = [float(r["score"]) for r in rows_of_scores(out, "SVM-unigrams-anger", "en-black-white")]
    frame = few_items("en-black-white").table.to_pandas().assign(score=scores)
    means = frame[frame.person_type != "name"].groupby("gender").score.mean()
    higher = "male" if means["male"] > means["female"] else "female"
    text = (out / "index.md").read_text(encoding="utf-8")
    line = next(x for x in text.splitlines() if x.startswith("| anger | gender |"))
    assert line.split(" | ")[5] == higher


@pytest.fixture(scope="module")
def twice(tmp_path_factory):
    """Return the files of a study of Arabic without test tweets, written once and over the first; and its output."""
    folder = tmp_path_factory.mktemp("twice")
    for emotion in EMOTIONS:
        make(folder / "data", "ar", emotion)
    written = []
    for _ in range(2):
        result = study(str(folder / "data"), "--out", str(folder / "out"), "--overwrite")
        written.append({path: path.read_bytes() for path in (folder / "out").rglob("[!.]*.*") if path.is_file()})
    return *written, result.output


def test_the_same_files_give_the_same_bytes_over_what_is_there(twice):
    first, second, _ = twice
    assert first == second
    assert len(first) == 2 + 2 * 4


def test_without_test_tweets_there_is_no_correlation(twice):
    *_, output = twice
    assert "| ar | SVM-tfidf | joy | 60 | – | 0.475 |" in output


def test_without_english_there_is_no_table_of_2018(twice):
    *_, output = twice
    assert "in 2018" not in output.split("## Table 5")[1]


def of_emotions(folder: Path, *emotions: str) -> None:
    for emotion in emotions:
        make(folder, "en", emotion)
    choose_languages(find(folder), [], folder)


def same_file_twice(folder: Path) -> None:
    first = make(folder, "en", "anger")
    twin = folder / "copy" / "2018-EI-reg-En-anger-train.txt"
    twin.parent.mkdir()
    twin.write_bytes(first.read_bytes())
    find(folder)


def no_file(folder: Path) -> None:
    for name_of in ("2018-E-c-En-train.txt", "._2018-EI-reg-En-anger-dev.txt"):
        (folder / name_of).write_text("ID\tTweet\tanger\n", encoding="utf-8")
    find(folder)


def joy(content: str | bytes) -> Callable[[Path], None]:
    def check(folder: Path) -> None:
        path = folder / name("es", "joy", "train")
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        read(path, "joy")

    return check


LINES = [
    HEADER, "1\tqué bien\tjoy\t0.5", "2\tsolo tres\tjoy", "3\t \tjoy\t0.5", "4\tqué miedo\tfear\t0.5",
    "5\tsin nota\tjoy\tNONE", "6\tmucho\tjoy\t1.5", "1\totra vez\tjoy\t0.5", "8\tmucho\tjoy\tnan", "",
]  # fmt: skip

BAD: dict[str, Callable[[Path], object]] = {
    "no folder": lambda folder: find(folder / "no such"),
    "no file of the task": no_file,
    "emotions that are missing": lambda folder: of_emotions(folder, "anger", "joy"),
    "a file twice": same_file_twice,
    "lines of another form": joy("\r\n".join(LINES)),
    "another layout": joy("ID\tTweet\tAffect Dimension\tIntensity Class\n"),
    "another encoding": joy(f"{HEADER}\n1\tqué\tjoy\t0.5\n2\tni".encode() + b"\xf1o\tjoy\t0.6\n"),
    "no tweets": joy(f"{HEADER}\n"),
    "one intensity": joy(f"{HEADER}\n1\tbien\tjoy\t0.5\n2\tmal\tjoy\t0.5\n"),
    "no words": lambda _: machines()[0].fit("en", Tweets(("!", "?"), (0.1, 0.9))),
    "scores that are not finite": lambda _: bounded([0.5, math.nan]),
}


def test_bad_files_are_refused_by_place_in_reviewed_words(tmp_path, snapshot):
    calls = {}
    for number, (what, check) in enumerate(BAD.items()):
        folder = tmp_path / str(number)
        folder.mkdir()
        calls[what] = partial(check, folder)
    hide = {str(tmp_path / str(number)): "FOLDER" for number in reversed(range(len(BAD)))}
    snapshot.check_refusals("studies-messages", calls, EecError, hide)


def test_a_cleaned_tweet_has_no_name_of_a_user():
    assert clean("@someone_1 hi &amp;  you\n@ other@mail") == "hi & you @ other"


def test_tweets_keep_separators_of_their_own_behind_a_mark_of_order(tmp_path):
    path = tmp_path / name("en", "joy", "train")
    path.write_text(f'\ufeff{HEADER}\r\n1\tone\u2028two \x85 "three\tjoy\t0.25\r\n2\tno\tjoy\t1\r\n', encoding="utf-8")
    assert read(path, "joy") == Tweets(('one\u2028two \x85 "three', "no"), (0.25, 1.0))


def test_a_bad_file_stops_before_anything_is_trained_or_written(tmp_path):
    folder = make_all(tmp_path / "data", ("es",))
    path = make(folder, "es", "sadness")
    change(path, ("\tsadness\t", "\tjoy\t"), times=1)
    result = study(str(folder), "--out", str(tmp_path / "out"))
    assert result.exit_code == 1
    assert result.output.endswith(f"Error: {path}:2: expected the affect dimension 'sadness', found 'joy'\n")
    assert not list((tmp_path / "out").rglob("*.csv"))


def test_scores_beyond_the_scale_are_moved_to_its_ends():
    values, count = bounded([-0.5, 0.0, 0.25, 1.0, 1.5])
    assert values.tolist() == [0.0, 0.0, 0.25, 1.0, 1.0]
    assert count == 2


def test_the_machine_of_unigrams_counts_no_repetition():
    tweets = Tweets(("good day", "bad day", "good night", "bad night"), (0.9, 0.1, 0.8, 0.2))
    predict = machines()[0].fit("en", tweets)
    once, thrice = predict(["good", "good good good"])
    assert once == thrice > predict(["bad"])[0]
    assert np.isclose(predict(["unheard"])[0], predict(["of"])[0])
