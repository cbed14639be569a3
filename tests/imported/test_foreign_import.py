"""Somebody else's file becomes rows of our schema, every sentence as it stands, and nothing is dropped in silence."""

import random

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from published import HEADER_2018, HEADER_AR, HEADER_ES, in_2018, in_arabic_2022, in_spanish_2022, rows_of, write
from snapshots import Snapshot, refusal

from eec_datasets import corpora, schema
from eec_datasets.cli import main
from eec_datasets.imported.importing import ForeignImportError, import_corpus
from eec_datasets.imported.presets import preset_of
from eec_datasets.imported.reading import read_corpus


def imported(path, header, rows, preset, **options):
    return import_corpus(read_corpus(write(path / "corpus.csv", header, rows), preset_of(preset)), **options)


def by_id(found):
    return {
        row["id"]: row
        for row in (
            dict(zip(found.columns, values, strict=True)) for values in zip(*found.columns.values(), strict=True)
        )
    }


def few(row):
    return row["word"] in ("angry", "annoying", "none")


def test_our_corpus_written_as_in_2018_comes_back_row_for_row(tmp_path):
    rows = list(in_2018(rows_of("en-black-white")))
    random.Random(2018).shuffle(rows)
    found = imported(tmp_path, HEADER_2018, rows, "kiritchenko2018")
    ours = corpora.table("en-black-white")
    assert found.unmapped == ()
    assert found.table().column_names == ours.column_names
    assert found.table().to_pylist() == ours.to_pylist()
    assert schema.content_hash(found.table()) == schema.content_hash(ours)


def test_each_template_of_2018_is_known_by_its_words(tmp_path):
    found = imported(tmp_path, HEADER_2018, in_2018(rows_of("en-black-white", few)), "kiritchenko2018")
    assert sorted(found.templates.values()) == [(f"t{number:02}", "by its words") for number in range(1, 12)]


def test_published_spanish_keeps_its_sentences_and_gets_our_ids(tmp_path):
    found = imported(tmp_path, HEADER_ES, in_spanish_2022(few), "camara2022-es")
    rows = by_id(found)
    assert list(rows) == [row["id"] for row in rows_of("es-anglo-latino", few)]
    maria = rows["t04/angry/maria"]
    assert (maria["text"], maria["word_form"], maria["speaker"]) == (
        "Maria me hizo sentir enojada",
        "enojada",
        "female",
    )
    assert (maria["person_form"], maria["race"], maria["word_status"]) == ("Maria", "Latino", "paper")
    assert rows["t04/angry/jose"]["speaker"] == "male"
    assert rows["t08/none/she"]["text"] == "Yo vi a ella en el mercado"
    assert (rows["t08/none/she"]["pair"], rows["t08/none/she"]["race"]) == ("t08/none/she_he", "unmarked")


def test_published_arabic_is_matched_through_templates_written_as_a_dict(tmp_path):
    found = imported(tmp_path, HEADER_AR, in_arabic_2022(few), "camara2022-ar")
    rows = by_id(found)
    assert rows["t05/annoying/adam"]["text"] == "آدم وجدت نفسه في موقف  مزعج"
    assert (rows["t01/angry/fatima"]["race"], rows["t01/angry/fatima"]["gender"]) == ("Arab", "female")


def test_a_word_that_two_of_ours_could_be_is_told_by_its_emotion_or_english(tmp_path):
    # محبط stands for discouraged and for disappointed in the paper; with us for the former only.
    rows = [
        [*row[:7], "محبط", row[8]]
        for row in in_arabic_2022(lambda row: row["template"] == "t01")
        if row[8].endswith(("discouraged.", "disappointed."))
    ]
    found = imported(tmp_path, HEADER_AR, rows, "camara2022-ar")
    assert set(found.columns["word"]) == {"discouraged", "disappointed"}


def test_rows_without_a_place_are_refused_with_their_reasons(tmp_path, snapshot: Snapshot):
    rows = list(in_2018(rows_of("en-black-white", lambda row: row["word"] == "angry" and row["template"] == "t01")))
    rows[0] = [*rows[0][:3], "Xena", *rows[0][4:]]
    rows[1] = [*rows[1][:7], "wrathful"]
    rows[2] = [*rows[2][:2], "Never mind <person subject>, said nobody", *rows[2][3:]]
    rows.append(rows[5])
    said = refusal(lambda: imported(tmp_path, HEADER_2018, rows, "kiritchenko2018"))
    snapshot.check("foreign-unmapped", said)
    found = imported(tmp_path, HEADER_2018, rows, "kiritchenko2018", allow_unmapped=True)
    assert len(found.columns["id"]) == 57
    assert [entry.line for entry in found.unmapped] == [2, 3, 4, 62]


