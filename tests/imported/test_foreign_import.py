"""Somebody else's file becomes rows of our schema, every sentence as it stands; what is wrong with it is told."""

import random

import pyarrow.parquet as pq
import pytest
from commands import eec, succeed
from published import HEADER_2018, HEADER_AR, HEADER_ES, in_2018, in_arabic_2022, in_spanish_2022, rows_of, write
from snapshots import refusal

from eec_datasets import corpora, schema
from eec_datasets.errors import EecError
from eec_datasets.imported.importing import import_corpus
from eec_datasets.imported.presets import preset_of, presets
from eec_datasets.imported.reading import read_corpus


def imported(path, header, rows, preset, **options):
    return import_corpus(read_corpus(write(path / "corpus.csv", header, rows), preset_of(preset)), **options)


def run(command, path, *options, preset="kiritchenko2018"):
    """The exit code and the output of a command on a file."""
    layout = ["--preset", preset] if preset else []
    done = eec("corpus", command, path, *layout, *options)
    return done.exit_code, done.output


def few(row):
    return row["word"] in ("angry", "annoying", "none")


@pytest.fixture(scope="module")
def shuffled(tmp_path_factory):
    """Our corpus, written as in 2018, its rows shuffled, and read again."""
    rows = list(in_2018(rows_of("en-black-white")))
    random.Random(2018).shuffle(rows)
    return imported(tmp_path_factory.mktemp("shuffled"), HEADER_2018, rows, "kiritchenko2018")


def test_our_corpus_written_as_in_2018_comes_back_row_for_row(shuffled):
    ours = corpora.table("en-black-white")
    assert shuffled.unmapped == ()
    assert shuffled.table().column_names == ours.column_names
    assert schema.content_hash(shuffled.table()) == schema.content_hash(ours)


def test_each_template_of_2018_is_known_by_its_words(shuffled):
    assert sorted(shuffled.templates.values()) == [(f"t{number:02}", "by its words") for number in range(1, 12)]


def test_published_spanish_keeps_its_sentences_under_our_ids(tmp_path):
    found = imported(tmp_path, HEADER_ES, in_spanish_2022(few), "camara2022-es")
    rows = {row["id"]: row for row in found.table().to_pylist()}
    assert list(rows) == [row["id"] for row in rows_of("es-anglo-latino", few)]
    maria, she = rows["t04/angry/maria"], rows["t08/none/she"]
    assert [maria[column] for column in ("text", "word_form", "speaker", "person_form", "race", "word_status")] == [
        "Maria me hizo sentir enojada", "enojada", "female", "Maria", "Latino", "paper",
    ]  # fmt: skip
    assert rows["t04/angry/jose"]["speaker"] == "male"
    assert [she[column] for column in ("text", "pair", "race")] == [
        "Yo vi a ella en el mercado", "t08/none/she_he", "unmarked",
    ]  # fmt: skip


def test_published_arabic_is_matched_through_templates_written_as_a_dict(tmp_path):
    found = imported(tmp_path, HEADER_AR, in_arabic_2022(few), "camara2022-ar")
    rows = {row["id"]: (row["text"], row["race"], row["gender"]) for row in found.table().to_pylist()}
    assert rows["t05/annoying/adam"] == ("آدم وجدت نفسه في موقف  مزعج", "Anglo", "male")
    assert rows["t01/angry/fatima"][1:] == ("Arab", "female")


def test_a_word_that_two_of_ours_could_be_is_told_by_its_emotion(tmp_path):
    # محبط stands for discouraged and for disappointed in the paper; with us for the former only.
    rows = [
        [*row[:7], "محبط", row[8]]
        for row in in_arabic_2022(lambda row: row["template"] == "t01")
        if row[8].endswith(("discouraged.", "disappointed."))
    ]
    found = imported(tmp_path, HEADER_AR, rows, "camara2022-ar")
    assert set(found.columns["word"]) == {"discouraged", "disappointed"}


