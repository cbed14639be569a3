"""What a spreadsheet or a wrong option did to a file is told, with the place and the way out."""

import pytest
from click.testing import CliRunner
from published import HEADER_2018, write

from eec_datasets.cli import main
from eec_datasets.imported.presets import UnknownPreset, preset_of, presets
from eec_datasets.imported.reading import ForeignFileError, read_corpus
from eec_datasets.text_file import TextFileError

ROW = ["1", "Adam feels angry.", "<person subject> feels <emotion word>.", "Adam", "male", "European", "anger", "angry"]


def refusal(path, preset="kiritchenko2018"):
    with pytest.raises((ForeignFileError, TextFileError)) as error:
        read_corpus(path, preset_of(preset))
    return str(error.value)


def put(tmp_path, raw):
    path = tmp_path / "corpus.csv"
    path.write_bytes(raw)
    return path


def test_cells_stay_as_they_stand_where_they_are_to_be_checked(tmp_path):
    row = [*ROW]
    row[1] = " Adam  feels angry. "
    corpus = read_corpus(write(tmp_path / "corpus.csv", HEADER_2018, [row]), preset_of("kiritchenko2018"))
    assert corpus.rows[0].sentence == " Adam  feels angry. "
    assert (corpus.rows[0].line, corpus.rows[0].group) == (2, "European male")


def test_of_two_columns_with_one_header_the_second_can_be_named(tmp_path):
    path = write(tmp_path / "corpus.csv", ["sentence", "person", "gender", "sentence"], [["a", "b", "f", "c"]])
    corpus = read_corpus(path, preset_of(None).with_columns({"english": "sentence (2)"}))
    assert (corpus.rows[0].sentence, corpus.rows[0].english, corpus.rows[0].gender) == ("a", "c", "female")


def test_a_byte_order_mark_is_skipped_and_said(tmp_path):
    corpus = read_corpus(put(tmp_path, "\ufeffsentence,person,gender\na,b,f\n".encode()), preset_of(None))
    assert corpus.notes == ("the file begins with a byte order mark (BOM), which was skipped",)


def test_a_missing_file_is_told(tmp_path):
    assert refusal(tmp_path / "none.csv") == f"{tmp_path}/none.csv: cannot be read: No such file or directory"


def test_an_empty_file_is_told(tmp_path):
    assert refusal(put(tmp_path, b"")) == (
        "corpus.csv: the file is empty; a header and one row per sentence were expected"
    )


def test_a_file_with_a_header_only_is_told(tmp_path):
    assert refusal(write(tmp_path / "corpus.csv", HEADER_2018, [])) == (
        "corpus.csv: there is a header and no row; one row per sentence was expected"
    )


def test_latin_1_is_told(tmp_path):
    assert refusal(put(tmp_path, "sentence,person,gender\nMaría,María,f\n".encode("latin-1"))) == (
        "corpus.csv:2: byte 4 of the line is 0xed, which is not UTF-8; the file may be Latin-1 (Windows). "
        "Save it as UTF-8 and look at the accents again"
    )


def test_semicolons_are_told(tmp_path):
    assert refusal(put(tmp_path, b"sentence;person;gender\na;b;f\n")) == (
        "corpus.csv:1: the columns are separated by semicolons. Save the file as CSV with commas"
    )


def test_a_quote_that_does_not_end_is_told(tmp_path):
    assert refusal(put(tmp_path, b'sentence,person,gender\na,b,f\n"a,b,f\n'), None) == (
        "corpus.csv:3: not valid CSV: unexpected end of data. Check the quotes of this row"
    )


def test_a_renamed_column_is_told_with_what_was_looked_for(tmp_path):
    header = [title.replace("Sentence", "Text").replace("Race", "Group") for title in HEADER_2018]
    assert refusal(write(tmp_path / "corpus.csv", header, [ROW])) == (
        "corpus.csv:1: no column for sentence (looked for: Sentence); race (looked for: Race); the header has: "
        "ID, Text, Template, Person, Gender, Group, Emotion, Emotion word. "
        "Name it, for example --column sentence=COLUMN"
    )


def test_a_column_named_by_hand_must_be_there(tmp_path):
    path = write(tmp_path / "corpus.csv", ["sentence", "person", "gender"], [["a", "b", "f"]])
    with pytest.raises((ForeignFileError, TextFileError)) as error:
        read_corpus(path, preset_of(None).with_columns({"word": "feeling"}))
    assert str(error.value) == (
        "corpus.csv:1: no column for word (looked for: feeling); the header has: sentence, person, gender. "
        "Name it, for example --column word=COLUMN"
    )


def test_shifted_rows_are_all_counted_and_the_first_shown(tmp_path):
    path = write(tmp_path / "corpus.csv", HEADER_2018, [ROW, ROW[:7], *[[*ROW, "x"]] * 6])
    assert refusal(path) == (
        "corpus.csv: 7 rows have shifted; nothing was read\n"
        "  corpus.csv:3: 7 cells where the header has 8\n"
        "  corpus.csv:4: 9 cells where the header has 8\n"
        "  corpus.csv:5: 9 cells where the header has 8\n"
        "  corpus.csv:6: 9 cells where the header has 8\n"
        "  corpus.csv:7: 9 cells where the header has 8\n"
        "  and 2 more\n"
        "  A comma may be missing or unquoted"
    )


def test_an_unknown_preset_lists_those_there_are():
    with pytest.raises(UnknownPreset) as error:
        preset_of("eec")
    assert str(error.value) == f"no preset 'eec'; there are: {', '.join(presets())}"
    assert list(presets()) == ["kiritchenko2018", "camara2022-en", "camara2022-es", "camara2022-ar"]


def test_an_unknown_field_lists_those_there_are():
    with pytest.raises(UnknownPreset) as error:
        preset_of(None).with_columns({"text": "Text"})
    assert str(error.value) == (
        "no field 'text' to name a column for; there are: "
        "id, sentence, template, person, gender, race, emotion, word, english"
    )


def run(*arguments):
    return CliRunner().invoke(main, ["corpus", "lint", *map(str, arguments)])


def test_a_problem_of_the_file_ends_the_command_with_one(tmp_path):
    result = run(tmp_path / "none.csv", "--preset", "kiritchenko2018")
    assert result.exit_code == 1
    assert result.output == f"Error: {tmp_path}/none.csv: cannot be read: No such file or directory\n"


def test_an_option_without_its_sign_is_a_usage_error(tmp_path):
    result = run(tmp_path / "none.csv", "--column", "sentence")
    assert result.exit_code == 2
    assert "--column sentence: expected FIELD=HEADER." in result.output


def test_a_language_that_is_none_of_ours_is_told(tmp_path):
    result = run(write(tmp_path / "corpus.csv", HEADER_2018, [ROW]), "--preset", "kiritchenko2018", "--language", "xx")
    assert result.exit_code == 1
    assert result.output.startswith("Error: no locale 'xx' in ")


def test_a_template_that_is_none_of_ours_is_told(tmp_path):
    path = write(tmp_path / "corpus.csv", HEADER_2018, [ROW])
    result = run(path, "--preset", "kiritchenko2018", "--template", "t12=Something")
    assert result.exit_code == 1
    assert result.output == (
        "Error: no template 't12'; there are: t01, t02, t03, t04, t05, t06, t07, t08, t09, t10, t11\n"
    )