def test_a_template_whose_words_are_unknown_can_be_named(tmp_path):
    rows = [
        [*row[:2], "P with feeling E", *row[3:]]
        for row in in_2018(rows_of("en-black-white", lambda row: row["template"] == "t01" and row["word"] == "sad"))
    ]
    path = write(tmp_path / "corpus.csv", HEADER_2018, rows)
    out = tmp_path / "rows.parquet"
    arguments = ["corpus", "import", str(path), "--preset", "kiritchenko2018", "--out", str(out)]
    refused = CliRunner().invoke(main, arguments)
    assert refused.exit_code == 1
    assert "template 'P with feeling E' is like none of ours (60 such)" in refused.output
    assert not out.exists()
    done = CliRunner().invoke(main, [*arguments, "--template", "t01=P with feeling E"])
    assert done.exit_code == 0
    assert done.output == (f"t01  P with feeling E  (by its words)\n60 rows in our schema, 0 left out\nwrote {out}\n")
    assert pq.read_table(out).num_rows == 60


def test_a_folder_is_read_by_load_dataset_and_measured(tmp_path):
    datasets = pytest.importorskip("datasets")
    import eec_bias

    rows = list(in_2018(rows_of("en-black-white", few)))
    rows.append(["x", "Xena feels angry.", *rows[0][2:3], "Xena", "female", "", "anger", "angry"])
    path = write(tmp_path / "corpus.csv", HEADER_2018, rows)
    arguments = ["corpus", "import", str(path), "--preset", "kiritchenko2018", "--out", str(tmp_path / "published")]
    assert CliRunner().invoke(main, [*arguments, "--allow-unmapped"]).exit_code == 0
    (tmp_path / "published/README.md").write_text("mine")
    again = CliRunner().invoke(main, [*arguments, "--allow-unmapped"])
    assert again.exit_code == 1
    assert "published is there already ('README.md' was changed since eec wrote it), and nothing" in again.output
    assert CliRunner().invoke(main, [*arguments, "--allow-unmapped", "--overwrite"]).exit_code == 0
    listed = (tmp_path / "published/unmapped.csv").read_text(encoding="utf-8")
    assert listed == ("line,why,sentence\n662,person 'Xena' (female (no race)) is none of ours,Xena feels angry.\n")
    data = datasets.load_dataset(
        str(tmp_path / "published"), "kiritchenko2018", split="test", cache_dir=str(tmp_path / "cache")
    )
    scores = [0.6 if gender == "female" else 0.5 for gender in data["gender"]]
    result = eec_bias.measure(scores, data)
    gender = next(row for row in result.to_dict()["terms"] if row["term"] == "gender" and row["subset"] == "names")
    assert gender["effect"] == pytest.approx(0.1)


def test_a_folder_with_something_else_is_left_alone(tmp_path):
    (tmp_path / "published").mkdir()
    (tmp_path / "published/thesis.txt").write_text("mine")
    path = write(tmp_path / "corpus.csv", HEADER_2018, in_2018(rows_of("en-black-white", few)))
    result = CliRunner().invoke(
        main, ["corpus", "import", str(path), "--preset", "kiritchenko2018", "--out", str(tmp_path / "published")]
    )
    assert result.exit_code == 1
    assert (
        f"Error: {tmp_path}/published is replaced as a whole, and holds what would be lost (eec is not known"
        in result.output
    )
    assert [path.name for path in (tmp_path / "published").iterdir()] == ["thesis.txt"]


def test_a_file_without_a_language_cannot_be_imported(tmp_path):
    path = write(tmp_path / "corpus.csv", ["sentence", "person", "gender"], [["Adam is here.", "Adam", "m"]])
    with pytest.raises(ForeignImportError, match=r"corpus\.csv: .* name a preset or the language"):
        import_corpus(read_corpus(path, preset_of(None)))