def test_rows_without_a_place_are_refused_with_their_reasons(tmp_path, snapshot):
    rows = list(in_2018(rows_of("en-black-white", lambda row: row["word"] == "angry" and row["template"] == "t01")))
    rows[0] = [*rows[0][:3], "Xena", *rows[0][4:]]
    rows[1] = [*rows[1][:7], "wrathful"]
    rows[2] = [*rows[2][:2], "Never mind <person subject>, said nobody", *rows[2][3:]]
    rows[3] = [*rows[3][:4], "Frau", *rows[3][5:]]
    rows.append(rows[5])
    said = refusal(lambda: imported(tmp_path, HEADER_2018, rows, "kiritchenko2018"))
    snapshot.check("foreign-unmapped", said)
    found = imported(tmp_path, HEADER_2018, rows, "kiritchenko2018", allow_unmapped=True)
    assert len(found.columns["id"]) == 56
    assert [entry.line for entry in found.unmapped] == [2, 3, 4, 5, 62]


def test_a_template_whose_words_are_unknown_can_be_named(tmp_path):
    rows = [
        [*row[:2], "P with feeling E", *row[3:]]
        for row in in_2018(rows_of("en-black-white", lambda row: row["template"] == "t01" and row["word"] == "sad"))
    ]
    path, out = write(tmp_path / "corpus.csv", HEADER_2018, rows), tmp_path / "rows.parquet"
    code, told = run("import", path, "--out", out)
    assert (code, "template 'P with feeling E' is like none of ours (60 such)" in told) == (1, True)
    assert not out.exists()
    code, told = run("import", path, "--out", out, "--template", "t01=P with feeling E")
    assert code == 0
    assert told == f"t01  P with feeling E  (by its words)\n60 rows in our schema, 0 left out\nwrote {out}\n"
    assert pq.read_table(out).num_rows == 60


def test_a_folder_of_rows_is_measured_after_load_dataset(tmp_path):
    datasets = pytest.importorskip("datasets")
    import eec_bias

    rows = list(in_2018(rows_of("en-black-white", few)))
    rows.append(["x", "Xena feels angry.", *rows[0][2:3], "Xena", "female", "", "anger", "angry"])
    path, out = write(tmp_path / "corpus.csv", HEADER_2018, rows), tmp_path / "published"
    assert run("import", path, "--out", out, "--allow-unmapped")[0] == 0
    listed = (out / "unmapped.csv").read_text(encoding="utf-8")
    assert listed == "line,why,sentence\n662,person 'Xena' (female (no race)) is none of ours,Xena feels angry.\n"
    data = datasets.load_dataset(str(out), "kiritchenko2018", split="test", cache_dir=str(tmp_path / "cache"))
    result = eec_bias.measure([0.6 if gender == "female" else 0.5 for gender in data["gender"]], data)
    gender = next(row for row in result.to_dict()["terms"] if row["term"] == "gender" and row["subset"] == "names")
    assert gender["effect"] == pytest.approx(0.1)


@pytest.mark.parametrize(("file", "config"), [("2018.csv", "2018"), ("a: b[1].csv", "a-b-1"), ("-.csv", "corpus")])
def test_a_folder_is_read_whatever_the_file_was_called(tmp_path, file, config):
    datasets = pytest.importorskip("datasets")
    path = write(tmp_path / file, HEADER_2018, in_2018(rows_of("en-black-white", few)))
    layout = ["--column", "word=Emotion word", "--language", "en"]
    succeed("corpus", "import", path, *layout, "--out", tmp_path / "made")
    data = datasets.load_dataset(str(tmp_path / "made"), config, split="test", cache_dir=str(tmp_path / "cache"))
    assert data.num_rows == 660


ROW = ["1", "Adam feels angry.", "<person subject> feels <emotion word>.", "Adam", "male", "European", "anger", "angry"]


def put(tmp_path, raw):
    path = tmp_path / "corpus.csv"
    path.write_bytes(raw)
    return path


@pytest.mark.parametrize(
    ("raw", "columns", "row"),
    [
        (b'sentence,person,gender,race\n" A  b. ",A,male,European\n', {}, (" A  b. ", "A", "male", "European", "", 2)),
        (b"sentence,person,gender,sentence\na,b,f,c\n", {"english": "sentence (2)"}, ("a", "b", "female", "", "c", 2)),
        (b"sentence;person;gender\r\nA, b;A;f\r\n", {}, ("A, b", "A", "female", "", "", 2)),
    ],
    ids=["cells as they stand", "two columns of one name", "semicolons"],
)
def test_a_file_is_read_cell_by_cell(tmp_path, raw, columns, row):
    (found,) = read_corpus(put(tmp_path, raw), preset_of(None).with_columns(columns)).rows
    assert (found.sentence, found.person, found.gender, found.race, found.english, found.line) == row


