"""How far a language is can be seen: what is written, who wrote it, and what a second person has checked."""

from click.testing import CliRunner

from eec_datasets.checks import check
from eec_datasets.cli import main
from eec_datasets.contribute.progress import Progress, progress
from eec_datasets.contribute.scaffold import scaffold


def sign(path, word, translator, checker=""):
    """Write names into the row that begins with `word`."""
    text = path.read_text(encoding="utf-8")
    (line,) = [line for line in text.splitlines() if line.startswith(f"{word},")]
    assert line.endswith(",,,")
    path.write_text(text.replace(line, f"{line[:-2]}{translator},{checker},"), encoding="utf-8")


def test_in_a_scaffold_nothing_is_written(root):
    folder = scaffold("sv", "en", root)
    assert [(counts.file, counts.written, counts.checked) for counts in progress(folder)] == [
        ("templates.toml", 0, 0),
        ("words.csv", 0, 0),
        ("persons.csv", 0, 0),
    ]


def test_words_that_are_signed_and_checked_are_counted(root):
    sign(root / "tr/words.csv", "sad", "A")
    sign(root / "tr/words.csv", "glad", "A", "B")
    assert Progress("words.csv", of=60, written=60, translated=2, checked=1) in progress(root / "tr")
    notes = [str(finding) for finding in check(root / "tr").findings if finding.check == "review"]
    assert notes == [
        "words.csv:14: note: rows that name a translator: 2 of 60; checked by a second person: 1. See eec locale status"
    ]


def test_the_command_shows_a_line_per_file(root):
    sign(root / "en/words.csv", "glad", "A", "B")
    result = CliRunner().invoke(main, ["locale", "status", "en", "--locales", str(root)])
    assert result.exit_code == 0
    lines = [line.split() for line in result.output.splitlines()]
    assert lines[0] == ["language", "file", "texts", "written", "signed", "checked"]
    assert ["en", "templates.toml", "63", "63", "0", "0"] in lines
    assert ["words.csv", "40", "40", "1", "1"] in lines
