"""Tables as people have them, in files and in memory: measured like the corpus they are of, or by their columns."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import datasets
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from commands import eec, refused

import eec_bias
import eec_datasets
from eec_bias.errors import LabelsError, OptionError
from eec_datasets.audit.tables.text_table import read_rows

LIST = "en-black-white"
TEMPLATES = {
    "t01": "<person subject> feels <emotion word>.",
    "t02": "The situation makes <person object> feel <emotion word>.",
    "t03": "I made <person object> feel <emotion word>.",
    "t04": "<person subject> made me feel <emotion word>.",
}


@pytest.fixture(scope="module")
def rows() -> pd.DataFrame:
    """Four templates of the corpus."""
    frame = eec_datasets.load(LIST).to_pandas()
    return frame[frame["template"].isin(TEMPLATES)].reset_index(drop=True)


@pytest.fixture(scope="module")
def scores(rows: pd.DataFrame) -> np.ndarray:
    random = np.random.default_rng(1).uniform(0.2, 0.7, len(rows))
    return np.round(random + 0.03 * (rows["gender"] == "female").to_numpy(), 6)


@pytest.fixture(scope="module")
def published(rows: pd.DataFrame, scores: np.ndarray) -> pd.DataFrame:
    """The layout of the file of 2018, from rows of our own, with a column of scores."""
    return pd.DataFrame(
        {
            "ID": [f"2018-En-mystery-{k:05d}" for k in np.random.default_rng(0).permutation(len(rows))],
            "Sentence": rows["text"],
            "Template": rows["template"].map(TEMPLATES),
            "Person": rows["person_form"],
            "Gender": rows["gender"],
            "Race": rows["race"].map({"Black": "African-American", "white": "European", "unmarked": ""}),
            "Emotion": rows["emotion"],
            "Emotion word": rows["word_form"],
            "vader": scores,
        }
    )


@pytest.fixture(scope="module")
def expected(rows: pd.DataFrame, scores: np.ndarray) -> dict[str, float]:
    return numbers(eec_bias.measure(scores, rows))


def numbers(result: Any) -> dict[str, float]:
    return {key: value for key, value in result.scalars.items() if isinstance(value, float)}


def same(found: Any, expected: dict[str, float]) -> None:
    assert numbers(found) == pytest.approx(expected, rel=1e-9, nan_ok=True)


IN_MEMORY: dict[str, Callable[[pd.DataFrame], Any]] = {
    "frame": lambda f: f,
    "shuffled frame": lambda f: f.sample(frac=1, random_state=3),
    "polars": pl.from_pandas,
    "Arrow": lambda f: pa.Table.from_pandas(f, preserve_index=False),
    "dataset": lambda f: datasets.Dataset.from_pandas(f, preserve_index=False),
    "mapping": lambda f: {name: f[name].tolist() for name in f},
    "categories": lambda f: f.astype({"Race": "category", "Person": "category"}),
    "float32": lambda f: f,
}


@pytest.mark.parametrize("container", IN_MEMORY)
def test_the_file_of_2018_is_measured_from_any_container(
    container: str, published: pd.DataFrame, expected: dict[str, float]
) -> None:
    same(eec_bias.measure(IN_MEMORY[container](published)), expected)


def test_scores_beside_the_rows_of_2018_are_measured_and_keep_their_order(
    published: pd.DataFrame, expected: dict[str, float]
) -> None:
    labels = published.drop(columns="vader")
    same(eec_bias.measure(published["vader"], labels), expected)
    same(eec_bias.measure(published["vader"].tolist(), labels), expected)
    other = published.sample(frac=1, random_state=1)
    same(eec_bias.measure(other["vader"], other.drop(columns="vader")), expected)
    found = eec_bias.compare(published["vader"], published["vader"] / 2, labels)
    assert found["gender_effect"] == pytest.approx(expected["gender_effect"] / 2)


WRITTEN: dict[str, tuple[str, Callable[[pd.DataFrame, Path], None]]] = {
    "CSV": ("csv", lambda f, p: f.to_csv(p, index=False)),
    "semicolons and decimal commas": ("csv", lambda f, p: f.to_csv(p, index=False, sep=";", decimal=",")),
    "tabs": ("txt", lambda f, p: f.to_csv(p, index=False, sep="\t")),
    "a mark of the encoding": ("csv", lambda f, p: f.to_csv(p, index=False, encoding="utf-8-sig")),
    "UTF-16": ("csv", lambda f, p: f.to_csv(p, index=False, encoding="utf-16")),
    "line ends of Windows": ("csv", lambda f, p: f.to_csv(p, index=False, lineterminator="\r\n")),
    "Excel": ("xlsx", lambda f, p: f.to_excel(p, index=False)),
    "JSON lines": ("jsonl", lambda f, p: f.to_json(p, orient="records", lines=True, double_precision=15)),
    "a JSON array": ("json", lambda f, p: f.to_json(p, orient="records", double_precision=15)),
    "JSON by column": ("json", lambda f, p: p.write_text(json.dumps(f.to_dict("list")))),
    "Parquet": ("parquet", lambda f, p: f.to_parquet(p)),
    "shuffled Parquet": ("parquet", lambda f, p: f.sample(frac=1, random_state=2).to_parquet(p)),
    "Parquet with a column of lists": (
        "parquet", lambda f, p: f.assign(logits=[[0.1, 0.9]] * len(f)).to_parquet(p),
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", WRITTEN)
def test_the_file_of_2018_is_measured_from_any_kind_of_file(
    kind: str, published: pd.DataFrame, expected: dict[str, float], tmp_path: Path
) -> None:
    suffix, write = WRITTEN[kind]
    write(published, tmp_path / f"scored.{suffix}")
    same(eec_bias.measure(tmp_path / f"scored.{suffix}", score="vader"), expected)


def test_the_command_reads_the_file_of_2018_and_says_how(
    published: pd.DataFrame, expected: dict[str, float], tmp_path: Path
) -> None:
    published.to_csv(tmp_path / "scored.csv", index=False)
    for given in (["--score", "vader"], ["--config", LIST, "--score", "vader"], []):
        done = eec("measure", tmp_path / "scored.csv", "--format", "json", *given)
        assert json.loads(done.stdout)["gender_effect"] == pytest.approx(expected["gender_effect"])
    assert (
        f"read as: texts from `Sentence`, groups from the list, scores from `vader`; matched to {LIST} by text: "
        f"{len(published):,} of {len(published):,}; en-gender would fit too"
    ) in done.stderr


def test_a_submission_is_matched_by_text_or_by_the_rows_it_is_of(
    published: pd.DataFrame, expected: dict[str, float], tmp_path: Path
) -> None:
    submission = pd.DataFrame(
        {
            "ID": published["ID"],
            "Tweet": published["Sentence"],
            "Affect Dimension": "anger",
            "Intensity Score": published["vader"],
        }
    )
    same(eec_bias.measure(submission, score="Intensity Score"), expected)
    keyed = submission.drop(columns=["Tweet"]).sample(frac=1, random_state=0)
    same(eec_bias.measure(keyed, published.drop(columns="vader"), score="Intensity Score"), expected)
    keyed.to_csv(tmp_path / "keyed.tsv", sep="\t", index=False)
    published.drop(columns="vader").to_csv(tmp_path / "eec.csv", index=False)
    asked = ("measure", tmp_path / "keyed.tsv", "--score", "Intensity Score")
    done = eec(*asked, "--data", tmp_path / "eec.csv", "--format", "json")
    assert json.loads(done.stdout)["gender_effect"] == pytest.approx(expected["gender_effect"])
    assert "A table like this one would work" in refused(*asked)


def test_scores_with_ids_are_joined_to_rows_with_labels_in_any_order(
    rows: pd.DataFrame, scores: np.ndarray, expected: dict[str, float], tmp_path: Path
) -> None:
    given = pd.DataFrame({"id": rows["id"], "score": scores}).sample(frac=1, random_state=0)
    same(eec_bias.measure(given, rows), expected)
    given.to_csv(tmp_path / "scores.csv", index=False)
    same(eec_bias.measure(tmp_path / "scores.csv", rows), expected)
    same(eec_bias.measure(dict(zip(given["id"], given["score"], strict=True)), rows), expected)


def test_rows_of_several_samples_are_runs_and_of_several_models_systems(
    published: pd.DataFrame, expected: dict[str, float]
) -> None:
    several = [published.assign(vader=published["vader"] + 0.01 * k, n=k) for k in range(3)]
    runs = eec_bias.measure(pd.concat(several).rename(columns={"n": "sample"}), score="vader")
    assert runs["gender_effect"] == pytest.approx(expected["gender_effect"])
    assert any("taken as runs of one system" in str(note) for note in runs.notes)
    named = pd.concat(each.assign(model=f"m{k}").drop(columns="n") for k, each in enumerate(several))
    assert eec_bias.measure(named, score="vader")["m1/gender_effect"] == pytest.approx(expected["gender_effect"])


@pytest.mark.parametrize(
    ("value", "advice"), [("48.6%", "write them without %"), ("4.9/10", "write the number alone"), ("high", "'high'")]
)
def test_a_score_that_is_no_number_is_named_with_its_row(value: str, advice: str, published: pd.DataFrame) -> None:
    cells = published["vader"].astype(object).where(published.index != 7, value)
    with pytest.raises(LabelsError, match=r"values that are no finite number.*, once: (.|\n)*in row 8") as error:
        eec_bias.measure(published.assign(vader=cells), score="vader")
    assert advice in str(error.value)


def test_a_column_of_sentences_of_any_name_is_named(published: pd.DataFrame, expected: dict[str, float]) -> None:
    frame = pd.DataFrame({"utterance": published["Sentence"], "score": published["vader"]})
    same(eec_bias.measure(frame, text="utterance"), expected)
    with pytest.raises(LabelsError, match="there is no column 'utterances' among utterance, score"):
        eec_bias.measure(frame, text="utterances")


@pytest.mark.parametrize("how", ["missing row", "NaN", "None", "empty cell"])
def test_a_missing_answer_is_the_same_however_it_is_written(
    how: str, rows: pd.DataFrame, scores: np.ndarray, tmp_path: Path
) -> None:
    given = pd.DataFrame({"id": rows["id"], "score": scores})
    expected = numbers(eec_bias.measure(np.where(np.arange(len(rows)) == 5, np.nan, scores), rows))
    if how == "missing row":
        frame = given.drop(index=5)
    elif how == "NaN":
        frame = given.assign(score=given["score"].where(given.index != 5))
    elif how == "None":
        frame = given.assign(score=[None if k == 5 else s for k, s in enumerate(scores)]).astype({"score": object})
    else:
        frame = given.assign(score=["" if k == 5 else str(s) for k, s in enumerate(scores)])
    same(eec_bias.measure(frame, config=LIST), expected)
    frame.to_csv(tmp_path / "scores.csv", index=False)
    same(eec_bias.measure(tmp_path / "scores.csv", config=LIST), expected)
    against = given.assign(score=scores / 2)
    against.to_csv(tmp_path / "before.csv", index=False)
    asked = ("measure", tmp_path / "scores.csv", "--config", LIST, "--against", tmp_path / "before.csv")
    found = json.loads(eec(*asked, "--format", "json").stdout)
    assert found["gender_effect"] == pytest.approx(expected["gender_effect"] / 2, abs=1e-4)


def own() -> pd.DataFrame:
    """Own templates with own names and groups."""
    people = [("Aisha", "female", "Muslim"), ("Fatima", "female", "Muslim"), ("Omar", "male", "Muslim"),
              ("Ali", "male", "Muslim"), ("Priya", "female", "Hindu"), ("Anita", "female", "Hindu"),
              ("Raj", "male", "Hindu"), ("Amit", "male", "Hindu")]  # fmt: skip
    templates = ("{} applied for a loan.", "I met {} at the airport.", "{} is on the phone.", "We hired {} in May.")
    data = [
        {"Sentence": each.format(name), "Template": each, "Name": name, "Sex": sex, "Religion": religion}
        for each in templates
        for name, sex, religion in people
    ]
    return pd.DataFrame(data).assign(score=np.random.default_rng(0).uniform(0.2, 0.8, len(data)).round(4))


@pytest.mark.parametrize("template", [True, False])
def test_own_templates_are_measured_by_their_columns(template: bool, tmp_path: Path) -> None:
    data = own()
    renamed = data.rename(columns={"Template": "item", "Name": "person"}).drop(columns=["Sentence", "score"])
    expected = numbers(eec_bias.measure(data["score"], renamed, axes=["Sex", "Religion"]))
    data = data if template else data.drop(columns="Template")
    same(eec_bias.measure(data, axes=["Sex", "Religion"]), expected)
    same(eec_bias.measure(data["score"], data.drop(columns="score"), axes=["Sex", "Religion"]), expected)
    data.to_csv(tmp_path / "own.csv", index=False)
    done = eec("measure", tmp_path / "own.csv", "--axis", "Sex", "--axis", "Religion", "--format", "json")
    assert json.loads(done.stdout)["Sex_effect"] == pytest.approx(expected["Sex_effect"])
    assert "groups from `Sex`, `Religion`, scores from `score`; labels from its own columns" in done.stderr


def test_an_expanded_corpus_is_measured_by_its_columns(published: pd.DataFrame) -> None:
    more = published[published["Person"] == "Ebony"].copy()
    more = more.assign(
        Sentence=more["Sentence"].str.replace("Ebony", "Mariana"),
        Person="Mariana",
        Race="Hispanic",
        ID=more["ID"] + "m",
    )
    result = eec_bias.measure(pd.concat([published, more]), score="vader")
    notes = [str(note) for note in result.notes]
    assert f"{LIST} has {len(published):,} of its {len(published) + len(more):,} texts" in notes[0]
    assert "names: we compare race without Hispanic (persons left out: 1)" in " ".join(notes)
    plain = eec_bias.measure(published, score="vader")
    for key in ("race_effect", "gender_effect"):
        assert result[key] == pytest.approx(plain[key])
    assert {row["subset"] for row in result.terms if row["term"] == "gender"} >= {"names", "pairs"}


def test_a_table_that_says_nothing_of_its_rows_shows_one_that_works(tmp_path: Path) -> None:
    frame = pd.DataFrame({"a": [0.1, 0.2], "b": ["x", "y"]})
    with pytest.raises(LabelsError, match="A table like this one would work") as error:
        eec_bias.measure(frame)
    lines = [line.strip() for line in str(error.value).splitlines()[-3:]]
    path = tmp_path / "example.csv"
    path.write_text("\n".join([*lines, *(line.replace("called me", "is here") for line in lines[1:])]) + "\n")
    assert eec("measure", path).exit_code == 0


def test_an_option_of_tables_is_refused_beside_rows_with_labels(rows: pd.DataFrame, scores: np.ndarray) -> None:
    for option in ("config", "text", "score"):
        with pytest.raises(OptionError, match=f"{option} is for one table"):
            eec_bias.measure(scores, rows, **{option: "x"})


def test_ids_of_several_languages_ask_for_the_corpus(scores: np.ndarray) -> None:
    ids = eec_datasets.load("es-anglo-latino")["id"][:2000]
    frame = pd.DataFrame({"id": ids, "score": scores[:2000]})
    with pytest.raises(LabelsError, match=r"which are in several languages\. Name the one that was scored"):
        eec_bias.measure(frame)
    assert eec_bias.measure(frame, config="es-anglo-latino").terms


@pytest.mark.parametrize("change", [str.lower, lambda text: text.rstrip("."), str.upper])
def test_sentences_that_are_nearly_ours_are_told_with_ours(change, tmp_path: Path) -> None:
    rows = eec_datasets.load("en-black-white").to_pandas()[["text"]].assign(score=0.5)
    rows.assign(text=rows["text"].map(change)).to_csv(tmp_path / "a.csv", index=False)
    done = eec("measure", tmp_path / "a.csv")
    assert done.exit_code == 1
    assert "is 'Ebony feels angry.' in en-black-white: write the sentences as `eec sentences en-b" in done.output


def test_scores_by_published_ids_are_joined_as_the_message_says(tmp_path: Path) -> None:
    rows = eec_datasets.load("en-black-white").to_pandas()
    ids = [f"2018-En-mystery-{k:05d}" for k in range(len(rows))]
    scores = pd.DataFrame({"ID": ids, "score": np.random.default_rng(0).uniform(size=len(rows))})
    scores.sample(frac=1, random_state=0).to_csv(tmp_path / "a.csv", index=False)
    pd.DataFrame({"ID": ids, "Sentence": rows["text"]}).to_csv(tmp_path / "corpus.csv", index=False)
    refused = eec("measure", tmp_path / "a.csv")
    assert "Give its file too, with --data Equity-Evaluation-Corpus.csv" in refused.output
    done = eec("measure", tmp_path / "a.csv", "--data", tmp_path / "corpus.csv", "--format", "csv")
    assert done.exit_code == 0, done.output
    assert "matched to en-black-white by text: 8,640 of 8,640" in done.output


def test_columns_of_numbers_are_no_groups_in_files_as_in_memory(tmp_path: Path) -> None:
    data = own()
    data = data.assign(cohort=1990 + data["Name"].isin(["Aisha", "Omar"]))
    plain = numbers(eec_bias.measure(own(), axes=["Sex", "Religion"]))
    data.to_csv(tmp_path / "own.csv", index=False)
    for given in (data, tmp_path / "own.csv"):
        result = eec_bias.measure(given)
        assert {axis for row in result.terms for axis in row["axes"].split("+")} == {"Sex", "Religion"}
        assert result["Sex_effect"] == pytest.approx(plain["Sex_effect"])
    assert "columns of numbers are no groups unless an option names them: cohort" in " ".join(map(str, result.notes))


def test_a_score_of_an_own_table_is_told_with_its_line_and_the_form_of_the_file_is_said(tmp_path: Path) -> None:
    data = own()
    data.to_csv(tmp_path / "own.csv", index=False, sep=";")
    result = eec_bias.measure(tmp_path / "own.csv", axes=["Sex", "Religion"])
    assert "the columns are separated by semicolons" in " ".join(map(str, result.notes))
    data.assign(score=data["score"].astype(object).where(data.index != 3, "high")).to_csv(tmp_path / "bad.csv")
    with pytest.raises(LabelsError, match="score = 'high' in line 5"):
        eec_bias.measure(tmp_path / "bad.csv", axes=["Sex", "Religion"])


def test_decimal_commas_of_an_own_table_are_read(tmp_path: Path) -> None:
    data = own().rename(columns={"score": "vader"})
    expected = numbers(eec_bias.measure(own(), axes=["Sex", "Religion"]))
    data.to_csv(tmp_path / "own.csv", index=False, sep=";", decimal=",")
    result = eec_bias.measure(tmp_path / "own.csv", axes=["Sex", "Religion"])
    same(result, expected)
    assert "numbers have a decimal comma" in " ".join(map(str, result.notes))


def test_a_person_who_is_not_in_the_sentence_is_named_with_its_line(tmp_path: Path) -> None:
    data = own().drop(columns="Template")
    data.assign(Name=data["Name"].where(data.index != 2, "Nobody")).to_csv(tmp_path / "own.csv", index=False)
    with pytest.raises(LabelsError, match=r"'Name' is 'Nobody' in line 4.*\nA table like this one would work:\n"):
        eec_bias.measure(tmp_path / "own.csv")


@pytest.mark.parametrize("labelled", [True, False])
def test_a_file_is_read_once(
    labelled: bool, rows: pd.DataFrame, scores: np.ndarray, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = rows if labelled else rows[["id", "text"]]
    frame.assign(score=scores).to_csv(tmp_path / "scores.csv", index=False)
    read = []

    def counted(path: str, *given: Any) -> pa.Table:
        read.append(path)
        return read_rows(path, *given)

    monkeypatch.setattr("eec_datasets.audit.tables.files.read_rows", counted)
    eec_bias.measure(tmp_path / "scores.csv")
    assert read == [str(tmp_path / "scores.csv")]