def test_an_import_says_what_was_noted_of_the_file(tmp_path):
    path = write(tmp_path / "corpus.csv", HEADER_2018, in_2018(rows_of("en-black-white", few)))
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    code, output = run("import", path, "--out", tmp_path / "rows.parquet")
    assert code == 0
    assert output.startswith("note: the file begins with a byte order mark (BOM), which was skipped\n")


def test_what_cannot_be_read_is_told_with_its_place(tmp_path, snapshot):
    layout, plain = preset_of("kiritchenko2018"), preset_of(None)
    renamed = [title.replace("Sentence", "Text").replace("Race", "Group") for title in HEADER_2018]
    cases = {
        "empty": (put, b"", layout),
        "Latin-1": (put, "sentence,person,gender\nMaría,María,f\n".encode("latin-1"), plain),
        "Parquet": (put, b"PAR1\x15\x04\x00\xff", plain),
        "a spreadsheet": (put, b"PK\x03\x04\x14\x00\xff", plain),
        "two separators": (put, b"sentence;person\tgender\na;b\tf\n", plain),
        "a quote that does not end": (put, b'sentence,person,gender\na,b,f\n"a,b,f\n', plain),
        "a header only": (table_of, [HEADER_2018], layout),
        "renamed columns": (table_of, [renamed, ROW], layout),
        "a column named by hand": (table_of, [HEADER_2018, ROW], layout.with_columns({"word": "feeling"})),
        "shifted rows": (table_of, [HEADER_2018, ROW, ROW[:7], *[[*ROW, "x"]] * 6], layout),
    }
    calls = {
        what: lambda make=make, content=content, preset=preset: read_corpus(make(tmp_path, content), preset)
        for what, (make, content, preset) in cases.items()
    }
    calls |= {
        "no file": lambda: read_corpus(tmp_path / "none.csv", layout),
        "no preset": lambda: preset_of("eec"),
        "no field": lambda: plain.with_columns({"text": "Text"}),
        "no language": lambda: import_corpus(read_corpus(put(tmp_path, b"sentence,person,gender\nA,A,m\n"), plain)),
    }
    snapshot.check_refusals("foreign-refused", calls, EecError, {f"{tmp_path}/": ""})
    assert list(presets()) == ["kiritchenko2018", "camara2022-en", "camara2022-es", "camara2022-ar"]


def table_of(tmp_path, rows):
    return write(tmp_path / "corpus.csv", rows[0], rows[1:])


def without(column, rows):
    place = HEADER_2018.index(column)
    return [[cell for at, cell in enumerate(row) if at != place] for row in (HEADER_2018, *rows)]


def test_where_the_file_has_no_emotions_they_are_those_of_our_words(tmp_path):
    rows = list(in_2018(rows_of("en-black-white", few)))
    header, *cells = without("Emotion", rows)
    path = write(tmp_path / "corpus.csv", header, cells)
    code, told = run("import", path, "--language", "en", "--out", tmp_path / "rows.parquet", preset=None)
    assert (code, told.splitlines()[-2]) == (0, "660 rows in our schema, 0 left out")
    read = pq.read_table(tmp_path / "rows.parquet").to_pylist()
    ours = {row["id"]: row["emotion"] for row in rows_of("en-black-white", few)}
    assert {row["id"]: row["emotion"] for row in read} == ours


@pytest.mark.parametrize("option", [(), ("--allow-unmapped",)])
def test_a_file_of_which_no_row_has_a_place_is_refused(tmp_path, option):
    header, *cells = without("Template", list(in_2018(rows_of("en-black-white", few))))
    path, out = write(tmp_path / "corpus.csv", header, cells), tmp_path / "rows.parquet"
    code, told = run("import", path, "--language", "en", "--out", out, *option, preset=None)
    assert (code, "no template (660 such)" in told, "Allow unmapped" in told) == (1, True, False)
    assert "Name the columns that hold template" in told


def test_a_row_without_a_sentence_has_no_place(tmp_path):
    rows = list(in_2018(rows_of("en-black-white", few)))
    rows[7] = [rows[7][0], "  ", *rows[7][2:]]
    found = imported(tmp_path, HEADER_2018, rows, "kiritchenko2018", allow_unmapped=True)
    assert [(entry.line, entry.detail) for entry in found.unmapped] == [(9, "no sentence")]
