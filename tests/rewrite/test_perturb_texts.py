"""Texts from files and datasets, one after another; what is wrong with a file is told with line and byte."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from eec_datasets.rewrite.texts import TextsError, read_texts
from eec_datasets.text_file import TextFileError


def written(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_a_text_file_gives_a_text_per_line(tmp_path):
    path = written(tmp_path, "a b.txt", b"\xef\xbb\xbfShe left.\r\n\nHe \xe2\x80\xa8stayed.")
    assert list(read_texts(path)) == ["She left.", "", "He \u2028stayed."]


def test_a_csv_and_json_lines_give_a_column(tmp_path):
    table = written(tmp_path, "t.csv", 'id,tweet\n1,"She, ""left"".\nYes"\n2,He\n')
    lines = written(tmp_path, "t.jsonl", json.dumps({"tweet": "Él"}) + "\n\n" + json.dumps({"tweet": "x\ny"}))
    assert list(read_texts(table, "tweet")) == ['She, "left".\nYes', "He"]
    assert list(read_texts(lines, "tweet")) == ["Él", "x\ny"]


def test_a_cell_of_a_million_characters_is_read(tmp_path):
    assert [len(text) for text in read_texts(written(tmp_path, "t.csv", "text\n" + "x" * 1_000_000))] == [1_000_000]


def test_a_folder_is_read_as_a_dataset(tmp_path):
    written(tmp_path, "train.csv", "text,label\nShe left.,1\n")
    assert list(read_texts(tmp_path)) == ["She left."]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (
            "t.txt",
            b"She\nPe\xf1a\n",
            "{path}:2: byte 3 of the line is 0xf1, which is not UTF-8; the file may be Latin-1 (Windows). Save it as "
            "UTF-8 and look at the accents again",
        ),
        (
            "t.txt",
            "She".encode("utf-16"),
            "{path}:1: the file is UTF-16 (what Windows calls Unicode). Save it as UTF-8",
        ),
        (
            "t.csv",
            "id,tweet\n1,x\n",
            "{path}:1: no column 'text'; the header has: id, tweet. Name the texts' column with --column",
        ),
        (
            "t.csv",
            "text;id\nx;1\n",
            "{path}:1: the columns are separated by semicolons. Save the file as CSV with commas",
        ),
        (
            "t.csv",
            "text,id\nx,y,1\n",
            "{path}:2: 3 cells where the header has 2. A comma may be missing or unquoted",
        ),
        ("t.csv", 'text\n"x\n', "{path}:2: not valid CSV: unexpected end of data. Check the quotes of this row"),
        (
            "t.csv",
            "text,text\nx,y\n",
            "{path}:1: the column 'text' stands twice; the header has: text, text. Name the texts' column with "
            "--column",
        ),
        (
            "t.jsonl",
            '{"text": "x"}\n{"text"\n',
            "{path}:2: not valid JSON: Expecting ':' delimiter: line 2 column 1 (char 8). Write one object per line",
        ),
        ("t.jsonl", '{"body": "x"}\n', "{path}:1: no key 'text'; there is: body. Name the texts' key with --column"),
        (
            "t.jsonl",
            '{"text": null}\n',
            "{path}:1: 'text' is of type NoneType; expected a string. Leave out rows without text",
        ),
        ("t.docx", "x", "{path}: files of type '.docx' are not read. Give .txt, .csv, .jsonl, or a dataset"),
    ],
)
def test_what_is_wrong_with_a_file_is_told(tmp_path, name, content, message):
    path = written(tmp_path, name, content)
    with pytest.raises((TextsError, TextFileError)) as caught:
        list(read_texts(path))
    assert str(caught.value) == message.replace("{path}", str(path))


def test_a_missing_file_and_a_split_of_a_file_are_told(tmp_path):
    with pytest.raises((TextsError, TextFileError)) as caught:
        list(read_texts(tmp_path / "none.txt"))
    assert str(caught.value) == f"{tmp_path / 'none.txt'} cannot be read: No such file or directory. Check the path"
    with pytest.raises((TextsError, TextFileError)) as caught:
        read_texts(tmp_path / "t.txt", split="train")
    assert str(caught.value) == (
        f"{tmp_path / 't.txt'} is a file; a split or a config belongs to a dataset (a folder or an id)."
    )


def test_what_is_no_dataset_is_told_with_the_reason(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises((TextsError, TextFileError)) as caught:
        list(read_texts(tmp_path / "nowhere"))
    assert str(caught.value).startswith(
        f"'{tmp_path / 'nowhere'}' is neither a .txt/.csv/.jsonl file nor a dataset that can be loaded: "
    )


def test_a_hub_that_cannot_be_asked_is_told_at_once(monkeypatch):
    import huggingface_hub

    def unreachable(*_args, **_options):
        raise OSError("Name or service not known")

    monkeypatch.setattr(huggingface_hub.HfApi, "dataset_info", unreachable)
    with pytest.raises((TextsError, TextFileError)) as caught:
        list(read_texts("some/where"))
    assert str(caught.value) == (
        "'some/where' is no .txt/.csv/.jsonl file and no folder, and the Hub cannot be asked for a dataset of this "
        "name: Name or service not known. Check the path, or the network"
    )


def test_datasets_saved_to_disk_are_read_with_their_splits(tmp_path):
    import datasets

    rows = datasets.Dataset.from_dict({"text": ["He left.", "She left."]})
    rows.save_to_disk(tmp_path / "one")
    datasets.DatasetDict({"test": rows, "train": rows.select([0])}).save_to_disk(tmp_path / "two")
    assert list(read_texts(tmp_path / "one")) == ["He left.", "She left."]
    assert list(read_texts(tmp_path / "two")) == ["He left."]
    assert list(read_texts(tmp_path / "two", split="test")) == ["He left.", "She left."]
    with pytest.raises((TextsError, TextFileError)) as caught:
        list(read_texts(tmp_path / "two", split="dev"))
    assert str(caught.value) == (
        f"The folder '{tmp_path / 'two'}' has no split 'dev'; there is: test, train. Name it with --split"
    )


def test_utf_16_without_a_mark_is_guessed_from_its_zero_bytes(tmp_path):
    path = tmp_path / "t.txt"
    path.write_bytes("Él está aquí.\n".encode("utf-16-le"))
    with pytest.raises((TextsError, TextFileError)) as caught:
        list(read_texts(path))
    assert str(caught.value) == f"{path}:1: not UTF-8, and it has zero bytes; UTF-16? Save it as UTF-8"
