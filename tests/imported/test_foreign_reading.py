"""What a spreadsheet or a wrong option did to a file is told, with the place and the way out."""

import pytest
from click.testing import CliRunner
from published import HEADER_2018, write
from snapshots import Snapshot, refusal

from eec_datasets.cli import main
from eec_datasets.imported.presets import preset_of, presets
from eec_datasets.imported.reading import read_corpus

ROW = ["1", "Adam feels angry.", "<person subject> feels <emotion word>.", "Adam", "male", "European", "anger", "angry"]


def put(tmp_path, raw):
    path = tmp_path / "corpus.csv"
    path.write_bytes(raw)
    return path


def test_cells_stay_as_they_stand_where_they_are_to_be_checked(tmp_path):
    row = [ROW[0], " Adam  feels angry. ", *ROW[2:]]
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


def test_what_cannot_be_read_is_told_with_its_place(tmp_path, snapshot: Snapshot):
    layout, plain = preset_of("kiritchenko2018"), preset_of(None)
    renamed = [title.replace("Sentence", "Text").replace("Race", "Group") for title in HEADER_2018]
    cases = {
        "empty": (put, b"", layout),
        "Latin-1": (put, "sentence,person,gender\nMaría,María,f\n".encode("latin-1"), plain),
        "semicolons": (put, b"sentence;person;gender\na;b;f\n", plain),
        "a quote that does not end": (put, b'sentence,person,gender\na,b,f\n"a,b,f\n', plain),
        "a header only": (rows_of, [HEADER_2018], layout),
        "renamed columns": (rows_of, [renamed, ROW], layout),
        "a column named by hand": (rows_of, [HEADER_2018, ROW], layout.with_columns({"word": "feeling"})),
        "shifted rows": (rows_of, [HEADER_2018, ROW, ROW[:7], *[[*ROW, "x"]] * 6], layout),
    }
    said = [
        f"{what}\n{refusal(lambda: read_corpus(make(tmp_path, content), preset))}"  # noqa: B023
        for what, (make, content, preset) in cases.items()
    ]
    said += [
        refusal(lambda: read_corpus(tmp_path / "none.csv", layout), tmp_path),
        refusal(lambda: preset_of("eec")),
        refusal(lambda: plain.with_columns({"text": "Text"})),
    ]
    snapshot.check("foreign-refused", "\n\n".join(said))
    assert list(presets()) == ["kiritchenko2018", "camara2022-en", "camara2022-es", "camara2022-ar"]


def rows_of(tmp_path, rows):
    return write(tmp_path / "corpus.csv", rows[0], rows[1:])


@pytest.mark.parametrize(
    ("options", "code", "told"),
    [
        (["--column", "sentence"], 2, "--column sentence: expected FIELD=HEADER."),
        (["--language", "xx"], 1, "Error: no locale 'xx' in "),
        (["--template", "t64=Something"], 1, "Error: no template 't64'; there are: t01, t02, t03"),
    ],
)
def test_a_wrong_option_of_the_command_is_told(tmp_path, options, code, told):
    path = rows_of(tmp_path, [HEADER_2018, ROW])
    result = CliRunner().invoke(main, ["corpus", "lint", str(path), "--preset", "kiritchenko2018", *options])
    assert result.exit_code == code
    assert told in result.output
